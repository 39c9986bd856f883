"""Numbers in place of words, and scores of words and of numbers on statements that nothing was fitted to.

A map of :mod:`radcal.reliability.recalibration`, fitted to one half of the statements, makes a number of the mean of
each word, so that the number knows no more of a case than the word.  It is scored as a word that means this number
alone: a point mass.

A score is the mean over J test halves (:func:`radcal.advice.judge.halved`).  Those are parts of the same statements, so
that its standard error is not that of J independent values but, with variance v over them and halves of equal size,

    sqrt((1 / J + 1) v)

and its interval takes the quantiles of Student's t with J - 1 degrees of freedom.

Source: Nadeau and Bengio, "Inference for the generalization error", Machine Learning 2003;52:239-281.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability import recalibration, scoring
from radcal.system.estimates import Estimate
from radcal.system.intervals import tails
from radcal.words.bins import bin_phrases
from radcal.words.phrases import point

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.advice.records import Method
    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]
    Fit = Callable[[Array, Array, Array], recalibration.Recalibration]

FEWEST_BINS, MOST_BINS, BIN_SIZE = 2, 10, 20
"""Histogram binning has a bin for every BIN_SIZE statements, within these numbers of bins."""


def _histogram_binning(scores: Array, outcomes: Array, weights: Array) -> recalibration.Recalibration:
    bins = int(np.clip(weights.sum() // BIN_SIZE, FEWEST_BINS, MOST_BINS))
    return recalibration.histogram_binning(scores, outcomes, bins, weights)


FITS: Mapping[Method, Fit] = {
    "histogram": _histogram_binning,
    "platt": recalibration.platt,
    "isotonic": recalibration.isotonic,
}
"""The methods that make numbers, by name."""


def numbers(method: Method, n: Array, y: Array, mean: Array) -> Array:
    """The numbers (J, K), in 0-1, in place of words, as each of J fits makes them.

    Args:
        method: one of FITS.
        n, y: (J, K) statements with each word, and confirmed ones, to fit to; where there are none, words keep their
            means.
        mean: (K,) E[S|k].
    """
    made = np.tile(mean, (len(n), 1))
    for j in np.flatnonzero(n.sum(axis=1) > 0):
        said = n[j] > 0
        fitted = FITS[method](mean[said], y[j, said] / n[j, said], n[j, said])
        made[j] = np.clip(fitted(mean), 0, 1)
    return made


def scores(n: Array, y: Array, bins: PhraseBins, hedged: Mask | None = None) -> dict[str, Array]:
    """ECE, Brier score, word error and accuracy (...) of words, from statements n and confirmed ones y (..., K).

    ``brier_of_means`` takes each word for its mean, as if it had no width;  ``hedged`` as in
    :func:`radcal.reliability.scoring.word_error`.
    """
    return {
        "ece": scoring.ece(n, y, bins),
        "brier": scoring.brier(n, y, bins),
        "brier_of_means": scoring.brier(n, y, replace(bins, second=bins.mean**2)),
        "word_error": scoring.word_error(n, y, bins, hedged),
        "accuracy": scoring.accuracy(n, y, bins),
    }


def scores_of_numbers(n: Array, y: Array, q: Array, words: PhraseBins) -> dict[str, Array]:
    """The scores (J,) of :func:`scores` when the numbers q (J, K) stand in place of the K words; n, y (J, K)."""
    hedged = (words.mean > 0) & (words.mean < 1)
    made = [
        scores(*counts, _points(values, words), hedged)
        for counts, values in zip(zip(n, y, strict=True), q, strict=True)
    ]
    return {name: np.array([one[name] for one in made]) for name in made[0]}


def _points(q: Array, words: PhraseBins) -> PhraseBins:
    named = zip(words.phrases, q.tolist(), strict=True)
    return bin_phrases([point(name, value) for name, value in named], len(words.edges) - 1)


def estimate(values: Array, confidence: float, least: float = 0.0) -> Estimate:
    """The mean over test halves with its interval, within ``least`` to 1.

    Args:
        values: (J,) a score, or a difference of scores, of each half, J > 1.
        confidence: coverage, in 0-1.
    """
    from scipy.special import stdtrit

    mean, size = float(values.mean()), len(values)
    error = float(np.sqrt((1 / size + 1) * values.var(ddof=1)))
    reach = float(stdtrit(size - 1, tails(confidence)[1])) * error
    return Estimate(mean, max(mean - reach, least), min(mean + reach, 1.0))
