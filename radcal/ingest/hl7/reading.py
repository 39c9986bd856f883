"""The rows of a file of HL7 v2 messages."""

from __future__ import annotations

from collections.abc import Iterator

from radcal.ingest.hl7.fields import Reader
from radcal.ingest.hl7.framing import Malformed, accession_in, messages, shown, text_of
from radcal.ingest.hl7.report import reports
from radcal.ingest.parsers import FIELDS_OF_MESSAGES, Failure, Parsed
from radcal.ingest.reasons import Doubt, Flaw
from radcal.ingest.table import Cell

_RESULTS = ("ORU", "")
"""Types of messages that report results; a message that does not state its type is read if it has observations."""


def rows(data: bytes) -> Iterator[Parsed]:
    """A header, and the reports of each message or what is wrong with it."""
    yield 1, 0, list[Cell](FIELDS_OF_MESSAGES)
    position = 0
    for position, (message, flaw) in enumerate(messages(data), start=1):
        if flaw is None:
            try:
                for found in _reports(message):
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
    for position, (message, _) in enumerate(messages(data), start=1):
        yield 1, position, [shown(message)]
    if not position:
        yield 1, 1, [""]


def _reports(message: bytes) -> Iterator[list[Cell] | Failure | Doubt]:
    """The rows of a message, what is wrong with its orders, and what is doubtful about it."""
    import hl7

    decoded = text_of(message)
    first, *others = decoded.text.split("\r")
    header = hl7.parse(first)
    reader = Reader(header.separators[1:5] + header.esc, decoded.encoding)
    # Fields are taken apart where they are asked for: the library does so with all, which takes several times as long.
    segments = [header[0], *(line.split(reader.marks[0]) for line in others)]
    names = {str(segment[0]) for segment in segments}
    if reader.first(header[0], 9).upper() not in _RESULTS or not names & {"OBR", "OBX"}:
        yield Failure(Flaw.UNSUPPORTED, accession_in(message))
        return
    if any(str(s[0]) == "DSC" and reader.first(s, 1) for s in segments) or (
        reader.first(header[0], 14) and "OBR" not in names
    ):
        # a part of a message that goes on in the next, or that part
        yield Failure(Flaw.DAMAGED, accession_in(message))
        return
    doubts: set[Doubt] = set()
    for report in reports(segments, reader):
        if isinstance(report, Failure):
            yield report
            continue
        cells = list[Cell](report[name] for name in FIELDS_OF_MESSAGES)
        doubt = Doubt.DAMAGED if any("\ufffd" in str(cell) for cell in cells) else report["doubt"] or decoded.doubt
        doubts |= {Doubt(doubt)} if doubt else set()
        yield cells
    yield from sorted(doubts)
