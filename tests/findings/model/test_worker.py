"""The child's work, done in this process: messages in, messages out."""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from radcal.findings.model import native, state, worker
from radcal.findings.model.fit import Plan
from radcal.findings.model.process import MARK, Forms, packed, unpacked
from radcal.findings.model.texts import Texts
from radcal.findings.model.worker import Worker
from radcal.system.text import Text

PLAN = Plan(1024, 2048, 256, 256, 112, 1, 0, repack=True, abortable=True, exact=True)
Message = dict[str, Any]
FORMS = Forms(
    "Read this report:\n",
    f"\nReport: {MARK}\n",
    f"{MARK}:",
    (" absent\n", " likely\n", " present\n"),
    markers=False,
    longest=400,
)
PATIENCE = 60.0
"""Seconds after which what a test waits for is not coming any more."""


class Watched(Worker):
    """A worker that tells when it waits because it is paused."""

    def __init__(self, say: Callable[[Message], None]) -> None:
        super().__init__(say)
        self.holds = threading.Event()

    def _next(self) -> Message | None:
        if self._paused:
            self.holds.set()
        return super()._next()


class Running:
    """A worker in a thread, and what it says."""

    def __init__(self) -> None:
        self.said: list[Message] = []
        self.worker = Watched(self.said.append)
        self.thread = threading.Thread(target=self.worker.run, daemon=True)
        self.thread.start()

    def take(self, **message: Any) -> None:
        self.worker.take(message)

    def heard(self, what: str) -> list[Message]:
        return [m for m in self.said if m["said"] == what]

    def wait(self, what: str, n: int = 1) -> list[Message]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if len(found := self.heard(what)) >= n:
                return found
            time.sleep(0.005)
        raise AssertionError(f"no {what!r} among {[m['said'] for m in self.said]}")


@contextmanager
def started() -> Iterator[Running]:
    made = Running()
    yield made
    made.worker.end()
    made.thread.join(PATIENCE)
    assert not made.thread.is_alive()


@pytest.fixture
def running() -> Iterator[Running]:
    with started() as made:
        yield made


@pytest.fixture
def opened(opening: Message, running: Running) -> Running:
    running.take(**opening)
    running.wait("opened")
    return running


@pytest.fixture
def opening(model: Path, tmp_path: Path) -> Message:
    return {
        "do": "open",
        "path": str(model),
        "plan": asdict(PLAN),
        "forms": asdict(FORMS),
        "seconds": 600.0,
        "state_folder": str(tmp_path / "states"),
        "state_key": "key",
    }


EFFUSION = ["pleural effusion", "effusion"]
SENTENCES = [("Heart size is normal.", [["cardiomegaly", "heart"]]), ("There is no pleural effusion.", [EFFUSION])]


def assert_same(ones: list[Any], others: list[Any]) -> None:
    """The last digits of a probability depend on what else is in the batch, and that on when messages come."""
    assert np.allclose(np.array(ones), np.array(others), atol=1e-4)


def test_reports_are_read_and_the_prompt_is_kept_for_the_next_run(opening: Message, running: Running) -> None:
    running.take(**opening)
    assert running.wait("opened")
    for number in range(3):
        running.take(do="ask", number=number, asked=SENTENCES)
    running.take(do="ask", number=3, asked=[["Nothing.", []]])
    answers = {m["number"]: m for m in running.wait("answer", 4)}
    for number in (1, 2):
        assert_same(answers[number]["rows"], answers[0]["rows"])
    assert answers[3]["rows"] == [[]]
    assert all(m["failure"] == "" for m in answers.values())
    [kept] = Path(opening["state_folder"]).iterdir()
    assert kept.suffix == ".state"

    with started() as again:
        again.take(**opening)
        again.take(do="ask", number=0, asked=SENTENCES)
        [answer] = again.wait("answer")
    assert_same(answer["rows"], answers[0]["rows"])
    assert kept.exists()


def test_a_state_that_cannot_be_kept_is_said_and_costs_nothing(
    opening: Message, running: Running, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    running.take(**opening | {"state_folder": str(tmp_path / "file" / "states")})
    running.take(do="ask", number=0, asked=SENTENCES)
    assert "is not kept" in running.wait("note")[0]["note"]
    assert running.wait("answer")[0]["failure"] == ""


def test_a_state_of_something_else_is_decoded_anew(opening: Message, running: Running) -> None:
    folder = Path(opening["state_folder"])
    running.take(**opening)
    running.take(do="ask", number=0, asked=SENTENCES)
    expected = running.wait("answer")[0]["rows"]
    [kept] = folder.iterdir()
    kept.unlink()
    state.save(folder, kept.stem, b"something else entirely")
    with started() as again:
        again.take(**opening)
        again.take(do="ask", number=0, asked=SENTENCES)
        assert len(again.wait("answer")[0]["rows"]) == len(expected)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"forms": asdict(FORMS) | {"answers": (" no\n", " no\n")}}, "cannot tell 'no' from 'no'"),
        ({"plan": asdict(PLAN) | {"context": 60}}, "leaves too little for a sentence"),
        ({"path": "nowhere.gguf"}, "nowhere.gguf"),
    ],
)
def test_what_cannot_be_opened_is_said(opening: Message, running: Running, change: Message, reason: str) -> None:
    running.take(**opening | change)
    assert reason in running.wait("failed")[0]["reason"]


def test_work_without_a_model_is_refused(running: Running) -> None:
    running.take(do="ask", number=0, asked=SENTENCES)
    assert running.wait("failed")[0]["reason"] == "no model is open"


def test_weights_that_are_no_numbers_are_noticed(
    opening: Message, running: Running, tmp_path: Path, model: Path
) -> None:
    content = bytearray(model.read_bytes())
    content[-40_000:] = b"\xff" * 40_000
    (tmp_path / "nan.gguf").write_bytes(content)
    running.take(**opening | {"path": str(tmp_path / "nan.gguf")})
    assert "no numbers" in running.wait("failed")[0]["reason"]


def test_a_model_that_is_asked_no_pairs_is_asked_of_texts(opening: Message, running: Running) -> None:
    running.take(**opening | {"forms": None})
    running.take(do="ask", number=0, asked={"what": "numbers", "text": "The chance is"})
    running.take(do="ask", number=1, asked={"what": "embedding", "text": "likely"})
    running.take(do="ask", number=2, asked={"what": "embedding", "text": "word " * 3000})
    numbers, embedded, refused = running.wait("answer", 3)
    assert (len(numbers["rows"]), len(embedded["rows"]), refused["rows"]) == (101, 64, ())
    assert "no more than the context has" in refused["failure"]


def test_a_request_that_a_pause_interrupts_is_answered_afterwards(
    opening: Message, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, interrupted = Texts.embedding, []

    def pausing(texts: Texts, text: str) -> Any:
        if not interrupted:
            interrupted.append(running.take(do="pause"))
            raise native.StoppedError
        return real(texts, text)

    monkeypatch.setattr(Texts, "embedding", pausing)
    running.take(**opening | {"forms": None})
    running.take(do="ask", number=0, asked={"what": "embedding", "text": "likely"})
    assert running.worker.holds.wait(PATIENCE)
    running.take(do="resume")
    assert len(running.wait("answer")[0]["rows"]) == 64


def numbered(n: int, of: int = 0) -> list[Any]:
    """Sentences that no other report has."""
    return [(f"There is no pleural effusion number {i} of {of}.", [EFFUSION]) for i in range(n)]


def stepping(running: Running, step: Callable[[Callable[[], list[Any]]], list[Any]]) -> None:
    """From now on the worker makes its steps by ``step(the real one)``."""
    work = running.worker._work
    assert work is not None
    real = work.step
    work.step = lambda now: step(partial(real, now))  # type: ignore[method-assign]


def test_pausing_holds_everything_and_stopping_drops_it(opened: Running) -> None:
    opened.take(do="pause")
    for number in range(40):
        opened.take(do="ask", number=number, asked=numbered(12, number))
    assert opened.worker.holds.wait(PATIENCE)
    assert not opened.heard("answer")

    asked, late = threading.Event(), []

    def until_two_are_read(real: Callable[[], list[Any]]) -> list[Any]:
        if len(opened.heard("answer")) >= 2:
            assert asked.wait(PATIENCE)
            late.append("step")
        return real()

    stepping(opened, until_two_are_read)
    opened.take(do="resume")
    opened.wait("answer", 2)
    opened.take(do="stop")
    asked.set()
    opened.wait("stopped")
    assert len(late) <= 1  # what was under way when the stop came
    done = len(opened.heard("answer"))
    assert done < 40
    opened.take(do="ask", number=99, asked=SENTENCES)
    assert opened.wait("answer", done + 1)[-1]["number"] == 99


def test_a_stop_while_paused_is_obeyed_and_what_came_before_it_dropped(opened: Running) -> None:
    opened.take(do="pause")
    opened.take(do="ask", number=1, asked=SENTENCES)
    opened.take(do="stop")
    opened.wait("stopped")
    opened.take(do="resume")
    opened.take(do="ask", number=2, asked=SENTENCES)
    assert [m["number"] for m in opened.wait("answer")] == [2]


def test_texts_reach_the_parent_with_their_values() -> None:
    reason = Text("Text {n}: {error}", n=2, error=Text("the text has no tokens"))
    message = {"said": "failed", "reason": reason, "devices": [{"name": "a GPU"}], "mendable": False}
    back = unpacked(packed(message))
    assert back == message
    assert back["reason"].record() == reason.record()


def test_messages_come_as_lines(model: Path) -> None:
    said: list[Message] = []
    made = Worker(said.append)
    made.listen(io.BytesIO(b"".join(json.dumps({"do": "stop"}).encode() + b"\n" for _ in range(2))))
    made.run()
    assert said == []  # the parent is gone
    assert worker.hello()["said"] == "ready"


def soon(there: Callable[[], bool]) -> None:
    """Wait for what comes by itself."""
    end = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_it_serves_until_the_parent_is_gone(opening: Message) -> None:
    said: list[Message] = []
    left: list[int] = []
    more = threading.Event()

    def lines() -> Iterator[bytes]:
        yield json.dumps(opening).encode()
        yield json.dumps({"do": "ask", "number": 0, "asked": SENTENCES}).encode()
        assert more.wait(PATIENCE)

    def say(message: Message) -> None:
        said.append(message)
        if message["said"] == "answer":
            more.set()

    worker.serve(lines(), say, left.append)
    assert [m["said"] for m in said if m["said"] != "tick"] == ["ready", "opened", "answer"]
    soon(lambda: left == [0])


def test_an_internal_error_is_told_without_the_text_that_caused_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Message] = []
    left: list[int] = []

    def fail(*_: object) -> None:
        raise ValueError("Zanzibar, a word of the report")

    monkeypatch.setattr(Worker, "_do", fail)
    more = threading.Event()

    def lines() -> Iterator[bytes]:
        yield b'{"do": "stop"}'
        more.wait(PATIENCE)

    worker.serve(lines(), said.append, left.append)
    assert said[1]["reason"].startswith("internal error ValueError at test_worker.py:")
    assert left == [1]
    more.set()
    soon(lambda: left == [1, 0])  # whoever listens to the parent ends, too
    assert "Zanzibar" not in str(said)


def test_a_parent_that_is_gone_is_left() -> None:
    left: list[int] = []

    def gone(_: Message) -> None:
        raise BrokenPipeError

    worker.serve([], gone, left.append)
    assert left == [0]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The worker's clock, which stands still unless a test turns it."""
    now = [0.0]
    monkeypatch.setattr(worker, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_a_report_that_takes_too_long_is_dropped_and_the_others_are_read(opened: Running, clock: list[float]) -> None:
    slow = [True]

    def endless(real: Callable[[], list[Any]]) -> list[Any]:
        clock[0] += 100.0  # alive, and never done
        return [] if slow and 100.0 < clock[0] <= 700.0 else real()

    stepping(opened, endless)
    opened.take(do="ask", number=7, asked=numbered(300))
    [message] = opened.wait("answer")
    assert (message["number"], message["again"]) == (7, True)
    assert "within 600 seconds" in message["failure"]
    assert 600.0 < clock[0] <= 1000.0
    slow.clear()
    opened.take(do="ask", number=8, asked=SENTENCES)
    assert opened.wait("answer", 2)[1]["number"] == 8


def test_a_pause_does_not_count_as_time_of_a_report(
    opened: Running, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    following, steps = opened.worker._next, []

    def paused_in_the_middle(real: Callable[[], list[Any]]) -> list[Any]:
        finished = real()
        steps.append(len(finished))
        if len(steps) == 1:
            opened.take(do="pause")
        return finished

    def resumed_long_after() -> Message | None:
        if opened.worker._paused:
            clock[0] += 10_000.0
            opened.take(do="resume")
        return following()

    stepping(opened, paused_in_the_middle)
    monkeypatch.setattr(opened.worker, "_next", resumed_long_after)
    opened.take(do="ask", number=1, asked=numbered(40))
    assert [m["number"] for m in opened.wait("answer")] == [1]
    assert clock[0] == 10_000.0
    assert steps[0] == 0  # it was not done yet
    assert not opened.heard("answer")[0]["again"]


def test_what_the_library_refuses_while_reading_can_be_tried_again(opened: Running) -> None:

    def refuse(real: object) -> list[Any]:
        raise native.NativeError("an evaluation failed (-3)")

    stepping(opened, refuse)
    opened.take(do="ask", number=1, asked=SENTENCES)
    [message] = opened.wait("failed")
    assert message["again"]
    assert message["reason"] == "an evaluation failed (-3)"
    assert opened.worker._work is not None
    assert not opened.worker._work.is_busy


def test_a_pause_during_the_prompt_waits_for_one_short_evaluation_at_most(opening: Message, running: Running) -> None:
    plan = asdict(PLAN) | {"abortable": False, "context": 2048, "cells": 4096}
    forms = asdict(FORMS) | {"told": "There is no pleural effusion. " * 100}
    running.take(**opening | {"plan": plan, "forms": forms})
    running.wait("opened")
    model = running.worker._model
    assert isinstance(model, native.Model)
    decode, evaluated = model.decode, []

    def paused_at_the_second(steps: Any) -> Any:
        evaluated.append(len(steps))
        if len(evaluated) == 2:
            running.take(do="pause")
        outcome = decode(steps)
        model.batch = 64  # as on a slow machine
        return outcome

    model.decode = paused_at_the_second  # type: ignore[method-assign]
    running.take(do="ask", number=0, asked=SENTENCES)
    assert running.worker.holds.wait(PATIENCE)
    assert evaluated == [64, 64]
    assert not running.heard("answer")
    running.take(do="resume")
    running.wait("answer")
