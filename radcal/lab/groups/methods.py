"""The methods, fitted for one author under one seed.

Rows are split at random, 20:60:10:10, into tree, calibration, tuning and test rows.  No outcome of a test row is ever
used but to judge, and none of a tuning row but to choose b:

    none              the certainty as stated
    platt, isotonic, beta, scaling_binning
                      one map for all partitions (radcal.reliability.recalibration), on the calibration rows
    umd               uniform-mass binning of the calibration rows, N / b bins for all partitions
    qab               QA binning: the same within each partition
    s_qab             scaling QA binning: scaling-binning within each partition
    hs_qab            hierarchical scaling QA binning: a logistic map with partially pooled intercepts and slopes, then
                      bins within each partition, whose shares are partially pooled towards the map, then ten numbers
                      at most in all partitions together (binning.py)

umd and qab break ties at random: a certainty is moved by a draw from -delta to delta, so that bins are of equal mass
though a few certainties are stated again and again.

Source: Manggala et al., "QA-Calibration of Language Model Confidence Scores", ICLR 2025; Gupta and Ramdas, ICML 2021.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from radcal.lab.groups import hierarchical
from radcal.lab.groups.binning import bin_of, few_numbers, informative_cuts, pooled_shares
from radcal.lab.groups.bounds import points_for
from radcal.reliability import recalibration

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

DELTA = 1e-10
_SHARES = (0.2, 0.8, 0.9)
"""Where tree, calibration and tuning rows end."""
_REACHES = (0.1, 0.125, 0.15, 0.2, 0.25, 0.3)
"""Bounds whose b is tried."""


class Rows(NamedTuple):
    """The rows of one author: certainties and outcomes (n,) in 0-1, split (index into SPLITS) and partition (n,)."""

    scores: Array
    outcomes: Array
    split: Codes
    partition: Codes
    partitions: int

    def at(self, split: int) -> Codes:
        """The places of the rows of a split."""
        return np.flatnonzero(self.split == split)

    def within(self, split: int) -> list[Codes]:
        """The same, partition by partition."""
        rows = self.at(split)
        return [rows[self.partition[rows] == k] for k in range(self.partitions)]


def split_rows(n: int, rng: np.random.Generator) -> Codes:
    """The split of each of n rows, index into SPLITS."""
    split = np.empty(n, dtype=np.intp)
    split[rng.permutation(n)] = np.searchsorted(np.round(np.array(_SHARES) * n), np.arange(n), side="right")
    return split


class Applied(NamedTuple):
    """What each of METHODS says of all rows, (n,) each; b; and how far hs_qab is from its shares by partition, (K,)."""

    scores: dict[str, Array]
    points: int
    moved: Array


def apply_methods(rows: Rows, points: int | None, rng: np.random.Generator) -> Applied:
    """Fit all methods.

    Args:
        rows: those of an author.
        points: b, fewest calibration rows of a bin, 2 or more; None to tune it.
        rng: breaks ties.
    """
    scores, calibration = rows.scores, rows.at(1)
    apart = scores + rng.uniform(-DELTA, DELTA, len(scores))
    b = points or _tuned(rows, apart)
    stated, came = scores[calibration], rows.outcomes[calibration]
    bins = max(1, len(calibration) // b)
    pooled, moved = hierarchical_binning(rows, b)
    said = {
        "none": scores,
        "platt": recalibration.platt(stated, came)(scores),
        "umd": recalibration.histogram_binning(apart[calibration], came, bins)(apart),
        "scaling_binning": recalibration.scaling_binning(stated, came, bins)(scores),
        "isotonic": recalibration.isotonic(stated, came)(scores),
        "beta": recalibration.beta(stated, came)(scores),
        "qab": _in_partitions(rows, apart, b, recalibration.histogram_binning),
        "s_qab": _in_partitions(rows, scores, b, recalibration.scaling_binning),
        "hs_qab": pooled,
    }
    return Applied(said, b, moved)


def _tuned(rows: Rows, apart: Array) -> int:
    """b of least squared error of QA binning on the tuning rows, the largest of those that do alike.

    The candidates are what bounds of 0.1 to 0.3 take in a partition of median size.  Squared error is a proper score:
    calibration error alone would have a single bin, whatever certainties tell.
    """
    n = int(np.median([len(own) for own in rows.within(1) if len(own)]))
    candidates = {points_for(reach, n) or n for reach in _REACHES}
    tuning = rows.at(2)
    truth = rows.outcomes[tuning]

    def error(b: int) -> float:
        said = _in_partitions(rows, apart, b, recalibration.histogram_binning)[tuning]
        return round(float(((said - truth) ** 2).mean()), 9) if len(tuning) else 0.0

    return max(2, min(candidates, key=lambda b: (error(b), -b)))


Binning = Callable[["Array", "Array", int], recalibration.Recalibration]


def _in_partitions(rows: Rows, scores: Array, points: int, binning: Binning) -> Array:
    """A binning of the calibration rows within each partition; without any, their share confirmed in all."""
    said = np.full(len(scores), rows.outcomes[rows.at(1)].mean())
    for k, own in enumerate(rows.within(1)):
        if len(own):
            here = rows.partition == k
            said[here] = binning(scores[own], rows.outcomes[own], max(1, len(own) // points))(scores[here])
    return said


def hierarchical_binning(rows: Rows, points: int) -> tuple[Array, Array]:
    """hs_qab: what hierarchical scaling QA binning says of all rows (n,), at most ten different numbers.

    The bins, and therefore the bound on their shares, rest on a map of the tree rows.  What is expected of a bin is
    the mean of a map of tree and calibration rows over these.

    Args:
        rows: those of an author.
        points: b >= 2; a partition of fewer calibration rows is a single bin.

    Returns:
        The scores, and how far those of each partition (K,) are at most from the shares of its bins.
    """
    from scipy.special import expit

    tree, calibration = rows.at(0), rows.at(1)
    both = np.concatenate([tree, calibration])
    order, map_ = _hierarchical(rows, tree)(rows.scores, rows.partition), _hierarchical(rows, both)
    bin_ = np.empty(len(order), dtype=np.intp)
    of: list[int] = []
    for k, own in enumerate(rows.within(1)):
        here = rows.partition == k
        cuts = informative_cuts(order[own], rows.outcomes[own], points)
        bin_[here] = len(of) + bin_of(order[here], cuts)
        of += [k] * (len(cuts) + 1)
    n = np.bincount(bin_[calibration], minlength=len(of)).astype(np.float64)
    y = np.bincount(bin_[calibration], rows.outcomes[calibration], len(of)).astype(np.float64)
    scaled = map_(rows.scores[both], rows.partition[both])
    seen = np.bincount(bin_[both], minlength=len(of))
    average = expit(map_.line[of, 0])  # at an average certainty, for bins that no row is in
    expected = np.where(seen > 0, np.bincount(bin_[both], scaled, len(of)) / np.maximum(seen, 1), average)
    values = few_numbers(pooled_shares(y, n, expected), n)
    moved = np.where(n > 0, np.abs(values - y / np.maximum(n, 1)), 0.0)
    return values[bin_], np.array([moved[np.array(of) == k].max() for k in range(rows.partitions)])


def _hierarchical(rows: Rows, at: Codes) -> hierarchical.Hierarchical:
    return hierarchical.fit(rows.scores[at], rows.outcomes[at], rows.partition[at], rows.partitions)
