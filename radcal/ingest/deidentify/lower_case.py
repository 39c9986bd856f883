"""Names in text without capitals, as it is dictated or typed in haste."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.reading import Reading
from radcal.ingest.deidentify.spans import NAMED
from radcal.ingest.deidentify.taken import Taken
from radcal.ingest.deidentify.words import KNOWN, NAME, Is

_LINE = re.compile(r"[^\n]+")
_CUE = re.compile(
    r"(?<![^\W_])(?:patient(?:in)?(?: name)?(?: is| ist)|(?:patient )?name(?: is)?|(?:vor|nach)name|saint"
    r"|message for|left for"
    r"|called|spoke w/|spoke with|spoke to|d/w"
    r"|discussed with|dictated by|read by|dr|doctor|mr|mrs|ms|miss|prof|nurse|sister|brother|wife|husband|son|daughter"
    r"|mother|father|partner|herr|frau|besprochen mit|befundet von|diktiert von)[.:,]? (?=[a-zß-ÿ])"
)
_LOOSE = re.compile(r"(?<![^\W_])(?:for|with|to|from|by|of|für|mit|an|von|bei|durch) (?=[a-zß-ÿ])")
"""Behind these, two words are a name."""
_AGED = re.compile(r"[ ,]{1,2}(?:\d{1,3} ?(?:[mfwy]|yo|j)\b|\(?(?:dob|mrn|born|geb|geboren|age)\b)")
_WORDS = 4
_LETTERS = 4
_NEXT_TO_NONE = 100
"""Letters of which one may be a capital, as in "Hounsfield"."""


def take_lower(t: Reading, taken: Taken) -> None:
    """Take names behind a cue or before an age in lines without capitals, and the same words elsewhere in these."""
    found: set[str] = set()
    lines = [m.span() for m in _LINE.finditer(t.text) if NAMED not in m.group() and _is_lower(m.group())]
    for start, stop in lines:
        begins = {t.at(m.end()) for m in _CUE.finditer(t.text, start, stop)}
        titled = {t.at(m.end()) for m in _CUE.finditer(t.text, start, stop) if m.group()[:2] in ("dr", "mr", "ms")}
        loose = {t.at(m.end()) for m in _LOOSE.finditer(t.text, start, stop)} | {0}
        roles = {k + 1 for k in range(t.at(start), t.at(stop) - 1) if t.kinds[k] & Is.ROLE and t.gap(k) == " "}
        for n in range(t.at(start), t.at(stop)):
            if taken[n] or not t.words[n].islower() or not _may_be(t, n, n in titled):
                continue
            end = n + 1
            while (
                end < t.at(stop)
                and t.gap(end - 1) in (" ", ", ")
                and t.words[end].islower()
                and _may_be(t, end, False)
                and end < n + 3
            ):
                end += 1
            opened = n in begins or n in roles or (end > n + 1 and n in loose)
            telling = [k for k in range(n, end) if (t.unknown(k) or t.sure(k)) and len(t.words[k]) >= _LETTERS]
            if (telling or n in titled) and (opened or _AGED.match(t.text, t.ends[end - 1])):
                taken.take(n, end)
                found.update(t.lower[n:end])
    for start, stop in lines if found else ():
        for n in range(t.at(start), t.at(stop)):
            if t.lower[n] in found and not taken[n]:
                taken.take(n, n + 1)


def _is_lower(line: str) -> bool:
    """Whether a line of some words has no capitals, or next to none."""
    return line.count(" ") >= _WORDS - 1 and sum(map(str.isupper, line)) <= len(line) // _NEXT_TO_NONE


def _may_be(t: Reading, n: int, titled: bool) -> bool:
    """Whether a word in lower case may be part of a name; titled: whether a title stands before it."""
    kind = t.kinds[n]
    if len(t.words[n]) < 3 or kind & (Is.TITLE | Is.ROLE | Is.CREDENTIAL | Is.EPONYM):
        return False
    if titled:
        return not kind & (Is.FUNCTION | Is.CLINICAL | Is.WORD)
    return t.unknown(n) or (bool(kind & NAME) and not kind & (KNOWN & ~Is.RARE))
