"""Use of a vocabulary: counts by wording, and Wilson intervals of the shares."""

from __future__ import annotations

import math

import pytest
from scipy.stats import binomtest

from radcal.calibration.vocabulary_use import vocabulary_use
from radcal.words.phrases import load_lexicon
from radcal.words.scales import scale_called

SAID = [
    ("likely", "Likely", 40),
    ("likely", "likely represents", 20),
    ("consistent with", "consistent with", 9),
    ("may represent", "may be", 5),
    ("may represent", "May be", 2),
    ("possibly", "possible", 6),
    ("possibly", "is possible", 5),
    ("very unlikely", "highly unlikely", 3),
    ("other", "smacks of", 1),
    ("present", "", 500),
    ("absent", "no evidence of", 300),
    ("diagnostic of", "diagnostic of", 4),
]


def test_counts_are_those_of_the_wordings_and_plain_statements_are_none_of_them() -> None:
    brigham = scale_called("brigham")
    assert brigham is not None
    use = vocabulary_use(brigham, SAID, load_lexicon(), author="Avery", confidence=0.9)
    assert (use.scale, use.author) == ("Brigham", "Avery")
    assert (use.n, use.within, use.established, use.outside, use.avoided) == (91, 60, 9, 22, 10)
    assert use.within + use.established + use.outside == use.n
    assert use.words == (("possible", 11), ("may be", 7), ("highly unlikely", 3), ("smacks of", 1))
    for n, low, high in (
        (use.outside, use.outside_low, use.outside_high),
        (use.avoided, use.avoided_low, use.avoided_high),
    ):
        wilson = binomtest(n, use.n).proportion_ci(0.9, "wilson")
        assert (low, high) == pytest.approx((wilson.low, wilson.high))


def test_nothing_hedged_has_no_share() -> None:
    ipcc = scale_called("ipcc")
    assert ipcc is not None
    use = vocabulary_use(ipcc, [("present", "", 3)], load_lexicon())
    assert use.n == use.outside == 0
    assert math.isnan(use.outside_low)
    assert math.isnan(use.avoided_high)
    assert use.words == ()
