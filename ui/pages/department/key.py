"""The legend of the comparison plots."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from ui.kit.picture import Key
from ui.theme import Colours, faded


class ComparisonMark(StrEnum):
    """The marks drawn."""

    OWN = "own"
    TOGETHER = "together"
    MEANING = "meaning"
    LUCK = "luck"
    LUCK_LEVEL = "luck, lying"
    SIDE = "side"


class ComparedKey(Key[ComparisonMark]):
    """Those of its marks that appear in the current plot."""

    def __init__(self) -> None:
        super().__init__(_draw)


def _draw(painter: QPainter, c: Colours, mark: ComparisonMark, x: int, y: int) -> None:
    match mark:
        case ComparisonMark.OWN:
            painter.setPen(QPen(QColor(c.text), 1.6))
            painter.drawLine(x, y, x + 20, y)
            painter.setBrush(QColor(c.text))
            painter.drawEllipse(x + 6, y - 4, 8, 8)
        case ComparisonMark.TOGETHER:
            painter.fillRect(x, y - 6, 20, 12, faded(c.accent, 0.12))
            painter.setPen(QPen(QColor(c.accent), 1.4, Qt.PenStyle.DashLine))
            painter.drawLine(x + 10, y - 6, x + 10, y + 6)
        case ComparisonMark.MEANING | ComparisonMark.LUCK:
            painter.fillRect(x, y - 6, 20, 12, QColor(c.luck))
        case ComparisonMark.LUCK_LEVEL:
            painter.setPen(QPen(QColor(c.neutral), 2.5))
            painter.drawLine(x + 4, y, x + 16, y)
        case ComparisonMark.SIDE:
            painter.fillRect(x, y - 6, 20, 12, faded(c.accent, 0.13))
            painter.setPen(QPen(QColor(c.accent), 2))
            painter.drawLine(x, y, x + 20, y)
