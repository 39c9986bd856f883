"""Reads a sentence along the table of rules: at every word, the first rule that applies decides."""

from __future__ import annotations

from collections.abc import Iterable

from radcal.extract.rules.organs import OrganState, organ_states
from radcal.extract.rules.precedence import AFTER, BEFORE, BEHIND, HEADINGS, REST, Part, Rule
from radcal.extract.rules.scope import NO_CUE, Mention, Scope
from radcal.extract.rules.tokens import Token

Trace = list[tuple[int, Rule]]
_Rules = dict[str, tuple[Rule, ...]]


def read_mentions(tokens: list[Token], flat: str, trace: Trace | None = None) -> list[Mention]:
    """Every finding that the sentence asserts, in order, with its phrase and the span of its cue.

    Args:
        tokens: of the sentence.
        flat: the flattened sentence.
        trace: receives the index of a token and the rule that decided there, decision by decision.
    """
    organs = organ_states(tokens, flat) if any(t.state is not None for t in tokens) else {}
    holds = [i in organs or (t.term is not None and bool(t.term.pathologies)) for i, t in enumerate(tokens)]
    if not any(holds):
        return []
    scope = Scope(tokens, flat, organs, holds)
    scope.says_one = " one" in flat or " component" in flat
    scope.says_which = " former" in flat or " latter" in flat
    return _Walk(scope, trace).read()


class _Walk:
    def __init__(self, scope: Scope, trace: Trace | None) -> None:
        self.scope = scope
        self.trace = trace

    def read(self) -> list[Mention]:
        s = self.scope
        self._forwards()
        for rules in (_BEHIND, _AFTER):
            for i, token in enumerate(s.tokens):
                if token.kind in rules:
                    self._ask(rules[token.kind], i)
        for mention, token in s.favoured:
            mention.phrase = token.cue.phrase if token.cue else ""
            mention.cue_start, mention.cue_end = token.start, token.end
        for i in sorted(s.mentions, reverse=True):
            self._ask(_HEADINGS["finding"], i)
        for i, mentions in s.mentions.items():
            for mention in mentions:
                s.finding = mention
                if not mention.phrase:
                    self._ask(_REST["finding"], i)
        return [m for i in sorted(s.mentions) for m in s.mentions[i] if i not in s.silenced or m.fixed]

    def _forwards(self) -> None:
        """Carry cues from left to right."""
        s = self.scope
        for i, token in enumerate(s.tokens):
            kind = token.kind
            if s.holds[i]:
                if s.cue is not NO_CUE:
                    self._ask(_IN_FORCE["finding"], i)
                self._find(i, token)
                if kind not in ("negation", "hedge"):
                    continue
            rules = (_WITHOUT_CUE if s.cue is NO_CUE else _IN_FORCE).get(kind)
            if rules is not None:
                self._ask(rules, i)

    def _find(self, i: int, token: Token) -> None:
        """Ask about the findings at a token: what its words name, and what they say of an organ's state."""
        s = self.scope
        if token.term is not None and token.term.pathologies:
            s.add(Mention(i, token.start, token.end, token.term.pathologies))
            self._ask(_WITHOUT_CUE["term"], i)
        for organ in s.organs.get(i, ()):
            s.organ = organ
            first, last = _span(s, organ)
            s.add(Mention(i, first.start, last.end, (organ.pathology,)))
            self._ask(_WITHOUT_CUE["organ"], i)

    def _ask(self, rules: tuple[Rule, ...], i: int) -> None:
        for rule in rules:
            if rule.when(self.scope, i):
                if self.trace is not None:
                    self.trace.append((i, rule))
                rule.then(self.scope, i)
                return


def _span(s: Scope, organ: OrganState) -> tuple[Token, Token]:
    subject, state = s.tokens[organ.since], s.tokens[organ.state]
    return (state, subject) if organ.joined else (subject, state)


def _by_word(parts: Iterable[Part]) -> _Rules:
    """Kind of word to the rules that are asked there, in order of precedence."""
    table: dict[str, tuple[Rule, ...]] = {}
    for part in parts:
        for kind in part.at:
            table[kind] = (*table.get(kind, ()), *part.rules)
    return table


_IN_FORCE = _by_word(BEFORE)
_WITHOUT_CUE = _by_word(part for part in BEFORE if not part.in_force)
_BEHIND, _AFTER = _by_word(BEHIND), _by_word(AFTER)
_HEADINGS, _REST = _by_word(HEADINGS), _by_word(REST)
