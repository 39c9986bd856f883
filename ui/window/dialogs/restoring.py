"""Asks which backup of a workspace to restore."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.files import ask_open
from ui.kit.form import ShowTyped, secret_field
from ui.kit.layout import hbox
from ui.kit.text import caption, tell, wrapped
from ui.sentences import held_words
from ui.theme import px
from ui.words import moment, say, typographic

if TYPE_CHECKING:
    from radcal.system.progress import Progress
    from radcal.workspace.records import Backup, Contents
    from ui.tasks import Failure, Tasks

BACKUPS, LOOK_INTO = "backups", "look into a backup"
_WIDTH, _ROWS, _ROW = 560, 150, 28


def _kind(backup: Backup) -> str:
    """How a backup was made."""
    if backup.series:
        return say("Daily backup {n}", n=backup.number)
    if ".schema-" in backup.path.name:
        return say("Before RadCal was updated")
    return say("Put aside when a backup was restored")


class RestoreDialog(Dialog):
    """``chosen`` carries a backup of the workspace and its passphrase; ``folders`` are also searched."""

    chosen = Signal(object, object)

    def __init__(self, path: Path, folders: Sequence[Path], tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(say("Restore a backup"), parent, width=_WIDTH)
        self._tasks = tasks
        self.list = QTreeWidget()
        self.list.setHeaderLabels([say("Made"), say("Size"), say("Kind")])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setMinimumHeight(px(_ROWS))
        self.list.setAccessibleName(say("Backups of {name}", name=path.name))
        self.list.currentItemChanged.connect(self._changed)
        self.found = wrapped(say("Looking for backups\u2026"), role="muted")
        self.other = push_button(say("&Another file\u2026"), self._ask_other)
        self.field = secret_field(say("Passphrase"))
        self.field.textChanged.connect(self._changed)
        self.look = push_button(
            say("&Look into it"),
            self._ask_look,
            tip=say("Reads the whole backup and says what it holds; nothing is changed"),
        )
        self.held = wrapped(role="muted")
        self.go = push_button(say("&Restore"), primary=True)
        self.lay_out(
            wrapped(
                say(
                    "A backup takes the place of {name}. The file that is there now is kept beside it under another"
                    " name, so that nothing is lost.",
                    name=path.name,
                )
            ),
            (self.list, 1),
            hbox((self.found, 1), self.other),
            4,
            caption(say("&Passphrase when the backup was made"), self.field),
            hbox((self.field, 1), self.look),
            ShowTyped([self.field]),
            self.held,
            accept=self.go,
        )
        self._changed()

        def find(_progress: Progress) -> list[Backup]:
            from radcal.workspace.backups import backups_of

            return backups_of(path, folders)

        tasks.start(BACKUPS, find, done=self.show_backups, failed=lambda _: None)

    # --- the backups -------------------------------------------------------------------------------

    @Slot(object)
    def show_backups(self, backups: Sequence[Backup]) -> None:
        """List the backups found; selects the first scheduled one, not a file set aside."""
        last = None
        for backup in backups:
            size = QLocale().formattedDataSize(backup.size, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
            item = self._add(backup.path, moment(backup.made), size, _kind(backup))
            last = last or (item if backup.series else None)
        for column in (0, 1):
            self.list.resizeColumnToContents(column)
            self.list.setColumnWidth(column, self.list.columnWidth(column) + 12)
        if last is not None and self.backup is None:
            self.list.setCurrentItem(last)
        self.found.setText(
            "" if backups else say("No backups were found beside the workspace. Choose a file if there is one.")
        )

    @Slot()
    def _ask_other(self) -> None:
        kinds = [say("Workspaces (*.radcal)"), say("All files (*)")]
        ask_open(self, say("Choose a backup"), kinds, self.add_file)

    @Slot(str)
    def add_file(self, name: str) -> None:
        """Choose a file that was not found."""
        path = Path(name)
        self.list.setCurrentItem(self._add(path, "", "", path.name))

    def _add(self, path: Path, made: str, size: str, kind: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([made, size, kind])
        item.setSizeHint(2, QSize(0, px(_ROW)))  # the last column stretches; the others take what they need
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setToolTip(2, str(path))
        item.setData(0, Qt.ItemDataRole.UserRole, str(path))
        self.list.addTopLevelItem(item)
        return item

    @property
    def backup(self) -> Path | None:
        """The selected backup."""
        item = self.list.currentItem()
        return None if item is None else Path(str(item.data(0, Qt.ItemDataRole.UserRole)))

    # --- looking and choosing ----------------------------------------------------------------------

    @Slot()
    def _changed(self, *_: object) -> None:
        self.held.setText("")
        ready = self.backup is not None and bool(self.field.text())
        self.look.setEnabled(ready)
        self.go.setEnabled(ready)
        self.go.setDefault(ready)

    @Slot()
    def _ask_look(self) -> None:
        backup, passphrase = self.backup, self.field.text()
        if backup is None:
            return

        def look(progress: Progress) -> Contents:
            from radcal.workspace.restoring import look_into

            return look_into(backup, passphrase, progress)

        tell(self.held, say("Reading the backup\u2026"), role="muted")
        self._tasks.start(LOOK_INTO, look, done=self._looked, failed=self._failed)

    @Slot(object)
    def _looked(self, contents: Contents) -> None:
        tell(self.held, held_words(contents.reports, contents.decisions), role="muted")

    @Slot(object)
    def _failed(self, failure: Failure) -> None:
        tell(self.held, typographic(failure.text or failure.technical), error=True)

    def accept(self) -> None:
        """Emit the backup and its passphrase."""
        backup = self.backup
        if backup is not None and self.field.text():
            self.chosen.emit(backup, self.field.text())
            super().accept()

    def done(self, result: int) -> None:
        """Close and clear the input."""
        for operation in (BACKUPS, LOOK_INTO):
            self._tasks.forget(operation)
        self.field.clear()
        super().done(result)
