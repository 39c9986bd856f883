"""Bits that flip anywhere in a department's file, and a second program that wants to write to it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from radcal import cli
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.sample.department import SampleTruth
from radcal.system.errors import RadcalError
from radcal.system.settings import Settings
from radcal.workspace import lock
from radcal.workspace.store import Workspace

PASSPHRASE = "plum tree over the wall"
BITS = 36
PAGE = 4096


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, small: SampleTruth) -> Path:
    """An analysed department."""
    file = tmp_path_factory.mktemp("damage") / "w.radcal"
    quick = Settings(bootstrap=20, min_group_n=5, min_phrase_n=3)
    with open_department(file, PASSPHRASE, create=True, settings=quick) as department:
        department.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
        department.importing.pair()
        department.runs.extract()
        department.analyse()
    return file


READINGS = {
    "reports": lambda w: w.reports().to_csv(),
    "findings": lambda w: w.findings(1).to_csv(),
    "results": lambda w: repr(w.results("analysis")),
    "observations": lambda w: w.observations().to_csv(),
    "settings": lambda w: repr(w.settings),
    "audit": lambda w: w.audit().to_csv(),
}


def read(path: Path) -> dict[str, str]:
    """What can be read of a file, each part by a program of its own; what cannot is told by an error."""
    found = {}
    for part, reading in READINGS.items():
        try:
            with Workspace.open(path, PASSPHRASE, read_only=True) as workspace:
                found[part] = reading(workspace)
        except RadcalError:
            continue
    return found


def test_a_flipped_bit_anywhere_is_told_and_never_read_as_data(path: Path, tmp_path: Path) -> None:
    sound, expected = path.read_bytes(), read(path)
    assert set(expected) == set(READINGS)
    rng = random.Random(36)  # noqa: S311 - damage, no secret
    pages = len(sound) // PAGE
    # The header with its salt, the first and the last pages, and anywhere between.
    places = [0, 15, 16, 24, 100, PAGE, len(sound) - 1]
    places += [rng.randrange(len(sound)) for _ in range(BITS - len(places))]
    other = tmp_path / "w.radcal"
    kept = 0
    for place in places:
        damaged = bytearray(sound)
        damaged[place] ^= 1 << rng.randrange(8)
        other.write_bytes(damaged)
        found = read(other)
        assert all(expected[part] == value for part, value in found.items()), place
        kept += len(found)
        if place < 16:  # the salt: nobody can tell it from another passphrase
            assert not found
            continue
        [first, *_] = Workspace.check(other, PASSPHRASE)
        assert first.startswith(
            (f"1 of {pages} pages are damaged", "The pages that say where everything is are damaged")
        )
    assert kept > BITS * len(READINGS) // 2  # what is not damaged can still be read


def test_a_second_program_is_refused_by_name_and_may_read(
    path: Path, tmp_path: Path, small: SampleTruth, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADCAL_PASSPHRASE", PASSPHRASE)
    with open_department(path, PASSPHRASE) as first:
        reports = ["--xray", str(small.xray), "--ct", str(small.ct)]
        assert cli.main(["run", *reports, "--workspace", str(path), "--out", str(tmp_path / "out")]) == 2
        shown = capsys.readouterr().err
        assert f"({lock.current_user()} on " in shown
        assert "Traceback" not in shown
        assert not (tmp_path / "out").exists()
        author = first.authors()[0]
        page = tmp_path / "page.pdf"
        assert cli.main(["report", "--workspace", str(path), "--author", author, "--out", str(page)]) == 0
        assert page.read_bytes().startswith(b"%PDF-")
        first.save_settings(first.settings)  # still the only one who writes
