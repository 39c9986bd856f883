"""Findings that an organ's state expresses: "heart size is normal", "clear lungs", "enlarged lymph nodes"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from radcal.findings.rules.patterns import Words
from radcal.findings.rules.tokens import FAR, Token
from radcal.words.records import ABSENT

_JOINS = frozenset(("comma", "and", "or", "small", "blank", "bracket"))
_NEAR = 3
_NODES_NEAR = 10
"""Most plain words between a state and the organ behind it; stations of lymph nodes are listed at length."""
_NODES = "lymphadenopathy"
"""Where it is denied or doubted that its organ is there, the finding is: "no nodes"."""
_EVIDENT_GAP = 2
"""Most plain words between "clear" and the finding that is clearly seen."""
_SHOWN_BEFORE = 30
"""Characters before "clear" that are searched for the verb that makes it mean "clearly seen"."""


@dataclass(frozen=True, slots=True)
class OrganState:
    """The finding that an organ's state expresses: ``absent`` for the healthy state.

    since:  index of the organ's token, past which no cue further left reaches; that of the state for a bare organ
    joined: True if the state precedes the organ ("enlarged nodes"), so that cues govern it like a term
    state:  index of the state's token
    """

    pathology: str
    absent: bool
    since: int
    joined: bool
    state: int


def organ_states(tokens: list[Token], flat: str, words: Mapping[str, Words]) -> dict[int, list[OrganState]]:
    """The states of organs by token index, the later one of organ and state."""
    found: dict[int, list[OrganState]] = {}
    group: list[int] = []
    earlier: dict[str, int] = {}
    settled = spoken = False
    skip = -1
    for i, token in enumerate(tokens):
        if token.subject is not None:
            if i == skip:
                continue
            if settled or spoken:
                group, settled, spoken = [], False, False
            if len(group) < FAR:
                group.append(i)
            earlier[token.subject] = i
        elif token.state is not None and not _is_evident(tokens, flat, words, i):
            opens = _opens(tokens, i)
            target = _organ_behind(tokens, i) if opens or not group or settled else -1
            if target >= 0 and not settled and _belongs_before(tokens, token, group, target):
                target = -1
            if target >= 0:
                organs = [target, *_joined_organs(tokens, target)]
                for j in organs:
                    _note(found, tokens, i, j, j, joined=True)
                settled = any(tokens[j].subject in token.state for j in organs)
                group, spoken, skip = organs, True, target
            elif group and not settled:
                if not opens and len(token.state) == 1 and not any(tokens[j].subject in token.state for j in group):
                    group = [
                        earlier[name] for name in token.state if name in earlier
                    ]  # "nodes of the hila in ... size"
                for j in group:
                    # A second state before the same organ: "normal enlarged nodes".
                    _note(found, tokens, i, j, max(i, j), joined=j > i)
                settled = any(tokens[j].subject in token.state for j in group)
                spoken = True
        elif token.kind == "stop" and token.end - token.start == 1:
            group, settled, spoken, earlier = [], False, False, {}
        elif token.kind not in _JOINS:
            spoken = True
    stated = {organ.since for organs in found.values() for organ in organs}
    for i, token in enumerate(tokens):
        if token.subject == _NODES and i not in stated:
            found.setdefault(i, []).append(OrganState(_NODES, absent=False, since=i, joined=True, state=i))
    return found


def _belongs_before(tokens: list[Token], state: Token, group: list[int], target: int) -> bool:
    """True if the state fits only an organ before it: "Herz kompensiert, nicht vergrößert, Sinus frei"."""
    states = state.state or {}
    return tokens[target].subject not in states and any(tokens[j].subject in states for j in group)


def _note(
    found: dict[int, list[OrganState]], tokens: list[Token], state: int, organ: int, at: int, *, joined: bool
) -> None:
    values = tokens[state].state or {}
    pathology = tokens[organ].subject or ""
    value = values.get(pathology)
    if value is not None:
        found.setdefault(at, []).append(OrganState(pathology, value == ABSENT, organ, joined, state))


def _is_evident(tokens: list[Token], flat: str, words: Mapping[str, Words], i: int) -> bool:
    """True if "clear" means clearly seen: "the right lung shows clear airspace disease"."""
    if words["clear"].at(flat, tokens[i].start) is None:
        return False
    shown = tokens[i + 1]
    if shown.gap > _EVIDENT_GAP or (shown.term is None and shown.kind != "small"):
        return False
    return words["there is"].ends(flat, max(0, tokens[i].start - _SHOWN_BEFORE), tokens[i].start) is not None


def _opens(tokens: list[Token], i: int) -> bool:
    """True if the token opens a part of the sentence, so that it belongs to what follows."""
    if tokens[i].gap:
        return i == 0 and tokens[i].gap <= 1
    return tokens[i - 1].kind in ("end", "with", "comma", "and", "colon", "stop", "negation", "bracket", "hedge")


def _organ_behind(tokens: list[Token], i: int) -> int:
    """The organ behind its state, -1 for none."""
    nodes = _NODES in (tokens[i].state or {})
    words = 0
    for j in range(i + 1, min(len(tokens) - 1, i + FAR)):
        token = tokens[j]
        words += token.gap
        if words > (_NODES_NEAR if nodes else _NEAR):
            return -1
        if token.subject is not None:
            if nodes and token.subject == "-" and tokens[j + 1].kind != "end" and tokens[j + 1].gap == 0:
                continue
            return j
        if token.state is not None or token.kind == "small":
            continue
        if token.term is not None or token.kind not in (("comma", "and", "or", "blank") if nodes else ("blank",)):
            return -1
    return -1


def _joined_organs(tokens: list[Token], j: int) -> list[int]:
    """The organ joined by "and" that shares the state: "normal mediastinum and heart"."""
    if tokens[j + 1].kind == "and" and tokens[j + 2].subject is not None:
        later = tokens[j + 3 : j + 5]
        if not any(t.state is not None or t.kind == "verb" for t in later):
            return [j + 2]
    return []
