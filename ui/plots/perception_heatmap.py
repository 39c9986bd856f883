"""What certainty words are taken to mean: a heat map of expressions by percentages, people beside a model.

The stronger the colour of a cell, the more of a row's answers lie there; the mean of a row is a bar.  Draws an
AnswerTable, computes nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from ui.plots.base import CENTRE_LEFT, CENTRE_RIGHT, Painting
from ui.theme import mixed
from ui.words import listed, percent, quoted, say, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.plots.records import Answered, AnswerTable

BINS, STEP = 21, 5
_ROW, _LOWEST, _HIGHEST, _HEAD, _AXIS, _GAP, _PAD = 24.0, 16.0, 34.0, 26.0, 40.0, 40.0, 22.0
_CELL, _NARROWEST = 14.0, 8.0
_LONGEST = 170.0
_SHOWN = 0.0005
"""A smaller share of the answers is drawn as none."""


class PerceptionHeatmap(Painting):
    """An AnswerTable; each cell is a mark."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("What certainty words are taken to mean"), parent)
        self._table: AnswerTable | None = None

    def set_table(self, table: AnswerTable | None) -> None:
        """Draw the table."""
        self._table, self.columns = table, max(len(table.panels) if table else 0, 1) * BINS
        self.start_over()
        self.updateGeometry()
        self.update()

    # --- geometry ----------------------------------------------------------------------------------

    def _label(self) -> float:
        words = [name for name, _ in self._table.rows] if self._table else []
        return min(max((self.metrics().horizontalAdvance(w) for w in words), default=60.0), _LONGEST) + 12

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint(_NARROWEST, _LOWEST)

    def sizeHint(self, cell: float = _CELL, row: float = _ROW) -> QSize:
        panels = max(len(self._table.panels) if self._table else 0, 1)
        rows = len(self._table.rows) if self._table else 6
        width = self._label() + panels * (BINS * cell + _GAP) + _PAD
        return QSize(round(width), round(_HEAD + rows * row + _AXIS))

    def _frames(self) -> tuple[list[QRectF], float, float]:
        """The rectangle of each panel's cells, and their width and height."""
        table = self._table
        panels, rows = (max(len(table.panels), 1), max(len(table.rows), 1)) if table else (1, 1)
        left = self._label()
        each = (self.width() - left - _PAD - (panels - 1) * _GAP) / panels
        height = min((self.height() - _HEAD - _AXIS) / rows, _HIGHEST)
        frames = [QRectF(left + p * (each + _GAP), _HEAD, each, height * rows) for p in range(panels)]
        return frames, each / BINS, height

    # --- drawing -----------------------------------------------------------------------------------

    def draw(self, painter: QPainter) -> None:
        table = self._table
        if table is None or not table.rows:
            return
        c, metrics = self.colours, self.metrics()
        frames, width, height = self._frames()
        top = max(max(share for _, read in table.rows for r in read for share in r.shares), 0.2)
        for frame, name in zip(frames, table.panels, strict=True):
            painter.setPen(QColor(c.text))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, frame.width())
            painter.drawText(QRectF(frame.left(), 0, frame.width(), _HEAD - 6), CENTRE_LEFT, shown)
            painter.setPen(QPen(QColor(c.line), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(frame)
            painter.setPen(QColor(c.muted))
            for place in range(0, BINS, BINS // 4):
                x = frame.left() + (place + 0.5) * width
                painter.drawLine(QPointF(x, frame.bottom()), QPointF(x, frame.bottom() + 4))
                box = QRectF(x - 30, frame.bottom() + 5, 60, 16)
                painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, percent(place * STEP / 100))
        painter.setPen(QColor(c.muted))
        axis = QRectF(frames[0].left(), frames[0].bottom() + 21, self.width() - frames[0].left(), 16)
        painter.drawText(axis, CENTRE_LEFT, say("stronger colour: more of the answers; bar: their mean"))
        for i, (name, read) in enumerate(table.rows):
            y = _HEAD + i * height
            painter.setPen(QColor(c.text))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, self._label() - 12)
            painter.drawText(QRectF(0, y, frames[0].left() - 8, height), CENTRE_RIGHT, shown)
            for frame, answered in zip(frames, read, strict=True):
                self._draw_row(painter, QRectF(frame.left(), y, width, height), answered, top)
        if self.current >= 0:
            row, column = divmod(self.current, self.columns)
            panel, place = divmod(column, BINS)
            painter.setPen(QPen(QColor(c.text), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(frames[panel].left() + place * width, _HEAD + row * height, width, height))

    def _draw_row(self, painter: QPainter, first: QRectF, answered: Answered, top: float) -> None:
        c = self.colours
        for place, share in enumerate(answered.shares):
            if share >= _SHOWN:
                cell = first.translated(place * first.width(), 0).adjusted(0.5, 0.5, -0.5, -0.5)
                painter.fillRect(cell, mixed(c.surface, c.accent, math.sqrt(share / top)))
        if not answered.n:
            return
        x = first.left() + (answered.mean / STEP + 0.5) * first.width()
        for colour, thick in ((c.surface, 5.0), (c.curve, 2.5)):
            painter.setPen(QPen(QColor(colour), thick))
            painter.drawLine(QPointF(x, first.top() + 2), QPointF(x, first.bottom() - 2))

    # --- marks -------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return len(self._table.rows) * self.columns if self._table else 0

    def mark_at(self, where: QPointF) -> int:
        frames, width, height = self._frames()
        if not self.count or self._table is None:
            return -1
        for panel, frame in enumerate(frames):
            if frame.contains(where):
                row = min(int((where.y() - frame.top()) / height), len(self._table.rows) - 1)
                place = min(int((where.x() - frame.left()) / width), BINS - 1)
                return row * self.columns + panel * BINS + place
        return -1

    def summary(self) -> str:
        table = self._table
        if table is None:
            return ""
        means = (
            say(
                "{word}: {means}",
                word=quoted(name),
                means=listed(
                    [f"{who} {percent(a.mean / 100)}" for who, a in zip(table.panels, read, strict=True) if a.n]
                ),
            )
            for name, read in table.rows
        )
        return "\n".join((say("Mean of the answers to each word:"), *means))

    def readout(self, number: int) -> str:
        table = self._table
        if table is None:
            return ""
        row, column = divmod(number, self.columns)
        panel, place = divmod(column, BINS)
        name, read = table.rows[row]
        return say(
            "{word}, {who}: {share} at {place}; mean {mean} (n = {n}).",
            word=quoted(name),
            who=table.panels[panel],
            share=percent(read[panel].shares[place]),
            place=percent(place * STEP / 100),
            mean=percent(read[panel].mean / 100),
            n=whole(read[panel].n),
        )
