"""Habits of reporting that quality assurance counts: hedges, words of a scale, recommendations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from radcal.records.reports import Modality


class Advised(StrEnum):
    """What a report recommends."""

    IMAGING = "imaging"
    """A further examination or follow-up by imaging, whether or not its modality is named."""
    WORKUP = "workup"
    """Further work-up that is no imaging, or of which nothing is said."""
    CORRELATION = "correlation"
    """To see it together with the clinic, or with earlier examinations."""
    OTHER = "other"
    """Anything else that is to be done for the patient."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A recommendation in a report.

    modality:  'xray', 'ct', 'mri', 'pet', 'us' or 'other' where an imaging examination is named, else ''
    days:      from how many to how many days hence, as far as that is stated; else None
    start, end: the sentence's span in the report's text
    """

    kind: Advised
    modality: str
    days: tuple[int, int] | None
    start: int
    end: int


Habit = Literal["hedge", "standard", "follow-up", "correlation"]
HABITS: tuple[Habit, ...] = ("hedge", "standard", "follow-up", "correlation")
"""What the share of reports is counted of: with any hedged finding; with a word of the scale; with a recommendation of
imaging or work-up; with one of clinical correlation."""


@dataclass(frozen=True, slots=True)
class Share:
    """Reports that have something, among those that were searched for it.

    n, y:      reports searched, and those that have it
    value, low, high: y / n with its Wilson interval, in 0-1; None below the least n
    """

    n: int
    y: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class HabitMember:
    """One radiologist's share beside that of all others.

    alias:    the pseudonym
    quarter:  1-4, in which quarter of the radiologists with enough reports the share lies, 1 the lowest; None if there
              are too few of them, or of the radiologist's reports
    place:    as of :class:`radcal.records.comparison.Member`
    """

    name: str
    alias: str
    share: Share
    quarter: int | None = None
    place: Literal["inside", "between", "outside", ""] = ""


@dataclass(frozen=True, slots=True)
class HabitPeriod:
    """The share in a month or quarter; ``end`` is exclusive."""

    start: date
    end: date
    share: Share


@dataclass(frozen=True, slots=True)
class Marked:
    """How many reports of a modality were imported, searched for recommendations, and read by the engine."""

    modality: Modality
    imported: int
    searched: int
    read: int
