"""Which reports people are asked to read: at random, or the worst first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from radcal.errors import DataError
from radcal.progress import Progress
from radcal.workflow.runs.review import SECOND_OPINION, to_findings

if TYPE_CHECKING:
    from radcal.workflow.department import Department
    from radcal.workspace import Workspace


def at_random(workspace: Workspace, candidates: Sequence[str], size: int, seed: int) -> list[str]:
    """Reports drawn in random order, from X-ray and CT in proportion to their numbers; the same from the same seed."""
    import numpy as np

    frame = workspace.reports(("report_id", "modality"), candidates)
    strata = [group["report_id"].tolist() for _, group in frame.groupby("modality", sort=True)]
    random = np.random.default_rng(seed)
    drawn: list[str] = []
    for ids, n in zip(strata, allotted([len(ids) for ids in strata], size), strict=True):
        drawn += [ids[i] for i in random.choice(len(ids), n, replace=False)]
    return [drawn[i] for i in random.permutation(len(drawn))]


def allotted(sizes: Sequence[int], total: int) -> list[int]:
    """How many to draw from strata of these sizes: in proportion, by the largest remainders, none beyond its size.

    Every stratum that has any gets at least one where ``total`` allows it.
    """
    population = sum(sizes)
    total = min(total, population)
    if total == 0:
        return [0] * len(sizes)
    shares = [size * total / population for size in sizes]
    given = [int(share) for share in shares]
    if total >= sum(size > 0 for size in sizes):
        given = [max(n, min(1, size)) for n, size in zip(given, sizes, strict=True)]
    by_remainder = sorted(range(len(sizes)), key=lambda i: (given[i] - shares[i], i))
    while sum(given) < total:
        i = next(i for i in by_remainder if given[i] < sizes[i])
        given[i] += 1
        by_remainder.remove(i)
        by_remainder.append(i)
    while sum(given) > total:
        given[max((i for i in range(len(given)) if given[i] > 1), key=lambda i: given[i] - shares[i])] -= 1
    return given


def worst_first(
    department: Department, workspace: Workspace, run: int, candidates: Sequence[str], progress: Progress
) -> list[str]:
    """All candidates: those on which engines disagree or are unsure, the worst first, then the others in their order.

    The findings of ``run`` are compared with those of the rules; those of the rules with what read most beside them.

    Raises:
        DataError: the run is of the rules, and no other engine has read any candidate.
        Cancelled: by ``progress``.
    """
    from radcal.extract.by_llama.review import review_queue

    if workspace.run_of(run)[0] != SECOND_OPINION:
        mine, second = department.runs.two_opinions(progress)
    else:
        others = [(len(workspace.read_by(r, candidates)), r) for r in workspace.other_runs(run)]
        n, other = max(others, default=(0, 0))
        if not n:
            raise DataError(
                "The rules know no probability, and no other engine has read these reports to disagree with them. "
                "Let the Llama engine read them, or draw at random."
            )
        read = workspace.read_by(other, candidates)
        both = [i for i in candidates if i in read]
        mine, second = (to_findings(workspace.findings(r, both)) for r in (run, other))
    queue = review_queue(mine, second, department.settings.review_below)
    concerning = dict.fromkeys(f.report_id for item in queue if (f := item.finding or item.other))
    wanted = set(candidates)
    return list(dict.fromkeys([*(i for i in concerning if i in wanted), *candidates]))
