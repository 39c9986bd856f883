"""Groups of a department: what an average hides is found, and what chance makes of small groups is not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from radcal.calibration.casemix import like_cases
from radcal.calibration.model import SHIPPED
from radcal.calibration.pooled import APART
from radcal.calibration.records import ALL_AUTHORS, Mix
from radcal.calibration.reliability import measure
from radcal.calibration.report import subgroups_to_json
from radcal.calibration.stored_analysis import Basis
from radcal.calibration.subgroup_records import SMALL, Subgroups
from radcal.calibration.subgroups import FEWEST_PATIENTS, subgroups
from radcal.calibration.tables import build_tables
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.phrases import load_lexicon, mean_of

PHRASES = load_lexicon().phrases
MEAN = {p.name: mean_of(p) for p in PHRASES}
QUICK = Settings(bootstrap=200, seed=3)


def department(shifts: dict[str, float], n: int = 500, seed: int = 0) -> pd.DataFrame:
    """Findings of each shift, confirmed as the words mean but for a difference of the log odds."""
    rng = np.random.default_rng(seed)
    parts = []
    for group, shift in shifts.items():
        phrase = rng.choice(["likely", "possibly", "may represent", "present", "unlikely"], n)
        mean = np.array([MEAN[name] for name in phrase]).clip(1e-9, 1 - 1e-9)
        rate = 1 / (1 + np.exp(-np.log(mean / (1 - mean)) - shift))
        there = rng.random(n) < rate
        parts.append(pd.DataFrame({"phrase": phrase, "outcome": there.astype(float), "group": group}))
    made = pd.concat(parts, ignore_index=True)
    return made.assign(author="A", topic="edema", patient=[f"P{i % 400}" for i in range(len(made))])


def of(rows: pd.DataFrame, grouping: str = "shift", settings: Settings = QUICK) -> Subgroups:
    return subgroups(rows, grouping, ALL_AUTHORS, ALL_TOPICS, Basis(PHRASES, settings))  # type: ignore[arg-type]


def test_a_shift_that_overstates_is_found() -> None:
    found = of(department({"day": 0.8, "night": -1.0, "evening": 0.0}, n=700))
    assert [g.value for g in found.groups] == ["day", "evening", "night"]  # in the order of the day
    night = found.groups[2]
    assert night.differs
    assert night.reliability.p_value_word is not None
    assert night.reliability.p_value_word < 0.01
    assert night.differs_like_cases
    rates = {g.value: next(r for r in g.reliability.phrases if r.phrase == found.phrase) for g in found.groups}
    assert rates["night"].rate < rates["day"].rate


@pytest.mark.slow
def test_groups_that_are_alike_are_hardly_ever_said_to_differ() -> None:
    said = [of(department(dict.fromkeys(("day", "evening", "night"), 0.0), 400, seed), settings=QUICK.changed(
        bootstrap=60)) for seed in range(16)]  # fmt: skip
    assert sum(g.differs for s in said for g in s.groups) <= 1


def test_a_group_is_measured_as_an_author_of_its_findings_would_be() -> None:
    rows = department({"day": 0.3, "night": -0.3}, n=200)
    found = of(rows)
    (own,) = measure(build_tables(rows[rows["group"] == "night"].drop(columns="group"), PHRASES), PHRASES, QUICK)
    its = found.groups[1].reliability
    assert (its.n, its.word_error, its.ece) == (own.n, own.word_error, own.ece)
    assert [(r.n, r.positives, r.rate) for r in its.phrases] == [(r.n, r.positives, r.rate) for r in own.phrases]
    assert (its.author, its.topic) == ("night", ALL_TOPICS)


def test_small_groups_are_put_together_and_hidden_where_even_that_is_few_patients() -> None:
    rows = department({"North": 0.0, "South": 0.0}, n=100)
    few = rows.iloc[:24].assign(group=[f"Ward {i % 4}" for i in range(24)])
    found = of(pd.concat([rows, few], ignore_index=True), "site")
    assert [g.value for g in found.groups] == ["North", "South", SMALL]
    assert found.folded == ("Ward 0", "Ward 1", "Ward 2", "Ward 3")
    assert found.groups[2].reliability.n == 24
    assert found.hidden == 0
    one = rows.iloc[:30].assign(group="Ward 9", patient=[f"P{i % (FEWEST_PATIENTS - 1)}" for i in range(30)])
    found = of(pd.concat([rows, one], ignore_index=True), "site")
    assert [g.value for g in found.groups] == ["North", "South"]
    assert (found.folded, found.hidden) == (("Ward 9",), 30)


def test_what_is_not_known_is_in_no_group_and_too_little_says_so() -> None:
    rows = department({"day": 0.0, "": 0.0}, n=20)
    found = of(rows)
    assert found.unknown == 20
    (day,) = found.groups
    assert day.reliability.word_error is None
    assert "a curve needs" in day.reliability.reason
    assert day.probability is None
    assert of(rows[rows["group"] == ""]).groups == ()


def test_rates_are_those_of_a_ct_that_errs() -> None:
    """Calibrated in both groups, seen by a CT that misses a fifth and takes a fifth of what is absent for present."""
    errs = QUICK.changed(ct_accuracy=(f"{ALL_TOPICS} 0.8 0.8",))
    rows = department({"day": 0.0, "night": 0.0}, n=900, seed=4)
    wrong = np.random.default_rng(4).random(len(rows)) < 0.2
    rows = rows.assign(outcome=np.where(wrong, 1 - rows["outcome"], rows["outcome"]))
    found = of(rows, settings=errs)
    for group in found.groups:
        raw = next(r for r in group.reliability.phrases if r.phrase == "unlikely")
        assert raw.rate == pytest.approx(max(raw.positives / raw.n - 0.2, 0) / 0.6)
        assert raw.low < MEAN["unlikely"] < raw.high


def test_simpsons_paradox_is_seen_by_comparing_like_with_like() -> None:
    """Nights are confirmed less often in all, only because nights ask about what is rarely there."""
    rng = np.random.default_rng(1)
    parts = []
    for topic, rate, sizes in (("edema", 0.9, {"day": 400, "night": 60}), ("mass", 0.4, {"day": 60, "night": 400})):
        for group, n in sizes.items():
            there = (rng.random(n) < rate).astype(float)
            parts.append(pd.DataFrame({"phrase": "likely", "outcome": there, "group": group, "topic": topic}))
    rows = pd.concat(parts, ignore_index=True).assign(author="A", patient=[f"P{i}" for i in range(920)])
    found = of(rows)
    assert [(g.differs, g.differs_like_cases) for g in found.groups] == [(True, False)] * 2


def test_like_cases_are_those_of_plain_loops() -> None:
    """The others' rate for the strata of each: 30 of 42 in t and 9 of 30 in u, as many as the other has of each."""
    rows = pd.DataFrame(
        [
            *[("likely", "a", "t", 1.0)] * 30, *[("likely", "a", "t", 0.0)] * 12, *[("likely", "b", "t", 1.0)] * 14,
            *[("likely", "b", "t", 0.0)] * 20, *[("likely", "a", "u", 1.0)] * 9, *[("likely", "a", "u", 0.0)] * 21,
            *[("likely", "b", "u", 1.0)] * 6, *[("likely", "b", "u", 0.0)] * 25, *[("likely", "b", "v", 1.0)] * 140,
        ],
        columns=["phrase", "group", "topic", "outcome"],
    )  # fmt: skip
    mix = Mix(np.array([0.0, 1.0]), np.array([78.0, 199.0]))
    for strata in (["topic"], []):
        parts = {p.name: p for p in like_cases(rows, "group", strata, "edema", PHRASES, QUICK, mix, SHIPPED)}
        for name, other in (("a", "b"), ("b", "a")):
            own = others = weight = 0.0
            for _, of_stratum in rows.groupby("topic") if strata else [("", rows)]:
                mine, theirs = (of_stratum.loc[of_stratum["group"] == g, "outcome"] for g in (name, other))
                if len(mine) and len(theirs):
                    own, others, weight = own + mine.sum(), others + len(mine) * theirs.mean(), weight + len(mine)
            part = parts[name]
            assert part.n == weight
            if part.phrase:
                assert (part.said, part.positives) == (weight, pytest.approx(own))
                assert part.others_positives / part.others_said == pytest.approx(others / weight)
                assert part.others_said <= (rows["group"] == other).sum()
            assert abs(own - others) / weight > APART
    assert parts["b"].differs, "all that only one of them saw is counted without strata"


def test_as_plain_values_every_group_has_its_scores() -> None:
    plain = subgroups_to_json(of(department({"day": 0.4, "night": -0.4}, n=120)))
    assert [g["value"] for g in plain["groups"]] == ["day", "night"]
    assert {"word_error", "word_error_low", "patients", "phrases", "probability", "curve"} <= plain["groups"][0].keys()
