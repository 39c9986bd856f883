"""How much the window shows at first sight, as ``python -m tools.screenshots --counts`` has it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

MOST_PAGES, MOST_TABS, MOST_CONTROLS = 8, 22, 15


@pytest.mark.slow
def test_the_window_stays_within_what_a_reader_can_hold_in_mind() -> None:
    command = [sys.executable, "-m", "tools.screenshots", "--counts"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - ourselves
    pages = json.loads(said)["pages"]
    assert {"home", "results", "lab", "settings"} <= {page["name"] for page in pages}
    assert sum(page["rail"] for page in pages) <= MOST_PAGES
    assert sum(page["tabs"] for page in pages) <= MOST_TABS
    assert {page["name"]: page["controls"] for page in pages if page["controls"] > MOST_CONTROLS} == {}
