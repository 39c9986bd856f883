"""The legend of the diagram: a word with its interval, the identity line, and the band shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from ui.kit.picture import Key
from ui.plots.bands import Band
from ui.theme import Colours, certainty_colour, faded
from ui.words import say

_WORD, _IDENTITY = "word", "identity"


class DiagramKey(Key[str]):
    """The marks that the diagram shows with a band."""

    def __init__(self) -> None:
        super().__init__(_draw)
        self.show_band(Band.INTERVAL)

    def show_band(self, band: Band | None) -> None:
        """Describe the marks with this band; None where no curve is drawn."""
        words = {
            Band.INTERVAL: say("hedged words together, 95 % interval"),
            Band.LUCK: say("hedged words together; band: luck alone"),
            Band.ORDER: say("words in order; band: luck alone"),
        }
        self.set_entries(
            (_WORD, say("a word, larger where said more often, 95 % interval")),
            (_IDENTITY, say("as readers take it")),
            *([(band, words[band])] if band is not None else []),
        )


def _draw(painter: QPainter, c: Colours, mark: str, x: int, y: int) -> None:
    match mark:
        case "word":
            painter.setPen(QPen(faded(c.text, 0.55), 1))
            painter.drawLine(x + 10, y - 9, x + 10, y + 9)
            painter.setBrush(certainty_colour(c, 0.8))
            painter.setPen(QPen(QColor(c.text), 1))
            painter.drawEllipse(x + 5, y - 5, 10, 10)
        case "identity":
            painter.setPen(QPen(QColor(c.neutral), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(x, y, x + 20, y)
        case _:
            painter.fillRect(x, y - 5, 20, 10, faded(c.curve, 0.2) if mark == Band.INTERVAL else QColor(c.luck))
            painter.setPen(QPen(QColor(c.curve), 2.5))
            painter.drawLine(x, y, x + 20, y)
