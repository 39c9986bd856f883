"""Authors compared in like cases: who reads at night reads other patients.

A finding is compared with the others' findings of the same word in the same stratum of cases (a site and an age band,
say), whose rate is standardised to the author's own mix.

Source: Breslow and Day, Statistical Methods in Cancer Research II (IARC 1987), chapter 2 (indirect standardisation).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from radcal.calibration.evidence import Evidence, evidence_of
from radcal.calibration.pooled import of_one_whole, others_of, parts_of
from radcal.calibration.records import Mix
from radcal.calibration.reference import mixes_of
from radcal.calibration.repeats import design_effects
from radcal.calibration.subgroup_records import AuthorCases, CaseMix, Stratum
from radcal.calibration.tables import build_tables
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.calibration.records import Part, Spread
    from radcal.calibration.stored_analysis import Basis
    from radcal.calibration.subgroup_records import Stratifier
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]


def compared_in_cases(
    observations: pd.DataFrame,
    by: Sequence[Stratifier],
    topic: str,
    basis: Basis,
) -> CaseMix:
    """Whether authors' hedged words lie apart from all others', in all and among findings of like cases.

    Args:
        observations: on one topic or all, at least one: columns author, topic, phrase, outcome and those of ``by``,
            '' where a value is not known; such findings are counted and left out.
        by: columns whose combinations are the strata; without any there is nothing to compare.
        topic: what the observations are of, for the result.
        basis: words, settings and what is known of the department; without mixes or spread, the reference's use of
            outcomes and how far authors lie from each other are those of the observations.
    """
    least = basis.settings.min_phrase_n
    if not by:
        return CaseMix((), topic, 0, 0, (), (), least)
    hedged = observations[observations["phrase"].isin([p.name for p in basis.phrases if 0 < mean_of(p) < 1])]
    known = hedged[(hedged[list(by)] != "").all(axis=1)]
    made = CaseMix(tuple(by), topic, len(known), len(hedged) - len(known), (), (), least)
    if known.empty:
        return made
    stratum, values = pd.factorize(pd.MultiIndex.from_frame(known[list(by)].astype(str)))
    said = pd.crosstab(stratum, known["author"].astype(str))
    of_stratum = said.sum(axis=1).tolist()
    strata = [Stratum(tuple(v), float(n), n / len(known)) for v, n in zip(values, of_stratum, strict=True)]
    outcomes, uses = np.unique(observations["outcome"].to_numpy(dtype=np.float64), return_counts=True)
    mix = basis.mixes.get(topic, Mix(outcomes, uses.astype(np.float64)))
    with_words = basis.phrases, basis.settings, mix, basis.spread
    in_all, alike = (
        {p.name: p for p in like_cases(known, "author", part, topic, *with_words) if p.probability} for part in ([], by)
    )

    def largest_first(some: Sequence[Stratum]) -> tuple[Stratum, ...]:
        return tuple(sorted(some, key=lambda s: (-s.n, s.groups)))

    authors = []
    for name in map(str, said.columns):
        n = said[name]
        lacking = largest_first([s for s, its in zip(strata, n, strict=True) if not its])
        seen = 1 - sum(s.share for s in lacking)
        authors.append(AuthorCases(name, float(n.sum()), seen, lacking, in_all.get(name), alike.get(name)))
    return replace(made, strata=largest_first(strata), authors=tuple(authors))


def like_cases(
    rows: pd.DataFrame,
    of: str,
    by: Sequence[str],
    topic: str,
    phrases: Sequence[Phrase],
    settings: Settings,
    mix: Mix,
    spread: Spread | None,
) -> tuple[Part, ...]:
    """Each value of a column beside all others, as :func:`radcal.calibration.pooled.parts_of`, but like with like.

    A finding counts if the others have findings of its word and stratum.  Their rate of the word is standardised to the
    value's own mix, sum_s w_s r_s with w_s the share of stratum s among its findings, and weighs as much as its
    effective number of findings (:func:`effective`).

    Args:
        rows: columns phrase, outcome, patient where it is known, and those named.
        of: the column whose values are compared;  by: columns that findings compared have in common.
        topic: what the rows are of;  mix: the reference's use of outcomes on it.
        phrases, settings: as of ``measure``;  spread: of the department's readers, None for other values.

    Returns:
        Of the values that have findings like those of others.
    """
    place = {p.name: k for k, p in enumerate(phrases)}
    rows = rows[rows["phrase"].isin(place)]
    word = rows["phrase"].astype(str).map(place).to_numpy(np.intp)
    value, names = pd.factorize(rows[of].astype(str), sort=True)
    stratum = pd.MultiIndex.from_frame(rows[list(by)].astype(str)).factorize()[0] if by else np.zeros_like(value)
    shape = (len(names), len(place), int(stratum.max(initial=0)) + 1)
    cell, outcome = np.ravel_multi_index((value, word, stratum), shape), rows["outcome"].to_numpy(dtype=np.float64)
    n, y = (np.bincount(cell, of_row, np.prod(shape)).reshape(shape) for of_row in (np.ones_like(outcome), outcome))
    rest_n, rest_y = n.sum(axis=0) - n, y.sum(axis=0) - y
    shared = (n > 0) & (rest_n > 0)
    kept = shared.ravel()[cell]
    if not kept.any():
        return ()
    rows = rows[kept]
    tables = build_tables(rows.assign(author=rows[of].astype(str), topic=topic), phrases, mixes={topic: mix})
    some = shared.any(axis=(1, 2))
    share, rest_n, rest_y = (np.where(shared, x, 0.0)[some] for x in (n, rest_n, rest_y))
    share = _ratio(share, share.sum(axis=-1, keepdims=True))
    of_groups = tables.counts.sum(axis=2)
    effects = others_of(Evidence(of_groups, of_groups * design_effects(tables), np.ones_like(of_groups)))
    size = effective(rest_n, rest_y, share) / np.maximum(_ratio(effects.y, effects.n), 1)
    seen = size * (share * _ratio(rest_y, rest_n)).sum(axis=-1)
    others = replace(
        tables,
        counts=np.stack([size - seen, seen], axis=-1),
        positive=np.array([0.0, 1.0]),
        mixes=mixes_of(tables),
        by_patient={},
    )
    own, rest = evidence_of(tables, settings), evidence_of(others, settings)
    values = [value for value, _ in tables.groups]
    whole = of_one_whole(tables.phrases, own, spread)
    return parts_of(values, tables.phrases, own, whole, settings.min_phrase_n, rest)


def effective(n: Array, y: Array, weight: Array) -> Array:
    """Effective number of findings of a standardised rate sum_s w_s r_s, from counts and weights (..., S).

    That of a simple sample with the same variance, sum_s w_s^2 r_s (1 - r_s) / n_s by the delta method, at most the
    real number.  Each rate has one more finding of the rate of all: few findings, all or none of them confirmed, would
    else have no variance.

    Source: Korn and Graubard, Survey Methodology 1998;24:193-201.
    """
    word = (y.sum(axis=-1, keepdims=True) + 0.5) / (n.sum(axis=-1, keepdims=True) + 1)
    smooth = (y + word) / (n + 1)
    variance = _ratio(weight**2 * smooth * (1 - smooth), n).sum(axis=-1)
    centre = (weight * smooth).sum(axis=-1)
    size: Array = np.minimum(_ratio(centre * (1 - centre), variance), n.sum(axis=-1))
    return size


def _ratio(y: Array, n: Array) -> Array:
    return np.divide(y, n, out=np.zeros_like(y), where=n > 0)
