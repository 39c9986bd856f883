"""Condition on findings that no cue governs: words of doubt or denial stand beside them that no rule has used.

Such a finding is no plain statement.  What was not understood is marked, because "present" would count as certain.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from radcal.findings.rules.scope import Scope, Span
from radcal.findings.rules.tokens import FULL_STOP

_SHORTENED = re.compile(r"(?:\s*[a-z]+)?\s*[a-z]{0,4}$")
"""What may stand without a meaning between a cue and the full stop of an abbreviation: its last word is short."""


def is_unexplained(s: Scope, i: int) -> bool:
    if s.unexplained is None:
        s.unexplained = _unexplained(s)
    begin = s.tokens[i].start
    place = bisect_right(s.unexplained, begin, key=lambda part: part[0]) - 1
    if place < 0 or begin > s.unexplained[place][1]:
        return False
    s.unused = s.unexplained[place][2]
    return True


def _unexplained(s: Scope) -> list[tuple[int, int, Span]]:
    """The parts of the sentence with words of doubt that no rule has used: begin, end, and the first such words."""
    parts, begin = [], 0
    unused = _unused(s)
    words = iter(sorted((*_cues(s, unused), *_words(s))))
    word = next(words, None)
    for i, token in enumerate(s.tokens):
        if i - 1 in unused and _breaks_off(s, i - 1):
            continue
        if token.cue is FULL_STOP or token.kind == "end" or s.flat.startswith(";", token.start):
            if word is not None and word[0] < token.start:
                parts.append((begin, token.start, word))
            while word is not None and word[0] < token.start:
                word = next(words, None)
            begin = token.end
    return parts


def _cues(s: Scope, unused: set[int]) -> Iterator[Span]:
    """Cues that could only be about a plain finding before them, or that a full stop cut off, and govern none."""
    plain = False
    for i, token in enumerate(s.tokens):
        if mentions := s.mentions.get(i):
            plain = not any(m.phrase for m in mentions)
        elif token.cue is FULL_STOP:
            plain = False
        elif i in unused and ((plain and _closes(s, i)) or _breaks_off(s, i)):
            yield token.start, token.end


def _unused(s: Scope) -> set[int]:
    """The hedges and negations that govern no finding."""
    governing = {m.cue[0] for mentions in s.mentions.values() for m in mentions if m.cue}
    return {
        i
        for i, token in enumerate(s.tokens)
        if token.kind in ("hedge", "negation") and i not in s.used and token.start not in governing
    }


def _breaks_off(s: Scope, i: int) -> bool:
    """True if a full stop stands between an unused cue and what it may be about: "No xyz. effusion"."""
    if i + 2 >= len(s.tokens) - 1:
        return False  # nothing follows
    stop = s.tokens[i + 1]
    return (
        stop.cue is FULL_STOP
        and _SHORTENED.match(s.flat, s.tokens[i].end, stop.start) is not None
        and s.tokens[i].cue.direction in ("before", "both")
        and (stop.gap > 0 or i == 0 or s.tokens[i - 1].cue is FULL_STOP)
    )


def _closes(s: Scope, i: int) -> bool:
    """True if nothing stands between the cue and the end of its part, so that it can only look back."""
    following = s.tokens[i + 1]
    return not following.gap and (following.kind in ("comma", "bracket", "end") or following.cue is FULL_STOP)


def _words(s: Scope) -> Iterator[Span]:
    """Words of doubt that are part of no token."""
    tokens = iter(s.tokens)
    token = next(tokens)
    for match in s.doubts.finditer(s.flat):
        begin, end = match.span("doubt")
        if begin < 0:
            continue
        end = begin + len(s.flat[begin:end].rstrip())
        while token.end <= begin and token.kind != "end":
            token = next(tokens)
        if token.start >= end or token.kind == "end":
            yield begin, end
