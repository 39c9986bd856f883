"""Reading a sentence by the table of rules: at every token, the first rule that applies decides."""

from __future__ import annotations

import re
from collections.abc import Iterable

from radcal.findings.rules.forward_scope import cue_at
from radcal.findings.rules.organs import organ_states
from radcal.findings.rules.precedence import AFTER, BEFORE, BEHIND, HEADINGS, REST, Part
from radcal.findings.rules.scope import NO_CUE, Mention, Rule, Scope
from radcal.findings.rules.tokens import Token

Trace = list[tuple[int, Rule]]


def read_mentions(tokens: list[Token], flat: str, doubts: re.Pattern[str], trace: Trace | None = None) -> list[Mention]:
    """The findings that a sentence asserts, in order, with phrase and cue.

    Args:
        tokens: of the sentence.
        flat: the flattened sentence.
        doubts: expression of the words of doubt that are no cue.
        trace: receives every decision: index of the token, and rule.
    """
    organs = organ_states(tokens, flat) if any(t.state is not None for t in tokens) else {}
    holds = [i in organs or (t.term is not None and bool(t.term.pathologies)) for i, t in enumerate(tokens)]
    if True not in holds:
        return []
    s = Scope(tokens, flat, organs, holds, doubts, trace)
    _read_forwards(s)
    for table in (_BEHIND, _AFTER):
        for i, token in enumerate(tokens):
            if token.kind in table:
                _ask(s, table[token.kind], i)
    for mention, by in s.favoured:
        s.give(mention, by)
    if ":" in flat:
        for i in reversed(list(s.mentions)):
            named = s.names(i)
            _ask(s, _HEADINGS["finding"], i)
            s.named |= named
    for i, mentions in s.mentions.items():
        for s.finding in mentions:
            if not s.finding.phrase:
                _ask(s, _REST["finding"], i)
    return [m for i, mentions in s.mentions.items() for m in mentions if i not in s.silenced or m.fixed]


def _read_forwards(s: Scope) -> None:
    """Apply cues from left to right."""
    for i, token in enumerate(s.tokens):
        kind = token.kind
        if s.holds[i]:
            if s.cue is not NO_CUE:
                _ask(s, _IN_FORCE["finding"], i)
            _find(s, i, token)
            if kind not in ("negation", "hedge"):
                continue
        if kind in _CUES:
            s.coming = cue_at(s, i)
        rules = (_WITHOUT_CUE if s.cue is NO_CUE else _IN_FORCE).get(kind)
        if rules is not None:
            _ask(s, rules, i)


def _find(s: Scope, i: int, token: Token) -> None:
    """Read the findings at a token: those of its term, and those that an organ's state expresses."""
    if token.term is not None and token.term.pathologies:
        s.add(Mention(i, token.start, token.end, token.term.pathologies))
        _ask(s, _WITHOUT_CUE["term"], i)
    for organ in s.organs.get(i, ()):
        s.organ = organ
        first, last = sorted((organ.since, organ.state))
        s.add(Mention(i, s.tokens[first].start, s.tokens[last].end, (organ.pathology,)))
        _ask(s, _WITHOUT_CUE["organ"], i)


def _ask(s: Scope, rules: tuple[Rule, ...], i: int) -> None:
    for rule in rules:
        if rule.when(s, i):
            if s.trace is not None:
                s.trace.append((i, rule))
            rule.then(s, i)
            return


def _by_kind(parts: Iterable[Part]) -> dict[str, tuple[Rule, ...]]:
    """The rules for each kind of token, in order of precedence."""
    table: dict[str, tuple[Rule, ...]] = {}
    for part in parts:
        for kind in part.at:
            table[kind] = (*table.get(kind, ()), *part.rules)
    return table


_CUES = ("hedge", "negation", "silence", "over")
_IN_FORCE = _by_kind(BEFORE)
_WITHOUT_CUE = _by_kind(part for part in BEFORE if not part.in_force)
_BEHIND, _AFTER = _by_kind(BEHIND), _by_kind(AFTER)
_HEADINGS, _REST = _by_kind(HEADINGS), _by_kind(REST)
