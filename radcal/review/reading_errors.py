"""The confusion of an engine on a gold set, for the statistics to carry on: what was written against what was read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from radcal.findings.records import Finding
from radcal.review.evaluation import assertion
from radcal.review.records import NEAR, NOT_MENTIONED, STATED, Gold, Misread


def misread(
    gold: Gold,
    found: Iterable[Finding],
    reports: Collection[str],
    pathologies: Sequence[str],
    means: Mapping[str, float],
    decide: Callable[[Iterable[Finding]], Sequence[Finding]],
) -> Misread:
    """What was written against what was read in some reports of a gold set.

    A unit is a report and one of the pathologies, mentioned or not, that readers agreed on.  What is read in a phrase
    of no list never enters the statistics: it counts as not mentioned.

    Args:
        gold: what people say.
        found: the engine's findings.
        reports: those to count, which both have read.
        pathologies: the closed list.
        means: E[S|k] of the phrases of the lexicon.
        decide: picks the statement that stands for a report where it says several things of a pathology.
    """
    ids = set(reports)
    written, read = (
        {(f.report_id, f.pathology): f.phrase for f in decide(f for f in statements if f.report_id in ids)}
        for statements in (gold.statements, found)
    )
    place = {name: i for i, name in enumerate(STATED)}
    table = np.zeros((len(STATED), len(STATED)), dtype=int)
    hedged = [0, 0, 0]
    for unit in ((report, pathology) for report in sorted(ids) for pathology in pathologies):
        if unit in gold.left_out:
            continue
        one, other = written.get(unit), read.get(unit)
        row = NOT_MENTIONED if one is None else assertion(one)
        column = NOT_MENTIONED if other is None or other not in means else assertion(other)
        table[place[row], place[column]] += 1
        if one is not None and other is not None and row == column and 0 < means.get(other, 0.0) < 1:
            near = one in means and abs(means[one] - means[other]) <= NEAR
            hedged[0 if one == other else 1 if near else 2] += 1
    counts = tuple(tuple(int(n) for n in row) for row in table)
    return Misread(len(ids), counts, (hedged[0], hedged[1], hedged[2]))
