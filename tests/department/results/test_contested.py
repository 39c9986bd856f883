"""Findings that a radiologist contests: kept, taken back, and left out where the settings say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from radcal.calibration.records import CONTESTED_LEFT_OUT
from radcal.calibration.reliability import measure
from radcal.calibration.tables import build_tables
from radcal.department import Department
from radcal.opening import open_department

TOPIC = "pleural effusion"


@pytest.fixture
def contest(ask: Callable[..., Any]) -> Callable[..., str]:
    """Contests a finding of an author's evidence, by its place in it; the X-ray's number."""

    def _contest(department: Department, author: str, place: int = 0, note: str = "") -> str:
        row = department.groups.evidence(ask(author)).iloc[place]
        department.contests.add(row["xray_id"], TOPIC, author, row["phrase"], note)
        return str(row["xray_id"])

    return _contest


def test_a_contest_is_kept_and_taken_back(analysed, anyone, make, ask, contest):
    first = contest(analysed, anyone, 3, "  not said \n")
    second = contest(analysed, anyone, 0)
    assert analysed.groups.evidence(ask(anyone))["contest"].tolist()[:5] == ["", None, None, "not said", None]
    assert analysed.groups.evidence(ask(anyone, "edema"))["contest"].isna().all()  # of the topic alone
    path = analysed.path
    analysed.close()
    with open_department(path, make.passphrase) as again:
        made = again.contests.all()
        assert {(c.xray_id, c.topic, c.author, c.note, c.left_out) for c in made} == {
            (first, TOPIC, anyone, "not said", False),
            (second, TOPIC, anyone, "", False),
        }
        assert [c.at for c in made] == sorted((c.at for c in made), reverse=True)
        assert all(pd.Timestamp(c.at).tzinfo is not None for c in made)
        again.contests.add(first, TOPIC, anyone, "likely", "another note")
        assert Counter(c.note for c in again.contests.all()) == Counter(["another note", ""])
        for xray_id in (first, first, second, "no such"):
            again.contests.withdraw(xray_id, TOPIC)
        assert again.contests.all() == ()
        assert again.groups.evidence(ask(anyone))["contest"].isna().all()
        assert Counter(again._workspace.audit()["what"])["finding contested"] == 3


@pytest.mark.slow
def test_contested_findings_are_left_out_where_the_settings_say_so(
    analysed, anyone, ask, plain, by_hand, contest, days_of
):
    counted = analysed.analysis()
    everything = analysed._workspace.observations()
    gone = {contest(analysed, anyone, place) for place in (0, 2)}
    assert analysed.analyse() is not None
    assert analysed.groups.reliability(ask(anyone)).n == len(by_hand(everything, ask(anyone)))
    assert analysed.analysis().counts == counted.counts
    assert analysed.groups.evidence(ask(anyone))["entered"].all()

    analysed.save_settings(analysed.settings.changed(contested="left out"))
    assert analysed.groups.evidence(ask(anyone))["entered"].all()  # until the next analysis
    analysis = analysed.analyse()
    assert set(analysis.counts) == {*counted.counts, (anyone, TOPIC, CONTESTED_LEFT_OUT, 2)}
    assert all(c.left_out for c in analysed.contests.all())
    found = analysed.groups.evidence(ask(anyone))
    assert set(found.loc[~found["entered"], "xray_id"]) == gone
    assert len(found) == len(by_hand(everything, ask(anyone)))

    left = everything[~(everything["xray_id"].isin(gone) & (everything["topic"] == TOPIC))]
    phrases = analysed.phrases()
    made = measure(build_tables(left, phrases), phrases, analysed.settings, spread=analysis.spread)
    expected = {(r.author, r.topic): r for r in made}
    assert {(r.author, r.topic): r.n for r in analysis.reliabilities} == {g: r.n for g, r in expected.items()}
    for r in analysis.reliabilities:
        assert plain(r) == plain(expected[r.author, r.topic])
    assert len(analysed.groups.all_statements()) == len(left)
    first, last = days_of(analysed, ask(anyone, TOPIC))
    dated = analysed.groups.reliability(ask(anyone, TOPIC, first, last))
    assert plain(dated)["phrases"] == plain(expected[anyone, TOPIC])["phrases"]
    judged = sum(rate.judged for rate in analysed.verification.of(ask(anyone)).rates)
    assert judged == expected[anyone, TOPIC].n

    analysed.save_settings(analysed.settings.changed(contested="counted"))
    again = analysed.analyse()
    assert [(r.author, r.topic, r.n, r.p_value) for r in again.reliabilities] == [
        (r.author, r.topic, r.n, r.p_value) for r in counted.reliabilities
    ]
    assert again.counts == counted.counts
    assert not any(c.left_out for c in analysed.contests.all())
    assert analysed.groups.evidence(ask(anyone))["entered"].all()


def test_a_contested_finding_is_no_example_to_print(analysed, ask):
    author, example = next((a, e) for a in analysed.authors() for e in analysed.pages.input(a).examples)
    rows = analysed.groups.evidence(ask(author, example.topic), [example.phrase])
    ids = rows.loc[rows["xray_sentence"] == example.xray_sentence, "xray_id"]
    assert len(ids)
    for xray_id in ids:
        analysed.contests.add(xray_id, example.topic, author, example.phrase)
    printed = {(e.topic, e.phrase, e.xray_sentence) for e in analysed.pages.input(author).examples}
    assert (example.topic, example.phrase, example.xray_sentence) not in printed


def test_a_group_all_of_which_is_left_out_is_one_without_statements(analysed, anyone, ask):
    everything = analysed._workspace.observations()
    own = everything[everything["author"] == anyone]
    topic = own["topic"].value_counts().index[-1]
    for row in own[own["topic"] == topic].itertuples():
        analysed.contests.add(row.xray_id, topic, anyone, row.phrase)
    analysed.save_settings(analysed.settings.changed(contested="left out"))
    analysis = analysed.analyse()
    assert (anyone, topic) not in {(r.author, r.topic) for r in analysis.reliabilities}
    assert analysed.groups.reliability(ask(anyone, topic)).n == 0
    assert not analysed.groups.evidence(ask(anyone, topic))["entered"].any()
