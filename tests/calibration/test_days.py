from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from radcal.calibration.days import Unit, check_days, difference, following, given, starts, within
from radcal.system.errors import InputError
from radcal.system.estimates import Estimate
from radcal.system.intervals import jeffreys
from radcal.system.selection import Days


def test_months_and_quarters_begin_where_they_do() -> None:
    times = pd.Series(pd.to_datetime(["2026-01-01 00:00", "2026-03-31 23:59", "2026-11-21 08:00", None]))
    assert starts(times, "month").astype(str).tolist() == ["2026-01-01", "2026-03-01", "2026-11-01", "NaT"]
    assert starts(times, "quarter").astype(str).tolist() == ["2026-01-01", "2026-01-01", "2026-10-01", "NaT"]


@pytest.mark.parametrize("unit", ["month", "quarter"])
def test_what_follows_is_the_next_beginning_of_the_calendar(unit: Unit) -> None:
    """Every month and quarter of three years, found by going through the calendar day by day."""
    months = range(1, 13) if unit == "month" else range(1, 13, 3)
    begins = [date(year, month, 1) for year in (2023, 2024, 2025) for month in months]
    for start in begins:
        day = start + timedelta(days=1)
        while day.day != 1 or day.month not in months:
            day += timedelta(days=1)
        assert following(start, unit) == day


def test_difference_is_newcombes_for_rates() -> None:
    """Newcombe 1998, table II, (a): 56/70 - 48/80 with Wilson intervals is 0.2 (0.0524-0.3339)."""
    d, low, high = difference(Estimate(0.6, 0.4904, 0.7005), Estimate(0.8, 0.6918, 0.8771))
    assert (d, low, high) == pytest.approx((0.2, 0.0524, 0.3339), abs=6e-4)


def test_difference_holds_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    y, n = np.stack([rng.binomial(40, 0.3, 3000), rng.binomial(70, 0.45, 3000)]), np.array([[40.0], [70.0]])
    low, high = jeffreys(y.astype(float), np.broadcast_to(n, y.shape))
    held = 0
    for i in range(y.shape[1]):
        before, after = (Estimate(y[j, i] / n[j, 0], low[j, i], high[j, i]) for j in (0, 1))
        _, a, b = difference(before, after)
        held += a <= 0.15 <= b
    assert held / y.shape[1] == pytest.approx(0.95, abs=0.02)


def test_difference_of_an_interval_that_leaves_its_value_out_is_still_one() -> None:
    """The side on which the value lies beyond its interval adds nothing, instead of the square of a negative width."""
    assert difference(Estimate(0.20, 0.22, 0.30), Estimate(0.10, 0.11, 0.15)) == pytest.approx(
        (-0.10, -0.10 - 0.10, -0.10 + 0.05)
    )
    assert difference(Estimate(0.20, 0.10, 0.18), Estimate(0.30, 0.20, 0.27)) == pytest.approx(
        (0.10, 0.10 - 0.10, 0.10 + 0.10)
    )


def test_both_ends_of_a_range_are_within_it_and_a_missing_time_is_in_no_limited_one() -> None:
    times = pd.Series(
        pd.to_datetime(["2026-01-01 23:59", "2026-01-02 00:00", "2026-01-04 12:00", "2026-01-05 00:00", None])
    )
    first, last = date(2026, 1, 2), date(2026, 1, 4)
    assert within(times, Days()).all()
    assert within(times, Days(first, last)).tolist() == [False, True, True, False, False]
    assert within(times, Days(first=first)).tolist() == [False, True, True, True, False]
    assert within(times, Days(last=last)).tolist() == [True, True, True, False, False]


def test_days_end_no_earlier_than_they_begin() -> None:
    check_days(Days(date(2026, 1, 2), date(2026, 1, 2)))
    with pytest.raises(InputError, match="2026-01-01, before they begin on 2026-01-02"):
        check_days(Days(date(2026, 1, 2), date(2026, 1, 1)))


def test_who_was_given_no_feedback_is_not_among_those_who_were() -> None:
    said = pd.DataFrame({"author": ["Ada", "Ben", "Cleo"]})
    known, cuts = given(said, {"Ada": date(2026, 1, 2), "Ben": None, "": date(2026, 3, 1)})
    assert known["author"].tolist() == ["Ada", "Cleo"]
    assert cuts.dt.date.tolist() == [date(2026, 1, 2), date(2026, 3, 1)]
