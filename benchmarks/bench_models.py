"""Recalibration of how certain language models say they are: held-out ECE, Brier score and accuracy by each method.

    python benchmarks/bench_models.py [ANSWERS.csv] [--to-jsonl FILE.jsonl]

ANSWERS.csv has a row for each answer: author, qset, question_id, confidence (0-1) and outcome (0 or 1), as
data/models/confidence_dev.csv has it: 27,706 answers of 6 language models to 4 question sets, converted from
NoamMichael/Comparing-Confidence-in-LLMs (MIT licence).  It is no part of RadCal; by default it is looked for in a
folder "shared" beside the checkout, and without it nothing is measured.  --to-jsonl writes it as `radcal models` reads
it.

Printed are the paper's Table 1 (every model on every question set, before and after each method, on halves that were
not fitted to), its means, the means by size of the set of phrases, and how long it took.  Returns 0 if on average the
ordered plan has the least Brier score, and every method a lower one than the models themselves.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

from radcal.lab.recalibrating import METHODS, Scores
from radcal.lab.speakers import Speakers, read_all, speakers
from radcal.system.settings import Settings
from radcal.words.phrases import load_lexicon

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "models" / "confidence_dev.csv"
SCORES = ("ece", "brier", "accuracy")


def to_jsonl(table: Path, file: Path) -> None:
    """Write the table as JSON lines."""
    with file.open("w", encoding="utf-8") as out:
        for row in pd.read_csv(table).itertuples():
            entry = {
                "author": row.author,
                "topic": row.qset,
                "question": row.question_id,
                "confidence": row.confidence,
                "correct": bool(row.outcome),
            }
            out.write(json.dumps(entry) + "\n")


def report(made: Speakers) -> dict[str, float]:
    """Print the tables; the mean Brier score by method."""
    print(f"{'model':28} {'question set':14} {'n':>5} {'right':>6} {'said':>5}", *(f"{m:>18}" for m in METHODS))
    for s in made.speakers:
        assert s.recalibrated is not None
        cells = [_cell(s.recalibrated.methods[m]) for m in METHODS]
        print(f"{s.author:28} {s.topic:14} {s.n:5} {s.right:6.3f} {s.stated:5.3f}", *(f"{c:>18}" for c in cells))
    print("(ECE / Brier score / accuracy)\n")
    means = {}
    for method in METHODS:
        values = _means([s.recalibrated.methods[method] for s in made.speakers if s.recalibrated])
        means[method] = values[1]
        print(f"{method:12}", *(f"{name} {v:.4f}  " for name, v in zip(SCORES, values, strict=True)))
    print("\nwords of the lexicon that may be used, best in turn / evenly spread: ECE, Brier score")
    for size in range(2, 19):
        line = [f"{size:3}"]
        for choice in ("best", "even"):
            found = [
                z.scores
                for s in made.speakers
                if s.recalibrated
                for z in s.recalibrated.sizes
                if (z.choice, len(z.words)) == (choice, size)
            ]
            if found:
                ece, brier, _ = _means(found)
                line.append(f"{ece:.4f} {brier:.4f}")
        print("   ".join(line))
    return means


def _cell(scores: Scores) -> str:
    return " ".join(f"{getattr(scores, name).value:.3f}" for name in SCORES)


def _means(scores: list[Scores]) -> list[float]:
    return [float(np.mean([getattr(s, name).value for s in scores])) for name in SCORES]


def main() -> int:
    """Measure."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("answers", nargs="?", type=Path, default=DATA)
    ask.add_argument("--to-jsonl", type=Path)
    args = ask.parse_args()
    if not args.answers.is_file():
        print(f"There is no {args.answers}; nothing is measured.")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        file = args.to_jsonl or Path(folder) / "answers.jsonl"
        to_jsonl(args.answers, file)
        start = perf_counter()
        lexicon = load_lexicon()
        answers = read_all([file], lexicon)
        read = perf_counter()
        made = speakers(answers, lexicon, Settings())
        done = perf_counter()
    means = report(made)
    print(f"\n{made.n:,} answers read in {read - start:.1f} s, measured and recalibrated in {done - read:.1f} s")
    good = means["ordered"] == min(means.values()) and all(means[m] < means["none"] for m in METHODS[1:])
    print("all targets hold" if good else "A TARGET IS MISSED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
