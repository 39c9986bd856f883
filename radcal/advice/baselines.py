"""What words cost against numbers: the plan beside maps to numbers that would stand in the report instead of words.

Everything is fitted on one half of the statements and judged on the other, on the very halves on which the plan is
tried (:func:`radcal.advice.judge.halved`); numbers, scores and intervals are those of :mod:`radcal.advice.numbers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.judge import followed
from radcal.advice.numbers import FITS, estimate, numbers, scores, scores_of_numbers
from radcal.advice.records import Baseline, Baselines
from radcal.system.errors import EngineError
from radcal.system.text import EMPTY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.advice.records import Method
    from radcal.advice.solve import Solver
    from radcal.system.estimates import Estimate
    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]

_SCORES = ("brier", "brier_of_means", "ece", "word_error")


def baselines(n: Array, y: Array, bins: PhraseBins, plan: Solver, transport: Solver, confidence: float) -> Baselines:
    """Words as they were said, words of the plan and of the published transport, and numbers, on held-out halves.

    Args:
        n, y: (J, 2, K) statements and confirmed ones of each phrase, in the half to fit and in the half to judge.
        bins: the K phrases.
        plan, transport: the ordered plan and the published one.
        confidence: coverage of the intervals, in 0-1.

    Returns:
        A transport that was not found is left out, with ``reason``.
    """
    fitted, judged = (n[:, 0], y[:, 0]), (n[:, 1], y[:, 1])

    def reworded(solver: Solver) -> dict[str, Array]:
        plans = solver(*fitted)
        return scores(followed(judged[0], plans), followed(judged[1], plans), bins)

    found: dict[Method, dict[str, Array]] = {"none": scores(*judged, bins), "advice": reworded(plan)}
    reason = EMPTY
    try:
        found["transport"] = reworded(transport)
    except EngineError as why:
        reason = why.text
    found |= {name: scores_of_numbers(*judged, numbers(name, *fitted, bins.mean), bins) for name in FITS}

    def gain(method: Method, over: Method, score: str = "brier") -> Array:
        return found[over][score] - found[method][score]

    def known(values: Array, least: float = 0.0) -> Estimate | None:
        defined = values[~np.isnan(values)]
        return estimate(defined, confidence, least) if len(defined) > 1 else None

    made = tuple(
        Baseline(
            method=name,
            **{score: known(own[score]) for score in _SCORES},
            gain=known(gain(name, "none"), least=-1.0),
            beyond_plan=known(gain(name, "advice"), least=-1.0),
            beyond_means=known(gain(name, "advice", "brier_of_means"), least=-1.0),
        )
        for name, own in found.items()
    )
    return Baselines(n=float(n[:, 1].sum(axis=1).mean()), methods=made, reason=reason)
