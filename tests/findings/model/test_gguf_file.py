"""The metadata of a model file are read without trusting them."""

from __future__ import annotations

import contextlib
import hashlib
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.model.fit import shape_of
from radcal.findings.model.gguf_file import listed_sha256, read_gguf, sha256_of, unverified, vocabulary
from radcal.system.errors import Cancelled, InputError


def test_header_and_metadata_are_read(model: Path) -> None:
    file = read_gguf(model)
    assert file.architecture == "llama"
    assert file.bytes == model.stat().st_size
    assert file.number("llama.block_count") == 2
    assert file.words[0] == len(set(vocabulary(file))) == 700
    assert file.has_tokenizer
    assert file.values["tokenizer.ggml.add_bos_token"] is True
    assert file.text("llama.block_count") == ""


def entry(key: bytes, kind: int, value: bytes) -> bytes:
    return struct.pack("<Q", len(key)) + key + struct.pack("<I", kind) + value


def test_a_text_of_any_size_takes_no_memory_and_no_list_of_texts_much_time(tmp_path: Path) -> None:
    """Files with holes: the sizes are there, and take no room on the disk."""
    path, size = tmp_path / "vast.gguf", 1 << 32
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, 2)
    first = entry(b"general.architecture", 8, struct.pack("<Q", 5) + b"llama")
    with path.open("wb") as file:
        file.write(head + first + entry(b"tokenizer.chat_template", 8, struct.pack("<Q", size)))
        file.truncate(file.tell() + size)
    tracemalloc.start()
    try:
        found = read_gguf(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    assert (found.architecture, found.text("tokenizer.chat_template")) == ("llama", "")
    half = struct.pack("<IQ", 8, 3 << 20)
    with path.open("wb") as file:
        file.write(head + entry(b"a", 9, half) + bytes(8 * (3 << 20)) + entry(b"b", 9, half))
        file.truncate(file.tell() + size)
    with pytest.raises(InputError, match=r"vast\.gguf are damaged: a list of 3145728 texts"):
        read_gguf(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"GGML" + bytes(100), "not a GGUF file"),
        (b"<!DOCTYPE html><html>", "the download failed"),
        (b"GGUF" + struct.pack("<IQQ", 99, 0, 0), "version 99"),
        (b"GGUF" + struct.pack("<I", 3), "damaged: the file ends"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 1 << 60), "it claims"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1 << 60, 1), "it claims"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 62), "a name of"),
        (b"GGUF" + struct.pack("<IQQQ1sI", 3, 0, 1, 1, b"k", 77), "unknown kind 77"),
        (b"GGUF" + struct.pack("<IQQQ1sIQ", 3, 0, 1, 1, b"k", 8, 1 << 63), "the file ends"),
        (b"GGUF" + struct.pack("<IQQQ1sIIQ", 3, 0, 1, 1, b"k", 9, 8, 1 << 61), "a list of"),
        (b"GGUF" + struct.pack("<IQQQ1sIIQ", 3, 0, 1, 1, b"k", 9, 4, 1 << 61), "the file ends"),
        (b"GGUF" + struct.pack("<IQQQ1sIIQ", 3, 0, 1, 1, b"k", 9, 9, 1), "a list of the kind 9"),
        (b"GGUF" + struct.pack("<IQQQ1sIIQQ8s", 3, 0, 1, 1, b"k", 9, 8, 2, 0, b"\xff" * 8), "the file ends"),
    ],
)
def test_broken_files_are_refused_with_the_reason(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_gguf(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no model file"):
        read_gguf(tmp_path / "none.gguf")
    with pytest.raises(InputError, match="is a folder"):
        read_gguf(tmp_path)
    with pytest.raises(InputError, match="There is no file"):
        sha256_of(tmp_path / "none.gguf")


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_no_flipped_bytes_of_the_header_end_in_anything_but_a_reason(model: Path, data: st.DataObject) -> None:
    content = bytearray(model.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(4, 900))] = data.draw(st.integers(0, 255))
    path = model.with_name("flipped.gguf")
    path.write_bytes(content)
    with contextlib.suppress(InputError):
        assert 1 <= shape_of(read_gguf(path)).layers <= 2000


@pytest.mark.parametrize("value", [0, 4_000_000_000, "many"])
def test_absurd_metadata_are_named(tmp_path: Path, write_model: Callable[..., Path], value: int | str) -> None:
    path = write_model(tmp_path / "absurd.gguf", llama__block_count=value)
    with pytest.raises(InputError, match=r"llama\.block_count is .* damaged"):
        shape_of(read_gguf(path))


def test_missing_metadata_are_named(tmp_path: Path, random_gguf: ModuleType) -> None:
    random_gguf.write(tmp_path / "bare.gguf", {"general.architecture": "llama"}, [])
    with pytest.raises(InputError, match=r"llama\.block_count is missing"):
        shape_of(read_gguf(tmp_path / "bare.gguf"))


def test_the_checksum_is_that_of_the_content_and_can_be_interrupted(model: Path, onlooker: Any) -> None:
    assert sha256_of(model) == hashlib.sha256(model.read_bytes()).hexdigest()
    with pytest.raises(Cancelled):
        sha256_of(model, onlooker(looks=0))


def test_a_known_checksum_is_found_in_the_list_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    assert listed_sha256(path) == ""
    (tmp_path / "SHA256SUMS").write_text("0A  other.gguf\n0B *a.gguf\n")
    assert listed_sha256(path) == "0b"
    assert listed_sha256(tmp_path / "b.gguf") == ""
    (tmp_path / "SHA256SUMS").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="list of checksums"):
        listed_sha256(path)


@pytest.mark.parametrize("line", ["0C", "0C  a.gguf", "0C *a.gguf"])
def test_a_list_of_the_file_alone_does_as_well(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.gguf"
    assert "a.gguf is unverified" in unverified(path)
    (tmp_path / "a.gguf.sha256").write_text(f"{line}\n")
    assert listed_sha256(path) == "0c"
    assert unverified(path) == ""
    (tmp_path / "SHA256SUMS").write_text("0B *a.gguf\n")
    assert listed_sha256(path) == "0b"


def test_a_list_of_another_file_alone_is_of_no_use(tmp_path: Path) -> None:
    (tmp_path / "a.gguf.sha256").write_text("0C  b.gguf\n")
    assert "is unverified" in unverified(tmp_path / "a.gguf")


def test_a_number_for_each_layer_counts_as_its_largest(tmp_path: Path, write_model: Callable[..., Path]) -> None:
    more = {"llama__attention__head_count": [4, 2], "llama__attention__head_count_kv": [1, 2]}
    file = read_gguf(write_model(tmp_path / "layers.gguf", **more))
    assert (shape_of(file).heads, shape_of(file).kv_heads) == (4, 2)
