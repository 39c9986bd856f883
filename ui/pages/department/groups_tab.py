"""A department's own groups, radiologists for the same mix of cases, and how much of their wording is their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QStackedWidget

from radcal.calibration.records import ALL_AUTHORS
from radcal.calibration.subgroup_records import GROUPINGS, STRATIFIERS, CaseMix, Grouping, Stratifier, Subgroups
from radcal.system.selection import Days, Group
from ui.kit.form import choice, labelled
from ui.kit.layout import hbox, panel
from ui.kit.part import Ask
from ui.kit.table import DataTable
from ui.kit.text import label, show_text, wrapped
from ui.pages.department import group_sentences as sentences
from ui.pages.department.group_models import (
    GroupRow,
    MixRow,
    WordingRow,
    group_columns,
    mix_columns,
    wording_columns,
)
from ui.pages.department.tab import Naming, Tab, row
from ui.sentences import why_groups_stay
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.lab.wording import Wordings
    from radcal.system.progress import Progress
    from radcal.system.selection import Selection
    from ui.shell import Shell

    Found = Subgroups | CaseMix | Wordings

CASE_MIX, WORDING = "case mix", "wording"
"""What is compared besides the groups of a grouping."""
_USUAL: Grouping = "shift"
_USUAL_MIX: tuple[Stratifier, ...] = ("age", "portable")


class Grouped(NamedTuple):
    """What is compared.  how: a grouping, CASE_MIX or WORDING;  by: of a mix of cases"""

    topic: str
    days: Days
    how: str
    by: tuple[Stratifier, ...]


class GroupsTab(Tab[Grouped, "Found"]):
    """One table at a time, of what is chosen.

    chosen: the group of which the user wants to see the results, and ''
    """

    chosen = Signal(object, object)
    operation = "compare groups"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        mixed, worded = say("radiologists with the same mix of cases"), say("radiologists by their wording")
        self.how = choice(
            "",
            *((say("groups by {what}", what=sentences.grouping_name(g)), g) for g in GROUPINGS),
            (mixed, CASE_MIX),
            (worded, WORDING),
        )
        self.how.setCurrentIndex(GROUPINGS.index(_USUAL))
        self.strata = {name: QCheckBox(sentences.grouping_name(name)) for name in STRATIFIERS}
        for name, box in self.strata.items():
            box.setChecked(name in _USUAL_MIX)
            box.toggled.connect(self._chosen)
        self.how.currentIndexChanged.connect(self._chosen)
        self.of_mix = panel(hbox(label(say("Mix of")), *self.strata.values()))
        self.of_mix.hide()
        self.left_out = wrapped(role="muted")
        self.table = DataTable("compare groups", say("Groups"), group_columns(), shell, searchable=False)
        self.mix_table = DataTable("compare case mix", mixed, mix_columns(), shell, searchable=False)
        self.mix_table.model.said = lambda r: r.author.n
        self.wording_table = DataTable("wording", worded, wording_columns(), shell, searchable=False)
        self.wording_table.model.said = lambda r: r.member.n
        for table in (self.mix_table, self.wording_table):
            table.activated.connect(self._activated)
        self.tables = (self.table, self.mix_table, self.wording_table)
        self.stack = QStackedWidget()
        for table in self.tables:
            self.stack.addWidget(table)
        controls = row(panel(labelled(say("&Compare"), self.how)), self.of_mix)
        self.lay_out((self.stack, 1), self.left_out, above=(controls,))

    def question_of(self, selection: Selection) -> Grouped:
        by = tuple(name for name in STRATIFIERS if self.strata[name].isChecked())
        return Grouped(selection.topic, selection.days, self.how.currentData(), by)

    def ask(self, question: Grouped) -> Ask[Found]:
        topic, days, how, by = question
        if how == CASE_MIX:
            return lambda department, progress: department.department_groups.case_mix(by, topic, days, progress)
        if how == WORDING:
            return lambda department, progress: _wordings(department, topic, days, progress)
        grouping: Grouping = next(g for g in GROUPINGS if g == how)
        return lambda department, progress: department.department_groups.of(
            grouping, ALL_AUTHORS, topic, days, progress
        )

    def clear(self) -> None:
        super().clear()
        for table in self.tables:
            table.model.set_rows(())

    def show_as(self, naming: Naming) -> None:
        self.table.withhold("" if naming.named else why_groups_stay())
        for table in (self.mix_table, self.wording_table):
            table.model.show_people(named=naming.named)
        super().show_as(naming)

    def summary(self, found: Found) -> str:
        match found:
            case Subgroups():
                return typographic(sentences.headline(found))
            case CaseMix():
                return typographic(sentences.case_mix_headline(found))
        return typographic(sentences.wording_headline(found))

    def withheld(self, found: Found) -> str:
        match found:
            case Subgroups():
                shown = bool(found.groups)
            case CaseMix():
                shown = bool(found.authors)
            case _:
                shown = bool(found.shown)
        return "" if shown else self.summary(found)

    def show_record(self, found: Found) -> None:
        left_out = ""
        match found:
            case Subgroups():
                left_out = sentences.left_out(found)
                self.stack.setCurrentWidget(self.table)
                rows = []
                for g in found.groups:
                    said = next((r for r in g.reliability.phrases if r.phrase == found.phrase), None)
                    rows.append(GroupRow(sentences.value_name(found.grouping, g.value), g, said))
                self.table.model.set_table(group_columns(found.phrase, found.grouping), rows)
            case CaseMix():
                left_out = sentences.unknown(found.unknown)
                self.stack.setCurrentWidget(self.mix_table)
                of = {a.author: a for a in found.authors}
                mixed = [MixRow(name, of[a], found.fewest) for name, a in self.naming.people if a in of]
                self.mix_table.model.set_rows(mixed)
            case _:
                self.stack.setCurrentWidget(self.wording_table)
                people = self.naming.ordered(found.members)
                self.wording_table.model.set_rows([WordingRow(name, m, found.fewest_in_all) for name, m in people])
        show_text(self.left_out, typographic(left_out))

    @Slot()
    def _chosen(self, *_: object) -> None:
        self.of_mix.setVisible(self.how.currentData() == CASE_MIX)
        self.wanted.emit()

    @Slot(object)
    def _activated(self, number: int) -> None:
        table = self.tables[self.stack.currentIndex()]
        shown = table.model.row(number)
        author = shown.member.name if isinstance(shown, WordingRow) else shown.author.author
        if self.question is not None:
            self.chosen.emit(Group(author, self.question.topic), "")


def _wordings(department: Department, topic: str, days: Days, progress: Progress) -> Wordings:
    from radcal.lab.wording import compare_wording

    return compare_wording(department, topic, days, progress)
