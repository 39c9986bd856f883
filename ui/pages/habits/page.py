"""Shares of reports that quality assurance tracks: by radiologist, over time, and one's own beside the others'.

In a department pseudonyms replace names unless the user asks for names, and again once the page is left.  A personal
file shows its radiologist's shares alone, beside coarse ones of all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QTabWidget, QWidget

from radcal.records import ALL_DAYS, Modality
from radcal.records.habits import FOLLOW_UP, HABITS
from ui.pages.habits import sentences
from ui.pages.habits.models import MemberRow, member_columns, own_columns
from ui.pages.stage import StagePage
from ui.plots.figures import coverage
from ui.sentences import modality_text, why_not_handed_on, workload_warning
from ui.widgets.empty import NOTHING_SAID
from ui.widgets.flow import FlowLayout
from ui.widgets.labels import caption, label, wrapped
from ui.widgets.layouts import hbox, panel, scrolled, vbox
from ui.widgets.lists import ListTableModel
from ui.widgets.pictures import PictureCard
from ui.widgets.tables import DataTable
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.records import Days, Selection
    from radcal.records.comparison import Trend
    from radcal.records.habits import HabitComparison, OwnHabits
    from ui.plots.chart import Chart
    from ui.plots.funnel_plot import FunnelPlot
    from ui.plots.trend_plot import TrendPlot
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure
    from ui.theme import Colours

COMPARED, TREND, OWN = "habits compared", "habits over time", "own habits"
BESIDE, TIME = range(2)
_ALL = ""
_PICTURE = 320
"""Least height of a picture, in pixels."""


class HabitsPage(StagePage):
    """Of a department, all radiologists; of a personal file, its own radiologist."""

    uses_selection = True
    selects = ("dates", "run")

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._here, self._stale, self._trend_stale = False, True, True
        self.found: HabitComparison | None = None
        self.own: OwnHabits | None = None
        self.trend: Trend | None = None
        self.title.setText(say("Habits"))
        self._build_controls()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for part in (self.tabs, self.tabs.tabBar()):
            part.setAccessibleName(say("Views"))
        self.funnel = _Plot(shell, _funnel_plot)
        self.model = ListTableModel(member_columns(0.95, 1), self)
        self.model.said = lambda r: r.member.n
        widths = (150, 80, 80, 150, 150, 120, 240)
        self.table = DataTable("habits", say("Shares of reports"), self.model, shell, widths=widths, searchable=False)
        self.own_model = ListTableModel(own_columns(0.95), self)
        self.own_table = DataTable(
            "own habits",
            say("Own shares"),
            self.own_model,
            shell,
            widths=(240, 80, 110, 160, 160, 160),
            searchable=False,
        )
        self.about = wrapped(role="muted")
        inner = QWidget()
        vbox(self.funnel, self.table, self.own_table, self.about, None, parent=inner, margins=(0, 12, 0, 0))
        self.tabs.addTab(scrolled(inner), say("Be&side each other"))
        self.time = _Plot(shell, _trend_plot)
        over = QWidget()
        vbox(self._time_controls, (self.time, 1), parent=over, margins=(0, 12, 0, 0))
        self.tabs.addTab(over, say("Over &time"))
        self.tabs.currentChanged.connect(self._ask)
        self.body.addWidget(self.tabs, 1)

    def _build_controls(self) -> None:
        self.habit = _choice(say("Share of reports with"))
        for habit in HABITS:
            self.habit.addItem(sentences.habit_name(habit), habit)
        self.habit.setCurrentIndex(HABITS.index(FOLLOW_UP))
        self.modality = _choice(say("Reports"))
        for modality in Modality:
            self.modality.addItem(modality_text(modality), modality)
        self.order = _choice(say("Order"))
        self.order.addItem(say("by name"), "name")
        self.order.addItem(say("by number of reports"), "n")
        self.names = QCheckBox(say("Show &names"))
        self.names.setToolTip(say("Real names in place of pseudonyms, until you leave this page or untick this"))
        self.who = _choice(say("Radiologist"))
        self.who.addItem(say("all radiologists"), _ALL)
        self.unit = _choice(say("Period"))
        self.unit.addItem(say("by quarter"), "quarter")
        self.unit.addItem(say("by month"), "month")
        row = FlowLayout(spacing=8)
        self._which = panel(_labelled(say("Reports &with"), self.habit))
        self._orders = panel(_labelled(say("&Order"), self.order))
        for part in (self._which, panel(_labelled(say("Re&ports"), self.modality)), self._orders, self.names):
            row.addWidget(part)
        self.body.addLayout(row)
        self.warning = wrapped(workload_warning(), role="muted")
        self.body.addWidget(self.warning)
        self._who = panel(_labelled(say("Rad&iologist"), self.who))
        self._time_controls = hbox(self._who, panel(_labelled(say("P&eriod"), self.unit)), None)
        self.habit.currentIndexChanged.connect(self._chosen)
        self.modality.currentIndexChanged.connect(self._chosen)
        self.order.currentIndexChanged.connect(self._show)
        self.names.toggled.connect(self._names_toggled)
        self.who.currentIndexChanged.connect(self._trend_asked)
        self.unit.currentIndexChanged.connect(self._trend_asked)

    # --- calls of the window -----------------------------------------------------------------------

    @Slot(object)
    def show_department(self, _opened: Opened | None) -> None:
        """Show another department, or its new results."""
        self._renew()

    @Slot(object)
    def show_selection(self, _selection: Selection | None) -> None:
        """Show another date range."""
        self._renew()

    def arrive(self, **_where: Any) -> None:
        """Count, unless that is done."""
        self._here = True
        self._ask()

    def leave(self) -> None:
        """Return to pseudonyms: real names are shown for one visit only."""
        self._here = False
        self.names.setChecked(False)

    @Slot(object)
    def set_colours(self, colours: Colours) -> None:
        for plot in (self.funnel, self.time):
            plot.set_colours(colours)

    # --- asking the worker -------------------------------------------------------------------------

    @property
    def _days(self) -> Days:
        return ALL_DAYS if self.shell.selection is None else self.shell.selection.days

    @property
    def _personal(self) -> str:
        return "" if self.shell.opened is None else self.shell.opened.personal

    def _renew(self) -> None:
        self._stale = self._trend_stale = True
        self.found = self.own = self.trend = None
        opened = self.shell.opened
        if opened is None:
            self.show_closed(
                say("Habits"), say("Open a workspace to see how often reports hedge or recommend something.")
            )
            return
        if not opened.of_radiologists:
            self.sentence.clear()
            why = typographic(opened.reason) or say("There is nothing to compare yet.")
            self.show_empty(why, say("Go to &import"), "import")
            return
        self.show_content()
        own = bool(opened.personal)
        for part in (self._orders, self.names, self.warning, self.funnel, self.table, self._who):
            part.setVisible(not own)
        self.own_table.setVisible(own)
        if self._here:
            self._ask()

    @Slot()
    def _ask(self, *_: object) -> None:
        if self.is_empty or not self._here or self.shell.opened is None:
            return
        # Of a personal file the table has all shares; which one is chosen where it is drawn.
        drawn = not self._personal or self.tabs.currentIndex() == TIME
        for part in (self._which, self.modality.parentWidget()):
            if part is not None:
                part.setVisible(drawn)
        if self._stale:
            self._stale = False
            self._ask_shares()
        if self._trend_stale and self.tabs.currentIndex() == TIME:
            self._trend_stale = False
            self._ask_trend()

    def _ask_shares(self) -> None:
        habit, modality, days, author = self.habit.currentData(), self._modality, self._days, self._personal
        self.sentence.setText(say("Counting\u2026"))
        if author:
            self.shell.run(
                OWN,
                lambda results, progress: results.habits.own(author, days, progress),
                self._own_loaded,
                failed=self._failed,
            )
            return
        self.shell.run(
            COMPARED,
            lambda department, progress: department.habits.compare(habit, modality, days, progress),
            self._loaded,
            failed=self._failed,
        )

    def _ask_trend(self) -> None:
        habit, modality, days = self.habit.currentData(), self._modality, self._days
        who, unit = self._personal or self.who.currentData() or _ALL, self.unit.currentData()
        self.shell.run(
            TREND,
            lambda results, progress: results.habits.over_time(habit, modality, who, unit, days, progress),
            self._trend_loaded,
            failed=self._trend_failed,
        )

    @property
    def _modality(self) -> Modality:
        return Modality(self.modality.currentData())

    def _loaded(self, found: HabitComparison) -> None:
        self.found = found
        self._fill_who()
        self._show()

    def _own_loaded(self, found: OwnHabits) -> None:
        self.own = found
        self._show()

    def _failed(self, failure: Failure) -> None:
        self.found = self.own = None
        # Stopped or refused: the next visit asks again.
        self._stale = failure.kind != NOTHING_SAID
        self.sentence.setText(typographic(failure.text))
        for model in (self.model, self.own_model):
            model.set_rows(())
        self.funnel.show_text(typographic(failure.text))
        self.about.clear()
        if not failure.text:
            self.shell.messages.show_bug(failure.technical)

    def _trend_loaded(self, trend: Trend) -> None:
        self.trend = trend
        self._show_trend()

    def _trend_failed(self, failure: Failure) -> None:
        self.trend = None
        self.time.show_text(typographic(failure.text))
        if not failure.text:
            self.shell.messages.show_bug(failure.technical)

    # --- showing -----------------------------------------------------------------------------------

    def _name(self, author: str, alias: str) -> str:
        opened = self.shell.opened
        return opened.called(author) if self.names.isChecked() and opened is not None else alias

    def _fill_who(self) -> None:
        if self.found is None:
            return
        chosen = self.who.currentData() or _ALL
        shown = [(self._name(m.name, m.alias), m.name) for m in self.found.compared.members]
        with QSignalBlocker(self.who):
            self.who.clear()
            self.who.addItem(say("all radiologists"), _ALL)
            for name, author in sorted(shown, key=lambda pair: pair[0].casefold()):
                self.who.addItem(name, author)
            self.who.setCurrentIndex(max(0, self.who.findData(chosen)))
        if (self.who.currentData() or _ALL) != chosen:
            self._trend_asked()

    @Slot()
    def _show(self, *_: object) -> None:
        if self.own is not None:
            self.sentence.setText(sentences.own_headline(self.own))
            self.own_model.set_table(own_columns(self.own.confidence), self.own.rows)
            self.about.setText(sentences.own_footer(self.own))
        found = self.found
        named = self.names.isChecked()
        self.model.show_people(named=named)
        self.warning.setVisible(not named and not self._personal)
        for plot in (self.funnel, self.time):
            plot.withhold("" if self._personal else why_not_handed_on(named=named))
        if found is None:
            return
        self.sentence.setText(sentences.headline(found))
        self.about.setText(sentences.population(found))
        by_n = self.order.currentData() == "n"
        rows = [MemberRow(self._name(m.name, m.alias), m, found.quarters.get(m.name)) for m in found.compared.members]
        rows.sort(key=lambda r: (-r.member.n if by_n else 0.0, r.name.casefold()))
        self.model.set_table(member_columns(found.compared.confidence, found.compared.fewest), rows)
        if found.compared.funnel is None:
            self.funnel.show_text(
                say("Not enough data: fewer than two radiologists have {least} reports.", least=found.compared.fewest)
            )
            return
        funnel: Any = self.funnel.picture()
        funnel.show_rate(sentences.axis_name(found.habit), say("reports (n)"))
        funnel.set_record(found.compared, tuple(r.member for r in rows), tuple(r.name for r in rows))
        what = f"{sentences.axis_name(found.habit)}, {modality_text(found.modality)}"
        self.funnel.show_picture(say("Funnel: {what}", what=what))

    def _show_trend(self) -> None:
        trend = self.trend
        if trend is None:
            return
        if all(p.value is None for p in trend.periods):
            self.time.show_text(say("Not enough data: no month or quarter has {least} reports.", least=trend.fewest))
            return
        over: Any = self.time.picture()
        over.show_rate(sentences.axis_name(self.habit.currentData()))
        over.set_record(trend)
        who = say("you") if self._personal else self.who.currentText()
        what = f"{sentences.axis_name(self.habit.currentData())}, {self.modality.currentText()}, {who}"
        self.time.show_picture(
            say("Over time: {what}", what=what),
            say(
                "Each mark is the share of a period\u2019s reports with its interval ({coverage}).",
                coverage=coverage(trend.confidence),
            ),
        )

    # --- what the user does ------------------------------------------------------------------------

    @Slot()
    def _chosen(self, *_: object) -> None:
        self._stale = self._stale or not self._personal
        self._trend_stale = True
        self._ask()

    @Slot()
    def _trend_asked(self, *_: object) -> None:
        self._trend_stale = True
        self._ask()

    @Slot()
    def _names_toggled(self, *_: object) -> None:
        opened = self.shell.opened
        if self.names.isChecked() and opened is not None and opened.names_missing:
            self.names.setChecked(False)
            self.shell.tell_names_missing()
            return
        self._fill_who()
        self._show()
        self._show_trend()


class _Plot(QWidget):
    """A picture in its card with its reading, or a text in its place; the picture is made when it is first wanted."""

    def __init__(self, shell: Shell, make: Any) -> None:
        super().__init__()
        self._shell, self._make = shell, make
        self.plot: Chart | None = None
        self.card: PictureCard | None = None
        self._withheld = ""
        self.about = wrapped()
        self.readout = label(role="muted")
        self.readout.setWordWrap(True)
        self.text = wrapped(say("Counting\u2026"), role="muted")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._layout = vbox(self.about, self.readout, self.text, parent=self, spacing=6)
        self.about.hide()
        self.readout.hide()

    def picture(self) -> Chart:
        """The picture: its library is slow to import."""
        if self.plot is None:
            self.plot = self._make()
            self.plot.set_colours(self._shell.colours)
            self.plot.hovered.connect(self._read)
            self.plot.setMinimumHeight(_PICTURE)
            self.card = PictureCard(self.plot, self._shell)
            self.card.withhold(self._withheld)
            self._layout.insertWidget(1, self.card, 1)
        return self.plot

    def withhold(self, why: str) -> None:
        """As :meth:`PictureCard.withhold`."""
        self._withheld = why
        if self.card is not None:
            self.card.withhold(why)

    def set_colours(self, colours: Colours) -> None:
        if self.plot is not None:
            self.plot.set_colours(colours)

    def show_picture(self, name: str, about: str = "") -> None:
        """Show the picture under this name."""
        if self.card is not None:
            self.card.set_name(name)
            self.card.show()
        self.about.setText(about)
        self.about.setVisible(bool(about))
        self.text.hide()
        self.readout.show()
        self._read("")

    def show_text(self, text: str) -> None:
        """Show why there is no picture."""
        self.text.setText(text)
        self.text.show()
        for part in (self.card, self.about, self.readout):
            if part is not None:
                part.hide()

    @Slot(object)
    def _read(self, text: str) -> None:
        self.readout.setText(text or say("Point at the picture, or use the arrow keys on it, to read its numbers."))


def _choice(name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    return box


def _labelled(text: str, widget: QWidget) -> Any:
    return hbox(caption(text, widget), widget, 8)


def _funnel_plot() -> FunnelPlot:
    from ui.plots.funnel_plot import FunnelPlot

    return FunnelPlot(place=sentences.place_in_words)


def _trend_plot() -> TrendPlot:
    from ui.plots.trend_plot import TrendPlot

    return TrendPlot(fitted=True)
