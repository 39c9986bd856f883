"""Reports out and answers back over a line that breaks when told to."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.errors import EngineError
from radcal.extract.llama import dispatch
from radcal.extract.llama.dispatch import Answer, Dispatch
from radcal.extract.llama.process import ChildDiedError, Message


class Line:
    """Reads reports in any order; 'kill' in one ends it, 'hang' keeps it silent."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.inbox: deque[Message] = deque()
        self.dead = False

    def send(self, message: Message) -> None:
        self.inbox.append(message)

    def kill(self) -> None:
        self.dead = True

    def receive(self, seconds: float) -> Message | None:
        assert not self.dead
        if self.office.other:
            return self.office.other.popleft()
        if any("hang" in m["sentences"][0] for m in self.inbox):
            self.office.clock += 1
            return None
        if any("kill" in m["sentences"][0] for m in self.inbox) or self.office.bad_luck():
            self.dead = True
            raise ChildDiedError("it ended by SIGTEST")
        message = self.inbox[-1] if self.office.backwards else self.inbox[0]
        self.inbox.remove(message)
        return {
            "said": "read",
            "number": message["number"],
            "readings": message["sentences"],
            "failure": "",
            "parts": 2,
        }


class Office:
    """Opens lines; a clock that advances with silence."""

    paused = False

    def __init__(self, *, backwards: bool = False, bad_luck: Callable[[], bool] = lambda: False) -> None:
        self.backwards = backwards
        self.bad_luck = bad_luck
        self.line: Line | None = None
        self.clock = 0.0
        self.notes: list[str] = []
        self.other: deque[Message] = deque()
        self.opened = 0

    def connect(self) -> Line:
        if self.line is None:
            self.opened += 1
            self.line = Line(self)
        return self.line

    def disconnect(self) -> None:
        self.line = None

    def check(self) -> None: ...

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture(autouse=True)
def office(monkeypatch: pytest.MonkeyPatch) -> Office:
    made = Office()
    monkeypatch.setattr(dispatch.time, "monotonic", lambda: made.clock)
    return made


def run(office: Office, reports: list[str], window: int = 4) -> list[Answer]:
    return list(Dispatch(office, window, 5.0).run([[r] for r in reports]))


WORDS = st.lists(st.sampled_from(["a", "b", "kill", "", " "]), max_size=20)


@settings(deadline=None)
@given(words=WORDS, window=st.integers(1, 6), backwards=st.booleans(), seed=st.integers(0, 99))
def test_every_report_gets_its_answer_in_order(words: list[str], window: int, backwards: bool, seed: int) -> None:
    reports = [f"{w} {i}" if w.strip() else w for i, w in enumerate(words)]
    answers = run(Office(backwards=backwards), reports, window)
    assert len(answers) == len(reports)
    for report, answer in zip(reports, answers, strict=True):
        if "kill" in report:
            assert answer.readings == ()
            assert "stopped twice" in answer.failure
            assert "SIGTEST" in answer.failure
        elif report.strip():
            assert answer == Answer([report], "", 2)
        else:
            assert answer == Answer(())


def test_a_crash_from_outside_costs_no_report() -> None:
    turns = iter([*[False] * 2, True, *[False] * 5, True])
    office = Office(bad_luck=lambda: next(turns, False))
    assert [a.failure for a in run(office, [str(i) for i in range(12)])] == [""] * 12
    assert office.opened == 3


def test_a_report_that_shows_no_advance_is_set_aside(office: Office) -> None:
    answers = run(office, ["a", "hang", "b"])
    assert "no advance for 5 seconds" in answers[1].failure
    assert [a.failure for a in answers[::2]] == ["", ""]


def test_a_pause_is_no_silence(office: Office) -> None:
    office.paused = True
    line = office.connect()
    receive = line.receive

    def slowly(seconds: float) -> Message | None:
        office.clock += 1
        return None if office.clock < 20 else receive(seconds)

    line.receive = slowly  # type: ignore[method-assign]
    assert run(office, ["a"]) == [Answer(["a"], "", 2)]
    assert office.opened == 1


def test_notes_ticks_and_stale_answers_are_told_apart(office: Office) -> None:
    office.other.extend(
        [
            {"said": "tick"},
            {"said": "note", "note": "a note"},
            {"said": "read", "number": 77, "readings": [], "failure": "", "parts": 1},
        ]
    )
    assert run(office, ["a"]) == [Answer(["a"], "", 2)]
    assert office.notes == ["a note"]


def test_a_refusal_ends_the_work_with_its_reason(office: Office) -> None:
    office.other.append({"said": "failed", "reason": "the weights are gone"})
    with pytest.raises(EngineError, match=r"cannot go on: the weights are gone\."):
        run(office, ["a"])


def test_endless_crashes_end_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "_CRASHES_IN_A_ROW", 5)
    with pytest.raises(EngineError, match="crashes on every report; the last time it ended by SIGTEST"):
        run(Office(bad_luck=lambda: True), [str(i) for i in range(50)])
