"""Findings as a DICOM structured report: one Enhanced SR document for each report.

    Findings (121070)                                                CONTAINER
      Finding (121071) = the pathology                               CODE, or TEXT where it has no code
        Finding context (408729009, SCT) = known present, ...        CODE
        Certainty of Finding (111012) = what the word means, in %    NUM

Sources: DICOM PS3.3 A.35.2 (Enhanced SR), PS3.16 TID 4104 (certainty as a property of a finding).
"""

from __future__ import annotations

import io
import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from radcal import __version__
from radcal.findings.codes.codes import CERTAINTY, FINDING_CONTEXT, Code, CodedFinding
from radcal.system.cells import printable

if TYPE_CHECKING:
    from pydicom.dataset import Dataset

_NAMESPACE = uuid.UUID("0f9d1f6e-6b0b-5a55-8a4c-9a5a8a3b1c77")
_DCM = "http://dicom.nema.org/resources/ontology/DCM"
_FINDINGS = Code("121070", "Findings", _DCM, "DCM")
_FINDING = Code("121071", "Finding", _DCM, "DCM")
_COMMENT = Code("121106", "Comment", _DCM, "DCM")
_PERCENT = Code("%", "percent", "http://unitsofmeasure.org", "UCUM")
_LONGEST_CODE_MEANING = 64


def structured_report(report_id: str, findings: Iterable[CodedFinding], made: datetime, accession: str = "") -> bytes:
    """A DICOM file with the findings of a report, in their order.

    The document is unverified, of an unknown patient, and knows its study by the accession number alone: whoever takes
    it in assigns it to the study that it holds under this number.

    Args:
        report_id: that the document's identifiers are derived from.
        made: date and time of the document.
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
    document.ContentDate, document.ContentTime = f"{made:%Y%m%d}", f"{made:%H%M%S}"
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
    return f"2.25.{uuid.uuid5(_NAMESPACE, f'{what} {report_id}').int}"
