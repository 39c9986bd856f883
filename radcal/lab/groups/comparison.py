"""All methods for every author, over several random splits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from radcal.lab.group_records import METHODS, AuthorMethods, Figure, MethodComparison, MethodFigures, SeedScores
from radcal.lab.groups.bounds import epsilon
from radcal.lab.groups.measures import (
    LARGE,
    calibration_error,
    expected_error,
    grouped_error,
    largest_error,
    selective_accuracy,
)
from radcal.lab.groups.methods import Rows, apply_methods, split_rows
from radcal.lab.groups.partitions import Columns, Partitions
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

FEWEST = 100
"""Rows of an author, so that 10 are there to judge by."""


def compare(
    rows: pd.DataFrame,
    partitions: Partitions,
    *,
    seeds: int = 8,
    seed: int = 0,
    points: int | None = None,
    progress: Progress = SILENT,
) -> MethodComparison:
    """Fit and judge every method for every author.

    Args:
        rows: author (categories), confidence and outcome, as ``read_scores`` gives them.
        partitions: how findings are grouped.
        seeds, seed: splits of the rows, from the first seed on.
        points: b, fewest findings of a bin; None to tune it.

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
            runs.append(_Run(author, k, own, partitions, points))
            progress.advance()
        scores += [run.scores for run in runs]
        named = dict(zip(runs[0].scores.names, np.bincount(runs[0].rows.partition).tolist(), strict=True))
        figures = tuple(_figures(method, runs) for method in METHODS)
        sizes = float(np.median(np.concatenate([run.sizes for run in runs])))
        learned = not isinstance(partitions, Columns)
        points_used = tuple(run.points for run in runs)
        authors.append(AuthorMethods(author, len(own), figures, None if learned else named, points_used, sizes))
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

    def __init__(self, author: str, seed: int, own: pd.DataFrame, partitions: Partitions, points: int | None) -> None:
        rng = np.random.default_rng(seed)
        split = split_rows(len(own), rng)
        partition, names = partitions.of(own, np.flatnonzero(split == 0))
        confidence, outcome = (own[name].to_numpy(dtype=np.float64) for name in ("confidence", "outcome"))
        self.rows = Rows(confidence, outcome, split, partition, len(names))
        said, self.points, self._moved = apply_methods(self.rows, points, rng)
        row = own.index.to_numpy(dtype=np.intp)
        self.scores = SeedScores(author, seed, row, split, partition, names, said)
        self.sizes = np.array([len(places) for places in self.rows.within(1)])
        self._test = self.rows.at(3)

    def figure(self, method: str, measure: Callable[..., float], *, grouped: bool) -> float:
        """One figure of one method on the test rows."""
        said, came = self.scores.scores[method][self._test], self.rows.outcomes[self._test]
        return measure(said, came, self.rows.partition[self._test]) if grouped else measure(said, came)

    def bound(self, method: str) -> float:
        """How far the method's numbers may be from the truth in its widest bin; NaN where nothing is guaranteed.

        All bins of all partitions are taken together; partitions of a single calibration row, or none, are left out.
        """
        n = int(self.sizes.sum())
        if method == "umd":
            return epsilon(n, min(self.points, n))
        if method not in ("qab", "hs_qab"):
            return float("nan")
        moved = self._moved if method == "hs_qab" else np.zeros(len(self.sizes))
        bounds = [
            epsilon(n, min(self.points, size)) + m
            for size, m in zip(self.sizes.tolist(), moved.tolist(), strict=True)
            if size > 1
        ]
        return max(bounds, default=float("nan"))


def _figures(method: str, runs: list[_Run]) -> MethodFigures:
    def over(measure: Callable[..., float], *, grouped: bool = True) -> Figure:
        return _over_seeds(np.array([run.figure(method, measure, grouped=grouped) for run in runs]))

    return MethodFigures(
        method,
        over(calibration_error, grouped=False),
        over(grouped_error),
        over(largest_error),
        over(lambda scores, outcomes, partition: largest_error(scores, outcomes, partition, LARGE)),
        over(lambda scores, _outcomes, partition: expected_error(scores, partition)),
        over(selective_accuracy, grouped=False),
        over(_values),
        float(np.median([run.bound(method) for run in runs])),
    )


def _over_seeds(values: Array) -> Figure:
    values = values[np.isfinite(values)]
    low, high = np.quantile(values, [0.025, 0.975]) if len(values) > 1 else (np.nan, np.nan)
    return Figure(float(values.mean()) if len(values) else np.nan, float(low), float(high))


def _values(scores: Array, _outcomes: Array, partition: NDArray[np.intp]) -> float:
    """Different numbers that the rows of a partition are given, on average over partitions."""
    return float(np.mean([len(np.unique(scores[partition == k])) for k in np.unique(partition)]))
