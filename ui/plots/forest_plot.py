"""Forest plot: each radiologist's estimate with its interval, what luck alone gives, and which side means what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor

from ui.language import spoken
from ui.plots.chart import SHARES, Chart, Places, point_ticks
from ui.plots.figures import shown, shown_interval
from ui.theme import faded
from ui.words import percent_range, say, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.calibration.comparison_records import Comparison, Member

ROW = 26
"""Row height in pixels."""
_FRAME = 98
_HEAD = 1.4
"""Rows above the middle of the first one: for what the sides mean."""
_BELOW_FRAME = 3.0


class ForestPlot(Chart):
    """The members of a Comparison, one mark each, in the order and under the names given."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Radiologists beside each other"), parent)
        self._record: Comparison | None = None
        self._members: tuple[Member, ...] = ()
        self._names: tuple[str, ...] = ()
        self.main.invertY(True)
        self.main.getAxis("right").setStyle(showValues=True, tickLength=0)
        self.main.getAxis("left").setStyle(tickLength=0)
        self.main.getAxis("bottom").setStyle(hideOverlappingLabels=False)

    def sizeHint(self) -> QSize:
        return QSize(640, _FRAME + ROW * max(len(self._members), 3))

    def set_record(
        self,
        record: Comparison | None,
        members: tuple[Member, ...] = (),
        names: tuple[str, ...] = (),
    ) -> None:
        """Draw a record's ``members`` under ``names``, the first at the top."""
        self._record, self._members, self._names = record, members, names
        # Rows have a fixed height; with many of them the page scrolls.
        self.setMinimumHeight(_FRAME + ROW * len(members))
        self.updateGeometry()
        self.redraw()
        self.start_over()

    def draw(self) -> None:
        record, c = self._record, self.colours
        if record is None:
            return
        score, rows = record.hedges, len(self._members)
        known = [(i, m) for i, m in enumerate(self._members) if m.value is not None]
        top = self._right_end()
        self.main.setXRange(0, top, padding=0.03)
        self.main.setYRange(-_HEAD, max(rows, 1) - 0.3, padding=0)
        self.main.setLabel("bottom", say("missed their meaning by (points)") if score else say("confirmed by CT"))
        self.main.getAxis("bottom").setTicks([point_ticks(top) if score else SHARES])
        self._set_rows()
        self._add_means(record)
        self._add_luck([(i, m.luck_high) for i, m in known if m.luck_high is not None])
        self.add_lines([(0.0, i, top, i) for i in range(rows)], faded(c.line, 0.6), 1)
        self.add_lines([(m.low, i, m.high, i) for i, m in known], c.text, 1.6)
        self.add_points([(m.value, i) for i, m in known], 10, "o", c.text, c.text, 1)

    def place_labels(self) -> None:
        """What the two sides of the picture mean, above the rows."""
        if self._record is None:
            return
        left, right = (0.0, -_HEAD), (self._right_end(), -_HEAD)
        sides = []
        if self._record.hedges:
            sides.append((say("\u2190 better: closer to what the words mean"), self._from(left)))
        elif self._record.meaning is not None:
            sides.append((say("\u2190 less than the word says"), self._from(left)))
            sides.append((say("more than the word says \u2192"), self._up_to(right)))
        self.label_marks((), texts=[(text, self.colours.muted, places) for text, places in sides])

    def _from(self, place: tuple[float, float]) -> Places:
        at = self.pixels(*place)
        return lambda _size: np.array([[at.x(), at.y() + _BELOW_FRAME]])

    def _up_to(self, place: tuple[float, float]) -> Places:
        at = self.pixels(*place)
        return lambda size: np.array([[at.x() - size.width(), at.y() + _BELOW_FRAME]])

    def _add_luck(self, ends: list[tuple[int, float]]) -> None:
        """What luck alone gives a perfectly calibrated reader of the same words in 95 of 100 cases, from zero."""
        rows = [i for i, _ in ends]
        bars = pg.BarGraphItem(
            x0=0, y=rows, width=[end for _, end in ends], height=0.7, pen=None, brush=self.colours.luck
        )
        if ends:
            self.add(bars, -25)

    def _add_means(self, record: Comparison) -> None:
        """The range that readers take the phrase for, the rate of all together, and the range of the true rates."""
        c = self.colours
        if record.meaning is not None:
            low, high = record.meaning
            # Plain statements mean a single point, which would be invisible.
            self._add_span(*((low, high) if high - low > 0.01 else (low - 0.005, high + 0.005)), QColor(c.luck), -30)
        if record.together is not None and record.spread is not None:
            self._add_span(*record.spread, faded(c.accent, 0.12), -20)
            pen = pg.mkPen(c.accent, width=1.4, style=Qt.PenStyle.DashLine)
            self.add(pg.InfiniteLine(record.together.value, angle=90, movable=False, pen=pen), -10)

    def _add_span(self, low: float, high: float, brush: QColor, depth: int) -> None:
        none = pg.mkPen(None)
        self.add(pg.LinearRegionItem((low, high), movable=False, brush=brush, pen=none, hoverPen=none), depth)

    def _set_rows(self) -> None:
        metrics = self.metrics()
        names = [metrics.elidedText(n, Qt.TextElideMode.ElideMiddle, 180) for n in self._names]
        for side, texts in (("left", names), ("right", [self._beside(m) for m in self._members])):
            axis = self.main.getAxis(side)
            axis.setTicks([list(enumerate(texts))])
            axis.setWidth(int(max(map(metrics.horizontalAdvance, texts), default=0.0)) + 16)

    def _beside(self, m: Member) -> str:
        if m.value is None:
            return say("n = {n}, not enough data", n=whole(m.n))
        value = shown_interval(m.value, m.low, m.high, score=m.positives is None)
        return say("{value}  n = {n}", value=value, n=whole(m.n))

    def _right_end(self) -> float:
        if self._record is None or not self._record.hedges:
            return 1.0
        ends = [v for m in self._members for v in (m.high, m.luck_high) if v is not None]
        return min(1.0, max([0.2, *ends]) * 1.05)

    @property
    def count(self) -> int:
        return len(self._members)

    def place(self, number: int) -> tuple[float, float]:
        return self._members[number].value or 0.0, float(number)

    def mark_near(self, point: QPointF) -> int:
        """The radiologist in this row."""
        row = round(point.y())
        return row if self._record is not None and 0 <= row < len(self._members) else -1

    def readout(self, number: int) -> str:
        m, name = self._members[number], self._names[number]
        score = m.positives is None
        if m.value is None:
            return say("{name}: {n} hedged findings, not enough to tell", name=name, n=whole(m.n))
        value, n = shown_interval(m.value, m.low, m.high, score=score), whole(m.n)
        if score:
            parts = [say("{name}: {n} hedged findings missed their meaning by {value}", name=name, value=value, n=n)]
        else:
            count = spoken().out_of(m.positives or 0.0, m.n)
            parts = [say("{name}: confirmed {count}, {value}", name=name, count=count, value=value)]
        if m.luck_high is not None:
            parts.append(say("chance alone gives up to {high}", high=shown(m.luck_high, score=True)))
        if self._record is not None and self._record.meaning is not None:
            meaning = percent_range(*self._record.meaning)
            parts.append(say("readers take it as {range}", range=meaning))
        return " \u00b7 ".join(parts)
