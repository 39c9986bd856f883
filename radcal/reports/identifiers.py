"""Identifiers of people: what is known of a report's, and what was done about those in its text."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, NamedTuple

_KINDS = ("name", "phone", "e-mail", "url", "number", "address", "place", "date")
PLACEHOLDERS: Final = {**{kind: f"[{kind}]" for kind in _KINDS}, "birth": "[date of birth]"}
"""What stands for an identifier of each kind."""
PLACEHOLDER: Final = re.compile("|".join(map(re.escape, PLACEHOLDERS.values())))
"""Any of the placeholders; it has no groups."""


class Known(NamedTuple):
    """What columns or message headers say of the people of one report."""

    patient: tuple[str, ...] = ()
    """Names of the patient, in any order and spelling."""
    staff: tuple[str, ...] = ()
    """Names of radiologists, referrers, technicians and of whoever else stands there."""
    numbers: tuple[str, ...] = ()
    """Patient id, accession and account numbers, phones, e-mail addresses, address lines."""
    births: tuple[str, ...] = ()
    """The patient's date of birth, as columns have it."""


class Edit(NamedTuple):
    """One replacement: a span of the raw text, in characters, and what stands there now."""

    start: int
    end: int
    replacement: str
    kind: str
    """'name', 'date', 'birth', 'age', 'phone', 'e-mail', 'url', 'number', 'address' or 'place'."""


class Suspect(NamedTuple):
    """A span of the de-identified text, in characters, that might be an identifier and was left."""

    start: int
    end: int
    kind: str
    """'name' or 'number'."""


@dataclass(frozen=True, slots=True)
class Deidentified:
    """A text without its identifiers.

    Attributes:
        text: after the edits.
        edits: in the order of the text, without overlaps.
        suspects: what a person should look at, the most suspicious first.
    """

    text: str
    edits: tuple[Edit, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    _shifts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Add up by how much the text is longer behind each edit."""
        gained = (len(edit.replacement) - (edit.end - edit.start) for edit in self.edits)
        object.__setattr__(self, "_shifts", (0, *accumulate(gained)))

    def forward(self, position: int) -> int:
        """The position in the new text of one in the raw text.

        Monotonous: begin and end of a replaced span are those of its replacement, and what lies between stays between.
        """
        n = bisect_right(self.edits, position, key=_start)
        if n:
            edit, shift = self.edits[n - 1], self._shifts[n - 1]
            if position < edit.end:
                return edit.start + shift + min(position - edit.start, len(edit.replacement))
        return position + self._shifts[n]

    def back(self, position: int) -> int:
        """The position in the raw text of one in the new text, as in :meth:`forward`."""
        n = bisect_right(range(len(self.edits)), position, key=self._new_start)
        if n:
            edit, start = self.edits[n - 1], self._new_start(n - 1)
            if position < start + len(edit.replacement):
                return edit.start + min(position - start, edit.end - edit.start)
        return position - self._shifts[n]

    def _new_start(self, n: int) -> int:
        return self.edits[n].start + self._shifts[n]


def _start(edit: Edit) -> int:
    return edit.start
