"""All pathologies of an author together, all authors of a pathology together, and whether these parts are alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibration.evidence import Evidence, evidence_of
from radcal.calibration.model import learned, posterior
from radcal.calibration.records import ALL_AUTHORS, SURE, Part, Reliability
from radcal.calibration.reliability import measure, spread_of
from radcal.system.progress import SILENT
from radcal.system.settings import ALL_TOPICS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from radcal.calibration.model import Posterior
    from radcal.calibration.records import Pool, Spread, Tables
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]
    Whole = Callable[[Evidence], Posterior]

APART = 0.05
"""Least difference of a word's rate from that of the other parts that tells a part from them, in 0-1."""
OPEN = 0.8
"""Probability of such a difference from which on it is left open whether the parts are alike."""


def pooled(tables: Tables, by: Pool) -> Tables:
    """The sums of the tables over the topics of each author, groups (author, ALL_TOPICS), or over the authors of each
    topic, groups (ALL_AUTHORS, topic); in alphabetical order.
    """
    members = _members(tables, by)
    counts = np.stack([tables.counts[places].sum(axis=0) for places in members.values()])
    unread = {group: sum(tables.unread.get(tables.groups[q], 0.0) for q in places) for group, places in members.items()}
    return replace(tables, groups=tuple(members), counts=counts, unread=unread)


def measure_pooled(
    tables: Tables,
    phrases: Sequence[Phrase],
    settings: Settings,
    by: Pool,
    progress: Progress = SILENT,
    spread: Spread | None = None,
) -> tuple[Reliability, ...]:
    """As ``measure`` of the :func:`pooled` tables, each with its parts and whether they differ.

    q-values are over the pooled groups of the call.

    Args:
        spread: what is known of the department; None to learn it from the single groups of these tables.
    """
    if spread is None:
        spread = spread_of(tables, phrases, settings, progress)
    evidence = evidence_of(tables, settings)
    name_at = 1 if by == "author" else 0
    made = []
    measured = measure(pooled(tables, by), phrases, settings, progress, spread=spread)
    for r, places in zip(measured, _members(tables, by).values(), strict=True):
        progress.raise_if_cancelled()
        own = evidence.of(np.array(places))
        whole = of_one_whole(tables.phrases, own, spread)
        names = [tables.groups[q][name_at] for q in places]
        made.append(replace(r, parts=parts_of(names, tables.phrases, own, whole, settings.min_phrase_n)))
    return tuple(made)


def parts_of(
    names: Sequence[str],
    phrases: Sequence[str],
    own: Evidence,
    whole: Whole,
    least: float,
    others: Evidence | None = None,
) -> tuple[Part, ...]:
    """The parts of a pooled group, the largest first, each with the word that sets it apart from the others most.

    The part that differs most surely then is none of the others of those that are left, if these have said the word
    often enough, and so on while most parts are left: one odd part does not make the others odd.  Others that chance
    made odd do not make a part odd either: at the end they, too, are drawn to what all parts together come to.

    Args:
        names: of G parts;  phrases: of K words;  own: evidence of the parts;  whole: as of :func:`of_one_whole`.
        least, others: as of :func:`apart`.
    """
    left = np.full((len(names), 1), others is None)
    others = others_of(own) if others is None else others
    truth = whole(own)
    chance = apart(own, truth, least, others)
    while 2 * left.sum() > len(names) + 2 and (sure := np.where(left, chance, 0.0).max(axis=1)).max() >= SURE:
        left[sure.argmax()] = False
        rest = others_of(replace(own, n=own.n * left, y=own.y * left))
        enough = left & (rest.n >= least)
        n, y, weight = (np.where(enough, getattr(rest, x), getattr(others, x)) for x in ("n", "y", "weight"))
        others = Evidence(n, y, weight)
        chance = apart(own, truth, least, others)
    chance = np.minimum(chance, apart(own, truth, least, others, whole(others)))
    best = chance.argmax(axis=1)
    made = []
    for g, k in enumerate(best.tolist()):
        p = float(chance[g, k])
        word = phrases[k] if p >= OPEN else ""
        counts = (float(x[g, k]) for x in (own.n, own.y, others.n, others.y)) if word else (0.0,) * 4
        made.append(Part(names[g], float(own.n[g].sum()), p, p >= SURE, word, *counts))
    return tuple(sorted(made, key=lambda part: (-part.n, part.name)))


def of_one_whole(phrases: Sequence[str], own: Evidence, spread: Spread | None) -> Whole:
    """What gives the posterior of rates of words, taken to mean what all parts together come to.

    So parts that are off alike do not lie apart.

    Args:
        phrases: of K words;  own: evidence of the parts.
        spread: of the department's readers; None to learn from the parts how far they lie from each other.
    """
    mean = (own.y.sum(axis=0) + 0.5) / (own.n.sum(axis=0) + 1)
    if spread is None:
        spread = learned(own, mean, phrases, [(str(g), "") for g in range(len(own.n))])
    spread = replace(spread, common={}, doubt={}, levels=())
    return lambda evidence: posterior(evidence, mean, phrases, spread, used=True)


def apart(own: Evidence, truth: Posterior, least: float, others: Evidence, drawn: Posterior | None = None) -> Array:
    """(G, K) probability that the rate of a word in a part lies beyond APART from that of all others together.

    The rate of a word in a part has the posterior ``truth``, that of all others together the posterior ``drawn``, or
    Beta(c y + 1/2, c (n - y) + 1/2), c the weight of their findings.  The difference of the two is taken for normal.
    At most 1/2 where the counts themselves are not as far apart; 0 of words of fewer than ``least`` uses in the part or
    in the others, which tell nothing.

    Args:
        own: evidence of the parts;  others: of all others than each part.
    """
    from scipy.special import ndtr

    told = others.told
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(others.n > 0, others.y / others.n, 0.5)
        between = own.y / own.n - share
        a, b = share * told + 0.5, (1 - share) * told + 0.5
        centre, variance = a / (a + b), a * b / ((a + b) ** 2 * (a + b + 1))
        if drawn is not None:
            centre, variance = drawn.mean, drawn.variance
        beyond = np.sign(between) * (truth.mean - centre) - APART
        chance = ndtr(beyond / np.sqrt(truth.variance + variance))
    chance = np.where(np.abs(between) > APART, chance, np.minimum(chance, 0.5))
    return np.where((own.n >= least) & (others.n >= least), chance, 0.0)


def others_of(own: Evidence) -> Evidence:
    """The evidence of all other parts together, for each part."""
    n, y, rest = (x.sum(axis=0) - x for x in (own.n, own.y, own.told))
    return Evidence(n, y, np.divide(rest, n, out=np.ones_like(n), where=n > 0))


def _members(tables: Tables, by: Pool) -> Mapping[tuple[str, str], list[int]]:
    """The places of the groups that make up each pooled group."""
    members: dict[tuple[str, str], list[int]] = {}
    for q, (author, topic) in enumerate(tables.groups):
        members.setdefault((author, ALL_TOPICS) if by == "author" else (ALL_AUTHORS, topic), []).append(q)
    return dict(sorted(members.items()))
