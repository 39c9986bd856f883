"""Files for all radiologists: which to write, where, and the outcome for each."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from radcal.system.selection import ALL_DAYS
from ui.kit import keyboard
from ui.kit.action import push_button
from ui.kit.files import ask_folder
from ui.kit.layout import hbox, vbox
from ui.kit.table import DataTable
from ui.kit.text import label, wrapped
from ui.pages.feedback import work
from ui.pages.feedback.hand_outs import WINDOWS
from ui.pages.feedback.models import BatchColumn, BatchModel, Radiologist
from ui.pages.radiologists import NamesBox
from ui.sentences import workload_warning
from ui.shell import open_file
from ui.widgets.dates import describe
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from radcal.feedback.batch import Written
    from radcal.feedback.records import Sheet
    from radcal.system.selection import Days, Group
    from ui.records import Opened
    from ui.shell import Shell

BATCH, COUNT, HANDED_OUT = "write feedback files", "count statements of some days", "personal files handed out"


class BatchPanel(QWidget):
    """chosen: the radiologist whose pages to open;  sheet: called when files are written."""

    chosen = Signal(object)

    def __init__(self, shell: Shell, sheet: Callable[[], Sheet], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._sheet = shell, sheet
        self._groups: tuple[Group, ...] = ()
        self._uncounted = False
        self._unasked = True
        self._sample = False
        self._opened: Opened | None = None
        self._folder: Path | None = None
        self._days = ALL_DAYS
        self.pages = QCheckBox(say("&Pages as PDF"))
        self.pages.setChecked(True)
        self.cards = QCheckBox(say("Poc&ket cards"))
        self.cards.setToolTip(say("How often CT showed what each word was said of, on a card to cut out"))
        self.macros = QCheckBox(say("&Dictation macros"))
        self.macros.setToolTip(say("The advised words with their pathologies, as text for a dictation system"))
        self.personal_files = QCheckBox(say("Personal &files"))
        for box in self._boxes():
            box.toggled.connect(self._show_state)
        self.write = push_button("", self.ask_folder, primary=True)
        self.stop = push_button(say("&Cancel"), partial(shell.tasks.cancel, BATCH))
        self.open_folder = push_button(say("Open the f&older"), self._open_folder)
        self.whom = label(role="muted")
        self.everyone = push_button(say("F&or all"), tip=say("Clear the selection and the search"))
        place = self.everyone.sizePolicy()
        place.setRetainSizeWhenHidden(True)  # the table stays where it is while rows are selected in it
        self.everyone.setSizePolicy(place)
        self.dates = wrapped(role="muted")
        self.warning = wrapped(workload_warning(), role="muted")
        self.outcome = wrapped()
        tip = say("Names beside the files written; numbers of statements stand beside pseudonyms alone")
        self.names = NamesBox(shell, say("Show &names"), tip)
        with QSignalBlocker(self.names):
            self.names.setChecked(True)
        self.names.turned.connect(self._names_turned)
        self.model = BatchModel(self)
        self.table = DataTable("feedback batch", say("Radiologists"), self.model, shell)
        # By what is shown: in the order of their pseudonyms, names would tell whose they are.
        self.table.view.horizontalHeader().setSortIndicator(BatchColumn.AUTHOR, Qt.SortOrder.AscendingOrder)
        self.table.activated.connect(self._activated)
        self.table.view.selectionModel().selectionChanged.connect(self._show_state)
        for signal in (self.table.proxy.rowsInserted, self.table.proxy.rowsRemoved, self.model.dataChanged):
            signal.connect(self._show_state)
        self.everyone.clicked.connect(self.table.show_all)
        vbox(
            hbox(
                self.pages,
                self.cards,
                self.macros,
                self.personal_files,
                None,
                self.open_folder,
                self.stop,
                self.write,
                spacing=12,
            ),
            hbox(self.whom, self.everyone, None, self.names, spacing=12),
            self.warning,
            self.dates,
            self.outcome,
            (self.table, 1),
            parent=self,
            margins=(0, 8, 0, 0),
        )
        self._show_state()

    def show_department(self, opened: Opened | None) -> None:
        """List the radiologists; outcomes are kept for those still present."""
        self._opened = opened
        before = {row.author: row.written for row in self.model.rows}
        said: dict[str, float] = {}
        suggestions: dict[str, int] = {}
        for group, view in (opened.of_radiologists if opened else {}).items():
            said[group.author] = said.get(group.author, 0.0) + view.reliability.n
        for group, view in ({**opened.groups, **opened.pooled} if opened else {}).items():
            made = sum(j.advice is not None and not j.pooled for j in view.judged.words)
            suggestions[group.author] = suggestions.get(group.author, 0) + made
        self.model.set_rows([Radiologist(a, said[a], suggestions[a], before.get(a)) for a in sorted(said)])
        self._groups = tuple(opened.of_radiologists) if opened else ()
        self._show_names()
        self._sample = bool(opened and opened.sample)
        self._offer_packets(read_only=bool(opened and opened.read_only))
        self._unasked = True
        self._ask_if_shown()
        self._count()
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
        self.model.set_names(names, named=named)
        self.warning.setVisible(not named)
        for column in (BatchColumn.STATEMENTS, BatchColumn.SUGGESTIONS):
            self.table.show_column(column, not named)

    def _called(self, author: str) -> str:
        return self.model.names.get(author, author)

    def _offer_packets(self, *, read_only: bool) -> None:
        """A read-only workspace cannot store their passphrases."""
        self.personal_files.setEnabled(not read_only)
        if read_only:
            self.personal_files.setChecked(False)
        self.personal_files.setToolTip(
            say(
                "This workspace is open to read only and can keep no passphrases, so no personal files are written"
                " from it."
            )
            if read_only
            else say(
                "A file that RadCal opens for one radiologist: own results, own findings and \u201cTry a"
                " sentence\u201d, nothing of anybody else. Each gets a passphrase of its own."
            )
        )

    def show_days(self, days: Days) -> None:
        """Change the dates of the pages to write; files written and their passphrases stay listed."""
        if days != self._days:
            self._days = days
            self._count()
            self._show_state()

    def _count(self) -> None:
        """Count the statements in the date range; suggestions are counted when pages are made."""
        self._shell.tasks.forget(COUNT)
        self.model.set_days(self._days if self._days.are_limited else ALL_DAYS)
        self._uncounted = self._days.are_limited and bool(self._groups)
        self._count_if_shown()

    def _count_if_shown(self) -> None:
        """Only while visible: counting many findings takes time."""
        if self._uncounted and self.isVisible():
            self._uncounted = False
            call = partial(work.said, groups=self._groups, days=self._days)
            self._shell.run(COUNT, call, partial(self.model.set_days, self._days))

    def _ask_if_shown(self) -> None:
        """Load the passphrases of files written before from the workspace."""
        if self._unasked and self._groups and self.isVisible():
            self._unasked = False
            self._shell.run(
                HANDED_OUT, lambda department, _: department.handing_out.handed_out(), self.model.set_handed_out
            )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask_if_shown()
        self._count_if_shown()

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
        """The number of files to write, at most: some need statements in the date range, macros also advice."""
        chosen = self._chosen()
        of_days = self.pages.isChecked() + self.cards.isChecked()
        n = of_days * sum(row.n != 0 for row in chosen) + self.personal_files.isChecked() * len(chosen)
        # Of limited dates, whether there is advice is known once it is worked out.
        advised = sum(row.n != 0 and row.suggestions != 0 for row in chosen)
        return n + self.macros.isChecked() * advised

    def _boxes(self) -> tuple[QCheckBox, ...]:
        return self.pages, self.cards, self.macros, self.personal_files

    # --- writing -----------------------------------------------------------------------------------

    @Slot()
    def ask_folder(self) -> None:
        """Ask for the target folder, once for all."""
        self._ask(
            self.authors(),
            pages=self.pages.isChecked(),
            cards=self.cards.isChecked(),
            macros=self.macros.isChecked(),
            personal_files=self.personal_files.isChecked(),
        )

    def ask_packet(self, author: str) -> None:
        """Ask where to save one radiologist's personal file."""
        self._ask((author,), personal_files=True)

    def _ask(self, authors: tuple[str, ...], **kinds: bool) -> None:
        title = say("A folder for the files")
        ask_folder(self.window(), title, lambda name: self.write_files(Path(name), authors, **kinds))

    def write_files(
        self,
        folder: Path,
        authors: tuple[str, ...],
        *,
        pages: bool = False,
        personal_files: bool = False,
        cards: bool = False,
        macros: bool = False,
    ) -> None:
        """Write the files of ``authors``; cancelling keeps those already written."""
        self._folder, days, sheet = folder, self._days, self._sheet()
        self.outcome.setText("")
        self._shell.run(
            BATCH,
            lambda department, progress: department.handing_out.write_all(
                folder,
                authors,
                pages=pages,
                personal_files=personal_files,
                cards=cards,
                macros=macros,
                windows=WINDOWS,
                days=days,
                sheet=sheet,
                progress=progress,
            ),
            self._written,
            title=say("Writing feedback files"),
            stopped=self._show_state,
            keeps=True,
            shares=True,
        )
        self._show_state()

    def _written(self, written: tuple[Written, ...]) -> None:
        self.model.set_written(written)
        good = sum(not w.failure for w in written)
        if good == len(written) == 1:
            text = say(
                "Files for {author} are in {folder}.", author=self._called(written[0].author), folder=self._folder
            )
        else:
            text = say(
                "Files for {n:,} of {all:,} radiologists are in {folder}.",
                n=good,
                all=len(written),
                folder=self._folder,
            )
        if any(w.passphrase for w in written):
            text += " " + (
                say(
                    "The passphrases stand in the table until the sample is closed: copy them, and give each to its"
                    " radiologist apart from the file."
                )
                if self._sample
                else say(
                    "The passphrases stand in the table, and this workspace keeps them: give each to its radiologist"
                    " apart from the file."
                )
            )
        if good < len(written):
            text += " " + say("Why the others were not written stands in the table.")
        self.outcome.setText(text)
        self._show_state()

    @Slot()
    def _show_state(self, *_: object) -> None:
        n, running = self._files(), self._shell.tasks.is_running(BATCH)
        self.write.setText(say("&Write 1 file\u2026", many="&Write {n:,} files\u2026", n=n))
        self._show_whom()
        wanted = any(box.isChecked() for box in self._boxes())
        begins, ends = running and keyboard.is_in(self.write), not running and keyboard.is_in(self.stop)
        self.stop.setVisible(running or ends)
        if begins:
            self.stop.setFocus()
        self.write.setEnabled(bool(n) and wanted and not running)
        if ends:
            self.write.setFocus()
        self.write.setToolTip(
            say("Tick what to write.")
            if not wanted
            else ""
            if n
            else say("There are no statements of these dates, or no advice, to make files of.")
        )
        self.stop.setVisible(running)
        self.open_folder.setVisible(self._folder is not None and not running)
        self.outcome.setVisible(bool(self.outcome.text()))
        days = describe((self._days.first, self._days.last))
        if self.personal_files.isChecked():
            text = say(
                "Pages, cards and macros are made from the examinations of these dates: {dates}. Personal files hold"
                " all examinations; their radiologists choose dates in them.",
                dates=days,
            )
        else:
            text = say("Pages, cards and macros are made from the examinations of these dates: {dates}.", dates=days)
        self.dates.setText(text)
        self.dates.setVisible(self._days.are_limited)

    def _show_whom(self) -> None:
        chosen, every = self._chosen(), self.model.rowCount()
        if len(chosen) == 1:
            text = say("For {author} alone.", author=self._called(chosen[0].author))
        elif len(chosen) == every:
            text = say("For all {n:,} radiologists; for some alone, select them in the table.", n=every)
        elif self.table.selected_rows():
            text = say("For the {n:,} radiologists selected in the table.", n=len(chosen))
        else:
            text = say("For the {n:,} radiologists that the search shows.", n=len(chosen))
        self.whom.setText(text)
        self.whom.setVisible(bool(chosen))
        leaves = keyboard.is_in(self.everyone) and len(chosen) == every
        if leaves:
            self.table.view.setFocus()
        self.everyone.setVisible(0 < len(chosen) < every)

    @Slot()
    def _open_folder(self) -> None:
        if self._folder is not None:
            open_file(self._folder)

    @Slot(object)
    def _activated(self, row: int) -> None:
        self.chosen.emit(self.model.row(row).author)
