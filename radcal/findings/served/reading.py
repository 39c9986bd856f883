"""One report read by a server, within its budget, and the check of the answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from radcal.findings.by_model.prompt import numbered
from radcal.findings.by_model.reports import Findings, Report, Reports
from radcal.findings.by_model.rows import Piece, parts_of, shown
from radcal.findings.served.address import Address
from radcal.findings.served.client import AGAIN, Client, Unanswered, backing_off
from radcal.findings.served.requests import CHAT, Asker, Useless, Way, is_too_long, said_in
from radcal.findings.served.trial import refuse
from radcal.system.text import EMPTY, Text
from radcal.words.phrases import normalise
from radcal.words.records import ABSENT, PRESENT

_FENCE = "```"
_KEYS = {"sentence", "pathology", "phrase"}
_NO_FORM = Text("the answer is not in the form asked for")


class Checker:
    """Checks answers against the report: what does not stand there is no finding, and no guess.

    An answer counts as a whole or not at all.  It is ``{"findings": [{"sentence": 2, "pathology": "edema", "phrase":
    "most likely"}]}``; the sentence is one of those shown, the pathology one of the list, the phrase "present",
    "absent" or a hedge that stands in that sentence, in words of the sentence or of the lexicon.

    Args:
        pathologies: that may be named.
        most: findings of one answer; with more it is none.
    """

    def __init__(self, pathologies: Sequence[str], most: int) -> None:
        self._pathologies = frozenset(pathologies)
        self._most = most

    def readings(
        self, said: str, pieces: Sequence[Piece], context: int, findings: Callable[[int], Findings]
    ) -> list[dict[str, Any]]:
        """The readings in an answer, as plain values of :class:`~radcal.findings.by_model.readers.Reading`.

        Args:
            pieces: the sentences shown, numbered from 1 in the prompt.
            context: number of leading pieces that repeat the previous part; what is said of them was said there.
            findings: what makes the findings of a sentence, by its number in the report.

        Raises:
            Useless: anything of the answer is not as it must be.
        """
        rows = _rows(said)
        if len(rows) > self._most:
            raise Useless(Text("the model listed more than {n} findings, which is no sensible answer", n=self._most))
        readings: dict[tuple[int, int, str, str], dict[str, Any]] = {}
        for row in rows:
            number, pathology, phrase = self._row(row, len(pieces))
            if number <= context:
                continue
            piece = pieces[number - 1]
            said_as, cue = self._cue(phrase, piece, findings(piece.sentence))
            readings.setdefault(
                (piece.sentence, piece.start, pathology, normalise(said_as)),
                {
                    "sentence": piece.sentence,
                    "pathology": pathology,
                    "said": said_as,
                    "term": None,
                    "cue": cue,
                    "probability": None,
                },
            )
        return [readings[place] for place in sorted(readings, key=lambda place: place[:2])]

    def _row(self, row: object, n: int) -> tuple[int, str, str]:
        if not isinstance(row, dict) or row.keys() != _KEYS:
            raise Useless(_NO_FORM)
        number, pathology, phrase = row["sentence"], row["pathology"], row["phrase"]
        if type(number) is not int or not isinstance(pathology, str) or not isinstance(phrase, str):
            raise Useless(_NO_FORM)
        if not 1 <= number <= n:
            raise Useless(Text("the answer names a sentence that the report does not have"))
        if pathology not in self._pathologies:
            raise Useless(Text("the answer names a pathology that is not in the list"))
        return number, pathology, phrase

    def _cue(self, phrase: str, piece: Piece, findings: Findings) -> tuple[str, tuple[int, int] | None]:
        """The phrase as the report or the lexicon has it, and where it stands in its sentence."""
        text = shown(piece.text)
        place = findings.stands(text, phrase)
        if place is None and (plain := normalise(phrase)) in (PRESENT, ABSENT):
            return plain, None
        if place is None:
            raise Useless(Text("the answer names words of certainty that do not stand in the sentence"))
        start, end = place
        said = text[start:end] if normalise(text[start:end]) == normalise(phrase) else phrase
        return said, (piece.start + start, piece.start + end)


def _rows(said: str) -> list[Any]:
    """The findings in an answer, as they were written.

    Raises:
        Useless: it is no JSON object with findings alone.
    """
    text = said.strip()
    if text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) > 2 * len(_FENCE):
        text = text[len(_FENCE) : -len(_FENCE)].removeprefix("json").strip()
    try:
        answer = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse, parse_float=_refuse)
    except (ValueError, RecursionError):
        raise Useless(_NO_FORM) from None
    if not isinstance(answer, dict) or answer.keys() != {"findings"} or not isinstance(answer["findings"], list):
        raise Useless(_NO_FORM)
    return answer["findings"]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a name is given twice")
    return values


def _refuse(number: str) -> NoReturn:
    raise ValueError("no whole number")


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
