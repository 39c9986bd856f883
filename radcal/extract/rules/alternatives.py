"""When findings joined by "or" and "versus" are uncertain though no cue says how sure the report is of them."""

from __future__ import annotations

import re

from radcal.extract.rules.modifiers import is_landmark, names_either, says_no_change
from radcal.extract.rules.scope import NAMED, UNLIKELY, VERSUS, Scope
from radcal.extract.rules.tokens import FAR
from radcal.records import PRESENT

_OR_GAP = 3
_VERSUS_GAP = 5
_ALL_OF_THEM = re.compile(
    r"\s*(?:both|all|some|any|a)\s*(?:of\s+(?:these|them)|three|combination(?:\s+of\s+(?:these|both|the\s+two))?)?"
    r"(?:\s+thereof)?\s*(?:[.,;)]|$)"
)
"""Behind "or": names no further finding, as in "atelectasis, pneumonia or both"."""


def joins_unchanged(s: Scope, i: int) -> bool:
    """Whether the "or" joins what has not changed: "no change in the effusion or the edema"."""
    for j in range(i - 1, max(-1, i - FAR), -1):
        token = s.tokens[j]
        if token.kind == "over":
            return says_no_change(s.flat, token)
        if token.kind in ("comma", "stop", "colon", "bracket", "verb"):
            return False
    return False


def names_no_other(s: Scope, i: int) -> bool:
    return _ALL_OF_THEM.match(s.flat, s.tokens[i].end) is not None and _neighbour(s, i, -1, _OR_GAP) >= 0


def joins_different(s: Scope, i: int) -> bool:
    """Whether the "or" joins two findings, not two names of one, that no cue but a doubt governs."""
    left, right = _neighbour(s, i, -1, _OR_GAP), _neighbour(s, i, 1, _OR_GAP)
    if left < 0 or right < 0:
        return False
    a, b = ({p for m in s.mentions[k] for p in m.pathologies} for k in (left, right))
    free = all(m.phrase in ("", VERSUS.phrase) for k in (left, right) for m in s.mentions[k])
    return free and not a & b and not (a | b) <= NAMED


def other_is_unlikelier(s: Scope, i: int) -> bool:
    if i + 1 == len(s.tokens) or s.tokens[i + 1].cue.phrase != UNLIKELY.phrase:
        return False
    left = _neighbour(s, i, -1, _OR_GAP)
    return left >= 0 and not s.describes(left)


def doubts_both(s: Scope, i: int) -> None:
    _doubt(s, i, _neighbour(s, i, -1, _VERSUS_GAP), _neighbour(s, i, 1, _VERSUS_GAP))


def doubts_listed(s: Scope, i: int) -> None:
    left = _neighbour(s, i, -1, _OR_GAP)
    _doubt(s, i, left, *_listed(s, left))


def doubts_joined(s: Scope, i: int) -> None:
    left, right = _neighbour(s, i, -1, _OR_GAP), _neighbour(s, i, 1, _OR_GAP)
    # "A, B, or C"
    _doubt(s, i, left, right, *(_listed(s, left) if s.tokens[i - 1].kind == "comma" else []))


def doubts_first(s: Scope, i: int) -> None:
    _doubt(s, i, _neighbour(s, i, -1, _OR_GAP))


def _listed(s: Scope, left: int) -> list[int]:
    """The findings that stand before ``left`` with nothing but commas between them."""
    listed = []
    j = left
    while j >= 2 and s.tokens[j - 1].kind == "comma" and s.tokens[j].gap + s.tokens[j - 1].gap <= 1:
        j -= 2
        if not s.mentions.get(j) or s.describes(j):
            break
        listed.append(j)
    return listed


def _neighbour(s: Scope, i: int, step: int, most: int) -> int:
    """The finding next to the token at ``i``, left or right of it, with ``most`` plain words between; -1 for none."""
    words = 0
    j = i
    while 0 <= j + step < len(s.tokens):
        words += s.tokens[j + step if step > 0 else j].gap
        j += step
        if words > most:
            return -1
        if s.mentions.get(j):
            return j if j not in s.silenced and not is_landmark(s.flat, s.tokens[j]) else -1
        kind = s.tokens[j].kind
        if kind == "comma" and step < 0 and words and s.tokens[i].kind == "versus":
            return -1  # "adenopathy, sarcoidosis versus lymphoma"
        if kind not in ("", "small", "blank", "comma" if step < 0 else "", "over"):
            return -1
    return -1


def _doubt(s: Scope, i: int, *indices: int) -> None:
    for j in indices:
        for mention in s.mentions.get(j, ()) if j >= 0 else ():
            if not mention.phrase:
                s.give(mention, i, VERSUS.phrase)


# --- what is left ---


def only_heads(s: Scope, i: int) -> bool:
    """Whether a finding is a heading of what is named behind it: "Nodules: no new nodules"."""
    following = s.tokens[i + 1] if i + 1 < len(s.tokens) else None
    if following is None or following.kind != "colon" or following.gap:
        return False
    return all(set(m.pathologies) <= s.named for m in s.mentions[i])


def drops_heading(s: Scope, i: int) -> None:
    del s.mentions[i]


def counts_as_named(s: Scope, i: int) -> None:
    s.named.update(p for m in s.mentions[i] for p in m.pathologies)


def says_or(s: Scope, _: int) -> bool:
    return names_either(s.flat, s.finding.start, s.finding.end, len(s.finding.pathologies)) is not None


def is_doubted_by_name(s: Scope, _: int) -> None:
    m = s.finding
    m.cue_start, m.cue_end = names_either(s.flat, m.start, m.end, len(m.pathologies)) or (-1, -1)
    m.phrase = VERSUS.phrase


def is_present(s: Scope, _: int) -> None:
    s.finding.phrase = PRESENT
