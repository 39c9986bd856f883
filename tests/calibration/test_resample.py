"""Redraws have exactly the distributions that they claim, and intervals those that they need."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from radcal.calibration import resample
from radcal.calibration.resample import Bootstrap, counting_processes, luck_draws


def fits(counts: np.ndarray, probabilities: np.ndarray) -> float:
    """p-value of a chi-square test, cells of small expectation joined."""
    expected = probabilities * counts.sum()
    order = np.argsort(expected)
    group = np.cumsum(expected[order]) // 20
    seen, due = (np.bincount(group.astype(int), x[order]) for x in (counts, expected))
    seen, due = seen[due > 0], due[due > 0]
    return float(stats.chisquare(seen, due * seen.sum() / due.sum()).pvalue)


def every_outcome(total: int, cells: int) -> np.ndarray:
    grid = np.array(list(product(range(total + 1), repeat=cells)))
    return grid[grid.sum(axis=1) == total]


@pytest.mark.parametrize("cells", [[1, 1], [3, 1, 2], [4, 1, 1, 3]])
@pytest.mark.parametrize("longest", [2048, 0])
def test_small_tables_are_redrawn_from_the_multinomial(monkeypatch, cells: list[int], longest: int) -> None:
    monkeypatch.setattr(resample, "LONGEST_PROCESS", longest)
    monkeypatch.setattr(resample, "_kept", {})
    n = np.array(cells, dtype=float)
    total = int(n.sum())
    drawn = Bootstrap(7, 20_000, np.array([total])).redraw(n[None])[0]
    assert (drawn.sum(axis=0) == total).all()
    outcomes = every_outcome(total, len(n))
    place = {tuple(o): i for i, o in enumerate(outcomes.tolist())}
    seen = np.bincount([place[tuple(column)] for column in drawn.T.astype(int).tolist()], minlength=len(outcomes))
    assert fits(seen, stats.multinomial(total, n / total).pmf(outcomes)) > 1e-3


@pytest.mark.parametrize("total", [30, 357, 2000])
def test_cells_of_large_tables_are_binomial_and_correlated_as_they_should_be(total: int) -> None:
    share = np.array([0.5, 0.3, 0.15, 0.05])
    n = np.round(share * total)
    n[0] += total - n.sum()
    drawn = Bootstrap(3, 20_000, np.array([total, 40.0])).redraw(n[None])[0].astype(np.int64)
    assert (drawn.sum(axis=0) == total).all()
    for j, p in enumerate(n / total):
        pmf = stats.binom(total, p).pmf(np.arange(total + 1))
        assert fits(np.bincount(drawn[j], minlength=total + 1), pmf) > 1e-3
    p = n / total
    covariance = total * (np.diag(p) - np.outer(p, p))
    assert np.cov(drawn) == pytest.approx(covariance, abs=0.04 * total)
    # Redraws are independent of each other: neighbours do not resemble each other.
    assert np.corrcoef(drawn[0, :-1], drawn[0, 1:])[0, 1] == pytest.approx(0, abs=0.03)


def test_shared_out_cells_are_redrawn_by_their_shares() -> None:
    n = np.array([2.25, 0.75, 3.0])
    drawn = Bootstrap(3, 20_000, np.array([6.0])).redraw(n[None])[0].astype(np.int64)
    assert (drawn.sum(axis=0) == 6).all()
    assert fits(np.bincount(drawn[0], minlength=7), stats.binom(6, 2.25 / 6).pmf(np.arange(7))) > 1e-3


@pytest.mark.parametrize(("n", "mean"), [(1, 0.3), (18, 0.63), (400, 0.05), (5, 0.0), (5, 1.0)])
def test_luck_is_binomial(n: int, mean: float) -> None:
    drawn = luck_draws(1, 4, n, np.array([0.0, 1.0]), np.array([1 - mean, mean]), 20_000).astype(int)
    pmf = stats.binom(n, mean).pmf(np.arange(n + 1))
    if 0 < mean < 1:
        assert fits(np.bincount(drawn, minlength=n + 1), pmf) > 1e-3
    else:
        assert (drawn == n * mean).all()


def test_luck_of_different_phrases_is_independent() -> None:
    a, b = (luck_draws(1, k, 50, np.array([0.0, 1.0]), np.array([0.6, 0.4]), 20_000) for k in (0, 1))
    assert np.corrcoef(a, b)[0, 1] == pytest.approx(0, abs=0.03)


def test_processes_are_poisson_and_do_not_depend_on_how_many_steps_are_wanted() -> None:
    process = counting_processes(5, 150, 4000)
    assert (process[0] == 0).all()
    steps = np.diff(process, axis=0).astype(int)
    pmf = stats.poisson(1).pmf(np.arange(12))
    seen = np.bincount(steps.ravel(), minlength=12)[:12]
    assert fits(seen, pmf / pmf.sum()) > 1e-3
    assert steps.sum(axis=0).var() == pytest.approx(150, rel=0.1)
    assert (counting_processes(5, 70, 4000) == process[:71]).all()
    assert (counting_processes(5, 150, 4000, process[:71]) == process).all()


def test_processes_that_are_there_are_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who goes through groups of different sizes waits for the longest once."""
    monkeypatch.setattr(resample, "_kept", {})
    drawn: list[int] = []

    def draw(seed: int, length: int, columns: int, begun: np.ndarray | None = None) -> np.ndarray:
        drawn.append(length - (0 if begun is None else len(begun) - 1))
        return counting_processes(seed, length, columns, begun)

    monkeypatch.setattr(resample, "counting_processes", draw)
    small, large = np.array([[30.0, 20.0]]), np.array([[900.0, 500.0]])
    alone = Bootstrap(4, 60, small.sum(axis=1)).redraw(small)
    Bootstrap(4, 60, large.sum(axis=1)).redraw(large)
    assert (Bootstrap(4, 60, small.sum(axis=1)).redraw(small) == alone).all()
    Bootstrap(4, 60, large.sum(axis=1))
    assert drawn == [512, 1536 - 512]
    Bootstrap(5, 60, small.sum(axis=1))
    assert drawn[2:] == [512]


def test_a_redraw_does_not_depend_on_the_company() -> None:
    n = np.array([10.0, 7, 30])
    alone = Bootstrap(2, 100, np.array([47.0])).redraw(n[None])[0]
    bootstrap = Bootstrap(2, 100, np.array([47.0, 900.0]))
    bootstrap.redraw(np.array([[500.0, 400.0]]))
    assert (bootstrap.redraw(n[None])[0] == alone).all()


def test_groups_of_all_kinds_are_redrawn_together_as_alone(monkeypatch) -> None:
    """Short, long, shared out, with gaps, and so few that some redraws start from nothing."""
    monkeypatch.setattr(resample, "LONGEST_PROCESS", 100)
    cells = np.array([[10, 0, 7, 30], [0, 0, 1, 0], [90, 60, 0, 9], [2.25, 0.75, 3, 0], [0, 25, 25, 25.0]])
    bootstrap = Bootstrap(2, 101, cells.sum(axis=1))
    together = bootstrap.redraw(cells)
    assert (together.sum(axis=1) == cells.sum(axis=1)[:, None]).all()
    for row, drawn in zip(cells, together, strict=True):
        some = row > 0
        assert (drawn[~some] == 0).all()
        assert (drawn[some] == Bootstrap(2, 101, np.array([row.sum()])).redraw(row[None, some])[0]).all()


def test_groups_of_one_total_share_their_redraws_and_have_the_same_as_alone(monkeypatch) -> None:
    rng = np.random.default_rng(6)
    cells = np.concatenate([rng.multinomial(n, [0.4, 0, 0.3, 0.2, 0.1], size=6) for n in (53, 54, 9)]).astype(float)
    cells[[2, 8]] = [[53, 0, 0, 0, 0], [0, 0, 0, 0, 54]]
    mixed = cells[rng.permutation(len(cells))][:14]  # some totals often enough to be shared, and some not
    bootstrap = Bootstrap(2, 101, cells.sum(axis=1))
    for some in (cells, mixed):
        together = bootstrap.redraw(some)
        assert (together.sum(axis=1) == some.sum(axis=1)[:, None]).all()
        for row, drawn in zip(some, together, strict=True):
            assert (drawn == bootstrap.redraw(row[None])[0]).all()
    monkeypatch.setattr(resample, "_SHARED_SIZE", 0)
    assert (bootstrap.redraw(mixed) == together).all()


def test_completion_grows_when_few_processes_can_be_used() -> None:
    bootstrap = Bootstrap(2, 50, np.array([20.0]))
    bootstrap._process = bootstrap._process.copy()
    bootstrap._process[:, :-1] = 1000
    drawn = bootstrap.redraw(np.array([[12.0, 8.0]]))[0]
    assert (drawn.sum(axis=0) == 20).all()
    assert drawn[0].mean() == pytest.approx(12, abs=1.5)
