"""Settings shared by all tests."""

from __future__ import annotations

import csv
import gc
import hashlib
import importlib.util
import math
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from radcal.findings import engines, runs
from radcal.findings.readers import trial
from radcal.reports.deidentify import tagging
from radcal.system import faults, key_store, policy
from radcal.system.errors import Cancelled
from radcal.system.progress import Silent
from radcal.workspace import database

if "PYTEST_XDIST_WORKER" in os.environ:
    # Tests that run side by side share the processors; threads of matrix arithmetic would only wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

# Nothing that is read before the tests begin is let go of before they end.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)
    gc.enable()


# The same examples in every run, so that a change is judged by what it changes.
# To look for new ones: pytest --hypothesis-profile=search
# A slow or busy machine is no failure: neither an example nor the making of examples has to be quick.
patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("repeatable", derandomize=True, **patient)
settings.register_profile("search", derandomize=False, max_examples=1000, **patient)
settings.load_profile("repeatable")


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture(autouse=True, scope="session")
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What goes wrong in a test is not entered in the log of faults of this user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True, scope="session")
def _fast_files() -> Iterator[None]:
    """Deriving a key takes 0.3 s on purpose, and no commit of a test has to survive a power failure.

    Tests that are about that, or open old files, set it to work again.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "KDF_ITERATIONS", 1000)
        patch.setattr(database, "SYNCHRONOUS", "OFF")
        yield


@pytest.fixture(autouse=True, scope="session")
def _tagged_once() -> Iterator[None]:
    """The tagger reads a text once in a process: the departments of tests have the same reports again and again."""
    kept: dict[bytes, list[tagging.Belief]] = {}
    read = tagging.tagged

    def tagged(rows: Sequence[Sequence[str]]) -> list[tagging.Belief]:
        key = hashlib.blake2b("\n".join(map("\t".join, rows)).encode(), digest_size=16).digest()
        if key not in kept:
            kept[key] = read(rows)
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tagging, "tagged", tagged)
        yield


@pytest.fixture(autouse=True, scope="session")
def rules_alone() -> Iterator[Callable[..., Any]]:
    """Without the bundled model beside them, which takes seconds to start; tests about it set it to work again.

    What makes second readers elsewhere.
    """
    made = engines.second_reader
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "second_reader", lambda s, *_: None if s.second == "bundled" else made(s, *_))
        yield made


@pytest.fixture(autouse=True, scope="session")
def untried() -> Iterator[Callable[..., Any]]:
    """Without the trial of foreign models, which those of tests would fail; tests about it set it to work again.

    What names the model to be tried.
    """
    named = trial.foreign_reader
    with pytest.MonkeyPatch.context() as patch:
        for module in (runs, trial):
            patch.setattr(module, "foreign_reader", lambda _: None)
        yield named


@pytest.fixture
def with_trial(untried: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Foreign models are tried before they read, as they are outside of tests."""
    for module in (runs, trial):
        monkeypatch.setattr(module, "foreign_reader", untried)


@pytest.fixture
def with_bundled(rules_alone: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundled model reads beside the rules, as it does outside of tests."""
    monkeypatch.setattr(engines, "second_reader", rules_alone)


@pytest.fixture
def old_file(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Path], Path]:
    """Copies a file of tests/old_files, whose make.py says the passphrase: ``old_file("schema-10", place)``."""
    monkeypatch.setattr(database, "KDF_ITERATIONS", 256_000)
    archive = Path(__file__).with_name("old_files")
    return lambda name, place: Path(shutil.copy(archive / f"{name}.radcal", place))


@pytest.fixture
def fault_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an empty log of faults, of this test alone."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(faults, "_times", type(faults._times)())
    monkeypatch.setattr(faults, "_page", [])
    return tmp_path / "state" / "radcal"


@pytest.fixture
def kept_keys(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What a key store that forgets with the test keeps, by what it is for."""
    kept: dict[str, str] = {}

    def remember(identity: str, key: str) -> str:
        kept[identity] = key
        return key_store.name()

    monkeypatch.setattr(key_store, "name", lambda: "Secret Service")
    monkeypatch.setattr(key_store, "remember", remember)
    monkeypatch.setattr(key_store, "remembered", kept.get)
    monkeypatch.setattr(key_store, "forget", lambda identity: kept.pop(identity, None))
    return kept


@pytest.fixture
def set_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Path]]:
    """Puts a policy of IT in force for the test: ``set_policy(text)``; its file."""
    file = tmp_path / "it" / "policy.toml"
    monkeypatch.setattr(policy, "policy_file", lambda: file)
    monkeypatch.setattr(policy, "_ADMINISTRATORS", {0, os.getuid() if os.name == "posix" else 0})

    def put(text: str) -> Path:
        file.parent.mkdir(mode=0o755, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o644)
        policy.in_use.cache_clear()
        return file

    policy.in_use.cache_clear()
    yield put
    policy.in_use.cache_clear()


class Onlooker(Silent):
    """A user who watches the progress of one piece of work, and may cancel it.

    parts: cancels once so many parts are done;  looks: lets it be asked so often, and has cancelled from then on
    cancelled: set from outside, cancels it at once
    """

    def __init__(self, *, parts: float = math.inf, looks: float = math.inf) -> None:
        self.total: int | None = None
        self.done = self.looks = 0
        self.told: list[str] = []
        self.notes: list[str] = []
        self.cancelled = False
        self._parts, self._looks = parts, looks

    def start(self, total: int | None, what: str) -> None:
        self.total = total
        self.told.append(what)

    def advance(self, n: int = 1, note: str = "") -> None:
        self.done += n
        self.notes.append(note)

    def raise_if_cancelled(self) -> None:
        self.looks += 1
        if self.cancelled or self.done >= self._parts or self.looks > self._looks:
            raise Cancelled("Stopped.")


@pytest.fixture(scope="session")
def onlooker() -> type[Onlooker]:
    """Makes a Progress that keeps what it is told: ``onlooker(parts=..., looks=...)``."""
    return Onlooker


@pytest.fixture(scope="session")
def table() -> SimpleNamespace:
    """Tables as CSV: ``read(path)`` and ``write(path, rows)``, with a dict for each row."""
    return SimpleNamespace(read=_read, write=_write)


def _printed(pdf: bytes) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    text = " ".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return " ".join(text.split()).translate({0x2018: "'", 0x2019: "'", 0x2013: "-", 0xA0: " "})


@pytest.fixture(scope="session")
def printed() -> Callable[[bytes], str]:
    """Reads a PDF: its words in one line, with plain quotation marks, dashes and spaces."""
    return _printed


# --- departments that are prepared once -------------------------------------------------------------------------

_ROOT = Path(__file__).resolve().parents[1]


@cache
def _state() -> str:
    """A digest of what a prepared department depends on: the day, the code, its resources, models and libraries."""
    digest = hashlib.blake2b(f"{time.strftime('%x')} {sys.version}".encode(), digest_size=8)
    found = [path for folder in ("radcal", "resources", "models") for path in (_ROOT / folder).rglob("*")]
    found += [*_ROOT.glob("tests/**/conftest.py"), *_ROOT.glob("tests/strangers/*.py"), _ROOT / "requirements.lock"]
    for path in sorted(path for path in found if path.is_file() and path.suffix != ".pyc"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@pytest.fixture(scope="session")
def prepared_once() -> Callable[[str, Callable[[Path], object]], Path]:
    """A folder that is filled once for all processes and runs, until the code changes: ``prepared_once(name, fill)``.

    Tests copy what they change.  The folders of earlier states of the code are removed after an hour.
    """

    def prepared(name: str, fill: Callable[[Path], object]) -> Path:
        place = _ROOT / "build" / "prepared" / _state() / name
        if not place.exists():
            for old in place.parents[1].glob("*"):
                with suppress(OSError):  # another process removes it
                    if old != place.parent and old.stat().st_mtime < time.time() - 3600:
                        shutil.rmtree(old)
            place.parent.mkdir(parents=True, exist_ok=True)
            made = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=place.parent))
            try:
                fill(made)
                with suppress(OSError):  # another process was first
                    made.rename(place)
            finally:
                shutil.rmtree(made, ignore_errors=True)
        return place

    return prepared


# --- texts that are made to take long ---------------------------------------------------------------------------


def _steps(do: Callable[[], object], package: ModuleType) -> int:
    count = 0

    def line(_frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, _event: str, _arg: Any) -> Any:
        return line if frame.f_code.co_filename.startswith(package.__path__[0]) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        do()
    finally:
        sys.settrace(before)
    return count


@pytest.fixture(scope="session")
def steps() -> Callable[[Callable[[], object], ModuleType], int]:
    """Counts the lines of a package that run while something is done: ``steps(do, package)``."""
    return _steps


@contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError("this text is read for ever")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, 60)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.fixture(scope="session")
def limited() -> Callable[[], AbstractContextManager[None]]:
    """An end for what would run for hours, far beyond what any machine needs otherwise; not on Windows."""
    return _limited


# --- tiny Llamas with random weights: they know nothing, but everything around them must hold ------------------

_MODEL_WORDS = (  # noqa: SIM905 - words are easier to read than a list of them
    "Report: Findings: end pleural effusion pneumothorax cardiomegaly present absent likely unlikely may represent the "
    "is no there of left right heart size normal opacity consistent with suspicious for possibly diagnostic question"
).split()


def _of_benchmarks(name: str) -> ModuleType:
    """A module of the benchmarks."""
    path = Path(__file__).resolve().parents[1] / "benchmarks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def random_gguf() -> ModuleType:
    """The writer of random models that the benchmarks use."""
    return _of_benchmarks("random_gguf")


@pytest.fixture(scope="session")
def bench_feed() -> ModuleType:
    """The senders, and the listener that is killed, of the benchmark of the feed."""
    return _of_benchmarks("bench_feed")


@pytest.fixture(scope="session")
def loopback() -> ModuleType:
    """The server on the loopback address that the benchmarks use."""
    return _of_benchmarks("loopback_server")


@pytest.fixture
def serve(loopback: ModuleType) -> Iterator[Callable[..., Any]]:
    """Starts servers of ``loopback``, which end with the test: ``serve(answer, tls=None)``."""
    with ExitStack() as servers:
        yield lambda answer, tls=None: servers.enter_context(loopback.LoopbackServer(answer, tls))


@pytest.fixture(scope="session")
def write_model(random_gguf: ModuleType) -> Callable[..., Path]:
    """Writes a tiny model; further values of its metadata by keyword, '__' for dots."""

    def write(path: Path, *, seed: int = 0, context: int = 8192, **more: Any) -> Path:
        shape = random_gguf.Shape(64, 2, 4, 2, 128, 700, context=context)
        return random_gguf.write_llama(path, shape, _MODEL_WORDS, seed, **more)

    return write


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory, write_model: Callable[..., Path]) -> Path:
    """A tiny model, to be left as it is."""
    return write_model(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(scope="session")
def command() -> Callable[..., dict[str, Any]]:
    """Performs a command, under settings that differ from the usual ones where they are given; its summary."""
    from radcal.cli.program import parser
    from radcal.system.progress import SILENT, Progress
    from radcal.system.settings import Settings

    usual = Settings().to_dict()

    def command(*words: object, settings: Settings | None = None, progress: Progress = SILENT) -> dict[str, Any]:
        now = (settings or Settings()).to_dict()
        chosen = {name: value for name, value in now.items() if value != usual[name]}
        given = [word for name, value in chosen.items() for word in ("--set", f"{name}={value}")]
        args = parser().parse_args([*map(str, words), *given])
        summary: dict[str, Any] = args.action(args, progress)
        return summary

    return command
