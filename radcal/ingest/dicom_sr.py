"""DICOM structured reports to rows, one for each file; runs in the child process that parses foreign files.

Read are Basic Text, Enhanced, Comprehensive, Comprehensive 3D and Extensible SR.  The text is that of the content tree
in its order: containers as headings, texts, and codes, measurements, dates and names as short sentences; what is only
the context of an observation is none.

Source: DICOM PS3.3 C.17 (SR document modules), PS3.16 (TID 2000, CID 7001), PS3.5 (encoding).
"""

from __future__ import annotations

import re
import sys
import warnings
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from radcal.ingest.coded_sections import FINDINGS, Body, heading_of, statement
from radcal.ingest.dicom_files import PREFIX_END, class_of, is_dicom, is_directory, is_document
from radcal.ingest.dicom_structure import is_whole
from radcal.ingest.markup import clean_text, joined, one_line, written_text
from radcal.ingest.parsers import FIELDS_OF_MESSAGES, HEAD, Doubted, Failure, Flawed, Row
from radcal.ingest.reasons import Doubt, Flaw
from radcal.ingest.table import Cell

if TYPE_CHECKING:
    from pydicom.dataset import Dataset

_STORAGE = "1.2.840.10008.5.1.4.1.1."
_READ = frozenset(f"{_STORAGE}88.{n}" for n in ("11", "22", "33", "34", "35"))
_ENCAPSULATED = f"{_STORAGE}104."
_DEFLATED = b"1.2.840.10008.1.2.1.99"
_EXPLICIT = b"1.2.840.10008.1.2.1"
_ACCESSION = 0x00080050
_INFLATED = 64 << 20
"""Bytes that a deflated document may unpack to."""
_SHOWN = 1 << 18
"""Characters of a document that are shown."""
_DEEPEST, _MOST_ITEMS = 50, 20_000
_MODALITIES = {
    "1": "CR", "1.1": "DX", "1.1.1": "DX", "1.2": "MG", "1.3": "IO", "2": "CT", "2.1": "CT", "2.2": "CT", "3.1": "US",
    "4": "MR", "4.1": "MR", "6.1": "US", "6.2": "US", "12.1": "XA", "12.1.1": "XA", "12.2": "RF", "12.2.1": "RF",
    "13.1.3": "MG", "20": "NM", "128": "PT", "128.1": "PT", "130": "PT",
}  # fmt: skip
"""The modality of images by the end of their SOP class."""
_OF_TEXT = frozenset(("LO", "LT", "SH", "ST", "UC", "UT"))
_NO_MODALITY = frozenset(("SR", "KO", "PR", "OT", "DOC", "REG", "SEG", "RTSTRUCT"))
_KINDS = frozenset(
    ("CONTAINER", "TEXT", "CODE", "NUM", "PNAME", "DATE", "TIME", "DATETIME", "UIDREF", "COMPOSITE", "IMAGE",
     "WAVEFORM", "SCOORD", "SCOORD3D", "TCOORD", "TABLE")
)  # fmt: skip
"""Types of content items (PS3.3 C.17.3)."""
_NOT_TEXT = frozenset(("HAS OBS CONTEXT", "HAS ACQ CONTEXT", "HAS CONCEPT MOD", "SELECTED FROM"))
_STAFF = [
    "ReferringPhysicianName",
    "ConsultingPhysicianName",
    "PhysiciansOfRecord",
    "PerformingPhysicianName",
    "NameOfPhysiciansReadingStudy",
    "OperatorsName",
    "RequestingPhysician",
    "ScheduledPerformingPhysicianName",
    "NamesOfIntendedRecipientsOfResults",
    "OrderEnteredBy",
    "ResponsiblePerson",
    "PatientMotherBirthName",
    "ReviewerName",
    "PersonName",
    "VerifyingObserverName",
]
_NUMBERS = [
    "PatientID",
    "AdmissionID",
    "ServiceEpisodeID",
    "StudyID",
    "RequestedProcedureID",
    "ScheduledProcedureStepID",
    "AccessionNumber",
    "PlacerOrderNumberImagingServiceRequest",
    "FillerOrderNumberImagingServiceRequest",
    "PatientTelephoneNumbers",
    "OtherPatientIDs",
    "InsurancePlanIdentification",
    "MedicalRecordLocator",
    "PerformedProcedureStepID",
]
_CERTAINTY = frozenset(("111012", "111013", "246103008"))
"""Names of codes that say how certain a finding is: DCM Certainty of Finding and of Impression, SNOMED CT Certainty."""
_ANY_FINDING = frozenset(("121071", "18782-3", ""))
"""Codes of a finding that do not say of which section it is: DCM Finding (PS3.16 TID 2002), LOINC Study observation."""
_SPACES_ADDRESS = re.compile(r"[\^\r\n]+")
_CLOCK = re.compile(r"(\d\d)(\d\d)?(\d\d)?(?:\.\d{1,6})?")


def rows(data: bytes) -> Iterator[Row | Flawed | Doubted]:
    """The report of one file."""
    yield 1, 0, list[Cell](FIELDS_OF_MESSAGES)
    found = report(data)
    if isinstance(found, Flaw):
        yield 1, 1, Failure(found, _accession_in(data))
        return
    yield 1, 1, list[Cell](found.get(name, "") for name in FIELDS_OF_MESSAGES)
    if found["doubt"]:
        yield 1, 1, Doubt(found["doubt"])


def raw(data: bytes) -> Iterator[Row | Flawed]:
    """The elements of a file as a list, if it is a report that can be read."""
    yield 1, 0, list[Cell](["message"])
    if isinstance(report(data), Flaw):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dataset = _dataset(data)
        if not isinstance(dataset, Flaw):
            from pydicom.dataelem import DataElement

            DataElement.maxBytesToDisplay = _SHOWN  # of texts, too
            yield 1, 1, list[Cell]([clean_text(str(dataset))[:_SHOWN]])


def report(data: bytes) -> dict[str, str] | Flaw:
    """The cells of a structured report by field, or why it cannot be read."""
    head = data[:HEAD]
    if not is_dicom(head):
        return Flaw.DAMAGED
    if is_directory(head) or not is_document(head):
        return Flaw.UNSUPPORTED
    if class_of(head).startswith(_ENCAPSULATED):
        return Flaw.DOCUMENT
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            dataset = _dataset(data)
            if isinstance(dataset, Flaw):
                return dataset
            return _read(dataset)
        except RecursionError:
            return Flaw.NESTED
        except MemoryError:
            raise
        except _Flawed as error:
            return error.flaw
        except Exception:  # noqa: BLE001 - of damaged data sets, pydicom raises nearly anything
            return Flaw.DAMAGED


def _accession_in(data: bytes) -> str:
    """The accession number of a file that is no report or cannot be read, if its first elements can; else ''."""
    if not is_dicom(data[:HEAD]):
        return ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            sys.modules.setdefault("numpy", None)  # type: ignore[arg-type]  # as below
            from pydicom.filereader import read_partial

            head = read_partial(BytesIO(_inflated(data) or b""), lambda tag, _vr, _size: tag > _ACCESSION, force=True)
            return one_line(_value(head, "AccessionNumber"))
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - as above
            return ""


class _Flawed(Exception):
    """The document cannot be read."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(str(flaw))
        self.flaw = flaw


def _dataset(data: bytes) -> Dataset | Flaw:
    """The data set of a file up to its pixels, or why there is none."""
    sys.modules.setdefault("numpy", None)  # type: ignore[arg-type]  # pydicom would import it needlessly
    import pydicom
    from pydicom import config

    config.settings.reading_validation_mode = config.IGNORE
    whole = _inflated(data)
    if whole is None:
        return Flaw.TOO_LONG
    dataset = pydicom.dcmread(BytesIO(whole), force=True, stop_before_pixels=True)
    name = str(dataset.get("SOPClassUID", ""))
    if name.startswith(_ENCAPSULATED):
        return Flaw.DOCUMENT
    if name not in _READ:
        return Flaw.UNSUPPORTED if name else Flaw.DAMAGED
    has_preamble = whole[PREFIX_END - 4 : PREFIX_END] == b"DICM"
    _, start = _transfer_syntax(whole, PREFIX_END if has_preamble else 0)
    return dataset if is_whole(whole, start, _is_sequence) else Flaw.DAMAGED


def _is_sequence(tag: int) -> bool:
    from pydicom.datadict import dictionary_has_tag, dictionary_VR

    return dictionary_has_tag(tag) and dictionary_VR(tag) == "SQ"


def _inflated(data: bytes) -> bytes | None:
    """The file with its data set unpacked if that is deflated; None if it unpacks to too much.

    Raises:
        zlib.error: it is damaged.
    """
    if data[PREFIX_END - 4 : PREFIX_END] != b"DICM":
        return data
    syntax, start = _transfer_syntax(data, PREFIX_END)
    if syntax != _DEFLATED:
        return data
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    content = unpacker.decompress(data[start:], _INFLATED)
    if unpacker.unconsumed_tail:
        return None
    if not unpacker.eof:
        raise _Flawed(Flaw.DAMAGED)
    uid = _EXPLICIT + b"\0"
    meta = b"\x02\x00\x10\x00UI" + len(uid).to_bytes(2, "little") + uid
    length = b"\x02\x00\x00\x00UL\x04\x00" + len(meta).to_bytes(4, "little")
    return bytes(PREFIX_END - 4) + b"DICM" + length + meta + content


def _transfer_syntax(data: bytes, at: int) -> tuple[bytes, int]:
    """The transfer syntax by the elements of group 2 at a place, and where the data set behind them begins (PS3.10)."""
    syntax = b""
    while data[at : at + 2] == b"\x02\x00" and at + 8 <= len(data):
        element, vr = data[at + 2 : at + 4], data[at + 4 : at + 6]
        if vr in (b"OB", b"OW", b"UN", b"SQ", b"UT"):
            size, first = int.from_bytes(data[at + 8 : at + 12], "little"), at + 12
        else:
            size, first = int.from_bytes(data[at + 6 : at + 8], "little"), at + 8
        if element == b"\x10\x00":
            syntax = data[first : first + size].rstrip(b"\0 ")
        at = first + size
    return syntax, at


# --- values --------------------------------------------------------------------------------------------


def _values(dataset: Dataset, name: str) -> list[str]:
    """The values of an element as text, none if there is no such element."""
    value = dataset.get(name)
    if value is None:
        return []
    several = not isinstance(value, str | bytes) and hasattr(value, "__iter__") and not hasattr(value, "components")
    return [said for part in (value if several else [value]) if (said := _repaired(str(part), dataset).strip())]


def _value(dataset: Dataset, name: str) -> str:
    return next(iter(_values(dataset, name)), "")


def _items(dataset: Dataset, name: str) -> list[Dataset]:
    """The items of a sequence, none if there is none."""
    from pydicom.sequence import Sequence as Items

    value = dataset.get(name)
    return list(value) if isinstance(value, Items) else []


def _repaired(text: str, dataset: Dataset) -> str:
    """Text whose characters were taken for Latin-1, as a character set was not or wrongly named, or not switched to.

    What is left of a switch to Chinese characters (ISO 2022 IR 58) is removed.
    """
    named = dataset.original_character_set
    chinese = isinstance(named, list) and "iso_ir_58" in named
    if chinese:
        text = text.replace("\x1b$)A", "")
    if text.isascii():
        return text
    if chinese:
        try:
            return text.encode("latin-1").decode("gb2312")
        except UnicodeError:
            return text
    if named not in ("iso8859", "latin_1", ["iso8859"], ["latin_1"]):
        return text
    try:
        raw = text.encode("latin-1")
    except UnicodeEncodeError:
        return text
    for encoding in ("utf-8", "cp1252"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return text


def _meaning(dataset: Dataset, name: str) -> tuple[str, str]:
    """Code and meaning of a coded entry."""
    for code in _items(dataset, name)[:1]:
        value = _value(code, "CodeValue") or _value(code, "LongCodeValue") or _value(code, "URNCodeValue")
        return value, one_line(_value(code, "CodeMeaning"))
    return "", ""


def _natural(name: str) -> list[str]:
    """A person's name (PN) in natural order, "Jane Q Doe", once for each script that it is written in."""
    found = []
    for group in name.split("="):
        parts = [one_line(part) for part in group.split("^")]
        if len(parts) == 1 and parts[0].count(",") == 1:
            parts = [one_line(part) for part in parts[0].split(",")]
        family, given, middle = (*parts, "", "", "")[:3]
        if said := " ".join(part for part in (given, middle, family) if part):
            found.append(said)
    return list(dict.fromkeys(found))


def _names(dataset: Dataset, name: str) -> list[str]:
    return [said for value in _values(dataset, name) for said in _natural(value)]


def _moment(date: str, clock: str) -> str:
    """A DICOM date and time as ISO 8601; they are local times at the place of the examination (PS3.3 C.12.1.1.8)."""
    date = date.replace(".", "")[:8]
    if len(date) != 8 or not date.isdecimal():
        return one_line(date)
    day = f"{date[:4]}-{date[4:6]}-{date[6:]}"
    match = _CLOCK.fullmatch(clock.replace(":", ""))
    if not match:
        return day
    hours, minutes, seconds = match.groups()
    return f"{day}T{hours}:{minutes or '00'}:{seconds or '00'}"


# --- the document --------------------------------------------------------------------------------------


def _read(dataset: Dataset) -> dict[str, str] | Flaw:
    content = _Content(dataset)
    text = content.told.text()
    if not text:
        return Flaw.NO_TEXT
    if "\ufffd" in text and _unknown_characters(dataset):
        return Flaw.ENCODING
    accession, others = _accession(dataset)
    patient_id = one_line(_value(dataset, "PatientID"))
    verifiers = [name for item in _items(dataset, "VerifyingObserverSequence")
                 for name in _names(item, "VerifyingObserverName")[:1]]  # fmt: skip
    authors = [name for item in _items(dataset, "AuthorObserverSequence") for name in _names(item, "PersonName")[:1]]
    authors += [name for name in content.observers if name not in authors]
    signer, dictator = _radiologists(dataset, verifiers, authors)
    exam_code, exam = _exam(dataset, content)
    used = {accession, patient_id}
    return {
        "report_id": one_line(_value(dataset, "SOPInstanceUID")),
        "accession": accession or one_line(_value(dataset, "StudyInstanceUID")),
        "patient_id": patient_id,
        "patient_name": joined(
            [*_names(dataset, "PatientName"), *_names(dataset, "OtherPatientNames"),
             *_names(dataset, "PatientBirthName"), *content.subjects]
        ),
        "birth_date": _moment(_value(dataset, "PatientBirthDate"), ""),
        "sex": one_line(_value(dataset, "PatientSex")),
        "exam_code": exam_code,
        "exam": exam,
        "modality": _modality(dataset, content),
        "body_part": one_line(_value(dataset, "BodyPartExamined")) or content.region
        or _meaning(dataset, "AnatomicRegionSequence")[1],
        "exam_time": _moment(_value(dataset, "StudyDate"), _value(dataset, "StudyTime")),
        "report_time": _moment(_value(dataset, "ContentDate"), _value(dataset, "ContentTime")),
        "status": _status(dataset, content),
        "dictator": dictator,
        "signer": signer,
        "staff_names": joined([*(name for _, name in _found(dataset, _STAFF, names=True)), *content.people]),
        "identifiers": joined(n for n in _identifiers(dataset, [*others, *content.numbers]) if n not in used),
        "site": one_line(_value(dataset, "InstitutionName")),
        "text": text,
        "doubt": _doubt(dataset, text),
    }  # fmt: skip


def _doubt(dataset: Dataset, text: str) -> Doubt | str:
    """What is doubtful about the characters of a text, '' if nothing."""
    if "\ufffd" in text:
        return Doubt.DAMAGED
    if text.isascii():
        return ""
    if not _values(dataset, "SpecificCharacterSet"):
        return Doubt.GUESSED
    return Doubt.MISNAMED if _is_misnamed(dataset) or _unknown_characters(dataset) else ""


def _is_misnamed(dataset: Dataset) -> bool:
    """Whether texts are in UTF-8 although Latin-1 is named."""
    elements = (element for element in dataset.iterall() if element.VR in _OF_TEXT)
    return any(isinstance(e.value, str) and _repaired(e.value, dataset) != e.value for e in elements)


def _unknown_characters(dataset: Dataset) -> bool:
    from pydicom.charset import python_encoding

    return any(name not in python_encoding for name in _values(dataset, "SpecificCharacterSet"))


def _accession(dataset: Dataset) -> tuple[str, list[str]]:
    """The accession number, and those of further orders that the report answers."""
    requests = [one_line(_value(item, "AccessionNumber")) for item in _items(dataset, "ReferencedRequestSequence")]
    found = [number for number in (one_line(_value(dataset, "AccessionNumber")), *requests) if number]
    return (found[0], found[1:]) if found else ("", [])


def _radiologists(dataset: Dataset, verifiers: list[str], authors: list[str]) -> tuple[str, str]:
    """Who signed: the verifying observer, else who read the study;  who dictated: the author if that is another."""
    if not verifiers:
        readers = [name for value in _values(dataset, "NameOfPhysiciansReadingStudy") for name in _natural(value)[:1]]
        verifiers = readers[:1] or authors[:1]
    signer = verifiers[0] if verifiers else ""
    others = [name for name in [*authors, *verifiers[1:]] if name != signer]
    return signer, others[0] if others else ""


def _status(dataset: Dataset, content: _Content) -> str:
    """'preliminary', 'final', 'corrected' or 'addendum' as the flags of the document tell; '' if they do not."""
    flag = _value(dataset, "PreliminaryFlag").upper()
    if flag == "PRELIMINARY" or _value(dataset, "CompletionFlag").upper() == "PARTIAL":
        return "preliminary"
    if content.is_addendum or content.told.sections == {"ADDENDUM"}:
        return "addendum"
    if _items(dataset, "PredecessorDocumentsSequence"):
        return "corrected"
    return "final" if flag == "FINAL" or _value(dataset, "VerificationFlag").upper() == "VERIFIED" else ""


def _exam(dataset: Dataset, content: _Content) -> tuple[str, str]:
    """Code and name of the examination."""
    holders = [dataset, *_items(dataset, "ReferencedRequestSequence")]
    codes = [
        _meaning(holder, name)
        for holder in holders
        for name in ("ProcedureCodeSequence", "RequestedProcedureCodeSequence", "PerformedProcedureCodeSequence")
    ]
    names = [
        one_line(_value(holder, name))
        for holder in holders
        for name in ("StudyDescription", "RequestedProcedureDescription", "PerformedProcedureStepDescription")
    ]
    code = next((code for code, _ in codes if code), "")
    name = next((name for _, name in codes if name), "")
    return code, name or next(filter(None, names), "") or content.procedure  # fmt: skip


def _modality(dataset: Dataset, content: _Content) -> str:
    """The modality of the examination: of the study, or of the images that the report refers to; SR is none."""
    found = [m.upper() for m in _values(dataset, "ModalitiesInStudy")] or content.modalities
    if not found:
        names = ("CurrentRequestedProcedureEvidenceSequence", "PertinentOtherEvidenceSequence")
        for study in _items(dataset, names[0])[:20]:
            for series in _items(study, "ReferencedSeriesSequence")[:200]:
                for image in _items(series, "ReferencedSOPSequence")[:1]:
                    found.append(_of_images(_value(image, "ReferencedSOPClassUID")))
    if not any(found):
        found = [_of_images(name) for name in content.image_classes]
    return "\\".join(dict.fromkeys(m for m in found if m and m not in _NO_MODALITY))


def _of_images(name: str) -> str:
    return _MODALITIES.get(name.removeprefix(_STORAGE), "") if name.startswith(_STORAGE) else ""


def _found(
    dataset: Dataset, wanted: Iterable[str], *, names: bool = False, depth: int = 0
) -> Iterator[tuple[str, str]]:
    """Elements of these names and their values, here and in the sequences that are not the content of the report."""
    for name in wanted:
        for value in _names(dataset, name) if names else _values(dataset, name):
            yield name, value
    if depth < 3:
        for element in dataset:
            if element.VR == "SQ" and element.keyword not in ("ContentSequence", "") and element.value:
                for item in list(element.value)[:50]:
                    yield from _found(item, wanted, names=names, depth=depth + 1)


def _identifiers(dataset: Dataset, more: Iterable[str]) -> Iterator[str]:
    for _, value in _found(dataset, _NUMBERS):
        yield one_line(value)
    for name in ("PatientAddress", "ResponsibleOrganization"):
        for value in _values(dataset, name):
            yield from _SPACES_ADDRESS.split(value)
    yield from more


class _Content:
    """The content tree: its text, and the people, numbers and procedures of its contexts."""

    def __init__(self, dataset: Dataset) -> None:
        self.told = Body()
        self.observers: list[str] = []
        self.subjects: list[str] = []
        self.people: list[str] = []
        self.numbers: list[str] = []
        self.modalities: list[str] = []
        self.image_classes: list[str] = []
        self.procedure = self.region = ""
        self._n = 0
        code, title = _meaning(dataset, "ConceptNameCodeSequence")
        section = heading_of(code)
        if not section and "addendum" in title.lower():
            section = "ADDENDUM"
        self.is_addendum = section == "ADDENDUM"
        self._walk(dataset, section, "", 0)

    def _walk(self, holder: Dataset, section: str, title: str, depth: int, *, of_code: bool = False) -> None:
        """Add what the items of another say; ``of_code``: that has said itself how certain it is."""
        if depth > _DEEPEST:
            raise _Flawed(Flaw.NESTED)
        for item in _items(holder, "ContentSequence"):
            self._n += 1
            if self._n > _MOST_ITEMS:
                raise _Flawed(Flaw.NESTED)
            relation = _value(item, "RelationshipType").upper()
            code, name = _meaning(item, "ConceptNameCodeSequence")
            kind = _value(item, "ValueType").upper()
            if kind not in _KINDS and len(item) and "ReferencedContentItemIdentifier" not in item:
                raise _Flawed(Flaw.DAMAGED)
            if of_code and kind == "CODE" and code in _CERTAINTY:
                continue
            if relation in _NOT_TEXT:
                self._context(item, code, kind)
            elif kind == "CONTAINER":
                own = _within(section, code, name)
                self._walk(item, own or section, "" if own else name or title, depth + 1)
            else:
                own = _within(section, code, name if kind == "TEXT" else "")
                self._say(item, kind, own or section, "" if own else name, title if own in ("", section) else "")
                self._walk(item, own or section, title, depth + 1, of_code=kind == "CODE")

    def _say(self, item: Dataset, kind: str, section: str, name: str, title: str) -> None:
        """Add what an item says to the text; ``name`` is '' where the heading says it already."""
        if kind == "TEXT":
            said = written_text(_value(item, "TextValue"))
            if said and name and name != title:
                said = f"{name}:\n{said}" if "\n" in said else f"{name}: {said}"
            self.told.add(section, said, title)
            return
        if kind == "CODE":
            said = _meaning(item, "ConceptCodeSequence")[1]
        elif kind == "NUM":
            said = _measured(item)
        elif kind == "PNAME":
            names = _names(item, "PersonName")
            self.people += names
            said = names[0] if names else ""
        elif kind in ("DATE", "TIME", "DATETIME"):
            said = _dated(item, kind)
        else:
            for image in _items(item, "ReferencedSOPSequence"):
                self.image_classes.append(_value(image, "ReferencedSOPClassUID"))
            return
        if said:
            modifiers = [
                meaning
                for below in _items(item, "ContentSequence")
                if _value(below, "RelationshipType").upper() == "HAS CONCEPT MOD"
                and (meaning := _meaning(below, "ConceptCodeSequence")[1])
            ]
            if modifiers:
                said = f"{said} ({', '.join(modifiers)})"
            if kind == "CODE":
                said += "".join(f", {_lower(certainty)}" for certainty in _certainties(item))
            self.told.add(section, statement(name, said), title)

    def _context(self, item: Dataset, code: str, kind: str) -> None:
        """Take from the context of an observation who observed, whom, and in which procedure."""
        names = _names(item, "PersonName") if kind == "PNAME" else []
        if code == "121008":  # Person Observer Name
            self.observers += names[:1]
        if code == "121029":  # Subject Name
            self.subjects += names
        else:
            self.people += names
        if code in ("121030", "121022", "121023", "110190"):  # Subject ID, Accession Number, numbers of the order
            self.numbers.append(_value(item, "TextValue"))
        value, meaning = _meaning(item, "ConceptCodeSequence")
        if code in ("121058", "121023", "55111-9") and not self.procedure:  # Procedure reported, Procedure Code
            self.procedure = meaning
        if code in ("123014", "363698007", "G-C0E3") and not self.region:  # Target Region, Finding Site
            self.region = meaning
        if code == "121139":  # Modality
            self.modalities.append(value)
        for image in _items(item, "ReferencedSOPSequence"):
            self.image_classes.append(_value(image, "ReferencedSOPClassUID"))
        for inner in _items(item, "ContentSequence")[:100]:
            inner_kind = _value(inner, "ValueType").upper()
            if inner_kind == "PNAME":
                self.people += _names(inner, "PersonName")


def _within(section: str, code: str, name: str) -> str:
    """The heading of an item: its own, unless it is a finding, as everything in any section may be called."""
    own = heading_of(code, name)
    any_section = code in _ANY_FINDING or section in ("ADDENDUM", "COMPARISON")
    return section if own == FINDINGS and section and any_section else own


def _certainties(item: Dataset) -> list[str]:
    """How certain a coded finding is, in the words of the codes below it."""
    return [
        meaning
        for below in _items(item, "ContentSequence")
        if _meaning(below, "ConceptNameCodeSequence")[0] in _CERTAINTY
        and (meaning := _meaning(below, "ConceptCodeSequence")[1])
    ]


def _lower(words: str) -> str:
    """Words without a capital at the beginning, unless all are capitals."""
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


def _measured(item: Dataset) -> str:
    """A number with its unit; a pure number has none."""
    for measured in _items(item, "MeasuredValueSequence")[:1]:
        number = _value(measured, "NumericValue")
        unit, meaning = _meaning(measured, "MeasurementUnitsCodeSequence")
        if unit == "1" or unit.startswith("{"):
            unit = ""
        return f"{number} {unit if len(unit) <= 12 else meaning}".strip() if number else ""
    return ""


def _dated(item: Dataset, kind: str) -> str:
    if kind == "DATE":
        return _moment(_value(item, "Date"), "")
    if kind == "TIME":
        match = _CLOCK.fullmatch(_value(item, "Time").replace(":", ""))
        return ":".join(filter(None, match.groups())) if match else ""
    value = _value(item, "DateTime")
    return _moment(value[:8], value[8:14]).replace("T", " ")
