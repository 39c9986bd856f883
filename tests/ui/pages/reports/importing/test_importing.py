"""An import: files are put together, looked into, counted, corrected and imported; then what they came to."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from radcal.reports.dry_run import FilePreview
from radcal.reports.importing import ReportFile
from radcal.reports.records import Modality
from radcal.sample.department import generate
from radcal.system.exports import Export, Exports
from tests.cases import cases_of
from ui.pages.reports.importing import sentences as wording
from ui.pages.reports.importing.draft import kind_of_name
from ui.pages.reports.importing.work import Counting
from ui.pages.reports.page import FLOW, IMPORT, LIST, ReportsPage
from ui.records import Opened
from ui.shell import Shell
from ui.tasks import Failure
from ui.widgets.messages import Message
from ui.window.dialogs.new_workspace import NewWorkspaceDialog
from ui.window.notices import tell_imported

cases = cases_of(__file__)

HEADER = "Accession,MRN,Exam Description,Modality,Exam Time,Report Text,Signing Radiologist"
PASSPHRASE = "correct horse battery"
DISPLAY = Qt.ItemDataRole.DisplayRole
Show = Callable[..., ReportsPage]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Reports of 40 pairs, by two radiologists: an X-ray and a CT file."""
    made = generate(tmp_path_factory.mktemp("import"), 40, 4, radiologists=2)
    return made.xray, made.ct


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    def make(name: str, *rows: str, header: str = HEADER) -> Path:
        path = tmp_path / name
        path.write_text("\n".join((header, *rows)), encoding="utf-8")
        return path

    return make


@pytest.fixture
def show(qtbot: QtBot, make_shell: Callable[..., Shell], show_page: Callable[..., ReportsPage]) -> Show:
    """Shows the page, over a workspace if one is named, with the files on the list and counted."""

    def make(path: Path | None = None, files: Sequence[Path] = (), **changed: Any) -> ReportsPage:
        shell = make_shell(path, read_only=changed.get("read_only", False))
        if changed:
            shell.session.current = replace(shell.opened, **changed)
        page = show_page(ReportsPage, shell)
        if files:
            put(qtbot, page, *files)
        return page

    return make


def counted(page: ReportsPage) -> bool:
    return page.importing.draft.count is not None and not page.importing.files.strip.counting


def put(qtbot: QtBot, page: ReportsPage, *files: Path) -> None:
    """Put the files on the list, and wait until it is known what they hold."""
    page.importing.take_files(files)
    qtbot.waitUntil(lambda: counted(page))


def imported(qtbot: QtBot, page: ReportsPage) -> Opened:
    """The open workspace, once the import has ended."""
    qtbot.waitUntil(lambda: page.shell.opened is not None and page.shell.opened.imported is not None)
    return page.shell.opened


def into_new(qtbot: QtBot, page: ReportsPage, path: Path) -> Opened:
    """Make a workspace, then import what is on the list."""
    page.shell.session.create(path, PASSPHRASE, lambda failure: pytest.fail(failure.text))
    qtbot.waitUntil(lambda: page.shell.opened is not None and counted(page) and page.primary.isEnabled())
    page.primary.click()
    return imported(qtbot, page)


def figures(page: ReportsPage) -> dict[str, str]:
    """What the outcome says of rows, rows left out and pairs."""
    said = page.importing.files.strip.outcome.text()
    match = re.fullmatch(r"(.+) rows? would be read, (.+) left out; the workspace then holds (.+) pairs?\.", said)
    return {} if match is None else dict(zip(("rows", "rejected", "pairs"), match.groups(), strict=True))


# --- the main story --------------------------------------------------------------------------------


@pytest.fixture
def page(show: Show) -> ReportsPage:
    """The page over the real workflow, its signals connected as in the window."""
    made = show()
    session = made.shell.session

    def failed(failure: Failure) -> None:
        pytest.fail(failure.text)

    def ask_new(about: str) -> None:
        NewWorkspaceDialog(about, lambda path, words, names: session.create(path, words, failed, names), made).open()

    made.import_wanted.connect(lambda files: session.import_files(files, failed))
    made.workspace_wanted.connect(ask_new)
    return made


def test_files_are_looked_into_counted_and_made_into_a_workspace_with_the_keyboard(qtbot, page, files, tmp_path, find):
    states: list[tuple[str, str]] = []
    page.state_changed.connect(lambda state, why: states.append((state, why)))
    assert page.importing.files.invitation.text() == "Drop report files here"
    assert not page.primary.isVisible()  # the list's own buttons are the ones to press

    put(qtbot, page, *files)
    count = page.importing.draft.count
    assert (count.pairs, figures(page)["pairs"]) == (40, "40")
    assert find(page, QPushButton, "Make a workspace for these files\u2026")
    page.primary.setFocus()
    qtbot.keyClick(page.primary, Qt.Key.Key_Space)
    (dialog,) = page.findChildren(NewWorkspaceDialog)
    assert not dialog.go.isEnabled()
    dialog.form.path.setText(str(tmp_path / "chest"))
    for field in (dialog.form.first, dialog.form.second):
        qtbot.keyClicks(field, PASSPHRASE)
    qtbot.keyClick(dialog.form.second, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: page.shell.opened is not None)
    assert [f.path for f in page.importing.draft.files] == list(
        files
    )  # to be imported into the workspace, which is empty
    qtbot.waitUntil(lambda: counted(page) and page.primary.isEnabled())
    assert find(page, QPushButton, "Import reports")
    page.primary.click()
    opened = imported(qtbot, page)
    assert opened.path == tmp_path / "chest.radcal"
    assert page.importing.draft.files == ()
    assert page.tabs.currentIndex() == FLOW
    assert len(opened.attrition) == len(count.attrition)
    assert page.flow.model.rowCount() == sum(step.dropped > 0 for step in opened.attrition)
    qtbot.waitUntil(lambda: page.sentence.text().startswith(f"40 pairs from {count.rows} rows; all read."))
    assert states[-1] == ("", "")
    qtbot.waitUntil(lambda: page.importing.history.rowCount() == 1)
    assert page.importing.history.index(0, 5).data() == "xray.csv, ct.csv"
    assert page.flow.assumed.isVisibleTo(page.flow)

    # The same files again would add nothing, and say so.
    put(qtbot, page, *files)
    assert figures(page) == {"rows": "0", "rejected": "0", "pairs": "40"}
    assert "imported before" in page.importing.files.strip.note.text()
    assert find(page, QPushButton, "Import reports")


def offered(messages: Any) -> list[str]:
    """The buttons of the messages on show, without their marks of keys."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return [button.text().replace("&", "") for button in messages.findChildren(QPushButton)]


def test_rows_left_out_lead_back_to_the_columns(qtbot, page, table, tmp_path):
    """Two columns of times: the wrong one was recognised, and is corrected after the import."""
    rows = [
        *(f"X{i},P{i},XR CHEST,CR,,2025-01-0{i + 1} 08:00,Likely edema.,Quill" for i in range(4)),
        *(f"C{i},P{i},CT CHEST,CT,2025-01-0{i + 1} 10:00,2025-01-0{i + 1} 10:00,Edema.,Quill" for i in range(4)),
    ]
    file = table("both.csv", *rows, header=HEADER.replace("Exam Time", "Exam Time,Spalte X"))
    put(qtbot, page, file)
    assert (figures(page)["rejected"], figures(page)["pairs"]) == ("4", "0")
    assert "The row has no examination time." in page.importing.files.strip.note.text()
    opened = into_new(qtbot, page, tmp_path / "w.radcal")
    messages = page.shell.messages
    ways = (lambda: page.arrive(show="rows"), lambda: page.arrive(show="columns"))
    of_messages = [row._replace(unit="message") for row in opened.imported.rejected]
    tell_imported(messages, replace(opened.imported, rejected=of_messages), *ways)
    assert offered(messages) == ["See the rows"], "messages have no columns"
    tell_imported(messages, opened.imported, *ways)
    assert offered(messages) == ["See the rows", "Choose another column"]
    said = "4 rows of both.csv have no examination time and were left out."
    assert messages.text(Message.ROWS_LEFT_OUT) == said
    messages.press(Message.ROWS_LEFT_OUT)
    assert page.tabs.currentIndex() == LIST
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle and page.listing.model.rowCount() > 0)
    assert {row.state for row in page.listing.model.rows} == {"left out"}
    page.more.menu().aboutToShow.emit()
    next(a for a in page.more.menu().actions() if "other columns" in a.text()).trigger()
    assert page.tabs.currentIndex() == IMPORT
    qtbot.waitUntil(lambda: "exam_time" in page.importing.files.form.boxes)
    page.importing.files.form.boxes["exam_time"].setCurrentText("Spalte X")
    qtbot.waitUntil(lambda: counted(page) and page.importing.draft.files[0].mapping != {})
    assert figures(page)["pairs"] == "4"
    page.primary.click()
    qtbot.waitUntil(lambda: page.shell.opened is not opened)
    assert page.tabs.currentIndex() == FLOW
    assert "4 pairs" in page.sentence.text()


def test_another_accession_column_asks_before_it_takes_the_place_of_the_first_reading(qtbot, page, table, tmp_path):
    """Of nine rows one has no number in the other column; the choice can be undone, and another column asks anew."""
    numbers = (f"N{i}" for i in range(9))
    rows = [
        *(f"X{i},{next(numbers)},P{i},XR CHEST,CR,2025-01-0{i + 1} 08:00,Likely edema.,Quill" for i in range(4)),
        *(f"C{i},{next(numbers)},P{i},CT CHEST,CT,2025-01-0{i + 1} 10:00,Edema.,Quill" for i in range(4)),
        "C9,,P9,CT CHEST,CT,2025-01-09 10:00,Edema.,Quill",
    ]
    file = table("both.csv", *rows, header=HEADER.replace("Accession", "Accession,Laufnummer"))
    put(qtbot, page, file)
    first = into_new(qtbot, page, tmp_path / "w.radcal")
    page.importing.choose_columns()
    qtbot.waitUntil(lambda: "accession" in page.importing.files.form.boxes and counted(page))
    box = page.importing.files.replace
    assert page.importing.files.said.text().startswith("This file was imported before and will not be read again.")
    assert not box.isVisible()

    page.importing.files.form.boxes["accession"].setCurrentText("Laufnummer")
    qtbot.waitUntil(lambda: counted(page) and box.isVisible())
    said = page.importing.files.said.text().splitlines()
    assert said[0].startswith("8 reports would be counted twice: ")
    assert said[1].startswith("One report of an earlier reading of this file would stay ")
    assert "Counted twice or left behind: 9 reports." in page.importing.files.strip.note.text()
    assert (page.importing.files.model.index(0, 1).data(), page.primary.isEnabled()) == ("Decide below", False)
    assert "was imported before, in another way" in page.primary.toolTip()
    count = page.importing.draft.count
    page.primary.click()
    assert page.importing.draft.files, "nothing is imported while nobody has decided"

    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert page.importing.draft.files[0].replaces
    assert page.importing.draft.count is count, "what it would come to is the same"
    assert page.primary.isEnabled()
    assert page.importing.files.model.index(0, 1).data() == "Replaces"
    page.undo_stack.undo()
    assert (box.isChecked(), box.isVisible(), page.primary.isEnabled()) == (False, True, False)
    page.undo_stack.redo()
    assert box.isChecked()
    page.importing.files.form.boxes["patient_id"].setCurrentText("Accession")
    assert not page.importing.draft.files[0].replaces, "that was said of another reading"
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: counted(page))
    assert page.primary.isEnabled()

    page.primary.click()
    qtbot.waitUntil(lambda: page.shell.opened is not first)
    opened = page.shell.opened
    assert "4 pairs" in page.sentence.text()
    numbers_now = opened.department._workspace.reports(["report_id"])["report_id"]
    assert sorted(numbers_now) == sorted([*(f"xray:N{i}" for i in range(4)), *(f"ct:N{i}" for i in range(4, 8))])
    qtbot.waitUntil(lambda: page.importing.history.rowCount() == 2)
    qtbot.waitUntil(lambda: "9 reports of its earlier reading were removed" in page.flow.notes.text())


def test_after_a_stopped_count_an_import_asks_before_it_takes_the_place_of_the_first_reading(
    qtbot, show, table, tmp_path, monkeypatch
):
    rows = [
        f"{k}{i},N{k}{i},P{i},{k} CHEST,{k},2025-01-0{i + 1} 08:00,Likely edema.,Quill"
        for i in (1, 2)
        for k in ("CR", "CT")
    ]
    file = table("both.csv", *rows, header=HEADER.replace("Accession", "Accession,Laufnummer"))
    page, slow, failures = show(), Slow(), list[str]()
    page.import_wanted.connect(lambda its: page.shell.session.import_files(its, lambda f: failures.append(f.text)))
    put(qtbot, page, file)
    before = into_new(qtbot, page, tmp_path / "w.radcal")
    with monkeypatch.context() as patch:
        patch.setattr(Counting, "count", slow.count)
        page.importing.choose_columns()
        qtbot.waitUntil(lambda: "accession" in page.importing.files.form.boxes)
        page.importing.files.form.boxes["accession"].setCurrentText("Laufnummer")
        strip = page.importing.files.strip
        qtbot.waitUntil(strip.stop.isVisible)
        strip.stop.click()
        qtbot.waitUntil(strip.again.isVisible)
        assert "RadCal still asks before" in strip.note.text()
        page.primary.click()
        qtbot.waitUntil(lambda: bool(failures))
    assert "imported before" in failures[0]
    # The file is counted again, and the question stands beside it.
    qtbot.waitUntil(lambda: counted(page) and page.importing.files.replace.isVisible())
    assert [line.state for line in page.importing.draft.lines()] == ["Decide below"]
    assert page.shell.opened.attrition == before.attrition


@cases("what_a_file_has_to_do_with_what_is_here")
def test_what_a_file_has_to_do_with_what_is_here(printed, said):
    sentences = wording.file_texts(FilePreview(Path("a.csv"), "a.csv", **printed))
    assert len(sentences) == len(said)
    assert all(sentence.startswith(start) for sentence, start in zip(sentences, said, strict=True))


# --- files on the list -----------------------------------------------------------------------------


def test_columns_that_are_not_recognised_are_chosen_in_place(qtbot, show, table):
    page = show()
    for model in (page.importing.files.model, page.importing.files.rows_model):
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, page)
    header = HEADER.replace("MRN", "Nr").replace("Exam Time", "Spalte X")
    file = table("april.csv", "A1,P1,XR CHEST,CR,2025-01-01 08:00,Likely edema.,Quill", header=header)
    page.importing.take_files([file])
    qtbot.waitUntil(lambda: file in page.importing.draft.looks)
    form, said = page.importing.files.form, page.importing.files.said
    assert "no column was recognised for the patient and the examination time" in said.text()
    assert page.importing.files.model.index(0, 1).data() == "Choose columns below"
    assert not page.primary.isEnabled()
    assert page.primary.toolTip().startswith("april.csv: no column was recognised for")
    header_text = page.importing.files.rows_model.headerData(1, Qt.Orientation.Horizontal)
    assert header_text == "Nr\n\u2013"
    assert form.boxes["patient_id"].currentText() == "choose a column\u2026"
    assert form.boxes["addendum"].currentText() == "\u2013"  # nobody needs one
    names = page.importing.files.rows.horizontalHeader()

    form.boxes["patient_id"].setFocus()
    qtbot.keyClicks(form.boxes["patient_id"], "Nr")
    assert page.importing.draft.read_as(file)["patient_id"] == "Nr"
    form.boxes["exam_time"].setCurrentText("Spalte X")
    qtbot.waitUntil(lambda: counted(page))
    assert page.importing.files.rows_model.headerData(1, Qt.Orientation.Horizontal) == "Nr\nthe patient"
    assert page.importing.files.model.index(0, 1).data() == "Ready"
    assert all(names.sectionSize(i) >= names.sectionSizeHint(i) for i in range(names.count()))
    assert page.primary.isEnabled()
    assert figures(page)["rows"] == "1"

    # A column serves one field.
    form.boxes["signer"].setCurrentText("Nr")
    assert form.boxes["patient_id"].currentData() == ""
    assert not page.primary.isEnabled()

    stack = page.undo_stack
    for _ in range(3):
        stack.undo()
    assert page.importing.draft.file(file) == ReportFile(file)
    assert form.boxes["patient_id"].currentData() == ""
    stack.redo()
    assert form.boxes["patient_id"].currentData() == "Nr"
    for _ in range(2):
        stack.undo()
    assert page.importing.draft.files == ()
    assert not page.primary.isVisible()
    stack.redo()
    assert [f.path for f in page.importing.draft.files] == [file]


def test_files_are_taken_off_the_list_and_come_back_by_undo(qtbot, show, files):
    page = show()
    page.importing.take_files([*files, files[0]])
    assert [f.path for f in page.importing.draft.files] == list(files)
    qtbot.waitUntil(lambda: counted(page))
    page.activateWindow()
    for remove in (
        lambda: qtbot.mouseClick(page.importing.files.remove, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(page.importing.files.table.view, Qt.Key.Key_Delete),
    ):
        page.importing.files.show_file(files[0])
        assert page.importing.files.shown == files[0]
        page.importing.files.table.view.setFocus()
        qtbot.waitUntil(page.importing.files.table.view.hasFocus)
        remove()
        assert [f.path for f in page.importing.draft.files] == [files[1]]
        qtbot.waitUntil(lambda: counted(page) and figures(page)["pairs"] == "0")
        assert "Add the files of the X-ray reports" in page.importing.files.strip.note.text()
        page.undo_stack.undo()
        qtbot.waitUntil(lambda: counted(page) and figures(page)["pairs"] == "40")


def test_dates_that_could_be_either_are_asked_about(qtbot, show, table):
    file = table("x.csv", "A1,P1,XR CHEST,CR,03/04/2024 08:00,Likely edema.,Quill")
    page = show(files=[file])
    assert "03/04/2024 may be March or April" in page.importing.files.said.text()
    assert "the month first" in page.importing.files.said.text()
    assert page.importing.files.model.index(0, 1).data() == "Look below"
    page.importing.files.order.setFocus()
    qtbot.keyClick(page.importing.files.order, Qt.Key.Key_Down)
    assert page.importing.draft.files[0].day_first is True
    qtbot.waitUntil(lambda: counted(page))
    assert "03/04/2024" not in page.importing.files.said.text()
    assert [(f.path, f.day_first) for f in page.importing.draft.files] == [(file, True)]


def test_what_a_file_holds_is_taken_from_its_name_where_its_table_does_not_say(qtbot, show, table):
    page = show()
    header = "Accession,MRN,Exam Time,Report Text,Signing Radiologist"
    named = table("ct_march.csv", "A1,P1,2025-01-01 08:00,Edema.,Quill", header=header)
    unnamed = table("march.csv", "A1,P1,2025-01-01 08:00,Edema.,Quill", header=header)
    page.importing.take_files([named, unnamed])
    qtbot.waitUntil(lambda: len(page.importing.draft.looks) == 2)
    assert [f.modality for f in page.importing.draft.files] == [Modality.CT, None]
    assert "the modality" in page.importing.draft.missing(unnamed)
    page.importing.files.show_file(unnamed)
    page.importing.files.holds.setFocus()
    qtbot.keyClick(page.importing.files.holds, Qt.Key.Key_Down)
    assert [f.modality for f in page.importing.draft.files] == [Modality.CT, Modality.XRAY]
    qtbot.waitUntil(lambda: counted(page))
    assert figures(page)["pairs"] == "1"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("xray", Modality.XRAY), ("march_X-rays_2026", Modality.XRAY), ("CXR", Modality.XRAY),
        ("ct", Modality.CT), ("chest-ct-q1", Modality.CT), ("CTs", Modality.CT),
        ("xray_and_ct", None), ("october", None), ("directory", None), ("Röntgen 2026", Modality.XRAY),
    ],
)  # fmt: skip
def test_names_of_files(name, kind):
    assert kind_of_name(name) == kind


def test_a_file_that_cannot_be_read_is_named_and_holds_nothing_up_but_the_import(qtbot, show, files, table):
    page = show()
    damaged = table("page.csv", header="<html><body>Session expired</body></html>")
    page.importing.take_files([*files, damaged])
    qtbot.waitUntil(lambda: counted(page) and len(page.importing.draft.looks) == 3)
    assert figures(page)["pairs"] == "40"
    assert "One of the files cannot be counted yet" in page.importing.files.strip.note.text()
    assert page.importing.files.model.index(2, 1).data() == "Cannot be read"
    assert "page.csv" in page.importing.files.model.index(2, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert "web page" in page.importing.files.said.text()
    assert not page.primary.isEnabled()
    page.importing.draft.remove([damaged])
    qtbot.waitUntil(lambda: counted(page) and page.primary.isEnabled())


# --- counting --------------------------------------------------------------------------------------


class Slow:
    """A count that takes until it is let go, or stopped."""

    def __init__(self) -> None:
        self.go, self.begun, self.stopped = threading.Event(), 0, 0

    def count(self, _files: Any, _department: Any, progress: Any) -> Any:
        self.begun += 1
        try:
            while not self.go.wait(0.005):
                progress.raise_if_cancelled()
        except Exception:
            self.stopped += 1
            raise
        raise ValueError("not of the user's making")


@pytest.mark.slow
def test_a_long_count_can_be_stopped_and_the_latest_wins(qtbot, show, files, table, monkeypatch):
    page, slow = show(), Slow()
    lacking = table("lacking.csv", "1,P1", header="Accession,MRN")
    with monkeypatch.context() as patch:
        patch.setattr(Counting, "count", slow.count)
        page.importing.take_files(files)
        strip = page.importing.files.strip
        qtbot.waitUntil(strip.stop.isVisible)
        assert strip.note.text() == "Counting what would be read\u2026"
        qtbot.waitUntil(lambda: slow.begun == 1)
        page.importing.draft.change(files[0], modality=Modality.XRAY)
        qtbot.waitUntil(lambda: (slow.begun, slow.stopped) == (2, 1))
        qtbot.waitUntil(strip.stop.isVisible)
        strip.stop.click()
        qtbot.waitUntil(strip.again.isVisible)
        assert slow.stopped == 2
        assert strip.note.text().startswith("Not counted.")
        assert page.primary.isEnabled()  # an import does not wait for a count
        page.importing.take_files([lacking])
        qtbot.waitUntil(lambda: strip.stop.isVisible() and len(page.importing.draft.looks) == 3)
        strip.stop.click()
        qtbot.waitUntil(strip.again.isVisible)
        assert strip.note.text() == "One of the files cannot be counted yet. Select it to read why."
        assert not page.primary.isEnabled()
        page.importing.draft.remove([lacking])
        qtbot.waitUntil(strip.stop.isVisible)
        slow.go.set()  # an error of RadCal's own is told as such
        qtbot.waitUntil(lambda: Message.BUG in page.shell.messages.shown())
        qtbot.waitUntil(strip.again.isVisible)
    strip.again.click()
    qtbot.waitUntil(lambda: counted(page))
    assert not strip.again.isVisible()


# --- choosing --------------------------------------------------------------------------------------


def test_a_workspace_among_the_files_is_opened(qtbot, show, files):
    page = show()
    opened: list[Path] = []
    page.open_wanted.connect(opened.append)
    page.importing.take_files([files[0], Path("chest.radcal")])
    assert opened == [Path("chest.radcal")]
    assert [f.path for f in page.importing.draft.files] == [files[0]]
    qtbot.waitUntil(lambda: counted(page))


def test_files_are_chosen_in_a_dialog(qtbot, show, files):
    page = show()
    for button, mode in (
        (page.importing.files.choose, QFileDialog.FileMode.ExistingFiles),
        (page.importing.files.choose_folder, QFileDialog.FileMode.Directory),
    ):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        dialog = page.findChildren(QFileDialog)[-1]
        assert dialog.fileMode() == mode
        dialog.reject()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    page.importing.files.choose.click()
    page.findChildren(QFileDialog)[-1].filesSelected.emit([str(files[1])])
    assert [f.path for f in page.importing.draft.files] == [files[1]]
    qtbot.waitUntil(lambda: counted(page))


# --- what is open ----------------------------------------------------------------------------------


def test_nothing_can_be_imported_where_a_workspace_is_open_to_read_only(show, chest, files):
    page = show(chest, read_only=True)
    assert not page.primary.isEnabled()
    assert "read only" in page.primary.toolTip()
    assert "read only" in page.sentence.text()
    page.arrive(files=files, show="files")
    assert page.importing.draft.files == ()
    assert not page.importing.files.choose.isEnabled()


def test_files_dropped_on_the_sample_become_a_workspace_of_ones_own(qtbot, show, chest, files, find):
    page = show(chest, sample=True)
    page.arrive(files=files)
    assert page.tabs.currentIndex() == IMPORT
    qtbot.waitUntil(lambda: counted(page))
    assert find(page, QPushButton, "Make a workspace")


def test_files_stay_on_the_list_while_a_workspace_is_opened_and_wait_while_it_is(qtbot, show, chest, files, find):
    page = show(files=files)
    page.set_busy(True)
    assert not page.primary.isEnabled()
    page.set_busy(False)
    page.shell.session.open_workspace(chest, PASSPHRASE, pytest.fail)
    qtbot.waitUntil(lambda: page.shell.opened is not None)
    assert len(page.importing.draft.files) == 2
    assert find(page, QPushButton, "Import reports")
    wanted: list[tuple[ReportFile, ...]] = []
    page.import_wanted.connect(wanted.append)
    qtbot.waitUntil(lambda: counted(page))
    page.primary.click()
    assert wanted == [tuple(map(ReportFile, files))]


def test_a_preset_is_saved_and_used_for_another_file(qtbot, show, table, tmp_path, monkeypatch):
    row = "A1,P1,XR chest 2 views,CR,04/03/2026 08:00,Clear lungs.,Ash"
    first = table("first.csv", row, header="NR,Wer,Exam Description,Modality,Exam Time,Words,Signed by")
    page = show(files=[])
    page.importing.take_files([first])
    form, panel = page.importing.files.form, page.importing.files
    qtbot.waitUntil(lambda: "text" in form.boxes)
    for field, column in (("accession", "NR"), ("patient_id", "Wer"), ("text", "Words")):
        form.boxes[field].setCurrentText(column)
    panel.order.setCurrentIndex(1)
    panel.order.activated.emit(1)
    saved = tmp_path / "ours.toml"
    asked: list[tuple[str, Sequence[str]]] = []

    def save(title: str, name: str, kinds: Sequence[str], make: Callable[[str], Export]) -> None:
        asked.append((name, kinds))
        Exports().write(saved, make(".toml"))

    monkeypatch.setattr(page.shell, "save_file", save)
    panel.save_preset.click()
    assert asked == [("first.toml", ("TOML (*.toml)",))]
    second = table("second.csv", row, header="NR,Sonst,Exam Description,Modality,Exam Time,Words,Signed by")
    page.importing.take_files([second])
    qtbot.waitUntil(lambda: panel.shown == second and page.importing.draft.preview(second) is not None)
    panel.ask_preset()
    page.findChildren(QFileDialog)[-1].fileSelected.emit(str(saved))
    file = page.importing.draft.file(second)
    assert (file.mapping["accession"], file.mapping["text"], file.day_first) == ("NR", "Words", True)
    assert form.boxes["text"].currentData() == "Words"
    assert "lacks columns of the preset first: Wer" in panel.said.text()
    assert panel.order.currentIndex() == 1
    saved.write_text("[columns]\nmoon = 'x'\n", encoding="utf-8")
    panel.ask_preset()
    page.findChildren(QFileDialog)[-1].fileSelected.emit(str(saved))
    assert "ours.toml is no preset: look at line 2" in panel.said.text()
    page.undo_stack.undo()
    assert page.importing.draft.file(second).mapping == {}
    saved.write_text('name = "Other"\n[columns]\naccession = "NOPE"\n', encoding="utf-8")
    panel.ask_preset()
    page.findChildren(QFileDialog)[-1].fileSelected.emit(str(saved))
    assert "It lacks columns of the preset Other: NOPE." in panel.said.text()
    assert page.importing.draft.file(second).mapping == {}


def test_shipped_presets_are_offered(qtbot, show, table):
    path = table("x.csv", "1,P1,CT CHEST,2026-03-04 08:00,Clear.,Ash", header="ACCESSION_NUM,PAT_MRN_ID,A,B,C,D")
    page = show()
    page.importing.take_files([path])
    qtbot.waitUntil(lambda: page.importing.draft.preview(path) is not None)
    menu = page.importing.files.presets.menu()
    menu.aboutToShow.emit()
    menu.aboutToShow.emit()
    names = [action.text() for action in menu.actions() if action.text()]
    assert len(names) == 6
    epic = next(action for action in menu.actions() if "Epic" in action.text())
    epic.trigger()
    assert page.importing.draft.file(path).mapping == {"accession": "ACCESSION_NUM", "patient_id": "PAT_MRN_ID"}
    assert "lacks columns of the preset Epic" in page.importing.files.said.text()
