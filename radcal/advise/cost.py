"""Change of the calibration error for every single substitution of one word for another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.records import PhraseBins

    Array = NDArray[np.float64]


def cost_matrix(n: Array, y: Array, bins: PhraseBins) -> Array:
    """Change of ECE per use when all statements worded u_k are worded u_l instead, for all pairs.

        C[k, l] = (ECE(u_k -> u_l) - ECE) / a_k,    a_k = n_k / N

    The statements keep their outcomes y_k; only their bins change.  Negative entries lower the ECE; C[k, k] = 0.

    Args:
        n: (K,) uses of each phrase.
        y: (K,) confirmed uses, 0 <= y <= n, fractional where the reference was.
        bins: the K phrases.

    Returns:
        (K, K) costs in -2 ... 2; NaN in the rows of unused phrases, and everywhere if N = 0.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 12.
    """
    gap = y @ bins.weight - n @ bins.moment
    rest = gap - (y[:, None] * bins.weight - n[:, None] * bins.moment)
    moved = y[:, None, None] * bins.weight - n[:, None, None] * bins.moment
    moved += rest[:, None, :]
    np.abs(moved, out=moved)
    with np.errstate(invalid="ignore"):
        change = moved.sum(axis=2) - np.abs(gap).sum()
        cost: Array = np.where(n[:, None] > 0, change / n[:, None], np.nan)
    return cost
