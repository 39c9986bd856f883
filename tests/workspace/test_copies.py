"""The time of the last copy, and the decisions since then."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from radcal.reports.storage import save_import
from radcal.system.settings import Settings
from radcal.workspace import results, reviews, tables
from radcal.workspace.reviews import StoredAction


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the second of the time that is stored with everything."""

    def set_second(second: int) -> None:
        for module in (tables, results, reviews):
            monkeypatch.setattr(module, "now", lambda: f"2026-11-20T08:00:{second:02}+00:00")

    return set_second


def step(name: str, *, undone: bool = False) -> StoredAction:
    return StoredAction(name, "AB", "xray:1", "read", "{}", undone)


def test_decisions_of_people_count_until_a_copy_is_made(path, ws, make, at):
    at(1)
    save_import(ws, make.imp({"xray:1": "Likely edema."}))
    ws.begin_run("rules", "1", "a")
    gold = ws.add_gold_set(["xray:1"], drawn="random", seed=3, blind=False, run_id=1)
    ws.add_gold_reader("AB")
    assert (ws.last_backup(), ws.decisions_since(None)) == (None, 0)  # all of this can be recomputed
    at(2)
    ws.add_gold_actions(gold, [step("a"), step("b"), step("c", undone=True)])
    ws.log("finding contested")
    ws.save_result("lexicon", "0001", {}, {})
    ws.save_settings(Settings(seed=3))
    assert ws.decisions_since(None) == 4
    assert ws.decisions_since(None, ("lexicon", "none of these")) == 5
    at(3)
    ws.backup(path.with_name("copy.radcal"))
    made = ws.last_backup()
    assert made == datetime(2026, 11, 20, 8, 0, 3, tzinfo=UTC)
    assert ws.decisions_since(made, ("lexicon",)) == 0
    at(4)
    ws.add_gold_actions(gold, [step("d")])
    ws.set_gold_undone(["a"], undone=True)
    assert ws.decisions_since(made, ("lexicon",)) == 1
    assert ws.last_backup() == made
    at(5)
    ws.backup(path.with_name("another copy.radcal"))
    assert ws.last_backup() == datetime(2026, 11, 20, 8, 0, 5, tzinfo=UTC)
