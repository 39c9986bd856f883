"""Asks for the passphrase of a workspace."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from radcal.system import key_store
from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.form import ShowTyped, secret_field
from ui.kit.text import wrapped
from ui.sentences import locked_words
from ui.words import say

_WIDTH = 420


class PassphraseDialog(Dialog):
    """Asks once.

    given: the passphrase;  remember_wanted: the same, before it, if the key store is to remember it
    refused: why the previous one failed
    """

    given = Signal(object)
    remember_wanted = Signal(object)

    def __init__(self, path: Path, parent: QWidget | None = None, *, refused: str = "") -> None:
        super().__init__(say("Open a workspace"), parent, width=_WIDTH)
        self.field = secret_field(say("Passphrase"))
        self.show_typed = ShowTyped([self.field])
        about = refused or say("Without it the workspace cannot be read, by anyone.")
        self.about = wrapped(about, role="error" if refused else "muted")
        self.field.setAccessibleDescription(about)
        self.remember = QCheckBox(say("&Remember it in this computer\u2019s key store"))
        self.remember.setToolTip(
            say("Whoever is logged in as you can then open the workspace: not for computers that several people share")
        )
        if not key_store.allowed():
            self.remember.setEnabled(False)
            self.remember.setToolTip(locked_words("key_store"))
        self.open_button = push_button(say("&Open"), primary=True)
        self.open_button.setEnabled(False)
        self.field.textChanged.connect(self._typed)
        layout = self.lay_out(
            wrapped(say("Passphrase of {name}", name=path.name)),
            self.field,
            self.show_typed,
            self.remember,
            self.about,
            8,
            accept=self.open_button,
        )
        # Qt would guess a width for wrapped texts, and leave space for too many lines.
        self.resize(_WIDTH, layout.totalHeightForWidth(_WIDTH))

    @Slot(str)
    def _typed(self, text: str) -> None:
        self.open_button.setEnabled(bool(text))

    def accept(self) -> None:
        """Emit the passphrase and clear it."""
        if self.remember.isChecked():
            self.remember_wanted.emit(self.field.text())
        self.given.emit(self.field.text())
        self.field.clear()
        super().accept()
