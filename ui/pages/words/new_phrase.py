"""Dialog for a new phrase and its mean."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit, QWidget

from radcal.words.editing import LEAST_MEAN, MOST_MEAN
from ui.kit.dialog import FormDialog
from ui.kit.text import show_text
from ui.words import say


class NewPhraseDialog(FormDialog):
    """``wanted`` carries (words, mean); the receiver closes the dialog or calls ``show_reason``."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.words = QLineEdit()
        self.mean = QDoubleSpinBox()
        self.mean.setRange(100 * LEAST_MEAN, 100 * MOST_MEAN)
        self.mean.setDecimals(1)
        self.mean.setSuffix("\u00a0%")
        self.mean.setValue(50)
        fields = (say("&Word"), self.words), (say("&How sure it sounds"), self.mean)
        super().__init__(say("Add a word"), say("&Add"), fields, parent)
        self.hint.setProperty("role", "error")
        self.hint.hide()
        self.words.textChanged.connect(self.look)

    @Slot()
    def look(self, *_: object) -> None:
        self.go.setEnabled(bool(self.words.text().strip()))
        self.hint.hide()

    def accept(self) -> None:
        """Hand on what was entered; whoever takes it closes the dialog."""
        self.wanted.emit((self.words.text(), self.mean.value() / 100))

    @Slot(object)
    def show_reason(self, reason: str) -> None:
        """Say why the phrase cannot be added."""
        show_text(self.hint, reason)
