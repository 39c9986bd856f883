"""Errors of reading from the gold set to the results."""

from __future__ import annotations

from dataclasses import replace

import pytest

from radcal.findings.records import Extraction, Finding
from radcal.findings.report_level import decide
from radcal.findings.storage import save_extractions
from radcal.findings.to_review import to_findings
from radcal.review.records import Draw
from radcal.system.selection import Selection
from radcal.words.records import ABSENT


@pytest.mark.slow
def test_the_confusion_of_the_gold_set_is_carried_on(analysed, read_all, turned):
    before = analysed.analyse()
    assert before.errors is None
    assert before.provenance.reading_errors == (
        "Errors of reading are not carried on: no report was read by people yet; at least 30 X-ray and as many CT "
        "reports are needed."
    )
    read_all(analysed, turned)
    since = analysed.analysis().provenance.reading_errors
    assert since.startswith("Errors of reading are not carried on yet: by now people have read enough reports")
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
            assert p.rate == q.rate
            assert q.read_low <= q.read_rate <= q.read_high
    stored = analysed.groups.reliability(Selection(after.reliabilities[0].author, after.reliabilities[0].topic))
    assert stored == after.reliabilities[0]
    again = analysed.groups.reliability_if(Selection(stored.author, stored.topic), 1.0, 1.0)
    assert [p.read_low for p in again.phrases] == pytest.approx([p.read_low for p in stored.phrases])


def test_they_can_be_stated_alone(analysed, read_all, turned):
    read_all(analysed, turned)
    analysed.save_settings(analysed.settings.changed(reading_errors="stated"))
    made = analysed.analyse()
    assert made.errors is None
    assert "not carried on: the settings say so" in made.provenance.reading_errors


@pytest.mark.parametrize(("size", "why"), [(40, "20 X-ray and 20 CT reports"), (None, "for its difficulty")])
def test_what_is_too_small_or_no_fair_sample_is_not_carried_on(analysed, read_all, monkeypatch, size, why):
    read_all(analysed, size=size or 80)
    if size is None:
        measured = analysed.gold.measured(detail=False)
        monkeypatch.setattr(analysed.gold, "measured", lambda *_, **__: replace(measured, drawn=Draw.WORST_FIRST))
    errors, reason = analysed.gold.reading_errors(analysed.runs.current().run_id)
    assert errors is None
    assert why in reason
    # Results that were made before are told with what has been read since.
    assert why in analysed.analysis().provenance.reading_errors


def test_two_engines_bound_the_errors_where_there_is_no_gold_set(analysed):
    workspace, own = analysed._workspace, analysed.runs.current().run_id
    ids = analysed.runs.paired_ids()
    assert analysed.gold.engines_agree(own) == ""
    said: dict[str, list[Finding]] = {i: [] for i in ids}
    for f in to_findings(workspace.findings(own, ids)):
        said[f.report_id].append(replace(f, phrase=ABSENT) if f.pathology == "pleural effusion" else f)
    other = workspace.begin_run("other", "1", "x")
    save_extractions(workspace, other, [Extraction(i, tuple(fs)) for i, fs in said.items()])
    told = analysed.analyse().provenance.reading_errors
    assert "Rules and other agree on" in told
    assert f"in {len(ids):,} reports" in told
    assert "at least one of the two is wrong" in told
    assert analysed.analysis().provenance.reading_errors == told
