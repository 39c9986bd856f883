"""Comparison of radiologists, and trends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from radcal.reliability.days import Unit
from radcal.system.estimates import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

HEDGES = ""
"""In place of a phrase: everything that was hedged, compared by its word error."""
Place = Literal["inside", "between", "outside", ""]
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
    pooled: the value seen together with all others, with its interval; None where nothing can be pooled
    luck:   word error that luck alone gives a perfectly calibrated reader of the same words, on average
    luck_high: the one that luck alone gives such a reader in no more than 5 of 100 cases
    beyond: word error less its mean for the same words where CT confirms them as often as everybody's
    others: what the rate is compared with; None for the word error
    place:  'inside' the 95 % limits of chance, 'between' them and the 99.8 % limits, or 'outside' both; '' if unknown
    """

    name: str
    alias: str
    n: float
    positives: float | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    pooled: float | None = None
    pooled_low: float | None = None
    pooled_high: float | None = None
    luck: float | None = None
    luck_high: float | None = None
    beyond: float | None = None
    others: Others | None = None
    place: Place = ""
    reason: Lacking = ""

    @property
    def beyond_luck(self) -> bool | None:
        """Whether the word error is larger than luck alone gives; None where either is unknown."""
        return None if self.value is None or self.luck_high is None else self.value > self.luck_high


@dataclass(frozen=True, slots=True, eq=False)
class Funnel:
    """Control limits at n of the department's statements: (P,) each, 95 % and 99.8 %.

    Around the rate of all together; of the word error as ``beyond``, around 0.  They meet where n is all of the
    department's.

    phi, p_value: over-dispersion, and how often chance alone gives as much; None for the word error
    outside: how many radiologists lie outside the 95 % limits, of how many;  expected: by chance alone
    """

    n: Array
    centre: Array
    low_95: Array
    high_95: Array
    low_998: Array
    high_998: Array
    outside: int
    of: int
    expected: float
    phi: float | None = None
    p_value: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """All radiologists on one pathology and one phrase ('' for everything hedged).

    words:  the hedges and statements used on this pathology with their number, weakest first
    mean:   pooled, in mean_low-mean_high; spread_low-spread_high holds the true values of 95 % of such radiologists
    alike:  the likeliest explanation of all differences is chance
    funnel: None where there are too few radiologists
    reason: why nothing is pooled, '' if it is
    """

    topic: str
    phrase: str
    members: tuple[Member, ...]
    words: tuple[tuple[str, float], ...]
    mean: float | None = None
    mean_low: float | None = None
    mean_high: float | None = None
    spread_low: float | None = None
    spread_high: float | None = None
    alike: bool = False
    funnel: Funnel | None = None
    meaning: tuple[float, float] | None = None
    """The range that readers take the phrase to mean; None for all hedges."""
    confidence: float = 0.95
    """Coverage of all intervals; the funnel's limits have their own."""
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
