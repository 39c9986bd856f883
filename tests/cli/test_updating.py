"""Updates of workspaces from the command line: what would be done, doing it for many, going back, accepting."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from radcal.workspace import Workspace, migrations, pages

NOW = len(migrations.steps())
KEY = "archive"

Radcal = Callable[..., SimpleNamespace]


@pytest.fixture(autouse=True)
def _each_key_is_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "hashlib", SimpleNamespace(pbkdf2_hmac=cache(hashlib.pbkdf2_hmac)))
    monkeypatch.setenv("RADCAL_PASSPHRASE", KEY)


@pytest.fixture
def share(tmp_path: Path, old_file: Callable[[int, Path], Path]) -> Path:
    """A department's folder: two old workspaces, a current one, a backup, and what an earlier update kept."""
    for place, schema in (("a.radcal", 3), ("b/b.radcal", 5), ("c.radcal", NOW), ("a.backups/a-x.radcal", 2)):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        old_file(schema, tmp_path / place)
    old_file(3, tmp_path / "a.schema-3.radcal")
    return tmp_path


def held(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.radcal"))
    }


def test_a_check_says_what_would_be_done_and_changes_nothing(radcal: Radcal, share: Path) -> None:
    before = held(share)
    done = radcal("update", "--check", share, "--json")
    assert done.status == 0, done.err
    said = {Path(found["file"]).name: found for found in json.loads(done.out)["workspaces"]}
    assert {name: (found["schema"], found["due"]) for name, found in said.items()} == {
        "a.radcal": (3, True),
        "b.radcal": (5, True),
        "c.radcal": (NOW, False),
    }
    a = said["a.radcal"]
    size = (share / "a.radcal").stat().st_size
    assert (a["target"], a["bytes"], a["needed"]) == (NOW, size, 2 * size)
    assert Path(a["copy"]).name.startswith("a.schema-3-2")
    assert [Path(copy["file"]).name for copy in a["copies"]] == ["a.schema-3.radcal"]
    text = radcal("update", share, "--check").out
    assert f"a.radcal would be brought from schema 3 to {NOW}" in text
    assert f"c.radcal is up to date (schema {NOW}" in text
    assert held(share) == before


def test_many_are_brought_up_to_date_and_one_that_cannot_be_is_listed(radcal: Radcal, share: Path) -> None:
    before = held(share)
    (share / "other.radcal").write_bytes(bytes(range(256)) * 64)
    done = radcal("update", share)
    assert done.status == 1, done.err
    assert (
        f"a.radcal was brought from schema 3 to {NOW}; the file as it was is kept beside it as a.schema-3-" in done.out
    )
    assert "c.radcal was up to date." in done.out
    assert "other.radcal: The passphrase does not fit other.radcal" in done.out
    assert done.err == ""
    kept = {path.name.rpartition("-")[0]: digest for path, digest in _new(held(share), before)}
    assert kept == {"a.schema-3": before["a.radcal"], "b.schema-5": before["b/b.radcal"]}
    (share / "other.radcal").unlink()
    assert radcal("update", share).status == 0
    assert held(share)["c.radcal"] == before["c.radcal"]
    accepted = radcal("update", "--accept", share / "a.radcal", "--json")
    assert accepted.status == 0, accepted.err
    assert len(json.loads(accepted.out)["removed"]) == 2
    assert not list(share.glob("a.schema-*"))
    assert len(list(share.glob("b/b.schema-*"))) == 1


def _new(after: dict[str, str], before: dict[str, str]) -> list[tuple[Path, str]]:
    return [(Path(name), digest) for name, digest in after.items() if name not in before and "schema-" in name]


def test_nothing_done_is_exit_status_2(
    refused: Callable[..., str], share: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--check or --accept, not both" in refused("update", share, "--check", "--accept")
    (share / "empty").mkdir()
    assert "There is no workspace (*.radcal) in" in refused("update", share / "empty")
    assert "There is no file" in refused("update", share / "none.radcal")
    monkeypatch.setenv("RADCAL_PASSPHRASE", "wrong")
    before = held(share)
    for how in ([], ["--check"], ["--accept"]):
        assert "The passphrase does not fit a.radcal" in refused("update", share, *how)
    assert held(share) == before


def test_no_room_is_told_before(radcal: Radcal, share: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    done = radcal("update", "--check", share)
    assert done.status == 1
    assert done.out.count("there is no room for the update: it needs up to") == 2


def test_a_place_that_cannot_be_written_is_told_before(
    radcal: Radcal, share: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda place, _mode: Path(place).name != "b")
    done = radcal("update", "--check", share)
    assert done.status == 1
    assert f"{share / 'b/b.radcal'}: it, or its folder, may not be changed here." in done.out
    assert done.out.count("may not be changed") == 1


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_each_workspace_is_found_once_whatever_it_is_called(
    radcal: Radcal, share: Path, old_file: Callable[[int, Path], Path]
) -> None:
    (share / "link.radcal").symlink_to(share / "a.radcal")
    old_file(5, share / "ct.schema-of-thirds.radcal")
    for name in ("a.schema-3-20260101T000000Z-2", "a.before-restore-20260101T000000Z", "gone.schema-12"):
        old_file(3, share / f"{name}.radcal")
    done = radcal("update", share, "--check", "--json")
    names = [Path(found["file"]).name for found in json.loads(done.out)["workspaces"]]
    assert names == ["a.radcal", "b.radcal", "c.radcal", "ct.schema-of-thirds.radcal"]


def test_any_step_says_that_it_brought_a_workspace_up_to_date(radcal: Radcal, share: Path) -> None:
    done = radcal("audit", "--workspace", share / "a.radcal")  # only looks
    assert done.status == 2
    assert "Open it once for writing" in done.err
    done = radcal("names", "--workspace", share / "a.radcal")
    assert f"radcal names: {share / 'a.radcal'} was brought from schema 3 to {NOW}" in done.err


def test_a_roll_back_tells_what_the_older_state_lacks(radcal: Radcal, share: Path) -> None:
    before = held(share)["b/b.radcal"]
    w = share / "b" / "b.radcal"
    assert radcal("update", w).status == 0
    with Workspace.open(w, KEY) as ws:
        ws.log("reports imported", reports=3)
        ws.log("reports imported", reports=4)
    done = radcal("rollback", "--workspace", w)
    assert done.status == 0, done.err
    assert "is again, byte for byte, what it was before the update (schema 5)" in done.out
    assert "2 entries were made in its audit log, which the older state lacks:\n      2  reports imported" in done.out
    assert held(share)["b/b.radcal"] == before
    (aside,) = w.parent.glob("b.before-rollback-*.radcal")
    assert str(aside) in done.out
    again = radcal("rollback", "--workspace", w)
    assert (again.status, again.out) == (2, "")
    assert "no copy of b.radcal beside it that was made before an update" in again.err
