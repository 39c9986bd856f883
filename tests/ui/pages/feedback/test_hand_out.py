"""What is handed out to all or to some, on a real small department, and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from radcal.feedback.batch import Batch, Written
from radcal.opening import open_workspace
from radcal.system.selection import Selection
from ui.pages.feedback.hand_out_tab import BATCH, HandOutTab
from ui.pages.feedback.models import BatchColumn, BatchModel, Radiologist
from ui.pages.feedback.page import PAGES, FeedbackPage
from ui.shell import Shell


@pytest.fixture
def page(shell: Shell, show_page: Callable[..., FeedbackPage]) -> FeedbackPage:
    """The page with the list open, of two radiologists."""
    page = show_page(FeedbackPage, shell)
    page.arrive(tab="hand out")
    return page


@pytest.fixture
def tab(page: FeedbackPage) -> HandOutTab:
    return page.hand_out


def write(tab: HandOutTab, qtbot: QtBot, folder: Path, *authors: str, **kinds: bool) -> list[Radiologist]:
    """Write files of these kinds alone; the rows after that."""
    tab.write_files(folder, authors or tab.authors(), **{"pages": False, **kinds})
    tasks = tab._shell.tasks
    qtbot.waitUntil(lambda: not tasks.is_running(BATCH))
    return list(tab.model.rows)


def test_files_for_all(page: FeedbackPage, tab: HandOutTab, shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    assert tab.write.text() == "&Write 2 files\u2026"
    tab.personal_files.click()
    assert tab.write.text() == "&Write 4 files\u2026"
    qtbot.mouseClick(tab.write, Qt.MouseButton.LeftButton)
    (dialog,) = page.window().findChildren(QFileDialog)
    assert dialog.fileMode() == QFileDialog.FileMode.Directory
    dialog.fileSelected.emit(str(tmp_path / "out"))
    dialog.reject()
    assert not tab.write.isEnabled()
    qtbot.waitUntil(lambda: not shell.tasks.is_running(BATCH))
    assert sorted(p.suffix for p in (tmp_path / "out").iterdir()) == [".pdf", ".pdf", ".radcal", ".radcal"]
    assert "for 2 of 2" in tab.outcome.text()
    assert "passphrase" in tab.outcome.text()
    assert tab.open_folder.isVisible()
    rows = tab.model.rows
    with open_workspace(rows[0].written.files[1], rows[0].passphrase) as personal:
        assert personal.personal == rows[0].author
    # Enter on a row shows the pages of that radiologist.
    asked: list[Selection] = []
    shell.choose_wanted.connect(asked.append)
    tab.table.view.setFocus()
    tab.table.select_row(1)
    qtbot.keyClick(tab.table.view, Qt.Key.Key_Return)
    assert asked[0].author == rows[1].author
    assert page.tabs.currentIndex() == PAGES


def test_files_are_written_for_those_who_are_chosen_and_as_many_as_the_button_says(
    tab: HandOutTab, qtbot: QtBot, tmp_path: Path
) -> None:
    first, second = (row.author for row in tab.model.rows)
    tab.table.select_row(1)
    assert tab.write.text() == "&Write 1 file\u2026"
    assert tab.authors() == (second,)
    rows = write(tab, qtbot, tmp_path / "out", second, pages=True)
    assert rows[0].written is None
    assert rows[1].written is not None
    assert rows[1].written.files == tuple((tmp_path / "out").iterdir())
    tab.table.view.clearSelection()
    tab.table.search.setText(tab.model.called(tab.model.rows[0]))
    qtbot.waitUntil(lambda: tab.authors() == (first,))
    tab.pages.click()
    assert not tab.write.isEnabled()
    assert "Tick" in tab.write.toolTip()
    tab.table.show_all()
    tab.cards.click()
    tab.macros.click()
    advised = sum(bool(row.suggestions) for row in tab.model.rows)
    assert f"{2 + advised} file" in tab.write.text()
    rows = write(tab, qtbot, tmp_path / "more", cards=True, macros=True)
    written = [path.name for row in rows for path in (row.written.files if row.written else ())]
    assert len(written) == 2 + advised
    assert sum(name.startswith("card-") for name in written) == 2


def test_what_was_handed_out_and_came_back_stands_in_the_list(
    page: FeedbackPage, tab: HandOutTab, shell: Shell, qtbot: QtBot, tmp_path: Path
) -> None:
    first, model = tab.model.rows[0].author, tab.model

    def shown(row: int, column: BatchColumn) -> str:
        return str(model.index(row, column).data())

    assert [shown(row, BatchColumn.HANDED_OUT) for row in (0, 1)] == ["not yet", "not yet"]
    rows = write(tab, qtbot, tmp_path / "out", first, personal_files=True)
    passphrase = rows[0].passphrase
    qtbot.waitUntil(lambda: shown(0, BatchColumn.HANDED_OUT) != "not yet")
    department = shell.session.current.department
    department.contests.add("xray:X0001", "edema", first, "likely", by=first)
    # Pages written since leave the personal file and its passphrase; another window reads them from the workspace.
    write(tab, qtbot, tmp_path / "out", first, pages=True)
    qtbot.waitUntil(lambda: shown(0, BatchColumn.CAME_BACK).startswith("1 contest, "))
    assert "personal-" in shown(0, BatchColumn.FILES)
    assert "feedback-" in shown(0, BatchColumn.FILES)
    page.hand_out.forget()
    page.show_department(shell.session.current)
    qtbot.waitUntil(lambda: shown(0, BatchColumn.PASSPHRASE) == passphrase)
    assert shown(1, BatchColumn.PASSPHRASE) == ""
    assert shown(1, BatchColumn.HANDED_OUT) == "not yet"


def test_a_cancelled_batch_says_what_was_written(
    tab: HandOutTab, shell: Shell, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Batch._write_one

    def slow(self: Batch, author: str, *rest: object, **more: object) -> Written:
        shell.tasks.cancel(BATCH)
        return real(self, author, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Batch, "_write_one", slow)
    write(tab, qtbot, tmp_path / "out", pages=True)
    shown = [tab.model.index(row, BatchColumn.FILES).data() for row in (0, 1)]
    assert sum(text.endswith(".pdf") for text in shown) == sum("stopped" in text for text in shown) == 1
    assert "for 1 of 2" in tab.outcome.text()


def test_to_read_only_no_passphrase_could_be_kept(page: FeedbackPage, tab: HandOutTab, shell: Shell) -> None:
    tab.personal_files.click()
    page.show_department(replace(shell.session.current, read_only=True))
    assert not tab.personal_files.isEnabled()
    assert not tab.personal_files.isChecked()
    assert "read only" in tab.personal_files.toolTip()
    assert not tab.take.isEnabled()
    page.show_department(shell.session.current)
    assert tab.personal_files.isEnabled()


def test_contests_that_came_back_are_taken_in_with_the_results(
    page: FeedbackPage, tab: HandOutTab, shell: Shell, tmp_path: Path
) -> None:
    asked: list[tuple[Any, ...]] = []
    shell.go_wanted.connect(lambda *args: asked.append(args))
    tab.take.click()
    (dialog,) = page.window().findChildren(QFileDialog)
    dialog.filesSelected.emit([str(tmp_path / "a.radcal-contests")])
    dialog.reject()
    assert asked == [("results", {"take": (tmp_path / "a.radcal-contests",)})]


def test_names_have_no_numbers_beside_them(tab: HandOutTab) -> None:
    def number() -> object:
        return tab.model.index(0, BatchColumn.FINDINGS).data()

    tab.names.click()
    assert number() == ""
    tab.names.click()
    assert number() != ""
    assert tab.warning.isVisible()


def test_one_file_of_several_can_fail() -> None:
    model = BatchModel()
    model.set_rows([Radiologist("A"), Radiologist("B", enough=False)])
    model.change({"B": {"written": Written("B", (Path("x/page.pdf"),), "abc", "The disk is full.")}})
    assert model.index(1, BatchColumn.FILES).data() == "page.pdf. The disk is full."
    assert model.index(1, BatchColumn.PASSPHRASE).data() == "abc"
    assert model.index(0, BatchColumn.FILES).data() == ""
    assert model.index(1, BatchColumn.HANDED_OUT).data() == "too few findings"
    assert model.rowCount(QModelIndex()) == 2
