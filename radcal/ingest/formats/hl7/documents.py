"""Documents of HL7 v2 (MDM, chapter 9) as the results (ORU) that say the same: TXA in place of OBR.

Originals (T02), changes of status (T04), addenda (T06), edits (T08) and replacements (T10) come with their text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from radcal.ingest.formats.hl7.fields import Reader, moment
from radcal.ingest.formats.hl7.texts import names_a_part

Segment = Sequence[Any]

DOCUMENTS = "MDM"
_OF_EVENT = {"T05": "A", "T06": "A", "T07": "C", "T08": "C", "T09": "C", "T10": "C", "T11": "X"}
"""What an event makes of the status of its document, in the codes of OBR-25."""
_COMPLETION = {"DI": "P", "DO": "P", "IP": "P", "IN": "P", "PA": "P", "AU": "F", "LA": "F"}
"""HL7 table 0271."""
_GONE = ("CA", "OB")
"""Availability (HL7 table 0273) of a document that was deleted, or that another one took the place of."""
_ELSEWHERE = frozenset(("AR", "CD", "CN", "DS", "ED", "HP", "OP", "PC", "PH", "PN", "PR", "SP", "TS"))
"""Types of documents (HL7 table 0270) that radiologists do not write."""


def is_elsewhere(segments: Sequence[Segment], reader: Reader) -> bool:
    """Whether all documents of a message are of a type that radiologists do not write."""
    types = [reader.first(segment, 2).upper() for segment in segments if str(segment[0]) == "TXA"]
    return bool(types) and _ELSEWHERE.issuperset(types)


def as_results(segments: Sequence[Segment], reader: Reader) -> list[Segment]:
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
    gone = reader.first(document, 19).upper() in _GONE
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
        if str(segment[0]) == "OBX" and reader.first(segment, 3, 2) and not names_a_part(reader, segment):
            return reader.raw(segment, 3)
    return ""
