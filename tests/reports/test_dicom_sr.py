"""DICOM structured reports: text in the order of the document, people, numbers and times; and their damage."""

from __future__ import annotations

import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydicom.dataset import Dataset
from pydicom.uid import (
    DeflatedExplicitVRLittleEndian,
    ExplicitVRBigEndian,
    ExplicitVRLittleEndian,
    ImplicitVRLittleEndian,
)

from radcal.reports.formats import FIELDS_OF_MESSAGES, Failure
from radcal.reports.formats.dicom import class_of, is_dicom, is_document, report, rows
from radcal.reports.reasons import Doubt, Flaw
from radcal.reports.records import Section
from radcal.reports.sections import document
from tests.cases import cases_of

from .structured_reports import (
    BASIC,
    COMPREHENSIVE,
    ENHANCED,
    EXTENSIBLE,
    SPATIAL,
    USUAL_TEXT,
    as_file,
    code,
    coded,
    item,
    number,
    observer,
    section,
    structured_report,
    text,
    usual,
)

cases = cases_of(__file__)

SYNTAXES = (ExplicitVRLittleEndian, ImplicitVRLittleEndian, ExplicitVRBigEndian, DeflatedExplicitVRLittleEndian)
FINDINGS, FINDING, IMPRESSION = ("121070", "Findings"), ("121071", "Finding"), ("121073", "Impression")


def read(made: Dataset) -> Any:
    """The cells of a document by field, or its flaw."""
    return report(as_file(made))


def words(*content: Dataset, **header: Any) -> Any:
    """The text of a document of such content."""
    return read(structured_report(*content, **header))["text"]


@pytest.mark.parametrize(
    ("syntax", "preamble"),
    [(syntax, True) for syntax in SYNTAXES] + [(syntax, False) for syntax in SYNTAXES[:3]],  # to deflate needs one
)
@pytest.mark.parametrize("kind", [BASIC, ENHANCED, COMPREHENSIVE, SPATIAL, EXTENSIBLE])
def test_text_in_document_order(syntax: str, preamble: bool, kind: str) -> None:
    """In every class of document and every transfer syntax, with and without a preamble."""
    data = as_file(usual(kind=kind), syntax, preamble=preamble)
    found = report(data)
    assert not isinstance(found, Flaw)
    assert found["text"] == USUAL_TEXT
    assert is_dicom(data)
    assert is_document(data)
    assert class_of(data) == kind


def test_sections_are_those_of_the_document() -> None:
    """What was found earlier is no finding of this examination."""
    of = {s.text: s.section for s in document("1", USUAL_TEXT).sentences}
    assert of["Cough."] is Section.INDICATION
    assert of["Pneumonia in 2020."] is Section.COMPARISON
    assert of["Lungs clear."] is of["Cardiomegaly (Left), probable."] is Section.FINDINGS
    assert of["Probable effusion."] is Section.IMPRESSION


def test_header() -> None:
    """Each field comes from its element; the zone of the times is of no interest."""
    found = read(
        usual(TimezoneOffsetFromUTC="-0500", OtherPatientIDs=["X8", "X9"], PatientAddress="1 Hill Street^Bath")
    )
    assert found == {
        "report_id": "1.2.3.4.5", "accession": "A77", "study_uid": "1.2.3", "patient_id": "P1",
        "patient_name": "Jane Q Doe", "birth_date": "1950-01-02", "sex": "F", "exam_code": "",
        "exam": "XR CHEST PA AND LATERAL", "modality": "", "body_part": "",
        "exam_time": "2024-03-05T14:30:00", "report_time": "2024-03-05T15:12:00", "status": "final",
        "dictator": "Rita Young", "signer": "John Smith", "site": "", "text": USUAL_TEXT,
        "staff_names": "Ann Refer; John Smith; Rita Young; Olga Watch", "identifiers": "X8; X9; 1 Hill Street; Bath",
        "doubt": "",
    }  # fmt: skip
    assert set(found) == {*FIELDS_OF_MESSAGES, "doubt"} - {"findings", "impression"}


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ({}, "final"),
        ({"VerificationFlag": "UNVERIFIED"}, ""),
        ({"VerificationFlag": "UNVERIFIED", "PreliminaryFlag": "FINAL"}, "final"),
        ({"PreliminaryFlag": "PRELIMINARY"}, "preliminary"),
        ({"CompletionFlag": "PARTIAL"}, "preliminary"),
        ({"PredecessorDocumentsSequence": [Dataset()]}, "corrected"),
    ],
)
def test_status(header: dict[str, Any], status: str) -> None:
    """As the flags and the documents before it tell."""
    assert read(usual(**header))["status"] == status


def test_an_addendum() -> None:
    """A document of which all is addendum; beside other sections it is a corrected report."""
    added = section(("121078", "Addendum"), text(None, "A nodule was missed."))
    found = read(structured_report(added, PredecessorDocumentsSequence=[Dataset()]))
    assert (found["status"], found["text"]) == ("addendum", "ADDENDUM:\nA nodule was missed.")
    both = structured_report(
        section(FINDINGS, text(FINDING, "Clear.")), added, PredecessorDocumentsSequence=[Dataset()]
    )
    assert read(both)["status"] == "corrected"


@pytest.mark.parametrize(
    ("header", "signer", "dictator"),
    [
        ({}, "John Smith", "Rita Young"),
        ({"AuthorObserverSequence": [observer("PersonName", "Smith^John")]}, "John Smith", ""),
        ({"VerifyingObserverSequence": None}, "Rita Young", ""),
        ({"VerifyingObserverSequence": None, "NameOfPhysiciansReadingStudy": "Read^Max"}, "Max Read", "Rita Young"),
        ({"VerifyingObserverSequence": None, "AuthorObserverSequence": None}, "", ""),
        ({"AuthorObserverSequence": [observer("PersonName", "Young, Rita")]}, "John Smith", "Rita Young"),
    ],
)
def test_radiologists(header: dict[str, Any], signer: str, dictator: str) -> None:
    """Who verified has signed, the author dictated."""
    made = structured_report(section(FINDINGS, text(FINDING, "Clear.")), **header)
    found = read(made)
    assert (found["signer"], found["dictator"]) == (signer, dictator)


def test_the_examination_is_that_of_the_images() -> None:
    """SR is no modality: the images that the report refers to, the order and the contexts tell."""
    image = Dataset()
    image.ReferencedSOPClassUID, image.ReferencedSOPInstanceUID = "1.2.840.10008.5.1.4.1.1.2", "1.2"
    series, study = Dataset(), Dataset()
    series.ReferencedSOPSequence, series.SeriesInstanceUID = [image], "1.3"
    study.ReferencedSeriesSequence, study.StudyInstanceUID = [series], "1.4"
    request = Dataset()
    request.AccessionNumber, request.RequestedProcedureDescription = "B5", "CT CHEST"
    found = read(
        usual(
            CurrentRequestedProcedureEvidenceSequence=[study],
            ProcedureCodeSequence=[code("71250", "CT THORAX WO CONTRAST", "C4")],
            ReferencedRequestSequence=[request],
            AccessionNumber="",
            BodyPartExamined="CHEST",
        )
    )
    assert (found["modality"], found["exam_code"], found["exam"]) == ("CT", "71250", "CT THORAX WO CONTRAST")
    assert (found["accession"], found["body_part"]) == ("B5", "CHEST")
    shown = item("IMAGE", None, ReferencedSOPSequence=[image])
    found = read(structured_report(text(FINDING, "Clear.", shown), StudyDescription=None))
    assert (found["modality"], found["exam"]) == ("CT", "")


def test_without_an_accession_number_the_study_stands_in() -> None:
    """Its identifier is that of the examination."""
    assert read(usual(AccessionNumber=None))["accession"] == "1.2.3"


# --- content -------------------------------------------------------------------------------------------


def test_basic_text() -> None:
    """Texts right below the document, each with the name of its section."""
    made = words(text(FINDING, "Clear."), text(IMPRESSION, "Normal."), text(("L", "Comment"), "Call back."), kind=BASIC)
    assert made == "FINDINGS:\nClear.\n\nIMPRESSION:\nNormal.\n\nComment: Call back."


def test_a_text_without_names() -> None:
    """Is left as it is, headings of its own included."""
    whole = "FINDINGS: Clear.\nIMPRESSION: Normal."
    assert words(text(None, whole), kind=BASIC) == whole
    assert words(section(FINDINGS, text(FINDING, "FINDINGS:\nClear."))) == "FINDINGS:\nClear."


def test_values_of_other_kinds() -> None:
    """Codes, measurements, dates and names are short sentences; images, coordinates and UIDs are not text."""
    said = words(
        section(
            FINDINGS,
            coded(("S", "Site"), ("r", "Right lung")),
            number(("V", "Volume"), "3", "ml"),
            number(("R", "Ratio"), "0.5", "1"),
            item("DATE", ("D", "Seen on"), Date="20240301"),
            item("TIME", ("T", "At"), Time="0830"),
            item("DATETIME", ("DT", "Since"), DateTime="20240301083000+0100"),
            item("PNAME", ("C", "Told to"), PersonName="Call^Ann"),
            item("UIDREF", ("U", "Series"), UID="1.2.3"),
            item("SCOORD", None, GraphicType="POINT"),
            item("NUM", ("N", "Not measured")),
            item("CODE", ("E", "No code")),
        )
    )
    assert said == (
        "FINDINGS:\nSite: Right lung.\nVolume: 3 ml.\nRatio: 0.5.\nSeen on: 2024-03-01.\nAt: 08:30.\n"
        "Since: 2024-03-01 08:30:00.\nTold to: Ann Call."
    )


def test_contexts_are_not_text() -> None:
    """Observers and subjects are people of the report."""
    made = structured_report(
        text(FINDING, "Clear."),
        item("PNAME", ("121008", "Person Observer Name"), relation="HAS OBS CONTEXT", PersonName="Watch^Olga"),
        item("PNAME", ("121029", "Subject Name"), relation="HAS OBS CONTEXT", PersonName="Baby^Doe"),
        text(("121030", "Subject ID"), "S77", relation="HAS OBS CONTEXT"),
        coded(("121139", "Modality"), ("DX", "Digital"), relation="HAS ACQ CONTEXT"),
        VerifyingObserverSequence=None,
        AuthorObserverSequence=None,
    )
    found = read(made)
    assert found["text"] == "FINDINGS:\nClear."
    assert (found["signer"], found["modality"]) == ("Olga Watch", "DX")
    assert "Doe Baby" in found["patient_name"]
    assert "S77" in found["identifiers"]


def test_sections_by_loinc_or_name() -> None:
    """Newer documents name sections by LOINC, others in words of their own."""
    said = words(
        section(("18785-6", "Reason"), text(None, "Cough.")),
        section(("F", "Befunde"), text(None, "Frei.")),
        section(("L", "Lung parenchyma"), text(None, "Clear.")),
        section(("B", "Beurteilung"), text(None, "Normal.")),
    )
    assert said == "INDICATION:\nCough.\n\nFINDINGS:\nFrei.\n\nLung parenchyma:\nClear.\n\nIMPRESSION:\nNormal."


# --- character sets ------------------------------------------------------------------------------------


@cases("character_sets")
def test_character_sets(charset: str | list[str], said: str, name: str, names: str) -> None:
    """Single, multi-byte, and with code extensions; in the items of sequences, too."""
    found = read(
        structured_report(section(FINDINGS, text(FINDING, said)), SpecificCharacterSet=charset, PatientName=name)
    )
    assert found["text"] == f"FINDINGS:\n{said}"
    assert found["patient_name"] == names


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_character_set_that_is_not_named(encoding: str) -> None:
    """Is UTF-8 or else that of Windows, as systems that name none write."""
    made = structured_report(text(FINDING, "X" * 12), SpecificCharacterSet=None)
    raw = "Größe \u2013 5".encode(encoding).ljust(12)[:12]
    assert report(as_file(made).replace(b"X" * 12, raw))["text"] == f"FINDINGS:\n{raw.decode(encoding).strip()}"


# --- what cannot be read -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "flaw"),
    [
        ("1.2.840.10008.5.1.4.1.1.88.59", Flaw.UNSUPPORTED),
        ("1.2.840.10008.5.1.4.1.1.88.67", Flaw.UNSUPPORTED),
        ("1.2.840.10008.5.1.4.1.1.104.1", Flaw.DOCUMENT),
        ("1.2.840.10008.5.1.4.1.1.2", Flaw.UNSUPPORTED),
        ("1.2.840.10008.1.3.10", Flaw.UNSUPPORTED),
    ],
)
def test_other_objects(kind: str, flaw: Flaw) -> None:
    """Key images, dose reports, PDF, images and lists of files are listed as what they are."""
    data = as_file(usual(kind=kind))
    assert report(data) is flaw
    assert is_document(data) == (".88." in kind or ".104." in kind)


def test_a_document_without_text() -> None:
    """Is listed."""
    assert read(structured_report()) is Flaw.NO_TEXT
    assert read(structured_report(section(FINDINGS))) is Flaw.NO_TEXT


def test_nesting() -> None:
    """Fifty levels are read, a thousand are refused."""
    inner = text(FINDING, "Deep.")
    for _ in range(48):
        inner = section(("L", "Level"), inner)
    assert words(inner).endswith("Deep.")
    for _ in range(20):
        inner = section(("L", "Level"), inner)
    assert read(structured_report(inner)) is Flaw.NESTED
    bomb = b"\x40\x00\x30\xa7SQ\x00\x00\xff\xff\xff\xff\xfe\xff\x00\xe0\xff\xff\xff\xff" * 50_000
    assert report(as_file(structured_report(text(FINDING, "Clear."))) + bomb) in (Flaw.NESTED, Flaw.DAMAGED)


def test_a_deflated_bomb_is_not_unpacked() -> None:
    """It is refused once it has unpacked to more than a report can need."""
    data = as_file(usual(), DeflatedExplicitVRLittleEndian)
    start = data.index(b"\x02\x00\x13\x00")
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(80)) + packer.flush()
    head = data[:start] + data[start : start + 8 + data[start + 6]]
    assert len(bomb) < 1 << 20
    assert report(head + bomb) is Flaw.TOO_LONG
    assert report(data[:-20]) is Flaw.DAMAGED


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_a_file_cut_off_is_never_a_report(syntax: str) -> None:
    """At whatever byte: half a report is none."""
    data = as_file(usual(), syntax)
    step = 1 if syntax == ExplicitVRLittleEndian else 7
    assert all(isinstance(report(data[:length]), Flaw) for length in range(0, len(data), step))


@pytest.mark.parametrize("syntax", SYNTAXES[:3])
def test_a_wrong_length_is_never_a_shorter_report(syntax: str) -> None:
    """Wherever a sequence or an item says that it is shorter or longer than it is."""
    data = as_file(usual(), syntax)
    little = syntax != ExplicitVRBigEndian
    mark = b"\xfe\xff\x00\xe0" if little else b"\xff\xfe\xe0\x00"
    places = [at + 4 for at in range(len(data)) if data.startswith(mark, at)]
    assert len(places) > 40
    for at in places:
        size = int.from_bytes(data[at : at + 4], "little" if little else "big")
        for wrong in (0, size - 2, size + 2, size * 2):
            changed = data[:at] + wrong.to_bytes(4, "little" if little else "big") + data[at + 4 :]
            assert isinstance(report(changed), Flaw), (at, size, wrong)


@given(st.sampled_from(SYNTAXES), st.data())
def test_damaged_bytes(syntax: str, data: st.DataObject) -> None:
    """Bytes flipped, put in or taken out: read or listed, never anything else."""
    whole = bytearray(as_file(usual(), syntax))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + data.draw(st.integers(0, 12))] = data.draw(st.binary(max_size=6))
    for _, position, cells in rows(bytes(whole)):
        assert position in (0, 1)
        assert isinstance(cells, Failure | Doubt) or all(isinstance(cell, str) for cell in cells)


@given(st.binary(max_size=300), st.booleans())
def test_any_bytes(data: bytes, preamble: bool) -> None:
    """With or without the beginning of a DICOM file."""
    assert isinstance(report((bytes(128) + b"DICM" if preamble else b"") + data), Flaw)


@cases("a_finding_is_of_the_section_that_it_stands_in")
@pytest.mark.parametrize("finding", [FINDING, ("18782-3", "Study observation")])
def test_a_finding_is_of_the_section_that_it_stands_in(
    container: tuple[str, str], heading: str, finding: tuple[str, str]
) -> None:
    """TID 2002 calls what any section says a finding; a code of its own section counts, as of an impression."""
    found = words(section(container, text(finding, "A nodule."), coded(finding, ("N", "Mass"))))
    assert found == f"{heading}:\nA nodule.\nMass."
    inner = words(section(container, section(("X1", "Lungs"), text(finding, "A nodule."))))
    assert inner == f"{heading}:\nLungs:\nA nodule."
    own = words(section(("121060", "History"), text(("121110", "Presentation"), "Cough."), text(IMPRESSION, "Mass.")))
    assert own == "HISTORY:\nCough.\n\nIMPRESSION:\nMass."


@pytest.mark.parametrize("title", [("18748-4", "Report"), ("55107-7", "Addendum"), ("X", "Radiology Addendum")])
def test_a_document_of_findings_in_an_addendum_is_one(title: tuple[str, str]) -> None:
    """Whether a section or the title says so."""
    inside: Any = text(FINDING, "A nodule was missed.")
    content = section(("121078", "Addendum"), inside) if title[1] == "Report" else inside
    found = read(structured_report(content, title=title))
    assert (found["status"], found["text"]) == ("addendum", "ADDENDUM:\nA nodule was missed.")
    with_impression = read(structured_report(content, text(IMPRESSION, "Mass."), title=title))
    assert (with_impression["status"] == "addendum") == (title[1] != "Report")
    earlier = section(("121068", "Previous Findings"), section(FINDINGS, text(FINDING, "A nodule.")))
    assert words(earlier) == "COMPARISON:\nA nodule."


@pytest.mark.parametrize("switches", [(True, True), (True, False), (False, False)])
def test_chinese_with_and_without_its_switches(switches: tuple[bool, bool]) -> None:
    """ISO 2022 IR 58 is switched to on every line (PS3.5 6.1.2.5.3), as not all writers do."""
    lines = ("无肺炎。", "有积液。")
    raw = b"\r\n".join(
        (b"\x1b$)A" if switch else b"") + line.encode("gb2312") for switch, line in zip(switches, lines, strict=True)
    )
    made = structured_report(text(FINDING, "@" * len(raw)), SpecificCharacterSet=["", "ISO 2022 IR 58"])
    found: Any = report(as_file(made).replace(b"@" * len(raw), raw))
    assert found["text"] == "FINDINGS:\n无肺炎。\n有积液。"
