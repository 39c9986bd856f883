"""FHIR and DICOM reports in the manners of large systems and archives: legal, and not as one would think."""

from __future__ import annotations

import base64
import json
from typing import Any

from pydicom.dataset import Dataset

from radcal.reports.formats import FIELDS_OF_MESSAGES, Failure
from radcal.reports.formats.dicom import report as structured
from radcal.reports.formats.fhir import rows_of_files
from radcal.reports.reasons import Doubt, Flaw
from tests.cases import cases_of

from .structured_reports import BASIC, as_file, code, item, section, structured_report, text

cases = cases_of(__file__)

Json = dict[str, Any]


def read(*files: Any) -> list[Any]:
    """Cells by field, or the flaw, of each report."""
    made = [file if isinstance(file, bytes) else json.dumps(file).encode() for file in files]
    return [
        cells.flaw if isinstance(cells, Failure) else dict(zip(FIELDS_OF_MESSAGES, cells, strict=True))
        for _, position, cells in rows_of_files(made)
        if position and not isinstance(cells, Doubt)
    ]


def bundle(*resources: Json) -> Json:
    return {
        "resourceType": "Bundle",
        "type": "searchset",
        "entry": [
            {"fullUrl": f"https://fhir.example/api/FHIR/R4/{r['resourceType']}/{r['id']}", "resource": r}
            for r in resources
        ],
    }


def encoded(words: str, encoding: str = "utf-8") -> str:
    return base64.b64encode(words.encode(encoding)).decode()


PAGE = (
    '<div class="fmtConv" style="line-height: 1.2em; white-space: pre-wrap;"><span style="white-space:pre-wrap;">'
    "FINDINGS:&#160;Lungs are clear.</span><span>  No effusion.</span><br/><br/><span>IMPRESSION:</span>\n"
    '<span style="font-weight: bold">1. Probable&nbsp;atelectasis.</span></div>'
)


def test_a_report_whose_page_lies_in_a_binary() -> None:
    """Category in own codes, numbers without a type code, an order by its identifier, opaque ids, a name by display."""
    made = {
        "resourceType": "DiagnosticReport",
        "id": "eXbBcD-.4fW3",
        "identifier": [
            {"use": "official", "type": {"text": "ORD"}, "system": "urn:oid:1.2.840.114350.1", "value": "78"},
            {"type": {"text": "Accession Number"}, "value": "E1234567"},
        ],
        "basedOn": [{"reference": "ServiceRequest/eOrd", "display": "XR Chest 2 Views"}],
        "status": "final",
        "category": [
            {"coding": [{"system": "urn:oid:1.2.840.114350", "code": "Imaging", "display": "Imaging"}]},
            {
                "coding": [{"system": "http://terminology.hl7.org/CodeSystem/v2-0074", "code": "RAD"}],
                "text": "Radiology",
            },
        ],
        "code": {
            "coding": [{"system": "urn:oid:1.2.840.114350.2", "code": "IMG36", "display": "XR CHEST 2 VW"}],
            "text": "XR CHEST 2 VW",
        },
        "subject": {"reference": "Patient/ePat", "display": "Kanarienvogel, Jane Q"},
        "effectiveDateTime": "2024-03-05T13:30:00Z",
        "issued": "2024-03-05T14:00:00Z",
        "performer": [{"reference": "Practitioner/eDoc", "type": "Practitioner", "display": "Ann Lee, MD"}],
        "resultsInterpreter": [{"reference": "Practitioner/eDoc", "type": "Practitioner", "display": "Ann Lee, MD"}],
        "imagingStudy": [{"display": "Images"}],
        "presentedForm": [
            {"contentType": "text/html", "url": "Binary/eBin.html", "title": "Narrative"},
            {"contentType": "text/rtf", "url": "Binary/eMissing"},
        ],
    }
    page = {"resourceType": "Binary", "id": "eBin.html", "contentType": "text/html", "data": encoded(PAGE)}
    [cells] = read(bundle(made, page))
    assert cells["text"] == "FINDINGS: Lungs are clear.  No effusion.\n\nIMPRESSION:\n1. Probable atelectasis."
    assert (cells["accession"], cells["patient_id"], cells["exam"]) == ("E1234567", "ePat", "XR CHEST 2 VW")
    assert (cells["signer"], cells["dictator"]) == ("Ann Lee, MD", "")
    assert cells["patient_name"] == "Kanarienvogel, Jane Q"
    assert cells["exam_time"] == "2024-03-05T13:30:00Z"
    assert "78" in cells["identifiers"].split("; ")


def test_narrative_and_impression_as_results() -> None:
    """By name alone, and the impression repeated in the conclusion."""
    made = {
        "resourceType": "DiagnosticReport",
        "id": "1",
        "status": "final",
        "code": {"text": "CT CHEST"},
        "result": [{"reference": "Observation/n"}, {"reference": "Observation/i"}],
        "conclusion": "Unlikely PE.",
    }
    narrative = {
        "resourceType": "Observation",
        "id": "n",
        "code": {"text": "Narrative"},
        "valueString": "CLINICAL HISTORY: Cough.\r\n\r\nLungs are clear.",
    }
    impression = {
        "resourceType": "Observation",
        "id": "i",
        "code": {"text": "Impression"},
        "valueString": "Unlikely PE.",
    }
    [cells] = read(bundle(made, narrative, impression))
    assert cells["text"] == ("Narrative:\nCLINICAL HISTORY: Cough.\n\nLungs are clear.\n\nIMPRESSION:\nUnlikely PE.")


def test_the_whole_report_as_one_result_beside_its_parts() -> None:
    """What the whole says already is not said again."""
    whole = "FINDINGS: Clear lungs.\nIMPRESSION: No pneumonia."
    made = {
        "resourceType": "DiagnosticReport",
        "id": "1",
        "code": {"text": "XR CHEST"},
        "result": [{"reference": f"Observation/{n}"} for n in "wfi"],
    }
    parts = [
        {"resourceType": "Observation", "id": name, "code": {"text": kind}, "valueString": words}
        for name, kind, words in (
            ("w", "XR CHEST", whole),
            ("f", "Findings", "Clear lungs."),
            ("i", "Impression", "No pneumonia."),
        )
    ]
    [cells] = read(bundle(made, *parts))
    assert cells["text"].count("Clear lungs.") == cells["text"].count("No pneumonia.") == 1


def test_a_page_as_bare_xhtml_with_a_prolog_in_a_foreign_character_set() -> None:
    """Named in the media type, which is that of an archive."""
    prolog = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE html>\n'
    page = f"{prolog}<html><head><title>No</title></head><body>Größe</body></html>"
    made = {
        "resourceType": "DiagnosticReport",
        "id": "1",
        "presentedForm": [
            {"contentType": "application/pdf", "data": encoded("%PDF-1.4")},
            {"contentType": "application/octet-stream;charset=ISO-8859-1", "data": encoded(page, "latin-1")},
        ],
    }
    assert [cells["text"] for cells in read(made)] == ["Größe"]


@cases("tags_in_plain_text")
def test_tags_in_plain_text(words: str, shown: str) -> None:
    """Are taken out; a sign is no tag."""
    [cells] = read(
        {
            "resourceType": "DiagnosticReport",
            "id": "1",
            "presentedForm": [{"contentType": "text/plain", "data": encoded(words)}],
        }
    )
    assert cells["text"] == shown


def test_what_images_tell_of_the_report() -> None:
    """Number, modality, region and time come from its ImagingStudy."""
    made = {
        "resourceType": "DiagnosticReport",
        "id": "1",
        "code": {"text": "Radiology Report"},
        "conclusion": "Clear.",
        "basedOn": [{"reference": "ServiceRequest/o"}],
        "imagingStudy": [{"reference": "ImagingStudy/s"}],
    }
    order = {
        "resourceType": "ServiceRequest",
        "id": "o",
        "requester": {"display": "Refer, Max", "type": "Practitioner"},
    }
    study = {
        "resourceType": "ImagingStudy",
        "id": "s",
        "description": "THORAX AP",
        "identifier": [{"type": {"coding": [{"code": "ACSN"}]}, "value": "A5"}],
        "started": "2024-03-05T08:00:00-05:00",
        "series": [{"modality": {"code": "SR"}}, {"modality": {"code": "DX"}, "bodySite": {"display": "Chest"}}],
    }
    [cells] = read(bundle(made, order, study))
    assert (cells["accession"], cells["modality"], cells["exam"]) == ("A5", "DX", "THORAX AP")
    assert (cells["body_part"], cells["exam_time"], cells["staff_names"]) == (
        "Chest",
        "2024-03-05T08:00:00",
        "Max Refer",
    )


def test_null_fields_extensions_and_absent_values() -> None:
    """Arrays with null, primitive extensions, a status that is absent, data-absent reasons."""
    made = {
        "resourceType": "DiagnosticReport",
        "id": "1",
        "_status": {"extension": [{"url": "u", "valueCode": "unknown"}]},
        "identifier": [None, {"value": None}],
        "code": {"coding": [None, {"display": "XR CHEST"}], "text": None},
        "subject": None,
        "performer": [None, {}],
        "result": [None, {"display": "only a name"}],
        "conclusion": "Clear.",
        "presentedForm": [{"contentType": "text/plain"}, {"contentType": "text/plain", "data": ""}],
        "category": "RAD",
        "effectiveDateTime": None,
        "effectivePeriod": {"end": "2024-03-05"},
    }
    [cells] = read(made)
    assert (cells["exam"], cells["exam_time"], cells["status"]) == ("XR CHEST", "2024-03-05", "")
    assert cells["text"] == "IMPRESSION:\nClear."


# --- DICOM ---------------------------------------------------------------------------------------------


def test_a_report_of_an_archive_in_one_text() -> None:
    """Under the title of the document, with private elements, padding, odd line ends and no character set."""
    made = structured_report(
        text(("121111", "Summary"), "FINDINGS:\r\rClear lungs.\n\rIMPRESSION: Normal.   "),
        kind=BASIC,
        SpecificCharacterSet=None,
        PatientName="DOE^JANE^^^",
        VerificationFlag="UNVERIFIED",
        VerifyingObserverSequence=None,
        AuthorObserverSequence=[],
    )
    made.private_block(0x0099, "MAKER", create=True).add_new(0x01, "LO", "Private words")
    found = structured(as_file(made))
    assert not isinstance(found, Flaw)
    assert found["text"] == "IMPRESSION:\nFINDINGS:\n\nClear lungs.\n\nIMPRESSION: Normal."
    assert (found["patient_name"], found["status"], found["signer"]) == ("JANE DOE", "", "")


def test_sections_by_their_names_in_capitals() -> None:
    """With codes of the maker, and texts without names below them."""
    made = structured_report(
        section(("HX", "CLINICAL INFORMATION"), text(None, "Cough.")),
        section(("FI", "FINDINGS"), text(None, "Clear."), text(None, "No effusion.")),
        section(("CO", "CONCLUSION"), text(None, "<p>Normal &amp; unchanged.</p>")),
    )
    found = structured(as_file(made))
    assert not isinstance(found, Flaw)
    assert found["text"] == (
        "CLINICAL INFORMATION:\nCough.\n\nFINDINGS:\nClear.\nNo effusion.\n\nIMPRESSION:\nNormal & unchanged."
    )


def test_long_codes_and_empty_sequences() -> None:
    """Codes beyond 16 characters, sequences without items, and elements without values."""
    long = Dataset()
    long.LongCodeValue, long.CodingSchemeDesignator, long.CodeMeaning = "1" * 20, "SCT", "Pleural effusion"
    found_in = item("CODE", ("121071", "Finding"))
    found_in.ConceptCodeSequence = [long]
    empty = item("TEXT", None, TextValue="")
    empty.ConceptNameCodeSequence = []
    made = structured_report(
        section(("121070", "Findings"), found_in, empty),
        StudyTime="",
        AccessionNumber="",
        StudyDescription="",
        ReferencedRequestSequence=[],
        ProcedureCodeSequence=[code("71046", "XR CHEST 2 VIEWS", "C4")],
    )
    found = structured(as_file(made))
    assert not isinstance(found, Flaw)
    assert (found["text"], found["exam"]) == ("FINDINGS:\nPleural effusion.", "XR CHEST 2 VIEWS")
    assert (found["exam_time"], found["accession"]) == ("2024-03-05", "1.2.3")
