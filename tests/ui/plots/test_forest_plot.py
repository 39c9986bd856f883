"""The forest plot: what luck gives is shaded from zero, and its sides are named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyqtgraph as pg
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from radcal.calibration.comparison_records import HEDGES, Comparison, Member
from radcal.system.estimates import Estimate
from ui.kit.layout import vbox
from ui.plots.forest_plot import ForestPlot

SCORES = tuple(
    Member(f"r{i}", f"Reader {i}", 40.0, None, 0.2, 0.1, 0.3, luck_high=luck) for i, luck in enumerate((0.04, 0.09))
)
RATES = (Member("r", "Reader", 40.0, 20.0, 0.5, 0.35, 0.65),)


Make = Callable[..., ForestPlot]


@pytest.fixture
def made(qtbot: QtBot) -> Make:
    """Shows a plot of everything hedged, or of a phrase."""
    windows = []

    def make(phrase: str, members: tuple[Member, ...], **more: Any) -> ForestPlot:
        window, plot = QWidget(), ForestPlot()
        windows.append(window)
        vbox(plot, parent=window)
        qtbot.addWidget(window)
        window.resize(700, 300)
        meaning = None if phrase == HEDGES else (0.75, 0.9)
        record = Comparison("edema", phrase, members, (("likely", 80.0),), meaning=meaning, **more)
        plot.set_record(record, members, tuple(m.alias for m in members))
        with qtbot.waitExposed(window):
            window.show()
        return plot

    return make


def texts(plot: ForestPlot) -> set[str]:
    return {item.toPlainText() for item in plot.main.items if isinstance(item, pg.TextItem) and item.isVisible()}


def test_what_luck_alone_gives_is_shaded_from_zero(made: Make) -> None:
    plot = made(HEDGES, SCORES)
    (bars,) = (item for item in plot.main.items if isinstance(item, pg.BarGraphItem))
    assert bars.opts["x0"] == 0
    assert list(bars.opts["width"]) == [0.04, 0.09]
    assert texts(plot) == {"\u2190 better: closer to what the words mean"}


def test_rates_have_two_sides_around_the_meaning_and_none_is_better(made: Make) -> None:
    assert texts(made("likely", RATES)) == {"\u2190 less than the word says", "more than the word says \u2192"}


def test_the_rate_of_all_together_and_the_range_of_the_true_rates_are_drawn(made: Make) -> None:
    alone, beside = made("likely", RATES), made("likely", RATES, together=Estimate(0.5, 0.4, 0.6), spread=(0.3, 0.7))
    drawn = [item for item in beside.main.items if isinstance(item, pg.LinearRegionItem | pg.InfiniteLine)]
    assert len(beside.main.items) == len(alone.main.items) + 2
    assert (0.3, 0.7) in [item.getRegion() for item in drawn if isinstance(item, pg.LinearRegionItem)]
    assert [item.value() for item in drawn if isinstance(item, pg.InfiniteLine)].count(0.5) == 1
