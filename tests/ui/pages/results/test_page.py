"""The Results page: its sentence, its words, how they are worked out, and all pathologies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from radcal.advice.said import of_group
from radcal.calibration.records import Reliability
from radcal.department import Department
from radcal.system.selection import Days, Group, Selection
from radcal.system.text import Text
from ui.pages.results.page import ALL, ResultsPage
from ui.pages.results.sentences import read_right
from ui.pages.results.why import explain, p_value_of
from ui.pages.results.words import WordColumn
from ui.plots.bands import Band
from ui.sentences import verdict_on
from ui.shell import Shell
from ui.theme import CONTRAST, DARK, Colours
from ui.words import typographic

Texts = Callable[[QWidget], str]
Show = Callable[..., Any]
EDEMA = Selection("Avery", "edema")
NEVER = replace(EDEMA, days=Days(date(2031, 2, 1), date(2031, 2, 28)))


@pytest.fixture
def page(qtbot: QtBot, shell: Shell, show_page: Show) -> ResultsPage:
    made: ResultsPage = show_page(ResultsPage, shell)
    qtbot.waitUntil(lambda: made.card.plot is not None and made.cases.found is not None)
    return made


def edema(page: ResultsPage) -> Reliability:
    assert page.shell.opened is not None
    return page.shell.opened.groups[EDEMA.group].reliability


def test_one_sentence_comes_first_and_leads_to_its_cases(qtbot: QtBot, page: ResultsPage) -> None:
    assert page.title.text() == "Avery, edema"
    assert page.meta.text().startswith("212 findings, ")
    view = page.shell.opened.groups[EDEMA.group]  # type: ignore[union-attr]
    said = of_group(view.judged, own=False)
    assert said.word is not None
    assert page.sentence.text() == typographic(said.sentence)
    assert typographic(said.closer) in page.said.closer.text()
    # The cases of that word are listed at once, all of them; a click leads to those that speak against it.
    assert page.cases.found is not None
    assert page.cases.found.phrases == (said.word.name,)
    assert page.cases.model.rowCount() == said.word.rate.n
    n = round(said.word.rate.n - said.word.rate.positives)
    assert page.said.cases.text().replace("&", "") == f"The {n} not confirmed"
    page.tabs.setCurrentIndex(ALL)
    page.said.cases.click()
    qtbot.waitUntil(lambda: page.cases.model.rowCount() == n)
    assert not any(row.confirmed for row in page.cases.model.rows)
    assert page.tabs.currentWidget() is page.one


def test_the_sentence_stays_in_its_place_whatever_tab_is_shown(page: ResultsPage) -> None:
    tops = set()
    for tab in range(page.tabs.count()):
        page.tabs.setCurrentIndex(tab)
        page.grab()
        tops.add((page.said.height(), page.tabs.tabBar().mapTo(page, QPoint(0, 0)).y()))
    assert len(tops) == 1


def test_how_well_reports_are_read_is_said_in_per_cent() -> None:
    own = Text("F1 {f1:.2f} ({f1_low:.2f}\u2013{f1_high:.2f}) on 40", f1=0.97, f1_low=0.95, f1_high=0.98)
    published = Text("F1 {f1:.2f} ({low:.2f}) on 120", f1=0.97, low=0.95, high=0.98)
    for accuracy in (own, published, Text("an earlier version: {figures}", figures=published)):
        assert read_right(accuracy).replace("\u00a0", " ") == "read 97 % right (95\u201398 %)"
    assert read_right("") == ""


@pytest.mark.slow
def test_days_are_measured_and_keep_the_word(qtbot: QtBot, page: ResultsPage, department: Department) -> None:
    page.arrive(phrase="may represent")
    qtbot.waitUntil(lambda: page.cases.model.rowCount() == 60)
    chosen = Selection("Avery", "edema", Days(date(2026, 2, 1), date(2026, 6, 30)))
    page.shell.set_selection(chosen)
    qtbot.waitUntil(lambda: "119 findings" in page.meta.text())
    assert "2/1/26" in page.meta.text()
    found = department.alternatives.advice(chosen)
    for row, word in enumerate(found.judged.words):
        assert page.model.index(row, WordColumn.VERDICT).data() == verdict_on(word)[0]
    qtbot.waitUntil(lambda: page.cases.found is not None and page.cases.found.selection == chosen)
    assert page.cases.found is not None
    assert page.cases.found.phrases == ("may represent",)
    page.shell.set_selection(EDEMA)
    assert "212 findings" in page.meta.text()


def test_the_latest_choice_wins(qtbot: QtBot, page: ResultsPage) -> None:
    page.shell.set_selection(Selection("Avery", "edema", Days(date(2026, 2, 1), None)))
    page.shell.set_selection(Selection("Brooks", "edema"))
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    assert page.title.text() == "Brooks, edema"
    assert "155 findings" in page.meta.text()
    qtbot.waitUntil(lambda: {row.author for row in page.cases.model.rows} == {"Brooks"})


def test_without_results_there_is_nothing_to_save(page: ResultsPage) -> None:
    assert page.save.isVisible()
    page.show_department(replace(page.shell.opened, groups={}, reason="There are no pairs."))
    assert page.is_empty
    assert not page.save.isVisible()
    assert not page.more.isVisible()


def test_statistics_stand_in_the_explanation_alone(qtbot: QtBot, page: ResultsPage, texts: Texts) -> None:
    figures = ("ECE", "Brier", "Slope", "p <", "p =", "luck")
    for tab in range(page.tabs.count()):
        page.tabs.setCurrentIndex(tab)
        qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
        assert not [word for word in figures if word in texts(page)]
    page.said.why.click()
    assert page.tabs.currentWidget() is page.one
    qtbot.waitUntil(lambda: "172 of them hedged" in texts(page.one.why))
    told = texts(page.one.why)
    assert "On average the hedged words missed their meaning by" in told
    assert p_value_of(edema(page)) in told
    assert all(word in told for word in ("ECE", "Brier", "Slope"))
    page.shell.set_selection(Selection("Avery", "fracture"))
    qtbot.waitUntil(lambda: "Here there are 14" in texts(page.one.why))  # and it stays open
    page.one.why.left.emit()
    assert page.cases.isVisible()
    assert not page.said.why.isChecked()


def test_reading_errors_stand_beside_what_is_tested(page: ResultsPage) -> None:
    opened, r = page.shell.opened, edema(page)
    assert opened is not None
    read = {"read_word_error": 0.2, "read_word_error_low": 0.1, "read_word_error_high": 0.3}
    carried = replace(r, **read, plain_p_value_word=0.001, p_value_word=0.2, q_value_word=0.2)
    view = replace(opened.groups[EDEMA.group], reliability=carried)
    told = "\n".join(explain(opened, EDEMA.group, view))
    assert "With reading errors: 20 points (10\u201330)." in told
    assert "allowing for reading errors and the number of tests" in told
    assert "not enough to call it a difference" in told


def test_the_curve_in_the_order_of_words_is_drawn_and_told_once_worked_out(qtbot: QtBot, page: ResultsPage) -> None:
    why = page.one.why
    page.said.why.click()
    assert not why.order.isVisible()
    why.band.setCurrentIndex(why.band.findData(Band.ORDER))
    qtbot.waitUntil(why.order.isVisible)
    # 29 of 60 and 41 of 87
    assert "the weaker word more often: \u201cmay represent\u201d and \u201clikely\u201d" in why.order.text()
    assert "n = 212" in why.order.text()
    page.shell.set_selection(Selection("Brooks", "edema"))
    qtbot.waitUntil(lambda: "n = 155" in why.order.text())
    why.band.setCurrentIndex(0)
    assert not why.order.isVisible()


def test_a_word_chosen_in_diagram_or_table_shows_its_cases(qtbot: QtBot, page: ResultsPage) -> None:
    plot = page.card.plot
    assert plot is not None
    word = next(i for i in range(plot.count) if "may represent\u201d: said" in plot.readout(i))
    at = plot.mapFromScene(plot.main.getViewBox().mapViewToScene(QPointF(*plot.place(word))))
    page.said.why.click()
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: page.cases.model.rowCount() == 60)
    assert page.cases.isVisible()
    assert page.model.row(page.one.words.current_row()).phrase == "may represent"
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: page.cases.model.rowCount() == 87)
    assert plot.selected == "likely"


def test_a_part_of_the_curve_leads_to_its_cases(qtbot: QtBot, page: ResultsPage) -> None:
    page.card.located.emit(0.6)
    qtbot.waitUntil(lambda: page.cases.model.rowCount() == 147)
    assert page.cases.heading.text() == "Cases at 60\u00a0%"
    assert "\u201clikely\u201d (54\u00a0%) and \u201cmay represent\u201d (46\u00a0%)" in page.cases.about.text()


def test_every_word_has_its_verdict_in_the_table(page: ResultsPage) -> None:
    shown = {
        page.model.row(i).phrase: page.model.index(i, WordColumn.VERDICT).data() for i in range(page.model.rowCount())
    }
    assert shown["likely"] == "overstated"
    assert shown["unlikely"] == "undecided"
    page.shell.set_selection(Selection("Avery", "fracture"))
    assert {page.model.index(i, WordColumn.VERDICT).data() for i in range(2)} == {"too few"}
    assert page.sentence.text() == "14 findings; advice needs 30."


@pytest.mark.parametrize("width", [1280, 1700])
def test_no_cell_of_the_words_is_cut_off(page: ResultsPage, qtbot: QtBot, width: int) -> None:
    page.window().resize(width, 800)
    header = page.table.horizontalHeader()

    def cut() -> list[int]:
        metrics = page.table.fontMetrics()
        return [
            c
            for c in range(page.model.columnCount())
            for r in range(page.model.rowCount())
            if header.sectionSize(c) < metrics.horizontalAdvance(str(page.model.index(r, c).data()))
        ]

    qtbot.waitUntil(lambda: not cut())


def test_all_pathologies_are_listed_and_open_by_keyboard(qtbot: QtBot, page: ResultsPage) -> None:
    page.arrive(tab="all")
    table = page.pathologies.table
    rows = {table.model.row(r).name: table.model.row(r) for r in range(table.model.rowCount())}
    assert [row.record.n for row in table.model.rows] == sorted((row.record.n for row in rows.values()), reverse=True)
    judged = page.shell.opened.view(Group("Avery", "edema")).judged  # type: ignore[union-attr]
    assert rows["edema"].said.startswith(typographic(of_group(judged, own=False).sentence))
    assert rows["fracture"].said == "14 findings; advice needs 30."
    table.select_row([row.record.topic for row in table.model.rows].index("infection"))
    with qtbot.waitSignal(page.shell.choose_wanted) as chosen:
        QTest.keyClick(table.view, Qt.Key.Key_Return)
    assert chosen.args == [Selection("Avery", "infection")]
    assert page.tabs.currentWidget() is page.one


def test_all_pathologies_of_some_days_are_measured(qtbot: QtBot, page: ResultsPage) -> None:
    page.arrive(tab="all")
    page.shell.set_selection(Selection("Avery", "edema", Days(date(2026, 2, 1), None)))
    qtbot.waitUntil(page.pathologies.content.isVisible)
    assert next(row.record.n for row in page.pathologies.table.model.rows if row.name == "edema") == 188
    assert len(page.pathologies.table.model.rows) == 3


def test_every_scheme_is_drawn(page: ResultsPage, qapp: QApplication, wear: Callable[[Colours], None]) -> None:
    for tab in (0, 1):
        page.tabs.setCurrentIndex(tab)
        for colours in (DARK, CONTRAST):
            wear(colours)
            assert page.grab().toImage().pixelColor(page.width() // 2, page.height() - 4).isValid()


def test_dates_without_findings_are_said_plainly_and_left_by_a_button(qtbot: QtBot, page: ResultsPage) -> None:
    page.shell.set_selection(NEVER)
    nothing = page.one.nothing
    qtbot.waitUntil(nothing.isVisible)
    assert nothing.text.text() == (
        "Avery has no findings on edema on the chosen dates: 2/1/31 \u2013 2/28/31.\nOn all dates together: 212."
    )
    assert page.tabs.isVisible()  # other pathologies may have findings on these dates
    assert not page.table.isVisible()
    QGuiApplication.clipboard().clear()
    page.card.copy()  # nothing of other dates as if it were of these
    assert QGuiApplication.clipboard().image().isNull()
    nothing.button.setFocus()
    page.shell.choose_wanted.connect(page.shell.set_selection)
    nothing.button.click()
    assert page.shell.selection == EDEMA
    qtbot.waitUntil(page.table.isVisible)
    assert "212 findings" in page.meta.text()
    assert page.window().focusWidget() is page.table
    qtbot.waitUntil(lambda: page.cases.model.rowCount() == 87)


@pytest.mark.slow
def test_what_dates_are_answered_from_is_read_ahead(
    qtbot: QtBot, shell: Shell, show_page: Show, department: Department, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[None] = []
    warm_up = department.groups.warm_up
    monkeypatch.setattr(department.groups, "warm_up", lambda *args: (calls.append(None), warm_up(*args)))
    page = show_page(ResultsPage, shell)
    qtbot.waitUntil(lambda: len(calls) == 1 and page.card.plot is not None and shell.tasks.is_idle)
    shell.set_selection(Selection("Avery", "edema", Days(date(2026, 1, 1))))
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert len(calls) == 1


def test_results_made_anew_list_the_cases_anew(qtbot: QtBot, page: ResultsPage) -> None:
    before = page.cases.found
    page.shell.opened_changed.emit(page.shell.opened)
    qtbot.waitUntil(lambda: page.cases.found not in (None, before))
    assert page.cases.model.rowCount() == 87
