"""FHIR and DICOM files through the child process: single files, folders, and what is left out or listed."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from radcal.reports import parsing
from radcal.reports.formats import Limits, named
from radcal.reports.parsing import parse_messages
from radcal.reports.preview import preview_file, read_message
from radcal.reports.readers import read_reports
from radcal.reports.records import Import
from radcal.system.errors import InputError

from .structured_reports import as_file, section, structured_report, text, usual

KEY_IMAGES, DIRECTORY, CT_IMAGE = "1.2.840.10008.5.1.4.1.1.88.59", "1.2.840.10008.1.3.10", "1.2.840.10008.5.1.4.1.1.2"


def fhir(name: str, exam: str = "XR CHEST", **fields: Any) -> dict[str, Any]:
    """A report that needs a patient and an order beside it."""
    return {
        "resourceType": "DiagnosticReport",
        "id": name,
        "status": "final",
        "code": {"text": exam},
        "subject": {"reference": "Patient/1"},
        "effectiveDateTime": "2024-03-05T14:30:00+01:00",
        "resultsInterpreter": [{"reference": "Practitioner/1"}],
        "basedOn": [{"reference": f"ServiceRequest/{name}"}],
        **fields,
    }


def others(name: str) -> list[dict[str, Any]]:
    """What it refers to."""
    return [
        {"resourceType": "Patient", "id": "1", "identifier": [{"value": "M7"}], "birthDate": "1950-01-02"},
        {"resourceType": "Practitioner", "id": "1", "name": [{"text": "Ann Lee"}]},
        {
            "resourceType": "ServiceRequest",
            "id": name,
            "identifier": [{"value": f"A{name}", "type": {"coding": [{"code": "ACSN"}]}}],
        },
    ]


def write(folder: Path, files: dict[str, Any]) -> Path:
    """Files of bytes, of resources as ndjson, or of one resource."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, list):
            path.write_text("".join(json.dumps(part) + "\n" for part in content), encoding="utf-8")
        else:
            path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return folder


def listed(found: Import) -> set[tuple[str, int, str]]:
    """File, position and reason of what was not read."""
    return set(zip(found.rejected["file"], found.rejected["row"], found.rejected["reason"], strict=True))


@pytest.mark.parametrize("way", ["one file each", "bulk export", "bundle"])
def test_a_fhir_export_is_read_whole(tmp_path: Path, way: str) -> None:
    """What lies in other files of the folder is found, however it is cut up."""
    xray, ct = fhir("1", conclusion="Probable pneumonia."), fhir("2", "CT CHEST", conclusion="Pneumonia.")
    ct["effectiveDateTime"] = "2024-03-06T08:00:00+01:00"
    made = [xray, ct, *others("1"), others("2")[-1]]
    if way == "one file each":
        files: dict[str, Any] = {f"{r['resourceType']}-{i}.json": r for i, r in enumerate(made)}
    elif way == "bulk export":
        kinds = dict.fromkeys(r["resourceType"] for r in made)
        files = {f"{kind}.ndjson": [r for r in made if r["resourceType"] == kind] for kind in kinds}
    else:
        files = {"all.json": {"resourceType": "Bundle", "entry": [{"resource": r} for r in made]}}
    found = read_reports([write(tmp_path / "export", files)])
    assert found.rejected.empty
    rows = found.reports.set_index("accession")
    assert sorted(rows.index) == ["A1", "A2"]
    assert rows.loc["A1", "modality"] == "xray"
    assert rows.loc["A2", "modality"] == "ct"
    assert set(rows["patient_id"]) == {"M7"}
    assert rows.loc["A1", "author"] == "Ann Lee"
    assert rows.loc["A1", "age"] == 74
    assert rows.loc["A1", "text"] == "IMPRESSION:\nProbable pneumonia."
    assert str(rows.loc["A1", "exam_time"]) == "2024-03-05 14:30:00"


def test_faults_name_file_and_position(tmp_path: Path) -> None:
    """And no word of the file."""
    pdf = {"contentType": "application/pdf", "data": base64.b64encode(b"%PDF-1.7").decode()}
    good = fhir("1", conclusion="Clear.", identifier=[{"value": "A1"}])
    withdrawn = fhir("3", conclusion="Kanarienvogel", status="entered-in-error")
    folder = write(
        tmp_path / "export",
        {
            "a.ndjson": [good, fhir("2", presentedForm=[pdf]), withdrawn],
            "c.json": b'{"resourceType": "DiagnosticReport", "conclusion": "Kanarienv',
            "d.json": fhir("4", category=[{"coding": [{"code": "LAB"}]}], conclusion="Kanarienvogel"),
            "Patient.json": others("1")[0],
        },
    )  # fmt: skip
    found = read_reports([folder])
    assert found.reports["accession"].tolist() == ["A1"]
    assert listed(found) == {
        ("export/a.ndjson", 2, "The report is a document, such as a PDF or a picture, and not text."),
        ("export/a.ndjson", 3, "The report in the message is marked as cancelled or entered in error."),
        ("export/c.json", 1, "The message is damaged or cut off."),
        ("export/d.json", 1, "The report is of another department, such as the laboratory."),
    }
    assert "Kanarienv" not in found.rejected.to_csv()
    assert found.rows_read == 5


def test_a_folder_of_a_picture_archive(tmp_path: Path) -> None:
    """Reports are read from all its subfolders; images and the list of files are left out, other documents listed."""
    ct = usual(AccessionNumber="B8", SOPInstanceUID="1.9", StudyDescription="CT CHEST")
    folder = write(
        tmp_path / "archive",
        {
            "DICOMDIR": as_file(usual(kind=DIRECTORY)),
            "ST1/SE1/IM1": as_file(usual()),
            "ST1/SE2/IM1.dcm": as_file(ct, preamble=False),
            "ST1/SE3/IM1": as_file(usual(kind=CT_IMAGE)),
            "ST1/SE3/IM2": as_file(usual(kind=CT_IMAGE)),
            "ST2/KO": as_file(usual(kind=KEY_IMAGES)),
            "ST2/CUT": as_file(usual())[:-100],
            "ST2/BLANK": as_file(structured_report(section(("121070", "Findings"), text(None, " ")))),
        },
    )  # fmt: skip
    found = read_reports([folder])
    assert dict(zip(found.reports["accession"], found.reports["modality"], strict=True)) == {"A77": "xray", "B8": "ct"}
    assert listed(found) == {
        ("archive/ST2/KO", 1, "The message is no report: it is of another type."),
        ("archive/ST2/CUT", 1, "The message is damaged or cut off."),
        ("archive/ST2/BLANK", 1, "The message has no text."),
    }
    assert "archive: 3 DICOM files that are no reports were left out." in map(str, found.notes)


def test_single_files(tmp_path: Path) -> None:
    """Are recognised by their content, whatever they are called."""
    write(tmp_path, {"a.txt": as_file(usual()), "b": fhir("1", conclusion="Clear.")})
    for name, accession in (("a.txt", "A77"), ("b", "1")):
        assert read_reports([tmp_path / name]).reports["accession"].tolist() == [accession]


def test_fhir_in_xml_is_listed_with_its_remedy(tmp_path: Path) -> None:
    """In a folder, and alone."""
    xml = b'\xef\xbb\xbf<DiagnosticReport xmlns="http://hl7.org/fhir"><conclusion value="Clear."/></DiagnosticReport>'
    folder = write(tmp_path / "in", {"a.json": fhir("1", conclusion="Clear."), "b.xml": xml})
    for path, name in ((folder, "in/b.xml"), (folder / "b.xml", "b.xml")):
        [left_out] = read_reports([path]).rejected.to_dict("records")
        assert (left_out["file"], left_out["row"], left_out["unit"]) == (name, 1, "file")
        assert left_out["reason"] == "The file holds FHIR in XML, and RadCal reads it in JSON."
        assert left_out["remedy"] == "Export it as JSON (.json) or as a bulk export (.ndjson)."


def test_bombs(tmp_path: Path) -> None:
    """Entities, nesting and sizes end in a fault or a message, and the other files of the folder are read."""
    entities = b'<!DOCTYPE x [<!ENTITY a "' + b"a" * 10_000 + b'">]><DiagnosticReport xmlns="http://hl7.org/fhir"/>'
    files = {"a.xml": entities, "b.json": b'{"resourceType": "DiagnosticReport", "x": ' + b"[" * 10_000_000,
             "c.json": fhir("1", conclusion="Clear.")}  # fmt: skip
    found = read_reports([write(tmp_path / "bombs", files)])
    assert found.reports["accession"].tolist() == ["1"]
    assert {file for file, _, _ in listed(found)} == {"bombs/a.xml", "bombs/b.json"}


def test_limits_of_the_child(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file that needs too much is refused by itself, and those read with it are read alone."""
    wide = {"resourceType": "Bundle", "entry": [{"resource": fhir(str(n), conclusion="Clear.")} for n in range(300)]}
    narrow = fhir("1", conclusion="Clear.")
    tables = parse_messages(
        named("fhir"),
        [("wide", json.dumps(wide).encode()), ("narrow", json.dumps(narrow).encode())],
        limits=Limits(cells=1000),
    )
    assert [(table.file, len(table.rows) > 1, len(table.faults)) for table in tables] == [
        ("wide", False, 1), ("narrow", True, 0),
    ]  # fmt: skip
    monkeypatch.setattr(Limits, "of", classmethod(lambda cls, size: cls(cells=1000)))
    with pytest.raises(InputError, match=r"wide.json is too large"):
        parsing.parse(named("fhir"), json.dumps(wide).encode(), "wide.json")


def test_messages_are_shown_as_written_beside_what_was_read(tmp_path: Path) -> None:
    """A FHIR report with what lies in other files of its folder; a structured report as its elements."""
    made = [fhir("1", conclusion="Probable pneumonia."), *others("1")]
    folder = write(tmp_path / "export", {f"{i}.json": resource for i, resource in enumerate(made)})
    [place] = preview_file(folder).places
    shown = read_message(place)
    assert json.loads(shown.raw) == made[0]
    [(values, said)] = shown.reports
    assert {"A1", "M7", "Ann Lee"} <= {value for _, value in values}
    assert said == "IMPRESSION:\nProbable pneumonia."
    lines = write(tmp_path, {"two.ndjson": [made[0], {"resourceType": "DiagnosticReport", "id": "2"}]}) / "two.ndjson"
    first, second = preview_file(lines).places
    assert (first.position, first.reason, second.position) == (1, "", 2)
    assert second.reason == "The message has no text."
    assert json.loads(read_message(second).raw)["id"] == "2"
    [place] = preview_file(write(tmp_path, {"sr": as_file(usual())}) / "sr").places
    shown = read_message(place)
    assert "Small right effusion" in shown.raw
    assert shown.reports[0][1].endswith("Probable effusion.")
    [place] = preview_file(write(tmp_path, {"cut": as_file(usual())[:-50]}) / "cut").places
    assert read_message(place).reports == ()
