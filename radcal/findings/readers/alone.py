"""A language model that reads alone: of each pathology that a sentence names, it says whether, and the words of the
sentence say which hedge stands there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from radcal.findings.joined_sentences import WholeSentence
from radcal.findings.readers.pairs import (
    HEDGE_WEIGHT,
    HEDGED,
    NOT_STATED,
    SUSPICION_WEIGHTS,
    Answers,
    Named,
    PairEngine,
    PairReader,
    Question,
    answered,
    assertions,
    decide,
    question_of,
    spotter,
)
from radcal.findings.records import Extraction, Finding
from radcal.findings.rules.vocabulary import settings_hash
from radcal.reports.records import Document
from radcal.system.progress import Progress
from radcal.system.text import Text
from radcal.words.languages import recognise, sentence_language, unreadable
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.records import UNREAD
from radcal.words.studies import Laid

VERSION = "1.1"


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with the pathologies that it names; code: of its language, '' for one that is not read."""

    whole: WholeSentence
    code: str
    named: tuple[Named, ...]


_Report = tuple[str, Text, list[_Sentence]]
"""A report that is being read: its id, why it is not read or an empty text, and its sentences that name pathologies."""


class ReadingAlone(PairEngine):
    """Extraction by a pair reader; the result for a report is independent of the others, up to rounding.

    Args:
        lexicon: of a department, None for the shipped one; the reader's closed list is of the same.
        own: a department's folder of term and cue files, laid over the shipped ones.

    Raises:
        InputError: a file is missing or malformed; names file, line and reason.
    """

    def __init__(self, reader: PairReader, lexicon: Lexicon | None = None, own: Laid | None = None) -> None:
        super().__init__(reader, spotter(lexicon or load_lexicon(), own))

    @property
    def name(self) -> str:
        return self.reader.name

    @property
    def version(self) -> str:
        """Of this engine and of the reader."""
        return f"{VERSION}/{self.reader.version}"

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 of the reader's settings and of the words; errors as of the reader."""
        content = [
            self.reader.settings_hash,
            settings_hash(self._spotter.vocabularies),
            SUSPICION_WEIGHTS,
            HEDGE_WEIGHT,
        ]
        return hashlib.sha256(repr(content).encode()).hexdigest()[:16]

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction per document, in order; with a failure for those in a language that is not read.

        Raises:
            InputError, EngineError: as of the reader.
        """
        asked = ((report, list(_questions(report))) for report in map(self._report, documents))
        for (report_id, failure, sentences), _, answers in answered(self.reader, asked, documents, progress):
            findings = () if answers.failure else tuple(self._findings(report_id, sentences, answers))
            yield Extraction(report_id, findings, failure or answers.failure)

    def _report(self, document: Document) -> _Report:
        code = recognise(document.text).code
        if code not in self._spotter.languages:
            return document.report_id, unreadable(code, self._spotter.vocabularies), []
        found = []
        for whole in self._spotter.sentences(document, code):
            own = sentence_language(whole.text, code)
            read = own if own in self._spotter.languages else ""
            if named := self._spotter.named(whole.text, read or code):
                found.append(_Sentence(whole, read, named))
        return document.report_id, Text(), found

    def _findings(self, report_id: str, sentences: Iterable[_Sentence], answers: Answers) -> Iterator[Finding]:
        chances = iter(answers.chances)
        for sentence in sentences:
            if not sentence.code:
                for named in sentence.named:
                    yield self._finding(report_id, sentence, named, UNREAD)
                continue
            certainty = self._spotter.certainty(sentence.whole.text, sentence.code)
            for named, row in zip(sentence.named, next(chances), strict=True):
                phrase = decide(self.reader.phrases, row, certainty, named)
                if phrase != NOT_STATED:
                    mass = assertions(self.reader.phrases, row)
                    probability = min(mass.get(phrase, mass[HEDGED]), 1.0)
                    yield self._finding(report_id, sentence, named, phrase, probability)

    def _finding(
        self, report_id: str, sentence: _Sentence, named: Named, phrase: str, probability: float | None = None
    ) -> Finding:
        """The finding of a phrase, with the words that express it nearest to those that name the pathology."""
        whole = sentence.whole
        cues = [] if phrase == UNREAD else self._spotter.cues(whole.text, sentence.code, phrase)
        cue = min(cues, key=lambda c: max(named.start - c[1], c[0] - named.end, 0), default=None)
        term, described = (named.start, named.end), getattr(self.reader, "described", self.name)
        return whole.finding(report_id, named.pathology, phrase, term, cue, described, probability)


def _questions(report: _Report) -> Iterator[Question]:
    return (question_of(s.whole.text, s.code, s.named) for s in report[2] if s.code)
