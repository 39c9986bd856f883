"""What the pictures of comparisons share: one plot in the colours of the scheme, with numbers under the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPen

from ui.plots.figures import shown
from ui.theme import LIGHT, SMALL, Colours, sized
from ui.words import decimal

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

REACH = 14.0
"""Pixels from a mark at which the pointer meets it."""


def value_ticks(top: float, *, score: bool) -> list[tuple[float, str]]:
    """About five ticks from 0 to ``top``."""
    if not score:
        return [(t / 4, shown(t / 4, score=False)) for t in range(5)]
    step = next((s for s in (0.02, 0.05, 0.1, 0.2) if top / s <= 6), 0.25)
    return [(i * step, decimal(i * step)) for i in range(int(top / step + 1e-9) + 1)]


class Chart(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph ships no types
    """One plot, made once and fed with records; the arrow keys go from mark to mark.

    hovered: a line of numbers of the mark under the pointer or chosen by key, '' when there is none
    """

    hovered = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.colours: Colours = LIGHT
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._chosen = -1
        self.ci.layout.setContentsMargins(4, 4, 8, 4)
        self.main = self.addPlot(row=0, col=0, enableMenu=False)
        self.main.setMouseEnabled(x=False, y=False)
        self.main.hideButtons()
        self.main.disableAutoRange()
        for side in ("left", "bottom"):
            self.main.getAxis(side).enableAutoSIPrefix(False)
        for side in ("top", "right"):
            self.main.showAxis(side)
            self.main.getAxis(side).setStyle(showValues=False)
            self.main.getAxis(side).setTicks([[]])
        self._ring = pg.ScatterPlotItem(pxMode=True, size=20, brush=None)
        self._ring.setZValue(100)
        self.main.addItem(self._ring, ignoreBounds=True)
        self.scene().sigMouseMoved.connect(self._moved)

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme; pyqtgraph does not follow the palette by itself."""
        self.colours = colours
        self.setBackground(colours.surface)
        for side in ("left", "bottom", "top", "right"):
            axis = self.main.getAxis(side)
            axis.setPen(QPen(QColor(colours.line), 1))
            axis.setTextPen(QColor(colours.muted))
            axis.setTickFont(self.small())
            axis.labelStyle = {"color": colours.muted, "font-size": f"{self.small().pixelSize()}px"}
            axis.setLabel(text=axis.labelText)
        self._ring.setPen(pg.mkPen(colours.accent, width=2))
        self.draw()

    def small(self, *, strong: bool = False) -> QFont:
        """The font beside marks."""
        return sized(self.font(), SMALL, strong=strong)

    def draw(self) -> None:
        """Draw the record anew, in the present colours."""

    def readout_at(self, point: QPointF) -> str:
        """The numbers at a place in the plot's own units, '' where there are none."""
        return ""

    def marks(self) -> list[tuple[tuple[float, float], str]]:
        """The marks in reading order: the place of each in the plot's own units, and its numbers in a line."""
        return []

    def choose_mark(self, number: int) -> None:
        """Ring a mark and tell its numbers; -1 for none."""
        marks = self.marks() if number >= 0 else []
        self._chosen = min(number, len(marks) - 1)
        place, text = marks[self._chosen] if marks else (None, "")
        self._ring.setData([] if place is None else [{"pos": place}])
        self.setAccessibleDescription(text)
        self.hovered.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrow keys go from mark to mark, Home and End to the first and the last."""
        last, now = len(self.marks()) - 1, self._chosen
        key = Qt.Key
        wanted = {
            key.Key_Left: now - 1, key.Key_Up: now - 1, key.Key_Right: now + 1, key.Key_Down: now + 1,
            key.Key_Home: 0, key.Key_End: last,
        }.get(key(event.key()))  # fmt: skip
        if wanted is None or last < 0:
            event.ignore()
        else:
            self.choose_mark(min(max(wanted, 0), last))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._chosen < 0:
            self.choose_mark(0)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.choose_mark(-1)

    def nearest(self, point: QPointF, places: Sequence[tuple[float, float]]) -> int:
        """The place that the pointer is on, -1 for none."""
        box = self.main.getViewBox()
        (x0, x1), (y0, y1) = box.viewRange()
        sx, sy = box.width() / (x1 - x0), box.height() / (y1 - y0)
        reach = [((point.x() - x) * sx) ** 2 + ((point.y() - y) * sy) ** 2 for x, y in places]
        best = min(range(len(reach)), key=reach.__getitem__, default=-1)
        return best if best >= 0 and reach[best] <= REACH**2 else -1

    @Slot(object)
    def _moved(self, where: QPointF) -> None:
        box = self.main.getViewBox()
        inside = box.sceneBoundingRect().contains(where)
        self._ring.setData([])
        self._chosen = -1
        self.hovered.emit(self.readout_at(box.mapSceneToView(where)) if inside else "")

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit("")
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, not the plot."""
        event.ignore()
