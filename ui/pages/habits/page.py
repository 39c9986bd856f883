"""Shares of reports that quality assurance tracks: by radiologist, over time, and one's own beside the others'.

A personal file shows its radiologist's shares alone, beside coarse ones of all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Slot

from radcal.reliability.habits import FOLLOW_UP, HABITS
from radcal.reports.records import Modality
from radcal.system.selection import ALL_DAYS
from ui.kit.column import RecordModel
from ui.kit.form import choice, labelled
from ui.kit.layout import panel
from ui.kit.picture import PictureView
from ui.kit.table import DataTable
from ui.kit.text import wrapped
from ui.pages.habits import sentences
from ui.pages.habits.models import MemberRow, member_columns, own_columns
from ui.pages.radiologists import RadiologistsPage
from ui.plots.figures import coverage
from ui.sentences import modality_text
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from radcal.reliability.comparison_records import Comparison, Member, Trend
    from radcal.reliability.days import Unit
    from radcal.reliability.habits import HabitComparison, OwnHabits
    from radcal.system.selection import Days
    from ui.plots.trend_plot import TrendPlot
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

COMPARED, TREND, OWN = "habits compared", "habits over time", "own habits"
BESIDE, TIME = range(2)
"""The views, by their places."""
_PICTURE = 320
"""Least height of a picture, in pixels."""


class HabitsPage(RadiologistsPage):
    """Of a department, all radiologists; of a personal file, its own radiologist."""

    selects = ("dates", "run")

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(
            shell,
            parent,
            PictureView(shell, _trend_plot, say("Counting\u2026")),
            name=say("Habits"),
            closed=say("Open a workspace to see how often reports hedge or recommend something."),
            by_n=say("by number of reports"),
        )
        self.found: HabitComparison | None = None
        self.own: OwnHabits | None = None
        self._share_chosen = False
        """Whether the user has chosen of which share; until then it is one that some reports have."""
        self._build_controls()
        self.model = RecordModel(member_columns(0.95, 1), self)
        self.model.said = lambda r: r.member.n
        self.table = DataTable("habits", say("Shares of reports"), self.model, shell, searchable=False)
        self.own_model = RecordModel(own_columns(0.95), self)
        name = say("Own shares")
        self.own_table = DataTable("own habits", name, self.own_model, shell, searchable=False)
        self.about = wrapped(role="muted")
        self.add_tab(say("Be&side each other"), (self.table, 1), (self.own_table, 1), self.about)
        self.add_trend()

    def _build_controls(self) -> None:
        self.habit = choice(say("Share of reports with"), *((sentences.habit_name(habit), habit) for habit in HABITS))
        self.habit.setCurrentIndex(HABITS.index(FOLLOW_UP))
        self.modality = choice(say("Reports"), *((modality_text(modality), modality) for modality in Modality))
        self._which = [
            panel(labelled(say("Reports &with"), self.habit)),
            panel(labelled(say("Re&ports"), self.modality)),
        ]
        self._orders = panel(labelled(say("&Order"), self.order))
        self.lay_out(*self._which, self._orders, self.names)
        self.habit.currentIndexChanged.connect(self._chosen)
        self.modality.currentIndexChanged.connect(self._chosen)

    # --- calls of the window -----------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        own = bool(self.personal)
        for part in (self._orders, self.names, self.table, self.over.parts[0]):
            part.setVisible(not own)
        self.own_table.setVisible(own)
        super().show_department(opened)

    def forget(self) -> None:
        super().forget()
        self._share_chosen = False
        self.found = self.own = None
        self.own_model.set_rows(())
        self.about.clear()

    # --- asking the worker -------------------------------------------------------------------------

    @property
    def _days(self) -> Days:
        return ALL_DAYS if self.shell.selection is None else self.shell.selection.days

    @property
    def _modality(self) -> Modality:
        return Modality(self.modality.currentData())

    @Slot()
    def _ask(self, *_: object) -> None:
        # Of a personal file the table has all shares; which one is chosen where it is drawn.
        drawn = not self.personal or self.tabs.currentIndex() == TIME
        for part in self._which:
            part.setVisible(drawn)
        super()._ask()

    def ask_all(self) -> None:
        habit, modality, days, author = self.habit.currentData(), self._modality, self._days, self.personal
        self.sentence.setText(say("Counting\u2026"))
        if author:
            self.shell.run(
                OWN,
                lambda results, progress: results.habits.own(author, days, progress),
                self._own_loaded,
                failed=self.failed,
            )
            return
        chosen = self._share_chosen
        self.shell.run(
            COMPARED,
            lambda department, progress: (
                department.habits.compare(habit, modality, days, progress)
                if chosen
                else department.habits.first(days, progress)
            ),
            self._found,
            failed=self.failed,
        )

    def ask_trend(self, author: str, unit: Unit) -> None:
        habit, modality, days, who = self.habit.currentData(), self._modality, self._days, self.personal or author
        self.shell.run(
            TREND,
            lambda results, progress: results.habits.over_time(habit, modality, who, unit, days, progress),
            self.trend_loaded,
            failed=self.trend_failed,
        )

    def _found(self, found: HabitComparison) -> None:
        self.found = found
        for box, shown in ((self.habit, found.habit), (self.modality, found.modality)):
            if box.currentData() != shown:
                with QSignalBlocker(box):
                    box.setCurrentIndex(box.findData(shown))
                self._trend_stale = True
        self.loaded(found.compared)
        self._ask()

    def _own_loaded(self, own: OwnHabits) -> None:
        self.own = own
        self.sentence.setText(sentences.own_headline(own))
        self.own_model.set_table(own_columns(own.confidence), own.rows)
        self.about.setText(sentences.own_footer(own))
        self._show()

    def failed(self, failure: Failure) -> None:
        super().failed(failure)
        self.found = self.own = None
        self.own_model.set_rows(())
        self.about.clear()

    # --- showing -----------------------------------------------------------------------------------

    def show_compared(self, compared: Comparison, people: Sequence[tuple[str, Member]]) -> None:
        found = self.found
        if found is None:
            return
        self.sentence.setText(sentences.headline(found))
        self.about.setText(sentences.population(found))
        rows = [MemberRow(name, m, found.quarters.get(m.name)) for name, m in people]
        self.model.set_table(member_columns(compared.confidence, compared.fewest), rows)

    def show_trend(self, trend: Trend, opened: Opened) -> None:
        if all(p.value is None for p in trend.periods):
            self.time.show_text(say("Not enough data: no month or quarter has {least} reports.", least=trend.fewest))
            return
        habit = sentences.axis_name(self.habit.currentData())
        over = self.time.picture()
        over.show_rate(habit)
        over.set_record(trend)
        who = say("you") if opened.personal else self.over.who.currentText()
        self.time.show_picture(
            say("Over time: {what}", what=f"{habit}, {self.modality.currentText()}, {who}"),
            say(
                "Each mark is the share of a period\u2019s reports with its interval ({coverage}).",
                coverage=coverage(trend.confidence),
            ),
        )

    # --- what the user does ------------------------------------------------------------------------

    @Slot()
    def _chosen(self, *_: object) -> None:
        self._share_chosen = True
        self._stale = self._stale or not self.personal
        self._trend_asked()


def _trend_plot() -> TrendPlot:
    from ui.plots.trend_plot import TrendPlot

    plot = TrendPlot(fitted=True)
    plot.setMinimumHeight(_PICTURE)
    return plot
