"""Shares of reports that hedge, use a standard word or recommend something: radiologists beside each other.

Of recommended imaging besides, what became of it, and a list of what is past its time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Slot

from radcal.calibration.closed import MOST_LONGER, UNSTATED, Outcome
from radcal.calibration.habits import CLOSED, FOLLOW_UP, HABITS
from radcal.reports.records import Modality
from ui.kit.form import choice, labelled, offer
from ui.kit.layout import panel
from ui.kit.part import Ask
from ui.kit.table import DataTable
from ui.kit.text import show_text, wrapped
from ui.pages.department.models import MemberRow, call_back_columns, member_columns
from ui.pages.department.tab import Naming, Tab, row
from ui.sentences import modality_text
from ui.words import counted, rate, say, whole

if TYPE_CHECKING:
    from radcal.calibration.habits import Habit, HabitComparison
    from radcal.system.selection import Days, Selection
    from ui.pages.department.models import Value
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
        self.overdue = wrapped(role="strong")
        self.call_backs = DataTable("call backs", say("Past their time"), call_back_columns(), shell)
        self.call_backs.activated.connect(self._open)
        controls = row(panel(labelled(say("Reports &with"), self.habit)), panel(labelled(say("&Kind"), self.modality)))
        self.lay_out((self.table, 1), self.about, self.overdue, (self.call_backs, 1), above=(controls,))

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
        self.call_backs.model.set_rows(())

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
        what: Value = "closed" if found.habit == CLOSED else "share"
        self.table.model.set_table(member_columns(what, compared.confidence, compared.fewest), rows)
        self.about.setText(what_followed(found) if found.habit == CLOSED else population(found))
        show_text(self.overdue, overdue(found))
        self.call_backs.model.set_rows(found.call_backs)
        self.call_backs.setVisible(bool(found.call_backs))

    @Slot(object)
    def _open(self, row: int) -> None:
        self.shell.go("reports", report=self.call_backs.model.row(row).report_id)

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
        "closed": say("a recommended examination done in time"),
    }[habit]


def headline(found: HabitComparison) -> str:
    """How many have it, and from where to where it ranges."""
    t, closed = found.together, found.habit == CLOSED
    named = {"what": habit_name(found.habit), "n": whole(t.n), "kind": modality_text(found.modality)}
    if t.value is None or t.low is None or t.high is None:
        if closed:
            return say("{n} examinations recommended in {kind} reports are due, too few for a share.", **named)
        return say("{n} {kind} reports are too few to tell how many have {what}.", **named)
    named["share"] = rate(t.value, t.low, t.high)
    if closed:
        all_of_them = say("{share} of {n} examinations recommended in {kind} reports were done in time.", **named)
    else:
        all_of_them = say("{share} of {n} {kind} reports have {what}.", **named)
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


def what_followed(found: HabitComparison) -> str:
    """What became of all recommendations, and what counts."""
    n = found.outcomes
    of_all = say(
        "Of {n} recommendations of imaging in {kind} reports: {done} done in time, {late} done late, {open} not seen "
        "here, {waiting} not due when the data end, {elsewhere} of what RadCal does not see (MRI, ultrasound, other "
        "parts of the body). The share is of those whose time is up.",
        n=whole(sum(n.values())),
        kind=modality_text(found.modality),
        done=whole(n[Outcome.IN_TIME]),
        late=whole(n[Outcome.LATE]),
        open=whole(n[Outcome.OPEN]),
        waiting=whole(n[Outcome.WAITING]),
        elsewhere=whole(n[Outcome.ELSEWHERE]),
    )
    meant = say(
        "In time: from half of the stated time to half as long again, at most {n} days longer; where none is stated, "
        "within {days} days. Examinations elsewhere, deaths and transfers are not known here.",
        n=MOST_LONGER,
        days=UNSTATED,
    )
    return f"{of_all} {meant}"


def overdue(found: HabitComparison) -> str:
    """How many recommendations are past their time without an examination, and how many came late; '' for none."""
    n, late = found.outcomes.get(Outcome.OPEN, 0), found.outcomes.get(Outcome.LATE, 0)
    if not n and not late:
        return ""
    open_ones = counted(
        n,
        "{n} recommendation is past its time, and no later examination that fits is here.",
        "{n} recommendations are past their time, and no later examination that fits is here.",
    )
    return " ".join((open_ones, say("{n} came late.", n=whole(late)))) if late else open_ones
