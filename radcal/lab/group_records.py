"""Methods of recalibration compared in groups of findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from radcal.system.text import EMPTY, Text

SCORE_COLUMNS: Mapping[str, str] = {
    "author": "str: a radiologist, or a language model",
    "confidence": "float in 0-1, or a phrase of a lexicon",
    "outcome": "float in 0-1: whether the reference confirmed it, or the answer was right",
}
METHODS = ("none", "platt", "umd", "scaling_binning", "isotonic", "beta", "qab", "s_qab", "hs_qab")
"""From the certainty as it was stated to those that know the partition of a finding (the last three)."""
BASELINES = METHODS[:6]
SPLITS = ("tree", "calibration", "tuning", "test")


class Figure(NamedTuple):
    """A mean over seeds, and the range that holds the central 95 % of them; NaN where there is none."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class MethodFigures:
    """How one method did on an author's test rows.

    ce: calibration error on average;  ce_beta: in every partition;  beta_mce: the largest of any cell of a partition
    beta_mce_large: the largest of any cell of at least measures.LARGE rows; NaN without such a cell
    luck: what ce_beta would be by luck alone, if outcomes had the probabilities that the method says
    auac: area under the accuracy-confidence curve;  values: different numbers that a partition's rows are given
    bound: epsilon of the widest bin of any partition with two calibration rows or more, all taken together, with what
        pooling adds; NaN for a method without a guarantee
    """

    method: str
    ce: Figure
    ce_beta: Figure
    beta_mce: Figure
    beta_mce_large: Figure
    luck: Figure
    auac: Figure
    values: Figure
    bound: float


@dataclass(frozen=True, slots=True)
class AuthorMethods:
    """All methods for one author; with ``reason`` and no methods where there is too little to compare.

    partitions: how many rows each partition has, by its name; empty for a k-d tree, which is another for every seed
    points: b, fewest findings of a bin, for each seed
    rows: calibration rows of a partition, the median over partitions and seeds
    """

    author: str
    n: int
    methods: tuple[MethodFigures, ...] = ()
    partitions: Mapping[str, int] | None = None
    points: tuple[int, ...] = ()
    rows: float = 0.0
    reason: Text = EMPTY


@dataclass(frozen=True, eq=False)
class SeedScores:
    """What every method says of all rows of an author under one seed.

    row: (n,), 0-based in the file;  split: (n,), index into SPLITS;  partition: (n,), index into ``names``
    scores: (n,) for each of METHODS
    """

    author: str
    seed: int
    row: NDArray[np.intp]
    split: NDArray[np.intp]
    partition: NDArray[np.intp]
    names: tuple[str, ...]
    scores: Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class MethodComparison:
    """The methods for every author, and the scores behind them."""

    authors: tuple[AuthorMethods, ...]
    scores: tuple[SeedScores, ...]
