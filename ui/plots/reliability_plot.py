"""The reliability diagram: certainty of the words against the rate confirmed by CT.

The curve with its 95 % interval, the identity line, the band expected by chance, each phrase as a point with its
interval, and below them the density of the words.  Draws a Reliability, computes nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QWidget

from ui.plots.chart import BESIDE, SHARES, Chart
from ui.plots.shapes import area, line, only, parts_of
from ui.theme import certainty_colour, faded
from ui.words import percent, percent_range, rate, say, whole

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    from radcal.records import Curve, PhraseRate, Reliability

_STRIP = 92
_AXIS = 64
_MARGIN = 0.04
"""Axis range beyond 0 and 1, for the marks of "absent" and "present" within the frame."""
_OVER = 1.6
"""Height of the strip over its highest inner bar: space for the shares of plain present and absent."""


class ReliabilityPlot(Chart):
    """A Reliability; the phrases in use are the marks, weakest first.

    picked: name of a phrase;  located: certainty (0-1) of a click on the curve or the density
    """

    picked = Signal(object)
    located = Signal(object)
    opens = True
    reach = 10.0
    label_places = BESIDE
    usual_size = (520, 480)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Reliability diagram"), parent)
        self._record: Reliability | None = None
        self._fewest = 1
        self.selected = ""
        """The emphasised phrase, '' for none."""
        self._rates: list[PhraseRate] = []
        self._drawn = np.zeros(0), np.zeros(0)
        self.ci.layout.setContentsMargins(4, 8, 12, 4)
        self.ci.layout.setSpacing(4)
        self.strip = self.add_plot()
        for plot in self.plots:
            plot.setXRange(-_MARGIN, 1 + _MARGIN, padding=0)
            plot.getAxis("left").setWidth(_AXIS)
        self.main.setLabel("left", say("confirmed by CT"))
        self.main.getAxis("left").setTicks([SHARES])
        self.main.getAxis("bottom").setTicks([[(t, "") for t, _ in SHARES]])
        self.main.getAxis("bottom").setStyle(showValues=False)
        self.main.setYRange(-_MARGIN, 1 + _MARGIN, padding=0)

        self.strip.setMaximumHeight(_STRIP)
        self.strip.setMinimumHeight(_STRIP)
        self.strip.setLabel("bottom", say("certainty that readers take from the words"))
        self.strip.setLabel("left", say("said"))
        self.strip.getAxis("bottom").setTicks([SHARES])
        self.strip.getAxis("left").setTicks([[]])
        self.strip.getAxis("bottom").setStyle(hideOverlappingLabels=False)
        self.strip.setXLink(self.main)

        self._pointer = pg.InfiniteLine(angle=90, movable=False)
        self._pointer.hide()
        self.main.addItem(self._pointer, ignoreBounds=True)
        self._density = pg.BarGraphItem(x=[], height=[], width=0.01)
        self.strip.addItem(self._density, ignoreBounds=True)
        self._ends = (pg.TextItem(anchor=(0, 0)), pg.TextItem(anchor=(1, 0)))
        for item in self._ends:
            self.strip.addItem(item, ignoreBounds=True)

    # --- drawing -----------------------------------------------------------------------------------

    def set_record(self, record: Reliability | None, fewest: int = 1) -> None:
        """Draw the record; without a curve, or with fewer than ``fewest`` hedged statements, only its phrases."""
        self._record, self._fewest = record, fewest
        self._rates = sorted((r for r in record.phrases if r.n > 0), key=lambda r: r.mean) if record else []
        self.selected = ""
        self.redraw()
        self.start_over()

    def select(self, phrase: str) -> None:
        """Emphasise the point of a phrase, '' for none."""
        if phrase != self.selected:
            self.selected = phrase
            self.redraw()

    def draw(self) -> None:
        c = self.colours
        self._pointer.setPen(pg.mkPen(c.neutral, width=1, style=Qt.PenStyle.DotLine))
        self._density.setOpts(x=[], height=[], width=0.01, brush=faded(c.neutral, 0.7), pen=None)
        for item in self._ends:
            item.setColor(c.muted)
            item.setFont(self.small())
            item.setText("")
        pen = pg.mkPen(c.neutral, width=1.2, style=Qt.PenStyle.DashLine)
        self.add(pg.PlotDataItem([0, 1], [0, 1], pen=pen))
        self._drawn = np.zeros(0), np.zeros(0)
        if self._record is not None and (curve := self._record.curve) is not None:
            within, drawn = parts_of(curve, self._rates, self._fewest)
            luck = area(curve, only(within, curve.luck_low), only(within, curve.luck_high))
            interval = area(curve, only(drawn, curve.rate_low), only(drawn, curve.rate_high))
            self._add_band(luck, QColor(c.luck), pg.mkPen(c.line, width=1), -20)
            self._add_band(interval, faded(c.curve, 0.22), pg.mkPen(None), -10)
            self._drawn = line(curve, only(drawn, curve.rate))
            self._draw_density(curve)
        pen = pg.mkPen(c.curve, width=2.5)
        self.add(pg.PlotDataItem(*self._drawn, connect="finite", antialias=True, pen=pen))
        self._draw_points()

    def _add_band(self, path: QPainterPath, brush: QColor, pen: QPen, depth: int) -> None:
        item = self.add(QGraphicsPathItem(path), depth)
        item.setBrush(brush)
        item.setPen(pen)

    def _draw_density(self, curve: Curve) -> None:
        # Plain present and absent, in the last and first bin, would flatten all others:
        # the strip is scaled to the bins between, and the two are labelled with their share.
        share = np.nan_to_num(curve.density)
        top = float(share[1:-1].max(initial=0.0)) or float(share.max(initial=0.0)) or 1.0
        self.strip.setYRange(0, _OVER, padding=0)
        height = np.minimum(share / top, _OVER)
        self._density.setOpts(x=(curve.low + curve.high) / 2, height=height, width=curve.high - curve.low)
        for item, i, x in ((self._ends[0], 0, float(curve.high[0])), (self._ends[1], -1, float(curve.low[-1]))):
            item.setText(percent(float(share[i])) if share[i] > top else "")
            item.setPos(x, _OVER)

    def _draw_points(self) -> None:
        rates, c = self._rates, self.colours
        x = np.array([r.mean for r in rates])
        y = np.array([r.rate for r in rates])
        above, below = np.array([r.high for r in rates]) - y, y - np.array([r.low for r in rates])
        pen = pg.mkPen(faded(c.text, 0.55), width=1)
        self.add(pg.ErrorBarItem(x=x, y=y, top=above, bottom=below, beam=0.012, pen=pen))
        most = max((r.n for r in rates), default=1.0)
        spots = [
            {
                "pos": (r.mean, r.rate),
                "size": 7 + 11 * math.sqrt(r.n / most),
                "brush": certainty_colour(c, r.mean),
                "pen": pg.mkPen(c.text, width=2.5 if r.phrase == self.selected else 1),
                "data": r.phrase,
            }
            for r in rates
        ]
        self.add(pg.ScatterPlotItem(spots, pxMode=True, antialias=True))
        self.place_labels()

    def place_labels(self) -> None:
        """Names beside their points: clear of curve and intervals, else across the curve, else across both."""
        order = sorted(range(self.count), key=lambda i: (self._rates[i].phrase != self.selected, -self._rates[i].n))
        ends = [(self.pixels(r.mean, r.high), self.pixels(r.mean, r.low)) for r in self._rates]
        bars = [QRectF(top.x() - 2, top.y(), 4, bottom.y() - top.y()) for top, bottom in ends]
        names = [(i, self._rates[i].phrase) for i in order]
        self.label_marks([(i, name, name == self.selected) for i, name in names], [self.along(*self._drawn), bars])

    # --- marks -------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return len(self._rates)

    def place(self, number: int) -> tuple[float, float]:
        return self._rates[number].mean, self._rates[number].rate

    def readout(self, number: int) -> str:
        r = self._rates[number]
        return say(
            "\u201c{phrase}\u201d: said {n} times, confirmed {positives}: {rate}",
            phrase=r.phrase,
            n=whole(r.n),
            positives=whole(r.positives),
            rate=rate(r.rate, r.low, r.high),
        )

    def open_mark(self, number: int) -> None:
        self.picked.emit(self._rates[number].phrase)

    # --- readout of the curve ----------------------------------------------------------------------

    def _certainty_at(self, where: QPointF) -> float | None:
        """The certainty at a pixel position in diagram or strip; None outside or without a curve."""
        if self._record is None or self._record.curve is None:
            return None
        if not any(self.is_inside(where, plot) for plot in self.plots):
            return None
        return min(max(float(self.units(where).x()), 0.0), 1.0)

    def _moved(self, where: QPointF) -> None:
        super()._moved(where)
        certainty = self._certainty_at(where)
        if certainty is not None:
            self._pointer.setPos(certainty)
        self._pointer.setVisible(certainty is not None and self.current < 0)

    def opens_at(self, where: QPointF, number: int) -> bool:
        certainty = self._certainty_at(where)
        return number >= 0 or (certainty is not None and self._has_mass(certainty))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        where = event.position()
        certainty = self._certainty_at(where)
        if event.button() != Qt.MouseButton.LeftButton or self.mark_at(where) >= 0 or certainty is None:
            return
        if self._has_mass(certainty):
            self.located.emit(certainty)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pointer.hide()

    def hide_pointer(self) -> None:
        super().hide_pointer()
        self._pointer.hide()

    def readout_at(self, where: QPointF) -> str:
        certainty = self._certainty_at(where)
        return "" if certainty is None else self.readout_of_curve(certainty)

    def readout_of_curve(self, certainty: float) -> str:
        """The values of the diagram at a certainty (0-1) in one line, '' without a curve."""
        curve = self._record.curve if self._record else None
        if curve is None:
            return ""
        m = self._bin(curve, certainty)
        span = percent_range(float(curve.low[m]), float(curve.high[m]))
        if not np.isfinite(curve.rate[m]):
            return say("At {span}: nothing was said that strongly", span=span)
        text = say(
            "At {span}: CT confirmed {rate}",
            span=span,
            rate=rate(float(curve.rate[m]), float(curve.rate_low[m]), float(curve.rate_high[m])),
        )
        luck = say("luck alone {luck}", luck=percent_range(float(curve.luck_low[m]), float(curve.luck_high[m])))
        share = say("{share} of what was said", share=percent(float(curve.density[m])))
        return f"{text} \u00b7 {luck} \u00b7 {share}"

    def _has_mass(self, certainty: float) -> bool:
        """Whether there are statements of this certainty."""
        curve = self._record.curve if self._record else None
        return curve is not None and bool(np.isfinite(curve.rate[self._bin(curve, certainty)]))

    @staticmethod
    def _bin(curve: Curve, certainty: float) -> int:
        return int(np.clip(np.searchsorted(curve.high, certainty, side="right"), 0, len(curve.high) - 1))
