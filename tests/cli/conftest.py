"""Commands in this process, on a small made-up department."""

from __future__ import annotations

import getpass
import io
import json
import shutil
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import pytest

from radcal import cli
from radcal.opening import open_department
from radcal.sample.department import SampleTruth, generate

KEY = "plum tree in blossom"
QUICK = {"bootstrap": 30, "min_group_n": 10, "min_phrase_n": 5}


@pytest.fixture
def key() -> str:
    """The passphrase of the workspace of `words`."""
    return KEY


@pytest.fixture
def quick() -> dict[str, int]:
    """Settings for quick tests, as the settings file of `words` has them."""
    return QUICK


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> SampleTruth:
    return generate(tmp_path_factory.mktemp("small"), 40, 3, radiologists=2)


def _run(folder: Path, small: SampleTruth, *more: object) -> list[object]:
    """A complete `radcal run` of a workspace in a folder, with quick settings."""
    (folder / "quick.json").write_text(json.dumps(QUICK), encoding="utf-8")
    return [
        *("run", "--xray", small.xray, "--ct", small.ct, "--workspace", folder / "w.radcal"),
        *("--out", folder / "out", "--settings", folder / "quick.json", *more),
    ]


@pytest.fixture(scope="session")
def has_run(prepared_once: Callable[[str, Callable[[Path], object]], Path], small: SampleTruth) -> Callable[..., str]:
    """Leaves in a folder what `radcal run` with further options makes there, which is made once; what it says."""

    def has_run(folder: Path, *more: str) -> str:
        def run(made: Path) -> None:
            said = io.StringIO()
            with pytest.MonkeyPatch.context() as patch, redirect_stdout(said):
                patch.setenv("RADCAL_PASSPHRASE", KEY)
                status = cli.main([str(word) for word in _run(made, small, *more)])
            assert status == 1  # for the rows that could not be used
            (made / "said").write_text(f"{made}\n{said.getvalue()}", encoding="utf-8")

        kept = prepared_once("-".join(("run", *(option.strip("-") for option in more))), run)
        made, _, said = (kept / "said").read_text(encoding="utf-8").partition("\n")
        shutil.copytree(kept, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("said"))
        return said.replace(made, str(folder))

    return has_run


@pytest.fixture
def radcal(capsys: pytest.CaptureFixture[str]) -> Callable[..., SimpleNamespace]:
    """Runs a command; status, out and err."""

    def _radcal(*words: object) -> SimpleNamespace:
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as left:  # argparse's own errors
            status = left.code
        captured = capsys.readouterr()
        return SimpleNamespace(status=status, out=captured.out, err=captured.err)

    return _radcal


@pytest.fixture
def refused(radcal: Callable[..., SimpleNamespace]) -> Callable[..., str]:
    """Runs a command that cannot be done; what it says."""

    def _refused(*words: object) -> str:
        done = radcal(*words)
        assert (done.status, done.out) == (2, "")
        return str(done.err)

    return _refused


@pytest.fixture
def words(tmp_path: Path, small: SampleTruth, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A complete `radcal run` of a workspace with names, its passphrase in the environment."""
    monkeypatch.setenv("RADCAL_PASSPHRASE", KEY)
    return _run(tmp_path, small, "--names-in-workspace")


@pytest.fixture
def done(tmp_path: Path, words: list[object], has_run: Callable[..., str]) -> Path:
    """The workspace that the run of `words` made, and its pages beside it."""
    has_run(tmp_path, "--names-in-workspace")
    return tmp_path / "w.radcal"


@pytest.fixture
def author(done: Path) -> str:
    """A radiologist, after the run of `words`."""
    with open_department(done, KEY, read_only=True) as department:
        return department.authors()[0]


@pytest.fixture
def opens_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """`radcal run` opens its workspace and leaves it at that."""
    monkeypatch.setattr("radcal.cli.run.write_results", lambda *_, **__: {"failures": ["as ever"], "text": ""})


@pytest.fixture
def stored(tmp_path: Path) -> Callable[[], dict[str, object]]:
    """The settings that the workspace of `words` holds."""

    def _stored() -> dict[str, object]:
        with open_department(tmp_path / "w.radcal", KEY, read_only=True) as department:
            return department.settings.to_dict()

    return _stored


@pytest.fixture
def prompted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """At a terminal, these answers are typed; an exception is raised."""

    def _prompted(*answers: object) -> list[str]:
        typed, asked = iter(answers), []

        def ask(prompt: str) -> str:
            asked.append(prompt)
            answer = next(typed)
            if isinstance(answer, BaseException):
                raise answer
            return str(answer)

        monkeypatch.delenv("RADCAL_PASSPHRASE", raising=False)
        monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
        monkeypatch.setattr(getpass, "getpass", ask)
        return asked

    return _prompted
