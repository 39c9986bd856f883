"""The window keeps the open workspace safe in the background, and leads back to backups."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from radcal.system.progress import Progress
from radcal.system.settings import Settings
from radcal.workspace import database
from radcal.workspace.errors import DamagedWorkspace, NoAccess
from radcal.workspace.lock import is_in_use
from radcal.workspace.records import Backup, Checked
from radcal.workspace.schedule import Copies
from radcal.workspace.store import Workspace
from ui.pages.settings.file_card import AskPassphraseDialog
from ui.session import OPEN
from ui.stages import stages
from ui.widgets.messages import Message
from ui.window import main_window
from ui.window.dialogs.restoring import RestoreDialog
from ui.window.main_window import MainWindow
from ui.window.recent import RecentWorkspaces

PASSPHRASE = "correct horse battery"
NOON = datetime(2025, 11, 22, 12, tzinfo=UTC)
"""Long ago, so that another backup is due."""
Open = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few pages."""
    few = ("home", "reports", "results", "settings", "help")
    monkeypatch.setattr(main_window, "stages", lambda: (stage for stage in stages() if stage.key in few))


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A workspace with a backup; a setting was changed since."""
    (tmp_path / "own").mkdir()
    path = tmp_path / "own" / "chest.radcal"
    with open_department(path, PASSPHRASE, create=True) as department:
        department.backups.back_up(now=NOON)
        department.save_settings(Settings(seed=7))
    return path


def idle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.tasks.is_idle)


def restore(qtbot: QtBot, window: MainWindow, passphrase: str = PASSPHRASE) -> None:
    """Take the backup that the dialog has chosen."""
    idle(qtbot, window)
    (dialog,) = (d for d in window.findChildren(RestoreDialog) if d.isVisible())
    QTest.keyClicks(dialog.field, passphrase)
    dialog.go.click()
    idle(qtbot, window)


def settings_of(path: Path) -> Settings:
    with open_department(path, PASSPHRASE, read_only=True) as department:
        return department.settings


def test_an_opened_workspace_is_backed_up_and_checked_and_goes_back_to_its_backup(
    qtbot: QtBot, open_window: Open, empty: Path
) -> None:
    window = open_window(empty)
    idle(qtbot, window)
    assert len(list(empty.with_name("chest.backups").iterdir())) == 2
    window.show_page("settings")
    idle(qtbot, window)
    kept = window.page("settings").file.kept.text()
    assert "2 backups in" in kept
    assert "the whole file can be read" in kept
    assert window.messages.shown() == (Message.NOTHING_TO_SHOW,)
    window.page("settings").file.restore.click()
    idle(qtbot, window)
    (dialog,) = window.findChildren(RestoreDialog)
    assert dialog.list.topLevelItemCount() == 2
    dialog.list.setCurrentItem(dialog.list.topLevelItem(1))
    QTest.keyClicks(dialog.field, "wrong")
    assert dialog.go.isEnabled()
    dialog.look.click()
    idle(qtbot, window)
    assert "does not fit" in dialog.held.text()
    dialog.field.setText(PASSPHRASE)
    assert dialog.held.text() == ""
    dialog.look.click()
    idle(qtbot, window)
    assert dialog.held.text() == "The whole backup can be read. It holds 0 reports and 0 decisions by people."
    dialog.go.click()
    assert dialog.field.text() == ""
    idle(qtbot, window)
    assert settings_of(empty).seed == 0
    (aside,) = empty.parent.glob("chest.before-restore-*")
    assert settings_of(aside).seed == 7
    said = window.messages.text(Message.RESTORED)
    assert said.startswith("chest.radcal was restored from a backup. It holds 0 reports and 0 decisions by people.")
    assert "The file before held 0 reports and 1 decision by people more." in said
    assert aside.name in said


@pytest.mark.parametrize("what", ["damaged", "gone", "emptied"])
def test_a_workspace_that_cannot_be_opened_comes_back(qtbot: QtBot, open_window: Open, empty: Path, what: str) -> None:
    if what == "gone":
        empty.unlink()
    else:
        content = bytearray(empty.read_bytes())
        content[2000] ^= 1
        empty.write_bytes(content if what == "damaged" else b"")
    window = open_window()
    window.entrance.open_workspace(empty, PASSPHRASE)
    qtbot.waitUntil(lambda: Message.UNREADABLE in window.messages.shown())
    window.messages.press(Message.UNREADABLE)
    restore(qtbot, window)
    assert window.session.current is not None
    assert window.session.current.path == empty
    assert settings_of(empty).seed == 0
    assert Message.UNREADABLE not in window.messages.shown()


def test_the_start_page_leads_to_backups_in_a_chosen_folder(
    qtbot: QtBot, open_window: Open, close: Callable[..., None], empty: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "another disk"
    elsewhere.mkdir()
    with open_department(empty, PASSPHRASE) as department:
        department.backups.choose(on=True, folder=elsewhere)
    window = open_window(empty)
    idle(qtbot, window)
    assert RecentWorkspaces().backup_folders() == (elsewhere,)
    close(window)
    empty.unlink()
    for backup in empty.with_name("chest.backups").iterdir():
        backup.unlink()
    again = open_window()
    qtbot.waitUntil(lambda: not again.ways.recent[empty].isEnabled())
    again.ways.menu_of(empty).menu().actions()[0].trigger()
    restore(qtbot, again)
    assert settings_of(empty).seed == 7


def test_a_workspace_without_backups_says_so(qtbot: QtBot, open_window: Open, tmp_path: Path, empty: Path) -> None:
    window = open_window()
    lost = tmp_path / "lost.radcal"
    window.entrance.ask_restore(lost)
    idle(qtbot, window)
    (dialog,) = window.findChildren(RestoreDialog)
    assert "No backups were found" in dialog.found.text()
    QTest.keyClicks(dialog.field, PASSPHRASE)
    assert not dialog.go.isEnabled()
    dialog.accept()
    assert dialog.isVisible()
    dialog.other.click()
    (asked,) = dialog.findChildren(QFileDialog)
    (backup,) = empty.with_name("chest.backups").iterdir()
    asked.fileSelected.emit(str(backup))
    asked.reject()
    dialog.go.click()
    idle(qtbot, window)
    assert settings_of(lost).seed == 0


def test_kinds_of_backups_are_told_apart(qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("a.before-restore-x", "a.schema-1", "a-aaaaaaaa-0003-20251122T120000Z")
    series = (("", 0), ("", 0), ("aaaaaaaa", 3))
    backups = [Backup(Path(f"{name}.radcal"), NOON, 2_500_000, *of) for name, of in zip(names, series, strict=True)]
    monkeypatch.setattr("radcal.workspace.backups.backups_of", lambda *_: backups)
    window = open_window()
    window.entrance.ask_restore(Path("a.radcal"))
    idle(qtbot, window)
    (dialog,) = window.findChildren(RestoreDialog)
    rows = [dialog.list.topLevelItem(k) for k in range(3)]
    assert [row.text(1) for row in rows if row is not None] == ["2.5 MB"] * 3
    kinds = ["Put aside when a backup was restored", "Before RadCal was updated", "Daily backup 3"]
    assert [row.text(2) for row in rows if row is not None] == kinds
    assert dialog.backup == Path(f"{names[2]}.radcal"), "not a file that was put aside before it"
    dialog.reject()


# --- what goes wrong -------------------------------------------------------------------------------


def test_a_backup_that_fails_is_a_message_that_leads_to_the_folder(
    qtbot: QtBot, open_window: Open, chest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = NoAccess("Backups cannot be kept in E:. Choose another folder for them in Settings.")
    checked: list[Any] = []
    check = Copies.check_if_due
    monkeypatch.setattr(Copies, "check_if_due", lambda *args: checked.append(args) or check(*args))
    with monkeypatch.context() as patch:
        patch.setattr(Copies, "back_up_if_due", Mock(side_effect=failure))
        window = open_window(chest)
        qtbot.waitUntil(lambda: Message.NOT_BACKED_UP in window.messages.shown())
        assert window.messages.text(Message.NOT_BACKED_UP) == f"Today\u2019s backup was not made. {failure}"
        idle(qtbot, window)
        assert checked  # the pages are read all the same
        window.messages.press(Message.NOT_BACKED_UP)
    assert window.current_key == "settings"
    (asked,) = window.page("settings").file.findChildren(QFileDialog)
    asked.reject()
    window.keeping.look_after()
    idle(qtbot, window)
    assert Message.NOT_BACKED_UP not in window.messages.shown()


def test_damaged_pages_are_told_with_the_way_back(
    qtbot: QtBot, open_window: Open, chest: Path, monkeypatch: pytest.MonkeyPatch, find: Callable[..., Any]
) -> None:
    monkeypatch.setattr(Copies, "check_if_due", lambda *_: Checked(NOON, 1200, 3))
    window = open_window(chest)
    qtbot.waitUntil(lambda: Message.PAGES_DAMAGED in window.messages.shown())
    assert "Part of chest.radcal is damaged (3 of 1,200 pages of the file)" in window.messages.text(
        Message.PAGES_DAMAGED
    )
    find(window.messages, QPushButton, "Check the file").click()
    assert window.current_key == "settings"
    (asked,) = window.page("settings").file.findChildren(AskPassphraseDialog)
    asked.reject()
    window.keeping.look_after()
    qtbot.waitUntil(lambda: Message.PAGES_DAMAGED in window.messages.shown())
    window.messages.press(Message.PAGES_DAMAGED)
    (dialog,) = window.findChildren(RestoreDialog)
    dialog.reject()


def test_what_is_not_ones_own_to_keep_is_left_alone(
    qtbot: QtBot, open_window: Open, empty: Path, prepared: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Any] = []
    for name in ("back_up_if_due", "check_if_due"):
        monkeypatch.setattr(Copies, name, lambda *args: looked.append(args))
    monkeypatch.setattr("radcal.opening.sample_department", lambda _progress: open_department(sample, PASSPHRASE))
    sample = Path(shutil.copy(prepared.analysed, empty.with_name("sample.radcal")))
    window = open_window()
    window.keeping.look_after()
    window.entrance.open_sample()
    qtbot.waitUntil(lambda: window.session.current is not None)
    window.entrance.open_workspace(empty, PASSPHRASE, read_only=True)
    qtbot.waitUntil(lambda: window.session.current.path == empty)
    idle(qtbot, window)
    assert looked == []


def test_a_restore_that_fails_on_the_way_ends_at_the_start(
    qtbot: QtBot, open_window: Open, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(empty)
    idle(qtbot, window)
    # Refused while nothing is closed yet: the workspace stays open.
    window.entrance.ask_restore(empty)
    restore(qtbot, window, "wrong")
    assert "does not fit" in window.messages.text(Message.RESTORE_FAILED)
    assert window.session.current is not None
    assert is_in_use(empty)
    # After that it is closed, and what is on show is not of it.
    failure = DamagedWorkspace("The copy could not be read back. Check the disk it is on.")
    monkeypatch.setattr("radcal.workspace.restoring.restore", Mock(side_effect=failure))
    window.messages.press(Message.RESTORE_FAILED)
    restore(qtbot, window)
    assert not is_in_use(empty)
    assert window.session.current is None
    assert window.current_key == "home"
    assert "could not be read back" in window.messages.text(Message.RESTORE_FAILED)


@pytest.mark.parametrize("by", ["the user", "another file"])
def test_a_restore_that_is_stopped_on_the_way_leaves_no_closed_workspace_on_show(
    qtbot: QtBot, open_window: Open, empty: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    window = open_window(empty)
    idle(qtbot, window)

    def endless(*args: Any) -> None:
        while True:
            args[-1].raise_if_cancelled()
            time.sleep(0.005)

    monkeypatch.setattr("radcal.workspace.restoring.restore", endless)
    backup = min(empty.with_name("chest.backups").iterdir())
    window.entrance.restore(empty, backup, PASSPHRASE)
    qtbot.waitUntil(lambda: not is_in_use(empty))
    if by == "the user":
        window.tasks.cancel(OPEN)
    else:
        window.entrance.open_workspace(Path("other.radcal"), "wrong")
    idle(qtbot, window)
    assert window.session.current is None
    assert window.current_key == "home"
    if by == "the user":
        assert window.messages.text(Message.RESTORE_STOPPED).startswith("Stopped. chest.radcal is as it was")
        window.messages.press(Message.RESTORE_STOPPED)
        (dialog,) = window.findChildren(RestoreDialog)
        dialog.reject()


def test_looking_after_gives_way_to_what_the_user_wants(
    qtbot: QtBot, open_window: Open, chest: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[bool] = []

    def check(_copies: Copies, progress: Progress) -> None:
        if stopped:
            return
        stopped.append(False)
        try:
            while True:
                progress.raise_if_cancelled()
                time.sleep(0.005)
        finally:
            stopped[0] = True

    monkeypatch.setattr(Copies, "check_if_due", check)
    window = open_window(chest)
    answered: list[str] = []
    window.shell.run("short", lambda department, _progress: department.title, answered.append)
    qtbot.waitUntil(lambda: answered == ["chest"])  # between its parts
    qtbot.waitUntil(lambda: stopped == [False])
    window.entrance.open_workspace(empty, PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None and window.session.current.path == empty)
    assert stopped == [True]


def test_closing_the_window_ends_a_check_in_the_middle(
    qtbot: QtBot, open_window: Open, close: Callable[..., None], empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def endless(_self: Any, _file: Any, first: int) -> list[bytes]:
        read.append(first)
        time.sleep(0.005)
        return [b""]

    monkeypatch.setattr(database.Database, "_pages", endless)
    with Workspace.open(empty, PASSPHRASE) as workspace:
        workspace.set_meta("_backed_up", workspace.state())  # so that no backup is due, whose copy would be read too
    window = open_window()
    window.entrance.open_workspace(empty, PASSPHRASE)
    qtbot.waitUntil(lambda: len(read) > 3)
    close(window)
    Workspace.open(empty, PASSPHRASE).close()
