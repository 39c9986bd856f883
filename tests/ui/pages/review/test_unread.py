"""What was left unread: listed with both readings, explained, and decided on in the report."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar
from pytestqt.qtbot import QtBot

from radcal.calibration.records import ALL_AUTHORS
from radcal.findings import engines
from radcal.findings.readers.pairs import NOT_STATED, Answers, Question, phrases_of
from radcal.opening import open_department
from radcal.review.records import Draw
from radcal.system.progress import Progress
from radcal.system.selection import Group
from radcal.system.settings import ALL_TOPICS
from radcal.words.phrases import load_lexicon
from radcal.words.records import ABSENT, PRESENT
from ui.kit.text import Label
from ui.pages.review.hints import what_is
from ui.pages.review.page import ReviewPage
from ui.shell import Shell
from ui.widgets.why import WhyDialog

PASSPHRASE = "correct horse battery"
Unread = tuple[ReviewPage, Shell]


@pytest.fixture
def shell(make_shell: Callable[..., Shell], chest: Path, llama: object) -> Shell:
    """The prepared department, of which a second reader doubts every fracture."""
    with open_department(chest, PASSPHRASE) as department:
        department.save_settings(department.settings.changed(second="bundled", min_group_n=1))
        department.runs.extract()
        department.analyse()
    return make_shell(chest)


@pytest.fixture
def unread(qtbot: QtBot, shell: Shell, show_page: Callable[..., ReviewPage]) -> Unread:
    """The page, come to for what was left unread."""
    page = show_page(ReviewPage, shell)
    page.arrive(tab="unread")
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.unread.model.rowCount() > 0)
    return page, shell


CHANCES = {ABSENT: 0.8, PRESENT: 0.05, "likely": 0.1, NOT_STATED: 0.05}


class Reader:
    """A second reader that takes everything as absent."""

    name, version, settings_hash = "llama", "9", "reader"
    phrases = phrases_of(load_lexicon())

    def answer(self, reports: Iterable[Sequence[Question]], _progress: Progress) -> Iterator[Answers]:
        row = np.array([CHANCES.get(phrase, 0.0) for phrase in self.phrases])
        for report in reports:
            yield Answers(tuple(np.tile(row, (len(q.pathologies), 1)) for q in report))

    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def close(self) -> None: ...


def why(qtbot: QtBot, page: Any) -> WhyDialog:
    """The explanation that was opened, once it is there."""
    dialog = page.findChildren(WhyDialog)[-1]
    qtbot.waitUntil(lambda: dialog.part.record is not None)
    return dialog


def said(dialog: WhyDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(Label))


def test_what_was_left_unread_is_listed_with_both_readings(unread):
    page, shell = unread
    view = page.unread
    assert view.note.text().startswith("Findings that may have been misread, those that matter most first.")
    effects = [doubt.effect for doubt in view.model.rows]
    assert effects == sorted(effects, reverse=True)
    assert effects[0] > 0
    rows = [[view.model.index(row, column).data() for column in range(7)] for row in range(len(effects))]
    possible = next(i for i, row in enumerate(rows) if row[6] == "Possible rib fracture.")
    assert rows[possible][1:4] == ["fracture", "possibly", "absent"]
    view.table.select_row(possible)
    assert view.readings.text() == (
        "The rules read \u201cpossibly\u201d, the second reader \u201cabsent\u201d. Chance that the rules are right:"
        " 17\u00a0%."
    )
    assert "statements were left unread" in shell.opened.unread[Group(ALL_AUTHORS, ALL_TOPICS)]


def press(qtbot: QtBot, page: ReviewPage, key: Qt.Key) -> None:
    qtbot.keyClick(page.unread.table.view, key)


def decided(shell: Shell) -> list[str]:
    """What is stored, once it is."""
    department = shell.opened.department
    return [finding.decided for finding, *_ in department.runs.decided(department.runs.on_show())]


def test_one_key_decides_and_goes_on_to_the_next(qtbot, unread):
    page, shell = unread
    view = page.unread
    first = view.current
    assert view.report.toPlainText().strip() == first.text.strip()
    assert not view.phrases.of_key("z"), "a word of no list is no decision"
    press(qtbot, page, Qt.Key.Key_0)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and bool(decided(shell)))
    assert set(decided(shell)) == {ABSENT}
    assert view.current.finding.unread
    assert view.current is not first
    assert view.model.index(0, 5).data() == ABSENT
    n = view.model.rowCount()
    press(qtbot, page, Qt.Key.Key_X)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and NOT_STATED in decided(shell))
    view.table.select_row(0)
    view.phrases.chosen.emit("likely")
    qtbot.waitUntil(lambda: shell.tasks.is_idle and "likely" in decided(shell))
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and ABSENT in decided(shell))
    assert view.table.current_row() == 0
    page.undo_stack.undo()
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and not decided(shell))
    assert [d.finding.unread for d in view.model.rows] == ["yes"] * n
    page.undo_stack.redo()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and set(decided(shell)) == {ABSENT})
    view.table.select_row(0)
    press(qtbot, page, Qt.Key.Key_U)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and not decided(shell))


def test_results_are_made_anew_when_the_page_is_left(qtbot, unread):
    page, shell = unread
    every = Group(ALL_AUTHORS, ALL_TOPICS)
    assert every in shell.opened.unread
    n = page.unread.model.rowCount()
    for _ in range(n):
        press(qtbot, page, Qt.Key.Key_9)
    assert not any(d.finding.unread for d in page.unread.model.rows)
    page.leave()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and every not in shell.opened.unread, timeout=20_000)
    # They stay listed, with who decided, so that it can be taken back.
    page.unread.show_for(True)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.unread.model.rows[0].by == getpass.getuser())
    assert page.unread.model.rowCount() == n
    page.unread.table.select_row(0)
    assert f"Decided by {getpass.getuser()}, " in page.unread.readings.text()


def test_a_decision_can_be_made_where_the_reading_is_explained(qtbot, unread):
    page, shell = unread
    page.unread.why.click()
    dialog = why(qtbot, page)
    assert dialog.phrase.currentData() == page.unread.current.finding.rules
    assert not dialog.back.isVisible()
    dialog.phrase.setCurrentIndex(dialog.phrase.findData(NOT_STATED))
    dialog.decide.click()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and bool(decided(shell)))
    assert set(decided(shell)) == {NOT_STATED}
    page.unread.table.select_row(0)
    page.unread.why.click()
    dialog = why(qtbot, page)
    assert "A person decided: \u201cnot stated\u201d." in said(dialog)
    dialog.back.click()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and not decided(shell))


def drawn(qtbot: QtBot, page: ReviewPage) -> Any:
    """The first finding of a gold set of the reports with something unread, read with the engine's answers in sight."""
    reports = len({d.report_id for d in page.unread.model.rows})
    page.tabs.setCurrentIndex(0)
    page.draw_panel.worst_first.setChecked(True)
    page.draw_panel.size_field.setValue(reports)
    page.draw_panel.draw.click()
    qtbot.waitUntil(lambda: page.views.currentWidget() is page.reader_panel)
    assert page.standing.gold.drawn is Draw.WORST_FIRST
    page.reader_panel.chosen.emit("AB", False)
    qtbot.waitUntil(lambda: page.session is not None)
    return page.read.item()


def test_a_finding_is_explained_with_and_without_a_second_reader(qtbot, unread, monkeypatch):
    page, shell = unread
    possible = next(i for i, d in enumerate(page.unread.model.rows) if d.finding.sentence == "Possible rib fracture.")
    page.unread.table.select_row(possible)
    with monkeypatch.context() as patch:
        patch.setattr(engines, "second_reader", lambda *_: Reader())
        page.unread.why.click()
        dialog = why(qtbot, page)
    text = said(dialog)
    assert "\u201cPossible rib fracture.\u201d" in text
    assert "Words for findings: \u201crib fracture\u201d: fracture." in text
    assert "Words for how certain: \u201cPossible\u201d: possibly." in text
    assert "The rule at \u201c" in text
    assert "The second reader takes it as \u201cpossibly\u201d:" in text  # absent, but for words that deny
    assert "Chance that the rules read it right: " in text
    bars = [bar.value() for bar in dialog.findChildren(QProgressBar)]
    assert bars == [50, 800, 100, 50]
    assert "hedged, most likely \u201clikely\u201d" in text
    dialog.close()
    shell.opened.department.runs.choose({"second": "none"})
    page.unread.why.click()
    dialog = why(qtbot, page)
    assert "The rule at \u201c" in said(dialog)
    assert "second reader" not in said(dialog)
    dialog.close()


def test_an_unread_finding_comes_first_in_a_drawn_report_and_is_explained_there(qtbot, unread):
    page, _ = unread
    item = drawn(qtbot, page)
    assert item.finding.unread
    hint = what_is(page.session, item)
    assert hint.startswith("Fracture: The rules read \u201c")
    assert hint.endswith("Choose the phrase, or remove it.")
    assert page.read.findings.why.isVisible()
    page.read.findings.why.click()
    dialog = why(qtbot, page)
    assert "fracture" in said(dialog)
    dialog.close()
    page.reader_panel.chosen.emit("CD", True)  # blind
    qtbot.waitUntil(lambda: page.session.reader == "CD")
    assert not page.read.findings.why.isVisible()


def test_where_nothing_was_left_unread_that_is_said(qtbot, make_shell, chest, show_page):
    page = show_page(ReviewPage, make_shell(chest))
    page.arrive(tab="unread")
    qtbot.waitUntil(lambda: page.unread.note.text() == "Nothing was left unread.")
