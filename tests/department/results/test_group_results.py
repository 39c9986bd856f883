"""One group within dates, and the findings behind it: each against a computation of its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from radcal.calibration.groups import words_in_bin
from radcal.calibration.records import EVIDENCE_COLUMNS, OBSERVATION_COLUMNS
from radcal.calibration.reliability import measure
from radcal.calibration.tables import build_tables
from radcal.system.errors import DataError, InputError
from radcal.system.settings import ALL_TOPICS
from radcal.words.bins import bin_phrases

TOPIC = "pleural effusion"


def test_without_dates_it_is_the_analysis(shown, ask, plain):
    analysis = shown.analysis()
    assert any(r.curve is not None for r in analysis.reliabilities)
    assert any(r.q_value_star is not None for r in analysis.reliabilities)
    groups = [ask(r.author, r.topic) for r in analysis.reliabilities]
    for asked, stored in zip(groups, analysis.reliabilities, strict=True):
        assert plain(shown.groups.reliability(asked)) == plain(stored)
    together = shown.groups.reliabilities(groups[::-1])
    assert list(map(plain, together)) == list(map(plain, analysis.reliabilities[::-1]))


def test_within_dates_it_is_that_of_the_statements_of_these_days(shown, everything, anyone, plain, by_hand, windows):
    measured = 0
    for asked in windows(everything, anyone):
        part = by_hand(everything, asked)
        tables, spread = build_tables(part, shown.phrases()), shown.analysis().spread
        (expected,) = measure(tables, shown.phrases(), shown.settings, spread=spread)
        result = shown.groups.reliability(asked)
        assert plain(result) == plain(replace(expected, q_value_star=None, q_value_word=None))
        assert result.n == len(part)
        measured += result.curve is not None
    assert 2 <= measured < 6  # a curve, and too few for one


def test_many_at_once_are_as_one_by_one(shown, everything, ask, plain):
    middle = everything["xray_time"].dt.date.sort_values().iloc[len(everything) // 2]
    groups = everything[["author", "topic"]].drop_duplicates().itertuples(index=False, name=None)
    asked = [ask(author, topic, last=middle if k % 3 else None) for k, (author, topic) in enumerate(sorted(groups))]
    together = shown.groups.reliabilities(asked)
    assert [(r.author, r.topic) for r in together] == [(a.author, a.topic) for a in asked]
    for one, result in zip(asked, together, strict=True):
        alone = shown.groups.reliability(one)
        for name, value in vars(alone).items():
            if name == "curve" and value is not None:
                for part in vars(value):
                    np.testing.assert_allclose(getattr(result.curve, part), getattr(value, part), rtol=0, atol=1e-6)
            elif isinstance(value, float):
                assert getattr(result, name) == pytest.approx(value, rel=1e-6, abs=1e-6), name  # single precision
            elif name not in ("phrases", "parts", "together"):
                assert getattr(result, name) == value, name
        for name in ("phrases", "parts", "together"):
            assert plain(result)[name] == plain(alone)[name]
    assert shown.groups.reliabilities([]) == ()


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (date(1990, 1, 1), date(1990, 12, 31)),
        (date(2100, 1, 1), None),
        (None, date(1969, 12, 31)),
        (date(2100, 1, 1), date(1990, 1, 1)),
    ],
)
def test_days_with_nothing_in_them_are_no_error(shown, anyone, first, last, ask):
    asked = ask(anyone, TOPIC, first, last)
    nothing = shown.groups.reliability(asked)
    assert (nothing.author, nothing.topic, nothing.n, nothing.phrases) == (anyone, TOPIC, 0, ())
    assert nothing.curve is None
    assert nothing.reason == f"0 findings; a curve needs {shown.settings.min_group_n}."
    assert shown.groups.statements(asked).empty
    assert shown.groups.evidence(asked).empty
    assert shown.groups.words_at(asked, 0.5) == ()
    found = shown.verification.of(asked)
    assert (found.n_reports, found.n_with_ct, found.n_unread, found.rates) == (0, 0, 0, ())
    whole = shown.groups.reliabilities([asked, ask(anyone, "edema")])
    assert [r.n > 0 for r in whole] == [False, True]


def test_a_group_that_said_nothing_is_an_error(shown, anyone, ask):
    groups = shown.groups
    for author, topic in ((anyone, "gout"), ("Nobody", TOPIC)):
        asked = ask(author, topic)
        for question in (
            groups.reliability,
            groups.statements,
            groups.evidence,
            shown.verification.of,
            lambda selection: groups.words_at(selection, 0.5),
        ):
            with pytest.raises(DataError, match=f"{author} has no statement about {topic} that a CT decided on"):
                question(asked)


def test_statements_and_outcomes_are_those_of_the_observations(shown, everything, anyone, ask, by_hand, windows):
    def rows(frame: pd.DataFrame) -> Counter[tuple[object, ...]]:
        columns = frame[["author", "topic", "phrase", "outcome"]].astype(object)
        return Counter(columns.itertuples(index=False, name=None))

    for asked in (ask(anyone), *windows(everything, anyone)):
        assert rows(shown.groups.statements(asked)) == rows(by_hand(everything, asked))
    assert shown.groups.outcomes().tolist() == sorted(set(everything["outcome"]))
    together = shown.groups.all_statements()
    assert rows(together) == rows(everything)
    assert together is shown.groups.all_statements()  # read once


def test_words_of_a_bin_are_those_that_the_group_said_in_these_days(shown, everything, anyone, ask, by_hand, windows):
    bins = bin_phrases(shown.phrases(), shown.settings.n_bins, shown.settings.method)
    for asked in (ask(anyone), windows(everything, anyone)[0]):
        said = Counter(by_hand(everything, asked)["phrase"])
        n = np.array([float(said[name]) for name in bins.phrases])
        for certainty in np.linspace(0, 1, 15):
            assert shown.groups.words_at(asked, certainty) == words_in_bin(n, bins, certainty)


@pytest.mark.slow
def test_other_bins_wait_for_the_next_analysis(analysed, anyone, ask):
    before = analysed.groups.words_at(ask(anyone), 0.6)
    analysed.save_settings(analysed.settings.changed(n_bins=10))
    assert analysed.groups.words_at(ask(anyone), 0.6) == before
    analysed.analyse()
    assert analysed.groups.words_at(ask(anyone), 0.6) != before
    assert analysed.groups.words_at(ask(anyone), 0.65) == analysed.groups.words_at(ask(anyone), 0.62)


def test_evidence_is_all_that_was_said_the_latest_first(shown, everything, anyone, ask, by_hand, windows):
    for asked in (ask(anyone), *windows(everything, anyone)):
        part = by_hand(everything, asked)
        found = shown.groups.evidence(asked)
        assert set(found.columns) >= {*OBSERVATION_COLUMNS, *EVIDENCE_COLUMNS, "outcome", "entered", "contest"}
        assert found["xray_time"].is_monotonic_decreasing
        expected = part.sort_values(["xray_time", "xray_id"], ascending=False).reset_index(drop=True)
        assert_frame_equal(found.drop(columns=["entered", "contest"]), expected, check_dtype=False)
        assert found["entered"].all()
        assert found["contest"].isna().all()


def test_evidence_of_phrases_is_that_of_these_phrases(shown, everything, anyone, ask, by_hand):
    part = by_hand(everything, ask(anyone))
    common = [name for name, _ in Counter(part["phrase"]).most_common(2)]
    for phrases in ((common[0],), tuple(common), (common[1], "never said")):
        found = shown.groups.evidence(ask(anyone), phrases)
        assert sorted(found["xray_id"]) == sorted(part.loc[part["phrase"].isin(phrases), "xray_id"])
    assert shown.groups.evidence(ask(anyone), ["never said"]).empty


def test_wordings_are_counted_in_what_entered_within_the_days(shown, everything, anyone, ask, by_hand, windows):
    for asked in (ask(anyone, TOPIC), *windows(everything, anyone)):
        part = by_hand(everything, asked)
        written = [" ".join(words.casefold().split()) for words in part["verbatim"]]
        counted = Counter(zip(part["phrase"], written, strict=True))
        made = shown.groups.wordings(asked)
        assert {(w.phrase, w.words): w.n for w in made} == counted
        assert sum(w.positives for w in made) == pytest.approx(part["outcome"].sum())
        assert {w.topic for w in made} <= {asked.topic}


def test_wordings_of_all_pathologies_together_are_those_of_each(shown, anyone, ask):
    together = shown.groups.wordings(ask(anyone, ALL_TOPICS))
    single = Counter()
    for w in shown.groups.wordings_of(anyone):
        single[w.phrase, w.words] += w.n
    assert {(w.phrase, w.words): w.n for w in together} == single


def test_a_ct_that_errs_moves_the_rates_of_one_group(shown, anyone, ask):
    selection = ask(anyone, TOPIC)
    measured = shown.groups.reliability(selection)
    perfect, errs = (shown.groups.reliability_if(selection, x, x) for x in (1.0, 0.95))
    assert [p.rate for p in perfect.phrases] == [p.rate for p in measured.phrases]
    for before, after in zip(measured.phrases, errs.phrases, strict=True):
        assert after.rate == pytest.approx(min(max((before.rate - 0.05) / 0.9, 0), 1))
    with pytest.raises(InputError, match="ct_accuracy"):
        shown.groups.reliability_if(selection, 0.5, 0.5)


def test_the_monotone_curve_is_of_the_words_of_the_group(shown, anyone, ask):
    selection = ask(anyone, TOPIC)
    made, measured = shown.groups.monotone(selection), shown.groups.reliability(selection)
    assert set(made.phrases) == {p.phrase for p in measured.phrases}
    assert (np.diff(made.fitted) >= 0).all()
    assert made.n.sum() == measured.n
