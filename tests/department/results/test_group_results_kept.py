"""What answers are made from: read ahead, kept or lost."""

from __future__ import annotations

import pytest

from radcal.system.errors import Cancelled, DataError

TOPIC = "pleural effusion"


def test_it_can_be_cancelled(shown, anyone, ask, onlooker, days_of):
    first, last = days_of(shown, ask(anyone, TOPIC))
    for parts in range(3):
        with pytest.raises(Cancelled):
            shown.verification.of(ask(anyone), onlooker(looks=parts))
    with pytest.raises(Cancelled):
        shown.groups.reliability(ask(anyone, TOPIC, first, last), onlooker(looks=0))


def test_without_an_analysis_there_is_nothing_to_ask(filled, anyone, ask):
    filled.groups.warm_up()
    assert filled.groups._kept == {}
    for question in (
        lambda: filled.groups.reliability(ask(anyone)),
        lambda: filled.groups.evidence(ask(anyone)),
        filled.groups.all_statements,
        filled.groups.outcomes,
    ):
        with pytest.raises(DataError, match="There is no analysis yet"):
            question()
    assert filled.contests.all() == ()


def test_without_reports_there_is_nothing_to_count(department):
    with pytest.raises(DataError, match="There are no reports yet"):
        department.verification.read_unpaired()


def test_what_was_read_ahead_answers_the_questions(shown, anyone, monkeypatch):
    shown.groups.warm_up()
    monkeypatch.setattr(shown._workspace, "observations_by_author", None)  # not read again
    assert shown.groups.outcomes().size


def test_reading_ahead_stops_between_authors_and_goes_on_from_nothing(shown, monkeypatch, onlooker):
    read: list[str] = []
    every = shown._workspace.observations_by_author

    def noting(columns):
        for author, part in every(columns):
            assert "xray_id" not in part  # most of what could be read, and nothing was left out
            read.append(author)
            yield author, part

    monkeypatch.setattr(shown._workspace, "observations_by_author", noting)
    shown.groups._kept.clear()
    with pytest.raises(Cancelled):
        shown.groups.warm_up(onlooker(looks=1))
    assert len(read) == 2
    shown.groups.warm_up()
    assert len(read) == 2 + len({author for author, _ in shown.groups._codes().place})


def test_an_analysis_whose_observations_are_lost_is_said_to_be_none(analysed, anyone, ask):
    analysed.groups.warm_up()
    analysed._workspace._db.execute("DELETE FROM frames WHERE name LIKE 'observations%'")
    for question in (lambda: analysed.groups.evidence(ask(anyone)), analysed.groups.all_statements):
        with pytest.raises(DataError, match="There is no analysis yet"):
            question()
    analysed.groups._kept.clear()
    with pytest.raises(DataError, match="There is no analysis yet"):
        analysed.groups.outcomes()
