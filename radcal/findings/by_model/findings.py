"""Findings from the readings of a model: the canonical phrase, and the spans of its words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from radcal.findings.by_model.protocol import HEDGED, STATES, Phrases
from radcal.findings.by_model.rows import spans
from radcal.findings.joined_sentences import WholeSentence
from radcal.findings.records import Finding
from radcal.findings.rules.patterns import flatten
from radcal.findings.rules.tokens import tokenise
from radcal.findings.rules.vocabulary import Vocabulary
from radcal.words.phrases import Lexicon, normalise
from radcal.words.records import ABSENT, PRESENT

_REMEMBERED = 10_000
_HEDGING = frozenset({"hedge", "instead", "or", "versus", "either"})
"""Kinds of tokens that hedge."""
_SURE = 0.9
"""Least probability of a reading whose term the lexicon does not know."""


class Findings:
    """Turns readings into findings by the words of the report alone."""

    def __init__(self, vocabulary: Vocabulary, lexicon: Lexicon, engine: str) -> None:
        self._lexicon = lexicon
        self._engine = engine
        self._phrases = Phrases(vocabulary, lexicon)
        self._tokens = lru_cache(_REMEMBERED)(lambda text: tokenise(flatten(text), vocabulary))
        self._terms = lru_cache(_REMEMBERED)(self._find_terms)
        self._cue = lru_cache(1000)(self._cue_pattern)

    def make(self, report_id: str, sentence: WholeSentence, reading: Mapping[str, Any]) -> Finding | None:
        """The finding of a reading, given as the values of :class:`~radcal.findings.by_model.readers.Reading`.

        None where the words that were copied as its term do not mean its pathology.  A probability of None stays so.
        """
        text, pathology, said = sentence.text, str(reading["pathology"]), str(reading["said"])
        term, cue = reading["term"], reading["cue"]
        probability = None if reading["probability"] is None else float(reading["probability"])
        if term:
            if not self._means(text, pathology, term, 0.0 if probability is None else probability):
                return None
            phrase = self._phrases.of(said, text[slice(*cue)] if cue else "") if said in STATES else said
        else:
            found = self._lexicon.find(said)
            phrase = found.name if found else self._phrases.of(HEDGED, said)
            if phrase == PRESENT:
                cue = None
            elif cue is None and (match := self._cue(phrase).search(text)):
                cue = match.span()
            term = self._nearest_term(text, pathology, cue)
        return sentence.finding(report_id, pathology, phrase, term, cue, self._engine, probability)

    def stands(self, text: str, said: str) -> tuple[int, int] | None:
        """Where a hedge stands in a sentence: in the words named, or in others for the same phrase; None if nowhere.

        Other words are the wordings of the lexicon, and the cues of the sentence's language.
        """
        wanted = normalise(said)
        for words, place in spans(text).items():
            if normalise(words) == wanted:
                return place
        found = self._lexicon.find(said)
        if found is None or found.name in (PRESENT, ABSENT):
            return None
        if match := self._cue(found.name).search(text):
            return match.span()
        for token in self._tokens(text):
            if token.kind in _HEDGING and self._phrases.of(HEDGED, text[token.start : token.end]) == found.name:
                return token.start, token.end
        return None

    def _means(self, text: str, pathology: str, term: Sequence[int], probability: float) -> bool:
        """Whether words can stand for a pathology: what the lexicon knows, it decides, look-alikes among it.

        Organs ("heart size") do so with a state that it knows ("normal"), and unknown words if the model is sure.
        """
        tokens = self._tokens(text)
        inside = [t for t in tokens if t.start < term[1] and t.end > term[0]]
        if named := [t.term for t in inside if t.term is not None]:
            return any(pathology in names for n in named for names in (n.pathologies, *(under for _, under in n.under)))
        if any(t.subject == pathology for t in inside):
            return any(t.state and pathology in t.state for t in tokens)
        return probability >= _SURE

    def forget(self) -> None:
        """Clear the cached words of reports."""
        self._tokens.cache_clear()
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
        return [(t.start, t.end, t.term.pathologies) for t in self._tokens(text) if t.term is not None]

    def _cue_pattern(self, phrase: str) -> re.Pattern[str]:
        """The wordings of a phrase, the longest first."""
        found = self._lexicon.find(phrase)
        words = sorted({phrase, *(found.synonyms if found else ())}, key=len, reverse=True)
        either = "|".join(r"\s+".join(map(re.escape, w.split())) for w in words)
        return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)
