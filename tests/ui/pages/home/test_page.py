"""Home: what came in, what waits, who has enough, and the next step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from radcal.advice.said import of_author
from radcal.department import Department
from radcal.feed.status import Failed, keep
from radcal.feedback.content import judge_input
from radcal.system.selection import Group, Selection
from ui.pages.home.page import HomePage
from ui.pages.home.work import Seen
from ui.preferences import preferences, visit
from ui.shell import Shell

Show = Callable[..., Any]


def _seen(qtbot: QtBot, page: HomePage) -> Seen:
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    return page.seen


def test_it_leads_to_what_waits_and_to_the_next_step(qtbot: QtBot, shell: Shell, show_page: Show) -> None:
    page = show_page(HomePage, shell)
    seen = _seen(qtbot, page)
    assert page.step.text().replace("&", "") == "Review reports"
    assert "30" in page.next.text()
    lines = {b.text(): b for b in page.news.findChildren(QPushButton) if b.objectName() == "recent"}
    assert f"{seen.overview.n_unknown} unknown words" in lines
    assert "1 unreadable report" in lines or f"{seen.overview.n_failed} unreadable reports" in lines
    for button, went in (
        (page.step, ["review", {"tab": "read"}]),
        (lines[f"{seen.overview.n_unknown} unknown words"], ["words", {"tab": "unknown"}]),
    ):
        with qtbot.waitSignal(shell.go_wanted) as asked:
            button.click()
        assert asked.args == went


def test_a_radiologist_with_enough_is_shown_by_pseudonym_and_opens_the_results(
    qtbot: QtBot, shell: Shell, department: Department, show_page: Show
) -> None:
    page = show_page(HomePage, shell)
    seen = _seen(qtbot, page)
    assert shell.opened is not None
    assert {told.author for told in seen.told} == {"Avery", "Brooks"}
    first = page.people.model.index(0, 0)
    assert first.data() == department.pseudonyms()[seen.told[0].author]
    assert "Avery" not in page.next.text()
    page.people.select_row(0)
    with qtbot.waitSignal(shell.go_wanted) as asked, qtbot.waitSignal(shell.choose_wanted) as chosen:
        page.people.view.clicked.emit(page.people.proxy.index(0, 0))
    assert asked.args == ["results", {"tab": "this"}]
    assert chosen.args == [Selection(seen.told[0].author, seen.told[0].topic)]


def test_a_line_is_what_the_sheet_opens_with_of_all_its_findings(
    qtbot: QtBot, shell: Shell, department: Department, show_page: Show
) -> None:
    seen = _seen(qtbot, show_page(HomePage, shell))
    for told in seen.told:
        data = department.pages.input(told.author)
        said = of_author(judge_input(data, department.settings.min_phrase_n), own=False)
        assert (told.said, told.n) == (said.sentence, sum(r.n for r in data.reliabilities))
        assert shell.opened.view(Group(told.author, told.topic)) is not None
    assert len(seen.told) == 2


def test_up_to_eight_radiologists_are_seen_without_scrolling(qtbot: QtBot, shell: Shell, show_page: Show) -> None:
    page = show_page(HomePage, shell)
    page._show(replace(_seen(qtbot, page), told=_seen(qtbot, page).told * 4))
    bar = page.people.view.verticalScrollBar()
    qtbot.waitUntil(lambda: page.people.model.rowCount() == 8 and bar.maximum() == 0)


def test_it_says_what_came_since_the_last_visit(
    qtbot: QtBot, shell: Shell, department: Department, show_page: Show
) -> None:
    past = department.importing.history()[0]
    visit(department.path)
    for key in preferences().allKeys():
        if key.startswith("visits/"):
            preferences().setValue(key, (past.at - timedelta(days=1)).isoformat())
    page = show_page(HomePage, shell)
    _seen(qtbot, page)
    assert f"{past.new:,} new reports since you were last here" in page.sentence.text()
    again = show_page(HomePage, shell)  # the visit is noted
    _seen(qtbot, again)
    assert "Last import" in again.sentence.text()


def test_a_feed_has_a_line_and_leads_to_what_could_not_be_read(
    qtbot: QtBot,
    shell: Shell,
    department: Department,
    show_page: Show,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = show_page(HomePage, shell)
    _seen(qtbot, page)
    assert not page.feed.isVisible()  # where nothing comes in by itself
    assert not page.see_failed.isVisible()
    (tmp_path / "in" / "error").mkdir(parents=True)
    for name in ("bad.csv", "bad.csv.reason.txt"):
        (tmp_path / "in" / "error" / name).write_text("x")
    (tmp_path / "in" / "waits.csv").write_text("x")
    past = replace(department.importing.history()[0], at=datetime.now(UTC), new=214, changed=0)
    keep(department, tmp_path / "in", [past], [Failed("bad.csv", "It is no table.")])
    page.refresh()
    _seen(qtbot, page)
    text = page.feed.text()
    assert text.startswith("Feed: 214 reports today, last on ")
    assert text.endswith("; 1 file or message waits; 1 file could not be read.")
    assert page.see_failed.toolTip() == "It is no table."
    opened: list[Path] = []
    monkeypatch.setattr("ui.pages.home.page.open_file", opened.append)
    page.see_failed.click()
    assert opened == [tmp_path / "in" / "error"]
    (tmp_path / "in" / "error" / "bad.csv").unlink()
    page.refresh()
    _seen(qtbot, page)
    assert not page.see_failed.isVisible()
    department.workspace.delete_result("feed", "status")


def test_without_a_workspace_it_offers_the_ways_in_and_with_one_below_a_heading(
    qtbot: QtBot, make_shell: Callable[..., Shell], show_page: Show, chest: Path
) -> None:
    shell = make_shell()
    page = show_page(HomePage, shell, None)
    assert page.ways.isVisible()
    assert not page.others.heading.isVisible()
    page.ways.show_recent([chest])
    (more,) = (b for b in page.ways.findChildren(QToolButton) if b is page.ways.menu_of(chest))
    with qtbot.waitSignal(page.ways.restore) as asked:
        more.menu().actions()[0].trigger()
    assert asked.args == [chest]
    shell.session.open_workspace(chest, "correct horse battery", print)
    qtbot.waitUntil(lambda: shell.opened is not None and shell.tasks.is_idle)
    assert not page.ways.isVisible()
    page.others.heading.click()
    assert page.ways.isVisible()
