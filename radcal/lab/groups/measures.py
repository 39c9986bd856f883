"""How far certainties are from what came true, on average and in every partition.

Within a set of rows, rows are counted together that have the same certainty, or, where there are more than MOST_VALUES
different ones, lie in the same of MOST_VALUES bins of equal mass.  For a cell c of n_c rows,

    gap_c = |sum of outcomes in c - sum of certainties in c| / n_c.

Source: Manggala et al., "QA-Calibration of Language Model Confidence Scores", ICLR 2025.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.recalibration import equal_mass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

MOST_VALUES = 10
"""Different certainties that are counted one by one, and bins where there are more."""
LARGE = 5
"""Rows of a cell whose gap is not luck alone: a single row is off by up to 1 whatever the certainty."""


def calibration_error(scores: Array, outcomes: Array) -> float:
    """Average-case calibration error, 0-1: sum_c (n_c / n) gap_c over all rows; NaN without rows."""
    return grouped_error(scores, outcomes, np.zeros(len(scores), dtype=np.intp))


def grouped_error(scores: Array, outcomes: Array, partition: Codes) -> float:
    """CE(h; beta), 0-1: sum over partitions and their cells of (n_c / n) gap_c; NaN without rows.

    Args:
        scores, outcomes: (n,), in 0-1.
        partition: (n,), from 0.
    """
    if not len(scores):
        return float("nan")
    return float(np.abs(np.bincount(_cells(scores, partition), weights=outcomes - scores)).sum() / len(scores))


def largest_error(scores: Array, outcomes: Array, partition: Codes, least: int = 1) -> float:
    """beta-MCE, 0-1: the largest gap of any cell of any partition; NaN if no cell has ``least`` rows.

    Args:
        scores, outcomes, partition: as of :func:`grouped_error`.
        least: rows of a cell that counts.
    """
    cell = _cells(scores, partition)
    n = np.bincount(cell)
    gap = np.abs(np.bincount(cell, weights=outcomes - scores)) / np.maximum(n, 1)
    return float(gap[n >= least].max()) if (n >= least).any() else float("nan")


def expected_error(scores: Array, partition: Codes) -> float:
    """What CE(h; beta) would be on average by luck alone, if every outcome had the probability that its score says.

    The mean absolute deviation of a binomial count, 2 k C(n, k) p^k (1 - p)^(n - k + 1) with k = floor(n p) + 1, summed
    over cells and divided by the rows; exact for cells of equal scores, a little high for others.  NaN without rows.

    Source: Diaconis and Zabell, "Closed form summation for classical distributions", Statist. Sci. 1991;6:284-302.
    """
    from scipy.special import gammaln, xlog1py, xlogy

    if not len(scores):
        return float("nan")
    cell = _cells(scores, partition)
    n = np.bincount(cell).astype(np.float64)
    p = np.clip(np.bincount(cell, weights=scores) / n, 0, 1)
    k = np.minimum(np.floor(n * p) + 1, n)
    log = gammaln(n + 1) - gammaln(k) - gammaln(n - k + 1) + xlogy(k, p) + xlog1py(n - k + 1, -p)
    return float(2 * np.exp(log).sum() / len(scores))


def selective_accuracy(scores: Array, outcomes: Array) -> float:
    """AUAC, 0-1: mean over k = 1..n of the share confirmed among the k rows of greatest certainty; NaN without rows.

    Rows of equal certainty count as in random order.  It is great where certainty tells what will be confirmed.
    """
    if not len(scores):
        return float("nan")
    _, place, n = np.unique(-scores, return_inverse=True, return_counts=True)
    rate = np.repeat(np.bincount(place, weights=outcomes) / n, n)
    return float((np.cumsum(rate) / np.arange(1, len(rate) + 1)).mean())


def _cells(scores: Array, partition: Codes) -> Codes:
    """The cell of each row, numbered without gaps."""
    cell = np.empty(len(scores), dtype=np.intp)
    cells = 0
    for code in np.unique(partition):
        here = partition == code
        distinct, own = np.unique(scores[here], return_inverse=True)
        if len(distinct) > MOST_VALUES:
            _, own = equal_mass(scores[here], MOST_VALUES)
        cell[here] = cells + own
        cells += int(own.max()) + 1
    return cell
