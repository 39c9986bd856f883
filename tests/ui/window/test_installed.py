"""What IT has set, what an update did, and the log of faults, as the window shows them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from radcal.findings.model.library import Library
from radcal.system import faults, policy
from radcal.system.policy import Policy
from radcal.system.text import Text
from radcal.workspace import schema
from radcal.workspace.backups import backups_of
from radcal.workspace.store import Workspace
from ui import language, theme
from ui.pages.settings.page import SettingsPage
from ui.preferences import choose_lock_minutes, lock_minutes
from ui.shell import Shell
from ui.stages import REPORTS
from ui.widgets.messages import Message
from ui.window import building
from ui.window.dialogs.faults import FaultsDialog
from ui.window.dialogs.passphrase import PassphraseDialog
from ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def in_force(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Policy]:
    """Puts locks in force, and defaults by ``defaults``."""

    def put(defaults: dict[str, object] | None = None, **locked: object) -> Policy:
        made = Policy(Path("/etc/radcal/policy.toml"), defaults or {}, locked, {"window_hours": 7})
        monkeypatch.setattr(policy, "in_use", lambda: made)
        return made

    return put


# --- policy ----------------------------------------------------------------------------------------


def test_what_it_has_locked_is_grey_says_so_and_is_not_stored_over(
    show_page: Callable[..., Any], shell: Shell, in_force: Callable[..., Policy], qtbot: QtBot, department: Any
) -> None:
    in_force({"min_phrase_n": 9}, window_hours=24.0, engines=("rules",), lock_minutes=5, language="de", theme="dark")
    page: SettingsPage = show_page(SettingsPage, shell)
    page.show_department(shell.opened)
    qtbot.waitUntil(lambda: page._kept is not None)
    row = page.rows["window_hours"]
    assert not row.control.isEnabled()
    assert not row.reset.isEnabled()
    assert row.value() == 24
    assert row.locked.text() == (
        "Set by your IT department (/etc/radcal/policy.toml, line 7). "
        "The workspace stores another value, used again once the lock is gone."
    )
    assert page.rows["min_phrase_n"].control.isEnabled()
    assert page.rows["min_phrase_n"].field.default == 9  # what the department goes back to
    for box in (page.appearance, page.language, page.lock):
        assert not box.isEnabled()
        assert "Set by your IT department" in box.toolTip()
    assert page.scale.isEnabled()
    assert page.policy.text().startswith("Your IT department has locked 5 settings on this computer. The file is ")
    before = department._workspace.settings
    page.set_draft("min_group_n", before.min_group_n + 1)
    page.apply_changes()
    qtbot.waitUntil(lambda: department.settings.min_group_n == before.min_group_n + 1 and shell.tasks.is_idle)
    assert department._workspace.settings == before.changed(min_group_n=before.min_group_n + 1)
    assert department.settings.window_hours == 24


def test_preferences_follow_lock_choice_and_default(in_force: Callable[..., Policy]) -> None:
    assert (lock_minutes(), language.chosen(), theme.chosen_scheme(), theme.chosen_scale()) == (10, "", "", 100)
    in_force({"lock_minutes": 5, "language": "de", "theme": "dark", "scale": 150})
    assert (lock_minutes(), language.chosen(), theme.chosen_scheme(), theme.chosen_scale()) == (5, "de", "dark", 150)
    choose_lock_minutes(30)
    language.choose("en")
    theme.choose_scale(125)
    assert (lock_minutes(), language.chosen(), theme.chosen_scale()) == (30, "en", 125)
    in_force(lock_minutes=2, language="de", scale=200)
    assert (lock_minutes(), language.chosen(), theme.chosen_scale()) == (2, "de", 200)


def test_the_key_store_is_not_offered_where_it_is_refused(
    in_force: Callable[..., Policy], qtbot: QtBot, tmp_path: Path
) -> None:
    in_force(key_store="refused")
    dialog = PassphraseDialog(tmp_path / "w.radcal")
    qtbot.addWidget(dialog)
    assert not dialog.remember.isEnabled()
    assert "Set by your IT department" in dialog.remember.toolTip()


_REFUSED = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox
from radcal.system import policy
policy.in_use = lambda: policy.read_policy(Path(sys.argv[1]))
shown = QMessageBox.open
def closed(box):
    print(box.text())
    QTimer.singleShot(0, box.accept)
    shown(box)
QMessageBox.open = closed
from ui.app import main
sys.exit(main([]))
"""


def test_a_broken_policy_is_said_and_no_window_opens(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text("[locked]\nlock_minuts = 5\n", encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", _REFUSED, str(file)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        timeout=120,
        check=False,
    )
    said = "lock_minuts in [locked]: this RadCal does not know that name"
    assert done.returncode == 2, done.stderr
    assert f"line 2: {said}" in done.stdout
    assert said in done.stderr


# --- llama.cpp, built beside the window ------------------------------------------------------------


def test_a_build_beside_the_window_is_shown_until_it_has_ended(
    open_window: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    state = [Library(False, Text("compiling"), 0.25, 120.0)]
    monkeypatch.setattr(building, "library", lambda: state[0])
    window = open_window()
    bar = window.task_bar
    assert bar.label.text().startswith("Building the second reader; until then the rules read alone \u00b7 2\u00a0min")
    assert (bar.bar.value(), bar.bar.maximum(), bar.button.isVisible()) == (250, 1000, False)
    stop = threading.Event()
    window.tasks.start("read", lambda _: stop.wait(), done=lambda _: None, failed=lambda _: None, title="Reading")
    assert bar.label.text() == "Reading", "what the user has started comes first"
    stop.set()
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert bar.bar.value() == 250
    state[0] = Library(False, problem=Text("There is no compiler."))
    window.building.look()
    assert window.messages.text(Message.NO_SECOND_READER).endswith("There is no compiler.")
    assert (bar.label.text(), bar.bar.isVisible()) == ("Nothing leaves this computer.", False)
    window.messages.clear(Message.NO_SECOND_READER)
    window.building.look()
    assert Message.NO_SECOND_READER not in window.messages.shown(), "said once"
    state[0] = Library(ready=True)
    qtbot.waitUntil(lambda: Message.SECOND_READER in window.messages.shown())
    window.messages.press(Message.SECOND_READER)
    assert window._key == REPORTS


# --- updates ---------------------------------------------------------------------------------------


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace of the schema before that of a RadCal with one step more."""
    path, steps = tmp_path / "old.radcal", schema.steps()
    Workspace.create(path, "archive").close()
    monkeypatch.setattr(schema, "steps", lambda: [*steps, "CREATE TABLE later (a TEXT) STRICT;"])
    return path


def test_an_update_is_told_with_the_name_of_the_copy(
    open_window: Callable[..., MainWindow], old: Path, qtbot: QtBot
) -> None:
    window = open_window()
    window.entrance.open_workspace(old, "archive")
    qtbot.waitUntil(lambda: window.session.current is not None)
    (copy,) = old.parent.glob("old.schema-*.radcal")
    assert window.messages.text(Message.UPDATED) == (
        f"old.radcal was brought up to date for this RadCal. The file as it was is kept beside it as {copy.name}: a "
        "RadCal from before the update opens that one alone."
    )


def test_a_newer_file_leads_to_its_backups_of_which_the_copy_is_one(
    open_window: Callable[..., MainWindow], old: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    Workspace.open(old, "archive").close()
    (copy,) = old.parent.glob("old.schema-*.radcal")
    known = schema.steps()[:-1]
    monkeypatch.setattr(schema, "steps", lambda: known)
    window = open_window()
    window.entrance.open_workspace(old, "archive")
    qtbot.waitUntil(lambda: Message.UNREADABLE in window.messages.shown())
    assert "written by a newer RadCal" in window.messages.text(Message.UNREADABLE)
    assert copy in [backup.path for backup in backups_of(old)]


# --- faults ----------------------------------------------------------------------------------------


def test_the_log_of_faults_is_shown_copied_and_saved(
    fault_log: Path,
    open_window: Callable[..., MainWindow],
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    window = open_window()
    empty = FaultsDialog(window.shell)
    qtbot.addWidget(empty)
    assert not empty.copy.isEnabled()
    assert not empty.save.isEnabled()
    assert str(fault_log) in empty.about.text()
    faults.record(KeyError("Zebulon Quackenbush"), "radcal run")
    window.top_bar.faults_wanted.emit()
    dialog = window.findChild(FaultsDialog)
    assert dialog is not None
    assert "radcal run" in dialog.text.toPlainText()
    assert "Quackenbush" not in dialog.text.toPlainText()
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.text.toPlainText()
    out = tmp_path / "faults.txt"
    monkeypatch.setattr(window.shell, "save_file", lambda _t, _n, _k, make: window.shell.write_file(str(out), make))
    dialog.save.click()
    qtbot.waitUntil(out.is_file)
    assert out.read_text("utf-8") == dialog.text.toPlainText() + "\n"
    dialog.close()


def test_what_fails_in_the_worker_is_entered_with_page_and_operation(
    fault_log: Path, open_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = open_window()
    failed: list[object] = []

    def work(_progress: object) -> None:
        raise KeyError("Zebulon Quackenbush")

    window.tasks.start("write /home/zebulon.csv", work, done=failed.append, failed=failed.append)
    qtbot.waitUntil(lambda: bool(failed))
    entry = faults.entries()[-1]
    assert entry.splitlines()[0].endswith("  fault  window home write")
    assert "uackenbush" not in str(faults.entries())
