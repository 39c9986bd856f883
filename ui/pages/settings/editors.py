"""One row per setting: name, control, default and description."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from ui.kit.action import push_button
from ui.kit.files import ask_folder
from ui.kit.form import choice
from ui.kit.layout import hbox, vbox
from ui.kit.text import label, show_text, wrapped
from ui.kit.undoing import Edit, is_about_to_undo
from ui.language import spoken
from ui.pages.settings.fields import Field
from ui.words import say


class Number(QDoubleSpinBox):
    """A spin box that writes no more decimals than a value needs."""

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.setDecimals(field.decimals)
        self.setRange(field.low * field.factor, field.high * field.factor)
        self.setGroupSeparatorShown(True)
        self.setSingleStep(_step(field))
        if field.unit:
            self.setSuffix(f"\u00a0{field.unit}")

    def textFromValue(self, value: float) -> str:
        return shortest(value, self.decimals())

    def event(self, event: QEvent) -> bool:
        """Undo and redo belong to the page, which has the whole history."""
        if is_about_to_undo(event):
            event.ignore()
            return False
        return super().event(event)


class Row(QWidget):
    """One setting.  ``edited``: field name and new value."""

    edited = Signal(object, object)

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.field = field
        self._value: Any = field.default
        self.label = label(field.label)
        self.label.setWordWrap(True)
        self.control = self._make_control()
        self.control.setAccessibleName(field.label)
        self.control.setAccessibleDescription(field.about)
        self.label.setBuddy(self.control)
        self.reset = QToolButton()
        self.reset.setText(say("Default"))
        self.reset.setToolTip(say("{setting}: back to {default}", setting=field.label, default=self._default()))
        self.reset.setAccessibleName(self.reset.toolTip())
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        self.reset.clicked.connect(self._to_default)
        self.about = wrapped(field.about, role="muted")
        self.note = wrapped(role="muted")
        self.locked = wrapped(role="muted")
        for told in (self.note, self.locked):
            told.hide()
        self._browse_with: QPushButton | None = None
        narrow = field.kind in ("number", "choice")
        browse = [self._browse_button()] if field.kind == "folder" else []
        end = (self.reset, 0, Qt.AlignmentFlag.AlignTop)
        line = hbox(self.control, None, end) if narrow else hbox((self.control, 1), *browse, end)
        self.label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.label.setContentsMargins(0, 6, 0, 0)
        hbox((self.label, 2), (vbox(line, self.locked, self.about, self.note, spacing=2), 3), parent=self, spacing=16)
        self.set_value(field.default)

    def _make_control(self) -> QWidget:
        match self.field.kind:
            case "number":
                number = Number(self.field)
                number.valueChanged.connect(self._changed)
                return number
            case "choice":
                box = choice("")
                for value, words in self.field.words.items():
                    box.addItem(words, value)
                box.currentIndexChanged.connect(self._changed)
                return box
            case _:
                text = QLineEdit()
                text.textEdited.connect(self._changed)
                return text

    def _browse_button(self) -> QPushButton:
        button = push_button(say("Choose\u2026"), self._browse)
        button.setAccessibleName(say("{setting}: choose", setting=self.field.label))
        self._browse_with = button
        return button

    def _default(self) -> str:
        """The default in words."""
        default = self.field.default
        match self.field.kind:
            case "number":
                number = shortest(float(default) * self.field.factor, self.field.decimals)
                return f"{number}\u00a0{self.field.unit}".strip()
            case "choice":
                return self.field.words[default]
            case _:
                return str(default) or say("none")

    @property
    def searched(self) -> str:
        """What a search for settings looks through."""
        return "\n".join((self.field.label, self.field.about, *self.field.words.values())).casefold()

    # --- the value ---------------------------------------------------------------------------------

    def set_value(self, value: Any) -> None:
        """Show a value without a signal."""
        self._value = value
        with QSignalBlocker(self.control):
            if isinstance(self.control, QDoubleSpinBox):
                if self.value() != value:  # or it would be reformatted while typing
                    self.control.setValue(float(value) * self.field.factor)
            elif isinstance(self.control, QComboBox):
                self.control.setCurrentIndex(self.control.findData(value))
            elif isinstance(self.control, QLineEdit) and self.value() != value:
                self.control.setText(str(value))
        self.reset.setVisible(value != self.field.default)

    def value(self) -> Any:
        """The control's value, as stored in the settings."""
        if isinstance(self.control, QDoubleSpinBox):
            number = self.control.value() / self.field.factor
            if isinstance(self.field.default, int):
                return round(number)
            return min(max(round(number, 9), self.field.low), self.field.high)
        if isinstance(self.control, QComboBox):
            return self.control.currentData()
        return self.control.text().strip() if isinstance(self.control, QLineEdit) else None

    def lock(self, read_only: str, locked: str) -> None:
        """Let the setting be changed, unless the file is open to read only or IT has locked it; both say why, or ''."""
        for widget in (self.control, self.reset, self._browse_with):
            if widget is not None:
                widget.setEnabled(not (read_only or locked))
        self.control.setToolTip(locked or read_only)
        show_text(self.locked, locked)

    def tell_overridden(self) -> None:
        """Say that the workspace stores another value than the one that IT has locked."""
        own = say("The workspace stores another value, used again once the lock is gone.")
        show_text(self.locked, f"{self.control.toolTip()} {own}")

    def mark(self, changed: bool) -> None:
        """Mark the value as different from the one in force."""
        font = self.label.font()
        font.setBold(changed)
        self.label.setFont(font)
        self.label.setText(say("{setting} (changed)", setting=self.field.label) if changed else self.field.label)

    @Slot()
    def _changed(self, *_: object) -> None:
        if (value := self.value()) != self._value:
            self.edited.emit(self.field.name, value)

    @Slot()
    def _to_default(self) -> None:
        self.edited.emit(self.field.name, self.field.default)

    @Slot()
    def _browse(self) -> None:
        ask_folder(self, self.field.label, self._chosen)

    @Slot(str)
    def _chosen(self, name: str) -> None:
        self.edited.emit(self.field.name, str(Path(name)))


class ChangeField(Edit[Any]):
    """Change a setting, displayed by ``show``; steps of a number or typing in a text are merged."""

    def __init__(self, show: Callable[[str, Any], None], field: Field, before: Any, after: Any) -> None:
        text = say("Change \u201c{setting}\u201d", setting=field.label)
        super().__init__(text, before, after, partial(show, field.name))
        self._name = field.name
        self._merges = field.kind in ("number", "folder")

    def id(self) -> int:
        return hash(self._name) % 0x7FFFFFFF if self._merges else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, ChangeField) or other._name != self._name:
            return False
        self.after = other.after
        self.setObsolete(self.after == self.before)
        return True


def shortest(value: float, decimals: int) -> str:
    """The number without trailing zeros: '12', '0.5'."""
    digits = next((d for d in range(decimals) if round(value, d) == round(value, decimals)), decimals)
    return spoken().number(value, digits)


def _step(field: Field) -> float:
    """The step size: a tenth of small defaults, 1, 10 or 100 for larger ones."""
    size = abs(float(field.default)) * field.factor
    if 0 < size < 1:
        return 10.0 ** (math.floor(math.log10(size)) - 1)
    return 100.0 if size >= 1000 else 10.0 if size >= 100 and field.unit != "%" else 1.0
