"""Maps from stated certainties to numbers that come true as often as they say, fitted on certainties and outcomes.

What numbers can reach where words are limited to their few meanings: the baselines beside a plan of words.  Everything
is fitted with weights, so that a contingency table (a word's meaning, how often it was said and confirmed) and single
statements are the same input; outcomes may be fractions.

Sources: Platt, "Probabilistic outputs for support vector machines", 1999.  Zadrozny and Elkan, "Transforming classifier
scores into accurate multiclass probability estimates", KDD 2002.  Kull, Silva Filho and Flach, "Beta calibration",
AISTATS 2017.  Kumar, Liang and Ma, "Verified uncertainty calibration", NeurIPS 2019.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Recalibration: TypeAlias = "Callable[[Array], Array]"
"""From certainties (...) in 0-1 to recalibrated ones of the same shape."""
_NEAREST = 1e-3
"""How near to 0 and 1 a certainty may be before its logarithm is taken."""


def platt(scores: Array, outcomes: Array, weights: Array | None = None) -> Recalibration:
    """Platt scaling: 1 / (1 + exp(-(a s + b))) of greatest likelihood.

    Targets are smoothed by one success and one failure (Platt), so that a perfect separation and a single class of
    outcomes have a finite answer: 1 becomes (P + 1) / (P + 2) with P the positives, 0 becomes 1 / (N + 2).

    Args:
        scores, outcomes: (n,), in 0-1, n > 0.
        weights: (n,), how often each occurred; else 1.
    """
    from scipy.special import expit

    scores, outcomes, weights = _checked(scores, outcomes, weights)
    slopes, intercept = _fit(scores[:, None], outcomes, weights)
    return lambda s: np.asarray(expit(slopes[0] * s + intercept))


def beta(scores: Array, outcomes: Array, weights: Array | None = None) -> Recalibration:
    """Beta calibration: logit p = a log s - b log(1 - s) + c with a, b >= 0; arguments and outcomes as of ``platt``.

    Certainties are kept 0.001 away from 0 and 1.
    """
    from scipy.special import expit

    scores, outcomes, weights = _checked(scores, outcomes, weights)

    def features(s: Array, used: list[int]) -> Array:
        s = s.clip(_NEAREST, 1 - _NEAREST)
        return np.column_stack([np.log(s), -np.log1p(-s)])[:, used]

    used = [0, 1]
    while used:
        slopes, intercept = _fit(features(scores, used), outcomes, weights)
        if (slopes >= 0).all():
            break
        used.pop(int(slopes.argmin()))  # the constraint is active: without the feature that would turn the order round
    else:
        mean = float(np.average(outcomes, weights=weights))
        return lambda s: np.full(np.shape(s), mean)
    return lambda s: np.asarray(expit(features(np.ravel(s), used) @ slopes + intercept)).reshape(np.shape(s))


def isotonic(scores: Array, outcomes: Array, weights: Array | None = None) -> Recalibration:
    """Isotonic regression: the rising step function of least squares, linear between; arguments as of ``platt``."""
    from sklearn.isotonic import IsotonicRegression

    scores, outcomes, weights = _checked(scores, outcomes, weights)
    fitted = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores, outcomes, sample_weight=weights)
    return lambda s: np.asarray(fitted.predict(np.ravel(s)), dtype=np.float64).reshape(np.shape(s))


def histogram_binning(scores: Array, outcomes: Array, bins: int, weights: Array | None = None) -> Recalibration:
    """Histogram binning: the share of outcomes in up to ``bins`` bins of equal weight; others as of ``platt``.

    Equal certainties are never parted, so that the same words always get the same number.
    """
    scores, outcomes, weights = _checked(scores, outcomes, weights)
    edges, place = equal_mass(scores, bins, weights)
    values = _means(place, outcomes, weights, len(edges) + 1)
    return lambda s: values[np.searchsorted(edges, s, side="right")]


def scaling_binning(scores: Array, outcomes: Array, bins: int, weights: Array | None = None) -> Recalibration:
    """Scaling-binning: Platt scaling, then the mean of its values in each bin; as ``histogram_binning``."""
    scores, outcomes, weights = _checked(scores, outcomes, weights)
    scale = platt(scores, outcomes, weights)
    scaled = scale(scores)
    edges, place = equal_mass(scaled, bins, weights)
    values = _means(place, scaled, weights, len(edges) + 1)
    return lambda s: values[np.searchsorted(edges, scale(s), side="right")]


def _checked(scores: Array, outcomes: Array, weights: Array | None) -> tuple[Array, Array, Array]:
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


def _means(place: NDArray[np.intp], values: Array, weights: Array, bins: int) -> Array:
    total = np.bincount(place, weights=weights * values, minlength=bins)
    return np.asarray(total / np.bincount(place, weights=weights, minlength=bins))


def _fit(features: Array, outcomes: Array, weights: Array) -> tuple[Array, float]:
    """Slopes and intercept of greatest likelihood, with Platt's smoothed targets."""
    from sklearn.linear_model import LogisticRegression

    positives = float(weights @ outcomes)
    negatives = float(weights.sum()) - positives
    target = outcomes * (positives + 1) / (positives + 2) + (1 - outcomes) / (negatives + 2)
    both = np.concatenate([weights * target, weights * (1 - target)])
    labels = np.repeat([1, 0], len(features))
    model = LogisticRegression(C=np.inf, max_iter=1000).fit(np.vstack([features, features]), labels, sample_weight=both)
    return model.coef_[0], float(model.intercept_[0])
