"""How differently people and language models word the same contexts.

In a context, a source's distribution of words is compared with that of a reference by their total variation distance,
TVD(p, q) = 1/2 sum_w |p(w) - q(w)|: the share of answers that would have to change for the two to be the same.  The
control says what people differ by among themselves: the distance between disjoint halves of the reference's answers.

Source: Ilia and Aziz, "Predict the Next Word: Humans exhibit uncertainty in this task and language models _____",
EACL 2024 (arXiv 2402.17527).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from radcal.errors import DataError
from radcal.intervals import tails
from radcal.progress import SILENT
from radcal.records.variability import (
    Agreement,
    ContextVariability,
    ControlVariability,
    SourceVariability,
    Variability,
)
from radcal.text import EMPTY, Text

if TYPE_CHECKING:
    import pandas as pd
    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.progress import Progress

    Array = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Index = NDArray[np.intp]

RESAMPLES = 20
"""Draws of disjoint halves, as in the paper's control."""
DRAWS = 2000
"""Contexts drawn anew behind each interval."""
ECE_BINS = 10
"""Bins of equal width for the probability of the most probable word."""
AGREEMENT = (0.0, 0.5, 0.8, 1.0)
"""Limits of the share of the reference's most frequent word."""
_CHUNK = 2_000_000
"""Numbers held at a time while contexts are drawn anew."""
_SAME = 1e-9

Redraw = Literal["contexts", "answers"]
"""What an interval draws anew: contexts, a sample of many, or the answers in contexts that are all there are."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Who said which word how often in which context: one entry (N,) for each of them.

    contexts, sources, words: names in alphabetical order;  context, source, word: their codes;  weight: above 0
    counted: (S,) whether the weights of a source are whole numbers of answers, not probabilities
    """

    contexts: tuple[str, ...]
    sources: tuple[str, ...]
    words: tuple[str, ...]
    context: Index
    source: Index
    word: Index
    weight: Array
    counted: NDArray[np.bool_]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Answers:
        """The answers of a frame with the columns context, source, word and count; equal entries add up.

        Raises:
            DataError: a count is negative or no number, or none is above 0.
        """
        import pandas as pd

        count = frame["count"].to_numpy(np.float64)
        if not (np.isfinite(count) & (count >= 0)).all():
            raise DataError("A count of answers is negative or no number.")
        if not (count > 0).any():
            raise DataError("There are no answers to compare: all counts are 0.")
        frame = frame[count > 0]
        codes, names = {}, {}
        for column in ("context", "source", "word"):
            codes[column], found = pd.factorize(frame[column].astype(str), sort=True)
            names[column] = tuple(map(str, found))
        entries = pd.DataFrame({**codes, "count": count[count > 0]})
        summed = entries.groupby(["context", "source", "word"])["count"].sum().reset_index()
        whole = np.ones(len(names["source"]), dtype=bool)
        weight, source = summed["count"].to_numpy(np.float64), summed["source"].to_numpy(np.intp)
        whole[source[np.abs(weight - np.rint(weight)) > _SAME]] = False
        return cls(
            names["context"],
            names["source"],
            names["word"],
            summed["context"].to_numpy(np.intp),
            source,
            summed["word"].to_numpy(np.intp),
            np.where(whole[source], np.rint(weight), weight),
            whole,
        )

    def by_context(self) -> Iterator[tuple[int, Index, Array]]:
        """Each context with the W words said in it and the weights (S, W) of all sources."""
        ends = np.searchsorted(self.context, np.arange(len(self.contexts) + 1))
        for c in range(len(self.contexts)):
            part = slice(ends[c], ends[c + 1])
            words, place = np.unique(self.word[part], return_inverse=True)
            weights = np.zeros((len(self.sources), len(words)))
            weights[self.source[part], place] = self.weight[part]
            yield c, words, weights


def tvd(p: Array, q: Array) -> Array:
    """Total variation distance of distributions (..., W), in 0-1: 1/2 sum_w |p_w - q_w|."""
    distance: Array = np.abs(p - q).sum(axis=-1) / 2
    return distance


def compare_sources(
    answers: Answers,
    reference: str = "",
    *,
    seed: int = 0,
    fewest: int = 1,
    resamples: int = RESAMPLES,
    draws: int = DRAWS,
    redraw: Redraw = "contexts",
    confidence: float = 0.95,
    progress: Progress = SILENT,
) -> Variability:
    """Compare every source with the reference, context by context.

    Of the n answers of the reference in a context, m are drawn at random (A), which leaves n - m (B): as many as the
    source has there, but at most floor(n / 2), and just as many where it gives probabilities.  m answers of the
    source and those of A are each compared with B.  Both distances hold the same noise of small numbers, so that their
    difference does not: it is 0 on average where the source answers as the reference does.  A context is one to improve
    if the mean distance of the source over the draws exceeds 95 % of the control's.  The control of the reference as a
    whole is the paper's: halves of floor(n / 2) answers each.

    Results depend on seed and answers alone, not on their order, nor on which other sources are compared (but for
    those in the reference).

    Args:
        answers: of at least one source.
        reference: a source; '' to compare each source with all others together, where sources that give
            probabilities count only if all do, each alike.
        seed: of the halves and of what is drawn anew.
        fewest: answers that a context needs of a source, if it gives counts, and of its reference, to be compared.
        resamples: pairs of halves.
        draws: redraws behind intervals; 0 for none.
        redraw: percentile intervals over contexts drawn anew; or, where these contexts are all there are, the interval
            of distances whose answers are drawn anew, with what chance alone gives, the control, taken off.
        confidence: coverage of intervals.
        progress: advances by contexts.

    Raises:
        DataError: there is no such reference.
        Cancelled: by ``progress``.
    """
    if reference and reference not in answers.sources:
        raise DataError("There are no answers of {reference!r}.", reference=reference)
    own = answers.sources.index(reference) if reference else None
    found = [_Source(resamples, draws if redraw == "answers" else 0) for _ in answers.sources]
    control = _Source(resamples, 0)
    contexts = []
    progress.start(len(answers.contexts), "Comparing words")
    for c, words, weights in answers.by_context():
        progress.raise_if_cancelled()
        name = answers.contexts[c]
        whole, is_counted = _reference(weights, answers.counted, own)
        halves = _halves(whole, resamples, _generator(seed, name, reference)) if is_counted else None
        control.add_halves(c, halves, whole)
        distances = {}
        for s, source in enumerate(answers.sources):
            if s == own:
                continue
            theirs, rng = whole, _generator(seed, name, source)
            if own is None:
                theirs, is_counted = _reference(np.delete(weights, s, axis=0), np.delete(answers.counted, s), None)
            n, of = weights[s].sum(), theirs.sum()
            if n == 0 or of == 0:
                if n > 0:
                    found[s].unmatched.append(name)
                elif of > 0:
                    found[s].missing.append(name)
            elif (n >= fewest or not answers.counted[s]) and (of >= fewest or not is_counted):
                both = _Both(weights[s], bool(answers.counted[s]), theirs, is_counted)
                distances[source] = found[s].add(c, both, rng)
        if whole.sum() > 0:
            first = int(np.argmax(whole))
            contexts.append(
                ContextVariability(
                    name,
                    float(whole.sum()),
                    answers.words[words[first]],
                    float(whole[first] / whole.sum()),
                    float(control.controls[-1].mean()) if control.controlled[-1:] == [c] else None,
                    distances,
                )
            )
        progress.advance()
    made = []
    for s, (source, its) in enumerate(zip(answers.sources, found, strict=True)):
        progress.raise_if_cancelled()
        if s != own:
            rng = _generator(seed, "", source)
            made.append(its.finished(source, bool(answers.counted[s]), rng, draws, confidence, redraw))
    whole_control = control.as_control(_generator(seed, "", reference), draws, confidence)
    return Variability(reference, tuple(made), whole_control, tuple(contexts), confidence)


def _generator(seed: int, context: str, source: str) -> Generator:
    return np.random.default_rng([seed, zlib.crc32(context.encode()), zlib.crc32(source.encode())])


@dataclass(frozen=True, slots=True, eq=False)
class _Both:
    """A source's words in a context and those of its reference, (W,) each, and whether they are numbers of answers."""

    said: Array
    counted: bool
    theirs: Array
    theirs_counted: bool


def _reference(weights: Array, counted: NDArray[np.bool_], own: int | None) -> tuple[Array, bool]:
    """The words (W,) of the source ``own`` or of all of (S, W) together, and whether they are numbers of answers.

    Together they are all answers, or, where all sources give probabilities, the mean of these.
    """
    if own is not None:
        return weights[own], bool(counted[own])
    if counted.any():
        return weights[counted].sum(axis=0), True
    totals = weights.sum(axis=1, keepdims=True)
    shares = weights / np.where(totals > 0, totals, 1)
    return shares.sum(axis=0) / max(int((totals > 0).sum()), 1), False


def _halves(weights: Array, resamples: int, rng: Generator) -> tuple[Counts, Counts] | None:
    """Disjoint halves (R, W) of the answers, floor(n / 2) each; None with fewer than two answers."""
    n = int(weights.sum())
    if n < 2:
        return None
    counts = weights.astype(np.int64)
    first = rng.multivariate_hypergeometric(counts, n // 2, size=resamples)
    second = counts - first
    if n % 2:
        left_out = rng.integers(n - n // 2, size=resamples)
        place = (np.cumsum(second, axis=1) > left_out[:, None]).argmax(axis=1)
        second[np.arange(resamples), place] -= 1
    return first, second


def _shares(counts: Array | Counts) -> Array:
    shares: Array = counts / counts.sum(axis=-1, keepdims=True)
    return shares


def _top(p: Array, q: Array) -> tuple[Array, Array]:
    """The probability (...) of the most probable word of p, and the chance that it is the most frequent one of q.

    Of several equally probable words one is drawn.
    """
    best = p.max(axis=-1, keepdims=True)
    mine, theirs = p >= best - _SAME, q >= q.max(axis=-1, keepdims=True) - _SAME
    right = (mine & theirs).sum(axis=-1) / (mine.sum(axis=-1) * theirs.sum(axis=-1))
    return best[..., 0], right


def _bin(confidence: Array) -> Index:
    return np.minimum((confidence * ECE_BINS + _SAME).astype(np.intp), ECE_BINS - 1)


def _gaps(confidence: Array, right: Array) -> Array:
    """(C, M) how much more often than it is probable a context's word is right, in the bin of its probability."""
    gaps = np.zeros((len(confidence), ECE_BINS))
    gaps[np.arange(len(confidence)), _bin(confidence)] = right - confidence
    return gaps


def _ece(gaps: Array) -> float:
    """Expected calibration error, in 0-1: sum_m |sum of the gaps of bin m| / C."""
    return float(np.abs(gaps.sum(axis=0)).sum() / len(gaps))


@dataclass(slots=True, eq=False)
class _Source:
    """What is known of a source, context by context."""

    resamples: int
    draws: int
    context: list[int] = field(default_factory=list)
    distance: list[float] = field(default_factory=list)
    top: list[tuple[float, float]] = field(default_factory=list)
    share: list[float] = field(default_factory=list)
    n: float = 0.0
    controlled: list[int] = field(default_factory=list)
    same_size: list[float] = field(default_factory=list)
    controls: list[Array] = field(default_factory=list)
    tops: list[tuple[Array, Array]] = field(default_factory=list)
    farther: list[bool] = field(default_factory=list)
    drawn: list[Array] = field(default_factory=list)
    drawn_tops: list[tuple[Array, Array]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)

    def add_halves(self, c: int, halves: tuple[Counts, Counts] | None, whole: Array) -> None:
        """The control of a context."""
        if halves is None:
            return
        first, second = map(_shares, halves)
        self.controlled.append(c)
        self.n += float(whole.sum())
        self.controls.append(tvd(second, first))
        self.tops.append(_top(second, first))

    def add(self, c: int, both: _Both, rng: Generator) -> float:
        """A context in which both have spoken; returns the distance."""
        p, q = _shares(both.said), _shares(both.theirs)
        n = int(both.said.sum()) if both.counted else 0
        self.context.append(c)
        self.distance.append(float(tvd(p, q)))
        confidence, right = _top(p, q)
        self.top.append((float(confidence), float(right)))
        self.share.append(float(q.max()))
        self.n += n
        size = int(both.theirs.sum()) // 2 if both.theirs_counted else 0
        if both.counted:
            size = min(size, n)
        if size:
            theirs = both.theirs.astype(np.int64)
            some = rng.multivariate_hypergeometric(theirs, size, size=self.resamples)
            rest = _shares(theirs - some)
            if both.counted:
                mine = rng.multivariate_hypergeometric(both.said.astype(np.int64), size, size=self.resamples)
            else:
                mine = rng.multinomial(size, p, size=self.resamples)
            control, distance = tvd(_shares(some), rest), float(tvd(_shares(mine), rest).mean())
            self.controlled.append(c)
            self.same_size.append(distance)
            self.controls.append(control)
            self.farther.append(distance > float(np.quantile(control, 0.95, method="higher")) + _SAME)
        if self.draws:
            drawn_p, drawn_q = p[None], q[None]
            if both.counted:
                drawn_p = _shares(rng.multinomial(n, p, size=self.draws))
            if both.theirs_counted:
                drawn_q = _shares(rng.multinomial(int(both.theirs.sum()), q, size=self.draws))
            drawn_p, drawn_q = np.broadcast_arrays(drawn_p, drawn_q)
            self.drawn.append(tvd(drawn_p, drawn_q))
            self.drawn_tops.append(_top(drawn_p, drawn_q))
        return self.distance[-1]

    def finished(
        self, source: str, counted: bool, rng: Generator, draws: int, confidence: float, redraw: Redraw
    ) -> SourceVariability:
        """The figures of a source."""
        n = self.n if counted else None
        known = SourceVariability(
            source, len(self.context), n, missing=tuple(self.missing), unmatched=tuple(self.unmatched)
        )
        if not self.context:
            reason = Text("No context has answers of both this source and what it is compared with.")
            return replace(known, reason=reason)
        distance = np.array(self.distance)
        gaps = _gaps(*map(np.array, zip(*self.top, strict=True)))
        expected, ece = float(distance.mean()), _ece(gaps)
        made = replace(known, expected_tvd=expected, ece=ece, agreement=self._by_agreement(distance, gaps))
        if redraw == "answers" and draws:
            by_chance = float(np.mean(self.controls)) if self.controlled else 0.0
            made = replace(made, **_named("", _around(expected, np.mean(self.drawn, axis=0), by_chance, confidence)))
            made = replace(made, **_named("ece_", _around(ece, self._drawn_ece(), 0.0, confidence)))
        elif draws and len(distance) > 1:
            means, eces = _redrawn(distance, gaps, rng, draws)
            made = replace(made, **_named("", _percentiles(means, confidence)))
            made = replace(made, **_named("ece_", _around(ece, eces, 0.0, confidence)))
        if not self.controlled:
            return made
        same_size, control = np.array(self.same_size), np.array(self.controls)
        beyond = same_size - control.mean(axis=1)
        made = replace(
            made,
            share_to_improve=float(np.mean(self.farther)),
            n_with_control=len(self.controlled),
            same_size_tvd=float(same_size.mean()),
            control_tvd=float(control.mean()),
            beyond=float(beyond.mean()),
            **_named("control_", _percentiles(control.mean(axis=0), confidence)),
        )
        if redraw == "contexts" and draws and len(beyond) > 1:
            means, _ = _redrawn(beyond, None, rng, draws)
            made = replace(made, **_named("beyond_", _percentiles(means, confidence)))
        return made

    def as_control(self, rng: Generator, draws: int, confidence: float) -> ControlVariability:
        """The control of the reference as a whole."""
        if not self.controlled:
            reason = Text(
                "There is no control: no context has two answers of the reference that could be parted into halves. "
                "Give several answers in each context, as counts."
            )
            return ControlVariability(0, 0.0, self.resamples, reason=reason)
        control = np.array(self.controls)
        confidences, rights = (np.stack(parts, axis=1) for parts in zip(*self.tops, strict=True))
        eces = [_ece(_gaps(*each)) for each in zip(confidences, rights, strict=True)]
        made = ControlVariability(
            len(self.controlled), self.n, self.resamples, float(control.mean()), ece=float(np.mean(eces)), reason=EMPTY
        )
        if draws and len(control) > 1:
            means, _ = _redrawn(control.mean(axis=1), None, rng, draws)
            low, high = _percentiles(means, confidence)
            made = replace(made, low=low, high=high)
        return made

    def _by_agreement(self, distance: Array, gaps: Array) -> tuple[Agreement, ...]:
        share, made = np.array(self.share), []
        place = np.clip(np.searchsorted(AGREEMENT, share + _SAME, side="right") - 1, 0, len(AGREEMENT) - 2)
        for k, (low, high) in enumerate(pairwise(AGREEMENT)):
            its = place == k
            n = int(its.sum())
            made.append(
                Agreement(low, high, n, float(distance[its].mean()) if n else None, _ece(gaps[its]) if n else None)
            )
        return tuple(made)

    def _drawn_ece(self) -> Array:
        """(D,) the ECE of each redraw of the answers."""
        sums = np.zeros((self.draws, ECE_BINS))
        for confidence, right in self.drawn_tops:
            sums[np.arange(self.draws), _bin(confidence)] += right - confidence
        eces: Array = np.abs(sums).sum(axis=1) / len(self.drawn_tops)
        return eces


def _named(name: str, ends: tuple[float, float]) -> dict[str, Any]:
    return {f"{name}low": ends[0], f"{name}high": ends[1]}


def _redrawn(values: Array, gaps: Array | None, rng: Generator, draws: int) -> tuple[Array, Array]:
    """Means (D,) of the values (C,) of contexts drawn anew with replacement, and their ECE."""
    n, means, eces = len(values), [], []
    even = np.full(n, 1 / n)
    for start in range(0, draws, size := max(1, _CHUNK // n)):
        weight = rng.multinomial(n, even, size=min(size, draws - start))
        means.append(weight @ values / n)
        if gaps is not None:
            eces.append(np.abs(weight @ gaps).sum(axis=1) / n)
    return np.concatenate(means), np.concatenate(eces) if eces else np.empty(0)


def _percentiles(drawn: Array, confidence: float) -> tuple[float, float]:
    low, high = np.quantile(drawn, tails(confidence))
    return float(low), float(high)


def _around(value: float, drawn: Array, by_chance: float, confidence: float) -> tuple[float, float]:
    """The interval [sqrt((d - z s)^2 - c^2), d + z s], d = e - b / 2, of a sum of absolute values, enlarged by chance.

    s is the standard deviation of the redraws, b their bias; c what chance alone gives where there is no distance: it
    adds to a true one like a side at a right angle.  Coverage in simulations: 0.95 or more (docs/variability.md).
    """
    half = NormalDist().inv_cdf((1 + confidence) / 2) * float(drawn.std())
    middle = value - max(float(drawn.mean()) - value, 0.0) / 2
    low = sqrt(max(max(middle - half, 0.0) ** 2 - by_chance**2, 0.0))
    return min(low, value), max(min(1.0, middle + half), value)
