"""ECE and AUROC against brute force, closed forms and simulated truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from radcal.lab.asking import run as figures
from radcal.lab.asking.asker import Answered, Question
from radcal.lab.asking.run import figures_of

QUESTION = Question("?", ("a",), "t")


def answers(stated: Sequence[float | None], correct: Sequence[bool], abstained: Sequence[bool] = ()) -> list[Answered]:
    flags = abstained or [False] * len(stated)
    return [
        Answered(QUESTION, "lc", "a", "a", s, s, bool(c), "exact", f)
        for s, c, f in zip(stated, correct, flags, strict=True)
    ]


def test_abstentions_count_as_zero_in_the_auroc_and_not_at_all_in_the_ece() -> None:
    stated: list[float | None] = [0.9] * 20 + [0.3] * 20 + [None] * 10
    correct = [True] * 18 + [False] * 2 + [True] * 6 + [False] * 14 + [False] * 10
    made = answers(stated, correct, [False] * 40 + [True] * 10)
    found = figures_of("lc", made, np.random.default_rng(0))
    assert (found.n, found.abstained, found.unstated) == (50, 10, 0)
    assert found.accuracy.value == pytest.approx(24 / 50)
    assert found.ece.value == pytest.approx(0.0)  # 18 of 20 at 0.9, 6 of 20 at 0.3
    ranked = [0.0 if s is None else s for s in stated]
    assert found.auroc.value == pytest.approx(roc_auc_score(correct, ranked))
    assert found.auroc.value > roc_auc_score(correct[:40], ranked[:40])


def test_an_answer_that_states_nothing_is_counted_and_in_no_figure() -> None:
    made = answers([0.8] * 40 + [None] * 5, [True] * 30 + [False] * 10 + [True] * 5)
    found = figures_of("lc", made, np.random.default_rng(0))
    assert found.unstated == 5
    assert found.ece.value == pytest.approx(0.05)
    assert found.accuracy.value == pytest.approx(35 / 45)


@pytest.mark.parametrize("n", [0, 1, 29])
def test_too_few_answers_give_a_reason_and_no_figure(n: int) -> None:
    found = figures_of("phrase", answers([0.5] * n, [True] * n), np.random.default_rng(0))
    assert found.ece.value is None
    assert f"{n} answer" in found.ece.reason
    assert found.auroc.value is None
    assert found.luck is None
    assert (found.accuracy.value is None) == (n == 0)


def test_an_auroc_needs_some_of_either_kind() -> None:
    found = figures_of("phrase", answers([0.5] * 40, [True] * 37 + [False] * 3), np.random.default_rng(0))
    assert found.auroc.value is None
    assert "37 correct answers and 3 others" in found.auroc.reason
    assert found.ece.value is not None


def test_the_same_seed_gives_the_same_intervals() -> None:
    random = np.random.default_rng(3)
    stated = random.random(60)
    made = answers(list(stated), list(random.random(60) < stated))
    first, second = (figures_of("lc", made, np.random.default_rng(1)) for _ in range(2))
    assert first == second
    assert first != figures_of("lc", made, np.random.default_rng(2))


@pytest.mark.parametrize("slope", [1.0, 0.5])
def test_the_intervals_hold_the_truth_as_often_as_they_say(slope: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated models: certainty uniform, correct with probability 1/2 + slope (certainty - 1/2)."""
    monkeypatch.setattr(figures, "_DRAWS", 200)
    grid = (np.arange(100_000) + 0.5) / 100_000
    chance = 0.5 + slope * (grid - 0.5)
    true_ece = float(np.mean(np.abs(grid - chance)))  # within a bin the gap keeps its sign
    true_auroc = brute_area(grid, chance)
    random = np.random.default_rng(11)
    held = [0, 0]
    for i in range(60):
        stated = random.random(150)
        correct = random.random(150) < 0.5 + slope * (stated - 0.5)
        found = figures_of("lc", answers(list(stated), list(correct)), np.random.default_rng(i))
        held[0] += found.ece.low <= true_ece <= found.ece.high
        held[1] += found.auroc.low <= true_auroc <= found.auroc.high
    assert min(held) >= 54  # of 60; the 95 % interval's own 2.5th percentile is 53


def test_a_perfect_order_of_few_answers_is_not_taken_for_certain() -> None:
    found = figures_of("lc", answers([0.9] * 25 + [0.1] * 5, [True] * 25 + [False] * 5), np.random.default_rng(0))
    assert (found.auroc.value, found.auroc.high) == (1.0, 1.0)
    assert 0.7 < found.auroc.low < 0.95
    turned = figures_of("lc", answers([0.1] * 25 + [0.9] * 5, [True] * 25 + [False] * 5), np.random.default_rng(0))
    assert (turned.auroc.low, turned.auroc.high) == (0.0, pytest.approx(1 - found.auroc.low))


def brute_area(grid: np.ndarray, chance: np.ndarray) -> float:
    """The AUROC of a density of correct and other answers over certainty."""
    yes, no = chance / chance.sum(), (1 - chance) / (1 - chance).sum()
    return float((yes * (np.cumsum(no) - no / 2)).sum())
