"""While llama.cpp is being built the rules read alone, say why, and go on."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from radcal.findings import engines
from radcal.findings.model import library as module
from radcal.findings.model.library import FOLDER, STATE, Library, library
from radcal.findings.model.process import abilities
from radcal.system.errors import EngineError
from radcal.system.settings import Settings
from tools import setup


def _state(environment: Path, **values: object) -> None:
    (environment / FOLDER).mkdir(exist_ok=True)
    (environment / FOLDER / STATE).write_text(json.dumps({"at": time.time(), **values}), "utf-8")


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment without llama.cpp."""
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    return tmp_path


def test_a_build_is_told_as_far_as_it_is(nowhere: Path) -> None:
    assert "make run" in library().why_not, "nobody builds it"
    _state(nowhere, phase="downloading")
    assert (library().share, library().ready) == (None, False)
    _state(nowhere, phase="compiling", done=50, total=200, left=90.0)
    assert (library().share, library().left, library().problem) == (0.25, 90.0, "")
    assert "25 %" in library().why_not
    _state(nowhere, phase="compiling", done=50, total=200, at=time.time() - 60)
    assert not library().doing, "a build that was killed says nothing more"
    assert "make run" in library().problem


@pytest.mark.parametrize("cause", [*setup.CAUSES, "other"])
def test_a_build_that_fails_says_what_to_do(nowhere: Path, cause: str) -> None:
    _state(nowhere, phase="failed", cause=cause)
    assert not library().doing
    assert "make run" in library().why_not
    assert ("log.txt" in library().why_not) == (cause == "other")


def test_it_is_not_ready_while_its_files_are_put_in_place(tmp_path: Path) -> None:
    assert library(tmp_path) == Library(ready=True)
    _state(tmp_path, phase="installing")
    assert not library(tmp_path).ready
    _state(tmp_path, phase="failed", cause="other")
    assert library(tmp_path).ready, "built by hand since"


def test_the_rules_read_alone_until_it_is_there(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, rules_alone: Callable[..., Any]
) -> None:
    monkeypatch.setattr(engines, "second_reader", rules_alone)
    settings = Settings(workers=1)
    _state(nowhere, phase="compiling", done=1, total=2)
    alone = engines.make_engine("rules", "", settings)
    assert engines.in_words(alone.name, engines.model_name(alone)) == "rules"
    assert "the rules read alone" in engines.why_alone(settings)
    assert engines.extraction_accuracy(alone), "measured as the rules alone are"
    assert not engines.why_alone(settings.changed(second="none"))
    with pytest.raises(EngineError, match="50 %"):
        abilities()
    monkeypatch.undo()
    monkeypatch.setattr(engines, "second_reader", rules_alone)
    both = engines.make_engine("rules", "", settings)
    assert engines.model_name(both)
    assert both.settings_hash != alone.settings_hash
    engines.close_engine(both)
