"""A radiologist's goal: a suggestion picked, with when and how in own words; and what became of the one before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import Shiboken

from radcal.advice.wording import named, proposed
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import begun
from ui.kit.action import push_button
from ui.kit.dialog import FormDialog
from ui.kit.form import choice
from ui.sentences import topic_name
from ui.words import day, say, typographic

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.feedback.records import GoalSaid
    from radcal.system.progress import Progress
    from ui.kit.part import Services
    from ui.records import Opened

LOOK, KEEP = "goal", "keep goal"
Wanted = tuple[str, str, str]
"""Topic, the word to be left, and the one in its place."""


def look(author: str, department: Department, _progress: Progress) -> tuple[GoalSaid | None, str]:
    """A radiologist's goal and what became of it; and, in a personal file, the one chosen there and not yet sent."""
    from radcal.calibration.own_contests import OwnContests

    contests = department.contests
    own = contests.goal if isinstance(contests, OwnContests) else None
    told = "" if own is None else said_of(own.topic, own.source, own.target, own.plan)
    return department.goals.said(author), told


def keep(author: str, wanted: Wanted | None, plan: str, department: Department, _progress: Progress) -> None:
    """Set a goal, where it is a personal file to be sent with the answers; None drops the present one."""
    from radcal.calibration.own_contests import OwnContests

    contests = department.contests
    if wanted is None:
        department.goals.close(author)
    elif isinstance(contests, OwnContests):
        contests.choose_goal(*wanted, plan)
    else:
        department.goals.set(author, wanted[0], wanted[1:], plan)


def said_of(topic: str, source: str, target: str, plan: str = "") -> str:
    """A goal in short: "Edema: 'may represent' rather than 'likely'"."""
    short = say(
        "{topic}: {target} rather than {source}",
        topic=say("All pathologies") if topic == ALL_TOPICS else begun(topic_name(topic)),
        target=typographic(proposed(target)),
        source=typographic(named(source)),
    )
    return f"{short}. \u201c{plan}\u201d" if plan else short


def told(said: GoalSaid) -> str:
    """A goal and what became of it."""
    head = say("Goal since {day}: {goal}", day=day(said.goal.day), goal=typographic(said.head))
    return f"{head} {typographic(said.became)} {typographic(said.uses)}"


def suggestions(opened: Opened, author: str) -> list[Wanted]:
    """What can be picked: the suggestions to a radiologist, pathology by pathology, and then over all of them."""
    views = [*opened.groups.items(), *opened.pooled.items()]
    return [
        (group.topic, j.name, j.closer)
        for group, view in views
        if group.author == author
        for j in view.judged.words
        if j.advice is not None and not j.pooled
    ]


class GoalDialog(FormDialog):
    """Asks which suggestion is the goal, and when and how it is to be followed.  ``kept``: it was set or dropped."""

    kept = Signal()

    def __init__(self, shell: Services, opened: Opened, author: str, parent: QWidget) -> None:
        self.wanted = choice("", *((said_of(*wanted), wanted) for wanted in suggestions(opened, author)))
        self.plan = QLineEdit()
        self.plan.setMaxLength(200)
        self.plan.setPlaceholderText(say("In portable films I will write it so"))
        self.drop = push_button(say("&Drop this goal"), partial(self._keep, None))
        fields = ((say("&Suggestion"), self.wanted), (say("&When and how"), self.plan))
        super().__init__(say("Goal"), say("Set the &goal"), fields, parent, more=(self.drop,))
        self._shell, self._author, self._personal = shell, author, bool(opened.personal)
        if not self.wanted.count():
            why = say("There is no suggestion yet that could be a goal.")
        elif self._personal:
            why = say("It goes to your department with your answers. Your next page begins with what became of it.")
        else:
            why = say("The next page begins with what became of it, beside the same words of colleagues.")
        self._why = why
        self.hint.setText(why)
        self.go.setEnabled(bool(self.wanted.count()) and (self._personal or not opened.read_only))
        self.accepted.connect(self._set)
        self.rejected.connect(self.deleteLater)
        self.drop.hide()
        shell.run(LOOK, partial(look, author), self._show)

    def _show(self, found: tuple[GoalSaid | None, str]) -> None:
        if not Shiboken.isValid(self):  # it may come after the dialog is gone
            return
        said, own = found
        before = own or ("" if said is None else told(said))
        self.hint.setText("\n\n".join(filter(None, (before, self._why))))
        self.drop.setVisible(said is not None and not self._personal and self.go.isEnabled())
        self.adjustSize()

    @Slot()
    def _set(self) -> None:
        self._keep(self.wanted.currentData())

    def _keep(self, wanted: Wanted | None) -> None:
        work = partial(keep, self._author, wanted, self.plan.text())
        self._shell.run(KEEP, work, self._kept, keeps=True)
        if wanted is None:
            self.hide()

    def _kept(self, _: object) -> None:
        self.kept.emit()
        self.deleteLater()
