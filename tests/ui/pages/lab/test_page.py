"""The Lab page opens on what there is to be seen, and goes where it is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from ui.window.main_window import MainWindow


def test_the_page_opens_on_a_tab_that_has_something_unless_another_was_chosen(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path
) -> None:
    window = open_window(chest)
    page = window.page("lab")
    window.show_page("lab")
    assert page.tabs.currentWidget() is page.answers
    assert "How sure language models say they are" in page.sentence.text()
    page.asking.filled.emit(page.asking)
    assert page.tabs.currentWidget() is page.asking
    page.answers.filled.emit(page.answers)
    assert page.tabs.currentWidget() is page.asking, "it has something"
    page._filled.clear()
    page.tabs.setCurrentWidget(page.answers)
    page.asking.filled.emit(page.asking)
    assert page.tabs.currentWidget() is page.answers, "chosen"
    window.shell.go("lab", tab="ask")
    assert page.tabs.currentWidget() is page.asking


def test_one_thing_is_asked_about_at_a_time(qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path) -> None:
    window = open_window(chest)
    window.show_page("lab", {"tab": "ask"})
    tab = window.page("lab").asking
    tab.take_model("/models/mine.gguf")
    assert "file of questions" in tab.start.toolTip()
    tab.about.setCurrentIndex(1)
    assert tab.words.isVisible()
    assert tab.start.isEnabled()
    assert tab.model.currentData() == "/models/mine.gguf"
    tab.questions.begin()
    assert not tab.start.isEnabled()
    assert not tab.model.isEnabled()
    tab.questions.end()
    assert tab.start.isEnabled()
