"""Partial pooling of the rates of all groups: over an author's topics, and over the authors on a topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibrate.pooling import FEWEST_AUTHORS, pool_rates
from radcal.calibrate.reference import references
from radcal.progress import SILENT
from radcal.records import PooledRate, pool_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.progress import Progress
    from radcal.records import Pooling, Reliability, Tables
    from radcal.settings import Settings

    Array = NDArray[np.float64]


def partially_pooled(
    reliabilities: Sequence[Reliability],
    tables: Tables,
    settings: Settings,
    over: Pooling,
    progress: Progress = SILENT,
) -> tuple[Reliability, ...]:
    """The reliabilities with their phrases' rates seen together with those of other groups, in ``pooled_rates``.

    For a phrase, the true rates of the groups that belong together are taken to come from one Beta distribution
    (:func:`radcal.calibrate.pooling.pool_rates`).  Those are the topics of an author ("topics"), or the authors on a
    topic ("authors"); "both" gives each of the two.  A phrase that no other group said has no such rate.  Rates are
    corrected for errors of the CT that the settings state; errors of reading are not carried on into them.

    Args:
        reliabilities: of some groups of the tables; those of pooled groups are returned as they are.
        tables: of all groups to be seen together, those of the reliabilities among them.
        settings: coverage of the intervals, errors of the CT.
        over: what is seen together; nothing for "none".
        progress: advances by phrases of groups that belong together.

    Raises:
        Cancelled: by ``progress``.
    """
    n = tables.counts.sum(axis=2)
    made, own = references(tables, settings)
    confirmed = tables.counts @ tables.positive
    y = np.stack([made[r].corrected(row, said) for r, row, said in zip(own, confirmed, n, strict=True)])
    wanted = {(r.author, r.topic): q for q, r in enumerate(reliabilities) if pool_of(r.author, r.topic) is None}
    found: dict[int, list[PooledRate]] = {q: [] for q in wanted.values()}
    sets = [*_together(tables, over, wanted)]
    progress.start(len(sets), "Seeing rates together")
    for lender, groups in sets:
        progress.raise_if_cancelled()
        for k in np.flatnonzero((n[groups] > 0).sum(axis=0) >= FEWEST_AUTHORS).tolist():
            said = [g for g in groups if n[g, k] > 0]
            asked = [(i, wanted[group]) for i, g in enumerate(said) if (group := tables.groups[g]) in wanted]
            if asked:
                pooled = pool_rates(y[said, k], n[said, k], settings.confidence)
                for i, q in asked:
                    rate, low, high = float(pooled.value[i]), float(pooled.low[i]), float(pooled.high[i])
                    found[q].append(PooledRate(tables.phrases[k], lender, len(said), rate, low, high))
        progress.advance(1)
    return tuple(replace(r, pooled_rates=tuple(found.get(q, ()))) for q, r in enumerate(reliabilities))


def _together(tables: Tables, over: Pooling, wanted: dict[tuple[str, str], int]) -> Iterator[tuple[Pooling, list[int]]]:
    """The places of the groups that are seen together, where one of them is wanted."""
    kinds: tuple[tuple[Pooling, int], ...] = (("topics", 0), ("authors", 1))
    for lender, by in kinds:
        if over not in (lender, "both"):
            continue
        sets: dict[str, list[int]] = {}
        for g, group in enumerate(tables.groups):
            sets.setdefault(group[by], []).append(g)
        asked = {group[by] for group in wanted}
        for name, groups in sets.items():
            if name in asked and len(groups) > 1:
                yield lender, groups
