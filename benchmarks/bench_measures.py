"""Simulated authors whose truth is known: do the published measures keep what they promise?

    OMP_NUM_THREADS=1 python benchmarks/bench_measures.py [--authors N] [--lexicon shipped|public|narrow] [--n 60 ...]
    OMP_NUM_THREADS=1 python benchmarks/bench_measures.py --misread 0.05 0.1 [--gold 200] [...]

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

from radcal.reliability.records import Reliability, Tables
from radcal.reliability.reliability import measure
from radcal.review.records import Misread, ReadingErrors, Silence
from radcal.system.settings import Settings
from radcal.words.bins import bin_phrases
from radcal.words.phrases import load_lexicon
from radcal.words.records import Phrase

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


def ct_chances(base: float) -> np.ndarray:
    """(2, 7) how likely a CT that hedges a fifth of the time says 0, HEDGES and 1 where it is not, and is, there.

    base: how often it is there.
    """
    outcomes = np.array([0.0, *HEDGES, 1.0])
    certain = (base - HEDGED * np.mean(HEDGES)) / (1 - HEDGED)
    mix = np.array([(1 - HEDGED) * (1 - certain), *[HEDGED / len(HEDGES)] * len(HEDGES), (1 - HEDGED) * certain])
    chances = np.stack([mix * (1 - outcomes) / (1 - base), mix * outcomes / base])
    return chances / chances.sum(axis=1, keepdims=True)


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
        outcomes, chances = np.array([0.0, *HEDGES, 1.0]), ct_chances(there.sum() / said.sum())
    counts = rng.multinomial(said - there, chances[0]) + rng.multinomial(there, chances[1])
    whole = np.zeros_like(rates)
    whole[:, hedged] = use * (1 - PLAIN)
    whole[:, np.flatnonzero(~hedged)[[0, -1]]] = PLAIN / 2
    groups = tuple((f"author {i}", "topic") for i in range(authors))
    names = tuple(p.name for p in words)
    return Authors(whole, rates, Tables(groups, names, tuple(map(str, outcomes)), counts.astype(float), outcomes))


XRAY_STATES, CT_STATES = np.array([16.0, 3.0, 0.7, 1.3]) / 21, np.array([14.0, 3.0, 0.8, 3.2]) / 21
"""How often a report of a gold set does not mention one of 21 pathologies, or says absent, hedged, present."""
RIGHT, NEARLY = 0.92, 0.05
"""Of hedges read as hedges, the shares with their own phrase and with one of nearly the same meaning."""


def misreading(error: float) -> np.ndarray:
    """(4, 4) chances of reading not mentioned, absent, hedged, present as each of them."""
    chances = np.full((4, 4), 0.3 * error)
    chances[:, 0] = 0.4 * error
    np.fill_diagonal(chances, 1 - error)
    chances[0] = 0.993, 0.003, 0.001, 0.003
    return chances


def pick(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One draw from each row of chances."""
    return (rng.random((len(chances), 1)) > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1)


def misread(
    words: tuple[Phrase, ...], slope: float, n: int, error: float, gold: int, rng: np.random.Generator, *, hedging: bool
) -> tuple[Tables, np.ndarray, np.ndarray]:
    """One author as read, with the gold set; what was written (K,), and the true rates (K,)."""
    mean = np.array([p.alpha / (p.alpha + p.beta) for p in words])
    kind = np.where(mean == 0, 1, np.where(mean == 1, 3, 2))
    hedges, absent, present = np.flatnonzero(kind == 2), int(np.argmin(mean)), int(np.argmax(mean))
    rates = np.where(kind == 2, expit(slope * logit(np.clip(mean, 1e-9, 1 - 1e-9))), np.clip(mean, 0.03, 0.95))
    chances, use = misreading(error), rng.dirichlet(np.full(len(hedges), 0.7))
    tables = [
        np.stack(
            [rng.multinomial(m, row) for m, row in zip(rng.multinomial(gold // 2 * 21, states), chances, strict=True)]
        )
        for states in (XRAY_STATES, CT_STATES)
    ]
    parts = rng.multinomial(tables[0][2, 2], [RIGHT, NEARLY, 1 - RIGHT - NEARLY])

    said = np.zeros(len(words), dtype=np.int64)
    said[hedges], said[[absent, present]] = rng.multinomial(n, use), n // 3
    phrase = np.concatenate([np.repeat(np.arange(len(words)), said), np.full(round(3.2 * said.sum()), -1)])
    there = rng.random(len(phrase)) < np.where(phrase < 0, said @ rates / said.sum(), rates[phrase])
    level = np.array(
        [pick(np.tile(p / p.sum(), (len(phrase), 1)), rng) for p in (1 - np.array(HEDGES), np.array(HEDGES))]
    )
    level = np.where(there, level[1], level[0])
    hedged = rng.random(len(phrase)) < HEDGED * hedging
    ct = np.where(rng.random(len(phrase)) < 0.15, 0, np.where(hedged, 2, np.where(there, 3, 1)))
    ct_read = pick(chances[ct], rng)
    level = np.where(ct == 2, level, rng.integers(0, len(HEDGES), len(phrase)))
    outcome = np.where(ct_read == 1, 0, np.where(ct_read == 3, len(HEDGES) + 1, 1 + level))
    read = pick(chances[np.where(phrase < 0, 0, kind[phrase])], rng)
    near = [[j for j in hedges if j != k and abs(mean[j] - mean[k]) <= 0.15] or [k] for k in range(len(words))]
    luck = rng.random(len(phrase))
    other = rng.choice(hedges, len(phrase), p=use)
    nearby = np.array([rng.choice(near[k]) for k in phrase])
    own = np.where(luck < RIGHT, phrase, np.where(luck < RIGHT + NEARLY, nearby, other))
    own = np.where((phrase >= 0) & (kind[phrase] == 2), own, other)
    own = np.where(read == 1, absent, np.where(read == 3, present, own))
    kept = (read > 0) & (ct_read > 0)
    counts = np.zeros((1, len(words), len(HEDGES) + 2))
    np.add.at(counts[0], (own[kept], outcome[kept]), 1)
    whole, half = [tuple(map(tuple, t.tolist())) for t in tables], gold // 2
    errors = ReadingErrors(
        "simulated",
        "",
        Misread(half, whole[0], (int(parts[0]), int(parts[1]), int(parts[2]))),
        Misread(half, whole[1], (0, 0, 0)),
        {"topic": Silence(left_out=float(((read > 0) & (ct_read == 0)).sum() / kept.sum()))},
    )
    # What an honest hedge leaves of a rate.
    up, down = (np.array(HEDGES) @ (p / p.sum()) for p in (np.array(HEDGES), 1 - np.array(HEDGES)))
    share = HEDGED * hedging
    confirmed = rates * (1 - share + share * up) + (1 - rates) * share * down
    outcomes = np.array([0.0, *HEDGES, 1.0])
    names = tuple(p.name for p in words)
    made = Tables((("author", "topic"),), names, tuple(map(str, outcomes)), counts, outcomes, errors=errors)
    return made, said, confirmed


def print_misread(options: argparse.Namespace, settings: Settings, rng: np.random.Generator) -> None:
    """Coverage with and without reading errors."""
    print("targets: rates 0.93-0.97, word error >= 0.95, said to differ at slope 1 at most 0.05")
    print("lexicon  slope  misread      n   rates: plain with    wider   word error: plain with     differ: plain with")
    for name in options.lexicon:
        words = lexicon(name)
        mean = bin_phrases(words).mean
        hedged = (mean > 0) & (mean < 1)
        place = {p.name: k for k, p in enumerate(words)}
        for slope in options.slope or SLOPES:
            for error in options.misread:
                for n in options.n:
                    rates, errors, found, widths = [], [], [], []
                    for _ in range(options.authors):
                        made, said, true = misread(words, slope, n, error, options.gold, rng, hedging=options.hedging)
                        (r,) = measure(made, words, settings, threads=1)
                        for p in r.phrases:
                            t = true[place[p.phrase]]
                            if p.n >= settings.min_phrase_n:
                                rates.append((p.low <= t <= p.high, p.read_low <= t <= p.read_high))
                                widths.append((p.read_high - p.read_low) / (p.high - p.low))
                        if r.word_error_low is None or r.read_word_error_low is None:
                            continue
                        truth = (said * np.abs(true - mean))[hedged].sum() / said[hedged].sum()
                        errors.append(
                            [
                                a - 1e-9 <= truth <= b + 1e-9
                                for a, b in (
                                    (r.word_error_low, r.word_error_high or 0),
                                    (r.read_word_error_low, r.read_word_error_high or 0),
                                )
                            ]
                        )
                        found.append([(r.plain_p_value_word or 1) < 0.05, (r.p_value_word or 1) < 0.05])
                    of_rates, of_errors, differ = (np.mean(x, axis=0) for x in (rates, errors, found))
                    print(
                        f"{name:8} {slope:5} {error:8.2f} {n:6,}   {of_rates[0]:12.3f}",
                        f"{shown(of_rates[1], 0.93, 0.97)} {np.mean(widths):6.2f} {of_errors[0]:18.3f}",
                        f"{shown(of_errors[1], 0.95)} {differ[0]:16.3f}",
                        shown(differ[1], 0.0, 0.05) if slope == 1 else f"{differ[1]:6.3f}",
                        flush=True,
                    )


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
    parser.add_argument("--misread", type=float, nargs="*", help="chances of a wrong statement in either report")
    parser.add_argument("--gold", type=int, default=200, help="reports of the gold set of --misread")
    parser.add_argument("--bootstrap", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    settings, rng = Settings(bootstrap=options.bootstrap), np.random.default_rng(options.seed)
    if options.misread:
        print_misread(options, settings, rng)
        return
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
