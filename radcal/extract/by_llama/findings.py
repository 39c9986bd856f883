"""Findings from the readings of a model: the canonical phrase, and the spans of its words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from radcal.extract.by_llama.protocol import HEDGED, STATES, Phrases
from radcal.extract.joined_sentences import WholeSentence
from radcal.extract.rules.patterns import flatten
from radcal.extract.rules.tokens import tokenise
from radcal.extract.rules.vocabulary import Vocabulary
from radcal.lexicon.phrases import Lexicon
from radcal.records import PRESENT, Finding

_REMEMBERED = 10_000


class Findings:
    """Turns readings into findings by the words of the report alone."""

    def __init__(self, vocabulary: Vocabulary, lexicon: Lexicon, engine: str) -> None:
        self._vocabulary = vocabulary
        self._lexicon = lexicon
        self._engine = engine
        self._phrases = Phrases(vocabulary, lexicon)
        self._terms = lru_cache(_REMEMBERED)(self._find_terms)
        self._cue = lru_cache(1000)(self._cue_pattern)

    def make(self, report_id: str, sentence: WholeSentence, reading: Mapping[str, Any]) -> Finding:
        """The finding of a reading, given as the values of :class:`~radcal.extract.by_llama.readers.Reading`."""
        text, pathology, said = sentence.text, str(reading["pathology"]), str(reading["said"])
        term, cue = reading["term"], reading["cue"]
        if term:
            phrase = self._phrases.of(said, text[slice(*cue)] if cue else "") if said in STATES else said
        else:
            found = self._lexicon.find(said)
            phrase = found.name if found else self._phrases.of(HEDGED, said)
            if phrase == PRESENT:
                cue = None
            elif cue is None and (match := self._cue(phrase).search(text)):
                cue = match.span()
            term = self._nearest_term(text, pathology, cue)
        return sentence.finding(report_id, pathology, phrase, term, cue, self._engine, float(reading["probability"]))

    def forget(self) -> None:
        """Clear the cached words of reports."""
        self._terms.cache_clear()
        self._phrases.of.cache_clear()

    def _nearest_term(self, text: str, pathology: str, cue: Sequence[int] | None) -> tuple[int, int]:
        """The span of the pathology's term nearest to the cue; the whole sentence if no known term occurs."""
        places = [(a, b) for a, b, names in self._terms(text) if pathology in names]
        if not places:
            return 0, len(text)
        if cue is None:
            return places[0]
        return min(places, key=lambda p: max(cue[0] - p[1], p[0] - cue[1], 0))

    def _find_terms(self, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
        tokens = tokenise(flatten(text), self._vocabulary)
        return [(t.start, t.end, t.term.pathologies) for t in tokens if t.term is not None]

    def _cue_pattern(self, phrase: str) -> re.Pattern[str]:
        """The wordings of a phrase, the longest first."""
        found = self._lexicon.find(phrase)
        words = sorted({phrase, *(found.synonyms if found else ())}, key=len, reverse=True)
        either = "|".join(r"\s+".join(map(re.escape, w.split())) for w in words)
        return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)
