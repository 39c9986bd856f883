"""The default solver: the plan with the least expected calibration error as a whole, under guards.

Each covered phrase is given one word.  The plan is judged by the error that it can be expected to have on as many
new statements as there were, not by the error on the statements that it was fitted to:

    J(t) = (1/N) sum_m sqrt(mu_m^2 + (2/pi) s_m^2) + information price * bits lost + effort
    mu_m = sum_k n_k (r_k W[t_k, m] - G[t_k, m]),     s_m^2 = sum_k V_k W[t_k, m]^2

r_k is the posterior mean of the phrase's confirmed rate and V_k the predictive variance of its confirmed count, so
that mu_m and s_m are mean and standard deviation of the gap in bin m; sqrt(mu^2 + 2/pi s^2) stands for the expected
absolute value of a normal variable, exact for mu = 0 and for s = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.advise.rates import posterior_rates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.records import PhraseBins

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]
    Mask = NDArray[np.bool_]

SEARCH_BINS = 20
"""Bins of the search: neighbouring bins of the diagram are merged, but for the first and last, where plain
statements stand."""
EFFORT = 0.02
"""Price of saying one statement differently: a change must earn this much error per use."""
PLAIN_TOLERANCE = 0.05
"""A plain statement confirmed within this of its meaning stays plain: no reader takes a plain "no" as never wrong,
and a hedge in its place would help nobody."""


@dataclass(frozen=True, slots=True)
class Guards:
    """What a plan may not do.

    covered: (K,) phrases that may be changed;  allowed: (K,) words that may be proposed;
    max_steps: most steps up or down the scale of words;  information_price: price of a bit of information lost
    """

    covered: Mask
    allowed: Mask
    max_steps: int
    information_price: float


class JointSolver:
    """Fits plans for one lexicon and one set of guards; use it again for every resample.

    A plan never turns absent into present or the reverse, keeps plain statements plain where they are right in
    95 % of cases or more, and keeps the order of the covered phrases: of two, the stronger is never given a weaker
    word than the other.
    """

    def __init__(self, bins: PhraseBins, guards: Guards) -> None:
        mean = bins.mean
        # Words of equal strength are told apart by their spread, not by their place in the lexicon.
        self._order: Index = np.lexsort((np.arange(len(mean)), bins.above_half, bins.second, mean))
        self._mean = mean[self._order]
        self._n_words = len(mean)
        W, G = (x[self._order] for x in _merged(bins))
        self._words = _Words(W, G, W**2, guards.information_price)
        self._sources: Index = np.flatnonzero(guards.covered[self._order])
        self._rest: Index = np.flatnonzero(~guards.covered[self._order])
        self._feasible = self._feasibility(guards)

    def _feasibility(self, guards: Guards) -> Mask:
        """(sources, words): which single substitutions the guards let pass; staying is always one."""
        step = np.unique(self._mean, return_inverse=True)[1]
        feasible: Mask = np.abs(step[:, None] - step) <= guards.max_steps
        feasible &= guards.allowed[self._order]
        absent, present = self._mean == 0, self._mean == 1
        feasible &= ~(absent[:, None] & present) & ~(present[:, None] & absent)
        np.fill_diagonal(feasible, True)
        return feasible[self._sources]

    def plan(self, n: Array, y: Array) -> Array:
        """(K, K) plan of ones and zeros with the least J that the search finds; rows add to 1.

        Args:
            n, y: (K,) statements and how many were confirmed.
        """
        target = np.arange(self._n_words)
        if len(self._sources) and n.sum() > 0:
            n, y = n[self._order], y[self._order]
            rate, variance = posterior_rates(n, y, self._mean)
            problem = _Problem(self._words, self._sources, self._rest, n, rate, variance)
            target[self._sources] = self._search(problem, self._feasible & ~self._sound(n, y)[:, None])
        plan = np.zeros((self._n_words, self._n_words))
        plan[self._order, self._order[target]] = 1.0
        return plan

    def _sound(self, n: Array, y: Array) -> Mask:
        """(sources,): plain statements that are right often enough to stay as they are."""
        plain = (self._mean == 0) | (self._mean == 1)
        sound: Mask = plain & (np.abs(y - n * self._mean) <= PLAIN_TOLERANCE * n)
        return sound[self._sources]

    def _search(self, problem: _Problem, feasible: Mask) -> Index:
        """From the present use of words, the best move of neighbouring phrases to one word, until none helps."""
        # A run of sources may go to a word if each of them may: running counts of the forbidden ones tell.
        barred = np.zeros((len(feasible) + 1, self._n_words), dtype=np.intp)
        np.cumsum(~feasible, axis=0, out=barred[1:])
        clear: Mask = barred[None, 1:] == barred[:-1, None]
        clear &= np.tri(len(feasible), dtype=bool).T[:, :, None]
        target = self._sources
        value = problem.value(target)
        while True:
            moves = self._moves(target, clear)
            value, i = problem.best_move(target, moves, value)
            if i < 0:
                return target
            first, last, word = (x[i] for x in moves)
            target = target.copy()
            target[first : last + 1] = word

    def _moves(self, target: Index, clear: Mask) -> tuple[Index, Index, Index]:
        """All moves of a run of sources first..last to one word that keep the order; the staying put left out."""
        below = np.concatenate(([0], target[:-1]))
        above = np.concatenate((target[1:], [self._n_words - 1]))
        word = np.arange(self._n_words)
        ok = clear & (word >= below[:, None, None]) & (word <= above[None, :, None])
        at = np.arange(len(target))
        ok[at, at, target] = False
        first, last, words = np.nonzero(ok)
        return first, last, words


class _Problem:
    """J of plans for one set of counts, in the solver's order of words."""

    def __init__(self, words: _Words, sources: Index, rest: Index, n: Array, rate: Array, variance: Array) -> None:
        self._words, self._own = words, sources
        self._total = n.sum()
        y = n * rate
        spread = n**2 * variance + n * rate * (1 - rate)
        self._n, self._y, self._v = n[sources], y[sources], spread[sources]
        self._rest_gap = y[rest] @ words.W[rest] - n[rest] @ words.G[rest]
        self._rest_var = spread[rest] @ words.W2[rest]
        self._rest_n, self._rest_y = np.zeros(len(n)), np.zeros(len(n))
        self._rest_n[rest], self._rest_y[rest] = n[rest], y[rest]
        self._now = _certainty(n, y)

    def value(self, target: Index) -> float:
        """J of one plan."""
        w = self._words
        gap = self._rest_gap + self._y @ w.W[target] - self._n @ w.G[target]
        var = self._rest_var + self._v @ w.W2[target]
        n, y = self._rest_n.copy(), self._rest_y.copy()
        np.add.at(n, target, self._n)
        np.add.at(y, target, self._y)
        lost = self._now - _certainty(n, y)
        effort = self._n[target != self._own].sum()
        error = np.sqrt(gap**2 + 2 / np.pi * var).sum()
        return float((error + w.price * lost + EFFORT * effort) / self._total)

    def best_move(self, target: Index, moves: tuple[Index, Index, Index], value: float) -> tuple[float, int]:
        """Least J over the moves of sources first..last to one word, and which; (value, -1) if none is below value."""
        w = self._words
        first, last, word = moves
        stop = last + 1

        def moved(x: Array) -> Array:
            total = _running(x)
            return np.asarray(total[stop] - total[first])

        # With its bins merged the problem is small; what takes time is the number of moves, so sums over runs of
        # sources are differences of running sums.
        gap = self._y[:, None] * w.W[target] - self._n[:, None] * w.G[target]
        var = self._v[:, None] * w.W2[target]
        new_gap = (self._rest_gap + gap.sum(axis=0)) - moved(gap)
        new_gap += moved(self._y)[:, None] * w.W[word]
        new_gap -= moved(self._n)[:, None] * w.G[word]
        new_var = (self._rest_var + var.sum(axis=0)) - moved(var)
        new_var += moved(self._v)[:, None] * w.W2[word]
        np.maximum(new_var, 0, out=new_var)
        new_gap *= new_gap
        new_gap += 2 / np.pi * new_var
        error = np.sqrt(new_gap, out=new_gap).sum(axis=1)
        changed = _running(self._n * (target != self._own))
        own = _running(self._n[:, None] * (self._own[:, None] == np.arange(len(self._rest_n))))
        effort = changed[-1] - (changed[stop] - changed[first])
        effort += moved(self._n) - (own[stop, word] - own[first, word])
        bound = (error + EFFORT * effort) / self._total
        # No plan tells more of the outcome than the present use of words: only these can be better.
        at = np.flatnonzero(bound < value - 1e-9)
        if not len(at):
            return value, -1
        first, stop, word = first[at], stop[at], word[at]
        spoken = np.zeros((len(target), len(self._rest_n)))
        spoken[np.arange(len(target)), target] = 1
        n, y = (self._after(x, base, spoken, first, stop, word) for x, base in self._counts())
        result = bound[at] + w.price * (self._now - _certainty(n, y)) / self._total
        i = int(result.argmin())
        return (float(result[i]), int(at[i])) if result[i] < value - 1e-9 else (value, -1)

    def _counts(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        return (self._n, self._rest_n), (self._y, self._rest_y)

    @staticmethod
    def _after(x: Array, base: Array, spoken: Array, first: Index, stop: Index, word: Index) -> Array:
        """(moves, words) sums of x over the sources that share a word, after each move."""
        total, by_word = _running(x), _running(x[:, None] * spoken)
        result: Array = base + by_word[-1] - (by_word[stop] - by_word[first])
        np.maximum(result, 0, out=result)
        result[np.arange(len(word)), word] += total[stop] - total[first]
        return result


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """The words in order of strength, on merged bins; W2 is W squared."""

    W: Array
    G: Array
    W2: Array
    price: float


def _certainty(n: Array, y: Array) -> Array:
    """-N H(outcome | word) in bits over the last axis: differences of it are N times bits of mutual information."""
    total: Array = (_xlog2(y) + _xlog2(n - y) - _xlog2(n)).sum(axis=-1)
    return total


def _merged(bins: PhraseBins) -> tuple[Array, Array]:
    """W and G on about SEARCH_BINS bins; the first and last of the diagram stay by themselves."""
    m = bins.weight.shape[1]
    if m <= SEARCH_BINS:
        return bins.weight, bins.moment
    inner = np.unique(np.linspace(1, m - 1, SEARCH_BINS - 1).round().astype(np.intp))
    starts = np.concatenate(([0], inner))
    return np.add.reduceat(bins.weight, starts, axis=1), np.add.reduceat(bins.moment, starts, axis=1)


def _running(x: Array) -> Array:
    """Sums of the first 0, 1, ..., all entries along the first axis."""
    total = np.zeros((len(x) + 1, *x.shape[1:]))
    np.cumsum(x, axis=0, out=total[1:])
    return total


def _xlog2(x: Array) -> Array:
    return x * np.log2(np.maximum(x, 1e-300))
