"""Reading a gold set from the keyboard, on a small made-up department in a real workspace."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from radcal.findings.records import Finding
from radcal.opening import open_department
from radcal.reports.records import Modality, Section, Sentence
from radcal.review import session
from radcal.review.annotating import Annotating
from radcal.review.records import Action, Draw, EngineAccuracy, EngineRun, GoldReport, GoldSet, Reading, Score, Verdict
from radcal.review.session import ReviewSession
from radcal.system.errors import DataError
from radcal.words.name_search import Names
from radcal.words.records import ABSENT, PRESENT, Phrase
from ui.pages.review.choosers import NameChooser, pathology_chooser
from ui.pages.review.items import sign
from ui.pages.review.keys import phrase_keys
from ui.pages.review.models import score_model
from ui.pages.review.page import ReviewPage, work
from ui.pages.review.read_view import ReadView
from ui.pages.review.sentences import about, attention, rail_text
from ui.pages.review.well_view import headline, notes
from ui.session import Session
from ui.shell import Shell
from ui.tasks import Tasks
from ui.theme import DARK, LIGHT
from ui.widgets.messages import Message, MessageBar
from ui.widgets.report_view import ReportView, shown_text

KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PASSPHRASE = "correct horse battery"
PHRASES = (
    Phrase("absent", 0, 1, 0, 0),
    Phrase("unlikely", 1, 9, 0, 0.2),
    Phrase("may represent", 5, 5, 0.25, 0.75, ("may", "cannot be excluded")),
    Phrase("likely", 8, 2, 0.75, 0.9, ("probable",)),
    Phrase("present", 1, 0, 1, 1),
)


class Story:
    """A page over a copy of the workspace, and hands on its keyboard."""

    def __init__(self, qtbot: QtBot, shell: Shell) -> None:
        self.qtbot, self.shell = qtbot, shell
        self.department = shell.opened.department
        self.states: list[tuple[str, str]] = []
        self.page = ReviewPage(shell)
        self.page.state_changed.connect(lambda text, why, _meaning: self.states.append((text, why)))
        self.page.resize(1000, 640)
        self.page.begin()
        self.page.show()
        self.page.activateWindow()
        self.wait(lambda: self.page.standing is not None)

    def wait(self, until: Callable[[], Any]) -> None:
        self.qtbot.waitUntil(lambda: bool(until()))

    def idle(self) -> None:
        self.wait(lambda: self.shell.tasks.is_idle and not len(self.page.outbox))

    def draw(self, size: int) -> None:
        panel = self.page.draw_panel
        panel.size_field.setValue(size)
        self.qtbot.keyClick(panel.draw, KEY.Key_Space)
        self.wait(lambda: self.page.views.currentWidget() is self.page.reader_panel)

    def read_as(self, name: str, *, blind: bool = False) -> None:
        self.page.ask_reader()
        assert self.page.reader_panel.blind.isChecked()
        self.page.reader_panel.blind.setChecked(blind)
        edit = self.page.reader_panel.name.lineEdit()
        self.page.reader_panel.name.setEditText("")
        self.qtbot.keyClicks(edit, name)
        self.qtbot.keyClick(edit, KEY.Key_Return)
        self.wait(lambda: self.page.session is not None and self.page.session.reader == name)

    def press(self, *keys: Any, with_: Any = Qt.KeyboardModifier.NoModifier) -> None:
        for key in keys:
            self.qtbot.keyClick(self.read.text, key, with_)

    def choose(self, chooser: NameChooser, text: str) -> None:
        self.qtbot.keyClicks(chooser.field, text)
        self.qtbot.keyClick(chooser.field, KEY.Key_Return)

    def done(self, n: int = 1) -> None:
        """Accept what waits to be judged, and finish the report, also where it states nothing."""
        for _ in range(n):
            session, report = self.page.session, self.report
            for _ in session.items(report):
                if session.open_items(report):
                    self.press(KEY.Key_Return)
            self.press(KEY.Key_Return, with_=CTRL)
            if self.read.findings.nothing.isVisible():
                self.read.findings.nothing.click()

    @property
    def read(self) -> ReadView:
        return self.page.read

    @property
    def report(self) -> GoldReport:
        return self.page.session.report

    @property
    def item(self) -> Any:
        return self.read.item()

    def undecided(self) -> int:
        self.idle()
        return self.department.gold.gold().waiting

    def answers(self, reader: str = "AB") -> Any:
        self.idle()
        return self.department.gold.answers(reader)


@pytest.fixture
def story(
    qtbot: QtBot, make_shell: Callable[..., Any], analysed: Path, tmp_path: Path
) -> Iterator[Callable[..., Story]]:
    """Opens the page; with a size, AB reads a gold set of as many reports."""
    made: list[Story] = []

    def tell(
        size: int = 0, path: Path | None = None, shell: Shell | None = None, *, blind: bool = False, **opened: Any
    ) -> Story:
        path = path or Path(shutil.copy(analysed, tmp_path / "w.radcal"))
        made.append(Story(qtbot, shell or make_shell(path, **opened)))
        if size:
            made[-1].draw(size)
            made[-1].read_as("AB", blind=blind)
        return made[-1]

    yield tell
    for one in made:
        one.idle()
        gone: list[bool] = []
        one.page.destroyed.connect(partial(gone.append, True))
        one.page.close()
        one.page.deleteLater()
        qtbot.waitUntil(lambda gone=gone: bool(gone))
        one.department.close()


def leads_to(qtbot: QtBot, page: ReviewPage) -> str:
    """The stage that the button of the empty page leads to."""
    with qtbot.waitSignal(page.shell.go_wanted) as went:
        page.empty_button.click()
    return went.args[0]


@pytest.fixture
def set_of_six(analysed: Path, tmp_path: Path) -> Path:
    """A workspace with a gold set of 6 reports, of which AB has finished two."""
    path = Path(shutil.copy(analysed, tmp_path / "again.radcal"))
    with open_department(path, PASSPHRASE) as department:
        first, second, *_ = department.gold.draw(6).report_ids
        department.gold.begin("AB")
        department.gold.mark("AB", Action("a", first, done=True), Action("b", second, done=True))
    return path


# --- the main story ---


def test_reports_are_read_from_the_keyboard_alone_and_kept_at_once(story):
    s = story()
    assert s.page.views.currentWidget() is s.page.draw_panel
    assert s.states[-1] == ("", "")
    s.draw(12)
    s.read_as("AB")
    read, report = s.read, s.report
    QAbstractItemModelTester(
        read.findings.model, QAbstractItemModelTester.FailureReportingMode.Fatal, read.findings.model
    )
    items = read.findings.model.rows
    assert len(items) > 2
    assert read.text.toPlainText() == shown_text(report.text)
    s.press(KEY.Key_A)
    assert s.item.key == items[1].key
    s.press(KEY.Key_U)
    assert s.item.key == items[2].key
    s.press(KEY.Key_Delete)
    s.press(*[KEY.Key_K] * 7)
    assert s.item.key == items[0].key
    said = s.answers()[report.report_id]
    assert [m.verdict for m in said.marks.values()] == [Verdict.ACCEPTED, Verdict.UNSURE, Verdict.REMOVED]
    assert not said.done
    s.done()
    assert s.page.session.current == 1
    assert (read.head.count.text(), read.head.bar.value()) == ("1 of 12", 1)
    said = s.answers()[report.report_id]
    assert said.done
    assert len(said.statements) == len(items) - 2  # the rest was accepted
    assert s.states[-1] == ("11 left", "")


def test_a_phrase_is_one_key_away_and_so_is_another_pathology(story, qtbot):
    s = story(12)
    report, first = s.report, s.item
    s.press(KEY.Key_L)
    second = s.item
    assert second.key != first.key
    s.press(KEY.Key_C)
    assert s.read.findings.phrases.hasFocus()
    qtbot.keyClick(s.read.findings.phrases, KEY.Key_V)
    assert s.read.text.hasFocus()
    s.press(KEY.Key_K)
    third = s.item
    s.press(KEY.Key_P)
    assert s.read.findings.chooser.field.hasFocus()
    s.choose(s.read.findings.chooser, "thick")
    marks = s.answers()[report.report_id].marks
    assert (marks[first.key].finding.phrase, marks[first.key].verdict) == ("likely", Verdict.CORRECTED)
    assert marks[second.key].finding.phrase == "very unlikely"
    assert marks[third.key].finding.pathology == "pleural thickening"
    # The engine's own phrase is its own statement again.
    s.read.show_report(0, first.key)
    qtbot.keyClicks(s.read.text, phrase_keys(s.page.session.reading.phrases)[first.finding.phrase])
    mark = s.answers()[report.report_id].marks[first.key]
    assert (mark.verdict, mark.finding) == (Verdict.ACCEPTED, first.finding)


def test_a_finding_is_added_at_a_sentence(story, qtbot):
    s = story(12)
    report, n = s.report, s.read.findings.model.rowCount()
    s.press(KEY.Key_N, *[KEY.Key_K] * len(report.sentences), KEY.Key_J, KEY.Key_Return)
    s.choose(s.read.findings.chooser, "gran")
    assert s.read.findings.phrases.hasFocus()
    assert s.read.findings.phrases.currentItem().text() == PRESENT
    qtbot.keyClick(s.read.findings.phrases, KEY.Key_Return)
    s.press(KEY.Key_Escape)
    assert s.read.findings.model.rowCount() == n + 1
    (mark,) = s.answers()[report.report_id].marks.values()
    assert (mark.verdict, mark.finding.pathology, mark.finding.phrase) == (Verdict.ADDED, "granuloma", PRESENT)
    assert mark.finding.sentence == report.sentences[1].text
    # Escape leaves adding without a trace.
    s.press(KEY.Key_N, KEY.Key_Return)
    qtbot.keyClick(s.read.findings.chooser.field, KEY.Key_Escape)
    s.press(KEY.Key_Escape)
    assert len(s.answers()[report.report_id].marks) == 1


def test_after_the_last_report_the_accuracy_is_a_key_away(story, qtbot):
    s = story(3)
    head = s.read.head
    for left in (3, 2, 1):
        assert not head.accuracy.isVisible(), left
        s.done()
    assert head.accuracy.isVisible()
    assert head.count.text() == "3 of 3"
    qtbot.keyClick(head.accuracy, KEY.Key_Space)
    assert s.page.tabs.tabText(s.page.tabs.currentIndex()) == "How well it reads"
    s.wait(lambda: s.page.well.scores.rowCount() > 3)


def test_pathologies_and_phrases_are_found_by_the_words_of_the_report(story, qtbot):
    s = story(12)
    read, report = s.read, s.report
    s.press(KEY.Key_N, KEY.Key_Return)
    chooser = read.findings.chooser
    qtbot.keyClicks(chooser.field, "pneumonia")
    assert chooser.list.item(0).text() == "infection (\u201cpneumonia\u201d)"
    qtbot.keyClick(chooser.field, KEY.Key_Return)
    assert read.findings.phrases.hasFocus()
    search = read.findings.phrase_search
    qtbot.keyClicks(read.findings.phrases, "/")
    assert search.field.hasFocus()
    qtbot.keyClick(search.field, KEY.Key_Escape)  # back to the phrases; the pathology still waits for one
    assert read.findings.phrases.hasFocus()
    qtbot.keyClicks(read.findings.phrases, "/")
    qtbot.keyClicks(search.field, "not excluded")
    assert search.list.item(0).text() == "possibly (\u201cnot excluded\u201d)"
    qtbot.keyClick(search.field, KEY.Key_Return)
    assert read.text.hasFocus()
    s.press(KEY.Key_Escape)
    (mark,) = s.answers()[report.report_id].marks.values()
    assert (mark.verdict, mark.finding.pathology, mark.finding.phrase) == (Verdict.ADDED, "infection", "possibly")
    # A finding that is there is reworded in the same way, from the report itself.
    s.read.show_report(0, "engine 0")
    qtbot.keyClicks(read.text, "/")
    qtbot.keyClicks(search.field, "favored")
    assert search.list.item(0).text() == "likely (\u201cfavored\u201d)"
    qtbot.keyClick(search.field, KEY.Key_Return)
    assert s.answers()[report.report_id].marks["engine 0"].finding.phrase == "likely"
    assert read.findings.shows_phrases


def test_everything_can_be_undone_and_done_again_in_the_workspace_too(story):
    s = story(12)
    report = s.report
    s.press(KEY.Key_A, KEY.Key_9, KEY.Key_Delete)
    s.done()
    stack = s.page.undo_stack
    n = stack.count()
    whole = s.answers()[report.report_id]
    assert n == len(whole.marks) + 1
    for left in reversed(range(n)):
        stack.undo()
        assert s.page.session.current == 0  # where it happened
        assert stack.index() == left
    said = s.answers()[report.report_id]
    assert (said.marks, said.done) == ({}, False)
    for _ in range(n):
        stack.redo()
    again = s.answers()[report.report_id]
    assert (again.marks, again.done) == (whole.marks, True)
    stack.undo()
    s.press(KEY.Key_Right, KEY.Key_Left)
    s.press(KEY.Key_U)  # what was undone cannot be done again after something new
    assert not stack.canRedo()


def test_what_was_done_before_the_workspace_was_opened_again_can_be_undone(story, qtbot):
    s = story(12)
    first = s.report.report_id
    s.press(KEY.Key_A, KEY.Key_U, KEY.Key_Delete)
    s.done(2)
    n = s.page.undo_stack.count()
    s.press(KEY.Key_9)
    s.page.undo_stack.undo()  # taken back before: not to be taken back again
    s.press(KEY.Key_X)
    before = s.answers()
    path = s.department.path
    s.department.close()

    t = story(path=path)
    t.read_as("CD")
    assert not t.page.undo_stack.canUndo(), "what another reader did is not this one's to undo"
    t.read_as("AB")
    stack = t.page.undo_stack
    assert (stack.count(), stack.index()) == (n + 1, n + 1)
    assert t.answers() == before, "nothing was done again"
    assert t.page.session.current == 2
    stack.undo()
    stack.undo()
    assert (t.page.session.current, stack.canRedo()) == (1, True)
    assert not t.answers()[t.report.report_id].done
    while t.answers()[first].done:
        stack.undo()
    assert t.report.report_id == first
    verdicts = [mark.verdict for mark in t.answers()[first].marks.values()]
    assert verdicts[:3] == [Verdict.ACCEPTED, Verdict.UNSURE, Verdict.REMOVED]
    while stack.canUndo():
        stack.undo()
    assert {i: (a.done, dict(a.marks)) for i, a in t.answers().items()} == dict.fromkeys(before, (False, {}))
    while stack.canRedo():
        stack.redo()
    assert t.answers() == before


def test_nothing_is_lost_when_the_window_closes_at_once(story, qtbot, analysed, tmp_path):
    tasks = Tasks()
    session, messages = Session(tasks), MessageBar()
    shell = Shell(tasks, session, messages)
    session.open_workspace(Path(shutil.copy(analysed, tmp_path / "own.radcal")), PASSPHRASE, pytest.fail)
    qtbot.waitUntil(lambda: session.current is not None)
    s = story(12, shell=shell)
    s.idle()
    report_id = s.report.report_id
    held = threading.Event()
    s.shell.run("held", lambda _department, _progress: held.wait(120), lambda _: None)
    s.press(KEY.Key_A, KEY.Key_A, KEY.Key_A)
    assert len(s.page.outbox) == 3
    waiting: list[int] = []
    over: list[bool] = []
    tasks.shut_down(lambda: waiting.append(len(s.page.outbox)), lambda: over.append(True))
    held.set()
    s.wait(lambda: over)
    assert waiting == [0]
    assert len(s.department.gold.answers("AB")[report_id].marks) == 3
    for one in (messages, session, tasks, shell):
        one.deleteLater()


@pytest.mark.slow
def test_a_second_reader_starts_from_nothing_and_readers_are_compared_and_decided_between(story, qtbot):
    s = story(6)
    s.done(6)
    s.idle()
    s.wait(lambda: s.page.standing.finished == {"AB": 6})
    view = s.page.well.readers
    s.page.tabs.setCurrentIndex(2)
    s.wait(lambda: "Ask a colleague" in view.headline.text())
    assert not view.table.isVisible()
    s.read_as("CD")
    assert s.page.session.finished == 0
    assert not s.page.undo_stack.canUndo()
    for _ in range(6):
        for _ in range(3):  # what decides is rarely the first statement
            s.press(KEY.Key_0 if s.item.finding.phrase != ABSENT else KEY.Key_9)
        s.done()
    s.idle()
    s.wait(lambda: s.page.standing.finished == {"AB": 6, "CD": 6})
    s.page.tabs.setCurrentIndex(2)
    s.wait(lambda: view.differences.rowCount() >= 6)
    assert view.pair() == ("AB", "CD")
    qtbot.keyClick(view.second, KEY.Key_Up)
    assert view.pair() == ("CD", "AB")  # nobody is compared with themselves
    s.wait(lambda: "CD and AB" in view.headline.text())
    qtbot.keyClick(view.second, KEY.Key_Down)
    s.wait(lambda: view.differences.rowCount() >= 6 and "AB and CD" in view.headline.text())
    n = view.differences.rowCount()
    assert view.coefficients.rows[0].value < 1
    for key in (KEY.Key_1, KEY.Key_2, KEY.Key_N, KEY.Key_U):
        qtbot.keyClick(view.table.view, key)
    decisions = view.differences.rows[:4]
    assert [d.decision is not None for d in decisions] == [True] * 4
    assert decisions[0].decision.statements == decisions[0].first
    assert decisions[1].decision.statements == decisions[1].second
    assert (decisions[2].decision.statements, decisions[3].decision.left_out) == ((), True)
    assert s.undecided() == n - 4
    s.wait(lambda: s.states[-1][1].startswith(f"{n - 4} differences between readers wait"))
    s.page.undo_stack.undo()
    assert s.undecided() == n - 3
    s.page.undo_stack.redo()
    assert s.undecided() == n - 4


def test_a_gold_set_drawn_after_another_has_nothing_of_its_reader_left(story):
    s = story(3)
    s.done()
    s.idle()
    s.page.tabs.setCurrentIndex(2)
    s.wait(lambda: s.states[-1][0] == "2 left")
    s.page.ask_draw()
    s.draw(4)
    assert s.page.session is None
    assert s.page.tabs.currentIndex() == 0
    assert s.page.meta.text() == ""
    assert s.states[-1][0] == "4 left"


def test_escape_leaves_the_lists_though_the_window_has_a_use_for_it_too(story, qtbot):
    s = story(2)
    read, taken = s.read, []
    back = QShortcut(QKeySequence(KEY.Key_Escape), s.page)
    back.activated.connect(lambda: taken.append(True))
    for key, inside in ((KEY.Key_C, read.findings.phrases), (KEY.Key_P, read.findings.chooser.field)):
        s.press(key)
        s.wait(inside.hasFocus)
        qtbot.keyClick(inside, KEY.Key_Escape)
        assert read.text.hasFocus()
    assert not taken


def test_read_blind_the_engines_findings_show_only_once_a_report_is_done(story, qtbot):
    s = story(6, blind=True)
    read, report = s.read, s.report
    assert read.findings.model.rowCount() == 0
    assert "Blind" in read.findings.hint.text()
    engine = report.findings[0]
    sentence = next(i for i, t in enumerate(report.sentences) if t.start == engine.start)
    s.press(KEY.Key_N, *[KEY.Key_K] * len(report.sentences), *[KEY.Key_J] * sentence, KEY.Key_Return)
    s.choose(read.findings.chooser, engine.pathology)
    read.findings.phrases.chosen.emit(engine.phrase)
    assert read.findings.model.rowCount() == 1
    s.done()
    assert s.page.session.current == 0
    assert read.findings.model.rowCount() > 1
    assert [i.compared for i in read.findings.model.rows].count(False) == 1
    before = s.answers()[report.report_id]
    assert not before.in_sight
    s.press(KEY.Key_A, KEY.Key_0, KEY.Key_Delete, KEY.Key_N, KEY.Key_U)
    assert s.answers()[report.report_id] == before  # too late for that
    assert len(before.statements) == 1
    s.press(KEY.Key_Return, with_=CTRL | SHIFT)
    assert read.findings.model.rowCount() == 1
    s.press(KEY.Key_Delete)
    s.done()
    assert s.answers()[report.report_id].in_sight
    s.done()
    assert s.page.session.current == 1


@pytest.mark.slow
def test_the_accuracy_grows_and_is_told_to_the_other_pages(story, monkeypatch):
    s, reloaded = story(32), []
    monkeypatch.setattr(s.shell, "reload", lambda title="": reloaded.append(True))
    s.page.tabs.setCurrentIndex(2)
    view = s.page.well
    s.wait(lambda: "No report is done" in view.note.text())
    s.page.tabs.setCurrentIndex(0)
    s.done(29)
    s.wait(lambda: s.page.standing.measured and s.page.standing.measured.reports == 29)
    assert s.states[-1][0] == "3 left"
    s.page.leave()
    assert not reloaded
    s.done(2)
    s.wait(lambda: s.page.standing.measured.reports == 31)
    s.page.tabs.setCurrentIndex(2)
    s.wait(lambda: "of the findings read right in 31 reports" in view.headline.text())
    assert "100\u00a0% (" in view.headline.text()
    assert view.scores.rowCount() > 6
    assert not view.engine.isVisible()  # there is one engine only
    s.page.leave()
    assert reloaded


def test_what_others_say_shows_only_for_reports_that_one_has_done_oneself(story, qtbot):
    s = story(6)
    for _ in range(6):
        s.press(*[KEY.Key_Delete] * 3)
        s.done()
    s.idle()
    s.page.tabs.setCurrentIndex(2)
    view = s.page.well
    s.wait(lambda: view.differing.rowCount() > 2)
    wanted = view.differing.rows[2].report_id
    view.differences.select_row(2)
    qtbot.keyClick(view.differences.view, KEY.Key_Return)
    assert s.report.report_id == wanted
    assert s.page.views.currentWidget() is s.page.read
    s.read_as("CD")
    s.page.tabs.setCurrentIndex(2)
    s.wait(lambda: view.scores.rowCount() and not view.differing.rowCount())


def test_a_click_in_the_text_chooses_the_finding(story, qtbot):
    s = story(12)
    items = s.read.findings.model.rows
    s.read.text.pressed.emit(items[2].finding.term_start + 1)
    assert s.item.key == items[2].key
    qtbot.mouseClick(s.read.buttons["accept"], Qt.MouseButton.LeftButton)
    assert s.read.findings.model.rows[2].verdict is Verdict.ACCEPTED
    s.press(KEY.Key_N)
    s.read.text.pressed.emit(s.report.sentences[2].start)
    assert "sentence" in s.read.findings.hint.text()


# --- errors and limits ---


def test_without_findings_the_page_leads_to_what_is_missing(story, qtbot, analysed, tmp_path):
    open_department(tmp_path / "new.radcal", PASSPHRASE, create=True).close()
    page = story(path=tmp_path / "new.radcal").page
    assert "Import reports" in page.empty_text
    assert leads_to(qtbot, page) == "reports"
    imported = analysed.with_name("imported")
    with open_department(imported, PASSPHRASE) as department:
        department.importing.pair()
    page = story(path=imported, read_only=True).page  # else the reports would be read on opening
    assert "Nothing has been read" in page.empty_text
    assert leads_to(qtbot, page) == "reports"


def test_a_workspace_that_is_only_looked_at_changes_nothing(story, set_of_six):
    s = story(path=set_of_six, read_only=True)
    assert s.page.views.currentWidget() is s.page.reader_panel
    assert s.page.reader_panel.summary.text() == "AB: 2 of 6"
    s.read_as("AB")
    assert (s.page.session.current, s.page.session.finished) == (2, 2), "reading goes on where it was"
    assert not s.read.buttons["accept"].isEnabled()
    assert "read only" in s.read.findings.hint.text()
    before = s.department.gold.answers("AB")
    s.press(KEY.Key_A, KEY.Key_9, KEY.Key_N, KEY.Key_Delete)
    s.done()
    assert not s.page.undo_stack.count()
    assert s.department.gold.answers("AB") == before
    s.page.ask_draw()
    assert not s.page.draw_panel.draw.isEnabled()
    assert "read only" in s.page.draw_panel.draw.toolTip()


def test_what_cannot_be_drawn_is_told(story, qtbot):
    s = story()
    s.page.draw_panel.worst_first.setChecked(True)
    qtbot.mouseClick(s.page.draw_panel.draw, Qt.MouseButton.LeftButton)
    s.wait(lambda: s.shell.messages.shown())
    assert "no other engine" in s.shell.messages.text(Message.WORK_FAILED)
    assert s.page.draw_panel.draw.isEnabled()


def test_what_could_not_be_kept_is_told_and_tried_again(story, monkeypatch):
    s = story(6)
    s.idle()
    gold = type(s.department.gold)
    mark = gold.mark

    def full(*_: Any) -> None:
        raise DataError("There is no space left.")

    monkeypatch.setattr(gold, "mark", full)
    s.press(KEY.Key_A, KEY.Key_A)
    s.wait(lambda: s.shell.messages.shown())
    assert "no space" in s.shell.messages.text(Message.WORK_FAILED)
    assert len(s.page.outbox) == 2
    monkeypatch.setattr(gold, "mark", mark)
    s.shell.messages.press(Message.WORK_FAILED)
    report = s.report.report_id
    s.wait(lambda: not len(s.page.outbox))
    assert len(s.answers()[report].marks) == 2


def test_the_gold_goes_out_and_comes_back(story, tmp_path, monkeypatch):
    s = story(6)
    s.done(6)
    s.idle()
    export = next(action for action in s.page.more.menu().actions() if "Export" in action.text())
    s.wait(export.isEnabled)
    path = tmp_path / "gold.tsv"
    monkeypatch.setattr(s.shell, "save_file", lambda _title, _name, _kinds, make: s.shell.write_file(str(path), make))
    export.trigger()
    s.wait(path.exists)
    gold = s.department.gold.gold()
    silent = set(gold.reports).difference(f.report_id for f in gold.statements)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 1 + len(gold.statements) + len(silent)
    s.page.import_file(str(path))
    s.wait(lambda: s.page.standing.gold.drawn is Draw.IMPORTED)
    assert s.page.views.currentWidget() is s.page.reader_panel
    s.read_as("AB")
    assert not s.page.undo_stack.count(), "answers that came with a file are not taken back one by one"
    s.press(KEY.Key_X)
    s.read_as("AB")
    assert s.page.undo_stack.count() == 1
    s.page.import_file(str(tmp_path / "none.tsv"))
    s.wait(lambda: s.shell.messages.shown())


# --- models and parts ---


TEXT = "Likely edema. A mass cannot be excluded."
REPORT = GoldReport(
    "xray:1",
    Modality.XRAY,
    TEXT,
    (Sentence(Section.FINDINGS, 0, 13, TEXT[:13]), Sentence(Section.FINDINGS, 14, 40, TEXT[14:])),
    (
        Finding("xray:1", "edema", "likely", "Likely", TEXT[:13], Section.FINDINGS, 0, 13, 7, 12, 0, 6),
        Finding(
            "xray:1", "mass", "may represent", "cannot be excluded", TEXT[14:], Section.FINDINGS, 14, 40, 16, 20, 21, 39
        ),
    ),
)
GOLD = GoldSet(1, "2026-01-02T00:00:00+00:00", Draw.RANDOM, 0, "rules", "1", ("xray:1",))


def make_session(*pathologies: str, **synonyms: tuple[str, ...]) -> ReviewSession:
    return ReviewSession(Reading(GOLD, "AB", (REPORT,), (), pathologies, PHRASES, synonyms), blind=False)


def test_scores_have_intervals_or_a_dash(qtbot):
    scores = score_model()
    known = Score("mass", 9, 9, 9, 1.0, 0.7, 1.0, 1.0, 0.7, 1.0, 1.0, 0.7, 1.0)
    scores.set_rows([("edema", Score("edema", 0, 2, 0, 0.0, 0.0, 0.6)), ("mass", known)])
    assert scores.index(0, 2).data() == "\u2013"
    assert scores.index(1, 4).data() == "100\u00a0% (70\u2013100)"


def test_the_keys_of_phrases_are_distinct_and_none_is_a_command():
    keys = phrase_keys(PHRASES)
    assert (keys["absent"], keys["present"], keys["likely"]) == ("0", "9", "l")
    many = [Phrase(f"likely number {i}", 1, 1, 0, 1) for i in range(60)]
    many_keys = list(phrase_keys(many).values())
    assert len(set(many_keys)) == len(many_keys)
    assert not set(many_keys) & set("acjknpux")
    assert keys["other"] == "z"


def test_a_chooser_says_by_which_word_a_name_was_found_and_that_nothing_is_called_so(qtbot):
    chooser, chosen = pathology_chooser(), []
    qtbot.addWidget(chooser)
    chooser.chosen.connect(chosen.append)
    chooser.set_names(Names(("infection", "pleural effusion"), {"infection": ("pneumonia",)}))
    qtbot.keyClicks(chooser.field, "pneu")
    assert [chooser.list.item(i).text() for i in range(chooser.list.count())] == ["infection (\u201cpneumonia\u201d)"]
    qtbot.keyClick(chooser.field, KEY.Key_Return)
    assert chosen == ["infection"]
    chooser.begin("pleural effusion")
    assert chooser.list.currentItem().text() == "pleural effusion"
    qtbot.keyClicks(chooser.field, "chf")
    assert chooser.list.item(0).text() == "No pathology of the list is called \u201cchf\u201d."
    for key in (KEY.Key_Down, KEY.Key_Return):
        qtbot.keyClick(chooser.field, key)
    assert chosen == ["infection"]
    qtbot.keyClicks(chooser.field, " ")
    chooser.field.clear()
    assert chooser.list.count() == 2


def test_marks_stand_where_the_words_are_whatever_the_line_ends(qtbot, wear):
    view = ReportView()
    qtbot.addWidget(view)
    text = "No edema.\r\nLikely \U0001fac1 mass.\rClear."
    view.show_report(text)
    start = text.index("mass")
    assert view.toPlainText()[start : start + 4] == "mass"
    assert len(view.toPlainText()) == len(text)
    session = make_session("edema", "mass")
    view.resize(300, 200)
    view.show()
    view.show_report(TEXT)
    items = session.items(REPORT)
    view.set_means(session.means)
    view.show_items(items, items[1], None)
    marked = [s.cursor.selectedText() for s in view.extraSelections()]
    assert marked == ["edema", "Likely", "mass", "cannot be excluded"]
    for colours in (LIGHT, DARK):
        wear(colours)
        view.show_items(items, items[1], None)
        outlined = view.grab().toImage()
        view.show_items(items, None, None)
        assert view.grab().toImage() != outlined
    styles = {s.format.underlineStyle() for s in view.extraSelections()}
    assert len(styles) == 1  # both are hedged: dashed
    view.show_items(items, None, REPORT.sentences[1])
    assert view.extraSelections()[0].cursor.selectedText() == REPORT.sentences[1].text


def measured(reports: int = 94, drawn: Draw = Draw.RANDOM, *engine: str, in_sight: int = 0) -> EngineAccuracy:
    score = Score("assertion", 100, 100, 94, f1=0.94, f1_low=0.9, f1_high=0.98)
    counts = (reports, drawn, 150, 0, 100, 0, 0, in_sight, 100, 91 if in_sight else 0)
    return EngineAccuracy(1, *(engine or ("rules", "1", "")), *counts, (score,), (), ())


def test_the_rail_and_the_headline_tell_what_there_is():
    standing = work.Standing(GOLD, ("AB",), {}, None)
    assert rail_text(standing, 0) == "1 left"
    assert rail_text(standing, 1) == ""
    assert rail_text(replace(standing, n_unread=18), 0) == "18 unread"
    assert "94\u00a0% (90\u201398) of the findings read right" in headline(measured())
    assert "30 reports are needed" in headline(measured(12))
    assert "difficult" in headline(measured(drawn=Draw.WORST_FIRST))


def test_what_was_read_with_the_answers_in_sight_is_marked_wherever_it_is_told():
    blind, seen = measured(), measured(in_sight=60)
    assert attention(blind) == attention(seen) == notes(blind) == ""
    assert notes(seen) == (
        "60 of 94 reports read with the software\u2019s answers in sight: of 100 answers, 91 were accepted unchanged."
    )
    assert "beside the published figure" in headline(seen)
    assert "Other pages quote this figure" in headline(blind)


def test_the_pace_of_the_latest_reports_tells_how_long_the_others_will_take(story, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(session, "monotonic", lambda: now[0])
    s = story(30)
    for seconds in (20, 20, 3600):  # a break
        assert s.read.head.count.text().endswith("of 30")
        now[0] += seconds
        s.done()
    assert s.read.head.count.text() == "3 of 30; 9\u00a0min left at your pace"


def test_without_a_gold_set_the_page_opens_on_what_was_left_unread(story, monkeypatch):
    monkeypatch.setattr(work, "_n_unread", lambda _: 14)
    s = story()
    s.wait(lambda: s.page.views.currentWidget() is s.page.unread)
    assert s.states[-1][0] == "14 unread"
    assert s.page.sentence.text() == "Review 30 reports to know how well RadCal reads yours: about 20\u00a0min."
    s.page.start.click()
    s.wait(lambda: s.page.views.currentWidget() is s.page.reader_panel)
    assert len(s.page.standing.gold.report_ids) == 30
    assert not s.page.start.isVisible()
    s.page.tabs.setCurrentIndex(1)
    assert not s.page.start.isVisible()
    before = s.page.standing.gold.report_ids
    s.page.ask_draw()
    s.draw(30)
    assert set(s.page.standing.gold.report_ids) != set(before), "other reports, not the same again"


def test_what_was_not_judged_does_not_count(story):
    s = story(6)
    first, n = s.report, len(s.page.session.open_items(s.report))
    assert n > 1
    s.press(KEY.Key_Return, with_=CTRL)
    assert not s.answers().get(first.report_id)
    assert s.read.findings.hint.text().startswith(f"{n} findings are not judged yet")
    s.press(*[KEY.Key_Return] * (n - 1))
    s.press(KEY.Key_Return, with_=CTRL)
    assert s.read.findings.hint.text().startswith("1 finding is not judged yet")
    s.press(KEY.Key_Return)
    s.press(KEY.Key_Return, with_=CTRL)
    answers = s.answers()[first.report_id]
    assert (answers.done, answers.in_sight, answers.accepted) == (True, True, n)
    assert s.department.gold.gold().accepted == n


@pytest.mark.parametrize("found", ["something", "nothing", "unread"])
def test_read_blind_it_asks_whether_a_report_states_nothing_whatever_the_engine_finds(story, found):
    s = story(6, blind=True)
    session, report, ask = s.page.session, s.report, s.read.findings.nothing
    assert s.page.meta.text() == "AB, blind"
    assert report.findings
    if found != "something":
        its = () if found == "nothing" else None
        session.reports = tuple(replace(r, findings=its) if r is report else r for r in session.reports)
    assert not ask.isVisible()
    for _ in range(3):
        s.press(KEY.Key_Return, with_=CTRL)
    assert not s.answers()
    assert ask.isVisible()
    hint = s.read.findings.hint.text()
    assert hint == "Nothing is marked in this report. Does it really state nothing?"
    s.press(KEY.Key_Right, KEY.Key_Left)
    assert not ask.isVisible()
    s.press(KEY.Key_Return, with_=CTRL)
    ask.click()
    answers = s.answers()[report.report_id]
    assert (answers.done, answers.statements, answers.in_sight) == (True, (), False)
    assert not ask.isVisible()


def test_an_engine_is_called_as_on_the_other_pages_without_its_libraries(story, monkeypatch):
    version = "1.0+llama-cpp-python.0.3.36"
    assert about(replace(GOLD, engine="llama", version=version)).endswith("to check Language model 1.0.")
    found = measured(94, Draw.RANDOM, "llama", version, "m.gguf")
    assert headline(found).startswith("Language model 1.0, m.gguf: 94")
    view = story().page.well
    engines = (EngineRun(1, "rules", "1.4", "", 94), EngineRun(2, "llama", version, "m.gguf", 94))
    view.show_record(work.Well(engines, found, (), None))
    assert [view.engine.itemText(i) for i in range(view.engine.count())] == ["Rules 1.4", "Language model 1.0, m.gguf"]


def test_what_is_typed_while_the_reports_are_fetched_is_done_once_they_are_there(story, monkeypatch, qtbot):
    go_on = threading.Event()
    reading = Annotating.reading
    monkeypatch.setattr(Annotating, "reading", lambda *a, **b: go_on.wait(60) and reading(*a, **b))
    s = story()
    s.draw(6)
    s.page._begin("AB", blind=False)
    s.wait(s.page.early_keys.hasFocus)
    qtbot.keyClick(s.page.early_keys, KEY.Key_A)
    qtbot.keyClick(s.page.early_keys, KEY.Key_A)
    go_on.set()
    s.wait(lambda: s.page.session is not None)
    s.idle()
    judged = [i for r in s.page.session.reports for i in s.page.session.items(r) if i.verdict is not None]
    assert len(judged) == min(2, len(s.page.session.items(s.report)))


def test_fetching_the_reports_can_be_stopped_and_leads_back(story, monkeypatch):
    s = story()
    s.draw(6)
    monkeypatch.setattr(
        Annotating,
        "reading",
        lambda _self, _reader, progress, **_: [progress.raise_if_cancelled() for _ in iter(int, 1)],
    )
    s.page._begin("AB", blind=False)
    assert s.page.views.currentWidget() is s.page.early_keys
    s.shell.tasks.cancel("review begin")
    s.wait(lambda: s.page.views.currentWidget() is s.page.reader_panel)


def test_a_letter_typed_before_enter_begins_the_pathology(story, qtbot):
    s = story(6, blind=True)
    read, chooser = s.read, s.read.findings.chooser
    s.press(KEY.Key_N)
    assert s.report.sentences[read._adding].section is Section.FINDINGS, "not at the examination"
    qtbot.keyClicks(read.text, "e")
    assert not read.findings.shows_phrases
    assert chooser.field.text() == "e"
    qtbot.keyClicks(chooser.field, "dema")
    qtbot.keyClick(chooser.field, KEY.Key_Return)
    read.findings.phrases.chosen.emit("likely")
    (item,) = read.findings.model.rows
    assert (item.finding.pathology, item.finding.phrase) == ("edema", "likely")


def test_after_done_it_shows_what_the_engine_missed_and_what_it_found_beside_that(story, qtbot):
    s = story(6, blind=True)
    read, report = s.read, s.report
    assert report.findings
    missed = next(p for p in s.page.session.reading.pathologies if p not in {f.pathology for f in report.findings})
    assert "Done" in read.buttons["done"].text()
    s.press(KEY.Key_N, KEY.Key_Return)
    s.choose(read.findings.chooser, missed)
    read.findings.phrases.chosen.emit("likely")
    s.done()
    assert s.page.session.current == 0
    (mine,) = (i for i in read.findings.model.rows if i.missed)
    assert mine.finding.pathology == missed
    assert [sign(i) for i in read.findings.model.rows].count("\u2205") == 1
    assert "The software found nothing of this." in read.findings.model.index(
        read.findings.model.row_of(mine.key), 0
    ).data(Qt.ItemDataRole.ToolTipRole)
    n = sum(i.compared for i in read.findings.model.rows)
    hint = read.findings.hint.text()
    assert hint.startswith("Done. # = found only by the software. Ctrl+Enter: next. Ctrl+Shift+Enter: reopen (changes")
    told = f"It missed 1 of your findings or read them otherwise (\u2205), and found {n} that you did not (#)."
    assert hint.endswith(told)
    assert read.buttons["done"].text().startswith("Next report")
    s.press(KEY.Key_Return, with_=CTRL)
    assert s.page.session.current == 1
    assert read.buttons["done"].text().startswith("Done")
