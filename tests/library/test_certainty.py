"""Certainty in words, numbers and Betas, in any kind of cell; and what cannot be used is told."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import radcal
from radcal.calibration.tables import observed, read_observations
from radcal.words.phrases import load_lexicon

ONE = {"author": ["A"], "topic": ["T"], "phrase": ["likely"], "outcome": [1]}
FRAME = pd.DataFrame(ONE)


def read(phrases: Sequence[Any] | pd.Series, **more: Any) -> Any:
    """What is read of these phrases, all confirmed."""
    frame = {"author": "A", "topic": "T", "outcome": 1} | more
    return observed(pd.DataFrame({"phrase": pd.Series(phrases)}).assign(**frame), load_lexicon())


def means(phrases: Sequence[Any] | pd.Series, **more: Any) -> list[float]:
    """The means of what was said."""
    seen = read(phrases, **more)
    return [round(p.alpha / (p.alpha + p.beta), 6) for name in seen.rows["phrase"] if (p := seen.words.find(name))]


@pytest.mark.parametrize(
    "phrases",
    [
        [0.85, 0.2, 1.0], ["0.85", ".2", "1"], ["85 %", "20%", "100 percent"], ["0,85", "0,2", "1"], [85, 20, 100],
        ["85", "20", "100"], [(17, 3), [2, 8], (1, 0)], ["Beta(17, 3)", "beta(a=2; b=8)", "Beta(1, 0)"],
        np.array([85, 20, 100], dtype="int8"), np.array([0.85, 0.2, 1], dtype="float32"),
        pd.Series([85, 20, 100], dtype="Int64"), pd.Series(["85 %", "20 %", "100 %"], dtype="category"),
        ["85 %", 0.2, (1, 0)], ["~85 %", "ca. 0.2", "about 1"], [np.array([17, 3]), 0.2, (1, 0)],
    ],
)  # fmt: skip
def test_all_ways_of_saying_it_mean_the_same(phrases: Any) -> None:
    assert means(phrases) == [0.85, 0.2, 1.0]


def test_short_floats_keep_their_own_digits() -> None:
    short = np.array([0.7, 0.3, np.nan], dtype="float32")
    for cells in (short, pd.Series(short, dtype="Float32")):
        assert read(cells).rows["phrase"].tolist() == ["0.7", "0.3"]


def test_words_stay_words_beside_numbers() -> None:
    seen = read(["Likely", 0.3, "probable", "quite so"])
    assert seen.rows["phrase"].tolist() == ["Likely", "0.3", "probable", "quite so"]
    assert seen.words.find("likely") == load_lexicon().find("likely")
    assert len(seen.words.phrases) == len(load_lexicon().phrases) + 1


def test_percentages_are_told_author_by_author() -> None:
    authors = ["A"] * 4 + ["B"] * 4
    seen = read([90, 80, 10, 0, 0.9, 0.8, 0.1, 1], author=authors)
    assert seen.percent == ("A",)
    assert seen.rows["phrase"].tolist() == ["0.9", "0.8", "0.1", "0", "0.9", "0.8", "0.1", "1"]


@pytest.mark.parametrize(
    ("numbers", "mean"),
    [([0, 0, 0, 100], 0.25), ([60, 80], 0.7), ([0, 1, 100, 55, 44], 0.4), ([1, 0, 0, 1], 0.5), ([250, 0.5], 0.5)],
)
def test_numbers_that_tell_their_unit(numbers: list[float], mean: float) -> None:
    assert np.mean(means(numbers)) == pytest.approx(mean)


@pytest.mark.parametrize(
    ("numbers", "percent", "fraction"),
    [
        ([90, 0.8, 0.1, 0.5], 0.2285, 1.4 / 3), ([0] * 8 + [1, 1, 1, 0.5, 2, 5, 60], 0.705 / 15, 3.5 / 12),
        ([1, 2, 3, 4, 5] * 40, 0.03, 1.0), ([2.5, 5, 10], 0.175 / 3, None), ([1, 1, 0, 90], 0.23, 2 / 3),
    ],
)  # fmt: skip
def test_numbers_that_do_not_tell_are_refused_and_go_by_what_is_set(
    numbers: list[float], percent: float, fraction: float | None
) -> None:
    said = {"confidence": numbers, "outcome": [0] * len(numbers)}
    with pytest.raises(radcal.InputError, match="Set unit='percent' or unit='fraction'"):
        radcal.brier(said)
    for unit, mean in (("percent", percent), ("fraction", fraction)):
        if mean is not None:
            seen = observed(pd.DataFrame(said), load_lexicon(), need=(), unit=unit)  # type: ignore[arg-type]
            assert seen.rows["phrase"].astype(float).mean() == pytest.approx(mean)
    with pytest.raises(radcal.InputError, match="unit"):
        radcal.brier(said, unit="per cent")


def test_what_is_assumed_is_no_row_left_out() -> None:
    said = {"probability": [10, 20, 60], "outcome": [0, 0, 1]}
    with warnings.catch_warnings():
        warnings.simplefilter("error", radcal.LeftOut)
        for call in (radcal.brier, lambda d: radcal.reliability(d | {"author": "A", "topic": "T"}, bootstrap=0)):
            with pytest.warns(radcal.Assumed, match="Set unit='percent'") as told:
                call(said)
            assert told[0].filename == __file__
        assert radcal.brier(said, unit="percent") == pytest.approx((0.01 + 0.04 + 0.16) / 3)


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        (["phrase", "probability", "outcome"], "may be the phrase: phrase, probability"),
        (["phrase", "correct", "outcome"], "may be the outcome: outcome, correct"),
        (["phrase", "outcome", "outcome"], "may be the outcome: outcome, outcome"),
        (["reader", "radiologist", "phrase", "outcome"], "may be the author: reader, radiologist"),
    ],
)
def test_columns_that_may_be_the_same_are_refused(columns: list[str], why: str, tmp_path: Path) -> None:
    frame = pd.DataFrame([[0.5] * len(columns)] * 3, columns=columns)
    frame.to_csv(tmp_path / "OBS.csv", index=False)
    for source in (frame, tmp_path / "OBS.csv"):
        with pytest.raises(radcal.InputError, match=why):
            radcal.brier(source)
    assert radcal.brier(pd.DataFrame({"author": "A", "model": "B", "phrase": [0.5], "outcome": 1})) == 0.25


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (
            lambda: radcal.ece({"phrase": ["likely"], "outcome": [1]}, "public"),
            "lexicon is of type str. Give a radcal.Lex",
        ),
        (lambda: radcal.ece([0.1, 0.2]), "observations is of type list. Give a DataFrame, a mapping of columns, or"),
        (lambda: radcal.ece({"phrase": ["likely"], "outcome": [1, 0]}), "columns of the same length"),
        (lambda: radcal.Lexicon.shipped("Public"), "of is 'Public'"),
        (lambda: radcal.reliability(ONE, pool="reader"), "pool is 'reader'"),
        (lambda: radcal.reliability(ONE, pool=FRAME), "pool is of type DataFrame. Give None or 'author' or 'topic'"),
        (lambda: radcal.read_reports("f.csv", modality="XR"), "modality is 'XR'. Choose None or 'xray' or 'ct'"),
        (lambda: radcal.read_reports("f.csv", columns=["author"]), "columns is of type list. Give a mapping"),
        (lambda: radcal.read_reports(FRAME), "paths is of type DataFrame. Give the path of a file, or a list of"),
        (lambda: radcal.read_reports([FRAME]), "paths is of type DataFrame"),
        (lambda: radcal.read_reports([]), "paths is empty. Give the path of a file"),
        (lambda: radcal.merge([]), "paths is empty"),
        (lambda: radcal.merge([FRAME, FRAME]), "paths is of type DataFrame"),
        (lambda: radcal.merge("nowhere.json"), "There is no file nowhere.json"),
        (lambda: radcal.pair("x.csv", "c.csv"), "xray is of type str. Give a DataFrame, as of read_reports"),
        (lambda: radcal.pair(None), "xray is of type NoneType"),
        (lambda: radcal.pair(FRAME, "c.csv"), "ct is of type str"),
        (lambda: radcal.read_findings("x.csv"), "reports is of type str. Give a DataFrame, as of pair or read_reports"),
        (lambda: radcal.read_findings(FRAME, reader=None), "reader is of type NoneType. Give 'rules'"),
        (lambda: radcal.observe(None, None), "pairs is of type NoneType. Give a DataFrame, as of pair"),
        (lambda: radcal.observe(FRAME, None), "findings is of type NoneType"),
        (lambda: radcal.Lexicon.from_csv(FRAME), "path is of type DataFrame. Give the path of a file"),
        (lambda: radcal.Lexicon.from_survey(FRAME), "path is of type DataFrame"),
        (lambda: radcal.Lexicon.from_answers("survey.csv"), "answers is of type str. Give a DataFrame, or a mapping"),
        (lambda: radcal.Lexicon.scale(None), "scale is of type NoneType. Give the name of a scale, or"),
        (lambda: radcal.Lexicon.scale({1: (0, 0.2)}), "phrase is of type int. Give its words"),
        (lambda: radcal.Lexicon.scale({"a": (0, 0.2, 0.3)}), "range of 'a' is no pair of numbers. Write it as"),
        (lambda: radcal.Lexicon.scale({"a": ("x", "y")}), "range of 'a' is no pair of numbers"),
        (lambda: radcal.plot.reliability(None), "result is of type NoneType. Give a result of radcal.reliability"),
        (
            lambda: radcal.plot.plan(radcal.reliability(ONE, bootstrap=0)),
            "plan is of type Measured. Give what radcal.tr",
        ),
        (lambda: radcal.reliability(FRAME[:0]), "no observations. Give a table that has some"),
        (lambda: radcal.brier(FRAME.assign(outcome=np.nan, n_bins=1), n_bins=np.int64(1)), "n_bins: 1 is outside 2"),
        (lambda: radcal.ece(pd.DataFrame({"Lesion": ["t"], "outcome": 1})), "Lesion"),
        (lambda: radcal.DepartmentModel(confidnce=0.9), "Did you mean confidence"),
    ],
)
def test_wrong_arguments_are_named(call: Any, why: str) -> None:
    with pytest.raises(radcal.InputError, match=why):
        call()


def test_hundred_different_percentages_stay_apart() -> None:
    assert means(list(range(101))) == [k / 100 for k in range(101)]


def test_what_cannot_be_used_is_listed_by_its_label() -> None:
    labels = [10, 20, 30, 40, 50]
    frame = pd.DataFrame({"phrase": [0.5, None, -1.5, "beta", (0, 0)], "outcome": 1}, index=labels)
    with pytest.warns(radcal.LeftOut, match=r"4 rows cannot be used. The first is row 20 .* The phrase is missing"):
        made = radcal.reliability(frame.assign(author="A", topic="T"), bootstrap=0)
    assert made.rejected["row"].tolist() == labels[1:]
    assert made.to_json()["rejected"] == made.rejected.to_dict("records")
    for index in ([7] * 5, list("abcde")):  # no row has a label of its own that is a number
        with pytest.warns(radcal.LeftOut, match="The first is row 1 "):
            again = radcal.reliability(frame.assign(author="A", topic="T").set_axis(index), bootstrap=0)
        assert again.rejected["row"].tolist() == [1, 2, 3, 4]
    assert all(map(len, made.rejected["remedy"]))


def test_unknown_words_are_counted_and_told() -> None:
    frame = pd.DataFrame({"author": "A", "topic": "T", "phrase": ["likely"] * 5 + ["quite so"] * 4, "outcome": 1})
    with pytest.warns(radcal.LeftOut, match=r"4 statements are left out.*'quite so' \(4\).*Add them to the lexicon"):
        made = radcal.reliability(frame, bootstrap=0)
    assert made.unknown == {"quite so": 4}
    with pytest.warns(radcal.LeftOut, match="4 statements"):
        assert radcal.brier(frame) == pytest.approx(radcal.brier(frame[:5]))


def test_references_in_no_list_are_told_from_phrases_in_none() -> None:
    said = {"author": ["A"] * 3, "topic": ["T"] * 3, "phrase": ["likely"] * 3, "reference_phrase": ["0.7"] * 3}
    with pytest.raises(
        radcal.InputError, match=r"None of the 3 observations has a reference that .* in a column 'outc"
    ):
        radcal.reliability(said)
    with pytest.raises(
        radcal.InputError, match=r"None of the 3 .* a phrase of the lexicon\. They say 'quite so'\. Add"
    ):
        radcal.reliability(said | {"phrase": ["quite so"] * 3, "reference_phrase": ["present"] * 3})


def test_numbers_of_numpy_set_what_those_of_python_set() -> None:
    own, plain = (
        radcal.reliability(ONE, n_bins=kind(10), bootstrap=kind(20), confidence=share)
        for kind, share in ((np.int64, np.float32(0.9)), (int, 0.9))
    )
    assert own.settings == plain.settings


def test_outcomes_are_said_in_many_ways() -> None:
    for outcomes in (
        [True, False],
        ["right", "wrong"],
        ["Yes", "no"],
        ["1", "0.0"],
        [1.0, 0.0],
        ["Positive", "absent"],
    ):
        assert read([0.5, 0.5], outcome=outcomes).rows["outcome"].tolist() == [1.0, 0.0]
    assert read([0.5, 0.5], outcome=["0,5", 0.25]).rows["outcome"].tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    ("names", "values"),
    [
        (("reader", "pathology", "confidence", "correct"), ("A", "T", 0.5, "right")),
        (("Radiologist", "Topic", "Certainty", "Outcome"), ("A", "T", "50 %", 1)),
        (("model", "dataset", "probability", "reference"), ("A", "T", "Beta(1, 1)", "present")),
    ],
)
def test_columns_go_by_other_names(names: tuple[str, ...], values: tuple[Any, ...], tmp_path: Path) -> None:
    frame = pd.DataFrame([values] * 40, columns=list(names))
    frame.to_csv(tmp_path / "OBS.csv", index=False)
    for source in (frame, tmp_path / "OBS.csv"):
        (group,) = radcal.reliability(source, bootstrap=0).groups().to_dict("records")
        assert (group["author"], group["topic"], group["n"]) == ("A", "T", 40)
        assert group["word_error"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"author": "who"}, "no column 'author'"),
        ({"author": "reader", "phrase": "certainty", "topic": "what"}, "columns are: reader, what, certainty, outcome"),
        ({"phrase": "wort"}, "no column 'phrase'"),
        ({"outcome": "result"}, "neither a column 'outcome' nor 'reference_phrase'"),
    ],
)
def test_missing_columns_are_named(said: pd.DataFrame, changed: dict[str, str], why: str) -> None:
    with pytest.raises(radcal.InputError, match=why):
        radcal.reliability(said.rename(columns=changed))


def test_a_frame_is_read_as_its_file(said: pd.DataFrame, tmp_path: Path) -> None:
    frame = said.assign(time=pd.Timestamp("2024-03-01 10:00"), patient=range(len(said)), verified=True)
    frame.to_csv(tmp_path / "OBS.csv", index=False)
    of_file, of_frame = read_observations(tmp_path / "OBS.csv").rows, read_observations(frame).rows
    pd.testing.assert_frame_equal(of_file.reset_index(drop=True), of_frame, check_column_type=False)


def test_one_row_none_and_no_usable_row() -> None:
    made = radcal.reliability({"author": ["A"], "topic": ["T"], "phrase": [0.7], "outcome": [1]})
    (group,) = made.groups().to_dict("records")
    assert group["n"] == 1
    assert "a curve needs 30" in group["reason"]
    with pytest.raises(radcal.DataError, match="a curve needs 30"):
        made.curve()
    with pytest.raises(radcal.InputError, match="There are no observations"):
        radcal.reliability(pd.DataFrame({"author": [], "topic": [], "phrase": [], "outcome": []}))
    with pytest.raises(radcal.InputError, match=r"No row .* can be used. The first of 2 is row 0. The phrase is miss"):
        radcal.ece({"phrase": [None, ""], "outcome": [1, 0]})
