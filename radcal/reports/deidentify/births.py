"""Dates of birth, which are taken out because even shifted their year tells an age over 89; and such ages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import cache

from radcal.reports.deidentify.date_parts import month_names
from radcal.reports.deidentify.dates import date_at
from radcal.reports.deidentify.rules import Found, Part, Rule
from radcal.reports.deidentify.spans import Claims
from radcal.system.number_words import ENGLISH_ONES, GERMAN_ONES, german
from radcal.system.resources import patterns

_P = patterns(
    "deidentify",
    "births.toml",
    ones="|".join(ENGLISH_ONES[1:10]),
    zahlen="|".join(german(n) for n in range(99, 89, -1)),
    einer="|".join(GERMAN_ONES[2:8]),
)
_ORDERS = ("%m/%d/%Y", "%d/%m/%Y", "%m-%d-%Y", "%d-%m-%Y", "%d.%m.%Y", "%Y/%m/%d", "%Y.%m.%d", "%d-%b-%Y", "%d %b %Y",
           "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y")  # fmt: skip


def _after_label(m: re.Match[str], _: timedelta) -> Found | None:
    text, start = m.string, m.end()
    only = _P["spaced"].match(text, start) or _P["year"].match(text, start)
    end = date_at(text, start) or (only.end() if only else None)
    return Found(start, end) if end else None


def _before_label(m: re.Match[str], _: timedelta) -> Found | None:
    text, end = m.string, m.start()
    start = next((at for at in range(max(0, end - 18), end) if date_at(text, at) == end), None)
    return None if start is None or text[max(0, start - 1) : start].isalnum() else Found(start, end)


def find_known_births(claims: Claims, known: Collection[str]) -> None:
    """Claim known dates of birth in any form for "[date of birth]".

    known: as columns have them; a day and a month that may be either are tried both ways
    """
    for day in {day for cell in known for day in _days(cell)}:
        for m in _written(day).finditer(claims.text):
            claims.add(m.start(), m.end(), "birth")
    claims.settle()


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


# Ages over 89


def _age(m: re.Match[str], _: timedelta) -> Found:
    """Write "over 89", with the article before it: "a 94-year-old" is "an over-89-year-old"."""
    text, groups = m.string, m.groupdict()
    name = next(name for name in "nwz" if groups.get(name))
    start, end = m.span(name)
    behind = text[end : end + 6]
    if name == "z" or "j" in behind[:2].lower() or m[0].lower().startswith("alter"):
        return Found(start, end, "über 89")
    if groups[name].isalpha() and name == "n":
        written = "over-89-year-old"
    else:
        written = "over-89" if behind.startswith("-") else "over 89 " if behind[:1].isalpha() else "over 89"
    article = _P["article"].search(text, max(0, start - 3), start)
    if article is None:
        return Found(start, end, written)
    an = "AN" if article[0][0] == "A" and behind.lstrip(" -")[:2].isupper() else f"{article[0][0]}n"
    return Found(article.start(), end, f"{an} {written}")


BIRTHS = (
    Part(
        (
            Rule("date behind its label", "birth", _P["label"], _after_label),
            Rule("date before its label", "birth", _P["behind"], _before_label),
        )
    ),
)
AGES = (
    Part(
        (
            Rule("age before its unit or its person", "age", _P["old"], _age),
            Rule("age behind its label", "age", _P["aged"], _age),
            Rule("years", "age", _P["years"], _age),
            Rule("age behind the sex", "age", _P["sex_before"], _age),
            Rule("noun of an age", "age", _P["noun"], _age),
        )
    ),
)
