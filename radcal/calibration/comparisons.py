"""What radiologists can be compared by, comparisons between them and over time, and the dates of feedback."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from radcal.calibration.before_after import control
from radcal.calibration.comparison import Radiologists, lying_apart
from radcal.calibration.comparison_records import HEDGES, Comparison, LyingApart, Trend
from radcal.calibration.days import Unit, within
from radcal.calibration.group_results import GroupResults
from radcal.calibration.records import pool_of
from radcal.calibration.stored_analysis import StoredAnalysis
from radcal.system.errors import NothingSaid
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days, Group
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text
from radcal.workspace.context import Context

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

    from radcal.calibration.records import Reliability


_GIVEN = "feedback given"


_HEDGES, _WORD, _FEW = 2, 1, 0
"""By what a topic can be compared: all that was hedged; a word that two used often enough; one of fewer uses."""


def topics_to_compare(measured: Iterable[Reliability], least: float) -> tuple[str, ...]:
    """The topics on which at least two authors can be compared, those first on which they can best.

    Args:
        measured: of single authors; those of all topics of an author stand for all topics together.
        least: uses of a word that are enough.
    """
    hedges: dict[str, int] = {}
    uses: dict[str, dict[str, list[float]]] = {}
    for r in measured:
        if pool_of(r.author, r.topic) == "topic":
            continue
        hedges[r.topic] = hedges.get(r.topic, 0) + (r.word_error_low is not None)
        for p in r.phrases:
            if 0 < p.mean < 1 and p.n > 0:
                uses.setdefault(r.topic, {}).setdefault(p.phrase, []).append(p.n)

    def rank(topic: str) -> tuple[float, ...]:
        said = uses[topic]
        word = word_to_compare(said, least)
        authors, enough, total = _use(said[word], least)
        if hedges[topic] > 1:
            return _HEDGES, topic != ALL_TOPICS, hedges[topic], total
        return (_WORD if enough > 1 else _FEW), topic != ALL_TOPICS, enough, authors, total

    found = [topic for topic, said in uses.items() if word_to_compare(said, least)]
    return tuple(sorted(found, key=lambda topic: (*(-x for x in rank(topic)), topic)))


def word_to_compare(said: Mapping[str, Sequence[float]], least: float) -> str:
    """The hedged word that most authors have used often enough; '' where no two have used the same.

    Args:
        said: how often each author who used it did, by word.
        least: uses that are enough.
    """

    def rank(word: str) -> tuple[float, ...]:
        authors, enough, total = _use(said[word], least)
        return (enough if enough > 1 else 0), authors, total

    words = [word for word, uses in said.items() if len(uses) > 1]
    return min(words, key=lambda word: (*(-x for x in rank(word)), word), default="")


def _use(uses: Sequence[float], least: float) -> tuple[int, int, float]:
    """How many authors used a word, how many of them often enough, and how often all of them did."""
    return len(uses), sum(n >= least for n in uses), sum(uses)


@dataclass(eq=False, repr=False)
class Comparisons:
    """Comparisons of a department's radiologists; methods may take a second and belong in a worker thread.

    advised: the groups that would be advised by some statements
    """

    _context: Context
    _stored: StoredAnalysis
    _groups: GroupResults
    _advised: Callable[[pd.DataFrame, Progress], Collection[Group]]

    def compare(
        self, topic: str, phrase: str = HEDGES, days: Days = ALL_DAYS, progress: Progress = SILENT
    ) -> Comparison:
        """Compare all radiologists on a pathology, in the order of their pseudonyms.

        Args:
            phrase: compared by its confirmed rate; HEDGES for the word error of all hedged statements.
            days: date range of the X-rays.

        Raises:
            DataError: there is no analysis yet; NothingSaid without statements on the pathology in the date range.
            InputError: an unknown phrase.
        """
        progress.start(None, Text("Comparing radiologists"))
        return self._radiologists(topic, phrase, days, progress).compare(self._stored.pseudonyms())

    def first(self, topic: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> Comparison:
        """Compare by everything hedged; where fewer than two have enough, by the word that most of them have used.

        Raises: as :meth:`compare`.
        """
        made = self.compare(topic, HEDGES, days, progress)
        if sum(member.value is not None for member in made.members) > 1:
            return made
        hedged = {p.name for p in self._stored.phrases if p.alpha > 0 and p.beta > 0}
        said = self._selected(topic, days)
        uses = said[said["phrase"].isin(hedged)].groupby(["phrase", "author"], observed=True).size()
        words = {str(word): of.tolist() for word, of in uses.groupby(level="phrase", observed=True)}
        word = word_to_compare(words, self._context.settings.min_phrase_n)
        return self.compare(topic, word, days, progress) if word else made

    def apart(self) -> tuple[LyingApart, ...]:
        """The words of the latest analysis that lie apart, on single pathologies and of all days.

        Raises:
            DataError: there is no analysis yet.
        """
        made = self._stored.required()
        return lying_apart(made.reliabilities, made.pooled, self._stored.pseudonyms())

    def trend(
        self,
        topic: str,
        phrase: str = HEDGES,
        author: str = "",
        unit: Unit = "quarter",
        days: Days = ALL_DAYS,
        progress: Progress = SILENT,
    ) -> Trend:
        """The confirmed rate of a phrase, or word error of all hedges, by month or quarter, before and after feedback.

        Args:
            topic, phrase, days, progress: as in :meth:`compare`.
            author: '' for all radiologists together.
            unit: length of a period.

        Raises:
            DataError, InputError, Cancelled: as in :meth:`compare`.
        """
        progress.start(None, Text("Looking at how it changed"))
        dates = self.feedback_dates()
        made = self._radiologists(topic, phrase, days, progress).trend(author, unit, dates)
        if made.before is None:
            return made
        everything = self._groups.all_statements()
        return replace(
            made,
            control=control(
                everything[within(everything["xray_time"], days)],
                lambda half: self._advised(half, progress),
                author,
                dates,
                self._stored.phrases,
                self._context.settings,
            ),
        )

    def feedback_dates(self) -> dict[str, date | None]:
        """The dates of feedback by author, '' for all others; None for an author who was given none."""
        stored = json.loads(self._context.workspace.get_meta(_GIVEN) or "{}")
        return {author: day and date.fromisoformat(day) for author, day in stored.items()}

    def set_feedback_dates(self, dates: Mapping[str, date | None]) -> None:
        """Replace the stored dates of feedback.

        Raises:
            NoAccess: the workspace is open read-only.
        """
        stored = {a: d and d.isoformat() for a, d in sorted(dates.items())}
        self._context.workspace.set_meta(_GIVEN, json.dumps(stored))

    def _radiologists(self, topic: str, phrase: str, days: Days, progress: Progress) -> Radiologists:
        return Radiologists(self._selected(topic, days), phrase, self._stored.basis(), progress)

    def _selected(self, topic: str, days: Days) -> pd.DataFrame:
        """The statements on a topic in these days, at least one."""
        observations = self._groups.all_statements()
        selected = observations[within(observations["xray_time"], days)]
        if topic == ALL_TOPICS:
            selected = selected.assign(topic=topic)
        selected = selected[selected["topic"] == topic]
        if selected.empty:
            raise NothingSaid(
                "Nothing was said about {topic} in these days. Choose other days or another pathology.", topic=topic
            )
        return selected
