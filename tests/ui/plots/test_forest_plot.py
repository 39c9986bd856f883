"""The forest plot: what luck gives is shaded from zero, its sides are named, and pooled values come on request."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from radcal.reliability.comparison_records import HEDGES, Comparison, Member
from ui.kit.layout import vbox
from ui.plots.forest_plot import ForestPlot

SCORES = tuple(
    Member(
        f"r{i}", f"Reader {i}", 40.0, None, 0.2, 0.1, 0.3, pooled=0.22, pooled_low=0.15, pooled_high=0.3, luck_high=luck
    )
    for i, luck in enumerate((0.04, 0.09))
)
RATES = (Member("r", "Reader", 40.0, 20.0, 0.5, 0.35, 0.65, pooled=0.52, pooled_low=0.4, pooled_high=0.6),)


Make = Callable[..., ForestPlot]


@pytest.fixture
def made(qtbot: QtBot) -> Make:
    """Shows a plot of everything hedged, or of a phrase."""
    windows = []

    def make(phrase: str, members: tuple[Member, ...], *, pooled: bool = False) -> ForestPlot:
        window, plot = QWidget(), ForestPlot()
        windows.append(window)
        vbox(plot, parent=window)
        qtbot.addWidget(window)
        window.resize(700, 300)
        meaning = None if phrase == HEDGES else (0.75, 0.9)
        mean = {"mean": 0.4, "mean_low": 0.3, "mean_high": 0.5}
        record = Comparison("edema", phrase, members, (("likely", 80.0),), meaning=meaning, **mean)
        plot.set_record(record, members, tuple(m.alias for m in members), show_pooled=pooled)
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


def test_pooled_values_are_drawn_and_read_out_on_request(made: Make) -> None:
    alone, pooled = made("likely", RATES), made("likely", RATES, pooled=True)
    assert len(pooled.main.items) > len(alone.main.items)
    assert "seen together" not in alone.readout(0)
    assert "seen together with all others 52" in pooled.readout(0)
