"""Text as the bundled font can print it.

Typst receives text as JSON strings and never reads them as code; what is left to do here is to leave out
what cannot be printed (control and formatting characters), to show a box for a character that the font
lacks, and to let a word without spaces break, so that it stays inside its column.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

from radcal.system.errors import InputError
from radcal.system.resources import resource

BOX = "\N{WHITE SQUARE}"
_ZERO_WIDTH_SPACE = "\N{ZERO WIDTH SPACE}"
_LONG_WORD = re.compile(r"[^\s\u200b]{31,}")
_PIECE = 10
_SPACES = re.compile(" +")


@cache
def coverage() -> frozenset[str]:
    """The characters that every cut of the bundled font has.

    Raises:
        InputError: the list is missing or broken.
    """
    covered: set[str] = set()
    path = resource("fonts", "coverage.txt")
    for number, line in enumerate(path.read_text("ascii").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        try:
            first, last = (int(end, 16) for end in line.split("-"))
            covered.update(map(chr, range(first, last + 1)))
        except ValueError:
            raise InputError(
                "{name}, line {number}: not a range such as 0020-007E. Install RadCal again.",
                name=path.name,
                number=number,
            ) from None
    return frozenset(covered)


def printable(text: str) -> str:
    """``text`` with every character printable; spaces and line ends in a row become one space."""
    covered = coverage()
    if covered.issuperset(text) and text.isascii():
        return _LONG_WORD.sub(_with_breaks, _SPACES.sub(" ", text))
    # Control characters, and formatting ones such as those that reorder text, leave no trace.
    visible = "".join(
        " " if char.isspace() and char not in covered else char
        for char in text
        if char.isspace() or unicodedata.category(char) not in ("Cc", "Cf")
    )
    kept: list[str] = []
    for char in unicodedata.normalize("NFC", visible):
        if char in covered:
            kept.append(char)
        elif covered.issuperset(plain := unicodedata.normalize("NFKC", char)):
            kept.append(plain)  # ligatures, full-width letters and units as one character
        elif not (unicodedata.category(char).startswith("M") and kept and kept[-1] == BOX):
            kept.append(BOX)  # a mark on a box shows nothing more than the box
    return _LONG_WORD.sub(_with_breaks, _SPACES.sub(" ", "".join(kept)))


def _with_breaks(word: re.Match[str]) -> str:
    letters = word.group()
    return _ZERO_WIDTH_SPACE.join(letters[i : i + _PIECE] for i in range(0, len(letters), _PIECE))


def printable_content(value: Any) -> Any:
    """A JSON-able value with every string in it made printable; the keys of objects stay as they are."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [printable_content(v) for v in value]
    if isinstance(value, dict):
        return {k: printable_content(v) for k, v in value.items()}
    return value


def has_box(value: Any) -> bool:
    """Whether a box stands for a character anywhere in a JSON-able value."""
    if isinstance(value, str):
        return BOX in value
    if isinstance(value, list):
        return any(has_box(v) for v in value)
    if isinstance(value, dict):
        return any(has_box(v) for v in value.values())
    return False
