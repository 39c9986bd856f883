"""Figures and times beside netcal, calzone, relplot and the calibration paper's own way, in one run.

    OMP_NUM_THREADS=1 python benchmarks/bench_peers.py [--repeat N] [--record > tests/library/peers.toml]

The peers are those that are installed: pip install -e .[peers].  --record prints their figures on the shared cases,
with their versions; tests/library/test_peers.py compares RadCal's with them.  Times are medians of seconds of the
processor, of runs of both in turn.

The paper's way: as its published program (code/calibration.py of "Calibrating Expressions of Certainty", ICLR 2025)
goes about it, written anew.  Each of 100 bootstrap samples draws answers, finds the distinct distributions (torch),
integrates the first and last of 100 bins by quadrature and takes the density in the middle of the others, looks up each
answer's place in a list, and takes percentiles; then scores drawn from the distributions are given to scikit-learn.
That program shares samples out on several processes; here both have one.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import radcal

Array = NDArray[np.float64]
PACKAGES = ("netcal", "calzone-tool", "relplot", "torch", "scikit-learn")
BINS, DRAWS, ANSWERS = 10, 100, 817
BANDWIDTH = 0.02
WORDS = {f"word {k}": (1.0 + 2 * k, 17.0 - 2 * k) for k in range(9)}
"""Beta distributions of the made-up words of the case "words"."""


def cases() -> dict[str, tuple[Array, Array]]:
    """Forecasts and outcomes: numbers, few numbers, numbers on the edges of bins, and the means of words."""
    rng = np.random.default_rng(20260101)
    numbers, few = rng.random(400), rng.random(60)
    edges = rng.integers(0, 11, 1_000) / 10
    word = rng.integers(0, len(WORDS), ANSWERS)
    words = np.array([a / (a + b) for a, b in WORDS.values()])[word]
    true = {"numbers": numbers**1.3, "few": few**0.6, "words": np.clip(words + 0.12 * (-1.0) ** word, 0.02, 0.98)}
    true["edges"] = np.clip(edges + 0.15 * (-1.0) ** np.rint(10 * edges), 0.05, 0.95)
    forecasts = {"numbers": numbers, "few": few, "edges": edges, "words": words}
    return {name: (f, (rng.random(len(f)) < true[name]).astype(float)) for name, f in forecasts.items()}


def answers(lexicon: radcal.Lexicon, seed: int = 0, n: int = ANSWERS) -> pd.DataFrame:
    """As many answers as TruthfulQA has questions, by a model that overstates, in the hedges of a lexicon."""
    rng = np.random.default_rng(seed)
    hedges = lexicon.table().query("0 < mean < 1").sample(n, replace=True, random_state=seed)
    outcome = (rng.random(n) < hedges["mean"].to_numpy() ** 1.5).astype(float)
    said = {"phrase": hedges["phrase"].to_numpy(), "outcome": outcome}
    return pd.DataFrame({"author": "model", "topic": "questions"} | said)


def peers() -> Iterator[tuple[str, Callable[[Array, Array], float]]]:
    """By name, what each installed peer makes of forecasts and outcomes."""
    from sklearn.isotonic import IsotonicRegression
    from sklearn.metrics import brier_score_loss, roc_auc_score

    def fitted(f: Array, y: Array) -> Array:
        return np.asarray(IsotonicRegression(y_min=0, y_max=1).fit(f, y).predict(f))

    yield "sklearn_brier", lambda f, y: brier_score_loss(y, f)
    yield "sklearn_auroc", lambda f, y: roc_auc_score(y, f)
    yield "corp_miscalibration", lambda f, y: np.mean((f - y) ** 2) - np.mean((fitted(f, y) - y) ** 2)
    yield "corp_discrimination", lambda f, y: np.var(y) - np.mean((fitted(f, y) - y) ** 2)
    yield "corp_uncertainty", lambda f, y: np.var(y)
    if find_spec("netcal"):
        from netcal.metrics import ECE, MCE

        yield "netcal_ece", lambda f, y: ECE(BINS).measure(f, y.astype(int))
        yield "netcal_mce", lambda f, y: MCE(BINS).measure(f, y.astype(int))
    if find_spec("calzone"):
        from calzone.metrics import calculate_ece_mce, cox_regression_analysis
        from calzone.utils import reliability_diagram

        def errors(f: Array, y: Array) -> Any:
            rate, stated, _, n = reliability_diagram(y, np.c_[1 - f, f], BINS, class_to_plot=1)
            return calculate_ece_mce(rate, stated, n)

        yield "calzone_ece", lambda f, y: errors(f, y)[0]
        yield "calzone_mce", lambda f, y: errors(f, y)[1]
        yield "calzone_slope", lambda f, y: cox_regression_analysis(y.copy(), np.c_[1 - f, f])[0]
        yield "calzone_intercept", lambda f, y: cox_regression_analysis(y.copy(), np.c_[1 - f, f])[1]
    if find_spec("relplot"):
        import relplot

        yield "relplot_binned_ece", lambda f, y: relplot.metrics.binnedECE(f, y, BINS)
        yield "relplot_smooth_ece", lambda f, y: relplot.smECE_sigma(f, y, BANDWIDTH)


def record() -> None:
    """Print the peers' figures as TOML."""
    print("# What peers make of the cases of benchmarks/bench_peers.py, which --record prints.\n\n[versions]")
    for package in PACKAGES:
        try:
            print(f'{package} = "{version(package)}"')
        except PackageNotFoundError:
            sys.exit(f"{package} is not installed.")
    for name, (f, y) in cases().items():
        print(f"\n[{name}]\nn = {len(f)}")
        for peer, figure in peers():
            print(f"{peer} = {float(figure(f, y)):.10f}")


# --- the paper's way ----------------------------------------------------------------------------------------------


def paper(rows: pd.DataFrame, lexicon: radcal.Lexicon, draws: int, seed: int = 0) -> dict[str, Any]:
    """ECE, ECE* and scores of answers in words, with their percentiles, as the paper's program finds them."""
    import torch
    from scipy.integrate import IntegrationWarning, quad
    from scipy.special import betainc
    from sklearn import metrics

    known = {p.name: (p.alpha, p.beta) for p in lexicon.phrases if p.alpha and p.beta}
    spoken = {name: torch.distributions.Beta(torch.tensor(a), torch.tensor(b)) for name, (a, b) in known.items()}
    shapes = {spoken[name]: shape for name, shape in known.items()}
    said = [spoken[name] for name in rows["phrase"]]
    right = rows["outcome"].to_numpy()
    edges, width = np.linspace(0, 1, 101), 0.01
    middle = torch.tensor(edges[1:-2] + width / 2)

    def density(word: Any, x: Any) -> Array:
        return np.asarray(word.log_prob(torch.as_tensor(x)).exp())

    def end(word: Any, low: float, high: float) -> tuple[float, float]:
        mass = np.diff(betainc(*shapes[word], [low, high]))[0]
        return mass, quad(lambda x: x * density(word, [x])[0], low, high, limit=3)[0]

    def estimate(words: list[Any], outcomes: Array) -> dict[str, Any]:
        distinct = [*set(words)]
        weight, moment = np.empty((2, len(distinct), 100))
        for k, word in enumerate(distinct):
            weight[k, 0], moment[k, 0] = end(word, 0.0, edges[1])
            weight[k, -1], moment[k, -1] = end(word, edges[-2], 1.0)
            weight[k, 1:-1] = density(word, middle) * width
            moment[k, 1:-1] = weight[k, 1:-1] * middle.numpy()
        place = np.array([distinct.index(word) for word in words])
        weight, moment = weight[place], moment[place]
        mass = weight.sum(axis=0)
        rate, stated = (outcomes[:, None] * weight).sum(axis=0) / (mass + 1e-8), moment.sum(axis=0) / (mass + 1e-8)
        gap = np.abs(rate - stated) * mass
        inner = slice(1, -1)
        return {"ece": gap.sum() / mass.sum(), "ece_star": gap[inner].sum() / mass[inner].sum(), "rate": rate}

    def classified(score: Array, label: Array) -> dict[str, Any]:
        guess = score > 0.5
        precision, recall, f1, _ = metrics.precision_recall_fscore_support(
            label, guess, average="macro", zero_division=0
        )
        return {
            "accuracy": metrics.accuracy_score(label, guess),
            "precision": precision,
            "recall": recall,
            "f1": f1,
            "average_precision": metrics.average_precision_score(label, score),
            "auroc": metrics.roc_auc_score(label, score),
            "brier": metrics.brier_score_loss(label, score),
        }

    def percentiles(found: list[dict[str, Any]]) -> dict[str, Any]:
        return {name: np.percentile([one[name] for one in found], [2.5, 50, 97.5], axis=0) for name in found[0]}

    warnings.simplefilter("ignore", IntegrationWarning)
    np.random.seed(seed)  # noqa: NPY002  # as the paper's program does
    torch.manual_seed(seed)
    samples = [np.random.choice(len(said), len(said)) for _ in range(draws)]  # noqa: NPY002
    curves = [estimate([said[i] for i in drawn], right[drawn]) for drawn in samples]
    scores = torch.stack([word.sample((draws,)) for word in said]).numpy()
    found = [classified(scores[drawn, j], right[drawn]) for j, drawn in enumerate(samples)]
    return percentiles(curves) | percentiles(found)


# --- times --------------------------------------------------------------------------------------------------------


def processor(work: Callable[[], object], runs: int = 1) -> float:
    """Median seconds of the processor."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def ratio(times: int, ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float, float]:
    """Median seconds of both, five runs of ours beside each of theirs, and the median of their ratios."""
    processor(ours)
    pairs = [(processor(ours, 5), processor(theirs)) for _ in range(times)]
    return *map(statistics.median, zip(*pairs, strict=True)), statistics.median(peer / own for own, peer in pairs)


def line(what: str, own: float, other: float, times: float) -> None:
    """Print how fast both were."""
    print(f"{what}: RadCal {own * 1e3:.1f} ms, peer {other * 1e3:,.2f} ms: {times:,.3g} times as long", flush=True)


def main() -> int:
    """Print figures and times; returns 0 if reliability is at least 500 times as fast as the paper's way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--record", action="store_true", help="print the peers' figures as TOML, and no times")
    options = parser.parse_args()
    if options.record:
        record()
        return 0
    every = cases()
    for name, (f, y) in every.items():
        rows = pd.DataFrame({"phrase": f, "outcome": y})
        print(f"{name}, n = {len(f)}: RadCal ECE {radcal.ece(rows, n_bins=BINS):.4f}, Brier {radcal.brier(rows):.4f}")
        print("  " + ", ".join(f"{peer} {float(figure(f, y)):.4f}" for peer, figure in peers()))
    f, y = every["words"]
    said = pd.DataFrame({"phrase": f, "outcome": y})
    for peer, figure in peers():
        if peer.endswith("ece"):
            ours = lambda: radcal.ece(said, n_bins=BINS)  # noqa: E731
            line(f"ECE of {len(f)} numbers, {peer}", *ratio(9, ours, lambda: figure(f, y)))  # noqa: B023
    if not find_spec("torch"):
        print("The paper's way needs torch: pip install -e .[peers]")
        return 0
    lexicon = radcal.Lexicon.shipped("public")  # the 17 words of the survey that the paper takes for models
    rows = answers(lexicon)
    theirs = paper(rows, lexicon, DRAWS)
    low, middle, high = theirs["ece"]
    own = radcal.ece(rows, lexicon, method="midpoint")
    print(f"the paper's way: ECE {middle:.4f} ({low:.4f}-{high:.4f}), RadCal {own:.4f}")
    assert low < own < high
    found = ratio(
        options.repeat, lambda: radcal.reliability(rows, lexicon, bootstrap=DRAWS), lambda: paper(rows, lexicon, DRAWS)
    )
    line(f"reliability of {ANSWERS} answers with {DRAWS} bootstraps, the paper's way", *found)
    return int(found[2] < 500)


if __name__ == "__main__":
    sys.exit(main())
