"""What the build says of itself, and what is said of a child that cannot start."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from radcal.findings.model import process
from radcal.findings.model.fit import Device
from radcal.findings.model.process import ChildDiedError, Message, abilities
from radcal.system.errors import Cancelled, EngineError


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
