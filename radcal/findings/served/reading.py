"""The questions of one report asked of a server, within their budget."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from radcal.findings.pairs import Answers, Question
from radcal.findings.served.address import Address
from radcal.findings.served.answers import chances_in
from radcal.findings.served.client import AGAIN, Client, Reply, Unanswered, backing_off
from radcal.findings.served.requests import CHAT, Asker, Useless, Way, is_too_long, keys_of, said_in
from radcal.findings.served.trial import refuse
from radcal.system.text import Text

_MOST_PAIRS = 24
"""Questions in one request: with prompt and answer some 2,000 tokens, which every model has room for."""
_LEAST_TOKENS, _TOKENS = 64, 48
"""Most tokens of an answer, and more for each question: where a server keeps to no form, it may be set out in lines."""
_HALVINGS = 4
"""How often the questions are asked in smaller parts because the server finds them too long."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answers to a report's questions, or why there are none.

    outage: for a reason that may lie with the server, not with the report
    """

    answers: Answers
    outage: bool = False


def failed(reason: Text, *, outage: bool = False) -> Outcome:
    """A report without answers."""
    return Outcome(Answers((), reason), outage)


class ServedReader:
    """Asks about reports; each answer depends on its report alone.

    Args:
        seconds: longest time for a report.
    """

    def __init__(self, client: Client, address: Address, asker: Asker, way: Way, seconds: float) -> None:
        self._client = client
        self._address = address
        self._asker = asker
        self._way = way
        self._seconds = seconds

    async def read(self, questions: Sequence[Question]) -> Outcome:
        """The outcome of a report, at the latest after its budget.

        Raises:
            InputError: the server will answer no report: it refuses the key, the model or the address, or shows another
                certificate.
        """
        ends = asyncio.get_running_loop().time() + self._seconds
        tries = _Tries(ends, Text("the server did not answer within {n:g} s", n=self._seconds))
        try:
            async with asyncio.timeout(self._seconds):
                return Outcome(await self._read(questions, tries))
        except TimeoutError:
            return failed(tries.reason, outage=True)
        except Unanswered as error:
            return failed(error.reason, outage=True)
        except Useless as error:
            return failed(error.reason)

    async def _read(self, questions: Sequence[Question], tries: _Tries) -> Answers:
        most = _MOST_PAIRS
        for _ in range(_HALVINGS):
            try:
                found = [await self._answered(part, tries) for part in _parts(questions, most)]
            except _TooLong:
                most = min(most, sum(len(q.pathologies) for q in questions)) // 2
                continue
            ends = np.cumsum([len(q.pathologies) for q in questions])
            return Answers(tuple(np.split(np.concatenate(found), ends[:-1])))
        raise Useless(Text("the report with its answer is longer than the model's context"))

    async def _answered(self, part: Sequence[Question], tries: _Tries) -> NDArray[np.float64]:
        keys = keys_of(part)
        body = self._asker.about(part, self._way, _LEAST_TOKENS + _TOKENS * len(keys))
        return chances_in(*said_in(await self._reply(body, tries)), keys, self._asker.phrases)

    async def _reply(self, body: bytes, tries: _Tries) -> Reply:
        """The server's answer to a request, tried again while there is time."""
        pauses = backing_off()
        while True:
            wait = None
            try:
                reply = await self._client.post(CHAT, body)
            except Unanswered as error:
                tries.reason = error.reason
            else:
                if reply.status == 200:
                    return reply
                if is_too_long(reply):
                    raise _TooLong
                refuse(reply, self._address, self._asker.model)
                tries.reason, wait = Text("the server answered with status {status}", status=reply.status), reply.wait
                if reply.status not in AGAIN:
                    raise Unanswered(tries.reason)
            pause = max(wait or 0.0, next(pauses))
            if asyncio.get_running_loop().time() + pause >= tries.ends:
                raise Unanswered(tries.reason)
            await asyncio.sleep(pause)


def _parts(questions: Sequence[Question], most: int) -> Iterator[list[Question]]:
    """The questions in order, together as long as they are of so many pathologies; of one sentence in any case."""
    part: list[Question] = []
    for question in questions:
        if part and sum(len(q.pathologies) for q in [*part, question]) > most:
            yield part
            part = []
        part.append(question)
    yield part


class _TooLong(Exception):
    """The server finds a part too long."""


@dataclass
class _Tries:
    """When the budget ends, by the loop's clock, and what the last try failed for."""

    ends: float
    reason: Text
