"""Advice looked into: one author and topic under other settings, along a frontier, or with another use of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from radcal.errors import InputError, NothingSaid
from radcal.progress import SILENT, Progress
from radcal.records import ALL_DAYS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from radcal.advise.explore import Explorer
    from radcal.records import Advice, Days, Frontier, HeldOut, Phrase, Reliability, Tables, WhatIf
    from radcal.settings import Settings
    from radcal.workflow.department import Department
    from radcal.workspace import Workspace

    Array = NDArray[np.float64]

AT_ONCE = 100
"""Bootstrap resamples behind the intervals of an answer that is wanted at once."""
EXPLORED = ("solver", "information_price", "tau2", "max_steps", "min_phrase_n")
"""The settings that can be tried out without changing the department's."""
_REMEMBERED = 4
Overrides = Mapping[str, Any]
"""Names of ``EXPLORED`` with the values to try."""


@dataclass(frozen=True, slots=True, eq=False)
class AdviceView:
    """The advice for one author and topic, with the reliability before it and after it is followed.

    settings: those it was made with
    checked: False where it was sketched: every stability is NaN then, ``held_out`` None, and a recommendation may
        still be withheld when it is tried on unseen halves and in bootstrap fits
    before, after: the same statements as they were worded, and worded as the sentences tell; the same record where
        nothing is recommended
    told, fitted: (K, K) plans over ``phrases``, rows add to 1: what the sentences tell, and what the solver found
        (None where no plan was fitted)
    """

    author: str
    topic: str
    days: Days
    settings: Settings
    checked: bool
    phrases: tuple[Phrase, ...]
    advice: Advice
    before: Reliability
    after: Reliability
    told: Array
    fitted: Array | None
    held_out: HeldOut | None


@dataclass(frozen=True, slots=True, eq=False)
class WhatIfView:
    """Another use of words and the reliability that it would have had; plan: (K, K) over ``phrases``, rows add to 1."""

    author: str
    topic: str
    phrases: tuple[Phrase, ...]
    result: WhatIf
    plan: Array
    before: Reliability
    after: Reliability


@dataclass(frozen=True, slots=True)
class _Asked:
    """Whose statements, on what, on which days, of which analysis, under which words and settings."""

    author: str
    topic: str
    days: Days
    analysis: str | None
    phrases: tuple[Phrase, ...]
    settings: Settings


@dataclass(frozen=True, slots=True, eq=False)
class _Chosen:
    """The statements that were asked for, ready for questions."""

    asked: _Asked
    tables: Tables
    before: Reliability
    explorer: Explorer


class Advising:
    """Questions about advice, all of them for a worker; :meth:`explore` unchecked keeps up with a slider."""

    def __init__(self, department: Department, workspace: Workspace) -> None:
        self._department = department
        self._workspace = workspace
        self._remembered: list[_Chosen] = []

    def explore(
        self,
        author: str,
        topic: str,
        days: Days = ALL_DAYS,
        overrides: Overrides | None = None,
        progress: Progress = SILENT,
        *,
        check: bool = False,
    ) -> AdviceView:
        """The advice as it would be with other settings, or from some days only.

        Args:
            author, topic: whose advice, on what.
            days: of the X-rays.
            overrides: values of EXPLORED to try; the others are the department's.
            progress: asked whether to stop.
            check: try the advice on unseen halves and in bootstrap fits, as the analysis does; without it the
                answer is there in some milliseconds, and ``checked`` is False.

        Raises:
            DataError: there is no analysis; NothingSaid where the author said nothing on the topic in these days.
            InputError: a setting that cannot be tried, or out of its bounds.
            EngineError: the published solver found no plan.
            Cancelled: the user asked to stop.
        """
        chosen = self._chosen(author, topic, days)
        settings = self._settings(overrides)
        draws = settings.bootstrap if check else min(AT_ONCE, settings.bootstrap)
        derived = chosen.explorer.advice(settings, progress) if check else chosen.explorer.sketch(settings)
        progress.raise_if_cancelled()
        after = chosen.before
        if derived.advice.recommendations:
            after = _reworded(chosen, derived.told, settings.changed(bootstrap=draws))
        return AdviceView(
            author=author,
            topic=topic,
            days=days,
            settings=settings,
            checked=check,
            phrases=chosen.asked.phrases,
            advice=derived.advice,
            before=chosen.before,
            after=after,
            told=derived.told,
            fitted=derived.fitted,
            held_out=derived.held_out,
        )

    def frontier(
        self,
        author: str,
        topic: str,
        days: Days = ALL_DAYS,
        overrides: Overrides | None = None,
        progress: Progress = SILENT,
    ) -> Frontier | None:
        """Held-out calibration error against information kept, along the price of information.

        None where there are too few statements for advice.

        Raises:
            DataError, InputError, EngineError, Cancelled: as :meth:`explore`.
        """
        return self._chosen(author, topic, days).explorer.frontier(self._settings(overrides), progress)

    def what_if(
        self,
        author: str,
        topic: str,
        changes: Mapping[str, Mapping[str, float]],
        days: Days = ALL_DAYS,
        progress: Progress = SILENT,
    ) -> WhatIfView:
        """What another use of words would have come to on the same statements.

        Args:
            changes: phrase, then the words to say instead with their shares of the cases, 0-1.

        Raises:
            DataError: there is no analysis; NothingSaid where the author said nothing on the topic in these days.
            InputError: a word is not in the lexicon, or shares do not add up.
        """
        chosen = self._chosen(author, topic, days)
        settings = self._settings(None)
        progress.raise_if_cancelled()
        plan = chosen.explorer.plan(changes)
        result = chosen.explorer.what_if(settings, changes)
        draws = min(AT_ONCE, settings.bootstrap)
        after = _reworded(chosen, plan, settings.changed(bootstrap=draws))
        return WhatIfView(author, topic, chosen.asked.phrases, result, plan, chosen.before, after)

    def _settings(self, overrides: Overrides | None) -> Settings:
        if unknown := sorted(set(overrides or {}) - set(EXPLORED)):
            raise InputError(
                "The setting {unknown!r} cannot be tried out. Known: {explored}.",
                unknown=unknown[0],
                explored=", ".join(EXPLORED),
            )
        return self._department.settings.changed(**(overrides or {}))

    def _chosen(self, author: str, topic: str, days: Days) -> _Chosen:
        """The statements; those asked about lately are at hand."""
        department = self._department
        asked = _Asked(author, topic, days, department.analysis_key, department.phrases(), department.settings)
        found = next((c for c in self._remembered if c.asked == asked), None) or self._found(asked)
        # The latest first; those of another analysis are of no use any more.
        others = [c for c in self._remembered if c is not found and c.asked.analysis == asked.analysis]
        self._remembered = [found, *others][:_REMEMBERED]
        return found

    def _found(self, asked: _Asked) -> _Chosen:
        from radcal.advise import Explorer
        from radcal.calibrate import build_tables

        statements = self._department.explore.statements(asked)
        if statements.empty:
            raise NothingSaid(
                "{author} said nothing about {topic} in these days. Choose other days.",
                author=asked.author,
                topic=asked.topic,
            )
        tables = build_tables(statements, asked.phrases)
        tables = with_outcomes(tables, self._department.explore.outcomes())
        before: Reliability | None = None
        if not asked.days.are_limited and (analysis := self._department.analysis()) is not None:
            group = (asked.author, asked.topic)
            before = next((r for r in analysis.reliabilities if (r.author, r.topic) == group), None)
        if before is None:
            before = self._department.explore.reliability(asked)
        return _Chosen(asked, tables, before, Explorer(tables, before, asked.phrases))


def with_outcomes(tables: Tables, outcomes: Array) -> Tables:
    """The tables with a reference for each of the outcomes, as in tables of everybody: redraws are then the same."""
    import numpy as np

    from radcal.calibrate.tables import MOST_OUTCOMES

    place = np.searchsorted(outcomes, tables.positive)
    if len(outcomes) > MOST_OUTCOMES or not np.isin(tables.positive, outcomes).all():
        return tables
    counts = np.zeros((*tables.counts.shape[:2], len(outcomes)))
    counts[:, :, place] = tables.counts
    return replace(tables, references=tuple(f"{p:.12g}" for p in outcomes), counts=counts, positive=outcomes)


def _reworded(chosen: _Chosen, plan: Array, settings: Settings) -> Reliability:
    """The reliability of the statements had they been worded as the plan says; cells are split by its shares."""
    from radcal.calibrate import measure

    explorer = chosen.explorer
    counts = (plan.T @ explorer.counts)[None]
    tables = replace(chosen.tables, phrases=explorer.names, counts=counts)
    (after,) = measure(tables, chosen.asked.phrases, settings, threads=1)
    return after
