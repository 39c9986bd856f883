"""Excel workbooks: .xlsx through calamine, .xls through xlrd."""

from __future__ import annotations

from datetime import datetime
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

from radcal.errors import InputError
from radcal.ingest.table import Cell, Table, cell_text

if TYPE_CHECKING:
    import xlrd

_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SIGNATURES = (b"PK\x03\x04", _COMPOUND)
"""How .xlsx (a zip archive) and .xls (a compound file) begin."""


def read_workbook(data: bytes, file: str) -> list[Table]:
    """All sheets of a workbook, empty ones left out; dates are dates, the row is that of the sheet.

    Raises:
        InputError: the workbook is damaged, needs a password or is no workbook.
    """
    sheets = (_xls if data.startswith(_COMPOUND) else _xlsx)(data, file)
    return [table for rows in sheets if (table := _table(rows, file)).rows]


def _xlsx(data: bytes, file: str) -> list[list[list[Cell]]]:
    import python_calamine as calamine

    try:
        workbook = calamine.CalamineWorkbook.from_filelike(BytesIO(data))
        return [
            workbook.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
            for sheet in workbook.sheets_metadata
            if sheet.typ == calamine.SheetTypeEnum.WorkSheet
        ]
    except calamine.PasswordError as error:
        raise _protected(file) from error
    except (calamine.CalamineError, OSError) as error:
        raise _damaged(file) from error


def _xls(data: bytes, file: str) -> list[list[list[Cell]]]:
    # Calamine reads .xls, too, but a damaged one can make it abort the whole process; xlrd is pure Python.
    import xlrd

    try:
        book = xlrd.open_workbook(file_contents=data, logfile=StringIO(), on_demand=False)
        return [
            [[_value(cell, book.datemode) for cell in sheet.row(i)] for i in range(sheet.nrows)]
            for sheet in book.sheets()
        ]
    except Exception as error:
        if isinstance(error, xlrd.XLRDError) and "encrypted" in str(error):
            raise _protected(file) from error
        raise _damaged(file) from error


def _value(cell: xlrd.sheet.Cell, datemode: int) -> Cell:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_DATE:
        moment: datetime = xlrd.xldate_as_datetime(cell.value, datemode)
        return moment
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return bool(cell.value)
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return ""
    value: Cell = cell.value
    return value


def _damaged(file: str) -> InputError:
    return InputError(
        f"{file} is damaged or not an Excel workbook. Open it in a spreadsheet and save it as .xlsx, "
        "or export the reports as CSV."
    )


def _protected(file: str) -> InputError:
    return InputError(f"{file} is protected by a password. Save it without one and read it again.")


def _table(sheet: list[list[Cell]], file: str) -> Table:
    rows: list[list[Cell]] = []
    lines: list[int] = []
    for line, cells in enumerate(sheet, start=1):
        if any(map(cell_text, cells)):
            rows.append(cells)
            lines.append(line)
    return Table(file, rows, lines)
