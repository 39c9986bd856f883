"""Reports, rejected rows, and pairs of reports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from radcal.errors import DataError
from radcal.progress import SILENT
from radcal.records import ATTRITION_COLUMNS, PAIR_COLUMNS, REJECTED_COLUMNS, REPORT_COLUMNS, Import, Pairing
from radcal.workspace import frames
from radcal.workspace.tables import Store, now

if TYPE_CHECKING:
    import pandas as pd

    from radcal.progress import Progress

_REPORTS = frames.kinds_of(REPORT_COLUMNS)
_PAIRS = frames.kinds_of(PAIR_COLUMNS)
_REJECTED = frames.kinds_of(REJECTED_COLUMNS)
_ATTRITION = frames.kinds_of(ATTRITION_COLUMNS)
_IMPORTS = frames.kinds_in(
    "import_id:int at:utc rows_read:int new:int changed:int unchanged:int rejected:int mapping:str"
)
_OWN = [name for name in _REPORTS if name != "text"]
_CHUNK = 5000


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """The changes of an import; ``changed`` counts known reports whose text is now another."""

    import_id: int
    new: int
    changed: int
    unchanged: int
    rejected: int


class ReportStore(Store):
    """Reports by report_id."""

    def save_import(self, imp: Import, pairing: Pairing | None = None, progress: Progress = SILENT) -> ImportCounts:
        """Add reports, or replace those with a known report_id, in one transaction.

        Where a known report has a new text, its version goes up by one, and the old text is deleted with its
        findings unless another report has the same text.  Rejected rows are stored by import.  ``pairing``, if given,
        replaces pairs and attrition.  Not to be called while an extraction is running.

        Raises:
            DataError: a column or value is missing, or a report_id comes twice.
            Cancelled: nothing was saved.
        """
        rows = frames.to_rows(imp.reports, _REPORTS, "reports")
        rejected = frames.to_rows(imp.rejected, _REJECTED, "rejected rows")
        place = {name: i for i, name in enumerate(_REPORTS)}
        id_, modality, text = place["report_id"], place["modality"], place["text"]
        own = [place[name] for name in _OWN]
        if len({row[id_] for row in rows}) < len(rows):
            raise DataError("The reports have a report_id twice; it must be unique.")
        progress.start(len(rows), "Saving reports")
        with self._db.transaction() as db:
            saved = "SELECT report_id, hash, texts.modality FROM reports JOIN texts USING (text_id)"
            known = {report_id: (digest, of) for report_id, digest, of in db.execute(saved)}
            import_id = 1 + db.execute("SELECT coalesce(max(import_id), 0) FROM imports")[0][0]
            db.execute(
                "INSERT INTO imports VALUES (?, ?, ?, 0, 0, 0, ?, ?)",
                (import_id, now(), imp.rows_read, len(rejected), json.dumps(dict(imp.mapping))),
            )
            new = changed = 0
            for start in range(0, len(rows), _CHUNK):
                progress.raise_if_cancelled()
                chunk = rows[start : start + _CHUNK]
                keys = [(_hash_of(row[text], row[id_]), row[modality]) for row in chunk]
                new += sum(row[id_] not in known for row in chunk)
                changed += sum(
                    row[id_] in known and known[row[id_]] != key for row, key in zip(chunk, keys, strict=True)
                )
                db.execute_many(
                    "INSERT INTO texts (hash, modality, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    [(*key, row[text]) for row, key in zip(chunk, keys, strict=True)],
                )
                db.execute_many(
                    _UPSERT, [(*key, import_id, *(row[i] for i in own)) for row, key in zip(chunk, keys, strict=True)]
                )
                progress.advance(len(chunk))
            if changed:
                db.execute("DELETE FROM texts WHERE text_id NOT IN (SELECT text_id FROM reports)")
            db.execute_many("INSERT INTO rejected VALUES (?, ?, ?, ?, ?)", [(import_id, *row) for row in rejected])
            counts = ImportCounts(import_id, new, changed, len(rows) - new - changed, len(rejected))
            db.execute(
                "UPDATE imports SET new = ?, changed = ?, unchanged = ? WHERE import_id = ?",
                (new, changed, counts.unchanged, import_id),
            )
            self.log("reports imported", rows=imp.rows_read, new=new, changed=changed, rejected=len(rejected))
            if pairing is not None:
                self.save_pairing(pairing)
        return counts

    def remove_reports(self, ids: Collection[str]) -> None:
        """Remove reports with their pairs, and the texts and findings that no other report shares.

        Annotations stay in their log.  Not to be called while an extraction is running.
        """
        if not ids:
            return
        with self._db.transaction() as db:
            self._want(ids)
            gone = "(SELECT id FROM temp.wanted)"
            db.execute(f"DELETE FROM pairs WHERE xray_id IN {gone} OR ct_id IN {gone}")  # noqa: S608 - a constant
            db.execute(f"DELETE FROM reports WHERE report_id IN {gone}")  # noqa: S608 - a constant
            db.execute("DELETE FROM texts WHERE text_id NOT IN (SELECT text_id FROM reports)")
            self.log("reports removed", reports=len(ids))

    def save_pairing(self, pairing: Pairing) -> None:
        """Replace pairs and attrition.

        Raises:
            DataError: a pair names a report that is not in the workspace.
        """
        pairs = frames.to_rows(pairing.pairs, _PAIRS, "pairs")
        attrition = frames.to_rows(pairing.attrition, _ATTRITION, "attrition steps")
        with self._db.transaction() as db:
            self._want(i for pair in pairs for i in pair[:2])
            unknown = "SELECT count(*) FROM temp.wanted WHERE id NOT IN (SELECT report_id FROM reports)"
            if (n := db.execute(unknown)[0][0]) > 0:
                raise DataError(
                    "The pairs name {n} report(s) that are not in the workspace. Save the reports first.", n=n
                )
            db.execute("DELETE FROM pairs")
            db.execute("DELETE FROM attrition")
            db.execute_many("INSERT INTO pairs VALUES (?, ?, ?, ?, ?, ?, ?)", pairs)
            db.execute_many("INSERT INTO attrition VALUES (?, ?, ?, ?, ?)", attrition)
            self.log("pairs saved", pairs=len(pairs))

    def reports(self, columns: Sequence[str] | None = None, ids: Iterable[str] | None = None) -> pd.DataFrame:
        """Reports in the order of their first import, or those of ``ids`` that exist, in that order.

        Args:
            columns: of REPORT_COLUMNS, all by default; leaving out ``text`` is much faster.
            ids: report_ids.

        Raises:
            DataError: an unknown column, or none at all.
        """
        kinds = {name: _kind(name) for name in (_REPORTS if columns is None else columns)}
        source = "reports JOIN texts USING (text_id)" if "text" in kinds else "reports"
        names = ", ".join("texts.text" if name == "text" else f"reports.{name}" for name in kinds)
        if not kinds:
            raise DataError("No column of the reports is asked for.")
        wanted, order = ("", "seq") if ids is None else ("JOIN temp.wanted ON id = report_id", "place")
        return self._frame(f"SELECT {names} FROM {source} {wanted} ORDER BY {order}", kinds, ids=ids)  # noqa: S608 - names are checked

    def pairs(self) -> pd.DataFrame:
        """PAIR_COLUMNS as last saved."""
        return self._frame(f"SELECT {', '.join(_PAIRS)} FROM pairs ORDER BY rowid", _PAIRS)  # noqa: S608 - constants

    def attrition(self) -> pd.DataFrame:
        """ATTRITION_COLUMNS as last saved."""
        return self._frame(f"SELECT {', '.join(_ATTRITION)} FROM attrition ORDER BY rowid", _ATTRITION)  # noqa: S608 - constants

    def rejected(self) -> pd.DataFrame:
        """Rejected rows of all imports: REJECTED_COLUMNS and import_id."""
        kinds = {**_REJECTED, "import_id": "int"}
        return self._frame(f"SELECT {', '.join(kinds)} FROM rejected ORDER BY rowid", kinds)  # noqa: S608 - constants

    def imports(self) -> pd.DataFrame:
        """One row per import: import_id, at (UTC), rows_read, new, changed, unchanged, rejected, mapping (JSON)."""
        return self._frame(f"SELECT {', '.join(_IMPORTS)} FROM imports ORDER BY import_id", _IMPORTS)  # noqa: S608 - constants


_UPSERT = f"""
    INSERT INTO reports (text_id, import_id, {", ".join(_OWN)})
    VALUES ((SELECT text_id FROM texts WHERE hash = ? AND modality = ?), {", ".join("?" * (len(_OWN) + 1))})
    ON CONFLICT (report_id) DO UPDATE SET
        version = version + (text_id IS NOT excluded.text_id),
        text_id = excluded.text_id, import_id = excluded.import_id,
        {", ".join(f"{name} = excluded.{name}" for name in _OWN if name != "report_id")}
"""  # noqa: S608 - built of declared column names


def _kind(column: str) -> str:
    if column not in _REPORTS:
        raise DataError(
            "Reports have no column {column!r}. There are: {reports}.", column=column, reports=", ".join(_REPORTS)
        )
    return _REPORTS[column]


def _hash_of(text: str, report_id: str) -> bytes:
    try:
        return hashlib.sha256(text.encode()).digest()
    except UnicodeEncodeError:
        raise DataError(
            "The text of report {report_id} contains half characters (unpaired surrogates). Read "
            "its file again with the right encoding.",
            report_id=report_id,
        ) from None
