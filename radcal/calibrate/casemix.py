"""Authors compared as if all had seen the department's mix of cases: direct standardisation.

Who reads at night reads other patients.  Within each stratum s of cases (a site and an age band, say) and each word k,
author a's confirmed rate is r_aks; the department says the word k in stratum s with a share of w_ks of its uses, which
adds to 1 over s.  The standardised rate is

    sum_s w_ks r_aks / sum_s w_ks,    over the strata in which the author used the word,

and the share of the mix that these make up stands beside it: nothing is said of cases that an author did not see.
The author's word error is made of the standardised rates, and beside it that of everybody's rates for the same words,
strata and weights, so that like is compared with like.

Source: Breslow and Day, Statistical Methods in Cancer Research II (IARC 1987), chapter 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibrate.bands import FEWEST_HEDGES, word_interval
from radcal.calibrate.subgroups import like_cases
from radcal.intervals import jeffreys
from radcal.lexicon.phrases import mean_of
from radcal.progress import SILENT
from radcal.records.subgroups import CaseMix, Standardised, StandardRate, Stratum

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from radcal.progress import Progress
    from radcal.records import Part, Phrase
    from radcal.records.subgroups import Stratifier
    from radcal.settings import Settings

    Array = NDArray[np.float64]

_SHOWN = 0.05
_DRAWS = 1000


def standardised(
    observations: pd.DataFrame,
    by: Sequence[Stratifier],
    topic: str,
    phrases: Sequence[Phrase],
    settings: Settings,
    progress: Progress = SILENT,
) -> CaseMix:
    """All authors' confirmed rates of hedged words and word errors, raw and standardised.

    Args:
        observations: on one topic or all, at least one: columns author, topic, phrase, outcome and those of ``by``,
            '' where a value is not known; such findings are counted and left out.
        by: columns whose combinations are the strata.
        topic: what the observations are of, for the result.
        phrases: the lexicon.
        settings: min_phrase_n, confidence, bootstrap (0: no intervals of word errors) and seed.
        progress: asked whether to stop.

    Raises:
        Cancelled: by ``progress``.
    """
    import pandas as pd

    hedges = {p.name: mean_of(p) for p in phrases if 0 < mean_of(p) < 1}
    hedged = observations[observations["phrase"].isin(hedges)]
    known = hedged[(hedged[list(by)] != "").all(axis=1)]
    fewest = max(settings.min_phrase_n, FEWEST_HEDGES)
    made = CaseMix(tuple(by), topic, len(known), len(hedged) - len(known), (), (), None, None, fewest)
    if known.empty:
        return made
    stratum, values = pd.factorize(pd.MultiIndex.from_frame(known[list(by)].astype(str)), sort=True)
    word = pd.Index(hedges).get_indexer_for(known["phrase"].astype(str))
    author, names = pd.factorize(known["author"].astype(str), sort=True)
    shape = (len(names), len(hedges), len(values))
    cell = np.ravel_multi_index((author, word, stratum), shape)
    n, y = (
        np.bincount(cell, weights, int(np.prod(shape))).reshape(shape)
        for weights in (None, known["outcome"].to_numpy(dtype=np.float64))
    )
    n = n.astype(np.float64)
    of_stratum = n.sum(axis=(0, 1))
    strata = [Stratum(tuple(v), float(k), float(k) / len(known)) for v, k in zip(values, of_stratum, strict=True)]
    raw_p, _ = like_cases(known, "author", [], hedges, settings.min_phrase_n)
    p_value, parts = like_cases(known, "author", list(by), hedges, settings.min_phrase_n)
    department = _Department(tuple(hedges), np.array([*hedges.values()]), n.sum(axis=0), y.sum(axis=0), tuple(strata))
    rng = np.random.default_rng(settings.seed)
    authors = []
    for a, name in enumerate(names):
        progress.raise_if_cancelled()
        part = next(p for p in parts if p.name == name)
        authors.append(_with_error(_author(str(name), n[a], y[a], department, part, settings), n[a], y[a], department,
                                   settings, fewest, rng))  # fmt: skip
    return replace(
        made,
        strata=tuple(sorted(strata, key=lambda s: (-s.n, s.groups))),
        authors=tuple(authors),
        p_value=raw_p,
        p_value_standard=p_value,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Department:
    """Everybody's hedged findings: K words with their means, (K, S) said and confirmed, and the strata."""

    words: tuple[str, ...]
    mean: Array
    n: Array
    y: Array
    strata: tuple[Stratum, ...]

    def weights(self, used: NDArray[np.bool_]) -> tuple[Array, Array]:
        """(K, S), the shares of the strata that are used, adding to 1 over them; and (K,) what they were before."""
        said = self.n.sum(axis=1, keepdims=True)
        share = np.where(used, np.divide(self.n, said, out=np.zeros_like(self.n), where=said > 0), 0.0)
        covered: Array = share.sum(axis=1)
        whole = covered[:, None]
        return np.divide(share, whole, out=np.zeros_like(share), where=whole > 0), covered

    def rates(self) -> Array:
        """(K, S), everybody's confirmed rates, 0 where nothing was said."""
        return _ratio(self.y, self.n)


def _ratio(y: Array, n: Array) -> Array:
    return np.divide(y, n, out=np.zeros_like(y), where=n > 0)


def _towards(y: Array, n: Array) -> Array:
    """(K, S): rates of an author's strata, each with one more finding of the author's overall rate of the word.

    A stratum of few findings, all or none of them confirmed, is not taken to have no variance.
    """
    word = (y.sum(axis=1) + 0.5) / (n.sum(axis=1) + 1)
    rates: Array = (y + word[:, None]) / (n + 1)
    return rates


def _author(name: str, n: Array, y: Array, everybody: _Department, part: Part, settings: Settings) -> Standardised:
    said, positives = n.sum(axis=1), y.sum(axis=1)
    weight, covered = everybody.weights(n > 0)
    standard, department = (weight * _ratio(y, n)).sum(axis=1), (weight * everybody.rates()).sum(axis=1)
    low, high = jeffreys(positives, said, settings.confidence)
    standard_low, standard_high = _interval(standard, n, y, weight, settings.confidence)
    rates = tuple(
        StandardRate(everybody.words[k], *(float(x[k]) for x in columns))
        for k in np.flatnonzero(said)
        for columns in [
            (said, positives, _ratio(positives, said), low, high, everybody.mean, standard, standard_low,
             standard_high, department, covered)
        ]
    )  # fmt: skip
    lacking = [s for s, its in zip(everybody.strata, n.sum(axis=0), strict=True) if not its]
    return Standardised(
        name,
        float(said.sum()),
        rates,
        float(said @ covered / said.sum()),
        tuple(sorted(lacking, key=lambda s: (-s.share, s.groups))),
        p_value=None if np.isnan(part.p_value) else part.p_value,
        differs=part.differs,
    )


def _interval(standard: Array, n: Array, y: Array, weight: Array, confidence: float) -> tuple[Array, Array]:
    """(K,) ends: Jeffreys interval of the standardised rate at its effective number of findings.

    The delta method gives the variance sum_s w_s^2 r_s (1 - r_s) / n_s; the effective number is that of a simple sample
    with the same variance, at most the real one.  With one stratum this is the Jeffreys interval itself.

    Source: Korn and Graubard, Survey Methodology 1998;24:193-201.
    """
    smooth = _towards(y, n)
    variance = (_ratio(weight**2 * smooth * (1 - smooth), n)).sum(axis=1)
    centre = (weight * smooth).sum(axis=1)
    said = n.sum(axis=1)
    effective = np.minimum(_ratio(centre * (1 - centre), variance), said)
    return jeffreys(standard * effective, effective, confidence)


def _with_error(
    made: Standardised,
    n: Array,
    y: Array,
    everybody: _Department,
    settings: Settings,
    fewest: int,
    rng: np.random.Generator,
) -> Standardised:
    """With raw and standardised word error, where there are enough hedged findings."""
    if made.n < fewest:
        return made
    said = n.sum(axis=1)
    weight, _ = everybody.weights(n > 0)

    def raw(y: Array) -> Array:
        """(...), of confirmed counts (..., K, S)."""
        found: Array = np.abs(y.sum(axis=-1) - said * everybody.mean).sum(axis=-1) / said.sum()
        return found

    def standard(y: Array) -> Array:
        rate = (weight * np.divide(y, n, out=np.zeros_like(y), where=n > 0)).sum(axis=-1)
        found: Array = (said * np.abs(rate - everybody.mean)).sum(axis=-1) / said.sum()
        return found

    ratio = (weight * everybody.rates()).sum(axis=1)
    made = replace(
        made,
        word_error=float(raw(y)),
        standard=float(standard(y)),
        department=float((said * np.abs(ratio - everybody.mean)).sum() / said.sum()),
    )
    if not settings.bootstrap:
        return made
    whole = np.rint(n).astype(np.int64)
    size = (min(settings.bootstrap, _DRAWS), *n.shape)
    redrawn = rng.binomial(whole, np.clip(_towards(y, n), 0, 1), size=size).astype(np.float64)
    luck = rng.binomial(whole, np.broadcast_to(everybody.mean[:, None], n.shape), size=size).astype(np.float64)
    observed = np.array([made.word_error, made.standard], dtype=np.float64)
    by_chance, spread = (np.stack([raw(drawn), standard(drawn)]) for drawn in (luck, redrawn))
    low, high = word_interval(
        spread,
        observed,
        by_chance.mean(axis=1),
        np.quantile(by_chance, settings.confidence, axis=1),
        (by_chance >= observed[:, None]).mean(axis=1) < _SHOWN,
        NormalDist().inv_cdf((1 + settings.confidence) / 2),
        np.ones(2),
    )
    low, high = np.minimum(low, observed), np.maximum(high, observed)
    return replace(
        made,
        word_error_low=float(low[0]),
        word_error_high=float(high[0]),
        standard_low=float(low[1]),
        standard_high=float(high[1]),
    )
