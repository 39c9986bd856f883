"""The page of shares: all radiologists, over time, and one's own in a personal file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from radcal.system.settings import Settings
from ui.pages.habits.page import TIME, HabitsPage
from ui.shell import Shell
from ui.stages import HABITS
from ui.theme import DARK, Colours
from ui.window.main_window import MainWindow

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
def page(qtbot: QtBot, shell: Shell) -> HabitsPage:
    made = HabitsPage(shell)
    qtbot.addWidget(made)
    made.begin()
    made.resize(1100, 800)
    made.show()
    made.arrive()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and made.found is not None)
    return made


def cells(page: HabitsPage, column: int) -> list[Any]:
    return [page.model.index(r, column).data() for r in range(page.model.rowCount())]


def test_all_radiologists_stand_beside_each_other(
    qtbot: QtBot, shell: Shell, page: HabitsPage, wear: Callable[[Colours], None]
) -> None:
    told = page.sentence.text().replace("\u00a0", " ")
    assert page.found.together.y == 84
    n = int(page.found.together.n)  # with some of nobody known
    assert f"32 % (26\u201337) of {n} X-ray reports have follow-up or work-up recommended." in told
    least, *_, most = sorted((m for m in page.found.compared.members if m.value is not None), key=lambda m: m.value)
    assert (round(100 * least.value), round(100 * most.value)) == (0, 67)
    low, high = (f"({100 * m.low:.0f}\u2013{100 * m.high:.0f}) of {m.n:.0f}" for m in (least, most))
    assert f"Between radiologists it ranges from 0 % {low} to 67 % {high} reports." in told
    assert f"Counted in {n} of the {n} X-ray reports that were imported" in page.about.text()
    assert not set(cells(page, 0)) & set(PEOPLE), "pseudonyms unless asked"
    assert {str(4 * k) for k in range(len(PEOPLE))} <= set(cells(page, 2))
    assert page.model.coarse
    page.names.setChecked(True)
    assert set(PEOPLE) < set(cells(page, 0)), "and one of few reports"
    page.habit.setCurrentIndex(page.habit.findData("hedge"))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.found is not None and page.found.habit == "hedge")
    assert "those of pairs of an X-ray and a CT" in page.about.text()
    assert cells(page, 2).count("36") == len(PEOPLE)
    wear(DARK)
    page.leave()
    assert not page.names.isChecked()


def test_over_time_of_all_and_of_one(qtbot: QtBot, shell: Shell, page: HabitsPage) -> None:
    page.tabs.setCurrentIndex(TIME)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.trend is not None)
    assert sum(p.n for p in page.trend.periods) == page.found.together.n
    page.over.unit.setCurrentIndex(page.over.unit.findData("month"))
    page.over.who.setCurrentIndex(page.over.who.findData("Holly, H"))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.trend is not None and page.trend.author == "Holly, H")
    qtbot.waitUntil(lambda: page.trend.unit == "month")
    assert "no month or quarter has 30 reports" in page.time.text.text()


def test_a_personal_file_shows_the_own_shares(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path, tmp_path: Path
) -> None:
    with open_department(chest, "correct horse battery") as department:
        path = department.personal_files.write("Holly, H", tmp_path / "own.radcal", "own words of hers")
    window = open_window()
    window.session.open_workspace(path, "own words of hers", pytest.fail)
    qtbot.waitUntil(lambda: window.session.current is not None)
    window.show_page(HABITS)
    page = window.page(HABITS)
    qtbot.waitUntil(lambda: page.own is not None)
    assert page.own_table.isVisible()
    assert not page.table.isVisible()
    shown = [[page.own_model.index(r, c).data() for c in range(6)] for r in range(page.own_model.rowCount())]
    (mine,) = (row for row in shown if row[:2] == ["follow-up or work-up recommended", "X-ray"])
    plain = [text.replace("\u00a0", " ") for text in mine]
    assert plain[2:5] == ["36", "67 % (50\u201380)", "about 30 % (20\u201340)"]
    assert mine[5] == "cannot be told", "of seven, no quarter is told"
    page.tabs.setCurrentIndex(TIME)
    qtbot.waitUntil(lambda: page.trend is not None)
    assert page.trend.author == "Holly, H"
    assert window.messages.shown() == ()


def test_the_page_opens_on_a_share_that_some_reports_have_and_what_is_chosen_stays(
    qtbot: QtBot, make_shell: Callable[..., Shell], prepare: Callable[..., Path], tmp_path: Path
) -> None:
    pairs = [(author, "Likely edema.", "No edema.") for author in PEOPLE[:2] for _ in range(N)]
    shell = make_shell(prepare(tmp_path / "plain.radcal", Settings(bootstrap=0, min_group_n=30), pairs=pairs))
    page = HabitsPage(shell)
    qtbot.addWidget(page)
    page.begin()
    page.show()
    page.arrive()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.found is not None)
    assert page.habit.currentData() == page.found.habit == "hedge", "nobody recommended anything"
    assert page.found.together.y > 0
    page.habit.setCurrentIndex(page.habit.findData("follow-up"))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.found.habit == "follow-up")
    assert page.found.together.y == 0
    page.leave()
    page.show_selection(None)
    page.arrive()
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert page.habit.currentData() == "follow-up"
