"""What-if advice: under other settings, for a date range, along a frontier, or with other wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from radcal.errors import InputError, NothingSaid
from radcal.progress import SILENT, Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from radcal.advise.explore import Explorer
    from radcal.records import Advice, Frontier, HeldOut, Phrase, Reliability, Selection, WhatIf
    from radcal.settings import Settings
    from radcal.workflow.context import Context
    from radcal.workflow.results.analysis import StoredAnalysis
    from radcal.workflow.results.group_results import GroupResults

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
    before, after: the same statements as they were worded, and as the advice words them; the same record where
        nothing is recommended
    advised, fitted: (K, K) plans over ``phrases``, rows add to 1: what the sentences advise, and what the solver found
        (None where no plan was fitted)
    """

    selection: Selection
    settings: Settings
    checked: bool
    phrases: tuple[Phrase, ...]
    advice: Advice
    before: Reliability
    after: Reliability
    advised: Array
    fitted: Array | None
    held_out: HeldOut | None


@dataclass(frozen=True, slots=True, eq=False)
class WhatIfView:
    """Other wording and the resulting reliability; plan: (K, K) over ``phrases``, rows sum to 1."""

    selection: Selection
    phrases: tuple[Phrase, ...]
    result: WhatIf
    plan: Array
    before: Reliability
    after: Reliability


@dataclass(frozen=True, slots=True)
class _Key:
    """The selection, its analysis, words and settings."""

    selection: Selection
    analysis: str | None
    phrases: tuple[Phrase, ...]
    settings: Settings


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """The statements of a selection, prepared for queries."""

    key: _Key
    before: Reliability
    explorer: Explorer

    def after(self, plan: Array, settings: Settings) -> Reliability:
        """The reliability of the statements had they been worded as the plan says."""
        from radcal.calibrate import measure

        (after,) = measure(self.explorer.reworded(plan), self.key.phrases, settings, threads=1)
        return after


class Alternatives:
    """What-if queries on advice, all for a worker; :meth:`advice` unchecked keeps up with a slider."""

    def __init__(self, context: Context, stored: StoredAnalysis, groups: GroupResults) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups
        self._remembered: list[_Case] = []

    def advice(
        self,
        selection: Selection,
        overrides: Overrides | None = None,
        progress: Progress = SILENT,
        *,
        check: bool = False,
    ) -> AdviceView:
        """The advice under other settings, or for a date range only.

        Args:
            selection: whose statements, on what, in which days.
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
        case = self._case(selection)
        settings = self._settings(overrides)
        draws = settings.bootstrap if check else min(AT_ONCE, settings.bootstrap)
        derived = case.explorer.advice(settings, progress, checked=check)
        progress.raise_if_cancelled()
        after = case.before
        if derived.advice.recommendations:
            after = case.after(derived.advised, settings.changed(bootstrap=draws))
        return AdviceView(
            selection=selection,
            settings=settings,
            checked=check,
            phrases=case.key.phrases,
            advice=derived.advice,
            before=case.before,
            after=after,
            advised=derived.advised,
            fitted=derived.fitted,
            held_out=derived.held_out,
        )

    def frontier(
        self,
        selection: Selection,
        overrides: Overrides | None = None,
        progress: Progress = SILENT,
    ) -> Frontier | None:
        """Held-out calibration error against information kept, along the price of information.

        None where there are too few statements for advice.

        Raises:
            DataError, InputError, EngineError, Cancelled: as :meth:`advice`.
        """
        return self._case(selection).explorer.frontier(self._settings(overrides), progress)

    def what_if(
        self,
        selection: Selection,
        changes: Mapping[str, Mapping[str, float]],
        progress: Progress = SILENT,
    ) -> WhatIfView:
        """The same statements with other wording.

        Args:
            changes: phrase, then the words to say instead with their shares of the cases, 0-1.

        Raises:
            DataError: there is no analysis; NothingSaid where the author said nothing on the topic in these days.
            InputError: a word is not in the lexicon, or shares do not add up.
        """
        case = self._case(selection)
        settings = self._settings(None)
        progress.raise_if_cancelled()
        plan = case.explorer.plan(changes)
        result = case.explorer.what_if(settings, changes)
        after = case.after(plan, settings.changed(bootstrap=min(AT_ONCE, settings.bootstrap)))
        return WhatIfView(selection, case.key.phrases, result, plan, case.before, after)

    def _settings(self, overrides: Overrides | None) -> Settings:
        if unknown := sorted(set(overrides or {}) - set(EXPLORED)):
            raise InputError(
                "The setting {unknown!r} cannot be tried out. Known: {explored}.",
                unknown=unknown[0],
                explored=", ".join(EXPLORED),
            )
        return self._context.settings.changed(**(overrides or {}))

    def _case(self, selection: Selection) -> _Case:
        """The statements of a selection; the latest few are cached."""
        context = self._context
        key = _Key(selection, context.analysis_key, self._stored.phrases, context.settings)
        case = next((c for c in self._remembered if c.key == key), None) or self._made(key)
        # The latest first; those of another analysis are of no use any more.
        others = [c for c in self._remembered if c is not case and c.key.analysis == key.analysis]
        self._remembered = [case, *others][:_REMEMBERED]
        return case

    def _made(self, key: _Key) -> _Case:
        from radcal.advise import Explorer
        from radcal.calibrate import build_tables
        from radcal.calibrate.tables import with_outcomes

        statements = self._groups.statements(key.selection)
        if statements.empty:
            author, topic = key.selection.author, key.selection.topic
            raise NothingSaid(
                "{author} said nothing about {topic} in these days. Choose other days.",
                author=author,
                topic=topic,
            )
        tables = with_outcomes(build_tables(statements, key.phrases), self._groups.outcomes())
        before = self._groups.reliability(key.selection)
        return _Case(key, before, Explorer(tables, before, key.phrases))
