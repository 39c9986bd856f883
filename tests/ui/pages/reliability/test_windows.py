"""Other pairing windows, asked for by a click."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from radcal.advice.sensitivity import Windows
from radcal.department import Department
from radcal.system.errors import DataError
from radcal.system.selection import Selection
from ui.pages.reliability.page import ReliabilityPage
from ui.shell import Shell
from ui.words import decimal_interval

Show = Callable[..., Any]


@pytest.fixture
def page(qtbot: QtBot, shell: Shell, show_page: Show) -> ReliabilityPage:
    made: ReliabilityPage = show_page(ReliabilityPage, shell)
    made.arrive(tab=3)
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    return made


def ask(page: ReliabilityPage, qtbot: QtBot) -> None:
    page.windows.pair.click()
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle and page.windows.note.isVisible())


def column(page: ReliabilityPage, number: int) -> list[str]:
    model = page.windows.table.model
    return [str(model.index(r, number).data()) for r in range(model.rowCount())]


def test_nothing_is_paired_before_it_is_asked_for(page: ReliabilityPage) -> None:
    assert not page.windows.table.isVisible()


def test_every_window_has_its_figures(page: ReliabilityPage, qtbot: QtBot, department: Department) -> None:
    before = department._workspace.pairs()
    ask(page, qtbot)
    assert column(page, 0) == ["3 h", "6 h", "12 h (now)", "24 h"]
    # All CTs were made two hours later.
    assert len({*column(page, 1)}) == 1
    own = department.groups.reliability(Selection("Avery", "edema"))
    assert {*column(page, 3)} == {f"{own.n:.0f}"}
    assert {*column(page, 4)} == {decimal_interval(own.word_error, own.word_error_low, own.word_error_high)}
    assert column(page, 5) == ["none", "none", "", "none"]
    assert page.windows.note.text().startswith("No verdict hangs on the window.")
    assert department._workspace.pairs().equals(before)


def test_another_selection_is_another_question(page: ReliabilityPage, qtbot: QtBot, shell: Shell) -> None:
    ask(page, qtbot)
    shell.set_selection(Selection("Brooks", "edema"))
    qtbot.waitUntil(lambda: not page.windows.table.isVisible())
    ask(page, qtbot)
    assert {*column(page, 3)} == {"155"}


def test_what_changes_and_what_was_not_read_is_told(
    page: ReliabilityPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Windows.compare

    def changed(self: Windows, *rest: Any) -> Any:
        found = whole(self, *rest)
        narrow, *others = found.windows
        group = replace(narrow.groups[0], word_error=None, word_error_low=None)
        narrow = replace(narrow, groups=(group,))
        wide = replace(others[-1], n_unread=7)
        words = [
            VerdictChange("Avery", "edema", word, 3.0, "matches", after)
            for word, after in (("likely", "undecided"), ("may represent", ""))
        ]
        return replace(found, windows=(narrow, *others[:-1], wide), changes=tuple(words))

    from radcal.reliability.sensitivity_records import VerdictChange

    monkeypatch.setattr(Windows, "compare", changed)
    ask(page, qtbot)
    said = page.windows.note.text()
    assert said.startswith("Single words are judged otherwise within 3 h.")
    assert "Up to 7 pairs have a report that was never read." in said
    assert column(page, 4)[0] == "not enough data"
    assert column(page, 5)[0] == "\u201clikely\u201d undecided and \u201cmay represent\u201d not said"


def test_a_failure_is_told_in_its_place(page: ReliabilityPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise DataError("There are no reports yet. Import report files first.")

    monkeypatch.setattr(Windows, "compare", fail)
    ask(page, qtbot)
    assert page.windows.note.text() == "There are no reports yet. Import report files first."
    assert not page.windows.table.isVisible()
