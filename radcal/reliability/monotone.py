"""The monotone curve of confirmed rates, with its consistency region (CORP).

The words stand in the order of their means; words of one mean are one forecast.  The curve is the isotonic regression
of their rates r_k = y_k / n_k with weights n_k.  With the Brier score of forecasts x,

    S(x) = (1/N) sum_k n_k x_k^2 - 2 y_k x_k + y_k,

miscalibration is S(means) - S(curve), discrimination S(overall rate) - S(curve) and uncertainty S(overall rate).

Source: Dimitriadis, Gneiting and Jordan, "Stable reliability diagrams for probabilistic classifiers", PNAS
2021;118:e2016191118.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.records import Monotone
from radcal.reliability.reference import reduced, references
from radcal.reliability.resample import luck_draws
from radcal.system.errors import DataError
from radcal.system.intervals import tails
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.reliability.records import Tables
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]


def monotone(tables: Tables, phrases: Sequence[Phrase], settings: Settings) -> Monotone:
    """The monotone curve of the one group of ``tables``.

    Args:
        tables: one group with at least one statement.
        phrases: the lexicon; holds every phrase of the tables.
        settings: bootstrap, confidence, seed and the accuracy of the CT.

    Raises:
        DataError: there is not one group, or it has no statement.
    """
    if len(tables.groups) != 1 or not tables.counts.any():
        raise DataError("There are no statements to measure.")
    (reference,), _ = references(tables, settings)
    by_name = {p.name: p for p in phrases}
    means = np.array([mean_of(by_name[name]) for name in tables.phrases])
    said = tables.counts[0].sum(axis=1)
    order = [k for k in np.argsort(means, kind="stable").tolist() if said[k] > 0]
    n, mean = said[order], means[order]
    y = reference.corrected((tables.counts[0] @ tables.positive)[order], n)
    fitted, blocks = _isotonic(n, y, mean)
    redrawn = np.empty((settings.bootstrap, len(order)))
    for i, k in enumerate(order):
        chances = reduced(reference.outcomes, reference.chances(float(means[k])))
        drawn = luck_draws(settings.seed, k, round(n[i]), *chances, settings.bootstrap)
        redrawn[:, i] = reference.corrected(drawn, np.full(len(drawn), n[i], dtype=np.float32))
    curves = np.array([_isotonic(n, row, mean)[0] for row in redrawn])
    low = high = np.full(len(order), np.nan)
    if len(curves):
        low, high = np.quantile(curves, tails(settings.confidence), axis=0)
    rate, uncertainty = y / n, _brier(n, y, np.full(len(n), y.sum() / n.sum()))
    names = tuple(tables.phrases[k] for k in order)
    return Monotone(
        phrases=names,
        mean=mean,
        n=n,
        rate=rate,
        fitted=fitted,
        low=low,
        high=high,
        miscalibration=_brier(n, y, mean) - _brier(n, y, fitted),
        discrimination=uncertainty - _brier(n, y, fitted),
        uncertainty=uncertainty,
        disordered=tuple(
            (names[i], names[j])
            for i, j in combinations(range(len(names)), 2)
            if blocks[i] == blocks[j] and mean[i] < mean[j] and rate[i] > rate[j]
        ),
    )


def _isotonic(n: Array, y: Array, mean: Array) -> tuple[Array, NDArray[np.intp]]:
    """The curve at each word, and the block of words with one value that it belongs to, each (K,)."""
    from scipy.optimize import isotonic_regression

    _, place = np.unique(mean, return_inverse=True)
    weight = np.bincount(place, n)
    made = isotonic_regression(np.bincount(place, y) / weight, weights=weight)
    block = np.searchsorted(made.blocks, np.arange(len(weight)), side="right")
    return np.asarray(made.x)[place], block[place]


def _brier(n: Array, y: Array, certainty: Array) -> float:
    return float((n * certainty**2 - 2 * y * certainty + y).sum() / n.sum())
