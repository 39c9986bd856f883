"""Personal files: complete for their radiologist, empty of everybody else, and closed to what is the department's."""

from __future__ import annotations

import contextlib
import getpass
import inspect
import re
import socket
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radcal.advice.stored_analysis import Analysis
from radcal.calibration.analysis_records import AuthorPairs, Provenance
from radcal.calibration.model import SHIPPED
from radcal.calibration.records import EVIDENCE_COLUMNS, OBSERVATION_COLUMNS, Level, Mix, Reliability
from radcal.department import Department, Results
from radcal.feedback import personal_files
from radcal.feedback.records import PageChoice
from radcal.opening import department_of, open_department, open_workspace
from radcal.system.errors import InputError
from radcal.words.phrases import Lexicon
from radcal.workspace.database import Database
from radcal.workspace.errors import NoAccess, WorkspaceExists, WrongPassphrase

Everything = Callable[..., tuple[dict[str, int], str]]
OWN = "own words of hers"


@pytest.fixture
def packet(analysed: Department, author: str, tmp_path: Path) -> Path:
    analysed.pages.keep_choice(author, PageChoice(note="For you alone.", comparison=True))
    analysed.pages.keep_choice(analysed.authors()[1], PageChoice(note="For somebody else."))
    return analysed.personal_files.write(author, tmp_path / "own.radcal", OWN)


def test_nothing_of_another_radiologist_is_in_the_decrypted_file(
    analysed: Department, author: str, packet: Path, ask: Any, everything: Everything
) -> None:
    rows, said = everything(packet)
    [other] = [a for a in analysed.authors() if a != author]
    # That it reads all of the file: the radiologist's own is there.
    own = analysed.groups.evidence(ask(author, analysed.pages.input(author).reliabilities[0].topic))
    assert author in said
    assert own["xray_sentence"].iloc[0] in said
    assert own["xray_id"].iloc[0] in said
    for part in (other, *other.split(", "), analysed.pseudonyms()[other], "For somebody else."):
        assert part not in said
    theirs = [analysed.groups.evidence(ask(other, r.topic)) for r in analysed.pages.input(other).reliabilities]
    ours = {
        i
        for r in analysed.pages.input(author).reliabilities
        for i in analysed.groups.evidence(ask(author, r.topic))["xray_id"]
    }
    ids = {i for frame in theirs for i in (*frame["xray_id"], *frame["ct_id"])}
    assert len(ids) > 20
    lines = set(said.split("\n"))
    assert not ids & lines
    assert not ids & ours
    seed = analysed._workspace.pseudonym_seed
    assert str(seed) not in said
    for table in ("reports", "texts", "pairs", "imports", "rejected", "attrition", "runs", "extractions", "findings"):
        assert rows[table] == 0, table


_TABLES = {"meta", "results", "frames", "frame_columns", "audit", "sqlite_sequence"}
"""Those of a personal file that hold anything."""
_META = {
    "_created", "_cipher", "_pseudonym_seed", "_settings", "_radcal", "personal file of", "pseudonym", "analysis key",
    "files analysed", "number of the hand-out", "key of its contests", "kind of file", "_log",
    "days of cases left out",
    "_contents",  # digests of the rows of this file, under a key of its own
}  # fmt: skip
_RESULTS = {"analysis", "page choice", "contested, left out", "habits", "new cases", "UIDs of studies"}
_OWN_HABITS = {
    "author", "modality", "day", "reports", "searched", "follow_up", "correlation", "read", "hedged", "standard", "due",
    "closed",
}  # fmt: skip
_OBSERVED = {*OBSERVATION_COLUMNS, *EVIDENCE_COLUMNS, "place among all"}


def test_every_table_holds_what_is_listed_here_and_nothing_else(packet: Path, author: str) -> None:
    """Whatever is added to personal files one day is looked at by a person first."""
    with contextlib.closing(Database(packet, OWN, read_only=True)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        filled = {name for name in names if database.execute(f'SELECT 1 FROM "{name}" LIMIT 1')}  # noqa: S608 - the schema's
        assert filled == _TABLES
        assert {key for (key,) in database.execute("SELECT key FROM meta")} == _META
        assert {kind for (kind,) in database.execute("SELECT kind FROM results")} == _RESULTS
        [(audit,)] = database.execute("SELECT count(*) FROM audit")
        assert database.execute("SELECT user, what FROM audit") == [("", "workspace created")]
        assert audit == 1
        frames = {frame for (frame,) in database.execute("SELECT DISTINCT frame FROM frame_columns")}
        assert frames == {f"observations of {author}", "counts by day", "habits by day"}
        columns: dict[str, set[str]] = {frame: set() for frame in frames}
        for frame, name in database.execute("SELECT frame, name FROM frame_columns"):
            columns[frame].add(name)
        assert columns.pop("counts by day") == {"day", "topic", "what", "n"}
        assert columns.pop("habits by day") == _OWN_HABITS
        assert set().union(*columns.values()) <= _OBSERVED


def test_the_study_of_each_own_case_goes_along_and_no_other(
    analysed: Department, author: str, tmp_path: Path, everything: Everything
) -> None:
    """As the accession numbers do, in the names of the reports."""
    analysed._workspace._db.execute("UPDATE reports SET study_uid = '1.2.840.' || (900000 + seq) WHERE seq % 5")
    path = analysed.personal_files.write(author, tmp_path / "own.radcal", OWN)
    own = analysed._workspace.observations_of(author)
    assert own is not None
    ids = sorted({*own["xray_id"], *own["ct_id"]})
    studies = [report.study_uid for report in analysed.cases.reports(ids)]
    assert 0 < studies.count("") < len(ids) < analysed.workspace.count_reports()
    with open_workspace(path, OWN) as results:
        assert [report.study_uid for report in results.cases.reports(ids)] == studies
    assert {*re.findall(r"1\.2\.840\.\d+", everything(path)[1])} == {*studies} - {""}


def test_patients_are_numbered_anew(personal: Results, analysed: Department, author: str) -> None:
    own, of_all = personal._workspace.observations_of(author), analysed._workspace.observations_of(author)
    assert own is not None
    assert of_all is not None
    assert own["patient"].tolist() == pd.factorize(of_all["patient"])[0].tolist()
    assert of_all["patient"].max() >= of_all["patient"].nunique()  # numbers of colleagues' patients lie between


def test_no_table_tells_of_colleagues_accounts_files_or_machines(
    analysed: Department,
    author: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    small: Any,
    ask: Any,
    everything: Everything,
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "zebulon.qa")
    monkeypatch.setattr(socket, "gethostname", lambda: "quality-host-7")
    [other] = [a for a in analysed.authors() if a != author]
    # A department in use: own words by a colleague, a survey, a gold set with readers, an engine in somebody's home.
    words = analysed.lexicon
    changed = tuple(replace(p, alpha=p.alpha * 1.1) if p.name == "likely" else p for p in words.phrases)
    analysed.words.save(Lexicon(changed, words.name), what="as agreed with Wilhelmina")
    analysed.analyse()
    analysed.save_settings(
        analysed.settings.changed(model="/home/zebulon/models/m.gguf", llama_prompts="/home/zebulon/prompts")
    )
    workspace = analysed._workspace
    workspace.add_gold_reader("Ottoline Reader")
    workspace.save_result("survey response", "1", {"who": "Ottoline Answerer"}, {})
    everyone = analysed.analysis()
    assert everyone is not None
    path = analysed.personal_files.write(author, tmp_path / "own.radcal", OWN)
    _, said = everything(path)
    assert author in said  # the whole file is read
    names = {other, *other.split(", "), analysed.pseudonyms()[other]}
    accounts = {"zebulon", "quality-host-7", "Wilhelmina", "Ottoline"}
    files = {small.xray.name, small.ct.name, str(small.xray.parent), analysed.path.name, str(analysed.path.parent)}
    assert [part for part in names | accounts | files if part in said] == []
    # No total of the department: of two radiologists, it and the own number tell the other's.
    totals = {str(everyone.provenance.n_pairs), str(sum(p.n_pairs for p in everyone.pairs))}
    numbers = set(re.findall(r'"n_pairs": (\d+)', said))
    assert numbers == {str(analysed.author_results.analysis(author).provenance.n_pairs)}
    assert not numbers & totals

    def said_of(name: str) -> set[str]:
        evidence = [analysed.groups.evidence(ask(name, r.topic)) for r in analysed.pages.input(name).reliabilities]
        return {s for frame in evidence for s in (*frame["xray_sentence"], *frame["ct_sentence"])}

    sentences, own = said_of(other), said_of(author)  # made-up reports have some sentences in common
    lines = set(said.split("\n"))
    assert len(sentences - own) > 20
    assert not (sentences - own) & lines
    # Nor do the names stand in the file undecrypted, or in files left beside it.
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith(("own", ".own"))) == ["own.radcal"]


def test_no_report_is_in_it_beyond_the_sentences_of_the_evidence(
    analysed: Department, author: str, packet: Path, ask: Any, everything: Everything
) -> None:
    _, said = everything(packet)
    evidence = [analysed.groups.evidence(ask(author, r.topic)) for r in analysed.pages.input(author).reliabilities]
    shown = "\n".join(s for f in evidence for s in (*f["xray_sentence"], *f["ct_sentence"]))
    reports = analysed._workspace.reports(("report_id", "text"))
    unseen = {
        line.strip()
        for text in reports["text"]
        for line in text.split("\n")
        if len(line.strip()) > 25 and line.strip() not in shown
    }
    assert len(unseen) > 50
    assert [line for line in unseen if line in said] == []


def test_results_pages_and_drafts_are_those_of_the_department(
    analysed: Department, author: str, personal: Results, ask: Any
) -> None:
    assert personal.personal == personal.title == author
    assert analysed.personal == ""
    assert personal.authors() == (author,)
    assert personal.read_only
    assert personal.up_to_date
    assert personal.pseudonyms() == {author: analysed.pseudonyms()[author]}
    assert personal.pages.choice(author) == PageChoice(note="For you alone.")  # no other readers to be shown
    choice = PageChoice()
    assert personal.pages.pdf(author, choice) == analysed.pages.pdf(author, choice)
    for r in analysed.pages.input(author).reliabilities:
        ours, own = analysed.groups.evidence(ask(author, r.topic)), personal.groups.evidence(ask(author, r.topic))
        ours, own = (found.drop(columns="patient").astype(str) for found in (ours, own))
        assert ours.equals(own)
    draft = "Likely edema. No pneumothorax. Possible pneumonia."
    assert personal.draft_check.read(draft, author) == analysed.draft_check.read(draft, author)


_OFFERED = {
    "title", "close", "path", "kind", "read_only", "up_to_date", "settings", "lexicon", "phrases", "analysis",
    "authors", "pseudonyms", "pages", "personal", "draft_check", "author_results", "alternatives", "groups", "outlook",
    "contests", "change_passphrase", "backup", "check", "exports", "audit_log", "vocabulary", "cases", "names", "fits",
    "identity", "macros", "habits", "analysis_key", "lexicon_version", "masking", "note", "note_once", "overridden",
    "save_lexicon", "goals", "new_cases",
}  # fmt: skip


def test_what_is_the_departments_is_refused_with_what_to_do(packet: Path, personal: Results, author: str) -> None:
    printed = (
        f"This is a personal file: it holds the results of {author} and nothing else.*Open the department's workspace"
    )
    with pytest.raises(InputError, match=printed):
        department_of(personal)
    with pytest.raises(InputError, match=printed):
        open_department(packet, OWN)


def test_of_everything_that_there_is_it_is_decided_whether_a_personal_file_offers_it(personal: Results) -> None:
    assert not isinstance(personal, Department)
    assert {name for name, _ in inspect.getmembers(Results) if not name.startswith("_")} | {"title"} == _OFFERED


def test_nothing_can_be_written_into_it_by_any_other_way(personal: Results, author: str) -> None:
    with pytest.raises(NoAccess, match="reading only"):
        personal.pages.keep_choice(author, PageChoice())
    with pytest.raises(NoAccess, match="reading only"):
        personal._workspace.set_meta("anything", author)


def test_a_file_that_is_there_is_never_replaced(analysed: Department, author: str, packet: Path) -> None:
    before = packet.read_bytes()
    with pytest.raises(WorkspaceExists):
        analysed.personal_files.write(author, packet, "another of theirs")
    assert packet.read_bytes() == before


def test_it_is_encrypted_under_its_own_passphrase(packet: Path, make: Any, author: str) -> None:
    with pytest.raises(WrongPassphrase):
        open_department(packet, make.passphrase)
    assert author.encode() not in packet.read_bytes()


def test_a_failure_leaves_neither_a_half_file_nor_a_key(
    analysed: Department, author: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("full")

    monkeypatch.setattr("radcal.feedback.personal_files.copy_words", full)
    with pytest.raises(OSError, match="full"):
        analysed.personal_files.write(author, tmp_path / "x.radcal", OWN)
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith("x.")] == []
    assert analysed.personal_files.handed_out() == ()


def test_words_of_the_department_and_own_contests_go_along(
    analysed: Department, author: str, tmp_path: Path, ask: Any, everything: Everything
) -> None:
    words = analysed.lexicon
    changed = tuple(replace(p, alpha=p.alpha * 1.1) if p.name == "likely" else p for p in words.phrases)
    analysed.words.save(Lexicon(changed, words.name))
    analysed.analyse()
    other = next(a for a in analysed.authors() if a != author)
    mine, theirs = (analysed.pages.input(a).reliabilities[0].topic for a in (author, other))
    own = analysed.groups.evidence(ask(author, mine)).iloc[0]
    foreign = analysed.groups.evidence(ask(other, theirs)).iloc[0]
    analysed.contests.add(own["xray_id"], mine, author, own["phrase"], "Misread.")
    analysed.contests.add(foreign["xray_id"], theirs, other, foreign["phrase"], "Not mine.")
    path = analysed.personal_files.write(author, tmp_path / "own.radcal", OWN)
    with open_workspace(path, OWN) as personal:
        assert personal.phrases() == analysed.phrases()
        assert [c.note for c in personal.contests.all()] == ["Misread."]
    assert "Not mine." not in everything(path)[1]


def test_a_personal_file_does_not_tell_how_often_ct_confirmed_what_all_others_said(
    analysed: Department, author: str, tmp_path: Path
) -> None:
    """The mix of outcomes, less one's own, would be the figures of the only other radiologist."""
    path = analysed.personal_files.write(author, tmp_path / "own.radcal", "own words of hers")
    every = analysed.analysis()
    assert every is not None
    assert every.mixes
    with open_workspace(path, "own words of hers") as own:
        made = own.analysis()
        assert made is not None
        assert made.mixes == {}
        assert own.analysis().mixes == {}
        assert made.spread == SHIPPED


def test_a_mix_of_many_is_told_in_shares_to_five_points() -> None:
    mix = Mix(np.array([0.0, 0.4, 1.0]), np.array([1013.0, 37.0, 451.0]))
    groups = [Reliability(f"Dr. {k}", topic, n, ()) for topic, n in (("edema", 50.0), ("mass", 4.0)) for k in range(6)]
    every = SimpleNamespace(reliabilities=tuple(groups))
    pairs = (AuthorPairs("Dr. 0", 9, 0, None, None),)
    made_by = Provenance("rules", "1", "", "", 0, {}, None, None, 9, datetime(2026, 1, 1))
    levels = tuple(Level("Dr. 0", topic, 0.1, 0.0, 0.3, 0.2, 0.0) for topic in ("edema", "mass"))
    spread = replace(SHIPPED, levels=levels, groups=12)
    own = Analysis((groups[0],), (), made_by, pairs, mixes={"edema": mix, "mass": mix}, spread=spread)
    made = personal_files._own_analysis(own, every)
    assert {topic: m.n.tolist() for topic, m in made.mixes.items()} == {"edema": [650.0, 0.0, 300.0]}
    # What few others said of a pathology is not in what is known of it, and what few others are like is not told.
    assert made.spread == replace(spread, levels=levels[:1])
    small = SimpleNamespace(reliabilities=tuple(r for r in groups if r.author != "Dr. 5"))
    assert personal_files._own_analysis(own, small).spread == SHIPPED
