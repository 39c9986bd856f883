"""Intervals of shares of whole numbers of units."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def wilson(share: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Score interval of a share (0-1) of n units, NaN for none.

    The ends are exactly 0 and 1 where the share is.

    Source: Wilson, J Am Stat Assoc 1927;22:209-212.
    """
    if not n:
        return float("nan"), float("nan")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # Rounding must not push the ends off.
    return (0.0 if share == 0 else middle - half), (1.0 if share == 1 else middle + half)
