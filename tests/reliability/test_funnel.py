from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from radcal.reliability.funnel import LIMITS, chance_limits, share_funnel


def outside(y: np.ndarray, n: np.ndarray, coverage: float) -> np.ndarray:
    low, high = chance_limits(float(y.sum()), float(n.sum()), n.astype(float), coverage)
    return (y / n < low - 1e-9) | (y / n > high + 1e-9)


@pytest.mark.parametrize("coverage", LIMITS)
@pytest.mark.parametrize(("total", "positives"), [(30, 7), (200, 61), (400, 399), (5000, 40)])
def test_limits_are_those_of_fishers_test_against_all_others(total: int, positives: int, coverage: float) -> None:
    tail = (1 - coverage) / 2
    for n in (1, 2, 7, 21, total // 2, total - 1):
        low, high = chance_limits(positives, total, np.array([float(n)]), coverage)
        for y in range(max(0, n - (total - positives)), min(n, positives) + 1):
            table = [[y, n - y], [positives - y, total - positives - (n - y)]]
            more, less = (stats.fisher_exact(table, side).pvalue for side in ("greater", "less"))
            assert (y / n > high[0] + 1e-9) == (more < tail)
            assert (y / n < low[0] - 1e-9) == (less < tail)


def test_limits_narrow_as_more_is_said_and_meet_where_all_is_one_authors() -> None:
    n = np.arange(1.0, 301)
    low, high = chance_limits(187, 300, n, 0.95)
    assert (np.diff(high) <= 1e-9).all()
    assert (np.diff(low) >= -1e-9).all()
    assert (low[-1], high[-1]) == pytest.approx((187 / 300, 187 / 300))


@pytest.mark.parametrize("coverage", LIMITS)
@pytest.mark.parametrize(("total", "positives"), [(1_000_000, 300_000), (1_000_000, 5_000), (1_000_000, 995_000)])
def test_limits_of_large_departments_are_those_of_the_hypergeometric_tails(
    total: int, positives: int, coverage: float
) -> None:
    """The first count whose tail is rarer than half of what is left out lies beyond, the one before it within."""
    tail = (1 - coverage) / 2
    for n in (2_000, 20_000, 900_000):
        low, high = chance_limits(positives, total, np.array([float(n)]), coverage)
        chance = stats.hypergeom(total, positives, n)
        spread = int(8 * chance.std()) + 5
        y = np.arange(max(0, int(chance.mean()) - spread), min(n, positives, int(chance.mean()) + spread) + 1)
        above, below = y[chance.sf(y - 1) < tail], y[chance.cdf(y) < tail]
        assert (above.min() - 1) / n - 1e-9 <= high[0] < above.min() / n
        assert below.max() / n < low[0] <= (below.max() + 1) / n + 1e-9


def test_limits_of_a_small_share_are_those_of_a_known_rate() -> None:
    low, high = chance_limits(300_000, 1_000_000, np.array([200.0]), 0.95)
    drawn = np.random.default_rng(1).binomial(200, 0.3, 20_000) / 200
    assert np.mean((drawn >= low) & (drawn <= high)) == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("rate", [0, 1])
def test_certain_outcomes_have_no_limits_apart(rate: int) -> None:
    low, high = chance_limits(50 * rate, 50, np.array([3.0, 10.0, 50.0]), 0.95)
    assert low.tolist() == high.tolist() == [rate] * 3


@pytest.mark.parametrize("authors", [2, 3, 5, 12])
def test_false_alarms_are_as_rare_as_stated_however_few_the_authors(authors: int) -> None:
    """Departments of equal authors: outside the limits lie at most 5 in 100 and 2 in 1,000, and not far fewer."""
    rng = np.random.default_rng(authors)
    seen = {coverage: [] for coverage in LIMITS}
    for _ in range(1500 // authors):
        n = rng.integers(40, 400, authors)
        y = rng.binomial(n, rng.uniform(0.2, 0.8))
        for coverage, found in seen.items():
            found.extend(outside(y, n, coverage).tolist())
    inner, outer = (float(np.mean(found)) for found in seen.values())
    assert 0.02 <= inner <= 0.06
    assert outer <= 0.005


def test_one_of_few_who_differs_is_found_where_a_reference_that_holds_them_would_hide_it() -> None:
    """Two authors of 60 findings, confirmed in 40 % and 63 %: 23 points apart, but each 12 from the mean of both."""
    y, n = np.array([24, 38]), np.array([60, 60])
    assert outside(y, n, 0.95).all(), "each is compared with the other"
    rate = y.sum() / n.sum()
    assert stats.binom.cdf(24, 60, rate) > 0.025, "within limits around the mean as if it were known"
    found = []
    rng = np.random.default_rng(4)
    for _ in range(300):
        y = rng.binomial(120, [0.4, 0.6, 0.6])
        found.append(outside(y, np.full(3, 120), 0.95)[0])
    assert np.mean(found) > 0.9, "the power of Fisher's test of 120 against 240 is 0.94"


def test_who_is_inside_the_limits_is_drawn_inside() -> None:
    """The limits drawn are straight between the n at which they were worked out; theirs are among them."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        n = rng.integers(3, 90, size=6).astype(float)
        y = rng.binomial(n.astype(int), rng.choice([0.5, 0.6, 0.9], size=6)).astype(float)
        funnel, places = share_funnel(y, n)
        low, high = (np.interp(n, funnel.n, limit) for limit in (funnel.low_95, funnel.high_95))
        drawn_inside = (low <= y / n) & (y / n <= high)
        assert [place == "inside" for place in places] == drawn_inside.tolist()
        assert (funnel.of, funnel.outside) == (6, 6 - drawn_inside.sum())
