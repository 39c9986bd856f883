"""Which statement of a report enters the statistics."""

from __future__ import annotations

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.records import FINDING_COLUMNS, Finding
from radcal.findings.report_level import decide, decide_table
from radcal.reports.records import Section


def _finding(section: Section, phrase: str, start: int, pathology: str = "edema", report: str = "r") -> Finding:
    return Finding(report, pathology, phrase, "", "s", section, start, start + 1, start, start + 1)


F, I = Section.FINDINGS, Section.IMPRESSION  # noqa: E741 - short names for the tables below


def test_the_impression_comes_first() -> None:
    hedge = _finding(I, "likely", 50)
    assert decide([_finding(F, "present", 10), hedge, _finding(F, "absent", 90)]) == [hedge]


def test_present_or_absent_comes_before_a_hedge_of_the_same_section() -> None:
    plain = _finding(F, "absent", 10)
    assert decide([plain, _finding(F, "possibly", 20)]) == [plain]


def test_then_the_last_statement() -> None:
    last = _finding(F, "absent", 30)
    assert decide([_finding(F, "present", 10), last, _finding(F, "likely", 40)]) == [last]
    assert decide([last, _finding(F, "present", 10)]) == [last]


def test_reports_and_pathologies_are_decided_apart() -> None:
    findings = [
        _finding(F, "present", 1, "edema", "a"),
        _finding(F, "absent", 2, "mass", "a"),
        _finding(F, "likely", 1, "edema", "b"),
    ]
    assert decide(findings) == findings


FINDINGS = st.lists(
    st.builds(
        _finding,
        st.sampled_from([F, I]),
        st.sampled_from(["present", "absent", "likely", "possibly"]),
        st.integers(0, 99),
        st.sampled_from(["edema", "mass"]),
        st.sampled_from(["a", "b"]),
    ),
    max_size=12,
)


@settings(deadline=None)
@given(FINDINGS)
def test_each_pathology_of_a_report_is_decided_once_by_the_rule(findings: list[Finding]) -> None:
    kept = decide(findings)
    keys = [(f.report_id, f.pathology) for f in kept]
    assert len(keys) == len(set(keys))
    assert set(keys) == {(f.report_id, f.pathology) for f in findings}
    # Independently: sort by the rule and take the last.
    for report, pathology in keys:
        mine = [f for f in findings if (f.report_id, f.pathology) == (report, pathology)]
        best = max((f.section == I, f.phrase in ("present", "absent"), f.start) for f in mine)
        (mine_kept,) = (f for f in kept if (f.report_id, f.pathology) == (report, pathology))
        assert (mine_kept.section == I, mine_kept.phrase in ("present", "absent"), mine_kept.start) == best


@settings(deadline=None, max_examples=50)
@given(FINDINGS)
def test_a_table_is_decided_like_single_findings(findings: list[Finding]) -> None:
    table = pd.DataFrame([[getattr(f, c) for c in FINDING_COLUMNS] for f in findings], columns=list(FINDING_COLUMNS))
    table["section"] = [f.section.value for f in findings]
    kept = decide_table(table)
    by_key = {(f.report_id, f.pathology): (f.section.value, f.phrase, f.start) for f in decide(findings)}
    rows = kept[["report_id", "pathology", "section", "phrase", "start"]].itertuples(index=False)
    assert {(r[0], r[1]): r[2:] for r in map(tuple, rows)} == by_key


def test_of_two_statements_in_one_place_the_one_read_last_decides() -> None:
    for phrases in (("present", "absent"), ("absent", "present"), ("likely", "possibly")):
        both = [_finding(F, phrase, 10) for phrase in phrases]
        assert decide(both) == both[1:]
        table = pd.DataFrame([[getattr(f, c) for c in FINDING_COLUMNS] for f in both], columns=list(FINDING_COLUMNS))
        assert decide_table(table)["phrase"].tolist() == [phrases[1]]
