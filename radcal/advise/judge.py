"""Does the advice hold on statements that it was not fitted to, and would other samples have given the same?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal import scoring
from radcal.advise.halves import halve, resample
from radcal.records import Judgement

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.advise.solve import Solver
    from radcal.progress import Progress
    from radcal.records import PhraseBins

    Array = NDArray[np.float64]

HALVINGS = 10
"""Random halvings, each used both ways, behind the decision whether advice is given at all."""


def judged(plan: Array, n: Array, y: Array, bins: PhraseBins) -> Judgement:
    """ECE and Brier score of n, y (K,) as they are and after the (K, K) plan is followed."""
    after_n, after_y = n @ plan, y @ plan
    return Judgement(
        n=float(n.sum()),
        ece_before=float(scoring.ece(n, y, bins)),
        ece_after=float(scoring.ece(after_n, after_y, bins)),
        brier_before=float(scoring.brier(n, y, bins)),
        brier_after=float(scoring.brier(after_n, after_y, bins)),
    )


def split_half(
    counts: Array, positive: Array, bins: PhraseBins, solver: Solver, rng: Generator
) -> tuple[Judgement, Judgement]:
    """A plan fitted on one random half, judged on that half (train) and on the other (test).

    Args:
        counts: (K, L) table;  positive: (L,) probability that a reference means "confirmed".
    """
    train, test = halve(counts, rng)
    plan = solver(train.sum(axis=1), train @ positive)
    return judged(plan, train.sum(axis=1), train @ positive, bins), judged(
        plan, test.sum(axis=1), test @ positive, bins
    )


def held_out_error(
    counts: Array, positive: Array, bins: PhraseBins, solver: Solver, rng: Generator, progress: Progress
) -> tuple[float, float]:
    """Mean ECE on unseen halves before and after the advice, over random halvings used both ways."""
    errors = []
    for _ in range(HALVINGS):
        progress.raise_if_cancelled()
        halves = [(half.sum(axis=1), half @ positive) for half in halve(counts, rng)]
        for fitted, unseen in (halves, halves[::-1]):
            if fitted[0].sum() > 0 and unseen[0].sum() > 0:
                test = judged(solver(*fitted), *unseen, bins)
                errors.append((test.ece_before, test.ece_after))
    before, after = np.mean(errors, axis=0)
    return float(before), float(after)


def directions(
    counts: Array, positive: Array, mean: Array, solver: Solver, fits: int, rng: Generator, progress: Progress
) -> Array:
    """How bootstrap fits would move each phrase: (3, K) mean shares said weaker, as strong as before, and stronger.

    For plans of whole words these are the shares of fits that recommend each direction.  With no fits all are NaN.
    """
    if not fits:
        return np.full((3, len(mean)), np.nan)
    step = np.sign(mean - mean[:, None])
    total = np.zeros((3, len(mean)))
    for i, table in enumerate(resample(counts, fits, rng)):
        if i % 25 == 0:
            progress.raise_if_cancelled()
        plan = solver(table.sum(axis=1), table @ positive)
        total += [(plan * (step == sign)).sum(axis=1) for sign in (-1, 0, 1)]
    return total / fits
