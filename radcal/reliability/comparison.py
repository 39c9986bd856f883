"""Comparison of radiologists for quality assurance: differences beyond chance, and trends.

Nobody is ranked.  Where CT confirms everybody's words alike, people still differ by chance, the more so the less they
said; the funnel shows how much, each of them compared with all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.reliability.bands import FEWEST_HEDGES
from radcal.reliability.before_after import compared, first_half, hedged
from radcal.reliability.comparison_records import (
    HEDGES,
    Comparison,
    Funnel,
    Lacking,
    Member,
    Others,
    Period,
    Place,
    Trend,
)
from radcal.reliability.days import Unit, difference, following, given, starts
from radcal.reliability.funnel import LIMITS, Together, chance_limits, rate_dispersion, score_chance, score_limits
from radcal.reliability.pooling import Pooled, pool_means, pool_rates
from radcal.reliability.reliability import measure
from radcal.reliability.tables import build_tables
from radcal.system.errors import InputError
from radcal.system.estimates import Estimate
from radcal.system.intervals import jeffreys, normal_quantile
from radcal.system.progress import SILENT, Progress
from radcal.words.bins import bin_phrases
from radcal.words.phrases import agreeing_rates

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.reliability.records import Reliability, Tables
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]

_RATE_POINTS, _SCORE_POINTS = 160, 14
"""Points of a funnel's limits; those of scores are simulated one by one."""
_LEAST_ERROR = 1e-4
"""Standard error of a score whose resamples are all alike."""
_MOST_PERIODS = 80
"""More periods than this are listed only where something was said in them: dates may have been shifted by centuries."""
_NOTHING = Period(date.min, date.min, 0.0, reason="statements")


class Radiologists:
    """Radiologists on one pathology, compared by how often CT confirmed a phrase, or by the word error of all hedges.

    Args:
        observations: of one topic, at least one; columns author, topic, phrase, outcome and, for trends, xray_time.
        phrase: by its name; HEDGES for the word error of everything hedged.
        phrases: the lexicon.
        settings: bins, resamples, least numbers of statements, confidence and seed.
        progress: asked whether to stop.

    Raises:
        InputError: the phrase is in no list.
    """

    def __init__(
        self,
        observations: pd.DataFrame,
        phrase: str,
        phrases: Sequence[Phrase],
        settings: Settings,
        progress: Progress = SILENT,
    ) -> None:
        self._observations, self._phrases = observations, tuple(phrases)
        self._settings, self._progress = settings, progress
        self._topic = str(observations["topic"].iloc[0])
        self._phrase = next((p for p in phrases if p.name == phrase), None)
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
        tables = build_tables(self._observations[["author", "topic", "phrase", "outcome"]], self._phrases)
        self._progress.raise_if_cancelled()
        made = self._by_score(tables) if self._phrase is None else self._by_rate(tables, self._phrase)
        said = tables.counts.sum(axis=(0, 2))
        members = [replace(m, alias=aliases.get(m.name, m.name)) for m in made.members if m.n > 0]
        return replace(
            made,
            members=tuple(sorted(members, key=lambda m: m.alias.casefold())),
            confidence=self._settings.confidence,
            fewest=self._fewest,
            words=tuple((p.name, float(n)) for p, n in zip(self._phrases, said, strict=True) if n > 0),
        )

    def _by_rate(self, tables: Tables, phrase: Phrase) -> Comparison:
        names, n, y, low, high = self._rates(tables, phrase)
        members = tuple(
            Member(name, "", *values)
            for name, *values in zip(names, *(x.tolist() for x in (n, y, y / n, low, high)), strict=True)
        )
        meaning = agreeing_rates(phrase)
        made = Comparison(self._topic, phrase.name, members, (), meaning=meaning, reason="radiologists")
        if len(members) < 2:
            return made
        rest_n, rest_y = n.sum() - n, y.sum() - y
        rest_low, rest_high = jeffreys(rest_y, rest_n, self._settings.confidence)
        others = map(Others, *(x.tolist() for x in (rest_n, rest_y / rest_n, rest_low, rest_high)))
        made = replace(made, members=tuple(replace(m, others=o) for m, o in zip(members, others, strict=True)))
        funnel, places = rate_funnel(y, n, self._settings.seed)
        return _with_pooled(made, pool_rates(y, n, self._settings.confidence), funnel, dict(enumerate(places)))

    def _rates(self, tables: Tables, phrase: Phrase) -> tuple[list[str], Array, Array, Array, Array]:
        """For groups that used the phrase: names, said, confirmed, and interval limits."""
        cells = tables.counts[:, tables.phrases.index(phrase.name)]
        n, y = cells.sum(axis=1), cells @ tables.positive
        used = n > 0
        names = [name for (name, _), use in zip(tables.groups, used, strict=True) if use]
        return names, n[used], y[used], *jeffreys(y[used], n[used], self._settings.confidence)

    def _by_score(self, tables: Tables) -> Comparison:
        settings = self._settings
        n, scores = _hedged(tables, self._phrases), _scores(tables, self._phrases, settings, self._progress)
        members = [
            Member(name, "", s.n, None, s.value, s.low, s.high, luck=s.luck, luck_high=s.luck_high, reason=s.reason)
            for name, s in scores.items()
        ]
        made = Comparison(self._topic, HEDGES, tuple(members), (), reason="radiologists")
        used = [i for i, m in enumerate(members) if m.value is not None]
        if len(used) < 2:
            return made
        value = np.array([members[i].value for i in used], dtype=np.float64)
        half = np.array([_half_width(scores[members[i].name]) for i in used])
        error = np.maximum(half / normal_quantile(settings.confidence), _LEAST_ERROR)
        pooled = pool_means(value, error, settings.confidence, least=0.0)
        self._progress.raise_if_cancelled()
        said = n.sum(axis=0)
        confirmed = np.where(said > 0, (tables.counts @ tables.positive).sum(axis=0), 0.0)
        together = Together.of(said, confirmed, bin_phrases(self._phrases, settings.n_bins, settings.method))
        funnel, beyond, places = _score_funnel(value, n[used], together, settings.seed, self._progress)
        for i, own in zip(used, beyond, strict=True):
            members[i] = replace(members[i], beyond=own)
        made = replace(made, members=tuple(members))
        return _with_pooled(made, pooled, funnel, dict(zip(used, places, strict=True)))

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
        tables = build_tables(observations[["topic", "phrase", "outcome"]].assign(author=group), self._phrases)
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


def rate_funnel(y: Array, n: Array, seed: int) -> tuple[Funnel, list[Place]]:
    """Exact limits around the overall rate, and each radiologist's position by the limits at their own n."""
    together, total = float(y.sum()), float(n.sum())
    inner, outer = (chance_limits(together, total, n, coverage) for coverage in LIMITS)
    places = [_place(*ends) for ends in zip(y / n, *inner, *outer, strict=True)]
    reached = np.rint(np.geomspace(1, min(max(float(n.max()) * 1.1, 2.0), total), _RATE_POINTS))
    # The radiologists' own n among them: who is inside by the exact limits is drawn inside.
    at = np.unique(np.concatenate([reached, np.rint(n)]))
    low_95, high_95 = chance_limits(together, total, at, LIMITS[0])
    low_998, high_998 = chance_limits(together, total, at, LIMITS[1])
    dispersion = rate_dispersion(y, n, np.random.default_rng(seed))
    outside = sum(place != "inside" for place in places)
    return Funnel(
        at, np.full(len(at), together / total), low_95, high_95, low_998, high_998,
        outside, len(n), (1 - LIMITS[0]) * len(n), dispersion.phi, dispersion.p_value,
    ), places  # fmt: skip


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


def _score_funnel(
    value: Array, n: Array, together: Together, seed: int, progress: Progress
) -> tuple[Funnel, list[float], list[Place]]:
    """Limits, each radiologist's excess over the mean for the same words, and its position.

    value (A,), n (A, K): of the radiologists with enough data;  together: of all.
    """
    rng = np.random.default_rng(seed)
    beyond = []
    for own, said in zip(value.tolist(), n, strict=True):
        progress.raise_if_cancelled()
        beyond.append(own - score_chance(said, together, rng))
    total = n.sum(axis=1)
    least, most = max(5.0, float(total.min()) * 0.8), max(float(total.max()) * 1.1, 12.0)
    at = np.unique(np.rint(np.geomspace(least, most, _SCORE_POINTS)).clip(max=together.said.sum()))
    limits = score_limits(together, at, rng)
    (low_95, low_998), (high_95, high_998) = limits.low, limits.high
    ends = (np.interp(total, at, y) for y in (low_95, high_95, low_998, high_998))
    places = [_place(*row) for row in zip(beyond, *ends, strict=True)]
    outside = sum(place != "inside" for place in places)
    funnel = Funnel(
        at, np.zeros(len(at)), low_95, high_95, low_998, high_998, outside, len(value), (1 - LIMITS[0]) * len(value)
    )
    return funnel, beyond, places


def _place(value: float, low_95: float, high_95: float, low_998: float, high_998: float) -> Place:
    if low_95 <= value <= high_95:
        return "inside"
    return "between" if low_998 <= value <= high_998 else "outside"


def _with_pooled(made: Comparison, pooled: Pooled, funnel: Funnel, places: Mapping[int, Place]) -> Comparison:
    """The record with the pooled values of the radiologists in ``places``, by their positions among the members."""
    members = list(made.members)
    for j, (i, place) in enumerate(places.items()):
        members[i] = replace(
            members[i],
            pooled=float(pooled.value[j]),
            pooled_low=float(pooled.low[j]),
            pooled_high=float(pooled.high[j]),
            place=place,
        )
    ends = ("mean", "mean_low", "mean_high", "spread_low", "spread_high", "alike")
    values = {name: getattr(pooled, name) for name in ends}
    return replace(made, members=tuple(members), funnel=funnel, reason="", **values)


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


def _half_width(score: Period) -> float:
    """z standard deviations of a word error, from its interval [error - luck - z s, error - b / 2 + z s], b its bias.

    Where the lower end was drawn up to 0, at least so much.
    """
    value, low, high = score.value or 0.0, score.low or 0.0, score.high or 0.0
    return max(high - value, value - (score.luck or 0.0) - low)
