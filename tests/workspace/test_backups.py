"""Backups: copied in steps, verified by opening, named independently of clocks, and rotated."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlcipher3 import dbapi2

from radcal.findings.storage import save_extractions
from radcal.reports.storage import save_import
from radcal.system import files
from radcal.system.errors import Cancelled
from radcal.system.progress import Silent
from radcal.system.settings import Settings
from radcal.workspace import backups, database
from radcal.workspace.backups import backups_of, superfluous
from radcal.workspace.errors import DamagedWorkspace, DiskFull, NoAccess, WrongPassphrase
from radcal.workspace.records import Backup
from radcal.workspace.reviews import StoredAction
from radcal.workspace.store import Workspace

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
PAGE = 4096
DICE = random.Random(5)  # noqa: S311 - damage, not keys


class Parts(Silent):
    """Calls a function at every part of the work."""

    def __init__(self, call: Callable[[int], None]) -> None:
        self.n, self._call = 0, call

    def advance(self, _n: int = 1, _note: str = "") -> None:
        self.n += 1
        self._call(self.n)


@pytest.fixture
def filled(ws: Workspace, make: SimpleNamespace) -> Workspace:
    """Some 60 pages of reports."""
    save_import(ws, make.imp({f"xray:{i}": f"{i} " + "Clear lungs. " * 60 for i in range(200)}))
    return ws


def by_sqlcipher(path: Path, passphrase: str, query: str) -> list[tuple[object, ...]]:
    """The result of a query by SQLCipher itself, given only the passphrase."""
    connection = dbapi2.connect(str(path))
    connection.set_key(passphrase)
    connection.execute("PRAGMA kdf_iter = 1000")
    connection.execute("PRAGMA cipher_log_level = NONE")
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def backup(number: int, made: datetime) -> Backup:
    return Backup(Path(f"{number}"), made, 1, "aa", number)


# --- which are kept --------------------------------------------------------------------------------


@given(st.lists(st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)), max_size=60))
def test_the_latest_is_never_deleted_and_no_more_than_needed_is_kept(times):
    # In the order of their numbers, independently of their times.
    made = [backup(k, time) for k, time in enumerate(times, 1)]
    gone = superfluous(made)
    kept = [b for b in made if b not in gone]
    assert kept[-1:] == made[-1:]
    assert len(kept) <= 7 + 4 + 6
    assert superfluous(kept) == []
    shuffled = list(made)
    DICE.shuffle(shuffled)
    assert superfluous(shuffled) == gone
    for b in gone:  # superseded on its own day, or by seven later days
        of_the_day = [other for other in made if other.made.date() == b.made.date() and other.number > b.number]
        later_days = {other.made.date() for other in made if other.number > b.number} - {b.made.date()}
        assert of_the_day or len(later_days) >= 7


def test_of_a_year_of_daily_backups_a_week_a_month_and_half_a_year_stay():
    kept: list[Backup] = []
    first = datetime(2025, 1, 1, 9, tzinfo=UTC)
    for day in range(365):
        kept.append(backup(day + 1, first + timedelta(days=day)))
        gone = superfluous(kept)
        kept = [b for b in kept if b not in gone]
    days = [b.made.date().isoformat() for b in kept]
    assert days == [
        *("2025-07-31", "2025-08-31", "2025-09-30", "2025-10-31", "2025-11-30"),  # and December's, which is the latest
        *("2025-12-14", "2025-12-21"),  # Sundays; the latter two of four weeks are among the days
        *(f"2025-12-{day}" for day in range(25, 32)),
    ]


def test_many_backups_of_one_day_are_one():
    made = [backup(k, NOON + timedelta(minutes=k)) for k in range(1, 50)]
    assert [b.number for b in superfluous(made)] == list(range(48, 0, -1))


def test_a_clock_set_back_deletes_nothing_newer(filled, path):
    folder = backups.folder_for(path)
    for number, days in enumerate((0, 1, -400, -399, -399), 1):
        filled.set_meta("round", str(number))
        made, _ = filled.back_up_into(folder, NOON + timedelta(days=days))
        latest = backups.rotating(path, folder)[0]
        assert (latest.path, latest.number) == (made, number)
    assert [b.number for b in backups.rotating(path, folder)] == [5, 3, 2, 1]
    with Workspace.open(made, "correct horse, 'battery' \"staple\" é", read_only=True) as copy:
        assert copy.get_meta("round") == "5"


def test_only_backups_of_this_very_workspace_are_deleted(filled, path, make):
    folder = path.parent / "all"
    folder.mkdir()
    other_place = path.parent / "elsewhere"
    other_place.mkdir()
    with Workspace.create(other_place / path.name, make.passphrase) as namesake:
        theirs = [namesake.back_up_into(folder, NOON - timedelta(hours=k))[0] for k in range(2)]
        assert [p.exists() for p in theirs] == [False, True]  # of one day
        strangers = [
            folder / name for name in ("department.radcal", "department-x-0001-20260101T000000Z.radcal", "a.txt")
        ]
        for stranger in strangers:
            stranger.write_bytes(b"theirs")
        mine = [filled.back_up_into(folder, NOON + timedelta(minutes=k))[0] for k in range(3)]
    assert [p.exists() for p in mine] == [False, False, True]
    assert theirs[-1].exists()
    assert all(stranger.read_bytes() == b"theirs" for stranger in strangers)


def test_all_earlier_states_are_found_though_the_workspace_is_gone(filled, path):
    usual, chosen = backups.folder_for(path), backups.folder_for(path, path.parent / "chosen")
    assert usual == path.parent / "department.backups"
    chosen.parent.mkdir()
    made = {filled.back_up_into(folder, NOON)[0] for folder in (usual, chosen)}
    beside = [path.with_name(name) for name in ("department.schema-1.radcal", "department.before-restore-x.radcal")]
    others = [
        path.with_name(name) for name in ("department.schemas", "departments.schema-1.radcal", "department.x.radcal")
    ]
    for file in (*beside, *others):
        file.write_bytes(b"x")
    filled.close()
    path.unlink()
    found = backups_of(path, [path.parent / "chosen", path.parent / "not there"])
    assert {b.path for b in found} == made | set(beside)
    assert {b.made for b in found if b.path in made} == {NOON}
    assert {b.path for b in found[:2]} == made
    assert found[2].made >= found[3].made
    assert backups_of(path.parent / "nowhere" / "none.radcal") == []


# --- how one is made -------------------------------------------------------------------------------


@pytest.mark.usefixtures("short_steps")
def test_sqlcipher_itself_finds_the_copy_whole(filled, path, make):
    copy = path.with_name("copy.radcal")
    parts = Parts(lambda _n: None)
    filled.backup(copy, parts)
    assert parts.n > 10
    assert by_sqlcipher(copy, make.passphrase, "PRAGMA cipher_integrity_check") == []
    assert by_sqlcipher(copy, make.passphrase, "PRAGMA integrity_check") == [("ok",)]
    everything = "SELECT report_id, text, author, exam_time FROM reports JOIN texts USING (text_id) ORDER BY seq"
    assert by_sqlcipher(copy, make.passphrase, everything) == by_sqlcipher(path, make.passphrase, everything)


@pytest.mark.usefixtures("short_steps")
def test_what_is_saved_while_a_copy_is_made_is_in_it(filled, path, make):
    saved = []

    def meanwhile(n: int) -> None:
        if n == 3:
            filled.set_meta("meanwhile", "saved")
            filled.save_result("kind", "key", {"text": "x" * 9000}, {})
            saved.append(n)

    filled.backup(path.with_name("copy"), Parts(meanwhile))
    assert saved == [3]
    with Workspace.open(path.with_name("copy"), make.passphrase, read_only=True) as copy:
        assert copy.get_meta("meanwhile") == filled.get_meta("meanwhile") == "saved"
        assert copy.load_result("kind", "key") == filled.load_result("kind", "key")
    assert Workspace.check(path.with_name("copy"), make.passphrase) == ()


@pytest.mark.usefixtures("short_steps")
@pytest.mark.parametrize("part", [1, 5, 12])
def test_a_backup_that_is_stopped_leaves_nothing(filled, path, part):
    def stop(n: int) -> None:
        if n == part:
            raise Cancelled

    before = sorted(p.name for p in path.parent.iterdir())
    with pytest.raises(Cancelled):
        filled.backup(path.with_name("copy"), Parts(stop))
    assert sorted(p.name for p in path.parent.iterdir()) == before
    filled.backup(path.with_name("copy"))


def test_a_damaged_workspace_gives_no_backup_that_looks_sound(filled, path, make):
    filled.close()
    make.spoil(path, 40 * PAGE + 9)
    with Workspace.open(path, make.passphrase) as opened, pytest.raises(DamagedWorkspace):
        opened.back_up_into(backups.folder_for(path), NOON)
    assert list(backups.folder_for(path).iterdir()) == []


def test_a_disk_without_room_is_told_before_anything_is_written(filled, path, monkeypatch):
    size = path.stat().st_size
    folder = backups.folder_for(path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=size - 1))
    with pytest.raises(DiskFull, match=r"needs 0\.\d MB, and .*department\.backups has 0\.\d MB left"):
        filled.back_up_into(folder, NOON)
    assert list(folder.iterdir()) == []
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=size))
    assert filled.back_up_into(folder, NOON)[0].stat().st_size == size


def test_a_place_that_can_be_no_folder_is_told(filled, path):
    backups.folder_for(path).write_bytes(b"a file")
    with pytest.raises(NoAccess, match=r"Backups cannot be kept in .* Choose another folder for them in Settings"):
        filled.back_up_into(backups.folder_for(path), NOON)
    with pytest.raises(NoAccess, match="cannot be kept"):
        filled.back_up_into(backups.folder_for(path, path.parent / "an unplugged disk"), NOON)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX systems")
def test_backups_are_their_owners_alone(filled, path):
    made, _ = filled.back_up_into(backups.folder_for(path), NOON)
    assert (made.stat().st_mode & 0o777, made.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_backups_made_before_a_change_of_passphrase_keep_theirs(filled, path, make):
    folder = backups.folder_for(path)
    old, _ = filled.back_up_into(folder, NOON)
    filled.change_passphrase(make.passphrase, "a new one")
    new, _ = filled.back_up_into(folder, NOON + timedelta(days=1))
    assert len(backups.rotating(path, folder)) == 2  # still one series
    for file, right, wrong in ((old, make.passphrase, "a new one"), (new, "a new one", make.passphrase)):
        Workspace.open(file, right, read_only=True).close()
        with pytest.raises(WrongPassphrase):
            Workspace.open(file, wrong, read_only=True)


CUT_OFF = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from radcal.system.progress import Silent
from radcal.workspace import database
from radcal.workspace.errors import WorkspaceError
from radcal.workspace.store import Workspace
database._PAGES_AT_ONCE = 8
path, passphrase, how, limit = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])

class Killed(Silent):
    n = 0
    def advance(self, n=1, note=""):
        self.n += 1
        if how == "kill" and self.n == limit:
            os.kill(os.getpid(), 9)

with Workspace.open(path, passphrase) as ws:
    if how == "full":
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        ws.back_up_into(path.with_name("department.backups"), datetime(2026, 11, 23, tzinfo=UTC), Killed())
    except WorkspaceError as error:
        print(type(error).__name__, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal, limits of file sizes")
@pytest.mark.parametrize(("how", "limit"), [("kill", 2), ("kill", 9), ("kill", 14), ("full", 100_000)])
def test_a_backup_cut_off_by_a_kill_or_a_full_disk_leaves_the_earlier_ones(filled, path, make, how, limit):
    folder = backups.folder_for(path)
    first, _ = filled.back_up_into(folder, NOON)
    filled.close()
    content = path.read_bytes()
    process = make.start(CUT_OFF, path, make.passphrase, how, limit)
    said, _ = process.communicate()
    assert (process.returncode, said) == ((-9, "") if how == "kill" else (0, said))
    assert how == "kill" or said.strip() in ("DiskFull", "NoAccess")
    assert [b.path for b in backups.rotating(path, folder)] == [first]
    assert path.read_bytes() == content
    assert Workspace.check(first, make.passphrase) == ()
    with Workspace.open(path, make.passphrase) as again:
        assert again.back_up_into(folder, NOON + timedelta(days=1))[0].exists()


# --- whether one is wanted -------------------------------------------------------------------------


def test_every_change_makes_a_backup_worth_while_and_the_clock_none(ws, path, make, monkeypatch):
    stands_still = "2026-11-20T08:00:00+00:00"
    for module in ("tables", "results", "reviews"):
        monkeypatch.setattr(f"radcal.workspace.{module}.now", lambda: stands_still)
    assert not ws.is_backed_up
    step = StoredAction("a", "AB", "xray:1", "read", "{}", False)
    changes: list[Callable[[], object]] = [
        lambda: save_import(ws, make.imp({"xray:1": "Likely edema."})),
        lambda: ws.save_settings(Settings(seed=3)),
        lambda: ws.begin_run("rules", "1", "a"),
        lambda: save_extractions(ws, 1, [make.extraction("xray:1", "edema")]),
        lambda: (ws.add_gold_set(["xray:1"], drawn="random", seed=3, blind=False, run_id=1), ws.add_gold_reader("AB")),
        lambda: ws.add_gold_actions(1, [step]),
        lambda: ws.set_gold_undone(["a"], undone=True),
        lambda: ws.save_result("lexicon", "0001", {}, {}),
        lambda: ws.set_meta("shown run", "1"),
        lambda: ws.log("finding contested"),
    ]
    for k, change in enumerate(changes):
        ws.back_up_into(backups.folder_for(path), NOON)
        assert ws.is_backed_up
        ws.check_pages(NOON)
        assert ws.is_backed_up
        change()
        assert not ws.is_backed_up, k


@pytest.mark.parametrize("pages_at_once", [256, 8])
def test_what_is_written_when_the_copy_is_finished_does_not_count_against_it(
    filled, path, make, monkeypatch, pages_at_once
):
    monkeypatch.setattr(database, "_PAGES_AT_ONCE", pages_at_once)
    parts = Parts(lambda n: filled.log("looked", n=n))
    filled.backup(path.with_name("copy"), parts)
    assert Workspace.check(path.with_name("copy"), make.passphrase) == ()
    assert (filled.audit()["what"] == "looked").sum() == parts.n


@pytest.mark.usefixtures("short_steps")
def test_a_copy_that_is_long_being_read_back_is_not_cleared_away(filled, path, make, monkeypatch):
    monkeypatch.setattr(database, "_TOUCHED_EVERY_S", 0.0)
    seen = []

    class Slow(Silent):
        """Every part takes an hour, after which another program exports a file into the folder."""

        def advance(self, _n: int = 1, _note: str = "") -> None:
            monkeypatch.setattr(files, "_cleared", {})
            files.clear_leftovers(path.parent)
            for part in path.parent.glob(".*.unfinished"):
                seen.append(part)
                os.utime(part, (part.stat().st_mtime - 3600,) * 2)

    filled.backup(path.with_name("copy"), Slow())
    assert len(seen) > 10
    assert Workspace.check(path.with_name("copy"), make.passphrase) == ()


# --- the pages -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("short_steps")
def test_pages_read_in_steps_tell_what_sqlcipher_tells(filled, path, make):
    filled.close()
    whole = path.read_bytes()
    n = len(whole) // PAGE
    for round_ in range(6):
        wrong = sorted(DICE.sample(range(n // 2, n), 3 * round_))  # reports alone, so that it opens
        path.write_bytes(whole)
        make.spoil(path, *(page * PAGE + DICE.randrange(PAGE) for page in wrong))
        printed = by_sqlcipher(path, make.passphrase, "PRAGMA cipher_integrity_check")
        with Workspace.open(path, make.passphrase) as opened:
            checked = opened.check_pages(NOON)
            assert opened.checked in (checked, None)  # a damaged file may not take the note
        assert (checked.at, checked.pages, checked.damaged) == (NOON, n, len(printed))
        assert len(printed) == len(wrong)


def test_a_check_is_noted_by_those_who_may_write(filled, path, make):
    assert filled.checked is None
    checked = filled.check_pages(NOON)
    assert filled.checked == checked
    filled.close()
    with Workspace.open(path, make.passphrase, read_only=True) as reader:
        assert reader.check_pages(NOON + timedelta(days=1)).damaged == 0
        assert reader.checked == checked


@pytest.mark.usefixtures("short_steps")
def test_between_two_steps_others_may_write(filled, path, make):
    filled.close()
    with (
        Workspace.open(path, make.passphrase, read_only=True) as reader,
        Workspace.open(path, make.passphrase) as writer,
    ):

        def write(n: int) -> None:
            writer.set_meta("part", str(n))

        parts = Parts(write)
        assert reader.check_pages(NOON, parts).damaged == 0
        assert parts.n > 3
        assert reader.get_meta("part") == str(parts.n)
        assert writer.check_pages(NOON, Parts(write)).damaged == 0


def test_the_page_that_holds_sqlites_locks_is_none_of_ours():
    # Byte 2^30 and those after it; see "The Lock-Byte Page" in SQLite's file format.
    first = (database._LOCK_PAGE - 1) * PAGE
    assert first <= 1 << 30 < first + PAGE


def test_looking_whether_tables_are_well_formed_can_be_stopped_and_lets_others_go_on(filled, path, make, monkeypatch):
    monkeypatch.setattr(database, "_INSTRUCTIONS", 20)
    asked: list[int] = []

    class Asked(Silent):
        def raise_if_cancelled(self) -> None:
            asked.append(len(filled.results("none")))
            if stop and len(asked) > 3:
                raise Cancelled

    filled.backup(path.with_name("copy"))
    copy = database.Database(path.with_name("copy"), make.passphrase, read_only=True)
    stop = False
    assert copy.is_consistent(Asked())
    assert len(asked) > 4
    every = len(asked)
    asked.clear()
    stop = True
    with pytest.raises(Cancelled):
        copy.is_consistent(Asked())
    assert 4 <= len(asked) < every
    assert copy.is_consistent()  # it can be used as before
    copy.close()


@pytest.mark.usefixtures("short_steps")
def test_a_change_of_passphrase_in_the_midst_of_a_backup_leaves_it_under_the_one_before(filled, path, make):
    def change(n: int) -> None:
        if n == 3:
            filled.change_passphrase(make.passphrase, "a new one")

    filled.backup(path.with_name("copy"), Parts(change))
    assert Workspace.check(path.with_name("copy"), make.passphrase) == ()
    filled.close()
    assert Workspace.check(path, "a new one") == ()
