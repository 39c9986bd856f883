"""Parser of the generator's texts, whose sentences with marked findings are expanded at random.

A rule is a line ``@name`` and its alternatives, one a line or several separated by " ; "; where a name stands again,
its alternatives are added:

    *3 {subject} is normal      three times as frequent as an alternative without a number
    {subject}                   one alternative of the rule "subject"
    (small|trace|)              one of several, possibly nothing
    <eff|pleural effusion>      words that name a pathology (codes in CODES; "fib+thk" two; "any" none of the list)
    [-no evidence of]           words that deny what they govern;  [+there is]  state it;  [?may be]  doubt it;
                                [0history of]  only mention it;  [=may represent]  no words, an answer alone
    {list^1} [2?versus]         names under ^1 are governed by the words marked 1; marks are passed to nested rules
    <eff^1|effusion>            the same for a single name
    \\x                         the sign x itself

Names that nothing governs are present; words without a number have mark 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from radcal.findings.readers.pairs import HEDGED, NOT_STATED
from radcal.words.confirmations import pathology_names
from radcal.words.records import ABSENT, PRESENT

_ODD_CODES = {
    "pneumomediastinum": "pnm",
    "pneumoperitoneum": "pnp",
    "pulmonary hypertension": "pht",
    "atelectasis": "atl",
    "pleural effusion": "eff",
    "pleural thickening": "thk",
    "pneumothorax": "ptx",
    "pulmonary embolism": "emb",
}
ANY = "any"
"""Code of words that name what is on no list: the question is of words, whatever they are."""
CODES: Mapping[str, str] = {ANY: "", **{_ODD_CODES.get(name, name[:3]): name for name in pathology_names()}}
"""Pathologies by code: three letters, mostly the first ones."""
_ANSWERS: Mapping[str, str] = {"-": ABSENT, "+": PRESENT, "?": HEDGED, "0": NOT_STATED}


@dataclass(frozen=True, slots=True)
class Mark:
    """The role of a piece of text: the name of ``pathologies``, or words that govern names and give their ``answer``.

    answer: PRESENT, ABSENT, NOT_STATED, a phrase, HEDGED where the words say which; '' for a name
    """

    mark: tuple[int, ...]
    pathologies: tuple[str, ...] = ()
    answer: str = ""


Piece = tuple[str, Mark | None]
"""A piece of text with its mark; None for plain text."""


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str
    mark: int | None


@dataclass(frozen=True, slots=True)
class _Choice:
    branches: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Term:
    pathologies: tuple[str, ...]
    mark: int | None
    inner: _Node


@dataclass(frozen=True, slots=True)
class _Cue:
    mark: int
    answer: str
    inner: _Node


_Node = tuple["str | _Slot | _Choice | _Term | _Cue", ...]
Source = Callable[[Random], str]
"""A function that generates words for slots without a rule."""


class GrammarError(ValueError):
    """Invalid grammar file; the message names the line."""


class Grammar:
    """A grammar of rules and word sources.

    Args:
        text: the grammar file.
        sources: functions for slots without a rule; their words are in the same notation.

    Raises:
        GrammarError: invalid notation, or a slot without rule and source.
    """

    def __init__(self, text: str, sources: Mapping[str, Source]) -> None:
        self._sources = dict(sources)
        self._rules: dict[str, tuple[list[_Node], list[float]]] = {}
        rule = None
        for number, line in enumerate(text.splitlines(), 1):
            line = line.strip()
            if not line or line.startswith("//"):
                continue
            if line.startswith("@"):
                rule = self._rules.setdefault(line[1:].strip(), ([], []))
                continue
            if rule is None:
                raise GrammarError(f"line {number}: an alternative before the first rule")
            for alternative in line.split(" ; "):
                weight, words = _weight(alternative.strip())
                try:
                    rule[0].append(_parse(words))
                except GrammarError as e:
                    raise GrammarError(f"line {number}: {e}") from e
                rule[1].append((rule[1][-1] if rule[1] else 0.0) + weight)
        self._check()

    def _check(self) -> None:
        for name, (nodes, _) in self._rules.items():
            if not nodes:
                raise GrammarError(f"the rule {name!r} has no alternatives")
            missing = {s for node in nodes for s in _slots(node)} - set(self._rules) - set(self._sources)
            if missing:
                raise GrammarError(f"the rule {name!r} uses {sorted(missing)}, which nothing fills")

    def expand(self, name: str, random: Random) -> list[Piece]:
        """A random expansion of a rule, as pieces."""
        out: list[Piece] = []
        self._slot(_Slot(name, None), (), random, out)
        return out

    def _slot(self, slot: _Slot, mark: tuple[int, ...], random: Random, out: list[Piece]) -> None:
        inner = mark if slot.mark is None else (*mark, slot.mark)
        if slot.name in self._rules:
            nodes, weights = self._rules[slot.name]
            at = random.random() * weights[-1]
            self._node(nodes[next(i for i, w in enumerate(weights) if at < w)], inner, random, out)
        else:
            self._node(_parse(self._sources[slot.name](random)), inner, random, out)

    def _node(self, node: _Node, mark: tuple[int, ...], random: Random, out: list[Piece]) -> None:
        for part in node:
            if isinstance(part, str):
                out.append((part, None))
            elif isinstance(part, _Slot):
                self._slot(part, mark, random, out)
            elif isinstance(part, _Choice):
                self._node(random.choice(part.branches), mark, random, out)
            else:
                inside: list[Piece] = []
                self._node(part.inner, mark, random, inside)
                text = "".join(t for t, _ in inside)
                if isinstance(part, _Term):
                    own = mark if part.mark is None else (*mark, part.mark)
                    out.append((text, Mark(own, part.pathologies)))
                else:
                    out.append((text, Mark((*mark, part.mark), answer=part.answer)))


def _weight(alternative: str) -> tuple[float, str]:
    found = re.match(r"\*(\d*\.?\d+) ?", alternative)
    return (float(found[1]), alternative[found.end() :]) if found else (1.0, alternative)


def _slots(node: _Node) -> set[str]:
    found: set[str] = set()
    for part in node:
        if isinstance(part, _Slot):
            found.add(part.name)
        elif isinstance(part, _Choice):
            for branch in part.branches:
                found |= _slots(branch)
        elif not isinstance(part, str):
            found |= _slots(part.inner)
    return found


@lru_cache(50_000)
def _parse(text: str) -> _Node:
    node, at = _sequence(text, 0, "")
    if at < len(text):
        raise GrammarError(f"an unexpected {text[at]!r} in {text!r}")
    return node


def _sequence(text: str, at: int, closing: str) -> tuple[_Node, int]:
    parts: list[str | _Slot | _Choice | _Term | _Cue] = []
    plain = ""
    while at < len(text) and text[at] not in closing:
        c = text[at]
        if c == "\\":
            plain += text[at + 1 : at + 2]
            at += 2
            continue
        if c not in "{(<[":
            plain += c
            at += 1
            continue
        if plain:
            parts.append(plain)
            plain = ""
        part, at = _bracket(text, at)
        parts.append(part)
    if plain:
        parts.append(plain)
    return tuple(parts), at


def _bracket(text: str, at: int) -> tuple[_Slot | _Choice | _Term | _Cue, int]:
    opening, at = text[at], at + 1
    if opening == "{":
        found = re.compile(r"([a-z_]+)(?:\^(\d))?\}").match(text, at)
        if found is None:
            raise GrammarError(f"a broken slot in {text!r}")
        return _Slot(found[1], int(found[2]) if found[2] else None), found.end()
    if opening == "<":
        found = re.compile(r"([a-z]{3}(?:\+[a-z]{3})*)(?:\^(\d))?\|").match(text, at)
        if found is None or not set(found[1].split("+")) <= set(CODES):
            raise GrammarError(f"a term without a known code in {text!r}")
        inner, at = _closed(text, found.end(), ">")
        return _Term(tuple(CODES[c] for c in found[1].split("+")), int(found[2]) if found[2] else None, inner), at
    if opening == "[":
        found = re.compile(r"(\d?)(?:([-+?0])|=([a-z ]+))").match(text, at)
        if found is None:
            raise GrammarError(f"a cue that is none of '-', '+', '?', '0', '=' in {text!r}")
        inner, at = _closed(text, found.end(), "]")
        return _Cue(int(found[1] or 1), _ANSWERS.get(found[2]) or found[3], inner), at
    branches = []
    while True:
        branch, at = _sequence(text, at, "|)")
        branches.append(branch)
        if at >= len(text):
            raise GrammarError(f"a '(' without its ')' in {text!r}")
        at += 1
        if text[at - 1] == ")":
            return _Choice(tuple(branches)), at


def _closed(text: str, at: int, closing: str) -> tuple[_Node, int]:
    inner, at = _sequence(text, at, closing)
    if at >= len(text):
        raise GrammarError(f"a {closing!r} is missing in {text!r}")
    return inner, at + 1
