"""Lexicons with another meaning of a word."""

from __future__ import annotations

from radcal.words.editing import named, replaced, with_moments
from radcal.words.phrases import Lexicon, spread_of


def with_mean(lexicon: Lexicon, name: str, mean: float) -> Lexicon:
    """Return the lexicon with a phrase's mean changed and its spread kept, as far as possible."""
    phrase = named(lexicon, name)
    return replaced(lexicon, with_moments(phrase, mean, spread_of(phrase)))
