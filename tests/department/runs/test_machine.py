"""What this machine can do, in sentences: devices, models, what is missing and the command to get it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from radcal.findings import machine
from radcal.findings.engines import EngineFit
from radcal.findings.machine import look_at_machine
from radcal.findings.model import process
from radcal.findings.model import process as llama
from radcal.findings.model.fit import GIB, Device
from radcal.findings.model.process import Abilities, ChildDiedError, Message, abilities
from radcal.findings.records import Extraction
from radcal.system.errors import Cancelled, EngineError
from radcal.system.progress import Progress
from radcal.system.text import Text

BUILD = Abilities("0.3.36", ("CPU",), ("AVX2", "FMA"), gpu_build=False, devices=(), free=8 * GIB)
GPU = Abilities(
    "0.3.36", ("CUDA", "CPU"), ("AVX2",), gpu_build=True, devices=(Device("card", 7 * GIB, 8 * GIB),), free=None
)


@pytest.fixture
def with_build(monkeypatch: pytest.MonkeyPatch) -> Callable[[Abilities], None]:
    """Lets llama.cpp have been built in a certain way; the models fit as they would."""

    def set_build(build: Abilities) -> None:
        monkeypatch.setattr(llama, "abilities", lambda progress: build)
        layers = 33 if build.devices else 0
        monkeypatch.setattr(
            machine,
            "fit_engine",
            lambda settings, progress: EngineFit("llama", settings.model or "small", layers=33, gpu_layers=layers),
        )
        monkeypatch.setattr(machine, "make_engine", lambda name: Mock(extract=lambda _, __: [Extraction("", ())]))

    return set_build


def test_a_cpu_build_says_what_is_missing_and_how_to_get_it(
    with_build: Callable[[Abilities], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_build(BUILD)
    monkeypatch.setattr(sys, "platform", "linux")
    found = look_at_machine()
    cuda, vulkan = found.missing
    assert 'CMAKE_ARGS="-DGGML_CUDA=on"' in cuda
    assert 'CMAKE_ARGS="-DGGML_VULKAN=on"' in vulkan
    assert cuda.count(sys.executable) == vulkan.count("llama-cpp-python==") == 1
    assert found.sentences[0] == "The rules run everywhere."
    assert "Main memory: 8.0 GiB free." in found.sentences
    assert any("AVX2, FMA" in s for s in found.sentences)
    assert any(s.startswith("small runs here, on the processor") for s in found.sentences)
    assert all(isinstance(s, Text) for s in found.sentences)
    monkeypatch.setattr(sys, "platform", "win32")
    assert look_at_machine().missing[0].count("$env:CMAKE_ARGS") == 1
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "GGML_METAL" in look_at_machine().missing[0]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "from its source" in look_at_machine().missing[0]


def test_a_gpu_is_named_and_nothing_is_missing(with_build: Callable[[Abilities], None]) -> None:
    with_build(GPU)
    found = look_at_machine([Path("own.gguf")])
    assert found.missing == ()
    assert "GPU card: 7.0 of 8.0 GiB free." in found.sentences
    assert found.sentences[-1].startswith("own.gguf fits here, 33 of 33 layers on the GPU")


def test_a_gpu_build_without_a_gpu_points_to_the_driver(with_build: Callable[[Abilities], None]) -> None:
    with_build(Abilities("0", ("Vulkan", "CPU"), (), gpu_build=True, devices=(), free=None))
    [missing] = look_at_machine().missing
    assert "(Vulkan), but none is found" in missing


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (lambda: [Extraction("", (), "it took too long")], "it took too long"),
        (Mock(side_effect=EngineError("The Llama process stopped.")), "The Llama process stopped."),
    ],
)
def test_the_shipped_model_runs_here_only_if_it_has_read_a_sentence(
    with_build: Callable[[Abilities], None],
    monkeypatch: pytest.MonkeyPatch,
    said: Callable[[], list[Extraction]],
    why: str,
) -> None:
    with_build(BUILD)
    assert look_at_machine().models[0].tried
    engine = Mock(extract=lambda documents, progress: said())
    monkeypatch.setattr(machine, "make_engine", lambda name: engine)
    found = look_at_machine()
    assert (found.models[0].problem, found.models[0].tried) == (why, False)
    assert f"small cannot be used: {why}" in found.sentences
    engine.close.assert_called_once()


def test_a_build_that_does_not_start_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(progress: Progress) -> Abilities:
        raise EngineError("llama.cpp cannot be started.")

    monkeypatch.setattr(llama, "abilities", fail)
    found = look_at_machine()
    assert (found.build, found.problem, found.models) == (None, "llama.cpp cannot be started.", ())
    assert "pip install" in found.missing[0]
    assert "CMAKE_ARGS" not in found.missing[0]
    assert "llama.cpp cannot be started." in found.sentences


def test_a_model_that_cannot_be_used_has_its_reason(tmp_path: Path) -> None:
    (tmp_path / "no.gguf").write_text("<html>")
    found = look_at_machine([tmp_path / "no.gguf"])
    good, bad = found.models
    assert (good.problem, good.tried) == ("", True)
    assert any(s.startswith(f"{good.model} runs here") for s in found.sentences)
    assert "download failed" in bad.problem
    assert any(s.startswith("no.gguf cannot be used: ") for s in found.sentences)


class Child:
    """A child that says one thing, or dies."""

    said: Message | Exception | None = None

    def __init__(self, module: str) -> None:
        self.module = module

    def receive(self, seconds: float) -> Message | None:
        if isinstance(self.said, Exception):
            raise self.said
        return self.said

    def kill(self) -> None:
        pass


def test_the_installed_build_describes_itself() -> None:
    found = abilities()
    assert "CPU" in found.backends
    assert found.version.count(".") == 2
    assert all(name == name.upper() for name in found.processor)
    assert found.gpu_build or not found.devices


def test_devices_are_those_that_the_child_found(monkeypatch: pytest.MonkeyPatch) -> None:
    device = {"name": "card", "free": 5, "total": 7}
    ready = {"said": "ready", "version": "1", "backends": ["CUDA"], "processor": ["AVX2"], "gpu_build": True}
    monkeypatch.setattr(process, "Child", Child)
    monkeypatch.setattr(Child, "said", {**ready, "devices": [device]})
    found = abilities()
    assert found.devices == (Device("card", 5, 7),)
    assert (found.backends, found.processor, found.gpu_build) == (("CUDA",), ("AVX2",), True)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (ChildDiedError("it ended by SIGILL"), "it ended by SIGILL"),
        ({"said": "failed", "reason": "internal error RuntimeError at native.py:1"}, "internal error RuntimeError"),
    ],
)
def test_a_build_that_cannot_start_is_told_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, said: Message | Exception, reason: str
) -> None:
    monkeypatch.setattr(process, "Child", Child)
    monkeypatch.setattr(Child, "said", said)
    with pytest.raises(EngineError, match=rf"cannot be started: {reason}.* Install llama-cpp-python again"):
        abilities()


def test_looking_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "Child", Child)
    progress = Mock(raise_if_cancelled=Mock(side_effect=Cancelled))
    with pytest.raises(Cancelled):
        abilities(progress)
