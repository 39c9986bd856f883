"""The engine over a tiny Llama with random weights, and reports for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from radcal.findings.by_model.engine import LlamaEngine, llama_engine
from radcal.findings.model.options import LlamaOptions
from radcal.reports.records import Document

SENTENCES = (
    "Heart size is normal.",
    "There is no pleural effusion.",
    "Opacity at the left base may represent pneumonia.",
    "A nodule cannot be entirely dismissed.",
    "No pneumothorax.",
    "Lymph nodes are not enlarged.",
    "Edema is suspected.",
)


@pytest.fixture(scope="session")
def prompts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short prompt: the tests are about what is around it."""
    folder = tmp_path_factory.mktemp("prompts")
    text = "{% for e in examples %}Report:\n{{ e.report }}Findings:\n{{ e.findings }}{% endfor %}"
    for name in ("base.jinja", "chat.jinja"):
        (folder / name).write_text(text + "Report:\n{{ report }}Findings:\n")
    (folder / "examples.toml").write_text(
        '[[examples]]\nsentences = ["No effusion."]\nrows = [[1, "pleural effusion", "absent"]]\n'
    )
    return folder


@pytest.fixture(scope="session")
def options(prompts: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., LlamaOptions]:
    """Options for quick tests."""
    states = tmp_path_factory.mktemp("states")

    def make(**values: Any) -> LlamaOptions:
        quick: dict[str, Any] = {"prompts": prompts, "context": 1024, "threads": 1, "parallel": 4}
        return LlamaOptions(**{**quick, "state_folder": states, **values})

    return make


@pytest.fixture(scope="module")
def engine(model: Path, options: Callable[..., LlamaOptions]) -> Iterator[LlamaEngine]:
    """An engine whose child is started once a module."""
    with llama_engine(model, options()) as made:
        yield made


@pytest.fixture(scope="session")
def reports(report: Callable[..., Document]) -> list[Document]:
    """Reports of different lengths."""
    return [report(f"A{i}", *(SENTENCES[(i + k) % 7] for k in range(1 + i % 5))) for i in range(14)]
