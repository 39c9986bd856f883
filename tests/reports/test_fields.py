"""Every field is declared once, and each can be chosen for every column of every file."""

from __future__ import annotations

from pathlib import Path

import pytest

from radcal.reports.columns import doubts, guess, layout_of
from radcal.reports.fields import FIELDS, IDENTIFYING, REPORT_FIELDS, XRAY_NEEDS, reports_need
from radcal.reports.formats import FIELDS_OF_MESSAGES
from radcal.reports.readers import read_reports
from radcal.reports.records import Modality
from radcal.reports.table import Cell, Table
from radcal.sample.department import generate
from radcal.system.errors import InputError
from radcal.system.resources import resource
from tests.cases import cases_of

cases = cases_of(__file__)

NAMED = {"PAT_NAME": "Ashworth, Ada", "Referring provider": "Birch, Ben", "SSN": "123-45-6789", "DOB": "1950-02-03"}
HEADER = ["ACC", "MRN", "Exam Description", "Modality", "Exam Time", "Report Text", "Signed By", *NAMED]


def rows(n: int = 12) -> list[list[str]]:
    return [
        [
            f"A{i}", f"P{i // 2}", "XR CHEST", "CR", f"2024-01-{i + 1:02} 10:00",
            "No effusion is seen. The lungs are clear on both sides.", ("Ash, Jo", "Elm, Al")[i % 2], *NAMED.values(),
        ]
        for i in range(n)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The files of the sample, and one with columns of people's names."""
    folder = tmp_path_factory.mktemp("fields")
    made = generate(folder, 12, 3, radiologists=2)
    named = folder / "named.csv"
    text = "\n".join(";".join(row) for row in (HEADER, *rows()))
    named.write_text(text, encoding="utf-8")
    return [made.xray, made.ct, named]


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_can_be_chosen_for_every_column_of_every_sample_file(sample: list[Path], field: str) -> None:
    for path in sample:
        header = path.read_text(encoding="utf-8").splitlines()[0].split(";" if path.name == "named.csv" else ",")
        assert len(header) > 5
        for column in header:
            try:
                read = read_reports([path], mapping={field: column.strip('"')})
            except InputError:
                continue
            assert read.mapping[field] == column.strip('"')


@pytest.mark.parametrize("field", FIELDS)
def test_what_is_said_of_a_choice_names_the_field(field: str) -> None:
    below: list[list[Cell]] = [[f"{i}", "\u2620"] for i in range(9)]
    table = Table("x.csv", [["ZZ", "YY"], *below], list(range(1, 11)))
    wanted = tuple(FIELDS)
    said = doubts(table, 0, layout_of(table, 0, {field: "YY"}, wanted), wanted)
    assert any(str(FIELDS[field].meaning) in note for note in said) == (field != "site")  # which may be called anything


def test_presets_and_messages_know_no_fields_but_those_declared() -> None:
    assert {*FIELDS_OF_MESSAGES} - {"sex"} <= FIELDS.keys()
    named = {of for field in FIELDS.values() for of in (*field.spared_by, field.told_by, field.left_over) if of}
    assert named <= FIELDS.keys()
    assert {of for of, field in FIELDS.items() if field.identifying} == {*IDENTIFYING}
    assert "[columns]" in (resource("presets") / "epic.toml").read_text(encoding="utf-8")


def test_what_a_file_must_have() -> None:
    always = [("accession",), ("patient_id",), ("exam_time", "exam_date"), ("text", "findings", "impression")]
    kind = ("modality", "exam", "exam_code")
    assert list(reports_need(Modality.CT, has_files=False)) == always
    assert list(reports_need(None, has_files=False)) == [*always, kind]
    assert list(reports_need(None, has_files=True)) == [*always[:3], ("file",), kind]
    assert XRAY_NEEDS == (("signer", "dictator"),)
    assert {"report_id", "file"}.isdisjoint(REPORT_FIELDS)


BASE = ["ACC", "MRN", "Exam Description", "Modality", "Exam Time", "Report Text", "Signed By"]
STATUSES = {
    "words": ("Final", "Final", "Addendum", "Preliminary"),
    "sentences": ("Final Report", "Final with addendum", "Preliminary report", "Corrected"),
    "Cerner": ("Auth (Verified)", "Modified", "In Progress", "Auth (Verified)"),
    "German": ("freigegeben", "vidiert", "vorläufig", "Nachtrag"),
    "codes": ("F", "P", "F", "A"),
}


def beside(name: str, values: tuple[str, ...]) -> tuple[list[Cell], list[list[Cell]]]:
    return [*BASE, name], [[*row[:7], values[i % len(values)]] for i, row in enumerate(rows())]


@pytest.mark.parametrize("values", STATUSES.values(), ids=STATUSES)
@pytest.mark.parametrize(
    "name",
    ["ORDER_STATUS", "RESULT_STATUS", "RPT_STAT", "Report State", "Dictation Status", "Befundstatus", "Auftragsstatus",
     "STUDY_STATUS", "EXAM_STATUS_DISP", "ord stat", "RadStatus", "OBR-25", "status_c", "ResultStatusNM", "SIGN_STATUS",
     "STATUS_DESC", "Freigabestatus", "Order Status Name", "document_state", "RAD_RPT_STS", "Untersuchungsstatus",
     "PROC_STATUS", "Estado", "Statut", "Transcription status", "workflow_state"],
)  # fmt: skip
def test_a_column_of_report_statuses_is_recognised_by_name_and_values(name: str, values: tuple[str, ...]) -> None:
    header, below = beside(name, values)
    layout = guess(header, {}, REPORT_FIELDS, below)
    assert layout.names.get("status") == name
    assert not layout.asked


@pytest.mark.parametrize("name", ["Lifecycle", "COL_17", "NOTE_TYPE", "Report type", "Stage", "Version", "Zustand"])
def test_a_column_of_report_statuses_under_another_name_is_asked_about(name: str) -> None:
    header, below = beside(name, STATUSES["words"])
    layout = guess(header, {}, REPORT_FIELDS, below)
    assert layout.asked == {"status": (name,)}
    (said,) = doubts(Table("x.csv", [header, *below], list(range(1, 14))), 0, layout, REPORT_FIELDS)
    assert "is used for nothing, but its values look like the report status" in said
    assert not guess(header, {"status": name}, REPORT_FIELDS, below).asked


@pytest.mark.parametrize("values", [("Completed", "Exam ended"), ("Completed", "Cancelled"), ("STAT", "Routine")])
@pytest.mark.parametrize("name", ["ORDER_STATUS", "EXAM_STATUS", "Priority"])
def test_the_status_of_an_order_is_not_that_of_a_report(name: str, values: tuple[str, ...]) -> None:
    header, below = beside(name, values)
    layout = guess(header, {}, REPORT_FIELDS, below)
    assert "status" not in layout
    assert not layout.asked


@cases("a_column_left_over_whose_values_tell_a_field_is_asked_about")
def test_a_column_left_over_whose_values_tell_a_field_is_asked_about(
    left_out: int, name: str, values: tuple[str, ...], asked: set[str]
) -> None:
    header, below = beside(name, values)
    if left_out:
        header[left_out], below = "q", [[*row[:left_out], "", *row[left_out + 1 :]] for row in below]
    layout = guess(header, {}, REPORT_FIELDS, below)
    found = {of for of, columns in layout.asked.items() if name in columns}
    recognised = {of for of, column in layout.names.items() if column == name}
    assert (found or recognised) == asked


def test_a_second_column_of_report_statuses_is_asked_about() -> None:
    header, below = beside("Sign state", STATUSES["words"])
    second = [*header, "Read status"], [[*row, ("Prelim", "Final")[i % 2]] for i, row in enumerate(below)]
    layout = guess(second[0], {}, REPORT_FIELDS, second[1])
    assert layout.names["status"] == "Sign state"
    assert layout.asked == {"status": ("Read status",)}
    orders = [*header, "Order Status"], [[*row, ("Completed", "Canceled")[i % 2]] for i, row in enumerate(below)]
    assert not guess(orders[0], {}, REPORT_FIELDS, orders[1]).asked


def test_a_status_that_says_nothing_of_reports_does_not_hide_one_that_does() -> None:
    header, below = beside("Status", ("Completed", "Exam ended"))
    second = [*header, "Order Status"], [[*row, ("Final", "Addendum")[i % 2]] for i, row in enumerate(below)]
    assert guess(second[0], {}, REPORT_FIELDS, second[1]).asked == {"status": ("Order Status",)}


def test_what_identifies_people_is_told_by_values_where_the_name_says_the_wrong_thing() -> None:
    """A second column "Patient" holds names, and the time of a transcription is nobody's name."""
    header = [*BASE, "Patient", "TRANS_DT_TM"]
    below: list[list[Cell]] = [
        [*row[:7], f"Ashworth, {chr(65 + i)}da", f"2024-02-{i + 1:02} 08:00"] for i, row in enumerate(rows())
    ]
    assert guess(header, {}, REPORT_FIELDS, below).identifying == {"patient_name": (7,)}
    numbers: list[list[Cell]] = [[*row[:7], f"Q{i}", row[8]] for i, row in enumerate(below)]
    assert guess(header, {}, REPORT_FIELDS, numbers).identifying == {"identifiers": (7,)}
