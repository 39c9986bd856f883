"""What the bundled model is asked and how its answer reads: one sentence in, rows out.

The sentence is written in a small alphabet (:func:`plain`) and followed by ``<out>``.  The answer is rows in the order
of their terms, ``</s>`` at the end, nothing but ``</s>`` where the sentence asserts nothing:

    words of the term, <pathology>, <present>                          a plain statement
    words of the term, <pathology>, <absent>, words of the cue         the cue may be missing
    words of the term, <pathology>, <hedged>, words of the cue

with ``<row>`` between two rows.  Words are copied from the sentence token by token; the :class:`Automaton` allows no
others, so that nothing can be invented.  The phrase is read from the cue's words by the lexicon (:class:`Phrases`).
No heavy imports: any runtime can speak this.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from radcal.extract.rules.patterns import flatten
from radcal.extract.rules.tokens import tokenise
from radcal.extract.rules.vocabulary import Entry, Vocabulary
from radcal.lexicon.phrases import Lexicon
from radcal.records import ABSENT, OTHER, PRESENT

FORMAT = "radcal-rows-1"
"""Stored in the model file as ``radcal.format``; a model of another format does not speak this protocol."""

BEGIN, END, OUT, ROW = "<s>", "</s>", "<out>", "<row>"
HEDGED = "hedged"
STATES: tuple[str, ...] = (PRESENT, ABSENT, HEDGED)
_SIGNS_OF_ROWS: tuple[str, ...] = (BEGIN, END, OUT, ROW, *(f"<{s}>" for s in STATES))

MAX_TOKENS = 128
"""Longest part of a sentence that is asked at once; longer ones are cut between words."""
MAX_ROWS = 16
MAX_WORDS = 12
"""Longest term or cue."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SIGNS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u00b4`", "'"),
    "\u00d7": "x",
}


def special_tokens(pathologies: Iterable[str]) -> tuple[str, ...]:
    """The last tokens of a vocabulary, in this order: the model reads these pathologies and no others."""
    return (*_SIGNS_OF_ROWS, *(f"<{p}>" for p in pathologies))


def plain(text: str) -> tuple[str, list[int]]:
    """The text as the model reads it, and where each of its characters stands in ``text``.

    Lower case, ``#`` for a number, single spaces, one space in front, no accents, ``~`` for any other sign.
    """
    out, origin = [" "], [0]
    at = 0
    while at < len(text):
        number = _NUMBER.match(text, at)
        c = "#" if number else text[at]
        if not number and not ("!" <= c <= "~"):
            c = _ascii(c)
        if c != " " or out[-1] != " ":
            out.append(c.lower())
            origin.append(at)
        at = number.end() if number else at + 1
    while len(out) > 1 and out[-1] == " ":
        del out[-1], origin[-1]
    return "".join(out), origin


@lru_cache(4096)
def _ascii(c: str) -> str:
    if c.isspace() or unicodedata.category(c).startswith(("C", "Z")):
        return " "
    base = _SIGNS.get(c) or unicodedata.normalize("NFKD", c)[0]
    return base if "!" <= base <= "~" and not base.isdigit() else "~"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A sentence, or a part of a long one, as tokens.

    ids:      what the model is given, from ``<s>`` to ``<out>``
    tokens:   the sentence's own tokens among them
    spans:    where each of ``tokens`` stands in the sentence as it was written: (start, end)
    opens:    whether a word begins with the token;  closes: whether one ends with it
    """

    ids: tuple[int, ...]
    tokens: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    opens: tuple[bool, ...]
    closes: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of an answer; spans are places in ``Prompt.tokens``, ``cue`` is None where there is none.

    first, last: the row's tokens in the answer, answer[first:last], for its probability
    """

    pathology: str
    state: str
    term: tuple[int, int]
    cue: tuple[int, int] | None
    first: int
    last: int


class Codec:
    """Sentences to prompts and answers to rows, for one vocabulary.

    Args:
        pieces: the text of every token, in order, as the model file has it.
        encode: the vocabulary's tokenizer: plain text to tokens, no special ones.

    Raises:
        ValueError: the vocabulary has not the special tokens of this protocol.
    """

    def __init__(self, pieces: Sequence[str], encode: Callable[[str], Sequence[int]]) -> None:
        self.pieces = tuple(pieces)
        first = max((i for i, piece in enumerate(pieces) if piece == BEGIN), default=0)
        named = self.pieces[first + len(_SIGNS_OF_ROWS) :]
        pathologies = tuple(piece[1:-1] for piece in named)
        if not named or self.pieces[first:] != special_tokens(pathologies):
            raise ValueError(f"not a vocabulary of the format {FORMAT}")
        self.special: dict[str, int] = {piece: i for i, piece in enumerate(self.pieces[first:], first)}
        self.begin, self.end, self.out, self.row = (self.special[s] for s in (BEGIN, END, OUT, ROW))
        self.states = {self.special[f"<{s}>"]: s for s in STATES}
        self.pathologies = {self.special[f"<{p}>"]: p for p in pathologies}
        """Those that the model was trained on, by their tokens."""
        self._encode = encode

    def prompts(self, text: str) -> Iterator[Prompt]:
        """The prompts of a sentence: one, or several where it is longer than MAX_TOKENS; none if it is blank."""
        characters, origin = plain(text)
        if characters == " ":
            return
        tokens = tuple(self._encode(characters))
        starts = [0]
        for token in tokens:
            starts.append(starts[-1] + len(self.pieces[token]))
        ends = [*origin[1:], len(text)]
        spans, opens = [], []
        for a, b in itertools.pairwise(starts):
            opens.append(_begins_word(characters, a))
            if characters[a] == " " and b < len(characters) and b == a + 1:
                spans.append((origin[b], origin[b] + 1))  # the space of a word that was cut finer belongs to the word
                continue
            lead = characters[a] == " " and b > a + 1
            last = a + max(len(characters[a:b].rstrip(".,;:")), lead + 1) - 1
            # A number is one sign here and several there; a space behind belongs to no word.
            end = _number_end(text, origin[last]) if characters[last] == "#" else min(ends[last], origin[last] + 1)
            spans.append((origin[a + lead], end))
        closes = [*opens[1:], True]
        first = 0
        while first < len(tokens):
            last = len(tokens)
            if last - first > MAX_TOKENS:
                last = next((i for i in range(first + MAX_TOKENS, first, -1) if opens[i]), first + MAX_TOKENS)
            part = slice(first, last)
            yield Prompt(
                (self.begin, *tokens[part], self.out),
                tokens[part],
                tuple(spans[part]),
                (True, *opens[first + 1 : last]),
                (*closes[first : last - 1], True),
            )
            first = last

    def automaton(self, prompt: Prompt) -> Automaton:
        """What may be answered to a prompt."""
        return Automaton(self, prompt)

    def rows(self, prompt: Prompt, answer: Sequence[int]) -> tuple[Row, ...]:
        """The rows of an answer that the automaton allowed; an answer that was cut off loses its last row."""
        automaton = self.automaton(prompt)
        state = automaton.start
        for token in answer:
            state = automaton.advance(state, token)
        return state.rows


def _begins_word(characters: str, at: int) -> bool:
    c = characters[at]
    if c == " ":
        return True
    before = characters[at - 1] if at else " "
    return _kind(c) != _kind(before)


def _kind(c: str) -> int:
    """Words and numbers, question marks (a cue of their own), everything else."""
    return 1 if c.isalpha() or c == "#" else 2 if c == "?" else 0


def _number_end(text: str, at: int) -> int:
    number = _NUMBER.match(text, at)
    return number.end() if number else at + 1


@dataclass(frozen=True, slots=True)
class State:
    """How far an answer has come.

    phase:   'term' or 'cue' while words are copied, 'first' before the first row, 'begin' of another row,
             'state' after the pathology, 'said' after the state, 'done'
    places:  where the copied words can stand: (first token, token behind the last)
    """

    phase: str
    places: tuple[tuple[int, int], ...] = ()
    term: tuple[int, int] = (0, 0)
    pathology: str = ""
    said: str = ""
    first: int = 0
    length: int = 0
    rows: tuple[Row, ...] = ()


class Automaton:
    """The answers that a prompt allows: ``allowed(state)`` is never empty before ``</s>``."""

    def __init__(self, codec: Codec, prompt: Prompt) -> None:
        self._codec = codec
        self._prompt = prompt
        self._opening = [i for i, opens in enumerate(prompt.opens) if opens]
        self.start = State("first")

    def allowed(self, state: State) -> frozenset[int]:
        """The tokens that may come next; empty once the answer has ended."""
        codec, tokens = self._codec, self._prompt.tokens
        if state.phase == "done":
            return frozenset()
        if state.phase == "state":
            return frozenset(codec.states)
        if state.phase in ("first", "begin"):
            after = state.rows[-1].term[0] if state.rows else 0
            terms = {tokens[i] for i in self._opening if i >= after}
            return frozenset(terms | ({codec.end} if state.phase == "first" else set()))
        if state.phase == "said":
            cues = {tokens[i] for i in self._opening} if state.said != PRESENT else set()
            return frozenset(cues | (self._ends(state) if state.said != HEDGED else set()))
        copied = {tokens[b] for a, b in state.places if b < len(tokens) and self._continues(a, b)}
        if any(self._prompt.closes[b - 1] for _, b in state.places):
            copied |= set(codec.pathologies) if state.phase == "term" else self._ends(state)
        return frozenset(copied)

    def advance(self, state: State, token: int) -> State:
        """The state after a token.

        Raises:
            ValueError: the token is not allowed here.
        """
        if token not in self.allowed(state):
            raise ValueError(f"token {token} is not allowed after {state.phase!r}")
        codec, tokens = self._codec, self._prompt.tokens
        length = state.length + 1
        if state.phase in ("first", "begin") and token != codec.end:
            after = state.rows[-1].term[0] if state.rows else 0
            places = tuple((i, i + 1) for i in self._opening if i >= after and tokens[i] == token)
            return State("term", places, first=state.length, length=length, rows=state.rows)
        if state.phase == "term" and token in codec.pathologies:
            pathology = codec.pathologies[token]
            term = self._term(state, pathology)
            return State("state", (), term, pathology, first=state.first, length=length, rows=state.rows)
        if state.phase == "state":
            said = codec.states[token]
            return State("said", (), state.term, state.pathology, said, state.first, length, state.rows)
        if token in (codec.end, codec.row):
            rows = state.rows
            if state.phase != "first":
                cue = self._cue(state) if state.phase == "cue" else None
                rows += (Row(state.pathology, state.said, state.term, cue, state.first, state.length),)
            return State("done" if token == codec.end else "begin", first=length, length=length, rows=rows)
        if state.phase == "said":
            places = tuple((i, i + 1) for i in self._opening if tokens[i] == token)
            return State("cue", places, state.term, state.pathology, state.said, state.first, length, state.rows)
        places = tuple(
            (a, b + 1) for a, b in state.places if b < len(tokens) and tokens[b] == token and self._continues(a, b)
        )
        return State(state.phase, places, state.term, state.pathology, state.said, state.first, length, state.rows)

    def _ends(self, state: State) -> set[int]:
        codec = self._codec
        return {codec.end} if len(state.rows) + 1 >= MAX_ROWS else {codec.end, codec.row}

    def _continues(self, a: int, b: int) -> bool:
        """Whether words copied from a to b may go on: to the end of a word always, past it up to MAX_WORDS."""
        if not self._prompt.opens[b]:
            return True
        return sum(self._prompt.opens[a:b]) < MAX_WORDS

    def _whole(self, state: State) -> list[tuple[int, int]]:
        return [(a, b) for a, b in state.places if self._prompt.closes[b - 1]]

    def _term(self, state: State, pathology: str) -> tuple[int, int]:
        """The first place that no earlier row has for the same pathology."""
        taken = {r.term for r in state.rows if r.pathology == pathology}
        whole = self._whole(state)
        return next((place for place in whole if place not in taken), whole[0])

    def _cue(self, state: State) -> tuple[int, int]:
        """The place nearest to the term; for a negation, the nearest before it if there is one."""
        a, b = state.term
        whole = self._whole(state)
        if state.said == ABSENT:
            whole = [c for c in whole if c[1] <= a] or whole
        return min(whole, key=lambda c: (max(a - c[1], c[0] - b, 0), c[0]))


class Phrases:
    """The canonical phrase of a cue's words, by the cue file of the rules and then the lexicon."""

    def __init__(self, vocabulary: Vocabulary, lexicon: Lexicon) -> None:
        self._vocabulary = vocabulary
        self._lexicon = lexicon
        self._merged: dict[str, Entry] = {}
        self.of = lru_cache(10_000)(self._find)

    def _find(self, state: str, cue: str) -> str:
        if state != HEDGED:
            return state
        tokens = tokenise(flatten(cue), self._vocabulary, self._merged)
        hedges = [t.cue for t in tokens if t.kind == "hedge" and t.cue is not None]
        name = self._vocabulary.respelling.name
        if hedges:
            return name(min(hedges, key=lambda c: c.rank).phrase)
        found = self._lexicon.find(cue)
        if found is not None and found.name not in (ABSENT, PRESENT):
            return found.name
        return name("possibly") if any(t.kind in ("or", "versus") for t in tokens) else OTHER
