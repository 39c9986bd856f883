"""The sheets of a workbook that hold one table in parts, such as X-rays on one and CTs on the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from radcal.ingest.column_names import simplified
from radcal.ingest.table import Cell, Table, cell_text, name_count

Sheet = tuple[Table, int]
"""A sheet, and its row of column names."""


def with_alike(table: Table, header: int, others: Sequence[Sheet]) -> tuple[Table, list[Sheet]]:
    """A sheet with the rows of those that have the same column names, in whatever order; and the others.

    Their rows keep their own numbers, under the name of the file with the number of the sheet: "Book.xlsx [2]".

    header: the row of column names
    """
    if not others:
        return table, []
    names = _names(table, header)
    rows, lines, files = list(table.rows), list(table.lines), [table.file] * len(table.rows)
    unlike: list[Sheet] = []
    for other, at in others:
        theirs = _names(other, at)
        if theirs != names and (sorted(theirs) != sorted(names) or len(set(names)) < len(names)):
            unlike.append((other, at))
            continue
        places = range(len(names)) if theirs == names else [theirs.index(name) for name in names]
        for row, line in zip(other.rows[at + 1 :], other.lines[at + 1 :], strict=True):
            cells: list[Cell] = [*row, *[""] * (len(names) - len(row))]
            rows.append([*(cells[place] for place in places), *cells[len(names) :]])
            lines.append(line)
            files.append(f"{other.file} [{other.sheet}]")
    if len(rows) == len(table.rows):
        return table, unlike
    return replace(table, rows=rows, lines=lines, files=files), unlike


def _names(table: Table, header: int) -> list[str]:
    row = table.rows[header]
    return [simplified(cell_text(cell)) for cell in row[: name_count(row)]]
