"""``import radcal``: its names, what they load, and the examples of their docstrings."""

from __future__ import annotations

import doctest
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import radcal
from radcal import library

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(set(radcal.__all__) - {"__version__", "plot"})
_HEAVY = {"numpy", "pandas", "scipy", "sklearn", "matplotlib", "PySide6", "httpx", "sqlcipher3", "ui"}
_NEVER = {"PySide6", "pyqtgraph", "ui", "httpx", "llama_cpp"}


def _loaded(code: str) -> set[str]:
    code += "\nimport json, sys; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_import_loads_nothing_heavy_and_no_name_the_window() -> None:
    assert not _loaded("import radcal; dir(radcal); radcal.__version__") & _HEAVY
    loaded = _loaded(f"import radcal\nfor name in {radcal.__all__}: getattr(radcal, name)")
    assert "pandas" in loaded
    assert not loaded & (_NEVER | {"matplotlib", "sklearn"})


def test_names_are_listed_found_and_documented() -> None:
    assert dir(radcal) == sorted(radcal.__all__)
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    for name in NAMES:
        found = getattr(radcal, name)
        assert found.__name__ == name
        assert inspect.getdoc(found)
        assert f"`{name}" in page, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = radcal.nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["given", "lexicon", "measures", "reliability", "reports"])
def test_examples_of_docstrings_run(name: str) -> None:
    __import__(f"radcal.library.{name}")
    module = getattr(library, name)
    parser, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for example in parser.find(module):
        runner.run(example)
    assert not runner.summarize().failed


def test_functions_have_types_and_an_example() -> None:
    own = [f for name in NAMES if inspect.isfunction(f := getattr(radcal, name))]
    assert len(own) == 12
    for function in own:
        hints = inspect.signature(function)
        assert hints.return_annotation is not inspect.Signature.empty
        assert all(p.annotation is not inspect.Parameter.empty for p in hints.parameters.values())
        needs_files = function.__name__ in ("read_reports", "observe", "merge")
        assert needs_files or ">>>" in (function.__doc__ or ""), function.__name__


@pytest.mark.slow
def test_types_reach_whoever_imports_it(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "import pandas as pd\nimport radcal\n\n"
        "made: radcal.Measured = radcal.reliability(pd.DataFrame(), radcal.Lexicon.shipped(), pool='author')\n"
        "frame: pd.DataFrame = made.groups()\nnumber: float = radcal.ece('OBS.csv', method='midpoint')\n"
        "plan: pd.DataFrame = radcal.transport_plan({'phrase': [0.5], 'outcome': [1]}, tau2=0.1)\n"
        "axes = radcal.plot.plan(plan)\nreveal_type(axes)\nradcal.ece('OBS.csv', method='other')\n",
        encoding="utf-8",
    )
    words = ["-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", tmp_path, tmp_path / "own.py"]
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert "matplotlib.axes._axes.Axes" in done.stdout
    assert len(errors) == 1, done.stdout
    assert 'Argument "method" to "ece" has incompatible type' in errors[0]
