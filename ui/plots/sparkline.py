"""How fast work went: one small line over the last minutes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ui.theme import LIGHT, Colours, faded
from ui.words import duration, translate, whole

_MARGIN = 4
_POINTS_AT_LEAST = 2


class Sparkline(QWidget):
    """Reports a minute over time; the pointer reads single values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points: tuple[tuple[float, float], ...] = ()
        self._colours: Colours = LIGHT
        self._at: int | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(translate("extraction", "Reports a minute, over time"))

    def sizeHint(self) -> QSize:
        return QSize(240, 56)

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme."""
        self._colours = colours
        self.update()

    def set_points(self, points: Sequence[tuple[float, float]]) -> None:
        """Show these: (seconds of work, reports a minute), in order."""
        self._points = tuple(points)
        self._at = None
        self.setAccessibleDescription(
            translate("extraction", "{n} reports a minute now").format(n=whole(round(self._points[-1][1])))
            if self._points
            else ""
        )
        self.update()

    def points(self) -> tuple[tuple[float, float], ...]:
        """What is shown."""
        return self._points

    def hide_pointer(self) -> None:
        """Take away what follows the pointer, before a picture is made."""
        self._at = None
        self.update()

    def reading(self, number: int) -> str:
        """A point in words."""
        seconds, rate = self._points[number]
        return translate("extraction", "{rate} reports a minute, after {time}").format(
            rate=whole(round(rate)), time=duration(seconds)
        )

    def _place(self, number: int) -> QPointF:
        first, last = self._points[0][0], self._points[-1][0]
        top = max(rate for _, rate in self._points) or 1.0
        seconds, rate = self._points[number]
        width, height = self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN
        x = _MARGIN + width * (seconds - first) / max(last - first, 1e-9)
        return QPointF(x, _MARGIN + height * (1 - rate / top))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base = self.height() - _MARGIN
        painter.setPen(QPen(QColor(self._colours.line), 1))
        painter.drawLine(QPointF(_MARGIN, base), QPointF(self.width() - _MARGIN, base))
        if len(self._points) < _POINTS_AT_LEAST:
            painter.setPen(QColor(self._colours.muted))
            rest = QRectF(self.rect()).adjusted(_MARGIN, 0, -_MARGIN, -_MARGIN)
            text = translate("extraction", "The pace shows after a few seconds.")
            painter.drawText(rest, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)
            painter.end()
            return
        places = [self._place(i) for i in range(len(self._points))]
        line = QPainterPath(places[0])
        for place in places[1:]:
            line.lineTo(place)
        area = QPainterPath(line)
        area.lineTo(places[-1].x(), base)
        area.lineTo(places[0].x(), base)
        area.closeSubpath()
        painter.fillPath(area, faded(self._colours.accent, 0.15))
        painter.setPen(QPen(QColor(self._colours.accent), 1.5))
        painter.drawPath(line)
        marked = places[-1 if self._at is None else self._at]
        painter.setBrush(QColor(self._colours.accent))
        painter.drawEllipse(marked, 3.0, 3.0)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if len(self._points) < _POINTS_AT_LEAST:
            return
        x = event.position().x()
        self._at = min(range(len(self._points)), key=lambda i: abs(self._place(i).x() - x))
        QToolTip.showText(event.globalPosition().toPoint(), self.reading(self._at), self)
        self.update()

    def leaveEvent(self, _event: object) -> None:
        self._at = None
        self.update()
