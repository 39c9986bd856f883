"""`radcal engines`: plain values for programs, sentences for people."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from radcal.cli import engines
from radcal.findings.machine import Machine
from radcal.findings.model import process as llama
from radcal.system.text import Text


def test_the_summary_has_build_models_and_failures_as_plain_values(command: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "no.gguf").write_bytes(b"")
    summary = command("engines", tmp_path / "no.gguf")
    plain = json.loads(json.dumps(summary))
    assert plain["build"]["version"] == llama.abilities().version
    assert [m["usable"] for m in plain["models"]] == [True, False]
    assert plain["failures"] == [f"no.gguf: {plain['models'][1]['problem']}"]
    assert "no.gguf cannot be used" in plain["text"]


def test_a_build_that_does_not_start_is_a_failure(command: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Machine(None, "It does not start.", (), (Text("Install it."),))
    monkeypatch.setattr(engines, "look_at_machine", lambda models, progress: broken)
    summary = command("engines")
    assert summary["failures"] == ["It does not start."]
    assert summary["text"].splitlines()[2:] == ["It does not start.", "Install it."]
