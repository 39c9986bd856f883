"""Long work lets short operations run between its parts, waits while paused, and still stops at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from radcal.progress import Progress
from ui.tasks import Tasks, TaskState


@pytest.fixture
def tasks(qtbot: QtBot) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    over: list[bool] = []
    made.shut_down(None, partial(over.append, True))
    qtbot.waitUntil(lambda: bool(over))
    made.deleteLater()


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


def test_who_is_no_guest_waits_for_the_end(tasks: Tasks, qtbot: QtBot) -> None:
    long, order = Long(), list[str]()
    done, _ = _start(tasks, long)
    tasks.start("opening", lambda _: None, done=lambda _: order.append("opening"), failed=pytest.fail)
    tasks.start("short", lambda _: None, done=lambda _: order.append("short"), failed=pytest.fail, guest=True)
    qtbot.waitUntil(lambda: order == ["short"])
    assert not done
    long.end.set()
    qtbot.waitUntil(lambda: order == ["short", "opening"])


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


def test_paused_work_waits_serves_guests_and_goes_on(tasks: Tasks, qtbot: QtBot) -> None:
    long, guests = Long(), list[Any]()
    shown: list[TaskState | None] = []
    tasks.changed.connect(shown.append)
    done, _ = _start(tasks, long)
    qtbot.waitUntil(lambda: long.parts > 3)
    tasks.pause("long")
    assert tasks.is_paused("long")
    assert shown[-1] is not None
    assert shown[-1].paused
    qtbot.wait(30)
    stood = long.parts
    qtbot.wait(150)
    assert long.parts == stood
    tasks.start("short", lambda _: 1, done=guests.append, failed=pytest.fail, guest=True)
    qtbot.waitUntil(lambda: guests == [1])
    assert long.parts == stood
    tasks.resume("long")
    qtbot.waitUntil(lambda: long.parts > stood + 3)
    long.end.set()
    qtbot.waitUntil(lambda: bool(done))


def test_paused_work_is_stopped_within_half_a_second(tasks: Tasks, qtbot: QtBot) -> None:
    long = Long()
    _, stopped = _start(tasks, long)
    qtbot.waitUntil(lambda: long.parts > 3)
    tasks.pause("long")
    qtbot.wait(120)
    began = time.monotonic()
    tasks.cancel("long")
    qtbot.waitUntil(lambda: bool(stopped))
    assert time.monotonic() - began < 0.5


def test_only_work_that_shares_is_paused(tasks: Tasks, qtbot: QtBot) -> None:
    hold = threading.Event()

    def wait(_: Progress) -> bool:
        return hold.wait(5)

    done: list[bool] = []
    tasks.start("plain", wait, done=done.append, failed=pytest.fail)
    tasks.pause("plain")
    assert not tasks.is_paused("plain")
    hold.set()
    qtbot.waitUntil(lambda: done == [True])


def test_time_spent_paused_does_not_count_as_slowness(tasks: Tasks, qtbot: QtBot) -> None:
    rates: list[float] = []
    go = threading.Event()

    def work(progress: Progress) -> None:
        progress.start(200, "Counting")
        for i in range(200):
            progress.advance()
            if i == 100:
                go.set()
            time.sleep(0.012)

    tasks.changed.connect(
        lambda state: state and state.advance and state.advance.rate and rates.append(state.advance.rate)
    )
    done, _ = _start(tasks, work)
    qtbot.waitUntil(go.is_set)
    tasks.pause("long")
    qtbot.wait(1500)
    tasks.resume("long")
    qtbot.waitUntil(lambda: bool(done))
    assert min(rates) > 0.6 * max(rates)


def test_closing_ends_paused_work(qtbot: QtBot) -> None:
    tasks, long, over = Tasks(), Long(), list[bool]()
    _start(tasks, long)
    qtbot.waitUntil(lambda: long.parts > 1)
    tasks.pause("long")
    tasks.shut_down(None, partial(over.append, True))
    qtbot.waitUntil(lambda: bool(over))
    tasks.deleteLater()
