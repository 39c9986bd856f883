"""Files and messages are imported once, whatever is killed when; what cannot be read keeps nothing else from it."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from radcal import chain
from radcal.department import Department
from radcal.feed import watch
from radcal.feed.inbox import DONE, ERROR, REASON, Inbox
from radcal.feed.spool import Spool, make_key, spool_folder, waiting
from radcal.feed.status import feed_status, keep
from radcal.feed.watch import Feed
from radcal.opening import open_department
from radcal.reports.importing import PastImport
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT
from radcal.workspace.store import Workspace

Opened = Callable[..., Department]


@pytest.fixture
def reports(tmp_path: Path) -> SimpleNamespace:
    """An X-ray and a CT file, of six patients."""
    head = "Accession,Patient ID,Exam,Exam Time,Signed By,Report Text"
    made = SimpleNamespace(xray=tmp_path / "xray.csv", ct=tmp_path / "ct.csv")
    for file, exam, hour in ((made.xray, "XR CHEST", 10), (made.ct, "CT CHEST", 14)):
        rows = [
            f'{exam[:2]}{n},P{n},{exam},2026-01-{n + 1:02} {hour}:00,"Ravensworth, Odile",Likely pneumonia.'
            for n in range(6)
        ]
        file.write_text("\n".join([head, *rows, ""]))
    return made


@pytest.fixture
def dropped(folder: Path, reports: SimpleNamespace) -> Path:
    """The folder with an X-ray and a CT file in it."""
    for file in (reports.xray, reports.ct):
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.01)


def ids(opened: Opened) -> list[str]:
    with opened(read_only=True) as department:
        return sorted(department.workspace.reports(["report_id"])["report_id"])


def there(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


class Killed(BaseException):
    """In place of SIGKILL: nothing of the program runs any more but the release of its lock."""


def killing(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, at: int = 1, *, after: bool = False) -> None:
    """Be killed in the ``at``th call of a function, before or after it does its work."""
    real, calls = getattr(owner, name), [0]

    def killed(*args: Any, **how: Any) -> Any:
        calls[0] += 1
        if calls[0] == at and not after:
            raise Killed
        made = real(*args, **how)
        if calls[0] == at:
            raise Killed
        return made

    monkeypatch.setattr(owner, name, killed)


def test_files_become_results_and_go_where_they_belong(feed: Feed, dropped: Path, opened: Opened) -> None:
    said: list[str] = []
    (dropped / "notes.csv").write_text("Pneumonia of Jane Doe\nlikely\n")
    (dropped / "b.csv.part").write_text("half")
    feed.inbox, feed.tell = Inbox(dropped, 0), said.append
    told = feed.run(SILENT, once=True)
    assert there(dropped) == {
        "b.csv.part", f"{DONE}/xray.csv", f"{DONE}/ct.csv", f"{ERROR}/notes.csv", f"{ERROR}/notes.csv{REASON}",
    }  # fmt: skip
    reason = (dropped / ERROR / f"notes.csv{REASON}").read_text()
    assert "no column for the accession number" in reason
    assert not any("Jane" in text for text in (reason, *said))
    assert (told.files, [f.file for f in told.failed]) == (2, ["notes.csv"])
    with opened() as department:
        assert department.workspace.count_reports() == told.counts["total"] == told.counts["new"] == 12
        assert department.up_to_date
        assert department.workspace.count_pairs() == 6
        status = feed_status(department)
        assert not any("notes" in entry.what for entry in department.audit_log.entries())
    assert status is not None
    assert (status.n_today, status.n_waiting, status.error) == (told.counts["new"], 0, dropped / ERROR)
    assert [(f.file, f.reason) for f in status.failed] == [("notes.csv", reason.strip())]
    for left in (dropped / ERROR).iterdir():  # somebody has looked after it
        left.unlink()
    with opened() as department:
        status = feed_status(department)
    assert status is not None
    assert status.failed == ()


def test_the_same_file_again_is_moved_and_counts_for_nothing(
    feed: Feed, dropped: Path, reports: SimpleNamespace, opened: Opened
) -> None:
    feed.inbox = Inbox(dropped, 0)
    first = feed.run(SILENT, once=True)
    before = ids(opened)
    (dropped / "again.csv").write_bytes(reports.xray.read_bytes())
    told = feed.run(SILENT, once=True)
    assert (told.files, told.counts["new"], told.counts["total"]) == (1, 0, first.counts["total"])
    assert ids(opened) == before
    assert f"{DONE}/again.csv" in there(dropped)
    with opened() as department:
        status = feed_status(department)
        assert department.importing.n_imports == 1
    assert status is not None
    assert status.n_today == first.counts["new"]


@pytest.mark.parametrize("hard", [False, True])
def test_one_over_which_reading_fails_keeps_no_other_from_it(
    feed: Feed, dropped: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch, *, hard: bool
) -> None:
    """Where several cannot be imported together: for consent that is missing, or for a fault of RadCal's."""
    for n in range(5):
        (dropped / f"other-{n}.csv").write_text("Accession,Report Text\n")
    (dropped / "bad.csv").write_text("x")
    feed.inbox, real = Inbox(dropped, 0), watch.import_files

    def importing(department: Department, files: Any, **how: Any) -> Any:
        if any(file.path.name == "bad.csv" for file in files):
            raise ValueError("Jane Doe") if hard else InputError("This one needs consent.")
        return real(department, files, **how)

    monkeypatch.setattr(watch, "import_files", importing)
    told = feed.run(SILENT, once=True)
    assert len(ids(opened)) == told.counts["new"] == 12
    assert (DONE + "/xray.csv" in there(dropped)) is (DONE + "/ct.csv" in there(dropped)) is True
    reason = (dropped / ERROR / f"bad.csv{REASON}").read_text()
    assert ("fault of RadCal" in reason) is hard
    assert "Jane" not in reason


PLACES = {
    "before the import": (watch, "import_files", 1, False),
    "behind the import": (watch, "import_files", 1, True),
    "before it is counted": (watch, "_count", 1, False),
    "before the first is moved": (Inbox, "done", 1, False),
    "between two": (Inbox, "done", 1, True),
    "behind the last": (Inbox, "done", 2, True),
    "before the reason is written": (Inbox, "failed", 1, False),
    "behind the failed one": (Inbox, "failed", 1, True),
    "in the later steps": (chain, "_paired", 1, True),
}


@pytest.mark.parametrize("place", PLACES)
def test_killed_anywhere_the_next_run_goes_on(
    feed: Feed, dropped: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (dropped / "zz.csv").write_text("no table")
    feed.inbox = Inbox(dropped, 0)
    owner, name, at, after = PLACES[place]
    with monkeypatch.context() as patch:
        killing(patch, owner, name, at, after=after)
        with pytest.raises(Killed):
            feed.run(SILENT, once=True)
    feed.inbox = Inbox(dropped, 0)
    feed.run(SILENT, once=True)
    assert there(dropped) == {
        f"{DONE}/xray.csv", f"{DONE}/ct.csv", f"{ERROR}/zz.csv", f"{ERROR}/zz.csv{REASON}",
    }  # fmt: skip
    with opened() as department:
        assert department.importing.n_imports == 1
        assert department.up_to_date
        assert department.workspace.count_reports() == len(set(ids(opened)))
        status = feed_status(department)
        [past] = department.importing.history()
    assert status is not None
    assert status.n_today == past.new
    assert [f.file for f in status.failed] == ["zz.csv"]


def test_a_full_disk_is_no_fault_of_the_files(feed: Feed, dropped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    feed.inbox = Inbox(dropped, 0)
    with monkeypatch.context() as patch:
        patch.setattr(watch, "import_files", full)
        with pytest.raises(OSError, match="No space"):
            feed.run(SILENT, once=True)
    assert there(dropped) == {"xray.csv", "ct.csv"}


def test_a_file_of_which_nothing_comes_in_is_not_done(
    feed: Feed, dropped: Path, reports: SimpleNamespace, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its exam stands in a column of another name; also where it comes again, and after a kill before it is moved."""
    head, *rows = reports.xray.read_text().splitlines()
    lines = [head.replace("Exam,", "Modality,Service,", 1), *(row.replace("XR CHEST", "CR,XR CHEST") for row in rows)]
    (dropped / "lost.csv").write_text("\n".join([*lines, ""]))
    with (dropped / "ct.csv").open("a") as file:  # one row of two that cannot be counted, each in its way
        file.write('X1,P1,XR HAND,2026-01-01 10:00,"Ravensworth, Odile",No fracture.\n')
        file.write('X2,P1,XR CHEST,,"Ravensworth, Odile",No pneumonia.\n')
    said: list[str] = []
    feed.inbox, feed.tell = Inbox(dropped, 0), said.append
    with monkeypatch.context() as patch:
        killing(patch, watch, "_count")
        with pytest.raises(Killed):
            feed.run(SILENT, once=True)
    for _ in range(2):
        feed.inbox = Inbox(dropped, 0)
        told = feed.run(SILENT, once=True)
        assert f"{ERROR}/lost.csv" in there(dropped)
        [failed] = told.failed
        assert "6 rows were left out: The exam is not named" in failed.reason
        assert failed.reason in said
        (dropped / ERROR / "lost.csv").rename(dropped / "lost.csv")
        (dropped / ERROR / f"lost.csv{REASON}").unlink()
    assert any("1 row was left out: another part of the body" in line for line in said)
    assert any("rows left out: 8." in line for line in said)
    feed.way = lambda path: watch.ReportFile(path, mapping={"exam": "Service"})
    feed.run(SILENT, once=True)
    assert f"{DONE}/lost.csv" in there(dropped)


@pytest.mark.parametrize("messages", [False, True])
def test_a_names_key_that_cannot_be_written_is_no_fault_of_what_came(
    tmp_path: Path, folder: Path, reports: SimpleNamespace, feeding: SimpleNamespace, monkeypatch: pytest.MonkeyPatch,
    *, messages: bool,
) -> None:  # fmt: skip
    path, key = tmp_path / "apart.radcal", tmp_path / "keys" / "n.names"
    key.parent.mkdir()

    def opened(**how: Any) -> Department:
        return open_department(path, feeding.passphrase, names_key=key, **how)

    with opened(create=True, settings=feeding.settings) as department:
        spool = Spool(path, make_key(department.workspace))
    feed = Feed(path, opened, lambda _: None, Inbox(folder, 0))
    if messages:
        spool.store(feeding.hl7(0))
    else:
        (folder / "xray.csv").write_bytes(reports.xray.read_bytes())
    before, real = there(tmp_path), tempfile.mkstemp

    def mkstemp(**how: Any) -> Any:
        if how["dir"] == key.parent:
            raise OSError(errno.EROFS, "Read-only file system")
        return real(**how)

    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "mkstemp", mkstemp)
        with pytest.raises(InputError, match="Read-only file system"):
            feed.run(SILENT, once=True)
    assert there(tmp_path) == before
    told = feed.run(SILENT, once=True)
    assert (told.failed, told.files + told.messages) == ([], 1)


@pytest.mark.skipif(sys.platform == "win32", reason="where a file that is open cannot be moved")
def test_one_that_is_written_on_after_it_was_taken_in_is_put_aside_with_the_reason(
    feed: Feed, dropped: Path, opened: Opened
) -> None:
    feed.inbox, whole = Inbox(dropped, 0), (dropped / "xray.csv").read_text()
    writer = (dropped / "xray.csv").open("r+")
    writer.truncate(len(whole) - 200)
    feed.run(SILENT, once=True)
    assert feed.run(SILENT, once=True).failed == []
    writer.seek(0, os.SEEK_END)
    writer.write(whole[-200:])
    writer.close()
    told = feed.run(SILENT, once=True)
    assert [(f.file, "still being written" in f.reason) for f in told.failed] == [("xray.csv", True)]
    assert there(dropped) == {f"{DONE}/ct.csv", f"{ERROR}/xray.csv", f"{ERROR}/xray.csv{REASON}"}
    with opened() as department:
        status = feed_status(department)
    assert status is not None
    assert [f.file for f in status.failed] == ["xray.csv"]
    (dropped / ERROR / "xray.csv").rename(dropped / "xray.csv")
    assert feed.run(SILENT, once=True).files == 1
    assert len(ids(opened)) == 12


def test_one_that_was_taken_away_meanwhile_is_no_failure(
    feed: Feed, dropped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = watch.import_files

    def importing(department: Department, files: Any, **how: Any) -> Any:
        (dropped / "ct.csv").unlink()
        return real(department, files, **how)

    monkeypatch.setattr(watch, "import_files", importing)
    feed.inbox = Inbox(dropped, 0)
    told = feed.run(SILENT, once=True)
    assert (told.files, told.failed) == (1, [])
    assert there(dropped) == {f"{DONE}/xray.csv"}


def test_a_folder_that_is_away_shows_what_was_known_last(feed: Feed, dropped: Path, opened: Opened) -> None:
    (dropped / "bad.csv").write_text("no table")
    feed.inbox = Inbox(dropped, 0)
    feed.run(SILENT, once=True)
    dropped.rename(dropped.with_name("away"))
    with opened() as department:
        status = feed_status(department)
    assert status is not None
    assert [f.file for f in status.failed] == ["bad.csv"]
    assert status.n_waiting == 0


def test_while_another_program_has_the_workspace_it_waits_and_says_so_once(
    feed: Feed, dropped: Path, opened: Opened, feeding: SimpleNamespace
) -> None:
    said, stop = [], feeding.Stop()
    waited = threading.Event()

    def tell(sentence: str) -> None:
        said.append(sentence)
        waited.set()

    feed.inbox, feed.tell = Inbox(dropped, 0), tell
    with opened():
        thread = threading.Thread(target=lambda: feed.run(stop, once=True))
        thread.start()
        assert waited.wait(60)
        assert thread.is_alive()
        assert there(dropped) == {"xray.csv", "ct.csv"}
    thread.join(60)
    assert not thread.is_alive()
    assert sum("Another program has the workspace" in sentence for sentence in said) == 1
    assert there(dropped) == {f"{DONE}/xray.csv", f"{DONE}/ct.csv"}


def test_it_goes_on_until_it_is_stopped_between_two_passes(
    feed: Feed, folder: Path, reports: SimpleNamespace, opened: Opened, feeding: SimpleNamespace
) -> None:
    stop, passes = feeding.Stop(), []

    def tell(_sentence: str) -> None:
        passes.append(there(folder))
        if len(passes) == 1:
            (folder / "xray.csv").write_bytes(reports.xray.read_bytes())
        elif f"{DONE}/xray.csv" in passes[-1] and not (folder / "ct.csv").exists():
            (folder / "ct.csv").write_bytes(reports.ct.read_bytes())
        if f"{DONE}/ct.csv" in passes[-1]:
            stop.now.set()

    feed.inbox, feed.tell = Inbox(folder, 0), tell
    told = feed.run(stop)
    assert (told.files, told.counts["total"]) == (2, len(ids(opened)))


def test_what_fails_later_is_tried_again_and_what_fails_at_first_ends_it(
    feed: Feed, dropped: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch, feeding: SimpleNamespace
) -> None:
    monkeypatch.setattr(watch, "RETRY_SECONDS", 0.01)
    real, fails = watch.run_chain, [True, True]

    def run_chain(department: Department) -> Any:
        if fails and fails.pop():
            raise EngineError("The server does not answer.")
        return real(department)

    monkeypatch.setattr(watch, "run_chain", run_chain)
    feed.inbox = Inbox(dropped, 0)
    with pytest.raises(EngineError):
        feed.run(SILENT)
    assert there(dropped) == {f"{DONE}/xray.csv", f"{DONE}/ct.csv"}
    said, stop = [], feeding.Stop()

    def tell(sentence: str) -> None:
        said.append(sentence)
        if "Taken in" in sentence:
            stop.now.set()

    feed.stays, feed.tell = True, tell
    feed.run(stop)
    assert said[0] == "The server does not answer."
    with opened() as department:
        assert department.up_to_date


# --- messages ----------------------------------------------------------------------------------------------


@pytest.fixture
def spool(path: Path, opened: Opened) -> Spool:
    with opened() as department:
        return Spool(path, make_key(department.workspace))


def test_messages_that_wait_are_imported_at_once_and_removed(
    feed: Feed, spool: Spool, path: Path, opened: Opened, feeding: SimpleNamespace
) -> None:
    sent = [feeding.hl7(n) for n in range(40)]
    for message in [*sent, *sent[:7]]:  # some come again
        spool.store(message)
    assert len(waiting(path)) == 40
    told = feed.run(SILENT, once=True)
    assert (told.messages, told.counts["new"], told.failed) == (40, 40, [])
    assert waiting(path) == []
    assert ids(opened) == sorted(f"{'ct' if n % 2 else 'xray'}:R{n}" for n in range(40))
    with opened() as department:
        assert department.importing.n_imports == 1
        assert department.workspace.count_pairs() == 20
    for message in sent[:5]:  # and again, later
        spool.store(message)
    told = feed.run(SILENT, once=True)
    assert (told.messages, told.counts["new"], told.counts["changed"]) == (5, 0, 0)
    assert len(ids(opened)) == 40


def test_a_later_version_replaces_the_one_before_and_the_earlier_one_again_does_not(
    feed: Feed, spool: Spool, opened: Opened, feeding: SimpleNamespace
) -> None:
    first = feeding.hl7(0, text="Likely pneumonia.")
    second = feeding.hl7(0, text="No pneumonia.").replace(b"|||F|||||||", b"|||C|||||||")
    for message in (first, second, first):
        spool.store(message)
        feed.run(SILENT, once=True)
    with opened() as department:
        [text] = department.workspace.reports(["text"])["text"]
    assert "No pneumonia" in text


OF_MESSAGES = {
    "before the import": (watch, "import_files", 1, False),
    "behind the import": (watch, "import_files", 1, True),
    "before it is counted": (watch, "_count", 1, False),
    "before it is noted as done": (Feed, "_import_messages", 1, True),
    "before they are removed": (Spool, "remove", 1, False),
    "behind that": (Spool, "remove", 1, True),
    "between two of them": (Path, "unlink", 7, True),
}


@pytest.mark.parametrize("place", OF_MESSAGES)
def test_killed_anywhere_no_message_is_lost_or_counted_twice(
    feed: Feed, spool: Spool, opened: Opened, monkeypatch: pytest.MonkeyPatch, feeding: SimpleNamespace, place: str
) -> None:
    unusable = feeding.hl7(100).replace(b"OBR|1|R100|R100|", b"OBR|1|||")
    for message in (*(feeding.hl7(n) for n in range(20)), unusable):
        spool.store(message)
    monkeypatch.setattr(watch, "run_chain", lambda _: SimpleNamespace(reason=""))  # to which it makes no difference
    owner, name, at, after = OF_MESSAGES[place]
    with monkeypatch.context() as patch:
        killing(patch, owner, name, at, after=after)
        with pytest.raises(Killed):
            feed.run(SILENT, once=True)
    for n in range(20, 30):  # more have come by then
        spool.store(feeding.hl7(n))
    feed.run(SILENT, once=True)
    assert ids(opened) == sorted(f"{'ct' if n % 2 else 'xray'}:R{n}" for n in range(30))
    with opened() as department:
        assert len(department.workspace.rejected()) == 1
        status = feed_status(department)
    assert status is not None
    assert (status.n_today, status.n_waiting) == (30, 0)


def test_what_was_stored_is_unreadable_without_the_workspace_and_what_was_changed_is_put_aside(
    feed: Feed, spool: Spool, path: Path, opened: Opened, feeding: SimpleNamespace
) -> None:
    for n in range(4):
        spool.store(feeding.hl7(n))
    files = waiting(path)
    for file in files:
        assert b"Doe" not in file.read_bytes()
        assert b"R1" not in file.name.encode()
        assert file.stat().st_mode & 0o077 == 0
    damaged = bytearray(files[1].read_bytes())
    damaged[-1] ^= 1
    files[1].write_bytes(damaged)
    Spool(path, bytes(32)).store(feeding.hl7(9))  # forged, by somebody who has no key
    told = feed.run(SILENT, once=True)
    assert (told.messages, len(told.failed)) == (3, 2)
    assert len(ids(opened)) == 3
    assert waiting(path) == []
    assert len(list((spool_folder(path) / ERROR).iterdir())) == 2
    with opened() as department:
        status = feed_status(department)
    assert status is not None
    assert len(status.failed) == 2


def test_of_a_message_that_is_put_aside_the_control_id_is_told_and_put_back_it_is_tried_again(
    feed: Feed, spool: Spool, path: Path, feeding: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n, control in enumerate(("Q4711", "Doe^Jane")):
        spool.store(feeding.hl7(n, control=control))

    def importing(*_: Any, **__: Any) -> None:
        raise InputError("This one cannot be imported.")

    said: list[str] = []
    feed.tell = said.append
    with monkeypatch.context() as patch:
        patch.setattr(watch, "import_files", importing)
        told = feed.run(SILENT, once=True)
    first, second = (failed.reason for failed in told.failed)
    assert "Its control ID is Q4711." in first
    assert second == "This one cannot be imported."
    assert not any("Jane" in line for line in said)
    for aside in (spool_folder(path) / ERROR).iterdir():
        aside.rename(spool_folder(path) / aside.name)
    assert feed.run(SILENT, once=True).messages == 2


@pytest.mark.skipif(sys.platform != "linux", reason="files are found by /proc")
def test_a_message_and_its_name_are_on_the_disk_before_it_counts_as_stored(
    spool: Spool, path: Path, feeding: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    real, at = os.fsync, [0]

    def fsync(handle: int) -> None:
        synced.append(Path(f"/proc/self/fd/{handle}").readlink())
        at.append(len(waiting(path)))  # names that were there before
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    spool.store(feeding.hl7(1))
    assert [p.suffix for p in synced] == [".radcal-part", ".spool"]
    assert synced[1] == spool_folder(path)
    assert at[1:] == [0, 1]  # the content before it has its name, the folder after


def test_the_order_is_that_of_arrival_and_what_is_stored_again_by_another_spool_counts_once(
    spool: Spool, path: Path, opened: Opened, feeding: SimpleNamespace
) -> None:
    for n in (3, 1, 2):
        spool.store(feeding.hl7(n))
    with opened() as department:
        other = Spool(path, make_key(department.workspace))
    other.store(feeding.hl7(1))
    assert len(waiting(path)) == 3
    content = other.content(other.batch(waiting(path)))
    assert content.split(b"\x0b")[1:] == [feeding.hl7(n) + b"\x1c\r" for n in (3, 1, 2)]


def test_reports_count_on_their_day_and_once_however_many_imports_there_are(opened: Opened) -> None:
    now = datetime.now(UTC)

    def came(n: int, at: datetime) -> PastImport:
        return PastImport(at, ("x",), 3, new=2, changed=1, unchanged=0, rejected=0, readings=(f"{at.date()} {n}",))

    with opened() as department:
        for days in (1, 0):
            for n in range(210):
                past = came(n, now - timedelta(days=days))
                assert keep(department, None, [past]) == [past]
                assert keep(department, None, [past]) == []
        status = feed_status(department)
    assert status is not None
    assert (status.n_today, status.latest, status.error) == (630, now, None)


def test_a_department_without_a_feed_has_no_status(path: Path, opened: Opened) -> None:
    with opened() as department:
        assert feed_status(department) is None
    with Workspace.open(path, "plum tree over the wall", read_only=True) as workspace:
        assert workspace.results("feed") == {}
