"""Long work lets short operations run between its parts, waits while paused, and still stops at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from radcal.system.progress import Progress
from ui.tasks import Tasks


class Long:
    """Counts until it is told to end."""

    def __init__(self) -> None:
        self.parts = 0
        self.end = threading.Event()
        self.thread = ""

    def __call__(self, progress: Progress) -> int:
        self.thread = threading.current_thread().name
        progress.start(None, "Counting")
        while not self.end.is_set():
            self.parts += 1
            progress.advance()
            progress.raise_if_cancelled()
            time.sleep(0.001)
        return self.parts


def _start(tasks: Tasks, work: Callable[[Progress], Any], **options: Any) -> tuple[list[Any], list[bool]]:
    done: list[Any] = []
    stopped: list[bool] = []
    tasks.start(
        "long", work, title="Counting", done=done.append, failed=pytest.fail,
        stopped=partial(stopped.append, True), shares=True, **options,
    )  # fmt: skip
    return done, stopped


def _seen_by_a_guest(tasks: Tasks, qtbot: QtBot, long: Long) -> int:
    """How far the long work is where it lets a guest run; it stands there now, if it is paused."""
    seen: list[int] = []
    tasks.start("guest", lambda _: long.parts, done=seen.append, failed=pytest.fail, guest=True)
    qtbot.waitUntil(lambda: bool(seen))
    return seen[0]


def test_a_guest_runs_while_the_long_work_goes_on(tasks: Tasks, qtbot: QtBot) -> None:
    long, threads = Long(), list[str]()
    done, _ = _start(tasks, long)
    qtbot.waitUntil(lambda: long.parts > 3)
    tasks.start("short", lambda _: threading.current_thread().name, done=threads.append, failed=pytest.fail, guest=True)
    qtbot.waitUntil(lambda: bool(threads))
    assert not done
    assert threads == [long.thread]  # one thread, one database connection
    before = long.parts
    qtbot.waitUntil(lambda: long.parts > before)
    long.end.set()
    qtbot.waitUntil(lambda: bool(done))


def test_a_guest_that_fails_leaves_the_long_work_alone(tasks: Tasks, qtbot: QtBot) -> None:
    long, failures = Long(), list[Any]()
    done, _ = _start(tasks, long)

    def fail(_: Progress) -> None:
        raise RuntimeError("a report's text")

    tasks.start("short", fail, done=pytest.fail, failed=failures.append, guest=True)
    qtbot.waitUntil(lambda: bool(failures))
    assert failures[0].text == ""
    long.end.set()
    qtbot.waitUntil(lambda: bool(done))


def test_paused_work_waits_serves_guests_and_goes_on(
    tasks: Tasks, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.tasks._LOOK_EVERY", 3600.0)  # it is woken, it does not happen to look
    long = Long()
    shown: list[Any] = []
    tasks.changed.connect(shown.append)
    done, _ = _start(tasks, long)
    qtbot.waitUntil(lambda: long.parts > 3)
    tasks.pause("long")
    assert tasks.is_paused("long")
    assert shown[-1].paused
    stood = _seen_by_a_guest(tasks, qtbot, long)
    for _ in range(5):
        qtbot.wait(20)
        assert _seen_by_a_guest(tasks, qtbot, long) == stood
    tasks.resume("long")
    qtbot.waitUntil(lambda: long.parts > stood + 3)
    long.end.set()
    qtbot.waitUntil(lambda: bool(done))


def test_paused_work_is_woken_to_stop(tasks: Tasks, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.tasks._LOOK_EVERY", 3600.0)
    long = Long()
    done, stopped = _start(tasks, long)
    qtbot.waitUntil(lambda: long.parts > 3)
    tasks.pause("long")
    stood = _seen_by_a_guest(tasks, qtbot, long)
    tasks.cancel("long")
    qtbot.waitUntil(lambda: bool(stopped))
    assert (done, long.parts) == ([], stood)


def test_only_work_that_shares_is_paused(tasks: Tasks, qtbot: QtBot) -> None:
    hold = threading.Event()

    def wait(_: Progress) -> bool:
        return hold.wait(60)

    done: list[bool] = []
    tasks.start("plain", wait, done=done.append, failed=pytest.fail)
    tasks.pause("plain")
    assert not tasks.is_paused("plain")
    hold.set()
    qtbot.waitUntil(lambda: done == [True])


def test_time_spent_paused_does_not_count_as_slowness(
    tasks: Tasks, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr("ui.tasks.time", SimpleNamespace(monotonic=lambda: clock[0]))
    rates: list[float] = []
    halfway, paused, waiting = threading.Event(), threading.Event(), list[bool]()

    def work(progress: Progress) -> None:
        progress.start(200, "Counting")
        for i in range(200):
            if i == 100:
                halfway.set()
                paused.wait(60)
            clock[0] += 0.02
            progress.advance()

    tasks.changed.connect(
        lambda state: state and state.advance and state.advance.rate and rates.append(state.advance.rate)
    )
    done, _ = _start(tasks, work)
    qtbot.waitUntil(halfway.is_set)
    tasks.pause("long")
    paused.set()
    tasks.start("guest", lambda _: waiting.append(True), done=lambda _: None, failed=pytest.fail, guest=True)
    qtbot.waitUntil(lambda: bool(waiting))
    clock[0] += 1000
    tasks.resume("long")
    qtbot.waitUntil(lambda: bool(done))
    assert len(rates) > 10
    assert rates == pytest.approx([50.0] * len(rates))
