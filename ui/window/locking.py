"""The lock: after some time without input everything is hidden until the passphrase of the open file is given.

Windows are hidden, not covered: what is hidden is not on the screen, in no task bar, and read out by no screen reader.
Nothing is closed, and work under way goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QThread, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QWindow
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from ui.kit.action import push_button
from ui.kit.form import ShowTyped, secret_field
from ui.kit.layout import hbox, vbox
from ui.kit.text import label, wrapped
from ui.preferences import lock_minutes
from ui.theme import px
from ui.words import counted, say

if TYPE_CHECKING:
    from radcal.department import Department
    from ui.records import Opened

_TICK_MS = 5000
_ASLEEP_S = 60.0
"""A gap between two ticks that shows that the computer was asleep."""
_FREE_TRIES = 2
_LONGEST_WAIT_S = 60.0
_INPUT = frozenset(
    (
        *(QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel),
        *(QEvent.Type.TouchBegin, QEvent.Type.TouchUpdate, QEvent.Type.TabletPress, QEvent.Type.TabletMove),
        QEvent.Type.InputMethod,
    )
)


class _Try(QThread):
    """Tries a passphrase, which takes a while by design; in a thread of its own, as work under way may take hours."""

    def __init__(self, department: Department, passphrase: str) -> None:
        super().__init__()
        self._department, self._passphrase = department, passphrase
        self.fits = False

    def run(self) -> None:
        self.fits = self._department.fits(self._passphrase)


class Locking(QObject):
    """Locks and unlocks all windows of the application.

    Args:
        window: the main window.
        opened: what is open and worth locking, or None.
        clock: seconds, which may stand still while the computer sleeps;  wall: seconds of the calendar, which do not
    """

    def __init__(
        self,
        window: QWidget,
        opened: Callable[[], Opened | None],
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(window)
        self._window, self._opened = window, opened
        self.clock, self.wall = clock, wall
        self.screen: LockScreen | None = None
        """The screen in place of all windows; None while unlocked."""
        self._locked: Opened | None = None
        self._hidden: list[QWidget] = []
        self._touched = clock()
        self._last = clock(), wall()
        self._wrong, self._not_before = 0, 0.0
        self._try: _Try | None = None
        # Not all events of all widgets, of which there are thousands: only what the system sends to a window.
        app = QApplication.instance()
        if isinstance(app, QGuiApplication):
            app.focusWindowChanged.connect(self._follow)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.tick)
        self._timer.start()

    @property
    def is_locked(self) -> bool:
        """Whether everything is hidden."""
        return self.screen is not None

    # --- when to lock ------------------------------------------------------------------------------

    @Slot(QWindow)
    def _follow(self, window: QWindow | None) -> None:
        """Notice the input of a window from now on."""
        if window is not None:
            window.installEventFilter(self)
        if self.is_locked:
            self._hide_the_rest()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT:
            self._touched = self.clock()
        return False

    @Slot()
    def tick(self) -> None:
        """Lock if it is time to."""
        now, date = self.clock(), self.wall()
        slept = max(now - self._last[0], date - self._last[1]) > _ASLEEP_S
        self._last = now, date
        if self.is_locked:
            self._hide_the_rest()
            return
        minutes = lock_minutes()
        if minutes and (slept or now - self._touched >= 60 * minutes):
            self.lock()

    # --- locking -----------------------------------------------------------------------------------

    @Slot()
    def lock(self) -> None:
        """Hide everything now, if there is something to protect."""
        opened = self._opened()
        if self.is_locked or opened is None:
            return
        self._locked = opened
        screen = self.screen = LockScreen(opened.path.name, self)
        before = self._window
        screen.setGeometry(before.geometry())
        # Shown before the others are hidden: without any window the application would end.
        if before.isMinimized():
            screen.showMinimized()
        elif before.isMaximized() or before.isFullScreen():
            screen.showMaximized()
        else:
            screen.show()
        self._hide_the_rest()
        screen.raise_()
        screen.activateWindow()
        screen.field.setFocus()

    def _hide_the_rest(self) -> None:
        """Hide all other windows, those included that work under way has opened meanwhile."""
        QToolTip.hideText()
        while (popup := QApplication.activePopupWidget()) is not None:
            if not popup.close():
                break
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible() and widget is not self.screen:
                if widget not in self._hidden:  # one that was shown again is there already
                    self._hidden.append(widget)
                    widget.destroyed.connect(self._forget)
                widget.hide()

    @Slot(QObject)
    def _forget(self, gone: QObject) -> None:
        self._hidden = [widget for widget in self._hidden if widget is not gone]

    # --- unlocking ---------------------------------------------------------------------------------

    @property
    def wait(self) -> float:
        """Seconds until the next try is taken."""
        return max(0.0, self._not_before - self.clock())

    @property
    def is_trying(self) -> bool:
        """Whether a passphrase is being tried."""
        return self._try is not None

    def unlock(self, passphrase: str) -> None:
        """Show everything again if the passphrase is right; each wrong one after the second costs a longer wait.

        Returns at once; the screen is told if it was wrong.  While one is tried, or has to wait, none is taken.
        """
        opened = self._opened() or self._locked
        if self.screen is None or opened is None or self.wait or self._try is not None:
            return
        self._try = _Try(opened.department, passphrase)
        self._try.finished.connect(self._tried)
        self._try.start()

    @Slot()
    def _tried(self) -> None:
        tried, self._try = self._try, None
        if tried is None:
            return
        tried.wait()  # its end is told a moment before
        if self.screen is None:
            return
        if tried.fits:
            self._show_again(self.screen)
            return
        self._wrong += 1
        if (over := self._wrong - _FREE_TRIES) > 0:
            self._not_before = self.clock() + min(2.0**over, _LONGEST_WAIT_S)
        self.screen.refuse()

    def _show_again(self, screen: LockScreen) -> None:
        self._wrong, self._not_before = 0, 0.0
        self._touched, self._last = self.clock(), (self.clock(), self.wall())
        self.screen = self._locked = None
        hidden, self._hidden = self._hidden, []
        # The main window first, so that its dialogs come to lie above it.
        for widget in sorted(hidden, key=lambda widget: widget is not self._window):
            widget.destroyed.disconnect(self._forget)
            widget.show()
        last = hidden[-1] if hidden else self._window
        last.raise_()
        last.activateWindow()
        screen.end()

    def leave(self) -> None:
        """Quit, as by closing the main window; what is asked about then waits until it is unlocked."""
        self._window.close()

    def end(self) -> None:
        """The main window is about to be closed for good."""
        self._timer.stop()
        if self._try is not None:
            self._try.wait()
            self._try = None
        if self.screen is not None:
            self.screen.end()
            self.screen = None


class LockScreen(QWidget):
    """All that is shown while RadCal is locked; ``name`` is that of the file."""

    def __init__(self, name: str, locking: Locking) -> None:
        super().__init__()
        self._locking = locking
        self._over = False
        self.setWindowTitle(say("RadCal \u2013 locked"))
        self.setMinimumSize(px(320), px(240))
        self.field = secret_field(say("Passphrase"))
        self.field.textChanged.connect(self._look)
        self.field.returnPressed.connect(self.try_passphrase)
        self.outcome = wrapped(say("Nothing was closed, and work under way goes on."), role="muted")
        self.field.setAccessibleDescription(self.outcome.text())
        self.open_button = push_button(say("&Unlock"), self.try_passphrase, primary=True)
        self.quit_button = push_button(say("&Quit RadCal"), locking.leave)
        inner = QWidget()
        inner.setMaximumWidth(px(420))
        inner.setMinimumWidth(px(280))
        vbox(
            label(say("RadCal is locked"), role="title"),
            wrapped(say("Passphrase of {name}", name=name)),
            self.field,
            ShowTyped([self.field]),
            self.outcome,
            hbox(self.open_button, None, self.quit_button),
            parent=inner,
            spacing=10,
        )
        vbox(None, hbox(None, inner, None), None, parent=self, margins=(20, 16, 20, 16))
        self._again = QTimer(self)
        self._again.setInterval(1000)
        self._again.timeout.connect(self._look)
        self._look()

    @Slot()
    def try_passphrase(self) -> None:
        """Unlock with what is typed, or say why not."""
        typed = self.field.text()
        if not typed or self._locking.wait or self._locking.is_trying:
            return
        self._locking.unlock(typed)
        self.field.clear()

    def refuse(self) -> None:
        """Say that the passphrase was wrong, and for how long none is taken."""
        self._again.start()
        self._look()

    @Slot()
    def _look(self, *_: object) -> None:
        wait = self._locking.wait
        self.open_button.setEnabled(bool(self.field.text()) and not wait and not self._locking.is_trying)
        if wait:
            seconds = counted(max(1, round(wait)), "{n} second", "{n} seconds")
            self._tell(say("The passphrase does not fit. The next try is taken in {seconds}.", seconds=seconds))
        elif self._again.isActive():
            self._again.stop()
            self._tell(say("The passphrase does not fit. Check capital letters and the keyboard layout."))

    def _tell(self, text: str) -> None:
        self.outcome.setText(text)
        self.field.setAccessibleDescription(text)
        self.outcome.setProperty("role", "error")
        self.outcome.style().polish(self.outcome)

    def end(self) -> None:
        """Close for good."""
        self._over = True
        self.field.clear()
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing the screen is quitting, not unlocking."""
        if self._over:
            super().closeEvent(event)
            return
        event.ignore()
        self._locking.leave()
