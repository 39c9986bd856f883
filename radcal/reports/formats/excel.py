"""Excel workbooks: .xlsx through calamine, .xls through xlrd; runs in the child process that parses foreign files."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

from radcal.reports.formats import UNPACKED, Format, Refused, Row, Why
from radcal.reports.table import Cell

if TYPE_CHECKING:
    import xlrd

_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SIGNATURES = (b"PK\x03\x04", _COMPOUND)
"""The first bytes of .xlsx (a zip archive) and .xls (a compound file)."""
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
"""The stream of a compound file that holds an .xlsx with a password."""

_MEMBERS = 10_000
"""Most members of an archive."""


def rows(data: bytes) -> Iterator[Row]:
    """The rows of all sheets, with dates as dates and row numbers as in the sheet.

    Raises:
        Refused: the workbook is damaged, needs a password, is no workbook, or unpacks to too much.
    """
    if data.startswith(_COMPOUND):
        return _xls(data)
    _check_size(data)
    return _xlsx(data)


def _check_size(data: bytes) -> None:
    """Raise Refused if an archive says that it unpacks to too much."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, OSError, zlib.error):
        return  # the reader reports the damage
    if len(members) > _MEMBERS or sum(m.file_size for m in members) > UNPACKED:
        raise Refused(Why.UNPACKED)


# --- .xlsx ---------------------------------------------------------------------------------------------


def _xlsx(data: bytes) -> Iterator[Row]:
    import python_calamine as calamine

    try:
        workbook = calamine.CalamineWorkbook.from_filelike(BytesIO(data))
        for number, about in enumerate(workbook.sheets_metadata, start=1):
            if about.typ == calamine.SheetTypeEnum.WorkSheet:
                for line, cells in enumerate(workbook.get_sheet_by_name(about.name).iter_rows(), start=1):
                    yield number, line, cells
    except calamine.PasswordError as error:
        raise Refused(Why.PROTECTED) from error
    except (calamine.CalamineError, OSError) as error:
        raise Refused(Why.DAMAGED) from error


# --- .xls ----------------------------------------------------------------------------------------------


def _xls(data: bytes) -> Iterator[Row]:
    # Calamine also reads .xls, but a damaged file can make it abort the process; xlrd is pure Python.
    import xlrd

    try:
        book = xlrd.open_workbook(file_contents=data, logfile=StringIO(), on_demand=False, ragged_rows=True)
        for number, sheet in enumerate(book.sheets(), start=1):
            for i in range(sheet.nrows):
                yield number, i + 1, [_value(cell, book.datemode) for cell in sheet.row(i)]
    except MemoryError:
        raise
    except Exception as error:
        if _ENCRYPTED in data or (isinstance(error, xlrd.XLRDError) and "encrypted" in str(error)):
            raise Refused(Why.PROTECTED) from error
        raise Refused(Why.DAMAGED) from error


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


FORMAT = Format(
    name="excel",
    title="Excel",
    suffixes=(".xlsx", ".xls", ".xlsm"),
    recognises=lambda head: head.startswith(SIGNATURES),
    rows=rows,
)
