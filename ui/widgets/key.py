"""The legend of a plot: its marks as drawn there, wrapped over several lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import SMALL, Colours, in_use, sized

Mark = TypeVar("Mark")
Draw = Callable[[QPainter, Colours, Mark, int, int], None]
"""Draws a mark 20 pixels wide: painter, colours, mark, x of its left edge and y of its centre."""
_MARK, _GAP = 26, 14
"""Width of a mark with its gap to the text, and gap between entries, in pixels."""
_LINE = 20
_NARROW, _USUAL = 120, 320


class Key(QWidget, Generic[Mark]):
    """Lays out marks with their texts; each plot's legend draws its marks in ``draw``."""

    def __init__(self, draw: Draw[Mark], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draw = draw
        self._entries: tuple[tuple[Mark, str], ...] = ()
        self.setFont(sized(self.font(), SMALL))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_entries(self, *entries: tuple[Mark, str]) -> None:
        """Set the entries."""
        self._entries = entries
        self.setAccessibleName(", ".join(text for _, text in entries))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_USUAL, self.heightForWidth(max(self.width(), _USUAL)))

    def minimumSizeHint(self) -> QSize:
        return QSize(_NARROW, self._line())

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = self.places(width)
        return places[-1].bottom() + 1 if places else 0

    def _line(self) -> int:
        return max(self.fontMetrics().height(), _LINE)

    def places(self, width: int) -> list[QRect]:
        """The positions of the entries within ``width``."""
        x = y = 0
        places = []
        for _, text in self._entries:
            wide = _MARK + self.fontMetrics().horizontalAdvance(text) + _GAP
            if x and x + wide - _GAP > width:
                x, y = 0, y + self._line()
            places.append(QRect(x, y, wide, self._line()))
            x += wide
        return places

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, c = QPainter(self), in_use()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, (mark, text) in zip(self.places(self.width()), self._entries, strict=True):
            painter.save()
            self._draw(painter, c, mark, place.left(), place.center().y())
            painter.restore()
            painter.setPen(QColor(c.muted))
            painter.drawText(place.adjusted(_MARK, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
