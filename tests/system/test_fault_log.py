"""The file of the log of faults: its owner's alone, small, of whole lines, where IT wants it, and never in the way."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

import pytest

from radcal.system import faults, policy

posix = pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX")


@posix
def test_the_log_is_its_owners_alone(fault_log: Path) -> None:
    before = os.umask(0)
    try:
        faults.record(ValueError(), "radcal run")
    finally:
        os.umask(before)
    assert stat.S_IMODE(fault_log.stat().st_mode) == 0o700
    for file in fault_log.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_log_stays_small_and_keeps_the_latest(fault_log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "MOST_BYTES", 4000)
    for n in range(400):
        faults.child_ended("radcal.findings.model.worker", n)
    files = {file.name: file.stat().st_size for file in fault_log.iterdir()}
    assert set(files) == {"faults.log", "faults.log.1", "faults.log.2", "faults.log.3"}
    assert max(files.values()) <= 4000
    ends = [int(entry.rpartition(" ")[2]) for entry in faults.entries()]
    assert ends == [*range(400 - len(ends), 400)]
    assert len(ends) > 50


def test_the_same_fault_over_and_over_does_not_wash_out_the_others(fault_log: Path) -> None:
    faults.child_ended("radcal.findings.model.worker", 1)
    for _ in range(1000):
        faults.record(ValueError(), "window")
    found = faults.entries()
    assert len(found) == 11
    assert "512 times by then" in found[-1]


_WRITER = """
import sys
from radcal.system import faults
for n in range(150):
    faults.child_ended("radcal.findings.model.worker", int(sys.argv[1]) * 1000 + n)
"""


def test_two_programs_at_once_lose_nothing(fault_log: Path) -> None:
    environment = {**os.environ, "XDG_STATE_HOME": str(fault_log.parent)}
    command = [sys.executable, "-c", _WRITER]
    running = [
        subprocess.Popen([*command, str(n)], env=environment, cwd=Path(__file__).parents[2])  # noqa: S603 - our own
        for n in (1, 2)
    ]
    assert [child.wait(120) for child in running] == [0, 0]
    ends = [int(entry.rpartition(" ")[2]) for entry in faults.entries()]
    for n in (1000, 2000):
        assert [end for end in ends if n <= end < n + 1000] == [n + k for k in range(150)]


@pytest.mark.parametrize("call", ["mkdir", "open", "write"])
@pytest.mark.parametrize("code", [errno.EACCES, errno.ENOSPC, errno.EROFS])
def test_a_log_that_cannot_be_written_stops_nothing(
    fault_log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], call: str, code: int
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        if call == "mkdir":
            patch.setattr(Path, "mkdir", refuse)
        elif call == "open":
            patch.setattr(os, call, refuse)
        else:
            patch.setattr(RotatingFileHandler, "format", refuse)  # in emit, as writing is
        faults.record(ValueError(), "radcal run")
    assert capsys.readouterr().err == ""
    assert faults.entries() == []
    faults.record(ValueError(), "radcal run")  # and goes on when it can
    assert len(faults.entries()) == 1


@posix
def test_a_link_in_the_place_of_the_log_is_not_followed(fault_log: Path, tmp_path: Path) -> None:
    fault_log.mkdir(parents=True)
    target = tmp_path / "precious"
    target.write_text("kept", encoding="utf-8")
    (fault_log / "faults.log").symlink_to(target)
    faults.record(ValueError(), "radcal run")
    assert target.read_text("utf-8") == "kept"


@pytest.mark.skipif(os.name != "posix", reason="named pipes and owners of POSIX")
def test_what_somebody_else_put_in_the_place_of_the_log_neither_stops_nor_gets_an_entry(
    fault_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault_log.mkdir(parents=True)
    os.mkfifo(fault_log / "faults.log")
    reader = os.open(fault_log / "faults.log", os.O_RDONLY | os.O_NONBLOCK)
    faults.record(ValueError(), "radcal run")
    assert os.read(reader, 100) == b""
    os.close(reader)
    faults.record(ValueError(), "radcal review")  # nobody reads the pipe, which would wait
    (fault_log / "faults.log").unlink()
    (fault_log / "faults.log").touch()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    faults.record(ValueError(), "radcal ask")
    assert (fault_log / "faults.log").read_bytes() == b""


# --- policy of IT ----------------------------------------------------------------------------------


def test_it_may_turn_the_log_off_or_put_it_elsewhere(
    fault_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_force(**locked: object) -> None:
        monkeypatch.setattr(policy, "in_use", lambda: policy.Policy(Path("/p"), {}, locked))

    in_force(fault_log="off")
    faults.record(ValueError(), "radcal run")
    assert faults.folder() is None
    assert faults.entries() == []
    in_force(fault_log_folder=str(tmp_path / "all"))
    monkeypatch.setattr(faults, "_user", lambda: "avery")
    faults.record(ValueError(), "radcal run")
    assert len(faults.entries()) == 1
    assert (tmp_path / "all" / "avery" / "faults.log").is_file()
    assert not fault_log.exists()

    def broken() -> None:
        raise policy.PolicyFault("broken")

    monkeypatch.setattr(policy, "in_use", broken)
    faults.record(ValueError(), "radcal run")
    assert len(faults.entries()) == 1
    assert fault_log.is_dir()


def test_no_variable_names_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "in_use", lambda: policy.Policy(Path("/p"), {}, {"fault_log_folder": str(tmp_path)}))
    told = faults.folder()
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, str(tmp_path.parent / "elsewhere"))
    assert faults.folder() == told
    assert told is not None
    assert told.parent == tmp_path
