"""A draft report, and its author's results for each certainty word."""

from __future__ import annotations

from dataclasses import dataclass

from radcal.advice.judged_records import JudgedWord
from radcal.reliability.records import Wording
from radcal.system.selection import Days


@dataclass(frozen=True, slots=True)
class CheckedWord:
    """A certainty word in a draft, for one pathology, with what is said of it.

    start, end: span in the draft of the certainty words, or of the pathology's where it is stated plainly
    verbatim: as written, '' for a plain statement
    judged: the verdict and the advice, as in the results and on the author's pages
    written: the author's own uses, wording by wording, the most frequent first
    replace_start, replace_end, replacement: the edit that follows the advice; '' where the sentence must be reworded by
        hand
    """

    start: int
    end: int
    verbatim: str
    judged: JudgedWord
    written: tuple[Wording, ...] = ()
    replace_start: int = -1
    replace_end: int = -1
    replacement: str = ""

    @property
    def topic(self) -> str:
        """The pathology."""
        return self.judged.topic

    @property
    def phrase(self) -> str:
        """The canonical phrase."""
        return self.judged.name


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft and its certainty words in order, compared with the results of the date range."""

    text: str
    author: str
    days: Days
    words: tuple[CheckedWord, ...]
