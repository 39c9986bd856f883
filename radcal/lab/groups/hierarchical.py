"""A logistic map from certainties to rates with an intercept and a slope for each partition, partially pooled.

    logit P(confirmed | z, partition s) = (a + a_s) + (b + b_s) z,    a_s ~ N(0, t_a),  b_s ~ N(0, t_b)

where z is the logit of the certainty, standardised.  The variances t_a, t_b maximise the marginal likelihood: EM with
Laplace's approximation of the posterior of (a_s, b_s), so that partitions that behave alike are pooled, those that do
not stand alone, and small ones lean on the others.  A partition never seen has the map of all.

Targets are smoothed by one success and one failure (Platt), so that a single class has a finite answer.

Source: Gelman and Hill, "Data Analysis Using Regression and Multilevel/Hierarchical Models", 2007, chapter 14;
Breslow and Clayton, "Approximate inference in generalized linear mixed models", JASA 1993;88:9-25.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

_NEAREST = 1e-3
"""How near to 0 and 1 a certainty may be before its logit is taken."""
_PRECISION = np.diag([1e-2, 1e-2])
"""Of the weak prior on a and b around 0, in which z has unit variance."""
_START, _LEAST = 0.3, 1e-6
_ROUNDS, _STEPS = 60, 20
_LONGEST = 2.0
_CLOSE = 1e-3


@dataclass(frozen=True, eq=False)
class Hierarchical:
    """The fitted map.

    centre, scale: of the logits;  line: (K, 2), intercept and slope of each partition;  overall: (2,), of all
    variance: (2,), t_a and t_b
    """

    centre: float
    scale: float
    line: Array
    overall: Array
    variance: Array

    def __call__(self, scores: Array, partition: Codes) -> Array:
        """Rates (n,) of certainties (n,) in partitions (n,)."""
        from scipy.special import expit

        z = (_logit(scores) - self.centre) / self.scale
        line = self.line[partition]
        return np.asarray(expit(line[:, 0] + line[:, 1] * z))


def fit(scores: Array, outcomes: Array, partition: Codes, partitions: int) -> Hierarchical:
    """Fit the map.

    Args:
        scores, outcomes: (n,), in 0-1, n > 0.
        partition: (n,), 0 to K - 1.
        partitions: K.
    """
    raw = _logit(scores)
    centre, scale = float(raw.mean()), float(raw.std())
    scale = scale if scale > 1e-9 else 1.0
    positives = float(outcomes.sum())
    negatives = len(outcomes) - positives
    target = outcomes * (positives + 1) / (positives + 2) + (1 - outcomes) / (negatives + 2)
    # Equal certainties of a partition are one row with a weight.
    cell, place = np.unique(np.column_stack([partition, (raw - centre) / scale]), axis=0, return_inverse=True)
    n, y = (np.bincount(place.ravel(), weights).astype(np.float64) for weights in (None, target))
    data = cell[:, 0].astype(np.intp), cell[:, 1], n, y
    rate = target.mean()
    overall, own, variance = np.array([np.log(rate / (1 - rate)), 0.0]), np.zeros((partitions, 2)), np.full(2, _START)
    seen = np.bincount(data[0], minlength=partitions) > 0
    for _ in range(_ROUNDS):
        overall, own, spread = _mode(*data, overall, own, variance)
        new = np.maximum((own**2 + spread)[seen].mean(axis=0), _LEAST)
        moved = np.abs(np.log(new / variance)).max()
        variance = new
        if moved < _CLOSE:
            break
    return Hierarchical(centre, scale, overall + own, overall, variance)


def _mode(
    partition: Codes, z: Array, n: Array, y: Array, overall: Array, own: Array, variance: Array
) -> tuple[Array, Array, Array]:
    """The most probable (2,) and (K, 2) under these variances, and the posterior variance (K, 2) of the second.

    Newton's method; the Hessian is an arrow of 2 x 2 blocks, so that a step costs O(cells + K).

    Args:
        partition, z, n, y: of cells of equal certainty z in a partition, with n rows and y positives.
        overall, own: where to begin.
    """
    from scipy.special import expit

    def summed(values: Array) -> Array:
        return np.bincount(partition, weights=values, minlength=len(own)).astype(np.float64)

    precision = np.diag(1 / variance)
    for _ in range(_STEPS):
        line = overall + own
        p = expit(line[partition, 0] + line[partition, 1] * z)
        residual, weight = y - n * p, n * p * (1 - p)
        score = np.column_stack([summed(residual), summed(residual * z)])
        cross = summed(weight * z)
        H = np.array([[summed(weight), cross], [cross, summed(weight * z**2)]]).transpose(2, 0, 1)
        inverse = np.linalg.inv(H + precision)
        back = H @ inverse
        schur = (H - back @ H).sum(axis=0) + _PRECISION
        own_score = score - own @ precision
        together = score.sum(axis=0) - _PRECISION @ overall - _times(back, own_score).sum(axis=0)
        step = np.linalg.solve(schur, together)
        own_step = _times(inverse, own_score - _times(H, np.broadcast_to(step, own.shape)))
        longest = max(np.abs(step).max(), np.abs(own_step).max(), 1e-300)
        share = min(1.0, _LONGEST / longest)
        overall, own = overall + share * step, own + share * own_step
        if longest < 1e-8:
            break
    forth = np.swapaxes(back, 1, 2)
    whole = inverse + forth @ np.linalg.inv(schur) @ back
    return overall, own, np.diagonal(whole, axis1=1, axis2=2)


def _times(matrices: NDArray[np.floating[Any]], vectors: Array) -> Array:
    return np.asarray(np.einsum("kij,kj->ki", matrices, vectors))


def _logit(scores: Array) -> Array:
    from scipy.special import logit

    return np.asarray(logit(np.clip(scores, _NEAREST, 1 - _NEAREST)))
