"""Background work: two worker threads, operations that can be cancelled, one signal back.

A :class:`Tasks` runs operations one after the other in a thread of its own.  Long ones, such as the reading of all
reports, run one after the other in a second thread, so that a page or a PDF does not wait for them: a workspace takes
one statement or transaction at a time, from any thread.  What replaces the open department runs there too, but alone,
except where it says that others may run beside it (:func:`radcal.system.progress.beside`).  The window never blocks:

- an operation is a plain function of a Progress; it receives immutable records and returns a record
- a newer run of the same operation cancels and disconnects the older one (latest wins)
- work that shares can be paused between two of its parts; in the thread of the short ones, it lets others of them
  ("guests") run there
- everything returns through one ``Signal(object)`` that carries a record, and is handled in the GUI thread
- a failure crosses as text and code locations only: an exception may hold report text, so it stays behind
"""

from __future__ import annotations

import itertools
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot

from radcal.system import faults
from radcal.system.errors import Cancelled, InputError, RadcalError
from radcal.system.progress import Progress
from radcal.system.text import EMPTY, Text

Work = Callable[[Progress], Any]
_REPORT_EVERY = 0.1
"""Seconds between two progress records: nobody reads faster."""
_WAIT_AT_MOST_MS = 5000
_LOOK_EVERY = 0.1
"""Polling interval of paused work, in seconds."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an operation failed.

    text: message for the user; '' for a bug in RadCal
    mendable: the user can do something about it
    technical: exception class and code locations, never its message
    kind: name of the exception class, to offer a remedy
    """

    text: str
    mendable: bool
    technical: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Advance:
    """Progress of an operation.  ``rate``: parts per second;  ``left``: seconds;  None while unknown."""

    number: int
    what: Text
    done: int
    total: int | None
    note: Text = EMPTY
    rate: float | None = None
    left: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of an operation: a result, a failure, or cancelled."""

    number: int
    result: Any = None
    failure: Failure | None = None
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class TaskState:
    """The operation at the head of the queue, as the status bar shows it.

    shares: it can be paused;  others: number of further operations queued or running
    """

    title: str
    operation: str
    advance: Advance | None
    stopping: bool
    shares: bool = False
    paused: bool = False
    others: int = 0


def failure_of(error: Exception) -> Failure:
    """The failure in a form safe to display: RadCal's own message, and code locations."""
    frames = traceback.extract_tb(error.__traceback__)
    where = "\n".join(f"  {Path(f.filename).name}:{f.lineno} in {f.name}" for f in frames)
    text = str(error) if isinstance(error, RadcalError) else ""
    kind = type(error).__name__
    return Failure(text, isinstance(error, InputError), f"{kind}\n{where}", kind)


class _Reporting:
    """The Progress of one operation: measures the rate and emits records at a readable pace."""

    def __init__(
        self,
        number: int,
        stop: threading.Event,
        report: Callable[[Advance], None],
        between: Callable[[], float] | None = None,
        room: threading.Lock | None = None,
    ) -> None:
        self._number, self._stop, self._report, self._between = number, stop, report, between
        self._room = room
        self._what, self._done = EMPTY, 0
        self._total: int | None = None
        self._began = self._reported = time.monotonic()

    def start(self, total: int | None, what: Text) -> None:
        self.raise_if_cancelled()
        self._what, self._done, self._total = what, 0, total
        self._began = self._reported = time.monotonic()
        self._report(Advance(self._number, what, 0, total))

    def advance(self, n: int = 1, note: Text = EMPTY) -> None:
        self._done += n
        self._give_way()
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
        self._give_way()
        if self._stop.is_set():
            raise Cancelled

    @contextmanager
    def beside(self) -> Iterator[None]:
        """While the block runs, others may run beside work that otherwise runs alone."""
        if self._room is None:
            yield
            return
        self._room.release()
        try:
            yield
        finally:
            self._room.acquire()

    def _give_way(self) -> None:
        """Let guests run, and wait while paused; neither counts towards the rate."""
        if self._between is not None:
            away = self._between()
            self._began += away
            self._reported += away


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """An operation as the worker sees it."""

    number: int
    work: Work
    shares: bool = False
    guest: bool = False
    alone: bool = False
    operation: str = ""
    room: threading.Lock | None = None
    """Held while it runs; None for work that others run beside."""
    stop: threading.Event = field(default_factory=threading.Event)
    pause: threading.Event = field(default_factory=threading.Event)


@dataclass(slots=True)
class _Task:
    """An operation from start to outcome; without ``done`` it is disconnected."""

    job: _Job
    operation: str
    title: str
    keeps: bool
    done: Callable[[Any], None] | None
    failed: Callable[[Failure], None] | None
    stopped: Callable[[], None] | None
    discard: Callable[[Any], None] | None
    advance: Advance | None = None


class _Worker(QThread):
    """Runs queued jobs in order in one thread; guests also run between the parts of work that shares."""

    reported = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._jobs: deque[_Job | None] = deque()
        self._changed = threading.Condition()

    def put(self, job: _Job | None) -> None:
        """Queue a job, None for the end of the thread."""
        with self._changed:
            self._jobs.append(job)
            self._changed.notify()

    def wake(self) -> None:
        """Have paused work check whether to resume."""
        with self._changed:
            self._changed.notify()

    def run(self) -> None:
        while (job := self._next()) is not None:
            with _held(job):
                outcome = self._outcome(job)
            del job  # who asked lets go of its closure last: it may hold widgets, which must not be deleted here
            self.reported.emit(outcome)
            del outcome  # or the result would stay alive in this thread until the next job

    def _next(self) -> _Job | None:
        with self._changed:
            self._changed.wait_for(lambda: bool(self._jobs))
            return self._jobs.popleft()

    def _outcome(self, job: _Job) -> Outcome:
        between = partial(self._serve, job) if job.shares else None
        progress = _Reporting(job.number, job.stop, self.reported.emit, between, job.room if job.alone else None)
        try:
            progress.raise_if_cancelled()
            return Outcome(job.number, result=job.work(progress))
        except Cancelled:
            return Outcome(job.number, cancelled=True)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in a worker becomes a message, not a crash
            faults.record(error, faults.in_window(job.operation))
            return Outcome(job.number, failure=failure_of(error))

    def _serve(self, host: _Job) -> float:
        """Run waiting guests, and wait while the host is paused; returns the seconds spent."""
        if not self._jobs and not host.pause.is_set():
            return 0.0
        began = time.monotonic()
        while True:
            with self._changed:
                guest = next((job for job in self._jobs if job is not None and job.guest), None)
                if guest is not None:
                    self._jobs.remove(guest)
                elif host.pause.is_set() and not host.stop.is_set():
                    self._changed.wait(_LOOK_EVERY)
                    continue
                else:
                    return time.monotonic() - began
            outcome = self._outcome(guest)
            del guest
            self.reported.emit(outcome)
            del outcome


@contextmanager
def _held(job: _Job) -> Iterator[None]:
    """Hold the job's room, unless it is stopped before it gets it."""
    while job.room is not None and not job.room.acquire(timeout=_LOOK_EVERY):
        if job.alone and job.stop.is_set():
            yield  # it ends at its first look at the progress
            return
    try:
        yield
    finally:
        if job.room is not None:
            job.room.release()


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
        self._room = threading.Lock()
        # No parent: the threads must have ended before their objects go, whatever becomes of ours.
        self._short, self._long = _Worker("RadCal worker"), _Worker("RadCal long work")
        self._workers = (self._long, self._short)
        for worker in self._workers:
            worker.reported.connect(self._receive, Qt.ConnectionType.QueuedConnection)
            worker.start()

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
        shares: bool = False,
        guest: bool = False,
        long: bool = False,
        alone: bool = False,
    ) -> None:
        """Run ``work`` in the background.

        operation: its name; a running operation of the same name is cancelled and disconnected
        title: shown in the status bar; '' for work too short to be shown
        done, failed, stopped: exactly one is called, in the GUI thread, unless there is a newer run
        discard: frees, in the worker, a result that came too late for ``done``
        keeps: the work writes, so closing asks before stopping it
        shares: whenever it reports progress, guests may run and it can be paused; it must not be inside a
            transaction then
        guest: may run between the parts of work that shares
        long: it may take minutes, so that others run beside it; only other long work waits for it
        alone: long work beside which nothing runs, except where it allows that
        """
        if self._closing is not None:
            return
        self._disconnect(operation)
        room = None if long and not alone else self._room
        job = _Job(next(self._numbers), work, shares, guest, alone, operation, room)
        self._tasks[job.number] = _Task(job, operation, title, keeps, done, failed, stopped, discard)
        (self._long if long or alone else self._short).put(job)
        self.tell()

    def tidy(self, work: Callable[[], object]) -> None:
        """Run ``work`` in the worker after all queued short jobs; no cancelling, no notification."""
        self._short.put(_Job(0, lambda _progress: work(), room=self._room))

    def cancel(self, operation: str) -> None:
        """Ask the operation to stop; ``stopped`` is called once it has."""
        for task in self._tasks.values():
            if task.operation == operation:
                task.job.stop.set()
        self._wake()
        self.tell()

    def _wake(self) -> None:
        for worker in self._workers:
            worker.wake()

    def pause(self, operation: str) -> None:
        """Pause the operation at its next progress report; only work that shares can be paused."""
        self._set_paused(operation, paused=True)

    def resume(self, operation: str) -> None:
        """Resume a paused operation."""
        self._set_paused(operation, paused=False)

    def is_paused(self, operation: str) -> bool:
        """Whether the operation is paused."""
        return any(t.operation == operation and t.job.pause.is_set() for t in self._tasks.values())

    def _set_paused(self, operation: str, *, paused: bool) -> None:
        for task in self._tasks.values():
            if task.operation == operation and task.job.shares:
                (task.job.pause.set if paused else task.job.pause.clear)()
        self._wake()
        self.tell()

    def forget(self, operation: str) -> None:
        """Cancel the operation without any callback."""
        self._disconnect(operation)
        self.tell()

    def is_running(self, operation: str) -> bool:
        """Whether the operation is queued or running, and still connected."""
        return any(t.operation == operation and t.done is not None for t in self._tasks.values())

    @property
    def is_idle(self) -> bool:
        """Whether nothing is queued or running."""
        return not self._tasks

    @property
    def has_room(self) -> bool:
        """Whether nothing is queued or running but long work that others run beside."""
        return all(task.job.room is None for task in self._tasks.values())

    @property
    def has_ended(self) -> bool:
        """Whether the worker threads have finished."""
        return all(worker.isFinished() for worker in self._workers)

    def keeping(self) -> str:
        """The title of queued or running work that writes, '' if there is none."""
        return next((t.title for t in self._tasks.values() if t.keeps and t.done is not None), "")

    def shut_down(self, last: Callable[[], None] | None, then: Callable[[], None]) -> None:
        """Stop everything, run ``last`` in the worker, end the threads, and call ``then`` in the GUI thread.

        Running work stops at its next progress report; what it has committed is kept.
        """
        if self._closing is not None:
            return
        self._closing, self._last = then, last
        for operation in {t.operation for t in self._tasks.values()}:
            self._disconnect(operation)
        for worker in self._workers:
            worker.finished.connect(self._finished, Qt.ConnectionType.QueuedConnection)
        self.tell()
        self._end_when_idle()

    def abandon(self, last: Callable[[], None] | None) -> None:
        """End at once, as the program exits: cancel everything, run ``last``, wait for the threads."""
        if self._closing is not None:
            return
        self._closing = _nothing
        for task in self._tasks.values():
            task.job.stop.set()
        self._long.put(None)
        self._long.wait(_WAIT_AT_MOST_MS)  # long work keeps what it has done before ``last`` closes
        if last is not None:
            self.tidy(last)
        self._short.put(None)
        self._short.wait(_WAIT_AT_MOST_MS)

    def _end_when_idle(self) -> None:
        # Late results are discarded in the worker first, so the end is queued after them.
        if self._closing is None or self._tasks:
            return
        if self._last is not None:
            self.tidy(self._last)
        self._last = None
        for worker in self._workers:
            worker.put(None)

    def _disconnect(self, operation: str) -> None:
        for task in self._tasks.values():
            if task.operation == operation:
                task.done = task.failed = task.stopped = None
                task.job.stop.set()
        self._wake()

    @Slot(object)
    def _receive(self, record: Advance | Outcome) -> None:
        task = self._tasks.get(record.number)
        if task is None:
            return
        if isinstance(record, Advance):
            task.advance = record
            self.tell()
            return
        del self._tasks[record.number]
        self._hand_over(task, record)
        self.tell()
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
        if not self.has_ended:
            return
        for worker in self._workers:
            worker.wait()
        then, self._closing = self._closing, _nothing
        if then is not None:
            then()

    def tell(self) -> None:
        """Tell what is at work now."""
        shown = [t for t in self._tasks.values() if t.title]
        if not shown:
            self.changed.emit(None)
            return
        first = shown[0]
        self.changed.emit(
            TaskState(
                first.title,
                first.operation,
                first.advance,
                first.job.stop.is_set(),
                first.job.shares,
                first.job.pause.is_set(),
                len(shown) - 1,
            )
        )


def _nothing() -> None:
    """Nothing to do at the end."""
