"""Goals of radiologists, one at a time, and what became of them: the one record that window, paper and files read."""

from __future__ import annotations

import secrets
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from radcal.advice.wording import named
from radcal.calibration.goal_changes import GoalChange, goal_change
from radcal.calibration.own_contests import LONGEST_PLAN, printable
from radcal.feedback.records import Goal, GoalSaid
from radcal.system.clock import after, now
from radcal.system.coarse import rounded
from radcal.system.errors import InputError
from radcal.system.estimates import Estimate
from radcal.system.files import plain_to_record
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import EMPTY, Text, joined
from radcal.words.phrases import mean_of
from radcal.workspace.context import CURRENT, GOAL_SAID, GOALS, Context

if TYPE_CHECKING:
    from radcal.calibration.group_results import GroupResults
    from radcal.calibration.stored_analysis import StoredAnalysis


class Goals:
    """The goals of a department's radiologists; a personal file has its own one, as it was written."""

    def __init__(self, context: Context, stored: StoredAnalysis, groups: GroupResults) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups

    def all(self) -> tuple[Goal, ...]:
        """All goals, those that were closed included, the latest first."""
        return tuple(goal for _, goal in self._kept())

    def current(self, author: str) -> Goal | None:
        """The goal that a radiologist has now, None without one."""
        return next((goal for goal in self.all() if goal.author == author and not goal.closed), None)

    def set(self, author: str, topic: str, words: tuple[str, str], plan: str, *, by: str = "", at: str = "") -> Goal:
        """Set a goal, which closes the one before.

        Args:
            words: the one to be left, and the one in its place.
            plan: when and how.
            by: the author, if it comes from a personal file;  at: when it was chosen there.

        Raises:
            InputError: no such words or pathology.
            NoAccess: the workspace is open read-only.
        """
        source, target = (self._stored.lexicon.find(word) for word in words)
        own = {r.topic for r in self._stored.required().reliabilities if r.author == author} | {ALL_TOPICS}
        if source is None or target is None or mean_of(source) == mean_of(target) or topic not in own:
            raise InputError("A goal needs a pathology and two words of the list that differ. Choose it again.")
        goal = Goal(author, topic, *words, printable(plan.strip(), LONGEST_PLAN), at or after(""), by)
        with self._context.workspace.transaction():
            self.close(author)
            self._save(secrets.token_hex(8), goal)
            self._context.workspace.log("goal set")
        return goal

    def close(self, author: str) -> None:
        """Close the goal that a radiologist has now; no error without one."""
        self._date(author, "closed")

    def note_told(self, author: str) -> None:
        """Remember when feedback that tells of the present goal was first handed out."""
        if not (self._context.workspace.read_only or self._context.personal):
            self._date(author, "feedback")

    def _date(self, author: str, what: str) -> None:
        """Date the goal that a radiologist has now, unless it is dated so."""
        for number, goal in self._kept():
            if goal.author == author and not goal.closed and not getattr(goal, what):
                self._save(number, replace(goal, **{what: now()}))

    def said(self, author: str) -> GoalSaid | None:
        """The goal of a radiologist and what became of it, by all findings up to now; None without one.

        Raises:
            DataError: there is no analysis yet.
        """
        if self._context.personal:
            stored = self._context.workspace.load_result(GOAL_SAID, CURRENT)
            return None if stored is None else plain_to_record(stored, GoalSaid)
        goal = self.current(author)
        if goal is None:
            return None
        analysis, words = self._stored.required(), (goal.source, goal.target)
        same = {g.author for g in self.all() if (g.topic, g.source, g.target) == (goal.topic, *words)} - {author}
        change = goal_change(
            self._groups.all_statements(),
            author,
            goal.topic,
            words,
            goal.day,
            self._stored.phrases,
            self._context.settings,
            spread=analysis.spread,
            mixes=analysis.mixes,
            with_goal=same,
        )
        mean = {p.name: mean_of(p) for p in self._stored.phrases}
        return said_of(goal, change, overstated=mean[goal.source] > mean[goal.target])

    def _kept(self) -> list[tuple[str, Goal]]:
        found = self._context.workspace.results(GOALS).items()
        made = [(number, plain_to_record(stored.payload, Goal)) for number, stored in found]
        return sorted(made, key=lambda one: (one[1].at, one[0]), reverse=True)

    def _save(self, number: str, goal: Goal) -> None:
        self._context.workspace.save_result(GOALS, number, asdict(goal), {})


def said_of(goal: Goal, change: GoalChange, *, overstated: bool) -> GoalSaid:
    """The record of a goal; ``overstated``: the word to be left is the stronger one."""
    topic = Text("any pathology") if goal.topic == ALL_TOPICS else Text(goal.topic)
    values = {"source": named(goal.source), "target": named(goal.target), "topic": topic}
    head = Text("{target!c} rather than {source} for {topic}.", **values)
    if goal.plan:
        head = Text("{head} {plan}", head=head, plan=f"\u201c{goal.plan}\u201d")
    return GoalSaid(goal, head, _became(change, overstated=overstated), _uses(change, **values), change)


def told_to_owner(said: GoalSaid) -> GoalSaid:
    """The record as a file for its radiologist has it: what others did as coarse as it is said."""
    others = said.change.others
    if others is not None:
        value, low, high = map(rounded, others)
        others = Estimate(value, low, high)
    return replace(said, change=replace(said.change, others=others, n_others=0, change=None))


def _uses(change: GoalChange, *, source: Text, target: Text, topic: Text) -> Text:
    """How often both words were written, before and since."""
    (was, now_), (other_was, other_now) = change.source, change.target
    if not now_.total:
        return Text("No finding of {topic} since.", topic=topic)
    since = Text(
        "{source!c} {n:,} times in {total:,} findings since, {target} {other:,} times.",
        source=source, n=now_.said, total=now_.total, target=target, other=other_now.said,
    )  # fmt: skip
    before = Text("Before, {n:,} and {other:,} times in {total:,}.", n=was.said, other=other_was.said, total=was.total)
    return joined([since, before])


_BECAME: dict[str, Text] = {
    "closer": Text("These words came closer to what CT found: from {before} to {after}, in {n:,} uses."),
    "unchanged": Text("No clear change: from {before} to {after}, in {n:,} uses."),
    "farther": Text("These words moved away from what CT found: from {before} to {after}, in {n:,} uses."),
}


def _became(change: GoalChange, *, overstated: bool) -> Text:
    """Whether the words came closer, with the numbers, the colleagues and when the next look is."""
    if change.became == "too few" or change.after is None or change.before is None:
        return Text(
            "Too early to say: {n:,} use of these words since; {needed:,} are needed.",
            many="Too early to say: {n:,} uses of these words since; {needed:,} are needed.",
            n=change.n,
            needed=change.needed,
        )
    (value, low, high), side = change.after, 1 if change.after.value >= 0 else -1
    ends = sorted(round(100 * side * end) for end in (low, high))
    after = Text("{points} ({low} to {high})", points=_off(value, overstated, short=True), low=ends[0], high=ends[1])
    told = _BECAME[change.became].with_values(n=change.n, before=_off(change.before, overstated), after=after)
    further = Text("The next look is after {needed:,} uses.", needed=change.needed) if change.needed else EMPTY
    return joined([told, Text("The first figure allows for chance."), _beside(change), further])


def _off(distance: float, overstated: bool, *, short: bool = False) -> Text:
    """Such as "6 points stronger than CT supported", in short "6 points stronger"."""
    stronger = Text("{points} stronger") if short else Text("{points} stronger than CT supported")
    weaker = Text("{points} weaker") if short else Text("{points} weaker than CT supported")
    said = stronger if overstated == (distance >= 0) else weaker
    return said.with_values(points=Text("{n} point", many="{n} points", n=abs(round(100 * distance))))


def _beside(change: GoalChange) -> Text:
    """What the same words of others did meanwhile, to 5 points."""
    if change.others is None:
        return Text("Too few colleagues wrote them to compare with.")
    points = 5 * round(20 * abs(change.others.value))
    if change.others.low <= 0 <= change.others.high or not points:
        return Text("Colleagues\u2019 words did not clearly move meanwhile.")
    if change.others.value < 0:
        return Text("Colleagues\u2019 words came about {n} points closer meanwhile, which is taken off.", n=points)
    return Text("Colleagues\u2019 words moved about {n} points away meanwhile, which is allowed for.", n=points)
