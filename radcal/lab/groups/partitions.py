"""Files of certainties with what came true, and their partitions: the cross of columns, or the leaves of a k-d tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from radcal.system import columns
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import is_wording
from radcal.system.text import Text

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]
    Meaning = Callable[[str], float | None]

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


@dataclass(frozen=True, slots=True)
class KMeans:
    """The nearest of the centres of k-means over number columns; a row with a missing coordinate is in MISSING.

    columns: the coordinates;  depth: 2^depth centres, as many as a k-d tree of this depth has leaves, where the rows
        that it is learned from have as many different places

    Source: Lloyd, "Least squares quantization in PCM", IEEE Trans. Inf. Theory 1982;28:129-137.
    """

    columns: tuple[str, ...]
    depth: int

    def of(self, rows: pd.DataFrame, tree: Codes) -> tuple[Codes, tuple[str, ...]]:
        """As of :class:`Partitions`."""
        import sklearn.cluster

        points = rows[list(self.columns)].to_numpy(dtype=np.float64)
        whole = np.isfinite(points).all(axis=1)
        known = points[tree[whole[tree]]]
        codes = np.zeros(len(points), dtype=np.intp)
        centres = min(2**self.depth, len(np.unique(known, axis=0)))
        if centres > 1:
            fitted = sklearn.cluster.KMeans(centres, n_init=10, random_state=0).fit(known)
            codes[whole] = fitted.predict(points[whole])
        names = tuple(f"cluster {k + 1}" for k in range(max(centres, 1)))
        if not whole.all():
            codes[~whole] = len(names)
            names += (MISSING,)
        return codes, names


SCORE_COLUMNS: Mapping[str, str] = {
    "author": "str: a radiologist, or a language model",
    "confidence": "float in 0-1, or a phrase of a lexicon",
    "outcome": "float in 0-1: whether the reference confirmed it, or the answer was right",
}
_OUTCOMES = {"true": 1.0, "false": 0.0}


class ScoreFile(NamedTuple):
    """Rows of certainties.

    rows: those that can be used, indexed as of columns.Columns.places;  lines: in which they begin
    rejected: those that cannot, as of Checked
    """

    rows: pd.DataFrame
    lines: pd.Series[int]
    rejected: pd.DataFrame


def read_scores(
    path: Path,
    by: tuple[str, ...] = (),
    coordinates: tuple[str, ...] = (),
    meaning: Meaning | None = None,
    progress: Progress = SILENT,
) -> ScoreFile:
    """Certainties and outcomes from a table as of :class:`~radcal.system.columns.Columns`.

    It has the columns author, confidence and outcome (both 0-1; "true" and "false" are outcomes of 1 and 0), and those
    named, in any case where that leaves no doubt; others are passed over.

    Args:
        path: the file.
        by: columns to group by, kept as text.
        coordinates: columns of numbers, in which a cell may be empty.
        meaning: what a phrase in the place of a confidence means, None for one that is unknown.

    Raises:
        InputError: the file cannot be used, lacks a column, or is to be grouped by author, confidence or outcome.
        Cancelled: by ``progress``.
    """
    import pandas as pd

    for column in (*by, *coordinates):
        if column.casefold() in SCORE_COLUMNS:
            raise InputError("Findings cannot be grouped by {column!r}. Choose another column.", column=column)
    table = columns.Columns(path, SCORE_COLUMNS, ("author",), ("confidence", "outcome"), progress)
    table.require(*SCORE_COLUMNS)
    for column in (*by, *coordinates):
        table.rename_alike(column)
    table.require(*by, *coordinates)
    table.check_text("author")
    for column in ("confidence", "outcome", *coordinates):
        table.frame[column] = table.frame[column].mask(is_missing(table.frame[column].str.strip()), "")
    phrases = _phrases(table, meaning)
    table.check_number("confidence", 0, 1, phrases)
    table.check_number("outcome", 0, 1, _OUTCOMES)
    for column in coordinates:
        there = table.frame[column] != ""
        table.check_number(column, optional=True)
        if there.any() and table.frame[column].isna().all():
            raise InputError(
                "The column {column!r} of {name} holds no numbers. Group by its values, or choose a column of numbers.",
                column=column,
                name=table.name,
            )
    checked = table.finish()
    kept = checked.rows[[*SCORE_COLUMNS, *dict.fromkeys((*by, *coordinates))]]
    places = pd.Index(table.places(kept.index.tolist()))
    return ScoreFile(kept.set_axis(places), pd.Series(kept.index, index=places), checked.rejected)


def _phrases(table: columns.Columns, meaning: Meaning | None) -> Mapping[str, float]:
    """What the phrases in the column of confidences mean; rows with others are rejected."""
    import pandas as pd

    text = table.frame["confidence"].str.strip()
    words = text[pd.to_numeric(text.str.replace(",", "."), errors="coerce").isna() & (text != "")]
    found = {word.casefold(): None if meaning is None else meaning(word) for word in words.unique()}
    known = {word: value for word, value in found.items() if value is not None}
    unknown = words[~words.str.casefold().isin(list(known))]
    if meaning is None:
        reason, remedy = (
            Text("The confidence is no number."),
            Text("Enter a number from 0 to 1, or name a lexicon of phrases."),
        )
        table.reject(text.index.isin(unknown.index), reason, remedy)
        return known
    remedy = Text("Enter a number from 0 to 1, or add the phrase to the lexicon.")
    for word, rows in unknown.groupby(unknown).groups.items():
        named = Text("{word!r} is neither a number nor a phrase of the lexicon.", word=word)
        unnamed = Text("The confidence is neither a number nor a phrase of the lexicon.")
        table.reject(text.index.isin(rows), named if is_wording(str(word)) else unnamed, remedy)
    return known
