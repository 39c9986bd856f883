"""Redraws of one group's contingency table: two halves without replacement, and bootstrap resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.system.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def halve(counts: Array, rng: Generator) -> tuple[Array, Array]:
    """Two random halves of a table: each phrase's statements are split evenly, without replacement.

    The odd statement of a phrase goes to either half at random, and that of the next phrase with an odd number to the
    other, so that the halves differ by one statement at most.  Statements shared between neighbouring references are
    first rounded to one of them, which keeps each phrase's number of statements and moves its cumulative counts by at
    most a half.

    Args:
        counts: (K, L) statements by phrase k and reference l; each row adds to a whole number.

    Returns:
        Two (K, L) tables of whole numbers that add to ``counts``, where those are whole.

    Raises:
        DataError: a count is negative, or a phrase's number of statements is not whole.
    """
    return next(halvings(counts, 1, rng))


def halvings(counts: Array, times: int, rng: Generator) -> Iterator[tuple[Array, Array]]:
    """So many of what :func:`halve` gives, one drawn after the other."""
    whole = _whole(counts)
    for _ in range(times):
        yield _halved(whole, rng)


def _halved(whole: NDArray[np.int64], rng: Generator) -> tuple[Array, Array]:
    n = whole.sum(axis=1)
    odd = np.flatnonzero(n % 2)
    coins = rng.integers(2, size=(len(odd) + 1) // 2)
    size = n // 2
    size[odd] += np.column_stack([coins, 1 - coins]).ravel()[: len(odd)]
    first = np.zeros_like(whole)
    for k in np.flatnonzero(size):
        first[k] = rng.multivariate_hypergeometric(whole[k], size[k], method="count" if n[k] < 1000 else "marginals")
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
    if np.any(counts < 0) or not np.all(np.abs(total - np.rint(total)) <= 1e-6):
        raise DataError("The counts of a contingency table must be at least 0 and whole for each phrase.")
    whole: NDArray[np.int64] = np.diff(np.rint(up_to), axis=1, prepend=0).astype(np.int64)
    return whole
