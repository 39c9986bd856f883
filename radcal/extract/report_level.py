"""Which of a report's statements about a pathology enters the statistics.

The rule, visible and the same for every engine: the impression before any other section; in the same section
present or absent before hedged; of those left, the last statement.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from radcal.records import ABSENT, PRESENT, Finding, Section

if TYPE_CHECKING:
    import pandas as pd


def decide(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each (report, pathology), in the order in which these are first mentioned."""
    decisive: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        key = finding.report_id, finding.pathology
        if key not in decisive or _weight(finding) >= _weight(decisive[key]):
            decisive[key] = finding
    return list(decisive.values())


def _weight(finding: Finding) -> tuple[bool, bool, int]:
    return finding.section is Section.IMPRESSION, finding.phrase in (PRESENT, ABSENT), finding.start


def left_out(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that :func:`decide` passes over, in their order."""
    findings = list(findings)
    decisive = {id(f) for f in decide(findings)}
    return [f for f in findings if id(f) not in decisive]


def decide_table(findings: pd.DataFrame) -> pd.DataFrame:
    """As :func:`decide` for a table with the columns of Finding; rows keep their order."""
    weights = findings.assign(
        impression=findings["section"] == Section.IMPRESSION.value, plain=findings["phrase"].isin((PRESENT, ABSENT))
    )
    ordered = weights.sort_values(["impression", "plain", "start"])
    last = ordered.drop_duplicates(["report_id", "pathology"], keep="last").index
    return findings.loc[last.sort_values()]
