"""Recalibration maps against searches of another kind, and what must hold of each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from radcal.advice.numbers import histogram_binning, isotonic, platt
from radcal.lab.groups.methods import beta, scaling_binning

ALL = {
    "platt": platt,
    "beta": beta,
    "isotonic": isotonic,
    "histogram binning": lambda s, y, w=None: histogram_binning(s, y, 5, w),
    "scaling-binning": lambda s, y, w=None: scaling_binning(s, y, 5, w),
}


def made_up(n=4000, slope=0.5, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.02, 0.98, n)
    truth = 1 / (1 + np.exp(-slope * np.log(scores / (1 - scores))))
    return scores, (rng.random(n) < truth).astype(float), truth


@pytest.mark.parametrize("name", ALL)
def test_finds_the_truth_behind_overstated_certainties(name):
    scores, outcomes, truth = made_up()
    before = np.abs(scores - truth).mean()
    after = np.abs(ALL[name](scores, outcomes)(scores) - truth).mean()
    assert before > 0.09
    assert after < (0.06 if "binning" in name else 0.03)


@pytest.mark.parametrize("name", ALL)
def test_weights_are_repetitions(name):
    rng = np.random.default_rng(1)
    scores, outcomes = rng.random(40).round(1), rng.integers(0, 2, 40).astype(float)
    times = rng.integers(0, 4, 40)
    once = ALL[name](scores, outcomes, times.astype(float))
    again = ALL[name](np.repeat(scores, times), np.repeat(outcomes, times))
    assert once(scores) == pytest.approx(again(scores), abs=1e-5)


@pytest.mark.parametrize("name", ALL)
def test_fractional_outcomes_are_both_outcomes_in_part(name):
    scores = np.array([0.2, 0.4, 0.6, 0.8])
    share = np.array([0.1, 0.5, 0.4, 0.9])
    parts = ALL[name](np.repeat(scores, 2), np.tile([1.0, 0.0], 4), np.column_stack([share, 1 - share]).ravel() * 50)
    assert ALL[name](scores, share, np.full(4, 50.0))(scores) == pytest.approx(parts(scores), abs=1e-5)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_always_numbers_from_0_to_1(data):
    n = data.draw(st.integers(1, 30))
    scores = data.draw(arrays(np.float64, n, elements=st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0])))
    outcomes = data.draw(arrays(np.float64, n, elements=st.sampled_from([0.0, 0.3, 1.0])))
    new = np.linspace(0, 1, 11)
    for fit in ALL.values():
        made = fit(scores, outcomes)(new)
        assert made.shape == new.shape
        assert ((made >= 0) & (made <= 1)).all()


def test_platt_has_the_greatest_likelihood():
    scores, outcomes, _ = made_up(300)
    positives = outcomes.sum()
    target = np.where(outcomes == 1, (positives + 1) / (positives + 2), 1 / (300 - positives + 2))

    def loss(x):
        logit = x[0] * scores + x[1]
        return float(np.sum(np.logaddexp(0, logit) - target * logit))

    best = minimize(loss, [1.0, 0.0], tol=1e-10).x
    assert platt(scores, outcomes)(scores) == pytest.approx(1 / (1 + np.exp(-(scores * best[0] + best[1]))), abs=1e-4)


def test_beta_calibration_is_not_turned_round():
    scores, outcomes, _ = made_up(300)
    made = beta(scores, 1 - outcomes)(np.linspace(0, 1, 20))
    assert (np.diff(made) >= -1e-12).all()
    assert made == pytest.approx(1 - outcomes.mean())


def test_bins_have_equal_weight_and_hold_equal_scores_together():
    scores = np.repeat([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [10, 10, 10, 10, 10, 10]).astype(float)
    outcomes = np.repeat([0, 1, 0, 1, 1, 1], 10).astype(float)
    made = histogram_binning(scores, outcomes, 3)
    assert made(np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])).tolist() == [0.5, 0.5, 0.5, 0.5, 1, 1]
    assert histogram_binning(np.full(9, 0.7), np.repeat([0.0, 1.0], [3, 6]), 3)(np.array([0.0, 1.0])) == pytest.approx(
        2 / 3
    )
