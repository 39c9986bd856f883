"""The rows of a file of HL7 v2 messages."""

from __future__ import annotations

from collections.abc import Iterator

from radcal.ingest.hl7.fields import Reader
from radcal.ingest.hl7.framing import Malformed, messages, shown, text_of
from radcal.ingest.hl7.report import reports
from radcal.ingest.parsers import FIELDS_OF_MESSAGES, Parsed
from radcal.ingest.reasons import Flaw
from radcal.ingest.table import Cell

_RESULTS = ("ORU", "")
"""Types of messages that report results; a message that does not state its type is read if it has observations."""


def rows(data: bytes) -> Iterator[Parsed]:
    """A header, and the reports of each message or what is wrong with it."""
    yield 1, 0, list[Cell](FIELDS_OF_MESSAGES)
    position = 0
    for position, (message, flaw) in enumerate(messages(data), start=1):
        if flaw is not None:
            yield 1, position, flaw
            continue
        try:
            for report in _reports(message):
                if isinstance(report, Flaw):
                    yield 1, position, report
                else:
                    yield 1, position, list[Cell](report[name] for name in FIELDS_OF_MESSAGES)
        except Malformed as malformed:
            yield 1, position, malformed.flaw
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - of the library; its message may hold text
            yield 1, position, Flaw.DAMAGED
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


def _reports(message: bytes) -> Iterator[dict[str, str] | Flaw]:
    import hl7

    text, encoding = text_of(message)
    first, *others = text.split("\r")
    header = hl7.parse(first)
    reader = Reader(header.separators[1:5] + header.esc, encoding)
    # Fields are taken apart where they are asked for: the library does so with all, which takes several times as long.
    segments = [header[0], *(line.split(reader.marks[0]) for line in others)]
    names = {str(segment[0]) for segment in segments}
    if reader.first(header[0], 9).upper() not in _RESULTS or not names & {"OBR", "OBX"}:
        yield Flaw.UNSUPPORTED
        return
    if any(str(s[0]) == "DSC" and reader.first(s, 1) for s in segments) or (
        reader.first(header[0], 14) and "OBR" not in names
    ):
        yield Flaw.DAMAGED  # a part of a message that goes on in the next, or that part
        return
    yield from reports(segments, reader)
