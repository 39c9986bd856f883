"""The rules engine: an Extractor based on the term and cue files alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from radcal.findings.joined_sentences import whole_sentences
from radcal.findings.records import Extraction, Finding
from radcal.findings.rules.patterns import flatten
from radcal.findings.rules.scope import Mention, Rule
from radcal.findings.rules.tokens import Token, heads, read_under_headings, tokenise
from radcal.findings.rules.vocabulary import Vocabulary, read_vocabularies, settings_hash
from radcal.findings.rules.walk import Trace, read_mentions
from radcal.reports.records import Document
from radcal.system.progress import Progress
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.extraction_words import respelling
from radcal.words.languages import ENGLISH, recognise, sentence_language, unreadable
from radcal.words.phrases import Lexicon
from radcal.words.records import UNREAD
from radcal.words.word_files import layers

VERSION = "1.9"
_REMEMBERED = 50_000
"""Most sentences whose readings are cached: dictation repeats itself."""


def rules_engine(folder: Path | None = None, lexicon: Lexicon | None = None, own: Path | None = None) -> RulesEngine:
    """The engine with the term and cue files of a folder, None for those shipped with RadCal.

    Args:
        lexicon: of a department, whose own words are read with their meaning there.
        own: a department's folder of term and cue files, laid over the others.

    Raises:
        InputError: a file is missing or malformed; names file, line and reason.
    """
    folders = layers(own, folder or resource("lexicon"))
    return RulesEngine(read_vocabularies(*folders, respelling=respelling(lexicon) if lexicon else None))


class RulesEngine:
    """Extraction by terms, cues and their scope; the result for a report is independent of the others."""

    name = Text("rules")
    version = VERSION

    def __init__(self, vocabularies: Mapping[str, Vocabulary]) -> None:
        """The engine with the vocabulary of each language that it reads, by code."""
        self._vocabularies = dict(vocabularies)
        self._read = lru_cache(_REMEMBERED)(self._read_anew)

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 of the term and cue files, the words of languages and the department's own words."""
        return settings_hash(self._vocabularies)

    def forget(self) -> None:
        """Clear the cache of sentences, the only report text that the engine holds."""
        self._read.cache_clear()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction per document, in order; a report that cannot be read gets one with a failure."""
        for document in documents:
            progress.raise_if_cancelled()
            try:
                code = recognise(document.text).code
                if code in self._vocabularies:
                    extraction = Extraction(document.report_id, tuple(self._findings(document, code)))
                else:
                    extraction = Extraction(document.report_id, (), unreadable(code, self._vocabularies))
            except Exception as e:  # noqa: BLE001 - one unreadable report must not stop the others
                # Only the type of the error: its message may contain report text.
                extraction = Extraction(
                    document.report_id, (), f"The rules cannot read this report ({type(e).__name__})."
                )
            yield extraction
            progress.advance()

    def _findings(self, document: Document, code: str) -> Iterator[Finding]:
        vocabulary = self._vocabularies[code]
        heading, end = "", -1
        for sentence in whole_sentences(document.sentences):
            text, seen = sentence.text, set()
            if heading and "\n" in document.text[end : sentence.pieces[0].start]:
                heading = ""  # a heading applies to the end of its line
            for mention in self._read(text, heading, code):
                phrase = vocabulary.respelling.name(mention.phrase)
                term = mention.start, mention.end
                for pathology in mention.pathologies:
                    finding = sentence.finding(document.report_id, pathology, phrase, term, mention.cue, self.name)
                    key = finding.start, pathology, phrase
                    if key not in seen:
                        seen.add(key)
                        yield finding
            if ":" in text:
                heading = _heading(text, vocabulary)
            end = sentence.pieces[-1].end

    def explain(self, sentence: str, code: str = ENGLISH) -> list[tuple[str, Rule]]:
        """The decisions on a sentence in order: the words, and the rule of the table that applied.

        Args:
            code: of the sentence's language.
        """
        trace: Trace = []
        vocabulary = self._vocabularies[code]
        tokens = _tokens(flat := flatten(sentence), "", vocabulary)
        read_mentions(tokens, flat, vocabulary.doubts, trace)
        return [(sentence[tokens[i].start : tokens[i].end], rule) for i, rule in trace]

    def _read_anew(self, text: str, heading: str, code: str) -> tuple[Mention, ...]:
        """The findings of a sentence, in its own language if that is read; else they are unread."""
        own = sentence_language(text, code)
        flat, vocabulary = flatten(text), self._vocabularies.get(own, self._vocabularies[code])
        mentions = read_mentions(_tokens(flat, heading, vocabulary), flat, vocabulary.doubts)
        if own in self._vocabularies:
            return tuple(mentions)
        return tuple(replace(mention, phrase=UNREAD, cue=None) for mention in mentions)


def _heading(text: str, vocabulary: Vocabulary) -> str:
    """The flattened heading of a sentence, '' if it changes the meaning of no term."""
    heading = flatten(text[: text.index(":")]).strip()
    return heading if any(heads(pattern, heading) for pattern in vocabulary.headings) else ""


def _tokens(flat: str, heading: str, vocabulary: Vocabulary) -> list[Token]:
    tokens = tokenise(flat, vocabulary)
    read_under_headings(tokens, flat, heading)
    return tokens
