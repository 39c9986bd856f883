"""The window keeps the open workspace safe in the background, and leads back to backups."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from radcal import workflow as real
from radcal.progress import Progress
from radcal.records import Backup, Checked
from radcal.settings import Settings
from radcal.workflow import open_department
from radcal.workspace import DamagedWorkspace, NoAccess, Workspace, database
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
Open = Callable[[Any], MainWindow]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few pages, and keys that are soon derived."""
    few = ("import", "reliability", "settings", "help")
    monkeypatch.setattr(main_window, "stages", lambda: (stage for stage in stages() if stage.key in few))
    monkeypatch.setattr(database, "KDF_ITERATIONS", 1000)


@pytest.fixture
def chest(tmp_path: Path) -> Path:
    """A workspace with a backup; a setting was changed since."""
    path = tmp_path / "chest.radcal"
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


def test_an_opened_workspace_is_backed_up_and_checked(qtbot: QtBot, open_window: Open, chest: Path) -> None:
    window = open_window(real)
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None)
    idle(qtbot, window)
    assert len(list(chest.with_name("chest.backups").iterdir())) == 2
    window.show_page("settings")
    idle(qtbot, window)
    kept = window.page("settings").file.kept.text()
    assert "2 backups in" in kept
    assert "the whole file can be read" in kept
    assert window.messages.shown() == (Message.NOTHING_TO_SHOW,)


def test_an_open_workspace_goes_back_to_its_backup(qtbot: QtBot, open_window: Open, chest: Path) -> None:
    window = open_window(real)
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None)
    idle(qtbot, window)
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
    assert settings_of(chest).seed == 0
    (aside,) = chest.parent.glob("chest.before-restore-*")
    assert settings_of(aside).seed == 7
    told = window.messages.text(Message.RESTORED)
    assert told.startswith("chest.radcal was restored from a backup. It holds 0 reports and 0 decisions by people.")
    assert "The file before held 0 reports and 1 decision by people more." in told
    assert aside.name in told


@pytest.mark.parametrize("what", ["damaged", "gone", "emptied"])
def test_a_workspace_that_cannot_be_opened_comes_back(qtbot: QtBot, open_window: Open, chest: Path, what: str) -> None:
    if what == "gone":
        chest.unlink()
    else:
        content = bytearray(chest.read_bytes())
        content[2000] ^= 1
        chest.write_bytes(content if what == "damaged" else b"")
    window = open_window(real)
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: Message.UNREADABLE in window.messages.shown())
    window.messages.press(Message.UNREADABLE)
    restore(qtbot, window)
    assert window.session.current is not None
    assert window.session.current.path == chest
    assert settings_of(chest).seed == 0
    assert Message.UNREADABLE not in window.messages.shown()


def test_the_start_page_leads_to_backups_in_a_chosen_folder(
    qtbot: QtBot, open_window: Open, chest: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "another disk"
    elsewhere.mkdir()
    with open_department(chest, PASSPHRASE) as department:
        department.backups.choose(on=True, folder=elsewhere)
    window = open_window(real)
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None)
    idle(qtbot, window)
    assert RecentWorkspaces().backup_folders() == (elsewhere,)
    gone: list[bool] = []
    window.destroyed.connect(lambda: gone.append(True))
    window.finish()
    qtbot.waitUntil(lambda: bool(gone))
    chest.unlink()
    for backup in chest.with_name("chest.backups").iterdir():
        backup.unlink()
    again = open_window(real)
    qtbot.waitUntil(lambda: not again.start.recent[chest].isEnabled())
    again.start.backups[chest].click()
    restore(qtbot, again)
    assert settings_of(chest).seed == 7


def test_a_workspace_without_backups_says_so(qtbot: QtBot, open_window: Open, tmp_path: Path, chest: Path) -> None:
    window = open_window(real)
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
    (backup,) = chest.with_name("chest.backups").iterdir()
    asked.fileSelected.emit(str(backup))
    asked.reject()
    dialog.go.click()
    idle(qtbot, window)
    assert settings_of(lost).seed == 0


def test_kinds_of_backups_are_told_apart(qtbot: QtBot, open_window: Open, workflow: Any) -> None:
    names = ("a-aaaaaaaa-0003-20251122T120000Z", "a.schema-1", "a.before-restore-x")
    series = (("aaaaaaaa", 3), ("", 0), ("", 0))
    workflow.backups = [
        Backup(Path(f"{name}.radcal"), NOON, 2_500_000, *of) for name, of in zip(names, series, strict=True)
    ]
    window = open_window(workflow)
    window.entrance.ask_restore(Path("a.radcal"))
    idle(qtbot, window)
    (dialog,) = window.findChildren(RestoreDialog)
    rows = [dialog.list.topLevelItem(k) for k in range(3)]
    assert [row.text(1) for row in rows if row is not None] == ["2.5 MB"] * 3
    assert [row.text(2) for row in rows if row is not None] == [
        "Daily backup 3",
        "Before RadCal was updated",
        "Put aside when a backup was restored",
    ]
    assert dialog.backup == Path(f"{names[0]}.radcal")
    dialog.reject()


def test_a_file_that_was_put_aside_is_not_chosen_before_a_backup(
    qtbot: QtBot, open_window: Open, workflow: Any
) -> None:
    aside, made = Path("a.before-restore-x.radcal"), Path("a-aaaaaaaa-0003-x.radcal")
    workflow.backups = [Backup(aside, NOON, 1), Backup(made, NOON, 1, "aaaaaaaa", 3)]
    window = open_window(workflow)
    window.entrance.ask_restore(Path("a.radcal"))
    idle(qtbot, window)
    (dialog,) = window.findChildren(RestoreDialog)
    assert dialog.backup == made
    dialog.reject()


# --- what goes wrong -------------------------------------------------------------------------------


def test_a_backup_that_fails_is_a_message_that_leads_to_the_folder(
    qtbot: QtBot, workflow: Any, open_window: Open
) -> None:
    failure = NoAccess("Backups cannot be kept in E:. Choose another folder for them in Settings.")
    workflow.prepare = lambda department: setattr(department.backups, "fails", failure)
    window = open_window(workflow)
    window.entrance.open_workspace(Path("chest.radcal"), PASSPHRASE)
    qtbot.waitUntil(lambda: Message.NOT_BACKED_UP in window.messages.shown())
    assert window.messages.text(Message.NOT_BACKED_UP) == f"Today\u2019s backup was not made. {failure}"
    (department,) = workflow.departments
    assert department.backups.calls == ["back up", "check"]  # the pages are read all the same
    window.messages.press(Message.NOT_BACKED_UP)
    assert window.current_key == "settings"
    (asked,) = window.page("settings").file.findChildren(QFileDialog)
    asked.reject()
    department.backups.fails = None
    window.keeping.look_after()
    idle(qtbot, window)
    assert Message.NOT_BACKED_UP not in window.messages.shown()


def test_damaged_pages_are_told_with_the_way_back(qtbot: QtBot, workflow: Any, open_window: Open) -> None:
    workflow.prepare = lambda department: setattr(department.backups, "wrong", Checked(NOON, 1200, 3))
    window = open_window(workflow)
    window.entrance.open_workspace(Path("chest.radcal"), PASSPHRASE)
    qtbot.waitUntil(lambda: Message.PAGES_DAMAGED in window.messages.shown())
    assert "Part of chest.radcal is damaged (3 of 1,200 pages of the file)" in window.messages.text(
        Message.PAGES_DAMAGED
    )
    row = window.messages._rows[Message.PAGES_DAMAGED]
    assert row.also is not None
    row.also.click()
    assert window.current_key == "settings"
    (asked,) = window.page("settings").file.findChildren(AskPassphraseDialog)
    asked.reject()
    window.keeping.look_after()
    qtbot.waitUntil(lambda: Message.PAGES_DAMAGED in window.messages.shown())
    window.messages.press(Message.PAGES_DAMAGED)
    (dialog,) = window.findChildren(RestoreDialog)
    dialog.reject()


def test_what_is_not_ones_own_to_keep_is_left_alone(qtbot: QtBot, workflow: Any, open_window: Open) -> None:
    window = open_window(workflow)
    window.keeping.look_after()
    window.entrance.open_sample()
    qtbot.waitUntil(lambda: window.session.current is not None)
    window.entrance.open_workspace(Path("chest.radcal"), PASSPHRASE, read_only=True)
    qtbot.waitUntil(lambda: len(workflow.departments) == 2)
    idle(qtbot, window)
    assert [department.backups.calls for department in workflow.departments] == [[], []]


def test_a_restore_that_fails_on_the_way_ends_at_the_start(qtbot: QtBot, workflow: Any, open_window: Open) -> None:
    workflow.backups = [Backup(Path("chest-aaaaaaaa-0001-x.radcal"), NOON, 1, "aaaaaaaa", 1)]
    window = open_window(workflow)
    window.entrance.open_workspace(Path("chest.radcal"), PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None)
    idle(qtbot, window)
    (department,) = workflow.departments
    # Refused while nothing is closed yet: the workspace stays open.
    window.entrance.ask_restore(Path("chest.radcal"))
    restore(qtbot, window, "wrong")
    assert "does not fit" in window.messages.text(Message.RESTORE_FAILED)
    assert window.session.current is not None
    assert not department.closed.is_set()
    # After that it is closed, and what is on show is not of it.
    workflow.unrestorable = DamagedWorkspace("The copy could not be read back. Check the disk it is on.")
    window.messages.press(Message.RESTORE_FAILED)
    restore(qtbot, window)
    assert department.closed.is_set()
    assert window.session.current is None
    assert window.current_key == "start"
    assert "could not be read back" in window.messages.text(Message.RESTORE_FAILED)


@pytest.mark.parametrize("by", ["the user", "another file"])
def test_a_restore_that_is_stopped_on_the_way_leaves_no_closed_workspace_on_show(
    qtbot: QtBot, workflow: Any, open_window: Open, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    workflow.backups = [Backup(Path("chest-aaaaaaaa-0001-x.radcal"), NOON, 1, "aaaaaaaa", 1)]
    window = open_window(workflow)
    window.entrance.open_workspace(Path("chest.radcal"), PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None)
    idle(qtbot, window)
    (department,) = workflow.departments

    def endless(*args: Any) -> None:
        while True:
            args[-1].raise_if_cancelled()
            time.sleep(0.005)

    monkeypatch.setattr(workflow, "restore", endless)
    window.entrance.restore(Path("chest.radcal"), workflow.backups[0].path, PASSPHRASE)
    qtbot.waitUntil(department.closed.is_set)
    if by == "the user":
        window.tasks.cancel(OPEN)
    else:
        window.entrance.open_workspace(Path("other.radcal"), "wrong")
    idle(qtbot, window)
    assert window.session.current is None
    assert window.current_key == "start"
    if by == "the user":
        assert window.messages.text(Message.RESTORE_STOPPED).startswith("Stopped. chest.radcal is as it was")
        window.messages.press(Message.RESTORE_STOPPED)
        (dialog,) = window.findChildren(RestoreDialog)
        dialog.reject()


def test_looking_after_gives_way_to_what_the_user_wants(qtbot: QtBot, workflow: Any, open_window: Open) -> None:
    stopped: list[bool] = []

    def prepare(department: Any) -> None:
        if stopped:
            return
        stopped.append(False)

        def check(progress: Progress) -> None:
            try:
                while True:
                    progress.raise_if_cancelled()
                    time.sleep(0.005)
            finally:
                stopped[0] = True

        department.backups.check_if_due = check

    workflow.prepare = prepare
    window = open_window(workflow)
    window.entrance.open_workspace(Path("chest.radcal"), PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None)
    answered: list[str] = []
    window.shell.run("short", lambda department, _progress: department.title, answered.append)
    qtbot.waitUntil(lambda: answered == ["chest"])  # between its parts
    assert stopped == [False]
    window.entrance.open_workspace(Path("other.radcal"), PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None and window.session.current.title == "other")
    assert stopped == [True]


def test_closing_the_window_ends_a_check_in_the_middle(
    qtbot: QtBot, open_window: Open, chest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def endless(_self: Any, _file: Any, first: int) -> list[bytes]:
        read.append(first)
        time.sleep(0.005)
        return [b""]

    monkeypatch.setattr(database.Database, "_pages", endless)
    with Workspace.open(chest, PASSPHRASE) as workspace:
        workspace._set_meta("_backed_up", workspace.state())  # so that no backup is due, whose copy would be read too
    window = open_window(real)
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: len(read) > 3)
    gone: list[bool] = []
    window.destroyed.connect(lambda: gone.append(True))
    window.finish()
    qtbot.waitUntil(lambda: bool(gone))
    Workspace.open(chest, PASSPHRASE).close()
