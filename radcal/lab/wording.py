"""How differently a department's radiologists word the same kinds of finding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from radcal.calibration.days import within
from radcal.lab.variability import ControlVariability, SourceVariability, compare_sources
from radcal.lab.word_counts import Answers
from radcal.system.errors import NothingSaid
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.settings import ALL_TOPICS
from radcal.words.records import ABSENT, PRESENT

if TYPE_CHECKING:
    import pandas as pd

    from radcal.department import Results

_DRAWS, _RESAMPLES = 400, 200
"""Statements drawn anew behind each interval, and draws of the control."""


@dataclass(frozen=True, slots=True)
class WordingMember:
    """One radiologist's words beside those of all others.

    n: statements in all;  found: None where too few of them are on kinds of finding of which others spoke as well
    """

    name: str
    alias: str
    n: int
    found: SourceVariability | None

    @property
    def is_apart(self) -> bool:
        """Whether the words differ by more than the others do among themselves in 97.5 of 100 draws."""
        f = self.found
        return f is not None and f.same_size_tvd is not None and f.same_size_tvd > (f.control_high or 0.0)


@dataclass(frozen=True, slots=True)
class Wordings:
    """All radiologists' words for the same kinds of finding of a topic.

    control: of everybody's statements together
    fewest: statements that a kind of finding needs, of the radiologist and of the others;  fewest_in_all: that a
        radiologist needs
    """

    topic: str
    members: tuple[WordingMember, ...]
    control: ControlVariability
    fewest: int
    fewest_in_all: int
    confidence: float = 0.95

    @property
    def shown(self) -> tuple[WordingMember, ...]:
        """Those with enough statements."""
        return tuple(m for m in self.members if m.found is not None)


def compare_wording(department: Results, topic: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> Wordings:
    """Compare each radiologist with all others together, in the order of their pseudonyms; in a worker thread.

    A kind of finding is a pathology that CT called absent, hedged, or present.  It counts from
    ``settings.min_phrase_n`` statements of the radiologist and of the others on, a radiologist from
    ``settings.min_group_n`` of such statements on.

    Raises:
        DataError: there is no analysis yet; NothingSaid without statements on the pathology in the date range.
        Cancelled: by ``progress``.
    """
    settings, aliases = department.settings, department.pseudonyms()
    said = department.groups.all_statements()
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
