"""Advice for each group, from its table and reliability."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice import judging, said, wording
from radcal.advice.cost import cost_matrix
from radcal.advice.judge import baselines as words_or_numbers
from radcal.advice.judge import halved, tried
from radcal.advice.ordered import Guards, OrderedSolver
from radcal.advice.records import Advice, Recommendation, Substitution, Withheld
from radcal.advice.solve import make_solver, order_violations
from radcal.calibration.evidence import Evidence, evidence_of
from radcal.calibration.model import SHIPPED, learned, posterior
from radcal.calibration.records import pool_of
from radcal.calibration.scoring import corrected
from radcal.calibration.verified import ends_of_counts
from radcal.system.errors import DataError, InputError
from radcal.system.progress import SILENT
from radcal.system.text import EMPTY, Text, joined
from radcal.words.bins import bin_phrases
from radcal.words.confirmations import unadvised
from radcal.words.phrases import range_told
from radcal.words.scales import allowed
from radcal.words.speech import is_word

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.advice.ordered import Openings
    from radcal.advice.records import Baselines, Judgement
    from radcal.calibration.model import Posterior
    from radcal.calibration.records import Reliability, Spread, Tables
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase, PhraseBins

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

HALVES, BOOTSTRAP = range(2)
"""Random streams of a case: the halves that a plan is fitted to and judged on, and resamples."""


def advise(
    tables: Tables,
    reliabilities: Sequence[Reliability],
    phrases: Sequence[Phrase],
    settings: Settings,
    progress: Progress = SILENT,
    target_use: Mapping[str, float] | None = None,
    spread: Spread | None = None,
    *,
    baselines: bool = False,
    parts: Sequence[tuple[Reliability, Advice]] = (),
) -> tuple[Advice, ...]:
    """Advice for every group, in the order of the tables.

    The plan is fitted on all statements of the group, and every change in it is a recommendation: nothing is filtered
    afterwards.  ``train`` and ``test`` judge what the same procedure makes of one half of the statements, on that half
    and on the other.  Where the rates were measured with errors of reading as well, a word is advised only if it is as
    surely nearer with them; these guards are those of all statements in the halves, too.

    A phrase that is used, does not agree with its meaning and keeps its word is listed as withheld, with the guard that
    closed the last word to it; ``order_violations`` covers the phrases of the plan, ``distinct_phrases`` counts the
    words still in use when it is followed (without a plan: 0, and the words in use now).  A result depends only on the
    seed and the group's own data.

    Args:
        tables: counts of all groups.
        reliabilities: one for each group, in any order; the source of the phrase rates.
        phrases: the lexicon, from which plans choose words.
        settings: solver, its guards and prices, least counts, seed.
        progress: advances by groups.
        target_use: target use of words, by phrase on any scale; selects the exact transport to that use.
        spread: what is known of the department; None to learn it from these tables.
        baselines: whether the advices hold words beside numbers, too.
        parts: reliability and advice on the single topics of authors, which advice on all topics of theirs must not
            contradict.

    Raises:
        InputError: an allowed phrase or a phrase of the target use is not in the lexicon, or its use is no number.
        DataError: a phrase of the tables is not in the lexicon, or a group has no reliability.
        EngineError: a transport plan could not be found.
    """
    tables = in_lexicon(tables, tuple(p.name for p in phrases))
    names = tables.phrases
    bins = bin_phrases(phrases, settings.n_bins, settings.method, progress)
    target = _target(names, target_use)
    by_group = {(r.author, r.topic): r for r in reliabilities}
    if missing := [group for group in tables.groups if group not in by_group]:
        raise DataError(
            "There is no reliability for {author!r} on {topic!r}.", author=missing[0][0], topic=missing[0][1]
        )
    without = unadvised(settings)
    evidence = told_by(tables, reliabilities, settings)
    if spread is None and settings.solver == "ordered":
        spread = learned(evidence, bins.mean, names, tables.groups, progress)
    progress.start(len(tables.groups), Text("Working out advice"))
    advices = []
    for q, group in enumerate(tables.groups):
        progress.raise_if_cancelled()
        own = [part for part in parts if part[0].author == group[0]] if pool_of(*group) == "author" else []
        case = Case(
            by_group[group], phrases, bins, tables, evidence, q, settings, target, progress, spread, without, own
        )
        advice = case.derived().advice
        advices.append(replace(advice, baselines=case.baselines()) if baselines else advice)
        progress.advance(1, joined((group[0], Text(group[1])), " - "))
    return tuple(advices)


def in_lexicon(tables: Tables, names: Sequence[str]) -> Tables:
    """The tables by the K words of the lexicon.

    Raises:
        DataError: a phrase is not in the lexicon.
    """
    place = {name: k for k, name in enumerate(names)}
    if missing := [name for name in tables.phrases if name not in place]:
        raise DataError(
            "The phrase {missing!r} has statements but no meaning: it is not in the lexicon.", missing=missing[0]
        )
    at = [place[name] for name in tables.phrases]
    counts = np.zeros((len(tables.groups), len(names), len(tables.references)))
    counts[:, at] = tables.counts
    by_patient = {}
    for group, sums in tables.by_patient.items():
        by_patient[group] = np.zeros((len(names), sums.shape[1]))
        by_patient[group][at] = sums
    return replace(tables, phrases=tuple(names), counts=counts, by_patient=by_patient)


def told_by(tables: Tables, reliabilities: Sequence[Reliability], settings: Settings) -> Evidence:
    """The evidence of the tables, with the errors of reading that the reliabilities carry on."""
    place = {name: k for k, name in enumerate(tables.phrases)}
    group = {names: q for q, names in enumerate(tables.groups)}
    read = np.full((3, len(tables.groups), len(place)), np.nan)
    for r in reliabilities:
        q = group.get((r.author, r.topic))
        for p in r.phrases if q is not None else ():
            if p.read_rate is not None and p.read_low is not None and p.read_high is not None:
                read[:, q, place[p.phrase]] = p.read_rate, p.read_low, p.read_high
    return evidence_of(tables, settings, read if np.isfinite(read).any() else None)


def allowed_words(names: Sequence[str], allowed: Sequence[str]) -> Mask:
    """(K,) True for the words that plans may propose.

    Raises:
        InputError: an allowed phrase is not in the lexicon.
    """
    known, wanted = set(names), set(allowed)
    if unknown := [name for name in allowed if name not in known]:
        raise InputError(
            "The allowed phrase {unknown!r} is not in the lexicon. Correct it or add it there.", unknown=unknown[0]
        )
    return np.array([not wanted or name in wanted for name in names])


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
    """An advice with the plan (K, K) behind it, in which every row adds to 1."""

    advice: Advice
    plan: Array


class Case:
    """One author and topic under given settings; every method is deterministic.

    Args:
        reliability: of the author on the topic; the source of the phrase rates.
        phrases, bins: the K words of the lexicon.
        tables: by these words;  evidence: of them;  q: the place of the group.
        settings: solver, its guards and prices, least counts, seed.
        target: (K,) target use of words on any scale, or None.
        progress: asked now and then whether to stop.
        spread: what is known of the department; of use to the ordered plan alone.
        unadvised: topics on which no other word is advised.
        parts: of all topics together, each of them with its advice.

    Raises:
        InputError: an allowed phrase is not in the lexicon, or advice may propose none of the vocabulary's words.
    """

    def __init__(
        self,
        reliability: Reliability,
        phrases: Sequence[Phrase],
        bins: PhraseBins,
        tables: Tables,
        evidence: Evidence,
        q: int,
        settings: Settings,
        target: Array | None = None,
        progress: Progress = SILENT,
        spread: Spread | None = None,
        unadvised: Collection[str] = (),
        parts: Sequence[tuple[Reliability, Advice]] = (),
    ) -> None:
        self.reliability, self.author, self.topic = reliability, reliability.author, reliability.topic
        self.pool = pool_of(self.author, self.topic)
        # Where a plain word sets a part apart, as where CT never names an opacity, hedges may still be alike.
        hedged = {rate.phrase for rate in reliability.phrases if 0 < rate.mean < 1}
        self.apart = [part.name for part in reliability.parts if part.differs and part.phrase in hedged]
        self.rates = {rate.phrase: rate for rate in reliability.phrases}
        self.phrases, self.bins, self.settings = phrases, bins, settings
        counts: Array = tables.counts[q]
        self.counts, self.positive, self.target, self.progress = counts, tables.positive, target, progress
        self.accuracy = settings.ct_accuracy_on(self.topic)
        self.n = counts.sum(axis=1)
        self.y = self.confirmed(self.n, counts)
        self.total = float(self.n.sum())
        self.spread = spread or SHIPPED
        self._own = evidence.of(slice(q, q + 1))
        words = np.array([is_word(name) for name in bins.phrases])
        self.allowed = allowed_words(bins.phrases, allowed(settings, phrases)) & (words == self.n[words].any())
        ranges = np.array([range_told(p) for p in phrases])
        self.guards = Guards(settings.min_phrase_n, self.allowed, settings.max_steps, settings.sure, ranges)
        self.describes = self.topic in unadvised
        self.described: list[Reliability] = []
        if parts:
            shared = self._shared(parts)
            self.described = [r for r, _ in parts if r.topic in unadvised]
            if self.described:
                self.rest = self._without_them()
                shared &= self._nearer_without_them(*self.rest)
            self.guards = replace(self.guards, parts=shared)
        self.covered: Mask = self.n >= settings.min_phrase_n
        self.rows = np.flatnonzero(self.covered)
        self.transported = settings.solver != "ordered" or target is not None
        verified = () if reliability.verification is None else reliability.verification.rates
        self.closed = {v.phrase: v for v in verified if v.closed}
        ends = ends_of_counts(reliability, bins.phrases, self.n, self.y, settings)
        if self.total >= settings.min_group_n and len(self.rows) and ends is not None:
            self.guards = replace(self.guards, verified=self._sure_with(*ends))

    def _shared(self, parts: Sequence[tuple[Reliability, Advice]]) -> Mask:
        """(K, K) True where no part contradicts that word t is said instead of word k."""
        names = self.bins.phrases
        shared = np.ones((len(names), len(names)), dtype=bool)
        for r, advice in parts:
            targets = {made.source: made.target for made in advice.recommendations}
            for rate in r.phrases:
                if rate.n >= self.settings.min_phrase_n or rate.phrase in targets:
                    target = targets.get(rate.phrase)
                    shared[names.index(rate.phrase)] &= judging.may_be_shared(rate, target, names, self.bins.mean)
        return shared

    def _without_them(self) -> tuple[Array, Array]:
        """(K,) statements and confirmed ones without those on descriptors."""
        names = self.bins.phrases
        n, y = self.n.copy(), self.counts @ self.positive
        for rate in (rate for r in self.described for rate in r.phrases):
            n[names.index(rate.phrase)] -= rate.n
            y[names.index(rate.phrase)] -= rate.positives
        n = np.maximum(n, 0.0)
        return n, corrected(np.clip(y, 0.0, n), n, *self.accuracy)

    def _nearer_without_them(self, n: Array, y: Array) -> Mask:
        """(K, K) True where word t is as surely nearer than word k with these n statements, y of them confirmed."""
        names = self.bins.phrases
        found = OrderedSolver(self.bins, self.guards, self.progress, self.truth).openings(n[None], y[None])
        nearer: Mask = found.is_open[0] & (n >= self.settings.min_phrase_n)[:, None]
        return nearer | np.eye(len(names), dtype=bool)

    def confirmed(self, n: Array, counts: Array) -> Array:
        """(..., K) how many of n statements (..., K) were right, by counts (..., K, L), with the CT's own errors."""
        return corrected(counts @ self.positive, n, *self.accuracy)

    def truth(self, n: Array, y: Array) -> Posterior:
        """The posterior of the rates of n statements (B, K), y of them confirmed: some or all of the group's.

        All of them are judged by what is known of each.  In a part of them, what hedges and errors of the CT and errors
        of reading take from or add to a rate is taken to be what it is in all.
        """
        own = self._own
        if len(n) != 1 or (n != own.n).any():
            off = (own.y - self.y) / np.maximum(self.n, 1e-9)
            own = Evidence(n, np.clip(y + n * off, 0, n), np.broadcast_to(own.weight, n.shape))
        group = [(self.author, self.topic)] * len(n) if self.spread.levels else None
        return posterior(own, self.bins.mean, self.bins.phrases, self.spread, group)

    def _sure_with(self, *confirmed: Array) -> Array:
        """(K, K) how sure it is at least with one or the other number (K,) confirmed that a word is nearer.

        1 where it does not matter.
        """
        solver = OrderedSolver(self.bins, self.guards, self.progress, self.truth)
        found = solver.openings(self.n[None], self.y[None], self.rows)
        asked = found.is_open[0]
        sure = np.ones((len(self.n), len(self.n)))
        if asked.any():
            n = np.tile(self.n, (len(confirmed), 1))
            again = solver.openings(n, np.stack(confirmed), self.rows, asked)
            sure[self.rows] = np.where(asked, again.sure.min(axis=0), 1.0)
        return sure

    def stream(self, purpose: int) -> Generator:
        """A new generator for HALVES or BOOTSTRAP, seeded by the settings' seed and the group alone.

        A stream for each purpose, so that all solvers are judged on the same halves.
        """
        key = zlib.crc32(f"{self.author}\0{self.topic}".encode())
        return np.random.default_rng(np.random.SeedSequence([self.settings.seed, key], spawn_key=(purpose,)))

    @property
    def fewest(self) -> int:
        """Statements that advice needs: what the settings ask for, and one in either half."""
        return max(self.settings.min_group_n, 2)

    def derived(self) -> Derived:
        """The advice.

        Raises:
            EngineError: a transport plan could not be found.
        """
        staying = np.eye(len(self.phrases))
        if self.total < self.fewest:
            return self._without(wording.too_few_findings(self.total, self.fewest), staying)
        if self.describes:
            return self._without(wording.describes(self.topic), staying, closed=True)
        if not self.transported and self.pool is not None and self.apart:
            return self._without(wording.parts_differ(self.pool, self.apart), staying)
        solver = make_solver(self.bins, self.guards, self.settings, self.target, self.progress, self.truth)
        trial = tried(self.counts, self.positive, self.bins, solver, self.stream(HALVES), self.accuracy)
        if not self.covered.any():
            return self._without(wording.rarely_used(self.settings.min_phrase_n), staying, trial)
        plan = solver(self.n[None], self.y[None])[0]
        ordered = OrderedSolver(self.bins, self.guards, self.progress, self.truth)
        found = ordered.openings(self.n[None], self.y[None], self.rows, plan[self.rows] > 0)
        recommendations = self._recommendations(plan, found)
        if not recommendations:
            return self._without(self._no_change(found), plan, trial, found)
        advised = {r.source for r in recommendations}
        advice = replace(
            self._facts(trial, advised),
            plan=self._substitutions(plan, found),
            withheld=self._withheld(advised, found),
            recommendations=recommendations,
            order_violations=order_violations(plan, self.bins.mean, self.covered),
            distinct_phrases=_in_use(self.n @ plan),
        )
        return Derived(replace(advice, summary=self._summary(advice)), plan)

    def baselines(self) -> Baselines | None:
        """Words beside numbers on the halves on which the plan is tried; None with too few findings."""
        if self.total < self.fewest:
            return None
        n, y = halved(self.counts, self.positive, self.stream(HALVES), self.accuracy)
        ordered = OrderedSolver(self.bins, self.guards, self.progress, self.truth).plans
        as_published = replace(self.guards, allowed=np.ones_like(self.allowed), ranges=None)
        paper = make_solver(self.bins, as_published, self.settings.changed(solver="paper"), progress=self.progress)
        return words_or_numbers(n, y, self.bins, ordered, paper, self.settings.confidence)

    def _no_change(self, found: Openings) -> Text:
        """Why no word with enough uses is to be changed."""
        enough = [r for r in self.rates.values() if r.n >= self.settings.min_phrase_n]
        differing = {r.phrase for r in enough if r.verdict in ("stronger", "weaker")}
        return wording.no_change(enough, {w.reason for w in self._withheld(set(), found) if w.phrase in differing})

    def _summary(self, advice: Advice) -> Text:
        group = judging.judged_group(self.reliability, advice, self.phrases, self.settings.min_phrase_n)
        return said.of_group(group, own=False).whole

    def _without(
        self,
        reason: Text,
        plan: Array,
        trial: tuple[Judgement, Judgement] | None = None,
        found: Openings | None = None,
        *,
        closed: bool = False,
    ) -> Derived:
        """A result without advice.

        closed: none is given here whatever the numbers
        """
        advice = replace(
            self._facts(trial, set()),
            withheld=self._withheld(set(), found, reason),
            reason=reason,
            closed=closed,
            distinct_phrases=_in_use(self.n),
        )
        return Derived(replace(advice, summary=self._summary(advice)), plan)

    def _facts(self, trial: tuple[Judgement, Judgement] | None, advised: set[str]) -> Advice:
        """The fields that do not depend on whether advice is given."""
        train, test = trial or (None, None)
        return Advice(
            author=self.author,
            topic=self.topic,
            n=self.total,
            solver=self.settings.solver if self.target is None else "target use",
            phrases=self.bins.phrases,
            plan=(),
            withheld=(),
            agreeing=tuple(name for name in self._agreeing() if name not in advised),
            train=train,
            test=test,
            cost=cost_matrix(self.n, self.y, self.bins, self.progress),
        )

    def _agreeing(self) -> list[str]:
        """The phrases with enough uses whose rate is shown to agree with their meaning."""
        used = [p.name for k, p in enumerate(self.phrases) if self.covered[k]]
        return [name for name in used if self.rates[name].verdict == "matches"]

    def _substitutions(self, plan: Array, found: Openings) -> tuple[Substitution, ...]:
        names = self.bins.phrases
        return tuple(
            Substitution(
                names[k], names[w], float(plan[k, w]), float(self.n[k]), 1.0 if k == w else float(found.sure[0, i, w])
            )
            for i, k in enumerate(self.rows.tolist())
            for w in np.flatnonzero(plan[k])
        )

    def _recommendations(self, plan: Array, found: Openings) -> tuple[Recommendation, ...]:
        """The changes of the plan, each to the word that takes most of the cases; those with the largest gain first."""
        made: list[tuple[float, Recommendation]] = []
        others = np.where(self.guards.alike, 0.0, plan)
        uncertain = (self.positive > 0) & (self.positive < 1)
        for k in np.flatnonzero(others.any(axis=1)).tolist():
            w, i = int(others[k].argmax()), self._row(k)
            source, target, share, sure = (
                self.phrases[k],
                self.phrases[w],
                float(others[k, w]),
                float(found.sure[0, i, w]),
            )
            rate, hedged = self.rates[source.name], float(self.counts[k, uncertain].sum())
            transported = share if self.transported else None
            text = wording.recommendation(
                rate, source, target, self.topic, sure, hedged, transported, author=self.author
            )
            if topics := [r.topic for r in self.described if any(p.phrase == source.name for p in r.phrases if p.n)]:
                text = joined([text, wording.without(topics, self.rest[1][k] / self.rest[0][k], self.rest[0][k])])
            gain = float(self.n[k] * (found.loss[0, i, k] - plan[k] @ found.loss[0, i]))
            made.append((gain, Recommendation(source.name, target.name, share, sure, rate, text)))
        return tuple(r for _, r in sorted(made, key=lambda m: -m[0]))

    def _withheld(self, advised: set[str], found: Openings | None, reason: Text = EMPTY) -> tuple[Withheld, ...]:
        """The phrases used that neither agree nor are advised on, with the reason, or that of the whole group."""
        left = [k for k, p in enumerate(self.phrases) if self.n[k] > 0 and p.name not in advised]
        agreeing = set(self._agreeing())
        return tuple(
            Withheld(p.name, why)
            for k in left
            if (p := self.phrases[k]).name not in agreeing and (why := self._why_not(k, found) or reason)
        )

    def _row(self, k: int) -> int:
        """The place of phrase k among those with enough uses."""
        return int(np.searchsorted(self.rows, k))

    def _why_not(self, k: int, found: Openings | None) -> Text:
        """The guard that closed the last word to phrase k; '' where the group as a whole gets no advice."""
        if not self.covered[k]:
            return wording.too_few_uses(float(self.n[k]), self.settings.min_phrase_n)
        if (own := self.closed.get(self.phrases[k].name)) is not None:
            return wording.unverified(own)
        if found is None:
            return EMPTY
        if self.transported:
            return wording.kept_by_transport()
        left, i = np.ones(len(self.phrases), dtype=bool), self._row(k)
        for guard, passed in found.passed.items():
            still = left & passed[0, i]
            if not still.any():
                # Of the words that came so far, the one nearest to what CT showed.
                off = np.abs(self.rates[self.phrases[k].name].rate - self.bins.mean)
                best = int(np.where(left, off, np.inf).argmin())
                return wording.closed(guard, self.phrases[best], float(found.sure[0, i, best]), self.guards)
            left = still
        return wording.out_of_order()


def _in_use(use: Array) -> int:
    """Number of words used in at least half a statement."""
    return int((use >= 0.5).sum())
