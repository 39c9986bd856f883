"""Prompts from template and example files, a department's own included."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from radcal.findings.by_model.prompt import Prompt, fill_in, numbered, read_examples, row
from radcal.findings.by_model.rows import RowGuide, Rows
from radcal.findings.model.chat import MARK
from radcal.findings.model.options import LlamaOptions
from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import load_lexicon
from tests.cases import cases_of

cases = cases_of(__file__)

PHRASES = [p.name for p in load_lexicon().phrases]
SHIPPED = resource("prompts")


@pytest.mark.parametrize("reference", ["number", "quote"])
def test_the_shipped_prompt_asks_for_all_pathologies_and_shows_what_the_guide_allows(reference: str) -> None:
    prompt = fill_in(SHIPPED, pathology_names(), PHRASES, reference)  # type: ignore[arg-type]
    rows = Rows(lambda t: [ord(c) for c in t], pathology_names(), PHRASES, reference, 20)  # type: ignore[arg-type]
    for text in (prompt.base, prompt.chat):
        assert all(p in text for p in (*pathology_names(), *PHRASES))
        assert text.count(MARK) == 1
        assert text.endswith(f"Report:\n{MARK}Findings:\n")
        for example in read_examples(SHIPPED / "examples.toml", pathology_names(), PHRASES):
            lines = numbered(example.sentences, reference)  # type: ignore[arg-type]
            assert "".join(lines) in text
            written = "".join(row(reference, n, example.sentences[n - 1], p, f) for n, p, f in example.rows)  # type: ignore[arg-type]
            assert written + "- end\n" in text
            guide = RowGuide(rows, example.sentences)
            for sign in written + "- end\n":
                guide.advance(ord(sign))
            assert guide.done


def test_the_hash_changes_with_the_prompt() -> None:
    assert Prompt("a", "b").hash == Prompt("a", "b").hash
    assert len({Prompt("a", "b").hash, Prompt("ab", "").hash, Prompt("a", "c").hash}) == 3


@cases("broken_files_are_named_with_the_reason")
def test_broken_files_are_named_with_the_reason(tmp_path: Path, name: str, content: str, words: str) -> None:
    shutil.copytree(SHIPPED, tmp_path, dirs_exist_ok=True)
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=words):
        fill_in(tmp_path, pathology_names(), PHRASES, "number")


def test_missing_and_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"examples\.toml is missing"):
        fill_in(tmp_path, pathology_names(), PHRASES, "number")
    (tmp_path / "examples.toml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="cannot be read"):
        fill_in(tmp_path, pathology_names(), PHRASES, "number")


@pytest.mark.parametrize(
    "values", [{"context": 10}, {"max_findings": 0}, {"review_below": 1.5}, {"prompt": "poem"}, {"reference": "page"}]
)
def test_options_out_of_bounds_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="Llama option"):
        LlamaOptions(**values)
