"""Evaluation of plans on statements they were not fitted to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.cost import blocks
from radcal.advice.halves import halvings
from radcal.advice.records import Judgement
from radcal.reliability import scoring

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.advice.solve import Solver
    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]

HALVINGS = 10
"""Random halvings, each used both ways."""


def tried(
    counts: Array,
    positive: Array,
    bins: PhraseBins,
    solver: Solver,
    rng: Generator,
    accuracy: tuple[float, float] = (1.0, 1.0),
) -> tuple[Judgement, Judgement]:
    """Plans fitted on one half of the statements, judged on that half (train) and on the other (test).

    Means over HALVINGS random halvings, stratified by phrase, each used both ways: one halving alone would tell more of
    its own luck than of the plan.  The plans are made by all that decides what is said, so that this is the trial of
    what is said.

    Args:
        counts: (K, L) table;  positive: (L,) probability that a reference means "confirmed".
        accuracy: sensitivity and specificity of the reference.
    """
    n, y = halved(counts, positive, rng, accuracy)
    moved = np.empty((4, len(n), n.shape[2]))
    for some in blocks(np.arange(len(n)), n.shape[2] ** 2):
        plans = solver(n[some, 0], y[some, 0])
        moved[:, some] = [followed(x[some, side], plans) for side in (0, 1) for x in (n, y)]
    train, test = (judged(n[:, i], y[:, i], moved[2 * i], moved[2 * i + 1], bins) for i in (0, 1))
    return train, test


def halved(
    counts: Array, positive: Array, rng: Generator, accuracy: tuple[float, float] = (1.0, 1.0)
) -> tuple[Array, Array]:
    """n, y (J, 2, K) of HALVINGS random halvings, each both ways: statements and confirmed ones of either half.

    Arguments as of :func:`tried`.
    """
    halves = [[(h.sum(axis=1), h @ positive) for h in both] for both in halvings(counts, HALVINGS, rng)]
    n, y = np.array([both for one in halves for both in (one, one[::-1])]).transpose(2, 0, 1, 3)
    return n, scoring.corrected(y, n, *accuracy)


def followed(x: Array, plan: Array) -> Array:
    """(..., K) uses of words after the plans (..., K, K) are followed."""
    result: Array = np.einsum("...k,...kl->...l", x, plan)
    return result


def judged(n: Array, y: Array, after_n: Array, after_y: Array, bins: PhraseBins) -> Judgement:
    """Scores of n, y (..., K) before and after plans are followed, as means over the leading axes."""
    scores = (scoring.ece, scoring.brier, scoring.word_error)
    pairs = [(_mean(score(n, y, bins)), _mean(score(after_n, after_y, bins))) for score in scores]
    return Judgement(float(n.sum(axis=-1).mean()), *(value for pair in pairs for value in pair))


def _mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")
