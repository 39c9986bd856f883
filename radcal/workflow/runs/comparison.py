"""What changed between two runs over the same reports: findings added, removed, and read as another phrase."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from radcal.progress import SILENT, Progress

if TYPE_CHECKING:
    import pandas as pd

_CHECK_EVERY = 5000
_Place = tuple[str, int, str]
"""Report, begin of the sentence, pathology."""


class Change(StrEnum):
    """How a finding differs between two runs."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """A finding that two runs do not share; ``before`` or ``after`` is '' where a run has none."""

    change: Change
    report_id: str
    pathology: str
    before: str
    after: str
    sentence: str


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The differences of two runs, report by report.

    n_reports: paired reports that both have read, on which alone they are compared;  n_same: findings they share
    """

    before: int
    after: int
    n_reports: int
    n_same: int
    n_added: int
    n_removed: int
    n_changed: int
    differences: tuple[Difference, ...]


def compare_findings(
    before: int,
    after: int,
    n_reports: int,
    findings_before: pd.DataFrame,
    findings_after: pd.DataFrame,
    *,
    progress: Progress = SILENT,
) -> RunComparison:
    """Compare the findings of the same reports: by report, sentence and pathology, then by phrase.

    Of the phrases that only one run has at a place, as many as possible are taken as changes of each other, in
    the order of the words; the others were added or removed.

    Args:
        findings_before, findings_after: columns report_id, pathology, phrase, sentence, start.
    """
    sentences: dict[_Place, str] = {}
    ones, others = _by_place(findings_before, sentences, progress), _by_place(findings_after, sentences, progress)
    order: dict[str, int] = {}
    for report_id, _, _ in sentences:
        order.setdefault(report_id, len(order))
    same = 0
    found: list[Difference] = []
    nothing: Counter[str] = Counter()
    for n, place in enumerate(sorted(sentences, key=lambda p: (order[p[0]], p[1], p[2]))):
        if n % _CHECK_EVERY == 0:
            progress.raise_if_cancelled()
        one, other = ones.get(place, nothing), others.get(place, nothing)
        shared = one & other
        same += shared.total()
        left, right = sorted((one - shared).elements()), sorted((other - shared).elements())
        report_id, _, pathology = place
        for i in range(max(len(left), len(right))):
            was, now = left[i] if i < len(left) else "", right[i] if i < len(right) else ""
            change = Change.CHANGED if was and now else Change.ADDED if now else Change.REMOVED
            found.append(Difference(change, report_id, pathology, was, now, sentences[place]))
    of = Counter(d.change for d in found)
    counts = (of[Change.ADDED], of[Change.REMOVED], of[Change.CHANGED])
    return RunComparison(before, after, n_reports, same, *counts, tuple(found))


def _by_place(findings: pd.DataFrame, sentences: dict[_Place, str], progress: Progress) -> dict[_Place, Counter[str]]:
    """How often which phrase stands at each place; notes the places' sentences."""
    places: defaultdict[_Place, Counter[str]] = defaultdict(Counter)
    rows = findings[["report_id", "start", "pathology", "phrase", "sentence"]].itertuples(index=False, name=None)
    for n, (report_id, start, pathology, phrase, sentence) in enumerate(rows):
        if n % _CHECK_EVERY == 0:
            progress.raise_if_cancelled()
        place = (report_id, start, pathology)
        places[place][phrase] += 1
        sentences.setdefault(place, sentence)
    return dict(places)
