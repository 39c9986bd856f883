"""What was measured in a department, with its provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from radcal.calibration.records import Mix, Reliability, Spread
from radcal.review.records import ReadingErrors
from radcal.system.text import EMPTY, Text
from radcal.words.records import Phrase


@dataclass(frozen=True, slots=True)
class Provenance:
    """Everything needed to reproduce a result."""

    engine: str
    engine_version: str
    settings_hash: str
    lexicon: str
    seed: int
    versions: Mapping[str, str]
    first_exam: datetime | None
    last_exam: datetime | None
    n_pairs: int
    created: datetime
    extraction_accuracy: Text = EMPTY
    """Accuracy on the gold set with its interval, in words; '' where it was not measured."""
    reading_errors: Text = EMPTY
    """That errors of reading are carried on, or why they are not and what two engines tell of them, in sentences."""


@dataclass(frozen=True, slots=True)
class AuthorPairs:
    """The pairs behind one author's results.

    n_pairs: pairs whose both reports were read;  unread: pairs left out because one of them was not;
    first_exam, last_exam: of the X-rays of the n_pairs, None if there are none
    """

    author: str
    n_pairs: int
    unread: int
    first_exam: datetime | None
    last_exam: datetime | None


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a group of n observations, in 0-1.

    certainty: the mean of what was stated;  confirmed: the share confirmed by CT
    word_error: None where nothing was hedged, or there are too few observations for it
    """

    n: float
    certainty: float
    confirmed: float
    word_error: float | None


@dataclass(frozen=True, slots=True)
class Unread:
    """The statements of a group, or of groups together, that were left out because something was unread.

    n: how many;  now: the figures without them, None where there are no others
    present, absent: were every unread finding of X-ray and CT reports present, or absent
    """

    author: str
    topic: str
    n: int
    now: Figures | None
    present: Figures | None
    absent: Figures | None


@dataclass(frozen=True, eq=False)
class ModelMeasurements:
    """Reliability of language models on question sets, which are never put together with radiologists'.

    phrases: by model, the words that its advice chooses from, weakest first: what it said, and what it might
    pooled: of all question sets of each model
    """

    phrases: Mapping[str, tuple[Phrase, ...]]
    reliabilities: tuple[Reliability, ...]
    pooled: tuple[Reliability, ...]


@dataclass(frozen=True, eq=False)
class Measurements:
    """Reliability of every author on every topic, with provenance.

    counts: rows (author, topic, what, n) as in Matching, and with what CONTESTED_LEFT_OUT
    pooled: of all pathologies of each author together (topic ALL_TOPICS), and of all authors of each pathology (author
        ALL_AUTHORS)
    mixes: by topic, and of all under ALL_TOPICS, how often the CT used each outcome
    errors: of reading, carried on into the figures; None where none were
    unread: of each group, and of ALL_AUTHORS and ALL_TOPICS, with statements left out because something was unread
    spread: how far the words of the department's readers stray, from which rates and advice follow; None without any
    models: of language models whose answers were taken into the workspace; the other fields hold nothing of them
    """

    reliabilities: tuple[Reliability, ...]
    counts: tuple[tuple[str, str, str, int], ...]
    provenance: Provenance
    pairs: tuple[AuthorPairs, ...] = ()
    pooled: tuple[Reliability, ...] = ()
    mixes: Mapping[str, Mix] = field(default_factory=dict)
    errors: ReadingErrors | None = None
    unread: tuple[Unread, ...] = ()
    spread: Spread | None = None
    models: ModelMeasurements | None = None
