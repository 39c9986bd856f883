"""The lock: when it closes, what is left to be seen or read, and what opens it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from ui.preferences import choose_lock_minutes, lock_minutes
from ui.window.dialogs.keys import KeysDialog
from ui.window.locking import Locking, LockScreen
from ui.window.main_window import MainWindow

Open = Callable[..., MainWindow]
PASSPHRASE = "correct horse battery"


class Clock:
    """Two clocks that go when they are told to."""

    def __init__(self, locking: Locking) -> None:
        self.running = self.date = 1000.0
        locking.clock, locking.wall = lambda: self.running, lambda: self.date
        locking._touched, locking._last = self.running, (self.running, self.date)
        self._locking = locking

    def pass_by(self, seconds: float, step: float = 5.0) -> None:
        """Time passes, and the lock looks at its clocks."""
        while seconds > 0:
            self.running += min(step, seconds)
            self.date += min(step, seconds)
            seconds -= step
            self._locking.tick()


@pytest.fixture
def locked(open_window: Open, chest: Path) -> MainWindow:
    window = open_window(chest)
    window.locking.lock()
    assert window.locking.is_locked
    return window


def on_show() -> list[QWidget]:
    return [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]


def screen_of(window: MainWindow) -> LockScreen:
    screen = window.locking.screen
    assert screen is not None
    return screen


def unlocked(qtbot: QtBot, window: MainWindow, passphrase: str = PASSPHRASE) -> bool:
    """Whether a passphrase unlocks."""
    window.locking.unlock(passphrase)
    qtbot.waitUntil(lambda: not window.locking.is_trying)
    return not window.locking.is_locked


def test_it_locks_after_minutes_without_input(qtbot: QtBot, open_window: Open, chest: Path) -> None:
    window = open_window(chest)
    clock = Clock(window.locking)
    assert lock_minutes() == 10
    clock.pass_by(595)
    assert not window.locking.is_locked
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Shift)
    clock.pass_by(595)
    assert not window.locking.is_locked
    QTest.mouseMove(window.windowHandle(), window.rect().center())
    clock.pass_by(595)
    clock.pass_by(10)
    assert window.locking.is_locked


@pytest.mark.parametrize("minutes", [2, 0])
def test_the_minutes_are_chosen_in_settings(qtbot: QtBot, open_window: Open, chest: Path, minutes: int) -> None:
    window = open_window(chest)
    clock = Clock(window.locking)
    page = window.page("settings")
    page.lock.setCurrentIndex(page.lock.findData(minutes))
    assert lock_minutes() == minutes
    clock.pass_by(115)
    assert not window.locking.is_locked
    clock.pass_by(10)
    assert window.locking.is_locked is bool(minutes)
    if not minutes:
        clock.date += 86_400
        clock.pass_by(86_400, 3600)
        assert not window.locking.is_locked
    choose_lock_minutes(10)


@pytest.mark.parametrize("runs_on", [False, True])
def test_it_locks_when_the_computer_slept(qtbot: QtBot, open_window: Open, chest: Path, runs_on: bool) -> None:
    """One clock stands still then, on some systems."""
    window = open_window(chest)
    clock = Clock(window.locking)
    clock.date += 90
    clock.running += 90 if runs_on else 0
    window.locking.tick()
    assert window.locking.is_locked


def test_everything_is_hidden_at_once_and_as_it_was_after_unlocking(
    qtbot: QtBot, open_window: Open, chest: Path
) -> None:
    window = open_window()
    window.locking.lock()
    assert not window.locking.is_locked
    assert not window.top_bar.lock.isEnabled(), "there is nothing to lock yet"
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None)
    assert window.top_bar.lock.isEnabled()
    window.show_page("department")
    QGuiApplication.clipboard().setText("mine")
    window.show_keys()
    [dialog] = window.findChildren(KeysDialog)
    window.page("settings").file.ask_passphrase()
    assert len(on_show()) > 2
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    if not window.locking.is_locked:  # a modal dialog has the keyboard
        window.locking.lock()
    assert on_show() == [window.locking.screen]
    screen = screen_of(window)
    assert screen.windowTitle() == "RadCal \u2013 locked"
    assert QGuiApplication.clipboard().text() == "mine"
    texts = " ".join(label.text() for label in screen.findChildren(QLabel))
    assert "Avery" not in texts
    assert not QAccessible.queryAccessibleInterface(window).state().active
    assert QAccessible.queryAccessibleInterface(window).state().invisible
    screen.field.setText(PASSPHRASE)
    QTest.keyClick(screen.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.locking.is_locked)
    assert window.isVisible()
    assert dialog.isVisible()
    assert dialog.isModal()
    assert window.current_key == "department"
    dialog.close()


def test_only_the_passphrase_of_the_open_file_opens_it(qtbot: QtBot, locked: MainWindow) -> None:
    screen = screen_of(locked)
    for wrong in ("", "correct horse", "x\n"):
        screen.field.setText(wrong)
        screen.try_passphrase()
        qtbot.waitUntil(lambda: not locked.locking.is_trying)
    assert locked.locking.is_locked
    assert "does not fit" in screen.outcome.text()
    assert screen.field.text() == ""
    assert not locked.isVisible()


def test_a_changed_passphrase_holds_at_once(qtbot: QtBot, locked: MainWindow) -> None:
    opened = locked.session.current
    assert opened is not None
    opened.department.change_passphrase(PASSPHRASE, "four unrelated words here")
    assert not unlocked(qtbot, locked)
    assert unlocked(qtbot, locked, "four unrelated words here")


def test_wrong_tries_take_longer_and_longer(qtbot: QtBot, locked: MainWindow) -> None:
    locking = locked.locking
    clock = Clock(locking)
    waits = []
    for _ in range(10):
        unlocked(qtbot, locked, "wrong")
        waits.append(locking.wait)
        clock.running += locking.wait
    assert waits == [0, 0, 2, 4, 8, 16, 32, 60, 60, 60]
    unlocked(qtbot, locked, "wrong")
    assert not unlocked(qtbot, locked)  # not yet
    clock.running += 60
    assert unlocked(qtbot, locked)


def test_work_goes_on_behind_it(
    qtbot: QtBot, open_window: Open, chest: Path, hold: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(chest)
    done: list[int] = []
    window.shell.run("count", lambda department, _: len(department.authors()), done.append)
    window.locking.lock()
    qtbot.waitUntil(lambda: bool(done))
    assert window.locking.is_locked
    assert unlocked(qtbot, window)


def test_closing_the_screen_quits_and_never_unlocks(
    qtbot: QtBot, locked: MainWindow, close: Callable[..., None]
) -> None:
    screen = screen_of(locked)
    close(locked, lambda _: screen.close())
    assert on_show() == []


def test_what_is_shown_while_locked_is_hidden_too_and_comes_back_once(qtbot: QtBot, locked: MainWindow) -> None:
    dialog = QDialog(locked)
    for show in (locked.show, dialog.open, locked.show):
        show()
        locked.locking.tick()
        assert on_show() == [locked.locking.screen]
    assert unlocked(qtbot, locked)
    assert locked.isVisible()
    assert dialog.isVisible()
    dialog.close()


def test_a_passphrase_is_tried_beside_the_window_and_one_at_a_time(
    qtbot: QtBot, locked: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = locked.session.current
    assert opened is not None
    tried: list[tuple[str, bool]] = []
    go = threading.Event()

    def fits(passphrase: str) -> bool:
        tried.append((passphrase, threading.current_thread() is threading.main_thread()))
        return go.wait(60) and passphrase == PASSPHRASE

    monkeypatch.setattr(opened.department, "fits", fits)
    screen = screen_of(locked)
    screen.field.setText("wrong")
    screen.try_passphrase()
    assert locked.locking.is_locked
    screen.field.setText(PASSPHRASE)
    screen.try_passphrase()
    assert not screen.open_button.isEnabled()
    assert screen.field.text() == PASSPHRASE, "kept until it can be tried"
    go.set()
    qtbot.waitUntil(lambda: not locked.locking.is_trying)
    assert "does not fit" in screen.outcome.text()
    assert screen.open_button.isEnabled()
    screen.open_button.click()
    qtbot.waitUntil(lambda: not locked.locking.is_locked)
    assert tried == [("wrong", False), (PASSPHRASE, False)]
