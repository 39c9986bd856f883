"""The words of the term files written out: all of what the notation means, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from radcal.findings.rules.patterns import PatternError, compile_pattern, flatten
from radcal.findings.rules.synonyms import pathology_words, spellings
from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.words.confirmations import load_confirmations
from radcal.words.word_files import SUBJECT_COLUMNS, SUBJECTS, TERM_COLUMNS, TERMS, rows_of
from tests.cases import cases_of

cases = cases_of(__file__)


@cases("notations_by_hand")
def test_notations_by_hand(notation: str, written: str) -> None:
    assert spellings(notation) == set(written.split("|"))


def test_of_many_spellings_those_with_words_that_may_be_missing_are_left_out() -> None:
    assert len(spellings("[a|b|c] [d|e|f] fluid[s]", most=32)) == 32
    assert spellings("[a|b|c] [d|e|f] fluid[s]", most=31) == {"fluid", "fluids"}


_words = st.sampled_from(["lung", "small", "fluid", "edge"])
_notations = st.recursive(
    _words,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
        st.lists(inner, min_size=1, max_size=2).map(lambda parts: f"[{'|'.join(parts)}]"),
        st.lists(inner, min_size=2, max_size=3).map(" ".join),
        _words.map(lambda word: f"{word}[s|es]"),
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=150)
@given(_notations)
def test_what_is_written_is_what_the_engine_reads(notation: str) -> None:
    notation = f"mass {notation}"
    try:
        pattern, _ = compile_pattern(notation)
    except PatternError:
        assume(False)
    assert all(pattern.fullmatch(text) for text in spellings(notation))
    assert "mass" in {text.split()[0] for text in spellings(notation)}


def test_every_row_that_ships_is_written_as_the_engine_reads_it() -> None:
    for file, columns in ((TERMS, TERM_COLUMNS), (SUBJECTS, SUBJECT_COLUMNS)):
        for row in rows_of(resource("lexicon") / file, columns):
            notation = row["words"]
            pattern, _ = compile_pattern(notation)
            written = spellings(notation)
            assert written
            assert [text for text in written if not pattern.fullmatch(flatten(text))] == [], notation


def test_the_words_are_of_the_closed_list_and_for_every_pathology_of_it() -> None:
    words = pathology_words()
    assert sorted(words) == sorted(c.xray for c in load_confirmations())
    assert all(name in found for name, found in words.items())
    for text, name in {
        "pneumonia": "infection", "heart size": "cardiomegaly", "enlarged heart": "cardiomegaly", "copd": "emphysema",
        "ptx": "pneumothorax", "nodes": "lymphadenopathy", "enlarged lymph nodes": "lymphadenopathy",
        "collapse": "atelectasis", "hiatal hernia": "hernia", "infiltrate": "opacity", "tumor": "malignancy",
    }.items():  # fmt: skip
        assert text in words[name]
    assert "hydropneumothorax" in words["pleural effusion"]
    assert "hydropneumothorax" in words["pneumothorax"]
    assert "fluid" not in words["pericardial effusion"], "only under a heading"
    assert "trachea" not in {w for found in words.values() for w in found}, "an organ of no interest"
    assert not any("xxxx" in w for found in words.values() for w in found)


def test_the_engine_finds_the_pathology_in_single_words_for_it(stated: Callable[..., set[tuple[str, str]]]) -> None:
    """An independent reading of the list: a sentence that says no more than the word."""
    words = [(name, w) for name, found in pathology_words().items() for w in found if " " not in w and len(w) > 3]
    assert len(words) > 200
    missed = [(name, word) for name, word in words if name not in {p for p, _ in stated(f"There is {word}.")}]
    assert len(missed) < len(words) / 10, "organs alone assert nothing"


def test_a_broken_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "pathologies_terms.tsv").write_text("pathology\twords\tunless\tnote\tunder\nedema\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"pathologies_terms\.tsv, line 2: the words are missing"):
        pathology_words(tmp_path)
