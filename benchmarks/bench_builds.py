"""One llama.cpp beside another, or a GPU beside the processor: the same reports, findings compared, sentences a second.

    python benchmarks/bench_builds.py build/dist-venv/bin/python [--model FILE] [--reports 60] [--runs 7]
    python benchmarks/bench_builds.py --gpu [PYTHON] [...]

The engine runs in this environment; only the child process that holds the model is that of PYTHON, the Python of an
environment with another llama-cpp-python: built for every processor, or for a GPU (docs/gpu.md). With --gpu both are of
PYTHON (this one by default), so that nothing but the device differs. Without a GPU, Mesa's software device for Vulkan
shows that the path works, not how fast one is: GGML_VK_VISIBLE_DEVICES=0 makes llama.cpp take it.

They read by turns, so that what else the machine does bears on both. Each run starts anew and reads distinct sentences;
loading is not counted by the clock. Computing time is that of the child, its start included.

Exit status 1 if a report failed, or the same report gave other findings.
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
from typing import NamedTuple
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


class Way(NamedTuple):
    """How the model runs: in the environment of a Python, and how many of its layers on a GPU (None: what fits)."""

    name: str
    python: str
    gpu_layers: int | None


class Run(NamedTuple):
    """Seconds by the clock, those of computing by the child, and the findings by report, or why it failed."""

    clock: float
    computing: float
    findings: dict[str, object]


def documents(n: int) -> list[Document]:
    """Reports in which no sentence comes twice."""
    return [report_of(f"r{i}", [f"Finding {i}: {text}" for text in SENTENCES]) for i in range(n)]


def command(python: str, module: str) -> list[str]:
    """The command of a child with another environment."""
    return [python, *child_command(module)[1:]]


def run(way: Way, model: Path | None, reports: Sequence[Document], warm: Sequence[Document]) -> Run:
    """Read the reports, after those that warm it."""
    options = LlamaOptions(gpu_layers=way.gpu_layers, keep_state=False)
    with (
        patch.object(process, "child_command", partial(command, way.python)),
        ReadingAlone(LocalPairReader(model, options)) as engine,
    ):
        list(engine.extract(warm, SILENT))
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        found = list(engine.extract(reports, SILENT))
        seconds = time.perf_counter() - began
        engine.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    findings = {e.report_id: e.failure or sorted((f.start, f.pathology, f.phrase) for f in e.findings) for e in found}
    return Run(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, findings)


def main() -> int:
    """Measure both by turns, compare, print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", nargs="?", default=sys.executable, help="of the environment with the other build")
    parser.add_argument("--gpu", action="store_true", help="compare the processor with the GPU")
    parser.add_argument("--model", type=Path, help="instead of the shipped one")
    parser.add_argument("--reports", type=int, default=60)
    parser.add_argument("--runs", type=int, default=7)
    chosen = parser.parse_args()
    other = str(Path(chosen.python).absolute())
    ways = (Way("this machine", sys.executable, 0), Way("every machine", other, 0))
    if chosen.gpu:
        ways = (Way("CPU", other, 0), Way("GPU", other, None))
    print(f"{datetime.now(tz=UTC):%Y-%m-%d %H:%M} UTC, {platform.machine()}, load {os.getloadavg()[0]:.1f}")
    for way in ways:
        with patch.object(process, "child_command", partial(command, way.python)):
            able = abilities()
        print(f"{way.name}: {', '.join([*able.processor, *(device.name for device in able.devices)])}")
    if chosen.gpu and not able.devices:
        print("This llama.cpp finds no GPU, so there is nothing to compare; docs/gpu.md leads to one that does.")
        return 0
    reports, warm = documents(chosen.reports), documents(1)
    runs: list[list[Run]] = [[], []]
    for _ in range(chosen.runs):
        for of, way in zip(runs, ways, strict=True):
            of.append(run(way, chosen.model, reports, warm))
    n = len(reports) * len(SENTENCES)
    for way, told in zip(ways, runs, strict=True):
        clock, computing = (sorted(n / one[i] for one in told) for i in (0, 1))
        print(
            f"{way.name}: {statistics.median(clock):.0f} sentences/s ({clock[0]:.0f}-{clock[-1]:.0f}), "
            f"{statistics.median(computing):.0f} per second of computing ({computing[0]:.0f}-{computing[-1]:.0f})"
        )
    for i, what in ((0, "by the clock"), (1, "by computing time")):
        ratios = [one[i] / two[i] for one, two in zip(*runs, strict=True)]
        print(f"speed of the second, {what}: {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})")
    first, second = (of[0].findings for of in runs)
    differ = [f"{r}: {second[r]}" for r in first if isinstance(second[r], str) or first[r] != second[r]]
    print("\n".join([*differ, f"{len(first) - len(differ)} of {len(first)} reports with the same findings"]))
    return int(bool(differ))


if __name__ == "__main__":
    sys.exit(main())
