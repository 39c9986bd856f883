"""What words cost against numbers: the plan beside maps to numbers that would stand in the report instead of words.

Everything is fitted on one half of the statements and judged on the other, on the very halves on which the plan is
tried (:func:`radcal.advise.judge.halved`).  Numbers are what a map makes of the mean of the word that was said
(:mod:`radcal.recalibration`), so that they know no more of a case than the word.  A number q is scored as a word of no
width: its Brier score is (q - outcome)^2; its ECE is that of ``radcal.scoring`` with all its mass at q.

A score is the mean over the J = 2 HALVINGS test halves.  Those are parts of the same statements, so that its standard
error is not that of J independent values but, with variance v over them and halves of equal size,

    sqrt((1 / J + 1) v)

Source: Nadeau and Bengio, "Inference for the generalization error", Machine Learning 2003;52:239-281.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from radcal import recalibration, scoring
from radcal.advise.judge import followed
from radcal.errors import EngineError
from radcal.intervals import tails
from radcal.records import Baseline, Baselines, Estimate
from radcal.text import EMPTY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.advise.solve import Solver
    from radcal.records import PhraseBins
    from radcal.records.advice import Method

    Array = NDArray[np.float64]
    Fit = Callable[[Array, Array, Array], recalibration.Recalibration]
    Scores = dict[str, Array]

_MOST_BINS, _EACH = 10, 20
"""Histogram binning has a bin for so many statements, but at most 10 and at least 2."""
AS_WORDED: Method = "as worded"
NUMBERS: tuple[Method, ...] = ("histogram binning", "platt", "isotonic")


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
    found: dict[Method, Scores] = {AS_WORDED: _of_words(*judged, bins), "plan": _reworded(plan, fitted, judged, bins)}
    reason = EMPTY
    try:
        found["transport"] = _reworded(transport, fitted, judged, bins)
    except EngineError as why:
        reason = why.text
    numbers = {name: np.array(list(_mapped(fit, *fitted, bins.mean))) for name, fit in _FITS.items()}
    found |= {name: _of_numbers(*judged, q, bins) for name, q in numbers.items()}

    def estimate(values: Array, least: float = -np.inf) -> Estimate | None:
        return _estimate(values, confidence, least)

    made = tuple(
        Baseline(
            method=name,
            **{score: estimate(values, least=0.0) for score, values in scores.items()},
            gain=estimate(found[AS_WORDED]["brier"] - scores["brier"]),
            beyond_plan=estimate(found["plan"]["brier"] - scores["brier"]),
            beyond_means=estimate(found["plan"]["brier_of_means"] - scores["brier_of_means"]),
        )
        for name, scores in found.items()
    )
    return Baselines(n=float(n[:, 1].sum(axis=1).mean()), methods=made, reason=reason)


def _binned(scores: Array, outcomes: Array, weights: Array) -> recalibration.Recalibration:
    bins = int(np.clip(weights.sum() // _EACH, 2, _MOST_BINS))
    return recalibration.histogram_binning(scores, outcomes, bins, weights)


_FITS: dict[Method, Fit] = dict(zip(NUMBERS, (_binned, recalibration.platt, recalibration.isotonic), strict=True))


def _mapped(fit: Fit, n: Array, y: Array, mean: Array) -> Iterator[Array]:
    """The number (K,) for each word, of each fit on n, y (J, K)."""
    for said, confirmed in zip(n, y, strict=True):
        used = said > 0
        yield fit(mean[used], confirmed[used] / said[used], said[used])(mean)


def _reworded(solver: Solver, fitted: tuple[Array, Array], judged: tuple[Array, Array], bins: PhraseBins) -> Scores:
    plans = solver(*fitted)
    n, y = (followed(x, plans) for x in judged)
    return _of_words(n, y, bins)


def _of_words(n: Array, y: Array, bins: PhraseBins) -> Scores:
    """Scores (J,) of the words; ``brier_of_means`` takes each word for its mean alone."""
    return {
        "brier": scoring.brier(n, y, bins),
        "brier_of_means": _squared(n, y, bins.mean),
        "ece": scoring.ece(n, y, bins),
        "word_error": scoring.word_error(n, y, bins),
    }


def _of_numbers(n: Array, y: Array, q: Array, bins: PhraseBins) -> Scores:
    """Scores (J,) of the numbers q (J, K) in place of the words."""
    size = len(bins.edges) - 1
    gap = np.zeros((len(n), size))
    place = np.minimum((q * size).astype(np.intp), size - 1)
    np.add.at(gap, (np.arange(len(n))[:, None], place), y - n * q)
    hedged = (bins.mean > 0) & (bins.mean < 1)
    off, said = np.abs(y - n * q)[:, hedged].sum(axis=1), n[:, hedged].sum(axis=1)
    brier = _squared(n, y, q)
    return {
        "brier": brier,
        "brier_of_means": brier,
        "ece": np.abs(gap).sum(axis=1) / n.sum(axis=1),
        "word_error": np.where(said > 0, off / np.maximum(said, 1e-9), np.nan),
    }


def _squared(n: Array, y: Array, q: Array) -> Array:
    """(J,) mean of (q - outcome)^2."""
    squared: Array = (y * (1 - q) ** 2 + (n - y) * q**2).sum(axis=1) / n.sum(axis=1)
    return squared


def _estimate(values: Array, confidence: float, least: float) -> Estimate | None:
    """The mean of the halves' values and its interval, which ends at ``least``; None where it is not defined."""
    from scipy.special import stdtrit

    known = values[~np.isnan(values)]
    if len(known) < 2:
        return None
    mean, size = float(known.mean()), len(known)
    error = float(np.sqrt((1 / size + 1) * known.var(ddof=1)))
    half = float(stdtrit(size - 1, tails(confidence)[1])) * error
    return Estimate(mean, max(mean - half, least), mean + half)
