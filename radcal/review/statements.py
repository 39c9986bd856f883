"""Readers' statements: phrase, pathology, and the spans of both in the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.findings.records import Finding
from radcal.words.records import ABSENT, OTHER, PRESENT

if TYPE_CHECKING:
    from radcal.review.records import GoldReport


def new_statement(
    report: GoldReport, sentence: int, pathology: str, phrase: str, cues: Sequence[str] = (), terms: Sequence[str] = ()
) -> Finding:
    """A statement added by a reader; its words are marked if found in the sentence.

    Args:
        sentence: its place in ``report.sentences``, from 0.
        cues: words that the phrase is written in.
        terms: synonyms of the pathology, in lower case.
    """
    said = report.sentences[sentence]
    made = Finding(
        report.report_id, pathology, phrase, "", said.text, said.section, said.start, said.end, said.start, said.end
    )
    return with_phrase(with_pathology(made, pathology, terms), phrase, cues)


def with_pathology(finding: Finding, pathology: str, terms: Sequence[str] = ()) -> Finding:
    """The statement with another pathology; its term is marked if the sentence names it.

    ``terms`` are its synonyms, in lower case; the longest in the sentence is marked.
    """
    said = finding.sentence.lower()
    there = sorted((t for t in terms if all(word in said for word in t.split())), key=len, reverse=True)
    span = _find(finding.sentence, (pathology, *there, *pathology.split()[-1:]))
    if span is None:
        return replace(finding, pathology=pathology)
    return replace(finding, pathology=pathology, term_start=finding.start + span[0], term_end=finding.start + span[1])


def with_phrase(finding: Finding, phrase: str, cues: Sequence[str] = ()) -> Finding:
    """The statement with another phrase; its cue is marked if the sentence has one of ``cues``.

    A plain statement needs no cue; a hedge whose words are not found keeps those of before.
    """
    words = [*cues] if phrase == OTHER else [phrase, *cues]
    span = None if phrase == PRESENT else _find(finding.sentence, sorted(words, key=len, reverse=True))
    if span is None and phrase in (ABSENT, PRESENT):
        return replace(finding, phrase=phrase, verbatim="", cue_start=-1, cue_end=-1)
    if span is None:
        return replace(finding, phrase=phrase)
    start, end = finding.start + span[0], finding.start + span[1]
    verbatim = finding.sentence[span[0] : span[1]]
    return replace(finding, phrase=phrase, verbatim=verbatim, cue_start=start, cue_end=end)


def sentence_of(report: GoldReport, number: int, cue: str) -> int:
    """Where a row of a gold file belongs, from 0: files made elsewhere may count other sentences.

    The sentence of that number (from 1) if it has the cue, else the nearest that has it, else that of the number
    or the last.
    """
    named = min(max(number - 1, 0), len(report.sentences) - 1)
    if not cue or _find(report.sentences[named].text, (cue,)):
        return named
    having = [i for i, s in enumerate(report.sentences) if _find(s.text, (cue,))]
    return min(having, key=lambda i: abs(i - named), default=named)


def _find(text: str, words: Iterable[str]) -> tuple[int, int] | None:
    """The span of the first of the words that occurs in the text."""
    for word in words:
        spaced = r"\s+".join(re.escape(part) for part in word.split())
        if spaced and (match := re.search(rf"(?<!\w){spaced}(?!\w)", text, re.IGNORECASE)):
            return match.span()
    return None
