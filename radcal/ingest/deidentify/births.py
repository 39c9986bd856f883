"""Dates of birth, which are not shifted but taken out: even shifted, their year tells an age over 89."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import date, datetime
from functools import cache

from radcal.ingest.deidentify.dates import date_at
from radcal.ingest.deidentify.months import month_names
from radcal.ingest.deidentify.spans import SHIFTED, Claims

_LABEL = re.compile(
    r"(?<![^\W_])(?:d\.?o\.?b\.?|(?:date|year|day)[ ]of[ ]birth|birth[ -]?(?:date|day|year)|yob|born|geb\.?|geboren"
    r"|geburts(?:datum|tag|jahr)|jahrgang|(?<=\S[ ])\*)(?![^\W_])"
    r"(?:[ ]?/[ ]?(?:age|sex|gender|alter|geschlecht))*(?:[ ](?:on|in|am|im|is|was|date|the))*"
    r"[\s:.,=#(\[-]{0,4}",
    re.IGNORECASE,
)
_SPACED = re.compile(r"\d{1,2} \d{1,2} (?:18|19|20)\d\d(?!\w)")
_YEAR = re.compile(r"(?:18|19|20)\d\d(?![\w/-]|[.,:]\d)")
_BEHIND = re.compile(r"[ ]{0,2}\(?(?:dob|d\.o\.b\.|date of birth|geb\.|birth ?date)(?![^\W_])\)?", re.IGNORECASE)
_ORDERS = ("%m/%d/%Y", "%d/%m/%Y", "%m-%d-%Y", "%d-%m-%Y", "%d.%m.%Y", "%Y/%m/%d", "%Y.%m.%d", "%d-%b-%Y", "%d %b %Y",
           "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y")  # fmt: skip


def find_births(claims: Claims, known: Collection[str]) -> None:
    """Claim dates of birth for "[date of birth]": those behind or before a label, and known ones in any form.

    known: as columns have them; a day and a month that may be either are tried both ways
    """
    text = claims.text
    for m in _LABEL.finditer(text):
        only = _SPACED.match(text, m.end()) or _YEAR.match(text, m.end())
        end = date_at(text, m.end()) or (only.end() if only else None)
        if end is not None:
            _claim(claims, m.end(), end)
    for m in _BEHIND.finditer(text):
        start = next((at for at in range(max(0, m.start() - 18), m.start()) if date_at(text, at) == m.start()), None)
        if start is not None and not (start and text[start - 1].isalnum()):
            _claim(claims, start, m.start())
    for day in {day for cell in known for day in _days(cell)}:
        for m in _written(day).finditer(text):
            _claim(claims, m.start(), m.end())
    claims.settle()


def _claim(claims: Claims, start: int, end: int) -> None:
    end += claims.text[end : end + 1] == SHIFTED  # by an earlier version
    claims.add(start, end, "birth")


def _days(cell: str) -> Iterator[date]:
    """The days that a cell may mean."""
    written = " ".join(cell.split())
    with suppress(ValueError):
        yield datetime.fromisoformat(written).date()
        return
    with suppress(ValueError):
        yield datetime.strptime(written[:8], "%Y%m%d").date()  # noqa: DTZ007 - a day
        return
    for order in _ORDERS:
        with suppress(ValueError):
            yield datetime.strptime(written, order).date()  # noqa: DTZ007 - a day


@cache
def _written(day: date) -> re.Pattern[str]:
    """A day in all usual forms, with two digits of the year or four."""
    d, m, y = f"0?{day.day}", f"0?{day.month}", f"(?:{day.year}|{day.year % 100:02d})"
    name = f"(?:{'|'.join(map(re.escape, month_names(day.month)))})"
    forms = (
        rf"{m}(?P<s1>[./-]){d}(?P=s1){y}",
        rf"{d}(?P<s2>[./-]|\. ){m}(?P=s2){y}",
        rf"{day.year}(?P<s3>[./-]){m}(?P=s3){d}",
        f"{day:%Y%m%d}",
        rf"{d}(?:st|nd|rd|th)?(?:\. ?|[ -]| of )?{name}\.?(?:,? |-)?{y}",
        rf"{name}\.?[ -]{d}(?:st|nd|rd|th)?(?:,? |-){y}",
    )
    return re.compile(rf"(?<![\w/-])(?:{'|'.join(forms)})(?![\w/-]|[.,:]\d)", re.IGNORECASE)
