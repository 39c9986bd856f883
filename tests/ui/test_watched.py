"""What the program leaves behind in the folders that nobody chose: the temporary one, the home, the current one.

The reports carry words that stand nowhere else.  The window and the command line do all that they can do, and every
file that comes to be in these folders meanwhile, however shortly, must be one that is listed here, without the words.
"""

from __future__ import annotations

import csv
import ctypes
import fnmatch
import itertools
import os
import re
import select
import stat
import struct
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from radcal import cli
from radcal.calibration.records import ALL_AUTHORS
from radcal.opening import open_department
from radcal.reports.importing import ReportFile
from radcal.reports.records import Modality
from radcal.system import exports
from radcal.system.kinds import FileKind
from radcal.system.resources import resource
from radcal.workspace.store import Workspace
from ui.kit.picture import PictureCard
from ui.kit.table import DataTable
from ui.pages.feedback.saving import Kind
from ui.pages.feedback.work import Whose
from ui.stages import stages
from ui.widgets.messages import Message
from ui.window.main_window import MainWindow

PASSPHRASE = "correct horse battery"
REPORTS = 30
SAID, NAMED = "quokkaland", "Wombatson"
"""Stands in every report; in every radiologist's name."""
ALLOWED = {
    "home/.config/RadCal/*": "the layout of the window and the paths of workspaces, as Qt writes its settings",
    "home/.config/QtProject.conf*": "what Qt's own file dialogs remember: folders",
    "home/.cache/fontconfig/*": "the system's list of fonts",
    "home/.local/state/radcal/faults.log*": "the log of faults, in words of RadCal's own",
    "temporary/????????": "Python tries whether it can write there, and deletes it",
}
_CREATE, _MOVED_TO, _CLOSE_WRITE, _IS_FOLDER = 0x100, 0x80, 0x8, 0x40000000


class Watch:
    """Notes every file that comes to be below a folder, as the kernel tells of it, and looks into what is written."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.made: set[str] = set()
        self.telling: set[str] = set()
        """Files in which one of the words was seen."""
        self._folders: dict[int, Path] = {}
        self._library = ctypes.CDLL(None, use_errno=True)
        self._handle = self._library.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        assert self._handle >= 0
        self._stop_read, self._stop_write = os.pipe()
        self._add(root)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _add(self, folder: Path) -> None:
        wanted = _CREATE | _MOVED_TO | _CLOSE_WRITE
        number = self._library.inotify_add_watch(self._handle, os.fsencode(folder), wanted)
        if number < 0:  # it is gone again
            return
        self._folders[number] = folder
        try:
            made_before = list(folder.iterdir())
        except OSError:  # it is gone by now
            return
        for path in made_before:
            self._add(path) if path.is_dir() else self._note(path)

    def _note(self, path: Path) -> None:
        name = path.relative_to(self.root).as_posix()
        self.made.add(name)
        try:
            content = path.read_bytes().lower()
        except OSError:  # gone again, or not for reading: its name tells
            return
        if any(word.lower().encode(code) in content for word in (SAID, NAMED) for code in ("utf-8", "utf-16-le")):
            self.telling.add(name)

    def _run(self) -> None:
        while self._stop_read not in select.select([self._handle, self._stop_read], [], [])[0]:
            self._read()
        self._read()

    def _read(self) -> None:
        try:
            events = os.read(self._handle, 1 << 20)
        except BlockingIOError:
            return
        while events:
            number, mask, _, length = struct.unpack_from("iIII", events)
            name, events = os.fsdecode(events[16 : 16 + length].rstrip(b"\0")), events[16 + length :]
            assert number in self._folders, "the kernel's queue was too short"
            if not name:  # the folder itself is gone
                continue
            path = self._folders[number] / name
            self._add(path) if mask & _IS_FOLDER else self._note(path)

    def end(self) -> None:
        """Stop, after all that has happened; what is left is looked into once more."""
        os.write(self._stop_write, b"x")
        self._thread.join()
        for path in self.root.rglob("*"):
            if path.is_file():
                self._note(path)
        for handle in (self._handle, self._stop_read, self._stop_write):
            os.close(handle)


@pytest.fixture
def watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """Watches folders of the test's own in place of the temporary one, the home and the current one."""
    if sys.platform != "linux":
        pytest.skip("the kernel tells of files by inotify")
    root = tmp_path / "watched"
    for name in ("home", "temporary", "current"):
        (root / name).mkdir(parents=True)
    for name in ("TMPDIR", "TEMP", "TMP", "SQLITE_TMPDIR"):
        monkeypatch.setenv(name, str(root / "temporary"))
    monkeypatch.setenv("HOME", str(root / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(root / "home" / ".config"))
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.chdir(root / "current")
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(root / "home" / ".config"))
    watching = Watch(root)
    yield watching
    watching.end()


def check(watch: Watch) -> None:
    """Nothing was made but what may be, and no word was in it."""
    watch.end()
    watch.end = lambda: None  # type: ignore[method-assign]  # the fixture would
    unknown = {name for name in watch.made if not any(fnmatch.fnmatch(name, pattern) for pattern in ALLOWED)}
    assert unknown == set()
    assert watch.telling == set()
    assert not [path for name in ("temporary", "current") for path in (watch.root / name).iterdir()]


@pytest.fixture
def reports(tmp_path: Path) -> dict[str, Path]:
    """The first reports of the sample, with the words in them."""
    paths = {}
    for kind in ("xray", "ct"):
        paths[kind] = tmp_path / "reports" / f"{kind}.csv"
        paths[kind].parent.mkdir(exist_ok=True)
        with (
            resource("sample", f"{kind}.csv").open(encoding="utf-8", newline="") as whole,
            paths[kind].open("w", encoding="utf-8", newline="") as part,
        ):
            rows, writer = csv.DictReader(whole), None
            for row in itertools.islice(rows, REPORTS):
                row["Report Text"] = re.sub(r"\.(?=\s|$)", f" {SAID}.", row["Report Text"])
                for who in ("Dictating Radiologist", "Signing Radiologist"):
                    row[who] = re.sub(r"^([^,]+)", rf"\1{NAMED}", row[who])
                writer = writer or csv.DictWriter(part, list(row))
                if part.tell() == 0:
                    writer.writeheader()
                writer.writerow(row)
    return paths


def test_a_watch_sees_what_is_gone_at_once_and_what_is_in_new_folders(watch: Watch, tmp_path: Path) -> None:
    with tempfile.NamedTemporaryFile(mode="w", encoding="utf-8") as file:
        file.write(f"a patient in {SAID}")
    folder = Path.home() / ".config" / "new"
    folder.mkdir(parents=True)
    (folder / "left.txt").write_text(NAMED, encoding="utf-16")
    Path("here.txt").touch()
    watch.end()
    watch.end = lambda: None  # type: ignore[method-assign]
    assert {Path(name).parts[0] for name in watch.made} == {"temporary", "home", "current"}
    assert watch.telling == {"home/.config/new/left.txt"} | {n for n in watch.telling if n.startswith("temporary/")}


@pytest.mark.slow
def test_the_window_leaves_no_word_where_nobody_asked_for_it(
    qtbot: QtBot,
    watch: Watch,
    reports: dict[str, Path],
    open_window: Callable[..., MainWindow],
    close: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    window = open_window()
    shell = window.shell

    def idle() -> None:
        qtbot.waitUntil(lambda: window.tasks.is_idle)

    # A new workspace, and every page.
    window.entrance.make("", out / "chest.radcal", PASSPHRASE)
    qtbot.waitUntil(lambda: shell.opened is not None)
    files = (ReportFile(reports["xray"], Modality.XRAY), ReportFile(reports["ct"], Modality.CT))
    window.entrance.import_reports(files, pytest.fail)
    qtbot.waitUntil(lambda: window.current_key == "home" and shell.opened is not None and bool(shell.opened.groups))
    assert shell.opened is not None
    department = shell.opened.department
    window.selectors.choose(next(group for group in shell.opened.groups if group.author != ALL_AUTHORS))
    group: Any = window.selectors.current()
    for stage in stages():
        shell.go(stage.key)
        idle()

    # A gold set, read by somebody.
    shell.go("review")
    review = window.page("review")
    idle()
    review.draw_panel.size_field.setValue(2)
    review.draw_panel.draw.click()
    qtbot.waitUntil(lambda: review.views.currentWidget() is review.reader_panel)
    review.reader_panel.name.setEditText("AB")
    qtbot.keyClick(review.reader_panel.name.lineEdit(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: review.session is not None)
    for _ in range(2):
        qtbot.keyClick(review.read.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        review.read.findings.nothing.click()
    qtbot.waitUntil(lambda: not len(review.outbox))
    idle()

    # Every table, every picture and every list, in every format.
    numbers = itertools.count()
    suffixes: set[str] = set()

    def save(_title: str, name: str, kinds: Any, make: Callable[[str], exports.Export]) -> None:
        for suffix in re.findall(r"\*(\.\w+)", " ".join(kinds)):
            suffixes.add(suffix)
            shell.write_file(str(out / f"{next(numbers)} {Path(name).stem}{suffix}"), make)

    monkeypatch.setattr(shell, "save_file", save)
    shell.go("results", phrase=window.page("results").model.row(0).phrase)
    qtbot.waitUntil(lambda: window.page("results").cases.model.rowCount() > 0)
    for table in window.findChildren(DataTable):
        table.ask_export()
    for card in window.findChildren(PictureCard):
        for suffix in (".png", ".svg"):
            card.ask_save(suffix)
    window.page("results").card.ask_save("diagram")
    window.page("words").save_list()
    review.ask_export()
    qtbot.waitUntil(lambda: ".tsv" in suffixes)
    idle()
    assert suffixes == {".csv", ".xlsx", ".png", ".svg", ".tsv"}
    assert any(SAID in path.read_text("utf-8-sig") for path in out.glob("*.csv")), "no table has a sentence"

    # Pages, personal files, a copy, a draft.
    window.saving.save(Kind.PAGES, Whose(group.author, days=group.days), str(out / "page.pdf"))
    idle()
    batch = window.page("feedback").hand_out
    batch.write_files(out / "files", batch.authors(), pages=True, personal_files=True)
    idle()
    window.page("settings").file.back_up(str(out / "copy.radcal"))
    shell.go("feedback", tab="try")
    qtbot.keyClicks(window.page("feedback").trying.draft, f"Likely edema in {SAID}.")
    idle()
    assert Message.FILE_FAILED not in window.messages.shown()
    kinds = {path.suffix for path in out.rglob("*")}
    assert kinds >= {".csv", ".xlsx", ".png", ".svg", ".tsv", ".pdf", ".radcal"}
    _are_whole_and_their_owners_alone(out)

    # The personal file.
    [written] = [w for w in department.handing_out.handed_out() if w.author == group.author]
    window.entrance.open_workspace(written.files[-1], written.passphrase)
    qtbot.waitUntil(lambda: shell.opened is not None and shell.opened.department is not department)
    for stage in stages():
        if FileKind.PERSONAL in stage.kinds:
            shell.go(stage.key)
            idle()
    close(window, MainWindow.close)
    check(watch)

    with Workspace.open(out / "chest.radcal", PASSPHRASE, read_only=True) as workspace:
        entries = workspace.audit()["what"]
    entered = {what.partition(": ")[2] for what in entries if what.startswith("exported ")}
    # Backups have entries of their own.
    exported = {path.name for path in out.rglob("*.*") if "chest.backups" not in path.parts}
    # What is for one radiologist is entered by the pseudonym.
    handed = {"page.pdf"} | {path.name for path in (out / "files").iterdir() if path.suffix != ".json"}
    assert sum(what.startswith("handed out ") for what in entries) == len(handed)
    assert entered == exported - handed - {"chest.radcal", "chest.radcal.lock", "copy.radcal"}
    assert not any(SAID in what for what in entries)


@pytest.mark.slow
def test_the_command_line_leaves_no_word_where_nobody_asked_for_it(
    watch: Watch, reports: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    monkeypatch.setenv("RADCAL_PASSPHRASE", PASSPHRASE)
    monkeypatch.setenv("RADCAL_PERSONAL_PASSPHRASE", "plum tree and more")
    given = tmp_path / "given"
    given.mkdir()
    (given / "quick.json").write_text('{"bootstrap": 30, "min_group_n": 5}')
    (given / "OBS.csv").write_text(f"author,topic,phrase,outcome\n{NAMED},edema,likely,1\n{NAMED},edema,may,0\n")
    with reports["xray"].open(encoding="utf-8", newline="") as file:
        header, *rows = itertools.islice(csv.reader(file), 4)
    with (given / "three.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    (given / "gold.tsv").write_text(f"{rows[0][0]}\t1\tedema\tlikely\t-\n")
    workspace = ("--workspace", out / "w.radcal")

    def radcal(*words: object) -> int:
        return cli.main([str(word) for word in words])

    steps = [
        ("run", "--xray", reports["xray"], "--ct", reports["ct"], *workspace, "--out", out / "pages",
         "--settings", given / "quick.json"),
        ("extract", given / "three.csv", "--out", out / "findings.csv"),
        ("extract", given / "three.csv", "--out", out / "llama.csv", "--set", "engine=llama"),
        ("reliability", given / "OBS.csv", "--out", out / "r.json"),
        ("advise", given / "OBS.csv", "--out", out / "a.json"),
        ("gold", given / "gold.tsv", out / "findings.csv"),
        ("review", *workspace, "--out", out / "look.csv"),
        ("personal", *workspace, "--out", out / "files", "--passphrases", out / "secrets.csv"),
        ("demo", "--out", out / "demo", "--pairs", 1, "--settings", given / "quick.json"),
    ]  # fmt: skip
    out.mkdir()
    for step in steps:
        assert radcal(*step) in (0, 1), step
    with open_department(out / "w.radcal", PASSPHRASE, read_only=True) as department:
        author = department.names.name_of(department.authors()[0])
    assert NAMED.lower() in author.lower()
    assert radcal("report", *workspace, "--author", author, "--out", out / "page.pdf") == 0
    assert radcal("personal", *workspace, "--author", author, "--out", out / "own.radcal") == 0
    assert radcal("check", *workspace) == 0
    assert radcal("backup", *workspace, "--out", out / "copy.radcal") == 0
    assert radcal("restore", out / "copy.radcal", *workspace) == 0
    assert radcal("audit", *workspace, "--out", out / "audit.csv") == 0
    assert SAID in (out / "findings.csv").read_text("utf-8")
    _are_whole_and_their_owners_alone(out)
    check(watch)


def _are_whole_and_their_owners_alone(out: Path) -> None:
    files = [path for path in out.rglob("*") if path.is_file()]
    assert [path.name for path in files if ".radcal-part" in path.name or ".unfinished" in path.name] == []
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in files if path.stat().st_mode & 0o077} == {}
