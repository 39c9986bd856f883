"""Funnel plots: differences between authors' shares of reports expected by chance, given their n.

An author is part of the department, and the more so the fewer there are: limits around the department's share as if
that were known hide whoever moves it.  Here each author is compared with all others instead, given what all of them
come to together.  If the N reports of the department, Y of them counted, are dealt out by chance, an author of n
gets y ~ Hypergeometric(N, Y, n).  That is Fisher's exact test of the author's y / n against the (Y - y) / (N - n) of
all others, whose own uncertainty it includes; and because it depends on n alone, one funnel around Y / N shows it for
all authors.  Its standard error is sqrt(rate (1 - rate) (1 / n - 1 / N)) but for a factor of sqrt(N / (N - 1)).

Source: Spiegelhalter, "Funnel plots for comparing institutional performance", Statist. Med. 2005;24:1185-1202; the
reference without the institution itself is his "cross-validation".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.comparison_records import Funnel, Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LIMITS = (0.95, 0.998)
"""Coverage of the inner and outer control limits."""
_POINTS = 160
"""At which the limits are drawn."""


def share_funnel(y: Array, n: Array) -> tuple[Funnel, list[Place]]:
    """Exact limits around the overall share, and each author's position by the limits at their own n.

    Args:
        y, n: (A,), counted and all reports of A >= 2 authors, n > 0.
    """
    together, total = float(y.sum()), float(n.sum())
    inner, outer = (chance_limits(together, total, n, coverage) for coverage in LIMITS)
    places = [_place(*ends) for ends in zip(y / n, *inner, *outer, strict=True)]
    reached = np.rint(np.geomspace(1, min(max(float(n.max()) * 1.1, 2.0), total), _POINTS))
    # The authors' own n among them: who is inside by the exact limits is drawn inside.
    at = np.unique(np.concatenate([reached, np.rint(n)]))
    inner, outer = (chance_limits(together, total, at, coverage) for coverage in LIMITS)
    outside = sum(place != "inside" for place in places)
    return Funnel(at, np.full(len(at), together / total), *inner, *outer, outside, len(n)), places


def _place(value: float, low_95: float, high_95: float, low_998: float, high_998: float) -> Place:
    if low_95 <= value <= high_95:
        return "inside"
    return "between" if low_998 <= value <= high_998 else "outside"


def chance_limits(positives: float, total: float, n: Array, coverage: float) -> tuple[Array, Array]:
    """Limits of the share y / n of y ~ Hypergeometric(total, positives, n), in 0-1, (...) each.

    A share beyond the upper limit is one with P(Y >= y) < (1 - coverage) / 2, and likewise below the lower one; between
    whole counts the logarithm of the tail is taken to be straight.  With n = total the limits meet.

    Args:
        positives: confirmed findings of all authors together; rounded to a whole number.
        total: findings of all authors together, whole.
        n: (...), whole, 1 to total: of one author.
        coverage: in 0-1.
    """
    n, tail = np.asarray(n, dtype=np.float64), (1 - coverage) / 2
    ends = [_upper_count(round(total), round(yes), n.ravel(), tail) for yes in (total - positives, positives)]
    low, high = (end.reshape(n.shape) / n for end in ends)
    return 1 - low, high


def _upper_count(total: int, positives: int, n: Array, tail: float) -> Array:
    """(P,): where P(Y >= y) of Y ~ Hypergeometric(total, positives, n) falls below ``tail``; n if it never does."""
    from scipy.special import gammaln

    limits = np.empty(n.shape)
    for i, size in enumerate(n.tolist()):
        least, most = max(0.0, size - (total - positives)), min(size, positives)
        mean = size * positives / total
        reach = 10 * (mean * (1 - positives / total) * (1 - size / total)) ** 0.5 + 20
        y = np.arange(max(least, np.floor(mean - reach)), min(most, np.ceil(mean + reach)) + 1)
        parts = np.stack([y, positives - y, size - y, total - positives - size + y])
        log_p = -gammaln(parts + 1).sum(axis=0)
        p = np.exp(log_p - log_p.max())
        above = np.cumsum(p[::-1])[::-1] / p.sum()  # P(Y >= y)
        rare = int((above >= tail).sum())
        if rare == len(y):
            limits[i] = y[-1]
        else:
            before, after = np.log(above[rare - 1]), np.log(above[rare])
            limits[i] = y[rare - 1] + (before - np.log(tail)) / (before - after)
    return limits
