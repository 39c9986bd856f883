"""The default solver: the ordered plan of least expected Brier score.

Optimal transport with the use of today's words as source, a free target and a monotone coupling: each word is given one
word, and of two words that are changed the stronger never gets the weaker one.  A word that stays is in nobody's way,
because it may stay for want of findings alone.  Saying the k-th word's findings as word t costs

    loss(k, t) = n_k ((rho_k - m_t)^2 + Var(S|t)),

the expected Brier score but for a constant, with the posterior mean rho_k of the confirmed rate in the department's
model (:mod:`radcal.calibration.model`).  A word is open only where it passes every guard of :class:`Openings`; the
cheapest plan of what is left is found by dynamic programming, O(K L) for K words in use and L in the lexicon.

Source of the loss: Brier, Monthly Weather Review 1950;78:1.  Of the coupling: "Calibrating Expressions of Certainty"
(ICLR 2025), eq. 13, with tau2 = 0 and monotone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.cost import blocks
from radcal.calibration.evidence import Evidence
from radcal.calibration.model import SHIPPED, posterior
from radcal.system.intervals import jeffreys
from radcal.system.progress import SILENT
from radcal.words.phrases import PLAIN_TOLERANCE
from radcal.words.speech import is_word

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.calibration.model import Posterior
    from radcal.system.progress import Progress
    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]
    Mask = NDArray[np.bool_]

Truth = Callable[["Array", "Array"], "Posterior"]
"""From n, y (B, K), statements and confirmed ones of B samples, to the posterior of their true rates."""
LEAST_GAIN = 0.003
"""Least fall of (rho - m)^2 that is worth saying: from 5.5 percentage points off to none."""
MOST_LEFT = 0.6
"""Most that may be left of (rho - m)^2: a step from 'suspicious for' to 'suggestive of' is not worth making where CT
showed far less than either says."""
OPPOSITE = 0.65
"""Distance of a rate's 95 % interval from a word's meaning beyond which no word is the answer: the cases have to be
looked at."""
FAR = 0.2
"""Most that a word proposed may mean more or less than the 95 % interval of the rate: beyond, no word is the answer."""
BETTER = 0.6
"""Least probability that the Brier score falls, too: a wide word may be nearer and still say less."""


@dataclass(frozen=True, slots=True)
class Guards:
    """Constraints on a plan.

    min_n: fewest uses of a word to be changed;  allowed: (K,) words that may be proposed
    max_steps: most steps up or down the scale of words;  sure: least probability that a word is nearer to the true rate
    ranges: (K, 2) which range readers take each word to mean, in whole percent; None where that is not asked for
    verified: (K, K) how sure it is whatever the setting ``verification`` allows of statements without a CT; None where
        what was said without one is not known
    parts: (K, K) whether no part of a pooled group contradicts that word t is said instead of k; None where not pooled
    """

    min_n: float
    allowed: Mask
    max_steps: int
    sure: float
    ranges: NDArray[np.int_] | None = None
    verified: Array | None = None
    parts: Mask | None = None

    @property
    def alike(self) -> Mask:
        """(K, K) words that readers take as the same range, so that neither is advised for the other."""
        if self.ranges is None:
            return np.zeros((len(self.allowed),) * 2, dtype=bool)
        same: Mask = (self.ranges[:, None] == self.ranges).all(axis=2)
        return same


@dataclass(frozen=True, slots=True, eq=False)
class Openings:
    """What stands between R words and the words t of the lexicon that might be said instead, for B samples.

    loss: (B, R, K) for each use; of an open word whose range does not hold the rate, more than that of those that do
    sure: (B, R, K) P(t is nearer to the true rate), 0 where another guard has closed t before
    passed: by guard, (B, R, K) whether it lets t through; in the order in which they are asked
    """

    loss: Array
    sure: Array
    passed: Mapping[str, Mask]

    @property
    def is_open(self) -> Mask:
        """(B, R, K) whether every guard lets t through."""
        every: Mask = np.logical_and.reduce([*self.passed.values()])
        return every


class OrderedSolver:
    """Fits plans for one lexicon and one set of guards, for many samples at a time.

    ``truth`` gives the posterior of the rates; without it, that of an author of whose department nothing is known.
    ``progress`` is asked now and then whether to stop, which raises Cancelled.
    """

    def __init__(
        self, bins: PhraseBins, guards: Guards, progress: Progress = SILENT, truth: Truth | None = None
    ) -> None:
        self._truth = truth or alone(bins)
        self._guards, self._mean, self._second, self._progress = guards, bins.mean, bins.second, progress
        self._order = by_strength(bins)
        words = np.array([is_word(name) for name in bins.phrases])
        self._step: Index = np.searchsorted(np.unique(bins.mean[words]), bins.mean)

    def plans(self, n: Array, y: Array) -> Array:
        """(B, K, K) plans of ones and zeros; rows add to 1.

        Args:
            n, y: (B, K) statements and confirmed ones of B samples.
        """
        order, size = self._order, len(self._order)
        covered: Mask = n >= self._guards.min_n
        rates = self._truth(n, y)
        # A word without enough uses stays and is in nobody's way.
        rows = order[np.asarray(covered.any(axis=0))[order]]
        choice = np.tile(np.arange(size), (len(n), 1))
        if len(rows):
            price, stay = np.empty((len(n), len(rows), size)), np.zeros((len(n), len(rows)))
            for place in blocks(np.arange(len(rows)), len(n) * size):
                at = rows[place]
                found = self._openings(n, y, rates, at)
                cost = n[:, at, None] * found.loss
                stay[:, place] = np.where(covered[:, at], cost[:, np.arange(len(at)), at], 0.0)
                price[:, place] = np.where(found.is_open & covered[:, at, None], cost, np.inf)[:, :, order]
            to = cheapest_in_order(price, stay)
            choice[:, rows] = np.where(to < 0, rows, order[to])
        plans = np.zeros((len(n), size, size))
        plans[np.arange(len(n))[:, None], np.arange(size), choice] = 1.0
        return plans

    def openings(self, n: Array, y: Array, rows: Index | None = None, asked: Mask | None = None) -> Openings:
        """What stands between the words, for n, y (B, K).

        Args:
            rows: (R,) the words to be replaced; None for all.
            asked: (R, K) where ``sure`` is wanted in any case.
        """
        rates, rows = self._truth(n, y), np.arange(n.shape[1]) if rows is None else rows
        parts = [
            self._openings(n, y, rates, rows[place], None if asked is None else asked[place])
            for place in blocks(np.arange(len(rows)), n.size)
        ]
        return Openings(
            np.concatenate([part.loss for part in parts], axis=1),
            np.concatenate([part.sure for part in parts], axis=1),
            {name: np.concatenate([part.passed[name] for part in parts], axis=1) for name in parts[0].passed},
        )

    def _openings(self, n: Array, y: Array, rates: Posterior, rows: Index, asked: Mask | None = None) -> Openings:
        self._progress.raise_if_cancelled()
        mean, guards, own = self._mean, self._guards, self._mean[rows, None]
        rate = rates.mean[:, rows, None]
        off = (rate - mean) ** 2
        fall = (rate - own) ** 2 - off
        loss = off + width_of(mean, self._second)
        own_loss = np.take_along_axis(loss, np.broadcast_to(rows[:, None], (*loss.shape[:2], 1)), axis=2)
        plain, was_plain = (mean == 0) | (mean == 1), (own == 0) | (own == 1)
        apart = np.abs(self._step[rows, None] - self._step)
        right = was_plain[:, 0] & (np.abs(y - n * mean)[:, rows] <= PLAIN_TOLERANCE * n[:, rows])
        low, high = (end[:, :, None] for end in jeffreys(y[:, rows], n[:, rows]))
        seen = (y / np.maximum(n, 1e-9))[:, rows, None]
        passed = {
            "right": ~right[:, :, None],
            "opposite": np.maximum(low - own, own - high) <= OPPOSITE,
            "contradicted": ~was_plain | (np.abs(seen - own) <= 0.5),
            "nearer": (fall > 0) & (np.abs(seen - mean) < np.abs(seen - own)),
            "allowed": guards.allowed,
            "steps": apart <= guards.max_steps,
            "turned": ~(was_plain & (plain | (np.abs(mean - own) > 0.5))) | (apart == 0),
            "far": np.maximum(low - mean, mean - high) <= FAR,
            "gain": (fall > LEAST_GAIN) & (off <= MOST_LEFT * (off + fall)),
            "range": ~guards.alike[rows],
        }
        passed = {name: np.broadcast_to(mask, loss.shape) for name, mask in passed.items()}
        # What takes time is asked only of words that came so far.
        still = np.logical_and.reduce([*passed.values()])
        sure, lower = np.zeros(loss.shape), np.zeros(loss.shape)
        at = np.nonzero(still if asked is None else still | asked)
        sure[at] = self._nearer(rates, at[0], rows[at[1]], at[2])
        passed["sure"] = sure >= guards.sure
        at = np.nonzero(still & passed["sure"])
        lower[at] = self._lower(rates, at[0], rows[at[1]], at[2])
        passed["score"] = (lower >= BETTER) & (own_loss > loss)
        if guards.verified is not None:
            passed["verified"] = np.broadcast_to(guards.verified[rows] >= guards.sure, sure.shape)
            sure = np.minimum(sure, guards.verified[rows])
        if guards.parts is not None:
            passed["parts"] = np.broadcast_to(guards.parts[rows], sure.shape)
        if guards.ranges is not None:
            percent = np.round(100 * seen)
            meant = (guards.ranges[:, 0] <= percent) & (percent <= guards.ranges[:, 1])
            is_open = np.logical_and.reduce([*passed.values()])
            loss = np.where(is_open & ~meant, np.maximum(loss, _dearest(loss, is_open & meant)), loss)
        return Openings(loss, sure, passed)

    def _nearer(self, rates: Posterior, sample: Index, k: Index, t: Index) -> Array:
        """P(word t is nearer to the true rate than word k): it lies beyond their middle."""
        middle = (self._mean[k] + self._mean[t]) / 2
        plain = (self._mean[k] == 0) | (self._mean[k] == 1)
        least = np.where(plain, PLAIN_TOLERANCE, 0.0)
        above = rates.above(np.clip(middle, least, 1 - least), sample, k)
        return np.where(self._mean[t] > self._mean[k], above, 1 - above)

    def _lower(self, rates: Posterior, sample: Index, k: Index, t: Index) -> Array:
        """P(word t has the lower Brier score)."""
        mean, second = self._mean, self._second
        apart = np.where(mean[t] == mean[k], np.inf, 2 * (mean[t] - mean[k]))
        above = rates.above(np.clip((second[t] - second[k]) / apart, 0, 1), sample, k)
        return np.where(mean[t] > mean[k], above, 1 - above)


def _dearest(loss: Array, among: Mask) -> Array:
    """(B, R, 1) a little more than the greatest loss of some words; 0 where there are none.

    A narrow word beside the rate can have a lower Brier score than a wide one that means it, and nobody would say it.
    """
    found: Array = np.where(among, loss, 0.0).max(axis=2, keepdims=True)
    return found * (1 + 1e-9)


def alone(bins: PhraseBins) -> Truth:
    """The posterior of an author, or a language model, of whose department nothing is known."""

    def truth(n: Array, y: Array) -> Posterior:
        return posterior(Evidence(n, y, np.ones_like(n)), bins.mean, bins.phrases, SHIPPED)

    return truth


def by_strength(bins: PhraseBins) -> Index:
    """The words, weakest first; of equal strength by their spread, not by their place in the lexicon."""
    order: Index = np.lexsort((np.arange(len(bins.mean)), bins.above_half, bins.second, bins.mean))
    return order


def width_of(mean: Array, second: Array) -> Array:
    """Var(S | t), from E[S | t] and E[S^2 | t]."""
    return np.maximum(second - mean**2, 0)


def cheapest_in_order(price: Array, stay: Array | None = None) -> Index:
    """(B, S) ascending targets t_1 <= ... <= t_S of least sum_s price[s, t_s], for B problems (B, S, L).

    Where ``stay`` (B, S) is given, a source may instead have no target for that price, -1: the others' order is then
    among themselves.

    Dynamic programming: with best[s, t] the least price of the first s sources where no target is beyond t,
    best[s, t] = min(stay[s] + best[s - 1, t], min_{u <= t} (price[s, u] + best[s - 1, u])).  Of equals the greatest
    target is taken, and any before none.
    """
    size = price.shape[2]
    stay = np.full(price.shape[:2], np.inf) if stay is None else stay
    best = np.zeros((len(price), size))
    back, places = [], np.arange(size, dtype=np.int32)
    for s in range(price.shape[1]):
        moved = price[:, s] + best
        least = np.minimum.accumulate(moved, axis=1)
        at = np.maximum.accumulate(np.where(moved <= least, places, 0), axis=1)
        stays = stay[:, s, None] + best
        back.append(np.where(stays < least, -1, at))
        best = np.minimum(stays, least)
    problem, limit = np.arange(len(price)), np.full(len(price), size - 1)
    targets = []
    for choice in reversed(back):
        chosen = choice[problem, limit]
        targets.append(chosen)
        limit = np.where(chosen < 0, limit, chosen)
    return np.stack(targets[::-1], axis=1)
