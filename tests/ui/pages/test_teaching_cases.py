"""A case becomes a teaching case in one click and a look; the meeting's list is edited and made into slides."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from radcal.department import Department
from radcal.system.selection import Selection
from ui.pages.feedback.meeting_tab import MeetingTab
from ui.pages.feedback.page import FeedbackPage
from ui.pages.results.cases.panel import CasesPanel
from ui.pages.results.page import ResultsPage
from ui.shell import Shell
from ui.widgets.messages import Message
from ui.widgets.teaching_case import TeachingCaseDialog

Show = Callable[..., Any]
EDEMA = Selection("Avery", "edema")


@pytest.fixture
def results(qtbot: QtBot, show_page: Show, shell: Shell) -> ResultsPage:
    """The reports of a case worded "likely"."""
    page: ResultsPage = show_page(ResultsPage, shell)
    page.arrive(phrase="likely")
    qtbot.waitUntil(lambda: page.cases.model.rowCount() > 80)
    page.cases.show_case()
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    return page


@pytest.fixture
def cases(results: ResultsPage) -> CasesPanel:
    return results.cases


def dialog_of(qtbot: QtBot, page: Any) -> TeachingCaseDialog:
    qtbot.waitUntil(lambda: page.findChild(TeachingCaseDialog) is not None)
    found: TeachingCaseDialog = page.findChild(TeachingCaseDialog)
    return found


def test_a_case_is_added_after_a_look_and_can_be_taken_back(
    qtbot: QtBot, cases: CasesPanel, results: ResultsPage, shell: Shell, department: Department
) -> None:
    asked: list[tuple[object, object]] = []
    shell.go_wanted.connect(lambda page, where: asked.append((page, where)))
    QTest.keyClick(cases.case.xray.text, Qt.Key.Key_M)
    dialog = dialog_of(qtbot, cases.case)
    row = cases.model.row(0)
    assert row.xray_sentence in dialog.xray.toPlainText()
    assert row.ct_sentence in dialog.ct.toPlainText()
    dialog.xray.setPlainText(" ")
    assert not dialog.go.isEnabled()
    dialog.xray.setPlainText(f"Cut down.\n{row.xray_sentence}")
    dialog.question.setText("How sure are you?")
    dialog.point.setText("x" * 400)
    dialog.accept()
    qtbot.waitUntil(lambda: Message.IN_MEETING in shell.messages.shown())
    (case,) = department.meeting.cases()
    assert (case.topic, case.phrase, case.xray) == ("edema", "likely", f"Cut down. {row.xray_sentence}")
    assert (case.question, case.point) == ("How sure are you?", "x" * 300)
    shell.messages.press(Message.IN_MEETING)
    assert asked == [("feedback", {"tab": "meeting"})]
    # Once more: the case as it is kept, and it stays one.
    cases.case.meeting.click()
    again = dialog_of(qtbot, cases.case)
    assert again.question.text() == "How sure are you?"
    again.question.clear()
    again.accept()
    qtbot.waitUntil(lambda: department.meeting.cases()[0].question == "")
    assert len(department.meeting.cases()) == 1
    results.undo_stack.undo()
    qtbot.waitUntil(lambda: department.meeting.cases()[0].question == "How sure are you?")
    results.undo_stack.undo()
    qtbot.waitUntil(lambda: department.meeting.cases() == ())


def test_what_is_suspect_is_shown_before_it_is_added(
    qtbot: QtBot, cases: CasesPanel, shell: Shell, department: Department, monkeypatch: pytest.MonkeyPatch
) -> None:
    from radcal.feedback.meeting import Meeting, Proposed

    real = Meeting.propose

    def proposed(meeting: Meeting, *which: Any) -> Proposed:
        made = real(meeting, *which)
        return Proposed(made.case, ("interstitial", "septal"))

    monkeypatch.setattr(Meeting, "propose", proposed)
    cases.case.meeting.click()
    dialog = dialog_of(qtbot, cases.case)
    assert "\u201cinterstitial\u201d and \u201cseptal\u201d" in dialog.suspects.text()
    marked = [s.cursor.selectedText() for field in (dialog.xray, dialog.ct) for s in field.extraSelections()]
    assert set(marked) <= {"interstitial", "septal"}
    assert "interstitial" in marked
    dialog.reject()
    assert department.meeting.cases() == ()


def add(department: Department, n: int) -> list[str]:
    ids = department.groups.evidence(EDEMA, ("likely",))["xray_id"].tolist()[:n]
    for i, xray_id in enumerate(ids):
        department.meeting.put(department.meeting.propose(EDEMA, "likely", xray_id).case, i)
    return ids


@pytest.fixture
def page(qtbot: QtBot, show_page: Show, shell: Shell, department: Department) -> FeedbackPage:
    """The list with three cases."""
    add(department, 3)
    made: FeedbackPage = show_page(FeedbackPage, shell)
    made.arrive(tab="meeting")
    qtbot.waitUntil(lambda: len(made.meeting.cases) == 3)
    return made


@pytest.fixture
def tab(page: FeedbackPage) -> MeetingTab:
    return page.meeting


def test_cases_are_moved_edited_and_removed_and_all_of_it_is_undone(
    qtbot: QtBot, tab: MeetingTab, department: Department
) -> None:
    first, second, third = department.meeting.cases()
    tab.table.select_row(0)
    assert not tab.up.isEnabled()
    tab.down.click()
    qtbot.waitUntil(lambda: tab.cases == (second, first, third))
    assert tab.table.current_row() == 1, "the same case is current"
    tab.remove.click()
    qtbot.waitUntil(lambda: tab.cases == (second, third))
    tab.table.select_row(1)
    assert not tab.down.isEnabled()
    tab.change.click()
    dialog = dialog_of(qtbot, tab)
    dialog.point.setText("Haze alone is no edema.")
    dialog.accept()
    qtbot.waitUntil(lambda: tab.cases[1].point == "Haze alone is no edema.")
    assert department.meeting.cases() == tab.cases
    for was in ((second, third), (second, first, third), (first, second, third)):
        tab._undo.undo()
        qtbot.waitUntil(lambda was=was: tab.cases == was)
    assert department.meeting.cases() == (first, second, third)


def test_the_slides_are_written_as_they_are_asked_for(
    qtbot: QtBot, tab: MeetingTab, shell: Shell, tmp_path: Path, department: Department
) -> None:
    tab.title.setText("Words in March")
    tab.attended.setPlainText("Ottoline Haversham\n\n4711")
    tab.save.click()
    (asking,) = tab.findChildren(QFileDialog)
    asking.fileSelected.emit(str(tmp_path / "march.pptx"))
    asking.reject()
    qtbot.waitUntil(lambda: Message.FILE_SAVED in shell.messages.shown())
    with zipfile.ZipFile(tmp_path / "march.pptx") as archive:
        texts = {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}
    assert "Words in March" in texts["ppt/slides/slide1.xml"]
    assert [name for name in texts if "Haversham" in texts[name]] == ["ppt/slides/slide9.xml"]
    assert "4711" in texts["ppt/slides/slide9.xml"]
    assert any(
        e.what == "exported slides of a meeting as PowerPoint: march.pptx" for e in department.workspace.entries()
    )
    tab.forget()
    assert not tab.attended.toPlainText()
    assert not tab.save.isEnabled()


def test_in_a_workspace_open_to_read_only_slides_are_made_and_cases_stay(
    qtbot: QtBot, make_shell: Callable[..., Shell], chest: Path, show_page: Show
) -> None:
    from radcal.opening import open_department

    with open_department(chest, "correct horse battery") as department:
        add(department, 1)
    page: FeedbackPage = show_page(FeedbackPage, make_shell(chest, read_only=True))
    page.arrive(tab="meeting")
    qtbot.waitUntil(lambda: len(page.meeting.cases) == 1)
    assert not any(
        b.isEnabled() for b in (page.meeting.change, page.meeting.remove, page.meeting.up, page.meeting.down)
    )
    assert page.meeting.save.isEnabled()
