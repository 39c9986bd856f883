"""The Words page: words are moved, placed, taken over, compared and surveyed, by mouse and by keyboard."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QMouseEvent, QShortcut
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from radcal.calibration.department_words import Words
from radcal.department import Department
from radcal.lab.model_perception import Perceptions
from radcal.lab.perception import KnowledgeBias, ModelMeaning, Perceived, perceived_by_model
from radcal.lab.proposed_meanings import Proposal
from radcal.system.errors import InputError
from radcal.system.exports import Exports
from radcal.system.text import Text
from radcal.words import editing
from radcal.words.editing import LEAST_SPREAD, MOST_MEAN, named, widest_spread
from radcal.words.extraction_words import shipped
from radcal.words.phrases import mean_of, spread_of
from radcal.words.records import Meant
from radcal.words.responses import SKIPPED, Response
from tests.means import moved
from ui.pages.words.models import LexiconColumn, LexiconModel
from ui.pages.words.page import MEANINGS, SURVEY, UNKNOWN, WordsPage, work
from ui.pages.words.proposals import ASK
from ui.pages.words.survey_dialog import SurveyDialog
from ui.plots.lexicon_plot import LexiconPlot
from ui.shell import Shell
from ui.widgets.messages import Message


@pytest.fixture
def page(qtbot: QtBot, shell: Shell, show_page: Callable[..., WordsPage]) -> WordsPage:
    page = show_page(WordsPage, shell)
    page.activateWindow()
    qtbot.waitUntil(lambda: page.tabs.count() > 0)
    settled(qtbot, page)
    assert page.tabs.currentIndex() == UNKNOWN, "there are some, and they come first"
    page.tabs.setCurrentIndex(MEANINGS)
    page.meanings.editor.opening.unfold()
    return page


def settled(qtbot: QtBot, page: WordsPage) -> None:
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)


def phrase(page: WordsPage, name: str) -> Any:
    return named(page.desk.lexicon, name)


def mean(page: WordsPage, name: str) -> float:
    return mean_of(phrase(page, name))


def is_shipped(page: WordsPage) -> bool:
    return page.desk.lexicon.version == shipped().version


def at(plot: LexiconPlot, x: float, y: float) -> QPoint:
    """The widget position of a point in plot coordinates."""
    return plot.mapFromScene(plot.main.getViewBox().mapViewToScene(QPointF(x, y)))


def curve(page: WordsPage, name: str, x: float) -> QPoint:
    """A place on the curve of a phrase; phrases are in the order of their means."""
    row = [p.name for p in page.desk.lexicon.phrases].index(name)
    return at(page.meanings.plot, x, row + 0.3)


def square(page: WordsPage, name: str, x: float | None = None) -> QPoint:
    """The square that changes the spread, a spread from the mean, or the place at its height where it is dragged to."""
    centre, spread = mean(page, name), spread_of(phrase(page, name))
    place = centre + (spread if centre + spread <= 1 else -spread)
    return QPoint(at(page.meanings.plot, place if x is None else x, 0).x(), curve(page, name, 0.5).y() - 3)


def send(plot: LexiconPlot, kind: QEvent.Type, where: QPoint, buttons: Qt.MouseButton) -> None:
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    place, modifiers = QPointF(plot.mapToGlobal(where)), Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(plot.viewport(), QMouseEvent(kind, QPointF(where), place, button, buttons, modifiers))


def drag(page: WordsPage, start: QPoint, end: QPoint) -> None:
    plot, left = page.meanings.plot, Qt.MouseButton.LeftButton
    send(plot, QEvent.Type.MouseButtonPress, start, left)
    send(plot, QEvent.Type.MouseMove, (start + end) / 2, left)
    send(plot, QEvent.Type.MouseMove, end, left)
    send(plot, QEvent.Type.MouseButtonRelease, end, Qt.MouseButton.NoButton)


# --- meanings -----------------------------------------------------------------------------------------


def test_all_phrases_are_there_and_the_rail_hears_of_unknown_words(page: WordsPage, qtbot: QtBot) -> None:
    assert page.meanings.model.rowCount() == len(shipped().phrases)
    assert page.sentence.text().startswith("18 words")
    assert page.sentence.text().endswith("The reports hold 2 unknown words.")
    with qtbot.waitSignal(page.state_changed) as said:
        page.desk.move("likely", 0.6, 0.1)
    assert said.args == ["2 unknown", "Their findings are in no figure until you say what they mean", "2 unknown words"]
    assert page.bar.isHidden()
    settled(qtbot, page)
    assert page.bar.isVisible()
    assert "No report has to be read again" in page.bar_text.text()


def test_a_curve_is_dragged_sideways_and_back_by_undo(page: WordsPage, department: Department, qtbot: QtBot) -> None:
    before = phrase(page, "may represent")
    drag(page, curve(page, "may represent", 0.44), curve(page, "may represent", 0.64))
    after = phrase(page, "may represent")
    assert mean_of(after) == pytest.approx(mean_of(before) + 0.2, abs=0.01)
    assert spread_of(after) == pytest.approx(spread_of(before))
    assert page.meanings.chosen == "may represent"
    assert page.meanings.editor.mean.value() == pytest.approx(100 * mean_of(after), abs=0.05)
    settled(qtbot, page)
    assert department.lexicon.version == page.desk.lexicon.version
    page.undo_stack.undo()
    settled(qtbot, page)
    assert department.lexicon.version == shipped().version
    assert page.bar.isHidden()


def test_the_table_keeps_to_the_phrase_that_is_moved(page: WordsPage, qtbot: QtBot) -> None:
    meanings = page.meanings
    start = mean(page, "likely")

    def shown() -> bool:
        """The row of the phrase is the only one chosen, and can be seen."""
        view = meanings.table.view
        row = view.visualRect(
            meanings.table.proxy.mapFromSource(meanings.model.index(meanings.model.row_of("likely"), 0))
        )
        names = [meanings.model.name_at(n) for n in meanings.table.selected_rows()]
        return names == ["likely"] and view.viewport().rect().contains(row.center())

    drag(page, curve(page, "likely", start), curve(page, "likely", start - 0.4))
    for step in (lambda: None, page.undo_stack.undo, page.undo_stack.redo):
        step()
        settled(qtbot, page)
        qtbot.waitUntil(shown)


def test_each_drag_is_a_step_and_ends_at_what_is_possible(page: WordsPage) -> None:
    name, undo = "may represent", page.undo_stack
    start = mean(page, name)
    for x, to in ((start, start + 0.1), (start + 0.1, start + 0.2)):
        drag(page, curve(page, name, x), curve(page, name, to))
    assert undo.count() == 2
    # Out of the picture: as far as a mean can go, and not back to where it was.
    drag(page, curve(page, name, start + 0.2), curve(page, name, 1.4))
    assert mean(page, name) == pytest.approx(MOST_MEAN)
    assert square(page, name).x() < curve(page, name, MOST_MEAN).x(), "the square stands where it can be taken"
    undo.undo()
    drag(page, square(page, name), square(page, name, 3.0))
    assert spread_of(phrase(page, name)) == pytest.approx(widest_spread(mean(page, name)))
    drag(page, square(page, name), square(page, name, mean(page, name)))
    assert spread_of(phrase(page, name)) == pytest.approx(LEAST_SPREAD, abs=0.004)
    for _ in range(4):
        undo.undo()
    assert is_shipped(page)


def test_a_click_and_a_drag_that_is_given_up_move_nothing(page: WordsPage, qtbot: QtBot) -> None:
    plot = page.meanings.plot
    start = curve(page, "may represent", 0.44)
    drag(page, start, start + QPoint(1, 1))
    assert page.meanings.chosen == "may represent"
    figure = page.meanings.editor.mean.value()
    qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(plot.viewport(), start + QPoint(60, 0))
    assert page.meanings.editor.mean.value() > figure + 3  # the figures go along
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert page.meanings.editor.mean.value() == figure
    qtbot.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=start + QPoint(60, 0))
    assert not page.undo_stack.canUndo()
    assert is_shipped(page)


def test_plain_statements_cannot_be_dragged(page: WordsPage) -> None:
    drag(page, curve(page, "present", 0.99), curve(page, "present", 0.5))
    assert is_shipped(page)
    assert page.meanings.chosen == "present"
    assert not page.meanings.editor.mean.isEnabled()
    assert "cannot be moved" in page.meanings.editor.meaning.text()


def test_the_keys_choose_and_move_a_phrase_and_one_undo_takes_the_steps_back(page: WordsPage, qtbot: QtBot) -> None:
    plot = page.meanings.plot
    page.meanings.choose("likely")
    plot.setFocus()
    for _ in range(3):
        qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert mean(page, "likely") == pytest.approx(mean_of(named(shipped(), "likely")) - 0.03)
    qtbot.keyClick(plot, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert spread_of(phrase(page, "likely")) == pytest.approx(spread_of(named(shipped(), "likely")) + 0.01)
    assert page.undo_stack.count() == 1
    page.undo_stack.undo()
    assert is_shipped(page)
    qtbot.keyClick(plot, Qt.Key.Key_Up)
    assert page.meanings.chosen == "most likely"


def test_figures_are_typed_and_taken_back_from_the_survey(page: WordsPage) -> None:
    editor = page.meanings.editor
    page.meanings.choose("likely")
    editor.mean.setValue(60)
    editor.spread.setValue(12)
    assert (mean(page, "likely"), spread_of(phrase(page, "likely"))) == pytest.approx((0.6, 0.12))
    assert "on average 60" in editor.meaning.text()
    editor.spread.setValue(99)  # drawn to what is possible
    assert editor.spread.value() < 50
    first = editor.take.menu().actions()[0]
    assert first.text().startswith("Survey of 142 radiologists")
    first.trigger()
    assert is_shipped(page)
    assert "survey of 142" in editor.meaning.toolTip()


def test_wordings_are_added_removed_and_refused_with_the_reason(page: WordsPage, qtbot: QtBot) -> None:
    editor = page.meanings.editor
    page.meanings.choose("likely")
    qtbot.keyClicks(editor.new_words, "odds favour")
    qtbot.keyClick(editor.new_words, Qt.Key.Key_Return)
    assert page.desk.lexicon.find("odds favour") == phrase(page, "likely")
    qtbot.keyClicks(editor.new_words, "presumed")
    editor.add.click()
    assert editor.why.isVisible()
    assert "stands for \u201cprobably\u201d" in editor.why.text()
    editor.synonyms.setCurrentRow(editor.synonyms.count() - 1)
    editor.synonyms.setFocus()
    qtbot.keyClick(editor.synonyms, Qt.Key.Key_Delete)
    assert is_shipped(page)
    settled(qtbot, page)


def test_advice_may_propose_what_is_ticked_and_needs_one_word(
    page: WordsPage, department: Department, qtbot: QtBot
) -> None:
    model, editor = page.meanings.model, page.meanings.editor
    usual = [p.name for p in shipped().phrases if p.advised]
    row = model.row_of("maybe")
    index = model.index(row, LexiconColumn.ALLOWED)
    assert index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked  # it is read only
    assert model.setData(index, Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    qtbot.waitUntil(lambda: index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked)
    settled(qtbot, page)
    assert set(department.settings.allowed_phrases) == {*usual, "maybe"}
    page.meanings.choose("maybe")
    qtbot.mouseClick(editor.allowed, Qt.MouseButton.LeftButton, pos=QPoint(8, editor.allowed.height() // 2))
    settled(qtbot, page)
    assert department.settings.allowed_phrases == ()
    names = [p.name for p in shipped().phrases]
    for name in names:
        page.desk.allow(name, False)
    assert page.desk.words is not None
    assert page.desk.words.allowed == (names[-1],)
    assert "at least one" in editor.why.text()
    settled(qtbot, page)


def test_a_new_phrase_is_refused_and_added(page: WordsPage, qtbot: QtBot) -> None:
    page.new_action.trigger()
    dialog: Any = page.dialog
    dialog.words.setText("Presumed")
    dialog.go.click()
    assert "stands for" in dialog.hint.text()
    dialog.words.setText("toss-up")
    dialog.mean.setValue(40)
    dialog.go.click()
    qtbot.waitUntil(lambda: page.dialog is None)
    assert page.meanings.chosen == "toss-up"
    assert mean(page, "toss-up") == pytest.approx(0.4)
    page.meanings.editor.remove_phrase.click()
    assert is_shipped(page)
    settled(qtbot, page)


def test_all_meanings_are_reset_at_once(page: WordsPage) -> None:
    page.desk.move("likely", 0.6, 0.1)
    page.desk.move("maybe", 0.6, 0.1)
    page.desk.edit(lambda lx: editing.add_synonym(lx, "maybe", "who knows"), "adding")
    assert "2 were changed since the survey" in page.sentence.text()
    page.reset_all()
    assert page.desk.lexicon.find("who knows") == phrase(page, "maybe")
    assert mean(page, "likely") == mean_of(named(shipped(), "likely"))
    assert "changed" not in page.sentence.text()


def test_the_pointer_tells_the_numbers_and_what_can_be_taken(page: WordsPage) -> None:
    plot = page.meanings.plot
    page.meanings.choose("may represent")
    assert plot.readout(6) == "\u201cmay represent\u201d: mean 44\u00a0%, readers take it as 25\u201375\u00a0%"
    for place, cursor in (
        (square(page, "may represent"), Qt.CursorShape.SizeHorCursor),
        (curve(page, "may represent", 0.2), Qt.CursorShape.OpenHandCursor),
        (curve(page, "present", 0.2), Qt.CursorShape.ArrowCursor),  # plain present stays where it is
    ):
        send(plot, QEvent.Type.MouseMove, place, Qt.MouseButton.NoButton)
        assert plot.cursor().shape() == cursor
    assert is_shipped(page)
    plot.hide_pointer()


def test_the_picture_has_a_phrase_to_begin_with_when_it_gets_the_keys(qtbot: QtBot) -> None:
    plot = LexiconPlot()
    qtbot.addWidget(plot)
    plot.set_ridges(work.ridges(shipped().phrases))
    chosen: list[str] = []
    plot.picked.connect(chosen.append)
    plot.resize(500, 500)
    plot.show()
    plot.activateWindow()
    plot.setFocus()
    qtbot.waitUntil(lambda: chosen == ["present"])
    qtbot.keyClick(plot, Qt.Key.Key_Left)  # a plain statement does not move
    qtbot.keyClick(plot, Qt.Key.Key_Down)
    assert plot.selected == "diagnostic of"
    plot.set_ridges(work.ridges(shipped().phrases[:3]))
    assert plot.selected == ""


# --- unknown words ------------------------------------------------------------------------------------


def test_unknown_words_are_placed_with_one_key_and_come_back_by_undo(page: WordsPage, qtbot: QtBot) -> None:
    page.arrive(tab="unknown")
    assert page.tabs.currentIndex() == UNKNOWN
    unknown = page.unknown
    assert unknown.title.text().endswith("found 12 times")
    assert "left base" in unknown.examples.text()
    assert unknown.target.currentData() == "probably"  # written most like "presumably"
    qtbot.keyClick(unknown.table.view, Qt.Key.Key_Return)
    assert page.desk.lexicon.find("presumbly") == phrase(page, "probably")
    assert unknown.n == 1
    # Nothing is written like these: no phrase is suggested.
    assert unknown.target.currentIndex() == -1
    assert not unknown.place.isEnabled()
    own = unknown.proposals.button.menu()
    unknown.proposals.fill()
    next(action for action in own.actions() if action.text().startswith("50")).trigger()
    assert mean(page, "odds are") == pytest.approx(0.5)
    assert unknown.n == 0
    assert unknown.note.text().startswith("Done: every word is placed")
    page.undo_stack.undo()
    page.undo_stack.undo()
    assert unknown.n == 2
    settled(qtbot, page)


class _Told:
    """A model that proposes without being loaded."""

    def ask_model(self, words: str, path: Path, progress: object) -> tuple[Proposal, ...]:
        return (
            Proposal("model", 0.62, 0.2, 10, Text("{file}, in {n} statements", file=path.name, n=10)),
            Proposal("neighbours", 0.7, 0.22, 3, Text("{file}: nearest are {names}", file=path.name, names="likely")),
        )


def ask_model(page: WordsPage) -> None:
    proposals = page.unknown.proposals
    proposals.fill()
    next(action for action in proposals.button.menu().actions() if action.text().startswith("Ask ")).trigger()


def test_meanings_are_proposed_for_unknown_words_and_the_user_decides(
    page: WordsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.arrive(tab="unknown")
    unknown, proposals = page.unknown, page.unknown.proposals
    qtbot.waitUntil(lambda: not proposals.text.isHidden())
    assert "No meaning to propose" in proposals.text.text()  # nothing that RadCal knows stands in "presumbly"
    unknown.table.select_row(1)
    assert unknown.current().words == "odds are"
    qtbot.waitUntil(lambda: len(proposals.proposals) == 1)
    assert proposals.proposals[0].source == "hedges"
    monkeypatch.setattr("radcal.lab.proposed_meanings.ProposedMeanings.ask_model", _Told.ask_model)
    ask_model(page)
    assert not proposals.button.isEnabled()
    qtbot.waitUntil(lambda: len(proposals.proposals) == 3)
    settled(qtbot, page)
    assert proposals.button.isEnabled()
    before = page.desk.lexicon.version
    assert page.desk.lexicon.find("odds are") is None  # nothing is placed by itself
    proposals.fill()
    proposals.button.menu().actions()[1].trigger()
    assert page.desk.lexicon.version != before
    assert mean(page, "odds are") == pytest.approx(0.62)
    assert spread_of(phrase(page, "odds are")) == pytest.approx(0.2)
    page.undo_stack.undo()
    settled(qtbot, page)


def test_a_model_that_is_asked_can_be_stopped_and_may_fail(
    page: WordsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.arrive(tab="unknown")
    settled(qtbot, page)
    asked: list[object] = []

    def wait(_self: object, words: str, path: Path, progress: Any) -> tuple[Proposal, ...]:
        asked.append(words)
        while True:
            progress.raise_if_cancelled()

    monkeypatch.setattr("radcal.lab.proposed_meanings.ProposedMeanings.ask_model", wait)
    ask_model(page)
    qtbot.waitUntil(lambda: bool(asked))
    page.shell.tasks.cancel(ASK)
    settled(qtbot, page)
    button = page.unknown.proposals.button
    qtbot.waitUntil(button.isEnabled)

    def fail(*_: object) -> None:
        raise InputError("This is no model.")

    monkeypatch.setattr("radcal.lab.proposed_meanings.ProposedMeanings.ask_model", fail)
    ask_model(page)
    settled(qtbot, page)
    qtbot.waitUntil(button.isEnabled)
    assert Message.WORK_FAILED in page.shell.messages.shown()


def test_changed_words_tell_how_many_reports_will_be_read_and_analyse_again(
    page: WordsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.desk.edit(lambda lx: moved(lx, "presumed", "likely"), "moving")
    settled(qtbot, page)
    assert "848 reports will be read again" in page.bar_text.text()
    asked: list[str] = []
    monkeypatch.setattr(page.shell, "reload", asked.append)  # what the window does then is its own matter
    page.analyse.click()
    assert asked == ["Analysing with the new words"]
    assert page.bar.isHidden()


def test_undo_in_a_field_goes_on_to_the_page(page: WordsPage, qtbot: QtBot) -> None:
    undo = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), page)
    undo.activated.connect(page.undo_stack.undo)
    editor = page.meanings.editor
    before = editor.synonyms.count()
    qtbot.keyClicks(editor.new_words, "quite so")
    qtbot.keyClick(editor.new_words, Qt.Key.Key_Return)
    settled(qtbot, page)
    assert editor.synonyms.count() == before + 1
    qtbot.keyClicks(editor.new_words, "ab")
    qtbot.keyClick(editor.new_words, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (editor.new_words.text(), editor.synonyms.count()) == ("", before + 1)  # first what was typed
    qtbot.keyClick(editor.new_words, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, page)
    assert editor.synonyms.count() == before
    mean = editor.mean.value()
    qtbot.keyClick(editor.mean, Qt.Key.Key_Down)
    settled(qtbot, page)
    assert editor.mean.value() < mean
    qtbot.keyClick(editor.mean, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, page)
    assert editor.mean.value() == mean


# --- lists compared and taken over --------------------------------------------------------------------


def test_another_list_is_compared_with_the_words(page: WordsPage, qtbot: QtBot) -> None:
    page.show_lists()
    lists = page.lists
    lists.other.setCurrentIndex(lists.other.findData("shipped, public"))
    qtbot.waitUntil(lambda: lists.model.rowCount() == 32)
    assert "5 of 32 words are in both" in lists.note.text()
    row = next(i for i in range(32) if lists.model.row(i).name == "likely")
    assert lists.model.index(row, 3).data() == "\u22126"
    lists.table.select_row(row)
    assert lists.plot.selected == "likely"
    lists.reject()


def test_a_model_that_was_asked_is_a_source_of_meanings(department: Department) -> None:
    chances = np.zeros((4, 101))
    chances[:, 60] = 1.0
    reference = {"likely": Meant("likely", np.array([75.0, 80.0]), np.array([0.5, 0.5]), 50)}
    found = perceived_by_model({"likely": chances}, reference, KnowledgeBias(), np.random.default_rng(0))
    meanings = (ModelMeaning("likely", tuple(np.eye(101)[[55, 65]].mean(axis=0))),)
    kept = Perceived("tiny.gguf", "abc", "radiologists", found, "2026-01-01T10:00:00+01:00", meanings)
    Perceptions(department)._keep(kept, ())
    read = next(source for source in work.sources(department) if source.key.startswith(work.MODEL))
    assert "language model" in read.name
    (likely,) = read.lexicon.phrases
    assert (mean_of(likely), spread_of(likely)) == pytest.approx((0.6, 0.05), abs=0.005)


def test_a_survey_is_looked_at_and_becomes_the_departments(
    page: WordsPage, department: Department, qtbot: QtBot, tmp_path: Path
) -> None:
    survey = tmp_path / "our survey.csv"
    survey.write_text("phrase,low_5_25,intermediate_25_75,high_75_90\nlikely,1,5,1\nodds are,0,1,4\n", encoding="utf-8")
    lists = page.lists
    page.read_file(str(survey))
    qtbot.waitUntil(lists.isVisible)
    assert lists.other.currentText() == "our survey"
    assert lists.what.text() == "19 words if you adopt it."
    lists.only.setChecked(True)
    assert lists.what.text() == "4 words if you adopt it."
    lists.only.setChecked(False)
    lists.adopt.click()
    assert not lists.isVisible()
    assert (phrase(page, "likely").low, phrase(page, "likely").high) == (0.25, 0.75)
    assert phrase(page, "likely").synonyms == named(shipped(), "likely").synonyms
    settled(qtbot, page)
    assert department.words.origin.name == "our survey.csv"
    # A meaning can be taken back from the survey that was adopted.
    page.desk.move("likely", 0.9, 0.05)
    page.meanings.choose("likely")
    page.meanings.editor.take.menu().actions()[-1].trigger()
    assert (phrase(page, "likely").low, phrase(page, "likely").high) == (0.25, 0.75)
    settled(qtbot, page)


def test_a_broken_file_is_told_and_changes_nothing(page: WordsPage, qtbot: QtBot, tmp_path: Path) -> None:
    broken = tmp_path / "broken.csv"
    broken.write_text("phrase,somehow\nlikely,3\n", encoding="utf-8")
    page.choose_file()
    dialog = page.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(broken))
    dialog.reject()
    qtbot.waitUntil(lambda: Message.WORK_FAILED in page.shell.messages.shown())
    assert "broken.csv, line 1: column 2" in page.shell.messages.text(Message.WORK_FAILED)
    assert not page.lists.isVisible()
    assert is_shipped(page)


def test_the_list_is_saved_as_a_file_that_can_be_read_again(
    page: WordsPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.desk.move("likely", 0.6, 0.1)
    out = tmp_path / "phrases.csv"
    monkeypatch.setattr(page.shell, "save_file", lambda _title, _name, _kinds, make: Exports().write(out, make(".csv")))
    page.save_list()
    assert mean_of(named(Words.read_list(out), "likely")) == pytest.approx(0.6)


# --- the survey ---------------------------------------------------------------------------------------


def test_three_colleagues_answer_by_keys_and_a_meaning_is_known(
    page: WordsPage, department: Department, qtbot: QtBot
) -> None:
    page.tabs.setCurrentIndex(SURVEY)
    part = page.surveying
    assert "Nobody" in part.result_text.text()
    assert not part.adopt.isEnabled()
    for k in range(3):
        page.survey_button.click()
        dialog: Any = part.dialog
        qtbot.keyClick(dialog.begin, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda dialog=dialog: dialog.response is not None)
        assert all(not button.hasFocus() for button in dialog.answers)  # none suggests itself
        n = len(dialog.response.order)
        for i in range(n if k else n - 4):
            qtbot.keyClick(dialog, Qt.Key.Key_1 + 1 + (i + k) % 5)
        if k == 0:
            assert dialog.count.text() == f"{n - 3} of {n}"
            dialog.stop.click()
        else:
            assert dialog.close_button.isVisible()
            dialog.close_button.click()
        settled(qtbot, page)
    assert part.model.rowCount() == 3
    assert part.result_text.text().startswith("3 colleagues have answered: ")
    assert len(department.words.responses()) == 3
    # The one who stopped goes on at the first word without an answer.
    part.table.select_row(next(i for i in range(3) if not part.model.row(i).finished))
    part.go_on.click()
    going_on: Any = part.dialog
    assert going_on.count.text().startswith(str(len(going_on.response.order) - 3))
    going_on.reject()
    part.adopt.click()
    assert page.lists.isVisible()
    assert page.lists.other.currentData() == work.SURVEY
    page.lists.reject()


def test_answers_can_be_removed_and_put_back(page: WordsPage, department: Department, qtbot: QtBot) -> None:
    response = department.words.new_response("Kim", 1)
    department.words.save_response(response.with_answer(response.order[0], 3))
    page.surveying.show_survey(work.survey(department))
    assert page.surveying.model.index(0, 0).data() == "Kim"
    page.surveying.remove.click()
    qtbot.waitUntil(lambda: page.surveying.model.rowCount() == 0)
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: page.surveying.model.rowCount() == 1)
    assert department.words.responses()[0].answers


def test_the_survey_goes_back_skips_and_ends(qtbot: QtBot) -> None:
    given: list[Response] = []
    dialog = SurveyDialog(Response("a", "", ("likely", "may")))
    qtbot.addWidget(dialog)
    dialog.answered.connect(given.append)
    dialog.show()
    qtbot.keyClick(dialog, Qt.Key.Key_5)
    qtbot.keyClick(dialog, Qt.Key.Key_Backspace)
    assert dialog.answers[4].isChecked()
    qtbot.keyClick(dialog, Qt.Key.Key_Down)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert given[-1].answers == {"likely": 5}
    qtbot.keyClick(dialog, Qt.Key.Key_S)
    assert given[-1].answers == {"likely": 5, "may": SKIPPED}
    assert "1 of 2" in dialog.thanks.text()
    qtbot.keyClick(dialog.close_button, Qt.Key.Key_Return)
    assert not dialog.isVisible()


# --- the frame ----------------------------------------------------------------------------------------


def test_a_workspace_to_look_only_shows_all_and_changes_nothing(
    qtbot: QtBot, make_shell: Callable[..., Shell], show_page: Callable[..., WordsPage], chest: Path
) -> None:
    page = show_page(WordsPage, make_shell(chest, read_only=True))
    settled(qtbot, page)
    assert not page.survey_button.isEnabled()
    assert "read only" in page.survey_button.toolTip()
    assert not page.meanings.editor.mean.isEnabled()
    assert not page.desk.move("likely", 0.5, 0.1)
    drag(page, curve(page, "may represent", 0.44), curve(page, "may represent", 0.64))
    assert is_shipped(page)


def test_edits_of_one_workspace_cannot_be_undone_in_another(
    page: WordsPage, prepared: Any, qtbot: QtBot, tmp_path: Path
) -> None:
    page.desk.move("likely", 0.5, 0.1)
    settled(qtbot, page)
    assert page.undo_stack.count() == 1
    page.show_department(page.shell.opened)  # the same, analysed again
    settled(qtbot, page)
    assert page.undo_stack.count() == 1
    other = Path(shutil.copy(prepared.analysed, tmp_path / "other.radcal"))
    page.shell.session.open_workspace(other, "correct horse battery", pytest.fail)
    qtbot.waitUntil(lambda: page.shell.opened is not None and page.shell.opened.path == other)
    settled(qtbot, page)
    assert page.undo_stack.count() == 0
    assert is_shipped(page)


def test_the_models_keep_qts_rules(qtbot: QtBot, page: WordsPage) -> None:
    model = LexiconModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert page.desk.words is not None
    model.set_rows(work.rows(page.desk.words, {"likely": 3}))
    model.set_rows(work.rows(page.desk.words, None))
    # A phrase that becomes stronger moves, and what points at it moves along.
    chosen = QPersistentModelIndex(model.index(model.row_of("maybe"), 0))
    page.desk.move("maybe", 0.9, 0.05)
    model.set_rows(work.rows(page.desk.words, None))
    assert chosen.data() == "maybe"
    assert chosen.row() == model.row_of("maybe") == 5
    assert "might" in model.index(model.row_of("may represent"), LexiconColumn.SYNONYMS).data(
        Qt.ItemDataRole.DisplayRole
    )
    model.set_rows(())
    assert model.rowCount() == 0
    assert not model.setData(QModelIndex(), 1)
    tester.deleteLater()


# --- scales --------------------------------------------------------------------------------


def in_table(model: Any) -> list[list[str]]:
    return [[str(model.index(r, c).data()) for c in range(model.columnCount())] for r in range(model.rowCount())]


def choose_scale(qtbot: QtBot, page: WordsPage, key: str) -> None:
    scales = page.scales
    scales.box.setCurrentIndex(scales.box.findData(key))
    scales.choose.click()
    settled(qtbot, page)


def test_a_scale_is_shown_before_it_is_chosen(page: WordsPage) -> None:
    page.show_scales()
    scales = page.scales
    offered = [scales.box.itemText(i) for i in range(scales.box.count())]
    assert offered == ["no scale: all words", "Brigham", "ICD 203", "IPCC"]
    assert scales.box.currentData() == "brigham"  # to look at: nothing was chosen
    shown = in_table(scales.model)
    assert shown[1] == ["most likely", "90\u2013100\u00a0%", "yes", "75\u201390\u00a0%"]
    assert ["consistent with", "established only", "yes", "90\u2013100\u00a0%"] in shown
    assert ["highly unlikely", "to avoid", "as \u201cvery unlikely\u201d", "0\u20135\u00a0%"] in shown
    assert "https://rad.bwh.harvard.edu" in scales.about.text()
    assert "every word that is ticked" in scales.state.text()
    assert page.meanings.table.view.isColumnHidden(LexiconColumn.SCALE)
    scales.box.setCurrentIndex(scales.box.findData("ipcc"))
    assert "\u201cvery likely\u201d as \u201cmost likely\u201d" in scales.about.text()
    scales.box.setCurrentIndex(0)
    assert scales.table.isHidden()
    assert page.shell.opened.department.settings.vocabulary == ""
    scales.reject()


def test_a_chosen_scale_is_kept_shown_beside_the_meanings_and_undone(
    page: WordsPage, qtbot: QtBot, department: Department
) -> None:
    choose_scale(qtbot, page, "brigham")
    assert department.settings.vocabulary == "brigham"
    assert department.words.history() == ()  # meanings are as they were
    assert page.scales.state.text().startswith("In use: Brigham.")
    assert not page.scales.choose.isEnabled()
    assert page.bar.isVisible()
    model = page.meanings.model
    assert not page.meanings.table.view.isColumnHidden(LexiconColumn.SCALE)
    assert model.index(model.row_of("most likely"), LexiconColumn.SCALE).data() == "90\u2013100\u00a0%"
    assert model.index(model.row_of("possibly"), LexiconColumn.SCALE).data() == "to avoid"
    assert model.index(model.row_of("maybe"), LexiconColumn.SCALE).data() == ""
    for name, may in (("likely", "yes"), ("present", "yes"), ("possibly", "no"), ("consistent with", "no")):
        assert model.index(model.row_of(name), LexiconColumn.ALLOWED).data() == may
    page.undo_stack.undo()
    settled(qtbot, page)
    assert department.settings.vocabulary == ""


def test_ticks_and_scale_leave_advice_a_word(page: WordsPage, qtbot: QtBot, department: Department) -> None:
    choose_scale(qtbot, page, "brigham")
    page.desk.allow("possibly", True)
    assert "not a word of the Brigham scale" in page.scales.why.text()
    own = ("very unlikely", "unlikely", "may represent", "likely", "most likely")
    for name in own:
        assert page.desk.allow(name, False)
    assert not page.desk.allow("diagnostic of", False)
    settled(qtbot, page)
    assert "possibly" in department.settings.allowed_phrases
    choose_scale(qtbot, page, "ipcc")
    assert "Advice could propose none" in page.scales.why.text()
    assert department.settings.vocabulary == "brigham"
    choose_scale(qtbot, page, "")
    assert department.settings.vocabulary == ""
    assert page.desk.words is not None
    assert page.desk.words.allows("possibly")
