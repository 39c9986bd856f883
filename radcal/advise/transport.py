"""The published solver: optimal transport from the author's words to better ones.

This is the only module that talks to POT (``ot``).  POT answers bad input and runs that did not converge
with a warning and a number all the same; here the input is validated first, a warning is a failed attempt,
and every plan is checked against the conditions that define it before anyone sees it.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from radcal.errors import DataError, EngineError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

ENTROPY = 1e-3
"""Weight of the entropic regularisation, as published."""
TOLERANCE = 1e-7
"""Largest error of a marginal, as a share of all statements."""
_POT_ITERATIONS = 2_000
_NEGLIGIBLE = 1e-8
"""Words that would get less than this share of all statements are left out of the last step."""
_NEWTON_STEPS = 100


def semi_relaxed_plan(cost: Array, use: Array, target: Array, tau2: float) -> Array:
    """Plan that keeps the author's use of words and prices departures from a target use.

        min_T <T, C> + reg KL(T | a b') + tau2 KL(T' 1 | b)    subject to  T 1 = a,   reg = 1e-3

    Words that were never said (a_k = 0) and targets of no use (b_l = 0) are left out of the problem: their
    rows and columns come back as zeros.

    Args:
        cost: (K, L) cost per use; entries of rows with a_k = 0 are not looked at.
        use: (K,) a, how often each phrase was said, any scale.
        target: (L,) b, wished use of the target words, any scale.
        tau2: price of departing from b, > 0.

    Returns:
        (K, L) plan T that adds to 1, row sums a.

    Raises:
        DataError: negative, infinite or missing input, or nothing to transport.
        EngineError: no plan that fulfils the optimality conditions was found.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 13; Chizat et al., "Scaling algorithms for
    unbalanced transport problems" (2016), here solved by POT's stabilised iterations.
    """
    if not (np.isfinite(tau2) and tau2 > 0):
        raise DataError(f"The price tau2 of departing from the target use must be above 0, not {tau2}.")
    a, b, c, rows, columns = _problem(cost, use, target)
    # A constant added to a row changes the cost of every plan alike, because row sums are fixed; it keeps exp() finite.
    c = c - c.min(axis=1, keepdims=True)
    return _embedded(_pot_sinkhorn(a, b, c, tau2), rows, columns, cost.shape)


def balanced_plan(cost: Array, use: Array, target: Array) -> Array:
    """Cheapest plan that leads exactly from the author's use of words to a given target use.

        min_T <T, C>    subject to  T 1 = a,  T' 1 = b,  T >= 0

    Args and Returns: as :func:`semi_relaxed_plan`; the column sums are b scaled to 1.

    Raises:
        DataError: negative, infinite or missing input, or nothing to transport.
        EngineError: the solver failed or its plan does not have the marginals.
    """
    a, b, c, rows, columns = _problem(cost, use, target)
    import ot

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            plan = np.asarray(ot.emd(a, b, c), dtype=np.float64)
        except Warning as flaw:
            raise EngineError(f"The transport to the target use failed: {flaw}") from flaw
    worst = max(np.abs(plan.sum(axis=1) - a).max(), np.abs(plan.sum(axis=0) - b).max())
    if not worst <= TOLERANCE:
        raise EngineError(f"The transport to the target use misses its marginals by {worst:.1g}.")
    return _embedded(plan, rows, columns, cost.shape)


def _problem(cost: Array, use: Array, target: Array) -> tuple[Array, Array, Array, Mask, Mask]:
    """Validated a, b (each adding to 1) and C without unused rows and columns, and the masks of what is left."""
    if cost.ndim != 2 or use.shape != (cost.shape[0],) or target.shape != (cost.shape[1],):
        raise DataError(f"Costs {cost.shape} do not fit {use.shape} words in use and {target.shape} target words.")
    for what, weight in (("use", use), ("target use", target)):
        if not np.all(np.isfinite(weight)) or np.any(weight < 0):
            raise DataError(f"The {what} of a word is negative or not a number.")
        if not weight.sum() > 0:
            raise DataError(f"The {what} of all words is 0, so that there is nothing to transport.")
    rows, columns = use > 0, target > 0
    c = cost[np.ix_(rows, columns)]
    if not np.all(np.isfinite(c)):
        raise DataError("The cost of a substitution is not a number.")
    return use[rows] / use.sum(), target[columns] / target.sum(), c, rows, columns


def _embedded(plan: Array, rows: Mask, columns: Mask, shape: tuple[int, ...]) -> Array:
    whole = np.zeros(shape)
    whole[np.ix_(rows, columns)] = plan
    return whole


def _potentials(a: Array, b: Array, c: Array, tau2: float) -> Array:
    """Optimal potentials g (L,) of the targets: Newton's method on the concave dual, regularisation lowered in stages.

        D(g) = sum_k a_k f_k(g) + tau2 sum_l b_l (1 - exp(-g_l / tau2)),
        f_k(g) = -reg log sum_l b_l exp((g_l - C_kl) / reg)

    The gradient is b exp(-g / tau2) minus the column sums of the plan.
    """
    log_b = np.log(b)
    g = np.zeros(len(b))
    # Each stage starts at the solution of the one before, so that Newton's steps stay in their region of convergence.
    for reg in ENTROPY * 4.0 ** np.arange(5, -1, -1):
        value, plan = _dual(g, a, log_b, c, tau2, reg)
        for _ in range(_NEWTON_STEPS):
            wish = b * np.exp(-g / tau2)
            slope = wish - plan.sum(axis=0)
            if np.abs(slope).max() < _NEGLIGIBLE / 100:
                break
            curvature = (np.diag(plan.sum(axis=0)) - plan.T @ (plan / a[:, None])) / reg + np.diag(wish / tau2)
            curvature[np.diag_indices_from(curvature)] += 1e-14
            step = np.linalg.solve(curvature, slope)
            step *= min(1.0, 20 * min(reg, tau2) / np.abs(step).max())
            for _ in range(40):
                new_value, new_plan = _dual(g + step, a, log_b, c, tau2, reg)
                if new_value >= value + 1e-4 * (slope @ step) - 1e-15:
                    break
                step = step / 2
            g, value, plan = g + step, new_value, new_plan
    return g


def _dual(g: Array, a: Array, log_b: Array, c: Array, tau2: float, reg: float) -> tuple[float, Array]:
    """D(g) and the plan that belongs to it, whose row sums are a."""
    score = log_b + (g - c) / reg
    top = score.max(axis=1, keepdims=True)
    kernel = np.exp(score - top)
    total = kernel.sum(axis=1, keepdims=True)
    value = -reg * (a @ (np.log(total) + top)[:, 0]) + tau2 * (1 - np.exp(log_b - g / tau2).sum())
    return float(value), a[:, None] * kernel / total


def _pot_sinkhorn(a: Array, b: Array, c: Array, tau2: float) -> Array:
    """POT's iterations, started at the potentials (f, g) by absorbing them into the problem.

    POT adds 1e-16 to its sums, which cuts potentials off at about 35 reg: with the costs of this problem up to
    half of the mass then goes missing without a warning.  For any f and g the problem with costs c - f - g,
    target use b exp(-g / tau2) and the same reference a b' has the same solution, and there the potentials
    that POT has to find are near 0.
    """
    import ot

    g = _potentials(a, b, c, tau2)
    used = _dual(g, a, np.log(b), c, tau2, ENTROPY)[1].sum(axis=0) > _NEGLIGIBLE
    whole, (b, c, g) = np.zeros_like(c), (b[used], c[:, used], g[used])
    f = -ENTROPY * _log_sum(np.log(b) + (g - c) / ENTROPY)
    wish = b * np.exp(-g / tau2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            plan, log = ot.unbalanced.sinkhorn_unbalanced(
                a,
                wish,
                c - f[:, None] - g,
                reg=ENTROPY,
                reg_m=(float("inf"), tau2),
                method="sinkhorn_stabilized",
                reg_type="kl",
                c=a[:, None] * b,
                numItermax=_POT_ITERATIONS,
                stopThr=1e-9,
                log=True,
            )
        except Warning as flaw:
            raise EngineError(_no_plan(len(a), tau2, str(flaw))) from flaw
    plan = np.asarray(plan, dtype=np.float64)
    # The conditions of optimality: row sums a, and column sums that agree with the price of leaving b.
    off = max(
        np.abs(plan.sum(axis=1) - a).max(),
        np.abs(plan.sum(axis=0) - wish * np.exp(-ENTROPY * np.asarray(log["logv"]) / tau2)).max(),
    )
    if not off <= TOLERANCE:
        raise EngineError(_no_plan(len(a), tau2, f"its marginals are off by {off:.1g}"))
    whole[:, used] = plan
    return whole


def _log_sum(x: Array) -> Array:
    top = x.max(axis=1)
    total: Array = top + np.log(np.exp(x - top[:, None]).sum(axis=1))
    return total


def _no_plan(size: int, tau2: float, flaw: str) -> str:
    return (
        f"The transport of {size} words with tau2 = {tau2} did not converge ({flaw.rstrip('.')}), so that there is no "
        "plan. Choose a smaller tau2 or the joint solver."
    )
