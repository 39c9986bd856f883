"""The child process that parses foreign bytes: it limits itself, reads one file, returns its cells and exits.

The parent sends a line of JSON (kind, sizes, parent, and the limits) and then the bytes of the files.  The child
answers in lines of JSON: lists of rows and flaws, and finally ``["end", n]`` with their number, or
``["refused", why, table]``.  Of several files of messages, each is a table, and one that cannot be read is a flaw.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import takewhile
from typing import Any, BinaryIO

from radcal.ingest.parsers import PARSERS, RAW, TOGETHER, Failure, Parse, ParseAll, Parsed, Refused, Why
from radcal.ingest.reasons import Flaw
from radcal.ingest.table import Cell, Mark, cell_text

NO_MEMORY = 86
"""Exit status when memory runs out."""
_BATCH = 200
_FILES = 32
"""Open files, enough for the interpreter itself."""


def main() -> None:
    """Read one file, or several files of messages, for the parent."""
    order = json.loads(sys.stdin.buffer.readline())
    _stay_beside(order["parent"])
    confine(order["memory"], order["cpu"])
    status = 0
    try:
        files = [sys.stdin.buffer.read(size) for size in order["sizes"]]
        parse = _parser(order["kind"], len(files), raw=order.get("raw", False))
        _say(sys.stdout.buffer, _messages(parse, files, order["cells"], order.get("only", 0)))
    except MemoryError:
        status = NO_MEMORY
    except OSError:  # the parent has gone
        status = 1
    # There is nothing to clean up, and freeing a large workbook would take time.
    os._exit(status)


def _parser(kind: str, n: int, *, raw: bool) -> ParseAll:
    """What reads ``n`` files of a kind, together or one by one; ``raw``: messages as they are written."""
    if n > 1 and kind in TOGETHER:
        module, _, name = TOGETHER[kind].partition(":")
        together: ParseAll = getattr(import_module(module), name)
        return together
    module, _, name = (RAW if raw else PARSERS)[kind].partition(":")
    parse: Parse = getattr(import_module(module), name)
    return (lambda files: parse(files[0])) if n == 1 else partial(_of_each, parse)


def _say(channel: BinaryIO, messages: Iterable[Any]) -> None:
    said = json.JSONEncoder(default=_tagged, separators=(",", ":"), check_circular=False).encode
    channel.writelines(said(message).encode("ascii") + b"\n" for message in messages)
    channel.flush()


def _messages(parse: ParseAll, files: Sequence[bytes], most_cells: int, only: int = 0) -> Iterator[list[Any]]:
    """The messages about the files, or about the message in one position; any exception is reduced to a code."""
    batch: list[Parsed] = []
    n = 0
    try:
        rows = parse(files)
        if only:
            rows = (row for row in takewhile(lambda row: row[1] <= only, rows) if row[1] in (0, only))
        for row in _filled(rows, most_cells):
            batch.append(row)
            n += 1
            if n % _BATCH == 0:
                yield batch
                batch = []
    except Refused as refused:
        yield ["refused", refused.why, refused.table]
        return
    except MemoryError:
        raise
    except BaseException:  # noqa: BLE001 - a Rust panic is no Exception, and its message may contain text of the file
        yield ["refused", Why.DAMAGED, 0]
        return
    if batch:
        yield batch
    yield ["end", n]


def _of_each(parse: Parse, files: Sequence[bytes]) -> Iterator[Parsed]:
    """The rows of each file as a table of its number; what follows the point at which a file is damaged is a flaw."""
    for number, data in enumerate(files, start=1):
        at = 0
        try:
            for _, at, cells in parse(data):
                yield number, at, cells
        except Refused as refused:
            protected = refused.why is Why.PROTECTED
            yield number, at + 1, Flaw.PROTECTED if protected else Flaw.DAMAGED
        except (MemoryError, GeneratorExit):
            raise
        except BaseException:  # noqa: BLE001 - as below
            yield number, at + 1, Flaw.DAMAGED


def _filled(rows: Iterable[Parsed], most_cells: int) -> Iterator[Parsed]:
    """The rows that are not blank, without the empty cells at their ends, and the flaws."""
    n = 0
    for table, line, cells in rows:
        if not isinstance(cells, list):
            yield table, line, cells
            continue
        while cells and not cell_text(cells[-1]):
            cells.pop()
        n += len(cells)
        if n > most_cells:
            raise Refused(Why.CELLS, table)
        if cells:
            yield table, line, cells


def _tagged(value: Cell | Failure | Mark) -> dict[str, str | int]:
    """A date, time, duration, failure or mark as JSON; the inverse of :func:`radcal.ingest.parsing.untagged`."""
    if isinstance(value, Failure):
        return {"flaw": value.flaw, "accession": value.accession}
    if isinstance(value, Mark):
        return {"segment": value.segment, "count": value.count}
    # A datetime is also a date.
    for name, kind in (("datetime", dt.datetime), ("date", dt.date), ("time", dt.time)):
        if isinstance(value, kind):
            return {name: value.isoformat()}
    if isinstance(value, dt.timedelta):
        return {"microseconds": value // dt.timedelta(microseconds=1)}
    raise TypeError(f"a cell cannot be a {type(value).__name__}")


def _stay_beside(parent: int) -> None:
    """Exit with the parent.  On systems other than Linux, the limits or the next write end the child."""
    if sys.platform == "linux":
        import ctypes
        import signal

        death_signal = 1  # PR_SET_PDEATHSIG of prctl(2)
        ctypes.CDLL(None).prctl(death_signal, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def confine(memory: int, cpu: int) -> None:
    """Limit this process irrevocably: memory, CPU time, no written files, few open files, no child processes.

    macOS has no memory limit; there the parent's timeout has to do.

    Args:
        memory: bytes of address space
        cpu: seconds from now on; what starting took is not the file's
    """
    if sys.platform == "win32":
        _join_job(memory, cpu)
        return
    import resource

    used = math.ceil(time.process_time())
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: used + cpu,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: _FILES,
        resource.RLIMIT_NPROC: 0,
    }
    for what, most in limits.items():
        _, hard = resource.getrlimit(what)
        # At the hard limit, SIGKILL would hide the reason.
        ceiling = most + 1 if what == resource.RLIMIT_CPU else most
        if hard != resource.RLIM_INFINITY:
            most, ceiling = min(most, hard), min(ceiling, hard)  # a hard limit cannot be raised
        try:
            resource.setrlimit(what, (most, ceiling))
        except (OSError, ValueError):
            if sys.platform == "linux":
                raise


def _join_job(memory: int, cpu: int) -> None:
    """Join a Windows job object with these limits; if that fails, the parent still limits time and output."""
    if sys.platform != "win32":
        return
    import ctypes
    from ctypes import wintypes

    class Basic(ctypes.Structure):
        _fields_ = (
            ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
            ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class Extended(ctypes.Structure):
        _fields_ = (
            ("BasicLimitInformation", Basic),
            ("IoInfo", ctypes.c_ulonglong * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    process_time, active_process, process_memory = 0x2, 0x8, 0x100
    limits = Extended()
    limits.BasicLimitInformation.LimitFlags = process_time | active_process | process_memory
    limits.BasicLimitInformation.PerProcessUserTimeLimit = cpu * 10_000_000  # in units of 100 ns
    limits.BasicLimitInformation.ActiveProcessLimit = 1
    limits.ProcessMemoryLimit = memory
    with suppress(OSError):
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
        kernel.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD)
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        job = kernel.CreateJobObjectW(None, None)
        extended_limit_information = 9
        kernel.SetInformationJobObject(job, extended_limit_information, ctypes.byref(limits), ctypes.sizeof(limits))
        kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())
