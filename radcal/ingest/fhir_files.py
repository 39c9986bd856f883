"""Resources of FHIR files, found by the references between them: JSON, ndjson (bulk export) and XML.

Resources are plain dictionaries as in JSON and are checked against no model: the fields of a report hardly differ
between the versions of FHIR, and what hospitals export often fails strict models.  The lines of ndjson are kept as
bytes and parsed when they are wanted, as one export may hold millions of laboratory results.

Source: HL7 FHIR R4 (4.0.1) and R5 (5.0.0), https://hl7.org/fhir/: references.html, bundle.html, xml.html; Bulk Data.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

from radcal.errors import InputError
from radcal.ingest.decode import charset, decode
from radcal.ingest.reasons import Doubt, Flaw

Resource = dict[str, Any]

NAMESPACE = b"http://hl7.org/fhir"
TWICE = "\0twice"
"""Key of an object that names a field twice with different values: which is meant, nothing tells."""

_LINKED = frozenset(
    [
        "DiagnosticReport",
        "Patient",
        "Practitioner",
        "PractitionerRole",
        "RelatedPerson",
        "Organization",
        "Observation",
        "ServiceRequest",
        "ProcedureRequest",
        "DiagnosticOrder",
        "ReferralRequest",
        "ImagingStudy",
        "Encounter",
        "Procedure",
        "Location",
        "Binary",
        "Composition",
    ]
)
_LONGEST_LINE = 64 << 20
"""Bytes of the longest line of ndjson that is read."""
_LATELY, _LONG_LINE = 1000, 20_000
"""Lines that are kept parsed, and the bytes of those that are not."""
_LONGEST_NUMBER = 18
_LONGEST_DATA, _SHOWN, _DEEPEST_SHOWN = 200, 1 << 18, 100
"""Characters of an encoded document, those of a resource, and the levels of its fields, that are shown."""
_LONGEST_REFERENCE = 2000
_DEEPEST_XML = 200
_UTF_8 = codecs.BOM_UTF8
_OTHER_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_XML_ENCODING = re.compile(rb"\s*<\?xml\b[^>]{0,100}?\bencoding\s*=\s*[\"']([\w.:-]{1,40})[\"']")
_XML_TEXT_ENCODING = re.compile(r"\A(<\?xml\b[^>]{0,100}?)\bencoding\s*=\s*[\"'][^\"'>]*[\"']")
_KIND = re.compile(rb'"(?:resourceType|presentedForm|resultsInterpreter|fullUrl|contained)"\s*:')
"""Fields that FHIR alone has; where a file has its fields in alphabetical order, the first may stand far behind."""
_TAIL = re.compile(
    r"(?:^|/)([A-Z][A-Za-z]{2,60}/[A-Za-z0-9\-._]{1,200})(?:/_history/([A-Za-z0-9\-._]{1,64}))?(?:[#|?].*)?$"
)


def is_fhir(data: bytes) -> bool:
    """Whether a file, or its beginning, is one of FHIR resources: JSON, ndjson or XML."""
    plain = data.replace(b"\0", b"") if 0 in data[:4] else data
    start = plain[:4096].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if start.startswith((b"{", b"[")):
        return _KIND.search(plain) is not None
    return start.startswith(b"<") and NAMESPACE in plain and b"ClinicalDocument" not in start[:1000]


class Unreadable(Exception):
    """A file or line that cannot be read, with its flaw."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(str(flaw))
        self.flaw = flaw


@dataclass(frozen=True, slots=True)
class Item:
    """A resource and where it stands.

    file: number of its file, from 1;  position: of its line or entry, from 1
    group: number of its bundle, 0 if it is a line or file of its own
    url: its address in a bundle, '' if it has none
    root: the resource that contains it, else itself
    """

    file: int
    position: int
    group: int
    url: str
    resource: Resource
    root: Resource

    @property
    def kind(self) -> str:
        """The type of the resource."""
        return scalar(self.resource.get("resourceType"))

    @property
    def identity(self) -> tuple[int, int, int, str, str]:
        """The same for the same resource, however often its line is parsed."""
        return self.file, self.group, self.position, self.kind, scalar(self.resource.get("id"))


@dataclass(frozen=True, slots=True)
class _Line:
    """A resource that is a line of ndjson: its file, number, and bytes from ``start`` to ``end``."""

    file: int
    position: int
    start: int
    end: int
    group: int = 0


Entry = Item | _Line
"""A resource, or where its line is."""


class Resources:
    """The resources of several files.

    reports: DiagnosticReports, and the Compositions of documents without one, in order
    faults: file, position and flaw of what could not be read
    counts: the number of reports of each file
    """

    def __init__(self, files: Sequence[bytes]) -> None:
        self._data: list[bytes] = []
        self._by_key: dict[str, list[Entry]] = {}
        self._compositions: dict[int, list[Item]] = {}
        self._studies: dict[str, list[Entry]] = {}
        self._groups = 0
        self._lately: dict[_Line, Item] = {}
        self._decoder = _Decoder()
        self.reports: list[Entry] = []
        self.faults: list[tuple[int, int, Flaw]] = []
        self.counts: list[int] = []
        self._doubtful: set[tuple[int, int]] = set()
        """File and position of lines, or file and 0, that are not in the encoding that they should be in."""
        for number, data in enumerate(files, start=1):
            before = len(self.reports)
            try:
                self._take(number, data)
            except Unreadable as error:
                self.faults.append((number, 1, error.flaw))
                self._data += [b""] * (number - len(self._data))
            self.counts.append(len(self.reports) - before)

    def item(self, entry: Entry) -> Item:
        """The resource of an entry.

        Raises:
            Unreadable: its line cannot be read.
        """
        if isinstance(entry, Item):
            return entry
        if entry in self._lately:
            return self._lately[entry]
        resource = self._parsed(entry)
        item = Item(entry.file, entry.position, 0, "", resource, resource)
        if entry.end - entry.start < _LONG_LINE:
            if len(self._lately) == _LATELY:
                self._lately.clear()
            self._lately[entry] = item
        return item

    def _parsed(self, line: _Line) -> Resource:
        found, guessed = self._decoder.object(self._data[line.file - 1][line.start : line.end])
        if guessed:
            self._doubtful.add((line.file, line.position))
        return found

    def written(self, entry: Entry) -> str:
        """A resource of the only file as it is written: JSON on several lines, encoded documents shortened; or XML."""
        if self._data[0].lstrip()[:1] == b"<":
            return self.line(entry.position)
        return json.dumps(_shortened(self.item(entry).resource), indent=2, ensure_ascii=False)[:_SHOWN]

    def line(self, position: int) -> str:
        """The beginning of a line of ndjson, or of any other file, as it is written; of the only file."""
        data = self._data[0]
        spans = {number: (start, end) for number, start, end in _lines(data) or ()}
        start, end = spans.get(position, (0, len(data)))
        return data[start : min(end, start + _SHOWN)].decode("utf-8", errors="replace")

    def compositions_beside(self, item: Item) -> list[Item]:
        """The Compositions of the same bundle."""
        return self._compositions.get(item.group, []) if item.group else []

    def doubt_of(self, entry: Entry) -> Doubt | None:
        """What is doubtful about the characters of a resource."""
        doubtful = not self._doubtful.isdisjoint(((entry.file, 0), (entry.file, entry.position)))
        return Doubt.MISNAMED if doubtful else None

    def is_ambiguous(self, item: Item) -> bool:
        """Whether a resource names a field twice."""
        return self._decoder.has_twice and any(TWICE in part for part in objects_in(item.resource))

    def find(self, reference: object, within: Item) -> Item | None:
        """The resource that a Reference in another resource points to; None if it is not among the files.

        References are relative, absolute, of one version, a urn:uuid, or '#id' of a contained resource.  A resource of
        the same bundle comes first, then of the same file; between different ones of other files nothing is chosen.
        """
        said = reference.get("reference") if isinstance(reference, Mapping) else reference
        said = scalar(said)
        if not said or len(said) > _LONGEST_REFERENCE:
            return None
        if said.startswith("#"):
            for contained in dicts(within.root.get("contained")):
                if scalar(contained.get("id")).lstrip("#") == said[1:]:
                    return Item(within.file, within.position, within.group, within.url, contained, within.root)
            return within if len(said) == 1 else None
        keys = [said]
        tail = _TAIL.search(said)
        if tail:
            kind_and_id, version = tail.groups()
            base = _base(within.url)
            if base and not _is_absolute(said):
                keys.insert(0, base + kind_and_id)
            if version:
                keys += [f"{kind_and_id}/_history/{version}"]
            keys += [kind_and_id]
        for key in dict.fromkeys(keys):
            if (entry := self._one_of(self._by_key.get(key, []), within)) is not None:
                try:
                    return self.item(entry)
                except Unreadable:
                    return None
        return None

    def studies_of(self, order: Item) -> list[Item]:
        """The ImagingStudies that say that they are based on an order; none if it does not tell its id."""
        entries = self._studies.get(f"{order.kind}/{scalar(order.resource.get('id'))}", [])
        near = [e for e in entries if e.file == order.file and e.group == order.group]
        return [
            Item(e.file, e.position, e.group, "", resource, resource)
            for e in near or entries
            if (resource := self._resource(e))
        ]

    def _one_of(self, entries: Sequence[Entry], within: Item) -> Entry | None:
        for near in (
            [entry for entry in entries if within.group and entry.group == within.group],
            [entry for entry in entries if entry.file == within.file],
        ):
            if near:
                return max(near, key=self._moment)  # the latest version; of equals the first
        if len(entries) > 1:
            found = [self._resource(entry) for entry in entries]
            return entries[0] if all(resource == found[0] for resource in found) else None
        return entries[0] if entries else None

    def _resource(self, entry: Entry) -> Resource:
        try:
            return self.item(entry).resource
        except Unreadable:
            return {}

    def _moment(self, entry: Entry) -> str:
        return scalar(_meta(self._resource(entry)).get("lastUpdated"))

    def _take(self, number: int, data: bytes) -> None:
        """Enter the resources of a file.

        Raises:
            Unreadable: the file as a whole cannot be read.
        """
        data, misnamed = _as_utf_8(data)
        if misnamed:
            self._doubtful.add((number, 0))
        self._data.append(data)
        if data.lstrip()[:1] == b"<":
            self._enter_all(number, from_xml(data))
        elif (lines := _lines(data)) is not None:
            for position, start, end in lines:
                self._take_line(_Line(number, position, start, end))
        else:
            documents, guessed = self._decoder.documents(data)
            if guessed:
                self._doubtful.add((number, 0))
            for position, document in enumerate(documents, start=1):
                self._enter_all(number, document, position)

    def _take_line(self, line: _Line) -> None:
        if line.end - line.start > _LONGEST_LINE:
            self.faults.append((line.file, line.position, Flaw.TOO_LONG))
            return
        try:
            resource = self._parsed(line)
        except Unreadable as error:
            self.faults.append((line.file, line.position, error.flaw))
            return
        if resource.get("resourceType") in ("Bundle", "Parameters"):
            self._enter_all(line.file, resource, line.position)
        else:
            self._enter(line, resource)
            if resource.get("resourceType") == "DiagnosticReport":
                self.reports.append(line)

    def _enter_all(self, number: int, document: Any, position: int = 1) -> None:
        """Enter the resources of a document.

        Args:
            number: of its file
            position: that of all of them if there are several documents; in the first, they are counted
        """
        self._groups += 1
        found = []
        for at, url, resource in _resources_in(document):
            place = position if position > 1 else at
            if resource is None:
                self.faults.append((number, place, Flaw.UNSUPPORTED))
            else:
                found.append(Item(number, place, self._groups, url, resource, resource))
        if not found and not any(fault[:2] == (number, position) for fault in self.faults):
            self.faults.append((number, position, Flaw.UNSUPPORTED))
        for item in found:
            self._enter(item, item.resource)
        self._compositions[self._groups] = compositions = [i for i in found if i.kind == "Composition"]
        reports = [item for item in found if item.kind == "DiagnosticReport"]
        is_document = isinstance(document, dict) and document.get("type") == "document"
        self.reports += reports or (compositions[:1] if is_document else [])

    def _enter(self, entry: Entry, resource: Resource) -> None:
        kind = scalar(resource.get("resourceType"))
        if kind not in _LINKED:
            return
        if kind == "ImagingStudy":
            for reference in dicts(resource.get("basedOn")):
                if tail := _TAIL.search(scalar(reference.get("reference"))[:_LONGEST_REFERENCE]):
                    self._studies.setdefault(tail.group(1), []).append(entry)
        url = entry.url if isinstance(entry, Item) else ""
        if url:
            self._by_key.setdefault(url, []).append(entry)
        if name := scalar(resource.get("id")):
            key = f"{kind}/{name}"
            if key != url:
                self._by_key.setdefault(key, []).append(entry)
            if version := scalar(_meta(resource).get("versionId")):
                self._by_key.setdefault(f"{key}/_history/{version}", []).append(entry)


def _shortened(value: Any, depth: int = 0) -> Any:
    """A value without long encoded documents, and without what is nested too deeply to be shown."""
    if isinstance(value, dict | list) and depth > _DEEPEST_SHOWN:
        return "…"
    if isinstance(value, dict):
        return {
            key: f"{str(part)[:_LONGEST_DATA]}…"
            if key == "data" and len(str(part)) > _LONGEST_DATA
            else _shortened(part, depth + 1)
            for key, part in value.items()
            if key != TWICE
        }
    return [_shortened(part, depth + 1) for part in value] if isinstance(value, list) else value


def _meta(resource: Resource) -> Mapping[str, Any]:
    meta = resource.get("meta")
    return meta if isinstance(meta, dict) else {}


def _is_absolute(reference: str) -> bool:
    return "://" in reference or reference.startswith("urn:")


def _base(url: str) -> str:
    """The address of the server, with its last slash, of that of a resource on it."""
    tail = _TAIL.search(url) if "://" in url else None
    return url[: tail.start(1)] if tail else ""


# --- bytes ---------------------------------------------------------------------------------------------


def _as_utf_8(data: bytes) -> tuple[bytes, bool]:
    """The bytes of a file in UTF-8, and whether they are not in the encoding that they name.

    Other forms of Unicode are told by a byte order mark or NUL bytes, the encoding of XML by its declaration; JSON has
    no other, and is left as it is.
    """
    data = data.removeprefix(_UTF_8)
    if data.startswith(_OTHER_MARKS) or 0 in data[:4]:
        return _without_name(_guessed(data)), False
    if data.lstrip()[:1] != b"<":
        return data, False
    found = _XML_ENCODING.match(data)
    name = found.group(1).decode() if found else "utf-8"
    if not (encoding := charset(name)):
        raise Unreadable(Flaw.ENCODING)
    if not encoding.startswith(("utf-16", "utf-32")):
        with suppress(UnicodeDecodeError):
            return _without_name(data.decode(encoding)), False
    return _without_name(_guessed(data)), True


def _guessed(data: bytes) -> str:
    try:
        return decode(data, "")
    except InputError:
        raise Unreadable(Flaw.ENCODING) from None


def _without_name(text: str) -> bytes:
    """Text in UTF-8; of XML without the name of another encoding."""
    return (_XML_TEXT_ENCODING.sub(r"\1", text, count=1) if text[:1] == "<" else text).encode(errors="replace")


def _lines(data: bytes) -> list[tuple[int, int, int]] | None:
    """Number, start and end of each line of ndjson, None if it is none: two lines begin an object each."""
    first = [line for _, line in zip(range(2), _spans(data), strict=False)]
    if len(first) < 2 or any(data[start : start + 1] != b"{" for _, start, _ in first):
        return None
    return list(_spans(data))


def _spans(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Number, start and end of each line that is not blank."""
    start = number = 0
    while start < len(data):
        number += 1
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        first, last = start, end
        while first < last and data[first] in b" \t\r":
            first += 1
        if first < last:
            yield number, first, last
        start = end + 1


class _Decoder:
    """JSON to dictionaries; ``has_twice`` if some object named a field twice."""

    def __init__(self) -> None:
        self.has_twice = False
        self._json = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=_whole, parse_float=str, parse_constant=str, strict=False
        )

    def object(self, data: bytes) -> tuple[Resource, bool]:
        """The one object that bytes hold, and whether they are not in UTF-8.

        Raises:
            Unreadable: they hold anything else.
        """
        text, guessed = _text(data)
        found = self._read(text)
        if not isinstance(found, dict):
            raise Unreadable(Flaw.DAMAGED)
        return found, guessed

    def documents(self, data: bytes) -> tuple[list[Any], bool]:
        """The value that bytes hold, or the values that follow each other, and whether they are not in UTF-8."""
        text, guessed = _text(data)
        try:
            return [self._read(text)], guessed
        except Unreadable as error:
            if error.flaw is not Flaw.DAMAGED:
                raise
        return self._one_by_one(text), guessed

    def _read(self, text: str) -> Any:
        try:
            return self._json.decode(text)
        except RecursionError:
            raise Unreadable(Flaw.NESTED) from None
        except ValueError:
            raise Unreadable(Flaw.DAMAGED) from None

    def _one_by_one(self, text: str) -> list[Any]:
        found: list[Any] = []
        at = 0
        space = re.compile(r"[\s,]*")
        while (at := space.match(text, at).end()) < len(text):  # type: ignore[union-attr]  # it always matches
            try:
                value, at = self._json.raw_decode(text, at)
            except (ValueError, RecursionError):
                raise Unreadable(Flaw.DAMAGED) from None
            found.append(value)
        return found

    def _object(self, pairs: list[tuple[str, Any]]) -> Resource:
        found = dict(pairs)
        if len(found) != len(pairs) and any(found[key] != value for key, value in pairs):
            self.has_twice = True
            found[TWICE] = True
        return found


def _text(data: bytes) -> tuple[str, bool]:
    """The text of JSON, and whether it is not in UTF-8."""
    try:
        return data.decode("utf-8"), False
    except UnicodeDecodeError:
        return _guessed(data), True


def _whole(written: str) -> int | str:
    """A number, as text if it is longer than any that a report needs."""
    return int(written) if len(written) <= _LONGEST_NUMBER else written[:_LONGEST_NUMBER]


# --- documents -----------------------------------------------------------------------------------------


def _resources_in(document: Any) -> Iterator[tuple[int, str, Resource | None]]:
    """Position, address and content of each resource of a document, None for an entry that holds none as it should.

    The position is that of the entry of the outermost bundle.
    """
    outer = document if isinstance(document, list) else [document]
    # Depth, position (0 where it is not settled yet), address and value
    todo: list[tuple[int, int, str, Any]] = [
        (0, i if len(outer) > 1 else 0, "", value) for i, value in enumerate(outer, start=1)
    ][::-1]
    while todo:
        depth, position, url, value = todo.pop()
        if not isinstance(value, dict) or not scalar(value.get("resourceType")):
            if depth:
                yield position or 1, url, None
            continue
        if value["resourceType"] not in ("Bundle", "Parameters"):
            yield position or 1, url, value
            continue
        inner = value.get("entry") if value["resourceType"] == "Bundle" else value.get("parameter")
        entries = inner if isinstance(inner, list) else [inner]
        for i, entry in reversed(list(enumerate(entries, start=1))):
            if not isinstance(entry, dict):
                if inner is not None:
                    todo.append((depth + 1, position or i, "", entry))
            elif not _holds_none(entry):
                todo.append((depth + 1, position or i, scalar(entry.get("fullUrl")), entry.get("resource")))


def _holds_none(entry: Resource) -> bool:
    """Whether an entry rightly has no resource: what is deleted or asked for, an answer to that, a plain parameter."""
    request = entry.get("request")
    if isinstance(request, dict) and request.get("method") == "DELETE":
        return True
    return "resource" not in entry and (not entry or "name" in entry or bool(entry.keys() & {"request", "response"}))


def objects_in(value: Any, most: int = 200_000) -> Iterator[Resource]:
    """All objects within a value, itself included, at most ``most`` of them."""
    todo = [value]
    n = 0
    while todo and n < most:
        part = todo.pop()
        if isinstance(part, dict):
            n += 1
            yield part
            todo.extend(reversed(part.values()))
        elif isinstance(part, list):
            todo.extend(reversed(part))


def dicts(value: Any) -> list[Resource]:
    """The objects of a field that may hold one, several or none."""
    if isinstance(value, dict):
        return [value]
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def scalars(value: Any) -> list[str]:
    """The words of a field that may hold one, several or none."""
    parts = value if isinstance(value, list) else [value]
    return [said for part in parts if (said := scalar(part))]


def scalar(value: Any) -> str:
    """A word, number or truth value as text without surrounding spaces; '' of anything else."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else ""


# --- XML -----------------------------------------------------------------------------------------------


def from_xml(data: bytes) -> Any:
    """A resource in XML as the dictionary that its JSON would be; a field that occurs once is no list.

    Entities other than the five of XML are refused before they are read.

    Raises:
        Unreadable: it is damaged, has a document type, or is nested too deeply.
    """
    reader = _XmlReader()
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError:
        raise Unreadable(Flaw.DAMAGED) from None
    except (LookupError, ValueError):  # an encoding that nobody knows
        raise Unreadable(Flaw.ENCODING) from None
    return reader.found


class _XmlReader:
    """Builds the dictionaries of elements as they end; ``found`` is that of the outermost."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._words
        self.found: Any = None
        self._open: list[tuple[str, Resource, bool]] = []  # the last: whether it has a value itself
        self._page: list[str] = []
        self._page_depth = 0

    def _refuse(self, *_about: object) -> None:
        raise Unreadable(Flaw.UNSUPPORTED)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, tag = name.rpartition(" ")
        if len(self._open) + self._page_depth > _DEEPEST_XML:
            raise Unreadable(Flaw.NESTED)
        if self._page_depth or space == "http://www.w3.org/1999/xhtml":
            self._page_depth += 1
            style = attributes.get("style", "")
            self._page.append(f'<{tag} style="{escape(style, {chr(34): "&quot;"})}">' if style else f"<{tag}>")
            return
        found: Resource = {key: value for key, value in attributes.items() if " " not in key}
        self._open.append((tag, found, "value" in found))

    def _words(self, words: str) -> None:
        if self._page_depth:
            self._page.append(escape(words))

    def _end(self, name: str) -> None:
        tag = name.rpartition(" ")[2]
        if self._page_depth:
            self._page.append(f"</{tag}>")
            self._page_depth -= 1
            if not self._page_depth:
                self._enter("div", "".join(self._page))
                self._page.clear()
            return
        tag, found, has_value = self._open.pop()
        value: Any = found
        if tag[:1].isupper():
            found.setdefault("resourceType", tag)
        elif has_value and not found.keys() - {"value", "id", "extension"}:
            value = found["value"]
        elif len(found) == 1 and (inner := next(iter(found)))[:1].isupper():
            value = found[inner]  # an element "resource" or "contained" around the resource itself
        self._enter(tag, value)

    def _enter(self, tag: str, value: Any) -> None:
        if not self._open:
            self.found = value if isinstance(value, dict) else None
            return
        around = self._open[-1][1]
        if tag not in around:
            around[tag] = value
        elif isinstance(around[tag], list):
            around[tag].append(value)
        else:
            around[tag] = [around[tag], value]
