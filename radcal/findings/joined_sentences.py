"""The sentences that an engine reads: those that assert something, rejoined where a line break cut them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from radcal.findings.edits import Edited
from radcal.findings.records import Finding
from radcal.reports.records import Section, Sentence
from radcal.words.spoken import with_marks

Normalise = Callable[[str], Edited]
"""Writes out the words of a sentence: a :class:`radcal.findings.normaliser.Normaliser`, or one that remembers."""
_SILENT_SECTIONS = frozenset((Section.INDICATION, Section.COMPARISON, Section.TECHNIQUE, Section.OTHER))
_DANGLING = re.compile(
    r"(?:^|\s)(?:an?|and|are|as|at|by|for|from|has|have|in|is|its|likely|may|no|not|of|on|or|right|left|than|that|the"
    r"|there|to|was|were|which|with|without|mediastinal|hilar|axillary|pleural|pulmonary|pericardial|small|mild|lower"
    r"|upper|middle|bilateral|large|evidence|focal|lobe)$|,$",
    re.IGNORECASE,
)
"""Words that cannot end a sentence, only a line."""
_STRAY = re.compile(
    r"\s(?:a|an|and|are|by|has|have|is|its|may|of|or|suggest|suggesting|than|that|the|to|was|were|which|with|without)\.$",
    re.IGNORECASE,
)
"""A full stop of dictation within a sentence, which continues in lower case."""


_ANSWER = re.compile(
    r"(?:yes|no|none|perhaps|maybe|possible|doubtful|\w+ly|ja|nein|keine?r?)(?:\s\w+){0,2}\s*(?:[.,;]|$)", re.IGNORECASE
)
"""What answers a question: "Pneumothorax? No.", "Edema? None whatsoever."."""


class WholeSentence:
    """A sentence that asserts something, rejoined from the pieces into which line breaks cut it.

    text: as it is read: its words written out
    """

    def __init__(self, pieces: Sequence[Sentence], normalise: Normalise) -> None:
        self.pieces = pieces
        *first, last = (piece.text for piece in pieces)
        self._written, self._begins = last, [0]
        if first:
            self._written = " ".join([*(f"{text[:-1]} " if _STRAY.search(text) else text for text in first), last])
            self._begins += accumulate(len(text) + 1 for text in first)
        self.normal = normalise(self._written)
        self.text = self.normal.text

    def finding(
        self,
        report_id: str,
        pathology: str,
        phrase: str,
        term: tuple[int, int],
        cue: tuple[int, int] | None,
        engine: str,
        probability: float | None = None,
    ) -> Finding:
        """A finding in this sentence, listed under the piece in which its term ends, in the words of the report.

        Args:
            term, cue: spans in :attr:`text`.
        """
        term = self.normal.original(*term)
        cue = self.normal.original(*cue) if cue else None
        sentence, _ = self._place(term[1] - 1)
        return Finding(
            report_id,
            pathology,
            phrase,
            self._written[slice(*cue)] if cue else "",
            sentence.text,
            sentence.section,
            sentence.start,
            sentence.end,
            *self._span(term),
            *(self._span(cue) if cue else (-1, -1)),
            engine,
            probability,
        )

    def within(self, start: int, end: int) -> tuple[int, int]:
        """A span of the report, of a finding in this sentence, as a span of :attr:`text`."""
        return self.normal.read(self._position(start), self._position(end - 1) + 1)

    def _position(self, place: int) -> int:
        number = max(0, bisect_right(self.pieces, place, key=lambda piece: piece.start) - 1)
        return self._begins[number] + place - self.pieces[number].start

    def span(self, span: tuple[int, int]) -> tuple[int, int]:
        """A span of the text as a span of the report."""
        return self._span(self.normal.original(*span))

    def _span(self, span: tuple[int, int]) -> tuple[int, int]:
        """A span of what is written as a span of the report."""
        return self._place(span[0])[1], self._place(span[1] - 1)[1] + 1

    def _place(self, position: int) -> tuple[Sentence, int]:
        """The piece at a position, and the position in the report; a space between pieces belongs to the first."""
        number = max(0, bisect_right(self._begins, position) - 1)
        return self.pieces[number], self.pieces[number].start + position - self._begins[number]


def whole_sentences(sentences: Iterable[Sentence], normalise: Normalise) -> Iterator[WholeSentence]:
    """The sentences that assert something, their words written out."""
    asserting = [sentence for sentence in sentences if sentence.section not in _SILENT_SECTIONS]
    small = sum(sentence.text[:1].islower() for sentence in asserting)
    case_tells = 2 * small <= len(asserting)
    whole: list[Sentence] = []
    for sentence in asserting:
        if whole and not _continues(whole[-1], sentence, case_tells=case_tells):
            yield WholeSentence(whole, normalise)
            whole = []
        whole.append(sentence)
    if whole:
        yield WholeSentence(whole, normalise)


def _continues(first: Sentence, second: Sentence, *, case_tells: bool) -> bool:
    """Whether a sentence goes on in the next; ``case_tells``: those of this report begin with capitals."""
    if first.section is not second.section or not second.text:
        return False
    text, small = first.text.rstrip(), second.text[0].islower()
    if text.endswith("?"):
        return _ANSWER.match(second.text) is not None
    if text.endswith("."):
        return small and _STRAY.search(text) is not None
    if not text or text[-1] in ":;!":
        return False
    return ((small and case_tells) or _DANGLING.search(text) is not None) and with_marks(text)[-1] not in ".:;!?\n"
