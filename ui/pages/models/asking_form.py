"""Which model is asked which questions, and how."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QLineEdit, QSpinBox

from radcal.findings.engines import models_at_hand
from radcal.lab.asking.run import FEWEST_SAMPLES, MOST_SAMPLES, SAMPLES, WAYS, HowToAsk
from ui.kit.action import tool_button
from ui.kit.files import ask_open
from ui.kit.layout import Item, hbox, panel, scrolled, vbox
from ui.kit.text import caption, label
from ui.pages.models.asking_models import way_meaning, way_name
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from radcal.lab.asking.asker import Way

_USUAL: tuple[Way, ...] = ("phrase", "probability")


class AskingForm(QFrame):
    """The choice of model, questions and ways of asking.

    changed: something was chosen
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.model = QComboBox(editable=True)
        line = QLineEdit(placeholderText=say("model.gguf"))
        self.model.setLineEdit(line)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.model.addItems([str(path) for path in models_at_hand(shipped=False)])
        self.model.setCurrentIndex(0 if self.model.count() else -1)
        self.model.editTextChanged.connect(self.changed)
        self.questions = QLineEdit(placeholderText=say("questions.csv"))
        self.judge = QLineEdit(placeholderText=say("model.gguf"))
        for field in (self.questions, self.judge):
            field.textChanged.connect(self.changed)
        self.ways: dict[Way, QCheckBox] = {}
        for way in WAYS:
            box = self.ways[way] = QCheckBox(way_name(way))
            box.setToolTip(way_meaning(way))
            box.setChecked(way in _USUAL)
            box.toggled.connect(self.changed)
        self.samples = QSpinBox(minimum=FEWEST_SAMPLES, maximum=MOST_SAMPLES, value=SAMPLES)
        self.samples.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls the form
        self.model.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        ways = vbox(*self.ways.values(), spacing=2)
        content = panel(
            vbox(
                *self._file(
                    say("Mo&del"), self.model, say("Choose the model file"), say("Models (*.gguf)"), self.take_model
                ),
                *self._file(
                    say("&Questions"),
                    self.questions,
                    say("Choose a file with the columns question, answer and topic"),
                    say("Questions (*.csv *.tsv *.txt *.jsonl *.json)"),
                    self.questions.setText,
                ),
                4,
                label(say("How sure it is, told by"), role="strong"),
                ways,
                hbox(caption(say("Answers at &random"), self.samples), None, self.samples),
                4,
                *self._file(
                    say("&Judge"),
                    self.judge,
                    say("Choose the judge\u2019s file"),
                    say("Models (*.gguf)"),
                    self.judge.setText,
                ),
                None,
                spacing=4,
            )
        )
        vbox(scrolled(content), parent=self, margins=(12, 8, 4, 8))
        self.judge.setToolTip(
            say("Another model that says whether answers mean the same and are right. Without one, their words decide.")
        )
        self._content = content

    def _file(
        self, name: str, field: QWidget, title: str, kind: str, take: Callable[[str], object]
    ) -> tuple[Item, Item]:
        """The caption of a field for a file, and the field with its button."""
        browse = tool_button("\u2026", lambda: ask_open(self, title, (kind,), take), tip=title)
        field.setMinimumWidth(80)
        return caption(name, field, role="strong"), hbox((field, 1), browse, spacing=4)

    @Slot(str)
    def take_model(self, path: str) -> None:
        """Enter the path of a model file."""
        self.model.setEditText(path)

    def set_locked(self, locked: bool) -> None:
        """Lock the choice while the model is asked."""
        self._content.setEnabled(not locked)

    def why_not(self) -> str:
        """What is missing before the model can be asked, '' if nothing."""
        if not self.model.currentText().strip():
            return say("Choose a model file: a chat or base model in GGUF.")
        if not self.questions.text().strip():
            return say("Choose a file of questions.")
        if not self._ways():
            return say("Tick at least one way of asking.")
        return ""

    def chosen(self) -> tuple[Path, HowToAsk]:
        """The questions, and how they are asked."""
        judge = self.judge.text().strip()
        how = HowToAsk(
            Path(self.model.currentText().strip()),
            self._ways(),
            samples=self.samples.value(),
            judge=Path(judge) if judge else None,
        )
        return Path(self.questions.text().strip()), how

    def _ways(self) -> tuple[Way, ...]:
        return tuple(way for way, box in self.ways.items() if box.isChecked())
