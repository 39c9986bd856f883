"""Reliability diagrams of numbers beside those of distributions, and the published transport under other settings.

After figures 9, 14 and 15 of "Calibrating Expressions of Certainty" (ICLR 2025).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from radcal.calibration import scoring
from radcal.lab.recalibrating import Halves
from radcal.system.errors import EngineError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import EMPTY, Text
from radcal.words.bins import bin_phrases
from radcal.words.phrases import mean_of, point
from radcal.words.records import Phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

BINS = (5, 10, 20, 50, 100)
"""Numbers of bins that diagrams are drawn with."""
ENTROPIES = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
PRICES = (1e-3, 1e-2, 1e-1, 1.0, 10.0)
"""Values of epsilon and tau2 that the transport is tried with."""


@dataclass(frozen=True, slots=True)
class Diagrams:
    """A speaker's reliability with so many bins of equal width.

    ece, curve: of words as distributions;  ece_of_means, curve_of_means: of each word taken for its mean
    The curves are the share right in each bin, 0-1, None in an empty one.
    """

    bins: int
    ece: float
    ece_of_means: float
    curve: tuple[float | None, ...]
    curve_of_means: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class GridPoint:
    """The published transport under one choice of settings.

    ece_fitted, ece: ECE of the means, 0-1, over the halves that it was fitted to, and over the others; None, and why,
    where no plan was found
    """

    epsilon: float
    tau2: float
    ece_fitted: float | None = None
    ece: float | None = None
    failed: Text = EMPTY


def diagrams(said: Sequence[Phrase], counts: Array, method: Literal["exact", "midpoint"]) -> tuple[Diagrams, ...]:
    """The diagrams with each of BINS.

    Args:
        said: K phrases.
        counts: (K, 2) wrong and right statements with each.
        method: how distributions are put into bins.
    """
    n, y = counts.sum(axis=1), counts[:, 1]
    means = [point(p.name, mean_of(p)) for p in said]
    made = []
    for size in BINS:
        spread, scalar = bin_phrases(said, size, method), bin_phrases(means, size)
        eces = [float(scoring.ece(n, y, bins)) for bins in (spread, scalar)]
        curves = []
        for bins in (spread, scalar):
            mass, right = (n @ bins.weight).tolist(), (y @ bins.weight).tolist()
            curves.append(tuple(r / m if m > 0 else None for r, m in zip(right, mass, strict=True)))
        made.append(Diagrams(size, eces[0], eces[1], curves[0], curves[1]))
    return tuple(made)


def grid(halves: Halves, progress: Progress = SILENT) -> tuple[GridPoint, ...]:
    """The transport of a speaker's words with each of ENTROPIES and PRICES.

    Raises:
        Cancelled: by ``progress``.
    """
    words, made = halves.words, []
    costs = words.costs(*halves.known, progress)
    for epsilon in ENTROPIES:
        for tau2 in PRICES:
            progress.raise_if_cancelled()
            try:
                shares = words.transported(halves.known[0], costs, tau2, epsilon)
            except EngineError as error:
                made.append(GridPoint(epsilon, tau2, failed=error.text))
                continue
            fitted, judged = (
                float(words.scores_after(shares, *half)["ece_of_means"].mean())
                for half in (halves.fitted, halves.judged)
            )
            made.append(GridPoint(epsilon, tau2, fitted, judged))
    return tuple(made)
