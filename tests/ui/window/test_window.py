"""The stories that a user lives through in the window, and what goes wrong in them."""

from __future__ import annotations

import gc
import shutil
import threading
import weakref
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from radcal.department import Department
from radcal.opening import open_department, open_workspace
from radcal.reports.importing import ReportFile, as_files
from radcal.reports.records import State
from radcal.system.errors import EngineError, InputError
from radcal.system.selection import Group
from radcal.workspace.errors import NoAccess, WorkspaceInUse
from radcal.workspace.lock import is_in_use
from radcal.workspace.schedule import Copied, Copies
from ui.kit.delegate import SPAN
from ui.kit.picture import picture
from ui.pages.reports.importing.sentences import place_in_file
from ui.pages.results.cases.models import FindingColumn
from ui.stages import stages
from ui.tasks import TaskState
from ui.theme import DARK, Theme
from ui.widgets.messages import Message
from ui.window import main_window
from ui.window.dialogs.new_workspace import NewWorkspaceDialog
from ui.window.dialogs.passphrase import PassphraseDialog
from ui.window.main_window import MainWindow
from ui.window.recent import RecentWorkspaces
from ui.words import typographic

PASSPHRASE = "correct horse battery"
Open = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def _few_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stages that these stories go through."""
    few = ("home", "reports", "results", "settings", "help")
    monkeypatch.setattr(main_window, "stages", lambda: (stage for stage in stages() if stage.key in few))


@pytest.fixture
def sample(qtbot: QtBot, open_window: Open, chest: Path) -> MainWindow:
    """A window on the prepared department, with its diagram drawn."""
    window = open_window(chest)
    window.show_page("results")
    card = window.page("results").card
    qtbot.waitUntil(lambda: card.plot is not None and card.plot.isVisible())
    return window


def one(window: MainWindow, kind: type[Any]) -> Any:
    return next(d for d in window.findChildren(kind) if d.isVisible())


def answer(dialog: QFileDialog, path: Path) -> None:
    """Choose this file, as by typing its name and Enter."""
    dialog.selectFile(str(path))
    dialog.accept()
    assert not dialog.isVisible()


# --- the main story --------------------------------------------------------------------------------


def test_from_the_sample_to_the_saved_page(
    qtbot: QtBot, sample: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = sample
    assert "chest" in window.windowTitle()
    page = window.page("results")
    window.selectors.choose(Group("Brooks", "edema"))
    assert "Mar 2026" in page.meta.text()
    window.selectors.choose(Group("Avery", "edema"))
    page.said.why.click()
    assert any("12 times CT found edema" in text.text() for text in page.one.why.findChildren(QLabel))
    assert page.title.text() == "Avery, edema"
    assert page.meta.text().startswith("212 findings, Jan\u2013Sep 2026, read ")
    assert "CT confirmed" in page.card.plot.readout_of_curve(0.6)

    model = page.cases.model
    for word, said, confirmed in (("may represent", 60, 29), ("likely", 87, 41)):
        place = page.one.words.proxy.mapFromSource(page.model.index(page.model.row_of(word), 0))
        where = page.table.visualRect(place).center()
        qtbot.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
        qtbot.waitUntil(lambda said=said: model.rowCount() == said)
        assert page.cases.isVisible()
        assert f"CT confirmed {confirmed} of {said}" in page.cases.heading.text()
        start, end = model.index(0, FindingColumn.XRAY).data(SPAN)
        assert model.index(0, FindingColumn.XRAY).data()[start:end] == word
    page.cases.filter.setCurrentIndex(2)
    assert model.rowCount() == 46

    out = tmp_path / "avery.pdf"
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    QTest.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    answer(one(window, QFileDialog), out)
    qtbot.waitUntil(lambda: Message.SAVED in window.messages.shown())
    assert out.exists()
    assert "Avery" in window.messages.text(Message.SAVED)
    window.messages.press(Message.SAVED)
    assert [u.toLocalFile() for u in opened] == [str(out)]
    assert window.messages.shown() == ()


def test_nothing_is_done_in_the_thread_of_the_window(
    qtbot: QtBot, open_window: Open, close: Callable[..., None], chest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[str] = set()
    for name in ("__init__", "analysis", "close"):
        method = getattr(Department, name)

        def noted(*args: Any, method: Any = method, **options: Any) -> Any:
            threads.add(threading.current_thread().name)
            return method(*args, **options)

        monkeypatch.setattr(Department, name, noted)
    window = open_window(chest)
    window.shell.go("results", phrase="likely")
    qtbot.waitUntil(lambda: window.page("results").cases.model.rowCount() > 0)
    close(window, MainWindow.close)
    assert not is_in_use(chest)
    assert threads
    assert threading.current_thread().name not in threads


REPORTS = "Accession,MRN,Exam,Exam Time,Report,Signed by\nA1,P1,XR CHEST,2026-03-01 08:00,Likely edema.,Ash\n"


def make_workspace(qtbot: QtBot, window: MainWindow, place: Path) -> None:
    """Make an empty workspace, as its dialog asks for it."""
    window.entrance.make("", place, PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None and window.current_key == "reports")


def begin_import(qtbot: QtBot, window: MainWindow, place: Path, file: Path) -> None:
    """Import a file into a new workspace, as far as the reading of its reports."""
    make_workspace(qtbot, window, place)
    window.entrance.import_reports((ReportFile(file),), pytest.fail)
    qtbot.waitUntil(lambda: "xtract" in window.task_bar.label.text())


def import_listed(qtbot: QtBot, page: Any) -> None:
    """Import what is on the list, once it is counted."""
    qtbot.waitUntil(lambda: page.primary.isEnabled() and page.importing.draft.count is not None)
    page.primary.click()


@pytest.mark.usefixtures("faulty")
def test_report_files_become_a_new_workspace(qtbot: QtBot, open_window: Open, march: Path, tmp_path: Path) -> None:
    window = open_window()
    window.ways.buttons[1].click()
    one(window, NewWorkspaceDialog).reject()
    window.take_files([march])
    page = window.page("reports")
    assert window.pages.currentWidget() is page
    import_listed(qtbot, page)
    dialog = one(window, NewWorkspaceDialog)
    assert any("1 file, 73 rows" in text.text() for text in dialog.findChildren(QLabel))
    assert not dialog.go.isEnabled()
    dialog.form.path.setText(str(tmp_path / "chest"))
    for field in (dialog.form.first, dialog.form.second):
        QTest.keyClicks(field, PASSPHRASE)
    dialog.go.click()
    qtbot.waitUntil(lambda: window.session.current is not None and window.current_key == "reports")
    assert window.messages.shown() == (Message.NAMES_MADE,)
    assert page.sentence.text() == "Nothing has been imported into this workspace yet."
    assert not window.selectors.isVisible()
    assert not page.tabs.tabBar().isVisible()
    assert [f.path for f in page.importing.draft.files] == [march], "they wait for the workspace"
    import_listed(qtbot, page)
    qtbot.waitUntil(lambda: window.session.current is not None and window.current_key == "home")
    assert page.importing.draft.files == ()
    assert window.shell.opened.path == tmp_path / "chest.radcal"
    text = window.messages.text(Message.ROWS_LEFT_OUT)
    assert text == "12 rows of march.csv have no examination time and were left out."
    assert "2 of 48 reports" in window.messages.text(Message.REPORTS_FAILED)
    assert "\u201cpresumbly\u201d" in window.messages.text(Message.UNKNOWN_PHRASES)
    window.messages.press(Message.REPORTS_FAILED)
    assert window.current_key == "reports"
    listed = page.listing.model
    qtbot.waitUntil(lambda: {row.state for row in listed.rows} == {State.FAILED} and len(listed.rows) == 2)
    window.messages.press(Message.ROWS_LEFT_OUT)
    assert window.current_key == "reports"
    qtbot.waitUntil(lambda: {row.state for row in listed.rows} == {State.LEFT_OUT})
    untimed = [row for row in listed.rows if "no examination time" in typographic(row.why)]
    assert len(untimed) == 12
    assert place_in_file(untimed[0].file, untimed[0].unit, untimed[0].row) == "march.csv, line 63"
    assert {step.dropped for step in page.flow.model.rows} == {12, 13}
    assert page.sentence.text().startswith("24 pairs from 73 rows; 2 failed reports.")

    april = tmp_path / "april.csv"
    april.write_text(REPORTS, encoding="utf-8")
    department = window.shell.opened.department
    window.take_files([april])
    import_listed(qtbot, page)
    qtbot.waitUntil(lambda: window.tasks.is_idle and page.importing.history.rowCount() == 2)
    assert window.shell.opened.department is department
    window.ways.new_from_files.emit()  # another workspace, while one is open
    one(window, NewWorkspaceDialog).reject()


def test_a_workspace_that_cannot_be_made_is_asked_for_again(
    qtbot: QtBot, open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window()
    monkeypatch.setattr("radcal.opening.open_department", Mock(side_effect=InputError("There is no room left.")))
    window.entrance.make("", tmp_path / "chest.radcal", PASSPHRASE)
    qtbot.waitUntil(lambda: window.messages.text(Message.OPEN_FAILED) == "There is no room left.")
    window.messages.press(Message.OPEN_FAILED)
    one(window, NewWorkspaceDialog).reject()


def test_dialog_says_what_is_still_missing(qtbot: QtBot, open_window: Open, tmp_path: Path) -> None:
    window = open_window()
    window.entrance.ask_new()
    dialog = one(window, NewWorkspaceDialog)
    form = dialog.form
    form.path.setText("")
    assert "where to keep" in form.missing()
    (tmp_path / "there.radcal").touch()
    form.path.setText(str(tmp_path / "there"))
    assert "there already" in form.missing()
    form.path.setText(str(tmp_path / "nowhere" / "x"))
    assert "no folder" in form.missing()
    form.path.setText(str(tmp_path / "new"))
    assert form.missing() == "Choose a passphrase."
    assert "12 characters or more" in form.strength.text()
    for weak, printed in (
        ("short", "too short"),
        ("newnewnewnewnew", "within two days"),
        ("radcalradcal", "within two days"),
    ):
        form.first.setText(weak)
        assert "too easily guessed" in form.missing()
        assert printed in form.strength.text()
        assert not dialog.go.isEnabled()
    form.first.setText("four unrelated words jellyfish")
    assert form.strength.text().startswith("Strong: ")
    form.first.setText(PASSPHRASE)
    assert "second time" in form.missing()
    assert dialog.reason.text() == form.missing()
    dialog.accept()
    assert dialog.isVisible()
    dialog.reject()


# --- what goes wrong -------------------------------------------------------------------------------


def test_wrong_passphrase_can_be_tried_again(qtbot: QtBot, open_window: Open, chest: Path) -> None:
    window = open_window()
    QTest.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    answer(one(window, QFileDialog), chest)
    dialog = one(window, PassphraseDialog)
    assert not dialog.open_button.isEnabled()
    QTest.keyClicks(dialog.field, "wrong")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    # It is asked for again at once, with the reason, and can be typed without a click.
    qtbot.waitUntil(lambda: any(d.isVisible() and d is not dialog for d in window.findChildren(PassphraseDialog)))
    (again,) = (d for d in window.findChildren(PassphraseDialog) if d.isVisible())
    assert "does not fit" in again.about.text()
    assert again.focusWidget() is again.field
    for mode in (QLineEdit.EchoMode.Normal, QLineEdit.EchoMode.Password):
        QTest.keyClick(again.show_typed, Qt.Key.Key_Space)  # what is typed can be seen
        assert again.field.echoMode() is mode
    assert window.messages.shown() == ()
    assert window.pages.currentWidget() is window.home
    QTest.keyClicks(again.field, PASSPHRASE)
    again.open_button.click()
    qtbot.waitUntil(lambda: window.session.current is not None and window.current_key == "home")
    assert window.messages.shown() == ()
    assert "chest (encrypted)" in window.windowTitle()
    department = window.shell.opened.department
    window.entrance.open_workspace(chest, PASSPHRASE)  # it is open already
    assert window.tasks.is_idle or not window.tasks.is_running("open")
    assert window.shell.opened.department is department


def test_a_copy_is_offered_where_work_would_be_lost(
    open_window: Open, chest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Copies, "known", lambda _copies: Copied(None, 152))
    window = open_window(chest)
    assert "152 decisions by people" in window.messages.text(Message.NOT_COPIED)
    window.messages.press(Message.NOT_COPIED)
    assert window.current_key == "settings"
    one(window, QFileDialog).reject()


def test_failing_worker_becomes_a_message_without_its_text(
    qtbot: QtBot, sample: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    explore = sample.shell.opened.department.groups
    with monkeypatch.context() as patch:
        patch.setattr(explore, "evidence", Mock(side_effect=RuntimeError("Patient Jane Roe, likely edema")))
        sample.shell.go("results", phrase="may represent")
        qtbot.waitUntil(lambda: Message.BUG in sample.messages.shown())
        sample.messages.press(Message.BUG)
        details = QGuiApplication.clipboard().text()
        assert "RuntimeError" in details
        assert "work.py:" in details
        assert "Jane" not in details
        patch.setattr(explore, "evidence", Mock(side_effect=EngineError("The document could not be compiled.")))
        sample.shell.go("results", phrase="may represent")
        qtbot.waitUntil(lambda: Message.WORK_FAILED in sample.messages.shown())
    sample.messages.press(Message.WORK_FAILED)
    qtbot.waitUntil(lambda: sample.page("results").cases.model.rowCount() == 60)


def test_failed_opening_releases_the_workspace(
    qtbot: QtBot, open_window: Open, chest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Department, "analysis", Mock(side_effect=EngineError("The solver failed.")))
    window = open_window()
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: "The solver failed." in window.messages.text(Message.OPEN_FAILED))
    assert not is_in_use(chest)
    assert window.ways.buttons[0].isEnabled()


def test_page_that_cannot_be_saved_can_be_saved_elsewhere(
    qtbot: QtBot, sample: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patch:
        protected = Mock(side_effect=EngineError("The folder is protected. Choose another one."))
        patch.setattr(sample.shell.opened.department.pages, "write", protected)
        sample.page("results").save.trigger()
        answer(one(sample, QFileDialog), tmp_path / "a.pdf")
        qtbot.waitUntil(lambda: Message.SAVE_FAILED in sample.messages.shown())
        assert "Choose another one." in sample.messages.text(Message.SAVE_FAILED)
    sample.messages.press(Message.SAVE_FAILED)
    answer(one(sample, QFileDialog), tmp_path / "a.pdf")
    qtbot.waitUntil(lambda: Message.SAVED in sample.messages.shown())


def test_import_is_stopped_and_goes_on(
    qtbot: QtBot, open_window: Open, march: Path, tmp_path: Path, hold: threading.Event
) -> None:
    window, place = open_window(), tmp_path / "chest.radcal"
    begin_import(qtbot, window, place, march)
    assert not window.ways.buttons[0].isEnabled()
    window.task_bar.button.click()
    qtbot.waitUntil(lambda: Message.STOPPED in window.messages.shown())
    assert is_in_use(place)
    # All that is shown is so: the reports are imported and paired, and the rest is not done.
    page, opened = window.page("reports"), window.shell.opened
    assert "The files are imported, but not all of their reports are paired" in window.messages.text(Message.STOPPED)
    assert page.sentence.text().startswith("Not all that was imported is paired, read and analysed.")
    assert opened.attrition
    assert window.rail.state("reports")[1] == "Not all that was imported is paired, read and analysed."
    qtbot.waitUntil(lambda: page.importing.history.rowCount() == 1)
    hold.set()
    window.messages.press(Message.STOPPED)
    qtbot.waitUntil(lambda: window.session.current is not None and window.current_key == "home")
    assert window.shell.opened.path == place
    qtbot.waitUntil(lambda: page.sentence.text().startswith("24 pairs from 73 rows; all read."))


def test_latest_selection_wins(qtbot: QtBot, sample: MainWindow) -> None:
    for phrase in ("may", "present", "unlikely", "likely") * 5:
        sample.selectors.choose(Group("Avery", "edema"))
        sample.shell.go("results", phrase=phrase)
    cases = sample.page("results").cases
    qtbot.waitUntil(lambda: cases.model.rowCount() == 87)
    qtbot.waitUntil(lambda: sample.tasks.is_idle)
    assert cases.heading.text().startswith("\u201clikely\u201d for edema")
    assert cases.model.rowCount() == 87
    sample.shell.go("results", phrase="unlikely")
    sample.selectors.choose(Group("Brooks", "edema"))  # another group, which comes with its own
    qtbot.waitUntil(lambda: cases.found is not None and cases.found.selection.author == "Brooks")
    qtbot.waitUntil(lambda: sample.tasks.is_idle)
    assert {row.author for row in cases.model.rows} == {"Brooks"}


def test_opening_another_closes_the_former_and_the_key_the_window(
    qtbot: QtBot, sample: MainWindow, close: Callable[..., None], prepared: SimpleNamespace, chest: Path, tmp_path: Path
) -> None:
    other = Path(shutil.copy(prepared.analysed, tmp_path / "other.radcal"))
    sample.entrance.open_workspace(other, PASSPHRASE)
    qtbot.waitUntil(lambda: "other" in sample.windowTitle())
    qtbot.waitUntil(lambda: not is_in_use(chest))
    assert is_in_use(other)
    close(sample, lambda window: QTest.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier))
    assert not is_in_use(other)


# --- the end ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("hold")
def test_closing_while_importing_asks_and_loses_nothing(
    qtbot: QtBot, open_window: Open, close: Callable[..., None], march: Path, tmp_path: Path
) -> None:
    window, place = open_window(), tmp_path / "chest.radcal"
    begin_import(qtbot, window, place, march)
    window.close()
    assert window.question is not None
    assert "Importing reports" in window.question.text()
    window.close()  # asks once
    window.question.reject()
    assert window.isVisible()
    assert window.tasks.is_running("open")
    window.close()
    stop = next(b for b in window.question.buttons() if "Stop" in b.text())
    close(window, lambda _: stop.click())
    assert not is_in_use(place)


def test_a_workspace_whose_file_is_gone_is_saved_as_a_copy(
    qtbot: QtBot, open_window: Open, close: Callable[..., None], chest: Path, march: Path, tmp_path: Path
) -> None:
    window = open_window(chest)
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    chest.unlink()
    window.entrance.import_reports((ReportFile(march),), pytest.fail)
    qtbot.waitUntil(lambda: Message.GONE in window.messages.shown())
    assert "was deleted or moved" in window.messages.text(Message.GONE)

    # Closed without a copy, it would be lost.
    window.close()
    assert window.question is not None
    assert "file is gone" in window.question.text()
    window.question.reject()
    assert window.isVisible()

    window.messages.press(Message.GONE)
    answer(one(window, QFileDialog), tmp_path / "saved.radcal")
    card = window.page("settings").file
    qtbot.waitUntil(lambda: "Open it now" in card.outcome.text())
    assert Message.GONE not in window.messages.shown()
    close(window, MainWindow.close)
    open_department(tmp_path / "saved.radcal", PASSPHRASE).close()


def test_closed_window_is_freed(qtbot: QtBot, close: Callable[..., None], chest: Path, qapp: QApplication) -> None:
    theme = Theme(qapp)
    window = MainWindow(theme)
    window.show()
    window.entrance.open_workspace(chest, PASSPHRASE)
    window.show_page("results")
    page = window.page("results")
    qtbot.waitUntil(lambda page=page: page.card.plot is not None and page.card.plot.isVisible())
    refs = [weakref.ref(o) for o in (window, page, page.card.plot, window.session, window.tasks)]
    close(window, MainWindow.close)
    window = page = None  # type: ignore[assignment]
    qtbot.waitUntil(lambda: gc.collect() >= 0 and not any(r() for r in refs))
    theme.use(DARK)  # nobody is listening any more
    theme.deleteLater()


# --- the keyboard, the look ------------------------------------------------------------------------


def test_the_keyboard_follows_to_the_page_unless_it_chooses_pages(
    qtbot: QtBot, sample: MainWindow, find: Callable[..., Any]
) -> None:
    def on(page: str) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and sample.page(page).isAncestorOf(focused)

    assert on("results")
    QTest.keyClick(sample, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert on("reports")
    sample.messages.show_message(Message.ROWS_LEFT_OUT, lambda: sample.show_page("results"), what="12 rows.")
    QTest.keyClick(sample, Qt.Key.Key_F6)
    button = QApplication.focusWidget()
    assert isinstance(button, QPushButton)
    assert sample.messages.isAncestorOf(button)
    QTest.keyClick(sample, Qt.Key.Key_F6)
    assert on("reports")
    QTest.keyClick(sample, Qt.Key.Key_F6)
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert sample.current_key == "results"
    assert on("results")
    assert not sample.messages.shown()
    stage = find(sample.rail, QPushButton, "Reports")
    stage.setFocus()
    QTest.keyClick(stage, Qt.Key.Key_Space)
    assert sample.current_key == "reports"
    assert stage.hasFocus()
    QTest.keyClick(sample, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert on("results")


def test_the_key_leads_to_what_is_under_way_and_stopping_it_to_the_page(qtbot: QtBot, sample: MainWindow) -> None:
    state = TaskState("Reading", "read", None, stopping=False, shares=True)
    stopped: list[object] = []
    sample.task_bar.cancel.connect(stopped.append)
    sample.messages.show_message(Message.READ_ONLY, name="chest.radcal")
    sample.task_bar.show_task(state)
    QTest.keyClick(sample, Qt.Key.Key_F6)
    assert sample.messages.isAncestorOf(QApplication.focusWidget())
    QTest.keyClick(sample, Qt.Key.Key_F6)
    assert sample.task_bar.button.hasFocus()
    QTest.keyClick(sample, Qt.Key.Key_F6)
    assert sample.page("results").isAncestorOf(QApplication.focusWidget())
    before = QApplication.focusWidget()
    sample.messages.clear()
    for ended in (replace(state, stopping=True), None):
        sample.task_bar.show_task(state)
        QTest.keyClick(sample, Qt.Key.Key_F6)
        assert sample.task_bar.button.hasFocus()
        QTest.keyClick(sample.task_bar.button, Qt.Key.Key_Space)
        sample.task_bar.show_task(ended)
        assert QApplication.focusWidget() is before  # where it was, not what comes next by the tabulator
    assert stopped == ["read", "read"]
    sample.messages.show_message(Message.READ_ONLY, name="chest.radcal")
    QTest.keyClick(sample, Qt.Key.Key_F6)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)  # its only button closes it
    assert not sample.messages.shown()
    assert sample.page("results").isAncestorOf(QApplication.focusWidget())


def test_buttons_of_messages_take_no_key_from_the_page() -> None:
    for message in Message:
        assert "&" not in message.value.button + message.value.also


def test_a_screen_smaller_than_the_pages_shows_a_part_that_follows_the_keyboard(
    qtbot: QtBot, sample: MainWindow
) -> None:
    sample.resize(640, 360)  # 1280 x 720 at 200 %
    qtbot.waitUntil(lambda: sample.size() == QSize(640, 360))
    area = sample.centralWidget()
    assert isinstance(area, QScrollArea)
    assert area.widget().size() == QSize(880, 480)
    last = sample.page("results").more
    last.setFocus()
    area.ensureWidgetVisible(last)
    assert not last.visibleRegion().isEmpty()
    sample.resize(900, 500)
    qtbot.waitUntil(lambda: area.widget().size() == QSize(900, 500))  # all of it, and no scroll bar


def test_the_first_window_and_its_frame_fit_the_screen(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    available = window.screen().availableSize()
    assert window.height() + 40 <= available.height()


def test_keyboard_alone_reaches_findings_and_back(qtbot: QtBot, sample: MainWindow) -> None:
    page = sample.page("results")
    assert page.table.hasFocus()
    QTest.keyClick(page.table, Qt.Key.Key_Down)
    chosen = page.model.row(page.table.currentIndex().row()).phrase
    assert page.card.plot.selected == chosen
    cases = page.cases
    qtbot.waitUntil(lambda: cases.found is not None and cases.found.phrases == (chosen,))
    for _ in range(20):
        if cases.table.hasFocus():
            break
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    QTest.keyClick(cases.table, Qt.Key.Key_Return)
    assert cases.case.isVisible()
    assert cases.case.isAncestorOf(QApplication.focusWidget()) or cases.case.hasFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not cases.case.isVisible()
    assert cases.table.hasFocus()
    assert sample.pages.currentWidget() is page
    sample.show_page("settings")
    QTest.keyClick(sample, Qt.Key.Key_F1)
    assert sample.current_key == "help"
    assert sample.page("help").list.currentItem().text() == "Settings", "the help on the page on show"
    QTest.keyClick(sample, Qt.Key.Key_Escape)
    assert sample.current_key == "settings"
    sample.show_page("results")
    QTest.keyClick(sample, Qt.Key.Key_R, Qt.KeyboardModifier.AltModifier)
    assert sample.selectors.author.hasFocus()
    QTest.keyClick(sample.selectors.author, Qt.Key.Key_Down)
    assert "Brooks" in page.title.text()


def test_tab_goes_through_every_control_of_the_page(qtbot: QtBot, sample: MainWindow) -> None:
    qtbot.waitUntil(sample.page("results").cases.table.isVisible)
    seen = []
    for _ in range(20):
        focus = QApplication.focusWidget()
        if focus in seen:
            break
        seen.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    page, bar = sample.page("results"), sample.selectors
    controls = (bar.author, bar.topic, page.said.why, page.more, page.table, page.cases.table)
    for widget in (sample.top_bar.department, *controls):
        assert widget in seen
    for widget in seen:
        assert widget.accessibleName() or getattr(widget, "text", str)(), widget


def test_group_without_enough_data_says_what_would_be(qtbot: QtBot, sample: MainWindow) -> None:
    sample.selectors.choose(Group("Avery", "fracture"))
    page = sample.page("results")
    qtbot.waitUntil(lambda: page.card.empty.isVisible())
    assert page.sentence.text() == "14 findings; advice needs 30."
    assert "14 findings; a curve needs 30." in page.card.empty.text()
    assert page.model.rowCount() == 2
    assert page.card.plot.isHidden()
    sample.selectors.choose(Group("Avery", "edema"))
    qtbot.waitUntil(lambda: page.card.plot.isVisible())


def test_the_look_chosen_in_settings_is_that_of_the_window(open_window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[str] = []
    monkeypatch.setattr(Theme, "choose", lambda _theme, name: chosen.append(name))
    looks = open_window().page("settings").appearance
    looks.setCurrentIndex(looks.findData("dark"))
    assert chosen == ["dark"]


def test_diagram_is_copied_and_saved_as_seen(qtbot: QtBot, sample: MainWindow, tmp_path: Path) -> None:
    plot = sample.page("results").card.plot
    for name in ("diagram.svg", "diagram.png"):
        sample.shell.write_file(str(tmp_path / name), partial(picture, plot, "Avery"))
        qtbot.waitUntil(lambda: Message.FILE_SAVED in sample.messages.shown())
        sample.messages.clear()
        assert (tmp_path / name).stat().st_size > 1000
    assert QImage(str(tmp_path / "diagram.png")).width() == 2 * plot.width()
    svg = (tmp_path / "diagram.svg").read_text()
    assert svg.count("<text") > 10
    assert svg.count("<path") >= 3
    sample.page("results").card.copy()
    assert not QGuiApplication.clipboard().image().isNull()
    in_a_file = tmp_path / "diagram.svg" / "x.png"
    sample.shell.write_file(str(in_a_file), partial(picture, plot, "Avery"))
    qtbot.waitUntil(lambda: Message.FILE_FAILED in sample.messages.shown())
    assert "x.png cannot be written" in sample.messages.text(Message.FILE_FAILED)


def test_nothing_is_wider_or_higher_than_the_window(qtbot: QtBot, sample: MainWindow) -> None:
    page = sample.page("results")
    area = page.one.views.currentWidget()
    for size in ((880, 480), (960, 540), (1200, 700), (1280, 720), (1440, 900)):
        sample.resize(*size)
        # Layouts settle in steps, each through the event loop.
        qtbot.waitUntil(lambda size=size: (sample.width(), sample.height()) == size)
        qtbot.waitUntil(lambda: area.widget().rect().contains(page.one.below.geometry().bottomRight()))
        for table in (page.table, page.cases.table):
            shown = [c for c in range(table.model().columnCount()) if not table.isColumnHidden(c)]
            qtbot.waitUntil(lambda t=table, of=shown: sum(map(t.columnWidth, of)) <= t.viewport().width())
        assert area.horizontalScrollBar().maximum() == 0
        assert page.table.columnWidth(3) >= 112, size
        if size[0] >= 1280:  # the picture whole, beside the cases
            qtbot.waitUntil(lambda: page.card.visibleRegion().boundingRect() == page.card.rect())
            assert page.cases.table.visibleRegion().boundingRect().height() >= page.card.height()
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)  # all in sight


# --- beginnings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (WorkspaceInUse(Path("chest.radcal"), None), "another RadCal"),
        (NoAccess("chest.radcal may not be changed. Open it for reading only."), "may not be changed"),
    ],
)
def test_a_workspace_that_cannot_be_changed_now_can_be_looked_at(
    qtbot: QtBot, open_window: Open, chest: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, why: str
) -> None:
    """The keyboard stays on the workspace meanwhile, and not on forgetting it."""
    opens = open_workspace

    def refused(*args: Any, read_only: bool = False, **options: Any) -> Any:
        if not read_only:
            raise error
        return opens(*args, read_only=True, **options)

    monkeypatch.setattr("radcal.opening.open_workspace", refused)
    RecentWorkspaces().add(chest)
    window = open_window()
    qtbot.waitUntil(lambda: window.ways.recent[chest].isEnabled())
    window.ways.recent[chest].setFocus()
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: Message.IN_USE in window.messages.shown())
    assert why in window.messages.text(Message.IN_USE)
    qtbot.waitUntil(window.ways.recent[chest].hasFocus)
    window.messages.press(Message.IN_USE)
    qtbot.waitUntil(lambda: window.session.current is not None and window.current_key == "home")
    assert window.messages.shown() == (Message.READ_ONLY,)
    assert window.windowTitle() == "RadCal \u2013 chest (encrypted, read only)"
    assert not window.page("reports").primary.isEnabled()
    assert "read only" in window.page("reports").primary.toolTip()
    assert window.page("results").save.isEnabled()


def test_read_only_tells_of_results_that_are_missing_or_old(
    qtbot: QtBot, open_window: Open, prepared: SimpleNamespace, chest: Path, march: Path, tmp_path: Path
) -> None:
    window = open_window()
    imported = Path(shutil.copy(prepared.imported, tmp_path / "imported.radcal"))
    window.entrance.open_workspace(imported, PASSPHRASE, read_only=True)
    qtbot.waitUntil(lambda: Message.NOTHING_TO_SHOW in window.messages.shown())
    assert "no analysis yet" in window.messages.text(Message.NOTHING_TO_SHOW)
    april = march.with_name("april.csv")
    april.write_text(march.read_text(encoding="utf-8").replace("P0", "Q0").replace("X0", "Y0").replace("C0", "D0"))
    with open_department(chest, PASSPHRASE) as department:
        department.importing.import_reports(as_files([april]))
        department.importing.pair()
    window.entrance.open_workspace(chest, PASSPHRASE, read_only=True)
    qtbot.waitUntil(lambda: Message.OUT_OF_DATE in window.messages.shown())
    assert window.current_key == "home"
    assert window.page("results").meta.text().startswith("212 findings, ")


def test_stopped_opening_goes_on(
    qtbot: QtBot, open_window: Open, prepared: SimpleNamespace, tmp_path: Path, hold: threading.Event
) -> None:
    path = Path(shutil.copy(prepared.imported, tmp_path / "chest.radcal"))
    window = open_window()
    window.entrance.open_workspace(path, PASSPHRASE)
    qtbot.waitUntil(lambda: "xtract" in window.task_bar.label.text())
    window.task_bar.button.click()
    qtbot.waitUntil(lambda: Message.OPENING_STOPPED in window.messages.shown())
    assert not is_in_use(path)
    window.messages.press(Message.OPENING_STOPPED)
    dialog = one(window, PassphraseDialog)
    QTest.keyClicks(dialog.field, PASSPHRASE)
    hold.set()
    dialog.open_button.click()
    qtbot.waitUntil(lambda: window.session.current is not None and window.current_key == "home")
    assert window.session.current.up_to_date


def test_recent_workspaces_are_listed_and_forgotten(
    qtbot: QtBot, open_window: Open, prepared: SimpleNamespace, tmp_path: Path
) -> None:
    there, gone = (Path(shutil.copy(prepared.analysed, tmp_path / name)) for name in ("R&D.radcal", "gone.radcal"))
    window = open_window()
    assert window.ways.recent == {}
    for path in (gone, there):
        window.entrance.open_workspace(path, PASSPHRASE)
        qtbot.waitUntil(lambda path=path: path.stem in window.windowTitle())
    assert list(window.ways.recent) == [there, gone]  # the latest first
    window.finish()
    qtbot.waitUntil(lambda: not is_in_use(there) and not is_in_use(gone))
    gone.unlink()

    again = open_window()
    qtbot.waitUntil(lambda: not again.ways.recent[gone].isEnabled())
    assert "not there any more" in again.ways.recent[gone].text()
    assert "not there" not in again.ways.recent[there].text()
    assert again.focusWidget() is again.ways.recent[there]  # Enter opens the latest
    again.ways.recent[there].click()
    dialog = one(again, PassphraseDialog)
    QTest.keyClicks(dialog.field, PASSPHRASE)
    dialog.open_button.click()
    qtbot.waitUntil(lambda: again.session.current is not None)
    again.ways.forget.emit(gone)
    assert list(again.ways.recent) == [there]
    assert there.exists()
    again.messages.press(Message.FORGOTTEN)
    assert list(again.ways.recent) == [there, gone]
    again.ways.forget.emit(there)
    again.messages.press(Message.FORGOTTEN)
    assert list(again.ways.recent) == [there, gone]  # where it was
    again.ways.forget.emit(gone)
    assert open_window().ways.recent.keys() == {there}


def test_failed_import_leads_back_to_the_files(
    qtbot: QtBot, open_window: Open, march: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window()
    make_workspace(qtbot, window, tmp_path / "chest.radcal")
    window.take_files([march])
    page = window.page("reports")
    monkeypatch.setattr("radcal.chain.run_chain", Mock(side_effect=InputError("march.csv has no radiologist.")))
    import_listed(qtbot, page)
    qtbot.waitUntil(lambda: Message.IMPORT_FAILED in window.messages.shown())
    window.show_page("settings")
    window.messages.press(Message.IMPORT_FAILED)
    assert window.current_key == "reports"
    assert [f.path for f in page.importing.draft.files] == [march]


def test_opening_a_workspace_leaves_whoever_went_to_another_page_there(
    open_window: Open, chest: Path, qtbot: QtBot
) -> None:
    window = open_window()
    window.entrance.open_workspace(chest, PASSPHRASE)
    window.show_page("settings")
    qtbot.waitUntil(lambda: window.session.current is not None)
    assert window.current_key == "settings"


@pytest.mark.parametrize("long", [False, True])
def test_pages_are_made_beside_a_long_reading_and_the_first_alone_beside_other_work(
    open_window: Open, qtbot: QtBot, long: bool
) -> None:
    window = open_window()
    go_on = threading.Event()
    window.tasks.start("work", lambda _: go_on.wait(), done=lambda _: None, failed=lambda _: None, long=long)
    window.pages.make_the_rest()
    wanted = [*window.stages] if long else ["home", "results"]
    qtbot.waitUntil(lambda: all(map(window.pages.is_made, wanted)))
    assert [key for key in window.stages if window.pages.is_made(key)] == wanted
    assert not window.tasks.is_idle
    go_on.set()
    qtbot.waitUntil(lambda: all(map(window.pages.is_made, window.stages)) and window.tasks.is_idle)
    assert window.page("results").card.plot is not None, "the diagram takes longest, and is ready"
