"""Holidays in English and German, as texts name them, and the days that they fall on: ``holidays.tsv``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from radcal.system.resources import resource


def _easter(year: int, days: int) -> date:
    """Return a day by its distance from Easter Sunday of the Gregorian calendar (Meeus, Jones, Butcher)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    h = (19 * a + b - d - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    i, k = divmod(c, 4)
    j = (32 + 2 * e + 2 * i - h - k) % 7
    month, day = divmod(h + j - 7 * ((a + 11 * h + 22 * j) // 451) + 114, 31)
    return date(year, month, day + 1) + timedelta(days)


def _weekday(year: int, month: int, weekday: int, n: int, further: int = 0) -> date:
    """Return the n-th weekday (Monday is 0) of a month, the last for -1, or a day some days further."""
    if n < 0:
        last = date(year + month // 12, month % 12 + 1, 1) - timedelta(1)
        return last - timedelta((last.weekday() - weekday) % 7 - further)
    first = date(year, month, 1)
    return first + timedelta((weekday - first.weekday()) % 7 + 7 * (n - 1) + further)


def _advent(year: int, n: int, further: int = 0) -> date:
    eve = date(year, 12, 24)
    return eve - timedelta((eve.weekday() + 1) % 7 + 7 * (4 - n) - further)


_RULES: dict[str, Callable[..., date]] = {"date": date, "easter": _easter, "weekday": _weekday, "advent": _advent}


class Holiday(NamedTuple):
    """A holiday.

    Attributes:
        names: a pattern.
        rule: of the day on which it falls, one of date, easter, weekday, advent; never where no rule tells.
        numbers: that complete the rule.
        is_german: whether its names are.
    """

    names: str
    rule: str
    numbers: tuple[int, ...]
    is_german: bool

    @property
    def is_fixed(self) -> bool:
        """Whether it is the same day of every year."""
        return self.rule == "date"

    def day(self, year: int) -> date | None:
        """Return the day on which it falls in a year; None where no rule tells."""
        return _RULES[self.rule](year, *self.numbers) if self.rule in _RULES else None


def _listed() -> Iterator[Holiday]:
    lines = resource("deidentify", "holidays.tsv").read_text(encoding="utf-8").splitlines()
    for language, day, names in [line.split("\t") for line in lines if not line.startswith("#")][1:]:
        rule, *numbers = day.split()
        yield Holiday(names, rule, tuple(map(int, numbers)), language == "de")


HOLIDAYS = sorted(
    _listed(),
    key=lambda holiday: -len(re.sub(r"\(\?:[^()]*\)\?", "", holiday.names)),  # "Christmas Eve" before "Christmas"
)


def _stems(names: str) -> Iterator[str]:
    """Yield what stands in any text that has one of the names of a pattern."""
    while (less := re.sub(r"\(\?:[^()]*\)\??", "\n", names)) != names:
        names = less
    for name in re.sub(r".['’\]]*\?|\[|\.", "\n", names).split("|"):
        yield max(re.findall(r"[^\W\d_]+(?: [^\W\d_]+)*", name), key=len)


FESTIVE = re.compile("|".join(sorted({stem for holiday in HOLIDAYS for stem in _stems(holiday.names)})))
"""What stands in texts with a holiday, in lower case."""
