"""Simulated authors whose truth is known: do tests, intervals and bands keep what they promise?

    OMP_NUM_THREADS=1 python benchmarks/bench_truth.py [--authors N] [--lexicon shipped|public|narrow] [--n 60 200 ...]

Each author uses the words of a lexicon in an own way, drawn anew; each finding of a word with mean m is there with
probability 1 / (1 + exp(-b logit m)), b the slope: 1 for the calibrated, below for words too strong, above for words
too weak; "mixed" authors err at random, word by word.  n counts hedged findings; a fourth as many are plain.  With
--hedging the CT hedges a fifth of the time, as often right as its hedges say.

Level and power are of the test on the word error at 0.05; coverage is of nominal 95 % intervals.  True ECE and word
error are those at the author's true rates.  Figures outside their target are marked with !.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from radcal.calibrate import measure
from radcal.lexicon.bins import bin_phrases
from radcal.lexicon.phrases import load_lexicon
from radcal.records import Phrase, Reliability, Tables
from radcal.settings import Settings

SLOPES = (1.0, 0.5, 0.7, 1.6)
HEDGES = (0.1, 0.3, 0.5, 0.7, 0.9)
"""What the CT's hedges mean."""
HEDGED = 0.2
PLAIN = 0.2


def lexicon(name: str) -> tuple[Phrase, ...]:
    """A shipped list of words, or one of words that everybody takes alike."""
    if name == "narrow":
        means = (0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95)
        words = (Phrase(f"{m:.0%}", 200 * m, 200 * (1 - m), m - 0.03, m + 0.03) for m in means)
        return Phrase("absent", 0, 1, 0, 0), *words, Phrase("present", 1, 0, 1, 1)
    return load_lexicon(table="phrases.csv" if name == "shipped" else "phrases_public.csv").phrases


@dataclass(frozen=True, eq=False)
class Authors:
    """A authors: use and true rates of K words (A, K), and what was said and confirmed by a CT."""

    use: np.ndarray
    rates: np.ndarray
    tables: Tables


def simulate(
    words: tuple[Phrase, ...], slope: float | None, n: int, authors: int, rng: np.random.Generator, *, hedging: bool
) -> Authors:
    """Authors of one slope, None for those who err at random."""
    mean = np.array([p.alpha / (p.alpha + p.beta) for p in words])
    hedged = (mean > 0) & (mean < 1)
    x = np.where(hedged, logit(np.clip(mean, 1e-9, 1 - 1e-9)), 0)
    wrong = x + rng.normal(0, 0.7, (authors, len(words))) if slope is None else np.tile(slope * x, (authors, 1))
    rates = np.where(hedged, expit(wrong), mean)
    use = rng.dirichlet(np.full(hedged.sum(), 0.7), authors)
    said = np.zeros((authors, len(words)), dtype=np.int64)
    said[:, hedged] = rng.multinomial(n, use)
    said[:, np.flatnonzero(~hedged)[[0, -1]]] = rng.multinomial(round(n * PLAIN / (1 - PLAIN)), [0.5, 0.5], authors)
    there = rng.binomial(said, rates)
    outcomes, chances = np.array([0.0, 1.0]), np.eye(2)
    if hedging:
        base = there.sum() / said.sum()
        outcomes = np.array([0.0, *HEDGES, 1.0])
        certain = (base - HEDGED * np.mean(HEDGES)) / (1 - HEDGED)
        mix = np.array([(1 - HEDGED) * (1 - certain), *[HEDGED / len(HEDGES)] * len(HEDGES), (1 - HEDGED) * certain])
        chances = np.stack([mix * (1 - outcomes) / (1 - base), mix * outcomes / base])
        chances /= chances.sum(axis=1, keepdims=True)
    counts = rng.multinomial(said - there, chances[0]) + rng.multinomial(there, chances[1])
    whole = np.zeros_like(rates)
    whole[:, hedged] = use * (1 - PLAIN)
    whole[:, np.flatnonzero(~hedged)[[0, -1]]] = PLAIN / 2
    groups = tuple((f"author {i}", "topic") for i in range(authors))
    names = tuple(p.name for p in words)
    return Authors(whole, rates, Tables(groups, names, tuple(map(str, outcomes)), counts.astype(float), outcomes))


def inside(truth: np.ndarray, low: list[float | None], high: list[float | None]) -> float:
    """The share of intervals that hold the truth; NaN where none is given."""
    given = [(t, a, b) for t, a, b in zip(truth, low, high, strict=True) if a is not None and b is not None]
    return float(np.mean([a - 1e-9 <= t <= b + 1e-9 for t, a, b in given])) if given else float("nan")


def curve_inside(r: Reliability) -> bool:
    """Whether the whole curve lies inside the luck band."""
    c = r.curve
    assert c is not None
    some = ~np.isnan(c.rate)
    return bool(((c.rate[some] >= c.luck_low[some] - 1e-5) & (c.rate[some] <= c.luck_high[some] + 1e-5)).all())


def shown(value: float, low: float, high: float = 1.0) -> str:
    """A share with a mark where it is outside its target."""
    return f"{value:6.3f} {' ' if low <= value <= high else '!'}"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--authors", type=int, default=400)
    parser.add_argument("--lexicon", nargs="*", default=["shipped", "public", "narrow"])
    parser.add_argument("--n", type=int, nargs="*", default=[60, 200, 1000, 2000])
    parser.add_argument("--slope", type=float, nargs="*", help="slopes alone, without those who err at random")
    parser.add_argument("--hedging", action="store_true", help="the CT hedges a fifth of the time")
    parser.add_argument("--bootstrap", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    settings, rng = Settings(bootstrap=options.bootstrap), np.random.default_rng(options.seed)
    print("targets: level 0.03-0.07, power at n = 1,000 >= 0.9 for 0.7 and 1.6; word error >= 0.95, ECE 0.92-0.98,")
    print("slope 0.93-0.97, calibrated curve 0.93-0.97")
    print("lexicon  slope      n   p < .05   word err  ECE       ECE*      slope     curve     p < .05 (ECE*)")
    for name in options.lexicon:
        words = lexicon(name)
        bins = bin_phrases(words)
        hedged = (bins.mean > 0) & (bins.mean < 1)
        for slope in options.slope or (*SLOPES, None):
            for n in options.n:
                made = simulate(words, slope, n, options.authors, rng, hedging=options.hedging)
                results = measure(made.tables, words, settings)
                said = made.tables.counts.sum(axis=2)
                gap = (made.use * made.rates) @ bins.weight - made.use @ bins.moment
                mass = (made.use @ bins.weight)[:, 1:-1].sum(axis=1)
                error = (said * np.abs(made.rates - bins.mean))[:, hedged].sum(axis=1) / said[:, hedged].sum(axis=1)
                truths = (
                    ("word_error", error, 0.95, 1.0),
                    ("ece", np.abs(gap).sum(axis=1), 0.92, 0.98),
                    ("ece_star", np.abs(gap[:, 1:-1]).sum(axis=1) / mass, 0.92, 0.98),
                    ("slope", np.full(len(results), slope or np.nan), 0.93, 0.97),
                )
                found = float(np.mean([(r.p_value_word or 1) < 0.05 for r in results]))
                star = float(np.mean([(r.p_value_star or 1) < 0.05 for r in results]))
                wanted = (0.03, 0.07) if slope == 1 else (0.9, 1.0) if n == 1000 and slope in (0.7, 1.6) else (0.0, 1.0)
                held = [
                    shown(
                        inside(
                            t, [getattr(r, f"{f}_low") for r in results], [getattr(r, f"{f}_high") for r in results]
                        ),
                        *target,
                    )
                    if f != "slope" or slope
                    else "        "
                    for f, t, *target in truths
                ]
                curve = shown(float(np.mean([curve_inside(r) for r in results])), 0.93, 0.97) if slope == 1 else " " * 8
                line = [f"{name:8} {slope or 'mixed':>5} {n:6,}", shown(found, *wanted), *held, curve]
                print("  ".join([*line, shown(star, 0.03, 0.07) if slope == 1 else f"{star:6.3f}"]), flush=True)


if __name__ == "__main__":
    main()
