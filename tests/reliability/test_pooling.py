"""Partial pooling: against simulation, and against an integration done another way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from radcal.reliability.pooling import log_likelihood, maximum_likelihood, most_likely_means, pool_means, pool_rates
from radcal.system.errors import DataError

Array = NDArray[np.float64]


def _integrated(y: Array, n: Array, i: int) -> tuple[float, float]:
    """Posterior mean of author i and P(theta_i < 0.3), by summing over a plain grid of (mu, shrinkage)."""
    mu = (np.arange(400) + 0.5) / 400
    shrinkage = (np.arange(400) + 0.5) / 400
    s = np.median(n[n > 0]) * shrinkage / (1 - shrinkage)
    m, s = np.meshgrid(mu, s)
    likelihood = np.ones_like(m)
    for yes, said in zip(y, n, strict=True):
        likelihood *= stats.betabinom.pmf(yes, said, m * s, (1 - m) * s)
    weight = likelihood / likelihood.sum()
    a, b = y[i] + m * s, n[i] - y[i] + (1 - m) * s
    return float((weight * a / (a + b)).sum()), float((weight * stats.beta.cdf(0.3, a, b)).sum())


@pytest.mark.parametrize(
    ("y", "n"),
    [
        ([3.0, 9.0, 2.0], [10.0, 12.0, 20.0]),
        ([0.0, 0.0, 1.0, 4.0], [6.0, 15.0, 9.0, 30.0]),
        ([5.0, 5.0], [10.0, 10.0]),
    ],
)
def test_posterior_is_that_of_a_plain_grid(y: list[float], n: list[float]) -> None:
    pooled = pool_rates(np.array(y), np.array(n))
    for i in range(len(y)):
        mean, _ = _integrated(np.array(y), np.array(n), i)
        assert pooled.value[i] == pytest.approx(mean, abs=0.004)
    # At the confidence whose lower end is 0.3, the grid has that share below 0.3.
    _, below = _integrated(np.array(y), np.array(n), 0)
    if 0.01 < below < 0.45:
        assert pool_rates(np.array(y), np.array(n), confidence=1 - 2 * below).low[0] == pytest.approx(0.3, abs=0.006)


def test_likelihood_is_that_of_the_beta_binomial() -> None:
    y, n = np.array([3.0, 0.0, 7.0]), np.array([10.0, 4.0, 7.0])
    coefficients = sum(math.log(math.comb(int(b), int(a))) for a, b in zip(y, n, strict=True))
    for mu, s in ((0.2, 3.0), (0.7, 0.4), (0.5, 1e5)):
        exact = stats.betabinom.logpmf(y, n, mu * s, (1 - mu) * s).sum()
        assert log_likelihood(np.array(mu), np.array(s), y, n) + coefficients == pytest.approx(exact, abs=1e-6)


def test_maximum_is_higher_than_everything_around_it() -> None:
    rng = np.random.default_rng(4)
    n = rng.integers(10, 80, 25).astype(float)
    y = rng.binomial(n.astype(int), rng.beta(3, 5, 25)).astype(float)
    mu, s = maximum_likelihood(y, n)
    best = log_likelihood(np.array(mu), np.array(s), y, n)
    grid_mu, grid_s = np.meshgrid(np.linspace(0.02, 0.98, 97), np.geomspace(0.1, 1e4, 120))
    assert best >= log_likelihood(grid_mu, grid_s, y, n).max()


@pytest.mark.slow
def test_simulated_departments_are_recovered() -> None:
    """Over many departments, mu and s are about right, and intervals hold the truth about as often as they say."""
    rng = np.random.default_rng(11)
    found, held, total = [], 0, 0
    for _ in range(12):
        truth = rng.beta(0.4 * 12, 0.6 * 12, 40)
        n = rng.integers(8, 90, 40)
        pooled = pool_rates(y := rng.binomial(n, truth).astype(float), n.astype(float))
        found.append(maximum_likelihood(y, n.astype(float)))
        held += int(((pooled.low < truth) & (truth < pooled.high)).sum())
        total += len(truth)
    assert np.mean([mu for mu, _ in found]) == pytest.approx(0.4, abs=0.02)
    assert np.median([s for _, s in found]) == pytest.approx(12, rel=0.25)
    assert held / total == pytest.approx(0.95, abs=0.025)


def test_pooled_values_are_nearer_to_the_truth_than_raw_rates() -> None:
    rng = np.random.default_rng(3)
    raw = pooled = 0.0
    for _ in range(6):
        truth, n = rng.beta(8, 8, 30), rng.integers(4, 30, 30)
        y = rng.binomial(n, truth)
        raw += float(np.square(y / n - truth).sum())
        pooled += float(np.square(pool_rates(y.astype(float), n.astype(float)).value - truth).sum())
    assert pooled < 0.7 * raw


def test_many_authors_give_the_posterior_at_the_maximum() -> None:
    rng = np.random.default_rng(8)
    n = rng.integers(20, 60, 300).astype(float)
    y = rng.binomial(n.astype(int), rng.beta(6, 10, 300)).astype(float)
    mu, s = maximum_likelihood(y, n)
    pooled = pool_rates(y, n)
    plugged_in = (y + mu * s) / (n + s)
    assert np.abs(pooled.value - plugged_in).max() < 0.01
    assert np.abs(pooled.low - stats.beta.ppf(0.025, y + mu * s, n - y + (1 - mu) * s)).max() < 0.02


def test_equal_rates_are_alike() -> None:
    pooled = pool_rates(np.array([5.0, 10.0, 20.0]), np.array([10.0, 20.0, 40.0]))
    assert pooled.alike
    assert pooled.mean == pytest.approx(0.5)
    assert (pooled.high - pooled.low > 0.1).all(), "of three authors, one may still be different"


def test_all_or_nothing_authors_differ() -> None:
    y, n = np.array([0.0, 40.0, 0.0, 40.0]), np.full(4, 40.0)
    assert maximum_likelihood(y, n)[1] < 0.1
    pooled = pool_rates(y, n)
    assert not pooled.alike
    np.testing.assert_allclose(pooled.value, y / n, atol=0.02)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_nothing_or_everything_confirmed(rate: float) -> None:
    n = np.array([3.0, 12.0, 1.0])
    pooled = pool_rates(rate * n, n)
    assert pooled.alike
    assert pooled.mean == rate
    assert pooled.mean_low <= rate <= pooled.mean_high
    assert ((pooled.value > 0) & (pooled.value < 1)).all()


def test_single_statements_show_no_spread() -> None:
    mu, s = maximum_likelihood(np.array([1.0, 0.0, 1.0, 1.0]), np.ones(4))
    assert mu == pytest.approx(0.75)
    assert math.isinf(s)


def test_an_author_who_said_nothing_is_like_a_new_one() -> None:
    pooled = pool_rates(np.array([3.0, 9.0, 0.0]), np.array([10.0, 12.0, 0.0]))
    assert (pooled.low[2], pooled.high[2]) == (pooled.spread_low, pooled.spread_high)


def test_authors_who_said_nothing_change_nothing_for_the_others() -> None:
    """They carry no information: all is as without them, and they have what is known of somebody new."""
    y, n = np.array([3.0, 0.0, 9.0, 0.0, 0.0, 5.0]), np.array([10.0, 0.0, 12.0, 0.0, 0.0, 30.0])
    spoke = n > 0
    pooled, without = pool_rates(y, n), pool_rates(y[spoke], n[spoke])
    for name in ("value", "low", "high"):
        np.testing.assert_allclose(getattr(pooled, name)[spoke], getattr(without, name), atol=1e-6)
    for name in ("mean", "mean_low", "mean_high", "spread_low", "spread_high"):
        assert getattr(pooled, name) == pytest.approx(getattr(without, name), abs=1e-6)
    mean, below = _integrated(y, n, 1)
    np.testing.assert_allclose(pooled.value[~spoke], mean, atol=0.004)
    assert pool_rates(y, n, confidence=1 - 2 * below).low[1] == pytest.approx(0.3, abs=0.006)


@pytest.mark.parametrize("n", [[], [5.0], [5.0, 0.0]])
def test_one_author_cannot_be_pooled(n: list[float]) -> None:
    with pytest.raises(DataError, match="2 radiologists"):
        pool_rates(np.zeros(len(n)), np.array(n))


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=2, max_size=8))
def test_order_and_mirror_images_change_nothing(counts: list[tuple[int, int]]) -> None:
    y = np.array([a for a, _ in counts], dtype=float)
    n = y + np.array([b + 1 for _, b in counts], dtype=float)
    pooled, mirrored, turned = pool_rates(y, n), pool_rates(n - y, n), pool_rates(y[::-1], n[::-1])
    np.testing.assert_allclose(pooled.value, 1 - mirrored.value, atol=2e-3)
    np.testing.assert_allclose(pooled.value, turned.value[::-1], atol=1e-6)
    assert (pooled.low <= pooled.value).all()
    assert (pooled.value <= pooled.high).all()
    assert pooled.mean_low <= pooled.mean <= pooled.mean_high
    # Every value lies between the author's own rate and where the others are.
    assert pooled.value.min() >= min((y / n).min(), pooled.mean_low) - 1e-9
    assert pooled.value.max() <= max((y / n).max(), pooled.mean_high) + 1e-9


def test_means_are_pooled_as_by_numeric_integration() -> None:
    """Each author, the mean of all and somebody new: their shares below any value, by summing over a plain grid."""
    x, error = np.array([0.10, 0.25, 0.14]), np.array([0.02, 0.05, 0.03])
    v0 = float(np.median(error**2))

    shrinkage, mu = np.meshgrid((np.arange(400) + 0.5) / 400, np.linspace(-2, 2.5, 1801))
    tau2 = v0 * (1 - shrinkage) / shrinkage
    weight = np.ones_like(mu)
    for value, own in zip(x, error, strict=True):
        weight *= stats.norm.pdf(value, mu, np.sqrt(own**2 + tau2))
    weight /= weight.sum()
    pooled = pool_means(x, error)
    for i, (value, own) in enumerate(zip(x, error, strict=True)):
        centre = (value * tau2 + mu * own**2) / (tau2 + own**2)
        width = np.sqrt(tau2 * own**2 / (tau2 + own**2))
        assert pooled.value[i] == pytest.approx((weight * centre).sum(), abs=0.002)
        for end, share in ((pooled.low[i], 0.025), (pooled.high[i], 0.975)):
            assert (weight * stats.norm.cdf(end, centre, width)).sum() == pytest.approx(share, abs=0.004)
    for low, high, width in (
        (pooled.mean_low, pooled.mean_high, 1e-3),
        (pooled.spread_low, pooled.spread_high, np.sqrt(tau2)),
    ):
        assert (weight * stats.norm.cdf(low, mu, width)).sum() == pytest.approx(0.025, abs=0.004)
        assert (weight * stats.norm.cdf(high, mu, width)).sum() == pytest.approx(0.975, abs=0.004)


def test_pooled_means_recover_a_simulated_spread() -> None:
    rng = np.random.default_rng(5)
    truth = rng.normal(0.15, 0.04, 200)
    error = rng.uniform(0.01, 0.06, 200)
    x = rng.normal(truth, error)
    mu, tau = most_likely_means(x, error**2)
    pooled = pool_means(x, error)
    assert mu == pytest.approx(0.15, abs=0.01)
    assert tau == pytest.approx(0.04, abs=0.008)
    assert np.mean((pooled.low < truth) & (truth < pooled.high)) == pytest.approx(0.95, abs=0.04)
    assert pool_means(np.full(3, 0.1), np.full(3, 0.02)).alike
    assert (pool_means(np.array([0.0, 0.01]), np.array([0.05, 0.05]), least=0.0).low == 0).all()
