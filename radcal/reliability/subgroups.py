"""Reliability within the groups of a department: a good average can hide groups that are not well calibrated.

A word that is confirmed too often in one group and too rarely in another may come out right on the whole.  The
calibration error within groups, the share of each group times its word error, shows it; as groups are smaller than the
whole it is larger by chance alone, and stands beside what chance makes of it.

Source: "QA-Calibration of Language Model Confidence Scores" (ICLR 2025).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.bands import small_sample, word_interval
from radcal.reliability.casemix import like_cases
from radcal.reliability.evidence import evidence_of
from radcal.reliability.pooled import apart, of_one_whole, others_of, parts_of
from radcal.reliability.records import ALL_AUTHORS
from radcal.reliability.reference import mixes_of, references
from radcal.reliability.reliability import measure
from radcal.reliability.subgroup_records import SMALL, VALUES, Subgroup, Subgroups, Within
from radcal.reliability.tables import build_tables
from radcal.system.progress import SILENT
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from radcal.reliability.records import Mix, Part, Spread, Tables
    from radcal.reliability.reference import Reference
    from radcal.reliability.subgroup_records import Grouping
    from radcal.review.records import ReadingErrors
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

FEWEST_PATIENTS = 5
"""A group of fewer patients is not shown alone: they could be recognised."""
_MOST_DRAWN, _FEWEST_DRAWS = 20_000_000, 200
"""Outcomes put into groups by chance in all, and the fewest times that this is done."""
_BLOCK = 1 << 22


def subgroups(
    observations: pd.DataFrame,
    grouping: Grouping,
    author: str,
    topic: str,
    phrases: Sequence[Phrase],
    settings: Settings,
    *,
    mixes: Mapping[str, Mix] | None = None,
    errors: ReadingErrors | None = None,
    spread: Spread | None = None,
    progress: Progress = SILENT,
) -> Subgroups:
    """Each group's reliability, whether the groups differ, and the calibration error within them.

    A group of fewer than FEWEST_PATIENTS patients, or than ``settings.min_phrase_n`` findings, is put together with
    the others of that kind; if these have too few patients even then, they are only counted.

    Args:
        observations: of one author or all, on one topic or all: columns author, topic, phrase, outcome, patient and
            group ('' where it is not known).
        grouping: what the groups are.
        author, topic: what the observations are of, for the results.
        phrases, settings: as of ``measure``.
        mixes, errors: as of ``build_tables``.
        spread, progress: as of ``measure``.

    Raises:
        Cancelled: by ``progress``.
    """
    known = observations[observations["group"] != ""]
    made = Subgroups(grouping, author, topic, (), None, unknown=len(observations) - len(known), fewest=FEWEST_PATIENTS)
    known, folded, hidden = _folded(known, settings.min_phrase_n)
    made = replace(made, folded=folded, hidden=hidden)
    if known.empty:
        return made
    places = _in_order(grouping, set(known["group"]))
    numbered = {name: f"{place:06d}" for place, name in enumerate(places)}
    # Tables are in alphabetical order: the groups keep theirs under numbers.
    rows = known[["phrase", "outcome", "patient"]].assign(
        author=known["group"].map(numbered).astype(object), topic=topic
    )
    tables = build_tables(rows, phrases, mixes=mixes, errors=errors)
    progress.raise_if_cancelled()
    measured = measure(tables, phrases, settings, progress, spread=spread)
    (whole,) = measure(_summed(tables, author), phrases, settings, progress, spread=spread)
    progress.raise_if_cancelled()
    of_words = np.array([mean_of(p) for p in phrases])
    named = [places[int(name)] for name, _ in tables.groups]
    own = evidence_of(tables, settings)
    # Groups of the same readers' findings lie closer than readers: how far is learned from them.
    truth = of_one_whole(tables.phrases, own, None)
    parts = parts_of(named, tables.phrases, own, truth, settings.min_phrase_n)
    chance = apart(own, truth, settings.min_phrase_n, others_of(own)).max(axis=0)
    chance *= (of_words > 0) & (of_words < 1)
    by_name = {part.name: part for part in parts}
    mix = mixes_of(tables)[topic]
    cases = like_cases(known, "group", ["author", "topic"], topic, phrases, settings, mix, None)
    alike = {part.name: part for part in cases}
    patients = known.groupby("group")["patient"].nunique()
    groups = [
        Subgroup(
            name,
            int(patients[name]),
            replace(r, author=name),
            *_told(by_name[name]),
            *_told(alike.get(name)),
        )
        for name, r in zip(named, measured, strict=True)
    ]
    (reference,), _ = references(tables, settings)
    return replace(
        made,
        groups=tuple(groups),
        whole=replace(whole, parts=parts),
        within=_within(known, tables, named, of_words, reference, settings, progress),
        phrase=tables.phrases[int(chance.argmax())] if chance.any() else "",
    )


def _told(part: Part | None) -> tuple[float | None, bool]:
    """The probability that the part lies apart, None where too little was said to tell, and whether it does."""
    return (None, False) if part is None or not part.probability else (part.probability, part.differs)


def _folded(known: pd.DataFrame, least: int) -> tuple[pd.DataFrame, tuple[str, ...], int]:
    """The observations with small groups put together, which these are, and how many are left out."""
    by_group = known.groupby("group")["patient"].agg(["nunique", "size"])
    small = by_group[(by_group["nunique"] < FEWEST_PATIENTS) | (by_group["size"] < least)].index
    if small.empty:
        return known, (), 0
    its = known["group"].isin(small)
    folded = tuple(sorted(map(str, small)))
    if known.loc[its, "patient"].nunique() < FEWEST_PATIENTS:
        return known[~its], folded, int(its.sum())
    return known.assign(group=known["group"].where(~its, SMALL)), folded, 0


def _in_order(grouping: Grouping, names: set[str]) -> list[str]:
    order = VALUES.get(grouping, ())
    place = {name: k for k, name in enumerate(order)}
    return sorted(names, key=lambda name: (name == SMALL, place.get(name, len(order)), name.casefold(), name))


def _summed(tables: Tables, author: str) -> Tables:
    topic = tables.groups[0][1]
    by_patient = {(author, topic): tables.by_patient[ALL_AUTHORS, topic]}
    counts = tables.counts.sum(axis=0, keepdims=True)
    return replace(tables, groups=((author, topic),), counts=counts, by_patient=by_patient)


def _within(
    known: pd.DataFrame,
    tables: Tables,
    named: Sequence[str],
    mean: Array,
    reference: Reference,
    settings: Settings,
    progress: Progress,
) -> Within | None:
    hedged = (mean > 0) & (mean < 1)
    counts, of = tables.counts[:, hedged], mean[hedged]
    n, confirmed = counts.sum(axis=2), counts @ tables.positive
    total = float(n.sum())
    if not total:
        return None

    def error(y: Array) -> Array:
        """(...), of confirmed counts (..., G, K)."""
        found: Array = np.abs(reference.corrected(y, n) - n * of).sum(axis=(-1, -2)) / total
        return found

    whole = reference.corrected(confirmed.sum(axis=0), n.sum(axis=0))
    made = Within(total, float(np.abs(whole - n.sum(axis=0) * of).sum()) / total, float(error(confirmed)), *[None] * 4)
    if not settings.bootstrap:
        return made
    rng = np.random.default_rng(settings.seed)
    size = (settings.bootstrap, *n.shape)
    whole_n = np.rint(n).astype(np.int64)
    rate = np.divide(confirmed, n, out=np.zeros_like(n), where=n > 0)
    redrawn = error(rng.binomial(whole_n, np.clip(rate, 0, 1), size=size).astype(np.float64))
    means = np.broadcast_to(of, n.shape).ravel()
    luck = error(reference.confirmed(whole_n.ravel(), means, settings.bootstrap, rng).reshape(size))
    few = small_sample(np.array([total]), np.array([(n > 0).sum()]))
    interval, _ = word_interval(redrawn[None], luck[None], np.array([made.error]), few, settings.confidence)
    words = [name for name, its in zip(tables.phrases, hedged, strict=True) if its]
    chance = error(_by_chance(known, named, words, settings, rng, progress))
    return replace(
        made,
        low=float(interval[0, 0]),
        high=float(interval[1, 0]),
        alike=float(chance.mean()),
        alike_high=float(np.quantile(chance, settings.confidence)),
    )


def _by_chance(
    known: pd.DataFrame,
    named: Sequence[str],
    words: Sequence[str],
    settings: Settings,
    rng: np.random.Generator,
    progress: Progress,
) -> Array:
    """(B, G, K): confirmed counts where each word's outcomes are dealt out to the groups by chance."""
    import pandas as pd

    group = pd.Index(named).get_indexer_for(pd.Index(known["group"].astype(str)))
    word = pd.Index(words).get_indexer_for(pd.Index(known["phrase"].astype(str)))
    outcome = known["outcome"].to_numpy(dtype=np.float64)
    draws = int(np.clip(_MOST_DRAWN // max(len(known), 1), _FEWEST_DRAWS, max(settings.bootstrap, _FEWEST_DRAWS)))
    dealt = np.zeros((draws, len(named), len(words)))
    for k in range(len(words)):
        progress.raise_if_cancelled()
        its = np.sort(group[word == k])
        values = outcome[word == k]
        present, starts = np.unique(its, return_index=True)
        step = max(1, _BLOCK // max(len(values), 1))
        for start in range(0, draws if len(values) else 0, step):
            some = np.broadcast_to(values, (min(step, draws - start), len(values)))
            dealt[start : start + step, present, k] = np.add.reduceat(rng.permuted(some, axis=1), starts, axis=1)
    return dealt
