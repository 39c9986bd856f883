"""All pathologies of an author together, all authors of a pathology together, and whether these parts are alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.records import ALL_AUTHORS, LEVEL, Part, Reliability, WordApart
from radcal.reliability.reliability import measure
from radcal.system.progress import SILENT
from radcal.system.settings import ALL_TOPICS
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from radcal.reliability.records import Pool, Tables
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]

OPEN = 0.2
"""p-value below which parts that are not shown to differ are not said to be alike: a word may tell them apart."""
_LEAST_SKEW, _NO_VARIANCE = 1e-4, 1e-12


def pooled(tables: Tables, by: Pool) -> Tables:
    """The sums of the tables over the topics of each author, groups (author, ALL_TOPICS), or over the authors of each
    topic, groups (ALL_AUTHORS, topic); in alphabetical order.
    """
    members = _members(tables, by)
    counts = np.stack([tables.counts[places].sum(axis=0) for places in members.values()])
    return replace(tables, groups=tuple(members), counts=counts)


def measure_pooled(
    tables: Tables, phrases: Sequence[Phrase], settings: Settings, by: Pool, progress: Progress = SILENT
) -> tuple[Reliability, ...]:
    """As ``measure`` of the :func:`pooled` tables, each with its parts and the test of their homogeneity.

    q-values are over the pooled groups of the call.
    """
    mean = {p.name: mean_of(p) for p in phrases}
    of_words = np.array([mean.get(name, np.nan) for name in tables.phrases])
    name_at = 1 if by == "author" else 0
    made = []
    for r, places in zip(
        measure(pooled(tables, by), phrases, settings, progress), _members(tables, by).values(), strict=True
    ):
        progress.raise_if_cancelled()
        names = [tables.groups[q][name_at] for q in places]
        p, parts = homogeneity(names, tables.counts[places], tables.positive, of_words, settings.min_phrase_n)
        differ = any(part.differs for part in parts)
        apart = (
            None if p is None or differ else most_apart(names, tables.phrases, tables.counts[places], tables.positive)
        )
        made.append(replace(r, parts=parts, p_value_parts=p, apart=apart))
    return tuple(made)


def homogeneity(
    names: Sequence[str], counts: Array, positive: Array, mean: Array, least: float
) -> tuple[float | None, tuple[Part, ...]]:
    """Whether the parts of a pooled group were confirmed alike, word by word, and which differ from the rest.

    Each part against the rest, stratified by word.  If the outcomes of word k do not depend on the part, the n_gk of
    part g are a draw without replacement from all N_k.  T_g = sum_k w_k (y_gk - n_gk Y_k / N_k) then has the mean 0,
    and a variance and a skewness in closed form; p-values are those of a Pearson type III distribution with these
    moments, two-sided.  There are two such tests: w_k = 1 asks whether the words were confirmed more or less often,
    w_k = E[S|k] less its mean whether strong and weak words lay further apart; the smaller of the two p-values is
    doubled.  With w_k = 1 and outcomes of 0 and 1 this is the Cochran-Mantel-Haenszel test.

    The part with the least p-value differs from the rest if that, times the number of parts tested, is below LEVEL.
    It then leaves the rest, which is tested again, until no part differs: otherwise one odd part of many statements
    would make all others differ from a rest that it dominates.

    Args:
        names: of G parts.
        counts: (G, K, L), t[g, k, l].
        positive: (L,), p_l in 0-1.
        mean: (K,), E[S|k] in 0-1.
        least: parts of fewer statements are in the rest, but are not tested themselves.

    Returns:
        The p-value of the first step, adjusted: that all parts are alike; None where nothing could be tested.  And the
        parts, the largest first, with adjusted p-values, NaN where not tested.

    Source: Mantel and Haenszel, JNCI 1959;22:719-748; Mielke and Berry, Permutation Methods (2007).
    """
    power = counts @ np.stack([np.ones_like(positive), positive, positive**2, positive**3], axis=1)
    return alike(names, power, mean, least)


def most_apart(names: Sequence[str], phrases: Sequence[str], counts: Array, positive: Array) -> WordApart | None:
    """The word and the part for which the test of :func:`homogeneity`, made of them alone, gives the least p-value.

    None where none is below LEVEL.  The p-value allows for nothing else that was looked at: it says why parts that are
    not shown to differ need not be alike.

    Args:
        names: of G parts;  phrases: of K words.
        counts, positive: as for :func:`homogeneity`.
    """
    n, y = counts.sum(axis=2), counts @ positive
    squares, cubes = counts @ positive**2, counts @ positive**3
    power = np.stack([n, y, squares, cubes], axis=2)
    p = np.stack([_against_rest(power[:, [k]], np.zeros(1)) for k in range(len(phrases))], axis=1)
    p[n <= 0] = 1.0
    g, k = np.unravel_index(int(p.argmin()), p.shape)
    if not p[g, k] < LEVEL:
        return None
    rest_n, rest_y = float(n[:, k].sum() - n[g, k]), float(y[:, k].sum() - y[g, k])
    return WordApart(phrases[int(k)], names[int(g)], float(n[g, k]), float(y[g, k]), rest_n, rest_y, float(p[g, k]))


def alike(names: Sequence[str], power: Array, mean: Array, least: float) -> tuple[float | None, tuple[Part, ...]]:
    """As :func:`homogeneity`, from the sums of the outcomes to the powers 0 to 3, (G, K, 4).

    K may be strata of words, in each of which the parts are compared, with the mean of its word.
    """
    size = power[:, :, 0].sum(axis=1)
    rest = np.ones(len(size), dtype=bool)
    p_values, differs = np.full(len(size), np.nan), np.zeros(len(size), dtype=bool)
    overall: float | None = None
    reached = 0.0
    while rest.sum() > 1 and (tested := np.flatnonzero(rest & (size >= least))).size:
        # Of two parts, each is the other's rest: that is one test, and it is the smaller one that leaves.
        two = rest.sum() == 2
        p = _against_rest(power[rest], mean)[(size >= least)[rest]]
        adjusted = np.maximum(np.minimum(p * (1 if two else len(p)), 1.0), reached)
        overall = float(adjusted.min()) if overall is None else overall
        p_values[tested] = adjusted
        reached = float(adjusted.min())
        if not reached < LEVEL:
            break
        out = np.flatnonzero(rest)[size[rest].argmin()] if two else tested[adjusted.argmin()]
        p_values[out], differs[out], rest[out] = reached, True, False
    order = sorted(range(len(names)), key=lambda g: (-size[g], names[g]))
    return overall, tuple(Part(names[g], float(size[g]), float(p_values[g]), bool(differs[g])) for g in order)


def _against_rest(power: Array, mean: Array) -> Array:
    """(G,) p-values of each part; ``power`` (G, K, 4): sums of the outcomes to the powers 0 to 3."""
    n, y = power[:, :, 0], power[:, :, 1]
    total = power.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = total[:, 0]
        first, second, third = (np.where(whole > 0, total[:, i] / whole, 0.0) for i in (1, 2, 3))
        drawn = n * (whole - n)
        # Of what is drawn without replacement from a finite number of outcomes.
        variance = np.where(whole > 1, drawn / (whole - 1) * np.maximum(second - first**2, 0.0), 0.0)
        cubed = third - 3 * first * second + 2 * first**3
        skew = np.where(whole > 2, drawn * (whole - 2 * n) / ((whole - 1) * (whole - 2)) * cubed, 0.0)
    beyond = y - n * first
    at_hand = variance.sum()
    centred = mean - (variance.sum(axis=0) @ mean / at_hand if at_hand > 0 else 0.0)
    weights = [np.ones_like(mean), centred]
    p = [_two_sided(beyond @ w, variance @ w**2, skew @ w**3) for w in weights]
    asked = 1 + bool((variance @ centred**2 > _NO_VARIANCE).any())
    least: Array = np.minimum(np.min(p, axis=0) * asked, 1.0)
    return least


def _two_sided(t: Array, variance: Array, third: Array) -> Array:
    """Twice the smaller tail of the Pearson type III distribution of mean 0 with these moments; 1 without variance."""
    from scipy.special import gammainc, gammaincc

    known = variance > _NO_VARIANCE
    v = np.where(known, variance, 1.0)
    skew = np.where(known, third, 0.0) / v**1.5
    shape = 4 / np.maximum(np.abs(skew), _LEAST_SKEW) ** 2
    # In the direction of the skew it is a gamma distribution, moved to the mean 0.
    along = np.maximum(shape + np.where(skew < 0, -t, t) / np.sqrt(v) * np.sqrt(shape), 0.0)
    tail = np.minimum(gammaincc(shape, along), gammainc(shape, along))
    p: Array = np.where(known, np.minimum(2 * tail, 1.0), 1.0)
    return p


def _members(tables: Tables, by: Pool) -> Mapping[tuple[str, str], list[int]]:
    """The places of the groups that make up each pooled group."""
    members: dict[tuple[str, str], list[int]] = {}
    for q, (author, topic) in enumerate(tables.groups):
        members.setdefault((author, ALL_TOPICS) if by == "author" else (ALL_AUTHORS, topic), []).append(q)
    return dict(sorted(members.items()))
