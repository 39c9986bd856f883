"""Radiologists compared for quality assurance: forest plot, funnel plot, trend and table.

Pseudonyms replace names unless the user asks for names, and again once the page is left.  Nobody is ranked:
radiologists are ordered by name or by number of findings.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QDate, QSignalBlocker, Slot
from PySide6.QtWidgets import QCheckBox, QTabWidget, QWidget

from radcal.records import ALL_TOPICS
from ui.pages.compare import sentences
from ui.pages.compare.groups_tab import GroupsTab
from ui.pages.compare.key import ComparisonMark
from ui.pages.compare.models import ComparedTableModel, RadiologistColumn
from ui.pages.compare.picture_tab import PictureTab
from ui.pages.compare.time_controls import TimeControls, choice, labelled
from ui.pages.compare.wording_tab import WordingTab
from ui.pages.stage import StagePage
from ui.plots.figures import coverage
from ui.sentences import topic_name, why_not_handed_on, workload_warning
from ui.widgets.buttons import push_button
from ui.widgets.empty import NOTHING_SAID, no_findings_of_topic
from ui.widgets.flow import FlowLayout
from ui.widgets.labels import wrapped
from ui.widgets.layouts import panel, vbox
from ui.widgets.tables import DataTable
from ui.widgets.undoing import Edit
from ui.words import quoted, say, typographic, whole

if TYPE_CHECKING:
    from radcal.records import Selection
    from radcal.records.comparison import Comparison, Member, Trend
    from ui.plots.forest_plot import ForestPlot
    from ui.plots.funnel_plot import FunnelPlot
    from ui.plots.trend_plot import TrendPlot
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure
    from ui.theme import Colours

COMPARE, TREND, DATES, SAVE_DATES = "compare", "compare over time", "dates of feedback", "save dates of feedback"
FOREST, FUNNEL, TIME, TABLE = range(4)
_AROUND, _ROW = 160, 96
"""Maximum height of the side by side view: the space around its rows, and each row."""
_HEDGES = ""
_ALL = ""


class ComparePage(StagePage):
    """Compares all radiologists on the selected pathology and dates."""

    uses_selection = True
    selects = ("topic", "dates", "run")

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._here = False
        self._stale = self._trend_stale = True
        self._phrase = _HEDGES
        self._compared: Comparison | None = None
        self._trend: Trend | None = None
        self._dates: dict[str, date | None] = {}
        self._department: object = None
        self.title.setText(say("Compare"))
        self._build_controls()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for part in (self.tabs, self.tabs.tabBar()):
            part.setAccessibleName(say("Views"))
        self.forest = PictureTab(shell, _forest_plot)
        self.funnel = PictureTab(shell, _funnel_plot)
        self.over = TimeControls(self)
        self.over.asked.connect(self._trend_asked)
        self.over.dated.connect(self._date_edited)
        self.time = PictureTab(shell, _trend_plot, *self.over.rows)
        self.model = ComparedTableModel(self)
        widths = (160, 64, 104, 160, 216, 320)
        self.table = DataTable("compare", say("Radiologists"), self.model, shell, widths=widths)
        self.table.show_column(RadiologistColumn.POOLED, False)
        self.table.activated.connect(self._see_cases)
        self.table.view.setToolTip(say("Enter shows the findings of this radiologist, under the real name"))
        holder = QWidget()
        vbox(self.table, parent=holder, margins=(0, 12, 0, 0))
        self.tabs.addTab(self.forest, say("&Side by side"))
        self.tabs.addTab(self.funnel, say("F&unnel"))
        self.tabs.addTab(self.time, say("Over &time"))
        self.tabs.addTab(holder, say("Ta&ble"))
        self.wording = WordingTab(shell)
        self.wording.opened.connect(self._open_author)
        self.wording.told.connect(self._told)
        self.groups = GroupsTab(shell)
        self.tabs.addTab(self.wording, say("Wor&ding"))
        self.tabs.addTab(self.groups, say("&Groups"))
        self.tabs.currentChanged.connect(self._tab_changed)
        self.body.addWidget(self.tabs, 1)

    # --- building ----------------------------------------------------------------------------------

    def _build_controls(self) -> None:
        self.words = choice(say("Words"))
        self.words.addItem(say("all that was hedged"), _HEDGES)
        self.words.setToolTip(say("Everything that was hedged, by its word error; or one phrase, by its rate"))
        self.order = choice(say("Order"))
        self.order.addItem(say("by name"), "name")
        self.order.addItem(say("by number of findings"), "n")
        self.names = QCheckBox(say("Show &names"))
        self.names.setToolTip(say("Real names in place of pseudonyms, until you leave this page or untick this"))
        self.pooled = QCheckBox(say("Show pooled values"))
        self.pooled.setToolTip(
            say(
                "Each value seen together with all others, which draws those of few findings towards the mean. It does"
                " not describe who lies apart."
            )
        )
        self.words.currentIndexChanged.connect(self._phrase_chosen)
        self.pooled.toggled.connect(self._pooled_toggled)
        self.order.currentIndexChanged.connect(self._show)
        self.names.toggled.connect(self._names_toggled)
        row = FlowLayout(spacing=8)
        self._of_radiologists = [
            panel(control) for control in (labelled(say("&Words"), self.words), labelled(say("&Order"), self.order))
        ]
        for controls in self._of_radiologists:
            row.addWidget(controls)
        row.addWidget(self.names)
        row.addWidget(self.pooled)
        self.together = push_button(say("&All pathologies together"), self._choose_all_topics)
        self.together.hide()
        row.addWidget(self.together)
        self.body.addLayout(row)
        self.warning = wrapped(workload_warning(), role="muted")
        self.body.addWidget(self.warning)

    # --- calls of the window -----------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show another department, or its new results."""
        department = opened.department if opened is not None else None
        if department is not self._department:
            self._department = department
            self.undo_stack.clear()
            self._dates = {}
        self._compared = self._trend = None
        why = ""
        if opened is not None and opened.read_only:
            why = say("This workspace is open to read only, so no date can be kept in it.")
        for widget in (self.over.given, self.over.day):
            widget.setEnabled(not why)
            widget.setToolTip(why)
        if opened is not None:
            self.shell.run(DATES, lambda department, _: department.comparison.feedback_dates(), self._dates_loaded)
        self._renew()

    @Slot(object)
    def show_selection(self, _selection: Selection | None) -> None:
        """Show another pathology or date range."""
        self._renew()

    def arrive(self, **where: Any) -> None:
        """Compare unless already done for the selection; ``where`` may name a ``phrase``."""
        self._here = True
        if "phrase" in where:
            self._phrase = str(where["phrase"])
            self._stale = self._trend_stale = True
        self._ask()

    def leave(self) -> None:
        """Return to pseudonyms: real names are shown for one visit only."""
        self._here = False
        self.names.setChecked(False)

    @Slot(object)
    def set_colours(self, colours: Colours) -> None:
        for tab in (self.forest, self.funnel, self.time, self.wording, self.groups):
            tab.set_colours(colours)

    # --- asking the worker -------------------------------------------------------------------------

    def _renew(self) -> None:
        self._stale = self._trend_stale = True
        self.wording.forget()
        self.groups.forget()
        opened, selection = self.shell.opened, self.shell.selection
        if opened is None:
            self.show_closed(say("Compare"), say("Open a workspace to compare radiologists."))
        elif not opened.of_radiologists or selection is None:
            self.sentence.clear()
            why = typographic(opened.reason) or say("There is nothing to compare yet.")
            self.show_empty(why, say("Go to &import"), "import")
        else:
            self.show_content()
            if self._here:
                self._ask()

    def _ask(self) -> None:
        selection = self.shell.selection
        if self.is_empty or selection is None:
            return
        self.title.setText(say("Compare \u2013 {topic}", topic=topic_name(selection.topic)))
        if self._stale:
            self._stale = False
            phrase = self._phrase
            self.shell.run(
                COMPARE,
                lambda department, progress: department.comparison.compare(
                    selection.topic, phrase, selection.days, progress
                ),
                self._compared_loaded,
                failed=self._failed,
            )
        self._ask_trend()
        shown = self.tabs.currentWidget()
        if self._here and (shown is self.wording or shown is self.groups):
            shown.ask(selection)

    def _ask_trend(self) -> None:
        selection = self.shell.selection
        if not self._trend_stale or selection is None or self.tabs.currentIndex() != TIME or not self._here:
            return
        self._trend_stale = False
        phrase, who, unit = self._phrase, self.over.who.currentData() or _ALL, self.over.unit.currentData()
        self.shell.run(
            TREND,
            lambda department, progress: department.comparison.trend(
                selection.topic, phrase, who, unit, selection.days, progress
            ),
            self._trend_loaded,
            failed=self._trend_failed,
        )

    def _compared_loaded(self, compared: Comparison) -> None:
        self._compared = compared
        self._fill_words(compared)
        self._fill_who(compared)
        self._show()

    def _failed(self, failure: Failure) -> None:
        self._compared = None
        opened, selection = self.shell.opened, self.shell.selection
        if failure.kind == NOTHING_SAID and opened is not None and selection is not None and selection.days.are_limited:
            self.sentence.clear()
            self.show_no_findings(no_findings_of_topic(opened, selection))
            return
        if failure.text:
            self.sentence.setText(typographic(failure.text))
        else:
            self.shell.messages.show_bug(failure.technical)
        self.model.show_members((), (), score=True)
        for tab in (self.forest, self.funnel):
            tab.show_text(typographic(failure.text))

    def _trend_loaded(self, trend: Trend) -> None:
        self._trend = trend
        self._show_trend()

    def _trend_failed(self, failure: Failure) -> None:
        self._trend = None
        self.time.show_text(typographic(failure.text))
        if not failure.text:
            self.shell.messages.show_bug(failure.technical)

    # --- showing -----------------------------------------------------------------------------------

    def _fill_words(self, compared: Comparison) -> None:
        opened = self.shell.opened
        hedged = {p.name for p in opened.phrases if p.alpha > 0 and p.beta > 0} if opened else set()
        total = sum(n for word, n in compared.words if word in hedged)
        with QSignalBlocker(self.words):
            self.words.clear()
            self.words.addItem(say("all that was hedged ({n})", n=whole(total)), _HEDGES)
            for word, n in compared.words:
                self.words.addItem(say("{phrase} ({n})", phrase=word, n=whole(n)), word)
            if self.words.findData(compared.phrase) < 0:
                self.words.addItem(say("{phrase} ({n})", phrase=compared.phrase, n=whole(0)), compared.phrase)
            self.words.setCurrentIndex(self.words.findData(compared.phrase))

    def _fill_who(self, compared: Comparison) -> None:
        chosen = self.over.who.currentData() or _ALL
        shown = sorted(((self._name(m), m.name) for m in compared.members), key=lambda pair: pair[0].casefold())
        with QSignalBlocker(self.over.who):
            self.over.who.clear()
            self.over.who.addItem(say("all radiologists"), _ALL)
            for name, author in shown:
                self.over.who.addItem(name, author)
            self.over.who.setCurrentIndex(max(0, self.over.who.findData(chosen)))
        self.groups.set_people(shown)
        if (self.over.who.currentData() or _ALL) != chosen:
            self._trend_asked()
        self._show_date()

    def _name(self, m: Member) -> str:
        opened = self.shell.opened
        return opened.called(m.name) if self.names.isChecked() and opened is not None else m.alias

    @Slot()
    def _show(self, *_: object) -> None:
        why = why_not_handed_on(named=self.names.isChecked())
        for tab in (self.forest, self.funnel, self.time):
            tab.withhold(why)
        self.model.show_people(named=self.names.isChecked())
        self.warning.setVisible(not self.names.isChecked())
        self.wording.show_as(names=self.names.isChecked(), by_n=self.order.currentData() == "n")
        self.groups.show_as(names=self.names.isChecked())
        compared = self._compared
        if compared is None:
            return
        by_n = self.order.currentData() == "n"
        members = tuple(sorted(compared.members, key=lambda m: (-m.n if by_n else 0.0, self._name(m).casefold())))
        names = tuple(map(self._name, members))
        opened = self.shell.opened
        self._told(sentences.headline(compared, opened.min_group_n if opened else 1))
        # The way out of too few findings that the sentence names.
        self.together.setVisible(compared.hedges and compared.funnel is None and compared.topic != ALL_TOPICS)
        self.model.show_members(
            members, names, score=compared.hedges, confidence=compared.confidence, fewest=compared.fewest
        )
        if self.tabs.currentIndex() == FOREST:
            self._show_forest(compared, members, names)
        elif self.tabs.currentIndex() == FUNNEL:
            self._show_funnel(compared, members, names)

    @Slot(str)
    def _told(self, text: str) -> None:
        """Say what the current view shows."""
        self.sentence.setText(self.wording.text if self.tabs.currentWidget() is self.wording else text)

    def _show_forest(self, compared: Comparison, members: tuple[Member, ...], names: tuple[str, ...]) -> None:
        if not any(m.value is not None for m in members):
            self.forest.show_text(self.sentence.text())
            return
        self.forest.picture().set_record(compared, members, names, show_pooled=self.pooled.isChecked())
        self.forest.limit(_AROUND + _ROW * len(members))
        sure = coverage(compared.confidence)
        entries = [(ComparisonMark.OWN, say("own findings, {coverage}", coverage=sure))]
        if compared.mean is not None and self.pooled.isChecked():
            entries += [
                (ComparisonMark.POOLED, say("seen together with all others, {coverage}", coverage=sure)),
                (ComparisonMark.MEAN, say("mean, {coverage}", coverage=sure)),
            ]
        if compared.meaning is not None:
            entries.append((ComparisonMark.MEANING, say("as readers take it")))
        if compared.hedges:
            entries.append((ComparisonMark.LUCK, say("luck alone")))
        name = say("Side by side: {what}", what=f"{topic_name(compared.topic)}, {_words(compared.phrase)}")
        about = sentences.about_forest(compared, members, names, pooled=self.pooled.isChecked())
        self.forest.show_picture(name, about, *entries)

    def _show_funnel(self, compared: Comparison, members: tuple[Member, ...], names: tuple[str, ...]) -> None:
        if compared.funnel is None:
            self.funnel.show_text(self.sentence.text())
            return
        self.funnel.picture().set_record(compared, members, names)
        self.funnel.show_picture(
            say("Funnel: {what}", what=f"{topic_name(compared.topic)}, {_words(compared.phrase)}"),
            sentences.about_funnel(compared, members, names),
            (ComparisonMark.INNER, say("chance puts 95 of 100 within")),
            (ComparisonMark.OUTER, say("998 of 1,000 within")),
        )

    def _show_trend(self) -> None:
        trend, opened = self._trend, self.shell.opened
        if trend is None or opened is None:
            return
        if trend.periods and not self.over.given.isChecked():
            # The default is the middle of the data: today is past its end.
            middle = trend.periods[len(trend.periods) // 2].start
            with QSignalBlocker(self.over.day):
                self.over.day.setDate(QDate(middle.year, middle.month, middle.day))
        about = sentences.about_trend(trend, opened.min_group_n)
        if all(p is None or p.value is None for p in (*trend.periods, trend.before, trend.after)):
            self.time.show_text(about)
            return
        self.time.picture().set_record(trend)
        sure = coverage(trend.confidence)
        entries = [(ComparisonMark.OWN, say("each period, {coverage}", coverage=sure))]
        if trend.phrase == _HEDGES:
            entries.append((ComparisonMark.LUCK_LEVEL, say("luck alone")))
        if trend.change is not None:
            entries.append((ComparisonMark.SIDE, say("all before and all after, {coverage}", coverage=sure)))
        what, who = _words(trend.phrase), self.over.who.currentText()
        name = say("Over time: {topic}, {what}, {who}", topic=topic_name(trend.topic), what=what, who=who)
        self.time.show_picture(name, about, *entries)

    # --- what the user does ------------------------------------------------------------------------

    @Slot()
    def _choose_all_topics(self) -> None:
        if self.shell.selection is not None:
            self.shell.choose(replace(self.shell.selection, topic=ALL_TOPICS))

    @Slot()
    def _phrase_chosen(self, *_: object) -> None:
        self._phrase = self.words.currentData() or _HEDGES
        self._stale = self._trend_stale = True
        self._ask()

    @Slot()
    def _names_toggled(self, *_: object) -> None:
        opened = self.shell.opened
        if self.names.isChecked() and opened is not None and opened.names_missing:
            self.names.setChecked(False)
            self.shell.tell_names_missing()
            return
        if self._compared is not None:
            self._fill_who(self._compared)
        self._show()
        self._show_trend()

    @Slot()
    def _pooled_toggled(self, *_: object) -> None:
        self.table.show_column(RadiologistColumn.POOLED, self.pooled.isChecked())
        self.groups.show_pooled(self.pooled.isChecked())
        self._show()

    @Slot(object)
    def _see_cases(self, row: int) -> None:
        """The findings behind a row; of everything hedged, the radiologist's words one by one."""
        opened, selection, compared = self.shell.opened, self.shell.selection, self._compared
        if opened is None or selection is None or compared is None:
            return
        author = self.model.row(row).member.name
        if compared.hedges:
            self._open_author(author)
        else:
            self.shell.choose(replace(selection, author=author))
            self.shell.go("evidence", phrase=compared.phrase)

    @Slot(object)
    def _open_author(self, author: str) -> None:
        if self.shell.selection is not None:
            self.shell.choose(replace(self.shell.selection, author=author))
            self.shell.go("reliability")

    @Slot()
    def _tab_changed(self, *_: object) -> None:
        for part in (self.sentence, *self._of_radiologists):
            part.setVisible(self.tabs.currentWidget() is not self.groups)
        self._show()
        self._ask()

    @Slot()
    def _trend_asked(self, *_: object) -> None:
        self._show_date()
        self._trend_stale = True
        self._ask_trend()

    # --- when feedback was given -------------------------------------------------------------------

    def _dates_loaded(self, dates: dict[str, date | None]) -> None:
        self._dates = dates
        self._show_date()

    def _show_date(self) -> None:
        """The feedback date of the person shown: their own, else the common one."""
        own = self._dates.get(self.over.who.currentData() or _ALL, self._dates.get(_ALL))
        with QSignalBlocker(self.over.given), QSignalBlocker(self.over.day):
            self.over.given.setChecked(own is not None)
            if own is not None:
                self.over.day.setDate(QDate(own.year, own.month, own.day))
        self.over.day.setEnabled(self.over.given.isChecked() and self.over.given.isEnabled())

    @Slot()
    def _date_edited(self, *_: object) -> None:
        who, after = self.over.who.currentData() or _ALL, dict(self._dates)
        if self.over.given.isChecked():
            day = self.over.day.date()
            after[who] = date(day.year(), day.month(), day.day())
        else:
            after.pop(who, None)
            if who != _ALL and _ALL in after:
                after[who] = None  # otherwise the common date would apply
        if after != self._dates:
            self.undo_stack.push(Edit(say("Change when feedback was given"), self._dates, after, self._apply_dates))
        else:
            self._show_date()

    def _apply_dates(self, dates: dict[str, date | None]) -> None:
        self._dates = dates
        self._show_date()
        self.shell.run(
            SAVE_DATES, lambda department, _: department.comparison.set_feedback_dates(dates), self._dates_saved
        )

    def _dates_saved(self, _: None) -> None:
        self._trend_stale = True
        self._ask_trend()


def _words(phrase: str) -> str:
    return say("all that was hedged") if phrase == _HEDGES else quoted(phrase)


def _forest_plot() -> ForestPlot:
    from ui.plots.forest_plot import ForestPlot

    return ForestPlot()


def _funnel_plot() -> FunnelPlot:
    from ui.plots.funnel_plot import FunnelPlot

    return FunnelPlot()


def _trend_plot() -> TrendPlot:
    from ui.plots.trend_plot import TrendPlot

    return TrendPlot()
