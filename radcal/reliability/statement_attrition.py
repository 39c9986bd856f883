"""The attrition of X-ray statements, which continues that of the reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from radcal.reliability.records import CONTESTED_LEFT_OUT, ENTERED, SILENT_LEFT_OUT, UNKNOWN_PHRASE, UNREAD_LEFT_OUT
from radcal.reports.attrition import Ledger

if TYPE_CHECKING:
    import pandas as pd

STATEMENTS = "xray statements"
"""In the place of a modality."""
_MADE = "statements of the paired X-ray reports"
_STEPS = {
    UNREAD_LEFT_OUT: "is understood",
    UNKNOWN_PHRASE: "is worded in a phrase of the lexicon",
    SILENT_LEFT_OUT: "the CT decides on it",
    CONTESTED_LEFT_OUT: "is not contested",
}
"""What must be true of a statement that enters the statistics, by what is counted where it is not."""


def attrition_of_statements(counts: Iterable[tuple[str, str, str, int]]) -> pd.DataFrame:
    """Where X-ray statements dropped out on their way to the statistics, in records.ATTRITION_COLUMNS.

    Args:
        counts: as of ``Analysis.counts``: (author, topic, what, n).
    """
    of = Counter[str]()
    for _, _, what, n in counts:
        of[what] += n
    ledger = Ledger()
    # Contested statements are counted among the entered ones as well.
    ledger.begin(STATEMENTS, _MADE, of[ENTERED] + sum(of[what] for what in _STEPS if what != CONTESTED_LEFT_OUT))
    for what, step in _STEPS.items():
        ledger.drop(STATEMENTS, step, what, of[what])
    return ledger.frame()
