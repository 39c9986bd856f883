"""DICOM structured reports made with pydicom, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRBigEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian

BASIC, ENHANCED, COMPREHENSIVE, SPATIAL, EXTENSIBLE = (
    f"1.2.840.10008.5.1.4.1.1.88.{n}" for n in ("11", "22", "33", "34", "35")
)
Code = tuple[str, str]


def code(value: str, meaning: str, scheme: str = "DCM") -> Dataset:
    """A coded entry."""
    made = Dataset()
    made.CodeValue, made.CodingSchemeDesignator, made.CodeMeaning = value, scheme, meaning
    return made


def item(kind: str, name: Code | None, *inside: Dataset, relation: str = "CONTAINS", **values: Any) -> Dataset:
    """A content item."""
    made = Dataset()
    made.RelationshipType, made.ValueType = relation, kind
    if name is not None:
        made.ConceptNameCodeSequence = [code(*name)]
    for keyword, value in values.items():
        setattr(made, keyword, value)
    if inside:
        made.ContentSequence = list(inside)
    return made


def text(name: Code | None, words: str, *inside: Dataset, **values: Any) -> Dataset:
    """A text."""
    return item("TEXT", name, *inside, TextValue=words, **values)


def section(name: Code, *inside: Dataset) -> Dataset:
    """A container."""
    return item("CONTAINER", name, *inside, ContinuityOfContent="SEPARATE")


def coded(name: Code, value: Code, *inside: Dataset, **values: Any) -> Dataset:
    """A code."""
    return item("CODE", name, *inside, ConceptCodeSequence=[code(*value)], **values)


def number(name: Code, value: str, unit: str, **values: Any) -> Dataset:
    """A measurement."""
    measured = Dataset()
    measured.NumericValue = value
    measured.MeasurementUnitsCodeSequence = [code(unit, unit, "UCUM")]
    return item("NUM", name, MeasuredValueSequence=[measured], **values)


def observer(keyword: str, name: str) -> Dataset:
    """An item of a sequence that names a person."""
    made = Dataset()
    setattr(made, keyword, name)
    return made


def structured_report(
    *content: Dataset, kind: str = ENHANCED, title: Code = ("18748-4", "Report"), **header: Any
) -> Dataset:
    """A document with a header."""
    made = Dataset()
    made.SpecificCharacterSet = "ISO_IR 192"
    made.SOPClassUID, made.SOPInstanceUID, made.Modality = kind, "1.2.3.4.5", "SR"
    made.StudyInstanceUID, made.AccessionNumber, made.PatientID = "1.2.3", "A77", "P1"
    made.PatientName, made.PatientBirthDate, made.PatientSex = "Doe^Jane^Q", "19500102", "F"
    made.StudyDate, made.StudyTime, made.ContentDate, made.ContentTime = "20240305", "143000.123", "20240305", "1512"
    made.StudyDescription, made.ReferringPhysicianName = "XR CHEST PA AND LATERAL", "Refer^Ann^^Dr"
    made.CompletionFlag, made.VerificationFlag = "COMPLETE", "VERIFIED"
    made.VerifyingObserverSequence = [observer("VerifyingObserverName", "Smith^John^^Dr^MD")]
    made.AuthorObserverSequence = [observer("PersonName", "Young^Rita")]
    made.ValueType, made.ContinuityOfContent = "CONTAINER", "SEPARATE"
    made.ConceptNameCodeSequence = [code(*title, "LN")]
    for keyword, value in header.items():
        if value is None:
            delattr(made, keyword)
        else:
            setattr(made, keyword, value)
    if content:
        made.ContentSequence = list(content)
    return made


def as_file(made: Dataset, syntax: str = ExplicitVRLittleEndian, *, preamble: bool = True) -> bytes:
    """A document as the bytes of a file."""
    out = BytesIO()
    if preamble:
        made.file_meta = FileMetaDataset()
        made.file_meta.TransferSyntaxUID = syntax
        made.file_meta.MediaStorageSOPClassUID = made.SOPClassUID
        made.file_meta.MediaStorageSOPInstanceUID = made.SOPInstanceUID
        made.save_as(out, enforce_file_format=True)
    else:
        implicit, little = syntax == ImplicitVRLittleEndian, syntax != ExplicitVRBigEndian
        made.save_as(out, implicit_vr=implicit, little_endian=little)
    return out.getvalue()


def usual(**header: Any) -> Dataset:
    """A report with the sections that most have."""
    return structured_report(*usual_content(), **header)


def usual_content() -> Sequence[Dataset]:
    """Its content items."""
    return (
        item("PNAME", ("121008", "Person Observer Name"), relation="HAS OBS CONTEXT", PersonName="Watch^Olga"),
        coded(("121058", "Procedure reported"), ("X", "Chest PA"), relation="HAS CONCEPT MOD"),
        section(("121060", "History"), text(("121060", "History"), "Cough.")),
        section(("121068", "Previous Findings"), text(("121069", "Previous Finding"), "Pneumonia in 2020.")),
        section(
            ("121070", "Findings"),
            text(("121071", "Finding"), "Small right effusion, möglich.\r\nLungs clear."),
            section(
                ("X1", "Lungs"), text(("121071", "Finding"), "No nodule."), number(("M", "Diameter"), "12.5", "mm")
            ),
            coded(
                ("121071", "Finding"),
                ("P", "Cardiomegaly"),
                coded(("L", "Laterality"), ("l", "Left"), relation="HAS CONCEPT MOD"),
                coded(("111012", "Certainty of Finding"), ("c", "Probable"), relation="HAS PROPERTIES"),
            ),
        ),
        section(("121072", "Impressions"), text(("121073", "Impression"), "Probable effusion.")),
    )


USUAL_TEXT = (
    "HISTORY:\nCough.\n\nCOMPARISON:\nPneumonia in 2020.\n\n"
    "FINDINGS:\nSmall right effusion, möglich.\nLungs clear.\n\nLungs:\nNo nodule.\nDiameter: 12.5 mm.\n\n"
    "Cardiomegaly (Left), probable.\n\nIMPRESSION:\nProbable effusion."
)
