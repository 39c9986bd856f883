"""Updates of workspaces: a copy byte for byte, one transaction, and back again; killed and starved at every step."""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import os
import shutil
import signal
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from radcal import workspace as w
from radcal.records.log import Fit
from radcal.workspace import Workspace, database, log_chain, migrations, pages, updating

OLD_FILES = Path(__file__).resolve().parents[1] / "old_files"
NOW = len(migrations.steps())
OLDER = range(1, NOW)
KEY = "archive"
posix = pytest.mark.skipif(os.name != "posix", reason="kills by signal")


@pytest.fixture(autouse=True, scope="module")
def _each_key_is_derived_once() -> Iterator[None]:
    """Old files have the rounds of the program as shipped, which take 0.3 s on purpose."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "KDF_ITERATIONS", 256_000)
        patch.setattr(pages, "hashlib", SimpleNamespace(pbkdf2_hmac=cache(hashlib.pbkdf2_hmac)))
        yield


def old_file(folder: Path, schema: int) -> Path:
    return Path(shutil.copy(OLD_FILES / f"schema-{schema}.radcal", folder / "w.radcal"))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def entries(path: Path) -> list[str]:
    with Workspace.open(path, KEY, read_only=True) as ws:
        return [entry.what for entry in ws.entries()]


@pytest.mark.parametrize("schema", OLDER)
def test_a_file_of_every_schema_is_copied_updated_and_rolled_back_byte_for_byte(tmp_path: Path, schema: int) -> None:
    path = old_file(tmp_path, schema)
    before = digest(path)
    plan = w.plan_of(path, KEY)
    assert (plan.schema, plan.target, plan.is_due, plan.size) == (schema, NOW, True, path.stat().st_size)
    assert plan.needed == 2 * plan.size
    assert digest(path) == before
    assert plan.copy is not None
    assert not plan.copy.exists()
    told: list[object] = []
    with w.telling_updates(told.append), Workspace.open(path, KEY) as ws:
        n = len(list(ws.entries()))
        ws.log("viewed something")
        ws.log("viewed something")
    (updated,) = told
    assert (updated.path, updated.before, updated.after) == (path, schema, NOW)
    assert digest(updated.copy) == before
    assert updated.copy.stat().st_mode & 0o077 == 0
    assert not w.plan_of(path, KEY).is_due
    assert [copy.path for copy in w.plan_of(path, KEY).copies] == [updated.copy]
    newer = path.read_bytes()
    back = w.roll_back(path, KEY)
    assert digest(path) == before == digest(updated.copy)
    assert (back.before, back.after, dict(back.since or {})) == (schema, NOW, {"viewed something": 2})
    assert back.entered
    assert path.stat().st_ino != updated.copy.stat().st_ino, "what is written to the one must not change the other"
    assert len(newer) <= back.aside.stat().st_size
    with Workspace.open(back.aside, KEY, read_only=True) as ws:
        last = list(ws.entries())[-1]
        assert (last.entry, last.what) == (n + 3, "rolled back to the copy made before the update")
        assert json.loads(last.counts) == {"from_schema": NOW, "to_schema": schema, "entries_since": 2}
    # Once more forwards: the log says in place of which line it goes on, and that line's file still fits.
    with Workspace.open(path, KEY) as ws:
        log = [entry.what for entry in ws.entries()]
        assert log[-2].startswith("took the place of a log that ended in ")
        assert log[-1] == "rolled back to the copy made before the update"
        chained = schema >= log_chain.CHAINED
        found = w.verify(ws, [w.known_by(file, [ws.key]) for file in (back.aside, updated.copy) if chained])
        assert found.faults == ()
        assert [witness.fit for witness in found.witnesses] == ([Fit.REPLACED, Fit.FITS] if chained else [])
        assert found.holds
    assert Workspace.check(path, KEY) == ()


def test_the_copy_of_a_current_file_is_neither_made_nor_needed(tmp_path: Path) -> None:
    path = old_file(tmp_path, NOW)
    plan = w.plan_of(path, KEY)
    assert (plan.is_due, plan.needed, plan.copy, plan.copies) == (False, 0, None, ())
    Workspace.open(path, KEY).close()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    with pytest.raises(w.NoSuchWorkspace, match=r"no copy of w\.radcal beside it that was made before an update"):
        w.roll_back(path, KEY)


# --- an older RadCal meets a newer file ------------------------------------------------------------


def test_an_older_radcal_names_the_copy_and_rolls_back_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = old_file(tmp_path, NOW - 1)
    before = digest(path)
    with Workspace.open(path, KEY) as ws:
        ws.log("reports imported", reports=3)
    (copy,) = w.update_copies(path)
    known = migrations.steps()[:-1]
    monkeypatch.setattr(migrations, "steps", lambda: known)
    newer = digest(path)
    with pytest.raises(w.NewerWorkspace) as caught:
        Workspace.open(path, KEY)
    assert f"{copy.path.name}, beside it, is a copy of it from before the update" in str(caught.value)
    assert "`radcal rollback`" in str(caught.value)
    back = w.roll_back(path, KEY)
    assert digest(path) == before
    assert dict(back.since or {}) == {"reports imported": 1}
    assert not back.entered, "a schema that it does not know is not written"
    assert digest(back.aside) == newer
    Workspace.open(path, KEY).close()


def test_without_a_copy_an_older_radcal_names_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = old_file(tmp_path, NOW)
    old_file(tmp_path, 2).replace(tmp_path / "w.schema-2-20260101T000000Z.radcal")  # a namesake's
    path = old_file(tmp_path, NOW)
    monkeypatch.setattr(migrations, "steps", lambda: ["SELECT 1;"] * (NOW - 1))
    with pytest.raises(w.NewerWorkspace) as caught:
        Workspace.open(path, KEY)
    assert "copy" not in str(caught.value)


# --- what is refused -------------------------------------------------------------------------------


def test_a_roll_back_is_refused_where_it_could_lose_something(tmp_path: Path) -> None:
    path = old_file(tmp_path, 4)
    Workspace.open(path, KEY).close()
    (copy,) = w.update_copies(path)
    after = digest(path)
    files = sorted(file.name for file in tmp_path.iterdir())
    with Workspace.open(path, KEY), pytest.raises(w.WorkspaceInUse):
        w.roll_back(path, KEY)
    with pytest.raises(w.WrongPassphrase):
        w.roll_back(path, "wrong")
    with pytest.raises(w.NotAWorkspace, match="another workspace"):
        w.roll_back(path, KEY, OLD_FILES / "schema-3.radcal")
    with pytest.raises(w.NoSuchWorkspace):
        w.roll_back(path, KEY, tmp_path / "none.radcal")
    same = Path(shutil.copy(path, tmp_path / "same"))
    with pytest.raises(w.WorkspaceExists, match=f"schema {NOW}.*radcal restore"):
        w.roll_back(path, KEY, same)
    same.unlink()
    content = bytearray(copy.path.read_bytes())
    content[40_000] ^= 1
    copy.path.write_bytes(content)
    with pytest.raises(w.DamagedWorkspace, match="is damaged itself"):
        w.roll_back(path, KEY)
    assert digest(path) == after
    assert sorted(file.name for file in tmp_path.iterdir()) == files


def test_a_damaged_file_is_not_updated(tmp_path: Path) -> None:
    path = old_file(tmp_path, 5)
    content = bytearray(path.read_bytes())
    content[-2000] ^= 1
    path.write_bytes(content)
    before = digest(path)
    with pytest.raises(w.DamagedWorkspace):
        Workspace.open(path, KEY)
    assert digest(path) == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_newer_file_that_is_damaged_can_be_rolled_back_all_the_same(tmp_path: Path) -> None:
    path = old_file(tmp_path, 5)
    before = digest(path)
    Workspace.open(path, KEY).close()
    path.write_bytes(path.read_bytes()[:16] + bytes(8192))
    back = w.roll_back(path, KEY)
    assert digest(path) == before
    assert (back.since, back.entered) == (None, False)


# --- acceptance ------------------------------------------------------------------------------------


def test_copies_are_removed_once_the_update_is_accepted(tmp_path: Path) -> None:
    path = old_file(tmp_path, 3)
    Workspace.open(path, KEY).close()
    (copy,) = w.update_copies(path)
    assert w.accept(path, KEY) == (copy,)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert entries(path)[-1] == "copies made before updates removed"
    assert w.accept(path, KEY) == ()


def test_copies_of_a_damaged_file_stay(tmp_path: Path) -> None:
    path = old_file(tmp_path, 3)
    Workspace.open(path, KEY).close()
    content = bytearray(path.read_bytes())
    content[-2000] ^= 1
    path.write_bytes(content)
    with pytest.raises(w.DamagedWorkspace):
        w.accept(path, KEY)
    assert len(w.update_copies(path)) == 1


# --- no room, no access ----------------------------------------------------------------------------


def test_room_for_the_copy_and_the_change_is_asked_for_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = old_file(tmp_path, 5)
    before, size = digest(path), path.stat().st_size
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2 * size - 1))
    with pytest.raises(w.DiskFull, match=r"bring w\.radcal up to date, .* Nothing was changed"):
        Workspace.open(path, KEY)
    assert not w.plan_of(path, KEY).fits
    assert digest(path) == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2 * size))
    assert w.plan_of(path, KEY).fits
    Workspace.open(path, KEY).close()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=size - 1))
    with pytest.raises(w.DiskFull, match=r"To go back, a copy of w\.radcal .* Nothing was changed"):
        w.roll_back(path, KEY)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root works on the files of others")
def test_an_administrator_takes_no_file_away_from_its_owner(tmp_path: Path) -> None:
    path = old_file(tmp_path, 3)
    os.chown(path, 12345, 23456)
    path.chmod(0o640)
    Workspace.open(path, KEY).close()
    back = w.roll_back(path, KEY)
    modes = {path: 0o640, back.aside: 0o640, back.copy: 0o600}
    assert set(tmp_path.iterdir()) == set(modes)
    for file, mode in modes.items():
        found = file.stat()
        assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (12345, 23456, mode)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_fails_while_the_copy_is_written_leaves_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    path = old_file(tmp_path, 5)
    before = digest(path)

    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(database.Database, "_copy_bytes", fail)
    with pytest.raises(w.DiskFull if code == errno.ENOSPC else w.NoAccess):
        Workspace.open(path, KEY)
    assert digest(path) == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_disk_that_fills_up_in_the_middle_of_the_change_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old_file(tmp_path, 4)
    # SQLite itself finds the disk full: the file may have no page more than now.
    step = Workspace._step

    def cramped(self: Workspace, version: int, script: str) -> None:
        self._db.execute(f"PRAGMA max_page_count = {self._db.number('page_count')}")
        step(self, version, script)
        self._db.execute("CREATE TABLE filler (a TEXT)")
        self._db.execute("INSERT INTO filler VALUES (?)", ("x" * 1_000_000,))

    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "_step", cramped)
        with pytest.raises(w.DiskFull):
            Workspace.open(path, KEY)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    plan = w.plan_of(path, KEY)
    assert plan.schema == 4
    assert Workspace.check(path, KEY) == ()
    assert digest(path) == digest(OLD_FILES / "schema-4.radcal")


# --- killed at every step --------------------------------------------------------------------------

DOING = {"update": lambda path: Workspace.open(path, KEY).close(), "rollback": lambda path: w.roll_back(path, KEY)}


def killed(path: Path, doing: str, at: int) -> int:
    """Do it in a process of its own that is killed at its ``at``-th step, 0 for never; the steps that it took."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, of which the child uses none
        child = os.fork()
    if not child:
        calls = itertools.count(1)

        def counted(owner: object, name: str) -> None:
            true = getattr(owner, name)

            def call(*args: object, **more: object) -> object:
                if next(calls) == at:
                    os.kill(os.getpid(), signal.SIGKILL)
                return true(*args, **more)

            setattr(owner, name, call)

        for owner, names in (
            (database.Database, ("execute", "execute_many")),
            (os, ("open", "fsync", "link", "ftruncate", "rename", "replace", "unlink")),
            (updating, ("_copy_bytes",)),
            (database, ("sync",)),
        ):
            for name in names:
                counted(owner, name)
        try:
            DOING[doing](path)
            os.write(writing, str(next(calls) - 1).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        steps = said.read()
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) == bool(at)
    return int(steps or 0)


def _steps(total: int, most: int) -> list[int]:
    """Steps to be killed at: the whole range evenly, the last ones all."""
    return sorted({*range(1, total + 1, max(1, total // most)), *range(max(1, total - 4), total + 1)})


@posix
def test_an_update_that_is_killed_anywhere_leaves_the_old_state_or_the_new(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    total = killed(old_file(whole, 4), "update", 0)
    assert total > 100
    seen = set()
    for at in _steps(total, 10):
        folder = tmp_path / str(at)
        folder.mkdir()
        path = old_file(folder, 4)
        killed(path, "update", at)
        put_in_order(path)
        schema = w.plan_of(path, KEY).schema
        assert schema in (4, NOW)
        seen.add(schema)
        assert Workspace.check(path, KEY) == ()
        if schema == NOW:  # never without the copy
            (copy,) = w.update_copies(path)
            assert digest(copy.path) == digest(OLD_FILES / "schema-4.radcal")
        Workspace.open(path, KEY).close()  # the same again gets there
        assert w.plan_of(path, KEY).schema == NOW
        w.roll_back(path, KEY)
        assert w.plan_of(path, KEY).schema == 4
    assert seen == {4, NOW}


@posix
def test_a_roll_back_that_is_killed_anywhere_leaves_one_of_both_and_loses_nothing(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    path = old_file(whole, 4)
    Workspace.open(path, KEY).close()
    ready = tmp_path / "ready"
    shutil.copytree(whole, ready)
    total = killed(path, "rollback", 0)
    old, seen = digest(OLD_FILES / "schema-4.radcal"), set()
    for at in _steps(total, 8):
        folder = tmp_path / str(at)
        shutil.copytree(ready, folder)
        path = folder / "w.radcal"
        killed(path, "rollback", at)
        (copy,) = w.update_copies(path)
        assert digest(copy.path) == old
        put_in_order(path)
        schema = w.plan_of(path, KEY).schema
        seen.add(schema)
        if schema == 4:
            assert digest(path) == old
            (aside,) = folder.glob("w.before-rollback-*.radcal")
            assert Workspace.check(aside, KEY) == ()
        else:
            w.roll_back(path, KEY)
            assert digest(path) == old
    assert seen == {4, NOW}


def put_in_order(path: Path) -> None:
    """Roll back what was left half written, as the next opening for writing does, without an update."""
    database.Database(path, KEY).close()
