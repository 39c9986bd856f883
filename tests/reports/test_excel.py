"""Benign and hostile workbooks, read by the child: their cells, or a message."""

from __future__ import annotations

import contextlib
import datetime as dt
import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from random import Random

import openpyxl
import pytest
import xlwt
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.reports.formats import Limits, Refused, Why, excel
from radcal.reports.parsing import parse
from radcal.reports.table import Cell, Table, cell_text
from radcal.system.errors import InputError

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


def test_more_cells_than_may_be_are_refused_with_the_sheet_and_a_remedy() -> None:
    stray = {f"XFD{row}": 1 for row in range(100, 120)}
    message = refusal(xlsx({**table_of([HEADER, ROW]), **stray}, sheets=2), Limits(cells=200_000))
    assert message == (
        "Sheet 2 of march.xlsx is too large: it spans more than 200,000 cells, empty ones included. "
        "Delete the empty rows and columns between its cells, or export the reports as CSV."
    )


def test_cells_that_lie_very_far_apart_meet_the_limits() -> None:
    assert "needs more memory than RadCal gives one file (2 GB)" in refusal(xlsx({"A1": "x", "XFD1048576": CANARY}))


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
        excel.rows(xlsx({"A1": 1}))
    assert caught.value.why == Why.UNPACKED


def test_entities_do_not_multiply() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    strings = (
        f'<?xml version="1.0"?><!DOCTYPE sst [<!ENTITY e0 "{CANARY}">{entities}]>'
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>&e9;</t></si></sst>'
    ).encode()
    data = replaced(xlsx({"A1": "accession", "B2": "x"}), {"xl/sharedStrings.xml": strings})
    try:
        tables = read(data, Limits(memory=400 * MB))
    except InputError as error:
        assert "march.xlsx" in str(error)  # noqa: PT017 - either is right
    else:
        assert sum(len(cell_text(c)) for t in tables for row in t.rows for c in row) < MB


def test_elements_within_elements_end_nobody() -> None:
    deep = b"<worksheet><sheetData>" + b"<row>" * 200_000 + b"</row>" * 200_000 + b"</sheetData></worksheet>"
    with contextlib.suppress(InputError):
        assert read(replaced(xlsx({"A1": 1}), {"xl/worksheets/sheet1.xml": deep}), Limits(memory=400 * MB)) == []


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
        xls({**cells, (1, 4): dt.datetime(2024, 3, 31, 14, 5)}),
    ]


@pytest.mark.slow
@given(st.integers(0, 1), st.sampled_from(("flip", "cut", "insert", "again", "member")), st.integers(0, 2**32 - 1))
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
        case "member" if which < 1:  # damage inside an intact archive
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
