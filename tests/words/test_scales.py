"""Scales of certainty: the shipped ones as published, faults refused, and wordings judged by what was written."""

from __future__ import annotations

import pytest

from radcal.system.errors import InputError
from radcal.system.settings import Settings
from radcal.words.phrases import load_lexicon, normalise
from radcal.words.records import ABSENT, PRESENT
from radcal.words.scales import allowed, place, scale_called, scales, stated
from tests.cases import cases_of

cases = cases_of(__file__)

LISTED = load_lexicon().phrases


def test_every_shipped_scale_is_whole_and_says_where_it_was_published() -> None:
    assert [scale.key for scale in scales()] == ["brigham", "icd-203", "ipcc"]
    for scale in scales():
        assert "https://" in scale.source
        assert len(scale.words) >= 5
        assert scale.name
        assert scale.title
        assert all(0 <= word.low <= word.high <= 1 for word in scale.words)
        every = [*(word.words for word in scale.words), *scale.established, *scale.avoid]
        assert len({*map(normalise, every)} - {""}) == len(every)
        lows = [word.low for word in scale.words]
        assert lows == sorted(lows)
        # Neighbouring ranges touch and do not overlap, but for the point of certainty.
        for weaker, stronger in zip(scale.words, scale.words[1:], strict=False):
            assert weaker.high == stronger.low


def test_the_brigham_scale_is_as_published() -> None:
    brigham = scale_called("brigham")
    assert brigham is not None
    percents = {word.words: (round(100 * word.low), round(100 * word.high)) for word in brigham.words}
    assert percents == {
        "very unlikely": (0, 5),
        "unlikely": (5, 25),
        "may represent": (25, 75),
        "likely": (75, 90),
        "most likely": (90, 100),
        "diagnostic of": (100, 100),
    }
    assert brigham.established == ("consistent with", "compatible with")
    assert len(brigham.avoid) == 8
    assert stated(brigham, "Most  likely") == brigham.words[-2]
    assert stated(brigham, "probably") is None


def test_advice_may_propose_the_words_of_the_scale_and_plain_statements() -> None:
    free = allowed(Settings(), LISTED)
    assert {"very unlikely", "possibly", "likely", "consistent with", ABSENT, PRESENT} <= set(free)
    assert {"maybe", "question of", "worrisome for"}.isdisjoint(free)
    assert "maybe" in allowed(Settings(allowed_phrases=("maybe", "likely")), LISTED)
    assert allowed(Settings(allowed_phrases=("likely",)), LISTED) == ("likely",)
    own = {"very unlikely", "unlikely", "may represent", "likely", "most likely", "diagnostic of"}
    assert set(allowed(Settings(vocabulary="brigham"), LISTED)) == own | {ABSENT, PRESENT}
    # "very likely" is a synonym in the shipped list: advice would write "most likely", which is no word of that scale.
    assert set(allowed(Settings(vocabulary="ipcc"), LISTED)) == {"very unlikely", "unlikely", "likely", ABSENT, PRESENT}


def test_ticked_words_narrow_a_scale_and_never_widen_it() -> None:
    ticked = Settings(vocabulary="brigham", allowed_phrases=("likely", "possibly", "absent"))
    assert set(allowed(ticked, LISTED)) == {"likely", "absent"}
    with pytest.raises(InputError, match="none of the words of the scale Brigham"):
        allowed(Settings(vocabulary="brigham", allowed_phrases=("possibly",)), LISTED)
    with pytest.raises(InputError, match=r"no such scale\. Known: brigham"):
        allowed(Settings(vocabulary="patient 4711"), LISTED)


@cases("a_wording_is_judged_by_what_was_written")
def test_a_wording_is_judged_by_what_was_written(verbatim: str, phrase: str, where: str) -> None:
    brigham = scale_called("brigham")
    assert brigham is not None
    assert place(brigham, verbatim, phrase, load_lexicon())[0] == where


def test_the_words_that_were_judged_are_the_scale_s_or_those_written() -> None:
    brigham, lexicon = scale_called("brigham"), load_lexicon()
    assert brigham is not None
    for verbatim, phrase, words in (
        ("Are possibly calcified", "possibly", "possibly"),
        ("is possible", "possibly", "possible"),
        ("Likely represents", "likely", "likely"),
        ("", "likely", "likely"),
    ):
        assert place(brigham, verbatim, phrase, lexicon)[1] == words
