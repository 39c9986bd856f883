"""RadCal's own texts in the reader's language, and how it writes numbers, lists and dates.

English texts stand in the code, where they are read; ``resources/locale`` has a gettext catalogue for each other
language, with all texts of window, paper and messages under the English ones.
"""

from __future__ import annotations

import gettext
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from numbers import Number
from string import Formatter
from types import MappingProxyType
from typing import TYPE_CHECKING

from radcal.system.coarse import band
from radcal.system.errors import InputError
from radcal.system.language.manners import DASH, Manners
from radcal.system.language.wording import NO_WORDING, Wording, with_days
from radcal.system.resources import resource
from radcal.system.text import Text, begun

if TYPE_CHECKING:
    from radcal.system.selection import Days

_DOMAIN = "radcal"
_TAG = re.compile(r"([a-z]{2})(?:[-_]([A-Za-z]{2}))?")
_WHOLE = 1e-9
_COMPOUND = re.compile(r"(?<=\d)\s%(?=-\w)")


@dataclass(frozen=True)
class Language(Manners):
    """One language, as its catalogue has it.

    code: ISO 639-1, "de";  name: the language's own name for itself
    hyphenate: whether words may be divided at the end of a line on paper
    wording: of the study that is spoken of
    """

    code: str
    name: str
    hyphenate: bool
    catalogue: gettext.NullTranslations
    wording: Wording = NO_WORDING

    def say(self, text: str, /, *, many: str = "", **values: object) -> str:
        """A text of the window or the pages with its placeholders filled in; English where the catalogue lacks it.

        Without values, placeholders stay.  ``many`` is the text for any ``n`` but 1.  Within a compound a percentage is
        joined by hyphens, as German spells it: "95-%-Intervall".
        """
        template = self._template(text, many, values)
        return _COMPOUND.sub("-%", self._filled(template, values)) if values else template

    def out_of(self, n: float, total: float) -> str:
        """A count out of a total for a sentence: "6 of 61"; "about 132 of 231" where the reference was uncertain."""
        whole = round(n)
        if abs(n - whole) < _WHOLE:
            return self.say("{y} of {n}", y=self.count(whole), n=self.count(total))
        return self.say("about {y} of {n}", y=self.count(whole), n=self.count(total))

    def counted(self, n: float, one: str, many: str) -> str:
        """A count with its noun, of texts with {n}: "1 statement", "2 statements"."""
        shown = self.count(n)
        return self._template(one, many, {"n": 1 if shown == "1" else 2}).format(n=shown)

    def banded(self, n: float) -> str:
        """A count as the band that it lies in: "30-49", "fewer than 5" (:mod:`radcal.system.coarse`)."""
        limits = band(n)
        if not limits.low:
            return self.say("fewer than {n}", n=self.count(limits.high + 1))
        return f"{self.count(limits.low)}{DASH}{self.count(limits.high)}"

    def pathology(self, name: str) -> str:
        """A pathology in this language beside its name in the reports: "Pleuraerguss (pleural effusion)"."""
        own = self.wording.names.get(name) or (self.catalogue.gettext(name) if name else "")
        return own if own.casefold() == name.casefold() else f"{own} ({name})"

    def write(self, text: str) -> str:
        """A sentence as it is shown: in this language, with printed quotation marks, ranges and units.

        Names, and words of reports, stay as they are.
        """
        if not (isinstance(text, Text) and text.values):
            told = self._template(text, "", {}) if isinstance(text, Text) else self.catalogue.gettext(text)
            return self.typographic(told if text else "")
        return self._filled(self.typographic(self._template(text.template, text.many, text.values)), text.values)

    def listed(self, parts: Sequence[str], most: int = 0) -> str:
        """An enumeration: "a", "a and b", "a, b and c"; with ``most`` set, "a, b and 3 more", and never "1 more"."""
        shown = list(parts)
        if most and len(shown) > most + 1:
            shown = [*shown[:most], self.say("{n} more", n=str(len(parts) - most))]
        if len(shown) < 2:
            return "".join(shown)
        return self.catalogue.gettext("{some} and {last}").format(some=", ".join(shown[:-1]), last=shown[-1])

    def days_chosen(self, days: Days) -> str:
        """The days that were asked for: "3 Jan 2026 - 5 Mar 2026", "from 3 Jan 2026", "until 5 Mar 2026"; '' if all."""
        first, last = (self.day(d) if d else "" for d in (days.first, days.last))
        if first and last:
            return first if first == last else f"{first} {DASH} {last}"
        if first:
            return self.say("from {day}", day=first)
        return self.say("until {day}", day=last) if last else ""

    def _template(self, one: str, many: str, values: Mapping[str, object]) -> str:
        if not many:
            return self.wording.names.get(one) or self.wording.of(self.catalogue.gettext(one))
        return self.wording.of(self.catalogue.ngettext(one, many, 1 if values["n"] == 1 else 2))

    def _filled(self, template: str, values: Mapping[str, object]) -> str:
        values = with_days(template, values)
        return "".join(
            literal + ("" if name is None else self._value(values[name], form or "", conversion))
            for literal, name, form, conversion in Formatter().parse(template)
        )

    def _value(self, value: object, form: str, conversion: str | None) -> str:
        if isinstance(value, Text):
            if (word := self.wording.words.get(value)) and conversion != "c":
                return word  # within a sentence
            return begun(self.write(value)) if conversion == "c" else self.write(value)
        if isinstance(value, str):
            return self.quoted(value) if conversion == "r" else value
        written = format(value, form)
        return self.marked(written) if isinstance(value, Number) else written


def language(tag: str = "en", wordings: Mapping[str, Wording] = MappingProxyType({})) -> Language:
    """The language of a tag such as "de" or "de-AT", as it is printed; the region makes no difference to words.

    wordings: of a study, by the code of the language.

    Raises:
        InputError: RadCal has no catalogue for it, or the catalogue is broken.
    """
    code = base(tag)[0]
    return replace(_language(code), wording=wordings[code]) if code in wordings else _language(code)


@cache
def _language(code: str) -> Language:
    try:
        return _of(code, _catalogue(code))
    except (OSError, ValueError, LookupError, struct.error) as error:
        raise InputError(
            "The texts of RadCal in {name} are broken ({error}). Install RadCal again.",
            name=f"{code}/{_DOMAIN}.mo",
            error=error,
        ) from error


def _catalogue(code: str) -> gettext.NullTranslations:
    if code == "en":
        return gettext.NullTranslations()
    with resource("locale", code, "LC_MESSAGES", f"{_DOMAIN}.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def _of(code: str, catalogue: gettext.NullTranslations) -> Language:
    """The language with its manners, which are texts of its catalogue like others."""
    manner = catalogue.pgettext
    quotes = manner("around a word that is cited on paper", "\u2018{word}\u2019").partition("{word}")
    return Language(
        code=code,
        name=manner("the language's own name for itself", "English"),
        decimal=manner("decimal mark", "."),
        group=manner("between thousands", ","),
        quotes=(quotes[0], quotes[2]),
        apostrophe="\N{RIGHT SINGLE QUOTATION MARK}",
        months=tuple(manner("short names of the months", "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec").split()),
        dated=manner("date", "{day}\u00a0{month}\u00a0{year}"),
        hyphenate=manner("whether words may be divided at the end of a line: yes or no", "no") == "yes",
        catalogue=catalogue,
    )


def base(tag: str) -> tuple[str, str]:
    """The language and the region of a tag: ("de", "AT") for "de-AT", ("en", "") for "en".

    Raises:
        InputError: RadCal does not speak that language.
    """
    match = _TAG.fullmatch(tag)
    if match is None or match[1] not in languages():
        raise InputError("There is no language {tag!r}. Choose one of {known}.", tag=tag, known=", ".join(languages()))
    return match[1], (match[2] or "").upper()


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that RadCal speaks."""
    return tuple(sorted({"en", *(path.name for path in resource("locale").iterdir() if path.is_dir())}))
