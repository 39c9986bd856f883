"""Background work: one worker thread, operations that can be cancelled, one signal back.

A :class:`Tasks` runs operations one after the other in a single thread of its own, because a workspace
has a single writer and its database connection stays in the thread that made it.  The window never waits:

- an operation is a plain function of a Progress; it gets its input as immutable records and returns a record
- a newer run of the same operation cancels and disconnects the older one (latest wins)
- everything comes back through one ``Signal(object)`` that carries a record, and is handled in the GUI thread
- a failure crosses as words and code locations only: an exception may hold report text, so it stays behind
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot

from radcal.errors import Cancelled, InputError, RadcalError
from radcal.progress import Progress

Work = Callable[[Progress], Any]
_REPORT_EVERY = 0.1
"""Seconds between two progress records: more often than that nobody can read."""

_WAIT_AT_MOST_MS = 5000


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an operation failed.

    text: what to tell the user; '' for an error of RadCal's own
    mendable: the user can do something about it
    technical: the kind of error and where in the code, never its message
    kind: the name of the kind of error, to offer what mends it
    """

    text: str
    mendable: bool
    technical: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Advance:
    """How far an operation is.  ``rate`` is parts per second, ``left`` seconds; None while unknown."""

    number: int
    what: str
    done: int
    total: int | None
    note: str = ""
    rate: float | None = None
    left: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """An operation has ended: with a result, a failure, or cancelled."""

    number: int
    result: Any = None
    failure: Failure | None = None
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class TaskState:
    """What the status bar shows: the operation at the head of the queue, None when there is nothing to show."""

    title: str
    operation: str
    advance: Advance | None
    stopping: bool


def failure_of(error: Exception) -> Failure:
    """The failure as it may be shown: messages that RadCal wrote, and code locations."""
    frames = traceback.extract_tb(error.__traceback__)
    where = "\n".join(f"  {Path(f.filename).name}:{f.lineno} in {f.name}" for f in frames)
    text = str(error) if isinstance(error, RadcalError) else ""
    kind = type(error).__name__
    return Failure(text, isinstance(error, InputError), f"{kind}\n{where}", kind)


class _Reporting:
    """The Progress of one operation: measures the rate and passes records on, at a readable pace."""

    def __init__(self, number: int, stop: threading.Event, report: Callable[[Advance], None]) -> None:
        self._number, self._stop, self._report = number, stop, report
        self._what, self._done = "", 0
        self._total: int | None = None
        self._began = self._reported = time.monotonic()

    def start(self, total: int | None, what: str) -> None:
        self.raise_if_cancelled()
        self._what, self._done, self._total = what, 0, total
        self._began = self._reported = time.monotonic()
        self._report(Advance(self._number, what, 0, total))

    def advance(self, n: int = 1, note: str = "") -> None:
        self._done += n
        now = time.monotonic()
        if now - self._reported < _REPORT_EVERY and self._done != self._total:
            return
        self._reported = now
        elapsed = now - self._began
        # The first second tells nothing about the rest.
        rate = self._done / elapsed if elapsed >= 1.0 and self._done else None
        left = (self._total - self._done) / rate if rate and self._total is not None else None
        self._report(Advance(self._number, self._what, self._done, self._total, note, rate, left))

    def raise_if_cancelled(self) -> None:
        if self._stop.is_set():
            raise Cancelled


@dataclass(slots=True)
class _Task:
    """An operation from its start to its outcome; without ``done`` it is disconnected."""

    number: int
    operation: str
    title: str
    keeps: bool
    stop: threading.Event
    done: Callable[[Any], None] | None
    failed: Callable[[Failure], None] | None
    stopped: Callable[[], None] | None
    discard: Callable[[Any], None] | None
    advance: Advance | None = None


class _Worker(QThread):
    """Runs what is in its queue, in order, in one thread."""

    reported = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("RadCal worker")
        self._jobs: queue.SimpleQueue[tuple[int, threading.Event, Work] | None] = queue.SimpleQueue()

    def put(self, number: int, stop: threading.Event, work: Work) -> None:
        self._jobs.put((number, stop, work))

    def end(self) -> None:
        self._jobs.put(None)

    def run(self) -> None:
        while (job := self._jobs.get()) is not None:
            self.reported.emit(self._outcome(*job))
            del job  # what the operation held must not live on in this thread until the next one comes

    def _outcome(self, number: int, stop: threading.Event, work: Work) -> Outcome:
        progress = _Reporting(number, stop, self.reported.emit)
        try:
            progress.raise_if_cancelled()
            return Outcome(number, result=work(progress))
        except Cancelled:
            return Outcome(number, cancelled=True)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in a worker becomes a message, not a crash
            return Outcome(number, failure=failure_of(error))


class Tasks(QObject):
    """Starts, follows and stops background operations; lives in the GUI thread.

    ``changed`` carries the TaskState to show, or None.
    """

    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._tasks: dict[int, _Task] = {}
        self._closing: Callable[[], None] | None = None
        self._last: Callable[[], None] | None = None
        # No parent: the thread must have ended before its object goes, whatever becomes of ours.
        self._worker = _Worker()
        self._worker.reported.connect(self._receive, Qt.ConnectionType.QueuedConnection)
        self._worker.start()

    def start(
        self,
        operation: str,
        work: Work,
        *,
        done: Callable[[Any], None],
        failed: Callable[[Failure], None],
        title: str = "",
        stopped: Callable[[], None] | None = None,
        discard: Callable[[Any], None] | None = None,
        keeps: bool = False,
    ) -> None:
        """Run ``work`` in the background.

        operation: its name; a run of the same name that is under way is cancelled and disconnected
        title: shown in the status bar; '' for work too short to be shown
        done, failed, stopped: called in the GUI thread, exactly one of them, unless a newer run came
        discard: frees, in the worker, a result that came too late for ``done``
        keeps: the work writes, so closing asks before it stops it
        """
        if self._closing is not None:
            return
        self._disconnect(operation)
        task = _Task(next(self._numbers), operation, title, keeps, threading.Event(), done, failed, stopped, discard)
        self._tasks[task.number] = task
        self._worker.put(task.number, task.stop, work)
        self._show()

    def tidy(self, work: Callable[[], None]) -> None:
        """Run ``work`` in the worker after all that is queued; it cannot be cancelled and nobody is told."""
        self._worker.put(0, threading.Event(), lambda _progress: work())

    def cancel(self, operation: str) -> None:
        """Ask the operation to stop; ``stopped`` is called once it has."""
        for task in self._tasks.values():
            if task.operation == operation:
                task.stop.set()
        self._show()

    def forget(self, operation: str) -> None:
        """Stop the operation and tell nobody."""
        self._disconnect(operation)
        self._show()

    def is_running(self, operation: str) -> bool:
        """Whether a run of the operation is queued or under way and still connected."""
        return any(t.operation == operation and t.done is not None for t in self._tasks.values())

    def keeping(self) -> str:
        """The title of work under way that writes, '' if there is none."""
        return next((t.title for t in self._tasks.values() if t.keeps and t.done is not None), "")

    def shut_down(self, last: Callable[[], None] | None, then: Callable[[], None]) -> None:
        """Stop everything, run ``last`` in the worker, end the thread, and call ``then`` in the GUI thread.

        Work under way stops at its next look at the progress; what it has committed is kept.
        """
        if self._closing is not None:
            return
        self._closing, self._last = then, last
        for operation in {t.operation for t in self._tasks.values()}:
            self._disconnect(operation)
        self._worker.finished.connect(self._finished, Qt.ConnectionType.QueuedConnection)
        self._show()
        self._end_when_idle()

    def abandon(self, last: Callable[[], None] | None) -> None:
        """End at once, because the program does: stop what is under way, run ``last``, wait for the thread."""
        if self._closing is not None:
            return
        self._closing = _nothing
        for task in self._tasks.values():
            task.stop.set()
        if last is not None:
            self.tidy(last)
        self._worker.end()
        self._worker.wait(_WAIT_AT_MOST_MS)

    def _end_when_idle(self) -> None:
        # What ended too late for anybody is discarded in the worker first, so the end is queued after it.
        if self._closing is None or self._tasks:
            return
        if self._last is not None:
            self.tidy(self._last)
        self._last = None
        self._worker.end()

    def _disconnect(self, operation: str) -> None:
        for task in self._tasks.values():
            if task.operation == operation:
                task.done = task.failed = task.stopped = None
                task.stop.set()

    @Slot(object)
    def _receive(self, record: Advance | Outcome) -> None:
        task = self._tasks.get(record.number)
        if task is None:
            return
        if isinstance(record, Advance):
            task.advance = record
            self._show()
            return
        del self._tasks[record.number]
        self._hand_over(task, record)
        self._show()
        self._end_when_idle()

    def _hand_over(self, task: _Task, record: Outcome) -> None:
        if record.cancelled or task.done is None:
            if task.discard is not None and record.result is not None:
                self.tidy(partial(task.discard, record.result))
            if task.stopped is not None:
                task.stopped()
        elif record.failure is not None:
            if task.failed is not None:
                task.failed(record.failure)
        else:
            task.done(record.result)

    @Slot()
    def _finished(self) -> None:
        self._worker.wait()
        then, self._closing = self._closing, _nothing
        if then is not None:
            then()

    def _show(self) -> None:
        shown = next((t for t in self._tasks.values() if t.title), None)
        state = shown and TaskState(shown.title, shown.operation, shown.advance, shown.stop.is_set())
        self.changed.emit(state)


def _nothing() -> None:
    """What is left to do after the end."""
