"""Dates in figures, or with the name of their month, shifted in the form in which they are written.

What is found to be a day and is not understood is taken out whole: a month that moved alone would make another day of
it.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from radcal.reports.deidentify.date_parts import (
    GERMAN_TEXT,
    MONTH,
    ONLY_GERMAN,
    cased,
    day_of,
    shifted,
    year_like,
    year_number,
)
from radcal.reports.deidentify.dates_in_words import IN_WORDS, day_before, is_month
from radcal.reports.deidentify.rules import Found, Part, Rule, whole
from radcal.reports.deidentify.spans import SHIFTED, Claims
from radcal.system.resources import patterns

_WEEKDAYS = (
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
)
_P = patterns("deidentify", "dates.toml", month=MONTH)
_PARTS = ("early", "mid", "late", "beginning of", "end of", "middle of", "anfang", "mitte", "ende")
"""What makes a few days of a month, which else stays if it has neither a day nor a year."""
_NEAR = 14
"""Days between a day without a year and the whole date that tells its form."""
_WEEKDAY = re.compile(
    "(?<![^\\W_])("
    + "|".join(sorted({n[: s or None] for ns in _WEEKDAYS for n in ns for s in (0, 4, 3, 2)}, key=len, reverse=True))
    + ")\\.?,? (?:the |dem |den |der )?$",
    re.IGNORECASE,
)


def date_at(text: str, at: int) -> int | None:
    """Return the end of a date that is written at this place, with its year; None where there is none."""
    ends = []
    for name in ("numeric", "compact", "day_first", "month_first", "month_year", "month_in_figures", "year_and_month"):
        m = _P[name].match(text, at)
        if m is not None and any(m[part] for part in "yc" if part in _P[name].groupindex):
            ends.append(m.end())
    return max(ends, default=None)


def _shift_weekday(claims: Claims, start: int, by: timedelta) -> None:
    """Shift the weekday before a date."""
    match = _WEEKDAY.search(claims.text, max(0, start - 14), start)
    if match is None or match[1].lower() == "mit" or (len(match[1]) == 2 and not match[1].istitle()):
        return
    written = match[1].lower()
    for names in _WEEKDAYS:
        for short in (0, 4, 3, 2):
            known = [name[: short or None].lower() for name in names]
            if written in known:
                name = names[(known.index(written) + by.days) % 7]
                if short == 4 and names is _WEEKDAYS[0] and not name.startswith("T"):
                    short = 3  # "Tues" becomes "Fri"
                claims.add(match.start(1), match.end(1), "date", cased(name[: short or None], match[1]) + SHIFTED)
                return


# Dates in figures


def _is_counted(m: re.Match[str]) -> bool:
    """Whether figures are of a series, an image, a grade."""
    return _P["not_a_day"].search(m.string, max(0, m.start() - 24), m.start()) is not None


def _is_date(m: re.Match[str]) -> bool:
    """Whether three figures are a date: by four figures of the year, or where nothing is counted or measured."""
    if len(m["c"]) == 4:
        return True
    if len(m["a"]) < 4 and not (len(m["c"]) == 2 and _P["no_unit"].match(m.string, m.end())):
        return False
    views = m["s"] == "/" and m.string[max(0, m.start() - 6) : m.start()].lower().endswith(
        ("view ", "views ")
    )  # "two views 9/9/09"
    return views or not _is_counted(m)


def _order(m: re.Match[str]) -> str:
    """Which of day (d) and month (m) stands first; "" where it may be either."""
    if len(m["a"]) == 4:
        return ""
    return "d" if int(m["a"]) > 12 else "m" if int(m["b"]) > 12 else ""


@lru_cache(maxsize=2)
def _month_first(text: str) -> tuple[bool, bool]:
    """Whether months stand before days in the dates of a text, and in those with full stops."""
    orders = {(m["s"], _order(m)) for m in _P["numeric"].finditer(text) if _is_date(m)}
    firsts = {first for _, first in orders}
    month_first = "d" not in firsts and ("m" in firsts or not GERMAN_TEXT.search(text))
    return month_first, month_first and (".", "m") in orders


def _numeric(m: re.Match[str], by: timedelta) -> Found | None:
    if not _is_date(m):
        return None
    a, b, c = m["a"], m["b"], m["c"]
    month_first = _month_first(m.string)[m["s"] == "."] and m["s"] != ". "
    orders = ("ymd",) if len(a) == 4 else ("mdy", "dmy") if month_first else ("dmy", "mdy")
    if len(a) == len(c) == 2 and m["s"] == "-":
        orders = (*orders, "ymd")
    for order in orders:
        part = dict(zip(order, (a, b, c), strict=True))
        if old := day_of(year_number(part["y"]), int(part["m"]), int(part["d"])):
            new = old + by
            pad = 2 if part["m"][0] == "0" or part["d"][0] == "0" or len(part["m"] + part["d"]) == 4 else 1
            written = {"y": year_like(new, part["y"]), "m": f"{new.month:0{pad}}", "d": f"{new.day:0{pad}}"}
            return Found(*m.span(), m["s"].join(written[letter] for letter in order) + SHIFTED)
    return None


def _compact(m: re.Match[str], by: timedelta) -> Found | None:
    old = day_of(int(m["y"]), int(m["m"]), int(m["d"]))
    return None if old is None else Found(*m.span(), f"{old + by:%Y%m%d}{SHIFTED}")


def _day_and_month(m: re.Match[str], month: int, day: int, month_first: bool, by: timedelta) -> Found | None:
    """Return a day without a year, shifted."""
    old = day_of(2000 if (month, day) == (2, 29) else 2023, month, day)
    if old is None:
        return None
    new = old + by
    pad = 2 if "0" in (m["a"][0], m["b"][0]) or len(m["a"]) == len(m["b"]) == 2 else 1
    pair = (new.month, new.day) if month_first else (new.day, new.month)
    return Found(m.start("a"), m.end("b"), m["s"].join(f"{n:0{pad}}" for n in pair) + SHIFTED)


@lru_cache(maxsize=2)
def _whole_dates(text: str) -> dict[str, list[tuple[date, bool]]]:
    """The dates of a text by what parts their figures, and whether the month stands first; both where it may."""
    found: dict[str, list[tuple[date, bool]]] = {}
    for m in _P["numeric"].finditer(text):
        for month_first in (False, True) if len(m["c"]) == 4 or m["s"] != "." else (False,):
            month, day = (m["a"], m["b"]) if month_first else (m["b"], m["a"])
            if len(m["a"]) < 4 and (of := day_of(year_number(m["c"]), int(month), int(day))):
                found.setdefault(m["s"], []).append((of, month_first))
    return found


def _echo(m: re.Match[str], by: timedelta) -> Found | None:
    """A day without a year a few days from a whole date of the same form."""
    text = m.string
    opened = _P["opens"].search(text, max(0, m.start() - 16), m.start())
    if m["s"] == "." and not (opened and _P["closes"].match(text, m.end())):
        return None
    if not _P["no_unit"].match(text, m.end()) or _is_counted(m):
        return None
    for of, month_first in _whole_dates(text).get(m["s"], ()):
        month, day = (int(m["a"]), int(m["b"])) if month_first else (int(m["b"]), int(m["a"]))
        old = day_of(of.year, month, day)
        if old is not None and abs((old - of).days) <= _NEAR:
            return _day_and_month(m, month, day, month_first, by)
    return None


def _is_padded(m: re.Match[str]) -> bool:
    """Whether both figures have two digits, as nothing is counted or measured."""
    return len(m["a"]) == len(m["b"]) == 2


def _slashed(m: re.Match[str], by: timedelta) -> Found | None:
    text, a, b = m.string, int(m["a"]), int(m["b"])
    before = text[max(0, m.start() - 48) : m.start()]
    told: object = (_is_padded(m) and "0" in (m["a"][0], m["b"][0])) or _P["timed"].match(text, m.end())
    if not told and max(a, b) > 12:
        listed = before[-2:] in (", ", ": ") and _P["closes"].match(text, m.end())
        told = listed or text[m.end() : m.end() + 1] == ":" or _P["filmed"].search(before) is not None
    if not (told or _P["before_no_year"].search(before)) or _P["not_a_day"].search(before):
        return None
    month_first = a <= 12 and not (b <= 12 and GERMAN_TEXT.search(text))
    return _day_and_month(m, *((a, b) if month_first else (b, a)), month_first, by)


def _with_stops(m: re.Match[str], by: timedelta) -> Found | None:
    return _day_and_month(m, int(m["b"]), int(m["a"]), False, by)


def _with_stops_alone(m: re.Match[str], by: timedelta) -> Found | None:
    told = (_is_padded(m) or GERMAN_TEXT.search(m.string)) and not _is_counted(m)
    return _with_stops(m, by) if told else None


# Dates with the name of a month


def _day(m: re.Match[str], by: timedelta) -> Found | None:
    return shifted(m, by) if m["y"] or is_month(m) else None


def _month(m: re.Match[str], by: timedelta) -> Found:
    """A month with its year; taken out with the day before it, if there is one that is not understood."""
    day = day_before(m.string, m.start("m"))
    return shifted(m, by) if day is None else Found(day, m.end())


def _month_in_figures(m: re.Match[str], by: timedelta) -> Found | None:
    return None if _is_counted(m) else shifted(m, by)


def _month_alone(m: re.Match[str], by: timedelta) -> Found | None:
    """A part of a month; a month that has neither its day nor its year stays."""
    before = m["b"].strip(" -").lower()
    german = before in ("im", "seit", "anfang", "mitte", "ende", "vom", "bis", "zum")
    if not is_month(m) or (m["m"].lower() in ONLY_GERMAN and not german):
        return None
    if (day := day_before(m.string, m.start("m"))) is not None:
        return Found(day, m.end("m"))
    return shifted(m, by) if before in _PARTS else None


_ECHOES = (Rule("a day near a whole date", "date", _P["echo"], _echo),)
_NUMBERS = (
    Rule("three figures", "date", _P["numeric"], _numeric),
    Rule("eight figures", "date", _P["compact"], _compact),
)
_NAMED = (
    Rule("day and month", "date", _P["day_first"], _day),
    Rule("month and day", "date", _P["month_first"], _day),
)
_MONTHS = (
    Rule("month and year", "date", _P["month_year"], _month),
    Rule("month and year in figures", "date", _P["month_in_figures"], _month_in_figures),
    Rule("year and month in figures", "date", _P["year_and_month"], _month_in_figures),
)
_YEARLESS = (
    Rule("part of a month", "date", _P["month_alone"], _month_alone),
    Rule("day and month with a slash", "date", _P["no_year"], _slashed),
    Rule("day and month with full stops, behind a word", "date", _P["no_year_german"], _with_stops),
    Rule("day and month with full stops", "date", _P["no_year_bare"], _with_stops_alone),
)
_UNREAD = (
    Rule("days of one month", "date", _P["range"], whole),
    Rule("a weekday with day and month", "date", _P["on"], whole),
    Rule("a month in Roman figures", "date", _P["roman"], whole),
)
DATES = (
    Part(_ECHOES, reads=_whole_dates, beside=_shift_weekday),
    *(Part(rules, beside=_shift_weekday) for rules in (_NUMBERS[:1], _NUMBERS[1:])),
    *(part._replace(beside=_shift_weekday) for part in IN_WORDS),
    *(Part(rules, beside=_shift_weekday) for rules in (_NAMED, _MONTHS, _YEARLESS)),
    Part(_UNREAD),
)
