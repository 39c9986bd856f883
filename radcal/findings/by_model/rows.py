"""The rows allowed in an answer about a report: pathologies, phrases of the lexicon, words of the report."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from radcal.findings.model.questions import Trie

Reference = Literal["number", "quote"]
END = "- end\n"
MOST_WORDS = 6
"""Most words of a certainty expression copied from a sentence."""
_WORD = re.compile(r"\S+")
_AROUND = ".,;:!?()[]"


@dataclass(frozen=True, slots=True)
class Statement:
    """One row of an answer.

    sentence:    index of the sentence shown
    phrase:      as the model wrote it
    first, last: the row's tokens are answer[first:last]
    """

    sentence: int
    pathology: str
    phrase: str
    first: int
    last: int


def shown(text: str) -> str:
    """A sentence as shown to the model: of equal length, without line breaks, control characters and double quotes."""
    return "".join("'" if c == '"' else c if c.isprintable() else " " for c in text)


def spans(sentence: str) -> dict[str, tuple[int, int]]:
    """The sequences of words that can be a certainty expression, each with its first span."""
    words = []
    for found in _WORD.finditer(sentence):
        word = found.group()
        start = found.start() + len(word) - len(word.lstrip(_AROUND))
        end = found.end() - (len(word) - len(word.rstrip(_AROUND)))
        if start < end:
            words.append((start, end))
    out: dict[str, tuple[int, int]] = {}
    for i, (start, _) in enumerate(words):
        for _, end in words[i : i + MOST_WORDS]:
            out.setdefault(sentence[start:end], (start, end))
    return out


class Rows:
    """The tokens of the rows allowed about any report.

    A row is ``- 3, "pathology", "phrase"``, or begins with the quoted sentence instead of its number; the
    answer ends with ``- end``.  The phrase is one of the lexicon, or words of the sentence.

    Args:
        tokens: tokenises text at the beginning of a line.
    """

    def __init__(
        self,
        tokens: Callable[[str], list[int]],
        pathologies: Sequence[str],
        phrases: Sequence[str],
        reference: Reference,
        most: int,
    ) -> None:
        self.reference = reference
        self.most = most
        self.end = (tokens(END), None)
        self.pathologies = [(tokens(f'{p}", "'), p) for p in pathologies]
        self._phrases = [(tokens(f'{p}"\n'), p) for p in phrases]
        self._tokens = lru_cache(20_000)(tokens)
        self.phrases = lru_cache(500)(self._phrase_trie)

    def opening(self, number: int, sentence: str) -> list[int]:
        """The first tokens of a row about a sentence."""
        return self._tokens(f'- {number}, "' if self.reference == "number" else f'- "{sentence}", "')

    def _phrase_trie(self, sentence: str) -> Trie:
        copied = ((self._tokens(f'{words}"\n'), words) for words in spans(sentence))
        return Trie([*self._phrases, *copied])


class RowGuide:
    """Restricts the answer about a report: rows in the order of its sentences, each pathology once per sentence.

    Args:
        sentences: as shown in the prompt, numbered from 1.
        context: number of leading sentences that only provide context and get no rows.
    """

    def __init__(self, rows: Rows, sentences: Sequence[str], context: int = 0) -> None:
        self._rows = rows
        self._sentences = sentences
        self._at = context
        self._said: set[str] = set()
        self._length = self._first = 0
        self._stage: Literal["opening", "pathology", "phrase"] = "opening"
        self._pathology = ""
        self.statements: list[Statement] = []
        self.done = False
        self.cut = False
        self._node = self._openings()

    def _openings(self) -> Trie:
        self._first = self._length
        if len(self.statements) >= self._rows.most:
            self.cut = True
            return Trie([self._rows.end])
        first = self._at + (len(self._said) == len(self._rows.pathologies))
        options = [
            (self._rows.opening(i + 1, self._sentences[i]), i)
            for i in range(first, len(self._sentences))
            if self._sentences[i].strip()
        ]
        return Trie([*options, self._rows.end])

    def allowed(self) -> Sequence[int]:
        """The next tokens allowed."""
        return sorted(self._node.branches)

    def advance(self, token: int) -> None:
        """Accept the next token."""
        self._node = self._node.branches[token]
        self._length += 1
        if self._node.branches:
            return
        meaning = self._node.meaning
        if self._stage == "opening":
            if meaning is None:
                self.done = True
                return
            if meaning != self._at:
                self._said = set()
            self._at = meaning
            self._stage = "pathology"
            self._node = Trie([o for o in self._rows.pathologies if o[1] not in self._said])
        elif self._stage == "pathology":
            self._pathology = meaning
            self._said.add(meaning)
            self._stage = "phrase"
            self._node = self._rows.phrases(self._sentences[self._at])
        else:
            self.statements.append(Statement(self._at, self._pathology, meaning, self._first, self._length))
            self._stage = "opening"
            self._node = self._openings()


OVERLAP = 2
"""Sentences of the previous part that are shown again as context, for words such as "it"."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, or a part of one too long for the context; ``start`` is its place in the sentence."""

    sentence: int
    start: int
    text: str
    tokens: int


def parts_of(sentences: Sequence[str], budget: int, tokens: Callable[[str], int]) -> list[tuple[int, list[Piece]]]:
    """Parts that fit, each with the number of leading pieces that only repeat the previous part.

    Args:
        budget: most tokens of a part.
        tokens: of a sentence as it is shown, the numbering included.
    """
    pieces = [p for i, text in enumerate(sentences) for p in _pieces(i, 0, text, budget, tokens)]
    parts: list[tuple[int, list[Piece]]] = []
    part: list[Piece] = []
    context = used = 0
    for piece in pieces:
        if part and used + piece.tokens > budget:
            parts.append((context, part))
            part = [p for p in part[-OVERLAP:] if p.tokens <= budget // 8]
            context, used = len(part), sum(p.tokens for p in part)
        part.append(piece)
        used += piece.tokens
    if part:
        parts.append((context, part))
    return parts


def _pieces(sentence: int, start: int, text: str, budget: int, tokens: Callable[[str], int]) -> list[Piece]:
    """A sentence, if need be halved at spaces until each piece takes at most half of the budget."""
    if not text.strip():
        return []
    needed = tokens(text)
    if needed <= budget // 2 or len(text) < 2:
        return [Piece(sentence, start, text, needed)]
    middle = len(text) // 2
    space = text.find(" ", middle, middle + 100)
    cut = space if space > 0 else middle
    first = _pieces(sentence, start, text[:cut], budget, tokens)
    return [*first, *_pieces(sentence, start + cut, text[cut:], budget, tokens)]
