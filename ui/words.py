"""Numbers, dates and intervals as they are read: '47 % (37-57)', '1,204 of 2,662', 'Jan-Sep 2026'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from ui.science import translated

translate = QCoreApplication.translate
_NBSP = "\u00a0"
_DASH = "\u2013"
_QUOTED = re.compile(r"(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w))+)'(?!\w)")
_RANGE = re.compile(r"(?<![\w-])(\d+)-(\d+)(?=[ )]|$)")


def whole(n: float) -> str:
    """A count with thousands separated: '1,204'; a fractional count keeps one decimal."""
    return QLocale().toString(float(n), "f", 0 if float(n).is_integer() else 1)


def percent(share: float) -> str:
    """A share of 0-1 as '47 %'."""
    return f"{_points(share)}{_NBSP}%"


def percent_range(low: float, high: float) -> str:
    """A range of shares as '37-57 %', or '100 %' where both ends read alike."""
    a, b = f"{100 * low:.0f}", f"{100 * high:.0f}"
    return f"{a}{_NBSP}%" if a == b else f"{a}{_DASH}{b}{_NBSP}%"


def rate(share: float, low: float, high: float) -> str:
    """A share with its interval: '47 % (37-57)'."""
    return f"{percent(share)} ({100 * low:.0f}{_DASH}{100 * high:.0f})"


def decimal(value: float) -> str:
    """A score of 0-1 with two decimals: '0.14'."""
    return QLocale().toString(float(value), "f", 2)


def decimal_interval(value: float, low: float | None, high: float | None) -> str:
    """A score with its interval: '0.14 (0.10-0.19)'."""
    if low is None or high is None:
        return decimal(value)
    return f"{decimal(value)} ({decimal(low)}{_DASH}{decimal(high)})"


def counted(n: float, one: str, many: str) -> str:
    """'1 finding', '212 findings'."""
    return f"{whole(n)} {one if n == 1 else many}"


def quoted(text: str) -> str:
    """The text in double quotation marks."""
    return QLocale().quoteString(text)


def report_name(report_id: str) -> str:
    """A report as people name it: 'X-ray XR2500248' for 'xray:XR2500248'; one that names no kind as it is."""
    kind, colon, accession = report_id.partition(":")
    match kind if colon else "":  # the values of Modality, whose module is not needed at the start
        case "xray":
            return translate("words", "X-ray {accession}").format(accession=accession)
        case "ct":
            return translate("words", "CT {accession}").format(accession=accession)
        case _:
            return report_id


def typographic(text: str) -> str:
    """A sentence of the science as the window writes it: in its language, curly quotation marks, en dash in 37-57 %.

    Apostrophes inside words stay; a percent sign stays with its number.
    """
    quotes = translate("words", "\u201c{text}\u201d")
    text = _QUOTED.sub(lambda found: quotes.replace("{text}", found[1]), translated(text))
    text = _RANGE.sub(f"\\1{_DASH}\\2", text)
    return text.replace(" %", f"{_NBSP}%")


def listed(items: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    if len(items) < 2:
        return "".join(items)
    both = translate("words", "and")
    return f"{', '.join(items[:-1])} {both} {items[-1]}"


def moment(at: datetime) -> str:
    """A time of this place, as the user's locale writes it."""
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(int(at.timestamp())), QLocale.FormatType.ShortFormat)


def months(first: datetime | None, last: datetime | None) -> str:
    """The months between two times: 'Jan 2026', 'Jan-Sep 2026', 'Nov 2025-Feb 2026', '' if unknown."""
    if first is None or last is None:
        return ""
    locale = QLocale()
    a, b = (locale.monthName(t.month, QLocale.FormatType.ShortFormat) for t in (first, last))
    if first.year != last.year:
        return f"{a} {first.year}{_DASH}{b} {last.year}"
    return f"{a} {first.year}" if a == b else f"{a}{_DASH}{b} {last.year}"


def duration(seconds: float) -> str:
    """About how long: 'a few seconds', '40 s', '5 min', '2 h 10 min'."""
    if seconds < 5:
        return translate("words", "a few seconds")
    if seconds < 55:
        return f"{5 * max(1, round(seconds / 5))}{_NBSP}s"
    minutes = max(1, round(seconds / 60))
    if minutes < 60:
        return f"{minutes}{_NBSP}min"
    return f"{minutes // 60}{_NBSP}h {minutes % 60}{_NBSP}min"


def speed(per_second: float) -> str:
    """A rate in the unit that reads best: '12 per second', '310 per minute'."""
    if per_second >= 10:
        return translate("words", "{n} per second").format(n=whole(round(per_second)))
    return translate("words", "{n} per minute").format(n=whole(round(per_second * 60)))


def _points(share: float) -> str:
    """A share in percent; shares that are small but not zero (or nearly but not wholly one) stay so."""
    points = round(100 * share)
    if points == 0 and share > 0:
        return "<1"
    if points == 100 and share < 1:
        return ">99"
    return str(points)
