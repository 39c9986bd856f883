"""Comparisons between radiologists and over time: the observations used, and feedback dates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from radcal.calibrate.comparison import Radiologists
from radcal.errors import NothingSaid
from radcal.progress import SILENT, Progress
from radcal.records import ALL_DAYS
from radcal.records.comparison import HEDGES
from radcal.workflow.results.days import within

if TYPE_CHECKING:
    from radcal.records import Days
    from radcal.records.comparison import Comparison, Trend, Unit
    from radcal.workflow.context import Context
    from radcal.workflow.results.analysis import StoredAnalysis
    from radcal.workflow.results.group_results import GroupResults

_GIVEN = "feedback given"


class Comparisons:
    """Comparisons of a department's radiologists; every method may take a second and belongs in a worker."""

    def __init__(self, context: Context, stored: StoredAnalysis, groups: GroupResults) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups

    def compare(
        self, topic: str, phrase: str = HEDGES, days: Days = ALL_DAYS, progress: Progress = SILENT
    ) -> Comparison:
        """All radiologists on a pathology, in the order of their pseudonyms.

        Args:
            topic: the pathology.
            phrase: compared by its confirmed rate; HEDGES compares ECE* of everything hedged.
            days: of the X-rays.
            progress: asked whether to stop.

        Raises:
            DataError: there is no analysis yet; NothingSaid where nothing was said about the pathology in these days.
            InputError: the phrase is in no list.
            Cancelled: by ``progress``.
        """
        progress.start(None, "Comparing radiologists")
        return self._radiologists(topic, phrase, days, progress).compare(self._stored.pseudonyms())

    def trend(
        self,
        topic: str,
        phrase: str = HEDGES,
        author: str = "",
        unit: Unit = "quarter",
        days: Days = ALL_DAYS,
        progress: Progress = SILENT,
    ) -> Trend:
        """A phrase's rate, or ECE* of everything hedged, by month or quarter, and before and after feedback.

        Args:
            topic, phrase, days, progress: as in :meth:`compare`.
            author: '' for all radiologists together.
            unit: how long a period is.

        Raises:
            DataError, InputError, Cancelled: as in :meth:`compare`.
        """
        progress.start(None, "Looking at how it changed")
        return self._radiologists(topic, phrase, days, progress).trend(author, unit, self.feedback_dates())

    def feedback_dates(self) -> dict[str, date | None]:
        """When feedback was given: by author, and under '' to all others; None to an author who was given none."""
        stored = json.loads(self._context.workspace.get_meta(_GIVEN) or "{}")
        return {author: day and date.fromisoformat(day) for author, day in stored.items()}

    def set_feedback_dates(self, dates: Mapping[str, date | None]) -> None:
        """Store when feedback was given, in place of the dates stored before.

        Raises:
            NoAccess: the workspace is open to read only.
        """
        stored = {a: d and d.isoformat() for a, d in sorted(dates.items())}
        self._context.workspace.set_meta(_GIVEN, json.dumps(stored))

    def _radiologists(self, topic: str, phrase: str, days: Days, progress: Progress) -> Radiologists:
        observations = self._groups.all_statements()
        selected = observations[(observations["topic"] == topic) & within(observations["xray_time"], days)]
        if selected.empty:
            raise NothingSaid(
                "Nothing was said about {topic} in these days. Choose other days or another pathology.",
                topic=topic,
            )
        return Radiologists(selected, phrase, self._stored.phrases, self._context.settings, progress)
