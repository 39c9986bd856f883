"""Files are opened in one way: what is no file is refused at once, each kind in a sentence of its own."""

from __future__ import annotations

import errno
import os
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from radcal import cli
from radcal.reports.preview import preview_file
from radcal.reports.readers import read_reports
from radcal.reports.reasons import FILE_LOOP, FILE_MISSING, FILE_NAME_TOO_LONG, NO_REGULAR_FILE
from radcal.system import inputs
from radcal.system.errors import Cancelled, InputError
from radcal.workspace.store import Workspace

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has neither pipes nor links that everybody can make")


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.csv")
    return folder / "pipe.csv"


def _loop(folder: Path) -> Path:
    (folder / "loop.csv").symlink_to(folder / "other.csv")
    (folder / "other.csv").symlink_to(folder / "loop.csv")
    return folder / "loop.csv"


def _socket(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(folder)  # the path of a socket may have hardly a hundred characters
        try:
            made.bind("s.csv")
        finally:
            os.chdir(here)
    return folder / "s.csv"


ODD: dict[str, tuple[Callable[[Path], Path], str]] = {
    "missing": (lambda folder: folder / "none.csv", "There is no file"),
    "in a file": (lambda _: Path(__file__) / "x.csv", "There is no file"),
    "folder": (lambda folder: folder, "is a folder"),
    "pipe": (_pipe, "is a pipe, not a file"),
    "socket": (_socket, "is a device or a socket"),
    "device": (lambda _: Path(os.devnull), "is a device or a socket"),
    "loop": (_loop, "is a link that leads back to itself"),
    "long": (lambda folder: folder / ("x" * 252 + ".csv"), "is too long for the name of a file"),
    "NUL": (lambda folder: folder / "a\0b.csv", "no name that a file can have"),
}


@pytest.mark.parametrize("kind", ODD)
def test_what_is_no_file_is_refused_in_a_sentence_of_its_own(tmp_path: Path, kind: str) -> None:
    make, shown = ODD[kind]
    path = make(tmp_path)
    with pytest.raises(InputError, match=shown) as caught:
        inputs.read_bytes(path)
    assert len(str(caught.value)) < 300
    others = {text for _, text in ODD.values()} - {shown}
    assert not any(text in str(caught.value) for text in others)


def test_a_link_to_a_file_is_read_as_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"words")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert inputs.read_bytes(tmp_path / "link") == b"words"


def test_a_file_that_turns_into_a_pipe_before_it_is_opened_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.csv").write_bytes(b"words")
    opened, pipe = os.open, _pipe(tmp_path)
    monkeypatch.setattr(inputs.os, "open", lambda path, flags: opened(pipe, flags))
    with pytest.raises(InputError, match="is a pipe"):
        inputs.read_bytes(tmp_path / "x.csv")


def test_reading_stops_between_its_parts(tmp_path: Path, onlooker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_bytes(bytes(10))
    monkeypatch.setattr(inputs, "_PART", 3)
    with pytest.raises(Cancelled):
        inputs.read_bytes(tmp_path / "x", onlooker(looks=1))


def test_an_error_of_the_disk_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b"words")
    with (
        pytest.raises(InputError, match=r"x\.csv cannot be read \(Input/output error\)"),
        inputs.reading(tmp_path / "x.csv"),
    ):
        raise OSError(errno.EIO, os.strerror(errno.EIO))


# --- whatever people can name on the command line ---------------------------------------------------


def _commands(odd: Path, good: Path, folder: Path) -> dict[str, list[object]]:
    out, ws = folder / "out.json", folder / "w.radcal"
    run = ["run", "--workspace", ws, "--out", folder / "out"]
    observed = [good, "--out", out]
    return {
        "reports": [*run, "--reports", odd],
        "xray": [*run, "--xray", odd],
        "workspace": ["run", "--workspace", odd, "--reports", good, "--out", folder / "out"],
        "settings": [*run, "--reports", good, "--settings", odd],
        "extract": ["extract", odd, "--out", out],
        "model": ["extract", good, "--out", out, "--set", "engine=llama", "--set", f"model={odd}"],
        "prompts": ["extract", good, "--out", out, "--set", "engine=llama", "--set", f"llama_prompts={odd}"],
        "observations": ["reliability", odd, "--out", out],
        "lexicon": ["reliability", *observed, "--lexicon", odd],
        "target use": ["advise", *observed, "--target-use", odd],
        "gold": ["gold", odd, good],
        "findings": ["gold", good, odd],
        "reports of gold": ["gold", good, "--reports", odd],
        "report": ["report", "--workspace", odd, "--author", "A", "--out", folder / "a.pdf"],
        "passphrase": [*run, "--reports", good, "--passphrase-file", odd],
    }


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.csv"
    path.write_text("author,topic,phrase,outcome\na1,edema,likely,1\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["missing", "in a file", "pipe", "socket", "device", "loop", "long"])
def test_no_option_hangs_or_breaks_on_what_is_no_file(
    tmp_path: Path, good: Path, kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADCAL_PASSPHRASE", "plum tree orchard")
    odd = ODD[kind][0](tmp_path)
    shown = {}
    for name, words in _commands(odd, good, tmp_path).items():
        if kind == "pipe" and name in ("settings", "passphrase"):
            continue  # these are waited for
        if name == "workspace" and kind == "missing":
            continue  # it is made
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as left:
            status = left.code
        said = capsys.readouterr().err
        shown[name] = (status, "fault of RadCal" in said, "Traceback" in said, len(said) < 2000)
    assert set(shown.values()) == {(2, False, False, True)}, shown


@pytest.mark.parametrize("kind", ["loop", "long"])
def test_no_output_breaks_on_a_name_that_cannot_be(
    tmp_path: Path, good: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = ODD[kind][0](tmp_path)
    for words in (["reliability", good], ["extract", good], ["demo"]):
        assert cli.main([*map(str, words), "--out", str(odd)]) == 2
        assert ODD[kind][1] in capsys.readouterr().err


def test_a_passphrase_may_come_out_of_a_pipe(tmp_path: Path) -> None:
    from radcal.cli.options import read_text

    pipe = _pipe(tmp_path)
    writer = threading.Thread(target=pipe.write_bytes, args=[b"plum tree\n"])
    writer.start()
    assert read_text(pipe, "passphrase file") == "plum tree\n"
    writer.join()


def test_a_pipe_that_nobody_writes_to_is_left_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from radcal.cli.options import read_text

    def opened(path: Path, flags: int) -> int:
        os.kill(os.getpid(), signal.SIGINT)  # while it is waited for
        return real(path, flags | os.O_NONBLOCK)

    real = os.open
    monkeypatch.setattr(inputs.os, "open", opened)
    deaf = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with pytest.raises(Cancelled):
            read_text(_pipe(tmp_path), "passphrase file")
    finally:
        signal.signal(signal.SIGINT, deaf)


def test_a_file_of_options_without_end_is_no_file_of_options(tmp_path: Path) -> None:
    from radcal.cli.options import MOST_BYTES, read_text

    (tmp_path / "s.json").write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(InputError, match="is longer than"):
        read_text(tmp_path / "s.json", "settings file")


# --- folders with a manifest, and what the window opens ---------------------------------------------


def test_a_manifest_that_names_what_is_no_file_costs_those_rows(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("Likely edema.", encoding="utf-8")
    folder = tmp_path / "reports"
    folder.mkdir()
    (folder / "r0.txt").write_text("Likely edema.", encoding="utf-8")
    (folder / "sub").mkdir()
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    _pipe(folder)
    _loop(folder)
    names = ["r0.txt", "../secret.txt", "out.txt", "none.txt", "x" * 300 + ".txt", "loop.csv", "pipe.csv", "sub", "."]
    rows = [f"A{i},P{i},CR,XR CHEST,2026-03-0{i + 1} 08:00,Doe,{name}" for i, name in enumerate(names)]
    header = "accession,patient id,modality,exam,exam time,radiologist,file"
    (folder / "manifest.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    read = read_reports([folder])
    assert read.reports["text"].tolist() == ["Likely edema."]
    expected = [FILE_MISSING] * 3 + [FILE_NAME_TOO_LONG, FILE_LOOP] + [NO_REGULAR_FILE] * 3
    listed = read.rejected[read.rejected["file"] == "reports/manifest.csv"]
    assert listed["reason"].tolist() == [reason.sentence for reason in expected]
    assert listed["row"].tolist() == list(range(3, 11))


@pytest.mark.parametrize("kind", ODD)
def test_what_the_window_opens_is_refused_in_words(tmp_path: Path, kind: str) -> None:
    path = ODD[kind][0](tmp_path)
    with pytest.raises(InputError):
        preview_file(path)
    with pytest.raises(InputError):
        Workspace.open(path, "plum tree orchard")
    if kind in ("loop", "long", "NUL"):
        with pytest.raises(InputError):
            Workspace.create(path, "plum tree orchard")
