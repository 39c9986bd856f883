"""A pair reader over a tiny model with random weights, and questions for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from radcal.findings.model import native
from radcal.findings.model.fit import Plan
from radcal.findings.model.local_pairs import LocalPairReader
from radcal.findings.model.options import LlamaOptions
from radcal.findings.model.pair_prompt import PAIRS
from radcal.findings.readers.pairs import Question

SENTENCES = (
    ("Heart size is normal.", "cardiomegaly", "Heart size is normal"),
    ("There is no pleural effusion.", "pleural effusion", "pleural effusion"),
    ("Opacity at the left base may represent pneumonia.", "infection", "pneumonia"),
    ("A nodule cannot be entirely dismissed.", "nodule", "nodule"),
    ("No pneumothorax.", "pneumothorax", "pneumothorax"),
    ("Edema is suspected.", "edema", "Edema"),
)


PLAN = Plan(1024, 1024, 256, 256, 112, 1, 0, repack=True, abortable=True, exact=True)
"""A small context on the CPU."""


class Flag:
    """A stop flag that a test can set."""

    up = False

    def __call__(self) -> bool:
        return self.up


@pytest.fixture(scope="module")
def flag() -> Flag:
    return Flag()


@pytest.fixture(scope="module")
def loaded(model: Path, flag: Flag) -> Iterator[native.Model]:
    made = native.Model(model, PLAN, flag)
    yield made
    made.close()


@pytest.fixture(scope="session")
def prompts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short prompt: the tests are about what is around it."""
    folder = tmp_path_factory.mktemp("prompts")
    (folder / PAIRS).write_text(
        'task = "Phrases: {phrases}."\n[forms]\nsentence = "\\nReport: {sentence}\\n"\nquestion = "{pathology}:"\n'
        'answer = " {phrase}\\n"\n[[examples]]\nsentence = "No effusion."\nrows = [["pleural effusion", "absent"]]\n',
        encoding="utf-8",
    )
    return folder


@pytest.fixture(scope="session")
def options(prompts: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., LlamaOptions]:
    """Options for quick tests."""
    states = tmp_path_factory.mktemp("states")

    def make(**values: Any) -> LlamaOptions:
        return LlamaOptions(**{"prompts": prompts, "context": 1024, "threads": 1, "state_folder": states, **values})

    return make


@pytest.fixture(scope="module")
def reader(model: Path, options: Callable[..., LlamaOptions]) -> Iterator[LocalPairReader]:
    """A reader whose child is started once a module."""
    with LocalPairReader(model, options()) as made:
        yield made


@pytest.fixture(scope="session")
def reports() -> list[list[Question]]:
    """The questions of reports of different lengths; some have none."""
    questions = [Question(text, "en", (name,), (words,)) for text, name, words in SENTENCES]
    return [[questions[(i + k) % len(questions)] for k in range(i % 5)] for i in range(14)]
