"""Observations are stored by author; reading them together gives what was stored."""

from __future__ import annotations

import pandas as pd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

NAMES = ("Dr. é", "", "%", "observations of Dr. é", "a'b")


def frame(authors: list[str]) -> pd.DataFrame:
    n = len(authors)
    return pd.DataFrame(
        {
            "author": pd.Series(authors, dtype="str"),
            "topic": pd.Series([("edema", "mass")[k % 2] for k in range(n)], dtype="str"),
            "outcome": pd.Series([k / 7 for k in range(n)], dtype="float64"),
            "xray_time": pd.date_range("2024-02-29", periods=n, freq="5h", unit="ns")[::-1],
        }
    )


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.sampled_from(NAMES), max_size=12))
def test_what_was_kept_comes_back_whole_and_by_author(ws, authors):
    kept = frame(authors)
    ws.save_observations(kept)
    assert_frame_equal(ws.observations(), kept)
    assert_frame_equal(ws.observations(["outcome", "author"]), kept[["outcome", "author"]])
    for author in NAMES:
        own = kept[kept["author"] == author].reset_index(drop=True)
        assert_frame_equal(ws.observations_of(author), own)
    parts = list(ws.observations_by_author(["outcome"]))
    assert [name for name, _ in parts] == sorted(set(authors))
    for author, part in parts:
        assert part["outcome"].tolist() == kept.loc[kept["author"] == author, "outcome"].tolist()


def test_they_replace_those_kept_before(ws):
    assert ws.observations() is None
    assert ws.observations_of("a") is None
    assert list(ws.observations_by_author()) == []
    ws.save_frame("observations of nothing in particular", frame(["z"]))  # a name with the same prefix
    for kept in (frame(["a", "b", "a"]), frame(["b"]), frame([]), frame(["c", "a"])):
        ws.save_observations(kept)
        assert_frame_equal(ws.observations(), kept)
        assert len(ws.observations_of("a")) == int((kept["author"] == "a").sum())
