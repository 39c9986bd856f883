"""Bounds where no CT decided: against every way in which the undecided could have come out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from radcal.reliability.records import VerifiedRate
from radcal.reliability.verified import verified_rates
from radcal.system.errors import DataError
from radcal.words.records import Phrase

MANY = settings(deadline=None, max_examples=150)
counts = st.integers(0, 40)


def phrase(low: float, high: float, name: str = "likely") -> Phrase:
    return Phrase(name, 1, 1, low, high)


def rates(
    counts: list[tuple[float, float, float]], low: float = 0.25, high: float = 0.75, confidence: float = 0.95
) -> tuple[VerifiedRate, ...]:
    """Of (judged, confirmed, unverified) for each of as many phrases of one range."""
    n, y, u = np.array(counts, dtype=np.float64).reshape(-1, 3).T
    phrases = [phrase(low, high, f"word {k}") for k in range(len(n))]
    return verified_rates(phrases, n, y, u, confidence)


def one(n: float, y: float, u: float, low: float = 0.25, high: float = 0.75, confidence: float = 0.95) -> VerifiedRate:
    (rate,) = rates([(n, y, u)], low, high, confidence)
    return rate


@st.composite
def groups(draw: st.DrawFn) -> tuple[int, int, int, float, float]:
    """Counts of a phrase and the range that it means."""
    n = draw(counts)
    low, high = sorted((draw(st.floats(0, 1)), draw(st.floats(0, 1))))
    return n, draw(st.integers(0, n)), draw(counts), low, high


def interval(y: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """The Jeffreys interval by scipy's Beta distribution."""
    tail = (1 - confidence) / 2
    ends = beta.ppf([tail, 1 - tail], y + 0.5, n - y + 0.5)
    return 0.0 if y == 0 else float(ends[0]), 1.0 if y == n else float(ends[1])


def test_bounds_by_hand() -> None:
    rate = one(12, 9, 8)
    assert (rate.phrase, rate.said, rate.judged, rate.positives, rate.unverified) == ("word 0", 20, 12, 9, 8)
    assert (rate.lowest, rate.highest) == (9 / 20, 17 / 20)
    assert (rate.low, rate.high) == pytest.approx((interval(9, 20)[0], interval(17, 20)[1]))
    assert (rate.share_low, rate.share_high) == pytest.approx(interval(12, 20))
    assert (rate.rate_low, rate.rate_high) == pytest.approx(interval(9, 12))
    assert (rate.meaning_low, rate.meaning_high) == (0.25, 0.75)
    assert (rate.verdict, rate.spans) == ("open", False)


@pytest.mark.parametrize(
    ("n", "y", "u", "low", "high", "verdict", "spans"),
    [
        (30, 2, 5, 0.75, 0.9, "stronger", False),  # at most 7 of 35
        (87, 41, 13, 0.75, 0.9, "stronger", False),  # at most 54 of 100
        (60, 48, 0, 0.75, 0.9, "within", False),
        (30, 28, 5, 0.1, 0.25, "weaker", False),  # at least 28 of 35
        (40, 20, 4, 0.25, 0.75, "within", False),
        (30, 15, 60, 0.25, 0.75, "open", True),
        (30, 15, 20, 0.25, 0.65, "open", False),
        (4, 0, 0, 0.25, 0.75, "open", False),  # below the range, but of too few
        (0, 0, 9, 0.25, 0.75, "", True),
        (8, 8, 0, 1, 1, "within", False),  # plain present, all confirmed
        (8, 8, 2, 1, 1, "open", True),
        (8, 0, 0, 0, 0, "within", False),
        (30, 10, 2, 0, 0, "weaker", False),  # plain absent, and often there
        (30, 10, 2, 1, 1, "stronger", False),
    ],
)
def test_verdicts(n: int, y: int, u: int, low: float, high: float, verdict: str, spans: bool) -> None:
    rate = one(n, y, u, low, high)
    assert (rate.verdict, rate.spans) == (verdict, spans)


def test_phrases_never_said_are_left_out_and_the_others_keep_their_order() -> None:
    made = rates([(3, 1, 0), (0, 0, 0), (0, 0, 2), (5, 5, 1)])
    assert [r.phrase for r in made] == ["word 0", "word 2", "word 3"]
    assert made[0] == one(3, 1, 0)
    assert replace(made[2], phrase="word 0") == one(5, 5, 1)
    assert (made[1].said, made[1].judged, made[1].lowest, made[1].highest) == (2, 0, 0, 1)
    assert np.isnan([made[1].rate_low, made[1].rate_high]).all()  # nothing was judged
    assert rates([]) == ()
    assert rates([(0, 0, 0)]) == ()


@MANY
@given(groups())
@example((10, 10, 0, 0.5, 1.0))
def test_the_bounds_hold_every_outcome_of_the_unverified(group: tuple[int, int, int, float, float]) -> None:
    n, y, u, low, high = group
    if n + u == 0:
        return
    rate = one(n, y, u, low, high)
    outcomes = [(y + confirmed) / (n + u) for confirmed in range(u + 1)]
    assert min(outcomes) == rate.lowest
    assert max(outcomes) == rate.highest
    assert 0 <= rate.low <= rate.lowest <= rate.highest <= rate.high <= 1
    assert rate.highest - rate.lowest == pytest.approx(u / (n + u))
    assert rate.share_low <= n / (n + u) <= rate.share_high
    if n:
        assert rate.lowest <= y / n + 1e-12
        assert y / n <= rate.highest + 1e-12
        assert rate.rate_low <= y / n <= rate.rate_high
    if u == 0:
        assert rate.lowest == rate.highest == y / n
        assert (rate.low, rate.high) == (rate.rate_low, rate.rate_high)


@MANY
@given(groups(), st.integers(1, 30))
def test_more_unverified_statements_widen_the_bounds(group: tuple[int, int, int, float, float], more: int) -> None:
    n, y, u, low, high = group
    if n + u == 0:
        return
    before, after = one(n, y, u, low, high), one(n, y, u + more, low, high)
    assert after.lowest <= before.lowest
    assert after.highest >= before.highest
    assert after.low <= before.low + 1e-12
    assert after.high >= before.high - 1e-12
    if before.verdict == "open" or (before.verdict and after.verdict not in ("open", before.verdict)):
        assert after.verdict == "open"


@MANY
@given(groups())
def test_a_verdict_holds_whatever_the_unverified_are(group: tuple[int, int, int, float, float]) -> None:
    n, y, u, low, high = group
    if n + u == 0:
        return
    rate = one(n, y, u, low, high)
    said = n + u
    possible = [(interval(y + k, said), (y + k) / said) for k in range(u + 1)]
    low, high = rate.meaning_low, rate.meaning_high
    near = 1e-9  # two ways to compute one quantile
    if rate.verdict == "stronger":
        assert all(above < low + near for (_, above), _ in possible)
    elif rate.verdict == "weaker":
        assert all(below > high - near for (below, _), _ in possible)
    elif rate.verdict == "within":
        assert all(low <= share <= high for _, share in possible)
    elif n:
        assert not all(above < low - near for (_, above), _ in possible)
        assert not all(below > high + near for (below, _), _ in possible)
        assert not all(low <= share <= high for _, share in possible)
    assert (rate.verdict == "") == (n == 0)
    if rate.spans:
        assert rate.verdict in ("", "open")


@MANY
@given(groups(), st.floats(0.5, 0.9), st.floats(0.91, 0.999))
def test_more_confidence_widens_the_intervals_and_not_the_bounds(
    group: tuple[int, int, int, float, float], less: float, more: float
) -> None:
    n, y, u, low, high = group
    if n + u == 0:
        return
    narrow, wide = (one(n, y, u, low, high, confidence) for confidence in (less, more))
    assert (narrow.lowest, narrow.highest) == (wide.lowest, wide.highest)
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert wide.share_low <= narrow.share_low <= narrow.share_high <= wide.share_high


@MANY
@given(groups())
def test_what_is_confirmed_and_what_is_not_mirror_each_other(group: tuple[int, int, int, float, float]) -> None:
    n, y, u, low, high = group
    if n + u == 0:
        return
    rate, mirrored = one(n, y, u, low, high), one(n, n - y, u, 1 - high, 1 - low)
    assert (mirrored.lowest, mirrored.highest) == pytest.approx((1 - rate.highest, 1 - rate.lowest))
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - rate.high, 1 - rate.low))


def test_outcomes_may_be_fractional() -> None:
    rate = one(4, 2.5, 1)
    assert (rate.lowest, rate.highest) == (0.5, 0.7)


@pytest.mark.parametrize(
    ("n", "y", "u"),
    [
        (3, 4, 0),
        (3, -1, 0),
        (-1, -1, 2),
        (3, 1, -1),
        (float("nan"), 1, 0),
        (3, float("nan"), 0),
        (3, 1, float("inf")),
    ],
)
def test_counts_that_cannot_be_are_refused(n: float, y: float, u: float) -> None:
    with pytest.raises(DataError, match="negative or no number, or more were confirmed than judged"):
        rates([(3, 1, 1), (n, y, u)])


@pytest.mark.parametrize("short", range(3))
def test_each_phrase_needs_its_counts(short: int) -> None:
    arrays = [np.ones(2 - (i == short)) for i in range(3)]
    with pytest.raises(DataError, match="Each phrase needs its counts"):
        verified_rates([phrase(0, 1), phrase(0, 1)], *arrays, 0.95)
