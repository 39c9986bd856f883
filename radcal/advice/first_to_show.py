"""What of an analysis is to be seen first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.advice.stored_analysis import results_of
from radcal.advice.telling import most_to_say
from radcal.reliability.comparable import topics_to_compare
from radcal.words.confirmations import descriptors

if TYPE_CHECKING:
    from radcal.advice.stored_analysis import Analysis
    from radcal.system.selection import Group
    from radcal.system.settings import Settings


def telling(analysis: Analysis, settings: Settings) -> tuple[Group, ...]:
    """The groups of radiologists, the one with the most to say first, and behind them those of language models."""
    measured, advices = results_of(analysis)
    advised = {(a.author, a.topic): a for a in advices}
    models = analysis.models.phrases if analysis.models is not None else {}
    groups = most_to_say(
        ((r, advised.get((r.author, r.topic))) for r in measured if r.n > 0),
        descriptors=descriptors(settings),
        least=settings.min_phrase_n,
    )
    return tuple(sorted(groups, key=lambda group: group.author in models))


def comparable(analysis: Analysis, settings: Settings) -> tuple[str, ...]:
    """The topics on which radiologists can be compared, those first on which they can best."""
    return topics_to_compare((*analysis.reliabilities, *analysis.pooled), settings.min_phrase_n)
