"""Bounds where no CT decided: against every way in which the undecided could have come out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from radcal.calibrate import verified_rates
from radcal.errors import DataError
from radcal.records import Phrase, VerifiedRate

LIKELY = Phrase("likely", 9.0, 2.8, 0.75, 0.90)
MAY = Phrase("may", 4.0, 4.6, 0.25, 0.75)


def _one(n: float, y: float, u: float, phrase: Phrase = LIKELY) -> VerifiedRate:
    (made,) = verified_rates((phrase,), np.array([n]), np.array([y]), np.array([u]))
    return made


@settings(deadline=None)
@given(n=st.integers(0, 40), share=st.floats(0, 1), u=st.integers(0, 20))
def test_whatever_the_undecided_were_the_rate_lies_within_the_bounds(n: int, share: float, u: int) -> None:
    y = round(share * n)
    if n + u == 0:
        assert verified_rates((MAY,), np.zeros(1), np.zeros(1), np.zeros(1)) == ()
        return
    r = _one(n, y, u, MAY)
    rates = [(y + there) / (n + u) for there in range(u + 1)]
    assert (r.lowest, r.highest) == pytest.approx((min(rates), max(rates)))
    assert r.low <= r.lowest <= r.highest <= r.high
    assert r.said == r.judged + r.unverified == n + u
    if n:
        assert r.rate_low <= y / n <= r.rate_high
    if r.verdict == "within":
        assert all(MAY.low <= rate <= MAY.high for rate in rates)
    if r.verdict == "stronger":
        assert all(rate < MAY.low for rate in rates)
    if r.verdict == "weaker":
        assert all(rate > MAY.high for rate in rates)
    assert (r.verdict == "") == (n == 0)


def test_the_interval_of_what_was_decided_is_jeffreys_own() -> None:
    r = _one(87, 41, 13)
    assert (r.rate_low, r.rate_high) == pytest.approx(beta.ppf([0.025, 0.975], 41.5, 46.5), abs=1e-9)
    assert r.verdict == "stronger"
    assert not r.spans


def test_without_undecided_statements_the_bounds_are_the_rate() -> None:
    r = _one(60, 48, 0)
    assert r.lowest == r.highest == pytest.approx(0.8)
    assert (r.low, r.high) == pytest.approx((r.rate_low, r.rate_high))
    assert r.verdict == "within"


def test_bounds_over_the_whole_range_allow_no_verdict() -> None:
    r = _one(10, 5, 90, MAY)
    assert r.spans
    assert r.verdict == "open"


@pytest.mark.parametrize(("n", "y", "u"), [(10, 11, 0), (-1, 0, 0), (10, 5, -1), (10, np.nan, 0)])
def test_impossible_counts_are_refused(n: float, y: float, u: float) -> None:
    with pytest.raises(DataError):
        _one(n, y, u)
