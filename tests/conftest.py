"""Settings shared by all tests."""

from __future__ import annotations

import csv
import gc
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

if "PYTEST_XDIST_WORKER" in os.environ:
    # Tests that run side by side share the processors; threads of matrix arithmetic would only wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

# Nothing that is read before the tests begin is let go of before they end.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
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


@pytest.fixture(scope="session")
def table() -> SimpleNamespace:
    """Tables as CSV: ``read(path)`` and ``write(path, rows)``, with a dict for each row."""
    return SimpleNamespace(read=_read, write=_write)


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
def loopback() -> ModuleType:
    """The server on the loopback address that the benchmarks use."""
    return _of_benchmarks("loopback_server")


@pytest.fixture(scope="session")
def write_model(random_gguf: ModuleType) -> Callable[..., Path]:
    """Writes a tiny model; further values of its metadata by keyword, '__' for dots."""

    def write(path: Path, *, seed: int = 0, context: int = 8192, **more: Any) -> Path:
        shape = random_gguf.Shape(64, 2, 4, 2, 128, 700, quantised=False, context=context)
        return random_gguf.write_llama(path, shape, _MODEL_WORDS, seed, **more)

    return write


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory, write_model: Callable[..., Path]) -> Path:
    """A tiny model, to be left as it is."""
    return write_model(tmp_path_factory.mktemp("models") / "tiny.gguf")
