"""Reports per second of the rules engine on one core, compared with a single regular expression.

    python benchmarks/bench_extract.py

"cold" starts with an empty cache, "unremembered" clears the cache for every report, "warm" reads the same reports
again.  The reference is a lower bound: one search for the pathologies' names.
"""

from __future__ import annotations

import csv
import random
import re
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from measuring import report_of, run_times

from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.reports.records import Document
from radcal.system.progress import SILENT

GOLD = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "gold"
RUNS = 5
SIDES = ("left", "right", "bilateral")
PLACES = ("lower lobe", "upper lobe", "base", "apex", "midlung", "lingula")
TERMS = ("opacity", "atelectasis", "pleural effusion", "consolidation", "nodule", "scarring", "pneumothorax", "edema")
FORMS = (
    "No {a} or {b}.",
    "There is a small {side} {place} {a}, unchanged.",
    "{Side} {place} {a}, likely {b}.",
    "{Side} {a} may represent {b} or {c}.",
    "Heart size is within normal limits and the lungs are well expanded.",
    "No focal {a}, {b}, or {c} is identified in the {side} {place}.",
    "Increased {side} {place} {a}, {b} cannot be excluded.",
    "Degenerative changes of the spine with {n} mm of listhesis.",
)


def _generated(n: int) -> list[list[str]]:
    draw = random.Random(0)  # noqa: S311 - text for timing, no secret

    def sentence() -> str:
        a, b, c = draw.sample(TERMS, 3)
        side = draw.choice(SIDES)
        return draw.choice(FORMS).format(
            a=a, b=b, c=c, side=side, Side=side.title(), place=draw.choice(PLACES), n=draw.randint(1, 99)
        )

    return [[sentence() for _ in range(draw.randint(4, 12))] for _ in range(n)]


def _real() -> list[list[str]]:
    reports = []
    for name in ("xray_dev_reports.csv", "ct_dev_reports.csv"):
        with (GOLD / name).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                text = "\n".join(v for k, v in row.items() if k != "report_id")
                reports.append([s for s in re.split(r"(?<=[.?!])\s+|\n+", text) if s.strip()])
    return reports


def _documents(reports: list[list[str]]) -> list[Document]:
    return [report_of(f"r{i}", sentences) for i, sentences in enumerate(reports)]


def _rate(n: int, work: Callable[[], object]) -> float:
    return n / statistics.median(run_times(work, RUNS))


def _measure(name: str, documents: list[Document]) -> None:
    print(f"{name}: {len(documents)} reports, {sum(len(d.sentences) for d in documents)} sentences")
    engines = [rules_engine() for _ in range(RUNS)]
    cold = _rate(len(documents), lambda: list(engines.pop().extract(documents, SILENT)))
    engine = rules_engine()
    list(engine.extract(documents, SILENT))
    warm = _rate(len(documents), lambda: list(engine.extract(documents, SILENT)))

    def forgetful() -> None:
        for d in documents:
            engine.forget()
            list(engine.extract([d], SILENT))

    anew = _rate(len(documents), forgetful)
    names = re.compile(r"\b(?:" + "|".join(TERMS) + r")\b", re.IGNORECASE)
    plain = _rate(len(documents), lambda: [names.findall(d.text) for d in documents])
    for label, rate in (("cold", cold), ("unremembered", anew), ("warm", warm), ("one regular expression", plain)):
        print(f"  {label:24s}{rate:10,.0f} reports/s")
    if cold < 1000:
        sys.exit("The rules engine reads fewer than 1,000 reports a second.")


def _long() -> None:
    """Time for an endless sentence and for a tenth of it: a ratio of ten means linear growth."""
    engine = rules_engine()
    print("one endless sentence:")
    for piece in (
        "no effusion, ",
        "effusion not seen ",
        "versus ",
        "may ",
        "[x] yes [ ] no ",
        "no lad ",
        "at elect ",
        "scratch that ",
    ):
        seconds = [1 / _rate(1, lambda text=piece * n: _anew(engine, text)) for n in (2_000, 20_000)]
        print(
            f"  {piece.strip():24s}{seconds[1]:10.2f} s, {seconds[1] / seconds[0]:.1f} times as long as the tenth of it"
        )
        if seconds[1] > 30 * seconds[0]:
            sys.exit("The time of the rules engine grows faster than a sentence.")


def _anew(engine: RulesEngine, text: str) -> None:
    engine.forget()
    list(engine.extract(_documents([[text]]), SILENT))


if __name__ == "__main__":
    _long()
    _measure("generated", _documents(_generated(3000)))
    if GOLD.is_dir():
        _measure("real", _documents(_real()))
