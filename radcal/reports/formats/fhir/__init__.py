"""FHIR files to rows, one for each DiagnosticReport: JSON and ndjson, read together with all that the reports refer to.

resources  the resources of files, and the references between them
report     the cells of a report;  texts  its text

Source: HL7 FHIR R4 (4.0.1), R5 (5.0.0), DiagnosticReport.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import chain
from operator import itemgetter

from radcal.reports.formats import FIELDS_OF_MESSAGES, Doubted, Failure, Flawed, Format, Row
from radcal.reports.formats.fhir.report import accession_of, cells_of
from radcal.reports.formats.fhir.resources import Item, Resources, lines_of
from radcal.reports.reasons import OF_LETTERS, Doubt, Flaw, Unit
from radcal.reports.table import Cell
from radcal.system.text import Text

_KIND = re.compile(rb'"(?:resourceType|presentedForm|resultsInterpreter|fullUrl|contained)"\s*:')
"""Fields that FHIR alone has; where a file has its fields in alphabetical order, the first may stand far behind."""
_NAMESPACE = b"http://hl7.org/fhir"
_SHOWN = 1 << 18
"""Characters of a resource that are shown."""
_DATA = re.compile(r'("data": "[^"]{200})[^"]+')
"""An encoded document, and what is shown of it."""


def is_fhir(head: bytes) -> bool:
    """Whether a file that begins with these bytes holds FHIR resources, in XML too, which is refused by name."""
    plain = head.replace(b"\0", b"") if 0 in head[:4] else head
    start = plain[:4096].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if start.startswith((b"{", b"[")):
        return _KIND.search(plain) is not None
    return start.startswith(b"<") and _NAMESPACE in plain and b"ClinicalDocument" not in start[:1000]


def rows(data: bytes) -> Iterator[Row | Flawed | Doubted]:
    """The reports of one file."""
    return rows_of_files([data])


def rows_of_files(files: Sequence[bytes]) -> Iterator[Row | Flawed | Doubted]:
    """The reports of several files, each a table of its number; references between the files are resolved.

    A file without reports is a flaw, unless it stands beside one that has some.
    """
    resources = Resources(files)
    flaws: dict[int, list[Flawed]] = {}
    for file, position, flaw in resources.faults:
        flaws.setdefault(file, []).append((file, position, Failure(flaw)))
    reports: dict[int, list[Item]] = {}
    for report in resources.reports:
        reports.setdefault(report.file, []).append(report)
    for number in range(1, len(files) + 1):
        own, its = flaws.get(number, []), reports.get(number, [])
        if not reports and not own:
            own = [(number, 1, Failure(Flaw.UNSUPPORTED))]
        if its or own:
            yield number, 0, list[Cell](FIELDS_OF_MESSAGES)
        yield from merge(own, chain.from_iterable(_rows(item, resources) for item in its), key=itemgetter(1))


def _rows(report: Item, resources: Resources) -> Iterator[Row | Flawed | Doubted]:
    """The row of a report, or what is wrong with it, and what is doubtful about it."""
    file, position = report.file, report.position
    doubts = {Doubt.MISNAMED} if resources.is_guessed(report) else set[Doubt]()
    report = report.opened
    told = cells_of(report, resources, doubts)
    if isinstance(told, Flaw):
        yield file, position, Failure(told, accession_of(report, resources))
        return
    cells = [told.get(name, "") for name in FIELDS_OF_MESSAGES]
    yield file, position, list[Cell](cells)
    if Doubt.MISNAMED in doubts:
        doubts.discard(Doubt.GUESSED)
    if any("\ufffd" in cell for cell in cells):
        doubts = doubts - OF_LETTERS | {Doubt.DAMAGED}
    if all(cell.isascii() for cell in cells):
        doubts -= OF_LETTERS
    for doubt in sorted(doubts):
        yield file, position, doubt


def raw(data: bytes) -> Iterator[Row | Flawed]:
    """Each report as it is written, and what could not be read; encoded documents are shortened."""
    resources = Resources([data])
    yield 1, 0, list[Cell](["message"])
    written = [(item.position, _written(item)) for item in resources.reports]
    lines = dict(lines_of(data)) if resources.faults else {}
    for _, position, _ in resources.faults:
        line = lines.get(position, data) if len(lines) > 1 else data
        written.append((position, line[:_SHOWN].decode(errors="replace")))
    for position, text in sorted(written):
        yield 1, position, list[Cell]([text])


def _written(item: Item) -> str:
    try:
        text = json.dumps(item.resource, indent=2, ensure_ascii=False)
    except RecursionError:
        return ""
    return _DATA.sub("\\1\u2026", text)[:_SHOWN]


FORMAT = Format(
    name="fhir",
    title="FHIR",
    file=Text("FHIR file"),
    suffixes=(".json", ".ndjson"),
    recognises=is_fhir,
    rows=rows,
    together=rows_of_files,
    raw=raw,
    unit=Unit.RESOURCE,
)
