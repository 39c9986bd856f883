"""What running needs is a part of what is pinned; llama.cpp is built once, and its end and its failure are told."""

from __future__ import annotations

import json
import re
import sys
import tarfile
import time
import tomllib
from collections.abc import Callable
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from radcal.findings.model.library import FOLDER, STATE
from tools import setup
from tools.setup import FULL_LOCK, ROOT, RUN_LOCK, Build, SetupError, entries, wanted

RUN, FULL = ([*entries(lock.read_text("utf-8"))] for lock in (RUN_LOCK, FULL_LOCK))


def test_what_running_needs_is_pinned_as_in_the_other_lock() -> None:
    full = {(name, _unmarked(pin.replace("[server]", ""))) for name, pin, _ in FULL}
    assert {(name, _unmarked(pin)) for name, pin, _ in RUN} <= full
    assert len(RUN) < 0.5 * len(FULL)
    assert "://" not in RUN_LOCK.read_text("utf-8"), "an address of an index"


def test_the_run_lock_has_all_that_running_needs_and_nothing_else() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names, todo = set(), [Requirement(line) for line in project["dependencies"]]
    while todo:
        one = todo.pop()
        name = canonicalize_name(one.name)
        needed = one.marker is None or one.marker.evaluate({"extra": ""})
        if needed and name not in names and name != "diskcache":  # which RadCal never loads
            names.add(name)
            todo += [Requirement(line) for line in requires(name) or ()]
    assert {name for name, pin, _ in RUN if _is_for_here(pin)} == names


def _unmarked(pin: str) -> str:
    """A pin without where it is for: of the other lock there may be more, for the tests."""
    return re.sub(r" ;.*", "", pin)


def _is_for_here(pin: str) -> bool:
    marker = Requirement(pin.split("\\")[0].strip()).marker
    return marker is None or marker.evaluate()


def test_llama_cpp_is_left_to_its_own_step() -> None:
    run, everything = wanted(tests=False), wanted(tests=True)
    for pins in (run, everything):
        assert "llama-cpp-python" not in pins
        assert all("--hash=sha256:" in pin for _, pin, _ in entries(pins))
    assert "pytest==" in everything
    assert "pytest==" not in run
    assert "hatchling==" in run, "it builds RadCal's own package, and is taken out again"


# --- the build -------------------------------------------------------------------------------------


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, list[str]]]:
    """build(fails=''): runs a build whose pip does nothing but say what pip says; its end, and what pip was asked."""
    monkeypatch.setattr(setup, "is_due", lambda: True)

    def run(fails: str = "") -> tuple[str, list[str]]:
        asked: list[str] = []

        def pip(_python: Path, tell: Callable[[str | None], None], *arguments: str, **environment: str) -> None:
            asked.append(arguments[0])
            if arguments[0] == "download":
                source = Path(arguments[arguments.index("-d") + 1])
                source.mkdir()
                (tmp_path / "pyproject.toml").touch()
                with tarfile.open(source / "llama.tar.gz", "w:gz") as archive:
                    archive.add(tmp_path / "pyproject.toml", "llama/pyproject.toml")
            elif arguments[0] == "wheel":
                assert environment["CMAKE_ARGS"] == "-DLLAVA_BUILD=OFF"
                tell("  [30/120] Building CXX object")
                state = json.loads((tmp_path / FOLDER / STATE).read_text("utf-8"))
                assert (state["phase"], state["done"], state["total"]) == ("compiling", 30, 120)
                tell("  [1/60] Building CXX object")  # as when it is taken up again
                state = json.loads((tmp_path / FOLDER / STATE).read_text("utf-8"))
                assert (state["done"], state["total"]) == (61, 120)
                if fails:
                    raise SetupError([fails])
                made = Path(arguments[arguments.index("--wheel-dir") + 1])
                made.mkdir()
                (made / "llama.whl").write_bytes(b"wheel")
            elif arguments[0] == "install":
                assert Path(arguments[-1]).read_bytes() == b"wheel"

        monkeypatch.setattr(setup, "_pip", pip)
        return Build(tmp_path, tmp_path / "kept").run(), asked

    return run


def test_a_finished_build_is_kept_and_not_made_twice(
    build: Callable[..., tuple[str, list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CMAKE_ARGS", raising=False)
    assert build() == ("", ["download", "wheel", "install"])
    assert json.loads((tmp_path / FOLDER / STATE).read_text("utf-8"))["phase"] == "done"
    assert not (tmp_path / FOLDER / "source").exists()
    assert build() == ("", ["install"])


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("CMake Error: CMAKE_CXX_COMPILER not set, after EnableLanguage", "compiler"),
        ("No CMAKE_C_COMPILER could be found.", "compiler"),
        ("c++: fatal error: Killed signal terminated program cc1plus", "memory"),
        ("OSError: [Errno 28] No space left on device", "space"),
        ("ERROR: No matching distribution found for scikit-build-core", "network"),
        ("error: expected ';' before '}' token", "other"),
    ],
)
def test_a_failed_build_names_its_cause_and_goes_on_where_it_was(
    build: Callable[..., tuple[str, list[str]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    cause: str,
) -> None:
    monkeypatch.delenv("CMAKE_ARGS", raising=False)
    assert build(said)[0] == cause
    state = json.loads((tmp_path / FOLDER / STATE).read_text("utf-8"))
    assert (state["phase"], state["cause"]) == ("failed", cause)
    (tmp_path / FOLDER / STATE).write_text(json.dumps({"phase": "compiling", "total": 120}), "utf-8")
    assert Build(tmp_path, tmp_path)._whole == 120, "the steps that were done before count"
    assert build() == ("", ["wheel", "install"]), "the source is here"


def test_set_up_is_never_silent_for_long(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    packages = setup._Packages(tmp_path)
    packages.tell("  Downloading numpy-2.4.6-cp311-cp311-manylinux.whl (16.8 MB)")
    packages.tell("  Downloading hl7-0.4.5-py3-none-any.whl (20 kB)")
    packages._last -= 6
    packages.tell(None)
    packages.tell("Installing collected packages: numpy, hl7")
    (tmp_path / "lib/python3.11/site-packages/numpy-2.4.6.dist-info").mkdir(parents=True)
    packages._last = time.monotonic() - 6
    packages.tell(None)
    packages.tell(None)
    assert capfd.readouterr().out.splitlines() == [
        "  numpy, 17 MB",
        "  2 packages so far, 17 MB",
        "  2 packages are here (17 MB); unpacking them",
        "  unpacked 1 of 2",
    ]


def test_what_pip_says_is_passed_on_and_its_failure_raised() -> None:
    heard: list[str | None] = []
    with pytest.raises(SetupError, match="no such option"):
        setup._pip(Path(sys.executable), heard.append, "install", "--no-such-option")
    assert any(line and "no such option" in line for line in heard)
