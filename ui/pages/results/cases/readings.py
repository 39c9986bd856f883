"""What the engine read in a report: its findings, with the one that the case is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from radcal.findings.records import Finding
from radcal.reports.records import Section
from ui.kit.column import Column, Index, RecordModel
from ui.kit.delegate import CERTAINTY
from ui.sentences import topic_name
from ui.words import quoted, say

if TYPE_CHECKING:
    from radcal.calibration.cases import CaseReport
    from ui.pages.results.cases.work import FindingRow

PATHOLOGY, PHRASE, WRITTEN = range(3)
"""The columns, left to right."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A finding in one report of a case.  asked: the case is about it"""

    finding: Finding
    asked: bool = False

    @property
    def struck(self) -> bool:
        """Nothing is crossed out here."""
        return False

    @property
    def strong(self) -> bool:
        """Whether its term is bold."""
        return self.asked


class ReadingModel(RecordModel):
    """Findings in the order of the report."""

    def __init__(self) -> None:
        super().__init__(
            (
                Column(say("pathology"), lambda r: topic_name(r.finding.pathology)),
                Column(say("read as"), lambda r: r.finding.phrase),
                Column(say("written"), written),
            )
        )
        self._means: Mapping[str, float] = {}

    def set_readings(self, readings: Sequence[Reading], means: Mapping[str, float]) -> None:
        """Show these findings; ``means``: the certainty of each phrase, 0-1."""
        self._means = means
        self.set_rows(readings)

    def data(self, index: Index, role: int = 0) -> Any:
        if role == CERTAINTY and index.column() == PHRASE:
            return self._means.get(self.row(index.row()).finding.phrase, 0.5)
        return super().data(index, role)


def written(reading: Reading) -> str:
    """The certainty words as they stand in the report."""
    return quoted(" ".join(reading.finding.verbatim.split())) if reading.finding.verbatim else say("stated plainly")


def xray_readings(report: CaseReport, row: FindingRow) -> tuple[Reading, ...]:
    """What was read in the X-ray report; without it, the finding's own sentence."""
    if report.text:
        return _readings(report, row.topic, row.xray_sentence)
    cue = (row.cue_start, row.cue_end)
    return (_alone(row.topic, row.phrase, row.verbatim, row.xray_sentence, cue),)


def ct_readings(report: CaseReport, row: FindingRow) -> tuple[Reading, ...]:
    """What was read in the CT report; without it, nothing, because no place in the sentence is known."""
    return _readings(report, row.ct_pathology, row.ct_sentence) if report.text else ()


def _readings(report: CaseReport, pathology: str, sentence: str) -> tuple[Reading, ...]:
    """Of several findings on the pathology in the deciding sentence, the last decides."""
    ordered = sorted(report.findings, key=lambda f: (f.start, f.term_start))
    about = [f for f in ordered if pathology and (f.pathology, f.sentence) == (pathology, sentence)]
    return tuple(Reading(f, bool(about) and f is about[-1]) for f in ordered)


def _alone(pathology: str, phrase: str, verbatim: str, sentence: str, cue: tuple[int, int]) -> Reading:
    place = cue if 0 <= cue[0] < cue[1] <= len(sentence) else (0, 0)
    finding = Finding("", pathology, phrase, verbatim, sentence, Section.OTHER, 0, len(sentence), *place, *place)
    return Reading(finding, asked=True)
