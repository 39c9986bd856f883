"""What readers take each phrase to mean: one distribution above the other, strongest at the top.

A phrase can be taken by its curve and moved sideways (its mean), or by its handle (its spread); the keys do the same.
Draws Ridge records, computes nothing: whoever holds the phrases says what comes of a drag.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QToolTip, QWidget

from ui.theme import LIGHT, SMALL, Colours, certainty_colour, faded, sized
from ui.widgets.keyboard import is_about_to_escape
from ui.words import percent, percent_range, translate

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QMouseEvent, QWheelEvent

    from ui.pages.words.work import Ridge

_ROW = 20
"""Least height of a phrase in pixels."""
_HEIGHT = 0.82
"""Height of the highest curve, of the room that a phrase has."""
_TICKS = [(t / 4, f"{25 * t}\u00a0%") for t in range(5)]
_MARGIN = 0.02
_HANDLE = 9.0
"""Pixels from the handle within which the pointer takes it."""
_UNSTEADY = 3.0
"""Pixels that the pointer may move during a click."""
_STEP = 0.01
_SEEN = 0.012
"""Lowest part of a curve's height that is drawn."""


class LexiconPlot(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph ships no types
    """Made once and fed with records.

    picked: the name of a phrase
    moving: (name, mean, spread) while the user drags;  moved: the same when the user lets go;  stepped: by a key
    let_go: a drag was given up, the phrase is as it was
    """

    picked = Signal(object)
    moving = Signal(object)
    moved = Signal(object)
    stepped = Signal(object)
    let_go = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ridges: list[Ridge] = []
        self._others: Mapping[str, Ridge] = {}
        self._selected = ""
        self._dimmed: frozenset[str] = frozenset()
        self._editable = True
        self._drag: tuple[str, str, float, float] | None = None
        self._pressed = QPointF()
        self._was_moved = False
        self._colours: Colours = LIGHT
        self.setAccessibleName(translate("lexicon", "What the phrases mean"))
        self.setAccessibleDescription(
            translate(
                "lexicon",
                "Up and Down choose a phrase, Left and Right move its mean, with Shift they change its spread.",
            )
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.ci.layout.setContentsMargins(4, 4, 12, 4)
        self.main = self.addPlot(row=0, col=0, enableMenu=False)
        self.main.setMouseEnabled(x=False, y=False)
        self.main.hideButtons()
        self.main.disableAutoRange()
        self.main.setXRange(-_MARGIN, 1 + _MARGIN, padding=0)
        self.main.getAxis("bottom").setTicks([_TICKS])
        self.main.getAxis("bottom").setStyle(hideOverlappingLabels=False)
        self.main.setLabel("bottom", translate("lexicon", "certainty that readers take from the words"))
        self._grid = [pg.InfiniteLine(pos=t, angle=90, movable=False) for t, _ in _TICKS]
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
        self.setMouseTracking(True)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.set_colours(LIGHT)

    def sizeHint(self) -> QSize:
        return QSize(520, 520)

    # --- what is drawn -----------------------------------------------------------------------------

    def set_ridges(self, ridges: Sequence[Ridge], others: Mapping[str, Ridge] | None = None) -> None:
        """Draw phrases, weakest first; ``others``, by name, are drawn over them as outlines."""
        self._ridges, self._others = list(ridges), others or {}
        if self._selected not in {r.name for r in ridges}:
            self._selected = ""
        self.setMinimumHeight(_ROW * max(len(ridges), 6) + 56)
        names = [(i + 0.3, r.name) for i, r in enumerate(ridges)]
        axis = self.main.getAxis("left")
        axis.setTicks([names])
        axis.setStyle(autoExpandTextSpace=False, hideOverlappingLabels=False, tickLength=0)
        metrics = QFontMetricsF(sized(self.font(), SMALL))
        axis.setWidth(max((metrics.horizontalAdvance(r.name) for r in ridges), default=60) + 16)
        self.main.setYRange(-0.2, max(len(ridges), 1) + 0.05, padding=0)
        self._draw()

    def set_ridge(self, ridge: Ridge) -> None:
        """Draw one phrase anew in its place, as while it is dragged."""
        for i, old in enumerate(self._ridges):
            if old.name == ridge.name:
                self._ridges[i] = ridge
                self._draw_area(i)
                self._draw_marks()
                return

    def set_dimmed(self, names: Collection[str]) -> None:
        """Draw these phrases as an outline alone: the list that is drawn in colour does not have them."""
        self._dimmed = frozenset(names)
        self._draw()

    def select(self, name: str) -> None:
        """Emphasise a phrase and show its handle; '' for none."""
        if name != self._selected:
            before, self._selected = self._place(self._selected), name
            for place in (before, self._place(name)):
                if place >= 0:
                    self._draw_area(place)
            self._draw_marks()

    @property
    def selected(self) -> str:
        """The phrase that has the handle, '' if none has."""
        return self._selected

    def set_editable(self, editable: bool) -> None:
        """Whether phrases can be moved."""
        self._editable = editable
        self._draw()

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme."""
        c = self._colours = colours
        self.setBackground(c.surface)
        font = sized(self.font(), SMALL)
        for side in ("left", "bottom"):
            axis = self.main.getAxis(side)
            axis.setPen(QPen(QColor(c.line), 1))
            axis.setTextPen(QColor(c.text if side == "left" else c.muted))
            axis.setTickFont(font)
            axis.labelStyle = {"color": c.muted, "font-size": f"{SMALL}px"}
            axis.setLabel(text=axis.labelText)
        for line in self._grid:
            line.setPen(pg.mkPen(c.line, width=1, style=Qt.PenStyle.DotLine))
        self._band.setBrush(faded(c.selection, 0.55))
        self._draw()

    def _draw(self) -> None:
        self._fill(self._areas, len(self._ridges), 0)
        self._fill(self._outlines, len(self._ridges), 2)
        for i in range(len(self._ridges)):
            self._draw_area(i)
        self._draw_marks()
        self._draw_others()

    def _draw_area(self, i: int) -> None:
        ridge, area = self._ridges[i], self._areas[i]
        colour = certainty_colour(self._colours, ridge.mean)
        chosen = ridge.name == self._selected
        area.setPath(QPainterPath() if ridge.name in self._dimmed else _path(ridge, i))
        area.setBrush(faded(colour, 0.75 if chosen else 0.5))
        area.setPen(pg.mkPen(colour, width=2 if chosen else 1.2))

    def _draw_marks(self) -> None:
        """Means, ranges and the handle."""
        c = self._colours
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
        c, means = self._colours, []
        for i, (ridge, outline) in enumerate(zip(self._ridges, self._outlines, strict=True)):
            other = self._others.get(ridge.name)
            outline.setPath(_path(other, i) if other is not None else QPainterPath())
            outline.setPen(pg.mkPen(c.text, width=1.6, style=Qt.PenStyle.DashLine))
            if other is not None:
                means.append(
                    {
                        "pos": (other.mean, i),
                        "size": 9,
                        "symbol": "d",
                        "brush": QColor(c.surface),
                        "pen": pg.mkPen(c.text, width=1.5),
                    }
                )
        self._other_means.setData(means)

    def _draw_handle(self) -> None:
        c = self._colours
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
        """Where the handle of the chosen phrase stands: a spread to the right of its mean, or to the left."""
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

    def _at(self, event: QMouseEvent) -> QPointF:
        point: QPointF = self.main.getViewBox().mapSceneToView(self.mapToScene(event.position().toPoint()))
        return point

    def _row_at(self, point: QPointF) -> int:
        row = int(np.floor(point.y() + 0.12))
        return row if 0 <= row < len(self._ridges) else -1

    def _meets_handle(self, event: QMouseEvent) -> bool:
        at = self._handle()
        if at is None:
            return False
        place = self.mapFromScene(self.main.getViewBox().mapViewToScene(at))
        return (event.position() - QPointF(place)).manhattanLength() <= 2 * _HANDLE

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        point = self._at(event)
        if self._meets_handle(event):
            ridge = self._ridges[self._place(self._selected)]
            self._drag = ("spread", ridge.name, ridge.mean, ridge.spread)
        elif (row := self._row_at(point)) >= 0:
            ridge = self._ridges[row]
            if ridge.name != self._selected:
                self.select(ridge.name)
                self.picked.emit(ridge.name)
            if self._editable and not ridge.fixed:
                self._drag = ("mean", ridge.name, ridge.mean - point.x(), ridge.spread)
        self._pressed, self._was_moved = event.position(), False
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = self._at(event)
        if self._drag is None:
            self._hover(event, point)
            return
        if not self._was_moved and (event.position() - self._pressed).manhattanLength() < _UNSTEADY:
            return  # a click that chooses moves nothing
        self._was_moved = True
        self.moving.emit(self._dragged(point.x()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None and self._was_moved:
            wanted = self._dragged(self._at(event).x())
            self._drag = None
            self.moved.emit(wanted)
        self._drag = None
        event.accept()

    def _dragged(self, x: float) -> tuple[str, float, float]:
        """What the user wants of the phrase at this place of the pointer: name, mean, spread."""
        if self._drag is None:
            raise RuntimeError("nothing is dragged")
        kind, name, start, spread = self._drag
        return (name, start + x, spread) if kind == "mean" else (name, start, abs(x - start))

    def _hover(self, event: QMouseEvent, point: QPointF) -> None:
        row = self._row_at(point)
        if self._meets_handle(event):
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        elif row >= 0 and self._editable and not self._ridges[row].fixed:
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.setCursor(Qt.CursorShape.ArrowCursor)
        text = self.readout(row) if row >= 0 else ""
        if text:
            QToolTip.showText(event.globalPosition().toPoint(), text, self)
        else:
            QToolTip.hideText()

    def leaveEvent(self, event: QEvent) -> None:
        QToolTip.hideText()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls

    def readout(self, row: int) -> str:
        """The numbers of a phrase in a line."""
        ridge = self._ridges[row]
        if ridge.name in self._dimmed:
            return translate("lexicon", "\u201c{phrase}\u201d is in the other list alone: mean {mean}, {range}").format(
                phrase=ridge.name, mean=percent(ridge.mean), range=percent_range(ridge.low, ridge.high)
            )
        text = translate("lexicon", "\u201c{phrase}\u201d: mean {mean}, readers take it as {range}").format(
            phrase=ridge.name, mean=percent(ridge.mean), range=percent_range(ridge.low, ridge.high)
        )
        other = self._others.get(ridge.name)
        if other is not None:
            text += "\n" + translate("lexicon", "the other list: mean {mean}, {range}").format(
                mean=percent(other.mean), range=percent_range(other.low, other.high)
            )
        return text

    def hide_pointer(self) -> None:
        """Nothing follows the pointer but its tooltip."""
        QToolTip.hideText()

    # --- the keys ----------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Escape lets go of what is held before it leads anywhere else."""
        if is_about_to_escape(event) and self._drag is not None:
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, place = event.key(), self._place(self._selected)
        if self._drag is not None:
            if key == Qt.Key.Key_Escape:
                self._drag = None
                self.let_go.emit()
            return
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self._ridges:
            up = 1 if key == Qt.Key.Key_Up else -1
            row = len(self._ridges) - 1 if place < 0 else min(max(place + up, 0), len(self._ridges) - 1)
            self.select(self._ridges[row].name)
            self.picked.emit(self._ridges[row].name)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and place >= 0:
            ridge = self._ridges[place]
            step = _STEP if key == Qt.Key.Key_Right else -_STEP
            if self._editable and not ridge.fixed:
                if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                    self.stepped.emit((ridge.name, ridge.mean, max(ridge.spread + step, 0.0)))
                else:
                    self.stepped.emit((ridge.name, ridge.mean + step, ridge.spread))
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_focus(focused=True)
        if not self._selected and self._ridges:
            self.select(self._ridges[-1].name)
            self.picked.emit(self._selected)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_focus(focused=False)

    def _show_focus(self, *, focused: bool) -> None:
        for line in self._band.lines:
            line.setPen(pg.mkPen(self._colours.accent, width=2) if focused else None)


def _path(ridge: Ridge, place: int) -> QPainterPath:
    """The area under a distribution whose base stands at ``place``; a point mass is a narrow bar."""
    path = QPainterPath()
    shape = ridge.shape
    if not shape.any():
        left = min(max(ridge.mean - 0.004, 0.0), 0.992)
        path.addRect(left, place, 0.008, _HEIGHT)
        return path
    # Where it is too low to be seen it is left out, so that no line runs along the whole base.
    seen = np.flatnonzero(shape > _SEEN)
    first, last, n = int(seen[0]), int(seen[-1]), len(shape)
    path.moveTo(first / n, place)
    path.lineTo(first / n, place + _HEIGHT * float(shape[first]))
    for i in range(first, last + 1):
        path.lineTo((i + 0.5) / n, place + _HEIGHT * float(shape[i]))
    path.lineTo((last + 1) / n, place + _HEIGHT * float(shape[last]))
    path.lineTo((last + 1) / n, place)
    path.closeSubpath()
    return path
