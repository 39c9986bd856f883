"""Made-up reports in which their authors marked every identifier.

A file holds texts one behind the other:

    === en | patients: Thandeka Mbuyisa-Crouch | staff: Aurelio Zamacona; Prudence Hatherly
    {{patient_name|MBUYISA-CROUCH, THANDEKA}}   MRN {{id_number|40418826}} ...

The head names the language and the people as columns of a table would call them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from radcal.reports.identifiers import Known

_MARK = re.compile(r"\{\{(\w+)\|(.*?)\}\}", re.DOTALL)


class Mark(NamedTuple):
    """An identifier: from its first character to behind its last, and its kind."""

    start: int
    end: int
    kind: str


class Marked(NamedTuple):
    """A text and its identifiers."""

    name: str
    german: bool
    text: str
    marks: list[Mark]
    known: Known
    """What columns would say of its people."""


def read(path: Path) -> Iterator[Marked]:
    """The texts of a file."""
    for number, block in enumerate(re.split(r"(?m)^=== ?", path.read_text(encoding="utf-8"))[1:], 1):
        head, _, body = block.partition("\n")
        fields = [field.strip() for field in head.split("|")]
        text, marks, at = "", [], 0
        body = body.strip("\n")
        for m in _MARK.finditer(body):
            text += body[at : m.start()]
            marks.append(Mark(len(text), len(text) + len(m[2]), m[1]))
            text, at = text + m[2], m.end()
        yield Marked(
            f"{path.stem}-{number:03}",
            "de" in fields,
            text + body[at:],
            marks,
            Known(_names(fields, "patients:"), _names(fields, "staff:")),
        )


def _names(fields: list[str], label: str) -> tuple[str, ...]:
    value = next((field[len(label) :] for field in fields if field.startswith(label)), "")
    return tuple(name.strip() for name in value.split(";") if name.strip())
