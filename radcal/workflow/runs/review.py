"""Statements to be reviewed by a person after extraction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.records import Finding, Section

if TYPE_CHECKING:
    import pandas as pd

SECOND_OPINION = "rules"
"""The engine whose findings are compared with those of another."""
REVIEW_COLUMNS = ("concern", "report_id", "pathology", "phrase", "second_opinion", "probability", "section", "sentence")


def to_findings(table: pd.DataFrame) -> list[Finding]:
    """The rows of a table of findings as records."""
    findings = (Finding(**{str(name): value for name, value in row.items()}) for row in table.to_dict("records"))
    return [
        replace(f, section=Section(f.section), probability=None if f.probability != f.probability else f.probability)
        for f in findings
    ]


def review_table(findings: Iterable[Finding], second: Iterable[Finding], below: float) -> pd.DataFrame:
    """Statements to review, worst first, in REVIEW_COLUMNS.

    concern: the reason, in words;  phrase, second_opinion: '' if the engine has no such finding;
    probability: the first engine's own, NaN if it has no such finding
    """
    import pandas as pd

    from radcal.extract.by_llama.review import review_queue

    rows = []
    for item in review_queue(findings, second, below):
        seen = item.finding or item.other
        if seen is None:
            continue
        rows.append(
            (
                item.concern.name.lower().replace("_", " "),
                seen.report_id,
                seen.pathology,
                item.finding.phrase if item.finding else "",
                item.other.phrase if item.other else "",
                item.probability if item.finding else float("nan"),
                str(seen.section),
                seen.sentence,
            )
        )
    return pd.DataFrame(rows, columns=list(REVIEW_COLUMNS))
