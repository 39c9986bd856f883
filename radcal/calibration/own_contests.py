"""What a radiologist says in a personal file: kept in a sealed file beside it, which goes back to the department.

That is which findings they contest and which they agree with, and a goal.

The personal file itself is never changed.  The file of contests is sealed with a random key that lies in the personal
file and in the department's workspace, and nowhere else, so that it is bound to this hand-out and its radiologist.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from radcal.calibration.contests import Contests
from radcal.calibration.records import Contest
from radcal.system import inputs
from radcal.system.clock import after
from radcal.system.errors import DataError, InputError
from radcal.system.exports import CONTESTS_SUFFIX
from radcal.system.files import file_stem, free_name
from radcal.system.sealed import Unsealable, seal, unseal
from radcal.system.text import EMPTY, Text
from radcal.workspace.context import CONTEST_KEY, HAND_OUT, PSEUDONYM, Context

SEALED_CONTESTS = "contests"
"""What a sealed file of contests is for."""
LONGEST_NOTE = 2000
"""Characters of a note."""
LONGEST_PLAN = 200
"""Characters of what a goal says of when and how."""
_VERSION = 2
"""Of version 1, everything that was said is a contest or withdrawn, and there is no goal."""
_NAMESAKES = 9
"""Files of this many personal files of one name are looked at."""

Finding = tuple[str, str]
"""X-ray report and topic."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the radiologist says of a finding now.

    note: why, None once it is withdrawn
    at: when they said so, UTC in ISO 8601 to the microsecond; of two the later counts
    agreed: they agree with the finding; else they contest it
    """

    xray_id: str
    topic: str
    phrase: str
    note: str | None
    at: str
    agreed: bool = False

    @property
    def second(self) -> str:
        """``at`` to the second, as times are shown and stored."""
        return datetime.fromisoformat(self.at).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class OwnGoal:
    """A goal that the radiologist chose: to write one word less on a topic, and another one instead.

    plan: when and how, in own words;  at: as in :class:`Said`
    """

    topic: str
    source: str
    target: str
    plan: str
    at: str


class OwnContests(Contests):
    """The contests of a personal file: those that the department knew of, and those made in it."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._number = context.workspace.get_meta(HAND_OUT) or ""
        self._key = bytes.fromhex(context.workspace.get_meta(CONTEST_KEY) or "")
        self._said: dict[Finding, Said] = {}
        self.goal: OwnGoal | None = None
        """The goal that was chosen in this file."""
        self._file: Path | None = None
        self.unkept: Text = EMPTY
        """Why what was said last is not on the disk, '' if it is."""
        self._look()

    @property
    def why_not(self) -> Text:
        """Why nothing can be contested here, '' if it can."""
        if self._key:
            return EMPTY
        return Text(
            "This personal file has no key for contests: it was written from a workspace that was open for reading "
            "only. Ask your department\u2019s QA staff for a new one."
        )

    @property
    def file(self) -> Path:
        """Where the contests are kept: beside the personal file, under its name."""
        if self._file is None:
            self._file = free_name(self._context.path.with_suffix(CONTESTS_SUFFIX))
        return self._file

    @property
    def said(self) -> Mapping[Finding, Said]:
        """What was said in this file, withdrawn contests included."""
        return dict(self._said)

    def all(self) -> tuple[Contest, ...]:
        """All contested findings, the latest first."""
        out, author = self.left_out(), self._context.personal
        return self._with_own(super().all(), agreed=False, author=author, out=out)

    def agreed(self) -> tuple[Contest, ...]:
        """All findings agreed with, the latest first."""
        return self._with_own(super().agreed(), agreed=True, author=self._context.personal, out=frozenset())

    def _with_own(
        self, stored: Iterable[Contest], *, agreed: bool, author: str, out: frozenset[Finding]
    ) -> tuple[Contest, ...]:
        known = {(c.xray_id, c.topic): c for c in stored}
        for finding, said in self._said.items():
            known.pop(finding, None)
            if said.note is not None and said.agreed == agreed:
                known[finding] = Contest(*finding, author, said.phrase, said.note, said.second, finding in out)
        return tuple(sorted(known.values(), key=lambda c: (c.at, c.xray_id, c.topic), reverse=True))

    def add(
        self,
        xray_id: str,
        topic: str,
        author: str,
        phrase: str,
        note: str = "",
        *,
        by: str = "",
        said: str = "",
        agreed: bool = False,
    ) -> None:
        """Contest a finding of this file, or agree with it; saying something of it again replaces the note.

        Raises:
            InputError: the file can take no contests.
            DataError: it has no such finding.
        """
        own = self._context.workspace.observations_of(self._context.personal)
        if author != self._context.personal or own is None or not (
            (own["xray_id"] == xray_id) & (own["topic"] == topic) & (own["phrase"] == phrase)
        ).any():  # fmt: skip
            raise DataError("This personal file has no such finding.")
        self._say(xray_id, topic, phrase, note.strip()[:LONGEST_NOTE], agreed=agreed)

    def withdraw(self, xray_id: str, topic: str) -> None:
        """Take back what was said of a finding; no error if that is nothing.

        Raises:
            InputError: the file can take no contests.
        """
        every = (*self.all(), *self.agreed())
        contest = next((c for c in every if (c.xray_id, c.topic) == (xray_id, topic)), None)
        if contest is not None:
            self._say(xray_id, topic, contest.phrase, None)

    def choose_goal(self, topic: str, source: str, target: str, plan: str) -> None:
        """Choose a goal, in place of the one before.

        Raises:
            InputError: the file can take nothing.
        """
        if self.why_not:
            raise InputError(self.why_not)
        self._look()
        at = after(self.goal.at if self.goal else "")
        self.goal = OwnGoal(topic, source, target, printable(plan.strip(), LONGEST_PLAN), at)
        self._store()

    def name(self) -> str:
        """The usual name of the file that goes back: "contests-avery.radcal-contests"."""
        pseudonym = self._context.workspace.get_meta(PSEUDONYM) or ""
        return f"contests-{file_stem(pseudonym or 'reader').lower()}{CONTESTS_SUFFIX}"

    def hand_over(self, path: Path) -> Path:
        """Write the contests to another file, to be sent to the department.

        Raises:
            InputError: the file can take no contests, or ``path`` cannot be written.
            DataError: nothing was contested.
        """
        if not self.n_said:
            raise DataError("Nothing was answered in this file, so there is nothing to send.")
        self._write(path)
        self.unkept = EMPTY
        return path

    @property
    def n_said(self) -> int:
        """How many answers there are, those withdrawn and the goal included."""
        return len(self._said) + (self.goal is not None)

    def _say(self, xray_id: str, topic: str, phrase: str, note: str | None, *, agreed: bool = False) -> None:
        if self.why_not:
            raise InputError(self.why_not)
        self._look()  # another window may have added some
        before = self._said.get((xray_id, topic))
        at = after(before.at if before is not None else "")
        self._said[xray_id, topic] = Said(xray_id, topic, phrase, note, at, agreed)
        self._store()

    def _store(self) -> None:
        try:
            self._write(self.file)
            self.unkept = EMPTY
        except InputError as error:  # of a folder that may not be written; they can still be saved elsewhere
            self.unkept = error.text

    def _write(self, path: Path) -> None:
        if self.why_not:
            raise InputError(self.why_not)
        said = [asdict(s) for s in self._said.values()]
        goal = None if self.goal is None else asdict(self.goal)
        whole = {"version": _VERSION, "hand_out": self._number, "contests": said, "goal": goal}
        seal(path, SEALED_CONTESTS, self._key, json.dumps(whole).encode())

    def _look(self) -> None:
        """Take what the file beside has; of the same finding, the later counts."""
        if not self._key:
            return
        usual = self._context.path.with_suffix(CONTESTS_SUFFIX)
        numbered = (usual.with_stem(f"{usual.stem}-{n}") for n in range(2, _NAMESAKES + 1))
        for path in [self._file] if self._file is not None else itertools.chain([usual], numbered):
            try:
                if not inputs.is_there(path):
                    continue
                said = read_contests(unseal(path, SEALED_CONTESTS, self._key), path.name)
            except Unsealable:  # of another personal file; it stays as it is
                continue
            except InputError as error:
                self.unkept = error.text
                continue
            self._file = path
            for finding, one in said.contests.items():
                before = self._said.get(finding)
                if before is None or before.at < one.at:
                    self._said[finding] = one
            if said.goal is not None and (self.goal is None or self.goal.at < said.goal.at):
                self.goal = said.goal
            return


@dataclass(frozen=True, slots=True)
class ContestsFile:
    """The content of a file of contests: the number of the personal file, and what its radiologist said."""

    hand_out: str
    contests: Mapping[Finding, Said]
    goal: OwnGoal | None = None


def read_contests(payload: bytes, name: str) -> ContestsFile:
    """The content of an unsealed file of contests.

    Raises:
        InputError: it is from a newer RadCal, or has another content than RadCal writes.
    """
    try:
        whole = json.loads(payload)
        version = int(whole["version"])
        if version <= _VERSION:
            said = [_said(one) for one in whole["contests"]]
            goal = None if version < _VERSION or whole["goal"] is None else _goal(whole["goal"])
            return ContestsFile(_text(whole["hand_out"]), {(s.xray_id, s.topic): s for s in said}, goal)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("{name} does not hold contests as RadCal writes them. Ask for it again.", name=name) from None
    raise InputError("{name} was made by a newer RadCal. Install that version to take it in.", name=name)


def _said(plain: Mapping[str, object]) -> Said:
    said = Said(**plain)  # type: ignore[arg-type]  # checked below
    for part in (said.xray_id, said.topic, said.phrase, said.at):
        _text(part)
    if not isinstance(said.agreed, bool):
        raise TypeError
    said = replace(said, at=_time(said.at))
    return said if said.note is None else replace(said, note=printable(said.note))


def _goal(plain: Mapping[str, object]) -> OwnGoal:
    goal = OwnGoal(**plain)  # type: ignore[arg-type]  # checked below
    for part in (goal.topic, goal.source, goal.target, goal.at):
        _text(part)
    return replace(goal, plan=printable(goal.plan, LONGEST_PLAN), at=_time(goal.at))


def _time(at: str) -> str:
    time = datetime.fromisoformat(at)
    if time.tzinfo is None:
        raise ValueError
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def printable(value: object, most: int = LONGEST_NOTE) -> str:
    """A text as it is kept: so many characters of it at most.

    Raises:
        TypeError: it is none.
    """
    return "".join(c if c.isprintable() else " " for c in _text(value))[:most]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
