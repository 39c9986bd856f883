"""The figures of answers to certainty words, against the definitions spelled out, scipy, and those published."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance, wilcoxon

from radcal.lab.perception import (
    GRID,
    PERCENTS,
    KnowledgeBias,
    ModelAnswers,
    bins_of,
    checks,
    knowledge_bias,
    meant_by,
    perceived,
    perceived_by_model,
    spread,
    to_json,
)
from radcal.system.errors import DataError
from radcal.system.intervals import wilson
from radcal.words.records import Meant

FIGURES = ("mode_pa", "pa", "mae", "w1")

PEOPLE = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "perception" / "people_nonverifiable.csv"
WORDS = ("unlikely", "possible", "likely")


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def table(rows: Sequence[tuple[Any, ...]]) -> pd.DataFrame:
    """Rows of participant, expression, response, and whether the statement was true."""
    full = [(*row, None)[:4] for row in rows]
    return pd.DataFrame(full, columns=pd.Index(["participant", "expression", "response", "statement_true"]))


def plainly(answers: pd.DataFrame, reference: pd.DataFrame) -> dict[str, float]:
    """The figures by loops over participants and expressions, as the definitions say."""
    found: dict[str, list[float]] = {name: [] for name in FIGURES}
    for word in answers["expression"].unique():
        given = answers[answers["expression"] == word]
        known = reference.loc[reference["expression"] == word, "response"].to_numpy(float)
        shares = {k: float(np.mean([nearest(x) == k for x in known])) for k in GRID}
        cells = []
        for person in given["participant"].unique():
            own = given.loc[given["participant"] == person, "response"].to_numpy(float)
            pa = np.mean([shares[nearest(x)] for x in own])
            cells.append((pa, abs(own.mean() - known.mean()), wasserstein_distance(own, known)))
        for name, value in zip(("pa", "mae", "w1"), np.mean(cells, axis=0), strict=True):
            found[name].append(float(value))
        counts = {k: sum(nearest(x) == k for x in given["response"]) for k in GRID}
        modes = [k for k in GRID if counts[k] == max(counts.values())]
        found["mode_pa"].append(float(np.mean([shares[k] for k in modes])))
    return {name: float(np.mean(values)) for name, values in found.items()}


def nearest(answer: float) -> int:
    """The bin of an answer: the nearer one, of two the upper."""
    return int(min(GRID, key=lambda k: (abs(answer - k), -k)))


percentages = st.one_of(st.integers(0, 100).map(float), st.sampled_from([0.0, 2.5, 50.0, 72.5, 97.5, 99.9, 100.0]))
answers_of = st.lists(
    st.tuples(st.sampled_from("ABCD"), st.sampled_from(WORDS), percentages, st.sampled_from([True, False, None])),
    min_size=1,
    max_size=30,
).map(table)


def test_the_published_figures_of_people_come_out() -> None:
    if not PEOPLE.is_file():
        pytest.skip(f"The answers of people are not at hand: {PEOPLE}")
    answers = pd.read_csv(PEOPLE).assign(statement_true=None)
    made = to_json(perceived(answers, meant_by(answers), rng(), draws=200))
    assert round(made["mode_pa"], 3) == 0.276
    assert round(made["pa"], 3) == 0.176
    assert round(made["mae"], 2) == 8.91
    assert len(made["expressions"]) == 14
    assert made["participants"] == 94
    for name in FIGURES:
        assert made[f"{name}_low"] <= made[name] <= made[f"{name}_high"]
    assert made["knowledge_bias"] == {"difference": None, "p_value": None, "n": 0, "statistic": None}
    assert made["iqr"] == made["reference_iqr"] == 15  # its Table 17


@settings(max_examples=30)
@given(answers_of, answers_of)
def test_the_figures_are_those_of_the_definitions(answers: pd.DataFrame, reference: pd.DataFrame) -> None:
    known = answers[answers["expression"].isin(reference["expression"])]
    if known.empty:
        with pytest.raises(DataError):
            perceived(known, meant_by(reference), rng(), draws=0)
        return
    found = perceived(known, meant_by(reference), rng(), draws=0).overall
    for name, value in plainly(known, reference).items():
        assert getattr(found, name).value == pytest.approx(value, abs=1e-9)
        assert getattr(found, name).low is None


@settings(max_examples=30)
@given(answers_of, st.randoms())
def test_the_order_of_rows_does_not_matter(answers: pd.DataFrame, random: Any) -> None:
    order = list(range(len(answers)))
    random.shuffle(order)
    reference = meant_by(answers)
    first = to_json(perceived(answers, reference, rng(), draws=0))
    second = to_json(perceived(answers.iloc[order], reference, rng(), draws=0))
    assert first["knowledge_bias"]["n"] == second["knowledge_bias"]["n"]
    for a, b in zip([first, *first["expressions"]], [second, *second["expressions"]], strict=True):
        assert [a[name] for name in FIGURES] == pytest.approx([b[name] for name in FIGURES])


@settings(max_examples=30)
@given(answers_of)
def test_who_answers_as_the_reference_does_is_no_distance_from_it(answers: pd.DataFrame) -> None:
    one = answers.assign(participant="A")
    found = perceived(one, meant_by(answers), rng(), draws=0)
    for agreement in found.expressions:
        assert agreement.w1.value == pytest.approx(0.0, abs=1e-9)
        assert agreement.mae.value == pytest.approx(0.0, abs=1e-9)
        assert agreement.pa.value == pytest.approx(sum(p**2 for p in agreement.reference_histogram))
        assert agreement.mode_pa.value == pytest.approx(max(agreement.reference_histogram))
        assert agreement.histogram == pytest.approx(agreement.reference_histogram)


@given(st.floats(0, 100))
def test_an_answer_is_in_the_nearest_bin(answer: float) -> None:
    assert GRID[bins_of(np.array([answer]))[0]] == nearest(answer)


def test_expressions_are_averaged_alike_and_ordered_by_the_reference() -> None:
    reference = meant_by(table([("R", "likely", 80), ("R", "unlikely", 10), ("R", "never asked", 0)]))
    answers = table([("A", "likely", 80), ("B", "likely", 80), ("A", "unlikely", 30)])
    found = perceived(answers, reference, rng(), draws=0)
    assert [a.expression for a in found.expressions] == ["unlikely", "likely"]
    assert [a.participants for a in found.expressions] == [1, 2]
    assert found.overall.mae.value == pytest.approx(10)
    assert found.unanswered == ("never asked",)


# --- intervals ----------------------------------------------------------------------------------------


def test_the_interval_is_that_of_all_ways_to_draw_the_participants() -> None:
    reference = meant_by(table([("R", "likely", 80)]))
    errors = {"A": 0.0, "B": 10.0, "C": 50.0}
    answers = table([(who, "likely", 80 - error) for who, error in errors.items()])
    found = perceived(answers, reference, rng(), draws=20_000).overall.mae
    every = [np.mean(drawn) for drawn in product(errors.values(), repeat=3)]
    low, high = np.quantile(every, [0.025, 0.975], method="inverted_cdf")
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


@pytest.mark.parametrize(
    "answers",
    [
        table([("A", "likely", x) for x in (60, 70, 80, 90)]),
        table([("A", "likely", 70), ("B", "unlikely", 10)]),
        table([("A", "likely", 70), ("A", "unlikely", 10), ("A", "unlikely", 20)]),
    ],
)
def test_where_nothing_can_be_drawn_there_is_no_interval(answers: pd.DataFrame) -> None:
    reference = meant_by(table([("R", "likely", 80), ("R", "unlikely", 10)]))
    found = perceived(answers, reference, rng())
    assert found.overall.pa.value is not None
    assert (found.overall.pa.low, found.overall.pa.high) == (None, None)


def test_the_seed_alone_decides_what_is_drawn() -> None:
    answers = table([(p, w, 10 * i) for i, (p, w) in enumerate(product("ABC", WORDS))])
    reference = meant_by(answers)
    first, second = (to_json(perceived(answers, reference, np.random.default_rng(7))) for _ in range(2))
    assert first == second
    assert first != to_json(perceived(answers, reference, np.random.default_rng(8)))


# --- knowledge ----------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.lists(st.tuples(percentages, percentages), min_size=1, max_size=6))
def test_knowledge_bias_is_scipys_paired_test(pairs: list[tuple[float, float]]) -> None:
    rows = [
        (f"P{i}", "likely", answer, which)
        for i, pair in enumerate(pairs)
        for answer, which in zip(pair, (True, False), strict=True)
    ]
    answers = table([*rows, ("on true alone", "likely", 100, True), ("on neither", "likely", 0, None)])
    found = perceived(answers, meant_by(answers), rng(), draws=0).knowledge_bias
    true, false = np.array(pairs).T
    assert found.n == len(pairs)
    assert found.difference == pytest.approx((true - false).mean())
    same = (true == false).all()
    assert found.p_value == pytest.approx(1.0 if same else wilcoxon(true, false, alternative="greater").pvalue)


def test_knowledge_bias_needs_no_reference() -> None:
    rows = [
        (f"P{i}", word, 60 + 5 * which + i, which) for i in range(8) for word in ("likely", "few") for which in (0, 1)
    ]
    answers = table([(who, word, response, bool(which)) for who, word, response, which in rows])
    every = perceived(answers, meant_by(answers), rng(), draws=0)
    part = perceived(answers, meant_by(answers[answers["expression"] == "likely"]), rng(), draws=0)
    assert len(part.expressions) == 1
    assert part.knowledge_bias == every.knowledge_bias
    assert every.knowledge_bias.difference == pytest.approx(5.0)


def test_many_participants_are_compared_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    rows = [
        (f"P{i}", word, round(x, 2), None) for i, x in enumerate(random.uniform(0, 100, 300)) for word in ("a", "b")
    ]
    answers = table(rows)
    whole = to_json(perceived(answers, meant_by(answers), rng(), draws=20))
    monkeypatch.setattr("radcal.lab.perception._CHUNK", 7_000)
    few = to_json(perceived(answers, meant_by(answers), rng(), draws=20))
    names = [name for name in few if name.endswith(("pa", "mae", "w1", "_low", "_high"))]
    assert len(names) == 16
    assert [few[name] for name in names] == pytest.approx([whole[name] for name in names])


def test_knowledge_bias_says_which_side_is_higher() -> None:
    low, high = np.arange(10.0), np.arange(10.0) + np.linspace(1, 2, 10)
    assert (knowledge_bias(high, low).p_value or 1) < 0.01
    assert (knowledge_bias(low, high).p_value or 0) > 0.99


def test_the_statistic_of_the_test_is_the_sum_of_the_ranks_of_what_is_higher() -> None:
    found = knowledge_bias(np.array([5.0, 1.0, 9.0, 3.0, 2.0]), np.array([4.0, 3.0, 2.0, 3.0, 6.0]))
    # differences 1, -2, 7, 0, -4: without the 0, ranks 1, 2, 4, 3
    assert found.statistic == 1 + 4
    assert found.difference == pytest.approx(2 / 5)
    assert knowledge_bias(np.ones(3), np.ones(3)) == KnowledgeBias(0.0, 1.0, 3, 0.0)


# --- spread, likeliest numbers and beliefs ------------------------------------------------------------


@given(st.lists(st.sampled_from(GRID.tolist()), min_size=1, max_size=30))
def test_the_spread_is_between_the_answers_above_a_quarter_and_three_quarters(answers: list[int]) -> None:
    ranked = sorted(answers)
    quarter, rest = (next(x for i, x in enumerate(ranked, 1) if 4 * i > k * len(ranked)) for k in (1, 3))
    assert spread(np.bincount(bins_of(np.array(answers, float)), minlength=21).astype(float)) == rest - quarter


def test_nobodys_answers_have_no_spread() -> None:
    assert np.isnan(spread(np.zeros(21)))
    assert spread(np.eye(21)[:3]).tolist() == [0, 0, 0]


def sure(*numbers: int) -> np.ndarray:
    return np.eye(101)[list(numbers)]


def test_what_a_model_shows_besides_by_hand() -> None:
    reference = {"likely": Meant("likely", np.array([70.0]), np.ones(1), 4)}
    half = chances({60: 0.6, 100: 0.4}, {60: 0.6, 100: 0.4})
    answers = ModelAnswers(
        {"likely": half, "not asked of people": half},
        {"likely": chances({90: 1.0}, {70: 0.7, 0: 0.3})},
        {"likely": sure(50, 60)},
        (np.array([[0.1, 0.2, 0.7], [0.5, 0.1, 0.4]]), np.array([[0.9, 0.1, 0], [0.4, 0.6, 0]]), sure(1, 1)[:, :3]),
        {"FF": {"likely": sure(10, 20)}, "FT": {"likely": sure(20, 30)}, "TT": {"likely": chances({40: 0.6, 0: 0.4})}},
    )
    found = checks(answers, reference)
    assert found.chances.private.mae.value == pytest.approx(0.6 * 60 + 0.4 * 100 - 70)
    assert found.greedy.private.mae.value == pytest.approx(10)
    assert found.apart_private == pytest.approx(0.4 * 40)
    assert (found.chances.private.iqr.value, found.greedy.private.iqr.value) == (40, 0)
    assert found.truths == (("likely", pytest.approx((90 + 49) / 2), 55.0),)
    assert found.chances.bias == knowledge_bias(np.array([90.0, 49.0]), np.array([50.0, 60.0]))
    assert found.greedy.bias_each == knowledge_bias(np.array([90.0, 70.0]), np.array([50.0, 60.0]))
    assert [share.value for share in found.beliefs] == [0.5, 0.5, 1.0, pytest.approx(4 / 6)]
    assert found.beliefs[0].low == pytest.approx(wilson(0.5, 2)[0])
    ff, ft, tt = found.examples
    assert ff == ("FF", pytest.approx((10 + distance({10: 0.5, 20: 0.5}, {40: 0.6, 0: 0.4})) / 2), (10 + 25) / 2)
    assert ft[2] == (10 + 15) / 2
    assert tt[2] == (25 + 15) / 2


def distance(one: dict[int, float], other: dict[int, float]) -> float:
    return float(wasserstein_distance([*one], [*other], [*one.values()], [*other.values()]))


# --- a language model ---------------------------------------------------------------------------------


def chances(*rows: dict[int, float]) -> np.ndarray:
    found = np.zeros((len(rows), len(PERCENTS)))
    for row, told in zip(found, rows, strict=True):
        for percent, chance in told.items():
            row[percent] = chance
    return found


def test_a_model_is_a_participant_whose_chances_are_known() -> None:
    reference = {"likely": Meant("likely", np.array([70.0, 80.0]), np.array([0.25, 0.75]), 4)}
    readings = {"likely": chances({80: 0.5, 73: 0.5}, {80: 0.7, 0: 0.3})}
    found = perceived_by_model(readings, reference, KnowledgeBias(), rng())
    mixed = {80: 0.6, 73: 0.25, 0: 0.15}
    assert found.overall.pa.value == pytest.approx(0.6 * 0.75)  # 73 is nearest to 75, which nobody said
    assert found.overall.mode_pa.value == pytest.approx(0.75)
    mean = sum(k * p for k, p in mixed.items())
    assert found.expressions[0].mean.value == pytest.approx(mean)
    assert found.overall.mae.value == pytest.approx(77.5 - mean)
    distance = wasserstein_distance(list(mixed), [70, 80], list(mixed.values()), [0.25, 0.75])
    assert found.overall.w1.value == pytest.approx(distance)
    assert found.expressions[0].n == 2


@settings(max_examples=30)
@given(st.lists(st.integers(0, 100), min_size=2, max_size=6))
def test_a_model_that_is_sure_is_a_participant_who_answers_so(answers: list[int]) -> None:
    reference = meant_by(table([("R", "likely", x) for x in (60, 70, 85)]))
    model = perceived_by_model({"likely": chances(*({x: 1.0} for x in answers))}, reference, KnowledgeBias(), rng())
    person = perceived(table([("A", "likely", x) for x in answers]), reference, rng())
    for name in FIGURES:
        assert getattr(model.overall, name).value == pytest.approx(getattr(person.overall, name).value)


def test_one_statement_gives_no_interval() -> None:
    reference = meant_by(table([("R", "likely", 70)]))
    found = perceived_by_model({"likely": chances({70: 1.0})}, reference, KnowledgeBias(), rng())
    assert found.overall.w1.value == 0
    assert found.overall.w1.low is None
    with pytest.raises(DataError):
        perceived_by_model({}, reference, KnowledgeBias(), rng())
