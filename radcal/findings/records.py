"""Findings, and the engines that extract them from reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from radcal.reports.records import Document, Section
from radcal.system.progress import Progress
from radcal.words.records import UNREAD

FINDING_COLUMNS: tuple[str, ...] = (
    "report_id",
    "pathology",
    "phrase",
    "verbatim",
    "sentence",
    "section",
    "start",
    "end",
    "engine",
    "unread",
    "rules",
    "second",
    "probability",
    "decided",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement about a pathology in a report.

    phrase:     canonical: 'absent', 'present', a phrase of the lexicon, 'other' for any other hedge, or 'unread'
    verbatim:   the words that express the certainty, or were not understood; '' for a plain statement
    start, end: the sentence's span in the report's text
    term_start, term_end, cue_start, cue_end: spans of the term and the cue in the report's text; -1 without a cue
    probability: the chance that it was read right, in 0-1; None where no second reader read it
    rules:       the phrase that the rules read; '' where it equals ``phrase``
    second:      the phrase that the second reader gives; '' without one
    decided:     ``phrase`` where it is what a person decided, in place of what was left unread; else ''
    """

    report_id: str
    pathology: str
    phrase: str
    verbatim: str
    sentence: str
    section: Section
    start: int
    end: int
    term_start: int
    term_end: int
    cue_start: int = -1
    cue_end: int = -1
    engine: str = ""
    probability: float | None = None
    rules: str = ""
    second: str = ""
    decided: str = ""

    @property
    def as_rules_read(self) -> str:
        """The phrase that the rules read."""
        return self.rules or self.phrase

    @property
    def unread(self) -> str:
        """'yes' if it is not sure enough that the finding was read right, so that it is no statement; else ''."""
        return "yes" if self.phrase == UNREAD else ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of an engine on one report: findings, or the reason for a failure."""

    report_id: str
    findings: tuple[Finding, ...]
    failure: str = ""


class Identified(Protocol):
    """The identity of an engine or of a run of one.

    name: such as 'rules';  version: changes whenever results could change
    settings_hash: over everything else the results depend on: lexicon, prompt, model, options
    """

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def settings_hash(self) -> str: ...


class Extractor(Identified, Protocol):
    """An extraction engine: streaming and ordered; the result for a report does not depend on the others.

    It advances ``progress`` by one for each report.
    """

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction for each document, in order; for a report that fails, one with its failure."""
        ...


@dataclass(frozen=True, slots=True)
class ExtractionSummary:
    """The result of a run of an engine over the paired reports.

    ``n_unread`` of the findings are unread; people have decided on ``n_decided`` others.
    """

    n_reports: int
    n_done: int
    n_failed: int
    n_findings: int
    unknown_phrases: tuple[tuple[str, int], ...]
    """Hedges that are not in the lexicon with their counts, most frequent first."""
    n_unread: int = 0
    n_decided: int = 0
    unread_words: tuple[tuple[str, int], ...] = ()
    """The words of unread findings that are not in the lexicon with their counts, most frequent first."""


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
