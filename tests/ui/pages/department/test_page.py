"""The page on all radiologists: pseudonyms, who stands apart, dates of feedback, and what is said of little data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QDate, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from radcal.calibration.comparison_records import Comparison, LyingApart, Member, Period, Trend
from radcal.calibration.comparisons import Comparisons
from radcal.calibration.records import Part, PhraseRate
from radcal.department import Department
from radcal.system import coarse
from radcal.system.intervals import of_cell
from radcal.system.selection import Days, Selection
from radcal.system.settings import ALL_TOPICS, Settings
from ui.kit.column import SORT, with_ends
from ui.pages.department import sentences
from ui.pages.department.page import DepartmentPage
from ui.pages.department.tab import Naming
from ui.shell import Shell
from ui.widgets.messages import Message
from ui.words import percent_range

AUTHORS = ("Birch, Ada", "Elm, Bo", "Fir, Cy", "Oak, Di", "Yew, Ed")
ALIASES = dict(zip(AUTHORS, ("Kim", "Jayden", "Marlowe", "Robin", "Hayden"), strict=True))
SEED = 6
"""Under which they have these pseudonyms."""
Show = Callable[..., DepartmentPage]


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

    def make(topic: str = "edema", tab: str = "") -> DepartmentPage:
        page = DepartmentPage(shell)
        qtbot.addWidget(page)
        page.begin()
        page.resize(1100, 700)
        page.show()
        shell.set_selection(Selection("Avery", topic))
        page.arrive(tab=tab)
        settle(page, qtbot)
        return page

    return make


def settle(page: DepartmentPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)


def choose(page: DepartmentPage, qtbot: QtBot, phrase: str) -> None:
    words = page.radiologists.words
    words.setCurrentIndex(words.findData(phrase))
    settle(page, qtbot)


def names(page: DepartmentPage) -> list[str]:
    return [row.name for row in page.radiologists.table.model.rows]


def cells(page: DepartmentPage, name: str) -> list[str]:
    model = page.radiologists.table.model
    return [model.index(names(page).index(name), c).data() for c in range(model.columnCount())]


def asked(page: DepartmentPage) -> list[tuple[Any, ...]]:
    """What the page asks of the window from now on."""
    heard: list[tuple[Any, ...]] = []
    page.shell.choose_wanted.connect(lambda selection: heard.append((selection,)))
    page.shell.go_wanted.connect(lambda stage, where: heard.append((stage, where)))
    return heard


# --- the main story --------------------------------------------------------------------------------


def test_radiologists_stand_side_by_side_under_pseudonyms(show: Show) -> None:
    page = show()
    tab = page.radiologists
    assert page.sentence.text().startswith("5 radiologists beside each other. For quality assurance alone")
    said = tab.note.text()
    assert "One of 5 differs from the others by 5 points or more on a word" in said
    assert "Hayden: \u201c" in said
    assert names(page) == sorted(ALIASES.values())
    plot = tab.forest.plot
    assert plot is not None
    assert plot.isVisible()
    for row in range(5):
        assert not any(author in plot.readout(row) for author in AUTHORS)
        assert "hedged findings missed their meaning by" in plot.readout(row)
    assert "chance alone" in tab.forest.key.accessibleName()


def test_a_phrase_is_compared_by_its_rate(show: Show, qtbot: QtBot) -> None:
    page = show()
    tab = page.radiologists
    assert tab.words.itemText(0).startswith("all hedged words (")
    choose(page, qtbot, "likely")
    assert "Hayden: \u201clikely\u201d confirmed " in tab.note.text()
    assert tab.forest.plot is not None
    assert "readers take it as 75\u201390" in tab.forest.plot.readout(0)
    assert "rate, 95\u00a0%, all together, and where 95\u00a0% lie" in tab.forest.key.accessibleName()
    members = {row.name: row.member for row in tab.table.model.rows}
    hayden, rest = members.pop("Hayden"), members.values()
    assert (hayden.others.n, hayden.others.value * hayden.others.n) == pytest.approx(
        (sum(m.n for m in rest), sum(m.positives for m in rest))
    )
    assert cells(page, "Hayden")[4].startswith("yes (>99")
    page.shell.opened.department.save_settings(page.shell.opened.department.settings.changed(confidence=0.8))
    choose(page, qtbot, "")
    assert "missed meaning by, 80\u00a0%" in tab.forest.key.accessibleName()


def test_all_words_that_stand_apart_are_listed_the_surest_first_and_lead_to_their_cases(show: Show) -> None:
    page = show()
    part = page.radiologists.apart
    rows = part.table.model.rows
    assert part.note.text().startswith(f"{len(rows)} words stand apart (all pathologies and dates); about ")
    found = [(row.name, row.found.topic, row.found.rate.phrase) for row in rows]
    assert {name for name, *_ in found} <= set(ALIASES.values())
    assert ("Hayden", "edema", "likely") in found
    how = {part.table.model.index(r, 6).data().split(",")[0] for r, (name, *_) in enumerate(found) if name == "Hayden"}
    assert how == {"the others", "its meaning"}
    told = {
        row.found.rate.phrase: part.table.model.index(r, 6).data() for r, row in enumerate(rows) if not row.found.part
    }
    known = page.shell.opened.meanings
    assert told == {w: f"its meaning, {percent_range(known[w].low, known[w].high)}" for w in told}
    assert told["present"] == "its meaning, 100\u00a0%"
    sure = [row.found.probability for row in rows]
    assert sure == sorted(sure, reverse=True)
    assert min(sure) >= 0.95
    assert part.table.why_kept
    heard = asked(page)
    part.table.activated.emit(0)
    first = rows[0].found
    assert heard == [(Selection(first.name, first.topic),), ("results", {"phrase": first.rate.phrase})]
    page.names.setChecked(True)
    assert not part.table.why_kept
    assert part.table.model.index(0, 0).data() == first.name


def test_statements_say_how_many_of_them_are_expected_to_be_false() -> None:
    rate = PhraseRate("likely", 60, 12, 0.2, 0.1, 0.3, 0.82, 0.75, 0.9, "stronger", 0.99)
    part = Part("Elm, Bo", 60, 0.97, True, "likely", 60, 12, 90, 70)
    found = (LyingApart("Elm, Bo", "Kai", "edema", rate, 0.99), LyingApart("Elm, Bo", "Kai", "edema", rate, 0.97, part))
    assert "about 2\u00a0% of these will be wrong" in sentences.about_apart(found)
    assert sentences.about_apart(()).startswith("No word clearly stands apart")


def test_names_are_shown_on_request_and_forgotten_with_the_page_and_the_file(show: Show, qtbot: QtBot) -> None:
    page = show(tab="time")
    assert not page.names.hasFocus()
    page.names.setFocus()
    qtbot.keyClick(page.names, Qt.Key.Key_Space)
    assert names(page) == sorted(AUTHORS)
    assert page.time.over.who.findText("Elm, Bo") > 0
    assert "quality assurance" not in page.sentence.text()
    page.hide()
    page.show()
    assert names(page) == sorted(ALIASES.values())
    assert page.time.over.who.findText("Elm, Bo") < 0
    page.names.setChecked(True)
    opened = page.shell.opened
    page.show_department(replace(opened, n_pairs=1))
    assert page.names.isChecked(), "new results of the same file"
    settle(page, qtbot)
    page.show_department(None)
    assert not page.names.isChecked()
    assert not names(page)
    assert not page.radiologists.apart.table.model.rows
    page.show_department(opened)
    settle(page, qtbot)
    assert names(page) == sorted(ALIASES.values())


def test_nobody_is_ranked(show: Show) -> None:
    page = show()
    table = page.radiologists.table
    for column in set(range(6)) - {1}:
        table.proxy.setSortRole(SORT)
        table.proxy.sort(column)
        assert [table.proxy.index(r, 0).data() for r in range(5)] == sorted(ALIASES.values()), column
        tip = table.model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert column == 0 or "never by their values" in tip


def test_another_pathology_or_other_days_are_compared_when_the_page_is_seen(
    show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = show()
    asked: list[Any] = []
    compare = Comparisons.compare
    monkeypatch.setattr(Comparisons, "compare", lambda *args, **rest: asked.append(args) or compare(*args, **rest))
    before = page.radiologists.note.text()
    page.shell.set_selection(Selection("Brooks", "edema", Days(date(2026, 1, 1), date(2026, 2, 1))))
    settle(page, qtbot)
    assert page.radiologists.note.text() != before
    page.leave()
    asked.clear()
    page.shell.set_selection(Selection("Brooks", "mass"))
    settle(page, qtbot)
    assert asked == [], "a page out of sight asks for nothing"
    page.arrive()
    settle(page, qtbot)
    assert asked


def test_the_bar_of_tabs_stays_where_it_is(show: Show, qtbot: QtBot) -> None:
    page = show()
    places = set()
    for place in range(page.tabs.count()):
        page.tabs.setCurrentIndex(place)
        settle(page, qtbot)
        places.add(page.tabs.tabBar().mapTo(page, QPoint()).y())
    assert len(places) == 1
    page.tabs.setCurrentIndex(2)
    assert page.selects == ("dates", "run"), "reports are of no pathology"


def test_changes_with_feedback_are_shown_kept_and_undone(show: Show, qtbot: QtBot, department: Department) -> None:
    page = show(tab="time")
    tab = page.time
    assert tab.note.text().startswith("From ")
    assert "Enter when feedback was given" in tab.note.text()
    tab.what.setCurrentIndex(tab.what.findData("likely"))
    settle(page, qtbot)
    assert tab.dates.day.date() == QDate(2026, 4, 1), "a day in the middle is offered"
    tab.dates.given.setChecked(True)
    tab.dates.day.setDate(QDate(2026, 5, 1))
    settle(page, qtbot)
    assert department.comparison.feedback_dates() == {"": date(2026, 5, 1)}
    assert "CT confirmed " in tab.note.text()
    assert " points (" in tab.note.text()
    assert "all before and all after" in tab.time.key.accessibleName()
    assert "Without advice: " in tab.control.text()
    tab.over.who.setCurrentIndex(tab.over.who.findText("Jayden"))
    settle(page, qtbot)
    assert tab.dates.given.isChecked(), "the date of all holds for each"
    tab.dates.given.click()
    settle(page, qtbot)
    assert department.comparison.feedback_dates() == {"": date(2026, 5, 1), "Elm, Bo": None}
    assert "Enter when" in tab.note.text()
    while page.undo_stack.canUndo():
        page.undo_stack.undo()
    settle(page, qtbot)
    assert department.comparison.feedback_dates() == {}
    page.undo_stack.redo()
    page.undo_stack.redo()
    settle(page, qtbot)
    assert department.comparison.feedback_dates() == {"": date(2026, 5, 1)}
    tab.over.unit.setCurrentIndex(1)
    settle(page, qtbot)
    assert tab.time.plot is not None
    assert tab.time.plot.count == 8
    assert tab.time.plot.readout(0).startswith("Jan 2026: ")


# --- what is missing -------------------------------------------------------------------------------


def test_too_little_is_an_ordinary_state_with_a_way_out(show: Show, qtbot: QtBot) -> None:
    page = show(topic="mass")
    tab = page.radiologists
    assert tab.note.text() == (
        "Not enough data: a comparison needs two radiologists with 60 hedged findings each. Try all pathologies, or "
        "pick one word from the list."
    )
    assert not tab.forest.isVisible()
    heard = asked(page)
    tab.together.click()
    assert [selection.topic for (selection,) in heard] == [ALL_TOPICS]
    choose(page, qtbot, "likely")
    assert not tab.together.isVisible()
    assert tab.note.text() == "One radiologist used \u201clikely\u201d; a comparison needs two."


def test_whose_words_miss_is_told_first_and_then_who_differs() -> None:
    """Radiologists who all overstate alike miss what words mean, and do not differ from each other."""
    members = tuple(
        Member(f"r{i}", f"R{i}", 100.0, None, 0.25, 0.2, 0.3, differs=differs, part=Part(f"r{i}", 9, 0.4, False))
        for i, differs in enumerate((True, True, False))
    )
    compared = Comparison("edema", "", members, ())
    assert sentences.headline(compared, Naming(), 30).startswith(
        "2 of 3 radiologists have hedged words that overstated or understated what CT found. Nobody clearly differs "
        "from the others, but"
    )
    alike = replace(compared, members=members[2:] * 2)
    assert sentences.headline(alike, Naming(), 30).startswith("No hedged word clearly missed what CT found (2 rad")
    untold = replace(compared, members=tuple(replace(m, part=None) for m in members))
    assert sentences.headline(untold, Naming(), 30).endswith("often enough to be compared.")
    odd = replace(members[0], part=Part("r0", 11, 0.97, True, "likely", 11, 3, 40, 30))
    one = replace(compared, members=(odd, *untold.members[1:]))  # of three that are drawn, two have too few
    said = sentences.headline(one, Naming(), 30)
    assert "One of 3 differs from the others" in said
    assert said.endswith("75\u00a0% of 40. 2 have too few findings to be compared.")
    nobody = Comparison("edema", "", (), (), reason="radiologists")
    assert sentences.headline(nobody, Naming(), 30) == "Nobody hedged here. Choose another pathology."


def test_without_findings_it_says_why(shell: Shell, qtbot: QtBot) -> None:
    assert shell.opened is not None
    shell.session.current = replace(shell.opened, groups={}, reason="There are no pairs.")
    page = DepartmentPage(shell)
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
    assert names(page)


def test_a_failure_is_told_in_place_and_asked_for_again_on_the_next_visit(
    show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = show(tab="time")

    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("Likely edema in bed 7.")

    with monkeypatch.context() as broken:
        for name in ("compare", "trend"):
            broken.setattr(Comparisons, name, fail)
        page.shell.set_selection(Selection("Avery", ALL_TOPICS))
        settle(page, qtbot)
    assert page.shell.messages.shown() == (Message.BUG,)
    assert "bed 7" not in page.shell.messages.text(Message.BUG)
    assert page.time.again.isVisible()
    page.leave()
    page.arrive()
    settle(page, qtbot)
    assert page.radiologists.content.isVisibleTo(page.radiologists)
    assert page.time.record is not None
    assert page.time.record.topic == ALL_TOPICS
    page.shell.set_selection(Selection("Avery", "hernia"))
    settle(page, qtbot)
    assert page.radiologists.note.text().startswith("Nothing was said about hernia in these days.")


@pytest.mark.parametrize("reason", ["times", "date", "before", "after"])
def test_every_reason_has_its_words(reason: Any) -> None:
    side = Period(date(2026, 1, 1), date(2026, 2, 1), 3.0, reason="statements")
    trend = Trend("edema", "", "", "month", (side,), before=side, after=side, undated=2, fewest=10, reason=reason)
    text = sentences.about_trend(trend, 30)
    assert (reason in ("before", "after")) == ("and 3 findings; each needs 30 findings, 10 of them hedged" in text)
    assert (reason == "times") == ("2 findings have no time" not in text)
    more = sentences.about_trend(replace(trend, fewest=60), 30)
    assert (reason in ("before", "after")) == ("and 3 findings; each needs 60 hedged findings" in more)


def test_what_is_open_to_read_only_keeps_no_dates(make_shell: Callable[..., Shell], qtbot: QtBot, chest: Path) -> None:
    shell = make_shell(chest, read_only=True)
    page = DepartmentPage(shell)
    qtbot.addWidget(page)
    page.begin()
    settle(page, qtbot)
    for part in (page.time.dates.given, page.time.dates.day):
        assert not part.isEnabled()
        assert "read only" in part.toolTip()


# --- what leaves -----------------------------------------------------------------------------------


def test_what_leaves_under_pseudonyms_has_nobody_s_exact_figures(show: Show, qtbot: QtBot) -> None:
    page = show()
    table, forest = page.radiologists.table, page.radiologists.forest
    shown = table.model.row(0).member
    saved: list[list[Any]] = []
    table._files = SimpleNamespace(
        save_file=lambda _title, _name, _kinds, make: saved.append(make.args[0]), copied=lambda *_, **__: None
    )
    table.ask_export()
    table.copy()
    header, *rows = saved[0]
    assert [row[0] for row in rows] == sorted(ALIASES.values())
    row = next(row for row in rows if row[0] == shown.alias)
    assert row[1] == coarse.range_of(shown.n)
    value = header.index("missed meaning by")
    assert row[value] == coarse.rounded(shown.value)
    assert tuple(row[value + 1 : value + 3]) == coarse.outward(shown.low, shown.high)
    copied = QGuiApplication.clipboard().text()
    assert coarse.range_of(shown.n) in copied
    assert f"\t{shown.n:.0f}\t" not in copied
    page.tabs.setCurrentIndex(3)
    settle(page, qtbot)
    for view in (forest, page.time.time):
        assert view.card is not None
        assert not view.card.more.isEnabled()
        assert "can be recognised" in view.card.more.toolTip()
    page.names.setChecked(True)
    assert all(view.card.more.isEnabled() for view in (forest, page.time.time))
    assert shown.n in [row[1] for row in table._exported(range(5))[1:]]


def test_a_phrase_leaves_with_the_rate_of_its_cell_and_nothing_of_others(show: Show, qtbot: QtBot) -> None:
    page = show()
    choose(page, qtbot, "likely")
    table = page.radiologists.table
    header, *rows = table._exported(range(5))
    assert header == ["radiologist", "n", *with_ends("rate")]
    for row in rows:
        m = next(table.model.row(k).member for k in range(5) if table.model.row(k).member.alias == row[0])
        made = coarse.cell(m.n, m.positives)
        assert made is not None
        assert row[1:] == [coarse.range_of(m.n), made.rate, *of_cell(made, 0.95)]


def test_a_trend_under_pseudonyms_stays_on_the_screen_without_a_comparison(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Comparisons, "compare", lambda *_, **__: (_ for _ in ()).throw(ZeroDivisionError))
    page = show(tab="time")
    assert page.radiologists.record is None
    assert page.time.time.card is not None
    assert not page.time.time.card.more.isEnabled()


def test_a_row_leads_to_its_findings(show: Show, qtbot: QtBot) -> None:
    page = show()
    heard = asked(page)
    name = page.radiologists.table.model.row(0).member.name
    page.radiologists.table.activated.emit(0)
    assert heard == [(Selection(name, "edema"),), ("results", {})]
    choose(page, qtbot, "likely")
    page.radiologists.table.activated.emit(0)
    assert heard[2:] == [(Selection(name, "edema"),), ("results", {"phrase": "likely"})]


def test_the_page_opens_on_a_word_where_few_were_hedged_and_what_is_chosen_stays(show: Show, qtbot: QtBot) -> None:
    page = show()
    tab = page.radiologists
    assert tab.words.currentData() == "", "enough was hedged"
    few = Selection("Brooks", "edema", Days(date(2026, 1, 1), date(2026, 2, 1)))
    page.shell.set_selection(few)
    settle(page, qtbot)
    assert tab.words.currentData() == page.time.what.currentData() == "likely", "what most of them have used"
    assert tab.record is not None
    assert sum(m.value is not None for m in tab.record.members) == len(AUTHORS)
    assert tab.forest.isVisible()
    choose(page, qtbot, "")
    assert not tab.forest.isVisible()
    page.shell.set_selection(replace(few, topic="mass"))
    settle(page, qtbot)
    assert tab.words.currentData() == ""
