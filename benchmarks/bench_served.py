"""Reports a minute of a server as pair reader, compared with what the server allows.

    python benchmarks/bench_served.py [--reports 600] [--latency 0.25] [--parallel 1 8 32 128] [--runs 3]
                                      [--real N] [--server URL --served-model NAME [--server-ca FILE]]

    known     a server on the loopback address that takes the same time for each report, however many there are at once;
              at best it answers k / latency of them a second
    overhead  computing time of the engine for a report, with a server that answers at once: terms, request, answer,
              findings; its reports a minute are what one processor allows
    real      the server of llama-cpp-python with a tiny model, which reads one report at a time: the engine's pace,
              beside that of a bare loop of the same requests
    --server  any other server, in place of these

Prints each figure with the lowest and the highest of the runs.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import random_gguf
from loopback_server import MODEL
from measuring import SENTENCES, report_of

from radcal.findings.readers.alone import ReadingAlone
from radcal.findings.readers.pairs import Answers, Question
from radcal.findings.served.pair_reader import ServedPairReader
from radcal.reports.records import Document
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings

PHRASE = "present"
TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"


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


@contextmanager
def llama_server(folder: Path) -> Iterator[str]:
    """The server of llama-cpp-python with a tiny model that answers everything alike."""
    model = random_gguf.write_answering(folder / "tiny.gguf", f'{{"1 pleural effusion": "{PHRASE}"', template=TEMPLATE)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(model), "--model_alias", MODEL]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", "16384"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603 - a server of our own
        try:
            while server.poll() is None:
                with socket.socket() as trying:
                    if trying.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.wait()


class Noted:
    """A pair reader that answers nothing, and notes what it is asked."""

    name = version = settings_hash = "noted"

    def __init__(self, phrases: tuple[str, ...]) -> None:
        self.phrases = phrases
        self.asked: list[Sequence[Question]] = []

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        for report in reports:
            self.asked.append(report)
            yield Answers((), "not asked")

    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def close(self) -> None: ...


def bare(url: str, reports: list[Document]) -> float:
    """Reports a minute of a plain loop that sends the reader's own requests, one after the other, and reads nothing."""
    import httpx

    reader = ServedPairReader(at(url, 8, 600))
    way, noted = reader.try_server().way, Noted(reader.phrases)
    list(ReadingAlone(noted).extract(reports, SILENT))
    bodies = [reader.asker.about(questions, way, 1024) for questions in noted.asked]
    with httpx.Client(trust_env=False, timeout=600) as client:
        headers = {"Content-Type": "application/json"}
        client.post(f"{url}/chat/completions", content=bodies[0], headers=headers).raise_for_status()
        began = time.perf_counter()
        for body in bodies[1:]:
            client.post(f"{url}/chat/completions", content=body, headers=headers).raise_for_status()
        return 60 * (len(bodies) - 1) / (time.perf_counter() - began)


def real(args: argparse.Namespace) -> None:
    """The server of llama-cpp-python."""
    reports = documents(args.real)
    with tempfile.TemporaryDirectory() as folder, llama_server(Path(folder)) as url:
        loops = [bare(url, reports) for _ in range(args.runs)]
        print(f"real      a bare loop: {said(loops)} reports a minute")
        for k in (1, 4):
            paces, _ = paced(at(url, k, 600), reports, args.runs)
            ratio = statistics.median(paces) / statistics.median(loops)
            print(f"real      {k:4} at once: {said(paces)} reports a minute, {ratio:.2f} of the bare loop")


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reports", type=int, default=600)
    parser.add_argument("--latency", type=float, default=0.25)
    parser.add_argument("--parallel", type=int, nargs="+", default=[1, 8, 32, 128])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--real", type=int, default=24)
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
    if args.real:
        real(args)
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")


if __name__ == "__main__":
    main()
