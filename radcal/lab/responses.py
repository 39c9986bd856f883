"""People's answers to expressions: files of them, and what the shipped surveys mean."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.lab.perception import RESPONSE_COLUMNS, meaning_of
from radcal.system.columns import Checked, Columns
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import is_wording
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.certainty import TRUTH
from radcal.words.phrases import denies, normalise
from radcal.words.records import Meant
from radcal.words.surveys import ranges_of
from radcal.words.tables import read_cells

if TYPE_CHECKING:
    from collections.abc import Collection

    import pandas as pd
    from numpy.typing import NDArray

_PERCENT = r"\s*(?:%|percent|per\s?cent|pct\.?|prozent)$"
_DECIMAL_COMMA = r"^(\d{1,3}),(\d{1,2})$"
_TRUTH = {**TRUTH, "w": True}
"""Of a statement, "w" can only be "wahr"."""
_NOT_KNOWN = frozenset({"", "na", "n/a", "nan", "none", "null", "unknown", "unverifiable", "non-verifiable", "-", "?"})
_UNCLEAR = (
    Text("The column statement_true is neither true nor false; the answer counts, but not for the knowledge bias."),
    Text("Write true or false, or leave the cell empty."),
)


def expression_named(text: str) -> str:
    """An expression for comparison: lower case, single spaces, no hyphens, no surrounding punctuation."""
    return normalise(text.replace("-", " ").replace("_", " "))


def read_responses(path: Path, progress: Progress = SILENT) -> Checked:
    """Answers from a table with the columns participant, expression, response, and statement_true if there is one.

    A response is a number from 0 to 100, with or without a percent sign.  The spellings of true and false are those of
    several programs and of German; an empty cell is a statement of which nobody knows whether it is true.  A cell that
    is neither is listed among the faults, but its answer is kept.

    Returns:
        Answers with the columns RESPONSE_COLUMNS, expressions as of :func:`expression_named`, indexed by line; and the
        faults.

    Raises:
        InputError: the file cannot be read, lacks a column, has no usable row, or its responses are no percentages.
    """
    import pandas as pd

    table = Columns(path, RESPONSE_COLUMNS, ("participant", "expression"), progress=progress)
    table.require("participant", "expression", "response")
    names = {name: expression_named(str(name)) for name in table.frame["expression"].unique()}
    table.frame["expression"] = table.frame["expression"].astype(str).map(names)
    for column in ("participant", "expression"):
        table.check_text(column)
    text = table.frame["response"].str.strip().str.replace(_PERCENT, "", case=False, regex=True)
    table.frame["response"] = text.str.replace(_DECIMAL_COMMA, r"\1.\2", regex=True)
    table.check_number("response", 0, 100)
    frame, rejected = table.finish()
    if (frame["response"] <= 1).all() and (frame["response"] % 1 != 0).any():
        raise InputError(
            "The responses of {name} all lie from 0 to 1. Write them in percent, from 0 to 100.", name=path.name
        )
    told = frame.get("statement_true", pd.Series("", index=frame.index)).str.strip().str.casefold()
    truth = pd.Series([_TRUTH.get(cell) for cell in told], index=frame.index, dtype=object)
    unclear = frame.index[truth.isna() & ~told.isin(_NOT_KNOWN)]
    if len(unclear):
        faults = [(path.name, int(row), *_UNCLEAR) for row in unclear]
        rejected = pd.concat([rejected, pd.DataFrame(faults, columns=rejected.columns)], ignore_index=True)
        rejected = rejected.sort_values("row", kind="stable", ignore_index=True)
    frame = frame.assign(participant=frame["participant"].astype(str), statement_true=truth)
    return Checked(frame[list(RESPONSE_COLUMNS)], rejected)


def without_reference(answers: pd.DataFrame, known: Collection[str], file: str) -> list[dict[str, Any]]:
    """A fault for each expression that the reference lacks, with the line of its first answer."""
    faults = []
    strange = answers[~answers["expression"].isin(list(known))]
    for name, rows in strange.groupby("expression", sort=False, observed=True):
        faults.append(
            {
                "file": file,
                "row": int(rows.index[0]),
                "reason": Text(
                    "The reference has no answer on {expression}: this row is left out.",
                    many="The reference has no answer on {expression}: {n:,} rows are left out, this one first.",
                    n=len(rows),
                    expression=_shown(str(name)),
                ),
                "remedy": _remedy(str(name), known),
            }
        )
    return faults


def _shown(name: str) -> str:
    return Text("{name!r}", name=name) if is_wording(name) else Text("this expression")


def _remedy(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, [other for other in known if denies(other) == denies(name)], 1, 0.8)
    if near:
        return Text("If {near!r} is meant, write it so.", near=near[0])
    return Text("Use another reference, or leave the expression out.")


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
            (name := normalise(c)): meaning_of(name, np.array([row.number(c) for row in rows if row[c]]), len(rows))
            for c in asked
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


def _spread(low: float, high: float) -> NDArray[np.float64]:
    """(21,) shares of a range in percent by the nearest of the places."""
    if low == high:
        return np.asarray(np.isclose(_PLACES, low), np.float64)
    half = (_PLACES[1] - _PLACES[0]) / 2
    within = np.minimum(high, _PLACES + half) - np.maximum(low, _PLACES - half)
    return np.asarray(np.maximum(within, 0.0) / (high - low), np.float64)
