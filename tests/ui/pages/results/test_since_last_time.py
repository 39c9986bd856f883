"""A radiologist's file: new cases answered one by one, a goal picked, and both back in the department."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from ui.pages.feedback.page import FeedbackPage
from ui.pages.results.cases.models import FindingColumn
from ui.pages.results.page import ResultsPage
from ui.shell import Shell
from ui.widgets.goal import GoalDialog
from ui.widgets.messages import Message
from ui.window.main_window import MainWindow

PASSPHRASE, OWN = "correct horse battery", "own words of hers"
PLAN = "In portable films I will write it so."


def opened(qtbot: QtBot, window: MainWindow, path: Path, passphrase: str) -> ResultsPage:
    window.session.open_workspace(path, passphrase, lambda failure: pytest.fail(failure.text))
    qtbot.waitUntil(lambda: window.session.current is not None and window.session.current.path == path.resolve())
    window.show_page("results")
    page: ResultsPage = window.page("results")
    qtbot.waitUntil(lambda: page.cases.found is not None and page.shell.tasks.is_idle)
    return page


def test_new_cases_are_answered_and_a_goal_is_picked_and_both_come_back(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path, tmp_path: Path
) -> None:
    with open_department(chest, PASSPHRASE) as department:
        packet = department.personal_files.write("Avery", tmp_path / "own.radcal", OWN)
        new = department.new_cases.of("Avery").cases
    window = open_window()
    page = opened(qtbot, window, packet, OWN)
    assert page.new.isVisible()
    assert page.new.text() == f"{len(new)} cases worth a look"
    page.new.click()
    cases = page.cases
    qtbot.waitUntil(lambda: cases.heading.text() == page.new.text() and page.shell.tasks.is_idle)
    assert [row.xray_id for row in cases.model.rows] == [case.xray_id for case in new]
    assert cases.table.isColumnHidden(FindingColumn.AUTHOR)
    assert not cases.table.isColumnHidden(FindingColumn.TOPIC)

    # The first is agreed with, the second as well with a note, the third contested.
    cases.list.select_row(0)
    cases.show_case()
    qtbot.waitUntil(lambda: cases.shows_case and page.shell.tasks.is_idle)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(cases.case.xray.text, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: cases.model.row(0).agreed == "" and page.shell.tasks.is_idle)
    assert cases.case.place.text() == f"2 of {len(new)}"
    for key, note in ((Qt.Key.Key_A, "Subtle."), (Qt.Key.Key_C, "Says the opposite.")):
        shift = Qt.KeyboardModifier.ShiftModifier if key == Qt.Key.Key_A else Qt.KeyboardModifier.NoModifier
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        QTest.keyClick(cases.case.xray.text, key, shift)
        dialog = next(d for d in window.findChildren(QInputDialog) if d.isVisible())
        dialog.setTextValue(note)
        dialog.accept()
        qtbot.waitUntil(lambda note=note: note in cases.case.contest.text() and page.shell.tasks.is_idle)  # type: ignore[misc]
        if key == Qt.Key.Key_A:
            assert cases.case.contest.text() == "agreed: Subtle."
            cases.case.next.click()
            qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    assert cases.model.index(1, FindingColumn.CONTEST).data() == "agreed"
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: cases.model.row(2).answer is None and page.shell.tasks.is_idle)
    cases.case.left.emit()

    # A goal.
    page.choose_goal.trigger()
    dialog = page.findChild(GoalDialog)
    texts = [dialog.wanted.itemText(k) for k in range(dialog.wanted.count())]
    assert any(text.startswith("Edema: ") and text.endswith("rather than \u201clikely\u201d") for text in texts), texts
    dialog.plan.setText(PLAN)
    dialog.go.click()
    qtbot.waitUntil(lambda: page.of_goal.isVisible() and page.shell.tasks.is_idle)
    assert page.of_goal.text().startswith("Your goal: ")
    assert PLAN in page.of_goal.text()
    assert cases.save.isVisible()
    out = tmp_path / "back.radcal-contests"
    cases.save_contests(str(out))
    qtbot.waitUntil(lambda: window.messages.text(Message.TAKEN_IN) != "")

    page = opened(qtbot, window, chest, PASSPHRASE)
    assert not page.new.isVisible()
    window.take_files([out])
    qtbot.waitUntil(lambda: "agreed with" in window.messages.text(Message.TAKEN_IN) and page.shell.tasks.is_idle)
    assert "2 findings are agreed with. A goal was set." in window.messages.text(Message.TAKEN_IN)
    assert page.shell.opened is not None
    department = page.shell.opened.department
    assert {c.note for c in department.contests.agreed()} == {"", "Subtle."}
    assert department.contests.all() == ()
    goal = department.goals.current("Avery")
    assert goal is not None
    assert (goal.plan, goal.by) == (PLAN, "Avery")


def test_quality_assurance_notes_and_drops_a_goal_and_the_page_begins_with_it(
    qtbot: QtBot, shell: Shell, show_page: Callable[..., FeedbackPage]
) -> None:
    page = show_page(FeedbackPage, shell)
    paper = page.paper
    qtbot.waitUntil(lambda: paper.preview is not None and shell.tasks.is_idle)
    assert "Your goal" not in paper.preview.pages[0].text

    def asked() -> GoalDialog:
        paper.goal.trigger()
        dialog = next(d for d in paper.findChildren(GoalDialog) if d.isVisible())
        qtbot.waitUntil(lambda: shell.tasks.is_idle)
        return dialog

    dialog = asked()
    assert not dialog.drop.isVisible()
    dialog.plan.setText(PLAN)
    dialog.go.click()
    qtbot.waitUntil(lambda: "Your goal since" in paper.preview.pages[0].text and shell.tasks.is_idle)
    assert shell.opened is not None
    goal = shell.opened.department.goals.current("Avery")
    assert goal is not None
    assert (goal.plan, goal.by) == (PLAN, "")
    dialog = asked()
    assert "Too early to say" in dialog.hint.text()
    dialog.drop.click()
    qtbot.waitUntil(lambda: "Your goal" not in paper.preview.pages[0].text and shell.tasks.is_idle)
    assert shell.opened.department.goals.current("Avery") is None
