"""The rules engine: an Extractor that needs nothing but the term and cue files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from radcal.extract.rules.patterns import flatten
from radcal.extract.rules.scope import Mention, read_mentions
from radcal.extract.rules.tokens import tokenise
from radcal.extract.rules.vocabulary import Entry, Vocabulary, read_vocabulary
from radcal.progress import Progress
from radcal.records import Document, Extraction, Finding, Section, Sentence
from radcal.resources import resource

VERSION = "1.0"
_SILENT_SECTIONS = frozenset((Section.INDICATION, Section.COMPARISON, Section.TECHNIQUE, Section.OTHER))
_REMEMBERED = 50_000
"""Sentences kept with their reading: dictation repeats itself."""
_DANGLING = re.compile(
    r"(?:^|\s)(?:an?|and|are|as|at|by|for|from|has|have|in|is|its|likely|may|no|not|of|on|or|right|left|than|that|the"
    r"|there|to|was|were|which|with|without|mediastinal|hilar|axillary|pleural|pulmonary|pericardial|small|mild|lower"
    r"|upper|middle|bilateral|large|evidence|focal|lobe)$|,$",
    re.IGNORECASE,
)
"""Words that a sentence does not end with: the line was broken behind them."""


def rules_engine(folder: Path | None = None) -> RulesEngine:
    """The engine over the term and cue files of a folder, None for those that ship with RadCal.

    Raises:
        InputError: a file is missing or broken; names file, line and reason.
    """
    return RulesEngine(read_vocabulary(folder if folder is not None else resource("lexicon")))


class RulesEngine:
    """Terms, cues and their scope; the same result for a report whatever its company."""

    name = "rules"
    version = VERSION

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._merged: dict[str, Entry] = {}
        self._read = lru_cache(_REMEMBERED)(self._read_anew)

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 over the term and cue files."""
        return self._vocabulary.settings_hash

    def forget(self) -> None:
        """Drop the remembered sentences, and with them the only report text that the engine holds."""
        self._read.cache_clear()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction for each document, in order."""
        for document in documents:
            progress.raise_if_cancelled()
            yield Extraction(document.report_id, tuple(self._findings(document)))
            progress.advance()

    def _findings(self, document: Document) -> Iterator[Finding]:
        for sentences in _whole_sentences(document.sentences):
            text = sentences[0].text if len(sentences) == 1 else " ".join(s.text for s in sentences)
            seen = set()
            for mention in self._read(text):
                sentence, _ = _place(sentences, mention.end - 1)
                for pathology in mention.pathologies:
                    key = (sentence.start, pathology, mention.phrase)
                    if key in seen:
                        continue
                    seen.add(key)
                    spans = (mention.start, mention.end - 1, mention.cue_start, mention.cue_end - 1)
                    term_start, term_last, cue_start, cue_last = (_place(sentences, p)[1] for p in spans)
                    yield Finding(
                        document.report_id,
                        pathology,
                        mention.phrase,
                        text[mention.cue_start : mention.cue_end] if mention.cue_start >= 0 else "",
                        sentence.text,
                        sentence.section,
                        sentence.start,
                        sentence.end,
                        term_start,
                        term_last + 1,
                        cue_start if mention.cue_start >= 0 else -1,
                        cue_last + 1 if mention.cue_start >= 0 else -1,
                        self.name,
                    )

    def _read_anew(self, text: str) -> tuple[Mention, ...]:
        flat = flatten(text)
        return tuple(read_mentions(tokenise(flat, self._vocabulary, self._merged), flat))


def _whole_sentences(sentences: tuple[Sentence, ...]) -> Iterator[list[Sentence]]:
    """The sentences that assert something, with those put together that a line break cut in two."""
    whole: list[Sentence] = []
    for sentence in sentences:
        if sentence.section in _SILENT_SECTIONS:
            continue
        if whole and not _continues(whole[-1], sentence):
            yield whole
            whole = []
        whole.append(sentence)
    if whole:
        yield whole


def _continues(first: Sentence, second: Sentence) -> bool:
    if first.section is not second.section or not second.text:
        return False
    text = first.text.rstrip()
    if not text or text[-1] in ".:;!?":
        return False
    return second.text[0].islower() or _DANGLING.search(text) is not None


def _place(sentences: list[Sentence], position: int) -> tuple[Sentence, int]:
    """The sentence that a position of the joined text stands in, and the position in the report's text."""
    for sentence in sentences[:-1]:
        if position <= len(sentence.text):
            return sentence, sentence.start + position
        position -= len(sentence.text) + 1
    return sentences[-1], sentences[-1].start + position
