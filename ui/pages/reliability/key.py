"""The legend of the diagram: curve with interval, identity line, chance band, and a phrase."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from ui.theme import Colours, faded
from ui.widgets.key import Key
from ui.words import say


class DiagramMark(StrEnum):
    """The marks drawn."""

    CURVE = "curve"
    AGREEMENT = "agreement"
    LUCK = "luck"
    PHRASE = "phrase"


class DiagramKey(Key[DiagramMark]):
    """Always the same four marks."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_draw, parent)
        self.set_entries(
            (DiagramMark.CURVE, say("confirmed, 95 %")),
            (DiagramMark.AGREEMENT, say("as readers take it")),
            (DiagramMark.LUCK, say("luck alone")),
            (DiagramMark.PHRASE, say("a phrase")),
        )


def _draw(painter: QPainter, c: Colours, mark: DiagramMark, x: int, y: int) -> None:
    match mark:
        case DiagramMark.CURVE:
            painter.fillRect(x, y - 5, 20, 10, faded(c.curve, 0.22))
            painter.setPen(QPen(QColor(c.curve), 2.5))
            painter.drawLine(x, y, x + 20, y)
        case DiagramMark.AGREEMENT:
            painter.setPen(QPen(QColor(c.neutral), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(x, y, x + 20, y)
        case DiagramMark.LUCK:
            painter.fillRect(x, y - 5, 20, 10, QColor(c.luck))
        case DiagramMark.PHRASE:
            painter.setBrush(QColor(c.certainty[2]))
            painter.setPen(QPen(QColor(c.text), 1))
            painter.drawEllipse(x + 6, y - 5, 10, 10)
