"""Why a sentence is read as it is: the words found, the rules that decided, and what the second reader says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from radcal.findings.engines import close_engine, make_engine, model_name
from radcal.findings.readers.pairs import (
    HEDGED,
    NOT_STATED,
    Certainty,
    Named,
    PairReader,
    assertions,
    decide,
    question_of,
    spotter,
)
from radcal.findings.readers.second import TwoReaders
from radcal.findings.records import Finding
from radcal.findings.rules.engine import RulesEngine, Traced, rules_engine
from radcal.reports.records import Document, Section, Sentence
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.words.languages import recognise, sentence_language, unreadable
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.records import ABSENT, PRESENT
from radcal.words.studies import laid_over
from radcal.words.word_files import NOTHING

_WITH_MEANING = frozenset({"hedge", "negation", "silence", "over", "instead", "versus", "either", "or", "doubt"})
"""Kinds of cues that say something of a finding; the others join or part statements."""


@dataclass(frozen=True, slots=True)
class WrittenOut:
    """Words of the sentence, and what is read instead; '' for words that are left out."""

    words: str
    read: str


@dataclass(frozen=True, slots=True)
class NamedWords:
    """Words that name pathologies, or, with an organ's state, express them."""

    words: str
    pathologies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CueWords:
    """Words that say how certain a finding is; kind and phrase: as in cues.tsv, '' for no phrase."""

    words: str
    kind: str
    phrase: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A rule of the table that applied at words of the sentence, and what it states."""

    words: str
    rule: str
    says: str


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """What the second reader says of a pathology in the sentence.

    present, absent, hedged, not_stated: probabilities; they sum to 1
    hedge:  the likeliest hedge, and its probability
    phrase: what it takes the sentence to say, in all; 'not stated' for nothing
    """

    present: float
    absent: float
    hedged: float
    not_stated: float
    hedge: str
    hedge_chance: float
    phrase: str


@dataclass(frozen=True, slots=True)
class ExplainedFinding:
    """A finding of the sentence.

    phrase: as it is taken, 'unread' where the readers doubt;  rules: as the rules read it
    words, cue: of the sentence; '' for no cue
    decided: the rule that gave the phrase, None for what rules did not read
    chance: that it was read right, None where no second reader read it
    """

    pathology: str
    phrase: str
    rules: str
    words: str
    cue: str
    decided: Decision | None
    chance: float | None
    second: SecondOpinion | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a sentence is read.

    language: code;  read: its words as both readers have them
    unstated: what the second reader says of pathologies that are named and that the rules do not take for stated
    second:   name of the second reader, '' for none;  failure: why it did not answer, or why the sentence is not read
    """

    sentence: str
    language: str
    read: str
    written_out: tuple[WrittenOut, ...] = ()
    terms: tuple[NamedWords, ...] = ()
    cues: tuple[CueWords, ...] = ()
    decisions: tuple[Decision, ...] = ()
    findings: tuple[ExplainedFinding, ...] = ()
    unstated: tuple[tuple[str, SecondOpinion], ...] = ()
    second: str = ""
    failure: str = ""


def explain(
    sentence: str, settings: Settings | None = None, lexicon: Lexicon | None = None, progress: Progress = SILENT
) -> Explanation:
    """Explain one sentence, with the second reader of the settings.

    Args:
        settings: what reads beside the rules, and the department's own vocabulary; None for the defaults.
        lexicon: a department's, None for the shipped one.

    Raises:
        InputError: the sentence is empty, or a file of words or a model cannot be used.
        EngineError: the second reader cannot be started.
    """
    settings = (settings or Settings()).changed(engine="rules", workers=1)
    engine = make_engine("rules", "", settings, lexicon)
    try:
        return Explainer(engine, lexicon or load_lexicon(), settings).explain(sentence, progress)
    finally:
        close_engine(engine)


class Explainer:
    """Explains sentences by an engine that stays open.

    Args:
        engine: the rules, or :class:`radcal.findings.readers.second.TwoReaders`.
        lexicon, settings: those of the engine.
    """

    def __init__(self, engine: object, lexicon: Lexicon, settings: Settings) -> None:
        own = laid_over(settings)
        self._engine = engine if isinstance(engine, TwoReaders) else None
        rules = engine.rules if isinstance(engine, TwoReaders) else engine
        self._rules = rules if isinstance(rules, RulesEngine) else rules_engine(None, lexicon, own)
        self._spotter = spotter(lexicon, own)

    def explain(self, sentence: str, progress: Progress = SILENT) -> Explanation:
        """Explain one sentence.

        Raises:
            InputError: it is empty.
            EngineError: as of the second reader.
        """
        sentence = sentence.strip()
        if not sentence:
            raise InputError("There is no sentence to explain. Write one between quotes.")
        code = sentence_language(sentence, recognise(sentence).code)
        if code not in self._spotter.languages:
            return Explanation(sentence, code, sentence, failure=str(unreadable(code, sorted(self._spotter.languages))))
        traced = self._rules.trace(sentence, code)
        document = Document("", sentence, (Sentence(Section.FINDINGS, 0, len(sentence), sentence),))
        read, opinions, failure = self._second(document, traced, code, progress)
        findings = tuple(self._findings(sentence, traced, read, opinions))
        stated = {f.pathology for f in findings}
        return Explanation(
            sentence,
            code,
            traced.normal.text,
            tuple(WrittenOut(sentence[e.start : e.end], e.words) for e in traced.normal.edits),
            tuple(_terms(traced)),
            tuple(_cues(traced)),
            tuple(_decision(traced, n) for n in range(len(traced.steps))),
            findings,
            tuple((name, opinion) for name, opinion in opinions.items() if name not in stated),
            (model_name(self._engine) or str(self._engine.reader.name)) if self._engine else "",
            failure,
        )

    def _second(
        self, document: Document, traced: Traced, code: str, progress: Progress
    ) -> tuple[list[Finding], dict[str, SecondOpinion], str]:
        """The findings with their chances, the second reader's opinions by pathology, and why there are none."""
        if self._engine is None:
            [extraction] = self._rules.extract([document], progress)
            return list(extraction.findings), {}, extraction.failure
        [extraction] = self._engine.extract([document], progress)
        if extraction.failure:
            [alone] = self._rules.extract([document], progress)
            return list(alone.findings), {}, extraction.failure
        text = traced.normal.text
        named = {n.pathology: n for n in self._spotter.named(text, code)}
        for m in traced.findings:
            named |= {name: Named(name, m.start, m.end) for name in m.pathologies}
        if not named:
            return [], {}, extraction.failure
        question = question_of(text, code, named.values())
        reader = self._engine.reader
        [answers] = reader.answer([[question]], progress)
        if answers.failure:
            return list(extraction.findings), {}, answers.failure
        certainty = self._spotter.certainty(text, code)
        opinions = {
            n.pathology: _opinion(reader, row, certainty, n)
            for n, row in zip(named.values(), answers.chances[0], strict=True)
        }
        return list(extraction.findings), opinions, ""

    def _findings(
        self, sentence: str, traced: Traced, read: Sequence[Finding], opinions: dict[str, SecondOpinion]
    ) -> Iterator[ExplainedFinding]:
        for finding in read:
            term = finding.term_start, finding.term_end
            steps = [
                n
                for n, step in enumerate(traced.steps)
                for m in step.findings
                if finding.pathology in m.pathologies and traced.normal.original(m.start, m.end) == term
            ]
            yield ExplainedFinding(
                finding.pathology,
                finding.phrase,
                finding.rules or finding.phrase,
                sentence[slice(*term)],
                finding.verbatim,
                _decision(traced, steps[-1]) if steps else None,
                finding.probability,
                opinions.get(finding.pathology),
            )


def _terms(traced: Traced) -> Iterator[NamedWords]:
    organs = {t.subject for t in traced.tokens if t.subject not in (None, NOTHING)}
    for t in traced.tokens:
        words = traced.normal.text[t.start : t.end]
        if t.term is not None and t.term.pathologies:
            yield NamedWords(words, t.term.pathologies)
        elif t.subject in organs and t.subject is not None:
            yield NamedWords(words, (t.subject,))
        elif t.state and (expressed := tuple(name for name in t.state if name in organs)):
            yield NamedWords(words, expressed)


def _cues(traced: Traced) -> Iterator[CueWords]:
    for t in traced.tokens:
        if t.kind in _WITH_MEANING and not (t.kind == "over" and t.cue.phrase == NOTHING):
            phrase = "" if t.cue.phrase == NOTHING else t.cue.phrase
            yield CueWords(traced.normal.text[t.start : t.end], t.kind, phrase)


def _decision(traced: Traced, number: int) -> Decision:
    step = traced.steps[number]
    token = traced.tokens[step.token]
    return Decision(traced.normal.text[token.start : token.end], step.rule.name, step.rule.says)


def _opinion(reader: PairReader, chances: NDArray[np.float64], certainty: Certainty, named: Named) -> SecondOpinion:
    mass = assertions(reader.phrases, chances)
    vague = [n for n, phrase in enumerate(reader.phrases) if phrase not in (PRESENT, ABSENT, NOT_STATED)]
    likeliest = max(vague, key=lambda n: chances[n])
    return SecondOpinion(
        mass[PRESENT],
        mass[ABSENT],
        mass[HEDGED],
        mass[NOT_STATED],
        reader.phrases[likeliest],
        float(chances[likeliest]),
        decide(reader.phrases, chances, certainty, named),
    )
