"""Errors of reading carried on: against closed forms, without errors, and on simulated reports."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from radcal.calibration.carried import Carrying, class_of, silences
from radcal.calibration.model import SHIPPED
from radcal.calibration.pooled import measure_pooled
from radcal.calibration.records import SILENT_ABSENT, SILENT_LEFT_OUT, Mix, Tables
from radcal.calibration.reference import Reference
from radcal.calibration.reliability import measure
from radcal.calibration.tables import build_tables
from radcal.review.records import Misread, ReadingErrors, Silence
from radcal.system.errors import Cancelled
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.bins import bin_phrases
from radcal.words.records import Phrase

WORDS = (
    Phrase("absent", 0, 1, 0, 0),
    Phrase("unlikely", 1.3, 12.4, 0, 0.2),
    Phrase("possible", 2.0, 2.6, 0.2, 0.6),
    Phrase("likely", 3.9, 1.1, 0.6, 0.95),
    Phrase("present", 1, 0, 1, 1),
)
MEAN = bin_phrases(WORDS).mean
MUCH = 10_000_000
RIGHT = ReadingErrors(
    "rules",
    "1",
    Misread(100, ((MUCH, 0, 0, 0), (0, MUCH, 0, 0), (0, 0, MUCH, 0), (0, 0, 0, MUCH)), (MUCH, 0, 0)),
    Misread(100, ((MUCH, 0, 0, 0), (0, MUCH, 0, 0), (0, 0, MUCH, 0), (0, 0, 0, MUCH)), (MUCH, 0, 0)),
)


def misread(rows: list[list[float]], right: float = 1.0, near: float = 0.0) -> Misread:
    """A gold set so large that nothing about these chances is uncertain."""
    table = tuple(tuple(round(MUCH * p) for p in row) for row in rows)
    return Misread(100, table, (round(MUCH * right), round(MUCH * near), round(MUCH * (1 - right - near))))


def symmetric(error: float) -> list[list[float]]:
    """Plain statements turned round with this chance; all else right."""
    return [[1, 0, 0, 0], [0, 1 - error, 0, error], [0, 0, 1, 0], [0, error, 0, 1 - error]]


def tables(counts: list[list[float]], errors: ReadingErrors | None, outcomes: tuple[float, ...] = (0, 1)) -> Tables:
    """One author on one topic; the words in the order of WORDS."""
    array = np.array([counts], dtype=float)
    references = tuple(map(str, outcomes))
    return Tables(
        (("avery", "edema"),), tuple(p.name for p in WORDS), references, array, np.array(outcomes, float), errors=errors
    )


COUNTS = [[60, 3], [30, 6], [20, 22], [12, 40], [3, 50]]


def test_without_errors_the_figures_are_those_of_before() -> None:
    (r,) = measure(tables(COUNTS, RIGHT), WORDS, Settings(bootstrap=20_000))
    for p in r.phrases:  # without errors, redraws come to the Jeffreys interval
        ends = stats.beta.ppf([0.025, 0.975], p.positives + 0.5, p.n - p.positives + 0.5)
        assert (p.read_rate, p.read_low, p.read_high) == pytest.approx((p.rate, *ends), abs=0.006)
    assert r.read_word_error == pytest.approx(r.word_error, abs=1e-4)
    assert r.read_word_error_low == pytest.approx(r.word_error_low, abs=0.01)
    assert r.read_word_error_high == pytest.approx(r.word_error_high, abs=0.01)
    assert r.read_p_value_word == pytest.approx(r.plain_p_value_word, abs=0.02)


def test_nothing_changes_where_no_errors_are_known() -> None:
    plain, carried = (measure(tables(COUNTS, e), WORDS, Settings(bootstrap=100))[0] for e in (None, RIGHT))
    assert plain.read_word_error is plain.plain_p_value_word is None
    assert all(p.read_rate is None for p in plain.phrases)
    for name in ("word_error", "word_error_low", "word_error_high", "ece", "slope"):
        assert getattr(plain, name) == getattr(carried, name)


def test_errors_of_the_ct_reports_are_those_of_rogan_and_gladen() -> None:
    errors = replace(RIGHT, ct=misread(symmetric(0.1)))
    (r,) = measure(tables(COUNTS, errors), WORDS, Settings(bootstrap=200))
    for p in r.phrases:
        assert p.read_rate == pytest.approx(np.clip((p.rate - 0.1) / 0.8, 0, 1), abs=1e-3)


def test_statements_turned_round_on_the_x_ray_are_led_back_to_their_words() -> None:
    """Of what is read as "absent", some was written as "present" and brought its outcomes along."""
    errors = replace(RIGHT, xray=misread(symmetric(0.1)))
    (r,) = measure(tables(COUNTS, errors), WORDS, Settings(bootstrap=200))
    n = np.linalg.solve(np.array([[0.9, 0.1], [0.1, 0.9]]), [63, 53])
    y = np.linalg.solve(np.array([[0.9, 0.1], [0.1, 0.9]]), [3, 50])
    rates = {p.phrase: p for p in r.phrases}
    assert rates["present"].read_rate == pytest.approx(min(y[1] / n[1], 1), abs=1e-3)
    assert rates["absent"].read_rate == pytest.approx(max(y[0] / n[0], 0), abs=1e-3)
    assert rates["likely"].read_rate == pytest.approx(rates["likely"].rate, abs=1e-3)


def test_what_was_written_is_found_again() -> None:
    """Forth and back through the same errors, of all kinds at once, gives the same table."""
    rows = [[0.99, 0.004, 0.002, 0.004], [0.02, 0.93, 0.02, 0.03], [0.04, 0.03, 0.88, 0.05], [0.02, 0.03, 0.04, 0.91]]
    errors = replace(
        RIGHT,
        xray=misread([[0.0, 0, 0, 0], *rows[1:]], right=0.9, near=0.06),
        ct=misread(rows),
        silence={"edema": Silence(left_out=0.3)},
    )
    written = np.array([[60, 3, 5.0], [30, 2, 8], [20, 4, 22], [12, 6, 40], [3, 5, 50]])
    outcomes = (0, 0.5, 1)
    carrying = Carrying(errors, MEAN, np.array(outcomes, float), 50, 0)
    reference = Reference.of(Mix(np.array(outcomes, float), np.ones(3)))
    from radcal.calibration.carried import _Group

    group = _Group(carrying, written, carrying._reader("edema"), reference)
    (read,) = group.forth(written, slice(50, 51))
    n, y = carrying.written(read, "edema", reference, 1)
    said, confirmed = written.sum(axis=1), written @ outcomes
    # Words are taken in the use that was read, so that hedges come back but for a little.
    assert n[0] / n[0].sum() == pytest.approx(said / said.sum(), abs=0.006)
    assert y[0] / n[0] == pytest.approx(confirmed / said, abs=0.02)


def test_silence_that_means_absent_takes_nothing_out_of_the_table() -> None:
    rows = [[0.95, 0, 0, 0.05], [0.1, 0.9, 0, 0], [0, 0, 1, 0], [0.2, 0, 0, 0.8]]
    errors = replace(RIGHT, ct=misread(rows), silence={"edema": Silence(1.0, 0.5, 0.0)})
    (r,) = measure(tables(COUNTS, errors), WORDS, Settings(bootstrap=200))
    # Half of "absent" is silence, read as present in 5 %; a fifth of "present" is overlooked, and then absent.
    for p in r.phrases:
        assert p.read_rate == pytest.approx(np.clip((p.rate - 0.025) / (0.8 - 0.025), 0, 1), abs=1e-3)


def test_a_smaller_gold_set_gives_wider_intervals() -> None:
    def width(times: int) -> float:
        rows = tuple(
            tuple(times * n for n in row) for row in ((900, 5, 2, 3), (3, 90, 3, 4), (2, 2, 30, 3), (3, 2, 3, 60))
        )
        errors = replace(
            RIGHT, xray=Misread(100, rows, (25 * times, 3 * times, 2 * times)), ct=Misread(100, rows, (0, 0, 0))
        )
        (r,) = measure(tables([[20 * n for n in row] for row in COUNTS], errors), WORDS, Settings(bootstrap=1000))
        return float(np.mean([p.read_high - p.read_low for p in r.phrases]))

    assert width(1) > 1.3 * width(100)


def test_a_verdict_and_a_difference_hold_with_reading_errors_as_well() -> None:
    """A word that is off by no more than the errors of reading explain is not said to differ."""
    counts = [[400, 10], [200, 40], [150, 160], [60, 170], [40, 460]]
    bad = replace(RIGHT, ct=Misread(40, ((400, 4, 2, 9), (2, 60, 1, 9), (1, 2, 9, 2), (2, 8, 2, 50)), (9, 0, 0)))
    (plain,), (carried,) = (
        measure(tables(counts, e), WORDS, Settings(bootstrap=500), spread=SHIPPED) for e in (None, bad)
    )
    assert {p.phrase: p.verdict for p in plain.phrases if p.differs} == {"present": "stronger"}
    assert not any(p.differs for p in carried.phrases)
    assert carried.p_value_word == max(carried.plain_p_value_word, carried.read_p_value_word)
    assert carried.q_value_word == pytest.approx(carried.p_value_word)


def test_pooled_groups_carry_errors_too_and_results_repeat() -> None:
    t = tables(COUNTS, replace(RIGHT, ct=misread(symmetric(0.05))))
    two = replace(t, groups=(("avery", "edema"), ("avery", "fracture")), counts=np.repeat(t.counts, 2, axis=0))
    (r,) = measure_pooled(two, WORDS, Settings(bootstrap=100), "author")
    assert r.topic == ALL_TOPICS
    assert r.read_word_error is not None
    one, other = (measure(two, WORDS, Settings(bootstrap=100), threads=n, spread=SHIPPED) for n in (1, 3))
    assert [p.phrases for p in one] == [p.phrases for p in other]
    (alone,) = measure(t, WORDS, Settings(bootstrap=100), spread=SHIPPED)
    for a, b in zip(one[0].phrases, alone.phrases, strict=True):
        assert (a.low, a.high, a.probability) == pytest.approx((b.low, b.high, b.probability))
        assert (a.read_rate, a.read_low, a.read_high) == (b.read_rate, b.read_low, b.read_high)


def test_it_can_be_stopped(onlooker) -> None:
    t = tables(COUNTS, RIGHT)
    carrying = Carrying(RIGHT, MEAN, t.positive, 10, 0)
    reference = (Reference.of(Mix(t.positive, np.ones(2))),)
    with pytest.raises(Cancelled):
        carrying.measured(
            t, np.ones((2, *t.counts.shape[:2])), reference, np.zeros(1, int), 0.95, 30, 1, onlooker(looks=0)
        )


def test_words_and_outcomes_have_their_class() -> None:
    assert class_of(np.array([0, 0.01, 0.5, 0.99, 1])).tolist() == [0, 1, 1, 1, 2]


def test_what_the_statistics_make_of_silence() -> None:
    rows = [("a", 0.0, 5), ("b", 0.0, 1), ("a", 1.0, 4), ("b", 0.5, 1), ("b", 1.0, 3), ("a", 0.0, 1)]
    entered = pd.DataFrame(rows, columns=["topic", "outcome", "n"])
    counts = pd.DataFrame(
        [("x", "a", SILENT_ABSENT, 2), ("y", "a", SILENT_ABSENT, 1), ("x", "b", SILENT_LEFT_OUT, 4)],
        columns=["author", "topic", "what", "n"],
    )
    made = silences(counts, entered, {"a"})
    assert made["a"] == Silence(1.0, 0.5, 0.0)
    assert made["b"] == Silence(0.0, 0.0, 0.8)
    assert made[ALL_TOPICS] == Silence(10 / 15, 3 / 7, 4 / 15)


def test_tables_take_the_errors_along() -> None:
    frame = pd.DataFrame({"author": ["a"], "topic": ["edema"], "phrase": ["likely"], "outcome": [1.0]})
    assert build_tables(frame, WORDS, errors=RIGHT).errors is RIGHT


@pytest.mark.slow
def test_simulated_intervals_hold_the_truth() -> None:
    """Statement by statement, with errors of 8 %, a small gold set for each author: 95 % intervals hold the rates."""
    rng = np.random.default_rng(1)
    chances = np.array([[1, 0, 0, 0], [0, 0.92, 0.03, 0.05], [0, 0.05, 0.92, 0.03], [0, 0.05, 0.03, 0.92]])
    true, use = np.array([0.03, 0.1, 0.35, 0.6, 0.95]), np.array([0.3, 0.1, 0.15, 0.15, 0.3])
    kinds = class_of(MEAN) + 1
    held, plain = [], []
    for _ in range(60):
        gold = [
            Misread(
                100,
                tuple(tuple(rng.multinomial(n, row).tolist()) for n, row in zip(ns, chances, strict=True)),
                (60, 0, 0),
            )
            for ns in ((1500, 300, 70, 130), (1400, 300, 80, 320))
        ]
        phrase = rng.choice(5, 900, p=use)
        ct = np.array([rng.choice(4, p=chances[3 if there else 1]) for there in rng.random(900) < true[phrase]])
        read = np.array([rng.choice(4, p=chances[kinds[k]]) for k in phrase])
        hedge = rng.choice([1, 2, 3], 900, p=use[1:4] / use[1:4].sum())
        said = np.where(read == 1, 0, np.where(read == 3, 4, np.where(kinds[phrase] == 2, phrase, hedge)))
        counts = np.zeros((5, 3))
        np.add.at(counts, (said, ct - 1), 1)
        made = tables(counts.tolist(), ReadingErrors("rules", "1", *gold), (0, 0.5, 1))
        (r,) = measure(made, WORDS, Settings(bootstrap=400))
        (as_read,) = measure(replace(made, errors=None), WORDS, Settings(bootstrap=0))
        held += [p.read_low <= t <= p.read_high for p, t in zip(r.phrases, true, strict=True)]
        plain += [p.low <= t <= p.high for p, t in zip(as_read.phrases, true, strict=True)]
    assert 0.91 <= np.mean(held) <= 0.985
    assert np.mean(plain) < 0.8


@given(
    counts=arrays(np.int64, (5, 3), elements=st.integers(0, 9)).filter(lambda a: a.sum() > 0),
    gold=arrays(np.int64, (2, 4, 4), elements=st.integers(0, 60)),
)
@settings(max_examples=40, deadline=None)
def test_any_gold_set_gives_intervals_within_0_and_1(counts: np.ndarray, gold: np.ndarray) -> None:
    xray, ct = (Misread(30, tuple(tuple(int(n) for n in row) for row in table), (3, 1, 0)) for table in gold)
    errors = ReadingErrors("rules", "1", xray, ct, {"edema": Silence(0.0, 0.0, 0.4)})
    given_settings = Settings(bootstrap=30, min_group_n=5)
    (r,) = measure(tables(counts.tolist(), errors, (0, 0.5, 1)), WORDS, given_settings, threads=1)
    for p in r.phrases:
        assert 0 <= p.read_low <= p.read_rate <= p.read_high <= 1
    assert r.read_word_error is None or 0 <= r.read_word_error <= 1
