"""Tokens: the words of a sentence that have a meaning for the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from radcal.findings.rules.patterns import COMPOUND, Expression, Words
from radcal.findings.rules.vocabulary import Cue, Entry, Term, Vocabulary, Wording

_WORD = re.compile(r"[a-z]+|\d[\d.,:]*\d|\d|[^\sa-z\d]")
FAR = 60
"""Most tokens searched in one direction, so that the time grows linearly with the sentence."""
COMMA = Cue("comma")
COLON = Cue("colon")
FULL_STOP = Cue("stop")
_NO_CUE = Cue("")
_BRACKET = Cue("bracket")
_END = Cue("end")
PARTS = frozenset(("comma", "stop", "colon", "bracket", "and", "or", "end"))
"""Kinds of tokens between which a part of a sentence stands."""
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
        flat: as :func:`radcal.findings.rules.patterns.flatten` returns it.
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
        if entry is not None:
            tokens.append(_token(start, end, gap, entry))
            reached, gap = end, 0
            continue
        parts = _parts(flat, *word.span(), vocabulary) if vocabulary.longest_tail else ()
        for begin, reached, entry in parts:
            tokens.append(_token(begin, reached, gap, entry))
            gap = 0
        gap += not parts
    return [*tokens, Token(len(flat), len(flat), gap, None, None, None, _END, _END.kind)]


def _token(start: int, end: int, gap: int, entry: Entry) -> Token:
    cue = entry.cue or _NO_CUE
    return Token(start, end, gap, entry.term, entry.subject, entry.state, cue, cue.kind)


def _parts(flat: str, start: int, stop: int, vocabulary: Vocabulary) -> tuple[tuple[int, int, Entry], ...]:
    """The parts with a meaning of a compound: one for what it is, two for a finding and its cue ("tumorverdächtig").

    Args:
        start, stop: of the compound's first word; its last part may go on in words behind it.
    """
    for cut in range(max(start, stop - vocabulary.longest_tail), stop - vocabulary.shortest_tail + 1):
        by_second = vocabulary.seconds.get(COMPOUND + flat[cut:stop])
        if by_second is None:
            continue
        end, entry = _longest(flat, start, by_second[""], vocabulary.merged)
        if entry is None:
            continue
        if entry.cue is None or cut == start or vocabulary.compounds:
            return ((start, end, entry),)
        for finding in (flat[start:cut], flat[start:cut].removesuffix("s")):
            first = _whole(finding, vocabulary)
            if first is not None and first.term is not None:
                return (start, cut, first), (cut, end, entry)
    return ()


def _whole(word: str, vocabulary: Vocabulary) -> Entry | None:
    """The meaning of a word on its own, or as a compound."""
    for by_second in (vocabulary.seconds.get(word), *_tails(word, vocabulary)):
        if by_second is not None:
            end, entry = _longest(word, 0, by_second[""], vocabulary.merged)
            if entry is not None and end == len(word):
                return entry
    return None


def _tails(word: str, vocabulary: Vocabulary) -> Iterator[dict[str, list[Wording]] | None]:
    cuts = range(max(0, len(word) - vocabulary.longest_tail), len(word) - vocabulary.shortest_tail + 1)
    return (vocabulary.seconds.get(COMPOUND + word[cut:]) for cut in cuts)


def _longest(flat: str, start: int, rows: list[Wording], merged: dict[str, Entry]) -> tuple[int, Entry | None]:
    """The end of the longest match at ``start``, and the joint meaning of the rows with that match."""
    longest, found = _found(flat, start, rows)
    if not found:
        return start, None
    if len(found) == 1:
        return longest, found[0]
    key = flat[start:longest]
    if key not in merged:
        merged[key] = merge(found)
    return longest, merged[key]


def _found(flat: str, start: int, rows: list[Wording]) -> tuple[int, list[Entry]]:
    """The end of the longest match at ``start``, without trailing spaces, and the rows with that match."""
    longest = start
    found: list[Entry] = []
    for pattern, entry, _ in rows:
        match = pattern.match(flat, start)
        if match is not None and (end := match.end()) >= longest:
            if end > longest:
                longest, found = end, []
            found.append(entry)
    while found and flat[longest - 1] == " ":
        longest -= 1
    return longest, found


def first_match(flat: str, vocabulary: Vocabulary) -> tuple[int, list[Entry]]:
    """The end of what :func:`tokenise` takes for the first token, and the rows that it is made of.

    ([], 0) if it makes no token of the first word, or one of a sign.
    """
    word = _WORD.search(flat)
    if word is None or word.group() in _SIGNS or (by_second := vocabulary.seconds.get(word.group())) is None:
        return 0, []
    following = _WORD.search(flat, word.end())
    rows = by_second.get(following.group() if following else "", by_second[""])
    return _found(flat, word.start(), rows)


def merge(entries: list[Entry]) -> Entry:
    """One entry for all, which are in the order of their layers: of each meaning, that of the lowest layer."""
    merged = Entry()
    for _, layer in groupby(entries, key=lambda entry: entry.layer):
        other = _merge_layer(layer)
        if merged.term is None or (other.term is not None and (_depends(merged.term) or _depends(other.term))):
            merged.term = _both(merged.term, other.term) if other.term is not None else None
        merged.subject = merged.subject or other.subject
        merged.state = other.state if merged.state is None else merged.state
        merged.cue = merged.cue or other.cue
    return merged


def _merge_layer(entries: Iterable[Entry]) -> Entry:
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
                merged.cue = Cue(old.kind, old.phrase, "both", old.reach, old.rank, old.predicate or e.cue.predicate)
    return merged


def _depends(term: Term) -> bool:
    """True if a heading or the words around it say what the term means."""
    return bool(term.under or term.beside)


def _both(old: Term | None, new: Term) -> Term:
    if old is None:
        return new
    if _depends(old) or _depends(new):
        named = old if old.pathologies else new
        under, beside = (*old.under, *new.under), (*old.beside, *new.beside)
        return Term(named.pathologies, named.unless, named.sign_of, under, beside, old.own or new.own)
    return old if new.pathologies else new


def heads(pattern: Expression, heading: str, words: Mapping[str, Words]) -> bool:
    """True if ``pattern`` matches the heading, or the first of several in it, none of which is the lungs."""
    match = pattern.match(heading)
    if match is None:
        return False
    rest = heading[match.end() :]
    joined = rest.startswith("(") or words["joint"].at(rest) is not None
    return not rest or (joined and words["lungs"].within(rest) is None)


def read_beside(tokens: list[Token], flat: str) -> None:
    """Resolve, in place, the terms whose meaning depends on words beside them: "effusion in the pericardial space"."""
    for i, token in enumerate(tokens):
        if token.term is None or not token.term.beside:
            continue
        before, behind = tokens[max(0, i - FAR) : i + 1], tokens[i : i + FAR]
        begin = next((t.end for t in reversed(before) if t.kind in PARTS), before[0].start)
        end = next((t.start for t in behind if t.kind in PARTS), behind[-1].end)
        names = next((names for near, names in token.term.beside if near.search(flat, begin, end)), None)
        under, own = token.term.under, token.term.own
        if names is not None:
            token.term = Term(names, under=under, own=own)
        elif token.term.pathologies or under:
            token.term = Term(token.term.pathologies, token.term.unless, token.term.sign_of, under, own=own)
        else:
            token.term = None


def read_under_headings(tokens: list[Token], flat: str, heading: str, words: Mapping[str, Words]) -> None:
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
            token.term = _meant(token.term, heading, words)


def _meant(term: Term, heading: str, words: Mapping[str, Words]) -> Term | None:
    for pattern, pathologies in term.under:
        if heading and heads(pattern, heading, words):
            return Term(pathologies, own=term.own)
    return Term(term.pathologies, term.unless, term.sign_of, own=term.own) if term.pathologies else None
