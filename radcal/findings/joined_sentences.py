"""The sentences that an engine reads: those that assert something, rejoined where a line break cut them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from radcal.findings.records import Finding
from radcal.reports.records import Section, Sentence

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


class WholeSentence:
    """A sentence that asserts something, rejoined from the pieces into which line breaks cut it."""

    def __init__(self, pieces: Sequence[Sentence]) -> None:
        self.pieces = pieces
        *first, last = (piece.text for piece in pieces)
        self.text, self._begins = last, [0]
        if first:
            self.text = " ".join([*(f"{text[:-1]} " if _STRAY.search(text) else text for text in first), last])
            self._begins += accumulate(len(text) + 1 for text in first)

    def finding(
        self,
        report_id: str,
        pathology: str,
        phrase: str,
        term: Sequence[int],
        cue: Sequence[int] | None,
        engine: str,
        probability: float | None = None,
    ) -> Finding:
        """A finding in this sentence, listed under the piece in which its term ends.

        Args:
            term, cue: spans in :attr:`text`.
        """
        sentence, _ = self._place(term[1] - 1)
        return Finding(
            report_id,
            pathology,
            phrase,
            self.text[slice(*cue)] if cue else "",
            sentence.text,
            sentence.section,
            sentence.start,
            sentence.end,
            *self.span(term),
            *(self.span(cue) if cue else (-1, -1)),
            engine,
            probability,
        )

    def within(self, start: int, end: int) -> tuple[int, int]:
        """A span of the report, of a finding in this sentence, as a span of :attr:`text`."""
        return self._position(start), self._position(end - 1) + 1

    def _position(self, place: int) -> int:
        number = max(0, bisect_right(self.pieces, place, key=lambda piece: piece.start) - 1)
        return self._begins[number] + place - self.pieces[number].start

    def span(self, span: Sequence[int]) -> tuple[int, int]:
        """A span of the text as a span of the report."""
        return self._place(span[0])[1], self._place(span[1] - 1)[1] + 1

    def _place(self, position: int) -> tuple[Sentence, int]:
        """The piece at a position, and the position in the report; a space between pieces belongs to the first."""
        number = max(0, bisect_right(self._begins, position) - 1)
        return self.pieces[number], self.pieces[number].start + position - self._begins[number]


def whole_sentences(sentences: Iterable[Sentence]) -> Iterator[WholeSentence]:
    """The sentences that assert something."""
    whole: list[Sentence] = []
    for sentence in sentences:
        if sentence.section in _SILENT_SECTIONS:
            continue
        if whole and not _continues(whole[-1], sentence):
            yield WholeSentence(whole)
            whole = []
        whole.append(sentence)
    if whole:
        yield WholeSentence(whole)


def _continues(first: Sentence, second: Sentence) -> bool:
    if first.section is not second.section or not second.text:
        return False
    text, small = first.text.rstrip(), second.text[0].islower()
    if text.endswith("."):
        return small and _STRAY.search(text) is not None
    if not text or text[-1] in ":;!?":
        return False
    return small or _DANGLING.search(text) is not None
