"""The same question about many items, answered by several child processes side by side, in order.

The first items are answered in this process, and all of a small job, which starts no other.  Each child answers
batches of items, two of which it is given at a time, so that it never waits for the next; a few batches a child are in
memory, however many items there are.  An item during whose batch a child dies is asked about again alone, in a new
child; if that dies as well, it is LOST.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, BinaryIO, Final, TypeAlias

from radcal.system.errors import EngineError, reason_of
from radcal.system.processes import Child
from radcal.system.progress import Progress

Plain: TypeAlias = Any
"""What JSON can say."""
_AT_ONCE = 2
"""Batches that a child holds."""
_WINDOW = 4
"""Batches a child that may wait for each other's answers."""
_LOOK_SECONDS = 0.1
"""Longest wait between two checks for cancellation and pauses."""
_READY = ["ready"]


class Lost:
    """In place of the answer about an item that killed two children."""


LOST: Final = Lost()


Answer: TypeAlias = Callable[[Plain], Plain]
"""What answers the question about one item."""
Prepare: TypeAlias = Callable[[Plain], Answer]
"""What makes that of the parent's order."""


def processors() -> int:
    """The processors that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def number_of(wanted: int, most: int) -> int:
    """How many workers a setting stands for; 0: one for each processor, up to ``most``, beyond which none pays."""
    return wanted or min(processors(), most)


# --- the parent's side ------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Batch:
    """Items in order with their answers, and the tasks that are still to bring some."""

    items: list[Plain]
    answers: list[Plain | Lost] = field(default_factory=list)
    open: int = 0

    def __post_init__(self) -> None:
        self.answers = [None] * len(self.items)
        self.open = len(self.items)


@dataclass(slots=True, frozen=True, eq=False)
class _Task:
    """Items of a batch to be asked about; ``again`` if a child died of them or of their neighbours."""

    batch: _Batch
    start: int
    stop: int
    again: bool = False

    def items(self) -> list[Plain]:
        return self.batch.items[self.start : self.stop]

    def done(self, answers: Iterable[Plain | Lost]) -> None:
        self.batch.answers[self.start : self.stop] = answers
        self.batch.open -= self.stop - self.start

    def alone(self) -> list[_Task]:
        return [_Task(self.batch, i, i + 1, again=True) for i in range(self.start, self.stop)]


class _Worker:
    """A child process, and the tasks that it holds, in the order of its answers."""

    def __init__(self, module: str, order: Plain, said: queue.SimpleQueue[tuple[_Worker, Plain]]) -> None:
        self.tasks: deque[_Task] = deque()
        self.ready = False

        def hear(line: bytes | None) -> None:
            said.put((self, None if line is None else unpacked(line)))

        try:
            self._child = Child(module, on_line=hear)
        except OSError as error:
            raise _not_started(reason_of(error)) from error
        self.kill = self._child.kill
        self._child.send(packed(order))

    def give(self, task: _Task) -> None:
        """Ask about some items."""
        self.tasks.append(task)
        self._child.send(packed(task.items()))


class Workers:
    """Children that answer the question about items; none runs between two calls.

    Args:
        module: the children's, whose ``main`` calls :func:`serve`; the packaged program must know it.
        order: what its ``prepare`` is given.
        n: the number of children; 1 for none, so that all is answered in this process.
        batch: items that a child is given at a time: some tenths of a second of work.
        here: answers in this process;  few: the items that take as long as starting a child; so many are answered here
            first, and children are started where at least as many follow
    """

    def __init__(self, module: str, order: Plain, n: int, batch: int, here: Answer, few: int) -> None:
        self._module, self._order, self._n, self._batch = module, order, n, batch
        self._here, self._few = here, few
        self._going = threading.Event()
        self._going.set()

    def pause(self) -> None:
        """Hand out no more items and give no answers, until :meth:`resume`; from any thread."""
        self._going.clear()

    def resume(self) -> None:
        """Go on after :meth:`pause`; from any thread."""
        self._going.set()

    def __call__(self, items: Iterable[Plain], progress: Progress) -> Iterator[Plain | Lost]:
        """The answer about each item, in order; LOST for one that killed two children.

        The items are taken as they are needed, or ``few`` ahead of that, in the thread of the caller.

        Raises:
            EngineError: the children cannot be started.
            Cancelled: by ``progress``, at most half a second late.
        """
        rest = iter(items)
        yield from self._answers_here(islice(rest, self._few) if self._n > 1 else rest, progress)
        outlook = list(islice(rest, self._few))
        if len(outlook) < self._few:
            yield from self._answers_here(outlook, progress)
            return
        said: queue.SimpleQueue[tuple[_Worker, Plain]] = queue.SimpleQueue()
        workers: list[_Worker] = []
        try:
            yield from self._answers(chain(outlook, rest), progress, said, workers)
        finally:
            for worker in workers:
                worker.kill()

    def _answers_here(self, items: Iterable[Plain], progress: Progress) -> Iterator[Plain]:
        for item in items:
            progress.raise_if_cancelled()
            while not self._going.wait(_LOOK_SECONDS):
                progress.raise_if_cancelled()
            yield self._here(item)

    def _answers(
        self,
        items: Iterator[Plain],
        progress: Progress,
        said: queue.SimpleQueue[tuple[_Worker, Plain]],
        workers: list[_Worker],
    ) -> Iterator[Plain | Lost]:
        window: deque[_Batch] = deque()
        todo: deque[_Task] = deque()
        more = True
        while True:
            progress.raise_if_cancelled()
            if not self._going.wait(_LOOK_SECONDS):
                continue
            if more and len(window) < _WINDOW * self._n and len(todo) < self._n:
                taken = list(islice(items, self._batch))
                more = bool(taken)
                if more:
                    window.append(_Batch(taken))
                    todo.append(_Task(window[-1], 0, len(taken)))
            self._hand_out(todo, workers, said)
            while window and not window[0].open:
                yield from window.popleft().answers
            if not (more or window):
                return
            wanted = more and len(window) < _WINDOW * self._n and len(todo) < self._n
            with contextlib.suppress(queue.Empty):
                self._hear(*said.get(timeout=0.0 if wanted else _LOOK_SECONDS), todo, workers)

    def _hand_out(
        self, todo: deque[_Task], workers: list[_Worker], said: queue.SimpleQueue[tuple[_Worker, Plain]]
    ) -> None:
        """Give tasks to the children that hold the fewest, starting children as long as there is work for them."""
        while todo:
            least = min(workers, key=lambda worker: len(worker.tasks), default=None)
            if (least is None or least.tasks) and len(workers) < self._n:
                workers.append(least := _Worker(self._module, self._order, said))
            # What may kill it has a child to itself, so that nothing else is lost with it.
            alone = todo[0].again
            if least is None or len(least.tasks) >= (1 if alone else _AT_ONCE) or any(t.again for t in least.tasks):
                return
            least.give(todo.popleft())

    @staticmethod
    def _hear(worker: _Worker, answers: Plain, todo: deque[_Task], workers: list[_Worker]) -> None:
        """Take a child's answers, or its death."""
        if worker not in workers:
            return
        if answers == _READY and not worker.ready:
            worker.ready = True
        elif answers is not None:
            worker.tasks.popleft().done(answers)
        elif not worker.ready:
            raise _not_started("")
        else:
            workers.remove(worker)
            worker.kill()
            killed = worker.tasks.popleft() if worker.tasks else None
            todo.extendleft(reversed(worker.tasks))
            if killed is not None and killed.again:
                killed.done([LOST])
            elif killed is not None:
                todo.extendleft(reversed(killed.alone()))


def _not_started(why: str) -> EngineError:
    if why:
        return EngineError("The processes that read reports cannot be started: {why}.", why=why)
    return EngineError(
        "The processes that read reports end as soon as they are started. Set the number of processes to 1, and report "
        "this."
    )


# --- the child's side -------------------------------------------------------------------------------


def serve(prepare: Prepare) -> None:
    """Answer the parent's batches over the standard streams until it has gone; the ``main`` of a child.

    Args:
        prepare: makes of the parent's order what answers.
    """
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints looks like an answer
    try:
        _answer(sys.stdin.buffer, channel, prepare)
    except BaseException:  # noqa: BLE001 - its message may contain report text; the parent sees that the child is gone
        os._exit(1)
    os._exit(0)


def _answer(lines: BinaryIO, channel: BinaryIO, prepare: Prepare) -> None:
    answer = prepare(unpacked(lines.readline()))
    channel.write(packed(_READY))
    channel.flush()
    for line in lines:
        channel.write(packed([answer(item) for item in unpacked(line)]))
        channel.flush()


def packed(value: Plain) -> bytes:
    """A value as a line of JSON."""
    import orjson

    try:
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # half characters, which only JSON's escapes can say
        return json.dumps(value).encode("ascii") + b"\n"


def unpacked(line: bytes) -> Plain:
    """The inverse of :func:`packed`."""
    import orjson

    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return json.loads(line)
