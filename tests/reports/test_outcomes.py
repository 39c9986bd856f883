"""Tables of outcomes, and examinations of other studies than the chest."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radcal.findings.engines import make_engine
from radcal.findings.outcomes import extracted_in
from radcal.reports.exams import classify
from radcal.reports.preview import preview_file
from radcal.reports.readers import assembled, read_parts
from radcal.reports.records import Modality
from radcal.reports.rows import Part
from radcal.reports.sections import document
from radcal.system.errors import InputError
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.system.settings import Settings
from radcal.words.studies import Study, chosen_study, study_of

STUDY = """
name = "Knee and arthroscopy"
index = { modalities = ["mr"], exams = ["knee*", "knie"], without = ["knee brace"] }
pairs = { hours = 2400, direction = "DIRECTION" }

[reference.outcomes]
columns = { COLUMNS }
yes = ["torn"]
no = ["intact"]

[reference.outcomes.findings]
"meniscal tear" = ["medial meniscus", "Innenmeniskus"]

[[pathologies]]
name = "meniscal tear"
terms = ["(meniscal tear|tear of the meniscus)"]

[[pathologies]]
name = "ligament tear"
terms = ["(acl|ligament) tear"]

[texts.en]
"chest X-ray" = "knee MR"
"X-ray" = "MR"
"chest CT" = "arthroscopy"
"CT" = "arthroscopy"
"""


def study(folder: Path, columns: str = "", direction: str = "after") -> Study:
    file = folder / "knee.toml"
    text = STUDY.replace("COLUMNS", columns).replace("DIRECTION", direction)
    file.write_text(text, encoding="utf-8")
    return study_of(Settings(**chosen_study(file)))


def read(folder: Path, text: str, of: Study, modality: Modality | None = Modality.CT, **more: object) -> Part:
    path = folder / "outcomes.csv"
    path.write_text(text, encoding="utf-8")
    (part,), _ = read_parts([path], modality=modality, study=of, **more)  # type: ignore[arg-type]
    return part


def test_rows_of_a_patient_at_one_time_are_one_report(tmp_path: Path) -> None:
    text = (
        "Patient;Date;Finding;Outcome\nP1;03.02.2026;Medial meniscus;torn\nP1;03.02.2026;ligament tear;INTACT\n"
        "P1;04.02.2026;ligament tear;torn\nP2;03.02.2026 10:30;INNENMENISKUS;intact\n"
    )
    made = read(tmp_path, text, study(tmp_path)).reports
    assert made["text"].tolist() == [
        "Medial meniscus: torn\nligament tear: INTACT", "ligament tear: torn", "INNENMENISKUS: intact"
    ]  # fmt: skip
    assert made["patient_id"].tolist() == ["P1", "P1", "P2"]
    assert made["row"].tolist() == [2, 4, 5]
    assert set(made["modality"]) == {"ct"}
    assert made["report_id"].is_unique
    # A day alone is its end, so that it follows what was examined on that day.
    days = ["2026-02-03 23:59", "2026-02-04 23:59", "2026-02-03 10:30"]
    assert made["exam_time"].tolist() == [pd.Timestamp(day) for day in days]
    before = read(tmp_path, text, study(tmp_path, direction="before")).reports
    assert before["exam_time"].tolist()[0] == pd.Timestamp("2026-02-03")
    again = read(tmp_path, text, study(tmp_path)).reports
    assert again["report_id"].tolist() == made["report_id"].tolist()  # so that an import can be repeated


def test_the_study_or_the_user_names_the_columns(tmp_path: Path) -> None:
    text = "Who,When it was,Accession No,What,So\nP1,2026-02-03,A7,medial meniscus,torn\n"
    named = 'patient = "Who", time = "When it was", finding = "What", outcome = "So"'
    assert read(tmp_path, text, study(tmp_path, named)).reports["report_id"].tolist() == ["ct:A7"]
    half = 'patient = "Who", time = "When it was", finding = "What"'
    with pytest.raises(InputError, match=r"outcomes\.csv has no column of the outcome\. .*--map outcome=COLUMN"):
        read(tmp_path, text, study(tmp_path, half))
    assert len(read(tmp_path, text, study(tmp_path, half), mapping={"outcome": "So"}).reports) == 1
    with pytest.raises(InputError, match="There is no 'outcome' to map"):
        read_parts([tmp_path / "outcomes.csv"], mapping={"outcome": "So"})


def test_of_what_tables_say_otherwise_the_one_entered_last_counts(tmp_path: Path) -> None:
    head, paths = "Patient,Date,Finding,Outcome,Report date\n", []
    for name, said, entered in (
        ("a", "intact", "2026-02-05"),
        ("b", "torn", "2026-03-05"),
        ("c", "intact", "2026-02-06"),
    ):
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text(f"{head}P1,2026-02-03,ligament tear,{said},{entered}\n", encoding="utf-8")
    parts, _ = read_parts(paths, modality=Modality.CT, study=study(tmp_path, 'entered = "Report date"'))
    assert assembled(parts, "signer").reports["text"].tolist() == ["ligament tear: torn"]
    for path in paths:
        path.write_text(path.read_text(encoding="utf-8").replace("Report date", "Hat"), encoding="utf-8")
    contradicting = assembled(read_parts(paths[:2], modality=Modality.CT, study=study(tmp_path))[0], "signer")
    assert (len(contradicting.reports), contradicting.rejected["row"].tolist()) == (0, [2, 2])


def test_a_preview_asks_for_the_columns_of_outcomes(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.csv"
    path.write_text("Patient,Date,Finding,So\nP1,2026-02-03,medial meniscus,torn\n", encoding="utf-8")
    seen = preview_file(path, study=study(tmp_path))
    assert seen.needed == (("patient_id",), ("exam_time", "exam_date"), ("finding",), ("outcome",))
    assert (seen.needed_of_both, seen.needed_of_xray) == ((), ())
    assert seen.mapping == {"patient_id": "Patient", "exam_date": "Date", "finding": "Finding"}
    assert dict(seen.fields)["outcome"] == "whether it was there"
    assert preview_file(path, {"outcome": "So"}, study=study(tmp_path)).mapping["outcome"] == "So"
    assert preview_file(path).needed != seen.needed


def test_a_table_is_told_from_reports_where_nobody_says(tmp_path: Path) -> None:
    text = "Patient,Date,Finding,Outcome\nP1,2026-02-03,medial meniscus,torn\n"
    assert read(tmp_path, text, study(tmp_path), None).given
    reports = (
        "Accession,MRN,Modality,Exam Description,Exam Time,Report Text,Signed By\n"
        'K1,P1,MR,MRI LEFT KNEE,2026-02-01 10:00,"Meniscal tear is likely.","Ash, Jo"\n'
        'K2,P1,MR,MRI BRAIN,2026-02-01 11:00,"No tear.","Ash, Jo"\n'
    )
    part = read(tmp_path, reports, study(tmp_path), None)
    assert (part.given, part.reports["report_id"].tolist()) == (False, ["xray:K1"])


def test_what_is_given_is_not_read(tmp_path: Path) -> None:
    """Yes prevails over no of the same finding; what no row names is not said; a strange row fails its report."""
    of, engine = study(tmp_path), make_engine(settings=Settings(second="none", workers=1))
    texts = {
        "ct:1": "Medial meniscus: torn\nmeniscal tear: intact",
        "ct:2": "meniscal tear: intact\nligament tear: torn",
        "ct:3": "medial meniscus: [name]",
    }
    documents = [document(i, text, Modality.CT) for i, text in texts.items()]
    documents.insert(1, document("xray:1", "No pneumonia.", Modality.XRAY))
    found = {e.report_id: e for e in extracted_in(of, engine, documents, SILENT)}
    assert {i: [(f.pathology, f.phrase) for f in e.findings] for i, e in found.items()} == {
        "ct:1": [("meniscal tear", "present")],
        "ct:2": [("meniscal tear", "absent"), ("ligament tear", "present")],
        "ct:3": [],
        "xray:1": [("infection", "absent")],
    }
    assert "not understood" in found["ct:3"].failure
    for extraction in found.values():
        for f in extraction.findings:
            assert texts.get(f.report_id, "No pneumonia.")[f.start : f.end] == f.sentence


@pytest.mark.parametrize(
    ("modality", "exam", "region", "role"),
    [
        ("MR", "MRI KNEE LEFT", "", ("xray", True)),
        ("", "MRT Knie rechts", "", ("xray", True)),
        ("MR", "MRI", "KNEE", ("xray", True)),
        ("MR", "MRI BRAIN", "", ("xray", False)),
        ("MR", "MRI with knee brace, shoulder", "", ("xray", False)),
        ("CR", "XR KNEE", "", ("other", True)),
        ("", "something", "", ("", False)),
    ],
)
def test_examinations_of_a_study(tmp_path: Path, modality: str, exam: str, region: str, role: tuple[str, bool]) -> None:
    assert classify(modality, exam, region, study(tmp_path)) == role


def test_two_examinations_of_one_modality_are_told_by_what_they_show(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(
        'name = "s"\nindex = { modalities = ["mr"], exams = ["prostate"] }\n'
        'reference = { modalities = ["mr"], exams = ["pelvis"] }\npairs = { hours = 9 }\n'
        '[[pathologies]]\nname = "mass"\n'
        '[texts.en]\n"chest X-ray" = "MR"\n"X-ray" = "MR"\n"chest CT" = "MR"\n"CT" = "MR"\n',
        encoding="utf-8",
    )
    of = study_of(Settings(**chosen_study(file)))
    assert [classify("MR", exam, "", of) for exam in ("MR PROSTATE", "MR PELVIS", "MR HEAD")] == [
        ("xray", True), ("ct", True), ("xray", False)
    ]  # fmt: skip


def test_the_table_of_the_guide_can_be_read_by_its_study(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "studies.md").read_text(encoding="utf-8")
    of, table = (
        guide[(at := guide.index(b)) : guide.index("\n\n", guide.index(last, at))].replace("    ", "")
        for b, last in (("    [reference.outcomes]", '"breast cancer" ='), ("    PatientNo,", "PatientNo,"))
    )
    text = resource("studies", "mammography.toml").read_text(encoding="utf-8")
    old = text[text.index("[reference.outcomes]") : text.index("[pairs]")]
    (file := tmp_path / "mine.toml").write_text(text.replace(old, f"{of}\n\n"), encoding="utf-8")
    part = read(tmp_path, f"{table}\n", study_of(Settings(**chosen_study(file))))
    assert part.faults == []
    assert part.reports["text"].tolist() == [
        "invasive carcinoma: malignant\nDCIS: benign", "DCIS: yes", "breast cancer: no",
    ]  # fmt: skip
