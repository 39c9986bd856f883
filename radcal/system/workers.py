"""The same question about many items, answered side by side, in order: by child processes, or by a cluster.

Whoever answers is an Executor of ``concurrent.futures`` that is given one batch of items at a time
(:func:`answered`): :class:`Children`, or for the time of a block the one of :func:`elsewhere`.  Children are started
for large jobs alone: the first items are answered in this process.  A few batches for each that answers are in memory,
however many items there are.  An item during whose batch it dies is asked about again alone; if that fails as well, the
item is LOST.  As anything may end what answers elsewhere, what is lost there is asked about in a child here, too.
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
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import dataclass, field
from importlib import import_module
from itertools import chain, islice
from typing import Any, Final, Protocol, TypeAlias

from radcal.system.errors import EngineError, RadcalError, reason_of
from radcal.system.processes import Child
from radcal.system.progress import Progress
from radcal.system.text import Text, made_of

Plain: TypeAlias = Any
"""What JSON can say."""
CHILD = "radcal.system.workers"
"""The module of children."""
_AT_ONCE = 2
"""Batches that one who answers holds."""
_WINDOW = 4
"""Batches of each that may wait for each other's answers."""
_LOOK_SECONDS = 0.1
"""Longest wait between two checks for cancellation and pauses."""


class Lost:
    """In place of the answer about an item that failed twice."""


LOST: Final = Lost()


Answer: TypeAlias = Callable[[Iterable[Plain]], Iterable[Plain]]
"""What answers the question about items, one by one."""
Prepare: TypeAlias = Callable[[Plain], Answer]
"""What makes that of the parent's order; the function ``prepare`` of a module."""


class Unsaid(bytes):
    """Bytes that may hold report text: whoever prints them, such as the log of a cluster, does not show them."""

    def __repr__(self) -> str:
        return f"<{len(self)} bytes>"

    __str__ = __repr__


class Elsewhere(Protocol):
    """What answers in place of children: other computers.

    named: for the audit log, with the fingerprint of the certificate;  broken: what a batch has that they died of
    """

    named: str
    broken: tuple[type[Exception], ...]

    def size(self) -> int:
        """How many answer side by side."""
        ...

    def submit(self, fn: Callable[[Unsaid], Unsaid], batch: Unsaid, /) -> Future[Unsaid]:
        """As of an Executor."""
        ...

    def pass_over(self, worker: str, why: Text, /) -> bool:
        """Send a worker that refused a batch no more; False if no other is left."""
        ...


_elsewhere: list[Elsewhere] = []
"""What answers in place of children now, if anything."""


def elsewhere() -> Elsewhere | None:
    """What answers in place of children now."""
    return _elsewhere[-1] if _elsewhere else None


@contextlib.contextmanager
def answering(there: Elsewhere) -> Iterator[None]:
    """A block in which something else answers in place of children."""
    _elsewhere.append(there)
    try:
        yield
    finally:
        _elsewhere.remove(there)


# --- in JSON ----------------------------------------------------------------------------------------


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


class Children(Executor):
    """Child processes as an Executor of :func:`answered` alone; they are started as there is work for them.

    A future whose child died has a BrokenExecutor; the batch behind it goes to another child.
    """

    broken = (BrokenExecutor,)

    def __init__(self, n: int) -> None:
        self._n = n
        self._children: list[_Child] = []
        self._waiting: deque[tuple[Future[Unsaid], Unsaid]] = deque()
        self._changing = threading.RLock()
        self._ended = False

    def size(self) -> int:
        """How many children answer side by side."""
        return self._n

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        """Ask about a batch, as of an Executor; ``fn`` is :func:`answered`."""
        future: Future[Unsaid] = Future()
        with self._changing:
            self._waiting.append((future, *args))
        self._hand_out()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the children; what they have not answered stays open."""
        with self._changing:
            self._ended = True
        for child in self._children:
            child.kill()

    def _hand_out(self) -> None:
        with self._changing:
            while self._waiting and not self._ended:
                least = min(self._children, key=lambda child: len(child.held), default=None)
                if (least is None or least.held) and len(self._children) < self._n:
                    try:
                        self._children.append(least := _Child(self._heard))
                    except OSError as error:
                        self._waiting.popleft()[0].set_exception(_not_started(reason_of(error)))
                        continue
                if least is None or len(least.held) >= _AT_ONCE:
                    return
                least.give(*self._waiting.popleft())

    def _heard(self, child: _Child, line: bytes | None) -> None:
        """Take a child's answers, or its death; in the thread that listens to it."""
        with self._changing:
            if self._ended or child not in self._children:
                return
            if line == _READY:
                child.ready = True
                return
            future, _ = child.held.popleft() if child.held else (None, None)
            if line is None:
                self._children.remove(child)
                self._waiting.extendleft(reversed(child.held))
                threading.Thread(target=child.kill, daemon=True).start()  # which waits for this thread
        if future is not None and line is not None:
            future.set_result(Unsaid(line))
        elif future is not None:
            future.set_exception(BrokenExecutor() if child.ready else _not_started(""))
        self._hand_out()


class _Child:
    """A child process, and the batches that it holds, in the order of its answers."""

    def __init__(self, heard: Callable[[_Child, bytes | None], None]) -> None:
        self.held: deque[tuple[Future[Unsaid], Unsaid]] = deque()
        self.ready = False
        self._child = Child(CHILD, on_line=lambda line: heard(self, line))
        self.kill = self._child.kill

    def give(self, future: Future[Unsaid], batch: Unsaid) -> None:
        """Ask about a batch."""
        self.held.append((future, batch))
        self._child.send(batch)


class Workers:
    """Answers the question about items by several side by side; none runs between two calls.

    Args:
        module: whose ``prepare`` makes an Answer of ``order``; with the same order, the same everywhere.
        n: the number of children; 1 for none, so that all is answered in this process.
        batch: items that are asked about at a time: some tenths of a second of work.
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
        """The answer about each item, in order; LOST for one that failed twice.

        The items are taken as they are needed, or ``few`` ahead of that, in the thread of the caller.

        Raises:
            EngineError: nobody else can be asked.
            Cancelled: by ``progress``, at most half a second late.
        """
        rest, there = iter(items), elsewhere()
        if there is not None:
            with Children(1) as here:
                yield from self._answers(there, rest, progress, here)
            return
        yield from self._answers_here(islice(rest, self._few) if self._n > 1 else rest, progress)
        outlook = list(islice(rest, self._few))
        if len(outlook) < self._few:
            yield from self._answers_here(outlook, progress)
            return
        with Children(self._n) as children:
            yield from self._answers(children, chain(outlook, rest), progress)

    def _answers_here(self, items: Iterable[Plain], progress: Progress) -> Iterator[Plain]:
        def taken() -> Iterator[Plain]:
            for item in items:
                progress.raise_if_cancelled()
                while not self._going.wait(_LOOK_SECONDS):
                    progress.raise_if_cancelled()
                yield item

        yield from self._here(taken())

    def _answers(
        self, others: Children | Elsewhere, items: Iterator[Plain], progress: Progress, here: Children | None = None
    ) -> Iterator[Plain | Lost]:
        window: deque[_Batch] = deque()
        todo: deque[_Task] = deque()
        out: dict[Future[Unsaid], _Task] = {}
        said: queue.SimpleQueue[Future[Unsaid]] = queue.SimpleQueue()
        more = True
        try:
            while True:
                progress.raise_if_cancelled()
                if not self._going.wait(_LOOK_SECONDS):
                    continue
                n = others.size()
                if wanted := more and len(window) < _WINDOW * n and len(todo) + len(out) < _AT_ONCE * n:
                    taken = list(islice(items, self._batch))
                    more = bool(taken)
                    if more:
                        window.append(_Batch(taken))
                        todo.append(_Task(window[-1], 0, len(taken)))
                while todo and len(out) < _AT_ONCE * n:
                    line = Unsaid(packed([self._module, self._order, todo[0].items()]))
                    out[future := others.submit(answered, line)] = todo.popleft()
                    future.add_done_callback(said.put)
                while window and not window[0].open:
                    done = window.popleft()
                    for item, answer in zip(done.items, done.answers, strict=True):
                        again = here if answer is LOST else None
                        yield from self._answers(again, iter([item]), progress) if again else [answer]
                if not (more or window):
                    return
                with contextlib.suppress(queue.Empty):
                    heard = said.get(timeout=0.0 if wanted else _LOOK_SECONDS)
                    self._hear(out.pop(heard), heard, todo, others)
        except CancelledError:
            raise EngineError(
                "The cluster does not answer any more. What was stored is kept: the same command goes on with it."
            ) from None
        finally:
            for future in out:
                future.cancel()

    @staticmethod
    def _hear(task: _Task, future: Future[Unsaid], todo: deque[_Task], others: Children | Elsewhere) -> None:
        """Take answers, a death, or the refusal of one of the others, whose name is in place of answers."""
        try:
            refused, answers = unpacked(future.result())
        except others.broken:
            refused = answers = None
        if refused is not None:
            why = made_of(refused)
            if answers is None or isinstance(others, Children) or not others.pass_over(answers, why):
                raise EngineError(why)
            todo.appendleft(task)
        elif answers is not None:
            task.done(answers)
        elif task.again:
            task.done([LOST])
        else:
            todo.extendleft(reversed(task.alone()))


def _not_started(why: str) -> EngineError:
    if why:
        return EngineError("The processes that read reports cannot be started: {why}.", why=why)
    return EngineError(
        "The processes that read reports end as soon as they are started. Set the number of processes to 1, and report "
        "this."
    )


# --- who answers ------------------------------------------------------------------------------------

_prepared: list[tuple[str, Plain, Answer]] = []
"""What answered last, with its module and order."""


def answered(batch: Unsaid) -> Unsaid:
    """The answers to a batch as :class:`Workers` pack it: why there are none or None, and the answers or None.

    Never raises: what an error says may be the text of a report.
    """
    try:
        module, order, items = unpacked(batch)
        if not _prepared or _prepared[0][:2] != (module, order):
            _prepared.clear()
            _prepared.append((module, order, import_module(module).prepare(order)))
    except RadcalError as error:
        return Unsaid(packed([error.text.record(), None]))
    except Exception as error:  # noqa: BLE001 - its message may quote the order
        why = Text("What reads reports cannot begin: {kind}. Install RadCal again.", kind=type(error).__name__)
        return Unsaid(packed([why.record(), None]))
    try:
        return Unsaid(packed([None, list(_prepared[0][2](items))]))
    except RadcalError as error:
        return Unsaid(packed([error.text.record(), None]))
    except Exception:  # noqa: BLE001 - the item is LOST
        return Unsaid(packed([None, None]))


_READY = packed(["ready"])


def main() -> None:
    """Answer the parent's batches over the standard streams until it has gone, as its child."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints looks like an answer
    try:
        channel.write(_READY)
        channel.flush()
        for line in sys.stdin.buffer:
            channel.write(answered(Unsaid(line)))
            channel.flush()
    except BaseException:  # noqa: BLE001 - its message may contain report text; the parent sees that the child is gone
        os._exit(1)
    os._exit(0)
