"""The key to the diagram: what its marks are, drawn as they are in it, in as many lines as it takes."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import LIGHT, SMALL, Colours, faded, sized
from ui.words import translate

_MARK, _GAP = 26, 14


class DiagramKey(QWidget):
    """The curve with its interval, the line of agreement, the luck band, and a phrase."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours: Colours = LIGHT
        self.setFont(sized(self.font(), SMALL))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._entries = (
            translate("reliability", "confirmed, 95 %"),
            translate("reliability", "as readers take it"),
            translate("reliability", "luck alone"),
            translate("reliability", "a phrase"),
        )
        self.setAccessibleName(", ".join(self._entries))

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme."""
        self._colours = colours
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self._line())

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.places(width)[-1].bottom() + 1

    def _line(self) -> int:
        return max(self.fontMetrics().height(), 20)

    def places(self, width: int) -> list[QRect]:
        """Where the entries stand within ``width``."""
        x = y = 0
        places = []
        for text in self._entries:
            wide = _MARK + self.fontMetrics().horizontalAdvance(text) + _GAP
            if x and x + wide - _GAP > width:
                x, y = 0, y + self._line()
            places.append(QRect(x, y, wide, self._line()))
            x += wide
        return places

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for i, (text, place) in enumerate(zip(self._entries, self.places(self.width()), strict=True)):
            x, middle = place.left(), place.center().y()
            painter.setPen(Qt.PenStyle.NoPen)
            match i:
                case 0:
                    painter.fillRect(x, middle - 5, 20, 10, faded(c.curve, 0.22))
                    painter.setPen(QPen(QColor(c.curve), 2.5))
                    painter.drawLine(x, middle, x + 20, middle)
                case 1:
                    painter.setPen(QPen(QColor(c.neutral), 1.2, Qt.PenStyle.DashLine))
                    painter.drawLine(x, middle, x + 20, middle)
                case 2:
                    painter.fillRect(x, middle - 5, 20, 10, QColor(c.luck))
                case _:
                    painter.setBrush(QColor(c.certainty[2]))
                    painter.setPen(QPen(QColor(c.text), 1))
                    painter.drawEllipse(x + 6, middle - 5, 10, 10)
            painter.setPen(QColor(c.muted))
            painter.drawText(place.adjusted(_MARK, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
