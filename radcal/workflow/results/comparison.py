"""Radiologists beside each other, for quality assurance: what differs by more than chance, and over time.

Nobody is ranked.  Where CT confirms everybody's words alike, people still differ by chance, the more so the less they
said; the funnel shows how much, each of them compared with all others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.errors import DataError, InputError, NothingSaid
from radcal.progress import SILENT, Progress
from radcal.records import ALL_DAYS
from radcal.records.comparison import HEDGES, Compared, Funnel, Lacking, Member, Others, Period, Place, Trend, Unit
from radcal.workflow.results.days import within

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.calibrate.funnel import Together
    from radcal.calibrate.pooling import Pooled
    from radcal.records import Days, Phrase, Reliability, Tables
    from radcal.settings import Settings
    from radcal.workflow.department import Department
    from radcal.workspace import Workspace

    Array = NDArray[np.float64]

_GIVEN = "feedback given"
_MOST_PERIODS = 80
"""More periods than this are listed only where something was said in them: dates may have been shifted by centuries."""
_RATE_POINTS, _SCORE_POINTS = 160, 14
"""Points of a funnel's limits; those of scores are simulated one by one."""
_LEAST_ERROR = 1e-4
"""Standard error of a score whose resamples are all alike."""


class Comparison:
    """Comparisons of a department; every method may take a second and belongs in a worker."""

    def __init__(self, department: Department, workspace: Workspace) -> None:
        self._department = department
        self._workspace = workspace

    # --- beside each other

    def compare(
        self,
        topic: str,
        phrase: str = HEDGES,
        days: Days = ALL_DAYS,
        progress: Progress = SILENT,
    ) -> Compared:
        """All radiologists on a pathology, in the order of their pseudonyms.

        Args:
            topic: the pathology.
            phrase: compared by its confirmed rate; HEDGES compares ECE* of everything hedged.
            days: of the X-rays.

        Raises:
            DataError: there is no analysis yet; NothingSaid where nothing was said about the pathology in these days.
            InputError: the phrase is in no list.
        """
        from radcal.calibrate import build_tables

        progress.start(None, "Comparing radiologists")
        chosen = self._chosen(topic, days)
        settings, phrases = self._department.settings, self._department.phrases()
        tables = build_tables(chosen[["author", "topic", "phrase", "outcome"]], phrases)
        progress.raise_if_cancelled()
        if phrase == HEDGES:
            made = _by_score(topic, tables, phrases, settings, progress)
        else:
            made = _by_rate(topic, _known(phrase, phrases), tables, settings)
        said = tables.counts.sum(axis=(0, 2))
        aliases = self._department.pseudonyms()
        members = [replace(m, alias=aliases.get(m.name, m.name)) for m in made.members if m.n > 0]
        return replace(
            made,
            members=tuple(sorted(members, key=lambda m: m.alias.casefold())),
            confidence=settings.confidence,
            words=tuple((p.name, float(n)) for p, n in zip(phrases, said, strict=True) if n > 0),
        )

    # --- over time

    def trend(
        self,
        topic: str,
        phrase: str = HEDGES,
        author: str = "",
        unit: Unit = "quarter",
        days: Days = ALL_DAYS,
        progress: Progress = SILENT,
    ) -> Trend:
        """A phrase's rate, or ECE* of everything hedged, by month or quarter, and before and after feedback.

        Args:
            topic, phrase, days: as in ``compare``.
            author: '' for all radiologists together.
            unit: how long a period is.

        Raises:
            DataError, InputError: as in ``compare``.
        """
        from radcal.calibrate.trend import difference, starts

        progress.start(None, "Looking at how it changed")
        chosen = self._chosen(topic, days)
        if author:
            chosen = chosen[chosen["author"] == author]
        dated = chosen[chosen["xray_time"].notna()]
        dates = self.feedback_dates()
        made = Trend(
            topic,
            phrase,
            author,
            unit,
            (),
            given=dates.get(author, dates.get("")),
            undated=len(chosen) - len(dated),
            confidence=self._department.settings.confidence,
        )
        if dated.empty:
            return replace(made, reason="times")
        by_start = self._values(dated, starts(dated["xray_time"], unit).astype(str), phrase, progress)
        made = replace(made, periods=_periods(by_start, unit))
        progress.raise_if_cancelled()
        cut = dated["author"].map({a: dates.get(a, dates.get("")) for a in dated["author"].unique()})
        known = cut.notna()
        if not known.any():
            return replace(made, reason="date")
        times, cuts = dated.loc[known, "xray_time"], cut[known].astype("datetime64[ns]")
        halves = self._values(dated[known], np.where(times < cuts, "before", "after"), phrase, progress)
        turn_first, turn_last = cuts.min().date(), cuts.max().date()
        before = replace(halves.get("before", _NOTHING), start=min(times.min().date(), turn_first), end=turn_last)
        after = replace(halves.get("after", _NOTHING), start=turn_first, end=max(times.max().date(), turn_last))
        fewest = self._department.settings.min_phrase_n
        reason: Lacking = "before" if _too_few(before, fewest) else "after" if _too_few(after, fewest) else ""
        change = None if reason else difference(_beyond_luck(before), _beyond_luck(after))
        return replace(made, before=before, after=after, change=change, reason=reason)

    def _values(
        self, observations: pd.DataFrame, group: NDArray[Any], phrase: str, progress: Progress
    ) -> dict[str, Period]:
        """The value of each group of statements by the group's name; the caller fills in the days."""
        from radcal.calibrate import build_tables, measure
        from radcal.calibrate.intervals import jeffreys

        settings, phrases = self._department.settings, self._department.phrases()
        tables = build_tables(observations[["topic", "phrase", "outcome"]].assign(author=group), phrases)
        names = [name for name, _ in tables.groups]
        if phrase == HEDGES:
            results = measure(tables, phrases, settings, progress)
            total = _hedged(tables, phrases).sum(axis=1)
            return {
                name: _score(r, float(n), settings) for name, r, n in zip(names, results, total.tolist(), strict=True)
            }
        k = tables.phrases.index(_known(phrase, phrases).name)
        n, y = tables.counts[:, k].sum(axis=1), tables.counts[:, k] @ tables.positive
        low, high = jeffreys(y, n, settings.confidence)
        return {
            name: replace(
                _NOTHING, n=float(n[i]), value=float(y[i] / n[i]), low=float(low[i]), high=float(high[i]), reason=""
            )
            for i, name in enumerate(names)
            if n[i]
        }

    # --- when feedback was given

    def feedback_dates(self) -> dict[str, date | None]:
        """When feedback was given: by author, and under '' to all others; None to an author who was given none."""
        stored = json.loads(self._workspace.get_meta(_GIVEN) or "{}")
        return {author: day and date.fromisoformat(day) for author, day in stored.items()}

    def set_feedback_dates(self, dates: Mapping[str, date | None]) -> None:
        """Keep when feedback was given, in place of what was kept before.

        Raises:
            NoAccess: the workspace is open to read only.
        """
        self._workspace.set_meta(_GIVEN, json.dumps({a: d and d.isoformat() for a, d in sorted(dates.items())}))

    def _chosen(self, topic: str, days: Days) -> pd.DataFrame:
        observations = self._department.observations()
        chosen = observations[(observations["topic"] == topic) & within(observations["xray_time"], days)]
        if chosen.empty:
            raise NothingSaid(
                "Nothing was said about {topic} in these days. Choose other days or another pathology.", topic=topic
            )
        return chosen


_NOTHING = Period(date.min, date.min, 0.0, reason="statements")


def _known(phrase: str, phrases: Sequence[Phrase]) -> Phrase:
    found = next((p for p in phrases if p.name == phrase), None)
    if found is None:
        raise InputError("{phrase!r} is in no list of phrases. Choose another phrase.", phrase=phrase)
    return found


def _hedged(tables: Tables, phrases: Sequence[Phrase]) -> Array:
    """(Q, K), how often each group used each hedge; 0 for plain statements."""
    counts: Array = tables.counts.sum(axis=2) * np.array([p.alpha > 0 and p.beta > 0 for p in phrases])
    return counts


# --- rates of a phrase


def _by_rate(topic: str, phrase: Phrase, tables: Tables, settings: Settings) -> Compared:
    from radcal.calibrate.intervals import jeffreys
    from radcal.calibrate.pooling import pool_rates

    cells = tables.counts[:, tables.phrases.index(phrase.name)]
    used = cells.sum(axis=1) > 0
    n, y = cells[used].sum(axis=1), cells[used] @ tables.positive
    low, high = jeffreys(y, n, settings.confidence)
    members = [
        Member(name, "", float(n[i]), float(y[i]), float(y[i] / n[i]), float(low[i]), float(high[i]))
        for i, name in enumerate(name for (name, _), use in zip(tables.groups, used, strict=True) if use)
    ]
    made = Compared(topic, phrase.name, tuple(members), (), meaning=(phrase.low, phrase.high), reason="radiologists")
    if len(members) < 2:
        return made
    rest_n, rest_y = n.sum() - n, y.sum() - y
    rest_low, rest_high = jeffreys(rest_y, rest_n, settings.confidence)
    others = map(Others, *(x.tolist() for x in (rest_n, rest_y / rest_n, rest_low, rest_high)))
    made = replace(made, members=tuple(replace(m, others=o) for m, o in zip(members, others, strict=True)))
    funnel, places = _rate_funnel(y, n, settings.seed)
    return _with_pooled(made, pool_rates(y, n, settings.confidence), funnel, dict(enumerate(places)))


def _rate_funnel(y: Array, n: Array, seed: int) -> tuple[Funnel, list[Place]]:
    """Exact limits around the rate of all, and where each radiologist lies: judged by the limits at their own n."""
    from radcal.calibrate.funnel import LIMITS, chance_limits, rate_dispersion

    together, total = float(y.sum()), float(n.sum())
    inner, outer = (chance_limits(together, total, n, coverage) for coverage in LIMITS)
    places = [_place(*ends) for ends in zip(y / n, *inner, *outer, strict=True)]
    at = np.unique(np.rint(np.geomspace(1, min(max(float(n.max()) * 1.1, 2.0), total), _RATE_POINTS)))
    low_95, high_95 = chance_limits(together, total, at, LIMITS[0])
    low_998, high_998 = chance_limits(together, total, at, LIMITS[1])
    dispersion = rate_dispersion(y, n, np.random.default_rng(seed))
    outside = sum(place != "inside" for place in places)
    return Funnel(
        at, np.full(len(at), together / total), low_95, high_95, low_998, high_998,
        outside, len(n), (1 - LIMITS[0]) * len(n), dispersion.phi, dispersion.p_value,
    ), places  # fmt: skip


# --- ECE* of everything hedged


def _by_score(
    topic: str, tables: Tables, phrases: Sequence[Phrase], settings: Settings, progress: Progress
) -> Compared:
    from radcal.calibrate import measure
    from radcal.calibrate.funnel import Together
    from radcal.calibrate.pooling import pool_means
    from radcal.lexicon.bins import bin_phrases

    results = measure(tables, phrases, settings, progress)
    n = _hedged(tables, phrases)
    total = n.sum(axis=1)
    scores = [_score(r, float(t), settings) for r, t in zip(results, total.tolist(), strict=True)]
    members = [
        Member(r.author, "", s.n, None, s.value, s.low, s.high, luck=s.luck, reason=s.reason)
        for r, s in zip(results, scores, strict=True)
    ]
    made = Compared(topic, HEDGES, tuple(members), (), reason="radiologists")
    used = [i for i, s in enumerate(scores) if s.value is not None]
    if len(used) < 2:
        return made
    value = np.array([scores[i].value for i in used], dtype=np.float64)
    low, high = (np.array([getattr(scores[i], end) for i in used], dtype=np.float64) for end in ("low", "high"))
    error = np.maximum((high - low) / (2 * _deviations(settings.confidence)), _LEAST_ERROR)
    pooled = pool_means(value, error, settings.confidence, least=0.0)
    progress.raise_if_cancelled()
    hedged = n.sum(axis=0)
    confirmed = np.where(hedged > 0, (tables.counts @ tables.positive).sum(axis=0), 0.0)
    together = Together.of(hedged, confirmed, bin_phrases(phrases, settings.n_bins, settings.method))
    funnel, beyond, places = _score_funnel(value, n[used], together, settings.seed, progress)
    for i, own in zip(used, beyond, strict=True):
        members[i] = replace(members[i], beyond=own)
    made = replace(made, members=tuple(members))
    return _with_pooled(made, pooled, funnel, dict(zip(used, places, strict=True)))


def _score(r: Reliability, hedges: float, settings: Settings) -> Period:
    """ECE* of a group with its interval, without days; or why there is none."""
    reason: Lacking = ""
    if r.n < settings.min_group_n:
        reason = "statements"
    elif hedges < settings.min_phrase_n or r.ece_star is None:
        reason = "hedges"
    elif r.ece_star_low is None or r.ece_star_high is None:
        reason = "interval"
    if reason:
        return replace(_NOTHING, n=hedges, reason=reason)
    return Period(date.min, date.min, hedges, r.ece_star, r.ece_star_low, r.ece_star_high, luck=r.luck_star_mean)


def _score_funnel(
    value: Array, n: Array, together: Together, seed: int, progress: Progress
) -> tuple[Funnel, list[float], list[Place]]:
    """Limits, what each radiologist has beyond what the same words come to in the department, and where that lies.

    value (A,), n (A, K): of the radiologists with enough data;  together: of all.
    """
    from radcal.calibrate.funnel import LIMITS, score_chance, score_limits

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


def _deviations(confidence: float) -> float:
    """Half the width of a normal interval, in standard deviations."""
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2))


# --- both


def _place(value: float, low_95: float, high_95: float, low_998: float, high_998: float) -> Place:
    if low_95 <= value <= high_95:
        return "inside"
    return "between" if low_998 <= value <= high_998 else "outside"


def _with_pooled(made: Compared, pooled: Pooled, funnel: Funnel, places: Mapping[int, Place]) -> Compared:
    """The record with what the radiologists in ``places`` come to together; keys are positions among the members."""
    members = list(made.members)
    for j, (i, place) in enumerate(places.items()):
        members[i] = replace(
            members[i],
            pooled=float(pooled.value[j]),
            pooled_low=float(pooled.low[j]),
            pooled_high=float(pooled.high[j]),
            place=place,
        )
    return replace(
        made,
        members=tuple(members),
        mean=pooled.mean,
        mean_low=pooled.mean_low,
        mean_high=pooled.mean_high,
        spread_low=pooled.spread_low,
        spread_high=pooled.spread_high,
        alike=pooled.alike,
        funnel=funnel,
        reason="",
    )


def _periods(by_start: Mapping[str, Period], unit: Unit) -> tuple[Period, ...]:
    """The periods in order, empty ones between them included."""
    from radcal.calibrate.trend import following

    found = {date.fromisoformat(day): value for day, value in by_start.items()}
    days = sorted(found)
    day, every = days[0], [days[0]]
    while day < days[-1] and len(every) <= _MOST_PERIODS:
        day = following(day, unit)
        every.append(day)
    if len(every) > _MOST_PERIODS:
        every = days
    return tuple(replace(found.get(day, _NOTHING), start=day, end=following(day, unit)) for day in every)


def _too_few(period: Period, fewest: int) -> bool:
    return period.n < fewest or period.value is None or period.low is None or period.high is None


def _beyond_luck(period: Period) -> tuple[float, float, float]:
    """The value and its interval, less what luck alone gives: ECE* of few statements is high by luck."""
    value, low, high = period.value, period.low, period.high
    if value is None or low is None or high is None:
        raise DataError("A period without a value cannot be compared.")
    luck = period.luck or 0.0
    return value - luck, low - luck, high - luck
