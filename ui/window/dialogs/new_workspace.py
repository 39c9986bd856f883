"""Asks for the path and passphrase of a new workspace, and where the names of its radiologists are to be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from radcal.system.errors import InputError
from radcal.system.exports import WORKSPACE_SUFFIX
from radcal.system.inputs import is_folder, is_there
from radcal.system.kinds import NAMES_SUFFIX, names_key_of
from radcal.system.language.wording import NO_WORDING
from radcal.system.text import Text
from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.files import ask_open, ask_save, last_folder
from ui.kit.form import ShowTyped, StrengthHint, choice, secret_field
from ui.kit.text import caption, wrapped
from ui.language import spoken
from ui.theme import px
from ui.words import say, typographic

_ASK = "ask for a file"


class PlaceForm(QWidget):
    """Path and passphrase of a new workspace, entered twice, and its names key.  ``changed``: on every keystroke."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path, self.first, self.second = QLineEdit(), secret_field(), secret_field()
        self.path.setText(str(last_folder() / (say("Department") + WORKSPACE_SUFFIX)))
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
        self.names, self._usual = QLineEdit(), ""
        browse_names = push_button(say("Choos&e\u2026"), self._choose_names)
        grid.addWidget(caption(say("&Names of radiologists"), self.names), 6, 0)
        grid.addWidget(self.names, 6, 1)
        grid.addWidget(browse_names, 6, 2)
        self.inside = QCheckBox(say("Keep names &in the workspace"))
        grid.addWidget(self.inside, 7, 1)
        apart = say(
            "The workspace has pseudonyms; the names are in a file of their own, which only it can read. A share or a"
            " stick of the head of quality assurance is a good place for that."
        )
        grid.addWidget(wrapped(apart, role="muted"), 8, 0, 1, 3)
        chest = replace(spoken(), wording=NO_WORDING).write(Text("Chest X-ray and CT"))  # whatever study is open
        self.studies = choice(say("Study"), (chest, None), (say("Choose a study file\u2026"), _ASK))
        self.studies.activated.connect(self._ask_study)
        grid.addWidget(caption(say("S&tudy"), self.studies), 9, 0)
        grid.addWidget(self.studies, 9, 1)
        self.study_fault = wrapped(role="muted")
        self.study_fault.hide()
        grid.addWidget(self.study_fault, 10, 0, 1, 3)
        QWidget.setTabOrder(self.show_typed, self.names)
        QWidget.setTabOrder(self.names, browse_names)
        QWidget.setTabOrder(browse_names, self.inside)
        QWidget.setTabOrder(self.inside, self.studies)
        for part in (self.names, browse_names):
            self.inside.toggled.connect(part.setDisabled)
        self.path.textChanged.connect(self._follow)
        self._follow()
        self.names.textChanged.connect(self.changed)
        self.inside.toggled.connect(self.changed)

    @property
    def place(self) -> Path:
        """The file path with suffix."""
        path = Path(self.path.text().strip())
        return path if path.suffix else path.with_name(path.name + WORKSPACE_SUFFIX) if path.name else path

    @property
    def names_key(self) -> Path | None:
        """The file for the names; None to keep them in the workspace."""
        path = Path(self.names.text().strip())
        if self.inside.isChecked():
            return None
        return path if path.suffix or not path.name else path.with_name(path.name + NAMES_SUFFIX)

    @property
    def study(self) -> Path | None:
        """The study file; None for chest X-ray and CT."""
        chosen = self.studies.currentData()
        return chosen if isinstance(chosen, Path) else None

    @Slot()
    def _ask_study(self, *_: object) -> None:
        if self.studies.currentData() == _ASK:
            self.studies.setCurrentIndex(0)
            ask_open(self, say("Choose a study file"), [say("Study files (*.toml)")], self.choose_study)

    @Slot(str)
    def choose_study(self, file: str) -> None:
        """Choose a study file, unless it is none: then say why."""
        from radcal.words.studies import name_of, read_study  # with numpy, which the first picture does without

        path = Path(file)
        try:
            name = name_of(read_study(path))
        except InputError as error:
            self.study_fault.setText(typographic(str(error)))
        else:
            self.studies.insertItem(self.studies.count() - 1, name, path)
            self.studies.setCurrentIndex(self.studies.count() - 2)
            self.study_fault.clear()
        self.study_fault.setVisible(bool(self.study_fault.text()))

    @Slot()
    def _follow(self, *_: object) -> None:
        """The names stand beside the workspace until another place is chosen."""
        if self.names.text() == self._usual:
            place = self.place
            self._usual = str(names_key_of(place)) if place.name else ""
            self.names.setText(self._usual)

    @Slot()
    def _choose_names(self) -> None:
        kinds = [say("Names keys (*.names)")]
        title = say("Keep the names of radiologists in")
        ask_save(self, title, self.names.text(), kinds, self.names.setText, may_replace=False)

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
            if (names := self.names_key) is not None:
                if not names.name:
                    return say("Choose where to keep the names of radiologists.")
                if is_there(names):
                    return say("{name} is there already. Choose another file name for the names key.", name=names.name)
                if not is_folder(names.parent):
                    return say("There is no folder {name}. Choose another place.", name=names.parent)
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
        ask_save(self, title, self.path.text(), [f"RadCal (*{WORKSPACE_SUFFIX})"], self.path.setText)


class NewWorkspaceDialog(Dialog):
    """Asks for what a new workspace needs.

    ``make`` is called with path, passphrase, names key and, if one was chosen, study file; ``about`` gives the purpose,
    '' for none.
    """

    def __init__(self, about: str, make: Callable[..., None], parent: QWidget | None = None) -> None:
        super().__init__(say("New workspace"), parent, width=560)
        self._make = make
        self.form = PlaceForm()
        self.form.changed.connect(self._check)
        self.reason = wrapped(role="muted")
        self.reason.setMinimumHeight(px(36))
        self.go = push_button(say("&Make the workspace"), primary=True)
        self.lay_out(
            *([wrapped(about)] if about else []),
            wrapped(say("Reports and results stay in one encrypted file that you choose."), role="muted"),
            4,
            self.form,
            self.reason,
            accept=self.go,
        )
        self._check()

    def accept(self) -> None:
        """Hand on what was entered."""
        if self.form.missing():
            return
        form = self.form
        place, passphrase, names_key, study = form.place, form.take_passphrase(), form.names_key, form.study
        super().accept()
        self._make(place, passphrase, names_key, *([] if study is None else [study]))

    @Slot()
    def _check(self) -> None:
        missing = self.form.missing()
        self.reason.setText(missing)
        self.go.setEnabled(not missing)
