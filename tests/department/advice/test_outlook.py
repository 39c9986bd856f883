"""Looking ahead, in a small department and in a personal file."""

from __future__ import annotations

import pytest

from radcal.calibration.records import ALL_AUTHORS
from radcal.system.errors import DataError
from radcal.system.selection import Selection
from radcal.system.settings import ALL_TOPICS


@pytest.mark.slow
def test_every_word_without_advice_has_what_it_needs(shown):
    outlook = {(a.author, a.topic): a for a in shown.outlook.of_all()}
    analysis = shown.analysis()
    assert set(outlook) == {(r.author, r.topic) for r in analysis.reliabilities}
    for advice in analysis.advices:
        group = outlook[advice.author, advice.topic]
        withheld = {w.phrase: w.reason for w in advice.withheld}
        assert {w.phrase: w.needed.reason for w in group.words if w.needed} == withheld
        assert [w.phrase for w in group.words] == [
            p.phrase
            for p in next(
                r for r in analysis.reliabilities if (r.author, r.topic) == (advice.author, advice.topic)
            ).phrases
        ]
        for word in group.words:
            if word.weeks is not None:
                assert word.weeks_low <= word.weeks
                assert word.weeks >= (word.needed.more or word.needed.least) / word.n * group.pace.weeks - 1e-9


def test_one_group_is_as_in_all(shown):
    group = shown.outlook.of_all()[0]
    assert shown.outlook.of(Selection(group.author, group.topic)) == group


@pytest.mark.parametrize("whose", ["topic", "author"])
def test_groups_seen_together(shown, whose):
    some = shown.outlook.of_all()[0]
    selection = Selection(ALL_AUTHORS, some.topic) if whose == "topic" else Selection(some.author, ALL_TOPICS)
    together = shown.outlook.of(selection)
    assert together.n > some.n
    assert together.pace.per_week > some.pace.per_week


def test_within_days_the_pace_is_of_these_days(shown, everything, anyone, ask):
    days = sorted(everything.loc[everything["author"] == anyone, "xray_time"].dt.date)
    first, last = days[len(days) // 4], days[-len(days) // 4]
    some = shown.outlook.of(ask(anyone, first=first, last=last))
    assert (some.first, some.last) == (first, last)
    assert some.pace.weeks == pytest.approx(max(((last - first).days + 1) / 7, 1))


def test_without_an_analysis_there_is_nothing_to_look_ahead_from(department):
    with pytest.raises(DataError, match="no analysis yet"):
        department.outlook.of_all()
