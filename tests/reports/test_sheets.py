"""Workbooks with a table in several sheets: read as one, and nothing is left out without a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import openpyxl

from radcal.reports.preview import preview_file
from radcal.reports.readers import read_reports

NAMES = ("Accession", "MRN", "Exam", "Modality", "Exam Time", "Report", "Radiologist")
XRAYS = [(f"A{i}", f"P{i}", "XR CHEST", "CR", f"2025-03-0{i} 08:00", "Likely edema.", "Roe, A") for i in (1, 2, 3)]
CTS = [(f"B{i}", f"P{i}", "CT CHEST", "CT", f"2025-03-0{i} 11:00", "Edema.", "Doe, B") for i in (1, 2, 3)]


def book(path: Path, sheets: Mapping[str, Sequence[Sequence[str]]]) -> Path:
    """A workbook of these sheets."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


def test_sheets_of_the_same_columns_are_one_table(tmp_path: Path) -> None:
    """In any order of columns and below a title; rows are listed by the sheet that they are on."""
    order = (6, 0, 3, 1, 2, 5, 4)
    turned = [[row[k] for k in order] for row in (NAMES, *CTS, ("B4", "P4", "CT CHEST", "CT", "", "Clear.", "Doe, B"))]
    sheets = {"X-rays": [NAMES, *XRAYS], "": [], "CTs": [["Second half"], [], *turned], "Legend": [["Modality", "CT"]]}
    path = book(tmp_path / "all.xlsx", {name or "Blank": rows for name, rows in sheets.items()})
    found = read_reports([path])
    assert sorted(found.reports["accession"]) == ["A1", "A2", "A3", "B1", "B2", "B3"]
    assert dict(zip(found.reports["accession"], found.reports["modality"], strict=True))["B2"] == "ct"
    assert found.rows_read == 7
    [lost] = found.rejected.to_dict("records")
    assert (lost["file"], lost["row"], lost["reason"]) == ("all.xlsx [3]", 7, "The row has no examination time.")
    assert lost["accession"] == "B4"
    assert not any("was not read" in str(note) for note in found.notes)
    assert preview_file(path).columns == NAMES


def test_a_sheet_with_reports_under_other_names_is_told_of(tmp_path: Path) -> None:
    others = ("Accession No", "Patient ID", "Procedure", "Modality", "Study Time", "Narrative", "Signed by")
    found = read_reports([book(tmp_path / "all.xlsx", {"X": [NAMES, *XRAYS], "C": [others, *CTS]})])
    assert sorted(found.reports["accession"]) == ["A1", "A2", "A3"]
    [said] = [str(note) for note in found.notes if "was not read" in str(note)]
    assert said.startswith("all.xlsx: sheet 2 holds reports under other column names and was not read.")
