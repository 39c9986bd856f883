"""What of a foreign file may be repeated: words of column names, terms that many rows share, numbers of reports."""

from __future__ import annotations

import csv

import pytest

from radcal.calibration.records import OBSERVATION_COLUMNS
from radcal.findings.records import FINDING_COLUMNS
from radcal.reports.column_names import all_names
from radcal.reports.fields import FIELDS
from radcal.system.quoting import column_list, is_column_name, is_id, is_term, quotable_id, shared_terms, wordings
from radcal.system.resources import resource
from radcal.workspace.columns import REJECTED_COLUMNS

PATIENTS = ("Erika Mustermann", "MUSTERMANN^ERIKA", "Mustermann, Erika", "mustermann", "Erika_Mustermann", "MÜLLER")


@pytest.mark.parametrize("name", PATIENTS)
def test_a_patient_is_no_column_wherever_the_name_stands(name: str) -> None:
    assert not is_column_name(name)
    assert column_list(["report_id", name, "Exam Date"]) == "report_id, (column 2), Exam Date"
    assert column_list([name, "77123456", "No edema."]) == ""


@pytest.mark.parametrize("text", ["No effusion is seen.", "Patient Mustermann", "2026-03-31", "A1001", "", "x" * 50])
def test_what_data_look_like_is_no_column_name(text: str) -> None:
    assert not is_column_name(text)


def test_columns_of_the_sample_and_of_our_own_files_can_be_told() -> None:
    with (resource("sample") / "xray.csv").open(encoding="utf-8") as file:
        sample = next(csv.reader(file))
    known = [name for field in FIELDS for name in all_names(field)]
    ours = (*FINDING_COLUMNS, *OBSERVATION_COLUMNS, *REJECTED_COLUMNS)
    shown = [name for name in (*sample, *ours, *known) if not is_column_name(name, known)]
    assert shown == []
    assert all(map(is_column_name, ("PatientName", "SIGNED_BY", "Study Date/Time", "Befundtext", "status 2")))


def test_terms_are_shared_by_patients_and_short() -> None:
    said = [("XR KNEE", f"P{i % 3}") for i in range(7)]
    said += [("Mustermann, Erika", "P9")] * 40  # a patient with many examinations
    said += [("The lungs are clear. No effusion.", f"P{i}") for i in range(9)]
    assert shared_terms(said) == {"XR KNEE": 7}
    assert not is_term("MRN 77123456")


def test_words_in_no_list_are_told_where_they_recur_and_are_no_names() -> None:
    unknown = {
        "seems like": 5,
        "Erika M": 9,
        "odd": 2,
        "No change.": 7,
        "Looks Like": 4,
        "Mustermann": 8,
        "Hard to say": 3,
    }
    assert wordings(unknown) == {"seems like": 5, "Hard to say": 3}


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("xray:A1001", True), ("s50414267", True), ("a", True), ("Mustermann", False), ("Erika M 1", False), ("", False)],
)
def test_numbers_of_reports(text: str, is_one: bool) -> None:
    assert is_id(text) is is_one
    assert quotable_id(text) == (text if is_one else "(no number)")
