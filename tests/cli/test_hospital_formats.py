"""`radcal extract` and `radcal run` on FHIR files and DICOM structured reports, from the command to its JSON."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pydicom
import pytest
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian

from radcal.opening import open_department

MADE = Path(__file__).parents[3] / "shared/data/import/fhir"
SYSTEM = "http://loinc.org"


def report(number: int, exam: str, day: str, conclusion: str, **fields: Any) -> dict[str, Any]:
    """A FHIR report."""
    return {
        "resourceType": "DiagnosticReport",
        "id": f"r{number}",
        "status": "final",
        "identifier": [{"type": {"coding": [{"code": "ACSN"}]}, "value": f"A{number}"}],
        "code": {"text": exam},
        "subject": {"reference": "Patient/7"},
        "effectiveDateTime": f"{day}T08:00:00+01:00",
        "issued": f"{day}T09:00:00+01:00",
        "resultsInterpreter": [{"reference": "Practitioner/1", "display": "Dr Ann Lee"}],
        "conclusion": conclusion,
        **fields,
    }


def bundle(path: Path, *resources: dict[str, Any]) -> Path:
    """A file of a bundle."""
    made = {"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": r} for r in resources]}
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def structured_report(path: Path, accession: str, words: str) -> None:
    """A file of a Basic Text SR with one impression."""

    def code(value: str, meaning: str) -> Dataset:
        made = Dataset()
        made.CodeValue, made.CodingSchemeDesignator, made.CodeMeaning = value, "DCM", meaning
        return made

    text, made = Dataset(), Dataset()
    text.RelationshipType, text.ValueType, text.TextValue = "CONTAINS", "TEXT", words
    text.ConceptNameCodeSequence = [code("121073", "Impression")]
    made.SpecificCharacterSet = "ISO_IR 100"
    made.SOPClassUID, made.SOPInstanceUID = "1.2.840.10008.5.1.4.1.1.88.11", f"1.2.3.{len(accession)}.{accession[1:]}"
    made.AccessionNumber, made.PatientID, made.PatientName = accession, "7", "Kanarienvogel^Jane"
    made.StudyDescription, made.StudyDate, made.StudyTime = "XR CHEST", "20240305", "0800"
    made.VerificationFlag, made.ValueType = "VERIFIED", "CONTAINER"
    made.ContentSequence = [text]
    made.file_meta = FileMetaDataset()
    made.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    made.file_meta.MediaStorageSOPClassUID = made.SOPClassUID
    made.file_meta.MediaStorageSOPInstanceUID = made.SOPInstanceUID
    path.parent.mkdir(parents=True, exist_ok=True)
    made.save_as(path, enforce_file_format=True)


def extracted(radcal: Any, path: Path, out: Path, status: int = 0) -> tuple[dict[str, Any], set[tuple[str, ...]]]:
    """What the command says, and report, pathology, phrase and section of its findings."""
    ran = radcal("extract", path, "--out", out, "--json")
    assert ran.status == status, ran.err
    rows = csv.DictReader(io.StringIO(out.read_text(encoding="utf-8")))
    return json.loads(ran.out), {tuple(r[c] for c in ("report_id", "pathology", "phrase", "section")) for r in rows}


def test_extract_reads_fhir(radcal: Any, tmp_path: Path) -> None:
    """Every report becomes findings or a failure with its file and position."""
    path = bundle(
        tmp_path / "search.json",
        {"resourceType": "Patient", "id": "7", "name": [{"family": "Kanarienvogel"}]},
        report(1, "XR CHEST", "2024-03-05", "Probable pneumonia. No pneumothorax."),
        report(2, "MR BRAIN", "2024-03-06", ""),
        report(3, "CT CHEST", "2024-03-07", "Pulmonary embolism is unlikely."),
    )
    said, found = extracted(radcal, path, tmp_path / "out.csv", status=1)
    assert (said["reports"], said["findings"]) == (2, 3)
    assert [(f["file"], f["row"], f["reason"]) for f in said["failures"]] == [
        ("search.json", 3, "The message has no text.")
    ]
    assert found == {
        ("A1", "infection", "probably", "impression"),
        ("A1", "pneumothorax", "absent", "impression"),
        ("A3", "pulmonary embolism", "unlikely", "impression"),
    }


def test_extract_reads_structured_reports(radcal: Any, tmp_path: Path) -> None:
    """Of a folder with subfolders."""
    structured_report(tmp_path / "archive/ST1/IM1", "A1", "Möglicherweise. Probable pneumonia.")
    structured_report(tmp_path / "archive/ST2/SE1/IM1.dcm", "A2", "No pleural effusion.")
    (tmp_path / "archive/ST2/CUT.dcm").write_bytes((tmp_path / "archive/ST1/IM1").read_bytes()[:-9])
    said, found = extracted(radcal, tmp_path / "archive", tmp_path / "out.csv", status=1)
    assert said["reports"] == 2
    assert [(f["file"], f["row"]) for f in said["failures"]] == [("archive/ST2/CUT.dcm", 1)]
    assert found == {
        ("A1", "infection", "probably", "impression"),
        ("A2", "pleural effusion", "absent", "impression"),
    }
    assert "Kanarienvogel" not in json.dumps(said)


@pytest.mark.skipif(not MADE.is_dir(), reason="the shared examples are not at hand")
@pytest.mark.parametrize("way", ["folder", "single file", "folder without the presented form"])
def test_extract_reads_the_shared_example(radcal: Any, tmp_path: Path, way: str) -> None:
    """Its text as HTML, and as the Observations beside it, says the same."""
    folder = tmp_path / "fhir"
    shutil.copytree(MADE, folder)
    [path] = folder.glob("DiagnosticReport*.json")
    if way == "folder without the presented form":
        made = json.loads(path.read_text(encoding="utf-8"))
        del made["presentedForm"]
        path.write_text(json.dumps(made), encoding="utf-8")
    said, found = extracted(radcal, path if way == "single file" else folder, tmp_path / "out.csv")
    assert (said["reports"], said["failures"]) == (1, [])
    assert {(pathology, phrase) for _, pathology, phrase, _ in found} >= {
        ("opacity", "absent"),
        ("pleural effusion", "absent"),
        ("pneumothorax", "absent"),
        ("cardiomegaly", "absent"),
    }
    assert {phrase for _, _, phrase, _ in found} == {"absent"}


def test_run_pairs_xray_and_ct_of_fhir(
    radcal: Any, tmp_path: Path, key: str, quick: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From one bundle of both, with the radiologist, the patient and the times that it gives."""
    monkeypatch.setenv("RADCAL_PASSPHRASE", key)
    path = bundle(
        tmp_path / "all.json",
        {"resourceType": "Patient", "id": "7", "identifier": [{"value": "M7"}], "birthDate": "1950-01-02"},
        report(1, "XR CHEST", "2024-03-05", "Probable pneumonia."),
        report(2, "CT CHEST", "2024-03-05", "Pneumonia.", effectiveDateTime="2024-03-05T11:30:00+01:00"),
    )
    (tmp_path / "quick.json").write_text(json.dumps(quick), encoding="utf-8")
    words = ("--workspace", tmp_path / "w.radcal", "--out", tmp_path / "out", "--settings", tmp_path / "quick.json")
    ran = radcal("run", "--reports", path, *words, "--json")
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["pairs"] == 1
    with open_department(tmp_path / "w.radcal", key, read_only=True) as department:
        assert [department.names.name_of(author) for author in department.authors()] == ["Ann Lee"]


_NAMED = "Probable pneumonia in kanarienvogel M73310 of the ward of brombeer. Wachtelkoenig saw no effusion."
_OF_PEOPLE = ("kanarienvogel", "m73310", "brombeer", "wachtelkoenig", "4479921")


def hospital_folder(folder: Path) -> Path:
    """A report of each format whose text names patient and staff in a way that only the headers betray."""
    text = f"{_NAMED} Order 4479921."
    bundle(
        folder / "search.json",
        {
            "resourceType": "Patient",
            "id": "7",
            "identifier": [{"value": "M73310"}],
            "name": [{"family": "Kanarienvogel", "given": ["Jane"]}],
        },
        {"resourceType": "Practitioner", "id": "3", "name": [{"family": "Brombeer", "given": ["Rolf"]}]},
        {
            "resourceType": "ServiceRequest",
            "id": "4",
            "identifier": [{"value": "4479921"}],
            "requester": {"reference": "Practitioner/3"},
        },
        report(
            1,
            "XR CHEST",
            "2024-03-05",
            text,
            basedOn=[{"reference": "ServiceRequest/4"}],
            resultsInterpreter=[{"display": "Wachtelkoenig, Uta"}],
        ),
    )
    (folder / "one.hl7").write_text(
        "\r".join(
            (
                "MSH|^~\\&|RIS|HOSP|||20240305||ORU^R01|M1|P|2.5",
                "PID|1||M73310^^^H^MR||Kanarienvogel^Jane||19500102|F",
                "PV1|1|O|||||7^Brombeer^Rolf",
                "OBR|1|4479921|A2|X^XR CHEST|||202403050900||||||||||||||||CR|F|||||||5&Wachtelkoenig&Uta",
                f"OBX|1|TX|||{text}||||||F",
                "",
            )
        ),
        encoding="utf-8",
    )
    structured_report(folder / "SR1", "A3", text)
    made = pydicom.dcmread(folder / "SR1")
    made.PatientID, made.ReferringPhysicianName = "M73310", "Brombeer^Rolf"
    made.PlacerOrderNumberImagingServiceRequest = "4479921"
    verifier = Dataset()
    verifier.VerifyingObserverName = "Wachtelkoenig^Uta"
    made.VerifyingObserverSequence = [verifier]
    made.save_as(folder / "SR1")
    return folder


def test_people_of_messages_are_taken_out_of_texts(
    radcal: Any, tmp_path: Path, key: str, quick: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What headers name is known in the texts, for extract and run alike, in every format."""
    (tmp_path / "in").mkdir()
    folder = hospital_folder(tmp_path / "in")
    extracted(radcal, folder, tmp_path / "raw.csv")
    assert "kanarienvogel" in (tmp_path / "raw.csv").read_text(encoding="utf-8").lower()
    ran = radcal("extract", folder, "--out", tmp_path / "clean.csv", "--deidentify", "--json")
    assert (ran.status, json.loads(ran.out)["reports"]) == (0, 3)
    found = (tmp_path / "clean.csv").read_text(encoding="utf-8").lower()
    assert not [word for word in _OF_PEOPLE if word in found]
    monkeypatch.setenv("RADCAL_PASSPHRASE", key)
    (tmp_path / "quick.json").write_text(json.dumps(quick), encoding="utf-8")
    words = ("--workspace", tmp_path / "w.radcal", "--out", tmp_path / "out", "--settings", tmp_path / "quick.json")
    ran = radcal("run", "--reports", folder, *words, "--json")
    assert "No pairs: all reports are X-ray reports." in ran.err  # they are in the workspace all the same
    with open_department(tmp_path / "w.radcal", key, read_only=True) as department:
        held = department._workspace.reports()["text"].tolist()
    assert len(held) == 3
    assert not [word for word in _OF_PEOPLE for text in held if word in text.lower()]
