"""Before feedback and after: against sums over pairs, truths that were put in, and departments that did not change."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

import numpy as np
import pandas as pd
import pytest

from radcal.calibration.before_after import compared, control, first_half, hedged
from radcal.calibration.days import difference
from radcal.system.estimates import Estimate
from radcal.system.selection import Group
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.phrases import load_lexicon, mean_of

PHRASES = load_lexicon().phrases
SETTINGS = Settings()
WORDS = ("unlikely", "possibly", "suggestive of", "likely", "most likely", "consistent with")
MEANINGS = np.array([next(mean_of(p) for p in PHRASES if p.name == word) for word in WORDS])
DATES = {"": date(2026, 5, 1)}
EARLY, LATE = pd.Timestamp(2026, 2, 1), pd.Timestamp(2026, 6, 1)
GROUPS = [(f"R{a}", f"topic {t}") for t in range(14) for a in range(12)]


def _statements(
    rates: np.ndarray, n: int, rng: np.random.Generator, day: pd.Timestamp = EARLY, same: int = 1
) -> pd.DataFrame:
    """n statements in each of the groups, with words confirmed at their rates (G, K); ``same``: of each patient."""
    words = rng.integers(len(WORDS), size=(len(rates), n // same)).repeat(same, axis=1)
    outcome = rng.random((len(rates), n // same)).repeat(same, axis=1) < np.take_along_axis(rates, words, axis=1)
    author, topic = (np.repeat([name[i] for name in GROUPS[: len(rates)]], n) for i in (0, 1))
    return pd.DataFrame(
        {
            "author": author,
            "topic": topic,
            "phrase": np.array(WORDS)[words.ravel()],
            "outcome": outcome.ravel().astype(float),
            "xray_time": day,
            "patient": [f"{day:%m} {i // same}" for i in range(words.size)],
        }
    )


def _rates(rng: np.random.Generator, groups: int = 24) -> np.ndarray:
    """(G, K): the rates of words that are off their meaning at random."""
    return np.clip(MEANINGS + rng.normal(0, 0.12, (groups, len(WORDS))), 0.02, 0.98)


def test_the_distance_is_a_mean_on_the_side_of_the_first_half() -> None:
    rng = np.random.default_rng(0)
    rates = _rates(rng)[:3]
    first, second, after = (hedged(_statements(rates, 60, rng), PHRASES) for _ in range(3))
    second, after = (part.assign(outcome=rng.random(len(part)).round(2)) for part in (second, after))
    found = compared(first, second, after, SETTINGS)
    off: dict[tuple[str, ...], float] = {}
    for name, cell in first.groupby(["author", "topic", "phrase"]):
        off[name] = (cell["outcome"] - cell["meaning"]).sum() / (len(cell) + 10)
    told = [
        [(off.get((r.author, r.topic, r.phrase), 0.0), r.outcome - r.meaning) for r in part.itertuples()]
        for part in (second, after)
    ]
    scale = np.sqrt(np.mean([a * a for a, _ in told[0]]))
    for estimate, part in zip((found.before, found.after), told, strict=True):
        values = [a * z / scale for a, z in part]
        assert estimate.value == pytest.approx(np.mean(values))
        half = 1.96 * np.std(values, ddof=1) / np.sqrt(len(values))
        assert (estimate.low, estimate.high) == pytest.approx(
            (np.mean(values) - half, np.mean(values) + half), rel=1e-3, abs=1e-5
        )
    assert found.change == difference(found.before, found.after)
    assert (found.topics, found.n_before, found.n_after) == (1, 180, 180)
    assert compared(first, second[:29], after, SETTINGS).change is None
    assert compared(first[:0], second, after, SETTINGS).change is None
    assert compared(first, second[:30], after, SETTINGS).change is not None


@pytest.mark.parametrize("same", [1, 4])
def test_intervals_hold_where_patients_come_again(same: int) -> None:
    """Words that all lie 12 points off, in departments of which nothing changes: the distance is 12 points."""
    rng = np.random.default_rng(3)
    rates = np.tile(np.where(MEANINGS > 0.5, MEANINGS - 0.12, MEANINGS + 0.12), (4, 1))
    first = hedged(_statements(rates, 3000, rng), PHRASES)
    made = [
        compared(first, *(hedged(_statements(rates, 120, rng, same=same), PHRASES) for _ in range(2)), SETTINGS)
        for _ in range(60)
    ]
    assert np.mean([side.before.value for side in made]) == pytest.approx(0.12, abs=0.02)
    assert np.mean([side.before.low <= 0.12 <= side.before.high for side in made]) >= 0.85
    assert np.mean([side.change.low <= 0 <= side.change.high for side in made]) >= 0.85


def test_an_erring_ct_is_allowed_for() -> None:
    rng = np.random.default_rng(4)
    parts = [hedged(_statements(np.tile(MEANINGS, (24, 1)), 300, rng), PHRASES) for _ in range(3)]
    for part in parts:
        there = part["outcome"] == 1
        part["outcome"] = (rng.random(len(part)) < np.where(there, 0.8, 0.1)).astype(float)
    assert compared(*parts, SETTINGS).before.low > 0.05
    stated = compared(*parts, SETTINGS.changed(ct_accuracy=(f"{ALL_TOPICS} 0.8 0.9",)))
    assert stated.before.low < 0 < stated.before.high


def test_halves_keep_patients_together_and_follow_the_seed() -> None:
    rng = np.random.default_rng(5)
    said = _statements(_rates(rng), 60, rng, same=4)
    half = first_half(said, 0)
    assert said.assign(half=half).groupby("patient")["half"].nunique().max() == 1
    assert 0.4 < half.mean() < 0.6
    assert (first_half(said, 0) == half).all()
    assert 0.4 < (first_half(said, 1) == half).mean() < 0.6
    each = said.assign(half=first_half(said.drop(columns="patient"), 0))
    assert each.groupby("patient")["half"].nunique().max() == 2


def test_advice_of_one_half_is_judged_on_the_other() -> None:
    rng = np.random.default_rng(6)
    rates = _rates(rng)
    before, after = _statements(rates, 60, rng), _statements(rates, 60, rng, LATE)
    seen: list[pd.DataFrame] = []

    def advised(half: pd.DataFrame) -> Collection[Group]:
        seen.append(half)
        return [Group("R1", "topic 0"), Group("R2", "topic 0")]

    undated = _statements(rates, 10, rng).assign(xray_time=pd.NaT)
    found = control(pd.concat([before, after, undated], ignore_index=True), advised, "", DATES, PHRASES, SETTINGS)
    (half,) = seen
    assert 0.4 * len(before) < len(half) < 0.6 * len(before)
    rest = before.drop(half.index)
    own = [
        part[[pair in {("R1", "topic 0"), ("R2", "topic 0")} for pair in zip(part.author, part.topic, strict=True)]]
        for part in (half, rest, after)
    ]
    others = [part.drop(mine.index) for part, mine in zip((half, rest, after), own, strict=True)]
    for side, parts in ((found.advised, own), (found.others, others)):
        assert (side.n_before, side.n_after) == (len(parts[1]), len(parts[2]))
        assert side == compared(*(hedged(part, PHRASES) for part in parts), SETTINGS)
    assert (found.advised.topics, found.others.topics) == (1, 2)
    assert found.difference == difference(found.others.change, found.advised.change)
    mine = control(before, advised, "R1", DATES, PHRASES, SETTINGS)
    assert set(seen[-1]["author"]) == {"R1"}
    assert (mine.advised.change, mine.difference, mine.fewest) == (None, None, 30)
    assert control(before, advised, "", {}, PHRASES, SETTINGS) is None


def _far_off(half: pd.DataFrame) -> set[Group]:
    """The groups that lie farthest from their meaning: a quarter."""
    said = hedged(half, PHRASES)
    off = (said["outcome"] - said["meaning"]).groupby([said["author"], said["topic"], said["phrase"]]).agg(["sum"])
    order = off["sum"].abs().groupby(["author", "topic"]).sum().sort_values(ascending=False)
    return {Group(*name) for name in order.index[: len(order) // 4]}


def _differences(effect: float, departments: int, groups: int, seed: int) -> tuple[list[Estimate], list[Estimate]]:
    """Of departments in which advised words keep so much of their distance: as compared, and on the advising half."""
    rng = np.random.default_rng(seed)
    as_compared, same_half = [], []
    for _ in range(departments):
        rates = _rates(rng, groups)
        before = _statements(rates, 100, rng)
        half = first_half(before, SETTINGS.seed)
        wanted = _far_off(before[half])
        advised = np.array([Group(*name) in wanted for name in GROUPS[:groups]])[:, None]
        after = _statements(np.where(advised, MEANINGS + effect * (rates - MEANINGS), rates), 100, rng, LATE)
        everything = pd.concat([before, after], ignore_index=True)
        as_compared.append(control(everything, _far_off, "", DATES, PHRASES, SETTINGS).difference)
        said = [hedged(part, PHRASES) for part in (before[half], before[half], after)]
        mine = [[Group(*pair) in wanted for pair in zip(part.author, part.topic, strict=True)] for part in said]
        own, others = (
            compared(*(part[np.array(own) == side] for part, own in zip(said, mine, strict=True)), SETTINGS).change
            for side in (True, False)
        )
        same_half.append(difference(others, own))
    return as_compared, same_half


@pytest.mark.slow  # 100 departments of 4,800 findings
def test_what_did_not_change_is_no_improvement() -> None:
    as_compared, same_half = _differences(1.0, 100, 24, 7)
    assert np.mean([e.high < 0 for e in as_compared]) <= 0.05
    assert abs(np.mean([e.value for e in as_compared])) < 0.01, "none on average"
    assert np.mean([e.high < 0 for e in same_half]) > 0.1, "regression to the mean"


@pytest.mark.slow  # 20 departments of 12 readers, 14 pathologies and 100 findings on each, before and after
def test_words_that_moved_half_way_are_found() -> None:
    as_compared, _ = _differences(0.5, 20, 168, 8)
    assert np.mean([e.high < 0 for e in as_compared]) > 0.6
