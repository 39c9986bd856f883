"""Simulated departments whose truth is known.

Half of a group's n findings are plain statements, which are right unless the kind says otherwise; the rest are in
effect four hedges (Dirichlet with concentration 0.3).  In log odds, a hedge that means x is truly confirmed at

    calibrated            x
    near                  x + Normal(0, 0.35), word by word
    private word          x, but for one word of each group: x -+ 1.5 to 2.5; the likelier, the more it is used
    tenth too strong      x, but for a tenth of the readers: x / 2
    mixed                 b x + a for each reader, b uniform in 0.3 to 2, a ~ Normal(0, 0.7)
    reader's shift        x + a for each reader, a ~ Normal(0, 0.7)
    common word           x, but for one word of the whole department: x -+ 1.5 to 2.5
    plain off             x; "absent" at 3 and "present" at 97 %, 14 pathologies a page
    hedging CT            x; a fifth of the CT statements are hedges, as often right as they say
    seen again            x; patients of 3 findings, or of 1 to 10: latent correlation 0.6, words repeated at 0.8
    scanned               x; of ill patients more get a CT than of well ones, of which a quarter do at one site and two
                          fifths at the other; the patients of a site are 0.6 more or less often ill than words say
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtri

from radcal.words.phrases import agreeing_rates, load_lexicon, mean_of

Array = NDArray[np.float64]
Truth = Callable[[Array, np.random.Generator], Array]
"""True log odds of the hedges of a department, from their use (R, T, H)."""

WORDS = load_lexicon().phrases
PLACE = {p.name: k for k, p in enumerate(WORDS)}
MEAN = np.array([mean_of(p) for p in WORDS])
LOW, HIGH = np.array([agreeing_rates(p) for p in WORDS]).T
PLAIN = np.array([PLACE["absent"], PLACE["present"]])
HEDGED = np.flatnonzero((MEAN > 0) & (MEAN < 1))
X = logit(MEAN[HEDGED])
SPARSE = 0.3
"""Concentration of the use of hedges: in effect four words a group."""
CORRELATION, REPEATED = 0.6, 0.8
HEDGES, HEDGING = (0.1, 0.3, 0.5, 0.7, 0.9), 0.2
"""What the CT's hedges mean, and how often a CT that hedges does so."""
SHARES, APART = np.array([0.25, 0.4]), 0.6
"""Of the patients of two sites who are well, the share with a CT; and how far the log odds lie from what is said."""


def _moved(use: Array, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Log odds, one word moved of each group, or of the whole department: the likelier, the more it is used."""
    place = pick(
        (use.mean(axis=(0, 1)) + np.zeros_like(use) if shape == (1, 1) else use).reshape(-1, use.shape[2]), rng
    )
    place = place[: shape[0] * shape[1]].reshape(*shape, 1)
    by = rng.uniform(1.5, 2.5, place.shape) * rng.choice([-1, 1], place.shape)
    return X + (np.arange(use.shape[2]) == place) * by


def _too_strong(use: Array, rng: np.random.Generator) -> Array:
    readers = len(use)
    return np.where(rng.permutation(readers) < readers / 10, 0.5, 1.0).reshape(-1, 1, 1) * X


def _mixed(use: Array, rng: np.random.Generator) -> Array:
    size = (len(use), 1, 1)
    return rng.uniform(0.3, 2, size) * X + rng.normal(0, 0.7, size)


def opposite(use: Array, rng: np.random.Generator) -> Array:
    """Five groups use words as their opposites."""
    slope = np.ones(use.shape[:2])
    slope.flat[rng.choice(slope.size, 5, replace=False)] = -1
    return slope[..., None] * X


@dataclass(frozen=True)
class Kind:
    """A kind of department: true log odds, its size, findings of a patient, and what else is particular."""

    truth: Truth = lambda *_: X
    readers: int = 6
    topics: int = 10
    plain: tuple[float, float] = (0.0, 1.0)
    hedging: bool = False
    patients: tuple[int, int] = (1, 1)
    odds: float = 0
    """How many times as high the odds of a CT are for the ill, of the same word and site; 0: everybody has one."""


def sloped(slope: float, **more: Any) -> Kind:
    """Readers whose words are too strong for a slope below 1, too weak above."""
    return Kind(lambda *_: slope * X, **more)


CALIBRATED = Kind()
NEAR = Kind(lambda use, rng: X + rng.normal(0, 0.35, use.shape))
PRIVATE = Kind(lambda use, rng: _moved(use, use.shape[:2], rng))
KINDS: dict[str, Kind] = {
    "calibrated": CALIBRATED,
    "near": NEAR,
    "private word": PRIVATE,
    "tenth too strong": Kind(_too_strong, readers=10, topics=6),
    "mixed": Kind(_mixed),
    "reader's shift": Kind(lambda use, rng: X + rng.normal(0, 0.7, (len(use), 1, 1))),
    "common word": Kind(lambda use, rng: _moved(use, (1, 1), rng)),
    "plain off": Kind(topics=14, plain=(0.03, 0.97)),
    "hedging CT": Kind(hedging=True),
    "hedging CT, near": replace(NEAR, hedging=True),
    "seen again, 3": Kind(patients=(3, 3)),
    "seen again, 1-10": Kind(patients=(1, 10)),
    "seen again, 3, near": replace(NEAR, patients=(3, 3)),
    "calibrated, 40 x 14": Kind(readers=40, topics=14),
    "near, 40 x 14": replace(NEAR, readers=40, topics=14),
    "private word, 40 x 14": replace(PRIVATE, readers=40, topics=14),
}


@dataclass(frozen=True, eq=False)
class Department:
    """True rates and use of the words by reader and pathology (R, T, K), and what was observed, each group in order."""

    rates: Array
    use: Array
    observations: pd.DataFrame


def pick(chances: Array, rng: np.random.Generator) -> NDArray[np.intp]:
    """One draw from each row of chances."""
    drawn: NDArray[np.intp] = (rng.random((len(chances), 1)) > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1)
    return drawn


def ct_chances(base: float) -> np.ndarray:
    """(2, 7) how likely a CT that hedges a fifth of the time says 0, HEDGES and 1 where it is not, and is, there.

    base: how often it is there.
    """
    outcomes = np.array([0.0, *HEDGES, 1.0])
    certain = (base - HEDGING * np.mean(HEDGES)) / (1 - HEDGING)
    hedges = [HEDGING / len(HEDGES)] * len(HEDGES)
    mix = np.array([(1 - HEDGING) * (1 - certain), *hedges, (1 - HEDGING) * certain])
    chances = np.stack([mix * (1 - outcomes) / (1 - base), mix * outcomes / base])
    return chances / chances.sum(axis=1, keepdims=True)


def department(kind: Kind, n: int, seed: int, *, apart: float = 0.0) -> Department:
    """A department of groups of n findings; ``apart`` moves the log odds of the first reader, who says three words."""
    rng = np.random.default_rng([seed, n])
    groups = (kind.readers, kind.topics)
    rates, use = np.tile(MEAN, (*groups, 1)), np.zeros((*groups, len(WORDS)))
    rates[..., PLAIN], use[..., PLAIN] = kind.plain, 0.25
    use[..., HEDGED] = rng.dirichlet(np.full(len(HEDGED), SPARSE), groups) / 2
    odds = np.broadcast_to(kind.truth(2 * use[..., HEDGED], rng), (*groups, len(HEDGED))).copy()
    sizes = np.full(groups, n)
    if apart:
        odds[0] += apart
        use[0] = [p.name in ("unlikely", "possibly", "likely") for p in WORDS] / np.float64(3)
        sizes[0] = 45
    rates[..., HEDGED] = expit(odds)

    group = np.repeat(np.arange(sizes.size), sizes.ravel())
    N = len(group)
    patient = np.repeat(np.arange(N), rng.integers(kind.patients[0], kind.patients[1] + 1, N))[:N]
    first = np.diff(patient, prepend=-1) + np.diff(group, prepend=-1) > 0
    patient = np.cumsum(first) - 1
    drawn_anew = first | (rng.random(N) > REPEATED)
    word = pick(use.reshape(-1, len(WORDS))[group], rng)[np.maximum.accumulate(np.where(drawn_anew, np.arange(N), 0))]
    shared, own = rng.normal(size=(2, N))
    latent = sqrt(CORRELATION) * shared[patient] + sqrt(1 - CORRELATION) * own
    true = rates.reshape(-1, len(WORDS))[group, word]
    if kind.odds:
        more_ill = APART * rng.choice([-1, 1], kind.readers)[:, None, None]
        at_sites = expit(logit(rates) + np.stack([-more_ill, more_ill]))
        rates, site = at_sites.mean(axis=0), rng.integers(0, 2, N)
        true = at_sites.reshape(2, -1, len(WORDS))[site, group, word]
    there = latent < ndtri(true)
    outcome = there.astype(np.float64)
    if kind.hedging:
        outcome = np.array([0.0, *HEDGES, 1.0])[pick(ct_chances(there.mean())[there.astype(int)], rng)]
    columns = {
        "author": pd.Categorical.from_codes(group // kind.topics, [f"reader {i:02}" for i in range(kind.readers)]),
        "topic": pd.Categorical.from_codes(group % kind.topics, [f"topic {i:02}" for i in range(kind.topics)]),
        "phrase": pd.Categorical.from_codes(word, [p.name for p in WORDS]),
        "outcome": outcome,
    }
    if kind.patients != (1, 1):
        columns["patient"] = patient
    if kind.odds:
        columns["site"] = pd.Categorical.from_codes(site, ["a", "b"])
        columns["verified"] = rng.random(N) < expit(logit(SHARES[site]) + np.where(there, np.log(kind.odds), 0))
    return Department(rates, use, pd.DataFrame(columns))
