"""The list of all reports: what became of each agrees with the pairs, the attrition and what was read."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from radcal.department import Department
from radcal.reports.attrition import REPORTS
from radcal.reports.importing import as_files
from radcal.reports.records import State
from radcal.sample.department import SampleTruth

AFTER_READING = ("another part of the body", "the same text occurs again", "superseded", "an addendum")
"""Reasons of rows that are no reports of their own."""


def test_every_report_is_listed_with_its_pair_or_the_reason_that_the_attrition_counts(
    department: Department, small: SampleTruth
) -> None:
    department.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
    department.importing.pair()
    workspace = department._workspace
    rows = department.report_list.all()
    reports = [row for row in rows if row.report_id]
    assert sorted(row.report_id for row in reports) == sorted(workspace.reports(["report_id"])["report_id"])
    times = [row.time for row in reports if row.time is not None]
    assert times == sorted(times, reverse=True)
    assert all(not row.report_id for row in rows[len(reports) :]), "rows left out come last"

    pairs = workspace.pairs()
    both = pd.concat([pairs, pairs.rename(columns={"xray_id": "ct_id", "ct_id": "xray_id"})])
    partners = dict(zip(both["xray_id"], zip(both["ct_id"], both["gap_hours"], strict=True), strict=True))
    assert {row.report_id: (row.partner, row.hours) for row in reports if row.partner} == partners
    assert all((row.state is State.LEFT_OUT) == (not row.partner) for row in reports)
    assert all(row.state is State.WAITING and row.findings is None for row in reports if row.partner)

    # The attrition is counted by other code, in numbers alone.
    told = workspace.attrition()
    told = told[(told["dropped"] > 0) & (told["step"] != REPORTS)]
    counted = Counter(
        {(m, str(why)): n for m, why, n in zip(told["modality"], told["reason"], told["dropped"], strict=True)}
    )
    listed = Counter((row.modality, str(row.why)) for row in reports if not row.partner)
    listed += Counter(("xray", str(row.why)) for row in rows if not row.report_id)
    no_reports = [key for key in counted if key[1].startswith(AFTER_READING)]
    assert listed == Counter({key: n for key, n in counted.items() if key not in no_reports})


def test_what_was_read_failed_or_may_have_names_is_told(analysed: Department) -> None:
    workspace, run = analysed._workspace, analysed.runs.own()
    assert run is not None
    read = [row for row in analysed.report_list.all() if row.state is State.READ]
    assert len(read) == 2 * workspace.count_pairs()
    findings = Counter(workspace.findings(run, columns=["report_id"])["report_id"])
    assert {row.report_id: row.findings for row in read} == {row.report_id: findings[row.report_id] for row in read}
    assert sum(row.findings or 0 for row in read) > 0

    first, second = read[0].report_id, read[1].report_id
    texts = workspace._db.execute(
        "SELECT report_id, text_id FROM reports WHERE report_id IN (?, ?) ORDER BY report_id = ? DESC",
        (first, second, first),
    )
    ids = dict(texts)
    workspace._db.execute(
        "UPDATE extractions SET failure = 'It took too long.' WHERE text_id = ? AND run_id = ?", (ids[first], run)
    )
    workspace._db.execute("DELETE FROM extractions WHERE text_id = ? AND run_id = ?", (ids[second], run))
    workspace.put_suspects([(second, "name", "Miller", 0), (second, "name", "Jones", 1)], [second])
    now = {row.report_id: row for row in analysed.report_list.all()}
    assert (now[first].state, now[first].why) == (State.FAILED, "It took too long.")
    assert (now[second].state, now[second].findings, now[second].suspects) == (State.WAITING, None, 2)
