"""What engines read in reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from radcal.records.reports import Document, Section

if TYPE_CHECKING:
    from radcal.progress import Progress

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
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement about a pathology in a report.

    phrase:     canonical: 'absent', 'present', a phrase of the lexicon, or 'other' for a hedge in no list
    verbatim:   the words that carry the certainty; '' for a plain statement
    start, end: the sentence's span in the report's text
    term_start, term_end, cue_start, cue_end: spans of the pathology's and the cue's words in the report's
                text; the cue's are -1 where there is none
    probability: the engine's own probability, None where it has none
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


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of an engine on one report: findings, or the reason for a failure."""

    report_id: str
    findings: tuple[Finding, ...]
    failure: str = ""


class Extractor(Protocol):
    """An extraction engine. Streaming and ordered; the result for a report does not depend on the others.

    It advances ``progress`` by one for each report.
    """

    @property
    def name(self) -> str:
        """Such as 'rules'."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever results could change."""
        ...

    @property
    def settings_hash(self) -> str:
        """Hash over everything else the results depend on: lexicon, prompt, model, options."""
        ...

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction for each document, in order; a report that fails is an Extraction with its failure."""
        ...


@dataclass(frozen=True, slots=True)
class ExtractionSummary:
    """The result of a run of an engine over the paired reports."""

    n_reports: int
    n_done: int
    n_failed: int
    n_findings: int
    unknown_phrases: tuple[tuple[str, int], ...]
    """Hedges in no list with how often they were found, most frequent first."""
