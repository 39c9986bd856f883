"""Names apart: the workspace holds none, the names key all of them, and neither tells anything without the other."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from radcal.department import Department, Results
from radcal.opening import open_department, open_workspace
from radcal.reports.authors import author_called, author_name, people
from radcal.reports.importing import as_files
from radcal.sample.department import SampleTruth
from radcal.system import files as atomic
from radcal.system.errors import InputError
from radcal.system.kinds import names_key_of
from radcal.workspace.names import NoNames
from radcal.workspace.pseudonyms import given_names
from radcal.workspace.store import Workspace
from tests.cases import cases_of

cases = cases_of(__file__)

NAMES = given_names()
KEY = "plum tree in blossom"
WHO = ("Dictating Radiologist", "Signing Radiologist")
Write = Callable[[str, Sequence[str]], Path]


@pytest.fixture
def written(tmp_path: Path, small: SampleTruth, table: SimpleNamespace) -> Write:
    """Writes a file of new X-ray reports, one by each of these radiologists."""
    rows = [row for row in table.read(small.xray) if row["Exam Time"] and row["Report Text"]]

    def write(name: str, radiologists: Sequence[str]) -> Path:
        return table.write(
            tmp_path / name,
            [
                row | dict.fromkeys(WHO, who) | {"Accession": f"{name}{k}"}
                for k, (row, who) in enumerate(zip(rows, radiologists, strict=False))
            ],
        )

    return write


@pytest.fixture
def folder(tmp_path: Path, files: SimpleNamespace) -> Path:
    """A folder with an analysed workspace and its names key."""
    return Path(shutil.copytree(files.apart, tmp_path / "apart"))


@pytest.fixture
def apart(folder: Path) -> Iterator[Department]:
    """The analysed department, with its names key beside it."""
    with open_department(folder / "w.radcal", KEY) as department:
        yield department


def names_in(small: SampleTruth, table: SimpleNamespace) -> set[str]:
    """Whom the files of reports name."""
    rows = [row for file in (small.xray, small.ct) for row in table.read(file)]
    cells = {cell for row in rows for name, cell in row.items() if name in WHO}
    return {person for cell in cells for person in people(cell)}


def _legible(row: tuple[object, ...]) -> list[object]:
    """A row without hashes and packed columns, in which chance spells a name of three letters once in a while."""
    return [cell for cell in row if not isinstance(cell, bytes)]


def everything(workspace: Workspace) -> str:
    """All that the tables of a workspace hold, as text."""
    db = workspace._db
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    said = [repr([_legible(row) for row in db.execute(f"SELECT * FROM {name}")]) for name in tables]  # noqa: S608 - names of tables
    frames = [name for (name,) in db.execute("SELECT name FROM frames")]
    loaded = [workspace.load_frame(name) for name in frames]
    return "\n".join([*said, *frames, *(frame.to_csv() for frame in loaded if frame is not None)])


def test_no_name_is_in_the_workspace_or_its_backup(apart, small, table, folder):
    names = names_in(small, table)
    assert len(names) >= 2
    parts = {part for name in names for part in re.findall(r"\w{3,}", name)}
    apart.backup(folder / "backup.radcal")
    with Workspace.open(folder / "backup.radcal", KEY) as backup:
        for workspace in (apart._workspace, backup):
            held = everything(workspace)
            assert set(apart.authors()) <= {word for word in NAMES if word in held}
            assert [part for part in parts if part in held] == []


def test_the_names_key_holds_each_name_once_and_nothing_in_plain(apart, small, table, folder):
    names = names_in(small, table)
    known = apart.names.known()
    assert set(known.values()) == names
    assert set(known) <= set(NAMES)
    raw = (folder / "w.names").read_bytes()
    parts = {part for name in (*names, *known) for part in name.split(", ")}
    assert not [part for part in parts if len(part) > 3 and part.encode() in raw], "shorter ones may be there by chance"
    if os.name == "posix":
        assert (folder / "w.names").stat().st_mode & 0o077 == 0


def test_the_results_are_those_of_a_workspace_with_names(apart, files):
    with open_department(files.analysed, KEY, read_only=True) as plain:
        with_names, called = plain.analysis(), apart.names.called(apart.authors())
        under = apart.analysis()

    def measured(analysis, who):
        return {
            (who(r.author), r.topic): (r.n, [(p.phrase, p.n, p.positives) for p in r.phrases])
            for r in analysis.reliabilities
        }

    assert measured(under, called.__getitem__) == measured(with_names, str)
    assert apart.pseudonyms() == {author: author for author in apart.authors()}


def test_pseudonyms_stay_whoever_joins_or_leaves(apart, written):
    before = apart.names.known()
    people_ = [f"Newcomer{k}, Jane" for k in range(5)]
    apart.importing.import_reports(as_files(xray=[written("joined.csv", people_)]))
    after = apart.names.known()
    assert after.items() > before.items()
    assert set(after.values()) - set(before.values()) == set(people_)
    # Those who have left are still known.
    apart.importing.import_reports(as_files(xray=[written("rest.csv", people_[:1])]))
    assert apart.names.known() == after


def test_one_person_written_in_two_ways_is_one_and_nobody_is_guessed(tmp_path, written):
    ways = ["SMITH, JANE MD", "Smith, Jane", "Dr. smith, jane", "Jane Smith", "Smith, J", "Dr."]
    path = tmp_path / "w.radcal"
    with open_department(path, KEY, create=True, names_key=names_key_of(path)) as department:
        department.importing.import_reports(as_files(xray=[written("x.csv", ways)]))
        known = {name: pseudonym for pseudonym, name in department.names.known().items()}
        assert set(known) == {"Smith, Jane", "Smith, J"}
        authors = department._workspace.reports(["accession", "author"]).sort_values("accession")["author"].tolist()
        one, other = known["Smith, Jane"], known["Smith, J"]
        assert authors == [one, one, one, one, other, ""]


def test_a_name_written_without_umlauts_is_the_same_radiologist_in_later_imports_too(tmp_path, written):
    path = tmp_path / "w.radcal"
    with open_department(path, KEY, create=True, names_key=names_key_of(path)) as department:
        department.importing.import_reports(as_files(xray=[written("1.csv", ["Weissgerber, Uwe", "Huerlimann, Ida"])]))
        ways = ["Weißgerber, Uwe", "Hürlimann, Ida", "HURLIMANN, IDA"]
        department.importing.import_reports(as_files(xray=[written("2.csv", ways)]))
        assert sorted(department.names.known().values()) == ["Huerlimann, Ida", "Weissgerber, Uwe"]
        assert department._workspace.reports(["author"])["author"].nunique() == 2


def test_pseudonyms_read_as_names_stay_as_they_are():
    for name in (*NAMES, "Avery 2", "Reader", "Reader 14"):
        assert people(name) == (author_name(name),) == (name,)
    assert people("; ".join(NAMES[:30])) == NAMES[:30]


def test_without_the_names_key_there_are_pseudonyms_and_no_further_imports(folder, written):
    (folder / "w.names").rename(folder / "elsewhere.names")
    with open_department(folder / "w.radcal", KEY) as department:
        assert department.names.known() == {}
        assert department.names.called(["Avery"]) == {"Avery": "Avery"}
        assert "There is no file" in department.names.why_unknown()
        assert "no further reports can be imported" in department.names.why_unknown()
        before = everything(department._workspace)
        more = as_files(xray=[written("more.csv", ["Newcomer, Jane"])])
        with pytest.raises(NoNames, match=r"w\.names.*Say where it is"):
            department.importing.import_reports(more)
        assert everything(department._workspace) == before
        # What is there can be analysed and handed out.
        assert department.pages.input(department.authors()[0]).known_as == department.authors()[0]
        department.names.choose(folder / "elsewhere.names")
        assert department.names.known()
        department.importing.import_reports(more)


def test_foreign_and_damaged_names_keys_are_refused(folder, tmp_path):
    other = tmp_path / "other.radcal"
    open_department(other, KEY, create=True, names_key=names_key_of(other)).close()
    with open_department(folder / "w.radcal", KEY) as department:
        with pytest.raises(NoNames, match="another key"):
            department.names.choose(tmp_path / "other.names")
        assert department.names.known()  # the one that fits is still in use
        damaged = folder / "damaged.names"
        damaged.write_bytes((folder / "w.names").read_bytes()[:-1])
        with pytest.raises(NoNames, match=r"damaged\.names is damaged"):
            department.names.choose(damaged)
        with pytest.raises(NoNames, match="no sealed file"):
            department.names.choose(folder / "w.radcal")
    with pytest.raises(NoNames, match="another key"):
        open_workspace(folder / "w.radcal", KEY, names_key=tmp_path / "other.names")
    open_department(folder / "w.radcal", KEY).close()  # and nothing holds it


def test_an_older_copy_is_not_taken_for_the_names_key(apart, folder, written):
    """Or somebody who is in the workspace already would be given a second pseudonym, or the one of somebody else."""
    apart.names.copy(folder / "old.names")
    apart.importing.import_reports(as_files(xray=[written("new.csv", ["Newcomer, Jane"])]))
    shutil.copy(folder / "old.names", folder / "w.names")
    assert apart.names.known() == {}
    with pytest.raises(NoNames, match=r"w\.names is an older copy.*lacks 1 of"):
        apart.names.required()


def test_copied_and_moved(apart, folder):
    known = apart.names.known()
    apart.names.copy(folder / "copy.names")
    (folder / "stick").mkdir()
    apart.names.move(folder / "stick" / "chest.names")
    assert not (folder / "w.names").exists()
    assert apart.names.file == folder / "stick" / "chest.names"
    assert apart.names.known() == known
    apart.names.choose(folder / "copy.names")
    assert apart.names.known() == known
    whats = apart._workspace.audit()["what"].tolist()
    assert [w for w in whats if "names" in w][-3:] == ["names key opened", "names key copied", "names key moved"]


def test_the_audit_log_says_what_became_of_the_key_and_names_nobody(apart, folder, small, table):
    apart.names.copy(folder / "copy.names")
    log = apart._workspace.audit()
    assert "names key made" in log["what"].tolist()
    copied = log[log["what"] == "names key copied"]
    assert json.loads(copied["counts"].iloc[0]) == {"radiologists": len(apart.names.known())}
    said = log.to_csv()
    assert not any(part in said for name in names_in(small, table) for part in name.split(", "))


@pytest.mark.slow
def test_nothing_is_imported_unless_its_names_are_on_the_disk(tmp_path, small, monkeypatch):
    path = tmp_path / "w.radcal"
    with open_department(path, KEY, create=True, names_key=names_key_of(path)) as department:
        before = everything(department._workspace)

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(atomic.os, "fsync", full)
            with pytest.raises(InputError, match=r"w\.names cannot be written"):
                department.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
        assert everything(department._workspace).splitlines()[:2] == before.splitlines()[:2]
        assert department._workspace.reports().empty
        assert department.names.known() == {}


@pytest.mark.slow
def test_a_crash_between_names_key_and_import_leaves_no_author_without_a_name(tmp_path, small, monkeypatch):
    path = tmp_path / "w.radcal"
    with open_department(path, KEY, create=True, names_key=names_key_of(path)) as department:

        def crash(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("radcal.reports.importing.save_import", crash)
            with pytest.raises(KeyboardInterrupt):
                department.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
        drawn = department.names.known()
        assert drawn
        assert department._workspace.reports().empty
        # Imported again, everybody has the pseudonym that was drawn before.
        department.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
        assert department.names.known() == drawn
        assert set(department._workspace.reports(["author"])["author"]) - {""} <= set(drawn)


def test_no_names_key_replaces_another_and_none_is_left_without_its_workspace(tmp_path, monkeypatch):
    path = tmp_path / "w.radcal"
    (tmp_path / "w.names").write_bytes(b"of an earlier workspace")
    with pytest.raises(InputError, match=r"w\.names exists already"):
        open_department(path, KEY, create=True, names_key=names_key_of(path))
    assert [p.name for p in tmp_path.iterdir() if p.suffix != ".lock"] == ["w.names"]
    assert (tmp_path / "w.names").read_bytes() == b"of an earlier workspace"
    (tmp_path / "w.names").unlink()

    def full(*_: object) -> None:
        raise InputError("The disk is full.")

    monkeypatch.setattr("radcal.workspace.store.sync", full)
    with pytest.raises(InputError, match="full"):
        open_department(path, KEY, create=True, names_key=names_key_of(path))
    assert not (tmp_path / "w.names").exists()


def test_a_workspace_with_names_has_no_names_key(analysed, tmp_path):
    assert not analysed.names.kept_apart
    assert analysed.names.known() == {}
    assert analysed.names.why_unknown() == ""
    assert analysed.names.name_of("Quillfeather, Avery") == "Quillfeather, Avery"
    for call in (analysed.names.choose, analysed.names.copy, analysed.names.move):
        with pytest.raises(InputError, match="has no names key"):
            call(tmp_path / "x.names")


@pytest.mark.parametrize("how", ["copy", "move"])
def test_nothing_but_an_earlier_copy_is_replaced(apart, folder, tmp_path, how):
    known = apart.names.known()
    with open_department(tmp_path / "o.radcal", KEY, create=True, names_key=tmp_path / "o.names") as other:
        letter = tmp_path / "letter.txt"
        letter.write_text("Dear all")
        for file in (other.names.file, letter):
            before = file.read_bytes()
            with pytest.raises(InputError, match="exists already"):
                getattr(apart.names, how)(file)
            assert file.read_bytes() == before
        assert apart.names.file == folder / "w.names"
        assert other.names.required() == {}
    earlier = tmp_path / "stick.names"
    apart.names.copy(earlier)
    getattr(apart.names, how)(earlier)
    apart.names.choose(earlier)
    assert apart.names.known() == known


def test_a_personal_file_has_its_owner_s_name_and_nobody_else_s(apart, tmp_path):
    author, *others = apart.authors()
    known = apart.names.known()
    apart.personal_files.write(author, tmp_path / "own.radcal", "violet engine over water")
    with open_workspace(tmp_path / "own.radcal", "violet engine over water") as own:
        assert type(own) is Results
        assert (own.personal, own.title) == (author, known[author])
        assert own.names.called([author]) == {author: known[author]}
        assert not own.names.kept_apart
        assert own.pages.input(author).known_as == known[author]
        held = everything(own._workspace)
        assert not any(name in held or known[name] in held for name in others)
        assert own._workspace.get_meta("names key") is None


def test_pages_call_a_radiologist_one_thing(apart, folder):
    author = apart.authors()[0]
    name = apart.names.known()[author]

    def said() -> str:
        return " ".join(page.text for page in apart.pages.pdf_pages(apart.pages.pdf(author)))

    assert author not in (page := said())
    assert name.split(", ")[0] in page
    (folder / "w.names").unlink()
    assert author in (page := said())
    assert name.split(", ")[0] not in page


@cases("authors_are_called_by_name_or_pseudonym")
def test_authors_are_called_by_name_or_pseudonym(typed: str, author: str) -> None:
    assert author_called(typed, {"Avery": "Roe, Jane", "Blair": "Blair", "Doe, John": "Doe, John"}) == author


def test_the_draw_is_random_distinct_and_avoids_real_names() -> None:
    from radcal.workspace.pseudonyms import drawn

    people_ = [f"Person {k}" for k in range(300)]
    given = drawn(people_, {"Avery": "Blair, Casey"})
    assert len(set(given.values())) == 300
    assert not {"Avery", "Blair", "Casey"} & set(given.values())
    assert drawn(people_[:20], {}) != drawn(people_[:20], {})


@pytest.mark.slow
def test_names_in_a_workspace_are_replaced_wholly(analysed, small, table, tmp_path):
    names = names_in(small, table)
    before, author = analysed.analysis(), analysed.authors()[0]
    analysed.pages.keep_choice(author, analysed.pages.choice(author))
    analysed.comparison.set_feedback_dates({author: None})
    own = analysed._stored.observations_of(author)
    finding, rows = own.iloc[0], len(own)
    analysed.contests.add(finding["xray_id"], finding["topic"], author, finding["phrase"])
    analysed.personal_files.write(author, tmp_path / "own.radcal", "violet engine over water")
    assert author in everything(analysed._workspace)
    assert analysed.replace_names(tmp_path / "who.names") == len(names)
    known = analysed.names.known()
    assert set(known.values()) == names
    held = everything(analysed._workspace)
    # The log says by which given name a page was handed out, and somebody else may be called so.
    parts = {part for name in names for part in re.findall(r"\w{3,}", name)} - set(NAMES)
    assert {part for part in parts if part in held} == set()
    called = analysed.names.called(analysed.authors())
    assert {(called[r.author], r.topic): r.n for r in analysed.analysis().reliabilities} == {
        (r.author, r.topic): r.n for r in before.reliabilities
    }
    now = next(pseudonym for pseudonym, name in known.items() if name == author)
    assert [c.author for c in analysed.contests.all()] == [now]
    assert len(analysed._stored.observations_of(now)) == rows
    assert set(analysed.comparison.feedback_dates()) == {now}
    assert "names replaced by pseudonyms" in analysed._workspace.audit()["what"].tolist()
    with Workspace.open(analysed.backups.made[0].path, KEY, read_only=True) as former:
        assert author in everything(former)
    # Files that come later find everybody under the same pseudonym.
    analysed.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
    assert analysed.names.known() == known
    analysed.importing.pair()
    analysed.runs.extract()
    again = analysed.analyse()
    assert {(called[r.author], r.topic): r.n for r in again.reliabilities}.keys() == {
        (r.author, r.topic) for r in before.reliabilities
    }


def test_replacing_names_leaves_the_times_of_results_and_what_names_nobody(analysed, tmp_path, monkeypatch):
    author = analysed.authors()[0]
    workspace, early = analysed._workspace, "2020-01-01T00:00:00+00:00"
    workspace.save_result("test", author, {"author": author, "odd": float("nan")}, {})
    workspace.save_result("test", "nobody", {"n": 1}, {})
    for table in ("results", "frames"):
        workspace._db.execute(f"UPDATE {table} SET saved = ?", (early,))  # noqa: S608 - constants
    before = len(workspace._db.execute("SELECT key FROM results"))
    analysed.replace_names(tmp_path / "names.names")
    kept = workspace.results("test")
    [pseudonym] = kept.keys() - {"nobody"}
    assert pseudonym == kept[pseudonym].payload["author"] != author
    for table in ("results", "frames"):
        assert workspace._db.execute(f"SELECT DISTINCT saved FROM {table}") == [(early,)]  # noqa: S608 - constants
    assert len(workspace._db.execute("SELECT key FROM results")) == before


def test_names_that_take_each_others_place_lose_no_result(analysed):
    workspace = analysed._workspace
    workspace.save_result("test", "Avery", {"of": "Avery"}, {})
    workspace.save_result("test", "Blake", {"of": "Blake"}, {})
    workspace.rename_people({"Avery": "Blake", "Blake": "Casey"}, {})
    assert {k: s.payload["of"] for k, s in workspace.results("test").items()} == {"Blake": "Blake", "Casey": "Casey"}


def test_a_personal_file_that_cannot_be_offered_is_closed(analysed, tmp_path, monkeypatch):
    from radcal.workspace.names import Names

    path = analysed.personal_files.write(analysed.authors()[0], tmp_path / "own.radcal", KEY)

    def unreadable(*_):
        raise InputError("no")

    closed, close = [], Workspace.close
    monkeypatch.setattr(Workspace, "close", lambda self: (closed.append(self), close(self)))
    monkeypatch.setattr(Names, "name_of", unreadable)
    with pytest.raises(InputError):
        open_workspace(path, KEY)
    assert len(set(map(id, closed))) == 2  # opened for writing, in case it is to be migrated, then for reading


def test_replacing_names_is_all_or_nothing(analysed, tmp_path, monkeypatch):
    authors, frames = analysed.authors(), analysed._workspace.observations()

    def full(*_: object) -> None:
        raise InputError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "set_meta", full)
        with pytest.raises(InputError, match="full"):
            analysed.replace_names(tmp_path / "who.names")
        patch.undo()
        patch.setattr(Workspace, "_rename_in_frame", full)
        with pytest.raises(InputError, match="full"):
            analysed.replace_names(tmp_path / "who.names")
    assert not (tmp_path / "who.names").exists()
    assert not analysed.names.kept_apart
    assert analysed.authors() == authors
    assert analysed._workspace.observations().equals(frames)
    assert set(analysed._workspace.reports(["author"])["author"]) >= set(authors)


def test_a_workspace_with_pseudonyms_has_no_names_to_replace(apart, tmp_path):
    with pytest.raises(InputError, match="only pseudonyms already"):
        apart.replace_names(tmp_path / "who.names")


def test_looking_at_names_is_no_change_that_wants_a_backup(apart, folder):
    before = apart._workspace.state()
    apart.names._told = False
    assert apart.names.known()
    assert apart._workspace.audit()["what"].tolist()[-1] == "names key opened"
    assert apart._workspace.state() == before


def test_listing_who_is_who_is_entered_each_time(apart, command, monkeypatch):
    monkeypatch.setenv("RADCAL_PASSPHRASE", KEY)
    names, before = ("names", "--workspace", apart.path), apart._workspace.state()
    apart.close()
    assert "names" not in command(*names)
    for _ in range(2):
        assert command(*names, "--who")["names"]
    with open_department(apart.path, KEY) as department:
        assert department._workspace.audit()["what"].tolist().count("names listed") == 2
        assert department._workspace.state() == before


def test_files_that_were_imported_before_need_no_names(folder, small):
    (folder / "w.names").unlink()
    with open_department(folder / "w.radcal", KEY) as department:
        read = department.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
        assert "Imported before" in read.notes[0]
