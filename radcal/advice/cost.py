"""Change of the calibration error for every single substitution of one word for another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from radcal.system.progress import SILENT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.system.progress import Progress
    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]

_AT_ONCE = 1_000_000


def cost_matrix(n: Array, y: Array, bins: PhraseBins, progress: Progress = SILENT) -> Array:
    """Change of ECE per use when all statements worded u_k are worded u_l instead, for all pairs.

        C[k, l] = (ECE(u_k -> u_l) - ECE) / a_k,    a_k = n_k / N

    The statements keep their outcomes y_k; only their bins change.  Negative entries lower the ECE; C[k, k] = 0.

    Args:
        n: (K,) uses of each phrase.
        y: (K,) confirmed uses, 0 <= y <= n, fractional where the reference was.
        bins: the K phrases.
        progress: asked now and then whether to stop.

    Returns:
        (K, K) costs in -2 ... 2; NaN in the rows of unused phrases, and everywhere if N = 0.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 12.
    """
    gap = y @ bins.weight - n @ bins.moment
    cost = np.full((len(n), len(n)), np.nan)
    for used in blocks(np.flatnonzero(n > 0), bins.weight.size):
        progress.raise_if_cancelled()
        said, confirmed = n[used, None], y[used, None]
        moved = confirmed[:, None] * bins.weight - said[:, None] * bins.moment
        moved += (gap - (confirmed * bins.weight[used] - said * bins.moment[used]))[:, None, :]
        np.abs(moved, out=moved)
        cost[used] = (moved.sum(axis=2) - np.abs(gap).sum()) / said
    return cost


def blocks(words: Index, each: int) -> Iterator[Index]:
    """The words in parts that take some MB at a time, where one word takes ``each`` numbers."""
    size = max(1, _AT_ONCE // max(each, 1))
    return (words[start : start + size] for start in range(0, len(words), size))
