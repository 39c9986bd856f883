"""Review files: what is in them, that answers come back whole and once, and what is refused."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from radcal.department import Department, ReviewFile
from radcal.feedback.file_passphrases import FilePassphrase, PassphraseStore
from radcal.feedback.hand_outs import HandOut
from radcal.feedback.review_files import file_name
from radcal.opening import department_of, open_department, open_workspace
from radcal.reports.identifiers import Deidentified, Edit
from radcal.reports.moved_statements import rewrite_texts
from radcal.reports.records import Modality
from radcal.review.records import Action, GoldReport, Mark, Verdict, new_name
from radcal.review.statements import new_statement
from radcal.system.errors import DataError, InputError
from radcal.system.files import record_to_plain
from radcal.system.kinds import FileKind
from radcal.words.phrases import Lexicon
from radcal.words.records import PRESENT
from radcal.workspace.context import REVIEW_MERGED
from radcal.workspace.database import Database
from radcal.workspace.errors import WorkspaceExists
from radcal.workspace.reviews import StoredAction

Everything = Callable[..., tuple[dict[str, int], str]]
READER = "Ab"  # in no hash, whose letters are all large or all small


@pytest.fixture
def drawn(analysed: Department) -> Department:
    """The department with a gold set of twelve reports."""
    analysed.gold.draw(12)
    return analysed


@pytest.fixture
def handed(drawn: Department, tmp_path: Path) -> HandOut:
    return drawn.review_files.make(READER, tmp_path / "review-ab.radcal")


@contextlib.contextmanager
def reading(handed: HandOut, path: Path | None = None) -> Iterator[ReviewFile]:
    with open_workspace(path or handed.file, handed.key) as opened:
        assert isinstance(opened, ReviewFile)
        yield opened


def added(report: GoldReport, pathology: str = "edema", phrase: str = "likely", *, sentence: int = 0) -> Action:
    name = new_name()
    finding = new_statement(report, sentence, pathology, phrase, (phrase,))
    return Action(name, report.report_id, (Mark(f"reader {name}", Verdict.ADDED, finding),), blind=True)


def finished(report: GoldReport) -> Action:
    return Action(new_name(), report.report_id, (), done=True, blind=True)


def read(handed: HandOut, n: int = 12, *, start: int = 0) -> list[Action]:
    """Find a likely edema in each of some reports, and finish them; what was done."""
    done = []
    with reading(handed) as opened:
        for report in opened.gold.reports()[start : start + n]:
            done += [added(report), finished(report)]
        opened.gold.mark(opened.gold.reader, *done)
    return done


# --- what is in it


def test_it_holds_the_texts_in_order_under_numbers_and_nothing_of_where_they_are_from(
    drawn: Department, tmp_path: Path, everything: Everything
) -> None:
    drawn.gold.begin("Ottoline Reader")
    reports = drawn.gold.reports()
    drawn.gold.mark("Ottoline Reader", *(added(r, "pneumonia") for r in reports))
    frame = drawn._workspace.reports(ids=[r.report_id for r in reports])
    handed = drawn.review_files.make(READER, tmp_path / "review.radcal")
    rows, said = everything(handed.file, handed.key)
    lines = set(said.split("\n"))
    with reading(handed) as opened:
        there = opened.gold.reports()
    assert [r.report_id for r in there] == [str(n) for n in range(1, 13)]
    assert [(r.text, r.modality) for r in there] == [(r.text, r.modality) for r in reports]
    assert all(r.findings is None for r in there)
    for column in ("report_id", "accession", "patient_id", "author", "file", "exam", "site"):
        values = {str(v) for v in frame[column]} - {""}
        assert not values & lines, column
        if column in ("accession", "patient_id", "author"):
            assert [v for v in values if v in said] == []
    for name in (*drawn.authors(), *drawn.pseudonyms().values(), "Ottoline", drawn.path.name):
        assert name not in said
    assert str(drawn._workspace.pseudonym_seed) not in said
    years = {str(time)[:10] for time in frame["exam_time"]}
    assert not any(day in said for day in years)
    filled = {table for table, n in rows.items() if n}
    assert filled == {
        "meta", "imports", "texts", "reports", "runs", "gold_sets", "gold_reports", "gold_readers", "results", "audit",
        "sqlite_sequence",
    }  # fmt: skip
    with contextlib.closing(Database(handed.file, handed.key, read_only=True)) as database:
        assert {kind for (kind,) in database.execute("SELECT kind FROM results")} == {"words to read by"}
        assert {user for (user,) in database.execute("SELECT user FROM audit")} == {""}
        blanks = database.execute(
            "SELECT DISTINCT accession, patient_id, exam, exam_time, author, author_rule, status, file, row, site, "
            "age, study_uid FROM reports"
        )
        assert blanks == [("", "", "", 0, "", "", "", "", 0, "", -1, "")]


def test_names_and_numbers_within_a_text_are_covered_and_nothing_moves(
    drawn: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, everything: Everything
) -> None:
    author = drawn.authors()[0]
    last, first = author.split(", ")
    reports = drawn.gold.reports()
    accession = str(drawn._workspace.reports(("accession",), [reports[0].report_id])["accession"][0])
    uid = "1.2.840.99.4711"
    drawn._workspace._db.execute("UPDATE reports SET study_uid = ?", (uid,))
    tail = f"\nSigned by Dr. {last}. {first} {last}, {author}. Accession {accession}. Study {uid}."
    drawn._workspace._db.execute(
        "UPDATE texts SET text = text || ? WHERE text_id = (SELECT text_id FROM reports WHERE report_id = ?)",
        (tail, reports[0].report_id),
    )
    handed = drawn.review_files.make(READER, tmp_path / "review.radcal")
    _, said = everything(handed.file, handed.key)
    assert not any(part in said for part in (last, f"{first} {last}", accession, uid))
    with reading(handed) as opened:
        text = opened.gold.reports()[0].text
    assert text.startswith(reports[0].text)
    assert len(text) == len(reports[0].text + tail)
    assert "Signed by Dr. ____" in text
    read(handed, 1)
    drawn._workspace._db.execute(  # the draw remembers the hash of the whole text
        "UPDATE gold_reports SET hash = (SELECT hash FROM texts JOIN reports USING (text_id) "
        "WHERE reports.report_id = gold_reports.report_id)"
    )
    assert drawn.review_files.take_back(handed.file).new == 2


def test_words_of_the_department_go_along(drawn: Department, tmp_path: Path, everything: Everything) -> None:
    words = drawn.lexicon
    changed = tuple(replace(p, alpha=p.alpha * 1.1) if p.name == "likely" else p for p in words.phrases)
    drawn.words.save(Lexicon(changed, words.name), what="as agreed with Wilhelmina")
    handed = drawn.review_files.make(READER, tmp_path / "review.radcal")
    with reading(handed) as opened:
        assert opened.gold.phrases() == drawn.gold.phrases()
        assert opened.gold.pathologies() == drawn.gold.pathologies()
        assert opened.gold.synonyms() == {k: tuple(v) for k, v in drawn.gold.synonyms().items()}
        assert (opened.gold.reader, opened.gold.blind, opened.gold.readers()) == (READER, True, (READER,))
        assert opened.kind is FileKind.REVIEW
        assert not opened.read_only
        with pytest.raises(InputError, match="review file"):
            department_of(opened)
    assert "Wilhelmina" not in everything(handed.file, handed.key)[1]


def test_in_sight_it_has_the_findings_without_their_probabilities(drawn: Department, tmp_path: Path) -> None:
    handed = drawn.review_files.make(READER, tmp_path / "review.radcal", blind=False)
    with reading(handed) as opened:
        there, here = opened.gold.reports(), drawn.gold.reports()
        assert not opened.gold.blind
        for seen, own in zip(there, here, strict=True):
            bare = [replace(f, report_id=seen.report_id, engine="", probability=None) for f in own.findings or ()]
            assert list(seen.findings or ()) == bare
        accepted = [
            Action(new_name(), r.report_id, (Mark("engine 0", Verdict.ACCEPTED, r.findings[0]),), done=True, blind=True)
            for r in there
            if r.findings
        ]
        opened.gold.mark(READER, *accepted)
    merged = drawn.review_files.take_back(handed.file)
    assert merged.new == len(accepted) > 0
    assert merged.refused == ()
    assert all(a.in_sight for a in drawn.gold.answers(READER).values())  # whatever the file says of itself


def test_what_is_handed_out_is_in_the_log(drawn: Department, handed: HandOut) -> None:
    assert handed.file.exists()
    assert "handed out review file to reader 1" in drawn._workspace.audit()["what"].tolist()


def test_what_cannot_be_made_says_why(drawn: Department, handed: HandOut, tmp_path: Path) -> None:
    before = handed.file.read_bytes()
    with pytest.raises(WorkspaceExists):
        drawn.review_files.make("CD", handed.file)
    assert handed.file.read_bytes() == before
    with pytest.raises(InputError, match="no gold set 7"):
        drawn.review_files.make("CD", tmp_path / "x.radcal", gold_set=7)
    with pytest.raises(DataError, match="needs a name"):
        drawn.review_files.make("  ", tmp_path / "x.radcal")
    assert [h.person for h in drawn.review_files.handed_out()] == [READER]
    with (
        open_department(drawn.path, "plum tree in blossom", read_only=True) as other,
        pytest.raises(InputError, match="reading only"),
    ):
        other.review_files.make("CD", tmp_path / "x.radcal")
    assert not (tmp_path / "x.radcal").exists()


@pytest.mark.parametrize("where", ["copy_words", "_fill_reports"])
def test_a_failure_while_writing_leaves_neither_file_nor_passphrase(
    drawn: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("full")

    monkeypatch.setattr(f"radcal.feedback.review_files.{where}", full)
    with pytest.raises(OSError, match="full"):
        drawn.review_files.make(READER, tmp_path / "x.radcal")
    assert [p.name for p in tmp_path.iterdir() if "x.radcal" in p.name] == []
    assert drawn.review_files.handed_out() == ()


# --- what comes back


def test_answers_come_back_under_their_reader_blind_and_once(drawn: Department, handed: HandOut) -> None:
    read(handed)
    merged = drawn.review_files.take_back(handed.file)
    assert (merged.hand_out.person, merged.finished, len(merged.hand_out.reports), merged.new, merged.turned) == (
        READER,
        12,
        12,
        24,
        0,
    )
    assert (merged.both, merged.refused, merged.is_current) == ((), (), True)
    answers = drawn.gold.answers(READER)
    assert list(answers) == [r.report_id for r in drawn.gold.reports()]
    for report in drawn.gold.reports():
        own = answers[report.report_id]
        [statement] = own.statements
        assert own.done
        assert not own.in_sight
        assert statement.report_id == report.report_id
        assert statement.sentence == report.text[statement.start : statement.end]
    assert drawn.gold.gold().in_sight == frozenset()
    state, log = drawn._workspace.gold_state(), drawn._workspace.audit()
    assert log["what"].iloc[-1] == "review file merged"
    assert json.loads(log["counts"].iloc[-1]) == {"new": 24, "turned": 0, "not_merged": 0}
    again = drawn.review_files.take_back(handed.file)
    assert not again.changed
    assert drawn._workspace.gold_state() == state
    [kept] = drawn.review_files.handed_out()
    assert kept.returned
    action, _ = drawn.gold.actions(READER)[0]
    assert (action.apart, action.taken_in) == (kept.number, kept.returned)
    # The version before numbered what was merged.
    drawn._workspace.save_result(REVIEW_MERGED, f"{kept.number} 000003", {"at": "2099-01-01T00:00:00+00:00"}, {})
    assert drawn.review_files.handed_out()[0].returned == "2099-01-01T00:00:00+00:00"


def test_what_is_changed_after_finishing_is_blind_still_for_the_file_has_no_findings(
    drawn: Department, handed: HandOut
) -> None:
    read(handed, 1)
    with reading(handed) as opened:
        report = opened.gold.reports()[0]
        reopened = Action(new_name(), report.report_id, (), done=False, blind=True)
        opened.gold.mark(READER, reopened, added(report, "pneumonia"), finished(report))
    drawn.review_files.take_back(handed.file)
    [answers] = drawn.gold.answers(READER).values()
    assert answers.done
    assert not answers.in_sight
    assert len(answers.statements) == 2


def test_undoing_travels_and_an_older_copy_takes_nothing_back(drawn: Department, handed: HandOut) -> None:
    done = read(handed, 2)
    old = shutil.copy(handed.file, handed.file.with_name("older.radcal"))
    with reading(handed) as opened:
        opened.gold.undo(done[0].name)
        opened.gold.undo(done[2].name)
        opened.gold.redo(done[2].name)
    first = drawn.review_files.take_back(old)
    assert (first.new, first.turned) == (4, 0)
    second = drawn.review_files.take_back(handed.file)
    assert (second.new, second.turned) == (0, 1)
    undone = {action.name for action, gone in drawn.gold.actions(READER) if gone}
    assert undone == {done[0].name}
    assert not drawn.review_files.take_back(old).changed
    assert {action.name for action, gone in drawn.gold.actions(READER) if gone} == undone
    drawn.gold.redo(done[0].name)  # here, and later
    assert not drawn.review_files.take_back(handed.file).changed
    with reading(handed) as opened:
        opened.gold.redo(done[0].name)
        opened.gold.undo(done[0].name)
    assert drawn.review_files.take_back(handed.file).turned == 1


def test_only_what_is_new_is_added_and_in_any_order_the_same_comes_of_it(
    drawn: Department, handed: HandOut, tmp_path: Path
) -> None:
    read(handed, 3)
    early = shutil.copy(handed.file, tmp_path / "early.radcal")
    read(handed, 4, start=3)
    other = shutil.copy(drawn.path, tmp_path / "other.radcal")
    assert drawn.review_files.take_back(early).new == 6
    assert drawn.review_files.take_back(handed.file).new == 8
    with open_department(other, "plum tree in blossom") as second:
        assert second.review_files.take_back(handed.file).new == 14
        assert second.review_files.take_back(early).new == 0
        assert second.gold.answers(READER) == drawn.gold.answers(READER)


def test_files_of_several_readers_are_kept_apart(drawn: Department, handed: HandOut, tmp_path: Path) -> None:
    other = drawn.review_files.make("CD", tmp_path / "review-cd.radcal")
    read(handed, 5)
    read(other, 3)
    assert drawn.review_files.take_back(other.file).hand_out.person == "CD"
    assert drawn.review_files.take_back(handed.file).hand_out.person == READER
    assert [len(drawn.gold.answers(r)) for r in (READER, "CD")] == [5, 3]
    assert {h.person for h in drawn.review_files.handed_out()} == {READER, "CD"}


def test_who_answered_in_both_places_has_both_by_time_and_the_later_holds(
    drawn: Department, handed: HandOut, monkeypatch: pytest.MonkeyPatch
) -> None:
    from radcal.workspace import reviews

    report, clock = drawn.gold.reports()[0], "10"
    monkeypatch.setattr(reviews, "now", lambda: f"2030-01-01T{clock}:00:00+00:00")
    monkeypatch.setattr("radcal.feedback.review_files.now", lambda: "2030-01-02T00:00:00+00:00")
    with reading(handed) as opened:
        own = opened.gold.reports()[0]
        opened.gold.mark(READER, added(own, "edema", "likely"))
        clock = "11"
        drawn.gold.mark(READER, added(report, "edema", "unlikely"), added(report, "fracture", "unlikely"))
        clock = "12"
        opened.gold.mark(READER, added(own, "fracture", PRESENT), finished(own))
    merged = drawn.review_files.take_back(handed.file)
    assert merged.both == ("1",)
    assert [a.marks[0].finding.phrase if a.marks else "" for a, _ in drawn.gold.actions(READER)] == [
        "likely", "unlikely", "unlikely", PRESENT, "",
    ]  # fmt: skip
    [answers] = drawn.gold.answers(READER).values()
    assert {(s.pathology, s.phrase) for s in answers.statements} == {("edema", "unlikely"), ("fracture", PRESENT)}


def test_a_set_that_is_not_the_latest_any_more_still_takes_its_answers(drawn: Department, handed: HandOut) -> None:
    read(handed, 2)
    drawn.gold.draw(5, seed=3)
    merged = drawn.review_files.take_back(handed.file)
    assert (merged.hand_out.gold_set, merged.is_current, merged.new) == (1, False, 4)
    assert drawn.gold.answers(READER) == {}
    later = drawn.review_files.make(READER, handed.file.with_name("first.radcal"), gold_set=1)
    assert (later.gold_set, len(later.reports)) == (1, 12)


# --- what is refused


@pytest.mark.parametrize("how", ["another text", "rewritten in place"])
def test_a_report_with_another_text_is_listed_and_the_others_are_taken(
    drawn: Department, handed: HandOut, how: str
) -> None:
    read(handed, 3)
    changed = drawn.gold.reports()[1].report_id
    if how == "rewritten in place":
        rewritten(drawn, changed, "Edema is likely. Read by [name]. Nothing of the former text is here any more.")
        assert dict(drawn._workspace.gold_reports(1))[changed]  # the set goes along with the new text
    else:
        drawn._workspace._db.execute(
            "UPDATE reports SET text_id = (SELECT text_id FROM reports WHERE report_id = ?) WHERE report_id = ?",
            (drawn.gold.reports()[2].report_id, changed),
        )
    merged = drawn.review_files.take_back(handed.file)
    [left_out] = merged.refused
    assert (left_out.report, left_out.n) == ("2", 2)
    assert "has changed since" in left_out.reason
    assert merged.new == 4


def test_a_file_of_another_workspace_or_none_is_refused(
    drawn: Department, handed: HandOut, opened: Callable[[str], Department], tmp_path: Path
) -> None:
    stranger = opened("stranger")
    with pytest.raises(InputError, match="no review file that this workspace handed out"):
        stranger.review_files.take_back(handed.file)
    with pytest.raises(InputError, match="no review file that this workspace handed out"):
        drawn.review_files.take_back(stranger.path)
    text = tmp_path / "text.radcal"
    text.write_text("Nothing of the kind." * 500)
    with pytest.raises(InputError):
        drawn.review_files.take_back(text)
    with pytest.raises(InputError):
        drawn.review_files.take_back(tmp_path / "missing.radcal")
    raw = bytearray(handed.file.read_bytes())
    raw[len(raw) // 2 : len(raw) // 2 + 64] = bytes(64)
    torn = tmp_path / "torn.radcal"
    torn.write_bytes(raw)
    before = drawn._workspace.gold_state()
    with contextlib.suppress(InputError):  # the damaged page may be one that is not read
        drawn.review_files.take_back(torn)
    assert drawn._workspace.gold_state() == before


def rewritten(department: Department, report_id: str, text: str) -> None:
    """Replace the text of a report in place, as de-identification does."""
    made = [
        (old, Deidentified(text, (Edit(0, len(old.text), text, "name"),)))
        for old in department._workspace.texts_of([report_id])
    ]
    rewrite_texts(department._workspace, made, "texts rewritten")


def test_names_in_texts_are_filled_in_where_the_workspace_has_pseudonyms_alone(
    drawn: Department, tmp_path: Path
) -> None:
    last, first = drawn.authors()[0].split(", ")
    report = drawn.gold.reports()[0].report_id
    rewritten(drawn, report, f"Edema is likely. Discussed with {first} {last}. Seen by QA.")
    drawn.replace_names(tmp_path / "apart.names")
    handed = drawn.review_files.make(READER, tmp_path / "review.radcal")
    with reading(handed) as opened:
        text = opened.gold.reports()[0].text
    assert "Discussed with _" in text
    assert last not in text
    assert first not in text


def test_no_passphrase_is_left_of_a_file_that_could_not_be_made(drawn: Department, handed: HandOut) -> None:
    out, kept = handed.file, []

    class Keeper(PassphraseStore):
        def _store(self, entry: FilePassphrase) -> Callable[[], None]:
            assert not unwritten.exists()  # on the disk before the file is complete
            kept.append(entry)
            return kept.clear

    unwritten = out.with_name("never.radcal")
    with pytest.raises(WorkspaceExists):
        drawn.review_files.make("CD", out, keeper=Keeper())
    assert kept == []
    unwritten = out.with_name("review-cd.radcal")
    made = drawn.review_files.make("CD", unwritten, keeper=Keeper())
    assert kept == [FilePassphrase("CD", unwritten, made.key)]


def test_the_usual_name_spells_out_what_a_name_of_a_file_cannot_have() -> None:
    assert file_name("Dr. M\u00fcller") == "review-dr-mueller.radcal"


def tampered(report: GoldReport, how: str) -> StoredAction:
    action = added(report)
    [mark] = action.marks
    f = mark.finding
    changes: dict[str, Any] = {
        "beyond the text": replace(mark, finding=replace(f, end=len(report.text) + 5)),
        "before the text": replace(mark, finding=replace(f, term_start=-7)),
        "a foreign phrase": replace(mark, finding=replace(f, phrase="presumbly")),
        "no pathology": replace(mark, finding=replace(f, pathology=" ")),
        "lines in a name": replace(mark, finding=replace(f, pathology="a\nb")),
        "an engine's key": replace(mark, key="engine 1"),
    }
    detail = record_to_plain(replace(action, marks=(changes.get(how, mark),)))
    report_id = "99" if how == "a report of no set" else report.report_id
    text = "{" if how == "no JSON" else "[" * 5000 if how == "nesting" else json.dumps(detail)
    if how == "numbers as words":
        detail["marks"][0]["finding"]["start"] = "here"
        text = json.dumps(detail)
    name = {"another name": new_name(), "a name of our own": "a name"}.get(how, action.name)
    return StoredAction(name, READER, report_id, "read", text)


HOW = [
    "beyond the text", "before the text", "a foreign phrase", "no pathology", "lines in a name", "an engine's key",
    "no JSON", "nesting", "numbers as words", "another name", "a name of our own",
]  # fmt: skip


@pytest.mark.parametrize("how", HOW)
def test_what_reading_cannot_have_given_is_listed(drawn: Department, handed: HandOut, how: str) -> None:
    read(handed, 1)
    with reading(handed) as opened:
        stored = tampered(opened.gold.reports()[1], how)
        opened._workspace.add_gold_actions(1, [stored])
    merged = drawn.review_files.take_back(handed.file)
    assert merged.new == 2
    assert [(n.report, n.n) for n in merged.refused] == [("2", 1)]


def test_a_text_changed_in_the_file_and_actions_of_others_are_not_taken(drawn: Department, handed: HandOut) -> None:
    first = drawn.gold.reports()[0]
    drawn.gold.begin("Ottoline")
    theirs = added(first)
    drawn.gold.mark("Ottoline", theirs)
    read(handed, 2)
    with reading(handed) as opened:
        workspace, report = opened._workspace, opened.gold.reports()[0]
        copied = replace(theirs, report_id=report.report_id)
        workspace.add_gold_actions(
            1, [StoredAction(theirs.name, READER, report.report_id, "read", json.dumps(record_to_plain(copied)))]
        )
        opened.gold.undo(theirs.name)  # would undo what somebody else said
        workspace._db.execute(
            "UPDATE texts SET text = 'Edema.' WHERE text_id = (SELECT text_id FROM reports WHERE report_id = '2')"
        )
    merged = drawn.review_files.take_back(handed.file)
    assert [(n.report, n.n) for n in merged.refused] == [("2", 2)]
    assert "not the one that was handed out" in merged.refused[0].reason
    assert merged.new == 2
    assert [undone for _, undone in drawn.gold.actions("Ottoline")] == [False]


def test_a_failure_while_merging_leaves_everything_as_it_was(
    drawn: Department, handed: HandOut, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(handed, 3)
    before, log = drawn._workspace.gold_state(), len(drawn._workspace.audit())

    def full(*_: object) -> None:
        raise OSError("full")

    with monkeypatch.context() as patch:
        patch.setattr(type(drawn._workspace), "set_gold_turns", full)
        with pytest.raises(OSError, match="full"):
            drawn.review_files.take_back(handed.file)
    assert drawn._workspace.gold_state() == before
    assert len(drawn._workspace.audit()) == log
    assert drawn.review_files.take_back(handed.file).new == 6


def test_the_modality_is_that_which_engines_are_told(drawn: Department, handed: HandOut) -> None:
    with reading(handed) as opened:
        assert {r.modality for r in opened.gold.reports()} == {Modality.XRAY, Modality.CT}
