"""Sealed files: what went in comes out, with the right key, for the right purpose, and unchanged, or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from radcal.system import files, sealed
from radcal.system.errors import InputError
from radcal.system.sealed import KEY_BYTES, OtherKey, Unsealable, new_key, seal, unseal

KEY = bytes(range(KEY_BYTES))
ONE_FILE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)


@ONE_FILE
@given(payload=st.binary(max_size=5000), key=st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES))
def test_what_is_sealed_comes_out_again(tmp_path: Path, payload: bytes, key: bytes) -> None:
    path = tmp_path / "a.names"
    seal(path, "names", key, payload)
    assert unseal(path, "names", key) == payload


def test_the_file_is_what_its_description_says(tmp_path: Path) -> None:
    path = tmp_path / "a.names"
    seal(path, "names", KEY, b"payload")
    whole = path.read_bytes()
    head = len(b"RadCal sealed\n") + 2 + len("names") + 8
    assert whole.startswith(b"RadCal sealed\n\x01\x05names")
    assert AESGCM(KEY).decrypt(whole[head : head + 12], whole[head + 12 :], whole[:head]) == b"payload"


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    seal(tmp_path / "a.names", "names", KEY, b"payload")
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "a.names").stat().st_mode) == 0o600


def test_nothing_of_the_content_can_be_read_and_no_two_files_are_alike(tmp_path: Path) -> None:
    seal(tmp_path / "a", "names", KEY, b"Quackenbush" * 20)
    seal(tmp_path / "b", "names", KEY, b"Quackenbush" * 20)
    a, b = (tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()
    assert b"Quack" not in a
    assert a != b
    assert len(new_key()) == KEY_BYTES
    assert new_key() != new_key()


def test_another_key_is_told_from_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.names"
    seal(path, "names", KEY, b"payload")
    with pytest.raises(OtherKey, match=r"a\.names .*another key"):
        unseal(path, "names", bytes(KEY_BYTES))


def test_a_file_for_one_purpose_does_not_serve_another(tmp_path: Path) -> None:
    path = tmp_path / "a.names"
    seal(path, "names", KEY, b"payload")
    with pytest.raises(Unsealable, match=r"a\.names .*another purpose"):
        unseal(path, "review", KEY)
    # Nor does one whose kind was rewritten.
    path.write_bytes(path.read_bytes().replace(b"names", b"marks"))
    with pytest.raises(Unsealable, match="damaged"):
        unseal(path, "marks", KEY)


def test_no_changed_bit_and_no_cut_is_overlooked(tmp_path: Path) -> None:
    path = tmp_path / "a.names"
    seal(path, "names", KEY, b"payload")
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(InputError, match=r"a\.names"):
            unseal(path, "names", KEY)
        path.write_bytes(whole[:place])
        with pytest.raises(Unsealable, match="no sealed file" if place < len(b"RadCal sealed\n") else "damaged"):
            unseal(path, "names", KEY)
    path.write_bytes(whole + b"\0")
    with pytest.raises(Unsealable, match="damaged"):
        unseal(path, "names", KEY)


@ONE_FILE
@given(rest=st.binary(max_size=80))
def test_whatever_a_file_holds_is_refused_by_name(tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "a.names"
    path.write_bytes(b"RadCal sealed\n" + rest)
    with pytest.raises(InputError, match=r"a\.names"):
        unseal(path, "names", KEY)
    path.write_bytes(b"x" + rest)
    with pytest.raises(Unsealable, match="no sealed file"):
        unseal(path, "names", KEY)


def test_a_file_of_a_newer_radcal_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.names"
    path.write_bytes(b"RadCal sealed\n\x02" + b"x" * 100)
    with pytest.raises(Unsealable, match="newer version"):
        unseal(path, "names", KEY)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        unseal(tmp_path / "a.names", "names", KEY)
    with pytest.raises(InputError, match="folder"):
        unseal(tmp_path, "names", KEY)


def test_a_failed_write_leaves_the_earlier_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.names"
    seal(path, "names", KEY, b"earlier")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(InputError, match="cannot be written"):
        seal(path, "names", KEY, b"later")
    monkeypatch.undo()
    assert unseal(path, "names", KEY) == b"earlier"
    assert [p.name for p in tmp_path.iterdir()] == ["a.names"]


def test_a_key_has_256_bits_and_a_kind_a_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        seal(tmp_path / "a", "names", b"short", b"")
    with pytest.raises(ValueError, match="255"):
        seal(tmp_path / "a", "", KEY, b"")


def test_what_could_not_be_unsealed_is_not_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.names"
    seal(path, "names", KEY, b"x" * 100)
    monkeypatch.setattr(sealed, "LARGEST", path.stat().st_size)
    seal(path, "names", KEY, b"y" * 100)
    with pytest.raises(ValueError, match="at most"):
        seal(path, "names", KEY, b"z" * 101)
    assert unseal(path, "names", KEY) == b"y" * 100
