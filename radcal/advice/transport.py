"""The published solver: optimal transport from the author's words to better ones.

The only module that uses POT (``ot``).  On bad input or without convergence POT warns and returns a plan all the same;
here the input is validated, a warning is an error, and every plan is checked against its optimality conditions.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from radcal.system.errors import DataError, EngineError
from radcal.system.text import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

ENTROPY = 1e-3
"""Weight of the entropic regularisation, as in the paper."""
TOLERANCE = 1e-7
"""Largest permitted error of a marginal, as a share of all statements."""
_POT_ITERATIONS = 2_000
_NEGLIGIBLE = 1e-8
"""Words with a smaller share of all statements are left out of the last step."""


def semi_relaxed_plan(cost: Array, use: Array, target: Array, tau2: float) -> Array:
    """The plan T (K, L), adding to 1, that keeps the author's use of words and penalises departures from a target use.

        min_T <T, C> + reg KL(T | a b') + tau2 KL(T' 1 | b)    subject to  T 1 = a,   reg = 1e-3

    Unused words (a_k = 0) and targets of no use (b_l = 0) are left out; their rows and columns are zero.

    Args:
        cost: (K, L) per use; rows with a_k = 0 are ignored.
        use: (K,) a, uses of each phrase, on any scale.
        target: (L,) b, target use of the words, on any scale.
        tau2: price of departing from b, > 0.

    Raises:
        DataError: negative, infinite or missing input, or nothing to transport.
        EngineError: no plan meets the optimality conditions.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 13; Chizat et al., "Scaling algorithms for
    unbalanced transport problems" (2016), here solved by POT's stabilised iterations.
    """
    if not (np.isfinite(tau2) and tau2 > 0):
        raise DataError("The price tau2 of departing from the target use must be above 0, not {tau2}.", tau2=tau2)
    a, b, c, rows, columns = _problem(cost, use, target)
    # Row sums are fixed, so a constant added to a row changes all plans' costs alike; it keeps exp() finite.
    c = c - c.min(axis=1, keepdims=True)
    return _embedded(_pot_sinkhorn(a, b, c, tau2, _potentials(a, b, c, tau2)), rows, columns, cost.shape)


def balanced_plan(cost: Array, use: Array, target: Array) -> Array:
    """The cheapest plan (K, L) from the author's use of words to exactly a given target use.

        min_T <T, C>    subject to  T 1 = a,  T' 1 = b,  T >= 0

    Args:
        cost: (K, L);  use: (K,);  target: (L,), as for :func:`semi_relaxed_plan`.

    Raises:
        DataError: negative, infinite or missing input, or nothing to transport.
        EngineError: the solver failed, or its plan misses the marginals.
    """
    a, b, c, rows, columns = _problem(cost, use, target)
    import ot

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            plan = np.asarray(ot.emd(a, b, c), dtype=np.float64)
        except Warning as flaw:
            raise EngineError("The transport to the target use failed: {flaw}", flaw=flaw) from flaw
    worst = max(np.abs(plan.sum(axis=1) - a).max(), np.abs(plan.sum(axis=0) - b).max())
    if not worst <= TOLERANCE:
        raise EngineError("The transport to the target use misses its marginals by {worst:.1g}.", worst=worst)
    return _embedded(plan, rows, columns, cost.shape)


def _problem(cost: Array, use: Array, target: Array) -> tuple[Array, Array, Array, Mask, Mask]:
    """Validated a, b (each adding to 1) and C without unused rows and columns, and the masks of the used ones."""
    if cost.ndim != 2 or use.shape != (cost.shape[0],) or target.shape != (cost.shape[1],):
        raise DataError(
            "Costs {shape} do not fit {shape2} words in use and {shape3} target words.",
            shape=cost.shape,
            shape2=use.shape,
            shape3=target.shape,
        )
    for what, weight in (("use", use), ("target use", target)):
        if not np.all(np.isfinite(weight)) or np.any(weight < 0):
            raise DataError("The {what} of a word is negative or not a number.", what=what)
        if not weight.sum() > 0:
            raise DataError("The {what} of all words is 0, so that there is nothing to transport.", what=what)
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
    """Optimal potentials g (L,) of the targets, by Newton's method in a trust region.

        D(g) = sum_k a_k f_k(g) + tau2 sum_l b_l (1 - exp(-g_l / tau2)),
        f_k(g) = -reg log sum_l b_l exp((g_l - C_kl) / reg)

    D is concave; its gradient is b exp(-g / tau2) minus the column sums of the plan.
    """
    from scipy.optimize import minimize
    from scipy.special import logsumexp

    def price(g: Array) -> tuple[float, Array]:
        """-D and its gradient."""
        wish = b * np.exp(-g / tau2)
        value = ENTROPY * a @ logsumexp(np.log(b) + (g - c) / ENTROPY, axis=1) - tau2 * (1 - wish.sum())
        return float(value), _plan(a, b, c, g).sum(axis=0) - wish

    def curvature(g: Array) -> Array:
        plan = _plan(a, b, c, g)
        diagonal = plan.sum(axis=0) / ENTROPY + b * np.exp(-g / tau2) / tau2
        return np.asarray(np.diag(diagonal) - plan.T @ (plan / a[:, None]) / ENTROPY)

    start, precise = np.zeros_like(b), _NEGLIGIBLE / 100
    with np.errstate(over="ignore"):  # a step too far is taken back
        found = minimize(
            price, start, jac=True, hess=curvature, method="trust-exact",
            options={"gtol": precise, "maxiter": 300, "initial_trust_radius": 0.1},
        )  # fmt: skip
    return np.asarray(found.x)


def _pot_sinkhorn(a: Array, b: Array, c: Array, tau2: float, g: Array) -> Array:
    """POT's iterations, started at the potentials (f, g) by absorbing them into the problem.

    POT adds 1e-16 to its sums, which cuts potentials off at about 35 reg: with these costs up to half of the mass goes
    missing without a warning.  For any f and g the problem with costs c - f - g, target use b exp(-g / tau2) and
    reference a b' has the same solution, with potentials near 0.
    """
    import ot
    from scipy.special import logsumexp

    used = _plan(a, b, c, g).sum(axis=0) > _NEGLIGIBLE
    whole, (b, c, g) = np.zeros_like(c), (b[used], c[:, used], g[used])
    f = -ENTROPY * logsumexp(np.log(b) + (g - c) / ENTROPY, axis=1)
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
    # Optimality: row sums a, and column sums that agree with the price of leaving b.
    off = max(
        np.abs(plan.sum(axis=1) - a).max(),
        np.abs(plan.sum(axis=0) - wish * np.exp(-ENTROPY * np.asarray(log["logv"]) / tau2)).max(),
    )
    if not off <= TOLERANCE:
        raise EngineError(_no_plan(len(a), tau2, f"its marginals are off by {off:.1g}"))
    whole[:, used] = plan
    return whole


def _plan(a: Array, b: Array, c: Array, g: Array) -> Array:
    """The plan of potentials g, with row sums a."""
    from scipy.special import softmax

    return np.asarray(a[:, None] * softmax(np.log(b) + (g - c) / ENTROPY, axis=1))


def _no_plan(size: int, tau2: float, flaw: str) -> str:
    return Text(
        "The transport of {size} words with tau2 = {tau2} did not converge ({rstrip}), so that "
        "there is no plan. Choose a smaller tau2 or the ordered plan.",
        size=size,
        tau2=tau2,
        rstrip=flaw.rstrip("."),
    )
