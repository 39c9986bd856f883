"""What-if questions on one author's statements on one topic: other settings, another use of words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.advice import BOOTSTRAP, Case, in_lexicon, told_by
from radcal.advice.judge import resample
from radcal.advice.records import Changed, WhatIf
from radcal.advice.solve import out_of_order
from radcal.calibration import scoring
from radcal.calibration.model import SHIPPED
from radcal.calibration.reliability import measure
from radcal.system.errors import DataError, InputError
from radcal.system.intervals import tails
from radcal.words.bins import bin_phrases
from radcal.words.confirmations import unadvised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.advice.records import Advice
    from radcal.calibration.records import Reliability, Spread, Tables
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase, PhraseBins

    Array = NDArray[np.float64]
    Score = Callable[[Array, Array, PhraseBins], Array]

Changes = Mapping[str, Mapping[str, float]]
"""By phrase, the words to say instead with their shares of the cases, 0-1; the rest stays as it is."""


class Explorer:
    """Answers questions about one group.

    Args:
        tables: counts of one group.
        reliability: of the group; the source of the phrase rates.
        phrases: the lexicon, from which plans choose words.
        spread: what is known of the department; None for nothing.
        parts: as in ``advise``, of the author of the group.

    Raises:
        DataError: a phrase of the tables is not in the lexicon, or there is not just one group.
    """

    def __init__(
        self,
        tables: Tables,
        reliability: Reliability,
        phrases: Sequence[Phrase],
        spread: Spread | None = None,
        parts: Sequence[tuple[Reliability, Advice]] = (),
    ) -> None:
        if len(tables.groups) != 1:
            raise DataError("One author and topic can be looked into at a time, not {n}.", n=len(tables.groups))
        self.phrases = tuple(phrases)
        self.names = tuple(p.name for p in phrases)
        self._tables = in_lexicon(tables, self.names)
        (self.counts,) = self._tables.counts
        self.reliability = reliability
        self._spread, self._parts = spread or SHIPPED, parts

    def after(self, plan: Array, settings: Settings) -> Reliability:
        """The reliability with the statements reworded by the plan (K, K); cells are split by its shares."""
        reworded = replace(self._tables, counts=(plan.T @ self.counts)[None], by_patient={})
        (after,) = measure(reworded, self.phrases, settings, threads=1, spread=self._spread)
        return after

    def case(self, settings: Settings) -> Case:
        """The group under these settings."""
        bins = bin_phrases(self.phrases, settings.n_bins, settings.method)
        return Case(
            self.reliability,
            self.phrases,
            bins,
            self._tables,
            told_by(self._tables, [self.reliability], settings),
            0,
            settings,
            spread=self._spread,
            unadvised=unadvised(settings),
            parts=self._parts,
        )

    def plan(self, changes: Changes) -> Array:
        """(K, K) plan of manual changes: shares of each phrase to be reworded as each word.

        Raises:
            InputError: a word is not in the lexicon, a share is not in 0-1, or the shares of a phrase exceed 1.
        """
        plan = np.eye(len(self.names))
        place = {name: k for k, name in enumerate(self.names)}
        for source, targets in changes.items():
            for name in (source, *targets):
                if name not in place:
                    raise InputError("The phrase {name!r} is not in the lexicon. Choose one that is.", name=name)
            moved = [targets[name] for name in targets if name != source]
            if not all(0 <= share <= 1 for share in moved) or sum(moved) > 1 + 1e-9:
                raise InputError(
                    "The shares of {source!r} to be worded differently must lie in 0-1 and add to 1 at most.",
                    source=source,
                )
            row = plan[place[source]]
            row[place[source]] = max(0.0, 1 - sum(moved))
            for name, share in targets.items():
                if name != source:
                    row[place[name]] += share
        return plan

    def what_if(self, settings: Settings, changes: Changes) -> WhatIf:
        """The effect of a manually changed use of words on these statements.

        The plan is fitted to nothing, so the statements at hand may judge it.  Intervals are percentiles of
        ``settings.bootstrap`` resamples, the same before and after (NaN without resamples).

        Raises:
            InputError: as :meth:`plan`.
        """
        case, plan = self.case(settings), self.plan(changes)
        tables = resample(self.counts, settings.bootstrap, case.stream(BOOTSTRAP))
        n = tables.sum(axis=2)
        y = case.confirmed(n, tables)

        def changed(score: Score) -> Changed:
            before, after = score(n, y, case.bins), score(n @ plan, y @ plan, case.bins)
            known = (change := after - before)[~np.isnan(change)]
            low, high = np.quantile(known, tails(settings.confidence)).tolist() if len(known) else (np.nan, np.nan)
            then, now = score(case.n, case.y, case.bins), score(case.n @ plan, case.y @ plan, case.bins)
            return Changed(float(then), float(now), low, high)

        moved = (case.n > 0) & (np.diag(plan) < 1)
        disordered = out_of_order(plan, case.bins.mean, np.arange(len(plan))) & moved[:, None] & moved
        mean = case.bins.mean
        opposite = (plan > 0) & (((mean == 0)[:, None] & (mean == 1)) | ((mean == 1)[:, None] & (mean == 0)))
        barred = ~case.allowed & (plan - np.diag(np.diag(plan)) > 0).any(axis=0)
        return WhatIf(
            n=case.total,
            distance=changed(partial(scoring.word_error, hedged=np.ones(len(plan), dtype=bool))),
            brier=changed(scoring.brier),
            ece=changed(scoring.ece),
            disordered=tuple((self.names[k], self.names[w]) for k, w in zip(*np.nonzero(disordered), strict=True)),
            opposites=tuple((self.names[k], self.names[w]) for k, w in zip(*np.nonzero(opposite), strict=True)),
            not_allowed=tuple(self.names[k] for k in np.flatnonzero(barred)),
        )
