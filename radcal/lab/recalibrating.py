"""Recalibration of a speaker's certainty, fitted on half of the statements and judged on the other.

Numbers are point masses, words and Betas distributions: all of them are words to the ordered plan and to the published
transport alike.  Beside them stand methods that need no words, fitted to the means of what was said
(:mod:`radcal.advice.numbers`), and the model of a department, whose groups are all speakers on all question sets
(:mod:`radcal.lab.speakers_together`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from radcal.advice.cost import cost_matrix
from radcal.advice.judge import halved
from radcal.advice.numbers import estimate, numbers, scores, scores_of_numbers
from radcal.advice.ordered import Guards, OrderedSolver, alone, by_strength, cheapest_in_order, width_of
from radcal.advice.records import Method
from radcal.advice.solve import shares_of
from radcal.advice.transport import ENTROPY, semi_relaxed_plans
from radcal.calibration import scoring
from radcal.system.errors import EngineError
from radcal.system.estimates import Estimate
from radcal.system.progress import SILENT
from radcal.system.text import Text
from radcal.words.bins import bin_phrases
from radcal.words.phrases import mean_of, point
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
Together = Literal["department", "department_rates"]
TOGETHER: tuple[Together, ...] = ("department", "department_rates")
"""By the rates of words that all speakers together tell: the words of the ordered plan, and the rates as numbers."""

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
    """ECE and Brier score, the less the better, and accuracy, each in 0-1, on answers that nothing was fitted to.

    ece_of_means, brier_of_means: with each word taken for its mean, as numbers are scored
    """

    ece: Estimate
    brier: Estimate
    accuracy: Estimate
    ece_of_means: Estimate
    brier_of_means: Estimate


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
    advice, ordered, department: the word that the plan puts in its place, '' where there is none
    transport: the words of the paper's transport with their shares, the largest first
    platt, histogram, department_rate: probabilities in 0-1; None where speakers were not taken together
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
    department: str = ""
    department_rate: float | None = None


@dataclass(frozen=True, eq=False)
class Recalibrated:
    """What each method makes of a speaker's certainty.

    methods: on statements that they were not fitted to;  failed: methods that gave no answer, and why
    sizes: sets of 2, 3, ... words of the lexicon;  mappings: fitted on all statements, weakest first
    """

    methods: Mapping[Method | Together, Scores]
    failed: Mapping[Method, Text]
    sizes: tuple[SetSize, ...]
    mappings: tuple[Mapped, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """A speaker's statements, in random halves.

    counts: (K, 2) wrong and right statements with each of the K phrases said, weakest first
    known, judged: n, y of the halves to fit to (J, T), merged as plans take them, and of those to judge on (J, K)
    fitted: n, y (J, K) of the halves to fit to;  every: n, y (1, T) of all statements
    """

    words: _Words
    counts: Array
    fitted: Counts
    judged: Counts
    known: Counts
    every: Counts

    @classmethod
    def of(
        cls, said: Sequence[Phrase], counts: Array, lexicon: Sequence[Phrase], settings: Settings, rng: Generator
    ) -> Halves:
        """The halves of :func:`radcal.advice.judge.halved`.

        Args:
            said: K phrases, each said at least once.
            counts: (K, 2) wrong and right statements with each, whole numbers, at least 2 in all.
            lexicon: phrases that words may be replaced by, and that smaller sets are drawn from, weakest first.
            settings: n_bins, method.
            rng: draws the halves.
        """
        order = sorted(range(len(said)), key=lambda k: (mean_of(said[k]), said[k].name))
        said, counts = [said[k] for k in order], counts[order]
        words = _Words.of(said, counts.sum(axis=1), lexicon, settings)
        n, y = halved(counts, _RIGHT, rng)
        known = words.merged(n[:, 0]), words.merged(y[:, 0])
        every = words.merged(counts.sum(axis=1)[None]), words.merged(counts[None, :, 1])
        return cls(words, counts, (n[:, 0], y[:, 0]), (n[:, 1], y[:, 1]), known, every)


def recalibrated(
    halves: Halves, settings: Settings, progress: Progress = SILENT, rates: Array | None = None
) -> Recalibrated:
    """What each of METHODS makes of a speaker's certainty, judged on halves that they were not fitted to.

    The intervals are those of :mod:`radcal.advice.numbers`.  Plans replace words by words of the lexicon or of the
    speaker, numbers by the speaker's own or by multiples of 1/STEPS, and Betas by the speaker's own or by those of
    usual width at these means.

    Args:
        halves: of the speaker's statements.
        settings: confidence, min_phrase_n, sure, tau2.
        progress: asked now and then whether to stop.
        rates: (J + 1, R) what all speakers together tell of the words' true rates, from each half to fit to and from
            all statements (:func:`radcal.lab.speakers_together.rates_together`); with them, TOGETHER are methods, too.

    Raises:
        Cancelled: by ``progress``.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), 4.3.
    """
    words, fitted, judged, known = halves.words, halves.fitted, halves.judged, halves.known
    scored: dict[Method | Together, dict[str, Array]] = {}
    failed: dict[Method, Text] = {}
    plans = _plans(words, settings, progress)
    for method in METHODS:
        progress.raise_if_cancelled()
        if method == "none":
            scored[method] = _scores(*judged, words.own)
        elif method in _NUMBERS:
            scored[method] = _scores_of_numbers(*judged, numbers(method, *fitted, words.own.mean), words.own)
        else:
            try:
                scored[method] = words.scores_after(plans[method](*known), *judged)
            except EngineError as error:
                failed[method] = error.text
    if rates is not None:
        scored["department"] = words.scores_after(words.in_order(known[0], rates[:-1]), *judged)
        scored["department_rates"] = _scores_of_numbers(*judged, rates[:-1, words.cell], words.own)
    return Recalibrated(
        {method: _with_intervals(values, settings.confidence) for method, values in scored.items()},
        failed,
        tuple(_sizes(words, known, judged, halves.every, settings.confidence, progress)),
        _mappings(halves, plans, failed, rates),
    )


def _scores(n: Array, y: Array, bins: PhraseBins) -> dict[str, Array]:
    """Scores of words, and with each taken for its mean."""
    points = bin_phrases(
        [point(w, m) for w, m in zip(bins.phrases, bins.mean.tolist(), strict=True)], len(bins.edges) - 1
    )
    return scores(n, y, bins) | {"ece_of_means": scoring.ece(n, y, points)}


def _scores_of_numbers(n: Array, y: Array, q: Array, words: PhraseBins) -> dict[str, Array]:
    made = scores_of_numbers(n, y, q, words)
    return made | {"ece_of_means": made["ece"]}


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
        return _scores(after_n, after_y, self.bins)

    def costs(self, n: Array, y: Array, progress: Progress) -> Array:
        """(B, T, T) what it costs to say one word for another, of n, y (B, T)."""
        return np.array([cost_matrix(*one, self.bins, progress) for one in zip(n, y, strict=True)])

    def transported(self, n: Array, costs: Array, tau2: float, entropy: float = ENTROPY) -> Array:
        """(B, R, T) shares by the paper's transport."""
        targets = np.broadcast_to(self.open.astype(np.float64), n.shape)
        plans = semi_relaxed_plans(costs, n, targets, tau2, entropy)
        return np.array([shares_of(plan) for plan in plans])[:, : len(self.rows)]

    def in_order(self, n: Array, rate: Array) -> Array:
        """(B, R, T) the ordered plan without guards, of uses n (B, T) and rates (B, R) of what was said."""
        padded = np.zeros(n.shape)
        padded[:, self.rows] = rate
        return self.shares(in_order(n, padded, self.bins, self.rows, self.open)[0])


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
        return words.in_order(n, alone(words.bins)(n, y).mean[:, words.rows])

    def transported(n: Array, y: Array) -> Array:
        return words.transported(n, words.costs(n, y, progress), settings.tau2)

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
    return Scores(**{field.name: estimate(values[field.name], confidence) for field in fields(Scores)})


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
    halves: Halves, plans: Mapping[Method, Plan], failed: Collection[Method], rates: Array | None
) -> tuple[Mapped, ...]:
    """What each method, fitted on all statements, maps each phrase to."""
    words, n, y = halves.words, halves.counts.sum(axis=1), halves.counts[:, 1]
    shares: dict[str, Array] = {m: plan(*halves.every)[0] for m, plan in plans.items() if m not in failed}
    if rates is not None:
        shares["department"] = words.in_order(halves.every[0], rates[-1:])[0]
    platt, histogram = (numbers(method, n[None], y[None], words.own.mean)[0] for method in _NUMBERS)
    names = words.bins.phrases

    def chief(method: str, k: int) -> str:
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
            department=chief("department", k),
            department_rate=None if rates is None else float(rates[-1, words.cell[k]]),
        )
        for k, name in enumerate(words.own.phrases)
    )
