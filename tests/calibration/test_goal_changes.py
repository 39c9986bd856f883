"""What became of a goal: against sums made by hand, and departments in which nothing changes, or one reader does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import pandas as pd
import pytest

from radcal.calibration.goal_changes import LEVEL, LOOKS, GoalChange, goal_change
from radcal.calibration.model import SHIPPED
from radcal.calibration.reliability import measure
from radcal.calibration.tables import build_tables
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.phrases import load_lexicon, mean_of

PHRASES = load_lexicon().phrases
SETTINGS = Settings(bootstrap=0)
MEAN = {p.name: mean_of(p) for p in PHRASES}
SET = date(2026, 6, 1)
WORDS = ("unlikely", "possibly", "may represent", "likely", "consistent with")
GOAL = ("likely", "may represent")
OFTEN = (0.15, 0.1, 0.1, 0.55, 0.1)
"""Use of words by readers to whom much is likely."""


def statements(
    rates: np.ndarray,
    n: int,
    rng: np.random.Generator,
    *,
    after: bool = False,
    topics: int = 1,
    same: int = 1,
    use: Sequence[float] = (0.2,) * 5,
) -> pd.DataFrame:
    """n statements of each author on each topic, in days before or after the goal; rates (authors, topics, words).

    same: of each patient, who is ill or not.
    """
    authors = len(rates)
    author, topic = (x.ravel() for x in np.meshgrid(np.arange(authors), np.arange(topics), indexing="ij"))
    author, topic = author.repeat(n), topic.repeat(n)
    word = rng.choice(len(WORDS), size=len(author) // same, p=use).repeat(same)
    day = np.tile(np.arange(n), authors * topics)
    ill = rng.random(len(author) // same).repeat(same)
    return pd.DataFrame(
        {
            "author": pd.Categorical([f"R{a}" for a in author]),
            "topic": pd.Categorical([f"topic {t}" for t in topic]),
            "phrase": pd.Categorical(np.array(WORDS)[word], categories=[p.name for p in PHRASES]),
            "outcome": (ill < rates[author, topic, word]).astype(float),
            "xray_time": pd.Timestamp(SET) + pd.to_timedelta(day + 1 if after else day - n, unit="D"),
            "patient": np.arange(len(author)) // same + 1_000_000 * after,
        }
    )


def followed(said: pd.DataFrame, author: str, share: float, rng: np.random.Generator) -> pd.DataFrame:
    """The goal's word replaced in a share of the author's uses."""
    own = (said["author"] == author) & (said["phrase"] == GOAL[0]) & (rng.random(len(said)) < share)
    return said.assign(phrase=said["phrase"].mask(own, GOAL[1]))


def drawn(rng: np.random.Generator, authors: int, topics: int = 1) -> np.ndarray:
    """True rates from the model: shift and slope of each author on each topic, and words near their meaning."""
    x = np.log([MEAN[w] / (1 - MEAN[w]) for w in WORDS])
    shift, slope = (rng.normal(0, s, (authors, topics, 1)) for s in (SHIPPED.shift, SHIPPED.slope))
    off = rng.normal(0, SHIPPED.near, (authors, topics, len(WORDS)))
    return np.asarray(1 / (1 + np.exp(-(shift + (1 + slope) * x + off))))


def test_what_is_expected_and_seen_is_what_sums_by_hand_say() -> None:
    rng = np.random.default_rng(1)
    rates = np.tile([MEAN[w] for w in WORDS], (8, 1, 1))
    rates[0, 0, 3] -= 0.3
    before, after = statements(rates, 120, rng), statements(rates, 200, rng, after=True)
    on_the_day = after.head(40).assign(xray_time=pd.Timestamp(SET), outcome=1.0)
    undated = after.head(40).assign(xray_time=pd.NaT)
    everything = pd.concat([before, after, on_the_day, undated], ignore_index=True)
    found = goal_change(everything, "R0", "topic 0", GOAL, SET, PHRASES, SETTINGS)

    measured = measure(build_tables(before, PHRASES), PHRASES, SETTINGS, spread=SHIPPED)
    expected = {(r.author, p.phrase): p.expected for r in measured for p in r.phrases}
    uses = after[(after["author"] == "R0") & after["phrase"].isin(GOAL)].head(60)
    last = uses["xray_time"].max()

    def off(author: str) -> float:
        own = before[(before["author"] == author) & before["phrase"].isin(GOAL)]
        return float(np.mean([MEAN[w] - expected[author, w] for w in own["phrase"]]))

    def seen(rows: pd.DataFrame) -> float:
        return float(np.mean([MEAN[w] - o for w, o in zip(rows["phrase"], rows["outcome"], strict=True)]))

    others = after[(after["author"] != "R0") & after["phrase"].isin(GOAL) & (after["xray_time"] <= last)]
    moved = seen(others) - np.mean([off(a) for a in others["author"]])
    assert (found.n, found.needed, found.n_others) == (60, 120, len(others))
    assert found.before == pytest.approx(off("R0"), abs=1e-4)
    assert found.after is not None
    assert found.after.value == pytest.approx(seen(uses))
    assert found.others is not None
    assert found.others.value == pytest.approx(moved, abs=1e-4)
    assert found.change is not None
    assert found.change.value == pytest.approx(seen(uses) - off("R0") - moved, abs=1e-4)
    own = everything[(everything["author"] == "R0")]
    for use, word in zip((found.source, found.target), GOAL, strict=True):
        is_early, is_late = own["xray_time"] < pd.Timestamp(SET), own["xray_time"] > pd.Timestamp(SET)
        assert [tuple(u) for u in use] == [
            (int((own[its]["phrase"] == word).sum()), int(its.sum())) for its in (is_early, is_late)
        ]


def test_a_look_sees_the_first_uses_alone_and_others_are_those_without_the_goal() -> None:
    rng = np.random.default_rng(2)
    rates = drawn(rng, 9)
    before, after = statements(rates, 100, rng), statements(rates, 110, rng, after=True)
    uses = after[(after["author"] == "R0") & after["phrase"].isin(GOAL)]
    assert LOOKS[0] < len(uses) < LOOKS[1]
    until = after[after["xray_time"] <= uses["xray_time"].iloc[LOOKS[0] - 1]]

    def found(rows: pd.DataFrame, *with_goal: str) -> GoalChange:
        every = pd.concat([before, rows], ignore_index=True)
        return goal_change(every, "R0", "topic 0", GOAL, SET, PHRASES, SETTINGS, with_goal=with_goal)

    first, later = found(until), found(after)
    assert (first.change, first.after, first.n) == (later.change, later.after, LOOKS[0])
    few = found(after[after["xray_time"] < uses["xray_time"].iloc[LOOKS[0] - 1]])
    assert (few.became, few.n, few.needed, few.change) == ("too few", LOOKS[0] - 1, LOOKS[0], None)
    without = found(after, "R1", "R2")
    assert without.n_others < later.n_others
    assert without.after == later.after
    assert found(after, *(f"R{k}" for k in range(1, 5))).others is None  # four others are not enough to be told


def test_where_no_others_write_the_words_on_the_pathology_those_of_all_pathologies_are_the_control() -> None:
    rng = np.random.default_rng(3)
    rates = drawn(rng, 7, 2)
    every = pd.concat([statements(rates, 200, rng, after=a, topics=2) for a in (False, True)], ignore_index=True)
    alone = every[(every["author"] == "R0") | (every["topic"] == "topic 1")]
    found = goal_change(alone, "R0", "topic 0", GOAL, SET, PHRASES, SETTINGS)
    assert found.others is not None
    whole = goal_change(every, "R0", ALL_TOPICS, GOAL, SET, PHRASES, SETTINGS)
    own = every[(every["author"] == "R0") & (every["xray_time"] < pd.Timestamp(SET))]
    assert whole.source[0] == (int((own["phrase"] == GOAL[0]).sum()), 400)


@pytest.mark.slow
@pytest.mark.parametrize("same", [1, 3])
def test_closer_is_said_of_the_worst_looking_words_in_at_most_5_in_100_where_nothing_changes(same: int) -> None:
    """And what is expected before is unbiased though the word was chosen by it, which what was seen is not."""
    rng = np.random.default_rng(4)
    closer, expected, raw = [], [], []
    while len(closer) < 150:
        rates = drawn(rng, 8)
        before, after = (statements(rates, n, rng, after=n > 150, same=same) for n in (150, 420))
        every = pd.concat([before, after], ignore_index=True)
        for a in range(8):
            own = before[before["author"] == f"R{a}"]
            seen = own.groupby("phrase", observed=True)["outcome"].mean()
            source = max(WORDS, key=lambda w: abs(MEAN[w] - seen[w]))
            target = min((w for w in WORDS if w != source), key=lambda w: abs(MEAN[w] - seen[source]))
            side = np.sign(MEAN[source] - MEAN[target])
            if side != np.sign(MEAN[source] - seen[source]):
                continue
            said = False
            uses = after[(after["author"] == f"R{a}") & after["phrase"].isin((source, target))]
            for look in (k for k in LOOKS if k <= len(uses)):
                until = every["xray_time"] <= uses["xray_time"].iloc[look - 1]
                found = goal_change(every[until], f"R{a}", "topic 0", (source, target), SET, PHRASES, SETTINGS)
                assert found.n == look
                said |= found.became == "closer"
            closer.append(said)
            both = own[own["phrase"].isin((source, target))]
            k = [WORDS.index(w) for w in both["phrase"]]
            stated = np.array([MEAN[w] for w in both["phrase"]])
            true = side * (stated - rates[a, 0, k]).mean()
            assert found.before is not None
            expected.append(found.before - true)
            raw.append(side * (stated - both["outcome"]).mean() - true)
    error = np.sqrt(LEVEL * (1 - LEVEL) / len(closer))
    assert np.mean(closer) <= LEVEL + 1.645 * error
    assert np.mean(raw) > 0.015
    assert abs(np.mean(expected)) < 0.5 * np.mean(raw)


@pytest.mark.slow
def test_a_reader_who_follows_the_goal_is_told_so_and_others_who_do_the_same_take_it_off() -> None:
    rng = np.random.default_rng(5)
    alone, all_do = [], []
    for _ in range(25):
        rates = np.tile([MEAN[w] for w in WORDS], (12, 1, 1))
        rates[:, 0, 3] = MEAN["may represent"]  # what all call likely is as often there as what may be
        before, after = (statements(rates, n, rng, after=n > 150, use=OFTEN) for n in (150, 250))
        mine = pd.concat([before, followed(after, "R0", 0.9, rng)], ignore_index=True)
        alone.append(goal_change(mine, "R0", "topic 0", GOAL, SET, PHRASES, SETTINGS))
        every = after
        for a in range(12):
            every = followed(every, f"R{a}", 0.9, rng)
        both = pd.concat([before, every], ignore_index=True)
        all_do.append(goal_change(both, "R0", "topic 0", GOAL, SET, PHRASES, SETTINGS))
    assert np.mean([found.became == "closer" for found in alone]) >= 0.5
    assert all(found.source[1].said < found.source[0].said / 2 for found in alone)
    assert np.mean([found.became == "closer" for found in all_do]) <= 0.1
