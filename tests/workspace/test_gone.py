"""The file is deleted, moved or replaced while open, as by programs that synchronise folders."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from radcal.system.language.catalogue import language
from radcal.system.progress import Silent
from radcal.system.settings import Settings
from radcal.workspace.errors import WorkspaceGone
from radcal.workspace.lock import lock_path
from radcal.workspace.store import Workspace

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody delete an open file")


@pytest.fixture
def other(tmp_path: Path, make: Any) -> Path:
    """Another workspace, like an older version of the file."""
    with Workspace.create(tmp_path / "other.radcal", make.passphrase) as made:
        made.set_meta("whose", "other")
    return tmp_path / "other.radcal"


def _replace(path: Path, other: Path) -> None:
    shutil.copy(other, path.with_name("new"))
    path.with_name("new").replace(path)


LOSSES = [
    (lambda path, _: path.unlink(), "deleted or moved"),
    (lambda path, _: path.rename(path.with_name("moved.radcal")), "deleted or moved"),
    (_replace, "replaced by another file"),
]
losses = pytest.mark.parametrize(("lose", "shown"), LOSSES, ids=["deleted", "moved", "replaced"])


@losses
def test_nothing_is_written_where_nobody_finds_it(ws, path, other, make, lose, shown):
    ws.set_meta("whose", "ours")
    lose(path, other)
    writes: list[Callable[[], object]] = [
        lambda: ws.set_meta("whose", "lost"),  # by itself
        lambda: ws.save_settings(Settings(seed=7)),  # in a transaction
        lambda: ws.log("something"),
        lambda: ws.change_passphrase(make.passphrase, "new"),
    ]
    for write in writes:
        with pytest.raises(WorkspaceGone, match=shown):
            write()
    assert ws.get_meta("whose") == "ours"
    assert ws.settings == Settings()
    if path.exists():
        assert path.read_bytes() == other.read_bytes()


@losses
def test_a_copy_saves_everything(ws, path, other, make, lose, shown):
    ws.set_meta("whose", "ours")
    lose(path, other)
    saved = path.with_name("saved.radcal") if path.exists() else path
    ws.backup(saved)
    ws.close()
    with Workspace.open(saved, make.passphrase) as again:
        assert again.get_meta("whose") == "ours"
        again.set_meta("whose", "ours again")
    assert Workspace.check(saved, make.passphrase) == ()


@losses
def test_a_step_during_which_it_happens_does_not_count_as_saved_and_is_in_the_copy(ws, path, other, make, lose, shown):
    with pytest.raises(WorkspaceGone, match=shown), ws.transaction():  # noqa: PT012 - raised where the block ends
        ws.set_meta("first", "1")
        lose(path, other)
        ws.set_meta("second", "2")
    ws.backup(path.with_name("saved.radcal"))
    with Workspace.open(path.with_name("saved.radcal"), make.passphrase) as again:
        assert (again.get_meta("first"), again.get_meta("second")) in (("1", "2"), (None, None))
    assert not path.with_name(path.name + "-journal").exists()


def test_a_file_that_is_put_back_is_the_same(ws, path):
    path.rename(path.with_name("away"))
    with pytest.raises(WorkspaceGone):
        ws.set_meta("a", "1")
    path.with_name("away").rename(path)
    ws.set_meta("a", "1")
    assert ws.get_meta("a") == "1"


def test_looking_goes_on(ws, path, make):
    ws.set_meta("whose", "ours")
    with Workspace.open(path, make.passphrase, read_only=True) as reader:
        path.unlink()
        assert reader.get_meta("whose") == "ours"
        with ws._db.transaction(write=False):
            assert ws.get_meta("whose") == "ours"


@pytest.mark.usefixtures("short_steps")
def test_a_check_that_has_begun_reads_on_to_the_end(ws, path):
    class Deleting(Silent):
        n = 0

        def advance(self, n: int = 1, _note: str = "") -> None:
            self.n += n
            path.unlink(missing_ok=True)

    parts = Deleting()
    checked = ws.check_pages(datetime(2026, 11, 22, tzinfo=UTC), parts)
    assert checked.damaged == 0
    assert parts.n == checked.pages > 16
    assert not path.exists()


def test_a_lock_that_took_the_place_of_ours_stays(ws, path):
    lock_path(path).unlink()
    lock_path(path).write_text("somebody else's", encoding="utf-8")
    ws.close()
    assert lock_path(path).read_text(encoding="utf-8") == "somebody else's"


@losses
def test_it_is_told_in_german(ws, path, other, lose, shown):
    lose(path, other)
    with pytest.raises(WorkspaceGone, match=shown) as raised:
        ws.set_meta("a", "1")
    german = language("de").write(str(raised.value))
    assert german.startswith("department.radcal wurde ")
    assert german.endswith("Öffnen Sie dann die Kopie.")
