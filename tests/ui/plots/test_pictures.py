"""What all pictures promise: read by pointer and keyboard, spoken, in the colours of the scheme, clean when copied."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from radcal.calibration.comparison_records import Comparison, Member, Period, Trend
from radcal.calibration.records import Curve, PhraseRate, Reliability
from radcal.system.estimates import Estimate
from ui.kit.picture import image_of
from ui.plots.attrition_flow import AttritionFlow
from ui.plots.base import Picture
from ui.plots.forest_plot import ForestPlot
from ui.plots.lexicon_plot import LexiconPlot
from ui.plots.perception_heatmap import PerceptionHeatmap
from ui.plots.plan_flow import PlanFlow
from ui.plots.records import (
    Answered,
    AnswerTable,
    Flow,
    FlowPlan,
    FlowWord,
    Ridge,
    SetSizes,
    SizePoint,
)
from ui.plots.reliability_plot import ReliabilityPlot
from ui.plots.set_sizes_plot import SetSizesPlot
from ui.plots.trend_plot import TrendPlot
from ui.theme import CONTRAST, DARK, LIGHT, Colours

EDGES, MIDDLE = np.linspace(0, 1, 21), np.linspace(0.025, 0.975, 20)
CURVE = Curve(
    EDGES[:-1], EDGES[1:], MIDDLE, MIDDLE - 0.1, MIDDLE + 0.1, np.full(20, 0.05), MIDDLE, MIDDLE - 0.2, MIDDLE + 0.2
)
RATES = (PhraseRate("likely", 80, 40, 0.5, 0.4, 0.6, 0.8), PhraseRate("may", 40, 10, 0.25, 0.1, 0.4, 0.45))
RELIABILITY = Reliability("Avery", "edema", 120.0, RATES, curve=CURVE)
MEMBERS = tuple(
    Member(f"reader {i}", f"Reader {i}", 40.0 + 30 * i, 20.0, v, v - 0.1, v + 0.1)
    for i, v in enumerate((0.3, 0.5, 0.7))
)
NAMES = tuple(m.alias for m in MEMBERS)
TOGETHER = {"together": Estimate(0.5, 0.4, 0.6), "spread": (0.3, 0.7)}
COMPARED = Comparison("edema", "likely", MEMBERS, (("likely", 210.0),), **TOGETHER)
PERIODS = tuple(
    Period(date(2026, 3 * q + 1, 1), date(2026, 3 * q + 4, 1), 20, 0.4 + 0.1 * q, 0.3, 0.7) for q in range(3)
)
TREND = Trend("edema", "likely", "", "quarter", PERIODS)
PLAN = FlowPlan(
    (FlowWord("likely", 0.8, 20, 8), FlowWord("may", 0.45, 10, 22)),
    (Flow("likely", "likely", 0.4, 20), Flow("likely", "may", 0.6, 20), Flow("may", "may", 1.0, 10)),
)
SHARES = tuple(1 / 21 for _ in range(21))
ANSWERS = AnswerTable(
    ("people", "a model"),
    tuple(
        (word, (Answered(SHARES, mean, 40), Answered(SHARES[::-1], 50.0, 60)))
        for word, mean in (("likely", 77), ("may", 44))
    ),
)
STEPS = [
    SimpleNamespace(step=step, modality=modality, kept=kept, dropped=dropped, reason="no chest CT" if dropped else "")
    for step, modality, kept, dropped in (
        ("rows read", "both", 900, 0),
        ("chest", "both", 860, 40),
        ("reports of this modality", "xray", 500, 0),
        ("has a CT", "xray", 300, 200),
        ("reports of this modality", "ct", 360, 0),
        ("has an X-ray", "ct", 300, 60),
    )
]
SIZES = SetSizes(
    "ECE",
    False,
    tuple(
        SizePoint(n, best, ("may", "likely"), 0.2 / n, 0.1 / n, 0.3 / n) for best in (True, False) for n in (2, 3, 4)
    ),
    (("as it speaks", 0.15), ("Platt", 0.03)),
)
RIDGES = [Ridge(n, m, 0.1, m - 0.1, m + 0.1, np.hanning(40)) for n, m in (("may", 0.45), ("likely", 0.8))]
PICTURES: dict[str, tuple[Callable[[], Any], Callable[[Any], None], Callable[[Any], None]]] = {
    # How it is made, filled and emptied.
    "reliability": (ReliabilityPlot, lambda p: p.set_record(RELIABILITY), lambda p: p.set_record(None)),
    "forest": (ForestPlot, lambda p: p.set_record(COMPARED, MEMBERS, NAMES), lambda p: p.set_record(None)),
    "trend": (TrendPlot, lambda p: p.set_record(TREND), lambda p: p.set_record(None)),
    "lexicon": (LexiconPlot, lambda p: p.set_ridges(RIDGES), lambda p: p.set_ridges([])),
    "plan": (PlanFlow, lambda p: p.set_plan(PLAN), lambda p: p.set_plan(None)),
    "perception": (PerceptionHeatmap, lambda p: p.set_table(ANSWERS), lambda p: p.set_table(None)),
    "attrition": (AttritionFlow, lambda p: p.set_steps(STEPS), lambda p: p.set_steps([])),
    "sizes": (SetSizesPlot, lambda p: p.set_record(SIZES), lambda p: p.set_record(None)),
}  # fmt: skip


class Shown:
    """A picture below a button in a window, and what it has said."""

    def __init__(self, qtbot: QtBot, name: str) -> None:
        make, self.fill, self.empty = PICTURES[name]
        self.window, self.button = QWidget(), QPushButton("elsewhere")
        self.picture: Picture = make()
        layout = QVBoxLayout(self.window)
        layout.addWidget(self.button)
        layout.addWidget(self.picture, 1)
        self.window.resize(760, 620)
        qtbot.addWidget(self.window)
        self.said: list[str] = []
        self.picture.hovered.connect(self.said.append)
        self.fill(self.picture)
        with qtbot.waitActive(self.window):
            self.window.show()
        self.button.setFocus()


@pytest.fixture(params=PICTURES)
def shown(request: pytest.FixtureRequest, qtbot: QtBot) -> Shown:
    return Shown(qtbot, request.param)


def test_the_keys_read_every_mark_and_screen_readers_say_it(shown: Shown, qtbot: QtBot) -> None:
    picture, said = shown.picture, shown.said
    assert picture.accessibleName()
    resting = picture.accessibleDescription()
    marks = [picture.readout(i) for i in range(picture.count)]
    assert len(marks) >= 2
    assert all(marks)
    picture.setFocus(Qt.FocusReason.TabFocusReason)
    assert said[-1] in marks
    for key, number in ((Qt.Key.Key_End, -1), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(picture, key)
        assert picture.readout(picture.current) == marks[number]
        assert picture.accessibleDescription().startswith(marks[number])
    on = Qt.Key.Key_Up if isinstance(picture, LexiconPlot) else Qt.Key.Key_Down
    reached = [picture.current]
    for _ in marks:
        qtbot.keyClick(picture, on)
        reached.append(picture.current)
    assert reached[-1] > 0
    assert sorted(reached) == reached
    shown.button.setFocus()
    assert said[-1] == ""
    assert picture.accessibleDescription() == resting
    # The keyboard goes on where it was.
    picture.setFocus(Qt.FocusReason.TabFocusReason)
    assert picture.current == reached[-1]


def test_the_pointer_reads_marks_until_it_leaves(shown: Shown, qtbot: QtBot) -> None:
    picture = shown.picture
    surface = picture.viewport() if hasattr(picture, "viewport") else picture
    for x in range(8, surface.width(), max(surface.width() // 40, 1)):
        for y in range(8, surface.height(), max(surface.height() // 12, 1)):
            qtbot.mouseMove(surface, QPoint(x, y))
    assert any(shown.said)
    picture.hide_pointer()
    assert picture.current == -1
    assert (shown.said or [""])[-1] == ""


def test_nothing_that_follows_pointer_or_keyboard_is_copied(shown: Shown, qtbot: QtBot) -> None:
    if isinstance(shown.picture, LexiconPlot):
        shown.picture.select("may")  # the phrase chosen is a part of the picture
    before = image_of(shown.picture, 1.0)
    shown.picture.setFocus(Qt.FocusReason.TabFocusReason)
    shown.picture.go_to(0)
    assert shown.picture.grab().toImage() != before
    if not isinstance(shown.picture, LexiconPlot):
        assert image_of(shown.picture, 1.0) == before


def test_colours_follow_the_scheme_and_nothing_is_drawn_of_nothing(
    shown: Shown, wear: Callable[[Colours], None]
) -> None:
    pictures = []
    for colours in (LIGHT, DARK, CONTRAST):
        wear(colours)
        pictures.append(image_of(shown.picture, 1.0))
    assert all(a != b for a, b in pairwise(pictures))
    shown.empty(shown.picture)
    assert shown.picture.count == 0
    assert image_of(shown.picture, 1.0) not in pictures
    shown.picture.setFocus(Qt.FocusReason.TabFocusReason)
    assert shown.picture.current == -1


def test_enter_opens_a_mark(qtbot: QtBot) -> None:
    shown = Shown(qtbot, "reliability")
    found: list[object] = []
    assert isinstance(shown.picture, ReliabilityPlot)
    shown.picture.picked.connect(found.append)
    qtbot.keyClick(shown.picture, Qt.Key.Key_Home)
    qtbot.keyClick(shown.picture, Qt.Key.Key_Return)
    assert found == ["may"]


def test_the_heat_map_tells_the_means_of_both_of_every_word(qtbot: QtBot) -> None:
    picture = PerceptionHeatmap()
    qtbot.addWidget(picture)
    assert picture.summary() == ""
    picture.set_table(ANSWERS)
    told = picture.summary().replace("\xa0", " ").splitlines()
    assert told[1:] == [
        "\u201clikely\u201d: people 77 % and a model 50 %",
        "\u201cmay\u201d: people 44 % and a model 50 %",
    ]
