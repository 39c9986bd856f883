"""Files that were archived when their schema was the newest open with all that people put into them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from radcal.advice.stored_analysis import Analysis
from radcal.calibration.own_contests import OwnContests
from radcal.feedback.records import PageChoice
from radcal.opening import open_department, open_workspace
from radcal.system.kinds import FileKind
from radcal.system.language.catalogue import language
from radcal.system.selection import ALL_DAYS, Selection
from radcal.workspace.store import Workspace

PASSPHRASE = "plum tree in blossom"
READER = "Quillfeather, Avery"


def of_effusion(analysis: Analysis | None) -> tuple[float, ...]:
    """Return n, ECE, and how often "present" was said and confirmed, in what the reader said of effusions."""
    assert analysis is not None
    (rates,) = [r for r in analysis.reliabilities if (r.author, r.topic) == (READER, "pleural effusion")]
    (present,) = [p for p in rates.phrases if p.phrase == "present"]
    return rates.n, rates.ece or 0.0, present.n, present.positives


def test_a_workspace_of_schema_10(tmp_path: Path, old_file: Callable[[str, Path], Path]) -> None:
    path = old_file("schema-10", tmp_path / "w.radcal")
    with open_department(path, PASSPHRASE) as department:
        assert department.settings.seed == 7
        assert department.authors() == (READER, "Thistledown, Bellamy")
        analysis = department.analysis()
        assert of_effusion(analysis) == (12, pytest.approx(0.048427946), 7, 7)
        assert analysis is not None
        statements = department.groups.statements(Selection(READER, "pleural effusion"))
        assert (len(statements), "patient" in statements) == (12, False)  # which versions of then did not keep
        assert {str(a.reason) for a in analysis.advices if a.n == 2} == {"2 findings; advice needs 5."}
        assert len(department._workspace.rejected()) == 5
        assert "has a CT within 12 h" in set(department._workspace.attrition()["step"])
        (past,) = department.importing.history()
        assert (past.files, past.rows_read, past.new) == (("xray.csv", "ct.csv"), 69, 60)
        assert language("de").write(past.notes[0]).startswith("Ausgelassen")
        (run,) = department.runs.choices()
        assert (run.engine, run.model, run.shown) == ("rules", "", True)
        assert {*department._workspace.findings(run.run_id)[["rules", "second"]].to_numpy().ravel()} == {""}
        assert (department.settings.engine, department.settings.second) == ("rules", "bundled")
        assert analysis.unread == ()
        (contest,) = department.contests.all()
        assert (contest.topic, contest.phrase, contest.note) == ("cardiomegaly", "absent", "said otherwise")
        assert department.pages.choice(READER) == PageChoice(examples=False, note="Thank you.")
        sums = department.habits.known().frame[["reports", "searched", "follow_up", "read", "hedged", "standard"]].sum()
        assert sums.tolist() == [60, 60, 1, 48, 29, 17]
        department.gold.begin("AB")
        assert len(department.gold.reports()) == 4
        assert department.importing.pair().n_pairs == 24  # and it can be worked with
    assert Workspace.check(path, PASSPHRASE) == ()


def test_a_workspace_of_schema_11(tmp_path: Path, old_file: Callable[[str, Path], Path]) -> None:
    path = old_file("schema-11", tmp_path / "w.radcal")
    with open_department(path, PASSPHRASE) as department:
        assert of_effusion(department.analysis()) == (12, pytest.approx(0.048427946), 7, 7)
        (run,) = department.runs.choices()
        assert (run.engine, run.model, run.shown) == ("rules", "radcal-mini-q8_0.gguf", True)
        readings = department.workspace.findings(run.run_id)[["phrase", "rules", "second"]].value_counts()
        assert readings["absent", "", "absent"] == 180
        assert readings["present", "", "probably"] == 1
        (contest,) = department.contests.all()
        assert (contest.topic, contest.note) == ("cardiomegaly", "said otherwise")
        assert {report.study_uid for report in department.cases.reports([contest.xray_id])} == {""}
        assert department.importing.pair().n_pairs == 24
    assert Workspace.check(path, PASSPHRASE) == ()


@pytest.mark.parametrize("schema", [10, 11])
def test_a_personal_file(schema: int, tmp_path: Path, old_file: Callable[[str, Path], Path]) -> None:
    with open_workspace(old_file(f"personal-{schema}", tmp_path / "p.radcal"), PASSPHRASE) as results:
        assert (results.kind, results.title) == (FileKind.PERSONAL, READER)
        assert of_effusion(results.analysis())[::2] == (12, 7)
        assert results.pages.choice(READER).note == "Thank you."
        assert results.habits.own(READER).rows
        assert not results.contests.why_not


def test_what_was_handed_out_by_the_version_before_is_taken_back(
    tmp_path: Path, old_file: Callable[[str, Path], Path]
) -> None:
    with open_workspace(old_file("personal-10", tmp_path / "p.radcal"), PASSPHRASE) as results:
        finding = results.groups.evidence(Selection(READER, "pleural effusion", ALL_DAYS)).iloc[0]
        assert isinstance(results.contests, OwnContests)
        results.contests.add(finding["xray_id"], finding["topic"], READER, finding["phrase"], "Misread.")
        sent = results.contests.hand_over(tmp_path / "contests.radcal-contests")
    with open_department(old_file("schema-10", tmp_path / "w.radcal"), PASSPHRASE) as department:
        assert department.personal_files.take_back(sent).new == 1
        assert not department.personal_files.take_back(sent).changed
