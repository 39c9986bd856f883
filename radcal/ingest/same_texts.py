"""Two de-identified texts of one report that differ only in what was taken out of them.

A report comes again in another file, with other columns of names: what one reading removed, the other may have left.
Both are the same text, and what either removed stays removed.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from radcal.ingest.deidentify.spans import PLACEHOLDERS
from radcal.records.identifiers import Deidentified, Edit

_PLACEHOLDER = re.compile("|".join(map(re.escape, PLACEHOLDERS.values())))
_TOKEN = re.compile(rf"{_PLACEHOLDER.pattern}|\w+|[^\w\s]")
_MOST = 12
"""Words that one placeholder stands for at most."""


def united(text: str, other: str) -> Deidentified | None:
    """``text`` without what only ``other`` has removed; None if they are not the same text.

    They are the same if their words are, but where one of them has a placeholder, and if that is not most of them.
    """
    if text == other:
        return Deidentified(text)
    mine, theirs = _tokens(text), _tokens(other)
    words, others = [word for word, _, _ in mine], [word for word, _, _ in theirs]
    if words == others:
        return Deidentified(text)
    first = _alike(words, others)
    last = _alike(words[first:][::-1], others[first:][::-1])
    edits = []
    matcher = SequenceMatcher(
        None, words[first : len(words) - last], others[first : len(others) - last], autojunk=False
    )
    same = first + last
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            same += b - a
            continue
        here, there = words[first + a : first + b], others[first + c : first + d]
        if len(here) > _MOST or len(there) > _MOST:
            return None
        left, right = _kinds(here), _kinds(there)
        if not (left or right):
            return None
        if left and not there:
            edits.append(Edit(mine[first + a][1], mine[first + b - 1][2], "", left[0]))
        elif right and here and (not left or _rest(there) < _rest(here)):
            start, end = mine[first + a][1], mine[first + b - 1][2]
            replacement = other[theirs[first + c][1] : theirs[first + d - 1][2]]
            edits.append(Edit(start, end, replacement, right[0]))
    if 2 * same < max(len(words), len(others)):
        return None
    return _applied(text, edits)


def _alike(words: list[str], others: list[str]) -> int:
    """How many words the two begin with in common."""
    n = 0
    for word, other in zip(words, others, strict=False):
        if word != other:
            break
        n += 1
    return n


def _tokens(text: str) -> list[tuple[str, int, int]]:
    return [(m.group(), *m.span()) for m in _TOKEN.finditer(text)]


def _kinds(words: list[str]) -> list[str]:
    of = {placeholder: kind for kind, placeholder in PLACEHOLDERS.items()}
    return [of[word] for word in words if word in of]


def _rest(words: list[str]) -> tuple[int, list[str]]:
    """What placeholders leave, and an order of what leaves as much."""
    return len(words) - len(_kinds(words)), words


def _applied(text: str, edits: list[Edit]) -> Deidentified:
    parts, at = [], 0
    for edit in edits:
        parts += [text[at : edit.start], edit.replacement]
        at = edit.end
    return Deidentified("".join([*parts, text[at:]]), tuple(edits))
