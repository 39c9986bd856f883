"""The Models page tells its tabs what the window tells it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from ui.pages.models.tab import ModelsTab
from ui.window.main_window import MainWindow


class _Told(ModelsTab):
    """Writes down what it is told."""

    def __init__(self, shell: Any, log: list[str]) -> None:
        super().__init__(shell)
        self.log = log

    def show_department(self, opened: Any) -> None:
        self.log.append("department")

    def arrive(self, **where: Any) -> None:
        self.log.append(f"arrive {where}" if where else "arrive")

    def leave(self) -> None:
        self.log.append("leave")


@pytest.fixture
def told(open_window: Callable[..., MainWindow], chest: Path) -> tuple[MainWindow, list[str], list[str]]:
    """A window, and what a tab after the real ones hears, and one after that."""
    window = open_window(chest)
    page = window.page("models")
    logs: tuple[list[str], list[str]] = ([], [])
    for log in logs:
        tab = _Told(window.shell, log)
        page.parts = (*page.parts, tab)
        page.tabs.addTab(tab, "more")
    return window, *logs


def test_a_tab_hears_of_coming_and_going(qtbot: QtBot, told: tuple[MainWindow, list[str], list[str]]) -> None:
    window, first, second = told
    page = window.page("models")
    place = page.tabs.count() - 2
    window.shell.go("models", tab=place, phrase="likely")
    assert first == ["arrive {'phrase': 'likely'}"]
    page.tabs.setCurrentIndex(place + 1)
    assert (first[1:], second) == (["leave"], ["arrive"])
    window.show_page("help")
    assert second[1:] == ["leave"]
    page.tabs.setCurrentIndex(place)  # in the background
    assert len(first) == 2
    window.show_page("models")
    assert first[2:] == ["arrive"]
    assert len(second) == 2


def test_all_tabs_hear_of_the_workspace(qtbot: QtBot, told: tuple[MainWindow, list[str], list[str]]) -> None:
    window, first, second = told
    window.page("models").show_department(window.shell.opened)
    assert first == second == ["department"]


def test_the_page_opens_on_a_tab_that_has_something_unless_another_was_chosen(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path
) -> None:
    window = open_window(chest)
    page = window.page("models")
    window.show_page("models")
    assert page.tabs.currentWidget() is page.answers
    page.perception.filled.emit(page.perception)
    assert page.tabs.currentWidget() is page.perception
    page.asking.filled.emit(page.asking)
    assert page.tabs.currentWidget() is page.perception, "it has something"
    page.tabs.setCurrentWidget(page.answers)
    page.asking.filled.emit(page.asking)
    assert page.tabs.currentWidget() is page.answers, "chosen"
