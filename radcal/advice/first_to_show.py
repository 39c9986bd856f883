"""What of an analysis is to be seen first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.advice.stored_analysis import results_of
from radcal.calibration.records import pool_of
from radcal.system.selection import Group
from radcal.system.settings import ALL_TOPICS
from radcal.words.confirmations import descriptors

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from radcal.advice.records import Advice
    from radcal.advice.stored_analysis import Analysis
    from radcal.calibration.records import PhraseRate, Reliability
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


_BOTH, _ADVISED, _DIFFERS, _MATCHES, _PLAIN = 5, 4, 3, 2, 1
"""What a group says of its words, the clearest first; _PLAIN speaks of nothing that was hedged."""


def most_to_say(
    measured: Iterable[tuple[Reliability, Advice | None]], *, descriptors: Collection[str] = (), least: float = 1
) -> tuple[Group, ...]:
    """The groups, the one with the most to say first.

    A group without enough findings for a curve comes behind those with enough; all topics together behind a diagnosis,
    and what a film shows behind both, because there is no advice on that.  Then a group of which something clear is
    said of a hedged word comes first, a single one before those put together: the word differs from what CT showed and
    another would have been closer; another would have been; it differs; it matched.  Between groups alike in that, the
    number of findings decides that the sentences are about, then that of all.

    Args:
        measured: every group with its advice, None where there is none.
        descriptors: pathologies that say what is seen and not what it is, such as an opacity.
        least: uses that a word needs to be spoken of.
    """
    ranked = [(_rank(r, advice, descriptors, least), r) for r, advice in measured]
    ranked.sort(key=lambda found: (*(-x for x in found[0]), found[1].author, found[1].topic))
    return tuple(Group(r.author, r.topic) for _, r in ranked)


def _rank(r: Reliability, advice: Advice | None, descriptors: Collection[str], least: float) -> tuple[float, ...]:
    advised = {told.source for told in advice.recommendations} if advice is not None else set()
    said = [(_clear(p, advised), p.n) for p in r.phrases if p.n >= least]
    clearest = max((clear for clear, _ in said), default=0)
    affected = sum(n for clear, n in said if clear == clearest)
    alone = pool_of(r.author, r.topic) is None
    kind = -1 if r.topic in descriptors else r.topic != ALL_TOPICS
    return r.curve is not None, kind, clearest >= _DIFFERS, alone, clearest, affected, r.n


def _clear(p: PhraseRate, advised: Collection[str]) -> int:
    """How clear it is what is said of a word."""
    if not 0 < p.mean < 1:
        return _PLAIN if p.phrase in advised or p.differs else 0
    if p.phrase in advised:
        return _BOTH if p.differs else _ADVISED
    return _DIFFERS if p.differs else _MATCHES if p.verdict == "matches" else 0
