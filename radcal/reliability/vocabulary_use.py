"""How often the X-ray reports keep to the department's vocabulary, per radiologist and over time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from radcal.reliability.comparison_records import Period, Trend, Unit
from radcal.reliability.days import within
from radcal.reliability.stored_analysis import StoredAnalysis
from radcal.system.selection import ALL_DAYS, Days
from radcal.words.records import Scale, VocabularyUse
from radcal.words.scales import scale_called, scales
from radcal.workspace.context import Context

if TYPE_CHECKING:
    from datetime import date

    import pandas as pd

    from radcal.system.language.catalogue import Language


class Vocabulary:
    """The scale of certainty that the department chose, and its use; methods belong in a worker thread.

    Counted are all hedged findings of the X-ray reports that make a pair, whether or not CT decides on them, by the
    words that were literally written.
    """

    def __init__(
        self, context: Context, stored: StoredAnalysis, wordings: Callable[[str | None], pd.DataFrame | None]
    ) -> None:
        """``wordings``: of an author, or of all for None; those of a personal file are all of its radiologist."""
        self._context = context
        self._stored = stored
        self._wordings = wordings
        self._remembered: tuple[str | None, pd.DataFrame | None] | None = None

    @property
    def scales(self) -> tuple[Scale, ...]:
        """All scales to choose from, by name."""
        return scales()

    @property
    def scale(self) -> Scale | None:
        """The chosen scale, None for all words."""
        return scale_called(self._context.settings.vocabulary)

    def use_of(self, author: str, days: Days = ALL_DAYS) -> VocabularyUse | None:
        """An author's use of the vocabulary; None if none was chosen, or a personal file does not tell the words."""
        scale = self.scale
        said = None if scale is None else self._wordings(author)
        if scale is None or said is None:
            return None
        return self._use(scale, _within(said[said["author"] == author], days), author)

    def about(self, author: str, days: Days, w: Language) -> str:
        """An author's use of the vocabulary in sentences; '' if none was chosen, or of all authors together."""
        from radcal.reliability.about_vocabulary import about_vocabulary

        return about_vocabulary(self.use_of(author, days), w) if author in self._stored.authors() else ""

    def uses(self, days: Days = ALL_DAYS, scale: Scale | None = None) -> tuple[VocabularyUse, ...]:
        """That of all together ('') and of every author of the analysis, by name; () if none was chosen.

        scale: counted as if it were the vocabulary, in place of the chosen one

        Raises:
            DataError: there is no analysis yet.
        """
        scale, said = scale or self.scale, self._said(days)
        if scale is None or said is None:
            return ()
        of_author = dict(tuple(said.groupby("author", sort=True)))
        authors = self._stored.authors()
        return (
            self._use(scale, said, ""),
            *(self._use(scale, of_author.get(author, said.iloc[:0]), author) for author in authors),
        )

    def over_time(
        self, author: str = "", unit: Unit = "quarter", days: Days = ALL_DAYS, scale: Scale | None = None
    ) -> tuple[VocabularyUse, ...]:
        """The use in each month or quarter with hedged findings, of one author or of all ('').

        () if no vocabulary was chosen; ``scale`` as in :meth:`uses`.
        """
        import numpy as np

        from radcal.reliability.trend import following, starts

        scale, said = scale or self.scale, self._said(days)
        if scale is None or said is None or said.empty:
            return ()
        if author:
            said = said[said["author"] == author]

        def periods() -> Iterator[VocabularyUse]:
            first_days = starts(said["day"], unit)
            for first in np.unique(first_days):
                start = first.item()
                yield self._use(scale, said[first_days == first], author, (start, following(start, unit)))

        return tuple(use for use in periods() if use.n)

    def _use(
        self,
        scale: Scale,
        said: pd.DataFrame,
        author: str,
        period: tuple[date, date] | tuple[None, None] = (None, None),
    ) -> VocabularyUse:
        from radcal.reliability.vocabulary import vocabulary_use

        counted = said.groupby(["phrase", "verbatim"], sort=True)["n"].sum().reset_index()
        wordings = counted.itertuples(index=False, name=None)
        confidence = self._context.settings.confidence
        return vocabulary_use(
            scale, wordings, self._stored.lexicon, author=author, period=period, confidence=confidence
        )

    def _said(self, days: Days) -> pd.DataFrame | None:
        key = self._context.analysis_key
        if self._remembered is None or self._remembered[0] != key:
            self._remembered = key, self._wordings(None)
        said = self._remembered[1]
        return None if said is None else _within(said, days)


def _within(said: pd.DataFrame, days: Days) -> pd.DataFrame:
    return said[within(said["day"], days)] if days.are_limited else said


def share_outside(uses: Iterable[VocabularyUse], unit: Unit, confidence: float) -> Trend:
    """The share of hedged findings worded outside the vocabulary, period by period, as a picture over time."""
    uses = tuple(uses)
    periods = tuple(
        Period(u.start, u.end, u.n, u.outside / u.n, u.outside_low, u.outside_high)
        for u in uses
        if u.start is not None and u.end is not None
    )
    scale, author = (uses[0].scale, uses[0].author) if uses else ("", "")
    return Trend("", scale, author, unit, periods, confidence=confidence)
