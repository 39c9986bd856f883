"""A value over months or quarters with its intervals, and before and after feedback."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLocale, QPointF, Qt

from ui.plots.chart import Chart, value_ticks
from ui.plots.figures import shown, shown_interval
from ui.theme import faded
from ui.words import translate, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.records.comparison import Period, Trend, Unit

_TICK_GAP = 12.0


class TrendPlot(Chart):
    """The periods of a Trend; one mark for each."""

    usual_size = (640, 250)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("trend", "Over time"), parent)
        self._record: Trend | None = None
        self._sides = [pg.PlotDataItem() for _ in range(2)]
        self._side_bands = [
            pg.FillBetweenItem(pg.PlotDataItem([0.0], [0.0]), pg.PlotDataItem([0.0], [0.0])) for _ in range(2)
        ]
        self._edges = [(pg.PlotDataItem(), pg.PlotDataItem()) for _ in range(2)]
        self._given = pg.InfiniteLine(angle=90, movable=False)
        self._given_text = pg.TextItem(anchor=(0, 0))
        self._line = pg.PlotDataItem(connect="finite", antialias=True)
        self._errors = pg.PlotDataItem(connect="pairs", antialias=True)
        self._luck = pg.ScatterPlotItem(pxMode=True)
        self._points = pg.ScatterPlotItem(pxMode=True)
        for item in (
            *self._side_bands, *self._sides, self._given, self._given_text, self._line, self._errors, self._luck,
            self._points,
        ):  # fmt: skip
            self.main.addItem(item, ignoreBounds=True)
        self._given.hide()

    def set_record(self, record: Trend | None) -> None:
        """Draw the record."""
        self._record = record
        self.draw()
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
        top = min(1.0, 1.08 * max([0.2, *highs])) if score else 1.0
        self.main.setYRange(0, top, padding=0.03)
        self.main.setLabel(
            "left", translate("trend", "ECE* of what was hedged") if score else translate("trend", "confirmed by CT")
        )
        self.main.getAxis("left").setTicks([value_ticks(top, score=score)])
        self.main.getAxis("left").setWidth(64)
        self.place_labels()
        self._line.setData(*_broken(record.periods))
        self._line.setPen(pg.mkPen(faded(c.text, 0.35), width=1.4))
        bars = [(x, p.low, p.high) for x, p in known if p.low is not None and p.high is not None]
        self._errors.setData(
            np.array([v for x, _, _ in bars for v in (x, x)], dtype=float),
            np.array([v for _, low, high in bars for v in (low, high)], dtype=float),
        )
        self._errors.setPen(pg.mkPen(c.text, width=1.6))
        self._points.setData([{"pos": (x, p.value), "size": 10, "brush": c.text, "pen": c.text} for x, p in known])
        tick = pg.mkPen(c.neutral, width=2)
        self._luck.setData(
            [{"pos": (x, p.luck), "size": 13, "symbol": "_", "pen": tick} for x, p in known if p.luck is not None]
        )
        self._draw_given(record, top)
        self._draw_sides(record)

    def _draw_given(self, record: Trend, top: float) -> None:
        c = self.colours
        self._given.setVisible(record.given is not None)
        self._given_text.setVisible(record.given is not None)
        if record.given is None:
            return
        self._given.setPos(_at(record.given))
        self._given.setPen(pg.mkPen(c.accent, width=1.6, style=Qt.PenStyle.DashLine))
        self._given_text.setText(translate("trend", "feedback given"))
        self._given_text.setFont(self.small())
        self._given_text.setColor(c.accent)
        (x0, x1), _ = self.main.getViewBox().viewRange()
        # Towards the side where there is more room.
        self._given_text.setAnchor((0, 0) if _at(record.given) < (x0 + x1) / 2 else (1, 0))
        self._given_text.setPos(_at(record.given), top * 1.03)

    def _draw_sides(self, record: Trend) -> None:
        c = self.colours
        none = np.zeros(0)
        for i, p in enumerate((record.before, record.after)):
            known = p is not None and p.value is not None and p.low is not None and p.high is not None
            x = np.array([_at(p.start), _at(p.end)]) if p is not None and known else none
            value, low, high = (
                np.full(2, v) if known and v is not None else none
                for v in ((p.value, p.low, p.high) if p is not None else (None, None, None))
            )
            self._sides[i].setData(x, value)
            self._sides[i].setPen(pg.mkPen(c.accent, width=2))
            for edge, y in zip(self._edges[i], (low, high), strict=True):
                edge.setData(x, y)
            self._side_bands[i].setVisible(known)
            if known:
                self._side_bands[i].setCurves(*self._edges[i])
            self._side_bands[i].setBrush(faded(c.accent, 0.13))

    def place_labels(self) -> None:
        """As many periods as fit are named below, each with its n."""
        if self._record is None or not self._record.periods:
            return
        metrics = self.metrics()
        box = self.main.getViewBox()
        (x0, x1), _ = box.viewRange()
        texts = [
            (
                _middle(p),
                translate("trend", "{period}\nn = {n}").format(
                    period=period_name(p.start, self._record.unit), n=whole(p.n)
                ),
            )
            for p in self._record.periods
        ]
        ticks: list[tuple[float, str]] = []
        reached = -1e9
        for x, text in texts:
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
        """The period that the day belongs to."""
        return next((i for i, p in enumerate(self._periods) if _at(p.start) <= point.x() < _at(p.end)), -1)

    def readout(self, number: int) -> str:
        if self._record is None:
            return ""
        p = self._periods[number]
        name, score = period_name(p.start, self._record.unit), self._record.phrase == ""
        if p.value is None:
            return translate("trend", "{period}: n = {n}, not enough data").format(period=name, n=whole(p.n))
        text = translate("trend", "{period}: {value}, n = {n}").format(
            period=name, value=shown_interval(p.value, p.low, p.high, score=score), n=whole(p.n)
        )
        if p.luck is None:
            return text
        luck = translate("trend", "luck alone {value}").format(value=shown(p.luck, score=True))
        return f"{text} \u00b7 {luck}"


def period_name(start: date, unit: Unit) -> str:
    """'Q2 2026' or 'May 2026', in the user's language."""
    if unit == "quarter":
        return translate("trend", "Q{quarter} {year}").format(quarter=(start.month + 2) // 3, year=start.year)
    month = QLocale().standaloneMonthName(start.month, QLocale.FormatType.ShortFormat)
    return f"{month} {start.year}"


def _at(day: date) -> float:
    """A day on the axis of time."""
    return float(day.toordinal())


def _middle(p: Period) -> float:
    return (_at(p.start) + _at(p.end)) / 2


def _broken(periods: tuple[Period, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The line through the values, broken where a period has none."""
    x = [_middle(p) for p in periods]
    y = [np.nan if p.value is None else p.value for p in periods]
    for i in range(len(periods) - 1, 0, -1):
        if periods[i].start > periods[i - 1].end + timedelta(days=1):
            x.insert(i, x[i])
            y.insert(i, np.nan)
    return np.array(x, dtype=float), np.array(y, dtype=float)
