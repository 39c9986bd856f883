"""Calibration scores from counts.

n (K,) counts the uses of each phrase, y (K,) those confirmed by the reference (fractional if the reference is
uncertain).  Leading axes are groups or resamples: n and y may be (..., K) throughout, and the result is (...).

Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 4, 6, 7, 11, 19.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]
    Numbers = TypeVar("Numbers", NDArray[np.float64], NDArray[np.float32])


def _share(total: Array, n: Array) -> Array:
    """total / n, NaN where n is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        share: Array = np.where(n > 0, total / n, np.nan)
    return share


def corrected(y: Numbers, n: Numbers, sensitivity: float, specificity: float) -> Numbers:
    """How many of n findings are there, of which y (fractional) were confirmed by a CT that errs; within 0 to n.

    (y - n (1 - specificity)) / (sensitivity + specificity - 1)

    Source: Rogan and Gladen, "Estimating prevalence from the results of a screening test", Am. J. Epidemiol.
    1978;107:71-76.
    """
    if sensitivity == specificity == 1:
        return y
    there: Numbers = np.clip((y - n * (1 - specificity)) / (sensitivity + specificity - 1), 0, n).astype(y.dtype)
    return there


def ece(n: Array, y: Array, bins: PhraseBins) -> Array:
    """Expected calibration error, in 0-1: sum_m p_m |r_m - g_m| = (1/N) sum_m |y W - n G|_m; NaN if N = 0."""
    gap = np.abs(y @ bins.weight - n @ bins.moment)
    return _share(gap.sum(axis=-1), n.sum(axis=-1))


def ece_star(n: Array, y: Array, bins: PhraseBins) -> Array:
    """ECE without the first and last bin, renormalised; NaN if no statement lies between."""
    gap = np.abs(y @ bins.weight[:, 1:-1] - n @ bins.moment[:, 1:-1]).sum(axis=-1)
    return _share(gap, (n @ bins.weight[:, 1:-1]).sum(axis=-1))


def word_error(n: Array, y: Array, bins: PhraseBins, hedged: NDArray[np.bool_] | None = None) -> Array:
    """Mean distance of the confirmed rate from a word's meaning, in 0-1: sum_k |y_k - n_k E[S|k]| / sum_k n_k.

    Over hedged words alone, 0 < E[S|k] < 1, or those named in ``hedged`` (K,); NaN if nothing was hedged.
    """
    if hedged is None:
        hedged = (bins.mean > 0) & (bins.mean < 1)
    gap = np.abs(y - n * bins.mean)[..., hedged].sum(axis=-1)
    return _share(gap, n[..., hedged].sum(axis=-1))


def brier(n: Array, y: Array, bins: PhraseBins) -> Array:
    """Mean squared difference between stated certainty and outcome, in 0-1; NaN if N = 0.

    (1/N) sum_k y_k (1 - 2 m1_k + m2_k) + (n_k - y_k) m2_k with m1 = E[S|k], m2 = E[S^2|k].
    """
    return _share(y @ (1 - 2 * bins.mean) + n @ bins.second, n.sum(axis=-1))


def accuracy(n: Array, y: Array, bins: PhraseBins) -> Array:
    """Proportion of statements on the correct side of 1/2, in 0-1; NaN if N = 0."""
    q = bins.above_half
    return _share(y @ q + (n - y) @ (1 - q), n.sum(axis=-1))


def mce(n: Array, y: Array, bins: PhraseBins) -> Array:
    """Maximum calibration error, in 0-1: max |r_m - g_m| over the non-empty bins; NaN if N = 0."""
    mass = n @ bins.weight
    gap = _share(np.abs(y @ bins.weight - n @ bins.moment), mass)
    largest: Array = np.where(mass > 0, gap, -1.0).max(axis=-1)
    return np.where(largest < 0, np.nan, largest)


def auroc(n: Array, y: Array, bins: PhraseBins) -> Array:
    """Probability that a confirmed statement was worded with more certainty than an unconfirmed one, in 0-1.

    Phrases are ranked by their mean; ties count one half.  NaN if all or none of the statements were confirmed.
    """
    _, rank = np.unique(bins.mean, return_inverse=True)
    order = np.argsort(rank, kind="stable")
    last = np.searchsorted(rank[order], rank, side="right") - 1
    first = np.searchsorted(rank[order], rank, side="left")
    weaker = np.cumsum(y[..., order], axis=-1)
    # Confirmed statements that were worded with more certainty than each phrase, and half of those with as much.
    beaten = weaker[..., -1:] - (weaker[..., last] + weaker[..., first] - y[..., order][..., first]) / 2
    unconfirmed = n - y
    return _share((beaten * unconfirmed).sum(axis=-1), y.sum(axis=-1) * unconfirmed.sum(axis=-1))


def resolution(n: Array, y: Array) -> Array:
    """Separation of confirmed from unconfirmed statements by the phrases, in 0-0.25; NaN if N = 0.

    sum_k (n_k / N) (y_k / n_k - y / N)^2: the variance of the confirmation rate over the phrases, which is the
    resolution term in the decomposition of the Brier score of phrase means,
    (1/N) sum_k n_k (mean_k - rate_k)^2 - resolution + base (1 - base), base = y / N.

    Source: Murphy, "A new vector partition of the probability score", J. Appl. Meteorol. 1973;12:595-600.
    """
    total = n.sum(axis=-1)
    base = _share(y.sum(axis=-1), total)
    spread = np.where(n > 0, _share(y, n) - base[..., None], 0.0)
    return _share((n * spread**2).sum(axis=-1), total)


def sharpness(n: Array, bins: PhraseBins) -> Array:
    """Variance of the stated certainties, in 0-0.25; NaN if N = 0.

    sum_k (n_k / N) (mean_k - overall mean)^2: the variance of the phrase means.  It is 0 for an author with a single
    phrase, and largest for one who only writes "absent" and "present".
    """
    total = n.sum(axis=-1)
    centre = _share(n @ bins.mean, total)
    return _share((n * (bins.mean - centre[..., None]) ** 2).sum(axis=-1), total)
