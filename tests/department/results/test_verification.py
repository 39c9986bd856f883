"""What no CT decided on: reports and statements counted against a count one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any

import pandas as pd
import pytest

from radcal.calibration.verifications import xray_reports
from radcal.chain import run_chain
from radcal.department import Department
from radcal.findings.report_level import decide
from radcal.findings.to_review import to_findings
from radcal.system.errors import Cancelled, DataError
from radcal.system.selection import Selection
from radcal.words.editing import remove_phrase

TOPIC = "pleural effusion"


def _all_xrays(department: Department) -> pd.DataFrame:
    return pd.concat(xray_reports(department), ignore_index=True)


def _own_reports(department: Department, author: str) -> pd.DataFrame:
    """An author's X-ray reports, from the tables of the workspace."""
    reports = department._workspace.reports()
    return reports[(reports["modality"] == "xray") & (reports["author"] == author)]


@pytest.fixture
def check(by_hand: Callable[..., pd.DataFrame]) -> Callable[..., None]:
    """Compares with a count of reports and findings one by one."""

    def _check(department: Department, asked: Any, unread: int) -> None:
        workspace = department._workspace
        own = _own_reports(department, asked.author)
        days = own["exam_time"].dt.date
        inside = (days >= (asked.days.first or date.min)) & (days <= (asked.days.last or date.max))
        ids = own.loc[inside, "report_id"].tolist()
        found = department.verification.of(asked)
        pairs = workspace.pairs()
        assert found.n_reports == len(ids)
        assert found.n_with_ct == len(set(ids) & set(pairs["xray_id"]))
        assert found.n_unread == unread
        findings = to_findings(workspace.findings(department.runs.shown(), ids))
        said = Counter(f.phrase for f in decide(findings) if f.pathology == asked.topic)
        part = by_hand(workspace.observations(), asked)
        judged = Counter(part["phrase"])
        positives = part.groupby("phrase")["outcome"].sum()
        known = [p.name for p in department.phrases()]
        assert [r.phrase for r in found.rates] == [name for name in known if said[name] or judged[name]]
        for r in found.rates:
            assert r.said >= r.judged
            assert (r.said, r.judged) == (max(said[r.phrase], judged[r.phrase]), judged[r.phrase])
            assert r.unverified == r.said - r.judged
            assert r.positives == pytest.approx(positives.get(r.phrase, 0.0))
        verdicts = {p.phrase: p.verdict for p in department.groups.reliability(asked).phrases}
        assert {r.phrase: r.verdict for r in found.rates if r.judged} == verdicts

    return _check


def test_verification_counts_what_a_count_of_every_report_gives(shown, everything, anyone, ask, windows, check):
    paired = set(shown._workspace.pairs()["xray_id"])
    for asked in (ask(anyone), ask(anyone, "edema"), *windows(everything, anyone)):
        own = _own_reports(shown, anyone)
        days = own["exam_time"].dt.date
        inside = own[(days >= (asked.days.first or date.min)) & (days <= (asked.days.last or date.max))]
        texts = set(inside.loc[inside["report_id"].isin(paired), "text"]) | set(
            shown._workspace.reports()[lambda r: r["report_id"].isin(paired)]["text"]
        )
        check(shown, asked, unread=int((~inside["text"].isin(texts)).sum()))


def test_reports_of_all_authors_are_those_that_the_attrition_counts(shown):
    reports = _all_xrays(shown)
    steps = shown._workspace.attrition()
    attributed = steps[(steps["step"] == "has a radiologist to attribute it to") & (steps["modality"] == "xray")]
    assert len(reports) == attributed["kept"].iloc[-1]
    assert reports["paired"].sum() == len(shown._workspace.pairs())
    assert reports["report_id"].is_unique


@pytest.mark.slow
def test_reading_the_reports_without_ct_leaves_none_unread(analysed, anyone, ask, onlooker, check):
    before = analysed.verification.of(ask(anyone))
    assert before.n_unread > 0
    analysis = analysed.analysis()
    with pytest.raises(Cancelled):
        analysed.verification.read_unpaired(onlooker(looks=12))
    halfway = analysed.verification.of(ask(anyone))
    assert sum(analysed.verification.of(ask(a)).n_unread for a in analysed.authors()) > 0
    assert halfway.n_unread <= before.n_unread
    reports = _all_xrays(analysed)
    assert analysed.verification.read_unpaired() == int((~reports["paired"]).sum())
    for author in analysed.authors():
        check(analysed, ask(author), unread=0)
    after = analysed.verification.of(ask(anyone))
    assert sum(r.unverified for r in after.rates) > sum(r.unverified for r in before.rates)
    assert [r.judged for r in after.rates if r.judged] == [r.judged for r in before.rates if r.judged]
    assert {r.verification for r in (*analysis.reliabilities, *analysis.pooled)} == {None}  # too little was read
    anew = analysed.analyse()
    for r in (*anew.reliabilities, *anew.pooled):
        found = analysed.verification.of(Selection(r.author, r.topic))
        assert r.verification is not None
        assert (r.verification.n_reports, r.verification.n_with_ct) == (found.n_reports, found.n_with_ct)
        assert r.verification.rate == pytest.approx(found.rate)
        for stored, counted in zip(r.verification.rates, found.rates, strict=True):
            assert stored.phrase == counted.phrase
            assert (stored.said, stored.judged, stored.positives) == pytest.approx(
                (counted.said, counted.judged, counted.positives)
            )
            assert (stored.weighted or ()) == pytest.approx(counted.weighted or ())


def test_what_was_read_before_a_stop_is_not_read_again(analysed, spy, ask, onlooker):
    analysed.runs.extract()
    analysed.analyse()
    spy.asked.clear()
    with pytest.raises(Cancelled):
        analysed.verification.read_unpaired(onlooker(looks=12))
    first = list(spy.asked)
    assert first
    analysed.verification.read_unpaired()
    assert len(spy.asked) - len(set(spy.asked)) <= 1  # the one that it was stopped in
    assert len(spy.asked) > len(first)
    analysed.verification.read_unpaired()
    assert analysed.verification.of(ask(analysed.authors()[0])).n_unread == 0


@pytest.mark.slow
def test_once_read_the_reports_without_ct_are_read_on(analysed, ask, anyone):
    run_chain(analysed)
    assert analysed.verification.of(ask(anyone)).n_unread > 0
    analysed.verification.read_unpaired()
    analysed.words.save(remove_phrase(analysed.lexicon, "likely"))  # all reports are to be read anew
    run_chain(analysed)
    assert sum(analysed.verification.of(ask(a)).n_unread for a in analysed.authors()) == 0


@pytest.mark.slow
def test_another_engine_in_the_settings_leaves_the_count_with_the_results_on_show(analysed, spy, anyone, ask, check):
    runs = analysed._workspace.run_keys()
    check(analysed, ask(anyone), unread=analysed.verification.of(ask(anyone)).n_unread)
    assert sum(r.judged for r in analysed.verification.of(ask(anyone)).rates) > 0
    assert analysed.verification.of(ask(anyone)).n_unread < 40
    assert analysed._workspace.run_keys() == runs  # none begun by looking
    with pytest.raises(DataError, match="read by another engine than the one in the settings"):
        analysed.verification.read_unpaired()
    assert spy.asked == []
    analysed.runs.extract()
    analysed.analyse()
    analysed.verification.read_unpaired()
    check(analysed, ask(anyone), unread=0)
    analysed.runs.use(runs[0][0])
    analysed.analyse()
    assert analysed.runs.shown() == runs[0][0]
    assert analysed.verification.of(ask(anyone)).n_unread > 0
    with pytest.raises(DataError, match="Show the results of the engine in the settings"):
        analysed.verification.read_unpaired()


def test_reports_of_two_people_are_attributed_as_the_settings_say(analysed):
    workspace = analysed._workspace
    workspace._db.execute("UPDATE reports SET dictator = 'Trainee, Toni', signer = 'Senior, Sam'")
    reports = workspace.reports()
    final = reports.loc[(reports["modality"] == "xray") & (reports["status"] != "preliminary"), "report_id"].tolist()
    workspace._db.execute("UPDATE reports SET signer = '' WHERE report_id = ?", final[:1])  # not signed
    workspace._db.execute("UPDATE reports SET dictator = 'Senior, Sam' WHERE report_id = ?", final[1:2])
    for rule, expected in (
        ("signer", {"Senior, Sam": len(final) - 1}),
        ("dictator", {"Senior, Sam": 1, "Trainee, Toni": len(final) - 2}),
        ("leave out", {"Senior, Sam": 1}),
    ):
        analysed.save_settings(analysed.settings.changed(trainee_rule=rule))
        found = _all_xrays(analysed)
        counted = Counter(found.loc[found["report_id"].isin(final), "author"])
        assert counted == expected, rule
        assert "" not in set(found["author"])
