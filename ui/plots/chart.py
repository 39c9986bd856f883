"""Plots with axes: pyqtgraph in the scheme's colours, with a ring around the current mark."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from ui.plots.base import Picture
from ui.words import decimal

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget


SHARES = [(t / 4, f"{25 * t}\u00a0%") for t in range(5)]
"""Five ticks from 0 to 100 %."""
BESIDE = (
    (0, 11, -0.5, 0), (-1, -11, -0.5, 0), (0, 8, -1, -3), (0, 8, 0, 3), (-1, -8, -1, -3), (-1, -8, 0, 3),
    (-0.5, 0, -1, -11), (-0.5, 0, 0, 11), (0, 4, -1, -24), (-1, -4, -1, -24), (0, 4, 0, 24), (-1, -4, 0, 24),
)  # fmt: skip
"""Where a label may stand beside its mark, right and left before above and below, the last four farther away: how far
its left edge is from the mark, in widths of the label and pixels, and its top, in heights and pixels."""


def value_ticks(top: float, *, score: bool) -> list[tuple[float, str]]:
    """About five ticks from 0 to ``top``."""
    if not score:
        return SHARES
    step = next((s for s in (0.02, 0.05, 0.1, 0.2) if top / s <= 6), 0.25)
    return [(i * step, decimal(i * step)) for i in range(int(top / step + 1e-9) + 1)]


class Chart(Picture, pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph ships no types
    """One or more plots, built once and updated with records."""

    reach = 14.0
    """Pixels from a mark at which the pointer meets it."""
    label_places: Sequence[tuple[float, float, float, float]] = BESIDE[:8]
    """Where labels may stand, the best place first."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.ci.layout.setContentsMargins(4, 4, 8, 4)
        self.plots: list[pg.PlotItem] = []
        self.main = self.add_plot()
        self._ring = pg.ScatterPlotItem(pxMode=True, size=20, brush=None)
        self._ring.setZValue(100)
        self.main.addItem(self._ring, ignoreBounds=True)
        self._labels: list[pg.TextItem] = []
        self._items: list[Any] = []
        self.main.getViewBox().sigResized.connect(self._resized)

    def add_plot(self) -> pg.PlotItem:
        """A plot below those that there are, framed, which the mouse cannot move."""
        plot = self.addPlot(row=len(self.plots), col=0, enableMenu=False)
        plot.setMouseEnabled(x=False, y=False)
        plot.hideButtons()
        plot.disableAutoRange()
        for side in ("left", "bottom"):
            plot.getAxis(side).enableAutoSIPrefix(False)
        for side in ("top", "right"):
            plot.showAxis(side)
            plot.getAxis(side).setStyle(showValues=False)
            plot.getAxis(side).setTicks([[]])
        self.plots.append(plot)
        return plot

    # --- what each chart says of itself ------------------------------------------------------------

    def draw(self) -> None:
        """Draw the record in the present colours; what was added for the last one is gone already."""

    def place(self, number: int) -> tuple[float, float]:
        """Where a mark lies, in the units of the axes."""
        raise NotImplementedError

    def mark_near(self, point: QPointF) -> int:
        """The mark at a place in the units of the axes, -1 for none: the nearest that is within reach."""
        at = self.pixels(point.x(), point.y())
        places = [self.pixels(*self.place(i)) - at for i in range(self.count)]
        far = [QPointF.dotProduct(p, p) for p in places]
        best = min(range(len(far)), key=far.__getitem__, default=-1)
        return best if best >= 0 and far[best] <= self.reach**2 else -1

    def readout_near(self, point: QPointF) -> str:
        """What can be said of a place in the units of the axes where no mark is."""
        return ""

    def place_labels(self) -> None:
        """Place texts where they fit after a resize."""

    # --- what all of them share --------------------------------------------------------------------

    def redraw(self) -> None:
        # pyqtgraph does not follow the palette by itself.
        c, font = self.colours, self.small()
        self.setBackground(c.surface)
        for plot in self.plots:
            for side in ("left", "bottom", "top", "right"):
                axis = plot.getAxis(side)
                axis.setPen(QPen(QColor(c.line), 1))
                axis.setTextPen(QColor(c.muted))
                axis.setTickFont(font)
                axis.labelStyle = {"color": c.muted, "font-size": f"{font.pixelSize()}px"}
                axis.setLabel(text=axis.labelText)
        self._ring.setPen(pg.mkPen(c.accent, width=2))
        for item in self._items:
            self.main.removeItem(item)
        self._items.clear()
        self.draw()

    def show_current(self) -> None:
        self._ring.setData([{"pos": self.place(self.current)}] if self.current >= 0 else [])
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.outlined:
            painter = QPainter(self.viewport())
            self.draw_focus(painter, self.viewport().rect())
            painter.end()

    def units(self, where: QPointF) -> QPointF:
        """A place in pixels in the units of the axes."""
        point: QPointF = self.main.getViewBox().mapSceneToView(self.mapToScene(where.toPoint()))
        return point

    def is_inside(self, where: QPointF, plot: pg.PlotItem) -> bool:
        """Whether a place in pixels is within the frame of a plot."""
        return bool(plot.getViewBox().sceneBoundingRect().contains(self.mapToScene(where.toPoint())))

    def mark_at(self, where: QPointF) -> int:
        return self.mark_near(self.units(where)) if self.is_inside(where, self.main) else -1

    def readout_at(self, where: QPointF) -> str:
        return self.readout_near(self.units(where)) if self.is_inside(where, self.main) else ""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls

    # --- what charts are made of -------------------------------------------------------------------

    def add(self, item: Any, depth: int = 0) -> Any:
        """Show something until all is drawn anew, over everything of less ``depth``; returns it."""
        item.setZValue(depth)
        self.main.addItem(item, ignoreBounds=True)
        self._items.append(item)
        return item

    def add_lines(self, lines: Iterable[tuple[float | None, ...]], colour: str | QColor, width: float) -> None:
        """Lines from (x, y) to (x, y), without those that have an end missing."""
        ends = np.array([line for line in lines if None not in line], dtype=float).reshape(-1, 4)
        pen = pg.mkPen(colour, width=width)
        self.add(pg.PlotDataItem(ends[:, ::2].ravel(), ends[:, 1::2].ravel(), connect="pairs", antialias=True, pen=pen))

    def add_points(
        self, places: Iterable[tuple[float | None, ...]], size: float, symbol: str, brush: str, edge: str, width: float
    ) -> None:
        """Points at (x, y), without those that have no value: ``size`` in pixels, with an edge of ``width`` pixels."""
        known = [place for place in places if None not in place]
        pen = pg.mkPen(edge, width=width)
        self.add(pg.ScatterPlotItem(pos=known, size=size, symbol=symbol, brush=brush, pen=pen, pxMode=True))

    def add_text(self, text: str, x: float, y: float, anchor: tuple[int, int], colour: str) -> None:
        """A text at a place; the anchor is the part of it that lies there, from the top left."""
        item = pg.TextItem(text, color=colour, anchor=anchor)
        item.setFont(self.small())
        item.setPos(x, y)
        self.add(item)

    # --- labels ------------------------------------------------------------------------------------

    def _scale(self) -> tuple[float, float, float, float]:
        """The left and the top end of the axes, and pixels to a unit of each."""
        box = self.main.getViewBox()
        (x0, x1), (y0, y1) = box.viewRange()
        return x0, y1, box.width() / (x1 - x0), box.height() / (y1 - y0)

    def pixels(self, x: float, y: float) -> QPointF:
        """Where a place in the units of the axes is in the plot, in pixels."""
        x0, y1, sx, sy = self._scale()
        return QPointF((x - x0) * sx, (y1 - y) * sy)

    def along(self, x: Iterable[float], y: Iterable[float]) -> list[QRectF]:
        """Small rectangles along a line in the units of the axes, in pixels, for labels to keep clear of."""
        points = [self.pixels(a, b) for a, b in zip(x, y, strict=True) if not math.isnan(b)]
        return [QRectF(p.x() - 2, p.y() - 2, 4, 4) for p in points]

    def _resized(self, *_: object) -> None:
        self.place_labels()

    def label_marks(
        self, labels: Iterable[tuple[int, str, bool]], clear_of: Sequence[Sequence[QRectF]] = (), around: float = 7.0
    ) -> None:
        """Put labels beside their marks where they meet neither each other nor a mark; those left out are hidden.

        Args:
            labels: the number of the mark, the text, and whether it is strong; what matters most first
            clear_of: what labels keep clear of, in pixels: all of it where they can, else all but the first and so on
            around: pixels that are kept clear around each mark
        """
        box = self.main.getViewBox()
        if box.width() < 10:
            return
        x0, y1, sx, sy = self._scale()
        frame = QRectF(QPointF(0, 0), box.size())
        marks = [self.pixels(*self.place(i)) for i in range(self.count)]
        taken = Boxes([QRectF(p.x() - around, p.y() - around, 2 * around, 2 * around) for p in marks])
        avoided = [Boxes([r for part in clear_of[i:] for r in part]) for i in range(len(clear_of) + 1)]
        used = 0
        for number, text, strong in labels:
            font, size = self.small(strong=strong), self.metrics().size(0, text)
            w, h, at = size.width() + 4, size.height(), marks[number]
            places = [QRectF(at.x() + a * w + b, at.y() + c * h + d, w, h) for a, b, c, d in self.label_places]
            free = [p for p in places if frame.contains(p) and not taken.meet(p)]
            place = next((p for others in avoided for p in free if not others.meet(p)), None)
            if place is None:
                continue
            taken.add(place)
            if used == len(self._labels):
                self._labels.append(pg.TextItem(anchor=(0, 0)))
                self._labels[-1].setZValue(50)
                self.main.addItem(self._labels[-1], ignoreBounds=True)
            label = self._labels[used]
            used += 1
            label.setFont(font)
            label.setText(text)
            label.setColor(self.colours.text)
            # TextItem keeps a margin of about 4 px around its text.
            label.setPos(x0 + (place.left() - 2) / sx, y1 - (place.top() - 4) / sy)
            label.show()
        for label in self._labels[used:]:
            label.hide()


class Boxes:
    """Rectangles to keep clear of, tested all at once."""

    def __init__(self, boxes: Sequence[QRectF]) -> None:
        self._edges: NDArray[np.float64] = np.array([_edges(b) for b in boxes], dtype=float).reshape(-1, 4)

    def add(self, box: QRectF) -> None:
        """Another rectangle."""
        self._edges = np.vstack((self._edges, _edges(box)))

    def meet(self, box: QRectF) -> bool:
        """Whether any of them has an area in common with ``box``."""
        left, top, right, bottom = _edges(box)
        e = self._edges
        return bool(((e[:, 0] < right) & (e[:, 2] > left) & (e[:, 1] < bottom) & (e[:, 3] > top)).any())


def _edges(box: QRectF) -> tuple[float, float, float, float]:
    return box.left(), box.top(), box.right(), box.bottom()
