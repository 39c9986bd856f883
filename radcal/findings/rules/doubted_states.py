"""States of organs in a study other than the chest, beside words of doubt: "the appendix is probably normal"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from radcal.findings.rules.alternatives import is_unexplained
from radcal.findings.rules.effects import always, goes_on
from radcal.findings.rules.organs import OrganState
from radcal.findings.rules.scope import UNLIKELY, Mention, Rule, Scope, Span, Step
from radcal.words.extraction_words import shipped
from radcal.words.phrases import mean_of
from radcal.words.records import ABSENT, PRESENT, UNREAD

_ENDS = frozenset(("comma", "stop", "colon", "bracket", "and", "or", "versus", "with"))
"""Kinds of tokens past which a hedge does not reach a state."""
_EVEN = 0.5
"""How likely a hedge makes its finding, at least, that speaks for it."""

_RULE = Rule(
    "a state in doubt",
    "In a study other than the chest, a hedge takes the certainty off the state of an organ.",
    always,
    goes_on,
)
"""What a trace shows; it stands in no table, since the chest is read without it."""


def read_doubted_states(s: Scope) -> None:
    """Take the certainty off the states of organs that a hedge governs; the rules of the chest give healthy ones none.

    Behind a hedge that speaks for it, a healthy state makes the finding unlikely; behind any other it is unread, and so
    is a diseased state of which another part of the sentence goes on to doubt.
    """
    mentions = [m for each in s.mentions.values() for m in each]
    for m in mentions:
        if m.organ is None or m.phrase not in (PRESENT, ABSENT):
            continue
        value = (s.tokens[m.organ.state].state or {}).get(m.organ.pathology, PRESENT)
        others = [other.cue for other in mentions if other is not m and other.cue and other.phrase != ABSENT]
        hedges = [j for j in _hedges(s, m.organ) if not _is_in(s.tokens[j].start, others)]
        if hedges:
            first, last = min(hedges), max(hedges)
            _doubt(s, m, [s.tokens[j].cue.phrase for j in hedges])
            m.cue = s.tokens[first].start, s.tokens[last].end
        elif m.fixed and is_unexplained(s, m.index):
            m.phrase, m.cue = UNREAD, s.unused
        elif m.phrase == PRESENT != value:
            s.give(m, m.organ.state, value)
        else:
            continue
        if s.trace is not None:
            s.trace.append(Step(m.index, _RULE, (m,)))


def _doubt(s: Scope, m: Mention, phrases: list[str]) -> None:
    assert m.organ is not None  # noqa: S101 - for the type checker
    near = sorted((m.organ.since, m.organ.state))
    denied = any(s.tokens[j].kind == "negation" for j in range(max(0, near[0] - 1), near[1]))
    means = {phrase.name: mean_of(phrase) for phrase in shipped().phrases}
    speaks_for = all(means.get(phrase, 0) >= _EVEN for phrase in phrases)
    m.phrase = UNLIKELY.phrase if m.phrase == ABSENT and speaks_for and denied != m.organ.absent else UNREAD


def _hedges(s: Scope, organ: OrganState) -> Iterator[int]:
    """The hedges of a state: beside organ and state with nothing between, or right behind its comma."""
    first, last = sorted((organ.since, organ.state))
    yield from (j for j in range(first, last) if _is_hedge(s, j) and j != organ.state)
    for j in s.before(first):
        if s.tokens[j].kind in _ENDS or s.holds[j]:
            break
        if _is_hedge(s, j):
            yield j
    for j in s.behind(last):
        if s.tokens[j].kind in _ENDS or s.holds[j] or s.tokens[j].subject is not None:
            break
        if _is_hedge(s, j) and s.tokens[j].cue.direction != "before":
            yield j
    comma, behind = s.tokens[last + 1 : last + 3] if len(s.tokens) > last + 3 else (None, None)
    if comma and behind and comma.kind == "comma" and not behind.gap and _is_hedge(s, last + 2):
        following = s.tokens[last + 3]
        if not following.gap and (following.state is not None or following.kind in ("comma", "stop", "end")):
            yield last + 2


def _is_hedge(s: Scope, j: int) -> bool:
    cue = s.tokens[j].cue
    return cue.kind == "hedge" or (cue.kind == "over" and cue.rank > 0)


def _is_in(place: int, spans: Iterable[Span]) -> bool:
    return any(begin <= place < end for begin, end in spans)
