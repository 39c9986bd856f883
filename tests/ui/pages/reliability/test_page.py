"""The reliability page's views, its explanations, and the findings behind it, by mouse and keyboard."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from radcal.advice.judging import judged_group
from radcal.department import Department
from radcal.reliability.records import Reliability
from radcal.system.selection import Days, Group, Selection
from ui.language import spoken
from ui.pages.evidence.models import FindingColumn
from ui.pages.evidence.page import EvidencePage
from ui.pages.reliability import sentences as figures
from ui.pages.reliability.explanation import explain
from ui.pages.reliability.key import DiagramKey
from ui.pages.reliability.models import PhraseColumn
from ui.pages.reliability.page import ReliabilityPage
from ui.sentences import judged_text
from ui.shell import Shell
from ui.theme import CONTRAST, DARK, Colours
from ui.words import decimal_interval

Texts = Callable[[QWidget], str]
Show = Callable[..., Any]
EDEMA = Selection("Avery", "edema")


@pytest.fixture
def page(qtbot: QtBot, shell: Shell, show_page: Show) -> ReliabilityPage:
    made: ReliabilityPage = show_page(ReliabilityPage, shell)
    qtbot.waitUntil(lambda: made.card.plot is not None)
    return made


@pytest.fixture
def findings(qtbot: QtBot, shell: Shell, show_page: Show) -> EvidencePage:
    made: EvidencePage = show_page(EvidencePage, shell)
    made.arrive(phrase="likely")
    qtbot.waitUntil(lambda: made.model.rowCount() == 87)
    return made


@pytest.mark.parametrize("width", [1280, 1700])
def test_rates_are_never_cut_off(page: ReliabilityPage, qtbot: QtBot, width: int) -> None:
    page.window().resize(width, 800)
    header = page.table.horizontalHeader()
    needed = header.fontMetrics().horizontalAdvance("100 % (88\N{EN DASH}100)")
    qtbot.wait(50)
    qtbot.waitUntil(lambda: header.sectionSize(PhraseColumn.RATE) >= needed)
    room, used = page.table.viewport().width(), header.length()
    assert used >= room or width == 1280, "in a wide window they have all that is left"
    assert page.table.horizontalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff


def edema(page: ReliabilityPage) -> Reliability:
    assert page.shell.opened is not None
    return page.shell.opened.groups[EDEMA.group].reliability


def counted(monkeypatch: pytest.MonkeyPatch, of: Any, name: str) -> list[None]:
    """Notes each call of a method of the department."""
    calls: list[None] = []
    method = getattr(of, name)

    def noted(*args: Any, **options: Any) -> Any:
        calls.append(None)
        return method(*args, **options)

    monkeypatch.setattr(of, name, noted)
    return calls


# --- the page --------------------------------------------------------------------------------------


def test_what_dates_are_answered_from_is_read_ahead(
    qtbot: QtBot, shell: Shell, show_page: Show, department: Department, monkeypatch: pytest.MonkeyPatch
) -> None:
    outlook = counted(monkeypatch, department.groups, "warm_up")
    page = show_page(ReliabilityPage, shell)
    qtbot.waitUntil(lambda: len(outlook) == 1 and page.card.plot is not None and shell.tasks.is_idle)
    shell.set_selection(Selection("Avery", "edema", Days(date(2026, 1, 1))))
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert len(outlook) == 1


def test_days_are_measured_and_shown_with_the_advice_made_from_them(
    qtbot: QtBot, page: ReliabilityPage, texts: Texts, department: Department
) -> None:
    assert "212 findings" in page.meta.text()
    chosen = Selection("Avery", "edema", Days(date(2026, 2, 1), date(2026, 6, 30)))
    page.shell.set_selection(chosen)
    qtbot.waitUntil(lambda: "119 findings" in page.meta.text())
    assert "2/1/26" in page.meta.text()
    found = department.alternatives.advice(chosen)
    assert found.advice.n == 119
    for row, word in enumerate(found.judged.words):
        shown = page.model.index(row, PhraseColumn.VERDICT).data()
        assert shown == judged_text(word)
    [line, *_] = figures.advice_sentences(found.judged)
    qtbot.waitUntil(lambda: line in texts(page.texts))
    page.shell.set_selection(EDEMA)
    assert "212 findings" in page.meta.text()


def test_the_latest_choice_wins(qtbot: QtBot, page: ReliabilityPage) -> None:
    page.shell.set_selection(Selection("Avery", "edema", Days(date(2026, 2, 1), None)))
    page.shell.set_selection(Selection("Brooks", "edema"))
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    qtbot.wait(50)
    assert page.title.text() == "Brooks \u2013 edema"
    assert "155 findings" in page.meta.text()


def test_the_texts_stay_at_the_top_however_often_another_group_is_chosen(qtbot: QtBot, page: ReliabilityPage) -> None:
    page.window().resize(1400, 1600)
    tops = set()
    for author in ("Avery", "Brooks", "Avery", "Brooks", "Avery"):
        page.shell.set_selection(Selection(author, "edema"))
        qtbot.waitUntil(lambda author=author: page.title.text().startswith(author))
        qtbot.wait(20)
        first = next(part for part in page.texts.findChildren(QLabel) if part.isVisible() and part.text() == "Advice")
        tops.add(first.mapTo(page.texts, QPoint(0, 0)).y())
    assert len(tops) == 1
    assert tops.pop() < 24


def test_without_results_there_is_nothing_to_save(page: ReliabilityPage) -> None:
    assert page.save.isVisible()
    page.show_department(replace(page.shell.opened, groups={}, reason="There are no pairs."))
    assert page.is_empty
    assert not page.save.isVisible()
    assert not page.more.isVisible()


def test_why_is_answered_with_the_groups_own_numbers(page: ReliabilityPage, texts: Texts) -> None:
    assert "What luck gives" not in texts(page.texts)
    page.texts.why.click()
    assert "all 172 hedged findings" in texts(page.texts)
    assert "\u201clikely\u201d was said 87 times" in texts(page.texts)
    page.shell.set_selection(Selection("Avery", "fracture"))
    assert "16 more findings would be enough" in texts(page.texts)  # and it stays open
    page.texts.why.click()
    assert "What is enough" not in texts(page.texts)


def test_an_explanation_says_what_luck_leaves(page: ReliabilityPage) -> None:
    r = edema(page)
    meanings = {p.name: p for p in page.shell.opened.phrases}  # type: ignore[union-attr]

    def luck(record: Any) -> str:
        return dict(explain(record, meanings, 30, 10))["What luck gives"]

    assert luck(r).endswith(figures.tested(r))
    assert "As much by chance alone: p = " in luck(r)
    assert "was not worked out" in luck(replace(r, luck_word_mean=None))


def test_the_curve_in_the_order_of_words_is_drawn_and_told_once_worked_out(qtbot: QtBot, page: ReliabilityPage) -> None:
    assert not page.card.order.isVisible()
    assert "95 % interval" in page.card.key.accessibleName()
    page.card.band.setCurrentIndex(1)
    assert "luck alone" in page.card.key.accessibleName()
    page.card.band.setCurrentIndex(2)
    qtbot.waitUntil(page.card.order.isVisible)
    # 29 of 60 and 41 of 87
    told = page.card.order.text()
    assert "The order of \u201cmay represent\u201d and \u201clikely\u201d was not kept" in told
    assert "n = 212" in told
    page.shell.set_selection(Selection("Brooks", "edema"))
    qtbot.waitUntil(lambda: "n = 155" in page.card.order.text())
    page.card.band.setCurrentIndex(0)
    assert not page.card.order.isVisible()


def test_a_dot_leads_to_its_findings(qtbot: QtBot, page: ReliabilityPage) -> None:
    plot = page.card.plot
    assert plot is not None
    likely = next(i for i in range(plot.count) if "likely\u201d: said 87" in plot.readout(i))
    at = plot.mapFromScene(plot.main.getViewBox().mapViewToScene(QPointF(*plot.place(likely))))
    with qtbot.waitSignal(page.shell.go_wanted) as asked:
        qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert asked.args == ["evidence", {"phrase": "likely"}]


def test_what_follows_if_ct_erred_is_worked_out_on_request(qtbot: QtBot, page: ReliabilityPage, texts: Texts) -> None:
    assert "Then the word error" not in texts(page.texts)
    page.texts.what_if.click()
    qtbot.waitUntil(lambda: "Then the word error" in texts(page.texts))
    assert "Undecided: \u201cpresent\u201d" in texts(page.texts)
    page.texts.what_if.click()
    assert "Then the word error" not in texts(page.texts)


def test_every_word_has_its_verdict_in_the_table(page: ReliabilityPage) -> None:
    verdicts = {
        page.model.row(i).phrase: page.model.index(i, PhraseColumn.VERDICT).data() for i in range(page.model.rowCount())
    }
    rates = {r.phrase: r for r in edema(page).phrases}
    assert verdicts["likely"] == f"stronger, {spoken().sure(rates['likely'].probability)} sure"
    assert {word: shown.partition(",")[0] for word, shown in verdicts.items()} == {
        word: rates[word].verdict for word in verdicts
    }
    page.shell.set_selection(Selection("Avery", "fracture"))
    assert {page.model.index(i, PhraseColumn.VERDICT).data() for i in range(2)} == {"too few"}


def test_those_not_confirmed_are_a_click_away(qtbot: QtBot, page: ReliabilityPage) -> None:
    assert not page.not_confirmed.isVisible()
    page.phrases.select_row(page.model.row_of("likely"))
    assert page.not_confirmed.text().replace("&", "") == "Show the 46 not confirmed of \u201clikely\u201d"
    with qtbot.waitSignal(page.shell.go_wanted) as asked:
        page.not_confirmed.click()
    assert asked.args == ["evidence", {"phrase": "likely", "show": "not confirmed"}]


def test_the_words_beside_a_long_button_give_way(qtbot: QtBot, page: ReliabilityPage) -> None:
    page.phrases.select_row(page.model.row_of("likely"))
    room = page.card.parentWidget().minimumSizeHint().width()
    page.hint.setText("Klicken Sie auf eine Formulierung, um die Befunde dahinter zu lesen. " * 3)
    assert page.card.parentWidget().minimumSizeHint().width() == room


def test_a_part_of_the_curve_leads_to_its_findings(qtbot: QtBot, page: ReliabilityPage) -> None:
    assert page.card.plot is not None
    strip = page.card.plot.strip.getViewBox()
    where = page.card.plot.mapFromScene(strip.mapViewToScene(QPointF(0.6, 0.5)))
    with qtbot.waitSignal(page.shell.go_wanted) as asked:
        qtbot.mouseClick(page.card.plot.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert asked.args[0] == "evidence"
    assert asked.args[1]["at"] == pytest.approx(0.6, abs=0.02)


def test_all_pathologies_are_listed_and_open_by_keyboard(qtbot: QtBot, page: ReliabilityPage) -> None:
    page.arrive(tab=1)
    table = page.pathologies.table
    rows = [[table.model.index(r, c).data() for c in (0, 1, 3, 5)] for r in range(table.model.rowCount())]
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), key=int, reverse=True)
    rows.sort()
    assert rows[0][:2] == ["edema", "212"]
    own = page.shell.opened.view(Group("Avery", "edema")).reliability
    assert rows[0][2] == decimal_interval(own.word_error, own.word_error_low, own.word_error_high)
    assert rows[0][3].startswith("Stronger than CT supported: ")
    assert "Undecided: \u201cunlikely\u201d." in rows[0][3]
    assert rows[1][1:] == ["14", "", "14 findings; a curve needs 30."]
    table.select_row([row.record.topic for row in table.model.rows].index("infection"))
    with qtbot.waitSignal(page.shell.choose_wanted) as chosen:
        QTest.keyClick(table.view, Qt.Key.Key_Return)
    assert chosen.args == [Selection("Avery", "infection")]
    assert page.tabs.currentIndex() == 0


def test_all_pathologies_of_some_days_are_measured(qtbot: QtBot, page: ReliabilityPage) -> None:
    page.arrive(tab=1)
    page.shell.set_selection(Selection("Avery", "edema", Days(date(2026, 2, 1), None)))
    qtbot.waitUntil(page.pathologies.content.isVisible)
    assert next(row.record.n for row in page.pathologies.table.model.rows if row.name == "edema") == 188
    assert len(page.pathologies.table.model.rows) == 3


def test_what_no_ct_decided_on_is_bounded(qtbot: QtBot, page: ReliabilityPage) -> None:
    def cells() -> list[str]:
        row = next(r for r in range(view.table.model.rowCount()) if view.table.model.row(r).phrase == "likely")
        return [view.table.model.index(row, c).data() for c in range(view.table.model.columnCount())]

    page.arrive(tab=2)
    view = page.without_ct
    qtbot.waitUntil(lambda: view.table.model.rowCount() == 4)
    assert "269 of 282 X-ray reports had a CT" in view.note.text()
    assert cells()[1:3] == ["104", "87, 84\u00a0% (76\u201390)"]
    assert cells()[3:5] == ["41 of 87, 47\u00a0% (37\u201358)", "47\u00a0% (37\u201358)"]
    assert cells()[5:7] == ["39\u00a0%", "39\u201356\u00a0% (30\u201365\u00a0%)"]
    assert cells()[8] == "stronger"
    asked: list[tuple[object, ...]] = []
    page.shell.go_wanted.connect(lambda *args: asked.append(args))
    view.table.activated.emit(next(i for i, r in enumerate(view.table.model.rows) if r.phrase == "likely"))
    assert asked == [("evidence", {"phrase": "likely"})]
    QTest.keyClick(view.slider, Qt.Key.Key_End)
    assert cells()[5] == "56\u00a0%"
    assert "1 reports without CT have not been read yet" in view.note.text()
    view.read.click()
    qtbot.waitUntil(lambda: "not been read" not in view.note.text())
    chosen = page.shell.selection
    assert chosen is not None
    qtbot.waitUntil(lambda: page.shell.opened is not None and chosen.group in page.shell.opened.verified)
    page.arrive(tab=0)
    shown = [part.text() for part in page.texts.findChildren(QLabel)]
    assert "Of 229 statements, a CT within 12 hours decided on 212 (93\u00a0%)." in shown


def test_a_personal_file_shows_nobody_else(shell: Shell, show_page: Show) -> None:
    assert shell.opened is not None
    shell.session.current = replace(shell.opened, personal="Avery", read_only=True)
    page = show_page(ReliabilityPage, shell)
    assert not page.tabs.isTabVisible(2)
    assert not page.tabs.isTabVisible(3)


def test_every_scheme_is_drawn(page: ReliabilityPage, qapp: QApplication, wear: Callable[[Colours], None]) -> None:
    for tab in (0, 1):
        page.arrive(tab=tab)
        for colours in (DARK, CONTRAST):
            wear(colours)
            assert page.grab().toImage().pixelColor(page.width() // 2, page.height() - 4).isValid()


# --- findings --------------------------------------------------------------------------------------


def test_findings_are_filtered_and_searched(qtbot: QtBot, findings: EvidencePage, department: Department) -> None:
    assert "CT confirmed 41 of 87" in findings.sentence.text()
    texts = [findings.filter.itemText(i) for i in range(findings.filter.count())]
    assert texts[:3] == ["All (87)", "Confirmed (41)", "Not confirmed (46)"]
    qtbot.keyClicks(findings.list.search, "smooth septal")
    qtbot.waitUntil(lambda: findings.list.proxy.rowCount() == 41)
    findings.list.search.clear()
    department.save_settings(department.settings.changed(silence_absent=("edema",)))
    findings.shell.reload()
    qtbot.waitUntil(lambda: findings.model.rowCount() == 91)
    findings.filter.setCurrentIndex(3)
    assert findings.model.rowCount() == 4
    said = findings.model.index(0, FindingColumn.CT).data()
    assert said == "CT mentions no edema; counted as absent, because the department has set it so."


def test_the_words_of_a_part_of_the_curve_are_named(qtbot: QtBot, findings: EvidencePage) -> None:
    findings.arrive(at=0.6)
    qtbot.waitUntil(lambda: findings.shell.tasks.is_idle)
    assert findings.shell.messages.shown() == ()
    assert findings.model.rowCount() == 147
    assert findings.title.text() == "Avery \u2013 edema, at 60\u00a0%"
    assert "\u201clikely\u201d (54\u00a0%) and \u201cmay represent\u201d (46\u00a0%)" in findings.sentence.text()


def test_a_finding_is_contested_with_the_keyboard_and_undone(
    qtbot: QtBot, findings: EvidencePage, department: Department
) -> None:
    findings.list.select_row(4)
    wanted = findings.model.row(4)
    QTest.keyClick(findings.table, Qt.Key.Key_C)
    dialog = next(d for d in findings.findChildren(QInputDialog) if d.isVisible())
    dialog.setTextValue("an old fracture")
    dialog.accept()
    qtbot.waitUntil(lambda: findings.model.row(4).contest == "an old fracture")
    (contest,) = department.contests.all()
    assert (contest.xray_id, contest.topic, contest.note) == (wanted.xray_id, "edema", "an old fracture")
    assert findings.model.index(4, FindingColumn.CONTEST).data() == "contested, counted"
    assert findings.contest.text() == "Take the &contest back"
    assert "still count" in findings.note.text()
    findings.undo_stack.undo()
    qtbot.waitUntil(lambda: not department.contests.all())
    findings.undo_stack.redo()
    qtbot.waitUntil(lambda: len(department.contests.all()) == 1)
    findings.arrive(contested=True)
    qtbot.waitUntil(lambda: findings.title.text() == "Contested findings")
    assert findings.model.rowCount() == 1
    assert not findings.table.isColumnHidden(FindingColumn.AUTHOR)


@pytest.mark.parametrize("changed", [{"read_only": True}, {"personal": "Avery", "read_only": True}])
def test_who_may_not_contest_is_told_why(qtbot: QtBot, shell: Shell, show_page: Show, changed: dict[str, Any]) -> None:
    assert shell.opened is not None
    shell.session.current = replace(shell.opened, **changed)
    page = show_page(EvidencePage, shell)
    page.arrive(phrase="likely")
    qtbot.waitUntil(lambda: page.model.rowCount() == 87)
    assert not page.contest.isEnabled()
    assert page.contest.toolTip()
    QTest.keyClick(page.table, Qt.Key.Key_C)
    assert not any(d.isVisible() for d in page.findChildren(QInputDialog))


def test_findings_of_a_group_no_longer_chosen_are_left(qtbot: QtBot, findings: EvidencePage) -> None:
    with qtbot.waitSignal(findings.shell.go_wanted) as asked:
        findings.shell.set_selection(Selection("Brooks", "edema"))
    assert asked.args[0] == "reliability"


def test_results_made_anew_list_the_findings_anew(
    qtbot: QtBot, findings: EvidencePage, department: Department, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = counted(monkeypatch, department.groups, "evidence")
    findings.shell.opened_changed.emit(findings.shell.opened)
    qtbot.waitUntil(lambda: len(listed) == 1)
    qtbot.waitUntil(lambda: findings.model.rowCount() == 87)


def test_the_key_takes_the_lines_that_it_needs(qtbot: QtBot) -> None:
    key = DiagramKey()
    qtbot.addWidget(key)
    assert {place.top() for place in key.places(2000)} == {0}
    for width in (120, 200, 300):
        places = key.places(width)
        assert len({place.top() for place in places}) > 1
        assert key.heightForWidth(width) == places[-1].bottom() + 1
        assert all(not a.intersects(b) for a, b in itertools.combinations(places, 2))


# --- dates without findings ------------------------------------------------------------------------

NEVER = Selection("Avery", "edema", Days(date(2031, 2, 1), date(2031, 2, 28)))


def _take_the_way_out(page: Any, button: QPushButton) -> None:
    """Press the button as the window would have it: its selector bar makes the choice."""
    button.setFocus()
    page.shell.choose_wanted.connect(page.shell.set_selection)
    button.click()


def test_dates_without_findings_are_said_plainly_and_left_by_a_button(qtbot: QtBot, page: ReliabilityPage) -> None:
    page.shell.set_selection(NEVER)
    qtbot.waitUntil(page.nothing.isVisible)
    text = page.nothing.text.text()
    assert text == (
        "Avery has no findings on edema on the chosen dates: 2/1/31 \u2013 2/28/31.\nOn all dates together: 212."
    )
    assert page.tabs.isVisible()  # other pathologies may have findings on these dates
    assert not page.table.isVisible()
    QGuiApplication.clipboard().clear()
    page.card.copy()  # nothing of other dates as if it were of these
    assert QGuiApplication.clipboard().image().isNull()
    _take_the_way_out(page, page.nothing.button)
    assert page.shell.selection == EDEMA
    qtbot.waitUntil(page.table.isVisible)
    assert "212 findings" in page.meta.text()
    assert page.window().focusWidget() is page.table
    page.shell.set_selection(replace(NEVER, days=Days(date(2026, 2, 1), date(2026, 6, 30))))
    qtbot.waitUntil(lambda: "119 findings" in page.meta.text())
    assert page.table.isVisible()


def test_findings_of_dates_without_any_are_said_and_listed_of_all_dates(
    qtbot: QtBot, shell: Shell, show_page: Show
) -> None:
    page: EvidencePage = show_page(EvidencePage, shell)
    page.shell.set_selection(NEVER)
    page.arrive(phrase="likely")
    qtbot.waitUntil(lambda: page.is_empty)
    assert page.empty_text == (
        "There are no findings worded \u201clikely\u201d on the chosen dates: 2/1/31 \u2013 2/28/31.\n"
        "On all dates together: 87."
    )
    went: list[str] = []
    page.shell.go_wanted.connect(lambda stage, _where: went.append(stage))
    _take_the_way_out(page, page.empty_button)
    qtbot.waitUntil(lambda: page.model.rowCount() == 87)
    assert not page.is_empty
    assert went == []  # it stays where it was


def test_rates_stand_with_and_without_reading_errors(qtbot: QtBot, page: ReliabilityPage, texts: Texts) -> None:
    assert page.table.isColumnHidden(PhraseColumn.READ)
    opened, r = page.shell.opened, edema(page)
    assert opened is not None
    rates = tuple(p._replace(read_rate=0.5, read_low=0.25, read_high=0.75) for p in r.phrases)
    read = {"read_word_error": 0.2, "read_word_error_low": 0.1, "read_word_error_high": 0.3}
    carried = replace(r, phrases=rates, **read, plain_p_value_word=0.001, p_value_word=0.2, q_value_word=0.2)
    told = replace(opened, reading_errors="Errors of reading are carried on.")
    words = judged_group(carried, None, opened.phrases, opened.min_phrase_n)
    page._show_view(told, EDEMA.group, replace(opened.groups[EDEMA.group], reliability=carried, judged=words), "")
    assert not page.table.isColumnHidden(PhraseColumn.READ)
    assert page.model.index(0, PhraseColumn.READ).data() == "50\N{NO-BREAK SPACE}% (25\u201375)"
    assert "With reading errors: 50" in page.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    qtbot.waitUntil(lambda: texts(page.texts) != "")
    said = texts(page.texts)
    assert "With reading errors 0.20 (0.10\u20130.30)." in said
    assert "allowing for reading errors and the number of tests" in said
    assert said.index("The published measures") < said.index("With reading errors 0.20")
    assert "Errors of reading are carried on." in said
