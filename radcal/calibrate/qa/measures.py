"""How far certainties are from what came true, on average and in every partition.

Within a set of rows, rows are counted together that have the same certainty, or, where there are more than MOST_VALUES
different ones, lie in the same of MOST_VALUES bins of equal mass.  For a cell c of n_c rows,

    gap_c = |sum of outcomes in c - sum of certainties in c| / n_c.

Source: Manggala et al., "QA-Calibration of Language Model Confidence Scores", ICLR 2025.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

MOST_VALUES = 10
"""Different certainties that are counted one by one, and bins where there are more."""


def calibration_error(scores: Array, outcomes: Array) -> float:
    """Average-case calibration error, 0-1: sum_c (n_c / n) gap_c over all rows; NaN without rows."""
    return grouped_error(scores, outcomes, np.zeros(len(scores), dtype=np.intp))


def grouped_error(scores: Array, outcomes: Array, partition: Codes) -> float:
    """CE(h; beta), 0-1: sum over partitions and their cells of (n_c / n) gap_c; NaN without rows.

    Args:
        scores, outcomes: (n,), in 0-1.
        partition: (n,), from 0.
    """
    gap, n = _cells(scores, outcomes, partition)
    return float(gap.sum() / n.sum()) if len(scores) else float("nan")


def largest_error(scores: Array, outcomes: Array, partition: Codes) -> float:
    """beta-MCE, 0-1: the largest gap of any cell of any partition; arguments as of :func:`grouped_error`."""
    gap, n = _cells(scores, outcomes, partition)
    return float((gap / n).max()) if len(scores) else float("nan")


def selective_accuracy(scores: Array, outcomes: Array) -> float:
    """AUAC, 0-1: mean over k = 1..n of the share confirmed among the k rows of greatest certainty; NaN without rows.

    Rows of equal certainty count as in random order.  It is great where certainty tells what will be confirmed.
    """
    if not len(scores):
        return float("nan")
    _, place, n = np.unique(-scores, return_inverse=True, return_counts=True)
    rate = np.repeat(np.bincount(place, weights=outcomes) / n, n)
    return float((np.cumsum(rate) / np.arange(1, len(rate) + 1)).mean())


def equal_mass(scores: Array, bins: int) -> Codes:
    """The bin of each score, (n,): bins of as equal mass as is possible without parting equal scores."""
    _, place, n = np.unique(scores, return_inverse=True, return_counts=True)
    middle = (np.cumsum(n) - n / 2) / len(scores)
    return np.asarray((middle * bins).astype(np.intp)[place])


def _cells(scores: Array, outcomes: Array, partition: Codes) -> tuple[Array, Array]:
    """|sum of outcomes - sum of scores| and the rows of each cell."""
    gaps, sizes = [], []
    for code in np.unique(partition):
        said, came = scores[partition == code], outcomes[partition == code]
        distinct, cell = np.unique(said, return_inverse=True)
        if len(distinct) > MOST_VALUES:
            cell = equal_mass(said, MOST_VALUES)
        n = np.bincount(cell)
        gaps.append(np.abs(np.bincount(cell, weights=came - said))[n > 0])
        sizes.append(n[n > 0])
    return np.concatenate([*gaps, np.zeros(0)]), np.concatenate([*sizes, np.zeros(0)])
