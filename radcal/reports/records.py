"""Reports, from rows of files to pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pandas as pd


class Modality(StrEnum):
    """The kind of examination a report is about."""

    XRAY = "xray"
    CT = "ct"


class Section(StrEnum):
    """The part of a report that a sentence stands in."""

    FINDINGS = "findings"
    IMPRESSION = "impression"
    INDICATION = "indication"
    """Indication, history, reason for the examination: asserts nothing."""
    COMPARISON = "comparison"
    TECHNIQUE = "technique"
    OTHER = "other"
    """Addressees, signatures and whatever stands under a heading of no interest."""


class RejectedRow(NamedTuple):
    """A row of a table in REJECTED_COLUMNS."""

    file: str
    row: int
    reason: str
    remedy: str
    accession: str = ""
    unit: str = ""


class State(StrEnum):
    """What became of a report or of a row of a file."""

    READ = "read"
    WAITING = "waiting"
    FAILED = "failed"
    LEFT_OUT = "left out"


class ListedReport(NamedTuple):
    """A report in the list of all of them, or a row of a file that is none.

    report_id: '' of a row that was left out;  modality: 'xray', 'ct', or '' of such a row;  time: local
    author: as stored;  partner: report_id of the other report of its pair, '' for none
    hours: CT time - X-ray time;  findings: what the engine in the settings has found, None while it has not read it
    why: it was left out, or could not be read;  remedy: what can be done about a row
    row, unit: its place in the file, as of RejectedRow;  suspects: words in it that may identify somebody
    """

    state: State
    report_id: str
    modality: str
    accession: str
    exam: str
    time: datetime | None
    author: str
    partner: str
    hours: float | None
    findings: int | None
    why: str
    remedy: str
    file: str
    row: int
    unit: str
    suspects: int


class AttritionStep(NamedTuple):
    """A row of a table in ATTRITION_COLUMNS."""

    step: str
    modality: str
    kept: int
    dropped: int
    reason: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read at all, by the name it has in lists of rows, and why."""

    file: str
    reason: str


@dataclass(frozen=True, eq=False)
class Import:
    """What was read from files: the reports that can be used and the rows that cannot."""

    reports: pd.DataFrame
    rejected: pd.DataFrame
    rows_read: int
    mapping: Mapping[str, str]
    """Our column names to those of the source."""
    attrition: pd.DataFrame | None = None
    """Where rows dropped out while reading, in ATTRITION_COLUMNS; continued by the pairing's."""
    notes: tuple[str, ...] = ()
    """What was assumed while reading, in sentences for the user."""
    unread: tuple[Unread, ...] = ()
    """Files that were left out."""
    empty: tuple[Unread, ...] = ()
    """Files that were read, now or before, and of which no report could be used."""
    versions: pd.DataFrame | None = None
    """The rows of X-ray reports with several, or with addenda in their text: REPORT_COLUMNS, VERSION_COLUMNS, ROLE."""
    units: Mapping[str, str] = field(default_factory=dict)
    """What the rows of each file count, as in REJECTED_COLUMNS."""


class Use(StrEnum):
    """What became of a text of an X-ray report."""

    COUNTED = "counted"
    SUPERSEDED = "superseded"
    """Another version from before the CT counts."""
    AFTER_CT = "after the CT"
    """Kept apart: written after the CT, or not shown to be from before it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A row of a report, or the part of its text that is one addendum or the report without it.

    position: of the row among the report's versions;  start, end: span in its text
    """

    position: int
    start: int
    end: int
    use: Use


@dataclass(frozen=True, slots=True)
class Standing:
    """A report as it stood before the CT.

    pieces: of all its rows, in order of position and start;  base: whose text counts, None if none does
    addenda: joined to the base, in order;  whole: nothing is kept apart
    author, author_rule, status: of what counts
    """

    pieces: tuple[Piece, ...]
    base: Piece | None
    addenda: tuple[Piece, ...] = ()
    whole: bool = True
    author: str = ""
    author_rule: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class Attribution:
    """Whose the X-ray reports are and what of them counts.

    rules: how many were attributed, or left out, by which rule, the most frequent first
    several: reports that name two radiologists or more
    texts_apart, reports_apart: texts written after the CT, and reports that have them
    addenda_apart: those of the texts that are addenda within the text of a row; the others are rows of their own
    paired: reports in pairs;  signed_after: those of them whose first or only version was signed after the CT
    left_out_after: reports left out because all that there is was written after the CT
    """

    rules: tuple[tuple[str, int], ...] = ()
    several: int = 0
    texts_apart: int = 0
    reports_apart: int = 0
    addenda_apart: int = 0
    paired: int = 0
    signed_after: int = 0
    left_out_after: int = 0


@dataclass(frozen=True, eq=False)
class Pairing:
    """X-ray reports joined to CT reports, and where the others went.

    standings: of the reports with several versions, by report_id
    texts: of those of which only a part counts, the text that does
    left_out: why reports are in no pair, by report_id
    """

    pairs: pd.DataFrame
    attrition: pd.DataFrame
    standings: Mapping[str, Standing] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    attribution: Attribution = field(default_factory=Attribution)
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PairingSummary:
    """What came of pairing the reports of a workspace, where the pairs are.  n_pairs: how many there are"""

    n_pairs: int
    attrition: pd.DataFrame
    attribution: Attribution = field(default_factory=Attribution)


@dataclass(frozen=True, slots=True)
class ReportVersion:
    """A piece of a report as the source has it.

    status: 'preliminary', 'final', 'addendum', 'corrected' or '' if unknown;  time: local, None if unknown
    people: the radiologists that its row names
    """

    status: str
    time: datetime | None
    people: str
    text: str
    use: Use


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a report: ``text == document.text[start:end]``."""

    section: Section
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A report as the extraction engines see it: its text, cut into sentences with their sections."""

    report_id: str
    text: str
    sentences: tuple[Sentence, ...]
    modality: Modality | None = None


@dataclass(frozen=True, slots=True)
class Preset:
    """How the files of a system are read.

    name, about: for people;  columns: field and column;  day_first: order of dates, None to infer it from each file
    encoding: of text files, '' to infer it;  statuses: status words of the system, simplified, and their meanings
    breaks: marks that stand for line breaks in texts
    as_whole: what may be cut short is read as whole; somebody has looked, or the system always writes so
    """

    name: str = ""
    about: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    day_first: bool | None = None
    encoding: str = ""
    statuses: tuple[tuple[str, str], ...] = ()
    breaks: tuple[str, ...] = ()
    as_whole: bool = False


NO_PRESET = Preset()
"""Everything is recognised."""
