"""A draft report, and its author's results for each certainty word."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from radcal.records.reliability import PhraseRate, Wording
from radcal.records.selection import Days


class Assessment(StrEnum):
    """The results for a word."""

    ADVICE = "advice"
    """Another word would have been closer."""
    AGREES = "agrees"
    """The word's confirmed rate agrees with its meaning."""
    WITHHELD = "withheld"
    """There are enough uses, and no advice, with a reason."""
    FEW = "few"
    """Too few uses of the word, or too few findings for the pathology."""
    NEVER = "never"
    """The author has not used the word for the pathology."""
    UNKNOWN = "unknown"
    """The word is in no list of phrases."""


@dataclass(frozen=True, slots=True)
class CheckedWord:
    """A certainty word in a draft, for one pathology, with the author's results.

    start, end: span in the draft of the certainty words, or of the pathology's where it is stated plainly
    phrase: canonical;  verbatim: as written, '' for a plain statement
    rate: how often CT confirmed the author's uses of the phrase for the topic, None if there are none
    written: the same, wording by wording, the most frequent first
    text: the advice in a sentence, or the reason why there is none; '' where the kind says it all
    needed: how many uses or findings advice needs, for FEW
    target: the phrase that would have been closer, '' without advice
    replace_start, replace_end, replacement: the edit that says it so; '' where the sentence must be reworded by hand
    """

    start: int
    end: int
    topic: str
    phrase: str
    verbatim: str
    assessment: Assessment
    rate: PhraseRate | None = None
    written: tuple[Wording, ...] = ()
    text: str = ""
    needed: int = 0
    target: str = ""
    replace_start: int = -1
    replace_end: int = -1
    replacement: str = ""


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft and its certainty words in order, compared with the results of the date range."""

    text: str
    author: str
    days: Days
    words: tuple[CheckedWord, ...]
