"""Numbers, dates and lists as words, in the reader's language: how the printed pages say them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from radcal.language import Language, language, translated

if TYPE_CHECKING:
    from datetime import date, datetime

    from radcal.records import Days, Phrase

NBSP = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"
APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
_PART = 0.1
"""The smallest part of a statement that is printed."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How one language says what stands on a page.

    The texts that it is given are English ones of this package, written out where they are used, so that a test can
    compare them with the catalogues.
    """

    language: Language

    def say(self, text: str, **values: str) -> str:
        """A text of the pages with its placeholders filled in."""
        return self.language.say(text, **values)

    def told(self, text: str) -> str:
        """What another part of RadCal says, in this language and as it is printed; never the words of a report."""
        return self.typographic(translated(text, self.language))

    def term(self, text: str) -> str:
        """A name of RadCal's own, such as that of an engine, in this language."""
        return translated(text, self.language)

    def counted(self, n: float, one: str, many: str) -> str:
        """A count with its noun, of texts with {n}: "1 statement", "2 statements"."""
        return self.say(one if self.count(n) == "1" else many, n=self.count(n))

    def count(self, n: float) -> str:
        """A count with thousands separated, e.g. "2,662"; one decimal where the reference itself was uncertain."""
        return self.language.number(n, 0 if abs(n - round(n)) < 0.05 else 1)

    def part(self, n: float, total: float) -> str:
        """A count out of a total, as :meth:`count`; "<0.1" and ">21.9" rather than a 0 or all that it is not."""
        said = self.count(n)
        if n > 0 and said == self.count(0):
            return f"<{self.language.number(_PART, 1)}"
        if n < total and said == self.count(total):
            return f">{self.language.number(total - _PART, 1)}"
        return said

    def percent(self, share: float) -> str:
        """A share in 0-1 as "47 %"."""
        return f"{_whole_percent(share)}{NBSP}%"

    def percent_range(self, low: float, high: float) -> str:
        """A range of shares as "75-90 %", or "100 %" where both ends are the same."""
        if low == high:
            return self.percent(low)
        return f"{100 * low:.0f}{DASH}{100 * high:.0f}{NBSP}%"

    def spread(self, low: float, high: float, decimals: tuple[int, int] = (0, 0)) -> str:
        """The interval of a share, in percent: "(37-57)"; ``decimals`` of either end."""
        first, last = (self.language.number(100 * v, d) for v, d in zip((low, high), decimals, strict=True))
        return f"({first}{DASH}{last})"

    def rate(self, share: float, low: float, high: float) -> str:
        """A share with its interval: "47 % (37-57)"."""
        return f"{self.percent(share)} {self.spread(low, high)}"

    def error(self, value: float) -> str:
        """A calibration error in 0-1: "0.14"."""
        return self.language.number(value, 2)

    def error_spread(self, low: float | None, high: float | None) -> str:
        """The interval of a calibration error, "(0.10-0.19)"; '' where there is none."""
        return "" if low is None or high is None else f"({self.error(low)}{DASH}{self.error(high)})"

    def tied(self, text: str) -> str:
        """A text that ends in a share such as "3 of 4", which is kept in one line."""
        return NBSP.join(text.rsplit(" ", 2))

    def hours(self, hours: float) -> str:
        """A duration in hours, without the unit: "12", "1.5"."""
        return f"{hours:g}".replace(".", self.language.decimal)

    def quoted(self, phrase: str) -> str:
        """A certainty phrase as it is cited in running text."""
        return phrase.join(self.language.quotes)

    def meaning(self, phrase: Phrase) -> str:
        """The range that readers take a phrase to mean."""
        return self.percent_range(phrase.low, phrase.high)

    def listed(self, parts: Sequence[str], most: int = 0) -> str:
        """An enumeration: "a", "a and b", "a, b and c"; with ``most`` set, "a, b and 3 more", and never "1 more"."""
        shown = list(parts)
        if most and len(shown) > most + 1:
            shown = [*shown[:most], self.say("{n} more", n=str(len(parts) - most))]
        if len(shown) < 2:
            return "".join(shown)
        return self.say("{some} and {last}", some=", ".join(shown[:-1]), last=shown[-1])

    def day(self, when: date) -> str:
        """A date with its month in letters: "3 Jan 2026"."""
        return self.language.day.format(day=when.day, month=self.language.months[when.month - 1], year=when.year)

    def date_range(self, first: datetime | None, last: datetime | None) -> str:
        """The time that the examinations span: "Jan-Sep 2026", "Nov 2025-Feb 2026", "Jan 2026", "" if unknown."""
        if first is None or last is None:
            return ""
        start, end = (self.language.months[when.month - 1] for when in (first, last))
        if first.year != last.year:
            return f"{start}{NBSP}{first.year}{DASH}{end}{NBSP}{last.year}"
        return f"{start}{NBSP}{first.year}" if start == end else f"{start}{DASH}{end}{NBSP}{last.year}"

    def days_chosen(self, days: Days) -> str:
        """The days that were asked for: "3 Jan 2026 - 5 Mar 2026", "from 3 Jan 2026", "until 5 Mar 2026"; '' if all."""
        first, last = (self.day(d) if d else "" for d in (days.first, days.last))
        if first and last:
            return first if first == last else f"{first} {DASH} {last}"
        if first:
            return self.say("from {day}", day=first)
        return self.say("until {day}", day=last) if last else ""

    def typographic(self, text: str) -> str:
        """A sentence of RadCal's own with printed quotes, ranges and units; never for the words of a report."""
        text = re.sub(r"(?<!\w)'([^']+)'(?!\w)", lambda found: self.quoted(found[1]), text)
        text = re.sub(r"(?<=\w)'(?=\w)", APOSTROPHE, text)
        text = re.sub(r"(?<=\d)-(?=\d)", DASH, text)
        return re.sub(r"(?<=\d) %", f"{NBSP}%", text)


def _whole_percent(share: float) -> str:
    """Whole percents; "<1" and ">99" rather than a 0 or 100 that the share is not."""
    percent = round(100 * share)
    if percent == 0 and share > 0:
        return "<1"
    if percent == 100 and share < 1:
        return ">99"
    return str(percent)


def wording(tag: str = "en") -> Wording:
    """How the language of a tag such as "en", "en-GB" or "de" says it.

    Raises:
        InputError: RadCal does not speak it.
    """
    return Wording(language(tag))
