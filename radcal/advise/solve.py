"""One interface to all solvers of plans."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from radcal.advise.cost import cost_matrix
from radcal.advise.joint import Guards, JointSolver
from radcal.advise.transport import balanced_plan, semi_relaxed_plans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.records import PhraseBins
    from radcal.settings import Settings

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

Solver = Callable[["Array", "Array"], "Array"]
"""From n, y (B, K) of B samples to (B, K, K) plans: row k of a plan holds the shares of phrase k to be said as each
word, and adds to 1."""
_LEAST_SHARE = 1e-3
"""Shares below are residue of the regularisation and are dropped."""


def make_solver(bins: PhraseBins, covered: Mask, allowed: Mask, settings: Settings, target: Array | None) -> Solver:
    """The solver chosen in the settings; a target use of words requires the exact transport to it.

    Args:
        bins: the K words.
        covered: (K,) phrases with enough uses; only the joint solver leaves the others alone.
        allowed: (K,) words that the joint solver may propose.
        settings: solver, tau2, max_steps, information_price.
        target: (K,) wished use of the words, any scale, or None.
    """
    if target is not None:
        return lambda n, y: _each(lambda c, a: balanced_plan(c, a, target), n, y, bins)
    if settings.solver == "paper":
        return lambda n, y: _published(n, y, bins, settings.tau2)
    return JointSolver(bins, Guards(covered, allowed, settings.max_steps, settings.information_price)).plans


def _each(transport: Callable[[Array, Array], Array], n: Array, y: Array, bins: PhraseBins) -> Array:
    """The transport plans from cost matrix and use, sample by sample."""
    return np.array([_rows(transport(cost_matrix(a, b, bins), a)) for a, b in zip(n, y, strict=True)])


def _published(n: Array, y: Array, bins: PhraseBins, tau2: float) -> Array:
    """The plans of the published solver, whose target use is the present one."""
    costs = np.array([cost_matrix(a, b, bins) for a, b in zip(n, y, strict=True)])
    return np.array([_rows(plan) for plan in semi_relaxed_plans(costs, n, n, tau2)])


def _rows(plan: Array) -> Array:
    """Row shares of a transport plan; phrases that were never used stay unchanged."""
    total = plan.sum(axis=1, keepdims=True)
    shares: Array = np.where(total > 0, plan / np.where(total > 0, total, 1), np.eye(len(plan)))
    shares[shares < _LEAST_SHARE] = 0
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def order_violations(plan: Array, mean: Array, covered: Mask) -> int:
    """How many pairs of covered phrases the plan puts out of order; see :func:`out_of_order`."""
    return int(out_of_order(plan, mean)[np.ix_(covered, covered)].sum())


def out_of_order(plan: Array, mean: Array) -> Mask:
    """(K, K) whether phrase k, the weaker by mean, is put above phrase l by the plan.

    A pair of phrases, one weaker by mean, is in order if the stronger one's row is at least as strong as the
    weaker one's: for every word, the share said as that word or a weaker one is no greater in the stronger
    phrase's row (first-order stochastic dominance, to within 0.1 %).  For plans of whole words this says that
    the stronger phrase is never given the weaker word.
    """
    level = np.unique(mean, return_inverse=True)[1]
    up_to = np.cumsum(plan @ (level[:, None] == np.arange(level.max() + 1)), axis=1)
    weaker: Mask = level[:, None] < level
    return weaker & (up_to[None, :, :] > up_to[:, None, :] + _LEAST_SHARE).any(axis=2)
