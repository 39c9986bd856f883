"""Posterior rates: between data and prior, as quadrature has them, and nearer to the truth than raw ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import binom, norm

from radcal.advice.rates import (
    PRIORS,
    REACH,
    SHIFT,
    SLOPE,
    Covariance,
    _along_the_scale,
    _rate,
    at_mode,
    posterior_rates,
)
from radcal.words.bins import bin_phrases


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8))
def test_posterior_rates_are_proper(rows):
    n = np.array([r[0] for r in rows], float)
    y = n * np.array([r[1] for r in rows])
    found = posterior_rates(n, y, np.array([r[2] for r in rows]))
    assert found.weight.sum() == pytest.approx(1)
    assert ((found.mean > 0) & (found.mean < 1)).all()
    assert ((found.spread > 0) & (found.spread <= 0.25)).all()
    above = found.above(np.tile(np.linspace(0, 1, 6), (len(n), 1)), np.arange(len(n))[:, None])
    assert (np.diff(above, axis=1) <= 1e-12).all()
    np.testing.assert_allclose(above[:, [0, -1]], np.tile([1.0, 0.0], (len(n), 1)))


def test_posterior_rates_shrink_small_samples_towards_the_order_of_words():
    mean = np.array([0.1, 0.5, 0.9])
    found = posterior_rates(np.array([100.0, 2.0, 100.0]), np.array([10.0, 0.0, 60.0]), mean)
    assert found.mean[0] == pytest.approx(0.1, abs=0.02)
    assert 0.05 < found.mean[1] < 0.4  # none of 2 says little
    assert (found.spread[:, 1] > 3 * found.spread[:, 0]).all()


@pytest.mark.parametrize(("mean", "meaning"), [(0.3, 0.3), (0.9, 0.9), (0.0, 0.03), (1.0, 0.97)])
def test_posterior_rates_of_one_phrase_are_those_of_quadrature(mean, meaning):
    centre = np.log(meaning / (1 - meaning))
    deviations = [np.sqrt(SHIFT**2 + (SLOPE * centre) ** 2 + curve**2 + own**2) for curve, own in PRIORS]

    def weighed(value, n, y):
        def at(h):
            rate = 1 / (1 + np.exp(-h))
            prior = sum(norm.pdf(h, centre, deviation) for deviation in deviations) / len(deviations)
            return value(rate) * binom.pmf(y, n, rate) * prior

        peak = np.log((y + 0.5) / (n - y + 0.5))
        return quad(at, centre - 15, centre + 15, limit=400, points=sorted({centre, peak, np.log(0.4 / 0.6)}))[0]

    for n, y in ((0, 0), (12, 9), (80, 10), (300, 290)):
        whole = weighed(lambda _: 1.0, n, y)
        found = posterior_rates(np.array([float(n)]), np.array([float(y)]), np.array([mean]))
        # Laplace's approximation is exact where nothing was said.
        close = 0.025 if n else 1e-3
        assert found.mean[0] == pytest.approx(weighed(lambda r: r, n, y) / whole, abs=close)
        expected = weighed(lambda r: float(r > 0.4), n, y) / whole
        assert found.above(np.array([0.4]), np.array([0]))[0] == pytest.approx(expected, abs=0.05)


def test_posterior_rates_of_millions_that_contradict_their_words_are_the_shares():
    """On the way to their mode the log odds pass -709, beyond which exp overflows (draws found by search)."""
    rng = np.random.default_rng(55)
    mean = np.repeat([0.0, 1.0], 20)
    n = np.rint(rng.random((3, 40)) * 1e7)
    y = np.rint(n * rng.random((3, 40)))
    found = posterior_rates(n, y, mean)
    np.testing.assert_allclose(found.mean, y / n, rtol=0, atol=2e-3)
    assert np.isfinite(found.weight).all()
    assert _rate(np.array([-1e5, -710.0, 0.0, 1e5])).tolist() == pytest.approx([0, 0, 0.5, 1])


def test_posterior_rates_of_samples_side_by_side_are_those_of_each_alone(lexicon):
    rng = np.random.default_rng(4)
    mean = bin_phrases(lexicon).mean
    n = rng.integers(0, 200, (6, len(mean))).astype(float)
    y = np.round(n * rng.random(n.shape) ** 3)
    n[3], y[3] = 0, 0
    together = posterior_rates(n, y, mean)
    for i in range(len(n)):
        alone = posterior_rates(n[i], y[i], mean)
        np.testing.assert_allclose(together.mean[i], alone.mean, rtol=0, atol=1e-8)
        np.testing.assert_allclose(together.spread[:, i], alone.spread, rtol=0, atol=1e-8)
        np.testing.assert_allclose(together.weight[:, i], alone.weight, rtol=0, atol=1e-8)


def test_authors_on_one_line_and_authors_with_habits_are_told_apart(lexicon):
    """The rough prior is more probable where words deviate each its own way, the smooth one for a common shift."""
    mean = np.clip(bin_phrases(lexicon).mean, 0.03, 0.97)
    n = np.full((2, len(mean)), 200.0)
    odds = np.log(mean / (1 - mean))
    up_and_down = 0.8 * (-1.0) ** np.argsort(np.argsort(mean))
    found = posterior_rates(n, n / (1 + np.exp(-odds - np.stack([np.full(len(mean), 0.8), up_and_down]))), mean)
    rough = found.weight[int(np.argmax([curve for curve, _ in PRIORS]))]
    assert rough[0] < 0.3
    assert rough[1] > 0.9


@pytest.mark.parametrize("habit", [lambda m: m, lambda m: 0.55 * m, lambda m: 0.5 + (m - 0.5) / 2, np.sqrt])
def test_posterior_rates_are_closer_to_the_truth_than_raw_ones(lexicon, habit):
    mean = bin_phrases(lexicon).mean
    rng = np.random.default_rng(8)
    truth = habit(mean)
    n = rng.multinomial(200, np.full(len(mean), 1 / len(mean)), size=200).astype(float)
    y = rng.binomial(n.astype(int), truth).astype(float)
    found = posterior_rates(n, y, mean)
    off = (n * (found.mean - truth) ** 2).sum()
    assert off < 0.6 * (n * (y / np.maximum(n, 1) - truth) ** 2).sum()


def test_a_covariance_of_few_directions_is_the_one_of_the_formula():
    """Against dense matrices, for words without a use, too."""
    rng = np.random.default_rng(2)
    m = np.sort(rng.uniform(0.03, 0.97, 40))
    near = _along_the_scale(m)
    dense = np.exp(-((m[:, None] - m) ** 2) / (2 * REACH**2))
    np.testing.assert_allclose(near @ near.T, dense, atol=1e-9)
    assert near.shape[1] < 20
    cov, whole = Covariance(near, 0.3), dense + 0.09 * np.eye(40)
    weight, v = rng.uniform(0, 30, (2, 40)) * (rng.random((2, 40)) < 0.7), rng.normal(size=(2, 40))
    variance, volume = cov.left(weight)
    for b in range(2):
        used = weight[b] > 0
        inner = np.linalg.inv(np.diag(1 / weight[b][used]) + whole[np.ix_(used, used)])
        expected = np.zeros(40)
        expected[used] = inner @ v[b][used]
        np.testing.assert_allclose(cov.shrunk(weight, v)[b], expected, atol=1e-6)
        np.testing.assert_allclose(cov.times(v)[b], whole @ v[b], atol=1e-8)
        left = whole - whole[:, used] @ inner @ whole[used]
        np.testing.assert_allclose(variance[b], np.diag(left), atol=1e-7)
        assert volume[b] == pytest.approx(np.linalg.slogdet(np.eye(40) + weight[b] * whole)[1], abs=1e-6)


def test_posterior_rates_are_those_of_the_constants_of_the_method():
    """A change of any constant changes what authors are told: these figures change knowingly or not at all."""
    said, confirmed, meant = np.array([[12.0, 40.0, 0.0, 25.0], [5.0, 28.0, 0.0, 23.0], [0.3, 0.75, 0.5, 1.0]])
    found = posterior_rates(said, confirmed, meant)
    np.testing.assert_allclose(found.mean, [0.39904763, 0.6985953, 0.52968053, 0.9113593], rtol=1e-6)
    np.testing.assert_allclose(found.weight, [0.34030212, 0.65969788], rtol=1e-6)
    spread = [[0.01454302, 0.00447244, 0.02788394, 0.00331049], [0.01119774, 0.00331915, 0.00775531, 0.00245725]]
    np.testing.assert_allclose(found.spread, spread, rtol=1e-5)


def test_at_its_mode_a_posterior_has_no_slope():
    """There the likelihood pulls as hard as the prior: C (y - n r) = f."""
    rng = np.random.default_rng(3)
    m = np.sort(rng.uniform(0.05, 0.95, 12))
    x, cov = np.log(m / (1 - m)), Covariance(_along_the_scale(m), 0.3)
    n = rng.integers(0, 60, (4, 12)).astype(float)
    y = np.round(n * rng.random(n.shape))
    f, curvature, slope, log_likelihood = at_mode(n, y, x, cov)
    rate = 1 / (1 + np.exp(-x - f))
    np.testing.assert_allclose(slope, y - n * rate)
    np.testing.assert_allclose(curvature, n * rate * (1 - rate))
    np.testing.assert_allclose(log_likelihood, (y * np.log(rate) + (n - y) * np.log(1 - rate)).sum(axis=1))
    np.testing.assert_allclose(cov.times(slope), f, atol=1e-5)


def test_words_that_nobody_said_change_nothing_for_the_others():
    mean = np.linspace(0.02, 0.98, 30)
    n = np.zeros(30)
    n[::3] = 25
    found = posterior_rates(n, n * mean**2, mean)
    alone = posterior_rates(n[::3], (n * mean**2)[::3], mean[::3])
    np.testing.assert_allclose(found.mean[::3], alone.mean, atol=1e-7)
    np.testing.assert_allclose(found.weight, alone.weight, atol=1e-6)
