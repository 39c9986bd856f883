"""Tokens: the words of a sentence that have a meaning for the rules."""

from __future__ import annotations

import re
from dataclasses import dataclass

from radcal.extract.rules.vocabulary import Cue, Entry, Term, Vocabulary, Wording

_WORD = re.compile(r"[a-z]+|\d[\d.,:]*\d|\d|[^\sa-z\d]")
FAR = 60
"""Most tokens searched in one direction, so that the time grows linearly with the sentence."""
COMMA = Cue("comma")
COLON = Cue("colon")
FULL_STOP = Cue("stop")
_NO_CUE = Cue("")
_BRACKET = Cue("bracket")
_END = Cue("end")
_JOINT = re.compile(r"\s*(?:[,/&(]|and\b)")
_LUNGS = re.compile(r"\b(?:lungs?|pleura|pleural|chest|airways?)\b")
_LONGEST_HEADING = 200
"""Characters of a heading that are read."""
_SIGNS = {
    ",": Entry(cue=COMMA),
    ":": Entry(cue=COLON),
    ".": Entry(cue=FULL_STOP),
    "(": Entry(cue=_BRACKET),
    ")": Entry(cue=_BRACKET),
}


@dataclass(slots=True)
class Token:
    """Words with their meaning; ``gap`` is the number of words without one since the previous token."""

    start: int
    end: int
    gap: int
    term: Term | None
    subject: str | None
    state: dict[str, str] | None
    cue: Cue
    kind: str


def tokenise(flat: str, vocabulary: Vocabulary) -> list[Token]:
    """The tokens of a sentence, from left to right; the longest match prevails.

    The last one is the END, of kind "end".  It is also at index -1, so that every token has a neighbour on both sides.

    Args:
        flat: as :func:`radcal.extract.rules.patterns.flatten` returns it.
    """
    tokens: list[Token] = []
    reached = gap = 0
    for word in _WORD.finditer(flat):
        start, end = word.span()
        if start < reached:
            continue
        string = word.group()
        entry = _SIGNS.get(string)
        if entry is None:
            by_second = vocabulary.seconds.get(string)
            if by_second is None:
                entry = vocabulary.misspelt.get(string)
            else:
                following = _WORD.search(flat, end)
                rows = by_second.get(following.group() if following else "", by_second[""])
                end, entry = _longest(flat, start, rows, vocabulary.merged)
        if entry is None:
            gap += 1
            continue
        cue = entry.cue or _NO_CUE
        tokens.append(Token(start, end, gap, entry.term, entry.subject, entry.state, cue, cue.kind))
        reached, gap = end, 0
    return [*tokens, Token(len(flat), len(flat), gap, None, None, None, _END, _END.kind)]


def _longest(flat: str, start: int, rows: list[Wording], merged: dict[str, Entry]) -> tuple[int, Entry | None]:
    """The end of the longest match at ``start``, and the joint meaning of the rows with that match."""
    longest = start
    found: list[Entry] = []
    for pattern, entry, _ in rows:
        match = pattern.match(flat, start)
        if match is not None and (end := match.end()) >= longest:
            if end > longest:
                longest, found = end, []
            found.append(entry)
    if not found:
        return start, None
    while flat[longest - 1] == " ":
        longest -= 1
    if len(found) == 1:
        return longest, found[0]
    key = flat[start:longest]
    if key not in merged:
        merged[key] = _merge(found)
    return longest, merged[key]


def _merge(entries: list[Entry]) -> Entry:
    """One entry for all: a term without a finding overrides one, cues before and after make one of both directions."""
    merged = Entry()
    for e in entries:
        if e.term is not None:
            merged.term = _both(merged.term, e.term)
        merged.subject = merged.subject or e.subject
        if e.state is not None:
            merged.state = (merged.state or {}) | e.state
        if e.cue is not None:
            old = merged.cue
            if old is None or e.cue.kind == "over":
                merged.cue = e.cue
            elif old.kind == e.cue.kind and old.phrase == e.cue.phrase and old.direction != e.cue.direction:
                merged.cue = Cue(old.kind, old.phrase, "both", old.reach, old.rank)
    return merged


def _both(old: Term | None, new: Term) -> Term:
    if old is None:
        return new
    if old.under or new.under:
        named = old if old.pathologies else new
        return Term(named.pathologies, named.unless, named.sign_of, (*old.under, *new.under))
    return old if new.pathologies else new


def heads(pattern: re.Pattern[str], heading: str) -> bool:
    """True if ``pattern`` matches the heading, or the first of several in it, none of which is the lungs."""
    match = pattern.match(heading)
    if match is None:
        return False
    rest = heading[match.end() :]
    return not rest or (_JOINT.match(rest) is not None and _LUNGS.search(rest) is None)


def read_under_headings(tokens: list[Token], flat: str, heading: str) -> None:
    """Resolve, in place, the terms whose meaning depends on a heading: "Pericardium: no effusion".

    Args:
        heading: of the line so far; a heading within the sentence replaces it.
    """
    begin = 0
    for token in tokens:
        if token.cue is COLON:
            heading = flat[begin : token.start].strip()[:_LONGEST_HEADING]
            begin = token.end
        elif token.cue is FULL_STOP:
            begin = token.end
        elif token.term is not None and token.term.under:
            token.term = _meant(token.term, heading)


def _meant(term: Term, heading: str) -> Term | None:
    for pattern, pathologies in term.under:
        if heading and heads(pattern, heading):
            return Term(pathologies)
    return Term(term.pathologies, term.unless, term.sign_of) if term.pathologies else None
