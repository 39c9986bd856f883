"""Reports, rejected rows, and pairs of reports."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from radcal.system.errors import DataError
from radcal.system.text import text_in
from radcal.workspace import frames
from radcal.workspace.columns import (
    ATTRITION_COLUMNS,
    PAIR_COLUMNS,
    REJECTED_COLUMNS,
    REPORT_COLUMNS,
    ROLE,
    VERSION_COLUMNS,
)
from radcal.workspace.records import ListedRow
from radcal.workspace.tables import Store

if TYPE_CHECKING:
    import pandas as pd

    from radcal.workspace.database import Database

REPORTS = frames.kinds_of(REPORT_COLUMNS)
PAIRS = frames.kinds_of(PAIR_COLUMNS)
REJECTED = frames.kinds_of(REJECTED_COLUMNS)
ATTRITION = frames.kinds_of(ATTRITION_COLUMNS)
_IMPORTS = frames.kinds_in(
    "import_id:int at:utc rows_read:int new:int changed:int unchanged:int rejected:int mapping:str"
)
ROW_OWN = tuple(name for name in VERSION_COLUMNS if name not in ("signer", "report_time"))
"""Columns of VERSION_COLUMNS that always have a value where a row stands for the report."""
VERSION_OWN = (
    "patient_id", "exam", "exam_time", "status", "file", "row", *ROW_OWN, ROLE,
)  # fmt: skip
"""Columns of a version that always have a value."""
ROW_KINDS = {
    name: "int" if kind == "bool" else kind
    for name, kind in frames.kinds_of({**REPORT_COLUMNS, **VERSION_COLUMNS, ROLE: "str"}).items()
}
_COLUMNS = REPORTS | {name: ROW_KINDS[name] for name in VERSION_COLUMNS} | {"seq": "int"}
"""Those that may be asked for of reports."""
VERSIONS = ROW_KINDS | {"position": "int", "uses": "str"}
ROW_KEYS = ("report_id", "modality", "patient_id", "exam_time", "file", "row")
"""Columns that, with ``source``, tell a row that is read again."""
NO_TIME = -(2**63)
"""The missing time, as pandas has it."""
TEXTS_OF_WANTED = """
    SELECT text_id FROM temp.wanted JOIN reports ON report_id = id
    UNION SELECT whole_id FROM temp.wanted JOIN reports ON report_id = id WHERE whole_id IS NOT NULL
    UNION SELECT versions.text_id FROM temp.wanted JOIN versions ON report_id = id
"""
"""The texts of the reports in temp.wanted."""


class ReportStore(Store):
    """Reports by report_id."""

    def numbers_of(self, report_ids: Iterable[str]) -> list[int]:
        """The numbers under which reports are kept, which say nothing to anybody without the workspace."""
        rows = self._rows("SELECT seq FROM temp.wanted JOIN reports ON report_id = id ORDER BY place", ids=report_ids)
        return [int(row[0]) for row in rows]

    def remove_reports(self, ids: Collection[str]) -> None:
        """Remove reports with their pairs, and the texts and findings that no other report shares.

        Annotations stay in their log.  Not to be called while an extraction is running.
        """
        if not ids:
            return
        with self._db.transaction() as db:
            self.want(ids)
            before = db.execute(TEXTS_OF_WANTED)
            gone = "(SELECT id FROM temp.wanted)"
            db.execute(f"DELETE FROM pairs WHERE xray_id IN {gone} OR ct_id IN {gone}")  # noqa: S608 - a constant
            db.execute(f"DELETE FROM reports WHERE report_id IN {gone}")  # noqa: S608 - a constant
            delete_unused_texts(db, before)
            self.log("reports removed", reports=len(ids))

    def versions(self, ids: Iterable[str] | None = None, *, texts: bool = True) -> pd.DataFrame:
        """The rows of the reports that have several, or addenda within their text, report by report.

        Args:
            ids: report_ids, all by default.
            texts: without them, ``text`` is only equal for rows of equal text; much faster.

        Returns:
            REPORT_COLUMNS, VERSION_COLUMNS and ROLE as imported, ``position`` (from 0 in each report) and ``uses``:
            JSON, what became of each piece of the text as (start, end, Use), '' before the report was paired.
        """
        source = {
            name: f"versions.{name}" if name in {*VERSION_OWN, "report_id", "signer", "position", "uses"} else name
            for name in VERSIONS
        } | {
            "report_time": f"coalesce(versions.report_time, {NO_TIME})",
            "text": "texts.text" if texts else "CAST(versions.text_id AS TEXT)",
            "modality": "reports.modality",
        }
        join = "JOIN texts ON texts.text_id = versions.text_id" if texts else ""
        wanted, order = ("", "seq") if ids is None else ("JOIN temp.wanted ON id = versions.report_id", "place")
        sql = f"""
            SELECT {", ".join(source.values())} FROM versions JOIN reports ON reports.report_id = versions.report_id
            {join} {wanted} ORDER BY {order}, position
        """  # noqa: S608 - constants
        return self._frame(sql, VERSIONS, ids=ids).astype({"corrected": "bool"})

    def reports(self, columns: Sequence[str] | None = None, ids: Iterable[str] | None = None) -> pd.DataFrame:
        """Reports in the order of their first import, or those of ``ids`` that exist, in that order.

        Args:
            columns: of REPORT_COLUMNS, all by default, and VERSION_COLUMNS; with any of these, only reports for which
                a row stands.  Leaving out ``text`` is much faster.
            ids: report_ids.

        Raises:
            KeyError: an unknown column.
        """
        return self._reports(REPORTS if columns is None else columns, "seq" if ids is None else "place", ids=ids)

    def _reports(
        self,
        columns: Iterable[str],
        order: str,
        condition: str = "TRUE",
        values: Sequence[Any] = (),
        ids: Iterable[str] | None = None,
    ) -> pd.DataFrame:
        kinds = {name: _COLUMNS[name] for name in columns}
        sources = {"text": "texts.text", "report_time": f"coalesce(reports.report_time, {NO_TIME})"}
        selected = ", ".join(sources.get(name, f"reports.{name}") for name in kinds)
        texts = "JOIN texts USING (text_id)" if "text" in kinds else ""
        wanted = "" if ids is None else "JOIN temp.wanted ON id = report_id"
        by_rows = "" if kinds.keys().isdisjoint(VERSION_COLUMNS) else "AND source IS NOT NULL"
        sql = f"SELECT {selected} FROM reports {texts} {wanted} WHERE {condition} {by_rows} ORDER BY {order}"  # noqa: S608 - names are checked
        found = self._frame(sql, kinds, values, ids)
        return found.astype({"corrected": "bool"}) if "corrected" in kinds else found

    def reports_in_parts(self, columns: Sequence[str], most: int) -> Iterator[pd.DataFrame]:
        """:meth:`reports` of all, at most so many at a time; the first part may be empty, but is always there."""
        after = 0
        while True:
            part = self._reports([*columns, "seq"], "seq LIMIT ?", "seq > ?", (after, most))
            if part.empty and after:
                return
            yield part.drop(columns="seq")
            if len(part) < most:
                return
            after = int(part["seq"].iloc[-1])

    def reports_of_patients(self, columns: Sequence[str], most: int) -> Iterator[pd.DataFrame]:
        """:meth:`reports` of all, patient by patient: all of some patients at a time, whose reports are about so many.

        The first part may be empty, but is always there.
        """
        after, first = "", ">="  # as a patient without a number has the id ''
        while True:
            beyond = self._db.execute(
                f"SELECT patient_id FROM reports WHERE patient_id {first} ? ORDER BY patient_id LIMIT 1 OFFSET ?",  # noqa: S608
                (after, most),
            )
            last = beyond[0][0] if beyond else None
            its = f"patient_id {first} ?" + ("" if last is None else " AND patient_id <= ?")
            yield self._reports(columns, "patient_id, seq", its, (after,) if last is None else (after, last))
            if last is None:
                return
            after, first = last, ">"

    def listed(self, run_id: int | None, after: int, most: int) -> list[ListedRow]:
        """Reports in the order of import without their texts, with what became of them.

        Args:
            run_id: the extraction run that says what was read; None for none.
            after: ``seq`` of the last report that is known, 0 to begin.
            most: so many at a time.
        """
        rows = self._db.execute(
            """
            SELECT seq, r.report_id, r.modality, r.accession, r.exam, r.exam_time, r.author, r.file, r.row,
                coalesce(x.ct_id, c.xray_id, ''), coalesce(x.gap_hours, c.gap_hours), e.failure,
                (SELECT count(*) FROM stated_findings AS f WHERE f.text_id = r.text_id AND f.run_id = ?1),
                (SELECT count(*) FROM suspects AS s WHERE s.report_id = r.report_id AND NOT s.kept)
            FROM reports AS r LEFT JOIN pairs AS x ON x.xray_id = r.report_id LEFT JOIN pairs AS c
                ON c.ct_id = r.report_id LEFT JOIN extractions AS e ON e.text_id = r.text_id AND e.run_id = ?1
            WHERE seq > ?2 ORDER BY seq LIMIT ?3
            """,
            (run_id, after, most),
        )
        return [ListedRow(*row) for row in rows]

    def has_reports(self, *, by_rows: bool = False) -> bool:
        """Whether there are reports, or any for which a row stands."""
        where = "WHERE source IS NOT NULL" if by_rows else ""
        return bool(self._db.execute(f"SELECT EXISTS (SELECT * FROM reports {where})")[0][0])  # noqa: S608 - constants

    def reports_of_rows(self, rows: pd.DataFrame, sources: Iterable[str]) -> pd.DataFrame:
        """The stored reports that rows of files may give again, which are few among all.

        Args:
            rows: ROW_KEYS of the rows.
            sources: of the files.

        Returns:
            ROW_KEYS and ``source`` of reports with one of these report_ids, of the same line of a file of the same name
            with the same modality, patient and time, and of these sources, in the order of their first import.
        """
        kinds = {name: REPORTS[name] for name in ROW_KEYS}
        columns = ", ".join(kinds)
        same = " AND ".join(f"r.{name} = again.{name}" for name in kinds if name != "report_id")
        sql = f"""
            SELECT {columns}, source FROM reports WHERE source IS NOT NULL AND seq IN (
                SELECT r.seq FROM temp.again CROSS JOIN reports AS r ON r.report_id = again.report_id
                UNION SELECT r.seq FROM temp.again CROSS JOIN reports AS r INDEXED BY reports_by_row ON {same}
                UNION SELECT r.seq FROM temp.wanted CROSS JOIN reports AS r ON r.source = wanted.id)
            ORDER BY seq
        """  # noqa: S608 - constants
        with self._db.transaction(write=False) as db:
            db.execute(f"CREATE TEMP TABLE IF NOT EXISTS again ({columns})")
            db.execute("DELETE FROM temp.again")
            added = f"INSERT INTO temp.again VALUES ({', '.join('?' * len(kinds))})"  # noqa: S608 - question marks
            db.execute_many(added, frames.to_rows(rows, kinds, "rows"))
            found = self._frame(sql, kinds | {"source": "str"}, ids=(source for source in sources if source))
            db.execute("DELETE FROM temp.again")
        return found

    def forget_rejected(self, files: Iterable[str]) -> None:
        """Forget the rejected rows of files, or folders, whose present reading lists its own."""
        with self._db.transaction() as db:
            for name in files:
                db.execute(
                    "DELETE FROM rejected WHERE file = ? OR substr(file, 1, ?) = ?", (name, len(name) + 1, f"{name}/")
                )

    def drop_rows(self, ids: Iterable[str]) -> None:
        """Let no row stand for these reports any more: their rows contradict each other."""
        with self._db.transaction() as db:
            self.want(ids)
            db.execute("""
                UPDATE reports SET dictator = '', signer = NULL, addendum = 0, report_time = NULL, corrected = 0,
                    source = NULL, names_ct = -1, parts = '' WHERE report_id IN (SELECT id FROM temp.wanted)
            """)

    def cells_of_people(self) -> list[str]:
        """What stands in the columns dictator and signer of the rows of all reports, each once."""
        rows = self._db.execute("""
            SELECT dictator FROM reports UNION SELECT signer FROM reports
            UNION SELECT dictator FROM versions UNION SELECT signer FROM versions ORDER BY 1
        """)
        return [str(cell) for (cell,) in rows if cell]

    def people(self) -> list[str]:
        """Everybody who dictated, signed or is the author of a report, by name."""
        authors = self._db.execute("SELECT DISTINCT author FROM reports")
        return sorted({str(author) for (author,) in authors if author}.union(self.cells_of_people()))

    def count_reports(self) -> int:
        """The number of reports, in pairs or not."""
        return int(self._db.execute("SELECT count(*) FROM reports")[0][0])

    def count_pairs(self) -> int:
        """The number of pairs."""
        return int(self._db.execute("SELECT count(*) FROM pairs")[0][0])

    def pairs(self, authors: Collection[str] | None = None) -> pd.DataFrame:
        """PAIR_COLUMNS as last saved; those of some ``authors`` under an index that keeps their order among all."""
        some = "" if authors is None else f"WHERE author IN ({', '.join('?' * len(authors))})"
        sql = f"SELECT {', '.join(PAIRS)}, rowid FROM pairs {some} ORDER BY rowid"  # noqa: S608 - constants
        found = self._frame(sql, {**PAIRS, "rowid": "int"}, tuple(authors or ()))
        place = found.pop("rowid")
        return found if authors is None else found.set_axis(place.to_numpy())

    def pairs_by_author(self) -> dict[str, int]:
        """How many pairs there are of each author, by name."""
        rows = self._db.execute("SELECT author, count(*) FROM pairs GROUP BY author ORDER BY author")
        return {str(author): int(n) for author, n in rows}

    def xrays_of_pairs(self, ids: Iterable[str]) -> set[str]:
        """The reports of ``ids`` that are the X-ray report of a pair."""
        sql = "SELECT id FROM temp.wanted WHERE EXISTS (SELECT * FROM pairs WHERE xray_id = id)"
        return {row[0] for row in self._rows(sql, ids=ids)}

    def attrition(self) -> pd.DataFrame:
        """ATTRITION_COLUMNS as last saved."""
        import pandas as pd

        found = self._frame(f"SELECT {', '.join(ATTRITION)} FROM attrition ORDER BY rowid", ATTRITION)  # noqa: S608 - constants
        said = {name: pd.Series(map(text_in, found[name]), dtype=object) for name in ("step", "reason")}
        return found.assign(**said)

    def rejected(self) -> pd.DataFrame:
        """Rejected rows of all imports: REJECTED_COLUMNS and import_id."""
        kinds = REJECTED | {"import_id": "int"}
        return self._frame(f"SELECT {', '.join(kinds)} FROM rejected ORDER BY rowid", kinds)  # noqa: S608 - constants

    def imports(self) -> pd.DataFrame:
        """One row per import: import_id, at (UTC), rows_read, new, changed, unchanged, rejected, mapping (JSON)."""
        return self._frame(f"SELECT {', '.join(_IMPORTS)} FROM imports ORDER BY import_id", _IMPORTS)  # noqa: S608 - constants


def delete_unused_texts(db: Database, ids: Iterable[tuple[int]]) -> None:
    """Delete those of these texts that no report has any more, with their findings."""
    db.execute_many(
        """
        DELETE FROM texts WHERE text_id = ?1 AND NOT EXISTS (SELECT * FROM reports WHERE text_id = ?1)
            AND NOT EXISTS (SELECT * FROM reports WHERE whole_id = ?1)
            AND NOT EXISTS (SELECT * FROM versions WHERE text_id = ?1)
        """,
        ids,
    )


def hash_of(text: str, report_id: str) -> bytes:
    """The SHA-256 under which a text is stored.

    Raises:
        DataError: it cannot be encoded.
    """
    try:
        return hashlib.sha256(text.encode()).digest()
    except UnicodeEncodeError:
        raise DataError(
            "The text of report {report_id} contains half characters (unpaired surrogates). Read "
            "its file again with the right encoding.",
            report_id=report_id,
        ) from None
