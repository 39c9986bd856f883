"""How sure a sentence sounds, by the phrases of a lexicon in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from radcal.lexicon.phrases import Lexicon, mean_of, normalise
from radcal.records import ABSENT, PRESENT


class HedgeWords:
    """Reads the first of the longest phrases in a sentence; plain statements hedge nothing and are left out.

    Args:
        lexicons: those whose phrases are looked for; of one phrase in several, the first lexicon counts.
    """

    def __init__(self, *lexicons: Lexicon) -> None:
        self._means: dict[str, float] = {}
        for phrase in (p for lexicon in lexicons for p in lexicon.phrases if p.name not in (ABSENT, PRESENT)):
            for words in (phrase.name, *phrase.synonyms):
                if re.search(r"\w{3}", words):
                    self._means.setdefault(normalise(words), mean_of(phrase))
        longest = sorted(self._means, key=len, reverse=True)
        self._found = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")

    def __call__(self, sentences: Sequence[str]) -> list[float | None]:
        """For each sentence the mean of its phrase, in 0-1; None where none is found."""
        found = (self._found.search(normalise(sentence)) for sentence in sentences)
        return [None if match is None else self._means[match.group()] for match in found]
