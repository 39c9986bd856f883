"""Names and numbers that a report's text repeats, covered without moving anything else in it."""

from __future__ import annotations

import re
from collections.abc import Iterable

COVER = "_"
_TITLES = frozenset({"dr", "prof", "md", "do", "phd", "mr", "mrs", "ms", "med"})
_BEFORE = r"(?:dr|prof|by|radiologist|signed|signature|dictated|reader|author)\b\W{1,3}"
_FEWEST = 4
"""Shorter numbers are too likely to be something else."""


class Cover:
    """Covers people's names, and the numbers of one report, in its text; every other letter stays where it is.

    A name is covered in full and in either order, and its last part where a title or "signed by" goes before: many
    surnames are words of reports, too ("May", "Gray").  It does not find names that no column had.

    Args:
        people: names as columns have them: "Avery Quillfeather", "Quillfeather, Avery, MD".
    """

    def __init__(self, people: Iterable[str]) -> None:
        forms = {form for name in people for form in _forms(name)}
        ordered = sorted(forms, key=lambda form: (-len(form), form))
        self._names = re.compile("|".join(ordered), re.IGNORECASE) if ordered else None

    def text(self, text: str, *numbers: str) -> str:
        """The text with names and these numbers covered, letter by letter."""
        if self._names is not None:
            text = self._names.sub(lambda m: _covered(m[0], keep=m.lastindex), text)
        for number in numbers:
            if len(number) >= _FEWEST:
                text = re.sub(rf"(?<!\w){re.escape(number)}(?!\w)", lambda m: _covered(m[0]), text)
        return text


def _covered(found: str, keep: int | None = None) -> str:
    if keep is not None:  # what goes before a surname stays
        head = re.match(_BEFORE, found, re.IGNORECASE)
        start = head.end() if head else 0
        return found[:start] + _covered(found[start:])
    return re.sub(r"\w", COVER, found)


def _forms(name: str) -> Iterable[str]:
    """The patterns of a name."""
    last, comma, first = name.partition(",")
    if comma and set(_parts(first)) <= _TITLES:  # "Avery Quillfeather, MD"
        first, last, comma = "", last, ""
    given, family = ([p for p in _parts(part) if p not in _TITLES] for part in (first, last))
    if not comma:
        given, family = family[:-1], family[-1:]
    if not family or len("".join((*given, *family))) < _FEWEST - 1:
        return
    surname = r"\s+".join(map(re.escape, family))
    if given:
        forenames = r"\.?\s+".join(map(re.escape, given))
        yield rf"(?<!\w){forenames}\.?\s+{surname}(?!\w)"
        yield rf"(?<!\w){surname}\s*,\s*{forenames}(?!\w)"
    yield rf"(?<!\w)(?:{_BEFORE})({surname})(?!\w)"


def _parts(name: str) -> list[str]:
    return [part for part in re.split(r"[\s.]+", name.casefold()) if part]
