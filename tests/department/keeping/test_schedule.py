"""When a copy of the workspace is worth being offered, and when one is made without asking."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from radcal.department import Department
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.reports.records import Import
from radcal.sample.department import SampleTruth
from radcal.system import policy
from radcal.system.settings import Settings
from radcal.workspace.backups import backups_of
from radcal.workspace.records import Checked
from radcal.workspace.restoring import look_into
from radcal.workspace.schedule import Copied

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "decisions", "due"),
    [(None, 19, False), (None, 20, True), (6, 500, False), (7, 20, True), (7, 19, False), (400, 0, False)],
)
def test_a_copy_is_due_where_an_hours_work_has_none_for_a_week(days: int | None, decisions: int, due: bool) -> None:
    last = None if days is None else NOW - timedelta(days=days)
    assert Copied(last, decisions).is_due(NOW) is due
    assert not Copied(last, decisions, on=True).is_due(NOW)  # one is made without asking


def test_a_department_knows_its_copies(filled, tmp_path) -> None:
    before = filled.backups.known()
    assert before.last is None
    filled.save_settings(Settings(window_hours=24))
    assert filled.backups.known().decisions == before.decisions + 1
    filled.backup(tmp_path / "copy.radcal")
    assert filled.backups.known().last is not None


def made(department: Department) -> list[int]:
    """The numbers of the backups there are."""
    return sorted(int(path.stem.split("-")[-2]) for path in department.backups.folder.glob("*.radcal"))


def test_a_backup_is_made_once_a_day_where_something_has_changed(filled: Department) -> None:
    backups = filled.backups
    assert backups.back_up_if_due(now=NOW) is not None
    for hours, changes, numbers in (
        (1, True, [1]),
        (19, True, [1]),
        (20, False, [1, 2]),  # of what was changed before
        (48, False, [1, 2]),
        (49, True, [1, 2, 3]),
        (20, True, [1, 3, 4]),  # the clock was set back; the last backup of each day stays
        (30, True, [1, 3, 4]),
    ):
        if changes:
            filled.save_settings(Settings(seed=hours))
        backups.back_up_if_due(now=NOW + timedelta(hours=hours))
        assert made(filled) == numbers, hours
    backups.choose(on=False, folder=None)
    assert backups.back_up_if_due(now=NOW + timedelta(days=9)) is None
    assert (filled.backups.known().on, filled.backups.known().backups) == (False, 3)


def test_backups_go_where_they_are_told_to(filled: Department, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    before = filled.backups.known()
    assert (before.on, before.folder, before.chosen) == (True, tmp_path / "new.backups", None)
    filled.backups.back_up(now=NOW)
    chosen = filled.backups.choose(on=True, folder=elsewhere)
    assert (chosen.folder, chosen.chosen, chosen.backups) == (elsewhere / "new.backups", elsewhere, 0)
    second = filled.backups.back_up_if_due(now=NOW)  # there is none there yet
    assert second is not None
    assert second.parent == elsewhere / "new.backups"
    found = backups_of(tmp_path / "new.radcal", [elsewhere])
    assert {b.path.parent for b in found} == {tmp_path / "new.backups", elsewhere / "new.backups"}
    assert [b.path.parent for b in backups_of(tmp_path / "new.radcal")] == [tmp_path / "new.backups"]


def test_a_folder_of_it_holds_in_place_of_the_one_chosen_which_is_kept(
    filled: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, its = tmp_path / "own", tmp_path / "its"
    filled.backups.choose(on=True, folder=own)
    with monkeypatch.context() as patch:
        patch.setattr(policy, "in_use", lambda: policy.Policy(Path("/p"), {}, {"backups_folder": str(its)}))
        assert filled.backups.known().chosen == its
        with pytest.raises(policy.SetByPolicy):
            filled.backups.choose(on=True, folder=own)
        assert filled.backups.choose(on=False, folder=its).on is False
    assert (filled.backups.known().on, filled.backups.known().chosen) == (False, own)


def test_pages_are_read_once_a_day_until_one_is_damaged(filled: Department) -> None:
    first = filled.backups.check_if_due(now=NOW)
    assert first is not None
    assert (first.at, first.damaged) == (NOW, 0)
    assert filled.backups.known().checked == first
    assert filled.backups.check_if_due(now=NOW + timedelta(hours=19)) is None
    assert filled.backups.check_if_due(now=NOW + timedelta(hours=20)) is not None
    assert filled.backups.check_if_due(now=NOW) is not None  # the clock was set back
    filled._workspace.note_check(Checked(NOW, 9, 2))
    again = filled.backups.check_if_due(now=NOW)
    assert again is not None
    assert again.damaged == 0


def test_who_only_looks_keeps_nothing(filled: Department) -> None:
    path = filled.path
    filled.close()
    with open_department(path, "plum tree in blossom", read_only=True) as reader:
        assert reader.backups.back_up_if_due(now=NOW) is None
        assert reader.backups.check_if_due(now=NOW) is None
    assert not path.with_name("new.backups").exists()


def test_a_backup_is_made_before_reports_are_replaced(filled: Department, small: SampleTruth) -> None:
    def again(**options: Any) -> Import:
        return filled.importing.import_reports([replace(file, **options) for file in as_files(xray=[small.xray])])

    n_reports = len(filled._workspace.reports(["report_id"]))
    again()
    assert not filled.backups.folder.exists()
    again(replaces=True, day_first=False)
    (backup,) = filled.backups.folder.iterdir()
    assert look_into(backup, "plum tree in blossom").reports == n_reports
    filled.save_settings(Settings(seed=2))
    shutil.rmtree(filled.backups.folder)
    filled.backups.folder.write_bytes(b"no folder")
    notes = again(replaces=True, day_first=True).notes
    assert notes[-1].startswith("No backup was made before reports were replaced. Backups cannot be kept in")


def test_what_was_put_aside_is_listed_after_the_backups(tmp_path: Path) -> None:
    path = tmp_path / "here" / "chest.radcal"
    theirs = tmp_path / "there" / "chest.radcal"
    own, other = [], []
    for place, made, day in ((path, own, 0), (theirs, other, 1)):
        place.parent.mkdir()
        with open_department(place, "correct horse battery", create=True) as department:
            department.backups.choose(on=True, folder=tmp_path)
            for hours in (0, 72):
                department.save_settings(Settings(seed=hours))
                made.insert(
                    0, department.backups.back_up(now=datetime(2025, 11, 21, tzinfo=UTC) + timedelta(day, hours * 3600))
                )
    aside = [path.with_name(f"chest.{name}.radcal") for name in ("before-restore-x", "schema-1")]
    for file in aside:
        file.write_bytes(b"damaged")  # now, and so later than all backups
    found = [backup.path for backup in backups_of(path, [tmp_path])]
    assert found[:4] == own + other
    assert set(found[4:]) == set(aside)
    path.unlink()
    assert [backup.path for backup in backups_of(path, [tmp_path])][:4] == [other[0], own[0], other[1], own[1]]
