"""Exact redraws of tables, made cheap by sharing random numbers among all groups.

Every group is redrawn with the same stream, so that its result depends on the seed and its own counts alone:
not on the company it is analysed in, nor on the number of threads.  Redraws of one group are independent of
each other; only the Monte-Carlo errors of different groups are correlated, which no interval uses.

Bootstrap.  Let A(i) be a Poisson process of unit rate on the integers.  A cell of n_j of the group's N
observations is a stretch of n_j integers, so A(end) - A(start) is Poisson(n_j), independent between cells:
one table of A serves every group.  Given their total T, the counts are multinomial with probabilities n_j / N.
Where T <= N, N - T single draws complete them to Multinomial(N, n_j / N); where T > N the redraw starts from
nothing.  Twice as many processes as redraws are kept, so that T <= N nearly always and N - T is about sqrt(N).
Which processes are used and what completes them depends on N alone: groups of the same N share both, and
differ only in where their cells end.

Luck band.  What luck confirms of n_k findings depends on phrase, count and reference alone: each is drawn once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Single = NDArray[np.float32]
    Ints = NDArray[np.int64]

LONGEST_PROCESS = 2048
"""Groups of more observations are redrawn cell by cell: there single draws would cost more than they save."""
_CELL = 8
"""Unless they have a cell for so many observations, because cells cost more still."""
PROCESS_SIZE = 1 << 25
"""Most numbers in the table of processes (128 MiB); with very many redraws it is shorter for it."""
_SHARED = 4
"""From so many groups of one total on, their redraws are made once, by single observations."""
_SHARED_SIZE = 1 << 22
"""Most observations times redraws that are made so (16 MiB of counts, and some times that to get them)."""
_LARGE_SIZE = 1 << 20
"""Most cells drawn one by one before somebody may stop it."""
_CHUNK = 64
_STEP = 512
"""Lengths of process tables that are kept are multiples of this."""
_PROCESS, _COMPLETION, _LARGE, _LUCK = range(4)


def _generator(seed: int, *key: int) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=key)))


def luck_draws(seed: int, phrase: int, n: int, outcomes: Array, chances: Array, draws: int) -> Single:
    """(draws,) sums of n outcomes (J,) with these chances (J,), identical for the same arguments.

    With the outcomes 0 and 1 this is Binomial(n, chance of 1).
    """
    drawn = _generator(seed, _LUCK, phrase, n).multinomial(n, chances, size=draws)
    return (drawn @ outcomes).astype(np.float32)


def counting_processes(seed: int, length: int, columns: int, begun: Single | None = None) -> Single:
    """(length + 1, columns) independent Poisson processes of unit rate, counted from 0 at the top.

    A longer table begins like a shorter one: where that is given as ``begun``, only the rest is drawn.
    """
    process = np.zeros((length + 1, columns), dtype=np.float32)
    whole = 0 if begun is None else (len(begun) - 1) // _CHUNK * _CHUNK
    if begun is not None:
        process[: whole + 1] = begun[: whole + 1]
    for start in range(whole, length, _CHUNK):
        # A Poisson total scattered evenly over cells is a Poisson count in each, and cheaper to draw.
        rng = _generator(seed, _PROCESS, start // _CHUNK)
        events = rng.integers(0, _CHUNK * columns, rng.poisson(_CHUNK * columns))
        steps = np.bincount(events, minlength=_CHUNK * columns).reshape(_CHUNK, columns)[: length - start]
        block = process[start + 1 : start + 1 + len(steps)]
        np.cumsum(steps, axis=0, dtype=np.float32, out=block)
        block += process[start]
    return process


_kept: dict[tuple[int, int], Single] = {}
"""The processes drawn last, by seed and columns: one table, or none."""


def _kept_processes(seed: int, length: int, columns: int) -> Single:
    """At least ``length`` of :func:`counting_processes`, with a last column that stays at 0, for redraws from nothing.

    Kept between calls, and only ever lengthened: the page of one group asks for processes at every choice, and
    drawing them anew because the groups differ in size would take longer than all the rest.
    """
    kept = _kept.get((seed, columns))
    if kept is None or len(kept) <= length:
        process = counting_processes(seed, length, columns, None if kept is None else kept[:, :-1])
        kept = np.pad(process, ((0, 0), (0, 1)))
        kept.setflags(write=False)
        _kept.clear()
        _kept[seed, columns] = kept
    return kept


class Bootstrap:
    """Multinomial redraws of the cells of tables: B for each group.

    Args:
        seed: any whole number.
        draws: B.
        totals: (Q,), numbers of observations of the groups to come.
        used: (Q,), numbers of their cells that are not empty.
        going: called now and then; raises to stop.
    """

    def __init__(
        self,
        seed: int,
        draws: int,
        totals: Array,
        used: NDArray[np.intp] | None = None,
        going: Callable[[], None] = lambda: None,
    ) -> None:
        self._seed = seed
        self._going = going
        self._draws = draws
        self._longest = PROCESS_SIZE // (2 * draws) - 1
        short = self._are_short(totals, np.zeros(len(totals), dtype=np.intp) if used is None else used)
        length = int(totals[short].max(initial=0))
        # A longer table begins like a shorter one.
        steps = min(-(-length // _STEP) * _STEP, max(self._longest, 0))
        self._process = _kept_processes(seed, steps, 2 * draws)
        self._uniform = _generator(seed, _COMPLETION).random(int(2 * length**0.5 + 1) * draws)

    def _are_short(self, totals: NDArray[Any], used: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(Q,), whether groups are redrawn by processes."""
        short: NDArray[np.bool_] = totals <= np.minimum(np.maximum(LONGEST_PROCESS, _CELL * used), self._longest)
        return short

    def redraw(self, cells: Array) -> Single:
        """B redraws of the cells of g groups.

        Args:
            cells: (g, J), n_j >= 0, each row a group: whole in total, and fractional only where outcomes were
                shared out.  Cells of 0 may fill a row up, anywhere; they change nothing.

        Returns:
            (g, J, B), each column with the group's total.
        """
        totals = np.rint(cells.sum(axis=1)).astype(np.int64)
        whole = cells.astype(np.int64)
        by_process = self._are_short(totals, np.count_nonzero(cells, axis=1)) & (whole == cells).all(axis=1)
        by_process &= totals < len(self._process)
        if by_process.all():
            return self._from_processes(whole, totals)

        redrawn = np.zeros((*cells.shape, self._draws), dtype=np.float32)
        if by_process.any():
            redrawn[by_process] = self._from_processes(whole[by_process], totals[by_process])
        for i in np.flatnonzero(~by_process):
            some = np.flatnonzero(cells[i])
            shares = cells[i, some] / cells[i].sum()
            rng, size = _generator(self._seed, _LARGE), max(1, _LARGE_SIZE // len(some))
            for a in range(0, self._draws, size):
                self._going()
                b = min(a + size, self._draws)
                redrawn[i, some, a:b] = rng.multinomial(totals[i], shares, size=b - a).T
        return redrawn

    def _from_processes(self, cells: Ints, totals: Ints) -> Single:
        """As ``redraw``, where cells are whole and totals (g,) short enough; few calls, however many groups."""
        g, J = cells.shape
        ends = np.zeros((g, J + 1), dtype=np.int64)
        np.cumsum(cells, axis=1, out=ends[:, 1:])
        distinct, groups = np.unique(totals, return_counts=True)
        shared = distinct[(groups >= _SHARED) & (distinct * self._draws <= _SHARED_SIZE)]
        if not len(shared):
            return self._between(ends, totals)

        redrawn = np.empty((g, J, self._draws), dtype=np.float32)
        for total in shared:
            # Groups of one total have the same redraws of single observations, and join them to cells of their own.
            own = np.flatnonzero(totals == total)
            every, place = np.unique(ends[own], return_inverse=True)
            before = np.zeros((len(every), self._draws), dtype=np.float32)
            np.cumsum(self._between(every[None], total[None])[0], axis=0, out=before[1:])
            before = before.take(place.reshape(len(own), J + 1), axis=0)
            redrawn[own] = before[:, 1:] - before[:, :-1]
        alone = np.flatnonzero(~np.isin(totals, shared))
        if len(alone):
            redrawn[alone] = self._between(ends[alone], totals[alone])
        return redrawn

    def _between(self, ends: Ints, totals: Ints) -> Single:
        """(g, E - 1, B): how many observations of each redraw of g groups lie between their ends (g, E)."""
        g, E = ends.shape
        B, width = self._draws, self._process.shape[1]
        # B columns for each group: its usable processes first, and then the one that stays at 0.
        reached = self._process[totals]
        column = np.argsort(reached > totals[:, None], axis=1, kind="stable")[:, :B]
        column[np.take_along_axis(reached, column, axis=1) > totals[:, None]] = width - 1
        missing = totals[:, None] - np.take_along_axis(reached, column, axis=1).astype(np.int64)
        counted = np.empty((g, E, B), dtype=np.float32)
        for i in range(g):
            np.take(self._process.take(ends[i], axis=0), column[i], axis=1, out=counted[i], mode="clip")

        # Single draws: an observation each, then the next end after it and the redraw that it completes.
        draws = missing.sum(axis=1)
        uniform = self._uniforms(int(draws.max(initial=0)))
        observation = (uniform * totals[:, None]).astype(np.intp)
        observation += (np.cumsum(totals) - totals)[:, None]
        after = np.repeat(np.arange(g * (E - 1)) * B, np.diff(ends).ravel())
        place = after.take(np.concatenate([row[:n] for row, n in zip(observation, draws, strict=True)]), mode="clip")
        place += np.repeat(np.tile(np.arange(B), g), missing.ravel())
        redrawn = np.bincount(place, minlength=g * (E - 1) * B).astype(np.float32).reshape(g, E - 1, B)
        redrawn += counted[:, 1:]
        redrawn -= counted[:, :-1]
        return redrawn

    def _uniforms(self, n: int) -> Array:
        """The first n numbers of the one stream that completes every group."""
        uniform = self._uniform  # another thread may put a longer one in its place
        if n > len(uniform):
            uniform = self._uniform = _generator(self._seed, _COMPLETION).random(2 * n)
        return uniform[:n]
