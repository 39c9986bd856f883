"""What if: other words, other settings, numbers, over a small real department."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from radcal.advice.alternatives import Alternatives
from radcal.advice.records import Baseline, Baselines
from radcal.system.errors import EngineError
from radcal.system.estimates import Estimate
from radcal.system.selection import Selection
from radcal.system.settings import ALL_TOPICS, Settings
from ui.kit.opening import Opening
from ui.pages.results.page import ResultsPage
from ui.pages.results.what_if import work
from ui.pages.results.what_if.changes import Change, shares_of
from ui.pages.results.what_if.tab import LOOK
from ui.pages.results.what_if.what_follows import numbers
from ui.plots.plan_flow import PlanFlow, in_ten
from ui.shell import Shell

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
def open_tab(make_shell: Callable[..., Shell], qtbot: QtBot, chest: Path) -> Callable[..., ResultsPage]:
    """The tab of the page, once the advice has come, with all headings open."""
    kept: list[ResultsPage] = []

    def show(selection: Selection = EDEMA, *, read_only: bool = False) -> ResultsPage:
        shell = make_shell(chest, read_only=read_only)
        page = ResultsPage(shell)
        kept.append(page)
        qtbot.addWidget(page, before_close_func=lambda _: qtbot.waitUntil(lambda: shell.tasks.is_idle))
        page.resize(1200, 760)
        page.begin()
        page.show()
        shell.set_selection(selection)
        page.arrive(tab="what if")
        for heading in page.what_if.findChildren(Opening):
            heading.unfold()
        qtbot.waitUntil(lambda: page.what_if.found is not None and shell.tasks.is_idle)
        return page

    return show


def changed(flow: PlanFlow) -> list[tuple[str, ...]]:
    """The words of the bands that lead to another word."""
    read = map(flow.readout, range(flow.count))
    return [tuple(re.findall("\u201c(.+?)\u201d", text)[:2]) for text in read if text.startswith("Instead of")]


def _moved(page: Any, qtbot: QtBot, name: str, value: float) -> None:
    """Choose a value as a user does and wait for the advice."""
    box = page.what_if.controls.boxes[name]
    before = page.what_if.found
    box.setCurrentIndex(box.findData(value))
    qtbot.waitUntil(lambda: page.what_if.found is not before)


def test_what_is_tried_stays_here(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab()
    _moved(page, qtbot, "sure", 0.5)
    controls = page.what_if.controls
    assert page.what_if.found.view.settings.sure == 0.5
    assert page.what_if.tried.text().startswith("With these settings: ")
    assert not controls.note.isHidden()
    controls.reset.click()
    qtbot.waitUntil(lambda: page.what_if.found.view.settings == QUICK)
    assert not controls.reset.isEnabled()
    assert page.what_if.tried.isHidden()
    assert controls.note.isHidden()


@pytest.mark.slow
def test_what_was_tried_is_undone_setting_by_setting(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab()
    controls = page.what_if.controls
    box = controls.boxes["max_steps"]
    start = box.currentData()
    for steps in (9, 8, 7):
        box.setCurrentIndex(box.findData(steps))
    _moved(page, qtbot, "sure", 0.5)
    controls.reset.click()
    assert page.undo_stack.count() == 3
    page.undo_stack.undo()
    assert controls.overrides() == {"sure": 0.5, "max_steps": 7}
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: page.what_if.found.view.settings == QUICK.changed(max_steps=7))
    page.undo_stack.undo()
    assert box.currentData() == start
    assert controls.overrides() == {}
    qtbot.waitUntil(lambda: page.what_if.found.view.settings == QUICK)
    assert not page.undo_stack.canUndo()
    page.undo_stack.redo()
    assert controls.overrides() == {"max_steps": 7}


def test_the_latest_of_many_choices_wins(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab()
    box = page.what_if.controls.boxes["min_phrase_n"]
    for place in range(box.count() - 1, -1, -3):
        box.setCurrentIndex(place)
    box.setCurrentIndex(0)
    qtbot.waitUntil(lambda: page.what_if.found.view.settings.min_phrase_n == 1)


@pytest.mark.slow
def test_settings_are_used_for_all_and_back_again(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab()
    department = page.shell.opened.department
    shown: list[object] = []
    page.shell.opened_changed.connect(shown.append)
    page.shell.opened_changed.connect(page.show_department)
    assert not page.what_if.controls.keep.isEnabled()
    _moved(page, qtbot, "max_steps", 3.0)
    page.what_if.controls.keep.setFocus()
    QTest.keyClick(page.what_if.controls.keep, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(shown) == 1)
    assert department.settings == QUICK.changed(max_steps=3)
    # What was tried is the department's own setting now.
    qtbot.waitUntil(lambda: page.what_if.found.department.max_steps == 3)
    assert not page.what_if.controls.keep.hasFocus()
    assert page.what_if.controls.overrides() == {}
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: len(shown) == 2)
    assert department.settings == QUICK
    page.undo_stack.redo()
    qtbot.waitUntil(lambda: len(shown) == 3)
    assert department.settings.max_steps == 3


def test_read_only_workspaces_keep_their_settings(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab(read_only=True)
    _moved(page, qtbot, "max_steps", 3.0)
    assert not page.what_if.controls.keep.isEnabled()
    assert "read only" in page.what_if.controls.keep.toolTip()
    assert page.what_if.controls.reset.isEnabled()


def test_the_published_method_has_its_own_price(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab()
    page.what_if.controls.boxes["solver"].setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.what_if.found.view.settings.solver == "paper")
    assert not page.what_if.controls.boxes["tau2"].isHidden()
    assert page.what_if.controls.boxes["sure"].isHidden()


@pytest.mark.parametrize(
    ("beyond", "said"),
    [
        ((0.004, 0.001, 0.007), "Yes: the error falls by another 0.001\u20130.007"),
        ((0.004, -0.002, 0.010), "No clear difference"),
        ((-0.006, -0.01, -0.002), "No: the error rises by 0.002\u20130.010"),
    ],
)
def test_whether_numbers_would_be_closer_is_one_sentence(beyond: tuple[float, float, float], said: str) -> None:
    score = Estimate(0.2, 0.1, 0.3)
    method = Baseline("platt", score, score, score, None, score, Estimate(*beyond), Estimate(0.001, -0.001, 0.003))
    assert numbers(Baselines(100.0, (method,)), 30).startswith(said)
    assert "cannot be compared" in numbers(Baselines(100.0, (replace(method, brier=None),)), 30)
    assert numbers(None, 30) == "Not enough data: that is compared from 30 findings on."


def test_words_are_compared_with_numbers_on_request(open_tab: Any, qtbot: QtBot, find: Any) -> None:
    page = open_tab()
    find(page.what_if, QPushButton, "Compare words with numbers").click()
    qtbot.waitUntil(lambda: "findings not used to make them" in page.what_if.numbers.text())


def test_what_if_by_keyboard(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab()
    panel = page.what_if.changing
    panel.reset.click()
    qtbot.waitUntil(lambda: panel.result.text().endswith(" points, on these 344 findings."))
    panel.add.setFocus()
    qtbot.keyClick(panel.add, Qt.Key.Key_Space)
    (change,) = panel.changes
    assert (change.source, change.tenths) == ("likely", 5)
    qtbot.waitUntil(lambda: ", then by " in panel.result.text())
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
    assert changed(panel.flow) == []
    page.undo_stack.redo()
    assert len(panel.changes) == 1


def test_what_if_starts_from_the_advice_and_warns(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab()
    panel = page.what_if.changing
    assert panel.changes == (Change("likely", "may represent", 10),)
    assert changed(panel.flow) == [("likely", "may represent")]
    qtbot.waitUntil(lambda: "expect less" in panel.result.text())
    panel.rows[0].target.setCurrentIndex(panel.rows[0].target.findData("very unlikely"))
    panel.add.click()
    row = panel.rows[1]
    row.source.setCurrentIndex(row.source.findData("maybe"))
    row.target.setCurrentIndex(row.target.findData("may represent"))
    qtbot.waitUntil(lambda: "The order of words would turn" in panel.warnings.text())
    assert "expect less" not in panel.result.text()
    row.source.setCurrentIndex(row.source.findData("likely"))
    assert "more than 10 of 10" in panel.warnings.text()
    panel.rows[0].removed.emit()
    assert len(panel.changes) == len(panel.rows) == 1
    assert "more than 10 of 10" not in panel.warnings.text()
    # Another group: the changes of the last one are gone.
    page.shell.set_selection(Selection("Brooks", "edema"))
    qtbot.waitUntil(lambda: page.what_if.found.view.selection.author == "Brooks" and panel.changes == ())
    assert panel.rows == []


def test_hedging_a_right_no_is_neither_rewarded_nor_left_without_a_word(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab()
    panel = page.what_if.changing
    panel.reset.click()
    panel.add.click()
    row = panel.rows[0]
    row.source.setCurrentIndex(row.source.findData("absent"))
    row.target.setCurrentIndex(row.target.findData("unlikely"))
    row.tenths.setValue(10)
    qtbot.waitUntil(lambda: "by 20 points, then by 22" in panel.result.text())
    assert "closer" not in panel.result.text()
    assert "Fine as it is, by what CT found: \u201cabsent\u201d" in panel.warnings.text()


def test_what_is_advised_over_all_pathologies_is_in_the_plan(open_tab: Any) -> None:
    view = open_tab().what_if.found.view
    judged = view.judged
    (likely,) = (j for j in judged.words if j.name == "likely")
    shared = replace(likely, over=ALL_TOPICS, advice=replace(likely.advice, target="maybe"))
    words = tuple(shared if j is likely else j for j in judged.words)
    told = replace(view, judged=replace(judged, words=words))
    assert work.advised(told) == {"likely": {"maybe": 1.0}}
    untold = tuple(replace(j, advice=None, over="") for j in judged.words)
    assert work.advised(replace(view, judged=replace(judged, words=untold))) == {}, "nothing is drawn that is not said"


def test_a_plan_by_hand_is_the_one_that_is_measured(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab()
    words = page.what_if.found.vocabulary
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


def test_failures_are_told_in_place(open_tab: Any, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_tab()

    def ask_and_fail(error: Exception) -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise error

        monkeypatch.setattr(Alternatives, "advice", fail)
        page.what_if.ask()

    ask_and_fail(EngineError("The transport did not converge. Choose a smaller tau2."))
    qtbot.waitUntil(lambda: "did not converge" in page.what_if.problem.text())
    ask_and_fail(ValueError("a sentence of a report"))
    qtbot.waitUntil(lambda: page.what_if.problem.text() == "The advice could not be worked out.")


def test_nothing_is_worked_out_behind_the_scenes(open_tab: Any, qtbot: QtBot) -> None:
    page = open_tab()
    page.hide()
    before = page.what_if.found
    page.shell.set_selection(Selection("Brooks", "edema"))
    page.show_department(page.shell.opened)
    qtbot.wait(50)
    assert page.what_if.found is before
    assert not page.shell.tasks.is_running(LOOK)
    page.show()
    qtbot.waitUntil(lambda: page.what_if.found.view.selection.author == "Brooks")


@pytest.mark.parametrize(
    ("share", "words"),
    [(1.0, "all"), (0.97, "nearly all"), (0.31, "3 of 10"), (0.06, "1 of 10"), (0.04, "fewer than 1 of 20")],
)
def test_shares_in_words(share: float, words: str) -> None:
    assert in_ten(share) == words
