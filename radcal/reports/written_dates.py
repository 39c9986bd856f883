"""Dates with or without a time of day within sentences."""

from __future__ import annotations

import datetime as dt
import re

from radcal.reports import times

_MONTH = r"(?:jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]{0,6}"
DATE = re.compile(
    rf"(?<![\d./-])(?:\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{2,4}}|\d{{1,2}}(?:\. |[ -]){_MONTH}[ .-]{{1,2}}\d{{4}}"
    rf"|{_MONTH}\.? \d{{1,2}},? \d{{4}})"
    r"(?:(?:\s?,\s?|\s(?:at|um)\s|\s|T)(?:\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?|\d{4}(?=\s?(?:h|hrs|hours)\b)))?",
    re.IGNORECASE,
)
DAY = 86_400 * 10**9
"""Nanoseconds of a day."""


def readings(written: str) -> set[int]:
    """What a match of DATE may mean, with the day or the month first: the latest moment of each, ns since 1970."""
    return {
        shown_by(int(of.time[0].astype("datetime64[ns]").astype("int64")))
        for day_first in (True, False)
        for of in (times.parse_times([" ".join(written.split())], day_first=day_first),)
        if of.state[0] == times.OK
    }


def shown_by(time: int) -> int:
    """The latest moment that a time stands for: midnight is how a date without a time of day is written."""
    return time + DAY - 1 if time % DAY == 0 else time


def nanoseconds(moment: dt.datetime) -> int:
    """A local time as nanoseconds since 1970."""
    return int(moment.replace(tzinfo=dt.UTC).timestamp()) * 10**9
