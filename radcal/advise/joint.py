"""The default solver: the plan with the least expected calibration error overall, under guards.

Each covered phrase is given one word.  The plan minimises the error to be expected on as many new statements, not the
error on the statements that it is fitted to:

    J(t) = (1/N) sum_m sqrt(mu_m^2 + (2/pi) s_m^2) + information price * bits lost + effort
    mu_m = sum_k n_k (r_k W[t_k, m] - G[t_k, m]),     s_m^2 = sum_k V_k W[t_k, m]^2

r_k is the posterior mean of the phrase's confirmed rate and V_k the predictive variance of its confirmed count; mu_m
and s_m are mean and standard deviation of the gap in bin m.  sqrt(mu^2 + 2/pi s^2) approximates the expected absolute
value of a normal variable, exactly for mu = 0 and for s = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.advise.rates import posterior_rates
from radcal.lexicon.phrases import PLAIN_TOLERANCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.records import PhraseBins

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]
    Mask = NDArray[np.bool_]
    Moves = tuple[Index, Index, Index, Index]

SEARCH_BINS = 16
"""Bins of the search: bins of the diagram are merged, except the first and last, which hold the plain statements."""
BATCH = 20
"""Samples searched together: enough to hide the cost of a step, few enough to stay in the cache."""
PAIRED = 30
"""Best moves of a sample that are tried in pairs where no single move helps."""
TRIED = 6
"""Best pairs of moves for which the information lost is computed."""
NEGLIGIBLE = 1e-9
"""Differences of J attributed to rounding."""
EFFORT = 0.01
"""Price of rewording a statement: a change must lower the error by this much per use."""
EFFORT_AGREEING = 0.03
"""The price where the confirmed rate is within one posterior standard deviation of the phrase's meaning.  A wider
margin would include nearly every word of a few hundred statements, and cost more on unseen statements than it saves in
needless changes."""


@dataclass(frozen=True, slots=True)
class Guards:
    """Constraints on a plan.

    covered: (K,) phrases that may be changed;  allowed: (K,) words that may be proposed
    max_steps: most steps up or down the scale of words;  information_price: price of a bit of information lost
    """

    covered: Mask
    allowed: Mask
    max_steps: int
    information_price: float


class JointSolver:
    """Fits plans for one lexicon and one set of guards, for many samples at a time.

    A plan never turns absent into present or the reverse, keeps plain statements that are right in 95 % of cases or
    more, and keeps the order of the covered phrases: the stronger of two is never given the weaker word.
    """

    def __init__(self, bins: PhraseBins, guards: Guards) -> None:
        mean = bins.mean
        # Words of equal strength are ordered by their spread, not by their place in the lexicon.
        self._order: Index = np.lexsort((np.arange(len(mean)), bins.above_half, bins.second, mean))
        self._mean = mean[self._order]
        W, G = (x[self._order] for x in _merged(bins))
        self._words = _Words(W, G, W**2, guards.information_price)
        self._sources: Index = np.flatnonzero(guards.covered[self._order])
        self._rest: Index = np.flatnonzero(~guards.covered[self._order])
        self._feasible = self._feasibility(guards)

    def _feasibility(self, guards: Guards) -> Mask:
        """(sources, words): single substitutions that the guards permit, staying always included."""
        step = np.unique(self._mean, return_inverse=True)[1]
        feasible: Mask = np.abs(step[:, None] - step) <= guards.max_steps
        feasible &= guards.allowed[self._order]
        absent, present = self._mean == 0, self._mean == 1
        feasible &= ~(absent[:, None] & present) & ~(present[:, None] & absent)
        np.fill_diagonal(feasible, True)
        return feasible[self._sources]

    def plans(self, n: Array, y: Array) -> Array:
        """(B, K, K) plans of ones and zeros with the least J found; rows add to 1.

        Args:
            n, y: (B, K) statements and confirmed ones of B samples.
        """
        size = len(self._mean)
        target = np.tile(np.arange(size), (len(n), 1))
        if len(self._sources):
            for start in range(0, len(n), BATCH):
                part = slice(start, start + BATCH)
                target[part, self._sources] = self._search(n[part][:, self._order], y[part][:, self._order])
        plans = np.zeros((len(n), size, size))
        plans[np.arange(len(n))[:, None], self._order, self._order[target]] = 1.0
        return plans

    def _search(self, n: Array, y: Array) -> Index:
        """Greedy search from the present use of words: moves of adjacent phrases to one word, singly or in pairs."""
        problem = _Problem(self._words, self._mean, self._sources, self._rest, n, y)
        clear = self._clear(n, y)
        target = np.tile(self._sources, (len(n), 1))
        value = problem.value(target)
        active = n.sum(axis=1) > 0
        while active.any():
            target, value = self._descend(problem, clear, target, value, active)
            # Often only two moves together improve the plan: either alone would leave a gap.
            paired, reached = problem.better_pair(target, value, self._moves(target, clear, active))
            active = reached < value - NEGLIGIBLE
            target, value = np.where(active[:, None], paired, target), np.where(active, reached, value)
        return target

    def _descend(
        self, problem: _Problem, clear: Mask, target: Index, value: Array, active: Mask
    ) -> tuple[Index, Array]:
        """Plans of the active samples and their J after single moves, until none improves."""
        while active.any():
            moves, reached = problem.better_moves(target, value, self._moves(target, clear, active))
            active = np.zeros_like(active)
            active[moves[0]] = True
            # The best move of each sample is certain to help.  Several that do not touch mostly help more, and save
            # steps; their joint value is checked.
            one, several = target.copy(), target.copy()
            touched = np.zeros((len(target), target.shape[1] + 2), dtype=bool)
            best = value.copy()
            for sample, first, last, word, result in zip(*(m.tolist() for m in moves), reached.tolist(), strict=True):
                if not touched[sample].any():
                    one[sample, first : last + 1] = word
                    best[sample] = result
                if not touched[sample, first : last + 3].any():
                    several[sample, first : last + 1] = word
                    touched[sample, first : last + 3] = True
            jointly = problem.value(several)
            target = np.where((jointly < best)[:, None], several, one)
            value = np.minimum(jointly, best)
        return target, value

    def _clear(self, n: Array, y: Array) -> Mask:
        """(B, first, last, word): whether all of the sources first..last may become the word."""
        plain = (self._mean == 0) | (self._mean == 1)
        # Plain statements that are nearly always right stay plain.
        sound = (plain & (np.abs(y - n * self._mean) <= PLAIN_TOLERANCE * n))[:, self._sources]
        staying = np.arange(len(self._mean)) == self._sources[:, None]
        barred = ~self._feasible | (sound[:, :, None] & ~staying)
        # By running counts: whether any between first and last is barred.
        total = _running(barred.astype(np.intp))
        clear: Mask = total[:, None, 1:] == total[:, :-1, None]
        clear &= np.tri(len(self._sources), dtype=bool).T[:, :, None]
        return clear

    def _moves(self, target: Index, clear: Mask, active: Mask) -> Moves:
        """All moves of a run of sources to one word that keep the order, as (sample, first, last, word).

        A run covers at most three of the words in use: longer ones would be most moves, and are hardly ever best.
        """
        size, word = target.shape[1], np.arange(len(self._mean))
        low, high = np.zeros((len(target), 1), dtype=np.intp), np.full((len(target), 1), len(word) - 1)
        below = np.concatenate((low, target[:, :-1]), axis=1)
        above = np.concatenate((target[:, 1:], high), axis=1)
        now = np.concatenate((low, np.cumsum(np.diff(target, axis=1) != 0, axis=1)), axis=1)
        ok = (word >= below[:, :, None, None]) & (word <= above[:, None, :, None])
        ok &= (now[:, None, :] - now[:, :, None] < 3)[:, :, :, None]
        ok &= clear
        ok &= active[:, None, None, None]
        at = np.arange(size)
        ok[np.arange(len(target))[:, None], at, at, target] = False
        sample, first, last, words = np.nonzero(ok)
        return sample, first, last, words


class _Problem:
    """J of plans for B samples, with phrases in the solver's order."""

    def __init__(self, words: _Words, mean: Array, sources: Index, rest: Index, n: Array, y: Array) -> None:
        self._words, self._own = words, sources
        self._total = np.maximum(n.sum(axis=1), 1e-300)
        rate, variance = posterior_rates(n, y, mean)
        y = n * rate
        spread = n**2 * variance + y * (1 - rate)
        self._n, self._y, self._v = n[:, sources], y[:, sources], spread[:, sources]
        self._rest_gap = y[:, rest] @ words.W[rest] - n[:, rest] @ words.G[rest]
        self._rest_var = spread[:, rest] @ words.W2[rest]
        self._rest_n, self._rest_y = np.zeros_like(n), np.zeros_like(n)
        self._rest_n[:, rest], self._rest_y[:, rest] = n[:, rest], y[:, rest]
        agrees = np.abs(rate - mean) < np.sqrt(variance)
        self._effort = (n * np.where(agrees, EFFORT_AGREEING, EFFORT))[:, sources]
        self._now = certainty(n, y)

    def _gaps(self, target: Index) -> tuple[Array, Array]:
        """(B, sources, M) contributions of the sources to mean and variance of the gap in each bin."""
        w = self._words
        gap = self._y[:, :, None] * w.W[target] - self._n[:, :, None] * w.G[target]
        return gap, self._v[:, :, None] * w.W2[target]

    def value(self, target: Index) -> Array:
        """(B,) J of one plan (B, sources) for each sample."""
        spoken = _one_hot(target, len(self._words.W))
        n = self._rest_n + (self._n[:, :, None] * spoken).sum(axis=1)
        y = self._rest_y + (self._y[:, :, None] * spoken).sum(axis=1)
        bound = self._bound(*self._as_it_is(target), np.arange(len(target)))
        result: Array = bound + self._words.price * (self._now - certainty(n, y)) / self._total
        return result

    def better_moves(self, target: Index, value: Array, moves: Moves) -> tuple[Moves, Array]:
        """The few moves of each sample with the least J below the sample's value, best first, and their J."""
        w = self._words
        gap, var, effort = self._moved(target, moves)
        bound = self._bound(gap, var, effort, moves[0])
        # No plan is more informative than the present use of words: only these can be better.
        at = np.flatnonzero(bound < value[moves[0]] - NEGLIGIBLE)
        sample, first, last, word = (m[at] for m in moves)
        spoken = _one_hot(target, len(w.W))
        n = self._after(self._n, self._rest_n, spoken, (sample, first, last + 1, word))
        y = self._after(self._y, self._rest_y, spoken, (sample, first, last + 1, word))
        result = bound[at] + w.price * (self._now[sample] - certainty(n, y)) / self._total[sample]
        better = np.flatnonzero(result < value[sample] - NEGLIGIBLE)
        few = better[_least(result[better], sample[better], 10)]
        return (sample[few], first[few], last[few], word[few]), result[few]

    def better_pair(self, target: Index, value: Array, moves: Moves) -> tuple[Index, Array]:
        """The plan (B, sources) with the least J after two moves at once, and J; the given plan if none is better."""
        gap, var, effort = self._moved(target, moves)
        near = _least(self._bound(gap, var, effort, moves[0]), moves[0], PAIRED)
        sample, first, last, word = (m[near] for m in moves)
        start = np.searchsorted(sample, np.arange(len(target) + 1))
        pairs = [np.stack(np.triu_indices(b - a, 1)) + a for a, b in pairwise(start.tolist())]
        low, high = np.concatenate(pairs, axis=1)
        low, high = np.where(first[low] <= first[high], (low, high), (high, low))
        apart = (last[low] < first[high]) & (word[low] <= word[high])
        low, high = low[apart], high[apart]
        of = sample[low]
        # The changes of two moves add up.
        now_gap, now_var, now_effort = self._as_it_is(target)
        bound = self._bound(
            gap[near][low] + gap[near][high] - now_gap[of],
            np.maximum(var[near][low] + var[near][high] - now_var[of], 0),
            effort[near][low] + effort[near][high] - now_effort[of],
            of,
        )
        at = np.flatnonzero(bound < value[of] - NEGLIGIBLE)
        few = at[_least(bound[at], of[at], TRIED)]
        best, least = target, value
        rank = np.arange(len(few)) - np.searchsorted(of[few], of[few])
        for r in range(int(rank.max(initial=-1)) + 1):
            tried = target.copy()
            for pair in few[rank == r].tolist():
                for move in (low[pair], high[pair]):
                    tried[sample[move], first[move] : last[move] + 1] = word[move]
            result = self.value(tried)
            best, least = np.where((result < least)[:, None], tried, best), np.minimum(result, least)
        return best, least

    def _as_it_is(self, target: Index) -> tuple[Array, Array, Array]:
        """(B, M) mean and variance of the gap in each bin, and (B,) effort, of one plan for each sample."""
        gap, var = self._gaps(target)
        effort = (self._effort * (target != self._own)).sum(axis=1)
        return self._rest_gap + gap.sum(axis=1), self._rest_var + var.sum(axis=1), effort

    def _bound(self, gap: Array, var: Array, effort: Array, sample: Index) -> Array:
        """J without the information lost, of plans with these gaps (plans, M) and efforts."""
        square = gap * gap
        square += 2 / np.pi * var
        bound: Array = (np.sqrt(square, out=square).sum(axis=1) + effort) / self._total[sample]
        return bound

    def _moved(self, target: Index, moves: Moves) -> tuple[Array, Array, Array]:
        """(moves, M) mean and variance of the gap in each bin after each move, and (moves,) effort.

        The moves are many: sums over runs of sources are differences of running sums.
        """
        w = self._words
        sample, first, last, word = moves
        # Moves of one run to different words are adjacent; their common part is computed once a run.
        fresh = np.ones(len(word), dtype=bool)
        fresh[1:] = (np.diff(sample) != 0) | (np.diff(first) != 0) | (np.diff(last) != 0)
        run = np.cumsum(fresh) - 1
        of, start, stop = sample[fresh], first[fresh], last[fresh] + 1

        def moved(x: Array) -> Array:
            total = _running(x)
            return np.asarray(total[of, stop] - total[of, start])

        gap, var = self._gaps(target)
        moved_n, moved_y, moved_v = (moved(x)[run, None] for x in (self._n, self._y, self._v))
        new_gap = np.take((self._rest_gap + gap.sum(axis=1))[of] - moved(gap), run, axis=0)
        new_gap += moved_y * np.take(w.W, word, axis=0)
        new_gap -= moved_n * np.take(w.G, word, axis=0)
        new_var = np.take((self._rest_var + var.sum(axis=1))[of] - moved(var), run, axis=0)
        new_var += moved_v * np.take(w.W2, word, axis=0)
        np.maximum(new_var, 0, out=new_var)
        changed = self._effort * (target != self._own)
        kept = moved(self._effort[:, :, None] * _one_hot(self._own, len(w.W)))
        effort = (changed.sum(axis=1)[of] - moved(changed) + moved(self._effort))[run] - kept[run, word]
        return new_gap, new_var, effort

    @staticmethod
    def _after(x: Array, rest: Array, spoken: Array, moves: Moves) -> Array:
        """(moves, words) sums of x over the phrases that share a word, after each move."""
        sample, first, stop, word = moves
        total, by_word = _running(x), _running(x[:, :, None] * spoken)
        result: Array = (rest + by_word[:, -1])[sample] - (by_word[sample, stop] - by_word[sample, first])
        np.maximum(result, 0, out=result)
        result[np.arange(len(word)), word] += total[sample, stop] - total[sample, first]
        return result


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """The words in order of strength, on merged bins; W2 is W squared."""

    W: Array
    G: Array
    W2: Array
    price: float


def certainty(n: Array, y: Array) -> Array:
    """-N H(outcome | word) in bits over the last axis; its differences are N times those of the mutual information.

    Args:
        n, y: (..., K) uses of each word, and confirmed ones.
    """
    total: Array = (_xlog2(y) + _xlog2(n - y) - _xlog2(n)).sum(axis=-1)
    return total


def _merged(bins: PhraseBins) -> tuple[Array, Array]:
    """W and G on about SEARCH_BINS bins, the first and last unmerged."""
    m = bins.weight.shape[1]
    if m <= SEARCH_BINS:
        return bins.weight, bins.moment
    inner = np.unique(np.linspace(1, m - 1, SEARCH_BINS - 1).round().astype(np.intp))
    starts = np.concatenate(([0], inner))
    return np.add.reduceat(bins.weight, starts, axis=1), np.add.reduceat(bins.moment, starts, axis=1)


def _one_hot(target: Index, size: int) -> Array:
    return np.asarray((target[..., None] == np.arange(size)).astype(np.float64))


def _least(value: Array, sample: Index, few: int) -> Index:
    """Positions of the few least values of each sample, least first."""
    order: Index = np.lexsort((np.arange(len(value)), value, sample))
    ordered = sample[order]
    return order[np.arange(len(order)) - np.searchsorted(ordered, ordered) < few]


def _running(x: NDArray[Any]) -> NDArray[Any]:
    """Sums of the first 0, 1, ..., all entries along axis 1."""
    total = np.zeros((len(x), x.shape[1] + 1, *x.shape[2:]), dtype=x.dtype)
    np.cumsum(x, axis=1, out=total[:, 1:])
    return total


def _xlog2(x: Array) -> Array:
    return x * np.log2(np.maximum(x, 1e-300))
