"""Background work: results, progress, cancelling, latest wins, and the end."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from radcal.system.errors import Cancelled, DataError, InputError
from radcal.system.progress import Progress
from radcal.system.text import Text
from ui.tasks import Advance, Failure, Tasks, TaskState, _Reporting
from ui.window.task_bar import TaskBar, describe


class Heard:
    """What came back of an operation, with the thread that it came in."""

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.failed: list[Failure] = []
        self.stopped = 0
        self.threads: set[int] = set()

    def on_done(self, result: Any) -> None:
        self.threads.add(threading.get_ident())
        self.done.append(result)

    def on_failed(self, failure: Failure) -> None:
        self.threads.add(threading.get_ident())
        self.failed.append(failure)

    def on_stopped(self) -> None:
        self.stopped += 1

    @property
    def ended(self) -> bool:
        return bool(self.done or self.failed or self.stopped)

    def callbacks(self) -> dict[str, Callable[..., None]]:
        return {"done": self.on_done, "failed": self.on_failed, "stopped": self.on_stopped}


class Held:
    """Work that waits in the worker until it may go on."""

    def __init__(self, result: object = None) -> None:
        self.began, self.go_on = threading.Event(), threading.Event()
        self.result = result

    def __call__(self, _progress: Progress) -> object:
        self.began.set()
        self.go_on.wait(60)
        return self.result


class Endless:
    """Work that goes on until it is cancelled."""

    def __init__(self) -> None:
        self.began = threading.Event()

    def __call__(self, progress: Progress) -> None:
        self.began.set()
        while True:
            progress.raise_if_cancelled()
            time.sleep(0.002)


def test_result_comes_from_the_worker_to_the_gui_thread(qtbot: QtBot, tasks: Tasks) -> None:
    heard = Heard()
    tasks.start("look", lambda _progress: threading.get_ident(), **heard.callbacks())
    qtbot.waitUntil(lambda: heard.ended)
    assert heard.done != [threading.get_ident()]
    assert heard.threads == {threading.get_ident()}


@pytest.mark.parametrize(
    ("error", "text", "mendable"),
    [
        (InputError("march.csv has no column of exam times. Choose one."), "march.csv", True),
        (DataError("nothing to compute"), "nothing to compute", False),
        (ValueError("Patient Jane Roe has edema"), "", False),
    ],
)
def test_failure_carries_our_words_and_never_foreign_ones(
    qtbot: QtBot, tasks: Tasks, error: Exception, text: str, mendable: bool
) -> None:
    def work(_progress: Progress) -> None:
        raise error

    heard = Heard()
    tasks.start("look", work, **heard.callbacks())
    qtbot.waitUntil(lambda: heard.ended)
    (failure,) = heard.failed
    assert failure.text.startswith(text)
    assert bool(failure.text) == bool(text)
    assert failure.mendable is mendable
    assert "Jane" not in failure.technical
    assert type(error).__name__ in failure.technical
    assert "test_tasks.py" in failure.technical


def test_cancelled_work_stops_at_its_next_look(qtbot: QtBot, tasks: Tasks) -> None:
    heard, began, go_on = Heard(), threading.Event(), threading.Event()
    looks: list[str] = []

    def work(progress: Progress) -> None:
        progress.raise_if_cancelled()
        looks.append("before")
        began.set()
        go_on.wait(60)
        progress.raise_if_cancelled()
        looks.append("after")

    tasks.start("long", work, **heard.callbacks())
    qtbot.waitUntil(began.is_set)
    tasks.cancel("long")
    assert tasks.is_running("long")
    go_on.set()
    qtbot.waitUntil(lambda: heard.ended)
    assert looks == ["before"]
    assert (heard.done, heard.failed, heard.stopped) == ([], [], 1)
    assert not tasks.is_running("long")


def test_work_that_ends_despite_a_late_cancel_is_not_lost(qtbot: QtBot, tasks: Tasks) -> None:
    heard, work = Heard(), Held("written")
    tasks.start("save", work, **heard.callbacks())
    qtbot.waitUntil(work.began.is_set)
    tasks.cancel("save")
    work.go_on.set()
    qtbot.waitUntil(lambda: heard.ended)
    assert heard.done == ["written"]


def test_latest_run_wins(qtbot: QtBot, tasks: Tasks) -> None:
    old, new, work = Heard(), Heard(), Endless()
    tasks.start("look", work, **old.callbacks())
    qtbot.waitUntil(work.began.is_set)
    for i in range(20):
        tasks.start("look", lambda _progress, i=i: i, **new.callbacks())
    qtbot.waitUntil(lambda: tasks.is_idle)
    assert new.done == [19]
    assert not old.ended


def test_result_nobody_waits_for_is_discarded_in_the_worker(qtbot: QtBot, tasks: Tasks) -> None:
    heard, work, discarded = Heard(), Held("department"), list[tuple[str, int]]()

    def discard(result: str) -> None:
        discarded.append((result, threading.get_ident()))

    tasks.start("open", work, done=heard.on_done, failed=heard.on_failed, discard=discard)
    qtbot.waitUntil(work.began.is_set)
    tasks.start("open", lambda _progress: "other", **Heard().callbacks())
    work.go_on.set()
    qtbot.waitUntil(lambda: bool(discarded))
    ((result, thread),) = discarded
    assert result == "department"
    assert thread != threading.get_ident()
    assert not heard.ended


def test_shut_down_discards_late_results_then_runs_the_last_job(qtbot: QtBot) -> None:
    tasks, work, order, ended = Tasks(), Held("late"), list[str](), list[bool]()
    tasks.start("open", work, done=order.append, failed=order.append, discard=lambda r: order.append(f"discard {r}"))
    qtbot.waitUntil(work.began.is_set)
    tasks.shut_down(lambda: order.append("close"), lambda: ended.append(True))
    tasks.start("more", lambda _progress: order.append("never"), done=order.append, failed=order.append)
    work.go_on.set()
    qtbot.waitUntil(lambda: bool(ended))
    assert order == ["discard late", "close"]
    assert tasks.has_ended


def test_program_that_ends_takes_its_worker_along(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.tasks._WAIT_AT_MOST_MS", 60_000)
    tasks, work, order = Tasks(), Endless(), list[str]()
    tasks.start("long", work, **Heard().callbacks())
    qtbot.waitUntil(work.began.is_set)
    tasks.abandon(lambda: order.append("closed"))
    assert tasks.has_ended
    assert order == ["closed"]
    tasks.abandon(lambda: order.append("twice"))
    tasks.shut_down(None, lambda: order.append("never"))
    assert order == ["closed"]


def test_what_an_operation_held_is_free_once_its_end_is_told(qtbot: QtBot, tasks: Tasks) -> None:
    """The worker has let go of it before: a page that it let go of last would be deleted in the wrong thread."""

    class Snapshot:
        pass

    snapshot, go_on = Snapshot(), threading.Event()
    gone = weakref.ref(snapshot)
    heard = Heard()
    tasks._short.reported.connect(lambda _: go_on.wait(60), Qt.ConnectionType.DirectConnection)
    tasks.start("look", lambda _progress, s=snapshot: bool(s), **heard.callbacks())
    del snapshot
    qtbot.waitUntil(lambda: heard.ended)
    assert gone() is None
    go_on.set()


def test_progress_is_shown_with_rate_and_time_left(qtbot: QtBot, tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("ui.tasks.time.monotonic", lambda: clock[0])
    seen: list[Advance] = []
    progress = _Reporting(1, threading.Event(), seen.append)
    progress.start(1000, Text("Extracting findings"))
    for _ in range(100):
        clock[0] += 0.02
        progress.advance()
    assert len(seen) < 25  # no more than ten a second
    assert 90 <= seen[-1].done <= 100
    assert seen[-1].rate == pytest.approx(50, rel=0.02)
    assert seen[-1].left == pytest.approx(18, rel=0.02)
    assert seen[1].rate is None
    progress.advance(900)
    assert seen[-1].done == 1000


def test_cancelled_progress_raises() -> None:
    stop = threading.Event()
    progress = _Reporting(1, stop, lambda _advance: None)
    progress.raise_if_cancelled()
    stop.set()
    with pytest.raises(Cancelled):
        progress.raise_if_cancelled()
    with pytest.raises(Cancelled):
        progress.start(10, Text("More"))


def test_task_bar_says_what_is_under_way(qtbot: QtBot) -> None:
    bar = TaskBar()
    qtbot.addWidget(bar)
    bar.set_idle("Nothing leaves this computer.")
    assert bar.label.text() == "Nothing leaves this computer."
    advance = Advance(1, Text("Extracting findings"), 1204, 2662, rate=310 / 60, left=290)
    bar.show_task(TaskState("Importing reports", "open", advance, stopping=False))
    expected = "Extracting findings: 1,204 of 2,662 \u00b7 310 per minute \u00b7 5\u00a0min left"
    assert bar.label.text() == expected
    assert bar.bar.value() == 452
    assert bar.bar.maximum() == 1000
    with qtbot.waitSignal(bar.cancel) as asked:
        bar.button.click()
    assert asked.args == ["open"]
    bar.show_task(TaskState("Importing reports", "open", advance, stopping=True))
    assert not bar.button.isEnabled()
    assert bar.label.text() == "Importing reports: stopping"
    bar.show_task(TaskState("Opening", "open", None, stopping=False))
    assert (bar.bar.minimum(), bar.bar.maximum()) == (0, 0)
    assert bar.label.text() == "Opening"
    bar.show_task(None)
    assert bar.label.text() == "Nothing leaves this computer."
    assert bar.bar.isHidden()


def test_total_beyond_qt_integers_is_no_trouble(qtbot: QtBot) -> None:
    bar = TaskBar()
    qtbot.addWidget(bar)
    advance = Advance(1, Text("x"), 3 * 10**12, 4 * 10**12, note=Text("march.csv"))
    bar.show_task(TaskState("x", "x", advance, stopping=False))
    assert bar.bar.value() == 750
    assert describe(TaskState("x", "x", Advance(1, Text("Reading"), 0, None), stopping=False)) == "Reading"
    assert bar.label.text().endswith("march.csv")


def test_the_pace_is_said_once(qtbot: QtBot) -> None:
    noted = Advance(1, Text("Extracting findings"), 30, 90, note=Text("720 reports a minute"), rate=12, left=5)
    shown = describe(TaskState("x", "x", noted, stopping=False))
    assert shown == "Extracting findings: 30 of 90 \u00b7 12 per second \u00b7 5\u00a0s left"
    assert describe(TaskState("x", "x", noted, stopping=False, paused=True)).endswith(" of 90 \u00b7 paused")
