"""One report read by a server, within its budget."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from radcal.findings.by_model.parts import Piece, parts_of
from radcal.findings.by_model.prompt import numbered
from radcal.findings.by_model.reports import Report, Reports
from radcal.findings.served.address import Address
from radcal.findings.served.answers import Checker
from radcal.findings.served.asking import CHAT, Asker, Useless, Way, is_too_long, said_in
from radcal.findings.served.client import Client, Unanswered
from radcal.findings.served.retrying import AGAIN, backing_off
from radcal.findings.served.trial import refuse
from radcal.system.text import EMPTY, Text

_BYTES_A_TOKEN = 3
"""Fewest bytes of a report that a token stands for, on average; English has four, German three."""
_LINE = 8
"""Tokens of a line's number and end."""
MOST_ANSWER, LEAST_ROOM = 2048, 256
_HALVINGS = 4
"""How often a report is cut into smaller parts because the server finds it too long."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The readings of a report, or why it was not read.

    outage: for a reason that may lie with the server, not with the report
    """

    readings: tuple[dict[str, Any], ...] = ()
    failure: Text = EMPTY
    parts: int = 1
    outage: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """Tokens that a model has for a part of a report, and for the answer."""

    report: int
    answer: int


def room_in(context: int, prompt_characters: int) -> Room:
    """What a context leaves; ``report`` is below LEAST_ROOM if it leaves too little.

    Args:
        context: tokens of prompt, report and answer.
    """
    left = context - prompt_characters // _BYTES_A_TOKEN
    answer = min(left // 2, MOST_ANSWER)
    return Room(left - answer, answer)


def tokens_of(sentence: str) -> int:
    """Most tokens that a sentence takes, as far as can be told without the model's own words."""
    return len(sentence.encode("utf-8", "replace")) // _BYTES_A_TOKEN + _LINE


class ServedReader:
    """Asks about reports; each answer depends on its report alone.

    Args:
        model: as the server calls it.
        seconds: longest time for a report.
    """

    def __init__(
        self, client: Client, address: Address, asker: Asker, checker: Checker, reports: Reports,
        *, model: str, way: Way, room: Room, seconds: float,
    ) -> None:  # fmt: skip
        self._client = client
        self._address = address
        self._asker = asker
        self._checker = checker
        self._reports = reports
        self._model = model
        self._way = way
        self._room = room
        self._seconds = seconds

    async def read(self, report: Report) -> Outcome:
        """The outcome of a report, at the latest after its budget.

        Raises:
            InputError: the server will answer no report: it refuses the key, the model or the address, or shows another
                certificate.
        """
        ends = asyncio.get_running_loop().time() + self._seconds
        tries = _Tries(ends, Text("the server did not answer within {n:g} s", n=self._seconds))
        try:
            async with asyncio.timeout(self._seconds):
                return await self._read(report, tries)
        except TimeoutError:
            return Outcome(failure=tries.reason, outage=True)
        except Unanswered as error:
            return Outcome(failure=error.reason, outage=True)
        except Useless as error:
            return Outcome(failure=error.reason)

    async def _read(self, report: Report, tries: _Tries) -> Outcome:
        budget = self._room.report
        for _ in range(_HALVINGS):
            parts = parts_of(report.texts, budget, tokens_of)
            readings: list[dict[str, Any]] = []
            try:
                for context, part in parts:
                    said = await self._answer(part, tries)
                    readings += self._checker.readings(
                        said, part, context, lambda n: self._reports.of_sentence(report, n)
                    )
            except _TooLong:
                longest = max(sum(piece.tokens for piece in part) for _, part in parts)
                budget = min(budget, longest) // 2
                continue
            return Outcome(tuple(readings), parts=max(len(parts), 1))
        raise Useless(Text("the report with its answer is longer than the model's context"))

    async def _answer(self, part: Sequence[Piece], tries: _Tries) -> str:
        lines = "".join(numbered([piece.text for piece in part], "number"))
        body = self._asker.about(lines, self._way, self._room.answer)
        pauses = backing_off()
        while True:
            wait = None
            try:
                reply = await self._client.post(CHAT, body)
            except Unanswered as error:
                tries.reason = error.reason
            else:
                if reply.status == 200:
                    return said_in(reply)
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
