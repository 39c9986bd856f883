"""Suggests a phrase for unknown words."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher

from radcal.words.phrases import Lexicon, denies, normalise

_ALIKE = 0.7
"""How like each other two spellings must be, 0-1."""


def suggest(lexicon: Lexicon, words: str) -> str:
    """The phrase whose name or synonyms are spelled most similarly; '' if none.

    Likeness is that of difflib's SequenceMatcher.  Words that deny are never taken to be like words that do not:
    "improbable" is no "probable".
    """
    best, name = _ALIKE, ""
    wanted = normalise(words)
    letters, negative = Counter(wanted), denies(wanted)
    for p in lexicon.phrases:
        for known in map(normalise, (p.name, *p.synonyms)):
            # No likeness exceeds the share of letters that both have.
            if 2 * (letters & Counter(known)).total() <= best * (len(wanted) + len(known)):
                continue
            likeness = SequenceMatcher(None, wanted, known).ratio()
            if likeness > best and negative == denies(known):
                best, name = likeness, p.name
    return name
