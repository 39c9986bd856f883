"""Speed of storing and loading 100,000 reports of some 800 characters with 8 findings each.

Run: python benchmarks/bench_workspace.py [reports]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from radcal.findings.records import Extraction, Finding
from radcal.findings.storage import save_extractions
from radcal.reports.records import Import, Section
from radcal.reports.storage import save_import
from radcal.workspace.columns import REJECTED_COLUMNS
from radcal.workspace.store import Workspace

T = TypeVar("T")
WORDS = ["lungs", "clear", "heart", "size", "normal", "effusion", "mild", "opacity", "in", "left", "lower", "lobe"]
SENTENCE = "The heart size is normal, and the lungs are clear today."
BATCH = 1000


def timed(what: str, work: Callable[[], T]) -> T:
    start = time.perf_counter()
    result = work()
    print(f"{what:<40}{time.perf_counter() - start:8.2f} s")
    return result


def made_up(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    number = np.arange(n)
    return pd.DataFrame(
        {
            "report_id": [f"xray:A{i}" for i in number],
            "modality": "xray",
            "accession": [f"A{i}" for i in number],
            "patient_id": [f"P{i // 3}" for i in number],
            "exam": "chest, 2 views",
            "exam_time": (pd.Timestamp("2024-01-01") + pd.to_timedelta(number, unit="min")).astype("datetime64[ns]"),
            "author": [f"Dr. {i % 12}" for i in number],
            "author_rule": "signed by",
            "site": "North",
            "age": 67,
            "status": "final",
            "text": [f"{' '.join(rng.choice(WORDS, 130))} {i}" for i in number],
            "file": "reports.csv",
            "row": number + 2,
        }
    )


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    reports = made_up(n)
    imp = Import(reports, pd.DataFrame(columns=list(REJECTED_COLUMNS)), n, {})
    place = (0, len(SENTENCE), 4, 9, 12, 15)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.radcal"
        ws = timed("create", lambda: Workspace.create(path, "passphrase"))
        timed(f"save {n:,} reports", lambda: save_import(ws, imp))
        timed("save them again, unchanged", lambda: save_import(ws, imp))
        timed("load them", ws.reports)
        run = ws.begin_run("rules", "1", "settings")
        todo = timed("which are pending", lambda: ws.pending(run, reports["report_id"]))

        def extracted(i: str) -> Extraction:
            one = Finding(i, "edema", "likely", "likely", SENTENCE, Section.FINDINGS, *place, "rules")
            return Extraction(i, (one,) * 8)

        batches = [[extracted(i) for i in todo[k : k + BATCH]] for k in range(0, len(todo), BATCH)]
        timed(
            f"save {8 * n:,} findings, {BATCH} reports a batch", lambda: [save_extractions(ws, run, b) for b in batches]
        )
        timed("load them", lambda: ws.findings(run))
        timed("back up", lambda: ws.backup(path.with_name("copy")))
        ws.close()
        timed("open", lambda: Workspace.open(path, "passphrase")).close()
        timed("open for reading only", lambda: Workspace.open(path, "passphrase", read_only=True)).close()
        timed("check every byte", lambda: Workspace.check(path, "passphrase"))
        print(f"{'file':<40}{path.stat().st_size / 1e6:8.0f} MB")


if __name__ == "__main__":
    main()
