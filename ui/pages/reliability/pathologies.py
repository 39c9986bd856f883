"""All pathologies of a radiologist, or of all together, each with what is said of its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal, Slot

from radcal.reliability.groups import hedged_uses
from radcal.system.selection import Group, Selection
from radcal.system.settings import ALL_TOPICS
from ui.kit.column import Column, count, estimated, measured
from ui.kit.part import Ask, Part
from ui.kit.table import DataTable
from ui.kit.text import label
from ui.pages.reliability import sentences as figures
from ui.sentences import topic_name
from ui.words import decimal, decimal_interval, say, typographic

if TYPE_CHECKING:
    from radcal.reliability.records import Reliability
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
        hint = label(say("Press Enter on a pathology to see its diagram."), role="muted")
        self.lay_out((self.table, 1), hint)

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
        from radcal.advice.judging import hedges_together, judged_group

        opened = self.shell.opened
        if opened is None:
            return
        rows = []
        for r in measured:
            group = judged_group(r, None, opened.meanings.values(), opened.min_phrase_n)
            parts = filter(None, (typographic(hedges_together(group)), *figures.verdicts(group.words)))
            said = " ".join(parts) or figures.not_enough(r, opened.min_group_n)
            rows.append(_Row(topic_name(r.topic), figures.without_few_hedges(r, opened.min_phrase_n), said))
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
        count(say("hedged"), lambda row: hedged_uses(row.record.phrases), width=72),
        estimated(
            say("word error"),
            lambda row: (row.record.word_error, row.record.word_error_low, row.record.word_error_high),
            decimal_interval,
            alone=True,
            meaning=say("How far the confirmed rates of hedged words lie from what the words mean, with its interval"),
            width=132,
        ),
        measured(
            say("luck alone, up to"),
            lambda row: None if row.record.word_error is None else row.record.luck_word_p95,
            decimal,
            say("The word error that a perfectly calibrated reader of the same words would have in 95 of 100 cases"),
            width=112,
        ),
        Column(say("what is said of the words"), lambda row: row.said, tip=lambda row: row.said),
    )
