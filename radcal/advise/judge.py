"""Evaluation of plans on statements they were not fitted to, and their stability over bootstrap samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal import scoring
from radcal.advise.halves import halve, resample
from radcal.records import HeldOut, Judgement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.advise.solve import Solver
    from radcal.progress import Progress
    from radcal.records import PhraseBins

    Array = NDArray[np.float64]

FITS_BETWEEN_STOPS = 20
"""Bootstrap fits between two checks for a stop: few enough to leave other threads their turn."""
_WITHIN = (5, 95)
"""Percentiles of the halves reported as the range of an error."""
HALVINGS = 10
"""Random halvings, each used both ways, that decide whether advice is given."""


def judged(plan: Array, n: Array, y: Array, bins: PhraseBins) -> Judgement:
    """ECE and Brier score of n, y (K,) before and after following the (K, K) plan."""
    after_n, after_y = n @ plan, y @ plan
    return Judgement(
        n=float(n.sum()),
        ece_before=float(scoring.ece(n, y, bins)),
        ece_after=float(scoring.ece(after_n, after_y, bins)),
        brier_before=float(scoring.brier(n, y, bins)),
        brier_after=float(scoring.brier(after_n, after_y, bins)),
        word_error_before=float(scoring.word_error(n, y, bins)),
        word_error_after=float(scoring.word_error(after_n, after_y, bins)),
    )


def split_half(
    counts: Array, positive: Array, bins: PhraseBins, solver: Solver, rng: Generator
) -> tuple[Judgement, Judgement]:
    """A plan fitted on one random half, judged on that half (train) and on the other (test).

    Args:
        counts: (K, L) table;  positive: (L,) probability that a reference means "confirmed".
    """
    halves = np.array(halve(counts, rng))
    n, y = halves.sum(axis=2), halves @ positive
    plan = solver(n[:1], y[:1])[0]
    return judged(plan, n[0], y[0], bins), judged(plan, n[1], y[1], bins)


def held_out_errors(
    counts: Array, positive: Array, bins: PhraseBins, solver: Solver, rng: Generator, progress: Progress
) -> Array:
    """(2 HALVINGS, 2) ECE before and after the advice on each unseen half, of random halvings used both ways."""
    errors = []
    for plans, n, y in unseen_halves(counts, positive, solver, rng, progress):
        for plan, unseen_n, unseen_y in zip(plans, n, y, strict=True):
            test = judged(plan, unseen_n, unseen_y, bins)
            errors.append((test.ece_before, test.ece_after))
    return np.array(errors)


def held_out(errors: Array) -> HeldOut:
    """Summary of (H, 2) errors before and after on H unseen halves."""
    (before, after), ends = errors.mean(axis=0).tolist(), np.percentile(errors, _WITHIN, axis=0)
    lower = float((errors[:, 1] < errors[:, 0]).mean())
    return HeldOut(
        len(errors), before, float(ends[0, 0]), float(ends[1, 0]), after, float(ends[0, 1]), float(ends[1, 1]), lower
    )


def unseen_halves(
    counts: Array, positive: Array, solver: Solver, rng: Generator, progress: Progress
) -> Iterator[tuple[Array, Array, Array]]:
    """Plans (HALVINGS, K, K) fitted on the first halves, with n, y (HALVINGS, K) of the second; then the reverse."""
    halves = np.array([halve(counts, rng) for _ in range(HALVINGS)])
    n, y = halves.sum(axis=3), halves @ positive
    for way in (0, 1):
        progress.raise_if_cancelled()
        yield solver(n[:, way], y[:, way]), n[:, 1 - way], y[:, 1 - way]


def directions(
    counts: Array, positive: Array, mean: Array, solver: Solver, fits: int, rng: Generator, progress: Progress
) -> Array:
    """(3, K) mean shares of each phrase that bootstrap fits reword as weaker, equally strong, and stronger words.

    For plans of whole words these are the shares of fits that recommend each direction.  NaN without fits.
    """
    if not fits:
        return np.full((3, len(mean)), np.nan)
    step = np.sign(mean - mean[:, None])
    tables = resample(counts, fits, rng)
    n, y = tables.sum(axis=2), tables @ positive
    total = np.zeros((3, len(mean)))
    for start in range(0, fits, FITS_BETWEEN_STOPS):
        progress.raise_if_cancelled()
        plans = solver(n[start : start + FITS_BETWEEN_STOPS], y[start : start + FITS_BETWEEN_STOPS])
        total += [(plans * (step == sign)).sum(axis=(0, 2)) for sign in (-1, 0, 1)]
    return total / fits
