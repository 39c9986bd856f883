"""Partial pooling of the rates of all groups: over an author's topics, and over the authors on a topic."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.pooling import FEWEST_AUTHORS, pool_rates
from radcal.reliability.records import IN_COMMON, PooledRate, pool_of
from radcal.reliability.reference import corrected_counts, references
from radcal.system.progress import SILENT
from radcal.system.text import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.reliability.records import Lender, Pooling, Reliability, Tables
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings

    Array = NDArray[np.float64]


def partially_pooled(
    reliabilities: Sequence[Reliability],
    tables: Tables,
    settings: Settings,
    over: Pooling,
    progress: Progress = SILENT,
) -> tuple[Reliability, ...]:
    """The reliabilities with their phrases' rates pooled with those of other groups, in ``pooled_rates``.

    The groups that belong together (:func:`pool_phrases`) are the topics of an author ("topics"), or the authors on a
    topic ("authors"); "both" gives each of the two.  Rates are corrected for errors of the CT that the settings state;
    errors of reading are not carried on into them.

    Args:
        reliabilities: of some groups of the tables; those of pooled groups are returned as they are.
        tables: of all groups to be pooled, those of the reliabilities among them.
        settings: coverage of the intervals, errors of the CT.
        over: what is pooled; nothing for "none".
        progress: advances by phrases of groups that belong together.

    Raises:
        Cancelled: by ``progress``.
    """
    n = tables.counts.sum(axis=2)
    y = corrected_counts(tables, *references(tables, settings))
    wanted = {(r.author, r.topic): q for q, r in enumerate(reliabilities) if pool_of(r.author, r.topic) is None}
    found: dict[int, list[PooledRate]] = {q: [] for q in wanted.values()}
    sets = [*_together(tables, over, wanted)]
    progress.start(len(sets), Text("Pooling rates"))
    for lender, groups in sets:
        progress.raise_if_cancelled()
        asked = {i: wanted[group] for i, g in enumerate(groups) if (group := tables.groups[g]) in wanted}
        for i, rates in pool_phrases(tables.phrases, y[groups], n[groups], lender, settings.confidence, asked).items():
            found[asked[i]] += rates
        progress.advance(1)
    return tuple(replace(r, pooled_rates=tuple(found.get(q, ()))) for q, r in enumerate(reliabilities))


def pool_phrases(
    phrases: Sequence[str], y: Array, n: Array, over: Lender, confidence: float, asked: Collection[int]
) -> dict[int, list[PooledRate]]:
    """The rates of G groups, each pooled with those of the others that said the phrase.

    For a phrase, the groups' true rates are taken to come from one Beta distribution
    (:func:`radcal.reliability.pooling.pool_rates`).  A phrase that no other group said has no such rate.

    Args:
        phrases: K names.
        y, n: (G, K), confirmed, corrected for errors of the CT, and said.
        over: what the groups are to each other.
        confidence: coverage of the intervals, in 0-1.
        asked: the groups whose rates are wanted, 0 to G - 1.

    Returns:
        By the groups asked for, in the order of the phrases.
    """
    found: dict[int, list[PooledRate]] = {g: [] for g in asked}
    for k in np.flatnonzero((n > 0).sum(axis=0) >= FEWEST_AUTHORS).tolist():
        said = np.flatnonzero(n[:, k] > 0)
        wanted = [(i, g) for i, g in enumerate(said.tolist()) if g in found]
        if wanted:
            pooled = pool_rates(y[said, k], n[said, k], confidence)
            for i, g in wanted:
                ends = float(pooled.value[i]), float(pooled.low[i]), float(pooled.high[i])
                found[g].append(PooledRate(phrases[k], over, len(said), *ends))
    return found


def _together(tables: Tables, over: Pooling, wanted: dict[tuple[str, str], int]) -> Iterator[tuple[Lender, list[int]]]:
    """The places of the groups that are pooled, where one of them is wanted."""
    for lender, by in IN_COMMON.items():
        if over not in (lender, "both"):
            continue
        sets: dict[str, list[int]] = {}
        for g, group in enumerate(tables.groups):
            sets.setdefault(group[by], []).append(g)
        asked = {group[by] for group in wanted}
        for name, groups in sets.items():
            if name in asked and len(groups) > 1:
                yield lender, groups
