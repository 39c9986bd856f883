"""Files imported before and read in another way: nothing is counted twice, and nothing stays or goes unasked."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from radcal.department import Department
from radcal.opening import open_department
from radcal.reports.dry_run import FilePreview, Rehearsal
from radcal.reports.importing import ReportFile, as_files
from radcal.reports.records import Modality
from radcal.reports.replacement import Overlap, Reading, removal_notes, require_consent
from radcal.review.records import Action, new_name
from radcal.sample.department import SampleTruth
from radcal.system.errors import Cancelled, InputError
from radcal.system.language.catalogue import language
from radcal.system.progress import Silent
from radcal.workspace.columns import VERSION_COLUMNS

ORDER = {"accession": "Order No"}
"""The other column of numbers."""


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory, few: SampleTruth, make: SimpleNamespace) -> SimpleNamespace:
    """The files of few reports, with a second column of numbers: 'S' and the accession number."""
    folder = tmp_path_factory.mktemp("exports")
    made = {}
    for name in ("xray", "ct"):
        rows = [
            {**row, "Order No": f"S{row['Accession']}" if row["Accession"] else ""}
            for row in make.read(getattr(few, name))
        ]
        made[name] = make.write(folder / f"{name}.csv", rows)
    return SimpleNamespace(**made, rows={name: make.read(path) for name, path in made.items()})


@pytest.fixture
def read(
    tmp_path: Path, exports: SimpleNamespace, imported: Callable[[Path, Path], Path], make: SimpleNamespace
) -> Iterator[Department]:
    """The exports, imported by their column of accession numbers and paired."""
    path = shutil.copy(imported(exports.xray, exports.ct), tmp_path / "new.radcal")
    with open_department(path, make.passphrase) as opened:
        yield opened


def _reports(department: Department) -> pd.DataFrame:
    return department._workspace.reports().sort_values("report_id", ignore_index=True)


def _state(department: Department) -> list[pd.DataFrame]:
    own = department._workspace.reports(("report_id", *VERSION_COLUMNS))
    versions = own.sort_values("report_id", ignore_index=True)
    return [_reports(department), versions, department._workspace.pairs(), department._workspace.rejected()]


def _assert_same(one: list[pd.DataFrame], other: list[pd.DataFrame]) -> None:
    for a, b in zip(one, other, strict=True):
        pd.testing.assert_frame_equal(a, b)


def _both(exports: SimpleNamespace, mapping: dict[str, str] | None = None, **how: bool) -> list[ReportFile]:
    return as_files(xray=[exports.xray], ct=[exports.ct], mapping=mapping, **how)


def _plain(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Rows that each give a report of their own."""
    once = Counter(row["Accession"] for row in rows)
    return [
        row
        for row in rows
        if once[row["Accession"]] == 1
        and all(row.values())
        and (row["Status"], row["Exam Time"][:2]) == ("Final", "20")
        and "CHEST" in row["Exam Description"]
    ]


def _refusal_of(department: Department, *files: ReportFile) -> list[FilePreview]:
    return list(Rehearsal().run(files, department).files)


def _counts(preview: FilePreview) -> tuple[int, int, int]:
    return preview.there, preview.doubled, preview.unread


def test_another_accession_number_doubles_nothing(read, exports):
    before = _state(read)
    n_xray, n_ct = ((before[0]["modality"] == kind).sum() for kind in ("xray", "ct"))
    with pytest.raises(InputError, match=rf"xray\.csv was imported before .* {n_xray} of its reports would be counted"):
        read.importing.import_reports(_both(exports, ORDER))
    _assert_same(_state(read), before)
    rehearsed = Rehearsal().run(_both(exports, ORDER), read)
    assert [_counts(f) for f in rehearsed.files] == [(0, n_xray, 0), (0, n_ct, 0)]
    assert (rehearsed.reports, rehearsed.pairs) == (len(before[0]), len(before[2]))


@pytest.mark.slow
def test_what_is_replaced_is_as_if_it_had_been_read_so_at_once(read, exports, opened):
    read.runs.extract()
    n_texts = read._workspace._db.execute("SELECT count(*) FROM texts")[0][0]
    rehearsed = Rehearsal().run(_both(exports, ORDER), read)
    done = read.importing.import_reports(_both(exports, ORDER, replaces=True))
    right = opened("right")
    right.importing.import_reports(_both(exports, ORDER))
    for department in (read, right):
        department.importing.pair()
    _assert_same(_state(read)[:3], _state(right)[:3])  # rejected rows are kept by import
    attrition, expected = read.importing.pair().attrition, right.importing.pair().attrition
    assert attrition["kept"].iloc[-1] == expected["kept"].iloc[-1]
    pd.testing.assert_frame_equal(rehearsed.attrition, attrition)
    why = attrition.set_index("reason")["dropped"]["its row was read again, otherwise"]
    assert sorted(why) == sorted(_reports(right)["modality"].value_counts())
    assert (
        f"xray.csv was read again, in another way: {why.iloc[0]} reports of its earlier reading were removed."
        in done.notes
    )
    assert done.notes == read.importing.history()[0].notes
    # Nothing was read twice: texts and findings are those of before.
    assert read._workspace._db.execute("SELECT count(*) FROM texts")[0][0] == n_texts
    paired = read._workspace.pairs()
    assert read._workspace.pending(read.runs.current().run_id, [*paired["xray_id"], *paired["ct_id"]]) == []


@pytest.mark.slow
def test_readings_may_be_changed_to_and_fro(read, exports):
    before = _state(read)
    read.runs.extract()
    read.analyse()
    for mapping in (ORDER, None):
        assert read.importing.import_reports(_both(exports, mapping, replaces=True)).rows_read > 0
        assert not read.up_to_date
    read.importing.pair()
    _assert_same(_state(read)[:3], before[:3])
    assert read.importing.import_reports(_both(exports)).rows_read == 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow
def test_whatever_was_read_before_the_last_reading_of_each_file_holds(read, exports, opened, seed):
    """A walk through readings by other numbers, texts and patients."""
    dice = random.Random(seed)  # noqa: S311 - chance that repeats
    ways = [{}, ORDER, {"text": "Order No"}, {"text": "Exam Description"}, {"patient_id": "Order No"}]
    last: dict[str, dict[str, str]] = {"xray": {}, "ct": {}}
    for _ in range(5):
        name, way = dice.choice(["xray", "ct"]), dice.choice(ways)
        shown = Rehearsal().run([ReportFile(getattr(exports, name), Modality(name), way)], read)
        read.importing.import_reports(as_files(**{name: [getattr(exports, name)]}, mapping=way, replaces=True))
        last[name] = way
        assert (shown.reports, shown.pairs) == (len(_reports(read)), read.importing.pair().n_pairs)
    right = opened("right")
    for name, way in last.items():
        right.importing.import_reports(as_files(**{name: [getattr(exports, name)]}, mapping=way))
    for department in (read, right):
        department.importing.pair()
    _assert_same(_state(read)[:3], _state(right)[:3])


def test_a_row_that_gives_nothing_any_more_does_not_stay_unasked(department, few, make, tmp_path):
    """The text stands in another column, where some rows have none."""
    rows = _plain(make.read(few.ct))[:12]
    empty = {rows[3]["Accession"], rows[7]["Accession"]}
    rows = [{**r, "Other": "" if r["Accession"] in empty else f"Seen: {r['Report Text']}"} for r in rows]
    file = make.write(tmp_path / "ct.csv", rows)
    department.importing.import_reports(as_files(ct=[file]))
    other = ReportFile(file, Modality.CT, {"text": "Other"})
    (shown,) = _refusal_of(department, other)
    assert _counts(shown) == (10, 0, 2)
    with pytest.raises(InputError, match=r"2 of its reports would stay although this reading does not give them\."):
        department.importing.import_reports([other])
    assert len(_reports(department)) == 12
    done = department.importing.import_reports(as_files(ct=[file], mapping=other.mapping, replaces=True))
    assert empty.isdisjoint(_reports(department)["accession"])
    assert _reports(department)["text"].str.startswith("Seen:").all()
    assert len(done.rejected) == 2
    again = department.importing.pair().attrition.query("reason == 'its row was read again, otherwise'")
    assert again["dropped"].sum() == 2


def test_what_cannot_be_read_of_the_first_reading_needs_no_question(department, few, make, tmp_path):
    """The first reading found no text in some rows; the second gives them all."""
    rows = _plain(make.read(few.ct))[:12]
    rows = [{**r, "Other": r["Report Text"], "Report Text": "" if i % 3 else "short"} for i, r in enumerate(rows)]
    file = make.write(tmp_path / "ct.csv", rows)
    assert len(department.importing.import_reports(as_files(ct=[file])).reports) == 4
    other = ReportFile(file, Modality.CT, {"text": "Other"})
    assert _counts(_refusal_of(department, other)[0]) == (4, 0, 0)
    department.importing.import_reports([other])
    assert sorted(_reports(department)["text"]) == sorted(r["Other"] for r in rows)


@pytest.mark.parametrize("saved_again", [True, False])
def test_a_file_that_was_saved_again_or_has_grown_is_known_by_its_lines(read, exports, make, tmp_path, saved_again):
    rows = exports.rows["ct"]
    path = tmp_path / "ct.csv"
    if saved_again:
        frame = pd.read_csv(exports.ct, dtype=str, keep_default_na=False)
        frame.to_csv(path, index=False, quoting=1)
    else:
        make.write(path, [*rows, {**rows[0], "Accession": "new", "Order No": "Snew"}])
    n = int((_reports(read)["modality"] == "ct").sum())
    file = ReportFile(path, Modality.CT, ORDER)
    assert _counts(_refusal_of(read, file)[0]) == (0, n, 0)
    with pytest.raises(InputError, match=f"{n} of its reports would be counted twice"):
        read.importing.import_reports([file])
    assert _counts(_refusal_of(read, ReportFile(path, Modality.CT))[0])[0] == n


def test_another_file_of_the_same_name_is_another_file(read, exports, make, tmp_path):
    """The next month's export: other patients and times in the same lines, other numbers."""
    rows = [
        {**r, "Accession": f"N{r['Accession']}", "MRN": f"N{r['MRN']}"} for r in exports.rows["ct"] if r["Accession"]
    ]
    file = make.write(tmp_path / "ct.csv", rows)
    before = _reports(read)
    assert _counts(_refusal_of(read, ReportFile(file, Modality.CT))[0]) == (0, 0, 0)
    read.importing.import_reports(as_files(ct=[file]))
    after = _reports(read)
    pd.testing.assert_frame_equal(after[after["report_id"].isin(before["report_id"])].reset_index(drop=True), before)
    assert len(after) > len(before)


def test_files_of_one_name_that_list_the_same_patients_and_days_for_xray_and_ct_are_two(
    department, exports, make, tmp_path
):
    """Days without a time, in the same order: every line of one file has its like in the other."""
    rows = _plain(exports.rows["xray"])[:9]
    other = {"Exam Description": "CT CHEST W CONTRAST", "Modality": "CT"}
    for kind, values in (("xray", {}), ("ct", other)):
        (tmp_path / kind).mkdir()
        made = [
            {**r, **values, "Exam Time": r["Exam Time"][:10], "Accession": f"{kind}-{r['Accession']}"} for r in rows
        ]
        file = make.write(tmp_path / kind / "export.csv", made)
        assert _counts(_refusal_of(department, ReportFile(file))[0]) == (0, 0, 0)
        department.importing.import_reports(as_files([file]))
    assert len(_reports(department)) == 18


def test_a_file_may_be_read_for_xrays_first_and_for_cts_later(department, exports, make, tmp_path):
    both = make.write(tmp_path / "both.csv", exports.rows["xray"] + exports.rows["ct"])
    department.importing.import_reports(as_files(xray=[both]))
    assert _counts(_refusal_of(department, ReportFile(both, Modality.CT))[0]) == (0, 0, 0)
    department.importing.import_reports(as_files(ct=[both]))
    assert set(_reports(department)["modality"]) == {"xray", "ct"}
    assert department.importing.import_reports(as_files(xray=[both], ct=[both])).rows_read == 0


def test_a_file_read_for_the_wrong_modality_is_put_right(department, exports, make, tmp_path):
    rows = [{**r, "Exam Description": "", "Modality": ""} for r in exports.rows["ct"]]
    file = make.write(tmp_path / "a.csv", rows)
    n = len(department.importing.import_reports(as_files(xray=[file])).reports)
    with pytest.raises(InputError, match=f"{n} of its reports would be counted twice"):
        department.importing.import_reports(as_files(ct=[file]))
    department.importing.import_reports(as_files(ct=[file], replaces=True))
    assert set(_reports(department)["modality"]) == {"ct"}


def test_a_workspace_of_before_knows_doubles_by_name_and_line(read, exports):
    read._workspace._db.execute("UPDATE reports SET source = ''")  # as it is brought up to date
    with pytest.raises(InputError, match="counted twice"):
        read.importing.import_reports(as_files(ct=[exports.ct], mapping=ORDER))
    read.importing.import_reports(as_files(ct=[exports.ct], mapping=ORDER, replaces=True))
    now = read._workspace.reports(("report_id", "source"))
    assert set(now.loc[now["report_id"].str.startswith("xray:"), "source"]) == {""}
    assert now.loc[now["report_id"].str.startswith("ct:"), "source"].str.fullmatch("[0-9a-f]{16}").all()
    assert _reports(read).query("modality == 'ct'")["accession"].str.startswith("S").all()


def test_what_people_said_of_reports_that_would_go_is_counted_and_stays_in_the_log(read, exports):
    read.runs.extract()
    chosen = read.gold.draw(20, seed=1)
    read.gold.begin("AB")
    for report_id in chosen.report_ids[:5]:
        read.gold.mark("AB", Action(new_name(), report_id, done=True))
    contested = next(i for i in _reports(read)["report_id"] if i.startswith("xray:") and i not in chosen.report_ids)
    read.contests.add(contested, "edema", "Quill", "likely")
    xray = ReportFile(exports.xray, Modality.XRAY, ORDER)
    (shown,) = _refusal_of(read, xray)
    assert shown.judged == 1 + sum(i.startswith("xray:") for i in chosen.report_ids[:5])
    read.importing.import_reports([ReportFile(exports.xray, Modality.XRAY, ORDER, replaces=True)])
    assert [i for i in read.gold.gold().reports if i.startswith("xray:")] == []
    assert len(read.gold.actions("AB")) == 5
    assert len(read.contests.all()) == 1
    assert "reports removed" in set(read._workspace.audit()["what"])


def test_a_stop_leaves_everything_as_it_was(read, exports):
    class StopLate(Silent):
        """Stops once earlier reports were removed."""

        stopping = False

        def start(self, total: int | None, what: str) -> None:
            self.stopping = what.startswith("Saving")

        def advance(self, n: int = 1, note: str = "") -> None:
            self.stopped = self.stopping

        stopped = False

        def raise_if_cancelled(self) -> None:
            if self.stopped:
                raise Cancelled("Stopped.")

    before = _state(read)
    with pytest.raises(Cancelled):
        read.importing.import_reports(as_files(ct=[exports.ct], mapping=ORDER, replaces=True), StopLate())
    _assert_same(_state(read), before)
    assert read.importing.import_reports(_both(exports)).rows_read == 0


@pytest.mark.parametrize(("doubled", "unread"), [(1, 0), (0, 1), (2, 1), (1, 1_204)])
def test_what_would_be_counted_twice_is_said_in_german_too(doubled: int, unread: int) -> None:
    ids = [f"xray:{i}" for i in range(doubled + unread)]
    reading = Reading("march.csv", None, "", pd.DataFrame())
    overlap = Overlap(doubled=frozenset(ids[:doubled]), unread=frozenset(ids[doubled:]))
    with pytest.raises(InputError) as caught:
        require_consent([reading], [overlap])
    for text in (str(caught.value), *removal_notes([reading], [overlap])):
        german = language("de").write(text)
        assert german.startswith("march.csv wurde ")
        assert "report" not in german
