"""Each radiologist's value against how much they said, and the limits within which chance alone would put them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetricsF

from ui.plots.chart import Chart, value_ticks
from ui.plots.figures import place_in_words, shown, shown_interval, signed
from ui.theme import faded
from ui.words import translate, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.records.comparison import Comparison, Funnel, Member


_MOST_NAMES = 60
"""Beyond so many points, names would find no place; the pointer tells them."""

_Rectangle = tuple[float, float, float, float]
"""Left, top, width and height."""


class FunnelPlot(Chart):
    """Draws a Comparison whose funnel is known; without one, the points alone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("funnel", "Funnel plot"), parent)
        self._record: Comparison | None = None
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
        self._labels: list[pg.TextItem] = []
        # The outer limit is named above its line, the others below: they draw near each other.
        self._ends = [pg.TextItem(anchor=anchor) for anchor in ((1, 1), (1, 0), (1, 0))]
        for item in self._ends:
            self.main.addItem(item, ignoreBounds=True)
        self.main.getViewBox().sigResized.connect(self._place_labels)

    def sizeHint(self) -> QSize:
        return QSize(640, 250)

    def set_record(
        self, record: Comparison | None, members: tuple[Member, ...] = (), names: tuple[str, ...] = ()
    ) -> None:
        """Draw the record's ``members`` under ``names``."""
        told = [(m, name) for m, name in zip(members, names, strict=True) if m.value is not None]
        self._record = record
        self._members, self._names = tuple(m for m, _ in told), tuple(name for _, name in told)
        self.draw()
        self.choose_mark(-1)

    def draw(self) -> None:
        """Draw the record anew."""
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
        self._place_labels()

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

    @Slot()
    def _place_labels(self, *_: object) -> None:
        """Names beside their points where they meet nothing; the pointer tells those left out."""
        box = self.main.getViewBox()
        (x0, x1), (y0, y1) = box.viewRange()
        if box.width() < 10 or self._record is None:
            return
        sx, sy = box.width() / (x1 - x0), box.height() / (y1 - y0)
        metrics, font = QFontMetricsF(self.small()), self.small()
        at = [((m.n - x0) * sx, (y1 - self._height(m)) * sy) for m in self._members]
        taken = _Rectangles([(x - 6, y - 6, 12.0, 12.0) for x, y in at])
        lines = _Rectangles(self._lines(x0, y1, sx, sy))
        named = at[:_MOST_NAMES]
        while len(self._labels) < len(named):
            label = pg.TextItem(anchor=(0, 0))
            self.main.addItem(label, ignoreBounds=True)
            self._labels.append(label)
        for label, (x, y), name in zip(self._labels, named, self._names, strict=False):
            size = metrics.size(0, name)
            w, h = size.width() + 2, size.height()
            places = [
                (x + 9, y - h / 2, w, h),
                (x - 9 - w, y - h / 2, w, h),
                (x - w / 2, y - 8 - h, w, h),
                (x - w / 2, y + 8, w, h),
            ]
            # Clear of the lines if there is such a place, else across them.
            free = [p for p in places if _within(p, box.width(), box.height()) and not taken.meet(p)]
            place = next((p for p in free if not lines.meet(p)), free[0] if free else None)
            label.setVisible(place is not None)
            if place is not None:
                taken.add(place)
                label.setFont(font)
                label.setColor(self.colours.text)
                label.setText(name)
                # TextItem keeps a margin of about 4 px around its text.
                label.setPos(x0 + (place[0] - 4) / sx, y1 - (place[1] - 4) / sy)
        for label in self._labels[len(named) :]:
            label.hide()

    def _height(self, m: Member) -> float:
        """Where a radiologist stands: the rate, or ECE* beyond the department's with the same words."""
        height = m.beyond if m.positives is None else m.value
        return 0.0 if height is None else height

    def _lines(self, left: float, top: float, sx: float, sy: float) -> list[_Rectangle]:
        """Small rectangles along the limits and the mean, in pixels."""
        funnel = self._record.funnel if self._record else None
        if funnel is None:
            return []
        x = np.linspace(funnel.n[0], funnel.n[-1], 120)
        return [
            ((a - left) * sx - 4, (top - b) * sy - 1.5, 8.0, 3.0)
            for y in (funnel.low_95, funnel.high_95, funnel.low_998, funnel.high_998, funnel.centre)
            for a, b in zip(x.tolist(), np.interp(x, funnel.n, y).tolist(), strict=True)
        ]

    def marks(self) -> list[tuple[tuple[float, float], str]]:
        """The radiologists, by number of findings."""
        order = sorted(range(len(self._members)), key=lambda i: self._members[i].n)
        return [((self._members[i].n, self._height(self._members[i])), self.readout(i)) for i in order]

    def readout_at(self, point: QPointF) -> str:
        """The numbers of the radiologist under the pointer, else the limits at this n."""
        near = self.nearest(point, [(m.n, self._height(m)) for m in self._members])
        return self.readout(near) if near >= 0 else self.readout_of_limits(point.x())

    def readout(self, i: int) -> str:
        """The numbers of a radiologist in one line."""
        m, name = self._members[i], self._names[i]
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

    def readout_of_limits(self, n: float) -> str:
        """What chance gives at n, in one line."""
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


class _Rectangles:
    """Rectangles that others are not to meet; many of them, so all are looked at together."""

    def __init__(self, rectangles: list[_Rectangle]) -> None:
        self._edges = np.array([_edges(r) for r in rectangles], dtype=float).reshape(-1, 4)

    def add(self, rectangle: _Rectangle) -> None:
        self._edges = np.vstack((self._edges, _edges(rectangle)))

    def meet(self, rectangle: _Rectangle) -> bool:
        left, top, right, bottom = _edges(rectangle)
        e = self._edges
        return bool(((e[:, 0] < right) & (e[:, 2] > left) & (e[:, 1] < bottom) & (e[:, 3] > top)).any())


def _edges(rectangle: _Rectangle) -> _Rectangle:
    left, top, width, height = rectangle
    return left, top, left + width, top + height


def _within(rectangle: _Rectangle, width: float, height: float) -> bool:
    left, top, right, bottom = _edges(rectangle)
    return left >= 0 and top >= 0 and right <= width and bottom <= height


def _ends(funnel: Funnel | None) -> list[float]:
    return [] if funnel is None else [float(funnel.low_998.min()), float(funnel.high_998.max())]
