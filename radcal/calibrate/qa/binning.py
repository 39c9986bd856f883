"""Bins within a partition that keep what a scaled certainty tells, and no more numbers than the findings can bear."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibrate.qa.bounds import ALPHA
from radcal.calibrate.qa.measures import MOST_VALUES, equal_mass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

_MOST_CELLS = 200
"""Different scores that cuts are sought between; where there are more, cells of equal mass."""
_SAME = 9
"""Decimals to which scores count as one."""


def informative_bins(scores: Array, outcomes: Array, points: int) -> tuple[Array, Array]:
    """Cuts between bins, and the share of outcomes in each: at most MOST_VALUES bins of at least ``points`` rows.

    First the cuts that keep most of the scores' variance, by dynamic programming over the different scores.  Then
    neighbours are put together, those that differ least first, until every two of them differ by more than two bins of
    n_1 and n_2 rows may do by chance:

        rate_2 - rate_1 > sqrt(log(2 N / (b alpha)) / 2 (1 / (n_1 - 1) + 1 / (n_2 - 1))),

    Hoeffding's bound of a difference with the N / b bins of the bound on each of them.  A bin put together from others
    is within the bound if they are.

    Args:
        scores, outcomes: (N,), in 0-1, N >= points.
        points: b >= 2, fewest rows of a bin.

    Returns:
        Cuts (B - 1,), each above the scores of its lower bin, and shares (B,).
    """
    cuts = _cuts(np.round(scores, _SAME), points)
    reach = math.log(2 * len(scores) / (points * ALPHA)) / 2
    while True:
        place = np.searchsorted(cuts, np.round(scores, _SAME))
        n = np.bincount(place, minlength=len(cuts) + 1)
        share = np.bincount(place, weights=outcomes, minlength=len(cuts) + 1) / n
        beyond = np.diff(share) - np.sqrt(reach * (1 / (n[:-1] - 1) + 1 / (n[1:] - 1)))
        if (beyond > 0).all():
            return cuts, share
        cuts = np.delete(cuts, beyond.argmin())


def bin_of(scores: Array, cuts: Array) -> Codes:
    """The bin of each score."""
    return np.searchsorted(cuts, np.round(scores, _SAME))


def _cuts(scores: Array, points: int) -> Array:
    """Cuts of least variance within bins of at least ``points`` rows, as many of them as that allows."""
    distinct, n = np.unique(scores, return_counts=True)
    last = np.arange(len(distinct))
    if len(distinct) > _MOST_CELLS:
        cell = equal_mass(scores, _MOST_CELLS)[np.unique(scores, return_index=True)[1]]
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
