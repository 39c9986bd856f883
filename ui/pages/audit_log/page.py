"""The audit log: a table of its entries, its verification, and its export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from ui.kit.action import push_button
from ui.kit.column import Column, RecordModel, count
from ui.kit.files import ask_open_many
from ui.kit.form import choice
from ui.kit.layout import hbox
from ui.kit.table import DataTable
from ui.kit.text import caption, tell, wrapped
from ui.pages.stage import StagePage
from ui.words import moment, say, typographic, whole

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.system.progress import Progress
    from radcal.workspace.log_records import LogVerified
    from ui.records import Opened
    from ui.shell import Shell

READ, VERIFY = "audit log", "verify the audit log"
DAYS = (None, 1, 7, 30, 365)
"""Choices of how far back entries are shown; None for all."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the log to be shown, without digests, which are for `radcal check`.

    at: timezone-aware;  kind: of keeping.audit_log.KINDS
    """

    number: int
    at: datetime
    user: str
    radcal: str
    what: str
    counts: tuple[tuple[str, int], ...]
    kind: str


class AuditLogPage(StagePage):
    """Opened from Settings."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._entries: tuple[Entry, ...] = ()
        self._stale = True
        self.title.setText(say("Audit log"))
        self.kind = choice(say("Show"), *_kinds())
        self.days = choice(say("From"), *((days_words(days), days) for days in DAYS))
        for box in (self.kind, self.days):
            box.currentIndexChanged.connect(self._fill)
        self.verify = push_button(
            say("&Verify"),
            self.ask_verify,
            primary=True,
            tip=say("Whether the log is still what was entered, by its chain and by the backups at hand"),
        )
        self.compare = push_button(
            say("&Compare with backups\u2026"),
            self.ask_compare,
            tip=say("Verify against backups that are kept elsewhere as well"),
        )
        self.export = push_button(
            say("E&xport\u2026"), self.ask_export, tip=say("All entries with their hashes, as CSV or Excel")
        )
        self.outcome = wrapped()
        self.outcome.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.model = log_table()
        self.table = DataTable("audit log", say("Audit log"), self.model, shell)
        for text, box in ((say("&Show"), self.kind), (say("Fro&m"), self.days)):
            self.table.add_to_bar(caption(text, box))
            self.table.add_to_bar(box)
        self.body.addLayout(hbox(self.verify, self.compare, None, self.export))
        self.body.addWidget(self.outcome)
        self.body.addWidget(self.table, 1)

    # --- called by the window ----------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show another log, or a longer one."""
        tell(self.outcome, "")
        self._stale = True
        if opened is None:
            self.show_closed(say("Audit log"), say("Open a workspace to see who did what in it, and when."))
            return
        self.title.setText(say("Audit log"))
        self.show_content()
        if self.isVisible():
            self._read()

    def arrive(self, **_where: object) -> None:
        """Show what was entered meanwhile."""
        self._stale = True
        self._read()

    def _read(self) -> None:
        if self._stale and self.shell.opened is not None:
            self._stale = False
            self.shell.run(READ, entries, self._show)

    @Slot(object)
    def _show(self, entries: tuple[Entry, ...]) -> None:
        self._entries = entries
        opened = self.shell.opened
        if opened is not None and opened.read_only:
            text = say(
                "{n} entries. The workspace is open to read only, so that what is done now cannot be entered.",
                n=whole(len(entries)),
            )
        else:
            text = say("{n} entries: who did what when, in counts, without report text.", n=whole(len(entries)))
        self.sentence.setText(text)
        self._fill()

    @Slot()
    def _fill(self, *_: object) -> None:
        today = datetime.now().astimezone().date()
        self.model.set_rows(shown(self._entries, self.kind.currentData(), self.days.currentData(), today))

    # --- doing -------------------------------------------------------------------------------------

    @Slot()
    def ask_verify(self) -> None:
        """Verify against what is at hand."""
        self.verify_against(())

    @Slot()
    def ask_compare(self) -> None:
        """Ask for backups to verify against."""
        kinds = (say("Backups (*.radcal)"), say("All files (*)"))
        ask_open_many(self, say("Compare the audit log with backups"), kinds, self._compare)

    def _compare(self, names: Sequence[str]) -> None:
        self.verify_against(tuple(map(Path, names)))

    def verify_against(self, files: tuple[Path, ...]) -> None:
        """Verify the log, against these backups as well."""
        tell(self.outcome, say("Verifying\u2026"))
        title = say("Verifying the audit log")

        def verify(department: Department, progress: Progress) -> LogVerified:
            return department.audit_log.verify(files, progress=progress)

        self.shell.run(VERIFY, verify, self._verified, title=title, stopped=self._stopped)

    @Slot(object)
    def _verified(self, found: LogVerified) -> None:
        from radcal.workspace.audit_log import sentences

        tell(self.outcome, "\n".join(map(typographic, sentences(found))), error=not found.holds)

    @Slot()
    def _stopped(self) -> None:
        tell(self.outcome, "")

    @Slot()
    def ask_export(self) -> None:
        """Ask where to write the whole log as a table."""
        opened = self.shell.opened
        if opened is not None:
            kinds, make = (say("CSV (*.csv)"), say("Excel (*.xlsx)")), opened.department.audit_log.table
            self.shell.save_file(say("Export the audit log"), f"{say('Audit log')}.csv", kinds, make)


def _kinds() -> tuple[tuple[str, str], ...]:
    """The names of the kinds of entries, and the kinds; see ``keeping.audit_log.KINDS``."""
    return (
        (say("All entries"), ""),
        (say("Opened and looked at"), "looked"),
        (say("Changed"), "changed"),
        (say("Handed out and exported"), "out"),
        (say("Backups and the file"), "kept"),
    )


def entries(department: Department, progress: Progress) -> tuple[Entry, ...]:
    """All entries, the oldest first."""
    from radcal.workspace.audit_log import entry_as_plain, kind_of
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
                kind_of(entry.what),
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
            Column("RadCal", lambda e: e.radcal, meaning=say("The version of RadCal")),
        )
    )


def _counts(entry: Entry) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {whole(n)}" for name, n in entry.counts)


def days_words(days: int | None) -> str:
    """A choice of how far back."""
    if days is None:
        return say("All days")
    if days == 1:
        return say("Today")
    return say("Last {n} days", n=days)


def shown(entries: Sequence[Entry], kind: str, days: int | None, today: date) -> tuple[Entry, ...]:
    """The entries of a kind, '' for all, from the last days; the newest first."""
    first = date.min if days is None else today - timedelta(days=days - 1)
    return tuple(e for e in reversed(entries) if kind in ("", e.kind) and _day(e.at) >= first)


def _day(at: datetime) -> date:
    return at.astimezone().date()
