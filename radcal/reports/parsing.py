"""Foreign bytes to tables, parsed in a child process that cannot harm this one.

The child is limited in memory, time and output; it has its own working folder and an almost empty environment, writes
no file, starts no process, and ends with this process.  Its output is validated strictly and bounded in size.  A file
that exceeds a limit raises an InputError that names the limit.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory, gettempdir
from threading import Thread
from types import MappingProxyType
from typing import IO, Any

from radcal.reports.formats import UNPACKED, Failure, Format, Limits, Refused, Why
from radcal.reports.reasons import (
    DAMAGED_MESSAGE,
    HARMFUL,
    OF_DOUBT,
    OF_FLAW,
    PROTECTED_MESSAGE,
    TOO_COSTLY,
    Doubt,
    Flaw,
    Unit,
)
from radcal.reports.table import Cell, Fault, Mark, Table
from radcal.system import faults
from radcal.system.errors import EngineError, InputError, reason_of
from radcal.system.files import is_abandoned
from radcal.system.processes import NO_MEMORY, NO_TIME_LEFT, child_command, child_environment, start_child
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import is_id
from radcal.system.text import Text

CHILD = "radcal.reports.parsing_child"
_FOLDER = "radcal-parsing-"
_LOOK_SECONDS = 0.1
"""Longest wait for the child between two checks for cancellation."""
_END_SECONDS = 10.0
"""How long the child may take to exit after closing its output."""
_LAST_WORDS = 4096
_MB, _GB = 1 << 20, 1 << 30
_FLAWS, _DOUBTS = frozenset(Flaw), frozenset(Doubt)
_SEGMENTS = ("FHS", "BHS", "BTS", "FTS")
_SIMPLE = frozenset((str, int, float, bool, dt.datetime, dt.date, dt.time, dt.timedelta))


def parse(
    form: Format, data: bytes, file: str, progress: Progress = SILENT, limits: Limits | None = None
) -> list[Table]:
    """The tables of a foreign file; rows end at their last filled cell, blank rows are left out.

    Args:
        form: the format of the file
        data: the bytes of the file
        file: its name in messages and in lists of rows
        progress: checked for cancellation at least every half second
        limits: by default :meth:`Limits.of` its size

    Raises:
        InputError: it is damaged or protected, or exceeds a limit.
        EngineError: the child cannot be started.
        Cancelled: by ``progress``.
    """
    limits = limits or Limits.of(len(data))
    try:
        return _parsed(form, [data], [file], progress, limits)
    except Refused as refused:
        raise _refusal(refused, form, file, limits) from None


def parse_messages(
    form: Format, files: Sequence[tuple[str, bytes]], progress: Progress = SILENT, limits: Limits | None = None
) -> list[Table]:
    """The table of each of several files of messages, in order; all are parsed by one child.

    A file that cannot be read becomes a table of one fault.  Where the child gives up, each file gets one of its own.

    Args:
        form: their format, one of messages
        files: name and bytes of each
        progress, limits: as of :func:`parse`

    Raises:
        EngineError: the child cannot be started.
        Cancelled: by ``progress``.
    """
    within = limits or Limits.of(sum(len(data) for _, data in files))
    names = [name for name, _ in files]
    try:
        found = _parsed(form, [data for _, data in files], names, progress, within)
    except Refused as refused:
        if len(files) == 1:
            fault = Fault(names[0], 1, _REASONS.get(refused.why, TOO_COSTLY))
            return [Table(names[0], [], [], [fault], trimmed=True, unit=form.unit)]
        return [table for file in files for table in parse_messages(form, [file], progress, limits)]
    of_file = {table.file: table for table in found}
    return [of_file.get(name) or Table(name, [], [], trimmed=True, unit=form.unit) for name in names]


def parse_message(
    form: Format, data: bytes, file: str, position: int, *, raw: bool = False, progress: Progress = SILENT
) -> Table:
    """The rows and faults of one message alone, by its position in a file; arguments and errors as of :func:`parse`.

    raw: the message as it is written, of a format that can give it
    """
    limits = Limits.of(len(data))
    try:
        tables = _parsed(form, [data], [file], progress, limits, {"only": position, "raw": raw})
    except Refused as refused:
        raise _refusal(refused, form, file, limits) from None
    return tables[0] if tables else Table(file, [], [], trimmed=True)


def _parsed(
    form: Format,
    files: Sequence[bytes],
    names: Sequence[str],
    progress: Progress,
    limits: Limits,
    further: Mapping[str, Any] = MappingProxyType({}),
) -> list[Table]:
    """The tables of one file, or the table of each of several; ``further`` goes into the order to the child.

    Raises:
        Refused: by the child, or because it exceeded a limit.
    """
    size = sum(map(len, files))
    order = {
        "format": form.name,
        "sizes": [len(data) for data in files],
        "parent": os.getpid(),
        # The child holds the bytes of the files, and a library may copy them.
        "memory": limits.memory + 2 * size,
        "cpu": limits.cpu,
        "cells": limits.cells,
        **further,
    }
    with _folder() as folder:
        child = _start(folder)
        assert child.stdin is not None and child.stdout is not None  # noqa: S101, PT018 - opened at the start
        try:
            lines: SimpleQueue[bytes | None] = SimpleQueue()
            for work in (
                partial(_hand_over, child.stdin, json.dumps(order).encode() + b"\n", *files),
                partial(_receive, child.stdout, lines, limits.output),
            ):
                Thread(target=work, daemon=True).start()
            return _tables(child, lines, names, form.unit, progress, limits)
        finally:
            _kill(child)
            child.wait()
            if child.stderr is not None:
                child.stderr.close()


def _folder() -> TemporaryDirectory[str]:
    """An empty folder for the child, accessible to this user only.

    Empty folders left behind by killed processes are removed.
    """
    for left in Path(gettempdir()).glob(f"{_FOLDER}*"):
        with suppress(OSError):
            if is_abandoned(left):
                left.rmdir()
    try:
        return TemporaryDirectory(prefix=_FOLDER, ignore_cleanup_errors=True)
    except OSError as error:
        raise _not_started(error) from error


def _start(folder: str) -> subprocess.Popen[bytes]:
    try:
        return start_child(child_command(CHILD), child_environment(), folder, own_session=True)
    except OSError as error:
        raise _not_started(error) from error


def _not_started(error: OSError) -> EngineError:
    return EngineError("The process that reads files cannot be started: {strerror}.", strerror=reason_of(error))


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kill the child and all processes that it may have started."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()


def _hand_over(stream: IO[bytes], *parts: bytes) -> None:
    with suppress(OSError), stream:  # that the child is gone shows in its missing output
        for part in parts:
            stream.write(part)


def _receive(stream: IO[bytes], lines: SimpleQueue[bytes | None], most: int) -> None:
    """Queue the child's output line by line; b"" if it exceeds ``most`` bytes, None at the end."""
    with suppress(OSError), stream:
        while line := stream.readline(most + 1):
            most -= len(line)
            lines.put(line if most >= 0 else b"")
            if most < 0:
                return
    lines.put(None)


def _tables(
    child: subprocess.Popen[bytes],
    lines: SimpleQueue[bytes | None],
    names: Sequence[str],
    unit: Unit,
    progress: Progress,
    limits: Limits,
) -> list[Table]:
    """The tables that the child returns, whose lines count such units.

    Raises:
        Refused: by the child, or because it exceeded a limit.
    """
    deadline = time.monotonic() + limits.seconds
    made = _Tables(names, unit, limits.cells)
    while True:
        progress.raise_if_cancelled()
        if time.monotonic() > deadline:
            raise Refused(Why.TIME)
        try:
            line = lines.get(timeout=_LOOK_SECONDS)
        except Empty:
            if child.poll() is not None:
                _kill(child)  # and whatever else may hold its output open
            continue
        if line is None:
            raise Refused(_why_it_ended(child))
        if not line:
            raise Refused(Why.OUTPUT)
        match _message(line):
            case ["end", int(n)] if n == made.rows:
                return [table for _, table in sorted(made.tables.items())]
            case ["refused", str(why), int(number)]:
                raise Refused(Why(why) if why in tuple(Why) else Why.CRASHED, number)
            case [*batch]:
                for row in batch:
                    made.add(row)
            case _:
                raise Refused(Why.CRASHED)


class _Tables:
    """The tables that a child returns, row by row, of files of these names, with so many cells in all at most."""

    def __init__(self, names: Sequence[str], unit: Unit, most_cells: int) -> None:
        self.tables: dict[int, Table] = {}
        self.rows = 0
        self._names, self._unit = names, unit
        self._cells_left = most_cells

    def add(self, row: Any) -> None:
        """Add a row, or what is wrong with one.

        Raises:
            Refused: it is none, or one too many.
        """
        number, at, values = _row(row)
        several = len(self._names) > 1
        if several and number > len(self._names):
            raise Refused(Why.CRASHED)
        file = self._names[number - 1 if several else 0]
        if (table := self.tables.get(number)) is None:
            table = Table(file, [], [], trimmed=True, headed=at == 0, unit=self._unit, sheet=number)
            self.tables[number] = table
        self.rows += 1
        if isinstance(values, Failure):
            accession = values.accession if is_id(values.accession) else ""
            table.faults.append(Fault(file, at, OF_FLAW[values.flaw], accession))
        elif isinstance(values, Doubt):
            table.doubts.append(Fault(file, at, OF_DOUBT[values]))
        elif isinstance(values, Mark):
            table.marks.append((at, values))
        else:
            table.rows.append(values)
            table.lines.append(at)
            self._cells_left -= len(values)
            if self._cells_left < 0:
                raise Refused(Why.CELLS, number)


def _message(line: bytes) -> Any:
    try:
        return json.loads(line, object_hook=untagged)
    except (ValueError, OverflowError, RecursionError):
        raise Refused(Why.CRASHED) from None


def _row(row: Any) -> tuple[int, int, list[Cell] | Failure | Doubt | Mark]:
    if type(row) is list and list(map(type, row[:2])) == [int, int]:
        match row:
            case [table, line, [*cells]] if table > 0 <= line and _SIMPLE.issuperset(map(type, cells)):
                return table, line, cells
            case [table, line, str(flaw)] if table > 0 < line and flaw in _FLAWS:
                return table, line, Failure(Flaw(flaw))
            case [table, line, Failure() as failure] if table > 0 < line:
                return table, line, failure
            case [table, line, Mark() as mark] if table > 0 <= line:
                return table, line, mark
            case [table, line, str(doubt)] if table > 0 < line and doubt in _DOUBTS:
                return table, line, Doubt(doubt)
    raise Refused(Why.CRASHED)


_TAGS: Mapping[str, Callable[[Any], Cell]] = {
    "datetime": dt.datetime.fromisoformat,
    "date": dt.date.fromisoformat,
    "time": dt.time.fromisoformat,
    "microseconds": lambda n: dt.timedelta(microseconds=n),
}


def untagged(value: Mapping[str, Any]) -> Cell | Failure | Mark:
    """The date, time or duration that the child wrote as ``{type: value}``, the failure of a message, or a mark.

    Raises:
        ValueError, OverflowError: it is none of these.
    """
    if len(value) == 1:
        [(what, written)] = value.items()
        if what in _TAGS and isinstance(written, int if what == "microseconds" else str):
            return _TAGS[what](written)
    if value.keys() == {"flaw", "accession"} and value["flaw"] in _FLAWS and isinstance(value["accession"], str):
        return Failure(Flaw(value["flaw"]), value["accession"])
    if value.keys() == {"segment", "count"} and value["segment"] in _SEGMENTS and type(value["count"]) is int:
        return Mark(value["segment"], value["count"])
    raise ValueError("no moment")


def _why_it_ended(child: subprocess.Popen[bytes]) -> Why:
    """Why the child exited before it had finished."""
    try:
        code = child.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        faults.child_ended(CHILD, None)
        return Why.CRASHED
    faults.child_ended(CHILD, code)
    starved = b"memory allocation of" in _printed(child)
    if code == NO_TIME_LEFT:
        return Why.TIME
    if sys.platform != "win32":
        starved = starved or code == -signal.SIGKILL  # by the system, out of memory
    return Why.MEMORY if starved or code == NO_MEMORY else Why.CRASHED


def _printed(child: subprocess.Popen[bytes]) -> bytes:
    """The beginning of the child's stderr, to be searched but never shown: it may contain text of the file."""
    assert child.stderr is not None  # noqa: S101 - opened at the start
    channel = child.stderr.fileno()
    with suppress(BlockingIOError):
        if sys.platform != "win32":
            os.set_blocking(channel, False)  # another process may still have it open
        return os.read(channel, _LAST_WORDS)
    return b""


def _refusal(refused: Refused, form: Format, file: str, limits: Limits) -> InputError:
    return InputError(
        {**_REFUSALS, **_OF_MESSAGES}[refused.why] if form.has_messages else _REFUSALS[refused.why],
        file=file,
        kind=form.file,
        table=refused.table,
        unpacked=UNPACKED // _GB,
        output=limits.output // _MB,
        cells=limits.cells,
        memory=limits.memory // _GB,
    )


_REASONS = {Why.DAMAGED: DAMAGED_MESSAGE, Why.PROTECTED: PROTECTED_MESSAGE, Why.CRASHED: HARMFUL}
_REFUSALS = {
    Why.DAMAGED: Text(
        "{file} is damaged or not an Excel workbook. Open it in a spreadsheet and save it as .xlsx, or export the "
        "reports as CSV."
    ),
    Why.PROTECTED: Text("{file} is protected by a password. Save it without one and read it again."),
    Why.UNPACKED: Text(
        "{file} is too large: it unpacks to more than {unpacked:,} GB. Split it into several files, or export the "
        "reports as CSV."
    ),
    Why.OUTPUT: Text(
        "{file} is too large: its cells hold more than {output:,} MB of text. Split it into several files, or export "
        "the reports as CSV."
    ),
    Why.CELLS: Text(
        "Sheet {table} of {file} is too large: it spans more than {cells:,} cells, empty ones included. Delete the "
        "empty rows and columns between its cells, or export the reports as CSV."
    ),
    Why.MEMORY: Text(
        "{file} needs more memory than RadCal gives one file ({memory:,} GB). Open it in a spreadsheet, delete empty "
        "rows and columns, and save it as CSV."
    ),
    Why.TIME: Text(
        "{file} took too long to read and was given up. Open it in a spreadsheet, delete empty rows and columns, and "
        "save it as CSV."
    ),
    Why.CRASHED: Text(
        "{file} made the process that read it break down: it is damaged, or was made to do harm. Export the reports "
        "again; do not open the file if you do not know where it is from."
    ),
}
_OF_MESSAGES = {
    Why.DAMAGED: Text("{file} is damaged or not a whole {kind}. Export the reports again."),
    Why.UNPACKED: Text("{file} is too large: it unpacks to more than {unpacked:,} GB. Split it into several files."),
    Why.OUTPUT: Text(
        "{file} is too large: its messages hold more than {output:,} MB of text. Split it into several files."
    ),
    Why.CELLS: Text("{file} is too large: its messages hold more than {cells:,} fields. Split it into several files."),
    Why.MEMORY: Text(
        "{file} needs more memory than RadCal gives one file ({memory:,} GB). Split it into several files, and leave "
        "out pictures and documents."
    ),
    Why.TIME: Text(
        "{file} took too long to read and was given up. Split it into several files, and leave out pictures and "
        "documents."
    ),
}
"""What is said otherwise of a file of messages."""
