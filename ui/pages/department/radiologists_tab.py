"""Radiologists beside each other on one pathology, and the words of the department that stand apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter

from radcal.calibration.comparison_records import HEDGES
from radcal.system.selection import Days, Group
from radcal.system.settings import ALL_TOPICS
from ui.kit.action import push_button
from ui.kit.column import RecordModel
from ui.kit.form import choice, labelled, offer
from ui.kit.layout import panel, scrolled, vbox
from ui.kit.opening import Opening
from ui.kit.part import Ask
from ui.kit.picture import PictureView
from ui.kit.table import DataTable
from ui.pages.department import sentences
from ui.pages.department.key import ComparedKey, ComparisonMark
from ui.pages.department.models import ApartRow, MemberRow, apart_columns, member_columns, missed
from ui.pages.department.tab import Naming, Tab, row
from ui.plots.figures import coverage
from ui.sentences import topic_name
from ui.words import quoted, say, typographic, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from radcal.calibration.comparison_records import Comparison, LyingApart, Member
    from radcal.system.selection import Selection
    from ui.plots.forest_plot import ForestPlot
    from ui.shell import Shell

_AROUND, _ROW = 160, 96
"""Maximum height of the picture: the space around its rows, and each row."""
_WIDE = 1000
"""Width in pixels from which the words stand beside the picture."""
_LEAST = 320
"""Least height in pixels of either."""


class Compared(NamedTuple):
    """What is compared.  phrase: None for what shows something"""

    topic: str
    days: Days
    phrase: str | None


class RadiologistsTab(Tab[Compared, "Comparison"]):
    """A picture of all radiologists, the words that stand apart, and all numbers below a heading.

    chosen: the group of which the user wants to see the results, and the phrase ('' for none)
    """

    chosen = Signal(object, object)
    operation = "compare"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self._phrase: str | None = None
        self.words = choice("", (words_name(HEDGES), HEDGES))
        self.words.currentIndexChanged.connect(self._phrase_chosen)
        self.together = push_button(say("&All pathologies"), self._choose_all_topics)
        self.together.hide()
        self.forest = PictureView(shell, _forest_plot, "", ComparedKey())
        self.apart = ApartPart(shell)
        self.apart.chosen.connect(self.chosen)
        self.table = DataTable(
            "compare", say("Radiologists"), RecordModel(member_columns(), self), shell, searchable=False
        )
        self.table.model.said = lambda r: r.member.n
        self.table.setMinimumHeight(_LEAST // 2)
        self.table.activated.connect(self._activated)
        self.split = QSplitter()
        self.split.setChildrenCollapsible(False)
        for part in (self.forest, self.apart):
            part.setMinimumHeight(_LEAST)
            self.split.addWidget(part)
        self.split.setSizes([430, 670])
        numbers = Opening(say("All n&umbers"), self.table)
        inner = panel(vbox((self.split, 1), numbers, spacing=12))
        self.lay_out((scrolled(inner), 1), above=(row(panel(labelled(say("&Words"), self.words)), self.together),))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        across = event.size().width() >= _WIDE
        self.split.setOrientation(Qt.Orientation.Horizontal if across else Qt.Orientation.Vertical)

    def question_of(self, selection: Selection) -> Compared:
        return Compared(selection.topic, selection.days, self._phrase)

    def ask(self, question: Compared) -> Ask[Comparison]:
        topic, days, phrase = question
        if phrase is None:
            return lambda department, progress: department.comparison.first(topic, days, progress)
        return lambda department, progress: department.comparison.compare(topic, phrase, days, progress)

    def show_for(self, question: Compared) -> None:
        super().show_for(question)
        self.apart.show_for(())

    def clear(self) -> None:
        super().clear()
        self._phrase = None
        self.apart.clear()
        self.table.model.set_rows(())
        self.forest.wait()

    def show_as(self, naming: Naming) -> None:
        self.table.model.show_people(named=naming.named)
        self.forest.withhold(naming.why_kept)
        self.apart.show_as(naming)
        super().show_as(naming)

    def summary(self, compared: Comparison) -> str:
        opened = self.shell.opened
        # The way out of too few findings that the sentence names.
        self.together.setVisible(compared.hedges and bool(compared.reason) and compared.topic != ALL_TOPICS)
        return sentences.headline(compared, self.naming, opened.min_group_n if opened else 1)

    def show_record(self, compared: Comparison) -> None:
        offer(self.words, self.words_of(compared), compared.phrase)
        people = self.naming.ordered(compared.members)
        columns = member_columns("distance" if compared.hedges else "rate", compared.confidence, compared.fewest)
        self.table.model.set_table(columns, [MemberRow(name, m) for name, m in people])
        there = any(m.value is not None for m in compared.members)
        self.forest.setVisible(there)
        if there:
            self._show_forest(compared, people)

    def words_of(self, compared: Comparison) -> list[tuple[str, str]]:
        """The words that can be chosen, each as shown and as it is: everything hedged first."""
        opened = self.shell.opened
        hedged = {p.name for p in opened.phrases if p.alpha > 0 and p.beta > 0} if opened else set()
        total = sum(n for word, n in compared.words if word in hedged)
        counts = dict(compared.words)
        if compared.phrase != HEDGES:
            counts.setdefault(compared.phrase, 0)
        every = f"{words_name(HEDGES)} ({whole(total)})", HEDGES
        return [every, *((f"{word} ({whole(n)})", word) for word, n in counts.items())]

    def _show_forest(self, compared: Comparison, people: list[tuple[str, Member]]) -> None:
        names, members = tuple(name for name, _ in people), tuple(m for _, m in people)
        self.forest.picture().set_record(compared, members, names)
        self.forest.limit(_AROUND + _ROW * len(members))
        sure = coverage(compared.confidence)
        own = missed() if compared.hedges else say("rate")
        entries = [(ComparisonMark.OWN, f"{own}, {sure}")]
        if compared.spread is not None:
            entries.append((ComparisonMark.TOGETHER, say("all together, and where {coverage} lie", coverage=sure)))
        if compared.meaning is not None:
            entries.append((ComparisonMark.MEANING, say("as readers take it")))
        if compared.hedges:
            entries.append((ComparisonMark.LUCK, say("chance alone")))
        self.forest.show_picture(f"{topic_name(compared.topic)}, {words_name(compared.phrase)}", "", *entries)

    @Slot()
    def _phrase_chosen(self, *_: object) -> None:
        self._phrase = str(self.words.currentData())
        self.wanted.emit()

    @Slot()
    def _choose_all_topics(self) -> None:
        if self.shell.selection is not None:
            self.shell.choose(replace(self.shell.selection, topic=ALL_TOPICS))

    @Slot(object)
    def _activated(self, number: int) -> None:
        """The findings behind a row; of everything hedged, the radiologist's words one by one."""
        if self.record is not None:
            author = self.table.model.row(number).member.name
            self.chosen.emit(Group(author, self.record.topic), self.record.phrase)


class ApartPart(Tab["tuple[()]", "tuple[LyingApart, ...]"]):
    """The words that stand apart, of the latest analysis, whatever is selected.

    chosen: as of the tab
    """

    chosen = Signal(object, object)
    operation = "who lies apart"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.note.setProperty("role", "")
        self.table = DataTable("apart", say("Words that stand apart"), apart_columns(), shell)
        self.table.activated.connect(self._activated)
        self.lay_out((self.table, 1))

    def show_as(self, naming: Naming) -> None:
        self.table.withhold(naming.why_kept)
        super().show_as(naming)

    def clear(self) -> None:
        super().clear()
        self.table.model.set_rows(())

    def ask(self, _question: tuple[()]) -> Ask[tuple[LyingApart, ...]]:
        return lambda department, _progress: department.comparison.apart()

    def summary(self, found: tuple[LyingApart, ...]) -> str:
        return typographic(sentences.about_apart(found))

    def withheld(self, found: tuple[LyingApart, ...]) -> str:
        return "" if found else self.summary(found)

    def show_record(self, found: tuple[LyingApart, ...]) -> None:
        meant = self.shell.opened.meanings if self.shell.opened is not None else {}
        self.table.model.set_rows([ApartRow(self.naming.called(a), a, meant.get(a.rate.phrase)) for a in found])

    @Slot(object)
    def _activated(self, number: int) -> None:
        found = self.table.model.row(number).found
        self.chosen.emit(Group(found.name, found.topic), found.rate.phrase)


def words_name(phrase: str) -> str:
    """Everything hedged, or a phrase."""
    return say("all hedged words") if phrase == HEDGES else quoted(phrase)


def _forest_plot() -> ForestPlot:
    from ui.plots.forest_plot import ForestPlot

    return ForestPlot()
