"""Simulated readers of whom not every patient gets a CT: how much of what is said of them is true of all patients?

    OMP_NUM_THREADS=1 python benchmarks/bench_verification.py [--readers N] [--n 400 1500] [--odds 1 2 4] [--held 2]

A reader writes n statements at two sites whose patients differ in how often they are ill.  Of the patients who are
well, a quarter get a CT at one site and two fifths at the other; the odds of a CT are --odds times as high for those
who are ill, of the same word and site.  Readers are calibrated, err at random word by word (mixed), or have one word
that means something else (private).  Counted are words that agree, words that differ and advice, each as "said / true":
true where it holds at the rate of all patients.  "unknown" is without the statements that had no CT.  --held: the odds
that verdicts and advice have to hold for (verified.ODDS).
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from radcal.advice.advice import advise
from radcal.reliability import verified
from radcal.reliability.reliability import measure
from radcal.reliability.tables import build_tables
from radcal.system.settings import Settings
from radcal.words.phrases import agreeing_rates, expected_rates, load_lexicon, mean_of
from radcal.words.records import Phrase

USES = {
    "absent": 0.3, "unlikely": 0.1, "possibly": 0.18, "probably": 0.1, "likely": 0.12, "suspicious for": 0.06,
    "compatible with": 0.04, "present": 0.1,
}  # fmt: skip
SHARES = np.array([0.25, 0.4])
APART = 0.6
"""Of the log odds of either site's patients from what the word says."""


def statements(kind: str, n: int, odds: float, words: list[Phrase], readers: int, rng: np.random.Generator):
    """Rows as of a file of observations, and the rates (A, K) of all patients."""
    mean = np.array([mean_of(p) for p in words])
    hedged = (mean > 0) & (mean < 1)
    rows, rates = [], []
    for a in range(readers):
        h = np.where(hedged, logit(np.clip(mean, 0.01, 0.99)), np.where(mean > 0, 4.5, -4.5))
        if kind == "mixed":
            h = np.where(hedged, rng.normal(0, 0.5) + rng.normal(1, 0.3) * h + rng.normal(0, 0.25, len(h)), h)
        elif kind == "private":
            h[rng.choice(np.flatnonzero(hedged))] += rng.choice([-1.5, 1.5])
        of_site = expit(h[:, None] + APART * rng.choice([-1, 1]) * np.array([-1, 1]))
        word, site = rng.choice(len(words), n, p=list(USES.values())), rng.integers(0, 2, n)
        ill = rng.random(n) < of_site[word, site]
        share = expit(logit(SHARES[site]) + np.where(ill, np.log(odds), 0))
        rows.append(pd.DataFrame({"author": f"{a:04}", "word": word, "site": site, "ill": ill, "share": share}))
        rates.append(of_site.mean(axis=1))
    made = pd.concat(rows, ignore_index=True)
    made["verified"] = rng.random(len(made)) < made["share"]
    names = pd.Categorical.from_codes(made["word"], [p.name for p in words])
    frame = made.assign(topic="edema", phrase=names, outcome=made["ill"].astype(float), site=made["site"].astype(str))
    return frame[["author", "topic", "phrase", "outcome", "verified", "site"]], np.array(rates)


def count(frame: pd.DataFrame, rates: np.ndarray, words: list[Phrase], setting: str) -> np.ndarray:
    """(3, 2) what is said and what of it is true: words that match, words that are stronger or weaker, advice."""
    settings = Settings(bootstrap=0, verification="bounds" if setting == "bounds" else "weighted")
    tables = build_tables(frame, words)
    known = {} if setting == "unknown" else verified.of_rows(frame, words, settings)
    measured = verified.with_verification(measure(tables, words, settings), known, settings)
    place, found = {p.name: k for k, p in enumerate(words)}, np.zeros((3, 2))
    for r, advice in zip(measured, advise(tables, measured, words, settings), strict=True):
        of = rates[int(r.author)]
        for p in r.phrases:
            if p.n < settings.min_phrase_n or p.verdict in ("undecided", "too few"):
                continue
            word, rate = words[place[p.phrase]], of[place[p.phrase]]
            least, most = agreeing_rates(word)
            low, high = expected_rates(word)
            matches = p.verdict == "matches"
            found[int(not matches)] += (
                1,
                least <= rate <= most if matches else rate < low if p.verdict == "stronger" else rate > high,
            )
        for made in advice.recommendations:
            source, target = (mean_of(words[place[name]]) for name in (made.source, made.target))
            rate = of[place[made.source]]
            found[2] += 1, abs(rate - target) < abs(rate - source)
    return found


def main() -> None:
    """Print a line for each kind of reader, number of statements and odds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=60)
    parser.add_argument("--n", type=int, nargs="+", default=[400])
    parser.add_argument("--odds", type=float, nargs="+", default=[1, 2, 4])
    parser.add_argument("--held", type=float, default=verified.ODDS)
    options = parser.parse_args()
    verified.ODDS = options.held
    by_name = {p.name: p for p in load_lexicon().phrases}
    words = [by_name[name] for name in USES]
    for kind in ("calibrated", "mixed", "private"):
        for n in options.n:
            for odds in options.odds:
                rng = np.random.default_rng([n, round(10 * odds)])
                frame, rates = statements(kind, n, odds, words, options.readers, rng)
                print(f"{kind}, {n} statements, odds {odds:g}:")
                for setting in ("unknown", "weighted", "bounds"):
                    found = count(frame, rates, words, setting).astype(int).tolist()
                    print(f"    {setting:9}", *(f"{said:5} / {true:<5}" for said, true in found))


if __name__ == "__main__":
    main()
