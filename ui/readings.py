"""Which reading of the reports all results are made from: chosen in one place, undone there, or taken back at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from ui.pages.extraction import work
from ui.widgets.messages import Message
from ui.widgets.undoing import Edit
from ui.words import translate

if TYPE_CHECKING:
    from ui.facade import Department
    from ui.shell import Shell

USE = "extraction run"
"""Operation."""


class Readings(QObject):
    """Chooses a run of an engine; the choice is stored with the workspace, and everything is analysed anew."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self._shell = shell

    @property
    def shown(self) -> int | None:
        """The run that the results on show are made from; None where that is not known."""
        opened = self._shell.opened
        return next((run.run_id for run in opened.runs if run.shown), None) if opened is not None else None

    @Slot(object)
    def choose(self, run_id: int) -> None:
        """Make all results from this run: an edit of the page on show, which a message offers to take back."""
        opened, before = self._shell.opened, self.shown
        if opened is None or opened.read_only or run_id == before:
            return
        text = translate("extraction", "make results from another reading")
        command = Edit(text, before, run_id, partial(self.use, opened.department))
        stack = self._shell.undo.activeStack()
        if stack is None:
            command.redo()
        else:
            stack.push(command)
        if before is not None:
            self._shell.messages.show_message(Message.READING_CHOSEN, partial(self.choose, before))

    def use(self, department: Department, run_id: int | None) -> None:
        """Make all results from a run, None for that of the settings' engine; nothing once another is open."""
        opened = self._shell.opened
        if opened is not None and opened.department is department:
            self._shell.run(USE, partial(work.use, run_id=run_id), self._used, keeps=True)

    @Slot(object)
    def _used(self, _nothing: None) -> None:
        self._shell.reload(translate("extraction", "Making results from another run"))
