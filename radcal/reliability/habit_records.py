"""Habits of reporting that quality assurance counts: hedges, words of a scale, recommendations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from radcal.reliability.comparison_records import Comparison
    from radcal.reports.records import Modality


Habit = Literal["hedge", "standard", "follow-up", "correlation"]
HABITS: tuple[Habit, ...] = ("hedge", "standard", "follow-up", "correlation")
"""What the share of reports is counted of: with any hedged finding; with a word of the scale; with a recommendation of
imaging or work-up; with one of clinical correlation."""


FOLLOW_UP: Habit = "follow-up"
"""The habit that is shown first."""


@dataclass(frozen=True, slots=True)
class Share:
    """Reports that have something, among those that were searched for it.

    n, y:      reports searched, and those that have it; as far as others' exact figures are not told, about so many
    value, low, high: y / n with its interval, in 0-1; None where there is not enough data
    """

    n: float
    y: float
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """Of how many reports a share is known: imported, searched for recommendations, read by the engine."""

    reports: int
    searched: int
    read: int


@dataclass(frozen=True, slots=True, eq=False)
class HabitComparison:
    """All radiologists by the share of their reports that have something.

    scale:     the name of the scale whose words are the standard ones; chosen: whether the department chose it
    compared:  ``phrase`` is the habit, ``positives`` the reports that have it
    together:  all reports;  searched: of how many imported reports
    quarters:  radiologist -> 1-4, in which quarter of the radiologists the share lies, 1 the lowest, worked out from
               shares to 5 points; without those of too few reports, empty where there are too few radiologists
    """

    habit: Habit
    modality: Modality
    scale: str
    chosen: bool
    compared: Comparison
    together: Share
    searched: Searched
    quarters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OwnHabit:
    """One radiologist's share beside that of all others, which is as coarse as :mod:`radcal.system.coarse` has it.

    others:  None for too few others;  quarter: as in :class:`HabitComparison`, None if it is not known
    """

    habit: Habit
    modality: Modality
    own: Share
    others: Share | None
    quarter: int | None


@dataclass(frozen=True, slots=True)
class OwnHabits:
    """One radiologist's shares.

    scale, chosen: as in :class:`HabitComparison`;  least: reports that a share needs
    """

    author: str
    scale: str
    chosen: bool
    least: int
    confidence: float
    rows: tuple[OwnHabit, ...]
