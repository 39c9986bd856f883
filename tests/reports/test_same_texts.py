"""Texts that differ only in what was taken out of them are one, however the readings differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from radcal.reports.deidentify.same_texts import united

WORDS = "the chest was seen by Alpha Beta Gamma today and Delta told Epsilon of a likely edema in both lungs".split()  # noqa: SIM905
NAMES = [i for i, word in enumerate(WORDS) if word in {"Alpha", "Beta", "Gamma", "Delta", "Epsilon"}]
SUBSETS = st.sets(st.sampled_from(NAMES))


def _without(removed: set[int]) -> str:
    return " ".join("[name]" if i in removed else word for i, word in enumerate(WORDS))


@given(SUBSETS, SUBSETS)
def test_what_either_reading_removed_is_removed_and_nothing_else_is_lost(one: set[int], other: set[int]) -> None:
    mine, theirs = _without(one), _without(other)
    made = united(mine, theirs)
    assert made is not None
    back = united(theirs, made.text)
    assert back is not None
    for text in (made.text, back.text):
        words = text.split()
        assert not {WORDS[i] for i in one | other} & set(words)
        assert [w for w in words if w in WORDS and WORDS.index(w) not in NAMES] == [
            w for i, w in enumerate(WORDS) if i not in NAMES
        ]
    assert back.text.split() == made.text.split()


@given(st.sampled_from(NAMES), st.integers(0, len(WORDS) - 1))
def test_another_word_makes_another_text(name: int, changed: int) -> None:
    words = _without({name}).split()
    if changed not in NAMES:  # a corrected word is a correction, beside a name, too
        words[changed] = "otherwise"
        assert united(_without(set()), " ".join(words)) is None


@given(SUBSETS)
def test_edits_lead_from_the_one_text_to_the_other(removed: set[int]) -> None:
    raw = _without(set())
    made = united(raw, _without(removed))
    assert made is not None
    parts, at = [], 0
    for edit in made.edits:
        parts += [raw[at : edit.start], edit.replacement]
        at = edit.end
    assert "".join([*parts, raw[at:]]) == made.text
