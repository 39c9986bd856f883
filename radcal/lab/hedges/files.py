"""Files of sentences, with or without the confidence that readers took from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from radcal.lab.hedge_records import SentenceEstimate
from radcal.lab.hedges.estimator import NO_TEXT, HedgeEstimator, why_not
from radcal.system.columns import FAULT_COLUMNS, Columns
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

if TYPE_CHECKING:
    import pandas as pd

_KNOWN = ("text", "score")
_IN_ENGLISH = Text("Write it in English, or remove the row.")
_ENTER_TEXT = Text("Enter the text, or remove the row.")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file.

    line, text: where it begins, and its text as far as it can be read
    score: None if there is none or it is faulty;  given: a faulty score as it was written
    fault: what is wrong with the row
    """

    line: int
    text: str
    score: float | None
    given: str = ""
    fault: str = ""


class Sentences(NamedTuple):
    """All rows in the order of the file, and those with a fault with file, row, reason and remedy."""

    rows: tuple[Row, ...]
    rejected: pd.DataFrame
    has_scores: bool


def read_sentences(path: Path, progress: Progress = SILENT) -> Sentences:
    """The rows of a table with a column text and, if there is one, score (0-1), as of
    :class:`~radcal.system.columns.Columns`.

    A row with a faulty score keeps its text, and the score as it was written; one with too many or too few cells has
    no text.

    Raises:
        InputError: the file cannot be read, is empty, has no column text, or none of its rows has one.
        Cancelled: by ``progress``.
    """
    table = Columns(path, _KNOWN, (), ("score",), progress, keep_empty=True)
    table.require("text")
    has_scores = "score" in table
    written = table.frame["score"].tolist() if has_scores else [""] * len(table.frame)
    if has_scores:
        table.check_number("score", 0, 1, optional=True)
    # A text can be read whatever its score: only without any row is there nothing to do.
    rejected = table.finish().rejected if table.frame.empty else table.rejected()
    faults = dict(zip(rejected["row"], rejected["reason"], strict=True))
    scores = table.frame["score"].tolist() if has_scores else [None] * len(table.frame)
    rows = [
        Row(int(line), text, None, given, faults[line])
        if line in faults
        else Row(int(line), text, None if score is None or score != score else float(score))
        for line, text, score, given in zip(table.frame.index, table.frame["text"], scores, written, strict=True)
    ]
    there = set(table.frame.index)
    rows += [Row(int(line), "", None, fault=reason) for line, reason in faults.items() if line not in there]
    return Sentences(tuple(sorted(rows, key=lambda row: row.line)), rejected, has_scores)


def read_scored(path: Path, estimator: HedgeEstimator, progress: Progress = SILENT) -> Sentences:
    """The rows of a table with the columns text and score that an estimator can learn from.

    Raises:
        InputError: as of :func:`read_sentences`; there is no column score.
        Cancelled: by ``progress``.
    """
    table = Columns(path, _KNOWN, (), ("score",), progress)
    table.require("text", "score")
    table.check_text("text")
    table.check_number("score", 0, 1)
    reasons = table.frame["text"].map(lambda text: str(why_not(text, estimator)))
    for reason in reasons[reasons != ""].unique():
        table.reject(reasons == reason, reason, _remedy(reason))
    found = table.finish()
    rows = [
        Row(int(n), t, float(s))
        for n, t, s in zip(found.rows.index, found.rows["text"], found.rows["score"], strict=True)
    ]
    return Sentences(tuple(rows), found.rejected, True)


def _remedy(reason: str) -> Text:
    return _ENTER_TEXT if reason == NO_TEXT else _IN_ENGLISH


def without_estimate(name: str, rows: Sequence[Row], estimates: Sequence[SentenceEstimate | Text]) -> pd.DataFrame:
    """Rows that have no estimate as rejected ones, faulty ones apart."""
    import pandas as pd

    listed = [
        (name, row.line, found, _remedy(found))
        for row, found in zip(rows, estimates, strict=True)
        if isinstance(found, Text) and not row.fault
    ]
    return pd.DataFrame(listed, columns=pd.Index(FAULT_COLUMNS))
