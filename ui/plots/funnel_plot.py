"""Each radiologist's value against how much they said, and the limits within which chance alone would put them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt

from ui.plots.chart import Chart, value_ticks
from ui.plots.figures import place_in_words, shown, shown_interval, signed
from ui.theme import faded
from ui.words import translate, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.records.comparison import Compared, Funnel, Member


_MOST_NAMES = 60
"""Beyond so many points, names would find no place; they are read by pointer and keyboard."""


class FunnelPlot(Chart):
    """The members of a Compared by number of findings, one mark for each, and its funnel where there is one."""

    usual_size = (640, 250)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("funnel", "Funnel plot"), parent)
        self._record: Compared | None = None
        self._members: tuple[Member, ...] = ()
        self._names: tuple[str, ...] = ()
        self._outer = pg.FillBetweenItem(pg.PlotDataItem(), pg.PlotDataItem())
        self._inner = pg.FillBetweenItem(pg.PlotDataItem(), pg.PlotDataItem())
        for depth, item in ((-30, self._outer), (-20, self._inner)):
            item.setZValue(depth)
            self.main.addItem(item, ignoreBounds=True)
        self._edges = [pg.PlotDataItem(antialias=True) for _ in range(4)]
        self._centre = pg.PlotDataItem(antialias=True)
        self._points = pg.ScatterPlotItem(pxMode=True)
        for item in (*self._edges, self._centre, self._points):
            self.main.addItem(item, ignoreBounds=True)
        # The outer limit is named above its line, the others below: they draw near each other.
        self._ends = [pg.TextItem(anchor=anchor) for anchor in ((1, 1), (1, 0), (1, 0))]
        for item in self._ends:
            self.main.addItem(item, ignoreBounds=True)

    def set_record(
        self, record: Compared | None, members: tuple[Member, ...] = (), names: tuple[str, ...] = ()
    ) -> None:
        """Draw the record's ``members`` under ``names``."""
        known = [(m, name) for m, name in zip(members, names, strict=True) if m.value is not None]
        known.sort(key=lambda one: one[0].n)
        self._record = record
        self._members, self._names = tuple(m for m, _ in known), tuple(name for _, name in known)
        self.draw()
        self.start_over()

    def draw(self) -> None:
        record, c = self._record, self.colours
        if record is None:
            return
        score, funnel = record.hedges, record.funnel
        most_n = max([1.0, *(m.n for m in self._members), *(funnel.n.tolist() if funnel else ())])
        self.main.setXRange(0, most_n, padding=0.02)
        self.main.setLabel(
            "left",
            translate("funnel", "ECE* beyond the department\u2019s")
            if score
            else translate("funnel", "confirmed by CT"),
        )
        self.main.setLabel(
            "bottom",
            translate("funnel", "hedged findings (n)") if score else translate("funnel", "findings in this phrase (n)"),
        )
        least, most, ticks = 0.0, 1.0, value_ticks(1.0, score=False)
        if score:
            values = [*map(self._height, self._members), *_ends(funnel)]
            least, most = min([-0.05, *values]), max([0.05, *values])
            ticks = [(s * t, signed(s * t)) for s in (-1, 1) for t, _ in value_ticks(max(most, -least), score=True)]
        self.main.setYRange(least, most, padding=0.05)
        self.main.getAxis("left").setTicks([ticks])
        self.main.getAxis("left").setWidth(64)
        self._draw_limits(funnel)
        self._points.setData(
            [
                {"pos": (m.n, self._height(m)), "size": 10, "brush": c.text, "pen": pg.mkPen(c.surface, width=1)}
                for m in self._members
            ]
        )
        self.place_labels()

    def _draw_limits(self, funnel: Funnel | None) -> None:
        c = self.colours
        none = np.zeros(0)
        x = funnel.n if funnel else none
        curves = (funnel.low_95, funnel.high_95, funnel.low_998, funnel.high_998) if funnel else (none,) * 4
        styles = (Qt.PenStyle.DashLine, Qt.PenStyle.DashLine, Qt.PenStyle.SolidLine, Qt.PenStyle.SolidLine)
        for item, y, style in zip(self._edges, curves, styles, strict=True):
            item.setData(x, y)
            item.setPen(pg.mkPen(c.neutral, width=1.2, style=style))
        self._centre.setData(x, funnel.centre if funnel else none)
        self._centre.setPen(pg.mkPen(c.accent, width=1.4, style=Qt.PenStyle.DashDotLine))
        self._inner.setCurves(self._edges[0], self._edges[1])
        self._outer.setCurves(self._edges[2], self._edges[3])
        self._inner.setBrush(faded(c.neutral, 0.14))
        self._outer.setBrush(faded(c.neutral, 0.08))
        texts = (translate("funnel", "99.8 %"), translate("funnel", "95 %"), translate("funnel", "all together"))
        for item, text in zip(self._ends, texts, strict=True):
            item.setFont(self.small())
            item.setColor(c.muted)
            item.setText(text)
            item.setVisible(funnel is not None)
        if funnel is not None:
            for item, y in zip(self._ends, (funnel.high_998, funnel.high_95, funnel.centre), strict=True):
                item.setPos(float(x[-1]), float(y[-1]))

    def place_labels(self) -> None:
        """Names beside their points, those who said most first; clear of the lines where there is room, else across."""
        if self._record is not None:
            named = range(self.count)[::-1][:_MOST_NAMES]
            self.label_marks([(i, self._names[i], False) for i in named], [self._lines()])

    def _height(self, m: Member) -> float:
        """Where a radiologist stands: the rate, or ECE* beyond the department's with the same words."""
        height = m.beyond if m.positives is None else m.value
        return 0.0 if height is None else height

    def _lines(self) -> list[QRectF]:
        """Small rectangles along the limits and the mean, in pixels."""
        funnel = self._record.funnel if self._record else None
        if funnel is None:
            return []
        x = np.linspace(funnel.n[0], funnel.n[-1], 120)
        curves = (funnel.low_95, funnel.high_95, funnel.low_998, funnel.high_998, funnel.centre)
        return [box for y in curves for box in self.along(x, np.interp(x, funnel.n, y))]

    @property
    def count(self) -> int:
        return len(self._members)

    def place(self, number: int) -> tuple[float, float]:
        return self._members[number].n, self._height(self._members[number])

    def readout(self, number: int) -> str:
        m, name = self._members[number], self._names[number]
        score = m.positives is None
        value = shown_interval(m.value or 0.0, m.low, m.high, score=score)
        found = translate("funnel", "{name}: {value}, n = {n}").format(name=name, value=value, n=whole(m.n))
        parts = [found]
        if m.others is not None:
            o = m.others
            text = translate("funnel", "all others: {value}, n = {n}")
            parts.append(text.format(value=shown_interval(o.value, o.low, o.high, score=False), n=whole(o.n)))
        if m.beyond is not None:
            text = translate("funnel", "{beyond} beyond what the same words come to in the department")
            parts.append(text.format(beyond=signed(m.beyond)))
        if m.place:
            parts.append(place_in_words(m))
        return " \u00b7 ".join(parts)

    def readout_near(self, point: QPointF) -> str:
        """What chance gives at this n."""
        n = point.x()
        funnel = self._record.funnel if self._record else None
        if funnel is None or self._record is None or not funnel.n[0] <= n <= funnel.n[-1]:
            return ""
        score = self._record.hedges
        ends = [
            signed(float(np.interp(n, funnel.n, y))) if score else shown(float(np.interp(n, funnel.n, y)), score=False)
            for y in (funnel.low_95, funnel.high_95, funnel.low_998, funnel.high_998)
        ]
        return translate(
            "funnel",
            "At n = {n}, chance alone gives {low} to {high} in 95 of 100, {lowest} to {highest} in 998 of 1,000",
        ).format(n=whole(round(n)), low=ends[0], high=ends[1], lowest=ends[2], highest=ends[3])


def _ends(funnel: Funnel | None) -> list[float]:
    return [] if funnel is None else [float(funnel.low_998.min()), float(funnel.high_998.max())]
