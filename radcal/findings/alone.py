"""A language model that reads alone: of each pathology that a sentence names, it says whether, and the words of the
sentence say which hedge stands there."""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from radcal.findings.joined_sentences import WholeSentence
from radcal.findings.pairs import (
    DOUBTING,
    HEDGED,
    NOT_STATED,
    UNUSUAL,
    Answers,
    Named,
    PairReader,
    Question,
    Spotter,
    assertions,
    decide,
)
from radcal.findings.records import Extraction, Finding
from radcal.findings.rules.vocabulary import Vocabulary, read_vocabularies, settings_hash
from radcal.reports.records import Document
from radcal.system.progress import Progress
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.extraction_words import respelling
from radcal.words.languages import recognise, sentence_language, unreadable
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.records import UNREAD
from radcal.words.word_files import layers

VERSION = "1.0"


def reading_alone(reader: PairReader, lexicon: Lexicon | None = None, own: Path | None = None) -> ReadingAlone:
    """The engine with a pair reader, and the words of findings and hedges.

    Args:
        lexicon: of a department, None for the shipped one; the reader's closed list is of the same.
        own: a department's folder of term and cue files, laid over the shipped ones.

    Raises:
        InputError: a file is missing or malformed; names file, line and reason.
    """
    lexicon = lexicon or load_lexicon()
    vocabularies = read_vocabularies(*layers(own, resource("lexicon")), respelling=respelling(lexicon))
    return ReadingAlone(reader, vocabularies, lexicon)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with the pathologies that it names; code: of its language, '' for one that is not read."""

    whole: WholeSentence
    code: str
    named: tuple[Named, ...]

    def question(self) -> Question:
        text = self.whole.text
        words = tuple(text[n.start : n.end] for n in self.named)
        return Question(text, self.code, tuple(n.pathology for n in self.named), words)


@dataclass(frozen=True, slots=True)
class _Report:
    """A report that is being read: its sentences that name pathologies, or why it is not read."""

    report_id: str
    sentences: tuple[_Sentence, ...]
    failure: Text

    def questions(self) -> list[Question]:
        return [s.question() for s in self.sentences if s.code]


class ReadingAlone:
    """Extraction by a pair reader; the result for a report is independent of the others, up to rounding.

    Close it, or use it in a ``with`` block, to end the reader and clear all cached report text.

    Args:
        reader: answers the questions.
        vocabularies: of each language that is read, by code.
        lexicon: of the phrases.
    """

    def __init__(self, reader: PairReader, vocabularies: Mapping[str, Vocabulary], lexicon: Lexicon) -> None:
        self.reader = reader
        self._described = getattr(reader, "described", reader.name)
        self._vocabularies = vocabularies
        self._spotter = Spotter(vocabularies, lexicon)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        content = [self.reader.settings_hash, settings_hash(self._vocabularies), UNUSUAL, DOUBTING]
        return hashlib.sha256(repr(content).encode()).hexdigest()[:16]

    def pause(self) -> None:
        """Suspend the reader until :meth:`resume`; thread-safe."""
        self.reader.pause()

    def resume(self) -> None:
        """Continue after :meth:`pause`; thread-safe."""
        self.reader.resume()

    def close(self) -> None:
        """End the reader and clear all cached report text."""
        self.reader.close()
        self._spotter.forget()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction per document, in order; with a failure for those in a language that is not read.

        Raises:
            InputError, EngineError: as of the reader.
        """
        total = len(documents) if isinstance(documents, Sized) else None
        waiting: deque[_Report] = deque()

        def questions() -> Iterator[list[Question]]:
            for document in documents:
                waiting.append(self._report(document))
                yield waiting[-1].questions()

        began = time.monotonic()
        for done, answers in enumerate(self.reader.answer(questions(), progress), 1):
            report = waiting.popleft()
            findings = () if answers.failure else tuple(self._findings(report, answers))
            yield Extraction(report.report_id, findings, report.failure or answers.failure)
            progress.advance(1, pace(done, total, time.monotonic() - began))

    def _report(self, document: Document) -> _Report:
        code = recognise(document.text).code
        if code not in self._vocabularies:
            return _Report(document.report_id, (), unreadable(code, self._vocabularies))
        found = []
        for whole in self._spotter.sentences(document, code):
            own = sentence_language(whole.text, code)
            read = own if own in self._vocabularies else ""
            if named := self._spotter.named(whole.text, read or code):
                found.append(_Sentence(whole, read, named))
        return _Report(document.report_id, tuple(found), Text())

    def _findings(self, report: _Report, answers: Answers) -> Iterator[Finding]:
        chances = iter(answers.chances)
        for sentence in report.sentences:
            if not sentence.code:
                for named in sentence.named:
                    yield self._finding(report, sentence, named, UNREAD, None, None)
                continue
            certainty = self._spotter.certainty(sentence.whole.text, sentence.code)
            for named, row in zip(sentence.named, next(chances), strict=True):
                phrase = decide(self.reader.phrases, row, certainty, named)
                if phrase != NOT_STATED:
                    yield self._read(report, sentence, named, phrase, row)

    def _read(
        self, report: _Report, sentence: _Sentence, named: Named, phrase: str, chances: NDArray[np.float64]
    ) -> Finding:
        """The finding of a phrase that was decided, with the words that express it."""
        mass = assertions(self.reader.phrases, chances)
        words = self._spotter.cues(sentence.whole.text, sentence.code, phrase)
        return self._finding(
            report, sentence, named, phrase, nearest(words, named), min(mass.get(phrase, mass[HEDGED]), 1.0)
        )

    def _finding(
        self,
        report: _Report,
        sentence: _Sentence,
        named: Named,
        phrase: str,
        cue: tuple[int, int] | None,
        probability: float | None,
    ) -> Finding:
        term = named.start, named.end
        return sentence.whole.finding(
            report.report_id, named.pathology, phrase, term, cue, self._described, probability
        )


def nearest(words: Sequence[tuple[int, int]], named: Named) -> tuple[int, int] | None:
    """Of the spans of words, the one nearest to those that name a pathology; the first of equals."""
    return min(words, key=lambda w: max(named.start - w[1], w[0] - named.end, 0), default=None)


def pace(done: int, total: int | None, seconds: float) -> Text:
    """Reports per minute and, if the total is known, the time left."""
    rate = done / (max(seconds, 1e-6) / 60)
    pace = Text("{rate:,} reports a minute", rate=round(rate))
    if total is None:
        return pace
    left = max(total - done, 0) / rate
    if left < 1:
        return Text("{pace}, less than a minute left", pace=pace)
    return Text("{pace}, about {n:,} min left", pace=pace, n=round(left))
