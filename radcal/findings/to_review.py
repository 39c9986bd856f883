"""Statements to be reviewed by a person after extraction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from radcal.findings.records import Finding
from radcal.reports.records import Section
from radcal.words.records import ABSENT, PRESENT, UNREAD

if TYPE_CHECKING:
    import pandas as pd

    from radcal.findings.review_queue import ReviewItem

SECOND_OPINION = "rules"
"""The engine whose findings those of a model that reads alone are compared with."""
REVIEW_COLUMNS = (
    *("effect", "concern", "report_id", "pathology", "phrase", "rules", "second_opinion", "probability", "section"),
    *("sentence", "at", "decision"),
)


@dataclass(frozen=True, slots=True)
class OtherReading:
    """One finding read otherwise: phrase ``was`` as ``now``, '' for none, in a sentence that starts at ``start``."""

    report_id: str
    pathology: str
    section: str
    start: int
    was: str
    now: str


def to_findings(table: pd.DataFrame) -> list[Finding]:
    """The rows of a table of findings as records."""
    findings = (Finding(**{str(name): value for name, value in row.items()}) for row in table.to_dict("records"))
    return [
        replace(f, section=Section(f.section), probability=None if f.probability != f.probability else f.probability)
        for f in findings
    ]


def other_readings(item: ReviewItem) -> list[OtherReading]:
    """What the engine's finding would be if it is not what the engine says.

    That is the second opinion, or nothing where there is none.  What was left unread and no other engine reads could be
    present or absent.
    """
    seen = item.finding or item.other
    if seen is None:
        return []
    was, now = (f.phrase if f else "" for f in (item.finding, item.other))
    open_to_all = now == UNREAD or (was == UNREAD and not now)
    return [
        OtherReading(seen.report_id, seen.pathology, str(seen.section), seen.start, was, phrase)
        for phrase in ((PRESENT, ABSENT) if open_to_all else (now,))
    ]


def review_table(ranked: Iterable[tuple[ReviewItem, float]]) -> pd.DataFrame:
    """Statements to review with their effects, in REVIEW_COLUMNS.

    effect: how far the other reading would move a figure of its group, in percentage points
    concern: the reason, in words;  phrase: '' if the engine has no such finding
    rules: what the rules read where it is another phrase
    second_opinion: what the second reader or another engine read
    probability: that the engine's finding was read right, NaN if it has no such finding
    at: where the words for the pathology begin in the report, in characters
    decision: '', for a person
    """
    import pandas as pd

    rows = []
    for item, effect in ranked:
        seen = item.finding or item.other
        if seen is None:
            continue
        rows.append(
            (
                100 * effect,
                item.concern.name.lower().replace("_", " "),
                seen.report_id,
                seen.pathology,
                item.finding.phrase if item.finding else "",
                item.finding.rules if item.finding else "",
                item.other.phrase if item.other else seen.second,
                item.probability if item.finding else float("nan"),
                str(seen.section),
                seen.sentence,
                seen.term_start,
                "",
            )
        )
    return pd.DataFrame(rows, columns=list(REVIEW_COLUMNS))
