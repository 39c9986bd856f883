"""The table of phrases: how often each was said, how often CT confirmed it, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from ui.widgets.lists import ListColumn, ListTableModel
from ui.words import percent, percent_range, rate, translate, whole

if TYPE_CHECKING:
    from radcal.records import Phrase, PhraseRate

BARS = Qt.ItemDataRole.UserRole
"""Of the rate column: (rate, low, high, meaning low, meaning high), shares of 0-1; None where nothing is known."""
CERTAINTY = Qt.ItemDataRole.UserRole + 1
"""Of the phrase column: the mean of its meaning, 0-1."""


class Column(IntEnum):
    """The columns, left to right."""

    PHRASE = 0
    SAID = 1
    CONFIRMED = 2
    RATE = 3
    MEANING = 4


class PhraseTableModel(ListTableModel):
    """One row a phrase, strongest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        self._meanings: dict[str, Phrase] = {}
        self._min_n = 0
        told: dict[int, Callable[[PhraseRate], str]] = {
            Qt.ItemDataRole.ToolTipRole: self.sentence,
            Qt.ItemDataRole.AccessibleDescriptionRole: self.sentence,
        }
        super().__init__(
            (
                ListColumn(
                    translate("phrases", "phrase"),
                    lambda r: r.phrase,
                    sort=lambda r: float(r.mean),
                    roles={CERTAINTY: lambda r: float(r.mean), **told},
                ),
                ListColumn(translate("phrases", "said"), lambda r: whole(r.n), True, lambda r: float(r.n), roles=told),
                ListColumn(
                    translate("phrases", "confirmed"),
                    lambda r: whole(r.positives),
                    True,
                    lambda r: float(r.positives),
                    roles=told,
                ),
                ListColumn(
                    translate("phrases", "rate, 95 % interval"),
                    lambda r: rate(r.rate, r.low, r.high),
                    sort=lambda r: float(r.rate),
                    export=_interval,
                    ends=True,
                    roles={BARS: lambda r: (*_interval(r), *self._range(r)), **told},
                ),
                ListColumn(
                    translate("phrases", "readers take it as"), self._meaning, sort=lambda r: float(r.mean), roles=told
                ),
            ),
            parent,
        )

    def set_rates(self, rates: Sequence[PhraseRate], meanings: Mapping[str, Phrase], min_n: int) -> None:
        """Show these phrases; those said less than ``min_n`` times are marked as too few for advice."""
        self._meanings, self._min_n = dict(meanings), min_n
        self.set_rows(sorted((r for r in rates if r.n > 0), key=lambda r: (-r.mean, r.phrase)))

    def row_of(self, phrase: str) -> int:
        """The row of a phrase, -1 if it is not there."""
        return next((i for i, r in enumerate(self._rows) if r.phrase == phrase), -1)

    def sentence(self, r: PhraseRate) -> str:
        """The row in words, with its numbers."""
        text = translate(
            "phrases", "\u201c{phrase}\u201d: CT confirmed {positives} of {n}, {rate}. Readers take it as {meaning}."
        ).format(
            phrase=r.phrase,
            positives=whole(r.positives),
            n=whole(r.n),
            rate=rate(r.rate, r.low, r.high),
            meaning=self._meaning(r),
        )
        if not float(r.positives).is_integer():
            text += " " + translate("phrases", "Where CT itself was unsure, a finding counts in part.")
        if r.n < self._min_n:
            text += " " + translate("phrases", "Said {n} times; advice needs {min}.").format(
                n=whole(r.n), min=self._min_n
            )
        return text

    def _range(self, r: PhraseRate) -> tuple[float, float]:
        phrase = self._meanings.get(r.phrase)
        return (float(phrase.low), float(phrase.high)) if phrase else (float(r.mean), float(r.mean))

    def _meaning(self, r: PhraseRate) -> str:
        phrase = self._meanings.get(r.phrase)
        return percent_range(phrase.low, phrase.high) if phrase else percent(r.mean)


def _interval(r: PhraseRate) -> tuple[float, float, float]:
    return float(r.rate), float(r.low), float(r.high)
