"""Reports a minute of a server as pair reader, compared with what the server allows.

    python benchmarks/bench_served.py [--reports 600] [--latency 0.25] [--parallel 1 8 32 128] [--runs 3]
                                      [--server URL --served-model NAME [--server-ca FILE]]

    known     a server on the loopback address that takes the same time for each report, however many there are at once;
              at best it answers k / latency of them a second
    overhead  computing time of the engine for a report, with a server that answers at once: terms, request, answer,
              findings; its reports a minute are what one processor allows
    --server  any other server, in place of these

Prints each figure with the lowest and the highest of the runs.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from loopback_server import MODEL
from measuring import SENTENCES, report_of

from radcal.findings.readers.alone import ReadingAlone
from radcal.findings.served.pair_reader import ServedPairReader
from radcal.reports.records import Document
from radcal.system.progress import SILENT
from radcal.system.settings import Settings

PHRASE = "present"


def documents(n: int) -> list[Document]:
    """Reports of eight sentences in different orders."""
    random = np.random.default_rng(0)
    return [report_of(f"xray:{i}", [SENTENCES[k] for k in random.permutation(8)]) for i in range(n)]


def timed(engine: ReadingAlone, reports: list[Document]) -> tuple[float, float, int]:
    """Seconds from the first to the last result, the processor's seconds, and how many reports failed."""
    reading = engine.extract(reports, SILENT)
    failed = int(bool(next(reading).failure))
    began, used = time.perf_counter(), time.process_time()
    failed += sum(bool(extraction.failure) for extraction in reading)
    return time.perf_counter() - began, time.process_time() - used, failed


def said(values: list[float], form: str = ",.0f") -> str:
    """The median with the lowest and the highest."""
    return f"{statistics.median(values):{form}} ({min(values):{form}} to {max(values):{form}})"


def at(url: str, parallel: int, seconds: float = 30.0) -> Settings:
    """The settings of a server."""
    return Settings(served_url=url, served_model=MODEL, served_parallel=parallel, served_seconds=seconds)


def paced(settings: Settings, reports: list[Document], runs: int) -> tuple[list[float], list[float]]:
    """Reports a minute and milliseconds of computing for each, of some runs."""
    paces, costs = [], []
    for _ in range(runs):
        seconds, computed, failed = timed(ReadingAlone(ServedPairReader(settings)), reports)
        assert not failed, f"{failed} reports failed"
        paces.append(60 * (len(reports) - 1) / seconds)
        costs.append(1000 * computed / (len(reports) - 1))
    return paces, costs


@contextmanager
def loopback(latency: float) -> Iterator[str]:
    """A server of that latency in a process of its own."""
    command = [sys.executable, str(Path(__file__).with_name("loopback_server.py")), str(latency), PHRASE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - ours
        assert server.stdout is not None
        assert server.stdin is not None
        yield server.stdout.readline().strip()
        server.stdin.close()


def known(args: argparse.Namespace) -> None:
    """A server of known latency, and one without any."""
    for k in args.parallel:
        with loopback(args.latency) as url:
            n = max(min(args.reports, int(20 * k / args.latency)), 8 * k)
            paces, _ = paced(at(url, k), documents(n), args.runs)
        limit = 60 * k / args.latency
        print(
            f"known     {k:4} at once, {args.latency:g} s each: {said(paces)} reports a minute, "
            f"{statistics.median(paces) / limit:.2f} of {limit:,.0f}"
        )
    with loopback(0.0) as url:
        paces, costs = paced(at(url, 8), documents(args.reports), args.runs)
    print(f"overhead  {said(costs, '.1f')} ms of computing for a report;")
    print(f"          {said(paces)} reports a minute from a server that answers at once")


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reports", type=int, default=600)
    parser.add_argument("--latency", type=float, default=0.25)
    parser.add_argument("--parallel", type=int, nargs="+", default=[1, 8, 32, 128])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--server", default="")
    parser.add_argument("--served-model", default="")
    parser.add_argument("--server-ca", default="")
    args = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, {datetime.now(UTC):%Y-%m-%d}")
    if args.server:
        for k in args.parallel:
            settings = at(args.server, k, 600).changed(served_model=args.served_model, served_ca=args.server_ca)
            paces, _ = paced(settings, documents(args.reports), args.runs)
            print(f"server    {k:4} at once: {said(paces)} reports a minute")
        return
    known(args)
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")


if __name__ == "__main__":
    main()
