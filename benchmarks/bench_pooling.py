"""What rates that borrow strength do to advice in simulated departments whose truth is known.

    OMP_NUM_THREADS=1 python benchmarks/bench_pooling.py [--departments N] [--sizes 60 200]

A department has 8 authors and 5 topics; every group (author, topic) has the same number of statements, its use of words
is drawn anew (Dirichlet with concentration 1), plain statements are always right.  In log odds, a word is truly
confirmed at slope x + shift, x being its meaning, the slope around 1 and the shift around 0:

    calibrated      every group is calibrated
    alike authors   an author's slope and shift hold on all topics
    alike topics    a topic's slope and shift hold for all authors
    both            a part of each, and a part of the group's own
    unrelated       every group has its own
    one odd author  as calibrated, but for one author whose words are too strong
    one odd topic   as calibrated, but for one topic on which all words are too strong

For each setting of ``pooling``: of all groups, the share advised and the mean change of the true Brier score (x 10,000);
of the advised, the share whose Brier score got worse; of the words advised, the share that is truly closer, beside how
sure it was said to be; and the share of true rates, of words said 10 times or more, within the central 95 % of their
posterior, with the mean width of that.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np
from bench_advise import TIE
from numpy.typing import NDArray

from radcal.advise.borrowing import borrowed
from radcal.advise.ordered import Guards, OrderedSolver
from radcal.advise.rates import posterior_rates
from radcal.lexicon.bins import bin_phrases
from radcal.lexicon.phrases import load_lexicon
from radcal.settings import Settings

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


def main() -> int:
    """Print a line for each family, number of statements and way of pooling."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--departments", type=int, default=8)
    asked.add_argument("--sizes", type=int, nargs="+", default=[60, 200])
    asked.add_argument("--families", nargs="+", default=FAMILIES)
    asked.add_argument("--ways", nargs="+", default=WAYS)
    args = asked.parse_args()
    settings = Settings()
    bins = bin_phrases(load_lexicon().phrases)
    mean, variance = bins.mean, bins.second - bins.mean**2
    guards = Guards(settings.min_phrase_n, np.ones(len(mean), dtype=bool), settings.max_steps, settings.sure)
    for family in args.families:
        for size in args.sizes:
            made = [department(mean, size, family, seed) for seed in range(args.departments)]
            for way in args.ways:
                rows = []
                for d in made:
                    for a in range(AUTHORS):
                        for t in range(TOPICS):
                            rows.append(_judged(d, a, t, way, guards, bins, mean, variance))
                _tell(family, size, way, rows)
    return 0


def _judged(d: Department, a: int, t: int, way: str, guards: Guards, bins, mean: Array, variance: Array) -> tuple:  # type: ignore[no-untyped-def,type-arg]
    n, y, truth, use = d.n[a, t], d.y[a, t], d.truth[a, t], d.use[a, t]
    told = borrowed(others_of(d, a, t, way), n > 0, mean)
    solver = OrderedSolver(bins, guards, told=told)
    target = solver.plans(n[None], y[None])[0].argmax(axis=1)
    changed = target != np.arange(len(mean))
    said = mean[target]
    brier = float((use * ((truth - said) ** 2 + variance[target] - (truth - mean) ** 2 - variance)).sum())
    closer = (np.abs(truth - said) < np.abs(truth - mean) + TIE)[changed]
    sure = solver.openings(n[None], y[None]).sure[0][np.flatnonzero(changed), target[changed]] if changed.any() else []
    rates = posterior_rates(n[None], y[None], mean, told)
    at = np.flatnonzero((n >= guards.min_n) & (mean > 0) & (mean < 1))
    above = rates.above(truth[at], np.zeros(len(at), dtype=int), at)
    sd = np.sqrt((rates.weight[:, 0, None] * (rates.spread[:, 0] + rates.part[:, 0] ** 2)).sum(0) - rates.mean[0] ** 2)
    return (
        changed.any(),
        brier,
        closer,
        sure,
        (above > 0.025) & (above < 0.975),
        sd[at],
        np.abs(rates.mean[0] - truth)[at],
    )


def _tell(family: str, size: int, way: str, rows: list) -> None:  # type: ignore[type-arg]
    advised, brier, closer, sure, inside, sd, off = (list(c) for c in zip(*rows, strict=True))
    advised_, brier_ = np.array(advised), np.array(brier)
    worse = float((brier_[advised_] > 0).mean()) if advised_.any() else 0.0
    closer_, sure_, inside_, sd_, off_ = (np.concatenate(c) for c in (closer, sure, inside, sd, off))
    print(
        f"{family:15}{size:5} {way:8}: advised {advised_.mean():6.1%}, Brier {brier_.mean() * 1e4:7.1f}, worse {worse:6.1%},"
        f" closer {closer_.mean() if len(closer_) else 1:6.1%} (sure {sure_.mean() if len(sure_) else 1:6.1%}),"
        f" covered {inside_.mean():6.1%}, sd {sd_.mean():.3f}, off {off_.mean():.3f}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
