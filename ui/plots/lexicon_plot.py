"""Ridge plot of the phrases' meanings: one distribution per phrase, strongest at the top.

A phrase's mean is changed by dragging its curve sideways, its spread by dragging its handle; the arrow keys do the
same.  Draws Ridge records, computes nothing: the owner of the phrases responds to a drag with new records.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem, QWidget

from ui.plots.chart import SHARES, Chart
from ui.plots.shapes import polygon
from ui.theme import certainty_colour, faded
from ui.words import percent, percent_range, say

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from ui.plots.records import Ridge

_ROW = 20
"""Minimum row height in pixels."""
_HEIGHT = 0.82
"""Peak height of a curve, as a share of its row."""
_MARGIN = 0.02
_HANDLE = 9.0
"""Hit radius of the handle in pixels."""
_UNSTEADY = 3.0
"""Pointer movement in pixels that still counts as a click."""
_STEP = 0.01
_SEEN = 0.012
"""Parts of a curve below this share of its height are not drawn."""


class LexiconPlot(Chart):
    """The phrases as ridges; they are the marks, weakest first.

    picked: name of a phrase
    moving: (name, mean, spread) during a drag;  moved: the same at its end;  stepped: the same by key
    given_up: a drag was cancelled, the phrase is unchanged
    """

    picked = Signal(object)
    moving = Signal(object)
    moved = Signal(object)
    stepped = Signal(object)
    given_up = Signal()
    tooltip = True
    usual_size = (520, 520)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("What the words mean"), parent)
        self.usage = say(
            "Drag a curve to move its mean, its square to change its spread; or choose with Up and Down, move"
            " with Left and Right, with Shift for the spread."
        )
        self._ridges: list[Ridge] = []
        self._others: Mapping[str, Ridge] = {}
        self._selected = ""
        self._dimmed: frozenset[str] = frozenset()
        self._editable = True
        self._drag: tuple[str, str, float, float] | None = None
        self._pressed = QPointF()
        self._was_moved = False
        self.ci.layout.setContentsMargins(4, 4, 12, 4)
        for side in ("top", "right"):
            self.main.hideAxis(side)
        self.main.setXRange(-_MARGIN, 1 + _MARGIN, padding=0)
        self.main.getAxis("bottom").setTicks([SHARES])
        self.main.getAxis("bottom").setStyle(hideOverlappingLabels=False)
        self.main.setLabel("bottom", say("how sure it sounds"))
        self._grid = [pg.InfiniteLine(pos=t, angle=90, movable=False) for t, _ in SHARES]
        self._areas: list[QGraphicsPathItem] = []
        self._outlines: list[QGraphicsPathItem] = []
        self._ranges = pg.PlotCurveItem(connect="pairs")
        self._means = pg.ScatterPlotItem(pxMode=True, antialias=True)
        self._other_means = pg.ScatterPlotItem(pxMode=True, antialias=True)
        self._handles = pg.ScatterPlotItem(pxMode=True, antialias=True)
        self._arm = pg.PlotCurveItem()
        self._band = pg.LinearRegionItem(orientation="horizontal", movable=False)
        for line in self._band.lines:
            line.setPen(None)
        for item, depth in (
            *((line, -30) for line in self._grid),
            (self._band, -25),
            (self._ranges, 5),
            (self._arm, 6),
            (self._means, 10),
            (self._other_means, 9),
            (self._handles, 11),
        ):
            item.setZValue(depth)
            self.main.addItem(item, ignoreBounds=True)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.redraw()

    # --- drawing -----------------------------------------------------------------------------------

    def set_ridges(self, ridges: Sequence[Ridge], others: Mapping[str, Ridge] | None = None) -> None:
        """Draw phrases, weakest first; ``others``, by name, are overlaid as outlines."""
        self._ridges, self._others = list(ridges), others or {}
        if self._selected not in {r.name for r in ridges}:
            self._selected = ""
        self.setMinimumHeight(_ROW * max(len(ridges), 6) + 56)
        names = [(i + 0.3, r.name) for i, r in enumerate(ridges)]
        axis = self.main.getAxis("left")
        axis.setTicks([names])
        axis.setStyle(autoExpandTextSpace=False, hideOverlappingLabels=False, tickLength=0)
        metrics = self.metrics()
        axis.setWidth(max((metrics.horizontalAdvance(r.name) for r in ridges), default=60) + 16)
        self.main.setYRange(-0.2, max(len(ridges), 1) + 0.05, padding=0)
        self.draw()
        place = self._place(self._selected)
        self.start_over(place if place >= 0 else len(ridges) - 1)

    def set_ridge(self, ridge: Ridge) -> None:
        """Redraw one phrase in place, as during a drag."""
        for i, old in enumerate(self._ridges):
            if old.name == ridge.name:
                self._ridges[i] = ridge
                self._draw_area(i)
                self._draw_marks()
                return

    def set_dimmed(self, names: Collection[str]) -> None:
        """Draw these phrases as outlines only: they are missing from the list drawn in colour."""
        self._dimmed = frozenset(names)
        self.draw()

    def select(self, name: str) -> None:
        """Highlight a phrase and show its handle; '' for none."""
        if name != self._selected:
            before, self._selected = self._place(self._selected), name
            self._keyboard_at = self._place(name)
            for place in (before, self._place(name)):
                if place >= 0:
                    self._draw_area(place)
            self._draw_marks()

    @property
    def selected(self) -> str:
        """The selected phrase, which has the handle; '' for none."""
        return self._selected

    def set_editable(self, editable: bool) -> None:
        """Set whether phrases can be dragged."""
        self._editable = editable
        self.draw()

    def draw(self) -> None:
        c = self.colours
        self.main.getAxis("left").setTextPen(QColor(c.text))
        for line in self._grid:
            line.setPen(pg.mkPen(c.line, width=1, style=Qt.PenStyle.DotLine))
        self._band.setBrush(faded(c.selection, 0.55))
        self._fill(self._areas, len(self._ridges), 0)
        self._fill(self._outlines, len(self._ridges), 2)
        for i in range(len(self._ridges)):
            self._draw_area(i)
        self._draw_marks()
        self._draw_others()

    def _draw_area(self, i: int) -> None:
        ridge, area = self._ridges[i], self._areas[i]
        colour = certainty_colour(self.colours, ridge.mean)
        chosen = ridge.name == self._selected
        area.setPath(QPainterPath() if ridge.name in self._dimmed else _path(ridge, i))
        area.setBrush(faded(colour, 0.75 if chosen else 0.5))
        area.setPen(pg.mkPen(colour, width=2 if chosen else 1.2))

    def _draw_marks(self) -> None:
        """Means, ranges and the handle."""
        c = self.colours
        drawn = [(i, r) for i, r in enumerate(self._ridges) if r.name not in self._dimmed]
        self._ranges.setData(
            np.array([end for _, r in drawn for end in (r.low, r.high)]),
            np.array([i for i, _ in drawn for _ in range(2)], dtype=float),
            pen=pg.mkPen(faded(c.text, 0.55), width=2.5),
        )
        self._means.setData(
            [
                {
                    "pos": (r.mean, i),
                    "size": 11 if r.name == self._selected else 8,
                    "brush": certainty_colour(c, r.mean),
                    "pen": pg.mkPen(c.text, width=2 if r.name == self._selected else 1),
                }
                for i, r in drawn
            ]
        )
        self._draw_handle()

    def _draw_others(self) -> None:
        c, means, pen = self.colours, [], pg.mkPen(self.colours.text, width=1.5)
        for i, (ridge, outline) in enumerate(zip(self._ridges, self._outlines, strict=True)):
            other = self._others.get(ridge.name)
            outline.setPath(_path(other, i) if other is not None else QPainterPath())
            outline.setPen(pg.mkPen(c.text, width=1.6, style=Qt.PenStyle.DashLine))
            if other is not None:
                means.append({"pos": (other.mean, i), "size": 9, "symbol": "d", "brush": c.surface, "pen": pen})
        self._other_means.setData(means)

    def _draw_handle(self) -> None:
        c = self.colours
        place = self._place(self._selected)
        self._band.setVisible(place >= 0)
        if place >= 0:
            self._band.setRegion((place - 0.12, place + _HEIGHT + 0.06))
        at = self._handle()
        if at is None:
            self._handles.setData([])
            self._arm.setData([], [])
            return
        ridge = self._ridges[place]
        brush = QColor(c.accent)
        self._handles.setData(
            [{"pos": (at.x(), at.y()), "size": 12, "symbol": "s", "brush": brush, "pen": pg.mkPen(c.surface, width=1)}]
        )
        self._arm.setData(np.array([ridge.mean, at.x()]), np.array([at.y(), at.y()]), pen=pg.mkPen(c.accent, width=1.5))

    def _handle(self) -> QPointF | None:
        """Position of the selected phrase's handle: one spread to the right of its mean, or to the left."""
        place = self._place(self._selected)
        if place < 0 or not self._editable or self._ridges[place].fixed:
            return None
        ridge = self._ridges[place]
        right = ridge.mean + ridge.spread <= 1
        return QPointF(ridge.mean + (ridge.spread if right else -ridge.spread), place + _HEIGHT / 2)

    def _place(self, name: str) -> int:
        return next((i for i, r in enumerate(self._ridges) if r.name == name), -1)

    def _fill(self, items: list[QGraphicsPathItem], wanted: int, depth: int) -> None:
        while len(items) < wanted:
            item = QGraphicsPathItem()
            item.setZValue(depth)
            self.main.addItem(item, ignoreBounds=True)
            items.append(item)
        while len(items) > wanted:
            self.main.removeItem(items.pop())

    # --- the pointer -------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return len(self._ridges)

    def mark_at(self, where: QPointF) -> int:
        row = int(np.floor(self.units(where).y() + 0.12))
        return row if 0 <= row < len(self._ridges) else -1

    def show_current(self) -> None:
        self.viewport().update()  # the band already marks the selected phrase

    def _meets_handle(self, where: QPointF) -> bool:
        at = self._handle()
        if at is None:
            return False
        place = self.mapFromScene(self.main.getViewBox().mapViewToScene(at))
        return (where - QPointF(place)).manhattanLength() <= 2 * _HANDLE

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        where = event.position()
        if self._meets_handle(where):
            ridge = self._ridges[self._place(self._selected)]
            self._drag = ("spread", ridge.name, ridge.mean, ridge.spread)
        elif (row := self.mark_at(where)) >= 0:
            ridge = self._ridges[row]
            self.go_to(row)
            if self._editable and not ridge.fixed:
                self._drag = ("mean", ridge.name, ridge.mean - self.units(where).x(), ridge.spread)
        self._pressed, self._was_moved = where, False
        event.accept()

    def _moved(self, where: QPointF) -> None:
        if self._drag is None:
            super()._moved(where)
        elif self._was_moved or (where - self._pressed).manhattanLength() >= _UNSTEADY:
            self._was_moved = True  # a mere click moves nothing
            self.moving.emit(self._dragged(self.units(where).x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None and self._was_moved:
            wanted = self._dragged(self.units(event.position()).x())
            self._drag = None
            self.moved.emit(wanted)
        self._drag = None
        event.accept()

    def _dragged(self, x: float) -> tuple[str, float, float]:
        """(name, mean, spread) requested by the drag with the pointer at ``x``."""
        if self._drag is None:
            raise RuntimeError("nothing is dragged")
        kind, name, start, spread = self._drag
        return (name, start + x, spread) if kind == "mean" else (name, start, abs(x - start))

    def set_cursor(self, where: QPointF, number: int) -> None:
        shape = Qt.CursorShape.ArrowCursor
        if self._meets_handle(where):
            shape = Qt.CursorShape.SizeHorCursor
        elif number >= 0 and self._editable and not self._ridges[number].fixed:
            shape = Qt.CursorShape.OpenHandCursor
        self.setCursor(shape)

    def holds(self) -> bool:
        return self._drag is not None

    def let_go(self) -> None:
        self._drag = None
        self.given_up.emit()

    def readout(self, number: int) -> str:
        ridge = self._ridges[number]
        name, values = ridge.name, _values(ridge)
        if name in self._dimmed:
            return say("\u201c{phrase}\u201d is in the other list alone: mean {mean}, {range}", phrase=name, **values)
        text = say("\u201c{phrase}\u201d: mean {mean}, readers take it as {range}", phrase=name, **values)
        if (other := self._others.get(name)) is not None:
            text += "\n" + say("the other list: mean {mean}, {range}", **_values(other))
        return text

    # --- the keys ----------------------------------------------------------------------------------

    def steps(self) -> dict[Qt.Key, tuple[int, int]]:
        return {Qt.Key.Key_Up: (1, 0), Qt.Key.Key_Down: (-1, 0)}

    def go_to(self, number: int) -> None:
        super().go_to(number)
        name = self._ridges[number].name
        if name != self._selected:
            self.select(name)
            self.picked.emit(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, place = event.key(), self._place(self._selected)
        if self.holds() or place < 0 or key not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)
            return
        ridge, step = self._ridges[place], _STEP if key == Qt.Key.Key_Right else -_STEP
        if self._editable and not ridge.fixed:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.stepped.emit((ridge.name, ridge.mean, max(ridge.spread + step, 0.0)))
            else:
                self.stepped.emit((ridge.name, ridge.mean + step, ridge.spread))


def _values(ridge: Ridge) -> dict[str, str]:
    return {"mean": percent(ridge.mean), "range": percent_range(ridge.low, ridge.high)}


def _path(ridge: Ridge, place: int) -> QPainterPath:
    """The area under a distribution with its base at ``place``; a point mass is a narrow bar."""
    path = QPainterPath()
    shape = ridge.shape
    if not shape.any():
        left = min(max(ridge.mean - 0.004, 0.0), 0.992)
        path.addRect(left, place, 0.008, _HEIGHT)
        return path
    # The invisible tails are omitted, so that no line runs along the whole base.
    seen = np.flatnonzero(shape > _SEEN)
    first, last, n = int(seen[0]), int(seen[-1]), len(shape)
    x = np.array([first, first, *(np.arange(first, last + 1) + 0.5), last + 1, last + 1]) / n
    height = np.array([0.0, shape[first], *shape[first : last + 1], shape[last], 0.0])
    path.addPolygon(polygon(x, place + _HEIGHT * height))
    path.closeSubpath()
    return path
