"""Recommended imaging and what followed: against a loop over days, and in cases with one answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.calibration.closed import Outcome, followed, outcomes_of, with_followed

NUMBERS = ["first", "last", "start", "end"]
ASKED = ["report_id", "accession", "patient_id", "author", "modality", "time", "wanted", *NUMBERS]
EXAMINED = ["report_id", "patient_id", "modality", "time"]
KINDS = dict.fromkeys(ASKED, "str") | {"time": "datetime64[ns]"} | dict.fromkeys(NUMBERS, "int64")
NOW = datetime(2026, 1, 5, 12)


def asked(*rows: Mapping[str, Any]) -> pd.DataFrame:
    """Recommendations, each with what is named here and CT of patient P otherwise."""
    usual = {
        "report_id": "xray:1", "accession": "1", "patient_id": "P", "author": "A", "modality": "xray", "time": NOW,
        "wanted": "ct", "first": -1, "last": -1, "start": 0, "end": 0,
    }  # fmt: skip
    return pd.DataFrame([usual | dict(row) for row in rows], columns=ASKED).astype(KINDS)


def examined(*rows: tuple[str, str, str, datetime]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=EXAMINED).astype({name: KINDS[name] for name in EXAMINED})


def ends(**last: date) -> dict[str, pd.Timestamp]:
    return {modality: pd.Timestamp(day) for modality, day in last.items()}


LATER = ends(xray=date(2028, 1, 1), ct=date(2028, 1, 1))


def after(days: int, modality: str = "ct", hours: int = 0) -> tuple[str, str, str, datetime]:
    return f"{modality}:{days}", "P", modality, NOW + timedelta(days=days, hours=hours)


@pytest.mark.parametrize(
    ("first", "last", "days", "outcome"),
    [
        (90, 90, [90], "in time"),
        (90, 90, [45], "in time"),
        (90, 90, [44], "not seen here"),
        (90, 90, [44, 60], "in time"),
        (90, 90, [120], "in time"),
        (90, 90, [121], "late"),
        (90, 90, [121, 100], "in time"),
        (90, 180, [210], "in time"),
        (90, 180, [211], "late"),
        (360, 360, [390], "in time"),
        (360, 360, [391], "late"),
        (0, 2, [3], "in time"),
        (0, 2, [4], "late"),
        (42, 42, [63], "in time"),
        (42, 42, [64], "late"),
        (42, 42, [1], "not seen here"),
        (-1, -1, [1], "in time"),
        (-1, -1, [90], "in time"),
        (-1, -1, [91], "late"),
        (-1, -1, [], "not seen here"),
        (90, 90, [-30, 0], "not seen here"),
    ],
)
def test_what_is_in_time(first: int, last: int, days: list[int], outcome: str) -> None:
    found = followed(asked({"first": first, "last": last}), examined(*map(after, days)), LATER)
    assert found["outcome"].tolist() == [outcome]
    assert found["due"].tolist() == [True]


@pytest.mark.parametrize(
    ("wanted", "done", "outcome"),
    [
        ("ct", "xray", "not seen here"),
        ("ct", "ct", "in time"),
        ("xray", "xray", "in time"),
        ("xray", "ct", "in time"),
        ("", "xray", "in time"),
        ("mri", "ct", "cannot be seen here"),
        ("us", "xray", "cannot be seen here"),
    ],
)
def test_which_examination_fits(wanted: str, done: str, outcome: str) -> None:
    found = followed(asked({"wanted": wanted}), examined(after(10, done)), LATER)
    assert found["outcome"].tolist() == [outcome]
    assert found["due"].tolist() == [outcome != "cannot be seen here"]
    assert found["seen"].tolist() == [f"{done}:10"]


def test_nothing_is_missed_before_the_data_reach_beyond_its_time() -> None:
    one = asked({"first": 90, "last": 90})
    last = NOW.date() + timedelta(120)
    for end, outcome in ((last, "not due"), (last + timedelta(1), "not seen here")):
        assert followed(one, examined(), ends(xray=date(2028, 1, 1), ct=end))["outcome"].tolist() == [outcome]
    early = followed(one, examined(after(80)), ends(ct=last))
    assert (early["outcome"].tolist(), early["due"].tolist()) == (["in time"], [False]), "else early ones count sooner"
    assert followed(one, examined(), ends(xray=date(2028, 1, 1)))["outcome"].tolist() == ["cannot be seen here"]
    anything = asked({"wanted": ""})
    assert followed(anything, examined(), ends(xray=date(2028, 1, 1), ct=last))["outcome"].tolist() == ["not seen here"]
    assert followed(anything, examined(), ends(xray=date(2028, 1, 1), ct=NOW.date()))["outcome"].tolist() == ["not due"]


def test_a_report_has_one_clock_for_what_it_asks_for_and_each_report_its_own() -> None:
    week = NOW + timedelta(days=7)
    found = followed(
        asked(
            {"first": 180, "last": 180},
            {"first": 90, "last": 90},
            {},
            {"wanted": "xray"},
            {"report_id": "xray:2", "time": week, "first": 90, "last": 90},
            {"report_id": "xray:3", "patient_id": "Q"},
            {"report_id": "xray:4", "patient_id": ""},
        ),
        examined(after(95)),
        LATER,
    )
    assert found[["report_id", "wanted", "last", "outcome", "done"]].to_numpy().tolist() == [
        ["xray:1", "ct", 90, "in time", "ct:95"],
        ["xray:1", "xray", -1, "late", "ct:95"],
        ["xray:2", "ct", 90, "in time", "ct:95"],
        ["xray:3", "ct", -1, "not seen here", ""],
        ["xray:4", "ct", -1, "cannot be seen here", ""],
    ]
    assert outcomes_of(found)[Outcome.IN_TIME] == 2


def test_counts_are_of_the_day_of_the_report_and_those_that_are_due() -> None:
    found = followed(
        asked({}, {"report_id": "xray:2", "patient_id": "Q"}, {"report_id": "xray:3", "first": 900, "last": 900}),
        examined(after(9)),
        LATER,
    )
    days = [pd.Timestamp("2026-01-04"), pd.Timestamp("2026-01-05")]
    counts = pd.DataFrame({"author": ["A", "A"], "modality": ["xray", "xray"], "day": days, "reports": [5, 7]})
    made = with_followed(counts, found)
    assert made.drop(columns=["author", "modality", "day"]).to_numpy().tolist() == [[5, 0, 0], [7, 2, 1]]
    assert with_followed(counts, found.iloc[:0])[["due", "closed"]].to_numpy().sum() == 0


def looped(row: Mapping[str, Any], examinations: pd.DataFrame, last_days: Mapping[str, Any]) -> tuple[str, str]:
    """The outcome of a recommendation and the examination that stops it, examination by examination."""
    kinds = {"ct": ["ct"], "xray": ["xray", "ct"], "": ["xray", "ct"]}.get(row["wanted"], [])
    asked_for = [kind for kind in ([row["wanted"]] if row["wanted"] else kinds) if kind in last_days]
    if not asked_for or not kinds or not row["patient_id"]:
        return "cannot be seen here", ""
    stated = row["last"] >= 0
    allowed = row["last"] + min(max(1, math.ceil(row["last"] / 2)), 30) if stated else 90
    day = row["time"].date()
    its = examinations[examinations["patient_id"] == row["patient_id"]].sort_values(["time", "report_id"])
    for name, _, kind, time in its.itertuples(index=False, name=None):
        waited = (time.date() - day).days
        if kind in kinds and time > row["time"] and waited >= (row["first"] // 2 if stated else 0):
            return ("in time" if waited <= allowed else "late"), name
    beyond = all((last_days[kind].date() - day).days > allowed for kind in asked_for)
    return ("not seen here" if beyond else "not due"), ""


@st.composite
def departments(draw: st.DrawFn) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, pd.Timestamp]]:
    people = st.sampled_from(["P", "Q", ""])
    moments = st.integers(0, 24 * 40).map(lambda hours: NOW + timedelta(hours=6 * hours))
    kinds = st.sampled_from(["xray", "ct"])
    clocks = st.one_of(
        st.just((-1, -1)), st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda t: tuple(sorted(t)))
    )
    rows = draw(st.lists(st.tuples(people, moments, st.sampled_from(["ct", "xray", "", "pet"]), clocks), max_size=8))
    made = asked(
        *(
            {"report_id": f"xray:{i}", "patient_id": who, "time": at, "wanted": what, "first": low, "last": high}
            for i, (who, at, what, (low, high)) in enumerate(rows)
        )
    )
    there = draw(st.lists(st.tuples(st.sampled_from(["P", "Q"]), kinds, moments), max_size=8))
    exams = examined(*((f"{kind}:{i}", who, kind, at) for i, (who, kind, at) in enumerate(there)))
    last = draw(st.dictionaries(kinds, moments, max_size=2))
    return made, exams, {kind: pd.Timestamp(at).floor("D") for kind, at in last.items()}


@pytest.mark.slow
@given(departments())
@settings(deadline=None)
def test_outcomes_are_those_of_a_loop(made: tuple[pd.DataFrame, pd.DataFrame, dict[str, pd.Timestamp]]) -> None:
    recommended, exams, last_days = made
    found = followed(recommended, exams, last_days)
    expected = [looped(row, exams, last_days) for row in recommended.to_dict("records")]
    assert list(zip(found["outcome"], found["done"], strict=True)) == expected
