"""Reliability of the groups of a department, and which of them lie apart.

A good average can hide groups: a word that is confirmed too often in one and too rarely in another may come out right
on the whole.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibration.casemix import like_cases
from radcal.calibration.evidence import evidence_of
from radcal.calibration.pooled import apart, of_one_whole, others_of, parts_of
from radcal.calibration.reference import mixes_of
from radcal.calibration.reliability import measure
from radcal.calibration.subgroup_records import SMALL, VALUES, Subgroup, Subgroups
from radcal.calibration.tables import build_tables
from radcal.system.progress import SILENT
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    import pandas as pd

    from radcal.calibration.records import Part
    from radcal.calibration.stored_analysis import Basis
    from radcal.calibration.subgroup_records import Grouping
    from radcal.system.progress import Progress

FEWEST_PATIENTS = 5
"""A group of fewer patients is not shown alone: they could be recognised."""


def subgroups(
    observations: pd.DataFrame,
    grouping: Grouping,
    author: str,
    topic: str,
    basis: Basis,
    progress: Progress = SILENT,
) -> Subgroups:
    """Each group's reliability, and whether the groups differ.

    A group of fewer than FEWEST_PATIENTS patients, or than ``settings.min_phrase_n`` findings, is put together with
    the others of that kind; if these have too few patients even then, they are only counted.

    Args:
        observations: of one author or all, on one topic or all: columns author, topic, phrase, outcome, patient and
            group ('' where it is not known).
        grouping: what the groups are.
        author, topic: what the observations are of, for the results.
        basis: words, settings and what is known of the department.
        progress: as of ``measure``.
    """
    phrases, settings = basis.phrases, basis.settings
    known = observations[observations["group"] != ""]
    made = Subgroups(grouping, author, topic, (), unknown=len(observations) - len(known), fewest=FEWEST_PATIENTS)
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
    tables = build_tables(rows, phrases, mixes=basis.mixes, errors=basis.errors)
    progress.raise_if_cancelled()
    measured = measure(tables, phrases, settings, progress, spread=basis.spread)
    progress.raise_if_cancelled()
    of_words = np.array([mean_of(p) for p in phrases])
    named = [places[int(name)] for name, _ in tables.groups]
    own = evidence_of(tables, settings)
    # Groups of the same readers' findings lie closer than readers: how far is learned from them.
    whole = of_one_whole(tables.phrases, own, None)
    by_name = {part.name: part for part in parts_of(named, tables.phrases, own, whole, settings.min_phrase_n)}
    chance = apart(own, whole(own), settings.min_phrase_n, others_of(own)).max(axis=0)
    chance *= (of_words > 0) & (of_words < 1)
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
    return replace(
        made,
        groups=tuple(groups),
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
