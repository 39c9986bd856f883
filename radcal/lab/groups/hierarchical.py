"""A logistic map from certainties to rates with an intercept and a slope for each partition, partially pooled.

    logit P(confirmed | z, partition s) = (a + a_s) + (b + b_s) z,    a_s ~ N(0, t_a),  b_s ~ N(0, t_b)

where z is the logit of the certainty, or the certainty itself, standardised.  The variances t_a, t_b maximise the
marginal likelihood: EM with Laplace's approximation of the posterior of (a_s, b_s), so that partitions that behave
alike are pooled, those that do not stand alone, and small ones lean on the others.  A partition never seen has the map
of all.

Targets are smoothed by one success and one failure (Platt), so that a single class has a finite answer.

Source: Gelman and Hill, "Data Analysis Using Regression and Multilevel/Hierarchical Models", 2007, chapter 14;
Breslow and Clayton, "Approximate inference in generalized linear mixed models", JASA 1993;88:9-25.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

_NEAREST = 1e-3
"""How near to 0 and 1 a certainty may be before its logit is taken."""
_PRECISION = (1e-2, 1e-2)
"""Of the weak prior on a and b around 0, in which z has unit variance."""
_START, _LEAST = 0.3, 1e-6
_ROUNDS, _STEPS = 60, 20
_LONGEST = 2.0
_CLOSE, _NEAR = 1e-3, 1e-8


@dataclass(frozen=True, eq=False)
class Hierarchical:
    """The fitted map.

    straight: of certainties themselves, not of their logits
    centre, scale: of these;  line: (K, 2), intercept and slope of each partition;  overall: (2,), of all
    variance: (2,), t_a and t_b
    """

    centre: float
    scale: float
    line: Array
    overall: Array
    variance: Array
    straight: bool = False

    def __call__(self, scores: Array, partition: Codes) -> Array:
        """Rates (n,) of certainties (n,) in partitions (n,)."""
        from scipy.special import expit

        z = ((scores if self.straight else _logit(scores)) - self.centre) / self.scale
        line = self.line[partition]
        return np.asarray(expit(line[:, 0] + line[:, 1] * z))


def fit(scores: Array, outcomes: Array, partition: Codes, partitions: int, *, straight: bool = False) -> Hierarchical:
    """Fit the map.

    Args:
        scores, outcomes: (n,), in 0-1, n > 0.
        partition: (n,), 0 to K - 1.
        partitions: K.
        straight: z is the certainty itself, as in equation 5 of the QA-calibration paper, not its logit.
    """
    from scipy.sparse import csr_array, hstack

    raw = scores if straight else _logit(scores)
    centre, scale = float(raw.mean()), float(raw.std())
    scale = scale if scale > 1e-9 else 1.0
    positives = float(outcomes.sum())
    negatives = len(outcomes) - positives
    target = outcomes * (positives + 1) / (positives + 2) + (1 - outcomes) / (negatives + 2)
    # Equal certainties of a partition are one row with a weight.
    cell, place = np.unique(np.column_stack([partition, (raw - centre) / scale]), axis=0, return_inverse=True)
    n, y = (np.bincount(place.ravel(), weights).astype(np.float64) for weights in (None, target))
    rate = target.mean()
    # An intercept and a slope of all, and then those of each partition.
    own_z = csr_array((cell[:, 1], (np.arange(len(cell)), cell[:, 0].astype(np.intp))), (len(cell), partitions))
    own_1 = csr_array((np.ones(len(cell)), own_z.indices, own_z.indptr), own_z.shape)
    X = hstack([csr_array(np.column_stack([np.ones(len(cell)), cell[:, 1]])), own_1, own_z], format="csr")
    mode = np.zeros(2 + 2 * partitions)
    mode[0], variance = np.log(rate / (1 - rate)), np.full(2, _START)
    seen = np.bincount(own_z.indices, minlength=partitions) > 0
    for _ in range(_ROUNDS):
        precision = np.concatenate([_PRECISION, np.repeat(1 / variance, partitions)])
        mode, spread = _mode(X, n, y, mode, precision)
        own = (mode**2 + spread)[2:].reshape(2, partitions).T
        new = np.maximum(own[seen].mean(axis=0), _LEAST)
        moved = np.abs(np.log(new / variance)).max()
        variance = new
        if moved < _CLOSE:
            break
    line = mode[:2] + mode[2:].reshape(2, partitions).T
    return Hierarchical(centre, scale, line, mode[:2], variance, straight)


def _mode(X: csr_array, n: Array, y: Array, mode: Array, precision: Array) -> tuple[Array, Array]:
    """The most probable (P,) with these precisions (P,), by Newton's method, and its posterior variances.

    Args:
        X: (cells, P) what each cell's logit adds up;  n, y: (cells,), its rows and positives.
        mode: where to begin.
    """
    from scipy.special import expit

    for _ in range(_STEPS):
        p = expit(X @ mode)
        inverse = np.linalg.inv((X.T.multiply(n * p * (1 - p)) @ X).toarray() + np.diag(precision))
        step = inverse @ (X.T @ (y - n * p) - precision * mode)
        longest = max(np.abs(step).max(), 1e-300)
        mode = mode + min(1.0, _LONGEST / longest) * step
        if longest < _NEAR:
            break
    return mode, np.diag(inverse)


def _logit(scores: Array) -> Array:
    from scipy.special import logit

    return np.asarray(logit(np.clip(scores, _NEAREST, 1 - _NEAREST)))
