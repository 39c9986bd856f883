"""Mutation testing: small faults are put into selected modules, one at a time, and the tests must fail for each.

    python benchmarks/mutants.py [--module MODULE ...] [--sample N] [--seed N] [--jobs N] [--matching TEXT] [--list]

    --module     only these modules, e.g. radcal.advice.judge; by default all of benchmarks/mutants.toml
    --sample     number of mutants per module, drawn with the seed; 0 for all
    --matching   only mutants of lines with this text
    --list       list the mutants without testing them

A mutant changes one operator, constant, condition, argument, slice, return value or statement of a module.
benchmarks/mutants.toml lists the tests of each module, and the equivalent mutants with reasons, which are counted
separately. Surviving mutants are shown as diffs. The exit status is 1 if less than 97 % of the others are killed.

Each mutant runs in a process forked from this one, which has imported the libraries but not RadCal: an import hook
supplies the mutated source, and no file is changed. The fastest tests run first, up to one that fails. A mutant gets 4
times the processor time of the original, so that load on the machine kills none. Forking needs Linux or macOS. Child
processes started by tests import the original source.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["OMP_NUM_THREADS"] = "1"  # a fork has only the thread that forked
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import pytest
from mutating import Mutant, Mutating

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "benchmarks" / "mutants.toml"
WANTED = 0.97
SAMPLE, SEED = 33, 8
SLOWER, AT_LEAST = 4.0, 10.0
"""Processor time limit of a mutant: a multiple of the original's, plus seconds."""
WAITING = 20.0
"""Wall-clock limit as a multiple of the processor time limit, for mutants that wait forever."""
MEMORY = 16 << 30
OPTIONS = ["-q", "-x", "--assert=plain", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]


class Changed(importlib.abc.MetaPathFinder):
    """Imports one module from a mutated source."""

    def __init__(self, module: str, path: Path, source: bytes) -> None:
        self.module, self.path, self.source = module, path, source

    def find_spec(self, name: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name != self.module:
            return None
        loader = Loader(name, str(self.path), self.source)
        return importlib.util.spec_from_file_location(name, self.path, loader=loader)


class Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)


class Fastest:
    """Runs the fastest file and its fastest test first, as far as the seconds of tests are known; times them all."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.known, self.seconds = seconds, Counter[str]()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        of_files = Counter[Path]()
        for item in items:
            of_files[item.path] += self.known.get(item.nodeid, 0.0)  # type: ignore[assignment]
        items.sort(key=lambda item: (of_files[item.path], str(item.path), self.known.get(item.nodeid, 0.0)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration  # type: ignore[assignment]


def run_tests(tests: Sequence[str], plugin: Fastest) -> int:
    with tempfile.TemporaryDirectory() as folder:
        return int(pytest.main([*OPTIONS, f"--basetemp={folder}/tests", *tests], plugins=[plugin]))


@dataclass
class Unchanged:
    """The test run of an original module: seconds of its tests, and those of the processor."""

    seconds: dict[str, float]
    processor: float


def attempt(mutant: Mutant, path: Path, source: bytes, tests: Sequence[str], unchanged: Unchanged) -> int:
    """Test a mutant; returns 0 if no test fails."""
    limit = int(SLOWER * unchanged.processor + AT_LEAST)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.meta_path.insert(0, Changed(mutant.module, path, mutant.source(source)))
    return run_tests(tests, Fastest(unchanged.seconds))


def fork(work: Callable[[], int]) -> int:
    """Run the work in a silent child process with its own process group; returns its id."""
    if pid := os.fork():
        return pid
    status = 3
    try:
        os.setsid()
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silent, stream)
        status = work()
    finally:
        os._exit(status)


def outcomes(mutants: Iterable[tuple[Mutant, float, Callable[[], int]]], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Each mutant with its outcome; the seconds are its wall-clock limit."""
    running: dict[int, tuple[Mutant, float]] = {}
    waiting = iter(mutants)
    exhausted = False
    while running or not exhausted:
        while not exhausted and len(running) < jobs:
            if (following := next(waiting, None)) is None:
                exhausted = True
            else:
                mutant, seconds, work = following
                running[fork(work)] = (mutant, time.monotonic() + seconds)
        for pid, (mutant, until) in list(running.items()):
            late = time.monotonic() > until
            if late:
                os.killpg(pid, signal.SIGKILL)
            ended, status = os.waitpid(pid, 0 if late else os.WNOHANG)
            if ended:
                del running[pid]
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)  # started by its tests
                yield mutant, outcome(status, late=late)
        time.sleep(0.01)


def outcome(status: int, *, late: bool) -> str:
    if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)):
        return "timed out"
    code = os.waitstatus_to_exitcode(status)
    if code in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit("No test was run; look at the tests of benchmarks/mutants.toml.")
    return "killed" if code else "survived"


def observed(tests: Sequence[str]) -> Unchanged:
    """Run the tests of an original module in a child process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "seconds"

        def work() -> int:
            timing = Fastest({})
            status = run_tests(tests, timing)
            file.write_text(json.dumps(timing.seconds), encoding="utf-8")
            return status

        _, status, used = os.wait4(fork(work), 0)
        if status:
            raise SystemExit(f"Tests fail without any change; run them: pytest {' '.join(tests)}")
        return Unchanged(json.loads(file.read_text(encoding="utf-8")), used.ru_utime + used.ru_stime)


def difference(mutant: Mutant, source: bytes, path: Path) -> str:
    before, after = (text.decode().splitlines() for text in (source, mutant.source(source)))
    name = str(path.relative_to(ROOT))
    return "\n".join(difflib.unified_diff(before, after, name, name, n=1, lineterm=""))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--module", action="append", default=[])
    options.add_argument("--sample", type=int, default=SAMPLE)
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--matching", default="")
    options.add_argument("--list", action="store_true")
    chosen = options.parse_args()
    os.chdir(ROOT)
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))
    tests: dict[str, list[str]] = listed["tests"]
    modules = list(dict.fromkeys(chosen.module or tests))
    if unknown := [module for module in modules if module not in tests]:
        raise SystemExit(f"{', '.join(unknown)}: no tests in benchmarks/mutants.toml.")
    equivalent = {(e["module"], e["line"], e["mutant"]): e["reason"] for e in listed.get("equivalent", [])}
    paths = {module: ROOT / f"{module.replace('.', '/')}.py" for module in modules}
    sources = {module: path.read_bytes() for module, path in paths.items()}
    mutants = {module: Mutating(module, source).mutants for module, source in sources.items()}
    keys = {key for module in mutants for mutant in mutants[module] for key in mutant.keys(sources[module])}
    if unmatched := [key for key in equivalent if (key[0] in paths or key[0] not in tests) and key not in keys]:
        raise SystemExit("\n".join(["These of benchmarks/mutants.toml match no mutant:", *map(str, unmatched)]))

    for library in ("hypothesis", "pandas", "scipy.optimize", "scipy.stats"):
        importlib.import_module(library)
    gc.freeze()  # loaded objects need not be traversed again in every fork
    counts = Counter[str]()
    for module in modules:
        path, source = paths[module], sources[module]
        drawn = [m for m in mutants[module] if chosen.matching in m.key(source)[1]]
        if 0 < chosen.sample < len(drawn):
            drawn = random.Random(f"{chosen.seed} {module}").sample(drawn, chosen.sample)  # noqa: S311  # repeatable
        drawn.sort(key=lambda m: (m.start, m.text))
        if chosen.list:
            for mutant in drawn:
                print("\n    -> ".join(mutant.key(source)[1:]))
            continue
        began = time.monotonic()
        matter = [m for m in drawn if not equivalent.keys() & m.keys(source)]
        unchanged = observed(tests[module])
        clock = WAITING * (SLOWER * unchanged.processor + AT_LEAST)
        work = [(m, clock, lambda m=m: attempt(m, path, source, tests[module], unchanged)) for m in matter]  # noqa: B023
        became = Counter({"cannot matter": len(drawn) - len(matter)})
        for mutant, end in outcomes(work, chosen.jobs):
            became[end] += 1
            if end == "survived":
                print(difference(mutant, source, path), flush=True)
        counts += became
        kinds = ", ".join(f"{became[end]} {end}" for end in ("killed", "timed out", "survived", "cannot matter"))
        print(
            f"{module}: {len(drawn)} of {len(mutants[module])}: {kinds}; {time.monotonic() - began:.0f} s", flush=True
        )
    if chosen.list:
        return 0
    caught = counts["killed"] + counts["timed out"]
    matter_all = caught + counts["survived"]
    share = caught / matter_all if matter_all else 1.0
    print(f"{caught} of {matter_all} mutants that matter are killed ({share:.1%}), {counts['timed out']} by time;")
    print(f"{counts['survived']} survive, {counts['cannot matter']} cannot matter. Seed {chosen.seed}.")
    return int(share < WANTED)


if __name__ == "__main__":
    sys.exit(main())
