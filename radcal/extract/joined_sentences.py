"""The sentences that an engine reads: those that assert something, put together where a line break cut one in two."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from radcal.records import Section, Sentence

_SILENT_SECTIONS = frozenset((Section.INDICATION, Section.COMPARISON, Section.TECHNIQUE, Section.OTHER))
_DANGLING = re.compile(
    r"(?:^|\s)(?:an?|and|are|as|at|by|for|from|has|have|in|is|its|likely|may|no|not|of|on|or|right|left|than|that|the"
    r"|there|to|was|were|which|with|without|mediastinal|hilar|axillary|pleural|pulmonary|pericardial|small|mild|lower"
    r"|upper|middle|bilateral|large|evidence|focal|lobe)$|,$",
    re.IGNORECASE,
)
"""Words that a sentence does not end with: the line was broken behind them."""
_STRAY = re.compile(
    r"\s(?:a|an|and|are|by|has|have|is|its|may|of|or|suggest|suggesting|than|that|the|to|was|were|which|with|without)\.$",
    re.IGNORECASE,
)
"""The end of a sentence that goes on in small letters: dictation put in a full stop."""


def whole_sentences(sentences: Sequence[Sentence]) -> Iterator[list[Sentence]]:
    """The sentences that assert something, each as the pieces that line breaks cut it into."""
    whole: list[Sentence] = []
    for sentence in sentences:
        if sentence.section in _SILENT_SECTIONS:
            continue
        if whole and not _continues(whole[-1], sentence):
            yield whole
            whole = []
        whole.append(sentence)
    if whole:
        yield whole


def joined(pieces: Sequence[Sentence]) -> str:
    """The text of a sentence in pieces."""
    if len(pieces) == 1:
        return pieces[0].text
    return " ".join(s.text[:-1] + " " if _STRAY.search(s.text) else s.text for s in pieces[:-1]) + " " + pieces[-1].text


class Places:
    """Where positions of the joined text stand in the report; the space between two pieces belongs to the first."""

    def __init__(self, pieces: Sequence[Sentence]) -> None:
        self._pieces = pieces
        self._begins = [0, *accumulate(len(piece.text) + 1 for piece in pieces[:-1])]

    def __call__(self, position: int) -> tuple[Sentence, int]:
        """The piece that a position stands in, and the position in the report's text."""
        number = max(0, bisect_right(self._begins, position) - 1)
        return self._pieces[number], self._pieces[number].start + position - self._begins[number]


def _continues(first: Sentence, second: Sentence) -> bool:
    if first.section is not second.section or not second.text:
        return False
    text = first.text.rstrip()
    if _STRAY.search(text):
        return second.text[0].islower()
    if not text or text[-1] in ".:;!?":
        return False
    return second.text[0].islower() or _DANGLING.search(text) is not None
