"""What more findings would do for one group: advice, and changes that could be seen."""

from __future__ import annotations

from datetime import date

from radcal.advice.records import Advice
from radcal.advice.stored_analysis import StoredAdvice
from radcal.reliability.group_results import GroupResults
from radcal.reliability.records import ALL_AUTHORS, Reliability, Tables
from radcal.reliability.sensitivity_records import GroupOutlook
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import Selection
from radcal.system.text import Text
from radcal.workspace.context import Context

FURTHER = 40
"""Further findings that are looked ahead to unless others are asked for."""


class Outlook:
    """Looks ahead for one group; in a worker thread."""

    def __init__(self, context: Context, stored: StoredAdvice, groups: GroupResults) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups

    def of(self, selection: Selection, more: int = FURTHER, progress: Progress = SILENT) -> GroupOutlook:
        """What ``more`` further findings would do for a group, judged by its statements in the selection's days.

        Raises:
            DataError: there is no analysis; NothingSaid without statements on the topic in the date range.
            Cancelled: by ``progress``.
        """
        tables = self._groups.tables(selection, progress)
        reliability = self._groups.reliability(selection, progress)
        progress.raise_if_cancelled()
        advice = None
        if not selection.days.are_limited:
            analysis = self._stored.required()
            every = (*analysis.advices, *analysis.pooled_advices)
            advice = next((a for a in every if (a.author, a.topic) == (selection.author, selection.topic)), None)
        return self._ahead(selection, tables, reliability, advice, more, progress)

    def of_all(self, more: int = FURTHER, progress: Progress = SILENT) -> tuple[GroupOutlook, ...]:
        """As :meth:`of`, of every author on every topic, for all days.

        Raises:
            DataError: there is no analysis.
            Cancelled: by ``progress``.
        """
        analysis = self._stored.required()
        advices = {(a.author, a.topic): a for a in analysis.advices}
        progress.start(len(analysis.reliabilities), Text("Looking ahead"))
        made = []
        for r in analysis.reliabilities:
            progress.raise_if_cancelled()
            selection = Selection(r.author, r.topic)
            tables = self._groups.tables(selection)
            made.append(self._ahead(selection, tables, r, advices.get((r.author, r.topic)), more, progress))
            progress.advance()
        return tuple(made)

    def _ahead(
        self,
        selection: Selection,
        tables: Tables,
        reliability: Reliability,
        advice: Advice | None,
        more: int,
        progress: Progress,
    ) -> GroupOutlook:
        from radcal.advice.advice import advise
        from radcal.advice.needed_uses import uses_until_advice
        from radcal.reliability.power import group_ahead

        settings, phrases = self._context.settings, self._stored.phrases
        lending = self._groups.together(selection.author, {selection.topic}, selection.days, settings.pooling, progress)
        if advice is None:
            (advice,) = advise(tables, [reliability], phrases, settings, progress, lending=lending)
        needed = uses_until_advice(tables, reliability, advice, phrases, settings, progress, lending)
        return group_ahead(reliability, needed, more, self._days(selection), settings)

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
