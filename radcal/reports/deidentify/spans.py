"""Spans that detectors claim in a text, in the order of their certainty; the first to claim a character has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from radcal.reports.identifiers import PLACEHOLDER, PLACEHOLDERS, Deidentified, Edit, Suspect
from radcal.system.resources import patterns

SHIFTED: Final = "\u2060"
"""Word joiner, invisible: stands behind a date that was shifted, so that nothing shifts it again."""
FILLED: Final = "\ufffc"
"""What stands for each character that detectors must not read: no letter, no digit, no space."""
NAMED: Final = "\ufffb"
"""The same where a name was taken out before: a date may stand in its list, but is none of it."""

_P = patterns("deidentify", "spans.toml", placeholder=PLACEHOLDER.pattern)
JOIN: Final = re.compile(r"[ \t\xa0]*[-'’.,]{0,2}[ \t\xa0]*|/")
"""What may stand between two words of one name."""


class Claims:
    """What detectors found in one text.

    Attributes:
        text: the text with what is settled filled in, of the same length as the raw one.
    """

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.text = _P["done"].sub(_filled, raw) if _P["done"].search(raw) else raw
        self._taken = bytearray(len(raw))
        self._edits: list[Edit] = []
        self._kept: list[tuple[int, int]] = []

    def add(self, start: int, end: int, kind: str, replacement: str | None = None) -> bool:
        """Claim a span for a replacement, by default the placeholder of its kind; whether it was still free."""
        if start >= end or not self.free(start, end):
            return False
        self._taken[start:end] = b"\1" * (end - start)
        self._edits.append(Edit(start, end, PLACEHOLDERS[kind] if replacement is None else replacement, kind))
        return True

    def keep(self, start: int, end: int) -> None:
        """Claim a span that stays as it is."""
        self._kept.append((start, end))
        self._taken[start:end] = b"\1" * (end - start)

    def free(self, start: int, end: int) -> bool:
        """Whether nobody has claimed any of these characters, and none is settled."""
        return (
            self._taken.find(1, start, end) < 0
            and self.text.find(FILLED, start, end) < 0
            and self.text.find(NAMED, start, end) < 0
        )

    def join(self, kind: str) -> None:
        """Make one of edits of a kind between which nothing but a mark or a space stands: "Adaeze", "Nwosu"."""
        joined: list[Edit] = []
        for edit in sorted(self._edits):
            last = joined[-1] if joined else edit
            if last.kind == edit.kind == kind and last is not edit and JOIN.fullmatch(self.raw, last.end, edit.start):
                joined[-1] = last._replace(end=edit.end)
            else:
                joined.append(edit)
        self._edits = joined

    def settle(self) -> None:
        """Fill in what was claimed, so that later detectors do not read it."""
        if not (self._edits or self._kept):
            return
        letters = list(self.text)
        for edit in self._edits:
            letters[edit.start : edit.end] = (NAMED if edit.kind == "name" else FILLED) * (edit.end - edit.start)
        for start, end in self._kept:
            letters[start:end] = FILLED * (end - start)
        self.text = "".join(letters)

    def apply(self, left: Sequence[tuple[int, int, float]] = ()) -> Deidentified:
        """The text after all edits; ``left``: spans of the raw text that may be names, and how suspicious they are."""
        done = applied(self.raw, self._edits)
        numbers = (m.span() for name in ("long", "mixed") for m in _P[name].finditer(done.text))
        found = dict.fromkeys(numbers, (-1.0, "number"))
        for start, end, weight in left:
            if self.free(start, end):
                kind = "number" if self.raw[start].isdigit() else "name"
                found.setdefault((done.forward(start), done.forward(end)), (-weight, kind))
        ordered = sorted((weight, start, end, kind) for (start, end), (weight, kind) in found.items())
        return replace(done, suspects=tuple(Suspect(start, end, kind) for _, start, end, kind in ordered))


def applied(text: str, edits: Iterable[Edit]) -> Deidentified:
    """The text after edits, which must not overlap; their order does not matter."""
    done = tuple(sorted(edits))
    parts, at = [], 0
    for edit in done:
        parts += [text[at : edit.start], edit.replacement]
        at = edit.end
    return Deidentified("".join([*parts, text[at:]]), done)


def _filled(match: re.Match[str]) -> str:
    return (NAMED if match.group() == PLACEHOLDERS["name"] else FILLED) * len(match.group())
