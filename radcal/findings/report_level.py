"""The finding of a report on a pathology that enters the statistics.

The rule is the same for every engine: the impression before any other section; within a section present or absent
before hedged; among those, the last finding.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from radcal.findings.records import Finding
from radcal.reports.records import Section
from radcal.words.records import ABSENT, PRESENT

if TYPE_CHECKING:
    import pandas as pd


def decide(findings: Iterable[Finding]) -> list[Finding]:
    """One finding per (report, pathology), in the order of first mention."""
    decisive: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        key = finding.report_id, finding.pathology
        if key not in decisive or _weight(finding) >= _weight(decisive[key]):
            decisive[key] = finding
    return list(decisive.values())


def _weight(finding: Finding) -> tuple[bool, bool, int]:
    return finding.section is Section.IMPRESSION, finding.phrase in (PRESENT, ABSENT), finding.start


def decide_table(findings: pd.DataFrame) -> pd.DataFrame:
    """As :func:`decide`, for a table with the columns of Finding; rows keep their order."""
    weights = findings.assign(
        impression=findings["section"] == Section.IMPRESSION.value, plain=findings["phrase"].isin((PRESENT, ABSENT))
    )
    ordered = weights.sort_values(["impression", "plain", "start"])
    last = ordered.drop_duplicates(["report_id", "pathology"], keep="last").index
    return findings.loc[last.sort_values()]
