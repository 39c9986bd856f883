"""The joint solver: what its plans never do, that no move would improve them, and what it takes rates to be."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import binom, norm

from radcal.advise.joint import EFFORT, EFFORT_AGREEING, Guards, JointSolver
from radcal.advise.rates import posterior_rates
from radcal.advise.solve import order_violations
from radcal.lexicon.bins import bin_phrases
from radcal.lexicon.phrases import PLAIN_TOLERANCE
from radcal.records import Phrase


@st.composite
def cases(draw):
    """Words, counts and guards."""
    meanings = draw(st.lists(st.tuples(st.floats(0.02, 0.98), st.floats(1, 60)), min_size=1, max_size=7, unique=True))
    phrases = [Phrase(f"w{i}", m * c, (1 - m) * c, 0, 1) for i, (m, c) in enumerate(meanings)]
    phrases += [Phrase("absent", 0, 1, 0, 0), Phrase("present", 1, 0, 1, 1)]
    phrases = draw(st.permutations(phrases))
    size = len(phrases)
    n = np.array(draw(st.lists(st.integers(0, 80), min_size=size, max_size=size)), float)
    y = np.round(n * np.array(draw(st.lists(st.floats(0, 1), min_size=size, max_size=size))))
    mask = st.lists(st.booleans(), min_size=size, max_size=size)
    covered = (n >= 10) & np.array(draw(mask))
    allowed = np.array(draw(mask)) if draw(st.booleans()) else np.ones(size, bool)
    guards = Guards(covered, allowed, draw(st.integers(1, 9)), draw(st.floats(0, 1)))
    return phrases, n, y, guards


@settings(deadline=None, max_examples=150)
@given(cases())
def test_plans_keep_within_the_guards(case):
    phrases, n, y, guards = case
    bins = bin_phrases(phrases)
    plan = JointSolver(bins, guards).plans(n[None], y[None])[0]
    assert np.isin(plan, (0, 1)).all()
    np.testing.assert_array_equal(plan.sum(axis=1), 1)
    target = plan.argmax(axis=1)
    at = np.arange(len(phrases))
    changed = target != at
    assert not changed[~guards.covered].any()
    assert guards.allowed[target[changed]].all()
    step = np.unique(bins.mean, return_inverse=True)[1]
    assert (np.abs(step[target] - step) <= guards.max_steps).all()
    assert order_violations(plan, bins.mean, guards.covered) == 0
    assert not ((bins.mean == 0) & (bins.mean[target] == 1)).any()
    assert not ((bins.mean == 1) & (bins.mean[target] == 0)).any()
    sound = np.isin(bins.mean, (0, 1)) & (np.abs(y - n * bins.mean) <= PLAIN_TOLERANCE * n)
    assert not changed[sound].any()


@settings(deadline=None, max_examples=40)
@given(cases(), st.integers(0, 1000))
def test_the_order_of_the_lexicon_is_of_no_matter(case, seed):
    phrases, n, y, guards = case
    turn = np.random.default_rng(seed).permutation(len(phrases))
    plan = JointSolver(bin_phrases(phrases), guards).plans(n[None], y[None])[0]
    turned = Guards(guards.covered[turn], guards.allowed[turn], guards.max_steps, guards.information_price)
    other = JointSolver(bin_phrases([phrases[i] for i in turn]), turned).plans(n[turn][None], y[turn][None])[0]
    np.testing.assert_array_equal(other, plan[np.ix_(turn, turn)])


def _bits(n, y):
    """Mutual information of word and outcome, from the joint distribution."""
    joint = np.stack([y, n - y]) / n.sum()
    expected = joint.sum(axis=0) * joint.sum(axis=1, keepdims=True)
    at = joint > 1e-15
    return float((joint[at] * np.log2(joint[at] / expected[at])).sum())


def _objective(target, n, rate, variance, bins, price):
    """J as written in the module's head, on the bins as they are."""
    mu = n * rate @ bins.weight[target] - n @ bins.moment[target]
    var = (n**2 * variance + n * rate * (1 - rate)) @ bins.weight[target] ** 2
    plan = np.eye(len(n))[target]
    lost = _bits(n, n * rate) - _bits(n @ plan, n * rate @ plan)
    each = np.where(np.abs(rate - bins.mean) < np.sqrt(variance), EFFORT_AGREEING, EFFORT)
    effort = (n * each)[target != np.arange(len(n))].sum()
    return (np.sqrt(mu**2 + 2 / np.pi * var).sum() + effort) / n.sum() + price * lost


@pytest.mark.parametrize("seed", range(12))
def test_no_move_of_neighbouring_phrases_to_one_word_would_be_better(seed):
    rng = np.random.default_rng(seed)
    means = np.sort(rng.uniform(0.02, 0.98, 6))
    phrases = [Phrase(f"w{i}", m * 9, (1 - m) * 9, 0, 1) for i, m in enumerate(means)]
    bins = bin_phrases(phrases, 12)  # so few that the search sees them all
    n = rng.integers(5, 90, 6).astype(float)
    y = np.round(n * np.clip(0.5 + (means - 0.5) * rng.uniform(0.1, 1.5), 0, 1))
    everything = np.ones(6, bool)
    target = JointSolver(bins, Guards(everything, everything, 20, 0.1)).plans(n[None], y[None])[0].argmax(axis=1)
    rate, variance = posterior_rates(n, y, bins.mean)
    best = _objective(target, n, rate, variance, bins, 0.1)
    assert best <= _objective(np.arange(6), n, rate, variance, bins, 0.1)
    for first in range(6):
        for last in range(first, 6):
            for word in range(6):
                moved = target.copy()
                moved[first : last + 1] = word
                if (np.diff(moved) >= 0).all():
                    assert _objective(moved, n, rate, variance, bins, 0.1) >= best - 1e-9


def _shifted(seed):
    """Few words used of a narrow scale, by an author whose rates are shifted: all have to give way together."""
    rng = np.random.default_rng(seed)
    means = np.linspace(0.06, 0.94, 8)
    bins = bin_phrases([Phrase(f"w{i}", m * 40, (1 - m) * 40, 0, 1) for i, m in enumerate(means)], 12)
    n = np.zeros(8)
    n[rng.choice(8, 5, replace=False)] = rng.integers(15, 80, 5)
    return bins, n, np.round(n * np.clip(means + rng.normal(0, 0.12), 0.02, 0.98))


def test_plans_are_nearly_always_the_best_of_all_ordered_ones():
    """Against every ordered plan there is, 792 for each of 40 samples."""
    excess = []
    for seed in range(40):
        bins, n, y = _shifted(seed)
        used = n > 0
        solver = JointSolver(bins, Guards(used, np.ones(8, bool), 20, 0.1))
        target = solver.plans(n[None], y[None])[0].argmax(axis=1)
        rate, variance = posterior_rates(n, y, bins.mean)
        values = []
        for words in combinations_with_replacement(range(8), int(used.sum())):
            every = np.arange(8)
            every[used] = words
            values.append(_objective(every, n, rate, variance, bins, 0.1))
        excess.append(_objective(target, n, rate, variance, bins, 0.1) / min(values) - 1)
    assert min(excess) > -1e-9
    assert np.mean(np.array(excess) > 1e-9) <= 0.1
    assert np.mean(excess) < 0.01


def test_an_overstated_word_is_given_the_word_that_fits(lexicon):
    bins = bin_phrases(lexicon)
    names = [p.name for p in lexicon]
    n, y = np.zeros(len(names)), np.zeros(len(names))
    n[names.index("likely")], y[names.index("likely")] = 200, 88
    n[names.index("absent")] = 100
    everything = np.ones(len(names), bool)
    target = JointSolver(bins, Guards(n >= 10, everything, 12, 0.1)).plans(n[None], y[None])[0].argmax(axis=1)
    assert names[target[names.index("likely")]] == "may represent"
    assert names[target[names.index("absent")]] == "absent"


def test_a_high_price_of_information_keeps_words_apart(lexicon, draw):
    bins = bin_phrases(lexicon)
    n, y = draw(lexicon, 600, lambda m: 0.5 + (m - 0.5) / 2, seed=3)
    everything = np.ones(len(n), bool)

    def bits(price):
        plan = JointSolver(bins, Guards(n >= 10, everything, 20, price)).plans(n[None], y[None])[0]
        return _bits(n @ plan, y @ plan)

    assert bits(0.0) < bits(10.0) <= _bits(n, y) + 1e-12


def test_nothing_said_means_nothing_to_change(lexicon):
    bins = bin_phrases(lexicon)
    guards = Guards(np.ones(12, bool), np.ones(12, bool), 12, 0.1)
    np.testing.assert_array_equal(
        JointSolver(bins, guards).plans(np.zeros(12)[None], np.zeros(12)[None])[0], np.eye(12)
    )


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8))
def test_posterior_rates_lie_between_data_and_prior(rows):
    n = np.array([r[0] for r in rows], float)
    y = n * np.array([r[1] for r in rows])
    rate, variance = posterior_rates(n, y, np.array([r[2] for r in rows]))
    assert ((rate > 0) & (rate < 1)).all()
    assert (variance > 0).all()
    assert (variance <= 0.25).all()


def test_posterior_rates_shrink_small_samples_towards_the_order_of_words():
    mean = np.array([0.1, 0.5, 0.9])
    rate, variance = posterior_rates(np.array([100.0, 2.0, 100.0]), np.array([10.0, 0.0, 60.0]), mean)
    assert rate[0] == pytest.approx(0.1, abs=0.02)
    assert 0.05 < rate[1] < 0.3  # none of 2 says little
    assert variance[1] > 5 * variance[0]


@pytest.mark.parametrize(("mean", "meaning"), [(0.3, 0.3), (0.9, 0.9), (0.0, 0.03), (1.0, 0.97)])
def test_posterior_rates_of_one_phrase_are_those_of_quadrature(mean, meaning):
    """Deviations as they were found on simulated authors: shift 0.7, slope 0.4, curve 0.7, own 0.4."""
    centre = np.log(meaning / (1 - meaning))
    deviation = np.sqrt(0.7**2 + (0.4 * centre) ** 2 + 0.7**2 + 0.4**2)

    def weighed(power, n, y):
        def value(h):
            rate = 1 / (1 + np.exp(-h))
            return rate**power * binom.pmf(y, n, rate) * norm.pdf(h, centre, deviation)

        return quad(value, centre - 12, centre + 12, limit=200, points=[centre, np.log((y + 1) / (n - y + 1))])[0]

    for n, y in ((0, 0), (12, 9), (80, 10), (300, 290)):
        whole = weighed(0, n, y)
        expected = weighed(1, n, y) / whole
        rate, variance = posterior_rates(np.array([n]), np.array([y]), np.array([mean]))
        # Laplace's approximation is exact where nothing was said.
        close, alike = (0.02, 0.15) if n else (1e-4, 0.01)
        assert rate[0] == pytest.approx(expected, abs=close)
        assert variance[0] == pytest.approx(weighed(2, n, y) / whole - expected**2, rel=alike)


def test_posterior_rates_of_millions_that_contradict_their_words_are_the_shares():
    """On the way to their mode the log odds pass -709, beyond which exp overflows (draws found by search)."""
    rng = np.random.default_rng(55)
    mean = np.repeat([0.0, 1.0], 20)
    n = np.rint(rng.random((3, 40)) * 1e7)
    y = np.rint(n * rng.random((3, 40)))
    rate, variance = posterior_rates(n, y, mean)
    np.testing.assert_allclose(rate, y / n, rtol=0, atol=1e-3)
    assert (variance >= 0).all()
    assert (variance < 1e-4).all()


def test_posterior_rates_of_samples_side_by_side_are_those_of_each_alone(lexicon):
    rng = np.random.default_rng(4)
    mean = bin_phrases(lexicon).mean
    n = rng.integers(0, 200, (6, len(mean))).astype(float)
    y = np.round(n * rng.random(n.shape) ** 3)
    n[3], y[3] = 0, 0
    together = posterior_rates(n, y, mean)
    for i in range(len(n)):
        for both, alone in zip(together, posterior_rates(n[i], y[i], mean), strict=True):
            np.testing.assert_allclose(both[i], alone, rtol=0, atol=1e-9)


@pytest.mark.parametrize("habit", [lambda m: m, lambda m: 0.55 * m, lambda m: 0.5 + (m - 0.5) / 2, np.sqrt])
def test_posterior_rates_are_closer_to_the_truth_than_raw_ones(lexicon, habit):
    mean = bin_phrases(lexicon).mean
    rng = np.random.default_rng(8)
    truth = habit(mean)
    n = rng.multinomial(200, np.full(len(mean), 1 / len(mean)), size=200).astype(float)
    y = rng.binomial(n.astype(int), truth).astype(float)
    rate, variance = posterior_rates(n, y, mean)
    off = (n * (rate - truth) ** 2).sum()
    assert off < 0.6 * (n * (y / np.maximum(n, 1) - truth) ** 2).sum()
    # What the posterior says about its own error is about right.
    hedged = (mean > 0) & (mean < 1)
    assert 0.6 < ((rate - truth) ** 2)[:, hedged].mean() / variance[:, hedged].mean() < 1.6
