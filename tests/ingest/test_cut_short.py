"""Files that were cut short: whatever the byte, no report that was cut is read as whole, or what is lost is listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from radcal.ingest import hl7, messages
from radcal.ingest.messages import of_batches
from radcal.ingest.parsers import Failure, Mark
from radcal.ingest.readers import read_reports
from radcal.ingest.reasons import (
    BATCH_LONG,
    BATCH_OPEN,
    BATCH_SHORT,
    BATCHES,
    BETWEEN_MESSAGES,
    DAMAGED_MESSAGE,
    HELD,
    OF_DOUBT,
    OF_FLAW,
    Doubt,
)
from radcal.ingest.table import Fault, Table
from radcal.records import Preset

AS_WHOLE = Preset(as_whole=True)
TEXTS = ("Pneumonia is unlikely. Kein Erguß.", "No edema.")
NAMES = frozenset(f"A{n}" for n in range(9))


def of_hl7(n: int, *texts: str) -> bytes:
    """A message that a RIS sends, of several lines of text."""
    time = "20240305143000"
    lines = [
        f"MSH|^~\\&|RIS|H|X|Y|20240305150000||ORU^R01|M{n}|P|2.5",
        f"PID|1||P{n}^^^H^MR||Doe^Jane||19600101|F",
        f"OBR|1|PL{n}|A{n}|71046^XR CHEST 2 VIEWS|||{time}{'|' * 15}{time}||CR|F{'|' * 7}R1&Smith&Ann",
        *(f"OBX|{k}|TX|71046^XR CHEST||{text}||||||F" for k, text in enumerate(texts or TEXTS, 1)),
    ]
    return "\r".join((*lines, "")).encode()


def table_of(data: bytes, file: str = "a.hl7") -> Table:
    """The table of a file of HL7, parsed in this process."""
    table = Table(file, [], [], trimmed=True, headed=True)
    for _, at, found in hl7.rows(data):
        if isinstance(found, Mark):
            table.marks.append((at, found))
        elif isinstance(found, Doubt):
            table.doubts.append(Fault(file, at, OF_DOUBT[found]))
        elif isinstance(found, list):
            table.rows.append(found)
            table.lines.append(at)
        else:
            failure = found if isinstance(found, Failure) else Failure(found)
            table.faults.append(Fault(file, at, OF_FLAW[failure.flaw], failure.accession))
    for fault in list(of_batches([table], file)):
        (table.doubts if fault.reason in HELD else table.faults).append(fault)
    return table


def read_of(data: bytes) -> tuple[dict[str, str], list[Fault]]:
    """What enters the statistics of a file of HL7, texts by accession number, and what is listed."""
    table = table_of(data)
    body, faults = table.body(0)
    number, text = (table.rows[0].index(name) for name in ("accession", "text"))
    return {str(row[number]): str(row[text]) for row in body.rows}, faults


def framed(*parts: bytes) -> bytes:
    return b"".join(b"\x0b" + part + b"\x1c\r" for part in parts)


def batch(*parts: bytes) -> bytes:
    return b"FHS|^~\\&|RIS\rBHS|^~\\&|RIS\r" + b"".join(parts) + b"BTS|%d\rFTS|1\r" % len(parts)


def in_utf_16(*parts: bytes) -> bytes:
    return b"".join(parts).decode().encode("utf-16")


SHAPES: dict[str, Callable[..., bytes]] = {
    "frames": framed,
    "bare": lambda *parts: b"".join(parts),
    "line feeds": lambda *parts: b"".join(parts).replace(b"\r", b"\r\n"),
    "batch": batch,
    "UTF-16": in_utf_16,
}


def without_loss(shape: str, data: bytes, whole: list[bytes]) -> Iterator[int]:
    """The cuts that cannot be seen, as nothing that is there was begun and not ended: without a frame or an end of the
    batch that counts, behind any line of the message, and behind a whole message."""
    if shape in ("bare", "line feeds"):
        yield from (n for n in range(len(data)) if data[:n].endswith((b"\r", b"\n")))
    elif shape == "UTF-16":
        yield from (n for n in range(2, len(data), 2) if data[n - 2 : n] == "\r".encode("utf-16-le"))
    elif shape == "frames":
        yield from (len(framed(*whole[:k])) - back for k in range(len(whole) + 1) for back in (-1, 0, 1))
    elif shape == "batch":
        yield from range(data.index(b"FTS") + 3, len(data))  # all that it counts is there


@pytest.mark.parametrize("shape", SHAPES)
def test_no_cut_is_silent(shape: str) -> None:
    whole = [of_hl7(n) for n in (1, 2)]
    data = SHAPES[shape](*whole)
    texts, faults = read_of(data)
    assert (texts, faults) == (dict.fromkeys(("A1", "A2"), "\n".join(TEXTS)), [])
    unseen = set(without_loss(shape, data, whole))
    for n in range(len(data)):
        read, faults = read_of(data[:n])
        if n not in unseen:
            assert all(text == texts[number] for number, text in read.items()), n
            assert faults, n


@pytest.mark.parametrize("shape", ["frames", "batch"])
def test_what_is_cut_in_a_frame_or_a_batch_is_never_read_as_whole(shape: str) -> None:
    data = SHAPES[shape](of_hl7(1), of_hl7(2))
    for n in range(len(data)):
        assert set(read_of(data[:n])[0].values()) <= {"\n".join(TEXTS)}, n
