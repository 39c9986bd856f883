"""The two reports behind a finding."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from radcal.findings.records import Finding
from radcal.reports.records import ReportVersion
from radcal.system.selection import ALL_DAYS, Days


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One report of a case.

    accession: its number in the radiology system;  time: of the examination, local;  exam: as in the source, '' if none
    text: the whole report, '' where only its sentences are at hand
    findings: what the engine behind the results read in it, in order
    versions: all that the source has of it, in order, where that is more than one text
    shifted: dates within the text were shifted when it was de-identified
    """

    report_id: str
    accession: str
    time: datetime | None = None
    exam: str = ""
    author: str = ""
    text: str = ""
    findings: tuple[Finding, ...] = ()
    versions: tuple[ReportVersion, ...] = ()
    shifted: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A piece of two texts.  kind: 'removed', 'added', or '' where both have it"""

    kind: Literal["", "removed", "added"]
    text: str


@dataclass(frozen=True, slots=True)
class ChangedPhrase:
    """What a draft and the signed report say of a pathology, as phrases of the lexicon; '' for nothing."""

    pathology: str
    draft: str
    signed: str

    @property
    def changed(self) -> bool:
        """Whether they differ."""
        return self.draft != self.signed


@dataclass(frozen=True, slots=True)
class DraftAndSigned:
    """The preliminary text of a report against the signed one."""

    draft: ReportVersion
    signed: ReportVersion
    changes: tuple[Change, ...]
    phrases: tuple[ChangedPhrase, ...]


@dataclass(frozen=True, slots=True)
class OwnDrafts:
    """What became of one person's drafts that somebody else signed.

    compared: the day of each examination with its draft and signed report, the latest first
    days: date range of the examinations
    dated: whether the days of single examinations are printed
    """

    person: str
    compared: tuple[tuple[date, DraftAndSigned], ...]
    days: Days = ALL_DAYS
    dated: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    """An X-ray report and the CT report that it was compared with."""

    xray: CaseReport
    ct: CaseReport
    draft: DraftAndSigned | None = None
    """Of the X-ray report, where the source has both texts."""
