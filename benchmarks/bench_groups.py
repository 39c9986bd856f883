"""How well certainties hold in every group, not on average alone: hierarchical binning against the baselines.

    OMP_NUM_THREADS=1 python benchmarks/bench_groups.py [--seeds N] [--data SCORES.csv]

Stated confidence and correctness of language models, grouped by question set and by the leaves of k-d trees over the
coordinates of their questions (x1, x2, ...).  For each grouping and author: CE(h; beta) of every method on the test
rows, mean over seeds, and hs_qab's as a share of that of the best method that knows no groups; then the same for half
of the rows, and the time that one grouping takes.  Returns 0 if the mean share is at most TARGET in every grouping.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

import pandas as pd
from measuring import run_times

from radcal.lab.groups.comparison import METHODS, best_baseline, compare
from radcal.lab.groups.partitions import Columns, KdTree, Partitions, read_scores

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "models" / "confidence_dev.csv"
TARGET = 0.6


def judged(name: str, rows: pd.DataFrame, partitions: Partitions, seeds: int) -> float:
    """Print a grouping's table; hs_qab's error as a share of the best baseline's, mean over authors."""
    shares, table = [], []
    for author in compare(rows, partitions, seeds=seeds).authors:
        if author.methods:
            errors = {method: made.figures for method, made in author.methods.items()}
            shares.append(errors["hs_qab"]["ce_beta"].value / errors[best_baseline(author)]["ce_beta"].value)
            table.append((author.author, errors))
    print(f"\n### {name}: {len(rows):,} rows\n")
    print(f"| author | {' | '.join(METHODS)} | hs_qab : best baseline |")
    print("|---" * (len(METHODS) + 2) + "|")
    for (author, errors), share in zip(table, shares, strict=True):
        cells = " | ".join(f"{errors[method]['ce_beta'].value:.3f}" for method in METHODS)
        print(f"| {author} | {cells} | {share:.2f} |")
    for figure in ("ce_beta", "ce", "auac"):
        cells = " | ".join(f"{statistics.median(e[m][figure].value for _, e in table):.3f}" for m in METHODS)
        share = f"{statistics.median(shares):.2f}" if figure == "ce_beta" else ""
        print(f"| median of {figure} | {cells} | {share} |")
    print(f"\nhs_qab : best baseline is {statistics.mean(shares):.2f} on average, at most {max(shares):.2f}.")
    return statistics.mean(shares)


def main() -> int:
    """Run every grouping; returns 0 if every target holds, or the data is not at hand."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seeds", type=int, default=8)
    asked.add_argument("--data", type=Path, default=DATA)
    args = asked.parse_args()
    if not args.data.exists():
        print(f"Skipped: the confidences of language models are not at hand ({args.data.name}).")
        return 0
    coordinates = tuple(f"x{k}" for k in range(1, 17))
    rows = read_scores(args.data, ("qset",), coordinates).rows
    groupings: dict[str, Partitions] = {"by question set": Columns.over(rows, ("qset",))}
    groupings |= {f"k-d tree of depth {depth}": KdTree(coordinates, depth) for depth in (2, 3, 4)}
    worst = max(judged(name, rows, how, args.seeds) for name, how in groupings.items())
    half = rows[rows.index % 2 == 0]
    judged("k-d tree of depth 3, half of the rows", half, groupings["k-d tree of depth 3"], args.seeds)
    (seconds,) = run_times(lambda: compare(rows, groupings["k-d tree of depth 3"], seeds=args.seeds), 1)
    print(f"\nk-d tree of depth 3, all methods, {args.seeds} seeds: {seconds:.1f} s")
    return 0 if worst <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
