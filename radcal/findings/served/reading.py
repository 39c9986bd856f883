"""The questions of one report asked of a server, within their budget."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from radcal.findings.pairs import Answers, Question
from radcal.findings.served.address import Address
from radcal.findings.served.answers import chances_in
from radcal.findings.served.client import AGAIN, Client, Reply, Unanswered, backing_off
from radcal.findings.served.requests import CHAT, Asker, Useless, Way, is_too_long, keys_of, said_in
from radcal.findings.served.trial import refuse
from radcal.system.text import Text

_BYTES_A_TOKEN = 3
"""Fewest bytes of a report that a token stands for, on average; English has four, German three."""
_FORM = 8
"""Tokens of what stands around a sentence, or around a phrase in the answer."""
LEAST_ROOM = 256
_MOST_PAIRS = 64
"""Questions in one request: with the probabilities of all tokens each takes some 12 kB of the answer."""
_HALVINGS = 4
"""How often the questions are cut into smaller parts because the server finds them too long."""


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
        model: as the server calls it;  phrases: the closed list
        context: tokens of prompt, questions and answer
        seconds: longest time for a report

    ``room`` has the tokens that the prompt leaves for questions with their answers.
    """

    def __init__(
        self, client: Client, address: Address, asker: Asker, model: str, phrases: Sequence[str],
        *, way: Way, context: int, seconds: float,
    ) -> None:  # fmt: skip
        self._client = client
        self._address = address
        self._asker = asker
        self._model = model
        self._phrases = phrases
        self._way = way
        self._seconds = seconds
        self.room = context - asker.characters // _BYTES_A_TOKEN

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
        room = self.room
        for _ in range(_HALVINGS):
            try:
                found = [await self._answered(part, tries) for part in self._parts(questions, room)]
            except _TooLong:
                room = min(room, sum(map(self._tokens, questions))) // 2
                continue
            rows = np.concatenate(found)
            ends = np.cumsum([len(q.pathologies) for q in questions])
            return Answers(tuple(np.split(rows, ends[:-1])))
        raise Useless(Text("the report with its answer is longer than the model's context"))

    def _parts(self, questions: Sequence[Question], room: int) -> Iterator[list[Question]]:
        """The questions in order, as many together as there is room for, at least one."""
        part: list[Question] = []
        tokens = pairs = 0
        for question in questions:
            needed, n = self._tokens(question), len(question.pathologies)
            if part and (tokens + needed > room or pairs + n > _MOST_PAIRS):
                yield part
                part, tokens, pairs = [], 0, 0
            part.append(question)
            tokens, pairs = tokens + needed, pairs + n
        yield part

    def _tokens(self, question: Question) -> int:
        """Most tokens that a question takes with its answer, as far as can be told without the model's own words."""
        sentence = len(question.sentence.encode("utf-8", "replace")) // _BYTES_A_TOKEN + _FORM
        return sentence + 2 * self._answer([question])

    def _answer(self, part: Sequence[Question]) -> int:
        """Most tokens of an answer, which in the message stands without its phrases."""
        longest = max(map(len, self._phrases))
        return sum((len(key) + longest) // _BYTES_A_TOKEN + _FORM for key in keys_of(part))

    async def _answered(self, part: Sequence[Question], tries: _Tries) -> np.ndarray:
        # Servers that do not keep to the form may set it out in lines.
        body = self._asker.about(part, self._way, LEAST_ROOM // 4 + 2 * self._answer(part))
        reply = await self._reply(body, tries)
        return chances_in(*said_in(reply), keys_of(part), self._phrases)

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
                refuse(reply, self._address, self._model)
                tries.reason, wait = Text("the server answered with status {status}", status=reply.status), reply.wait
                if reply.status not in AGAIN:
                    raise Unanswered(tries.reason)
            pause = max(wait or 0.0, next(pauses))
            if asyncio.get_running_loop().time() + pause >= tries.ends:
                raise Unanswered(tries.reason)
            await asyncio.sleep(pause)


class _TooLong(Exception):
    """The server finds a part too long."""


@dataclass
class _Tries:
    """When the budget ends, by the loop's clock, and what the last try failed for."""

    ends: float
    reason: Text
