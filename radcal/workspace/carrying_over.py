"""What a file of an older schema keeps elsewhere and SQL alone cannot read, put where it is now."""

from __future__ import annotations

from collections.abc import Mapping

from radcal.workspace.reports import OF_ROW, cells_of_rows
from radcal.workspace.results import ResultStore
from radcal.workspace.rewriting import RewritingStore

_OF_ROWS = "versions of reports"
"""Before schema 8: the data frame of VERSION_COLUMNS by report_id."""
_DEIDENTIFIED = "de-identified reports"
"""Before schema 8: the data frame of the reports that were de-identified."""
_SUSPECTS = "suspected identifiers"
"""Before schema 8: the data frame of words left in texts."""
_NOT_KEPT: Mapping[str, str | int] = {"source": "", "names_ct": -1, "parts": ""}
"""What the first versions did not keep of a row."""
_AT_ONCE = 10_000


class CarryingStore(ResultStore, RewritingStore):
    """Tables filled from data frames of older schemas."""

    def carry_over(self) -> None:
        """Move what older schemas kept of reports in data frames into the columns of the reports; there may be none."""
        rows, done, suspects = map(self.load_frame, (_OF_ROWS, _DEIDENTIFIED, _SUSPECTS))
        with self._db.transaction() as db:
            if rows is not None:
                rows = rows.assign(**{name: value for name, value in _NOT_KEPT.items() if name not in rows})
                columns = ", ".join(f"{name} = ?" for name in OF_ROW)
                for start in range(0, len(rows), _AT_ONCE):
                    some = rows.iloc[start : start + _AT_ONCE]
                    db.execute_many(
                        f"UPDATE reports SET {columns} WHERE report_id = ?",  # noqa: S608 - declared columns
                        ((*cells, i) for cells, i in zip(cells_of_rows(some), some["report_id"].tolist(), strict=True)),
                    )
            if done is not None:
                self.mark_deidentified(done["report_id"].tolist())
            if suspects is not None:
                own = ["report_id", "kind", "words", "place"]
                self.put_suspects(suspects[own].itertuples(index=False, name=None), ())
                kept = suspects.loc[suspects["left"], own[:3]]
                self.settle_suspects(kept.itertuples(index=False, name=None), kept=True)
            db.execute_many("DELETE FROM frames WHERE name = ?", [(_OF_ROWS,), (_DEIDENTIFIED,), (_SUSPECTS,)])
