"""Departments of two studies other than chest X-ray and CT, run through the command line once."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from radcal import cli
from tests.studies.departments import MADE

KEY = "plum tree in blossom"


@pytest.fixture(params=sorted(MADE))
def study(request: pytest.FixtureRequest) -> str:
    """The name of a study."""
    return str(request.param)


@pytest.fixture
def run(prepared_once: Callable[[str, Callable[[Path], object]], Path], tmp_path: Path) -> Callable[[str], Path]:
    """A folder with what `radcal run --study` makes of a department: w.radcal, out, said."""

    def made_of(study: str) -> Path:
        def fill(folder: Path) -> None:
            made, said = MADE[study](folder), io.StringIO()
            (folder / "quick.json").write_text(json.dumps({"bootstrap": 30, "second": "none"}), encoding="utf-8")
            words = [
                *("run", "--study", made.study, "--xray", made.index, "--ct", made.reference, "--json"),
                *("--workspace", folder / "w.radcal", "--out", folder / "out", "--names-in-workspace"),
                *("--settings", folder / "quick.json"),
            ]
            with pytest.MonkeyPatch.context() as patch, redirect_stdout(said):
                patch.setenv("RADCAL_PASSPHRASE", KEY)
                assert cli.main([str(word) for word in words]) in (0, 1)
            (folder / "said").write_text(said.getvalue(), encoding="utf-8")

        shutil.copytree(prepared_once(f"study-{study}", fill), tmp_path / study)
        return tmp_path / study

    return made_of
