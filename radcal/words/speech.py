"""How certainty is said: in words, in numbers, as distributions; and what a speaker of each may be told instead."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from radcal.words.phrases import central_half, is_point_mass, mean_of, point, spread_of
from radcal.words.records import Phrase, Speech

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_SAID = 120
"""With more different certainties than this, plans take those that hardly differ as one."""
BETA = "Beta("
"""The beginning of a distribution's name."""
STEPS = 20
"""Numbers and Betas may be replaced by those at the multiples of 1/STEPS, too: the surrogate points of plans."""
_WHOLE = 1e-9


def speech_of(phrase: Phrase, words: Collection[str]) -> Speech:
    """How certainty was said by a phrase: one of the words, a number, a distribution, or a word of another list."""
    if phrase.name in words:
        return "words"
    if is_point_mass(phrase):
        return "numbers"
    return "distributions" if phrase.name.startswith(BETA) else "words"


def is_word(name: str) -> bool:
    """Whether a phrase goes by words, rather than by its number or distribution."""
    try:
        return not (name.startswith(BETA) or math.isfinite(float(name)))
    except ValueError:
        return True


def alike(phrase: Phrase) -> tuple[float, float]:
    """Equal for numbers, and for distributions, that hardly differ: of one hundredth, and of one width."""
    width = spread_of(phrase)
    return math.floor(100 * mean_of(phrase) + _WHOLE), round(2 * math.log2(width)) if width else -math.inf


def surrogates(said: Sequence[Phrase], speech: Sequence[Speech], n: NDArray[np.float64]) -> list[Phrase]:
    """The numbers, and the distributions of usual width, at steps of 1/STEPS that a speaker of them may be told.

    Args:
        said: K phrases;  speech: (K,) how each is said;  n: (K,) how often each was.
    """
    points = []
    if "numbers" in speech:
        points += [point(f"{k / STEPS:.12g}", k / STEPS) for k in range(STEPS + 1)]
    widths = [(p.alpha + p.beta, n[k]) for k, p in enumerate(said) if speech[k] == "distributions"]
    if widths:
        sizes, times = np.array(widths).T
        size = float(np.median(np.repeat(sizes, times.astype(np.int64))))
        for k in range(1, STEPS):
            a, b = size * k / STEPS, size * (1 - k / STEPS)
            points.append(Phrase(f"{BETA}{a:.4g}, {b:.4g})", a, b, *central_half(a, b)))
    return points
