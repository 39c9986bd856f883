"""How differently a department's radiologists word the same kinds of finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.lab.variability_records import WordingMember, Wordings
from radcal.reliability.days import within
from radcal.reliability.group_results import GroupResults
from radcal.reliability.stored_analysis import StoredAnalysis
from radcal.system.errors import NothingSaid
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.settings import ALL_TOPICS
from radcal.words.records import ABSENT, PRESENT
from radcal.workspace.context import Context

if TYPE_CHECKING:
    import pandas as pd

_DRAWS, _RESAMPLES = 400, 200
"""Statements drawn anew behind each interval, and draws of the control."""


class WordingComparisons:
    """Compares radiologists by their words for the same kinds of finding; in a worker thread."""

    def __init__(self, context: Context, stored: StoredAnalysis, groups: GroupResults) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups

    def compare(self, topic: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> Wordings:
        """Each radiologist beside all others together, in the order of their pseudonyms.

        A kind of finding is a pathology that CT called absent, hedged, or present.  It counts from
        ``settings.min_phrase_n`` statements of the radiologist and of the others on, a radiologist from
        ``settings.min_group_n`` of such statements on.

        Raises:
            DataError: there is no analysis yet; NothingSaid without statements on the pathology in the date range.
            Cancelled: by ``progress``.
        """
        from radcal.lab.variability import Answers, compare_sources

        settings, aliases = self._context.settings, self._stored.pseudonyms()
        said = self._groups.all_statements()
        said = said[within(said["xray_time"], days)]
        if topic != ALL_TOPICS:
            said = said[said["topic"] == topic]
        if said.empty:
            raise NothingSaid(
                "Nothing was said about {topic} in these days. Choose other days or another pathology.", topic=topic
            )
        found = compare_sources(
            Answers.of(_answers(said)),
            seed=settings.seed,
            fewest=settings.min_phrase_n,
            resamples=_RESAMPLES,
            draws=_DRAWS,
            redraw="answers",
            confidence=settings.confidence,
            progress=progress,
        )
        n = said.groupby("author", observed=True).size()
        members = [
            WordingMember(
                s.source,
                aliases.get(s.source, s.source),
                int(n[s.source]),
                s if s.expected_tvd is not None and (s.n_answers or 0) >= settings.min_group_n else None,
            )
            for s in found.sources
        ]
        return Wordings(
            topic,
            tuple(sorted(members, key=lambda m: m.alias.casefold())),
            found.control,
            settings.min_phrase_n,
            settings.min_group_n,
            settings.confidence,
        )


def _answers(said: pd.DataFrame) -> pd.DataFrame:
    """Statements as answers: the kind of finding is the context."""
    reference = said["reference_phrase"].astype(str)
    kind = reference.where(reference.isin((ABSENT, PRESENT)), "hedged")
    answers = said.assign(
        context=said["topic"].astype(str) + ", " + kind,
        source=said["author"].astype(str),
        word=said["phrase"].astype(str),
        count=1.0,
    )
    return answers[["context", "source", "word", "count"]]
