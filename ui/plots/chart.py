"""Plots with axes: pyqtgraph in the scheme's colours, with a ring around the current mark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter, QPen

from ui.plots.base import Picture
from ui.plots.figures import points
from ui.words import decimal, percent

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
"""Candidate label positions: right and left before above and below, the last four farther away.  Offset of the label's
left edge from the mark in label widths and pixels, and of its top in label heights and pixels."""

FARTHER = tuple(
    place
    for far in (26, 42, 60, 80)
    for place in (
        (0, far, -0.5, 0), (-1, -far, -0.5, 0), (0, 0.7 * far, -1, -0.7 * far), (-1, -0.7 * far, 0, 0.7 * far),
        (-1, -0.7 * far, -1, -0.7 * far), (0, 0.7 * far, 0, 0.7 * far), (-0.5, 0, -1, -far), (-0.5, 0, 0, far),
    )
)  # fmt: skip
"""Places to which a line leads from the mark."""
_LED = 18.0
"""Distance in pixels from which on a line leads from a mark to its label."""
Places = Callable[[QSizeF], "NDArray[np.float64]"]
"""The left and top edges of places for a text of this size, in pixels, best first: shape (places, 2)."""


def value_ticks(top: float, *, score: bool) -> list[tuple[float, str]]:
    """About five ticks from 0 to ``top``."""
    if not score:
        return SHARES
    step = next((s for s in (0.02, 0.05, 0.1, 0.2) if top / s <= 6), 0.25)
    return [(i * step, decimal(i * step)) for i in range(int(top / step + 1e-9) + 1)]


def point_ticks(top: float) -> list[tuple[float, str]]:
    """About five ticks from 0 to ``top``, in points."""
    return [(at, points(at)) for at, _ in value_ticks(top, score=True)]


def share_ticks(top: float) -> list[tuple[float, str]]:
    """About five ticks from 0 to ``top``, in per cent."""
    step = next((s for s in (0.01, 0.02, 0.05, 0.1, 0.2) if top / s <= 6), 0.25)
    return [(i * step, percent(i * step)) for i in range(int(top / step + 1e-9) + 1)]


@dataclass(frozen=True, slots=True, eq=False)
class _Wanted:
    """A text with the places to try for it, clear of the first of ``avoid`` that leaves one.  mark: what it names"""

    text: str
    colour: str
    places: Places
    avoid: Sequence[Boxes]
    strong: bool = False
    mark: QPointF | None = None


class Chart(Picture, pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph ships no types
    """One or more plots with axes."""

    reach = 14.0
    """Hit radius of a mark, in pixels."""
    label_places: Sequence[tuple[float, float, float, float]] = BESIDE[:8]
    """Candidate label positions, best first."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.ci.layout.setContentsMargins(4, 4, 8, 4)
        self.plots: list[pg.PlotItem] = []
        self.main = self.add_plot()
        self._ring = pg.ScatterPlotItem(pxMode=True, size=20, brush=None)
        self._ring.setZValue(100)
        self.main.addItem(self._ring, ignoreBounds=True)
        self._labels: list[pg.TextItem] = []
        self._leads = pg.PlotDataItem(connect="pairs", antialias=True)
        self.main.addItem(self._leads, ignoreBounds=True)
        self._items: list[Any] = []
        self._placed = True
        """Whether the labels stand where they belong; if not, they are placed before the next paint."""
        self.main.getViewBox().sigResized.connect(self._resized)

    def add_plot(self) -> pg.PlotItem:
        """Add a framed plot below the others; the mouse cannot pan or zoom it."""
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

    # --- defined by each chart ---------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the record in the current colours; items of the previous one are already removed."""

    def place(self, number: int) -> tuple[float, float]:
        """The position of a mark in axis units."""
        raise NotImplementedError

    def mark_near(self, point: QPointF) -> int:
        """The nearest mark within reach of a position in axis units, -1 for none."""
        at = self.pixels(point.x(), point.y())
        places = [self.pixels(*self.place(i)) - at for i in range(self.count)]
        far = [QPointF.dotProduct(p, p) for p in places]
        best = min(range(len(far)), key=far.__getitem__, default=-1)
        return best if best >= 0 and far[best] <= self.reach**2 else -1

    def place_labels(self) -> None:
        """Lay out the labels, after the record or the size has changed."""

    # --- shared by all -----------------------------------------------------------------------------

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
        self._resized()

    def show_current(self) -> None:
        self._ring.setData([{"pos": self.place(self.current)}] if self.current >= 0 else [])
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._placed:
            self._placed = True
            self.place_labels()
        super().paintEvent(event)
        if self.outlined:
            painter = QPainter(self.viewport())
            self.draw_focus(painter, self.viewport().rect())
            painter.end()

    def units(self, where: QPointF) -> QPointF:
        """A pixel position in axis units."""
        point: QPointF = self.main.getViewBox().mapSceneToView(self.mapToScene(where.toPoint()))
        return point

    def is_inside(self, where: QPointF, plot: pg.PlotItem) -> bool:
        """Whether a pixel position is within the frame of a plot."""
        return bool(plot.getViewBox().sceneBoundingRect().contains(self.mapToScene(where.toPoint())))

    def mark_at(self, where: QPointF) -> int:
        return self.mark_near(self.units(where)) if self.is_inside(where, self.main) else -1

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls

    # --- items -------------------------------------------------------------------------------------

    def add(self, item: Any, depth: int = 0) -> Any:
        """Add an item until the next redraw, above items of smaller ``depth``; returns it."""
        item.setZValue(depth)
        self.main.addItem(item, ignoreBounds=True)
        self._items.append(item)
        return item

    def add_lines(self, lines: Iterable[tuple[float | None, ...]], colour: str | QColor, width: float) -> None:
        """Line segments (x0, y0, x1, y1); those with a missing end are skipped."""
        ends = np.array([line for line in lines if None not in line], dtype=float).reshape(-1, 4)
        pen = pg.mkPen(colour, width=width)
        self.add(pg.PlotDataItem(ends[:, ::2].ravel(), ends[:, 1::2].ravel(), connect="pairs", antialias=True, pen=pen))

    def add_points(
        self, places: Iterable[tuple[float | None, ...]], size: float, symbol: str, brush: str, edge: str, width: float
    ) -> None:
        """Points at (x, y), skipping missing values; ``size`` and edge ``width`` in pixels."""
        known = [place for place in places if None not in place]
        pen = pg.mkPen(edge, width=width)
        self.add(pg.ScatterPlotItem(pos=known, size=size, symbol=symbol, brush=brush, pen=pen, pxMode=True))

    def add_text(self, text: str, x: float, y: float, anchor: tuple[int, int], colour: str) -> None:
        """A text at a position; ``anchor``: the part of the text placed there, from the top left."""
        item = pg.TextItem(text, color=colour, anchor=anchor)
        item.setFont(self.small())
        item.setPos(x, y)
        self.add(item)

    # --- labels ------------------------------------------------------------------------------------

    def _scale(self) -> tuple[float, float, float, float]:
        """Left and top limits of the axes, and pixels per unit of each; downwards negative."""
        box = self.main.getViewBox()
        (x0, x1), (y0, y1) = box.viewRange()
        if box.yInverted():
            y0, y1 = y1, y0
        return x0, y1, box.width() / (x1 - x0), box.height() / (y1 - y0)

    def pixels(self, x: float, y: float) -> QPointF:
        """A position in axis units as pixels within the plot."""
        x0, y1, sx, sy = self._scale()
        return QPointF((x - x0) * sx, (y1 - y) * sy)

    def along(self, x: Iterable[float], y: Iterable[float]) -> list[QRectF]:
        """Small rectangles in pixels along a line in axis units, for labels to avoid."""
        x0, y1, sx, sy = self._scale()
        points = [(a, b) for a, b in zip(x, y, strict=True) if not math.isnan(b)]
        return [QRectF((a - x0) * sx - 2, (y1 - b) * sy - 2, 4, 4) for a, b in points]

    def _resized(self, *_: object) -> None:
        self._placed = False
        self.viewport().update()

    def label_marks(
        self,
        labels: Iterable[tuple[int, str, bool]],
        clear_of: Sequence[Sequence[QRectF]] = (),
        around: float = 7.0,
        texts: Iterable[tuple[str, str, Places]] = (),
        shaded: Sequence[QRectF] = (),
    ) -> None:
        """Place labels beside their marks without overlap of labels and marks; labels that do not fit are hidden.

        Where not all fit with the labels placed first, the further texts are, if more fit then.

        Args:
            labels: number of the mark, text, bold; most important first
            clear_of: groups of rectangles to avoid, in pixels: all if possible, else all but the first, and so on
            around: margin around each mark in pixels
            texts: further texts of the picture with their colours; clear of all of these or hidden
            shaded: rectangles that the further texts keep off if they can
        """
        box = self.main.getViewBox()
        if box.width() < 10:
            return
        marks = [self.pixels(*self.place(i)) for i in range(self.count)]
        dots = [QRectF(p.x() - around, p.y() - around, 2 * around, 2 * around) for p in marks]
        avoided = [Boxes([r for part in clear_of[i:] for r in part]) for i in range(len(clear_of) + 1)]
        unshaded = Boxes([*(r for part in clear_of for r in part), *shaded])
        factors = np.array(self.label_places)

        def beside(number: int) -> Places:
            at = marks[number]
            others = Boxes([QRectF(p.x() - 3, p.y() - 3, 6, 6) for i, p in enumerate(marks) if i != number])

            def places(size: QSizeF) -> NDArray[np.float64]:
                moved = factors[:, ::2] * (size.width(), size.height()) + factors[:, 1::2]
                found: NDArray[np.float64] = moved + (at.x(), at.y())  # noqa: RUF005 - a sum of arrays
                # Beyond another mark, a label would be taken for that mark's.
                beyond = _led_across(found, size, at, others)
                return found[np.argsort(beyond, kind="stable")]

            return places

        def placed_in(order: Sequence[_Wanted]) -> list[tuple[_Wanted, QRectF]]:
            taken, placed = Boxes(dots), []
            for wanted in order:
                tight = self.metrics().size(0, wanted.text)
                size = QSizeF(tight.width() + 4, tight.height())
                corners, extent = wanted.places(size), np.array([size.width(), size.height()])
                edges = np.hstack((corners, corners + extent))
                inside = (edges[:, :2] >= 0).all(axis=1) & (edges[:, 2:] <= (box.width(), box.height())).all(axis=1)
                edges = edges[inside]
                edges = edges[~taken.meet(edges)]
                clear = (edges[~others.meet(edges)][:1] for others in wanted.avoid)
                for left, top, *_ in next((found for found in clear if len(found)), ()):
                    place = QRectF(QPointF(left, top), size)
                    taken.add(place)
                    placed.append((wanted, place))
            return placed

        words = [_Wanted(text, self.colours.text, beside(i), avoided, strong, marks[i]) for i, text, strong in labels]
        further = [_Wanted(text, colour, places, (unshaded, avoided[0])) for text, colour, places in texts]
        placed = placed_in(words + further)
        if len(placed) < len(words) + len(further):
            # In a small picture the words may leave no place for the texts, but find one around them.
            placed = max(placed, placed_in(further + words), key=len)
        leads: list[QPointF] = []
        for wanted, place in placed:
            if wanted.mark is not None:
                near = _nearest(place, wanted.mark)
                if math.hypot(near.x() - wanted.mark.x(), near.y() - wanted.mark.y()) > _LED:
                    leads += [wanted.mark, near]
        self._show_labels([(w.text, w.colour, w.strong, place) for w, place in placed], leads)

    def _show_labels(self, placed: Sequence[tuple[str, str, bool, QRectF]], leads: Sequence[QPointF]) -> None:
        x0, y1, sx, sy = self._scale()
        while len(self._labels) < len(placed):
            self._labels.append(pg.TextItem(anchor=(0, 0)))
            self._labels[-1].setZValue(50)
            self.main.addItem(self._labels[-1], ignoreBounds=True)
        for label, (text, colour, strong, place) in zip(self._labels, placed, strict=False):
            label.setFont(self.small(strong=strong))
            label.setText(text)
            label.setColor(colour)
            # TextItem has a margin of about 4 px around its text.
            label.setPos(x0 + (place.left() - 2) / sx, y1 - (place.top() - 4) / sy)
            label.show()
        for label in self._labels[len(placed) :]:
            label.hide()
        self._leads.setData([x0 + p.x() / sx for p in leads], [y1 - p.y() / sy for p in leads])
        self._leads.setPen(pg.mkPen(self.colours.neutral, width=1))


def _nearest(place: QRectF, to: QPointF) -> QPointF:
    """The point of a rectangle that is nearest to ``to``."""
    return QPointF(min(max(to.x(), place.left()), place.right()), min(max(to.y(), place.top()), place.bottom()))


def _led_across(
    places: NDArray[np.float64], size: QSizeF, start: QPointF, others: Boxes, steps: int = 16
) -> NDArray[np.bool_]:
    """Which labels, by their upper left corners (N, 2), would be led to their mark across one of the others."""
    mark = np.array([start.x(), start.y()])
    near = np.clip(mark, places, places + np.array([size.width(), size.height()]))
    along = mark + np.linspace(0, 1, steps)[:, None, None] * (near - mark)
    crossed = others.meet(np.concatenate([along - 2, along + 2], axis=2).reshape(-1, 4)).reshape(steps, -1).any(axis=0)
    led: NDArray[np.bool_] = crossed & (np.hypot(*(near - mark).T) > _LED)
    return led


class Boxes:
    """Rectangles to avoid, tested all at once."""

    def __init__(self, boxes: Sequence[QRectF]) -> None:
        edges = [(b.left(), b.top(), b.right(), b.bottom()) for b in boxes]
        self._edges: NDArray[np.float64] = np.array(edges, dtype=np.float64).reshape(-1, 4)

    def add(self, box: QRectF) -> None:
        """Add a rectangle."""
        self._edges = np.vstack((self._edges, (box.left(), box.top(), box.right(), box.bottom())))

    def meet(self, edges: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which rectangles overlap any of these; left, top, right and bottom edges, of shape (rectangles, 4)."""
        (left, top, right, bottom), e = edges.T[..., None], self._edges.T
        met: NDArray[np.bool_] = np.any((e[0] < right) & (e[2] > left) & (e[1] < bottom) & (e[3] > top), axis=1)
        return met
