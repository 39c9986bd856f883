"""Many reports read at a server at once, in their order, each within its budget."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from radcal.findings.pairs import Answers, Question
from radcal.findings.served.answers import chances_in
from radcal.findings.served.client import POLL_SECONDS, Connection, Unanswered
from radcal.findings.served.requests import CHAT, Asker, Useless, Way, keys_of, refuse, said_in
from radcal.system.errors import EngineError
from radcal.system.progress import Progress
from radcal.system.text import Text

_MOST_PAIRS = 24
"""Questions in one request: with prompt and answer some 2,000 tokens, which nearly every model has room for."""
_LEAST_TOKENS, _TOKENS = 64, 48
"""Most tokens of an answer, and more for each question: where a server keeps to no form, it may be set out in lines."""
_REFUSED = frozenset({400, 413, 422})
"""Statuses of a request that may be longer than the model's context."""
AHEAD = 4
"""Reports taken ahead for each that is read at a time: those behind a slow one need not wait for it."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a report.

    outage: it failed for a reason that may lie with the server, not with the report
    read_well: how many reports had been read by then without such a failure
    """

    answers: Answers
    outage: bool = False
    read_well: int = 0


class ServedReading:
    """One reading of reports, up to ``parallel`` at a time.

    A failure that lies with the server is held back until another report has succeeded since, or nothing is left to
    read: reports on which it failed before it was given up are pending, not failed.

    Args:
        seconds: longest time for a report, all tries together.
        going: lets reports begin; cleared while reading is paused.
        begun: called before sentences of a report are sent.
    """

    def __init__(
        self,
        connection: Connection,
        asker: Asker,
        way: Way,
        *,
        parallel: int,
        seconds: float,
        going: threading.Event,
        begun: Callable[[], None],
    ) -> None:
        self._client, self._portal = connection.client, connection.portal
        self._asker, self._way, self._seconds = asker, way, seconds
        self._going, self._begun = going, begun
        self._free = asyncio.Semaphore(parallel)
        self._window = max(AHEAD * parallel, 8)
        self._given_up = min(self._window, max(2 * parallel, 8))
        self._read_well = self._row = 0

    def run(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        """The answers to each report's questions, in order.

        Raises:
            EngineError: the server has failed on many reports in a row.
            InputError: the server will answer no report: it refuses the key, the model or the address, or shows another
                certificate.
            Cancelled: by ``progress``.
        """
        source = iter(reports)
        waiting: deque[Future[_Outcome]] = deque()
        try:
            while True:
                progress.raise_if_cancelled()
                while len(waiting) < self._window and (report := next(source, None)) is not None:
                    waiting.append(self._portal.start_task_soon(self._read, report))
                if not waiting:
                    return
                first = waiting[0]
                if not (first.done() and self._counts(first.result())):
                    self._raise_if_down(future.result() for future in waiting if future.done())
                    if running := [future for future in waiting if not future.done()]:
                        wait(running if first.done() else [first], POLL_SECONDS, FIRST_COMPLETED)
                        continue
                yield waiting.popleft().result().answers
        finally:
            for future in waiting:
                future.cancel()

    def _counts(self, outcome: _Outcome) -> bool:
        """Whether an outcome is its report's own: a failure of the server's is, once another report was read since."""
        return not outcome.outage or self._read_well > outcome.read_well

    def _raise_if_down(self, ended: Iterable[_Outcome]) -> None:
        failures = [outcome.answers.failure for outcome in ended if outcome.outage]
        if self._row >= self._given_up and failures:
            raise EngineError(
                "{host} has failed on {n} reports in a row, the last time because {reason}. A workspace keeps what was "
                "read, and reading goes on there once the server works again. If it is only slow, give it fewer "
                "reports at a time or more time for each.",
                host=self._client.address.host,
                n=self._row,
                reason=failures[-1],
            )

    async def _read(self, questions: Sequence[Question]) -> _Outcome:
        """The outcome of a report, at the latest after its budget."""
        if not questions:
            return _Outcome(Answers(()))
        async with self._free:
            while not self._going.is_set():
                await asyncio.sleep(POLL_SECONDS)
            self._begun()
            answers, outage = await self._answered(questions)
            self._row = self._row + 1 if outage else 0
            self._read_well += not outage
            return _Outcome(answers, outage, self._read_well)

    async def _answered(self, questions: Sequence[Question]) -> tuple[Answers, bool]:
        """The answers to a report, and whether there are none because of the server."""
        ends = time.monotonic() + self._seconds
        try:
            found = [await self._part(part, ends) for part in _parts(questions, _MOST_PAIRS)]
        except Unanswered as error:
            return Answers((), error.reason), not isinstance(error, Useless)
        upto = np.cumsum([len(q.pathologies) for q in questions])
        return Answers(tuple(np.split(np.concatenate(found), upto[:-1]))), False

    async def _part(self, part: Sequence[Question], ends: float) -> NDArray[np.float64]:
        """(questions, phrases) chances; a part that is refused is asked in two, as it may be too long for the model."""
        keys = keys_of(part)
        body = self._asker.about(part, self._way, _LEAST_TOKENS + _TOKENS * len(keys))
        reply = await self._client.ask(CHAT, body, ends - time.monotonic())
        if reply.status == 200:
            return chances_in(said_in(reply), keys, self._asker.phrases)
        refuse(reply.status, self._client.address, self._asker.model)
        half = len(part) // 2
        if reply.status not in _REFUSED or not half:
            raise Unanswered(Text("the server answered with status {status}", status=reply.status))
        return np.concatenate([await self._part(some, ends) for some in (part[:half], part[half:])])


def _parts(questions: Sequence[Question], most: int) -> Iterator[list[Question]]:
    """The questions in order, together as long as they are of so many pathologies; of one sentence in any case."""
    part: list[Question] = []
    for question in questions:
        if part and sum(len(q.pathologies) for q in [*part, question]) > most:
            yield part
            part = []
        part.append(question)
    yield part
