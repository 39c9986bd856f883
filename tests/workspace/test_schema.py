"""The schema, and files of an older one: a copy byte for byte, one transaction; killed and starved at every step."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import json
import os
import re
import shutil
import signal
import warnings
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from radcal.reports.storage import save_import
from radcal.system.errors import DataError
from radcal.workspace import backups, database, schema, store
from radcal.workspace.errors import DamagedWorkspace, DiskFull, NewerWorkspace, NoAccess, OlderWorkspace
from radcal.workspace.log_check import known_by, verify
from radcal.workspace.restoring import restore
from radcal.workspace.store import Workspace, telling_updates

REAL = schema.steps()
TODAY, LATER, NOW = (schema.newest() + n for n in range(3))
STEPS = (
    "CREATE TABLE later (a TEXT) STRICT;\nINSERT INTO later SELECT text FROM texts;\n-- the end; really\n",
    "ALTER TABLE later RENAME COLUMN a TO b;\n",
)
OLD_PASSPHRASE = "plum tree in blossom"
posix = pytest.mark.skipif(os.name != "posix", reason="kills by signal")


def with_steps(monkeypatch: pytest.MonkeyPatch, *scripts: str) -> None:
    monkeypatch.setattr(schema, "steps", lambda: [*REAL, *scripts])


@pytest.fixture
def old(path, make, monkeypatch) -> Path:
    """A file of today, in a RadCal with STEPS besides."""
    with_steps(monkeypatch)
    with Workspace.create(path, make.passphrase) as ws:
        save_import(ws, make.imp({"xray:1": "Clear lungs; no edema."}))
    with_steps(monkeypatch, *STEPS)
    return path


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def version(path: Path, make: SimpleNamespace) -> int:
    """Return the schema of a file; what was left half written is rolled back, as the next opening for writing does."""
    with contextlib.closing(database.Database(path, make.passphrase)) as file:
        return file.number("user_version")


def copies(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.stem}.schema-*"))


def alone(path: Path) -> bool:
    return [file.name for file in path.parent.iterdir()] == [path.name]


# --- the schema ------------------------------------------------------------------------------------


def test_new_files_are_as_those_of_the_first_schema_are(tmp_path, old_file, make, monkeypatch):
    monkeypatch.setattr(schema, "steps", list)
    with Workspace.create(tmp_path / "new.radcal", make.passphrase) as ws:
        new = layout(ws._db)
    with Workspace.open(old_file(f"schema-{schema.BASE}", tmp_path / "w.radcal"), OLD_PASSPHRASE, read_only=True) as ws:
        assert layout(ws._db) == new


def layout(file: database.Database) -> dict[str, object]:
    """Return all that is declared in a file, however it was written down."""
    found: dict[str, object] = {}
    for kind, name, sql in file.execute("SELECT type, name, sql FROM sqlite_master"):
        if kind == "trigger":
            found[name] = sql
            continue
        if kind == "table":
            found[f"{name} itself"] = file.execute("SELECT ncol, wr, strict FROM pragma_table_list(?)", (name,))
        pragmas = ("table_xinfo", "foreign_key_list", "index_list") if kind == "table" else ("index_xinfo",)
        found[name] = [sorted(row[1:] for row in file.execute(f'PRAGMA {pragma}("{name}")')) for pragma in pragmas]
        if " WHERE " in (sql or ""):
            found[name] = [found[name], sql.partition(" WHERE ")[2]]
    return found


def test_a_new_file_has_the_base_and_all_steps(path, make, monkeypatch):
    with_steps(monkeypatch, *STEPS)
    with Workspace.create(path, make.passphrase) as ws:
        assert ws.schema() == schema.newest() == NOW
        assert ws._db.execute("SELECT b FROM later") == []


def test_the_steps_have_no_gap():
    numbers = sorted(int(path.name[:4]) for path in schema.FOLDER.glob(schema.STEPS))
    assert numbers == list(range(schema.BASE + 1, schema.BASE + 1 + len(numbers)))


# --- an older file ---------------------------------------------------------------------------------


def test_an_older_file_is_copied_and_brought_up_to_date_step_by_step(old, make, monkeypatch):
    before = digest(old)
    with pytest.raises(OlderWorkspace, match=rf"schema {TODAY}, now {NOW}.*Open it once for writing"):
        Workspace.open(old, make.passphrase, read_only=True)
    assert alone(old)
    told: list[object] = []
    with telling_updates(told.append), Workspace.open(old, make.passphrase) as ws:
        assert ws._db.execute("SELECT b FROM later") == [("Clear lungs; no edema.",)]
        last = ws.audit().iloc[-1]
        assert last["what"] == "workspace brought up to date"
        assert json.loads(last["counts"]) == {"from_schema": TODAY, "to_schema": NOW}
        assert len(ws.reports(["report_id"])) == 1
        assert verify(ws, []).holds
        held = ws._db.contents
        assert held is not None
        assert not ws._db.unlike_recorded(held), "digests are taken anew"
    assert version(old, make) == NOW
    assert Workspace.check(old, make.passphrase) == ()
    Workspace.open(old, make.passphrase, read_only=True).close()
    (kept,) = copies(old)
    (updated,) = told
    assert (updated.path, updated.before, updated.after, updated.copy) == (old, TODAY, NOW, kept)
    assert re.fullmatch(rf"department\.schema-{TODAY}-\d{{8}}T\d{{6}}Z\.radcal", kept.name)
    assert digest(kept) == before
    assert kept.stat().st_mode & 0o077 == 0
    assert kept in [backup.path for backup in backups.backups_of(old)]
    Workspace.open(old, make.passphrase).close()  # no second time
    assert copies(old) == [kept]
    with_steps(monkeypatch)
    with Workspace.open(kept, make.passphrase) as copy:
        assert copy.reports(["text"])["text"].tolist() == ["Clear lungs; no edema."]


def test_a_copy_of_an_earlier_attempt_is_not_overwritten(old, make, monkeypatch):
    at = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
    monkeypatch.setattr(store, "datetime", SimpleNamespace(now=lambda _: at))
    names = [f"department.schema-{TODAY}-20260301T080000Z{more}.radcal" for more in ("", "-2")]
    for name in names:
        old.with_name(name).write_text("keep")
    Workspace.open(old, make.passphrase).close()
    assert [old.with_name(name).read_text() for name in names] == ["keep", "keep"]
    assert old.with_name(f"department.schema-{TODAY}-20260301T080000Z-3.radcal").stat().st_size > 4096


def test_a_step_that_fails_leaves_the_file_as_it_was(old, make, monkeypatch):
    with_steps(monkeypatch, STEPS[0], "CREATE TABLE more (a TEXT);\nINSERT INTO none VALUES (1);")
    with pytest.raises(DataError, match="no such table"):
        Workspace.open(old, make.passphrase)
    assert alone(old), "the copy would be of no use"
    with_steps(monkeypatch)
    with Workspace.open(old, make.passphrase) as ws:  # neither locked nor changed
        assert ws._db.execute("SELECT name FROM sqlite_master WHERE name IN ('later', 'more')") == []
        assert len(ws.reports(["report_id"])) == 1


def test_an_older_backup_is_brought_up_to_date_when_it_is_restored(old, make):
    backup = Path(shutil.copy(old, old.with_name("backup.radcal")))
    Workspace.open(old, make.passphrase).close()
    restore(backup, old, make.passphrase)
    with Workspace.open(old, make.passphrase, read_only=True) as ws:
        log = [entry.what for entry in ws.entries()]
        assert log[-3::2] == ["workspace brought up to date", "restored from a backup"]
        assert verify(ws, [known_by(backup, [ws.key])]).holds


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_from_before_the_base_is_refused_and_stays_untouched(old, make, read_only):
    with contextlib.closing(database.Database(old, make.passphrase)) as file:
        file.execute(f"PRAGMA user_version = {schema.BASE - 1}")
    before = digest(old)
    said = rf"before the first release \(schema {schema.BASE - 1}\).*Make a new workspace and import the reports again"
    with pytest.raises(OlderWorkspace, match=said):
        Workspace.open(old, make.passphrase, read_only=read_only)
    with pytest.raises(OlderWorkspace, match=said):
        restore(old, old.with_name("other.radcal"), make.passphrase)
    assert digest(old) == before
    assert alone(old)


# --- a newer file ----------------------------------------------------------------------------------


def test_a_newer_file_says_which_radcal_it_needs_and_stays_untouched(path, make, monkeypatch):
    with_steps(monkeypatch, *STEPS[:1])
    monkeypatch.setattr("radcal.workspace.store.__version__", "7.8.9")
    Workspace.create(path, make.passphrase).close()
    with_steps(monkeypatch)
    monkeypatch.setattr("radcal.workspace.store.__version__", "0.1.0")
    before = path.read_bytes()
    for read_only in (True, False):
        with pytest.raises(NewerWorkspace) as caught:
            Workspace.open(path, make.passphrase, read_only=read_only)
        assert f"newer RadCal (7.8.9) and has schema {LATER}; this is RadCal 0.1.0" in str(caught.value)
        assert "Install RadCal 7.8.9 or later" in str(caught.value)
    assert path.read_bytes() == before


def test_a_newer_file_that_keeps_its_facts_elsewhere_is_still_called_newer(path, make, monkeypatch):
    with_steps(monkeypatch, "DELETE FROM meta WHERE key = 'none';")
    with Workspace.create(path, make.passphrase) as ws:
        ws._db.execute("ALTER TABLE meta RENAME TO facts")
    with_steps(monkeypatch)
    with pytest.raises(NewerWorkspace, match="Install a newer RadCal"):
        Workspace.open(path, make.passphrase)


def test_the_radcal_of_before_takes_the_copy_for_a_backup(old, make, monkeypatch):
    Workspace.open(old, make.passphrase).close()
    (kept,) = copies(old)
    newer = digest(old)
    with_steps(monkeypatch)
    restored = restore(kept, old, make.passphrase)
    assert restored.aside is not None
    assert digest(restored.aside) == newer
    with Workspace.open(old, make.passphrase) as ws:
        assert ws.reports(["text"])["text"].tolist() == ["Clear lungs; no edema."]


# --- damage, no room, no access --------------------------------------------------------------------


def test_a_damaged_file_is_not_updated(old, make):
    content = bytearray(old.read_bytes())
    content[-2000] ^= 1
    old.write_bytes(content)
    before = digest(old)
    with pytest.raises(DamagedWorkspace):
        Workspace.open(old, make.passphrase)
    assert digest(old) == before
    assert alone(old)


def test_room_for_the_copy_and_the_change_is_asked_for_first(old, make, monkeypatch):
    before, size = digest(old), old.stat().st_size
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2 * size - 1))
    with pytest.raises(DiskFull, match=r"bring department\.radcal up to date, .* Nothing was changed"):
        Workspace.open(old, make.passphrase)
    assert digest(old) == before
    assert alone(old)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2 * size))
    Workspace.open(old, make.passphrase).close()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root works on the files of others")
def test_an_administrator_takes_no_file_away_from_its_owner(old, make):
    os.chown(old, 12345, 23456)
    old.chmod(0o640)
    Workspace.open(old, make.passphrase).close()
    (kept,) = copies(old)
    for file, mode in ((old, 0o640), (kept, 0o600)):
        found = file.stat()
        assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (12345, 23456, mode)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_fails_while_the_copy_is_written_leaves_the_file(old, make, monkeypatch, code):
    before = digest(old)

    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(database.Database, "_copy_bytes", fail)
    with pytest.raises(DiskFull if code == errno.ENOSPC else NoAccess):
        Workspace.open(old, make.passphrase)
    assert digest(old) == before
    assert alone(old)


def test_a_disk_that_fills_up_in_the_middle_of_the_change_leaves_the_old_file(old, make, monkeypatch):
    before = digest(old)
    run = database.Database.run_script

    def cramped(self: database.Database, script: str) -> None:
        # SQLite itself finds the disk full: the file may have no page more than now.
        self.execute(f"PRAGMA max_page_count = {self.number('page_count')}")
        run(self, script)
        self.execute("CREATE TABLE filler (a TEXT)")
        self.execute("INSERT INTO filler VALUES (?)", ("x" * 1_000_000,))

    monkeypatch.setattr(database.Database, "run_script", cramped)
    with pytest.raises(DiskFull):
        Workspace.open(old, make.passphrase)
    assert alone(old)
    assert digest(old) == before
    assert Workspace.check(old, make.passphrase) == ()


# --- killed at every step --------------------------------------------------------------------------


def killed(path: Path, passphrase: str, at: int) -> int:
    """Open a file in a process of its own that is killed at its ``at``-th step, 0 for never; the steps that it took."""
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
            (database, ("sync",)),
        ):
            for name in names:
                counted(owner, name)
        try:
            Workspace.open(path, passphrase).close()
            os.write(writing, str(next(calls) - 1).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        steps = said.read()
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) == bool(at)
    return int(steps or 0)


@posix
@pytest.mark.slow
def test_an_update_that_is_killed_anywhere_leaves_the_old_state_or_the_new(tmp_path, old, make):
    before = digest(old)
    total = killed(Path(shutil.copy(old, tmp_path / "whole.radcal")), make.passphrase, 0)
    assert total > 80
    seen = set()
    for at in sorted({*range(1, total, total // 12), *range(total - 4, total + 1)}):
        folder = tmp_path / str(at)
        folder.mkdir()
        path = Path(shutil.copy(old, folder / "w.radcal"))
        killed(path, make.passphrase, at)
        found = version(path, make)
        seen.add(found)
        if found == NOW:  # never without the copy
            (kept,) = copies(path)
            assert digest(kept) == before
        else:
            assert found == TODAY
            with pytest.raises(OlderWorkspace, match="Open it once for writing"):
                Workspace.open(path, make.passphrase, read_only=True)
        Workspace.open(path, make.passphrase).close()  # the same again gets there
        assert version(path, make) == NOW
        assert Workspace.check(path, make.passphrase) == ()
    assert seen == {TODAY, NOW}
