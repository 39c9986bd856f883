"""The tab of shares of reports: all radiologists, and over time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from radcal.system.selection import Selection
from radcal.system.settings import Settings
from ui.pages.department.page import DepartmentPage
from ui.shell import Shell

N = 36
PEOPLE = ("Ash, A", "Birch, B", "Cedar, C", "Elm, E", "Fir, F", "Gum, G", "Holly, H")


def _pairs() -> Iterator[tuple[str, str, str, datetime]]:
    """The k-th radiologist recommends CT in 4k of 36 X-ray reports."""
    for k, author in enumerate(PEOPLE):
        for i in range(N):
            more = "Recommend follow-up CT in 3 months." if i < 4 * k else "Nothing else."
            ct = "There is edema." if i % 2 else "No edema."
            yield author, f"Likely edema. {more}", ct, datetime(2026, 1, 1, 8) + timedelta(days=3 * i, minutes=k)


@pytest.fixture(scope="module")
def original(prepare: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = Settings(bootstrap=20, min_group_n=30, min_phrase_n=8)
    return prepare(tmp_path_factory.mktemp("habits") / "habits.radcal", settings, pairs=_pairs())


@pytest.fixture
def page(qtbot: QtBot, shell: Shell) -> DepartmentPage:
    made = DepartmentPage(shell)
    qtbot.addWidget(made)
    made.begin()
    made.resize(1100, 800)
    made.show()
    shell.set_selection(Selection(PEOPLE[0], "edema"))
    made.arrive(tab="habits")
    qtbot.waitUntil(lambda: shell.tasks.is_idle and made.habits.record is not None)
    return made


def cells(page: DepartmentPage, column: int) -> list[Any]:
    model = page.habits.table.model
    return [model.index(r, column).data() for r in range(model.rowCount())]


def choose(page: DepartmentPage, qtbot: QtBot, habit: str) -> None:
    tab = page.habits
    tab.habit.setCurrentIndex(tab.habit.findData(habit))
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle and tab.record is not None and tab.record.habit == habit)


def test_all_radiologists_stand_beside_each_other(qtbot: QtBot, page: DepartmentPage) -> None:
    tab = page.habits
    found = tab.record
    assert found is not None
    told = tab.note.text().replace("\u00a0", " ")
    assert found.together.y == 84
    n = int(found.together.n)  # with some of nobody known
    assert f"32 % (26\u201337) of {n} X-ray reports have follow-up or work-up recommended." in told
    least, *_, most = sorted((m for m in found.compared.members if m.value is not None), key=lambda m: m.value)
    assert (round(100 * least.value), round(100 * most.value)) == (0, 67)
    low, high = (f"({100 * m.low:.0f}\u2013{100 * m.high:.0f}) of {m.n:.0f}" for m in (least, most))
    assert f"Radiologists range from 0 % {low} to 67 % {high}." in told
    assert f"Counted in {n} of {n} X-ray reports." in tab.about.text()
    assert not set(cells(page, 0)) & set(PEOPLE), "pseudonyms unless asked"
    assert {str(4 * k) for k in range(len(PEOPLE))} <= set(cells(page, 2))
    model = tab.table.model
    assert model.columns_that_leave() == [0, 1, 3]
    page.names.setChecked(True)
    assert set(PEOPLE) < set(cells(page, 0)), "and one of few reports"
    choose(page, qtbot, "hedge")
    assert "pairs of an X-ray and a CT" in tab.about.text()
    assert cells(page, 2).count("36") == len(PEOPLE)


def test_over_time_of_all_and_of_one(qtbot: QtBot, shell: Shell, page: DepartmentPage) -> None:
    tab = page.time
    tab.what.setCurrentIndex(tab.what.findText("X-ray reports with follow-up or work-up recommended"))
    page.arrive(tab="time")
    qtbot.waitUntil(lambda: shell.tasks.is_idle and tab.record is not None)
    assert sum(p.n for p in tab.record.periods) == page.habits.record.together.n
    assert not tab.dates.isVisible()
    tab.over.unit.setCurrentIndex(tab.over.unit.findData("month"))
    tab.over.who.setCurrentIndex(tab.over.who.findData("Holly, H"))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and tab.record is not None and tab.record.author == "Holly, H")
    assert tab.note.text() == "No period has enough data; each needs 30."
    assert not tab.content.isVisible()


def test_recommendations_past_their_time_are_listed_and_lead_to_their_reports(
    qtbot: QtBot, make_shell: Callable[..., Shell], prepare: Callable[..., Path], tmp_path: Path
) -> None:
    """Each X-ray has a CT an hour or so later, which is in time for the one, and too soon for the other."""
    said = ("CT within 2 days is recommended.", "Repeat chest radiograph in 4 weeks.", "MRI is recommended.")
    pairs = [
        (author, f"Likely edema. {said[i % 3]}", "No edema.", datetime(2026, 1, 1, 8) + timedelta(days=3 * i))
        for author in PEOPLE[:2]
        for i in range(N)
    ]
    shell = make_shell(prepare(tmp_path / "closed.radcal", Settings(bootstrap=0, min_group_n=10), pairs=pairs))
    page = DepartmentPage(shell)
    qtbot.addWidget(page)
    page.begin()
    page.show()
    shell.set_selection(Selection(PEOPLE[0], "edema"))
    page.arrive(tab="habits")
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.habits.record is not None)
    tab = page.habits
    assert not tab.call_backs.isVisible()
    choose(page, qtbot, "closed")
    found = tab.record
    assert found is not None
    # Every third day; the last CT is of day 105, the last X-ray of day 124, and four weeks are up after 42 days.
    done = 2 * sum(i % 3 == 0 and 3 * i + 3 < 105 for i in range(N))
    overdue = 2 * sum(i % 3 == 1 and 3 * i + 42 < 124 for i in range(N))
    assert (found.together.y, found.together.n) == (done, done + overdue)
    told = tab.note.text().replace("\u00a0", " ")
    assert f"of {done + overdue} examinations recommended in X-ray reports were done in time." in told
    assert f"{overdue} recommendations are past their time, and no later examination that fits" in tab.overdue.text()
    assert "24 of what RadCal does not see" in tab.about.text()
    assert "in time" in [column.header for column in tab.table.model.columns]
    listed = tab.call_backs.model
    assert tab.call_backs.isVisible()
    assert listed.rowCount() == overdue
    first = [listed.index(0, c).data() for c in range(listed.columnCount())]
    assert first[3] == "X-ray in 28 days"
    assert first[5].startswith("CT C")
    assert first[5].endswith(", does not fit")
    assert first[6] == "Repeat chest radiograph in 4 weeks."
    with qtbot.waitSignal(shell.go_wanted) as went:
        tab.call_backs.activated.emit(0)
    assert went.args == ["reports", {"report": listed.row(0).report_id}]
    choose(page, qtbot, "follow-up")
    assert not tab.call_backs.isVisible()
    assert not tab.overdue.isVisible()


def test_the_page_opens_on_a_share_that_some_reports_have_and_what_is_chosen_stays(
    qtbot: QtBot, make_shell: Callable[..., Shell], prepare: Callable[..., Path], tmp_path: Path
) -> None:
    pairs = [(author, "Likely edema.", "No edema.") for author in PEOPLE[:2] for _ in range(N)]
    shell = make_shell(prepare(tmp_path / "plain.radcal", Settings(bootstrap=0, min_group_n=30), pairs=pairs))
    page = DepartmentPage(shell)
    qtbot.addWidget(page)
    page.begin()
    page.show()
    shell.set_selection(Selection(PEOPLE[0], "edema"))
    page.arrive(tab="habits")
    tab = page.habits
    qtbot.waitUntil(lambda: shell.tasks.is_idle and tab.record is not None)
    assert tab.habit.currentData() == tab.record.habit == "hedge", "nobody recommended anything"
    choose(page, qtbot, "follow-up")
    assert tab.record.together.y == 0
    shell.set_selection(Selection(PEOPLE[1], "edema"))
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert tab.habit.currentData() == "follow-up"
