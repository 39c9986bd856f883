"""Fields for passphrases: what is typed stays hidden, unless the one who types wants to see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QWidget

from radcal.guessing import SHORTEST, Strength, strength
from ui.words import translate, typographic


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


class StrengthHint(QLabel):
    """How long the passphrase that stands in ``field`` would withstand guessing, told as it is typed.

    about: names that somebody who guesses would try first
    """

    def __init__(self, field: QLineEdit, about: Callable[[], Sequence[str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field, self._about = field, about
        self.setProperty("role", "muted")
        self.setWordWrap(True)
        self.setMinimumHeight(36)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setToolTip(
            translate("passphrase", "By somebody who has the file and more than twenty of the fastest graphics cards")
        )
        field.textChanged.connect(self.look)
        self.look()

    @property
    def strength(self) -> Strength:
        """Of what stands there now."""
        return strength(self._field.text(), self._about())

    @Slot()
    def look(self, *_: object) -> None:
        """Tell of what stands there now."""
        if self._field.text():
            self.setText(typographic(self.strength.sentence))
        else:
            self.setText(
                translate(
                    "passphrase",
                    "{n} characters or more; four unrelated words are easy to remember and hard to guess.",
                ).format(n=SHORTEST)
            )
