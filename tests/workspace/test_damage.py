from __future__ import annotations

import contextlib
import errno
import io
import os
import random
import shutil
import sys
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd
import pytest

from radcal.reports.storage import save_import
from radcal.system.errors import Cancelled, DataError
from radcal.workspace import database, pages
from radcal.workspace.errors import (
    DamagedWorkspace,
    DiskFull,
    NoAccess,
    NoSuchWorkspace,
    NotAWorkspace,
    WrongPassphrase,
)
from radcal.workspace.restoring import look_into, restore
from radcal.workspace.store import Workspace

PAGE = 4096
DICE = random.Random(1)  # noqa: S311 - damage, not keys
NOISE = DICE.randbytes(3 * PAGE)


@pytest.fixture
def saved(path, ws, make) -> bytes:
    """The bytes of a closed workspace of some 100 pages, most of them report texts."""
    save_import(ws, make.imp({f"xray:{i}": f"{i} " + "Clear lungs. " * 90 for i in range(300)}))
    ws.close()
    return path.read_bytes()


def other_files() -> dict[str, tuple[bytes, str]]:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("xl/workbook.xml", NOISE[:5000])
    report = "accession,text\nA1,Lungs clear.\nA2,Größe normal.\n" * 200
    return {
        "empty": (b"", "is empty"),
        "utf-8 text": (report.encode(), "is a text file"),
        "latin-1 text": (report.encode("latin-1"), "is a text file"),
        "utf-16 text": (report.encode("utf-16"), "is a text file"),
        "short text": (b"hello", "is a text file"),
        "zip": (archive.getvalue(), "is a ZIP archive or an Office file"),
        "pdf": (b"%PDF-1.7\n%\xe2\xe3" + NOISE[:5000], "is a PDF"),
        "old Excel": (b"\xd0\xcf\x11\xe0" + NOISE[:5000], "is an old Office file"),
        "sqlite": (b"SQLite format 3\0" + bytes(8176), "is an SQLite database without encryption"),
        "short random": (NOISE[:500], "too short"),
        "random": (NOISE[:5000], "is not a RadCal workspace, or was not copied to its end"),
    }


@pytest.mark.parametrize("kind", list(other_files()))
def test_files_of_other_kinds_are_recognised(path, kind, make):
    content, message = other_files()[kind]
    path.write_bytes(content)
    for read_only in (False, True):
        with pytest.raises(NotAWorkspace, match=message):
            Workspace.open(path, make.passphrase, read_only=read_only)
    assert path.read_bytes() == content
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_random_pages_cannot_be_told_from_a_workspace_with_another_passphrase(path, make):
    path.write_bytes(NOISE[: 3 * PAGE])
    with pytest.raises(WrongPassphrase, match="or its first bytes are damaged"):
        Workspace.open(path, make.passphrase)


def test_an_sqlcipher_file_of_another_program_is_no_workspace(path, make):
    path.touch()
    other = database.Database(path, make.passphrase)
    other.execute("CREATE TABLE a (b)")
    other.close()
    with pytest.raises(NotAWorkspace, match="RadCal did not make it"):
        Workspace.open(path, make.passphrase)
    path.unlink()
    path.touch()
    with pytest.raises(NotAWorkspace):
        Workspace.open(path, make.passphrase)


@pytest.mark.parametrize("offset", [16, 2000, PAGE - 1])
def test_a_damaged_first_page_is_told_from_a_wrong_passphrase(path, saved, make, offset):
    make.spoil(path, offset)
    with pytest.raises(DamagedWorkspace, match=r"The passphrase fits, but the beginning .* is damaged. Open a backup"):
        Workspace.open(path, make.passphrase)
    with pytest.raises(WrongPassphrase):
        Workspace.open(path, "wrong")
    assert "nothing can be read" in Workspace.check(path, make.passphrase)[0]


def test_a_damaged_salt_reads_as_a_wrong_passphrase_whose_message_mentions_that(path, saved, make):
    path.write_bytes(bytes(16) + saved[16:])
    with pytest.raises(WrongPassphrase, match="first bytes are damaged: open a backup"):
        Workspace.open(path, make.passphrase)


@pytest.mark.parametrize("length", [PAGE, 10 * PAGE, 10 * PAGE + 100, -PAGE, -1])
def test_a_file_that_was_not_copied_to_its_end_is_damaged(path, saved, make, length):
    # Zeros at the end are read as if they were there: nothing is lost without them.
    path.write_bytes(saved[:length] if saved[length:].strip(b"\0") else saved.rstrip(b"\0")[:-1])

    def read_all() -> None:
        with Workspace.open(path, make.passphrase) as cut:
            cut.reports()
            cut.audit()

    with pytest.raises(DamagedWorkspace, match="Open a backup"):
        read_all()


def test_a_flipped_bit_in_any_page_is_found_and_never_read_as_data(path, saved, make):
    whole = Workspace.open(path, make.passphrase)
    expected = whole.reports()["text"].tolist()
    whole.close()
    pages = len(saved) // PAGE
    assert pages > 80
    assert Workspace.check(path, make.passphrase) == ()
    counted = 0
    for page in [*range(1, 5), *DICE.sample(range(5, pages), 12)]:
        path.write_bytes(saved)
        make.spoil(path, page * PAGE + DICE.randrange(PAGE))
        with contextlib.suppress(DamagedWorkspace), Workspace.open(path, make.passphrase) as opened:
            assert opened.reports()["text"].tolist() == expected
        problems = Workspace.check(path, make.passphrase)
        counted += problems[0] == f"1 of {pages} pages are damaged."
        assert problems[0].startswith((f"1 of {pages} pages", "The pages that say where everything is are damaged"))
    assert counted >= 12  # only the pages of the schema make everything unreadable


def test_the_check_says_what_can_still_be_read(path, saved, make):
    make.spoil(path, *range(-20 * PAGE + 7, -10 * PAGE, PAGE))  # texts, written last
    problems = Workspace.check(path, make.passphrase)
    assert problems == (
        f"10 of {len(saved) // PAGE} pages are damaged.",
        "Can still be read: settings, pairs, findings, marks of texts, results, observations, gold sets, audit log.",
        "Cannot be read in full: reports.",
    )
    with Workspace.open(path, make.passphrase) as opened:
        assert opened.settings.seed == 0
        assert len(opened.audit()) == 2
        with pytest.raises(DamagedWorkspace, match="a check of the workspace tells which"):
            opened.reports()


def test_the_check_reads_what_lies_behind_the_beginning_of_a_large_value(path, ws, make):
    ws.save_frame("large", pd.DataFrame({"a": np.frombuffer(DICE.randbytes(200_000), dtype=np.int64)}))
    ws.close()
    make.spoil(path, -10 * PAGE + 7)  # written last, over many pages
    problems = Workspace.check(path, make.passphrase)
    assert problems[0].startswith("1 of ")
    assert problems[2] == "Cannot be read in full: observations."


def test_the_check_changes_nothing_not_even_what_a_crash_left(path, ws, make, monkeypatch):
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    crashed = path.with_name("crashed.radcal")
    journal, left = (p.with_name(p.name + "-journal") for p in (path, crashed))
    ws._db.execute("PRAGMA cache_size = 1")  # make SQLite write in the middle of the transaction
    with ws.transaction():
        ws.set_meta("a", "b" * 100_000)
        ws.set_meta("c", "d" * 100_000)
        shutil.copy(path, crashed)
        shutil.copy(journal, left)
    before = crashed.read_bytes(), left.read_bytes()
    with pytest.raises(NoAccess, match="put in order first: open it once for writing"):
        Workspace.check(crashed, make.passphrase)
    assert (crashed.read_bytes(), left.read_bytes()) == before
    Workspace.open(crashed, make.passphrase).close()
    assert not left.exists()
    assert Workspace.check(crashed, make.passphrase) == ()


@pytest.mark.usefixtures("short_steps")
def test_reading_every_page_can_be_stopped_between_two_steps(path, saved, make, onlooker):
    stopped = onlooker(parts=24)
    with Workspace.open(path, make.passphrase, read_only=True) as opened:
        with pytest.raises(Cancelled):
            opened.check_pages(datetime(2026, 11, 22, tzinfo=UTC), stopped)
        assert (stopped.done, len(stopped.notes)) == (24, 3)
        assert opened.check_pages(datetime(2026, 11, 22, tzinfo=UTC)).damaged == 0


class Disk:
    """A file on a disk or share that returns at most 5,000 bytes at once, and fails at some bytes."""

    def __init__(self, file: IO[bytes], fails: Callable[[int, int], int]) -> None:
        self._file, self._fails = file, fails
        self.seek, self.close = file.seek, file.close

    def read(self, n: int) -> bytes:
        begin = self._file.tell()
        if code := self._fails(begin, begin + n):
            raise OSError(code, os.strerror(code))
        return self._file.read(min(n, 5000))


@pytest.fixture
def on_disk(path, monkeypatch) -> Callable[..., None]:
    real = Path.open

    def on(fails: Callable[[int, int], int]) -> None:
        def opened(file: Path, *args: Any, **named: Any) -> Any:
            found = real(file, *args, **named)
            return Disk(found, fails) if named.get("buffering") == 0 else found

        monkeypatch.setattr(Path, "open", opened)

    return on


def test_short_reads_are_no_damage_and_unreadable_sectors_are(path, saved, make, on_disk):
    bad = [7, 8, 30]
    with Workspace.open(path, make.passphrase) as opened:
        on_disk(lambda _begin, _end: 0)
        assert opened._db.damaged_among_all() == []
        on_disk(lambda begin, end: errno.EIO * any(begin < page * PAGE and end > (page - 1) * PAGE for page in bad))
        assert opened._db.damaged_among_all() == bad


def test_a_share_that_is_lost_is_told_with_what_to_do(path, saved, make, on_disk, monkeypatch):
    with Workspace.open(path, make.passphrase) as opened:
        on_disk(lambda _begin, _end: errno.ENOTCONN)
        with pytest.raises(NoAccess, match=r"could not be read \(.*\)\. Check the disk or the network connection"):
            opened._db.damaged_among_all()
        monkeypatch.setattr(Path, "open", make.refuse(errno.ENOTCONN))
        with pytest.raises(NoAccess, match="Check the disk or the network connection"):
            opened._db.damaged_among_all()


def test_the_check_needs_the_file_and_the_passphrase(path, saved, make, tmp_path):
    with pytest.raises(WrongPassphrase):
        Workspace.check(path, "wrong")
    with pytest.raises(NoSuchWorkspace):
        Workspace.check(tmp_path / "none", make.passphrase)


def test_the_check_can_be_stopped_at_every_moment(path, saved, make, onlooker, monkeypatch):
    monkeypatch.setattr(database, "_PAGES_AT_ONCE", 20)
    for places in ((), (-PAGE + 7,)):
        make.spoil(path, *places)
        watched = onlooker()
        shown = Workspace.check(path, make.passphrase, watched)
        assert watched.looks > 5
        for looks in (0, watched.looks // 2, watched.looks - 1):
            with pytest.raises(Cancelled):
                Workspace.check(path, make.passphrase, onlooker(looks=looks))
        assert Workspace.check(path, make.passphrase) == shown


def test_the_remedy_for_a_missing_file_fits_what_was_wanted(tmp_path, make):
    gone, place = tmp_path / "gone.radcal", tmp_path / "w.radcal"
    with pytest.raises(NoSuchWorkspace, match="`radcal restore` puts a backup in its place"):
        Workspace.check(gone, make.passphrase)
    for look in (look_into, lambda *a: restore(a[0], place, a[1])):
        with pytest.raises(NoSuchWorkspace, match=r"gone\.radcal\. Check the name of the backup\.$"):
            look(gone, make.passphrase)


def test_inconsistent_tables_in_sound_pages_are_found(path, ws, make):
    save_import(ws, make.imp({"xray:1": "Clear lungs.", "xray:2": "Edema."}))
    ws._db.execute("PRAGMA writable_schema = ON")
    ws._db.execute("UPDATE sqlite_master SET sql = replace(sql, 'author TEXT NOT NULL', 'author INTEGER NOT NULL')")
    ws.close()
    assert "not all go together" in Workspace.check(path, make.passphrase)[0]


def test_a_full_disk_loses_the_step_and_nothing_else(path, ws, make):
    save_import(ws, make.imp({"xray:1": "Clear lungs."}))
    used = ws._db.number("page_count")
    ws._db.execute(f"PRAGMA max_page_count = {used + 3}")
    with pytest.raises(DiskFull, match=r"This step was not saved, everything before it was. Free some space"):
        save_import(ws, make.imp({f"xray:{i}": f"{i}" * 500 for i in range(2, 200)}))
    assert ws.reports()["report_id"].tolist() == ["xray:1"]
    ws._db.execute("PRAGMA max_page_count = 100000")
    save_import(ws, make.imp({f"xray:{i}": f"{i}" * 500 for i in range(2, 200)}))
    assert len(ws.reports()) == 199
    ws.close()
    assert Workspace.check(path, make.passphrase) == ()


def test_a_change_whose_first_half_found_no_space_cannot_save_its_second(ws):
    ws._db.execute(f"PRAGMA max_page_count = {ws._db.number('page_count') + 3}")

    def both_halves() -> None:
        with ws.transaction():
            with pytest.raises(DiskFull):
                ws.set_meta("first", "x" * 100_000)
            ws.set_meta("second", "x")

    with pytest.raises(DataError, match="An earlier part of this change failed"):
        both_halves()
    assert ws.get_meta("second") is None
    ws.set_meta("third", "x")
    assert ws.get_meta("third") == "x"


LIMITED = """
import resource, sys
from radcal.workspace.store import Workspace
from radcal.workspace.errors import WorkspaceError
path, passphrase, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    if path.endswith("new"):
        Workspace.create(path, passphrase)
    with Workspace.open(path, passphrase) as w:
        with w.transaction():
            for i in range(100):
                w.set_meta(str(i), "x" * 10000)
except WorkspaceError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on file sizes")
@pytest.mark.parametrize("new", [False, True])
def test_a_write_that_the_system_refuses_is_undone(path, ws, make, new):
    ws.close()
    size = path.stat().st_size
    target = path.with_name("new") if new else path
    limit = size // 2 if new else size + 100_000
    said, _ = make.start(LIMITED, target, make.passphrase, limit).communicate()
    assert said.startswith(("DiskFull ", "NoAccess "))
    assert "before" in said
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    with Workspace.open(path, make.passphrase) as again:
        assert again.get_meta("0") is None
    assert Workspace.check(path, make.passphrase) == ()


def test_values_that_no_file_can_take_are_errors_of_the_data(ws):
    with pytest.raises(DataError, match="half characters"):
        ws.set_meta("a", "\ud800")
    with pytest.raises(DataError, match="does not take these values"):
        ws.set_meta("a", None)


def test_the_message_code_of_a_page_follows_the_published_format(path, saved, make):
    those = [saved[i : i + PAGE] for i in range(0, 3 * PAGE, PAGE)]
    words = database.normalised(make.passphrase)
    right, other_rounds = (pages.Key.derived(words, saved[:16], rounds) for rounds in (1000, 1001))
    other_salt = pages.Key.derived(words, bytes(16), 1000)
    for number, page in enumerate(those, 1):
        assert right.fits(page, number)
        assert not right.fits(page, number + 1)
        assert not right.fits(page[:-1], number)
        assert not other_rounds.fits(page, number)
        assert not other_salt.fits(page, number)


def test_sync_needs_the_file_but_not_the_folder(tmp_path, make, monkeypatch):
    file = tmp_path / "f"
    file.touch()
    real = os.fsync
    folders = []

    def only_files(fd):
        if Path(f"/proc/self/fd/{fd}").is_dir():
            folders.append(fd)
            raise OSError
        real(fd)

    if sys.platform != "linux":
        pytest.skip("descriptors are looked up under /proc")
    monkeypatch.setattr(os, "fsync", only_files)
    database.sync(file)
    assert len(folders) == 1
    with pytest.raises(OSError, match="Bad file descriptor"):  # it was closed nevertheless
        os.fstat(folders[0])

    monkeypatch.setattr(os, "fsync", make.refuse(errno.EIO))
    with pytest.raises(OSError, match="Input/output"):
        database.sync(file)


def test_a_journal_that_cannot_be_opened_is_a_matter_of_access(path, ws):
    path.with_name(path.name + "-journal").mkdir()
    with pytest.raises(NoAccess, match=r"could not be read or written \(SQLITE_\w+\)"):
        ws.set_meta("a", "b")
    path.with_name(path.name + "-journal").rmdir()
    ws.set_meta("a", "c")
    assert ws.get_meta("a") == "c"


def test_no_page_of_a_long_value_is_read_as_zeros(path, ws, make):
    """SQLCipher alone silently returns a damaged last page of a long value as zeros."""
    long = "Clear lungs. " * 3000
    ws.set_meta("long", long)
    ws.close()
    saved = path.read_bytes()
    pages = len(saved) // PAGE
    for page in range(pages - len(long) // PAGE, pages):
        path.write_bytes(saved)
        make.spoil(path, page * PAGE + 100)
        for read in (
            lambda opened: opened.get_meta("long"),
            lambda opened: opened._rows("SELECT value FROM meta WHERE key = 'long'"),
            lambda opened: opened.backup(path.with_name("copy")),
        ):
            with Workspace.open(path, make.passphrase) as opened, pytest.raises(DamagedWorkspace):
                read(opened)
    assert not path.with_name("copy").exists()
