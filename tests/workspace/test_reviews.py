from __future__ import annotations

import pytest

from radcal.findings.storage import save_extractions
from radcal.reports.storage import save_import
from radcal.system.errors import DataError
from radcal.workspace.reviews import StoredAction, Turn
from radcal.workspace.store import Workspace

TEXTS = {"xray:1": "Likely edema.", "ct:1": "Edema.", "xray:2": "Likely edema.", "ct:2": "Clear."}


@pytest.fixture
def filled(ws, make) -> Workspace:
    save_import(ws, make.imp(TEXTS))
    ws.begin_run("rules", "1", "a")
    return ws


def draw(ws: Workspace, *ids: str) -> int:
    number = ws.add_gold_set(ids or ("ct:1", "xray:1"), drawn="random", seed=3, blind=False, run_id=1)
    ws.add_gold_reader("AB")
    return number


def action(name: str, report: str = "xray:1", reader: str = "AB", kind: str = "read") -> StoredAction:
    return StoredAction(name, reader, report, kind, "{}")


def test_a_gold_set_keeps_its_order_and_how_it_was_drawn(filled, reopen):
    draw(filled)
    again = reopen()
    (gold,) = again.gold_sets()
    assert (gold.set_id, gold.drawn, gold.seed, gold.blind, gold.run_id) == (1, "random", 3, False, 1)
    assert again.gold_reports(1) == [("ct:1", True), ("xray:1", True)]


def test_a_report_is_answered_on_while_something_done_to_it_holds(filled):
    draw(filled)
    filled.add_gold_actions(1, [action("a"), action("b"), action("c", "ct:1")])
    assert filled.gold_marked() == {"xray:1", "ct:1"}
    filled.set_gold_undone(["a", "c"], undone=True)
    assert filled.gold_marked() == {"xray:1"}
    filled.set_gold_undone(["b"], undone=True)
    assert filled.gold_marked() == set()


def test_a_report_whose_text_has_changed_since_is_told_apart(filled, make):
    draw(filled)
    save_import(filled, make.imp({"ct:1": "No edema."}))
    assert filled.gold_reports(1) == [("ct:1", False), ("xray:1", True)]


def test_actions_come_back_in_order_by_reader_with_what_was_undone(filled, reopen):
    draw(filled)
    filled.add_gold_reader(" CD ")
    filled.add_gold_reader("AB")
    filled.add_gold_actions(1, [action("a"), action("b", "ct:1", "CD"), action("c", kind="decide")])
    filled.add_gold_actions(1, [action("b", "ct:1"), action("d", "ct:1")])  # "b" is there already
    filled.set_gold_undone(["a", "b"], undone=True)
    filled.set_gold_undone(["b"], undone=False)
    again = reopen()
    assert again.gold_readers() == ["AB", "CD"]
    assert [(a.action, a.reader, a.undone) for a in again.gold_actions(1, "read")] == [
        ("a", "AB", True),
        ("b", "CD", False),
        ("d", "AB", False),
    ]
    assert [a.action for a in again.gold_actions(1, "read", "CD")] == ["b"]
    assert [a.action for a in again.gold_actions(1, "decide")] == ["c"]


def test_the_state_changes_with_every_change(filled):
    seen = {filled.gold_state()}
    for change in (
        lambda: draw(filled),
        lambda: filled.add_gold_actions(1, [action("a")]),
        lambda: filled.add_gold_actions(1, [action("b")]),
        lambda: filled.set_gold_undone(["a"], undone=True),
        lambda: filled.set_gold_undone(["b"], undone=True),
        lambda: filled.set_gold_undone(["a"], undone=False),
        lambda: draw(filled),
    ):
        change()
        assert filled.gold_state() not in seen
        seen.add(filled.gold_state())


@pytest.mark.parametrize(
    ("ids", "why"),
    [((), "at least one report"), (("ct:1", "ct:1"), "each report once"), (("ct:9",), "not in the workspace")],
)
def test_what_is_no_gold_set_is_refused(filled, ids, why):
    with pytest.raises(DataError, match=why):
        filled.add_gold_set(ids, drawn="random", seed=0, blind=False, run_id=1)
    assert filled.gold_sets() == []


def test_marks_that_fit_no_gold_set_are_refused_whole(filled):
    draw(filled)
    with pytest.raises(DataError, match="does not have a report"):
        filled.add_gold_actions(1, [action("a"), action("b", "xray:2")])
    with pytest.raises(DataError, match="'EF'"):
        filled.add_gold_actions(1, [action("a"), action("b", reader="EF")])
    with pytest.raises(DataError, match="nothing of that name"):
        filled.set_gold_undone(["a"], undone=True)
    with pytest.raises(DataError, match="name or initials"):
        filled.add_gold_reader("  ")
    assert filled.gold_actions(1, "read") == []


@pytest.mark.parametrize("sql", ["DELETE FROM gold_actions", "UPDATE gold_actions SET detail = '[]'"])
def test_the_file_itself_keeps_what_readers_did(filled, sql):
    draw(filled)
    filled.add_gold_actions(1, [action("a")])
    with pytest.raises(DataError, match="only added to"):
        filled._db.execute(sql)


def test_of_reports_of_one_text_the_first_stands_for_all(filled):
    assert filled.distinct_texts(["ct:2", "xray:2", "ct:1", "xray:1", "none"]) == ["ct:2", "xray:2", "ct:1"]


def test_runs_are_found_by_what_they_have_read(filled, make):
    other = filled.begin_run("llama", "2", "b")
    save_extractions(filled, 1, [make.extraction("xray:1", "edema"), make.extraction("ct:1")])
    save_extractions(filled, other, [make.extraction("ct:1"), make.extraction("ct:2", failure="gave up")])
    assert sorted(filled.runs_that_read(TEXTS)) == [(1, 3), (other, 1)]  # two reports have the same text
    assert filled.runs_that_read(["ct:2"]) == []
    assert filled.run_of(other) == ("llama", "2")
    assert filled.other_runs(1) == [other]
    filled.begin_run("rules", "2", "a")
    assert filled.other_runs(1) == [other]
    with pytest.raises(DataError, match="no extraction run 9"):
        filled.run_of(9)


def test_what_there_is_to_draw_from(filled, make):
    assert not filled.has_pairs()
    make.save_pairs(filled, make.pairing([("xray:1", "ct:1")]))
    assert filled.has_pairs()
    save_extractions(filled, 1, [make.extraction("ct:1", failure="gave up")])
    assert not filled.has_extractions()
    save_extractions(filled, 1, [make.extraction("xray:1", "edema")])
    assert filled.has_extractions()


def test_what_was_done_elsewhere_stands_among_the_rest_by_its_time_and_each_place_keeps_its_order(filled, monkeypatch):
    draw(filled)
    at = {"a": "10:00", "b": "09:00", "c": "12:00"}  # here the clock was set back for a while
    for name, time in at.items():
        monkeypatch.setattr("radcal.workspace.reviews.now", lambda time=time: f"2030-01-01T{time}:00+00:00")
        filled.add_gold_actions(1, [action(name)])
    elsewhere = [("x", "09:30"), ("y", "11:00"), ("z", "10:30")]
    for name, time in elsewhere:
        made = StoredAction(name, "AB", "xray:1", "read", '{"apart": "f"}', at=f"2030-01-01T{time}:00+00:00")
        filled.add_gold_actions(1, [made])
    assert [a.action for a in filled.gold_actions(1, "read")] == ["x", "a", "b", "y", "z", "c"]


def test_since_when_an_action_stands_as_it_does_is_noted_and_never_goes_back(filled, monkeypatch):
    draw(filled)
    filled.add_gold_actions(1, [action("a"), action("b")])
    assert filled.gold_turns(["a", "b"]) == {}
    filled.set_gold_undone(["a"], undone=True)
    first = filled.gold_turns(["a", "b"])["a"]
    filled.set_gold_turns({"a": Turn(True, "2999-01-01T00:00:00.000000+00:00")})  # a clock that is ahead
    filled.set_gold_undone(["a"], undone=False)
    again = filled.gold_turns(["a"])["a"]
    assert (first.undone, again.undone) == (True, False)
    assert first.at < "2999" < again.at == "2999-01-01T00:00:00.000001+00:00"
