"""Conditions on findings that no cue governs: alternatives joined by "or" and "versus", headings, and words of doubt
or denial beside them that no rule has used.

Every condition takes the sentence as read so far and the index of the current token; the table says what it decides.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from radcal.findings.rules.modifiers import says_no_change
from radcal.findings.rules.scope import NAMED, UNLIKELY, VERSUS, Scope, Span
from radcal.findings.rules.tokens import FULL_STOP, PARTS

_NAME_WORDS, _NAME_SHORT = 4, 3
"""Most words of a name, and letters of its last word at least."""
_NAME = re.compile(rf"\s*[a-z]+(?:\s+[a-z]+){{0,{_NAME_WORDS}}}")
_OR_GAP = 3
_VERSUS_GAP = 5


def joins_by_versus(s: Scope, i: int) -> bool:
    return _selects(s, _neighbour(s, i, -1, _VERSUS_GAP), _neighbour(s, i, 1, _VERSUS_GAP))


def joins_unchanged(s: Scope, i: int) -> bool:
    for j in s.before(i):
        kind = s.tokens[j].kind
        if kind == "over":
            return says_no_change(s, j)
        if kind in ("comma", "stop", "colon", "bracket", "verb"):
            return False
    return False


def names_no_other(s: Scope, i: int) -> bool:
    rest = s.words["all of them"].at(s.flat, s.tokens[i].end)
    if rest is None or not s.closes_part(rest.end()):
        return False
    left = _neighbour(s, i, -1, _OR_GAP)
    return _selects(s, left, *_listed(s, left))


def joins_different(s: Scope, i: int) -> bool:
    left, right = _neighbour(s, i, -1, _OR_GAP), _neighbour(s, i, 1, _OR_GAP)
    if left < 0 or right < 0:
        return False
    a, b = s.names(left), s.names(right)
    if (
        a & b
        or (a | b) <= NAMED
        or any(m.phrase not in ("", VERSUS.phrase) for k in (left, right) for m in s.mentions[k])
    ):
        return False
    if s.tokens[i].gap and s.tokens[i - 1].kind == "comma" and s.precedes(i, "quality"):
        return _selects(s, right)  # "enlarged nodes, reactive or neoplastic"
    return _selects(s, left, right, *(_listed(s, left) if s.tokens[i - 1].kind == "comma" else ()))  # "A, B, or C"


def joins_unlisted(s: Scope, i: int) -> bool:
    if s.tokens[i].gap == 0 and s.holds[i - 1] and _names_thing(s, i):
        if s.names(i - 1) <= {"opacity"}:
            return False  # there, whatever it is
        left = _neighbour(s, i, -1, 0)
        return _selects(s, left, *(_listed(s, left) if left >= 0 and s.tokens[i - 1].kind == "comma" else ()))
    if s.tokens[i - 1].kind == "comma" and 0 < s.tokens[i].gap <= _OR_GAP and _names_thing(s, i):
        if s.precedes(i, "quality"):
            return False  # "effusion, hemorrhagic or simple"
        left = _neighbour(s, i - 1, -1, 0)  # "pneumonia, hemorrhage or infarct"
        return left >= 0 and not s.describes(left) and _selects(s, left, *_listed(s, left))
    if not s.holds[i - 1] and s.precedes(i, "thing"):
        return _selects(s, _neighbour(s, i, 1, 1))
    return False


def _names_thing(s: Scope, i: int) -> bool:
    """True if the words behind the token at ``i`` name something, and no finding."""
    determiner = s.words["determiner"].at(s.flat, s.tokens[i].end)
    begin = s.tokens[i].end if determiner is None else determiner.end()
    words = _NAME.match(s.flat, begin)
    if words is None or s.words["no thing"].at(s.flat, begin):
        return False
    end = words.end()
    if behind := s.words["behind a thing"].within(s.flat, words.start(), end):
        end = behind.start()
    elif s.flat[end : end + 2].strip()[:1].strip(",;.):"):
        return False  # the name goes on
    name = s.flat[words.start() : end].split()
    if not name or len(name) > _NAME_WORDS or len(name[-1]) < _NAME_SHORT or s.words["no noun"].whole(name[-1]):
        return False
    within = (j for j in s.behind(i) if s.tokens[j].start < end)
    return all(not s.holds[j] and s.tokens[j].kind in ("", "small") for j in within)


def other_is_unlikelier(s: Scope, i: int) -> bool:
    left = _neighbour(s, i, -1, _OR_GAP)
    return s.tokens[i + 1].cue.phrase == UNLIKELY.phrase and not s.describes(left) and _selects(s, left)


def _selects(s: Scope, *indices: int) -> bool:
    """Select the findings at these tokens that no cue governs."""
    return s.select(m for j in indices if not s.is_bare(j) for m in s.mentions.get(j, ()) if not m.phrase)


def _listed(s: Scope, left: int) -> list[int]:
    """The findings before ``left`` that only commas separate from it."""
    listed = []
    j = left
    while j >= 2 and s.tokens[j - 1].kind == "comma" and s.tokens[j].gap + s.tokens[j - 1].gap <= 1:
        j -= 2
        if not s.mentions.get(j) or s.describes(j):
            break
        listed.append(j)
    return listed


def _neighbour(s: Scope, i: int, step: int, most: int) -> int:
    """The finding next to the token at ``i``, -1 for none.

    Args:
        step: -1 for the left, 1 for the right.
        most: plain words that may stand between.
    """
    words = 0
    for j in s.before(i) if step < 0 else s.behind(i):
        words += s.tokens[j + 1 if step < 0 else j].gap
        if words > most:
            return -1
        if s.mentions.get(j):
            return j if j not in s.silenced and not s.precedes(j, "beside the") else -1
        kind = s.tokens[j].kind
        if kind == "comma" and step < 0 and words and s.tokens[i].kind == "versus":
            return -1  # "adenopathy, sarcoidosis versus lymphoma"
        if kind not in ("", "small", "blank", "comma" if step < 0 else "", "over"):
            return -1
    return -1


def is_heading(s: Scope, i: int) -> bool:
    following = s.tokens[i + 1]
    return following.kind == "colon" and not following.gap and s.names(i) <= s.named


def says_or(s: Scope, _: int) -> bool:
    return _or_within(s) is not None


def is_doubted_by_name(s: Scope, _: int) -> None:
    s.finding.phrase, s.finding.cue = VERSUS.phrase, _or_within(s)


def _or_within(s: Scope) -> Span | None:
    """The span of "or" within a term: "pericardial or pleural effusion", "infectious or inflammatory"."""
    start, end = s.finding.start, s.finding.end
    # Of two causes only the infection is among the pathologies.
    several = len(s.finding.pathologies) > 1
    if not several and not s.within(start, end, "one of two causes"):
        return None
    match = s.words["or" if several else "either cause"].within(s.flat, start, end)
    return (match.start(), match.start() + len(match.group().rstrip())) if match else None


_SHORTENED = re.compile(r"(?:\s*[a-z]+)?\s*[a-z]{0,4}$")
"""What may stand without a meaning between a cue and the full stop of an abbreviation: its last word is short."""


def is_unexplained(s: Scope, i: int) -> bool:
    """True if the finding is no plain statement: what was not understood is marked, as "present" would be certain."""
    if s.unexplained is None:
        s.unexplained = _unexplained(s)
    if _is_supposed(s, i):
        return True
    begin = s.tokens[i].start
    place = bisect_right(s.unexplained, begin, key=lambda part: part[0]) - 1
    if place < 0 or begin > s.unexplained[place][1]:
        return False
    s.unused = s.unexplained[place][2]
    return True


def _is_supposed(s: Scope, i: int) -> bool:
    """True if a verb that no rule has read tells what should be, not what is: "an effusion would be odd"."""
    first = next((j for j in s.before(i) if s.tokens[j].kind in PARTS), -1)
    last = next((j for j in s.behind(i) if s.tokens[j].kind in PARTS), len(s.tokens) - 1)
    if not s.within(s.tokens[first].end if first >= 0 else 0, s.tokens[last].start, "supposed"):
        return False
    for j in range(first + 1, last + 1):
        begin = s.tokens[j - 1].end if j else 0
        verb = s.words["supposed"].within(s.flat, begin, s.tokens[last].start) if s.tokens[j].gap else None
        if verb is not None and verb.start() < s.tokens[j].start:
            s.unused = verb.span()
            return True
    return False


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
                parts.append((*_own_part(s, begin, token.start, word), word))
            while word is not None and word[0] < token.start:
                word = next(words, None)
            begin = token.end
    return parts


def _own_part(s: Scope, begin: int, end: int, word: Span) -> Span:
    """The part between commas around a word of doubt if it names a finding of its own, else all from begin to end."""
    first = max((t.end for t in s.tokens if t.kind == "comma" and begin < t.end <= word[0]), default=begin)
    last = min((t.start for t in s.tokens if t.kind == "comma" and word[0] < t.start < end), default=end)
    own = any(first <= s.tokens[i].start < last for i in s.mentions)
    return (first, last) if own else (begin, end)


def _cues(s: Scope, unused: set[int]) -> Iterator[Span]:
    """Cues that could only be about a plain finding before them or beside them, or that a full stop cut off, and govern
    none.
    """
    plain = False
    for i, token in enumerate(s.tokens):
        if mentions := s.mentions.get(i):
            plain = not any(m.phrase for m in mentions)
        elif token.cue is FULL_STOP:
            plain = False
        elif i in unused and (token.cue.direction == "beside" or (plain and _closes(s, i)) or _breaks_off(s, i)):
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
