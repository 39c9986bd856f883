"""Advice for each group, from its table and reliability."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.advise import wording
from radcal.advise.cost import cost_matrix
from radcal.advise.judge import directions, held_out, held_out_errors, split_half
from radcal.advise.solve import make_solver, order_violations
from radcal.errors import DataError, InputError
from radcal.lexicon.bins import bin_phrases
from radcal.lexicon.phrases import expected_rates
from radcal.lexicon.scales import allowed
from radcal.progress import SILENT
from radcal.records import Advice, HeldOut, Judgement, Recommendation, Substitution, Withheld
from radcal.text import EMPTY, Text

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.advise.solve import Solver
    from radcal.progress import Progress
    from radcal.records import Phrase, PhraseBins, PhraseRate, Reliability, Tables
    from radcal.settings import Settings

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

SPLIT, HALVINGS, BOOTSTRAP = range(3)
"""Random streams of a case: the train and test half, the unseen halves, the bootstrap fits."""
Halves = tuple[Judgement, Judgement]
"""A plan fitted on one half, judged on that half (train) and on the other (test)."""
LEAST_SHARE_TOLD = 0.05
"""Smaller shares of a fractional plan are left out of the sentence."""
LEAST_STABILITY = 0.5
"""Least share of the bootstrap fits that must support the direction of a recommendation."""


def advise(
    tables: Tables,
    reliabilities: Sequence[Reliability],
    phrases: Sequence[Phrase],
    settings: Settings,
    progress: Progress = SILENT,
    target_use: Mapping[str, float] | None = None,
) -> tuple[Advice, ...]:
    """Advice for every group, in the order of the tables.

    The plan is fitted on all statements of the group.  It is withheld, with the reason, where the group or all of
    its words have too few statements, where every word with enough uses matches, where it does not lower the mean ECE
    on unseen halves (ten random halvings, each used both ways), and where most bootstrap fits bring no mismatching word
    closer.  ``train`` and ``test`` judge a plan fitted on one random half, whether or not the plan on all statements is
    shown.  Phrases with too few uses are left out of the plan and listed as withheld; ``order_violations`` covers the
    phrases of the plan, ``distinct_phrases`` counts the words still in use when it is followed (without a plan: 0, and
    the words in use now).  A result depends only on the seed and the group's own data.

    Args:
        tables: counts of all groups.
        reliabilities: one for each group, in any order; the source of the phrase rates.
        phrases: the lexicon, from which plans choose words.
        settings: solver, its guards and prices, least counts, number of bootstrap fits, seed.
        progress: advances by groups.
        target_use: target use of words, by phrase on any scale; selects the exact transport to that use.

    Raises:
        InputError: an allowed phrase or a phrase of the target use is not in the lexicon, or its use is no number.
        DataError: a phrase of the tables is not in the lexicon, or a group has no reliability.
        EngineError: a transport plan could not be found.
        Cancelled: by ``progress``.
    """
    names = tuple(p.name for p in phrases)
    rows = rows_of(tables, names)
    bins = bin_phrases(phrases, settings.n_bins, settings.method)
    target = _target(names, target_use)
    by_group = {(r.author, r.topic): r for r in reliabilities}
    progress.start(len(tables.groups), "Working out advice")
    advices = []
    for group, table in zip(tables.groups, tables.counts, strict=True):
        progress.raise_if_cancelled()
        if group not in by_group:
            raise DataError("There is no reliability for {group!r} on {group2!r}.", group=group[0], group2=group[1])
        counts = np.zeros((len(names), len(tables.references)))
        counts[rows] = table
        case = Case(by_group[group], phrases, bins, counts, tables.positive, settings, target)
        advices.append(case.derived(progress).advice)
        progress.advance(1, " - ".join(group))
    return tuple(advices)


def rows_of(tables: Tables, names: Sequence[str]) -> list[int]:
    """The indices of the tables' phrases among the names of the lexicon.

    Raises:
        DataError: a phrase is not in the lexicon.
    """
    place = {name: k for k, name in enumerate(names)}
    if missing := [name for name in tables.phrases if name not in place]:
        raise DataError(
            "The phrase {missing!r} has statements but no meaning: it is not in the lexicon.", missing=missing[0]
        )
    return [place[name] for name in tables.phrases]


def allowed_words(names: Sequence[str], allowed: Sequence[str]) -> Mask:
    """(K,) True for the words that plans may propose.

    Raises:
        InputError: an allowed phrase is not in the lexicon.
    """
    if unknown := [name for name in allowed if name not in names]:
        raise InputError(
            "The allowed phrase {unknown!r} is not in the lexicon. Correct it or add it there.", unknown=unknown[0]
        )
    return np.array([not allowed or name in allowed for name in names])


def _target(names: Sequence[str], target_use: Mapping[str, float] | None) -> Array | None:
    if target_use is None:
        return None
    for name, use in target_use.items():
        if name not in names:
            raise InputError(
                "The phrase {name!r} of the target use is not in the lexicon. Correct it or add it there.", name=name
            )
        if not (np.isfinite(use) and use >= 0):
            raise InputError(
                "The target use of {name!r} is {use}; it must be a number of at least 0.", name=name, use=use
            )
    target = np.array([float(target_use.get(name, 0.0)) for name in names])
    if not target.sum() > 0:
        raise InputError("The target use is 0 for all phrases. Give at least one phrase a use above 0.")
    return target


@dataclass(frozen=True, slots=True, eq=False)
class Derived:
    """An advice with the plans behind it.

    advised: (K, K) the plan of the recommendations, in which all other words stay as they are
    fitted: (K, K) the solver's plan on all statements, None where none was fitted
    held_out: its errors on unseen halves, None where they were not computed
    """

    advice: Advice
    advised: Array
    fitted: Array | None = None
    held_out: HeldOut | None = None


class Case:
    """One author and topic under given settings; every method is deterministic.

    Args:
        reliability: of the author on the topic; the source of the phrase rates.
        phrases, bins: the K words of the lexicon.
        counts: (K, L) table;  positive: (L,) probability that a reference means "confirmed".
        settings: solver, its guards and prices, least counts, number of bootstrap fits, seed.
        target: (K,) target use of words on any scale, or None.

    Raises:
        InputError: an allowed phrase is not in the lexicon, or advice may propose none of the vocabulary's words.
    """

    def __init__(
        self,
        reliability: Reliability,
        phrases: Sequence[Phrase],
        bins: PhraseBins,
        counts: Array,
        positive: Array,
        settings: Settings,
        target: Array | None = None,
    ) -> None:
        self.author, self.topic = reliability.author, reliability.topic
        self.rates = {rate.phrase: rate for rate in reliability.phrases}
        self.phrases, self.bins, self.settings = phrases, bins, settings
        self.counts, self.positive, self.target = counts, positive, target
        self.n, self.y = counts.sum(axis=1), counts @ positive
        self.total = float(self.n.sum())
        self.allowed = allowed_words(bins.phrases, allowed(settings, bins.phrases))
        self.covered: Mask = (self.n >= settings.min_phrase_n) & np.array([p.name in self.rates for p in phrases])
        self.matches = [
            k for k in np.flatnonzero(self.covered).tolist() if _agrees(self.rates[phrases[k].name], phrases[k])
        ]

    def stream(self, purpose: int) -> Generator:
        """A new generator for SPLIT, HALVINGS or BOOTSTRAP, seeded by the settings' seed and the group alone.

        A stream for each purpose: both solvers, and all points of a frontier, are judged on the same halves.
        """
        key = zlib.crc32(f"{self.author}\0{self.topic}".encode())
        return np.random.default_rng(np.random.SeedSequence([self.settings.seed, key], spawn_key=(purpose,)))

    def solver(self, settings: Settings | None = None) -> Solver:
        """The solver, also under other settings."""
        return make_solver(self.bins, self.covered, self.allowed, settings or self.settings, self.target)

    def derived(self, progress: Progress, *, checked: bool = True) -> Derived:
        """The advice.

        Args:
            progress: looked at between fits.
            checked: try the plan on unseen halves and in bootstrap fits.  Without these checks the answer is immediate:
                every stability is NaN, and the checks may still withhold a recommendation, but change none.

        Raises:
            EngineError: a transport plan could not be found.
            Cancelled: by ``progress``.
        """
        if self.total < self.settings.min_group_n:
            return self._without(wording.too_few_findings(self.total, self.settings.min_group_n))
        solver = self.solver()
        halves = split_half(self.counts, self.positive, self.bins, solver, self.stream(SPLIT))
        if reason := self._needless():
            return self._without(reason, halves)
        plan = solver(self.n[None], self.y[None])[0]
        if not checked:
            return self._with(plan, np.full_like(plan, np.nan), halves)
        if not (np.diag(plan)[self.covered] < 1 - LEAST_SHARE_TOLD).any():
            return self._without(wording.no_better_word(), halves, plan)
        rng = self.stream(HALVINGS)
        tried = held_out(held_out_errors(self.counts, self.positive, self.bins, solver, rng, progress))
        if not tried.after < tried.before:
            return self._without(wording.no_gain(tried.before, tried.after), halves, plan, tried)
        return self._with(plan, self._stability(solver, progress), halves, tried)

    def _needless(self) -> Text:
        """Why a plan is unnecessary or impossible; '' if it is neither."""
        if not self.covered.any():
            return wording.rarely_used(self.settings.min_phrase_n)
        if len(self.matches) == self.covered.sum():
            return wording.all_matched(len(self.matches))
        return EMPTY

    def _stability(self, solver: Solver, progress: Progress) -> Array:
        """(K, K) share of the bootstrap fits that move phrase k in the direction of word l."""
        mean = self.bins.mean
        rng = self.stream(BOOTSTRAP)
        shares = directions(self.counts, self.positive, mean, solver, self.settings.advice_fits, rng, progress)
        step = np.sign(mean - mean[:, None]).astype(np.intp) + 1
        stability: Array = shares[step, np.arange(len(mean))[:, None]]
        return stability

    def _without(
        self, reason: Text, halves: Halves | None = None, fitted: Array | None = None, tried: HeldOut | None = None
    ) -> Derived:
        """A result without advice."""
        advice = replace(
            self._facts(halves),
            withheld=self._withheld(None, set()),
            summary=wording.summary(self.topic, (), self._matching(), reason),
            reason=reason,
            distinct_phrases=_in_use(self.n),
        )
        return Derived(advice, np.eye(len(self.phrases)), fitted, tried)

    def _with(self, plan: Array, stability: Array, halves: Halves, tried: HeldOut | None = None) -> Derived:
        """The advice of a plan, if any part of it is worth giving."""
        recommendations, suggested = self._recommendations(plan, stability)
        if not recommendations:
            return self._without(wording.no_better_word(), halves, plan, tried)
        rates = [r.source_rate for r in recommendations]
        followed = np.where(self.covered[:, None], plan, np.eye(len(plan)))
        advice = replace(
            self._facts(halves),
            plan=self._substitutions(plan, stability),
            withheld=self._withheld(plan, {r.source for r in recommendations}),
            recommendations=recommendations,
            summary=wording.summary(self.topic, rates, self._matching(), ""),
            order_violations=order_violations(plan, self.bins.mean, self.covered),
            distinct_phrases=_in_use(self.n @ followed),
        )
        return Derived(advice, suggested, plan, tried)

    def _facts(self, halves: Halves | None) -> Advice:
        """The fields that do not depend on whether advice is given."""
        train, test = halves or (None, None)
        return Advice(
            author=self.author,
            topic=self.topic,
            n=self.total,
            solver=self.settings.solver if self.target is None else "target use",
            phrases=self.bins.phrases,
            plan=(),
            withheld=(),
            agreeing=self._matching(),
            train=train,
            test=test,
            cost=cost_matrix(self.n, self.y, self.bins),
        )

    def _matching(self) -> tuple[str, ...]:
        return tuple(self.phrases[k].name for k in self.matches)

    def _substitutions(self, plan: Array, stability: Array) -> tuple[Substitution, ...]:
        names = self.bins.phrases
        return tuple(
            Substitution(names[k], names[w], float(plan[k, w]), float(self.n[k]), float(stability[k, w]))
            for k in np.flatnonzero(self.covered).tolist()
            for w in np.flatnonzero(plan[k])
        )

    def _recommendations(self, plan: Array, stability: Array) -> tuple[tuple[Recommendation, ...], Array]:
        """The changes worth recommending, those with the largest gain first, and the plan (K, K) that they make up.

        A change is recommended for a phrase that did not match if most fits go in its direction, and if it brings both
        the phrase's mean and its range of meaning closer to the confirmed rate.
        """
        found: list[tuple[float, Recommendation]] = []
        suggested = np.eye(len(plan))
        mean = self.bins.mean
        planned = np.array([self._in_order(shares, k) for k, shares in enumerate(plan)])
        for k in np.flatnonzero(self.covered).tolist():
            rate = self.rates[self.phrases[k].name]
            shares = self._holding(planned, k, rate.rate)
            shares[np.abs(mean - rate.rate) >= abs(mean[k] - rate.rate)] = 0
            gap = np.array([_gap(rate.rate, p) for p in self.phrases])
            shares[gap >= gap[k]] = 0
            words = [w for w in np.argsort(-shares, kind="stable").tolist() if shares[w] >= LEAST_SHARE_TOLD]
            if not words or k in self.matches or stability[k, words[0]] < LEAST_STABILITY:
                continue
            suggested[k] = 0
            suggested[k, words] = shares[words]
            suggested[k, k] = max(0.0, 1 - float(shares[words].sum()))
            best = self.phrases[words[0]]
            # A word proposed for part of the cases cannot make all of them match.
            fits = _agrees(rate, best) and float(shares[words].sum()) >= 0.95
            targets = [(self.phrases[w], float(shares[w])) for w in words]
            text = wording.recommendation(rate, self.phrases[k], targets, self.topic, fits)
            gain = self.n[k] * float(shares @ (abs(mean[k] - rate.rate) - np.abs(mean - rate.rate)))
            share = float(shares[words[0]])
            found.append(
                (gain, Recommendation(rate.phrase, best.name, share, float(stability[k, words[0]]), rate, text))
            )
        return tuple(r for _, r in sorted(found, key=lambda f: -f[0])), suggested

    def _in_order(self, shares: Array, k: int) -> Array:
        """Shares of phrase k to be reworded as each word, none beyond a word that matched.

        The plan may also move words that matched, but the author is told to keep those: a word beyond them would put
        stronger words below weaker ones.  Such shares go to the word that matched, or stay with phrase k where that
        word is not allowed.
        """
        mean, suggested = self.bins.mean, shares.copy()
        for sign in (-1, 1):
            between = [j for j in self.matches if sign * (mean[j] - mean[k]) > 0]
            if between:
                nearest = min(between, key=lambda j: abs(mean[j] - mean[k]))
                beyond = sign * (mean - mean[nearest]) > 0
                instead = nearest if self.allowed[nearest] else k
                suggested[instead] += suggested[beyond].sum()
                suggested[beyond] = 0
        return suggested

    def _holding(self, planned: Array, k: int, rate: float) -> Array:
        """Shares of phrase k to be reworded as each word, where possible as a word whose range contains the rate.

        A plan balances words against each other: it may propose "maybe" for a plain "no" that is right nine times of
        ten, or "likely" where CT confirmed 64 %, though "unlikely" and "suggestive of" would say what was found.  A
        plain statement becomes the mildest word whose range contains the rate; any other phrase, where the range of its
        one planned word misses the rate, becomes the word nearest to the rate whose range contains it.

        Args:
            planned: (K, K) shares, none beyond a word that matched.
            k: the phrase.
            rate: its confirmed rate.
        """
        mean = self.bins.mean
        suggested: Array = planned[k].copy()
        plain = not 0 < mean[k] < 1
        held = [j for j, p in enumerate(self.phrases) if p.low <= rate <= p.high and self.allowed[j]]
        for w in np.flatnonzero(planned[k]).tolist():
            if not plain and (w in held or planned[k, w] < 1 - LEAST_SHARE_TOLD):
                continue
            way = sorted((mean[k], mean[w]))
            nearest = sorted(held, key=lambda j: abs(mean[j] - (mean[k] if plain else rate)))
            for j in nearest:
                if way[0] < mean[j] < way[1] and self._keeps_order(planned, k, j):
                    suggested[w] = 0
                    suggested[j] += planned[k, w]
                    break
        return suggested

    def _keeps_order(self, planned: Array, k: int, j: int) -> bool:
        """Whether phrase k may become j: no weaker phrase is planned above j on the way up, no stronger one below."""
        mean = self.bins.mean
        sign = np.sign(mean[j] - mean[k])
        behind = self.covered & (sign * (mean - mean[k]) < 0)
        beyond = sign * (mean - mean[j]) > 0
        return not (planned[np.ix_(behind, beyond)] >= LEAST_SHARE_TOLD).any()

    def _withheld(self, plan: Array | None, recommended: set[str]) -> tuple[Withheld, ...]:
        """The phrases used that neither matched nor are recommended on; with enough uses, only if there is a plan."""
        withheld = []
        for k, phrase in enumerate(self.phrases):
            if self.n[k] == 0 or k in self.matches or phrase.name in recommended:
                continue
            if not self.covered[k]:
                reason = wording.too_few_uses(float(self.n[k]), self.settings.min_phrase_n)
            elif plan is not None:
                reason = wording.no_better_word()
            else:
                continue
            withheld.append(Withheld(phrase.name, reason))
        return tuple(withheld)


def _in_use(use: Array) -> int:
    """Number of words used in at least half a statement."""
    return int((use >= 0.5).sum())


def _gap(rate: float, phrase: Phrase) -> float:
    """Distance of the phrase's range of meaning from the rate; 0 where it contains the rate."""
    low, high = expected_rates(phrase)
    return max(low - rate, rate - high, 0.0)


def _agrees(rate: PhraseRate, phrase: Phrase) -> bool:
    """Whether the interval of the confirmed rate overlaps the phrase's range of meaning."""
    low, high = expected_rates(phrase)
    return rate.low <= high and rate.high >= low
