"""What an author really wrote for each phrase, and whether CT confirmed all of it alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from radcal.calibration.records import LEVEL, Wording
from radcal.system.intervals import false_discovery, jeffreys
from radcal.words.phrases import normalise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

FEWEST_USES = 3
"""Wordings written less often say too little to be compared."""
_TABLES = 9999


def wordings(observations: pd.DataFrame, confidence: float, seed: int) -> tuple[Wording, ...]:
    """How often CT confirmed each wording of a phrase, by topic and phrase, the most frequent wording first.

    ``differs`` comes from :func:`homogeneity` among the wordings with at least FEWEST_USES uses, with a false
    discovery rate of 5 % over all phrases in ``observations``: one author's, so that it does not depend on the
    pathology on show.

    Args:
        observations: columns topic, phrase, verbatim and outcome (0-1); '' where nothing was written for it.
        confidence: coverage of the interval, 0-1.
        seed: of the redrawn tables.
    """
    if observations.empty:
        return ()
    place, written = pd.factorize(observations["verbatim"].astype(str))
    words = np.array([normalise(text) for text in written], dtype=object)[place]
    uses = observations.assign(words=words).groupby(["topic", "phrase", "words"], observed=True)["outcome"]
    counts = uses.agg(["size", "sum"]).reset_index()
    counts = counts.sort_values(["topic", "phrase", "size", "words"], ascending=[True, True, False, True])
    n, y = counts["size"].to_numpy(np.float64), counts["sum"].to_numpy(np.float64)
    low, high = jeffreys(y, n, confidence)
    columns = (*(counts[name].astype(str) for name in ("topic", "phrase", "words")), n, y, y / n, low, high)
    made = [Wording(*row) for row in zip(*(c.tolist() for c in columns), strict=True)]

    tables = _tables({tuple(map(str, key)): part.to_numpy(np.float64) for key, part in uses}, made)
    random = np.random.default_rng(seed)
    p = np.array([homogeneity(table, outcomes, random) for table, outcomes in tables.values()], dtype=np.float64)
    apart = {group for group, q in zip(tables, false_discovery(p), strict=True) if q < LEVEL}
    return tuple(replace(w, differs=True) if (w.topic, w.phrase) in apart else w for w in made)


def homogeneity(table: Array, outcomes: Array, random: np.random.Generator) -> float:
    """The p-value of W wordings being confirmed equally often, conditional on their uses and on all outcomes.

    Statistic: sum_w n_w (rate_w - rate)^2; compared with tables of the same margins, drawn without replacement.
    For two outcomes it is the Monte Carlo form of the exact chi-square test; CT's own hedges keep their outcome.
    p = (1 + tables at least as far apart) / (1 + tables drawn).

    Args:
        table: (W, L), how often each wording met each outcome; no empty row or column.
        outcomes: (L,), 0-1.
        random: draws the tables.

    Source: Davison and Hinkley, Bootstrap Methods and their Application, 1997, 4.2 and 4.3.
    """
    n = table.sum(axis=1)
    drawn = _redrawn(table, random)

    def spread(tables: Array) -> Array:
        # The margins are the same in all tables, so that the squares differ by a constant only.
        squares: Array = ((tables @ outcomes) ** 2 / n).sum(axis=-1)
        return squares

    seen = spread(table)
    return float(1 + np.count_nonzero(spread(drawn) >= seen - 1e-9 * (1 + abs(seen)))) / (1 + _TABLES)


def _redrawn(table: Array, random: np.random.Generator) -> Array:
    """(_TABLES, W, L) tables with the margins of a table (W, L): each row is drawn from what the last ones left.

    scipy.stats.random_table does the same, but scipy.stats takes a third of a second to import.
    """
    left = np.tile(table.sum(axis=0).astype(np.int64), (_TABLES, 1))
    drawn = np.empty((_TABLES, *table.shape))
    for row, n in enumerate(table.sum(axis=1).astype(np.int64)):
        missing = np.full(_TABLES, n)
        others = left.sum(axis=1)
        for column in range(table.shape[1]):
            others -= left[:, column]
            found = random.hypergeometric(left[:, column], others, missing)
            drawn[:, row, column] = found
            missing -= found
            left[:, column] -= found
    return drawn


def _tables(
    outcomes_of: Mapping[tuple[str, ...], Array], made: Sequence[Wording]
) -> dict[tuple[str, str], tuple[Array, Array]]:
    """Wordings by outcome, with the outcomes, of each phrase where there is something to compare."""
    compared: dict[tuple[str, str], list[Array]] = {}
    for w in made:
        if w.n >= FEWEST_USES:
            compared.setdefault((w.topic, w.phrase), []).append(outcomes_of[w.topic, w.phrase, w.words])
    tables = {}
    for group, parts in compared.items():
        outcomes, place = np.unique(np.concatenate(parts), return_inverse=True)
        if len(parts) > 1 and len(outcomes) > 1:
            row = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
            table = np.zeros((len(parts), len(outcomes)))
            np.add.at(table, (row, place), 1)
            tables[group] = table, outcomes
    return tables
