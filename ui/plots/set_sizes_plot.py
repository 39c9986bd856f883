"""What smaller sets of words cost: a score over the number of words that may be used."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt

from ui.plots.chart import BESIDE, SHARES, Chart, value_ticks
from ui.theme import faded
from ui.words import decimal, decimal_interval, percent, rate, say, whole

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QSizeF
    from PySide6.QtWidgets import QWidget

    from ui.plots.records import SetSizes, SizePoint


class SetSizesPlot(Chart):
    """The sets of a SetSizes, one mark each: those chosen for the model, then those evenly spread."""

    usual_size = (640, 260)
    reach = 28.0
    label_places = BESIDE

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Size of the set of words"), parent)
        self._record: SetSizes | None = None

    def set_record(self, record: SetSizes | None) -> None:
        """Draw the record."""
        self._record = record
        self.redraw()
        self.start_over()

    @property
    def _points(self) -> tuple[SizePoint, ...]:
        return () if self._record is None else self._record.points

    def draw(self) -> None:
        record, c = self._record, self.colours
        if record is None or not record.points:
            return
        sizes = [p.size for p in record.points]
        values = [v for p in record.points for v in (p.value, p.high)] + [value for _, value in record.levels]
        top = 1.0 if record.is_share else min(1.0, 1.1 * max([0.05, *values]))
        low = 0.0
        if record.is_share:
            low = max(0.0, min([p.low for p in record.points] + [value for _, value in record.levels]) - 0.05)
        self.main.setXRange(min(sizes) - 0.5, max(sizes) + 0.5, padding=0)
        self.main.setYRange(low, top, padding=0.03)
        self.main.setLabel("left", record.score)
        self.main.setLabel("bottom", say("words that may be used"))
        self.main.getAxis("left").setTicks([SHARES if record.is_share else value_ticks(top, score=True)])
        self.main.getAxis("left").setWidth(64)
        self.main.getAxis("bottom").setTicks([[(s, whole(s)) for s in sorted(set(sizes))]])
        for _, value in record.levels:
            self.add(pg.InfiniteLine(value, 0, pen=pg.mkPen(c.neutral, width=1.2, style=Qt.PenStyle.DashLine)))
        best, even = (self._of(best=wanted) for wanted in (True, False))
        pen = pg.mkPen(faded(c.text, 0.5), width=1.2, style=Qt.PenStyle.DotLine)
        self.add(pg.PlotDataItem([p.size for p in even], [p.value for p in even], pen=pen, antialias=True))
        self.add_points([(p.size, p.value) for p in even], 8, "s", c.surface, c.text, 1.2)
        pen = pg.mkPen(c.accent, width=1.6)
        self.add(pg.PlotDataItem([p.size for p in best], [p.value for p in best], pen=pen, antialias=True))
        self.add_lines([(p.size, p.low, p.size, p.high) for p in best], c.accent, 1.4)
        self.add_points([(p.size, p.value) for p in best], 9, "o", c.accent, c.accent, 1)

    def _of(self, *, best: bool) -> list[SizePoint]:
        return [p for p in self._points if p.best == best]

    def place_labels(self) -> None:
        """Name the dashed levels at the right, and the two lines."""
        record = self._record
        if record is None or not record.points:
            return
        box = self.main.getViewBox()
        (left, _), _ = box.viewRange()

        def beside(y: float, size: QSizeF) -> NDArray[np.float64]:
            right = box.width() - size.width() - 4
            return np.array([(x, top) for x in (right, 8.0) for top in (y - size.height() - 1, y + 1)])

        texts = [
            (name, self.colours.muted, partial(beside, self.pixels(left, value).y())) for name, value in record.levels
        ]
        named = [(next(i for i, p in enumerate(self._points) if p.best), say("chosen for this model"), False)]
        evens = [i for i, p in enumerate(self._points) if not p.best]
        if evens:
            named.append((evens[0], say("evenly spread"), False))
        whiskers = [QRectF(self.pixels(p.size, p.high), self.pixels(p.size, p.low)) for p in self._points]
        self.label_marks(named, [whiskers], texts=texts)

    @property
    def count(self) -> int:
        return len(self._points)

    def place(self, number: int) -> tuple[float, float]:
        p = self._points[number]
        return float(p.size), p.value

    def readout(self, number: int) -> str:
        record = self._record
        if record is None:
            return ""
        p = self._points[number]
        value = (rate if record.is_share else decimal_interval)(p.value, p.low, p.high)
        which = say("chosen for this model") if p.best else say("evenly spread")
        words = ", ".join(p.words)
        return say(
            "{n} words, {which}: {score} {value} \u00b7 {words}",
            n=whole(p.size),
            which=which,
            score=record.score,
            value=value,
            words=words,
        )

    def summary(self) -> str:
        record = self._record
        if record is None:
            return ""
        levels = (f"{name} {percent(v) if record.is_share else decimal(v)}" for name, v in record.levels)
        return " \u00b7 ".join(levels)
