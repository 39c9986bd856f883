"""Text written after the CT never counts: from a file to the pairs, the case and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from radcal.chain import run_chain
from radcal.department import Department
from radcal.reports import stored_pairs as stored_pairing
from radcal.reports.dry_run import Rehearsal
from radcal.reports.importing import as_files
from radcal.reports.records import Use
from radcal.system.settings import Settings

HEADER = (
    "Accession,MRN,Exam Description,Modality,Exam Time,Report Text,Dictated By,Signing Radiologist,Status,Report Time"
)
BEFORE, AFTER = "2024-03-01 08:40", "2024-03-01 14:00"


def xray(number: int, text: str, status: str = "Final", reported: str = BEFORE, who: str = ",Roe") -> str:
    return f'X{number},P{number},XR CHEST,CR,2024-03-01 08:00,"{text}",{who},{status},{reported}'


def ct(number: int) -> str:
    text = "IMPRESSION: Pulmonary edema."
    return f"C{number},P{number},CT CHEST,CT,2024-03-01 10:00,{text},,Poe,Final,2024-03-01 12:00"


ROWS = (
    xray(1, "IMPRESSION: Possible edema."),
    xray(1, "CT shows edema.", "Addendum", AFTER),
    xray(2, "IMPRESSION: Possible edema."),
    xray(2, "IMPRESSION: Edema as on CT.", "Corrected", AFTER),
    xray(3, "IMPRESSION: Possible edema.", "Preliminary", BEFORE, "Doe,"),
    xray(3, "IMPRESSION: Likely edema.", "Final", AFTER),
    xray(4, "IMPRESSION: Possible edema.\n\nADDENDUM 03/01/2024 15:00: Confirmed on CT.", "Final", BEFORE),
    xray(5, "IMPRESSION: Edema.", "Corrected", AFTER),
    xray(6, "IMPRESSION: Edema.", "Final", AFTER),
    xray(7, "IMPRESSION: Possible edema."),
    xray(7, "The subsequent CT shows edema.", "Addendum", ""),
    xray(8, "IMPRESSION: Possible edema."),
    xray(8, "CT is recommended.", "Addendum", ""),
    *map(ct, range(1, 9)),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "reports.csv"
    path.write_text("\n".join((HEADER, *ROWS)), encoding="utf-8")
    return path


def counted(department: Department) -> dict[str, str]:
    """The text that counts of each X-ray report in a pair."""
    pairs = department._workspace.pairs()["xray_id"]
    frame = department._workspace.reports(("report_id", "text"), pairs)
    return {
        i.removeprefix("xray:"): " ".join(t.split()) for i, t in zip(frame["report_id"], frame["text"], strict=True)
    }


EXPECTED = {
    "X1": "IMPRESSION: Possible edema.",
    "X2": "IMPRESSION: Possible edema.",
    "X3": "IMPRESSION: Possible edema.",
    "X4": "IMPRESSION: Possible edema.",
    "X6": "IMPRESSION: Edema.",
    "X7": "IMPRESSION: Possible edema.",
    "X8": "IMPRESSION: Possible edema. ADDENDUM: CT is recommended.",
}


def test_the_report_as_it_stood_before_the_ct_counts(department: Department, file: Path) -> None:
    said = Rehearsal().run(as_files([file]), department)
    result = run_chain(department, as_files([file]))
    assert counted(department) == EXPECTED
    dropped = {
        r["reason"]: r["dropped"] for r in result.pairing.attrition.to_dict("records") if r["modality"] == "xray"
    }
    assert dropped["only what was written after the CT"] == 1
    assert dropped["an addendum, joined to its report"] == 1
    apart = result.pairing.attrition.query("reason == 'written after the CT, kept apart'")
    assert apart["dropped"].tolist() == [2, 2]
    assert said.attrition.equals(result.pairing.attrition)
    found = department.importing.attribution()
    assert found is not None
    assert (found.texts_apart, found.reports_apart, found.signed_after, found.left_out_after) == (5, 5, 1, 1)
    assert found.addenda_apart == 1
    assert (found.paired, found.several, dict(found.rules)) == (
        7, 1, {"only radiologist named": 7, "dictated and signed by two: the last to sign": 1}
    )  # fmt: skip


def test_texts_that_show_themselves_that_they_are_from_after_the_ct(department: Department, tmp_path: Path) -> None:
    rows = (
        xray(1, "IMPRESSION: Edema. Subsequent CT showed edema.", reported=""),
        xray(2, "IMPRESSION: Edema, as seen on the subsequent CT.", reported=AFTER),
        xray(3, "IMPRESSION: Edema as on prior CT. Consider CT for further evaluation.", reported=""),
        xray(4, "REVISED REPORT: 03/01/2024 15:00\nFINDINGS: Edema.", reported=""),
        xray(5, "ADDENDUM: 03/01/2024 15:00 CT shows edema.\n\nFINDINGS: Possible edema.", reported=""),
        xray(6, "FINDINGS: Possible edema. ADDENDUM: 03/01/2024 15:00 Edema.", reported=""),
        *map(ct, range(1, 7)),
    )
    path = tmp_path / "reports.csv"
    path.write_text("\n".join((HEADER, *rows)), encoding="utf-8")
    run_chain(department, as_files([path]))
    assert counted(department) == {
        "X3": "IMPRESSION: Edema as on prior CT. Consider CT for further evaluation.",
        "X5": "FINDINGS: Possible edema.",
        "X6": "FINDINGS: Possible edema.",
    }
    found = department.importing.attribution()
    assert found is not None
    assert (found.texts_apart, found.signed_after, found.left_out_after) == (2, 0, 3)


def test_importing_and_pairing_again_changes_nothing(department: Department, file: Path, tmp_path: Path) -> None:
    run_chain(department, as_files([file]))
    more = tmp_path / "more.csv"
    more.write_text(file.read_text() + f"\n{xray(9, 'IMPRESSION: Clear.')}\n{ct(9)}", encoding="utf-8")
    before = department._workspace.versions()
    department.importing.import_reports(as_files([more]))
    past = department.importing.history()[0]
    assert (past.new, past.changed) == (2, 0)
    assert {k: counted(department)[k] for k in EXPECTED} == EXPECTED, "the last pairing holds until the next"
    department.importing.pair()
    assert counted(department) == EXPECTED | {"X9": "IMPRESSION: Clear."}
    after = department._workspace.versions()
    columns = ["report_id", "position", "text", "role", "uses", "report_time"]
    assert after[columns].equals(before[columns])


@pytest.mark.parametrize("at_once", [2, 50_000])
def test_versions_in_several_files_come_to_the_same(
    department: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(stored_pairing, "_AT_ONCE", at_once)
    for name, part in (("b.csv", ROWS[::2]), ("a.csv", ROWS[1::2])):
        path = tmp_path / name
        path.write_text("\n".join((HEADER, *part)), encoding="utf-8")
        said = Rehearsal().run(as_files([path]), department)
        department.importing.import_reports(as_files([path]))
        paired = department.importing.pair()
        assert (said.pairs, said.reports) == (paired.n_pairs, len(department._workspace.reports(("report_id",))))
        assert said.attrition.equals(paired.attrition)
    assert counted(department) == EXPECTED


@pytest.mark.parametrize("at_once", [1, 3, 5])
def test_patients_paired_a_few_at_a_time_come_to_the_same(
    department: Department, file: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    department.importing.import_reports(as_files([file]))
    workspace, made = department._workspace, []
    tables = (
        "SELECT * FROM pairs ORDER BY rowid",
        "SELECT * FROM versions ORDER BY report_id, position",
        "SELECT report_id, author, author_rule, status, version, text, whole_id IS NULL FROM reports "
        "JOIN texts USING (text_id) ORDER BY report_id",
        "SELECT count(*), count(DISTINCT hash) FROM texts",
    )
    for most in (50_000, at_once, 50_000):
        monkeypatch.setattr(stored_pairing, "_AT_ONCE", most)
        paired = department.importing.pair()
        rows = [workspace._db.execute(sql) for sql in tables]
        made.append((rows, paired.n_pairs, paired.attribution, paired.attrition.to_dict("list")))
        assert paired.attrition.to_dict("list") == department._workspace.attrition().to_dict("list")
        assert paired.attribution == department.importing.attribution()
    assert made[0] == made[1] == made[2]
    assert len(list(workspace.reports_of_patients(("report_id",), at_once))) > 1


def test_without_the_ct_all_counts_and_with_it_no_more(department: Department, tmp_path: Path) -> None:
    paths = tmp_path / "x.csv", tmp_path / "ct.csv"
    paths[0].write_text("\n".join((HEADER, *(r for r in ROWS if r.startswith("X")))), encoding="utf-8")
    paths[1].write_text("\n".join((HEADER, *map(ct, range(1, 9)))), encoding="utf-8")
    department.importing.import_reports(as_files([paths[0]]))
    department.importing.pair()
    whole = department._workspace.reports(("text",), ["xray:X1"])["text"].iloc[0]
    assert whole == "IMPRESSION: Possible edema.\n\nADDENDUM:\nCT shows edema."
    department.importing.import_reports(as_files([paths[1]]))
    department.importing.pair()
    assert counted(department) == EXPECTED


def test_reports_signed_after_the_ct_may_be_left_out(department: Department, file: Path) -> None:
    department.importing.import_reports(as_files([file]))
    department._workspace.save_settings(Settings(signed_after_ct="left out"))
    pairing = department.importing.pair()
    assert set(counted(department)) == set(EXPECTED) - {"X6"}
    reasons = pairing.attrition.set_index("reason")["dropped"]
    assert reasons["signed after the CT, which the settings leave out"] == 1


def test_a_case_shows_what_was_written_after_the_ct_and_draft_against_signed(
    department: Department, file: Path
) -> None:
    department.save_settings(department.settings.changed(deidentify="off"))
    run_chain(department, as_files([file]))
    case = department.cases.case("xray:X4", "ct:C4")
    told: list[tuple[Any, ...]] = [(v.status, v.text, v.use) for v in case.xray.versions]
    assert told == [
        ("final", "IMPRESSION: Possible edema.", Use.COUNTED),
        ("addendum", "ADDENDUM 03/01/2024 15:00: Confirmed on CT.", Use.AFTER_CT),
    ]
    assert case.draft is None
    draft = department.cases.case("xray:X3", "ct:C3").draft
    assert draft is not None
    assert [(c.kind, c.text) for c in draft.changes] == [
        ("", "IMPRESSION: "), ("removed", "Possible"), ("added", "Likely"), ("", " edema.")
    ]  # fmt: skip
    assert [(p.pathology, p.draft, p.signed) for p in draft.phrases] == [("edema", "possibly", "likely")]
    assert (draft.draft.people, draft.signed.people, draft.signed.use) == ("Doe", "Roe", Use.AFTER_CT)


def test_a_workspace_from_before_versions_were_kept_counts_as_before(department: Department, file: Path) -> None:
    """Its reports are the whole ones, whatever their dates, until they are imported anew."""
    department.importing.import_reports(as_files([file]))
    workspace = department._workspace
    workspace._db.execute("UPDATE reports SET names_ct = -1, parts = ''")  # as it is brought up to date
    workspace._db.execute("DELETE FROM versions")
    workspace._db.execute("DELETE FROM texts WHERE text_id NOT IN (SELECT text_id FROM reports)")
    assert department.importing.pair().n_pairs == 8
    found = department.importing.attribution()
    assert found is not None
    assert (found.texts_apart, found.signed_after, found.left_out_after) == (0, 0, 0)
    assert counted(department)["X1"] == "IMPRESSION: Possible edema. ADDENDUM: CT shows edema."
