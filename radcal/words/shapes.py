"""The shape of a phrase's distribution for plotting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.words.bins import bin_phrases
from radcal.words.phrases import is_point_mass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.words.records import Phrase

N_BINS = 200
HIGHEST = 8.0
"""Density at which a shape is cut off: some rise without end towards 0 or 1."""


def shapes(phrases: Sequence[Phrase]) -> NDArray[np.float64]:
    """(K, N_BINS) mean density of each phrase on equal bins of [0, 1], clipped at HIGHEST, scaled to maximum 1.

    A point mass is all zeros: it has no density, and is drawn as a line.
    """
    hedges = [i for i, p in enumerate(phrases) if not is_point_mass(p)]
    drawn = np.zeros((len(phrases), N_BINS))
    if hedges:
        density = np.minimum(bin_phrases([phrases[i] for i in hedges], N_BINS).weight * N_BINS, HIGHEST)
        drawn[hedges] = density / density.max(axis=1, keepdims=True)
    return drawn
