"""Reading the small tables that a department can edit, with a refusal that names file, line and reason."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from radcal.cells import freed
from radcal.errors import InputError


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: cells by column, stripped; absent columns and cells are ''.

    ``decimal`` is the other decimal sign beside the point that numbers may have: a comma where commas do not
    separate cells.
    """

    file: str
    line: int
    cells: dict[str, str]
    decimal: str = "."

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def error(self, reason: str) -> InputError:
        """An error about this line; ``reason`` is a sentence."""
        return InputError(f"{self.file}, line {self.line}: {reason}")

    def number(self, column: str) -> float:
        """The cell as a finite number.

        Raises:
            InputError: it is none.
        """
        value = self._value(column)
        if not math.isfinite(value):
            raise self.error(f"{column} is {self[column]!r}, which is not a number. Write it as 0.25.")
        return value

    def has_number(self, column: str) -> bool:
        """Whether a finite number stands in the cell."""
        return math.isfinite(self._value(column))

    def _value(self, column: str) -> float:
        try:
            return float(self[column].replace(self.decimal, "."))
        except ValueError:
            return math.nan

    def items(self, column: str) -> tuple[str, ...]:
        """The parts of a cell that lists several, separated by semicolons."""
        return tuple(part for part in (" ".join(p.split()) for p in self[column].split(";")) if part)


def _read_text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}. Check that the file is there.") from error
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def read_cells(path: Path) -> tuple[list[str], list[Row]]:
    """Header and rows of a CSV file in UTF-8, UTF-16 or Windows-1252; separated by comma, semicolon or tab.

    Blank lines are left out; a row shorter than the header is filled with ''; where commas do not separate cells,
    numbers may have a decimal comma.  Cells may be guarded (:mod:`radcal.cells`).

    Raises:
        InputError: the file cannot be read, is empty, or a row is longer than the header.
    """
    text = _read_text(path)
    first = text.lstrip().partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    header: list[str] = []
    rows: list[Row] = []
    try:
        for cells in reader:
            stripped = [freed(c).strip() for c in cells]
            if not any(stripped):
                continue
            if not header:
                header = stripped
                continue
            if len(stripped) > len(header):
                raise InputError(
                    f"{path.name}, line {reader.line_num}: {len(stripped)} cells, but the header has {len(header)}. "
                    "Put quotes around a cell that contains the separator."
                )
            filled = stripped + [""] * (len(header) - len(stripped))
            cells_by_column = dict(zip(header, filled, strict=True))
            rows.append(Row(path.name, reader.line_num, cells_by_column, "." if separator == "," else ","))
    except csv.Error as error:
        raise InputError(f"{path.name}, line {reader.line_num}: {error}. Save the file as CSV again.") from error
    if not rows:
        raise InputError(f"{path.name} has no rows below its header. Choose another file or restore the shipped one.")
    return header, rows


def read_table(path: Path, required: Collection[str], optional: Collection[str] = ()) -> list[Row]:
    """Rows of a table whose columns are known; column names are matched without regard to case.

    Raises:
        InputError: as :func:`read_cells`, or a column is missing, unknown or given twice.
    """
    header, rows = read_cells(path)
    names = [h.lower() for h in header]
    known = [*required, *optional]
    for name in names:
        if name not in known:
            raise InputError(f"{path.name}, line 1: unknown column {name!r}. Known: {', '.join(known)}.")
        if names.count(name) > 1:
            raise InputError(f"{path.name}, line 1: the column {name!r} is there twice. Remove one.")
    for name in required:
        if name not in names:
            raise InputError(f"{path.name}, line 1: the column {name!r} is missing.")
    return [replace(row, cells={k.lower(): v for k, v in row.cells.items()}) for row in rows]
