"""`radcal extract` and `radcal run` on messages of every format: the people that their headers name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pydicom
import pytest
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian

from radcal.opening import open_department


def report(text: str) -> dict[str, Any]:
    """A FHIR report."""
    return {
        "resourceType": "DiagnosticReport",
        "id": "r1",
        "status": "final",
        "identifier": [{"type": {"coding": [{"code": "ACSN"}]}, "value": "A1"}],
        "code": {"text": "XR CHEST"},
        "subject": {"reference": "Patient/7"},
        "effectiveDateTime": "2024-03-05T08:00:00+01:00",
        "issued": "2024-03-05T09:00:00+01:00",
        "basedOn": [{"reference": "ServiceRequest/4"}],
        "resultsInterpreter": [{"display": "Wachtelkoenig, Uta"}],
        "conclusion": text,
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
        report(text),
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
    assert radcal("extract", folder, "--out", tmp_path / "raw.csv").status == 0
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
