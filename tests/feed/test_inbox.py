"""Which files are whole, and where they go: nothing is taken too early, followed elsewhere or overwritten."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from radcal.feed import inbox as inboxes
from radcal.feed.inbox import DONE, ERROR, REASON, Inbox, is_waiting
from radcal.system.errors import InputError
from radcal.system.exports import Exports

posix = pytest.mark.skipif(os.name != "posix", reason="names and links of POSIX systems")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(inboxes, "time", made)
    return made


def names(inbox: Inbox) -> list[str]:
    return [path.name for path in inbox.whole()]


def test_a_file_is_whole_once_neither_size_nor_time_have_changed_for_long_enough(folder: Path, clock: Clock) -> None:
    inbox, file = Inbox(folder, 10), folder / "a.csv"
    file.write_text("half")
    assert names(inbox) == []
    clock.now += 9
    file.write_text("half and more")
    assert names(inbox) == []
    clock.now += 9
    assert names(inbox) == []
    clock.now += 1
    assert names(inbox) == ["a.csv"]
    os.utime(file, ns=(0, 0))  # its time alone
    assert names(inbox) == []
    clock.now += 10
    assert names(inbox) == ["a.csv"]
    file.unlink()
    file.write_text("half and more")  # another file of the same name
    assert names(inbox) == []


@pytest.mark.parametrize(
    "name",
    ["a.csv.part", "a.TMP", "a.csv.filepart", "~a.csv", ".a.csv", "a.csv~", "a.crdownload", "Thumbs.db", "a.partial"],
)
def test_temporary_names_are_left_alone_until_they_are_renamed(folder: Path, name: str) -> None:
    inbox = Inbox(folder, 0)
    (folder / name).write_text("x")
    assert names(inbox) == []
    (folder / name).rename(folder / "a.csv")
    assert names(inbox) == ["a.csv"]


@posix
def test_neither_links_nor_folders_nor_pipes_are_followed(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.csv"
    elsewhere.write_text("x")
    (folder / "link.csv").symlink_to(elsewhere)
    (folder / "gone.csv").symlink_to(tmp_path / "nothing")
    (folder / "below").mkdir()
    (folder / "below" / "b.csv").write_text("x")
    os.mkfifo(folder / "pipe.csv")
    assert names(Inbox(folder, 0)) == []
    assert not any(map(is_waiting, folder.iterdir()))


@posix
@pytest.mark.parametrize("own", [DONE, ERROR])
def test_a_link_in_the_place_of_its_own_folders_is_refused(folder: Path, tmp_path: Path, own: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (folder / own).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="but a link"):
        Inbox(folder, 0)
    (folder / own).unlink()
    inbox = Inbox(folder, 0)
    (folder / "a.csv").write_text("x")
    [path] = inbox.whole()
    (folder / own).rmdir()
    (folder / own).symlink_to(tmp_path / "elsewhere")  # put there later
    with pytest.raises(InputError, match="but a link"):
        inbox.done(path) if own == DONE else inbox.place_of_failed(path)
    assert path.exists()


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder"):
        Inbox(tmp_path / "none", 0)


def test_what_lies_there_already_is_not_overwritten(folder: Path) -> None:
    inbox, write = Inbox(folder, 0), Exports()
    for content in ("first", "second", "third"):
        (folder / "a.csv").write_text(content)
        [path] = inbox.whole()
        assert inbox.done(path) == ""
    there = {path.name: path.read_text() for path in (folder / DONE).iterdir()}
    assert there == {"a.csv": "first", "a-2.csv": "second", "a-3.csv": "third"}
    (folder / ERROR / f"a.csv{REASON}").write_text("of somebody else")
    for content in ("fourth", "fifth"):
        (folder / "a.csv").write_text(content)
        [path] = inbox.whole()
        assert inbox.failed(path, inbox.place_of_failed(path), f"The {content}.", write) == ""
    there = {path.name: path.read_text() for path in (folder / ERROR).iterdir()}
    assert there == {
        f"a.csv{REASON}": "of somebody else",
        "a-2.csv": "fourth",
        f"a-2.csv{REASON}": "The fourth.\n",
        "a-3.csv": "fifth",
        f"a-3.csv{REASON}": "The fifth.\n",
    }


def test_one_that_was_changed_meanwhile_stays(folder: Path) -> None:
    inbox = Inbox(folder, 0)
    (folder / "a.csv").write_text("first")
    [path] = inbox.whole()
    path.write_text("first, and more")
    assert inbox.done(path) == ""
    assert path.exists()
    assert names(inbox) == ["a.csv"]


def test_one_that_is_gone_is_no_fault(folder: Path) -> None:
    inbox = Inbox(folder, 0)
    (folder / "a.csv").write_text("first")
    [path] = inbox.whole()
    path.unlink()
    assert inbox.done(path) == ""


def test_one_that_cannot_be_moved_is_told_once_and_not_offered_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox = Inbox(folder, 0)
    (folder / "a.csv").write_text("first")
    [path] = inbox.whole()

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refuse)
        assert inbox.done(path) == "a.csv cannot be moved: Permission denied."
    assert names(inbox) == []
    time.sleep(0.01)
    path.write_text("changed")
    assert names(inbox) == ["a.csv"]


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="its file system refuses such names")
def test_hostile_names_are_shown_without_their_signs(folder: Path) -> None:
    inbox, write = Inbox(folder, 0), Exports()
    unshown = [b"line\nbreak.csv", b"caf\xe9.csv", b"\xe2\x80\xaegnp.csv"]
    hostile = [*unshown, b"--out.csv", b"x" * 251 + b".csv", b"a;rm b.csv"]
    for name in hostile:
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text("x")
    found = inbox.whole()
    assert len(found) == len(hostile)
    assert {path.name for path in found if inbox.refused(path)} == set(map(os.fsdecode, unshown))
    for path in found:
        place = inbox.place_of_failed(path)
        assert inbox.failed(path, place, "No.", write) == ""
        assert place.exists()
        assert place.parent == folder / ERROR
        assert place.suffix == ".csv"
    there = [path.name for path in (folder / ERROR).iterdir()]
    assert all(name.isprintable() and len(name.encode()) <= 255 for name in there)
    assert {"line_break.csv", "caf_.csv", "_gnp.csv", "--out.csv", "a;rm b.csv"} <= set(there)
