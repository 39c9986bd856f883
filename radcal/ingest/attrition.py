"""Where reports drop out, as a table whose rows add up.

Within 'both', 'xray' and 'ct' each row keeps what the row above kept, less what it drops; what 'both'
keeps at its end is what 'xray' and 'ct' begin with together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from radcal.text import Text

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


class Ledger:
    """Counts of reports that dropped out, by modality, step and reason, in order."""

    def __init__(self) -> None:
        self._begin: dict[str, tuple[str, int]] = {}
        self._steps: dict[str, dict[str, dict[str, int]]] = {}

    def begin(self, modality: str, step: str, n: int) -> None:
        """``n`` reports enter at ``step``; further calls add to them."""
        self._begin[modality] = (step, n + self._begin.get(modality, ("", 0))[1])
        self._steps.setdefault(modality, {})

    def drop(self, modality: str, step: str, reason: str = "", n: int = 0) -> None:
        """Record that ``n`` reports dropped out at ``step``; 0 records that the step was taken."""
        reasons = self._steps.setdefault(modality, {}).setdefault(step, {})
        if n:
            reasons[reason] = reasons.get(reason, 0) + n

    def frame(self) -> pd.DataFrame:
        """The table, in ATTRITION_COLUMNS."""
        import pandas as pd

        rows: list[tuple[str, str, int, int, str]] = []
        for modality, (step, kept) in self._begin.items():
            rows.append((step, modality, kept, 0, ""))
            for name, reasons in self._steps[modality].items():
                for reason, n in reasons.items() or [("", 0)]:
                    kept -= n
                    rows.append((name, modality, kept, n, reason))
        columns = list(zip(*rows, strict=True)) or [(), (), (), (), ()]
        return pd.DataFrame(
            {
                "step": pd.Series(columns[0], dtype="str"),
                "modality": pd.Series(columns[1], dtype="str"),
                "kept": pd.Series(columns[2], dtype="int64"),
                "dropped": pd.Series(columns[3], dtype="int64"),
                "reason": pd.Series(columns[4], dtype="str"),
            }
        )

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
