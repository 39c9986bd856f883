"""What every format reader returns: the cells of one table, with line numbers."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from radcal.ingest.reasons import RAGGED, Reason

if TYPE_CHECKING:
    import pandas as pd

Cell = str | float | int | bool | dt.datetime | dt.date | dt.time | dt.timedelta


@dataclass(frozen=True, slots=True)
class Fault:
    """A row that cannot be used."""

    file: str
    row: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one table as in the file, including the header and anything above it.

    rows:   cells of each row that is not blank
    lines:  the line (text) or sheet row that each row starts at, 1 for the first
    faults: rows that the reader itself had to give up
    trimmed: rows end at their last filled cell: what a row lacks at its end is blank, as in any spreadsheet
    """

    file: str
    rows: list[list[Cell]]
    lines: list[int]
    faults: list[Fault] = field(default_factory=list)
    trimmed: bool = False

    def body(self, header: int) -> tuple[Table, list[Fault]]:
        """The rows below row ``header`` of the same width, and the rows of another width.

        Empty cells beyond the header's last name are no fault: spreadsheets leave them.
        """
        width = name_count(self.rows[header])
        rows: list[list[Cell]] = []
        lines: list[int] = []
        faults = [f for f in self.faults if f.row > self.lines[header]]
        for row, line in zip(self.rows[header + 1 :], self.lines[header + 1 :], strict=True):
            if self.trimmed and len(row) < width:
                row = [*row, *[""] * (width - len(row))]
            if len(row) == width or (len(row) > width and not any(map(cell_text, row[width:]))):
                rows.append(row)
                lines.append(line)
            else:
                faults.append(Fault(self.file, line, RAGGED))
        return Table(self.file, rows, lines), faults

    def column(self, position: int) -> list[Cell]:
        """The cells of one column."""
        return [row[position] for row in self.rows]


def name_count(header: list[Cell]) -> int:
    """How many cells a row needs: up to the last named column of the header."""
    return max((i + 1 for i, cell in enumerate(header) if cell_text(cell)), default=0)


def cell_text(cell: Cell) -> str:
    """A cell as text without surrounding spaces; a whole number from a spreadsheet has no decimals."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def rejected_frame(faults: list[Fault]) -> pd.DataFrame:
    """Faults as a frame of REJECTED_COLUMNS, in order of file and row."""
    import pandas as pd

    order: dict[str, int] = {}
    for fault in faults:
        order.setdefault(fault.file, len(order))
    ordered = sorted(faults, key=lambda f: (order[f.file], f.row))
    return pd.DataFrame(
        {
            "file": pd.Series([f.file for f in ordered], dtype="str"),
            "row": pd.Series([f.row for f in ordered], dtype="int64"),
            "reason": pd.Series([f.reason.sentence for f in ordered], dtype="str"),
            "remedy": pd.Series([f.reason.remedy for f in ordered], dtype="str"),
        }
    )
