"""Restoring a backup: verified first, nothing destroyed, whole at every moment."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from radcal.reports.storage import save_import
from radcal.system.settings import Settings
from radcal.workspace import pages, restoring
from radcal.workspace.backups import folder_for
from radcal.workspace.errors import (
    DamagedWorkspace,
    NoAccess,
    NoSuchWorkspace,
    NotAWorkspace,
    WorkspaceInUse,
    WrongPassphrase,
)
from radcal.workspace.restoring import restore
from radcal.workspace.store import Workspace

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
PAGE = 4096


@pytest.fixture
def backup(ws: Workspace, path: Path, make: SimpleNamespace) -> Path:
    """A backup with two reports; the closed workspace now has three, and a decision."""
    save_import(ws, make.imp({"xray:1": "Clear lungs. " * 900, "xray:2": "Edema."}))
    made, _ = ws.back_up_into(folder_for(path), NOON)
    save_import(ws, make.imp({"xray:3": "Likely edema."}))
    ws.save_settings(Settings(seed=9))
    ws.close()
    return made


def reports(path: Path, passphrase: str) -> list[str]:
    with Workspace.open(path, passphrase, read_only=True) as opened:
        return opened.reports(["report_id"])["report_id"].tolist()


def spoil(path: Path, page: int = 0) -> None:
    content = bytearray(path.read_bytes())
    content[page * PAGE + 100] ^= 1
    path.write_bytes(content)


def test_a_backup_takes_the_workspaces_place_and_nothing_is_lost(backup, path, make):
    before, copy = path.read_bytes(), backup.read_bytes()
    restored = restore(backup, path, make.passphrase)
    assert reports(path, make.passphrase) == ["xray:1", "xray:2"]
    assert restored.aside is not None
    assert restored.aside.read_bytes() == before
    assert restored.aside.name.startswith("department.before-restore-20")
    assert backup.read_bytes() == copy
    assert restored.before is not None
    assert (restored.held.reports, restored.before.reports) == (2, 3)
    assert (restored.held.decisions, restored.before.decisions) == (0, 1)
    assert restored.held.last <= restored.before.last
    with Workspace.open(path, make.passphrase) as opened:
        assert opened.audit()["what"].tolist()[-1] == "restored from a backup"
        assert opened.settings.seed == 0
        assert not opened.is_backed_up
    assert Workspace.check(path, make.passphrase) == ()
    # And back again.
    again = restore(restored.aside, path, make.passphrase)
    assert reports(path, make.passphrase) == ["xray:1", "xray:2", "xray:3"]
    assert len({again.aside, restored.aside, path}) == 3


def test_a_workspace_that_is_gone_comes_back(backup, path, make):
    path.unlink()
    restored = restore(backup, path, make.passphrase)
    assert (restored.aside, restored.before) == (None, None)
    assert reports(path, make.passphrase) == ["xray:1", "xray:2"]
    assert not list(path.parent.glob("*.lock"))


@pytest.mark.parametrize("page", [0, 1, None])
def test_a_damaged_workspace_is_kept_as_it_is(backup, path, make, page):
    spoil(path, path.stat().st_size // PAGE - 1 if page is None else page)
    before = path.read_bytes()
    restored = restore(backup, path, make.passphrase)
    assert restored.aside is not None
    assert restored.aside.read_bytes() == before
    assert (restored.before is None) == (page is not None)  # the contents are reported if readable
    assert reports(path, make.passphrase) == ["xray:1", "xray:2"]


@pytest.mark.parametrize(
    ("spoils", "error"),
    [
        (lambda backup: spoil(backup, 3), DamagedWorkspace),
        (lambda backup: spoil(backup), DamagedWorkspace),
        (lambda backup: backup.write_bytes(b"PK\x03\x04" + bytes(9000)), NotAWorkspace),
        (lambda backup: backup.write_bytes(b""), NotAWorkspace),
        (lambda backup: backup.write_bytes(backup.read_bytes()[: 2 * PAGE]), DamagedWorkspace),
        (Path.unlink, NoSuchWorkspace),
    ],
)
def test_a_backup_that_is_none_changes_nothing(backup, path, make, spoils, error):
    spoils(backup)
    before = path.read_bytes()
    with pytest.raises(error):
        restore(backup, path, make.passphrase)
    assert path.read_bytes() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["department.backups", path.name]


def test_who_may_not_restore(backup, path, make):
    before = path.read_bytes()
    with pytest.raises(WrongPassphrase):
        restore(backup, path, "wrong")
    with pytest.raises(NotAWorkspace, match="is the workspace itself"):
        restore(path, path, make.passphrase)
    with pytest.raises(NoSuchWorkspace, match="no folder"):
        restore(backup, path.parent / "none" / "w.radcal", make.passphrase)
    with Workspace.open(path, make.passphrase), pytest.raises(WorkspaceInUse):
        restore(backup, path, make.passphrase)
    other = path.with_name("other.radcal")
    Workspace.create(other, make.passphrase).close()
    with pytest.raises(NotAWorkspace, match=r"backup of another workspace than other\.radcal\. Nothing was changed"):
        restore(backup, other, make.passphrase)
    assert path.read_bytes() == before
    assert {p.name for p in path.parent.iterdir()} == {"department.backups", path.name, other.name}


def test_a_backup_from_before_a_change_of_passphrase(backup, path, make):
    with Workspace.open(path, make.passphrase) as opened:
        opened.change_passphrase(make.passphrase, "a new one")
    other = path.with_name("other.radcal")
    Workspace.create(other, "a new one").close()
    before = other.read_bytes()
    with pytest.raises(NotAWorkspace, match=r"may be another workspace\. Nothing was changed\. If .* move it"):
        restore(backup, other, make.passphrase)
    assert other.read_bytes() == before
    assert {p.name for p in path.parent.iterdir()} == {"department.backups", path.name, other.name}
    assert restore(backup, path, make.passphrase).before is None
    assert reports(path, make.passphrase) == ["xray:1", "xray:2"]


@pytest.mark.parametrize("beginning", [bytes(16), bytes(PAGE), b"x" * 16])
def test_a_workspace_whose_beginning_is_lost_can_be_restored(backup, path, make, beginning):
    path.write_bytes(beginning + path.read_bytes()[len(beginning) :])
    restore(backup, path, make.passphrase)
    assert reports(path, make.passphrase) == ["xray:1", "xray:2"]


@pytest.mark.skipif(sys.platform == "win32", reason="there the folder decides who may use a file")
@pytest.mark.parametrize("of_the_group", [True, False])
def test_those_who_shared_a_workspace_share_the_restored_one(backup, path, make, monkeypatch, of_the_group):
    path.chmod(0o660)
    group = path.stat().st_gid
    if not of_the_group:
        monkeypatch.setattr(os, "chown", make.refuse(errno.EPERM))
    restore(backup, path, make.passphrase)
    assert path.stat().st_mode & 0o777 == (0o660 if of_the_group else 0o600)
    assert path.stat().st_gid == group


def test_somebody_who_reads_meanwhile_reads_on(backup, path, make):
    if os.name != "posix":
        pytest.skip("open files keep their names there")
    with Workspace.open(path, make.passphrase, read_only=True) as reader:
        restore(backup, path, make.passphrase)
        assert reader.reports(["report_id"])["report_id"].tolist() == ["xray:1", "xray:2", "xray:3"]


def test_where_there_are_no_links_the_present_file_is_copied(backup, path, make, monkeypatch):
    before = path.read_bytes()
    monkeypatch.setattr(os, "link", make.refuse(errno.EPERM))
    restored = restore(backup, path, make.passphrase)
    assert restored.aside is not None
    assert restored.aside.read_bytes() == before
    assert reports(path, make.passphrase) == ["xray:1", "xray:2"]
    monkeypatch.setattr(shutil, "copy2", make.refuse(errno.EPERM))
    with pytest.raises(NoAccess, match=r"could not be put aside .* so nothing was changed"):
        restore(backup, path, make.passphrase)
    assert reports(path, make.passphrase) == ["xray:1", "xray:2"]


def test_a_copy_that_does_not_read_back_is_not_restored(backup, path, make, monkeypatch):
    before, read = path.read_bytes(), []

    def fits(_key: pages.Key, _page: bytes, number: int) -> bool:
        read.append(number)
        return read.count(2) < 3  # the backup does, both times, its copy does not

    monkeypatch.setattr(pages.Key, "fits", fits)
    with pytest.raises(DamagedWorkspace, match="could not be read back"):
        restore(backup, path, make.passphrase)
    assert path.read_bytes() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["department.backups", path.name]


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
@pytest.mark.parametrize("stuck", [False, True])
def test_what_a_crash_left_half_written_never_gets_into_the_restored_file(backup, path, make, monkeypatch, stuck):
    journal = make.crash(path)
    content = journal.read_bytes()
    if stuck:  # as if the file could not be written and so not rolled back
        monkeypatch.setattr(restoring, "_contents_of", lambda *_: None)
    restored = restore(backup, path, make.passphrase)
    assert not journal.exists()
    assert reports(path, make.passphrase) == ["xray:1", "xray:2"]
    assert Workspace.check(path, make.passphrase) == ()
    assert restored.aside is not None
    aside = restored.aside.with_name(restored.aside.name + "-journal")
    if stuck:
        assert aside.read_bytes() == content
    else:
        assert not aside.exists()
        assert reports(restored.aside, make.passphrase) == ["xray:1", "xray:2", "xray:3"]


KILLED = """
import os, shutil, sys
from pathlib import Path
from radcal.workspace.restoring import restore
backup, path, passphrase, folder = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
calls, at = 0, 0

def counted(real):
    def call(*arguments, **named):
        global calls
        calls += 1
        if calls == at:
            os._exit(9)  # like a kill: without any cleanup
        return real(*arguments, **named)
    return call

status = 9
while status:
    at += 1
    place = folder / f"killed at {at}"
    place.mkdir()
    copied = shutil.copy(path, place)
    child = os.fork()
    if not child:
        for name in ("open", "fsync", "link", "rename", "replace", "unlink", "ftruncate"):
            setattr(os, name, counted(getattr(os, name)))
        restore(backup, copied, passphrase)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(status, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="forks")
@pytest.mark.slow
def test_killed_before_any_system_call_the_old_or_the_new_file_is_there(backup, path, make, tmp_path):
    said, _ = make.start(KILLED, backup, path, make.passphrase, tmp_path).communicate()
    *killed, last = said.split()
    assert (set(killed), last) == ({"9"}, "0")
    assert len(killed) > 10
    seen = []
    for at in range(1, len(killed) + 1):
        file = tmp_path / f"killed at {at}" / path.name
        held = reports(file, make.passphrase)
        assert held in (["xray:1", "xray:2", "xray:3"], ["xray:1", "xray:2"]), at
        if len(held) == 2:  # then the previous file is beside it
            (aside,) = file.parent.glob("*.before-restore-*")
            assert aside.read_bytes() == path.read_bytes()
        seen.append(len(held))
    assert seen == sorted(seen, reverse=True)
    assert set(seen) == {2, 3}
