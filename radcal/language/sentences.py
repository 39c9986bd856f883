"""Sentences that other parts of RadCal say in English, in the reader's language.

Advice, reasons and messages are English sentences, and results keep them as such, so that a workspace means the same
to everybody who opens it.  A catalogue has their templates; a sentence is recognised by its template, and its values
(counts, words, names) are put into the translated one.  Where several templates fit, the one with the most text of
its own is meant.  A message of which any sentence is not recognised stays as it
is: it is all in one language.

Names of phrases and pathologies are never translated: they are what stands in the reports.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from radcal.language.catalogue import Language
from radcal.resources import resource

Number = Callable[[float, int], str]
"""A number with so many decimals, as it is to be written."""

_NUMBER = r"-?\d[\d,]*(?:\.\d+)?"
_QUOTED = r"'(?:[^'\n]|(?<=\w)'(?=\w))+'"
_WORD = rf"(?:{_QUOTED}|(?i:a) plain (?:'no[^'\n]*'|statement)|\d+ other words)"
_VALUES = {
    **dict.fromkeys(("n", "m", "min", "before", "after"), _NUMBER),
    "key": r"[\w.]+",
    "reference": r"[^;,.]+?",
    "quoted": rf"(?:{_QUOTED}|\"[^\"\n]+\")",
    "word": _WORD,
    "words": rf"{_WORD}(?:, {_WORD})*(?: and {_WORD})?",
    "choice": rf"{_WORD}(?: in (?:nearly all|about \d+ of 10)(?: such cases)?)?",
}
_ONLY_LISTED = ("tally", "count", "parts")
"""Placeholders that hold nothing but what the catalogue lists for them."""
_SAME = {"choice": "word", "words": "word", "parts": "part", "range": "share"}
"""Placeholders that can also hold what another can."""
_HOLE = re.compile(r"\{([a-z]+)(\d?)\}")
_MOST_PIECES = 4
"""A sentence is put together from so many pieces at most; of a text of many more nothing is known anyway."""
_ENDS = re.compile(r"(?<=[.?!]) (?=[A-Z0-9'])")


class _Template:
    """An English text with placeholders, and the text in the other language."""

    def __init__(self, english: str, told: str) -> None:
        self.told = told
        self._english = english
        pieces = _HOLE.split(english)[::3]
        # The first letter may be of either case, since it may begin a sentence.
        self._literal = max(pieces, key=len)[1:]
        self.length = sum(map(len, pieces))
        self._pattern: re.Pattern[str] | None = None

    def values(self, text: str) -> dict[str, str] | None:
        """What stands in the placeholders of a text; None if it is another text.

        There are hundreds of templates: a pattern is made when a text first has its longest literal piece.
        """
        if self._literal not in text:
            return None
        if self._pattern is None:
            self._pattern = _pattern(self._english)
        found = self._pattern.fullmatch(text)
        return None if found is None else found.groupdict()


def translated(text: str, language: Language, number: Number | None = None) -> str:
    """A text of RadCal in the language; unknown texts unchanged.

    Args:
        text: one or more English sentences, or a term such as an accuracy in words.
        language: what to say it in.
        number: how numbers are written, if not in the language's usual manner.
    """
    return _translated(text, language, number or language.number) if language.code != "en" else text


@lru_cache(maxsize=4096)
def _translated(text: str, language: Language, number: Number) -> str:
    speaker = _Speaker(language, number)
    if (term := speaker.filled(text, "term")) is not None:
        return term
    told = speaker.sentences(_ENDS.split(text))
    return text if told is None else " ".join(told)


@dataclass(frozen=True, slots=True)
class _Speaker:
    """Says texts in one language."""

    language: Language
    number: Number

    def sentences(self, pieces: list[str]) -> list[str] | None:
        """Each sentence translated; None if one is unknown.

        What looks like an end may be none ("Dr. Avery"), so that pieces are taken together where they must.
        """
        if not pieces:
            return []
        for n in range(1, min(len(pieces), _MOST_PIECES) + 1):
            told = self.filled(" ".join(pieces[:n]), "sentence")
            if told is not None and (others := self.sentences(pieces[n:])) is not None:
                # Names of files keep their small letter.
                begun = f"{told[:1].upper()}{told[1:]}" if pieces[0][:1].isupper() else told
                return [begun, *others]
        return None

    def filled(self, text: str, kind: str) -> str | None:
        """The translation by the template that fits best, with the values of the text; None if none does."""
        for template in _templates(self.language, kind):
            if (found := template.values(text)) is not None:
                values = {name: self._value(name.rstrip("0123456789"), value) for name, value in found.items()}
                if None not in values.values():
                    return template.told.format_map(values)
        return None

    def _value(self, kind: str, value: str) -> str | None:
        """The value as it is put in; None if it is nothing that this placeholder can hold."""
        told = self.filled(value, kind)
        if told is not None or kind in _ONLY_LISTED:
            return told
        if _VALUES.get(kind) == _NUMBER:
            plain = value.replace(",", "")
            return self.number(float(plain), len(plain.partition(".")[2]))
        return value


@lru_cache(maxsize=256)
def _templates(language: Language, kind: str) -> tuple[_Template, ...]:
    """The templates of a kind, those that say most by themselves first."""
    made = (_Template(english, told) for english, told in _texts(language, kind).items())
    return tuple(sorted(made, key=lambda template: -template.length))


@cache
def _known(code: str) -> dict[str, Any]:
    return dict(json.loads(resource("languages", f"{code}.json").read_text(encoding="utf-8")))


def _texts(language: Language, kind: str) -> Mapping[str, str]:
    if kind == "sentence":
        return dict(_known(language.code).get("sentences", {}))
    own = _known(language.code).get("parts", {}).get(kind, {})
    return {**own, **_texts(language, _SAME[kind])} if kind in _SAME else own


def _pattern(text: str) -> re.Pattern[str]:
    """What recognises a template; its first letter may be of either case, since it may begin a sentence."""
    parts, at = [], 0
    for hole in _HOLE.finditer(text):
        parts += [re.escape(text[at : hole.start()]), f"(?P<{hole[1]}{hole[2]}>{_VALUES.get(hole[1], '.+?')})"]
        at = hole.end()
    made = "".join([*parts, re.escape(text[at:])])
    return re.compile(rf"(?i:{made[0]}){made[1:]}" if made[0].isalpha() else made, re.DOTALL)
