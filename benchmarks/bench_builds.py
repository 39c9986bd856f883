"""The llama.cpp that is built for every processor beside the one for this processor: sentences a second of each.

    python benchmarks/bench_builds.py build/dist-venv/bin/python [--model FILE] [--reports 60] [--runs 7]

The engine runs in this environment; only the child process that holds the model is that of the one or the other, by
turns, so that what else the machine does bears on both. Each run starts anew and reads distinct sentences; loading is
not counted by the clock. Computing time is that of the child, its start included; what else runs bears less on it.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from unittest.mock import patch

from measuring import SENTENCES, report_of

from radcal.findings.model import process
from radcal.findings.model.local_pairs import LocalPairReader
from radcal.findings.model.options import LlamaOptions
from radcal.findings.model.process import abilities
from radcal.findings.readers.alone import ReadingAlone
from radcal.reports.records import Document
from radcal.system.processes import child_command
from radcal.system.progress import SILENT

_SIZES = ("small", "moderate", "large", "tiny", "subtle")


def documents(n: int) -> list[Document]:
    """Reports in which no sentence comes twice."""
    return [
        report_of(f"r{i}", [f"{_SIZES[i % 5].capitalize()} finding {i}: {text}" for text in SENTENCES])
        for i in range(n)
    ]


def command(python: str, module: str) -> list[str]:
    """The command of a child with another environment."""
    return [python, *child_command(module)[1:]]


def run(python: str, model: Path | None, reports: Sequence[Document], warm: Sequence[Document]) -> tuple[float, float]:
    """Seconds by the clock, and of computing by the child."""
    with (
        patch.object(process, "child_command", partial(command, python)),
        ReadingAlone(LocalPairReader(model, LlamaOptions(keep_state=False))) as engine,
    ):
        list(engine.extract(warm, SILENT))
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        found = list(engine.extract(reports, SILENT))
        seconds = time.perf_counter() - began
        assert not [one.failure for one in found if one.failure]
        engine.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure both by turns and print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", help="of the environment with the other build")
    parser.add_argument("--model", type=Path, help="instead of the shipped one")
    parser.add_argument("--reports", type=int, default=60)
    parser.add_argument("--runs", type=int, default=7)
    chosen = parser.parse_args()
    builds = {"this machine": sys.executable, "every machine": str(Path(chosen.python).absolute())}
    print(f"{datetime.now(tz=UTC):%Y-%m-%d %H:%M} UTC, {platform.machine()}, load {os.getloadavg()[0]:.1f}")
    for name, python in builds.items():
        with patch.object(process, "child_command", partial(command, python)):
            print(f"for {name}: {', '.join(abilities().processor)}")
    reports, warm = documents(chosen.reports), documents(1)
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in builds}
    for _ in range(chosen.runs):
        for name, python in builds.items():
            times[name].append(run(python, chosen.model, reports, warm))
    n = len(reports) * len(SENTENCES)
    for name, told in times.items():
        clock, computing = (sorted(n / one[i] for one in told) for i in (0, 1))
        print(
            f"for {name}: {statistics.median(clock):.0f} sentences/s ({clock[0]:.0f}-{clock[-1]:.0f}), "
            f"{statistics.median(computing):.0f} per second of computing ({computing[0]:.0f}-{computing[-1]:.0f})"
        )
    for i, what in ((0, "by the clock"), (1, "by computing time")):
        ratios = [one[i] / other[i] for one, other in zip(*times.values(), strict=True)]
        print(f"every / this, {what}: {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})")


if __name__ == "__main__":
    main()
