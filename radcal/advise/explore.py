"""What-if questions on one author's statements on one topic: other settings, a frontier, another use of words.

The answers are those of ``advise``; an unchecked one is immediate, before bootstrap fits have shown its stability.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal import scoring
from radcal.advise.advice import BOOTSTRAP, HALVINGS, Case, Derived, rows_of
from radcal.advise.halves import resample
from radcal.advise.joint import certainty
from radcal.advise.judge import held_out, judged, unseen_halves
from radcal.advise.solve import out_of_order
from radcal.errors import DataError, InputError
from radcal.lexicon.bins import bin_phrases
from radcal.progress import SILENT
from radcal.records import Frontier, FrontierPoint, WhatIf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.progress import Progress
    from radcal.records import Phrase, Reliability, Tables
    from radcal.settings import Settings

    Array = NDArray[np.float64]

PRICES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
"""Information prices of a frontier of the joint solver."""
DEPARTURES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Values of tau2 of a frontier of the published solver."""
Changes = Mapping[str, Mapping[str, float]]
"""By phrase, the words to say instead with their shares of the cases, 0-1; the rest stays as it is."""


class Explorer:
    """Answers questions about one group.

    Args:
        tables: counts of one group.
        reliability: of the group; the source of the phrase rates.
        phrases: the lexicon, from which plans choose words.

    Raises:
        DataError: a phrase of the tables is not in the lexicon, or there is not just one group.
    """

    def __init__(self, tables: Tables, reliability: Reliability, phrases: Sequence[Phrase]) -> None:
        if len(tables.groups) != 1:
            raise DataError("One author and topic can be looked into at a time, not {n}.", n=len(tables.groups))
        self.phrases = tuple(phrases)
        self.names = tuple(p.name for p in phrases)
        self._tables = tables
        self.counts = np.zeros((len(self.names), len(tables.references)))
        self.counts[rows_of(tables, self.names)] = tables.counts[0]
        self.positive = tables.positive
        self.reliability = reliability

    def reworded(self, plan: Array) -> Tables:
        """The tables with the statements reworded by the plan (K, K); cells are split by its shares."""
        return replace(self._tables, phrases=self.names, counts=(plan.T @ self.counts)[None])

    def _case(self, settings: Settings) -> Case:
        bins = bin_phrases(self.phrases, settings.n_bins, settings.method)
        return Case(self.reliability, self.phrases, bins, self.counts, self.positive, settings)

    def advice(self, settings: Settings, progress: Progress = SILENT, *, checked: bool = True) -> Derived:
        """The advice of ``advise``, with the plans behind it; without the checks as :meth:`Case.derived` tells.

        Raises:
            EngineError: the published solver found no plan.
            Cancelled: by ``progress``.
        """
        return self._case(settings).derived(progress, checked=checked)

    def frontier(self, settings: Settings, progress: Progress = SILENT) -> Frontier | None:
        """Held-out error against information kept, along the information price, or tau2 of the published solver.

        All points are judged on the same halves.  None where there are too few statements, or no word has enough uses.

        Raises:
            Cancelled: by ``progress``.
        """
        case = self._case(settings)
        if case.total < settings.min_group_n or not case.covered.any():
            return None
        name = "tau2" if settings.solver == "paper" else "information_price"
        now = float(getattr(settings, name))
        values = sorted({now, *(DEPARTURES if settings.solver == "paper" else PRICES)})
        progress.start(len(values), "Trying other settings")
        points = []
        for value in values:
            solver = case.solver(settings.changed(**{name: value}))
            errors: list[tuple[float, float]] = []
            words: list[float] = []
            bits = np.zeros(2)
            # The same halves as for the advice.
            halves = unseen_halves(self.counts, self.positive, solver, case.stream(HALVINGS), progress)
            for plans, n, y in halves:
                after_n, after_y = np.einsum("bk,bkl->bl", n, plans), np.einsum("bk,bkl->bl", y, plans)
                before, after = scoring.ece(n, y, case.bins), scoring.ece(after_n, after_y, case.bins)
                errors += zip(before.tolist(), after.tolist(), strict=True)
                bits += (n.sum(axis=1) @ information(n, y), n.sum(axis=1) @ information(after_n, after_y))
                words += (after_n >= 0.5).sum(axis=1).tolist()
            kept = float(min(bits[1] / bits[0], 1.0)) if bits[0] > 1e-9 else None
            points.append(FrontierPoint(value, held_out(np.array(errors)), kept, float(np.mean(words))))
            progress.advance(1)
        return Frontier(name, now, case.total, float(information(case.n, case.y)), tuple(points))

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
        case, plan = self._case(settings), self.plan(changes)
        result = judged(plan, case.n, case.y, case.bins)
        tables = resample(self.counts, settings.bootstrap, case.stream(BOOTSTRAP))
        n, y = tables.sum(axis=2), tables @ self.positive
        before, after = scoring.ece(n, y, case.bins), scoring.ece(n @ plan, y @ plan, case.bins)
        ends = ((1 - settings.confidence) / 2, (1 + settings.confidence) / 2)

        def interval(x: Array) -> tuple[float, float]:
            low, high = np.quantile(x, ends).tolist() if len(x) else (np.nan, np.nan)
            return low, high

        bits, left = information(case.n, case.y), information(case.n @ plan, case.y @ plan)
        used = case.n > 0
        changed = used & (np.diag(plan) < 1)
        disordered = out_of_order(plan, case.bins.mean) & used[:, None] & used & (changed[:, None] | changed)
        mean = case.bins.mean
        opposite = (plan > 0) & (((mean == 0)[:, None] & (mean == 1)) | ((mean == 1)[:, None] & (mean == 0)))
        barred = ~case.allowed & (plan - np.diag(np.diag(plan)) > 0).any(axis=0)
        return WhatIf(
            case.total,
            result.ece_before,
            *interval(before),
            result.ece_after,
            *interval(after),
            result.ece_after - result.ece_before,
            *interval(after - before),
            float((after < before).mean()) if len(after) else float("nan"),
            result.brier_before,
            result.brier_after,
            min(float(left / bits), 1.0) if bits > 1e-9 else None,
            tuple((self.names[k], self.names[w]) for k, w in zip(*np.nonzero(disordered), strict=True)),
            tuple((self.names[k], self.names[w]) for k, w in zip(*np.nonzero(opposite), strict=True)),
            tuple(self.names[k] for k in np.flatnonzero(barred)),
        )


def information(n: Array, y: Array) -> Array:
    """Mutual information of word and outcome, bits a statement: I = H(outcome) - H(outcome | word); 0 if N = 0.

    Args:
        n, y: (..., K) uses of each word, and confirmed ones.
    """
    total = n.sum(axis=-1)
    gained = certainty(n, y) - certainty(total[..., None], y.sum(axis=-1)[..., None])
    bits: Array = np.maximum(gained, 0) / np.maximum(total, 1e-300)
    return bits
