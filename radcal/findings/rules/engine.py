"""The rules engine: an Extractor based on the term and cue files alone.

A sentence is read by the table of rules: at every token, the first rule that applies decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from radcal.findings.edits import Edited
from radcal.findings.joined_sentences import whole_sentences
from radcal.findings.normaliser import Normaliser
from radcal.findings.records import Extraction, Finding
from radcal.findings.rules.doubted_states import read_doubted_states
from radcal.findings.rules.forward_scope import cue_at
from radcal.findings.rules.organs import organ_states
from radcal.findings.rules.patterns import flatten
from radcal.findings.rules.precedence import AFTER, BEFORE, BEHIND, HEADINGS, REST, Part
from radcal.findings.rules.scope import NO_CUE, Mention, Rule, Scope, Step
from radcal.findings.rules.tokens import Token, heads, read_beside, read_under_headings, tokenise
from radcal.findings.rules.vocabulary import Vocabulary, read_vocabularies, settings_hash
from radcal.reports.records import Document
from radcal.system.progress import Progress
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.extraction_words import respelling
from radcal.words.languages import ENGLISH, recognise, sentence_language, unreadable
from radcal.words.phrases import Lexicon
from radcal.words.records import UNREAD
from radcal.words.studies import Laid, layers

VERSION = "2.4"
_REMEMBERED = 50_000
"""Most sentences whose readings are cached: dictation repeats itself."""


@dataclass(frozen=True, slots=True)
class Traced:
    """How a sentence is read.

    normal:   its words as they are read
    tokens:   those that have a meaning, with spans in these; the last is the END
    steps:    the decisions in order
    findings: what it asserts
    """

    normal: Edited
    tokens: tuple[Token, ...]
    steps: tuple[Step, ...]
    findings: tuple[Mention, ...]


def read_mentions(
    tokens: list[Token], flat: str, vocabulary: Vocabulary, trace: list[Step] | None = None
) -> list[Mention]:
    """The findings that a sentence asserts, in order, with phrase and cue.

    Args:
        tokens: of the sentence.
        flat: the flattened sentence.
        vocabulary: of the sentence's language.
        trace: receives every decision.
    """
    organs = organ_states(tokens, flat, vocabulary.expressions)
    holds = [i in organs or (t.term is not None and bool(t.term.pathologies)) for i, t in enumerate(tokens)]
    if True not in holds:
        return []
    s = Scope(tokens, flat, organs, holds, vocabulary.expressions, vocabulary.doubts, trace)
    _read_forwards(s)
    for table in (_BEHIND, _AFTER):
        for i, token in enumerate(tokens):
            if token.kind in table:
                _ask(s, table[token.kind], i)
    for mention, by in s.favoured:
        s.give(mention, by)
    if ":" in flat:
        for i in reversed(list(s.mentions)):
            named = s.names(i)
            _ask(s, _HEADINGS["finding"], i)
            s.named |= named
    for i, mentions in s.mentions.items():
        for s.finding in mentions:
            if not s.finding.phrase:
                _ask(s, _REST["finding"], i)
    if vocabulary.counted is not None:
        read_doubted_states(s)
    return [m for i, mentions in s.mentions.items() for m in mentions if i not in s.silenced or m.fixed]


def _read_forwards(s: Scope) -> None:
    """Apply cues from left to right."""
    for i, token in enumerate(s.tokens):
        kind = token.kind
        if s.holds[i]:
            if s.cue is not NO_CUE:
                _ask(s, _IN_FORCE["finding"], i)
            _find(s, i, token)
            if kind not in ("negation", "hedge"):
                continue
        if kind in _CUES:
            s.coming = cue_at(s, i)
        elif token.subject is not None and s.cue.kind == "negation" and not (s.cue.taken or s.cue.closing):
            s.denied[i] = s.cue
        rules = (_WITHOUT_CUE if s.cue is NO_CUE else _IN_FORCE).get(kind)
        if rules is not None:
            _ask(s, rules, i)


def _find(s: Scope, i: int, token: Token) -> None:
    """Read the findings at a token: those of its term, and those that an organ's state expresses."""
    if token.term is not None and token.term.pathologies:
        s.add(Mention(i, token.start, token.end, token.term.pathologies))
        _ask(s, _WITHOUT_CUE["term"], i)
    for organ in s.organs.get(i, ()):
        s.organ = organ
        first, last = sorted((organ.since, organ.state))
        s.add(Mention(i, s.tokens[first].start, s.tokens[last].end, (organ.pathology,), organ=organ))
        _ask(s, _WITHOUT_CUE["organ"], i)


def _ask(s: Scope, rules: tuple[Rule, ...], i: int) -> None:
    for rule in rules:
        if rule.when(s, i):
            if s.trace is None:
                rule.then(s, i)
            else:
                before = [(m, m.phrase, m.cue) for mentions in s.mentions.values() for m in mentions]
                rule.then(s, i)
                changed = (m for m, phrase, cue in before if (m.phrase, m.cue) != (phrase, cue))
                s.trace.append(Step(i, rule, tuple(changed)))
            return


def _by_kind(parts: Iterable[Part]) -> dict[str, tuple[Rule, ...]]:
    """The rules for each kind of token, in order of precedence."""
    table: dict[str, tuple[Rule, ...]] = {}
    for part in parts:
        for kind in part.at:
            table[kind] = (*table.get(kind, ()), *part.rules)
    return table


_CUES = ("hedge", "negation", "silence", "over")
_IN_FORCE = _by_kind(BEFORE)
_WITHOUT_CUE = _by_kind(part for part in BEFORE if not part.in_force)
_BEHIND, _AFTER = _by_kind(BEHIND), _by_kind(AFTER)
_HEADINGS, _REST = _by_kind(HEADINGS), _by_kind(REST)


def rules_engine(folder: Path | None = None, lexicon: Lexicon | None = None, own: Laid | None = None) -> RulesEngine:
    """The engine with the term and cue files of a folder, None for those shipped with RadCal.

    Args:
        lexicon: of a department, whose own words are read with their meaning there.
        own: a study's words, or a department's folder of term and cue files, laid over the others.

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
        self._normalise = {code: Normaliser(words, code) for code, words in self._vocabularies.items()}
        self._read = lru_cache(_REMEMBERED)(self._read_anew)

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 of the term and cue files, the words of languages and the department's own words."""
        return settings_hash(self._vocabularies)

    def forget(self) -> None:
        """Clear the caches of sentences, the only report text that the engine holds."""
        self._read.cache_clear()
        for normalise in self._normalise.values():
            normalise.forget()

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
        for sentence in whole_sentences(document.sentences, self._normalise[code]):
            text, seen = sentence.text, set()
            if heading and "\n" in document.text[end : sentence.pieces[0].start]:
                heading = ""  # a heading applies to the end of its line
            for mention in self._read(text, heading, code):
                phrase = vocabulary.respelling.name(mention.phrase)
                term = mention.start, mention.end
                for pathology in mention.pathologies:
                    if vocabulary.counted is not None and pathology not in vocabulary.counted:
                        continue
                    finding = sentence.finding(document.report_id, pathology, phrase, term, mention.cue, self.name)
                    key = finding.start, pathology, phrase
                    if key not in seen:
                        seen.add(key)
                        yield finding
            if ":" in text:
                heading = _heading(text, vocabulary)
            end = sentence.pieces[-1].end

    def trace(self, sentence: str, code: str = ENGLISH) -> Traced:
        """How a sentence is read, step by step.

        Args:
            code: of the language of its report.
        """
        own = sentence_language(sentence, code)
        code = own if own in self._vocabularies else code
        vocabulary, normal = self._vocabularies[code], self._normalise[code](sentence)
        tokens, steps = _tokens(flat := flatten(normal.text), "", vocabulary), list[Step]()
        findings = read_mentions(tokens, flat, vocabulary, steps)
        return Traced(normal, tuple(tokens), tuple(steps), tuple(findings))

    def _read_anew(self, text: str, heading: str, code: str) -> tuple[Mention, ...]:
        """The findings of a sentence, in its own language if that is read; else they are unread."""
        own = sentence_language(text, code)
        flat, vocabulary = flatten(text), self._vocabularies.get(own, self._vocabularies[code])
        mentions = read_mentions(_tokens(flat, heading, vocabulary), flat, vocabulary)
        if own in self._vocabularies:
            return tuple(mentions)
        return tuple(replace(mention, phrase=UNREAD, cue=None) for mention in mentions)


def _heading(text: str, vocabulary: Vocabulary) -> str:
    """The flattened heading of a sentence, '' if it changes the meaning of no term."""
    heading = flatten(text[: text.index(":")]).strip()
    return heading if any(heads(pattern, heading, vocabulary.expressions) for pattern in vocabulary.headings) else ""


def _tokens(flat: str, heading: str, vocabulary: Vocabulary) -> list[Token]:
    tokens = tokenise(flat, vocabulary)
    read_beside(tokens, flat)
    read_under_headings(tokens, flat, heading, vocabulary.expressions)
    return tokens
