"""Continuous batching: many prompts in one context, as sequences that share a static prompt."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from radcal.findings.model.questions import Guide
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.findings.model.native import Model, Step

TOO_LONG = Text("the report with its answer is longer than the model's context")
NO_NUMBERS = Text("the model's scores are no numbers: its weights are damaged")


@dataclass(eq=False)
class Job:
    """A prompt to be answered.

    tokens: the prompt after the shared prefix;  guide: the allowed answers
    answer: the tokens of the answer so far;  chances: natural logarithm of each token's probability among
    the allowed ones
    """

    key: int
    tokens: Sequence[int]
    guide: Guide
    answer: list[int] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    failure: str = ""
    _todo: list[int] = field(default_factory=list)
    _length: int = 0
    _random: np.random.Generator | None = None


class Scheduler:
    """Answers jobs, up to ``parallel`` at a time; a job's result does not depend on the others.

    Args:
        prefix: length of the shared prompt, which sequence 0 holds.
        limit: most tokens of one job, prompt and answer included.
        temperature, seed: 0 for the most probable answer; a random one depends on the seed and the job alone.
    """

    def __init__(
        self, model: Model, prefix: int, parallel: int, limit: int, *, temperature: float = 0.0, seed: int = 0
    ) -> None:
        self._model = model
        self._prefix = prefix
        self._limit = limit
        self._waiting: deque[Job] = deque()
        self._free = list(range(parallel, 0, -1))
        self._active: dict[int, Job] = {}
        self._temperature = temperature
        self._seed = seed

    def add(self, job: Job) -> None:
        """Queue a job."""
        self._waiting.append(job)

    def drop(self) -> None:
        """Discard all jobs."""
        self.remove([*self._active.values(), *self._waiting])

    def remove(self, jobs: Iterable[Job]) -> None:
        """Discard some jobs, queued or running."""
        gone = set(map(id, jobs))
        for sequence in [s for s, job in self._active.items() if id(job) in gone]:
            self._release(sequence)
        self._waiting = deque(job for job in self._waiting if id(job) not in gone)

    @property
    def begun(self) -> Iterable[int]:
        """Keys of the running jobs."""
        return [job.key for job in self._active.values()]

    def step(self) -> list[Job]:
        """Run one evaluation; returns the finished jobs.

        An aborted evaluation changes nothing: the next step repeats it.
        """
        finished = self._admit()
        if not self._make_room():
            return [*finished, self._too_long()]
        if not self._active:
            return finished
        steps, asking, fed = self._fill()
        outcome = self._model.decode(steps)
        if outcome != "done":
            for sequence in fed:
                self._model.forget(sequence, self._active[sequence]._length)
            if outcome == "full":
                if len(self._active) == 1:
                    return [*finished, self._too_long()]
                self._put_back()
                self._free.pop()  # fewer in parallel from now on
            return finished
        for sequence, n in fed.items():
            job = self._active[sequence]
            job._length += n
            del job._todo[:n]
        for sequence, row in asking:
            job = self._active[sequence]
            self._choose(job, self._model.scores(row))
            if not job.failure and job._length + len(job._todo) > self._limit and not job.guide.done:
                job.failure = TOO_LONG
            if job.guide.done or job.failure:
                self._release(sequence)
                finished.append(job)
        return finished

    def _admit(self) -> list[Job]:
        """Start jobs while there is room; returns those that need no evaluation."""
        finished = []
        while self._waiting and self._free:
            job = self._waiting[0]
            if not job.answer:
                self._follow(job)
            if self._active and self._used() + len(job.tokens) + len(job.answer) > self._model.cells:
                break
            self._waiting.popleft()
            if job.guide.done:
                finished.append(job)
                continue
            sequence = self._free.pop()
            if self._prefix:
                self._model.share(0, sequence)
            if self._temperature and job._random is None:
                text = np.array([self._seed, *job.tokens], np.int64).tobytes()
                job._random = np.random.default_rng(list(hashlib.sha256(text).digest()))
            job._todo = [*job.tokens, *job.answer]
            job._length = self._prefix
            self._active[sequence] = job
        return finished

    def _used(self) -> int:
        """Tokens of all sequences, decoded and pending."""
        return self._prefix + sum(j._length - self._prefix + len(j._todo) for j in self._active.values())

    def _make_room(self) -> bool:
        """Put the latest jobs back until all fit; False if a single job does not fit."""
        while self._used() > self._model.cells:
            if len(self._active) == 1:
                return False
            self._put_back()
        return True

    def _fill(self) -> tuple[list[Step], list[tuple[int, int]], dict[int, int]]:
        """The next batch: short continuations first, then as much of the prompts as fits."""
        steps: list[Step] = []
        asking: list[tuple[int, int]] = []
        fed: dict[int, int] = {}
        for sequence, job in sorted(self._active.items(), key=lambda item: len(item[1]._todo)):
            room = self._model.batch - len(steps)
            if room <= 0 or len(asking) >= self._model.outputs:
                break
            part = job._todo[:room]
            group = (sequence,)
            steps.extend((token, job._length + i, group, False) for i, token in enumerate(part))
            fed[sequence] = len(part)
            if len(part) == len(job._todo):
                steps[-1] = (*steps[-1][:3], True)
                asking.append((sequence, len(steps) - 1))
        return steps, asking, fed

    def _put_back(self) -> None:
        """Requeue the latest job, to be decoded again later."""
        sequence, job = list(self._active.items())[-1]
        self._release(sequence)
        self._waiting.appendleft(job)

    def _too_long(self) -> Job:
        """Fail the only running job, which fills the context."""
        [(sequence, job)] = self._active.items()
        job.failure = TOO_LONG
        self._release(sequence)
        return job

    def _release(self, sequence: int) -> None:
        del self._active[sequence]
        self._model.forget(sequence)
        self._free.append(sequence)

    def _choose(self, job: Job, scores: NDArray[np.float32]) -> None:
        allowed = np.asarray(job.guide.allowed())
        logits = scores[allowed].astype(np.float64)
        if not np.isfinite(logits).all():
            job.failure = NO_NUMBERS
            return
        logits -= logits.max()
        chances = logits - np.log(np.exp(logits).sum())
        best = int(chances.argmax())
        if job._random is not None:
            weight = np.exp(logits / self._temperature)
            best = int(job._random.choice(len(allowed), p=weight / weight.sum()))
        self._take(job, int(allowed[best]), float(chances[best]))
        before = len(job.answer) - 1
        self._follow(job)
        job._todo = job.answer[before:]

    def _follow(self, job: Job) -> None:
        """Append tokens without an alternative."""
        while not job.guide.done:
            allowed = job.guide.allowed()
            if len(allowed) > 1:
                return
            self._take(job, allowed[0], 0.0)

    def _take(self, job: Job, token: int, chance: float) -> None:
        job.guide.advance(token)
        job.answer.append(token)
        job.chances.append(chance)
