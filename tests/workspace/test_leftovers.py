"""Files that killed programs left beside a workspace are removed when it is next opened."""

from __future__ import annotations

import os
import sys
import time

import pytest

from radcal.system import files
from radcal.workspace.lock import lock_path
from radcal.workspace.store import Workspace

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")

KILLED = """
import os, sys
from radcal.workspace.store import Workspace
from radcal.workspace import store
path, passphrase, how = sys.argv[1:]
kill = lambda *_: os.kill(os.getpid(), 9)
if how == "made":
    def fill(made):
        made._db.execute("PRAGMA cache_size = 5")
        with made.transaction():
            for i in range(200):
                made.set_meta(str(i), "x" * 4000)
            kill()
    Workspace.create(path + "-2.radcal", passphrase, fill=fill)
else:
    store.sync = kill
    from radcal.workspace.database import Database
    database.sync = kill
    Workspace.open(path, passphrase).backup(path + "-2.radcal")
"""


@pytest.mark.parametrize("how", ["made", "copied"])
def test_parts_of_a_workspace_that_was_never_finished_go(path, ws, make, how, monkeypatch):
    ws.set_meta("whose", "ours")
    ws.close()
    killed = make.start(KILLED, path, make.passphrase, how)
    killed.communicate()
    assert killed.returncode == -9
    parts = [p for p in path.parent.iterdir() if p.name.startswith(".")]
    assert any(p.suffix == ".unfinished" for p in parts)
    monkeypatch.setattr(files, "_cleared", {})
    with Workspace.open(path, make.passphrase):
        assert all(p.exists() for p in parts), "they may be those of a RadCal that is at work"
    for part in (*parts, *path.parent.glob("*.lock")):  # including the lock of the unfinished file
        os.utime(part, (time.time() - 3600,) * 2)
    monkeypatch.setattr(files, "_cleared", {})
    with Workspace.open(path, make.passphrase, read_only=True):
        assert all(p.exists() for p in parts), "looking changes nothing"
    with Workspace.open(path, make.passphrase) as again:
        assert again.get_meta("whose") == "ours"
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_locks_of_others_stay(path, ws, make):
    ws.close()
    held = Workspace.create(path.with_name("held.radcal"), make.passphrase)
    held.path.unlink()  # by a program that synchronises
    of_another, new = path.with_name("poetry.lock"), path.with_name("new.radcal.lock")
    for lock in (of_another, new):
        lock.touch()
    for lock in (of_another, lock_path(held.path)):
        os.utime(lock, (time.time() - 3600,) * 2)
    with Workspace.open(path, make.passphrase):
        assert of_another.exists()
        assert new.exists(), "somebody may be about to make it"
        assert lock_path(held.path).exists()
    held.close()


def test_a_lock_that_was_left_goes_with_the_next_writer(path, ws, make):
    ws.close()
    make.crash(path)
    assert lock_path(path).exists()
    Workspace.open(path, make.passphrase).close()
    assert [p.name for p in path.parent.iterdir()] == [path.name]
