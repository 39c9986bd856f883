"""Asking a model in the window: over a scripted one, whose answers and figures are known."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from radcal.lab.asking import run as asked
from radcal.lab.asking.run import Opened
from radcal.system.errors import EngineError
from ui.pages.lab.ask_tab import AskTab
from ui.pages.lab.question_models import RIGHT
from ui.pages.lab.questions_pane import QuestionsPane
from ui.window.main_window import MainWindow

N = 40


class Scripted:
    """Answers every third question wrongly, does not know the sixth, and fails at the eighth."""

    asked = 0

    def _number(self, message: str) -> int:
        return int(message.rpartition("Question: Number ")[2].split("?")[0])

    def write(self, message: str, lead: str, *, most: int, stops: Sequence[str], samples: int = 1) -> list[str]:
        n = self._number(message)
        Scripted.asked += 1
        if n == 8:
            raise EngineError("The model stopped.")
        said = "I don't know." if n == 6 else "something else" if n % 3 == 0 else str(n)
        return [said] * samples

    def weigh(self, message: str, lead: str, options: Sequence[str]) -> np.ndarray:
        return np.array([1.0 if option == 'likely"' else 0.0 for option in options])

    def numbers(self, message: str, lead: str) -> np.ndarray:
        return np.eye(101)[25 if self._number(message) % 3 == 0 else 85]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "numbers.csv"
    path.write_text("question,answer\n" + "".join(f"Number {n}?,{n}\n" for n in range(N)) + "No answer?,\n")
    return path


@pytest.fixture
def tab(open_window: Callable[..., MainWindow], chest: Path, questions: Path, monkeypatch: Any) -> AskTab:
    """The tab in a window, ready to ask a scripted model."""

    @contextmanager
    def opened(path: Path, how: Any, settings: Any, progress: Any) -> Any:
        yield Opened(Scripted(), path.stem, lambda: ())

    monkeypatch.setattr(asked, "open_model", opened)
    window = open_window(chest)
    window.show_page("lab", {"tab": "ask"})
    made: AskTab = window.page("lab").asking
    made.take_model("tiny.gguf")
    made.questions.questions.setText(str(questions))
    return made


@pytest.fixture
def pane(tab: AskTab) -> QuestionsPane:
    """Its pane of questions."""
    return tab.questions


def ticked(index: Any) -> bool:
    return Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked


def ask(qtbot: QtBot, tab: AskTab) -> None:
    qtbot.mouseClick(tab.start, Qt.MouseButton.LeftButton)
    assert not tab.start.isEnabled()
    qtbot.waitUntil(lambda: not tab.questions.is_asking)


def test_a_model_is_asked_and_its_figures_and_answers_shown(qtbot: QtBot, tab: AskTab, pane: QuestionsPane) -> None:
    assert pane.asked is None
    assert "Nothing leaves the machine" in pane.about.text()
    ask(qtbot, tab)
    assert pane.figures_model.rowCount() == 2
    assert pane.answers_model.rowCount() == 2 * (N - 1)
    assert f"{2 * (N - 1)} answers to {N} questions" in pane.about.text()
    assert "1 row of the file is no question." in pane.failures.text()
    assert "2 answers failed." in pane.failures.text()
    assert "The model stopped." in pane.failures.text()
    phrase, probability = pane.figures_model.rows
    assert (phrase.n, phrase.abstained) == (N - 1, 1)
    assert probability.auroc.value == pytest.approx(1.0)
    shown = [pane.answers_model.index(12, column).data() for column in range(5)]
    assert shown == ["Number 6?", "I don't know.", "gave none", "\u2013", ""]


def test_what_a_person_decides_is_kept_counted_and_taken_back(qtbot: QtBot, tab: AskTab, pane: QuestionsPane) -> None:
    ask(qtbot, tab)
    index = pane.answers_model.index(0, RIGHT)
    before = pane.figures_model.rows[0].accuracy.value
    assert pane.answers_model.setData(index, Qt.CheckState.Checked.value, Qt.ItemDataRole.CheckStateRole)
    qtbot.waitUntil(lambda: ticked(index))
    assert pane.answers_model.row(0).decided == "by hand"
    assert pane.figures_model.rows[0].accuracy.value == pytest.approx(before + 1 / (N - 1))
    pane.shell.undo.undo()
    qtbot.waitUntil(lambda: not ticked(index))
    assert pane.figures_model.rows[0].accuracy.value == pytest.approx(before)
    asked_before = Scripted.asked
    ask(qtbot, tab)  # only what failed is asked again
    assert Scripted.asked - asked_before == 2
    assert pane.answers_model.row(0).decided == "by hand"


def test_an_abstention_cannot_be_decided_about(qtbot: QtBot, tab: AskTab, pane: QuestionsPane) -> None:
    ask(qtbot, tab)
    flags = [
        bool(pane.answers_model.flags(pane.answers_model.index(row, RIGHT)) & Qt.ItemFlag.ItemIsUserCheckable)
        for row in (12, 0)
    ]
    assert flags == [False, True]


def test_the_answers_are_there_when_the_workspace_is_opened_again(
    qtbot: QtBot, tab: AskTab, pane: QuestionsPane, open_window: Callable[..., MainWindow], chest: Path
) -> None:
    ask(qtbot, tab)
    stored = pane.asked
    opened = pane.shell.opened
    assert opened is not None
    assert asked.AskedModels(opened.department).stored() == stored
    pane._show_asked(None)
    pane.show_department(opened)
    qtbot.waitUntil(lambda: pane.asked is not None)
    assert pane.asked == stored


def test_stopping_keeps_what_was_answered(qtbot: QtBot, tab: AskTab, pane: QuestionsPane, monkeypatch: Any) -> None:
    real = Scripted.write

    def stopping(self: Scripted, message: str, *args: Any, **more: Any) -> list[str]:
        if self._number(message) == 5:
            pane.shell.tasks.cancel("ask a model")
        return real(self, message, *args, **more)

    monkeypatch.setattr(Scripted, "write", stopping)
    qtbot.mouseClick(tab.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not pane.is_asking and pane.asked is not None)
    assert pane.asked is not None
    assert not pane.asked.complete
    assert 10 <= len(pane.asked.asking.answers) <= 12
    assert "ask again to go on" in pane.about.text()
    monkeypatch.setattr(Scripted, "write", real)
    ask(qtbot, tab)
    assert pane.asked.complete


def test_what_is_missing_is_said_on_the_button(qtbot: QtBot, tab: AskTab, pane: QuestionsPane) -> None:
    pane.questions.clear()
    assert not tab.start.isEnabled()
    assert "file of questions" in tab.start.toolTip()
    pane.questions.setText("q.csv")
    assert tab.start.isEnabled()
    for box in pane.ways.values():
        box.setChecked(False)
    assert "way of asking" in tab.start.toolTip()
    tab.model.setCurrentIndex(tab.model.findData("other"))
    tab._show_state()
    assert "model file" in tab.start.toolTip()
    tab.ask()
    assert not pane.is_asking


def test_a_failure_is_told_and_nothing_is_changed(
    qtbot: QtBot, tab: AskTab, pane: QuestionsPane, monkeypatch: Any
) -> None:
    pane.questions.setText("nowhere.csv")
    ask(qtbot, tab)
    qtbot.waitUntil(lambda: tab.start.isEnabled())
    assert pane.asked is None


def test_the_answers_are_saved_as_the_command_writes_them(
    qtbot: QtBot, tab: AskTab, pane: QuestionsPane, tmp_path: Path, monkeypatch: Any
) -> None:
    ask(qtbot, tab)
    out = tmp_path / "saved.jsonl"
    monkeypatch.setattr(pane.shell, "save_file", lambda title, name, kinds, make: pane.shell.write_file(str(out), make))
    qtbot.mouseClick(pane.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(out.exists)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(rows) == 2 * (N - 1)
    assert {row["author"] for row in rows} == {"tiny (phrase)", "tiny (probability)"}
