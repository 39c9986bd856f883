"""The published solver: optimal transport from the author's words to better ones.

The only module that uses POT (``ot``).  On bad input or without convergence POT warns and returns a plan all the same;
here the input is validated, a warning is an error, and every plan is checked against its optimality conditions.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.system.errors import DataError, EngineError
from radcal.system.text import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]
    Mask = NDArray[np.bool_]

ENTROPY = 1e-3
"""Weight of the entropic regularisation, as in the paper."""
TOLERANCE = 1e-7
"""Largest permitted error of a marginal, as a share of all statements."""
_POT_ITERATIONS = 2_000
_NEGLIGIBLE = 1e-8
"""Words with a smaller share of all statements are left out of the last step."""
_NEWTON_STEPS = 100
_HALVINGS = 40
"""Limit on the halvings of a Newton step that overshoots."""


def semi_relaxed_plans(costs: Array, uses: Array, targets: Array, tau2: float, entropy: float = ENTROPY) -> list[Array]:
    """Plans of B problems that keep the author's use of words and penalise departures from a target use.

        min_T <T, C> + reg KL(T | a b') + tau2 KL(T' 1 | b)    subject to  T 1 = a

    Unused words (a_k = 0) and targets of no use (b_l = 0) are left out of a problem; their rows and columns are zero.

    Args:
        costs: (B, K, L) cost per use; rows with a_k = 0 are ignored.
        uses: (B, K) a, uses of each phrase, on any scale.
        targets: (B, L) b, target use of the words, on any scale.
        tau2: price of departing from b, > 0.
        entropy: reg, > 0.

    Returns:
        B plans T (K, L) that add to 1, with row sums a.

    Raises:
        DataError: negative, infinite or missing input, or nothing to transport.
        EngineError: for one of the problems no plan meets the optimality conditions.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 13; Chizat et al., "Scaling algorithms for
    unbalanced transport problems" (2016), here solved by POT's stabilised iterations.
    """
    if not (np.isfinite(tau2) and tau2 > 0):
        raise DataError("The price tau2 of departing from the target use must be above 0, not {tau2}.", tau2=tau2)
    problems = [_problem(*one) for one in zip(costs, uses, targets, strict=True)]
    a, b, c = np.zeros(uses.shape), np.zeros(targets.shape), np.zeros(costs.shape)
    for i, (use, target, cost, rows, columns) in enumerate(problems):
        a[i, rows], b[i, columns] = use, target
        # Row sums are fixed, so a constant added to a row changes all plans' costs alike; it keeps exp() finite.
        c[i][np.ix_(rows, columns)] = cost - cost.min(axis=1, keepdims=True)
    g = _potentials(a, b, c, tau2, entropy)
    plans = []
    for i, (use, target, _, rows, columns) in enumerate(problems):
        plan = _pot_sinkhorn(use, target, c[i][np.ix_(rows, columns)], tau2, g[i, columns], entropy)
        plans.append(_embedded(plan, rows, columns, costs.shape[1:]))
    return plans


def balanced_plan(cost: Array, use: Array, target: Array) -> Array:
    """The cheapest plan (K, L) from the author's use of words to exactly a given target use.

        min_T <T, C>    subject to  T 1 = a,  T' 1 = b,  T >= 0

    Args:
        cost: (K, L);  use: (K,);  target: (L,), as for one problem of :func:`semi_relaxed_plans`.

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


def _potentials(a: Array, b: Array, c: Array, tau2: float, entropy: float) -> Array:
    """Optimal potentials g (B, L) of the targets of B problems: Newton's method, regularisation lowered in stages.

        D(g) = sum_k a_k f_k(g) + tau2 sum_l b_l (1 - exp(-g_l / tau2)),
        f_k(g) = -reg log sum_l b_l exp((g_l - C_kl) / reg)

    D is concave; its gradient is b exp(-g / tau2) minus the column sums of the plan.  The problems are solved side by
    side, each with the steps that it would take alone.

    Args:
        a: (B, K);  b: (B, L);  c: (B, K, L), finite.  A row or column whose a or b is 0 is ignored; its g is 0.
    """
    with np.errstate(divide="ignore"):
        log_b = np.log(b)
    problems = _Problems(a, b, log_b, c, tau2)
    g = np.zeros_like(b)
    # Each stage starts at the previous solution, so that Newton's steps stay in their region of convergence.
    for reg in entropy * 4.0 ** np.arange(5, -1, -1):
        active = np.arange(len(b))
        value, plan = problems.dual(g, active, reg)
        for _ in range(_NEWTON_STEPS):
            wish = b[active] * np.exp(-g[active] / tau2)
            slope = wish - plan.sum(axis=1)
            going = np.abs(slope).max(axis=1) >= _NEGLIGIBLE / 100
            active, value, plan, wish, slope = (x[going] for x in (active, value, plan, wish, slope))
            if not len(active):
                break
            step = problems.newton_step(active, plan, wish, slope, reg)
            g[active], value, plan, risen = problems.ascent(g[active], step, active, value, plan, slope, reg)
            # Without a rise only rounding errors are left.
            active, value, plan = active[risen], value[risen], plan[risen]
    return g


@dataclass(frozen=True, slots=True, eq=False)
class _Problems:
    """B problems; ``at`` selects the active ones."""

    a: Array
    b: Array
    log_b: Array
    c: Array
    tau2: float

    def dual(self, g: Array, at: Index, reg: float) -> tuple[Array, Array]:
        """D(g) and its plans (row sums a), for potentials g of the problems ``at``."""
        a, log_b = self.a[at], self.log_b[at]
        score = log_b[:, None, :] + (g[:, None, :] - self.c[at]) / reg
        top = score.max(axis=2, keepdims=True)
        kernel = np.exp(score - top)
        total = kernel.sum(axis=2, keepdims=True)
        value = -reg * (a * (np.log(total) + top)[:, :, 0]).sum(axis=1)
        value += self.tau2 * (1 - np.exp(log_b - g / self.tau2).sum(axis=1))
        return value, np.asarray(a[:, :, None] * kernel / total)

    def newton_step(self, at: Index, plan: Array, wish: Array, slope: Array, reg: float) -> Array:
        """(B, L) Newton steps, their length limited by the regularisation."""
        a = self.a[at]
        share = plan / np.where(a > 0, a, 1.0)[:, :, None]
        curvature = -np.swapaxes(plan, 1, 2) @ share / reg
        # An unused word has no curvature: any positive number leaves its potential unchanged.
        diagonal: Array = plan.sum(axis=1) / reg + wish / self.tau2 + np.where(self.b[at] > 0, 1e-14, 1.0)
        place = np.arange(diagonal.shape[1])
        curvature[:, place, place] += diagonal
        step = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        return np.asarray(step * np.minimum(1.0, 20 * min(reg, self.tau2) / np.maximum(longest, 1e-300)))

    def ascent(
        self, g: Array, step: Array, at: Index, value: Array, plan: Array, slope: Array, reg: float
    ) -> tuple[Array, Array, Array, Mask]:
        """Potentials, values and plans after the steps, each halved until D rises enough; and whether D rose."""
        new_g, new_value, new_plan = g + step, value.copy(), plan.copy()
        left = np.arange(len(at))
        for _ in range(_HALVINGS):
            new_value[left], new_plan[left] = self.dual(new_g[left], at[left], reg)
            rise = 1e-4 * (slope[left] * step[left]).sum(axis=1)
            left = left[new_value[left] < value[left] + rise - 1e-15]
            if not len(left):
                break
            step[left] /= 2
            new_g[left] = g[left] + step[left]
        risen = np.ones(len(at), dtype=bool)
        risen[left] = False
        return new_g, new_value, new_plan, risen


def _pot_sinkhorn(a: Array, b: Array, c: Array, tau2: float, g: Array, entropy: float) -> Array:
    """POT's iterations, started at the potentials (f, g) by absorbing them into the problem.

    POT adds 1e-16 to its sums, which cuts potentials off at about 35 reg: with these costs up to half of the mass goes
    missing without a warning.  For any f and g the problem with costs c - f - g, target use b exp(-g / tau2) and
    reference a b' has the same solution, with potentials near 0.
    """
    import ot

    used = _column_sums(a, b, c, g, entropy) > _NEGLIGIBLE
    whole, (b, c, g) = np.zeros_like(c), (b[used], c[:, used], g[used])
    f = -entropy * _log_sum(np.log(b) + (g - c) / entropy)
    wish = b * np.exp(-g / tau2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            plan, log = ot.unbalanced.sinkhorn_unbalanced(
                a,
                wish,
                c - f[:, None] - g,
                reg=entropy,
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
        np.abs(plan.sum(axis=0) - wish * np.exp(-entropy * np.asarray(log["logv"]) / tau2)).max(),
    )
    if not off <= TOLERANCE:
        raise EngineError(_no_plan(len(a), tau2, f"its marginals are off by {off:.1g}"))
    whole[:, used] = plan
    return whole


def _column_sums(a: Array, b: Array, c: Array, g: Array, entropy: float) -> Array:
    """The column sums of the plan of potentials g."""
    score = np.log(b) + (g - c) / entropy
    kernel = np.exp(score - score.max(axis=1, keepdims=True))
    sums: Array = (a[:, None] * kernel / kernel.sum(axis=1, keepdims=True)).sum(axis=0)
    return sums


def _log_sum(x: Array) -> Array:
    top = x.max(axis=1)
    total: Array = top + np.log(np.exp(x - top[:, None]).sum(axis=1))
    return total


def _no_plan(size: int, tau2: float, flaw: str) -> str:
    return Text(
        "The transport of {size} words with tau2 = {tau2} did not converge ({rstrip}), so that "
        "there is no plan. Choose a smaller tau2 or the ordered plan.",
        size=size,
        tau2=tau2,
        rstrip=flaw.rstrip("."),
    )
