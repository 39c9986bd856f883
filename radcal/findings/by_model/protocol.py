"""The protocol of the bundled model: one sentence in, rows out.

The prompt is the sentence in a small alphabet (:func:`plain`), followed by ``<out>``.  The answer is rows in the order
of their terms and ``</s>``, or ``</s>`` alone if the sentence asserts nothing:

    words of the term, <pathology>, <present>                          a plain statement
    words of the term, <pathology>, <absent>, words of the cue         the cue is optional
    words of the term, <pathology>, <hedged>, words of the cue

with ``<row>`` between rows.  Words are copied from the sentence token by token; a :class:`SentenceGuide` allows no
others, so that nothing can be invented.  The words of the cue are mapped to a phrase by :class:`Phrases`.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from radcal.findings.rules.patterns import flatten
from radcal.findings.rules.tokens import tokenise
from radcal.findings.rules.vocabulary import Vocabulary
from radcal.system.text import Text
from radcal.words.phrases import Lexicon
from radcal.words.records import ABSENT, OTHER, PRESENT

FORMAT = "radcal-rows-1"
"""Stored in the model file as ``radcal.format``; models of another format do not follow this protocol."""

BEGIN, END, OUT, ROW = "<s>", "</s>", "<out>", "<row>"
HEDGED = "hedged"
STATES: tuple[str, ...] = (PRESENT, ABSENT, HEDGED)
_SIGNS_OF_ROWS: tuple[str, ...] = (BEGIN, END, OUT, ROW, *(f"<{s}>" for s in STATES))

MAX_TOKENS = 128
"""Longest part of a sentence in one prompt; longer sentences are cut between words."""
MAX_ROWS = 16
MAX_WORDS = 12
"""Most words of a term or cue."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SIGNS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u00b4`", "'"),
    "\u00d7": "x",
}


def special_tokens(pathologies: Iterable[str]) -> tuple[str, ...]:
    """The last tokens of a vocabulary, in this order; the model knows these pathologies only."""
    return (*_SIGNS_OF_ROWS, *(f"<{p}>" for p in pathologies))


def trained_on(pieces: Sequence[str]) -> tuple[str, ...]:
    """The pathologies in a vocabulary of this protocol: those that the model was trained on.

    Raises:
        ValueError: the vocabulary lacks the special tokens of this protocol.
    """
    first = max((i for i, piece in enumerate(pieces) if piece == BEGIN), default=0)
    pathologies = tuple(piece[1:-1] for piece in pieces[first + len(_SIGNS_OF_ROWS) :])
    if not pathologies or tuple(pieces[first:]) != special_tokens(pathologies):
        raise ValueError(Text("not a vocabulary of the format {format}", format=FORMAT))
    return pathologies


def plain(text: str) -> tuple[str, list[int]]:
    """The text in the model's alphabet, and the index in ``text`` of each of its characters.

    Lower case, ``#`` for a number, single spaces, a leading space, no accents, ``~`` for any other character.
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

    ids:      the model's input, from ``<s>`` to ``<out>``
    tokens:   the tokens of the sentence among them
    spans:    (start, end) of each of ``tokens`` in the original sentence
    opens:    True for tokens that begin a word; every other one continues the word before
    """

    ids: tuple[int, ...]
    tokens: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    opens: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of an answer; ``term`` and ``cue`` are spans of ``Prompt.tokens``, ``cue`` is None for no cue.

    first, last: the row's tokens are answer[first:last]
    """

    pathology: str
    state: str
    term: tuple[int, int]
    cue: tuple[int, int] | None
    first: int
    last: int


class Codec:
    """Encodes sentences as prompts, for one vocabulary.

    Args:
        pieces: the text of every token in the order of the model file.
        encode: the vocabulary's tokenizer: plain text to tokens without special ones.

    Raises:
        ValueError: the vocabulary lacks the special tokens of this protocol.
    """

    def __init__(self, pieces: Sequence[str], encode: Callable[[str], Sequence[int]]) -> None:
        self.pieces = tuple(pieces)
        pathologies = trained_on(self.pieces)
        first = len(self.pieces) - len(special_tokens(pathologies))
        self.special: dict[str, int] = {piece: i for i, piece in enumerate(self.pieces[first:], first)}
        self.begin, self.end, self.out, self.row = (self.special[s] for s in (BEGIN, END, OUT, ROW))
        self.states = {self.special[f"<{s}>"]: s for s in STATES}
        self.pathologies = {self.special[f"<{p}>"]: p for p in pathologies}
        """The pathologies that the model was trained on, by token."""
        self._encode = encode

    def prompts(self, text: str) -> Iterator[Prompt]:
        """The prompts of a sentence: several if it is longer than MAX_TOKENS, none if it is blank."""
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
                spans.append(
                    (origin[b], origin[b] + 1)
                )  # a space that is a token of its own belongs to the word behind
                continue
            lead = characters[a] == " " and b > a + 1
            last = a + max(len(characters[a:b].rstrip(".,;:")), lead + 1) - 1
            # A number is one character here and several in the text; a trailing space belongs to no word.
            end = _number_end(text, origin[last]) if characters[last] == "#" else min(ends[last], origin[last] + 1)
            spans.append((origin[a + lead], end))
        first = 0
        while first < len(tokens):
            last = len(tokens)
            if last - first > MAX_TOKENS:
                last = next((i for i in range(first + MAX_TOKENS, first, -1) if opens[i]), first + MAX_TOKENS)
            part = slice(first, last)
            ids = (self.begin, *tokens[part], self.out)
            yield Prompt(ids, tokens[part], tuple(spans[part]), (True, *opens[first + 1 : last]))
            first = last


def _begins_word(characters: str, at: int) -> bool:
    c = characters[at]
    if c == " ":
        return True
    before = characters[at - 1] if at else " "
    return _kind(c) != _kind(before)


def _kind(c: str) -> int:
    """1 for words and numbers, 2 for question marks (a cue of their own), 0 for everything else."""
    return 1 if c.isalpha() or c == "#" else 2 if c == "?" else 0


def _number_end(text: str, at: int) -> int:
    number = _NUMBER.match(text, at)
    return number.end() if number else at + 1


class SentenceGuide:
    """Restricts the answer to a prompt, token by token; ``rows`` are the complete ones so far.

    Phases of an answer: 'first' before the first row, 'begin' of a further row, 'term' and 'cue' while words are
    copied, 'state' behind the pathology, 'after state', 'done'.
    """

    def __init__(self, codec: Codec, prompt: Prompt) -> None:
        self.rows: list[Row] = []
        self._codec = codec
        self._prompt = prompt
        self._opening = [i for i, opens in enumerate(prompt.opens) if opens]
        self._phase = "first"
        self._places: list[tuple[int, int]] = []
        """Spans of tokens that match the words copied so far."""
        self._term = (0, 0)
        self._pathology = self._state = ""
        self._first = self._length = 0
        self._allowed = sorted(self._choices())

    @property
    def done(self) -> bool:
        """True once the answer has ended."""
        return self._phase == "done"

    def allowed(self) -> Sequence[int]:
        """The next tokens allowed, in ascending order; none once the answer has ended."""
        return self._allowed

    def advance(self, token: int) -> None:
        """Accept the next token.

        Raises:
            ValueError: the token is not allowed here.
        """
        if token not in self._allowed:
            raise ValueError(f"token {token} is not allowed after {self._phase!r}")
        codec, tokens, phase = self._codec, self._prompt.tokens, self._phase
        if token in (codec.end, codec.row):
            if phase != "first":
                cue = self._cue() if phase == "cue" else None
                self.rows.append(Row(self._pathology, self._state, self._term, cue, self._first, self._length))
            self._phase = "done" if token == codec.end else "begin"
        elif phase in ("first", "begin"):
            self._first = self._length
            self._places = [(i, i + 1) for i in self._terms_begin() if tokens[i] == token]
            self._phase = "term"
        elif phase == "term" and token in codec.pathologies:
            self._pathology = codec.pathologies[token]
            self._term = self._next_term()
            self._phase = "state"
        elif phase == "state":
            self._state = codec.states[token]
            self._phase = "after state"
        elif phase == "after state":
            self._places = [(i, i + 1) for i in self._opening if tokens[i] == token]
            self._phase = "cue"
        else:
            self._places = [(a, b + 1) for a, b in self._going_on() if tokens[b] == token]
        self._length += 1
        self._allowed = sorted(self._choices())

    def _choices(self) -> set[int]:
        codec, tokens, phase = self._codec, self._prompt.tokens, self._phase
        if phase == "done":
            return set()
        if phase == "state":
            return set(codec.states)
        if phase in ("first", "begin"):
            terms = {tokens[i] for i in self._terms_begin()}
            return terms | {codec.end} if phase == "first" else terms
        if phase == "after state":
            cues = {tokens[i] for i in self._opening} if self._state != PRESENT else set()
            return cues | self._ends() if self._state != HEDGED else cues
        copied = {tokens[b] for _, b in self._going_on()}
        if self._whole():
            copied |= set(codec.pathologies) if phase == "term" else self._ends()
        return copied

    def _terms_begin(self) -> list[int]:
        """Where the next term may begin: rows are in the order of their terms."""
        after = self.rows[-1].term[0] if self.rows else 0
        return [i for i in self._opening if i >= after]

    def _ends(self) -> set[int]:
        return {self._codec.end} if len(self.rows) + 1 >= MAX_ROWS else {self._codec.end, self._codec.row}

    def _going_on(self) -> list[tuple[int, int]]:
        """The spans that may grow: always to the end of a word, beyond it up to MAX_WORDS."""
        opens = self._prompt.opens
        inside = [(a, b) for a, b in self._places if b < len(opens)]
        return [(a, b) for a, b in inside if not opens[b] or sum(opens[a:b]) < MAX_WORDS]

    def _whole(self) -> list[tuple[int, int]]:
        """The spans that end with a word."""
        opens = self._prompt.opens
        return [(a, b) for a, b in self._places if b == len(opens) or opens[b]]

    def _next_term(self) -> tuple[int, int]:
        """The first span without an earlier row of the same pathology."""
        taken = {r.term for r in self.rows if r.pathology == self._pathology}
        whole = self._whole()
        return next((place for place in whole if place not in taken), whole[0])

    def _cue(self) -> tuple[int, int]:
        """The span nearest to the term, for a negation preferably one before it."""
        a, b = self._term
        whole = self._whole()
        if self._state == ABSENT:
            whole = [c for c in whole if c[1] <= a] or whole
        return min(whole, key=lambda c: (max(a - c[1], c[0] - b, 0), c[0]))


class Phrases:
    """Maps the words of a cue to a canonical phrase, by the cue file of the rules first, then by the lexicon."""

    def __init__(self, vocabulary: Vocabulary, lexicon: Lexicon) -> None:
        self._vocabulary = vocabulary
        self._lexicon = lexicon
        self.of = lru_cache(10_000)(self._find)

    def _find(self, state: str, cue: str) -> str:
        if state != HEDGED:
            return state
        tokens = tokenise(flatten(cue), self._vocabulary)
        hedges = [t.cue for t in tokens if t.kind in ("hedge", "instead")]
        name = self._vocabulary.respelling.name
        if hedges:
            return name(min(hedges, key=lambda c: c.rank).phrase)
        found = self._lexicon.find(cue)
        if found is not None and found.name not in (ABSENT, PRESENT):
            return found.name
        return name("possibly") if any(t.kind in ("or", "versus", "either") for t in tokens) else OTHER
