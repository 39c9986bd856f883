"""Each shape of export through the widgets of the window, as its user goes: dropped, imported, reviewed, printed."""

from __future__ import annotations

import functools
import gc
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QLocale, QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from radcal.findings import engines
from radcal.reports.deidentify import side_by_side as deidentifying
from radcal.reports.records import State
from radcal.system.selection import Group
from ui.theme import Theme
from ui.widgets.messages import Weight
from ui.window.dialogs.new_workspace import NewWorkspaceDialog
from ui.window.main_window import MainWindow
from ui.words import typographic

from .runs import KEY, PLAIN, SEED, Went, by_reason, each
from .shapes import SHAPES, Files

PATIENCE = 300_000
"""Milliseconds after which what a test waits for is not coming any more."""
TABLES = [name for name in SHAPES if not name.startswith(("HL7", "FHIR", "DICOM"))]


@pytest.fixture(autouse=True, scope="module")
def _alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One process reads and takes identifiers out, and what Qt remembers is not this user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        for room in (engines, deidentifying):
            patch.setattr(room, "number_of", lambda wanted, _: wanted or 1)
        yield


class Person:
    """Somebody at the window.

    Waits for what must come until it is there, and never sees a message that something went wrong.
    """

    def __init__(self, qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
        self.qtbot, self.window, self.folder = qtbot, window, tmp_path
        self.wait: Callable[..., None] = functools.partial(qtbot.waitUntil, timeout=PATIENCE)

    # --- what is seen --------------------------------------------------------------------------------

    @property
    def reports(self) -> Any:
        return self.window.page("reports")

    @property
    def importing(self) -> Any:
        """The tab of the files to import."""
        return self.reports.importing

    @property
    def figures(self) -> tuple[int, int, int]:
        """Rows that would be read, rows left out of them, and pairs."""
        outcome = r"([\d,]+) rows? would be read, ([\d,]+) left out; the workspace then holds ([\d,]+) pairs?\."
        [found] = re.findall(outcome, self.importing.files.strip.outcome.text())
        rows, left_out, pairs = (int(n.replace(",", "")) for n in found)
        return rows, left_out, pairs

    def nothing_wrong(self) -> None:
        """No message says that something failed."""
        shown = self.window.messages.shown()
        assert [m for m in shown if m.value.weight is Weight.ERROR] == [], [self.window.messages.text(m) for m in shown]

    def is_counted(self) -> bool:
        page = self.importing
        listed = page.draft.files
        return (
            len(page.draft.looks) >= len(listed) > 0
            and not page.files.strip.counting
            and not page._recount.isActive()
            and not self.window.tasks.is_running("import count")
        )

    # --- what is done --------------------------------------------------------------------------------

    def drop(self, paths: Sequence[Path]) -> None:
        """Drop files on the window."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        button, key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        dropped = QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, button, key)
        QApplication.sendEvent(self.window.windowHandle(), dropped)
        self.wait(lambda: len(self.importing.draft.looks) == len(paths))

    def use_preset(self, name: str) -> None:
        """Choose a shipped preset of the menu, for the file whose columns are shown."""
        menu = self.importing.files.presets.menu()
        menu.aboutToShow.emit()
        [action] = [action for action in menu.actions() if action.text().lower().startswith(name)]
        action.trigger()

    def counted(self) -> tuple[int, int, int]:
        """The figures once they are there."""
        self.wait(lambda: self.is_counted() and self.importing.draft.count is not None)
        return self.figures

    def into_new(self) -> None:
        """Make a workspace for what is on the list, by its dialog, and wait for the count against it."""
        button = self.reports.primary
        self.wait(lambda: self.is_counted() and button.isEnabled())
        button.click()
        [dialog] = self.window.findChildren(NewWorkspaceDialog)
        dialog.form.path.setText(str(self.folder / "strangers"))
        dialog.form.inside.setChecked(True)
        for field in (dialog.form.first, dialog.form.second):
            QTest.keyClicks(field, KEY)
        dialog.go.click()
        self.wait(lambda: self.window.session.current is not None and self.window.tasks.is_idle)

    def import_all(self) -> None:
        """Import what is on the list; Home then says what came of it."""
        button = self.reports.primary
        self.wait(lambda: self.is_counted() and self.importing.draft.count is not None and button.isEnabled())
        button.click()
        self.wait(lambda: self.window.current_key == "home" and self.window.tasks.is_idle)

    def show(self, key: str, group: Group | None = None) -> Any:
        """Open a page by the rail, on a group if one is named, and wait for what it shows."""
        self.window.rail._stages[key].click()
        if group is not None:
            self.window.selectors.choose(group)
        self.wait(lambda: self.window.tasks.is_idle)
        return self.window.page(key)

    def save(self, button: Any, name: str) -> Path:
        """Press a button that asks where to save a file, and save it."""
        known = set(self.window.findChildren(QFileDialog))
        button.click()
        self.wait(lambda: set(self.window.findChildren(QFileDialog)) > known)
        [dialog] = set(self.window.findChildren(QFileDialog)) - known
        path = self.folder / name
        dialog.fileSelected.emit(str(path))
        dialog.close()
        self.wait(lambda: path.exists() and self.window.tasks.is_idle)
        return path


@pytest.fixture
def person(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Person]:
    """Somebody at a window on the real pipeline, which is closed in the test."""
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))
    QLocale.setDefault(QLocale("en_US"))
    gc.collect()  # what earlier tests have left
    gc.freeze()
    gc.disable()  # as the program does: a collection while Qt goes through its widgets takes the program down
    theme = Theme(qapp)
    window = MainWindow(theme)
    gone: list[bool] = []
    window.destroyed.connect(lambda: gone.append(True))
    window.show()
    window.activateWindow()
    made = Person(qtbot, window, tmp_path)
    yield made
    window.finish()
    made.wait(lambda: bool(gone))
    theme.deleteLater()
    gc.enable()


@pytest.fixture
def files(tmp_path: Path) -> Callable[[str], Files]:
    """Writes the department of a shape: ``files(name)``."""

    def write(name: str) -> Files:
        folder = tmp_path / "export"
        folder.mkdir()
        return SHAPES[name].write(folder, SHAPES[name].department(SEED))

    return write


def preset_of(name: str) -> str:
    """The preset that the command line is told for a shape, '' for none."""
    options = SHAPES[name].options
    return options[options.index("--preset") + 1] if "--preset" in options else ""


def drop_all(person: Person, name: str, made: Files) -> None:
    """Drop the files of a shape, and read them as it needs."""
    person.drop([path for _, path in made])
    if preset := preset_of(name):
        for _, path in made:
            person.importing.files.show_file(path)
            person.use_preset(preset)


# --- the whole way -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", each(SHAPES))
def test_a_department_goes_through_the_window_as_by_the_command_line(
    name: str, person: Person, went: Callable[[str], Went], files: Callable[[str], Files], printed: Callable[..., str]
) -> None:
    """Counted, imported, reviewed, advised, printed: what is shown is the truth, and what the command line says."""
    run = went(name)
    truth, window = run.department, person.window
    listed = sum(truth.listed.values())

    drop_all(person, name, files(name))
    assert person.counted() == (len(truth.rows), listed, len(truth.pairs))
    person.into_new()
    assert person.counted() == (len(truth.rows), listed, len(truth.pairs))
    person.import_all()
    person.nothing_wrong()

    page = person.reports
    steps = page.flow.model.rows
    assert by_reason((s.modality, s.reason, s.dropped) for s in steps) == truth.left_out
    rows = [row for row in page.listing.listed.rows if not row.report_id]
    assert Counter((row.file, row.row, row.why) for row in rows) == Counter(
        (failure["file"], failure["row"], failure["reason"]) for failure in run.summary["failures"]
    )
    assert Counter(PLAIN[row.why] for row in rows) == truth.listed
    paired = [row for row in page.listing.listed.rows if row.partner]
    assert len(paired) == 2 * len(truth.pairs)
    assert {row.state for row in paired} == {State.READ}
    assert window.rail.state("reports") == ("", "")
    assert page.sentence.text().startswith(f"{len(truth.pairs)} pairs from {len(truth.rows)} rows; all read.")

    _shows_what_was_counted(person, run)
    _is_reviewed(person, truth.pairs)
    _is_printed(person, run, printed)
    person.nothing_wrong()


def _shows_what_was_counted(person: Person, run: Went) -> None:
    """Tables and advice of the groups are those of R.json and A.json, which were made of the truth."""
    reliability, advice = run.counted
    opened = person.window.session.current
    assert opened is not None
    assert {(g.author, g.topic): round(view.reliability.n) for g, view in opened.groups.items()} == {
        key: round(group["n"]) for key, group in reliability.items()
    }
    most = sorted(reliability, key=lambda key: (-len(advice[key]["recommendations"]), -reliability[key]["n"]))
    for author, topic in most[:3]:
        page = person.show("results", Group(author, topic))
        shown = {
            str(page.model.index(i, 0).data()): (page.model.row(i).n, page.model.row(i).positives)
            for i in range(page.model.rowCount())
        }
        said = {p["phrase"]: (p["n"], p["positives"]) for p in reliability[author, topic]["phrases"] if p["n"]}
        assert shown == said
        for i in range(page.model.rowCount()):
            n, positives = shown[str(page.model.index(i, 0).data())]
            cells = [str(page.model.index(i, column).data()) for column in (1, 2)]
            assert cells[0] == str(round(n))
            assert cells[1].startswith(f"{round(positives)}")
        own = [typographic(text) for text in advice[author, topic]["recommendations"]]
        over_all = {typographic(text) for text in run.over_all.get(author, ())}
        lines = {line.text() for line in page.one._sources.values()}
        # That of the sentence above stands there.
        assert len(set(own) - lines) <= 1
        assert lines <= {*own, *over_all}


def _is_reviewed(person: Person, pairs: frozenset[tuple[str, str]]) -> None:
    """A gold set is drawn, and two of its reports are read by keys alone."""
    page = person.show("review")
    person.wait(lambda: page.standing is not None and page.views.currentWidget() is page.draw_panel)
    page.draw_panel.size_field.setValue(6)
    QTest.keyClick(page.draw_panel.draw, Qt.Key.Key_Space)
    person.wait(lambda: page.views.currentWidget() is page.reader_panel)
    page.reader_panel.blind.setChecked(False)
    page.reader_panel.name.setEditText("")
    field = page.reader_panel.name.lineEdit()
    QTest.keyClicks(field, "FK")
    QTest.keyClick(field, Qt.Key.Key_Return)
    person.wait(lambda: page.session is not None and page.views.currentWidget() is page.read)
    for done in (1, 2):
        report = page.session.report
        assert report.report_id.split(":", 1)[0] in ("xray", "ct")
        while page.session.open_items(report):
            QTest.keyClick(page.read.text, Qt.Key.Key_Return)
        QTest.keyClick(page.read.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        if page.read.findings.nothing.isVisible():
            page.read.findings.nothing.click()
        assert page.session.answers(report.report_id).done
        assert person.window.rail.state("review")[0] == f"{6 - done} left"
    person.wait(lambda: person.window.tasks.is_idle and not len(page.outbox))


def _is_printed(person: Person, run: Went, printed: Callable[..., str]) -> None:
    """The pages saved from the window are those that the command line wrote; in full, they know what people read."""
    author = max(run.counted[0], key=lambda key: run.counted[0][key]["n"])[0]
    [topic] = [topic for who, topic in run.counted[0] if who == author][:1]
    page = person.show("feedback", Group(author, topic))
    person.wait(lambda: page.paper.preview is not None and page.save.isEnabled())
    saved = printed(person.save(page.save, "pages.pdf").read_bytes())
    [theirs] = [
        text for path in (run.folder / "out").glob("feedback-*.pdf") if author in (text := printed(path.read_bytes()))
    ]
    assert saved == theirs
    short, length = page.paper.preview, page.paper.choices.length
    length.setCurrentIndex(length.findData("full"))
    length.activated.emit(length.currentIndex())
    person.wait(lambda: page.paper.preview not in (None, short) and page.save.isEnabled())
    read = re.compile(
        r"(\d) X-ray and (\d) CT reports were read by people and by this engine; at least 30 of each are needed"
    )
    [counts] = read.findall(printed(person.save(page.save, "full.pdf").read_bytes()))
    assert sum(map(int, counts)) == 2


# --- on the way --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", each(TABLES))
def test_every_column_can_be_chosen_for_every_field(name: str, person: Person, files: Callable[[str], Files]) -> None:
    """And undone: whatever was chosen is shown, counted or refused in words, and never a fault of the program."""
    made = files(name)
    drop_all(person, name, made)
    page = person.importing
    before = person.counted()
    path = made[0][1]
    page.files.show_file(path)
    form, chosen = page.files.form, dict(page.draft.read_as(path))
    needed = {field for group in page.draft.needed(path) for field in group}
    columns = page.draft.preview(path).columns
    free = [column for column in columns if column not in {chosen.get(field) for field in needed}] or columns
    place = TABLES.index(name)

    def undo_all() -> None:
        while page.draft.read_as(path) != chosen:
            person.reports.undo_stack.undo()

    for k, field in enumerate(list(form.boxes)):
        box = form.boxes[field]
        for column in range(box.count()):
            box.setCurrentIndex(column)
            assert form.mapping().get(field, "") == (box.itemData(column) or "")
            taken = [other.currentData() for other in form.boxes.values() if other.currentData()]
            assert len(taken) == len({*taken}), "a column has one use"
        undo_all()
        if k % 6 == place % 6:  # each field is counted in at least one shape
            box.setCurrentText(free[(place + k) % len(free)])
            person.wait(person.is_counted)
            person.nothing_wrong()
            assert page.draft.count is not None or page.draft.missing(path)
            assert page.files.said.text()
            undo_all()
    assert page.draft.read_as(path) == chosen
    assert person.counted() == before
