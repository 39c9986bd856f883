"""When a cue governs the findings before it: "effusion not seen", "pneumonia or edema is possible"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from radcal.extract.rules.modifiers import keeps_open, only_places, out_of_sight
from radcal.extract.rules.scope import VERSUS, Mention, Scope
from radcal.extract.rules.tokens import FAR, Token
from radcal.extract.rules.vocabulary import CAUSE
from radcal.records import ABSENT, PRESENT

_BACK_GAP = 12
"""Plain words between a finding and the cue behind it."""

_ADVERBS = re.compile(r"(?:\s*\b(?:\w+ly\b|with\s+(?:any\s+)?certainty|today|here|though|however|either))*[^a-z0-9]*")
"""What may stand between a cue behind its finding and the end: "not entirely excluded radiographically"."""
_HERE = re.compile(r"(?:on|in|at|by)\s+th(?:is|ese)\b")
_SEVERAL = re.compile(r"\b(?:are\s+(?:\w+\s+)?|all\s+|both\s+|each\s+|equally\s+)$")
_SEVERAL_BEFORE = 24
"""Characters before a cue in which words can say that it is about several findings: "are all possible"."""
_YIELDS = re.compile(
    r"(?:should|must|ought\s+to|(?:need|ha)\w*\s+to|(?:is|are)?\s*to)\s+be\s+(?:excluded|ruled\s+out)"
    r"|in\s+(?:the|an?)\s+(?:right|correct|proper|appropriate|suitable|relevant)\b"
)
"""What takes nothing from a doubt already expressed: "less likely but should be excluded"."""
_IS_ABOUT = re.compile(r"\s*(?:an?|the|due|related|secondary|from|to\s+(?:be|represent|reflect))\s")
"""Behind a hedge: it is about what follows, be that a finding of ours or not."""
_ANOTHER = re.compile(
    r"[\s,]*(?:(?:a|an|the|that\s+on\s+the|very|small|tiny|subtle|early|minimal|left|right|other|smaller|sided)\s+)+"
    r"(?:(?:one|ones|side|component)\s+)?"
)
"""What stands for a finding named before: "no pneumothorax, but a small one cannot be excluded"."""

_ONE_MORE = re.compile(
    r"\s*(?:(?:a|an|the|very|definite|small|tiny|trace|subtle|early|minimal|larger|smaller|similar|left|right|sided"
    r"|second|bilateral|contralateral)\s+)*(?:ones?|component)\b(?!\s+of\b)"
)
"""What stands for it behind the cue: "small right effusion, and there may be a tiny left one"."""
_ON_THE_OTHER = re.compile(
    r"\s+(?:is\s+|are\s+|seen\s+)*(?:on|in|at)\s+(?:the\s+)?(?:left|right|other|opposite|contralateral)\b"
)
"""Behind "none": "small left effusion, none on the right"."""
_EXCEPT = re.compile(
    r"(?:except|other\s+than|aside\s+from|apart\s+from|with\s+the\s+exception\s+of)\s+(?:(?:for|an?|the)\s+)*"
    r"(?:(?:\w+\s+){0,3}?(?:ones?|those)\b|(?:trace|small|tiny|minimal|mild)(?:\s+amount)?\s+(?:on|at|in)\b)"
)
"""What is excepted from a denial without being named again: "no effusion except a trace on the left"."""
_WHICH = re.compile(r"\s*(?:the|that\s+the)?\s*(former|latter)\b")
_WHICH_BEFORE = re.compile(r"\b(former|latter)\s+(?:(?:is|being|was|seems|appears|would\s+be|felt|thought)\s+)*$")
_WHICH_FAR = 40
"""Characters before a cue in which the former or the latter is looked for."""


def ends_part(tokens: list[Token], flat: str, i: int) -> bool:
    """Whether nothing but the end of its part of the sentence follows the token at ``i``."""
    if i + 1 == len(tokens):
        return _ADVERBS.fullmatch(flat, tokens[i].end) is not None
    following = tokens[i + 1]
    if following.kind == "over" and not following.gap and _HERE.match(flat, following.start):
        return True
    if following.kind == "with" and following.cue.phrase == CAUSE:
        return False  # "opacity is likely due to atelectasis"
    if following.subject is not None and flat.startswith(("none", "nil"), tokens[i].start):
        return True  # "lungs clear effusions none heart normal"
    if following.kind not in ("comma", "stop", "colon", "bracket", "with", "and", "instead"):
        return False
    return not following.gap or _ADVERBS.fullmatch(flat, tokens[i].end, following.start) is not None


# --- findings that the cue names again in other words ---


def excepts(s: Scope, i: int) -> bool:
    """Whether what was just denied is excepted: "no nodule other than the one described"."""
    if _EXCEPT.match(s.flat, s.tokens[i].start) is None:
        return False
    named = s.named_before(i)
    s.found = [named] if named is not None and named.phrase == ABSENT and not named.fixed else []
    return bool(s.found)


def is_of_one_of_two(s: Scope, i: int) -> bool:
    """Whether the cue is about the former or the latter of two findings."""
    token = s.tokens[i]
    if token.kind == "silence":
        return False
    before = max(0, token.start - _WHICH_FAR)
    which = _WHICH.match(s.flat, token.end) or _WHICH_BEFORE.search(s.flat, before, token.start)
    if which is None:
        return False
    two = [j for j in range(max(0, i - FAR), i) if s.mentions.get(j)][-2:]
    s.found = s.mentions[two[which[1] == "latter"]] if len(two) > 1 else []
    return bool(s.found)


def names_another(s: Scope, i: int) -> bool:
    """Whether "one" or "none" behind the cue stands for a finding named before."""
    token = s.tokens[i]
    if token.kind not in ("hedge", "negation"):
        return False
    none = s.flat.startswith("none", token.start) and _ON_THE_OTHER.match(s.flat, token.end)
    if not none and _ONE_MORE.match(s.flat, token.end) is None:
        return False
    named = s.named_before(i)
    s.found = [named] if named is not None else []
    return bool(s.found)


def is_of_another(s: Scope, i: int) -> bool:
    """Whether the cue is about another of the findings of the part before: "...; the left has resolved"."""
    token, before = s.tokens[i], i - 1
    if _head(s, i) >= 0:
        return False
    while before >= max(0, i - FAR) and s.tokens[before].kind in ("small", "") and not s.mentions.get(before):
        before -= 1
    if before < 0 or s.tokens[before].kind not in ("stop", "comma") or token.kind == "silence":
        return False
    if not _ANOTHER.fullmatch(s.flat, s.tokens[before].end, token.start):
        return False
    named = s.named_before(before)
    s.found = [named] if named is not None else []
    return bool(s.found)


def states_exception(s: Scope, _: int) -> None:
    for m in s.found:
        s.mentions[m.index].append(Mention(m.index, m.start, m.end, m.pathologies, PRESENT))


def states_another(s: Scope, i: int) -> None:
    for m in s.found[:1]:
        another = Mention(m.index, m.start, m.end, m.pathologies)
        s.give(another, i)
        s.mentions[m.index].append(another)


def has_last_word(s: Scope, i: int) -> None:
    s.favoured.extend((mention, i) for mention in s.found)


# --- whether a cue looks back at all ---


def looks_ahead(s: Scope, i: int) -> bool:
    """Whether the words of the cue do not look back, or not where more follows them."""
    cue = s.tokens[i].cue
    if cue.direction not in ("after", "both"):
        return True
    if cue.direction == "both" and not cue.predicate and not ends_part(s.tokens, s.flat, i):
        return True
    return cue.kind == "hedge" and cue.reach == "near" and not ends_part(s.tokens, s.flat, i)


def is_of_what_follows(s: Scope, i: int) -> bool:
    cue = s.tokens[i].cue
    return cue.kind == "hedge" and cue.direction == "both" and _IS_ABOUT.match(s.flat, s.tokens[i].end) is not None


def denies_exclusion(s: Scope, i: int) -> bool:
    """Whether the negation denies that what "neither ... nor" denied is excluded."""
    if s.tokens[i].kind != "negation":
        return False
    s.found = [
        m
        for j in range(i - 1, max(-1, i - FAR), -1)
        for m in s.mentions.get(j, ())
        if m.phrase == ABSENT and m.cue_start >= 0 and keeps_open(s.flat, m.cue_start, s.tokens[i])
    ]
    return bool(s.found)


def leaves_possible(s: Scope, i: int) -> None:
    for m in s.found:
        s.give(m, i, VERSUS.phrase)


def is_out_of_reach(s: Scope, i: int) -> bool:
    head, near = _head(s, i), s.tokens[i].cue.reach == "near"
    return head < 0 or (near and (head != i - 1 or s.tokens[i].gap > 0))


def is_setting(s: Scope, i: int) -> bool:
    """Whether the words name a clinical setting for what follows."""
    if not s.flat.startswith("in", s.tokens[i].start) or ends_part(s.tokens, s.flat, i):
        return False
    return _yields(s, i)


def takes_back(s: Scope, i: int) -> bool:
    """Whether the words say that a finding is out of sight or of the past."""
    kind = s.tokens[i].kind
    return kind == "silence" or (kind == "negation" and out_of_sight(s.flat, s.tokens[i]))


# --- what a cue behind does to its findings ---


def takes_assertion(s: Scope, i: int) -> None:
    for j, _ in _governed(s, i):
        s.silenced.add(j)


def governs_before(s: Scope, i: int) -> None:
    answers = s.flat.startswith("none", s.tokens[i].start)
    for j, mention in _governed(s, i):
        if j in s.doubtable or answers:
            # "CT recommended as malignancy cannot be excluded"; "evaluation is limited, but none is seen"
            s.silenced.discard(j)
        s.give(mention, i)


def _governed(s: Scope, i: int) -> Iterator[tuple[int, Mention]]:
    """The findings before the cue at ``i`` that it governs: one that is denied stays so, one hedged mostly."""
    head, yields = _head(s, i), _yields(s, i)
    for j in (head, *_named_twice(s, head), *_joined_before(s, head, i)):
        for mention in s.mentions.get(j, ()):
            if mention.phrase != ABSENT and not (mention.phrase and (j != head or yields)):
                yield j, mention


def _yields(s: Scope, i: int) -> bool:
    return _YIELDS.match(s.flat, s.tokens[i].start) is not None


def _named_twice(s: Scope, head: int) -> list[int]:
    """The other half of "COVID pneumonia", which names one finding in two words."""
    before = s.mentions.get(head - 1, ())
    named = {p for m in s.mentions[head] for p in m.pathologies}
    return [head - 1] if not s.tokens[head].gap and any(named & set(m.pathologies) for m in before) else []


def _joined_before(s: Scope, head: int, i: int) -> list[int]:
    """The findings that share the cue behind ``head``, as in "effusion or edema is possible"."""
    several = _is_of_several(s, head, i)
    group = []
    # "pneumonia, aspiration, and hemorrhage are possible": a list goes on behind the last finding
    joined = listed = several and any(t.kind in ("and", "or") for t in s.tokens[head + 1 : i])
    shown = s.tokens[i].kind == "hedge" and not s.describes(head)
    for j in range(head - 1 - len(_named_twice(s, head)), max(-1, head - FAR), -1):
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
    """Whether the cue at ``i`` can be about findings joined by "and"."""
    begin = s.tokens[i].start
    return (
        s.tokens[i].kind == "negation"
        or s.flat.startswith("are ", begin)
        or _SEVERAL.search(s.flat, max(0, begin - _SEVERAL_BEFORE), begin) is not None
        or _opens_as_pair(s, head)
    )


def _opens_as_pair(s: Scope, head: int) -> bool:
    """Whether a part opens with two bare findings: "pneumonia and edema cannot be excluded"."""
    tokens = s.tokens
    return (
        2 <= head < FAR
        and tokens[head - 1].kind == "and"
        and not tokens[head].gap
        and not tokens[head - 1].gap
        and bool(s.mentions.get(head - 2))
        and (tokens[head - 3].kind == "with" or all(t.kind == "small" for t in tokens[: head - 2]))
    )


def _head(s: Scope, i: int) -> int:
    """The nearest finding to the left that the cue at ``i`` can be about, -1 for none."""
    if s.head[0] != i:
        s.head = (i, _find_head(s, i))
    return s.head[1]


def _find_head(s: Scope, i: int) -> int:
    cue, words, aside = s.tokens[i], s.tokens[i].gap, _aside(s, i)
    for j in range(i - 1, max(-1, i - FAR), -1):
        token = s.tokens[j]
        if aside <= j:
            continue
        if s.mentions.get(j):
            return _beside(s, j)
        if token.kind == "stop" and j == i - 1 and not cue.gap and token.end - token.start > 1:
            continue  # "less conspicuous but not excluded"
        if _parts(token, cue, words, adjacent=j == i - 1):
            return -1
        words += token.gap
        if words > _BACK_GAP:
            return -1
    return -1


def _parts(token: Token, behind: Token, words: int, *, adjacent: bool) -> bool:
    """Whether a token keeps a cue behind it from looking further back."""
    if token.kind in ("negation", "silence"):
        return token.cue is not behind.cue
    if token.kind == "with":
        # "a neoplastic mass with invasion suspected"
        return behind.kind == "negation" or (not behind.cue.predicate and words > 0)
    return token.kind == "stop" or (token.kind == "colon" and (behind.kind != "negation" or not adjacent))


def _aside(s: Scope, i: int) -> int:
    """Where the doubt set between commas before the cue at ``i`` begins: "pneumonia, while possible, is ...".

    ``i`` if there is none.
    """
    before = s.tokens[max(0, i - 4) : i]
    if s.tokens[i].gap or [t.kind for t in before] != ["comma", "stop", "hedge", "comma"]:
        return i
    return i - 4


def _beside(s: Scope, j: int) -> int:
    """The finding that the one at ``j`` only places, else ``j``: "pneumonia superimposed on edema is possible"."""
    if not only_places(s.flat, s.tokens[j]):
        return j
    for k in range(j - 1, max(-1, j - FAR), -1):
        if s.mentions.get(k):
            return j if any(m.phrase for m in s.mentions[k]) else k
        if s.tokens[k].kind not in ("", "small", "with", "blank", "stop"):
            return j
        if s.tokens[k].kind == "stop" and not s.flat.startswith("superimposed", s.tokens[k].start):
            return j
    return j
