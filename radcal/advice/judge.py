"""Evaluation of plans on statements they were not fitted to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.cost import blocks
from radcal.advice.numbers import FITS, estimate, numbers, scores, scores_of_numbers
from radcal.advice.records import Baseline, Baselines, Judgement
from radcal.calibration import scoring
from radcal.system.errors import DataError, EngineError
from radcal.system.text import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.advice.records import Method
    from radcal.advice.solve import Solver
    from radcal.system.estimates import Estimate
    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]


def halvings(counts: Array, times: int, rng: Generator) -> Iterator[tuple[Array, Array]]:
    """So many times two random halves of a table: each phrase's statements are split evenly, without replacement.

    The odd statement of a phrase goes to either half at random, and that of the next phrase with an odd number to the
    other, so that the halves differ by one statement at most.  Statements shared between neighbouring references are
    first rounded to one of them, which keeps each phrase's number of statements and moves its cumulative counts by at
    most a half.

    Args:
        counts: (K, L) statements by phrase k and reference l; each row adds to a whole number.

    Returns:
        Pairs of (K, L) tables of whole numbers that add to ``counts``, where those are whole.

    Raises:
        DataError: a count is negative, or a phrase's number of statements is not whole.
    """
    whole = _whole(counts)
    for _ in range(times):
        yield _halved(whole, rng)


def _halved(whole: NDArray[np.int64], rng: Generator) -> tuple[Array, Array]:
    n = whole.sum(axis=1)
    odd = np.flatnonzero(n % 2)
    coins = rng.integers(2, size=(len(odd) + 1) // 2)
    size = n // 2
    size[odd] += np.column_stack([coins, 1 - coins]).ravel()[: len(odd)]
    first = np.zeros_like(whole)
    for k in np.flatnonzero(size):
        first[k] = rng.multivariate_hypergeometric(whole[k], size[k], method="count" if n[k] < 1000 else "marginals")
    return first.astype(np.float64), (whole - first).astype(np.float64)


def resample(counts: Array, size: int, rng: Generator) -> Array:
    """(size, K, L) bootstrap tables: multinomial redraws of the cells with the total of ``counts``.

    Raises:
        DataError: a count is negative, or a phrase's number of statements is not whole.
    """
    total = int(_whole(counts).sum())
    used = np.flatnonzero(counts)
    drawn = np.zeros((size, counts.size))
    if total:
        share = counts.ravel()[used] / counts.sum()
        drawn[:, used] = rng.multinomial(total, share, size=size)
    return drawn.reshape(size, *counts.shape)


def _whole(counts: Array) -> NDArray[np.int64]:
    up_to = counts.cumsum(axis=1)
    total = up_to[:, -1]
    if np.any(counts < 0) or not np.all(np.abs(total - np.rint(total)) <= 1e-6):
        raise DataError("The counts of a contingency table must be at least 0 and whole for each phrase.")
    whole: NDArray[np.int64] = np.diff(np.rint(up_to), axis=1, prepend=0).astype(np.int64)
    return whole


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


_SCORES = ("brier", "brier_of_means", "ece", "word_error")


def baselines(n: Array, y: Array, bins: PhraseBins, plan: Solver, transport: Solver, confidence: float) -> Baselines:
    """Words as they were said, words of the plan and of the published transport, and numbers, on held-out halves.

    The halves are those of :func:`halved`, on which the plan is tried; numbers, scores and intervals are those of
    :mod:`radcal.advice.numbers`.

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
