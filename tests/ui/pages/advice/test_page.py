"""The advice page over a small real department."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from radcal.advice.alternatives import Alternatives
from radcal.advice.records import Baseline, Baselines
from radcal.department import Department
from radcal.system.errors import DataError, EngineError
from radcal.system.estimates import Estimate
from radcal.system.selection import Days, Selection
from radcal.system.settings import Settings
from ui.kit import keyboard
from ui.pages.advice.changes import Change, shares_of, shifted, slid
from ui.pages.advice.controls import Slider
from ui.pages.advice.models import WordColumn
from ui.pages.advice.numbers_view import in_short
from ui.pages.advice.page import BOTH, LOOK, OR_NUMBERS, PLAN, WHAT_IF, WORDS, AdvicePage, work
from ui.plots import plan_editor
from ui.plots.callout import draw_callout
from ui.plots.cost_heatmap import CostHeatmap
from ui.plots.plan_editor import PlanEditor, Shift
from ui.plots.plan_flow import PlanFlow, in_ten
from ui.plots.records import CostTable, Flow, FlowPlan, FlowWord
from ui.shell import Shell
from ui.theme import DARK, Colours
from ui.words import quoted

WORDS_SAID = {
    ("Avery", "edema"): {"likely": (200, 88), "absent": (100, 1), "maybe": (4, 1), "unlikely": (40, 4)},
    ("Avery", "fracture"): {"maybe": (9, 3), "present": (5, 5)},
    ("Brooks", "edema"): {"likely": (50, 41), "present": (61, 58)},
}
WhatIf = tuple[AdvicePage, Any, PlanEditor]
QUICK = Settings(bootstrap=60)
EDEMA = Selection("Avery", "edema")


def _pairs() -> Iterator[tuple[str, str, str]]:
    worded = {"likely": "Likely", "absent": "No", "maybe": "Maybe", "unlikely": "Unlikely", "present": "There is"}
    for (author, topic), said in WORDS_SAID.items():
        for phrase, (n, y) in said.items():
            for i in range(n):
                yield author, f"{worded[phrase]} {topic}.", f"There is {topic}." if i < y else f"No {topic}."


@pytest.fixture(scope="module")
def original(prepare: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of these statements."""
    return prepare(tmp_path_factory.mktemp("advised") / "advised.radcal", QUICK, pairs=_pairs())


@pytest.fixture
def open_page(make_shell: Callable[..., Shell], qtbot: QtBot, chest: Path) -> Iterator[Callable[..., AdvicePage]]:
    """The page on screen; closed at the end of the test."""
    windows: list[tuple[QWidget, Shell]] = []

    def show(selection: Selection | None = EDEMA, *, read_only: bool = False) -> AdvicePage:
        shell = make_shell(chest, read_only=read_only)
        window = QWidget()
        windows.append((window, shell))
        page = AdvicePage(shell)
        QVBoxLayout(window).addWidget(page)
        page.begin()
        window.resize(1100, 700)
        with qtbot.waitExposed(window):
            window.show()
        shell.set_selection(selection)
        if selection is not None:
            qtbot.waitUntil(lambda: page.found is not None)
        return page

    yield show
    for window, shell in windows:
        qtbot.waitUntil(lambda shell=shell: shell.tasks.is_idle)
        with qtbot.waitSignal(window.destroyed):
            window.hide()
            window.deleteLater()


def changed(flow: PlanFlow) -> list[tuple[str, ...]]:
    """The words of the bands that lead to another word."""
    read = map(flow.readout, range(flow.count))
    return [tuple(re.findall("\u201c(.+?)\u201d", text)[:2]) for text in read if text.startswith("Instead of")]


def _moved(page: AdvicePage, qtbot: QtBot, name: str, value: float) -> None:
    """Move a slider as a user does and wait for the advice."""
    slider = page.controls.sliders[name]
    before = page.found
    slider.bar.setValue(slider.values.index(value))
    qtbot.waitUntil(lambda: page.found is not before)


def test_the_advice_is_told_with_how_it_held(open_page: Any) -> None:
    page = open_page()
    advice = page.shell.opened.groups[EDEMA.group].advice
    assert page.title.text() == "Avery \u2013 edema"
    assert "\u201clikely\u201d was stronger than CT supported" in page.sentences.plain.text()
    assert "88 of 200" in page.sentences.text
    assert "% sure)" in page.sentences.text
    assert "with advice made from the other half alone: word error" in page.sentences.trial.text()
    assert advice.withheld
    assert page.sentences.rest.text().startswith(f"No advice on {len(advice.withheld)} words")
    assert changed(page.flow) == [(r.source, r.target) for r in advice.recommendations]


def test_what_is_tried_stays_here(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    _moved(page, qtbot, "sure", 0.5)
    assert page.found.view.settings.sure == 0.5
    assert "Tried here only" in page.controls.note.text()
    page.controls.reset.click()
    qtbot.waitUntil(lambda: page.found.view.settings == QUICK)
    assert not page.controls.reset.isEnabled()


def test_what_was_tried_is_undone_slider_by_slider(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    bar = page.controls.sliders["max_steps"].bar
    start = bar.value()
    for _ in range(3):
        bar.setValue(bar.value() - 1)
    _moved(page, qtbot, "sure", 0.5)
    steps = page.controls.overrides()["max_steps"]
    page.controls.reset.click()
    assert page.undo_stack.count() == 3
    page.undo_stack.undo()
    assert page.controls.overrides() == {"sure": 0.5, "max_steps": steps}
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: page.found.view.settings == QUICK.changed(max_steps=steps))
    page.undo_stack.undo()
    assert bar.value() == start
    assert page.controls.overrides() == {}
    qtbot.waitUntil(lambda: page.found.view.settings == QUICK)
    assert not page.undo_stack.canUndo()
    page.undo_stack.redo()
    assert page.controls.overrides() == {"max_steps": steps}


def test_the_latest_of_many_moves_wins(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    bar = page.controls.sliders["min_phrase_n"].bar
    for place in range(0, 40, 3):
        bar.setValue(place)
    bar.setValue(0)
    qtbot.waitUntil(lambda: page.found.view.settings.min_phrase_n == 1)
    assert "4 uses" not in page.sentences.rest.text()


def test_no_advice_is_an_ordinary_state(open_page: Any, qtbot: QtBot) -> None:
    page = open_page(Selection("Avery", "fracture"))
    assert page.sentences.plain.text() == "14 findings; advice needs 30."
    for tab in range(5):
        page.tabs.turn_to(tab)
    assert changed(page.flow) == []
    _moved(page, qtbot, "min_phrase_n", 1.0)
    assert page.sentences.plain.text() == "14 findings; advice needs 30."


def test_settings_are_used_for_all_and_back_again(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    department = page.shell.opened.department
    shown: list[object] = []
    page.shell.opened_changed.connect(shown.append)
    page.shell.opened_changed.connect(page.show_department)
    assert not page.controls.keep.isEnabled()
    _moved(page, qtbot, "max_steps", 3.0)
    page.controls.keep.setFocus()
    QTest.keyClick(page.controls.keep, Qt.Key.Key_Space)
    assert page.controls.solver.hasFocus()
    qtbot.waitUntil(lambda: len(shown) == 1)
    assert department.settings == QUICK.changed(max_steps=3)
    # What was tried is the department's own setting now.
    qtbot.waitUntil(lambda: page.found.department.max_steps == 3)
    assert page.controls.overrides() == {}
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: len(shown) == 2)
    assert department.settings == QUICK
    page.undo_stack.redo()
    qtbot.waitUntil(lambda: len(shown) == 3)
    assert department.settings.max_steps == 3


def test_read_only_workspaces_keep_their_settings(open_page: Any, qtbot: QtBot) -> None:
    page = open_page(read_only=True)
    _moved(page, qtbot, "max_steps", 3.0)
    assert not page.controls.keep.isEnabled()
    assert "read only" in page.controls.keep.toolTip()
    assert page.controls.reset.isEnabled()


def test_the_published_method_has_its_own_price(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    page.controls.solver.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.found.view.settings.solver == "paper")
    assert page.controls.sliders["tau2"].isVisible()
    assert not page.controls.sliders["sure"].isVisible()


def test_words_stand_beside_numbers(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    page.tabs.turn_to(OR_NUMBERS)
    qtbot.waitUntil(lambda: page.numbers.model.rowCount() == 6)
    names = [page.numbers.model.index(i, 0).data() for i in range(6)]
    assert names[:2] == ["words, unchanged", "words, as advised"]
    assert names[-1] == "numbers, isotonic regression"
    (was, plan, *_) = page.numbers.model.rows
    test = page.found.view.advice.test
    assert (was.brier.value, plan.brier.value) == pytest.approx((test.brier_before, test.brier_after))
    assert page.numbers.model.index(1, 1).data().startswith(f"{plan.brier.value:.3f} (")
    assert "of the Brier score" in page.numbers.plain.text()
    assert "about 172 findings" in page.numbers.about.text()


def test_too_few_findings_for_numbers(open_page: Any, qtbot: QtBot) -> None:
    page = open_page(Selection("Avery", "fracture"))
    page.tabs.turn_to(OR_NUMBERS)
    qtbot.waitUntil(lambda: "Not enough data" in page.numbers.plain.text())
    assert not page.numbers.table.isVisible()


@pytest.mark.parametrize(
    ("beyond", "said"),
    [
        ((0.004, 0.001, 0.007), "would have gained another 0.004 (+0.001 to +0.007)"),
        ((0.004, -0.002, 0.010), "are not shown to gain anything: +0.004 (\u22120.002 to +0.010)"),
        ((-0.006, -0.01, -0.002), "would have lost: \u22120.006"),
    ],
)
def test_what_words_cost_is_one_sentence(beyond: tuple[float, float, float], said: str) -> None:
    score = Estimate(0.2, 0.1, 0.3)
    method = Baseline("platt", score, score, score, None, score, Estimate(*beyond), Estimate(0.001, -0.001, 0.003))
    text = in_short(Baselines(100.0, (method,)))
    assert said in text
    assert "took a word for its mean, it would be +0.001" in text
    nothing = replace(method, brier=None)
    assert "cannot be compared" in in_short(Baselines(100.0, (nothing,)))


def test_words_and_the_reason_of_each(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    page.tabs.turn_to(WORDS)
    model = page.model
    assert model.headerData(0, Qt.Orientation.Horizontal) == "word"
    assert model.headerData(99, Qt.Orientation.Horizontal) is None
    assert "How sure" in model.headerData(WordColumn.SURE, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    text = {
        model.row(r).rate.phrase: {c: model.index(r, c).data() for c in WordColumn} for r in range(model.rowCount())
    }
    assert list(text) == ["likely", "maybe", "unlikely", "absent"]
    assert text["likely"][WordColumn.SAID] == "200"
    assert text["likely"][WordColumn.INSTEAD] == quoted("may represent")
    assert text["likely"][WordColumn.SURE].endswith("%")
    assert text["maybe"][WordColumn.WHY] == "4 uses; advice needs 10."
    assert text["absent"][WordColumn.WHY].startswith("matches what readers take it to mean, ")
    for column in WordColumn:
        page.table.view.sortByColumn(column, Qt.SortOrder.AscendingOrder)
    page.table.view.sortByColumn(WordColumn.SAID, Qt.SortOrder.DescendingOrder)
    assert page.table.proxy.index(0, 0).data() == "likely"
    gone: list[Any] = []
    page.shell.go_wanted.connect(lambda stage, where: gone.append((stage, where)))
    page.table.view.setCurrentIndex(page.table.proxy.index(1, 0))
    qtbot.keyClick(page.table.view, Qt.Key.Key_Return)
    assert gone == [("evidence", {"phrase": "absent"})]
    model.set_rows(())
    assert model.rowCount() == 0


def test_before_and_after_are_drawn(open_page: Any, qtbot: QtBot, wear: Callable[[Colours], None]) -> None:
    page = open_page()
    page.tabs.turn_to(BOTH)
    before, after = page.both.plots
    assert [plot.accessibleName() for plot in page.both.plots] == ["As the words were said", "As advised"]
    assert [before.readout(i) for i in range(before.count)] != [after.readout(i) for i in range(after.count)]
    assert "On the 344 findings that the advice was made from" in page.both.figures.text()
    wear(DARK)
    page.tabs.turn_to(PLAN)
    assert not page.both.isVisible()


def test_what_if_by_keyboard(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    page.tabs.turn_to(WHAT_IF)
    panel = page.what_if
    assert panel.result.text().endswith("as the words were said, on these 344 findings.")
    panel.add.setFocus()
    qtbot.keyClick(panel.add, Qt.Key.Key_Space)
    (change,) = panel.changes
    assert (change.source, change.tenths) == ("likely", 5)
    qtbot.waitUntil(lambda: "Brier score" in panel.result.text())
    row = panel.rows[0]
    row.target.setCurrentIndex(row.target.findData("may represent"))
    for _ in range(3):
        qtbot.keyClick(row.tenths, Qt.Key.Key_Up)
    assert panel.changes == (Change("likely", "may represent", 8),)
    qtbot.waitUntil(lambda: "come closer" in panel.result.text())
    assert changed(panel.flow) == [("likely", "may represent")]
    assert "8 of 10" in panel.flow.readout(1)
    # The moves of one number are one step back.
    page.undo_stack.undo()
    assert panel.changes == (Change("likely", "may represent", 5),)
    page.undo_stack.undo()
    page.undo_stack.undo()
    assert panel.changes == ()
    assert panel.result.text().endswith("as the words were said, on these 344 findings.")
    assert changed(panel.flow) == []
    page.undo_stack.redo()
    assert len(panel.changes) == 1
    panel.reset.click()
    assert panel.changes == ()


def test_what_if_starts_from_the_advice_and_warns(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    page.tabs.turn_to(WHAT_IF)
    panel = page.what_if
    panel.start.click()
    assert panel.changes == (Change("likely", "may represent", 10),)
    panel.rows[0].target.setCurrentIndex(panel.rows[0].target.findData("very unlikely"))
    qtbot.waitUntil(lambda: "The order of words would turn" in panel.warnings.text())
    panel.add.click()
    row = panel.rows[1]
    row.source.setCurrentIndex(row.source.findData("likely"))
    assert "more than 10 of 10" in panel.warnings.text()
    assert not panel.both.isVisible()
    panel.rows[0].removed.emit()
    assert len(panel.changes) == len(panel.rows) == 1
    assert "more than 10 of 10" not in panel.warnings.text()
    # Another group: the changes of the last one are gone.
    page.shell.set_selection(Selection("Brooks", "edema"))
    qtbot.waitUntil(lambda: page.found.view.selection.author == "Brooks" and panel.changes == ())
    assert panel.rows == []


def _band(flow: PlanFlow, source: str, target: str) -> Any:
    return next(b for b in flow._bands if (b.flow.source, b.flow.target) == (source, target))


def _inside(flow: PlanFlow, source: str, target: str) -> QPoint:
    """A place of the band a little after it has left its word."""
    band = _band(flow, source, target)
    return QPointF(flow._ends[0] + 24, band.top + band.width / 2).toPoint()


def _word_at(flow: PlanFlow, word: str) -> QPoint:
    return QPointF(flow._ends[1] - 20, flow._rows["tomorrow", word].center().y()).toPoint()


@pytest.fixture
def what_if(open_page: Callable[..., AdvicePage], qtbot: QtBot) -> WhatIf:
    """The page turned to the what-if, laid out, with its panel and its plot."""
    page = open_page()
    page.tabs.turn_to(WHAT_IF)
    flow = page.what_if.flow
    qtbot.waitUntil(lambda: flow.height() == flow.sizeHint().height())
    return page, page.what_if, flow


def _drag(qtbot: QtBot, flow: PlanFlow, start: QPoint, *way: QPoint) -> None:
    """Press, move and let go with the events that a mouse makes."""
    qtbot.mousePress(flow, Qt.MouseButton.LeftButton, pos=start)
    for place in way:
        qtbot.mouseMove(flow, place)
    qtbot.mouseRelease(flow, Qt.MouseButton.LeftButton, pos=way[-1])


def test_a_band_is_carried_to_another_word(what_if: WhatIf, qtbot: QtBot) -> None:
    page, panel, flow = what_if
    asked: list[Any] = []
    panel.asked.connect(asked.append)
    qtbot.mousePress(flow, Qt.MouseButton.LeftButton, pos=_inside(flow, "likely", "likely"))
    qtbot.mouseMove(flow, _word_at(flow, "maybe"))
    # What would follow is told while the band is held; nothing is done yet.
    assert panel.changes == ()
    assert asked == [{"likely": {"maybe": 0.5}}]
    assert [row.tenths.value() for row in panel.rows] == [5]
    qtbot.waitUntil(lambda: "Brier score" in panel.result.text())
    end = _word_at(flow, "may represent")  # the page may have made room for what follows
    qtbot.mouseMove(flow, end)
    qtbot.mouseMove(flow, end + QPoint(3, 1))
    assert asked[1:] == [{"likely": {"may represent": 0.5}}]
    qtbot.mouseRelease(flow, Qt.MouseButton.LeftButton, pos=end)
    assert panel.changes == (Change("likely", "may represent", 5),)
    assert changed(flow) == [("likely", "may represent")]
    # A change is carried on whole, and home again; each drag is one step back.
    _drag(qtbot, flow, _inside(flow, "likely", "may represent"), _word_at(flow, "maybe"))
    assert panel.changes == (Change("likely", "maybe", 5),)
    _drag(qtbot, flow, _inside(flow, "likely", "maybe"), _word_at(flow, "likely"))
    assert panel.changes == ()
    for expected in ("maybe", "may represent"):
        page.undo_stack.undo()
        assert panel.changes == (Change("likely", expected, 5),)
    page.undo_stack.undo()
    assert panel.changes == ()
    assert not page.undo_stack.canUndo()


def test_an_edge_shares_the_cases_of_a_word(what_if: WhatIf, qtbot: QtBot) -> None:
    page, panel, flow = what_if
    assert flow._edges == []
    _drag(qtbot, flow, _inside(flow, "likely", "likely"), _word_at(flow, "may represent"))
    (edge,) = flow._edges
    assert (edge.above, edge.below) == ("likely", "may represent")
    # The edge lies between the bands, and follows the pointer.
    at = flow._grip(edge).toPoint()
    assert _band(flow, "likely", "may represent").top == pytest.approx(edge.y)
    _drag(qtbot, flow, at, at + QPoint(0, 5), at + QPoint(4, round(3 * edge.step)))
    assert panel.changes == (Change("likely", "may represent", 2),)
    (moved,) = flow._edges
    assert moved.y - edge.y == pytest.approx(3 * flow._scale * 200 / 10, abs=1.0)
    # Beyond the end all is one word; the edge stays, so that it can be drawn out again.
    at = flow._grip(moved).toPoint()
    _drag(qtbot, flow, at, at - QPoint(0, 400))
    assert panel.changes == (Change("likely", "may represent", 10),)
    (edge,) = flow._edges
    at = flow._grip(edge).toPoint()
    _drag(qtbot, flow, at, at + QPoint(0, round(4 * edge.step)))
    assert panel.changes == (Change("likely", "may represent", 6),)
    at = flow._grip(flow._edges[0]).toPoint()
    _drag(qtbot, flow, at, at + QPoint(0, 900))
    assert panel.changes == ()
    page.undo_stack.undo()
    assert panel.changes == (Change("likely", "may represent", 6),)


def test_the_number_stays_where_one_drags(what_if: WhatIf, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small screen the line above the picture is scrolled away: what follows stands beside what is held."""
    page, panel, flow = what_if
    page.window().resize(900, 480)
    scroll = page.findChild(QScrollArea)
    texts: list[tuple[tuple[str, ...], QRectF, QRectF]] = []

    def draw(painter: Any, lines: Any, at: Any, seen: QRectF, *rest: Any) -> QRectF:
        box = draw_callout(painter, lines, at, seen, *rest)
        texts.append((tuple(lines), box, seen))
        return box

    monkeypatch.setattr(plan_editor, "draw_callout", draw)
    scroll.verticalScrollBar().setValue(scroll.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: panel.result.visibleRegion().isEmpty())
    qtbot.mousePress(flow, Qt.MouseButton.LeftButton, pos=_inside(flow, "likely", "likely"))
    qtbot.mouseMove(flow, _word_at(flow, "unlikely"))
    qtbot.waitUntil(lambda: "Brier score" in panel.result.text())
    texts.clear()
    flow.repaint()
    (said, follows), box, seen = texts[-1]
    assert "instead of" in said
    assert panel.result.text().startswith(follows)
    assert follows.endswith("on these 344 findings.")
    assert seen.contains(box)
    assert panel.result.visibleRegion().isEmpty()
    qtbot.mouseRelease(flow, Qt.MouseButton.LeftButton, pos=_word_at(flow, "unlikely"))
    texts.clear()
    flow.repaint()
    assert not texts
    qtbot.keyClick(flow, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: bool(texts) and panel.result.text().startswith(texts[-1][0][0]))
    flow.clearFocus()
    texts.clear()
    flow.repaint()
    assert not texts


def test_what_is_held_is_let_go_by_escape(what_if: WhatIf, qtbot: QtBot) -> None:
    page, panel, flow = what_if
    qtbot.mousePress(flow, Qt.MouseButton.LeftButton, pos=_inside(flow, "likely", "likely"))
    qtbot.mouseMove(flow, _word_at(flow, "unlikely"))
    assert len(panel.rows) == 1
    qtbot.keyClick(flow, Qt.Key.Key_Escape)
    assert panel.rows == []
    assert panel.changes == ()
    qtbot.mouseRelease(flow, Qt.MouseButton.LeftButton, pos=_word_at(flow, "unlikely"))
    assert not page.undo_stack.canUndo()
    # Another group while a band is held: it belongs to the one before.
    qtbot.mousePress(flow, Qt.MouseButton.LeftButton, pos=_inside(flow, "likely", "likely"))
    qtbot.mouseMove(flow, _word_at(flow, "unlikely"))
    page.shell.set_selection(Selection("Brooks", "edema"))
    qtbot.waitUntil(lambda: page.found.view.selection.author == "Brooks")
    qtbot.waitUntil(lambda: flow.count == 2 and changed(flow) == [])
    qtbot.mouseRelease(flow, Qt.MouseButton.LeftButton, pos=_word_at(flow, "unlikely"))
    assert panel.changes == ()
    # A click chooses a band and changes nothing.
    _drag(qtbot, flow, _inside(flow, "likely", "likely"), _inside(flow, "likely", "likely") + QPoint(2, 2))
    assert panel.changes == ()
    assert "likely\u201d stays" in flow.accessibleDescription()


def test_bands_are_moved_by_keyboard(what_if: WhatIf, qtbot: QtBot) -> None:
    page, panel, flow = what_if
    key, shift = Qt.Key, Qt.KeyboardModifier.ShiftModifier
    flow.setFocus(Qt.FocusReason.TabFocusReason)
    assert "likely\u201d stays" in flow.accessibleDescription()
    qtbot.keyClick(flow, key.Key_Right)
    assert panel.changes == ()
    qtbot.keyClick(flow, key.Key_Down, shift)
    words = page.found.costs.words
    below = words[words.index("likely") + 1]
    assert panel.changes == (Change("likely", below, 5),)
    assert f"{quoted(below)} in 5 of 10" in flow.accessibleDescription()
    for _ in range(3):
        qtbot.keyClick(flow, key.Key_Right)
    assert panel.changes == (Change("likely", below, 8),)
    assert "8 of 10" in panel.readout.text.text()
    qtbot.keyClick(flow, key.Key_Left)
    assert panel.changes[0].tenths == 7
    qtbot.keyClick(flow, key.Key_Down, shift)
    assert panel.changes == (Change("likely", words[words.index("likely") + 2], 7),)
    qtbot.keyClick(flow, key.Key_Up, shift)
    qtbot.keyClick(flow, key.Key_Up, shift)
    # Past its own word, which the rest still is.
    assert panel.changes == (Change("likely", words[words.index("likely") - 1], 7),)
    qtbot.keyClick(flow, key.Key_Delete)
    assert panel.changes == ()
    assert "likely\u201d stays" in flow.accessibleDescription()
    # The four moves of the share are one step back.
    for expected in (7, 7, 7, 7, 5):
        page.undo_stack.undo()
        assert [c.tenths for c in panel.changes] == [expected]
    page.undo_stack.undo()
    assert panel.changes == ()


def test_a_plan_by_hand_is_the_one_that_is_measured(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    costs = page.found.costs
    changes = {"likely": {"maybe": 0.3, "unlikely": 0.2}, "absent": {"unlikely": 1.0}}
    drawn = work.by_hand(costs, changes)
    view = page.shell.opened.department.alternatives.what_if(EDEMA, changes)
    place = {p.name: k for k, p in enumerate(view.phrases)}
    assert {f.source for f in drawn.flows} == {"likely", "maybe", "unlikely", "absent"}
    for f in drawn.flows:
        assert f.share == pytest.approx(view.plan[place[f.source], place[f.target]])
    assert sum(f.share for f in drawn.flows) == pytest.approx(4)
    uses = dict(zip(costs.words, costs.uses, strict=True))
    for word in drawn.words:
        expected = sum(view.plan[place[s], place[word.name]] * uses[s] for s in uses)
        assert word.tomorrow == pytest.approx(expected)
    assert sum(w.tomorrow for w in drawn.words) == pytest.approx(sum(costs.uses))


TWO = (Change("likely", "may", 3), Change("present", "likely", 2), Change("likely", "maybe", 4))


@pytest.mark.parametrize(
    ("shift", "after"),
    [
        (Shift("likely", "likely", "may", 9), (Change("likely", "may", 6), Change("likely", "maybe", 4), TWO[1])),
        (Shift("likely", "may", "maybe", 1), (Change("likely", "may", 2), Change("likely", "maybe", 5), TWO[1])),
        (Shift("likely", "may", "maybe", 3), (Change("likely", "maybe", 7), TWO[1])),
        (Shift("likely", "may", "never", 3), (Change("likely", "never", 3), Change("likely", "maybe", 4), TWO[1])),
        (Shift("likely", "maybe", "likely", 9), (TWO[0], TWO[1])),
        (Shift("absent", "absent", "maybe", 5), (*TWO, Change("absent", "maybe", 5))),
        (Shift("absent", "maybe", "may", 5), TWO),
        (Shift("likely", "may", "may", 5), TWO),
    ],
)
def test_shares_go_from_word_to_word(shift: Shift, after: tuple[Change, ...]) -> None:
    assert shifted(TWO, shift) == after
    shares = shares_of(shifted(TWO, shift))
    assert shares is not None
    assert all(sum(of.values()) <= 1 for of in shares.values())


def test_impossible_shares_are_known() -> None:
    assert shares_of((Change("likely", "may", 6), Change("likely", "maybe", 5))) is None
    assert shares_of((Change("likely", "likely", 6), Change("may", "maybe", 0))) == {}
    assert slid(TWO, (TWO[0], TWO[1], Change("likely", "maybe", 6))) == 2
    assert slid(TWO, (TWO[0], TWO[1], Change("likely", "never", 4))) == -1
    assert slid(TWO, TWO) == slid(TWO, TWO[:2]) == -1


def test_nothing_moves_under_the_pointer(qtbot: QtBot) -> None:
    """Whatever is said tomorrow, all words fit, and words of today stay where they are."""
    editor = PlanEditor()
    qtbot.addWidget(editor)
    words = tuple(f"word {i}" for i in range(18))
    uses = tuple(float(n) for n in (400, 3, 1, 80, 0, 0, 12, 7, 0, 30, 2, 0, 0, 55, 0, 0, 9, 1))
    costs = CostTable(words, tuple(1 - i / 17 for i in range(18)), uses, (), ())
    editor.resize(700, max(520, editor.minimumSizeHint().height()))
    places = set()
    for target in (None, *words):
        changes = {} if target is None else {w: {target: 1.0} for w in words if w != target}
        editor.set_plan(work.by_hand(costs, changes))
        editor.resize(700, max(520, editor.minimumSizeHint().height()))
        places.add(tuple((k[1], r.top(), r.height()) for k, r in editor._rows.items() if k[0] == "today"))
        bottom = max(r.bottom() for r in editor._rows.values())
        assert bottom <= editor.height()
        assert {k[1] for k in editor._rows if k[0] == "tomorrow"} == set(words)
    assert len(places) == 1


def test_what_is_missing_is_said(open_page: Any) -> None:
    page = open_page(None)
    assert page.is_empty
    assert "Choose a radiologist" in page.empty_text
    nothing = replace(page.shell.opened, groups={}, reason="None of 7 pairs has a statement.")
    page.shell.session.current = nothing
    page.show_department(nothing)
    assert "None of 7 pairs" in page.empty_text
    gone: list[str] = []
    page.shell.go_wanted.connect(lambda stage, _where: gone.append(stage))
    page.empty_button.click()
    assert gone == ["import"]
    page.show_department(None)
    assert page.is_empty


def test_dates_without_findings_are_left_by_a_button(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    n = page.shell.opened.groups[EDEMA.group].reliability.n
    page.shell.set_selection(replace(EDEMA, days=Days(date(2031, 2, 1))))
    qtbot.waitUntil(lambda: page.is_empty)
    assert page.empty_text == (
        f"Avery has no findings on edema on the chosen dates: since 2/1/31.\nOn all dates together: {n:.0f}."
    )
    page.shell.choose_wanted.connect(page.shell.set_selection)
    page.empty_button.setFocus()
    page.empty_button.click()
    assert page.shell.selection == EDEMA
    qtbot.waitUntil(lambda: not page.is_empty)
    assert keyboard.is_in(page)
    assert page.window().focusWidget() is not page.empty_button
    # Another empty state has its own way out, or none.
    page.show_empty("There is nothing.")
    assert not page.empty_button.isVisible()


def test_failures_are_told_in_place(open_page: Any, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_page()

    def ask_and_fail(error: Exception) -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise error

        monkeypatch.setattr(Alternatives, "advice", fail)
        page.ask()

    ask_and_fail(DataError("Avery said nothing about edema in these days. Choose other days."))
    qtbot.waitUntil(lambda: page.is_empty)
    assert "Choose other days" in page.empty_text
    ask_and_fail(EngineError("The transport did not converge. Choose a smaller tau2."))
    qtbot.waitUntil(lambda: not page.is_empty)
    assert "did not converge" in page.sentences.plain.text()
    ask_and_fail(ValueError("a sentence of a report"))
    qtbot.waitUntil(lambda: page.sentences.plain.text() == "The advice could not be worked out.")


def test_nothing_is_worked_out_behind_the_scenes(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    page.hide()
    before = page.found
    page.show_selection(Selection("Brooks", "edema"))
    page.show_department(page.shell.opened)
    qtbot.wait(50)
    assert page.found is before
    assert not page.shell.tasks.is_running(LOOK)
    page.show()
    qtbot.waitUntil(lambda: page.found.view.selection.author == "Brooks")


def test_the_rail_counts_all_recommendations(shell: Shell, department: Department, qtbot: QtBot) -> None:
    page = AdvicePage(shell)
    qtbot.addWidget(page)
    with qtbot.waitSignal(page.state_changed) as texts:
        page.begin()
    assert sum(len(a.recommendations) for a in department.analysis().advices) == 1
    assert texts.args == ["1", "", "1 suggestion"]


# --- pictures and parts ------------------------------------------------------------------------------

PLANNED = FlowPlan(
    (FlowWord("likely", 0.8, 20, 8), FlowWord("may", 0.45, 10, 18), FlowWord("unlikely", 0.1, 1, 5)),
    (
        Flow("likely", "likely", 0.4, 20),
        Flow("likely", "may", 0.4, 20),
        Flow("likely", "unlikely", 0.2, 20),
        Flow("may", "may", 1.0, 10),
        Flow("unlikely", "unlikely", 1.0, 1),
    ),
)


def test_a_plan_is_read_in_words(qtbot: QtBot) -> None:
    flow = PlanFlow()
    qtbot.addWidget(flow)
    flow.set_plan(PLANNED)
    flow.resize(600, 320)
    flow.grab()
    # Every finding is in one band: widths add to the height of the word on both sides.
    for side, at in (("today", "source"), ("tomorrow", "target")):
        for word in PLANNED.words[:2]:
            bands = [b.width for b in flow._bands if getattr(b.flow, at) == word.name]
            assert sum(bands) == pytest.approx(flow._rows[side, word.name].height(), rel=1e-6)
    read = [flow.readout(i) for i in range(flow.count)]
    assert f"Instead of {quoted('likely')}, {quoted('may')} in 4 of 10 (40\u00a0% of 20 uses)." in read
    assert read[-1] == f"{quoted('unlikely')} stays as it is (1 use)."
    assert "4 of 10" in flow.accessibleDescription()
    flow.set_plan(None)
    flow.grab()
    assert flow.accessibleDescription() == "No word changes."


@pytest.mark.parametrize(
    ("share", "words"),
    [(1.0, "all"), (0.97, "nearly all"), (0.31, "3 of 10"), (0.06, "1 of 10"), (0.04, "fewer than 1 of 20")],
)
def test_shares_in_words(share: float, words: str) -> None:
    assert in_ten(share) == words


def test_costs_are_read_in_words_and_colours(qtbot: QtBot) -> None:
    nan = math.nan
    table = CostTable(
        ("likely", "may", "never"),
        (0.8, 0.4, 0.1),
        (20, 10, 0),
        ((0.0, -0.031, 0.2), (0.004, 0.0, -0.1), (nan, nan, nan)),
        ((0.0, 1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    )
    plot = CostHeatmap()
    qtbot.addWidget(plot)
    plot.set_table(table)
    assert plot.readout(1) == (
        f"Saying {quoted('may')} instead of {quoted('likely')} changes ECE by \u22120.03 per use (n = 20)."
    )
    assert plot.readout(6) == f"{quoted('never')} was never said here."
    blue, orange = plot.colour(-0.2, 0.2), plot.colour(0.2, 0.2)
    assert blue.blue() > blue.red()
    assert orange.red() > orange.blue()
    plot.set_table(None)
    plot.grab()


def test_a_slider_has_a_place_for_every_value(qtbot: QtBot) -> None:
    slider = Slider("&Price", "what it is", (0.0, 0.5, 1.0))
    qtbot.addWidget(slider)
    moved: list[float] = []
    slider.moved.connect(moved.append)
    slider.set_value(0.37)
    assert (slider.value, slider.figure.text(), moved) == (0.37, "0.37", [])
    qtbot.keyClick(slider.bar, Qt.Key.Key_Right)
    assert moved == [0.5]
    slider.set_value(0.5)
    assert slider.bar.maximum() == 2, "a value that is no more shown has no place"
    assert slider.bar.accessibleName() == "Price"
