"""Dates and times as systems write them."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.ingest.times import AMBIGUOUS, MISSING, OK, UNREADABLE, has_date, parse_clock, parse_times

MOMENTS = st.datetimes(min_value=dt.datetime(1970, 1, 1), max_value=dt.datetime(2068, 12, 31)).map(
    lambda t: t.replace(microsecond=0)
)
FORMATS = (
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%SZ",
    "%Y-%m-%dT%H:%M:%S.000+01:00",
    "%Y/%m/%d %H:%M:%S",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%y, %H:%M:%S",
    "%Y%m%d%H%M%S",
    "%Y%m%d %H%M%S",
    "%Y%m%d%H%M%S.000-0500",
    "%d %b %Y %H:%M:%S",
    "%d-%b-%Y %I:%M:%S %p",
    "%b %d, %Y %I:%M:%S %p",
    "%A, %d %B %Y %H:%M:%S GMT",
)


MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def written(moment: dt.datetime, pattern: str) -> str:
    """As strftime writes it in English, whatever the locale that Qt has taken over from the environment."""
    names = {
        "%b": MONTHS[moment.month - 1][:3],
        "%B": MONTHS[moment.month - 1],
        "%A": WEEKDAYS[moment.weekday()],
        "%p": "PM" if moment.hour >= 12 else "AM",
    }
    for sign, name in names.items():
        pattern = pattern.replace(sign, name)
    return moment.strftime(pattern)


@pytest.mark.parametrize("pattern", FORMATS)
@settings(deadline=None, max_examples=40)
@given(moments=st.lists(MOMENTS, min_size=1, max_size=4))
def test_unambiguous_formats_are_read_as_written(pattern: str, moments: list[dt.datetime]) -> None:
    times = parse_times([written(m, pattern) for m in moments])
    assert times.time.tolist() == np.array(moments, dtype="datetime64[ns]").tolist()
    assert (times.state == OK).all()


@pytest.mark.parametrize(("pattern", "day_first"), [("%m/%d/%Y %I:%M %p", False), ("%d/%m/%Y %H:%M", True)])
@settings(deadline=None, max_examples=60)
@given(moments=st.lists(MOMENTS, min_size=1, max_size=8))
def test_one_day_above_twelve_decides_for_the_file(pattern: str, day_first: bool, moments: list[dt.datetime]) -> None:
    moments = [m.replace(second=0) for m in (*moments, dt.datetime(2024, 5, 31))]
    times = parse_times([written(m, pattern) for m in moments], default_day_first=not day_first)
    assert times.time.tolist() == np.array(moments, dtype="datetime64[ns]").tolist()
    assert times.order.decided
    assert times.order.day_first is day_first


def test_undecidable_order_takes_the_default_and_says_so() -> None:
    month = parse_times(["03/04/2024 10:00"])
    day = parse_times(["03/04/2024 10:00"], default_day_first=True)
    assert str(month.time[0]) == "2024-03-04T10:00:00.000000000"
    assert str(day.time[0]) == "2024-04-03T10:00:00.000000000"
    assert not month.order.decided
    assert month.order.undecided == 1


def test_a_stated_order_is_obeyed() -> None:
    times = parse_times(["03/04/2024"], day_first=True)
    assert str(times.time[0])[:10] == "2024-04-03"
    assert times.order.decided


def test_contradicting_evidence_leaves_only_what_is_certain() -> None:
    times = parse_times(["31/01/2024", "01/31/2024", "03/04/2024", "05/05/2024"])
    assert times.state.tolist() == [OK, OK, AMBIGUOUS, OK]
    assert times.order.mixed


def test_dots_are_day_first_and_prove_nothing_about_slashes() -> None:
    times = parse_times(["31.12.2024", "03.04.2024", "03/04/2024"])
    assert [str(t)[:10] for t in times.time] == ["2024-12-31", "2024-04-03", "2024-03-04"]
    assert not times.order.decided


@pytest.mark.parametrize(
    "text",
    ["soon", "2024-02-30", "32/01/2024", "13/13/2024", "2024-01-01 25:00", "2024-01-01 10:61", "12:30", "1", "99999999",
     "1-2-3-4", "0000-01-01", "2024-01-01 13:00 PM"],
)  # fmt: skip
def test_what_is_no_time_is_unreadable(text: str) -> None:
    times = parse_times([text])
    assert times.state.tolist() == [UNREADABLE]
    assert np.isnat(times.time[0])


def test_empty_cells_are_missing() -> None:
    assert parse_times(["", "  "]).state.tolist() == [MISSING, MISSING]
    assert parse_times([]).time.shape == (0,)


def test_cells_of_a_spreadsheet() -> None:
    cells = [dt.datetime(2024, 3, 31, 14, 5), dt.date(2024, 3, 31), 45382.586805555555, 45382, 20240331.0, "45382,25"]
    times = parse_times(cells)
    assert [str(t)[:16] for t in times.time] == [
        "2024-03-31T14:05", "2024-03-31T00:00", "2024-03-31T14:05", "2024-03-31T00:00", "2024-03-31T00:00",
        "2024-03-31T06:00",
    ]  # fmt: skip
    assert times.no_clock == 3
    assert parse_times([True, 3.0, dt.time(3)]).state.tolist() == [UNREADABLE] * 3


def test_date_and_time_of_day_in_two_columns() -> None:
    times = parse_times(
        ["31.03.2024", "2024-03-31", "3/31/2024", dt.date(2024, 3, 31), "2024-03-31", "2024-03-31", "2024-03-31 08:00"],
        ["14:05", "2:05 PM", 1405.0, dt.time(14, 5), "", "late", "14:05"],
    )
    assert [str(t)[:16] for t in times.time[:5]] == ["2024-03-31T14:05"] * 4 + ["2024-03-31T00:00"]
    assert times.state[5] == UNREADABLE
    assert str(times.time[6])[:16] == "2024-03-31T08:00"
    assert times.no_clock == 1


@pytest.mark.parametrize("clock", ["", "  ", "\t"])
def test_a_blank_time_of_day_is_none_and_the_day_stays_known(clock: str) -> None:
    times = parse_times(["2024-03-31", "2024-04-01"], [clock, "9:05:12"])
    assert [str(t) for t in times.time] == ["2024-03-31T00:00:00.000000000", "2024-04-01T09:05:12.000000000"]
    assert times.state.tolist() == [OK, OK]
    assert times.no_clock == 1


def test_a_time_of_day_in_figures_alone_has_lost_its_first_zero_in_a_spreadsheet() -> None:
    for moment in (dt.time(9, 5, 12), dt.time(0, 59, 59), dt.time(19, 5, 12), dt.time(23, 59, 59)):
        figures = moment.strftime("%H%M%S")
        expected = (moment.hour, moment.minute, moment.second, 0)
        assert parse_clock(figures) == expected
        if moment.hour >= 1:
            assert parse_clock(int(figures)) == parse_clock(float(figures)) == expected


def test_a_rare_whole_day_of_a_spreadsheet_is_midnight_and_many_are_days_without_a_time() -> None:
    morning, day = dt.datetime(2026, 1, 2, 8, 30), dt.date(2026, 1, 3)
    assert parse_times([*[morning] * 300, day, day]).no_clock == 0
    assert parse_times([*[morning] * 300, day, day]).time[-1] == np.datetime64("2026-01-03T00:00")
    assert parse_times([*[morning] * 300, *[day] * 20]).no_clock == 20
    assert parse_times([*[""] * 300, day]).no_clock == 1
    assert parse_times([*[morning] * 300, "2026-01-03"]).no_clock == 1  # text says what it has


@pytest.mark.parametrize(
    ("cell", "expected"),
    [("14:05", (14, 5)), ("1405", (14, 5)), ("090512", (9, 5)), ("90512", (9, 5)), (90512.0, (9, 5)),
     ("905", (9, 5)), (0.5, (12, 0)), ("2:05 pm", (14, 5)), ("12:05 AM", (0, 5)),
     ("14h05", (14, 5)), ("14.05 Uhr", (14, 5)), (dt.datetime(2024, 1, 1, 9, 5), (9, 5)), (dt.timedelta(hours=9),
      (9, 0)),
     ("noon", None), ("0:05 PM", None), ("24:00", None)],
)  # fmt: skip
def test_times_of_day(cell: str | float, expected: tuple[int, int] | None) -> None:
    found = parse_clock(cell)
    assert (found and found[:2]) == expected


@pytest.mark.parametrize(
    "text",
    ["31 März 2024", "31. Dezember 2024 um 14:05", "31 de marzo de 2024", "1er août 2024 à 14:05", "So. 31.03.2024",
     "2024-03-31 14:05 Europe/Berlin", "3/31/2024 14:05 EST", "Sun, 31 Mar 2024 14:05:06 GMT"],
)  # fmt: skip
def test_words_around_a_date(text: str) -> None:
    assert parse_times([text]).state.tolist() == [OK]


def test_marks_of_utc_are_counted_and_left_out() -> None:
    times = parse_times(["2024-03-31T14:05Z", "2024-03-31T14:05:00+00:00", "2024-03-31T14:05"])
    assert times.utc == 2
    assert len(set(times.time.tolist())) == 1


def test_a_time_of_day_is_no_date() -> None:
    assert not has_date("14:05")
    assert not has_date("1405")
    assert not has_date(dt.time(14, 5))
    assert has_date("2024-03-31")
    assert has_date(dt.date(2024, 3, 31))
    assert has_date("20240331140506")
