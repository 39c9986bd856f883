"""Bins that keep what a scaled certainty tells, with no more numbers than the findings can bear, and their shares."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from radcal.lab.groups.bounds import ALPHA
from radcal.lab.groups.measures import MOST_VALUES
from radcal.reliability.recalibration import equal_mass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

_MOST_CELLS = 200
"""Different scores that cuts are sought between; where there are more, cells of equal mass."""
_SAME = 9
"""Decimals to which scores count as one."""
_LEAST = 1e-4
_STRENGTHS = 2.0 ** np.arange(13)
"""Findings that what is expected of a bin may count for."""


def informative_cuts(scores: Array, outcomes: Array, points: int) -> Array:
    """Cuts between at most MOST_VALUES bins of at least ``points`` rows, (B - 1,), each above its lower bin's scores.

    First the cuts that keep most of the scores' variance, by dynamic programming over the different scores.  Then
    neighbours are put together, those that differ least first, until every two of them differ by more than two bins of
    n_1 and n_2 rows may do by chance:

        rate_2 - rate_1 > sqrt(log(2 N / (b alpha)) / 2 (1 / (n_1 - 1) + 1 / (n_2 - 1))),

    Hoeffding's bound of a difference with the N / b bins of the bound on each of them.  A bin put together from others
    is within the bound if they are.

    Args:
        scores, outcomes: (N,), in 0-1; fewer than ``points`` are a single bin.
        points: b >= 2, fewest rows of a bin.
    """
    if len(scores) < 2 * points:
        return np.zeros(0)
    cuts = _cuts(np.round(scores, _SAME), points)
    reach = math.log(2 * len(scores) / (points * ALPHA)) / 2
    while True:
        place = np.searchsorted(cuts, np.round(scores, _SAME))
        n = np.bincount(place, minlength=len(cuts) + 1)
        share = np.bincount(place, weights=outcomes, minlength=len(cuts) + 1) / n
        beyond = np.diff(share) - np.sqrt(reach * (1 / (n[:-1] - 1) + 1 / (n[1:] - 1)))
        if (beyond > 0).all():
            return cuts
        cuts = np.delete(cuts, beyond.argmin())


def bin_of(scores: Array, cuts: Array) -> Codes:
    """The bin of each score."""
    return np.searchsorted(cuts, np.round(scores, _SAME))


def pooled_shares(y: Array, n: Array, expected: Array) -> Array:
    """The share of each bin, drawn towards what a map expects of it, as far as other bins agree with the map; (B,).

    A bin's rate is Beta(s m, s (1 - m)) with m what is expected, so that a share becomes (y + s m) / (n + s); averaged
    over strengths s from 1 to 4,096, each weighed by the likelihood of all bins.

    Args:
        y, n: (B,), confirmed and all rows, n may be 0.
        expected: (B,), in 0-1.
    """
    from scipy.special import betaln

    m = np.clip(expected, _LEAST, 1 - _LEAST)[:, None]
    a, b = _STRENGTHS * m, _STRENGTHS * (1 - m)
    log = (betaln(y[:, None] + a, n[:, None] - y[:, None] + b) - betaln(a, b)).sum(axis=0)
    weight = np.exp(log - log.max())
    return np.asarray((y[:, None] + a) / (n[:, None] + _STRENGTHS) @ (weight / weight.sum()))


def few_numbers(values: Array, counts: Array) -> Array:
    """The values of bins, (B,), with those put together that lie nearest, so that MOST_VALUES different ones are left.

    Ten numbers are few enough to know and to act on.  Of all ways to put neighbours together, the one of least squared
    error over rows; bins put together have their mean over rows.

    Args:
        values: (B,), in 0-1, of the bins of all partitions.
        counts: (B,), rows of each bin, 0 or more.
    """
    said = np.repeat(values, counts.astype(np.intp))
    cuts = _cuts(np.round(said, _SAME), 1)
    place = bin_of(said, cuts)
    n = np.bincount(place, minlength=len(cuts) + 1)
    means = np.bincount(place, said, len(cuts) + 1) / n
    return np.asarray(means[bin_of(values, cuts)])


def _cuts(scores: Array, points: int) -> Array:
    """Cuts of least variance within bins of at least ``points`` rows, as many of them as that allows."""
    distinct, n = np.unique(scores, return_counts=True)
    last = np.arange(len(distinct))
    if len(distinct) > _MOST_CELLS:
        _, cell = equal_mass(distinct, _MOST_CELLS, n.astype(np.float64))
        last = np.append(np.flatnonzero(np.diff(cell)), len(distinct) - 1)
    N = np.concatenate([[0], np.cumsum(n)[last]])
    total = np.concatenate([[0.0], np.cumsum(n * distinct)[last]])
    size = N[None, :] - N[:, None]
    kept = np.where(size >= points, (total[None, :] - total[:, None]) ** 2 / np.maximum(size, 1), -np.inf)
    best, back = kept[0], []
    for _ in range(min(MOST_VALUES, len(scores) // points) - 1):
        candidates = best[:, None] + kept
        further = candidates.max(axis=0)
        if not np.isfinite(further[-1]):
            break
        back.append(candidates.argmax(axis=0))
        best = further
    ends, at = [], len(N) - 1
    for choice in reversed(back):
        at = int(choice[at])
        ends.append(at)
    edge = last[np.array(ends[::-1], dtype=np.intp) - 1]
    return np.asarray((distinct[edge] + distinct[edge + 1]) / 2)
