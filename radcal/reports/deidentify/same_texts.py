"""Two de-identified texts of one report that differ only in what was taken out of them.

A report comes again in another file, with other columns of names: what one reading removed, the other may have left.
Both are the same text, and what either removed stays removed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from radcal.reports.deidentify.spans import applied
from radcal.reports.identifiers import PLACEHOLDER, PLACEHOLDERS, Deidentified, Edit

_TOKEN = re.compile(rf"{PLACEHOLDER.pattern}|\w+|[^\w\s]")
_KIND_OF = {placeholder: kind for kind, placeholder in PLACEHOLDERS.items()}
_Token = tuple[str, int, int]
"""A word or mark, and its span."""
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
    # Placeholders on both sides are mostly of the same words; beside each other, they may be of different ones.
    apart = ["\0" + word if word in _KIND_OF else word for word in others]
    for theirs_now in (others, apart):
        edits = _edits(text, mine, other, theirs, theirs_now)
        if edits is not None:
            return applied(text, edits)
    return None


def _edits(
    text: str, mine: Sequence[_Token], other: str, theirs: Sequence[_Token], compared: Sequence[str]
) -> list[Edit] | None:
    """What only the other text has removed; None if they are not the same text.  ``compared``: the other's words."""
    words, others = [word for word, _, _ in mine], [word for word, _, _ in theirs]
    first = _alike(words, compared)
    last = _alike(words[first:][::-1], compared[first:][::-1])
    edits = []
    middle = words[first : len(words) - last], compared[first : len(others) - last]
    matcher = SequenceMatcher(None, *middle, autojunk=False)
    same = first + last
    for what, a, b, c, d in matcher.get_opcodes():
        here, there = words[first + a : first + b], others[first + c : first + d]
        if what == "equal" or here == there:
            same += b - a
            continue
        if len(here) > _MOST or len(there) > _MOST:
            return None
        left, right = _kinds(here), _kinds(there)
        if (len(left) < len(here) and there and not right) or (len(right) < len(there) and not left):
            return None  # words that the other has otherwise
        if not (left or right) or (left and right and not all(map(_may_be_a_name, [*here, *there]))):
            return None
        if not here or not (right or not there):
            continue
        start, end = mine[first + a][1], mine[first + b - 1][2]
        if not there:
            edits.append(Edit(start, end, "", left[0]))
        elif not left:
            edits.append(Edit(start, end, other[theirs[first + c][1] : theirs[first + d - 1][2]], right[0]))
        else:  # each removed another part of it
            kind = min(left[0], right[0])
            edits.append(Edit(start, end, PLACEHOLDERS[kind], kind))
    return None if 2 * same < max(len(words), len(others)) else edits


def _may_be_a_name(word: str) -> bool:
    return not word[:1].islower()


def _alike(words: Sequence[str], others: Sequence[str]) -> int:
    """How many words the two begin with in common."""
    n = 0
    for word, other in zip(words, others, strict=False):
        if word != other:
            break
        n += 1
    return n


def _tokens(text: str) -> list[_Token]:
    return [(m.group(), *m.span()) for m in _TOKEN.finditer(text)]


def _kinds(words: list[str]) -> list[str]:
    return [_KIND_OF[word] for word in words if word in _KIND_OF]
