"""What the tour points at stands out; the rest of the window is dimmed and stays usable."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ui.theme import faded, in_use

_DIM_LIGHT, _DIM_DARK = 0.28, 0.45
_ROUND = 6.0


class Spotlight(QWidget):
    """Lies over the page and lets the pointer through.

    hole: what stands out, in its coordinates; empty where nothing does
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hole = QRect()

    def point_at(self, place: QRect) -> None:
        """Let a place stand out."""
        if place != self.hole:
            self.hole = place
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.hole.isEmpty():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dim = QPainterPath()
        dim.addRect(QRectF(self.rect()))
        dim.addRoundedRect(QRectF(self.hole), _ROUND, _ROUND)
        c = in_use()
        painter.fillPath(dim, faded("#000000", _DIM_DARK if c.dark else _DIM_LIGHT))
        painter.setPen(QPen(QColor(c.accent), 2))
        painter.drawRoundedRect(QRectF(self.hole), _ROUND, _ROUND)
        painter.end()
