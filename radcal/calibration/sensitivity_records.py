"""What would change the results: another pairing window, or more findings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from radcal.calibration.records import PhraseRate, Reliability, Verdict
from radcal.system.text import EMPTY, Text


class Pace(NamedTuple):
    """``n`` findings in ``weeks``: per week, in low-high."""

    n: float
    weeks: float
    per_week: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class NeededUses:
    """A word without advice, and how often it must be said until there can be some.

    n: uses so far
    least: further uses until it is said often enough to be judged
    more: further uses until another word is surely nearer if CT goes on confirming it as now; None where no number of
        them would do, or where it was said too seldom to tell at which rate
    findings: further findings that the group needs, too
    target: the word that would be advised; '' if that is not known
    reason: why there is no advice
    """

    phrase: str
    n: float
    least: int
    more: int | None
    findings: int = 0
    target: str = ""
    reason: Text = EMPTY


@dataclass(frozen=True, slots=True)
class WordOutlook:
    """A word of a group, and what it needs.

    rate: how often it was confirmed so far
    needed: until advice, None where there is some, or where the word agrees with its meaning
    weeks: until ``needed.more``, or else ``needed.least``, further uses at the author's pace, in weeks_low-weeks_high;
        None where neither is ahead, or never at that pace
    """

    phrase: str
    n: float
    rate: PhraseRate
    needed: NeededUses | None = None
    weeks: float | None = None
    weeks_low: float | None = None
    weeks_high: float | None = None


@dataclass(frozen=True, slots=True)
class GroupOutlook:
    """A group, and what it needs.

    n, hedged: findings and hedged ones so far, between ``first`` and ``last``;  pace: of findings, None without days
    word_error: so far, None where it is not known
    needed: further findings until there is a word error, 0 where there are enough;  weeks: until then
    """

    author: str
    topic: str
    n: float
    hedged: float
    first: date | None
    last: date | None
    pace: Pace | None
    word_error: float | None
    needed: int
    weeks: float | None
    words: tuple[WordOutlook, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WindowResult:
    """The results under one pairing window.

    n_pairs: pairs within ``hours``;  n_unread: those left out because a report of theirs was never read
    n_statements: in the statistics
    groups: their reliability;  ``author`` and ``topic`` say which
    """

    hours: float
    n_pairs: int
    n_unread: int
    n_statements: int
    groups: tuple[Reliability, ...]


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A word whose verdict under a window is another than under the present one; '' where it was not said."""

    author: str
    topic: str
    phrase: str
    hours: float
    before: Verdict | Literal[""]
    after: Verdict | Literal[""]


@dataclass(frozen=True, slots=True, eq=False)
class WindowSensitivity:
    """The results under several windows, the shortest first; ``present`` is that of the settings, in hours."""

    present: float
    windows: tuple[WindowResult, ...]
    changes: tuple[VerdictChange, ...] = ()
