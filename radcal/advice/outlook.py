"""What more findings would do for one group: how many more would bring advice, and when."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.advice import Case, advise, in_lexicon, told_by
from radcal.advice.ordered import OrderedSolver
from radcal.advice.records import Advice
from radcal.advice.stored_analysis import StoredAdvice
from radcal.calibration.enough import group_ahead
from radcal.calibration.group_results import GroupResults
from radcal.calibration.records import ALL_AUTHORS, Reliability, Spread, Tables
from radcal.calibration.sensitivity_records import GroupOutlook, NeededUses
from radcal.system.progress import SILENT, Progress, Unseen
from radcal.system.selection import Selection
from radcal.system.text import Text
from radcal.words.bins import bin_phrases
from radcal.words.confirmations import unadvised
from radcal.workspace.context import Context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

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
    spread: Spread | None = None,
) -> tuple[NeededUses, ...]:
    """For each word of a group that the advice withholds, the further uses until the ordered plan changes it.

    It is supposed that CT goes on confirming the word at its present rate r = y / n: after m further uses there are
    n + m of them, y + m r confirmed, and the other words stay as they are.  The first m at which the plan gives the
    word another one is the answer.  Words of fewer uses than ``settings.min_phrase_n`` need so many first, and have no
    rate to go by yet.  For another solver than the ordered plan,
    and where no other word is advised at all, only the least numbers are known.

    Args:
        tables: of the group, one group;  reliability, advice: of the same group.
        phrases: the lexicon.
        settings: guards of the plan and least numbers.
        spread: what is known of the department; None for nothing.

    Raises:
        InputError, DataError: as :func:`radcal.advice.advice.advise`.
    """
    names = tuple(p.name for p in phrases)
    bins = bin_phrases(phrases, settings.n_bins, settings.method)
    tables = in_lexicon(tables, names)
    evidence = told_by(tables, [reliability], settings)
    case = Case(reliability, phrases, bins, tables, evidence, 0, settings, progress=progress, spread=spread)
    silent = case.transported or tables.groups[0][1] in unadvised(settings)
    findings = max(0, int(np.ceil(settings.min_group_n - case.total)))
    solver = OrderedSolver(bins, case.guards, progress, case.truth)
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


class Outlook:
    """Looks ahead for one group; in a worker thread."""

    def __init__(self, context: Context, stored: StoredAdvice, groups: GroupResults) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups

    def of(self, selection: Selection, progress: Progress = SILENT) -> GroupOutlook:
        """What a group needs, judged by its statements in the selection's days.

        Raises:
            DataError: there is no analysis; NothingSaid without statements on the topic in the date range.
        """
        tables = self._groups.tables(selection, progress)
        reliability = self._groups.reliability(selection, progress)
        progress.raise_if_cancelled()
        settings, phrases = self._context.settings, self._stored.phrases
        spread, advice = self._stored.basis(selection.author).spread, None
        if not selection.days.are_limited:
            analysis = self._stored.required()
            every = (*analysis.advices, *analysis.pooled_advices)
            advice = next((a for a in every if (a.author, a.topic) == (selection.author, selection.topic)), None)
        if advice is None:
            (advice,) = advise(tables, [reliability], phrases, settings, progress, spread=spread)
        needed = uses_until_advice(tables, reliability, advice, phrases, settings, progress, spread)
        return group_ahead(reliability, needed, self._days(selection), settings)

    def of_all(self, progress: Progress = SILENT) -> tuple[GroupOutlook, ...]:
        """As :meth:`of`, of every author on every topic, for all days.

        Raises:
            DataError: there is no analysis.
        """
        groups = [Selection(r.author, r.topic) for r in self._stored.required().reliabilities]
        progress.start(len(groups), Text("Looking ahead"))
        made = []
        for group in groups:
            made.append(self.of(group, Unseen(progress)))
            progress.advance()
        return tuple(made)

    def _days(self, selection: Selection) -> tuple[date, date] | None:
        """The first and last day of the author's examinations behind the statements, None if they are not known."""
        analysis = self._stored.required()
        if selection.author == ALL_AUTHORS:
            first, last = analysis.provenance.first_exam, analysis.provenance.last_exam
        else:
            own = next((p for p in analysis.pairs if p.author == selection.author), None)
            first, last = (None, None) if own is None else (own.first_exam, own.last_exam)
        if first is None or last is None:
            return None
        days = selection.days
        begin = max(first.date(), days.first or date.min)
        end = min(last.date(), days.last or date.max)
        return (begin, end) if begin <= end else None
