"""Comparison of radiologists, and trends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from radcal.calibration.days import Unit
from radcal.calibration.records import Part, PhraseRate
from radcal.system.estimates import Estimate

HEDGES = ""
"""In place of a phrase: everything that was hedged, compared by its word error."""
Lacking = Literal["", "statements", "hedges", "interval", "radiologists", "times", "date", "before", "after"]
"""Why a figure is missing: too few statements or hedges, no resamples to make an interval from, too few radiologists,
no times of examination, no date of feedback, too little before it or after it."""


@dataclass(frozen=True, slots=True)
class Others:
    """The pooled rate of all other radiologists, with its interval and n."""

    n: float
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Member:
    """One radiologist's value.

    alias:  the pseudonym
    n:      statements behind the value: uses of the phrase, or hedged statements
    positives: of them confirmed by CT; for a phrase alone
    value:  rate or word error with its interval; None where there is not enough data, as ``reason`` says
    luck:   word error that luck alone gives a perfectly calibrated reader of the same words, on average
    luck_high: the one that luck alone gives such a reader in no more than 5 of 100 cases
    differs: whether a hedge was stronger or weaker than CT supported; None for a phrase, or where none is judged
    part:   whether the radiologist lies apart from all others, on the phrase or on the hedge that sets them apart most;
            None where too few used it
    others: the rate of all others together; None for the word error
    """

    name: str
    alias: str
    n: float
    positives: float | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    luck: float | None = None
    luck_high: float | None = None
    differs: bool | None = None
    part: Part | None = None
    others: Others | None = None
    reason: Lacking = ""


@dataclass(frozen=True, slots=True)
class LyingApart:
    """A radiologist's word on a pathology that lies apart, with the probability of that.

    part: beside all others on the pathology; None where the verdict on the word says that it lies outside its meaning
    """

    name: str
    alias: str
    topic: str
    rate: PhraseRate
    probability: float
    part: Part | None = None

    @property
    def n(self) -> float:
        """Uses of the word."""
        return self.rate.n


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """All radiologists on one pathology and one phrase ('' for everything hedged).

    words:  the hedges and statements used on this pathology with their number, weakest first
    together: the rate of all together with its interval; of a phrase that two used
    spread: the true rate of one of them, drawn by lot, lies in this range with the coverage of the intervals
    reason: why nobody is compared, '' if they are
    """

    topic: str
    phrase: str
    members: tuple[Member, ...]
    words: tuple[tuple[str, float], ...]
    together: Estimate | None = None
    spread: tuple[float, float] | None = None
    meaning: tuple[float, float] | None = None
    """The range that readers take the phrase to mean; None for all hedges."""
    confidence: float = 0.95
    """Coverage of all intervals."""
    fewest: int = 1
    """Uses of the phrase, or hedged statements, that a value needs."""
    reason: Lacking = ""

    @property
    def hedges(self) -> bool:
        """Whether values are word errors of everything hedged rather than rates of a phrase."""
        return self.phrase == HEDGES


@dataclass(frozen=True, slots=True)
class Period:
    """A month, a quarter, or the time before or after feedback; ``end`` is exclusive."""

    start: date
    end: date
    n: float
    value: float | None = None
    low: float | None = None
    high: float | None = None
    luck: float | None = None
    luck_high: float | None = None
    reason: Lacking = ""


@dataclass(frozen=True, slots=True)
class Side:
    """How far words lay from their meaning before and after feedback, over everything hedged in some pathologies.

    topics: how many;  n_before, n_after: hedged statements, those of one half from before and all from after
    before, after: distance with its interval, in 0-1, on the side where the other half from before has each author's
             words on each pathology; None with too few hedged statements
    change:  after - before with its interval
    """

    topics: int
    n_before: int
    n_after: int
    before: Estimate | None = None
    after: Estimate | None = None
    change: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Control:
    """The change where there was advice beside that where there was none: same radiologists, same dates.

    advised, others: a radiologist's pathologies with and without recommendations by one half of the statements from
             before, which has no part in the figures
    difference: the change with advice less the change without, with its interval; None where either is unknown
    fewest: hedged statements that each of the four distances needs
    """

    advised: Side
    others: Side
    fewest: int
    difference: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Trend:
    """Values over time, of one radiologist or of all ('').

    given:   when feedback was given, None if it was not; for all radiologists the department's own date
    before, after: all statements on either side of the date that holds for each radiologist
    distances: of everything hedged, how far words lay from their meaning; None for a phrase
    change:  after - before of the rate, or of these distances, with its interval; None with ``reason`` set
    control: the same distances in all pathologies, with and without advice; None without a date of feedback
    undated: statements without a time, left out
    """

    topic: str
    phrase: str
    author: str
    unit: Unit
    periods: tuple[Period, ...]
    given: date | None = None
    before: Period | None = None
    after: Period | None = None
    distances: Side | None = None
    change: Estimate | None = None
    control: Control | None = None
    undated: int = 0
    confidence: float = 0.95
    fewest: int = 1
    """Uses of the phrase, or hedged statements, that a value needs."""
    reason: Lacking = ""
