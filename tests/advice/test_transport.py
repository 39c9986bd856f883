"""Transport plans against the conditions that define them and against a linear programme."""

from __future__ import annotations

import warnings

import numpy as np
import ot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from radcal.advice.cost import cost_matrix
from radcal.advice.judge import resample
from radcal.advice.transport import ENTROPY, balanced_plan, semi_relaxed_plans
from radcal.system.errors import DataError, EngineError
from radcal.words.bins import bin_phrases


def semi_relaxed_plan(cost, use, target, tau2):
    (plan,) = semi_relaxed_plans(cost[None], use[None], target[None], tau2)
    return plan


def _objective(plan, cost, a, b, tau2):
    def kl(p, q):
        return float((np.where(p > 0, p * np.log(np.maximum(p, 1e-300) / q), 0) - p + q).sum())

    return (plan * cost).sum() + ENTROPY * kl(plan, a[:, None] * b) + tau2 * kl(plan.sum(axis=0), b)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from([1e-3, 1e-2, 0.1, 1.0, 10.0]), st.sampled_from([0.02, 0.3, 2.0]))
def test_semi_relaxed_plans_fulfil_the_conditions_of_the_optimum(seed, tau2, scale):
    rng = np.random.default_rng(seed)
    a, b = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(5))
    cost = scale * rng.uniform(-1, 1, (6, 5))
    plan = semi_relaxed_plan(cost, a, b, tau2)
    np.testing.assert_allclose(plan.sum(axis=1), a, atol=1e-6)
    # Stationarity: along a row the derivative of the objective is the same wherever there is mass.
    column = plan.sum(axis=0)
    for row, (mass, c) in enumerate(zip(plan, cost, strict=True)):
        at = mass > 1e-7
        slope = c[at] + ENTROPY * np.log(mass[at] / (a[row] * b[at])) + tau2 * np.log(column[at] / b[at])
        assert np.ptp(slope) < 1e-3 * max(1, tau2)
    # And no plan nearby with the same row sums is better.
    best = _objective(plan, cost, a, b, tau2)
    for _ in range(20):
        other = 0.9 * plan + 0.1 * a[:, None] * rng.dirichlet(np.ones(5), size=6)
        assert _objective(other, cost, a, b, tau2) > best


@pytest.mark.parametrize("entropy", [1e-4, 1e-2, 1.0])
def test_another_weight_of_the_entropy_has_its_own_optimum(entropy):
    """With 1e-4 the published iterations do not converge; started at Newton's potentials they do."""
    rng = np.random.default_rng(0)
    a, b, cost, tau2 = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(5)), 0.3 * rng.uniform(-1, 1, (6, 5)), 0.05
    (plan,) = semi_relaxed_plans(cost[None], a[None], b[None], tau2, entropy)
    np.testing.assert_allclose(plan.sum(axis=1), a, atol=1e-6)
    column = plan.sum(axis=0)
    for row, (mass, c) in enumerate(zip(plan, cost, strict=True)):
        at = mass > 1e-7
        slope = c[at] + entropy * np.log(mass[at] / (a[row] * b[at])) + tau2 * np.log(column[at] / b[at])
        assert np.ptp(slope) < 1e-3 * max(1, entropy)


def test_costs_far_beyond_the_regularisation_lose_no_mass():
    """Left to itself POT returns a plan with much of the mass missing here, without a warning."""
    a = np.array([0.3, 0.5, 0.2])
    cost = np.array([[0.0, 0.9, 0.4], [0.8, 0.0, -0.3], [0.5, 0.7, 0.0]])
    plan = semi_relaxed_plan(cost, a, a, 0.1)
    np.testing.assert_allclose(plan.sum(axis=1), a, atol=1e-9)
    # As the price of leaving b vanishes, every row goes to its cheapest word; as it grows, b is kept.
    free = semi_relaxed_plan(cost, a, a, 1e-3)
    np.testing.assert_array_equal(free.argmax(axis=1), cost.argmin(axis=1))
    tight = semi_relaxed_plan(cost, a, a, 10.0)
    np.testing.assert_allclose(tight.sum(axis=0), a, atol=0.02)


def test_words_without_use_are_left_out():
    cost = np.array([[0.0, 0.1, 0.2], [np.nan, np.nan, np.nan], [0.3, 0.1, 0.0]])
    plan = semi_relaxed_plan(cost, np.array([3.0, 0.0, 5.0]), np.array([3.0, 0.0, 5.0]), 0.1)
    assert (plan[1] == 0).all()
    assert (plan[:, 1] == 0).all()
    np.testing.assert_allclose(plan.sum(axis=1), [3 / 8, 0, 5 / 8], atol=1e-7)


def test_plans_of_real_cost_matrices_converge(lexicon, draw):
    bins = bin_phrases(lexicon)
    for seed in range(20):
        n, y = draw(lexicon, [40, 300, 3000][seed % 3], lambda m: 0.5 + (m - 0.5) / 2, seed, [0.3, 3][seed % 2])
        for tau2 in (1e-3, 1e-2, 0.1, 10.0):
            plan = semi_relaxed_plan(cost_matrix(n, y, bins), n, n, tau2)
            np.testing.assert_allclose(plan.sum(axis=1), n / n.sum(), atol=1e-6)


@pytest.mark.parametrize("tau2", [1e-3, 0.1, 10.0])
def test_plans_found_side_by_side_are_those_found_alone(lexicon, draw, tau2):
    bins = bin_phrases(lexicon)
    n, y = draw(lexicon, 120, lambda m: m**2, seed=3, spread=0.4)
    drawn = resample(np.stack([n - y, y], axis=1), 12, np.random.default_rng(0))
    uses, confirmed = drawn.sum(axis=2), drawn[:, :, 1]
    assert (uses == 0).any(), "words without use, different ones in each problem, are what could go wrong"
    costs = np.array([cost_matrix(a, b, bins) for a, b in zip(uses, confirmed, strict=True)])
    together = semi_relaxed_plans(costs, uses, uses, tau2)
    for plan, cost, use in zip(together, costs, uses, strict=True):
        np.testing.assert_allclose(plan, semi_relaxed_plan(cost, use, use, tau2), atol=1e-8)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000))
def test_balanced_plans_are_those_of_a_linear_programme(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 9, 5) + (np.arange(5) == 0), rng.integers(0, 9, 4) + (np.arange(4) == 0)
    cost = rng.normal(size=(5, 4))
    plan = balanced_plan(cost, a.astype(float), b.astype(float))
    equal = np.concatenate([np.kron(np.eye(5), np.ones(4)), np.kron(np.ones(5), np.eye(4))])
    best = linprog(cost.ravel(), A_eq=equal, b_eq=np.concatenate([a / a.sum(), b / b.sum()]))
    assert (plan * cost).sum() == pytest.approx(best.fun, abs=1e-9)
    np.testing.assert_allclose(plan.sum(axis=0), b / b.sum(), atol=1e-9)


SOLVERS = (lambda *p: semi_relaxed_plan(*p, 0.1), balanced_plan)


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize(
    ("cost", "use", "target", "message"),
    [
        ([[0.0, np.nan], [1.0, 0.0]], [1.0, 1.0], [1.0, 1.0], "cost"),
        ([[0.0, 1.0], [1.0, 0.0]], [-1.0, 1.0], [1.0, 1.0], "negative"),
        ([[0.0, 1.0], [1.0, 0.0]], [1.0, np.nan], [1.0, 1.0], "not a number"),
        ([[0.0, 1.0], [1.0, 0.0]], [1.0, 1.0], [0.0, 0.0], "target use of all words is 0"),
        ([[0.0, 1.0], [1.0, 0.0]], [0.0, 0.0], [1.0, 1.0], "nothing to transport"),
        ([[0.0, 1.0], [1.0, 0.0]], [1.0, 1.0, 1.0], [1.0, 1.0], "do not fit"),
    ],
)
def test_bad_input_is_refused(solve, cost, use, target, message):
    with pytest.raises(DataError, match=message):
        solve(np.array(cost), np.array(use), np.array(target))


@pytest.mark.parametrize("tau2", [0.0, -1.0, np.nan, np.inf])
def test_a_price_that_is_none_is_refused(tau2):
    with pytest.raises(DataError, match="tau2"):
        semi_relaxed_plan(np.zeros((2, 2)), np.ones(2), np.ones(2), tau2)


def _warning(*_args, **_kwargs):
    warnings.warn("did not converge.", stacklevel=2)


def test_a_warning_of_the_library_is_an_error(monkeypatch):
    monkeypatch.setattr(ot.unbalanced, "sinkhorn_unbalanced", _warning)
    monkeypatch.setattr(ot, "emd", _warning)
    for solve in SOLVERS:
        with pytest.raises(EngineError, match="did not converge"):
            solve(np.eye(2), np.ones(2), np.ones(2))


def test_a_plan_with_wrong_marginals_is_an_error(monkeypatch):
    half = np.full((2, 2), 0.2)
    monkeypatch.setattr(ot.unbalanced, "sinkhorn_unbalanced", lambda *_, **__: (half, {"logv": np.zeros(2)}))
    monkeypatch.setattr(ot, "emd", lambda *_: half)
    for solve, message in zip(SOLVERS, ("its marginals are off", "misses its marginals"), strict=True):
        with pytest.raises(EngineError, match=message):
            solve(np.eye(2), np.ones(2), np.ones(2))
