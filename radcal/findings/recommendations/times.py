"""Intervals from now: "in 3 months", "6-8 wks", "in sechs Wochen"."""

from __future__ import annotations

import re
from typing import NamedTuple

_ONE_TO_TWELVE = {
    word: n
    for n, words in enumerate(
        (
            "a an one ein eine einem einer",
            "two zwei",
            "three drei",
            "four vier",
            "five fuenf funf",
            "six sechs",
            "seven sieben",
            "eight acht",
            "nine neun",
            "ten zehn",
            "eleven elf",
            "twelve zwoelf zwolf",
        ),
        1,
    )
    for word in words.split()
}
_DAYS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}
_UNITS = (
    ("h", r"hours?|hrs?|stunden?|std"),
    ("d", r"days?|tag(?:en?)?"),
    ("w", r"weeks?|wks?|woche?n?"),
    ("m", r"months?|mos?|mths?|monate?n?|mon"),
    ("y", r"years?|yrs?|jahre?n?"),
)
_N = rf"(?:\d{{1,3}}(?:[.,]5)?|{'|'.join(sorted(_ONE_TO_TWELVE, key=len, reverse=True))})"
_UNIT = "|".join(f"(?P<{name}>{words})" for name, words in _UNITS)
_TO = r"\s*(?:[-\u2013\u2014]|to|or|and|bis|oder|und|/|:+|\s)\s*"
_INTERVAL = re.compile(
    rf"(?<![:.,\d])\b(?P<low>{_N})(?:{_TO}(?P<high>{_N}))?\s*(?:{_UNIT})\b(?:igen?|ige[rs]|lich\w*)?"
)
_PAST = re.compile(r"\s*(?:ago|prior|previous|earlier|before|old|duration|history|zuvor|vorher|alt)\b")
_AFTER = re.compile(r"\s*(?:after|post|status|nach)\b")
_AHEAD_BEFORE = re.compile(
    r"\b(?:in|within|at|after|every|nach|innerhalb|binnen|alle)\s*(?:about|approximately|ca|etwa|von)?[\s.]*$"
)
_PAST_BEFORE = re.compile(r"\b(?:vor|since|seit|last|past|previous|prior|over|for|letzten)\s*(?:the|den|dem)?\s*$")


class Interval(NamedTuple):
    """A stated interval in days, and where it stands.

    ahead: "in", "within" or the like stands before it
    """

    low: int
    high: int
    start: int
    end: int
    outlook: bool


def intervals(flat: str) -> list[Interval]:
    """The intervals of a flattened sentence that lie ahead: "3 months ago" and "for 3 weeks" are none."""
    found = []
    for match in _INTERVAL.finditer(flat):
        before = max(match.start() - 20, 0), match.start()
        if _PAST.match(flat, match.end()) or _PAST_BEFORE.search(flat, *before):
            continue
        outlook = _AHEAD_BEFORE.search(flat, *before) is not None
        if _AFTER.match(flat, match.end()) and not outlook:
            continue
        unit = next(_DAYS[name] for name, _ in _UNITS if match[name])
        low = _number(match["low"])
        high = _number(match["high"]) if match["high"] else low
        low, high = sorted((low, high))
        found.append(Interval(round(low * unit), round(high * unit), *match.span(), outlook))
    return found


def _number(words: str) -> float:
    return float(_ONE_TO_TWELVE[words]) if words in _ONE_TO_TWELVE else float(words.replace(",", "."))
