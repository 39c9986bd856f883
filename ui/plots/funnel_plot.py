"""Funnel plot: each radiologist's share of reports against n, with the limits of chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt

from ui.plots.chart import Chart, share_ticks
from ui.plots.figures import shown_interval
from ui.theme import faded
from ui.words import percent, say, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from PySide6.QtWidgets import QWidget

    from radcal.reliability.comparison_records import Comparison, Funnel, Member


_MOST_NAMES = 60
"""Maximum number of labelled points; others are read by pointer and keyboard."""


class FunnelPlot(Chart):
    """The members of a Comparison by number of reports, one mark each, with the limits of chance if there are any.

    The axis of the shares ends near their values.  place: the position of a member in words
    """

    usual_size = (640, 250)

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        place: Callable[[Member], str],
    ) -> None:
        super().__init__(say("Funnel plot"), parent)
        self._rate = ""
        self._place_in_words = place
        self._record: Comparison | None = None
        self._members: tuple[Member, ...] = ()
        self._names: tuple[str, ...] = ()

    def show_rate(self, rate: str) -> None:
        """What the axis of the next record shows."""
        self._rate = rate

    def set_record(
        self, record: Comparison | None, members: tuple[Member, ...] = (), names: tuple[str, ...] = ()
    ) -> None:
        """Draw the record's ``members`` under ``names``."""
        known = [(m, name) for m, name in zip(members, names, strict=True) if m.value is not None]
        known.sort(key=lambda one: one[0].n)
        self._record = record
        self._members, self._names = tuple(m for m, _ in known), tuple(name for _, name in known)
        self.redraw()
        self.start_over()

    def draw(self) -> None:
        record, c = self._record, self.colours
        if record is None:
            return
        funnel = record.funnel
        most_n = max([1.0, *(m.n for m in self._members), *(funnel.n.tolist() if funnel else ())])
        self.main.setXRange(0, most_n, padding=0.02)
        self.main.setLabel("left", self._rate)
        self.main.setLabel("bottom", say("reports (n)"))
        most = min(1.0, 1.25 * max([0.04, *(m.value or 0.0 for m in self._members)]))
        ticks = share_ticks(most)
        self.main.setYRange(0.0, most, padding=0.05)
        self.main.getAxis("left").setTicks([ticks])
        self.main.getAxis("left").setWidth(64)
        if funnel is not None:
            self._add_limits(funnel)
        self.add_points(map(self.place, range(self.count)), 10, "o", c.text, c.surface, 1)

    def _add_limits(self, funnel: Funnel) -> None:
        """Control limits, labelled at the right, and mean."""
        c, solid, dashed = self.colours, Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine
        for low, high, share, style in (
            (funnel.low_998, funnel.high_998, 0.08, solid),
            (funnel.low_95, funnel.high_95, 0.14, dashed),
        ):
            pen = pg.mkPen(c.neutral, width=1.2, style=style)
            edges = [self.add(pg.PlotDataItem(funnel.n, y, antialias=True, pen=pen)) for y in (low, high)]
            self.add(pg.FillBetweenItem(*edges, brush=faded(c.neutral, share)), -20)
        pen = pg.mkPen(c.accent, width=1.4, style=Qt.PenStyle.DashDotLine)
        self.add(pg.PlotDataItem(funnel.n, funnel.centre, antialias=True, pen=pen))
        # The outer limit is labelled above its line, the inner one below: the lines converge.
        for text, y, anchor in (
            (say("99.8 %"), funnel.high_998, (1, 1)),
            (say("95 %"), funnel.high_95, (1, 0)),
        ):
            self.add_text(text, float(funnel.n[-1]), float(y[-1]), anchor, c.muted)

    def place_labels(self) -> None:
        """Names beside their points, largest n first; clear of the lines if possible.  Then that of the mean."""
        if self._record is not None:
            named = range(self.count)[::-1][:_MOST_NAMES]
            mean = (say("all together"), self.colours.muted, self._along_mean)
            self.label_marks([(i, self._names[i], False) for i in named], [self._lines()], texts=[mean])

    def _along_mean(self, size: QSizeF) -> NDArray[np.float64]:
        """Places for a text of this size under and over the line of the mean, from the right."""
        funnel = self._record.funnel if self._record else None
        if funnel is None:
            return np.empty((0, 2))
        across = np.linspace(funnel.n[-1], funnel.n[0], 16)
        line = [self.pixels(float(n), float(np.interp(n, funnel.n, funnel.centre))) for n in across]
        below_and_above = (4.0, -4.0 - size.height())
        return np.array([(at.x() - size.width(), at.y() + y) for at in line for y in below_and_above])

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
        return self._members[number].n, self._members[number].value or 0.0

    def readout(self, number: int) -> str:
        m, name = self._members[number], self._names[number]
        value = shown_interval(m.value or 0.0, m.low, m.high, score=False)
        parts = [say("{name}: {value}, n = {n}", name=name, value=value, n=whole(m.n))]
        if (o := m.others) is not None:
            value = shown_interval(o.value, o.low, o.high, score=False)
            parts.append(say("all others: {value}, n = {n}", value=value, n=whole(o.n)))
        if m.place:
            parts.append(self._place_in_words(m))
        return " \u00b7 ".join(parts)

    def readout_near(self, point: QPointF) -> str:
        """The control limits at this n."""
        n = point.x()
        funnel = self._record.funnel if self._record else None
        if funnel is None or not funnel.n[0] <= n <= funnel.n[-1]:
            return ""
        limits = (funnel.low_95, funnel.high_95, funnel.low_998, funnel.high_998)
        at_n = [float(np.interp(n, funnel.n, y)) for y in limits]
        low, high, lowest, highest = map(percent, at_n)
        return say(
            "At n = {n}, chance alone gives {low} to {high} in 95 of 100, {lowest} to {highest} in 998 of 1,000",
            n=whole(round(n)),
            low=low,
            high=high,
            lowest=lowest,
            highest=highest,
        )
