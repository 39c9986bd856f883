"""Shares of reports: known results, quarters that follow from coarse shares alone, periods."""

from __future__ import annotations

from datetime import date

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from radcal.calibration.habits import cells_of, compare_shares, counted, of_others, periods, quarters, share
from radcal.system import coarse


def counts(rows: dict[str, tuple[int, int]], day: str = "2026-01-05") -> pd.DataFrame:
    """n reports and y with it of each author, on one day."""
    made = [(author, pd.Timestamp(day), n, y) for author, (n, y) in rows.items()]
    return pd.DataFrame(made, columns=["author", "day", "n", "y"])


def test_each_habit_is_counted_in_its_own_reports():
    frame = pd.DataFrame(
        {
            "author": ["A"], "day": [pd.Timestamp("2026-01-05")], "reports": [9], "searched": [8], "follow_up": [2],
            "correlation": [1], "read": [5], "hedged": [4], "standard": [3],
        }
    )  # fmt: skip
    found = {h: tuple(counted(frame, h)[["n", "y"]].iloc[0]) for h in ("hedge", "standard", "follow-up", "correlation")}
    assert found == {"hedge": (5, 4), "standard": (5, 3), "follow-up": (8, 2), "correlation": (8, 1)}
    assert counted(frame.assign(read=0), "hedge").empty
    assert counted(frame, "closed").empty, "as in a personal file of before"
    (row,) = counted(frame.assign(due=2, closed=1), "closed").to_dict("records")
    assert (row["n"], row["y"]) == (2, 1)


def test_a_share_has_its_jeffreys_interval_or_too_little_data():
    made = share(12, 100, 30, 0.95)
    low, high = beta.ppf([0.025, 0.975], 12.5, 88.5)
    assert made.value == 0.12
    assert (made.low, made.high) == (pytest.approx(low), pytest.approx(high))
    assert share(3, 29, 30, 0.95).value is None
    assert share(0, 0, 0, 0.95).value is None


def test_each_radiologist_stands_beside_all_others_and_those_with_few_reports_have_no_value():
    rows = {f"R{i}": (400, 48) for i in range(6)} | {"Far": (400, 160), "Few": (20, 10)}
    made = compare_shares(counts(rows), "follow-up", {"Few": "Alpha"}, least=30, confidence=0.95)
    by_name = {m.name: m for m in made.members}
    assert made.members[0].name == "Few"
    assert by_name["Few"].value is None
    assert by_name["Far"].others.value == pytest.approx((6 * 48 + 10) / (6 * 400 + 20))
    assert by_name["Far"].value == pytest.approx(0.4)
    assert made.reason == ""
    alone = compare_shares(counts({"A": (400, 48)}), "follow-up", {}, least=30, confidence=0.95)
    assert alone.reason == "radiologists"
    assert alone.members[0].others is None


def test_periods_are_months_or_quarters_with_what_is_missing():
    frame = pd.concat([counts({"A": (40, 4), "B": (10, 1)}, day) for day in ("2026-01-05", "2026-02-28", "2026-05-01")])
    by_month = periods(frame, "month", least=30, confidence=0.95)
    assert [(p.start, p.end, p.n) for p in by_month] == [
        (date(2026, 1, 1), date(2026, 2, 1), 50),
        (date(2026, 2, 1), date(2026, 3, 1), 50),
        (date(2026, 5, 1), date(2026, 6, 1), 50),
    ]
    by_quarter = periods(frame, "quarter", least=60, confidence=0.95)
    assert [(p.n, p.value) for p in by_quarter] == [(100, 0.1), (50, None)]
    assert periods(frame.iloc[:0], "month", least=1, confidence=0.95) == ()


def test_quarters_of_evenly_spread_shares():
    cells = cells_of(counts({f"R{i:02}": (200, 10 * (i + 1)) for i in range(12)}), 30)
    assert list(quarters(cells).values()) == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    assert quarters(dict(list(cells.items())[:9])) == {}, "nine are too few"
    alike = cells_of(counts({f"R{i}": (200, 3) for i in range(12)} | {"X": (200, 90)}), 30)
    assert quarters(alike) == {}, "most are alike"


@given(st.lists(st.tuples(st.integers(30, 600), st.floats(0, 1)), min_size=10, max_size=30))
def test_quarters_and_the_others_follow_from_the_cells_alone(said):
    rows = {f"R{i:02}": (n, round(n * part)) for i, (n, part) in enumerate(said)}
    cells = cells_of(counts(rows), 30)
    found = quarters(cells)
    for a, b in zip(cells, list(cells)[1:], strict=False):
        if found and cells[a].rate < cells[b].rate:
            assert found[a] <= found[b]
        if found and cells[a].rate == cells[b].rate:
            assert found[a] == found[b]
    # Figures of the same cell change nothing.
    first = next(iter(rows))
    for m in (cells[first].n.low, cells[first].n.high):
        k = round(m * cells[first].rate)
        if coarse.cell(m, k) == cells[first]:
            other = cells_of(counts({**rows, first: (m, k)}), 30)
            assert quarters(other) == found
            assert of_others(other, "R01", 0.95) == of_others(cells, "R01", 0.95)
    told = of_others(cells, first, 0.95)
    assert told is not None
    assert round(20 * told.value, 6) == round(20 * told.value)
    assert told.low <= told.value <= told.high
    assert np.isfinite(told.n)


def test_too_few_others_are_not_told():
    cells = cells_of(counts({f"R{i}": (200, 20) for i in range(5)}), 30)
    assert of_others(cells, "R0", 0.95) is None
    assert of_others(cells, "nobody", 0.95) is not None
    assert "Few" not in cells_of(counts({"Few": (45, 3)}), 50)
