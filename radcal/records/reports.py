"""Reports, from rows of files to pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


REPORT_COLUMNS: Mapping[str, str] = {
    "report_id": "str: unique over the workspace, modality and accession joined, e.g. 'xray:A1001'",
    "modality": "str: 'xray' or 'ct'",
    "accession": "str",
    "patient_id": "str",
    "exam": "str: exam code or description as in the source, '' if none",
    "exam_time": "datetime64[ns]: local time of the examination",
    "author": "str: the radiologist that the report is attributed to, '' if nobody",
    "author_rule": "str: which rule attributed it, in words",
    "status": "str: 'final', 'addendum', 'preliminary' or '' if the source has none",
    "text": "str: the whole report",
    "file": "str: name of the source file",
    "row": "int: line of the source file, 1 for the first, header included",
}
PAIR_COLUMNS: Mapping[str, str] = {
    "xray_id": "str: report_id",
    "ct_id": "str: report_id",
    "patient_id": "str",
    "author": "str: of the X-ray report",
    "xray_time": "datetime64[ns]",
    "ct_time": "datetime64[ns]",
    "gap_hours": "float: CT time - X-ray time",
}
REJECTED_COLUMNS: Mapping[str, str] = {
    "file": "str",
    "row": "int: line of the source file, 1 for the first, header included",
    "reason": "str: one of a small set of sentences, so that rows can be counted by reason",
    "remedy": "str: what the user can do",
}
ATTRITION_COLUMNS: Mapping[str, str] = {
    "step": "str: what was asked at this step, e.g. 'has a CT within 12 h'",
    "modality": "str: 'xray', 'ct' or 'both'",
    "kept": "int: reports left after the step",
    "dropped": "int: reports that dropped out here",
    "reason": "str: why, in words",
}


class RejectedRow(NamedTuple):
    """A row of a table in REJECTED_COLUMNS."""

    file: str
    row: int
    reason: str
    remedy: str


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


@dataclass(frozen=True, eq=False)
class Pairing:
    """X-ray reports joined to CT reports, and where the others went."""

    pairs: pd.DataFrame
    attrition: pd.DataFrame


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
