"""A pair reader on a server of the hospital: what its model says of the sentences and pathologies of reports."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from radcal.findings.model.pair_prompt import read_pair_prompt
from radcal.findings.readers.pairs import Answers, Question, phrases_of
from radcal.findings.served.address import Address, parse
from radcal.findings.served.answers import chances_in
from radcal.findings.served.certificates import trusting
from radcal.findings.served.client import POLL_SECONDS, Client, Unanswered, connected
from radcal.findings.served.requests import CHAT, Asker, Useless, Way, keys_of, refuse, said_in
from radcal.findings.served.trial import Trial, models_of, try_out
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.studies import Laid

_MOST_PAIRS = 24
"""Questions in one request: with prompt and answer some 2,000 tokens, which nearly every model has room for."""
_LEAST_TOKENS, _TOKENS = 64, 48
"""Most tokens of an answer, and more for each question: where a server keeps to no form, it may be set out in lines."""
_REFUSED = frozenset({400, 413, 422})
"""Statuses of a request that may be longer than the model's context."""
AHEAD = 4
"""Reports taken ahead for each that is read at a time: those behind a slow one need not wait for it."""
VERSION = "2.0"
FORMAT = "radcal-json-2"
"""The form of messages and answers; in the hash of the settings."""


class ServedPairReader:
    """The pair reader with the served model in the settings; nothing is sent before the first question.

    An answer depends on the questions of its report alone.  The probabilities are the model's where the server states
    those of tokens; where it does not, the phrase that the model chose has probability 1.

    Args:
        settings: address, model, authority, and how many reports are read at a time, for how long; folder of prompts.
        lexicon: of a department, whose phrases are the closed list.
        own: a department's folder of term and cue files, laid over the shipped ones.

    Raises:
        InputError: the address is not allowed, no model is named, the file of its authority cannot be used, or the
            prompt file is malformed.
    """

    name, version = "served", VERSION

    def __init__(self, settings: Settings, lexicon: Lexicon | None = None, own: Laid | None = None) -> None:
        self.address: Address = parse(settings.served_url)
        self.host: str = self.address.host
        """Where sentences are sent: "llm.example:8443"."""
        self.settings, self._model = settings, settings.served_model
        if not self._model.strip() or not self._model.isprintable():
            raise InputError(
                "No model is named. Name one of those that {host} offers, as it calls it (--set "
                "served_model=NAME, or Model on the page Reports).",
                host=self.host,
            )
        if settings.served_ca:
            trusting(settings.served_ca)
        self.model_name = f"{self._model} at {self.host}"
        """The model and where it is: "llama-3.3-70b at llm.example:8443"."""
        self.described = f"{self.name}: {self.model_name}"
        """What each finding says that it was read by."""
        lexicon = lexicon or load_lexicon()
        self.phrases: tuple[str, ...] = phrases_of(lexicon)
        folder = Path(settings.llama_prompts) if settings.llama_prompts else None
        prompt = read_pair_prompt(folder, (*pathology_names(), *pathology_names(own)), lexicon)
        self.asker = Asker(self._model, prompt, self.phrases)
        content = [self.host, self._model, FORMAT, *self.asker.turns, *self.phrases]
        self.settings_hash = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
        """Short SHA-256 of host, model, prompt, closed list and form of answers."""
        self._busy = threading.Lock()
        self.going = threading.Event()
        self.going.set()
        self.sent = 0
        """Reports of which sentences were sent since the reader was made."""

    def pause(self) -> None:
        """Send no further report until :meth:`resume`; those that were sent are read.  From any thread."""
        self.going.clear()

    def resume(self) -> None:
        """Continue after :meth:`pause`."""
        self.going.set()

    def close(self) -> None:
        """Nothing: each reading ends its connections, and no words of reports are kept."""

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        """The answers to each report's questions, in order; with a failure for reports not read within their budget.

        The server is tried before the first question is sent, with one of RadCal's own.

        Raises:
            InputError: the server refuses the key, the model or every question, sends requests elsewhere, or its
                certificate is wrong.
            EngineError: it cannot be reached, has failed on many reports in a row, or the reader is busy.
        """
        rest = iter(reports)
        for first in rest:
            if first:
                break
            yield Answers(())
        else:
            return
        if not self._busy.acquire(blocking=False):
            raise EngineError("The served engine is busy with another run. Wait for it, or stop it.")
        try:
            with connected(self.settings, progress) as client:
                way = client.result(self._tried, progress=progress).way
                yield from _Reading(self, client, way).run(chain([first], rest), progress)
        finally:
            self._busy.release()

    def try_server(self, progress: Progress = SILENT) -> Trial:
        """What a trial of the server finds; no report is sent.

        Raises:
            InputError, EngineError: as of :meth:`answer`.
        """
        with connected(self.settings, progress) as client:
            return client.result(self._tried, progress=progress)

    async def _tried(self, client: Client) -> Trial:
        return await try_out(client, self.asker, await models_of(client))


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a report.

    outage: it failed for a reason that may lie with the server, not with the report
    read_well: how many reports had been read by then without such a failure
    """

    answers: Answers
    outage: bool = False
    read_well: int = 0


class _Reading:
    """One reading of reports with a client, several at a time, in the way that a trial has found.

    A failure that lies with the server is held back until another report has succeeded since, or nothing is left to
    read: reports on which it failed before it was given up are pending, not failed.
    """

    def __init__(self, reader: ServedPairReader, client: Client, way: Way) -> None:
        self._reader, self._client, self._way = reader, client, way
        parallel = reader.settings.served_parallel
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
        """
        source = iter(reports)
        waiting: deque[Future[_Outcome]] = deque()
        try:
            while True:
                progress.raise_if_cancelled()
                while len(waiting) < self._window and (report := next(source, None)) is not None:
                    waiting.append(self._client.portal.start_task_soon(self._read, report))
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
            while not self._reader.going.is_set():
                await asyncio.sleep(POLL_SECONDS)
            self._reader.sent += 1
            answers, outage = await self._answered(questions)
            self._row = self._row + 1 if outage else 0
            self._read_well += not outage
            return _Outcome(answers, outage, self._read_well)

    async def _answered(self, questions: Sequence[Question]) -> tuple[Answers, bool]:
        """The answers to a report, and whether there are none because of the server."""
        ends = time.monotonic() + self._reader.settings.served_seconds
        try:
            found = [await self._part(part, ends) for part in _parts(questions, _MOST_PAIRS)]
        except Unanswered as error:
            return Answers((), error.reason), not isinstance(error, Useless)
        upto = np.cumsum([len(q.pathologies) for q in questions])
        return Answers(tuple(np.split(np.concatenate(found), upto[:-1]))), False

    async def _part(self, part: Sequence[Question], ends: float) -> NDArray[np.float64]:
        """(questions, phrases) chances; a part that is refused is asked in two, as it may be too long for the model."""
        keys = keys_of(part)
        body = self._reader.asker.about(part, self._way, _LEAST_TOKENS + _TOKENS * len(keys))
        reply = await self._client.ask(CHAT, body, ends - time.monotonic())
        if reply.status == 200:
            return chances_in(said_in(reply), keys, self._reader.asker.phrases)
        refuse(reply.status, self._client.address, self._reader.asker.model)
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
