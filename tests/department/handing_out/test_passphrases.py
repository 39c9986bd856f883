"""Passphrases are on the disk before the files that they open, whenever the program is killed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from radcal.cli.pages import hand_out_all
from radcal.department import Department
from radcal.feedback.file_passphrases import FilePassphrase, PassphraseFile, WorkspacePassphrases
from radcal.opening import open_department, open_workspace
from radcal.system.errors import InputError
from radcal.workspace.passphrases import new_passphrase


def is_of(handle: int, path: Path) -> bool:
    return path.exists() and os.path.samestat(os.fstat(handle), path.stat())


def test_they_are_long_random_and_readable() -> None:
    made = {new_passphrase() for _ in range(200)}
    assert len(made) == 200
    assert all([len(group) for group in p.split("-")] == [5, 5, 5, 5] for p in made)
    assert not set("".join(made)) & set("01iloO ")


def test_each_row_is_forced_onto_the_disk_before_its_file_is_begun(
    analysed: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, synced, real = tmp_path / "keys.csv", [b""], os.fsync

    def fsync(handle: int) -> None:
        real(handle)
        if is_of(handle, table):
            synced.append(table.read_bytes())

    order: list[str] = []
    written = analysed.personal_files.write

    def write(author: str, out: Path, passphrase: str) -> Path:
        assert passphrase.encode() in synced[-1]
        assert not out.exists()
        order.append(author)
        return written(author, out, passphrase)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(analysed.personal_files, "write", write)
    hand_out_all(analysed, tmp_path / "out", table)
    assert tuple(order) == analysed.authors()
    assert len(synced) == 1 + 3  # the heading, and each radiologist's row by itself


def test_one_in_the_workspace_is_committed_before_its_file_is_begun(
    analysed: Department, tmp_path: Path, make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = analysed.personal_files.write

    def write(author: str, out: Path, passphrase: str) -> Path:
        with open_department(analysed.path, make.passphrase, read_only=True) as other:  # sees what is committed
            seen = {w.author: (w.files[0], w.passphrase) for w in other.handing_out.handed_out()}
        assert seen[author] == (out, passphrase)
        assert not out.exists()
        return written(author, out, passphrase)

    monkeypatch.setattr(analysed.personal_files, "write", write)
    done = analysed.handing_out.write_all(tmp_path / "out", pages=False, personal_files=True)
    assert [w.failure for w in done] == ["", ""]
    assert {w.author: w.passphrase for w in analysed.handing_out.handed_out()} == {w.author: w.passphrase for w in done}


def test_the_latest_file_of_each_is_told(analysed: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = analysed.authors()

    def write(_author: str, out: Path, _passphrase: str) -> Path:
        out.touch()
        return out

    monkeypatch.setattr(analysed.personal_files, "write", write)
    for _ in range(11):  # no order by name would do: -2 comes before the plain name, and -10 before -2
        [last] = analysed.handing_out.write_all(tmp_path / "out", [first], pages=False, personal_files=True)
    assert last.files[0].stem.endswith("-11")
    analysed.handing_out.write_all(tmp_path / "out", [second], pages=False, personal_files=True)
    shown = {w.author: w for w in analysed.handing_out.handed_out()}
    assert (shown[first].files, shown[first].passphrase) == (last.files, last.passphrase)
    assert set(shown) == {first, second}


def test_what_was_not_written_leaves_no_passphrase(
    analysed: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Any
) -> None:
    first, second = analysed.authors()
    written = analysed.personal_files.write

    def write(author: str, out: Path, passphrase: str) -> Path:
        if author == first:
            raise InputError("There is no room.")
        return written(author, out, passphrase)

    monkeypatch.setattr(analysed.personal_files, "write", write)
    summary = hand_out_all(analysed, tmp_path / "out", tmp_path / "keys.csv")
    assert [row["radiologist"] for row in make.read(tmp_path / "keys.csv")] == [second]
    assert summary["failures"] == [{"radiologist": first, "reason": "There is no room."}]
    analysed.handing_out.write_all(tmp_path / "more", pages=False, personal_files=True)
    assert [w.author for w in analysed.handing_out.handed_out()] == [second]


def test_a_full_disk_holds_back_the_files_and_not_the_passphrases_before(
    analysed: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Any
) -> None:
    first, second = analysed.authors()
    table, real = tmp_path / "keys.csv", os.fsync

    def fsync(handle: int) -> None:
        if is_of(handle, table) and second.encode() in table.read_bytes():
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with PassphraseFile(table) as keeper:
        written = analysed.handing_out.write_all(tmp_path / "out", pages=False, personal_files=True, keeper=keeper)
    assert [w.author for w in written if not w.failure] == [first]
    assert "No space left" in written[1].failure
    rows = make.read(table)
    assert [row["radiologist"] for row in rows] == [first]
    assert [p.name for p in (tmp_path / "out").glob("*.radcal")] == [rows[0]["file"]]
    assert second not in table.read_text(encoding="utf-8")


def test_names_of_every_kind_are_kept_as_they_are(tmp_path: Path, make: Any) -> None:
    author = 'O"Neil, Zo\u00eb; Dr.'
    with PassphraseFile(tmp_path / "keys.csv") as keeper, keeper.keeping(FilePassphrase(author, tmp_path / "x", "a-b")):
        (tmp_path / "x").touch()
    assert make.read(tmp_path / "keys.csv") == [{"radiologist": author, "file": "x", "passphrase": "a-b"}]


def test_a_passphrase_stays_where_its_file_is_there_whatever_comes_after(tmp_path: Path, make: Any) -> None:
    file = tmp_path / "x.radcal"

    def write(keeper: PassphraseFile) -> None:
        with keeper.keeping(FilePassphrase("a", file, "a-b")):
            file.touch()
            raise KeyboardInterrupt

    with PassphraseFile(tmp_path / "keys.csv") as keeper, pytest.raises(KeyboardInterrupt):
        write(keeper)
    assert len(make.read(tmp_path / "keys.csv")) == 1


def test_a_workspace_that_is_open_to_read_only_keeps_none_and_no_file_is_written(
    analysed: Department, tmp_path: Path, make: Any
) -> None:
    analysed.close()
    with open_department(analysed.path, make.passphrase, read_only=True) as department:
        written = department.handing_out.write_all(tmp_path / "out", pages=False, personal_files=True)
        assert all("open for reading only" in w.failure and not w.files for w in written)
        assert list((tmp_path / "out").iterdir()) == []
        hand_out_all(department, tmp_path / "out", tmp_path / "keys.csv")
    assert len(make.read(tmp_path / "keys.csv")) == 2


def test_a_personal_file_holds_nobodys_passphrase(analysed: Department, tmp_path: Path) -> None:
    [first, *_] = analysed.handing_out.write_all(tmp_path / "out", pages=False, personal_files=True)
    [again] = analysed.handing_out.write_all(tmp_path / "out", [first.author], pages=False, personal_files=True)
    with open_workspace(again.files[0], again.passphrase) as personal:
        assert WorkspacePassphrases(personal._workspace).latest() == {}
