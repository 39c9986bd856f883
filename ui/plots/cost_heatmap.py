"""What it costs to say one word instead of another: a heat map of phrases by phrases.

Blue cells bring words and findings closer, orange ones take them apart; each cell has its sign, so that colour is not
alone.  Rows of words that were never said are hatched.  Draws a CostTable, computes nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from ui.theme import LIGHT, SMALL, Colours, faded, sized
from ui.words import decimal, quoted, translate, whole

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from ui.pages.advice.work import CostTable

_CELL, _FEWEST, _KEY, _PAD, _HEAD = 26.0, 18.0, 34.0, 8.0, 22.0
_NOTHING = 0.0005
"""Changes of ECE per use below this are none."""
_LEAST_TOP = 0.02
"""The colours reach their ends at this change at the least, so that trifles stay pale."""


class CostHeatmap(QWidget):
    """Made once and fed with tables.  ``hovered``: the cell under the pointer or the keyboard in words, '' for none."""

    hovered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table: CostTable | None = None
        self._colours: Colours = LIGHT
        self._at: tuple[int, int] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(translate("costs", "What it costs to say one word instead of another"))

    # --- what is drawn -----------------------------------------------------------------------------

    def set_table(self, table: CostTable | None) -> None:
        """Draw the table."""
        if table is None or self._table is None or table.words != self._table.words:
            self._at = None
        self._table = table
        self.updateGeometry()
        self.update()

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme."""
        self._colours = colours
        self.update()

    def hide_pointer(self) -> None:
        """Take away what follows the pointer."""
        self._point_at(None)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(sized(self.font(), SMALL))

    def _longest(self) -> float:
        words = self._table.words if self._table else ()
        return min(max((self._metrics().horizontalAdvance(w) for w in words), default=60.0), 150.0) + 12

    def minimumSizeHint(self) -> QSize:
        k, label = len(self._table.words) if self._table else 6, self._longest()
        return QSize(round(label + 52 + k * _FEWEST + _PAD), round(_HEAD + label + k * _FEWEST + _KEY + _PAD))

    def sizeHint(self) -> QSize:
        k, label = len(self._table.words) if self._table else 6, self._longest()
        return QSize(round(label + 52 + k * _CELL + _PAD), round(_HEAD + label + k * _CELL + _KEY + _PAD))

    def _frame(self) -> tuple[QRectF, float, float]:
        """Where the cells lie, and their width and height."""
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
        c = self._colours
        share = math.sqrt(min(abs(cost) / top, 1.0)) if abs(cost) >= _NOTHING else 0.0
        a, b = QColor(c.surface), QColor(c.certainty[0] if cost < 0 else c.certainty[-1])
        return QColor.fromRgbF(
            *(
                x + (y - x) * 0.85 * share
                for x, y in ((a.redF(), b.redF()), (a.greenF(), b.greenF()), (a.blueF(), b.blueF()))
            )
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._table is not None and self._table.words:
            painter.setFont(sized(self.font(), SMALL))
            self._draw_labels(painter)
            self._draw_cells(painter)
            self._draw_key(painter)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._colours.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def _draw_labels(self, painter: QPainter) -> None:
        table, c = self._table, self._colours
        if table is None:
            return
        frame, width, height = self._frame()
        metrics, room = self._metrics(), self._longest() - 8
        painter.setPen(QColor(c.muted))
        painter.drawText(
            QRectF(0, 0, frame.left() - 8, _HEAD), Qt.AlignmentFlag.AlignRight, translate("costs", "said today, n")
        )
        painter.drawText(
            QRectF(frame.left(), 0, self.width() - frame.left(), _HEAD),
            Qt.AlignmentFlag.AlignLeft,
            translate("costs", "said instead"),
        )
        for i, word in enumerate(table.words):
            used = table.uses[i] > 0
            text = metrics.elidedText(word, Qt.TextElideMode.ElideRight, room)
            row = QRectF(0, frame.top() + i * height, frame.left(), height)
            painter.setPen(QColor(c.text if used else c.muted))
            painter.drawText(
                row.adjusted(0, 0, -52, 0), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text
            )
            painter.drawText(
                row.adjusted(0, 0, -8, 0),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                whole(table.uses[i]) if used else "\u2013",
            )
            painter.save()
            painter.translate(frame.left() + (i + 0.5) * width, frame.top() - 6)
            painter.rotate(-90)
            painter.setPen(QColor(c.text))
            painter.drawText(QPointF(0, metrics.ascent() / 2 - 1), text)
            painter.restore()

    def _draw_cells(self, painter: QPainter) -> None:
        table, c = self._table, self._colours
        if table is None:
            return
        frame, width, height = self._frame()
        top, metrics = self._top(), self._metrics()
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
        if self._at is not None:
            self._ring(painter, *self._at, QColor(c.accent), 2.0)

    def _ring(self, painter: QPainter, i: int, j: int, colour: QColor, width: float) -> None:
        frame, w, h = self._frame()
        painter.setPen(QPen(colour, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(frame.left() + j * w, frame.top() + i * h, w, h).adjusted(1.5, 1.5, -1.5, -1.5))

    def _draw_key(self, painter: QPainter) -> None:
        c, (frame, _, _) = self._colours, self._frame()
        top, y, x = self._top(), frame.bottom() + 12, frame.left()
        metrics = self._metrics()
        parts = [
            (self.colour(-top, top), translate("costs", "\u2212 closer to CT")),
            (self.colour(top, top), translate("costs", "+ farther from it")),
            (None, translate("costs", "never said")),
            (QColor(c.text), translate("costs", "advised")),
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

    # --- what the pointer and the keyboard tell ----------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        frame, width, height = self._frame()
        where, at = event.position(), None
        if self._table is not None and self._table.words and frame.contains(where):
            last = len(self._table.words) - 1
            at = (
                min(int((where.y() - frame.top()) / height), last),
                min(int((where.x() - frame.left()) / width), last),
            )
        self._point_at(at)
        if at is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPosition().toPoint(), self.readout(*at), self)

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._point_at(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows go from cell to cell."""
        steps = {
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
        }
        if event.key() not in steps or self._table is None or not self._table.words:
            super().keyPressEvent(event)
            return
        last = len(self._table.words) - 1
        i, j = self._at if self._at is not None else (0, 0)
        down, right = steps[Qt.Key(event.key())] if self._at is not None else (0, 0)
        self._point_at((min(max(i + down, 0), last), min(max(j + right, 0), last)))

    def _point_at(self, cell: tuple[int, int] | None) -> None:
        if cell != self._at:
            self._at = cell
            self.hovered.emit("" if cell is None else self.readout(*cell))
            self.setAccessibleDescription("" if cell is None else self.readout(*cell))
            self.update()

    def readout(self, i: int, j: int) -> str:
        """A cell in words, with its number."""
        table = self._table
        if table is None:
            return ""
        source, target, cost = table.words[i], table.words[j], table.costs[i][j]
        if cost != cost:
            return translate("costs", "{word} was never said here.").format(word=quoted(source))
        if i == j:
            return translate("costs", "{word} was said {n} times.").format(word=quoted(source), n=whole(table.uses[i]))
        return translate(
            "costs", "Saying {target} instead of {source} changes ECE by {change} per use (n = {n})."
        ).format(source=quoted(source), target=quoted(target), change=signed(cost), n=whole(table.uses[i]))


def signed(change: float) -> str:
    """A change with its sign: '+0.03', '\u22120.03', '0.00'."""
    if abs(change) < 0.005:
        return decimal(0.0)
    return f"{'+' if change > 0 else chr(0x2212)}{decimal(abs(change))}"
