"""A small made-up department to review."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from radcal.sample.department import generate
from radcal.system.settings import Settings


@pytest.fixture(scope="package")
def analysed(tmp_path_factory: pytest.TempPathFactory, prepare: Callable[..., Path]) -> Path:
    """A workspace of 40 pairs that the rules have read."""
    folder = tmp_path_factory.mktemp("review")
    sample = generate(folder, 40, 4, radiologists=2)
    quick = Settings(bootstrap=20, min_group_n=10, min_phrase_n=5)
    return prepare(folder / "w.radcal", quick, xray=[sample.xray], ct=[sample.ct])
