"""Detects a window's first paint; slow work waits until then."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget


class FirstPaint(QObject):
    """Emits ``painted`` once, after the window was exposed and drawn.

    On some platforms a window covered by its children gets no paint event, so the native window is watched, which
    exists as soon as the window is shown.
    """

    painted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        native = self._window.windowHandle()
        if watched is self._window and event.type() == QEvent.Type.Show and native is not None:
            self._window.removeEventFilter(self)
            native.installEventFilter(self)
        elif watched is native and event.type() == QEvent.Type.Expose and native.isExposed():
            native.removeEventFilter(self)
            # After this event.  With a receiver: if the window is closed before, nothing is emitted.
            QTimer.singleShot(0, self, self.painted.emit)
        return False
