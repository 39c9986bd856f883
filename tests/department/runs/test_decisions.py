"""What a person decides on an unread finding: it counts, in every run that reads the same, until it is taken back."""

from __future__ import annotations

import getpass
import json
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from radcal.calibration.analysis_records import Unread
from radcal.calibration.records import ALL_AUTHORS, DECIDED
from radcal.cli.run import write_results
from radcal.department import Department
from radcal.findings.readers.pairs import NOT_STATED
from radcal.findings.records import Finding
from radcal.findings.to_review import to_findings
from radcal.system.errors import DataError, InputError
from radcal.system.files import record_to_plain
from radcal.system.settings import ALL_TOPICS
from radcal.words.records import ABSENT, PRESENT, UNREAD
from radcal.workspace.records import PAIRED

TOPIC = "pleural effusion"
Reads = Callable[..., int]


def is_doubted(f: Finding) -> bool:
    return f.pathology == TOPIC and zlib.crc32(f.report_id.encode()) % 3 == 0


def doubting(findings: tuple[Finding, ...]) -> list[Finding]:
    """Every third report has its effusions unread."""
    return [
        replace(f, phrase=UNREAD, rules=f.phrase, second=NOT_STATED, probability=0.3) if is_doubted(f) else f
        for f in findings
    ]


def otherwise(findings: tuple[Finding, ...]) -> list[Finding]:
    """Unread as well, but of rules that read something else there."""
    return [replace(f, phrase=UNREAD, rules="possibly") if is_doubted(f) else f for f in findings]


@pytest.fixture
def reads(filled: Department, stand_in: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Reads:
    """Lets an engine that changes findings so read, under a name of its settings; the run is then that of results."""

    def read(change: Callable[[tuple[Finding, ...]], list[Finding]] = list, name: str = "both") -> int:
        engine = stand_in("rules", change, settings_hash=name)
        monkeypatch.setattr("radcal.findings.runs.make_engine", lambda *_: engine)
        filled.runs._engines.clear()
        filled.runs.read()
        run = filled.runs.own()
        assert run is not None
        filled.runs.use(run)
        return run

    return read


def unread_of(department: Department, run: int) -> list[Finding]:
    found = to_findings(department.workspace.findings(run, PAIRED))
    return [f for f in found if f.unread]


def decided_in(department: Department, run: int) -> list[Finding]:
    return [finding for finding, *_ in department.runs.decided(run)]


def counts(department: Department, *leaving: str) -> Counter[tuple[str, str, str]]:
    analysis = department.analysis()
    assert analysis is not None
    return Counter({(a, t, what): n for a, t, what, n in analysis.counts if what not in leaving})


def rates(department: Department) -> list[str]:
    analysis = department.analysis()
    assert analysis is not None
    return [str(record_to_plain(r)) for r in (*analysis.reliabilities, *analysis.pooled)]


def left_unread(department: Department) -> Unread | None:
    every = (ALL_AUTHORS, ALL_TOPICS)
    analysis = department.analysis()
    assert analysis is not None
    return next((u for u in analysis.unread if (u.author, u.topic) == every), None)


@pytest.mark.slow
def test_a_decision_of_what_the_rules_read_gives_what_would_have_been_read(filled: Department, reads: Reads) -> None:
    reads(list, "sure")
    filled.analyse()
    sure, sure_counts = rates(filled), counts(filled)
    run = reads(doubting)
    filled.analyse()
    doubted, before = rates(filled), left_unread(filled)
    assert doubted != sure
    assert before is not None
    unread = unread_of(filled, run)
    for phrase in {f.rules for f in unread}:
        filled.runs.decide([f for f in unread if f.rules == phrase], phrase)
    filled.analyse()
    assert rates(filled) == sure
    assert counts(filled, DECIDED) == sure_counts
    decided = sum(n for (_, _, what), n in counts(filled).items() if what == DECIDED)
    assert decided >= before.n > 0
    assert left_unread(filled) is None
    assert filled.runs.status().n_decided == len(unread)
    assert filled.runs.status().n_unread == 0
    found = {f.as_rules_read for f in decided_in(filled, run)}
    assert found == {f.rules for f in unread}, "both readings are kept"
    assert set(filled.workspace.decisions(run)["second"]) == {NOT_STATED}
    filled.runs.decide(unread, "")
    filled.analyse()
    assert (rates(filled), left_unread(filled)) == (doubted, before)


@pytest.mark.slow
def test_every_decision_makes_the_unread_fewer(filled: Department, reads: Reads) -> None:
    run = reads(doubting)
    filled.analyse()
    before = left_unread(filled)
    unread = unread_of(filled, run)
    filled.runs.decide(unread[: len(unread) // 2], ABSENT)
    filled.analyse()
    after = left_unread(filled)
    assert before is not None
    assert after is not None
    assert 0 < after.n < before.n
    listed = filled.runs.to_review(run, None, list(dict.fromkeys(f.report_id for f in unread)))
    assert len(listed) == len(unread_of(filled, run)) < len(unread)


_CHOICES = st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(["", ABSENT, "likely", PRESENT, NOT_STATED])))


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(choices=_CHOICES)
def test_findings_are_as_read_but_for_the_last_decision_on_each(
    filled: Department, reads: Reads, choices: list[tuple[int, str]]
) -> None:
    run = reads(doubting)
    workspace = filled.workspace
    read = to_findings(workspace.findings(run, as_read=True))
    unread = [f for f in read if f.unread]
    filled.runs.decide(unread, "")
    text_of = dict(workspace.reports(("report_id", "text")).itertuples(index=False, name=None))
    said: dict[tuple[str, str, int], str] = {}
    for number, phrase in choices:
        finding = unread[number % len(unread)]
        filled.runs.decide([finding], phrase)
        said[text_of[finding.report_id], finding.pathology, finding.term_start] = phrase
    expected = []
    for f in read:
        phrase = said.get((text_of[f.report_id], f.pathology, f.term_start), "") if f.unread else ""
        if phrase != NOT_STATED:
            expected.append(replace(f, phrase=phrase, decided=phrase) if phrase else f)
    found = to_findings(workspace.findings(run))
    assert found == expected
    assert to_findings(workspace.findings(run, as_read=True)) == read
    paired = set(filled.runs.paired_ids())
    counted = Counter((f.phrase, f.verbatim) for f in found if f.report_id in paired)
    assert {(p, v): n for p, v, n in workspace.count_findings(run, PAIRED)} == counted
    assert workspace.reports_saying(run, UNREAD) == {f.report_id for f in found if f.unread}


def test_a_run_with_the_same_readings_takes_decisions_over(filled: Department, reads: Reads) -> None:
    first = unread_of(filled, reads(doubting))
    filled.runs.decide(first, "likely")
    again = reads(doubting, "newer")
    assert not unread_of(filled, again)
    assert {f.phrase for f in decided_in(filled, again)} == {"likely"}
    # A person has decided, whether or not another second reader doubts what the rules read.
    sure = to_findings(filled.workspace.findings(reads(list, "sure")))
    assert {f.phrase for f in sure if is_doubted(f)} == {"likely"}
    others = reads(otherwise, "other rules")
    asked = [f for f in first if f.rules != "possibly"]
    assert len(unread_of(filled, others)) == len(asked) > 0


def test_who_decided_and_when_is_kept_and_logged(filled: Department, reads: Reads) -> None:
    run = reads(doubting)
    finding = unread_of(filled, run)[0]
    filled.runs.decide([finding], ABSENT)
    filled.runs.decide([finding], NOT_STATED)
    decided = filled.runs.decided(run)
    assert {(finding.phrase, by) for finding, by, _ in decided} == {(NOT_STATED, getpass.getuser())}
    assert all(timedelta(0) <= datetime.now(UTC) - at < timedelta(minutes=5) for *_, at in decided)
    filled.runs.decide([finding], "")
    assert not filled.runs.decided(run)
    logged = filled.workspace.audit()["what"].tolist()[-3:]
    assert logged == ["unread findings decided on"] * 2 + ["decisions on unread findings taken back"]


def test_only_what_was_left_unread_is_decided_on_in_phrases_of_the_list(filled: Department, reads: Reads) -> None:
    run = reads(doubting)
    read = to_findings(filled.workspace.findings(run))
    sure = next(f for f in read if not f.unread)
    with pytest.raises(DataError, match="Only what was left unread"):
        filled.runs.decide([sure], ABSENT)
    with pytest.raises(DataError, match="'perhapsish' is neither a phrase"):
        filled.runs.decide(unread_of(filled, run), "perhapsish")
    assert filled.workspace.decisions(run).empty


@pytest.mark.slow
def test_accuracy_is_that_of_the_engine_not_of_the_person(filled: Department, reads: Reads) -> None:
    run = reads(doubting)
    filled.analyse()
    gold = filled.gold.draw(20)
    before = {r.report_id: r.findings for r in filled.gold.reports()}
    filled.runs.decide(unread_of(filled, run), ABSENT)
    assert {r.report_id: r.findings for r in filled.gold.reports()} == before
    assert any(f.unread for i in gold.report_ids for f in before[i] or ())


def test_marks_of_wordings_follow(filled: Department, reads: Reads) -> None:
    run = reads(doubting)
    workspace = filled.workspace
    marker = workspace.marker("test")

    def hedged() -> int:
        workspace.mark_wordings(run, marker, 0, 10_000, lambda *_: False)
        return int(workspace._db.execute("SELECT sum(hedged) FROM wording_marks WHERE run_id = ?", (run,))[0][0])

    before = hedged()
    filled.runs.decide(unread_of(filled, run), ABSENT)
    assert workspace.count_unmarked_wordings(run, marker) > 0
    assert hedged() < before
    assert workspace.count_unmarked_wordings(run, marker) == 0


def test_pages_summaries_and_exports_say_how_many(filled: Department, reads: Reads, tmp_path: Path) -> None:
    run = reads(doubting)
    unread = unread_of(filled, run)
    filled.runs.decide(unread, ABSENT)
    told = write_results(filled, tmp_path / "out")
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    assert (summary["unread"], summary["decided"]) == (0, len(unread))
    assert f"{len(unread)} findings that had been left unread: decided by a person." in told["text"]
    on_pages = [data.counts.get("left unread at first, decided by a person", 0) for data in filled.pages.inputs()]  # type: ignore[call-overload]
    counted = counts(filled)
    assert sum(on_pages) == sum(n for (_, _, what), n in counted.items() if what == DECIDED) > 0
    author = filled.authors()[0]
    by_day = filled.author_results.counts(author)
    own = sum(n for (who, _, what), n in counted.items() if (who, what) == (author, DECIDED))
    assert by_day.loc[by_day["what"] == DECIDED, "n"].sum() == own
    filled.findings_export.write(tmp_path / "f.csv")
    table = pd.read_csv(tmp_path / "f.csv", keep_default_na=False)
    decided = table[table["decided"] != ""]
    assert len(decided) == len(unread)
    assert set(decided["phrase"]) == {ABSENT}
    assert set(decided["rules"]) == {f.rules for f in unread}


# --- a list with decisions, given back --------------------------------------------------------------


def list_of(department: Department, path: Path, decide: Callable[[int], str]) -> Path:
    table = department.runs.review()
    table["decision"] = [decide(n) for n in range(len(table))]
    table.to_csv(path, index=False)
    return path


def test_a_list_with_decisions_is_taken_over_and_back(filled: Department, reads: Reads, tmp_path: Path) -> None:
    run = reads(doubting)
    n = len(unread_of(filled, run))
    some = list_of(filled, tmp_path / "list.csv", lambda row: ("", "absent", NOT_STATED)[row % 3])
    assert filled.runs.take_decisions(some) == n - len(range(0, n, 3))
    found = Counter(f.decided for f in decided_in(filled, run))
    assert found == {ABSENT: len(range(1, n, 3)), NOT_STATED: len(range(2, n, 3))}
    back = some.read_text(encoding="utf-8").replace(",absent\n", ",unread\n")
    some.write_text(back, encoding="utf-8")
    filled.runs.take_decisions(some)
    assert {f.decided for f in decided_in(filled, run)} == {NOT_STATED}


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("decision", "perhapsish", "list.csv, line 2: 'perhapsish' is neither a phrase of the list nor 'not stated'."),
        ("at", "100000", "list.csv, line 2: Nothing was left unread there."),
        ("report_id", "xray:none", "list.csv, line 2: Nothing was left unread there."),
    ],
)
def test_a_row_that_decides_on_nothing_is_named(
    filled: Department, reads: Reads, tmp_path: Path, column: str, cell: str, said: str
) -> None:
    run = reads(doubting)
    path = list_of(filled, tmp_path / "list.csv", lambda _: ABSENT)
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    table.loc[0, column] = cell
    table.to_csv(path, index=False)
    with pytest.raises(InputError) as refused:
        filled.runs.take_decisions(path)
    assert str(refused.value).startswith(said)
    assert filled.workspace.decisions(run).empty, "all or nothing"
    table.drop(columns=["at"]).to_csv(path, index=False)
    with pytest.raises(InputError, match=r"list\.csv has no column 'at'"):
        filled.runs.take_decisions(path)
