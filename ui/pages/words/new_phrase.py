"""Dialog for a new phrase and its mean."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QDoubleSpinBox, QFormLayout, QLineEdit, QWidget

from radcal.lexicon.editing import LEAST_MEAN, MOST_MEAN
from ui.kit.action import push_button
from ui.kit.text import show_text, wrapped
from ui.words import say


class NewPhraseDialog(QDialog):
    """``wanted`` carries (words, mean); the receiver closes the dialog or calls ``show_reason``."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("New phrase"))
        self.setModal(True)
        self.setMinimumWidth(420)
        self.words = QLineEdit()
        self.mean = QDoubleSpinBox()
        self.mean.setRange(100 * LEAST_MEAN, 100 * MOST_MEAN)
        self.mean.setDecimals(1)
        self.mean.setSuffix("\u00a0%")
        self.mean.setValue(50)
        self.why = wrapped(role="error")
        self.why.hide()
        self.add = push_button(say("&Add"), primary=True)
        self.add.setEnabled(False)
        buttons = QDialogButtonBox()
        buttons.addButton(self.add, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(push_button(say("Cancel")), QDialogButtonBox.ButtonRole.RejectRole)
        layout = QFormLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.addRow(say("&Words"), self.words)
        layout.addRow(say("&Mean certainty"), self.mean)
        layout.addRow(self.why)
        layout.addRow(buttons)
        self.words.textChanged.connect(self._typed)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)

    @Slot(str)
    def _typed(self, text: str) -> None:
        self.add.setEnabled(bool(text.strip()))
        self.why.hide()

    @Slot()
    def _accept(self) -> None:
        self.wanted.emit((self.words.text(), self.mean.value() / 100))

    @Slot(object)
    def show_reason(self, reason: str) -> None:
        """Say why the phrase cannot be added."""
        show_text(self.why, reason)
