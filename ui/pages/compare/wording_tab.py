"""How differently radiologists word the same kinds of finding: sentence and table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import Signal, Slot

from ui.kit.column import (
    Column,
    Interval,
    by_name,
    count,
    estimated,
    never_by_values,
    settled,
    to_five_points,
)
from ui.kit.part import Ask, Part
from ui.kit.table import DataTable
from ui.pages.radiologists import Naming
from ui.words import rate, say, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.department import Department
    from radcal.lab.variability import SourceVariability
    from radcal.lab.wording import WordingMember, Wordings
    from radcal.system.progress import Progress
    from radcal.system.selection import Selection
    from ui.shell import Shell


class _Row(NamedTuple):
    name: str
    member: WordingMember
    least: int


class WordingTab(Part["Selection", "Wordings"]):
    """The view of one selection.

    opened: the author of an activated row
    """

    opened = Signal(object)
    operation = "compare wording"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Comparing\u2026"))
        self._naming = Naming(None)
        self.table = DataTable("wording", say("Words of the radiologists"), _columns(), shell, searchable=False)
        self.table.model.said = lambda r: r.member.n
        self.table.activated.connect(self._activated)
        self.lay_out((self.table, 1))

    def show_as(self, naming: Naming) -> None:
        """Under names or pseudonyms, in their order or by number of findings."""
        self._naming = naming
        self.table.model.show_people(named=naming.named)
        self.renew()

    def ask(self, selection: Selection) -> Ask[Wordings]:
        def work(department: Department, progress: Progress) -> Wordings:
            from radcal.lab.wording import compare_wording

            return compare_wording(department, selection.topic, selection.days, progress)

        return work

    def withheld(self, found: Wordings) -> str:
        return "" if found.shown else headline(found)

    def show_record(self, found: Wordings) -> None:
        people = self._naming.ordered(found.members)
        self.table.model.set_rows([_Row(name, m, found.fewest_in_all) for name, m in people])

    @property
    def text(self) -> str:
        """What the view shows, in words."""
        return "" if self.record is None else headline(self.record)

    @Slot(object)
    def _activated(self, row: int) -> None:
        self.opened.emit(self.table.model.row(row).member.name)


def headline(found: Wordings) -> str:
    """Who words findings differently, in a few sentences."""
    if len(found.members) < 2:
        return say("Only one radiologist spoke of this; a comparison needs two.")
    if not found.shown:
        return say(
            "Not enough data: no radiologist has {least} findings of kinds of which the others have {each} as well.",
            least=whole(found.fewest_in_all),
            each=whole(found.fewest),
        )
    asked = say(
        "Of the words for the same kinds of finding (a pathology, and what CT said of it): which share would have to "
        "be others to be used as all others use them?"
    )
    apart = sum(m.is_apart for m in found.shown)
    if not apart:
        shown = say("None of {n} is shown to differ from all others by more than chance gives.", n=len(found.shown))
        return f"{asked} {shown}"
    differ = say(
        "One of {of} differs from all others by more than chance gives. That is no worse or better: whether words hold "
        "is on the page Reliability.",
        many="{n} of {of} differ from all others by more than chance gives. That is no worse or better: whether words "
        "hold is on the page Reliability.",
        n=apart,
        of=len(found.shown),
    )
    return f"{asked} {differ}"


def _columns() -> tuple[Column, ...]:
    no_order = never_by_values()

    def value(
        header: str,
        of: Callable[[SourceVariability], Interval],
        meaning: str,
        missing: str = "",
        *,
        width: int,
        leaves: bool = False,
    ) -> Column:
        def coarse(r: _Row) -> tuple[Any, Any, Any]:
            found = r.member.found
            return to_five_points(None) if found is None or not _settled(r) else to_five_points(*of(found))

        return estimated(
            header,
            lambda r: r.member.found and of(r.member.found),
            rate,
            missing=missing,
            sort=by_name,
            meaning=f"{meaning} {no_order}",
            coarse=coarse if leaves else None,
            width=width,
        )

    return (
        Column(say("radiologist"), lambda r: r.name, sort=by_name, coarse=lambda r: r.name, width=140),
        count(say("findings"), lambda r: r.member.n, leaves=True, width=80),
        count(
            say("of shared kinds"),
            lambda r: r.member.found and r.member.found.n_answers,
            say("Findings of kinds of which the others have enough as well; these are compared"),
            leaves=True,
            sort=by_name,
            width=112,
        ),
        value(
            say("other words, 95 %"),
            lambda f: (f.expected_tvd, f.low, f.high),
            say("The share of the words that would have to be others (total variation distance)."),
            say("not enough data"),
            leaves=True,
            width=140,
        ),
        value(
            say("by chance, 95 of 100"),
            lambda f: (f.control_tvd, f.control_low, f.control_high),
            say("The same distance of as many of the others\u2019 findings from the rest of theirs."),
            width=160,
        ),
        Column(
            say("what follows"), _follows, sort=by_name, coarse=lambda r: _follows(r) if _settled(r) else "", width=200
        ),
    )


def _settled(r: _Row) -> bool:
    """Whether the band of the findings compared says already that there are enough, or too few."""
    return settled((r.member.found and r.member.found.n_answers) or 0, r.least)


def _follows(r: _Row) -> str:
    if r.member.found is None:
        return say("needs {least} findings of shared kinds", least=whole(r.least))
    if r.member.is_apart:
        return say("more than chance gives")
    return say("not shown to differ")
