"""Distributes phrases over the bins of a reliability diagram."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from radcal.system.progress import SILENT, Progress
from radcal.words.phrases import is_point_mass
from radcal.words.records import Phrase, PhraseBins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Reading = Literal["expected", "paper"]
"""How a reference phrase is read: as the mean of its distribution, or as the paper reads it."""


_AT_ONCE = 100
"""Phrases that are binned before somebody may stop it."""
_WHOLE = 1e-9
"""Products this close below a whole number are one that was rounded."""
_BY_PHRASE = ("weight", "moment", "mean", "second", "above_half")


def bin_phrases(
    phrases: Sequence[Phrase],
    n_bins: int = 100,
    method: Literal["exact", "midpoint"] = "exact",
    progress: Progress = SILENT,
) -> PhraseBins:
    """Probability mass and first moment of each phrase's Beta distribution in M equal-width bins.

    With F(x; a, b) the regularised incomplete beta function and bin I_m = [lo, hi),

        W[k, m] = F(hi; a, b) - F(lo; a, b)
        G[k, m] = a / (a + b) (F(hi; a + 1, b) - F(lo; a + 1, b))            method "exact"
        W[k, m] = pdf(mid; a, b) / M,  G[k, m] = mid W[k, m]                 method "midpoint"

    A point mass at p lies wholly in bin floor(p M), the last one at 1, under both methods; p M is taken for a whole
    number within 1e-9, so that 0.57 is where its digits put it.  The midpoint method is the paper's own approximation;
    its rows of W need not add to 1.

    Args:
        phrases: K phrases, alpha and beta >= 0, not both 0.
        n_bins: M >= 2.
        method: "exact" or "midpoint".
        progress: asked now and then whether to stop.

    Returns:
        PhraseBins with arrays of shape (K, M) and (K,).

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 6, 7 and 11.
    """
    parts = []
    for start in range(0, max(len(phrases), 1), _AT_ONCE):
        progress.raise_if_cancelled()
        parts.append(_binned(tuple(phrases[start : start + _AT_ONCE]), n_bins, method))
    if len(parts) == 1:
        return parts[0]
    arrays = (np.concatenate([getattr(p, name) for p in parts]) for name in _BY_PHRASE)
    return PhraseBins(tuple(p.name for p in phrases), parts[0].edges, *arrays)


# The same words are binned again and again, which takes longer than the rest of many a question about them.
@lru_cache(maxsize=32)
def _binned(phrases: tuple[Phrase, ...], n_bins: int, method: Literal["exact", "midpoint"]) -> PhraseBins:
    from scipy.special import betainc, betaln

    a = np.array([p.alpha for p in phrases], dtype=np.float64)
    b = np.array([p.beta for p in phrases], dtype=np.float64)
    edges: NDArray[np.float64] = np.linspace(0.0, 1.0, n_bins + 1)
    points = np.array([is_point_mass(p) for p in phrases], dtype=bool)
    spread = ~points
    A, B = a[spread, None], b[spread, None]

    mean = a / (a + b)
    weight = np.zeros((len(a), n_bins))
    moment = np.zeros_like(weight)
    if method == "exact":
        # Above the mean F is close to 1, where differences cancel to noise: use its complement there.
        above = edges[:-1] > mean[spread, None]
        weight[spread] = _differences(A, B, edges, above)
        moment[spread] = mean[spread, None] * _differences(A + 1, B, edges, above)
    else:
        mid = (edges[:-1] + edges[1:]) / 2
        log_pdf = (A - 1) * np.log(mid) + (B - 1) * np.log1p(-mid) - betaln(A, B)
        weight[spread] = np.exp(log_pdf) / n_bins
        moment[spread] = mid * weight[spread]
    at = np.minimum(np.floor(mean[points] * n_bins + _WHOLE), n_bins - 1).astype(np.intp)
    weight[points, at] = 1.0
    moment[points, at] = mean[points]

    above_half = (mean > 0.5).astype(np.float64)
    above_half[spread] = 1.0 - betainc(a[spread], b[spread], 0.5)
    second = np.where(points, mean**2, mean * (a + 1) / (a + b + 1))
    return PhraseBins(tuple(p.name for p in phrases), edges, weight, moment, mean, second, above_half)


def _differences(a: Array, b: Array, edges: Array, above: NDArray[np.bool_]) -> Array:
    """(K, M) of F(hi; a, b) - F(lo; a, b), of the complement of F where ``above``, each only at the edges it needs."""
    from scipy.special import betainc, betaincc

    weights = np.empty(above.shape)
    for f, bins, sign in ((betainc, ~above, 1), (betaincc, above, -1)):
        needed = np.zeros((len(above), len(edges)), dtype=bool)
        needed[:, 1:] = bins
        needed[:, :-1] |= bins
        values = f(a, b, edges, where=needed, out=np.zeros(needed.shape))
        np.copyto(weights, sign * np.diff(values, axis=1), where=bins)
    return weights


def reference_positive(phrases: Sequence[Phrase], reading: Reading = "expected") -> NDArray[np.float64]:
    """p_l, shape (L,): the probability that a reference phrase means "confirmed".

    E[c_l], which leaves the rate of findings unbiased where the reference means what it says, or the paper's
    P(c_l >= 1/2), which takes a hedge for more than it says.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 4.
    """
    if not phrases:
        return np.zeros(0)
    bins = bin_phrases(phrases, 2)
    return bins.mean if reading == "expected" else bins.above_half


N_BINS = 200
HIGHEST = 8.0
"""Density at which a shape is cut off: some rise without end towards 0 or 1."""


def shapes(phrases: Sequence[Phrase]) -> NDArray[np.float64]:
    """(K, N_BINS) mean density of each phrase on equal bins of [0, 1], clipped at HIGHEST, scaled to maximum 1.

    A point mass is all zeros: it has no density, and is drawn as a line.
    """
    hedges = [i for i, p in enumerate(phrases) if not is_point_mass(p)]
    drawn = np.zeros((len(phrases), N_BINS))
    if hedges:
        density = np.minimum(bin_phrases([phrases[i] for i in hedges], N_BINS).weight * N_BINS, HIGHEST)
        drawn[hedges] = density / density.max(axis=1, keepdims=True)
    return drawn
