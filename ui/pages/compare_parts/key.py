"""The key to the pictures: what their marks are, drawn as they are in them."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import LIGHT, SMALL, Colours, faded, sized


class Mark(StrEnum):
    """What is drawn."""

    OWN = "own"
    POOLED = "pooled"
    MEAN = "mean"
    MEANING = "meaning"
    LUCK = "luck"
    LUCK_LEVEL = "luck, lying"
    INNER = "inner"
    OUTER = "outer"
    SIDE = "side"


class Key(QWidget):
    """What the marks of a picture are, drawn as they are in it; in as many lines as it takes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours: Colours = LIGHT
        self._entries: tuple[tuple[Mark, str], ...] = ()
        self.setFont(sized(self.font(), SMALL))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_entries(self, *entries: tuple[Mark, str]) -> None:
        """Explain these marks."""
        self._entries = entries
        self.setAccessibleName(", ".join(text for _, text in entries))
        self.updateGeometry()
        self.update()

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme."""
        self._colours = colours
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._line())

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        return places[-1].bottom() + 1 if places else 0

    def _line(self) -> int:
        return self.fontMetrics().height() + 4

    def _places(self, width: int) -> list[QRect]:
        x = y = 0
        places = []
        for _, text in self._entries:
            wide = 26 + self.fontMetrics().horizontalAdvance(text) + 16
            if x and x + wide > width:
                x, y = 0, y + self._line()
            places.append(QRect(x, y, wide, self._line()))
            x += wide
        return places

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, (mark, text) in zip(self._places(self.width()), self._entries, strict=True):
            self._draw(painter, mark, place.left(), place.center().y())
            painter.setPen(QColor(self._colours.muted))
            painter.drawText(place.adjusted(26, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def _draw(self, painter: QPainter, mark: Mark, x: int, y: int) -> None:
        c = self._colours
        match mark:
            case Mark.OWN:
                painter.setPen(QPen(QColor(c.text), 1.6))
                painter.drawLine(x, y, x + 20, y)
                painter.setBrush(QColor(c.text))
                painter.drawEllipse(x + 6, y - 4, 8, 8)
            case Mark.POOLED:
                painter.setPen(QPen(QColor(c.accent), 1.6))
                painter.drawLine(x, y, x + 20, y)
                painter.setBrush(QColor(c.surface))
                painter.drawPolygon([QPoint(x + 10, y - 6), QPoint(x + 16, y), QPoint(x + 10, y + 6), QPoint(x + 4, y)])
            case Mark.MEAN:
                painter.fillRect(x, y - 6, 20, 12, faded(c.accent, 0.12))
                painter.setPen(QPen(QColor(c.accent), 1.4, Qt.PenStyle.DashLine))
                painter.drawLine(x + 10, y - 6, x + 10, y + 6)
            case Mark.MEANING:
                painter.fillRect(x, y - 6, 20, 12, QColor(c.luck))
            case Mark.LUCK:
                painter.setPen(QPen(QColor(c.neutral), 2))
                painter.drawLine(x + 10, y - 6, x + 10, y + 6)
            case Mark.LUCK_LEVEL:
                painter.setPen(QPen(QColor(c.neutral), 2.5))
                painter.drawLine(x + 4, y, x + 16, y)
            case Mark.INNER | Mark.OUTER:
                style = Qt.PenStyle.DashLine if mark is Mark.INNER else Qt.PenStyle.SolidLine
                painter.setPen(QPen(QColor(c.neutral), 1.2, style))
                painter.drawLine(x, y, x + 20, y)
            case Mark.SIDE:
                painter.fillRect(x, y - 6, 20, 12, faded(c.accent, 0.13))
                painter.setPen(QPen(QColor(c.accent), 2))
                painter.drawLine(x, y, x + 20, y)
