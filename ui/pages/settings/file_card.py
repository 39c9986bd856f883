"""The workspace file: passphrase, backup and integrity check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from radcal.system.kinds import FileKind
from radcal.words.studies import name_of
from ui import session
from ui.kit.action import push_button
from ui.kit.dialog import FormDialog
from ui.kit.files import ask_folder, ask_save
from ui.kit.form import ShowTyped, StrengthHint, secret_field
from ui.kit.layout import hbox, vbox
from ui.kit.text import tell, wrapped
from ui.pages.settings import work
from ui.preferences import note_remembered, remembered_files
from ui.sentences import copied_words, kept_words, locked_words, read_only_reason
from ui.widgets.messages import GONE, Message
from ui.words import counted, say, typographic

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.system.progress import Progress
    from radcal.workspace.schedule import Copied
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

PASSPHRASE, BACKUP, CHECK = "change the passphrase", "back up", "check the file"
FORGET = "forget the passphrase"
BACKUPS = "choose backups"


class FileCard(QWidget):
    """Actions on the file, with their outcome below the buttons.

    restore_wanted: path of the workspace to restore;  folder_chosen: the new backup folder
    """

    restore_wanted = Signal(object)
    folder_chosen = Signal(object)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self.where = wrapped(role="muted")
        self.study = wrapped(role="muted")
        self.study.hide()
        self.copied = wrapped(role="muted")
        self.kept = wrapped(role="muted")
        self._copied: Copied | None = None
        self.automatic = QCheckBox(say("Back up once a day"))
        self.automatic.clicked.connect(self._automatic_clicked)
        self.folder = push_button(say("&Folder for backups\u2026"), self.ask_folder)
        self.beside = push_button(say("Beside the workspace"), self._beside_clicked)
        self.passphrase = push_button(say("Change &passphrase\u2026"), self.ask_passphrase)
        self.forget = push_button(say("Forget the passphrase"), self.forget_passphrase)
        self.backup = push_button(say("&Back up\u2026"), self.ask_backup)
        self.check = push_button(say("Check the file\u2026"), self.ask_check)
        self.restore = push_button(say("Restore a back&up\u2026"), self._ask_restore)
        self.outcome = wrapped()
        self.outcome.hide()
        self._schedule = QWidget()
        hbox(self.automatic, self.folder, self.beside, None, parent=self._schedule)
        buttons = hbox(self.passphrase, self.backup, self.check, self.restore, self.forget, None)
        parts = (self.where, self.study, self.copied, self.kept, self._schedule, buttons, self.outcome)
        vbox(*parts, parent=self)

    def show_department(self, opened: Opened | None) -> None:
        """Set the file."""
        self.outcome.hide()
        if opened is None:
            return
        self.where.setText(str(opened.place))
        self.study.setVisible(bool(opened.study))
        if opened.study:
            self.study.setText(say("Study: {name}. It stays that of this workspace.", name=name_of(opened.study)))
        self._show_forget()
        why = ""
        if opened.sample:
            why = say("The sample is made anew each time; it has no passphrase.")
        elif opened.kind is FileKind.REVIEW:
            why = say("A review file keeps its passphrase, so that its answers can be merged.")
        elif opened.read_only:
            why = read_only_reason()
        self.passphrase.setEnabled(not why)
        self.passphrase.setToolTip(why)
        self.restore.setVisible(not opened.sample and not opened.kind)
        for button in (self.backup, self.check):
            button.setEnabled(not opened.sample)
            if opened.sample:
                button.setToolTip(why)

    def show_copied(self, copied: Copied | None) -> None:
        """Show the time of the last backup; None if unknown or irrelevant."""
        opened = self._shell.opened
        shown = copied is not None and opened is not None and not opened.sample
        self.copied.setVisible(shown)
        self.copied.setText(copied_words(copied) if copied is not None else "")
        self._copied = copied
        for widget in (self.kept, self._schedule):
            widget.setVisible(shown)
        if copied is not None:
            self.kept.setText(kept_words(copied))
            with QSignalBlocker(self.automatic):
                self.automatic.setChecked(copied.on)
            locked = locked_words("backups_folder")
            self.folder.setEnabled(copied.on and not locked)
            self.beside.setVisible(copied.on and copied.chosen is not None and not locked)
            if locked:
                self.folder.setToolTip(locked)

    # --- asking ------------------------------------------------------------------------------------

    @Slot()
    def ask_passphrase(self) -> None:
        """Ask for the old and the new passphrase."""
        opened = self._shell.opened
        _open(NewPassphraseDialog(self, [opened.path.stem] if opened is not None else []), self.change_passphrase)

    @Slot()
    def ask_backup(self) -> None:
        """Ask where to save the backup."""
        opened = self._shell.opened
        if opened is None:
            return
        suggested = say("{name} copy{ending}", name=opened.path.stem, ending=opened.path.suffix)
        kinds = (say("Workspaces (*.radcal)"), say("All files (*)"))
        # A backup never replaces a file.
        title = say("Back up the workspace")
        ask_save(self, title, suggested, kinds, self.back_up, may_replace=False)

    @Slot()
    def ask_check(self) -> None:
        """Ask for the passphrase, which is not stored."""
        _open(AskPassphraseDialog(self), self.check_file)

    @Slot()
    def ask_folder(self) -> None:
        """Ask for the backup folder."""
        ask_folder(self, self.folder.text().replace("&", "").rstrip("\u2026"), self._folder_chosen)

    @Slot()
    def _ask_restore(self) -> None:
        if self._shell.opened is not None:
            self.restore_wanted.emit(self._shell.opened.path)

    # --- doing -------------------------------------------------------------------------------------

    @Slot(object, object)
    def change_passphrase(self, current: str, new: str) -> None:
        """Re-encrypt the file."""
        self._begin(
            PASSPHRASE,
            partial(work.change_passphrase, current, new, remembered=self._identity() in remembered_files()),
            self._passphrase_changed,
            say("Change the passphrase"),
        )

    @Slot()
    def forget_passphrase(self) -> None:
        """Have the key store forget the passphrase."""
        self._begin(
            FORGET,
            work.forget_passphrase,
            self._forgotten,
            say("Forget the passphrase"),
            keeps=False,
        )

    @Slot(object)
    def _forgotten(self, _done: object) -> None:
        note_remembered(self._identity(), remembered=False)
        self._show_forget()
        tell(self.outcome, say("The key store has forgotten the passphrase."))

    def _identity(self) -> str:
        opened = self._shell.opened
        return "" if opened is None else opened.department.identity

    def _show_forget(self) -> None:
        self.forget.setVisible(self._identity() in remembered_files())

    @Slot(str)
    def back_up(self, name: str) -> None:
        """Write a backup."""
        self._begin(BACKUP, partial(work.back_up, Path(name)), self._backed_up, say("Back up the workspace"))

    @Slot(object)
    def check_file(self, passphrase: str) -> None:
        """Read every byte."""
        self._begin(
            CHECK,
            lambda department, progress: department.check(passphrase, progress),
            self._checked,
            say("Check the file"),
            keeps=False,
        )

    @Slot(bool)
    def _automatic_clicked(self, on: bool) -> None:
        self.choose_backups(on, None if self._copied is None else self._copied.chosen)

    @Slot(str)
    def _folder_chosen(self, name: str) -> None:
        self.choose_backups(True, Path(name))

    @Slot()
    def _beside_clicked(self) -> None:
        self.choose_backups(True, None)

    def choose_backups(self, on: bool, folder: Path | None) -> None:
        """Turn scheduled backups on or off, and set their folder; None for the workspace's own."""
        self._begin(
            BACKUPS,
            partial(work.choose_backups, on, folder),
            self._backups_chosen,
            say("Back up the workspace"),
            failed=self._not_chosen,
        )

    @Slot(object)
    def _backups_chosen(self, copied: Copied) -> None:
        self.outcome.hide()
        self.show_copied(copied)
        if copied.chosen is not None:
            self.folder_chosen.emit(copied.chosen)
        self._shell.messages.clear(Message.NOT_COPIED, Message.NOT_BACKED_UP)

    @Slot(object)
    def _not_chosen(self, failure: Failure) -> None:
        self.show_copied(self._copied)
        self._failed(failure)

    @Slot(object)
    def _passphrase_changed(self, changed: work.Changed) -> None:
        said = [say("The passphrase was changed.")]
        if changed.older:
            older = counted(changed.older, "{n} backup", "{n} backups")
            said.append(
                say(
                    "{backups} in {folder}, and other earlier copies, still open with the old one.",
                    backups=older,
                    folder=changed.folder,
                )
            )
        else:
            said.append(say("Earlier copies keep the old one."))
        if changed.forgotten:
            note_remembered(self._identity(), remembered=False)
            self._show_forget()
            said.append(say("The key store does not remember the new one."))
            said.append(typographic(changed.forgotten))
        if changed.failure:
            said.append(say("There is no backup under the new one yet."))
            said.append(typographic(changed.failure))
        tell(self.outcome, " ".join(said), error=bool(changed.failure))

    @Slot(object)
    def _backed_up(self, made: tuple[Path, Copied | None]) -> None:
        path, copied = made
        self.show_copied(copied)
        messages = self._shell.messages
        messages.clear(Message.NOT_COPIED, Message.GONE)
        text = say("Copied to {path}, and checked.", path=path)
        if messages.unsaved:
            messages.unsaved = False
            text += " " + say("Open it now: nothing more can be saved in this one.")
        tell(self.outcome, text)

    @Slot(object)
    def _checked(self, wrong: tuple[str, ...]) -> None:
        if wrong:
            tell(self.outcome, " ".join(map(typographic, wrong)), error=True)
        else:
            tell(self.outcome, say("The whole file can be read; nothing is damaged."))

    @Slot(object)
    def _failed(self, failure: Failure) -> None:
        self.outcome.hide()
        if failure.text:
            self._shell.messages.unsaved |= failure.kind == GONE
            tell(self.outcome, typographic(failure.text), error=True)
        else:
            self._shell.messages.show_bug(failure.technical)

    @Slot()
    def _stopped(self) -> None:
        tell(self.outcome, say("Stopped. Nothing was changed."))

    def _begin(
        self,
        operation: str,
        call: Callable[[Department, Progress], Any],
        done: Callable[[Any], None],
        title: str,
        *,
        failed: Callable[[Failure], None] | None = None,
        keeps: bool = True,
    ) -> None:
        """Run an operation on the file; one that writes runs after background work, not between its parts."""
        self._shell.tasks.forget(session.KEEP)
        tell(self.outcome, "")
        self._shell.run(
            operation,
            call,
            done,
            title=title,
            failed=failed or self._failed,
            stopped=self._stopped,
            keeps=keeps,
            shares=keeps,
        )


def _open(dialog: AskPassphraseDialog | NewPassphraseDialog, given: Callable[..., None]) -> None:
    dialog.given.connect(given)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


class _Dialog(FormDialog):
    """Passphrase fields, cleared on close."""

    def __init__(
        self, title: str, button: str, fields: dict[str, QLineEdit], parent: QWidget | None, *more: QWidget
    ) -> None:
        self.fields = tuple(fields.values())
        super().__init__(title, button, tuple(fields.items()), parent, more=(*more, ShowTyped(self.fields)))
        for field in self.fields:
            field.textChanged.connect(self.look)

    def done(self, result: int) -> None:
        """Close and clear the input."""
        for field in self.fields:
            field.clear()
        super().done(result)


class AskPassphraseDialog(_Dialog):
    """``given`` carries the passphrase."""

    given = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.current = secret_field()
        super().__init__(say("Check the file"), say("&Check"), {say("&Passphrase"): self.current}, parent)
        self.hint.setText(say("The passphrase is not kept, so checking needs it once more."))

    @Slot()
    def look(self, *_: object) -> None:
        self.go.setEnabled(bool(self.current.text()))

    def accept(self) -> None:
        """Emit the passphrase."""
        self.given.emit(self.current.text())
        super().accept()


class NewPassphraseDialog(_Dialog):
    """``given`` carries the old and the new passphrase; ``names`` are guessed first."""

    given = Signal(object, object)

    def __init__(self, parent: QWidget | None = None, names: Sequence[str] = ()) -> None:
        self.current, self.new, self.again = secret_field(), secret_field(), secret_field()
        self.strength = StrengthHint(self.new, lambda: names)
        fields = {
            say("&Present passphrase"): self.current,
            say("&New passphrase"): self.new,
            say("New passphrase &again"): self.again,
        }
        super().__init__(say("Change the passphrase"), say("&Change"), fields, parent, self.strength)
        self.look()

    @Slot()
    def look(self, *_: object) -> None:
        new, again = self.new.text(), self.again.text()
        if again and new != again:
            self.hint.setText(say("The two are not the same yet."))
        else:
            self.hint.setText(say("Without it nobody can read the workspace."))
        fit = bool(new) and not self.strength.strength.weakness
        self.go.setEnabled(bool(self.current.text()) and fit and new == again)

    def accept(self) -> None:
        """Emit both."""
        if self.go.isEnabled():
            self.given.emit(self.current.text(), self.new.text())
            super().accept()
