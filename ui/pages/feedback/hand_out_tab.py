"""What is handed out to radiologists: files for all or for some, when each got something, and what came back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from radcal.calibration.records import ALL_AUTHORS
from radcal.feedback.batch import NOTHING_ADVISED
from radcal.feedback.given import Given
from radcal.system.exports import CONTESTS_SUFFIX
from radcal.system.selection import ALL_DAYS
from ui.kit.action import enable, push_button
from ui.kit.files import ask_folder, ask_open_many
from ui.kit.layout import hbox, vbox
from ui.kit.table import DataTable
from ui.kit.text import show_text, wrapped
from ui.pages.feedback import work
from ui.pages.feedback.models import BatchColumn, BatchModel, Radiologist
from ui.pages.feedback.saving import WINDOWS
from ui.pages.feedback.sentences import enough
from ui.sentences import author_name, read_only_reason, workload_warning
from ui.shell import open_file
from ui.widgets.names_box import NamesBox
from ui.words import say, typographic

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.feedback.batch import Written
    from radcal.feedback.records import Sheet
    from radcal.system.selection import Days
    from ui.records import Opened
    from ui.shell import Shell

BATCH = "write feedback files"


class HandOutTab(QWidget):
    """chosen: the radiologist whose pages to open;  written: files were;  sheet: called when files are written."""

    chosen = Signal(object)
    written = Signal()

    def __init__(self, shell: Shell, sheet: Callable[[], Sheet], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._sheet = shell, sheet
        self._opened: Opened | None = None
        self._folder: Path | None = None
        self._days = ALL_DAYS
        self.pages = QCheckBox(say("&Pages as PDF"))
        self.pages.setChecked(True)
        self.cards = QCheckBox(say("Poc&ket cards"))
        self.macros = QCheckBox(say("&Dictation macros"))
        self.personal_files = QCheckBox(say("Personal &files"))
        for box in self._boxes():
            box.toggled.connect(self._show_state)
        self.write = push_button("", self.ask_folder, primary=True)
        self.open_folder = push_button(say("Open the f&older"), self._open_folder)
        self.take = push_button(say("&Take in answers\u2026"), self.ask_contests)
        self.whom = wrapped(say("For those selected in the table, or else for all."), role="muted")
        self.warning = wrapped(workload_warning(), role="muted")
        self.outcome = wrapped()
        self.names = NamesBox(shell)
        self.names.turned.connect(self._names_turned)
        self.model = BatchModel(self)
        self.table = DataTable("feedback batch", say("Hand out"), self.model, shell)
        # By what is shown: in the order of their pseudonyms, names would tell whose they are.
        self.table.view.horizontalHeader().setSortIndicator(BatchColumn.AUTHOR, Qt.SortOrder.AscendingOrder)
        self.table.activated.connect(self._activated)
        self.table.view.selectionModel().selectionChanged.connect(self._show_state)
        for signal in (self.table.proxy.rowsInserted, self.table.proxy.rowsRemoved, self.model.dataChanged):
            signal.connect(self._show_state)
        vbox(
            hbox(*self._boxes(), None, self.open_folder, self.write, spacing=12),
            hbox((self.whom, 1), self.names, self.take, spacing=12),
            self.warning,
            self.outcome,
            (self.table, 1),
            parent=self,
            margins=(0, 8, 0, 0),
        )
        self._show_state()

    def show_department(self, opened: Opened | None) -> None:
        """List the radiologists; outcomes are kept for those still present."""
        self._opened = opened
        rows: dict[str, Radiologist] = {row.author: row for row in self.model.rows}
        said: dict[str, float] = {}
        suggestions: dict[str, int] = {}
        for group, view in (opened.of_radiologists if opened else {}).items():
            said[group.author] = said.get(group.author, 0.0) + view.reliability.n
        for group, view in ({**opened.groups, **opened.pooled} if opened else {}).items():
            made = sum(j.advice is not None and not j.pooled for j in view.judged.words)
            suggestions[group.author] = suggestions.get(group.author, 0) + made
        able = enough(opened) if opened else ()
        self.model.set_rows(
            [
                replace(rows.get(a, Radiologist(a)), n=said[a], suggestions=suggestions[a], enough=a in able)
                for a in sorted(said)
            ]
        )
        self._show_names()
        why_not = read_only_reason() if opened is not None and opened.read_only else ""
        enable(
            self.personal_files,
            why_not,
            say("A file that RadCal opens for one radiologist, of all dates and with a passphrase of its own"),
        )
        if why_not:  # their passphrases could not be kept
            self.personal_files.setChecked(False)
        enable(self.take, why_not)
        self._show_state()

    @Slot()
    def _names_turned(self) -> None:
        self._show_names()
        self._show_state()

    def _show_names(self) -> None:
        """Names, or pseudonyms with numbers: never a name beside the numbers that its pseudonym has elsewhere."""
        opened = self._opened
        if opened is not None and opened.names_missing:
            with QSignalBlocker(self.names):
                self.names.setChecked(False)
        named = self.names.isChecked()
        names = {} if opened is None else opened.names if named else opened.pseudonyms
        self.model.names, self.model.without_numbers = names, named or self._days.are_limited
        self.model.show_people(named=named)
        self.model.change({})
        self.warning.setVisible(not named)
        for column in (BatchColumn.FINDINGS, BatchColumn.SUGGESTIONS):
            self.table.show_column(column, not named)

    def show_before(self, before: work.Before) -> None:
        """Show what was handed out before, with the passphrases, and what came back."""
        files, given = {w.author: w for w in before.files}, before.given
        self.model.change(
            {a: {"kept": files.get(a), "given": given.get(a, Given())} for a in files.keys() | given.keys()}
        )

    def show_days(self, days: Days) -> None:
        """Change the dates of the pages to write; files written and their passphrases stay listed."""
        self._days = days
        self._show_names()
        self._show_state()

    def forget(self) -> None:
        """Clear the outcomes of the previous department."""
        self.model.set_rows([])
        self._folder = None
        self.outcome.setText("")

    def authors(self) -> tuple[str, ...]:
        """Whose files to write: the selected rows, or all visible ones if none is selected."""
        return tuple(row.author for row in self._chosen())

    def _chosen(self) -> list[Radiologist]:
        return [self.model.row(row) for row in self.table.selected_rows() or self.table.shown_rows()]

    def _files(self) -> int:
        """The number of files to write, at most: who has no findings in the date range gets none."""
        chosen = self._chosen()
        advised = len(chosen) if self._days.are_limited else sum(bool(row.suggestions) for row in chosen)
        every = self.pages.isChecked() + self.cards.isChecked() + self.personal_files.isChecked()
        return every * len(chosen) + self.macros.isChecked() * advised

    def _boxes(self) -> tuple[QCheckBox, ...]:
        return self.pages, self.cards, self.macros, self.personal_files

    # --- writing -----------------------------------------------------------------------------------

    @Slot()
    def ask_folder(self) -> None:
        """Ask for the target folder, once for all."""
        kinds = {
            "pages": self.pages.isChecked(),
            "cards": self.cards.isChecked(),
            "macros": self.macros.isChecked(),
            "personal_files": self.personal_files.isChecked(),
        }
        authors, title = self.authors(), self.write.text().replace("&", "")
        ask_folder(self.window(), title, lambda name: self.write_files(Path(name), authors, **kinds))

    def write_files(self, folder: Path, authors: tuple[str, ...], **kinds: Any) -> None:
        """Write files of these ``kinds``, as of :meth:`Batch.write_all`; cancelling keeps those already written."""
        self._folder, days, sheet = folder, self._days, self._sheet()
        self.outcome.setText("")
        self._shell.run(
            BATCH,
            lambda department, progress: department.handing_out.write_all(
                folder, authors, **kinds, windows=WINDOWS, days=days, sheet=sheet, progress=progress
            ),
            self._written,
            title=say("Writing feedback for {author}", author=author_name(ALL_AUTHORS, None)),
            stopped=self._show_state,
            keeps=True,
            shares=True,
        )
        self._show_state()

    def _written(self, written: tuple[Written, ...]) -> None:
        self.model.change({w.author: {"written": w} for w in written})
        good = sum(not w.failure for w in written)
        text = say("Written for {n:,} of {all:,}, into {folder}.", n=good, all=len(written), folder=self._folder)
        if any(w.passphrase for w in written):
            text += " " + say("Give each radiologist the passphrase in the table, apart from the file.")
        self.outcome.setText(text)
        self._show_state()
        self.written.emit()

    @Slot()
    def _show_state(self, *_: object) -> None:
        n, running = self._files(), self._shell.tasks.is_running(BATCH)
        self.write.setText(say("&Write 1 file\u2026", many="&Write {n:,} files\u2026", n=n))
        why_not = "" if n else say("Tick what to write.")
        if not n and self.macros.isChecked():
            why_not = typographic(NOTHING_ADVISED)
        enable(self.write, why_not)
        if running:
            self.write.setEnabled(False)
        self.open_folder.setVisible(self._folder is not None and not running)
        show_text(self.outcome, self.outcome.text())

    @Slot()
    def ask_contests(self) -> None:
        """Ask for files of contests that came back; the results take them in."""
        title, kinds = self.take.text().replace("&", ""), [f"RadCal (*{CONTESTS_SUFFIX})"]
        ask_open_many(self.window(), title, kinds, self._take)

    @Slot(object)
    def _take(self, names: list[str]) -> None:
        self._shell.go("results", take=tuple(map(Path, names)))

    @Slot()
    def _open_folder(self) -> None:
        if self._folder is not None:
            open_file(self._folder)

    @Slot(object)
    def _activated(self, row: int) -> None:
        self.chosen.emit(self.model.row(row).author)
