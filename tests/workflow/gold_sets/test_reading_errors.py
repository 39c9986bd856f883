"""Errors of reading from the gold set to the results, and what is withheld because of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from radcal.errors import DataError
from radcal.extract.report_level import decide
from radcal.records import ABSENT, PRESENT, Extraction, Finding, Selection
from radcal.records.gold import Action, Draw, Mark, Verdict, new_name
from radcal.workflow.runs.review import to_findings


def read_all(department, change=lambda f: f, *, size: int = 80) -> None:
    """Finish a gold set in which people read, of what the engine found, what ``change`` makes of it."""
    department.gold.draw(size)
    department.gold.begin("AB")
    for report in department.gold.reports():
        read = [change(f) for f in report.findings]
        marks = tuple(Mark(f"engine {i}", Verdict.CORRECTED, f) for i, f in enumerate(read))
        department.gold.mark("AB", Action(new_name(), report.report_id, marks, done=True, blind=True))


def turned(f: Finding) -> Finding:
    """As if every present effusion had been absent."""
    return replace(f, phrase=ABSENT) if f.phrase == PRESENT and f.pathology == "pleural effusion" else f


def test_the_confusion_of_the_gold_set_is_carried_on(analysed):
    before = analysed.analyse()
    assert before.errors is None
    assert before.provenance.reading_errors == (
        "Errors of reading are not carried on: no gold set was read by people and by this engine."
    )
    read_all(analysed, turned)
    after = analysed.analyse()
    assert (after.errors.xray.reports, after.errors.ct.reports) == (40, 40)
    wrong = after.errors.ct.table[1][3] + after.errors.xray.table[1][3]
    decided = decide(f for r in analysed.gold.reports() for f in r.findings)
    assert wrong == sum(f != turned(f) for f in decided) > 0
    assert sum(map(sum, after.errors.ct.table)) == 40 * len(analysed.gold.pathologies())
    assert after.provenance.reading_errors.startswith("Errors of reading on 40 X-ray and 40 CT reports")
    assert set(after.errors.silence) >= {r.topic for r in after.reliabilities}
    for old, new in zip(before.reliabilities, after.reliabilities, strict=True):
        assert (old.word_error, old.ece) == (new.word_error, new.ece)
        for p, q in zip(old.phrases, new.phrases, strict=True):
            assert (p.rate, p.low, p.high) == (q.rate, q.low, q.high)
            assert q.read_low <= q.read_rate <= q.read_high
            assert q.verdict in (p.verdict, "undecided")
    stored = analysed.groups.reliability(Selection(after.reliabilities[0].author, after.reliabilities[0].topic))
    assert stored == after.reliabilities[0]
    again = analysed.groups.reliability_if(Selection(stored.author, stored.topic), 1.0, 1.0)
    assert [p.read_low for p in again.phrases] == pytest.approx([p.read_low for p in stored.phrases])


def test_they_can_be_stated_alone(analysed):
    read_all(analysed, turned)
    analysed.save_settings(analysed.settings.changed(reading_errors="stated"))
    made = analysed.analyse()
    assert made.errors is None
    assert "not carried on: the settings say so" in made.provenance.reading_errors


@pytest.mark.parametrize(("size", "why"), [(40, "20 X-ray and 20 CT reports"), (None, "for its difficulty")])
def test_what_is_too_small_or_no_fair_sample_is_not_carried_on(analysed, monkeypatch, size, why):
    read_all(analysed, size=size or 80)
    if size is None:
        measured = analysed.gold.measured(detail=False)
        monkeypatch.setattr(analysed.gold, "measured", lambda *_, **__: replace(measured, drawn=Draw.WORST_FIRST))
    errors, reason = analysed.gold.reading_errors(analysed.runs.current().run_id)
    assert errors is None
    assert why in reason


def test_feedback_to_one_radiologist_is_withheld_below_the_least_accuracy(analysed, tmp_path: Path):
    read_all(analysed, turned)
    analysed.analyse()
    author, f1 = analysed.authors()[0], analysed.gold.measured(detail=False).overall.f1
    assert 0.3 < f1 < 1
    analysed.save_settings(analysed.settings.changed(least_accuracy=f1))
    assert analysed.pages.pdf(author)
    analysed.save_settings(analysed.settings.changed(least_accuracy=min(f1 + 0.001, 1)))
    with pytest.raises(DataError, match="withheld: on 80 own reports"):
        analysed.pages.pdf(author)
    with pytest.raises(DataError, match="withheld"):
        analysed.packets.write(author, tmp_path / "one.radcal", "correct horse battery staple")
    assert not (tmp_path / "one.radcal").exists()
    (written,) = analysed.handing_out.write_all(tmp_path, [author])
    assert "withheld" in written.failure
    assert analysed.pages.department_pdf()


def test_without_a_gold_set_nothing_is_withheld(analysed):
    analysed.save_settings(analysed.settings.changed(least_accuracy=1.0))
    assert analysed.pages.withheld() == ""


def test_two_engines_bound_the_errors_where_there_is_no_gold_set(analysed):
    workspace, own = analysed._workspace, analysed.runs.current().run_id
    ids = analysed.runs.paired_ids()
    assert analysed.gold.engines_agree(own) == ""
    said: dict[str, list[Finding]] = {i: [] for i in ids}
    for f in to_findings(workspace.findings(own, ids)):
        said[f.report_id].append(replace(f, phrase=ABSENT) if f.pathology == "pleural effusion" else f)
    other = workspace.begin_run("other", "1", "x")
    workspace.save_extractions(other, [Extraction(i, tuple(fs)) for i, fs in said.items()])
    told = analysed.analyse().provenance.reading_errors
    assert "Rules and other agree on" in told
    assert f"in {len(ids):,} reports" in told
    assert "at least one of the two is wrong" in told
