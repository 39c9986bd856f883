"""The advice page over a small real department."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from radcal.advice.alternatives import Alternatives
from radcal.advice.records import Baseline, Baselines
from radcal.department import Department
from radcal.system.errors import DataError, EngineError
from radcal.system.estimates import Estimate
from radcal.system.selection import Days, Selection
from radcal.system.settings import Settings
from ui.kit import keyboard
from ui.pages.advice.changes import Change, shares_of
from ui.pages.advice.controls import Slider
from ui.pages.advice.numbers_view import in_short
from ui.pages.advice.page import COSTS, LOOK, OR_NUMBERS, WHAT_IF, WORDS, AdvicePage, work
from ui.plots.plan_flow import PlanFlow, in_ten
from ui.shell import Shell
from ui.words import quoted

WORDS_SAID = {
    ("Avery", "edema"): {"likely": (200, 88), "absent": (100, 1), "maybe": (4, 1), "unlikely": (40, 4)},
    ("Avery", "fracture"): {"maybe": (9, 3), "present": (5, 5)},
    ("Brooks", "edema"): {"likely": (50, 41), "present": (61, 58)},
}
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
    for tab in range(4):
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
    qtbot.waitUntil(lambda: page.numbers.table.model.rowCount() == 6)
    names = [page.numbers.table.model.index(i, 0).data() for i in range(6)]
    assert names[:2] == ["words, unchanged", "words, as advised"]
    assert names[-1] == "numbers, isotonic regression"
    (was, plan, *_) = page.numbers.table.model.rows
    test = page.found.view.advice.test
    assert (was.brier.value, plan.brier.value) == pytest.approx((test.brier_before, test.brier_after))
    assert page.numbers.table.model.index(1, 1).data().startswith(f"{plan.brier.value:.3f} (")
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
    model = page.table.model
    headers = [model.headerData(c, Qt.Orientation.Horizontal) for c in range(model.columnCount())]
    cells = [[model.index(r, c).data() for c in range(model.columnCount())] for r in range(model.rowCount())]
    text = {row[0]: dict(zip(headers, row, strict=True)) for row in cells}
    assert list(text) == ["likely", "maybe", "unlikely", "absent"]
    assert text["likely"]["said"] == "200"
    assert text["likely"]["say instead"] == quoted("may represent")
    assert text["likely"]["sure"].endswith("%")
    assert text["maybe"]["note"] == "4 uses; advice needs 10."
    assert text["absent"]["note"].startswith("matches what readers take it to mean, ")
    for column in range(len(headers)):
        page.table.view.sortByColumn(column, Qt.SortOrder.AscendingOrder)
    page.table.view.sortByColumn(headers.index("said"), Qt.SortOrder.DescendingOrder)
    assert page.table.proxy.index(0, 0).data() == "likely"
    gone: list[Any] = []
    page.shell.go_wanted.connect(lambda stage, where: gone.append((stage, where)))
    page.table.view.setCurrentIndex(page.table.proxy.index(1, 0))
    qtbot.keyClick(page.table.view, Qt.Key.Key_Return)
    assert gone == [("evidence", {"phrase": "absent"})]
    model.set_rows(())
    assert model.rowCount() == 0


def test_what_if_by_keyboard(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    page.tabs.turn_to(WHAT_IF)
    panel = page.what_if
    panel.reset.click()
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


def test_what_if_starts_from_the_advice_and_warns(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    page.tabs.turn_to(WHAT_IF)
    panel = page.what_if
    assert panel.changes == (Change("likely", "may represent", 10),)
    assert changed(panel.flow) == changed(page.flow)
    qtbot.waitUntil(lambda: "regression to the mean" in panel.result.text() and panel.both.plots is not None)
    before, after = panel.both.plots
    assert [before.accessibleName(), after.accessibleName()] == ["As the words were said", "As you changed them"]
    assert [before.readout(i) for i in range(before.count)] != [after.readout(i) for i in range(after.count)]
    panel.rows[0].target.setCurrentIndex(panel.rows[0].target.findData("very unlikely"))
    panel.add.click()
    row = panel.rows[1]
    row.source.setCurrentIndex(row.source.findData("maybe"))
    row.target.setCurrentIndex(row.target.findData("may represent"))
    qtbot.waitUntil(lambda: "The order of words would turn" in panel.warnings.text())
    assert "regression to the mean" not in panel.result.text()
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


def test_a_plan_by_hand_is_the_one_that_is_measured(open_page: Any, qtbot: QtBot) -> None:
    page = open_page()
    words = page.found.vocabulary
    changes = {"likely": {"maybe": 0.3, "unlikely": 0.2}, "absent": {"unlikely": 1.0}}
    drawn = work.by_hand(words, changes)
    view = page.shell.opened.department.alternatives.what_if(EDEMA, changes)
    place = {p.name: k for k, p in enumerate(view.phrases)}
    assert {f.source for f in drawn.flows} == {"likely", "maybe", "unlikely", "absent"}
    for f in drawn.flows:
        assert f.share == pytest.approx(view.plan[place[f.source], place[f.target]])
    assert sum(f.share for f in drawn.flows) == pytest.approx(4)
    uses = {w.name: w.today for w in words}
    for word in drawn.words:
        expected = sum(view.plan[place[s], place[word.name]] * uses[s] for s in uses)
        assert word.tomorrow == pytest.approx(expected)
    assert sum(w.tomorrow for w in drawn.words) == pytest.approx(sum(uses.values()))


def test_impossible_shares_are_known() -> None:
    assert shares_of((Change("likely", "may", 6), Change("likely", "maybe", 5))) is None
    assert shares_of((Change("likely", "likely", 6), Change("may", "maybe", 0))) == {}


def test_every_substitution_has_its_cost(open_page: Any) -> None:
    page = open_page()
    page.tabs.turn_to(COSTS)
    view, model = page.found.view, page.costs.model
    place = {p.name: k for k, p in enumerate(view.phrases)}
    assert len(model.rows) == len(WORDS_SAID["Avery", "edema"]) * (len(view.phrases) - 1)
    cost = {(s.source, s.target): s.cost for s in model.rows}
    assert cost["likely", "maybe"] == view.advice.cost[place["likely"], place["maybe"]]
    advised = [[model.index(row, c).data() for c in (0, 2, 4)] for row in range(model.rowCount())]
    assert [cells for cells in advised if cells[2]] == [["likely", "may represent", "all"]]


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


@pytest.mark.parametrize(
    ("share", "words"),
    [(1.0, "all"), (0.97, "nearly all"), (0.31, "3 of 10"), (0.06, "1 of 10"), (0.04, "fewer than 1 of 20")],
)
def test_shares_in_words(share: float, words: str) -> None:
    assert in_ten(share) == words


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
