"""Many reports at once, in their order, by an asyncio loop in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from radcal.findings.pairs import Answers, Question
from radcal.findings.served.reading import Outcome
from radcal.system.errors import Cancelled, EngineError
from radcal.system.progress import Progress

T = TypeVar("T")
_POLL_SECONDS = 0.05
_STOP_SECONDS = 0.3
"""Grace period for connections to close; users are promised a stop within half a second."""
AHEAD = 4
"""Reports taken ahead for each that is read at a time: those behind a slow one need not wait for it."""


class Loop:
    """An asyncio loop in a thread of its own; :meth:`close` ends all that runs in it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="served", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start work in the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def result(self, work: Coroutine[Any, Any, T], progress: Progress) -> T:
        """The result of work in the loop; it ends when the user cancels.

        Raises:
            Cancelled: by ``progress``.
        """
        future = self.submit(work)
        try:
            while not wait([future], _POLL_SECONDS).done:
                progress.raise_if_cancelled()
        except Cancelled:
            future.cancel()
            raise
        return future.result()

    def close(self, last: Callable[[], Awaitable[None]] | None = None) -> None:
        """End all work and the thread, after ``last`` if that is quick enough."""

        async def end() -> None:
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            if last is not None:
                await last()

        with suppress(Exception):  # what fails while it closes is closed
            self.submit(end()).result(_STOP_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_STOP_SECONDS)


class Dispatch:
    """Reads reports, up to ``parallel`` at a time.

    A failure that lies with the server is held back until another report has succeeded since, or nothing is left to
    read: reports on which it failed before it was given up are pending, not failed.

    Args:
        read: of one report, within the loop.
        going: lets reports begin; cleared while reading is paused.
        host: of the server, for messages.
    """

    def __init__(
        self,
        loop: Loop,
        read: Callable[[Sequence[Question]], Awaitable[Outcome]],
        parallel: int,
        going: threading.Event,
        host: str,
    ) -> None:
        self._loop = loop
        self._read = read
        self._parallel = parallel
        self._going = going
        self._host = host
        self._window = max(AHEAD * parallel, 8)
        self._given_up = min(self._window, max(2 * parallel, 8))
        self._read_well = self._row = 0

    def run(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        """The answers to each report's questions, in order.

        Raises:
            EngineError: the server has failed on many reports in a row.
            InputError: as of the reading of a report.
            Cancelled: by ``progress``.
        """
        source = iter(reports)
        waiting: deque[Future[_Ended]] = deque()
        free = asyncio.Semaphore(self._parallel)
        exhausted = False
        try:
            while True:
                progress.raise_if_cancelled()
                while not exhausted and len(waiting) < self._window:
                    report = next(source, None)
                    if report is None:
                        exhausted = True
                        break
                    waiting.append(self._begun(report, free))
                if not waiting:
                    return
                first = waiting[0]
                running = [future for future in waiting if not future.done()]
                counts = first.done() and self._counts(first.result())
                if not counts:
                    self._raise_what_ended([future for future in waiting if future.done()])
                if counts or not running:
                    waiting.popleft()
                    yield first.result().outcome.answers
                    continue
                wait(running if first.done() else [first], _POLL_SECONDS, FIRST_COMPLETED)
        finally:
            for future in waiting:
                future.cancel()

    def _counts(self, ended: _Ended) -> bool:
        """Whether an outcome is its report's own: a failure of the server's is, once another report was read since."""
        return not ended.outcome.outage or self._read_well > ended.read_well

    def _begun(self, report: Sequence[Question], free: asyncio.Semaphore) -> Future[_Ended]:
        if not report:
            nothing: Future[_Ended] = Future()
            nothing.set_result(_Ended(Outcome(Answers(())), 0))
            return nothing
        return self._loop.submit(self._counted(report, free))

    async def _counted(self, report: Sequence[Question], free: asyncio.Semaphore) -> _Ended:
        async with free:
            while not self._going.is_set():
                await asyncio.sleep(_POLL_SECONDS)
            outcome = await self._read(report)
            self._row = self._row + 1 if outcome.outage else 0
            self._read_well += not outcome.outage
            return _Ended(outcome, self._read_well)

    def _raise_what_ended(self, ended: Iterable[Future[_Ended]]) -> None:
        """Raise what no report is to blame for, however far ahead it happened."""
        outcomes = [future.result().outcome for future in ended]
        failures = [outcome.answers.failure for outcome in outcomes if outcome.outage]
        if self._row >= self._given_up and failures:
            raise EngineError(
                "{host} has failed on {n} reports in a row, the last time because {reason}. A workspace keeps what was "
                "read, and reading goes on there once the server works again. If it is only slow, give it fewer "
                "reports at a time or more time for each.",
                host=self._host,
                n=self._row,
                reason=failures[-1],
            )


@dataclass(frozen=True, slots=True)
class _Ended:
    """An outcome, and how many reports had been read by its end without a failure of the server's."""

    outcome: Outcome
    read_well: int
