"""Likeness of sentences by the phrases that they share, and a smooth function fitted over it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = Any
    """A scipy.sparse.csr_array."""

LONGEST = 3
"""Words of the longest phrase that is compared."""


_LONGEST = 3
"""Words of the longest run that is compared."""
_SHARPNESS = 1.0


class Likeness:
    """Compares sentences with known ones: the mean of exp(-|x - y|^2) for single words and for runs of up to three.

    x and y are tf-idf weights (1 + log n) (log((1 + N) / (1 + df)) + 1) of the runs that the known sentences have, as
    vectors of length 1; equal sentences have likeness 1.

    Args:
        known: words of each sentence.
    """

    def __init__(self, known: Sequence[Sequence[str]]) -> None:
        counts = Counter(name for words in known for name in set(_runs(words)))
        names = sorted(counts, key=lambda name: (name.count(" "), name))
        self._place = {name: n for n, name in enumerate(names)}
        self._single = sum(" " not in name for name in names)
        df = np.array([counts[name] for name in names])
        self._weights = np.log((1 + len(known)) / (1 + df)) + 1
        self._known = self._vectors(known)

    def to(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """(sentences, known) likeness in 0-1."""
        return self._compared(self._vectors(sentences))

    def among(self) -> NDArray[np.float64]:
        """(known, known) likeness in 0-1, symmetric."""
        return self._compared(self._known)

    def _compared(self, vectors: tuple[Matrix, ...]) -> NDArray[np.float64]:
        each = [np.exp(-_SHARPNESS * _distances(a, b)) for a, b in zip(vectors, self._known, strict=True)]
        return np.asarray(np.mean(each, axis=0), np.float64)

    def _vectors(self, sentences: Sequence[Sequence[str]]) -> tuple[Matrix, Matrix]:
        """Rows of length 1 (0 where nothing is known): of single words, and of all runs."""
        from scipy.sparse import csr_array

        indices: list[int] = []
        data: list[float] = []
        ends = [0]
        for words in sentences:
            counts = Counter(self._place[name] for name in _runs(words) if name in self._place)
            columns = sorted(counts)
            indices += columns
            data += (self._weights[columns] * (1 + np.log([counts[c] for c in columns]))).tolist()
            ends.append(len(indices))
        rows = csr_array((data, indices, ends), shape=(len(sentences), len(self._place)))
        return _of_length_one(rows[:, : self._single]), _of_length_one(rows)


def _runs(words: Sequence[str]) -> Iterator[str]:
    padded = ["<", *words, ">"]
    for length in range(1, _LONGEST + 1):
        for start in range(len(padded) - length + 1):
            yield " ".join(padded[start : start + length])


def _of_length_one(rows: Matrix) -> Matrix:
    from scipy.sparse import diags_array

    length = np.sqrt(rows.power(2).sum(axis=1))
    return (diags_array(1 / np.where(length > 0, length, 1)) @ rows).tocsr()


def _distances(a: Matrix, b: Matrix) -> NDArray[np.float64]:
    squares = a.power(2).sum(axis=1)[:, None] + b.power(2).sum(axis=1)[None, :]
    return np.asarray(np.maximum(squares - 2 * (a @ b.T).toarray(), 0), np.float64)
