"""Sends requests to the child process and returns the answers in order; after a second crash, one is set aside."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from radcal.findings.model.process import POLL_SECONDS, ChildDiedError, Message
from radcal.system.errors import EngineError
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.findings.model.local_model import LocalModel

_TRIES = 2
_CRASHES_IN_A_ROW = 60
"""Consecutive crashes without a single answer, beyond which no request is to blame."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request, or the reason for the failure.

    rows: for the questions of a report, the probabilities of the closed list by sentence and question
    """

    rows: Any = ()
    failure: str = ""


class Dispatch:
    """Sends out requests, such as the questions of reports, up to ``window`` at a time.

    A crash does not reveal which request caused it: every one in flight becomes a suspect and is tried again alone.
    Only crashes of a request that was alone count against it; after the second it is set aside with the reason.  A
    report that exceeds its time limit is identified at once: that counts, and its second try is alone.

    Args:
        supervisor: has the child, started again where necessary, and decides when to stop.
        seconds: the child is killed after that long without progress.
    """

    def __init__(self, supervisor: LocalModel, window: int, seconds: float) -> None:
        self._supervisor = supervisor
        self._window = window
        self._seconds = seconds
        self._out: dict[int, Any] = {}
        self._suspects: deque[tuple[int, Any]] = deque()
        self._strikes: Counter[int] = Counter()
        self._answers: dict[int, Answer] = {}
        self._crashes = 0
        self._silent = 0.0
        """Seconds of listening in vain; not wall-clock time, because the consumer may pause between answers."""

    def run(self, requests: Iterable[Any]) -> Iterator[Answer]:
        """The answers to requests, in order.

        Raises:
            EngineError: the child cannot be started, or crashes on every request.
        """
        source = enumerate(requests)
        given = 0
        upcoming = next(source, None)
        while True:
            self._supervisor.check()
            while given in self._answers:
                yield self._answers.pop(given)
                given += 1
            while upcoming and not self._suspects and self._has_room(upcoming[0] - given):
                self._hand_out(*upcoming)
                upcoming = next(source, None)
            if self._suspects and not self._out:
                self._hand_out(*self._suspects.popleft())
            if self._out:
                self._listen()
            elif not upcoming and not self._suspects and not self._answers:
                return

    def _has_room(self, outlook: int) -> bool:
        return len(self._out) < self._window and outlook < 8 * self._window

    def _hand_out(self, number: int, asked: Any) -> None:
        if not self._out:
            self._silent = 0.0
        self._out[number] = asked
        self._supervisor.connect().send({"do": "ask", "number": number, "asked": asked})

    def _listen(self) -> None:
        connection = self._supervisor.connect()
        began = time.monotonic()
        try:
            message = connection.receive(POLL_SECONDS)
        except ChildDiedError as error:
            self._crashed(str(error))
            return
        if message is None:
            self._silent = 0.0 if self._supervisor.paused else self._silent + time.monotonic() - began
            if self._silent > self._seconds:
                connection.kill()
                self._crashed(Text("it made no advance for {seconds:g} seconds", seconds=self._seconds))
            return
        self._silent = 0.0
        if message["said"] == "answer":
            self._take(message)
        elif message["said"] == "note":
            self._supervisor.note(message["note"])
        elif message["said"] == "failed":
            if not message["again"]:
                raise EngineError("The Llama engine cannot go on: {message}.", message=message["reason"])
            connection.kill()
            self._crashed(Text("it said: {reason}", reason=message["reason"]))

    def _take(self, message: Message) -> None:
        number = message["number"]
        if number not in self._out:
            return
        asked = self._out.pop(number)
        if message["again"]:
            self._charge(number, asked, message["failure"])
        else:
            self._answers[number] = Answer(message["rows"], message["failure"])
            self._crashes = 0

    def _crashed(self, reason: str) -> None:
        self._supervisor.close()
        self._crashes += 1
        if self._crashes > _CRASHES_IN_A_ROW:
            raise EngineError(
                "The Llama process crashes on every report; the last time {reason}. Check the model.", reason=reason
            )
        out, self._out = self._out, {}
        if len(out) == 1:
            [(number, asked)] = out.items()
            failure = Text(
                "The Llama process stopped twice while it read this text alone; the last time {reason}.", reason=reason
            )
            self._charge(number, asked, failure)
        else:
            self._suspects.extendleft(reversed(out.items()))

    def _charge(self, number: int, asked: Any, reason: str) -> None:
        """Count a failed try of a request; the last one sets it aside."""
        self._strikes[number] += 1
        if self._strikes[number] >= _TRIES:
            self._answers[number] = Answer(failure=reason)
        else:
            self._suspects.appendleft((number, asked))
