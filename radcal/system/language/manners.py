"""How a language writes numbers, shares, ranges, dates and what is cited: on paper, in the window and in messages."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property

NBSP = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"
_QUOTED = re.compile(r"(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w))+)'(?!\w)")
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_RANGE = re.compile(r"(?<![\w-])(\d+|\{\w+\})-(?=(?:\d+|\{\w+\})(?:[ )]|$))")
_PART = 0.1
"""The smallest part of a statement that is printed."""


@dataclass(frozen=True)
class Manners:
    """The marks, names and patterns of one language.

    decimal, group: the marks in 1,234.5
    quotes: around a word that is cited;  apostrophe: within words
    months: twelve short names;  dated: a date from {day}, {month} and {year}
    """

    decimal: str
    group: str
    quotes: tuple[str, str]
    apostrophe: str
    months: tuple[str, ...]
    dated: str

    def number(self, value: float, decimals: int = 0) -> str:
        """A number with thousands separated: "1,234.5" in English, "1.234,5" in German."""
        return self.marked(f"{value:,.{decimals}f}")

    def marked(self, number: str) -> str:
        """A number that Python has written, with this language's marks."""
        return number.translate(self._marks)

    def count(self, n: float) -> str:
        """A count with thousands separated, e.g. "2,662"; one decimal where the reference itself was uncertain."""
        return self.number(n, 0 if abs(n - round(n)) < 0.05 else 1)

    def part(self, n: float, total: float) -> str:
        """A count out of a total, as :meth:`count`; "<0.1" and ">21.9" rather than a 0 or all that it is not."""
        said = self.count(n)
        if n > 0 and said == self.count(0):
            return f"<{self.number(_PART, 1)}"
        if n < total and said == self.count(total):
            return f">{self.number(total - _PART, 1)}"
        return said

    def percent(self, share: float) -> str:
        """A share in 0-1 as "47 %"; "<1 %" and ">99 %" rather than a 0 or 100 that it is not."""
        points = round(100 * share)
        if points == 0 and share > 0:
            return f"<1{NBSP}%"
        if points == 100 and share < 1:
            return f">99{NBSP}%"
        return f"{points}{NBSP}%"

    def sure(self, share: float) -> str:
        """A probability in percent, rounded down: what is 94.9 % sure is not 95 % sure."""
        return self.percent(min(share, 0.999) if share >= 0.995 else math.floor(100 * share + 1e-9) / 100)

    def percent_range(self, low: float, high: float) -> str:
        """A range of shares as "75-90 %", or "100 %" where both ends read alike."""
        first, last = f"{100 * low:.0f}", f"{100 * high:.0f}"
        return f"{first}{NBSP}%" if first == last else f"{first}{DASH}{last}{NBSP}%"

    def spread(self, low: float, high: float, decimals: tuple[int, int] = (0, 0)) -> str:
        """The interval of a share, in percent: "(37-57)"; ``decimals`` of either end."""
        first, last = (self.number(100 * v, d) for v, d in zip((low, high), decimals, strict=True))
        return f"({first}{DASH}{last})"

    def rate(self, share: float, low: float, high: float, decimals: tuple[int, int] = (0, 0)) -> str:
        """A share with its interval: "47 % (37-57)"; ``decimals`` of either end."""
        return f"{self.percent(share)} {self.spread(low, high, decimals)}"

    def error(self, value: float) -> str:
        """A calibration error, or another score, in 0-1: "0.14"."""
        return self.number(value, 2)

    def p_value(self, p: float) -> str:
        """A p-value: "p = 0.34", "p = 0.003", "p < 0.001"."""
        if p < 0.001:
            return f"p < {self.number(0.001, 3)}"
        return f"p = {self.number(p, 2 if p >= 0.01 else 3)}"

    def error_spread(self, low: float | None, high: float | None) -> str:
        """The interval of a score, "(0.10-0.19)"; '' where there is none."""
        return "" if low is None or high is None else f"({self.error(low)}{DASH}{self.error(high)})"

    def hours(self, hours: float) -> str:
        """A duration in hours, without the unit: "12", "1.5"."""
        return self.marked(f"{hours:g}")

    def quoted(self, word: str) -> str:
        """A word that is cited in running text."""
        return word.join(self.quotes)

    def tied(self, text: str) -> str:
        """A text that ends in a share such as "3 of 4", which is kept in one line."""
        return NBSP.join(text.rsplit(" ", 2))

    def day(self, when: date) -> str:
        """A date with its month in letters: "3 Jan 2026"."""
        return self.dated.format(day=when.day, month=self.months[when.month - 1], year=when.year)

    def date_range(self, first: datetime | None, last: datetime | None) -> str:
        """The months between two times: "Jan-Sep 2026", "Nov 2025-Feb 2026", "Jan 2026", "" if unknown."""
        if first is None or last is None:
            return ""
        start, end = (self.months[when.month - 1] for when in (first, last))
        if first.year != last.year:
            return f"{start}{NBSP}{first.year}{DASH}{end}{NBSP}{last.year}"
        return f"{start}{NBSP}{first.year}" if start == end else f"{start}{DASH}{end}{NBSP}{last.year}"

    def typographic(self, text: str) -> str:
        """A sentence of RadCal's own with printed quotes, ranges and units; never for the words of a report."""
        text = _QUOTED.sub(lambda found: self.quoted(found[1]), text)
        text = _APOSTROPHE.sub(self.apostrophe, text)
        return _RANGE.sub(f"\\1{DASH}", text).replace(" %", f"{NBSP}%")

    @cached_property
    def _marks(self) -> dict[int, str]:
        return str.maketrans({",": self.group, ".": self.decimal})
