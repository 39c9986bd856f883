"""Certainty words of a draft, assessed by the author's results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from radcal.records import Advice, Analysis, Finding, Phrase, Wording
from radcal.records.draft import Assessment, CheckedWord


class WordAssessor:
    """Assesses the certainty words of a draft by its author's results.

    Args:
        analysis: of the author.
        min_phrase_n: least uses of a word for advice.
        phrases: the lexicon of the analysis.
        wordings: the author's, the most frequent first.
    """

    def __init__(
        self, analysis: Analysis, min_phrase_n: int, phrases: Sequence[Phrase], wordings: Sequence[Wording] = ()
    ) -> None:
        self._wordings = wordings
        self._min_phrase_n = min_phrase_n
        self._reliability = {r.topic: r for r in analysis.reliabilities}
        self._advice = {a.topic: a for a in analysis.advices}
        self._phrases = {p.name for p in phrases}

    def assess(self, f: Finding) -> CheckedWord:
        """The assessment of a finding's word, without an edit."""
        start, end = (f.cue_start, f.cue_end) if f.cue_start >= 0 else (f.term_start, f.term_end)
        word = CheckedWord(start, end, f.pathology, f.phrase, f.verbatim, Assessment.NEVER)
        if f.phrase not in self._phrases:
            return replace(word, assessment=Assessment.UNKNOWN)
        group, advice = self._reliability.get(f.pathology), self._advice.get(f.pathology)
        rate = next((p for p in group.phrases if p.phrase == f.phrase and p.n > 0), None) if group else None
        if group is None or rate is None:
            return word
        written = tuple(w for w in self._wordings if (w.topic, w.phrase) == (f.pathology, f.phrase))
        word = replace(word, rate=rate, written=written)
        made = next((r for r in advice.recommendations if r.source == f.phrase), None) if advice else None
        if made is not None:
            return replace(word, assessment=Assessment.ADVICE, text=made.text, target=made.target)
        if rate.n < self._min_phrase_n:
            return replace(word, assessment=Assessment.FEW, needed=self._min_phrase_n)
        if advice is not None and f.phrase in advice.agreeing:
            return replace(word, assessment=Assessment.AGREES)
        return replace(word, assessment=Assessment.WITHHELD, text=_reason(f.phrase, advice) or group.reason)


def _reason(phrase: str, advice: Advice | None) -> str:
    if advice is None:
        return ""
    return next((w.reason for w in advice.withheld if w.phrase == phrase), "") or advice.reason
