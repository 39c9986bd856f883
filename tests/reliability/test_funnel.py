from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from radcal.reliability import scoring
from radcal.reliability.funnel import (
    LIMITS,
    Dispersion,
    Together,
    chance_limits,
    rate_dispersion,
    score_chance,
    score_limits,
)
from radcal.words.bins import bin_phrases
from radcal.words.records import Phrase

PHRASES = (
    Phrase("unlikely", 2.0, 12.0, 0.05, 0.25),
    Phrase("may", 4.0, 4.6, 0.25, 0.75),
    Phrase("likely", 9, 2.8, 0.7, 0.9),
)
BINS = bin_phrases(PHRASES)


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
    n = np.full(2, 9.0)
    assert rate_dispersion(rate * n, n, np.random.default_rng(0)) == Dispersion(phi=0.0, p_value=1.0)


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


def test_dispersion_is_the_mean_square_distance_with_the_extreme_tenths_drawn_in() -> None:
    """Of 21 authors the two lowest and the two highest count as the third; errors of a hypergeometric, in a loop."""
    rng = np.random.default_rng(8)
    n, y = rng.integers(20, 90, 21), np.zeros(21)
    y[:] = rng.binomial(n, rng.beta(3, 5, 21))
    total, positives = int(n.sum()), int(y.sum())
    z = sorted(
        (own - size * positives / total) / stats.hypergeom(total, positives, size).std()
        for own, size in zip(y, n.tolist(), strict=True)
    )
    expected = sum(min(max(value, z[2]), z[18]) ** 2 for value in z) / 21
    assert rate_dispersion(y, n.astype(float), rng).phi == pytest.approx(expected)


@pytest.mark.parametrize(("points", "smooth"), [(9, False), (10, True)])
def test_score_limits_are_smoothed_from_ten_points_on(points: int, smooth: bool) -> None:
    said = np.array([300, 300, 400])
    sizes = np.rint(np.linspace(30, 900, points))
    together = Together.of(said.astype(float), said * 0.4, BINS)
    funnel = score_limits(together, sizes, np.random.default_rng(3))
    spread = np.sqrt(1 / sizes - 1 / 1000)
    powers = np.stack([spread, spread**2, spread**3], axis=1)
    for ends in (*funnel.low, *funnel.high):
        off = ends - powers @ np.linalg.lstsq(powers, ends, rcond=None)[0]
        assert (np.abs(off).max() < 1e-9) == smooth


def test_score_limits_are_smoothed_by_least_squares() -> None:
    """The same deals, fewer than ten sizes at a time, give the limits before they are smoothed."""
    said = np.array([300, 300, 400])
    sizes = np.rint(np.linspace(30, 900, 12))
    together = Together.of(said.astype(float), said * 0.4, BINS)
    smooth, rng = score_limits(together, sizes, np.random.default_rng(3)), np.random.default_rng(3)
    parts = [score_limits(together, part, rng) for part in (sizes[:6], sizes[6:])]
    spread = np.sqrt(1 / sizes - 1 / 1000)
    for name in ("low", "high"):
        for i in range(len(LIMITS)):
            raw = np.concatenate([getattr(part, name)[i] for part in parts])
            linear, square, cube = np.linalg.solve(
                [[(spread ** (a + b)).sum() for b in (1, 2, 3)] for a in (1, 2, 3)],
                [(spread**a * raw).sum() for a in (1, 2, 3)],
            )
            fitted = linear * spread + square * spread**2 + cube * spread**3
            assert getattr(smooth, name)[i] == pytest.approx(fitted, abs=1e-7)


def test_dispersion_is_one_by_chance_and_more_where_people_differ() -> None:
    rng = np.random.default_rng(2)
    n = rng.integers(20, 100, 60)
    by_chance = rate_dispersion(rng.binomial(n, 0.4).astype(float), n.astype(float), rng)
    apart = rate_dispersion(rng.binomial(n, rng.beta(4, 6, 60)).astype(float), n.astype(float), rng)
    assert 0.4 < by_chance.phi < 1.4
    assert by_chance.p_value > 0.02
    assert apart.phi > 2
    assert apart.p_value < 0.01


@pytest.mark.parametrize("authors", [3, 12])
def test_p_values_of_chance_are_spread_evenly(authors: int) -> None:
    rng = np.random.default_rng(9)
    n = np.linspace(40, 90, authors).round()
    p = [rate_dispersion(rng.binomial(n.astype(int), 0.3).astype(float), n, rng).p_value for _ in range(150)]
    assert stats.kstest(p, "uniform").pvalue > 0.01


def test_score_limits_hold_authors_to_whom_findings_are_dealt_by_chance() -> None:
    said, confirmed = np.array([300, 300, 400]), np.array([30, 150, 200])
    together = Together.of(said.astype(float), confirmed.astype(float), BINS)
    rng = np.random.default_rng(3)
    sizes = np.rint(np.geomspace(15, 1000, 14))
    funnel = score_limits(together, sizes, rng)
    assert (np.diff(funnel.high[0] - funnel.low[0]) < 0).all(), "limits narrow as more is said"
    assert [ends[-1] for pair in (funnel.low, funnel.high) for ends in pair] == pytest.approx([0] * 4, abs=1e-12)
    # One finding after the other, shuffled: another way to deal them out.
    words = np.repeat(np.arange(3), said)
    outcome = np.concatenate([np.arange(n) < y for n, y in zip(said, confirmed, strict=True)])
    for size in (80, 500):
        hands = [rng.permutation(len(words))[:size] for _ in range(4000)]
        own = np.array([np.bincount(words[h], minlength=3) for h in hands], dtype=float)
        yes = np.array([np.bincount(words[h], outcome[h], minlength=3) for h in hands])
        beyond = scoring.word_error(own, yes, BINS)
        mean = beyond.mean()
        for i, coverage in enumerate(LIMITS):
            low, high = np.interp(size, sizes, funnel.low[i]), np.interp(size, sizes, funnel.high[i])
            assert np.mean((beyond - mean >= low) & (beyond - mean <= high)) == pytest.approx(coverage, abs=0.015)
        assert score_chance(said * size / 1000, together, rng) == pytest.approx(mean, abs=0.01)
    assert score_chance(said * 0.5, together, rng) < score_chance(said * 0.1, together, rng), (
        "the word error falls with n"
    )
    all_of_it = float(scoring.word_error(said.astype(float), confirmed.astype(float), BINS))
    assert score_chance(said.astype(float), together, rng) == pytest.approx(all_of_it), "nothing is left to chance"


def test_scores_of_equal_authors_rarely_lie_outside() -> None:
    rng = np.random.default_rng(7)
    found = []
    for _ in range(30):
        n = rng.integers(40, 200, 3)
        said = np.array([rng.multinomial(size, [0.3, 0.3, 0.4]) for size in n])
        yes = rng.binomial(said, [0.1, 0.5, 0.5])
        together = Together.of(said.sum(axis=0).astype(float), yes.sum(axis=0).astype(float), BINS)
        at = np.unique(np.rint(np.geomspace(30, n.max(), 10)))
        funnel = score_limits(together, at, rng)
        for own, y, size in zip(said.astype(float), yes.astype(float), n, strict=True):
            beyond = float(scoring.word_error(own, y, BINS)) - score_chance(own, together, rng)
            found.append(not np.interp(size, at, funnel.low[0]) <= beyond <= np.interp(size, at, funnel.high[0]))
    assert np.mean(found) <= 0.1, "5 in 100, give or take the error of 90"


def test_departments_as_far_apart_as_this_one_count_half() -> None:
    """Of two who said one thing each, one confirmed, every deal leaves them as far apart as they are."""
    for y in ([1.0, 0.0], [0.0, 1.0]):
        assert rate_dispersion(np.array(y), np.ones(2), np.random.default_rng(0)).p_value == 0.5
