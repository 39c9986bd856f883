"""Conditions on cues behind findings: "effusion not seen", "pneumonia or edema is possible".

Every condition takes the sentence as read so far and the index of the current token; the table says what it decides.
"""

from __future__ import annotations

import re

from radcal.extract.rules.modifiers import keeps_open, only_places, out_of_sight
from radcal.extract.rules.scope import Scope
from radcal.extract.rules.tokens import FAR, Token
from radcal.extract.rules.vocabulary import CAUSE
from radcal.records import ABSENT

_BACK_GAP = 12
"""Plain words between a finding and the cue behind it."""

_ADVERBS = re.compile(r"(?:\s*\b(?:\w+ly\b|with\s+(?:any\s+)?certainty|today|here|though|however|either))*[^a-z0-9]*")
"""Words allowed between a cue and the end of its part: "not excluded radiographically"."""
_HERE = re.compile(r"(?:on|in|at|by)\s+th(?:is|ese)\b")
_SEVERAL = re.compile(r"\b(?:are\s+(?:\w+\s+)?|all\s+|both\s+|each\s+|equally\s+)$")
_SEVERAL_BEFORE = 24
"""Characters before a cue that are searched for signs of several findings: "are all possible"."""
_YIELDS = re.compile(
    r"(?:should|must|ought\s+to|(?:need|ha)\w*\s+to|(?:is|are)?\s*to)\s+be\s+(?:excluded|ruled\s+out)"
    r"|in\s+(?:the|an?)\s+(?:right|correct|proper|appropriate|suitable|relevant)\b"
)
"""Cues that leave a hedge already expressed as it is: "less likely but should be excluded"."""
_IS_ABOUT = re.compile(r"\s*(?:an?|the|due|related|secondary|from|to\s+(?:be|represent|reflect))\s")
"""Words behind a hedge that make it refer to what follows, a listed finding or not."""
_ANOTHER = re.compile(
    r"[\s,]*(?:(?:a|an|the|that\s+on\s+the|very|small|tiny|subtle|early|minimal|left|right|other|smaller|sided)\s+)+"
    r"(?:(?:one|ones|side|component)\s+)?"
)
"""Stand-in for a finding before the cue: "no pneumothorax, but a small one cannot be excluded"."""

_ONE_MORE = re.compile(
    r"\s*(?:(?:a|an|the|very|definite|small|tiny|trace|subtle|early|minimal|larger|smaller|similar|left|right|sided"
    r"|second|bilateral|contralateral)\s+)*(?:ones?|component)\b(?!\s+of\b)"
)
"""Stand-in behind the cue: "small right effusion, and there may be a tiny left one"."""
_ON_THE_OTHER = re.compile(
    r"\s+(?:is\s+|are\s+|seen\s+)*(?:on|in|at)\s+(?:the\s+)?(?:left|right|other|opposite|contralateral)\b"
)
"""Behind "none": "small left effusion, none on the right"."""
_EXCEPT = re.compile(
    r"(?:except|other\s+than|aside\s+from|apart\s+from|with\s+the\s+exception\s+of)\s+(?:(?:for|an?|the)\s+)*"
    r"(?:(?:\w+\s+){0,3}?(?:ones?|those)\b|(?:trace|small|tiny|minimal|mild)(?:\s+amount)?\s+(?:on|at|in)\b)"
)
"""Exception from a denial that does not name the finding again: "no effusion except a trace on the left"."""
_WHICH = re.compile(r"\s*(?:the|that\s+the)?\s*(former|latter)\b")
_WHICH_BEFORE = re.compile(r"\b(former|latter)\s+(?:(?:is|being|was|seems|appears|would\s+be|felt|thought)\s+)*$")
_WHICH_FAR = 40
"""Characters before a cue that are searched for the former or the latter."""


def ends_part(s: Scope, i: int) -> bool:
    """True if nothing but adverbs follows in this part of the sentence."""
    end, following = s.tokens[i].end, s.tokens[i + 1]
    if following.kind == "over" and not following.gap and s.at(i + 1, _HERE):
        return True
    if following.kind == "with" and following.cue.phrase == CAUSE:
        return False  # "opacity is likely due to atelectasis"
    if following.subject is not None and s.starts(i, "none", "nil"):
        return True  # "lungs clear effusions none heart normal"
    if following.kind not in ("comma", "stop", "colon", "bracket", "with", "and", "instead", "end"):
        return False
    return not following.gap or _ADVERBS.fullmatch(s.flat, end, following.start) is not None


# --- findings that the cue names again in other words ---


def excepts(s: Scope, i: int) -> bool:
    return s.at(i, _EXCEPT) and s.select(m for m in s.named_before(i) if m.phrase == ABSENT and not m.fixed)


def is_of_one_of_two(s: Scope, i: int) -> bool:
    token = s.tokens[i]
    if token.kind == "silence":
        return False
    before = max(0, token.start - _WHICH_FAR)
    which = _WHICH.match(s.flat, token.end) or _WHICH_BEFORE.search(s.flat, before, token.start)
    if which is None:
        return False
    two = [j for j in range(max(0, i - FAR), i) if s.mentions.get(j)][-2:]
    return len(two) > 1 and s.select(s.mentions[two[which[1] == "latter"]])


def names_another(s: Scope, i: int) -> bool:
    none = s.starts(i, "none") and s.follows(i, _ON_THE_OTHER)
    if s.tokens[i].kind == "silence" or not (none or s.follows(i, _ONE_MORE)):
        return False
    return s.select(s.named_before(i))


def is_of_another(s: Scope, i: int) -> bool:
    token = s.tokens[i]
    if token.kind == "silence" or _head_of(s, i) >= 0:
        return False
    begin = next((j for j in s.before(i) if s.mentions.get(j) or s.tokens[j].kind not in ("small", "")), -1)
    if s.tokens[begin].kind not in ("stop", "comma"):
        return False
    if not _ANOTHER.fullmatch(s.flat, s.tokens[begin].end, token.start):
        return False
    return s.select(s.named_before(begin))


# --- whether the cue refers to what precedes it ---


def looks_ahead(s: Scope, i: int) -> bool:
    cue = s.tokens[i].cue
    if cue.direction not in ("after", "both"):
        return True
    partial = (cue.direction == "both" and not cue.predicate) or (cue.kind == "hedge" and cue.reach == "near")
    return partial and not ends_part(s, i)


def is_of_what_follows(s: Scope, i: int) -> bool:
    cue = s.tokens[i].cue
    return cue.kind == "hedge" and cue.direction == "both" and s.follows(i, _IS_ABOUT)


def denies_exclusion(s: Scope, i: int) -> bool:
    denied = (m for j in s.before(i) for m in s.mentions.get(j, ()) if m.phrase == ABSENT)
    return s.tokens[i].kind == "negation" and s.select(m for m in denied if m.cue and keeps_open(s, m.cue[0], i))


def is_setting(s: Scope, i: int) -> bool:
    return s.starts(i, "in") and s.at(i, _YIELDS) and not ends_part(s, i)


def takes_back(s: Scope, i: int) -> bool:
    kind = s.tokens[i].kind
    return (kind == "silence" or (kind == "negation" and out_of_sight(s, i))) and governs_before(s, i)


# --- which findings the cue governs ---


def governs_before(s: Scope, i: int) -> bool:
    """Select the findings before the cue: never denied ones, and hedged ones only at the head."""
    head, yields = _head_of(s, i), s.at(i, _YIELDS)
    if head < 0 or (s.tokens[i].cue.reach == "near" and (head != i - 1 or s.tokens[i].gap)):
        return False
    group = (head, *_named_twice(s, head), *_joined_before(s, head, i))
    governed = (m for j in group for m in s.mentions.get(j, ()) if m.phrase != ABSENT)
    s.select(m for m in governed if not m.phrase or (m.index == head and not yields))
    return True


def _named_twice(s: Scope, head: int) -> list[int]:
    """The other half of "COVID pneumonia", which names one finding in two words."""
    return [head - 1] if not s.tokens[head].gap and s.names(head) & s.names(head - 1) else []


def _joined_before(s: Scope, head: int, i: int) -> list[int]:
    """The findings that share the cue with the one at ``head``: "effusion or edema is possible"."""
    several = _is_of_several(s, head, i)
    group = []
    # "pneumonia, aspiration, and hemorrhage are possible": a list continues behind the last finding
    joined = listed = several and any(t.kind in ("and", "or") for t in s.tokens[head + 1 : i])
    shown = s.tokens[i].kind == "hedge" and not s.describes(head)
    for j in s.before(head - len(_named_twice(s, head))):
        kind = s.tokens[j].kind
        if s.mentions.get(j):
            if not joined or (shown and s.tokens[j + 1].kind == "comma" and s.describes(j)):
                break  # "opacity, atelectasis or pneumonia?"
            group.append(j)
        elif kind in ("or", "versus") or (kind == "and" and several):
            joined, listed = True, kind != "versus"
        elif kind == "comma" and listed:
            joined = True
        elif not (s.holds[j] or kind in ("", "small", "blank", "bracket", "over")):
            break
    return group


def _is_of_several(s: Scope, head: int, i: int) -> bool:
    """True if the cue can refer to findings joined by "and"."""
    begin = s.tokens[i].start
    return (
        s.tokens[i].kind == "negation"
        or s.flat.startswith("are ", begin)
        or _SEVERAL.search(s.flat, max(0, begin - _SEVERAL_BEFORE), begin) is not None
        or _opens_as_pair(s, head)
    )


def _opens_as_pair(s: Scope, head: int) -> bool:
    """True if a part opens with two bare findings: "pneumonia and edema cannot be excluded"."""
    tokens = s.tokens
    return (
        2 <= head < FAR
        and tokens[head - 1].kind == "and"
        and not tokens[head].gap
        and not tokens[head - 1].gap
        and bool(s.mentions.get(head - 2))
        and (tokens[head - 3].kind == "with" or all(t.kind == "small" for t in tokens[: head - 2]))
    )


def _head_of(s: Scope, i: int) -> int:
    """The nearest finding before the cue at ``i`` to which it can refer, -1 for none."""
    cue, words, aside = s.tokens[i], s.tokens[i].gap, _aside(s, i)
    for j in s.before(aside):
        token = s.tokens[j]
        if s.mentions.get(j):
            return _located_by(s, j)
        if token.kind == "stop" and j == i - 1 and not cue.gap and token.end - token.start > 1:
            continue  # "less conspicuous but not excluded"
        if _separates(token, cue, words, adjacent=j == i - 1):
            return -1
        words += token.gap
        if words > _BACK_GAP:
            return -1
    return -1


def _separates(token: Token, behind: Token, words: int, *, adjacent: bool) -> bool:
    """True if a token keeps the cue behind it from looking further back."""
    if token.kind in ("negation", "silence"):
        return token.cue is not behind.cue
    if token.kind == "with":
        # "a neoplastic mass with invasion suspected"
        return behind.kind == "negation" or (not behind.cue.predicate and words > 0)
    return token.kind == "stop" or (token.kind == "colon" and (behind.kind != "negation" or not adjacent))


def _aside(s: Scope, i: int) -> int:
    """Where the hedge between commas before the cue begins, ``i`` if none: "pneumonia, while possible, is ..."."""
    before = [t.kind for t in s.tokens[max(0, i - 4) : i]]
    return i - 4 if not s.tokens[i].gap and before == ["comma", "stop", "hedge", "comma"] else i


def _located_by(s: Scope, j: int) -> int:
    """The finding that the one at ``j`` only locates, else ``j``: "pneumonia superimposed on edema is possible"."""
    if not only_places(s, j):
        return j
    for k in s.before(j):
        token = s.tokens[k]
        if s.mentions.get(k):
            return j if any(m.phrase for m in s.mentions[k]) else k
        if token.kind == "stop" and not s.flat.startswith("superimposed", token.start):
            return j
        if token.kind not in ("", "small", "with", "blank", "stop"):
            return j
    return j
