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
_UNIT = (
    r"(?![ ]?(?:mm|cm|ml|mg|mcg|mgy|gy|hu|kv|kvp|ma|mas|%|x\s?\d|×|by\s\d"
    r"|percent|french|fr\b|weeks?|years?|days?|hours?|months?)\b|%)"
)
_P = patterns("deidentify", "dates.toml")
_NUMERIC = _P["numeric"]
_NO_UNIT = re.compile(_UNIT, re.IGNORECASE)
_COMPACT = _P["compact"]
_DAY = r"(?P<d>0?[1-9]|[12]\d|3[01])"
_YEAR = rf"(?P<y>(?:19|20)\d{{2}}|['’]?\d{{2}}(?!\.?[ -]?{MONTH}))(?!\w|:\d|[./-]\d)"
_DAY_FIRST = re.compile(
    rf"(?<![\w./:-]){_DAY}(?P<o>st|nd|rd|th)?(?P<s>\. ?|[ -]|[ ]?of[ ]|(?<=[stdh])[ ]+of[ ]"
    rf"|/)?(?P<m>{MONTH})(?![^\W\d_]|-[^\W\d_])\.?"
    rf"(?:(?P<t>,? |[-/.]|, ?)?{_YEAR})?" + _UNIT,
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"(?<![^\W\d_])(?P<m>{MONTH})(?:\.? |[-./])(?:the )?{_DAY}(?P<o>st|nd|rd|th)?(?![\w]|[.:/]\d)"
    rf"(?:(?P<t>,? |[-/.]|, ?){_YEAR}(?!\s?[ap]\.?m\b))?" + _UNIT,
    re.IGNORECASE,
)
_MONTH_YEAR = re.compile(
    rf"(?<![^\W\d_])(?P<m>{MONTH})(?:\.? of |\.?,? |[-/.]|\. ?)?(?P<y>(?:19|20)\d{{2}}|['’]\d{{2}}"
    rf"|(?<=-)\d\d|(?<=[ ])[4-9]\d)(?![\w]|[./-]\d)" + _UNIT,
    re.IGNORECASE,
)
_MONTH_IN_FIGURES = _P["month_in_figures"]
_YEAR_AND_MONTH = _P["year_and_month"]
_MONTH_ALONE = re.compile(
    r"(?<![^\W\d_])(?P<b>(?:in|since|of|from|until|till|through|last|this|early|mid|late|during|between|im|seit"
    r"|anfang|mitte"
    r"|ende|vom|bis|zum|next|beginning of|end of|middle of|back in|dated|prior|previous)[ -]+)"
    rf"(?P<m>{MONTH})(?![^\W_]|[.]?[ -]\d)",
    re.IGNORECASE,
)
_PARTS = ("early", "mid", "late", "beginning of", "end of", "middle of", "anfang", "mitte", "ende")
"""What makes a few days of a month, which else stays if it has neither a day nor a year."""
_NO_YEAR = _P["no_year"]
_NO_YEAR_GERMAN = _P["no_year_german"]
_RANGE = _P["range"]
_ON = _P["on"]
_ROMAN = _P["roman"]
_NO_YEAR_BARE = _P["no_year_bare"]
_BEFORE_NO_YEAR = _P["before_no_year"]
_FILMED = _P["filmed"]
_NOT_A_DAY = _P["not_a_day"]
_TIMED = _P["timed"]
_ECHO = _P["echo"]
_OPENS = _P["opens"]
_CLOSES = _P["closes"]
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
    for pattern in (_NUMERIC, _COMPACT, _DAY_FIRST, _MONTH_FIRST, _MONTH_YEAR, _MONTH_IN_FIGURES, _YEAR_AND_MONTH):
        m = pattern.match(text, at)
        if m is not None and any(m[part] for part in "yc" if part in pattern.groupindex):
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
    return _NOT_A_DAY.search(m.string, max(0, m.start() - 24), m.start()) is not None


def _is_date(m: re.Match[str]) -> bool:
    """Whether three figures are a date: by four figures of the year, or where nothing is counted or measured."""
    if len(m["c"]) == 4:
        return True
    if len(m["a"]) < 4 and not (len(m["c"]) == 2 and _NO_UNIT.match(m.string, m.end())):
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
    orders = {(m["s"], _order(m)) for m in _NUMERIC.finditer(text) if _is_date(m)}
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
    for m in _NUMERIC.finditer(text):
        for month_first in (False, True) if len(m["c"]) == 4 or m["s"] != "." else (False,):
            month, day = (m["a"], m["b"]) if month_first else (m["b"], m["a"])
            if len(m["a"]) < 4 and (of := day_of(year_number(m["c"]), int(month), int(day))):
                found.setdefault(m["s"], []).append((of, month_first))
    return found


def _echo(m: re.Match[str], by: timedelta) -> Found | None:
    """A day without a year a few days from a whole date of the same form."""
    text = m.string
    if m["s"] == "." and not (_OPENS.search(text, max(0, m.start() - 16), m.start()) and _CLOSES.match(text, m.end())):
        return None
    if not _NO_UNIT.match(text, m.end()) or _is_counted(m):
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
    told: object = (_is_padded(m) and "0" in (m["a"][0], m["b"][0])) or _TIMED.match(text, m.end())
    if not told and max(a, b) > 12:
        listed = before[-2:] in (", ", ": ") and _CLOSES.match(text, m.end())
        told = listed or text[m.end() : m.end() + 1] == ":" or _FILMED.search(before) is not None
    if not (told or _BEFORE_NO_YEAR.search(before)) or _NOT_A_DAY.search(before):
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


# fmt: off
_ECHOES = (
    Rule("a day near a whole date", "date", _ECHO, _echo,
         "Film of 11.3.22 is clear. Previous: 9.3, 10.3. -> Film of 11.3.22 is clear. Previous: 17.6, 18.6.",
         unlike="Film of 11.3.22: nodules of 9.3 and 10.3 mm."),
)
_NUMBERS = (
    Rule("three figures", "date", _NUMERIC, _numeric,
         "Compared with 03/05/24. -> Compared with 06/13/24.",
         unlike="Series 3/05/24, version 1.2.3."),
    Rule("eight figures", "date", _COMPACT, _compact,
         "Film 20240305. -> Film 20240613.",
         unlike="Film 20241305."),
)
_NAMED = (
    Rule("day and month", "date", _DAY_FIRST, _day,
         "CT of 5th March 2024, 7. Mai. -> CT of 13th June 2024, 15. August.",
         unlike="3 may represent scars. 12 mar 5."),
    Rule("month and day", "date", _MONTH_FIRST, _day,
         "Seen Mar 05, 2024 and May 6th. -> Seen Jun 13, 2024 and August 14th.",
         unlike="MAY 3 MM NODULES."),
)
_MONTHS = (
    Rule("month and year", "date", _MONTH_YEAR, _month,
         "CT of March 2024, not of 31. Februar 2024. -> CT of June 2024, not of [date].",
         unlike="In March 20 mm."),
    Rule("month and year in figures", "date", _MONTH_IN_FIGURES, _month_in_figures,
         "CT of 03/2024. -> CT of 06/2024.",
         unlike="Image 3/2024."),
    Rule("year and month in figures", "date", _YEAR_AND_MONTH, _month_in_figures,
         "CT of 2024-03. -> CT of 2024-06.",
         unlike="Since 2019-20."),
)
_YEARLESS = (
    Rule("part of a month", "date", _MONTH_ALONE, _month_alone,
         "Seit Mitte Januar, since the fourteenht of March. -> Seit Mitte April, since the [date].",
         unlike="Reported in September. It may march on."),
    Rule("day and month with a slash", "date", _NO_YEAR, _slashed,
         "AP port 3/19, seen on 2/3. -> AP port 6/27, seen on 5/14.",
         unlike="Grade 3/6, 5/10 of measures, SUV 3/12 ago."),
    Rule("day and month with full stops, behind a word", "date", _NO_YEAR_GERMAN, _with_stops,
         "Aufnahme am 3.4. und 5.4. -> Aufnahme am 12.7. und 5.4.",
         unlike="Der 3.4 cm Herd."),
    Rule("day and month with full stops", "date", _NO_YEAR_BARE, _with_stops_alone,
         "Vorbefund 03.04.: Erguss. -> Vorbefund 12.07.: Erguss.",
         unlike="Serie 3.4.: Erguss."),
)
_UNREAD = (
    Rule("days of one month", "date", _RANGE, whole,
         "Bauchlage 9.–11.4. Kein Erguss. -> Bauchlage [date] Kein Erguss.",
         unlike="Rippe 9.-11. Kein Erguss."),
    Rule("a weekday with day and month", "date", _ON, whole,
         "Film of thurs 10/1. -> Film of [date].",
         unlike="Sat 92/4 mm."),
    Rule("a month in Roman figures", "date", _ROMAN, whole,
         "Aufnahme vom 3.IV. -> Aufnahme vom [date]",
         unlike="Segment 3 IV."),
)
# fmt: on
DATES = (
    Part(_ECHOES, reads=_whole_dates, beside=_shift_weekday),
    *(Part(rules, beside=_shift_weekday) for rules in (_NUMBERS[:1], _NUMBERS[1:])),
    *(part._replace(beside=_shift_weekday) for part in IN_WORDS),
    *(Part(rules, beside=_shift_weekday) for rules in (_NAMED, _MONTHS, _YEARLESS)),
    Part(_UNREAD),
)
