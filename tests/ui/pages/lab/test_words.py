"""The tab on the meaning of words: a model is asked, people are read, and what was found is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from radcal.department import Department
from radcal.lab.model_perception import Perceptions
from radcal.lab.perception import Agreement, Estimate
from radcal.lab.responses import meanings
from radcal.system.errors import EngineError
from radcal.system.progress import SILENT, Progress
from radcal.words.editing import named
from radcal.words.phrases import mean_of
from ui.kit.column import EXPORT
from ui.pages.lab.ask_tab import AskTab
from ui.pages.words.page import WordsPage
from ui.shell import Shell

SHIFT = 20
REFERENCE = meanings("radiologists")


class Scripted:
    """Reads every word 20 points below the radiologists, or as 50 %; named after its file."""

    notes = ()

    def __init__(self, path: Path, *_: Any) -> None:
        self.model = path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def start(self, progress: Progress) -> None:
        if self.model.stem == "broken":
            raise EngineError("llama.cpp could not load it.")
        while self.model.stem == "endless":
            progress.raise_if_cancelled()
            time.sleep(0.001)

    def model_hash(self) -> str:
        return f"hash of {self.model.name}"

    def number_distribution(
        self, texts: Sequence[str], progress: Progress = SILENT, lead: str | None = None
    ) -> NDArray[np.float64]:
        rows = np.zeros((len(texts), 101))
        for row, text in zip(rows, texts, strict=True):
            progress.raise_if_cancelled()
            word = text.rpartition('answered: "')[2].partition('"')[0]
            meant = REFERENCE.get(word)
            row[50 if meant is None else max(round(meant.places @ meant.weights) - SHIFT, 0)] = 1.0
            progress.advance()
        return rows

    def option_distribution(
        self, messages: Sequence[str], options: Sequence[str], lead: str = "", progress: Progress = SILENT
    ) -> NDArray[np.float64]:
        """It calls everything true."""
        return np.array([[0.8, 0.1, 0.1]] * len(messages))


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radcal.findings.model.local_model.LocalModel", Scripted)


@pytest.fixture
def show(qtbot: QtBot, shell: Shell) -> Callable[[], AskTab]:
    def make() -> AskTab:
        tab = AskTab(shell)
        tab.about.setCurrentIndex(1)
        tab.take_model("/models/any.gguf")
        qtbot.addWidget(tab)
        tab.resize(1180, 640)
        tab.show()
        assert shell.opened is not None
        tab.show_department(shell.opened)
        qtbot.waitUntil(lambda: shell.tasks.is_idle)
        return tab

    return make


def wait(qtbot: QtBot, tab: AskTab) -> None:
    qtbot.waitUntil(lambda: tab.start.isEnabled() and tab.shell.tasks.is_idle)


@pytest.mark.usefixtures("scripted")
def test_a_model_is_asked_shown_and_kept(qtbot: QtBot, show: Callable[[], AskTab]) -> None:
    tab = show()
    assert "as radiologists mean it?" in tab.words.sentence.text()
    tab.take_model("/models/other.gguf")
    tab.start.click()
    assert not tab.start.isEnabled()
    wait(qtbot, tab)
    assert tab.words.sentence.text().startswith("This model reads")
    assert "where radiologists mean" in tab.words.sentence.text()
    assert tab.words.model.rowCount() == len(REFERENCE)
    likely = next(a for a in tab.words.model.rows if a.expression == "likely")
    assert (round(likely.reference_mean), likely.mean.value, likely.reference_n, likely.n) == (77, 57, 50, 10)
    assert tab.words.plot.count == len(REFERENCE) * 42
    note = tab.words.note.text().replace("\xa0", " ")
    assert "By its likeliest number alone: agreement" in note
    assert "calls 100 % (57\u2013100) of the true statements true, 0 % (0\u201343) of the false ones false" in note
    assert tab.words.results.isVisible()
    again = show()  # as after opening the workspace anew
    assert again.words.sentence.text() == tab.words.sentence.text()


@pytest.mark.usefixtures("scripted")
def test_the_latest_of_several_is_shown_and_earlier_ones_can_be_chosen(
    qtbot: QtBot, show: Callable[[], AskTab], tmp_path: Path
) -> None:
    tab = show()
    tab.start.click()
    wait(qtbot, tab)
    first = tab.words.sentence.text()
    answers = tmp_path / "people.csv"
    answers.write_text("participant,expression,response\nA,likely,75\nB,likely,85\nB,odd,1\n", encoding="utf-8")
    tab.words.read_people(str(answers))
    wait(qtbot, tab)
    assert tab.words.sentence.text().startswith("These people read")
    assert "people.csv, row 4" in tab.words.note.text()
    assert tab.words.kept.count() == 2
    tab.words.kept.setCurrentIndex(1)
    tab.words.kept.activated.emit(1)
    assert tab.words.sentence.text() == first


@pytest.mark.usefixtures("scripted")
def test_a_file_of_answers_is_a_reference(qtbot: QtBot, show: Callable[[], AskTab], tmp_path: Path) -> None:
    tab = show()
    reference = tmp_path / "ours.csv"
    reference.write_text("participant,expression,response\nA,likely,57\nB,likely,57\n", encoding="utf-8")
    tab.words.take_reference(str(reference))
    tab.start.click()
    wait(qtbot, tab)
    assert "ours.csv" in tab.words.sentence.text()
    assert "no word is shown to differ" in tab.words.sentence.text()


@pytest.mark.usefixtures("scripted")
def test_asking_can_be_cancelled_and_a_failure_is_told(qtbot: QtBot, show: Callable[[], AskTab]) -> None:
    tab = show()
    tab.take_model("/models/endless.gguf")
    tab.start.click()
    tab.shell.tasks.cancel("perception")
    wait(qtbot, tab)
    assert tab.words.model.rowCount() == 0
    tab.take_model("/models/broken.gguf")
    tab.start.click()
    wait(qtbot, tab)
    assert tab.shell.messages.shown()


def test_the_ways_to_other_files_leave_the_choice_as_it_was(
    show: Callable[[], AskTab], monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = show()
    asked: list[str] = []
    for module in ("ask_tab", "words_pane"):
        monkeypatch.setattr(f"ui.pages.lab.{module}.ask_open", lambda _tab, title, *_: asked.append(title))
    for box in (tab.model, tab.words.reference):
        box.setCurrentIndex(box.count() - 1)
        box.activated.emit(box.count() - 1)
        assert box.currentIndex() == 0
    tab.words.people.click()
    assert asked == ["Choose a model file: a chat or base model in GGUF.", *["Choose a file of answers"] * 2]


@pytest.mark.usefixtures("scripted")
def test_the_models_reading_is_a_source_of_meanings(
    qtbot: QtBot, shell: Shell, department: Department, show_page: Callable[..., Any]
) -> None:
    Perceptions(department).ask_model(Path("/models/other.gguf"), most=4)
    page = show_page(WordsPage, shell)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page._built)
    page.meanings.choose("likely")
    editor = page.meanings.editor
    actions = editor.take.menu().actions()
    assert "Survey of 123 people" in actions[1].text()
    assert actions[-1].text().startswith("other.gguf, a language model: 57")
    before = page.desk.lexicon
    actions[-1].trigger()
    taken = named(page.desk.lexicon, "likely")
    assert mean_of(taken) == pytest.approx(0.57)
    assert taken.synonyms == named(before, "likely").synonyms
    assert "language model" in taken.source
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert mean_of(named(department.lexicon, "likely")) == pytest.approx(0.57)
    page.undo_stack.undo()
    assert page.desk.lexicon == before
    qtbot.waitUntil(lambda: shell.tasks.is_idle)  # it is kept before the page goes


def test_a_figure_without_an_interval_is_missing_and_exported_empty(show: Callable[[], AskTab]) -> None:
    tab = show()
    known, alone = Estimate(0.5, 0.4, 0.6), Estimate(0.5)
    words = [Agreement("likely", 1, 1, 50, alone, 77.0, *[figure] * 4) for figure in (known, alone)]
    tab.words.model.set_rows(words)
    cells = [[tab.words.model.index(row, column).data(EXPORT) for column in range(3, 6)] for row in range(2)]
    assert cells == [[(0.5, 0.4, 0.6)] * 3, [("", "", "")] * 3]
    assert tab.words.model.index(1, 3).data() == "not enough data"
