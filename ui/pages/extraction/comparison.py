"""Differences between two extraction runs, finding by finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox

from ui.kit.form import offer
from ui.kit.layout import hbox, panel, vbox
from ui.kit.table import DataTable
from ui.kit.text import caption, wrapped
from ui.pages.extraction.content import TabContent
from ui.pages.extraction.models import difference_model, run_words
from ui.sentences import reports_text
from ui.words import percent, say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.findings.run_records import RunComparison, RunSummary
    from ui.shell import Shell

COMPARE = "extraction comparison"
"""The operation in the worker."""


class RunsCompared(TabContent):
    """Two selected runs, and a list of the findings that differ between them."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self._compared: tuple[int, int] | None = None
        self.before, self.after = QComboBox(minimumContentsLength=18), QComboBox(minimumContentsLength=18)
        choose = hbox()
        for text, combo in ((say("B&efore"), self.before), (say("A&fter"), self.after)):
            combo.setAccessibleName(text.replace("&", ""))
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.activated.connect(self._compare)
            choose.addWidget(caption(text, combo))
            choose.addWidget(combo, 1)
        self.compared = wrapped()
        self.difference_model = difference_model()
        name = say("What changed between two runs")
        self.differences = DataTable("extraction differences", name, self.difference_model, shell)
        one_run = say(
            "To compare, two runs are needed. Choose another engine or model under Engine and read the reports with"
            " it: both are kept."
        )
        super().__init__(panel(vbox(choose, self.compared, (self.differences, 1))), one_run)

    def set_runs(self, runs: Sequence[RunSummary]) -> None:
        """Offer these runs, latest first."""
        chosen = (self.before.currentData(), self.after.currentData())
        for combo in (self.before, self.after):
            offer(combo, ((run_words(run), run.run_id) for run in runs))
        if len(runs) > 1:
            places = [self.before.findData(run_id) for run_id in chosen]
            if min(places) < 0 or places[0] == places[1]:
                places = [1, 0]  # the latest run and the one before
            self.before.setCurrentIndex(places[0])
            self.after.setCurrentIndex(places[1])
        self.show_content(len(runs) > 1)
        self._compared = None

    def look(self) -> None:
        """Compare the selected runs unless already done."""
        if self._compared is None and self.before.count() > 1:
            self._compare()

    @Slot()
    def _compare(self) -> None:
        before, after = self.before.currentData(), self.after.currentData()
        if before is None or after is None:
            return
        self._compared = (before, after)
        if before == after:
            self.difference_model.set_rows(())
            self.compared.setText(say("These are the same run. Choose two different ones."))
            return
        self.compared.setText(say("Comparing\u2026"))
        self.shell.run(
            COMPARE,
            lambda department, progress: department.runs.compare(before, after, progress),
            self._show_comparison,
        )

    @Slot(object)
    def _show_comparison(self, found: RunComparison) -> None:
        if (found.before, found.after) != self._compared:
            return
        self.difference_model.set_rows(found.differences)
        if not found.n_reports:
            text = say("No report was read by both.")
        else:
            text = say(
                "In {reports} that both have read, {same} findings are the same. Added: {added}; removed: {removed};"
                " read as another phrase: {changed}.",
                reports=reports_text(found.n_reports),
                same=whole(found.n_same),
                added=whole(found.n_added),
                removed=whole(found.n_removed),
                changed=whole(found.n_changed),
            )
            differing = len(found.differences)
            if differing:
                text += " " + say(
                    "Where they differ, at least one of the two is wrong: on average at least {least} of these"
                    " findings.",
                    least=percent(differing / (differing + found.n_same) / 2),
                )
        self.compared.setText(text)
