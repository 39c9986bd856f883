"""Speed of advice and of slider updates on one core, with all words in use.

    OMP_NUM_THREADS=1 python benchmarks/bench_advise.py

Returns 0 if the slowest 5 % of a slider's moves take 50 ms or less.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
from measuring import run_times
from numpy.typing import NDArray

from radcal.advice.advice import advise
from radcal.advice.cost import cost_matrix
from radcal.advice.explore import Explorer
from radcal.reliability.records import Tables
from radcal.reliability.reliability import measure
from radcal.system.settings import Settings
from radcal.words.bins import bin_phrases
from radcal.words.phrases import load_lexicon
from radcal.words.records import Phrase

Array = NDArray[np.float64]
Rate = Callable[[Array, np.random.Generator], Array]


def _logistic(slope: float, shift: float, mean: Array) -> Array:
    with np.errstate(divide="ignore"):
        return 1 / (1 + np.exp(-slope * np.log(mean / (1 - mean)) - shift))


FAMILIES: dict[str, Rate] = {
    "calibrated": lambda m, _: m,
    "mixed": lambda m, rng: _logistic(rng.uniform(0.3, 2), rng.normal(0, 0.7), m),
    "too strong": lambda m, _: 0.5 + (m - 0.5) * 0.5,
    "too weak": lambda m, _: _logistic(1.8, 0, m),
    "its own way": lambda m, rng: m + rng.normal(0, 0.2, len(m)),
    "slope 0.6": lambda m, _: _logistic(0.6, 0, m),
    "slope 1.5": lambda m, _: _logistic(1.5, 0, m),
}


def scale(size: int, concentration: float) -> tuple[Phrase, ...]:
    """Words spaced evenly over the scale of certainty."""
    means = np.linspace(0.05, 0.95, size)
    return tuple(Phrase(f"word {i}", m * concentration, (1 - m) * concentration, m, m) for i, m in enumerate(means))


def author(mean: Array, size: int, rate: Rate, seed: int) -> tuple[Array, Array, Array, Array]:
    """(K,) statements and confirmed ones of a simulated author, its true rates, and its use of words."""
    rng = np.random.default_rng(seed)
    use = rng.dirichlet(np.ones(len(mean)))
    truth = np.where((mean == 0) | (mean == 1), mean, np.clip(rate(mean, rng), 0, 1))
    n = rng.multinomial(size, use).astype(np.float64)
    return n, rng.binomial(n.astype(int), truth).astype(np.float64), truth, use


def tables_of(words: Sequence[Phrase], n: Array, y: Array) -> Tables:
    """The tables of a single group."""
    counts, names = np.stack([n - y, y], axis=1)[None], tuple(p.name for p in words)
    return Tables((("author", "topic"),), names, ("no", "yes"), counts, np.array([0.0, 1.0]))


def speed(words: Sequence[Phrase], settings: Settings) -> None:
    """Print the time of a cost matrix and of one group's advice, with all words in use."""
    bins = bin_phrases(words)
    n, y, *_ = author(bins.mean, 2000, FAMILIES["too strong"], 1)
    times = run_times(lambda: cost_matrix(n, y, bins), 200)
    print(f"cost matrix, K = L = {len(words)}, M = 100: median {statistics.median(times) * 1e3:.2f} ms (target 2)")
    tables = tables_of(words, n, y)
    reliabilities = measure(tables, words, settings, threads=1)
    for solver in ("ordered", "paper"):
        chosen = settings.changed(solver=solver)
        times = run_times(lambda: advise(tables, reliabilities, words, chosen), 5)  # noqa: B023
        print(f"advice of one group with its trial, {solver}: median {statistics.median(times):.3f} s (target 1)")


def moves(words: Sequence[Phrase], settings: Settings) -> float:
    """Print the latency of a slider update for one author and topic; returns the worst p95 in seconds.

    An update consists of the advice with its trial and the resulting reliability with intervals of 100 resamples.
    """
    rng = np.random.default_rng(0)
    worst = 0.0
    mean = bin_phrases(words).mean
    for solver in ("ordered", "paper"):
        times = []
        for seed, rate in enumerate(FAMILIES.values()):
            n, y, *_ = author(mean, 2000, rate, seed)
            tables = tables_of(words, n, y)
            (before,) = measure(tables, words, settings, threads=1)
            explorer = Explorer(tables, before, words)
            for _ in range(25):
                moved = settings.changed(
                    solver=solver,
                    sure=float(rng.choice((0.7, 0.9, 0.95, 0.99))),
                    tau2=float(10 ** rng.uniform(-3, 1)),
                    max_steps=int(rng.integers(1, 21)),
                    min_phrase_n=int(rng.integers(1, 60)),
                )
                start = perf_counter()
                derived = explorer.case(moved).derived()
                if derived.advice.recommendations:
                    explorer.after(derived.plan, moved.changed(bootstrap=100))
                times.append(perf_counter() - start)
        p95 = float(np.quantile(times, 0.95))
        worst = max(worst, p95)
        print(
            f"slider's move, {solver}, {len(times)} moves: median {statistics.median(times) * 1e3:.0f} ms, "
            f"p95 {p95 * 1e3:.0f} ms, longest {max(times) * 1e3:.0f} ms (target 50)"
        )
    return worst


def main() -> int:
    """Run both; returns 0 if the target holds."""
    settings, shipped = Settings(), load_lexicon().phrases
    words = (*shipped, *scale(max(20 - len(shipped), 0), 12.0))[:20]
    speed(words, settings)
    return int(moves(words, settings) > 0.05)


if __name__ == "__main__":
    sys.exit(main())
