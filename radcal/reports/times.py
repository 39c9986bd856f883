"""Dates, times and ages as radiology systems write them.

Times are local times: a time zone suffix is ignored, because exam times are compared within one department.  But where
a sender writes some times in UTC among others with an offset, these say what the clock showed.  The order of day and
month is determined once for a whole file.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from radcal.reports.column_names import simplified
from radcal.reports.table import Cell, cell_text
from radcal.system.progress import SILENT, Progress, in_steps
from radcal.system.resources import meanings, patterns
from radcal.system.text import Text

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

OK, MISSING, UNREADABLE, AMBIGUOUS = range(4)
_P = patterns("reading", "times.toml")
_DATES = ("year_first", "figures", "compact", "compact_with_clock", "day_and_name", "name_and_day")
"""Expressions of whole dates, with a time of day or without."""
DATE = _P["date"]
"""A date within a sentence."""
_NEIGHBOURS = np.timedelta64(31, "D")
"""A time in UTC is moved where times with an offset are within this before it and behind it: a department whose own
clock shows UTC in winter has them on one side alone."""
_RARELY = 100
"""Spreadsheets store midnight like a date without a time: at most one such date per 100 times is taken for midnight."""
_EXCEL_EPOCH = dt.datetime(1899, 12, 30)
_EXCEL_DAYS = (18_000, 80_000)
_YEARS = (1900, 2100)
_FIRST_EXAMS, FIRST_BIRTHS = 1950, _YEARS[0]
"""Years; systems write earlier times of examinations for those that they do not know."""
_ISO = r"(?:19[5-9]|2\d\d)\d-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?"
_BATCH = 5000
"""Cells between two checks for cancellation."""

_MONTHS = {simplified(word): int(n) for word, n in meanings("reading", "times.toml", table="months").items()}


@dataclass(frozen=True, slots=True)
class Order:
    """Whether a file writes the day before the month, and the evidence for it.

    decided: by a value above 12, or by the user; otherwise ``day_first`` is the default
    mixed: the file has evidence of both orders, so that a date that fits both cannot be read
    undecided: the number of dates that fit both orders
    assumed: the order in words, where dates were read in it though nothing tells it; else ''
    """

    day_first: bool
    decided: bool
    mixed: bool
    undecided: int

    @property
    def assumed(self) -> Text:
        if not self.undecided or self.decided or self.mixed:
            return Text()
        return Text("day first") if self.day_first else Text("month first")

    @property
    def note(self) -> Text:
        """What was assumed of the dates of a table at hand; '' for nothing."""
        return self.assumed and Text(
            "Nothing tells whether dates such as 03/04/2024 have the day or the month first. They were read {order}.",
            order=self.assumed,
        )


@dataclass(frozen=True, eq=False)
class Times:
    """Parsed times of n cells.

    time: (n,) datetime64[ns], NaT if there is none
    state: (n,) OK, MISSING, UNREADABLE or AMBIGUOUS
    no_clock: the number of dates without a time of day
    days_alone: (n,) whether a date has no time of day, where most have one: when on its day it was is then not known
    utc: the number of times marked as UTC and read as they are
    moved: the number of those moved to the clock of the others
    """

    time: NDArray[np.datetime64]
    state: NDArray[np.int8]
    order: Order
    no_clock: int
    days_alone: NDArray[np.bool_]
    utc: int
    moved: int = 0


@dataclass(frozen=True, slots=True)
class _Parts:
    """A date whose first two numbers (p, q) are day and month in unknown order."""

    year: int
    clock: tuple[int, int, int, int]
    p: int
    q: int
    dotted: bool


def parse_times(
    cells: Sequence[Cell],
    clocks: Sequence[Cell] | None = None,
    *,
    day_first: bool | None = None,
    default_day_first: bool = False,
    first_year: int = _FIRST_EXAMS,
    progress: Progress = SILENT,
) -> Times:
    """Times of a column of a file, or of a column of dates and one of times of day.

    Args:
        cells: dates with or without a time of day: ISO 8601, d.m.y, m/d/y or d/m/y, HL7 yyyymmddhhmmss,
            month names (English, German, French, Spanish), Excel serial numbers, dates of a spreadsheet
        clocks: times of day, for dates that have none
        day_first: the order of day and month stated by the user
        default_day_first: the order if nothing in the file decides
        first_year: a written date before it is unreadable
    """
    n = len(cells)
    time = np.full(n, np.datetime64("NaT", "ns"))
    state = np.full(n, UNREADABLE, dtype=np.int8)
    values: list[dt.datetime | None] = [None] * n
    open_parts: list[tuple[int, _Parts]] = []
    with_clock = no_clock = 0
    alone, whole_days = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    offsets: dict[int, int] = {}
    for i, cell in enumerate(in_steps(cells, progress, _BATCH)):
        if isinstance(cell, str):
            text = cell.strip().lower()
            clock = None if clocks is None else clocks[i]
            if not text:
                state[i] = MISSING
            if (offset := _offset(text)) is not None:
                offsets[i] = offset
            found = _parse(text)
        else:
            clock = None if clocks is None else clocks[i]
            found = _from_cell(cell)
        if found is None:
            continue
        moment, has_clock = found
        with_clock += has_clock
        if not has_clock:
            extra = None if clock is None else parse_clock(clock)
            if clock is not None and extra is None and not (isinstance(clock, str) and not clock.strip()):
                continue
            if extra is None:
                alone[i] = True
                whole_days[i] = clocks is None and not isinstance(cell, str)
            else:
                moment = _with_clock(moment, extra)
                with_clock += 1
        if isinstance(moment, _Parts):
            open_parts.append((i, moment))
        else:
            values[i] = moment
    if whole_days.sum() * _RARELY <= with_clock:
        alone &= ~whole_days
    no_clock = int(alone.sum())
    order = _order(open_parts, day_first, default_day_first)
    for i, parts in in_steps(open_parts, progress, _BATCH):
        state[i], values[i] = _settle(parts, order)
    for start in range(0, n, _BATCH):  # NumPy does not release the GIL while it converts
        progress.raise_if_cancelled()
        written = zip(values[start : start + _BATCH], cells[start : start + _BATCH], strict=True)
        part = [
            None if value is not None and value.year < first_year and not _is_serial(cell) else value
            for value, cell in written
        ]
        known = np.array([value is not None for value in part])
        time[start : start + _BATCH][known] = np.array([v for v in part if v is not None], dtype="datetime64[ns]")
        state[start : start + _BATCH][known] = OK
    utc = np.array([i for i, offset in offsets.items() if offset == 0], dtype=np.int64)
    moved = _move(time, utc, {i: offset for i, offset in offsets.items() if offset})
    days_alone = alone if no_clock < with_clock else np.zeros(n, dtype=bool)
    return Times(time, state, order, no_clock, days_alone, len(utc) - moved, moved)


def read_times(
    cells: pd.Series[str], *, day_first: bool | None = None, progress: Progress = SILENT
) -> tuple[NDArray[np.datetime64], NDArray[np.int8], Order]:
    """Time and state of each cell of a column of a table at hand, as of :func:`parse_times`, and the order of them all.

    A hundred times as fast on times as 2024-12-31 15:30, which may lie beyond 2100, too.
    """
    import pandas as pd

    codes, distinct = pd.factorize(cells)  # most columns repeat the days
    text = pd.Series(distinct, dtype="str").str.strip()
    time = pd.to_datetime(text.where(text.str.fullmatch(_ISO)), format="ISO8601", errors="coerce").to_numpy("M8[ns]")
    rest = np.isnat(time)
    state = np.full(len(time), OK, dtype=np.int8)
    read = parse_times(text[rest].tolist(), day_first=day_first, progress=progress)
    time[rest], state[rest] = read.time, read.state
    return time[codes], state[codes], read.order


def _offset(text: str) -> int | None:
    """The minutes east of Greenwich that a time states, None if it does not."""
    if _P["utc"].search(text):
        return 0
    found = _P["offset"].search(text)
    if found is None:
        return None
    sign, hours, minutes = (a or b for a, b in zip(found.groups()[:3], found.groups()[3:], strict=True))
    return int(f"{sign}1") * (60 * int(hours) + int(minutes))


def _move(time: NDArray[np.datetime64], utc: NDArray[np.int64], offsets: dict[int, int]) -> int:
    """Move times in UTC to the offset of the nearest of the others where these surround them; returns how many."""
    others = np.array(list(offsets), dtype=np.int64)
    others = others[~np.isnat(time[others])]
    others = others[np.argsort(time[others], kind="stable")]
    known = time[others]
    moved = 0
    for i in utc[~np.isnat(time[utc])].tolist():
        at = int(np.searchsorted(known, time[i]))
        if not 0 < at < len(known):
            continue
        before, behind = time[i] - known[at - 1], known[at] - time[i]
        if max(before, behind) <= _NEIGHBOURS:
            time[i] += np.timedelta64(offsets[int(others[at - 1 if before <= behind else at])], "m")
            moved += 1
    return moved


def parse_clock(cell: Cell) -> tuple[int, int, int, int] | None:
    """A time of day as (hour, minute, second, microsecond), None if it is not one."""
    if isinstance(cell, dt.datetime):
        cell = cell.time()
    if isinstance(cell, dt.time):
        return (cell.hour, cell.minute, cell.second, cell.microsecond)
    if isinstance(cell, dt.timedelta):
        cell = cell.total_seconds() / 86400
    if isinstance(cell, float) and 0 <= cell < 1:
        seconds = min(round(cell * 86400), 86399)
        return (seconds // 3600, seconds // 60 % 60, seconds % 60, 0)
    text = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip().lower()
    if text.isdigit() and len(text) in (3, 5):
        text = "0" + text  # a spreadsheet has dropped the leading zero of 0905
    return _clock_part(text)


def has_date(cell: Cell) -> bool:
    """Whether a cell holds a date, not only a time of day."""
    if isinstance(cell, str):
        text = cell.strip().lower()
        return _clock_part(text) is None and _parse(text) is not None
    return _from_cell(cell) is not None


def does_not_exist(cell: Cell) -> bool:
    """Whether a cell is written as a date, of a day or an hour that there is not, such as 31 February or 25:00.

    cell: one that :func:`parse_times` could not read
    """
    text = cell_text(cell).lower()
    written = next(filter(None, (_P[name].fullmatch(text) for name in _DATES)), None)
    return written is not None and ("name" not in written.groupdict() or simplified(written["name"]) in _MONTHS)


def _from_cell(cell: Cell) -> tuple[dt.datetime | _Parts, bool] | None:
    if isinstance(cell, dt.datetime):
        return cell.replace(tzinfo=None), True
    if isinstance(cell, dt.date):
        return dt.datetime(cell.year, cell.month, cell.day), False
    if not isinstance(cell, (int, float)):
        return None
    return _parse(str(int(cell))) if float(cell).is_integer() else _from_serial(cell)


def _is_serial(cell: Cell) -> bool:
    return isinstance(cell, (int, float)) or _P["serial"].fullmatch(str(cell).strip()) is not None


def _from_serial(days: float) -> tuple[dt.datetime, bool] | None:
    """A date from Excel's serial number, to the second."""
    if not _EXCEL_DAYS[0] <= days < _EXCEL_DAYS[1]:
        return None
    return _EXCEL_EPOCH + dt.timedelta(seconds=round(days * 86400)), not float(days).is_integer()


def _parse(text: str) -> tuple[dt.datetime | _Parts, bool] | None:
    # Dates and times of day recur: caching each by itself is far faster.
    if parts := _P["two_parts"].fullmatch(text):
        date, clock = _parse_whole(parts[1]), _clock_part(parts[2])
        if date is not None and clock is not None and not date[1]:
            return _with_clock(date[0], clock), True
    return _parse_whole(text)


@lru_cache(maxsize=1 << 15)
def _clock_part(text: str) -> tuple[int, int, int, int] | None:
    match = _P["clock_only"].fullmatch(text)
    return None if match is None else _clock_of(match)


@lru_cache(maxsize=1 << 15)
def _parse_whole(text: str) -> tuple[dt.datetime | _Parts, bool] | None:
    for name in _DATES:
        if match := _P[name].fullmatch(text):
            return _from_match(match)
    if _P["serial"].fullmatch(text):
        return _from_serial(float(text.replace(",", ".")))
    return None


def _from_match(match: re.Match[str]) -> tuple[dt.datetime | _Parts, bool] | None:
    groups = match.groupdict()
    year = _year(groups["y"])
    has_clock = groups.get("h") is not None
    clock = _clock_of(match) if has_clock else (0, 0, 0, 0)
    if clock is None:
        return None
    if "p" in groups:
        return _Parts(year, clock, int(groups["p"]), int(groups["q"]), groups["sep"] == "."), has_clock
    month = _MONTHS.get(simplified(groups["name"])) if "name" in groups else int(groups["m"])
    moment = None if month is None else _moment(year, month, int(groups["d"]), clock)
    return None if moment is None else (moment, has_clock)


def _clock_of(match: re.Match[str]) -> tuple[int, int, int, int] | None:
    groups = match.groupdict()
    hour, minute, second = int(groups["h"]), int(groups["mi"]), int(groups["s"] or "0")
    if half := groups.get("ap"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return (hour, minute, second, int(f"{groups.get('f') or '0':0<6.6}"))


def _year(text: str) -> int:
    # Two digits as in POSIX.
    return int(text) if len(text) == 4 else int(text) + (2000 if int(text) < 69 else 1900)


def _moment(year: int, month: int, day: int, clock: tuple[int, int, int, int]) -> dt.datetime | None:
    if not _YEARS[0] <= year <= _YEARS[1]:
        return None
    try:
        return dt.datetime(year, month, day, *clock)
    except ValueError:
        return None


def _with_clock(moment: dt.datetime | _Parts, clock: tuple[int, int, int, int]) -> dt.datetime | _Parts:
    if isinstance(moment, _Parts):
        return _Parts(moment.year, clock, moment.p, moment.q, moment.dotted)
    return moment.replace(hour=clock[0], minute=clock[1], second=clock[2], microsecond=clock[3])


def _order(open_parts: list[tuple[int, _Parts]], stated: bool | None, default: bool) -> Order:
    """The order of day and month by evidence: a number above 12 is a day."""
    slashed = [p for _, p in open_parts if not p.dotted]
    day = any(p.p > 12 >= p.q for p in slashed)
    month = any(p.q > 12 >= p.p for p in slashed)
    undecided = sum(p.p <= 12 and p.q <= 12 and p.p != p.q for p in slashed)
    if stated is not None:
        return Order(stated, True, False, undecided)
    if day and month:
        return Order(default, False, True, undecided)
    if day or month:
        return Order(day, True, False, undecided)
    return Order(default, False, False, undecided)


def _settle(parts: _Parts, order: Order) -> tuple[int, dt.datetime | None]:
    either = parts.p <= 12 and parts.q <= 12
    if parts.dotted:
        day_first = True  # dots are written day first everywhere
    elif not either:
        day_first = parts.p > 12
    elif order.mixed and parts.p != parts.q:
        return AMBIGUOUS, None
    else:
        day_first = order.day_first
    day, month = (parts.p, parts.q) if day_first else (parts.q, parts.p)
    return UNREADABLE, _moment(parts.year, month, day, parts.clock)


# --- within sentences ---------------------------------------------------------------------------------

DAY = 86_400 * 10**9
"""Nanoseconds of a day."""


def readings(written: str) -> set[int]:
    """What a match of DATE may mean, with the day or the month first: the latest moment of each, ns since 1970."""
    return {
        shown_by(int(of.time[0].astype("datetime64[ns]").astype("int64")))
        for day_first in (True, False)
        for of in (parse_times([" ".join(written.split())], day_first=day_first),)
        if of.state[0] == OK
    }


def shown_by(time: int) -> int:
    """The latest moment that a time stands for: midnight is how a date without a time of day is written."""
    return time + DAY - 1 if time % DAY == 0 else time


def nanoseconds(moment: dt.datetime) -> int:
    """A local time as nanoseconds since 1970."""
    return int(moment.replace(tzinfo=dt.UTC).timestamp()) * 10**9


# --- ages of patients, in whole years; dates of birth are never kept -----------------------------------

UNKNOWN_AGE = -1
_OLDEST = 120
"""Greater numbers stand for something else, such as 999 for an unknown age."""
_PER_YEAR = {word: int(n) for word, n in meanings("reading", "times.toml", table="ages").items()} | {"": 1}
"""How many of a unit make up a year."""


def age_in(cell: Cell) -> int:
    """The age that a cell states, in whole years: '67', '067Y' (DICOM), '67 years', '8 M' (months), '90+'.

    UNKNOWN_AGE for anything else, and beyond 120 years.
    """
    match = _P["age"].fullmatch(cell_text(cell))
    if match is None:
        return UNKNOWN_AGE
    per_year = _PER_YEAR.get(simplified(match[2]))
    age = UNKNOWN_AGE if per_year is None else int(match[1]) // per_year
    return age if age <= _OLDEST else UNKNOWN_AGE


def years_between(cells: Sequence[Cell], born: NDArray[np.datetime64], at: NDArray[np.datetime64]) -> list[int]:
    """Whole years from each date of birth to each time, (n,) each; UNKNOWN_AGE where one is missing or it cannot be.

    cells: the dates as written; a birth after the examination, of a year of two digits, was a century earlier
    """
    short = np.array([isinstance(cell, str) and _P["four_digits"].search(cell) is None for cell in cells], dtype=bool)
    known = ~(np.isnat(born) | np.isnat(at))
    years = np.full(len(born), UNKNOWN_AGE, dtype=np.int64)
    birth, exam = (_calendar(of[known]) for of in (born, at))
    found = exam[0] - birth[0] - (exam[1] * 100 + exam[2] < birth[1] * 100 + birth[2])
    found = np.where((found < 0) & short[known], found + 100, found)
    years[known] = np.where((found >= 0) & (found <= _OLDEST), found, UNKNOWN_AGE)
    return [int(n) for n in years]


def _calendar(of: NDArray[np.datetime64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Year, month (0-11) and day (0-30)."""
    day, month, year = (of.astype(f"datetime64[{unit}]") for unit in "DMY")
    return (
        year.astype(np.int64) + 1970,
        (month - year).astype(np.int64),
        (day - month).astype(np.int64),
    )
