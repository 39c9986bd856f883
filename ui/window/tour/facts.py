"""What the tour tells of a department: numbers of its results, and one radiologist's word as an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.language import spoken
from ui.sentences import author_name, meaning, topic_name
from ui.words import rate, typographic

if TYPE_CHECKING:
    from radcal.advice.records import Recommendation
    from radcal.system.selection import Group
    from ui.records import Opened


@dataclass(frozen=True, slots=True)
class Example:
    """A word of a radiologist on a pathology that advice would replace, as the window writes it.

    word: as the results call it, for the pages;  n: findings worded with it
    outcome: '6 of 18, 33 % (15-56)', what CT confirmed;  meaning: '75-90 %', what readers take it as
    sentence: the advice on it
    """

    group: Group
    word: str
    author: str
    topic: str
    n: float
    outcome: str
    meaning: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Rows read, pairs made of them, and the example; None where there is no advice."""

    rows: int
    pairs: int
    example: Example | None


def facts_of(opened: Opened) -> Facts:
    """What the results of a department offer the tour to tell."""
    return Facts(
        rows=opened.attrition[0].kept if opened.attrition else 0,
        pairs=opened.n_pairs,
        example=_example(opened),
    )


def _example(opened: Opened) -> Example | None:
    """The advice that is surest; before that, advice on a word of which each finding was confirmed or was not."""
    advised = [
        (group, recommendation)
        for group, view in opened.of_radiologists.items()
        if view.advice is not None and view.reliability.curve is not None
        for recommendation in view.advice.recommendations
    ]

    def rank(one: tuple[Group, Recommendation]) -> tuple[bool, float, float]:
        said = one[1].source_rate
        return float(said.positives).is_integer(), one[1].sure, said.n

    if not advised:
        return None
    group, found = max(advised, key=rank)
    said = found.source_rate
    return Example(
        group=group,
        word=found.source,
        author=author_name(group.author, opened),
        topic=topic_name(group.topic),
        n=said.n,
        outcome=f"{spoken().out_of(said.positives, said.n)}, {rate(said.rate, said.low, said.high)}",
        meaning=meaning(said, opened.meanings.get(found.source)),
        sentence=typographic(found.text),
    )
