"""What the tour points at stands out; the rest of the window is dimmed and stays usable."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from ui.theme import faded, in_use
from ui.window.tour.placing import GAP, Placed, Side

_DIM_LIGHT, _DIM_DARK = 0.28, 0.45
_AROUND = 3
"""Pixels between a place and the frame around it."""
_ROUND = 6.0
_ARROW = 9.0
"""Half of the breadth of the arrow, in pixels."""


class Spotlight(QWidget):
    """Lies over the whole window and lets the pointer through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._placed: Placed | None = None

    @property
    def hole(self) -> QRect:
        """What stands out; empty where nothing does."""
        return self._placed.hole if self._placed is not None else QRect()

    def show_placed(self, placed: Placed) -> None:
        """Let what the text points at stand out."""
        if placed != self._placed:
            self._placed = placed
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        placed = self._placed
        if placed is None or placed.side is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(placed.hole).adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
        dim = QPainterPath()
        dim.addRect(QRectF(self.rect()))
        dim.addRoundedRect(frame, _ROUND, _ROUND)
        c = in_use()
        painter.fillPath(dim, faded("#000000", _DIM_DARK if c.dark else _DIM_LIGHT))
        accent = QColor(c.accent)
        painter.setPen(QPen(accent, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, _ROUND, _ROUND)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawPolygon(_arrow(placed, placed.side))
        painter.end()


def _arrow(placed: Placed, side: Side) -> QPolygonF:
    """From the middle of what box and hole have beside each other towards the hole."""
    across, down = side.value
    box, hole = QRectF(placed.box), QRectF(placed.hole)
    if across:
        y = _between(box.top(), box.bottom(), hole.top(), hole.bottom())
        foot = QPointF(box.left() if across > 0 else box.right(), y)
    else:
        x = _between(box.left(), box.right(), hole.left(), hole.right())
        foot = QPointF(x, box.top() if down > 0 else box.bottom())
    tip = foot - QPointF(across, down) * (GAP - _AROUND - 1)
    aside = QPointF(down, across) * _ARROW
    return QPolygonF([foot + aside, tip, foot - aside])


def _between(low: float, high: float, other_low: float, other_high: float) -> float:
    return (max(low, other_low) + min(high, other_high)) / 2
