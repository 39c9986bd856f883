"""The reliability diagram: what the words say against what CT confirmed.

The curve with its 95 % interval, the line of agreement, the band that luck alone explains, each phrase as
a point with its interval, and below them where the words lie.  Draws a Reliability, computes nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QWidget

from ui.plots.shapes import area, line, only, parts_of
from ui.theme import LIGHT, SMALL, Colours, certainty_colour, faded, sized
from ui.words import percent, percent_range, rate, translate, whole

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent

    from radcal.records import Curve, PhraseRate, Reliability

_TICKS = [(t / 4, f"{25 * t}\u00a0%") for t in range(5)]
_STRIP = 92
_AXIS = 64
_MARGIN = 0.04
"""Beyond 0 and 1, in shares of the axis: room for the mark of "absent" and of "present" within the frame."""
_OVER = 1.6
"""Height of the strip over the highest bar between: room for the share of plain present and absent."""


class ReliabilityPlot(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph ships no types
    """Made once and fed with records.

    hovered: a line of numbers under the pointer, '' when it has left;  picked: the name of a phrase
    located: a certainty of 0-1 whose part of the curve or of the density was clicked
    """

    hovered = Signal(object)
    picked = Signal(object)
    located = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: Reliability | None = None
        self._fewest = 1
        self._selected = ""
        self._drawn = np.zeros(0), np.zeros(0)
        self._colours: Colours = LIGHT
        self.setAccessibleName(translate("diagram", "Reliability diagram"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # all that it says stands in the table beside it
        self.ci.layout.setContentsMargins(4, 8, 12, 4)
        self.ci.layout.setSpacing(4)

        self.main = self._plot(0)
        self.main.setLabel("left", translate("diagram", "confirmed by CT"))
        self.main.getAxis("left").setTicks([_TICKS])
        self.main.getAxis("bottom").setTicks([[(t, "") for t, _ in _TICKS]])
        self.main.getAxis("bottom").setStyle(showValues=False)
        self.main.setYRange(-_MARGIN, 1 + _MARGIN, padding=0)

        self.strip = self._plot(1)
        self.strip.setMaximumHeight(_STRIP)
        self.strip.setMinimumHeight(_STRIP)
        self.strip.setLabel("bottom", translate("diagram", "certainty that readers take from the words"))
        self.strip.setLabel("left", translate("diagram", "said"))
        self.strip.getAxis("bottom").setTicks([_TICKS])
        self.strip.getAxis("left").setTicks([[]])
        self.strip.getAxis("bottom").setStyle(hideOverlappingLabels=False)
        self.strip.setXLink(self.main)

        self._luck = _band(self.main, -20)
        self._interval = _band(self.main, -10)
        self._identity = self.main.plot([0, 1], [0, 1])
        self._curve = self.main.plot([], [], connect="finite", antialias=True)
        self._errors = pg.ErrorBarItem(x=np.zeros(0), y=np.zeros(0), top=np.zeros(0), bottom=np.zeros(0))
        self._points = pg.ScatterPlotItem(pxMode=True, antialias=True)
        self._pointer = pg.InfiniteLine(angle=90, movable=False)
        self._pointer.hide()
        for item in (self._errors, self._points, self._pointer):
            self.main.addItem(item, ignoreBounds=True)
        self._density = pg.BarGraphItem(x=[], height=[], width=0.01)
        self.strip.addItem(self._density, ignoreBounds=True)
        self._ends = (pg.TextItem(anchor=(0, 0)), pg.TextItem(anchor=(1, 0)))
        for item in self._ends:
            self.strip.addItem(item, ignoreBounds=True)
        self._labels: list[pg.TextItem] = []

        self.scene().sigMouseClicked.connect(self._clicked)
        self.scene().sigMouseMoved.connect(self._moved)
        self.main.getViewBox().sigResized.connect(self._place_labels)

    def sizeHint(self) -> QSize:
        return QSize(520, 480)

    # --- what is drawn -----------------------------------------------------------------------------

    def set_record(self, record: Reliability | None, fewest: int = 1) -> None:
        """Draw the record; a record without a curve shows its phrases alone.

        So does one with fewer than ``fewest`` hedged statements: a curve through a handful of wide words would
        fill the diagram and say nothing.
        """
        self._record, self._fewest = record, fewest
        self._selected = ""
        self._draw()

    def select(self, phrase: str) -> None:
        """Emphasise the point of a phrase, '' for none."""
        if phrase != self._selected:
            self._selected = phrase
            self._draw_points()

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme; pyqtgraph does not follow the palette by itself."""
        c = self._colours = colours
        self.setBackground(c.surface)
        font = sized(self.font(), SMALL)
        for plot in (self.main, self.strip):
            for side in ("left", "bottom", "top", "right"):
                axis = plot.getAxis(side)
                axis.setPen(QPen(QColor(c.line), 1))
                axis.setTextPen(QColor(c.muted))
                axis.setTickFont(font)
                axis.labelStyle = {"color": c.muted, "font-size": f"{SMALL}px"}
                axis.setLabel(text=axis.labelText)
        self._luck.setBrush(QColor(c.luck))
        self._luck.setPen(pg.mkPen(c.line, width=1))
        self._interval.setBrush(faded(c.curve, 0.22))
        self._identity.setPen(pg.mkPen(c.neutral, width=1.2, style=Qt.PenStyle.DashLine))
        self._curve.setPen(pg.mkPen(c.curve, width=2.5))
        self._pointer.setPen(pg.mkPen(c.neutral, width=1, style=Qt.PenStyle.DotLine))
        self._density.setOpts(brush=faded(c.neutral, 0.7), pen=None)
        for item in self._ends:
            item.setColor(c.muted)
            item.setFont(font)
        self._draw()

    def _draw(self) -> None:
        curve = self._record.curve if self._record else None
        if curve is None:
            self._luck.setPath(QPainterPath())
            self._interval.setPath(QPainterPath())
            self._curve.setData([], [])
            self._drawn = np.zeros(0), np.zeros(0)
            self._density.setOpts(x=[], height=[], width=0.01)
            for item in self._ends:
                item.setText("")
        else:
            within, drawn = parts_of(curve, self._shown(), self._fewest)
            self._luck.setPath(area(curve, only(within, curve.luck_low), only(within, curve.luck_high)))
            self._interval.setPath(area(curve, only(drawn, curve.rate_low), only(drawn, curve.rate_high)))
            x, y = line(curve, only(drawn, curve.rate))
            self._curve.setData(x, y, connect="finite")
            self._drawn = x, y
            self._draw_density(curve)
        self._draw_points()

    def _draw_density(self, curve: Curve) -> None:
        # Plain present and absent stand in the last and first bin and would flatten all others:
        # the strip is scaled to what lies between, and the two say their share in figures.
        share = np.nan_to_num(curve.density)
        top = float(share[1:-1].max(initial=0.0)) or float(share.max(initial=0.0)) or 1.0
        self.strip.setYRange(0, _OVER, padding=0)
        height = np.minimum(share / top, _OVER)
        self._density.setOpts(x=(curve.low + curve.high) / 2, height=height, width=curve.high - curve.low)
        for item, i, x in ((self._ends[0], 0, float(curve.high[0])), (self._ends[1], -1, float(curve.low[-1]))):
            item.setText(percent(float(share[i])) if share[i] > top else "")
            item.setPos(x, _OVER)

    def _draw_points(self) -> None:
        rates, c = self._shown(), self._colours
        x = np.array([r.mean for r in rates])
        y = np.array([r.rate for r in rates])
        self._errors.setData(
            x=x,
            y=y,
            top=np.array([r.high for r in rates]) - y,
            bottom=y - np.array([r.low for r in rates]),
            beam=0.012,
            pen=pg.mkPen(faded(c.text, 0.55), width=1),
        )
        most = max((r.n for r in rates), default=1.0)
        self._points.setData(
            [
                {
                    "pos": (r.mean, r.rate),
                    "size": 7 + 11 * math.sqrt(r.n / most),
                    "brush": certainty_colour(c, r.mean),
                    "pen": pg.mkPen(c.text, width=2.5 if r.phrase == self._selected else 1),
                    "data": r.phrase,
                }
                for r in rates
            ]
        )
        while len(self._labels) < len(rates):
            label = pg.TextItem(anchor=(0, 0))
            self.main.addItem(label, ignoreBounds=True)
            self._labels.append(label)
        self._place_labels()

    def _shown(self) -> list[PhraseRate]:
        return [r for r in self._record.phrases if r.n > 0] if self._record else []

    @Slot()
    def _place_labels(self, *_: object) -> None:
        """Put each phrase's name beside its point where it meets nothing else; the hover has those left out."""
        rates = sorted(self._shown(), key=lambda r: (r.phrase != self._selected, -r.n))
        box = self.main.getViewBox()
        frame = QRectF(QPointF(0, 0), box.size())
        if frame.width() < 10:
            return
        (x0, x1), (y0, y1) = box.viewRange()
        sx, sy = frame.width() / (x1 - x0), frame.height() / (y1 - y0)
        font = sized(self.font(), SMALL)
        metrics = QFontMetricsF(font)
        at = {r.phrase: QPointF((r.mean - x0) * sx, (y1 - r.rate) * sy) for r in rates}
        taken = [QRectF(p.x() - 8, p.y() - 8, 16, 16) for p in at.values()]
        bars = [QRectF((r.mean - x0) * sx - 2, (y1 - r.high) * sy, 4, (r.high - r.low) * sy) for r in rates]
        drawn = zip(*self._drawn, strict=True)
        along = [QRectF((x - x0) * sx - 2, (y1 - y) * sy - 2, 4, 4) for x, y in drawn if not math.isnan(y)]
        for label, r in zip(self._labels, rates, strict=False):
            size = metrics.size(0, r.phrase)
            # Clear of everything if there is such a place, else across the curve, else across an interval.
            for others in (bars + along, bars, []):
                place = _free_place(at[r.phrase], size.width() + 4, size.height(), frame, taken + others)
                if place is not None:
                    break
            label.setVisible(place is not None)
            if place is not None:
                taken.append(place)
                label.setFont(sized(self.font(), SMALL, strong=r.phrase == self._selected))
                label.setText(r.phrase)
                label.setColor(self._colours.text)
                # TextItem keeps a margin of about 4 px around its text.
                label.setPos(x0 + (place.left() - 2) / sx, y1 - (place.top() - 4) / sy)
        for label in self._labels[len(rates) :]:
            label.hide()

    # --- what the pointer tells --------------------------------------------------------------------

    @Slot(object)
    def _moved(self, where: QPointF) -> None:
        box = self.main.getViewBox()
        inside = box.sceneBoundingRect().contains(where) or self.strip.getViewBox().sceneBoundingRect().contains(where)
        if self._record is None or not inside:
            self._leave()
            return
        point = box.mapSceneToView(where)
        near: list[pg.SpotItem] = []
        if box.sceneBoundingRect().contains(where):
            near = list(self._points.pointsAt(point))
        opens = bool(near) or self._has_mass(float(point.x()))
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        self._pointer.setPos(min(max(point.x(), 0.0), 1.0))
        self._pointer.setVisible(self._record.curve is not None and not near)
        self.hovered.emit(self.readout_of_phrase(near[0].data()) if near else self.readout(point.x()))

    def leaveEvent(self, event: QEvent) -> None:
        self._leave()
        super().leaveEvent(event)

    def _leave(self) -> None:
        self._pointer.hide()
        self.hovered.emit("")

    def readout_of_phrase(self, phrase: str) -> str:
        """The numbers of a phrase in one line."""
        r = next(r for r in self._shown() if r.phrase == phrase)
        return translate("diagram", "\u201c{phrase}\u201d: said {n} times, confirmed {positives}: {rate}").format(
            phrase=r.phrase, n=whole(r.n), positives=whole(r.positives), rate=rate(r.rate, r.low, r.high)
        )

    def readout(self, certainty: float) -> str:
        """The numbers of the diagram at a certainty of 0-1 in one line, '' where there is no curve."""
        curve = self._record.curve if self._record else None
        if curve is None:
            return ""
        m = self._bin(curve, certainty)
        span = percent_range(float(curve.low[m]), float(curve.high[m]))
        if not np.isfinite(curve.rate[m]):
            return translate("diagram", "At {span}: nothing was said that strongly").format(span=span)
        text = translate("diagram", "At {span}: CT confirmed {rate}").format(
            span=span, rate=rate(float(curve.rate[m]), float(curve.rate_low[m]), float(curve.rate_high[m]))
        )
        luck = translate("diagram", "luck alone {luck}").format(
            luck=percent_range(float(curve.luck_low[m]), float(curve.luck_high[m]))
        )
        share = translate("diagram", "{share} of what was said").format(share=percent(float(curve.density[m])))
        return f"{text} \u00b7 {luck} \u00b7 {share}"

    @Slot(object)
    def _clicked(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._record is None:
            return
        box, strip = self.main.getViewBox(), self.strip.getViewBox()
        where = event.scenePos()
        in_main = box.sceneBoundingRect().contains(where)
        point = box.mapSceneToView(where)
        if in_main and len(near := self._points.pointsAt(point)):
            self.picked.emit(near[0].data())
        elif self._record.curve is not None and (in_main or strip.sceneBoundingRect().contains(where)):
            certainty = min(max(float(point.x()), 0.0), 1.0)
            if self._has_mass(certainty):
                self.located.emit(certainty)

    def _has_mass(self, certainty: float) -> bool:
        """Whether anything was said there."""
        curve = self._record.curve if self._record else None
        return curve is not None and bool(np.isfinite(curve.rate[self._bin(curve, certainty)]))

    @staticmethod
    def _bin(curve: Curve, certainty: float) -> int:
        return int(np.clip(np.searchsorted(curve.high, certainty, side="right"), 0, len(curve.high) - 1))

    # --- pictures ----------------------------------------------------------------------------------

    def hide_pointer(self) -> None:
        """What follows the pointer is no part of a picture that is copied or saved."""
        self._pointer.hide()

    def _plot(self, row: int) -> pg.PlotItem:
        plot = self.addPlot(row=row, col=0, enableMenu=False)
        plot.setMouseEnabled(x=False, y=False)
        plot.hideButtons()
        plot.disableAutoRange()
        plot.setXRange(-_MARGIN, 1 + _MARGIN, padding=0)
        plot.getAxis("left").setWidth(_AXIS)
        for side in ("top", "right"):
            plot.showAxis(side)
            plot.getAxis(side).setStyle(showValues=False)
            plot.getAxis(side).setTicks([[]])
        return plot


def _band(plot: pg.PlotItem, depth: int) -> QGraphicsPathItem:
    item = QGraphicsPathItem()
    item.setPen(QPen(Qt.PenStyle.NoPen))
    item.setZValue(depth)
    plot.addItem(item, ignoreBounds=True)
    return item


def _free_place(point: QPointF, width: float, height: float, frame: QRectF, taken: list[QRectF]) -> QRectF | None:
    """Where a label of this size fits beside the point, right and left before above and below; None if nowhere."""
    gap = 11.0
    for dx, dy in (
        (gap, -height / 2),
        (-gap - width, -height / 2),
        (gap - 3, -height - 3),
        (gap - 3, 3),
        (-gap + 3 - width, -height - 3),
        (-gap + 3 - width, 3),
        (-width / 2, -height - gap),
        (-width / 2, gap),
        (4, -height - 24),
        (-4 - width, -height - 24),
        (4, 24),
        (-4 - width, 24),
    ):
        place = QRectF(point.x() + dx, point.y() + dy, width, height)
        if frame.contains(place) and not any(place.intersects(other) for other in taken):
            return place
    return None
