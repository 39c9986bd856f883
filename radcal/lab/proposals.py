"""What unknown words may mean: as readers take their sentences, and as language models tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.lab.hedge_records import Proposal, SentenceEstimate
from radcal.lab.perception import PERCENTS
from radcal.system.text import Text
from radcal.words.editing import is_plain, with_moments
from radcal.words.phrases import Lexicon, load_lexicon, mean_of, spread_of
from radcal.words.records import Phrase

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from radcal.lab.perception_records import Perceived

_NEIGHBOURS = 3
_SHARPNESS = 20.0
_NORMAL_90 = 3.2897
"""Width of the interval that holds 90 % of a normal distribution, in standard deviations."""
_SHARES = PERCENTS / 100


def from_sentences(words: str, examples: Sequence[str]) -> Proposal | Text:
    """What readers would take the words for, or why that cannot be told.

    The words on their own count, if any of them speaks of certainty; else the sentences in which they were found.  The
    error is that of the estimates, and at least that of surveyed words (:func:`least_spread`).
    """
    from radcal.lab.hedges.estimator import shipped

    estimates = shipped().estimate([words, *examples])
    hedged = [e for e in estimates if isinstance(e, SentenceEstimate) and e.kind == "hedged"]
    found = hedged[:1] if hedged and hedged[0] is estimates[0] else hedged
    if not found:
        reasons = (e for e in estimates if isinstance(e, Text))
        return next(reasons, Text("No word that RadCal knows speaks of certainty here."))
    mean = float(np.mean([e.value for e in found]))
    error = float(np.mean([(e.high - e.low) / _NORMAL_90 for e in found]))
    on = list(dict.fromkeys(part for e in found for part in e.words))
    return Proposal(
        "hedges", mean, max(error, least_spread(mean)), len(found), Text("rests on {words}", words=", ".join(on))
    )


def from_numbers(file: str, chances: NDArray[np.float64]) -> Proposal:
    """What a model's mean distribution over 0 to 100 says of the words.

    Args:
        file: the model's.
        chances: (S, 101) P(0), ..., P(100) on each of S statements.
    """
    mean, spread = _moments(chances.mean(axis=0))
    n = len(chances)
    note = Text("{file}, in {n} statements", file=file, n=n)
    return Proposal("model", mean, max(spread, least_spread(mean)), n, note)


def from_neighbours(file: str, lexicon: Lexicon, places: NDArray[np.float64]) -> Proposal:
    """The mean of the phrases that are nearest in a model's eyes; the error is what the same says of every phrase.

    Args:
        file: the model's.
        places: (1 + P, width) the model's embeddings of the words and of each of :func:`hedges_of` the lexicon.
    """
    phrases = hedges_of(lexicon)
    places = places - places[1:].mean(axis=0)
    places /= np.maximum(np.linalg.norm(places, axis=1, keepdims=True), 1e-12)
    means = np.array([mean_of(p) for p in phrases])
    alike = places @ places[1:].T
    np.fill_diagonal(alike[1:], -np.inf)
    nearest = np.argsort(-alike, axis=1)[:, :_NEIGHBOURS]
    near = np.take_along_axis(alike, nearest, axis=1)
    weights = np.exp(_SHARPNESS * (near - near[:, :1]))
    weights /= weights.sum(axis=1, keepdims=True)
    said = (weights * means[nearest]).sum(axis=1)
    error = float(np.sqrt(np.mean((said[1:] - means) ** 2)))
    names = [phrases[i].name for i in nearest[0].tolist()]
    mean = float(said[0])
    note = Text("{file}: nearest are {names}", file=file, names=", ".join(names))
    return Proposal("neighbours", mean, max(error, least_spread(mean)), len(names), note)


def hedges_of(lexicon: Lexicon) -> list[Phrase]:
    """The phrases whose meaning is no plain "absent" or "present"."""
    return [p for p in lexicon.phrases if not is_plain(p.name)]


def least_spread(mean: float) -> float:
    """The standard deviation of the answers on the surveyed word that means most nearly the same."""
    phrases = [p for p in hedges_of(load_lexicon()) if spread_of(p) > 0]
    return spread_of(min(phrases, key=lambda p: abs(mean_of(p) - mean)))


def lexicon_of(read: Perceived) -> Lexicon:
    """A model's reading of words as a list of phrases, each with mean and standard deviation of its chances."""
    source = Text("as the language model {model} reads it, no answer of people", model=read.who)
    made = (with_moments(Phrase(m.expression, 1.0, 1.0, 0.0, 1.0), *_moments(m.chances)) for m in read.meanings)
    return Lexicon(tuple(replace(phrase, source=str(source)) for phrase in made), read.who)


def _moments(chances: ArrayLike) -> tuple[float, float]:
    """Mean and standard deviation, in 0-1, of (101,) chances of 0 to 100 percent."""
    p = np.asarray(chances, np.float64)
    mean = float(p @ _SHARES)
    return mean, math.sqrt(float(p @ (_SHARES - mean) ** 2))
