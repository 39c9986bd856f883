"""The cost of saying one word instead of another: a heat map of phrases by phrases.

Blue cells improve calibration, orange ones worsen it; each cell also shows the sign, so that colour is never alone.
Rows of words that were never used are hatched.  Draws a CostTable, computes nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from ui.plots.base import CENTRE_RIGHT, Painting
from ui.plots.figures import signed
from ui.theme import faded, mixed
from ui.words import counted, quoted, say, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.plots.records import CostTable

_CELL, _FEWEST, _KEY, _PAD, _HEAD = 26.0, 18.0, 34.0, 8.0, 22.0
_NOTHING = 0.0005
"""Changes of ECE per use below this count as zero."""
_LEAST_TOP = 0.02
"""Minimum upper limit of the colour scale, so that negligible changes stay pale."""


class CostHeatmap(Painting):
    """A CostTable; each cell is a mark."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("What it costs to say one word instead of another"), parent)
        self._table: CostTable | None = None

    # --- drawing -----------------------------------------------------------------------------------

    def set_table(self, table: CostTable | None) -> None:
        """Draw the table."""
        others = table is None or self._table is None or table.words != self._table.words
        self._table, self.columns = table, max(len(table.words) if table else 0, 1)
        if others:
            self.start_over()
        self.updateGeometry()
        self.update()

    def _longest(self) -> float:
        words = self._table.words if self._table else ()
        return min(max((self.metrics().horizontalAdvance(w) for w in words), default=60.0), 150.0) + 12

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint(_FEWEST)

    def sizeHint(self, cell: float = _CELL) -> QSize:
        cells, label = cell * (len(self._table.words) if self._table else 6), self._longest()
        return QSize(round(label + 52 + cells + _PAD), round(_HEAD + label + cells + _KEY + _PAD))

    def _frame(self) -> tuple[QRectF, float, float]:
        """The rectangle of the cells, and their width and height."""
        k = max(len(self._table.words) if self._table else 0, 1)
        left, top = self._longest() + 52, _HEAD + self._longest()
        width = min((self.width() - left - _PAD) / k, 3.2 * _CELL)
        height = min((self.height() - top - _KEY - _PAD) / k, 1.6 * _CELL)
        return QRectF(left, top, width * k, height * k), width, height

    def _top(self) -> float:
        costs = [abs(x) for row in self._table.costs for x in row if x == x] if self._table else []
        return max(max(costs, default=0.0), _LEAST_TOP)

    def colour(self, cost: float, top: float) -> QColor:
        """The colour of a change of ECE between -top (blue) and top (orange)."""
        c = self.colours
        share = math.sqrt(min(abs(cost) / top, 1.0)) if abs(cost) >= _NOTHING else 0.0
        return mixed(c.surface, c.certainty[0 if cost < 0 else -1], 0.85 * share)

    def draw(self, painter: QPainter) -> None:
        if self._table is not None and self._table.words:
            self._draw_labels(painter, self._table)
            self._draw_cells(painter, self._table)
            self._draw_key(painter)

    def _draw_labels(self, painter: QPainter, table: CostTable) -> None:
        c = self.colours
        frame, width, height = self._frame()
        metrics, room = self.metrics(), self._longest() - 8
        painter.setPen(QColor(c.muted))
        painter.drawText(QRectF(0, 0, frame.left() - 8, _HEAD), Qt.AlignmentFlag.AlignRight, say("said today, n"))
        painter.drawText(
            QRectF(frame.left(), 0, self.width() - frame.left(), _HEAD),
            Qt.AlignmentFlag.AlignLeft,
            say("said instead"),
        )
        for i, word in enumerate(table.words):
            used = table.uses[i] > 0
            text = metrics.elidedText(word, Qt.TextElideMode.ElideRight, room)
            row = QRectF(0, frame.top() + i * height, frame.left(), height)
            painter.setPen(QColor(c.text if used else c.muted))
            painter.drawText(row.adjusted(0, 0, -52, 0), CENTRE_RIGHT, text)
            painter.drawText(row.adjusted(0, 0, -8, 0), CENTRE_RIGHT, whole(table.uses[i]) if used else "\u2013")
            painter.save()
            painter.translate(frame.left() + (i + 0.5) * width, frame.top() - 6)
            painter.rotate(-90)
            painter.setPen(QColor(c.text))
            painter.drawText(QPointF(0, metrics.ascent() / 2 - 1), text)
            painter.restore()

    def _draw_cells(self, painter: QPainter, table: CostTable) -> None:
        c = self.colours
        frame, width, height = self._frame()
        top, metrics = self._top(), self.metrics()
        with_numbers = width >= metrics.horizontalAdvance("+0.00") + 4 and height >= metrics.height()
        for i, row in enumerate(table.costs):
            for j, cost in enumerate(row):
                cell = QRectF(frame.left() + j * width, frame.top() + i * height, width, height).adjusted(
                    0.5, 0.5, -0.5, -0.5
                )
                if cost != cost:
                    painter.fillRect(cell, QBrush(faded(c.line, 0.6), Qt.BrushStyle.BDiagPattern))
                    continue
                fill = self.colour(cost, top)
                painter.fillRect(cell, fill)
                painter.setPen(QColor("#ffffff" if fill.lightnessF() < 0.48 else "#16181b"))
                if i == j:
                    text = "\u00b7"
                elif with_numbers:
                    text = signed(cost)
                else:
                    text = "" if abs(cost) < _NOTHING else ("\u2212" if cost < 0 else "+")
                painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for i, shares in enumerate(table.chosen):
            for j, share in enumerate(shares):
                if i != j and share > 0 and table.uses[i] > 0:
                    self._ring(painter, i, j, QColor(c.text), 2.5)
        if self.current >= 0:
            self._ring(painter, *divmod(self.current, self.columns), QColor(c.accent), 2.0)

    def _ring(self, painter: QPainter, i: int, j: int, colour: QColor, width: float) -> None:
        frame, w, h = self._frame()
        painter.setPen(QPen(colour, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(frame.left() + j * w, frame.top() + i * h, w, h).adjusted(1.5, 1.5, -1.5, -1.5))

    def _draw_key(self, painter: QPainter) -> None:
        c, (frame, _, _) = self.colours, self._frame()
        top, y, x = self._top(), frame.bottom() + 12, frame.left()
        metrics = self.metrics()
        parts = [
            (self.colour(-top, top), say("\u2212 closer to CT")),
            (self.colour(top, top), say("+ farther from it")),
            (None, say("never said")),
            (QColor(c.text), say("advised")),
        ]
        x = min(x, self.width() - sum(26 + metrics.horizontalAdvance(t) + 14 for _, t in parts))
        x = max(x, 4.0)
        for i, (colour, text) in enumerate(parts):
            box = QRectF(x, y, 18, 14)
            if i == 3:
                painter.setPen(QPen(QColor(c.text), 2.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(box.adjusted(1, 1, -1, -1))
            elif colour is None:
                painter.fillRect(box, QBrush(faded(c.line, 0.6), Qt.BrushStyle.BDiagPattern))
            else:
                painter.fillRect(box, colour)
            painter.setPen(QColor(c.muted))
            painter.drawText(QPointF(x + 24, y + 12), text)
            x += 26 + metrics.horizontalAdvance(text) + 14

    # --- marks -------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return len(self._table.words) ** 2 if self._table else 0

    def mark_at(self, where: QPointF) -> int:
        frame, width, height = self._frame()
        if not self.count or not frame.contains(where):
            return -1
        last = self.columns - 1
        row, column = int((where.y() - frame.top()) / height), int((where.x() - frame.left()) / width)
        return min(row, last) * self.columns + min(column, last)

    def readout(self, number: int) -> str:
        table = self._table
        if table is None:
            return ""
        i, j = divmod(number, self.columns)
        source, target, cost = table.words[i], table.words[j], table.costs[i][j]
        if cost != cost:
            return say("{word} was never said here.", word=quoted(source))
        if i == j:
            said = counted(table.uses[i], "said {n} time", "said {n} times")
            return say("{word} was {said}.", word=quoted(source), said=said)
        return say(
            "Saying {target} instead of {source} changes ECE by {change} per use (n = {n}).",
            source=quoted(source),
            target=quoted(target),
            change=signed(cost),
            n=whole(table.uses[i]),
        )
