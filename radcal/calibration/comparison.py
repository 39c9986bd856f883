"""Comparison of radiologists for quality assurance: differences beyond chance, and trends.

Nobody is ranked.  Where CT confirms everybody's words alike, people still differ by chance, the more so the less they
said.  Who lies apart from all others follows from the department's model alone (:mod:`radcal.calibration.pooled`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.calibration.bands import FEWEST_HEDGES
from radcal.calibration.before_after import compared, first_half, hedged
from radcal.calibration.comparison_records import (
    HEDGES,
    Comparison,
    Lacking,
    LyingApart,
    Member,
    Others,
    Period,
    Trend,
)
from radcal.calibration.days import Unit, difference, following, given, starts
from radcal.calibration.evidence import Evidence, evidence_of
from radcal.calibration.model import posterior
from radcal.calibration.pooled import of_one_whole, others_of, parts_of
from radcal.calibration.records import SURE
from radcal.calibration.reliability import measure, spread_of
from radcal.calibration.repeats import design_effects, told_share
from radcal.calibration.tables import build_tables
from radcal.calibration.verified import with_verification
from radcal.system.errors import InputError
from radcal.system.estimates import Estimate
from radcal.system.intervals import jeffreys, tails
from radcal.system.progress import SILENT, Progress
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.calibration.model import Posterior
    from radcal.calibration.records import Part, Reliability, Tables
    from radcal.calibration.stored_analysis import Basis
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]

_RATES = np.linspace(0, 1, 2001)
_MOST_PERIODS = 80
"""More periods than this are listed only where something was said in them: dates may have been shifted by centuries."""
_NOTHING = Period(date.min, date.min, 0.0, reason="statements")


class Radiologists:
    """Radiologists on one pathology, compared by how often CT confirmed a phrase, or by the word error of all hedges.

    Args:
        observations: of one topic, at least one; columns author, topic, phrase, outcome and, for trends, xray_time.
        phrase: by its name; HEDGES for the word error of everything hedged.
        basis: words, settings and what is known of the department; without a spread it is learned from these
            observations.
        progress: asked whether to stop.

    Raises:
        InputError: the phrase is in no list.
    """

    def __init__(self, observations: pd.DataFrame, phrase: str, basis: Basis, progress: Progress = SILENT) -> None:
        self._observations, self._basis, self._progress = observations, basis, progress
        self._phrases, self._settings = basis.phrases, basis.settings
        self._topic = str(observations["topic"].iloc[0])
        self._phrase = next((p for p in basis.phrases if p.name == phrase), None)
        if self._phrase is None and phrase != HEDGES:
            raise InputError(
                "{phrase!r} is in no list of phrases. Choose another phrase.",
                phrase=phrase,
            )

    @property
    def _fewest(self) -> int:
        return self._settings.min_phrase_n if self._phrase else _fewest_hedges(self._settings)

    # --- beside each other

    def compare(self, aliases: Mapping[str, str]) -> Comparison:
        """All radiologists, in the order of their pseudonyms.

        Args:
            aliases: pseudonyms, by author.

        Raises:
            Cancelled: by ``progress``.
        """
        settings, progress = self._settings, self._progress
        basis = self._basis
        tables = build_tables(self._observations, self._phrases, mixes=basis.mixes, errors=basis.errors)
        progress.raise_if_cancelled()
        spread = basis.spread or spread_of(tables, self._phrases, settings, progress)
        results = measure(tables, self._phrases, settings, progress, spread=spread)
        results = with_verification(results, basis.verification, settings)
        everything = evidence_of(tables, settings)
        mean = np.array([mean_of(p) for p in self._phrases])
        truth = posterior(everything, mean, tables.phrases, spread, tables.groups, used=True)
        wanted = (mean > 0) & (mean < 1) if self._phrase is None else np.array(tables.phrases) == self._phrase.name
        own = everything.words(wanted)
        words = [name for name, its in zip(tables.phrases, wanted, strict=True) if its]
        names, beside = [a for a, _ in tables.groups], of_one_whole(words, own, spread)
        parts = {part.name: part for part in parts_of(names, words, own, beside, settings.min_phrase_n)}
        made = self._by_rate(results, own, _only(truth, wanted)) if self._phrase else self._by_score(results, tables)
        members = [
            replace(m, alias=aliases.get(m.name, m.name), part=part if part.probability else None)
            for m in made.members
            if (part := parts[m.name]).n
        ]
        said = tables.counts.sum(axis=(0, 2))
        return replace(
            made,
            members=tuple(sorted(members, key=lambda m: m.alias.casefold())),
            confidence=settings.confidence,
            fewest=self._fewest,
            words=tuple((p.name, float(n)) for p, n in zip(self._phrases, said, strict=True) if n > 0),
            reason="radiologists" if sum(m.value is not None for m in members) < 2 else "",
        )

    def _by_rate(self, results: Sequence[Reliability], own: Evidence, truth: Posterior) -> Comparison:
        """Of the one phrase: its evidence and the posterior of its rates."""
        assert self._phrase is not None  # noqa: S101  # the caller has looked
        confidence, phrase = self._settings.confidence, self._phrase.name
        rates = [next((p for p in r.phrases if p.phrase == phrase), None) for r in results]
        rest = _interval(others_of(own), confidence)
        members = tuple(
            Member(r.author, "", p.n, p.positives, p.rate, p.low, p.high, others=Others(*rest[g]))
            for g, (r, p) in enumerate(zip(results, rates, strict=True))
            if p is not None
        )
        made = Comparison(self._topic, phrase, members, (), meaning=(self._phrase.low, self._phrase.high))
        if len(members) < 2:
            return replace(made, members=tuple(replace(m, others=None) for m in members))
        n, y, told = (x.sum(axis=0, keepdims=True) for x in (own.n, own.y, own.told))
        ((_, *together),) = _interval(Evidence(n, y, told / n), confidence)
        return replace(made, together=Estimate(*together), spread=_spread(own, truth, confidence))

    def _by_score(self, results: Sequence[Reliability], tables: Tables) -> Comparison:
        hedges = _hedged(tables, self._phrases).sum(axis=1).tolist()
        members = []
        for r, n in zip(results, hedges, strict=True):
            s = _score(r, n, self._settings)
            values = (s.n, None, s.value, s.low, s.high, s.luck, s.luck_high)
            members.append(Member(r.author, "", *values, differs=r.differs, reason=s.reason))
        return Comparison(self._topic, HEDGES, tuple(members), ())

    def _rates(self, tables: Tables, phrase: Phrase) -> tuple[list[str], Array, Array, Array, Array]:
        """For groups that used the phrase: names, said, confirmed, and interval limits."""
        k = tables.phrases.index(phrase.name)
        cells, effects = tables.counts[:, k], design_effects(tables)[:, k]
        n, y = cells.sum(axis=1), cells @ tables.positive
        used = n > 0
        names = [name for (name, _), use in zip(tables.groups, used, strict=True) if use]
        n, y, confidence = n[used], y[used], self._settings.confidence
        told = told_share(n, effects[used], confidence)
        return names, n, y, *jeffreys(y * told, n * told, confidence)

    # --- over time

    def trend(self, author: str, unit: Unit, dates: Mapping[str, date | None]) -> Trend:
        """By month or quarter, and before and after feedback.

        Args:
            author: '' for all radiologists together.
            unit: how long a period is.
            dates: when feedback was given, by author; under '' to all others, None to an author who was given none.

        Raises:
            Cancelled: by ``progress``.
        """
        observations, settings = self._observations, self._settings
        if author:
            observations = observations[observations["author"] == author]
        dated = observations[observations["xray_time"].notna()]
        made = Trend(
            self._topic,
            self._phrase.name if self._phrase else HEDGES,
            author,
            unit,
            (),
            given=dates.get(author, dates.get("")),
            undated=len(observations) - len(dated),
            confidence=settings.confidence,
            fewest=self._fewest,
        )
        if dated.empty:
            return replace(made, reason="times")
        by_start = self._values(dated, starts(dated["xray_time"], unit).astype(str))
        made = replace(made, periods=_periods(by_start, unit))
        self._progress.raise_if_cancelled()
        known, cuts = given(dated, dates)
        if known.empty:
            return replace(made, reason="date")
        times = known["xray_time"]
        early = (times < cuts).to_numpy()
        halves = self._values(known, np.where(early, "before", "after"))
        turn_first, turn_last = cuts.min().date(), cuts.max().date()
        before = replace(halves.get("before", _NOTHING), start=min(times.min().date(), turn_first), end=turn_last)
        after = replace(halves.get("after", _NOTHING), start=turn_first, end=max(times.max().date(), turn_last))
        made = replace(made, before=before, after=after)
        ends = tuple(_estimate(period, self._fewest) for period in (before, after))
        if ends[0] is None or ends[1] is None:
            return replace(made, reason="before" if ends[0] is None else "after")
        if self._phrase is not None:
            return replace(made, change=difference(ends[0], ends[1]))
        said = known[early]
        half = first_half(said, settings.seed)
        first, second, last = (hedged(part, self._phrases) for part in (said[half], said[~half], known[~early]))
        distances = compared(first, second, last, settings)
        return replace(made, distances=distances, change=distances.change, reason="" if distances.change else "before")

    def _values(self, observations: pd.DataFrame, group: NDArray[Any]) -> dict[str, Period]:
        """The value of each group of statements by the group's name; the caller fills in the days."""
        tables = build_tables(observations.assign(author=group), self._phrases)
        if self._phrase is None:
            return _scores(tables, self._phrases, self._settings, self._progress)
        names, n, y, low, high = self._rates(tables, self._phrase)
        rows = zip(names, *(x.tolist() for x in (n, y / n, low, high)), strict=True)
        return {name: Period(date.min, date.min, *values) for name, *values in rows}


def _fewest_hedges(settings: Settings) -> int:
    """Hedged statements that a word error needs."""
    return max(settings.min_phrase_n, FEWEST_HEDGES)


def _hedged(tables: Tables, phrases: Sequence[Phrase]) -> Array:
    """(Q, K), use count of each hedge by group; 0 for plain statements."""
    counts: Array = tables.counts.sum(axis=2) * np.array([p.alpha > 0 and p.beta > 0 for p in phrases])
    return counts


def _scores(tables: Tables, phrases: Sequence[Phrase], settings: Settings, progress: Progress) -> dict[str, Period]:
    """Word error of each group by its author, all days, or why there is none."""
    results = measure(tables, phrases, settings, progress)
    hedges = _hedged(tables, phrases).sum(axis=1).tolist()
    return {r.author: _score(r, n, settings) for r, n in zip(results, hedges, strict=True)}


def _score(r: Reliability, hedges: float, settings: Settings) -> Period:
    """Word error of a group with its interval, all days; or why there is none."""
    reason: Lacking = ""
    if r.n < settings.min_group_n:
        reason = "statements"
    elif hedges < _fewest_hedges(settings) or r.word_error is None:
        reason = "hedges"
    elif r.word_error_low is None or r.word_error_high is None:
        reason = "interval"
    if reason:
        return replace(_NOTHING, n=hedges, reason=reason)
    ends = (r.word_error_low, r.word_error_high)
    luck, most = r.luck_word_mean, r.luck_word_p95
    return Period(date.min, date.min, hedges, r.word_error, *ends, luck=luck, luck_high=most)


def _interval(evidence: Evidence, confidence: float) -> list[tuple[float, float, float, float]]:
    """n, rate and its Jeffreys interval at the effective number of findings, for evidence (G, 1) of one word."""
    n, y, told = evidence.n[:, 0], evidence.y[:, 0], evidence.told[:, 0]
    rate = np.divide(y, n, out=np.full_like(n, np.nan), where=n > 0)
    low, high = jeffreys(np.nan_to_num(rate) * told, told, confidence)
    return [*zip(*(x.tolist() for x in (n, rate, low, high)), strict=True)]


def _only(truth: Posterior, wanted: NDArray[np.bool_]) -> Posterior:
    """The posterior of these words (K,)."""
    return replace(truth, mean=truth.mean[:, wanted], variance=truth.variance[:, wanted], place=truth.place[:, wanted])


def _spread(own: Evidence, truth: Posterior, confidence: float) -> tuple[float, float]:
    """Ends of the range that holds the true rate of one of these radiologists, drawn by lot, with this coverage."""
    users = np.flatnonzero(own.n[:, 0])
    below = 1 - truth.above(_RATES, users[:, None], np.zeros((1, 1), dtype=np.intp)).mean(axis=0)
    low, high = np.interp(tails(confidence), below, _RATES).tolist()
    return low, high


def _told_once(parts: Sequence[Part]) -> list[Part]:
    """Without those of which the others are one part that differs by the same word, and has fewer findings of it."""
    both = {(part.phrase, part.said, part.others_said) for part in parts if part.differs}
    return [p for p in parts if p.said <= p.others_said or (p.phrase, p.others_said, p.said) not in both]


def lying_apart(
    reliabilities: Sequence[Reliability], pooled: Sequence[Reliability], aliases: Mapping[str, str]
) -> tuple[LyingApart, ...]:
    """The words of a department that lie apart: outside what readers take them to mean, or from all other radiologists.

    Each has a probability of SURE or more, so that at most 5 % of all are expected to be false.  Of two who lie apart
    from each other alone, the one with fewer findings is named.

    Args:
        reliabilities: of single groups;  pooled: of all authors of each topic, with their parts.
        aliases: pseudonyms, by author.

    Returns:
        The surest first.
    """
    rates = {(r.author, r.topic, p.phrase): p for r in reliabilities for p in r.phrases}
    found = [
        LyingApart(author, aliases.get(author, author), topic, p, p.probability)
        for (author, topic, _), p in rates.items()
        if p.verdict in ("stronger", "weaker") and p.probability >= SURE
    ]
    found += [
        LyingApart(part.name, aliases.get(part.name, part.name), r.topic, p, part.probability, part)
        for r in pooled
        for part in _told_once(r.parts)
        if part.differs and (p := rates.get((part.name, r.topic, part.phrase))) is not None
    ]
    return tuple(sorted(found, key=lambda row: (-row.probability, row.alias.casefold(), row.topic, row.rate.phrase)))


def _periods(by_start: Mapping[str, Period], unit: Unit) -> tuple[Period, ...]:
    """The periods in order, including empty ones."""
    found = {date.fromisoformat(day): value for day, value in by_start.items()}
    days = sorted(found)
    every = days[:1]
    while every and every[-1] < days[-1] and len(every) <= _MOST_PERIODS:
        every.append(following(every[-1], unit))
    if len(every) > _MOST_PERIODS:
        every = days
    return tuple(replace(found.get(day, _NOTHING), start=day, end=following(day, unit)) for day in every)


def _estimate(period: Period, fewest: int) -> Estimate | None:
    """The value with its interval; None with too few statements."""
    value, low, high = period.value, period.low, period.high
    if period.n < fewest or value is None or low is None or high is None:
        return None
    return Estimate(value, low, high)
