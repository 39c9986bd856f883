"""Asks for the path and passphrase of a new workspace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QWidget

from radcal.errors import InputError
from radcal.inputs import is_folder, is_there
from ui.widgets.buttons import dialog_buttons, push_button
from ui.widgets.file_dialogs import WORKSPACE, ask_save, last_folder
from ui.widgets.labels import caption, wrapped
from ui.widgets.layouts import vbox
from ui.widgets.secrets import ShowTyped, StrengthHint, secret_field
from ui.words import say, typographic


class PlaceForm(QWidget):
    """Path and passphrase of a new workspace, entered twice.  ``changed``: on every keystroke."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path, self.first, self.second = QLineEdit(), secret_field(), secret_field()
        self.path.setText(str(last_folder() / (say("Department") + WORKSPACE)))
        browse = push_button(say("&Choose\u2026"), self._choose)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(8)
        for row, (text, field) in enumerate(
            (
                (say("&Keep it in"), self.path),
                (say("&Passphrase"), self.first),
                (say("Passphrase a&gain"), self.second),
            )
        ):
            field.textChanged.connect(self.changed)
            grid.addWidget(caption(text, field), row, 0)
            grid.addWidget(field, row, 1)
        grid.addWidget(browse, 0, 2)
        QWidget.setTabOrder(self.path, browse)
        QWidget.setTabOrder(browse, self.first)
        QWidget.setTabOrder(self.first, self.second)
        self.show_typed = ShowTyped([self.first, self.second])
        grid.addWidget(self.show_typed, 3, 1)
        QWidget.setTabOrder(self.second, self.show_typed)
        self.strength = StrengthHint(self.first, lambda: [self.place.stem])
        grid.addWidget(self.strength, 4, 1, 1, 2)
        keep = say("Keep the passphrase safe: without it nobody can read the file.")
        grid.addWidget(wrapped(keep, role="muted"), 5, 0, 1, 3)  # wide enough for one line in any language

    @property
    def place(self) -> Path:
        """The file path with suffix."""
        path = Path(self.path.text().strip())
        return path if path.suffix else path.with_name(path.name + WORKSPACE) if path.name else path

    def missing(self) -> str:
        """What is still missing; '' if nothing."""
        place = self.place
        if not self.path.text().strip():
            return say("Choose where to keep the workspace.")
        try:
            if is_there(place):
                return say(
                    "{name} is there already. Choose another name, or open it and import there.", name=place.name
                )
            if not is_folder(place.parent):
                return say("There is no folder {name}. Choose another place.", name=place.parent)
        except InputError as error:  # a name that is too long, a link that leads back to itself
            return typographic(str(error))
        if not self.first.text():
            return say("Choose a passphrase.")
        if self.strength.strength.weakness:
            return say("Choose another passphrase: this one is too easily guessed.")
        if self.first.text() != self.second.text():
            return say("Type the passphrase a second time; the two are not the same yet.")
        return ""

    def take_passphrase(self) -> str:
        """Return the passphrase and clear it."""
        passphrase = self.first.text()
        self.first.clear()
        self.second.clear()
        return passphrase

    @Slot()
    def _choose(self) -> None:
        title = say("Keep the workspace in")
        ask_save(self, title, self.path.text(), [f"RadCal (*{WORKSPACE})"], self.path.setText)


class NewWorkspaceDialog(QDialog):
    """``make`` is called with path and passphrase; ``about`` gives the purpose, '' for none."""

    def __init__(self, about: str, make: Callable[[Path, str], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self.setWindowTitle(say("New workspace"))
        self.setModal(True)
        self.setMinimumWidth(560)
        self.form = PlaceForm()
        self.form.changed.connect(self._check)
        self.reason = wrapped(role="muted")
        self.reason.setMinimumHeight(36)
        self.go = push_button(say("&Make the workspace"), primary=True)
        vbox(
            *([wrapped(about)] if about else []),
            wrapped(say("Reports and results stay in one encrypted file that you choose."), role="muted"),
            4,
            self.form,
            self.reason,
            dialog_buttons(self, self.go),
            parent=self,
            margins=(20, 16, 20, 16),
        )
        self._check()

    def accept(self) -> None:
        """Emit path and passphrase."""
        if self.form.missing():
            return
        place, passphrase = self.form.place, self.form.take_passphrase()
        super().accept()
        self._make(place, passphrase)

    @Slot()
    def _check(self) -> None:
        missing = self.form.missing()
        self.reason.setText(missing)
        self.go.setEnabled(not missing)
