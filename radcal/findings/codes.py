"""What a finding is, and how certain it is, in the codes of SNOMED CT and DICOM; and both in files.

As FHIR Observations, in the form that R4 and R5 share: what is looked for is the code, how certain it is the value, and
what radiologists take the word to mean, in percent, a component.  As a DICOM structured report, one Enhanced SR
document for each report:

    Findings (121070)                                                CONTAINER
      Finding (121071) = the pathology                               CODE, or TEXT where it has no code
        Finding context (408729009, SCT) = known present, ...        CODE
        Certainty of Finding (111012) = what the word means, in %    NUM

Sources: SNOMED CT, attribute 408729009 |Finding context| and its values; HL7 FHIR R4 and R5, Observation; category
"imaging"; DICOM PS3.3 A.35.2 (Enhanced SR), PS3.16 TID 4104 (certainty as a property of a finding).
"""

from __future__ import annotations

import csv
import io
import json
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from radcal import __version__
from radcal.findings.records import Finding
from radcal.system.cells import printable
from radcal.system.files import Json
from radcal.system.resources import resource
from radcal.words.phrases import Lexicon
from radcal.words.records import OTHER, UNREAD

if TYPE_CHECKING:
    from pydicom.dataset import Dataset


class Code(NamedTuple):
    """A code of a terminology, by the URI that FHIR gives it and the designator of DICOM."""

    value: str
    meaning: str
    system: str = "http://snomed.info/sct"
    scheme: str = "SCT"


FINDING_CONTEXT = Code("408729009", "Finding context")
CERTAINTY = Code("111012", "Certainty of Finding", "http://dicom.nema.org/resources/ontology/DCM", "DCM")


@dataclass(frozen=True, slots=True)
class CodedFinding:
    """A finding in codes.

    pathology: None where no code means the same
    context: present, absent or how probable; None of words that are in no list, and where words were not understood
    percent: what radiologists take the word to mean, in %: the mean of its distribution; None where it has none
    """

    finding: Finding
    pathology: Code | None
    context: Code | None
    percent: float | None


def coded(findings: Iterable[Finding], lexicon: Lexicon) -> Iterator[CodedFinding]:
    """The findings in codes, in their order.

    Words of the shipped list have the code of their row in ``resources/codes/certainty.tsv``; those that a department
    added, the code of the range that the mean of their distribution lies in.  Points at 0 and 1 are plain statements.
    """
    for finding in findings:
        if finding.phrase in (OTHER, UNREAD):
            phrase = None
        else:
            phrase = next((p for p in lexicon.phrases if p.name == finding.phrase), None)
        if phrase is None:
            yield CodedFinding(finding, _pathologies().get(finding.pathology), None, None)
            continue
        mean = phrase.alpha / (phrase.alpha + phrase.beta)
        context = _contexts()[0].get(phrase.name) or _by_mean(mean)
        yield CodedFinding(finding, _pathologies().get(finding.pathology), context, 100 * mean)


def _by_mean(mean: float) -> Code:
    words, ranges = _contexts()
    if mean in (0, 1):
        return words["present" if mean else "absent"]
    return next(code for below, code in ranges if mean < below)


@cache
def _contexts() -> tuple[dict[str, Code], tuple[tuple[float, Code], ...]]:
    """Codes by phrase, and by the end of a range of means in rising order."""
    rows = _rows("certainty.tsv")
    words = {row["phrase"]: Code(row["code"], row["meaning"]) for row in rows if row["phrase"]}
    ranges = tuple((float(row["below"]), Code(row["code"], row["meaning"])) for row in rows if row["below"])
    return words, ranges


@cache
def _pathologies() -> dict[str, Code]:
    return {row["pathology"]: Code(row["code"], row["meaning"]) for row in _rows("pathologies.tsv")}


def _rows(name: str) -> list[dict[str, str]]:
    lines = resource("codes", name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))


_CATEGORY = {"system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": "imaging"}
_MISSING = {"system": "http://terminology.hl7.org/CodeSystem/data-absent-reason", "code": "unknown"}
_ACCESSION = {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/v2-0203", "code": "ACSN"}]}
_IDS = uuid.UUID("6f0a3c8e-55c2-5d0e-9c44-3f1f0a7b9d21")
"""Of the ids, so that the same finding of the same report has the same one."""


def observations(report_id: str, findings: Iterable[CodedFinding], accession: str = "") -> Iterator[Json]:
    """The findings of a report as Observations, in order; they name its study by ``accession``, or by ``report_id``.

    Their status is "preliminary": a program read them, and nobody has confirmed them.  Their method says which of them
    a person has decided.  A finding whose words were not
    understood has a reason in place of a value; words that are in no list are the text of a value without a code.
    """
    for n, item in enumerate(findings):
        finding = item.finding
        by = "a person, where RadCal was not sure" if finding.decided else "RadCal"
        observation: dict[str, Any] = {
            "resourceType": "Observation",
            "id": str(uuid.uuid5(_IDS, f"{report_id}\x1f{n}")),
            "status": "preliminary",
            "category": [{"coding": [_CATEGORY]}],
            "code": _concept(item.pathology, finding.pathology),
            "derivedFrom": [
                {
                    "type": "ImagingStudy",
                    "identifier": {"type": _ACCESSION, "value": printable(accession or report_id)},
                },
            ],
            "method": {"text": f"Read from the report by {by} ({finding.engine})"},
            "note": [{"text": printable(finding.sentence)}],
        }
        if finding.phrase == UNREAD:
            absent = _concept(None, f"Words of doubt that were not understood: {finding.verbatim}")
            observation["dataAbsentReason"] = {"coding": [_MISSING], **absent}
        else:
            observation["valueCodeableConcept"] = _concept(item.context, finding.verbatim or finding.phrase)
        if item.percent is not None:
            percent = {
                "value": round(item.percent, 1),
                "unit": "%",
                "system": "http://unitsofmeasure.org",
                "code": "%",
            }
            observation["component"] = [{"code": _concept(CERTAINTY), "valueQuantity": percent}]
        yield observation


def bundle(resources: Iterable[Json]) -> Json:
    """Resources as a Bundle of the type "collection"."""
    entries = [{"fullUrl": f"urn:uuid:{resource['id']}", "resource": resource} for resource in resources]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def line(resource: Json) -> bytes:
    """A resource as a line of newline-delimited JSON."""
    return json.dumps(resource, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def _concept(code: Code | None, text: str = "") -> dict[str, Any]:
    coding = [] if code is None else [{"system": code.system, "code": code.value, "display": code.meaning}]
    return {**({"coding": coding} if coding else {}), **({"text": printable(text)} if text else {})}


_UIDS = uuid.UUID("0f9d1f6e-6b0b-5a55-8a4c-9a5a8a3b1c77")
_DCM = "http://dicom.nema.org/resources/ontology/DCM"
_FINDINGS = Code("121070", "Findings", _DCM, "DCM")
_FINDING = Code("121071", "Finding", _DCM, "DCM")
_COMMENT = Code("121106", "Comment", _DCM, "DCM")
_PERCENT = Code("%", "percent", "http://unitsofmeasure.org", "UCUM")
_LONGEST_CODE_MEANING = 64


def structured_report(
    report_id: str, findings: Iterable[CodedFinding], written: datetime, accession: str = ""
) -> bytes:
    """A DICOM file with the findings of a report, in their order.

    The document is unverified, of an unknown patient, and knows its study by the accession number alone: whoever takes
    it in assigns it to the study that it holds under this number.

    Args:
        report_id: that the document's identifiers are derived from.
        written: date and time of the document.
        accession: of the study; ``report_id`` if empty.  The field holds its first 16 characters.
    """
    from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
    from pydicom.uid import UID, EnhancedSRStorage, ExplicitVRLittleEndian

    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = EnhancedSRStorage
    meta.MediaStorageSOPInstanceUID = UID(_uid("document", report_id))
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    document = FileDataset("", {}, file_meta=meta, preamble=b"\0" * 128)
    document.SpecificCharacterSet = "ISO_IR 192"
    document.SOPClassUID, document.SOPInstanceUID = EnhancedSRStorage, meta.MediaStorageSOPInstanceUID
    document.StudyInstanceUID, document.SeriesInstanceUID = _uid("study", report_id), _uid("series", report_id)
    document.Modality, document.SeriesNumber, document.InstanceNumber = "SR", 1, 1
    document.AccessionNumber, document.StudyID = _one_line(accession or report_id)[:16], ""
    document.StudyDate = document.StudyTime = document.ReferringPhysicianName = ""
    document.PatientName = document.PatientID = document.PatientBirthDate = document.PatientSex = ""
    document.ContentDate, document.ContentTime = f"{written:%Y%m%d}", f"{written:%H%M%S}"
    document.Manufacturer, document.SoftwareVersions = "RadCal", __version__
    document.ReferencedPerformedProcedureStepSequence = []
    document.PerformedProcedureCodeSequence = []
    document.CompletionFlag, document.VerificationFlag = "COMPLETE", "UNVERIFIED"
    document.ValueType, document.ContinuityOfContent = "CONTAINER", "SEPARATE"
    document.ConceptNameCodeSequence = [_sequence(_FINDINGS)]
    document.ContentSequence = [_content(coded, Dataset) for coded in findings]
    out = io.BytesIO()
    document.save_as(out, enforce_file_format=True)
    return out.getvalue()


def _content(coded: CodedFinding, new: type[Dataset]) -> Dataset:
    finding = coded.finding
    item = _item(new, "CONTAINS", _FINDING)
    if coded.pathology is None:
        item.ValueType, item.TextValue = "TEXT", printable(finding.pathology)
    else:
        item.ValueType, item.ConceptCodeSequence = "CODE", [_sequence(coded.pathology)]
    properties = []
    if coded.context is not None:
        context = _item(new, "HAS PROPERTIES", FINDING_CONTEXT)
        context.ValueType, context.ConceptCodeSequence = "CODE", [_sequence(coded.context)]
        properties.append(context)
    if coded.percent is not None:
        certainty = _item(new, "HAS PROPERTIES", CERTAINTY)
        measured = new()
        measured.NumericValue = f"{coded.percent:.1f}"
        measured.MeasurementUnitsCodeSequence = [_sequence(_PERCENT)]
        certainty.ValueType, certainty.MeasuredValueSequence = "NUM", [measured]
        properties.append(certainty)
    comment = _item(new, "HAS PROPERTIES", _COMMENT)
    comment.ValueType, comment.TextValue = "TEXT", printable(finding.sentence)
    item.ContentSequence = [*properties, comment]
    return item


def _item(new: type[Dataset], relationship: str, name: Code) -> Dataset:
    item = new()
    item.RelationshipType, item.ConceptNameCodeSequence = relationship, [_sequence(name)]
    return item


def _sequence(code: Code) -> Dataset:
    from pydicom.dataset import Dataset

    item = Dataset()
    item.CodeValue, item.CodingSchemeDesignator = code.value, code.scheme
    item.CodeMeaning = _one_line(code.meaning)[:_LONGEST_CODE_MEANING]
    return item


def _one_line(text: str) -> str:
    """A text of a short field, in which a backslash would separate values."""
    return " ".join(printable(text).replace("\\", " ").split())


def _uid(what: str, report_id: str) -> str:
    """A UID under 2.25, the same for the same report.  Source: ITU-T X.667; DICOM PS3.5 B.2."""
    return f"2.25.{uuid.uuid5(_UIDS, f'{what} {report_id}').int}"
