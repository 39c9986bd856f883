"""A gold set goes to a reader without the workspace, is read in the window, and comes back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from radcal.system.kinds import FileKind
from ui.pages.review.page import ReviewPage
from ui.stages import stages
from ui.widgets.messages import Message
from ui.window.main_window import MainWindow

KEY = Qt.Key
PASSPHRASE = "correct horse battery"


@pytest.fixture
def department(analysed: Path, tmp_path: Path) -> Path:
    """A workspace with a gold set of three reports."""
    path = Path(shutil.copy(analysed, tmp_path / "department.radcal"))
    with open_department(path, PASSPHRASE) as opened:
        opened.gold.draw(3)
    return path


def review_of(qtbot: QtBot, window: MainWindow, path: Path, passphrase: str) -> ReviewPage:
    window.session.open_workspace(path, passphrase, lambda failure: pytest.fail(failure.text))
    qtbot.waitUntil(lambda: window.session.current is not None and window.session.current.path == path.resolve())
    window.show_page("review")
    page: ReviewPage = window.page("review")
    qtbot.waitUntil(lambda: page.standing is not None and page.shell.tasks.is_idle)
    return page


def make(qtbot: QtBot, page: ReviewPage, out: Path) -> str:
    """Make a review file from the dialog; its passphrase."""
    page.show_files()
    dialog = page.files
    assert dialog is not None
    assert not dialog.make.isEnabled()
    dialog.name.setEditText("AB")
    assert dialog.make.isEnabled()
    dialog.blind.setChecked(True)
    dialog._chosen("AB", str(out))
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 1 and page.shell.tasks.is_idle)
    assert "give it to AB apart from the file" in dialog.outcome.text()
    handed = dialog.model.rows[0]
    dialog.accept()
    return str(handed.key)


def press(qtbot: QtBot, page: ReviewPage, *keys: Any, with_: Any = Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        qtbot.keyClick(page.read.text, key, with_)


def add(qtbot: QtBot, page: ReviewPage) -> None:
    """Add a finding to the first sentence, from the keyboard."""
    press(qtbot, page, KEY.Key_N, KEY.Key_Return)
    chooser = page.read.findings.chooser
    qtbot.keyClicks(chooser.field, "edema")
    qtbot.keyClick(chooser.field, KEY.Key_Return)
    qtbot.keyClick(page.read.findings.phrases, KEY.Key_Return)
    press(qtbot, page, KEY.Key_Escape)


def test_a_blind_reader_reads_in_the_window_and_the_answers_come_back(
    qtbot: QtBot, open_window: Callable[..., MainWindow], department: Path, tmp_path: Path
) -> None:
    window = open_window()
    page = review_of(qtbot, window, department, PASSPHRASE)
    out = tmp_path / "review-ab.radcal"
    passphrase = make(qtbot, page, out)

    page = review_of(qtbot, window, out, passphrase)
    assert set(window.rail.offered()) == {"review", "settings", "help"}
    assert window.session.current is not None
    assert window.session.current.kind is FileKind.REVIEW
    assert window.messages.shown() == ()
    assert window.current_key == "review"
    qtbot.waitUntil(lambda: page.session is not None)
    session = page.session
    assert session is not None
    assert (session.reader, session.blind, session.apart) == ("AB", True, True)
    assert not page.tabs.isVisible()
    offered = [a.text() for a in page.menu.actions() if a.isVisible() and not a.isSeparator()]
    assert offered == ["All keys"]
    assert "close RadCal and send the file back" in page.sentence.text()
    assert "Report 1 of 3" in page.read.head.place.text()
    assert page.read.head.place.text().count("\u00b7") == 1  # no number of the report
    assert "software" not in page.read.findings.hint.text()

    add(qtbot, page)
    press(qtbot, page, KEY.Key_Return, with_=Qt.KeyboardModifier.ControlModifier)
    assert session.current == 1  # on to the next: there is nothing to compare with
    press(qtbot, page, KEY.Key_Return, with_=Qt.KeyboardModifier.ControlModifier)
    assert session.finished == 1  # whether it states nothing is asked first
    assert "really state nothing" in page.read.findings.hint.text()
    page.read.findings.nothing.click()
    assert session.finished == 2
    page.undo_stack.undo()
    assert session.finished == 1
    page.undo_stack.redo()
    press(qtbot, page, KEY.Key_Right)
    add(qtbot, page)
    press(qtbot, page, KEY.Key_Return, with_=Qt.KeyboardModifier.ControlModifier)
    assert session.finished == 3
    assert "send review-ab.radcal back" in page.sentence.text()
    assert not page.read.head.accuracy.isVisible()
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle and not len(page.outbox))
    for stage in stages():  # pages that are not offered are made in the background, too
        window.page(stage.key)
        if stage.key in window.rail.offered():
            window.show_page(stage.key)
            qtbot.wait(20)
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert window.messages.shown() == ()

    page = review_of(qtbot, window, department, PASSPHRASE)
    page.merge_file(str(out))
    qtbot.waitUntil(lambda: window.messages.text(Message.TAKEN_IN) != "" and page.shell.tasks.is_idle)
    assert "AB has done 3 of 3 reports" in window.messages.text(Message.TAKEN_IN)
    assert Message.NOT_TAKEN_IN not in window.messages.shown()
    assert page.standing is not None
    assert page.standing.finished == {"AB": 3}
    page.merge_file(str(out))
    qtbot.waitUntil(lambda: "nothing new of AB" in window.messages.text(Message.TAKEN_IN))
    gold = page.shell.opened.department.gold  # type: ignore[union-attr]
    answers = gold.answers("AB").values()
    assert [len(a.statements) for a in answers] == [1, 0, 1]
    assert not any(a.in_sight for a in answers)
    page.show_files()
    assert page.files is not None
    qtbot.waitUntil(lambda: page.files is not None and page.files.model.rowCount() == 1)
    assert page.files.model.rows[0].returned
    page.files.reject()


def test_a_file_that_is_none_is_told(
    qtbot: QtBot, open_window: Callable[..., MainWindow], department: Path, tmp_path: Path
) -> None:
    window = open_window()
    page = review_of(qtbot, window, department, PASSPHRASE)
    page.merge_file(str(shutil.copy(department, tmp_path / "other.radcal")))
    qtbot.waitUntil(lambda: Message.WORK_FAILED in window.messages.shown())
    assert "no review file that this workspace handed out" in window.messages.text(Message.WORK_FAILED)
    page.show_files()
    assert page.files is not None
    page.files._chosen("AB", str(department))
    qtbot.waitUntil(lambda: page.files is not None and "exists" in page.files.outcome.text())
    page.files.reject()
