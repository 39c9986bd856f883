from __future__ import annotations

import hashlib
import tempfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from radcal.findings.storage import save_extractions
from radcal.reports.records import Import, Modality
from radcal.reports.storage import ImportCounts, save_import
from radcal.system.errors import Cancelled, DataError
from radcal.system.progress import Silent
from radcal.workspace.columns import PAIR_COLUMNS, REJECTED_COLUMNS, REPORT_COLUMNS, VERSION_COLUMNS
from radcal.workspace.reports import ROW_KEYS
from radcal.workspace.store import Workspace

TEXTS = {"xray:1": "Clear lungs.", "ct:1": "No edema.", "xray:2": "Possible\r\nedema \0 ½ é 🫁", "ct:2": ""}


def versions(ws: Workspace) -> dict[str, int]:
    return dict(ws._db.execute("SELECT report_id, version FROM reports"))


def test_reports_come_back_as_they_were_with_their_dtypes(ws, make, reopen):
    imp = make.imp(TEXTS, rejected=3)
    assert save_import(ws, imp) == ImportCounts(1, new=4, changed=0, unchanged=0, rejected=3)
    reader = reopen()
    assert_frame_equal(reader.reports(), imp.reports)
    assert list(reader.reports().columns) == list(REPORT_COLUMNS)
    assert reader.reports()["exam_time"].dtype == "datetime64[ns]"
    rejected = reader.rejected()
    assert rejected["import_id"].tolist() == [1, 1, 1]
    assert rejected[list(REJECTED_COLUMNS)].to_dict("list") == imp.rejected.to_dict("list")
    reader.close()


def test_columns_and_reports_can_be_chosen_and_ids_give_the_order(ws, make):
    save_import(ws, make.imp(TEXTS))
    some = ws.reports(["author", "report_id"], ids=iter(["ct:2", "none", "xray:1", "ct:2"]))
    assert some.to_dict("list") == {"author": ["Dr. 1", "Dr. 0"], "report_id": ["ct:2", "xray:1"]}
    assert ws.reports(["text"])["text"].tolist() == list(TEXTS.values())
    assert ws.reports(ids=["xray:2"])["text"].tolist() == [TEXTS["xray:2"]]
    assert_frame_equal(ws.reports(ids=[]), make.reports(TEXTS).iloc[:0])
    for columns in (["report_id", "txt"], ["report_id; --"]):
        with pytest.raises(KeyError):
            ws.reports(columns)


def test_an_empty_workspace_gives_empty_frames_with_the_declared_dtypes(ws, make):
    assert_frame_equal(ws.reports(), make.reports({"xray:1": ""}).iloc[:0])
    assert_frame_equal(ws.pairs(), make.pairing([]).pairs)
    assert ws.attrition().empty
    assert list(ws.rejected().columns) == [*REJECTED_COLUMNS, "import_id"]
    assert ws.imports().empty
    assert ws.runs().empty
    empty = Import(pd.DataFrame(columns=list(REPORT_COLUMNS)), pd.DataFrame(columns=list(REJECTED_COLUMNS)), 0, {})
    assert save_import(ws, empty) == ImportCounts(1, 0, 0, 0, 0)


def test_a_known_report_with_another_text_is_a_new_version_and_the_old_text_is_gone(ws, make):
    save_import(ws, make.imp(TEXTS))
    second = make.imp({"xray:2": "No edema.", "xray:3": "New.", "xray:1": "Clear lungs."}, author="Dr. 9")
    assert save_import(ws, second) == ImportCounts(2, new=1, changed=1, unchanged=1, rejected=0)
    assert versions(ws) == {"xray:1": 1, "ct:1": 1, "xray:2": 2, "ct:2": 1, "xray:3": 1}
    after = ws.reports().set_index("report_id")
    assert after.index.tolist() == ["xray:1", "ct:1", "xray:2", "ct:2", "xray:3"]
    assert after.loc["xray:2", "text"] == "No edema."
    assert after.loc["xray:1", "author"] == "Dr. 9"
    texts = ws._db.execute("SELECT text, modality FROM texts ORDER BY text, modality")
    assert texts == [("", "ct"), ("Clear lungs.", "xray"), ("New.", "xray"), ("No edema.", "ct"), ("No edema.", "xray")]


def test_one_text_in_several_reports_is_kept_once_and_as_long_as_one_of_them_has_it(ws, make):
    save_import(ws, make.imp({"xray:1": "Clear é.", "xray:2": "Clear é."}))
    assert ws._db.execute("SELECT hash, text FROM texts") == [(hashlib.sha256(b"Clear \xc3\xa9.").digest(), "Clear é.")]
    save_import(ws, make.imp({"xray:1": "Edema."}))
    assert ws.reports()["text"].tolist() == ["Edema.", "Clear é."]
    save_import(ws, make.imp({"xray:2": "Edema."}))
    assert ws._db.execute("SELECT text FROM texts") == [("Edema.",)]


def test_an_import_is_recorded_with_its_counts_and_columns(ws, make):
    began = pd.Timestamp.now("UTC").floor("s")  # as times are stored
    save_import(ws, make.imp(TEXTS, rejected=2))
    save_import(ws, make.imp({"xray:1": "Other."}, rejected=1))
    names = ["import_id", "rows_read", "new", "changed", "unchanged", "rejected", "mapping"]
    assert ws.imports().drop(columns="at").to_dict("records") == [
        dict(zip(names, (1, 6, 4, 0, 0, 2, '{"accession": "ACC_NO"}'), strict=True)),
        dict(zip(names, (2, 2, 0, 1, 0, 1, '{"accession": "ACC_NO"}'), strict=True)),
    ]
    assert ws.rejected()["import_id"].tolist() == [1, 1, 2]
    assert str(ws.imports()["at"].dtype) == "datetime64[ns, UTC]"
    assert began <= ws.imports()["at"].iloc[0] <= pd.Timestamp.now("UTC")


def test_pairs_and_attrition_replace_the_last(ws, make):
    pairing = make.pairing([("xray:1", "ct:1"), ("xray:2", "ct:2")])
    save_import(ws, make.imp(TEXTS))
    make.save_pairs(ws, pairing)
    assert_frame_equal(ws.pairs(), pairing.pairs)
    assert list(ws.pairs().columns) == list(PAIR_COLUMNS)
    assert ws.attrition().to_dict("list") == pairing.attrition.to_dict("list")
    make.save_pairs(ws, make.pairing([("xray:2", "ct:1")]))
    assert ws.pairs()["xray_id"].tolist() == ["xray:2"]
    assert len(ws.attrition()) == 1


def test_pairs_of_unknown_reports_are_refused_with_the_import_that_they_came_with(ws, make):
    def save() -> None:
        with ws.transaction():
            save_import(ws, make.imp(TEXTS))
            make.save_pairs(ws, make.pairing([("xray:1", "ct:1"), ("xray:8", "ct:9")]))

    with pytest.raises(DataError, match=r"2 report.s. that are not in the workspace"):
        save()
    assert ws.reports().empty
    assert ws.imports().empty
    assert ws.audit()["what"].tolist() == ["workspace created"]


def bad_frames(make):
    good = make.reports(TEXTS)
    yield good.drop(columns="author"), "no column 'author'"
    yield good.assign(author=[None, "a", "b", "c"]), "no value in column 'author' of row 1"
    yield good.assign(exam_time=good["exam_time"].where(good.index != 2)), "no value in column 'exam_time' of row 3"
    yield good.assign(author=[1, 2, 3, 4]), "other than text in column 'author'"
    yield good.assign(row=[1.5, 2, 3, 4]), "other than int64 in column 'row'"
    yield good.assign(row=list("abcd")), "other than int64 in column 'row'"
    yield good.assign(exam_time=list("abcd")), "other than datetime64"
    yield good.assign(report_id=["a", "b", "c", "a"]), "report_id twice"
    yield good.assign(text=pd.Series(["a", "b", "c", "\udc80"], dtype=object)), "text of report ct:2 contains half"
    yield good.assign(author=pd.Series(["a", "b", "c", "\udc80"], dtype=object)), "half characters"


def test_frames_that_break_their_declaration_are_refused_whole(ws, make):
    for frame, message in bad_frames(make):
        with pytest.raises(DataError, match=message) as caught:
            save_import(ws, Import(frame, make.imp({}).rejected, 4, {}))
        assert "Clear lungs" not in str(caught.value)
        assert ws.reports().empty


def test_frames_of_looser_dtypes_are_taken_if_the_values_are_right(ws, make):
    loose = make.reports(TEXTS).assign(
        modality=pd.Series([Modality.XRAY, Modality.CT] * 2, dtype=object),
        row=pd.Series([2, 3, 4, 5], dtype=object),
        author=pd.Series(["Dr. 0", "Dr. 1"] * 2, dtype="category"),
    )
    loose["exam_time"] = loose["exam_time"].astype("datetime64[us]")
    save_import(ws, Import(loose.assign(further=1), make.imp({}).rejected, 4, {}))
    back = ws.reports()
    expected = make.reports(TEXTS)
    assert_frame_equal(back.drop(columns="exam_time"), expected.drop(columns="exam_time"))
    assert (back["exam_time"] == expected["exam_time"].dt.floor("us")).all()


class Stopping(Silent):
    def __init__(self) -> None:
        self.done: list[object] = []

    def start(self, total, what):
        self.done.append((total, what))

    def advance(self, n=1, note=""):
        self.done.append(n)

    def raise_if_cancelled(self):
        if len(self.done) > 1:
            raise Cancelled("stopped")


def test_a_cancelled_import_saves_nothing(ws, make):
    progress = Stopping()
    with pytest.raises(Cancelled):
        save_import(ws, make.imp({f"xray:{i}": str(i) for i in range(7000)}), progress)
    assert progress.done == [(7000, "Saving reports"), 5000]
    assert ws.reports().empty


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@settings(deadline=None, max_examples=20)
@given(
    rows=st.dictionaries(TEXT, st.tuples(TEXT, TEXT, st.integers(-(2**62), 2**62), st.integers(0, 2**62)), max_size=8),
    long=st.integers(0, 200_000),
)
def test_any_unicode_survives_the_file(tmp_path_factory, make, rows, long):
    n = len(rows)
    frame = make.reports({f"xray:{i}": "" for i in range(n)})
    frame["report_id"] = pd.Series(list(rows), dtype="str")
    frame["text"] = pd.Series([r[0] + "x" * long for r in rows.values()], dtype="str")
    frame["author"] = pd.Series([r[1] for r in rows.values()], dtype="str")
    frame["exam_time"] = pd.Series([r[2] for r in rows.values()], dtype="int64").astype("datetime64[ns]")
    frame["row"] = pd.Series([r[3] for r in rows.values()], dtype="int64")
    path = tmp_path_factory.mktemp("w") / "w"
    with Workspace.create(path, "p") as ws:
        save_import(ws, Import(frame, make.imp({}).rejected, n, {}))
    with Workspace.open(path, "p", read_only=True) as ws:
        assert_frame_equal(ws.reports(), frame)
        assert_frame_equal(ws.reports(ids=list(rows)), frame)


def test_what_is_removed_goes_with_its_pairs_and_with_findings_that_nobody_else_has(ws, make):
    save_import(ws, make.imp({**TEXTS, "xray:9": TEXTS["xray:1"]}))
    make.save_pairs(ws, make.pairing([("xray:1", "ct:1"), ("xray:2", "ct:2")]))
    run = ws.begin_run("rules", "1", "h")
    save_extractions(ws, run, [make.extraction(i, "edema") for i in ("xray:1", "xray:2", "ct:1")])
    ws.remove_reports([])
    assert len(ws.reports()) == 5
    ws.remove_reports(["xray:1", "xray:2", "nowhere"])
    assert ws.reports(["report_id"])["report_id"].tolist() == ["ct:1", "ct:2", "xray:9"]
    assert ws.pairs().empty
    assert set(ws.findings(run)["report_id"]) == {"xray:9", "ct:1"}, "of the same text as one that was removed"
    assert TEXTS["xray:2"] not in {text for (text,) in ws._db.execute("SELECT text FROM texts")}
    save_import(ws, make.imp(TEXTS))
    assert versions(ws)["xray:1"] == 1


def test_rejected_rows_keep_their_accession_numbers(ws, make):
    save_import(ws, make.imp({}, rejected=2))
    assert ws.rejected()["accession"].tolist() == ["A0", "A1"]


def _of_rows(make, texts: dict[str, str]) -> Import:
    """Three reports with what is known of their rows."""
    made = make.imp(texts)
    known = {
        "dictator": pd.Series(["Dr. A", "", "Dr. B"], dtype="str"),
        "signer": pd.Series(["Dr. B", None, ""], dtype="str"),
        "addendum": [0, 1, 2],
        "report_time": pd.to_datetime(["2024-03-01 12:30:00.000000001", None, None]),
        "corrected": [True, False, False],
        "source": pd.Series(["c0ffee", "c0ffee", ""], dtype="str"),
        "names_ct": [2, -1, 0],
        "parts": pd.Series(["[]", "", ""], dtype="str"),
    }
    return replace(made, reports=made.reports.assign(**known))


def test_what_is_known_of_rows_comes_back_and_only_where_a_row_stands(ws, make):
    imp = _of_rows(make, {"xray:1": "a", "ct:2": "b", "xray:3": "c"})
    save_import(ws, imp)
    save_import(ws, make.imp({"xray:4": "d"}))  # of a file that does not keep it
    columns = ["report_id", *VERSION_COLUMNS]
    pd.testing.assert_frame_equal(ws.reports(columns), imp.reports[columns], check_dtype=False)
    assert len(ws.reports(["report_id"])) == 4
    assert ws.reports(["report_id", "source"], ["xray:4", "xray:3", "ct:2"])["report_id"].tolist() == ["xray:3", "ct:2"]
    parts = list(ws.reports_in_parts(columns, 2))
    assert [len(part) for part in parts] == [2, 1]
    pd.testing.assert_frame_equal(pd.concat(parts, ignore_index=True), ws.reports(columns))
    assert ws.cells_of_people() == ["Dr. A", "Dr. B"]
    save_import(ws, make.imp({"xray:1": "e"}))
    assert len(ws.reports(columns)) == 3  # what is known of its row stays
    ws.drop_rows(["xray:1", "ct:2"])
    assert ws.reports(columns)["report_id"].tolist() == ["xray:3"]
    assert ws.cells_of_people() == ["Dr. B"]
    assert ws.has_reports(by_rows=True)
    ws.drop_rows(["xray:3"])
    assert (ws.has_reports(), ws.has_reports(by_rows=True)) == (True, False)
    (empty,) = ws.reports_in_parts(columns, 2)
    assert (len(empty), list(empty.columns)) == (0, columns)


@pytest.mark.parametrize("most", [0, 1, 2, 3, 7, 50])
def test_all_reports_of_a_patient_are_in_one_part(ws, make, most):
    columns = ["report_id", "patient_id"]
    (none,) = ws.reports_of_patients(columns, most)
    assert (len(none), list(none.columns)) == (0, columns)
    patients = ["Q", "", "P", "Q", "P", "Ä", "", "Q", "R"]
    save_import(ws, make.imp({f"xray:{i}": str(i) for i in range(len(patients))}, patient_id=patients))
    parts = [part for part in ws.reports_of_patients(columns, most) if len(part)]
    found = pd.concat(parts, ignore_index=True)
    assert found["patient_id"].tolist() == sorted(patients)
    assert sorted(found["report_id"]) == sorted(ws.reports(["report_id"])["report_id"])
    assert sum(part["patient_id"].nunique() for part in parts) == len(set(patients))
    for part in parts[:-1]:
        last = part["patient_id"] == part["patient_id"].iloc[-1]
        assert len(part) > most >= len(part[~last])


@settings(max_examples=30, deadline=None)
@given(
    stored=st.lists(st.tuples(st.sampled_from("ab"), st.integers(2, 4), st.sampled_from("PQ")), max_size=12),
    read=st.lists(st.tuples(st.sampled_from("ab"), st.integers(2, 4), st.sampled_from("PQ")), max_size=6),
    seed=st.integers(0, 3),
)
def test_reports_of_rows_are_those_that_a_look_at_every_row_finds(make, stored, read, seed):
    """The same id, the same line of the same file with the same patient and time, or the same content."""

    def frame(rows, prefix):
        texts = {f"xray:{prefix}{i}": str(i) for i in range(len(rows))}
        columns = {
            "file": [file for file, _, _ in rows],
            "row": [row for _, row, _ in rows],
            "patient_id": [patient for *_, patient in rows],
            "exam_time": pd.to_datetime([f"2024-03-0{1 + row % 2}" for _, row, _ in rows]),
        }
        return make.imp(texts, **columns)

    with tempfile.TemporaryDirectory() as folder, Workspace.create(Path(folder, "w"), make.passphrase) as ws:
        held = frame(stored, "")
        known = {"dictator": "", "addendum": 0, "corrected": False, "names_ct": 0, "parts": ""}
        sources = pd.Series([f"s{i % 3}" if i % 4 else "" for i in range(len(stored))], dtype="str")
        time = pd.Series([pd.NaT] * len(stored), dtype="datetime64[ns]")
        signer = pd.Series([None] * len(stored), dtype="str")
        save_import(
            ws, replace(held, reports=held.reports.assign(**known, source=sources, report_time=time, signer=signer))
        )
        rows = frame(read, "" if seed % 2 else "N").reports
        found = ws.reports_of_rows(rows, [f"s{seed}", ""])
    keys = [name for name in ROW_KEYS if name != "report_id"]
    theirs = set(rows[keys].itertuples(index=False, name=None))
    expected = [
        row.report_id
        for row, source in zip(held.reports.itertuples(index=False), sources, strict=True)
        if row.report_id in set(rows["report_id"])
        or tuple(getattr(row, name) for name in keys) in theirs
        or source == f"s{seed}"
    ]
    assert found["report_id"].tolist() == expected
