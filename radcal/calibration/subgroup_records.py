"""A department's own groups of findings, by site, shift, age of the patient and the like; and case mix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from radcal.calibration.records import Part, Reliability

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


@dataclass(frozen=True, slots=True, eq=False)
class Subgroups:
    """The findings of everybody or of one author on a topic by group.

    author: ALL_AUTHORS for everybody;  topic: ALL_TOPICS for all
    groups: in the order of VALUES, or by name; SMALL last
    phrase: the hedged word on which the groups lie furthest apart, '' where none was said often enough in two of them
    folded: the groups that make up SMALL;  hidden: findings of SMALL where even that has few patients
    unknown: findings of which the group is not known
    """

    grouping: Grouping
    author: str
    topic: str
    groups: tuple[Subgroup, ...]
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
class AuthorCases:
    """An author's hedged findings beside all others'.

    covered: share of the department's mix in whose strata the author hedged anything, 0-1;  lacking: the other strata,
        the largest first
    in_all: the word that sets the author apart most;  like_cases: the same, among findings of the same strata and
        words, the others' rate standardised to the author's mix; None where too little was said
    """

    author: str
    n: float
    covered: float
    lacking: tuple[Stratum, ...]
    in_all: Part | None = None
    like_cases: Part | None = None


@dataclass(frozen=True, slots=True)
class CaseMix:
    """Authors compared in all, and in like cases.

    by: what the strata are made of;  n: hedged findings in them;  unknown: those of which a stratum is not known
    fewest: uses of a word that it needs to be compared
    """

    by: tuple[Stratifier, ...]
    topic: str
    n: float
    unknown: int
    strata: tuple[Stratum, ...]
    authors: tuple[AuthorCases, ...]
    fewest: int
