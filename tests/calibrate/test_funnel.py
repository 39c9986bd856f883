from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from radcal import scoring
from radcal.calibrate.funnel import LIMITS, binomial_limits, rate_dispersion, score_chance, score_limits
from radcal.lexicon.bins import bin_phrases
from radcal.records import Phrase

PHRASES = (
    Phrase("unlikely", 2.0, 12.0, 0.05, 0.25),
    Phrase("may", 4.0, 4.6, 0.25, 0.75),
    Phrase("likely", 9, 2.8, 0.7, 0.9),
)


@pytest.mark.parametrize("rate", [0.03, 0.5, 0.9])
@pytest.mark.parametrize("coverage", LIMITS)
def test_limits_part_exactly_the_counts_that_chance_rarely_gives(rate: float, coverage: float) -> None:
    tail = (1 - coverage) / 2
    for n in (1, 2, 7, 21, 60, 400):
        low, high = binomial_limits(rate, np.array([float(n)]), coverage)
        for y in range(n + 1):
            assert (y / n > high[0] + 1e-9) == (stats.binom.sf(y - 1, n, rate) < tail)
            assert (y / n < low[0] - 1e-9) == (stats.binom.cdf(y, n, rate) < tail)


def test_limits_narrow_as_more_is_said_and_hold_what_they_say() -> None:
    n = np.geomspace(1, 2000, 50)
    low, high = binomial_limits(0.3, n, 0.95)
    assert (np.diff(high) <= 1e-9).all()
    assert (np.diff(low) >= -1e-9).all()
    drawn = np.random.default_rng(1).binomial(200, 0.3, 20_000) / 200
    inner = binomial_limits(0.3, np.array([200.0]), 0.95)
    assert np.mean((drawn >= inner[0]) & (drawn <= inner[1])) == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_certain_outcomes_have_no_limits_apart(rate: float) -> None:
    low, high = binomial_limits(rate, np.array([3.0, 10.0]), 0.95)
    assert low.tolist() == high.tolist() == [rate, rate]
    assert rate_dispersion(np.zeros(2), np.full(2, 9.0), rate, np.random.default_rng(0)).p_value == 1.0


def test_dispersion_is_one_by_chance_and_more_where_people_differ() -> None:
    rng = np.random.default_rng(2)
    n = rng.integers(20, 100, 60)
    by_chance = rate_dispersion(rng.binomial(n, 0.4).astype(float), n.astype(float), 0.4, rng)
    apart = rate_dispersion(rng.binomial(n, rng.beta(4, 6, 60)).astype(float), n.astype(float), 0.4, rng)
    assert 0.4 < by_chance.phi < 1.4
    assert by_chance.p_value > 0.02
    assert apart.phi > 2
    assert apart.p_value < 0.01


def test_p_values_of_chance_are_spread_evenly() -> None:
    rng = np.random.default_rng(9)
    n = np.full(12, 40)
    p = [rate_dispersion(rng.binomial(n, 0.3).astype(float), n.astype(float), 0.3, rng).p_value for _ in range(120)]
    assert stats.kstest(p, "uniform").pvalue > 0.01


def test_score_limits_hold_authors_who_differ_by_chance() -> None:
    bins = bin_phrases(PHRASES)
    mix, rate = np.array([0.3, 0.3, 0.4]), np.array([0.1, 0.5, 0.5])
    rng = np.random.default_rng(3)
    sizes = np.rint(np.geomspace(15, 400, 14))
    funnel = score_limits(mix, rate, bins, sizes, rng)
    assert (np.diff(funnel.high[0] - funnel.low[0]) < 0).all(), "limits narrow as more is said"
    for i, outer in ((0, 0.95), (1, 0.998)):
        said = rng.multinomial(80, mix, 6000)
        scores = scoring.ece_star(said.astype(float), rng.binomial(said, rate).astype(float), bins)
        low, high = np.interp(80, sizes, funnel.low[i]), np.interp(80, sizes, funnel.high[i])
        beyond = scores - scores.mean()
        assert np.mean((beyond >= low) & (beyond <= high)) == pytest.approx(outer, abs=0.012)
    own = score_chance(np.array([24.0, 24.0, 32.0]), rate, bins, rng)
    assert own == pytest.approx(scores.mean(), abs=0.01)
    assert score_chance(np.array([240.0, 240.0, 320.0]), rate, bins, rng) < own, "ECE falls with n by itself"
