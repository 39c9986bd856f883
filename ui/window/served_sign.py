"""The sign in the window's foot that reports are read at a server, and not on this computer alone."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QPushButton, QWidget

from ui.words import say

_BEAT_MS = 600
_WIDEST = 180
"""Most pixels of the server's name; the tooltip has it whole."""
_FULL, _OPEN = "\u25cf", "\u25cb"


class ServedSign(QPushButton):
    """Names the server while reading at one is switched on; a dot beats while texts are on their way to it.

    Hidden while it is off.  A click leads to where it is switched on and off.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("servedSign")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.host, self.is_sending = "", False
        self._dot = _FULL
        self._beat = QTimer(self, interval=_BEAT_MS)
        self._beat.timeout.connect(self._turn)
        self.hide()

    def show_host(self, host: str, *, sending: bool = False) -> None:
        """Reports are read at this server, '' for this computer alone; ``sending``: they are on their way there now."""
        if (host, sending) == (self.host, self.is_sending):
            return
        self.host, self.is_sending = host, sending
        if sending:
            self._beat.start()
        else:
            self._beat.stop()
            self._dot = _FULL
        self._tell()
        self.setVisible(bool(host))

    def _turn(self) -> None:
        self._dot = _OPEN if self._dot == _FULL else _FULL
        self._tell()

    def _tell(self) -> None:
        short = self.fontMetrics().elidedText(self.host, Qt.TextElideMode.ElideMiddle, _WIDEST)
        self.setText(f"{self._dot} {self._sentence(short)}".replace("&", "&&"))
        self.setAccessibleName(self._sentence(self.host))
        self.setToolTip(
            say(
                "{sentence}\nThe texts of reports leave this computer for this server, and for no other. Click to see"
                " how this is set, and to switch it off.",
                sentence=self._sentence(self.host),
            )
        )

    def _sentence(self, host: str) -> str:
        if self.is_sending:
            return say("Report texts are being sent to {host}", host=host)
        return say("Reports are read at {host}", host=host)

    def changeEvent(self, event: QEvent) -> None:
        """Another font gives the name another width."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._tell()
