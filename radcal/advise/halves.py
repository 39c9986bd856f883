"""Redraws of one group's contingency table: two halves without replacement, and bootstrap resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.errors import DataError

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def halve(counts: Array, rng: Generator) -> tuple[Array, Array]:
    """Two random halves of a table: each phrase's statements are split evenly, without replacement.

    The odd statement of a phrase goes to either half at random.  Statements shared between neighbouring references are
    first rounded to one of them, which keeps each phrase's number of statements and moves its cumulative counts by at
    most a half.

    Args:
        counts: (K, L) statements by phrase k and reference l; each row adds to a whole number.

    Returns:
        Two (K, L) tables of whole numbers that add to ``counts``, where those are whole.

    Raises:
        DataError: a count is negative, or a phrase's number of statements is not whole.
    """
    whole = _whole(counts)
    first = np.zeros_like(whole)
    for k, row in enumerate(whole):
        n = int(row.sum())
        draw = n // 2 + (int(rng.integers(2)) if n % 2 else 0)
        if draw:
            first[k] = rng.multivariate_hypergeometric(row, draw, method="count" if n < 1000 else "marginals")
    return first.astype(np.float64), (whole - first).astype(np.float64)


def resample(counts: Array, size: int, rng: Generator) -> Array:
    """(size, K, L) bootstrap tables: multinomial redraws of the cells with the total of ``counts``.

    Raises:
        DataError: a count is negative, or a phrase's number of statements is not whole.
    """
    total = int(_whole(counts).sum())
    used = np.flatnonzero(counts)
    drawn = np.zeros((size, counts.size))
    if total:
        share = counts.ravel()[used] / counts.sum()
        drawn[:, used] = rng.multinomial(total, share, size=size)
    return drawn.reshape(size, *counts.shape)


def _whole(counts: Array) -> NDArray[np.int64]:
    up_to = counts.cumsum(axis=1)
    total = up_to[:, -1]
    if np.any(counts < 0) or not np.allclose(total, np.rint(total), rtol=0, atol=1e-6):
        raise DataError("The counts of a contingency table must be at least 0 and whole for each phrase.")
    whole: NDArray[np.int64] = np.diff(np.rint(up_to), axis=1, prepend=0).astype(np.int64)
    return whole
