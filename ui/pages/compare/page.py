"""Radiologists compared for quality assurance: forest plot, who lies apart, trend and table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from radcal.system.settings import ALL_TOPICS
from ui.kit.action import push_button
from ui.kit.form import choice, labelled, offer
from ui.kit.layout import panel, vbox
from ui.kit.part import Part
from ui.kit.picture import PictureView
from ui.kit.table import DataTable
from ui.pages.compare import sentences
from ui.pages.compare.apart_tab import ApartTab
from ui.pages.compare.feedback_dates import FeedbackDates
from ui.pages.compare.groups_tab import GroupsTab
from ui.pages.compare.key import ComparedKey, ComparisonMark
from ui.pages.compare.models import ComparedTableModel
from ui.pages.compare.wording_tab import WordingTab
from ui.pages.radiologists import RadiologistsPage
from ui.plots.figures import coverage
from ui.sentences import topic_name
from ui.widgets.empty import NOTHING_SAID, no_findings_of_topic
from ui.words import quoted, say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.reliability.comparison_records import Comparison, Member, Trend
    from radcal.reliability.days import Unit
    from radcal.system.selection import Group
    from ui.plots.forest_plot import ForestPlot
    from ui.plots.trend_plot import TrendPlot
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

COMPARE, TREND = "compare", "compare over time"
FOREST, APART, TIME, TABLE = range(4)
"""The first views, by their places."""
_AROUND, _ROW = 160, 96
"""Maximum height of the side by side view: the space around its rows, and each row."""
_HEDGES = ""


class ComparePage(RadiologistsPage):
    """Compares all radiologists on the selected pathology and dates."""

    selects = ("topic", "dates", "run")
    model: ComparedTableModel

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        waiting = say("Comparing\u2026")
        super().__init__(
            shell,
            parent,
            PictureView(shell, _trend_plot, waiting, ComparedKey()),
            name=say("Compare"),
            closed=say("Open a workspace to compare radiologists."),
            by_n=say("by number of findings"),
        )
        self._phrase = _HEDGES
        self._word_chosen = False
        """Whether the user has chosen what is compared; until then it is what shows something."""
        self._build_controls()
        self.forest = PictureView(shell, _forest_plot, waiting, ComparedKey())
        self.pictures.append(self.forest)
        self.dates = FeedbackDates(shell, self.undo_stack)
        self.dates.saved.connect(self._trend_asked)
        self.over.asked.connect(self._show_date)
        self.model = ComparedTableModel(self)
        self.table = DataTable("compare", say("Radiologists"), self.model, shell)
        self.table.activated.connect(self._see_cases)
        self.table.view.setToolTip(say("Enter shows the findings of this radiologist, under the real name"))
        self.apart = ApartTab(shell)
        self.apart.opened.connect(self._open_group)
        self.wording = WordingTab(shell)
        self.wording.opened.connect(self._open_author)
        self.wording.came.connect(self._wording_came)
        self.groups = GroupsTab(shell)
        self.add_tab(say("&Side by side"), self.forest)
        self.tabs.addTab(self.apart, say("Who &lies apart"))
        self.add_trend(self.dates)
        self.tabs.addTab(panel(vbox(self.table, margins=(0, 12, 0, 0))), say("Ta&ble"))
        self.tabs.addTab(self.wording, say("Wor&ding"))
        self.tabs.addTab(self.groups, say("&Groups"))
        self.tabs.currentChanged.connect(self._turned)

    def _build_controls(self) -> None:
        self.words = choice(say("Words"), (say("all that was hedged"), _HEDGES))
        self.words.setToolTip(say("Everything that was hedged, by its word error; or one phrase, by its rate"))
        self.together = push_button(say("&All pathologies together"), self._choose_all_topics)
        self.together.hide()
        self._of_radiologists = [
            panel(control) for control in (labelled(say("&Words"), self.words), labelled(say("&Order"), self.order))
        ]
        self.lay_out(*self._of_radiologists, self.names, self.together)
        self.words.currentIndexChanged.connect(self._phrase_chosen)

    # --- calls of the window -----------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        super().show_department(opened)
        self.dates.show_department(opened)

    def forget(self) -> None:
        super().forget()
        self._phrase, self._word_chosen = _HEDGES, False
        self.dates.forget()

    def arrive(self, **where: Any) -> None:
        """Compare unless already done for the selection; ``where`` may name a ``phrase``."""
        if "phrase" in where:
            self._choose_phrase(str(where["phrase"]))
        super().arrive()

    # --- asking the worker -------------------------------------------------------------------------

    def _renew(self) -> None:
        for part in (self.apart, self.wording, self.groups):
            part.forget()
        super()._renew()

    @Slot()
    def _ask(self, *_: object) -> None:
        super()._ask()
        selection, shown = self.shell.selection, self.tabs.currentWidget()
        if self.asks and selection is not None and isinstance(shown, Part | GroupsTab):
            shown.show_for(selection)

    def ask_all(self) -> None:
        selection, phrase = self.shell.selection, self._phrase if self._word_chosen else None
        if selection is None:
            return
        self.title.setText(say("Compare \u2013 {topic}", topic=topic_name(selection.topic)))
        self.shell.run(
            COMPARE,
            lambda department, progress: (
                department.comparison.first(selection.topic, selection.days, progress)
                if phrase is None
                else department.comparison.compare(selection.topic, phrase, selection.days, progress)
            ),
            self.loaded,
            failed=self.failed,
        )

    def ask_trend(self, author: str, unit: Unit) -> None:
        selection, phrase = self.shell.selection, self._phrase
        if selection is None:
            return
        self.shell.run(
            TREND,
            lambda department, progress: department.comparison.trend(
                selection.topic, phrase, author, unit, selection.days, progress
            ),
            self.trend_loaded,
            failed=self.trend_failed,
        )

    def loaded(self, compared: Comparison) -> None:
        if compared.phrase != self._phrase:
            self._phrase, self._trend_stale = compared.phrase, True
        self._fill_words(compared)
        super().loaded(compared)
        self._ask()

    def failed(self, failure: Failure) -> None:
        super().failed(failure)
        opened, selection = self.shell.opened, self.shell.selection
        if failure.kind == NOTHING_SAID and opened is not None and selection is not None and selection.days.are_limited:
            self.sentence.clear()
            self.show_no_findings(no_findings_of_topic(opened, selection))

    # --- showing -----------------------------------------------------------------------------------

    def _fill_words(self, compared: Comparison) -> None:
        opened = self.shell.opened
        hedged = {p.name for p in opened.phrases if p.alpha > 0 and p.beta > 0} if opened else set()
        total = sum(n for word, n in compared.words if word in hedged)
        counts = dict(compared.words)
        if compared.phrase != _HEDGES:
            counts.setdefault(compared.phrase, 0)
        words = [(say("{phrase} ({n})", phrase=word, n=whole(n)), word) for word, n in counts.items()]
        offer(self.words, [(say("all that was hedged ({n})", n=whole(total)), _HEDGES), *words], compared.phrase)

    def offer(self, people: Sequence[tuple[str, str]]) -> None:
        super().offer(people)
        self.groups.set_people(people)
        self._show_date()

    @Slot()
    def _show_date(self) -> None:
        self.dates.show_of(self.over.author)

    @Slot()
    def _show(self, *_: object) -> None:
        self.apart.show_as(self.naming)
        self.wording.show_as(self.naming)
        self.groups.show_as(names=self.naming.named)
        super()._show()

    def show_compared(self, compared: Comparison, people: Sequence[tuple[str, Member]]) -> None:
        names, members = tuple(name for name, _ in people), tuple(m for _, m in people)
        opened = self.shell.opened
        self._told(sentences.headline(compared, opened.min_group_n if opened else 1))
        # The way out of too few findings that the sentence names.
        self.together.setVisible(compared.hedges and bool(compared.reason) and compared.topic != ALL_TOPICS)
        self.model.show_members(
            members, names, score=compared.hedges, confidence=compared.confidence, fewest=compared.fewest
        )
        if self.tabs.currentIndex() == FOREST:
            self._show_forest(compared, members, names)

    @Slot(object)
    def _wording_came(self, _found: object) -> None:
        self._told(self.wording.text)

    def _told(self, text: str) -> None:
        """Say what the current view shows."""
        self.sentence.setText(self.wording.text if self.tabs.currentWidget() is self.wording else text)

    def _show_forest(self, compared: Comparison, members: tuple[Member, ...], names: tuple[str, ...]) -> None:
        if not any(m.value is not None for m in members):
            self.forest.show_text(self.sentence.text())
            return
        self.forest.picture().set_record(compared, members, names)
        self.forest.limit(_AROUND + _ROW * len(members))
        sure = coverage(compared.confidence)
        own = (
            say("word error, {coverage}", coverage=sure) if compared.hedges else say("rate, {coverage}", coverage=sure)
        )
        entries = [(ComparisonMark.OWN, own)]
        if compared.spread is not None:
            text = say("all together; {coverage} of the true rates", coverage=sure)
            entries.append((ComparisonMark.TOGETHER, text))
        if compared.meaning is not None:
            entries.append((ComparisonMark.MEANING, say("as readers take it")))
        if compared.hedges:
            entries.append((ComparisonMark.LUCK, say("luck alone")))
        name = say("Side by side: {what}", what=f"{topic_name(compared.topic)}, {_words(compared.phrase)}")
        about = sentences.about_forest(compared, members, names)
        self.forest.show_picture(name, about, *entries)

    def show_trend(self, trend: Trend, opened: Opened) -> None:
        if trend.periods:
            # The middle of the data: today is past its end.
            self.dates.propose(trend.periods[len(trend.periods) // 2].start)
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
        self._choose_phrase(self.words.currentData())
        self._ask()

    def _choose_phrase(self, phrase: str) -> None:
        self._phrase, self._word_chosen = phrase, True
        self._stale = self._trend_stale = True

    @Slot(object)
    def _see_cases(self, row: int) -> None:
        """The findings behind a row; of everything hedged, the radiologist's words one by one."""
        opened, selection, compared = self.shell.opened, self.shell.selection, self.compared
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

    @Slot(object)
    def _open_group(self, group: Group) -> None:
        if self.shell.selection is not None:
            self.shell.choose(replace(self.shell.selection, author=group.author, topic=group.topic))
            self.shell.go("reliability")

    @Slot()
    def _turned(self, *_: object) -> None:
        for part in (self.sentence, *self._of_radiologists):
            part.setVisible(self.tabs.currentWidget() not in (self.apart, self.groups))
        self._show()


def _words(phrase: str) -> str:
    return say("all that was hedged") if phrase == _HEDGES else quoted(phrase)


def _forest_plot() -> ForestPlot:
    from ui.plots.forest_plot import ForestPlot

    return ForestPlot()


def _trend_plot() -> TrendPlot:
    from ui.plots.trend_plot import TrendPlot

    return TrendPlot()
