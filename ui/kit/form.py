"""Fields to fill in: choices with their labels, and passphrases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QLineEdit, QWidget

from radcal.workspace.passphrases import SHORTEST, Strength, strength
from ui.kit.layout import hbox
from ui.kit.text import caption
from ui.theme import px
from ui.words import say, typographic


def choice(name: str, *items: tuple[str, Any]) -> QComboBox:
    """A combo box as wide as its items, each a text and its data."""
    box = QComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    for text, data in items:
        box.addItem(text, data)
    return box


def offer(box: QComboBox, items: Iterable[tuple[str, Any]], chosen: Any = None) -> bool:
    """Offer other items, each a text and its data, without a signal.

    Args:
        chosen: the data of the item to choose; None for what is chosen now.

    Returns:
        Whether that is among them; if not, the first is chosen.
    """
    wanted = box.currentData() if chosen is None else chosen
    with QSignalBlocker(box):
        box.clear()
        for text, data in items:
            box.addItem(text, data)
        place = box.findData(wanted)
        box.setCurrentIndex(max(0, place))
    return place >= 0


def labelled(text: str, widget: QWidget) -> QHBoxLayout:
    """A control with its label before it and a gap behind it."""
    return hbox(caption(text, widget), widget, 8)


def secret_field(name: str = "") -> QLineEdit:
    """A masked field; ``name`` is its accessible name."""
    field = QLineEdit()
    field.setEchoMode(QLineEdit.EchoMode.Password)
    if name:
        field.setAccessibleName(name)
    return field


class ShowTyped(QCheckBox):
    """Shows the input of ``fields`` while checked: a passphrase mistyped twice cannot be recovered."""

    def __init__(self, fields: Sequence[QLineEdit], parent: QWidget | None = None) -> None:
        super().__init__(say("&Show what is typed"), parent)
        self._fields = tuple(fields)
        self.toggled.connect(self._show)

    @Slot(bool)
    def _show(self, shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        for field in self._fields:
            field.setEchoMode(mode)


class StrengthHint(QLabel):
    """How long the passphrase in ``field`` would withstand guessing, updated while typing.

    about: names that an attacker would try first
    """

    def __init__(self, field: QLineEdit, about: Callable[[], Sequence[str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field, self._about = field, about
        self.setProperty("role", "muted")
        self.setWordWrap(True)
        self.setMinimumHeight(px(36))
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setToolTip(say("By somebody who has the file and more than twenty of the fastest graphics cards"))
        field.textChanged.connect(self.look)
        self.look()

    @property
    def strength(self) -> Strength:
        """The current input's strength."""
        return strength(self._field.text(), self._about())

    @Slot()
    def look(self, *_: object) -> None:
        """Show the current input's strength."""
        if self._field.text():
            self.setText(typographic(self.strength.sentence))
        else:
            self.setText(
                say("{n} characters or more; four unrelated words are easy to remember and hard to guess.", n=SHORTEST)
            )
