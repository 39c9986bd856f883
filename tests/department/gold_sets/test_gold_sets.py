"""Gold sets on a small made-up department: drawn, read, agreed on, measured, written and read back."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from radcal.findings.records import Extraction, Finding
from radcal.findings.run_records import RunKey
from radcal.findings.storage import save_extractions
from radcal.findings.to_review import to_findings
from radcal.opening import open_department as open_
from radcal.reports.records import Import, Section
from radcal.reports.storage import save_import
from radcal.reports.table import rejected_frame
from radcal.review.records import Action, Decision, Draw, Mark, Verdict, new_name
from radcal.system.errors import DataError, InputError
from radcal.words.records import ABSENT, PRESENT


def finding(report: str, pathology: str = "edema", phrase: str = "likely", start: int = 0) -> Finding:
    return Finding(report, pathology, phrase, phrase, "Likely edema.", Section.FINDINGS, start, start + 13, 7, 12, 0, 6)


def mark(f: Finding, verdict: Verdict = Verdict.ADDED, key: str = "") -> Mark:
    return Mark(key or f"{f.pathology} {f.phrase} {f.start}", verdict, f)


def read_all(department, reader: str, *, upto: int | None = None, change=lambda f: f, blind=True) -> None:
    """Accept what the engine found in every report, after ``change``; nothing where that gives None."""
    department.gold.begin(reader)
    read = department.gold.answers(reader)
    for report in department.gold.reports()[:upto]:
        if report.report_id in read:
            continue
        said = [(i, change(f)) for i, f in enumerate(report.findings)]
        marks = [Mark(f"engine {i}", Verdict.ACCEPTED, f) for i, f in said if f is not None]
        department.gold.mark(reader, Action(new_name(), report.report_id, tuple(marks), done=True, blind=blind))


def written(department, folder: Path) -> tuple[Path, Path]:
    """The gold, and what the engine found in its reports, as files for ``radcal gold``."""
    gold, findings = folder / "gold.tsv", folder / "findings.csv"
    gold.write_text(department.gold.export_text(), encoding="utf-8")
    lines = [
        f"{department.exports.numbers()(f.report_id)},{f.pathology},{f.phrase}"
        for r in department.gold.reports()
        for f in r.findings
    ]
    findings.write_text("\n".join(["report_id,pathology,phrase", *lines]))
    return gold, findings


# --- drawing ---


def test_a_random_set_is_drawn_by_its_seed_from_both_kinds_of_report(analysed):
    gold = analysed.gold.draw(40, seed=5)
    assert (gold.drawn, gold.seed, gold.engine, gold.number) == (Draw.RANDOM, 5, "rules", 1)
    assert Counter(i.split(":")[0] for i in gold.report_ids) == {"xray": 20, "ct": 20}
    assert len(set(gold.report_ids)) == 40
    again, other = analysed.gold.draw(40, seed=5), analysed.gold.draw(40, seed=6)
    assert again.report_ids == gold.report_ids
    assert set(other.report_ids) != set(gold.report_ids)
    assert analysed.gold.current() == other
    texts = [r.text for r in analysed.gold.reports()]
    assert len(set(texts)) == 40


def test_the_reports_come_with_their_sentences_and_the_engines_findings(analysed):
    analysed.gold.draw(20)
    for report in analysed.gold.reports():
        assert not report.changed
        assert all(report.text[s.start : s.end] == s.text for s in report.sentences)
        for f in report.findings:
            assert f.report_id == report.report_id
            assert (f.start, f.end) in {(s.start, s.end) for s in report.sentences}


def test_more_than_there_are_is_all_that_there_are(analysed):
    pairs = analysed._workspace.pairs()
    gold = analysed.gold.draw(10_000)
    distinct = analysed._workspace.distinct_texts([*pairs["xray_id"], *pairs["ct_id"]])
    assert sorted(gold.report_ids) == sorted(distinct)


def test_reports_that_no_engine_has_read_cannot_be_drawn(filled):
    assert filled.gold.missing() == "findings"
    with pytest.raises(DataError, match="no reports to draw from"):
        filled.gold.draw(5)


def test_an_empty_workspace_misses_pairs(department):
    assert department.gold.missing() == "pairs"


def test_what_cannot_be_drawn_is_refused(analysed):
    assert analysed.gold.missing() == ""
    with pytest.raises(InputError, match="at least one"):
        analysed.gold.draw(0)
    with pytest.raises(DataError, match="no other engine"):
        analysed.gold.draw(5, order=Draw.WORST_FIRST)
    assert analysed.gold.current() is None
    with pytest.raises(DataError, match="no gold set"):
        analysed.gold.reports()


def test_worst_first_takes_what_another_engine_reads_otherwise(analysed):
    """Another engine that turns present into absent in two reports and leaves out a statement of a third."""
    workspace = analysed._workspace
    own = analysed.runs.current().run_id
    pairs = workspace.pairs()
    ids = [*pairs["xray_id"], *pairs["ct_id"]]
    said: dict[str, list[Finding]] = {i: [] for i in ids}
    for f in to_findings(workspace.findings(own, ids)):
        said[f.report_id].append(f)
    wrong = [i for i in workspace.distinct_texts(ids) if any(f.phrase == PRESENT for f in said[i])][:3]
    for i in wrong[:2]:
        k = next(k for k, f in enumerate(said[i]) if f.phrase == PRESENT)
        said[i][k] = replace(said[i][k], phrase=ABSENT)
    said[wrong[2]].pop()
    other = workspace.begin_run("other", "1", "x")
    save_extractions(workspace, other, [Extraction(i, tuple(fs)) for i, fs in said.items()])
    gold = analysed.gold.draw(3, order=Draw.WORST_FIRST)
    assert set(gold.report_ids[:2]) == set(wrong[:2])
    assert gold.report_ids[2] == wrong[2]
    read_all(analysed, "AB")
    assert not analysed.gold.measured().representative


def test_worst_first_with_the_rules_alone_takes_what_they_did_not_understand(analysed, monkeypatch):
    workspace, findings = analysed._workspace, analysed._workspace.findings
    pairs = workspace.pairs()
    doubtful = workspace.distinct_texts([*pairs["xray_id"], *pairs["ct_id"]])[5]

    def not_understood(*asked):
        table = findings(*asked)
        first = table.index[table["report_id"] == doubtful][0]
        table.loc[first, ["phrase", "verbatim"]] = ["unread", "guess"]
        return table

    monkeypatch.setattr(workspace, "findings", not_understood)
    assert analysed.gold.draw(1, order=Draw.WORST_FIRST).report_ids == (doubtful,)


def test_the_worst_of_a_language_model_are_those_that_the_rules_read_otherwise(analysed, monkeypatch):
    """Where another engine is on show, the rules are its second opinion."""
    workspace = analysed._workspace
    pairs = workspace.pairs()
    ids = [*pairs["xray_id"], *pairs["ct_id"]]
    other = workspace.begin_run("llama", "1", "x")
    save_extractions(workspace, other, [Extraction(i, ()) for i in ids])
    monkeypatch.setattr(analysed.runs, "current", lambda: RunKey(other, "llama", "1", "x"))
    own = analysed.runs.own()
    findings = workspace.findings

    def one_missed(run, *asked):
        table = findings(run, *asked)
        return table[table["report_id"] == ids[7]] if run == own else table

    monkeypatch.setattr(workspace, "findings", one_missed)
    assert analysed.gold.draw(2, order=Draw.WORST_FIRST).report_ids[0] == ids[7]


# --- answers ---


def test_what_readers_do_is_kept_at_once_and_each_reader_for_themselves(analysed, make):
    analysed.gold.draw(4)
    first, second = analysed.gold.reports()[:2]
    gold = analysed.gold
    assert (gold.begin(" AB "), gold.begin("CD"), gold.begin("ab")) == ("AB", "CD", "AB")
    f = finding(first.report_id)
    a = Action(new_name(), first.report_id, (mark(f),))
    gold.mark("AB", a, Action(new_name(), second.report_id, done=True))
    gold.mark("AB", a)  # once is enough
    path = analysed.path
    analysed.close()  # as if the power had failed right after
    with open_(path, make.passphrase) as again:
        gold = again.gold
        assert gold.readers() == ("AB", "CD")
        assert gold.actions("AB")[0] == (a, False)
        assert len(gold.actions("AB")) == 2
        assert gold.answers("AB")[first.report_id].statements == (f,)
        assert gold.answers("CD") == {}
        gold.undo(a.name)
        assert gold.answers("AB")[first.report_id].statements == ()
        gold.redo(a.name)
        assert gold.answers("AB")[first.report_id].statements == (f,)
    with open_(path, make.passphrase, read_only=True) as looking:
        assert looking.gold.answers("AB")[first.report_id].statements == (f,)


# --- figures ---


def test_an_engine_that_is_always_right(analysed):
    analysed.gold.draw(40)
    assert analysed.gold.measured() is None
    read_all(analysed, "AB", upto=29)
    assert analysed.gold.accuracy() == ""  # too few to stand for the engine
    read_all(analysed, "AB")
    m = analysed.gold.measured()
    assert (m.reports, m.size, m.unread, m.waiting) == (40, 40, 0, 0)
    assert [g.f1 for g in m.grains] == [1.0, 1.0, 1.0]
    overall = m.overall  # a perfect score has an interval, too: that of precision and recall, which are alike here
    assert overall.f1_low == pytest.approx(overall.precision_low) == pytest.approx(overall.recall_low)
    assert 0.9 < overall.f1_low < overall.f1_high == 1.0
    assert analysed.gold.accuracy() == f"F1 1.00 ({overall.f1_low:.2f}\u20131.00) on 40 own reports"
    assert sum(s.gold for s in m.phrases) == sum(
        len({(f.report_id, f.pathology, f.phrase) for f in r.findings}) for r in analysed.gold.reports()
    )
    assert all(s.recall == 1.0 and s.recall_low < 1.0 == s.recall_high for s in m.phrases)


def test_precision_and_recall_follow_from_what_readers_changed(analysed):
    """Every tenth statement is removed: precision falls by what was removed, recall stays."""
    analysed.gold.draw(60)
    dice = random.Random(0)  # noqa: S311 - chance that repeats
    read_all(analysed, "AB", change=lambda f: None if dice.random() < 0.1 else f)
    m = analysed.gold.measured()
    found = {(f.report_id, f.pathology) for r in analysed.gold.reports() for f in r.findings}
    kept = {(f.report_id, f.pathology) for f in analysed.gold.gold().statements}
    mention = m.grains[0]
    assert (mention.gold, mention.found, mention.hits) == (len(kept), len(found), len(kept))
    assert mention.precision == pytest.approx(len(kept) / len(found))
    assert mention.recall == 1.0
    assert m.overall.f1_low < m.overall.f1 < m.overall.f1_high
    assert sum(p.gold for p in m.pathologies) == m.overall.gold
    assert analysed.gold.measured() is m  # nothing has changed since
    extra = {(d.report_id, d.pathology) for d in m.differing if not d.gold}
    assert extra >= found - kept
    assert all(d.found for d in m.differing)
    assert analysed.gold.measured(detail=False).differing == ()


def test_what_readers_are_unsure_of_counts_neither_for_nor_against_and_stays_so_in_a_file(command, analysed, tmp_path):
    analysed.gold.draw(40)
    analysed.gold.begin("AB")
    n = 0
    for report in analysed.gold.reports():
        marks = [Mark(f"engine {i}", Verdict.ACCEPTED, f) for i, f in enumerate(report.findings)]
        if marks:
            marks[0] = replace(marks[0], verdict=Verdict.UNSURE)
            n += 1
        analysed.gold.mark("AB", Action(new_name(), report.report_id, tuple(marks), done=True, blind=True))
    m = analysed.gold.measured()
    assert m.unsure == n > 0
    assert m.overall.f1 == 1.0
    left_out, unsure = analysed.gold.gold().left_out, analysed.gold.measured().unsure
    path, findings = written(analysed, tmp_path)
    assert {g["f1"] for g in command("gold", path, findings)["grains"][:3]} == {1.0}
    analysed.gold.import_file(path, "XY")
    assert analysed.gold.gold().left_out == left_out
    assert analysed.gold.measured().unsure == unsure
    assert analysed.gold.measured().overall.f1 == 1.0


def test_an_engine_is_charged_for_what_it_finds_where_nothing_is_stated(command, analysed, tmp_path):
    """In the window, by ``radcal gold``, and by the file read back alike: some reports state nothing."""
    analysed.gold.draw(30)
    analysed.gold.begin("AB")
    with pytest.raises(DataError, match="finished yet"):
        analysed.gold.export_text()
    read = analysed.gold.reports()
    # Of what no report states, the command cannot know that somebody looked for it.
    named = Counter(p for r in read for p in {f.pathology for f in r.findings})
    silent = [r for r in read if all(named[f.pathology] > 6 for f in r.findings)][:6]
    for report in read:
        verdict = Verdict.REMOVED if report in silent else Verdict.ACCEPTED
        marks = [Mark(f"engine {k}", verdict, f) for k, f in enumerate(report.findings)]
        analysed.gold.mark("AB", Action(new_name(), report.report_id, tuple(marks), done=True, blind=True))
    reports = analysed.gold.reports()
    invented = {(f.report_id, f.pathology) for r in silent for f in r.findings}
    found = {(f.report_id, f.pathology) for r in reports for f in r.findings}
    m = analysed.gold.measured()
    assert m.grains[0].precision == pytest.approx(1 - len(invented) / len(found))
    assert m.grains[0].precision < 0.95
    path, findings = written(analysed, tmp_path)
    alone = [r.report_id for r in silent]
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert [cells for cells in lines if len(cells) < 4] == [[analysed.exports.numbers()(i), "blind"] for i in alone]
    by_command = command("gold", path, findings)
    assert by_command["reports"] == m.reports == 30
    for shown, printed in zip(m.grains, by_command["grains"][:3], strict=True):
        assert (shown.name, shown.gold, shown.found, shown.hits, shown.f1) == tuple(
            printed[name] for name in ("grain", "gold", "found", "hits", "f1")
        )
    imported = analysed.gold.import_file(path, "XY")
    assert (imported.gold_set.drawn, imported.reports, imported.missing) == (Draw.IMPORTED, 30, ())
    after = analysed.gold.measured()
    assert [(g.gold, g.found, g.hits) for g in after.grains] == [(g.gold, g.found, g.hits) for g in m.grains]
    assert analysed.gold.export_text() == path.read_text(encoding="utf-8")


def test_a_gold_set_in_which_nothing_is_stated_can_be_written(analysed, tmp_path):
    analysed.gold.draw(3)
    read_all(analysed, "AB", change=lambda f: None)
    path, _ = written(analysed, tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    assert lines == [f"{analysed.exports.numbers()(r.report_id)}\tblind" for r in analysed.gold.reports()]
    assert analysed.gold.import_file(path, "XY").statements == 0
    assert analysed.gold.gold().reports == analysed.gold.current().report_ids


def test_the_own_accuracy_takes_the_place_of_the_published_one(analysed):
    published = analysed.analysis().provenance.extraction_accuracy
    analysed.gold.draw(40)
    read_all(analysed, "AB", upto=29)
    assert analysed.analysis().provenance.extraction_accuracy == published
    read_all(analysed, "AB", upto=31)
    own = analysed.gold.accuracy()
    assert own.endswith("on 31 own reports")
    assert analysed.analysis().provenance.extraction_accuracy == own
    assert analysed.analyse().provenance.extraction_accuracy == own
    author = analysed.authors()[0]
    assert "own reports" in analysed.pages.input(author).provenance.extraction_accuracy
    analysed.gold.draw(40)  # a new set begins at nothing
    assert analysed.analysis().provenance.extraction_accuracy == published


def test_accuracy_read_with_the_answers_in_sight_stands_marked_beside_the_published_one(analysed):
    published = analysed.analysis().provenance.extraction_accuracy
    analysed.gold.draw(40)
    read_all(analysed, "AB", blind=False)
    own = analysed.gold.accuracy()
    assert own.endswith("on 40 own reports, read with the engine\u2019s answers in sight")
    quoted = analysed.analysis().provenance.extraction_accuracy
    assert quoted == (f"{published}; {own}" if published else own)
    assert quoted in analysed.pages.input(analysed.authors()[0]).provenance.extraction_accuracy
    m = analysed.gold.measured()
    answers = sum(len(r.findings) for r in analysed.gold.reports())
    assert (m.in_sight, m.answers, m.accepted) == (40, answers, answers)
    analysed.gold.draw(40)
    read_all(analysed, "AB", upto=30)
    read_all(analysed, "CD", upto=1, blind=False)  # one report that a single reader saw is enough
    assert analysed.gold.accuracy().endswith(
        "on 30 own reports, 1 of them read with the engine\u2019s answers in sight"
    )


def test_a_file_says_which_reports_were_read_blind(command, analysed, tmp_path):
    analysed.gold.draw(4)
    read_all(
        analysed, "AB", upto=3, change=lambda f: f if f.report_id != analysed.gold.reports()[0].report_id else None
    )
    read_all(analysed, "CD", upto=2, change=lambda f: None, blind=False)
    path, findings = written(analysed, tmp_path)
    scored = command("gold", path, findings)
    assert (scored["reports_annotated"], scored["reports_read_blind"]) == (3, 1)
    assert "Read blind: 1 of 3 annotated reports." in scored["text"]
    analysed.gold.import_file(path, "XY")
    assert analysed.gold.gold().in_sight == set(analysed.gold.current().report_ids[:2])


def test_two_readers_who_differ_are_counted_and_decided_between(analysed):
    analysed.gold.draw(30)
    read_all(analysed, "AB")
    read_all(analysed, "CD", change=lambda f: replace(f, phrase=ABSENT) if f.phrase == PRESENT else f)
    gold = analysed.gold
    agreed = gold.agreement("AB", "CD")
    assert agreed.reports == 30
    table = dict(zip(agreed.categories, agreed.table, strict=True))
    assert table[PRESENT][agreed.categories.index(ABSENT)] > 0
    assert table[PRESENT][agreed.categories.index(PRESENT)] == 0
    same = gold.agreement("AB", "AB")
    assert [a.value for a in same.coefficients] == [1.0, 1.0, 1.0]
    assert agreed.coefficients[0].value < agreed.coefficients[0].high < 1.0
    assert sum(a.n for a in agreed.pathologies) == agreed.coefficients[0].n
    disputes = gold.disputes("AB", "CD")
    assert gold.gold().waiting == len(disputes) > 0
    before = gold.measured()
    assert before.waiting == len(disputes)
    gold.begin("EF")
    decisions = [Decision(new_name(), d.report_id, d.pathology, d.first) for d in disputes]
    gold.decide("EF", *decisions)
    assert gold.gold().waiting == 0
    assert gold.measured().overall.f1 == 1.0
    assert all(d.decision for d in gold.disputes("AB", "CD"))
    gold.undo(decisions[0].name)
    assert gold.gold().waiting == 1
    other = Decision(new_name(), disputes[0].report_id, disputes[0].pathology, disputes[0].second)
    gold.decide("EF", other)
    assert gold.decisions()[other.report_id, other.pathology] == other


def test_a_report_whose_text_has_changed_drops_out(analysed):
    first = analysed.gold.draw(30).report_ids[0]
    read_all(analysed, "AB")
    workspace = analysed._workspace
    frame = workspace.reports(ids=[first]).assign(text="IMPRESSION: Clear lungs, in other words.")
    save_import(workspace, Import(frame, rejected_frame([]), 1, {}))
    assert [r.report_id for r in analysed.gold.reports() if r.changed] == [first]
    assert first not in analysed.gold.gold().reports
    assert analysed.gold.measured().reports == 29


# --- files ---


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("nowhere\t1\tedema\tlikely", "None of the 1 reports"),
        ("{}\t1\tedema\tperchance", r"gold\.tsv, line 1: the phrase is not in the list"),
    ],
)
def test_a_file_that_does_not_fit_leaves_everything_as_it_was(analysed, tmp_path, row, why):
    path = tmp_path / "gold.tsv"
    path.write_text(row.format(analysed._workspace.pairs()["ct_id"].iloc[0]))
    with pytest.raises(InputError, match=why):
        analysed.gold.import_file(path, "AB")
    assert analysed.gold.current() is None


def test_reports_that_the_workspace_lacks_are_named(analysed, tmp_path):
    path = tmp_path / "gold.tsv"
    known = analysed._workspace.pairs()["ct_id"].iloc[0]
    path.write_text(f"{known}\t1\tpneumonia\tother\tquery\nelsewhere\t1\tedema\tlikely\n")
    imported = analysed.gold.import_file(path, "AB")
    assert (imported.reports, imported.statements, imported.missing) == (1, 1, ("elsewhere",))
    (f,) = analysed.gold.gold().statements
    assert (f.pathology, f.phrase) == ("infection", "other")


def test_other_engines_are_measured_on_the_same_gold(analysed):
    workspace = analysed._workspace
    gold = analysed.gold
    gold.draw(40)
    read_all(analysed, "AB")
    other = workspace.begin_run("other", "1", "x")
    reports = gold.reports()[:35]
    half = [Extraction(r.report_id, r.findings[: len(r.findings) // 2]) for r in reports]
    save_extractions(workspace, other, half)
    engines = gold.engines()
    assert [(e.engine, e.reports) for e in engines] == [("rules", 40), ("other", 35)]
    m = gold.measured(other)
    assert (m.engine, m.reports, m.unread) == ("other", 35, 5)
    assert (m.grains[0].precision, m.grains[0].recall < 0.8) == (1.0, True)
    assert gold.accuracy(other) != gold.accuracy()
