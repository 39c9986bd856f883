"""Errors of reading carried on into rates and word errors.

An engine that reads C[w, c] of what was written as w (absent, hedged, present) as c, whatever the other report says,
turns the table of what was written into that of what was read: linearly, in the columns for the CT reports and in the
rows for the X-ray reports.  Both C come from a gold set, each row with its own Dirichlet posterior (Jeffreys prior);
every redraw of a table is led back through a redraw of both.  Shares that depend on how much is written of what, such
as how much of what is read as "present" is present, are not carried over: they differ from word to word.

    CT       t_written = t_read C^-1 for each word; silence is a fourth column, and counts as absent or is left out
    X-ray    of the words of class c, t_k less its share of what was written as another class, over C[c, c]
    phrase   hedged as written and as read, a phrase is read as itself, as one of nearly the same meaning, or as any
             other, in the group's own use of phrases

What is read where nothing was written says nothing, and is taken off: of a CT report, in proportion to how many were
silent; of an X-ray report, in proportion to what was read, with references as all of the group's statements met them.

Source: Rogan and Gladen, Am. J. Epidemiol. 1978;107:71-76, and for matrices Barron, Biometrics 1977;33:414-418.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibration.bands import FEWEST_HEDGES, small_sample, word_interval
from radcal.calibration.records import SILENT_ABSENT, SILENT_LEFT_OUT
from radcal.review.records import HEDGED, NEAR, NOT_MENTIONED, STATED, Silence
from radcal.system.intervals import tails
from radcal.system.settings import ALL_TOPICS
from radcal.words.records import ABSENT, PRESENT

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from radcal.calibration.records import Tables
    from radcal.calibration.reference import Reference
    from radcal.review.records import Misread, ReadingErrors
    from radcal.system.progress import Progress

    Array = NDArray[np.float64]

_PRIOR = 0.5
_LEAST_RIGHT = 2 / 3
"""An engine that gets fewer hedging words right than this cannot be led back to what was written."""
_ROUNDS = 5
_SCORED = 500
"""Redraws of the word error: its interval comes from their spread, which takes fewer than the ends of rates."""
_NONE, _CLASSES = STATED.index(NOT_MENTIONED), [STATED.index(s) for s in (ABSENT, HEDGED, PRESENT)]
_A, _H, _P = range(3)
_STREAM = 101
_SILENT = (SILENT_ABSENT, SILENT_LEFT_OUT)


def class_of(mean: Array) -> NDArray[np.intp]:
    """0, 1, 2 for absent, hedged, present: by what words or outcomes mean, in 0-1."""
    classes: NDArray[np.intp] = np.where(mean <= 0, _A, np.where(mean >= 1, _P, _H)).astype(np.intp)
    return classes


def silences(counts: pd.DataFrame, entered: pd.DataFrame, absent: Collection[str]) -> dict[str, Silence]:
    """By topic and of all under ALL_TOPICS, how the statistics take a silent CT.

    Args:
        counts: as of ``radcal.calibration.matching.match``
        entered: how many observations ``n`` in the statistics have this topic and outcome
        absent: the topics on which silence counts as absent
    """
    as_absent, left_out = (counts[counts["what"] == what].groupby("topic")["n"].sum() for what in _SILENT)
    n = entered.groupby("topic", sort=False)["n"].sum()
    none = entered[entered["outcome"].eq(0)].groupby("topic")["n"].sum().reindex(n.index, fill_value=0)

    def made(topics: list[str]) -> Silence:
        size, zero = float(n[topics].sum()), float(none[topics].sum())
        counted = float(n[[t for t in topics if t in absent]].sum()) / size
        share, out = (float(s.reindex(topics, fill_value=0).sum()) for s in (as_absent, left_out))
        return Silence(counted, min(share / zero, 1.0) if zero else 0.0, out / size)

    topics = [str(t) for t in n.index]
    return {t: made([t]) for t in topics} | ({ALL_TOPICS: made(topics)} if topics else {})


@dataclass(frozen=True, eq=False)
class _Reader:
    """Redraws of how reports of one modality are read; the last of each is the mean of the others.

    chances: (B + 1, 3, 3), P(read as c | written as w), adding up to 1 or less;  back: their inverses
    nothing: (B + 1, 3), of what is read as c, the share where nothing was written; of CT reports, how often c is read
        where nothing was written, for each statement that entered
    right, near: (B + 1,), of hedges read as hedges, the share with their own phrase; of the others, with a near one
    """

    chances: Array
    back: Array
    nothing: Array
    right: Array
    near: Array

    @classmethod
    def of(cls, misread: Misread, draws: int, seed: int, silence: Silence | None) -> _Reader:
        """Of the X-ray reports, or with ``silence`` of the CT reports on one topic."""
        rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(_STREAM, silence is None))))
        table = np.array(misread.table, dtype=np.float64)
        rows = np.stack([rng.dirichlet(row + _PRIOR, size=draws) for row in table], axis=1)
        read = table[:, _CLASSES]
        right, near, far = rng.dirichlet(np.array(misread.hedged) + _PRIOR, size=draws).T
        chances = rows[:, _CLASSES][:, :, _CLASSES]
        if silence is None:
            nothing: Array = rng.beta(read[_NONE] + _PRIOR, read[_CLASSES].sum(axis=0) + _PRIOR, size=(draws, 3))
            # A statement that was not read is missing, whatever its word.
            chances /= chances.sum(axis=2, keepdims=True)
        else:
            unread = rows[:, :, _NONE]
            kept = rows[:, :, _CLASSES]
            kept[:, :, _A] += silence.counted * unread
            chances = kept[:, _CLASSES]
            chances[:, _A] += silence.share * (kept[:, _NONE] - kept[:, _CLASSES[_A]])
            nothing = silence.left_out * rows[:, _NONE, _CLASSES]
        kinds: list[Array] = [chances, nothing, np.maximum(right, _LEAST_RIGHT), near / (near + far)]
        chances, nothing, right, near = (np.concatenate([x, x.mean(axis=0, keepdims=True)]) for x in kinds)
        back = np.linalg.inv(chances).astype(np.float64)
        return cls(chances, back, nothing, right, near)


def _share(part: Array, whole: Array) -> Array:
    """part / whole, 0 of nothing."""
    share: Array = part / np.where(whole > 0, whole, 1)
    return share


@dataclass(frozen=True, eq=False)
class Carried:
    """What errors of reading leave of the figures of Q groups and their K words; NaN where undefined.

    rate: (3, Q, K), of what was written, and its interval;  word: (3, Q) word error and its interval;  p_value: (Q,)
    """

    rate: Array
    word: Array
    p_value: Array


class Carrying:
    """Leads tables that an engine read back to what was written.

    Args:
        errors: of the engine.
        mean: (K,), E[S|k] of the words;  positive: (L,), p_l of the references.
        draws: B >= 1.
        seed: any whole number.
    """

    def __init__(self, errors: ReadingErrors, mean: Array, positive: Array, draws: int, seed: int) -> None:
        self._errors, self._mean, self._draws, self._seed = errors, mean, draws, seed
        self._positive, self._reference_class = positive, class_of(positive)
        self._xray = _Reader.of(errors.xray, draws, seed, None)
        self._ct: dict[Silence, _Reader] = {}

    def _reader(self, topic: str) -> _Reader:
        silence = self._errors.silence.get(topic, Silence())
        if silence not in self._ct:
            self._ct[silence] = _Reader.of(self._errors.ct, self._draws, self._seed, silence)
        return self._ct[silence]

    def measured(
        self,
        tables: Tables,
        effects: Array,
        made: Sequence[Reference],
        own: NDArray[np.intp],
        confidence: float,
        least: float,
        threads: int,
        progress: Progress,
    ) -> Carried:
        """The figures of all groups; ``made`` and ``own`` are the references and which of them is each group's.

        ``effects`` are the design effects (2, Q, K) of rates and of luck: rates are redrawn from as many fewer
        findings, and what luck makes of a word lies the square root of its effect times as far from its mean.  Word
        errors are of groups of ``least`` statements.
        """
        Q, K = tables.counts.shape[:2]
        carried = Carried(np.full((3, Q, K), np.nan), np.full((3, Q), np.nan), np.full(Q, np.nan))
        for topic in {topic for _, topic in tables.groups}:
            self._reader(topic)

        def work(q: int) -> None:
            progress.raise_if_cancelled()
            group = _Group(self, tables.counts[q], self._reader(tables.groups[q][1]), made[own[q]])
            rates, carried.word[:, q], carried.p_value[q] = group.figures(effects[:, q, group.used], confidence, least)
            carried.rate[:, q, group.used] = rates

        with ThreadPoolExecutor(threads) as pool:
            for _ in pool.map(work, range(Q)):
                progress.raise_if_cancelled()
        return carried

    def written(self, counts: Array, topic: str, reference: Reference, draws: int) -> tuple[Array, Array]:
        """(draws, K) statements as written and confirmed ones, of one table (K, L): redraws of the errors alone."""
        group = _Group(self, counts, self._reader(topic), reference)
        n, y = group.back(group.cells(), slice(0, draws))
        whole = np.zeros((2, draws, len(counts)))
        whole[0][:, group.used], whole[1][:, group.used] = n, y
        return whole[0], whole[1]


class _Group:
    """One table, of its used words."""

    def __init__(self, carrying: Carrying, counts: Array, ct: _Reader, reference: Reference) -> None:
        c = carrying
        self.used = np.flatnonzero(counts.any(axis=1))
        counts = counts[self.used]
        self._ct, self._xray, self._reference = ct, c._xray, reference
        self._draws, self._seed = c._draws, c._seed
        self._mean = c._mean[self.used]
        self._classes = class_of(self._mean)
        self.counts = np.stack([counts[:, c._reference_class == i].sum(axis=1) for i in range(3)], axis=1)
        hedges = counts[:, c._reference_class == _H] @ c._positive[c._reference_class == _H]
        seen = self.counts[:, _H].sum()
        usual = hedges.sum() / seen if seen else 0.5
        self._outcome = np.where(self.counts[:, _H] > 0, _share(hedges, self.counts[:, _H]), usual)
        self._n = self.counts.sum(axis=1)
        self._use = self._n / np.array([self._n[self._classes == i].sum() for i in range(3)])[self._classes]
        hedged = self._classes == _H
        is_near = (np.abs(self._mean[:, None] - self._mean) <= NEAR) & ~np.eye(len(hedged), dtype=bool)
        use = np.where(hedged, self._use, 0.0)
        near: Array = np.where(is_near & hedged[:, None], use, 0.0)
        total = near.sum(axis=1, keepdims=True)
        self._near = np.where(total > 0, _share(near, total), use) * hedged[:, None]

    def cells(self) -> Array:
        """(1, K, 4): absent, the parts of a hedge that leave the finding out and in, present."""
        h = self.counts[:, _H]
        return np.stack([self.counts[:, _A], h * (1 - self._outcome), h * self._outcome, self.counts[:, _P]], axis=1)[
            None
        ]

    def back(self, cells: Array, of: slice) -> tuple[Array, Array]:
        """(B, K) statements as written, and confirmed ones, of cells (B or 1, K, 4) as read by these redraws."""
        n = cells.sum(axis=2)
        ct = self._ct
        columns = np.stack([cells[..., 0], cells[..., 1] + cells[..., 2], cells[..., 3]], axis=2)
        off = ct.nothing[of][:, None, :] * n[:, :, None]
        written = np.maximum((columns - off) @ ct.back[of], 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            outcome = np.where(columns[..., _H] > 0, cells[..., 2] / columns[..., _H], self._outcome)
            rate = (written[..., _P] + written[..., _H] * outcome) / written.sum(axis=2)
        rate = np.where(np.isnan(rate), 0.5, rate)
        n, y = self._words(np.broadcast_to(n, rate.shape), n * rate, of)
        n = np.maximum(n, 0)
        y = np.clip(y, 0, n)
        return n, self._reference.corrected(y, n)

    def _words(self, n: Array, y: Array, of: slice) -> tuple[Array, Array]:
        """n, y (B, K) by words as written: what errors in the X-ray reports brought is taken off."""
        x, classes = self._xray, self._classes
        nothing = x.nothing[of][:, classes]
        overall = _share(y.sum(axis=1, keepdims=True), n.sum(axis=1, keepdims=True))
        both = np.stack([n * (1 - nothing), y - n * nothing * overall])
        masks = [classes == i for i in range(3)]
        read = np.stack([both[:, :, m].sum(axis=2) for m in masks], axis=2)
        written = (read[:, :, None, :] @ x.back[of])[:, :, 0]
        chances = x.chances[of]
        right = np.diagonal(chances, axis1=1, axis2=2)
        foreign = read - written * right
        made = np.empty_like(both)
        for i, m in enumerate(masks):
            total = both[0][:, m].sum(axis=1, keepdims=True)
            share = _share(both[0][:, m], total)
            made[:, :, m] = (both[:, :, m] - share * foreign[:, :, i, None]) / right[:, i, None]
        m = masks[_H]
        if m.any():
            made[:, :, m] = self._phrases(made[:, :, m], self._near[np.ix_(m, m)], self._use[m], of)
        return made[0], made[1]

    def _phrases(self, read: Array, near: Array, use: Array, of: slice) -> Array:
        """(2, B, H) by phrases as written, of hedges as read: S^T x = read, solved by repetition."""
        right, to_near = self._xray.right[of][:, None], self._xray.near[of][:, None]
        far = (1 - to_near) * use * read.sum(axis=2, keepdims=True)
        made = read
        for _ in range(_ROUNDS):
            made = (read - (1 - right) * (to_near * (made @ near) + far)) / right
        return made

    def forth(self, written: Array, of: slice) -> Array:
        """(B, K, 3) expected tables as read, of what was written (K, 3)."""
        ct, x, classes = self._ct, self._xray, self._classes
        met = written @ ct.chances[of]
        met = met + ct.nothing[of][:, None, :] * met.sum(axis=2, keepdims=True)
        h = classes == _H
        if h.any():
            right, near = x.right[of][:, None, None], x.near[of][:, None, None]
            own, total = met[:, h], met[:, h].sum(axis=1, keepdims=True)
            use = _share(own.sum(axis=2, keepdims=True), total.sum(axis=2, keepdims=True))
            other = near * (self._near[np.ix_(h, h)].T @ own) + (1 - near) * use * total
            met[:, h] = right * own + (1 - right) * other
        chances = x.chances[of]
        sums = np.stack([met[:, classes == i].sum(axis=1) for i in range(3)], axis=1)
        read = np.empty_like(met)
        for i in range(3):
            m = classes == i
            foreign = np.einsum("bw,bwc->bc", chances[:, :, i], sums) - chances[:, i, i, None] * sums[:, i]
            size = met[:, m].sum(axis=2, keepdims=True)
            whole = size.sum(axis=1, keepdims=True)
            share = _share(size, whole)
            read[:, m] = met[:, m] * chances[:, i, i, None, None] + share * foreign[:, None, :]
        nothing = x.nothing[of][:, classes, None]
        columns = _share(read.sum(axis=1, keepdims=True), read.sum(axis=(1, 2))[:, None, None])
        expected: Array = read + nothing / (1 - nothing) * read.sum(axis=2, keepdims=True) * columns
        return expected

    def figures(self, effects: Array, confidence: float, least: float) -> tuple[Array, Array, float]:
        """(3, K) rates, and from ``least`` statements on (3,) word error, and its p-value; effects (2, K)."""
        B = self._draws
        rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence(self._seed, spawn_key=(_STREAM, 2))))
        whole, mean = slice(0, B), slice(B, B + 1)
        fewer = effects[0][:, None]
        drawn = rng.standard_gamma(np.broadcast_to(self.cells() / fewer, (B, len(self.used), 4)))
        more = drawn.copy()
        # Two gammas add up to one of their sum: with half a statement more of each kind, Jeffreys' prior.
        more[..., 0] += rng.standard_gamma(_PRIOR, drawn.shape[:2])
        more[..., 3] += rng.standard_gamma(_PRIOR, drawn.shape[:2])
        n, y = self.back(self.cells(), mean)
        with np.errstate(invalid="ignore", divide="ignore"):
            rate = np.where(n > 0, y / n, self._mean)[0]
            redrawn_n, redrawn_y = self.back(more, whole)
            # Of a word that a redraw leaves nothing of, nothing is known.
            redrawn = np.where(redrawn_n > 0, redrawn_y / redrawn_n, rng.random(redrawn_n.shape))
        low, high = np.quantile(redrawn, tails(confidence), axis=0)
        # As in Jeffreys' interval, 0 and 1 are not ruled out where nothing speaks against them.
        y_read = self.counts[:, _P] + self.counts[:, _H] * self._outcome
        low, high = (
            np.where(y_read == 0, 0, np.minimum(low, rate)),
            np.where(y_read == self._n, 1, np.maximum(high, rate)),
        )
        word, p = np.full(3, np.nan), float("nan")
        if self._n.sum() >= least and (self._classes == _H).any():
            some = slice(0, min(B, _SCORED))
            redraws = self.back(drawn[some] * fewer, some), self.back(self._luck(rng, n[0], some), mean)
            word, p = self._word_error((n, y), *redraws, np.sqrt(effects[1]), confidence)
        return np.stack([rate, low, high]), word, p

    def _luck(self, rng: np.random.Generator, n: Array, of: slice) -> Array:
        """(B, K, 4) cells of calibrated authors who wrote n (K,) statements, misread by these redraws."""
        r = self._reference
        chances = np.stack([r.chances(float(m)) for m in self._mean])
        kinds = class_of(r.outcomes)
        by_class = np.stack([chances[:, kinds == i].sum(axis=1) for i in range(3)], axis=1)
        hedged = chances[:, kinds == _H] @ r.outcomes[kinds == _H]
        outcome = np.divide(hedged, by_class[:, _H], out=np.full(len(hedged), 0.5), where=by_class[:, _H] > 0)
        read = rng.poisson(np.maximum(self.forth(n[:, None] * by_class, of), 0)).astype(np.float64)
        h = read[..., _H]
        return np.stack([read[..., _A], h * (1 - outcome), h * outcome, read[..., _P]], axis=2)

    def _word_error(
        self,
        observed: tuple[Array, Array],
        redrawn: tuple[Array, Array],
        lucky: tuple[Array, Array],
        wide: Array,
        confidence: float,
    ) -> tuple[Array, float]:
        """The word error with its interval (3,), and how often luck, ``wide`` (K,) times as far off, does as badly.

        All from n, y (B, K).
        """
        hedged = self._classes == _H
        said = float(self._n[hedged].sum())

        def error(n: Array, y: Array, wide: Array | float = 1.0) -> Array:
            total = n[:, hedged].sum(axis=1)
            gap = (np.abs(y - n * self._mean) * wide)[:, hedged].sum(axis=1)
            share: Array = gap / np.where(total > 0, total, np.nan)
            return share

        own, drawn, luck = error(*observed), error(*redrawn), error(*lucky, wide)
        luck = luck[~np.isnan(luck)]
        if np.isnan(own[0]) or not len(luck):
            return np.full(3, np.nan), float("nan")
        few = small_sample(np.array([said]), np.array([hedged.sum()]))
        interval, by_luck = word_interval(drawn[None], luck[None], own, few, confidence)
        ends = interval[:, 0] if said >= FEWEST_HEDGES else np.full(2, np.nan)
        return np.array([own[0], *ends]), float(by_luck.p_value[0])
