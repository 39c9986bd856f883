"""Foreign files are parsed in a child that cannot harm this process: it always ends in tables or a message."""

from __future__ import annotations

import datetime as dt
import io
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import radcal
from radcal.reports import parsing, parsing_child, reasons
from radcal.reports.formats import Limits, Row, named
from radcal.reports.parsing import parse, parse_messages
from radcal.reports.reasons import Flaw, Reason
from radcal.reports.table import Table
from radcal.system import processes
from radcal.system.errors import Cancelled, EngineError, InputError
from radcal.system.progress import Silent

from .hostile_parsers import format_of

MB = 1 << 20
CANARY = "Kanarienvogel"

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel of Linux")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are those of POSIX")


CHILD = (
    f"import sys; sys.path[:0] = {[str(Path(radcal.__file__).parents[1]), str(Path(__file__).parent)]!r}; "
    "import hostile_parsers; hostile_parsers.FORMAT = hostile_parsers.format_of(sys.argv[1]); "
    "sys.modules['radcal.reports.formats.hostile'] = hostile_parsers; "
    "from radcal.system.processes import run_child; run_child('radcal.reports.parsing_child')"
)


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Table]]:
    """Runs a function of hostile_parsers.py as the parser of a file, as that of a format."""

    def run(name: str, data: bytes = b"", limits: Limits | None = None, progress: Silent | None = None) -> list[Table]:
        command = [sys.executable, "-I", "-c", CHILD, name]
        monkeypatch.setattr(processes, "child_command", lambda _: command)
        return parse(format_of(name), data, "march.xlsx", progress or Silent(), limits)

    return run


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The children that were started."""
    children = []
    start = subprocess.Popen

    def noted(*args: Any, **more: Any) -> subprocess.Popen[bytes]:
        children.append(start(*args, **more))
        return children[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    return children


def test_empty_folders_of_killed_programs_are_removed(
    hostile: Callable[..., list[Table]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    old, used, new, other = (tmp_path / f"radcal-{name}" for name in ("parsing-a", "parsing-b", "parsing-c", "d"))
    for folder in (old, used, new, other):
        folder.mkdir()
    (used / "somebody's").touch()
    for folder in (old, used, other):
        os.utime(folder, (0, 0))
    hostile("echo", b"No edema.")
    assert sorted(tmp_path.iterdir()) == sorted((used, new, other))


def test_cells_of_every_kind_come_as_they_are_and_blanks_at_the_end_do_not(hostile: Callable[..., list[Table]]) -> None:
    first, second = hostile("echo", b"No edema.")
    assert (first.file, first.rows, first.lines, first.trimmed) == ("march.xlsx", [["No edema.", "", 0]], [1], True)
    assert second.lines == [7, 8, 9]
    assert second.rows == [
        ["\ud800\u2028\n\0", True, 1, 1.5, 10**30],
        [dt.datetime(2024, 3, 31, 14, 5, 6, 7), dt.date(2024, 2, 29), dt.time(23, 59, 59)],
        [dt.timedelta(days=-1, microseconds=3)],
    ]
    assert [type(cell) for row in second.rows for cell in row] == [
        *(str, bool, int, float, int),
        *(dt.datetime, dt.date, dt.time, dt.timedelta),
    ]


def moody(hostile: Callable[..., list[Table]], *files: bytes) -> list[tuple[str, list[str], list[tuple[int, Reason]]]]:
    """What is read of files of messages by one child: the name, texts and faults of each."""
    hostile("moody")  # has the child run this parser
    tables = parse_messages(format_of("moody"), [(f"f{n}", data) for n, data in enumerate(files)], limits=Limits(cpu=1))
    return [
        (t.file, [str(row[1]) for row in t.rows if row[0] == "A1"], [(f.row, f.reason) for f in t.faults])
        for t in tables
    ]


def test_one_child_reads_several_files_of_messages(
    hostile: Callable[..., list[Table]], started: list[subprocess.Popen[bytes]]
) -> None:
    assert moody(hostile, b"one", b"two") == [
        ("f0", ["one"], [(2, reasons.OF_FLAW[Flaw.NO_TEXT])]),
        ("f1", ["two"], [(2, reasons.OF_FLAW[Flaw.NO_TEXT])]),
    ]
    assert len(started) == 2  # the first by the helper


@pytest.mark.slow
def test_a_message_file_that_cannot_be_read_is_a_fault_and_keeps_nobody_from_being_read(
    hostile: Callable[..., list[Table]],
) -> None:
    whole = [(2, reasons.OF_FLAW[Flaw.NO_TEXT])]
    assert moody(hostile, b"one", b"refuse", b"fail", b"two") == [
        ("f0", ["one"], whole),
        ("f1", ["refuse"], [(2, reasons.OF_FLAW[Flaw.PROTECTED])]),
        ("f2", ["fail"], [(2, reasons.OF_FLAW[Flaw.DAMAGED])]),
        ("f3", ["two"], whole),
    ]
    assert moody(hostile, b"one", b"crash", b"two", b"spin") == [
        ("f0", ["one"], whole),
        ("f1", [], [(1, reasons.HARMFUL)]),
        ("f2", ["two"], whole),
        ("f3", [], [(1, reasons.TOO_COSTLY)]),
    ]


_cells = st.one_of(
    st.text(st.characters()), st.integers(), st.floats(allow_nan=False), st.booleans(),
    st.datetimes(), st.dates(), st.times(), st.timedeltas(),
)  # fmt: skip


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 10**6), st.lists(_cells, max_size=4)), max_size=500))
def test_what_is_said_is_what_is_heard(rows: list[Row]) -> None:
    filled = [(table, line, list(cells)) for table, line, cells in rows]
    for *_, cells in filled:
        while cells and not str(cells[-1]).strip():
            cells.pop()
    filled = [row for row in filled if row[2]]
    channel = io.BytesIO()
    parsing_child._say(channel, parsing_child._messages(lambda _: iter(rows), [b""], 10**6))
    *batches, end = [parsing._message(line) for line in channel.getvalue().splitlines()]
    heard = [parsing._row(row) for batch in batches for row in batch]
    assert heard == filled
    assert [list(map(type, cells)) for *_, cells in heard] == [list(map(type, cells)) for *_, cells in filled]
    assert end == ["end", len(filled)]


@pytest.mark.parametrize(
    ("name", "limits", "reason"),
    [
        ("allocate", Limits(memory=256 * MB), "needs more memory than RadCal gives one file"),
        pytest.param("spin", Limits(cpu=1), "took too long to read", marks=pytest.mark.slow),
        ("sleep", Limits(seconds=0), "took too long to read"),
        ("grumble", Limits(seconds=0), "took too long to read"),
        ("chatter", Limits(output=MB), "its cells hold more than 1 MB of text"),
        ("wide", Limits(cells=10_000), "Sheet 3 of march.xlsx is too large: it spans more than 10,000 cells"),
        ("babble", Limits(output=MB), "its cells hold more than 1 MB of text"),
        ("leave", None, "made the process that read it break down"),
        ("fault", None, "made the process that read it break down"),
        ("fail", None, "is damaged"),
        ("odd", None, "is damaged"),
        ("nowhere", None, "made the process that read it break down"),
    ],
)
def test_a_parser_that_does_harm_costs_its_file_alone(
    name: str,
    limits: Limits | None,
    reason: str,
    hostile: Callable[..., list[Table]],
    started: list[subprocess.Popen[bytes]],
) -> None:
    with pytest.raises(InputError) as caught:
        hostile(name, CANARY.encode(), limits)
    assert reason in str(caught.value)
    assert "march.xlsx" in str(caught.value)
    assert CANARY not in str(caught.value)
    assert caught.value.__suppress_context__  # a traceback would show the child's output
    assert [child.poll() is None for child in started] == [False]


@pytest.mark.parametrize(
    "said",
    [
        b"", b"\n", b"{}\n", b"null\n", b"[[1,1,[null]]]\n", b"[[1,1,[[]]]]\n", b"[[1,true,['x']]]\n",
        b"[[0,1,[]]]\n", b"[[1,-1,[]]]\n", b"[[1,1,[{}]]]\n", b'[[1,1,[{"datetime":"soon"}]]]\n',
        b'[[1,1,[{"datetime":1}]]]\n', b'[[1,1,[{"microseconds":1e99}]]]\n',
        b'[[1,1,[{"microseconds":' + b"9" * 40 + b"}]]]\n", b'[[1,1,["x"]]]\n["end",2]\n', b'["end",true]\n',
        b'["refused","' + CANARY.encode() + b'",1]\n', b"[" * 50_000 + b"\n", b"9" * 5000 + b"\n", b"\xff\n",
        b'[[1,1,["x"]]]', b'[[1,1,"tired"]]\n', b'[[1,0,"no text"]]\n', b'[[true,1,"no text"]]\n', b'[[1,1,1]]\n',
    ],
)  # fmt: skip
def test_what_the_child_says_is_read_strictly(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import os, sys; os.write(1, bytes.fromhex(sys.argv[1]))"
    monkeypatch.setattr(processes, "child_command", lambda _: [sys.executable, "-I", "-S", "-c", code, said.hex()])
    with pytest.raises(InputError, match=r"march\.xlsx made the process that read it break down") as caught:
        parse(named("excel"), b"", "march.xlsx")
    assert CANARY not in str(caught.value)


def test_the_child_is_alone(
    hostile: Callable[..., list[Table]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "numpy.py").write_text(f"raise SystemExit('{CANARY}')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("RADCAL_PASSPHRASE", CANARY)
    monkeypatch.setenv("HOME", str(tmp_path))
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    [table] = hostile("surroundings")
    place, environment, path, modules, *attempts = table.rows
    folder, mode, content, pid, session = place
    assert Path(str(folder)).parent == temporary
    assert (mode, content, pid == session) == ("0o40700", "[]", True)
    assert list(temporary.iterdir()) == []
    assert set(environment[1:]) <= {"LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH"}
    assert str(tmp_path) not in path
    assert "" not in path
    assert modules == ["modules"]
    refused = {str(what): how for what, how in attempts}
    assert (refused["_write"], refused["_open_many"]) == ("OSError", "OSError")
    if os.geteuid() != 0:  # root may start any number of processes
        assert refused["_start"] == "BlockingIOError"


def test_nothing_that_the_child_started_outlives_it(hostile: Callable[..., list[Table]], tmp_path: Path) -> None:
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(InputError, match="break down"):
            hostile("brood", str(pipe).encode())
        assert os.read(reading, 100) == b"alive"
        # End of file: no writer is left.
        assert select.select([reading], [], [], 60)[0]
        assert os.read(reading, 100) == b""
    finally:
        os.close(reading)


def test_a_stop_ends_the_child(hostile: Callable[..., list[Table]], started: list[subprocess.Popen[bytes]]) -> None:
    stopping = Mock(spec=Silent, raise_if_cancelled=Mock(side_effect=[None, None, Cancelled]))
    with pytest.raises(Cancelled):
        hostile("sleep", progress=stopping)
    assert started[0].returncode == -signal.SIGKILL


def test_a_child_that_does_not_take_the_file_is_no_deadlock(hostile: Callable[..., list[Table]]) -> None:
    with pytest.raises(InputError, match="took too long"):
        hostile("sleep", bytes(4 * MB), Limits(seconds=0))


@on_linux
def test_the_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    order = {"format": "hostile", "sizes": [0], "memory": 1 << 31, "cpu": 60, "cells": 1}
    parent = (
        "import json, os, subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {CHILD!r}, 'greet'], stdin=subprocess.PIPE, stdout=None)\n"
        f"child.stdin.write(json.dumps({order!r} | {{'parent': os.getpid()}}).encode() + b'\\n')\n"
        "child.stdin.flush()\n"
        "time.sleep(3600)\n"
    )
    command = [sys.executable, "-c", parent]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path) as process:  # noqa: S603 - our own words
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        process.kill()
        # The child also holds the other end: end of file means that both are gone.
        assert process.stdout.read() == b""


def test_a_child_that_is_not_its_parents_does_nothing() -> None:
    order = {"format": "excel", "sizes": [0], "memory": 1 << 31, "cpu": 60, "cells": 1, "parent": 1}
    done = subprocess.run(  # noqa: S603 - our own module
        processes.child_command(parsing.CHILD),
        input=json.dumps(order).encode() + b"\n",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"")


def test_a_child_that_cannot_be_started_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "child_command", lambda _: ["/nowhere/python"])
    with pytest.raises(EngineError, match="cannot be started: No such file"):
        parse(named("excel"), b"", "march.xlsx")
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    with pytest.raises(EngineError, match="cannot be started: No such file"):
        parse(named("excel"), b"", "march.xlsx")


def test_a_large_file_may_take_longer_and_say_more() -> None:
    small, large = Limits.of(5000), Limits.of(300 * MB)
    assert small.cpu < large.cpu < large.seconds
    assert small.output < large.output
    assert Limits.of(1 << 40) == Limits.of(1 << 50)  # but only up to a maximum
