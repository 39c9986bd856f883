"""The Lab page goes where it is told, and asks about one thing at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from ui.window.main_window import MainWindow


def test_one_thing_is_asked_about_at_a_time(qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path) -> None:
    window = open_window(chest)
    window.show_page("lab")
    page = window.page("lab")
    assert page.tabs.currentWidget() is page.answers
    assert "How sure language models say they are" in page.sentence.text()
    window.shell.go("lab", tab="ask")
    tab = page.asking
    assert tab.isVisible()
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
