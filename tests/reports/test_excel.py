"""Benign and hostile workbooks, read by the child: their cells, or a message."""

from __future__ import annotations

import contextlib
import datetime as dt
import io
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import openpyxl
import pytest
import xlwt
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.reports import reasons
from radcal.reports.formats import Limits, Refused, Why, excel
from radcal.reports.parsing import parse
from radcal.reports.readers import read_reports
from radcal.reports.table import Cell, Table, cell_text
from radcal.system.errors import InputError
from tests.cases import cases_of

cases = cases_of(__file__)

MB = 1 << 20
CANARY = "Kanarienvogel"
HEADER = ["accession", "mrn", "modality", "exam", "exam time", "report", "signed by"]
ROW = ["A1", "P1", "CR", "XR CHEST", "2024-03-31 14:05", f"No edema. {CANARY}", "Roe, A"]


def xlsx(cells: Mapping[str, Cell], sheets: int = 1) -> bytes:
    """A workbook whose last sheet has these cells."""
    book = openpyxl.Workbook()
    sheet = book.active
    for _ in range(sheets - 1):
        sheet = book.create_sheet()
    for place, value in cells.items():
        sheet[place] = value
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def table_of(rows: Sequence[Sequence[Cell]]) -> dict[str, Cell]:
    return {f"{chr(65 + c)}{r}": value for r, row in enumerate(rows, start=1) for c, value in enumerate(row)}


def replaced(data: bytes, change: Mapping[str, bytes]) -> bytes:
    """The archive with some members replaced or added."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in [*old.namelist(), *(n for n in change if n not in old.namelist())]:
            new.writestr(name, change[name] if name in change else old.read(name))
    return file.getvalue()


def read(data: bytes, limits: Limits | None = None) -> list[Table]:
    return parse(excel.FORMAT, data, "march.xlsx", limits=limits)


def refusal(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(InputError) as caught:
        read(data, limits)
    assert "march.xlsx" in str(caught.value)
    assert CANARY not in str(caught.value)
    return str(caught.value)


# --- cells far apart


@pytest.mark.parametrize("place", ["XFD1048576", "XFD2000", "Z1048576"])
def test_a_cell_far_out_costs_no_more_than_itself(place: str) -> None:
    # Half of what calamine would need for the smallest of these rectangles.
    [table] = read(xlsx({**table_of([HEADER, ROW]), place: CANARY}), Limits(memory=400 * MB))
    column, row = openpyxl.utils.cell.coordinate_from_string(place)
    assert table.lines == [1, 2, row]
    assert table.rows[:2] == [HEADER, ROW]
    assert table.rows[2] == [*[""] * (openpyxl.utils.column_index_from_string(column) - 1), CANARY]


def test_the_reports_beside_a_stray_cell_are_read_and_its_row_is_listed(tmp_path: Path) -> None:
    data = xlsx({**table_of([HEADER, ROW]), "A9": "A2", "B9": "P2", "XFD2000": CANARY})
    (tmp_path / "march.xlsx").write_bytes(data)
    result = read_reports([tmp_path / "march.xlsx"])
    assert result.reports[["accession", "row"]].to_numpy().tolist() == [["A1", 2]]
    assert result.rejected["row"].tolist() == [9, 2000]
    assert result.rejected["reason"].tolist() == [reasons.UNKNOWN_MODALITY.sentence, reasons.TOO_MANY_CELLS.sentence]


def test_both_ways_of_reading_xlsx_give_the_same_cells() -> None:
    cells = {
        "A2": "x", "B2": " y ", "C2": 3, "D2": 2.5, "E2": True, "F2": False, "G2": "#N/A", "I2": "\u00fc\n<b>",
        "A3": dt.datetime(2024, 3, 31, 14, 5, 7, 123000), "B3": dt.date(2024, 1, 2), "C3": dt.time(3, 4),
        "D3": dt.datetime(2024, 1, 2), "E3": dt.timedelta(hours=30), "F3": 1e300, "G3": -0.5, "H3": "=1+1",
        "A5": "00012", "B5": 12345678901234567,
    }  # fmt: skip
    for sheets in (1, 3):
        data = xlsx(cells, sheets)
        one, other = (
            [(table, line, [c for c in row if c != ""]) for table, line, row in way(data) if any(row)]
            for way in (excel._xlsx, excel._sparse_xlsx)
        )
        assert one == other
        assert [(table, line) for table, line, _ in one] == [(sheets, 2), (sheets, 3), (sheets, 5)]
        kinds = [dt.datetime, dt.date, dt.time, dt.date, dt.timedelta, float, float]
        assert [list(map(type, row)) for *_, row in one][1] == kinds


def test_more_cells_than_may_be_are_refused_with_the_sheet_and_a_remedy() -> None:
    stray = {f"XFD{row}": 1 for row in range(100, 120)}
    message = refusal(xlsx({**table_of([HEADER, ROW]), **stray}, sheets=2), Limits(cells=200_000))
    assert message == (
        "Sheet 2 of march.xlsx is too large: it spans more than 200,000 cells, empty ones included. "
        "Delete the empty rows and columns between its cells, or export the reports as CSV."
    )


def test_a_sheet_that_hides_how_far_its_cells_lie_apart_meets_the_limits() -> None:
    data = xlsx({"A1": "accession", "XFD1048576": CANARY})
    sheet = zipfile.ZipFile(io.BytesIO(data)).read("xl/worksheets/sheet1.xml")
    assert b'<dimension ref="A1:XFD1048576"' in sheet
    lie = replaced(data, {"xl/worksheets/sheet1.xml": sheet.replace(b"A1:XFD1048576", b"A1:B2")})
    assert "needs more memory than RadCal gives one file (2 GB)" in refusal(lie)


@pytest.mark.parametrize("declared", [True, False])
@cases("what_counts_as_far_apart")
def test_what_counts_as_far_apart(cells: dict[str, Cell], sparse: bool, declared: bool) -> None:
    data = xlsx(cells)
    if not declared:
        sheet = zipfile.ZipFile(io.BytesIO(data)).read("xl/worksheets/sheet1.xml")
        data = replaced(data, {"xl/worksheets/sheet1.xml": re.sub(rb"<dimension [^>]*>", b"", sheet)})
    assert excel._is_sparse(data) is sparse


@pytest.mark.parametrize(("width", "sparse"), [(60, False), (6, True)])
def test_a_full_sheet_is_not_far_apart_however_large(width: int, sparse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel, "_RECTANGLE", 1000)
    rows = [[1] * width for _ in range(100)]
    rows[50] = [1] * 60
    book = openpyxl.Workbook(write_only=True)  # without the dimensions of its sheets
    sheet = book.create_sheet()
    for row in rows:
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    assert excel._is_sparse(file.getvalue()) is sparse


# --- archives that unpack to too much


def bomb(size: int, declared: int) -> bytes:
    """A workbook of a few kilobytes whose sheet unpacks to ``size`` bytes and declares ``declared``."""
    packer = zlib.compressobj(9, wbits=-15)
    begin = b"<worksheet><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>"
    head = packer.compress(begin) + packer.flush(zlib.Z_FULL_FLUSH)
    # A block without back references can be repeated any number of times.
    block = packer.compress(b"A" * MB) + packer.flush(zlib.Z_FULL_FLUSH)
    tail = packer.flush()
    packed = head + block * (size // MB) + tail
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx({"A1": 1}))) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if not name.startswith("xl/worksheets/"):
                new.writestr(name, old.read(name))
        new.writestr("xl/worksheets/sheet1.xml", b"")
        about = new.getinfo("xl/worksheets/sheet1.xml")
        new.fp.seek(about.header_offset + 30 + len(about.filename))
        new.fp.write(packed)
        about.compress_size, about.file_size = len(packed), declared
        new.start_dir = new.fp.tell()
    return file.getvalue()


def test_a_bomb_that_says_so_is_not_unpacked() -> None:
    data = bomb(4 * MB, declared=3 << 30)
    assert len(data) < 50_000
    assert "march.xlsx is too large: it unpacks to more than 1 GB" in refusal(data, Limits(memory=200 * MB))


@pytest.mark.parametrize("declared", [100, 150 * MB])
def test_a_bomb_that_lies_meets_the_limits(declared: int) -> None:
    data = bomb(150 * MB, declared)
    assert len(data) < MB
    message = refusal(data, Limits(memory=200 * MB))
    assert "needs more memory than" in message or "is damaged" in message


def test_an_archive_of_very_many_members_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel, "_MEMBERS", 5)
    with pytest.raises(Refused) as caught:
        excel._is_sparse(xlsx({"A1": 1}))
    assert caught.value.why == Why.UNPACKED


def test_entities_do_not_multiply() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    strings = (
        f'<?xml version="1.0"?><!DOCTYPE sst [<!ENTITY e0 "{CANARY}">{entities}]>'
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>&e9;</t></si></sst>'
    ).encode()
    for place in ("B2", "XFD2000"):  # in both ways of reading
        data = replaced(xlsx({"A1": "accession", place: "x"}), {"xl/sharedStrings.xml": strings})
        try:
            tables = read(data, Limits(memory=400 * MB))
        except InputError as error:
            assert "march.xlsx" in str(error)  # noqa: PT017 - either is right
        else:
            assert sum(len(cell_text(c)) for t in tables for row in t.rows for c in row) < MB


def test_elements_within_elements_end_nobody() -> None:
    deep = b"<worksheet><sheetData>" + b"<row>" * 200_000 + b"</row>" * 200_000 + b"</sheetData></worksheet>"
    for dimension in (b"", b'<dimension ref="A1:XFD1048576"/><c r="XFD1048576"/>'):
        data = replaced(
            xlsx({"A1": 1}), {"xl/worksheets/sheet1.xml": deep.replace(b"<sheetData>", dimension + b"<sheetData>")}
        )
        with contextlib.suppress(InputError):
            assert read(data, Limits(memory=400 * MB)) == []


# --- .xls


def xls(rows: Mapping[tuple[int, int], Cell]) -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Reports")
    style = xlwt.easyxf(num_format_str="dd/mm/yyyy hh:mm")
    for (row, column), value in rows.items():
        sheet.write(row, column, value, *([style] if isinstance(value, dt.datetime) else []))
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_a_cell_far_out_of_an_xls_costs_no_more_than_itself() -> None:
    [table] = read(xls({(0, 0): "accession", (65535, 255): CANARY}), Limits(memory=200 * MB))
    assert (table.lines, table.rows[0]) == ([1, 65536], ["accession"])
    assert table.rows[1] == [*[""] * 255, CANARY]


def test_cells_of_every_kind_in_xls() -> None:
    when = dt.datetime(2024, 3, 31, 14, 5)
    kinds = [True, 77, xlwt.Formula("1/0"), when, "x"]
    data = xls({(2, column): value for column, value in enumerate(kinds)})
    [table] = read(data)
    assert (table.lines, table.rows) == ([3], [[True, 77, "", when, "x"]])
    assert list(excel.rows(data)) == [(1, 1, []), (1, 2, []), (1, 3, [True, 77, "", when, "x"])]


def test_a_password_is_said_so() -> None:
    protected = "march.xlsx is protected by a password. Save it without one and read it again."
    whole = xls({(0, 0): "accession"})
    # The record of the encryption of an .xls in place of an irrelevant one.
    assert refusal(whole.replace(b"\xe1\0\x02\0\xb0\x04", b"\x2f\0\x02\0\xb0\x04", 1)) == protected
    # An .xlsx with a password is also a compound file, with a stream of this name.
    name = "Workbook".encode("utf-16-le")
    stream = "EncryptedPackage".encode("utf-16-le")
    at = whole.rindex(name)
    assert refusal(whole[:at] + stream + whole[at + len(stream) :]) == protected


# --- damage


@pytest.fixture(scope="module")
def originals() -> list[bytes]:
    cells = {(r, c): value for r, row in enumerate([HEADER, ROW]) for c, value in enumerate(row)}
    return [
        xlsx(table_of([HEADER, ROW])),
        xlsx({**table_of([HEADER, ROW]), "XFD300": CANARY}),
        xls({**cells, (1, 4): dt.datetime(2024, 3, 31, 14, 5)}),
    ]


@pytest.mark.slow
@given(st.integers(0, 2), st.sampled_from(("flip", "cut", "insert", "again", "member")), st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_a_damaged_workbook_gives_cells_or_a_message(originals: list[bytes], which: int, how: str, seed: int) -> None:
    random = Random(seed)  # noqa: S311 - damage, no secret
    whole = originals[which]
    data = bytearray(whole)
    match how:
        case "flip":
            for _ in range(random.choice((1, 4, 40))):
                data[random.randrange(8, len(data))] = random.randrange(256)
        case "cut":
            del data[random.randrange(8, len(data)) :]
        case "insert":
            at = random.randrange(8, len(data))
            data[at:at] = random.randbytes(random.choice((1, 100)))
        case "again":
            at, to = sorted(random.sample(range(8, len(data)), 2))
            data[to:to] = data[at:to]
        case "member" if which < 2:  # damage inside an intact archive
            archive = zipfile.ZipFile(io.BytesIO(whole))
            name = random.choice([n for n in archive.namelist() if n.startswith("xl/")])
            content = bytearray(archive.read(name))
            for _ in range(random.choice((1, 4, 40))):
                content[random.randrange(len(content))] = random.randrange(256)
            data = bytearray(replaced(whole, {name: bytes(content)}))
    try:
        tables = read(bytes(data), Limits(memory=400 * MB, cpu=20))
    except InputError as error:
        assert "march.xlsx" in str(error)  # noqa: PT017 - either is right
        assert CANARY not in str(error)  # noqa: PT017
    else:
        assert all(isinstance(table, Table) for table in tables)
