"""Sends reports to the child process and returns the answers in order; after a second crash, a report is set aside."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from radcal.findings.model.pair_batches import Sentences
from radcal.findings.model.process import Child, ChildDiedError, Message
from radcal.system.errors import EngineError
from radcal.system.text import Text

_POLL_SECONDS = 0.1
_TRIES = 2
_CRASHES_IN_A_ROW = 60
"""Consecutive crashes without a single report read, beyond which no report is to blame."""


class Supervisor(Protocol):
    """Starts the child process, and decides when to stop."""

    def connect(self) -> Child:
        """The child with the open model, restarted if necessary; raises EngineError if that fails."""

    def close(self) -> None:
        """Forget a dead child."""

    def check(self) -> None:
        """Called at short intervals; raises an exception to stop."""

    @property
    def paused(self) -> bool:
        """True while the child is paused."""

    def note(self, text: str) -> None:
        """Record a sentence for the user."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answers to a report's questions, or the reason for the failure.

    chances: the probabilities of the closed list, by sentence and question
    """

    chances: Sequence[Sequence[Sequence[float]]]
    failure: str = ""


class Dispatch:
    """Sends out reports, up to ``window`` at a time.

    A crash does not reveal which report caused it: every report in flight becomes a suspect and is tried again
    alone.  Only crashes of a report that was alone count against it; after the second it is set aside with the
    reason.  A report that exceeds its time limit is identified at once: that counts, and its second try is alone.

    Args:
        seconds: the child is killed after that long without progress.
    """

    def __init__(self, supervisor: Supervisor, window: int, seconds: float) -> None:
        self._supervisor = supervisor
        self._window = window
        self._seconds = seconds
        self._out: dict[int, Sentences] = {}
        self._suspects: deque[tuple[int, Sentences]] = deque()
        self._strikes: Counter[int] = Counter()
        self._answers: dict[int, Answer] = {}
        self._crashes = 0
        self._silent = 0.0
        """Seconds of listening in vain; not wall-clock time, because the consumer may pause between answers."""

    def run(self, reports: Iterable[Sentences]) -> Iterator[Answer]:
        """The answers to reports, in order.

        Raises:
            EngineError: the child cannot be started, or crashes on every report.
        """
        source = iter(reports)
        taken = given = 0
        exhausted = False
        while True:
            self._supervisor.check()
            while given in self._answers:
                yield self._answers.pop(given)
                given += 1
            while not exhausted and not self._suspects and self._has_room(taken - given):
                sentences = next(source, None)
                if sentences is None:
                    exhausted = True
                    break
                if any(questions for _, questions in sentences):
                    self._hand_out(taken, sentences)
                else:
                    self._answers[taken] = Answer(tuple(() for _ in sentences))
                taken += 1
            if self._suspects and not self._out:
                self._hand_out(*self._suspects.popleft())
            if self._out:
                self._listen()
            elif exhausted and not self._suspects and given == taken:
                return

    def _has_room(self, outlook: int) -> bool:
        return len(self._out) < self._window and outlook < 8 * self._window

    def _hand_out(self, number: int, sentences: Sentences) -> None:
        if not self._out:
            self._silent = 0.0
        self._out[number] = sentences
        self._supervisor.connect().send({"do": "pairs", "number": number, "sentences": sentences})

    def _listen(self) -> None:
        connection = self._supervisor.connect()
        began = time.monotonic()
        try:
            message = connection.receive(_POLL_SECONDS)
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
        if message["said"] == "pairs":
            self._take(message)
        elif message["said"] == "slow":
            self._too_slow(message)
        elif message["said"] == "note":
            self._supervisor.note(message["note"])
        elif message["said"] == "failed":
            if not message["again"]:
                raise EngineError("The Llama engine cannot go on: {message}.", message=message["reason"])
            connection.kill()
            self._crashed(Text("it said: {reason}", reason=message["reason"]))

    def _take(self, message: Message) -> None:
        number = message["number"]
        if self._out.pop(number, None) is not None:
            self._answers[number] = Answer(message["chances"], message["failure"])
            self._crashes = 0

    def _too_slow(self, message: Message) -> None:
        """A report exceeded its time limit; the child has dropped it and continues with the others."""
        number = message["number"]
        sentences = self._out.pop(number, None)
        if sentences is None:
            return
        reason = Text(
            "The model was not done with this report within {message:g} seconds, twice. Allow "
            "more time for a report, or choose a smaller model.",
            message=message["seconds"],
        )
        self._charge(number, sentences, reason)

    def _crashed(self, reason: str) -> None:
        self._supervisor.close()
        self._crashes += 1
        if self._crashes > _CRASHES_IN_A_ROW:
            raise EngineError(
                "The Llama process crashes on every report; the last time {reason}. Check the model.", reason=reason
            )
        out, self._out = self._out, {}
        if len(out) == 1:
            [(number, sentences)] = out.items()
            failure = Text(
                "The Llama process stopped twice while it read this report alone; the last time {reason}.",
                reason=reason,
            )
            self._charge(number, sentences, failure)
        else:
            self._suspects.extendleft(reversed(out.items()))

    def _charge(self, number: int, sentences: Sentences, reason: str) -> None:
        """Count a failed try of a report; the last one sets the report aside."""
        self._strikes[number] += 1
        if self._strikes[number] >= _TRIES:
            self._answers[number] = Answer((), reason)
        else:
            self._suspects.appendleft((number, sentences))
