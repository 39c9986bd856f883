"""A department's own groups of findings, by site, shift, age of the patient and the like; and case mix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from radcal.reliability.records import Reliability

Grouping = Literal["site", "shift", "weekday", "age", "portable"]
"""What findings are grouped by: where the X-ray was made; day (7-15), evening (15-23) or night; weekday or weekend; the
patient's age in bands; with a portable unit or not."""
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
Stratifier = Literal["site", "shift", "weekday", "age", "portable", "topic"]
"""What strata of a case mix are made of: a grouping, or the pathology."""
STRATIFIERS: tuple[Stratifier, ...] = get_args(Stratifier)
VALUES = {
    "shift": ("day", "evening", "night"),
    "weekday": ("weekday", "weekend"),
    "age": ("0-17", "18-39", "40-59", "60-79", "80+"),
    "portable": ("portable", "fixed"),
}
"""The groups of each grouping in their order; sites are a department's own, in alphabetical order."""
SMALL = "small groups together"
"""In place of a group: groups of few patients or few findings, together."""


@dataclass(frozen=True, slots=True, eq=False)
class Subgroup:
    """The findings of one group.

    value: of VALUES, the name of a site, or SMALL
    reliability: under the value in place of the author, and the topic
    probability: that the group lies apart from all others on the word that sets it apart most, by 5 points or more;
        None where there are too few findings
    differs: whether that is SURE
    ..._like_cases: the same, comparing only findings of the same author on the same topic in the same word
    """

    value: str
    patients: int
    reliability: Reliability
    probability: float | None = None
    differs: bool = False
    probability_like_cases: float | None = None
    differs_like_cases: bool = False


@dataclass(frozen=True, slots=True)
class Within:
    """The calibration error within groups beside that over all of them, of hedged words; all in 0-1.

    n: hedged findings of the groups
    overall: sum_k n_k |r_k - m_k| / N, the word error of all together
    error: sum_g (n_g / N) sum_k (n_gk / n_g) |r_gk - m_k|, the share of each group times its word error; never less
        than ``overall``
    low, high: interval of ``error``
    alike, alike_high: the mean of ``error`` if the same findings fell into groups of these sizes by chance, and its
        quantile at the confidence of the settings

    Source: "QA-Calibration of Language Model Confidence Scores" (ICLR 2025), CE(h; beta).
    """

    n: float
    overall: float
    error: float
    low: float | None
    high: float | None
    alike: float | None
    alike_high: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Subgroups:
    """The findings of everybody or of one author on a topic by group.

    author: ALL_AUTHORS for everybody;  topic: ALL_TOPICS for all
    groups: in the order of VALUES, or by name; SMALL last
    whole: all of these groups together, with each group as a part
    within: None where nothing was hedged
    phrase: the hedged word on which the groups lie furthest apart, '' where none was said often enough in two of them
    folded: the groups that make up SMALL;  hidden: findings of SMALL where even that has few patients
    unknown: findings of which the group is not known
    """

    grouping: Grouping
    author: str
    topic: str
    groups: tuple[Subgroup, ...]
    whole: Reliability | None
    within: Within | None = None
    phrase: str = ""
    folded: tuple[str, ...] = ()
    hidden: int = 0
    unknown: int = 0
    fewest: int = 0
    """Patients that a group must have to be shown alone."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of a department's findings.  groups: one of each grouping;  share: of all its hedged findings, 0-1"""

    groups: tuple[str, ...]
    n: float
    share: float


@dataclass(frozen=True, slots=True)
class StandardRate:
    """How often an author's findings worded with one phrase were confirmed: as they are, and for the department's mix.

    rate, low, high: raw, Jeffreys interval
    standard, standard_low, standard_high: sum_s w_s r_s over the strata in which the author used the phrase, w_s the
        department's share of the stratum among its uses of the phrase, made to add to 1
    department: the rate of everybody for the same strata and shares
    covered: the sum of w_s before that, 0-1
    """

    phrase: str
    n: float
    positives: float
    rate: float
    low: float
    high: float
    mean: float
    standard: float
    standard_low: float
    standard_high: float
    department: float
    covered: float


@dataclass(frozen=True, slots=True)
class Standardised:
    """An author's word error as it is, and standardised to the department's mix; None with ``n`` below ``fewest``.

    n: hedged findings;  department: the word error that everybody's rates give for the same words and strata
    covered: share of the department's mix that the author's findings speak of, 0-1
    lacking: strata in which the author hedged nothing, the largest first
    raw_probability, raw_differs: that the author lies apart from all others, and whether that is SURE, as of
        :class:`Subgroup`
    probability, differs: the same, among findings of the same strata and words; None where there are too few
    """

    author: str
    n: float
    phrases: tuple[StandardRate, ...]
    covered: float
    lacking: tuple[Stratum, ...]
    word_error: float | None = None
    word_error_low: float | None = None
    word_error_high: float | None = None
    standard: float | None = None
    standard_low: float | None = None
    standard_high: float | None = None
    department: float | None = None
    raw_probability: float | None = None
    raw_differs: bool = False
    probability: float | None = None
    differs: bool = False


@dataclass(frozen=True, slots=True)
class CaseMix:
    """Authors compared after standardising to the department's mix of cases.

    by: what the strata are made of;  n: hedged findings in them;  unknown: those of which a stratum is not known
    fewest: hedged findings that an author's word error needs
    """

    by: tuple[Stratifier, ...]
    topic: str
    n: float
    unknown: int
    strata: tuple[Stratum, ...]
    authors: tuple[Standardised, ...]
    fewest: int
