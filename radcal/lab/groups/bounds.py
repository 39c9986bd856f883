"""How far a bin's share of confirmed findings may be from the truth, and how many findings that takes.

Of N findings in bins of at least b each, with a probability of 1 - alpha the true rate of every bin is within

    epsilon = sqrt(log(2 N / (b alpha)) / (2 (b - 1))) + nu

of its share, whatever the distribution: Hoeffding's inequality for each of the N / b bins.  nu is how far outcomes
themselves may be wrong (total variation distance), 0 where the reference is taken as exact.

Source: Gupta and Ramdas, "Distribution-free calibration guarantees for histogram binning without sample splitting",
ICML 2021; with nu in Manggala et al., "QA-Calibration of Language Model Confidence Scores", ICLR 2025.
"""

from __future__ import annotations

import math

ALPHA = 0.1
"""The bound fails with at most this probability."""


def epsilon(n: int, points: int, alpha: float = ALPHA, nu: float = 0.0) -> float:
    """The bound, in 0-1 and above, where it says nothing; infinite for bins of a single finding.

    Args:
        n: N, findings in all bins together.
        points: b, fewest findings of a bin, 1 <= b <= N.
        alpha: probability with which the bound may fail, 0-1.
        nu: how far outcomes may be wrong, 0-1.
    """
    if points < 2:
        return math.inf
    return math.sqrt(math.log(2 * n / (points * alpha)) / (2 * (points - 1))) + nu


def points_for(reach: float, n: int, alpha: float = ALPHA, nu: float = 0.0) -> int | None:
    """The inverse in b: fewest findings of a bin so that the bound of n is at most ``reach``; None if none are.

    Args:
        reach: the epsilon wanted, above nu.
        n, alpha, nu: as of :func:`epsilon`.
    """
    if n < 2 or epsilon(n, n, alpha, nu) > reach:
        return None
    low, high = 1, n  # the bound falls with b: too few, and enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if epsilon(n, middle, alpha, nu) <= reach else (middle, high)
    return high


def findings_for(reach: float, bins: int, alpha: float = ALPHA, nu: float = 0.0) -> int:
    """The inverse in N: fewest findings for a bound of ``reach`` in that many bins of equal size.

    bins * ceil(1 + log(2 bins / alpha) / (2 (reach - nu)^2)), since N / b is the number of bins.

    Args:
        reach: the epsilon wanted, above nu.
        bins: numbers that a group's findings are given, 1 or more.
        alpha, nu: as of :func:`epsilon`.
    """
    return bins * math.ceil(1 + math.log(2 * bins / alpha) / (2 * (reach - nu) ** 2) - 1e-9)
