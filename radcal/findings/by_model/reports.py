"""A report as a language model is shown it, and its findings from what the model read.

The bundled model reads terms that it was not trained on, because it is shown a term that it knows in their place: what
it learnt of certainty does not depend on the finding.  "There may be an azygos lobe" is shown to it as "there may be an
atelectasis", and what it reads of the atelectasis holds for the azygos lobe.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from radcal.findings.by_model.protocol import HEDGED, STATES, Phrases
from radcal.findings.by_model.rows import spans
from radcal.findings.joined_sentences import WholeSentence, whole_sentences
from radcal.findings.records import Extraction, Finding
from radcal.findings.rules.patterns import flatten
from radcal.findings.rules.tokens import tokenise
from radcal.findings.rules.vocabulary import Term, Vocabulary
from radcal.reports.records import Document
from radcal.words.languages import recognise, sentence_language, unreadable
from radcal.words.phrases import Lexicon, normalise
from radcal.words.records import ABSENT, PRESENT, UNREAD

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


@dataclass(frozen=True, slots=True)
class _Place:
    """A term and its stand-in: spans in the sentence and in what the model is shown.

    known:       the pathology that the stand-in names
    pathologies: that the term names
    """

    start: int
    end: int
    shown_start: int
    shown_end: int
    known: str
    pathologies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence as shown to the model."""

    text: str
    places: tuple[_Place, ...] = ()

    def readings(self, reading: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """A reading of the text as readings of the sentence: those of the term for that of its stand-in.

        Whatever else the model makes of a stand-in is left out.
        """
        if not self.places or not reading["term"]:
            yield reading
            return
        start, end = reading["term"]
        moved = {**reading, "term": self._span(reading["term"]), "cue": reading["cue"] and self._span(reading["cue"])}
        place = next((p for p in self.places if p.shown_start < end and start < p.shown_end), None)
        if place is None:
            yield moved
        elif reading["pathology"] == place.known:
            for pathology in place.pathologies:
                yield {**moved, "pathology": pathology, "term": (place.start, place.end)}

    def _span(self, span: Sequence[int]) -> tuple[int, int]:
        """A span of the text as a span of the sentence; one that touches a stand-in holds its whole term."""
        return self._at(span[0]), self._at(span[1] - 1, last=True)

    def _at(self, at: int, *, last: bool = False) -> int:
        i = bisect_right(self.places, at, key=lambda p: p.shown_start) - 1
        if i < 0:
            return at + last
        place = self.places[i]
        if at < place.shown_end:
            return place.end if last else place.start
        return at - place.shown_end + place.end + last


class StandIns:
    """Finds the terms that a model cannot know, and stand-ins for them.

    Args:
        vocabulary: the words of the pathologies.
        trained: the pathologies that the model knows; none for a model that is told of all in its prompt.
    """

    def __init__(self, vocabulary: Vocabulary, trained: Sequence[str] = ()) -> None:
        self._vocabulary = vocabulary
        self._trained = trained
        # A pathology of one word stands in a sentence like any term.
        self._plain = [name for name in trained if name.isalpha()]
        self._needed = bool(self._plain) and any(
            e.term is not None and self._is_new(e.term) for e in vocabulary.entries
        )

    def shown(self, text: str) -> Shown:
        """A sentence with stand-ins for the department's own terms, and for those of pathologies not trained on."""
        if not self._needed:
            return Shown(text)
        flat = flatten(text)
        terms = [(t.start, t.end, t.term) for t in tokenise(flat, self._vocabulary) if t.term is not None]
        named = {name for _, _, term in terms for name in term.pathologies}
        free = iter([name for name in self._plain if name not in named and name not in flat])
        chosen: dict[tuple[str, ...], str] = {}
        pieces, places, at, length = [], [], 0, 0
        for start, end, term in terms:
            if not self._is_new(term) or (term.unless is not None and term.unless.search(flat)):
                continue
            (first, *more) = term.pathologies
            known = first if first in self._trained and not more else chosen.get(term.pathologies) or next(free, "")
            if not known:
                continue
            chosen[term.pathologies] = known
            pieces += [text[at:start], known]
            length += start - at
            places.append(_Place(start, end, length, length + len(known), known, term.pathologies))
            length += len(known)
            at = end
        return Shown("".join([*pieces, text[at:]]), tuple(places))

    def _is_new(self, term: Term) -> bool:
        return bool(term.pathologies) and (term.own or not set(term.pathologies).issubset(self._trained))


@dataclass(frozen=True, slots=True)
class Report:
    """A report to be read.

    code: of its language;  sentences: those that assert something, none in a language that is not read
    shown: the same as the model is shown them
    """

    report_id: str
    code: str
    sentences: tuple[WholeSentence, ...]
    shown: tuple[Shown, ...]

    @property
    def texts(self) -> list[str]:
        """The sentences as the model is shown them."""
        return [sentence.text for sentence in self.shown]


class Reports:
    """Makes reports of documents, and extractions of readings.

    Args:
        findings: of each language that is read, by its code.
        stand_ins: for terms that the model cannot know.
    """

    def __init__(self, findings: Mapping[str, Findings], stand_ins: StandIns) -> None:
        self._findings = findings
        self._stand_ins = stand_ins

    def report(self, document: Document) -> Report:
        """The report of a document."""
        code = recognise(document.text).code
        sentences = tuple(whole_sentences(document.sentences)) if code in self._findings else ()
        shown = tuple(self._stand_ins.shown(sentence.text) for sentence in sentences)
        return Report(document.report_id, code, sentences, shown)

    def extraction(self, report: Report, readings: Iterable[Mapping[str, Any]], failure: str = "") -> Extraction:
        """The findings of a report's readings, each the values of
        :class:`~radcal.findings.by_model.readers.Reading`."""
        if report.code not in self._findings:
            return Extraction(report.report_id, (), unreadable(report.code, self._findings))
        findings = (
            self._made(report, report.sentences[own["sentence"]], own)
            for reading in readings
            for own in report.shown[reading["sentence"]].readings(reading)
        )
        return Extraction(report.report_id, tuple(f for f in findings if f is not None), failure)

    def of_sentence(self, report: Report, sentence: int) -> Findings:
        """What makes the findings of a sentence: that of its own language, if it is read."""
        own = sentence_language(report.sentences[sentence].text, report.code)
        return self._findings.get(own, self._findings[report.code])

    def forget(self) -> None:
        """Clear the cached words of reports."""
        for findings in self._findings.values():
            findings.forget()

    def _made(self, report: Report, sentence: WholeSentence, reading: Mapping[str, Any]) -> Finding | None:
        """The finding of a reading; unread if its sentence is in another language than those that are read."""
        own = sentence_language(sentence.text, report.code)
        finding = self._findings.get(own, self._findings[report.code]).make(report.report_id, sentence, reading)
        if finding is None or own in self._findings:
            return finding
        return replace(finding, phrase=UNREAD, verbatim="", cue_start=-1, cue_end=-1)
