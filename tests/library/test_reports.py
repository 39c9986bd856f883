"""A department in ten lines: the same observations as in a workspace."""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd
import pytest

import radcal
from radcal.chain import run_chain
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.sample.department import SampleTruth, generate
from radcal.system.settings import Settings

KEYS = ["author", "topic", "phrase", "reference_phrase", "xray_id", "ct_id", "outcome", "xray_sentence", "ct_sentence"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SampleTruth:
    return generate(tmp_path_factory.mktemp("small"), 40, 3, radiologists=2)


@pytest.mark.slow
def test_a_department_in_ten_lines(small: SampleTruth, tmp_path: Path) -> None:
    with pytest.warns(radcal.LeftOut, match=r"rows? cannot be used\. The first is row \d+ of xray\.csv"):
        xray = radcal.read_reports(small.xray, modality="xray")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", radcal.LeftOut)
        ct = radcal.read_reports([small.ct], modality="ct")
    pairs = radcal.pair(xray, ct)
    findings = radcal.read_findings(pairs)
    ours = radcal.observe(pairs, findings)

    alone = Settings(deidentify="off", second="none", bootstrap=0, workers=1)
    with open_department(tmp_path / "w.radcal", "plum tree in blossom", create=True, settings=alone) as department:
        run_chain(department, as_files(xray=[small.xray], ct=[small.ct]))
        theirs = department.workspace.observations()
        rejected = department.workspace.rejected()
    assert theirs is not None
    by = [frame[KEYS].astype(str).sort_values(KEYS, ignore_index=True) for frame in (ours, theirs)]
    assert len(by[0]) > 100
    pd.testing.assert_frame_equal(*by)
    assert len(xray.attrs["rejected"]) + len(ct.attrs["rejected"]) == len(rejected)
    assert {"step", "reason", "dropped"} <= pairs.attrs["left_out"][0].keys()
    entered = sum(row["n"] for row in ours.attrs["counts"] if row["what"] == "entered")
    assert entered == len(ours)
    assert findings.attrs["engine"] == "rules"

    groups = radcal.reliability(ours, bootstrap=0, min_group_n=10).groups()
    assert groups["n"].sum() == len(ours)
    assert len(radcal.advise(ours, min_group_n=10).table()) == len(radcal.reliability(ours, bootstrap=0).phrases())


def _reports(texts: dict[str, str], day: str, **more: str) -> pd.DataFrame:
    frame = pd.DataFrame({"report_id": list(texts), "text": list(texts.values())})
    return frame.assign(patient_id=[name[1:] for name in texts], exam_time=day, **more)


XRAY = _reports({"x1": "Probable pneumonia.", "x2": "Possible pneumothorax."}, "2024-05-01 08:00", author="Wren")
CT = _reports({"c1": "Pneumonia is present.", "c2": "No consolidation."}, "2024-05-01 11:00")


def test_frames_of_ones_own_are_paired_and_read() -> None:
    pairs = radcal.pair(XRAY, CT)
    assert pairs[["xray_id", "ct_id", "gap_hours"]].to_numpy().tolist() == [["x1", "c1", 3.0], ["x2", "c2", 3.0]]
    assert pairs["ct_text"].tolist() == CT["text"].tolist()
    with pytest.warns(radcal.LeftOut, match="No X-ray is paired with a CT.$"):
        assert radcal.pair(XRAY, CT, window_hours=2).empty
    both = pd.concat([XRAY.assign(modality="xray"), CT.assign(modality="ct", author="")])
    pd.testing.assert_frame_equal(radcal.pair(both), pairs)
    observations = radcal.observe(pairs, radcal.read_findings(pairs))
    assert observations[["topic", "phrase", "reference_phrase"]].to_numpy().tolist() == [
        ["infection", "probably", "present"],
        ["pneumothorax", "possibly", "absent"],
    ]
    assert observations["outcome"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("nobody", [None, "", " ", float("nan")])
def test_reports_without_a_patient_are_in_no_pair(nobody: object) -> None:
    xray, ct = (frame.assign(patient_id=["1", nobody]) for frame in (XRAY, CT))
    with pytest.warns(radcal.LeftOut, match=r"2 reports have no patient\.$"):
        pairs = radcal.pair(xray, ct)
    assert pairs["xray_id"].tolist() == ["x1"]
    left = {(row["modality"], row["reason"]): row["dropped"] for row in pairs.attrs["left_out"]}
    assert left["xray", "no patient"] == left["ct", "no patient"] == 1


@pytest.mark.parametrize("ids", [[1, 2], ["1", "2"], [1.0, 2.0], ["1.0", " 2"], pd.array([1, 2], dtype="Int64")])
def test_patients_are_the_same_as_numbers_and_as_text(ids: list[object]) -> None:
    assert len(radcal.pair(XRAY.assign(patient_id=ids), CT)) == 2


@pytest.mark.parametrize("written", ["%d/%m/%Y %H:%M", "%m/%d/%Y %I:%M %p", "%d.%m.%y %H:%M", "%Y-%m-%d %H:%M"])
def test_dates_of_both_frames_have_one_order(written: str) -> None:
    """The day of the CT, 13 April, tells how the X-rays' is written, 12 April."""
    at = pd.Timestamp("2025-04-12 23:00")
    ct = CT.assign(exam_time=f"{at + pd.Timedelta(hours=3):{written}}")
    for time in (f"{at:{written}}", at):
        pairs = radcal.pair(XRAY.assign(exam_time=time), ct)
        assert pairs["xray_time"].tolist() == [at, at]
        assert pairs["gap_hours"].tolist() == [3, 3]


def test_an_order_that_nothing_tells_is_assumed_or_stated() -> None:
    xray, ct = (frame.assign(exam_time=f"03/04/2025 {hour}:00") for frame, hour in ((XRAY, "08"), (CT, "11")))
    with pytest.warns(radcal.Assumed, match="were read month first. day_first=True or day_first=False states") as told:
        month = radcal.pair(xray, ct)
    assert (len(told), told[0].filename) == (1, __file__)
    days = [
        f"{made['ct_time'][0]:%d %b}" for made in (month, *(radcal.pair(xray, ct, day_first=d) for d in (False, True)))
    ]
    assert days == ["04 Mar", "04 Mar", "03 Apr"]
    both = ct.assign(exam_time=["13/04/2025", "04/13/2025"])
    with pytest.raises(radcal.InputError, match="Row 0, column 'exam_time': day and month cannot be told apart"):
        radcal.pair(xray, both)
    with pytest.warns(radcal.LeftOut, match="No X-ray is paired"):
        radcal.pair(xray, both, day_first=True)


def test_patients_who_are_nowhere_the_same_are_shown() -> None:
    with pytest.warns(radcal.LeftOut, match="no patient in common: ids are such as 0001 and 1"):
        assert radcal.pair(XRAY.assign(patient_id=["0001", "0002"]), CT).empty


def test_reports_without_a_text_are_not_read() -> None:
    reports = pd.DataFrame({"report_id": ["a", "b", "c"], "text": ["Probable pneumonia.", None, " "]})
    with pytest.warns(radcal.LeftOut, match="2 reports could not be read. The report has no text"):
        findings = radcal.read_findings(reports)
    assert findings.read == {"a"}
    assert [failure["report_id"] for failure in findings.attrs["failures"]] == ["b", "c"]


def test_findings_from_a_file_are_those_that_were_written(tmp_path: Path) -> None:
    pairs = radcal.pair(XRAY, CT)
    findings = radcal.read_findings(pairs)
    findings.to_csv(tmp_path / "f.csv", index=False)
    again = radcal.observe(pairs, pd.read_csv(tmp_path / "f.csv"), read=findings["report_id"])
    pd.testing.assert_frame_equal(again, radcal.observe(pairs, findings), check_dtype=False)


def test_the_author_of_a_file_goes_by_the_name_of_frames(tmp_path: Path) -> None:
    XRAY.assign(ReadBy="Wren", accession=["A1", "A2"]).drop(columns="author").to_csv(tmp_path / "x.csv", index=False)
    reports = radcal.read_reports(tmp_path / "x.csv", modality="xray", columns={"author": "ReadBy"})
    assert reports["author"].tolist() == ["Wren", "Wren"]


KINDS = pd.concat([XRAY.assign(modality="CR"), CT.assign(modality="CT", author="Wren")]).rename(
    columns={"report_id": "accession"}
)


def test_reports_whose_exam_is_not_named_are_told_of(tmp_path: Path) -> None:
    """A column of the modality alone does not say that they are of the chest."""
    KINDS.to_csv(tmp_path / "all.csv", index=False)
    with pytest.warns(radcal.LeftOut, match=r"4 rows were left out: The exam is not named\. Name .*columns=.*'ct'\.$"):
        assert radcal.read_reports(tmp_path / "all.csv").empty
    read = {side: radcal.read_reports(tmp_path / "all.csv", modality=side) for side in ("xray", "ct")}
    assert {side: frame["accession"].tolist() for side, frame in read.items()} == {
        "xray": ["x1", "x2"],
        "ct": ["c1", "c2"],
    }
    KINDS.assign(procedure=["XR CHEST", "", "CT CHEST", "CT CHEST"]).to_csv(tmp_path / "all.csv", index=False)
    with pytest.warns(radcal.LeftOut, match=r"^1 row was left out: The exam is not named"):
        assert len(radcal.read_reports(tmp_path / "all.csv", columns={"exam": "procedure"})) == 3
    KINDS.assign(exam="KNEE").to_csv(tmp_path / "all.csv", index=False)
    with pytest.warns(
        radcal.LeftOut, match=r"^No report could be used.*4 rows were left out: another part of the body"
    ):
        assert radcal.read_reports(tmp_path / "all.csv").empty


def test_errors_name_arguments(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    XRAY.rename(columns={"report_id": "accession"}).to_csv(path, index=False)
    with pytest.raises(
        radcal.InputError, match=r"modality='xray' or 'ct', or columns=\{'modality': 'COLUMN'\}, or exp"
    ):
        radcal.read_reports(path)
    with pytest.raises(radcal.InputError, match="No column 'Nope', to which author was mapped"):
        radcal.read_reports(path, modality="xray", columns={"author": "Nope"})
    with pytest.raises(radcal.InputError, match=r"\(served_model=NAME"):
        radcal.read_findings(XRAY, reader="https://llm.example:8443/v1")
    KINDS.drop(columns="author").to_csv(path, index=False)
    with pytest.raises(radcal.InputError, match=r"which one it is with columns=\{'author': 'COLUMN'\}, or"):
        radcal.read_reports(path, modality="xray")


def test_a_report_is_read_once() -> None:
    """Also the CT of two X-rays, in pairs from elsewhere; two texts under one id are refused."""
    pairs = pd.concat([(one := radcal.pair(XRAY[:1], CT)), one.assign(xray_id="x0")])
    assert radcal.read_findings(pairs)["report_id"].value_counts().to_dict() == {"x0": 1, "x1": 1, "c1": 1}
    with pytest.raises(radcal.DataError, match="report_id twice"):
        radcal.read_findings(XRAY.assign(report_id="x1"))


def test_unread_reports_are_no_silent_ones() -> None:
    pairs = radcal.pair(XRAY, CT)
    of_some = radcal.read_findings(pairs[:1])
    with pytest.warns(radcal.LeftOut, match="1 pair is left out, unread"):
        observations = radcal.observe(pairs, of_some)
    assert observations["topic"].tolist() == ["infection"]
    assert {"author": "Wren", "topic": "", "what": "pairs of which a report was not read", "n": 1} in (
        observations.attrs["counts"]
    )
    stored = pd.DataFrame(radcal.read_findings(pd.concat([XRAY, CT])))
    with pytest.raises(radcal.InputError, match=r"read=reports\['report_id'\]"):
        radcal.observe(pairs, stored)
    assert len(radcal.observe(pairs, stored, read=["x1", "x2", "c1", "c2"])) == 2
    with pytest.raises(radcal.InputError, match="Of none of 2 pairs were both reports read"):
        radcal.observe(pairs, radcal.read_findings(XRAY))


def test_only_what_was_written_before_the_ct_counts(tmp_path: Path) -> None:
    rows = [
        ("A1", "P1", "2024-05-01 08:00", "Wren", "final", "2024-05-01 09:00", "Possible pneumonia."),
        ("A1", "P1", "2024-05-01 08:00", "Wren", "addendum", "2024-05-02 09:00", "Pneumonia is present, see CT."),
    ]
    names = ["accession", "patient_id", "exam_time", "signer", "status", "report_time", "text"]
    pd.DataFrame(rows, columns=names).to_csv(tmp_path / "xray.csv", index=False)
    xray = radcal.read_reports(tmp_path / "xray.csv", modality="xray")
    assert "see CT" in xray["text"][0]
    ct = _reports({"c1": "Pneumonia."}, "2024-05-01 12:00").assign(patient_id="P1")
    (made,) = radcal.pair(xray[xray["text"] != ""], ct).to_dict("records")
    assert (made["xray_text"], made["author"]) == ("Possible pneumonia.", "Wren")
    own = pd.DataFrame({"patient_id": ["P1"], "exam_time": "2024-05-01 08:00", "author": "Finch", "text": "..."})
    (made,) = radcal.pair(own, xray.assign(modality="ct", exam_time="2024-05-01 09:00")).to_dict("records")
    assert made["author"] == "Finch"


@pytest.mark.parametrize(
    ("xray", "ct", "said"),
    [
        (XRAY.drop(columns="author"), CT, "no column 'author'"),
        (XRAY, CT.drop(columns="exam_time"), "no column 'exam_time'"),
        (XRAY.assign(exam_time=["2024-05-01", "soon"]), CT, "Row 1, column 'exam_time': the time cannot be read"),
        (XRAY, None, "no column 'modality'"),
        (XRAY.assign(exam_time=pd.Timestamp("2024-05-01", tz="UTC")), CT, "without one: .*tz_localize"),
        (XRAY.assign(exam_time=["2024-05-01T08:00", "2024-05-01 08:00:00+02"]), CT, "without one: .*tz_localize"),
    ],
)
def test_what_is_missing_is_named(xray: pd.DataFrame, ct: pd.DataFrame | None, said: str) -> None:
    with pytest.raises(radcal.InputError, match=said):
        radcal.pair(xray, ct)


def test_readers_go_by_name_file_and_address(tmp_path: Path) -> None:
    with pytest.raises(radcal.InputError, match="no column 'text'"):
        radcal.read_findings(XRAY.drop(columns="text"))
    with pytest.raises(radcal.InputError, match="There is no model file"):
        radcal.read_findings(XRAY, reader=tmp_path / "none.gguf")
    with pytest.raises(radcal.InputError, match="No model is named"):
        radcal.read_findings(XRAY, reader="https://llm.example:8443/v1")
    with pytest.raises(radcal.DataError, match="report_id twice"):
        radcal.pair(pd.concat([XRAY, XRAY]), CT)


def test_an_assumed_order_of_dates_in_a_file_is_warned_of(tmp_path: Path) -> None:
    rows = "accession,exam,patient_id,author,exam_time,text\nX1,XR Chest,P1,A,03/04/2024 08:00,No effusion.\n"
    (tmp_path / "x.csv").write_text(rows, encoding="utf-8")
    with pytest.warns(radcal.Assumed, match="were read month first"):
        assumed = radcal.read_reports(tmp_path / "x.csv", modality="xray")
    stated = radcal.read_reports(tmp_path / "x.csv", modality="xray", day_first=True)
    assert [str(f["exam_time"].iloc[0])[:10] for f in (assumed, stated)] == ["2024-03-04", "2024-04-03"]
