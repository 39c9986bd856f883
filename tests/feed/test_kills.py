"""A listener that is killed again and again loses no message, doubles none, and acknowledges each as its own."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import pytest

from radcal.workspace import database


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="by SIGKILL")
def test_none_is_lost_and_none_is_doubled(
    tmp_path: Path, bench_feed: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same with 10,000 messages is benchmarks/bench_feed.py."""
    monkeypatch.setattr(database, "KDF_ITERATIONS", 256_000)  # as the listener has it
    proved = bench_feed.prove(tmp_path, messages=500, kills=4)
    assert proved.sent > proved.messages  # some had to be sent again
