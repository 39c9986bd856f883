"""Calibration against information retained, one point per price of information; the current one is ringed.

Draws a Frontier, computes nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal

from ui.plots.chart import Chart
from ui.theme import faded
from ui.words import decimal, decimal_interval, percent, say

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.records import Frontier, FrontierPoint

_SAME = 5e-4
"""Points closer than this in both coordinates coincide."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """Coinciding points: values of the price with the same result."""

    points: tuple[FrontierPoint, ...]
    kept: float
    error: float


class FrontierPlot(Chart):
    """A Frontier; its distinct points are the marks, by increasing information retained.

    chosen: a value of the price, by click or Enter
    """

    chosen = Signal(object)
    opens = True
    usual_size = (560, 380)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Calibration error against information kept"), parent)
        self._record: Frontier | None = None
        self._spots: list[_Spot] = []
        self.ci.layout.setContentsMargins(4, 8, 12, 4)
        plot = self.main
        plot.setLabel("left", say("ECE on findings kept aside"))
        plot.setLabel("bottom", say("information about the outcome that the words keep"))

    # --- drawing -----------------------------------------------------------------------------------

    def set_record(self, record: Frontier | None) -> None:
        """Draw the frontier; points without retained information are omitted."""
        self._record = record
        self._spots = _together(record) if record else []
        self.redraw()
        self.start_over(next((i for i, s in enumerate(self._spots) if self._is_now(s)), 0))

    def draw(self) -> None:
        record, c = self._record, self.colours
        if record is None or not self._spots:
            self.label_marks(())
            return
        before = record.points[0].error.before
        errors = [(s.kept, s.points[0].error) for s in self._spots]
        left = max(0.0, min(self._spots[0].kept - 0.03, 0.95))
        self.main.setXRange(left, 1.0 + (1 - left) * 0.06, padding=0)
        top = max(before, *(e.after_high for _, e in errors)) * 1.12
        self.main.getAxis("bottom").setTicks([[(t, percent(t)) for t in _ticks(left, 1.0)]])
        self.main.getAxis("left").setTicks([[(t, decimal(t)) for t in _ticks(0.0, top)]])
        self.main.setYRange(0, top, padding=0)
        pen = pg.mkPen(c.neutral, width=1.2, style=Qt.PenStyle.DashLine)
        self.add(pg.InfiniteLine(before, angle=0, movable=False, pen=pen))
        self.add_lines([(x, e.after_low, x, e.after_high) for x, e in errors], faded(c.text, 0.5), 1)
        places = [self.place(i) for i in range(self.count)]
        self.add(pg.PlotDataItem(*np.transpose(places), antialias=True, pen=pg.mkPen(c.curve, width=2)))
        now = [self._is_now(s) for s in self._spots]
        self.add_points(
            [p for p, is_now in zip(places, now, strict=True) if not is_now], 10, "o", c.surface, c.text, 1.5
        )
        self.add_points([p for p, is_now in zip(places, now, strict=True) if is_now], 15, "d", c.curve, c.text, 1.5)
        text = say("as the words are used now: {ece}", ece=decimal(before))
        self.add_text(text, left, before, (0, 1), c.muted)
        self.place_labels()

    def place_labels(self) -> None:
        """Label each mark with its prices, clear of the curve if possible."""
        if not self._spots:
            return
        kept, error = [s.kept for s in self._spots], [s.error for s in self._spots]
        x = np.linspace(kept[0], kept[-1], 120)
        order = sorted(range(self.count), key=lambda i: not self._is_now(self._spots[i]))
        self.label_marks(
            [(i, self._prices(self._spots[i]), False) for i in order], [self.along(x, np.interp(x, kept, error))]
        )

    def _is_now(self, spot: _Spot) -> bool:
        return self._record is not None and any(p.value == self._record.now for p in spot.points)

    def _prices(self, spot: _Spot) -> str:
        values = sorted(p.value for p in spot.points)
        text = number(values[0]) if len(values) == 1 else f"{number(values[0])}\u2013{number(values[-1])}"
        if self._record is not None and self._record.now in values:
            if len(values) == 1:
                return say("{price} (now)", price=text)
            return say("{price} (now {now})", price=text, now=number(self._record.now))
        return text

    # --- marks -------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return len(self._spots)

    def place(self, number: int) -> tuple[float, float]:
        return self._spots[number].kept, self._spots[number].error

    def open_mark(self, number: int) -> None:
        spot = self._spots[number]
        if not self._is_now(spot):
            self.chosen.emit(min(p.value for p in spot.points))

    def readout(self, number: int) -> str:
        s = self._spots[number]
        error = s.points[0].error
        return say(
            "Price {price}: ECE {ece} on {halves} halves kept aside, {kept} of the information kept,"
            " {words} words in use",
            price=self._prices(s),
            ece=decimal_interval(error.after, error.after_low, error.after_high),
            halves=error.halves,
            kept=percent(s.kept),
            words=f"{s.points[0].words:.1f}",
        )


def number(value: float) -> str:
    """A price in short form: '0', '0.02', '10'."""
    return f"{value:.3g}"


def _ticks(low: float, high: float) -> list[float]:
    """Four to eight round numbers from low to high."""
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0) if (high - low) / s <= 7)
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 6) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def _together(record: Frontier) -> list[_Spot]:
    """The distinct points, by increasing information retained."""
    spots: list[_Spot] = []
    for p in record.points:
        if p.kept is None:
            continue
        for i, s in enumerate(spots):
            if abs(s.kept - p.kept) < _SAME and abs(s.error - p.error.after) < _SAME:
                spots[i] = _Spot((*s.points, p), s.kept, s.error)
                break
        else:
            spots.append(_Spot((p,), p.kept, p.error.after))
    return sorted(spots, key=lambda s: (s.kept, -s.error))
