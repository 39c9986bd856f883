from __future__ import annotations

import errno
import json
import os
import re
import signal
import socket
import sys
import types
from pathlib import Path

import pytest

from radcal.reports.storage import save_import
from radcal.workspace import database, lock
from radcal.workspace.errors import NoAccess, WorkspaceBusy, WorkspaceExists, WorkspaceInUse, WrongPassphrase
from radcal.workspace.store import Workspace

OPEN_AND_WAIT = """
import sys
from radcal.workspace.store import Workspace
from radcal.workspace.errors import WorkspaceInUse
try:
    workspace = Workspace.open(sys.argv[1], sys.argv[2])
except WorkspaceInUse as error:
    print("refused", error, flush=True)
else:
    print("open", flush=True)
    sys.stdin.read()
    workspace.close()
"""


def test_a_second_writer_is_told_who_the_first_is_and_may_read(path, ws, make):
    with pytest.raises(WorkspaceInUse) as caught:
        Workspace.open(path, make.passphrase)
    holder = caught.value.holder
    assert (holder.host, holder.pid, holder.user) == (socket.gethostname(), os.getpid(), lock.current_user())
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", holder.since)
    assert f"department.radcal is open in another RadCal ({holder.user} on {holder.host} since" in str(caught.value)
    assert "for reading only" in str(caught.value)
    with Workspace.open(path, make.passphrase, read_only=True) as reader:
        ws.set_meta("a", "b")
        assert reader.get_meta("a") == "b"
    ws.set_meta("a", "c")  # the lock is still held after the reader has closed
    with pytest.raises(WorkspaceInUse):
        Workspace.open(path, make.passphrase)
    ws.close()
    Workspace.open(path, make.passphrase).close()


WRITE_AT_ONCE = """
import sys
from pathlib import Path
from radcal.workspace.errors import WorkspaceBusy
from radcal.workspace import database
database.BUSY_SECONDS = 0.0
other = database.Database(Path(sys.argv[1]), sys.argv[2])
try:
    with other.transaction():
        print("wrote")
except WorkspaceBusy:
    print("waits")
"""


def test_a_wrong_passphrase_tried_while_something_is_written_lets_nobody_else_write(path, ws, make):
    """On POSIX systems, closing any descriptor of a file drops all locks of the process on it."""
    with ws._db.transaction():
        ws.set_meta("a", "b")
        for _ in range(3):
            with pytest.raises(WrongPassphrase):
                Workspace.open(path, "wrong", read_only=True)
        assert make.start(WRITE_AT_ONCE, path, make.passphrase).communicate()[0] == "waits\n"
    assert make.start(WRITE_AT_ONCE, path, make.passphrase).communicate()[0] == "wrote\n"


def test_a_link_to_the_file_leads_to_the_same_lock(path, ws, make):
    link = path.with_name("link.radcal")
    link.symlink_to(path)
    with pytest.raises(WorkspaceInUse):
        Workspace.open(link, make.passphrase)


def test_of_many_processes_that_want_it_exactly_one_gets_it_and_a_killed_one_lets_go(path, ws, make):
    ws.close()
    processes = [make.start(OPEN_AND_WAIT, path, make.passphrase) for _ in range(4)]
    try:
        answers = [p.stdout.readline() for p in processes]
        assert sorted(a.split()[0] for a in answers) == ["open", "refused", "refused", "refused"]
        winner = processes[next(i for i, a in enumerate(answers) if a.startswith("open"))]
        with pytest.raises(WorkspaceInUse, match=f"process {winner.pid}"):
            Workspace.open(path, make.passphrase)
        winner.kill()
        winner.wait()
        assert lock.lock_path(path).exists()  # left behind, but blocking nobody
        Workspace.open(path, make.passphrase).close()
        assert not lock.lock_path(path).exists()
    finally:
        for p in processes:
            p.kill()
            p.communicate()


def test_a_lock_taken_on_a_file_that_was_just_deleted_does_not_count(tmp_path, monkeypatch):
    workspace = tmp_path / "w"
    real = lock._try_lock
    tries = []

    def deleted_in_between(fd):
        tries.append(fd)
        if len(tries) == 1:
            lock.lock_path(workspace).unlink()  # like the previous holder on release
        return real(fd)

    monkeypatch.setattr(lock, "_try_lock", deleted_in_between)
    held = lock.WriterLock(workspace)
    assert len(tries) == 2
    with pytest.raises(WorkspaceInUse):
        lock.WriterLock(workspace)
    held.release()
    held.release()


def test_a_holder_who_has_not_signed_yet_is_another_radcal(tmp_path):
    workspace = tmp_path / "w"
    held = lock.WriterLock(workspace)
    for content in ("", "{", "[]", '{"user": "x"}'):
        lock.lock_path(workspace).write_text(content)
        with pytest.raises(WorkspaceInUse, match=r"another RadCal. Close it there") as caught:
            lock.WriterLock(workspace)
        assert caught.value.holder is None
    held.release()


def test_a_folder_that_cannot_lock_is_refused_rather_than_trusted(tmp_path, make, monkeypatch):
    monkeypatch.setattr(lock, "_try_lock", make.refuse(errno.ENOLCK))
    (tmp_path / "w").touch()
    with pytest.raises(NoAccess, match=r"cannot lock files .No locks available.. Move w to a local folder"):
        lock.WriterLock(tmp_path / "w")


def test_a_lock_that_cannot_be_signed_is_given_back(tmp_path, make, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", make.refuse(errno.ENOSPC))
        with pytest.raises(NoAccess, match="Free some space"):
            lock.WriterLock(tmp_path / "w")
    assert list(tmp_path.iterdir()) == []
    lock.WriterLock(tmp_path / "w").release()


def test_an_account_without_a_name_can_hold_the_lock(tmp_path, monkeypatch):
    monkeypatch.setattr("getpass.getuser", lambda: {}["nobody"])
    held = lock.WriterLock(tmp_path / "w")
    assert json.loads(lock.lock_path(tmp_path / "w").read_text())["user"] == "unknown user"
    held.release()


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX systems")
def test_whoever_may_write_the_workspace_may_lock_it(path, ws, make):
    ws.close()
    path.chmod(0o660)
    before = os.umask(0)
    try:
        with Workspace.open(path, make.passphrase):
            assert lock.lock_path(path).stat().st_mode & 0o777 == 0o660
    finally:
        os.umask(before)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the real one is used")
def test_on_windows_a_byte_behind_the_holders_name_is_locked(tmp_path, monkeypatch):
    """The Windows branch of the module, against a double of msvcrt with its documented behaviour."""
    calls = []

    def locking(fd, mode, count):
        calls.append((os.lseek(fd, 0, os.SEEK_CUR), mode, count))
        if len(calls) > 1:
            raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(sys, "platform", "win32")
    double = types.ModuleType("lock_on_windows")
    exec(compile(Path(lock.__file__).read_text(), lock.__file__, "exec"), double.__dict__)  # noqa: S102 - our own module
    monkeypatch.undo()
    held = double.WriterLock(tmp_path / "w")
    with pytest.raises(WorkspaceInUse) as caught:
        double.WriterLock(tmp_path / "w")
    assert caught.value.holder.pid == os.getpid()
    assert calls == [(1 << 20, 2, 1)] * 2
    assert (tmp_path / "w.lock").stat().st_size < 1 << 20
    held.release()


def test_a_writer_that_takes_too_long_is_named_as_the_reason(path, ws, make, monkeypatch):
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    with Workspace.open(path, make.passphrase, read_only=True) as reader:
        ws._db.execute("BEGIN EXCLUSIVE")
        with pytest.raises(WorkspaceBusy, match=r"Another RadCal is using department.radcal"):
            reader.reports()
        ws._db.execute("ROLLBACK")
        assert len(reader.reports()) == 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX")
def test_a_reader_in_the_middle_of_reading_delays_the_writer_but_loses_it_nothing(path, ws, make, monkeypatch):
    ws.close()
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    with (
        Workspace.open(path, make.passphrase) as writer,
        Workspace.open(path, make.passphrase, read_only=True) as reader,
    ):
        with reader._db.transaction(write=False):
            assert len(reader.reports()) == 0
            with pytest.raises(WorkspaceBusy):
                save_import(writer, make.imp({"xray:1": "Clear lungs."}))
        assert len(writer.reports()) == 0
        save_import(writer, make.imp({"xray:1": "Clear lungs."}))
        assert len(reader.reports()) == 1


def test_a_file_that_came_while_the_lock_was_awaited_is_not_overwritten(path, ws, make, monkeypatch):
    """Between the first check and the lock, somebody else creates and closes the workspace."""
    ws.close()
    whole = path.read_bytes()
    path.unlink()

    class Late(lock.WriterLock):
        def __init__(self, workspace: Path) -> None:
            path.write_bytes(whole)
            super().__init__(workspace)

    monkeypatch.setattr("radcal.workspace.store.WriterLock", Late)
    with pytest.raises(WorkspaceExists):
        Workspace.create(path, "another passphrase")
    monkeypatch.undo()
    assert path.read_bytes() == whole
    assert not lock.is_in_use(path)
