"""Reports out and answers back over a connection that breaks on purpose."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.model import local_model
from radcal.findings.model.local_model import Answer, Dispatch
from radcal.findings.model.process import ChildDiedError, Message, answered
from radcal.system.errors import EngineError
from radcal.system.text import Text


class Connection:
    """Reads reports in any order; dies of 'kill', hangs at 'hang', is slow at 'slow' and fails at 'poison'."""

    def __init__(self, supervisor: Supervisor) -> None:
        self.supervisor = supervisor
        self.inbox: deque[Message] = deque()
        self.dead = False

    def send(self, message: Message) -> None:
        self.inbox.append(message)

    def kill(self) -> None:
        self.dead = True

    def receive(self, seconds: float) -> Message | None:
        assert not self.dead
        if self.supervisor.other:
            self.supervisor.clock += 1
            return self.supervisor.other.popleft()
        if self._waiting("hang"):
            self.supervisor.clock += 1
            return None
        if slow := self._waiting("slow"):
            self.inbox.remove(slow)
            self.supervisor.tries.append([m["number"] for m in (*self.inbox, slow)])
            return answered(slow["number"], failure=Text("not done within 9 seconds, twice"), again=True)
        if self._waiting("poison"):
            return {"said": "failed", "reason": "an evaluation failed (-3)", "again": True}
        if self._waiting("kill") or self.supervisor.bad_luck():
            self.dead = True
            raise ChildDiedError("it ended by SIGTEST")
        message = self.inbox[-1] if self.supervisor.backwards else self.inbox[0]
        self.inbox.remove(message)
        return answered(message["number"], message["asked"])

    def _waiting(self, word: str) -> Message | None:
        return next((m for m in self.inbox if word in m["asked"]), None)


class Supervisor:
    """Opens connections; its clock advances with silence."""

    paused = False

    def __init__(self, *, backwards: bool = False, bad_luck: Callable[[], bool] = lambda: False) -> None:
        self.backwards = backwards
        self.bad_luck = bad_luck
        self.connection: Connection | None = None
        self.clock = 0.0
        self.notes: list[str] = []
        self.other: deque[Message | None] = deque()
        self.opened = 0
        self.tries: list[list[int]] = []

    def connect(self) -> Connection:
        if self.connection is None:
            self.opened += 1
            self.connection = Connection(self)
        return self.connection

    def close(self) -> None:
        self.connection = None

    def check(self) -> None: ...

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture(autouse=True)
def supervisor(monkeypatch: pytest.MonkeyPatch) -> Supervisor:
    made = Supervisor()
    monkeypatch.setattr(local_model.time, "monotonic", lambda: made.clock)
    return made


def run(supervisor: Supervisor, reports: list[str], window: int = 4) -> list[Answer]:
    return list(dispatched(supervisor, window, reports))


def dispatched(supervisor: Any, window: int, reports: Iterable[str]) -> Iterator[Answer]:
    """Each is answered by itself."""
    return Dispatch(supervisor, window, 5.0).run(reports)


WORDS = st.lists(st.sampled_from(["a", "b", "kill"]), max_size=20)


@settings(deadline=None)
@given(words=WORDS, window=st.integers(1, 6), backwards=st.booleans(), seed=st.integers(0, 99))
def test_every_report_gets_its_answer_in_order(words: list[str], window: int, backwards: bool, seed: int) -> None:
    reports = [f"{w} {i}" for i, w in enumerate(words)]
    answers = run(Supervisor(backwards=backwards), reports, window)
    assert len(answers) == len(reports)
    for report, answer in zip(reports, answers, strict=True):
        if "kill" in report:
            assert answer.rows == ()
            assert "stopped twice" in answer.failure
            assert "SIGTEST" in answer.failure
        else:
            assert answer == Answer(report)


def test_a_crash_from_outside_costs_no_report() -> None:
    turns = iter([*[False] * 2, True, *[False] * 5, True])
    supervisor = Supervisor(bad_luck=lambda: next(turns, False))
    assert [a.failure for a in run(supervisor, [str(i) for i in range(12)])] == [""] * 12
    assert supervisor.opened == 3


def test_a_report_that_shows_no_advance_is_set_aside(supervisor: Supervisor) -> None:
    answers = run(supervisor, ["a", "hang", "b"])
    assert "no advance for 5 seconds" in answers[1].failure
    assert [a.failure for a in answers[::2]] == ["", ""]


def test_a_pause_is_no_silence(supervisor: Supervisor) -> None:
    supervisor.paused = True
    supervisor.other.extend([None] * 20)
    assert run(supervisor, ["a"]) == [Answer("a")]
    assert supervisor.opened == 1


def test_notes_ticks_and_stale_answers_are_told_apart(supervisor: Supervisor) -> None:
    supervisor.other.extend([{"said": "tick"}, {"said": "note", "note": "a note"}, answered(77)])
    assert run(supervisor, ["a"]) == [Answer("a")]
    assert supervisor.notes == ["a note"]


def test_a_refusal_ends_the_work_with_its_reason(supervisor: Supervisor) -> None:
    supervisor.other.append({"said": "failed", "reason": "the weights are gone", "again": False})
    with pytest.raises(EngineError, match=r"cannot go on: the weights are gone\."):
        run(supervisor, ["a"])


def test_endless_crashes_end_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_model, "_CRASHES_IN_A_ROW", 5)
    with pytest.raises(EngineError, match="crashes on every report; the last time it ended by SIGTEST"):
        run(Supervisor(bad_luck=lambda: True), [str(i) for i in range(50)])


def test_crashes_with_answers_between_them_do_not_end_the_work() -> None:
    """Each report is read at its second try: more crashes in all than are borne in a row."""
    turns = itertools.cycle([True, False])
    supervisor = Supervisor(bad_luck=lambda: next(turns))
    n = 3 * local_model._CRASHES_IN_A_ROW
    assert [a.failure for a in run(supervisor, [str(i) for i in range(n)], window=1)] == [""] * n
    assert supervisor.opened == n + 1


def test_reports_are_taken_only_so_far_ahead_of_the_answer_that_is_awaited() -> None:
    """The first report is answered last, as it may be where reports are read side by side."""
    taken: list[int] = []

    def reports() -> Iterator[str]:
        for i in range(200):
            taken.append(i)
            yield str(i)

    answers = dispatched(Supervisor(backwards=True), 2, reports())
    assert next(answers).rows == "0"
    assert len(taken) <= 8 * 2 + 1
    assert [a.rows for a in answers] == [str(i) for i in range(1, 200)]


def test_an_innocent_report_beside_two_crashes_is_not_set_aside() -> None:
    looks = itertools.count()
    # All four are out at the first crash; alone they are read; then others crash in company.
    supervisor = Supervisor(backwards=True, bad_luck=lambda: next(looks) in {0, 4})
    answers = run(supervisor, [str(i) for i in range(8)])
    assert [a.failure for a in answers] == [""] * 8
    assert supervisor.opened == 3


@settings(deadline=None)
@given(times=st.sets(st.integers(0, 60), max_size=12), window=st.integers(2, 6))
def test_only_who_was_alone_at_two_crashes_is_set_aside(times: set[int], window: int) -> None:
    supervisor = Supervisor()
    alone: dict[str, int] = {}
    looks = iter(range(10_000))

    def bad_luck() -> bool:
        crash = next(looks) in times
        line = supervisor.connection
        if crash and line is not None and len(line.inbox) == 1:
            name = line.inbox[0]["asked"]
            alone[name] = alone.get(name, 0) + 1
        return crash

    supervisor.bad_luck = bad_luck
    answers = run(supervisor, [str(i) for i in range(12)], window)
    set_aside = {str(i) for i, a in enumerate(answers) if a.failure}
    assert set_aside == {name for name, n in alone.items() if n >= 2}


def test_a_report_that_takes_too_long_costs_two_tries_and_no_other_report_anything(supervisor: Supervisor) -> None:
    answers = run(supervisor, ["a", "slow", "b", "c"])
    assert [a.failure == "" for a in answers] == [True, False, True, True]
    assert "not done within 9 seconds, twice" in answers[1].failure
    assert supervisor.opened == 1  # nobody was killed
    assert len(supervisor.tries) == 2
    assert supervisor.tries[1] == [1]  # the second try is alone


def test_a_fault_that_a_new_process_may_mend_is_a_crash(supervisor: Supervisor) -> None:
    supervisor.other.append({"said": "failed", "reason": "no memory for the batch", "again": True})
    assert [a.failure for a in run(supervisor, ["a", "b"])] == ["", ""]
    assert supervisor.opened == 2


def test_a_fault_that_comes_back_sets_the_report_aside_with_the_librarys_reason(supervisor: Supervisor) -> None:
    answers = run(supervisor, ["a", "poison", "b"])
    assert [a.failure == "" for a in answers] == [True, False, True]
    assert "stopped twice while it read this text alone; the last time it said: an evaluation failed (-3)." in (
        answers[1].failure
    )


def test_a_consumer_that_is_away_for_long_is_no_silence(supervisor: Supervisor) -> None:
    for answer in dispatched(supervisor, 2, ("a", "b", "c", "d")):
        assert answer.failure == ""
        supervisor.clock += 1000  # a paused window, or other work in between
        supervisor.other.append(None)
    assert supervisor.opened == 1
