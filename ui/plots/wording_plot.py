"""How far each radiologist's words lie from all others', beside how far the others' lie from one another's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt

from ui.plots.chart import Chart
from ui.theme import faded
from ui.words import percent, rate, say, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.lab.wording import WordingMember

ROW = 26
"""Row height in pixels."""
_FRAME = 72


class WordingPlot(Chart):
    """One row per radiologist: the distance with its interval, over the band of the others among themselves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Words beside all others\u2019"), parent)
        self._members: tuple[WordingMember, ...] = ()
        self._names: tuple[str, ...] = ()
        self.main.invertY(True)
        self.main.getAxis("right").setStyle(showValues=True, tickLength=0)
        self.main.getAxis("left").setStyle(tickLength=0)

    def sizeHint(self) -> QSize:
        return QSize(640, _FRAME + ROW * max(len(self._members), 3))

    def set_members(self, members: tuple[WordingMember, ...], names: tuple[str, ...]) -> None:
        """Draw these radiologists under these names, the first at the top."""
        self._members, self._names = members, names
        self.setMinimumHeight(_FRAME + ROW * len(members))
        self.updateGeometry()
        self.redraw()
        self.start_over()

    def draw(self) -> None:
        c, rows = self.colours, len(self._members)
        if not rows:
            return
        known = [(i, m.found) for i, m in enumerate(self._members) if m.found is not None]
        top = min(1.0, max([0.2, *(e for _, f in known for e in (f.high, f.control_high) if e is not None)]) * 1.05)
        self.main.setXRange(0, top, padding=0.03)
        self.main.setYRange(-0.7, rows - 0.3, padding=0)
        self.main.setLabel("bottom", say("share of the words that would have to be others to match"))
        self.main.getAxis("bottom").setTicks([_ticks(top)])
        self._set_rows()
        self.add_lines([(0.0, i, top, i) for i in range(rows)], faded(c.line, 0.6), 1)
        for i, f in known:
            if f.control_low is not None and f.control_high is not None:
                width = max(f.control_high - f.control_low, 0.004)
                band = pg.BarGraphItem(x0=[f.control_low], y=[i], width=[width], height=0.7, pen=None, brush=c.luck)
                self.add(band, -20)
        self.add_lines([(f.control_tvd, i - 0.35, f.control_tvd, i + 0.35) for i, f in known], c.neutral, 1.6)
        self.add_lines([(f.low, i, f.high, i) for i, f in known], c.text, 1.6)
        self.add_points([(f.expected_tvd, i) for i, f in known], 10, "o", c.text, c.text, 1)

    def _set_rows(self) -> None:
        metrics = self.metrics()
        names = [metrics.elidedText(n, Qt.TextElideMode.ElideMiddle, 180) for n in self._names]
        for side, texts in (("left", names), ("right", [_beside(m) for m in self._members])):
            axis = self.main.getAxis(side)
            axis.setTicks([list(enumerate(texts))])
            axis.setWidth(int(max(map(metrics.horizontalAdvance, texts), default=0.0)) + 16)

    @property
    def count(self) -> int:
        return len(self._members)

    def place(self, number: int) -> tuple[float, float]:
        found = self._members[number].found
        return (found.expected_tvd or 0.0) if found is not None else 0.0, float(number)

    def mark_near(self, point: QPointF) -> int:
        """The radiologist in this row."""
        row = round(point.y())
        return row if 0 <= row < len(self._members) else -1

    def readout(self, number: int) -> str:
        m, name = self._members[number], self._names[number]
        f = m.found
        if f is None or f.expected_tvd is None:
            return say("{name}: {n} findings, not enough to tell", name=name, n=whole(m.n))
        said = say(
            "{name}: {distance} of the words would have to be others, from {n} findings of {kinds} kinds",
            name=name,
            distance=rate(f.expected_tvd, f.low or 0.0, f.high or 1.0),
            n=whole(f.n_answers or 0),
            kinds=whole(f.n_contexts),
        )
        if f.control_tvd is None:
            return said
        control = rate(f.control_tvd, f.control_low or 0.0, f.control_high or 1.0)
        return f"{said} \u00b7 {say('by chance {control}', control=control)}"


def _ticks(top: float) -> list[tuple[float, str]]:
    step = 0.25 if top > 0.6 else 0.1 if top > 0.25 else 0.05
    return [(i * step, percent(i * step)) for i in range(int(top / step + 1e-9) + 1)]


def _beside(m: WordingMember) -> str:
    f = m.found
    if f is None or f.expected_tvd is None:
        return say("n = {n}, not enough data", n=whole(m.n))
    value = rate(f.expected_tvd, f.low or 0.0, f.high or 1.0)
    return say("{value}  n = {n}", value=value, n=whole(f.n_answers or 0))
