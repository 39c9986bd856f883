"""Two readers: the rules read, a second reader says how probable their readings are, and none overrules the other."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from radcal.findings.joined_sentences import WholeSentence
from radcal.findings.readers.chance import Kind, Reading, ReadSentence, chance_hash, fitted, kind_of, ordinary_words
from radcal.findings.readers.pairs import (
    Certainty,
    Named,
    PairEngine,
    PairReader,
    Question,
    Spotter,
    answered,
    decide,
    spotter,
)
from radcal.findings.records import Extraction, Extractor, Finding
from radcal.findings.rules.patterns import flatten
from radcal.reports.records import Document
from radcal.system.progress import Progress, Unseen
from radcal.system.text import Text
from radcal.words.languages import recognise, sentence_language
from radcal.words.phrases import Lexicon
from radcal.words.records import UNREAD
from radcal.words.studies import Laid

VERSION = "1.0"


Places = list[tuple[int, Reading]]
"""The numbers of a report's findings in a sentence, with what was read there."""


class TwoReaders(PairEngine):
    """Extraction by rules, with the chance that each finding was read right; an Extractor that can be paused.

    The second reader says of each sentence in which the rules found something how certain it is.  What the rules read
    stays, with its chance; where that is too small, the finding is unread, with both readings kept.  A report on which
    the second reader fails has failed.

    Args:
        second: the second reader, and kind: whether it is the model that ships or another.
        lexicon: a department's phrases, and own: its folder of term and cue files; those that the readers have.
        unread_below: the least chance at which a finding is taken as it was read, in 0-1; None for the fitted one.

    Raises:
        InputError: a file of words or of :mod:`radcal.findings.readers.chance` is missing or malformed.
    """

    name = Text("rules")

    def __init__(
        self,
        rules: Extractor,
        second: PairReader,
        kind: Kind,
        lexicon: Lexicon,
        own: Laid | None = None,
        unread_below: float | None = None,
    ) -> None:
        super().__init__(second, spotter(lexicon, own))
        self.rules = rules
        self._kind = kind
        self._weights, self._ordinary, self._unread_below = fitted(), ordinary_words(), unread_below

    @property
    def version(self) -> str:
        """Of this module and of both readers."""
        return f"{VERSION}+rules.{self.rules.version}+{self.reader.name}.{self.reader.version}"

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 of the hashes of both readers and of what chances and thresholds depend on.

        Raises:
            InputError: as of the second reader.
        """
        content = [self.rules.settings_hash, self.reader.settings_hash, self._kind, chance_hash(), self._unread_below]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    def close(self) -> None:
        """As of PairEngine; what the rules remember goes, too."""
        super().close()
        if (forget := getattr(self.rules, "forget", None)) is not None:
            forget()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction per document, in order.

        Raises:
            InputError, EngineError: as of the second reader.
        """
        given: deque[Document] = deque()

        def asked() -> Iterator[tuple[tuple[Extraction, list[Places]], list[Question]]]:
            for extraction in self.rules.extract(_kept(documents, given), Unseen(progress)):
                asked = questions_of(given.popleft(), extraction.findings, self._spotter)
                yield (extraction, [places for _, places in asked]), [question for question, _ in asked]

        for (extraction, where), questions, answers in answered(self.reader, asked(), documents, progress):
            if answers.failure:
                yield Extraction(extraction.report_id, (), answers.failure)
                continue
            findings = list(extraction.findings)
            for question, places, chances in zip(questions, where, answers.chances, strict=True):
                self._judge(findings, question, places, chances)
            yield replace(extraction, findings=tuple(findings))

    def _judge(self, findings: list[Finding], question: Question, places: Places, answer: NDArray[np.float64]) -> None:
        """Give the findings of a sentence their chances; what has too small a one becomes unread.

        Args:
            answer: of the second reader, (pathologies, phrases).
        """
        phrases = self.reader.phrases
        tokens = self._spotter.tokens(question.sentence, question.language)
        certainty = self._spotter.certainty(question.sentence, question.language)
        sentence = ReadSentence(flatten(question.sentence), tokens, [r for _, r in places], self._ordinary, certainty)
        rows = dict(zip(question.pathologies, answer, strict=True))
        for number, reading in places:
            chances = rows[reading.pathology]
            second = phrase_of(reading, phrases, chances, certainty)
            if reading.phrase == UNREAD:
                findings[number] = replace(findings[number], second=second)
                continue
            weights = self._weights[kind_of(self._kind, chances)]
            chance = weights.chance(sentence.features(reading, phrases, chances, second))
            least = weights.unread_below if self._unread_below is None else self._unread_below
            is_read = chance >= least
            findings[number] = replace(
                findings[number],
                phrase=reading.phrase if is_read else UNREAD,
                rules="" if is_read else reading.phrase,
                second=second,
                probability=chance,
            )


def phrase_of(reading: Reading, phrases: Sequence[str], chances: NDArray[np.float64], certainty: Certainty) -> str:
    """The second reader's own phrase for what the rules have read.

    Args:
        phrases, chances: its closed list and its probabilities;  certainty: the words of the sentence.
    """
    return decide(phrases, chances, certainty, Named(reading.pathology, *reading.term))


def questions_of(document: Document, findings: Sequence[Finding], spotter: Spotter) -> list[tuple[Question, Places]]:
    """What the second reader is asked: a question of each sentence in which the rules found something.

    Args:
        spotter: with the words of the rules.
    """
    if not findings:
        return []
    code = recognise(document.text).code
    sentences = {piece.start: whole for whole in spotter.sentences(document, code) for piece in whole.pieces}
    here: dict[WholeSentence, Places] = {}
    for number, finding in enumerate(findings):
        whole = sentences[finding.start]
        here.setdefault(whole, []).append((number, _reading(finding, whole)))
    asked = []
    for whole, places in here.items():
        terms = {r.pathology: whole.text[slice(*r.term)] for _, r in reversed(places)}
        names = tuple(dict.fromkeys(r.pathology for _, r in places))
        own = sentence_language(whole.text, code)
        language = own if own in spotter.languages else code
        asked.append((Question(whole.text, language, names, tuple(terms[name] for name in names)), places))
    return asked


def _kept(documents: Iterable[Document], given: deque[Document]) -> Iterator[Document]:
    for document in documents:
        given.append(document)
        yield document


def _reading(finding: Finding, whole: WholeSentence) -> Reading:
    cue = whole.within(finding.cue_start, finding.cue_end) if finding.cue_start >= 0 else None
    return Reading(finding.pathology, finding.phrase, whole.within(finding.term_start, finding.term_end), cue)
