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
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from types import MappingProxyType
from typing import Any

from radcal.reports.formats import UNPACKED, Failure, Format, Limits, Refused, Why
from radcal.reports.reasons import HARMFUL, OF_DOUBT, OF_FLAW, REFUSALS, TOO_COSTLY, Doubt, Flaw, Unit
from radcal.reports.table import Cell, Fault, Table
from radcal.system.errors import EngineError, InputError, reason_of
from radcal.system.files import is_abandoned
from radcal.system.processes import NO_MEMORY, NO_TIME_LEFT, Child
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import is_id

CHILD = "radcal.reports.parsing_child"
_FOLDER = "radcal-parsing-"
_LOOK_SECONDS = 0.1
"""Longest wait for the child between two checks for cancellation."""
_MB, _GB = 1 << 20, 1 << 30
_FLAWS, _DOUBTS = frozenset(Flaw), frozenset(Doubt)
_SIMPLE = frozenset((str, int, float, bool, dt.datetime, dt.date, dt.time, dt.timedelta))


def parse(
    form: Format,
    data: bytes,
    file: str,
    progress: Progress = SILENT,
    limits: Limits | None = None,
    further: Mapping[str, Any] = MappingProxyType({}),
) -> list[Table]:
    """The tables of a foreign file; rows end at their last filled cell, blank rows are left out.

    Args:
        form: the format of the file
        data: the bytes of the file
        file: its name in messages and in lists of rows
        progress: checked for cancellation at least every half second
        limits: by default :meth:`Limits.of` its size
        further: of the order to the child

    Raises:
        InputError: it is damaged or protected, or exceeds a limit.
        EngineError: the child cannot be started.
    """
    limits = limits or Limits.of(len(data))
    try:
        return _parsed(form, [data], [file], progress, limits, further)
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
    tables = parse(form, data, file, progress, further={"only": position, "raw": raw})
    return tables[0] if tables else Table(file, [], [], trimmed=True)


def _parsed(
    form: Format,
    files: Sequence[bytes],
    names: Sequence[str],
    progress: Progress,
    limits: Limits,
    further: Mapping[str, Any] = MappingProxyType({}),
) -> list[Table]:
    """The tables of one file, or the table of each of several.

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
        try:
            child = Child(CHILD, folder=folder, max_bytes=limits.output)
        except OSError as error:
            raise _not_started(error) from error
        try:
            child.send(json.dumps(order).encode() + b"\n", *files)
            return _tables(child, names, form.unit, progress, limits)
        finally:
            child.kill()


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


def _not_started(error: OSError) -> EngineError:
    return EngineError("The process that reads files cannot be started: {strerror}.", strerror=reason_of(error))


def _tables(child: Child, names: Sequence[str], unit: Unit, progress: Progress, limits: Limits) -> list[Table]:
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
            line = child.receive(_LOOK_SECONDS)
        except TimeoutError:
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


def _row(row: Any) -> tuple[int, int, list[Cell] | Failure | Doubt]:
    if type(row) is list and list(map(type, row[:2])) == [int, int]:
        match row:
            case [table, line, [*cells]] if table > 0 <= line and _SIMPLE.issuperset(map(type, cells)):
                return table, line, cells
            case [table, line, str(flaw)] if table > 0 < line and flaw in _FLAWS:
                return table, line, Failure(Flaw(flaw))
            case [table, line, Failure() as failure] if table > 0 < line:
                return table, line, failure
            case [table, line, str(doubt)] if table > 0 < line and doubt in _DOUBTS:
                return table, line, Doubt(doubt)
    raise Refused(Why.CRASHED)


_TAGS: Mapping[str, Callable[[Any], Cell]] = {
    "datetime": dt.datetime.fromisoformat,
    "date": dt.date.fromisoformat,
    "time": dt.time.fromisoformat,
    "microseconds": lambda n: dt.timedelta(microseconds=n),
}


def untagged(value: Mapping[str, Any]) -> Cell | Failure:
    """The date, time or duration that the child wrote as ``{type: value}``, or the failure of a message.

    Raises:
        ValueError, OverflowError: it is none of these.
    """
    if len(value) == 1:
        [(what, written)] = value.items()
        if what in _TAGS and isinstance(written, int if what == "microseconds" else str):
            return _TAGS[what](written)
    if value.keys() == {"flaw", "accession"} and value["flaw"] in _FLAWS and isinstance(value["accession"], str):
        return Failure(Flaw(value["flaw"]), value["accession"])
    raise ValueError("no moment")


def _why_it_ended(child: Child) -> Why:
    """Why the child exited before it had finished."""
    code = child.end()
    if code == NO_TIME_LEFT:
        return Why.TIME
    starved = code == NO_MEMORY or any("memory allocation of" in line for line in child.error_lines())
    if sys.platform != "win32":
        starved = starved or code == -signal.SIGKILL  # by the system, out of memory
    return Why.MEMORY if code is not None and starved else Why.CRASHED


def _refusal(refused: Refused, form: Format, file: str, limits: Limits) -> InputError:
    return InputError(
        _REFUSALS[refused.why][form.has_messages],
        file=file,
        kind=form.file,
        table=refused.table,
        unpacked=UNPACKED // _GB,
        output=limits.output // _MB,
        cells=limits.cells,
        memory=limits.memory // _GB,
    )


_REASONS = {Why.DAMAGED: OF_FLAW[Flaw.DAMAGED], Why.PROTECTED: OF_FLAW[Flaw.PROTECTED], Why.CRASHED: HARMFUL}
_REFUSALS = {Why(why): (of_table, of_messages or of_table) for why, of_table, of_messages in REFUSALS}
