"""How often a word must still be said until there can be advice on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.advice import Case, rows_of
from radcal.advice.borrowing import told_to
from radcal.advice.ordered import OrderedSolver
from radcal.reliability.sensitivity_records import NeededUses
from radcal.system.progress import SILENT
from radcal.words.bins import bin_phrases
from radcal.words.confirmations import unadvised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.advice.records import Advice
    from radcal.reliability.records import Reliability, Tables
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]

MOST = 1000
"""Further uses beyond which nobody waits."""
_AT_ONCE = 24
"""Numbers of further uses that are tried in one go."""


def uses_until_advice(
    tables: Tables,
    reliability: Reliability,
    advice: Advice,
    phrases: Sequence[Phrase],
    settings: Settings,
    progress: Progress = SILENT,
    lending: Tables | None = None,
) -> tuple[NeededUses, ...]:
    """For each word of a group that the advice withholds, the further uses until the ordered plan changes it.

    It is supposed that CT goes on confirming the word at its present rate r = y / n: after m further uses there are
    n + m of them, y + m r confirmed, and the other words stay as they are.  The first m at which the plan gives the
    word another one is the answer.  Words of fewer uses than ``settings.min_phrase_n`` need so many first, and have no
    rate to go by yet.  Errors of reading that are carried on are not, here.  For another solver than the ordered plan,
    and where no other word is advised at all, only the least numbers are known.

    Args:
        tables: of the group, one group;  reliability, advice: of the same group.
        phrases: the lexicon.
        settings: guards of the plan and least numbers.
        lending: the groups that rates may borrow strength from, as in :func:`radcal.advice.advice.advise`.

    Raises:
        InputError, DataError: as :func:`radcal.advice.advice.advise`.
        Cancelled: by ``progress``.
    """
    names = tuple(p.name for p in phrases)
    bins = bin_phrases(phrases, settings.n_bins, settings.method)
    counts = np.zeros((len(names), len(tables.references)))
    counts[rows_of(tables, names)] = tables.counts[0]
    others = tables if lending is None else lending
    told = told_to(tables.groups[0], counts.sum(axis=1) > 0, others, names, bins.mean, settings)
    case = Case(reliability, phrases, bins, counts, tables.positive, settings, progress=progress, told=told)
    silent = case.transported or tables.groups[0][1] in unadvised(settings)
    findings = max(0, int(np.ceil(settings.min_group_n - case.total)))
    solver = OrderedSolver(bins, replace(case.guards, carried=None), progress, case.told)
    made = []
    for withheld in advice.withheld:
        progress.raise_if_cancelled()
        k = names.index(withheld.phrase)
        n = float(case.n[k])
        least = max(0, int(np.ceil(settings.min_phrase_n - n)))
        more, target = None, ""
        if not silent and not least:
            more, w = _first(solver, case.n, case.y, k)
            target = "" if w is None else names[w]
        made.append(NeededUses(withheld.phrase, n, least, more, findings, target, withheld.reason))
    return tuple(made)


def _first(solver: OrderedSolver, n: Array, y: Array, k: int) -> tuple[int | None, int | None]:
    """The least number of further uses at which the plan changes word k, and to which word."""
    tried = np.unique(np.concatenate([[0], np.rint(np.geomspace(1, MOST, _AT_ONCE))]).astype(np.intp))
    while True:
        to = _said_as(solver, n, y, k, tried)
        changed = np.flatnonzero(to != k)
        if not len(changed):
            return None, None
        first = int(changed[0])
        if first == 0 or tried[first] == tried[first - 1] + 1:
            return int(tried[first]), int(to[first])
        tried = np.unique(np.linspace(tried[first - 1], tried[first], _AT_ONCE).astype(np.intp))


def _said_as(solver: OrderedSolver, n: Array, y: Array, k: int, more: Index) -> Index:
    """(B,) what the plan makes of word k after each of B numbers of further uses."""
    later_n, later_y = np.tile(n, (len(more), 1)), np.tile(y, (len(more), 1))
    later_n[:, k] += more
    later_y[:, k] += more * y[k] / n[k]
    to: Index = solver.plans(later_n, later_y)[:, k].argmax(axis=1)
    return to
