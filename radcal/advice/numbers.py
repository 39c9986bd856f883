"""Numbers in place of words, and scores of words and of numbers on statements that nothing was fitted to.

A map from stated certainties to numbers that come true as often as they say, fitted to one half of the statements,
makes a number of the mean of each word, so that the number knows no more of a case than the word.  It is scored as a
word that means this number alone: a point mass.  Maps are fitted with weights, so that a contingency table (a word's
meaning, how often it was said and confirmed) and single statements are the same input; outcomes may be fractions.

A score is the mean over J test halves (:func:`radcal.advice.judge.halved`).  Those are parts of the same statements, so
that its standard error is not that of J independent values but, with variance v over them and halves of equal size,

    sqrt((1 / J + 1) v)

and its interval takes the quantiles of Student's t with J - 1 degrees of freedom.

Sources: Nadeau and Bengio, "Inference for the generalization error", Machine Learning 2003;52:239-281.  Platt,
"Probabilistic outputs for support vector machines", 1999.  Zadrozny and Elkan, "Transforming classifier scores into
accurate multiclass probability estimates", KDD 2002.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from radcal.calibration import scoring
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
    Fit = Callable[[Array, Array, Array], "Recalibration"]

Recalibration: TypeAlias = "Callable[[Array], Array]"
"""From certainties (...) in 0-1 to recalibrated ones of the same shape."""
FEWEST_BINS, MOST_BINS, BIN_SIZE = 2, 10, 20
"""Histogram binning has a bin for every BIN_SIZE statements, within these numbers of bins."""


def platt(scores: Array, outcomes: Array, weights: Array | None = None) -> Recalibration:
    """Platt scaling: 1 / (1 + exp(-(a s + b))) of greatest likelihood.

    Targets are smoothed by one success and one failure (Platt), so that a perfect separation and a single class of
    outcomes have a finite answer: 1 becomes (P + 1) / (P + 2) with P the positives, 0 becomes 1 / (N + 2).

    Args:
        scores, outcomes: (n,), in 0-1, n > 0.
        weights: (n,), how often each occurred; else 1.
    """
    from scipy.special import expit

    scores, outcomes, weights = checked(scores, outcomes, weights)
    slopes, intercept = logistic_fit(scores[:, None], outcomes, weights)
    return lambda s: np.asarray(expit(slopes[0] * s + intercept))


def isotonic(scores: Array, outcomes: Array, weights: Array | None = None) -> Recalibration:
    """Isotonic regression: the rising step function of least squares, linear between; arguments as of ``platt``."""
    from sklearn.isotonic import IsotonicRegression

    scores, outcomes, weights = checked(scores, outcomes, weights)
    fitted = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores, outcomes, sample_weight=weights)
    return lambda s: np.asarray(fitted.predict(np.ravel(s)), dtype=np.float64).reshape(np.shape(s))


def histogram_binning(scores: Array, outcomes: Array, bins: int, weights: Array | None = None) -> Recalibration:
    """Histogram binning: the share of outcomes in up to ``bins`` bins of equal weight; others as of ``platt``.

    Equal certainties are never parted, so that the same words always get the same number.
    """
    scores, outcomes, weights = checked(scores, outcomes, weights)
    edges, place = equal_mass(scores, bins, weights)
    values = means_of(place, outcomes, weights, len(edges) + 1)
    return lambda s: values[np.searchsorted(edges, s, side="right")]


def checked(scores: Array, outcomes: Array, weights: Array | None) -> tuple[Array, Array, Array]:
    scores, outcomes = np.asarray(scores, dtype=np.float64), np.asarray(outcomes, dtype=np.float64)
    weights = np.ones(len(scores)) if weights is None else np.asarray(weights, dtype=np.float64)
    used = weights > 0
    return scores[used], outcomes[used], weights[used]


def equal_mass(scores: Array, bins: int, weights: Array | None = None) -> tuple[Array, NDArray[np.intp]]:
    """Up to ``bins`` bins of as equal weight as is possible without parting equal scores.

    Args:
        scores: (n,), n > 0.
        bins: at least 1.
        weights: (n,), above 0; else 1.

    Returns:
        The edges between the bins, each halfway between two scores, and the bin of each score, (n,), from 0 without
        gaps.
    """
    distinct, which = np.unique(scores, return_inverse=True)
    mass = np.bincount(which, weights=weights)
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    _, place = np.unique(np.minimum((middle * bins).astype(np.intp), bins - 1), return_inverse=True)
    first = np.flatnonzero(np.diff(place)) + 1
    return (distinct[first - 1] + distinct[first]) / 2, place[which]


def means_of(place: NDArray[np.intp], values: Array, weights: Array, bins: int) -> Array:
    total = np.bincount(place, weights=weights * values, minlength=bins)
    return np.asarray(total / np.bincount(place, weights=weights, minlength=bins))


def logistic_fit(features: Array, outcomes: Array, weights: Array) -> tuple[Array, float]:
    """Slopes and intercept of greatest likelihood, with Platt's smoothed targets."""
    from sklearn.linear_model import LogisticRegression

    positives = float(weights @ outcomes)
    negatives = float(weights.sum()) - positives
    target = outcomes * (positives + 1) / (positives + 2) + (1 - outcomes) / (negatives + 2)
    both = np.concatenate([weights * target, weights * (1 - target)])
    labels = np.repeat([1, 0], len(features))
    model = LogisticRegression(C=np.inf, max_iter=1000).fit(np.vstack([features, features]), labels, sample_weight=both)
    return model.coef_[0], float(model.intercept_[0])


def _histogram_binning(scores: Array, outcomes: Array, weights: Array) -> Recalibration:
    bins = int(np.clip(weights.sum() // BIN_SIZE, FEWEST_BINS, MOST_BINS))
    return histogram_binning(scores, outcomes, bins, weights)


FITS: Mapping[Method, Fit] = {
    "histogram": _histogram_binning,
    "platt": platt,
    "isotonic": isotonic,
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
    :func:`radcal.calibration.scoring.word_error`.
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
