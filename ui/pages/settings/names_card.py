"""Where the names of radiologists are: a copy of their file, another place for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from radcal.system.kinds import names_key_of
from ui.kit.action import push_button
from ui.kit.files import ask_save
from ui.kit.layout import hbox, vbox
from ui.kit.text import label, tell, wrapped
from ui.operations import move_names_key, replace_names
from ui.widgets.messages import Message
from ui.words import say, typographic

if TYPE_CHECKING:
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure


class NamesCard(QWidget):
    """Says where names are, and offers what can be done with them."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self.where = wrapped()
        self.copy = push_button(say("Sa&ve a copy of the names key\u2026"), shell.ask_names_copy)
        self.move_away = push_button(say("Keep it else&where\u2026"), self.ask_place)
        self.look_for = push_button(say("Find t&he names key\u2026"), shell.ask_names_key)
        self.convert = push_button(say("Replace na&mes by pseudonyms\u2026"), self.ask_file)
        self.outcome = wrapped()
        self.outcome.hide()
        vbox(
            label(say("Names of radiologists"), role="strong"),
            self.where,
            hbox(self.copy, self.move_away, self.look_for, self.convert, None),
            self.outcome,
            parent=self,
        )

    def show_department(self, opened: Opened | None) -> None:
        """Say where the names of this workspace are."""
        self.setVisible(opened is not None and not opened.sample and not opened.personal)
        if opened is None:
            return
        apart, missing = opened.names_key is not None, bool(opened.names_missing)
        if not apart:
            text = say("The names are in the workspace, for whoever opens it.")
        elif missing:
            text = typographic(opened.names_missing)
        else:
            text = say(
                "The workspace has pseudonyms only; the names are in {file}.",
                file=opened.names_key,
            )
        self.where.setText(text)
        for button in (self.copy, self.move_away):
            button.setVisible(apart and not missing)
        self.look_for.setVisible(apart)
        self.convert.setVisible(not apart)
        self.convert.setEnabled(not opened.read_only)

    @Slot()
    def ask_place(self) -> None:
        """Ask where to keep the names key from now on."""
        opened = self._shell.opened
        if opened is not None and opened.names_key is not None:
            kinds = [say("Names keys (*.names)")]
            title = say("Keep the names of radiologists in")
            ask_save(self, title, str(opened.names_key), kinds, self.move_to)

    @Slot(str)
    def move_to(self, name: str) -> None:
        """Keep the names key there from now on."""
        self._shell.session.change_names(Path(name), self._moved, self._failed, move_names_key)

    def _moved(self) -> None:
        tell(self.outcome, say("The names key was moved."))

    @Slot()
    def ask_file(self) -> None:
        """Ask for the file that the names are to go into."""
        opened = self._shell.opened
        if opened is not None:
            kinds, title = [say("Names keys (*.names)")], say("Keep the names of radiologists in")
            suggested = str(names_key_of(opened.path))
            ask_save(self, title, suggested, kinds, self.replace_names, may_replace=False)

    @Slot(str)
    def replace_names(self, name: str) -> None:
        """Move the names out of the workspace into this file."""
        tell(self.outcome, say("Making a backup, then replacing the names\u2026"))
        self._shell.session.change_names(Path(name), self._replaced, self._failed, replace_names, self._stopped)

    def _stopped(self) -> None:
        """It may have been too late: see whether the names are still there."""
        self._shell.run("names kept apart", lambda department, _: department.names.kept_apart, self._tell_stopped)

    def _tell_stopped(self, apart: bool) -> None:
        if apart:
            self._tell_replaced()
            self._shell.reload()
        else:
            tell(self.outcome, say("Stopped. The names are still in the workspace."))

    def _replaced(self) -> None:
        self._tell_replaced()
        self._shell.messages.show_message(Message.NAMES_MADE, self._shell.ask_names_copy, file=self._file_name())

    def _tell_replaced(self) -> None:
        tell(
            self.outcome,
            say("Radiologists have pseudonyms now. Earlier backups and the texts of reports may still hold names."),
        )

    def _file_name(self) -> str:
        opened = self._shell.opened
        return opened.names_key.name if opened is not None and opened.names_key is not None else ""

    def _failed(self, failure: Failure) -> None:
        self.outcome.hide()
        if failure.text:
            tell(self.outcome, typographic(failure.text), error=True)
        else:
            self._shell.messages.show_bug(failure.technical)
