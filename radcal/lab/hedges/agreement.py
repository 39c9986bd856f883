"""How near estimates come to what readers said."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from radcal.lab.hedge_records import Agreement, SentenceEstimate

_Z = 1.959963984540054
_LEAST = 4
"""Pairs from which an error and a rank correlation have an interval."""


def agreement(estimates: Sequence[SentenceEstimate], scores: Sequence[float]) -> Agreement:
    """Mean squared error with Student's interval, within 0-1, and Spearman's rank correlation.

    The interval of the correlation is that of Bonett and Wright, tanh(artanh(r) +- 1.96 sqrt((1 + r^2 / 2) / (n - 3)))
    (Psychometrika 2000;65:23).

    Args:
        estimates, scores: in the same order; scores in 0-1.
    """
    from scipy.stats import spearmanr, t

    n = len(scores)
    if not n:
        return Agreement(0, None, None, None, None, None, None, None)
    y = np.asarray(scores, float)
    value, low, high = (np.array([getattr(e, part) for e in estimates]) for part in ("value", "low", "high"))
    squares = (value - y) ** 2
    mse = float(squares.mean())
    off = float(t.ppf(0.975, n - 1) * squares.std(ddof=1) / math.sqrt(n)) if n >= _LEAST else None
    r = r_low = r_high = None
    if n >= _LEAST and np.ptp(y) > 0 and np.ptp(value) > 0:
        r = float(spearmanr(value, y).statistic)
        bounded = min(max(r, -1 + 1e-9), 1 - 1e-9)
        width = _Z * math.sqrt((1 + bounded**2 / 2) / (n - 3))
        r_low, r_high = (math.tanh(math.atanh(bounded) + sign * width) for sign in (-1, 1))
    return Agreement(
        n,
        mse,
        None if off is None else max(mse - off, 0.0),
        None if off is None else min(mse + off, 1.0),
        r,
        r_low,
        r_high,
        float(((low <= y) & (y <= high)).mean()),
    )
