"""HL7 v2 results (ORU^R01) and documents (MDM^T02) to rows.

framing   the messages of a file: recognition, frames, line ends, encodings
fields    parts of fields, names, times, escape sequences
report    the reports of one message;  texts  text and status of a report from its observations
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radcal.reports.formats import FIELDS_OF_MESSAGES, Failure, Format, Parsed, Unreadable
from radcal.reports.formats.hl7.fields import Reader, moment
from radcal.reports.formats.hl7.framing import accession_in, is_hl7, messages, pieces_of, shown, text_of
from radcal.reports.formats.hl7.report import Segment, reports
from radcal.reports.formats.hl7.texts import label_of
from radcal.reports.reasons import OF_LETTERS, Doubt, Flaw, Unit
from radcal.reports.table import Cell
from radcal.system.resources import meanings, word_lists
from radcal.system.text import Text

_DOCUMENTS = "MDM"
_OF_EVENT, _COMPLETION = (meanings("reading", "hl7.toml", table=name) for name in ("events", "completion"))
"""What an event, and what its completion (HL7 table 0271), makes of the status of its document."""
_WORDS = word_lists("reading", "hl7.toml")
RESULTS = ("ORU", _DOCUMENTS, "")
"""Types of messages that report results or hold documents.

A message that does not state its type is read if it has an order.
"""


def rows(data: bytes) -> Iterator[Parsed]:
    """A header, and the reports of each message or what is wrong with it."""
    yield 1, 0, list[Cell](FIELDS_OF_MESSAGES)
    position = 0
    for piece in messages(data):
        position, message, flaw = position + 1, piece.data, piece.flaw
        if flaw is None:
            try:
                for found in _reports(message, piece.doubt):
                    yield 1, position, found
                continue
            except Unreadable as error:
                flaw = error.flaw
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
    for position, piece in enumerate(messages(data), start=1):
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
    if kind == _DOCUMENTS:
        if _is_elsewhere(segments, reader):
            yield Failure(Flaw.ELSEWHERE, accession_in(message))
            return
        if names & {"OBX"} or reader.first(header[0], 9, 2).upper() == "T11":
            segments = _as_results(segments, reader)
            names.add("OBR")
    if kind not in RESULTS or "OBR" not in names:
        yield Failure(Flaw.UNSUPPORTED, accession_in(message))
        return
    patients = sum(str(segment[0]) == "PID" for segment in segments)
    if names.intersection(_WORDS["in_parts"]) or patients > 1:
        yield Failure(Flaw.IN_PARTS, accession_in(message))
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


# --- documents (MDM, chapter 9) as the results (ORU) that say the same: TXA in place of OBR ----------------

# Originals (T02), changes of status (T04), addenda (T06), edits (T08) and replacements (T10) come with their text.


def _is_elsewhere(segments: Sequence[Segment], reader: Reader) -> bool:
    """Whether all documents of a message are of a type that radiologists do not write."""
    types = [reader.first(segment, 2).upper() for segment in segments if str(segment[0]) == "TXA"]
    return bool(types) and set(types).issubset(_WORDS["elsewhere"])


def _as_results(segments: Sequence[Segment], reader: Reader) -> list[Segment]:
    """The segments with an OBR for each document: its own, with what only the TXA says, or one made of that."""
    event = reader.first(segments[0], 9, 2).upper()
    found: list[Segment] = []
    orders: list[int] = []
    control: Segment | None = None
    for at, segment in enumerate(segments):
        name = str(segment[0])
        found.append(segment)
        if name == "ORC":
            control = segment
        elif name == "OBR":
            orders.append(len(found) - 1)
        elif name == "TXA":
            exam = _exam(segments[at + 1 :], reader)
            for place in orders:
                found[place] = _order(found[place], control, segment, event, exam, reader)
            if not orders:
                found.append(_order(["OBR"], control, segment, event, exam, reader))
            orders, control = [], None
    return found


def _order(
    order: Segment, control: Segment | None, document: Segment, event: str, exam: str, reader: Reader
) -> Segment:
    """An OBR with what a TXA says where it says nothing itself; of the status, the TXA says more."""
    raw = reader.raw
    fields = [*order, *[""] * (36 - len(order))]

    def fill(number: int, *values: str) -> None:
        fields[number] = raw(order, number) or next(filter(None, values), "")

    fill(2, raw(document, 14))
    fill(3, raw(document, 15))
    if not any((fields[2], fields[3], fields[18], fields[20], raw(control, 2), raw(control, 3))):
        fields[3] = raw(document, 13) or raw(document, 12)  # that of the original, which others add to
    fill(4, exam, raw(document, 2))
    fill(7, raw(document, 4))
    signed = [value.part(15) for value in reader.repetitions(document, 22)]
    written = [*signed, *(reader.first(document, n) for n in (8, 7, 6))]
    fill(22, max(written, key=lambda time: moment(time).written))
    gone = reader.first(document, 19).upper() in _WORDS["gone"]
    said = "X" if gone else _OF_EVENT.get(event) or _COMPLETION.get(reader.first(document, 17).upper(), "")
    fields[25] = said or raw(order, 25)
    fill(32, raw(document, 22), raw(document, 10))
    fill(33, raw(document, 9), raw(document, 5))
    fill(35, raw(document, 11))
    return fields


def _exam(below: Sequence[Segment], reader: Reader) -> str:
    """What the first line of text of a document is called, unless that is a part of a report, such as its findings."""
    for segment in below:
        if str(segment[0]) == "TXA":
            break
        if str(segment[0]) == "OBX" and reader.first(segment, 3, 2) and not label_of(reader, segment):
            return reader.raw(segment, 3)
    return ""


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
