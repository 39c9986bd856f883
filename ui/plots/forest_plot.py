"""Radiologists one below the other: each one's value with its interval, and the value seen together with all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF

from ui.plots.chart import Chart, value_ticks
from ui.plots.figures import shown, shown_interval
from ui.theme import faded
from ui.words import percent_range, translate, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.records.comparison import Comparison, Member

ROW = 26
"""Height of a radiologist's row."""
_FRAME = 76
_POOLED_BELOW = 0.24
"""How far below a radiologist's own value the pooled one stands, in rows."""


class ForestPlot(Chart):
    """Draws a Comparison, in the order and under the names it is given."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("forest", "Radiologists beside each other"), parent)
        self._record: Comparison | None = None
        self._members: tuple[Member, ...] = ()
        self._names: tuple[str, ...] = ()
        self.main.invertY(True)
        self._meaning = pg.LinearRegionItem(movable=False)
        self._mean_band = pg.LinearRegionItem(movable=False)
        self._mean = pg.InfiniteLine(angle=90, movable=False)
        for depth, item in ((-30, self._meaning), (-20, self._mean_band), (-10, self._mean)):
            item.setZValue(depth)
            self.main.addItem(item, ignoreBounds=True)
            item.hide()
        self._rules = pg.PlotDataItem(connect="pairs", antialias=True)
        self._pooled_lines = pg.PlotDataItem(connect="pairs", antialias=True)
        self._lines = pg.PlotDataItem(connect="pairs", antialias=True)
        self._luck = pg.ScatterPlotItem(pxMode=True)
        self._pooled = pg.ScatterPlotItem(pxMode=True)
        self._points = pg.ScatterPlotItem(pxMode=True)
        for item in (self._rules, self._pooled_lines, self._lines, self._luck, self._pooled, self._points):
            self.main.addItem(item, ignoreBounds=True)
        self.main.getAxis("right").setStyle(showValues=True, tickLength=0)
        self.main.getAxis("left").setStyle(tickLength=0)

    def sizeHint(self) -> QSize:
        return QSize(640, _FRAME + ROW * max(len(self._members), 3))

    def set_record(
        self, record: Comparison | None, members: tuple[Member, ...] = (), names: tuple[str, ...] = ()
    ) -> None:
        """Draw the record's ``members`` under ``names``, the first at the top."""
        self._record, self._members, self._names = record, members, names
        # Rows keep their height; many of them make the picture higher, and the page scrolls.
        self.setMinimumHeight(_FRAME + ROW * len(members))
        self.updateGeometry()
        self.draw()
        self.choose_mark(-1)

    def draw(self) -> None:
        """Draw the record anew."""
        record, c = self._record, self.colours
        if record is None:
            return
        score, rows = record.hedges, len(self._members)
        told = [(i, m) for i, m in enumerate(self._members) if m.value is not None]
        pooled = [(i + _POOLED_BELOW, m) for i, m in told if m.pooled is not None]
        top = self._right_end()
        self.main.setXRange(0, top, padding=0.03)
        self.main.setYRange(-0.6, max(rows, 1) - 0.3, padding=0)
        self.main.setLabel(
            "bottom",
            translate("forest", "ECE* of what was hedged") if score else translate("forest", "confirmed by CT"),
        )
        self.main.getAxis("bottom").setTicks([value_ticks(top, score=score)])
        self._set_rows()
        self._rules.setData(*_pairs([(0.0, float(i)) for i in range(rows)], [(top, float(i)) for i in range(rows)]))
        self._rules.setPen(pg.mkPen(faded(c.line, 0.6), width=1))
        self._lines.setData(*_pairs([(m.low, i) for i, m in told], [(m.high, i) for i, m in told]))
        self._lines.setPen(pg.mkPen(c.text, width=1.6))
        self._points.setData(
            [{"pos": (m.value, i), "size": 10, "symbol": "o", "brush": c.text, "pen": c.text} for i, m in told]
        )
        self._pooled_lines.setData(
            *_pairs([(m.pooled_low, y) for y, m in pooled], [(m.pooled_high, y) for y, m in pooled])
        )
        self._pooled_lines.setPen(pg.mkPen(c.accent, width=1.6))
        pen = pg.mkPen(c.accent, width=1.8)
        self._pooled.setData(
            [{"pos": (m.pooled, y), "size": 11, "symbol": "d", "brush": c.surface, "pen": pen} for y, m in pooled]
        )
        tick = pg.mkPen(c.neutral, width=2)
        self._luck.setData(
            [{"pos": (m.luck, i), "size": 13, "symbol": _TICK, "pen": tick} for i, m in told if m.luck is not None]
        )
        self._draw_mean(record)

    def _draw_mean(self, record: Comparison) -> None:
        c = self.colours
        has_mean = record.mean is not None
        for item in (self._mean, self._mean_band):
            item.setVisible(has_mean)
        if record.mean is not None and record.mean_low is not None and record.mean_high is not None:
            self._mean.setPos(record.mean)
            self._mean.setPen(pg.mkPen(c.accent, width=1.4, style=Qt.PenStyle.DashLine))
            self._mean_band.setRegion((record.mean_low, record.mean_high))
            self._mean_band.setBrush(faded(c.accent, 0.12))
            _no_edges(self._mean_band)
        self._meaning.setVisible(record.meaning is not None)
        if record.meaning is not None:
            low, high = record.meaning
            # Plain words mean one point, which would be invisible.
            self._meaning.setRegion((low, high) if high - low > 0.01 else (low - 0.005, high + 0.005))
            self._meaning.setBrush(QColor(c.luck))
            _no_edges(self._meaning)

    def _set_rows(self) -> None:
        record, metrics = self._record, QFontMetricsF(self.small())
        if record is None:
            return
        texts = [self._beside(m) for m in self._members]
        names = [metrics.elidedText(n, Qt.TextElideMode.ElideMiddle, 180) for n in self._names]
        self.main.getAxis("left").setTicks([list(enumerate(names))])
        self.main.getAxis("right").setTicks([list(enumerate(texts))])
        widest = max((metrics.horizontalAdvance(n) for n in names), default=0.0)
        self.main.getAxis("left").setWidth(int(widest) + 16)
        widest = max((metrics.horizontalAdvance(t) for t in texts), default=0.0)
        self.main.getAxis("right").setWidth(int(widest) + 16)

    def _beside(self, m: Member) -> str:
        if m.value is None:
            return translate("forest", "n = {n}, not enough data").format(n=whole(m.n))
        value = shown_interval(m.value, m.low, m.high, score=m.positives is None)
        return translate("forest", "{value}  n = {n}").format(value=value, n=whole(m.n))

    def _right_end(self) -> float:
        if self._record is None or not self._record.hedges:
            return 1.0
        ends = [v for m in self._members for v in (m.high, m.pooled_high, m.luck) if v is not None]
        return min(1.0, max([0.2, *ends]) * 1.05)

    def marks(self) -> list[tuple[tuple[float, float], str]]:
        """The radiologists, from the top."""
        return [((m.value or 0.0, float(i)), self.readout(i)) for i, m in enumerate(self._members)]

    def readout_at(self, point: QPointF) -> str:
        """The numbers of the row under the pointer."""
        row = round(point.y() - _POOLED_BELOW / 2)
        if self._record is None or not 0 <= row < len(self._members):
            return ""
        return self.readout(row)

    def readout(self, row: int) -> str:
        """The numbers of a row in one line."""
        m, name = self._members[row], self._names[row]
        score = m.positives is None
        if m.value is None:
            return translate("forest", "{name}: {n} hedged findings, not enough to tell").format(
                name=name, n=whole(m.n)
            )
        if score:
            text = translate("forest", "{name}: ECE* {value} from {n} hedged findings").format(
                name=name, value=shown_interval(m.value, m.low, m.high, score=True), n=whole(m.n)
            )
        else:
            text = translate("forest", "{name}: confirmed {positives} of {n}, {value}").format(
                name=name,
                positives=whole(m.positives or 0.0),
                n=whole(m.n),
                value=shown_interval(m.value, m.low, m.high, score=False),
            )
        parts = [text]
        if m.pooled is not None:
            parts.append(
                translate("forest", "seen together with all others {value}").format(
                    value=shown_interval(m.pooled, m.pooled_low, m.pooled_high, score=score)
                )
            )
        if m.luck is not None:
            parts.append(translate("forest", "luck alone {value}").format(value=shown(m.luck, score=True)))
        if self._record is not None and self._record.meaning is not None:
            meaning = percent_range(*self._record.meaning)
            parts.append(translate("forest", "readers take it as {range}").format(range=meaning))
        return " \u00b7 ".join(parts)


_TICK = "|"


def _no_edges(region: pg.LinearRegionItem) -> None:
    for line in region.lines:
        line.setPen(pg.mkPen(None))
        line.setHoverPen(pg.mkPen(None))


def _pairs(
    starts: list[tuple[float | None, float]], ends: list[tuple[float | None, float]]
) -> tuple[np.ndarray, np.ndarray]:
    """Lines from each start to its end, as x and y of pairs of points; those with an unknown end are left out."""
    points = [
        (x, y)
        for (a, ya), (b, yb) in zip(starts, ends, strict=True)
        if a is not None and b is not None
        for x, y in ((a, ya), (b, yb))
    ]
    return np.array([x for x, _ in points], dtype=float), np.array([y for _, y in points], dtype=float)
