"""The one question that models are asked: of a sentence and a pathology that its words name, how certain it is.

A pair reader answers with its probabilities over the closed list of phrases and "not stated".  The rules' lists of
terms find the pathologies, with no regard to cues, scope or negation; the model says whether, and the words of the
sentence say which hedge stands there.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from radcal.findings.joined_sentences import WholeSentence, whole_sentences
from radcal.findings.normaliser import Normaliser
from radcal.findings.rules.patterns import flatten
from radcal.findings.rules.tokens import Token, read_beside, tokenise
from radcal.findings.rules.vocabulary import Vocabulary, read_vocabularies
from radcal.reports.records import Document
from radcal.system.progress import Progress, Unseen
from radcal.system.resources import resource
from radcal.system.text import Text, joined
from radcal.words.extraction_words import respelling
from radcal.words.phrases import Lexicon
from radcal.words.records import ABSENT, OTHER, PRESENT
from radcal.words.studies import Laid, layers

NOT_STATED = "not stated"
"""The answer where a sentence names a pathology and asserts nothing of it: history, question, technique, advice."""
HEDGED = "hedged"
"""What a sentence asserts if it is neither PRESENT nor ABSENT nor NOT_STATED: any hedge."""
SUSPICION_WEIGHTS = {NOT_STATED: 0.2, HEDGED: 0.1, ABSENT: 0.1}
"""Weights of what models suspect too often: of "not stated"; of a hedge, and of a denial, without any words for it."""
HEDGE_WEIGHT = 2.0
"""Weight of a hedge whose words stand where they can govern the name, and do more than list possibilities.

Chosen together with :data:`SUSPICION_WEIGHTS` by what Qwen2.5 1.5B answers of the made-up sets.
"""
_LISTING = frozenset({"or", "versus", "either"})
"""Kinds of tokens that only list possibilities."""
_NEGATING = "negation"
"""The kind of tokens that negate."""
_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence, and what is asked of it.

    language:    code of the sentence's language
    pathologies: canonical names
    words:       for each pathology, the words of the sentence that name it
    """

    sentence: str
    language: str
    pathologies: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to the questions of one report, or why there are none.

    chances: for each question (pathologies, phrases), P(phrase | sentence, pathology); rows sum to 1
    """

    chances: tuple[NDArray[np.float64], ...]
    failure: str = ""


class PairReader(Protocol):
    """A language model, on this computer or on a server, that answers questions of pairs.

    phrases: the closed list, the last of them NOT_STATED
    name, version, settings_hash: as of :class:`radcal.findings.records.Identified`
    """

    phrases: tuple[str, ...]

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def settings_hash(self) -> str: ...

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        """The answers to each report's questions, in order; for a report that fails, the reason.

        It takes reports ahead of what it has answered, so that it always has enough to read.

        Args:
            progress: by which it can be cancelled; whoever asks advances it.
        """
        ...

    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def close(self) -> None: ...


Subject = TypeVar("Subject")


def answered(
    reader: PairReader,
    asked: Iterable[tuple[Subject, Sequence[Question]]],
    documents: Iterable[object],
    progress: Progress,
) -> Iterator[tuple[Subject, Sequence[Question], Answers]]:
    """Each report's questions with what they came with and their answers, in order.

    Args:
        documents: the reports behind them: progress tells the time left if their number is known.
    """
    total = len(documents) if isinstance(documents, Sized) else None
    waiting: deque[tuple[Subject, Sequence[Question]]] = deque()

    def questions() -> Iterator[Sequence[Question]]:
        for subject, some in asked:
            waiting.append((subject, some))
            yield some

    began, failed = time.monotonic(), 0
    for done, answers in enumerate(reader.answer(questions(), Unseen(progress)), 1):
        yield *waiting.popleft(), answers
        failed += bool(answers.failure)
        note = _pace(done, total, time.monotonic() - began)
        if failed:
            of_model = Text(
                "the language model failed on {n:,} report",
                many="the language model failed on {n:,} reports",
                n=failed,
            )
            note = joined((note, of_model), "; ")
        progress.advance(1, note)


def _pace(done: int, total: int | None, seconds: float) -> Text:
    """Reports per minute and, if the total is known, the time left."""
    rate = done / (max(seconds, 1e-6) / 60)
    pace = Text("{rate:,} reports a minute", rate=round(rate))
    if total is None:
        return pace
    left = max(total - done, 0) / rate
    if left < 1:
        return Text("{pace}, less than a minute left", pace=pace)
    return Text("{pace}, about {n:,} min left", pace=pace, n=round(left))


@dataclass(frozen=True, slots=True)
class Named:
    """A pathology that the words of a sentence name; start, end: where, the state of an organ included."""

    pathology: str
    start: int
    end: int


def question_of(sentence: str, code: str, named: Collection[Named]) -> Question:
    """The question of a sentence in a language and of the pathologies that it names."""
    words = tuple(sentence[n.start : n.end] for n in named)
    return Question(sentence, code, tuple(n.pathology for n in named), words)


@dataclass(frozen=True, slots=True)
class Hedge:
    """A phrase of the lexicon, or 'other', whose words stand in a sentence.

    listing: it does no more than list possibilities, as "or" does
    direction: where it stands of what it governs: "before", "after" or "both"
    """

    phrase: str
    start: int
    end: int
    listing: bool = False
    direction: str = "both"

    def reaches(self, named: Named) -> bool:
        """Whether it stands on the side of a name from which it can govern it."""
        before, after = self.start < named.start, named.end < self.end
        return {"before": before, "after": after}.get(self.direction, True)


@dataclass(frozen=True, slots=True)
class Certainty:
    """The words of a sentence that say how certain it is.

    hedges:  in order;  denying: whether it holds a negation
    states:  spans of words for the state of an organ, as "normal"
    """

    hedges: tuple[Hedge, ...] = ()
    denying: bool = False
    states: tuple[tuple[int, int], ...] = ()

    def can_deny(self, named: Named) -> bool:
        """Whether words of the sentence can deny a name."""
        return self.denying or any(named.start <= start and end <= named.end for start, end in self.states)


class Spotter:
    """Finds named pathologies and hedges in sentences by the lists of terms and cues alone.

    Args:
        vocabularies: of each language that is read, by code.
        lexicon: of the phrases.
    """

    def __init__(self, vocabularies: Mapping[str, Vocabulary], lexicon: Lexicon) -> None:
        self.vocabularies = vocabularies
        self.languages = frozenset(vocabularies)
        self._normalisers = {code: Normaliser(words, code) for code, words in vocabularies.items()}
        self._phrases = {code: HedgePhrases(words, lexicon) for code, words in vocabularies.items()}
        self.tokens = lru_cache(_REMEMBERED)(self._tokens)

    def sentences(self, document: Document, code: str) -> Iterator[WholeSentence]:
        """The sentences of a report in a language that assert something, their words written out."""
        return whole_sentences(document.sentences, self._normalisers[code])

    def named(self, sentence: str, code: str) -> tuple[Named, ...]:
        """The pathologies that a sentence names, in the order of their first words, each once."""
        tokens = self.tokens(sentence, code)
        flat = flatten(sentence)
        found: dict[str, Named] = {}
        states = {name: t for t in tokens for name in t.state or ()}
        for t in tokens:
            if t.term is not None and not (t.term.unless is not None and t.term.unless.search(flat)):
                for name in t.term.pathologies:
                    found.setdefault(name, Named(name, t.start, t.end))
            if t.subject is not None and (state := states.get(t.subject)) is not None:
                start, end = min(t.start, state.start), max(t.end, state.end)
                found.setdefault(t.subject, Named(t.subject, start, end))
        counted = self.vocabularies[code].counted
        return tuple(named for named in found.values() if counted is None or named.pathology in counted)

    def hedges(self, sentence: str, code: str) -> tuple[Hedge, ...]:
        """The hedges whose words stand in a sentence, in order."""
        found: list[Hedge] = []
        hedging = _LISTING | {"hedge"}
        for t in self.tokens(sentence, code):
            if t.kind == "hedge":
                hedging |= {"instead"}  # "likely edema over pneumonia", but "right greater than left"
            if t.kind in hedging:
                phrase = self._phrases[code].of(sentence[t.start : t.end])
                found.append(Hedge(phrase, t.start, t.end, t.kind in _LISTING, t.cue.direction))
        return tuple(found)

    def certainty(self, sentence: str, code: str) -> Certainty:
        """The words of a sentence that say how certain it is."""
        tokens = self.tokens(sentence, code)
        denying = any(t.kind == _NEGATING for t in tokens)
        return Certainty(self.hedges(sentence, code), denying, tuple((t.start, t.end) for t in tokens if t.state))

    def cues(self, sentence: str, code: str, phrase: str) -> list[tuple[int, int]]:
        """The spans of the words that express a phrase in a sentence, in order; none for PRESENT.

        Words that only list possibilities are given where no others express it.
        """
        if phrase == ABSENT:
            return [(t.start, t.end) for t in self.tokens(sentence, code) if t.kind == _NEGATING]
        found = [h for h in self.hedges(sentence, code) if h.phrase == phrase]
        return [(h.start, h.end) for h in [h for h in found if not h.listing] or found]

    def forget(self) -> None:
        """Clear the cached words of reports."""
        self.tokens.cache_clear()
        for normaliser in self._normalisers.values():
            normaliser.forget()
        for phrases in self._phrases.values():
            phrases.of.cache_clear()

    def _tokens(self, sentence: str, code: str) -> list[Token]:
        flat = flatten(sentence)
        tokens = tokenise(flat, self.vocabularies[code])
        read_beside(tokens, flat)
        return tokens


def spotter(lexicon: Lexicon, own: Laid | None = None) -> Spotter:
    """The words of findings and hedges.

    Args:
        lexicon: a department's, or the shipped one.
        own: a department's folder of term and cue files, laid over the shipped ones.

    Raises:
        InputError: a file is missing or malformed; names file, line and reason.
    """
    return Spotter(read_vocabularies(*layers(own, resource("lexicon")), respelling=respelling(lexicon)), lexicon)


class PairEngine:
    """An engine that asks a pair reader, and can be paused; close it, or use it in a ``with`` block."""

    def __init__(self, reader: PairReader, spotter: Spotter) -> None:
        self.reader = reader
        self._spotter = spotter

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def pause(self) -> None:
        """Suspend the reader, behind which all else waits, until :meth:`resume`; from any thread."""
        self.reader.pause()

    def resume(self) -> None:
        """Continue after :meth:`pause`; from any thread."""
        self.reader.resume()

    def close(self) -> None:
        """End the reader and clear all cached report text."""
        self.reader.close()
        self._spotter.forget()


class HedgePhrases:
    """Maps the words of a hedge to a canonical phrase, by the cue file of the rules first, then by the lexicon."""

    def __init__(self, vocabulary: Vocabulary, lexicon: Lexicon) -> None:
        self._vocabulary = vocabulary
        self._lexicon = lexicon
        self.of = lru_cache(_REMEMBERED)(self._find)

    def _find(self, words: str) -> str:
        tokens = tokenise(flatten(words), self._vocabulary)
        hedges = [t.cue for t in tokens if t.kind in ("hedge", "instead")]
        name = self._vocabulary.respelling.name
        if hedges:
            return name(min(hedges, key=lambda c: c.rank).phrase)
        found = self._lexicon.find(words)
        if found is not None and found.name not in (ABSENT, PRESENT):
            return found.name
        return name("possibly") if any(t.kind in ("or", "versus", "either") for t in tokens) else OTHER


def phrases_of(lexicon: Lexicon) -> tuple[str, ...]:
    """The closed list of a lexicon: its phrases from weak to strong, and NOT_STATED."""
    return (*(p.name for p in lexicon.phrases), NOT_STATED)


def assertions(phrases: Sequence[str], chances: NDArray[np.float64]) -> dict[str, float]:
    """P(present), P(absent), P(hedged) and P(not stated) of one pair; they sum to 1."""
    mass = dict.fromkeys((PRESENT, ABSENT, HEDGED, NOT_STATED), 0.0)
    for phrase, chance in zip(phrases, chances, strict=True):
        mass[phrase if phrase in mass else HEDGED] += float(chance)
    return mass


def governing(hedges: Iterable[Hedge], named: Named) -> list[Hedge]:
    """Those of a sentence's hedges that can govern a name, by how likely each is to do so.

    Those that do more than list possibilities come first, then the nearest.
    """

    def order(hedge: Hedge) -> tuple[bool, int]:
        return hedge.listing, max(named.start - hedge.end, hedge.start - named.end, 0)

    return sorted((h for h in hedges if h.phrase not in (PRESENT, ABSENT) and h.reaches(named)), key=order)


def decide(phrases: Sequence[str], chances: NDArray[np.float64], certainty: Certainty, named: Named) -> str:
    """The phrase of one pair: whether by the model, which hedge by the words of the sentence where they name one.

    Args:
        certainty: the words of the sentence;  named: those that name the pathology.

    Returns:
        PRESENT, ABSENT, NOT_STATED, the hedge that governs the pathology, or the likeliest of the list where the
        sentence holds the words of none.
    """
    here = governing(certainty.hedges, named)
    mass = assertions(phrases, chances)
    mass[NOT_STATED] *= SUSPICION_WEIGHTS[NOT_STATED]
    if not certainty.can_deny(named):
        mass[ABSENT] *= SUSPICION_WEIGHTS[ABSENT]
    if not here:
        mass[HEDGED] *= SUSPICION_WEIGHTS[HEDGED]
    elif not here[0].listing:
        mass[HEDGED] *= HEDGE_WEIGHT
    best = max(mass, key=lambda name: mass[name])
    if best != HEDGED:
        return best
    if here:
        return here[0].phrase
    chance = dict(zip(phrases, chances, strict=True))
    vague = [p for p in phrases if p not in (PRESENT, ABSENT, NOT_STATED)]
    return max(vague, key=lambda p: chance[p])


def by_words(certainty: Certainty, named: Named) -> str:
    """What the words for certainty say of a name without any model: HEDGED, ABSENT or PRESENT.

    The bar of a model's trial, and one of the things that the chance of a reading goes by.
    """
    here = governing(certainty.hedges, named)
    if here and not here[0].listing:
        return HEDGED
    return ABSENT if certainty.can_deny(named) else PRESENT
