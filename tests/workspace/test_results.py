from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pandas.testing import assert_frame_equal

from radcal.reports.storage import save_import
from radcal.system.errors import DataError
from radcal.workspace import frames


def test_results_are_kept_by_kind_and_key_with_their_provenance(ws, reopen):
    curve = {"rate": [0.1, float("nan"), 1e-300], "low": float("inf"), "n": 12, "who": "Dr. é", "none": None}
    ws.save_result("reliability", "Dr. é|edema", curve, {"seed": 1})
    ws.save_result("reliability", "Dr. é|edema", {**curve, "n": 13}, {"seed": 2})
    ws.save_result("advice", "Dr. é|edema", {"plan": []}, {})
    reader = reopen()
    back = reader.load_result("reliability", "Dr. é|edema")
    assert json.dumps(back) == json.dumps({**curve, "n": 13})
    assert math.isnan(back["rate"][1])
    stored = reader.results("reliability")
    assert list(stored) == ["Dr. é|edema"]
    assert stored["Dr. é|edema"].provenance == {"seed": 2}
    assert stored["Dr. é|edema"].payload["n"] == 13
    assert pd.Timestamp(stored["Dr. é|edema"].saved).tzinfo is not None
    assert reader.load_result("reliability", "other") is None
    assert reader.results("other") == {}
    reader.close()


def test_what_is_no_plain_json_is_refused_and_replaces_nothing(ws):
    loop: dict[str, object] = {}
    loop["self"] = loop
    ws.save_result("reliability", "c", {"n": 3}, {"seed": 2})
    for bad in ({"n": np.arange(3)}, {"n": np.int64(1)}, {"at": pd.Timestamp(0)}, loop):
        for payload, provenance in ((bad, {}), ({"n": 4}, bad)):
            with pytest.raises(DataError, match="A result of kind 'reliability' cannot be stored"):
                ws.save_result("reliability", "c", payload, provenance)
    ((key, kept),) = ws.results("reliability").items()
    assert (key, kept.payload, kept.provenance) == ("c", {"n": 3}, {"seed": 2})


def observations() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "author": pd.Series(["Dr. é", "Dr. 2", ""], dtype="str"),
            "topic": pd.Series(["edema", None, "edema"], dtype="category"),
            "phrase": pd.Series(["likely", None, "a\0b\n"], dtype=object),
            "outcome": [0.5, float("nan"), 1.0],
            "xray_cue_start": np.array([-1, 3, 2], dtype="int32"),
            "entered": [True, False, True],
            "xray_time": pd.to_datetime(["2024-01-01", None, "2024-02-29 12:00:00.000000001"], format="ISO8601").astype(
                "datetime64[ns]"
            ),
            "ordered": pd.Categorical([2, 1, 2], categories=[2, 1, 3], ordered=True),
            "missing": pd.Series(["x", None, "y"], dtype="str"),
        }
    )


def test_observations_and_counts_come_back_with_every_dtype(ws, reopen):
    assert ws.observations() is None
    assert ws.load_frame("counts") is None
    frame = observations()
    ws.save_observations(frame.iloc[:1])
    ws.save_observations(frame)
    counts = pd.DataFrame({"topic": ["edema"], "what": ["entered"], "n": [3]})
    ws.save_frame("counts", counts)
    reader = reopen()
    assert_frame_equal(reader.observations(), frame)
    assert_frame_equal(reader.load_frame("counts"), counts)
    assert reader.load_frame("other") is None
    reader.close()


def test_frames_without_rows_or_columns_keep_what_they_have(ws):
    for frame in (observations().iloc[:0], pd.DataFrame(index=pd.RangeIndex(3)), pd.DataFrame()):
        ws.save_frame("f", frame)
        assert_frame_equal(ws.load_frame("f"), frame.reset_index(drop=True))
    ws.save_frame("f", observations().iloc[::-1])
    assert_frame_equal(ws.load_frame("f"), observations().iloc[::-1].reset_index(drop=True))


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pd.Series([[1], [2]]), "something other than text"),
        (pd.Series([1, "a"], dtype=object), "something other than text"),
        (pd.to_datetime(pd.Series(["2024-01-01"]), utc=True), "has the dtype datetime64"),
        (pd.Series([1, 2], dtype="Int64"), "has the dtype Int64"),
        (pd.Series([1j]), "has the dtype complex128"),
    ],
)
def test_columns_that_cannot_be_kept_are_refused_and_the_last_frame_stays(ws, column, message):
    ws.save_frame("f", observations())
    with pytest.raises(DataError, match=message):
        ws.save_frame("f", pd.DataFrame({"ok": column.astype("str"), "bad": column}))
    assert_frame_equal(ws.load_frame("f"), observations())


def test_columns_need_names_of_their_own(ws):
    for frame in (pd.DataFrame([[1, 2]], columns=["a", "a"]), pd.DataFrame({0: [1]})):
        with pytest.raises(DataError, match="distinct names"):
            ws.save_frame("f", frame)


@settings(deadline=None)
@given(
    st.one_of(
        arrays(
            st.sampled_from(["float64", "float32", "int8", "uint64", "bool", ">i4", "datetime64[ns]"]),
            st.integers(0, 20),
        ),
        st.lists(st.one_of(st.none(), st.text()), max_size=10).map(lambda v: np.array(v, dtype=object)),
    )
)
def test_any_array_survives_packing(values):
    column = pd.Series(values)
    back = frames.unpack(*frames.pack(column))
    if values.dtype.byteorder == ">":
        column = column.astype(values.dtype.newbyteorder("<"))
    pd.testing.assert_series_equal(back, column)


def test_the_audit_log_says_who_did_what_and_cannot_be_changed(ws, make, reopen):
    save_import(ws, make.imp({"xray:1": "Secret sentence."}, rejected=2))
    ws.log("feedback exported", authors=12)
    for change in (
        "DELETE FROM audit",
        "UPDATE audit SET what = ''",
        "INSERT OR REPLACE INTO audit SELECT * FROM audit",
    ):
        with pytest.raises(DataError, match="the audit log is only added to"):
            ws._db.execute(change)
    log = reopen().audit()
    assert log["what"].tolist() == ["workspace created", "reports imported", "feedback exported"]
    assert json.loads(log["counts"][1]) == {"rows": 3, "new": 1, "changed": 0, "rejected": 2}
    assert json.loads(log["counts"][2]) == {"authors": 12}
    assert (log["user"] != "").all()
    assert log["at"].is_monotonic_increasing
    assert not log.apply(lambda column: column.astype(str).str.contains("Secret")).any().any()


@pytest.mark.parametrize(
    ("what", "counts"), [("x" * 201, {}), ("two\nlines", {}), ("x", {"n": "text"}), ("x", {"n": 1.5})]
)
def test_the_audit_log_takes_a_line_and_counts_only(ws, what, counts):
    with pytest.raises(DataError, match="audit log"):
        ws.log(what, **counts)
    assert len(ws.audit()) == 1
