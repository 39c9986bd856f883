"""The bundled model's alphabet and vocabulary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.findings.model.bundled import FORMAT, plain, special_tokens, trained_on
from radcal.findings.readers.pairs import NOT_STATED

PHRASES = ("absent", "may represent", "present", NOT_STATED)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("No  Effusion.", " no effusion."),
        ("A 14 mm nodule (4,5 cm\nbefore)", " a # mm nodule (# cm before)"),
        ("Größe normal \u2013 \u201eklar\u201c", " gro~e normal - ~klar~"),
        ("caf\u00e9\x00\u200b!", " cafe !"),
        (" \n ", " "),
    ],
)
def test_a_text_in_the_small_alphabet(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(st.text())
def test_any_text_has_a_place_in_the_alphabet_and_stays_in_it(text: str) -> None:
    shown = plain(text)
    assert shown.startswith(" ")
    assert "  " not in shown
    assert all(" " <= c <= "~" and not c.isdigit() and not c.isupper() for c in shown)
    assert plain(shown) == shown


def test_a_vocabulary_tells_its_phrases() -> None:
    assert trained_on(["a", "b", *special_tokens(PHRASES)]) == PHRASES


@pytest.mark.parametrize(
    "pieces",
    [
        [],
        ["a", "b"],
        ["<s>", "</s>"],
        ["a", *special_tokens(PHRASES[:-1])],
        ["a", *special_tokens(PHRASES), "b"],
        ["<s>", "</s>", "<out>", "<row>", "<present>", f"<{NOT_STATED}>"],
    ],
)
def test_a_vocabulary_of_another_kind_is_told(pieces: list[str]) -> None:
    with pytest.raises(ValueError, match=FORMAT):
        trained_on(pieces)
