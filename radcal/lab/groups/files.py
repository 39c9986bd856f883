"""Files of certainties with what came true."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from radcal.lab.group_records import SCORE_COLUMNS
from radcal.lab.groups.partitions import is_missing
from radcal.system.columns import Columns
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import is_wording
from radcal.system.text import Text

if TYPE_CHECKING:
    import pandas as pd

    Meaning = Callable[[str], float | None]

_OUTCOMES = {"true": 1.0, "false": 0.0}


class ScoreFile(NamedTuple):
    """Rows of certainties.

    rows: those that can be used, indexed as of columns.Columns.places;  lines: in which they begin
    rejected: those that cannot, as of Checked
    """

    rows: pd.DataFrame
    lines: pd.Series[int]
    rejected: pd.DataFrame


def read_scores(
    path: Path,
    by: tuple[str, ...] = (),
    coordinates: tuple[str, ...] = (),
    meaning: Meaning | None = None,
    progress: Progress = SILENT,
) -> ScoreFile:
    """Certainties and outcomes from a table as of :class:`~radcal.system.columns.Columns`.

    It has the columns author, confidence and outcome (both 0-1; "true" and "false" are outcomes of 1 and 0), and those
    named, in any case where that leaves no doubt; others are passed over.

    Args:
        path: the file.
        by: columns to group by, kept as text.
        coordinates: columns of numbers, in which a cell may be empty.
        meaning: what a phrase in the place of a confidence means, None for one that is unknown.

    Raises:
        InputError: the file cannot be used, lacks a column, or is to be grouped by author, confidence or outcome.
        Cancelled: by ``progress``.
    """
    import pandas as pd

    for column in (*by, *coordinates):
        if column.casefold() in SCORE_COLUMNS:
            raise InputError("Findings cannot be grouped by {column!r}. Choose another column.", column=column)
    table = Columns(path, SCORE_COLUMNS, ("author",), ("confidence", "outcome"), progress)
    table.require(*SCORE_COLUMNS)
    for column in (*by, *coordinates):
        table.rename_alike(column)
    table.require(*by, *coordinates)
    table.check_text("author")
    for column in ("confidence", "outcome", *coordinates):
        table.frame[column] = table.frame[column].mask(is_missing(table.frame[column].str.strip()), "")
    phrases = _phrases(table, meaning)
    table.check_number("confidence", 0, 1, phrases)
    table.check_number("outcome", 0, 1, _OUTCOMES)
    for column in coordinates:
        there = table.frame[column] != ""
        table.check_number(column, optional=True)
        if there.any() and table.frame[column].isna().all():
            raise InputError(
                "The column {column!r} of {name} holds no numbers. Group by its values, or choose a column of numbers.",
                column=column,
                name=table.name,
            )
    checked = table.finish()
    kept = checked.rows[[*SCORE_COLUMNS, *dict.fromkeys((*by, *coordinates))]]
    places = pd.Index(table.places(kept.index.tolist()))
    return ScoreFile(kept.set_axis(places), pd.Series(kept.index, index=places), checked.rejected)


def _phrases(table: Columns, meaning: Meaning | None) -> Mapping[str, float]:
    """What the phrases in the column of confidences mean; rows with others are rejected."""
    import pandas as pd

    text = table.frame["confidence"].str.strip()
    words = text[pd.to_numeric(text.str.replace(",", "."), errors="coerce").isna() & (text != "")]
    found = {word.casefold(): None if meaning is None else meaning(word) for word in words.unique()}
    known = {word: value for word, value in found.items() if value is not None}
    unknown = words[~words.str.casefold().isin(list(known))]
    if meaning is None:
        reason, remedy = (
            Text("The confidence is no number."),
            Text("Enter a number from 0 to 1, or name a lexicon of phrases."),
        )
        table.reject(text.index.isin(unknown.index), reason, remedy)
        return known
    remedy = Text("Enter a number from 0 to 1, or add the phrase to the lexicon.")
    for word, rows in unknown.groupby(unknown).groups.items():
        named = Text("{word!r} is neither a number nor a phrase of the lexicon.", word=word)
        unnamed = Text("The confidence is neither a number nor a phrase of the lexicon.")
        table.reject(text.index.isin(rows), named if is_wording(str(word)) else unnamed, remedy)
    return known
