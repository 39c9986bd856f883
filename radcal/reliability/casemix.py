"""Authors compared as if all had seen the department's mix of cases: direct standardisation.

Who reads at night reads other patients.  Within each stratum s of cases (a site and an age band, say) and each word k,
author a's confirmed rate is r_aks; the department says the word k in stratum s with a share of w_ks of its uses, which
adds to 1 over s.  The standardised rate is

    sum_s w_ks r_aks / sum_s w_ks,    over the strata in which the author used the word,

and the share of the mix that these make up stands beside it: nothing is said of cases that an author did not see.
The author's word error is made of the standardised rates, and beside it that of everybody's rates for the same words,
strata and weights, so that like is compared with like.

Errors of the CT are the same in every stratum, so that a word's standardised rate is corrected for them as a raw rate
is: the correction is linear, but for its limits of 0 and 1, which the few findings of a stratum would often reach.

Source: Breslow and Day, Statistical Methods in Cancer Research II (IARC 1987), chapter 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.bands import FEWEST_HEDGES, word_interval
from radcal.reliability.evidence import Evidence, evidence_of
from radcal.reliability.pooled import of_one_whole, others_of, parts_of
from radcal.reliability.records import Mix
from radcal.reliability.reference import Reference, mixes_of
from radcal.reliability.repeats import design_effects, told_share
from radcal.reliability.subgroup_records import CaseMix, Standardised, StandardRate, Stratum
from radcal.reliability.tables import build_tables
from radcal.system.intervals import jeffreys
from radcal.system.progress import SILENT
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from radcal.reliability.records import Part, Spread
    from radcal.reliability.subgroup_records import Stratifier
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]

_DRAWS = 1000


def standardised(
    observations: pd.DataFrame,
    by: Sequence[Stratifier],
    topic: str,
    phrases: Sequence[Phrase],
    settings: Settings,
    *,
    mixes: Mapping[str, Mix] | None = None,
    spread: Spread | None = None,
    progress: Progress = SILENT,
) -> CaseMix:
    """All authors' confirmed rates of hedged words and word errors, raw and standardised.

    Args:
        observations: on one topic or all, at least one: columns author, topic, phrase, outcome and those of ``by``,
            '' where a value is not known; such findings are counted and left out.
        by: columns whose combinations are the strata; without any there is nothing to compare.
        topic: what the observations are of, for the result.
        phrases: the lexicon.
        settings: min_phrase_n, confidence, errors of the CT, bootstrap (0: no intervals of word errors) and seed.
        mixes: as of ``build_tables``; else the reference's use of outcomes is that of the observations.
        spread: of the department; None to learn from the observations how far authors lie from each other.
        progress: asked whether to stop.

    Raises:
        Cancelled: by ``progress``.
    """
    import pandas as pd

    fewest = max(settings.min_phrase_n, FEWEST_HEDGES)
    if not by:
        return CaseMix((), topic, 0, 0, (), (), fewest)
    hedges = {p.name: mean_of(p) for p in phrases if 0 < mean_of(p) < 1}
    hedged = observations[observations["phrase"].isin(hedges)]
    known = hedged[(hedged[list(by)] != "").all(axis=1)]
    made = CaseMix(tuple(by), topic, len(known), len(hedged) - len(known), (), (), fewest)
    if known.empty:
        return made
    stratum, values = pd.factorize(pd.MultiIndex.from_frame(known[list(by)].astype(str)), sort=True)
    word = pd.Index(hedges).get_indexer_for(pd.Index(known["phrase"].astype(str)))
    author, names = pd.factorize(known["author"].astype(str), sort=True)
    shape = (len(hedges), len(values))
    cell, outcome = np.ravel_multi_index((word, stratum), shape), known["outcome"].to_numpy(dtype=np.float64)

    def counted(rows: NDArray[np.bool_] | slice) -> tuple[Array, Array]:
        """(K, S) said and confirmed."""
        weights = (np.ones_like(outcome), outcome)
        n, y = (np.bincount(cell[rows], of[rows], shape[0] * shape[1]).astype(np.float64) for of in weights)
        return n.reshape(shape), y.reshape(shape)

    n, y = counted(slice(None))
    of_stratum = n.sum(axis=0)
    strata = [Stratum(tuple(v), float(k), float(k) / len(known)) for v, k in zip(values, of_stratum, strict=True)]
    outcomes, uses = np.unique(observations["outcome"].to_numpy(dtype=np.float64), return_counts=True)
    mix = (mixes or {}).get(topic, Mix(outcomes, uses.astype(np.float64)))
    reference = Reference.of(mix, *settings.ct_accuracy_on(topic))
    everybody = _Department(tuple(hedges), np.array([*hedges.values()]), n, y, tuple(strata), reference)
    raw, alike = (
        {part.name: part for part in like_cases(known, "author", strata_by, topic, phrases, settings, mix, spread)}
        for strata_by in ([], list(by))
    )
    tables = build_tables(known.assign(topic=topic), phrases)
    its_own = [tables.phrases.index(name) for name in hedges]
    effects = dict(zip((name for name, _ in tables.groups), design_effects(tables)[:, its_own], strict=True))
    rng = np.random.default_rng(settings.seed)
    authors = []
    for a, name in enumerate(map(str, names)):
        progress.raise_if_cancelled()
        n, y = counted(author == a)
        own = _author(name, n, y, effects[name], everybody, settings)
        if (part := raw.get(name)) is not None:
            own = replace(own, raw_probability=part.probability, raw_differs=part.differs)
        if (part := alike.get(name)) is not None:
            own = replace(own, probability=part.probability, differs=part.differs)
        authors.append(own if own.n < fewest else _with_error(own, n, y, everybody, settings, rng))
    return replace(
        made,
        strata=tuple(sorted(strata, key=lambda s: (-s.n, s.groups))),
        authors=tuple(authors),
    )


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
    """Each value of a column beside all others, as :func:`radcal.reliability.pooled.parts_of`, but like with like.

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
    import pandas as pd

    place = {p.name: k for k, p in enumerate(phrases)}
    word = rows["phrase"].astype(str).map(place)
    rows, word = rows[word.notna()], word[word.notna()].to_numpy(np.intp)
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
    truth = of_one_whole(tables.phrases, own, spread)
    return parts_of(values, tables.phrases, own, truth, settings.min_phrase_n, rest)


def effective(n: Array, y: Array, weight: Array) -> Array:
    """Effective number of findings of a standardised rate sum_s w_s r_s, from counts and weights (..., S).

    That of a simple sample with the same variance, sum_s w_s^2 r_s (1 - r_s) / n_s by the delta method, at most the
    real number.

    Source: Korn and Graubard, Survey Methodology 1998;24:193-201.
    """
    smooth = _towards(y, n)
    variance = _ratio(weight**2 * smooth * (1 - smooth), n).sum(axis=-1)
    centre = (weight * smooth).sum(axis=-1)
    return np.minimum(_ratio(centre * (1 - centre), variance), n.sum(axis=-1))


@dataclass(frozen=True, slots=True, eq=False)
class _Department:
    """Everybody's hedged findings: K words with their means, (K, S) said and confirmed, strata, and the reference."""

    words: tuple[str, ...]
    mean: Array
    n: Array
    y: Array
    strata: tuple[Stratum, ...]
    reference: Reference

    def weights(self, used: NDArray[np.bool_]) -> tuple[Array, Array]:
        """(K, S), the shares of the strata that are used, adding to 1 over them; and (K,) what they were before."""
        said = self.n.sum(axis=1, keepdims=True)
        share = np.where(used, np.divide(self.n, said, out=np.zeros_like(self.n), where=said > 0), 0.0)
        covered: Array = share.sum(axis=1)
        whole = covered[:, None]
        return np.divide(share, whole, out=np.zeros_like(share), where=whole > 0), covered

    def rates(self, weight: Array) -> Array:
        """(K,), everybody's rates of the words for these weights (K, S), corrected for errors of the CT."""
        raw: Array = (weight * _ratio(self.y, self.n)).sum(axis=1)
        return self.reference.corrected(raw, np.ones_like(raw))


def _ratio(y: Array, n: Array) -> Array:
    return np.divide(y, n, out=np.zeros_like(y), where=n > 0)


def _towards(y: Array, n: Array) -> Array:
    """(..., S): rates of an author's strata, each with one more finding of the author's overall rate of the word.

    A stratum of few findings, all or none of them confirmed, is not taken to have no variance.
    """
    word = (y.sum(axis=-1, keepdims=True) + 0.5) / (n.sum(axis=-1, keepdims=True) + 1)
    rates: Array = (y + word) / (n + 1)
    return rates


def _author(name: str, n: Array, y: Array, effects: Array, everybody: _Department, settings: Settings) -> Standardised:
    """effects: (K,) of patients seen again."""
    said, positives = n.sum(axis=1), y.sum(axis=1)
    weight, covered = everybody.weights(n > 0)
    correct = everybody.reference.corrected_rates
    told = told_share(said, effects, settings.confidence)
    rate = correct(_ratio(positives, said), *jeffreys(positives * told, said * told, settings.confidence))
    raw = (weight * _ratio(y, n)).sum(axis=1)
    size = effective(n, y, weight) * told
    standard = correct(raw, *jeffreys(raw * size, size, settings.confidence))
    columns = (said, positives, *rate, everybody.mean, *standard, everybody.rates(weight), covered)
    rates = tuple(
        StandardRate(everybody.words[k], *(float(column[k]) for column in columns)) for k in np.flatnonzero(said)
    )
    lacking = [s for s, its in zip(everybody.strata, n.sum(axis=0), strict=True) if not its]
    return Standardised(
        name,
        float(said.sum()),
        rates,
        float(said @ covered / said.sum()),
        tuple(sorted(lacking, key=lambda s: (-s.share, s.groups))),
    )


def _with_error(
    made: Standardised, n: Array, y: Array, everybody: _Department, settings: Settings, rng: np.random.Generator
) -> Standardised:
    """With raw and standardised word error, and their intervals unless nothing is redrawn."""
    weight, _ = everybody.weights(n > 0)
    # Of the cells of words and strata most are empty; those in use stand word by word.
    word, stratum = np.nonzero(n)
    words, starts = np.unique(word, return_index=True)
    in_cell, share = n[word, stratum], weight[word, stratum] / n[word, stratum]
    said, mean = n.sum(axis=1)[words], everybody.mean[words]

    reference = everybody.reference

    def errors(y: Array) -> Array:
        """(2, ...), raw and standardised, of confirmed counts in the cells (..., C)."""
        rates = np.add.reduceat(y, starts, axis=-1) / said, np.add.reduceat(y * share, starts, axis=-1)
        gaps = [np.abs(reference.corrected(rate, np.ones_like(rate)) - mean) @ said for rate in rates]
        found: Array = np.stack(gaps) / said.sum()
        return found

    observed = errors(y[word, stratum])
    made = replace(
        made,
        word_error=float(observed[0]),
        standard=float(observed[1]),
        department=float(said @ np.abs(everybody.rates(weight)[words] - mean) / said.sum()),
    )
    if not settings.bootstrap:
        return made
    whole, size = np.rint(in_cell).astype(np.int64), (min(settings.bootstrap, _DRAWS), len(word))
    redrawn = errors(rng.binomial(whole, np.clip(_towards(y, n)[word, stratum], 0, 1), size=size).astype(np.float64))
    luck = errors(reference.confirmed(whole, everybody.mean[word], size[0], rng))
    # Rates of few findings that were drawn towards the word's need no further factor.
    (low, high), _ = word_interval(redrawn, luck, observed, np.ones(2), settings.confidence)
    return replace(
        made,
        word_error_low=float(low[0]),
        word_error_high=float(high[0]),
        standard_low=float(low[1]),
        standard_high=float(high[1]),
    )
