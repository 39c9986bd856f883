"""The ways into a department: it is asked for, opened, imported into, and gone on with after a stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from radcal.errors import InputError
from radcal.inputs import is_there
from ui import session as operation
from ui.records import PlanOfImport
from ui.session import Session
from ui.tasks import Failure
from ui.widgets.file_dialogs import ask_open
from ui.widgets.messages import Message, MessageBar
from ui.window.dialogs.new_department import ImportDialog
from ui.window.dialogs.new_workspace import SUFFIX
from ui.window.dialogs.passphrase import PassphraseDialog
from ui.window.dialogs.restoring import RestoreDialog
from ui.words import translate, typographic

_READABLE = frozenset(["WorkspaceInUse", "NoAccess"])
"""The kinds of failure that opening to read only mends: another has it open, or it may not be changed there."""
_UNREADABLE = frozenset(["DamagedWorkspace", "NoSuchWorkspace", "NotAWorkspace"])
"""The kinds that an earlier state of the file mends."""
_WRONG = "WrongPassphrase"
"""The kind of failure after which the passphrase is asked for again at once."""


def made(workspace: Path) -> bool:
    """Whether a workspace that was to be made is there; one that cannot be looked for is not."""
    with suppress(InputError):
        return is_there(workspace)
    return False


class Entrance(QObject):
    """Asks in dialogs over ``window``, starts the session's operations, and tells in the messages what went wrong.

    open_already: the workspace asked for is the one on show
    """

    open_already = Signal()

    def __init__(
        self,
        window: QWidget,
        session: Session,
        messages: MessageBar,
        backup_folders: Callable[[], Sequence[Path]] = tuple,
    ) -> None:
        super().__init__(window)
        self._backup_folders = backup_folders
        self._window, self._session, self._messages = window, session, messages
        self._when_stopped: Callable[[], None] | None = None
        session.stopped.connect(self._stopped)

    @Slot()
    def open_sample(self) -> None:
        """Open the shipped sample."""
        self._messages.clear()
        self._when_stopped = None
        self._session.open_sample(self._failing(Message.SAMPLE_FAILED, self.open_sample))

    @Slot()
    def ask_open(self) -> None:
        """Ask which workspace to open."""
        ask_open(self._window, translate("window", "Open a workspace"), [f"RadCal (*{SUFFIX})", "* (*)"], self._chosen)

    @Slot(str)
    def _chosen(self, name: str) -> None:
        self.ask_passphrase(Path(name))

    @Slot(object)
    def ask_passphrase(self, path: Path, refused: str = "") -> None:
        """Ask for the passphrase of a workspace, then open it; ``refused`` says why the one before did not do."""
        if self._on_show(path):
            return
        self._messages.clear(Message.OPEN_FAILED)
        dialog = PassphraseDialog(path, self._window, refused=refused)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.given.connect(partial(self.open_workspace, path))
        dialog.open()

    def open_workspace(self, path: Path, passphrase: str, *, read_only: bool = False) -> None:
        """Open a workspace; one that is open already is shown."""
        if self._on_show(path):
            return
        self._messages.clear()
        self._when_stopped = partial(self._messages.show_message, Message.STOPPED, partial(self.ask_passphrase, path))

        def failed(failure: Failure) -> None:
            if failure.kind in _READABLE and not read_only:
                look = partial(self.open_workspace, path, passphrase, read_only=True)
                self._messages.show_failure(Message.IN_USE, failure, look)
            elif failure.kind == _WRONG:
                self.ask_passphrase(path, typographic(failure.text))
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
        """Ask which backup of a workspace, which may be damaged or gone, is to be put in its place."""
        dialog = RestoreDialog(path, self._session.look_into, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(partial(self.restore, path))
        dialog.finished.connect(self._session.stop_looking_into)
        self._session.find_backups(path, self._backup_folders(), dialog.show_backups)
        dialog.open()

    def restore(self, path: Path, backup: Path, passphrase: str) -> None:
        """Put a backup in the place of a workspace, and open it."""
        self._messages.clear()
        again = partial(self.ask_restore, path)
        self._when_stopped = partial(self._messages.show_message, Message.RESTORE_STOPPED, again, name=path.name)
        self._session.restore(path, backup, passphrase, self._failing(Message.RESTORE_FAILED, again))

    @Slot()
    def ask_new(self) -> None:
        """Ask for report files and a place for a new workspace."""
        self._ask_files(new_workspace=True)

    @Slot()
    def ask_import(self) -> None:
        """Ask for further report files."""
        self._ask_files(new_workspace=False)

    @Slot(object)
    def import_reports(self, plan: PlanOfImport, mend: Callable[[], None] | None = None) -> None:
        """Import into a new workspace or the open one; ``mend`` leads back to the files if that fails."""
        self._messages.clear()
        self._when_stopped = partial(self._import_stopped, plan, mend)
        failed = self._failing(Message.IMPORT_FAILED, mend or partial(self._ask_files, plan))
        if plan.workspace is not None:
            self._session.create(plan, failed)
        else:
            self._session.import_files(plan, failed)

    def _ask_files(self, before: PlanOfImport | None = None, *, new_workspace: bool = False) -> None:
        """Ask for files; ``before`` is what was asked for already and could not be done."""
        new_workspace = new_workspace or (before is not None and before.workspace is not None)
        dialog = ImportDialog(self._session.look, self._window, new_workspace=new_workspace)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if before is not None:
            dialog.fill(before)
        dialog.planned.connect(self.import_reports)
        dialog.finished.connect(self._session.stop_looking)
        dialog.open()

    def _import_again(self, plan: PlanOfImport, mend: Callable[[], None] | None) -> None:
        self.import_reports(replace(plan, resume=plan.workspace is not None and made(plan.workspace)), mend)

    def _on_show(self, path: Path) -> bool:
        current = self._session.current
        if current is None or current.path.absolute() != path.absolute():
            return False
        self.open_already.emit()
        return True

    def _failing(self, message: Message, mend: Callable[[], None]) -> Callable[[Failure], None]:
        return lambda failure: self._messages.show_failure(message, failure, mend)

    def _import_stopped(self, plan: PlanOfImport, mend: Callable[[], None] | None) -> None:
        kept = plan.workspace is None or made(plan.workspace)
        self._messages.show_message(
            Message.STOPPED if kept else Message.NOT_MADE, partial(self._import_again, plan, mend)
        )

    @Slot(object)
    def _stopped(self, what: str) -> None:
        tell, self._when_stopped = self._when_stopped, None
        if what == operation.OPEN and tell is not None:
            tell()
