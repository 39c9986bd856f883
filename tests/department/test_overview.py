"""What Home is told of a department, and the next step."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from radcal.department import Department
from radcal.overview import Overview, Step, next_step, overview

NOW = datetime(2026, 3, 1, tzinfo=UTC)
READ = Overview(latest=NOW, n_paired=40)
REVIEWED = replace(READ, n_reviewed=30)


@pytest.mark.parametrize(
    ("seen", "telling", "step"),
    [
        (Overview(), False, Step.IMPORT),
        (Overview(latest=NOW), False, Step.PAIR),
        (replace(READ, n_to_read=1), True, Step.READ),
        (READ, True, Step.REVIEW),
        (replace(READ, n_reviewed=29), True, Step.REVIEW),
        (REVIEWED, True, Step.RESULTS),
        (replace(REVIEWED, looked_at=True), True, Step.FEEDBACK),
        (replace(REVIEWED, looked_at=True, n_handed_out=1), True, Step.MORE),
        (REVIEWED, False, Step.MORE),
    ],
)
def test_each_step_follows_the_one_before(seen: Overview, telling: bool, step: Step) -> None:
    assert next_step(seen, telling=telling) is step


def test_invented_reports_are_reviewed_by_nobody() -> None:
    assert next_step(READ, telling=True, made_up=True) is Step.RESULTS


def test_an_empty_workspace_has_nothing_to_tell(department: Department) -> None:
    assert overview(department) == Overview()


def test_what_came_and_what_waits_is_counted(analysed: Department) -> None:
    (past,) = analysed.importing.history()
    status = analysed.runs.status()
    seen = overview(analysed, past.at - timedelta(seconds=1))
    assert seen.latest == past.at
    assert seen.n_came == seen.n_since == past.new
    assert overview(analysed, past.at).n_since == 0
    assert overview(analysed).n_since is None
    assert (seen.n_paired, seen.n_to_read, seen.n_unread) == (status.n_reports, 0, status.n_unread)
    assert seen.n_left == 30
    assert not seen.looked_at

    find = analysed.lexicon.find
    assert seen.n_unknown == sum(find(u.words) is None for u in analysed.words.uses().unknown)
    with analysed.workspace.transaction():
        analysed.workspace.log("viewed results of P1")
    assert overview(analysed).looked_at
