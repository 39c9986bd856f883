"""The words by which the ends of sentences are found: English and German rows together, bad rows told."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.words import sentence_words as module
from radcal.words.sentence_words import sentence_words


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the shipped words that is read instead of them."""
    folder = Path(shutil.copytree(resource("lexicon"), tmp_path / "lexicon"))
    monkeypatch.setattr(module, "resource", lambda *parts: tmp_path.joinpath(*parts))
    sentence_words.cache_clear()
    yield folder
    sentence_words.cache_clear()


def test_words_of_all_languages_hold_together() -> None:
    words = sentence_words()
    assert {"dr", "ggf", "z.n"} <= words.abbreviation
    assert {"or", "oder"} <= words.joining
    assert words.begins("Herz:")
    assert words.begins("Left")
    assert words.surely_begins("The")
    assert not words.surely_begins("left"), "it also stands behind an abbreviation: 'Obv. left effusion'"


def test_every_role_of_the_head_of_the_file_has_words_and_no_other_has() -> None:
    head = resource("lexicon", "sentence_ends.tsv").read_text(encoding="utf-8")
    told = re.findall(r"^#   ([a-z -]+?)  +\S", head, re.MULTILINE)
    roles = [f.name for f in fields(module.SentenceWords) if f.name != "digest"]
    assert sorted(role.replace(" ", "_").replace("-", "_") for role in told) == sorted(roles)
    assert all(getattr(sentence_words(), role) for role in roles)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text + "adjectiv\trt lt\n", r"sentence_ends.tsv, line \d+: there is no role 'adjectiv'"),
        (lambda text: text + "adjective\n", r"sentence_ends.tsv, line \d+: the words are missing"),
        (
            lambda text: text.replace("role\twords", "role"),
            r"sentence_ends.tsv, line \d+: the columns must be role, words",
        ),
    ],
)
def test_a_bad_row_is_told(own: Path, change: Callable[[str], str], told: str) -> None:
    path = own / "sentence_ends.tsv"
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(InputError, match=told):
        sentence_words()


def test_a_language_may_have_none_and_each_change_is_told_by_the_digest(own: Path) -> None:
    before = sentence_words().digest
    (own / "de" / "sentence_ends.tsv").unlink()
    sentence_words.cache_clear()
    assert "ggf" not in sentence_words().abbreviation
    assert sentence_words().digest != before
