"""HL7 v2 results (ORU^R01) and documents (MDM^T02) to rows.

framing   the messages of a file: recognition, frames, batches, line ends, encodings
fields    parts of fields, names, times, escape sequences
documents documents as results
report    the reports of one message;  texts  text and status of a report from its observations
"""

from __future__ import annotations

from collections.abc import Iterator

from radcal.ingest.formats import FIELDS_OF_MESSAGES, Failure, Format, Parsed
from radcal.ingest.formats.hl7.documents import DOCUMENTS, as_results, is_elsewhere
from radcal.ingest.formats.hl7.fields import Reader
from radcal.ingest.formats.hl7.framing import (
    Malformed,
    accession_in,
    is_hl7,
    messages,
    pieces_of,
    shown,
    text_of,
)
from radcal.ingest.formats.hl7.report import Segment, reports
from radcal.ingest.reasons import OF_LETTERS, Doubt, Flaw, Unit
from radcal.ingest.table import Cell, Mark
from radcal.text import Text

_RESULTS = ("ORU", DOCUMENTS, "")
"""Types of messages that report results or hold documents.

A message that does not state its type is read if it has observations.
"""


def rows(data: bytes) -> Iterator[Parsed]:
    """A header, and the reports of each message or what is wrong with it."""
    yield 1, 0, list[Cell](FIELDS_OF_MESSAGES)
    position = 0
    for piece in messages(data):
        if isinstance(piece, Mark):
            yield 1, position, piece
            continue
        position, message, flaw = position + 1, piece.data, piece.flaw
        if flaw is None:
            try:
                for found in _reports(message, piece.doubt):
                    yield 1, position, found
                continue
            except Malformed as malformed:
                flaw = malformed.flaw
            except MemoryError:
                raise
            except Exception:  # noqa: BLE001 - of the library; its message may hold text
                flaw = Flaw.DAMAGED
        yield 1, position, Failure(flaw, accession_in(message))
    if not position:
        yield 1, 1, Flaw.NO_TEXT


def raw(data: bytes) -> Iterator[Parsed]:
    """Each message as it is written."""
    yield 1, 0, ["message"]
    position = 0
    pieces = (piece for piece in messages(data) if not isinstance(piece, Mark))
    for position, piece in enumerate(pieces, start=1):
        yield 1, position, [shown(piece.data)]
    if not position:
        yield 1, 1, [""]


def _reports(message: bytes, at_first_sight: Doubt | None) -> Iterator[list[Cell] | Failure | Doubt]:
    """The rows of a message, what is wrong with its orders, and what is doubtful about it."""
    import hl7

    decoded = text_of(message)
    first, *others = decoded.text.split("\r")
    header = hl7.parse(first)
    reader = Reader(header.separators[1:5] + header.esc, decoded.encoding)
    # Fields are taken apart where they are asked for: the library does so with all, which takes several times as long.
    segments: list[Segment] = [header[0], *(line.split(reader.marks[0]) for line in others)]
    names = {str(segment[0]) for segment in segments}
    kind = reader.first(header[0], 9).upper()
    if kind == DOCUMENTS:
        if is_elsewhere(segments, reader):
            yield Failure(Flaw.ELSEWHERE, accession_in(message))
            return
        if names & {"OBX"} or reader.first(header[0], 9, 2).upper() == "T11":
            segments = as_results(segments, reader)
            names.add("OBR")
    if kind not in _RESULTS or not names & {"OBR", "OBX"}:
        yield Failure(Flaw.UNSUPPORTED, accession_in(message))
        return
    if any(str(s[0]) == "DSC" and reader.first(s, 1) for s in segments) or (
        reader.first(header[0], 14) and "OBR" not in names
    ):
        # a part of a message that goes on in the next, or that part
        yield Failure(Flaw.DAMAGED, accession_in(message))
        return
    doubts: set[Doubt | None] = {at_first_sight}
    for report in reports(segments, reader):
        if isinstance(report, Failure):
            yield report
            continue
        told, about = report
        cells = list[Cell](told[name] for name in FIELDS_OF_MESSAGES)
        of_letters = about & OF_LETTERS or {decoded.doubt}
        doubts |= {Doubt.DAMAGED} if any("\ufffd" in str(cell) for cell in cells) else of_letters
        doubts |= about - OF_LETTERS
        yield cells
    yield from sorted(filter(None, doubts))


FORMAT = Format(
    name="hl7",
    title="HL7",
    file=Text("HL7 file"),
    suffixes=(".hl7", ".oru", ".msg"),
    recognises=is_hl7,
    rows=rows,
    raw=raw,
    pieces=pieces_of,
    unit=Unit.MESSAGE,
)
