"""Calibration against information kept, one point for each price of information; the present one is ringed.

Draws a Frontier, computes nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPen

from ui.theme import LIGHT, SMALL, Colours, faded, sized
from ui.words import decimal, decimal_interval, percent, translate

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from radcal.records import Frontier, FrontierPoint

_SAME = 5e-4
"""Points closer than this in both directions are one."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """Points that lie in one place: values of the setting that lead to the same."""

    points: tuple[FrontierPoint, ...]
    kept: float
    error: float


class FrontierPlot(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph ships no types
    """Made once and fed with records.

    hovered: a line of numbers, '' for none;  chosen: a value of the setting, by click or Enter
    """

    hovered = Signal(object)
    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: Frontier | None = None
        self._spots: list[_Spot] = []
        self._at = -1
        self._colours: Colours = LIGHT
        self.setAccessibleName(translate("frontier", "Calibration error against information kept"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.ci.layout.setContentsMargins(4, 8, 12, 4)
        plot = self.main = self.addPlot(enableMenu=False)
        plot.setMouseEnabled(x=False, y=False)
        plot.hideButtons()
        plot.disableAutoRange()
        plot.setLabel("left", translate("frontier", "ECE on findings kept aside"))
        plot.setLabel("bottom", translate("frontier", "information about the outcome that the words keep"))
        plot.getAxis("left").enableAutoSIPrefix(False)
        for side in ("top", "right"):
            plot.showAxis(side)
            plot.getAxis(side).setStyle(showValues=False)
            plot.getAxis(side).setTicks([[]])
        self._before = pg.InfiniteLine(angle=0, movable=False)
        self._before_label = pg.TextItem(anchor=(0, 1))
        self._errors = pg.ErrorBarItem(x=np.zeros(0), y=np.zeros(0), top=np.zeros(0), bottom=np.zeros(0))
        self._curve = plot.plot([], [], antialias=True)
        self._marks = pg.ScatterPlotItem(pxMode=True, antialias=True)
        for item in (self._before, self._errors, self._marks, self._before_label):
            plot.addItem(item, ignoreBounds=True)
        self._labels: list[pg.TextItem] = []
        self._marks.sigClicked.connect(self._clicked)
        self.scene().sigMouseMoved.connect(self._moved)
        plot.getViewBox().sigResized.connect(self._place_labels)

    def sizeHint(self) -> QSize:
        return QSize(560, 380)

    # --- what is drawn -----------------------------------------------------------------------------

    def set_record(self, record: Frontier | None) -> None:
        """Draw the frontier; points without information to keep are left out."""
        self._record, self._at = record, -1
        self._spots = _together(record) if record else []
        self._draw()

    @property
    def places(self) -> int:
        """How many marks there are: prices that lead to the same are one."""
        return len(self._spots)

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme; pyqtgraph does not follow the palette by itself."""
        c = self._colours = colours
        self.setBackground(c.surface)
        font = sized(self.font(), SMALL)
        for side in ("left", "bottom", "top", "right"):
            axis = self.main.getAxis(side)
            axis.setPen(QPen(QColor(c.line), 1))
            axis.setTextPen(QColor(c.muted))
            axis.setTickFont(font)
            axis.labelStyle = {"color": c.muted, "font-size": f"{SMALL}px"}
            axis.setLabel(text=axis.labelText)
        self._curve.setPen(pg.mkPen(c.curve, width=2))
        self._before.setPen(pg.mkPen(c.neutral, width=1.2, style=Qt.PenStyle.DashLine))
        self._before_label.setColor(c.muted)
        self._before_label.setFont(font)
        self._draw()

    def hide_pointer(self) -> None:
        """Take away what follows the pointer."""
        self._point_at(-1)

    def _draw(self) -> None:
        record, c = self._record, self._colours
        shown = record is not None and bool(self._spots)
        for item in (self._before, self._before_label):
            item.setVisible(shown)
        if record is None or not self._spots:
            self._curve.setData([], [])
            self._marks.setData([])
            self._errors.setData(x=np.zeros(0), y=np.zeros(0), top=np.zeros(0), bottom=np.zeros(0))
            for label in self._labels:
                label.hide()
            return
        before = record.points[0].error.before
        x = np.array([s.kept for s in self._spots])
        y = np.array([s.error for s in self._spots])
        high = np.array([s.points[0].error.after_high for s in self._spots])
        low = np.array([s.points[0].error.after_low for s in self._spots])
        left = max(0.0, min(float(x.min()) - 0.03, 0.95))
        self.main.setXRange(left, 1.0 + (1 - left) * 0.06, padding=0)
        top = max(float(high.max()), before) * 1.12
        self.main.getAxis("bottom").setTicks([[(t, percent(t)) for t in _ticks(left, 1.0)]])
        self.main.getAxis("left").setTicks([[(t, decimal(t)) for t in _ticks(0.0, top)]])
        self.main.setYRange(0, top, padding=0)
        self._before.setPos(before)
        self._before_label.setText(
            translate("frontier", "as the words are used now: {ece}").format(ece=decimal(before))
        )
        self._before_label.setPos(left, before)
        self._curve.setData(x, y)
        self._errors.setData(x=x, y=y, top=high - y, bottom=y - low, pen=pg.mkPen(faded(c.text, 0.5), width=1))
        self._draw_marks()
        self._place_labels()

    def _draw_marks(self) -> None:
        c, now = self._colours, self._record.now if self._record else 0.0
        self._marks.setData(
            [
                {
                    "pos": (s.kept, s.error),
                    "size": 15 if any(p.value == now for p in s.points) else 10,
                    "symbol": "d" if any(p.value == now for p in s.points) else "o",
                    "brush": c.curve if any(p.value == now for p in s.points) else c.surface,
                    "pen": pg.mkPen(c.accent if i == self._at else c.text, width=3 if i == self._at else 1.5),
                    "data": i,
                }
                for i, s in enumerate(self._spots)
            ]
        )

    @Slot()
    def _place_labels(self, *_: object) -> None:
        """Beside each mark its prices, where they meet no other label."""
        while len(self._labels) < len(self._spots):
            label = pg.TextItem(anchor=(0, 0.5))
            self.main.addItem(label, ignoreBounds=True)
            self._labels.append(label)
        for label in self._labels:
            label.hide()
        box = self.main.getViewBox()
        frame = QRectF(QPointF(0, 0), box.size())
        if self._record is None or frame.width() < 10:
            return
        font = sized(self.font(), SMALL)
        metrics, now = QFontMetricsF(font), self._record.now
        (x0, x1), (y0, y1) = box.viewRange()
        sx, sy = frame.width() / (x1 - x0), frame.height() / (y1 - y0)
        marks = [QPointF((s.kept - x0) * sx, (y1 - s.error) * sy) for s in self._spots]
        taken = [QRectF(p.x() - 6, p.y() - 6, 12, 12) for p in marks]
        order = sorted(range(len(self._spots)), key=lambda i: not any(p.value == now for p in self._spots[i].points))
        for i in order:
            spot, label = self._spots[i], self._labels[i]
            text = self._prices(spot)
            at = marks[i]
            width, height = metrics.horizontalAdvance(text) + 8, metrics.height()
            # Above and below first: the curve and its neighbours lie at the sides.
            for place in (
                QRectF(at.x() + 8, at.y() - height - 6, width, height),
                QRectF(at.x() - width - 8, at.y() - height - 6, width, height),
                QRectF(at.x() + 8, at.y() + 6, width, height),
                QRectF(at.x() - width - 8, at.y() + 6, width, height),
            ):
                if frame.contains(place) and not any(place.intersects(other) for other in taken):
                    taken.append(place)
                    label.setFont(font)
                    label.setColor(self._colours.text)
                    label.setText(text)
                    label.setAnchor((0, 0))
                    label.setPos(x0 + place.left() / sx, y1 - (place.top() - 4) / sy)
                    label.show()
                    break

    def _prices(self, spot: _Spot) -> str:
        values = sorted(p.value for p in spot.points)
        text = number(values[0]) if len(values) == 1 else f"{number(values[0])}\u2013{number(values[-1])}"
        if self._record is not None and self._record.now in values:
            if len(values) == 1:
                return translate("frontier", "{price} (now)").format(price=text)
            return translate("frontier", "{price} (now {now})").format(price=text, now=number(self._record.now))
        return text

    # --- what the pointer and the keyboard tell ----------------------------------------------------

    @Slot(object)
    def _moved(self, where: QPointF) -> None:
        box, near = self.main.getViewBox(), []
        if box.sceneBoundingRect().contains(where):
            near = list(self._marks.pointsAt(box.mapSceneToView(where)))
        self.setCursor(Qt.CursorShape.PointingHandCursor if near else Qt.CursorShape.ArrowCursor)
        self._point_at(near[0].data() if near else -1)

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(-1)
        super().leaveEvent(event)

    @Slot(object, object)
    def _clicked(self, _item: object, points: list[pg.SpotItem], *_: object) -> None:
        if len(points):
            self._choose(points[0].data())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right go from point to point, Enter chooses."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps and self._spots:
            now = self._at if self._at >= 0 else self._now()
            self._point_at(min(max(now + steps[Qt.Key(event.key())], 0), len(self._spots) - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._at >= 0:
            self._choose(self._at)
        else:
            super().keyPressEvent(event)

    def _now(self) -> int:
        now = self._record.now if self._record else None
        return next((i for i, s in enumerate(self._spots) if any(p.value == now for p in s.points)), 0)

    def _choose(self, spot: int) -> None:
        points = self._spots[spot].points
        if self._record is not None and not any(p.value == self._record.now for p in points):
            self.chosen.emit(min(p.value for p in points))

    def _point_at(self, spot: int) -> None:
        if spot != self._at:
            self._at = spot
            text = self.readout(spot) if spot >= 0 else ""
            self.hovered.emit(text)
            self.setAccessibleDescription(text)
            self._draw_marks()

    def readout(self, spot: int) -> str:
        """A point in words, with its numbers."""
        s = self._spots[spot]
        error = s.points[0].error
        return translate(
            "frontier",
            "Price {price}: ECE {ece} on {halves} halves kept aside, {kept} of the information kept,"
            " {words} words in use",
        ).format(
            price=self._prices(s),
            ece=decimal_interval(error.after, error.after_low, error.after_high),
            halves=error.halves,
            kept=percent(s.kept),
            words=f"{s.points[0].words:.1f}",
        )


def number(value: float) -> str:
    """A price as it is read: '0', '0.02', '10'."""
    return f"{value:.3g}"


def _ticks(low: float, high: float) -> list[float]:
    """Four to eight round numbers from low to high."""
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0) if (high - low) / s <= 7)
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 6) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def _together(record: Frontier) -> list[_Spot]:
    """The points, those in the same place as one, from the least information kept to the most."""
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
