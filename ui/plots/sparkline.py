"""Sparkline of the reading speed over the last minutes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QSizePolicy

from ui.plots.base import Painting
from ui.theme import faded
from ui.words import duration, say, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_MARGIN = 4
_POINTS_AT_LEAST = 2


class Sparkline(Painting):
    """Reports per minute over time; each point is a mark."""

    usual_size = (240, 56)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Reports a minute, over time"), parent)
        self._points: tuple[tuple[float, float], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_points(self, points: Sequence[tuple[float, float]]) -> None:
        """Show these points, in order: (elapsed seconds, reports per minute)."""
        self._points = tuple(points)
        self.start_over(len(self._points) - 1)
        self.update()

    def points(self) -> tuple[tuple[float, float], ...]:
        """The points shown."""
        return self._points

    @property
    def count(self) -> int:
        return len(self._points) if len(self._points) >= _POINTS_AT_LEAST else 0

    def readout(self, number: int) -> str:
        seconds, rate = self._points[number]
        return say("{rate} reports a minute, after {time}", rate=whole(round(rate)), time=duration(seconds))

    def summary(self) -> str:
        if not self._points:
            return ""
        return say("{n} reports a minute now", n=whole(round(self._points[-1][1])))

    def mark_at(self, where: QPointF) -> int:
        return min(range(self.count), key=lambda i: abs(self._place(i).x() - where.x()), default=-1)

    def _place(self, number: int) -> QPointF:
        first, last = self._points[0][0], self._points[-1][0]
        top = max(rate for _, rate in self._points) or 1.0
        seconds, rate = self._points[number]
        width, height = self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN
        x = _MARGIN + width * (seconds - first) / max(last - first, 1e-9)
        return QPointF(x, _MARGIN + height * (1 - rate / top))

    def draw(self, painter: QPainter) -> None:
        base = self.height() - _MARGIN
        painter.setPen(QPen(QColor(self.colours.line), 1))
        painter.drawLine(QPointF(_MARGIN, base), QPointF(self.width() - _MARGIN, base))
        if not self.count:
            painter.setPen(QColor(self.colours.muted))
            painter.setFont(self.font())
            rest = QRectF(self.rect()).adjusted(_MARGIN, 0, -_MARGIN, -_MARGIN)
            text = say("The pace shows after a few seconds.")
            painter.drawText(rest, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)
            return
        places = [self._place(i) for i in range(self.count)]
        line = QPainterPath(places[0])
        for place in places[1:]:
            line.lineTo(place)
        area = QPainterPath(line)
        area.lineTo(places[-1].x(), base)
        area.lineTo(places[0].x(), base)
        area.closeSubpath()
        painter.fillPath(area, faded(self.colours.accent, 0.15))
        painter.setPen(QPen(QColor(self.colours.accent), 1.5))
        painter.drawPath(line)
        painter.setBrush(QColor(self.colours.accent))
        painter.drawEllipse(places[self.current], 3.0, 3.0)
