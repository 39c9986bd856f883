"""The default solver: the ordered plan of least expected Brier score.

Optimal transport with the use of today's words as source, a free target and a monotone coupling: each word is given one
word, and of two words the stronger never gets the weaker one.  Saying the k-th word's findings as word t costs

    loss(k, t) = n_k ((rho_k - m_t)^2 + Var(S|t)),

the expected Brier score but for a constant, with the posterior mean rho_k of the confirmed rate.  A word is open only
where it passes every guard of :class:`Openings`; the cheapest plan of what is left is found by dynamic programming,
O(K L) for K words in use and L in the lexicon.

Source of the loss: Brier, Monthly Weather Review 1950;78:1.  Of the coupling: "Calibrating Expressions of Certainty"
(ICLR 2025), eq. 13, with tau2 = 0 and monotone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.advise.rates import posterior_rates
from radcal.lexicon.phrases import PLAIN_TOLERANCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.records import PhraseBins

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]
    Mask = NDArray[np.bool_]

LEAST_GAIN = 0.003
"""Least fall of (rho - m)^2 that is worth saying: from 5.5 percentage points off to none."""
BETTER = 0.6
"""Least probability that the Brier score falls, too: a wide word may be nearer and still say less."""


@dataclass(frozen=True, slots=True)
class Guards:
    """Constraints on a plan.

    min_n: fewest uses of a word to be changed;  allowed: (K,) words that may be proposed
    max_steps: most steps up or down the scale of words;  sure: least probability that a word is nearer to the true rate
    """

    min_n: float
    allowed: Mask
    max_steps: int
    sure: float


@dataclass(frozen=True, slots=True, eq=False)
class Openings:
    """What stands between each word k and the words t that might be said instead, for B samples.

    covered: (B, K) words with enough uses
    loss: (B, K, K) for each use;  sure: (B, K, K) P(t is nearer to the true rate than k)
    passed: by guard, (B, K, K) whether it lets t through; in the order in which they are asked
    """

    covered: Mask
    loss: Array
    sure: Array
    passed: Mapping[str, Mask]


class OrderedSolver:
    """Fits plans for one lexicon and one set of guards, for many samples at a time."""

    def __init__(self, bins: PhraseBins, guards: Guards) -> None:
        self._guards, self._mean, self._second = guards, bins.mean, bins.second
        # Words of equal strength are ordered by their spread, not by their place in the lexicon.
        self._order: Index = np.lexsort((np.arange(len(bins.mean)), bins.above_half, bins.second, bins.mean))

    def plans(self, n: Array, y: Array) -> Array:
        """(B, K, K) plans of ones and zeros; rows add to 1.

        Args:
            n, y: (B, K) statements and confirmed ones of B samples.
        """
        found, order = self.openings(n, y), self._order
        size = len(order)
        is_open = np.logical_and.reduce([*found.passed.values()]) | np.eye(size, dtype=bool)
        price = np.where(is_open, n[:, :, None] * found.loss, np.inf)
        # A word without enough uses stays and is in nobody's way.
        price = np.where(found.covered[:, :, None], price, 0.0)[:, order][:, :, order]
        target = np.where(found.covered[:, order], cheapest_in_order(price), np.arange(size))
        plans = np.zeros(price.shape)
        plans[np.arange(len(n))[:, None], order, order[target]] = 1.0
        return plans

    def openings(self, n: Array, y: Array) -> Openings:
        """What stands between the words, for n, y (B, K)."""
        mean, guards = self._mean, self._guards
        rates = posterior_rates(n, y, mean)
        off = (rates.mean[:, :, None] - mean) ** 2
        fall = np.diagonal(off, axis1=1, axis2=2)[:, :, None] - off
        loss = off + np.maximum(self._second - mean**2, 0)
        plain, up = (mean == 0) | (mean == 1), mean > mean[:, None]
        # Beyond these rates t is nearer than k, and its Brier score the lower one.
        middle = (mean[:, None] + mean) / 2
        middle = np.where(plain[:, None], np.clip(middle, PLAIN_TOLERANCE, 1 - PLAIN_TOLERANCE), middle)
        apart = np.where(mean == mean[:, None], np.inf, 2 * (mean - mean[:, None]))
        even = np.clip((self._second - self._second[:, None]) / apart, 0, 1)
        nearer, lower = (np.where(up, p, 1 - p) for p in (rates.above(middle), rates.above(even)))
        step = np.unique(mean, return_inverse=True)[1]
        passed = {
            "right": ~(plain & (np.abs(y - n * mean) <= PLAIN_TOLERANCE * n))[:, :, None],
            "nearer": fall > 0,
            "allowed": guards.allowed,
            "steps": np.abs(step[:, None] - step) <= guards.max_steps,
            "opposite": ~(plain[:, None] & plain) | (step[:, None] == step),
            "gain": fall > LEAST_GAIN,
            "sure": nearer >= guards.sure,
            "score": (lower >= BETTER) & (np.diagonal(loss, axis1=1, axis2=2)[:, :, None] > loss),
        }
        shape = loss.shape
        return Openings(
            n >= guards.min_n, loss, nearer, {name: np.broadcast_to(mask, shape) for name, mask in passed.items()}
        )


def cheapest_in_order(price: Array) -> Index:
    """(B, S) the ascending targets t_1 <= ... <= t_S of least sum_s price[s, t_s], for B problems (B, S, L).

    Dynamic programming: best[s, t] = price[s, t] + min_{u <= t} best[s - 1, u].  Of equals the greatest is taken.
    """
    size = price.shape[2]
    best = price[:, 0]
    back = []
    for s in range(1, price.shape[1]):
        least = np.minimum.accumulate(best, axis=1)
        back.append(np.maximum.accumulate(np.where(best <= least, np.arange(size), 0), axis=1))
        best = price[:, s] + least
    last = size - 1 - np.argmin(best[:, ::-1], axis=1)
    targets = [last]
    for previous in reversed(back):
        targets.append(previous[np.arange(len(price)), targets[-1]])
    return np.stack(targets[::-1], axis=1)
