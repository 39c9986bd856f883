"""DICOM structured reports to rows, one for each file.

Read are Basic Text, Enhanced, Comprehensive, Comprehensive 3D and Extensible SR.  The text is that of the content tree
in its order: containers as headings, texts, and codes, measurements, dates and names as short sentences; what is only
the context of an observation is none.

Source: DICOM PS3.3 C.17 (SR document modules), PS3.16 (TID 2000, CID 7001), PS3.5 (encoding), PS3.10 (files).
"""

from __future__ import annotations

import re
import sys
import warnings
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Literal

from radcal.reports.coded_sections import FINDINGS, Body, heading_of, statement
from radcal.reports.formats import FIELDS_OF_MESSAGES, HEAD, Doubted, Failure, Flawed, Format, Row, Unreadable
from radcal.reports.markup import clean_text, joined, one_line, written_text
from radcal.reports.reasons import Doubt, Flaw, Unit
from radcal.reports.table import Cell
from radcal.system.resources import meanings, word_lists
from radcal.system.text import Text

if TYPE_CHECKING:
    from pydicom.dataset import Dataset

_STORAGE = "1.2.840.10008.5.1.4.1.1."
_READ = frozenset(f"{_STORAGE}88.{n}" for n in ("11", "22", "33", "34", "35"))
_ENCAPSULATED = f"{_STORAGE}104."
_DOCUMENTS = (f"{_STORAGE}88.", _ENCAPSULATED)
"""Structured reports of all kinds, and encapsulated documents."""
_ACCESSION = 0x00080050
_INFLATED = 64 << 20
"""Bytes that a deflated document may unpack to."""
_SHOWN = 1 << 18
"""Characters of a document that are shown."""
_DEEPEST, _MOST_ITEMS = 50, 20_000
_MODALITIES = meanings("reading", "dicom.toml", table="modalities")
_WORDS = word_lists("reading", "dicom.toml")
_NOT_TEXT = frozenset(("HAS OBS CONTEXT", "HAS ACQ CONTEXT", "HAS CONCEPT MOD", "SELECTED FROM"))
_PATIENT_NAMES = ("PatientName", "OtherPatientNames", "PatientBirthName")
_SPACES_ADDRESS = re.compile(r"[\^\r\n]+")
_CLOCK = re.compile(r"(\d\d)(\d\d)?(\d\d)?(?:\.\d{1,6})?")
_PREFIX_END = 132
"""The end of the preamble and of the mark "DICM" behind it."""
_CLASS = re.compile(
    # Media storage SOP class (0002,0002) or SOP class (0008,0016): implicit, explicit, or big endian
    rb"(?:\x02\x00\x02\x00|\x08\x00\x16\x00|\x00\x08\x00\x16)(?:UI..|....)(1\.2\.840\.10008\.[0-9.]{1,50})",
    re.DOTALL,
)
_BARE = re.compile(
    # The first element of a data set without preamble: group 2 or 8, with a VR or a length of a few bytes
    rb"(?:\x02\x00[\x00-\x02]\x00UL|\x08\x00[\x00-\x18]\x00(?:[A-Z]{2}..|.[\x00-\x01]\x00\x00)"
    rb"|\x00\x08\x00[\x00-\x18](?:[A-Z]{2}..|\x00\x00[\x00-\x01].))",
    re.DOTALL,
)


def is_dicom(head: bytes) -> bool:
    """Whether a file that begins with these bytes is DICOM, with or without its preamble."""
    return head[_PREFIX_END - 4 : _PREFIX_END] == b"DICM" or (_BARE.match(head) is not None and class_of(head) != "")


def class_of(head: bytes) -> str:
    """The SOP class of a DICOM file, '' if its first bytes do not name it."""
    found = _CLASS.search(head[:HEAD])
    return found.group(1).rstrip(b".").decode("ascii") if found else ""


def is_document(head: bytes) -> bool:
    """Whether a DICOM file is a structured report or an encapsulated document, or may be one; images are not."""
    name = class_of(head)
    return not name or name.startswith(_DOCUMENTS)


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
    from pydicom.dataelem import DataElement

    DataElement.maxBytesToDisplay = _SHOWN  # of texts, too
    yield 1, 1, list[Cell]([clean_text(str(_dataset(data)))[:_SHOWN]])


def report(data: bytes) -> dict[str, str] | Flaw:
    """The cells of a structured report by field, or why it cannot be read."""
    head = data[:HEAD]
    if not is_dicom(head):
        return Flaw.DAMAGED
    if not is_document(head):
        return Flaw.UNSUPPORTED
    try:
        return _read(_dataset(data))
    except RecursionError:
        return Flaw.NESTED
    except MemoryError:
        raise
    except Unreadable as error:
        return error.flaw
    except Exception:  # noqa: BLE001 - of damaged data sets, pydicom raises nearly anything
        return Flaw.DAMAGED


def _prepare() -> None:
    """Keep pydicom, in this process, from warnings, from looking at values, and from NumPy, which it does not need."""
    warnings.simplefilter("ignore")
    sys.modules.setdefault("numpy", None)  # type: ignore[arg-type]
    from pydicom import config

    config.settings.reading_validation_mode = config.IGNORE


def _dataset(data: bytes) -> Dataset:
    """The data set of a file up to its pixels.

    Raises:
        Unreadable: it is that of no structured report, or damaged.
        Exception: any, from pydicom or zlib, of damaged data.
    """
    _prepare()
    import pydicom

    content, start = _content_of(data)  # refuses what pydicom would unpack to any size
    dataset = pydicom.dcmread(BytesIO(data), force=True, stop_before_pixels=True)
    name = str(dataset.get("SOPClassUID", ""))
    if name.startswith(_ENCAPSULATED):
        raise Unreadable(Flaw.DOCUMENT)
    if name not in _READ:
        raise Unreadable(Flaw.UNSUPPORTED if name else Flaw.DAMAGED)
    if not _is_whole(content, start):
        raise Unreadable(Flaw.DAMAGED)
    return dataset


def _accession_in(data: bytes) -> str:
    """The accession number of a file that is no report or cannot be read, if its first elements can; else ''."""
    if not is_dicom(data[:HEAD]):
        return ""
    try:
        _prepare()
        from pydicom.filereader import read_partial

        _content_of(data)
        head = read_partial(BytesIO(data), lambda tag, _vr, _size: tag > _ACCESSION, force=True)
        return one_line(_value(head, "AccessionNumber"))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - as above
        return ""


# --- whether a data set is whole -----------------------------------------------------------------------

_LONG = frozenset((b"OB", b"OD", b"OF", b"OL", b"OV", b"OW", b"SQ", b"SV", b"UC", b"UN", b"UR", b"UT", b"UV"))
"""Value representations with a length of four bytes, behind two that are reserved."""
_UNDEFINED = 0xFFFFFFFF
_ITEM, _END_OF_ITEM, _END_OF_SEQUENCE = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD
_PIXELS = 0x7FE00000
_DEEPEST_OF_ALL = 400
_DEFLATED = b"1.2.840.10008.1.2.1.99"


def _content_of(data: bytes) -> tuple[bytes, int]:
    """The bytes of a file, unpacked if its data set is deflated, and where in them its data set begins (PS3.10).

    Raises:
        Unreadable: it unpacks to too much, or does not end.
        zlib.error: it is damaged.
    """
    at = _PREFIX_END if data[_PREFIX_END - 4 : _PREFIX_END] == b"DICM" else 0
    has_preamble, syntax = at > 0, b""
    while data[at : at + 2] == b"\x02\x00" and at + 8 <= len(data):
        element, vr = data[at + 2 : at + 4], data[at + 4 : at + 6]
        width, first = (4, at + 12) if vr in _LONG else (2, at + 8)
        size = int.from_bytes(data[first - width : first], "little")
        syntax = data[first : first + size].rstrip(b"\0 ") if element == b"\x10\x00" else syntax
        at = first + size
    if syntax != _DEFLATED or not has_preamble:
        return data, at
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    content = unpacker.decompress(data[at:], _INFLATED)
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise Unreadable(Flaw.TOO_LONG if unpacker.unconsumed_tail else Flaw.DAMAGED)
    return content, 0


def _is_whole(data: bytes, start: int) -> bool:
    """Whether elements, sequences and items from ``start`` on fit into each other, to the last byte (PS3.5, chapter 7).

    pydicom reads what is there of a damaged data set; half a report must not pass for a whole one.  What comes behind
    pixels is not looked at.
    """
    from pydicom.datadict import dictionary_has_tag, dictionary_VR

    big = data[start : start + 1] == b"\0" and data[start + 1 : start + 2] != b"\0"
    order: Literal["big", "little"] = "big" if big else "little"
    explicit = data[start + 4 : start + 6].isalpha() and data[start + 4 : start + 6].isupper()

    def number(at: int, size: int = 4) -> int:
        return int.from_bytes(data[at : at + size], order)

    # Of each open sequence and item: whether it is a sequence, where it ends (-1 if a mark ends it), where it must.
    todo: list[tuple[bool, int, int]] = [(False, len(data), len(data))]
    at = start
    while todo:
        of_items, end, limit = todo[-1]
        if at == end:
            todo.pop()
            continue
        if at + 8 > limit or len(todo) > _DEEPEST_OF_ALL:
            return False
        tag = number(at, 2) << 16 | number(at + 2, 2)
        if end < 0 and tag == (_END_OF_SEQUENCE if of_items else _END_OF_ITEM):
            todo.pop()
            at += 8
            continue
        kind = data[at + 4 : at + 6]
        if of_items or not explicit:
            size, value = number(at + 4), at + 8
        elif kind in _LONG:
            size, value = number(at + 8), at + 12
        else:
            size, value = number(at + 6, 2), at + 8
        if of_items:
            opens = tag == _ITEM
        elif len(todo) == 1 and (tag >= _PIXELS or not any(data[at:])):
            return True
        elif explicit:
            opens = kind == b"SQ"
        else:  # implicit encoding leaves to the dictionary what is a sequence
            opens = size == _UNDEFINED or (dictionary_has_tag(tag) and dictionary_VR(tag) == "SQ")
        if opens:
            inner = -1 if size == _UNDEFINED else value + size
            todo.append((not of_items, inner, limit if inner < 0 else inner))
            at, fits = value, inner <= limit
        else:
            at, fits = value + size, not of_items and size != _UNDEFINED and value + size <= limit
        if not fits:
            return False
    return at == len(data)


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
    names = [named] if isinstance(named, str) else list(named)
    encodings = ("gb2312",) if "iso_ir_58" in names else ("utf-8", "cp1252")
    if "iso_ir_58" in names:
        text = text.replace("\x1b$)A", "")
    elif names not in (["iso8859"], ["latin_1"]):
        return text
    for encoding in () if text.isascii() else encodings:
        try:
            return text.encode("latin-1").decode(encoding)
        except UnicodeError:
            continue
    return text


def _meaning(dataset: Dataset, name: str) -> tuple[str, str]:
    """Code and meaning of a coded entry."""
    for code in _items(dataset, name)[:1]:
        value = _value(code, "CodeValue") or _value(code, "LongCodeValue") or _value(code, "URNCodeValue")
        return value, one_line(_value(code, "CodeMeaning"))
    return "", ""


def _names(dataset: Dataset, *names: str) -> list[str]:
    """People's names (PN) in natural order, "Jane Q Doe", each once for each script that it is written in."""
    found = []
    for group in (group for name in names for value in _values(dataset, name) for group in value.split("=")):
        parts = [one_line(part) for part in group.split("^")]
        if len(parts) == 1 and parts[0].count(",") == 1:
            parts = [one_line(part) for part in parts[0].split(",")]
        family, given, middle = (*parts, "", "", "")[:3]
        found.append(" ".join(part for part in (given, middle, family) if part))
    return list(dict.fromkeys(filter(None, found)))


def _moment(date: str, clock: str = "") -> str:
    """A DICOM date and time as ISO 8601; they are local times at the place of the examination (PS3.3 C.12.1.1.8)."""
    date = date.replace(".", "")[:8]
    if len(date) != 8 or not date.isdecimal():
        return one_line(date)
    day = f"{date[:4]}-{date[4:6]}-{date[6:]}"
    match = _CLOCK.fullmatch(clock.replace(":", ""))
    return f"{day}T{':'.join(part or '00' for part in match.groups())}" if match else day


# --- the document --------------------------------------------------------------------------------------


def _read(dataset: Dataset) -> dict[str, str]:
    content = _Content(dataset)
    text = content.told.text()
    if not text:
        raise Unreadable(Flaw.NO_TEXT)
    if "\ufffd" in text and _has_unknown_characters(dataset):
        raise Unreadable(Flaw.ENCODING)
    requests = _items(dataset, "ReferencedRequestSequence")
    numbers = [one_line(_value(holder, "AccessionNumber")) for holder in (dataset, *requests)]
    accession = next(filter(None, numbers), "")
    study_uid = one_line(_value(dataset, "StudyInstanceUID"))
    patient_id = one_line(_value(dataset, "PatientID"))
    signer, dictator = _radiologists(dataset, content)
    exam_code, exam = _exam([dataset, *requests])
    further = [*_numbers(dataset), *numbers, *content.numbers]
    return {
        "report_id": one_line(_value(dataset, "SOPInstanceUID")),
        "accession": accession or study_uid,
        "study_uid": study_uid,
        "patient_id": patient_id,
        "patient_name": joined([*_names(dataset, *_PATIENT_NAMES), *content.subjects]),
        "birth_date": _moment(_value(dataset, "PatientBirthDate")),
        "sex": one_line(_value(dataset, "PatientSex")),
        "exam_code": exam_code,
        "exam": exam or content.procedure,
        "modality": _modality(dataset, content),
        "body_part": one_line(_value(dataset, "BodyPartExamined")) or content.region
        or _meaning(dataset, "AnatomicRegionSequence")[1],
        "exam_time": _moment(_value(dataset, "StudyDate"), _value(dataset, "StudyTime")),
        "report_time": _moment(_value(dataset, "ContentDate"), _value(dataset, "ContentTime")),
        "status": _status(dataset, content),
        "dictator": dictator,
        "signer": signer,
        "staff_names": joined([*_staff(dataset), *content.people]),
        "identifiers": joined(number for number in further if number not in (accession, patient_id)),
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
    texts = (element.value for element in dataset.iterall() if element.VR in ("LO", "LT", "SH", "ST", "UC", "UT"))
    is_misnamed = any(isinstance(said, str) and _repaired(said, dataset) != said for said in texts)
    return Doubt.MISNAMED if is_misnamed or _has_unknown_characters(dataset) else ""


def _has_unknown_characters(dataset: Dataset) -> bool:
    from pydicom.charset import python_encoding

    return any(name not in python_encoding for name in _values(dataset, "SpecificCharacterSet"))


def _radiologists(dataset: Dataset, content: _Content) -> tuple[str, str]:
    """Who signed: the verifying observer, else who read the study;  who dictated: the author if that is another."""
    verifiers, authors = (
        [name for item in _items(dataset, sequence) for name in _names(item, element)[:1]]
        for sequence, element in (
            ("VerifyingObserverSequence", "VerifyingObserverName"),
            ("AuthorObserverSequence", "PersonName"),
        )
    )
    authors += [name for name in content.observers if name not in authors]
    signers = verifiers or _names(dataset, "NameOfPhysiciansReadingStudy")[:1] or authors[:1]
    signer = next(iter(signers), "")
    return signer, next((name for name in [*authors, *signers[1:]] if name != signer), "")


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


def _exam(holders: Iterable[Dataset]) -> tuple[str, str]:
    """Code and name of the examination."""
    sequences = ("ProcedureCodeSequence", "RequestedProcedureCodeSequence", "PerformedProcedureCodeSequence")
    elements = ("StudyDescription", "RequestedProcedureDescription", "PerformedProcedureStepDescription")
    codes = [_meaning(holder, name) for holder in holders for name in sequences]
    names = [meaning for _, meaning in codes]
    names += [one_line(_value(holder, name)) for holder in holders for name in elements]
    return next((code for code, _ in codes if code), ""), next(filter(None, names), "")


def _modality(dataset: Dataset, content: _Content) -> str:
    """The modality of the examination: of the study, or of the images that the report refers to; SR is none."""
    found = [m.upper() for m in _values(dataset, "ModalitiesInStudy")] or content.modalities
    if not found:
        found = [
            _of_images(image)
            for study in _items(dataset, "CurrentRequestedProcedureEvidenceSequence")[:20]
            for series in _items(study, "ReferencedSeriesSequence")[:200]
            for image in _items(series, "ReferencedSOPSequence")[:1]
        ]
    if not any(found):
        found = [_of_images(image) for image in content.images]
    return "\\".join(dict.fromkeys(m for m in found if m and m not in _WORDS["no_modality"]))


def _of_images(image: Dataset) -> str:
    name = _value(image, "ReferencedSOPClassUID")
    return _MODALITIES.get(name.removeprefix(_STORAGE), "") if name.startswith(_STORAGE) else ""


def _headers(dataset: Dataset, depth: int = 0) -> Iterator[Dataset]:
    """The header of a document: it and the items of its sequences that are not the content of the report."""
    yield dataset
    if depth < 3:
        for element in dataset:
            if element.VR == "SQ" and element.keyword not in ("ContentSequence", "") and element.value:
                for item in list(element.value)[:50]:
                    yield from _headers(item, depth + 1)


def _staff(dataset: Dataset) -> Iterator[str]:
    """The names of all people in the header but the patient's own."""
    for holder in _headers(dataset):
        for element in holder:
            if element.VR == "PN" and element.keyword not in _PATIENT_NAMES:
                yield from _names(holder, element.keyword)


def _numbers(dataset: Dataset) -> Iterator[str]:
    """The numbers of patient, orders and stay in the header, and the patient's address."""
    for holder in _headers(dataset):
        for name in _WORDS["numbers"]:
            yield from map(one_line, _values(holder, name))
    for name in ("PatientAddress", "ResponsibleOrganization"):
        for value in _values(dataset, name):
            yield from _SPACES_ADDRESS.split(value)


class _Content:
    """The content tree: its text, and the people, numbers and procedures of its contexts."""

    def __init__(self, dataset: Dataset) -> None:
        self.told = Body()
        self.observers: list[str] = []
        self.subjects: list[str] = []
        self.people: list[str] = []
        self.numbers: list[str] = []
        self.modalities: list[str] = []
        self.images: list[Dataset] = []
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
            raise Unreadable(Flaw.NESTED)
        for item in _items(holder, "ContentSequence"):
            self._n += 1
            if self._n > _MOST_ITEMS:
                raise Unreadable(Flaw.NESTED)
            code, name = _meaning(item, "ConceptNameCodeSequence")
            kind = _value(item, "ValueType").upper()
            if kind not in _WORDS["kinds"] and len(item) and "ReferencedContentItemIdentifier" not in item:
                raise Unreadable(Flaw.DAMAGED)
            self.images += _items(item, "ReferencedSOPSequence")
            if of_code and kind == "CODE" and code in _WORDS["certainty"]:
                continue
            if _value(item, "RelationshipType").upper() in _NOT_TEXT:
                self._context(item, code)
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
        said = _said(item, kind)
        if kind == "PNAME":
            self.people += _names(item, "PersonName")
        if said:
            below = _items(item, "ContentSequence")
            modifiers = [
                meaning
                for inner in below
                if _value(inner, "RelationshipType").upper() == "HAS CONCEPT MOD"
                and (meaning := _meaning(inner, "ConceptCodeSequence")[1])
            ]
            if modifiers:
                said = f"{said} ({', '.join(modifiers)})"
            for inner in below if kind == "CODE" else ():
                certainty = _meaning(inner, "ConceptCodeSequence")[1]
                if certainty and _meaning(inner, "ConceptNameCodeSequence")[0] in _WORDS["certainty"]:
                    said += f", {_lower(certainty)}"
            self.told.add(section, statement(name, said), title)

    def _context(self, item: Dataset, code: str) -> None:
        """Take from the context of an observation who observed, whom, and in which procedure."""
        names = _names(item, "PersonName")
        if code == "121008":  # Person Observer Name
            self.observers += names[:1]
        if code == "121029":  # Subject Name
            self.subjects += names
        else:
            self.people += names
        if code in _WORDS["of_orders"]:
            self.numbers.append(_value(item, "TextValue"))
        value, meaning = _meaning(item, "ConceptCodeSequence")
        if code in _WORDS["procedures"]:
            self.procedure = self.procedure or meaning
        if code in _WORDS["regions"]:
            self.region = self.region or meaning
        if code == "121139":  # Modality
            self.modalities.append(value)
        for inner in _items(item, "ContentSequence")[:100]:
            self.people += _names(inner, "PersonName")


def _within(section: str, code: str, name: str) -> str:
    """The heading of an item: its own, unless it is a finding, as everything in any section may be called."""
    own = heading_of(code, name)
    any_section = not code or code in _WORDS["any_finding"] or section in ("ADDENDUM", "COMPARISON")
    return section if own == FINDINGS and section and any_section else own


def _said(item: Dataset, kind: str) -> str:
    """A code, a number with its unit, a name, a date or a time in words; '' of what is no text, such as an image."""
    if kind == "CODE":
        return _meaning(item, "ConceptCodeSequence")[1]
    if kind == "NUM":
        measured = next(iter(_items(item, "MeasuredValueSequence")), None)
        if measured is None or not (number := _value(measured, "NumericValue")):
            return ""
        unit, meaning = _meaning(measured, "MeasurementUnitsCodeSequence")
        unit = "" if unit == "1" or unit.startswith("{") else unit  # a pure number
        return f"{number} {unit if len(unit) <= 12 else meaning}".strip()
    if kind == "PNAME":
        return next(iter(_names(item, "PersonName")), "")
    if kind == "DATE":
        return _moment(_value(item, "Date"))
    if kind == "TIME":
        match = _CLOCK.fullmatch(_value(item, "Time").replace(":", ""))
        return ":".join(filter(None, match.groups())) if match else ""
    if kind == "DATETIME":
        written = _value(item, "DateTime")
        return _moment(written[:8], written[8:14]).replace("T", " ")
    return ""


def _lower(words: str) -> str:
    """Words without a capital at the beginning, unless all are capitals."""
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


FORMAT = Format(
    name="dicom",
    title="DICOM",
    file=Text("DICOM file"),
    suffixes=(".dcm", ".dicom", ""),
    recognises=is_dicom,
    rows=rows,
    raw=raw,
    unit=Unit.FILE,
    may_be_report=is_document,
)
