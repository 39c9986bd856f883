"""Shares of reports that hedge, use a standard word or recommend something: radiologists beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Slot

from radcal.reliability.habits import FOLLOW_UP, HABITS
from radcal.reports.records import Modality
from ui.kit.form import choice, labelled, offer
from ui.kit.layout import panel
from ui.kit.part import Ask
from ui.kit.table import DataTable
from ui.kit.text import wrapped
from ui.pages.department.models import MemberRow, member_columns
from ui.pages.department.tab import Naming, Tab, row
from ui.sentences import modality_text
from ui.words import rate, say, whole

if TYPE_CHECKING:
    from radcal.reliability.habits import Habit, HabitComparison
    from radcal.system.selection import Days, Selection
    from ui.shell import Shell


class Asked(NamedTuple):
    """Which share of which reports; None for one that some reports have."""

    days: Days
    share: tuple[Habit, Modality] | None


class HabitsTab(Tab[Asked, "HabitComparison"]):
    """A share of reports by radiologist, whatever the pathology."""

    operation = "habits compared"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self._is_chosen = False
        self.habit = choice("", *((habit_name(habit), habit) for habit in HABITS))
        self.habit.setCurrentIndex(HABITS.index(FOLLOW_UP))
        self.modality = choice("", *((modality_text(modality), modality) for modality in Modality))
        for box in (self.habit, self.modality):
            box.currentIndexChanged.connect(self._chosen)
        self.table = DataTable("habits", say("Shares of reports"), member_columns("share"), shell, searchable=False)
        self.table.model.said = lambda r: r.member.n
        self.about = wrapped(role="muted")
        controls = row(panel(labelled(say("Reports &with"), self.habit)), panel(labelled(say("&Kind"), self.modality)))
        self.lay_out((self.table, 1), self.about, above=(controls,))

    def question_of(self, selection: Selection) -> Asked:
        share = (self.habit.currentData(), Modality(self.modality.currentData())) if self._is_chosen else None
        return Asked(selection.days, share)

    def ask(self, question: Asked) -> Ask[HabitComparison]:
        days, share = question
        if share is None:
            return lambda department, progress: department.habits.first(days, progress)
        return lambda department, progress: department.habits.compare(*share, days, progress)

    def clear(self) -> None:
        super().clear()
        self._is_chosen = False
        self.table.model.set_rows(())

    def show_as(self, naming: Naming) -> None:
        self.table.model.show_people(named=naming.named)
        super().show_as(naming)

    def summary(self, found: HabitComparison) -> str:
        return headline(found)

    def show_record(self, found: HabitComparison) -> None:
        for box, shown in ((self.habit, found.habit), (self.modality, found.modality)):
            offer(box, [(box.itemText(i), box.itemData(i)) for i in range(box.count())], shown)
        compared = found.compared
        rows = [MemberRow(name, m) for name, m in self.naming.ordered(compared.members)]
        self.table.model.set_table(member_columns("share", compared.confidence, compared.fewest), rows)
        self.about.setText(population(found))

    @Slot()
    def _chosen(self, *_: object) -> None:
        self._is_chosen = True
        self.wanted.emit()


def habit_name(habit: Habit) -> str:
    """What reports have, as it is listed."""
    return {
        "hedge": say("a hedge"),
        "standard": say("a standard word"),
        "follow-up": say("follow-up or work-up recommended"),
        "correlation": say("clinical correlation recommended"),
    }[habit]


def headline(found: HabitComparison) -> str:
    """How many have it, and from where to where it ranges."""
    t = found.together
    named = {"what": habit_name(found.habit), "n": whole(t.n), "kind": modality_text(found.modality)}
    if t.value is None or t.low is None or t.high is None:
        return say("{n} {kind} reports are too few to tell how many have {what}.", **named)
    all_of_them = say("{share} of {n} {kind} reports have {what}.", share=rate(t.value, t.low, t.high), **named)
    return " ".join(filter(None, (all_of_them, _between(found))))


def _between(found: HabitComparison) -> str:
    known = sorted(
        (m.value, m.low, m.high, m.n)
        for m in found.compared.members
        if m.value is not None and m.low is not None and m.high is not None
    )
    if len(known) < 2:
        return ""
    (*least, n), (*most, of) = known[0], known[-1]
    return say(
        "Radiologists range from {low} of {n} to {high} of {of}.",
        low=rate(*least),
        n=whole(n),
        high=rate(*most),
        of=whole(of),
    )


def population(found: HabitComparison) -> str:
    """Of which reports the share is, and what counts."""
    s, kind = found.searched, modality_text(found.modality)
    searched = found.habit in ("follow-up", "correlation")
    counted = say(
        "Counted in {n} of {reports} {kind} reports.",
        n=whole(s.searched if searched else s.read),
        reports=whole(s.reports),
        kind=kind,
    )
    if searched:
        meant = say(
            "Follow-up or work-up: further imaging, tissue sampling, a test or a referral that is recommended or could "
            "be considered. Clinical correlation is counted apart."
        )
        return f"{counted} {meant}"
    pairs = say("These are the pairs of an X-ray and a CT, which are no random sample.")
    if found.habit == "hedge":
        meant = say("A hedge is any word of certainty but a plain \u201cpresent\u201d or \u201cabsent\u201d.")
    else:
        meant = say("Standard words are those of the {scale} scale; choose yours under Words.", scale=found.scale)
    return f"{counted} {pairs} {meant}"
