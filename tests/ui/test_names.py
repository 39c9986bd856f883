"""Names and pseudonyms in the window: from the names key where it is at hand, and never both on one screen."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QTableView,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from radcal.calibration.records import ALL_AUTHORS
from radcal.department import Department
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.system.errors import Cancelled
from radcal.system.kinds import names_key_of
from radcal.system.progress import Progress
from radcal.system.selection import Selection
from ui.pages.department.page import DepartmentPage
from ui.pages.feedback.page import PAGES, FeedbackPage
from ui.pages.results.cases.models import FindingColumn
from ui.pages.results.page import ResultsPage
from ui.pages.settings.page import SettingsPage
from ui.plots.base import Painting
from ui.widgets.messages import Message
from ui.window.dialogs.new_workspace import NewWorkspaceDialog
from ui.window.main_window import MainWindow

PASSPHRASE = "correct horse battery"


@pytest.fixture(scope="session")
def replaced(tmp_path_factory: pytest.TempPathFactory, prepared: SimpleNamespace) -> Path:
    """A folder with the prepared department, its names in a file of their own."""
    folder = tmp_path_factory.mktemp("apart")
    path = Path(shutil.copy(prepared.analysed, folder / "chest.radcal"))
    with open_department(path, PASSPHRASE) as department:
        department.replace_names(folder / "chest.names")
    return folder


@pytest.fixture
def apart(tmp_path: Path, replaced: Path) -> Path:
    """That department, for this test alone."""
    return Path(shutil.copytree(replaced, tmp_path / "apart")) / "chest.radcal"


def said(window: MainWindow) -> Iterator[str]:
    """All that can be read in a window now."""
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        yield widget.toolTip()
        yield widget.accessibleName()
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
            yield widget.text()
        elif isinstance(widget, QComboBox):
            yield widget.currentText()
        elif isinstance(widget, QTableView):
            model = widget.model()
            for row in range(model.rowCount()):
                for column in range(model.columnCount()):
                    if not widget.isColumnHidden(column):
                        yield str(model.index(row, column).data() or "")
        elif isinstance(widget, Painting):
            yield from (str(widget.readout(k)) for k in range(widget.count))


def screens(window: MainWindow, qtbot: QtBot) -> Iterator[tuple[str, str]]:
    """Every page and tab that can be looked at, with what it says once its work is done."""
    for key in window.rail.offered():
        window.show_page(key)
        page = window.page(key)
        bars = [bar for bar in page.findChildren(QTabWidget) if bar.isVisible()]
        bar = bars[0] if bars else None
        for i in range(bar.count()) if bar is not None else [0]:
            if bar is not None:
                if not bar.isTabVisible(i):
                    continue
                bar.setCurrentIndex(i)
            paper = page.paper if isinstance(page, FeedbackPage) and i == PAGES else None
            for k in range(paper.list.count()) if paper is not None else [0]:
                if paper is not None:
                    paper.list.setCurrentIndex(k)
                qtbot.wait(50)
                qtbot.waitUntil(lambda: window.tasks.is_idle)
                text = "\n".join(said(window))
                if paper is not None:
                    qtbot.waitUntil(lambda paper=paper: paper.preview is not None and window.tasks.is_idle)
                    text += "\n".join(p.text for p in paper.preview.pages)
                yield f"{key} {i} {k}", text


def standing(words: Collection[str], text: str) -> set[str]:
    """The words that stand in a text."""
    return {word for word in words if re.search(rf"\b{re.escape(word)}\b", text)}


@pytest.mark.parametrize(
    "kept", ["apart", *(pytest.param(k, marks=pytest.mark.slow) for k in ("in the workspace", "lost"))]
)
def test_no_screen_has_names_and_pseudonyms(
    kept: str, apart: Path, chest: Path, open_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    if kept == "lost":
        apart.with_suffix(".names").unlink()
    window = open_window(chest if kept == "in the workspace" else apart)
    opened = window.session.current
    assert opened is not None
    pseudonyms = set(opened.pseudonyms.values())
    names = set(opened.names.values()) - pseudonyms
    assert bool(names) == (kept != "lost")
    seen: dict[str, tuple[set[str], set[str]]] = {}
    for screen, text in screens(window, qtbot):
        seen[screen] = standing(names, text), standing(pseudonyms, text)
    both = {screen: found for screen, found in seen.items() if all(found)}
    assert not both
    assert sum(bool(under) for _, under in seen.values()) >= 2
    assert sum(bool(named) for named, _ in seen.values()) >= (5 if names else 0)


@pytest.mark.slow
def test_the_selected_radiologist_has_a_name(apart: Path, open_window: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = open_window(apart)
    opened = window.session.current
    assert opened is not None
    window.show_page("results")
    page = window.page("results")
    assert isinstance(page, ResultsPage)
    author = window.selectors.author.currentData()
    name = opened.names[author]
    assert author != name == window.selectors.author.currentText()
    assert page.title.text().startswith(name)


def test_names_are_shown_once_their_key_is_found(
    apart: Path, open_window: Callable[..., MainWindow], close: Callable[..., None], qtbot: QtBot, tmp_path: Path
) -> None:
    key = apart.with_suffix(".names").rename(tmp_path / "stick.names")
    window = open_window(apart)
    opened = window.session.current
    assert opened is not None
    assert opened.names_missing
    assert Message.NAMES_MISSING in window.messages.shown()
    author = window.selectors.author.currentData()
    assert window.selectors.author.currentText() == author
    compare = window.page("department")
    assert isinstance(compare, DepartmentPage)
    window.show_page("department")
    compare.names.setChecked(True)
    assert not compare.names.isChecked()  # there are none to show
    window.shell.choose_names_key(str(tmp_path / "nothing.names"))
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert window.session.current is opened
    window.shell.choose_names_key(str(key))
    qtbot.waitUntil(lambda: not window.session.current.names_missing)
    assert window.selectors.author.currentText() == window.session.current.names[author] != author
    assert Message.NAMES_MISSING not in window.messages.shown()
    compare.names.setChecked(True)
    assert compare.names.isChecked()
    # It is remembered where it is.
    close(window)
    assert not open_window(apart).session.current.names_missing


@pytest.mark.slow
def test_a_new_workspace_keeps_names_apart_and_says_so_once(
    open_window: Callable[..., MainWindow], close: Callable[..., None], qtbot: QtBot, tmp_path: Path, march: Path
) -> None:
    window = open_window()
    window.entrance.ask_new()
    (dialog,) = window.findChildren(NewWorkspaceDialog)
    form = dialog.form
    form.path.setText(str(tmp_path / "chest"))
    assert form.names.text() == str(tmp_path / "chest.names")
    (tmp_path / "chest.names").write_bytes(b"")
    for field in (form.first, form.second):
        field.setText(PASSPHRASE)
    assert "there already" in form.missing()
    (tmp_path / "stick").mkdir()
    form.names.setText(str(tmp_path / "stick" / "who"))
    form.path.setText(str(tmp_path / "thorax"))  # which the place of the names does not follow any more
    assert form.names_key == tmp_path / "stick" / "who.names"
    assert form.missing() == ""
    form.inside.setChecked(True)  # they may be kept in the workspace
    assert form.names_key is None
    assert not form.names.isEnabled()
    form.inside.setChecked(False)
    dialog.accept()
    qtbot.waitUntil(lambda: window.session.current is not None)
    assert (tmp_path / "stick" / "who.names").exists()
    assert "who.names" in window.messages.text(Message.NAMES_MADE)
    window.shell.copy_names(str(tmp_path / "copy.names"))
    qtbot.waitUntil(lambda: Message.FILE_SAVED in window.messages.shown())
    window.session.import_files(as_files(reports=[march]), lambda failure: None)
    qtbot.waitUntil(lambda: bool(window.session.current and window.session.current.imported))
    known = window.session.current.department.names.known()
    assert known
    close(window)
    again = open_window(tmp_path / "thorax.radcal")
    assert again.session.current.names_key == tmp_path / "stick" / "who.names"
    assert again.session.current.names_missing == ""
    assert Message.NAMES_MADE not in again.messages.shown()


def test_radiologists_are_listed_by_what_they_are_called(
    apart: Path, open_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    """Names in the order of their pseudonyms would tell whose they are."""
    window = open_window(apart)
    window.show_page("feedback", {"tab": "hand out"})
    page = window.page("feedback")
    assert isinstance(page, FeedbackPage)

    def listed() -> list[str]:
        shown = page.hand_out.table.proxy
        return [shown.index(row, 0).data() for row in range(shown.rowCount())]

    opened = window.session.current
    authors = {group.author for group in opened.of_radiologists}
    page.hand_out.names.setChecked(True)
    assert listed() == sorted(opened.names[author] for author in authors)
    page.hand_out.names.setChecked(False)
    assert listed() == sorted(opened.pseudonyms[author] for author in authors)
    assert "exact numbers" in page.hand_out.warning.text()
    assert page.hand_out.warning.isVisible()
    header, *rows = page.hand_out.table._exported(range(len(authors)))
    assert header == ["radiologist", "last made", "came back", "files", "passphrase"]
    assert [row[0] for row in rows] == listed()


@pytest.mark.parametrize("kept", ["apart", "in the workspace"])
def test_lists_of_several_radiologists_name_nobody_until_names_are_asked_for(
    kept: str,
    apart: Path,
    chest: Path,
    open_window: Callable[..., MainWindow],
    settle: Callable[[MainWindow], None],
) -> None:
    window = open_window(apart if kept == "apart" else chest)
    opened = window.session.current
    people, edema = {"Avery", "Brooks", "Casey"}, Selection(ALL_AUTHORS, "edema")  # Casey has CT reports alone
    assert set(opened.names.values()) >= {"Avery", "Brooks"}

    def named() -> set[str]:
        settle(window)
        return standing(people, "\n".join(said(window)))

    window.shell.choose(edema)
    window.show_page("results", {"phrase": "likely"})
    results = window.page("results")
    assert named() == set()
    assert "radiologist" in results.cases.list._header()
    shown = {results.cases.model.index(row, FindingColumn.AUTHOR).data() for row in range(137)}
    assert shown == {opened.pseudonyms[group.author] for group in opened.of_radiologists}
    results.cases.show_case()
    assert named() == set()
    for key, tab in (("reports", "reports"), ("feedback", "hand out")):
        window.show_page(key, {"tab": tab})
        page = window.page(key)
        part = page.listing if key == "reports" else page.hand_out
        assert not part.names.isChecked()
        if key == "reports":
            part.open_report(0)
        assert named() == set()
        part.names.click()
        assert named() >= {"Avery", "Brooks"}
        window.show_page("results")
        window.show_page(key, {"tab": tab})
        assert named() == set()


def test_settings_copy_move_and_replace_names(
    chest: Path, open_window: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(chest)
    window.show_page("settings", {"section": "names"})
    page = window.page("settings")
    assert isinstance(page, SettingsPage)
    card = page.names
    assert card.convert.isVisible()
    card.ask_file()
    (dialog,) = card.findChildren(QFileDialog)
    assert dialog.selectedFiles() == [str(names_key_of(chest))]
    dialog.close()
    assert not card.copy.isVisible()
    before = window.session.current
    card.replace_names(str(tmp_path / "who.names"))
    qtbot.waitUntil(lambda: window.session.current is not before)
    opened = window.session.current
    assert set(opened.names.values()) >= {g.author for g in before.of_radiologists}
    assert opened.names.keys().isdisjoint(opened.names.values())
    assert {v.reliability.n for v in opened.groups.values()} == {v.reliability.n for v in before.groups.values()}
    assert not card.convert.isVisible()
    assert str(tmp_path / "who.names") in card.where.text().replace("\u200b", "")
    (tmp_path / "stick").mkdir()
    card.move_to(str(tmp_path / "stick" / "who.names"))
    qtbot.waitUntil(lambda: (tmp_path / "stick" / "who.names").exists() and window.tasks.is_idle)
    assert not (tmp_path / "who.names").exists()
    assert window.session.current.names == opened.names


@pytest.mark.parametrize("late", [False, True])
def test_stopping_the_replacement_of_names_tells_whether_it_was_too_late(
    chest: Path,
    open_window: Callable[..., MainWindow],
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    late: bool,
) -> None:
    replaced = Department.replace_names

    def stopped(department: Department, file: Path, progress: Progress) -> int:
        if late:
            replaced(department, file, progress)
        raise Cancelled

    monkeypatch.setattr(Department, "replace_names", stopped)
    window = open_window(chest)
    window.show_page("settings")
    card = window.page("settings").names
    card.replace_names(str(tmp_path / "who.names"))
    told = "pseudonyms now" if late else "still in the workspace"
    qtbot.waitUntil(lambda: told in card.outcome.text())
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert window.session.current.department.names.kept_apart is late
    assert (window.session.current.names_key is not None) is late
