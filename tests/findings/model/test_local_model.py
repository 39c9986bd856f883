"""The session over a child that behaves badly on purpose."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest

from radcal.findings.model import local_model, process
from radcal.findings.model.local_model import LocalModel
from radcal.findings.model.options import ModelOptions
from radcal.findings.model.process import ChildDiedError, Message, answered
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import Progress

READY: Message = {"said": "ready", "gpu_build": False, "devices": [], "version": "0", "backends": [], "processor": []}
OPENED: Message = {"said": "opened"}


class Child:
    """Says what it was given; None is silence, an exception is death."""

    script: ClassVar[deque[Message | Exception | None]] = deque()
    pid = 1

    def __init__(self, module: str) -> None:
        self.sent: list[Message] = []
        self.killed = False

    def send(self, message: Message) -> None:
        self.sent.append(message)

    def receive(self, seconds: float) -> Message | None:
        if self.killed:
            raise ChildDiedError("it was ended")
        said = self.script.popleft() if self.script else None
        if isinstance(said, Exception):
            raise said
        return said

    def kill(self) -> None:
        self.killed = True


@pytest.fixture
def opened(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalModel:
    monkeypatch.setattr(process, "Child", Child)
    Child.script = deque()
    return LocalModel(model, ModelOptions(report_seconds=0.1, state_folder=tmp_path))


def test_silence_and_ticks_are_waited_through(opened: LocalModel) -> None:
    tick = {"said": "tick"}
    Child.script.extend([None, READY, tick, OPENED, tick, answered(0, [1.0]), answered(1, [2.0])])
    assert opened.embeddings(["x", "y"]).tolist() == [[1.0], [2.0]]
    assert opened.process == 1
    child = opened._child
    assert isinstance(child, Child)
    assert child.sent[1] == {"do": "ask", "number": 0, "asked": {"what": "embedding", "text": "x"}}


def test_a_text_that_ends_the_child_twice_is_an_error(opened: LocalModel) -> None:
    Child.script.extend([READY, OPENED, ChildDiedError("it died"), READY, OPENED, ChildDiedError("it died again")])
    with pytest.raises(EngineError, match=r"cannot answer: .* stopped twice .* alone; the last time it died again"):
        opened.number_distribution(["x"])
    assert opened.process is None


def test_a_text_without_an_answer_is_ended(opened: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 1))
    monkeypatch.setattr(local_model.time, "monotonic", lambda: next(clock))
    Child.script.extend([READY, OPENED, None, READY, OPENED, None])
    with pytest.raises(EngineError, match=r"it made no advance for 0\.1 seconds"):
        opened.number_distribution(["x"])


def test_a_pause_is_no_silence_and_reaches_a_new_child(opened: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 1))
    monkeypatch.setattr(local_model.time, "monotonic", lambda: next(clock))
    opened.pause()
    Child.script.extend([READY, OPENED, *[None] * 9, answered(0, [2.0])])
    assert opened.embeddings(["x"]).tolist() == [[2.0]]
    child = opened._child
    assert isinstance(child, Child)
    assert [m["do"] for m in child.sent] == ["open", "pause", "ask"]
    opened.resume()
    assert child.sent[-1] == {"do": "resume"}


def test_a_child_that_does_not_stop_is_ended(opened: LocalModel) -> None:
    Child.script.extend([READY, OPENED])
    child = opened.connect()
    Child.script.extend([{"said": "tick"}] * 3)
    opened._stop()
    assert isinstance(child, Child)
    assert child.killed
    opened._stop()


def test_a_child_that_is_gone_at_the_stop_is_forgotten(opened: LocalModel) -> None:
    Child.script.extend([READY, OPENED])
    opened.connect()
    Child.script.append(ChildDiedError("gone"))
    opened._stop()
    assert opened.process is None


def test_a_file_that_cannot_be_looked_at_is_said(opened: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", refuse)
    with pytest.raises(InputError, match=r"cannot be read \(Permission denied\)"):
        opened._signature()


def test_the_checksum_of_a_large_model_is_remembered_and_checked_before_it_is_loaded(
    model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(process, "Child", Child)
    monkeypatch.setattr(local_model, "_LARGE", 1000)
    path = tmp_path / "large.gguf"
    path.write_bytes(model.read_bytes())
    read: list[Path] = []
    sha256_of = local_model.sha256_of

    def count(path: Path, progress: Progress) -> str:
        read.append(path)
        return sha256_of(path, progress)

    monkeypatch.setattr(local_model, "sha256_of", count)

    def made() -> LocalModel:
        return LocalModel(path, ModelOptions(state_folder=tmp_path / "states"))

    digest = made().model_hash()
    assert len(read) == 1
    again = made()
    assert again.model_hash() == digest
    assert len(read) == 1
    Child.script = deque([READY, OPENED])
    again.connect()
    assert len(read) == 2  # never loaded unread
    assert again.model_hash(whole=True) == digest
    assert len(read) == 2

    content, times = bytearray(path.read_bytes()), path.stat()
    content[-1000] ^= 0xFF
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # a fault of the disk leaves the date alone
    damaged = made()
    assert damaged.model_hash() == digest
    with pytest.raises(EngineError, match="may be damaged"):
        damaged.connect()
    os.utime(path, (1e9, 1e9))
    assert made().model_hash() != digest
    (tmp_path / "states" / "checksums.json").write_text("[]")
    assert made().model_hash() != digest


# --- an architecture that only llama.cpp knows ------------------------------------------------------------


@pytest.mark.parametrize(("architecture", "said"), [("foobar", "'foobar' is not known"), ("llama", "block_count is")])
def test_metadata_of_an_unknown_architecture_are_not_taken_for_damage(
    tmp_path: Path, random_gguf: ModuleType, architecture: str, said: str
) -> None:
    shape = random_gguf.Shape(64, 1, 4, 2, 128, 300)
    values = {k: v for k, v in random_gguf.metadata(shape).items() if k != "llama.block_count"}
    path = tmp_path / "a.gguf"
    random_gguf.write(path, values | {"general.architecture": architecture}, random_gguf.weights(shape))
    with pytest.raises(InputError, match=said):
        LocalModel(path, ModelOptions())
