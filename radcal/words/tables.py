"""Reads the small editable tables; errors give file, line and reason."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from radcal.system import inputs
from radcal.system.cells import freed
from radcal.system.errors import InputError
from radcal.system.quoting import is_column_name
from radcal.system.separated import Dialect, Unread, lines_of, records_of
from radcal.system.text import Text, joined

_OURS = ("confirmed_by", "explained_by", "silent_ct", "silence_reason")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: cells by column, stripped; absent columns and cells are ''.

    ``decimal`` is the other decimal sign beside the point that numbers may have: a comma where commas do not
    separate cells.  ``own`` marks a line of a department's own file that is laid over a shipped one.
    """

    file: str
    line: int
    cells: dict[str, str]
    decimal: str = "."
    own: bool = False

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def error(self, reason: str) -> InputError:
        """An error about this line; ``reason`` is a sentence."""
        return InputError("{file}, line {line}: {reason}", file=self.file, line=self.line, reason=reason)

    def number(self, column: str) -> float:
        """The cell as a finite number.

        Raises:
            InputError: it is none.
        """
        value = self._value(column)
        if not math.isfinite(value):
            raise self.error(
                Text("{name} is not a number. Write it as 0.25.", name=column_told(column, tuple(self.cells)))
            )
        return value

    def has_number(self, column: str) -> bool:
        """Whether the cell holds a finite number."""
        return math.isfinite(self._value(column))

    def whole(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Cells as whole numbers of at least 0, which they are if empty.

        Raises:
            InputError: one is none.
        """
        numbers = [self.number(c) if self[c] else 0.0 for c in columns]
        if any(n < 0 or n != int(n) for n in numbers):
            raise self.error(Text("{names} are whole numbers of at least 0.", names=", ".join(columns)))
        return tuple(map(int, numbers))

    def _value(self, column: str) -> float:
        try:
            return float(self[column].replace(self.decimal, "."))
        except ValueError:
            return math.nan

    def items(self, column: str) -> tuple[str, ...]:
        """The items of a list cell, separated by semicolons."""
        return tuple(part for part in (" ".join(p.split()) for p in self[column].split(";")) if part)


def column_told(name: str, header: Sequence[str]) -> str:
    """A column as named in messages: by its name, or its position if the name may be report text."""
    return name if is_column_name(name, _OURS) else Text("column {n}", n=list(header).index(name) + 1)


def read_cells(path: Path) -> tuple[list[str], list[Row]]:
    """Header and rows of a CSV file in UTF-8, UTF-16 or Windows-1252; separated by comma, semicolon or tab.

    Blank lines are left out; where commas do not separate cells, numbers may have a decimal comma.  Cells may be
    guarded (:mod:`radcal.system.cells`).

    Raises:
        InputError: the file cannot be read, is empty, a row is longer or shorter than the header, or a quotation mark
            stands in the wrong place; names the line.
    """
    text = inputs.read_text(path)
    first = text.lstrip().partition("\n")[0]
    separator = max(",;\t", key=first.count)
    header: list[str] = []
    rows: list[Row] = []
    for line, cells in records_of(lines_of(text), Dialect(separator)):
        if isinstance(cells, Unread):
            reason = joined(cells.trouble.value)
            raise InputError("{file}, line {line}: {reason}", file=path.name, line=cells.opened, reason=reason)
        stripped = [freed(c).strip() for c in cells]
        if not any(stripped):
            continue
        if not header:
            header = stripped
            continue
        if len(stripped) != len(header):
            raise InputError(
                "{name}, line {line}: {n} cells, but the header has {n2}. Put quotes around a "
                "cell that contains the separator, and write numbers with a point: 0.25.",
                name=path.name,
                line=line,
                n=len(stripped),
                n2=len(header),
            )
        cells_by_column = dict(zip(header, stripped, strict=True))
        rows.append(Row(path.name, line, cells_by_column, "." if separator == "," else ","))
    if not rows:
        raise InputError(
            "{name} has no rows below its header. Choose another file or restore the shipped one.", name=path.name
        )
    return header, rows


def read_table(path: Path, required: Collection[str], optional: Collection[str] = ()) -> list[Row]:
    """Rows of a table with known columns; column names are case-insensitive.

    Raises:
        InputError: as :func:`read_cells`, or a column is missing, unknown or given twice.
    """
    header, rows = read_cells(path)
    names = [h.lower() for h in header]
    known = [*required, *optional]
    for place, name in enumerate(names):
        if name not in known and (place or name):  # a first column without a name numbers the rows
            shown = Text("{name!r}", name=name) if is_column_name(name) else Text("number {n}", n=names.index(name) + 1)
            raise InputError(
                "{name}, line 1: unknown column {shown}. Known: {known}.",
                name=path.name,
                shown=shown,
                known=", ".join(known),
            )
        if names.count(name) > 1:
            raise InputError(
                "{name}, line 1: the column {name2!r} is there twice. Remove one.", name=path.name, name2=name
            )
    for name in required:
        if name not in names:
            raise InputError("{name}, line 1: the column {name2!r} is missing.", name=path.name, name2=name)
    return [replace(row, cells={k.lower(): v for k, v in row.cells.items()}) for row in rows]
