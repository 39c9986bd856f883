"""Excel workbooks, .xlsx and .xls, through calamine."""

from __future__ import annotations

from io import BytesIO

from radcal.errors import InputError
from radcal.ingest import compound
from radcal.ingest.table import Cell, Table, cell_text

_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SIGNATURES = (b"PK\x03\x04", _COMPOUND)
"""How .xlsx (a zip archive) and .xls (a compound file) begin."""


def read_workbook(data: bytes, file: str) -> list[Table]:
    """All sheets of a workbook, empty ones left out; dates are dates, the row is that of the sheet.

    Raises:
        InputError: the workbook is damaged, needs a password or is no workbook.
    """
    import python_calamine as calamine

    damaged = (
        f"{file} is damaged or not an Excel workbook. Open it in a spreadsheet and save it as .xlsx, "
        "or export the reports as CSV."
    )
    if data.startswith(_COMPOUND) and not compound.is_whole(data):
        raise InputError(damaged)
    try:
        workbook = calamine.CalamineWorkbook.from_filelike(BytesIO(data))
        sheets = [
            workbook.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
            for sheet in workbook.sheets_metadata
            if sheet.typ == calamine.SheetTypeEnum.WorkSheet
        ]
    except calamine.PasswordError as error:
        raise InputError(f"{file} is protected by a password. Save it without one and read it again.") from error
    except BaseException as error:
        # A damaged .xls makes calamine panic, which arrives as a PanicException outside of Exception.
        if isinstance(error, (calamine.CalamineError, OSError)) or type(error).__name__ == "PanicException":
            raise InputError(damaged) from error
        raise
    return [table for rows in sheets if (table := _table(rows, file)).rows]


def _table(sheet: list[list[Cell]], file: str) -> Table:
    rows: list[list[Cell]] = []
    lines: list[int] = []
    for line, cells in enumerate(sheet, start=1):
        if any(map(cell_text, cells)):
            rows.append(cells)
            lines.append(line)
    return Table(file, rows, lines)
