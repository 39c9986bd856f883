"""Harmful parsers, run in the child as those of a format; see test_parsing.py."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from radcal.reports.formats import Flawed, Format, Refused, Row, Why
from radcal.reports.reasons import Flaw


def echo(data: bytes) -> Iterator[Row]:
    """Its input, a blank row, and cells of every kind."""
    yield 1, 1, [data.decode(), "", 0, "  ", ""]
    yield 1, 2, ["", " "]
    yield 2, 7, ["\ud800\u2028\n\0", True, 1, 1.5, 10**30]
    yield 2, 8, [dt.datetime(2024, 3, 31, 14, 5, 6, 7), dt.date(2024, 2, 29), dt.time(23, 59, 59)]
    yield 2, 9, [dt.timedelta(days=-1, microseconds=3)]


def allocate(_data: bytes) -> Iterator[Row]:
    """Take all memory."""
    kept = []
    while True:
        kept.append(bytearray(1 << 24))
        yield 1, len(kept), ["x"]


def spin(_data: bytes) -> Iterator[Row]:
    """Compute forever."""
    while True:
        pass
    yield 1, 1, []


def sleep(_data: bytes) -> Iterator[Row]:
    """Wait forever."""
    time.sleep(3600)
    yield 1, 1, []


def greet(data: bytes) -> Iterator[Row]:
    """Greet the parent, and wait forever."""
    os.write(1, b"here\n")
    yield from sleep(data)


def chatter(_data: bytes) -> Iterator[Row]:
    """Endless rows."""
    line = 0
    while True:
        line += 1
        yield 1, line, ["x" * 1000]


def wide(_data: bytes) -> Iterator[Row]:
    """Few bytes, many cells."""
    while True:
        yield 3, 1, [*[""] * 1000, 1]


def babble(_data: bytes) -> Iterator[Row]:
    """Endless bytes without a message or even a line."""
    while True:
        os.write(1, b"[[[[" * 10_000)
    yield 1, 1, []


def grumble(_data: bytes) -> Iterator[Row]:
    """Endless bytes on the error channel."""
    while True:
        os.write(2, b"memory allocation of nothing\n" * 1000)
    yield 1, 1, []


def leave(_data: bytes) -> Iterator[Row]:
    """Exit as if all were well."""
    yield 1, 1, ["half"]
    sys.stdout.buffer.flush()
    os._exit(0)


def fault(_data: bytes) -> Iterator[Row]:
    """Crash like a library in C."""
    os.kill(os.getpid(), signal.SIGSEGV)
    yield 1, 1, []


def fail(data: bytes) -> Iterator[Row]:
    """Raise an exception that no parser should, with text of the file."""
    raise KeyboardInterrupt(data.decode())
    yield 1, 1, []


def odd(_data: bytes) -> Iterator[Row]:
    """A cell of an unknown type."""
    yield 1, 1, [b"bytes"]  # type: ignore[list-item]


def moody(data: bytes) -> Iterator[Row | Flawed]:
    """Messages by what their files hold: a report and a flaw, a crash, no end, or an exception after a report."""
    yield 1, 0, ["accession", "text"]
    if data == b"crash":
        yield from fault(data)
    if data == b"spin":
        yield from spin(data)
    yield 1, 1, ["A1", data.decode()]
    if data == b"refuse":
        raise Refused(Why.PROTECTED)
    if data == b"fail":
        raise KeyboardInterrupt(data.decode())
    yield 1, 2, Flaw.NO_TEXT


def surroundings(_data: bytes) -> Iterator[Row]:
    """The surroundings of the child, and the outcome of forbidden actions."""
    here = Path.cwd()
    yield 1, 1, [str(here), oct(here.stat().st_mode), str(list(here.iterdir())), os.getpid(), os.getsid(0)]
    yield 1, 2, ["environment", *sorted(os.environ)]
    yield 1, 3, ["path", *sys.path]
    yield 1, 4, ["modules", *(m for m in ("numpy", "pandas") if m in sys.modules)]
    for line, attempt in enumerate((_write, _open_many, _start), start=5):
        try:
            attempt(here)
        except OSError as error:
            yield 1, line, [attempt.__name__, type(error).__name__]
        else:
            yield 1, line, [attempt.__name__, "done"]


def _write(here: Path) -> None:
    (here / "report.txt").write_text("No edema.")


def _open_many(_here: Path) -> None:
    kept = [socket.socketpair() for _ in range(100)]
    del kept


def _start(_here: Path) -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)


def brood(data: bytes) -> Iterator[Row]:
    """Start an endless process, which only root can; it holds the named pipe of this path open."""
    pipe = os.open(data.decode(), os.O_WRONLY)
    os.write(pipe, b"alive")
    with contextlib.suppress(OSError):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], pass_fds=[pipe])
    yield from leave(data)


def format_of(name: str) -> Format:
    """A format that is read by a function of this module."""
    return Format("hostile", "Hostile", (".bad",), lambda _head: False, rows=globals().get(name))
