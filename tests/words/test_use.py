"""A use of words to aim at is read from a table of phrases and weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from radcal.system.errors import InputError
from radcal.words.phrases import load_lexicon, read_target_use
from tests.cases import cases_of

cases = cases_of(__file__)


def _read(tmp_path: Path, text: str) -> dict[str, float]:
    path = tmp_path / "use.csv"
    path.write_text(text, encoding="utf-8")
    return read_target_use(path, load_lexicon())


def test_weights_become_shares(tmp_path):
    use = _read(tmp_path, "phrase,use\nlikely,3\nmay represent,1\nabsent,0\n")
    assert use == {"likely": 0.75, "may represent": 0.25, "absent": 0.0}


def test_shares_stay_shares_whatever_they_add_to(tmp_path):
    for text in ("phrase,use\nlikely,0.75\nmay represent,0.25\n", "phrase,use\nlikely,0.03\nmay represent,0.01\n"):
        assert _read(tmp_path, text) == {"likely": 0.75, "may represent": 0.25}


def test_synonyms_and_spellings_are_one_phrase(tmp_path):
    use = _read(tmp_path, "phrase,use\nmay represent,1\n Might  Represent ,1\npresent,2\n")
    assert use == {"may represent": 0.5, "present": 0.5}


@cases("a_broken_table_is_refused_with_line_and_reason")
def test_a_broken_table_is_refused_with_line_and_reason(tmp_path, text, shown):
    with pytest.raises(InputError, match=shown):
        _read(tmp_path, text)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nothere\.csv"):
        read_target_use(tmp_path / "nothere.csv", load_lexicon())
