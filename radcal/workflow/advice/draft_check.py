"""A draft read as a report, with what the author's results say of each certainty word in it; nothing is kept.

The draft and what is made of it live in the memory of the caller alone: the rules engine that reads it is one
of its own and forgets every sentence at once, nothing is written, and no error quotes the draft.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from radcal.errors import InputError
from radcal.progress import SILENT, Progress
from radcal.records import ALL_DAYS, Advice, Analysis, Days, Finding, Modality, PhraseRate, Section
from radcal.workflow.advice.rewording import rewordings

if TYPE_CHECKING:
    from radcal.extract.rules import RulesEngine
    from radcal.workflow.department import Department

LONGEST = 20_000
"""Characters of a draft; more is no sentence to try, and would not be read as one types."""


class Told(StrEnum):
    """What the results say of a word."""

    ADVICE = "advice"
    """Other words would have matched better."""
    MATCHES = "matches"
    """The word agrees with what CT showed."""
    WITHHELD = "withheld"
    """There are enough uses, and no advice, with a reason."""
    FEW = "few"
    """Too few uses of the word, or too few findings for the pathology."""
    NEVER = "never"
    """The author has not used the word for the pathology."""
    UNKNOWN = "unknown"
    """The word is in no list of phrases."""


@dataclass(frozen=True, slots=True)
class TriedWord:
    """A certainty word in a draft, for one pathology, and what the author's results say of it.

    start, end: span in the draft of the certainty words, or of the pathology's where it is stated plainly
    phrase: canonical;  verbatim: as written, '' for a plain statement
    rate: how often CT confirmed the author's uses of the phrase for the topic, None if there are none
    text: the advice in a sentence, or the reason why there is none; '' where the kind says it all
    needed: how many uses or findings advice needs, for FEW
    target: the phrase that would have matched, '' without advice
    replace_start, replace_end, replacement: the edit that says it so; '' where the sentence must be reworded by hand
    """

    start: int
    end: int
    topic: str
    phrase: str
    verbatim: str
    told: Told
    rate: PhraseRate | None = None
    text: str = ""
    needed: int = 0
    target: str = ""
    replace_start: int = -1
    replace_end: int = -1
    replacement: str = ""


@dataclass(frozen=True, slots=True)
class TriedSentence:
    """A draft and the certainty words found in it, in their order, compared with the results of these days."""

    text: str
    author: str
    days: Days
    words: tuple[TriedWord, ...]


class Trying:
    """Reads drafts for a department."""

    def __init__(self, department: Department) -> None:
        self._department = department
        self._engine: tuple[str, RulesEngine] | None = None

    def read(self, text: str, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> TriedSentence:
        """The certainty words of a draft with what the author's results of these days say of each.

        Raises:
            InputError: nobody of that name has statements here, the range of days is empty, or the draft is longer
                than LONGEST.
            DataError: there is no analysis yet.
            Cancelled: by ``progress``.
        """
        analysis = self._department.within.analysis(author, days, progress)
        if len(text) > LONGEST:
            raise InputError(
                "The draft has {n:,} characters; up to {longest:,} are read as one types. Try a part of it.",
                n=len(text),
                longest=LONGEST,
            )
        about = _About(analysis, self._department)
        try:
            found = self._findings(text)
            words = (self._with_edit(about.word(f), f, text, found) for f in found)
            return TriedSentence(text, author, days, tuple(sorted(words, key=lambda w: (w.start, w.end, w.topic))))
        finally:
            if self._engine is not None:
                self._engine[1].forget()

    def _findings(self, text: str) -> list[Finding]:
        from radcal.ingest.sections import document

        draft = document("draft", text, Modality.XRAY)
        # Whatever a draft says outside of indication, comparison and technique is a statement.
        said = tuple(replace(s, section=Section.FINDINGS) if s.section is Section.OTHER else s for s in draft.sentences)
        read = self._reader().extract([replace(draft, sentences=said)], SILENT)
        return [f for extraction in read for f in extraction.findings]

    def _reader(self) -> RulesEngine:
        """The rules with the words that the results were made with."""
        from radcal.extract.rules import rules_engine
        from radcal.lexicon.extraction_words import for_reading

        words = for_reading(self._department.words.analysed())
        if self._engine is None or self._engine[0] != words.version:
            self._engine = words.version, rules_engine(lexicon=words)
        return self._engine[1]

    def _with_edit(self, word: TriedWord, f: Finding, text: str, found: Sequence[Finding]) -> TriedWord:
        """The word with the edit that follows its advice, if the edited draft reads as advised and else as before."""
        if not word.target:
            return word
        wanted = [(o.pathology, word.target if o is f else o.phrase) for o in found]
        for edit in rewordings(text, f, word.target):
            edited = text[: edit.start] + edit.text + text[edit.end :]
            if [(o.pathology, o.phrase) for o in self._findings(edited)] == wanted:
                return replace(word, replace_start=edit.start, replace_end=edit.end, replacement=edit.text)
        return word


class _About:
    """What an author's results say of words."""

    def __init__(self, analysis: Analysis, department: Department) -> None:
        self._min_phrase_n = department.settings.min_phrase_n
        self._reliability = {r.topic: r for r in analysis.reliabilities}
        self._advice = {a.topic: a for a in analysis.advices}
        self._phrases = {p.name for p in department.phrases()}

    def word(self, f: Finding) -> TriedWord:
        start, end = _span(f)
        word = TriedWord(start, end, f.pathology, f.phrase, f.verbatim, Told.NEVER)
        if f.phrase not in self._phrases:
            return replace(word, told=Told.UNKNOWN)
        group, advice = self._reliability.get(f.pathology), self._advice.get(f.pathology)
        rate = next((p for p in group.phrases if p.phrase == f.phrase and p.n > 0), None) if group else None
        if group is None or rate is None:
            return word
        word = replace(word, rate=rate)
        made = next((r for r in advice.recommendations if r.source == f.phrase), None) if advice else None
        if made is not None:
            return replace(word, told=Told.ADVICE, text=made.text, target=made.target)
        if rate.n < self._min_phrase_n:
            return replace(word, told=Told.FEW, needed=self._min_phrase_n)
        if advice is not None and f.phrase in advice.matching:
            return replace(word, told=Told.MATCHES)
        return replace(word, told=Told.WITHHELD, text=_reason(f.phrase, advice) or group.reason)


def _reason(phrase: str, advice: Advice | None) -> str:
    if advice is None:
        return ""
    return next((w.reason for w in advice.withheld if w.phrase == phrase), "") or advice.reason


def _span(f: Finding) -> tuple[int, int]:
    return (f.cue_start, f.cue_end) if f.cue_start >= 0 else (f.term_start, f.term_end)
