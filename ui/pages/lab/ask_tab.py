"""A language model on this computer is asked: questions of one's own, or what certainty words mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from radcal.findings.engines import models_at_hand
from ui.kit.action import enable, push_button
from ui.kit.files import ask_open
from ui.kit.form import choice, labelled
from ui.kit.layout import FlowLayout, panel, vbox
from ui.pages.lab.pane import MODELS, Pane, which_model
from ui.pages.lab.questions_pane import QuestionsPane
from ui.pages.lab.words_pane import WordsPane
from ui.sentences import read_only_reason
from ui.widgets.perception_sentences import model_name
from ui.words import say

if TYPE_CHECKING:
    from ui.records import Opened
    from ui.shell import Shell

OTHER = "other"
"""In place of the path of a model: another one is looked for."""


class AskTab(QWidget):
    """Who is asked about what, and below it the pane of that."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.shell = shell
        self.questions, self.words = QuestionsPane(shell), WordsPane(shell)
        self.panes: tuple[Pane, ...] = (self.questions, self.words)
        self.about = choice("", (say("questions of your own"), 0), (say("what certainty words mean"), 1))
        self.model = choice("")
        self.start = push_button(say("Ask &now"), self.ask, primary=True)
        self.stack = QStackedWidget()
        for pane in self.panes:
            self.stack.addWidget(pane)
            pane.changed.connect(self._show_state)
        row = FlowLayout(spacing=8)
        row.addWidget(panel(labelled(say("A&bout"), self.about)))
        row.addWidget(panel(labelled(say("Mo&del"), self.model)))
        row.addWidget(self.start)
        vbox(row, (self.stack, 1), parent=self, margins=(0, 12, 0, 0))
        self._fill_models()
        self.about.currentIndexChanged.connect(self._turned)
        self.model.activated.connect(self._model_chosen)
        self._show_state()

    @property
    def _path(self) -> str:
        """Of the chosen model; '' for none."""
        chosen = str(self.model.currentData())
        return "" if chosen == OTHER else chosen

    @property
    def pane(self) -> Pane:
        """What is asked about."""
        return self.panes[self.stack.currentIndex()]

    def show_department(self, opened: Opened) -> None:
        """A workspace was opened, or its results changed."""
        for pane in self.panes:
            pane.show_department(opened)
        self._show_state()

    @Slot(str)
    def take_model(self, path: str) -> None:
        """Choose a model file."""
        self._fill_models(path)
        self._show_state()

    @Slot()
    def ask(self) -> None:
        """Ask the chosen model."""
        if not self._why_not():
            self.pane.ask(Path(self._path))

    def _fill_models(self, chosen: str = "") -> None:
        known = [str(path) for path in models_at_hand(shipped=self.pane.with_shipped)]
        if chosen and chosen not in known:
            known.append(chosen)
        with QSignalBlocker(self.model):
            self.model.clear()
            for path in known:
                self.model.addItem(model_name(Path(path).name), path)
            self.model.addItem(say("choose a file\u2026"), OTHER)
            self.model.setCurrentIndex(max(self.model.findData(chosen), 0))

    @Slot()
    def _model_chosen(self, *_: object) -> None:
        if self.model.currentData() == OTHER:
            self.model.setCurrentIndex(0)
            ask_open(self, which_model(), (MODELS,), self.take_model)
        self._show_state()

    @Slot(int)
    def _turned(self, place: int) -> None:
        self.stack.setCurrentIndex(place)
        self._fill_models(self._path)
        self._show_state()

    def _why_not(self) -> str:
        opened = self.shell.opened
        if opened is not None and opened.read_only:
            return read_only_reason()
        if any(pane.is_asking for pane in self.panes):
            return say("The model is being asked.")
        if not self._path:
            return which_model()
        return self.pane.why_not()

    @Slot()
    def _show_state(self) -> None:
        enable(self.start, self._why_not())
        free = not any(pane.is_asking for pane in self.panes)
        for box in (self.about, self.model):
            box.setEnabled(free)
