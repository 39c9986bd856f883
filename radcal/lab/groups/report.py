"""The comparison of methods as plain values, and the scores behind it as rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from radcal.lab.group_records import BASELINES, METHODS, SPLITS
from radcal.lab.groups.bounds import ALPHA, findings_for
from radcal.lab.groups.measures import LARGE

if TYPE_CHECKING:
    from radcal.lab.group_records import AuthorMethods, Figure, MethodComparison, MethodFigures

_FIGURES = ("ce", "ce_beta", "beta_mce", "beta_mce_large", "luck", "auac", "values")
_REACHES = (0.05, 0.1, 0.15, 0.2)
_BINS = (1, 2, 3)


def to_json(comparison: MethodComparison, meta: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Plain values for strict JSON; what is undefined is null.

    Args:
        comparison: as ``compare`` returns it.
        meta: further entries, such as the columns and seeds.

    Returns:
        {"authors": [{"author", "n", "reason", "methods", "best_baseline", "partitions": {name: rows} or null, "points":
        [b for each seed], "partition_rows"}], "large": LARGE, "bound": {"alpha", "nu", "needed": [{"epsilon", "bins",
        "findings"}]}, **meta}, where "methods" is null or {method: {"ce", "ce_low", "ce_high", and so on for "ce_beta",
        "beta_mce", "beta_mce_large", "luck", "auac" and "values"; "bound"}}.
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


def best_baseline(author: AuthorMethods) -> MethodFigures:
    """The method that knows no partitions and has the least CE(h; beta)."""
    return min((m for m in author.methods if m.method in BASELINES), key=lambda m: m.ce_beta.value)


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
        "methods": {m.method: _method(m) for m in author.methods} or None,
        "best_baseline": best_baseline(author).method if author.methods else None,
        "partitions": None if author.partitions is None else dict(author.partitions),
        "points": list(author.points) or None,
        "partition_rows": author.rows or None,
    }


def _method(figures: MethodFigures) -> dict[str, float | None]:
    values: dict[str, float | None] = {}
    for name in _FIGURES:
        figure: Figure = getattr(figures, name)
        values |= {
            name: _number(figure.value),
            f"{name}_low": _number(figure.low),
            f"{name}_high": _number(figure.high),
        }
    return {**values, "bound": _number(figures.bound)}


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
