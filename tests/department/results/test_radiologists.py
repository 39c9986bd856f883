"""Radiologists of a department beside each other, and the dates on which feedback was given."""

from __future__ import annotations

from datetime import date

import pytest

from radcal.department import Department
from radcal.system.errors import DataError
from radcal.system.selection import Days
from radcal.system.settings import ALL_TOPICS
from radcal.workspace.errors import NoAccess, WorkspaceExists, WrongPassphrase


@pytest.fixture
def topic(analysed: Department) -> str:
    """What most was said about."""
    analysis = analysed.analysis()
    assert analysis is not None
    return max(analysis.reliabilities, key=lambda r: r.n).topic


def test_a_department_compares_and_keeps_its_dates(analysed: Department, topic: str) -> None:
    made = analysed.comparison.compare(topic, "present")
    assert {m.name for m in made.members} <= set(analysed.authors())
    assert {m.alias for m in made.members} <= set(analysed.pseudonyms().values())
    dates = {"": date(2025, 5, 1), analysed.authors()[0]: None}
    analysed.comparison.set_feedback_dates(dates)
    assert analysed.comparison.feedback_dates() == dates
    assert analysed.comparison.trend(topic, "present").given == date(2025, 5, 1)


def test_all_pathologies_are_compared_together(analysed: Department) -> None:
    made = analysed.comparison.compare(ALL_TOPICS, "present")
    own = analysed.groups.all_statements().query("phrase == 'present'").groupby("author", observed=True)
    assert made.topic == ALL_TOPICS
    assert {m.name: m.n for m in made.members} == {name: len(part) for name, part in own}


def test_days_limit_what_is_compared(analysed: Department, topic: str) -> None:
    statements = analysed.groups.all_statements().query("topic == @topic")
    day = statements["xray_time"].dt.date
    middle = sorted(day)[len(day) // 2]
    made = analysed.comparison.compare(topic, "present", Days(last=middle))
    own = statements[(day <= middle) & (statements["phrase"] == "present")].groupby("author", observed=True)
    assert {m.name: (m.n, m.positives) for m in made.members} == {
        name: (len(part), pytest.approx(part["outcome"].sum())) for name, part in own
    }
    periods = analysed.comparison.trend(topic, "present", days=Days(last=middle)).periods
    assert sum(p.n for p in periods) == sum(m.n for m in made.members)


@pytest.mark.parametrize("ask", ["compare", "trend"])
def test_what_is_not_there_is_refused(analysed: Department, topic: str, ask: str) -> None:
    with pytest.raises(DataError, match="hernias"):
        getattr(analysed.comparison, ask)("hernias")
    with pytest.raises(DataError, match="these days"):
        getattr(analysed.comparison, ask)(topic, days=Days(date(2030, 1, 1)))


def test_a_department_is_copied_checked_and_locked_anew(analysed, make, tmp_path):
    copy = tmp_path / "copy.radcal"
    analysed.backup(copy)
    with pytest.raises(WorkspaceExists):
        analysed.backup(copy)
    assert analysed.check(make.passphrase) == ()
    with pytest.raises(WrongPassphrase):
        analysed.change_passphrase("not it", "pear tree in blossom")
    analysed.change_passphrase(make.passphrase, "pear tree in blossom")
    assert analysed.check("pear tree in blossom") == ()
    with pytest.raises(WrongPassphrase):
        analysed.check(make.passphrase)


def test_dates_cannot_be_kept_where_only_reading_is_allowed(files, make):
    from radcal.opening import open_department

    with open_department(files.analysed, make.passphrase, read_only=True) as opened, pytest.raises(NoAccess):
        opened.comparison.set_feedback_dates({"": date(2025, 5, 1)})
