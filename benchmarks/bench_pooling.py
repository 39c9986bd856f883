"""What rates that borrow strength do to advice in simulated departments whose truth is known.

    OMP_NUM_THREADS=1 python benchmarks/bench_pooling.py [--departments N]

A department has 8 authors and 5 topics; every group (author, topic) has the same number of statements, its use of words
is drawn anew (Dirichlet with concentration 1), plain statements are always right.  In log odds, a word is truly
confirmed at slope x + shift, x being its meaning, the slope around 1 and the shift around 0:

    calibrated      every group is calibrated
    alike authors   an author's slope and shift hold on all topics
    alike topics    a topic's slope and shift hold for all authors
    both            a part of each, and a part of the group's own
    unrelated       every group has its own
    one odd author  as calibrated, but for one author whose words are too strong
    one odd topic   as calibrated, but for one topic, where all words are too strong

For each setting of ``pooling``: of all groups, the share advised and the mean change of the true Brier score
(x 10,000); of the advised, the share whose Brier score got worse; of the words advised, the share that is truly closer,
beside how sure it was said to be; and the share of true rates, of words said 10 times or more, within the central 95 %
of their posterior, with its mean standard deviation and the mean distance of its mean from the truth.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from bench_advise import TIE
from numpy.typing import NDArray

from radcal.advice.borrowing import borrowed
from radcal.advice.ordered import Guards, OrderedSolver
from radcal.advice.rates import posterior_rates
from radcal.system.settings import Settings
from radcal.words.bins import bin_phrases
from radcal.words.phrases import load_lexicon
from radcal.words.records import PhraseBins

Array = NDArray[np.float64]
AUTHORS, TOPICS = 8, 5
WAYS = ("none", "topics", "authors", "both")
FAMILIES = (
    "calibrated", "alike authors", "alike topics", "both", "unrelated", "one odd author", "one odd topic",
)  # fmt: skip
_SLOPE, _SHIFT = 0.35, 0.7


def _deviations(family: str, rng: np.random.Generator) -> tuple[Array, Array]:
    """Log slope and shift (A, T) of all groups."""
    shape = (AUTHORS, TOPICS)
    by_author, by_topic, own = (rng.normal(size=(2, *size)) for size in ((AUTHORS, 1), (1, TOPICS), shape))
    odd = np.zeros((2, *shape))
    parts = {
        "alike authors": by_author + 0 * own,
        "alike topics": by_topic + 0 * own,
        "both": (by_author + by_topic + own) / np.sqrt(3),
        "unrelated": own,
    }
    if family == "one odd author":
        odd[0, 0] = np.log(0.5) / _SLOPE
    elif family == "one odd topic":
        odd[0, :, 0] = np.log(0.5) / _SLOPE
    slope, shift = parts.get(family, odd)
    return _SLOPE * slope, _SHIFT * shift


@dataclass(frozen=True)
class Department:
    """n, y, truth and use (A, T, K) of all groups."""

    n: Array
    y: Array
    truth: Array
    use: Array


def department(mean: Array, size: int, family: str, seed: int) -> Department:
    """A simulated department of groups of ``size`` statements."""
    rng = np.random.default_rng([seed, size])
    slope, shift = _deviations(family, rng)
    with np.errstate(divide="ignore"):
        x = np.log(mean / (1 - mean))
    with np.errstate(invalid="ignore"):
        truth = 1 / (1 + np.exp(-np.exp(slope)[..., None] * x - shift[..., None]))
    truth = np.where((mean == 0) | (mean == 1), mean, truth)
    use = rng.dirichlet(np.ones(len(mean)), size=(AUTHORS, TOPICS))
    n = rng.multinomial(size, use).astype(np.float64)
    return Department(n, rng.binomial(n.astype(int), truth).astype(np.float64), truth, use)


def others_of(d: Department, a: int, t: int, way: str) -> list[tuple[Array, Array]]:
    """The statements that a group borrows from."""
    topics, authors = np.arange(TOPICS) != t, np.arange(AUTHORS) != a
    kinds = []
    if way in ("topics", "both"):
        kinds.append((d.n[a, topics], d.y[a, topics]))
    if way in ("authors", "both"):
        kinds.append((d.n[authors, t], d.y[authors, t]))
    return kinds


@dataclass(frozen=True)
class Judged:
    """A group's advice against the truth.

    advised: whether there is any;  brier: change of the true Brier score
    closer, sure: of the words advised, whether they are, and how sure that was said to be
    inside, width, off: of words with enough uses, whether the true rate lies within the central 95 %, the posterior's
        standard deviation, and the distance of its mean from the truth
    """

    advised: bool
    brier: float
    closer: NDArray[np.bool_]
    sure: Array
    inside: NDArray[np.bool_]
    width: Array
    off: Array


def judged(d: Department, a: int, t: int, way: str, guards: Guards, bins: PhraseBins) -> Judged:
    """What one group is advised."""
    n, y, truth, use = (of_all[a, t] for of_all in (d.n, d.y, d.truth, d.use))
    mean, variance = bins.mean, bins.second - bins.mean**2
    told = borrowed(others_of(d, a, t, way), n > 0, mean)
    solver = OrderedSolver(bins, guards, told=told)
    target = solver.plans(n[None], y[None])[0].argmax(axis=1)
    changed = np.flatnonzero(target != np.arange(len(mean)))
    said = mean[target]
    brier = use * ((truth - said) ** 2 + variance[target] - (truth - mean) ** 2 - variance)
    closer = (np.abs(truth - said) < np.abs(truth - mean) + TIE)[changed]
    sure = solver.openings(n[None], y[None]).sure[0, changed, target[changed]]
    rates = posterior_rates(n[None], y[None], mean, told)
    at = np.flatnonzero((n >= guards.min_n) & (mean > 0) & (mean < 1))
    above = rates.above(truth[at], np.zeros(len(at), dtype=int), at)
    second = (rates.weight[..., None] * (rates.spread + rates.part**2)).sum(axis=0)[0, at]
    found = rates.mean[0, at]
    inside = (above > 0.025) & (above < 0.975)
    width = np.sqrt(second - found**2)
    return Judged(len(changed) > 0, float(brier.sum()), closer, sure, inside, width, np.abs(found - truth[at]))


def tell(name: str, groups: Sequence[Judged]) -> None:
    """Print what all groups come to."""
    changes = [g.brier for g in groups if g.advised]
    worse = np.mean([change > 0 for change in changes]) if changes else 0.0
    closer, sure, inside, width, off = (
        np.concatenate([getattr(g, part) for g in groups]) for part in ("closer", "sure", "inside", "width", "off")
    )
    said = f"{closer.mean():6.1%} (sure {sure.mean():6.1%})" if len(closer) else "   none"
    print(
        f"{name}: advised {np.mean([g.advised for g in groups]):6.1%}, "
        f"Brier {np.mean([g.brier for g in groups]) * 1e4:7.1f}, worse {worse:6.1%}, closer {said}, "
        f"covered {inside.mean():6.1%}, sd {width.mean():.3f}, off {off.mean():.3f}",
        flush=True,
    )


def main() -> int:
    """Print a line for each family, number of statements and way of pooling."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--departments", type=int, default=6)
    asked.add_argument("--sizes", type=int, nargs="+", default=[60, 200])
    asked.add_argument("--families", nargs="+", choices=FAMILIES, default=FAMILIES)
    asked.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    args = asked.parse_args()
    settings = Settings()
    bins = bin_phrases(load_lexicon().phrases)
    everything = np.ones(len(bins.mean), dtype=bool)
    guards = Guards(settings.min_phrase_n, everything, settings.max_steps, settings.sure)
    for family, size in product(args.families, args.sizes):
        made = [department(bins.mean, size, family, seed) for seed in range(args.departments)]
        for way in args.ways:
            groups = product(made, range(AUTHORS), range(TOPICS))
            tell(f"{family:15}{size:5} {way:8}", [judged(*group, way, guards, bins) for group in groups])
    return 0


if __name__ == "__main__":
    sys.exit(main())
