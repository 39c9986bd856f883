"""All pathologies of a radiologist, or of all together, each with what is said of its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal, Slot

from radcal.system.selection import Group, Selection
from radcal.system.settings import ALL_TOPICS
from ui.kit.column import Column, count
from ui.kit.part import Ask, Part
from ui.kit.table import DataTable
from ui.sentences import topic_name
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.calibration.records import Reliability
    from ui.records import Opened
    from ui.shell import Shell


class _Row(NamedTuple):
    name: str
    record: Reliability
    said: str


class PathologiesView(Part["Selection", "tuple[Reliability, ...]"]):
    """The table of a selection's radiologist.  ``opened_group``: the Group of an activated row."""

    opened_group = Signal(object)
    operation = "all pathologies"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Working out these days\u2026"))
        self.table = DataTable("pathologies", say("All pathologies"), _columns(), shell)
        self.table.activated.connect(self._activated)
        self.table.view.setAccessibleDescription(say("Press Enter on a pathology to see its cases and its diagram."))
        self.lay_out((self.table, 1))

    def known(self, selection: Selection) -> tuple[Reliability, ...] | None:
        opened = self.shell.opened
        if opened is None or selection.days.are_limited:
            return None
        return tuple(view.reliability for g in _groups(opened, selection) if (view := opened.view(g)))

    def ask(self, selection: Selection) -> Ask[tuple[Reliability, ...]]:
        groups = _groups(self.shell.opened, selection) if self.shell.opened is not None else []
        wanted = [Selection(g.author, g.topic, selection.days) for g in groups]
        return lambda department, progress: department.groups.reliabilities(wanted, progress)

    def show_record(self, measured: tuple[Reliability, ...]) -> None:
        # Imports NumPy, which the first paint must not wait for.
        from radcal.advice.judging import judged_group
        from radcal.advice.said import of_group

        opened, selection = self.shell.opened, self.question
        if opened is None or selection is None:
            return
        rows = []
        for r in measured:
            view = None if selection.days.are_limited else opened.view(Group(r.author, r.topic))
            phrases = opened.meanings.values()
            group = view.judged if view else judged_group(r, None, phrases, opened.min_phrase_n)
            said = of_group(group, own=bool(opened.personal))
            told = " ".join(typographic(part) for part in (said.sentence, said.closer) if part)
            rows.append(_Row(topic_name(r.topic), r, told))
        self.table.model.set_rows(sorted(rows, key=lambda row: (-row.record.n, row.name.casefold())))

    @Slot(object)
    def _activated(self, row: int) -> None:
        r = self.table.model.row(row).record
        self.opened_group.emit(Group(r.author, r.topic))


def _groups(opened: Opened, chosen: Selection) -> list[Group]:
    return [g for g in (*opened.groups, *opened.pooled) if g.author == chosen.author and g.topic != ALL_TOPICS]


def _columns() -> tuple[Column, ...]:
    return (
        Column(say("pathology"), lambda row: row.name, width=160),
        count(say("findings"), lambda row: row.record.n, width=72),
        Column(say("what is said of the words"), lambda row: row.said, tip=lambda row: row.said),
    )
