"""Formats of numbers, dates and intervals: '47 % (37-57)', '1,204 of 2,662', 'Jan-Sep 2026'."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from PySide6.QtCore import QDate, QDateTime, QLocale

from radcal.system.language.manners import NBSP
from ui.language import spoken


def say(text: str, /, *, many: str = "", **values: object) -> str:
    """A text of the window in its language, with its values; ``many`` as in :class:`radcal.system.text.Text`."""
    return spoken().say(text, many=many, **values)


def whole(n: float) -> str:
    """A count with thousands separated: '1,204'; a fractional count keeps one decimal."""
    return spoken().number(n, 0 if float(n).is_integer() else 1)


def percent(share: float) -> str:
    """A share of 0-1 as '47 %'."""
    return spoken().percent(share)


def percent_range(low: float, high: float) -> str:
    """A range of shares as '37-57 %', or '100 %' where both ends read alike."""
    return spoken().percent_range(low, high)


def rate(share: float, low: float, high: float) -> str:
    """A share with its interval: '47 % (37-57)'."""
    return spoken().rate(share, low, high)


def decimal(value: float) -> str:
    """A score of 0-1 with two decimals: '0.14'."""
    return spoken().error(value)


def decimal_interval(value: float, low: float | None, high: float | None) -> str:
    """A score with its interval: '0.14 (0.10-0.19)'."""
    return f"{decimal(value)} {spoken().error_spread(low, high)}".strip()


def counted(n: float, one: str, many: str) -> str:
    """A count with its noun, of two texts with {n}: '1 finding', '212 findings'."""
    return spoken().counted(n, one, many)


def quoted(text: str) -> str:
    """The text in double quotation marks."""
    return spoken().quoted(text)


def report_name(report_id: str) -> str:
    """A report as people name it: 'X-ray XR2500248' for 'xray:XR2500248'; one that names no kind as it is."""
    kind, colon, accession = report_id.partition(":")
    match kind if colon else "":  # the values of Modality, whose module is not needed at the start
        case "xray":
            return say("X-ray {accession}", accession=accession)
        case "ct":
            return say("CT {accession}", accession=accession)
        case _:
            return report_id


def typographic(text: str) -> str:
    """A sentence of RadCal's own as the window shows it: in its language, with its quotation marks and ranges."""
    return spoken().write(text)


def listed(items: Sequence[str], most: int = 0) -> str:
    """'a', 'a and b', 'a, b and c'; with ``most`` set, 'a, b and 3 more'."""
    return spoken().listed(items, most)


def locale() -> QLocale:
    """The locale of dates: the default one, or English where the system has none ("C"), whose dates nobody writes."""
    default = QLocale()
    return QLocale("en_US") if default.language() == QLocale.Language.C else default


def moment(at: datetime) -> str:
    """A time of this place, as the user's locale writes it."""
    return locale().toString(QDateTime.fromSecsSinceEpoch(int(at.timestamp())), QLocale.FormatType.ShortFormat)


def day(when: date) -> str:
    """A calendar day in the short form of the user's locale: '31.03.26'."""
    return locale().toString(QDate(when.year, when.month, when.day), QLocale.FormatType.ShortFormat)


def months(first: datetime | None, last: datetime | None) -> str:
    """The months between two times: 'Jan 2026', 'Jan-Sep 2026', 'Nov 2025-Feb 2026', '' if unknown."""
    return spoken().date_range(first, last).replace(NBSP, " ")


def duration(seconds: float) -> str:
    """About how long: 'a few seconds', '40 s', '5 min', '2 h 10 min'."""
    if seconds < 5:
        return say("a few seconds")
    if seconds < 55:
        return f"{5 * max(1, round(seconds / 5))}{NBSP}s"
    minutes = max(1, round(seconds / 60))
    if minutes < 60:
        return f"{minutes}{NBSP}min"
    return f"{minutes // 60}{NBSP}h {minutes % 60}{NBSP}min"


def speed(per_second: float) -> str:
    """A rate in the unit that reads best: '12 per second', '310 per minute'."""
    if per_second >= 10:
        return say("{n} per second", n=whole(round(per_second)))
    return say("{n} per minute", n=whole(round(per_second * 60)))
