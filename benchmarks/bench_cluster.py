"""What a cluster costs: processor time of workers, scheduler and client a report, and what k workers would take.

    python benchmarks/bench_cluster.py [--reports N] [--overhead M] [--workers K]

A scheduler and K workers of one thread on this computer's loopback, with certificates of their own, as
``docs/cluster.md`` has them.  N made-up reports of ``bench_scale``, few of whose sentences are the same, are
de-identified and read by rules and second reader; M reports, N over and over, are read by the rules alone, whose
workers then know most sentences: that shows what client and scheduler take where the workers take next to nothing.
Processor time is that of the processes and of what they start, so that a busy machine does not matter.  The client does
not store anything here: what storing takes is in ``bench_scale``.
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import psutil
from bench_scale import texts

from radcal.findings.engines import close_engine, make_engine
from radcal.reports.deidentify.side_by_side import DeidentifierSideBySide, Raw
from radcal.reports.identifiers import Known
from radcal.reports.records import Document, Modality
from radcal.reports.sections import document
from radcal.system.cluster import cluster
from radcal.system.progress import SILENT
from radcal.system.settings import Settings
from tests.cluster.site import Site, started

MILLIONS = (10, 100)
WORKERS = (8, 16, 32, 64, 128, 256)
KNOWN = Known(("Young, Ann",), ("Okonkwo, Chidi",), ("700123",), ("4/5/1950",))


def processor_seconds(process: psutil.Process) -> float:
    """Processor time of a process and of all that it has started."""
    every = [process, *process.children(recursive=True)]
    return sum(sum(one.cpu_times()[:4]) for one in every)


def measured(site: Site, work: Callable[[], int]) -> dict[str, float]:
    """Milliseconds of processor time a report, of workers, scheduler and client, and wall-clock seconds."""
    parts: dict[str, list[psutil.Process]] = {
        "workers": [psutil.Process(worker.pid) for worker in site.workers],
        "scheduler": [psutil.Process(site.scheduler.pid)],
        "client": [],
    }

    def now() -> dict[str, float]:
        own = psutil.Process().cpu_times()
        found = {name: sum(map(processor_seconds, some)) for name, some in parts.items()}
        return found | {"client": own.user + own.system}

    before, began = now(), time.perf_counter()
    n = work()
    wall, after = time.perf_counter() - began, now()
    return {"reports": n, "wall": wall, **{name: 1000 * (after[name] - before[name]) / n for name in parts}}


def read(reports: Iterable[Document], settings: Settings) -> int:
    """Read reports by the engine of some settings; returns how many."""
    engine = make_engine("rules", settings=settings)
    n = 0
    for one in engine.extract(reports, SILENT):
        assert not one.failure
        n += 1
    close_engine(engine)
    return n


def main() -> None:
    """Measure, and extrapolate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=20_000)
    parser.add_argument("--overhead", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    draw = random.Random(1)  # noqa: S311 - texts, no secret
    xray, ct = texts(draw)
    written = [xray() if i % 2 else ct() for i in range(args.reports)]
    kinds = [Modality.XRAY if i % 2 else Modality.CT for i in range(args.reports)]

    def reports(n: int) -> Iterator[Document]:
        for i in itertools.islice(itertools.cycle(range(len(written))), n):
            yield document(str(i), written[i], kinds[i])

    def deidentified(most: int = args.reports) -> int:
        raw = (Raw(text, KNOWN, str(i)) for i, text in enumerate(written[:most]))
        return sum(1 for _ in DeidentifierSideBySide(b"secret", ["Okonkwo, Chidi"])(raw, SILENT))

    steps: dict[str, Callable[[], int]] = {
        "de-identified": deidentified,
        "read by rules and second reader": lambda: read(reports(args.reports), Settings()),
        "read by rules, repeated": lambda: read(reports(args.overhead), Settings(second="none")),
    }
    with tempfile.TemporaryDirectory() as folder:
        site = started(Path(folder), args.workers)
        try:
            with cluster(*site.options):
                deidentified(50 * args.workers)  # so that each has loaded what it needs
                read(reports(100 * args.workers), Settings())
                found = {}
                for name, work in steps.items():
                    made = found[name] = measured(site, work)
                    ms = ", ".join(f"{what} {made[what]:.3f}" for what in ("workers", "scheduler", "client"))
                    n, wall = made["reports"], made["wall"]
                    print(f"{name}: {n:,} reports in {wall:.0f} s; ms of processor time a report: {ms}", flush=True)
        finally:
            site.end()
    extrapolated(found)


def extrapolated(found: dict[str, Any]) -> None:
    """Print the hours for millions of reports with k workers; scheduler and client have a processor each."""
    both = [found["de-identified"], found["read by rules and second reader"]]
    share, scheduler, client = (sum(made[what] for made in both) for what in ("workers", "scheduler", "client"))
    print(f"one processor: {1000 / share:.1f} reports a second, de-identified and read")
    print(f"the client's own share allows {1000 / client:.0f} a second, the scheduler's {1000 / scheduler:.0f}")
    for millions in MILLIONS:
        hours = [millions * max(share / k, scheduler, client) / 3.6 for k in WORKERS]
        told = ", ".join(f"{k} workers {h:.1f} h" for k, h in zip(WORKERS, hours, strict=True))
        print(f"{millions} million reports: {told}")


if __name__ == "__main__":
    main()
