"""Intervals and p-values in closed form."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from radcal.system.coarse import outward, step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.system.coarse import Cell

    Array = NDArray[np.float64]

_CHUNK = 2_000_000
"""Numbers that are drawn at a time."""


def tails(confidence: float) -> tuple[float, float]:
    """How much of a distribution lies below either end of its central interval, in 0-1."""
    return (1 - confidence) / 2, (1 + confidence) / 2


def normal_quantile(confidence: float) -> float:
    """Half the width of a central normal interval of this coverage (0-1), in standard deviations: 1.96 for 0.95."""
    return NormalDist().inv_cdf(tails(confidence)[1])


def drawn_anew(n: int, draws: int, rng: Generator) -> Iterator[NDArray[np.int64]]:
    """How often each of n units occurs among n drawn with replacement: (B, n) at a time, ``draws`` rows in all.

    Without draws, one empty part.
    """
    size, even = max(_CHUNK // n, 1), np.full(n, 1 / n)
    for first in range(0, max(draws, 1), size):
        yield rng.multinomial(n, even, min(size, draws - first))


def jeffreys(y: Array, n: Array, confidence: float = 0.95) -> tuple[Array, Array]:
    """Jeffreys interval of a proportion: quantiles of Beta(y + 1/2, n - y + 1/2).

    The lower limit is 0 for y = 0 and the upper limit 1 for y = n, so that the interval covers a true rate of 0 or 1.
    ``y`` may be fractional.

    Args:
        y: (...), confirmed statements, 0 <= y <= n.
        n: (...), statements; the result is NaN for 0.
        confidence: coverage, in 0-1.

    Returns:
        Lower and upper limits, each (...), in 0-1.

    Source: Brown, Cai and DasGupta, "Interval estimation for a binomial proportion", Statist. Sci. 2001;16:101-133.
    """
    from scipy.special import betaincinv

    y, n = np.broadcast_arrays(np.asarray(y, dtype=np.float64), np.asarray(n, dtype=np.float64))
    # Inverting the beta function is slow, and small counts repeat: once per distinct (y, n).
    distinct, place = np.unique(y.ravel() + 1j * n.ravel(), return_inverse=True)
    yes, no, tail = distinct.real, np.maximum(distinct.imag - distinct.real, 0.0), (1 - confidence) / 2
    low = np.where(yes == 0, 0.0, betaincinv(yes + 0.5, no + 0.5, tail))
    high = np.where(no == 0, 1.0, betaincinv(yes + 0.5, no + 0.5, 1 - tail))
    said = distinct.imag > 0
    low, high = np.where(said, low, np.nan), np.where(said, high, np.nan)
    return low[place].reshape(y.shape), high[place].reshape(y.shape)


def wilson(share: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Score interval of a proportion (0-1) of n units, NaN for n = 0.

    A limit is exactly 0 or 1 if the proportion is.

    Source: Wilson, J Am Stat Assoc 1927;22:209-212.
    """
    if not n:
        return float("nan"), float("nan")
    z = normal_quantile(confidence)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # Rounding must not move these limits.
    return (0.0 if share == 0 else middle - half), (1.0 if share == 1 else middle + half)


def of_cell(cell: Cell, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of a cell's rate: multiples of 5 points that hold the Jeffreys interval of every count it may hide.

    That of the exact counts would tell them to whoever tries which ones give it.
    """
    n, half = float(cell.n.low), step(cell.n.low) / 2
    ends = np.array([max(cell.rate - half, 0.0), min(cell.rate + half, 1.0)])
    low, high = jeffreys(ends * n, np.array(n), confidence)
    return outward(float(low[0]), float(high[1]))


def of_cells(cells: Iterable[Cell], confidence: float = 0.95) -> tuple[float, float]:
    """The interval of the rate of several readers together, from their cells alone: multiples of 5 points.

    It holds the Jeffreys interval wherever within their steps the readers' rates lie, for counts in the middle of their
    bands.  That of the rounded rates alone would miss the rate of readers who are all rounded to the same side: 1 of 9,
    said by ten readers each, has the cells of 0 %.

    Raises:
        ValueError: no cell.
    """
    parts = list(cells)
    if not parts:
        raise ValueError("An interval needs a cell.")
    n = np.array([c.n.middle for c in parts])
    rates, halves = np.array([c.rate for c in parts]), np.array([step(c.n.low) / 2 for c in parts])
    ends = np.array([np.maximum(rates - halves, 0.0) @ n, np.minimum(rates + halves, 1.0) @ n])
    low, high = jeffreys(ends, n.sum(), confidence)
    return outward(float(low[0]), float(high[1]))


def false_discovery(p: Array) -> Array:
    """Benjamini-Hochberg q-values, the shape of ``p`` (G,); NaN is ignored and stays NaN.

    Source: Benjamini and Hochberg, J. R. Statist. Soc. B 1995;57:289-300.
    """
    q = np.full(p.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested])]
    scaled = p[order] * len(order) / np.arange(1, len(order) + 1)
    q[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return q


def sorted_quantiles(ordered: NDArray[np.float32], probabilities: tuple[float, ...]) -> Array:
    """Linearly interpolated quantiles of sorted rows, ignoring NaN.

    Args:
        ordered: (..., B), ascending along the last axis with NaN last, as returned by ``sort``.
        probabilities: P values in 0-1.

    Returns:
        (P, ...); NaN for rows of NaN only.
    """
    n = ordered.shape[-1]
    out = np.empty((len(probabilities), *ordered.shape[:-1]))
    for i, q in enumerate(probabilities):
        below = int(q * (n - 1))
        low = ordered[..., below].astype(np.float64)
        out[i] = low + (q * (n - 1) - below) * (ordered[..., min(below + 1, n - 1)] - low)
    partial = np.isnan(ordered[..., -1])
    if partial.any():
        rows = ordered[partial]
        valid = n - np.isnan(rows).sum(axis=-1)
        for i, q in enumerate(probabilities):
            position = q * np.maximum(valid - 1, 0)
            below = position.astype(np.intp)
            low, high = (
                np.take_along_axis(rows, j[:, None], axis=-1)[:, 0].astype(np.float64)
                for j in (below, np.minimum(below + 1, np.maximum(valid - 1, 0)))
            )
            out[i][partial] = low + (position - below) * (high - low)
    return out
