"""Statements to be reviewed by a person after extraction: unread or improbable ones, and disagreements of engines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import zip_longest
from typing import TYPE_CHECKING

from radcal.findings.records import Finding
from radcal.reports.records import Section
from radcal.words.records import ABSENT, PRESENT, UNREAD

if TYPE_CHECKING:
    import pandas as pd

SECOND_OPINION = "rules"
"""The engine whose findings those of a model that reads alone are compared with."""
REVIEW_COLUMNS = (
    *("effect", "concern", "report_id", "pathology", "phrase", "rules", "second_opinion", "probability", "section"),
    *("sentence", "at", "decision"),
)
_SURE = 0.5
"""Probability below which a finding is listed, in 0-1."""


class Concern(IntEnum):
    """Reason for a review, the most serious first."""

    OPPOSITE = 0
    """One engine reads present, the other absent."""
    UNREAD = 1
    """Words of doubt stand beside it that the engine did not understand."""
    ONE_SIDED = 2
    """Only one of the engines found it."""
    HEDGED = 3
    """One engine reads a hedge, the other a plain statement."""
    OTHER_PHRASE = 4
    """Both read a hedge, but different ones."""
    UNSURE = 5
    """The engines agree, or there is only one, but its probability is low."""


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A statement to be reviewed.

    finding, other: the engine's finding and the second opinion, None if missing
    """

    concern: Concern
    finding: Finding | None
    other: Finding | None

    @property
    def probability(self) -> float:
        """The engine's own probability, 1 if it gave none."""
        p = self.finding.probability if self.finding else None
        return 1.0 if p is None else p


def review_queue(
    findings: Iterable[Finding],
    other_findings: Iterable[Finding] = (),
    *,
    compared: Collection[str] | None = None,
) -> list[ReviewItem]:
    """The statements to be reviewed, by concern, then by rising probability; nobody has decided on them yet.

    Findings are compared by report, pathology and sentence.

    Args:
        compared: the reports on which there is a second opinion; None for all.
    """
    mine, others = _by_place(findings), _by_place(other_findings)
    items: list[ReviewItem] = []
    for place in mine.keys() | others.keys():
        here, there = mine.get(place, []), others.get(place, [])
        disputed = _compared(here, there) if compared is None or place[0] in compared else []
        listed = {id(i.finding) for i in disputed}
        items += disputed
        for f in here:
            if id(f) not in listed and f.phrase == UNREAD:
                items.append(ReviewItem(Concern.UNREAD, f, None))
            elif id(f) not in listed and f.probability is not None and f.probability < _SURE:
                items.append(ReviewItem(Concern.UNSURE, f, None))
    return sorted((i for i in items if i.finding is None or not i.finding.decided), key=_order)


def _by_place(findings: Iterable[Finding]) -> dict[tuple[str, str, int], list[Finding]]:
    places: defaultdict[tuple[str, str, int], list[Finding]] = defaultdict(list)
    for f in findings:
        places[f.report_id, f.pathology, f.start].append(f)
    return dict(places)


def _compared(here: list[Finding], there: list[Finding]) -> list[ReviewItem]:
    phrases_here, phrases_there = {f.phrase for f in here}, {f.phrase for f in there}
    # Plain statements first, so that present is paired with absent.
    mine = sorted((f for f in here if f.phrase not in phrases_there), key=_plain_first)
    others = sorted((f for f in there if f.phrase not in phrases_here), key=_plain_first)
    return [ReviewItem(_concern(f, other), f, other) for f, other in zip_longest(mine, others)]


def _plain_first(finding: Finding) -> tuple[bool, str]:
    return finding.phrase not in (PRESENT, ABSENT), finding.phrase


def _concern(finding: Finding | None, other: Finding | None) -> Concern:
    if any(f is not None and f.phrase == UNREAD for f in (finding, other)):
        return Concern.UNREAD
    if finding is None or other is None:
        return Concern.ONE_SIDED
    plain = {finding.phrase, other.phrase} & {PRESENT, ABSENT}
    return (Concern.OTHER_PHRASE, Concern.HEDGED, Concern.OPPOSITE)[len(plain)]


def _order(item: ReviewItem) -> tuple[int, float, str, int, str]:
    f = item.finding or item.other
    place = (f.report_id, f.start, f.pathology) if f else ("", 0, "")
    return (item.concern, item.probability, *place)


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
