"""Files of observations: one line for each statement, with what the reference said of it."""

from __future__ import annotations

from pathlib import Path

from radcal.reliability.records import OBSERVATION_COLUMNS
from radcal.system.columns import Checked, Columns
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress

_WORDS = ("author", "topic", "phrase", "reference_phrase")
_OUTCOMES = {"true": 1.0, "false": 0.0}


def read_observations(path: Path, progress: Progress = SILENT) -> Checked:
    """Observations from a table as of :class:`~radcal.system.columns.Columns`.

    It has the columns author, topic, phrase, and outcome (0-1) or reference_phrase; where it has both of the last two,
    the outcomes count unless the column is empty.  "true" and "false" are outcomes of 1 and 0.

    Returns:
        Observations, the words as categories and outcomes as numbers, and the rejected rows.

    Raises:
        InputError: the file cannot be read, is empty, lacks a column, or none of its rows can be used.
        Cancelled: by ``progress``.
    """
    table = Columns(Path(path), OBSERVATION_COLUMNS, _WORDS, ("outcome",), progress)
    table.require("author", "topic", "phrase")
    if {"outcome", "reference_phrase"} <= {*table.frame} and not any(map(str.strip, table.frame["outcome"])):
        table.frame = table.frame.drop(columns="outcome")
    if "outcome" not in table and "reference_phrase" not in table:
        raise InputError(
            "{name} has neither a column 'outcome' nor 'reference_phrase'. Add one of them.", name=table.name
        )
    for column in ("author", "topic", "phrase"):
        table.check_text(column)
    if "outcome" in table:
        table.check_number("outcome", 0, 1, _OUTCOMES)
    else:
        table.check_text("reference_phrase")
    return table.finish()
