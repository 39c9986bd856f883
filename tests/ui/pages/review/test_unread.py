"""What was left unread: listed with both readings, explained, and decided on in the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QProgressBar
from pytestqt.qtbot import QtBot

from radcal.findings import engines
from radcal.findings.pairs import NOT_STATED, Answers, Question, phrases_of
from radcal.opening import open_department
from radcal.reliability.records import ALL_AUTHORS
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
def unread(qtbot: QtBot, shell: Shell) -> Unread:
    """The page, come to for what was left unread."""
    page = ReviewPage(shell)
    qtbot.addWidget(page)
    page.begin()
    page.resize(1000, 640)
    page.show()
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
    assert view.note.text().startswith("What may have been misread is left unread, and enters no figure.")
    effects = [doubt.effect for doubt in view.model.rows]
    assert effects == sorted(effects, reverse=True)
    assert effects[0] > 0
    rows = [[view.model.index(row, column).data() for column in range(7)] for row in range(len(effects))]
    possible = next(i for i, row in enumerate(rows) if row[6] == "Possible rib fracture.")
    assert rows[possible][1:5] == ["fracture", "possibly", "absent", "17\u00a0%"]
    view.table.select_row(possible)
    assert view.readings.text() == (
        "The rules read \u201cpossibly\u201d, the second reader \u201cabsent\u201d. Chance that the rules are right:"
        " 17\u00a0%."
    )
    assert "statements were left unread" in shell.opened.unread[Group(ALL_AUTHORS, ALL_TOPICS)]


def test_somebody_decides_in_the_reports(qtbot, unread):
    page, _ = unread
    asked = page.unread.current
    page.unread.read.click()
    assert page.views.currentWidget() is page.draw_panel
    assert page.draw_panel.worst_first.isChecked()
    assert page.draw_panel.size_field.value() == len({d.report_id for d in page.unread.model.rows})
    page.draw_panel.draw.click()
    qtbot.waitUntil(lambda: page.views.currentWidget() is page.reader_panel)
    assert page.standing.gold.drawn is Draw.WORST_FIRST
    page.reader_panel.chosen.emit("AB", False)
    qtbot.waitUntil(lambda: page.session is not None)
    assert asked.report_id in page.session.place
    # An unread finding comes first, wherever it stands in the report.
    item = page.read.item()
    assert item.finding.unread
    hint = what_is(page.session, item)
    assert hint.startswith("fracture: The rules read \u201c")
    assert hint.endswith("Choose the phrase, or remove the finding.")
    page.arrive(tab="unread")
    page.unread.table.select_row(1)
    page.unread.read.click()
    assert page.session.report.report_id == page.unread.model.row(1).report_id


def test_a_finding_is_explained(qtbot, unread, monkeypatch):
    page, _ = unread
    monkeypatch.setattr(engines, "second_reader", lambda *_: Reader())
    possible = next(i for i, d in enumerate(page.unread.model.rows) if d.finding.sentence == "Possible rib fracture.")
    page.unread.table.select_row(possible)
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


def test_without_a_second_reader_the_rule_is_explained_alone(qtbot, unread, shell):
    page, _ = unread
    shell.opened.department.runs.choose({"second": "none"})
    page.unread.why.click()
    dialog = why(qtbot, page)
    assert "The rule at \u201c" in said(dialog)
    assert "second reader" not in said(dialog)
    dialog.close()


def test_while_reading_a_report_the_engines_finding_is_explained(qtbot, unread):
    page, _ = unread
    page.unread.read.click()
    page.draw_panel.draw.click()
    qtbot.waitUntil(lambda: page.views.currentWidget() is page.reader_panel)
    page.reader_panel.chosen.emit("AB", False)
    qtbot.waitUntil(lambda: page.session is not None)
    assert page.read.findings.why.isVisible()
    page.read.findings.why.click()
    dialog = why(qtbot, page)
    assert "fracture" in said(dialog)
    dialog.close()
    page.reader_panel.chosen.emit("CD", True)  # blind
    qtbot.waitUntil(lambda: page.session.reader == "CD")
    assert not page.read.findings.why.isVisible()


def test_where_nothing_was_left_unread_that_is_said(qtbot, make_shell, chest):
    shell = make_shell(chest)
    page = ReviewPage(shell)
    qtbot.addWidget(page)
    page.begin()
    page.show()
    page.arrive(tab="unread")
    qtbot.waitUntil(lambda: page.unread.note.text() == "Nothing was left unread in the results on show.")
