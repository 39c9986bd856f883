"""The steps that keep a workspace safe: check, backup, restore, audit; and the backup that `radcal run` makes."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from types import SimpleNamespace
from typing import Self

import pytest

from radcal.workspace import schema
from radcal.workspace.store import Workspace

PAGE = 4096
Radcal = Callable[..., SimpleNamespace]
Refused = Callable[..., str]


@pytest.fixture
def w(tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a word of a person's, its passphrase in the environment."""
    monkeypatch.setenv("RADCAL_PASSPHRASE", key)
    path = tmp_path / "chest.radcal"
    with Workspace.create(path, key) as workspace:
        workspace.save_result("lexicon", "0001", {}, {})
        for k in range(60):
            workspace.save_result("made", str(k), {"text": "x" * 4000}, {})
    return path


def spoil(path: Path) -> None:
    """Damage a page that the results lie on."""
    content = bytearray(path.read_bytes())
    content[-20 * PAGE + 7] ^= 1
    path.write_bytes(content)


def test_a_sound_workspace(radcal: Radcal, w: Path) -> None:
    done = radcal("check", "--workspace", w)
    assert (done.status, done.err) == (0, "")
    assert "nothing is damaged. There is no backup of it." in done.out
    radcal("backup", "--workspace", w)
    done = radcal("check", "--workspace", w, "--json")
    shown = json.loads(done.out)
    assert (done.status, shown["failures"]) == (0, [])
    assert [Path(b["file"]).parent.name for b in shown["backups"]] == ["chest.backups"]


@pytest.mark.parametrize(("system", "read_as"), [("linux", shlex.split), ("win32", lambda line: line.split('"'))])
def test_the_command_that_goes_back_can_be_pasted(
    radcal: Radcal, w: Path, monkeypatch: pytest.MonkeyPatch, system: str, read_as: Callable[[str], list[str]]
) -> None:
    place = w.parent / "ann's $HOME"
    place.mkdir()
    w = w.rename(place / w.name)
    made = json.loads(radcal("backup", "--workspace", w, "--json").out)["file"]
    spoil(w)
    monkeypatch.setattr("radcal.cli.keeping.sys", SimpleNamespace(platform=system))
    line = radcal("check", "--workspace", w).out.splitlines()[-1].partition(": ")[2]
    assert [word.strip() for word in read_as(line)][-3 if system == "linux" else 1 :] == (
        [made, "--workspace", str(w)] if system == "linux" else [made, "--workspace", str(w), ""]
    )


def test_a_damaged_workspace_is_told_with_the_backups_that_are_sound(radcal: Radcal, w: Path, key: str) -> None:
    radcal("backup", "--workspace", w)
    with Workspace.open(w, key) as workspace:
        workspace.save_settings(workspace.settings.changed(seed=4))
    (sound,) = w.with_name("chest.backups").iterdir()
    broken = w.with_name("chest.schema-1.radcal")
    shutil.copy(sound, broken)
    spoil(broken)
    other = w.with_name("chest.before-restore-x.radcal")
    Workspace.create(other, "another passphrase").close()
    spoil(w)
    done = radcal("check", "--workspace", w)
    assert done.status == 1
    assert "1 of " in done.out
    assert "Cannot be read in full: results." in done.out
    lines = {line.split()[1]: line for line in done.out.splitlines() if line.startswith("  ")}
    assert "sound: 0 reports, 1 decision by people" in lines[str(sound)]
    assert "is damaged itself" in lines[str(broken)]
    assert "The passphrase does not fit" in lines[str(other)]
    assert done.out.splitlines()[-1].endswith(f": radcal restore {sound} --workspace {w}")
    shown = json.loads(radcal("check", "--workspace", w, "--json").out)
    assert {b["file"]: b["sound"] for b in shown["backups"]} == {
        str(sound): True,
        str(broken): False,
        str(other): False,
    }


class Noon(datetime):
    """A clock that stands still: no midnight between two backups."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls(2026, 11, 22, 12, tzinfo=UTC).astimezone(tz)


def test_a_backup_while_somebody_has_the_workspace_open(
    radcal: Radcal, refused: Refused, w: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("radcal.cli.keeping.datetime", Noon)
    copy = w.with_name("copy.radcal")
    with Workspace.open(w, key) as held:
        done = radcal("backup", "--workspace", w, "--out", copy, "--json")
        assert done.status == 0
        shown = json.loads(done.out)
        assert (shown["file"], shown["bytes"], shown["deleted"]) == (str(copy), copy.stat().st_size, [])
        assert held.last_backup() is None  # nobody but its writer enters anything
    with Workspace.open(copy, key) as opened:
        assert len(opened.results("made")) == 60
    assert "exists already" in refused("backup", "--workspace", w, "--out", copy)
    for _ in range(2):
        done = radcal("backup", "--workspace", w)
        assert done.status == 0
    assert "1 earlier one was deleted" in done.out
    assert len(list(w.with_name("chest.backups").iterdir())) == 1


def test_a_backup_is_restored_and_what_is_lost_is_told(radcal: Radcal, refused: Refused, w: Path, key: str) -> None:
    radcal("backup", "--workspace", w)
    (made,) = w.with_name("chest.backups").iterdir()
    with Workspace.open(w, key) as workspace:
        workspace.log("finding contested")
        workspace.log("finding contested")
        before = w.read_bytes()
        assert "is open in another RadCal" in refused("restore", made, "--workspace", w)
    done = radcal("restore", made, "--workspace", w)
    assert done.status == 0
    assert "It holds 0 reports and 1 decision by people. The file before held 2 decisions by people more." in done.out
    (aside,) = w.parent.glob("chest.before-restore-*")
    assert str(aside) in done.out
    assert aside.read_bytes() == before
    with Workspace.open(w, key) as workspace:
        assert workspace.audit()["what"].tolist()[-1] == "restored from a backup"
    w.unlink()
    done = radcal("restore", made, "--workspace", w, "--json")
    shown = json.loads(done.out)
    assert (done.status, shown["held"], shown["kept_aside"], shown["holds"]["decisions"]) == (0, None, None, 1)
    spoil(w)
    before = w.read_bytes()
    done = radcal("restore", made, "--workspace", w)
    assert done.status == 0
    assert w.read_bytes() != before
    w.write_bytes(bytes(16) + w.read_bytes()[16:])  # so that nothing of it can be read
    done = radcal("restore", made, "--workspace", w)
    assert "What the file before held beyond that cannot be read." in done.out


def test_the_audit_log(
    radcal: Radcal, w: Path, key: str, monkeypatch: pytest.MonkeyPatch, table: SimpleNamespace
) -> None:
    monkeypatch.setattr("radcal.workspace.tables.now", lambda: "2031-02-03T04:05:06+00:00")
    with Workspace.open(w, key) as held:
        held.log("findings looked at", findings=1204, reports_read=3)
        done = radcal("audit", "--workspace", w)
    assert done.status == 0
    first, last = done.out.splitlines()
    assert first.endswith("  workspace created")
    assert last.startswith("     2  2031-02-03 04:05:06 UTC  ")
    assert last.endswith("  findings looked at: findings 1,204, reports read 3")
    for since, n in (("2031-02-03", 1), ("2031-02-04", 0), ("2020-01-01", 2)):
        shown = json.loads(radcal("audit", "--workspace", w, "--since", since, "--json").out)
        assert len(shown["entries"]) == n
    assert shown["entries"][-1]["counts"] == {"findings": 1204, "reports_read": 3}
    assert "no entry of these days" in radcal("audit", "--workspace", w, "--since", "2031-02-04").out
    out = w.with_name("audit.csv")
    done = radcal("audit", "--workspace", w, "--out", out)
    assert done.out == f"3 entries of the audit log are in {out}.\n"
    with Workspace.open(w, key) as held:
        entered = ["workspace opened", "exported audit log as CSV: audit.csv", "workspace closed"]
        assert held.audit()["what"].tolist()[-3:] == entered
        done = radcal("audit", "--workspace", w, "--out", out, "--since", "2031-02-04")
        assert done.out.splitlines() == [
            f"0 entries of the audit log are in {out}.",
            "The audit log does not have this, because the workspace could be opened for reading only.",
        ]
    monkeypatch.setattr("radcal.workspace.tables.now", lambda: "2031-02-05T04:05:06+00:00")
    with Workspace.open(w, key) as held:
        held.log("findings looked at")
    done = radcal("audit", "--workspace", w, "--out", out, "--since", "2031-02-05")
    assert done.out == f"2 entries of the audit log are in {out}.\n"
    radcal("audit", "--workspace", w, "--out", out, "--since", "2020-01-01")
    rows = table.read(out)
    assert list(rows[0]) == ["entry", "at", "user", "radcal", "what", "counts", "hash"]
    assert [row["what"] for row in rows][:2] == ["workspace created", "findings looked at"]
    assert radcal("audit", "--workspace", w, "--since", "yesterday").status == 2


def test_a_step_that_brings_a_workspace_up_to_date_says_so(
    radcal: Radcal, w: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, now = schema.steps(), schema.newest()
    monkeypatch.setattr(schema, "steps", lambda: [*steps, "CREATE TABLE later (a TEXT) STRICT;"])
    done = radcal("audit", "--workspace", w)  # only looks
    assert done.status == 2
    assert "Open it once for writing" in done.err
    done = radcal("backup", "--workspace", w)
    assert (done.status, done.err.count("\n")) == (0, 1)
    assert f"radcal backup: {w} was brought from schema {now} to {now + 1}" in done.err
    (copy,) = w.parent.glob("chest.schema-*.radcal")
    assert copy.name in done.err
    assert radcal("check", "--workspace", w).status == 0


def test_run_makes_a_backup_once_a_day(
    radcal: Radcal, words: list[object], tmp_path: Path, opens_only: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made() -> list[Path]:
        return sorted(tmp_path.glob("w.backups/*"))

    done = radcal(*words)
    assert len(made()) == 1
    assert f"A backup of the workspace is {made()[0]}." in done.out
    done = radcal(*words, "--set", "seed=4")
    assert "backup" not in done.out
    later = datetime(2099, 1, 1, tzinfo=UTC)
    monkeypatch.setattr("radcal.workspace.schedule.datetime", SimpleNamespace(now=lambda _zone: later))
    assert str(made()[0]) not in radcal(*words).out
    assert len(made()) == 2
    assert "backup" not in radcal(*words).out


def test_a_backup_that_fails_is_told_and_no_failure_of_the_run(
    radcal: Radcal, words: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("radcal.cli.run.write_results", lambda *_, **__: {"failures": [], "text": "done"})
    (tmp_path / "w.backups").write_bytes(b"no folder")
    done = radcal(*words)
    assert done.status == 0
    assert done.out.startswith("done\nNo backup was made. Backups cannot be kept in ")
