"""Excel workbooks: .xlsx through calamine, .xls through xlrd; runs in the child process that parses foreign files."""

from __future__ import annotations

import re
import sys
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from datetime import datetime, time
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
_PART, _TAG = 1 << 20, 1 << 10
"""Bytes of a sheet that are scanned at a time, and the longest tag in bytes."""
_DIMENSION = re.compile(rb'<(?:\w+:)?dimension\s+ref="([^"]{1,40})"')
_CORNER = re.compile(rb"(?:[A-Z]{1,3}[0-9]{1,7}:)?([A-Z]{1,3})([0-9]{1,7})")
_ROW = re.compile(rb'<(?:\w+:)?row\b[^<>]*?\br="([0-9]{1,7})"')
_FILLED = re.compile(rb"<(?:\w+:)?c\s[^<>]*[^/<>]>")
_FAR = re.compile(rb'"([A-Z]{2,3})[0-9]{1,7}"')
"""A reference to a cell beyond column Z."""
_NARROW = 26
_RECTANGLE, _SPARSE = 5_000_000, 8
"""A rectangle of more cells than this, of which fewer than one in eight is filled, is read cell by cell."""

_MIDNIGHT = time()


def rows(data: bytes) -> Iterator[Row]:
    """The rows of all sheets, with dates as dates and row numbers as in the sheet.

    Raises:
        Refused: the workbook is damaged, needs a password, is no workbook, or unpacks to too much.
    """
    if data.startswith(_COMPOUND):
        return _xls(data)
    return _sparse_xlsx(data) if _is_sparse(data) else _xlsx(data)


# --- inspection before reading -------------------------------------------------------------------------


def _is_sparse(data: bytes) -> bool:
    """Whether the used range of some sheet is nearly empty, as after a stray entry in a distant cell.

    Calamine would hold the whole range in memory.

    Raises:
        Refused: the archive unpacks to too much.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
            if len(members) > _MEMBERS or sum(m.file_size for m in members) > UNPACKED:
                raise Refused(Why.UNPACKED)
            return any(
                _is_sparse_sheet(archive, member)
                for member in members
                if "/worksheets/" in member.filename and member.filename.endswith(".xml")
            )
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, OSError, zlib.error):
        return False  # the reader reports the damage


def _is_sparse_sheet(archive: zipfile.ZipFile, sheet: zipfile.ZipInfo) -> bool:
    """The same for one sheet: by its declared dimension, or by its cells if that is missing or large.

    A sheet with a false dimension meets the limits of the process.
    """
    width, height = _NARROW, 0
    for part in _parts(archive, sheet):
        declared = None if height else _DIMENSION.search(part)
        corner = declared and _CORNER.fullmatch(declared.group(1))
        if corner and _column(corner.group(1)) * int(corner.group(2)) <= _RECTANGLE:
            return False
        width = max([width, *map(_column, set(_FAR.findall(part)))])
        last = part.rfind(b"row ")
        if last >= 0 and (row := _ROW.match(part, part.rfind(b"<", 0, last))):
            height = max(height, int(row.group(1)))
    if width * height <= _RECTANGLE:
        return False
    return width * height > _SPARSE * sum(len(_FILLED.findall(part)) for part in _parts(archive, sheet))


def _parts(archive: zipfile.ZipFile, sheet: zipfile.ZipInfo) -> Iterator[bytes]:
    """A sheet in overlapping pieces, so that an element cut in two is whole in the next."""
    with archive.open(sheet) as file:
        part = file.read(_PART)
        while part:
            yield part
            more = file.read(_PART)
            part = part[max(part.rfind(b"<"), len(part) - _TAG) :] + more if more else b""


def _column(letters: bytes) -> int:
    """The number of a column: 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


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


def _sparse_xlsx(data: bytes) -> Iterator[Row]:
    """The rows of a workbook with distant cells, read one by one."""
    sys.modules.setdefault("numpy", None)  # type: ignore[arg-type]  # openpyxl would import it needlessly
    import openpyxl

    warnings.simplefilter("ignore")
    try:
        book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)
        names = book.sheetnames
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # they may be false
            number = names.index(sheet.title) + 1
            for line, cells in enumerate(sheet.iter_rows(), start=1):
                yield number, line, [_as_calamine(cell.value, cell.data_type) for cell in cells]
    except MemoryError:
        raise
    except Exception as error:
        raise Refused(Why.DAMAGED) from error


def _as_calamine(value: Cell | None, kind: str) -> Cell:
    if value is None or kind == "e":  # an error, such as #N/A
        return ""
    return value.date() if isinstance(value, datetime) and value.time() == _MIDNIGHT else value


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
