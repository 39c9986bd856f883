"""All methods for every author over several random splits, how far each is from what came true, and the result as JSON.

Within a set of rows, rows are counted together that have the same certainty, or, where there are more than MOST_VALUES
different ones, lie in the same of MOST_VALUES bins of equal mass.  For a cell c of n_c rows,

    gap_c = |sum of outcomes in c - sum of certainties in c| / n_c.

Source: Manggala et al., "QA-Calibration of Language Model Confidence Scores", ICLR 2025.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from radcal.advice.numbers import equal_mass
from radcal.lab.groups.methods import (
    ALPHA,
    MOST_VALUES,
    Rows,
    apply_methods,
    candidates,
    epsilon,
    findings_for,
    qa_binning,
    split_rows,
)
from radcal.lab.groups.partitions import Columns, KdTree, KMeans, Partitions
from radcal.system.estimates import Estimate
from radcal.system.progress import SILENT, Progress
from radcal.system.text import EMPTY, Text

if TYPE_CHECKING:
    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]
    import pandas as pd

METHODS = ("none", "platt", "umd", "scaling_binning", "isotonic", "beta", "qab", "s_qab", "hs_qab_paper", "hs_qab")
"""From the certainty as it was stated to those that know the partition of a finding (the last four)."""
BASELINES = METHODS[:6]
SPLITS = ("tree", "calibration", "tuning", "test")


@dataclass(frozen=True, slots=True)
class MethodFigures:
    """How one method did on an author's test rows.

    figures: by the names of MEASURES: means over seeds, and the range that holds the central 95 % of them; NaN for none
    bound: epsilon of the widest bin of any partition with two calibration rows or more, all taken together, with what
        pooling adds; NaN for a method without a guarantee
    nu: how far the labels of its bins may be wrong, 0 where they are outcomes; NaN for a method without a guarantee
    selective: for each of THRESHOLDS the share of rows answered, those of this certainty or more, and the share of
        these that was right, means over seeds; NaN where no seed answers any
    """

    figures: Mapping[str, Estimate]
    bound: float
    nu: float
    selective: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class AuthorMethods:
    """All METHODS for one author; with ``reason`` and no methods where there is too little to compare.

    partitions: how many rows each partition has, by its name; empty for a k-d tree, which is another for every seed
    points: b, fewest findings of a bin, for each seed;  depths: of the tree for each seed, where it was tuned
    rows: calibration rows of a partition, the median over partitions and seeds
    """

    author: str
    n: int
    methods: Mapping[str, MethodFigures] = field(default_factory=dict)
    partitions: Mapping[str, int] | None = None
    points: tuple[int, ...] = ()
    depths: tuple[int, ...] = ()
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


LARGE = 5
"""Rows of a cell whose gap is not luck alone: a single row is off by up to 1 whatever the certainty."""


def calibration_error(scores: Array, outcomes: Array) -> float:
    """Average-case calibration error, 0-1: sum_c (n_c / n) gap_c over all rows; NaN without rows."""
    return grouped_error(scores, outcomes, np.zeros(len(scores), dtype=np.intp))


def grouped_error(scores: Array, outcomes: Array, partition: Codes) -> float:
    """CE(h; beta), 0-1: sum over partitions and their cells of (n_c / n) gap_c; NaN without rows.

    Args:
        scores, outcomes: (n,), in 0-1.
        partition: (n,), from 0.
    """
    if not len(scores):
        return float("nan")
    return float(np.abs(np.bincount(_cells(scores, partition), weights=outcomes - scores)).sum() / len(scores))


def exact_error(scores: Array, outcomes: Array, partition: Codes) -> float:
    """CE(h; beta) by its definition: every different score of a partition is a cell, however many there are.

    Arguments and result as of :func:`grouped_error`, which bins many scores and is no greater.
    """
    if not len(scores):
        return float("nan")
    _, cell = np.unique(np.column_stack([partition, scores]), axis=0, return_inverse=True)
    return float(np.abs(np.bincount(cell.ravel(), weights=outcomes - scores)).sum() / len(scores))


def largest_error(scores: Array, outcomes: Array, partition: Codes, least: int = 1) -> float:
    """beta-MCE, 0-1: the largest gap of any cell of any partition; NaN if no cell has ``least`` rows.

    Args:
        scores, outcomes, partition: as of :func:`grouped_error`.
        least: rows of a cell that counts.
    """
    cell = _cells(scores, partition)
    n = np.bincount(cell)
    gap = np.abs(np.bincount(cell, weights=outcomes - scores)) / np.maximum(n, 1)
    return float(gap[n >= least].max()) if (n >= least).any() else float("nan")


def expected_error(scores: Array, partition: Codes) -> float:
    """What CE(h; beta) would be on average by luck alone, if every outcome had the probability that its score says.

    The mean absolute deviation of a binomial count, 2 k C(n, k) p^k (1 - p)^(n - k + 1) with k = floor(n p) + 1, summed
    over cells and divided by the rows; exact for cells of equal scores, a little high for others.  NaN without rows.

    Source: Diaconis and Zabell, "Closed form summation for classical distributions", Statist. Sci. 1991;6:284-302.
    """
    from scipy.stats import binom

    if not len(scores):
        return float("nan")
    cell = _cells(scores, partition)
    n = np.bincount(cell).astype(np.float64)
    p = np.clip(np.bincount(cell, weights=scores) / n, 0, 1)
    k = np.minimum(np.floor(n * p) + 1, n)
    return float(2 * (k * (1 - p) * binom.pmf(k, n, p)).sum() / len(scores))


def selective_accuracy(scores: Array, outcomes: Array) -> float:
    """AUAC, 0-1: mean over k = 1..n of the share confirmed among the k rows of greatest certainty; NaN without rows.

    Rows of equal certainty count as in random order.  It is great where certainty tells what will be confirmed.
    """
    if not len(scores):
        return float("nan")
    _, place, n = np.unique(-scores, return_inverse=True, return_counts=True)
    rate = np.repeat(np.bincount(place, weights=outcomes) / n, n)
    return float((np.cumsum(rate) / np.arange(1, len(rate) + 1)).mean())


THRESHOLDS = tuple(k / 20 for k in range(21))
"""Certainties from which on a question is answered, in selective answering."""


def answered(scores: Array, outcomes: Array) -> tuple[tuple[float, float], ...]:
    """For each of THRESHOLDS the share of rows with this score or more, and the share of these that was right, or NaN.

    Source: Kamath, Jia and Liang, "Selective question answering under domain shift", ACL 2020.
    """
    kept = scores[:, None] >= np.array(THRESHOLDS) - _ROUNDING
    n = kept.sum(axis=0)
    right = np.where(n > 0, (kept * outcomes[:, None]).sum(axis=0) / np.maximum(n, 1), np.nan)
    return tuple(zip((n / max(len(scores), 1)).tolist(), right.tolist(), strict=True))


def accuracy_confidence(scores: Array, outcomes: Array) -> float:
    """The published AUAC, 0-1: area under the share right among rows above a certainty, 0 where there are none.

    Certainties that are never great end the curve early, however well they rank; :func:`selective_accuracy` does not
    ask for that.  NaN without rows.

    Source: Manggala et al., section 5.
    """
    if not len(scores):
        return float("nan")
    above = scores[:, None] > _GRID
    right = (above * outcomes[:, None]).sum(axis=0) / np.maximum(above.sum(axis=0), 1)
    return float(right.mean())


_ROUNDING = 1e-9
_GRID = np.arange(1000) / 1000


def _cells(scores: Array, partition: Codes) -> Codes:
    """The cell of each row, numbered without gaps."""
    cell = np.empty(len(scores), dtype=np.intp)
    cells = 0
    for code in np.unique(partition):
        here = partition == code
        distinct, own = np.unique(scores[here], return_inverse=True)
        if len(distinct) > MOST_VALUES:
            _, own = equal_mass(scores[here], MOST_VALUES)
        cell[here] = cells + own
        cells += int(own.max()) + 1
    return cell


def _values(scores: Array, _outcomes: Array, partition: Codes) -> float:
    """Different numbers that the rows of a partition are given, on average over partitions."""
    return float(np.mean([len(np.unique(scores[partition == k])) for k in np.unique(partition)]))


MEASURES: Mapping[str, Callable[[Array, Array, Codes], float]] = {
    "ce": lambda scores, outcomes, _: calibration_error(scores, outcomes),
    "ce_beta": grouped_error,
    "ce_beta_exact": exact_error,
    "beta_mce": largest_error,
    "beta_mce_large": partial(largest_error, least=LARGE),
    "luck": lambda scores, _, partition: expected_error(scores, partition),
    "auac": lambda scores, outcomes, _: selective_accuracy(scores, outcomes),
    "auac_grid": lambda scores, outcomes, _: accuracy_confidence(scores, outcomes),
    "values": _values,
}
"""What a method is judged by, from scores, outcomes and partitions (n,) of the test rows."""
DEEPEST = 5
"""Levels of a tree whose depth is tuned, at most."""
FEWEST = 100
"""Rows of an author, so that 10 are there to judge by."""


def compare(
    rows: pd.DataFrame,
    partitions: Partitions,
    *,
    seeds: int = 8,
    seed: int = 0,
    points: int | None = None,
    tune: bool = False,
    progress: Progress = SILENT,
) -> MethodComparison:
    """Fit and judge every method for every author.

    Args:
        rows: author (categories), confidence and outcome, as ``read_scores`` gives them.
        partitions: how findings are grouped.
        seeds, seed: splits of the rows, from the first seed on.
        points: b, fewest findings of a bin; None to tune it.
        tune: whether the depth of a tree, up to its own, is tuned with b, as published.

    Raises:
        Cancelled: by ``progress``.
    """
    groups = [(str(author), own) for author, own in rows.groupby("author", observed=True, sort=True)]
    progress.start(len(groups) * seeds, Text("Comparing methods"))
    authors, scores = [], []
    for author, own in groups:
        if len(own) < FEWEST:
            authors.append(AuthorMethods(author, len(own), reason=_too_few(len(own))))
            progress.advance(seeds)
            continue
        runs = []
        for k in range(seed, seed + seeds):
            progress.raise_if_cancelled()
            runs.append(_Run(author, k, own, partitions, points, tune))
            progress.advance()
        scores += [run.scores for run in runs]
        named = dict(zip(runs[0].scores.names, np.bincount(runs[0].rows.partition).tolist(), strict=True))
        figures = {method: _figures(method, runs) for method in METHODS}
        sizes = float(np.median(np.concatenate([run.sizes for run in runs])))
        learned = not isinstance(partitions, Columns)
        used = tuple(run.points for run in runs)
        depths = tuple(run.depth for run in runs if run.depth is not None)
        authors.append(AuthorMethods(author, len(own), figures, None if learned else named, used, depths, sizes))
    return MethodComparison(tuple(authors), tuple(scores))


def _too_few(n: int) -> Text:
    return Text(
        "{n} row is too few to compare methods, at least {fewest} are needed.",
        many="{n} rows are too few to compare methods, at least {fewest} are needed.",
        n=n,
        fewest=FEWEST,
    )


class _Run:
    """One author under one seed."""

    def __init__(
        self, author: str, seed: int, own: pd.DataFrame, partitions: Partitions, points: int | None, tune: bool
    ) -> None:
        rng = np.random.default_rng(seed)
        split = split_rows(len(own), rng)
        confidence, outcome = (own[name].to_numpy(dtype=np.float64) for name in ("confidence", "outcome"))
        self.depth: int | None = None
        if tune and isinstance(partitions, KdTree | KMeans):
            partitions, points = _tuned(own, split, partitions, points)
            self.depth = partitions.depth
        partition, names = partitions.of(own, np.flatnonzero(split == 0))
        self.rows = Rows(confidence, outcome, split, partition, len(names))
        said, self.points, self._moved, self._nu, binned = apply_methods(self.rows, points, rng)
        row = own.index.to_numpy(dtype=np.intp)
        self.scores = SeedScores(author, seed, row, split, partition, names, said)
        self.sizes = np.array([len(places) for places in self.rows.within(1)])
        self._binned = np.bincount(partition[binned], minlength=len(names))
        self._test = self.rows.at(3)

    def figure(self, method: str, name: str) -> float:
        """One of MEASURES of one method on the test rows."""
        said, came, partition = self.scores.scores[method], self.rows.outcomes, self.rows.partition
        return MEASURES[name](said[self._test], came[self._test], partition[self._test])

    def bound(self, method: str) -> float:
        """How far the method's numbers may be from the truth in its widest bin; NaN where nothing is guaranteed.

        All bins of all partitions are taken together; partitions of a single calibration row, or none, are left out.
        """
        n, sizes = int(self.sizes.sum()), self.sizes
        if method == "umd":
            return epsilon(n, min(self.points, n))
        if method in self._nu:
            n, sizes = int(self._binned.sum()), self._binned
        elif method not in ("qab", "hs_qab"):
            return float("nan")
        moved = self._moved if method == "hs_qab" else np.full(len(sizes), self.nu(method))
        bounds = [
            epsilon(n, min(self.points, size)) + m
            for size, m in zip(sizes.tolist(), moved.tolist(), strict=True)
            if size > 1
        ]
        return max(bounds, default=float("nan"))

    def nu(self, method: str) -> float:
        """How far the labels of the method's bins may be wrong."""
        return self._nu.get(method, 0.0 if method in ("umd", "qab", "hs_qab") else float("nan"))

    def selective(self, method: str) -> Array:
        """(T, 2) of :func:`answered` on the test rows."""
        return np.array(answered(self.scores.scores[method][self._test], self.rows.outcomes[self._test]))


def _tuned(own: pd.DataFrame, split: Codes, tree: KdTree | KMeans, points: int | None) -> tuple[KdTree | KMeans, int]:
    """The tree, no deeper than ``tree``, and b of the greatest published AUAC of QA binning on the tuning rows.

    Of equals the least depth, and the largest b.
    """
    confidence, outcome = (own[name].to_numpy(dtype=np.float64) for name in ("confidence", "outcome"))
    best, found = -1.0, (tree, 2)
    for depth in range(tree.depth + 1):
        tried = replace(tree, depth=depth)
        codes, names = tried.of(own, np.flatnonzero(split == 0))
        rows = Rows(confidence, outcome, split, codes, len(names))
        for b in candidates(rows) if points is None else (points,):
            said = qa_binning(rows, confidence, outcome, rows.at(1), b)
            area = round(accuracy_confidence(said[rows.at(2)], outcome[rows.at(2)]), 9)
            if area > best:
                best, found = area, (tried, b)
    return found


def _figures(method: str, runs: Sequence[_Run]) -> MethodFigures:
    return MethodFigures(
        {name: _over_seeds(np.array([run.figure(method, name) for run in runs])) for name in MEASURES},
        float(np.median([run.bound(method) for run in runs])),
        float(np.median([run.nu(method) for run in runs])),
        tuple((float(share), float(right)) for share, right in _mean_known([run.selective(method) for run in runs])),
    )


def _mean_known(values: Sequence[Array]) -> Array:
    """The mean of arrays of one shape, of what is known of each place."""
    stacked = np.array(values)
    known = np.isfinite(stacked)
    return np.where(
        known.any(axis=0), np.where(known, stacked, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1), np.nan
    )


def _over_seeds(values: Array) -> Estimate:
    values = values[np.isfinite(values)]
    low, high = np.quantile(values, [0.025, 0.975]) if len(values) > 1 else (np.nan, np.nan)
    return Estimate(float(values.mean()) if len(values) else np.nan, float(low), float(high))


_REACHES = (0.05, 0.1, 0.15, 0.2)
_BINS = (1, 2, 3)


def to_json(comparison: MethodComparison, meta: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Plain values for strict JSON; what is undefined is null.

    Args:
        comparison: as ``compare`` returns it.
        meta: further entries, such as the columns and seeds.

    Returns:
        {"authors": [{"author", "n", "reason", "methods", "best_baseline", "partitions": {name: rows} or null, "points":
        [b for each seed], "depths": [of each seed] or null, "partition_rows"}], "large": LARGE, "bound": {"alpha",
        "nu", "needed": [{"epsilon", "bins", "findings"}]}, **meta}, where "methods" is null or {method: {"ce",
        "ce_low", "ce_high", and so on for MEASURES; "bound", "nu", "selective": [{"threshold", "answered", "right"}]}}.
    """
    needed = [
        {"epsilon": reach, "bins": bins, "findings": findings_for(reach, bins)} for bins in _BINS for reach in _REACHES
    ]
    return {
        "authors": [_author(author) for author in comparison.authors],
        "large": LARGE,
        "bound": {"alpha": ALPHA, "nu": 0.0, "needed": needed},
        **(meta or {}),
    }


def best_baseline(author: AuthorMethods) -> str:
    """The method that knows no partitions and has the least CE(h; beta)."""
    return min(BASELINES, key=lambda method: author.methods[method].figures["ce_beta"].value)


def score_rows(comparison: MethodComparison) -> Iterator[Sequence[Any]]:
    """The rows of S.csv, the header first: author, seed, row (0-based in the file), split, partition, the methods."""
    yield ["author", "seed", "row", "split", "partition", *METHODS]
    for run in comparison.scores:
        columns = zip(*(run.scores[method].tolist() for method in METHODS), strict=True)
        for row, split, partition, said in zip(
            run.row.tolist(), run.split.tolist(), run.partition.tolist(), columns, strict=True
        ):
            yield [run.author, run.seed, row, SPLITS[split], run.names[partition], *said]


def _author(author: AuthorMethods) -> dict[str, Any]:
    return {
        "author": author.author,
        "n": author.n,
        "reason": author.reason,
        "methods": {method: _method(made) for method, made in author.methods.items()} or None,
        "best_baseline": best_baseline(author) if author.methods else None,
        "partitions": None if author.partitions is None else dict(author.partitions),
        "points": list(author.points) or None,
        "depths": list(author.depths) or None,
        "partition_rows": author.rows or None,
    }


def _method(made: MethodFigures) -> dict[str, Any]:
    ends = (("", "value"), ("_low", "low"), ("_high", "high"))
    figures = {f"{name}{end}": getattr(f, of) for name, f in made.figures.items() for end, of in ends}
    figures |= {"bound": made.bound, "nu": made.nu}
    curve = [
        {"threshold": t, "answered": share, "right": None if np.isnan(right) else right}
        for t, (share, right) in zip(THRESHOLDS, made.selective, strict=True)
    ]
    return {name: None if np.isnan(value) else value for name, value in figures.items()} | {"selective": curve}
