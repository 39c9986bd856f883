"""Likeness of sentences by the phrases that they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = Any
    """A scipy.sparse.csr_array."""

_LONGEST = 3
"""Words of the longest run that is compared."""


class Likeness:
    """Compares sentences with known ones: the mean of exp(-|x - y|^2) for single words and for runs of up to three.

    x and y are tf-idf weights (1 + log n) (log((1 + N) / (1 + df)) + 1) of the runs that the known sentences have, as
    vectors of length 1, or 0 where nothing is known; equal sentences have likeness 1.

    Args:
        known: words of each sentence.
    """

    def __init__(self, known: Sequence[Sequence[str]]) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer  # slow to import

        self._weighed = [
            TfidfVectorizer(analyzer=partial(_runs, longest=longest), sublinear_tf=True) for longest in (1, _LONGEST)
        ]
        self._known = [weighed.fit_transform(known) for weighed in self._weighed]

    def to(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """(sentences, known) likeness in 0-1."""
        return self._compared(weighed.transform(sentences) for weighed in self._weighed)

    def among(self) -> NDArray[np.float64]:
        """(known, known) likeness in 0-1, symmetric."""
        return self._compared(self._known)

    def _compared(self, vectors: Iterable[Matrix]) -> NDArray[np.float64]:
        from sklearn.metrics.pairwise import rbf_kernel

        likeness, *more = (rbf_kernel(a, b, gamma=1) for a, b in zip(vectors, self._known, strict=True))
        for one in more:
            likeness += one
        likeness /= 1 + len(more)
        return np.asarray(likeness, np.float64)


def _runs(words: Sequence[str], longest: int) -> list[str]:
    padded = ["<", *words, ">"]
    lengths = range(1, longest + 1)
    return [" ".join(padded[i : i + n]) for n in lengths for i in range(len(padded) - n + 1)]
