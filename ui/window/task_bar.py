"""The window's foot: the running task, its speed and remaining time, and a cancel button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from ui.kit import keyboard
from ui.kit.action import push_button
from ui.kit.layout import hbox
from ui.kit.text import ElidedLabel
from ui.tasks import Advance, TaskState
from ui.theme import px
from ui.window.served_sign import ServedSign
from ui.words import duration, say, speed, typographic, whole

HEIGHT = 44
_BAR, _SHORT_BAR = 240, 120
"""Widths of the progress bar: usually, and beside the sign."""


class TaskBar(QFrame):
    """Shows one operation at a time, and how many others there are; ``served``: that reports are read at a server.

    cancel, pause, resume: name of the operation
    left: the focused button is about to be hidden
    """

    cancel = Signal(object)
    pause = Signal(object)
    resume = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("taskBar")
        self.setFixedHeight(px(HEIGHT))
        self._operation = ""
        self._idle = ""
        self._beside: tuple[str, float | None] = "", None
        self.served = ServedSign()
        self.label = ElidedLabel()
        self.label.elide = Qt.TextElideMode.ElideRight
        self.label.setProperty("role", "muted")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(px(_BAR))
        self.bar.setAccessibleName(say("Progress"))
        # No mnemonics, which could collide with those of the pages: F6 leads here.
        self.button = push_button(say("Cancel"), self._cancel)
        self.hold = push_button("", self._hold)
        self._paused = False
        parts = (self.served, (self.label, 1), self.bar, self.hold, self.button)
        hbox(*parts, parent=self, margins=(16, 4, 16, 4), spacing=12)
        self.show_task(None)

    def take_keyboard(self) -> bool:
        """Focus the cancel button; False if it has the focus or there is nothing to cancel."""
        if not self.button.isVisibleTo(self) or not self.button.isEnabled() or keyboard.is_in(self):
            return False
        self.button.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def show_served(self, host: str, *, sending: bool) -> None:
        """Say at which server reports are read, '' for none, and whether texts are on their way there now."""
        self.served.show_host(host, sending=sending)
        self.bar.setFixedWidth(px(_SHORT_BAR if host else _BAR))

    def set_idle(self, text: str) -> None:
        """Set the idle text."""
        self._idle = text
        if not self._operation:
            self.label.setText(self._beside[0] or text)

    def show_beside(self, text: str, share: float | None) -> None:
        """Show something that goes on beside the window while it is idle, '' for nothing; ``share`` is done, 0-1."""
        self._beside = text, share
        if not self._operation:
            self.show_task(None)

    @Slot(object)
    def show_task(self, state: TaskState | None) -> None:
        """Show the running operation, or the idle text."""
        if (state is None or state.stopping) and keyboard.is_in(self):
            self.left.emit()  # before the button is hidden, or Qt would move the focus on
        self.bar.setVisible(state is not None or bool(self._beside[0]))
        self.button.setVisible(state is not None)
        self.hold.setVisible(state is not None and state.shares and not state.stopping)
        if state is None:
            self._operation = ""
            text, share = self._beside
            self.label.setText(text or self._idle)
            self._show_share(share)
            return
        self._operation = state.operation
        self.button.setEnabled(not state.stopping)
        self._paused = state.paused
        self.hold.setText(say("Resume") if state.paused else say("Pause"))
        self.label.setText(describe(state))
        advance = state.advance
        self._show_share(advance.done / advance.total if advance is not None and advance.total else None)

    def _show_share(self, share: float | None) -> None:
        # A fixed number of steps: a total may exceed Qt's integers.
        self.bar.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self.bar.setValue(round(1000 * min(share, 1)))

    @Slot()
    def _cancel(self) -> None:
        self.cancel.emit(self._operation)

    @Slot()
    def _hold(self) -> None:
        (self.resume if self._paused else self.pause).emit(self._operation)


def describe(state: TaskState) -> str:
    """One line on the operation: 'Extracting findings: 1,204 of 2,662 - 310 per minute - 5 min left'."""
    if state.stopping:
        return say("{what}: stopping", what=state.title)
    advance: Advance | None = state.advance
    others = [say("1 more to do", many="{n:,} more to do", n=state.others)] if state.others else []
    if advance is None:
        return " \u00b7 ".join([state.title, *others])
    parts = [typographic(advance.what) or state.title]
    if advance.total:
        parts[0] += say(": {done} of {total}", done=whole(advance.done), total=whole(advance.total))
    if state.paused:
        parts.append(say("paused"))
    elif advance.rate and advance.total:
        parts.append(speed(advance.rate))
    if advance.left is not None and advance.done != advance.total and not state.paused:
        parts.append(say("{time} left", time=duration(advance.left)))
    # An engine's note on its pace would repeat the rate.
    if advance.note and not advance.rate and not state.paused:
        parts.append(typographic(advance.note))
    return " \u00b7 ".join([*parts, *others])
