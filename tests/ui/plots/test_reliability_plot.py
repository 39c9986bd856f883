"""The reliability diagram: every mark lies within its frame."""

from __future__ import annotations

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPointF, QRectF
from pytestqt.qtbot import QtBot

from radcal.records import PhraseRate, Reliability
from ui.plots.reliability_plot import ReliabilityPlot

ENDS = (PhraseRate("present", 90, 90, 1.0, 0.96, 1.0, 1.0), PhraseRate("absent", 90, 0, 0.0, 0.0, 0.04, 0.0))


@pytest.mark.parametrize("size", [(460, 400), (520, 480), (1200, 900)])
def test_the_marks_of_plain_statements_are_whole(qtbot: QtBot, size: tuple[int, int]) -> None:
    plot = ReliabilityPlot()
    qtbot.addWidget(plot)
    plot.resize(*size)
    plot.set_record(Reliability("Avery", "edema", 180.0, ENDS, reason="no hedges"))
    with qtbot.waitExposed(plot):
        plot.show()
    box = plot.main.getViewBox()
    frame = QRectF(QPointF(0, 0), box.size())
    spots = [spot for item in plot.main.items if isinstance(item, pg.ScatterPlotItem) for spot in item.points()]
    assert len(spots) == len(ENDS)
    for spot in spots:
        at = box.mapViewToDevice(spot.pos()) - box.mapToDevice(QPointF(0, 0))
        half = spot.size() / 2 + 1  # its outline
        assert frame.contains(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half)), spot.data()
