"""Background work for Home."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from radcal.department import Department
    from radcal.overview import Overview, Step
    from radcal.system.progress import Progress
    from radcal.system.text import Text
    from ui.records import Opened


@dataclass(frozen=True, slots=True)
class Told:
    """A radiologist of whose ``n`` findings something can be said: what the radiologist's own pages begin with.

    topic: of the word that it is about, else all pathologies
    called: the pseudonym, because several are named together
    """

    author: str
    topic: str
    called: str
    n: float
    said: Text

    @property
    def sentence(self) -> str:
        """What can be said, in the language of the window."""
        from ui.words import typographic

        return typographic(self.said)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What Home shows of a department; n_few: radiologists without enough findings for a sentence."""

    overview: Overview
    step: Step
    told: tuple[Told, ...]
    n_few: int
    sample: bool


def look(opened: Opened, since: datetime | None, department: Department, progress: Progress) -> Seen:
    """Look the open department through; ``since``: when its user was last here."""
    from radcal.advice.said import of_author
    from radcal.calibration.records import ALL_AUTHORS
    from radcal.overview import next_step, overview
    from radcal.system.settings import ALL_TOPICS

    found = overview(department, since, progress)
    told: dict[str, Told] = {}
    everybody = {group.author for group in opened.of_radiologists}
    for group in opened.telling:
        judged = view.judged if (view := opened.view(group)) is not None else None
        if judged is None or group.author in told or group.author not in everybody - {ALL_AUTHORS}:
            continue
        if any(word.decided for word in judged.words):
            whole = opened.judged(group.author)
            said, n = of_author(whole, own=False), sum(part.n for part in whole.groups)
            together = ALL_TOPICS if whole.pooled is not None else group.topic
            topic = together if said.word is None else said.word.topic
            called = opened.called(group.author, named=False)
            told[group.author] = Told(group.author, topic, called, n, said.sentence)
    step = next_step(found, telling=bool(told), made_up=opened.sample)
    return Seen(found, step, tuple(told.values()), len(everybody - told.keys()), opened.sample)
