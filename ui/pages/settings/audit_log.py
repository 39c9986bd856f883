"""The audit log: a table of its entries, its verification, and its export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from ui.kit.action import push_button
from ui.kit.column import Column, RecordModel, count
from ui.kit.files import ask_open_many
from ui.kit.layout import hbox, vbox
from ui.kit.table import DataTable
from ui.kit.text import tell, wrapped
from ui.words import moment, say, typographic, whole

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.system.progress import Progress
    from radcal.workspace.log_records import LogVerified
    from ui.records import Opened
    from ui.shell import Shell

READ, VERIFY = "audit log", "verify the audit log"
_HEIGHT = 380


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the log to be shown, without digests, which are for `radcal check`.

    at: timezone-aware
    """

    number: int
    at: datetime
    user: str
    radcal: str
    what: str
    counts: tuple[tuple[str, int], ...]


class AuditLog(QWidget):
    """The table of entries with what can be done with it; read when it is shown."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self.verify = push_button(say("Verify"), self.ask_verify)
        self.compare = push_button(say("&Compare with backups\u2026"), self.ask_compare)
        self.export = push_button(say("E&xport\u2026"), self.ask_export)
        self.told = wrapped(role="muted")
        self.outcome = wrapped()
        self.model = log_table()
        self.table = DataTable("audit log", say("Audit log"), self.model, shell)
        self.table.setFixedHeight(_HEIGHT)
        buttons = hbox(self.verify, self.compare, self.export, None)
        vbox(self.told, buttons, self.outcome, self.table, parent=self)
        self.outcome.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what was entered meanwhile."""
        super().showEvent(event)
        self.read()

    def show_department(self, _opened: Opened | None) -> None:
        """Show another log, or a longer one."""
        tell(self.outcome, "")
        if self.isVisible():
            self.read()

    def read(self) -> None:
        """Read the entries anew."""
        if self._shell.opened is not None:
            self._shell.run(READ, entries, self._show)

    @Slot(object)
    def _show(self, entries: tuple[Entry, ...]) -> None:
        """Show the entries, the newest first."""
        n = whole(len(entries))
        self.told.setText(say("{n} entries: who did what and when, in counts, without report text.", n=n))
        self.model.set_rows(entries[::-1])

    # --- doing -------------------------------------------------------------------------------------

    @Slot()
    def ask_verify(self) -> None:
        """Verify against what is at hand."""
        self.verify_against(())

    @Slot()
    def ask_compare(self) -> None:
        """Ask for backups to verify against."""
        kinds = (say("Backups (*.radcal)"), say("All files (*)"))
        ask_open_many(self, say("Audit log"), kinds, self._compare)

    def _compare(self, names: Sequence[str]) -> None:
        self.verify_against(tuple(map(Path, names)))

    def verify_against(self, files: tuple[Path, ...]) -> None:
        """Verify the log, against these backups as well."""

        def verify(department: Department, progress: Progress) -> LogVerified:
            return department.audit_log.verify(files, progress=progress)

        tell(self.outcome, "")
        self._shell.run(VERIFY, verify, self._verified, title=say("Audit log"))

    @Slot(object)
    def _verified(self, found: LogVerified) -> None:
        from radcal.workspace.audit_log import sentences

        tell(self.outcome, "\n".join(map(typographic, sentences(found))), error=not found.holds)

    @Slot()
    def ask_export(self) -> None:
        """Ask where to write the whole log as a table."""
        opened = self._shell.opened
        if opened is not None:
            name, make = say("Audit log"), opened.department.audit_log.table
            self._shell.save_file(name, f"{name}.csv", (say("CSV (*.csv)"), say("Excel (*.xlsx)")), make)


def entries(department: Department, progress: Progress) -> tuple[Entry, ...]:
    """All entries, the oldest first."""
    from radcal.workspace.audit_log import entry_as_plain
    from radcal.workspace.log_records import DIGEST

    found = []
    for entry in department.audit_log.entries():
        progress.raise_if_cancelled()
        counts = entry_as_plain(entry)["counts"]
        found.append(
            Entry(
                entry.entry,
                _moment(entry.at),
                entry.user,
                entry.radcal,
                entry.what,
                tuple((name, n) for name, n in counts.items() if isinstance(n, int) and not name.startswith(DIGEST)),
            )
        )
    return tuple(found)


def _moment(at: str) -> datetime:
    try:
        read = datetime.fromisoformat(at)
    except ValueError:  # an entry of another tool's making
        return datetime.fromtimestamp(0, UTC)
    return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


def log_table() -> RecordModel:
    """The entries: work.Entry."""
    return RecordModel(
        (
            count(say("number"), lambda e: e.number, width=72),
            Column(say("when"), lambda e: moment(e.at), value=lambda e: e.at.isoformat(), width=150),
            Column(say("user"), lambda e: e.user, width=110),
            Column(say("what"), lambda e: e.what, width=340),
            Column(say("counts"), _counts, width=200),
            Column("RadCal", lambda e: e.radcal),
        )
    )


def _counts(entry: Entry) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {whole(n)}" for name, n in entry.counts)
