"""The catalogues in resources/languages: how each language writes numbers and dates, and RadCal's texts in it.

English texts stand in the code, where they are read; a catalogue gives each of them in its language, under the
English text.  English itself has no texts in its catalogue, only its manners.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from radcal.errors import InputError
from radcal.resources import resource

_TAG = re.compile(r"([a-z]{2})(?:[-_]([A-Za-z]{2}))?")
_HOLES = re.compile(r"\{\w*\}")
_COMPOUND = re.compile(r"(?<=\d)\s%(?=-\w)")
_FOLDER = "languages"


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """One language, as its catalogue has it.

    code: ISO 639-1, "de";  name: the language's own name for itself
    decimal, group: the marks in 1,234.5
    quotes: around a word that is cited
    months: twelve short names;  day: a date from {day}, {month} and {year}
    hyphenate: whether words may be divided at the end of a line on paper
    page: English text -> text in this language, of the printed pages
    sentences: English sentence -> sentence, of what the other parts of RadCal say
    parts: of what a placeholder in these can hold, the same, by the placeholder's name
    """

    code: str
    name: str
    decimal: str
    group: str
    quotes: tuple[str, str]
    months: tuple[str, ...]
    day: str
    hyphenate: bool
    page: Mapping[str, str]
    sentences: Mapping[str, str]
    parts: Mapping[str, Mapping[str, str]]

    def say(self, text: str, **values: str) -> str:
        """A text of the printed pages with its placeholders filled in; English where the catalogue lacks it.

        Within a compound a percentage is joined by hyphens, as German spells it: "95-%-Intervall".
        """
        return _COMPOUND.sub("-%", self.page.get(text, text).format_map(values))

    def number(self, value: float, decimals: int = 0) -> str:
        """A number with thousands separated: "1,234.5" in English, "1.234,5" in German."""
        marks = str.maketrans({",": self.group, ".": self.decimal})
        return f"{value:,.{decimals}f}".translate(marks)


def language(tag: str = "en") -> Language:
    """The language of a tag such as "de" or "de-AT"; the region makes no difference to words.

    Raises:
        InputError: RadCal has no catalogue for it, or the catalogue is broken.
    """
    return _language(base(tag)[0])


@cache
def _language(code: str) -> Language:
    path = resource(_FOLDER, f"{code}.json")
    try:
        return _checked(code, _read(path))
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InputError(
            f"The texts of RadCal in {path.name} are broken ({_why(error)}). Install RadCal again."
        ) from error


def base(tag: str) -> tuple[str, str]:
    """The language and the region of a tag: ("de", "AT") for "de-AT", ("en", "") for "en".

    Raises:
        InputError: RadCal does not speak that language.
    """
    match = _TAG.fullmatch(tag)
    if match is None or match[1] not in languages():
        raise InputError(f"There is no language {tag!r}. Choose one of {', '.join(languages())}.")
    return match[1], (match[2] or "").upper()


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that there is a catalogue for."""
    return tuple(sorted(path.stem for path in resource(_FOLDER).glob("*.json")))


def _read(path: Path) -> dict[str, Any]:
    """A catalogue as it stands in its file.

    Raises:
        ValueError: no JSON, or a text stands there twice.
        TypeError: no JSON object.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            raise ValueError(f"{max(keys, key=keys.count)!r} stands there twice")
        return made

    found = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=once)
    if not isinstance(found, dict):
        raise TypeError("no JSON object")
    return found


def _checked(code: str, found: Mapping[str, Any]) -> Language:
    numbers, dates = found["numbers"], found["dates"]
    made = Language(
        code=code,
        name=found["name"],
        decimal=numbers["decimal"],
        group=numbers["group"],
        quotes=(found["quotes"][0], found["quotes"][1]),
        months=tuple(dates["months"]),
        day=dates["day"],
        hyphenate=found["hyphenate"],
        page=found.get("page", {}),
        sentences=found.get("sentences", {}),
        parts=found.get("parts", {}),
    )
    if len(made.months) != 12:
        raise ValueError(f"{len(made.months)} months")
    for texts in (made.page, made.sentences, *made.parts.values()):
        for english, told in texts.items():
            if set(_HOLES.findall(english)) != set(_HOLES.findall(told)):
                raise ValueError(f"other placeholders in the translation of {english!r}")
    return made


def _why(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, LookupError) else str(error)
