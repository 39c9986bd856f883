"""Files of hospital messages, such as HL7: a file of them is read as one table, and so is a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from radcal.reports import reasons
from radcal.reports.folder import has_no_table
from radcal.reports.formats import FIELDS_OF_MESSAGES, HEAD, LARGEST, Format, format_of, message_formats
from radcal.reports.parsing import parse, parse_messages
from radcal.reports.table import Fault, Table, stacked
from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.text import Text

_BATCH_FILES, BATCH_BYTES = 500, 1 << 25
"""Files of a folder that one child parses, and their bytes."""


def read_messages(form: Format, path: Path, file: str, progress: Progress) -> Table:
    """The table of one file of messages.

    A file that can be cut between its messages may be of any size: each piece is parsed by a child of its own.

    Raises:
        InputError: it cannot be read, is damaged as a whole, or exceeds a limit.
    """
    tables: list[Table] = []
    position = 0
    with inputs.reading(path, file) as opened:
        parts = inputs.parts_of(opened, progress)
        for piece in form.pieces(parts) if form.pieces else _whole(opened, file, progress):
            tables += [table.moved(position) for table in parse(form, piece, file, progress)]
            position = max((line for table in tables for line in table.places), default=position)
    return stacked(tables, file, FIELDS_OF_MESSAGES)


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


def is_message_folder(folder: Path) -> bool:
    """Whether a path is a folder without a table that holds files of messages, in whatever subfolder.

    Raises:
        InputError: the folder cannot be read.
    """
    if not inputs.is_folder(folder) or not has_no_table(folder):
        return False
    for path in _files(folder):
        with suppress(InputError):  # it is listed as unreadable
            if message_format_of(path):
                return True
    return False


def read_message_folder(folder: Path, label: str, progress: Progress) -> Table:
    """The messages of all files of a folder and its subfolders as one table; ``files`` names the file of each row.

    A file that has the suffix of a message and is none, or cannot be read, is a fault.

    Args:
        label: name of the folder in messages and lists of rows

    Raises:
        InputError: the folder cannot be read.
    """
    tables: dict[str, Table] = {}
    batches: dict[Format, _Batch] = {}
    left_out: dict[Format, int] = {}
    usual = {suffix for form in message_formats() for suffix in form.suffixes}
    for path in _files(folder):
        progress.raise_if_cancelled()
        name = f"{label}/{path.relative_to(folder).as_posix()}"
        try:
            with inputs.reading(path, name) as opened:
                head = opened.read(HEAD)
            form = format_of(head)
            if form is not None and not form.may_be_report(head):
                left_out[form] = left_out.get(form, 0) + 1
                continue
            tables[name] = Table(name, [], [])  # keeps the order of the files
            if form is None or not form.has_messages:
                if path.suffix.lower() in usual:
                    tables[name].faults.append(Fault(name, 1, reasons.NO_MESSAGE))
                continue
            if path.stat().st_size > (LARGEST if form.together else BATCH_BYTES):
                tables[name] = _large(form, path, name, progress)
                continue
            data = inputs.read_bytes(path, progress)
        except (InputError, OSError):
            tables[name] = Table(name, [], [], [Fault(name, 1, reasons.UNREADABLE)])
            continue
        if form in batches and batches[form].is_full(form, len(data)):
            tables.update(_parsed(form, batches.pop(form).files, progress))
        batches.setdefault(form, _Batch()).add(name, data)
    for form, batch in batches.items():
        tables.update(_parsed(form, batch.files, progress))
    whole = stacked(list(tables.values()), label, FIELDS_OF_MESSAGES)
    for form, n in left_out.items():
        whole.notes.append(
            Text(
                "{folder}: a {title} file that is no report was left out.",
                many="{folder}: {n:,} {title} files that are no reports were left out.",
                folder=label,
                n=n,
                title=form.title,
            )
        )
    return whole


class _Batch:
    """Files of one format that one child parses."""

    def __init__(self) -> None:
        self.files: list[tuple[str, bytes]] = []
        self._size = 0

    def add(self, name: str, data: bytes) -> None:
        self.files.append((name, data))
        self._size += len(data)

    def is_full(self, form: Format, size: int) -> bool:
        """Whether ``size`` more bytes go into a batch of their own; files that refer to each other stay together."""
        if form.together:
            return self._size + size > LARGEST
        return len(self.files) == _BATCH_FILES or self._size + size > BATCH_BYTES


def _large(form: Format, path: Path, name: str, progress: Progress) -> Table:
    """The table of a file that is parsed alone; a fault if it cannot be."""
    try:
        return read_messages(form, path, name, progress)
    except InputError:
        return Table(name, [], [], [Fault(name, 1, reasons.TOO_COSTLY)], unit=form.unit)


def _parsed(form: Format, batch: Sequence[tuple[str, bytes]], progress: Progress) -> dict[str, Table]:
    return {table.file: table for table in parse_messages(form, batch, progress)}


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder and its subfolders in order, without hidden ones."""
    for path in inputs.files_of(folder):
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def message_format_of(path: Path, name: str = "") -> Format | None:
    """The format of a file of messages by its content; None of any other file.

    Raises:
        InputError: it cannot be read.
    """
    with inputs.reading(path, name) as opened:
        form = format_of(opened.read(HEAD))
    return form if form is not None and form.has_messages else None
