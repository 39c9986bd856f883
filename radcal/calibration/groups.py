"""Computations across or within groups other than reliability: words of a bin, other readers, q-values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibration.records import OthersRate, PhraseRate, Reliability, WordShare
from radcal.system import coarse
from radcal.system.intervals import false_discovery, of_cells

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.calibration.records import Curve
    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]


_SHOWN_SHARE = 0.95
"""The phrases listed for a bin make up so much of it: each distribution has a little mass everywhere."""


def hedged_uses(rates: Iterable[PhraseRate]) -> float:
    """Number of hedged statements: the basis of a curve and ECE*."""
    return sum(r.n for r in rates if 0.0 < r.mean < 1.0)


def hedged_bins(curve: Curve, rates: Iterable[PhraseRate]) -> NDArray[np.bool_]:
    """(B,) mask of the bins where hedged words lie: their middle is in the range that a hedged word in use means.

    Elsewhere the curve is made of the tails of words that mean something else, and in the end bins of plain statements.
    """
    middle, said = (curve.low + curve.high) / 2, [r for r in rates if r.n > 0]
    lie = np.zeros(len(middle), dtype=bool)
    for r in said:
        if 0.0 < r.mean < 1.0:
            lie |= (r.meant_low <= middle) & (middle <= r.meant_high)
    lie[0] &= all(r.mean > 0.0 for r in said)
    lie[-1] &= all(r.mean < 1.0 for r in said)
    return lie & np.isfinite(curve.rate)


def phrase_counts(statements: pd.DataFrame, phrases: Sequence[str]) -> tuple[Array, Array]:
    """How often each of K phrases was said and confirmed, (K,) each; other phrases are ignored.

    Args:
        statements: columns phrase (categories) and outcome (0-1).
        phrases: by name.
    """
    place = {name: k for k, name in enumerate(phrases)}
    said = statements["phrase"].cat
    known = np.array([place.get(name, -1) for name in said.categories], dtype=np.intp)[said.codes]
    outcome = statements["outcome"].to_numpy()[known >= 0]
    known = known[known >= 0]
    n = np.bincount(known, minlength=len(place)).astype(np.float64)
    return n, np.asarray(np.bincount(known, weights=outcome, minlength=len(place)), dtype=np.float64)


def words_in_bin(n: Array, bins: PhraseBins, certainty: float) -> tuple[WordShare, ...]:
    """The phrases that make up a bin of the diagram, by their share, down to 95 % of it; () for an empty bin.

    share_k = n_k W[k, m] / (n W)_m for the bin m that holds ``certainty``.

    Args:
        n: (K,), how often each phrase of ``bins`` was said.
        bins: the phrases' shares of each bin.
        certainty: 0-1.
    """
    m = min(int(np.searchsorted(bins.edges, certainty, side="right")) - 1, len(bins.edges) - 2)
    mass = n * bins.weight[:, max(m, 0)]
    if not mass.sum() > 0:
        return ()
    share = mass / mass.sum()
    order = np.argsort(-share, kind="stable")
    before = np.concatenate([[0.0], np.cumsum(share[order])[:-1]])
    listed = order[(before < _SHOWN_SHARE) & (share[order] > 0)]
    return tuple(WordShare(bins.phrases[k], float(n[k]), float(share[k])) for k in listed)


def pool_readers(
    counts: Mapping[tuple[str, str], Sequence[tuple[float, float]]], means: Mapping[str, float], confidence: float
) -> tuple[OthersRate, ...]:
    """Readers pooled, word by word, as coarse as :mod:`radcal.system.coarse` has it.

    A word needs ``coarse.FEWEST`` readers who used it so often.

    Args:
        counts: (topic, phrase) to (said, confirmed) of each reader.
        means: what each phrase means.
        confidence: coverage of the interval, 0-1.
    """
    rates = []
    for (topic, phrase), readers in counts.items():
        cells = coarse.cells(readers)
        if (sums := coarse.together(cells)) is None:
            continue
        n, y = sums
        rate = PhraseRate(phrase, n, y, coarse.rounded(y / n), *of_cells(cells, confidence), means[phrase])
        rates.append(OthersRate(topic, rate, len(cells)))
    return tuple(rates)


def with_q_values(reliabilities: Sequence[Reliability]) -> tuple[Reliability, ...]:
    """The reliabilities with ``q_value_star`` and ``q_value_word`` over all of them."""
    star, word = (
        [None if np.isnan(value) else value for value in false_discovery(np.array(p, dtype=np.float64)).tolist()]
        for p in ([r.p_value_star for r in reliabilities], [r.p_value_word for r in reliabilities])
    )
    return tuple(replace(r, q_value_star=s, q_value_word=w) for r, s, w in zip(reliabilities, star, word, strict=True))
