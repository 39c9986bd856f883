"""What authors can be compared by: the word error of all that they hedged, else one word that several have used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.reliability.records import pool_of
from radcal.system.settings import ALL_TOPICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from radcal.reliability.records import Reliability

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
