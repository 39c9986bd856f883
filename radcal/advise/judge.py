"""Evaluation of plans on statements they were not fitted to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal import scoring
from radcal.advise.halves import halve
from radcal.records import Judgement

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.advise.solve import Solver
    from radcal.records import PhraseBins

    Array = NDArray[np.float64]

HALVINGS = 10
"""Random halvings, each used both ways."""


def judged(plan: Array, n: Array, y: Array, bins: PhraseBins) -> Judgement:
    """Scores of n, y (..., K) before and after following the plans (..., K, K), as means over the leading axes."""
    after_n, after_y = (np.einsum("...k,...kl->...l", x, plan) for x in (n, y))
    scores = (scoring.ece, scoring.brier, scoring.word_error)
    pairs = [(_mean(score(n, y, bins)), _mean(score(after_n, after_y, bins))) for score in scores]
    return Judgement(float(n.sum(axis=-1).mean()), *(value for pair in pairs for value in pair))


def tried(
    counts: Array, positive: Array, bins: PhraseBins, solver: Solver, rng: Generator
) -> tuple[Judgement, Judgement]:
    """Plans fitted on one half of the statements, judged on that half (train) and on the other (test).

    Means over HALVINGS random halvings, stratified by phrase, each used both ways: one halving alone would tell more of
    its own luck than of the plan.  The plans are made by all that decides what is said, so that this is the trial of
    what is said.

    Args:
        counts: (K, L) table;  positive: (L,) probability that a reference means "confirmed".
    """
    halves = np.array(
        [both for _ in range(HALVINGS) for one, other in [halve(counts, rng)] for both in ((one, other), (other, one))]
    )
    n, y = halves.sum(axis=3), halves @ positive
    plans = solver(n[:, 0], y[:, 0])
    return judged(plans, n[:, 0], y[:, 0], bins), judged(plans, n[:, 1], y[:, 1], bins)


def _mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")
