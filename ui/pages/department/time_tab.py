"""How words and habits changed with time, and with feedback."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Slot

from radcal.calibration.comparison_records import HEDGES
from radcal.calibration.habits import HABITS
from radcal.reports.records import Modality
from ui.kit.form import choice, labelled, offer
from ui.kit.layout import panel, scrolled, vbox
from ui.kit.part import Ask
from ui.kit.picture import PictureView
from ui.kit.text import show_text, wrapped
from ui.pages.department import sentences
from ui.pages.department.feedback_dates import FeedbackDates
from ui.pages.department.habits_tab import habit_name
from ui.pages.department.key import ComparedKey, ComparisonMark
from ui.pages.department.radiologists_tab import words_name
from ui.pages.department.tab import Naming, Tab, row
from ui.plots.figures import coverage
from ui.sentences import modality_text
from ui.widgets.time_controls import TimeControls
from ui.words import say, typographic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QUndoStack

    from radcal.calibration.comparison_records import Trend
    from radcal.calibration.days import Unit
    from radcal.calibration.habits import Habit
    from radcal.system.selection import Days, Selection
    from ui.plots.trend_plot import TrendPlot
    from ui.shell import Shell

_SHARE = "\x1f"
"""Begins what is no phrase but a share of reports: habit and modality."""
_HEIGHT = 360
"""Least height of the picture in pixels."""


class Course(NamedTuple):
    """What is shown over time.  what: a phrase, HEDGES, or a share of reports;  author: '' for all"""

    topic: str
    days: Days
    what: str
    author: str
    unit: Unit


class TimeTab(Tab[Course, "Trend"]):
    """One picture, and for words when feedback was given."""

    operation = "compare over time"

    def __init__(self, shell: Shell, undo_stack: QUndoStack) -> None:
        super().__init__(shell)
        self._is_chosen = False
        self._habits = [
            (say("{kind} reports with {what}", kind=modality_text(m), what=habit_name(h)), _SHARE.join(("", h, m)))
            for m in Modality
            for h in HABITS
        ]
        self.what = choice("", (words_name(HEDGES), HEDGES), *self._habits)
        self.what.currentIndexChanged.connect(self._chosen)
        self.over = TimeControls(self)
        self.over.asked.connect(self._asked_anew)
        self.dates = FeedbackDates(shell, undo_stack)
        self.dates.saved.connect(self._dates_saved)
        self.time = PictureView(shell, _trend_plot, say("Comparing\u2026"), ComparedKey())
        self.time.setMinimumHeight(_HEIGHT)
        self.control = wrapped(role="muted")
        controls = row(panel(labelled(say("S&how"), self.what)), *self.over.parts, self.dates)
        self.lay_out((scrolled(panel(vbox((self.time, 1), self.control))), 1), above=(controls,))

    def question_of(self, selection: Selection) -> Course:
        what, unit = str(self.what.currentData()), self.over.unit.currentData()
        return Course(selection.topic, selection.days, what, self.over.author, unit)

    def ask(self, question: Course) -> Ask[Trend]:
        topic, days, what, author, unit = question
        if what.startswith(_SHARE):
            habit, modality = _share_of(what)
            return lambda department, progress: department.habits.over_time(
                habit, modality, author, unit, days, progress
            )
        return lambda department, progress: department.comparison.trend(topic, what, author, unit, days, progress)

    def clear(self) -> None:
        super().clear()
        self._is_chosen = False
        offer(self.what, [(words_name(HEDGES), HEDGES), *self._habits])
        self.dates.forget()
        self.time.wait()

    def offer_words(self, words: Sequence[tuple[str, str]], shown: str) -> None:
        """Offer these words, each as shown and as it is; ``shown`` is chosen unless the user has."""
        if not offer(self.what, [*words, *self._habits], None if self._is_chosen else shown):
            self._is_chosen = False
        self.wanted.emit()

    def show_as(self, naming: Naming) -> None:
        self.time.withhold(naming.why_kept)
        self.over.offer(naming.people)
        self.dates.show_of(self.over.author)
        super().show_as(naming)

    def summary(self, trend: Trend) -> str:
        opened = self.shell.opened
        return sentences.about_trend(trend, opened.min_group_n if opened else 1)

    def withheld(self, trend: Trend) -> str:
        shown = any(p is not None and p.value is not None for p in (*trend.periods, trend.before, trend.after))
        return "" if shown else self.summary(trend) or say("not enough data")

    def show_record(self, trend: Trend) -> None:
        sure, share = coverage(trend.confidence), _is_share(trend)
        entries = [(ComparisonMark.OWN, f"{say('each period')}, {sure}")]
        if trend.phrase == HEDGES:
            entries.append((ComparisonMark.LUCK_LEVEL, say("chance alone")))
        if trend.change is not None:
            entries.append((ComparisonMark.SIDE, f"{say('all before and all after')}, {sure}"))
        if trend.periods:
            self.dates.propose(trend.periods[len(trend.periods) // 2].start)  # today is past the end of the data
        plot, what = self.time.picture(), self.what.currentText()
        plot.show_rate(what if share else "", fitted=share)
        plot.set_record(trend)
        self.time.show_picture(f"{what}, {self.over.who.currentText()}", "", *entries)
        show_text(self.control, typographic(sentences.about_control(trend)))

    @Slot()
    def _chosen(self, *_: object) -> None:
        self._is_chosen = True
        self._asked_anew()

    @Slot()
    def _asked_anew(self) -> None:
        self.dates.setVisible(not str(self.what.currentData()).startswith(_SHARE))
        self.dates.show_of(self.over.author)
        self.wanted.emit()

    @Slot()
    def _dates_saved(self) -> None:
        self.forget()
        self.wanted.emit()


def _is_share(trend: Trend) -> bool:
    return trend.phrase in HABITS and not trend.topic


def _share_of(what: str) -> tuple[Habit, Modality]:
    _, habit, modality = what.split(_SHARE)
    return next(h for h in HABITS if h == habit), Modality(modality)


def _trend_plot() -> TrendPlot:
    from ui.plots.trend_plot import TrendPlot

    return TrendPlot()
