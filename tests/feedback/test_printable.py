"""Text that the bundled font can print."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.feedback import pdf as module
from radcal.feedback.pdf import BOX, coverage, printable, printable_content
from radcal.system.errors import InputError


@pytest.mark.parametrize(
    "text",
    [
        "Likely mild edema (SpO2 88 %), 3 \N{MULTIPLICATION SIGN} 4 mm; Größe: ½, naïve, Ångström, μ, Дыхание, ≥ 2.",
        '#eval("1") $x^2$ \\ @ref <label> *bold* _it_ `raw` // c /* d */ [ ] { } #{ } -> ... --',
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a\tb\r\nc\n\nd\r\x1f\u2028\re", "a b c d e"),
        ("bell\x07 escape\x1b[0m nul\x00", "bell escape[0m nul"),
        ("override\u202e gnihton\u202c", "override gnihton"),
        ("e\u0301", "é"),
        ("\ufb01brosis \uff13 \u339c", "fibrosis 3 mm"),
        ("漢字", BOX * 2),
        ("שָׁלוֹם", BOX * 4),
        ("\ud800", BOX),
        ("a\u3000b", "a b"),
    ],
)
def test_what_cannot_be_printed(text: str, printed: str) -> None:
    assert printable(text) == printed


def test_a_long_word_can_break_and_loses_nothing() -> None:
    word = "x" * 2000
    broken = printable(word)
    assert max(map(len, broken.split("\u200b"))) <= 30
    assert broken.replace("\u200b", "") == word
    assert printable("x" * 30) == "x" * 30


@settings(deadline=None, max_examples=300)
@given(st.text())
def test_every_character_is_covered(text: str) -> None:
    printed = printable(text)
    assert set(printed) <= coverage()
    assert "  " not in printed


def test_content_is_treated_throughout_and_keys_are_kept() -> None:
    content = {"a\x07": ["x\x07", {"b": "漢"}, 1, 0.5, None, True]}
    assert printable_content(content) == {"a\x07": ["x", {"b": BOX}, 1, 0.5, None, True]}


def test_a_broken_list_of_characters_is_refused_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "coverage.txt"
    broken.write_text("# ranges\n0020-007E\n00A0..00FF\n", "ascii")
    monkeypatch.setattr(module, "resource", lambda *_: broken)
    with pytest.raises(InputError, match=r"coverage\.txt, line 3"):
        coverage.__wrapped__()
