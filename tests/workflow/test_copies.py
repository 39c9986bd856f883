"""When a copy of the workspace is worth being offered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from radcal.settings import Settings
from radcal.workflow.copies import Copied

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "decisions", "due"),
    [(None, 19, False), (None, 20, True), (6, 500, False), (7, 20, True), (7, 19, False), (400, 0, False)],
)
def test_a_copy_is_due_where_an_hours_work_has_none_for_a_week(days: int | None, decisions: int, due: bool) -> None:
    last = None if days is None else NOW - timedelta(days=days)
    assert Copied(last, decisions).is_due(NOW) is due


def test_a_department_knows_its_copies(filled, tmp_path) -> None:
    before = filled.copied()
    assert before.last is None
    filled.save_settings(Settings(window_hours=24))
    assert filled.copied().decisions == before.decisions + 1
    filled.backup(tmp_path / "copy.radcal")
    assert filled.copied().last is not None
