"""Partitions of findings: the cross of columns, or the leaves of a k-d tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from radcal.system.errors import InputError
from radcal.system.quoting import is_wording
from radcal.system.text import Text

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

MISSING = "(missing)"
"""The partition of rows with an empty cell."""
MOST_LEVELS = 10
"""A column of numbers with more different ones is cut into quarters."""
MOST_VALUES, MOST_PARTITIONS = 50, 200


class Partitions(Protocol):
    """How rows are put into partitions."""

    def of(self, rows: pd.DataFrame, tree: Codes) -> tuple[Codes, tuple[str, ...]]:
        """The partition of each row, from 0, and the partitions' names.

        Args:
            rows: (n), those of one author.
            tree: places among them of the rows that a partition may be learned from.
        """


@dataclass(frozen=True, eq=False)
class Columns:
    """The cross of columns: a partition for each combination of cells that occurs.

    notes: which columns were cut into quarters, and where
    """

    named: pd.Series[str]
    notes: tuple[Text, ...] = ()

    @classmethod
    def over(cls, rows: pd.DataFrame, columns: tuple[str, ...]) -> Columns:
        """The partitions of a file.

        An empty cell is a value of its own, MISSING.  A column of numbers with more than MOST_LEVELS different ones is
        cut at the quartiles of the file.

        Raises:
            InputError: a column has more than MOST_VALUES different texts, or the cross has more than MOST_PARTITIONS.
        """
        levels, notes = zip(*(_levels(rows[column], column) for column in columns), strict=True)
        named = levels[0]
        for further in levels[1:]:
            named = named + " / " + further
        n = named.nunique()
        if n > MOST_PARTITIONS:
            raise InputError(
                "These columns make {n:,} partitions, and {most} is the most. Name fewer columns.",
                n=n,
                most=MOST_PARTITIONS,
            )
        return cls(named, tuple(filter(None, notes)))

    def of(self, rows: pd.DataFrame, _tree: Codes) -> tuple[Codes, tuple[str, ...]]:
        """As of :class:`Partitions`."""
        names, codes = np.unique(self.named.loc[rows.index].to_numpy(dtype=object), return_inverse=True)
        return codes.astype(np.intp), tuple(names)


def _levels(cells: pd.Series[str], column: str) -> tuple[pd.Series[str], Text | None]:
    """The value of each cell, and what was done with numbers."""
    import pandas as pd

    text = cells.astype(str).str.strip()
    text = text.mask(is_missing(text), MISSING)
    there = text != MISSING
    number = pd.to_numeric(text[there].str.replace(",", "."), errors="coerce")
    if not number.empty and np.isfinite(number).all() and number.nunique() > MOST_LEVELS:
        edges = np.unique(np.quantile(number, [0.25, 0.5, 0.75], method="inverted_cdf"))
        place = np.searchsorted(edges, number)
        names = {k: f"{number[place == k].min():g} to {number[place == k].max():g}" for k in np.unique(place)}
        text = text.mask(there, pd.Series([names[k] for k in place], index=number.index, dtype=text.dtype))
        told = Text(
            "{column} has many numbers and was cut into quarters: {names}.",
            column=column,
            names=", ".join(names.values()),
        )
        return text, told
    if (n := text.nunique()) > MOST_VALUES:
        odd = text[there][number.isna()].unique()
        shown = [repr(cell) for cell in odd if is_wording(cell)]  # others may be names
        raise InputError(
            "The column {column!r} has {n:,} different values, and a column to group by has at most {most}. {remedy}",
            column=column,
            n=n,
            most=MOST_VALUES,
            remedy=Text(
                "Numbers are put into groups where all cells are numbers or empty; others are: {odd}.",
                odd=", ".join(shown[:3]) or "\u2026",
            )
            if 0 < len(odd) <= MOST_VALUES < n - len(odd)
            else Text("Choose another column, or put its values into fewer groups."),
        )
    return text, None


def is_missing(text: pd.Series[str]) -> pd.Series[bool]:
    """Empty cells, and those that programs write for a missing number."""
    return text.str.casefold().isin(["", "nan"])


@dataclass(frozen=True, slots=True)
class KdTree:
    """The leaves of a k-d tree over number columns; a row with a missing coordinate is in the partition MISSING.

    A node is cut between two values next to the median of its rows, in the first coordinate at the root, in the next
    one at each level below, round and round; a coordinate in which all its rows are equal is passed over.

    columns: the coordinates, in their order;  depth: levels of cuts, so that there are at most 2^depth leaves

    Source: Bentley, "Multidimensional binary search trees used for associative searching", CACM 1975;18:509-517.
    """

    columns: tuple[str, ...]
    depth: int

    def of(self, rows: pd.DataFrame, tree: Codes) -> tuple[Codes, tuple[str, ...]]:
        """As of :class:`Partitions`."""
        points = rows[list(self.columns)].to_numpy(dtype=np.float64)
        whole = np.isfinite(points).all(axis=1)
        codes = np.full(len(points), -1, dtype=np.intp)
        leaves = self._grow(points, tree[whole[tree]], np.flatnonzero(whole), 0, codes, 0)
        names = tuple(f"leaf {k + 1}" for k in range(leaves))
        if not whole.all():
            codes[~whole] = leaves
            names += (MISSING,)
        return codes, names

    def _grow(self, points: Array, tree: Codes, here: Codes, level: int, codes: Codes, leaf: int) -> int:
        """Number the leaves below a node with rows ``here`` from ``leaf`` on; the next number."""
        for turn in range(len(self.columns) if level < self.depth else 0):
            axis = (level + turn) % len(self.columns)
            distinct, n = np.unique(points[tree, axis], return_counts=True)
            if len(distinct) > 1:
                k = int(np.abs(np.cumsum(n)[:-1] - len(tree) / 2).argmin())
                cut = distinct[k] / 2 + distinct[k + 1] / 2  # no sum that overflows
                for side in (points[:, axis] <= cut, points[:, axis] > cut):
                    leaf = self._grow(points, tree[side[tree]], here[side[here]], level + 1, codes, leaf)
                return leaf
        codes[here] = leaf
        return leaf + 1
