"""The attrition of reports, as a table whose rows add up.

Within 'both', 'xray' and 'ct', ``kept`` of a row is ``kept`` of the row above less ``dropped``; the last ``kept`` of
'both' is the sum of the first ones of 'xray' and 'ct'.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from radcal.reports.records import Modality
from radcal.reports.table import declared_frame
from radcal.system.text import Text
from radcal.workspace.columns import ATTRITION_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

BOTH, XRAY, CT = "both", "xray", "ct"

READ = Text("rows read")
WHOLE = Text("row is whole")
MODALITY = Text("is an X-ray or a CT")
REPORTS = Text("reports of this modality")
CHEST = Text("shows the chest")
USABLE = Text("has all that is needed")
UNIQUE = Text("accession number means one report")
REPEATED = Text("is not a repeated row")
LATEST = Text("is the latest version")
ADDENDUM = Text("is a report of its own")
BEFORE_CT = Text("was written before the CT")
APART = Text("written after the CT, kept apart")
NOTHING_BEFORE = Text("only what was written after the CT")
SIGNED_AFTER = Text("signed after the CT, which the settings leave out")
WRONG_FILE = {
    Modality.XRAY: Text("not an X-ray, for which the file was given"),
    Modality.CT: Text("not a CT, for which the file was given"),
}
"""Reasons of reports of the other modality in a file that was given for one."""


class Ledger:
    """Counts of dropped reports by modality, step and reason, in the order of entry."""

    def __init__(self) -> None:
        self._begin: dict[str, tuple[str, int]] = {}
        self._steps: dict[str, dict[str, dict[str, int]]] = {}

    def begin(self, modality: str, step: str, n: int) -> None:
        """Enter ``n`` reports at ``step``; further calls add to them."""
        self._begin[modality] = (step, n + self._begin.get(modality, ("", 0))[1])
        self._steps.setdefault(modality, {})

    def drop(self, modality: str, step: str, reason: str = "", n: int = 0) -> None:
        """Record that ``n`` reports dropped out at ``step``, fewer if negative; 0 records the step alone."""
        reasons = self._steps.setdefault(modality, {}).setdefault(step, {})
        if n:
            reasons[reason] = reasons.get(reason, 0) + n

    def add(self, other: Ledger) -> None:
        """Add the counts of another ledger."""
        for modality, (begin, n) in other._begin.items():
            self.begin(modality, begin, n)
            for step, reasons in other._steps[modality].items():
                self.drop(modality, step)
                for reason, dropped in reasons.items():
                    self.drop(modality, step, reason, dropped)

    def frame(self) -> pd.DataFrame:
        """Return the table, in ATTRITION_COLUMNS; steps and reasons are texts with their values."""
        import pandas as pd

        rows: list[tuple[str, str, int, int, str]] = []
        for modality, (step, kept) in self._begin.items():
            rows.append((step, modality, kept, 0, ""))
            for name, reasons in self._steps[modality].items():
                for reason, n in [(why, n) for why, n in reasons.items() if n] or [("", 0)]:
                    kept -= n
                    rows.append((name, modality, kept, n, reason))
        frame = declared_frame(ATTRITION_COLUMNS, zip(*rows, strict=True))
        said = {"step": [row[0] for row in rows], "reason": [row[-1] for row in rows]}
        return frame.assign(**{name: pd.Series(texts, dtype=object) for name, texts in said.items()})

    @classmethod
    def of_reading(cls, rows_read: int = 0) -> Self:
        """A ledger of the steps of reading, from which nothing has dropped out yet."""
        ledger = cls()
        ledger.begin(BOTH, READ, rows_read)
        ledger.drop(BOTH, WHOLE)
        ledger.drop(BOTH, MODALITY)
        for kind in Modality:
            ledger.begin(kind, REPORTS, 0)
            ledger.drop(kind, CHEST)
            ledger.drop(kind, USABLE)
        return ledger

    @classmethod
    def of(cls, frames: Iterable[pd.DataFrame]) -> Self:
        """The sum of several tables made by the same steps."""
        ledger = cls()
        for frame in frames:
            seen: set[str] = set()
            for step, modality, kept, dropped, reason in frame.itertuples(index=False, name=None):
                if modality not in seen:
                    seen.add(modality)
                    ledger.begin(modality, step, kept)
                else:
                    ledger.drop(modality, step, reason, dropped)
        return ledger
