"""The words of systems for the status of a report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from radcal.reports.column_names import simplified
from radcal.system.resources import meanings, word_lists

NO_WORDS: Mapping[str, str] = MappingProxyType({})
_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS = 4
_STATUS = meanings("reading", "statuses.toml", table="statuses")
STATUSES = ("final", "preliminary", "addendum", "corrected", "cancelled")
"""What a status may mean."""
_WORDS = word_lists("reading", "statuses.toml")


@cache
def _of_reports() -> frozenset[str]:
    """Words that are said of reports, and hardly of orders and examinations."""
    versions = frozenset(w for w, of in _STATUS.items() if of not in ("final", "cancelled") and len(w) > 1)
    return versions.difference(_WORDS["of_orders"]).union(_WORDS["of_reports"])


_RISING = ("final", "preliminary", "cancelled", "corrected", "addendum")
"""Of several words, the last of these counts: "final, addended" is an addendum."""


def status_of(cell: str, own: Mapping[str, str] = NO_WORDS) -> str | None:
    """One of STATUSES; '' of an empty cell, None of unknown words.

    own: further words, simplified, and their meanings
    """
    if not cell:
        return ""
    if (whole := _of_word(cell, own)) is not None:
        return whole
    words = [word for word in _WORD.findall(cell) if simplified(word) not in _WORDS["adding_nothing"]]
    each = {_of_word(word, own) if len(word) > 1 else None for word in words}
    known = [status for status in each if status is not None]
    return max(known, key=_RISING.index) if 0 < len(known) == len(each) and len(words) <= _MOST_WORDS else None


def is_of_report(cell: str) -> bool:
    """Whether a status is one that reports have, and orders and examinations hardly have."""
    words = (_trimmed(cell), *map(_trimmed, _WORD.findall(cell)))
    return status_of(cell) in STATUSES and any(word in _of_reports() for word in words)


def _of_word(cell: str, own: Mapping[str, str]) -> str | None:
    return own.get(simplified(cell)) or _STATUS.get(_trimmed(cell))


def _trimmed(cell: str) -> str:
    """A word without a number before or behind it."""
    return re.sub(r"^[0-9]{1,2}|[0-9]{1,2}$", "", simplified(cell))
