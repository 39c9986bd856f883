"""The reliability diagram: what the words mean against how often CT confirmed them.

The words first, each a dot with its interval; then the identity line, and over it one curve with one band: that of the
hedged words with its interval or with what luck alone gives, or the one that keeps the order of the words.  Draws a
Reliability and a Monotone, computes nothing.
"""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem, QWidget

from ui.language import spoken
from ui.plots.bands import Band
from ui.plots.chart import BESIDE, FARTHER, SHARES, Chart, Places
from ui.plots.shapes import area, drawn_bins, line, only, polygon
from ui.sentences import judged_text, meaning
from ui.theme import certainty_colour, faded
from ui.words import counted, percent, percent_range, rate, say

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QEvent, QSizeF
    from PySide6.QtGui import QMouseEvent, QResizeEvent

    from radcal.advice.judged_records import JudgedGroup
    from radcal.calibration.records import Curve, Monotone, PhraseRate, Reliability

_AXIS = 60
_AROUND = (4, 8, 12, 4)
"""Margins in pixels: left, top, right, bottom."""
_MARGIN = 0.04
"""Axis range beyond 0 and 1, for the marks of "absent" and "present" within the frame."""
_STEPS = np.array(sorted(itertools.product(range(0, 480, 12), repeat=2), key=lambda step: step[0] + 1.6 * step[1]))
"""How far from its corner a text is tried, in pixels to the side and up or down: the nearest first."""
_GAPS = (4, 12, 24)
"""How far from the curve its name is tried, in pixels."""


class ReliabilityPlot(Chart):
    """A Reliability; the words in use are the marks, weakest first.

    picked: name of a phrase;  located: certainty (0-1) of a click where the curve has findings
    """

    picked = Signal(object)
    located = Signal(object)
    opens = True
    reach = 10.0
    label_places = BESIDE + FARTHER
    usual_size = (320, 272)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Reliability diagram"), parent)
        self._record: Reliability | None = None
        self._monotone: Monotone | None = None
        self._judged: JudgedGroup | None = None
        self._band = Band.INTERVAL
        self._fewest = 1
        self.selected = ""
        """The emphasised phrase, '' for none."""
        self._rates: list[PhraseRate] = []
        self._drawn = np.zeros(0), np.zeros(0)
        self._covered: list[tuple[float, float, float, float]] = []
        self.main.setXRange(-_MARGIN, 1 + _MARGIN, padding=0)
        self.main.getAxis("left").setWidth(_AXIS)
        self._answers = False
        self.speak_of_answers(False)
        for side in ("left", "bottom"):
            self.main.getAxis(side).setTicks([SHARES])
            self.main.getAxis(side).setStyle(hideOverlappingLabels=False)
        self.main.setYRange(-_MARGIN, 1 + _MARGIN, padding=0)
        self.main.setLabel("bottom", say("certainty that readers take from the words"))
        self._pointer = pg.InfiniteLine(angle=90, movable=False)
        self._pointer.hide()
        self.main.addItem(self._pointer, ignoreBounds=True)
        self._made = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_made"):  # pyqtgraph calls this while it is being made
            self._make_square()

    def _make_square(self) -> None:
        layout, box = self.ci.layout, self.main.getViewBox()
        left, top, right, bottom = _AROUND
        layout.setContentsMargins(*_AROUND)
        layout.activate()
        more = box.width() - box.height()
        if more > 0:
            layout.setContentsMargins(left + more / 2, top, right + more / 2, bottom)
        else:
            layout.setContentsMargins(left, top, right, bottom - more)
        layout.activate()

    # --- drawing -----------------------------------------------------------------------------------

    def set_record(
        self,
        record: Reliability | None,
        fewest: int = 1,
        band: Band = Band.INTERVAL,
        monotone: Monotone | None = None,
        judged: JudgedGroup | None = None,
        selected: str = "",
    ) -> None:
        """Draw the record with one band; with fewer than ``fewest`` hedged statements its words without a curve.

        judged: what is said of its words, for the readout;  selected: the emphasised phrase, '' for none
        """
        self._judged, self.selected = judged, selected
        self._record, self._fewest, self._band, self._monotone = record, fewest, band, monotone
        self._rates = sorted((r for r in record.phrases if r.n > 0), key=lambda r: r.mean) if record else []
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
        pen = pg.mkPen(c.neutral, width=1.2, style=Qt.PenStyle.DashLine)
        self.add(pg.PlotDataItem([0, 1], [0, 1], pen=pen))
        self._drawn, self._covered = (np.zeros(0), np.zeros(0)), []
        if self._record is not None and (curve := self._record.curve) is not None and self._band is not Band.ORDER:
            self._draw_curve(curve)
        if self._band is Band.ORDER and self._monotone is not None:
            self._draw_order(self._monotone)
        pen = pg.mkPen(c.curve, width=2.5)
        self.add(pg.PlotDataItem(*self._drawn, connect="finite", antialias=True, pen=pen))
        self._draw_points()

    def _draw_curve(self, curve: Curve) -> None:
        drawn = drawn_bins(curve, self._rates, self._fewest)
        luck = self._band is Band.LUCK
        low, high = (curve.luck_low, curve.luck_high) if luck else (curve.rate_low, curve.rate_high)
        self._add_band(area(curve, only(drawn, low), only(drawn, high)), luck=luck)
        self._covered = list(zip(curve.low[drawn], low[drawn], curve.high[drawn], high[drawn], strict=True))
        self._drawn = line(curve, only(drawn, curve.rate))

    def _draw_order(self, m: Monotone) -> None:
        path = QPainterPath()
        path.addPolygon(polygon(np.concatenate((m.mean, m.mean[::-1])), np.concatenate((m.high, m.low[::-1]))))
        path.closeSubpath()
        self._add_band(path, luck=True)
        self._covered = [
            (float(m.mean[i]), float(m.low[i]), float(m.mean[i + 1]), float(m.high[i + 1]))
            for i in range(len(m.mean) - 1)
        ]
        self._drawn = m.mean, m.fitted

    def _add_band(self, path: QPainterPath, *, luck: bool) -> None:
        if path.isEmpty():
            return
        item = self.add(QGraphicsPathItem(path), -10)
        item.setBrush(QColor(self.colours.luck) if luck else faded(self.colours.curve, 0.2))
        item.setPen(pg.mkPen(self.colours.line, width=1) if luck else pg.mkPen(None))

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

    # --- texts -------------------------------------------------------------------------------------

    def place_labels(self) -> None:
        """The words beside their dots, then in the corners what these mean, and the name of the curve beside it."""
        c, rates = self.colours, self._rates
        order = sorted(range(self.count), key=lambda i: (rates[i].phrase != self.selected, -rates[i].n))
        names = [(i, rates[i].phrase, rates[i].phrase == self.selected) for i in order]
        ends = [(self.pixels(r.mean, r.high), self.pixels(r.mean, r.low)) for r in rates]
        bars = [QRectF(top.x() - 2, top.y(), 4, bottom.y() - top.y()) for top, bottom in ends]
        # Closer than a letter is high, so that no text slips between the rectangles.
        identity = self.along(*(np.linspace(0, 1, 81),) * 2)
        covered = [QRectF(self.pixels(x0, high), self.pixels(x1, low)) for x0, low, x1, high in self._covered]
        texts: list[tuple[str, str, Places]] = []
        if rates:
            texts = [
                (self._corner_text(stronger=True), c.muted, partial(self._corner, -1)),
                (self._corner_text(stronger=False), c.muted, partial(self._corner, 1)),
            ]
        if len(self._drawn[0]):
            name = say("words in order") if self._band is Band.ORDER else say("hedged words")
            texts.append((name, c.curve, self._beside_curve))
        self.label_marks(names, [[*identity, *self.along(*self._dense())], bars], texts=texts, shaded=covered)

    def _corner_text(self, *, stronger: bool) -> str:
        if self._answers:
            return say("more sure\nthan right") if stronger else say("more often right\nthan sure")
        return say("words stronger\nthan CT supported") if stronger else say("words weaker\nthan CT supported")

    def _dense(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The curve in points closer than a letter is wide, gaps left out."""
        x, y = self._drawn
        if not len(x):
            return x, y
        at = np.linspace(np.nanmin(x), np.nanmax(x), 161)
        return at, np.interp(at, x, y)

    def _corner(self, side: int, size: QSizeF) -> NDArray[np.float64]:
        """Places on one side of the identity line, from its corner on: 1 above, from the left; -1 below."""
        foot, top, extent = self.pixels(0, 0), self.pixels(1, 1), np.array([size.width(), size.height()])
        start = np.array([foot.x(), top.y()] if side > 0 else [top.x(), foot.y()] - extent)
        places = start + side * _STEPS
        x, y = (places + extent if side > 0 else places).T  # the text's corner towards the line
        line = foot.y() + (x - foot.x()) * (top.y() - foot.y()) / (top.x() - foot.x())
        kept: NDArray[np.float64] = places[side * (line - y) >= 0]
        return kept

    def _beside_curve(self, size: QSizeF) -> NDArray[np.float64]:
        points = [self.pixels(a, b) for a, b in zip(*self._drawn, strict=True) if not math.isnan(b)]
        at = np.array([(p.x(), p.y()) for p in reversed(points)]).reshape(-1, 1, 2)
        right = [at + np.array([gap / 2, gap]) for gap in _GAPS]
        left = [at - np.array([size.width() + gap / 2, size.height() + gap]) for gap in _GAPS]
        sides = [np.concatenate(both, axis=1).reshape(-1, 2) for both in zip(right, left, strict=True)]
        return np.concatenate(sides)

    # --- marks -------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return len(self._rates)

    def place(self, number: int) -> tuple[float, float]:
        return self._rates[number].mean, self._rates[number].rate

    def readout(self, number: int) -> str:
        r = self._rates[number]
        text = say(
            "\u201c{phrase}\u201d: {said}, confirmed {positives}: {rate}",
            phrase=r.phrase,
            said=counted(r.n, "said {n} time", "said {n} times"),
            positives=spoken().part(r.positives, r.n),
            rate=rate(r.rate, r.low, r.high),
        )
        j = self._judged.word(r.phrase) if self._judged is not None else None
        meant = say("means {range}", range=meaning(r, None if j is None else j.phrase))
        return f"{text} \u00b7 {meant}" if j is None else f"{text} \u00b7 {meant}: {judged_text(j)}"

    def open_mark(self, number: int) -> None:
        self.picked.emit(self._rates[number].phrase)

    # --- readout of the curve ----------------------------------------------------------------------

    def _certainty_at(self, where: QPointF) -> float | None:
        """The certainty at a pixel position; None outside or without a curve."""
        if self._record is None or self._record.curve is None or not self.is_inside(where, self.main):
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
        if certainty is None:
            return ""
        if self._band is Band.ORDER:
            return self._readout_of_order(certainty)
        return self.readout_of_curve(certainty)

    def speak_of_answers(self, answers: bool) -> None:
        """Whether outcomes are answers that were right, not findings that CT confirmed."""
        self._answers = answers
        self.main.setLabel("left", say("answers that were right") if answers else say("confirmed by CT"))

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

    def _readout_of_order(self, certainty: float) -> str:
        m = self._monotone
        if m is None or not m.mean[0] <= certainty <= m.mean[-1]:
            return ""
        fitted, low, high = (float(np.interp(certainty, m.mean, v)) for v in (m.fitted, m.low, m.high))
        return say(
            "At {certainty}: in the order of the words CT confirmed {share} \u00b7 a calibrated reader {luck}",
            certainty=percent(certainty),
            share=percent(fitted),
            luck=percent_range(low, high),
        )

    def _has_mass(self, certainty: float) -> bool:
        """Whether there are statements of this certainty."""
        curve = self._record.curve if self._record else None
        return curve is not None and bool(np.isfinite(curve.rate[self._bin(curve, certainty)]))

    @staticmethod
    def _bin(curve: Curve, certainty: float) -> int:
        return int(np.clip(np.searchsorted(curve.high, certainty, side="right"), 0, len(curve.high) - 1))
