"""Texts of stored reports are replaced; the rule that keeps answers is away only meanwhile, and RadCal's afterwards."""

from __future__ import annotations

import json

import pytest

from radcal.findings.records import Extraction
from radcal.findings.storage import save_extractions
from radcal.reports.identifiers import Deidentified, Edit
from radcal.reports.moved_statements import rewrite_texts
from radcal.reports.storage import save_import
from radcal.system.errors import RadcalError
from radcal.workspace import schema
from radcal.workspace.reviews import StoredAction
from radcal.workspace.store import Workspace

KEEPING = "gold_actions_keep_what_they_say"


@pytest.fixture
def filled(ws, make) -> Workspace:
    save_import(
        ws, make.imp({"xray:1": "Likely edema.", "ct:1": "Edema.", "xray:2": "Likely edema.", "ct:2": "Clear."})
    )
    ws.begin_run("rules", "1", "a")
    ids = ws.reports(("report_id",))["report_id"].tolist()
    ws.add_gold_set(ids, drawn="random", seed=3, blind=False, run_id=1)
    ws.add_gold_reader("AB")
    ws.add_gold_actions(1, [StoredAction(f"a{n}", "AB", i, "read", json.dumps({})) for n, i in enumerate(ids)])
    return ws


def _rewrite(ws: Workspace, *report_ids: str) -> int:
    texts = ws.texts_of(report_ids)
    made = [(t, Deidentified("[name]" + t.text[1:], (Edit(0, 1, "[name]", "name"),))) for t in texts]
    return rewrite_texts(ws, made, "reports de-identified")


def _kept(ws: Workspace) -> bool:
    with pytest.raises(RadcalError, match="only added to"):
        ws._db.execute("UPDATE gold_actions SET detail = 'x'")
    return ws.triggers("gold_actions")[KEEPING] == schema.triggers()[KEEPING]


@pytest.mark.parametrize("tampered", ["", "taken out", "changed"])
def test_afterwards_answers_are_kept_by_the_rule_that_radcal_makes(filled, tampered):
    if tampered:
        filled._db.execute(f"DROP TRIGGER {KEEPING}")
    if tampered == "changed":
        filled._db.execute(f"CREATE TRIGGER {KEEPING} BEFORE UPDATE OF seq ON gold_actions BEGIN SELECT 1; END")
    ids = filled.reports(("report_id",))["report_id"].tolist()
    assert _rewrite(filled, *ids) == len(ids)
    assert all(same for _, same in filled.gold_reports(1))
    assert _kept(filled)


def test_the_rule_is_taken_away_once_for_all_texts(filled, monkeypatch):
    ran: list[str] = []
    execute = type(filled._db).execute

    def watched(self, sql, *values):
        ran.append(sql)
        return execute(self, sql, *values)

    monkeypatch.setattr(type(filled._db), "execute", watched)
    ids = filled.reports(("report_id",))["report_id"].tolist()
    assert _rewrite(filled, *ids) > 1
    assert sum("TRIGGER" in sql for sql in ran) == 2


def test_a_failure_leaves_texts_and_rule(filled, monkeypatch):
    before = filled.reports(("text",))["text"].tolist()
    monkeypatch.setattr("radcal.reports.moved_statements._move_answers", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        _rewrite(filled, *filled.reports(("report_id",))["report_id"])
    assert filled.reports(("text",))["text"].tolist() == before
    assert _kept(filled)


def test_decisions_stay_with_what_they_are_about(ws, make):
    save_import(ws, make.imp({"xray:1": "Edema, or so it seems.", "xray:2": "Edema, or so it seems."}))
    run = ws.begin_run("rules", "1", "a")
    finding = make.finding(
        "xray:1", phrase="unread", start=0, end=22, term_start=0, term_end=5, cue_start=-1, cue_end=-1
    )
    save_extractions(ws, run, [Extraction("xray:1", (finding,))])
    ws.decide([("xray:1", finding.pathology, 0, 22, 0, "unread")], "likely")
    before = ws.decisions(run)
    assert before["report_id"].tolist() == ["xray:1", "xray:2"], "they have the same text"
    assert _rewrite(ws, "xray:1") == 1
    after = ws.decisions(run)
    assert after[["report_id", "phrase", "rules"]].values.tolist() == [
        ["xray:1", "likely", "unread"],
        ["xray:2", "likely", "unread"],
    ]
    assert after["end"].tolist() == [22 + len("[name]") - 1, 22]
    assert after["decided_at"].tolist() == before["decided_at"].tolist()
    ws.decide([("xray:2", finding.pathology, 0, 22, 0, "unread")], "")
    assert ws.decisions(run)["report_id"].tolist() == ["xray:1"]
