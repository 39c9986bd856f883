"""The methods, fitted for one author under one seed.

Rows are split at random, 20:60:10:10, into tree, calibration, tuning and test rows.  No outcome of a test row is ever
used but to judge, and none of a tuning row but to choose b:

    none              the certainty as stated
    platt, isotonic, beta, scaling_binning
                      one map for all partitions, on the calibration rows
    umd               uniform-mass binning of the calibration rows, N / b bins for all partitions
    qab               QA binning: the same within each partition
    s_qab             scaling QA binning: a logistic map for all partitions, fitted on a half of the calibration rows,
                      and its mean in each bin of qab over the other half
    hs_qab_paper      the same with the logistic map of intercepts and slopes that are partially pooled: algorithm 3
    hs_qab            RadCal's own hierarchical scaling QA binning: a logistic map with partially pooled intercepts
                      and slopes, then bins within each partition, whose shares are partially pooled towards the map,
                      then ten numbers at most in all partitions together

umd and qab break ties at random: a certainty is moved by a draw from -delta to delta, so that bins are of equal mass
though a few certainties are stated again and again.

Of N findings in bins of at least b each, with a probability of 1 - alpha the true rate of every bin is within

    epsilon = sqrt(log(2 N / (b alpha)) / (2 (b - 1))) + nu

of its share, whatever the distribution: Hoeffding's inequality for each of the N / b bins.  nu is how far the labels
may be wrong on average at any certainty: 0 where the reference is taken as exact, and where a map's values stand for
labels, as in s_qab, estimated on the tuning rows (:func:`misspecified`).

Source: Manggala et al., "QA-Calibration of Language Model Confidence Scores", ICLR 2025, for the methods and
nu; Gupta and Ramdas, "Distribution-free calibration guarantees for histogram binning without sample splitting", ICML
2021, for the bound; Kull, Silva Filho and Flach, "Beta calibration", AISTATS 2017; Kumar, Liang and Ma, "Verified
uncertainty calibration", NeurIPS 2019, for scaling-binning.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from radcal.advice.numbers import (
    Recalibration,
    checked,
    equal_mass,
    histogram_binning,
    isotonic,
    logistic_fit,
    means_of,
    platt,
)
from radcal.lab.groups import hierarchical

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

_NEAREST = 1e-3
"""How near to 0 and 1 a certainty may be before its logarithm is taken."""
ALPHA = 0.1
"""The bound fails with at most this probability."""


def epsilon(n: int, points: int) -> float:
    """The bound with alpha = ALPHA and nu = 0, in 0-1 and above, where it says nothing; infinite for single findings.

    Args:
        n: N, findings in all bins together.
        points: b, fewest findings of a bin, 1 <= b <= N.
    """
    return math.sqrt(math.log(2 * n / (points * ALPHA)) / (2 * (points - 1))) if points > 1 else math.inf


def points_for(reach: float, n: int) -> int | None:
    """The inverse in b: fewest findings of a bin so that the bound of n is at most ``reach``; None if none are."""
    # The bound falls with b.
    points = 1 + bisect_left(range(1, n + 1), True, key=lambda b: epsilon(n, b) <= reach)
    return points if points <= n else None


def findings_for(reach: float, bins: int) -> int:
    """The inverse in N: fewest findings for a bound of ``reach`` in that many bins of equal size.

    bins * ceil(1 + log(2 bins / alpha) / (2 reach^2)), since N / b is the number of bins.
    """
    return bins * math.ceil(1 + math.log(2 * bins / ALPHA) / (2 * reach**2) - 1e-9)


def beta(scores: Array, outcomes: Array, weights: Array | None = None) -> Recalibration:
    """Beta calibration: logit p = a log s - b log(1 - s) + c with a, b >= 0; arguments and outcomes as of ``platt``.

    Certainties are kept 0.001 away from 0 and 1.
    """
    from scipy.special import expit

    scores, outcomes, weights = checked(scores, outcomes, weights)

    def features(s: Array, used: list[int]) -> Array:
        s = s.clip(_NEAREST, 1 - _NEAREST)
        return np.column_stack([np.log(s), -np.log1p(-s)])[:, used]

    used = [0, 1]
    while used:
        slopes, intercept = logistic_fit(features(scores, used), outcomes, weights)
        if (slopes >= 0).all():
            break
        used.pop(int(slopes.argmin()))  # the constraint is active: without the feature that would turn the order round
    else:
        mean = float(np.average(outcomes, weights=weights))
        return lambda s: np.full(np.shape(s), mean)
    return lambda s: np.asarray(expit(features(np.ravel(s), used) @ slopes + intercept)).reshape(np.shape(s))


def scaling_binning(scores: Array, outcomes: Array, bins: int, weights: Array | None = None) -> Recalibration:
    """Scaling-binning: Platt scaling, then the mean of its values in each bin; as ``histogram_binning``."""
    scores, outcomes, weights = checked(scores, outcomes, weights)
    scale = platt(scores, outcomes, weights)
    scaled = scale(scores)
    edges, place = equal_mass(scaled, bins, weights)
    values = means_of(place, scaled, weights, len(edges) + 1)
    return lambda s: values[np.searchsorted(edges, scale(s), side="right")]


MOST_VALUES = 10
"""Different certainties that are counted one by one, and bins where there are more."""
_MOST_CELLS = 200
"""Different scores that cuts are sought between; where there are more, cells of equal mass."""
_SAME = 9
"""Decimals to which scores count as one."""
_LEAST = 1e-4
_STRENGTHS = 2.0 ** np.arange(13)
"""Findings that what is expected of a bin may count for."""


def informative_cuts(scores: Array, outcomes: Array, points: int) -> Array:
    """Cuts between at most MOST_VALUES bins of at least ``points`` rows, (B - 1,), each above its lower bin's scores.

    First the cuts that keep most of the scores' variance, by dynamic programming over the different scores.  Then
    neighbours are put together, those that differ least first, until every two of them differ by more than two bins of
    n_1 and n_2 rows may do by chance:

        rate_2 - rate_1 > sqrt(log(2 N / (b alpha)) / 2 (1 / (n_1 - 1) + 1 / (n_2 - 1))),

    Hoeffding's bound of a difference with the N / b bins of the bound on each of them.  A bin put together from others
    is within the bound if they are.

    Args:
        scores, outcomes: (N,), in 0-1; fewer than ``points`` are a single bin.
        points: b >= 2, fewest rows of a bin.
    """
    if len(scores) < 2 * points:
        return np.zeros(0)
    cuts = _cuts(np.round(scores, _SAME), points)
    reach = math.log(2 * len(scores) / (points * ALPHA)) / 2
    while True:
        place = np.searchsorted(cuts, np.round(scores, _SAME))
        n = np.bincount(place, minlength=len(cuts) + 1)
        share = np.bincount(place, weights=outcomes, minlength=len(cuts) + 1) / n
        beyond = np.diff(share) - np.sqrt(reach * (1 / (n[:-1] - 1) + 1 / (n[1:] - 1)))
        if (beyond > 0).all():
            return cuts
        cuts = np.delete(cuts, beyond.argmin())


def bin_of(scores: Array, cuts: Array) -> Codes:
    """The bin of each score."""
    return np.searchsorted(cuts, np.round(scores, _SAME))


def pooled_shares(y: Array, n: Array, expected: Array) -> Array:
    """The share of each bin, drawn towards what a map expects of it, as far as other bins agree with the map; (B,).

    A bin's rate is Beta(s m, s (1 - m)) with m what is expected, so that a share becomes (y + s m) / (n + s); averaged
    over strengths s from 1 to 4,096, each weighed by the likelihood of all bins.

    Args:
        y, n: (B,), confirmed and all rows, n may be 0.
        expected: (B,), in 0-1.
    """
    from scipy.special import betaln

    m = np.clip(expected, _LEAST, 1 - _LEAST)[:, None]
    a, b = _STRENGTHS * m, _STRENGTHS * (1 - m)
    log = (betaln(y[:, None] + a, n[:, None] - y[:, None] + b) - betaln(a, b)).sum(axis=0)
    weight = np.exp(log - log.max())
    return np.asarray((y[:, None] + a) / (n[:, None] + _STRENGTHS) @ (weight / weight.sum()))


def few_numbers(values: Array, counts: Array) -> Array:
    """The values of bins, (B,), with those put together that lie nearest, so that MOST_VALUES different ones are left.

    Ten numbers are few enough to know and to act on.  Of all ways to put neighbours together, the one of least squared
    error over rows; bins put together have their mean over rows.

    Args:
        values: (B,), in 0-1, of the bins of all partitions.
        counts: (B,), rows of each bin, 0 or more.
    """
    said = np.repeat(values, counts.astype(np.intp))
    cuts = _cuts(np.round(said, _SAME), 1)
    place = bin_of(said, cuts)
    n = np.bincount(place, minlength=len(cuts) + 1)
    means = np.bincount(place, said, len(cuts) + 1) / n
    return np.asarray(means[bin_of(values, cuts)])


def _cuts(scores: Array, points: int) -> Array:
    """Cuts of least variance within bins of at least ``points`` rows, as many of them as that allows."""
    distinct, n = np.unique(scores, return_counts=True)
    last = np.arange(len(distinct))
    if len(distinct) > _MOST_CELLS:
        _, cell = equal_mass(distinct, _MOST_CELLS, n.astype(np.float64))
        last = np.append(np.flatnonzero(np.diff(cell)), len(distinct) - 1)
    N = np.concatenate([[0], np.cumsum(n)[last]])
    total = np.concatenate([[0.0], np.cumsum(n * distinct)[last]])
    size = N[None, :] - N[:, None]
    kept = np.where(size >= points, (total[None, :] - total[:, None]) ** 2 / np.maximum(size, 1), -np.inf)
    best, back = kept[0], []
    for _ in range(min(MOST_VALUES, len(scores) // points) - 1):
        candidates = best[:, None] + kept
        further = candidates.max(axis=0)
        if not np.isfinite(further[-1]):
            break
        back.append(candidates.argmax(axis=0))
        best = further
    ends, at = [], len(N) - 1
    for choice in reversed(back):
        at = int(choice[at])
        ends.append(at)
    edge = last[np.array(ends[::-1], dtype=np.intp) - 1]
    return np.asarray((distinct[edge] + distinct[edge + 1]) / 2)


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
    """What each of METHODS says of all rows, (n,) each; b; and how far hs_qab is from its shares by partition, (K,).

    nu: of the methods whose labels are a map's values;  binned: places of the calibration rows that these bin
    """

    scores: dict[str, Array]
    points: int
    moved: Array
    nu: dict[str, float]
    binned: Codes


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
    to_scale, binned = np.array_split(rng.permutation(calibration), 2)
    whole = fit_hierarchical(rows, to_scale, straight=True)
    scaled = {
        "s_qab": platt(scores[to_scale], rows.outcomes[to_scale])(scores),
        "hs_qab_paper": whole(scores, rows.partition),
    }
    tuning = rows.at(2)
    nu = {m: misspecified(scores[tuning], rows.outcomes[tuning], label[tuning]) for m, label in scaled.items()}
    said = {
        "none": scores,
        "platt": platt(stated, came)(scores),
        "umd": histogram_binning(apart[calibration], came, bins)(apart),
        "scaling_binning": scaling_binning(stated, came, bins)(scores),
        "isotonic": isotonic(stated, came)(scores),
        "beta": beta(stated, came)(scores),
        "qab": qa_binning(rows, apart, rows.outcomes, calibration, b),
        **{m: qa_binning(rows, apart, label, binned, b) for m, label in scaled.items()},
        "hs_qab": pooled,
    }
    return Applied(said, b, moved, nu, binned)


def misspecified(scores: Array, outcomes: Array, labels: Array) -> float:
    """nu, 0-1: the least that holds |E[outcome | score] - E[label | score]| <= nu, of the different scores, or of
    MOST_VALUES bins of equal mass where there are more; NaN without rows.

    Few rows of a score make it too great: it is the largest of several noisy differences.

    Args:
        scores, outcomes, labels: (n,), in 0-1, of rows that the labels were not made from.

    Source: Manggala et al., definition 3.2.
    """
    if not len(scores):
        return float("nan")
    distinct, cell = np.unique(scores, return_inverse=True)
    if len(distinct) > MOST_VALUES:
        _, cell = equal_mass(scores, MOST_VALUES)
    return float(np.abs(np.bincount(cell, weights=outcomes - labels) / np.maximum(np.bincount(cell), 1)).max())


def _tuned(rows: Rows, apart: Array) -> int:
    """b of least squared error of QA binning on the tuning rows, the largest of those that do alike.

    Squared error is a proper score: calibration error alone would have a single bin, whatever certainties tell.
    """
    tuning = rows.at(2)
    truth = rows.outcomes[tuning]

    def error(b: int) -> float:
        said = qa_binning(rows, apart, rows.outcomes, rows.at(1), b)[tuning]
        return round(float(((said - truth) ** 2).mean()), 9) if len(tuning) else 0.0

    return min(candidates(rows), key=lambda b: (error(b), -b))


def candidates(rows: Rows) -> list[int]:
    """Values of b to try, the largest first: what bounds of _REACHES take in a partition of median size."""
    n = int(np.median([len(own) for own in rows.within(1) if len(own)]))
    return sorted({max(2, points_for(reach, n) or n) for reach in _REACHES}, reverse=True)


def qa_binning(rows: Rows, scores: Array, labels: Array, fitted: Codes, points: int) -> Array:
    """Algorithm 1: uniform-mass binning of ``fitted`` rows within each partition, so many a bin at least; (n,) of all.

    A bin has the mean of its labels, and a partition without any of these rows the mean of all.
    """
    said = np.full(len(scores), labels[fitted].mean())
    for k in range(rows.partitions):
        own = fitted[rows.partition[fitted] == k]
        if len(own):
            here = rows.partition == k
            said[here] = histogram_binning(scores[own], labels[own], max(1, len(own) // points))(scores[here])
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
    order, map_ = fit_hierarchical(rows, tree)(rows.scores, rows.partition), fit_hierarchical(rows, both)
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


def fit_hierarchical(rows: Rows, at: Codes, *, straight: bool = False) -> hierarchical.Hierarchical:
    """The logistic map of the rows at these places."""
    own = rows.scores[at], rows.outcomes[at], rows.partition[at]
    return hierarchical.fit(*own, rows.partitions, straight=straight)
