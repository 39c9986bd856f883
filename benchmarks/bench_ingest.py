"""Speed of reading and pairing 100,000 report rows, compared with pandas.read_csv of the same file.

Also for the same rows in a workbook, which is parsed in a child process, and for a small workbook; and the number of
reports per second split into sections and sentences.  One core: taskset -c 0.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
from bench_scale import write
from measuring import run_times

from radcal.reports.dry_run import Rehearsal
from radcal.reports.importing import as_files
from radcal.reports.pairing import pair
from radcal.reports.readers import read_reports
from radcal.reports.sections import document
from radcal.system.settings import Settings

ROWS = 100_000
RUNS = 3


def write_workbook(path: Path, table: Path, rows: int) -> None:
    """The first rows of a table as .xlsx, with typed times."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Reports")
    some = pd.read_csv(table, nrows=rows, dtype=str, parse_dates=["Exam Time"])
    sheet.append([*some])
    for row in some.itertuples(index=False):
        sheet.append([cell.to_pydatetime() if isinstance(cell, pd.Timestamp) else cell for cell in row])
    book.save(path)


def median(run: Callable[[], object]) -> float:
    """Median seconds of several runs."""
    return statistics.median(run_times(run, RUNS))


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reports.csv"
        write(path, ROWS)
        imported = read_reports([path])
        pairing = pair(imported.reports, Settings(), reading=imported.attrition)
        plain = median(lambda: pd.read_csv(path))
        reading = median(lambda: read_reports([path]))
        joining = median(lambda: pair(imported.reports, Settings(), reading=imported.attrition))
        rehearsal = Rehearsal()
        files = as_files([path])
        [rehearsing] = run_times(lambda: rehearsal.run(files), 1)
        counting = median(lambda: rehearsal.run(files))
        megabytes = path.stat().st_size / 1e6
        large, small = Path(folder) / "large.xlsx", Path(folder) / "small.xlsx"
        write_workbook(large, path, ROWS)
        write_workbook(small, path, 10)
        workbook, least = median(lambda: read_reports([large])), median(lambda: read_reports([small]))
    texts = imported.reports["text"].head(10_000).tolist()
    cutting = median(lambda: [document("x", text) for text in texts])
    characters = sum(map(len, texts)) / len(texts)
    out = sys.stdout.write
    out(f"{ROWS:,} rows, {megabytes:.0f} MB, {characters:.0f} characters a report, {len(pairing.pairs):,} pairs\n")
    out(f"read {reading:.2f} s, pair {joining:.2f} s, together {reading + joining:.2f} s (target: under 10 s)\n")
    out(f"pandas.read_csv {plain:.2f} s, ratio {(reading + joining) / plain:.1f}\n")
    out(f"the same rows as .xlsx {workbook:.2f} s, 10 of them {1000 * least:.0f} ms\n")
    out(f"counted before an import: {rehearsing:.2f} s, after a change elsewhere {counting:.2f} s\n")
    out(f"sections and sentences: {len(texts) / cutting:,.0f} reports/s (target: at least 5,000)\n")


if __name__ == "__main__":
    main()
