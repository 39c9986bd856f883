"""Both reports of a case: whole where they are at hand, and named where they are not."""

from __future__ import annotations

from collections import Counter

from radcal.opening import open_workspace


def test_both_reports_are_whole_with_their_numbers_and_dates(shown, anyone, ask):
    row = shown.groups.evidence(ask(anyone)).iloc[0]
    case = shown.cases.case(row["xray_id"], row["ct_id"])
    stored = shown._workspace.reports().set_index("report_id")
    for report in (case.xray, case.ct):
        kept = stored.loc[report.report_id]
        assert (report.accession, report.text, report.exam) == (kept["accession"], kept["text"], kept["exam"])
        assert report.time == kept["exam_time"]
        assert report.report_id.endswith(f":{report.accession}")
    assert row["xray_sentence"] in case.xray.text
    assert row["ct_sentence"] in case.ct.text
    assert case.xray.author == anyone


def test_findings_are_those_of_the_run_behind_the_results_at_their_place(shown, everything):
    found = 0
    for row in everything.head(40).itertuples():
        case = shown.cases.case(row.xray_id, row.ct_id)
        for report in (case.xray, case.ct):
            assert {f.report_id for f in report.findings} <= {report.report_id}
            for f in report.findings:
                assert report.text[f.start : f.end] == f.sentence
                assert report.text[f.cue_start : f.cue_end].casefold() == f.verbatim.casefold() or f.cue_start < 0
        said = Counter((f.pathology, f.phrase, f.sentence) for f in case.xray.findings)
        assert said[row.topic, row.phrase, row.xray_sentence] >= 1
        found += len(case.ct.findings)
    assert found > 40


def test_where_no_report_is_at_hand_only_their_names_are(analysed, anyone, ask, tmp_path):
    row = analysed.groups.evidence(ask(anyone)).iloc[0]
    path = analysed.personal_files.write(anyone, tmp_path / "own.radcal", "own words of hers")
    with open_workspace(path, "own words of hers") as personal:
        case = personal.cases.case(row["xray_id"], row["ct_id"])
    assert (case.xray.report_id, case.ct.report_id) == (row["xray_id"], row["ct_id"])
    assert case.xray.accession == row["xray_id"].partition(":")[2] != ""
    assert (case.xray.text, case.xray.findings, case.xray.time, case.ct.text) == ("", (), None, "")
