"""Simulated readers whose truth is known: do the published measures keep what they promise?

    OMP_NUM_THREADS=1 python benchmarks/bench_measures.py [--authors N] [--n 60 200 1000] [--hedging]
    OMP_NUM_THREADS=1 python benchmarks/bench_measures.py --misread 0.05 0.1 [--gold 200] [...]

Readers of `simulated.py`: of one slope, 1 for the calibrated, below for words too strong, above for words too weak, or
each in an own way ("near").  n counts hedged findings; as many are plain.  With --hedging the CT hedges a fifth of the
time, as often right as its hedges say.

"Differs" is by the test on the word error at 0.05; coverage is of nominal 95 % intervals.  True ECE and word error are
those at the reader's true rates.  Figures outside their target are marked with !.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import product

import numpy as np
from simulated import HEDGED, HEDGES, KINDS, MEAN, PLACE, PLAIN, WORDS, Array, Department, department, pick, sloped

from radcal.calibration.records import Reliability, Tables
from radcal.calibration.reliability import measure
from radcal.calibration.tables import build_tables
from radcal.review.records import Misread, ReadingErrors, Silence
from radcal.system.settings import Settings
from radcal.words.bins import bin_phrases

READERS = {"1": sloped(1), "0.5": sloped(0.5), "0.7": sloped(0.7), "1.6": sloped(1.6), "near": KINDS["near"]}
BINS = bin_phrases(WORDS)
XRAY_STATES, CT_STATES = np.array([16.0, 3.0, 0.7, 1.3]) / 21, np.array([14.0, 3.0, 0.8, 3.2]) / 21
"""How often a report of a gold set does not mention one of 21 pathologies, or says absent, hedged, present."""
RIGHT, NEARLY = 0.92, 0.05
"""Of hedges read as hedges, the shares with their own phrase and with one of nearly the same meaning."""
UNSAID, CT_SILENT = 3.2, 0.15
"""X-ray reports that do not mention the finding for each that does; share of the CT reports that do not."""


def misreading(error: float) -> Array:
    """(4, 4) chances of reading not mentioned, absent, hedged, present as each of them."""
    chances = np.full((4, 4), 0.3 * error)
    chances[:, 0] = 0.4 * error
    np.fill_diagonal(chances, 1 - error)
    chances[0] = 0.993, 0.003, 0.001, 0.003
    return chances


def misread(made: Department, error: float, gold: int, rng: np.random.Generator) -> Tables:
    """The table of a department's only group as it is read, with what a gold set tells of that."""
    rows, chances = made.observations, misreading(error)
    kind = np.array([1 if m == 0 else 3 if m == 1 else 2 for m in MEAN])
    said, outcome = rows["phrase"].cat.codes.to_numpy(), rows["outcome"].to_numpy()
    unsaid = round(UNSAID * len(said))
    said, outcome = np.append(said, np.full(unsaid, -1)), np.append(outcome, rng.choice(outcome, unsaid))
    ct = np.where(rng.random(len(said)) < CT_SILENT, 0, np.select([outcome == 0, outcome == 1], [1, 3], 2))
    read, ct_read = pick(chances[np.where(said < 0, 0, kind[said])], rng), pick(chances[ct], rng)
    level = np.where(ct == 2, outcome, rng.choice(HEDGES, len(said)))
    near = [[j for j in HEDGED if j != k and abs(MEAN[j] - MEAN[k]) <= 0.15] or [k] for k in range(len(WORDS))]
    other, luck = rng.choice(said[np.isin(said, HEDGED)], len(said)), rng.random(len(said))
    own = np.select([luck < RIGHT, luck < RIGHT + NEARLY], [said, [rng.choice(near[k]) for k in said]], other)
    own = np.where(np.isin(said, HEDGED), own, other)
    kept = (read > 0) & (ct_read > 0)
    as_read = rows.iloc[np.zeros(kept.sum(), dtype=int)].assign(
        phrase=np.array([p.name for p in WORDS])[np.select([read == 1, read == 3], PLAIN, own)[kept]],
        outcome=np.select([ct_read == 1, ct_read == 3], [0.0, 1.0], level)[kept],
    )
    whole = [
        np.stack([*map(rng.multinomial, rng.multinomial(gold // 2 * 21, states), chances)])
        for states in (XRAY_STATES, CT_STATES)
    ]
    parts = rng.multinomial(whole[0][2, 2], [RIGHT, NEARLY, 1 - RIGHT - NEARLY])
    xray, of_ct = (
        Misread(gold // 2, tuple(map(tuple, table.tolist())), tuple(phrases))
        for table, phrases in zip(whole, (parts.tolist(), (0, 0, 0)), strict=True)
    )
    silence = {as_read["topic"].iloc[0]: Silence(left_out=float(((read > 0) & (ct_read == 0)).sum() / kept.sum()))}
    return replace(build_tables(as_read, WORDS), errors=ReadingErrors("simulated", "", xray, of_ct, silence))


def held(truth: float | None, low: float | None, high: float | None) -> float:
    """Whether an interval holds the truth; NaN where one of them is not given."""
    if truth is None or low is None or high is None:
        return np.nan
    return float(low - 1e-9 <= truth <= high + 1e-9)


def curve_held(r: Reliability) -> float:
    """Whether the whole curve lies inside the luck band."""
    c = r.curve
    assert c is not None
    some = ~np.isnan(c.rate)
    return float(((c.rate[some] >= c.luck_low[some] - 1e-5) & (c.rate[some] <= c.luck_high[some] + 1e-5)).all())


def published(r: Reliability, rates: Array, use: Array, slope: float | None) -> list[float]:
    """Whether a reader is said to differ, and what holds of word error, ECE, ECE*, slope and curve."""
    gap = (use * rates) @ BINS.weight - use @ BINS.moment
    said = np.array([(p.n, abs(rates[PLACE[p.phrase]] - p.mean)) for p in r.phrases if 0 < p.mean < 1])
    return [
        float((r.p_value_word or 1) < 0.05),
        held(np.average(said[:, 1], weights=said[:, 0]), r.word_error_low, r.word_error_high),
        held(np.abs(gap).sum(), r.ece_low, r.ece_high),
        held(np.abs(gap[1:-1]).sum() / (use @ BINS.weight)[1:-1].sum(), r.ece_star_low, r.ece_star_high),
        held(slope, r.slope_low, r.slope_high),
        curve_held(r) if slope == 1 else np.nan,
    ]


def carried(r: Reliability, rates: Array, said: Array, least: float) -> list[float]:
    """As :func:`published`, of words that differ and word error without and with errors, and of two kinds of rates."""
    off = np.abs(rates - MEAN)[HEDGED]
    truth = (said[HEDGED] * off).sum() / said[HEDGED].sum()
    words = [(rates[PLACE[p.phrase]], p) for p in r.phrases if p.n >= least]
    return [
        float((r.plain_p_value_word or 1) < 0.05),
        float((r.p_value_word or 1) < 0.05),
        held(truth, r.word_error_low, r.word_error_high),
        held(truth, r.read_word_error_low, r.read_word_error_high),
        np.mean([held(t, p.low, p.high) for t, p in words]),
        np.mean([held(t, p.read_low, p.read_high) for t, p in words]),
    ]


def shown(name: str, n: int, found: list[list[float]], targets: list[tuple[float, float]]) -> str:
    """A line of shares, with a mark where one is outside its target."""
    cells = [f"{name:18} {n:6,}"]
    for column, (low, high) in zip(np.array(found).T, targets, strict=True):
        given = column[~np.isnan(column)]
        value = given.mean() if len(given) else np.nan
        cells.append(f"{value:6.3f}{' ' if np.isnan(value) or low <= value <= high else '!'}")
    return "  ".join(cells)


def main() -> None:
    """Print a line for each kind of reader and n."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--authors", type=int, default=400)
    parser.add_argument("--n", type=int, nargs="*", default=[60, 200, 1000, 2000])
    parser.add_argument("--hedging", action="store_true", help="the CT hedges a fifth of the time")
    parser.add_argument("--misread", type=float, nargs="*", default=(), help="chances of a wrong statement")
    parser.add_argument("--gold", type=int, default=200, help="reports of the gold set of --misread")
    options = parser.parse_args()
    settings, rng, free = Settings(), np.random.default_rng(0), (0.0, 1.0)
    if options.misread:
        print("misread, slope, n: said to differ and word error, plainly and with errors of reading;")
        print("rates by the model, and alone with errors of reading")
    else:
        print("slope, n: said to differ, word error, ECE, ECE*, slope, curve")
    for (name, kind), n in product(READERS.items(), options.n):
        slope = None if name == "near" else float(name)
        at_one = (0.03, 0.07) if slope == 1 else free
        for error in options.misread:
            found = []
            for seed in range(options.authors):
                made = department(replace(kind, readers=1, topics=1, plain=(0.03, 0.95)), 2 * n, seed)
                said = made.observations["phrase"].value_counts(sort=False).to_numpy()
                (r,) = measure(misread(made, error, options.gold, rng), WORDS, settings, threads=1)
                found.append(carried(r, made.rates[0, 0], said, settings.min_phrase_n))
            most = (0.0, 0.05) if slope == 1 else free
            print(shown(f"{error:g} {name}", n, found, [free, most, free, (0.95, 1), free, (0.93, 0.97)]), flush=True)
        if not options.misread:
            made = department(replace(kind, readers=options.authors, topics=1, hedging=options.hedging), 2 * n, 0)
            found = []
            for r in measure(build_tables(made.observations, WORDS), WORDS, settings):
                k = int(r.author.split()[1]), 0
                found.append(published(r, made.rates[k], made.use[k], slope))
            targets = [at_one, (0.95, 1.0), (0.92, 0.98), (0.92, 0.98), (0.93, 0.97), (0.93, 0.97)]
            print(shown(name, n, found, targets), flush=True)


if __name__ == "__main__":
    main()
