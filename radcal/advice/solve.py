"""A common interface to the solvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.cost import cost_matrix
from radcal.advice.ordered import Guards, OrderedSolver
from radcal.advice.transport import balanced_plan, semi_relaxed_plans
from radcal.system.progress import SILENT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.advice.ordered import Truth
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings
    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]
    Mask = NDArray[np.bool_]

Solver = Callable[["Array", "Array"], "Array"]
"""From n, y (B, K) of B samples to (B, K, K) plans: row k holds the shares of phrase k to be reworded as each word, and
adds to 1; phrases with too few uses in the sample stay."""
_LEAST_SHARE = 1e-3
"""Smaller shares are residue of the regularisation and are dropped."""


def make_solver(
    bins: PhraseBins,
    guards: Guards,
    settings: Settings,
    target: Array | None = None,
    progress: Progress = SILENT,
    truth: Truth | None = None,
) -> Solver:
    """The solver of the settings, or the exact transport to a target use of words.

    Args:
        bins: the K words.
        guards: of the ordered plan; the others know only its fewest uses.
        settings: solver, tau2.
        target: (K,) target use of the words on any scale, or None.
        progress: asked by the solver now and then whether to stop.
        truth: gives the posterior of the rates, for the ordered plan.
    """
    if target is None and settings.solver == "ordered":
        return OrderedSolver(bins, guards, progress, truth).plans

    def transport(n: Array, y: Array) -> Array:
        costs = np.array([cost_matrix(a, b, bins, progress) for a, b in zip(n, y, strict=True)])
        if target is None:  # the published solver's target is the present use
            plans = semi_relaxed_plans(costs, n, n, settings.tau2)
            shares = _advisable(np.array([shares_of(plan) for plan in plans]), guards)
        else:
            shares = np.array([shares_of(balanced_plan(*one, target)) for one in zip(costs, n, strict=True)])
        return np.where((n >= guards.min_n)[:, :, None], shares, np.eye(n.shape[1]))

    return transport


def _advisable(shares: Array, guards: Guards) -> Array:
    """The shares (B, K, K) with those of words that are not allowed, or mean the same range, left where they were."""
    closed = np.broadcast_to(~guards.allowed, shares.shape[1:]) | guards.alike
    moved = np.where(closed & ~np.eye(len(closed), dtype=bool), 0.0, shares)
    place = np.arange(len(closed))
    left = 1 - moved.sum(axis=2)
    moved[:, place, place] = np.maximum(moved[:, place, place] + left, 0.0)  # rounding may leave a little less
    return moved


def shares_of(plan: Array) -> Array:
    """Row shares of a transport plan; unused phrases stay unchanged."""
    total = plan.sum(axis=1, keepdims=True)
    shares: Array = np.where(total > 0, plan / np.where(total > 0, total, 1), np.eye(len(plan)))
    shares[shares < _LEAST_SHARE] = 0
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def order_violations(plan: Array, mean: Array, covered: Mask) -> int:
    """Number of pairs of covered phrases that the plan changes and puts out of order; see :func:`out_of_order`."""
    rows = np.flatnonzero(covered & (plan.diagonal() < 1))
    return int(out_of_order(plan[rows], mean, rows).sum())


def out_of_order(plan: Array, mean: Array, rows: Index) -> Mask:
    """(R, R) True where the plan puts a phrase, the weaker by mean, above another one.

    A pair is in order if, for every word, the share reworded as that word or a weaker one is no greater in the stronger
    phrase's row (first-order stochastic dominance, to within 0.1 %): for plans of whole words, if the stronger phrase
    is never given the weaker word.

    Args:
        plan: (R, K);  mean: (K,) of the words;  rows: (R,) which of them the phrases are
    """
    level = np.unique(mean, return_inverse=True)[1]
    weaker: Mask = level[rows, None] < level[rows]
    if ((plan == 0) | (plan == 1)).all():
        said = level[plan.argmax(axis=1)]
        lost: Mask = weaker & (said[:, None] > said)
        return lost
    order = np.argsort(level, kind="stable")
    last = np.searchsorted(level[order], np.arange(level.max() + 1), side="right") - 1
    up_to = np.cumsum(plan[:, order], axis=1)[:, last]
    above = np.array([(up_to > own + _LEAST_SHARE).any(axis=1) for own in up_to], dtype=bool)
    both: Mask = weaker & above.reshape(weaker.shape)
    return both
