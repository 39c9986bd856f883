"""How often the X-ray reports keep to a scale of certainty, per radiologist and over time, and in a sentence or two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibration.days import Unit, following, starts, within
from radcal.calibration.stored_analysis import StoredAnalysis
from radcal.system.intervals import wilson
from radcal.system.language.catalogue import Language
from radcal.system.selection import ALL_DAYS, Days
from radcal.words.phrases import Lexicon
from radcal.words.records import ABSENT, PRESENT, Scale, VocabularyUse
from radcal.words.scales import Place, place, scale_called
from radcal.workspace.context import Context

if TYPE_CHECKING:
    from datetime import date

    import pandas as pd


def vocabulary_use(
    scale: Scale,
    wordings: Iterable[tuple[str, str, int]],
    lexicon: Lexicon,
    *,
    author: str = "",
    period: tuple[date, date] | tuple[None, None] = (None, None),
    confidence: float = 0.95,
) -> VocabularyUse:
    """How often findings were worded within a scale and outside of it.

    Args:
        scale: the vocabulary.
        wordings: (phrase, verbatim, n) of findings; plain statements, and words that mean one, are passed over.
        lexicon: which words are hedges, and for which phrases they stand.
        author, period: as in VocabularyUse.
        confidence: coverage of the Wilson intervals, as if every finding stood by itself.
    """
    plain = {p.name for p in lexicon.phrases if min(p.alpha, p.beta) == 0} | {ABSENT, PRESENT}
    counts: Counter[Place] = Counter()
    outside: Counter[str] = Counter()
    for phrase, verbatim, n in wordings:
        if phrase in plain:
            continue
        where, words = place(scale, verbatim, phrase, lexicon)
        counts[where] += n
        if where in ("outside", "avoided"):
            outside[words] += n
    total, avoided = counts.total(), counts["avoided"]
    out = counts["outside"] + avoided
    outside_low, outside_high = wilson(out / total if total else 0.0, total, confidence)
    avoided_low, avoided_high = wilson(avoided / total if total else 0.0, total, confidence)
    return VocabularyUse(
        scale=scale.name,
        author=author,
        n=total,
        within=counts["within"],
        established=counts["established"],
        outside=out,
        avoided=avoided,
        outside_low=outside_low,
        outside_high=outside_high,
        avoided_low=avoided_low,
        avoided_high=avoided_high,
        words=tuple(sorted(outside.items(), key=lambda item: (-item[1], item[0]))),
        start=period[0],
        end=period[1],
    )


@dataclass(eq=False, repr=False)
class Vocabulary:
    """The scale of certainty that the department chose, and its use; methods belong in a worker thread.

    Counted are all hedged findings of the X-ray reports that make a pair, whether or not CT decides on them, by the
    words that were literally written.

    wordings: of an author, or of all for None; those of a personal file are all of its radiologist
    """

    _context: Context
    _stored: StoredAnalysis
    _wordings: Callable[[str | None], pd.DataFrame | None]
    _remembered: tuple[str | None, pd.DataFrame | None] | None = field(default=None, init=False)

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
        return about_vocabulary(self.use_of(author, days), w) if author in self._stored.authors() else ""

    def uses(self, days: Days = ALL_DAYS) -> tuple[VocabularyUse, ...]:
        """That of all together ('') and of every author of the analysis, by name; () if none was chosen.

        Raises:
            DataError: there is no analysis yet.
        """
        scale, said = self.scale, self._said(days)
        if scale is None or said is None:
            return ()
        of_author = dict(tuple(said.groupby("author", sort=True)))
        authors = self._stored.authors()
        return (
            self._use(scale, said, ""),
            *(self._use(scale, of_author.get(author, said.iloc[:0]), author) for author in authors),
        )

    def over_time(self, author: str = "", unit: Unit = "quarter", days: Days = ALL_DAYS) -> tuple[VocabularyUse, ...]:
        """That of each month or quarter with hedged findings, of one author or of all (''); () if none was chosen."""
        scale, said = self.scale, self._said(days)
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


MOST_NAMED = 3
"""Words outside the vocabulary that are named."""


def about_vocabulary(use: VocabularyUse | None, w: Language) -> str:
    """The share of hedged findings worded outside the vocabulary, with its interval and words; '' without a scale."""
    if use is None:
        return ""
    if not use.n:
        return w.say(
            "None of your findings was hedged, so there is nothing to compare with the {scale} scale.", scale=use.scale
        )
    basis = w.say("Counted in all your X-ray reports with a CT, as they were written, also where CT did not decide.")
    hedged = w.counted(use.n, "{n} hedged finding", "{n} hedged findings")
    if not use.outside:
        return " ".join(
            (
                w.say("Of your {hedged}, none used a word outside the {scale} scale.", hedged=hedged, scale=use.scale),
                basis,
            )
        )
    named = [w.say("{word} ({n})", word=w.quoted(words), n=w.count(n)) for words, n in use.words[:MOST_NAMED]]
    numbers = {
        "hedged": hedged,
        "n": w.count(use.outside),
        "scale": use.scale,
        "rate": w.rate(use.outside / use.n, use.outside_low, use.outside_high),
        "words": w.listed(named),
    }
    if len(use.words) > MOST_NAMED:
        said = w.say(
            "Of your {hedged}, {n} used a word outside the {scale} scale: {rate}, most often {words}.", **numbers
        )
    else:
        said = w.say("Of your {hedged}, {n} used a word outside the {scale} scale: {rate}, namely {words}.", **numbers)
    parts = [said]
    if use.avoided:
        parts.append(
            w.say(
                "A word that the scale says to avoid stood in {n} of the {total}: {rate}.",
                n=w.count(use.avoided),
                total=w.count(use.n),
                rate=w.rate(use.avoided / use.n, use.avoided_low, use.avoided_high),
            )
        )
    if use.established:
        parts.append(
            w.counted(
                use.established,
                "{n} further finding used a word that the scale keeps for an established diagnosis.",
                "{n} further findings used a word that the scale keeps for an established diagnosis.",
            )
        )
    return " ".join((*parts, basis))
