"""Files are written whole or not at all; records survive the way to JSON and back."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import re
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.advice.records import Advice, Substitution, Withheld
from radcal.advice.stored_analysis import Analysis
from radcal.calibration.analysis_records import AuthorPairs, Provenance
from radcal.calibration.records import Curve, PhraseRate, Reliability
from radcal.system import files
from radcal.system.errors import InputError
from radcal.system.files import (
    file_name,
    file_stem,
    free_name,
    plain_to_record,
    record_to_plain,
    writing,
)


def _analysis() -> Analysis:
    arrays = [np.array([i / 10, np.nan, 1.0]) for i in range(9)]
    rates = (PhraseRate("likely", 87.0, 41.0, 41 / 87, 0.37, 0.57, 0.72),)
    return Analysis(
        (
            Reliability("Avery", "edema", 87.0, rates, curve=Curve(*arrays), ece=0.14),
            Reliability("Avery", "mass", 3.0, ()),
        ),
        (("Avery", "edema", "entered", 87),),
        Provenance(
            "rules", "1", "h", "lexicon 1", 0, {"numpy": "2"}, datetime(2026, 1, 2), None, 87, datetime.now(UTC)
        ),
        (AuthorPairs("Avery", 90, 2, datetime(2026, 1, 2), None),),
        advices=(
            Advice(
                "Avery",
                "edema",
                87.0,
                "ordered",
                ("likely",),
                (Substitution("likely", "may represent", 1.0, 87.0, 0.9),),
                (Withheld("maybe", "4 uses; advice needs 10."),),
                cost=np.array([[0.0, -0.5]]),
            ),
        ),
    )


def test_records_come_back_from_json_as_they_were() -> None:
    analysis = _analysis()
    back = plain_to_record(json.loads(json.dumps(record_to_plain(analysis))), Analysis)
    assert repr(back) == repr(analysis)  # arrays and NaN have no plain equality


def test_numbers_come_back_as_numbers_however_they_were_written() -> None:
    """Whole ones without a point, as many a program writes them, and none at all."""
    curve = plain_to_record({f.name: [0, None] for f in dataclasses.fields(Curve)}, Curve)
    for field in dataclasses.fields(Curve):
        np.testing.assert_array_equal(getattr(curve, field.name), np.array([0.0, np.nan]), strict=True)


class Judged(NamedTuple):
    """A record that got a second field later."""

    first: float
    second: float = 2.0


def test_a_record_that_was_kept_before_it_had_a_field_has_the_usual_value() -> None:
    assert plain_to_record({"first": 1}, Judged) == Judged(1.0, 2.0)
    assert plain_to_record(record_to_plain(Judged(3.0, 4.0)), Judged) == Judged(3.0, 4.0)


def test_arrays_become_lists_wherever_they_stand() -> None:
    assert record_to_plain({"a": np.array([[1.0, 2.0]])}) == {"a": [[1.0, 2.0]]}


def write(path: Path, text: str = "{}") -> None:
    with writing(path) as file:
        file.write(text)


def test_a_file_takes_its_place_only_when_it_is_whole(tmp_path: Path) -> None:
    out = tmp_path / "new folder" / "within" / "r.txt"
    write(out, "whole")
    with pytest.raises(UnicodeEncodeError):
        write(out, "half \ud800")
    assert out.read_text() == "whole"
    assert [p.name for p in out.parent.iterdir()] == ["r.txt"]


def test_text_is_utf_8_and_its_lines_end_as_written(tmp_path: Path) -> None:
    write(tmp_path / "x.csv", "Größe\n1 µm\r\n")
    assert (tmp_path / "x.csv").read_bytes() == "Größe\n1 µm\r\n".encode()


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be opened there")
def test_all_of_a_file_and_then_its_name_are_forced_onto_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "r.txt"
    forced: list[tuple[bool, object]] = []
    handles: list[int] = []

    def note(handle: int) -> None:
        handles.append(handle)
        seen = os.fstat(handle)
        folder = stat.S_ISDIR(seen.st_mode)
        forced.append((folder, out.exists() if folder else seen.st_size))

    monkeypatch.setattr(os, "fsync", note)
    write(out, "whole")
    assert forced == [(False, len("whole")), (True, True)]
    for handle in handles:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(handle)


def test_an_error_without_words_is_told_by_its_name() -> None:
    assert "x.txt cannot be written: TimeoutError. " in str(files.cannot_write(Path("x.txt"), TimeoutError()))


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"x\.txt cannot be written: .+ Choose another place\."):
        write(tmp_path / "file" / "x.txt")


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "page.txt", "before")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(InputError, match=r"page\.txt cannot be written: No space left on device\. Make room"):
            write(tmp_path / "page.txt", "after")
    assert (tmp_path / "page.txt").read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["page.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="rights are given by the folder there")
@pytest.mark.parametrize("usual", [0o000, 0o022, 0o077])
def test_a_file_is_its_owners_alone_whatever_was_there(tmp_path: Path, usual: int) -> None:
    (tmp_path / "open.txt").touch()
    (tmp_path / "open.txt").chmod(0o666)
    before = os.umask(usual)
    try:
        for name in ("open.txt", "new.txt"):
            write(tmp_path / name)
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_a_name_may_be_as_long_as_the_system_takes(tmp_path: Path) -> None:
    name = "\N{GREEK SMALL LETTER MU}" * 125 + ".csv"  # 254 bytes
    write(tmp_path / name)
    assert [p.name for p in tmp_path.iterdir()] == [name]
    with pytest.raises(InputError, match=r"Choose a shorter name\.$"):
        write(tmp_path / ("\N{GREEK SMALL LETTER MU}" * 128 + ".csv"))
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_what_is_to_be_done_before_a_file_is_there_decides_whether_it_is(tmp_path: Path) -> None:
    seen: list[list[str]] = []

    def look() -> None:
        [part] = tmp_path.iterdir()
        seen.append([part.read_text(), *(p.name for p in tmp_path.glob("r.txt"))])
        raise InputError("The log is full.")

    with pytest.raises(InputError, match="The log is full"), writing(tmp_path / "r.txt", before=look) as file:
        file.write("all of it")
    assert seen == [["all of it"]]
    assert not list(tmp_path.iterdir())


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets time go by."""
    passed = [0.0]
    now, since = time.time, time.monotonic
    monkeypatch.setattr(files.time, "time", lambda: now() + passed[0])
    monkeypatch.setattr(files.time, "monotonic", lambda: since() + passed[0])
    return lambda seconds: passed.__setitem__(0, passed[0] + seconds)


@pytest.mark.parametrize("mode", ["w", "wb"])
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_what_a_killed_program_left_is_cleared_by_the_next_that_writes_there(
    mode: str, tmp_path: Path, clock: Callable[[float], None]
) -> None:
    (tmp_path / ".notes.part").touch()  # of somebody else
    program = (
        "import os, sys; from radcal.system.files import writing; from pathlib import Path\n"
        "with writing(Path(sys.argv[1]), sys.argv[2]): os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, tmp_path / "page.pdf", mode], check=False)  # noqa: S603 - ourselves
    left = [p.name for p in tmp_path.iterdir() if p.name != ".notes.part"]
    assert len(left) == 1
    assert left[0].startswith(".page.")
    write(tmp_path / "a.json")
    assert (tmp_path / left[0]).exists()  # it may be that of a RadCal that is at work
    clock(601)
    write(tmp_path / "b.json")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".notes.part", "a.json", "b.json"]


@pytest.mark.parametrize(("minutes", "abandoned"), [(0, False), (9.9, False), (10.1, True)])
def test_what_nobody_wrote_to_for_ten_minutes_is_abandoned(tmp_path: Path, minutes: float, abandoned: bool) -> None:
    (tmp_path / "a").touch()
    os.utime(tmp_path / "a", (time.time() - 60 * minutes,) * 2)
    assert files.is_abandoned(tmp_path / "a") == abandoned


def test_what_is_left_of_a_workspace_is_known_by_its_name(tmp_path: Path, clock: Callable[[float], None]) -> None:
    begun = [files.unfinished_beside(tmp_path / "chest.radcal") for _ in range(2)]
    assert len(set(begun)) == 2
    for part in begun:
        part.touch()
    clock(601)
    files.clear_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_others_keep_and_what_belongs_to_whole_files_is_never_cleared(
    tmp_path: Path, clock: Callable[[float], None]
) -> None:
    kept = (
        "chest.radcal-journal",  # of a workspace that was not closed properly: it puts the file in order
        "chest.radcal.lock",
        "chest.unfinished",
        ".chest.unfinished",
        ".thesis.12345678.unfinished.docx",
        ".chest.radcal.0123456.unfinished",
        "report.radcal-part",
    )
    left = (
        ".chest.radcal.0a1b2c3d.unfinished",
        ".chest.radcal.0a1b2c3d.unfinished-journal",
        ".a\nb.x7.radcal-part.csv",
    )
    for name in (*kept, *left):
        (tmp_path / name).touch()
    clock(601)
    with writing(tmp_path / "a.json"):
        pass
    assert {p.name for p in tmp_path.iterdir()} == {*kept, "a.json"}


def test_a_folder_is_looked_through_once_in_a_while(
    tmp_path: Path, clock: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Path] = []
    real = Path.glob
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: looked.append(folder) or real(folder, pattern))
    for k in range(5):
        write(tmp_path / f"{k}.json")
    assert looked == [tmp_path]
    clock(601)
    write(tmp_path / "6.json")
    assert looked == [tmp_path] * 2


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("Müller, Dr. A.", "Mueller-Dr-A"),
        ("Élodie d\u2019Arc-Straße", "Elodie-dArc-Strasse"),
        ('a/b\\c:d*e?f"g<h>i|j', "a-b-c-d-e-f-g-h-i-j"),
        (" .. ", "radcal"),
        ("", "radcal"),
        ("\u5c71\u7530", "radcal"),
        ("CON", "CON_"),
        ("Com1", "Com1_"),
        ("LPT9", "LPT9_"),
        ("com\u00b3", "com3_"),  # Windows takes the superscript for the digit
        ("COM0", "COM0"),
        ("COM10", "COM10"),
        ("x\n\ty", "x-y"),
        ("u\u0308ber", "ueber"),
        ("exe.\u202efdp", "exe-fdp"),  # shown backwards, it would end in pdf
        ("x" * 79 + " yz", "x" * 79),
        ("x" * 81, "x" * 80),
    ],
)
def test_any_text_becomes_the_name_of_a_file(text: str, stem: str, tmp_path: Path) -> None:
    assert file_stem(text) == stem
    (tmp_path / f"{stem}.pdf").write_bytes(b"")


@given(st.text(max_size=200))
def test_a_proposed_name_is_one_on_every_system_and_in_mails(text: str) -> None:
    for name in (file_stem(text), file_name(text), file_name(f"{text}.csv")):
        assert re.fullmatch(r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[a-z0-9]{1,8})?", name)
        assert len(name) <= 90
        assert not re.fullmatch(r"(?i)(con|prn|aux|nul|(com|lpt)[1-9])(\..*)?", name)
        assert file_name(name) == name
    assert file_name(f"{text}.csv").endswith(".csv")


def test_a_suffix_stays() -> None:
    assert file_name("Edema: all radiologists, 2026.svg") == "Edema-all-radiologists-2026.svg"
    assert file_name("Dr. Who") == "Dr-Who"
    assert file_name("NUL.csv") == "NUL_.csv"
    assert file_name(".csv") == "radcal.csv"


def test_a_name_that_is_taken_gets_the_next_number(tmp_path: Path) -> None:
    for expected in ("avery.radcal", "avery-2.radcal", "avery-3.radcal"):
        free = free_name(tmp_path / "avery.radcal")
        assert free == tmp_path / expected
        free.touch()
    (tmp_path / "avery-2.radcal").unlink()
    assert free_name(tmp_path / "avery.radcal").name == "avery-2.radcal"
