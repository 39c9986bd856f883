"""What the people of the shipped surveys mean by each phrase, as they answered: shares, without a fitted curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.system.resources import resource
from radcal.words.phrases import normalise
from radcal.words.records import Meant
from radcal.words.surveys import ranges_of
from radcal.words.tables import read_cells

if TYPE_CHECKING:
    from numpy.typing import NDArray

RADIOLOGISTS, PUBLIC = SURVEYS = ("radiologists", "public")
"""Names of the shipped surveys."""
_ASKED = 142
"""How many radiologists the shares are of."""
_PLACES = np.arange(0.0, 101.0, 5.0)
"""Where the answers of a range are put, in percent."""


def meanings(survey: str) -> dict[str, Meant]:
    """What a survey of SURVEYS means by its phrases, by their names.

    The public's answers are percentages.  The radiologists' are ranges, in which the truth lies anywhere alike: they
    are spread over 0, 5, ..., 100 by how much of a range is nearest to each of these, which keeps the range's mean.
    """
    if survey == PUBLIC:
        header, rows = read_cells(resource("lexicon", "surveys", "perception_of_probability_words_123_respondents.csv"))
        asked = [column for column in header if any(row.has_number(column) for row in rows)]
        return {
            normalise(c): _counted(normalise(c), [row.number(c) for row in rows if row[c]], len(rows)) for c in asked
        }
    header, rows = read_cells(resource("lexicon", "surveys", "radiology_diagnostic_certainty_scale.csv"))
    ranges, _ = ranges_of(header, rows[0].file)
    spread = np.array([_spread(100 * low, 100 * high) for low, high in ranges.values()])
    found = {}
    for row in rows:
        name, shares = normalise(row[header[0]]), np.array([row.number(column) for column in ranges])
        weights = shares @ spread / shares.sum()
        there = weights > 0
        n = round(float(np.rint(shares * _ASKED).sum()))
        found[name] = Meant(name, _PLACES[there], weights[there], n, _ASKED)
    return found


def _counted(name: str, answers: list[float], asked: int) -> Meant:
    values, counts = np.unique(np.array(answers), return_counts=True)
    return Meant(name, values, counts / len(answers), len(answers), asked)


def _spread(low: float, high: float) -> NDArray[np.float64]:
    """(21,) shares of a range in percent by the nearest of the places."""
    if low == high:
        return np.asarray(np.isclose(_PLACES, low), np.float64)
    half = (_PLACES[1] - _PLACES[0]) / 2
    within = np.minimum(high, _PLACES + half) - np.maximum(low, _PLACES - half)
    return np.asarray(np.maximum(within, 0.0) / (high - low), np.float64)
