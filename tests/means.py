"""Lexicons with another meaning of a word, and rates whose intervals alone decide on the verdict."""

from __future__ import annotations

import numpy as np

from radcal.calibration.records import PhraseRate, Verdict
from radcal.system.intervals import jeffreys
from radcal.words.editing import add_synonym, named, remove_synonym, replaced, with_moments
from radcal.words.phrases import Lexicon, agreeing_rates, expected_rates, mean_of, spread_of
from radcal.words.records import Phrase


def with_mean(lexicon: Lexicon, name: str, mean: float) -> Lexicon:
    """Return the lexicon with a phrase's mean changed and its spread kept, as far as possible."""
    phrase = named(lexicon, name)
    return replaced(lexicon, with_moments(phrase, mean, spread_of(phrase)))


def rate_of(phrase: Phrase, positives: float, n: float, low: float, high: float) -> PhraseRate:
    """A phrase that CT confirmed so often; it differs or matches where the whole interval does."""
    meant, (least, most) = expected_rates(phrase), agreeing_rates(phrase)
    verdict: Verdict = "matches" if least <= low and high <= most else "undecided"
    if high < meant[0] or low > meant[1]:
        verdict = "stronger" if high < meant[0] else "weaker"
    return PhraseRate(phrase.name, n, positives, positives / n, low, high, mean_of(phrase), *meant, verdict)


def seen(phrase: Phrase, positives: float, n: float) -> PhraseRate:
    """The same with the interval of a word of which nothing was known before."""
    low, high = jeffreys(np.array([positives]), np.array([n]))
    return rate_of(phrase, positives, n, float(low[0]), float(high[0]))


def moved(lexicon: Lexicon, words: str, target: str) -> Lexicon:
    """The lexicon with ``words`` standing for another phrase than before."""
    owner = lexicon.find(words)
    assert owner is not None
    return add_synonym(remove_synonym(lexicon, owner.name, words), target, words)
