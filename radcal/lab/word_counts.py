"""Files of words: who said which word in which context, and how often."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from radcal.system.columns import Columns
from radcal.system.errors import DataError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.words.phrases import normalise

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]

_NAMES = ("context", "source", "word")
_COLUMNS = (*_NAMES, "count")
_MOST = 999_999
"""Greatest count of a row."""
_MOST_TOGETHER = 999_999_999
"""Most answers in a context that numpy parts into halves."""
SAME = 1e-9
"""Weights that differ by less are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Who said which word how often in which context: one entry (N,) for each of them.

    contexts, sources, words: names in alphabetical order;  context, source, word: their codes;  weight: above 0
    counted: (S,) whether the weights of a source are whole numbers of answers, not probabilities
    """

    contexts: tuple[str, ...]
    sources: tuple[str, ...]
    words: tuple[str, ...]
    context: Index
    source: Index
    word: Index
    weight: Array
    counted: NDArray[np.bool_]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Answers:
        """The answers of a frame with the columns context, source, word and count; equal entries add up.

        Raises:
            DataError: a count is negative or no number, or none is above 0.
        """
        count = frame["count"].to_numpy(np.float64)
        if not (np.isfinite(count) & (count >= 0)).all():
            raise DataError("A count of answers is negative or no number.")
        if not (count > 0).any():
            raise DataError("There are no answers to compare: all counts are 0.")
        said = frame.assign(count=count)[count > 0].astype(dict.fromkeys(_NAMES, str))
        summed = said.groupby(list(_NAMES))["count"].sum()
        index: Any = summed.index
        contexts, sources, words = (tuple(map(str, level)) for level in index.levels)
        context, source, word = (np.asarray(codes, np.intp) for codes in index.codes)
        weight, whole = summed.to_numpy(np.float64), np.ones(len(sources), dtype=bool)
        whole[source[np.abs(weight - np.rint(weight)) > SAME]] = False
        weight = np.where(whole[source], np.rint(weight), weight)
        return cls(contexts, sources, words, context, source, word, weight, whole)

    def by_context(self) -> Iterator[tuple[int, Index, Array]]:
        """Each context with the W words said in it and the weights (S, W) of all sources."""
        ends = np.searchsorted(self.context, np.arange(len(self.contexts) + 1))
        for c in range(len(self.contexts)):
            part = slice(ends[c], ends[c + 1])
            words, place = np.unique(self.word[part], return_inverse=True)
            weights = np.zeros((len(self.sources), len(words)))
            weights[self.source[part], place] = self.weight[part]
            yield c, words, weights


class WordCounts(NamedTuple):
    """Rows context, source, word, count, and those that cannot be used.

    merged: spellings of words that became one with another
    single: sources whose rows have no counts, and stand for one answer each
    """

    answers: pd.DataFrame
    rejected: pd.DataFrame
    merged: int
    single: tuple[str, ...]


def read_word_counts(path: Path, progress: Progress = SILENT) -> WordCounts:
    """Answers from a table with the columns context, source, word and, if wanted, count; see :class:`Columns`.

    A count is a number of answers or a probability.  Rows of a source without any counts stand for one answer each; of
    a source with counts, a row without one is left out.  Words are compared in lower case, with single spaces and
    without punctuation around them; contexts and sources with single spaces.

    Raises:
        InputError: the file cannot be read, is empty, lacks a column, or none of its rows can be used; or the counts of
            a context are too many together.
        Cancelled: by ``progress``.
    """
    table = Columns(path, _COLUMNS, words=_NAMES, progress=progress)
    table.require(*_NAMES)
    for column in _NAMES:
        table.check_text(column)
    single: tuple[str, ...] = ()
    if "count" in table:
        empty = table.frame["count"].str.strip() == ""
        table.check_number("count", 0, _MOST, optional=True)
        never = empty.groupby(table.frame["source"], observed=True).transform("all")
        table.reject(
            empty & ~never,
            Text("The count is missing."),
            Text("Enter how many answers the row stands for, or leave out the counts of this source altogether."),
        )
        table.frame.loc[never, "count"] = 1.0
        single = tuple(sorted(table.frame.loc[never, "source"].unique()))
    else:
        table.frame["count"] = 1.0
        single = tuple(sorted(table.frame["source"].unique()))
    rows, rejected = table.finish()
    words = {word: compared(word) for word in rows["word"].unique()}
    answers = rows[list(_COLUMNS)].assign(
        context=[*map(_spaced, rows["context"])],
        source=[*map(_spaced, rows["source"])],
        word=[*map(words.__getitem__, rows["word"])],
    )
    together = answers.groupby("context")["count"].transform("sum")
    if (over := together[together > _MOST_TOGETHER]).size:
        raise InputError(
            "{name}, row {row}: the counts of this context add up to {n:,.0f}, and at most {most:,} can be "
            "compared. Enter shares of the answers in place of counts.",
            name=path.name,
            row=int(over.index[0]),
            n=over.iloc[0],
            most=_MOST_TOGETHER,
        )
    return WordCounts(answers, rejected, len(words) - len({*words.values()}), tuple(map(_spaced, single)))


def _spaced(name: str) -> str:
    return " ".join(name.split())


def compared(word: str) -> str:
    plain = _spaced(unicodedata.normalize("NFKC", word)).casefold()
    return normalise(plain) or plain
