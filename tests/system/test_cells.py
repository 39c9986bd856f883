"""Cells are guarded against being computed, and come back as they were."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.system.cells import freed, guarded, printable

TELLING = st.text(st.sampled_from("ab'=+-@\uff1d;,\"\t\n\r \xa0\0\ufeff"), max_size=12)
"""Of the characters that matter, so that they meet."""


def computed(text: str) -> bool:
    """Whether a spreadsheet computes some part of it, character by character: however it splits the cell."""
    parts, begins = [], True
    for c in text:
        if begins:
            parts.append("")
        parts[-1] += c
        begins = c in ";\t\r\n"
    return any(part.lstrip(" \xa0\0\ufeff")[:1] in [*"=+-@\uff1d\uff0b\uff0d\uff20"] for part in parts)


@given(TELLING | st.text(max_size=30))
def test_a_cell_comes_back_as_it_was_and_is_never_computed(text: str) -> None:
    cell = guarded(text)
    assert freed(cell) == printable(text)
    assert not computed(cell)
    assert cell[:1] not in ("\t", "\r", "\n")


@given(st.text())
def test_control_characters_become_blanks(text: str) -> None:
    shown = printable(text)
    assert len(shown) == len(text)
    assert all(
        b == (" " if unicodedata.category(a) == "Cc" and a not in "\t\n\r" else a)
        for a, b in zip(text, shown, strict=True)
    )


@given(TELLING)
def test_nothing_but_apostrophes_is_added_and_only_where_it_must_be(text: str) -> None:
    cell = guarded(text)
    text = printable(text)
    assert cell.replace("'", "") == text.replace("'", "")
    if not computed(text.replace("'", "")) and text.replace("'", "")[:1] not in ("\t", "\r", "\n"):
        assert cell == text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("- pneumonia", "'- pneumonia"),
        ("-", "'-"),
        ("=1+1", "'=1+1"),
        ("+49 30", "'+49 30"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tedema", "'\tedema"),
        ("  =1", "'  =1"),
        ("\uff1d1", "'\uff1d1"),
        ("'- as written", "''- as written"),
        ("no change; =1+1", "no change;' =1+1"),
        ("1. edema\n- mass", "1. edema\n'- mass"),
        ("'may'", "'may'"),
        ("5-10 mm", "5-10 mm"),
        ("", ""),
    ],
)
def test_what_stands_in_the_file(text: str, cell: str) -> None:
    assert guarded(text) == cell


@pytest.mark.parametrize("part", ["'", " ", "- pneumonia;", "\n", "\n'"])
def test_long_cells_come_back_too(part: str) -> None:
    text = 20_000 * part
    assert freed(guarded(text)) == text
