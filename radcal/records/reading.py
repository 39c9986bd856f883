"""What was written against what was read: the errors of an engine on a gold set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from radcal.records.words import ABSENT, PRESENT

NOT_MENTIONED, HEDGED = "not mentioned", "hedged"
STATED = (NOT_MENTIONED, ABSENT, HEDGED, PRESENT)
"""What a report may state of a pathology, in the order of rows and columns of a confusion."""
NEAR = 0.15
"""Phrases whose means are this close, in 0-1, mean nearly the same."""


@dataclass(frozen=True, slots=True)
class Misread:
    """What was written against what was read in the reports of one modality.

    reports: read by people and by the engine
    table: (4, 4) numbers of (report, pathology), as written (rows) and as read (columns), both in the order of STATED;
        the statement that enters the statistics stands for each
    hedged: of those hedged as written and as read, how many have the same phrase, one of nearly the same meaning,
        another one
    """

    reports: int
    table: tuple[tuple[int, ...], ...]
    hedged: tuple[int, int, int]


class Silence(NamedTuple):
    """How the statistics take a CT that is silent on a topic.

    counted: of the statements, how many (0-1) are on topics where it means absent
    share: of the outcome "absent", how much (0-1) is silence
    left_out: for each statement that entered, how many are left out because the CT is silent
    """

    counted: float = 0.0
    share: float = 0.0
    left_out: float = 0.0


@dataclass(frozen=True, slots=True)
class ReadingErrors:
    """The confusion of an engine on a gold set, separately for X-ray and CT.

    silence: by topic, and of all under ALL_TOPICS
    """

    engine: str
    version: str
    xray: Misread
    ct: Misread
    silence: Mapping[str, Silence] = field(default_factory=dict)
