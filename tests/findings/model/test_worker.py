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

from radcal.findings.model import native, worker
from radcal.findings.model.fit import Plan
from radcal.findings.model.pair_batches import MARK, Forms
from radcal.findings.model.process import packed, unpacked
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
    assert running.wait("opened")[0]["prompt_tokens"] > 0
    for number in range(3):
        running.take(do="pairs", number=number, sentences=SENTENCES)
    running.take(do="pairs", number=3, sentences=[["Nothing.", []]])
    answers = {m["number"]: m for m in running.wait("pairs", 4)}
    for number in (1, 2):
        assert_same(answers[number]["chances"], answers[0]["chances"])
    assert answers[3]["chances"] == [[]]
    assert all(m["failure"] == "" for m in answers.values())
    [kept] = Path(opening["state_folder"]).iterdir()
    assert kept.suffix == ".state"

    with started() as again:
        again.take(**opening)
        again.take(do="pairs", number=0, sentences=SENTENCES)
        [answer] = again.wait("pairs")
    assert_same(answer["chances"], answers[0]["chances"])
    assert kept.exists()


def test_a_state_that_cannot_be_kept_is_said_and_costs_nothing(
    opening: Message, running: Running, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    running.take(**opening | {"state_folder": str(tmp_path / "file" / "states")})
    running.take(do="pairs", number=0, sentences=SENTENCES)
    assert "is not kept" in running.wait("note")[0]["note"]
    assert running.wait("pairs")[0]["failure"] == ""


def test_a_state_of_something_else_is_decoded_anew(opening: Message, running: Running) -> None:
    folder = Path(opening["state_folder"])
    running.take(**opening)
    running.take(do="pairs", number=0, sentences=SENTENCES)
    expected = running.wait("pairs")[0]["chances"]
    [kept] = folder.iterdir()
    kept.unlink()
    worker.state.save(folder, kept.stem, b"something else entirely")
    with started() as again:
        again.take(**opening)
        again.take(do="pairs", number=0, sentences=SENTENCES)
        assert len(again.wait("pairs")[0]["chances"]) == len(expected)


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
    running.take(do="pairs", number=0, sentences=SENTENCES)
    running.take(do="numbers", texts=["x"])
    assert ["not open" in m["reason"] or "no model" in m["reason"] for m in running.wait("failed", 2)] == [True, True]


def test_weights_that_are_no_numbers_are_noticed(
    opening: Message, running: Running, tmp_path: Path, model: Path
) -> None:
    content = bytearray(model.read_bytes())
    content[-40_000:] = b"\xff" * 40_000
    (tmp_path / "nan.gguf").write_bytes(content)
    running.take(**opening | {"path": str(tmp_path / "nan.gguf")})
    assert "no numbers" in running.wait("failed")[0]["reason"]


def test_questions_are_answered(opened: Running) -> None:
    opened.take(do="numbers", texts=["The chance is", "about"])
    opened.take(do="embed", texts=["likely"])
    numbers, embedded = opened.wait("answer", 2)
    assert [len(r) for r in numbers["rows"]] == [101, 101]
    assert [len(r) for r in embedded["rows"]] == [64]
    opened.take(do="embed", texts=["likely", "word " * 3000])
    assert "Text 2" in opened.wait("failed")[0]["reason"]


def test_a_question_that_a_pause_interrupts_is_answered_afterwards(
    opened: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, interrupted = worker.embedding, []

    def pausing(*given: Any) -> Any:
        if not interrupted:
            interrupted.append(opened.take(do="pause"))
            raise worker.StoppedError
        return real(*given)

    monkeypatch.setattr(worker, "embedding", pausing)
    opened.take(do="embed", texts=["likely"])
    assert opened.worker.holds.wait(PATIENCE)
    opened.take(do="resume")
    assert len(opened.wait("answer")[0]["rows"]) == 1


def numbered(n: int, of: int = 0) -> list[Any]:
    """Sentences that no other report has."""
    return [(f"There is no pleural effusion number {i} of {of}.", [EFFUSION]) for i in range(n)]


def stepping(running: Running, step: Callable[[Callable[[], list[Any]]], list[Any]]) -> None:
    """From now on the worker makes its steps by ``step(the real one)``."""
    pairs = running.worker._pairs
    assert pairs is not None
    real = pairs.step
    pairs.step = lambda now: step(partial(real, now))  # type: ignore[method-assign]


def test_pausing_holds_everything_and_stopping_drops_it(opened: Running) -> None:
    opened.take(do="pause")
    for number in range(40):
        opened.take(do="pairs", number=number, sentences=numbered(12, number))
    assert opened.worker.holds.wait(PATIENCE)
    assert not opened.heard("pairs")

    asked, late = threading.Event(), []

    def until_two_are_read(real: Callable[[], list[Any]]) -> list[Any]:
        if len(opened.heard("pairs")) >= 2:
            assert asked.wait(PATIENCE)
            late.append("step")
        return real()

    stepping(opened, until_two_are_read)
    opened.take(do="resume")
    opened.wait("pairs", 2)
    opened.take(do="stop")
    asked.set()
    opened.wait("stopped")
    assert len(late) <= 1  # what was under way when the stop came
    done = len(opened.heard("pairs"))
    assert done < 40
    opened.take(do="pairs", number=99, sentences=SENTENCES)
    assert opened.wait("pairs", done + 1)[-1]["number"] == 99


def test_a_stop_while_paused_is_obeyed_and_what_came_before_it_dropped(opened: Running) -> None:
    opened.take(do="pause")
    opened.take(do="pairs", number=1, sentences=SENTENCES)
    opened.take(do="embed", texts=["x"])
    opened.take(do="stop")
    opened.wait("stopped")
    opened.take(do="resume")
    opened.take(do="pairs", number=2, sentences=SENTENCES)
    assert [m["number"] for m in opened.wait("pairs")] == [2]
    assert not opened.heard("answer")


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
        yield json.dumps({"do": "pairs", "number": 0, "sentences": SENTENCES}).encode()
        assert more.wait(PATIENCE)

    def say(message: Message) -> None:
        said.append(message)
        if message["said"] == "pairs":
            more.set()

    worker.serve(lines(), say, left.append)
    assert [m["said"] for m in said if m["said"] != "tick"] == ["ready", "opened", "pairs"]
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
        if slow:
            clock[0] += 100.0  # alive, and never done
            for report in opened.worker._pairs.reports.values():  # type: ignore[union-attr]
                report.begun = report.begun or 0.0
            return []
        return real()

    stepping(opened, endless)
    opened.take(do="pairs", number=7, sentences=numbered(60))
    [message] = opened.wait("slow")
    assert (message["number"], message["seconds"]) == (7, 600.0)
    assert 600.0 < clock[0] <= 1000.0
    slow.clear()
    opened.take(do="pairs", number=8, sentences=SENTENCES)
    assert [m["number"] for m in opened.wait("pairs")] == [8]
    assert not opened.worker._busy


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
    opened.take(do="pairs", number=1, sentences=numbered(40))
    assert [m["number"] for m in opened.wait("pairs")] == [1]
    assert clock[0] == 10_000.0
    assert steps[0] == 0  # it was not done yet
    assert not opened.heard("slow")


def test_what_the_library_refuses_while_reading_can_be_tried_again(opened: Running) -> None:

    def refuse(real: object) -> list[Any]:
        raise native.NativeError("an evaluation failed (-3)")

    stepping(opened, refuse)
    opened.take(do="pairs", number=1, sentences=SENTENCES)
    [message] = opened.wait("failed")
    assert message["again"]
    assert message["reason"] == "an evaluation failed (-3)"
    assert not opened.worker._busy


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
    running.take(do="pairs", number=0, sentences=SENTENCES)
    assert running.worker.holds.wait(PATIENCE)
    assert evaluated == [64, 64]
    assert len(running.worker._prefix) > 64 * 4
    assert not running.heard("pairs")
    running.take(do="resume")
    running.wait("pairs")


def test_a_model_that_is_asked_no_pairs_answers_and_refuses_reports(opening: Message) -> None:
    said: list[Message] = []
    made = Worker(said.append)
    made.take({**opening, "forms": None})
    made.take({"do": "embed", "texts": ["likely"]})
    made.take({"do": "pairs", "number": 0, "sentences": SENTENCES})
    for _ in range(3):
        message = made._next()
        assert message is not None
        if message["do"] == "pairs":
            with pytest.raises(worker._RefusedError, match="no model is open"):
                made._do(message)
        else:
            made._do(message)
    assert [m["said"] for m in said if m["said"] != "tick"] == ["opened", "answer"]
