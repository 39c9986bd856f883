"""Fits Beta distributions of phrases to surveys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from radcal.system.errors import InputError
from radcal.system.text import Text
from radcal.words.phrases import Lexicon, plain
from radcal.words.records import ABSENT, PRESENT, Phrase
from radcal.words.tables import Row, column_told, read_cells

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NONE = ("n/a", "na", "nan", "none", "-")
_ROUNDING = 1e-12
"""Variances closer than this to 0 or to mean (1 - mean) differ from it by rounding alone."""


def match_moments(name: str, mean: float, variance: float) -> tuple[float, float]:
    """alpha and beta of the Beta distribution with that mean and variance.

    c = mean (1 - mean) / variance - 1, alpha = mean c, beta = (1 - mean) c.  Zero variance at 0 or 1 is the
    point mass there: (0, 1) or (1, 0).

    Args:
        name: the phrase, for the message.
        mean: in 0-1.
        variance: >= 0.

    Raises:
        InputError: variance >= mean (1 - mean), or no variance at a mean inside (0, 1): no Beta
            distribution has these moments.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), section 3.2.
    """
    if variance <= _ROUNDING and min(mean, 1 - mean) <= _ROUNDING:
        return (1.0, 0.0) if mean > 0.5 else (0.0, 1.0)
    if variance <= _ROUNDING:
        raise InputError(
            "The survey's answers on {name} are all {mean:.0%}, which is no distribution. Leave the phrase out.",
            name=_cited(name),
            mean=mean,
        )
    limit = mean * (1 - mean)
    if variance >= limit - _ROUNDING:
        raise InputError(
            "The survey's answers on {name} are too far apart for a Beta distribution: "
            "variance {variance:.4g}, which must be below {limit:.4g} at a mean of {mean:.3g}. "
            "Leave the phrase out.",
            name=_cited(name),
            variance=variance,
            limit=limit,
            mean=mean,
        )
    c = limit / variance - 1
    return mean * c, (1 - mean) * c


def _cited(name: str) -> Text:
    return Text("{name!r}", name=name)


def from_ranges(
    name: str,
    shares: Sequence[float],
    ranges: Sequence[tuple[float, float]],
    source: str = "",
    asked: int = 0,
) -> Phrase:
    """A phrase from the share of respondents per range of probability.

    The shares, normalised, weigh a mixture of uniform distributions on the ranges; a range of no width is a
    point mass.  Mean and variance of the mixture are exact:

        mean = sum w (lo + hi) / 2,   variance = sum w (lo^2 + lo hi + hi^2) / 3 - mean^2

    ``low`` and ``high`` of the phrase are the ranges around the mean that hold at least half of the answers: the one
    with the mean, and then the neighbour with more answers, the nearer one of two alike.

    Args:
        name: the phrase.
        shares: (R,), >= 0, in any unit.
        ranges: R pairs (lo, hi), 0 <= lo <= hi <= 1.
        asked: how many people the shares are of; 0 if that is not known.

    Raises:
        InputError: nobody chose the phrase, a negative share, or moments that no Beta distribution has.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), section 3.2.
    """
    weight = np.asarray(shares, dtype=np.float64)
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.sum() > 0):
        raise InputError(
            "The survey's shares for {name} must be numbers of at least 0 and not all 0.", name=_cited(name)
        )
    counts = np.rint(weight * asked)
    weight = weight / weight.sum()
    lo, hi = np.asarray(ranges, dtype=np.float64).T
    mean = float(weight @ (lo + hi) / 2)
    variance = float(weight @ (lo**2 + lo * hi + hi**2) / 3 - mean**2)
    alpha, beta = match_moments(name, mean, variance)
    held = _around_mean(weight, lo, hi, mean)
    low, high = min(float(lo[held].min()), mean), max(float(hi[held].max()), mean)
    numbers = asked, int(counts.sum()), int(counts[held].sum())
    return Phrase(name, alpha, beta, low, high, (), source, *numbers)


def _around_mean(
    weight: NDArray[np.float64], lo: NDArray[np.float64], hi: NDArray[np.float64], mean: float
) -> list[int]:
    """The neighbouring ranges around the mean that hold at least half of the weight."""
    order = sorted(range(len(weight)), key=lambda i: (lo[i], hi[i]))

    def away(place: int) -> float:
        i = order[place]
        return float(max(lo[i] - mean, mean - hi[i], 0.0))

    first = last = min(range(len(order)), key=lambda place: (away(place), -weight[order[place]]))
    while weight[order[first : last + 1]].sum() < 0.5 - _ROUNDING:
        below, above = first - 1, last + 1
        neighbours = [place for place in (below, above) if 0 <= place < len(order)]
        if max(neighbours, key=lambda place: (round(weight[order[place]], 12), -away(place))) == below:
            first = below
        else:
            last = above
    return order[first : last + 1]


def from_answers(
    name: str,
    answers: Sequence[float],
    source: str = "",
    asked: int = 0,
) -> Phrase:
    """A phrase from individual answers in percent.

    The Beta distribution has the exact mean and variance of the answers, taken as the whole distribution: the sum of
    squares is divided by n, as in :func:`from_ranges`.  ``low`` and ``high`` are the central half of the answers,
    extended to hold the mean.

    Args:
        name: the phrase.
        answers: (n,), n > 0, in 0-100.
        asked: how many people were asked; those who answered if 0.

    Raises:
        InputError: moments that no Beta distribution has.
    """
    y = np.asarray(answers, dtype=np.float64) / 100
    alpha, beta = match_moments(name, float(y.mean()), float(y.var()))
    mean = alpha / (alpha + beta)
    low, high = np.quantile(y, [0.25, 0.75])
    low, high = min(float(low), mean), max(float(high), mean)
    within = int(((y >= low) & (y <= high)).sum())
    return Phrase(name, alpha, beta, low, high, (), source, asked or len(y), len(y), within)


def _range(column: str) -> tuple[float, float] | None:
    """The probability range of a survey column; None for any other column."""
    if column.lower() == ABSENT:
        return 0.0, 0.0
    match = re.search(r"(?:^|[_ ])(\d+(?:\.\d+)?)(?:[_-](\d+(?:\.\d+)?))?$", column)
    if not match:
        return None
    low = float(match[1]) / 100
    high = float(match[2]) / 100 if match[2] else low
    return (low, high) if 0 <= low <= high <= 1 else None


def answer_of(cell: str) -> str:
    """An answer as it is written, without a sign of percent; '' for none."""
    answer = cell.strip().removesuffix("%").strip()
    return "" if answer.casefold() in _NONE else answer


def check_percent(answers: Sequence[float]) -> None:
    """Refuse answers that seem not to be in percent.

    Raises:
        InputError: none is above 1, and not all are 0.
    """
    if 0 < max(answers, default=0) <= 1:
        raise InputError("All answers of the survey are from 0 to 1. Give them in percent, 0 to 100.")


def read_survey(path: Path, asked: int = 0, phrases: Sequence[str] = ()) -> Lexicon:
    """A lexicon from a survey in either of two formats, which the header tells apart.

    By ranges: the first column is "phrase", every other one ends in its range in percent ("high_75_90",
    "certain_100"; "absent" is 0 %), a cell is the share of respondents.  A column "asked" may tell of how many.
    By answers: one column per phrase, one row per respondent, a cell is a probability in percent; blank cells
    are no answer, and columns without a single number (age groups, education) are left out.

    "absent" and "present" are added as point masses.

    Args:
        path: a CSV file.
        asked: how many people the shares are of, if the file does not tell; 0 if that is not known.
        phrases: of a survey by answers, the columns to read; () for all with a number.

    Raises:
        InputError: the file is broken or a phrase has no Beta distribution; the message names the line or phrase.
    """
    header, rows = read_cells(path)
    for name in phrases:
        if name not in header:
            raise InputError("{file} has no column {name!r}.", file=path.name, name=name)
    by_ranges = header[0].lower() == "phrase"
    made = _by_ranges(header, rows, asked) if by_ranges else _by_answers(header, rows, phrases or header)
    named = {p.name for p in made}
    return Lexicon((*made, *(plain(n) for n in (ABSENT, PRESENT) if n not in named)), path.name)


def ranges_of(header: Sequence[str], file: str) -> tuple[dict[str, tuple[float, float]], str]:
    """The columns of a survey by ranges with their ranges in 0-1, and that which tells how many were asked ('').

    Args:
        header: the columns, the first being "phrase".
        file: named in the message.

    Raises:
        InputError: a column does not end in a range.
    """
    columns: dict[str, tuple[float, float]] = {}
    asked_column = next((column for column in header[1:] if column.lower() == "asked"), "")
    for column in header[1:]:
        if column == asked_column:
            continue
        limits = _range(column)
        if limits is None:
            raise InputError(
                "{file}, line 1: {column_told} does not end in a range of percent such as '_25_75'.",
                file=file,
                column_told=column_told(column, header),
            )
        columns[column] = limits
    return columns, asked_column


def _by_ranges(header: list[str], rows: list[Row], asked: int) -> list[Phrase]:
    columns, asked_column = ranges_of(header, rows[0].file)
    phrases = []
    for row in rows:
        name, shares = row[header[0]].lower(), [row.number(c) for c in columns]
        try:
            people = row.whole([asked_column])[0] if asked_column else asked
            phrases.append(from_ranges(name, shares, list(columns.values()), source=row.file, asked=people))
        except InputError as error:
            raise row.error(error.text.with_values(name=Text("the phrase"))) from None
    return phrases


def _by_answers(header: list[str], rows: list[Row], columns: Sequence[str]) -> list[Phrase]:
    phrases, every = [], []
    rows = [replace(row, cells={c: answer_of(cell) for c, cell in row.cells.items()}) for row in rows]
    for column in columns:
        if not any(row.has_number(column) for row in rows):
            continue
        answers = []
        for row in (r for r in rows if r[column]):
            value = row.number(column)
            if not 0 <= value <= 100:
                raise row.error(Text("the answer of {name} is outside 0 to 100.", name=column_told(column, header)))
            answers.append(value)
        every += answers
        name = column.strip("\"' ").lower()
        try:
            phrases.append(from_answers(name, answers, source=rows[0].file, asked=len(rows)))
        except InputError as error:
            said = error.text.with_values(name=column_told(column, header))
            raise replace(rows[0], line=1).error(said) from None
    if not phrases:
        raise InputError(
            "{file} is no survey that RadCal can read: its first column is not 'phrase', and no "
            "column holds answers in percent.",
            file=rows[0].file,
        )
    check_percent(every)
    return phrases
