"""Patients seen again: design effects against plain loops and known cases, tests and intervals on serial films."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from radcal.calibration.pooled import pooled
from radcal.calibration.records import ALL_AUTHORS, POOLS, Tables
from radcal.calibration.reliability import measure, monotone
from radcal.calibration.repeats import design_effects, told_share
from radcal.calibration.report import to_json
from radcal.calibration.tables import build_tables, read_observations
from radcal.review.records import Misread, ReadingErrors
from radcal.system.intervals import jeffreys
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.phrases import mean_of
from radcal.words.records import Phrase
from tests.calibration.serial_films import serial_films

WORDS = (
    Phrase("unlikely", 2, 18, 0, 1),
    Phrase("possible", 4, 8, 0, 1),
    Phrase("likely", 7, 3, 0, 1),
    Phrase("very likely", 18, 2, 0, 1),
)
MEAN = np.array([mean_of(p) for p in WORDS])
QUICK = Settings(bootstrap=400, n_bins=5)


def some(seed: int, size: int = 300) -> pd.DataFrame:
    """Findings with hedged outcomes, some patients often seen, some unknown."""
    rng = np.random.default_rng(seed)
    patient = np.minimum(rng.integers(0, 40, size), rng.integers(0, 40, size))
    of_patient = rng.random(40)[patient]
    return pd.DataFrame(
        {
            "author": rng.choice(["Avery", "Brooks"], size),
            "topic": rng.choice(["edema", "mass"], size),
            "phrase": [WORDS[k].name for k in rng.integers(len(WORDS), size=size)],
            "outcome": np.where(of_patient < rng.random(size), rng.choice([0, 0.3], size), rng.choice([0.7, 1], size)),
            "patient": [None if p == 0 else ("" if p == 1 else f"P{p}") for p in patient],
        }
    )


def by_hand(rows: pd.DataFrame, expected: np.ndarray | None = None) -> np.ndarray:
    """(K,), one group's design effects, finding by finding and pair by pair."""
    parts = []
    for k, word in enumerate(WORDS):
        own = rows[rows["phrase"] == word.name].reset_index(drop=True)
        n, outcome = len(own), own["outcome"].to_numpy()
        known = own[own["patient"].notna() & (own["patient"] != "")]
        pairs = [pair for _, its in known.groupby("patient") for pair in permutations(its.index, 2)]
        e = outcome - outcome.mean() if n else outcome
        one, across, P = sum(e**2), sum(e[a] * e[b] for a, b in pairs), len(pairs)
        num = across * (n - 1) / n + one * P / n**2 if n else 0.0
        v = max(one * (1 - P / n**2) + across / n, 0) / n if n else 0.0
        if expected is not None:
            f = outcome - expected[k]
            num = (num + sum(f[a] * f[b] for a, b in pairs)) / 2
            v = (v + (np.mean(f**2) if n else 0)) / 2
        squares = n + P
        parts.append((num, P * v, n**2 * P / squares**2 if n else 0.0, P / n if n else 0.0))
    num, weight, seen, per_finding = np.array(parts).T
    lean = 5.0 if expected is None else 0.0
    usual = (num.sum() + 0.4 * lean) / (weight.sum() + lean)
    own_alike = np.where(weight > 1e-12, num / np.maximum(weight, 1e-12), usual)
    return 1 + np.clip((seen * own_alike + 20 * usual) / (seen + 20), 0, 1) * per_finding


def effects_by_group(tables: Tables, expected: np.ndarray | None = None) -> dict[tuple[str, str], np.ndarray]:
    wanted = None if expected is None else np.broadcast_to(expected, tables.counts.shape[:2])
    return dict(zip(tables.groups, design_effects(tables, wanted), strict=True))


@pytest.mark.parametrize("expected", [None, MEAN])
@pytest.mark.parametrize("seed", range(3))
def test_effects_are_those_of_plain_loops(seed: int, expected: np.ndarray | None) -> None:
    rows = some(seed)
    found = effects_by_group(build_tables(rows, WORDS), expected)
    assert len(found) == 4
    for (author, topic), effects in found.items():
        own = rows[(rows["author"] == author) & (rows["topic"] == topic)]
        np.testing.assert_allclose(effects, by_hand(own, expected))
    assert max(e.max() for e in found.values()) > 1.1


@pytest.mark.parametrize("kind", ["int", "category"])
def test_patients_may_be_numbers_or_categories_and_rows_be_counted_and_in_any_order(kind: str) -> None:
    rows = some(5)
    plain = design_effects(build_tables(rows, WORDS))
    named = rows.assign(patient=rows["patient"].replace("", None))
    if kind == "int":
        # A number that nobody else has in place of an unknown patient.
        lone = -1 - np.arange(len(rows))
        as_kind = named.assign(patient=np.where(named["patient"].isna(), lone, pd.factorize(named["patient"])[0]))
    else:
        as_kind = named.astype({"patient": "category"})
    shuffled = as_kind.sample(frac=1, random_state=0)
    np.testing.assert_array_equal(design_effects(build_tables(shuffled, WORDS)), plain)
    columns = ["author", "topic", "phrase", "outcome", "patient"]
    counted = as_kind.groupby(columns, dropna=False, observed=True).size().rename("n").reset_index()
    assert len(counted) < len(rows)
    again = build_tables(counted, WORDS, n=counted["n"].to_numpy())
    np.testing.assert_array_equal(design_effects(again), plain)


def test_outcomes_shared_out_on_a_grid_keep_their_values() -> None:
    rows = some(1)
    rows["outcome"] = np.random.default_rng(0).random(len(rows)) * 0.3 + 0.7 * rows["outcome"]
    (effects,) = effects_by_group(pooled(build_tables(rows.assign(topic="edema"), WORDS), "topic")).values()
    np.testing.assert_allclose(effects, by_hand(rows), rtol=1e-3)  # their squares are those of the grid


@pytest.mark.parametrize("by", POOLS)
def test_pooled_groups_have_the_effects_of_their_observations(by: str) -> None:
    rows = some(7)
    named = rows.assign(topic=ALL_TOPICS) if by == "author" else rows.assign(author=ALL_AUTHORS)
    together, whole = pooled(build_tables(rows, WORDS), by), build_tables(named, WORDS)
    assert together.groups == whole.groups
    for expected in (None, np.broadcast_to(MEAN, together.counts.shape[:2])):
        np.testing.assert_array_equal(design_effects(together, expected), design_effects(whole, expected))


def test_one_finding_of_each_patient_is_as_without_patients() -> None:
    rows = some(2).assign(patient=np.arange(300))
    tables, without = build_tables(rows, WORDS), build_tables(rows.drop(columns="patient"), WORDS)
    for expected in (None, np.broadcast_to(MEAN, tables.counts.shape[:2])):
        np.testing.assert_array_equal(design_effects(tables, expected), 1)
        np.testing.assert_array_equal(design_effects(without, expected), 1)
    assert json.dumps(to_json(measure(tables, WORDS, QUICK))) == json.dumps(to_json(measure(without, WORDS, QUICK)))


@pytest.mark.parametrize("films", [2, 5])
def test_patients_whose_findings_are_all_the_same_count_once(films: int) -> None:
    once = serial_films(WORDS, 1, 8000, 1)
    tables = build_tables(once.loc[once.index.repeat(films)], WORDS)
    for expected in (None, MEAN[None]):
        np.testing.assert_allclose(design_effects(tables, expected), films, rtol=0.03)


def test_independent_findings_of_a_patient_have_no_effect() -> None:
    tables = build_tables(serial_films(WORDS, 1, 30000, 5, alike=0), WORDS)
    for expected in (None, MEAN[None]):
        effects = design_effects(tables, expected)
        assert (effects >= 1).all()
        np.testing.assert_allclose(effects, 1, atol=0.05)


def test_what_findings_of_few_patients_tell() -> None:
    n, effects = np.array([40.0, 40, 12, 30]), np.array([2.0, 4, 1, 1.5])
    share = (t.ppf(0.95, n - 1) / t.ppf(0.95, n / effects - 1)) ** 2 / effects
    np.testing.assert_allclose(told_share(n, effects, 0.9), share)
    # One patient alone: as if a single finding had been confirmed half.
    assert told_share(np.full(1, 2.0), np.full(1, 2.0)) == 0.5


# --- what is said of serial films


def seen(films: int, size: int, groups: int, keep: bool = True, **how: float) -> tuple[float, float, float]:
    """The shares of authors who are shown to differ, of rates in their interval and of word errors in theirs."""
    rows = serial_films(WORDS, groups, size, films, **how)
    tables = build_tables(rows if keep else rows.drop(columns="patient"), WORDS)
    measured = measure(tables, WORDS, QUICK)
    n = tables.counts.sum(axis=2)
    share = told_share(np.maximum(n, 1), design_effects(tables))
    low, high = jeffreys(tables.counts @ tables.positive * share, n * share)
    rate = ((low <= MEAN) & (high >= MEAN))[n >= 10]
    errors = [r.word_error_low == 0 for r in measured]
    return float(np.mean([r.p_value_word < 0.05 for r in measured])), float(np.mean(rate)), float(np.mean(errors))


def test_calibrated_authors_of_serial_films_are_rarely_shown_to_differ() -> None:
    differ, inside, nothing = seen(4, 120, 250)
    assert differ < 0.1  # 0.05, and three standard errors
    assert inside > 0.92
    assert nothing > 0.92
    careless, outside, something = seen(4, 120, 250, keep=False)
    assert careless > 0.2
    assert outside < 0.9
    assert something < 0.85


def test_weak_and_strong_words_are_found_all_the_same() -> None:
    found, _, _ = seen(4, 600, 60, slope=0.4)
    assert found > 0.9


@pytest.mark.slow  # 12 times 600 authors
@pytest.mark.parametrize("films", [1, 3, 10])
@pytest.mark.parametrize("size", [60, 200, 1000])
def test_level_and_coverage(size: int, films: int) -> None:
    differ, inside, nothing = seen(films, size, 600, seed=films)
    assert 0.02 <= differ <= 0.08  # 3-7 %, and a standard error
    assert 0.925 <= inside <= 0.975
    assert nothing >= 0.92


def test_the_region_of_monotone_curves_is_wider() -> None:
    rows = serial_films(WORDS, 1, 400, 8)
    wide, narrow = (monotone(build_tables(part, WORDS), WORDS, QUICK) for part in (rows, rows.drop(columns="patient")))
    np.testing.assert_array_equal(wide.fitted, narrow.fitted)
    assert ((wide.high - wide.low) > 1.2 * (narrow.high - narrow.low)).all()
    assert ((wide.low >= 0) & (wide.high <= 1)).all()


def test_the_published_measures_stay_and_their_luck_is_wider() -> None:
    rows = serial_films(WORDS, 1, 400, 8)
    (again,), (once,) = (measure(build_tables(r, WORDS), WORDS, QUICK) for r in (rows, rows.drop(columns="patient")))
    for name in ("word_error", "ece", "ece_star", "brier", "auroc", "brier_low", "brier_high"):
        assert getattr(again, name) == getattr(once, name), name
    for name in ("luck_word_mean", "luck_mean", "luck_p95", "p_value_word", "p_value"):
        assert getattr(again, name) > getattr(once, name), name


def test_errors_of_reading_are_carried_on_with_it() -> None:
    right = Misread(900, ((300, 0, 0, 0), (0, 300, 0, 0), (0, 0, 300, 0), (0, 0, 0, 300)), (300, 0, 0))
    rows = serial_films(WORDS, 1, 400, 8)
    made = build_tables(rows, WORDS, errors=ReadingErrors("rules", "1", right, right))
    (again,), (once,) = (measure(tables, WORDS, QUICK) for tables in (made, replace(made, by_patient={})))
    assert again.read_word_error == once.read_word_error
    assert again.read_p_value_word > once.read_p_value_word
    assert all(
        a.read_high - a.read_low > b.read_high - b.read_low for a, b in zip(again.phrases, once.phrases, strict=True)
    )


# --- files


def test_patients_and_times_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "obs.csv"
    path.write_text(
        "author,topic,phrase,outcome,Patient,TIME\n"
        "A,edema,likely,1,0012,2024-01-02\n"
        "A,edema,likely,0, ,2024-03-02T15:30\n"
        "A,edema,likely,1,0012,\n"
        "A,edema,likely,1,7,13.2.2024 08:05:09\n"
        "A,edema,likely,1,7,soon\n"
        "A,edema,likely,1,7,2024-02-30\n"
        "A,edema,likely,1,7,1899-12-31\n"
    )
    rows, rejected = read_observations(path)
    assert rows["patient"].tolist() == ["0012", "", "0012", "7"]
    times = ["2024-01-02", "2024-03-02 15:30", None, "2024-02-13 08:05:09"]
    assert rows["time"].tolist() == pd.to_datetime(pd.Series(times), format="ISO8601").tolist()
    assert rows["time"].dtype == "datetime64[ns]"
    assert rejected["row"].tolist() == [6, 7, 8]
    assert set(rejected["reason"]) == {"The time cannot be read."}
    (sums,) = (s for group, s in build_tables(rows, WORDS).by_patient.items() if group == ("A", "edema"))
    assert sums[2].tolist() == [4 + 1 + 1, 4 + 0 + 1, 4 + 0 + 1]


def test_days_and_months_that_cannot_be_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "obs.csv"
    days = ["01/02/2024", "13/02/2024", "02/13/2024"]
    path.write_text("author,topic,phrase,outcome,time\n" + "".join(f"A,edema,likely,1,{day}\n" for day in days))
    rows, rejected = read_observations(path)
    assert rows["time"].dt.day.tolist() == [13, 13]
    assert rejected["reason"].tolist() == ["Day and month of the time cannot be told apart."]
