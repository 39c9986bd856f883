"""Numbers, dates and lists as words: how the printed pages say them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from radcal.records import Phrase

NBSP = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"
OPEN = "\N{LEFT SINGLE QUOTATION MARK}"
CLOSE = "\N{RIGHT SINGLE QUOTATION MARK}"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def count(n: float) -> str:
    """A count with thousands separated, e.g. "2,662"; one decimal where the reference itself was uncertain."""
    if abs(n - round(n)) < 0.05:
        return f"{round(n):,}"
    return f"{n:,.1f}"


def counted(n: float, one: str, many: str = "") -> str:
    """A count with its noun, e.g. "1 statement", "2 statements"."""
    return f"{count(n)} {one if count(n) == '1' else many or one + 's'}"


def _whole_percent(share: float) -> str:
    """Whole percents; "<1" and ">99" rather than a 0 or 100 that the share is not."""
    percent = round(100 * share)
    if percent == 0 and share > 0:
        return "<1"
    if percent == 100 and share < 1:
        return ">99"
    return str(percent)


def percent(share: float) -> str:
    """A share in 0-1 as "47 %"."""
    return f"{_whole_percent(share)}{NBSP}%"


def percent_range(low: float, high: float) -> str:
    """A range of shares as "75-90 %", or "100 %" where both ends are the same."""
    if low == high:
        return percent(low)
    return f"{100 * low:.0f}{DASH}{100 * high:.0f}{NBSP}%"


def spread(low: float, high: float) -> str:
    """The interval of a share, in percent: "(37-57)"."""
    return f"({100 * low:.0f}{DASH}{100 * high:.0f})"


def rate(share: float, low: float, high: float) -> str:
    """A share with its interval: "47 % (37-57)"."""
    return f"{percent(share)} {spread(low, high)}"


def error(value: float) -> str:
    """A calibration error in 0-1: "0.14"."""
    return f"{value:.2f}"


def error_spread(low: float | None, high: float | None) -> str:
    """The interval of a calibration error, "(0.10-0.19)"; '' where there is none."""
    return "" if low is None or high is None else f"({low:.2f}{DASH}{high:.2f})"


def quoted(phrase: str) -> str:
    """A certainty phrase as it is cited in running text."""
    return f"{OPEN}{phrase}{CLOSE}"


def meaning(phrase: Phrase) -> str:
    """The range that readers take a phrase to mean."""
    return percent_range(phrase.low, phrase.high)


def listed(parts: Sequence[str], most: int = 0) -> str:
    """An enumeration: "a", "a and b", "a, b and c"; with ``most`` set, "a, b and 3 more"."""
    shown = list(parts)
    if most and len(shown) > most:
        shown = [*shown[:most], f"{len(parts) - most} more"]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def day(when: datetime) -> str:
    """A date as "3 Jan 2026", the same in every locale."""
    return f"{when.day}{NBSP}{_MONTHS[when.month - 1]}{NBSP}{when.year}"


def date_range(first: datetime | None, last: datetime | None) -> str:
    """The time that the examinations span: "Jan-Sep 2026", "Nov 2025-Feb 2026", "Jan 2026", "" if unknown."""
    if first is None or last is None:
        return ""
    start, end = _MONTHS[first.month - 1], _MONTHS[last.month - 1]
    if first.year != last.year:
        return f"{start}{NBSP}{first.year}{DASH}{end}{NBSP}{last.year}"
    return f"{start}{NBSP}{first.year}" if start == end else f"{start}{DASH}{end}{NBSP}{last.year}"


def typographic(text: str) -> str:
    """A sentence of RadCal's own with printed quotes, ranges and units; never for the words of a report."""
    text = re.sub(r"(?<!\w)'([^']+)'(?!\w)", rf"{OPEN}\1{CLOSE}", text)
    text = re.sub(r"(?<=\w)'(?=\w)", CLOSE, text)
    text = re.sub(r"(?<=\d)-(?=\d)", DASH, text)
    return re.sub(r"(?<=\d) %", f"{NBSP}%", text)
