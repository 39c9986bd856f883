"""Differences between two extraction runs, finding by finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QVBoxLayout, QWidget

from ui.pages.extraction.models import difference_model, run_words
from ui.widgets.labels import label, wrapped
from ui.widgets.tables import DataTable
from ui.words import counted, say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.records.runs import RunComparison, RunSummary
    from ui.shell import Shell

COMPARE = "extraction comparison"
"""Operation."""


class TabContent(QWidget):
    """The content of a tab below its name or heading, or a text while there is none."""

    def __init__(
        self, content: QWidget, otherwise: str = "", parent: QWidget | None = None, *, head: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.content = content
        self.otherwise = wrapped(otherwise, role="muted")
        self.otherwise.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        if head is not None:
            layout.addWidget(head)
        layout.addWidget(content, 1)
        layout.addWidget(self.otherwise, 0, Qt.AlignmentFlag.AlignTop)

    def show_content(self, there: bool) -> None:
        """Show the content, or say why there is none."""
        self.content.setVisible(there)
        self.otherwise.setVisible(not there)


class RunsCompared(TabContent):
    """Select two runs; lists the findings in only one of them."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        content = QWidget()
        super().__init__(
            content,
            say(
                "To compare, two runs are needed. Choose another engine or model under Engine and read the reports with"
                " it: both are kept."
            ),
            parent,
        )
        self.shell = shell
        self._compared: tuple[int, int] | None = None
        self.difference_model = difference_model()
        self.differences = DataTable(
            "extraction differences",
            say("What changed between two runs"),
            self.difference_model,
            self.shell,
            widths=(104, 150, 150, 116, 116),
        )
        self.before, self.after = QComboBox(), QComboBox()
        choose = QGridLayout()
        choose.setHorizontalSpacing(8)
        choose.setVerticalSpacing(4)
        for column, (text, combo) in enumerate(
            (
                (say("B&efore"), self.before),
                (say("A&fter"), self.after),
            )
        ):
            name = label(text)
            name.setBuddy(combo)
            combo.setAccessibleName(text.replace("&", ""))
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(18)
            combo.activated.connect(self._compare)
            choose.addWidget(name, 0, 2 * column)
            choose.addWidget(combo, 0, 2 * column + 1)
            choose.setColumnStretch(2 * column + 1, 1)
        self.compared = wrapped()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(choose)
        layout.addWidget(self.compared)
        layout.addWidget(self.differences, 1)

    def set_runs(self, runs: Sequence[RunSummary]) -> None:
        """Offer these runs, latest first."""
        chosen = (self.before.currentData(), self.after.currentData())
        for combo in (self.before, self.after):
            combo.clear()
            for run in runs:
                combo.addItem(run_words(run), run.run_id)
        if len(runs) > 1:
            places = [self.before.findData(run_id) for run_id in chosen]
            if min(places) < 0 or places[0] == places[1]:
                places = [1, 0]  # the run before the latest, and the latest
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
                reports=counted(found.n_reports, "{n} report", "{n} reports"),
                same=whole(found.n_same),
                added=whole(found.n_added),
                removed=whole(found.n_removed),
                changed=whole(found.n_changed),
            )
        self.compared.setText(text)
