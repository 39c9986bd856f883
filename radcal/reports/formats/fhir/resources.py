"""Resources of FHIR files in JSON and ndjson (bulk export), found by the references between them.

Resources are plain dictionaries and are checked against no model: the fields of a report hardly differ between the
versions of FHIR, and what hospitals export often fails strict models.  The lines of ndjson are kept as bytes and parsed
when they are wanted, as one export may hold millions of laboratory results.

Source: HL7 FHIR R4 (4.0.1) and R5 (5.0.0), https://hl7.org/fhir/: references.html, bundle.html; Bulk Data.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from radcal.reports.decode import decode
from radcal.reports.formats import Unreadable
from radcal.reports.reasons import Flaw
from radcal.system.errors import InputError

Resource = dict[str, Any]

_LINKED = frozenset(
    ("DiagnosticReport", "Patient", "Practitioner", "PractitionerRole", "RelatedPerson", "Organization",
     "Observation", "ServiceRequest", "ImagingStudy", "Encounter", "Procedure", "Location", "Binary")
)  # fmt: skip
"""Types of resources that a report refers to."""
_LONGEST_LINE = 64 << 20
"""Bytes of the longest line of ndjson that is read."""
_LATELY, _LONG_LINE = 1000, 20_000
"""Lines that are kept parsed, and the bytes of those that are not."""
_LONGEST_NUMBER = 18
_LONGEST_REFERENCE = 2000
_OTHER_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TAIL = re.compile(
    r"(?:^|/)([A-Z][A-Za-z]{2,60}/[A-Za-z0-9\-._]{1,200})(?:/_history/[A-Za-z0-9\-._]{1,64})?(?:[#|?].*)?$"
)
"""Type and id at the end of a reference."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A resource and where it stands.

    file: number of its file, from 1;  position: of its line or entry, from 1
    written: the resource, or the line of ndjson that holds it
    group: number of its bundle, 0 if it is a line;  url: its address in a bundle, '' if it has none
    root: the resource that contains it; itself if None
    """

    file: int
    position: int
    written: Resource | bytes
    group: int = 0
    url: str = ""
    root: Resource | None = None

    @property
    def resource(self) -> Resource:
        """Its fields.

        Raises:
            Unreadable: its line cannot be read, which shows when it is first read.
        """
        if isinstance(self.written, dict):
            return self.written
        return _lately(self.written) if len(self.written) < _LONG_LINE else _object(self.written)

    @property
    def opened(self) -> Item:
        """The same with its line read."""
        return self if isinstance(self.written, dict) else Item(self.file, self.position, self.resource)

    @property
    def kind(self) -> str:
        """The type of the resource."""
        return scalar(self.resource.get("resourceType"))

    @property
    def identity(self) -> tuple[int, int, int, str, str]:
        """The same for the same resource, however often it is found."""
        return self.file, self.group, self.position, self.kind, scalar(self.resource.get("id"))


class Resources:
    """The resources of several files.

    reports: DiagnosticReports, in order
    faults: file, position and flaw of what could not be read
    """

    def __init__(self, files: Sequence[bytes]) -> None:
        self._by_key: dict[str, list[Item]] = {}
        self._guessed: set[int] = set()
        self._groups = 0
        self.reports: list[Item] = []
        self.faults: list[tuple[int, int, Flaw]] = []
        for number, data in enumerate(files, start=1):
            try:
                self._take(number, data)
            except Unreadable as error:
                self.faults.append((number, 1, error.flaw))

    def is_guessed(self, item: Item) -> bool:
        """Whether a resource is in no Unicode, which JSON is in, so that its encoding was guessed."""
        return item.file in self._guessed or (isinstance(item.written, bytes) and _text(item.written)[1])

    def find(self, reference: object, within: Item) -> Item | None:
        """The resource that a Reference in another resource points to; None if it is not among the files.

        References are relative, absolute, a urn:uuid, or '#id' of a contained resource.  A resource of the same bundle
        comes first, then of the same file; between different ones of other files nothing is chosen.
        """
        said = scalar(reference.get("reference") if isinstance(reference, Mapping) else reference)
        if not said or len(said) > _LONGEST_REFERENCE:
            return None
        if said.startswith("#"):
            root = within.root or within.resource
            for contained in dicts(root.get("contained")):
                if scalar(contained.get("id")).lstrip("#") == said[1:]:
                    return Item(within.file, within.position, contained, within.group, within.url, root)
            return within if len(said) == 1 else None
        keys = [said]
        if tail := _TAIL.search(said):
            base = _TAIL.search(within.url) if "://" in within.url and "://" not in said else None
            keys = [within.url[: base.start(1)] + tail.group(1), *keys] if base else keys
            keys.append(tail.group(1))
        found = (self._one_of(self._by_key[key], within) for key in keys if key in self._by_key)
        return next((item for item in found if item is not None), None)

    def _one_of(self, items: Sequence[Item], within: Item) -> Item | None:
        for near in (
            [item for item in items if within.group and item.group == within.group],
            [item for item in items if item.file == within.file],
        ):
            if near:
                return max(near, key=_last_updated)  # the latest version; of equals the first
        return items[0] if all(item.resource == items[0].resource for item in items[1:]) else None

    def _take(self, number: int, data: bytes) -> None:
        """Enter the resources of a file.

        Raises:
            Unreadable: the file as a whole cannot be read.
        """
        data = data.removeprefix(codecs.BOM_UTF8)
        if data.startswith(_OTHER_MARKS) or 0 in data[:4]:
            data = _text(data)[0].encode(errors="replace")
        if data.lstrip()[:1] == b"<":
            raise Unreadable(Flaw.XML)
        if _has_lines(data):
            for position, line in lines_of(data):
                self._take_line(number, position, line)
            return
        text, guessed = _text(data)
        if guessed:
            self._guessed.add(number)
        self._enter_all(number, _value(text))

    def _take_line(self, number: int, position: int, line: bytes) -> None:
        if len(line) > _LONGEST_LINE:
            self.faults.append((number, position, Flaw.TOO_LONG))
            return
        try:
            resource = _object(line)
        except Unreadable as error:
            self.faults.append((number, position, error.flaw))
            return
        if resource.get("resourceType") == "Bundle":
            self._enter_all(number, resource, position)
        else:
            self._enter(Item(number, position, line), resource)

    def _enter_all(self, number: int, document: Any, position: int = 0) -> None:
        """Enter the resources of a document in the position of its line, or if that is 0, each in its own position."""
        self._groups += 1
        found = list(_resources_in(document))
        for at, url, resource in found:
            place = position or at
            if resource is None:
                self.faults.append((number, place, Flaw.UNSUPPORTED))
            else:
                self._enter(Item(number, place, resource, self._groups, url), resource)
        if not found:
            self.faults.append((number, position or 1, Flaw.UNSUPPORTED))

    def _enter(self, item: Item, resource: Resource) -> None:
        kind = scalar(resource.get("resourceType"))
        if kind == "DiagnosticReport":
            self.reports.append(item)
        if kind in _LINKED:
            name = scalar(resource.get("id"))
            for key in {item.url, f"{kind}/{name}" if name else ""} - {""}:
                self._by_key.setdefault(key, []).append(item)


def _last_updated(item: Item) -> str:
    meta = item.resource.get("meta")
    return scalar(meta.get("lastUpdated")) if isinstance(meta, dict) else ""


# --- bytes ---------------------------------------------------------------------------------------------


def _text(data: bytes) -> tuple[str, bool]:
    """The text of JSON, and whether it is in no Unicode.

    Raises:
        Unreadable: it is no text.
    """
    try:
        return data.decode(), False
    except UnicodeDecodeError:
        pass
    try:
        return decode(data, ""), True
    except InputError:
        raise Unreadable(Flaw.ENCODING) from None


def _has_lines(data: bytes) -> bool:
    """Whether a file is ndjson: two lines begin an object each."""
    first = [line[:1] for _, (_, line) in zip(range(2), lines_of(data), strict=False)]
    return first == [b"{", b"{"]


def lines_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and content of each line that is not blank."""
    start = number = 0
    while start < len(data):
        number += 1
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        if line := data[start:end].strip(b" \t\r"):
            yield number, line
        start = end + 1


def _object(line: bytes) -> Resource:
    """The one object that a line holds.

    Raises:
        Unreadable: it holds anything else.
    """
    found = _value(_text(line)[0])
    if not isinstance(found, dict):
        raise Unreadable(Flaw.DAMAGED)
    return found


_lately = lru_cache(_LATELY)(_object)


def _value(text: str) -> Any:
    try:
        return _JSON.decode(text)
    except RecursionError:
        raise Unreadable(Flaw.NESTED) from None
    except ValueError:
        raise Unreadable(Flaw.DAMAGED) from None


def _whole(written: str) -> int | str:
    """A number, as text if it is longer than any that a report needs."""
    return int(written) if len(written) <= _LONGEST_NUMBER else written[:_LONGEST_NUMBER]


_JSON = json.JSONDecoder(parse_int=_whole, parse_float=str, parse_constant=str, strict=False)


# --- documents -----------------------------------------------------------------------------------------


def _resources_in(document: Any) -> Iterator[tuple[int, str, Resource | None]]:
    """Position, address and content of each resource of a document, None for an entry that holds none as it should.

    The position is that of the entry of the outermost bundle, or of the element of an array.
    """
    outer = document if isinstance(document, list) else [document]
    # Position (0 where it is not settled yet), address and value
    todo: list[tuple[int, str, Any]] = [(i if len(outer) > 1 else 0, "", value) for i, value in enumerate(outer, 1)][
        ::-1
    ]
    while todo:
        position, url, value = todo.pop()
        if not isinstance(value, dict) or not scalar(value.get("resourceType")):
            yield position or 1, url, None
        elif value["resourceType"] != "Bundle":
            yield position or 1, url, value
        elif (inner := value.get("entry")) is not None:
            for i, entry in reversed(list(enumerate(inner if isinstance(inner, list) else [inner], start=1))):
                if not isinstance(entry, dict):
                    todo.append((position or i, "", entry))
                elif "resource" in entry or (entry and not entry.keys() & {"request", "response"}):
                    # Others are of what was deleted or asked for, or an answer to that.
                    todo.append((position or i, scalar(entry.get("fullUrl")), entry.get("resource")))


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
