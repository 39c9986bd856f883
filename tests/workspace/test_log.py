"""The chained audit log: every way to change it with a tool of one's own is found, and what cannot be found is said."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.workspace import log_chain, tables
from radcal.workspace.copies import RESTORED, TOOK_PLACE
from radcal.workspace.database import Database
from radcal.workspace.errors import DamagedWorkspace
from radcal.workspace.log_check import known_by
from radcal.workspace.log_check import verify as workspace_verify
from radcal.workspace.log_records import Fit, LogVerified
from radcal.workspace.restoring import restore
from radcal.workspace.store import Workspace

N = 12
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture
def logged(ws: Workspace, path: Path) -> Path:
    """A closed workspace whose log has entries 1 to N."""
    for number in range(2, N + 1):
        ws.log(f"looked at {number}", n=number)
    ws.close()
    return path


@pytest.fixture
def attack(logged: Path, make: SimpleNamespace) -> Callable[..., None]:
    """Raw SQL on the decrypted file, by somebody who took the triggers out and put them in again."""

    def run(*statements: str, restored: bool = True) -> None:
        with closing(Database(logged, make.passphrase)) as database, database.transaction():
            for name in log_chain.guards():
                database.execute(f"DROP TRIGGER {name}")
            for statement in statements:
                database.execute(statement)
            for sql in log_chain.guards().values() if restored else ():
                database.execute(sql)

    return run


@pytest.fixture
def verify(logged: Path, make: SimpleNamespace) -> Callable[..., LogVerified]:
    def run(*backups: Path, expected: bool = False) -> LogVerified:
        with Workspace.open(logged, make.passphrase, read_only=True) as ws:
            keys = [ws.key, make.passphrase]
            return workspace_verify(ws, [replace(known_by(file, keys), expected=expected) for file in backups])

    return run


@pytest.fixture
def rewrite(logged: Path, make: SimpleNamespace) -> Callable[..., None]:
    """Change an entry and compute all hashes from it on anew, as RadCal itself would."""

    def run(changed: int | None, *, until: int | None = None) -> None:
        with Workspace.open(logged, make.passphrase) as ws, ws.transaction() as db:
            for name in log_chain.guards():
                db.execute(f"DROP TRIGGER {name}")
            if changed is not None:
                db.execute("UPDATE audit SET what = 'nothing' WHERE entry = ?", (changed,))
            if until is not None:
                db.execute("DELETE FROM audit WHERE entry > ?", (until,))
                db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'audit'", (until,))
            hashed = log_chain.origin(ws.log_name)
            for entry in list(ws.entries()):
                hashed = log_chain.link_of(hashed, entry)
                db.execute("UPDATE audit SET hash = ? WHERE entry = ?", (hashed, entry.entry))
            for sql in log_chain.guards().values():
                db.execute(sql)

    return run


def copied(path: Path, make: SimpleNamespace, name: str) -> Path:
    copy = path.with_name(name)
    with Workspace.open(path, make.passphrase) as ws:
        ws.backup(copy)
    return copy


def done_and_logged(ws: Workspace) -> None:
    with ws.transaction():
        ws.set_meta("done", "yes")
        ws.log("exported everything")


# --- the chain -------------------------------------------------------------------------------------


def test_the_hash_is_sha_256_over_the_hash_before_and_the_entry(ws, reopen):
    ws.log('größer "als" \\ 𝄞', n=3)
    opened = reopen()
    name = opened.get_meta("_log")
    before = hashlib.sha256(b"RadCal audit log, form 1\n" + name.encode()).digest()
    for entry, at, user, radcal, what, counts, stored in opened._db.execute("SELECT * FROM audit ORDER BY entry"):
        # Written out, as whoever verifies it by other means would: ASCII, one space after each comma.
        strings = ", ".join(json.dumps(text, ensure_ascii=True) for text in (at, user, radcal, what, counts))
        before = hashlib.sha256(before + f"[{entry}, {strings}]".encode("ascii")).digest()
        assert stored == before
    head = opened.log_head()
    assert (head.log, head.entry, head.hash) == (name, 2, before)


PARTS = st.tuples(st.integers(1, 99), *[st.text('"\\,[] a1é\n', max_size=4)] * 5)


@given(PARTS, PARTS)
def test_different_entries_have_different_hashes(first, second):
    assert (log_chain.link(b"", *first) == log_chain.link(b"", *second)) == (first == second)


def test_a_log_as_radcal_writes_it_holds(verify, logged, make):
    found = verify()
    assert found.holds
    assert (found.entries, found.head.entry, found.faults, found.remarks, found.first) == (N, N, (), (), None)
    assert found.vouched == 0  # nothing outside is known
    with Workspace.open(logged, make.passphrase) as ws, suppress(RuntimeError), ws.transaction():
        ws.log("rolled back")
        raise RuntimeError
    assert verify().holds  # and leaves no gap


def test_threads_that_enter_at_the_same_time_wait_for_each_other(ws):
    def enter(name: str) -> None:
        for _ in range(20):
            ws.log(name)

    threads = [Thread(target=enter, args=(f"by {k}",)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ws.entries_made() == 81
    assert workspace_verify(ws, []).holds


# --- attacks that leave the hashes as they are ------------------------------------------------------


@pytest.mark.parametrize("column", ["at", "user", "radcal", "what", "counts"])
def test_a_changed_entry_is_named(attack, verify, column):
    attack(f"UPDATE audit SET {column} = '{{}}' WHERE entry = 5")  # noqa: S608 - the test's own
    found = verify()
    assert (found.holds, found.first) == (False, 5)
    assert "Entry 5 does not fit what is before it" in found.faults[0]
    assert len(found.faults) == 1


@pytest.mark.parametrize(("removed", "said"), [(1, "Entry 1 is missing"), (6, "Entry 6 is missing")])
def test_a_removed_entry_is_named(attack, verify, removed, said):
    attack(f"DELETE FROM audit WHERE entry = {removed}")  # noqa: S608 - the test's own
    found = verify()
    assert (found.holds, found.first, len(found.faults)) == (False, removed, 1)
    assert said in found.faults[0]


def test_removed_last_entries_are_missed_by_the_count_of_the_file(attack, verify, logged, make):
    attack(f"DELETE FROM audit WHERE entry > {N - 2}")  # noqa: S608 - the test's own
    found = verify()
    assert found.first == N - 1
    assert f"The last 2 entries, from number {N - 1} on, are missing." in found.faults
    with Workspace.open(logged, make.passphrase) as ws:
        ws.log("goes on")
    assert verify().first == N - 1  # the gap remains


def test_entries_that_were_closed_up_after_a_removal_do_not_fit(attack, verify):
    attack("DELETE FROM audit WHERE entry = 6", "UPDATE audit SET entry = entry - 1 WHERE entry > 6")
    assert verify().first == 6


@pytest.mark.parametrize("with_hashes", [False, True])
def test_a_changed_order_is_found(attack, verify, with_hashes):
    columns = ["at", "user", "radcal", "what", "counts"] + ["hash"] * with_hashes
    taken = ", ".join(f"{c} = (SELECT {c} FROM kept WHERE entry = 15 - audit.entry)" for c in columns)  # noqa: S608
    attack("CREATE TEMP TABLE kept AS SELECT * FROM audit", f"UPDATE audit SET {taken} WHERE entry IN (7, 8)")  # noqa: S608
    found = verify()
    assert (found.holds, found.first) == (False, 7)


def test_an_inserted_entry_is_found(attack, verify):
    attack(
        "UPDATE audit SET entry = -entry - 1 WHERE entry > 4",
        "UPDATE audit SET entry = -entry WHERE entry < 0",
        "INSERT INTO audit SELECT 5, at, user, radcal, 'never happened', counts, hash FROM audit WHERE entry = 4",
    )
    assert verify().first == 5


def test_an_entry_of_another_tool_at_the_end_is_found(attack, verify):
    attack("INSERT INTO audit (at, user, radcal, what, counts) VALUES ('2026-01-01', 'x', '1', 'y', '{}')")
    found = verify()
    assert f"Entry {N + 1} has no hash: it was not made by RadCal." in found.faults


def test_dropped_and_emptied_triggers_are_found(attack, verify, logged, make):
    attack(restored=False)
    said = "The rules by which the file refuses changes to its log were taken out or changed."
    assert verify().faults == (said,)
    with closing(Database(logged, make.passphrase)) as database:
        for sql in log_chain.guards().values():
            database.execute(sql.replace("RAISE(ABORT, 'the audit log is only added to')", "1"))
    assert verify().faults == (said,)


def test_a_trigger_of_another_tool_is_found_and_swallows_no_entry(verify, logged, make):
    quiet = "CREATE TRIGGER quiet BEFORE INSERT ON audit WHEN NEW.what LIKE 'exported%' BEGIN SELECT RAISE(IGNORE); END"
    with closing(Database(logged, make.passphrase)) as database:
        database.execute(quiet)
    assert verify().faults == ("The file has rules of another tool for its log, which may swallow or change entries.",)
    with Workspace.open(logged, make.passphrase) as ws:
        ws.log("looked")
        before = ws.log_head()
        with pytest.raises(DamagedWorkspace, match="does not take entries as it should"):
            done_and_logged(ws)
        assert ws.get_meta("done") is None
        assert ws.log_head() == before


def test_a_trigger_that_changes_what_is_entered_is_noticed_at_once(logged, make, attack):
    change = "BEGIN UPDATE audit SET what = 'looked' WHERE entry = NEW.entry; END"
    attack(f"CREATE TRIGGER change AFTER INSERT ON audit WHEN NEW.what LIKE 'exported%' {change}", restored=False)
    with Workspace.open(logged, make.passphrase) as ws, pytest.raises(DamagedWorkspace, match="as it should"):
        ws.log("exported everything")


def test_a_count_of_entries_that_was_set_back_is_found(attack, verify):
    attack("UPDATE sqlite_sequence SET seq = 3 WHERE name = 'audit'")
    assert verify().faults == ("The count of entries ever made was set back, to 3.",)
    attack("DELETE FROM sqlite_sequence WHERE name = 'audit'")
    assert verify().faults == ("The count of entries ever made was set back, to 0.",)


def test_many_faults_are_counted_rather_than_told(attack, verify, logged, make):
    with Workspace.open(logged, make.passphrase) as ws:
        for _ in range(30):
            ws.log("looked")
    attack("UPDATE audit SET user = 'nobody'")
    assert verify().faults[-1] == f"{N + 30 - 20} more faults like these."


def test_a_clock_that_was_set_back_is_a_remark_and_no_fault(verify, logged, make, monkeypatch):
    monkeypatch.setattr(tables, "now", lambda: (datetime.now(UTC) - timedelta(days=9)).isoformat(timespec="seconds"))
    with Workspace.open(logged, make.passphrase) as ws:
        ws.log("earlier")
        ws.log("and again")
    found = verify()
    assert found.holds
    assert found.remarks == (f"Entry {N + 1} says an earlier time than the one before it: the clock was set back.",)


# --- attacks that compute the hashes anew -----------------------------------------------------------


def test_a_rewritten_log_holds_within_itself_but_fits_no_backup(verify, rewrite, logged, make):
    copy = copied(logged, make, "copy.radcal")
    with Workspace.open(logged, make.passphrase) as ws:
        for _ in range(3):
            ws.log("later")
    late = copied(logged, make, "late.radcal")
    sound = verify(copy, late)
    assert sound.holds
    assert sound.vouched == N + 4  # with the entry about the backup
    rewrite(5)
    alone, found = verify(), verify(copy, late)
    assert (alone.holds, alone.faults, alone.vouched) == (True, (), 0)
    assert not found.holds
    assert [(witness.fit, witness.first) for witness in found.witnesses] == [(Fit.CHANGED, 5)] * 2
    assert found.witnesses[0].said == (
        f"Entry 5 is the first that is no longer as in copy.radcal, which knows the log up to entry {N}."
    )


def test_a_log_cut_short_with_its_count_is_found_by_whatever_knows_a_later_head(verify, rewrite, logged, make):
    copy = copied(logged, make, "copy.radcal")
    rewrite(None, until=4)
    assert verify().holds  # within itself
    found = verify(copy)
    assert [(x.fit, x.first) for x in found.witnesses] == [(Fit.MISSING, 5)]
    assert not found.holds


def test_newest_entries_that_nothing_outside_knows_can_be_rewritten_and_this_is_said(verify, rewrite, logged, make):
    copy = copied(logged, make, "copy.radcal")
    with Workspace.open(logged, make.passphrase) as ws:
        ws.log("later")
    rewrite(N + 2)
    found = verify(copy)
    assert found.holds
    assert (found.vouched, found.entries) == (N, N + 2)


def test_a_changed_entry_within_is_not_vouched_for_by_later_heads(attack, verify, logged, make):
    copy = copied(logged, make, "copy.radcal")
    attack("UPDATE audit SET what = 'x' WHERE entry = 5")
    found = verify(copy)
    assert found.vouched == 0
    assert (found.witnesses[0].fit, found.witnesses[0].first) == (Fit.CHANGED, 5)


def test_the_log_of_another_workspace_is_told_apart(verify, tmp_path, make):
    with Workspace.create(tmp_path / "other.radcal", make.passphrase):
        pass
    found = verify(tmp_path / "other.radcal")
    assert found.holds
    assert (found.witnesses[0].fit, found.vouched) == (Fit.OF_ANOTHER, 0)
    found = verify(tmp_path / "other.radcal", expected=True)
    assert not found.holds
    assert [x.fit for x in found.witnesses] == [Fit.RENAMED]


@pytest.fixture
def rename(logged: Path, make: SimpleNamespace, rewrite: Callable[..., None]) -> Callable[..., None]:
    """Rewrite the log under a new name, so that no hash outside of it is of a log that it is compared with."""

    def run() -> None:
        with Workspace.open(logged, make.passphrase) as ws, ws.transaction() as db:
            db.execute("UPDATE meta SET value = ? WHERE key = '_log'", ("ab" * 16,))
        rewrite(8, until=10)

    return run


def test_a_log_rewritten_under_a_new_name_does_not_fit_a_copy_of_its_workspace(verify, logged, make, rename):
    copy = copied(logged, make, "copy.radcal")
    rename()
    assert verify().holds  # within itself
    found = verify(copy)
    assert not found.holds
    assert (found.witnesses[0].fit, found.vouched) == (Fit.CHANGED, 0)
    assert "rewritten under a new one" in found.witnesses[0].said


@pytest.mark.parametrize(
    "removal",
    ["ALTER TABLE audit RENAME TO a2", "DROP TABLE audit", "ALTER TABLE audit RENAME COLUMN what TO said"],
)
def test_a_log_that_was_removed_is_a_fault_and_nothing_goes_unlogged(logged, make, attack, verify, removal):
    copy = copied(logged, make, "copy.radcal")
    attack(removal, restored=False)
    found = verify(copy)
    assert not found.holds
    assert (found.entries, found.first) == (0, 1)
    assert found.faults[0].startswith("The file has no table of the log any more")
    assert (found.witnesses[0].fit, found.witnesses[0].first) == (Fit.MISSING, 1)
    with Workspace.open(logged, make.passphrase) as ws, pytest.raises(DamagedWorkspace, match="was removed"):
        ws.log("looked")


# --- restoring, and older files ---------------------------------------------------------------------


def test_after_a_restore_what_is_of_the_replaced_line_is_told_apart_from_a_changed_log(verify, rewrite, logged, make):
    old = copied(logged, make, "old.radcal")
    with Workspace.open(logged, make.passphrase) as ws:
        for _ in range(6):
            ws.log("lost by the restore")
    newer = copied(logged, make, "newer.radcal")
    restored = restore(old, logged, make.passphrase)
    with Workspace.open(logged, make.passphrase) as ws:
        assert ws.entries_made() == N + 2
        for _ in range(20):  # past the replaced log's end
            ws.log("since")
    aside = restored.aside
    found = verify(old, newer, aside)
    assert found.holds
    assert [x.fit for x in found.witnesses] == [Fit.FITS, Fit.REPLACED, Fit.REPLACED]
    assert "is from after the backup that was restored" in found.witnesses[1].said
    assert found.remarks[0].startswith(f"Entry {N + 1}: a backup was restored on 20")
    assert f"in place of one of {N + 8} entries" in found.remarks[0]
    rewrite(3)  # which is before the restore: no restore explains that
    found = verify(old, newer, aside)
    assert [(x.fit, x.first) for x in found.witnesses] == [(Fit.CHANGED, 3)] * 3


def test_a_restore_that_was_made_up_excuses_nothing(verify, rewrite, logged, make):
    newer = copied(logged, make, "newer.radcal")
    with Workspace.open(logged, make.passphrase) as ws, ws.transaction() as db:
        head = ws.log_head()
        for name in log_chain.guards():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("DELETE FROM audit WHERE entry > 8")
        db.execute("UPDATE sqlite_sequence SET seq = 8 WHERE name = 'audit'")
        ws.log(f"{TOOK_PLACE}{head.hash.hex()}", entry=head.entry)
        ws.log(RESTORED, reports=0, decisions=0)
        for sql in log_chain.guards().values():
            db.execute(sql)
    found = verify(newer)
    assert not found.holds
    assert [(x.fit, x.first) for x in found.witnesses] == [(Fit.UNATTESTED, 9)]
    assert found.faults == ()


def test_a_restore_is_borne_out_by_the_entry_of_the_backup_in_the_file_put_aside(verify, logged, make):
    old = copied(logged, make, "old.radcal")
    with Workspace.open(logged, make.passphrase) as ws:
        ws.log("lost by the restore")
    aside = restore(old, logged, make.passphrase).aside
    old.unlink()
    assert [x.fit for x in verify(aside).witnesses] == [Fit.REPLACED]
    with closing(Database(aside, make.passphrase)) as database:  # as if it did not tell of the backup
        database.execute("DROP TRIGGER audit_is_not_changed")
        database.execute("UPDATE audit SET counts = '{}' WHERE what = 'backup made'")
    assert [x.fit for x in verify(aside).witnesses] == [Fit.UNATTESTED]


def test_a_backup_restored_where_no_workspace_was_explains_itself(verify, logged, make):
    old = copied(logged, make, "old.radcal")
    with Workspace.open(logged, make.passphrase) as ws:
        ws.log("a")
    newer = copied(logged, make, "newer.radcal")
    logged.unlink()
    restore(old, logged, make.passphrase)
    found = verify(old, newer)
    assert [x.fit for x in found.witnesses] == [Fit.FITS, Fit.REPLACED]
    assert found.remarks[0].endswith("and the log goes on from it.")
