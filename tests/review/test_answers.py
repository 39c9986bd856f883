"""What follows from what readers did: against what was done, undone and decided by hand."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.records import Finding
from radcal.reports.records import Section
from radcal.review.answers import answers_of, disputes_of, gold_of
from radcal.review.records import Action, Answers, Decision, Mark, Verdict
from radcal.words.records import ABSENT, PRESENT


def finding(report: str, pathology: str = "edema", phrase: str = "likely", start: int = 0) -> Finding:
    return Finding(report, pathology, phrase, phrase, "Likely edema.", Section.FINDINGS, start, start + 13, 7, 12, 0, 6)


def mark(f: Finding, verdict: Verdict = Verdict.ADDED, key: str = "") -> Mark:
    return Mark(key or f"{f.pathology} {f.phrase} {f.start}", verdict, f)


def done(*findings: Finding, unsure: tuple[str, ...] = ()) -> Answers:
    marks = [mark(f) for f in findings] + [mark(finding("r", p), Verdict.UNSURE) for p in unsure]
    return Answers(True, {m.key: m for m in marks})


def test_answers_are_what_was_done_and_not_undone():
    f, g = finding("r"), finding("r", "mass", PRESENT)
    both = mark(f, Verdict.ACCEPTED, "engine 0"), mark(g, Verdict.ACCEPTED, "engine 1")
    accept = Action("a", "r", both, blind=True)
    remove = Action("b", "r", (mark(g, Verdict.REMOVED, "engine 1"),), blind=True)
    finish = Action("c", "r", done=True, blind=True)
    answers = answers_of([(accept, False), (remove, False), (finish, False)])
    assert (answers.done, answers.statements, answers.in_sight, answers.accepted) == (True, (f,), False, 0)
    assert answers_of([(accept, False), (remove, True), (finish, False)]).statements == (f, g)
    assert answers_of([(accept, False), (finish, True)]).done is False
    assert answers_of([(accept, False), (finish, True), (remove, False)]).in_sight  # after the engine's were seen
    seen = answers_of([(replace(accept, blind=False), False), (remove, False), (finish, False)])
    assert (seen.in_sight, seen.accepted) == (True, 1)
    assert not answers_of([(replace(accept, blind=False), True), (finish, False)]).in_sight
    assert answers_of([(replace(finish, blind=False), False)]).in_sight
    assert answers_of([]) == Answers()


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(list(Verdict)), st.booleans()), max_size=12))
def test_undone_actions_are_as_if_never_done(steps):
    made = [
        (Action(str(i), "r", (mark(finding("r", f"p{k}"), verdict, f"k{k}"),)), undone)
        for i, (k, verdict, undone) in enumerate(steps)
    ]
    assert answers_of(made) == answers_of([(a, False) for a, undone in made if not undone])


def test_gold_is_what_readers_agree_on_or_what_was_decided():
    e, m, x = finding("r"), finding("r", "mass", PRESENT), finding("r", "mass", ABSENT)
    ids = ["r", "s", "t"]
    answers = {"r": {"A": done(e, m), "B": done(e, x)}, "s": {"A": Answers(False, done(e).marks)}}
    gold = gold_of(ids, answers, {})
    assert (gold.reports, gold.statements, gold.waiting) == (("r",), (e,), 1)
    assert gold.left_out == {("r", "mass")}
    (dispute,) = disputes_of(ids, answers, {}, "A", "B")
    assert (dispute.pathology, dispute.first, dispute.second) == ("mass", (m,), (x,))
    for decision, statements, left in (
        (Decision("d", "r", "mass", (x,)), (e, x), set()),
        (Decision("d", "r", "mass", ()), (e,), set()),
        (Decision("d", "r", "mass", left_out=True), (e,), {("r", "mass")}),
    ):
        decided = gold_of(ids, answers, {("r", "mass"): decision})
        assert (decided.statements, decided.left_out, decided.waiting) == (statements, left, 0)


def test_what_a_reader_cannot_tell_is_left_out():
    e = finding("r")
    gold = gold_of(["r"], {"r": {"A": done(e, unsure=("mass",))}}, {})
    assert (gold.statements, gold.left_out, gold.unsure, gold.waiting) == ((e,), {("r", "mass")}, 1, 0)
    both = gold_of(["r"], {"r": {"A": done(unsure=("mass",)), "B": done()}}, {})
    assert (both.waiting, both.left_out) == (1, {("r", "mass")})


def test_a_report_is_read_in_sight_if_any_of_its_readers_saw_the_answers() -> None:
    accepted = mark(finding("a"), Verdict.ACCEPTED)
    seen = Answers(True, {accepted.key: accepted}, in_sight=True)
    read = {"a": {"AB": done(finding("a")), "CD": seen}, "b": {"AB": seen}, "c": {"AB": done(), "CD": done()}}
    gold = gold_of(tuple(read), read, {})
    assert (gold.in_sight, gold.answers, gold.accepted) == ({"a", "b"}, 3, 2)


def test_of_two_readings_by_one_reader_the_later_holds_where_both_speak_of_the_same() -> None:
    here = Action("a", "r", (mark(finding("r")), mark(finding("r", "mass", PRESENT))), blind=True)
    there = replace(here, name="b", marks=(mark(finding("r", phrase="unlikely")),), apart="file")
    said = answers_of([(here, False), (there, False)])
    assert [(f.pathology, f.phrase) for f in said.statements] == [("mass", PRESENT), ("edema", "unlikely")]
    said = answers_of([(there, False), (here, False)])
    assert [(f.pathology, f.phrase) for f in said.statements] == [("edema", "likely"), ("mass", PRESENT)]
    assert len(answers_of([(here, False), (there, True)]).statements) == 2
    elsewhere = replace(there, marks=(mark(finding("r", phrase="unlikely", start=40)),))  # another sentence
    assert len(answers_of([(here, False), (elsewhere, False)]).statements) == 3


def test_a_report_finished_in_a_review_file_has_shown_nothing() -> None:
    finish = Action("a", "r", done=True, blind=True)
    later = Action("b", "r", (mark(finding("r")),), blind=True)
    assert answers_of([(finish, False), (later, False)]).in_sight
    apart = [(replace(finish, apart="file"), False), (replace(later, apart="file"), False)]
    assert not answers_of(apart).in_sight
    assert answers_of([(finish, False), *apart]).in_sight
