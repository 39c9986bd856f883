"""Contests made in a personal file: kept beside it, and taken in once by the department that handed it out."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from radcal.calibration.own_contests import SEALED_CONTESTS, OwnContests
from radcal.calibration.records import Contest
from radcal.department import Department, Results
from radcal.opening import open_department, open_workspace
from radcal.system.errors import DataError, InputError
from radcal.system.sealed import seal, unseal
from radcal.system.selection import ALL_DAYS, Selection
from radcal.workspace.context import CONTEST_KEY, HAND_OUT
from radcal.workspace.errors import NoAccess
from radcal.workspace.store import Workspace

OWN = "own words of hers"


@contextlib.contextmanager
def own_contests(packet: Path) -> Iterator[OwnContests]:
    with open_workspace(packet, OWN) as personal:
        assert isinstance(personal.contests, OwnContests)
        yield personal.contests


def findings(results: Results, author: str, n: int = 3) -> list[tuple[str, str, str]]:
    """Report, topic and phrase of some findings."""
    topic = results.pages.input(author).reliabilities[0].topic
    table = results.groups.evidence(Selection(author, topic, ALL_DAYS)).head(n)
    return [(row.xray_id, row.topic, row.phrase) for row in table.itertuples()]


def contest(packet: Path, author: str, finding: tuple[str, str, str], note: str) -> None:
    with own_contests(packet) as contests:
        contests.add(finding[0], finding[1], author, finding[2], note)


def sent(packet: Path, out: Path) -> Path:
    with own_contests(packet) as contests:
        return contests.hand_over(out / contests.name())


def notes(department: Department) -> dict[tuple[str, str], str]:
    return {(c.xray_id, c.topic): c.note for c in department.contests.all()}


# --- in the personal file


def test_contests_are_kept_beside_the_personal_file_which_stays_as_it_is(
    analysed: Department, author: str, packet: Path
) -> None:
    before = packet.read_bytes()
    first, second, _ = findings(analysed, author)
    with own_contests(packet) as contests:
        assert contests.why_not == ""
        contests.add(*first[:2], author, first[2], " Not said. ")
        contests.add(*second[:2], author, second[2], "Neither.")
        contests.withdraw(*second[:2])
        assert contests.file == packet.with_name("personal-avery.radcal-contests")
    assert packet.read_bytes() == before
    with open_workspace(packet, OWN) as personal:  # nothing is lost on closing
        [kept] = personal.contests.all()
        assert (kept.xray_id, kept.topic, kept.note, kept.author) == (*first[:2], "Not said.", author)
        table = personal.groups.evidence(Selection(author, first[1], ALL_DAYS))
        assert table.loc[table["contest"].notna(), "xray_id"].tolist() == [first[0]]
    content = packet.with_suffix(".radcal-contests").read_bytes()
    assert b"Not said" not in content
    assert first[0].encode() not in content


def test_only_findings_of_the_file_can_be_contested(analysed: Department, author: str, packet: Path) -> None:
    other = next(a for a in analysed.authors() if a != author)
    foreign, own = findings(analysed, other)[0], findings(analysed, author)[0]
    with own_contests(packet) as contests:
        for wrong in (foreign, ("xray:1", "edema", "likely"), (own[0], own[1], "presumably")):
            with pytest.raises(DataError, match="no such finding"):
                contests.add(*wrong[:2], author, wrong[2])
        with pytest.raises(DataError, match="no such finding"):
            contests.add(*own[:2], other, own[2])
        contests.withdraw("xray:1", "edema")
        with pytest.raises(DataError, match="nothing to send"):
            contests.hand_over(packet.with_name("x.radcal-contests"))
    assert not packet.with_suffix(".radcal-contests").exists()


def test_a_file_without_a_key_says_why_nothing_is_offered(
    analysed: Department, author: str, packet: Path, tmp_path: Path
) -> None:
    with Workspace.open(packet, OWN) as old:
        old._db.execute("DELETE FROM meta WHERE key IN (?, ?)", (HAND_OUT, CONTEST_KEY))
    with own_contests(packet) as contests:
        assert "open for reading only" in contests.why_not
        finding = findings(analysed, author)[0]
        with pytest.raises(InputError, match="Ask your department"):
            contests.add(*finding[:2], author, finding[2])
    # A workspace open for reading only cannot keep a key, either.
    with open_department(analysed.path, "plum tree in blossom", read_only=True) as reading:
        path = reading.personal_files.write(author, tmp_path / "second.radcal", OWN)
    with own_contests(path) as contests:
        assert contests.why_not


def test_where_the_folder_cannot_be_written_they_are_kept_in_the_window_and_can_be_saved(
    analysed: Department, author: str, packet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from radcal.calibration import own_contests as module

    finding = findings(analysed, author)[0]

    def full(path: Path, *_: object) -> None:
        raise InputError("{path} cannot be written: full.", path=path)

    with own_contests(packet) as contests:
        with monkeypatch.context() as patch:
            patch.setattr(module, "seal", full)
            contests.add(*finding[:2], author, finding[2], "Misread.")
            assert "cannot be written" in contests.unkept
        assert [c.note for c in contests.all()] == ["Misread."]
        contests.hand_over(tmp_path / "elsewhere.radcal-contests")
        assert contests.unkept == ""
    assert analysed.personal_files.take_back(tmp_path / "elsewhere.radcal-contests").new == 1


def test_a_file_of_another_hand_out_beside_it_is_left_alone(analysed: Department, author: str, packet: Path) -> None:
    finding = findings(analysed, author)[0]
    beside = packet.with_suffix(".radcal-contests")
    seal(beside, SEALED_CONTESTS, bytes(32), b"{}")
    before = beside.read_bytes()
    contest(packet, author, finding, "Misread.")
    assert beside.read_bytes() == before
    with own_contests(packet) as contests:
        assert contests.file.name == "personal-avery-2.radcal-contests"
        assert [c.note for c in contests.all()] == ["Misread."]


# --- taken in


def test_contests_are_added_with_who_and_when_and_once(
    analysed: Department, author: str, packet: Path, tmp_path: Path
) -> None:
    first, second, _ = findings(analysed, author)
    contest(packet, author, first, "Misread.")
    contest(packet, author, second, "")
    file = sent(packet, tmp_path)
    assert file.name.startswith("contests-")
    taken = analysed.personal_files.take_back(file)
    assert (taken.hand_out.person, taken.new, taken.turned, taken.known, taken.refused) == (author, 2, 0, 0, ())
    made: Contest = next(c for c in analysed.contests.all() if c.xray_id == first[0])
    assert (made.note, made.by, made.phrase) == ("Misread.", author, first[2])
    assert made.said <= made.at
    log = analysed._workspace.audit()
    assert log["what"].iloc[-1] == "contests taken in"
    assert json.loads(log["counts"].iloc[-1]) == {"added": 2, "withdrawn": 0, "known": 0, "refused": 0}
    again = analysed.personal_files.take_back(file)
    assert (again.new, again.known, again.changed) == (0, 2, False)
    assert len(analysed.contests.all()) == 2


def test_withdrawn_contests_travel_and_an_older_file_brings_nothing_back(
    analysed: Department, author: str, packet: Path, tmp_path: Path
) -> None:
    first, second, _ = findings(analysed, author)
    contest(packet, author, first, "Misread.")
    contest(packet, author, second, "This, too.")
    old = Path(shutil.copy(sent(packet, tmp_path), tmp_path / "old.radcal-contests"))
    analysed.personal_files.take_back(old)
    with own_contests(packet) as contests:
        contests.withdraw(*first[:2])
        contests.add(*second[:2], author, second[2], "Clearer now.")
    taken = analysed.personal_files.take_back(sent(packet, tmp_path))
    assert (taken.new, taken.turned) == (1, 1)
    assert notes(analysed) == {second[:2]: "Clearer now."}
    assert not analysed.personal_files.take_back(old).changed
    assert notes(analysed) == {second[:2]: "Clearer now."}


def test_what_qa_took_back_stays_so_until_the_radiologist_says_something_new(
    analysed: Department, author: str, packet: Path, tmp_path: Path
) -> None:
    finding = findings(analysed, author)[0]
    contest(packet, author, finding, "Misread.")
    analysed.personal_files.take_back(sent(packet, tmp_path))
    analysed.contests.withdraw(*finding[:2])
    assert not analysed.personal_files.take_back(sent(packet, tmp_path)).changed
    assert notes(analysed) == {}
    contest(packet, author, finding, "It is, see the text.")
    assert analysed.personal_files.take_back(sent(packet, tmp_path)).new == 1


def test_notes_made_here_are_kept_and_contests_made_here_are_not_withdrawn(
    analysed: Department, author: str, packet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, _ = findings(analysed, author)
    monkeypatch.setattr("radcal.workspace.results.now", lambda: "2099-01-01T00:00:00+00:00")
    analysed.contests.add(*first[:2], author, first[2], "Seen by QA.")
    analysed.contests.add(*second[:2], author, second[2], "Seen by QA.")
    contest(packet, author, first, "Misread.")
    contest(packet, author, second, "Misread.")
    with own_contests(packet) as contests:
        contests.withdraw(*second[:2])
    analysed.personal_files.take_back(sent(packet, tmp_path))
    assert notes(analysed) == {first[:2]: "Seen by QA.; Misread.", second[:2]: "Seen by QA."}


def test_findings_that_are_gone_or_read_otherwise_are_listed(
    analysed: Department, author: str, packet: Path, tmp_path: Path
) -> None:
    first, second, third = findings(analysed, author)
    for finding in (first, second, third):
        contest(packet, author, finding, "Misread.")
    table = analysed._workspace.observations()
    table.loc[(table["xray_id"] == first[0]) & (table["topic"] == first[1]), "phrase"] = "unlikely"
    gone = (table["xray_id"] == second[0]) & (table["topic"] == second[1])
    analysed._workspace.save_observations(table[~gone].reset_index(drop=True))
    taken = analysed.personal_files.take_back(sent(packet, tmp_path))
    assert taken.new == 1
    assert {(r.report, r.topic) for r in taken.refused} == {first[:2], second[:2]}
    assert len({r.reason for r in taken.refused}) == 2
    analysed._workspace.save_observations(table)
    assert analysed.personal_files.take_back(sent(packet, tmp_path)).new == 1  # what was refused may be said again


def test_what_is_said_after_the_file_of_contests_was_moved_away_is_new(
    analysed: Department, author: str, packet: Path, tmp_path: Path
) -> None:
    finding = findings(analysed, author)[0]
    contest(packet, author, finding, "Misread.")
    old = Path(shutil.copy(sent(packet, tmp_path), tmp_path / "old.radcal-contests"))
    assert analysed.personal_files.take_back(old).new == 1
    packet.with_suffix(".radcal-contests").unlink()
    contest(packet, author, finding, "Clearer now.")
    assert analysed.personal_files.take_back(sent(packet, tmp_path)).new == 1
    assert notes(analysed) == {finding[:2]: "Clearer now."}
    assert not analysed.personal_files.take_back(old).changed  # said before


def test_contests_from_before_the_names_were_replaced_are_taken_in(
    analysed: Department, author: str, packet: Path, tmp_path: Path
) -> None:
    finding = findings(analysed, author)[0]
    contest(packet, author, finding, "Misread.")
    analysed.replace_names(tmp_path / "apart.names")
    taken = analysed.personal_files.take_back(sent(packet, tmp_path))
    assert (taken.new, taken.refused) == (1, ())
    assert taken.hand_out.person in analysed.authors()
    assert taken.hand_out.person != author


# --- what is refused


def rewritten(packet: Path, file: Path, **changes: object) -> Path:
    """The file as whoever has the key could write it."""
    with Workspace.open(packet, OWN, read_only=True) as opened:
        key = bytes.fromhex(opened.get_meta(CONTEST_KEY) or "")
    whole = json.loads(unseal(file, SEALED_CONTESTS, key)) | changes
    seal(file, SEALED_CONTESTS, key, json.dumps(whole).encode())
    return file


def test_a_contest_of_somebody_elses_finding_or_another_file_is_refused(
    analysed: Department, author: str, packet: Path, tmp_path: Path
) -> None:
    other = next(a for a in analysed.authors() if a != author)
    contest(packet, author, findings(analysed, author)[0], "Misread.")
    file = sent(packet, tmp_path)
    xray_id, topic, phrase = findings(analysed, other)[0]
    said = {"xray_id": xray_id, "topic": topic, "phrase": phrase, "note": "x", "at": "2026-01-01T00:00:00+00:00"}
    taken = analysed.personal_files.take_back(rewritten(packet, file, contests=[said]))
    assert (taken.new, [r.report for r in taken.refused]) == (0, [xray_id])
    with pytest.raises(InputError, match="another personal file"):
        analysed.personal_files.take_back(rewritten(packet, file, hand_out="0" * 32))
    assert notes(analysed) == {}


@pytest.mark.parametrize(
    "contests",
    [None, 5, ["x"], [{}], [{"xray_id": 1}],
     [{"xray_id": "a", "topic": "b", "phrase": "c", "note": 7, "at": "2026-01-01T00:00:00+00:00"}],
     [{"xray_id": "a", "topic": "b", "phrase": "c", "note": None, "at": "2026-01-01T00:00:00"}],
     [{"xray_id": "a", "topic": "b", "phrase": "c", "note": "", "at": "soon"}]],
)  # fmt: skip
def test_other_content_than_radcal_writes_is_refused(
    analysed: Department, author: str, packet: Path, tmp_path: Path, contests: object
) -> None:
    contest(packet, author, findings(analysed, author)[0], "Misread.")
    file = rewritten(packet, sent(packet, tmp_path), contests=contests)
    with pytest.raises(InputError, match="does not hold contests"):
        analysed.personal_files.take_back(file)
    with pytest.raises(InputError, match="newer RadCal"):
        analysed.personal_files.take_back(rewritten(packet, file, version=3))


def test_a_damaged_a_foreign_and_a_wrong_file_are_told_apart(
    analysed: Department, author: str, packet: Path, tmp_path: Path
) -> None:
    contest(packet, author, findings(analysed, author)[0], "Misread.")
    file = sent(packet, tmp_path)
    raw = file.read_bytes()
    file.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    with pytest.raises(InputError, match="is damaged"):
        analysed.personal_files.take_back(file)
    seal(file, SEALED_CONTESTS, bytes(32), b"{}")
    with pytest.raises(InputError, match="does not belong to a personal file of this workspace"):
        analysed.personal_files.take_back(file)
    file.write_text("Misread.")
    with pytest.raises(InputError, match="no sealed file"):
        analysed.personal_files.take_back(file)
    assert notes(analysed) == {}


def test_taking_in_is_all_or_nothing_and_needs_a_workspace_open_for_writing(
    analysed: Department, author: str, packet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for finding in findings(analysed, author):
        contest(packet, author, finding, "Misread.")
    file, calls = sent(packet, tmp_path), 0
    add = type(analysed.contests).add

    def failing(*args: object, **more: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise OSError("full")
        add(*args, **more)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(type(analysed.contests), "add", failing)
        with pytest.raises(OSError, match="full"):
            analysed.personal_files.take_back(file)
    assert notes(analysed) == {}
    with (
        open_department(analysed.path, "plum tree in blossom", read_only=True) as reading,
        pytest.raises(NoAccess),
    ):
        reading.personal_files.take_back(file)
    assert analysed.personal_files.take_back(file).new == 3
