"""The page that compares radiologists: pseudonyms, pictures, dates of feedback, and what it says of too little data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QDate, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from radcal.department import Department
from radcal.reliability.comparison_records import Comparison, LyingApart, Member, Others, Trend
from radcal.reliability.comparisons import Comparisons
from radcal.reliability.records import Part, PhraseRate
from radcal.system import coarse
from radcal.system.intervals import of_cell
from radcal.system.selection import Days, Selection
from radcal.system.settings import ALL_TOPICS, Settings
from ui.kit.column import EXPORT, SORT, with_ends
from ui.kit.picture import PictureView
from ui.pages.compare.models import ComparedTableModel, RadiologistColumn
from ui.pages.compare.page import APART, FOREST, TABLE, TIME, ComparePage, sentences
from ui.plots.figures import signed
from ui.shell import Shell
from ui.widgets.messages import Message

AUTHORS = ("Birch, Ada", "Elm, Bo", "Fir, Cy", "Oak, Di", "Yew, Ed")
ALIASES = dict(zip(AUTHORS, ("Kim", "Jayden", "Marlowe", "Robin", "Hayden"), strict=True))
SEED = 6
"""Under which they have these pseudonyms."""
Show = Callable[..., ComparePage]


def _pairs() -> Iterator[tuple[str, str, str, datetime]]:
    """Reports on edema by five radiologists, one of whom is hardly ever confirmed, and three of a mass."""
    rng = np.random.default_rng(0)
    said = {"likely": "Likely edema.", "may represent": "Findings may represent edema.", "present": "There is edema."}
    for i, author in enumerate(AUTHORS):
        n = 100 + 10 * i
        words = np.resize(["likely", "may represent", "likely", "present", "likely"], n)
        rate = 0.1 if author == "Yew, Ed" else 0.8
        there = rng.random(n) < np.where(words == "may represent", 0.5, rate)
        for word, yes, day in zip(words, there, rng.integers(0, 240, n), strict=True):
            ct = "There is edema." if yes else "No edema."
            yield author, said[word], ct, datetime(2026, 1, 1, 8, 30) + timedelta(days=int(day))
    yield from [(AUTHORS[0], "Likely lung mass.", "There is a lung mass.", datetime(2026, 3, 1, 8, 30))] * 3


@pytest.fixture(scope="module")
def original(prepare: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of the five radiologists."""
    settings = Settings(bootstrap=40, min_group_n=20, min_phrase_n=8)
    return prepare(tmp_path_factory.mktemp("five") / "five.radcal", settings, pairs=_pairs(), seed=SEED)


@pytest.fixture
def show(qtbot: QtBot, shell: Shell) -> Show:
    """Turns to the page with a pathology chosen, and waits for what it shows."""

    def make(topic: str = "edema", tab: int = FOREST) -> ComparePage:
        page = ComparePage(shell)
        qtbot.addWidget(page)
        page.begin()
        page.tabs.setCurrentIndex(tab)
        page.resize(1100, 700)
        page.show()
        shell.set_selection(Selection("Avery", topic))
        page.arrive()
        settle(page, qtbot)
        return page

    return make


def settle(page: ComparePage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)


def choose(page: ComparePage, qtbot: QtBot, phrase: str) -> None:
    page.words.setCurrentIndex(page.words.findData(phrase))
    settle(page, qtbot)


def names(page: ComparePage) -> list[str]:
    return [page.model.index(r, RadiologistColumn.NAME).data() for r in range(page.model.rowCount())]


def header(page: ComparePage, column: RadiologistColumn) -> str:
    return str(page.model.headerData(column, Qt.Orientation.Horizontal))


# --- the main story --------------------------------------------------------------------------------


def test_radiologists_stand_side_by_side_under_pseudonyms(show: Show) -> None:
    page = show()
    assert page.title.text() == "Compare \u2013 edema"
    assert "One of 5 radiologists lies apart: CT confirmed a word at least 5 points" in page.sentence.text()
    assert names(page) == sorted(ALIASES.values())
    plot = page.forest.plot
    assert plot.isVisible()
    assert page.forest.about.text().startswith("Hayden: \u201c")
    assert "was confirmed less often: " in page.forest.about.text()
    for row in range(5):
        text = plot.readout(row)
        assert not any(author in text for author in AUTHORS)
        assert "word error" in text
        assert "n = " not in text.split(":")[0]
    assert "luck alone" in page.forest.key.accessibleName()


def test_a_phrase_is_compared_by_its_rate(show: Show, qtbot: QtBot) -> None:
    page = show()
    assert page.words.itemText(0).startswith("all that was hedged")
    choose(page, qtbot, "likely")
    assert header(page, RadiologistColumn.VALUE) == "rate, 95\u00a0%"
    assert "readers take it as 75\u201390" in page.forest.plot.readout(0)
    assert "confirmed" in page.forest.plot.readout(0)
    assert "was confirmed less often" in page.forest.about.text()
    assert "All together: " in page.forest.about.text()
    assert "all together; 95\u00a0% of the true rates" in page.forest.key.accessibleName()
    members = {row.name: row.member for row in page.model.rows}
    hayden, rest = members.pop("Hayden"), members.values()
    assert (hayden.others.n, hayden.others.value * hayden.others.n) == pytest.approx(
        (sum(m.n for m in rest), sum(m.positives for m in rest))
    )
    row = names(page).index("Hayden")
    assert f"n = {hayden.others.n:.0f}" in page.model.index(row, RadiologistColumn.OTHERS).data()
    assert page.model.index(row, RadiologistColumn.APART).data().startswith("yes (>99")


def test_all_words_that_lie_apart_are_listed_the_surest_first(show: Show, qtbot: QtBot) -> None:
    page = show(tab=APART)
    tab = page.apart
    assert tab.note.text().startswith(f"{tab.table.model.rowCount()} words lie apart, each of one radiologist")
    assert not page.sentence.isVisible()
    rows = [[tab.table.model.index(r, c).data() for c in range(7)] for r in range(tab.table.model.rowCount())]
    assert {row[0] for row in rows} <= set(ALIASES.values())
    assert ["Hayden", "edema", "\u201clikely\u201d"] in [row[:3] for row in rows]
    told = {row[6].split(",")[0] for row in rows if row[0] == "Hayden"}
    assert told >= {"confirmed less often than with the others", "confirmed less often than readers take it to mean"}
    sure = [tab.table.model.row(r).found.probability for r in range(len(rows))]
    assert sure == sorted(sure, reverse=True)
    assert min(sure) >= 0.95
    assert tab.table.why_kept
    chosen: list[Selection] = []
    page.shell.choose_wanted.connect(chosen.append)
    tab.table.activated.emit(0)
    found = tab.table.model.row(0).found
    assert chosen == [Selection(found.name, found.topic)]
    page.names.setChecked(True)
    assert not tab.table.why_kept
    assert tab.table.model.index(0, 0).data() == found.name


def test_statements_say_how_many_of_them_are_expected_to_be_false() -> None:
    rate = PhraseRate("likely", 60, 12, 0.2, 0.1, 0.3, 0.82, 0.75, 0.9, "stronger", 0.99)
    part = Part("Elm, Bo", 60, 0.97, True, "likely", 60, 12, 90, 70)
    found = (LyingApart("Elm, Bo", "Kai", "edema", rate, 0.99), LyingApart("Elm, Bo", "Kai", "edema", rate, 0.97, part))
    assert "About 2\u00a0% of these statements are expected to be false." in sentences.about_apart(found)
    assert sentences.about_apart(()).startswith("No word of a radiologist is shown to lie apart")


def test_names_are_shown_on_request_and_forgotten_with_the_page(show: Show, qtbot: QtBot) -> None:
    page = show()
    page.names.setFocus()
    qtbot.keyClick(page.names, Qt.Key.Key_Space)
    assert names(page) == sorted(AUTHORS)
    assert page.over.who.findText("Elm, Bo") > 0
    page.leave()
    page.arrive()
    settle(page, qtbot)
    assert names(page) == sorted(ALIASES.values())
    assert page.over.who.findText("Elm, Bo") < 0


def test_nobody_is_ranked(show: Show) -> None:
    page = show(tab=TABLE)
    assert [page.order.itemData(i) for i in range(page.order.count())] == ["name", "n"]
    page.order.setCurrentIndex(1)
    counts = [page.model.index(r, RadiologistColumn.N).data(SORT) for r in range(5)]
    assert counts == sorted(counts, reverse=True)
    page.order.setCurrentIndex(0)
    for column in set(RadiologistColumn) - {RadiologistColumn.N}:
        page.table.proxy.setSortRole(SORT)
        page.table.proxy.sort(column)
        shown = [page.table.proxy.index(r, RadiologistColumn.NAME).data() for r in range(5)]
        assert shown == sorted(ALIASES.values()), column.name
        header = page.model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert column is RadiologistColumn.NAME or "never by their values" in header


def test_another_pathology_or_other_days_are_compared_when_the_page_is_seen(
    show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = show()
    asked: list[Any] = []
    compare = Comparisons.compare
    monkeypatch.setattr(Comparisons, "compare", lambda *args, **rest: asked.append(args) or compare(*args, **rest))
    before = page.sentence.text()
    page.shell.set_selection(Selection("Brooks", "edema", Days(date(2026, 1, 1), date(2026, 2, 1))))
    settle(page, qtbot)
    assert page.sentence.text() != before
    page.leave()
    asked.clear()
    page.shell.set_selection(Selection("Brooks", "mass"))
    settle(page, qtbot)
    assert asked == [], "a page out of sight asks for nothing"
    page.arrive()
    settle(page, qtbot)
    assert page.title.text() == "Compare \u2013 mass"


def test_changes_with_feedback_are_shown_kept_and_undone(show: Show, qtbot: QtBot, department: Department) -> None:
    page = show(tab=TIME)
    assert "Say when feedback was given" in page.time.about.text()
    choose(page, qtbot, "likely")
    assert page.dates.day.date() == QDate(2026, 4, 1), "a day in the middle is offered"
    page.dates.given.setChecked(True)
    page.dates.day.setDate(QDate(2026, 5, 1))
    settle(page, qtbot)
    assert department.comparison.feedback_dates() == {"": date(2026, 5, 1)}
    assert page.time.about.text().startswith("Before ")
    assert "points (" in page.time.about.text()
    assert "all before and all after" in page.time.key.accessibleName()
    page.over.who.setCurrentIndex(page.over.who.findText("Jayden"))
    settle(page, qtbot)
    assert page.dates.given.isChecked(), "the date of all holds for each"
    page.dates.given.click()
    settle(page, qtbot)
    assert department.comparison.feedback_dates() == {"": date(2026, 5, 1), "Elm, Bo": None}
    assert "Say when" in page.time.about.text()
    while page.undo_stack.canUndo():
        page.undo_stack.undo()
    settle(page, qtbot)
    assert department.comparison.feedback_dates() == {}
    page.undo_stack.redo()
    page.undo_stack.redo()
    settle(page, qtbot)
    assert department.comparison.feedback_dates() == {"": date(2026, 5, 1)}
    page.over.unit.setCurrentIndex(1)
    settle(page, qtbot)
    assert page.time.plot.count == 8
    assert page.time.plot.readout(0).startswith("Jan 2026: ")


def test_without_any_value_over_time_there_is_a_text_and_no_picture(show: Show, qtbot: QtBot) -> None:
    page = show(tab=TIME)
    few = [replace(p, value=None, low=None, high=None, luck=None) for p in page.trend.periods]
    page.trend = replace(page.trend, periods=tuple(few), before=None, after=None)
    page._show_trend()
    assert page.time.text.isVisible()
    assert "No period has enough data by itself" in page.time.text.text()
    assert not page.time.key.isVisible()
    assert page.time.plot is None or not page.time.plot.isVisible()


def test_the_pointer_reads_the_numbers(show: Show, qtbot: QtBot) -> None:
    page = show()
    choose(page, qtbot, "likely")

    def read(tab: PictureView[Any], x: float, y: float, text: str) -> None:
        def is_read() -> bool:
            place = tab.plot.mapFromScene(tab.plot.main.getViewBox().mapViewToScene(QPointF(x, y)))
            qtbot.mouseMove(tab.plot.viewport(), QPoint(1, 1))
            qtbot.mouseMove(tab.plot.viewport(), place)
            return tab.readout.text().startswith(text)

        qtbot.waitUntil(is_read)  # once the plot is laid out

    read(page.forest, 0.5, 0.0, "Hayden: confirmed")
    qtbot.mouseMove(page.forest.plot.viewport(), QPoint(1, 1))
    assert page.forest.readout.text() == "Point at the picture, or use the arrow keys on it, to read its numbers."
    page.tabs.setCurrentIndex(TIME)
    settle(page, qtbot)
    read(page.time, date(2026, 2, 1).toordinal(), 0.5, "Q1 2026: ")


def test_controls_that_do_not_fit_stand_below_each_other(show: Show, qtbot: QtBot) -> None:
    page = show(tab=TIME)

    def day_is_below() -> bool:
        who, day = (widget.mapTo(page, QPoint()).y() for widget in (page.over.who, page.dates.day))
        return day > who + page.over.who.height() // 2

    assert not day_is_below()
    page.resize(560, 700)
    qtbot.waitUntil(day_is_below)
    assert page.tabs.currentWidget().horizontalScrollBar().maximum() == 0
    page.resize(1100, 700)
    qtbot.waitUntil(lambda: not day_is_below())


def test_intervals_name_the_coverage_that_was_set(show: Show, qtbot: QtBot, department: Department) -> None:
    department.save_settings(department.settings.changed(confidence=0.8))
    page = show()
    assert header(page, RadiologistColumn.VALUE) == "word error, 80\u00a0%"
    assert "word error, 80\u00a0%" in page.forest.key.accessibleName()
    choose(page, qtbot, "likely")
    assert "80\u00a0% of radiologists" in page.forest.about.text()


# --- what is missing -------------------------------------------------------------------------------


def test_too_little_is_an_ordinary_state(show: Show, qtbot: QtBot) -> None:
    page = show(topic="mass")
    wanted = (
        "No radiologist has enough findings; a comparison needs two, with 60 hedged findings each. Choose all "
        "pathologies together, or a single word beside Words."
    )
    assert page.sentence.text() == page.forest.text.text() == wanted
    chosen: list[Selection] = []
    page.shell.choose_wanted.connect(chosen.append)
    page.together.click()
    assert [selection.topic for selection in chosen] == [ALL_TOPICS]
    choose(page, qtbot, "likely")
    assert not page.together.isVisible()
    assert page.sentence.text() == "One radiologist used \u201clikely\u201d; a comparison needs two."
    assert "not enough data" in page.time.text.text() or page.time.plot is None


def test_without_any_hedge_it_says_so() -> None:
    nobody = Comparison("edema", "", (), (), reason="radiologists")
    assert sentences.headline(nobody, 30) == "Nobody hedged here. Choose another pathology, or a phrase beside Words."
    assert "\u201clikely\u201d" in sentences.headline(replace(nobody, phrase="likely"), 30)


def test_whose_words_differ_is_told_first_and_then_who_lies_apart() -> None:
    """Radiologists who all overstate alike differ from what words mean, and do not lie apart from each other."""
    members = tuple(
        Member(f"r{i}", f"R{i}", 100.0, None, 0.25, 0.2, 0.3, differs=differs, part=Part(f"r{i}", 9, 0.4, False))
        for i, differs in enumerate((True, True, False))
    )
    compared = Comparison("edema", "", members, ())
    assert sentences.headline(compared, 30).startswith(
        "2 of 3 radiologists have hedged words that were stronger or weaker than CT supported. None of 3 radiologists "
        "is shown to lie apart from the others."
    )
    alike = replace(compared, members=members[2:] * 2)
    assert sentences.headline(alike, 30).startswith("No hedged word of 2 radiologists clearly differs")
    untold = replace(compared, members=tuple(replace(m, part=None) for m in members))
    assert sentences.headline(untold, 30).endswith("often enough to be compared.")


def test_without_findings_it_says_why(shell: Shell, qtbot: QtBot) -> None:
    assert shell.opened is not None
    shell.session.current = replace(shell.opened, groups={}, reason="There are no pairs.")
    page = ComparePage(shell)
    qtbot.addWidget(page)
    page.begin()
    assert page.empty_text == "There are no pairs."
    settle(page, qtbot)


def test_dates_without_findings_are_left_by_a_button(show: Show, qtbot: QtBot) -> None:
    page = show()
    assert page.shell.opened is not None
    n = sum(view.reliability.n for group, view in page.shell.opened.groups.items() if group.topic == "edema")
    page.shell.set_selection(Selection("Avery", "edema", Days(last=date(2001, 2, 1))))
    settle(page, qtbot)
    assert page.empty_text == (
        f"Nobody has findings on edema on the chosen dates: until 2/1/01.\nOn all dates together: {n:,.0f}."
    )
    page.shell.choose_wanted.connect(page.shell.set_selection)
    page.empty_button.click()
    settle(page, qtbot)
    assert not page.is_empty
    assert page.model.rowCount() > 0


def test_a_failure_is_told_in_place(show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    page = show()
    page.shell.set_selection(Selection("Avery", "hernia"))
    settle(page, qtbot)
    assert page.sentence.text().startswith("Nothing was said about hernia in these days.")
    assert page.model.rowCount() == 0

    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("Likely edema in bed 7.")

    monkeypatch.setattr(Comparisons, "trend", fail)
    page.tabs.setCurrentIndex(TIME)
    page.shell.set_selection(Selection("Avery", "edema"))
    settle(page, qtbot)
    assert page.shell.messages.shown() == (Message.BUG,)
    assert "bed 7" not in page.shell.messages.text(Message.BUG)


def test_what_failed_is_asked_for_again_on_the_next_visit(
    show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = show(tab=TIME)
    with monkeypatch.context() as broken:
        for name in ("compare", "trend"):
            broken.setattr(Comparisons, name, lambda *_, **__: (_ for _ in ()).throw(ZeroDivisionError))
        page.shell.set_selection(Selection("Avery", ALL_TOPICS))
        settle(page, qtbot)
    assert page.shell.messages.shown() == (Message.BUG,)
    assert page.model.rowCount() == 0
    assert page.sentence.text() == ""
    page.leave()
    page.arrive()
    settle(page, qtbot)
    assert page.model.rowCount() == 5
    assert page.trend.topic == ALL_TOPICS


def test_a_trend_under_pseudonyms_stays_on_the_screen_without_a_comparison(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Comparisons, "compare", lambda *_, **__: (_ for _ in ()).throw(ZeroDivisionError))
    page = show(tab=TIME)
    assert page.compared is None
    assert page.time.card.isVisible()
    assert not page.time.card.more.isEnabled()


def test_names_do_not_outlast_the_file(show: Show, qtbot: QtBot) -> None:
    page = show()
    opened = page.shell.opened
    page.names.setChecked(True)
    page.show_department(replace(opened, n_pairs=1))
    assert page.names.isChecked(), "new results of the same file"
    settle(page, qtbot)
    page.show_department(None)
    assert not page.names.isChecked()
    assert page.model.rowCount() == 0
    assert page.forest.text.text() == "Comparing\u2026"
    page.show_department(opened)
    settle(page, qtbot)
    assert names(page) == sorted(ALIASES.values())


def test_what_is_open_to_read_only_keeps_no_dates(make_shell: Callable[..., Shell], qtbot: QtBot, chest: Path) -> None:
    shell = make_shell(chest, read_only=True)
    page = ComparePage(shell)
    qtbot.addWidget(page)
    page.begin()
    settle(page, qtbot)
    assert not page.dates.given.isEnabled()
    assert not page.dates.day.isEnabled()
    assert "read only" in page.dates.given.toolTip()


# --- parts -----------------------------------------------------------------------------------------

MEMBERS = (
    Member(
        *("Elm, Bo", "Kai", 60, 30, 0.5, 0.37, 0.63),
        part=Part("Elm, Bo", 60, 0.62, False),
        others=Others(90, 0.6, 0.5, 0.7),
    ),
    Member("Fir, Cy", "Blair", 4, None, None, None, None, reason="hedges"),
)


def test_model_keeps_the_rules() -> None:
    model = ComparedTableModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_members(MEMBERS, ("Kai", "Blair"), score=False)
    cells = [model.index(0, c).data() for c in RadiologistColumn]
    others = ["not shown (62\u00a0%)", "60\u00a0% (50\u201370), n = 90"]
    assert cells == ["Kai", "60", "30", "50\u00a0% (37\u201363)", *others]
    few = ["not enough data"] * 2
    assert [model.index(1, c).data() for c in RadiologistColumn] == ["Blair", "4", "", *few, ""]
    assert "hedged" in model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert model.data(model.index(0, RadiologistColumn.VALUE), EXPORT) == (0.5, 0.37, 0.63)
    assert model.data(model.index(0, RadiologistColumn.OTHERS), EXPORT) == (0.6, 0.5, 0.7)
    assert model.data(model.index(1, RadiologistColumn.OTHERS), EXPORT) == ("", "", "")
    assert len(model.headerData(RadiologistColumn.VALUE, Qt.Orientation.Horizontal, EXPORT)) == 3
    assert model.data(QModelIndex()) is None
    assert model.headerData(99, Qt.Orientation.Horizontal) is None
    model.show_members((), (), score=True)
    assert model.rowCount() == 0
    del tester


@pytest.mark.parametrize(
    ("value", "text"), [(0.043, "+0.04"), (-0.043, "\u22120.04"), (0.001, "0.00"), (-0.001, "0.00")]
)
def test_differences_have_their_sign(value: float, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize("reason", ["times", "date", "before", "after"])
def test_every_reason_has_its_words(reason: Any) -> None:
    from radcal.reliability.comparison_records import Period

    side = Period(date(2026, 1, 1), date(2026, 2, 1), 3.0, reason="statements")
    trend = Trend("edema", "", "", "month", (), before=side, after=side, undated=2, fewest=10, reason=reason)
    text = sentences.about_trend(trend, 30)
    assert text
    assert (reason in ("before", "after")) == ("each side needs 30 findings, 10 of them hedged" in text)
    more = sentences.about_trend(replace(trend, fewest=60), 30)
    assert (reason in ("before", "after")) == ("each side needs 60 hedged findings" in more)


def test_the_window_turns_to_it_by_keyboard(open_window: Callable[..., Any], chest: Path, qtbot: QtBot) -> None:
    window = open_window(chest)
    window.shell.choose(Selection(AUTHORS[0], "edema"))
    window.shell.go("compare")
    page = window.pages.currentWidget()
    assert isinstance(page, ComparePage)
    qtbot.waitUntil(lambda: page.model.rowCount() > 0)
    assert names(page) == sorted(ALIASES.values())
    page.words.setFocus()
    qtbot.keyClick(page.words, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.words.currentData() != "" and window.tasks.is_idle)
    assert header(page, RadiologistColumn.VALUE).startswith("rate")
    window.shell.go("settings")
    assert page.names.isChecked() is False


def test_a_row_leads_to_its_findings(show: Show, qtbot: QtBot) -> None:
    page = show()
    went: list[tuple[str, dict[str, object]]] = []
    chosen: list[Selection] = []
    page.shell.go_wanted.connect(lambda stage, where: went.append((stage, where)))
    page.shell.choose_wanted.connect(chosen.append)
    name = page.model.row(0).member.name
    page.table.activated.emit(0)
    assert (went.pop(), chosen.pop()) == (("reliability", {}), Selection(name, "edema"))
    choose(page, qtbot, "likely")
    page.table.activated.emit(0)
    assert (went.pop(), chosen.pop()) == (("evidence", {"phrase": "likely"}), Selection(name, "edema"))


def test_what_leaves_under_pseudonyms_has_nobody_s_exact_figures(show: Show, qtbot: QtBot) -> None:
    page = show()
    page.tabs.setCurrentIndex(TABLE)
    page.order.setCurrentIndex(page.order.findData("n"))
    shown = page.model.row(0).member
    saved: list[list[Any]] = []
    page.table._files = SimpleNamespace(
        save_file=lambda _title, _name, _kinds, make: saved.append(make.args[0]), copied=lambda *_, **__: None
    )
    page.table.ask_export()
    page.table.copy()
    header, *rows = saved[0]
    assert [row[0] for row in rows] == sorted(ALIASES.values())
    row = next(row for row in rows if row[0] == shown.alias)
    assert row[1] == coarse.range_of(shown.n)
    value = header.index(next(name for name in header if name.startswith("word error")))
    assert row[value] == coarse.rounded(shown.value)
    assert tuple(row[value + 1 : value + 3]) == coarse.outward(shown.low, shown.high)
    copied = QGuiApplication.clipboard().text()
    assert coarse.range_of(shown.n) in copied
    assert f"\t{shown.n:.0f}\t" not in copied
    page.tabs.setCurrentIndex(FOREST)
    assert page.forest.card is not None
    assert not page.forest.card.more.isEnabled()
    assert "can be recognised" in page.forest.card.more.toolTip()
    assert "exact numbers" in page.warning.text()
    assert page.warning.isVisible()
    page.tabs.setCurrentIndex(TIME)
    settle(page, qtbot)
    assert page.time.card is not None
    assert not page.time.card.more.isEnabled()
    page.tabs.setCurrentIndex(FOREST)
    page.names.setChecked(True)
    assert not page.warning.isVisible()
    assert page.time.card.more.isEnabled()
    assert page.forest.card.more.isEnabled()
    assert shown.n in [row[1] for row in page.table._exported(range(5))[1:]]


def test_a_phrase_leaves_with_the_rate_of_its_cell_and_nothing_of_others(show: Show, qtbot: QtBot) -> None:
    page = show()
    choose(page, qtbot, "likely")
    header, *rows = page.table._exported(range(5))
    assert header == ["radiologist", "n", *with_ends("rate, 95\u00a0%")]
    for row in rows:
        m = next(page.model.row(k).member for k in range(5) if page.model.row(k).member.alias == row[0])
        made = coarse.cell(m.n, m.positives)
        assert made is not None
        assert row[1:] == [coarse.range_of(m.n), made.rate, *of_cell(made, 0.95)]


def test_the_page_opens_on_a_word_where_few_were_hedged_and_what_is_chosen_stays(show: Show, qtbot: QtBot) -> None:
    page = show()
    assert page.words.currentData() == "", "enough was hedged"
    few = Selection("Brooks", "edema", Days(date(2026, 1, 1), date(2026, 2, 1)))
    page.shell.set_selection(few)
    settle(page, qtbot)
    assert page.words.currentData() == "likely", "what most of them have used"
    assert page.compared is not None
    assert sum(m.value is not None for m in page.compared.members) == len(AUTHORS)
    assert not page.forest.text.isVisible()
    choose(page, qtbot, "")
    assert page.words.currentData() == ""
    assert page.forest.text.isVisible()
    page.shell.set_selection(replace(few, topic="mass"))
    settle(page, qtbot)
    assert page.words.currentData() == ""
