"""What-if analyses: advice under other settings or for a date range, and other wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from radcal.advice.author_results import AuthorResults
from radcal.advice.judged_records import JudgedGroup
from radcal.advice.judging import judge_author, judged_group
from radcal.advice.records import Advice, Baselines, WhatIf
from radcal.advice.stored_analysis import StoredAdvice
from radcal.advice.wording import advice_on_model
from radcal.calibration.group_results import GroupResults
from radcal.calibration.records import Reliability, pool_of
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import Selection
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.records import Phrase
from radcal.workspace.context import Context

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from radcal.advice.explore import Explorer

    Array = NDArray[np.float64]

AT_ONCE = 100
"""Most bootstrap resamples for the intervals of what would follow: an answer must keep up with a slider."""
EXPLORED = ("solver", "sure", "tau2", "max_steps", "min_phrase_n")
"""The settings that can be tried without changing the department's."""
_REMEMBERED = 4
Overrides = Mapping[str, Any]
"""Values to try, by names in ``EXPLORED``."""


@dataclass(frozen=True, slots=True, eq=False)
class AdviceView:
    """The advice for one author and topic, with the reliability before and after following it.

    settings: those used
    before, after: reliability as worded, and as reworded by the advice; the same record without recommendations
    plan: (K, K) over ``phrases``, rows add to 1
    judged: what is said of the words, with the advice of all pathologies where no setting is tried
    """

    selection: Selection
    settings: Settings
    phrases: tuple[Phrase, ...]
    advice: Advice
    before: Reliability
    after: Reliability
    plan: Array
    judged: JudgedGroup


@dataclass(frozen=True, slots=True, eq=False)
class WhatIfView:
    """Another wording and the resulting reliability; plan: (K, K) over ``phrases``, rows sum to 1."""

    selection: Selection
    phrases: tuple[Phrase, ...]
    result: WhatIf
    plan: Array
    before: Reliability
    after: Reliability


class Alternatives:
    """What-if queries on advice, for a worker thread; fast enough for a slider."""

    def __init__(self, context: Context, stored: StoredAdvice, groups: GroupResults, authors: AuthorResults) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups
        self._authors = authors
        self._prepared = lru_cache(_REMEMBERED)(self._prepare)

    def advice(
        self, selection: Selection, overrides: Overrides | None = None, progress: Progress = SILENT
    ) -> AdviceView:
        """The advice under other settings, or for a date range.

        Args:
            overrides: settings of EXPLORED to try; the others are the department's.

        Raises:
            DataError: there is no analysis; NothingSaid without statements on the topic in the date range.
            InputError: a setting that cannot be tried, or out of bounds.
            EngineError: the published solver found no plan.
        """
        explorer, settings = self._explorer(selection), self._settings(selection.author, overrides)
        case = explorer.case(settings)
        derived = case.derived()
        if self._stored.is_model(selection.author):
            derived = replace(derived, advice=advice_on_model(derived.advice))
        progress.raise_if_cancelled()
        after = explorer.reliability
        if derived.advice.recommendations:
            after = explorer.after(derived.plan, settings.changed(bootstrap=min(AT_ONCE, settings.bootstrap)))
        judged = self._judged(selection, explorer, derived.advice, settings.min_phrase_n, shared=not overrides)
        made = (explorer.phrases, derived.advice, explorer.reliability, after, derived.plan, judged)
        return AdviceView(selection, settings, *made)

    def _judged(
        self, selection: Selection, explorer: Explorer, advice: Advice, min_n: int, *, shared: bool
    ) -> JudgedGroup:
        """What is said of the words; ``shared`` with what is advised over all pathologies of the author."""
        author, topic, days = selection.author, selection.topic, selection.days
        of_model = self._stored.is_model(author)
        alone = judged_group(explorer.reliability, advice, explorer.phrases, min_n, of_model=of_model)
        if of_model or pool_of(author, topic) == "topic" or not (shared or topic == ALL_TOPICS):
            return alone
        own = self._authors.analysis(author, days)
        if topic == ALL_TOPICS:
            own = replace(own, pooled_advices=(advice,))
        else:
            own = replace(own, advices=tuple(advice if a.topic == topic else a for a in own.advices))
        group = judge_author(own, explorer.phrases, min_n).group(topic)
        return alone if group is None else group

    def baselines(
        self, selection: Selection, overrides: Overrides | None = None, progress: Progress = SILENT
    ) -> Baselines | None:
        """Words beside numbers on held-out halves; None with too few findings.  The rest is as of ``advice``."""
        explorer, settings = self._explorer(selection), self._settings(selection.author, overrides)
        progress.raise_if_cancelled()
        return explorer.case(settings).baselines()

    def what_if(
        self, selection: Selection, changes: Mapping[str, Mapping[str, float]], progress: Progress = SILENT
    ) -> WhatIfView:
        """The result of other wording of the same statements.

        Args:
            changes: by phrase, its replacements with their shares of the cases, 0-1.

        Raises:
            DataError: there is no analysis; NothingSaid without statements on the topic in the date range.
            InputError: an unknown phrase, or shares that do not sum to at most 1.
        """
        explorer, settings = self._explorer(selection), self._settings(selection.author, None)
        progress.raise_if_cancelled()
        plan, result = explorer.plan(changes), explorer.what_if(settings, changes)
        after = explorer.after(plan, settings.changed(bootstrap=min(AT_ONCE, settings.bootstrap)))
        return WhatIfView(selection, explorer.phrases, result, plan, explorer.reliability, after)

    def _settings(self, author: str, overrides: Overrides | None) -> Settings:
        if unknown := sorted(set(overrides or {}) - set(EXPLORED)):
            raise InputError(
                "The setting {unknown!r} cannot be tried out. Known: {explored}.",
                unknown=unknown[0],
                explored=", ".join(EXPLORED),
            )
        return self._stored.basis(author).settings.changed(**(overrides or {}))

    def _explorer(self, selection: Selection) -> Explorer:
        context, basis = self._context, self._stored.basis(selection.author)
        return self._prepared(selection, basis.phrases, context.analysis_key, basis.settings)

    def _prepare(
        self, selection: Selection, phrases: tuple[Phrase, ...], _analysis: str | None, _settings: Settings
    ) -> Explorer:
        """The statements of a selection, ready for questions; cached by all its arguments."""
        from radcal.advice.explore import Explorer
        from radcal.calibration.tables import with_outcomes

        tables = with_outcomes(self._groups.tables(selection), self._groups.outcomes(selection.author))
        before = self._groups.reliability(selection)
        author, days = selection.author, selection.days
        parts: tuple[tuple[Reliability, Advice], ...] = ()
        if pool_of(author, selection.topic) == "author":
            own = self._authors.analysis(author, days)
            parts = tuple(zip(own.reliabilities, own.advices, strict=True))
        return Explorer(tables, before, phrases, self._stored.basis(author).spread, parts)
