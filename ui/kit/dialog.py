"""Dialogs: a title, parts or fields in a column, and at the foot the button that accepts them, and Cancel or Close."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLayout, QPushButton, QWidget

from ui.kit.action import push_button
from ui.kit.layout import Item, vbox
from ui.kit.text import wrapped
from ui.theme import px
from ui.words import say


class Dialog(QDialog):
    """A modal dialog of parts that are laid out by ``lay_out``; ``width``: at least, in pixels."""

    def __init__(self, title: str, parent: QWidget | None = None, *, width: int = 0) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(True)
        self.setMinimumWidth(px(width))
        self.buttons = QDialogButtonBox()

    def lay_out(self, *parts: Item, accept: QPushButton | None = None, spacing: int = 8) -> QLayout:
        """Lay out the parts above the buttons: ``accept`` and Cancel, or Close alone."""
        if accept is not None:
            self.buttons.addButton(accept, QDialogButtonBox.ButtonRole.AcceptRole)
        leave = push_button(say("Cancel") if accept is not None else say("&Close"))
        self.buttons.addButton(leave, QDialogButtonBox.ButtonRole.RejectRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        return vbox(*parts, self.buttons, parent=self, margins=(20, 16, 20, 16), spacing=spacing)


class FormDialog(Dialog):
    """Fields under their names, a hint below them, and a button, off until ``look`` says that the input will do.

    fields: each with its name, in the order of the keyboard;  more: rows below them without a name
    """

    def __init__(
        self,
        title: str,
        button: str,
        fields: Sequence[tuple[str, QWidget]],
        parent: QWidget | None = None,
        *,
        more: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(title, parent, width=420)
        form = QFormLayout()
        form.setSpacing(8)
        for name, field in fields:
            field.setAccessibleName(name.replace("&", ""))
            form.addRow(name, field)
        for field in more:
            form.addRow("", field)
        self.hint = wrapped(role="muted")
        self.go = push_button(button, primary=True)
        self.go.setEnabled(False)
        self.lay_out(form, self.hint, accept=self.go, spacing=12)
        fields[0][1].setFocus()

    @Slot()
    def look(self, *_: object) -> None:
        """Check the input."""
