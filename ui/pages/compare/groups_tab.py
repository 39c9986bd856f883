"""A table of a department's own groups, or of radiologists for the same mix of cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QStackedWidget

from radcal.reliability.records import ALL_AUTHORS
from radcal.reliability.subgroup_records import GROUPINGS, STRATIFIERS, Grouping, Stratifier, Subgroups
from ui.kit.form import choice, labelled, offer
from ui.kit.layout import FlowLayout, hbox, panel, scrolled, vbox
from ui.kit.part import Ask, Part
from ui.kit.table import DataTable
from ui.kit.text import label, show_text, wrapped
from ui.pages.compare import group_sentences as sentences
from ui.pages.compare.group_models import CaseMixModel, GroupsModel
from ui.sentences import why_groups_stay
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.reliability.subgroup_records import CaseMix
    from radcal.system.selection import Selection
    from ui.shell import Shell

_SIDE_BY_SIDE, _CASE_MIX = "groups", "mix"
_USUAL_MIX: tuple[Stratifier, ...] = ("age", "portable")


class GroupsTab(Part["Selection", "Subgroups | CaseMix"]):
    """The groups of a selection's pathology and days; asks only when it is on show."""

    operation = "compare groups"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Comparing\u2026"))
        self._names: dict[str, str] = {}
        self._build_controls()
        self.note.setProperty("role", "strong")
        self.about = wrapped(role="muted")
        self.left_out = wrapped(role="muted")
        self.model = GroupsModel(self)
        self.table = DataTable("compare groups", say("Groups"), self.model, shell, searchable=False)
        self.mix = CaseMixModel(self)
        name = say("Radiologists for the same mix of cases")
        self.mix_table = DataTable("compare case mix", name, self.mix, shell, searchable=False)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(self.mix_table)
        inner = panel(vbox(self.about, self.left_out, (self.stack, 1), spacing=6))
        self.lay_out((scrolled(inner), 1), above=(self.controls,))

    def _build_controls(self) -> None:
        self.show_what = choice(
            say("Show"),
            (say("groups side by side"), _SIDE_BY_SIDE),
            (say("radiologists, for the same mix of cases"), _CASE_MIX),
        )
        self.grouping = choice(say("Group by"), *((sentences.grouping_name(g), g) for g in GROUPINGS))
        self.grouping.setCurrentIndex(GROUPINGS.index("shift"))
        self.who = choice(say("Whose findings"), (say("all radiologists"), ALL_AUTHORS))
        self.strata = {name: QCheckBox(sentences.grouping_name(name)) for name in STRATIFIERS}
        for name, box in self.strata.items():
            box.setChecked(name in _USUAL_MIX)
            box.toggled.connect(self._chosen)
        self.of_groups = panel(
            hbox(labelled(say("Group b&y"), self.grouping), labelled(say("&Whose"), self.who), spacing=8)
        )
        self.of_mix = panel(hbox(label(say("Mix of")), *self.strata.values(), spacing=8))
        self.controls = FlowLayout(spacing=8)
        for part in (panel(labelled(say("S&how"), self.show_what)), self.of_groups, self.of_mix):
            self.controls.addWidget(part)
        for chooser in (self.show_what, self.grouping, self.who):
            chooser.currentIndexChanged.connect(self._chosen)
        self.of_mix.hide()

    # --- what the page says ------------------------------------------------------------------------

    def set_people(self, people: Sequence[tuple[str, str]]) -> None:
        """The radiologists that can be chosen, as (name on show, author)."""
        self._names = {author: name for name, author in people}
        kept = offer(self.who, ((say("all radiologists"), ALL_AUTHORS), *people))
        if kept:
            self.renew()
        else:
            self._chosen()

    def show_as(self, *, names: bool) -> None:
        """Under names, or under pseudonyms, so that no exact figures leave."""
        self.mix.show_people(named=names)
        self.table.withhold("" if names else why_groups_stay())

    # --- showing -----------------------------------------------------------------------------------

    def ask(self, selection: Selection) -> Ask[Subgroups | CaseMix]:
        topic, days = selection.topic, selection.days
        if self.show_what.currentData() == _CASE_MIX:
            by = tuple(name for name in STRATIFIERS if self.strata[name].isChecked())
            return lambda department, progress: department.department_groups.case_mix(by, topic, days, progress)
        grouping: Grouping = self.grouping.currentData()
        who = self.who.currentData()
        return lambda department, progress: department.department_groups.of(grouping, who, topic, days, progress)

    def summary(self, found: Subgroups | CaseMix) -> str:
        headline = sentences.headline(found) if isinstance(found, Subgroups) else sentences.case_mix_headline(found)
        return typographic(headline)

    def withheld(self, found: Subgroups | CaseMix) -> str:
        shown = found.groups if isinstance(found, Subgroups) else found.authors
        return "" if shown else self.summary(found)

    def show_record(self, found: Subgroups | CaseMix) -> None:
        if isinstance(found, Subgroups):
            show_text(self.about, typographic(sentences.about_groups()))
            show_text(self.left_out, typographic(sentences.left_out(found)))
            self.stack.setCurrentIndex(0)
            self.model.show_groups(found)
        else:
            show_text(self.about, typographic(sentences.about_case_mix(found)) if found.n else "")
            self.left_out.hide()
            self.stack.setCurrentIndex(1)
            self.mix.show_case_mix(found, self._names)

    # --- what the user does ------------------------------------------------------------------------

    @Slot()
    def _chosen(self, *_: object) -> None:
        mixed = self.show_what.currentData() == _CASE_MIX
        self.of_mix.setVisible(mixed)
        self.of_groups.setVisible(not mixed)
        self.forget()
        if self.question is not None and self.isVisible():
            self.show_for(self.question)
