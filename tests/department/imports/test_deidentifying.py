"""Nothing that identifies a person is stored; findings, answers and versions of reports are what they were."""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from radcal.chain import run_chain
from radcal.department import Department
from radcal.opening import open_department
from radcal.reports import importing
from radcal.reports.deidentify.rows import agreed, moved_parts
from radcal.reports.deidentify.same_texts import united
from radcal.reports.deidentify.stored import Deidentification
from radcal.reports.dry_run import Rehearsal
from radcal.reports.identifiers import Suspect
from radcal.reports.importing import as_files
from radcal.reports.later_texts import text_parts, unpacked
from radcal.review.records import Action, Mark, Verdict, new_name
from radcal.system.errors import Cancelled, InputError
from radcal.workspace.stand_ins import StandIns
from tests.cases import cases_of

cases = cases_of(__file__)

HEADER = (
    "Accession", "MRN", "Last Name", "First Name", "DOB", "Exam Description", "Modality", "Exam Time", "Report Text",
    "Signing Radiologist", "Status", "Report Time", "Referring Physician", "Patient Phone", "SSN",
)  # fmt: skip
PEOPLE = (("Quillfeather", "Zebulon"), ("Ostrowanka", "Mirabelle"), ("Vandermolen", "Ignatius"))
REFERRER, RADIOLOGIST = "Thistlewood, Barnaby", "Harkness, Odalys"
PLANTED = (
    "Quillfeather", "Zebulon", "Ostrowanka", "Mirabelle", "Vandermolen", "Ignatius", "Thistlewood", "Barnaby",
    "617-555-0142", "078-05-1120", "1931-02-03", "02/28/2024", "February 27, 2024", "Odalys",
)  # fmt: skip


def _xray(n: int, *, addendum: str = "") -> str:
    last, first = PEOPLE[n]
    return (
        f"Patient: {first} {last}, DOB 1931-02-03. Phone 617-555-0142, SSN 078-05-1120.\n"
        f"COMPARISON: 02/28/2024 and February 27, 2024.\n"
        f"FINDINGS: Possible pulmonary edema. No pleural effusion in Mr. {last}.\n"
        f"IMPRESSION: Likely pneumonia, discussed with Dr. Thistlewood.{addendum}"
    )


def _rows() -> list[list[str]]:
    rows = []
    for n, (last, first) in enumerate(PEOPLE):
        people = [f"PAT-100{n}", last, first, "1931-02-03"]
        more = [REFERRER, "617-555-0142", "078-05-1120"]
        late = "\n\nADDENDUM 03/01/2024 15:00: Discussed with Barnaby Thistlewood; CT confirms." if n == 1 else ""
        said = _xray(n, addendum=late)
        ct = f"IMPRESSION: Pulmonary edema. {first} {last} was told."
        rows += [
            [f"XR-900{n}", *people, "XR CHEST", "CR", "2024-03-01 08:00", said, RADIOLOGIST, "Final",
             "2024-03-01 08:40", *more],
            [f"CT-900{n}", *people, "CT CHEST", "CT", "2024-03-01 10:00", ct, RADIOLOGIST, "Final",
             "2024-03-01 12:00", *more],
        ]  # fmt: skip
    rows.append([*rows[0][:7], "no time", *rows[0][8:]])
    return rows


def _write(path: Path, rows: list[list[str]], header: tuple[str, ...] = HEADER) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def _without(rows: list[list[str]], *columns: str) -> tuple[list[list[str]], tuple[str, ...]]:
    keep = [i for i, name in enumerate(HEADER) if name not in columns]
    return [[row[i] for i in keep] for row in rows], tuple(HEADER[i] for i in keep)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return _write(tmp_path / "quillfeather_zebulon.csv", _rows())


def _cells(department: Department) -> Iterator[str]:
    """Every value that the decrypted workspace has, compressed ones unpacked."""
    db = department._workspace._db
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
        for row in db.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - the file's own tables
            for value in row:
                if isinstance(value, bytes):
                    for at in range(len(value)):  # a column of categories is two streams
                        if value[at] == 0x78:  # how zlib begins
                            try:
                                unpacked_ = zlib.decompressobj().decompress(value[at:])
                            except zlib.error:
                                continue
                            text = unpacked_.decode("utf-8", "replace")
                            yield text
                            yield json.dumps(json.loads(text), ensure_ascii=False) if text.startswith("[") else text
                else:
                    yield f"{table} {value}"


def _found(department: Department, planted: tuple[str, ...] = PLANTED) -> list[tuple[str, str]]:
    """What of the planted is stored; the radiologist's name is where radiologists' names are kept."""
    kept = {"Odalys": '"Harkness, Odalys"'}
    found = []
    for cell in _cells(department):
        for name in planted:
            without = cell.replace(RADIOLOGIST, "").replace("Thistlewood, Barnaby is read", "")
            if name.casefold() in without.casefold() and name not in kept.get(name, ""):
                found.append((name, cell[:200]))
    return found


def _texts(department: Department) -> dict[str, str]:
    reports = department._workspace.reports()
    return dict(zip(reports["report_id"], reports["text"], strict=True))


def _findings(department: Department) -> list[tuple[str, str, str]]:
    run = department._workspace.run_keys()[-1][0]
    found = department._workspace.findings(run)
    return sorted(found[["report_id", "pathology", "phrase"]].itertuples(index=False, name=None))


def test_nothing_that_identifies_a_person_reaches_the_workspace(department, file):
    run_chain(department, as_files([file]))
    assert _found(department) == []
    (past,) = department.importing.history()
    assert past.removed.reports == 6
    assert past.removed.changed == 6
    assert past.removed.kinds["name"] >= 12
    assert past.removed.kinds["date"] >= 6
    assert any(note.startswith("De-identified: ") for note in past.notes)
    assert past.rejected == 1
    assert set(department._workspace.reports(("age",))["age"]) == {90}
    assert all(name.startswith("file ") for name in {*past.files, *department._workspace.rejected()["file"]})


def test_findings_pairs_and_what_was_written_after_the_ct_are_those_of_the_raw_texts(department, opened, file):
    raw = opened("raw")
    raw.save_settings(raw.settings.changed(deidentify="off"))
    for made in (raw, department):
        run_chain(made, as_files([file]))
    assert _findings(raw) == _findings(department)
    assert len(_found(raw)) > 0
    pairs = [made._workspace.pairs()[["xray_id", "ct_id"]].values.tolist() for made in (raw, department)]
    assert pairs[0] == pairs[1]
    cases = [made.cases.case("xray:XR-9001", "ct:CT-9001") for made in (raw, department)]
    assert [v.use for v in cases[0].xray.versions] == [v.use for v in cases[1].xray.versions]
    assert cases[1].xray.versions[1].text.startswith("ADDENDUM")
    for made in (raw, department):
        texts, run = _texts(made), made._workspace.run_keys()[-1][0]
        found = made._workspace.findings(run)
        for f in found.itertuples():
            assert texts[f.report_id][f.start : f.end] == f.sentence
            assert f.cue_start < 0 or texts[f.report_id][f.cue_start : f.cue_end] == f.verbatim


def test_the_same_file_and_the_same_reports_of_another_give_the_same_texts(department, file, tmp_path):
    department.importing.import_reports(as_files([file]))
    before = _texts(department)
    again = department.importing.import_reports(as_files([file]))
    assert again.rows_read == 0
    # Another file of the same reports, without columns of names: what was removed stays removed.
    rows, header = _without(_rows(), "Last Name", "First Name", "Referring Physician", "Patient Phone", "SSN")
    bare = _write(tmp_path / "bare.csv", rows, header)
    said = Rehearsal().run(as_files([bare]), department)
    new = department.importing.import_reports(as_files([bare]))
    assert said.rejected == len(new.rejected) == 1
    assert _texts(department) == before
    assert department._workspace.imports()["changed"].tolist() == [0, 0]


def test_what_a_later_file_knows_is_removed_from_what_an_earlier_one_left(department, file, tmp_path):
    rows, header = _without(_rows(), "Last Name", "First Name", "Referring Physician")
    rows = [[cell.replace("Mr. ", "").replace("Patient: ", "") for cell in row] for row in rows]
    full = [[cell.replace("Mr. ", "").replace("Patient: ", "") for cell in row] for row in _rows()]
    run_chain(department, as_files([_write(tmp_path / "bare.csv", rows, header)]))
    findings = _findings(department)
    department.importing.import_reports(as_files([_write(tmp_path / "full.csv", full)]))
    assert _found(department) == []
    assert _findings(department) == findings
    assert department.runs.paired_ids()
    assert department._workspace.pending(department.runs.current().run_id, department.runs.paired_ids()) == []


def _raw(department: Department, file: Path) -> None:
    """Import the file as it is; the next import is to take out of the stored texts what identifies people."""
    department.save_settings(department.settings.changed(deidentify="off"))
    department.importing.import_reports(as_files([file]))
    department.save_settings(department.settings.changed(deidentify="on"))


def _state(department: Department) -> tuple[dict[str, str], list[str], object]:
    log = [what for what in department._workspace.audit()["what"].tolist() if what != "backup made"]
    return _texts(department), log, department._workspace.deidentified()


def test_without_consent_stored_texts_stay(department, file, monkeypatch):
    _raw(department, file)
    before = _state(department)

    def refused(*_: object) -> None:
        raise InputError("Say that it replaces the earlier reading.")

    with monkeypatch.context() as patch:
        patch.setattr(importing, "require_consent", refused)
        with pytest.raises(InputError, match="replaces"):
            department.importing.import_reports(as_files([file]))
    assert _state(department) == before
    department.importing.import_reports(as_files([file]))
    assert not any("Quillfeather" in text for text in _texts(department).values())


def test_stopped_anywhere_stored_texts_are_all_old_or_all_new(department, file, onlooker):
    _raw(department, file)
    before, after, stopped = _state(department), 0, 0
    while True:
        try:
            department.importing.import_reports(as_files([file]), onlooker(looks=after))
        except Cancelled:
            assert _state(department) == before
            after, stopped = after + 2, stopped + 1
        else:
            break
    assert stopped > 10
    assert not any("Quillfeather" in text for text in _texts(department).values())


def test_an_import_that_is_refused_leaves_no_secret(department, file, onlooker, monkeypatch):
    with pytest.raises(Cancelled):
        department.importing.import_reports(as_files([file]), onlooker(looks=8))
    assert department._workspace.get_meta("secret of de-identification") is None


def test_versions_of_a_report_in_two_files_stay_versions(department, tmp_path):
    (row, *_) = _rows()
    draft = [*row]
    draft[HEADER.index("Status")] = "Preliminary"
    later = [*row]
    later[HEADER.index("Status")] = "Addendum"
    later[HEADER.index("Report Text")] = "ADDENDUM: Dr. Thistlewood was told of the pneumothorax."
    department.importing.import_reports(as_files([_write(tmp_path / "a.csv", [draft])]))
    department.importing.import_reports(as_files([_write(tmp_path / "b.csv", [row])]))
    department.importing.import_reports(as_files([_write(tmp_path / "c.csv", [later])]))
    (text,) = _texts(department).values()
    assert text.count("FINDINGS") == 1
    assert text.endswith("was told of the pneumothorax.")
    assert _found(department) == []


def test_dates_are_shifted_alike_for_one_patient_and_the_exam_time_stays(department, file):
    department.importing.import_reports(as_files([file]))
    reports = department._workspace.reports()
    assert set(reports["exam_time"].dt.strftime("%Y-%m-%d")) == {"2024-03-01"}
    secret = bytes.fromhex(department._workspace.get_meta("secret of de-identification"))
    assert len(secret) == 32
    day = date(2024, 2, 28) + StandIns(secret).shift("PAT-1000")
    (text,) = (t for i, t in _texts(department).items() if i == "xray:XR-9000")
    assert f"{day:%m/%d/%Y}" in text


@pytest.mark.parametrize("later", [False, True])
def test_the_study_stays_a_field_and_stands_in_no_text(department, tmp_path, later):
    """It is known: nothing else tells that so short a one is a number."""
    rows = [[*row, f"1.2.84.{11 + n}"] for n, row in enumerate(_rows())]
    for row in rows:
        row[8] += f"\nStudy {row[-1]}."
    file = _write(tmp_path / "march.csv", rows, (*HEADER, "StudyInstanceUID"))
    if later:
        department.save_settings(department.settings.changed(deidentify="off"))
        department.importing.import_reports(as_files([file]))
        assert all("Study 1.2.84.1" in text for text in _texts(department).values())
        department.save_settings(department.settings.changed(deidentify="on"))
        department.importing.deidentifying.stored(department.backups)
    else:
        department.importing.import_reports(as_files([file]))
    assert sorted(department.workspace.reports(("study_uid",))["study_uid"]) == [row[-1] for row in rows[:-1]]
    assert len(_texts(department)) == 6
    assert {text.partition("\nStudy")[2] for text in _texts(department).values()} == {" [number]."}


def test_old_reports_are_de_identified_on_request_and_keep_what_belongs_to_them(department, file):
    department.save_settings(department.settings.changed(deidentify="off"))
    run_chain(department, as_files([file]))
    department.gold.draw(6)
    department.gold.begin("AB")
    for report in department.gold.reports():
        marks = tuple(Mark(f"engine {i}", Verdict.ACCEPTED, f) for i, f in enumerate(report.findings))
        department.gold.mark("AB", Action(new_name(), report.report_id, marks, done=True, blind=True))
    findings, gold = _findings(department), department.gold.gold()
    observed = department._workspace.observations()
    assert department.importing.deidentifying.as_read() == 6
    assert set(department._workspace.reports(("age",))["age"]) == {93}
    assert _found(department) != []
    department.save_settings(department.settings.changed(deidentify="on"))
    done = department.importing.deidentifying.stored(department.backups)
    assert done.reports == 6
    assert done.changed >= 3
    assert department.importing.deidentifying.as_read() == 0
    assert set(department._workspace.reports(("age",))["age"]) == {90}
    assert _findings(department) == findings
    pending = department._workspace.pending(department.runs.current().run_id, department.runs.paired_ids())
    assert pending == []
    now = department.gold.gold()
    assert [(f.report_id, f.pathology, f.phrase) for f in now.statements] == [
        (f.report_id, f.pathology, f.phrase) for f in gold.statements
    ]
    texts = _texts(department)
    for f in now.statements:
        assert texts[f.report_id][f.start : f.end] == f.sentence
    assert not any(report.changed for report in department.gold.reports())
    after = department._workspace.observations()
    assert after.drop(columns=["xray_sentence", "ct_sentence", "xray_cue_start", "xray_cue_end"]).equals(
        observed.drop(columns=["xray_sentence", "ct_sentence", "xray_cue_start", "xray_cue_end"])
    )
    for row in after.itertuples():
        if row.xray_cue_start >= 0:
            assert row.xray_sentence[row.xray_cue_start : row.xray_cue_end] == row.verbatim
    # Importing again knows the names of the columns, too.
    for name in ("617-555-0142", "078-05-1120", "02/28/2024"):
        assert name not in " ".join(texts.values())
    assert "reports de-identified" in department._workspace.audit()["what"].tolist()


def test_where_nothing_is_left_to_de_identify_no_backup_is_made(department, file):
    _raw(department, file)
    its = department.importing.deidentifying
    assert its.stored(department.backups).reports == 6
    copies = len(department.backups.made)
    assert copies == 1
    assert its.stored(department.backups).reports == 0
    assert len(department.backups.made) == copies


def test_what_was_de_identified_stays_so_when_the_setting_is_off(department, file, tmp_path):
    department.importing.import_reports(as_files([file]))
    before = _texts(department)
    department.save_settings(department.settings.changed(deidentify="off"))
    rows = _rows()
    rows.append(["XR-777", *rows[0][1:]])
    department.importing.import_reports(as_files([_write(tmp_path / "more.csv", rows)]))
    now = _texts(department)
    assert {i: text for i, text in now.items() if i != "xray:XR-777"} == before
    assert "Quillfeather" in now["xray:XR-777"]


@pytest.mark.parametrize("after", [*range(0, 60, 12)])
def test_stopped_anywhere_nothing_raw_is_stored(department, file, onlooker, after):
    try:
        department.importing.import_reports(as_files([file]), onlooker(looks=after))
    except Cancelled:
        assert department._workspace.reports().empty
    assert _found(department) == []


def test_a_failure_in_the_middle_of_saving_leaves_nothing_raw_in_the_file(make, file, tmp_path, monkeypatch):
    path = tmp_path / "killed.radcal"

    def broken(*_: Any, **__: Any) -> None:
        raise MemoryError

    with open_department(path, make.passphrase, create=True, settings=make.settings) as department:
        monkeypatch.setattr(importing.Importing, "_remember", broken)
        with pytest.raises(MemoryError):
            department.importing.import_reports(as_files([file]))
        monkeypatch.undo()
    with open_department(path, make.passphrase) as department:
        assert department._workspace.reports().empty
        assert _found(department) == []
    raw = b"".join(p.read_bytes() for p in tmp_path.iterdir() if p.name.startswith("killed"))
    assert not any(name.encode() in raw for name in PLANTED)


def _suspecting(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """Let the engine leave these words, and suspect them."""
    from radcal.reports.deidentify.deidentifier import Deidentifier

    whole = Deidentifier.__call__

    def call(self: Deidentifier, text: str, known: Any, patient: str) -> Any:
        made = whole(self, text, known, patient)
        found = [(made.text.find(w), w) for w in words]
        return replace(made, suspects=tuple(Suspect(at, at + len(w), "name") for at, w in found if at >= 0))

    monkeypatch.setattr(Deidentifier, "__call__", call)


def test_suspects_are_listed_removed_or_left(department, file, monkeypatch):
    _suspecting(monkeypatch, "pneumonia", "effusion")
    run_chain(department, as_files([file]))
    its = department.importing.deidentifying.suspects
    found = its.listed()
    assert [s.words for s in found].count("pneumonia") == 3
    assert len(found) == 6
    assert all(s.words in s.sentence for s in found)
    one = next(s for s in found if s.words == "pneumonia")
    run = department._workspace.run_keys()[-1][0]
    before = department._workspace.findings(run)
    its.remove([one])
    its.leave([s for s in found if s.words == "effusion"])
    texts = _texts(department)
    assert "pneumonia" not in texts[one.report_id]
    assert "Likely [name]," in texts[one.report_id]
    after = department._workspace.findings(run)
    assert len(after) == len(before)
    for f in after.itertuples():
        assert texts[f.report_id][f.start : f.end] == f.sentence
        assert f.cue_start < 0 or texts[f.report_id][f.cue_start : f.cue_end] == f.verbatim
    observed = department._workspace.observations()
    assert not any("pneumonia" in s for s in observed.loc[observed["xray_id"] == one.report_id, "xray_sentence"])
    assert len(its.listed()) == its.count() == 2
    log = department._workspace.audit()["what"].tolist()
    assert {"suspected identifiers removed", "suspected identifiers left"} <= set(log)


def test_what_a_person_decided_holds_when_the_report_comes_again(department, file, tmp_path, monkeypatch):
    _suspecting(monkeypatch, "pneumonia", "effusion")
    department.importing.import_reports(as_files([file]))
    its = department.importing.deidentifying.suspects
    its.remove([s for s in its.listed() if s.words == "pneumonia"])
    its.leave([s for s in its.listed() if s.words == "effusion"])
    before = _texts(department)
    department.importing.import_reports(as_files([_write(tmp_path / "again.csv", _rows()[::-1])]))
    assert _texts(department) == before
    assert its.listed() == ()


def test_words_are_suspected_and_kept_as_long_as_a_text_of_the_report_has_them(department, tmp_path, monkeypatch):
    monkeypatch.setattr("radcal.reports.deidentify.tagging.enough", lambda *_: 1.1)  # nothing is taken, all is suspect

    def bring(text: str, status: str, name: str = "") -> list[tuple[str, int]]:
        path = tmp_path / f"{status}{name}.csv"
        path.write_text(
            "Accession,MRN,Patient Name,Exam Description,Modality,Exam Time,Report Text,Signing Radiologist,Status\n"
            f"A1,P1,{name},XR CHEST,CR,2024-03-01 08:00,{text},Harkness Odalys,{status}\n",
            encoding="utf-8",
        )
        department.importing.import_reports(as_files([path]))
        return department._workspace._db.execute("SELECT words, kept FROM suspects")

    its = department.importing.deidentifying.suspects
    assert bring("No edema with Zorblatt 4 in place.", "Preliminary") == [("Zorblatt", 0)]
    assert bring("Likely edema after all.", "Final") == [("Zorblatt", 0)]  # the preliminary one is kept with it
    its.leave(its.listed())
    assert bring("Likely edema.", "Final", "Quimper Zorblatt") == []  # a name after all, and nothing keeps it
    stored = [text.text for text in department._workspace.texts_of(["xray:A1"])]
    assert "No edema with [name] 4 in place." in stored
    assert not any("Zorblatt" in text for text in stored)


@cases("texts_that_differ_in_what_was_removed_are_one")
def test_texts_that_differ_in_what_was_removed_are_one(one, other, both):
    found = [united(one, other), united(other, one)]
    assert [" ".join(made.text.split()) if made else None for made in found] == [both, both]


def test_parts_of_a_text_are_those_of_the_new_one(department):
    raw = _xray(1, addendum="\n\nADDENDUM 03/01/2024 15:00: Discussed with Barnaby Thistlewood; CT confirms.")
    parts = text_parts(raw)
    from radcal.reports.deidentify.deidentifier import Deidentifier
    from radcal.reports.identifiers import Known
    from radcal.reports.later_texts import packed

    made = Deidentifier(b"s" * 32)(raw, Known(patient=("Mirabelle Ostrowanka",), staff=("Barnaby Thistlewood",)), "P")
    now = unpacked(moved_parts(packed(parts), made))
    assert [(p.addendum, p.time, p.names_ct) for p in now] == [(p.addendum, p.time, p.names_ct) for p in parts]
    assert made.text[now[1].start :].startswith("ADDENDUM")
    assert now[0].end == now[1].start
    assert agreed([], {}) == ([], {})


def test_the_note_tells_what_was_removed_from_what_was_shifted():
    def note(**kinds: int) -> str:
        return str(Deidentification(reports=10, changed=4, kinds=kinds).note)

    changed = "De-identified: 4 of 10 reports were changed."
    assert note(name=3, date=1) == f"{changed} Removed: 3 names. Shifted: 1 date."
    assert note(date=2) == f"{changed} Shifted: 2 dates."
    assert note(name=1, phone=2) == f"{changed} Removed: 1 name and 2 phone numbers."
    assert note(name=0) == ""


@pytest.mark.parametrize(("named", "setting"), [(True, "on"), (False, "on"), (False, "off")])
def test_where_no_column_names_the_patients_dry_run_and_import_say_so(department, tmp_path, named, setting):
    department.save_settings(department.settings.changed(deidentify=setting))
    rows, header = (_rows(), HEADER) if named else _without(_rows(), "Last Name", "First Name")
    file = _write(tmp_path / "reports.csv", rows, header)
    (preview,) = Rehearsal().run(as_files([file]), department).files
    department.importing.import_reports(as_files([file]))
    told = [note for past in department.importing.history() for note in past.notes]
    for notes in (preview.notes, told):
        said = any("No column of reports.csv names the patients" in note for note in notes)
        assert said is (not named and setting == "on")
