"""Files of hospital messages: HL7, FHIR and DICOM are recognised by content; a folder of them is read as one table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from radcal import inputs
from radcal.errors import InputError
from radcal.ingest import reasons
from radcal.ingest.dicom_files import is_dicom, is_directory, is_document
from radcal.ingest.fhir_files import is_fhir
from radcal.ingest.folder import has_no_table
from radcal.ingest.hl7.framing import in_bytes
from radcal.ingest.parsers import DICOM, FHIR, FIELDS_OF_MESSAGES, HEAD, HL7, LARGEST, TOGETHER
from radcal.ingest.parsing import parse, parse_messages, unit_in
from radcal.ingest.table import Fault, Table, stacked
from radcal.progress import Progress
from radcal.text import Text

SUFFIXES = (".hl7", ".oru", ".msg", ".json", ".ndjson", ".dcm", ".dicom", "")
"""Of files that a folder of messages is made of; others count if their content says so."""

_BLANK = b" \t\r\n\x00\x1c"
_HL7 = re.compile(rb"\x0b?[ \t\r\n]*(?:MSH|FHS|BHS)([^\w\s\"',;])")
_EMPTY_FRAME = b"\x0b\x1c"
_LOGGED_HL7 = re.compile(
    rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\r\n|]{0,100}?\b(?:INFO|DEBUG|TRACE|WARN|WARNING|ERROR)\b"
    rb"[^|]{0,2000}?MSH\|\^~\\&"
)
"""A log with messages in it."""
PIECE = 1 << 25
"""Bytes of a file of HL7 messages that one child parses, more than the longest message has."""
_MARK, _FRAME = 8, 0x0B
"""Bytes that tell the beginning of a message, and the byte that begins a frame."""
_BATCH_FILES, _BATCH_BYTES = 500, 1 << 25
"""Files of a folder that one child parses, and their bytes."""


def kind_of(head: bytes) -> str:
    """The kind of message file that begins with ``head``, one of MESSAGES, or '' for any other file."""
    if is_dicom(head):
        return DICOM
    head = in_bytes(head)
    if head.lstrip(_BLANK[:-1]).startswith(_EMPTY_FRAME):
        return HL7
    head = head.lstrip(_BLANK)
    if _HL7.match(head) or _LOGGED_HL7.match(head):
        return HL7
    return FHIR if is_fhir(head) else ""


def read_messages(kind: str, path: Path, file: str, progress: Progress) -> Table:
    """The table of one file of messages.

    A file of HL7 may be of any size: it is read in pieces of whole messages, each parsed by a child of its own.

    Raises:
        InputError: it cannot be read, is damaged as a whole, or exceeds a limit.
        Cancelled: by ``progress``.
    """
    tables: list[Table] = []
    position = 0
    with inputs.reading(path, file) as opened:
        pieces = pieces_of(inputs.parts_of(opened, progress)) if kind == HL7 else _whole(opened, file, progress)
        for piece in pieces:
            tables += [table.moved(position) for table in parse(kind, piece, file, progress)]
            position = max((line for table in tables for line in table.places), default=position)
    return stacked(_checked(tables, file), file, FIELDS_OF_MESSAGES)


def _checked(tables: list[Table], file: str) -> list[Table]:
    """The tables of a file, with what is wrong with its batches in the last of them."""
    for fault in list(of_batches(tables, file)):
        (tables[-1].doubts if fault.reason in reasons.HELD else tables[-1].faults).append(fault)
    return tables


def of_batches(tables: Sequence[Table], file: str) -> Iterator[Fault]:
    """What is wrong with the batches of a file, the tables of whose pieces follow one another.

    The end of a file may count its batches, or its messages.  The last message of a batch that does not end may not be
    whole: that is a doubt (:data:`radcal.ingest.reasons.HELD`).
    """
    none = [fault.row for table in tables for fault in table.faults if fault.reason == reasons.BETWEEN_MESSAGES]
    last = max((line for table in tables for line in table.places), default=0)

    def messages(start: int, end: int) -> int:
        return end - start - sum(start < at <= end for at in none)

    def compared(at: int, counted: int, there: tuple[int, ...]) -> Iterator[Fault]:
        if counted >= 0 and counted not in there:
            reason = reasons.BATCH_SHORT if counted > max(there) else reasons.BATCH_LONG
            yield Fault(file, max(at, 1), reason)

    def left_open(at: int) -> Iterator[Fault]:
        yield Fault(file, max(at, 1), reasons.BATCH_OPEN)
        yield Fault(file, max(at, 1), reasons.OF_DOUBT[reasons.Doubt.UNENDED])

    begun: dict[str, int] = {}
    file_start = batch_start = batches = 0
    for at, mark in (mark for table in tables for mark in table.marks):
        if mark.segment in begun:
            yield from left_open(at)
        if mark.segment == "FHS":
            begun, file_start, batch_start, batches = {"FHS": at}, at, at, 0
        elif mark.segment == "BHS":
            begun["BHS"] = batch_start = at
        elif mark.segment == "BTS":
            yield from compared(at, mark.count, (messages(batch_start, at),))
            begun.pop("BHS", None)
            batch_start, batches = at, batches + 1
        else:
            yield from compared(at, mark.count, (batches + ("BHS" in begun), messages(file_start, at)))
            begun, file_start, batch_start, batches = {}, at, at, 0
    if begun:
        yield from left_open(last)


def _whole(opened: BinaryIO, file: str, progress: Progress) -> Iterator[bytes]:
    data = bytearray()
    for part in inputs.parts_of(opened, progress):
        data += part
        if len(data) > LARGEST:
            raise InputError(
                "{file} is too large: RadCal reads files of messages of up to {largest:,} MB. Split it into several "
                "files.",
                file=file,
                largest=LARGEST >> 20,
            )
    yield bytes(data)


def pieces_of(parts: Iterable[bytes], most: int = PIECE) -> Iterator[bytes]:
    """A file of HL7 messages in pieces of whole messages, of about ``most`` bytes.

    A message that is longer is cut off, so that no more than two pieces are in memory, whatever the file holds.
    """
    kept = bytearray()
    skipping = False
    for part in parts:
        kept += part
        if skipping and not (start := _first_start(kept, 0)):
            del kept[:-_MARK]
            continue
        if skipping:
            del kept[:start]
            skipping = False
        while len(kept) > most + len(_MSH) and not skipping:
            start = _last_start(kept, most)
            yield bytes(kept[: start or most])
            start = start or _first_start(kept, most - _BOM)
            skipping = not start
            del kept[: start or -_MARK]
    if kept and not skipping:
        yield bytes(kept)


_MSH, _BOM = b"MSH", 3
"""The name of the segment that begins a message, and the bytes of a byte order mark in UTF-8."""
_START = re.compile(rb"(?:[\r\n\x1c\x00]\x0b?|\x0b|\xef\xbb\xbf)(?=MSH[^\w\s])")


def _first_start(data: bytearray, begin: int) -> int:
    """Where the first message begins of those that begin behind ``begin``; 0 if none does."""
    found = _START.search(data, begin)
    if found is None:
        return 0
    end = found.end()
    return end - (data[end - 1] == _FRAME and end > 1)


def _last_start(data: bytearray, end: int) -> int:
    """Where the last message begins that begins at ``end`` at the latest and is not the first; 0 if none does."""
    while (at := data.rfind(_MSH, 2, end + len(_MSH))) > 0:
        if _START.match(data, at - 1) or _START.match(data, max(0, at - _BOM)):
            return at - (data[at - 1] == _FRAME)
        end = at - 1
    return 0


def is_message_folder(folder: Path) -> bool:
    """Whether a path is a folder without a table that holds files of messages, in whatever subfolder.

    Raises:
        InputError: the folder cannot be read.
    """
    if not inputs.is_folder(folder) or not has_no_table(folder):
        return False
    for path in _files(folder):
        with suppress(InputError):  # it is listed as unreadable
            if kind_of_file(path):
                return True
    return False


def read_message_folder(folder: Path, label: str, progress: Progress) -> Table:
    """The messages of all files of a folder and its subfolders as one table; ``files`` names the file of each row.

    A file that has the suffix of a message and is none, or cannot be read, is a fault.

    Args:
        label: name of the folder in messages and lists of rows

    Raises:
        InputError: the folder cannot be read.
        Cancelled: by ``progress``.
    """
    tables: dict[str, Table] = {}
    batches: dict[str, _Batch] = {}
    images = 0
    for path in _files(folder):
        progress.raise_if_cancelled()
        name = f"{label}/{path.relative_to(folder).as_posix()}"
        try:
            with inputs.reading(path, name) as opened:
                head = opened.read(HEAD)
            kind = kind_of(head)
            if kind == DICOM and not is_document(head):
                images += not is_directory(head)
                continue
            tables[name] = Table(name, [], [])  # keeps the order of the files
            if not kind:
                if path.suffix.lower() in SUFFIXES:
                    tables[name].faults.append(Fault(name, 1, reasons.NO_MESSAGE))
                continue
            if path.stat().st_size > (LARGEST if kind in TOGETHER else PIECE):
                tables[name] = _large(kind, path, name, progress)
                continue
            data = inputs.read_bytes(path, progress)
        except (InputError, OSError):
            tables[name] = Table(name, [], [], [Fault(name, 1, reasons.UNREADABLE)])
            continue
        if kind in batches and batches[kind].is_full(kind, len(data)):
            tables.update(_parsed(kind, batches.pop(kind).files, progress))
        batches.setdefault(kind, _Batch()).add(name, data)
    for kind, batch in batches.items():
        tables.update(_parsed(kind, batch.files, progress))
    whole = stacked(list(tables.values()), label, FIELDS_OF_MESSAGES)
    if images:
        whole.notes.append(
            Text(
                "{folder}: a DICOM file that is no report was left out.",
                many="{folder}: {n:,} DICOM files that are no reports were left out.",
                folder=label,
                n=images,
            )
        )
    return whole


class _Batch:
    """Files of one kind that one child parses."""

    def __init__(self) -> None:
        self.files: list[tuple[str, bytes]] = []
        self._size = 0

    def add(self, name: str, data: bytes) -> None:
        self.files.append((name, data))
        self._size += len(data)

    def is_full(self, kind: str, size: int) -> bool:
        """Whether ``size`` more bytes go into a batch of their own; files that refer to each other stay together."""
        if kind in TOGETHER:
            return self._size + size > LARGEST
        return len(self.files) == _BATCH_FILES or self._size + size > _BATCH_BYTES


def _large(kind: str, path: Path, name: str, progress: Progress) -> Table:
    """The table of a file that is parsed alone; a fault if it cannot be."""
    try:
        return read_messages(kind, path, name, progress)
    except InputError:
        return Table(name, [], [], [Fault(name, 1, reasons.TOO_COSTLY)], unit=unit_in(kind))


def _parsed(kind: str, batch: Sequence[tuple[str, bytes]], progress: Progress) -> dict[str, Table]:
    return {table.file: _checked([table], table.file)[0] for table in parse_messages(kind, batch, progress)}


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder and its subfolders in order, without hidden ones."""
    for path in inputs.files_of(folder):
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def kind_of_file(path: Path, name: str = "") -> str:
    """The kind of a file by its content, as of :func:`kind_of`.

    Raises:
        InputError: it cannot be read.
    """
    with inputs.reading(path, name) as opened:
        return kind_of(opened.read(HEAD))
