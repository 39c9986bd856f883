"""The two reports behind a finding."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from radcal.records.findings import Finding


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One report of a case.

    accession: its number in the radiology system;  time: of the examination, local;  exam: as in the source, '' if none
    text: the whole report, '' where only its sentences are at hand
    findings: what the engine behind the results read in it, in order
    """

    report_id: str
    accession: str
    time: datetime | None = None
    exam: str = ""
    author: str = ""
    text: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """An X-ray report and the CT report that it was compared with."""

    xray: CaseReport
    ct: CaseReport
