"""Recalibration of a speaker's certainty, fitted on half of the statements and judged on the other.

Numbers are point masses, words and Betas distributions: all of them are words to the ordered plan and to the published
transport alike.  Beside them stand methods that need no words, fitted to the means of what was said
(:mod:`radcal.advice.numbers`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from radcal.advice.cost import cost_matrix
from radcal.advice.judge import halved
from radcal.advice.numbers import estimate, numbers, scores, scores_of_numbers
from radcal.advice.ordered import Guards, OrderedSolver, alone, by_strength, cheapest_in_order, width_of
from radcal.advice.records import Method
from radcal.advice.solve import shares_of
from radcal.advice.transport import semi_relaxed_plans
from radcal.system.errors import EngineError
from radcal.system.estimates import Estimate
from radcal.system.progress import SILENT
from radcal.system.text import Text
from radcal.words.bins import bin_phrases
from radcal.words.phrases import mean_of
from radcal.words.records import Phrase, PhraseBins
from radcal.words.speech import MOST_SAID, alike, speech_of, surrogates

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.system.progress import Progress
    from radcal.system.settings import Settings

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]
    Mask = NDArray[np.bool_]
    Counts = tuple[Array, Array]
    Plan = Callable[[Array, Array], Array]

METHODS: tuple[Method, ...] = ("none", "advice", "ordered", "transport", "platt", "histogram")
"""What may become of a model's certainty."""

Choice = Literal["best", "even"]
"""How the words of a smaller set were chosen: for the model, or at equal steps along the scale."""

_LEAST_SHARE = 0.05
"""Smaller shares of a word's transport are not listed."""
_UNLIMITED = 1 << 30
_NUMBERS: tuple[Method, Method] = ("platt", "histogram")
_BY_PHRASE = ("weight", "moment", "mean", "second", "above_half")
_HARDLY = 1e-6
"""Uses of a word that a sample does not have: it goes where its neighbours go."""
_RIGHT = np.array([0.0, 1.0])
"""Probability that a statement is right, by column of a table of wrong and right ones."""


@dataclass(frozen=True, slots=True)
class Scores:
    """ECE and Brier score, the less the better, and accuracy, each in 0-1, on answers that nothing was fitted to."""

    ece: Estimate
    brier: Estimate
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class SetSize:
    """What the ordered plan without guards reaches with so many words.

    words: the set, weakest first, as chosen on all answers
    """

    choice: Choice
    words: tuple[str, ...]
    scores: Scores


@dataclass(frozen=True, slots=True)
class Mapped:
    """What each method maps something that a model says to: what to read instead.

    mean: what ``source`` means, 0-1;  n, rate: answers with it, and the share (0-1) of them that was right
    advice, ordered: the word that the plan puts in its place
    transport: the words of the paper's transport with their shares, the largest first
    platt, histogram: probabilities in 0-1
    """

    source: str
    mean: float
    n: int
    rate: float
    advice: str
    ordered: str
    transport: tuple[tuple[str, float], ...]
    platt: float
    histogram: float


@dataclass(frozen=True, eq=False)
class Recalibrated:
    """What each method makes of a speaker's certainty.

    methods: on statements that they were not fitted to;  failed: methods that gave no answer, and why
    sizes: sets of 2, 3, ... words of the lexicon;  mappings: fitted on all statements, weakest first
    """

    methods: Mapping[Method, Scores]
    failed: Mapping[Method, Text]
    sizes: tuple[SetSize, ...]
    mappings: tuple[Mapped, ...]


def recalibrated(
    said: Sequence[Phrase],
    counts: Array,
    lexicon: Sequence[Phrase],
    settings: Settings,
    rng: Generator,
    progress: Progress = SILENT,
) -> Recalibrated:
    """What each of METHODS makes of a speaker's certainty, judged on halves that they were not fitted to.

    The halves are those of :func:`radcal.advice.judge.halved`, and the intervals those of :mod:`radcal.advice.numbers`.
    Plans replace words by words of the lexicon or of the speaker, numbers by the speaker's own or by multiples of
    1/STEPS, and Betas by the speaker's own or by those of usual width at these means.

    Args:
        said: K phrases, each said at least once.
        counts: (K, 2) wrong and right statements with each, whole numbers, at least 2 in all.
        lexicon: phrases that words may be replaced by, and that smaller sets are drawn from, weakest first.
        settings: n_bins, method, confidence, min_phrase_n, sure, tau2.
        rng: draws the halves.
        progress: asked now and then whether to stop.

    Raises:
        Cancelled: by ``progress``.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), 4.3.
    """
    order = sorted(range(len(said)), key=lambda k: (mean_of(said[k]), said[k].name))
    said, counts = [said[k] for k in order], counts[order]
    words = _Words.of(said, counts.sum(axis=1), lexicon, settings)
    n, y = halved(counts, _RIGHT, rng)
    fitted, judged = (n[:, 0], y[:, 0]), (n[:, 1], y[:, 1])
    known: Counts = words.merged(fitted[0]), words.merged(fitted[1])
    scored: dict[Method, dict[str, Array]] = {}
    failed: dict[Method, Text] = {}
    plans = _plans(words, settings, progress)
    for method in METHODS:
        progress.raise_if_cancelled()
        if method == "none":
            scored[method] = scores(*judged, words.own)
        elif method in _NUMBERS:
            scored[method] = scores_of_numbers(*judged, numbers(method, *fitted, words.own.mean), words.own)
        else:
            try:
                scored[method] = words.scores_after(plans[method](*known), *judged)
            except EngineError as error:
                failed[method] = error.text
    every = words.merged(counts.sum(axis=1)[None]), words.merged(counts[None, :, 1])
    return Recalibrated(
        {method: _with_intervals(values, settings.confidence) for method, values in scored.items()},
        failed,
        tuple(_sizes(words, known, judged, every, settings.confidence, progress)),
        _mappings(words, plans, counts, every, failed),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """The words of plans: R that were said, and others that may be read instead.

    own: of the K phrases said;  cell: (K,) which of the R each is taken for
    bins: of the T words, those that were said before the others
    open: (T,) words that may be read instead;  listed: (F,) words of the lexicon, weakest first
    """

    own: PhraseBins
    cell: Index
    bins: PhraseBins
    open: Mask
    listed: Index

    @classmethod
    def of(cls, said: Sequence[Phrase], n: Array, lexicon: Sequence[Phrase], settings: Settings) -> _Words:
        names = {p.name for p in lexicon}
        speech = [speech_of(p, names) for p in said]
        merging = len(said) > MOST_SAID
        cells: dict[object, int] = {}
        cell = [
            cells.setdefault(alike(p) if merging and kind != "words" else p.name, len(cells))
            for p, kind in zip(said, speech, strict=True)
        ]
        more = [p for p in (*lexicon, *surrogates(said, speech, n)) if p.name not in cells]
        own, others = (bin_phrases(words, settings.n_bins, settings.method) for words in (said, more))
        bins = _joined(_averaged(own, np.array(cell, dtype=np.intp), n), others)
        speaks = "words" in speech
        is_open = [*[True] * len(cells), *(speaks or p.name not in names for p in more)]
        place = {name: t for t, name in enumerate(bins.phrases)}
        listed = [place[p.name] for p in lexicon]
        return cls(own, np.array(cell, dtype=np.intp), bins, np.array(is_open), np.array(listed, dtype=np.intp))

    @property
    def rows(self) -> Index:
        """(R,) the words that were said."""
        return np.arange(self.cell.max() + 1)

    def merged(self, values: Array) -> Array:
        """(B, T) sums over the phrases that are taken for each word, of (B, K)."""
        sums = np.zeros((len(values), len(self.bins.phrases)))
        np.add.at(sums.T, self.cell, values.T)
        return sums

    def shares(self, placed: Index) -> Array:
        """(B, R, T) ones at the words in place of others (B, R)."""
        return np.eye(len(self.bins.phrases))[placed]

    def scores_after(self, shares: Array, n: Array, y: Array) -> dict[str, Array]:
        """Scores (B,) of n, y (B, K) when the words are replaced in these shares (B, R, T)."""
        R = shares.shape[1]
        after_n, after_y = (np.einsum("br,brt->bt", self.merged(x)[:, :R], shares) for x in (n, y))
        return scores(after_n, after_y, self.bins)


def _averaged(bins: PhraseBins, cell: Index, n: Array) -> PhraseBins:
    """Words in place of those taken for them: means by number of statements, so that sums stay as they were."""
    total = np.bincount(cell, n)

    def mean(values: Array) -> Array:
        sums = np.zeros((len(total), *values.shape[1:]))
        np.add.at(sums, cell, (values.T * n).T)
        return (sums.T / total).T

    made = PhraseBins((), bins.edges, *(mean(getattr(bins, name)) for name in _BY_PHRASE))
    alone = np.bincount(cell) == 1
    first = np.unique(cell, return_index=True)[1]
    names = (bins.phrases[k] if own else f"about {m:.2f}" for k, own, m in zip(first, alone, made.mean, strict=True))
    return replace(made, phrases=tuple(names))


def _joined(first: PhraseBins, second: PhraseBins) -> PhraseBins:
    arrays = (np.concatenate([getattr(part, name) for part in (first, second)]) for name in _BY_PHRASE)
    return PhraseBins((*first.phrases, *second.phrases), first.edges, *arrays)


# --- methods -----------------------------------------------------------------------------------------


def _plans(words: _Words, settings: Settings, progress: Progress) -> dict[Method, Plan]:
    """The methods that replace words, from n, y (B, T) to shares (B, R, T)."""

    def advised(n: Array, y: Array) -> Array:
        guards = Guards(settings.min_phrase_n, words.open, _UNLIMITED, settings.sure)
        return OrderedSolver(words.bins, guards, progress).plans(n, y)[:, : len(words.rows)]

    def ordered(n: Array, y: Array) -> Array:
        rate = alone(words.bins)(n, y).mean
        return words.shares(in_order(n, rate, words.bins, words.rows, words.open)[0])

    def transported(n: Array, y: Array) -> Array:
        costs = np.array([cost_matrix(*one, words.bins, progress) for one in zip(n, y, strict=True)])
        targets = np.broadcast_to(words.open.astype(np.float64), n.shape)
        plans = semi_relaxed_plans(costs, n, targets, settings.tau2)
        return np.array([shares_of(plan) for plan in plans])[:, : len(words.rows)]

    return {"advice": advised, "ordered": ordered, "transport": transported}


def in_order(n: Array, rate: Array, bins: PhraseBins, rows: Index, allowed: Mask) -> tuple[Index, Array]:
    """The ordered plan without guards, where nobody has to change a habit: a program replaces the words.

    Each word gets the allowed one of least expected Brier score, however often it was said, so that the order is kept.

    Args:
        n: (B, K) statements of B samples;  rate: (B, K) posterior means of their confirmed rates.
        rows: (R,) the words to be replaced; one that a sample does not have goes by its rate.
        allowed: (K,) or (B, K), at least one word each.

    Returns:
        (B, R) the words in their place, and (B, R, K) the losses for each use.
    """
    order = by_strength(bins)
    strength = np.argsort(np.argsort(order)[rows])
    loss: Array = (rate[:, rows, None] - bins.mean) ** 2 + width_of(bins.mean, bins.second)
    price = np.maximum(n[:, rows, None], _HARDLY) * loss
    price = np.where(np.broadcast_to(allowed, n.shape)[:, None], price, np.inf)
    placed = np.empty((len(n), len(rows)), dtype=np.intp)
    placed[:, strength] = order[cheapest_in_order(price[:, strength][:, :, order])]
    return placed, loss


def _with_intervals(values: Mapping[str, Array], confidence: float) -> Scores:
    ece, brier, accuracy = (estimate(values[name], confidence) for name in ("ece", "brier", "accuracy"))
    return Scores(ece, brier, accuracy)


# --- smaller sets of words -----------------------------------------------------------------------------


def _sizes(
    words: _Words, known: Counts, judged: Counts, every: Counts, confidence: float, progress: Progress
) -> Iterator[SetSize]:
    """Sets of 2, 3, ... words of the lexicon: the best in turn, and those at equal steps along the scale."""
    listed = words.listed
    rates = [alone(words.bins)(n, y).mean for n, y in (known, every)]
    in_turn = []
    for (n, _), rate in zip((known, every), rates, strict=True):
        _, loss = in_order(n, rate, words.bins, words.rows, words.open)
        in_turn.append(listed[best_in_turn(n[:, words.rows, None] * loss[:, :, listed])])
    for size in range(2, len(listed) + 1):
        progress.raise_if_cancelled()
        even = listed[np.rint(np.linspace(0, len(listed) - 1, size)).astype(np.intp)]
        for choice in ("best", "even") if size < len(listed) else ("best",):
            fitted, whole = (best[:, :size] if choice == "best" else np.tile(even, (len(best), 1)) for best in in_turn)
            allowed = np.zeros(known[0].shape, dtype=bool)
            np.put_along_axis(allowed, fitted, True, axis=1)
            shares = words.shares(in_order(known[0], rates[0], words.bins, words.rows, allowed)[0])
            reached = _with_intervals(words.scores_after(shares, *judged), confidence)
            yield SetSize(choice, tuple(words.bins.phrases[t] for t in listed if t in whole[0]), reached)


def best_in_turn(cost: Array) -> Index:
    """(B, F) words in the order in which they lower the cost most, where each of R goes to the cheapest (B, R, F).

    The first two are the best pair; the others join one after another.
    """
    B, _, F = cost.shape
    if F < 2:
        return np.zeros((B, F), dtype=np.intp)
    pairs = np.stack([np.minimum(cost, cost[:, :, [f]]).sum(axis=1) for f in range(F)], axis=1)
    pairs[:, np.arange(F), np.arange(F)] = np.inf
    first = np.stack(np.unravel_index(pairs.reshape(B, -1).argmin(axis=1), (F, F)), axis=1)
    order = np.empty((B, F), dtype=np.intp)
    order[:, :2] = np.sort(first, axis=1)
    every = np.arange(B)
    left = np.ones((B, F), dtype=bool)
    left[every[:, None], first] = False
    so_far = np.take_along_axis(cost, first[:, None, :], axis=2).min(axis=2)
    for place in range(2, F):
        total = np.where(left, np.minimum(cost, so_far[:, :, None]).sum(axis=1), np.inf)
        order[:, place] = best = total.argmin(axis=1)
        left[every, best] = False
        so_far = np.minimum(so_far, cost[every, :, best])
    return order


# --- what to read instead ------------------------------------------------------------------------------


def _mappings(
    words: _Words, plans: Mapping[Method, Plan], counts: Array, every: Counts, failed: Collection[Method]
) -> tuple[Mapped, ...]:
    """What each method, fitted on all statements, maps each phrase to."""
    n, y = counts.sum(axis=1), counts[:, 1]
    shares = {method: plan(*every)[0] for method, plan in plans.items() if method not in failed}
    platt, histogram = (numbers(method, n[None], y[None], words.own.mean)[0] for method in _NUMBERS)
    names = words.bins.phrases

    def chief(method: Method, k: int) -> str:
        return names[int(shares[method][words.cell[k]].argmax())] if method in shares else ""

    def parts(k: int) -> tuple[tuple[str, float], ...]:
        row = shares["transport"][words.cell[k]] if "transport" in shares else np.zeros(0)
        return tuple((names[t], float(row[t])) for t in np.argsort(-row, kind="stable") if row[t] >= _LEAST_SHARE)

    return tuple(
        Mapped(
            source=name,
            mean=float(words.own.mean[k]),
            n=int(n[k]),
            rate=float(y[k] / n[k]),
            advice=chief("advice", k),
            ordered=chief("ordered", k),
            transport=parts(k),
            platt=float(platt[k]),
            histogram=float(histogram[k]),
        )
        for k, name in enumerate(words.own.phrases)
    )
