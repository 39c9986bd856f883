"""The effect of each single substitution of one word for another on the calibration error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.records import PhraseBins

    Array = NDArray[np.float64]


def cost_matrix(n: Array, y: Array, bins: PhraseBins, targets: PhraseBins | None = None) -> Array:
    """Change of ECE per use when all statements worded u_k are worded v_l instead, all pairs at once.

        C[k, l] = (ECE(u_k -> v_l) - ECE) / a_k,    a_k = n_k / N

    The substituted statements keep their outcomes y_k; only the bins they fall into change.  Negative
    entries are substitutions that would lower the ECE; C[k, k] = 0 where the words are the same.

    Args:
        n: (K,) how often each phrase was said.
        y: (K,) how many of those statements were confirmed, 0 <= y <= n, fractional where the reference was.
        bins: the K phrases of the author.
        targets: the L words that may be said instead, on the same bins; the author's own if None.

    Returns:
        (K, L) costs in -2 ... 2; rows of phrases that were never said, and all rows if N = 0, are NaN.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 12.
    """
    new = bins if targets is None else targets
    gap = y @ bins.weight - n @ bins.moment
    rest = gap - (y[:, None] * bins.weight - n[:, None] * bins.moment)
    moved = y[:, None, None] * new.weight - n[:, None, None] * new.moment
    moved += rest[:, None, :]
    np.abs(moved, out=moved)
    with np.errstate(invalid="ignore"):
        change = moved.sum(axis=2) - np.abs(gap).sum()
        cost: Array = np.where(n[:, None] > 0, change / n[:, None], np.nan)
    return cost
