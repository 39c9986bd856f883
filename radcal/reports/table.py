"""The cells of one table with their line numbers, as every format reader returns them; faults; declared frames."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from radcal.reports.reasons import (
    HELD,
    OF_MESSAGE,
    TOO_FEW_CELLS,
    TOO_MANY_CELLS,
    UNENDED_ROW,
    Reason,
    Unit,
    unit_within,
)
from radcal.system.quoting import is_id
from radcal.system.text import Text, joined
from radcal.workspace.columns import REJECTED_COLUMNS
from radcal.workspace.frames import text_dtype

if TYPE_CHECKING:
    import pandas as pd

Cell = str | float | int | bool | dt.datetime | dt.date | dt.time | dt.timedelta

_FINISHED = re.compile(r"[.!?)\]}>\"\u201d\u00bb*_=-]\Z")
"""How a text ends that does not break off."""
_DTYPES = {"str": "str", "int": "int64", "bool": "bool", "datetime64[ns]": "datetime64[ns]"}


@dataclass(frozen=True, slots=True)
class Fault:
    """A row that cannot be used; ``accession`` is its accession number, '' if unknown."""

    file: str
    row: int
    reason: Reason
    accession: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one table as in the file, including the header and anything above it.

    rows:   cells of each row that is not blank
    lines:  the line (text) or sheet row where each row starts, 1 for the first
    faults: rows that the format reader could not read
    trimmed: rows end at their last filled cell, so that missing cells at the end are blank, as in any spreadsheet
    headed: of messages: the first row holds the names of fields themselves, and is not of the file
    files:  the file of each row, where the table was read from several; none otherwise
    notes:  what was left out on purpose
    doubts: rows and messages that were read, and what is doubtful about them; :func:`stacked` writes notes of those
        that do not keep them out (:data:`radcal.reports.reasons.HELD`)
    unit:   what the lines count;  units: the same by file, where the table was read from several
    sheet:  its number in a workbook, 1 for the first
    """

    file: str
    rows: list[list[Cell]]
    lines: list[int]
    faults: list[Fault] = field(default_factory=list)
    trimmed: bool = False
    headed: bool = False
    files: list[str] = field(default_factory=list)
    notes: list[Text] = field(default_factory=list)
    doubts: list[Fault] = field(default_factory=list)
    unit: Unit = Unit.ROW
    units: dict[str, Unit] = field(default_factory=dict)
    sheet: int = 1

    def body(self, header: int) -> tuple[Table, list[Fault]]:
        """The rows below row ``header`` that are as wide as the header, and the faults: all others.

        Empty cells beyond the last column name are no fault, as spreadsheets leave them.  A row that may be cut short
        is one; see :meth:`as_whole`.
        """
        held = {(d.file, d.row): d.reason for d in self.doubts if d.reason in HELD}
        number = list(map(cell_text, self.rows[header])).index("accession") if self.headed else -1
        width = name_count(self.rows[header])
        rows: list[list[Cell]] = []
        lines: list[int] = []
        files: list[str] = []
        faults = [f for f in self.faults if f.row > self.lines[header]]
        for i, (row, line) in enumerate(
            zip(self.rows[header + 1 :], self.lines[header + 1 :], strict=True), header + 1
        ):
            if self.trimmed and len(row) < width:
                row = [*row, *[""] * (width - len(row))]
            if (reason := held.get((self.file_of(i), line))) is not None:
                accession = cell_text(row[number]) if self.headed else ""
                faults.append(Fault(self.file_of(i), line, reason, accession if is_id(accession) else ""))
            elif len(row) == width or (len(row) > width and not any(map(cell_text, row[width:]))):
                rows.append(row)
                lines.append(line)
                files.extend(self.files[i : i + 1])
            else:
                reason = TOO_FEW_CELLS if len(row) < width else TOO_MANY_CELLS
                faults.append(Fault(self.file_of(i), line, reason))
        return replace(self, rows=rows, lines=lines, faults=[], trimmed=False, files=files, notes=[], doubts=[]), faults

    def judged(self, header: int, texts: Iterable[int]) -> Table:
        """The table without the doubt about a last row whose text, in one of these columns, does not break off.

        That the last line of the file does not end stays a note: some programs never end it.
        """
        at = next((d.row for d in self.doubts if d.reason is UNENDED_ROW), 0)
        last = self.rows[-1] if at else []
        if not at or (len(last) - 1 in texts and not _FINISHED.search(str(last[-1]))):
            return self
        said = Text(UNENDED_ROW.sentence)
        note = Text("{where}: {sentence} The row was read.", where=place_of(self.file, at, Unit.ROW), sentence=said)
        notes = [note] if len(last) >= name_count(self.rows[header]) else []  # a narrower row is a fault
        return replace(
            self, doubts=[d for d in self.doubts if d.reason is not UNENDED_ROW], notes=[*self.notes, *notes]
        )

    def as_whole(self) -> Table:
        """The table for somebody who has looked at what may be cut short: such rows count, and a note says so."""
        notes = [*self.notes, *notes_of(self.doubts, self.unit_by_file, as_whole=True)]
        return replace(self, notes=notes, doubts=[d for d in self.doubts if d.reason not in HELD])

    def file_of(self, row: int) -> str:
        """The file that row number ``row``, from 0, was read from."""
        return self.files[row] if self.files else self.file

    @property
    def unit_by_file(self) -> Mapping[str, Unit]:
        """What the lines count, by file."""
        return self.units or {self.file: self.unit}

    def fault(self, row: int, reason: Reason, accession: str = "") -> Fault:
        """Row number ``row``, from 0, as a fault; of messages in the words for these."""
        return Fault(self.file_of(row), self.lines[row], self.said(reason), accession)

    def said(self, reason: Reason) -> Reason:
        """A reason in the words for what the table is of, rows or messages."""
        return OF_MESSAGE.get(reason, reason) if self.headed else reason

    @property
    def places(self) -> Iterator[int]:
        """The lines of all rows and faults."""
        yield from self.lines
        yield from (fault.row for fault in self.faults)

    def moved(self, by: int) -> Table:
        """A headed table as it is behind ``by`` other messages."""
        if not by:
            return self
        lines = [line + by if line else line for line in self.lines]
        faults, doubts = ([replace(of, row=of.row + by) for of in listed] for listed in (self.faults, self.doubts))
        return replace(self, lines=lines, faults=faults, doubts=doubts)

    def of_rows(self, numbers: Iterable[int]) -> Table:
        """The table of these rows alone, without faults."""
        chosen = list(numbers)
        files = [self.files[i] for i in chosen] if self.files else []
        rows, lines = [self.rows[i] for i in chosen], [self.lines[i] for i in chosen]
        return replace(self, rows=rows, lines=lines, faults=[], trimmed=False, files=files, notes=[], doubts=[])

    def column(self, position: int) -> list[Cell]:
        """The cells of one column."""
        return [row[position] for row in self.rows]


def name_count(header: list[Cell]) -> int:
    """The number of cells up to the last named column of a header."""
    return max((i + 1 for i, cell in enumerate(header) if cell_text(cell)), default=0)


def cell_text(cell: Cell) -> str:
    """A cell as text without surrounding spaces; a whole number from a spreadsheet has no decimals."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def rejected_frame(faults: Sequence[Fault], units: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
    """Faults as a frame of REJECTED_COLUMNS, in order of file and row.

    units: what the rows of each file count, rows where nothing is said
    """
    order: dict[str, int] = {}
    for fault in faults:
        order.setdefault(fault.file, len(order))
    ordered = sorted(faults, key=lambda f: (order[f.file], f.row))
    rows = (
        (f.file, f.row, f.reason.sentence, f.reason.remedy, f.accession,
         str(unit_within(f.reason, units.get(f.file, Unit.ROW))))
        for f in ordered
    )  # fmt: skip
    return declared_frame(REJECTED_COLUMNS, zip(*rows, strict=True))


def declared_frame(declared: Mapping[str, str], columns: Iterable[Sequence[Any]]) -> pd.DataFrame:
    """A frame of columns declared as in records, from the values of each in order; no values mean no rows."""
    import pandas as pd

    values = list(columns) or [()] * len(declared)
    made = {}
    for (name, declaration), cells in zip(declared.items(), values, strict=True):
        kind = declaration.split(":")[0]
        made[name] = pd.array(cells, dtype=text_dtype()) if kind == "str" else pd.Series(cells, dtype=_DTYPES[kind])
    return pd.DataFrame(made)


def stacked(tables: Sequence[Table], file: str, names: Sequence[str]) -> Table:
    """Headed tables of one or several files as one, with these fields; rows name their own files."""
    whole = Table(file, [list[Cell](names)], [0], trimmed=True, headed=True, files=[file])
    for table in tables:
        whole.faults.extend(table.faults)
        whole.notes.extend(table.notes)
        whole.units.update(table.unit_by_file)
        whole.doubts.extend(table.doubts)
        if not table.rows:
            continue
        places = [names.index(cell_text(name)) if cell_text(name) in names else -1 for name in table.rows[0]]
        for row, line in zip(table.rows[1:], table.lines[1:], strict=True):
            cells: list[Cell] = [""] * len(names)
            for place, cell in zip(places, row, strict=False):  # empty cells at the end are left out
                if place >= 0:
                    cells[place] = cell
            whole.rows.append(cells)
            whole.lines.append(line)
            whole.files.append(table.file)
    whole.notes.extend(notes_of(whole.doubts, whole.units))
    return whole


def notes_of(doubts: Sequence[Fault], units: Mapping[str, Unit], *, as_whole: bool = False) -> Iterator[Text]:
    """A note for each kind of doubt that keeps nothing out: where, what was done, and the remedy.

    as_whole: for each kind that would keep reports out, but that somebody has looked
    """
    by_reason: dict[Reason, list[Fault]] = {}
    for doubt in doubts:
        if (doubt.reason in HELD) != as_whole:
            continue
        by_reason.setdefault(doubt.reason, []).append(doubt)
    for reason, listed in by_reason.items():
        where = joined([place_of(d.file, d.row, units.get(d.file, Unit.ROW)) for d in listed[:_PLACES]], "; ")
        if more := len(listed) - _PLACES:
            where = Text("{places}; and {n:,} more", places=where, n=more) if more > 0 else where
        remedy = Text("It was read as whole.") if as_whole else Text(reason.remedy)
        yield Text("{where}: {sentence} {remedy}", where=where, sentence=Text(reason.sentence), remedy=remedy)


def place_of(file: str, position: int, unit: Unit) -> Text:
    """Where something stands, such as "march.csv, row 12"; a file of one report is named alone."""
    return Text(_PLACES_OF[unit], file=file, position=position)


_PLACES_OF = {
    Unit.ROW: Text("{file}, row {position:,}"),
    Unit.MESSAGE: Text("{file}, message {position:,}"),
    Unit.RESOURCE: Text("{file}, resource {position:,}"),
    Unit.FILE: Text("{file}"),
}
_PLACES = 8
"""Places that a note names."""
