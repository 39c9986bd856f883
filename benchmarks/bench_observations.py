"""The joint solver compared with the published one, on artificial observation files of a few hundred rows each.

    OMP_NUM_THREADS=1 python benchmarks/bench_observations.py [FILES]

The files cover the variety of real ones: 200 to 700 statements in one to six groups; the shipped words or 4 to 12
others, from narrow to wide, with or without unhedged statements; all words in use or only a few; authors calibrated,
overconfident, underconfident, alarmist or erratic; binary, fractional or verbal outcomes.  The error is the ECE on the
held-out half after a plan fitted on the other, averaged over 20 splits, with groups weighted by statements.

"known rates" is the error of a plan under the same constraints with known true rates.  "neither" counts the files where
even this exceeds 0.9 of the published solver's error, so that better estimates of the rates would not help.  Files are
classified by the effect of the constraints:

- "ordered": true rates increase with the meaning of the words, and 9 of 10 statements have words with enough uses;
- "rare words": more than 1 of 10 statements have words with too few uses, which only the published solver rewords;
- "out of order": stronger words are confirmed less often than weaker ones, by 10 percentage points or more, and only
  the published solver may reverse them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from radcal import scoring
from radcal.advise.halves import halve
from radcal.advise.solve import make_solver
from radcal.lexicon.bins import bin_phrases, reference_positive
from radcal.lexicon.phrases import load_lexicon
from radcal.records import Phrase, PhraseBins
from radcal.settings import Settings

Array = NDArray[np.float64]
SPLITS = 20
SHIPPED = load_lexicon().phrases
KINDS = ("shipped", "hedges", "narrow", "middling", "wide", "narrow+", "middling+", "wide+")
CONCENTRATION = {"narrow": (15.0, 60.0), "middling": (6.0, 15.0), "wide": (2.5, 6.0)}
CERTAIN = 1000
"""Multiple of the statements that makes the rates practically known to the solver."""


@dataclass(frozen=True)
class Group:
    """One author and topic: (K, L) counts, and the true rate of each phrase."""

    counts: Array
    truth: Array


@dataclass(frozen=True)
class File:
    """An observation file as tables."""

    bins: PhraseBins
    positive: Array
    groups: tuple[Group, ...]


def words(kind: str, rng: np.random.Generator) -> tuple[Phrase, ...]:
    """The shipped lexicon with or without unhedged phrases, or 4 to 12 words of a width; "+" adds unhedged ones."""
    if kind == "shipped":
        return SHIPPED
    if kind == "hedges":
        return tuple(p for p in SHIPPED if min(p.alpha, p.beta) > 0)
    size, (low, high) = int(rng.integers(4, 13)), CONCENTRATION[kind.rstrip("+")]
    means = np.linspace(rng.uniform(0.03, 0.12), rng.uniform(0.88, 0.97), size)
    if rng.random() < 0.5:
        means = np.sort(np.clip(means + rng.normal(0, 0.04, size), 0.02, 0.98))
    spread = rng.uniform(low, high) * rng.uniform(0.6, 1.6, size)
    made = [Phrase(f"word {i}", m * c, (1 - m) * c, m, m) for i, (m, c) in enumerate(zip(means, spread, strict=True))]
    return (Phrase("absent", 0, 1, 0, 0), *made, Phrase("present", 1, 0, 1, 1)) if kind.endswith("+") else tuple(made)


def habits(m: Array, rng: np.random.Generator) -> list[Array]:
    """True rates of each kind of author, from the meanings of the words."""
    base, middle = rng.uniform(0.05, 0.6), rng.uniform(0.35, 0.65)
    odds = np.clip(m, 0.01, 0.99) / (1 - np.clip(m, 0.01, 0.99)) * base / (1 - base)
    rates = [
        m,
        0.5 + (m - 0.5) * 0.5,
        0.5 + (m - 0.5) * 0.75,
        0.5 + (m - 0.5) * 1.5,
        0.55 * m,
        np.sqrt(m),
        m**2,
        m + rng.normal(0, 0.1, len(m)),
        m + rng.normal(0, 0.2, len(m)),
        np.full(len(m), rng.uniform(0.1, 0.6)),
        rng.uniform(0, 1, len(m)),
        1 / (1 + np.exp(-8 * (m - middle))),
        odds / (1 + odds),
        np.where(m > 0.5, 0.6 * m, m),
    ]
    return [np.clip(r, 0, 1) for r in rates]


def made_up(number: int) -> File:
    """The artificial file with this number."""
    rng = np.random.default_rng([2026, number])
    phrases = words(KINDS[number % len(KINDS)], rng)
    bins = bin_phrases(phrases)
    kinds = len(habits(bins.mean, np.random.default_rng(0)))
    habit = (number // 2 + number // kinds) % kinds
    size, groups = int(rng.integers(200, 700)), 1 if rng.random() < 0.5 else int(rng.integers(2, 7))
    used = np.ones(len(phrases), dtype=bool)
    if rng.random() < 0.35 and len(phrases) > 6:
        few = rng.choice(len(phrases), int(rng.integers(4, min(len(phrases), 9))), replace=False)
        used = np.isin(np.arange(len(phrases)), few)
    positive = (np.array([0.0, 1.0]), np.linspace(0, 1, 5), reference_positive(phrases))[int(rng.choice(3))]
    # Distribution of the reference for present and for absent findings.
    yes, no = positive**2 * (positive > 0.5), (1 - positive) ** 2 * (positive <= 0.5)
    concentration, rates = float(rng.choice([0.5, 1.0, 3.0, 20.0])), habits(bins.mean, rng)[habit]
    alike, use = rng.random() < 0.6, rng.dirichlet(np.full(int(used.sum()), concentration))
    made = []
    for _ in range(groups):
        if not alike:
            rates, use = habits(bins.mean, rng)[habit], rng.dirichlet(np.full(int(used.sum()), concentration))
        said = rates[:, None] * yes / yes.sum() + (1 - rates[:, None]) * no / no.sum()
        n = np.zeros(len(phrases), dtype=np.int64)
        n[used] = rng.multinomial(size // groups, use)
        made.append(Group(rng.multinomial(n, said).astype(np.float64), said @ positive))
    return File(bins, positive, tuple(made))


def errors(file: File, group: Group, settings: Settings) -> dict[str, tuple[float, float]]:
    """Mean ECE and Brier score on held-out halves, by solver."""
    covered = group.counts.sum(axis=1) >= settings.min_phrase_n
    everything = np.ones(len(covered), dtype=bool)
    halves = np.array([halve(group.counts, np.random.default_rng(seed)) for seed in range(SPLITS)])
    n, y = halves.sum(axis=3), halves @ file.positive
    free = settings.changed(information_price=0.0)
    certain = CERTAIN * n[:, 0]
    plans = {
        "before": np.tile(np.eye(len(covered)), (SPLITS, 1, 1)),
        "known rates": make_solver(file.bins, covered, everything, free, None)(certain, certain * group.truth),
    }
    for solver in ("joint", "paper"):
        chosen = settings.changed(solver=solver)
        plans[solver] = make_solver(file.bins, covered, everything, chosen, None)(n[:, 0], y[:, 0])
    result = {}
    for name, plan in plans.items():
        after_n, after_y = np.einsum("bk,bkl->bl", n[:, 1], plan), np.einsum("bk,bkl->bl", y[:, 1], plan)
        ece, brier = scoring.ece(after_n, after_y, file.bins), scoring.brier(after_n, after_y, file.bins)
        result[name] = (float(ece.mean()), float(brier.mean()))
    return result


def what_kind(file: File, settings: Settings) -> str:
    """The class of a file; see the module docstring."""
    n = np.array([g.counts.sum(axis=1) for g in file.groups])
    if n[n < settings.min_phrase_n].sum() > 0.1 * n.sum():
        return "rare words"
    for group, uses in zip(file.groups, n, strict=True):
        said = uses >= settings.min_phrase_n
        rates = group.truth[said][np.argsort(file.bins.mean[said], kind="stable")]
        if len(rates) and (np.maximum.accumulate(rates) - rates).max() > 0.1:
            return "out of order"
    return "ordered"


def main() -> int:
    """Print all classes; returns 0 if the mean ratio of ordered files is at most 0.9."""
    settings = Settings()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 112
    found: dict[str, list[list[float]]] = {"ordered": [], "rare words": [], "out of order": []}
    for number in range(count):
        file = made_up(number)
        weight = np.array([g.counts.sum() for g in file.groups])
        by_group = [errors(file, g, settings) for g in file.groups]
        ece, brier = (
            {name: float(weight @ [e[name][i] for e in by_group]) / weight.sum() for name in by_group[0]}
            for i in (0, 1)
        )
        ratios = [ece[name] / ece["paper"] for name in ("joint", "known rates", "before")]
        found[what_kind(file, settings)].append([*ratios, *(brier[name] for name in ("before", "joint", "paper"))])
    print(f"{'':13}{'files':>6}{'joint':>7}{'<= 0.9':>8}{'known rates':>13}{'neither':>9}{'before':>8}   Brier score")
    for kind, rows in found.items():
        if rows:
            r = np.array(rows)
            joint, known, before, *scores = r.mean(axis=0)
            neither = (r[:, :2] > 0.9).all(axis=1).sum()
            print(
                f"{kind:13}{len(r):6}{joint:7.2f}{(r[:, 0] <= 0.9).sum():8}{known:13.2f}{neither:9}{before:8.2f}"
                f"   before {scores[0]:.3f}, joint {scores[1]:.3f}, published {scores[2]:.3f}"
            )
    return 0 if np.mean([row[0] for row in found["ordered"]]) <= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
