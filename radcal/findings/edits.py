"""A text with words replaced, and where each of its words stands in the original."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Edit:
    """Words at start:end of a text, and what is read instead."""

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Edited:
    """A text to read.

    edits: in order, not overlapping; their spans are those of the original
    """

    text: str
    edits: tuple[Edit, ...] = ()
    _begins: tuple[int, ...] = field(default=(), repr=False)
    """Where the words of each edit begin in the text to read."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original of a span of the text to read; all replaced words it touches."""
        if start == end:
            return (self._place(start - 1, 1),) * 2 if start else (0, 0)
        return self._place(start, 0), self._place(end - 1, 1)

    def read(self, start: int, end: int) -> tuple[int, int]:
        """The span in the text to read of a span of the original; all of the new words where it ends within an edit."""
        return self._read_at(start, 0), self._read_at(end - 1, 1)

    def _read_at(self, position: int, behind: int) -> int:
        number = bisect_right(self.edits, position, key=lambda edit: edit.start) - 1
        if number < 0:
            return position + behind
        edit, begin = self.edits[number], self._begins[number]
        if position < edit.end:
            return begin + len(edit.words) if behind else begin
        return position - edit.end + begin + len(edit.words) + behind

    def _place(self, position: int, behind: int) -> int:
        number = bisect_right(self._begins, position) - 1
        if number < 0:
            return position + behind
        edit, begin = self.edits[number], self._begins[number]
        if position < begin + len(edit.words):
            return edit.end if behind else edit.start
        return position - begin - len(edit.words) + edit.end + behind


def edited(text: str, edits: Iterable[Edit]) -> Edited:
    """A text with its edits; of overlapping ones, the one that is given first prevails."""
    kept: list[Edit] = []
    for edit in edits:
        at = bisect_right(kept, (edit.start, edit.end), key=_span)
        if (at and edit.start < kept[at - 1].end) or (at < len(kept) and kept[at].start < edit.end):
            continue
        kept.insert(at, edit)
    parts, begins, length, reached = [], [], 0, 0
    for edit in kept:
        begins.append(length + edit.start - reached)
        length = begins[-1] + len(edit.words)
        parts += [text[reached : edit.start], edit.words]
        reached = edit.end
    return Edited("".join([*parts, text[reached:]]), tuple(kept), tuple(begins)) if kept else Edited(text)


def _span(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end
