"""Differences between two runs over the same reports: findings added, removed, or read as another phrase."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import zip_longest
from typing import TYPE_CHECKING

from radcal.findings.run_records import Change, Difference, RunComparison
from radcal.system.progress import SILENT, Progress

if TYPE_CHECKING:
    import pandas as pd

_CHECK_EVERY = 5000
_Place = tuple[str, int, str]
"""Report, start of the sentence, pathology."""


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

    Phrases that only one run has at a place are paired, in alphabetical order, as changes of each other; the
    remaining ones were added or removed.

    Args:
        findings_before, findings_after: columns report_id, pathology, phrase, sentence, section, start.
    """
    sentences: dict[_Place, tuple[str, str]] = {}
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
        report_id, start, pathology = place
        for was, now in zip_longest(left, right, fillvalue=""):
            change = Change.CHANGED if was and now else Change.ADDED if now else Change.REMOVED
            found.append(Difference(change, report_id, pathology, was, now, *sentences[place], start))
    n_of = Counter(d.change for d in found)
    return RunComparison(
        before, after, n_reports, same, n_of[Change.ADDED], n_of[Change.REMOVED], n_of[Change.CHANGED], tuple(found)
    )


def _by_place(
    findings: pd.DataFrame, sentences: dict[_Place, tuple[str, str]], progress: Progress
) -> dict[_Place, Counter[str]]:
    """Counts of the phrases at each place; adds the sentences of new places, with their section, to ``sentences``."""
    places: defaultdict[_Place, Counter[str]] = defaultdict(Counter)
    columns = ["report_id", "start", "pathology", "phrase", "sentence", "section"]
    for n, (report_id, start, pathology, phrase, *sentence) in enumerate(
        findings[columns].itertuples(index=False, name=None)
    ):
        if n % _CHECK_EVERY == 0:
            progress.raise_if_cancelled()
        place = (report_id, start, pathology)
        places[place][phrase] += 1
        sentences.setdefault(place, (sentence[0], sentence[1]))
    return dict(places)
