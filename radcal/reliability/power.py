"""What more findings would show: the smallest change that could be seen, and when there would be enough of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import ceil, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from radcal.reliability.bands import FEWEST_HEDGES
from radcal.reliability.sensitivity_records import GroupOutlook, NeededUses, Pace, WordOutlook
from radcal.system.intervals import normal_quantile, tails

if TYPE_CHECKING:
    from radcal.reliability.records import PhraseRate, Reliability
    from radcal.system.settings import Settings

POWER = 0.8
"""Chance of seeing a change as large as the smallest one that is stated."""
_WEEK = 7.0


def detectable_rates(
    rate: float, n: float, more: float, confidence: float = 0.95, power: float = POWER
) -> tuple[float | None, float | None]:
    """The highest lower and the lowest higher rate that ``more`` findings would tell from the present one.

    A change from p to r is seen with the given power if

        |r - p| = z_a sqrt(c (1 - c) (1 / n + 1 / m)) + z_b sqrt(p (1 - p) / n + r (1 - r) / m)

    with c = (n p + m r) / (n + m), for m further findings of a word said n times before, two-sided at the level of the
    intervals.

    Args:
        rate: p, in 0-1;  n: findings behind it, above 0;  more: m, above 0.
        confidence: of the interval of the change;  power: chance of seeing it, above one half.

    Returns:
        None where even 0, or 1, would not be told apart.

    Source: Fleiss, Levin and Paik, "Statistical Methods for Rates and Proportions" (2003), 4.2, without correction for
    continuity.
    """
    from scipy.optimize import brentq

    z_a, z_b = normal_quantile(confidence), NormalDist().inv_cdf(power)

    def short(to: float) -> float:
        """By how much the change to this rate falls short of what is seen."""
        common = (n * rate + more * to) / (n + more)
        by_chance = sqrt(common * (1 - common) * (1 / n + 1 / more))
        either = sqrt(rate * (1 - rate) / n + to * (1 - to) / more)
        return z_a * by_chance + z_b * either - abs(to - rate)

    # With the present rate at 0 or 1 nothing falls short of no change at all.
    near = min(1e-9, rate / 2, (1 - rate) / 2) or 1e-9
    low = float(brentq(short, 0.0, rate - near)) if rate > near and short(0.0) <= 0 else None
    high = float(brentq(short, rate + near, 1.0)) if rate < 1 - near and short(1.0) <= 0 else None
    return low, high


def detectable_error(half_width: float, n: float, more: float, confidence: float = 0.95, power: float = POWER) -> float:
    """The smallest change of a word error that ``more`` hedged findings would show, in 0-1.

        (z_a + z_b) sqrt(s^2 / n + s^2 / m),   s = sqrt(n) h / z_a,

    where h is the half-width of the present interval.  It supposes that the same words are used as often as before.

    Args:
        half_width: h; from n hedged findings, above 0;  more: m, above 0.
        confidence, power: as in :func:`detectable_rates`.
    """
    z_a, z_b = normal_quantile(confidence), NormalDist().inv_cdf(power)
    return (z_a + z_b) * half_width / z_a * sqrt(1 + n / more)


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
    more: int,
    days: tuple[date, date] | None,
    settings: Settings,
) -> GroupOutlook:
    """What ``more`` further findings would do for a group, if its words and their rates stay as they are.

    Args:
        reliability: of the group.
        needed: what its words without advice need.
        more: further findings, at least 1.
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
        more=more,
        first=None if days is None else days[0],
        last=None if days is None else days[1],
        pace=findings,
        word_error=r.word_error,
        seen_change=_seen_change(r, hedged, more, confidence),
        needed=lacking,
        weeks=None if findings is None else weeks_until(lacking, findings)[0],
        words=tuple(
            _word_ahead(word, r.n, by_word.get(word.phrase), more, findings, days, confidence) for word in r.phrases
        ),
        power=POWER,
    )


def _seen_change(r: Reliability, hedged: float, more: int, confidence: float) -> float | None:
    """The smallest change of the word error that is seen; None where it has no interval."""
    value, low, high = r.word_error, r.word_error_low, r.word_error_high
    if value is None or low is None or high is None or not hedged:
        return None
    # The interval is [e - luck - z s, e - b / 2 + z s] with the bias b, cut off at 0.
    half = max(high - value, value - (r.luck_word_mean or 0.0) - low)
    return detectable_error(half, hedged, more * hedged / r.n, confidence)


def _word_ahead(
    word: PhraseRate,
    n: float,
    need: NeededUses | None,
    more: int,
    findings: Pace | None,
    days: tuple[date, date] | None,
    confidence: float,
) -> WordOutlook:
    expected = more * word.n / n
    below, above = detectable_rates(word.rate, word.n, expected, confidence)
    when: tuple[float | None, float | None, float | None] = (None, None, None)
    further = None if need is None else need.least or need.more
    if need is not None and further is not None and (further or need.findings) and days and findings:
        uses = weeks_until(further, pace(word.n, *days, confidence))
        group = weeks_until(need.findings, findings)
        both = zip(uses, group, strict=True)
        when = tuple(None if a is None or b is None else max(a, b) for a, b in both)  # type: ignore[assignment]
    return WordOutlook(word.phrase, word.n, word, expected, below, above, need, *when)
