"""The reliability diagram: its marks and texts are seen whole and apart, and one band is drawn at a time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QGraphicsPathItem, QWidget
from pytestqt.qtbot import QtBot

from radcal.advice.judging import judged_group
from radcal.calibration.records import Curve, Monotone, PhraseRate, Reliability
from radcal.words.records import Phrase
from ui.kit.layout import vbox
from ui.plots.bands import Band
from ui.plots.reliability_plot import ReliabilityPlot

ENDS = (
    PhraseRate("present", 90, 90, 1.0, 0.96, 1.0, 1.0, 0.95, 1.0, "matches", 0.99),
    PhraseRate("absent", 90, 0, 0.0, 0.0, 0.04, 0.0, 0.0, 0.05, "matches", 0.99),
)
HEDGES = (
    PhraseRate("very unlikely", 12, 1, 0.08, 0.01, 0.33, 0.03, 0.0, 0.05),
    PhraseRate("unlikely", 30, 4, 0.13, 0.05, 0.29, 0.12, 0.05, 0.25),
    PhraseRate("possibly", 80, 40, 0.5, 0.39, 0.61, 0.3, 0.05, 0.75),
    PhraseRate("may represent", 50, 18, 0.36, 0.24, 0.5, 0.44, 0.25, 0.75),
    PhraseRate("likely", 90, 60, 0.67, 0.57, 0.76, 0.77, 0.75, 0.9, "stronger", 0.97),
    PhraseRate("most likely", 14, 13, 0.93, 0.71, 0.99, 0.85, 0.75, 0.9),
    PhraseRate("consistent with", 40, 36, 0.9, 0.78, 0.97, 0.96, 0.9, 1.0),
)
EDGES = np.linspace(0, 1, 101)
MIDDLE = (EDGES[1:] + EDGES[:-1]) / 2
CURVE = Curve(
    EDGES[:-1], EDGES[1:], 0.2 + 0.6 * MIDDLE, 0.1 + 0.6 * MIDDLE, 0.3 + 0.6 * MIDDLE, np.full(100, 0.01), MIDDLE,
    0.9 * MIDDLE, 0.1 + 0.9 * MIDDLE,
)  # fmt: skip
RECORD = Reliability("Avery", "edema", 496.0, ENDS + HEDGES, curve=CURVE)
MEANS = np.array([0.12, 0.3, 0.44, 0.77])
ORDER = Monotone(
    ("unlikely", "possibly", "may represent", "likely"), MEANS, np.array([30.0, 80, 50, 90]),
    np.array([0.13, 0.5, 0.36, 0.67]), np.array([0.13, 0.45, 0.45, 0.67]), MEANS - 0.1, MEANS + 0.1,
    0.01, 0.06, 0.24, (("possibly", "may represent"),),
)  # fmt: skip


Show = Callable[..., ReliabilityPlot]


@pytest.fixture
def shown(qtbot: QtBot) -> Show:
    """Shows a diagram in a window of a size."""
    windows = []

    def show(size: tuple[int, int], record: Reliability, *how: Any) -> ReliabilityPlot:
        window, plot = QWidget(), ReliabilityPlot()
        windows.append(window)
        vbox(plot, parent=window)
        qtbot.addWidget(window)
        window.resize(*size)
        plot.set_record(record, 10, *how)
        with qtbot.waitExposed(window):
            window.show()
        return plot

    return show


def frame(plot: ReliabilityPlot) -> QRectF:
    return QRectF(QPointF(0, 0), plot.main.getViewBox().size())


def dots(plot: ReliabilityPlot) -> list[tuple[str, QRectF]]:
    """The dots with their outlines, in pixels."""
    box, made = plot.main.getViewBox(), []
    for item in plot.main.items:
        for spot in item.points() if isinstance(item, pg.ScatterPlotItem) else ():
            at = box.mapViewToDevice(spot.pos()) - box.mapToDevice(QPointF(0, 0))
            half = spot.size() / 2 + 1
            made.append((spot.data(), QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half)))
    return made


def texts(plot: ReliabilityPlot) -> dict[str, QRectF]:
    """The texts in the diagram with the room that their letters take, in pixels."""
    made = {}
    for item in plot.main.items:
        if isinstance(item, pg.TextItem) and item.isVisible():
            rect = item.textItem.boundingRect()
            at = plot.pixels(item.pos().x(), item.pos().y())
            made[item.toPlainText()] = QRectF(at.x(), at.y(), rect.width(), rect.height()).adjusted(4, 5, -4, -5)
    return made


@pytest.mark.parametrize("size", [(460, 400), (520, 480), (1200, 900)])
def test_the_marks_of_plain_statements_are_whole(shown: Show, size: tuple[int, int]) -> None:
    plot = shown(size, Reliability("Avery", "edema", 180.0, ENDS, reason="no hedges"))
    assert [name for name, _ in dots(plot)] == ["absent", "present"]
    for name, dot in dots(plot):
        assert frame(plot).contains(dot), name


@pytest.mark.parametrize("size", [(460, 520), (640, 700), (1200, 900), (500, 900)])
@pytest.mark.parametrize("band", Band)
def test_all_words_are_named_in_a_square_and_no_texts_meet(shown: Show, size: tuple[int, int], band: Band) -> None:
    plot = shown(size, RECORD, band, ORDER)
    seen, marks = texts(plot), dots(plot)
    assert frame(plot).width() == pytest.approx(frame(plot).height(), abs=1.5)
    assert {name for name, _ in marks} <= set(seen)
    assert "words stronger\nthan CT supported" in seen
    assert "words weaker\nthan CT supported" in seen
    assert ("words in order" if band is Band.ORDER else "hedged words") in seen
    for (one, a), (other, b) in combinations(seen.items(), 2):
        assert not a.intersects(b), (one, other)
    for text, room in seen.items():
        assert frame(plot).contains(room), text
        assert not any(room.intersects(dot.adjusted(2, 2, -2, -2)) for _, dot in marks), text


def test_in_a_small_picture_the_notes_find_a_place_before_the_name_of_the_curve(shown: Show) -> None:
    ends = (PhraseRate("present", 6, 6, 1.0, 0.67, 1.0, 1.0), PhraseRate("absent", 11, 0, 0.0, 0.0, 0.2, 0.0))
    hedges = (
        PhraseRate("unlikely", 2, 0, 0.0, 0.0, 0.67, 0.1),
        PhraseRate("may represent", 17, 1.1, 0.06, 0.01, 0.25, 0.44),
        PhraseRate("likely", 18, 6, 0.33, 0.15, 0.56, 0.77),
        PhraseRate("consistent with", 2, 1.8, 0.89, 0.24, 1.0, 0.97),
    )
    rate = 0.25 * MIDDLE
    curve = Curve(
        EDGES[:-1], EDGES[1:], rate, np.zeros(100), 0.15 + 0.5 * MIDDLE, np.full(100, 0.01), MIDDLE, MIDDLE, MIDDLE
    )
    plot = shown((440, 400), Reliability("Avery", "edema", 56.0, ends + hedges, curve=curve))
    seen = texts(plot)
    assert {name for name, _ in dots(plot)} <= set(seen)
    assert "words stronger\nthan CT supported" in seen
    for (one, a), (other, b) in combinations(seen.items(), 2):
        assert not a.intersects(b), (one, other)


def test_one_band_is_drawn_and_the_curve_where_hedged_words_lie(shown: Show) -> None:
    plot = shown((520, 560), RECORD)

    def band() -> QRectF:
        (one,) = (item for item in plot.main.items if isinstance(item, QGraphicsPathItem) and item.zValue() == -10)
        bounds: QRectF = one.path().boundingRect()
        return bounds

    few = Reliability("Avery", "edema", 90.0, ENDS[1:] + HEDGES[4:5], curve=CURVE)
    plot.set_record(few, 10, Band.INTERVAL)
    assert (band().left(), band().right()) == (pytest.approx(0.75), pytest.approx(0.9))
    assert band().top() == pytest.approx(0.1 + 0.6 * 0.755)
    plot.set_record(few, 10, Band.LUCK)
    assert band().top() == pytest.approx(0.9 * 0.755)
    plot.set_record(few, 10, Band.ORDER, ORDER)
    assert (band().left(), band().right()) == (pytest.approx(0.12), pytest.approx(0.77))
    plot.set_record(few, 100, Band.INTERVAL)
    assert not [item for item in plot.main.items if isinstance(item, QGraphicsPathItem) and item.zValue() == -10]


def test_the_readouts_say_what_a_word_means_and_how_it_stands(shown: Show) -> None:
    few = Phrase("likely", 7.7, 2.3, 0.7, 0.9, asked=12, answers=12, within=9)
    plot = shown((520, 560), RECORD, Band.ORDER, ORDER, judged_group(RECORD, None, [few], 10))
    likely = next(i for i in range(plot.count) if plot.place(i)[0] == 0.77)
    text = plot.readout(likely).replace("\u00a0", " ")
    assert text == (
        "\u201clikely\u201d: said 90 times, confirmed 60: 67 % (57\u201376) \u00b7 "
        "means 70\u201390 %, few answers: overstated, 97 % sure"
    )
    at = plot.mapFromScene(plot.main.getViewBox().mapViewToScene(QPointF(0.37, 0.8)))
    assert "in the order of the words CT confirmed 45" in plot.readout_at(QPointF(at))
