"""How differently people and language models word the same contexts.

In a context, a source's distribution of words is compared with that of a reference by their total variation distance,
TVD(p, q) = 1/2 sum_w |p(w) - q(w)|: the share of answers that would have to change for the two to be the same.  The
control says what people differ by among themselves: the distance between disjoint halves of the reference's answers.

Source: Ilia and Aziz, "Predict the Next Word: Humans exhibit uncertainty in this task and language models _____",
EACL 2024 (arXiv 2402.17527).
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from radcal.lab.word_counts import SAME as _SAME
from radcal.lab.word_counts import Answers
from radcal.system.errors import DataError
from radcal.system.intervals import drawn_anew, normal_quantile, tails
from radcal.system.progress import SILENT
from radcal.system.text import EMPTY, Text

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.system.progress import Progress

    Array = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class ControlVariability:
    """What the reference's own answers differ by: disjoint halves of them, drawn again and again.

    n_contexts: with two answers or more;  n_answers: of them
    expected_tvd: mean distance of two halves over the draws and the contexts, in low-high over contexts drawn anew
    ece: of one half, measured against the other half's most frequent word;  resamples: draws
    own_ece, whole_ece: of all answers, measured against their own most frequent word, and against that of a half
    reason: why there is no control, '' if there is one
    """

    n_contexts: int
    n_answers: float
    resamples: int
    expected_tvd: float | None = None
    low: float | None = None
    high: float | None = None
    ece: float | None = None
    own_ece: float | None = None
    whole_ece: float | None = None
    reason: Text = EMPTY


@dataclass(frozen=True, slots=True)
class Agreement:
    """Contexts in which the reference's most frequent word has a share of ``low`` to ``high`` of its answers (0-1)."""

    low: float
    high: float
    n_contexts: int
    expected_tvd: float | None
    ece: float | None


@dataclass(frozen=True, slots=True)
class SourceVariability:
    """How far one source's use of words lies from the reference's, all in 0-1.

    n_contexts: compared;  n_answers: the source's in them, None where it gives probabilities
    expected_tvd: mean over the contexts of the total variation distance, in low-high
    ece: of the source's most probable word and its probability against the reference's most frequent word
    half_ece: the same against that of half of the reference's answers, the mean over the halves drawn
    same_size_tvd, control_tvd: mean distance of as many answers of the source, and of the reference itself, from the
        rest of the reference's answers: what is left of small numbers is the same in both.
        control_low-control_high hold 95 % of the draws of the latter
    beyond: same_size_tvd - control_tvd, in beyond_low-beyond_high over contexts drawn anew
    n_with_control: contexts behind these and behind share_to_improve
    share_to_improve: share of them in which the source lies farther from the reference than 95 % of the draws of the
        control
    agreement: expected_tvd and ece by how far the reference agrees with itself
    missing, unmatched: contexts of the reference without an answer of the source, and the other way round
    reason: why there are no figures, '' if there are
    """

    source: str
    n_contexts: int
    n_answers: float | None
    expected_tvd: float | None = None
    low: float | None = None
    high: float | None = None
    ece: float | None = None
    ece_low: float | None = None
    ece_high: float | None = None
    half_ece: float | None = None
    share_to_improve: float | None = None
    n_with_control: int = 0
    same_size_tvd: float | None = None
    control_tvd: float | None = None
    control_low: float | None = None
    control_high: float | None = None
    beyond: float | None = None
    beyond_low: float | None = None
    beyond_high: float | None = None
    agreement: tuple[Agreement, ...] = ()
    missing: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()
    reason: Text = EMPTY


@dataclass(frozen=True, slots=True)
class ContextVariability:
    """One context: how many answers the reference has, how far it agrees with itself, and how far each source is.

    majority: its most frequent word, the first in the alphabet of several;  share: of its answers, 0-1
    control_tvd: mean distance of its halves, None with fewer than two answers;  tvd: by source, where there is one
    """

    context: str
    n_answers: float
    majority: str
    share: float
    control_tvd: float | None
    tvd: dict[str, float]


@dataclass(frozen=True, slots=True)
class Variability:
    """All sources beside one reference.

    reference: its name; '' if each source is compared with all others together
    """

    reference: str
    sources: tuple[SourceVariability, ...]
    control: ControlVariability
    contexts: tuple[ContextVariability, ...]
    confidence: float = 0.95


RESAMPLES = 20
"""Draws of disjoint halves, as in the paper's control."""
DRAWS = 2000
"""Contexts drawn anew behind each interval."""
_ROUNDING = 1e-9
ECE_BINS = 10
"""Bins of equal width for the probability of the most probable word."""
AGREEMENT = (0.0, 0.5, 0.8, 1.0)
"""Limits of the share of the reference's most frequent word."""

Redraw = Literal["contexts", "answers"]
"""What an interval draws anew: contexts, a sample of many, or the answers in contexts that are all there are."""


def bin_of(stated: Array, bins: int) -> NDArray[np.intp]:
    """The bin of equal width, 0 to bins - 1, of numbers in 0-1.

    Bins are closed below, the last one on both sides; what rounding leaves just below an edge belongs above it.
    """
    return np.minimum((stated * bins + _ROUNDING).astype(np.intp), bins - 1)


def ece_of_numbers(stated: Array, outcome: Array, bins: int = 10) -> float:
    """Expected calibration error of numbers, in 0-1: sum_m (n_m / N) |mean stated - mean outcome| over :func:`bin_of`.

    Args:
        stated, outcome: (N,) in 0-1, N > 0.
    """
    return float(np.abs(np.bincount(bin_of(stated, bins), outcome - stated, bins)).sum() / len(stated))


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
    found = [_Source() for _ in answers.sources]
    parted: list[_Halves] = []
    contexts = []
    progress.start(len(answers.contexts), Text("Comparing words"))
    for c, words, weights in answers.by_context():
        progress.raise_if_cancelled()
        name = answers.contexts[c]
        whole, is_counted = _reference(weights, answers.counted, own)
        halves = _halves(whole, resamples, _generator(seed, name, reference)) if is_counted else None
        parted += [] if halves is None else [halves]
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
                of_answers = draws if redraw == "answers" else 0
                met = _met(weights[s], theirs, (bool(answers.counted[s]), is_counted), rng, resamples, of_answers)
                found[s].met.append(met)
                distances[source] = met.distance
        if whole.sum() > 0:
            first = int(np.argmax(whole))
            contexts.append(
                ContextVariability(
                    name,
                    float(whole.sum()),
                    answers.words[words[first]],
                    float(whole[first] / whole.sum()),
                    None if halves is None else float(halves.distance.mean()),
                    distances,
                )
            )
        progress.advance()
    made = []
    for s, (source, its) in enumerate(zip(answers.sources, found, strict=True)):
        progress.raise_if_cancelled()
        if s != own:
            rng = _generator(seed, "", source)
            made.append(_of_source(source, its, bool(answers.counted[s]), rng, draws, confidence, redraw))
    whole_control = _of_reference(parted, resamples, _generator(seed, "", reference), draws, confidence)
    return Variability(reference, tuple(made), whole_control, tuple(contexts), confidence)


def misled(sources: Collection[SourceVariability]) -> tuple[SourceVariability, SourceVariability] | None:
    """The two sources whose order by ECE contradicts most that by their distance, the one of less ECE first."""
    apart = [
        (a.low - b.high, a, b)
        for a in sources
        for b in sources
        if a.ece is not None and b.ece is not None and a.low is not None and b.high is not None
        if a.ece < b.ece and a.low > b.high
    ]
    return max(apart, key=lambda pair: pair[0])[1:] if apart else None


def _generator(seed: int, context: str, source: str) -> Generator:
    return np.random.default_rng([seed, zlib.crc32(context.encode()), zlib.crc32(source.encode())])


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


@dataclass(frozen=True, slots=True, eq=False)
class _Halves:
    """The answers of the reference in a context, parted at random into disjoint halves R times.

    n: answers;  distance: (R,) of the second half from the first
    top, right: (R,) probability of the most probable word of the one, and the chance that it is that of the other
    whole: probability of the most probable word of all answers;  own, of_half: (1,), (R,) the chance that it is that of
        all answers, and of the first half
    """

    n: float
    distance: Array
    top: Array
    right: Array
    whole: float
    own: Array
    of_half: Array


def _parted(counts: Counts, resamples: int, rng: Generator) -> Counts:
    """(R, W) floor(n / 2) of n answers, drawn without putting back."""
    return rng.multivariate_hypergeometric(counts, int(counts.sum()) // 2, size=resamples)


def _halves(weights: Array, resamples: int, rng: Generator) -> _Halves | None:
    """Halves of floor(n / 2) answers each; None with fewer than two answers."""
    n = int(weights.sum())
    if n < 2:
        return None
    counts = weights.astype(np.int64)
    first = _parted(counts, resamples, rng)
    second = counts - first
    if n % 2:
        left_out = rng.integers(n - n // 2, size=resamples)
        place = (np.cumsum(second, axis=1) > left_out[:, None]).argmax(axis=1)
        second[np.arange(resamples), place] -= 1
    p, q = _shares(second), _shares(first)
    whole = np.broadcast_to(_shares(counts), q.shape)
    top, own = _top(whole[:1], whole[:1])
    return _Halves(float(weights.sum()), tvd(p, q), *_top(p, q), float(top[0]), own, _top(whole, q)[1])


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


@dataclass(frozen=True, slots=True, eq=False)
class _Met:
    """A context in which a source and its reference have spoken.

    n: answers of the source, 0 if it gives probabilities;  distance: of the two
    top, right: probability of the source's most probable word, and the chance that it is the reference's
    share: of the reference's most frequent word
    control, same_size: (R,) distance of some of the reference's answers from the rest, and the mean distance of as
        many of the source from those;  None where the reference has too few
    drawn, drawn_top, drawn_right: (D,) the same as without "drawn", of answers drawn anew
    half: (R,) the chance that the source's most probable word is that of half of the reference's answers, or None
    """

    n: int
    distance: float
    top: float
    right: float
    share: float
    control: Array | None
    same_size: float
    drawn: Array
    drawn_top: Array
    drawn_right: Array
    half: Array | None


def _met(said: Array, theirs: Array, counted: tuple[bool, bool], rng: Generator, resamples: int, draws: int) -> _Met:
    """A source's words in a context, (W,), beside the reference's, and whether either are numbers of answers."""
    p, q = _shares(said), _shares(theirs)
    n, of = (int(words.sum()) if whole else 0 for words, whole in zip((said, theirs), counted, strict=True))
    size = min(of // 2, n) if counted[0] else of // 2
    control, same_size = None, 0.0
    if size:
        some = rng.multivariate_hypergeometric(theirs.astype(np.int64), size, size=resamples)
        rest = _shares(theirs - some)
        if counted[0]:
            mine = rng.multivariate_hypergeometric(said.astype(np.int64), size, size=resamples)
        else:
            mine = rng.multinomial(size, p, size=resamples)
        control, same_size = tvd(_shares(some), rest), float(tvd(_shares(mine), rest).mean())
    drawn_p, drawn_q = (np.broadcast_to(shares, (draws, len(shares))) for shares in (p, q))
    if draws and counted[0]:
        drawn_p = _shares(rng.multinomial(n, p, size=draws))
    if draws and counted[1]:
        drawn_q = _shares(rng.multinomial(of, q, size=draws))
    top, right = _top(p, q)
    drawn = tvd(drawn_p, drawn_q), *_top(drawn_p, drawn_q)
    half = None
    if of > 1:
        halves = _shares(_parted(theirs.astype(np.int64), resamples, rng))
        half = _top(np.broadcast_to(p, halves.shape), halves)[1]
    return _Met(n, float(tvd(p, q)), float(top), float(right), float(q.max()), control, same_size, *drawn, half)


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """The contexts of a source: those in which it met the reference, and where one of the two said nothing."""

    met: list[_Met] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)


def _of_source(
    source: str, its: _Source, counted: bool, rng: Generator, draws: int, confidence: float, redraw: Redraw
) -> SourceVariability:
    """The figures of a source."""
    met = its.met
    n = float(sum(m.n for m in met)) if counted else None
    known = SourceVariability(source, len(met), n, missing=tuple(its.missing), unmatched=tuple(its.unmatched))
    if not met:
        reason = Text("No context has answers of both this source and what it is compared with.")
        return replace(known, reason=reason)
    distance, top, right = (np.array([getattr(m, part) for m in met]) for part in ("distance", "top", "right"))
    expected, ece = float(distance.mean()), ece_of_numbers(top, right, ECE_BINS)
    made = replace(known, expected_tvd=expected, ece=ece, agreement=_by_agreement(met, distance, top, right))
    control = np.array([m.control for m in met if m.control is not None])
    if halved := [(m.top, m.half) for m in met if m.half is not None]:
        rights = np.array([half for _, half in halved]).T
        tops = np.broadcast_to([top for top, _ in halved], rights.shape)
        made = replace(made, half_ece=float(_eces(tops, rights).mean()))
    if redraw == "answers" and draws:
        by_chance = float(control.mean()) if len(control) else 0.0
        means = np.mean([m.drawn for m in met], axis=0)
        made = replace(made, **_around("", expected, means, by_chance, confidence))
        tops, rights = np.array([m.drawn_top for m in met]).T, np.array([m.drawn_right for m in met]).T
        made = replace(made, **_around("ece_", ece, _eces(tops, rights), 0.0, confidence))
    elif draws and len(met) > 1:
        means, eces = _redrawn(distance, _gaps(top, right), rng, draws)
        made = replace(made, **_percentiles("", means, confidence))
        made = replace(made, **_around("ece_", ece, eces, 0.0, confidence))
    if not len(control):
        return made
    same_size = np.array([m.same_size for m in met if m.control is not None])
    limit, beyond = np.quantile(control, 0.95, axis=1, method="higher"), same_size - control.mean(axis=1)
    made = replace(
        made,
        share_to_improve=float(np.mean(same_size > limit + _SAME)),
        n_with_control=len(control),
        same_size_tvd=float(same_size.mean()),
        control_tvd=float(control.mean()),
        beyond=float(beyond.mean()),
        **_percentiles("control_", control.mean(axis=0), confidence),
    )
    if redraw == "contexts" and draws and len(beyond) > 1:
        means, _ = _redrawn(beyond, None, rng, draws)
        made = replace(made, **_percentiles("beyond_", means, confidence))
    return made


def _of_reference(
    parted: Sequence[_Halves], resamples: int, rng: Generator, draws: int, confidence: float
) -> ControlVariability:
    """The control of the reference as a whole."""
    if not parted:
        reason = Text(
            "There is no control: no context has two answers of the reference that could be parted into halves. "
            "Give several answers in each context, as counts."
        )
        return ControlVariability(0, 0.0, resamples, reason=reason)
    control = np.array([halves.distance for halves in parted])
    eces = _eces(np.array([halves.top for halves in parted]).T, np.array([halves.right for halves in parted]).T)
    n, wholes = sum(halves.n for halves in parted), np.array([halves.whole for halves in parted])
    own, of_half = (np.array([getattr(halves, part) for halves in parted]).T for part in ("own", "of_half"))
    made = ControlVariability(
        len(parted),
        n,
        resamples,
        float(control.mean()),
        ece=float(eces.mean()),
        own_ece=float(_eces(wholes[None], own)[0]),
        whole_ece=float(_eces(np.broadcast_to(wholes, of_half.shape), of_half).mean()),
    )
    if draws and len(control) > 1:
        means, _ = _redrawn(control.mean(axis=1), None, rng, draws)
        made = replace(made, **_percentiles("", means, confidence))
    return made


def _by_agreement(met: Sequence[_Met], distance: Array, top: Array, right: Array) -> tuple[Agreement, ...]:
    share, made = np.array([m.share for m in met]), []
    place = np.clip(np.searchsorted(AGREEMENT, share + _SAME, side="right") - 1, 0, len(AGREEMENT) - 2)
    for k, (low, high) in enumerate(pairwise(AGREEMENT)):
        its = place == k
        n = int(its.sum())
        ece = ece_of_numbers(top[its], right[its], ECE_BINS) if n else None
        made.append(Agreement(low, high, n, float(distance[its].mean()) if n else None, ece))
    return tuple(made)


def _eces(tops: Array, rights: Array) -> Array:
    """(B,) the ECE of each row (B, C): probabilities of words, and the chances that they are right."""
    return np.array([ece_of_numbers(top, right, ECE_BINS) for top, right in zip(tops, rights, strict=True)])


def _gaps(top: Array, right: Array) -> Array:
    """(C, M) how much more often than it is probable a context's word is right, in the bin of its probability."""
    gaps = np.zeros((len(top), ECE_BINS))
    gaps[np.arange(len(top)), bin_of(top, ECE_BINS)] = right - top
    return gaps


def _redrawn(values: Array, gaps: Array | None, rng: Generator, draws: int) -> tuple[Array, Array]:
    """Means (D,) of the values (C,) of contexts drawn anew with replacement, and their ECE."""
    n, means, eces = len(values), [], []
    for weight in drawn_anew(n, draws, rng):
        means.append(weight @ values / n)
        if gaps is not None:
            eces.append(np.abs(weight @ gaps).sum(axis=1) / n)
    return np.concatenate(means), np.concatenate(eces) if eces else np.empty(0)


def _percentiles(name: str, drawn: Array, confidence: float) -> dict[str, Any]:
    """The interval that holds the central redraws, as the fields ``name`` + low and high."""
    low, high = np.quantile(drawn, tails(confidence))
    return {f"{name}low": float(low), f"{name}high": float(high)}


def _around(name: str, value: float, drawn: Array, by_chance: float, confidence: float) -> dict[str, Any]:
    """The interval [sqrt((d - z s)^2 - c^2), d + z s], d = e - b / 2, of a sum of absolute values, enlarged by chance.

    s is the standard deviation of the redraws, b their bias; c what chance alone gives where there is no distance: it
    adds to a true one like a side at a right angle.  Coverage in simulations: 0.95 or more (docs/lab.md).
    """
    half = normal_quantile(confidence) * float(drawn.std())
    middle = value - max(float(drawn.mean()) - value, 0.0) / 2
    low = sqrt(max(max(middle - half, 0.0) ** 2 - by_chance**2, 0.0))
    return {f"{name}low": min(low, value), f"{name}high": max(min(1.0, middle + half), value)}
