"""The Answers tab: from a file to the table, the picture, the workspace, and out again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from radcal.lab.recalibrating import METHODS
from radcal.system.selection import Selection
from ui.pages.lab.answers_tab import AnswersTab
from ui.window.main_window import MainWindow

SAID: dict[str, tuple[object, ...]] = {"gpt": (0.9, 0.99, 1.0), "llama": ("likely", "unlikely", "present")}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Answers of two models that are right in half of the cases, three without a verdict, and words of no list."""
    rows = [
        {"author": model, "topic": "quiz", "confidence": words[i % 3], "correct": i // 3 % 2 == 0}
        for model, words in SAID.items()
        for i in range(60)
    ]
    rows += [{"author": "gpt", "confidence": 0.5, "correct": None}] * 3
    rows += [{"author": "gpt", "topic": "quiz", "confidence": "as sure as eggs", "correct": True}]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture
def window(qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path) -> MainWindow:
    made = open_window(chest)
    made.show_page("lab")
    qtbot.waitUntil(lambda: made.tasks.is_idle)
    return made


def tab_of(window: MainWindow) -> AnswersTab:
    tab: AnswersTab = window.page("lab").answers
    return tab


def opened(qtbot: QtBot, window: MainWindow, file: Path) -> AnswersTab:
    tab = tab_of(window)
    tab.open_files([str(file)])
    qtbot.waitUntil(lambda: tab.measured is not None and window.tasks.is_idle)
    return tab


def cells(tab: AnswersTab, row: int) -> list[str]:
    return [tab.model.index(row, c).data() for c in range(tab.model.columnCount())]


def test_without_a_file_the_tab_says_what_it_takes(window: MainWindow) -> None:
    tab = tab_of(window)
    assert tab.nothing.isVisible()
    assert not tab.content.isVisible()
    assert "confidence" in tab.nothing.text.text()


def test_a_file_is_measured_told_and_pictured(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    tab = opened(qtbot, window, file)
    assert tab.content.isVisible()
    assert tab.overview.text().startswith("2 models gave 120 answers: they say they are ")
    assert "3 rows were left out; the first is row 121 of answers.jsonl" in tab.left_out.text()
    assert "1 answer says words in no list (\u201cas sure as eggs\u201d); add them under Words" in tab.left_out.text()
    assert [row.speaker.author for row in tab.model.rows] == ["gpt", "llama"]
    first = cells(tab, 0)
    assert first[:5] == ["gpt", "quiz", "60", "96\u00a0%", "50\u00a0%"]
    assert all("(" in cell for cell in first[5 : 5 + len(METHODS)])
    about = tab.picture.about
    assert "gpt on quiz: says 96\u00a0% on average, right in 50\u00a0% of 60 answers." in about.text()
    qtbot.waitUntil(lambda: tab.picture.plot is not None and tab.picture.plot.isVisible())
    plot = tab.picture.plot
    assert plot is not None
    sets = plot.count
    assert "words, chosen for this model: ECE" in plot.readout(0)
    tab.score.setCurrentIndex(tab.score.findData("accuracy"))
    assert "%" in cells(tab, 0)[5]
    assert plot.count == sets
    assert "accuracy" in plot.readout(0)
    tab.table.select_row(1)
    assert "llama on quiz" in about.text()


@pytest.mark.slow
def test_models_taken_in_are_authors_until_they_are_taken_out(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    tab = opened(qtbot, window, file)
    radiologists = {group.author for group in window.shell.opened.groups}  # type: ignore[union-attr]
    tab.take.click()
    qtbot.waitUntil(lambda: window.shell.opened is not None and window.shell.opened.models == {"gpt", "llama"})
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert cells(tab, 0)[-1] == "yes"
    bar = window.selectors
    names = [bar.author.itemText(i) for i in range(bar.author.count())]
    assert names[-2:] == ["gpt", "llama"]
    tab.table.activated.emit(0)
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert window.current_key == "results"
    assert bar.current() == Selection("gpt", "quiz")
    page = window.page("results")
    assert "language model" in page.meta.text()
    assert "CT" not in page.sentence.text()
    assert not page.save.isVisible()
    assert not page.said.cases.isVisible()  # there is no text to read
    assert not page.tabs.isTabVisible(2)
    assert "60 answers" in page.meta.text()
    window.show_page("results", {"tab": "what if"})
    qtbot.waitUntil(lambda: page.what_if.found is not None and window.tasks.is_idle)
    window.shell.go("results", phrase="0.9")
    assert "no text" in page.cases.heading.text()
    window.show_page("feedback")
    assert "written for people" in window.page("feedback").empty_text
    window.show_page("department")
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert bar.topic.findData("quiz") < 0
    assert {m.name for m in window.page("department").radiologists.record.members} <= radiologists
    window.show_page("feedback", {"tab": "try"})
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    window.show_page("lab")
    tab.table.select_row(0)
    tab.give.click()
    qtbot.waitUntil(lambda: window.shell.opened is not None and window.shell.opened.models == {"llama"})
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert [cells(tab, row)[-1] for row in range(2)] == ["", "yes"]
    assert window.messages.shown() == ()


def test_what_is_in_the_workspace_is_measured_when_the_tab_is_opened_again(
    qtbot: QtBot, open_window: Callable[..., MainWindow], window: MainWindow, file: Path, chest: Path
) -> None:
    tab = opened(qtbot, window, file)
    tab.take.click()
    qtbot.waitUntil(lambda: window.shell.opened is not None and bool(window.shell.opened.models))
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    tab.measured, tab._asked = None, False
    window.show_page("help")
    window.show_page("lab")
    qtbot.waitUntil(lambda: tab.measured is not None and window.tasks.is_idle)
    assert [row.speaker.author for row in tab.model.rows] == ["gpt", "llama"]
    assert not tab.take.isVisible()
    assert tab.give.isVisible()


def test_a_file_that_cannot_be_read_says_so(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    tab = tab_of(window)
    tab.open_files([str(path)])
    qtbot.waitUntil(lambda: bool(window.messages.shown()))
    assert tab.measured is None
