"""Who is at the computer that has reports read at a server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from radcal.findings.served import agreed


@pytest.fixture
def new_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From the call on, somebody is at the computer who has agreed to nothing yet."""

    def comes() -> None:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "theirs"))
        monkeypatch.setattr(agreed, "_in_this_process", set())

    return comes
