"""Many jobs at a time give what each gives alone: against a runtime that remembers what every sequence holds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from radcal.findings.model.native import Outcome, Step
from radcal.findings.model.scheduler import NO_NUMBERS, TOO_LONG, Job, Scheduler

WORDS = 20
PREFIX = [7, 8, 9]


class Memory:
    """A runtime whose scores depend on all that a sequence holds, and on nothing else."""

    def __init__(self, cells: int = 200, batch: int = 8, outputs: int = 8) -> None:
        self.cells, self.batch, self.outputs = cells, batch, outputs
        self.held: dict[int, list[int]] = {0: list(PREFIX)}
        self.asked: list[int] = []
        self.outcomes: Callable[[], Outcome] = lambda: "done"
        self.broken = False
        self.evaluations = 0

    def decode(self, steps: Sequence[Step]) -> Outcome:
        assert 0 < len(steps) <= self.batch
        assert sum(s[3] for s in steps) <= self.outputs
        outcome = self.outcomes()
        if outcome == "full":
            return outcome
        for i, (token, position, [sequence], _) in enumerate(steps):
            if outcome == "stopped" and i == len(steps) // 2:
                return outcome  # some of it was done
            held = self.held.setdefault(sequence, [])
            assert position == len(held)
            held.append(token)
        assert sum(len(h) for q, h in self.held.items() if q) - 3 * (len(self.held) - 1) + 3 <= self.cells
        self.evaluations += 1
        self.asked = [s[2][0] if s[3] else -1 for s in steps]
        self.snapshot = {q: list(h) for q, h in self.held.items()}
        return "done"

    def scores(self, row: int) -> NDArray[np.float32]:
        assert self.asked[row] >= 0
        held = self.snapshot[self.asked[row]]
        seed = list(hashlib.sha256(bytes(held)).digest())
        scores = np.random.default_rng(seed).normal(0, 2, WORDS).astype(np.float32)
        return scores * np.float32(np.nan) if self.broken else scores

    def share(self, source: int, target: int) -> None:
        self.held[target] = list(self.held[source])

    def forget(self, sequence: int, since: int = 0) -> None:
        self.held[sequence] = self.held.get(sequence, [])[:since]
        if not self.held[sequence]:
            del self.held[sequence]


class Guide:
    """Any of some tokens, then two that are forced, again and again; token 0 ends."""

    def __init__(self, length: int) -> None:
        self._left = length
        self._forced: list[int] = []
        self.done = length == 0

    def allowed(self) -> Sequence[int]:
        if self._forced:
            return [self._forced[0]]
        return [0] if self._left == 1 else [0, 3, 4, 5]

    def advance(self, token: int) -> None:
        assert token in self.allowed()
        if self._forced:
            self._forced.pop(0)
            return
        self._left -= 1
        self.done = token == 0
        self._forced = [] if self.done else [11, 12]


Result = tuple[int, tuple[int, ...], tuple[float, ...], str]


def solve(memory: Memory, jobs: Sequence[tuple[list[int], int]], parallel: int, **options: float) -> list[Result]:
    scheduler = Scheduler(memory, len(PREFIX), parallel, 60, **options)  # type: ignore[arg-type]
    for key, (tokens, length) in enumerate(jobs):
        scheduler.add(Job(key, tokens, Guide(length)))
    finished: list[Job] = []
    for _ in range(3000):
        finished += scheduler.step()
        if len(finished) == len(jobs):
            break
    assert memory.held == {0: PREFIX}
    return sorted((j.key, tuple(j.answer), tuple(j.chances), j.failure) for j in finished)


JOBS = st.lists(st.tuples(st.lists(st.integers(0, 19), min_size=1, max_size=20), st.integers(1, 5)), max_size=8)


@settings(deadline=None)
@given(
    jobs=JOBS,
    parallel=st.integers(1, 6),
    batch=st.integers(1, 30),
    cells=st.integers(60, 300),
    outputs=st.integers(1, 8),
)
def test_a_result_does_not_depend_on_company_batch_room_or_answers_at_a_time(
    jobs: list[tuple[list[int], int]], parallel: int, batch: int, cells: int, outputs: int
) -> None:
    together = solve(Memory(cells, batch, outputs), jobs, parallel)
    alone = [solve(Memory(), [job], 1)[0][1:] for job in jobs]
    assert [r[1:] for r in together] == alone
    assert [r[0] for r in together] == list(range(len(jobs)))


@settings(deadline=None)
@given(jobs=JOBS, seed=st.integers(0, 100))
def test_interrupted_evaluations_change_nothing(jobs: list[tuple[list[int], int]], seed: int) -> None:
    random = np.random.default_rng(seed)
    memory = Memory()
    memory.outcomes = lambda: "stopped" if random.random() < 0.4 else "done"
    assert solve(memory, jobs, 3) == solve(Memory(), jobs, 3)


@settings(deadline=None)
@given(jobs=JOBS, seed=st.integers(0, 2**32 - 1))
def test_draws_depend_on_the_seed_and_the_job_alone(jobs: list[tuple[list[int], int]], seed: int) -> None:
    drawn = solve(Memory(), jobs, 4, temperature=1.5, seed=seed)
    assert drawn == solve(Memory(batch=3), list(jobs), 1, temperature=1.5, seed=seed)
    assert {a for _, answer, _, _ in drawn for a in answer} <= {0, 3, 4, 5, 11, 12}


def test_different_seeds_draw_differently() -> None:
    jobs = [([i], 5) for i in range(8)]
    assert len({tuple(solve(Memory(), jobs, 4, temperature=2.0, seed=s)) for s in range(5)}) == 5


def test_the_chances_are_those_among_the_allowed_tokens() -> None:
    [(_, answer, chances, _)] = solve(Memory(), [([1, 2], 3)], 1)
    memory = Memory()
    memory.snapshot = {1: [*PREFIX, 1, 2]}
    memory.asked = [1]
    scores = memory.scores(0)[[0, 3, 4, 5]].astype(float)
    p = np.exp(scores) / np.exp(scores).sum()
    assert answer[0] == [0, 3, 4, 5][p.argmax()]
    assert chances[0] == pytest.approx(np.log(p.max()))
    assert all(c == 0.0 for a, c in zip(answer, chances, strict=True) if a in (11, 12))


def test_forced_tokens_cost_no_evaluation_of_their_own() -> None:
    memory = Memory(batch=50)
    [(_, answer, _, _)] = solve(memory, [([1], 5)], 1)
    asked = sum(a not in (11, 12) for a in answer)
    assert memory.evaluations <= asked


def test_a_job_with_nothing_to_ask_costs_nothing() -> None:
    memory = Memory()
    assert solve(memory, [([1], 1), ([2], 0)], 2) == [(0, (0,), (0.0,), ""), (1, (), (), "")]
    assert memory.evaluations == 0


def test_a_job_longer_than_the_context_fails_and_the_others_do_not() -> None:
    jobs = [([1] * 70, 3), ([2], 3), ([3] * 400, 3)]
    results = solve(Memory(cells=100), jobs, 2)
    assert [r[3] for r in results] == [TOO_LONG, "", TOO_LONG]
    assert results[1][1:] == solve(Memory(), [([2], 3)], 1)[0][1:]


@pytest.mark.parametrize(("times", "failures"), [(1, 0), (2, 0), (3, 1), (5, 3)])
def test_a_full_memory_lets_jobs_wait_and_fails_only_the_one_that_has_it_alone(times: int, failures: int) -> None:
    memory = Memory()
    outcomes: list[Outcome] = ["full"] * times
    memory.outcomes = lambda: outcomes.pop() if outcomes else "done"
    jobs = [([1], 3), ([2], 3), ([3], 3)]
    results = solve(memory, jobs, 3)
    assert [r[3] for r in results].count(TOO_LONG) == failures
    assert [r for r in solve(Memory(), jobs, 3) if not results[r[0]][3]] == [r for r in results if not r[3]]


def test_scores_that_are_no_numbers_are_a_failure() -> None:
    memory = Memory()
    memory.broken = True
    assert [r[3] for r in solve(memory, [([1], 3), ([2], 3)], 2)] == [NO_NUMBERS] * 2


def test_dropping_leaves_nothing_behind() -> None:
    memory = Memory()
    scheduler = Scheduler(memory, len(PREFIX), 2, 60)
    for key in range(5):
        scheduler.add(Job(key, [1] * 12, Guide(4)))
    scheduler.step()
    scheduler.drop()
    assert set(memory.held) == {0}
    assert scheduler.step() == []
