"""A value over months or quarters with its intervals, and before and after feedback."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLocale, QPointF, Qt

from ui.plots.chart import SHARES, Chart, point_ticks, share_ticks
from ui.plots.figures import shown, shown_interval
from ui.theme import faded
from ui.words import say, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.calibration.comparison_records import Period, Trend
    from radcal.calibration.days import Unit

_TICK_GAP = 12.0


class TrendPlot(Chart):
    """The periods of a Trend, one mark each.

    rate: what a rate is the rate of
    """

    usual_size = (640, 250)

    def __init__(self, parent: QWidget | None = None, *, rate: str = "") -> None:
        super().__init__(say("Over time"), parent)
        self.show_rate(rate)
        self._record: Trend | None = None

    def show_rate(self, rate: str = "", *, fitted: bool = False) -> None:
        """What the axis shows of the next record, '' for the rate of a word; ``fitted``: it ends near the values."""
        self._rate, self._fitted = rate or say("confirmed by CT"), fitted

    def set_record(self, record: Trend | None) -> None:
        """Draw the record."""
        self._record = record
        self.redraw()
        self.start_over()

    @property
    def _periods(self) -> tuple[Period, ...]:
        return self._record.periods if self._record else ()

    def draw(self) -> None:
        record, c = self._record, self.colours
        if record is None:
            return
        known, score = [(_middle(p), p) for p in record.periods if p.value is not None], record.phrase == ""
        ends = [_at(day) for p in record.periods for day in (p.start, p.end)]
        if record.given is not None:
            ends.append(_at(record.given))
        self.main.setXRange(min(ends, default=0.0), max(ends, default=1.0), padding=0.02)
        highs = [p.high or p.value or 0.0 for _, p in known]
        highs += [p.high for p in (record.before, record.after) if p is not None and p.high is not None]
        fitted = score or self._fitted
        top = min(1.0, 1.08 * max([0.2 if score else 0.04, *highs])) if fitted else 1.0
        self.main.setYRange(0, top, padding=0.03)
        self.main.setLabel("left", say("missed their meaning by (points)") if score else self._rate)
        self.main.getAxis("left").setTicks(
            [point_ticks(top) if score else share_ticks(top) if self._fitted else SHARES]
        )
        self.main.getAxis("left").setWidth(64)
        for p in (record.before, record.after):
            if p is not None:
                self._add_side(p)
        if record.given is not None:
            self._add_given(_at(record.given), top)
        pen = pg.mkPen(faded(c.text, 0.35), width=1.4)
        self.add(pg.PlotDataItem(*_broken(record.periods), connect="finite", antialias=True, pen=pen))
        self.add_lines([(x, p.low, x, p.high) for x, p in known], c.text, 1.6)
        self.add_points([(x, p.luck) for x, p in known], 13, "_", c.neutral, c.neutral, 2)
        self.add_points([(x, p.value) for x, p in known], 10, "o", c.text, c.text, 1)

    def _add_given(self, x: float, top: float) -> None:
        """The date of feedback, labelled on the side with more space."""
        pen = pg.mkPen(self.colours.accent, width=1.6, style=Qt.PenStyle.DashLine)
        self.add(pg.InfiniteLine(x, angle=90, movable=False, pen=pen))
        (x0, x1), _ = self.main.getViewBox().viewRange()
        anchor = (0, 0) if x < (x0 + x1) / 2 else (1, 0)
        self.add_text(say("feedback given"), x, top * 1.03, anchor, self.colours.accent)

    def _add_side(self, p: Period) -> None:
        """The value before or after feedback, with its interval."""
        if p.value is None or p.low is None or p.high is None:
            return
        x, accent = [_at(p.start), _at(p.end)], self.colours.accent
        edges = [pg.PlotDataItem(x, [y, y]) for y in (p.low, p.high)]
        self.add(pg.FillBetweenItem(*edges, brush=faded(accent, 0.13)))
        self.add(pg.PlotDataItem(x, [p.value, p.value], pen=pg.mkPen(accent, width=2)))

    def place_labels(self) -> None:
        """Label as many periods as fit below the axis, each with its n."""
        if self._record is None or not self._record.periods:
            return
        metrics, box = self.metrics(), self.main.getViewBox()
        (x0, x1), _ = box.viewRange()
        ticks: list[tuple[float, str]] = []
        reached = -1e9
        for p in self._record.periods:
            x = _middle(p)
            text = say("{period}\nn = {n}", period=period_name(p.start, self._record.unit), n=whole(p.n))
            middle = (x - x0) / (x1 - x0) * box.width()
            half = max(metrics.horizontalAdvance(line) for line in text.split("\n")) / 2
            if middle - half > reached + _TICK_GAP:
                ticks.append((x, text))
                reached = middle + half
        axis = self.main.getAxis("bottom")
        axis.setTicks([ticks])
        axis.setStyle(hideOverlappingLabels=False)
        axis.setHeight(int(2 * metrics.height() + 14))

    @property
    def count(self) -> int:
        return len(self._periods)

    def place(self, number: int) -> tuple[float, float]:
        p = self._periods[number]
        return _middle(p), p.value or 0.0

    def mark_near(self, point: QPointF) -> int:
        """The period that contains the day."""
        return next((i for i, p in enumerate(self._periods) if _at(p.start) <= point.x() < _at(p.end)), -1)

    def readout(self, number: int) -> str:
        if self._record is None:
            return ""
        p = self._periods[number]
        name, score = period_name(p.start, self._record.unit), self._record.phrase == ""
        if p.value is None:
            return say("{period}: n = {n}, not enough data", period=name, n=whole(p.n))
        value = shown_interval(p.value, p.low, p.high, score=score)
        parts = [say("{period}: {value}, n = {n}", period=name, value=value, n=whole(p.n))]
        if p.luck is not None:
            parts.append(say("chance alone gives {value}", value=shown(p.luck, score=True)))
        return " \u00b7 ".join(parts)


def period_name(start: date, unit: Unit) -> str:
    """'Q2 2026' or 'May 2026', in the user's language."""
    if unit == "quarter":
        return say("Q{quarter} {year}", quarter=(start.month + 2) // 3, year=start.year)
    month = QLocale().standaloneMonthName(start.month, QLocale.FormatType.ShortFormat)
    return f"{month} {start.year}"


def _at(day: date) -> float:
    """A day as an axis value."""
    return float(day.toordinal())


def _middle(p: Period) -> float:
    return (_at(p.start) + _at(p.end)) / 2


def _broken(periods: tuple[Period, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The line through the values, broken at periods without one."""
    x = [_middle(p) for p in periods]
    y = [np.nan if p.value is None else p.value for p in periods]
    for i in range(len(periods) - 1, 0, -1):
        if periods[i].start > periods[i - 1].end + timedelta(days=1):
            x.insert(i, x[i])
            y.insert(i, np.nan)
    return np.array(x, dtype=float), np.array(y, dtype=float)
