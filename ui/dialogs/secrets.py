"""Fields for passphrases: what is typed stays hidden, unless the one who types wants to see it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from ui.words import translate


def secret_field(name: str = "") -> QLineEdit:
    """A field that shows dots; ``name`` is what a screen reader calls it."""
    field = QLineEdit()
    field.setEchoMode(QLineEdit.EchoMode.Password)
    if name:
        field.setAccessibleName(name)
    return field


class ShowTyped(QCheckBox):
    """Shows what stands in ``fields`` while it is ticked: nobody can restore a passphrase that was mistyped twice."""

    def __init__(self, fields: Sequence[QLineEdit], parent: QWidget | None = None) -> None:
        super().__init__(translate("passphrase", "&Show what is typed"), parent)
        self._fields = tuple(fields)
        self.toggled.connect(self._show)

    @Slot(bool)
    def _show(self, shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        for field in self._fields:
            field.setEchoMode(mode)
