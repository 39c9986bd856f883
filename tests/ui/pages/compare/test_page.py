"""The page that compares radiologists: pseudonyms, pictures, dates of feedback, and what it says of too little data."""

from __future__ import annotations

import gc
import shutil
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QDate, QEvent, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from radcal.errors import DataError
from radcal.records import Days, Selection
from radcal.records.comparison import Comparison, Member, Others, Trend
from radcal.settings import Settings
from radcal.workflow import Department
from radcal.workflow.results.comparison import Comparisons
from ui.pages.compare.models import ComparedTableModel, RadiologistColumn
from ui.pages.compare.page import FOREST, FUNNEL, TABLE, TIME, ComparePage, sentences
from ui.plots.figures import signed
from ui.shell import Shell
from ui.theme import DARK, LIGHT
from ui.widgets.messages import Message
from ui.widgets.tables import EXPORT, SORT

AUTHORS = ("Birch, Ada", "Elm, Bo", "Fir, Cy", "Oak, Di", "Yew, Ed")
ALIASES = dict(zip(AUTHORS, ("Kim", "Jayden", "Marlowe", "Robin", "Hayden"), strict=True))
SEED = 6
"""Under which they have these pseudonyms."""
Page = tuple[ComparePage, Shell]


def _pairs() -> Iterator[tuple[str, str, str, datetime]]:
    """Reports on edema by five radiologists, one of whom is hardly ever confirmed, and three of a mass."""
    rng = np.random.default_rng(0)
    said = {"likely": "Likely edema.", "may represent": "Findings may represent edema.", "present": "There is edema."}
    for i, author in enumerate(AUTHORS):
        n = 40 + 10 * i
        words = np.resize(["likely", "may represent", "likely", "present", "likely"], n)
        rate = 0.1 if author == "Yew, Ed" else 0.8
        there = rng.random(n) < np.where(words == "may represent", 0.5, rate)
        for word, yes, day in zip(words, there, rng.integers(0, 240, n), strict=True):
            ct = "There is edema." if yes else "No edema."
            yield author, said[word], ct, datetime(2026, 1, 1, 8, 30) + timedelta(days=int(day))
    yield from [(AUTHORS[0], "Likely lung mass.", "There is a lung mass.", datetime(2026, 3, 1, 8, 30))] * 3


@pytest.fixture(scope="module")
def five(prepare: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of the five radiologists."""
    settings = Settings(bootstrap=40, advice_fits=2, min_group_n=20, min_phrase_n=8)
    return prepare(tmp_path_factory.mktemp("five") / "five.radcal", settings, pairs=_pairs(), seed=SEED)


@pytest.fixture
def chest(five: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(five, tmp_path / "chest.radcal"))


@pytest.fixture
def show(qtbot: QtBot, shell: Shell) -> Callable[..., Page]:
    """Turns to the page with a pathology chosen, and waits for what it shows."""

    def make(topic: str = "edema", tab: int = FOREST) -> Page:
        page = ComparePage(shell)
        qtbot.addWidget(page)
        page.begin()
        page.tabs.setCurrentIndex(tab)
        page.resize(1100, 700)
        page.show()
        shell.set_selection(Selection("Avery", topic))
        page.arrive()
        settle(qtbot, shell)
        return page, shell

    return make


def settle(qtbot: QtBot, shell: Shell) -> None:
    qtbot.waitUntil(lambda: not shell.tasks._tasks)


def choose(page: ComparePage, qtbot: QtBot, phrase: str) -> None:
    page.words.setCurrentIndex(page.words.findData(phrase))
    settle(qtbot, page.shell)


def names(page: ComparePage) -> list[str]:
    return [page.model.index(r, RadiologistColumn.NAME).data() for r in range(page.model.rowCount())]


# --- the main story --------------------------------------------------------------------------------


def test_radiologists_stand_side_by_side_under_pseudonyms(show: Callable[..., Page]) -> None:
    page, _ = show()
    assert page.title.text() == "Compare \u2013 edema"
    assert "3 of 5 radiologists lie outside the 95 % limits of chance" in page.sentence.text()
    assert names(page) == sorted(ALIASES.values())
    assert page.forest is not None
    assert page.forest.isVisible()
    assert "Mean over radiologists" in page.forest.about.text()
    for row in range(5):
        text = page.forest.readout(row)
        assert not any(author in text for author in AUTHORS)
        assert "ECE*" in text
        assert "n = " not in text.split(":")[0]
    assert "luck alone" in page.forest.key.accessibleName()


def test_a_phrase_is_compared_by_its_rate(show: Callable[..., Page], qtbot: QtBot) -> None:
    page, _ = show()
    assert page.words.itemText(0).startswith("all that was hedged")
    choose(page, qtbot, "likely")
    assert page.model.headerData(RadiologistColumn.VALUE, Qt.Orientation.Horizontal) == "rate, 95\u00a0%"
    assert page.forest is not None
    assert "readers take it as 75\u201390" in page.forest.readout(0)
    assert "confirmed" in page.forest.readout(0)
    page.tabs.setCurrentIndex(FUNNEL)
    assert page.funnel is not None
    assert "over-dispersion" in page.funnel.about.text()
    assert "chance alone is enough to explain" in page.funnel.about.text()
    of_hayden = next(t for t in map(page.funnel.readout, range(page.funnel.count)) if t.startswith("Hayden"))
    assert "outside the 99.8" in of_hayden
    hayden = next(m for m in page._compared.members if m.alias == "Hayden")
    rest = [m for m in page._compared.members if m.alias != "Hayden"]
    assert (hayden.others.n, hayden.others.value * hayden.others.n) == pytest.approx(
        (sum(m.n for m in rest), sum(m.positives for m in rest))
    )
    assert f"all others: {hayden.others.value:.0%}".replace("%", "\u00a0%") in of_hayden
    assert f"n = {hayden.others.n:.0f}" in page.model.index(0, RadiologistColumn.OTHERS).data()
    assert "chance alone gives" in page.funnel.readout_near(QPointF(30, 0))


def test_names_are_shown_on_request_and_forgotten_with_the_page(show: Callable[..., Page], qtbot: QtBot) -> None:
    page, _ = show()
    page.names.setFocus()
    qtbot.keyClick(page.names, Qt.Key.Key_Space)
    assert names(page) == sorted(AUTHORS)
    assert page.over.who.findText("Elm, Bo") > 0
    page.leave()
    page.arrive()
    settle(qtbot, page.shell)
    assert names(page) == sorted(ALIASES.values())
    assert page.over.who.findText("Elm, Bo") < 0


def test_nobody_is_ranked(show: Callable[..., Page]) -> None:
    page, _ = show(tab=TABLE)
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
    show: Callable[..., Page], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, shell = show()
    asked: list[Any] = []
    compare = Comparisons.compare
    monkeypatch.setattr(Comparisons, "compare", lambda *args, **rest: asked.append(args) or compare(*args, **rest))
    before = page.sentence.text()
    shell.set_selection(Selection("Brooks", "edema", Days(date(2026, 1, 1), date(2026, 2, 1))))
    settle(qtbot, shell)
    assert page.sentence.text() != before
    page.leave()
    shell.set_selection(Selection("Brooks", "mass"))
    settle(qtbot, shell)
    assert len(asked) == 1, "a page out of sight asks for nothing"
    page.arrive()
    settle(qtbot, shell)
    assert page.title.text() == "Compare \u2013 mass"


def test_changes_with_feedback_are_shown_kept_and_undone(
    show: Callable[..., Page], qtbot: QtBot, department: Department
) -> None:
    page, shell = show(tab=TIME)
    assert page.time is not None
    assert "Say when feedback was given" in page.time.about.text()
    choose(page, qtbot, "likely")
    assert page.over.day.date() == QDate(2026, 4, 1), "a day in the middle is offered"
    page.over.given.setChecked(True)
    page.over.day.setDate(QDate(2026, 5, 1))
    settle(qtbot, shell)
    assert department.comparison.feedback_dates() == {"": date(2026, 5, 1)}
    assert page.time.about.text().startswith("Before ")
    assert "points (" in page.time.about.text()
    assert "all before and all after" in page.time.key.accessibleName()
    page.over.who.setCurrentIndex(page.over.who.findText("Jayden"))
    settle(qtbot, shell)
    assert page.over.given.isChecked(), "the date of all holds for each"
    page.over.given.click()
    settle(qtbot, shell)
    assert department.comparison.feedback_dates() == {"": date(2026, 5, 1), "Elm, Bo": None}
    assert "Say when" in page.time.about.text()
    assert page.undo_stack is not None
    while page.undo_stack.canUndo():
        page.undo_stack.undo()
    settle(qtbot, shell)
    assert department.comparison.feedback_dates() == {}
    page.undo_stack.redo()
    page.undo_stack.redo()
    settle(qtbot, shell)
    assert department.comparison.feedback_dates() == {"": date(2026, 5, 1)}
    page.over.unit.setCurrentIndex(1)
    settle(qtbot, shell)
    assert page._trend is not None
    assert len(page._trend.periods) == 8
    assert page.time.readout(0).startswith("Jan 2026: ")


def test_colours_follow_the_scheme(show: Callable[..., Page]) -> None:
    page, shell = show(tab=FUNNEL)
    assert page.funnel is not None
    shell.set_colours(DARK)
    assert page.funnel.backgroundBrush().color().name() == DARK.surface
    shell.set_colours(LIGHT)
    assert page.funnel.backgroundBrush().color().name() == LIGHT.surface


def test_the_pointer_reads_the_numbers(show: Callable[..., Page], qtbot: QtBot) -> None:
    page, _ = show()
    choose(page, qtbot, "likely")

    def point(plot: Any, x: float, y: float) -> None:
        plot._moved(plot.main.getViewBox().mapViewToScene(QPointF(x, y)))

    point(page.forest, 0.5, 0.0)
    assert page.forest.readout.text().startswith("Hayden: confirmed")
    point(page.forest, 0.5, 99.0)
    assert page.forest.readout.text() == "Point at the picture, or use the arrow keys on it, to read its numbers."
    page.tabs.setCurrentIndex(FUNNEL)
    hayden = next(m for m in page._compared.members if m.alias == "Hayden")  # type: ignore[union-attr]
    point(page.funnel, hayden.n, hayden.value)
    assert page.funnel.readout.text().startswith("Hayden: ")
    point(page.funnel, 30, 0.99)
    assert page.funnel.readout.text().startswith("At n = 30, chance alone gives")
    page.tabs.setCurrentIndex(TIME)
    settle(qtbot, page.shell)
    point(page.time, date(2026, 2, 1).toordinal(), 0.5)
    assert page.time.readout.text().startswith("Q1 2026: ")


def test_the_keys_go_from_mark_to_mark(show: Callable[..., Page], qtbot: QtBot) -> None:
    page, _ = show()
    choose(page, qtbot, "likely")
    resting = page.forest.readout.text()
    for tab in (FOREST, FUNNEL, TIME):
        page.tabs.setCurrentIndex(tab)
        settle(qtbot, page.shell)
        view, plot = {
            FOREST: (page.forest, page.forest),
            FUNNEL: (page.funnel, page.funnel),
            TIME: (page.time, page.time),
        }[tab]
        assert plot is not None
        texts = [plot.readout(i) for i in range(plot.count)]
        assert len(texts) >= 3
        plot.setFocus(Qt.FocusReason.TabFocusReason)
        read = [view.readout.text()]
        for _ in texts[1:]:
            QTest.keyClick(plot, Qt.Key.Key_Right)
            read.append(view.readout.text())
        assert read == texts
        QTest.keyClick(plot, Qt.Key.Key_Right)
        assert view.readout.text() == plot.accessibleDescription() == texts[-1]
        QTest.keyClick(plot, Qt.Key.Key_Home)
        assert view.readout.text() == texts[0]
        page.words.setFocus()
        assert view.readout.text() == resting


def test_controls_that_do_not_fit_stand_below_each_other(show: Callable[..., Page], qtbot: QtBot) -> None:
    page, _ = show(tab=TIME)

    def day_is_below() -> bool:
        who, day = (widget.mapTo(page, QPoint()).y() for widget in (page.over.who, page.over.day))
        return day > who + page.over.who.height() // 2

    assert not day_is_below()
    page.resize(560, 700)
    qtbot.waitUntil(day_is_below)
    assert page.time.horizontalScrollBar().maximum() == 0
    page.resize(1100, 700)
    qtbot.waitUntil(lambda: not day_is_below())


def test_intervals_name_the_coverage_that_was_set(
    show: Callable[..., Page], qtbot: QtBot, department: Department
) -> None:
    department.save_settings(department.settings.changed(confidence=0.8))
    page, _ = show()
    assert page.model.headerData(RadiologistColumn.VALUE, Qt.Orientation.Horizontal) == "ECE*, 80\u00a0%"
    assert "own findings, 80\u00a0%" in page.forest.key.accessibleName()
    assert "80\u00a0% of radiologists" in page.forest.about.text()


# --- what is missing -------------------------------------------------------------------------------


def test_too_little_is_an_ordinary_state(show: Callable[..., Page], qtbot: QtBot) -> None:
    page, _ = show(topic="mass")
    wanted = "No radiologist has enough findings; a comparison needs two, with 20 findings each, 8 of them hedged."
    assert page.sentence.text() == page.forest.text.text() == wanted
    page.tabs.setCurrentIndex(FUNNEL)
    assert page.funnel.text.isVisible()
    choose(page, qtbot, "likely")
    assert page.sentence.text() == "One radiologist used \u201clikely\u201d; a comparison needs two."
    assert "not enough data" in page.time.text.text() or page.time is None


def test_without_any_hedge_it_says_so() -> None:
    nobody = Comparison("edema", "", (), ())
    text = sentences.headline(nobody, 10, 30)
    assert text == "Nobody hedged here. Choose another pathology, or a phrase beside Words."
    assert "\u201clikely\u201d" in sentences.headline(replace(nobody, phrase="likely"), 10, 30)


def test_without_a_department_or_results_it_leads_there(make_shell: Callable[..., Shell], qtbot: QtBot) -> None:
    shell = make_shell()
    page = ComparePage(shell)
    qtbot.addWidget(page)
    page.begin()
    assert page.is_empty
    assert "Open a workspace" in page.empty_text
    went: list[object] = []
    shell.go_wanted.connect(lambda stage, _where: went.append(stage))
    page.empty_button.click()
    assert went == ["start"]


def test_without_findings_it_says_why(shell: Shell, qtbot: QtBot) -> None:
    assert shell.opened is not None
    shell.session.current = replace(shell.opened, groups={}, reason="There are no pairs.")
    page = ComparePage(shell)
    qtbot.addWidget(page)
    page.begin()
    assert page.empty_text == "There are no pairs."
    settle(qtbot, shell)


def test_dates_without_findings_are_left_by_a_button(show: Callable[..., Page], qtbot: QtBot) -> None:
    page, shell = show()
    assert shell.opened is not None
    n = sum(view.reliability.n for group, view in shell.opened.groups.items() if group.topic == "edema")
    shell.set_selection(Selection("Avery", "edema", Days(last=date(2001, 2, 1))))
    settle(qtbot, shell)
    assert page.empty_text == (
        f"Nobody has findings on edema on the chosen dates: until 2/1/01.\nOn all dates together: {n:,.0f}."
    )
    shell.choose_wanted.connect(shell.set_selection)
    page.empty_button.click()
    settle(qtbot, shell)
    assert not page.is_empty
    assert page.model.rowCount() > 0


def test_a_failure_is_told_in_place(show: Callable[..., Page], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    page, shell = show()
    shell.set_selection(Selection("Avery", "hernia"))
    settle(qtbot, shell)
    assert page.sentence.text().startswith("Nothing was said about hernia in these days.")
    assert page.model.rowCount() == 0

    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("Likely edema in bed 7.")

    monkeypatch.setattr(Comparisons, "trend", fail)
    page.tabs.setCurrentIndex(TIME)
    shell.set_selection(Selection("Avery", "edema"))
    settle(qtbot, shell)
    assert shell.messages.shown() == (Message.BUG,)
    assert "bed 7" not in shell.messages.text(Message.BUG)


def test_what_is_open_to_read_only_keeps_no_dates(make_shell: Callable[..., Shell], qtbot: QtBot, chest: Path) -> None:
    shell = make_shell(chest, read_only=True)
    page = ComparePage(shell)
    qtbot.addWidget(page)
    page.begin()
    settle(qtbot, shell)
    assert not page.over.given.isEnabled()
    assert not page.over.day.isEnabled()
    assert "read only" in page.over.given.toolTip()


def test_everything_has_a_name_and_the_tabs_can_be_reached(show: Callable[..., Page]) -> None:
    page, _ = show()
    for widget in (page.words, page.order, page.over.who, page.over.unit, page.over.day, page.tabs, page.table.view):
        assert widget.accessibleName()
    assert page.forest is not None
    assert page.forest.accessibleName() == "Radiologists beside each other"
    assert [page.tabs.tabText(i) for i in range(4)] == ["&Side by side", "F&unnel", "Over &time", "Ta&ble"]


def test_a_page_goes_when_it_is_closed(shell: Shell, qtbot: QtBot) -> None:
    page = ComparePage(shell)
    page.begin()
    page.show()
    shell.set_selection(Selection("Avery", "edema"))
    page.arrive()
    settle(qtbot, shell)
    assert page.forest is not None
    gone = weakref.ref(page)
    page.close()
    page.deleteLater()
    del page
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None


# --- parts -----------------------------------------------------------------------------------------

MEMBERS = (
    Member(
        "Elm, Bo", "Kai", 60, 30, 0.5, 0.37, 0.63, 0.52, 0.4, 0.64, others=Others(90, 0.6, 0.5, 0.7), place="inside"
    ),
    Member("Fir, Cy", "Blair", 4, None, None, None, None, reason="hedges"),
)


def test_model_keeps_the_rules() -> None:
    model = ComparedTableModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_rows(MEMBERS, ("Kai", "Blair"), score=False)
    cells = [model.index(0, c).data() for c in RadiologistColumn]
    rates = ["50\u00a0% (37\u201363)", "52\u00a0% (40\u201364)", "60\u00a0% (50\u201370), n = 90"]
    assert cells == ["Kai", "60", "30", *rates, "within what chance gives"]
    assert [model.index(1, c).data() for c in RadiologistColumn] == ["Blair", "4", "", "not enough data", "", "", ""]
    assert "hedged" in model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert model.data(model.index(0, RadiologistColumn.VALUE), EXPORT) == (0.5, 0.37, 0.63)
    assert model.data(model.index(1, RadiologistColumn.POOLED), EXPORT) == ("", "", "")
    assert model.data(model.index(0, RadiologistColumn.OTHERS), EXPORT) == (0.6, 0.5, 0.7)
    assert model.data(model.index(1, RadiologistColumn.OTHERS), EXPORT) == ("", "", "")
    assert len(model.headerData(RadiologistColumn.VALUE, Qt.Orientation.Horizontal, EXPORT)) == 3
    assert model.data(QModelIndex()) is None
    assert model.headerData(99, Qt.Orientation.Horizontal) is None
    model.set_rows((), (), score=True)
    assert model.rowCount() == 0
    del tester


@pytest.mark.parametrize(
    ("value", "text"), [(0.043, "+0.04"), (-0.043, "\u22120.04"), (0.001, "0.00"), (-0.001, "0.00")]
)
def test_differences_have_their_sign(value: float, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize("reason", ["times", "date", "before", "after"])
def test_every_reason_has_its_words(reason: Any) -> None:
    from radcal.records.comparison import Period

    side = Period(date(2026, 1, 1), date(2026, 2, 1), 3.0, reason="statements")
    trend = Trend("edema", "", "", "month", (), before=side, after=side, undated=2, reason=reason)
    text = sentences.about_trend(trend, 10, 30)
    assert text
    assert (reason in ("before", "after")) == ("each side needs 30 findings, 10 of them hedged" in text)


def test_backend_errors_are_the_users_to_read(department: Department) -> None:
    with pytest.raises(DataError, match="Choose other days"):
        department.comparison.compare("hernia")


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
    qtbot.waitUntil(lambda: page.words.currentData() != "" and not window.tasks._tasks)
    assert page.model.headerData(RadiologistColumn.VALUE, Qt.Orientation.Horizontal).startswith("rate")
    window.shell.go("settings")
    assert page.names.isChecked() is False
