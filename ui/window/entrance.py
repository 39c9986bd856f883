"""Ways to open a department: open, create, restore, import, and resume after an interruption."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from radcal.system.exports import WORKSPACE_SUFFIX
from ui.kit.files import ask_open
from ui.preferences import remembered_files
from ui.session import Session
from ui.tasks import Failure, Tasks
from ui.widgets.messages import Message, MessageBar
from ui.window.dialogs.new_workspace import NewWorkspaceDialog
from ui.window.dialogs.passphrase import PassphraseDialog
from ui.window.dialogs.restoring import RestoreDialog
from ui.window.notices import halted_text
from ui.window.remembering import Remembering
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.reports.importing import ReportFile
    from ui.records import Opened

_READABLE = frozenset(["WorkspaceInUse", "NoAccess"])
"""Kinds of failure for which read-only opening helps: in use elsewhere, or write-protected."""
_UNREADABLE = frozenset(["DamagedWorkspace", "NewerWorkspace", "NoSuchWorkspace", "NotAWorkspace"])
"""Kinds of failure for which a backup helps."""
_WRONG = "WrongPassphrase"
"""Kind of failure after which the passphrase is asked for again at once."""


class Entrance(QObject):
    """Asks in dialogs over ``window``, starts the session's operations, and reports errors as messages.

    open_already: the requested workspace is already open
    """

    open_already = Signal()

    def __init__(
        self,
        window: QWidget,
        tasks: Tasks,
        session: Session,
        messages: MessageBar,
        backup_folders: Callable[[], Sequence[Path]] = tuple,
    ) -> None:
        super().__init__(window)
        self._backup_folders = backup_folders
        self._window, self._tasks, self._session, self._messages = window, tasks, session, messages
        self._when_stopped: Callable[[], None] | None = None
        session.stopped.connect(self._stopped)
        session.opened.connect(self._opened)
        self.remembering = Remembering(tasks, messages, self)
        session.opened.connect(self.remembering.opened)

    @Slot()
    def open_sample(self) -> None:
        """Open the shipped sample."""
        self._messages.clear()
        self._when_stopped = None
        self._session.open_sample(self._failing(Message.SAMPLE_FAILED, self.open_sample))

    @Slot()
    def ask_open(self) -> None:
        """Ask which workspace to open."""
        ask_open(self._window, say("Open a workspace"), [f"RadCal (*{WORKSPACE_SUFFIX})", "* (*)"], self._chosen)

    @Slot(str)
    def _chosen(self, name: str) -> None:
        self.ask_passphrase(Path(name))

    @Slot(object)
    def ask_passphrase(self, path: Path, refused: str = "") -> None:
        """Ask for a workspace's passphrase, then open it; ``refused`` says why the previous one failed."""
        if self._on_show(path):
            return
        self._messages.clear(Message.OPEN_FAILED)
        self.remembering.drop()
        if refused or not remembered_files():
            self._ask(path, refused)
        else:
            self.remembering.look_up(
                path, partial(self.open_workspace, path, remembered=True), partial(self._ask, path)
            )

    def _ask(self, path: Path, refused: str = "") -> None:
        dialog = PassphraseDialog(path, self._window, refused=refused)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.remember_wanted.connect(partial(self.remembering.keep, path))
        dialog.given.connect(partial(self.open_workspace, path))
        dialog.open()

    def open_workspace(self, path: Path, passphrase: str, *, read_only: bool = False, remembered: bool = False) -> None:
        """Open a workspace; if already open, show it.

        remembered: the key store has told the passphrase
        """
        if self._on_show(path):
            return
        self._messages.clear()
        again = partial(self.ask_passphrase, path)
        self._when_stopped = partial(self._messages.show_message, Message.OPENING_STOPPED, again, name=path.name)

        def failed(failure: Failure) -> None:
            if failure.kind in _READABLE and not read_only:
                look = partial(self.open_workspace, path, passphrase, read_only=True)
                self._messages.show_failure(Message.IN_USE, failure, look)
            elif failure.kind == _WRONG:
                old = say("The passphrase that this computer\u2019s key store remembers does not fit any more.")
                self.ask_passphrase(path, old if remembered else typographic(failure.text))
            elif failure.kind in _UNREADABLE:
                self._messages.show_message(
                    Message.UNREADABLE,
                    partial(self.ask_restore, path),
                    also=partial(self.ask_passphrase, path),
                    what=typographic(failure.text),
                )
            else:
                self._messages.show_failure(Message.OPEN_FAILED, failure, partial(self.ask_passphrase, path))

        self._session.open_workspace(path, passphrase, failed, read_only=read_only)

    @Slot(object)
    def ask_restore(self, path: Path) -> None:
        """Ask which backup of a workspace to restore; the file may be damaged or gone."""
        dialog = RestoreDialog(path, self._backup_folders(), self._tasks, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(partial(self.restore, path))
        dialog.open()

    def restore(self, path: Path, backup: Path, passphrase: str) -> None:
        """Restore a backup of a workspace and open it."""
        self._messages.clear()
        again = partial(self.ask_restore, path)
        self._when_stopped = partial(self._messages.show_message, Message.RESTORE_STOPPED, again, name=path.name)
        self._session.restore(path, backup, passphrase, self._failing(Message.RESTORE_FAILED, again))

    @Slot(object)
    def ask_new(self, about: str = "") -> None:
        """Ask for path and passphrase of a new workspace; ``about`` gives the purpose."""
        dialog = NewWorkspaceDialog(about, partial(self.make, about), self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def make(
        self, about: str, path: Path, passphrase: str, names_key: Path | None = None, study: Path | None = None
    ) -> None:
        """Create an empty workspace and open it; ``names_key`` is the file for the names of its radiologists.

        study: its study file, None for chest X-ray and CT
        """
        self._messages.clear()
        self._when_stopped = None
        self._session.create(
            path, passphrase, self._failing(Message.OPEN_FAILED, partial(self.ask_new, about)), names_key, study
        )

    def import_reports(self, files: Sequence[ReportFile], mend: Callable[[], None]) -> None:
        """Import into the open workspace; on failure ``mend`` leads back to the files."""
        self._messages.clear()
        self._when_stopped = partial(self._tell_halted, partial(self.import_reports, files, mend))
        self._session.import_files(files, self._failing(Message.IMPORT_FAILED, mend))

    def _on_show(self, path: Path) -> bool:
        current = self._session.current
        if current is None or current.path.absolute() != path.absolute():
            return False
        self.open_already.emit()
        return True

    def _failing(self, message: Message, mend: Callable[[], None]) -> Callable[[Failure], None]:
        return lambda failure: self._messages.show_failure(message, failure, mend)

    def _tell_halted(self, again: Callable[[], None]) -> None:
        current = self._session.current
        if current is not None and current.halted is not None:
            self._messages.show_message(Message.STOPPED, again, what=halted_text(current.halted))

    @Slot()
    def _stopped(self) -> None:
        tell, self._when_stopped = self._when_stopped, None
        if tell is None:
            self._tell_halted(self._analyse)
        else:
            tell()

    def _analyse(self) -> None:
        self._session.reload("", self._failing(Message.WORK_FAILED, self._analyse))

    @Slot(object)
    def _opened(self, opened: Opened) -> None:
        if opened.halted is None:
            self._when_stopped = None
            self._messages.clear(Message.STOPPED)
