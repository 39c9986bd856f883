"""Number formats of comparisons."""

from __future__ import annotations

from ui.language import spoken
from ui.words import percent, rate, say


def points(value: float) -> str:
    """A distance or a difference in 0-1, in points without their unit: '14'."""
    return spoken().number(100 * value)


def in_points(value: float) -> str:
    """A distance in 0-1 as '14 points'."""
    return say("{n} points", n=points(value))


def shown(value: float, *, score: bool) -> str:
    """A rate as '47 %', a distance from what words mean as '14 points'."""
    return in_points(value) if score else percent(value)


def shown_interval(value: float, low: float | None, high: float | None, *, score: bool) -> str:
    """A rate or a distance with its interval."""
    if low is None or high is None:
        return shown(value, score=score)
    if score:
        return say("{n} points ({low}\u2013{high})", n=points(value), low=points(low), high=points(high))
    return rate(value, low, high)


def signed(value: float, digits: int = 2) -> str:
    """A difference with its sign, a true minus: '+0.04'; '0.00' has none."""
    text = spoken().number(abs(value), digits)
    if float(f"{value:.{digits}f}") == 0:
        return text
    return f"\u2212{text}" if value < 0 else f"+{text}"


def coverage(confidence: float) -> str:
    """The coverage of an interval: '95 %', '99.9 %'."""
    digits = 0 if round(100 * confidence, 1).is_integer() else 1
    return f"{spoken().number(100 * confidence, digits)}\u00a0%"
