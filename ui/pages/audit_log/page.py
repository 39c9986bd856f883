"""The audit log: a table of its entries, its verification, and files of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from radcal.exports import WORKSPACE_SUFFIX
from radcal.kinds import FileKind
from ui.kit.action import push_button
from ui.kit.files import ask_open_many, ask_save
from ui.kit.layout import hbox
from ui.kit.table import DataTable
from ui.kit.text import caption, wrapped
from ui.pages.audit_log import work
from ui.pages.audit_log.models import DAYS, days_words, log_table, shown
from ui.pages.stage import StagePage
from ui.words import say, typographic, whole

if TYPE_CHECKING:
    from ui.pages.audit_log.work import AuditFile, Entry, Verified
    from ui.records import Opened
    from ui.shell import Shell

READ, VERIFY, WRITE = "audit log", "verify the audit log", "write an audit file"


class AuditLogPage(StagePage):
    """Opened from Settings; of an audit file, the page that it is opened for."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._entries: tuple[Entry, ...] = ()
        self._stale = True
        self.title.setText(say("Audit log"))
        self.kind, self.days = QComboBox(), QComboBox()
        for key, name in _kinds():
            self.kind.addItem(name, key)
        for days in DAYS:
            self.days.addItem(days_words(days), days)
        for box in (self.kind, self.days):
            box.currentIndexChanged.connect(self._fill)
        self.verify = push_button(
            say("&Verify"),
            self.ask_verify,
            primary=True,
            tip=say("Whether the log is still what was entered, by its chain and by the backups at hand"),
        )
        self.compare = push_button(
            say("&Compare with files\u2026"),
            self.ask_compare,
            tip=say("Verify against receipts, and against backups that are kept elsewhere"),
        )
        self.export = push_button(
            say("E&xport\u2026"), self.ask_export, tip=say("All entries with their hashes, as CSV or Excel")
        )
        self.save = push_button(
            say("Save an audit &file\u2026"),
            self.ask_file,
            tip=say("The log alone, encrypted, for whoever watches over it: it opens in RadCal"),
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
        self.body.addLayout(hbox(self.verify, self.compare, None, self.export, self.save))
        self.body.addWidget(self.outcome)
        self.body.addWidget(self.table, 1)

    # --- called by the window ----------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show another log, or a longer one."""
        self._tell("")
        self._stale = True
        if opened is None:
            self.show_closed(say("Audit log"), say("Open a workspace to see who did what in it, and when."))
            return
        self.title.setText(say("Audit log"))
        self.save.setVisible(opened.kind is FileKind.DEPARTMENT)
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
            self.shell.run(READ, work.entries, self._show)

    @Slot(object)
    def _show(self, entries: tuple[Entry, ...]) -> None:
        self._entries = entries
        opened = self.shell.opened
        if opened is not None and opened.read_only and opened.kind is FileKind.DEPARTMENT:
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
        """Ask for files to verify against."""
        kinds = (say("Receipts, backups and audit files (*.json *.radcal)"), say("All files (*)"))
        ask_open_many(self, say("Compare the audit log with files"), kinds, self._compare)

    def _compare(self, names: Sequence[str]) -> None:
        self.verify_against(tuple(map(Path, names)))

    def verify_against(self, files: tuple[Path, ...]) -> None:
        """Verify the log, against these files as well."""
        self._tell(say("Verifying\u2026"))
        title = say("Verifying the audit log")
        self.shell.run(VERIFY, partial(work.verify, files), self._verified, title=title, stopped=self._stopped)

    @Slot(object)
    def _verified(self, found: Verified) -> None:
        self._tell("\n".join(map(typographic, found.sentences)), error=not found.holds)

    @Slot()
    def _stopped(self) -> None:
        self._tell("")

    @Slot()
    def ask_export(self) -> None:
        """Ask where to write the whole log as a table."""
        opened = self.shell.opened
        if opened is not None:
            kinds, make = (say("CSV (*.csv)"), say("Excel (*.xlsx)")), opened.department.audit_log.table
            self.shell.save_file(say("Export the audit log"), f"{say('Audit log')}.csv", kinds, make)

    @Slot()
    def ask_file(self) -> None:
        """Ask where to write an audit file."""
        opened = self.shell.opened
        if opened is not None:
            name = say("{name} audit log{ending}", name=opened.path.stem, ending=WORKSPACE_SUFFIX)
            kinds = (say("Audit files (*.radcal)"), say("All files (*)"))
            ask_save(self, say("Save an audit file"), name, kinds, self.write_file, may_replace=False)

    @Slot(str)
    def write_file(self, name: str) -> None:
        """Write an audit file."""
        self._tell("")
        title = say("Writing the audit file")
        self.shell.run(WRITE, partial(work.write_file, Path(name)), self._written, title=title, keeps=True)

    @Slot(object)
    def _written(self, made: AuditFile) -> None:
        self._tell(
            say(
                "The audit file is {path}. Its passphrase is {passphrase}: note it now, and give it to whoever gets the"
                " file, apart from it. It is kept nowhere.",
                path=made.path,
                passphrase=made.passphrase,
            )
        )
        self._stale = True
        self._read()

    def _tell(self, text: str, *, error: bool = False) -> None:
        self.outcome.setText(text)
        self.outcome.setProperty("role", "error" if error else "")
        self.outcome.style().polish(self.outcome)
        self.outcome.setVisible(bool(text))


def _kinds() -> tuple[tuple[str, str], ...]:
    """The kinds of entries and their names; see ``keeping.audit_log.KINDS``."""
    return (
        ("", say("All entries")),
        ("looked", say("Opened and looked at")),
        ("changed", say("Changed")),
        ("out", say("Handed out and exported")),
        ("kept", say("Backups and the file")),
    )
