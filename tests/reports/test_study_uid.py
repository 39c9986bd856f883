"""The UID of a report's study: where each format tells it, and that nothing else is taken for one."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from radcal.reports.columns import guess
from radcal.reports.documents import read_documents_csv
from radcal.reports.fields import REPORT_FIELDS
from radcal.reports.formats import FIELDS_OF_MESSAGES
from radcal.reports.formats.fhir import rows as fhir_rows
from radcal.reports.formats.hl7 import rows as hl7_rows
from radcal.reports.readers import read_reports

UID, OTHER = "1.2.840.113619.2.55.3.604688", "2.25.329800735698586629295641978511506172918"
HEADER = ("Accession", "Patient ID", "Modality", "Exam", "Exam time", "Signed by", "Report text")
HOSTILE = (
    *(
        "",
        "1",
        "1.2;id",
        "1.2 3",
        "1..2",
        "1.02",
        "3.1",
        "-1.2",
        "1.2.",
        "1.2\\3",
        "$(id)",
        "--help",
        "2.25.x",
        "1,2,3",
    ),
    *("1." + "2" * 63, "javascript:1.2", "1.2\n3", "\u0661.\u0662", "1.2.840.{accession}", "1.2%00", "urn:oid:1.2"),
)


def table(path: Path, column: str, uids: Sequence[str], text: str = "No edema. The lungs are clear.") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow([*HEADER, column])
        for i, uid in enumerate(uids):
            row = f"A{i}", f"P{i}", "CR", "XR CHEST", f"2026-03-01 10:{i:02}", ("Doe, A", "Roe, B")[i % 2], text
            out.writerow([*row, uid])
    return path


@pytest.mark.parametrize(
    "name",
    [
        "StudyInstanceUID",
        "STUDY_INSTANCE_UID",
        "study uid",
        "Study IUID",
        "Studien-UID",
        "UID del estudio",
        "study_uid",
    ],
)
def test_a_table(name: str, tmp_path: Path) -> None:
    uids = [f"1.2.840.{i}" for i in range(12)]
    read = read_reports([table(tmp_path / "march.csv", name, uids)])
    assert read.mapping["study_uid"] == name
    assert read.mapping["accession"] == "Accession"
    assert read.reports["study_uid"].tolist() == uids


@pytest.mark.parametrize("name", ["SeriesInstanceUID", "SOP Instance UID", "Transfer UID", "Frame of reference UID"])
def test_other_uids_are_not_of_the_study(name: str) -> None:
    below = [[*HEADER[:6], "No edema.", f"1.2.840.{i}"] for i in range(12)]
    assert "study_uid" not in guess([*HEADER, name], {}, REPORT_FIELDS, below)


def test_a_table_may_number_its_reports_by_the_study_alone(tmp_path: Path) -> None:
    uids = [f"1.2.840.{i}" for i in range(12)]
    path = table(tmp_path / "march.csv", "StudyInstanceUID", uids)
    read = read_reports([path], mapping={"accession": "StudyInstanceUID"})
    assert read.reports["accession"].tolist() == uids


def test_what_is_no_uid_is_ignored_in_its_row_alone(tmp_path: Path) -> None:
    longest = "1." + "2" * 62
    read = read_reports([table(tmp_path / "march.csv", "StudyInstanceUID", [UID, *HOSTILE, f" {longest} "])])
    assert read.reports["study_uid"].tolist() == [UID, *[""] * len(HOSTILE), longest]
    assert read.rejected.empty


# --- messages --------------------------------------------------------------------------------------


def of_messages(found: Any) -> list[dict[str, str]]:
    """The reports below the header."""
    return [
        dict(zip(FIELDS_OF_MESSAGES, cells, strict=True)) for _, at, cells in found if at and isinstance(cells, list)
    ]


def hl7(*segments: str) -> list[tuple[str, str]]:
    """UID and text of each report of a message."""
    head = ("MSH|^~\\&|RIS|H|||20260301||ORU^R01|M1|P|2.5", "PID|1||P1^^^H^MR")
    return [(r["study_uid"], r["text"]) for r in of_messages(hl7_rows("\r".join((*head, *segments)).encode()))]


def order(number: str) -> str:
    return f"OBR|1||{number}|1^XR CHEST|||202603010800|||||||||||||||||CR|F"


CLEAR = "OBX|1|TX|||Clear.||||||F"


@pytest.mark.parametrize(
    "segment",
    [
        f"ZDS|{UID}^RIS^Application^DICOM",
        f"ZDS|{UID}",
        f"OBX|2|HD|113014^DICOM Study^DCM||^{UID}^ISO||||||F",
        f"OBX|2|HD|113014^DICOM Study^DCM||{UID}||||||F",
        f"OBX|2|ST|113014^DICOM Study^DCM||{UID}||||||F",
        f"OBX|2|RP|113014^DICOM Study^DCM||{UID}^RIS^Application^DICOM||||||F",
        f"OBX|2|ST|0020,000D^Study Instance UID^DCM||{UID}||||||F",
    ],
)
def test_hl7(segment: str) -> None:
    """It is no part of the text."""
    for below in ((CLEAR, segment), (segment, CLEAR)):
        assert hl7(order("A1"), *below) == [(UID, "Clear.")]


def test_hl7_with_several_orders() -> None:
    """One ZDS is the message's; several studies are each their order's, and where nothing says whose, nobody's."""
    one, two = CLEAR, CLEAR.replace("Clear", "No edema")
    both = hl7(order("A1"), one, order("A2"), two, f"ZDS|{UID}")
    assert [uid for uid, _ in both] == [UID, UID]
    own = hl7(order("A1"), one, f"ZDS|{UID}", order("A2"), two, f"ZDS|{OTHER}")
    assert [uid for uid, _ in own] == [UID, OTHER]
    last = hl7(order("A1"), one, order("A2"), two, f"OBX|2|ST|113014^^DCM||{OTHER}||||||F")
    assert [uid for uid, _ in last] == ["", OTHER]
    assert [uid for uid, _ in hl7(order("A1"), one, f"ZDS|{UID}", f"ZDS|{OTHER}")] == [""]
    assert hl7(order("A1"), CLEAR) == [("", "Clear.")]


def fhir(*studies: Any, **more: Any) -> str:
    report = {
        "resourceType": "DiagnosticReport", "id": "r1", "status": "final", "code": {"text": "XR CHEST"},
        "conclusion": "Clear.", **more,
    }  # fmt: skip
    lines = (json.dumps(resource) for resource in (report, *studies))
    [found] = of_messages(fhir_rows("\n".join(lines).encode()))
    return found["study_uid"]


def study(name: str, *identifiers: dict[str, str]) -> dict[str, Any]:
    return {"resourceType": "ImagingStudy", "id": name, "status": "available", "identifier": list(identifiers)}


def test_fhir() -> None:
    uid, link = {"system": "urn:dicom:uid", "value": f"urn:oid:{UID}"}, [{"reference": "ImagingStudy/s1"}]
    number = {"system": "urn:oid:1.2.3", "value": "A1"}
    for field in ("imagingStudy", "study"):
        assert fhir(study("s1", number, uid), **{field: link}) == UID
        assert fhir(**{field: [{"identifier": uid}]}) == UID
    assert fhir(study("s1", uid | {"value": UID}), imagingStudy=link) == UID
    assert fhir(study("s1", number), imagingStudy=link) == ""
    assert fhir(study("s1", uid)) == ""
    both = study("s1", uid), study("s2", uid | {"value": f"urn:oid:{OTHER}"})
    assert fhir(*both, imagingStudy=[*link, {"reference": "ImagingStudy/s2"}]) == ""


# --- de-identification without a workspace ----------------------------------------------------------


def test_a_text_that_quotes_it_loses_it(tmp_path: Path) -> None:
    text = f"Study {UID}. No edema. The lungs are clear."
    path = table(tmp_path / "march.csv", "StudyInstanceUID", [UID] * 6, text)
    message = tmp_path / "m.hl7"
    message.write_text(
        "\r".join(("MSH|^~\\&|RIS|H|||20260301||ORU^R01|M1|P|2.5", "PID|1||P1^^^H^MR", order("A1"),
                   f"OBX|1|TX|&GDT||Study {UID}. Clear.||||||F", f"ZDS|{UID}", ""))
    )  # fmt: skip
    for file in (path, message):
        (plain, *_), _, _ = read_documents_csv(file, mapping={})
        (clean, *_), _, _ = read_documents_csv(file, mapping={}, deidentify=True)
        assert UID in plain.text
        assert UID not in clean.text
        assert "604688" not in clean.text
