"""Speed of reliability and advice: 200 authors x 14 pathologies x 20 phrases from 1,000,000 observations.

    OMP_NUM_THREADS=1 python benchmarks/bench_calibrate.py [--threads N] [--repeat N] [--uneven]
    OMP_NUM_THREADS=1 python benchmarks/bench_calibrate.py --many PHRASES GROUPS

Prints the time from observations in memory to all curves, intervals (1,000 bootstraps) and luck bands, median and best
of several runs, separately for tables and measures; the ratio to a plain NumPy loop over the groups; and for one author
on one topic, of about 357 observations, the time of that, of advice, of a cost matrix, and of a slider's move in What
if: advice with its trial, and the resulting reliability with intervals of 100 resamples.  With --uneven group sizes
vary widely, so that few groups share their redraws.  With --many it prints the processor's time and the memory for very
many phrases, about 10 or 20 findings of each.  OMP_NUM_THREADS=1 keeps the loop from distributing its small products
over all cores, which would slow it down.

Returns 0 if the slowest 5 % of a slider's moves take 50 ms or less.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from measuring import run_times

from radcal.advice.advice import advise
from radcal.advice.cost import cost_matrix
from radcal.advice.explore import Explorer
from radcal.calibration import scoring
from radcal.calibration.bands import available_cores
from radcal.calibration.records import Tables
from radcal.calibration.reliability import measure
from radcal.calibration.tables import build_tables
from radcal.system.settings import Settings
from radcal.words.bins import bin_phrases
from radcal.words.records import Phrase, PhraseBins

AUTHORS, TOPICS, PHRASES, OBSERVATIONS, DRAWS, BINS = 200, 14, 20, 1_000_000, 1_000, 100
PEER_GROUPS = 40


def phrases() -> list[Phrase]:
    """Two unhedged phrases and 18 hedges from weak to strong."""
    hedges = [Phrase(f"phrase {i}", 0.5 + 0.4 * i, 0.5 + 0.4 * (17 - i), 0, 1) for i in range(PHRASES - 2)]
    return [Phrase("absent", 0, 1, 0, 0), *hedges, Phrase("present", 1, 0, 1, 1)]


def observations(words: list[Phrase], *, uneven: bool = False) -> pd.DataFrame:
    """Authors with different habits: each phrase is confirmed somewhat more or less often than it means."""
    rng = np.random.default_rng(0)
    author, topic, phrase = (rng.integers(0, k, OBSERVATIONS) for k in (AUTHORS, TOPICS, PHRASES))
    if uneven:
        author, topic = (rng.choice(k, OBSERVATIONS, p=rng.dirichlet(np.full(k, 2.0))) for k in (AUTHORS, TOPICS))
    mean = np.array([p.alpha / (p.alpha + p.beta) for p in words])
    rate = np.clip(mean + rng.normal(0, 0.1, (AUTHORS, PHRASES)), 0, 1)
    return pd.DataFrame(
        {
            "author": pd.Categorical.from_codes(author, [f"author {i:03}" for i in range(AUTHORS)]),
            "topic": pd.Categorical.from_codes(topic, [f"topic {i:02}" for i in range(TOPICS)]),
            "phrase": pd.Categorical.from_codes(phrase, [p.name for p in words]),
            "outcome": (rng.random(OBSERVATIONS) < rate[author, phrase]).astype(float),
        }
    )


def seconds(work: Callable[[], object], repeat: int) -> float:
    """Time of the fastest run: the others were disturbed."""
    return min(run_times(work, repeat))


def peer(table: np.ndarray, positive: np.ndarray, bins: PhraseBins, rng: np.random.Generator) -> list[np.ndarray]:
    """A straightforward implementation of ``measure`` for one group."""
    cells = table.ravel()
    drawn = rng.multinomial(int(cells.sum()), cells / cells.sum(), size=DRAWS).reshape(DRAWS, *table.shape)
    n, y = drawn.sum(axis=2).astype(float), drawn @ positive
    with np.errstate(invalid="ignore"):
        rate = (y @ bins.weight) / (n @ bins.weight)
    said = table.sum(axis=1)
    lucky = rng.binomial(said.astype(int), bins.mean, size=(DRAWS, len(said))).astype(float)
    repeated = np.broadcast_to(said, lucky.shape)
    tails = [0.025, 0.975]
    return [
        np.nanquantile(rate, tails, axis=0),
        np.quantile((lucky @ bins.weight) / (said @ bins.weight), tails, axis=0),
        np.quantile(scoring.ece(repeated, lucky, bins), 0.95),
        np.quantile(scoring.ece_star(repeated, lucky, bins), 0.95),
        *(
            np.nanquantile(f(n, y, bins), tails)
            for f in (scoring.ece, scoring.ece_star, scoring.brier, scoring.accuracy)
        ),
    ]


def one_group(tables: Tables, words: list[Phrase]) -> None:
    """Print the times of one group's cost matrix and of its advice."""
    (counts,), bins = tables.counts, bin_phrases(words)
    matrix = statistics.median(run_times(lambda: cost_matrix(counts.sum(axis=1), counts @ tables.positive, bins), 200))
    print(f"cost matrix, K = L = {len(words)}, M = 100: median {matrix * 1e3:.2f} ms (target 2)")
    measured = measure(tables, words, Settings(), threads=1)
    for solver in ("ordered", "paper"):
        chosen = Settings(solver=solver)
        times = run_times(lambda: advise(tables, measured, words, chosen), 5)  # noqa: B023
        print(f"advice of one group with its trial, {solver}: median {statistics.median(times):.3f} s (target 1)")


def moves(groups: list[Tables], words: list[Phrase]) -> float:
    """Print the latency of a slider's move for some groups; returns the worst p95 in seconds."""
    rng, worst = np.random.default_rng(0), 0.0
    for solver in ("ordered", "paper"):
        times = []
        for tables in groups:
            (before,) = measure(tables, words, Settings(), threads=1)
            explorer = Explorer(tables, before, words)
            for _ in range(25):
                moved = Settings(
                    solver=solver,
                    sure=float(rng.choice((0.7, 0.9, 0.95, 0.99))),
                    tau2=float(10 ** rng.uniform(-3, 1)),
                    max_steps=int(rng.integers(1, 21)),
                    min_phrase_n=int(rng.integers(1, 60)),
                )
                start = time.perf_counter()
                derived = explorer.case(moved).derived()
                if derived.advice.recommendations:
                    explorer.after(derived.plan, moved.changed(bootstrap=100))
                times.append(time.perf_counter() - start)
        median, p95, longest = 1000 * np.quantile(times, (0.5, 0.95, 1))
        worst = max(worst, p95 / 1000)
        print(
            f"slider's move, {solver}, {len(times)} moves: median {median:.0f} ms, p95 {p95:.0f} ms, "
            f"longest {longest:.0f} ms (target 50)"
        )
    return worst


def many(size: int, groups: int, threads: int) -> None:
    """Very many phrases in a few groups."""
    rng = np.random.default_rng(0)
    mean, strength = rng.uniform(0.02, 0.98, size), rng.uniform(2, 30, size)
    words = [Phrase(f"{k}", m * s, (1 - m) * s, 0, 1) for k, (m, s) in enumerate(zip(mean, strength, strict=True))]
    said = rng.multinomial(max(20_000, 10 * size), np.full(size, 1 / size), size=groups)
    confirmed = rng.binomial(said, mean)
    tables = Tables(
        tuple((f"author {q}", "topic") for q in range(groups)),
        tuple(w.name for w in words),
        ("0", "1"),
        np.stack([said - confirmed, confirmed], axis=2).astype(float),
        np.array([0.0, 1.0]),
    )
    start = time.process_time()
    measure(tables, words, Settings(bootstrap=DRAWS, n_bins=BINS), threads=threads)
    used = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{size:,} phrases, {groups} groups: {used:.1f} s of the processor, at most {peak:.0f} MB")


def main() -> int:
    """Run and print; returns 0 if the target of a slider's moves holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=available_cores())
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--uneven", action="store_true", help="authors and topics of very different sizes")
    parser.add_argument("--many", type=int, nargs=2, metavar=("PHRASES", "GROUPS"))
    options = parser.parse_args()
    if options.many:
        many(*options.many, options.threads)
        return 0
    words, chosen = phrases(), Settings(bootstrap=DRAWS, n_bins=BINS)
    data = observations(words, uneven=options.uneven)
    tables = build_tables(data, words)
    groups = len(tables.groups)

    building = run_times(lambda: build_tables(data, words), options.repeat)
    measure(tables, words, chosen, threads=options.threads)
    measuring = run_times(lambda: measure(tables, words, chosen, threads=options.threads), options.repeat)
    print(
        f"{groups} groups, {OBSERVATIONS:,} observations, {DRAWS} bootstraps and luck draws, {options.threads} threads"
    )
    for name, of in (("median", np.median), ("best", np.min)):
        build, bands = float(of(building)), float(of(measuring))
        print(f"{name} of {options.repeat}: tables {build:.2f} s + measures {bands:.2f} s = {build + bands:.2f} s")
    print("target: 2 s on 4 cores")

    bins, rng = bin_phrases(words, BINS), np.random.default_rng(0)
    subset = Tables(
        tables.groups[:PEER_GROUPS], tables.phrases, tables.references, tables.counts[:PEER_GROUPS], tables.positive
    )
    ours = seconds(lambda: measure(subset, words, chosen, threads=1), options.repeat)
    plain = seconds(lambda: [peer(t, tables.positive, bins, rng) for t in subset.counts], 1)
    print(
        f"{PEER_GROUPS} groups on one thread: {ours:.3f} s; plain NumPy {plain:.3f} s: {plain / ours:.1f} times faster"
    )

    one = data[(data.author == "author 003") & (data.topic == "topic 01")]
    single = seconds(lambda: measure(build_tables(one, words), words, chosen), 5 * options.repeat)
    start = time.process_time()
    for _ in range(20):
        measure(build_tables(one, words), words, chosen, threads=1)
    used = (time.process_time() - start) / 20
    print(f"one author, one topic: {1000 * single:.0f} ms; {1000 * used:.0f} ms of the processor, mean of 20")
    one_group(build_tables(one, words), words)
    some = [build_tables(data[(data.author == f"author {k:03}") & (data.topic == "topic 01")], words) for k in range(7)]
    return int(moves(some, words) > 0.05)


if __name__ == "__main__":
    sys.exit(main())
