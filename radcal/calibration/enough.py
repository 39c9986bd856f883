"""When there will be enough findings, for a word error and for advice on a word."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import ceil
from typing import TYPE_CHECKING

from radcal.calibration.bands import FEWEST_HEDGES
from radcal.calibration.sensitivity_records import GroupOutlook, NeededUses, Pace, WordOutlook
from radcal.system.intervals import tails

if TYPE_CHECKING:
    from radcal.calibration.records import PhraseRate, Reliability
    from radcal.system.settings import Settings

_WEEK = 7.0


def pace(n: float, first: date, last: date, confidence: float = 0.95) -> Pace:
    """Findings a week over the days from ``first`` to ``last``, with the interval of a Poisson rate; at least a week.

    Quantiles of Gamma(n + 1/2) over the weeks; from 0 for n = 0.

    Source: Brown, Cai and DasGupta, "Interval estimation in exponential families", Statistica Sinica 2003;13:19-49.
    """
    from scipy.special import gammaincinv

    weeks = max(((last - first).days + 1) / _WEEK, 1.0)
    low, high = (float(gammaincinv(n + 0.5, tail)) / weeks for tail in tails(confidence))
    return Pace(n, weeks, n / weeks, low if n else 0.0, high)


def weeks_until(more: float, at: Pace) -> tuple[float | None, float | None, float | None]:
    """In how many weeks ``more`` findings will be there at this pace, and at the ends of its interval.

    None where the pace is 0, so that they never will.
    """
    if more <= 0:
        return 0.0, 0.0, 0.0
    when, soonest, latest = (more / per_week if per_week > 0 else None for per_week in (at.per_week, at.high, at.low))
    return when, soonest, latest


def group_ahead(
    reliability: Reliability,
    needed: Sequence[NeededUses],
    days: tuple[date, date] | None,
    settings: Settings,
) -> GroupOutlook:
    """What a group and its words need, if the words and their rates stay as they are.

    Args:
        reliability: of the group.
        needed: what its words without advice need.
        days: first and last day of the examinations, None if they are not known.
        settings: confidence and least numbers.
    """
    r, confidence = reliability, settings.confidence
    hedged = sum(word.n for word in r.phrases if 0 < word.mean < 1)
    findings = None if days is None else pace(r.n, *days, confidence)
    by_word = {need.phrase: need for need in needed}
    lacking = max(0, ceil(settings.min_group_n - r.n))
    if r.word_error is not None and hedged < FEWEST_HEDGES:
        # Plain statements come along with the hedged ones.
        lacking = ceil((FEWEST_HEDGES - hedged) * r.n / hedged) if hedged else 0
    return GroupOutlook(
        author=r.author,
        topic=r.topic,
        n=r.n,
        hedged=hedged,
        first=None if days is None else days[0],
        last=None if days is None else days[1],
        pace=findings,
        word_error=r.word_error,
        needed=lacking,
        weeks=None if findings is None else weeks_until(lacking, findings)[0],
        words=tuple(_word_ahead(word, by_word.get(word.phrase), findings, days, confidence) for word in r.phrases),
    )


def _word_ahead(
    word: PhraseRate,
    need: NeededUses | None,
    findings: Pace | None,
    days: tuple[date, date] | None,
    confidence: float,
) -> WordOutlook:
    when: tuple[float | None, float | None, float | None] = (None, None, None)
    further = None if need is None else need.least or need.more
    if need is not None and further is not None and (further or need.findings) and days and findings:
        uses = weeks_until(further, pace(word.n, *days, confidence))
        group = weeks_until(need.findings, findings)
        both = zip(uses, group, strict=True)
        when = tuple(None if a is None or b is None else max(a, b) for a, b in both)  # type: ignore[assignment]
    return WordOutlook(word.phrase, word.n, word, need, *when)
