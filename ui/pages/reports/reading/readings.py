"""What has been read by which engine, the reading that results come from, and what changed between two."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox

from ui.kit.action import enable, menu_button, push_button
from ui.kit.dialog import Dialog
from ui.kit.files import ask_save
from ui.kit.form import offer
from ui.kit.layout import hbox, panel, vbox
from ui.kit.table import DataTable
from ui.kit.text import caption, label, wrapped
from ui.pages.reports.reading.models import difference_model, run_model, run_words
from ui.sentences import reports_text
from ui.shell import open_file
from ui.widgets.messages import Message
from ui.words import say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from radcal.findings.run_records import RunComparison, RunSummary
    from ui.pages.reports.reading.control import Reading
    from ui.shell import Shell
    from ui.tasks import Failure

COMPARE = "extraction comparison"
"""The operation in the worker."""
_SIZE = (940, 560)


class ReadingsDialog(Dialog):
    """Lists what engines have read, latest first, and the findings that differ between two of them."""

    def __init__(self, page: QWidget, shell: Shell, reading: Reading) -> None:
        super().__init__(say("Readings"), page)
        self._shell, self._reading = shell, reading
        self.model = run_model()
        self.table = DataTable("extraction runs", say("Readings"), self.model, shell, searchable=False)
        self.table.view.selectionModel().selectionChanged.connect(self._show_buttons)
        self.use = push_button(say("Sho&w its results"), self._use)
        entries = [
            (say("As a &table\u2026"), partial(self._ask_where, False)),
            (say("With accession &numbers\u2026"), partial(self._ask_where, True)),
        ]
        self.hand_on = menu_button(say("Save findings \u25be"), say("Save the findings"), entries)
        for made in (self.hand_on, self.use):
            self.table.add_to_bar(made)
        self.before, self.after = QComboBox(minimumContentsLength=18), QComboBox(minimumContentsLength=18)
        choose = hbox()
        for text, combo in ((say("B&efore"), self.before), (say("A&fter"), self.after)):
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.activated.connect(self._compare)
            choose.addWidget(caption(text, combo))
            choose.addWidget(combo, 1)
        self.compared = wrapped()
        self.difference_model = difference_model()
        name = say("What changed between two readings")
        self.differences = DataTable("extraction differences", name, self.difference_model, shell)
        self._two = panel(vbox(label(name, role="strong"), choose, self.compared, (self.differences, 1)))
        self._asked: tuple[int, int] | None = None
        self.lay_out((self.table, 2), (self._two, 3), spacing=12)
        self.resize(*_SIZE)
        reading.changed.connect(self.show_reading)

    def begin(self) -> None:
        """Open with what has been read so far."""
        self.open()
        self.show_reading()

    @Slot()
    def show_reading(self) -> None:
        """List the readings."""
        seen = self._reading.seen
        if self.isHidden():
            return
        if seen is None:
            self.reject()
        elif seen.runs != self.model.rows:
            self.model.set_rows(seen.runs)
            self._offer(seen.runs)
        self._show_buttons()

    def _chosen(self) -> RunSummary | None:
        """The selected reading; while none is selected, the one whose results are on show."""
        runs: Sequence[RunSummary] = self.model.rows
        selected = self.table.selected_rows()
        wanted = [runs[row] for row in selected] if selected else [run for run in runs if run.shown]
        return wanted[0] if len(wanted) == 1 else None

    @Slot()
    def _show_buttons(self, *_: object) -> None:
        run = self._chosen()
        none = "" if run is not None else say("Select one reading in the table first.")
        shown = say("Its results are on show already.") if run is not None and run.shown else ""
        enable(self.use, self._reading.why_locked() or none or shown)
        enable(self.hand_on, none)

    @Slot()
    def _use(self) -> None:
        run = self._chosen()
        if run is not None:
            self._shell.choose_run(run.run_id)

    def _ask_where(self, numbers: bool) -> None:
        run = self._chosen()
        if run is not None:
            write = partial(self._write, run.run_id, numbers)
            kinds = ("CSV (*.csv)", "Excel (*.xlsx)")
            ask_save(self, say("Save the findings"), f"{say('findings')}.csv", kinds, lambda name: write(Path(name)))

    def _write(self, run_id: int, numbers: bool, path: Path) -> None:
        again, messages = partial(self._write, run_id, numbers, path), self._shell.messages

        def failed(failure: Failure) -> None:
            messages.show_failure(Message.FILE_FAILED, failure, again)

        self._shell.run(
            f"findings {path}",
            lambda department, progress: department.findings_export.write(
                path, run_id, progress, accession_numbers=numbers
            ),
            lambda _n: messages.show_message(Message.FILE_SAVED, partial(open_file, path), file=path.name),
            failed=failed,
            title=say("Save the findings"),
            keeps=True,
        )

    def _offer(self, runs: Sequence[RunSummary]) -> None:
        chosen = (self.before.currentData(), self.after.currentData())
        for combo in (self.before, self.after):
            offer(combo, ((run_words(run), run.run_id) for run in runs))
        self._two.setVisible(len(runs) > 1)
        if len(runs) > 1:
            places = [self.before.findData(run_id) for run_id in chosen]
            if min(places) < 0 or places[0] == places[1]:
                places = [1, 0]  # the latest one and the one before
            self.before.setCurrentIndex(places[0])
            self.after.setCurrentIndex(places[1])
            self._compare()

    @Slot()
    def _compare(self) -> None:
        before, after = self.before.currentData(), self.after.currentData()
        self._asked = (before, after)
        if before == after:
            self.difference_model.set_rows(())
            self.compared.setText(say("These are the same reading. Choose two different ones."))
            return
        self.compared.setText(say("Comparing\u2026"))
        self._shell.run(
            COMPARE,
            lambda department, progress: department.runs.compare(before, after, progress),
            self._show_comparison,
        )

    @Slot(object)
    def _show_comparison(self, found: RunComparison) -> None:
        if (found.before, found.after) != self._asked:
            return
        self.difference_model.set_rows(found.differences)
        text = say(
            "In {reports} that both have read, {same} findings are the same; {added} were added, {removed} removed, and"
            " {changed} have another phrase.",
            reports=reports_text(found.n_reports),
            same=whole(found.n_same),
            added=whole(found.n_added),
            removed=whole(found.n_removed),
            changed=whole(found.n_changed),
        )
        self.compared.setText(text)
