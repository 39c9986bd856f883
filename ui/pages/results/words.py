"""The table of words: how often each was used, how often CT confirmed it, its meaning, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ui.kit.column import Column, RecordModel, count, estimated
from ui.kit.delegate import BARS, CERTAINTY, PhraseDelegate, RateDelegate
from ui.language import spoken
from ui.sentences import meaning, phrase_sentence, verdict_on
from ui.words import rate, say

if TYPE_CHECKING:
    from radcal.advice.judged_records import JudgedWord
    from radcal.calibration.records import PhraseRate


class WordColumn(IntEnum):
    """The columns, left to right."""

    WORD = 0
    SAID = 1
    CONFIRMED = 2
    RATE = 3
    MEANING = 4
    VERDICT = 5


class WordTableModel(RecordModel):
    """One row per word, strongest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        self._judged: dict[str, JudgedWord] = {}
        self._min_n = 0
        super().__init__(
            (
                Column(
                    say("word"),
                    lambda r: r.phrase,
                    sort=lambda r: float(r.mean),
                    roles={CERTAINTY: lambda r: float(r.mean)},
                    delegate=PhraseDelegate,
                ),
                count(say("said"), lambda r: float(r.n)),
                Column(
                    say("confirmed"),
                    lambda r: spoken().part(r.positives, r.n),
                    True,
                    lambda r: float(r.positives),
                ),
                estimated(
                    say("rate"),
                    _interval,
                    rate,
                    number=False,
                    meaning=say("How often CT confirmed it, and where the true rate lies"),
                    roles={BARS: lambda r: (*_interval(r), *self._range(r))},
                    delegate=RateDelegate,
                ),
                Column(
                    say("meaning"),
                    self._meaning,
                    sort=lambda r: float(r.mean),
                    meaning=say("What readers take the word to mean"),
                ),
                Column(say("verdict"), self._verdict),
            ),
            parent,
            describe=self._sentence,
        )

    def set_words(self, words: Sequence[JudgedWord], min_n: int) -> None:
        """Show these words; those used less than ``min_n`` times are marked as too few for advice."""
        self._judged, self._min_n = {j.name: j for j in words}, min_n
        self.set_rows([j.rate for j in words])

    def row_of(self, phrase: str) -> int:
        """The row of a word, -1 if absent."""
        return next((i for i, r in enumerate(self._rows) if r.phrase == phrase), -1)

    def _sentence(self, r: PhraseRate) -> str:
        return phrase_sentence(self._judged[r.phrase], self._min_n)

    def _range(self, r: PhraseRate) -> tuple[float, float]:
        """The range in which readers take the word; the mean where it is no longer in the list."""
        phrase = self._judged[r.phrase].phrase
        return (float(r.mean), float(r.mean)) if phrase is None else (float(phrase.low), float(phrase.high))

    def _meaning(self, r: PhraseRate) -> str:
        return meaning(r, self._judged[r.phrase].phrase)

    def _verdict(self, r: PhraseRate) -> str:
        return verdict_on(self._judged[r.phrase])[0]


def _interval(r: PhraseRate) -> tuple[float, float, float]:
    return float(r.rate), float(r.low), float(r.high)
