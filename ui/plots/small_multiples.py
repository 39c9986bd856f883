"""Small multiples of the reliability diagram: all pathologies of one radiologist, or all radiologists on one.

Only visible tiles are drawn, so that hundreds of them scroll smoothly.  Draws records, computes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QTransform
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from ui.plots.base import Picture
from ui.plots.shapes import area, drawn_bins, line, only, outline
from ui.theme import certainty_colour, faded, sized
from ui.words import counted, decimal, decimal_interval, percent, quoted, rate, say, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QPaintEvent, QResizeEvent

    from radcal.reliability.records import PhraseRate, Reliability

_WIDTH, _SHAPE, _GAP = 216, 0.94, 12
"""Minimum tile width, aspect ratio (height / width), and gap between tiles, in pixels at 13 px type."""
_WIDEST = 2
"""Maximum tile width, in minimum widths."""
_TICKS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """One diagram.  key: the value of ``picked``;  reason: why there is no curve, '' if there is one."""

    key: object
    name: str
    record: Reliability
    reason: str = ""


@dataclass(slots=True)
class _Shapes:
    """The shapes of a tile, in axis units."""

    interval: QPainterPath
    curve: QPainterPath


class SmallMultiples(Picture, QAbstractScrollArea):
    """A grid of tiles, one mark each.  ``picked``: the key of a tile to open."""

    picked = Signal(object)
    tooltip = True
    opens = True
    usual_size = (720, 480)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Small diagrams; arrows move, Enter opens"), parent)
        self._tiles: tuple[Tile, ...] = ()
        self._shapes: dict[int, _Shapes] = {}
        self._fewest = 1
        self._size = QSize(_WIDTH, _WIDTH)
        self.drawn = 0
        """Number of tiles prepared for drawing so far: those that have been visible."""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)

    def set_tiles(self, tiles: Sequence[Tile], fewest: int = 1) -> None:
        """Show these tiles; curves through fewer than ``fewest`` hedged statements are not drawn."""
        before = self._tiles[self._keyboard_at].key if self._tiles else None
        self._tiles, self._fewest = tuple(tiles), fewest
        self._shapes.clear()
        self._arrange()
        self.start_over(next((i for i, t in enumerate(self._tiles) if t.key == before), 0))

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles, row by row."""
        return self._tiles

    # --- layout ------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        unit = self.fontMetrics().height() / 16
        wide, self.columns = self._grid(round(_WIDTH * unit))
        self._size, gap = QSize(wide, round(wide * _SHAPE)), _GAP
        lines = -(-len(self._tiles) // self.columns)
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, lines * (self._size.height() + gap) - gap - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self._size.height() // 3)
        self.viewport().update()

    def _grid(self, narrowest: int) -> tuple[int, int]:
        """Tile width and number of columns: the widest tiles that are all visible at once, else with scrolling."""
        width, height = self.viewport().width(), self.viewport().height()
        most = max(1, (width + _GAP) // (narrowest + _GAP))
        grids = []
        for columns in range(1, min(most, len(self._tiles)) + 1):
            lines = -(-len(self._tiles) // columns)
            tall = (height + _GAP) // lines - _GAP
            wide = min((width + _GAP) // columns - _GAP, int(tall / _SHAPE), _WIDEST * narrowest)
            grids.append((wide, columns))
        wide, columns = max(grids, default=(0, most))
        if wide >= narrowest:
            return wide, columns
        return min((width + _GAP) // most - _GAP, round(1.5 * narrowest)), most

    def rect_of(self, place: int) -> QRect:
        """The rectangle of a tile in the viewport."""
        row, column = divmod(place, self.columns)
        x = column * (self._size.width() + _GAP)
        y = row * (self._size.height() + _GAP) - self.verticalScrollBar().value()
        return QRect(x, y, self._size.width(), self._size.height())

    def _visible(self) -> range:
        high = self._size.height() + _GAP
        top = self.verticalScrollBar().value()
        first = top // high * self.columns
        last = (top + self.viewport().height()) // high * self.columns + self.columns
        return range(first, min(last, len(self._tiles)))

    # --- events ------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.redraw()

    def redraw(self) -> None:
        self.viewport().update()

    def show_current(self) -> None:
        self.redraw()

    # --- marks -------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return len(self._tiles)

    def mark_at(self, where: QPointF) -> int:
        at = where.toPoint()
        return next((i for i in self._visible() if self.rect_of(i).contains(at)), -1)

    def open_mark(self, number: int) -> None:
        self.picked.emit(self._tiles[number].key)

    def steps(self) -> dict[Qt.Key, tuple[int, int]]:
        page = max(1, self.viewport().height() // (self._size.height() + _GAP))
        return {**super().steps(), Qt.Key.Key_PageUp: (0, -page), Qt.Key.Key_PageDown: (0, page)}

    def go_to(self, number: int) -> None:
        rect, bar = self.rect_of(number), self.verticalScrollBar()
        if rect.top() < 0:
            bar.setValue(bar.value() + rect.top())
        elif rect.bottom() > self.viewport().height():
            bar.setValue(bar.value() + rect.bottom() - self.viewport().height())
        super().go_to(number)

    def readout(self, number: int) -> str:
        tile = self._tiles[number]
        r = tile.record
        parts = [f"{tile.name}: " + counted(r.n, "{n} finding", "{n} findings")]
        if tile.reason:
            parts.append(tile.reason)
        else:
            if r.word_error is not None:
                error = decimal_interval(r.word_error, r.word_error_low, r.word_error_high)
                parts.append(say("word error {value}", value=error))
            if r.luck_word_p95 is not None:
                parts.append(say("luck alone up to {high}", high=decimal(r.luck_word_p95)))
            most = max((p for p in r.phrases if 0 < p.mean < 1), key=lambda p: p.n, default=None)
            if most is not None:
                phrase, shown = quoted(most.phrase), rate(most.rate, most.low, most.high)
                parts.append(say("{phrase} {rate} of {n}", phrase=phrase, rate=shown, n=whole(most.n)))
        return " \u00b7 ".join(parts)

    # --- drawing -----------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(self.colours.surface))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in self._visible():
            self._draw(painter, place)
        painter.end()

    def _ready(self, place: int) -> _Shapes:
        if place not in self._shapes:
            self.drawn += 1
            record = self._tiles[place].record
            shapes = _Shapes(QPainterPath(), QPainterPath())
            if (curve := record.curve) is not None:
                drawn = drawn_bins(curve, record.phrases, self._fewest)
                shapes.interval = area(curve, only(drawn, curve.rate_low), only(drawn, curve.rate_high))
                shapes.curve = outline(*line(curve, only(drawn, curve.rate)))
            self._shapes[place] = shapes
        return self._shapes[place]

    def _draw(self, painter: QPainter, place: int) -> None:
        c, tile, rect = self.colours, self._tiles[place], QRectF(self.rect_of(place))
        frame = rect.adjusted(0.5, 0.5, -0.5, -0.5)
        if place == self.current:
            focused = self.hasFocus()
            painter.setPen(QPen(QColor(c.accent if focused else c.line), 2 if focused else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        pixels = self.fontInfo().pixelSize()
        font, small = sized(self.font(), pixels, strong=True), sized(self.font(), max(pixels - 1, 9))
        metrics, fine = QFontMetricsF(font), QFontMetricsF(small)
        head = QRectF(rect.left() + 8, rect.top() + 6, rect.width() - 16, metrics.height())
        count = whole(tile.record.n)
        painter.setFont(small)
        painter.setPen(QColor(c.muted))
        painter.drawText(head, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"n\u00a0=\u00a0{count}")
        room = head.width() - fine.horizontalAdvance(f"n = {count}") - 10
        painter.setFont(font)
        painter.setPen(QColor(c.text))
        name = metrics.elidedText(tile.name, Qt.TextElideMode.ElideRight, room)
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        left = fine.horizontalAdvance(percent(1.0)) + 14
        box = QRectF(
            rect.left() + left,
            head.bottom() + 6,
            rect.width() - left - 12,
            rect.bottom() - head.bottom() - fine.height() - 16,
        )
        self._axes(painter, box, fine, small, with_identity=not tile.reason)
        if tile.reason:
            painter.setPen(QColor(c.muted))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(box.adjusted(8, 8, -8, -8), int(flags), tile.reason)
        else:
            self._curve(painter, box, self._ready(place), tile.record.phrases)

    def _axes(self, painter: QPainter, box: QRectF, fine: QFontMetricsF, small: QFont, *, with_identity: bool) -> None:
        c = self.colours
        painter.setPen(QPen(QColor(c.line), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        painter.setFont(small)
        for tick in _TICKS:
            y, x = box.bottom() - tick * box.height(), box.left() + tick * box.width()
            text = percent(tick)
            painter.setPen(QColor(c.muted))
            painter.drawText(QPointF(box.left() - 5 - fine.horizontalAdvance(text), y + fine.ascent() / 2 - 1), text)
            wide = fine.horizontalAdvance(text)
            at = min(max(x - wide / 2, box.left()), box.right() - wide + 6)
            painter.drawText(QPointF(at, box.bottom() + fine.ascent() + 4), text)
        if with_identity:
            painter.setPen(QPen(QColor(c.neutral), 1, Qt.PenStyle.DashLine))
            painter.drawLine(box.bottomLeft(), box.topRight())

    def _curve(self, painter: QPainter, box: QRectF, shapes: _Shapes, rates: Sequence[PhraseRate]) -> None:
        c = self.colours
        place = QTransform(box.width(), 0, 0, -box.height(), box.left(), box.bottom())
        painter.save()
        painter.setClipRect(box.adjusted(-5, -5, 5, 5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(faded(c.curve, 0.2))
        painter.drawPath(place.map(shapes.interval))
        painter.setPen(QPen(QColor(c.neutral), 1, Qt.PenStyle.DashLine))
        painter.drawLine(box.bottomLeft(), box.topRight())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(c.curve), 2))
        painter.drawPath(place.map(shapes.curve))
        most = max((r.n for r in rates), default=1.0) or 1.0
        for r in rates:
            if r.n > 0:
                painter.setPen(QPen(faded(c.text, 0.55), 1))
                painter.drawLine(place.map(QPointF(r.mean, r.low)), place.map(QPointF(r.mean, r.high)))
        for r in rates:
            if r.n > 0:
                painter.setPen(QPen(QColor(c.text), 0.8))
                painter.setBrush(certainty_colour(c, r.mean))
                size = 2 + 3 * (r.n / most) ** 0.5
                painter.drawEllipse(place.map(QPointF(r.mean, r.rate)), size, size)
        painter.restore()
