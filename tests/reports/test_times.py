"""Dates and times as systems write them."""

from __future__ import annotations

import datetime as dt
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.reports.times import AMBIGUOUS, MISSING, OK, UNREADABLE, has_date, parse_clock, parse_times
from radcal.system.errors import Cancelled
from tests.cases import cases_of

cases = cases_of(__file__)

MOMENTS = st.datetimes(min_value=dt.datetime(1970, 1, 1), max_value=dt.datetime(2068, 12, 31)).map(
    lambda t: t.replace(microsecond=0)
)
FORMATS = (
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S.000+01:00", "%Y/%m/%d %H:%M:%S",
    "%d.%m.%Y %H:%M:%S", "%d.%m.%y, %H:%M:%S", "%Y%m%d%H%M%S", "%Y%m%d %H%M%S", "%Y%m%d%H%M%S.000-0500",
    "%d %b %Y %H:%M:%S", "%d-%b-%Y %I:%M:%S %p", "%b %d, %Y %I:%M:%S %p", "%A, %d %B %Y %H:%M:%S GMT",
)  # fmt: skip


MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def written(moment: dt.datetime, pattern: str) -> str:
    """The time as strftime writes it in English, whatever locale Qt has set."""
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


def test_contradicting_evidence_leaves_only_what_is_certain() -> None:
    times = parse_times(["31/01/2024", "01/31/2024", "03/04/2024", "05/05/2024", "04/03/2024", "06/07/2024"])
    assert times.state.tolist() == [OK, OK, AMBIGUOUS, OK, AMBIGUOUS, AMBIGUOUS]
    assert times.order.mixed is True
    assert times.order.undecided == 3


def test_dots_are_day_first_and_prove_nothing_about_slashes() -> None:
    times = parse_times(["31.12.2024", "03.04.2024", "03/04/2024"])
    assert [str(t)[:10] for t in times.time] == ["2024-12-31", "2024-04-03", "2024-03-04"]
    assert not times.order.decided


@cases("what_is_no_time_is_unreadable")
def test_what_is_no_time_is_unreadable(text: str) -> None:
    times = parse_times([text])
    assert times.state.tolist() == [UNREADABLE]
    assert np.isnat(times.time[0])


def test_empty_cells_are_missing() -> None:
    assert parse_times(["", "  "]).state.tolist() == [MISSING, MISSING]
    assert parse_times([]).time.shape == (0,)
    assert parse_times([]).time.dtype == parse_times(["2024-03-31"]).time.dtype == "datetime64[ns]"
    assert parse_times([]).state.dtype == np.int8


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


def test_a_day_alone_among_times_is_told_from_days_where_none_has_a_time() -> None:
    timed, day = "2026-01-02 08:30", "2026-01-03"
    assert parse_times([timed, timed, day]).days_alone.tolist() == [False, False, True]
    assert parse_times([day] * 3, ["08:30", "", "9:15"]).days_alone.tolist() == [False, True, False]
    assert not parse_times([day, day, timed]).days_alone.any()
    assert not parse_times([timed, timed, "2026-01-03 00:00"]).days_alone.any(), "midnight, and said so"
    morning = dt.datetime(2026, 1, 2, 8, 30)
    assert not parse_times([*[morning] * 300, dt.date(2026, 1, 3)]).days_alone.any(), "as spreadsheets write midnight"


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
    assert parse_times([*[morning] * 300, "2026-01-03"]).no_clock == 1  # text is unambiguous


@cases("words_around_a_date")
def test_words_around_a_date(text: str) -> None:
    assert parse_times([text]).state.tolist() == [OK]


def test_marks_of_utc_are_counted_and_left_out() -> None:
    times = parse_times(["2024-03-31T14:05Z", "2024-03-31T14:05:00+00:00", "2024-03-31T14:05"])
    assert times.utc == 2
    assert len(set(times.time.tolist())) == 1


def day(year: int, month: int, day: int) -> np.datetime64 | None:
    try:
        return np.datetime64(dt.datetime(year, month, day), "ns")
    except ValueError:
        return None


@pytest.mark.parametrize("default", [False, True])
def test_every_pair_of_numbers_is_the_day_and_month_that_it_can_be(default: bool) -> None:
    for first in range(33):
        for second in range(33):
            times = parse_times([f"{first:02}/{second:02}/2024"], default_day_first=default)
            by_day, by_month = day(2024, second, first), day(2024, first, second)
            expected = (by_day if default else by_month) if by_day and by_month else by_day or by_month
            assert times.state[0] == (OK if expected else UNREADABLE)
            assert times.time[0] == expected or expected is None
            if by_day or by_month:
                assert times.order.decided is (not (by_day and by_month))
                assert times.order.undecided == bool(by_day and by_month and first != second)
            assert not times.order.mixed
            stated = parse_times([f"{first:02}/{second:02}/2024"], day_first=default)
            assert list(stated.time) == list(times.time) or not expected


@cases("dates_that_fit_both_orders_are_counted")
def test_dates_that_fit_both_orders_are_counted(cells: list[str], undecided: int) -> None:
    assert parse_times(cells).order.undecided == undecided
    assert parse_times(cells, day_first=True).order.undecided == undecided


def test_what_is_stated_holds_against_the_default_and_against_evidence() -> None:
    for stated in (False, True):
        times = parse_times(["03/04/2024", "31/01/2024", "01/31/2024"], day_first=stated, default_day_first=not stated)
        assert list(times.time) == [day(2024, *((4, 3) if stated else (3, 4))), day(2024, 1, 31), day(2024, 1, 31)]
        assert (times.order.day_first, times.order.decided, times.order.mixed) == (stated, True, False)
    mixed = parse_times(["31/01/2024", "01/31/2024"], default_day_first=True)
    assert (mixed.order.day_first, mixed.order.decided) == (True, False)


def test_every_second_of_an_hour_and_every_hour_of_a_day_as_text_and_as_a_share_of_a_day() -> None:
    for second in (*range(3601), *range(0, 86400, 601), 86399):
        hour, minute, rest = second // 3600, second // 60 % 60, second % 60
        shown = (hour, minute, rest, 0)
        half = f"{(hour + 11) % 12 + 1}:{minute:02}:{rest:02} {'pm' if hour >= 12 else 'am'}"
        for cell in (f"{hour:02}:{minute:02}:{rest:02}", f"{hour:02}{minute:02}{rest:02}", half, second / 86400,
                     dt.time(hour, minute, rest), dt.timedelta(seconds=second)):  # fmt: skip
            assert parse_clock(cell) == shown, cell
    for minute in range(60, 1440):
        figures = f"{minute // 60}{minute % 60:02}"
        assert parse_clock(int(figures)) == parse_clock(figures) == (minute // 60, minute % 60, 0, 0)
    # Rounding to seconds stays within the day.
    assert parse_clock(0.9999999) == (23, 59, 59, 0)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        *((cell, None) for cell in ("13:00 am", "0:00 am", "0:05 PM", "23:60", "23:59:60", "24:00", "noon", "")),
        *((cell, None) for cell in (1.0, 1.5, -0.5, 59, 2400, 1405.5, True)),
        *((cell, (14, 5, 0, 0)) for cell in ("14:05", "1405", 1405, "2:05 pm", "14h05", "14.05 Uhr")),
        *((cell, (9, 5, 12, 0)) for cell in ("090512", "90512", 90512.0)),
        *((cell, (9, 5, 0, 0)) for cell in ("905", dt.datetime(2024, 1, 1, 9, 5))),
        ("14:05:06.5", (14, 5, 6, 500_000)), ("14:05:06,123456789", (14, 5, 6, 123_456)),
        ("140506.25", (14, 5, 6, 250_000)), ("23:59:59", (23, 59, 59, 0)), (dt.time(1, 2, 3, 4), (1, 2, 3, 4)),
        ("12:00 am", (0, 0, 0, 0)), ("12:05 AM", (0, 5, 0, 0)), ("12:00 pm", (12, 0, 0, 0)), (0.5, (12, 0, 0, 0)),
        ("1:00 p.m.", (13, 0, 0, 0)), (dt.timedelta(hours=9), (9, 0, 0, 0)),
    ],
)  # fmt: skip
def test_a_time_of_day_to_its_microsecond(cell: str | float, expected: tuple[int, ...] | None) -> None:
    assert parse_clock(cell) == expected


def test_a_day_without_a_time_begins_at_midnight_sharp() -> None:
    cells = ["2024-03-31", "20240331", "31.03.2024", "3/31/2024", "31 Mar 2024", "Mar 31, 2024", dt.date(2024, 3, 31)]
    times = parse_times(cells)
    assert list(times.time) == [day(2024, 3, 31)] * len(cells)
    assert times.no_clock == len(cells)
    clocks = ["01:02:03.000004"] * len(cells)
    assert set(parse_times(cells, clocks).time.astype(str)) == {"2024-03-31T01:02:03.000004000"}
    assert parse_times(cells, clocks).no_clock == 0


@pytest.mark.parametrize("number", [18_000, 18_001, 45_382, 79_999])
def test_serial_numbers_of_a_spreadsheet_count_days_from_the_end_of_1899(number: int) -> None:
    expected = np.datetime64("1899-12-30") + np.timedelta64(number, "D")
    for cell in (number, float(number), str(number)):
        assert parse_times([cell]).time[0] == expected
        assert parse_times([cell]).no_clock == 1
    assert parse_times([number + 0.75]).time[0] == expected + np.timedelta64(18, "h")
    assert parse_times([number + 0.75]).no_clock == 0
    assert parse_times([number + 1 / 86400 + 1e-7]).time[0] == expected + np.timedelta64(1, "s")


@pytest.mark.parametrize("cell", [17_999, 80_000, 3, 17_999.5, 45_382_000.5, 20_240_331.5, "17999", "80000", False])
def test_other_numbers_are_no_dates(cell: float | str) -> None:
    assert parse_times([cell]).state.tolist() == [UNREADABLE]
    assert not has_date(cell)


@cases("years_of_two_digits_are_read_as_by_posix_and_far_ones_not_at_all")
def test_years_of_two_digits_are_read_as_by_posix_and_far_ones_not_at_all(year: str, known: bool) -> None:
    times = parse_times([f"31.12.{year}"])
    assert times.state.tolist() == [OK if known else UNREADABLE]
    if known:
        read = time.strptime(f"31.12.{year}", "%d.%m.%Y" if len(year) == 4 else "%d.%m.%y")
        assert times.time[0] == day(read.tm_year, read.tm_mon, read.tm_mday)


@pytest.mark.parametrize("zone", [dt.UTC, dt.timezone(dt.timedelta(hours=5))])
def test_the_clock_of_a_spreadsheet_is_taken_as_it_shows(zone: dt.tzinfo) -> None:
    times = parse_times([dt.datetime(2024, 3, 31, 14, 5, tzinfo=zone)])
    assert str(times.time[0])[:19] == "2024-03-31T14:05:00"
    assert times.no_clock == 0
    assert parse_times([dt.datetime(2024, 3, 31)]).no_clock == 0


def test_names_of_months_in_four_languages_are_each_month() -> None:
    german = ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
              "November", "Dezember")  # fmt: skip
    french = ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
              "novembre", "décembre")  # fmt: skip
    spanish = ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
               "noviembre", "diciembre")  # fmt: skip
    for names in (MONTHS, german, french, spanish):
        times = parse_times([f"9 {name} 2024" for name in names])
        assert list(times.time) == [day(2024, month, 9) for month in range(1, 13)]
    assert parse_times(["9 Nivose 2024"]).state.tolist() == [UNREADABLE]


def test_a_clock_column_is_used_where_the_date_has_none_and_whatever_the_order() -> None:
    dates = ["31/03/2024", "03/04/2024", "2024-03-31 08:00", dt.datetime(2024, 3, 31, 8), dt.date(2024, 3, 31)]
    times = parse_times(dates, ["14:05:06"] * len(dates))
    assert [str(t)[:19] for t in times.time] == [
        "2024-03-31T14:05:06", "2024-04-03T14:05:06", "2024-03-31T08:00:00", "2024-03-31T08:00:00",
        "2024-03-31T14:05:06",
    ]  # fmt: skip
    assert times.no_clock == 0
    # An unreadable time of day makes the cell unreadable; a missing one does not.
    unread = parse_times([dt.date(2024, 3, 31), "2024-03-31", ""], ["noon", 99.5, "14:05"])
    assert unread.state.tolist() == [UNREADABLE, UNREADABLE, MISSING]
    assert unread.no_clock == 0
    # With a clock column, no date is taken for midnight, however rare.
    morning = dt.datetime(2026, 1, 2, 8, 30)
    assert parse_times([*[morning] * 300, dt.date(2026, 1, 3)], [""] * 301).no_clock == 1
    assert parse_times([*[morning] * 200, *[dt.date(2026, 1, 3)] * 2]).no_clock == 0
    assert parse_times([*[morning] * 199, *[dt.date(2026, 1, 3)] * 2]).no_clock == 2


def test_reading_can_be_stopped_every_few_thousand_cells_and_in_every_step(onlooker: Any) -> None:
    cells = ["03/04/2024 10:00"] * 12_000
    counting = onlooker()
    times = parse_times(cells, progress=counting)
    assert (times.time == np.datetime64("2024-03-04T10:00", "ns")).all()
    assert (times.state == OK).all()
    assert 6 < counting.looks < 60, "between 200 and 6,000 cells of a step"
    for looks in range(counting.looks):
        with pytest.raises(Cancelled):
            parse_times(cells, progress=onlooker(looks=looks))


def test_days_and_times_of_day_are_told_apart() -> None:
    for cell in (20240331, 20240331.0, "31 Mar 2024", "3/31/2024 14:05", dt.datetime(2024, 3, 31), 45382, "2024-03-31",
                 dt.date(2024, 3, 31), "20240331140506"):  # fmt: skip
        assert has_date(cell)
    for cell in ("", "soon", 905, 0.5, dt.time(9), True, "9:05 pm", "14:05", "1405", "12.30.15"):
        assert not has_date(cell)


def test_times_in_utc_among_others_with_an_offset_are_moved_to_their_clock() -> None:
    summer, winter = ["2023-10-20T10:00:00+02:00", "2023-10-21T10:00:00+0200"], ["20231105100000+0100"]
    found = parse_times([*summer, "2023-10-20T18:00:00Z", *winter, "2023-11-04T18:00:00+00:00", "2023-10-20 12:00"])
    assert [str(t)[5:16] for t in found.time] == [
        "10-20T10:00",
        "10-21T10:00",
        "10-20T20:00",
        "11-05T10:00",
        "11-04T19:00",
        "10-20T12:00",
    ]
    assert (found.moved, found.utc) == (2, 0)


def test_times_in_utc_are_moved_only_between_near_ones_and_as_the_nearest_of_them() -> None:
    """Before all others, behind them, and more than 31 days from one of the two they stay; what lies far back does not
    count beside what is near."""
    others = ["2020-01-01T10:00:00+05:00", "2023-10-20T10:00:00+02:00", "2023-11-09T10:00:00+01:00"]
    utc = {
        "2019-12-20T18:00:00Z": "18:00",
        "2020-01-20T18:00:00Z": "18:00",
        "2023-10-28T18:00:00Z": "20:00",
        "2023-11-03T18:00:00Z": "19:00",
        "2023-11-19T18:00:00Z": "18:00",
    }
    found = parse_times([*others, *utc])
    assert [str(t)[11:16] for t in found.time[len(others) :]] == list(utc.values())
    assert (found.moved, found.utc) == (2, 3)


def test_a_clock_that_shows_utc_in_winter_is_not_moved() -> None:
    found = parse_times(["2023-10-20T10:00:00+01:00", "2023-11-05T10:00:00+00:00", "2023-12-05T10:00Z"])
    assert [str(t)[11:16] for t in found.time] == ["10:00"] * 3
    assert (found.moved, found.utc) == (0, 2)
    assert parse_times(["2023-11-05T10:00:00Z", "2023-11-06 10:00"]).moved == 0
