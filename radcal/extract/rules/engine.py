"""The rules engine: an Extractor that needs nothing but the term and cue files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from radcal.extract.joined_sentences import Places, joined, whole_sentences
from radcal.extract.rules.patterns import flatten
from radcal.extract.rules.scope import Mention, Rule
from radcal.extract.rules.tokens import Token, heads, read_under_headings, tokenise
from radcal.extract.rules.vocabulary import Entry, Vocabulary, read_vocabulary
from radcal.extract.rules.walk import Trace, read_mentions
from radcal.lexicon.extraction_words import respelling
from radcal.lexicon.phrases import Lexicon
from radcal.progress import Progress
from radcal.records import Document, Extraction, Finding
from radcal.resources import resource
from radcal.text import Text

VERSION = "1.5"
_REMEMBERED = 50_000
"""Sentences kept with their reading: dictation repeats itself."""


def rules_engine(folder: Path | None = None, lexicon: Lexicon | None = None) -> RulesEngine:
    """The engine over the term and cue files of a folder, None for those that ship with RadCal.

    Args:
        lexicon: a department's; its own words are read as what they stand for there.

    Raises:
        InputError: a file is missing or broken; names file, line and reason.
    """
    own = respelling(lexicon) if lexicon is not None else None
    return RulesEngine(read_vocabulary(folder if folder is not None else resource("lexicon"), own))


class RulesEngine:
    """Terms, cues and their scope; the same result for a report whatever its company."""

    name = Text("rules")
    version = VERSION

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._merged: dict[str, Entry] = {}
        self._read = lru_cache(_REMEMBERED)(self._read_anew)

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 over the term and cue files and the department's own words."""
        return self._vocabulary.settings_hash

    def forget(self) -> None:
        """Drop the remembered sentences, and with them the only report text that the engine holds."""
        self._read.cache_clear()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction for each document, in order; one with a failure where a report cannot be read."""
        for document in documents:
            progress.raise_if_cancelled()
            try:
                extraction = Extraction(document.report_id, tuple(self._findings(document)))
            except Exception as e:  # noqa: BLE001 - one report that cannot be read must not stop the others
                # The kind of error only: its message may hold words of the report.
                extraction = Extraction(
                    document.report_id, (), f"The rules cannot read this report ({type(e).__name__})."
                )
            yield extraction
            progress.advance()

    def _findings(self, document: Document) -> Iterator[Finding]:
        heading, end = "", -1
        for sentences in whole_sentences(document.sentences):
            text, place = joined(sentences), Places(sentences)
            seen = set()
            if heading and "\n" in document.text[end : sentences[0].start]:
                heading = ""  # a heading holds to the end of its line
            for mention in self._read(text, heading):
                sentence, _ = place(mention.end - 1)
                phrase = self._vocabulary.respelling.name(mention.phrase)
                for pathology in mention.pathologies:
                    key = (sentence.start, pathology, phrase)
                    if key in seen:
                        continue
                    seen.add(key)
                    spans = (mention.start, mention.end - 1, mention.cue_start, mention.cue_end - 1)
                    term_start, term_last, cue_start, cue_last = (place(p)[1] for p in spans)
                    yield Finding(
                        document.report_id,
                        pathology,
                        phrase,
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

            if ":" in text:
                heading = self._heading(text)
            end = sentences[-1].end

    def _heading(self, text: str) -> str:
        """The heading that a sentence opens its line with, flattened; '' for one behind which no word changes."""
        heading = flatten(text[: text.index(":")]).strip()
        return heading if any(heads(pattern, heading) for pattern in self._vocabulary.headings) else ""

    def explain(self, sentence: str) -> list[tuple[str, Rule]]:
        """The words of a sentence at which a rule of the table decided, each with its rule, decision by decision."""
        trace: Trace = []
        tokens = self._tokens(flat := flatten(sentence))
        read_mentions(tokens, flat, trace)
        return [(sentence[tokens[i].start : tokens[i].end], rule) for i, rule in trace]

    def _read_anew(self, text: str, heading: str) -> tuple[Mention, ...]:
        flat = flatten(text)
        return tuple(read_mentions(self._tokens(flat, heading), flat))

    def _tokens(self, flat: str, heading: str = "") -> list[Token]:
        tokens = tokenise(flat, self._vocabulary, self._merged)
        read_under_headings(tokens, flat, heading)
        return tokens
