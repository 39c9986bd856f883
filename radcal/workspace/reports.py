"""Reports, rejected rows, and pairs of reports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from radcal.reports.records import (
    ATTRITION_COLUMNS,
    PAIR_COLUMNS,
    REJECTED_COLUMNS,
    REPORT_COLUMNS,
    ROLE,
    VERSION_COLUMNS,
    Import,
    Pairing,
)
from radcal.system.clock import now
from radcal.system.errors import DataError
from radcal.system.progress import SILENT
from radcal.system.text import Text, cell_of, text_in
from radcal.workspace import frames
from radcal.workspace.tables import Store

if TYPE_CHECKING:
    import pandas as pd

    from radcal.system.progress import Progress
    from radcal.workspace.database import Database

_REPORTS = frames.kinds_of(REPORT_COLUMNS)
_PAIRS = frames.kinds_of(PAIR_COLUMNS)
_REJECTED = frames.kinds_of(REJECTED_COLUMNS)
_ATTRITION = frames.kinds_of(ATTRITION_COLUMNS)
_IMPORTS = frames.kinds_in(
    "import_id:int at:utc rows_read:int new:int changed:int unchanged:int rejected:int mapping:str"
)
_OWN = [name for name in _REPORTS if name != "text"]
_ROW_OWN = tuple(name for name in VERSION_COLUMNS if name not in ("signer", "report_time"))
"""Columns of VERSION_COLUMNS that always have a value where a row stands for the report."""
OF_ROW = (*_ROW_OWN, "signer", "report_time")
"""VERSION_COLUMNS in the order of :func:`cells_of_rows`."""
_VERSION_OWN = (
    "patient_id", "exam", "exam_time", "status", "file", "row", *_ROW_OWN, ROLE,
)  # fmt: skip
"""Columns of a version that always have a value."""
_OF_ROW = {
    name: "int" if kind == "bool" else kind
    for name, kind in frames.kinds_of({**REPORT_COLUMNS, **VERSION_COLUMNS, ROLE: "str"}).items()
}
_VERSIONS = _OF_ROW | {"position": "int", "uses": "str"}
ROW_KEYS = ("report_id", "modality", "patient_id", "exam_time", "file", "row")
"""Columns that, with ``source``, tell a row that is read again."""
_MISSING = -(2**63)
"""The missing time, as pandas has it."""
_TEXTS_OF_WANTED = """
    SELECT text_id FROM temp.wanted JOIN reports ON report_id = id
    UNION SELECT whole_id FROM temp.wanted JOIN reports ON report_id = id WHERE whole_id IS NOT NULL
    UNION SELECT versions.text_id FROM temp.wanted JOIN versions ON report_id = id
"""
"""The texts of the reports in temp.wanted."""
_VERSIONS_MADE = "SELECT sum(version) FROM reports"
"""Another whenever a report has another text."""
_CHUNK = 5000


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """The changes of an import; ``changed`` counts known reports that now have another text."""

    import_id: int
    new: int
    changed: int
    unchanged: int
    rejected: int


class ReportStore(Store):
    """Reports by report_id."""

    def numbers_of(self, report_ids: Iterable[str]) -> list[int]:
        """The numbers under which reports are kept, which say nothing to anybody without the workspace."""
        rows = self._rows("SELECT seq FROM temp.wanted JOIN reports ON report_id = id ORDER BY place", ids=report_ids)
        return [int(row[0]) for row in rows]

    def save_import(self, imp: Import, pairing: Pairing | None = None, progress: Progress = SILENT) -> ImportCounts:
        """Add reports, or replace those with a known report_id, in one transaction.

        Where the reports have VERSION_COLUMNS, these are stored as well.

        Where a known report has a new text, its version goes up by one, and the old text is deleted with its
        findings unless another report has the same text.  Where the text is the same, the part of it that counts stays
        the same, too, until the next pairing.  Rejected rows are stored by import.  ``pairing``, if given, replaces
        pairs and attrition.  Not to be called while an extraction is running.

        Raises:
            DataError: a column or value is missing, or a report_id comes twice.
            Cancelled: nothing was saved.
        """
        rows = frames.to_rows(imp.reports, _REPORTS, "reports")
        rejected = frames.to_rows(imp.rejected, _REJECTED, "rejected rows")
        place = {name: i for i, name in enumerate(_REPORTS)}
        id_, modality, text = place["report_id"], place["modality"], place["text"]
        own = [place[name] for name in _OWN]
        of_row = cells_of_rows(imp.reports) if set(OF_ROW) <= set(imp.reports.columns) else None
        upsert = _upsert(_OWN if of_row is None else [*_OWN, *OF_ROW])
        if len({row[id_] for row in rows}) < len(rows):
            raise DataError("The reports have a report_id twice; it must be unique.")
        progress.start(len(rows), Text("Saving reports"))
        with self._db.transaction() as db:
            self._want(row[id_] for row in rows)
            saved = """
                SELECT id, hash, texts.modality FROM temp.wanted JOIN reports ON report_id = id
                JOIN texts ON texts.text_id = coalesce(whole_id, reports.text_id)
            """
            known = {report_id: (digest, of) for report_id, digest, of in db.execute(saved)}
            before = db.execute(_TEXTS_OF_WANTED)
            import_id = 1 + db.execute("SELECT coalesce(max(import_id), 0) FROM imports")[0][0]
            db.execute(
                "INSERT INTO imports VALUES (?, ?, ?, 0, 0, 0, ?, ?)",
                (import_id, now(), imp.rows_read, len(rejected), json.dumps(dict(imp.mapping))),
            )
            new = changed = 0
            for start in range(0, len(rows), _CHUNK):
                progress.raise_if_cancelled()
                chunk = rows[start : start + _CHUNK]
                keys = [(hash_of(row[text], row[id_]), row[modality]) for row in chunk]
                new += sum(row[id_] not in known for row in chunk)
                changed += sum(
                    row[id_] in known and known[row[id_]] != key for row, key in zip(chunk, keys, strict=True)
                )
                db.execute_many(
                    "INSERT INTO texts (hash, modality, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    [(*key, row[text]) for row, key in zip(chunk, keys, strict=True)],
                )
                more = [()] * len(chunk) if of_row is None else of_row[start : start + _CHUNK]
                db.execute_many(
                    upsert,
                    [
                        (*key, import_id, *(row[i] for i in own), *its)
                        for row, key, its in zip(chunk, keys, more, strict=True)
                    ],
                )
                progress.advance(len(chunk))
            dropped = self._save_versions(imp, [row[id_] for row in rows])
            if changed or dropped:
                delete_unused_texts(db, before)
            db.execute_many(
                "INSERT INTO rejected VALUES (?, ?, ?, ?, ?, ?, ?)", [(import_id, *row) for row in rejected]
            )
            counts = ImportCounts(import_id, new, changed, len(rows) - new - changed, len(rejected))
            db.execute(
                "UPDATE imports SET new = ?, changed = ?, unchanged = ? WHERE import_id = ?",
                (new, changed, counts.unchanged, import_id),
            )
            self.log("reports imported", rows=imp.rows_read, new=new, changed=changed, rejected=len(rejected))
            if pairing is not None:
                self.save_pairing(pairing)
        return counts

    def _save_versions(self, imp: Import, ids: Sequence[str]) -> bool:
        """Replace the versions of these reports; whether there were any."""
        db = self._db
        self._want(ids)
        gone = "FROM versions WHERE report_id IN (SELECT id FROM temp.wanted)"
        had = bool(db.execute(f"SELECT EXISTS (SELECT * {gone})")[0][0])
        if had:
            db.execute(f"DELETE {gone}")
        made = imp.versions
        if made is None or made.empty:
            return had
        kinds = {name: _VERSIONS[name] for name in ("report_id", "modality", "text", *_VERSION_OWN)}
        seen: dict[str, int] = {}
        values = []
        for (report_id, modality, text, *own), nullable in zip(
            frames.to_rows(made, kinds, "versions"), _signers_and_times(made), strict=True
        ):
            position = seen[report_id] = seen.get(report_id, -1) + 1
            values.append((report_id, position, hash_of(text, report_id), modality, *own, *nullable, text))
        db.execute_many(
            "INSERT INTO texts (hash, modality, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(row[2], row[3], row[-1]) for row in values],
        )
        db.execute_many(
            f"""
            INSERT INTO versions (report_id, position, text_id, {", ".join(_VERSION_OWN)}, signer, report_time)
            VALUES (?, ?, (SELECT text_id FROM texts WHERE hash = ? AND modality = ?),
                {", ".join("?" * (len(_VERSION_OWN) + 2))})
            """,  # noqa: S608 - constants
            [row[:-1] for row in values],
        )
        return had

    def remove_reports(self, ids: Collection[str]) -> None:
        """Remove reports with their pairs, and the texts and findings that no other report shares.

        Annotations stay in their log.  Not to be called while an extraction is running.
        """
        if not ids:
            return
        with self._db.transaction() as db:
            self._want(ids)
            before = db.execute(_TEXTS_OF_WANTED)
            gone = "(SELECT id FROM temp.wanted)"
            db.execute(f"DELETE FROM pairs WHERE xray_id IN {gone} OR ct_id IN {gone}")  # noqa: S608 - a constant
            db.execute(f"DELETE FROM reports WHERE report_id IN {gone}")  # noqa: S608 - a constant
            delete_unused_texts(db, before)
            self.log("reports removed", reports=len(ids))

    def save_pairing(self, pairing: Pairing) -> None:
        """:meth:`save_pairing_in_parts` of a pairing that is one part."""
        self.save_pairing_in_parts([pairing], lambda: pairing.attrition)

    def save_pairing_in_parts(self, parts: Iterable[Pairing], attrition: Callable[[], pd.DataFrame]) -> int:
        """Replace pairs and attrition, and which part of the reports of several versions counts, in one transaction.

        Args:
            parts: pairs, standings and texts, each of other reports; one is in memory at a time.
            attrition: called when all parts were taken.

        Returns:
            The number of pairs, which are stored in order of X-ray time and id.

        Raises:
            DataError: a pair names a report that is not in the workspace, or comes twice.
        """
        columns = ", ".join(_PAIRS)
        with self._db.transaction() as db:
            db.execute(f"CREATE TEMP TABLE paired ({columns}, PRIMARY KEY (xray_time, xray_id, ct_id)) WITHOUT ROWID")
            db.execute("CREATE TEMP TABLE counted (report_id TEXT PRIMARY KEY) WITHOUT ROWID")
            db.execute("CREATE TEMP TABLE parted AS SELECT text_id FROM reports WHERE whole_id IS NOT NULL")
            ((before,),) = db.execute(_VERSIONS_MADE)
            for part in parts:
                self._put_pairs(part.pairs)
                self._put_standings(part)
            db.execute("""
                UPDATE reports SET text_id = whole_id, whole_id = NULL, version = version + 1
                WHERE whole_id IS NOT NULL AND report_id NOT IN (SELECT report_id FROM temp.counted)
            """)
            ((after,),) = db.execute(_VERSIONS_MADE)
            if before != after:
                delete_unused_texts(db, chain.from_iterable(db.batches("SELECT text_id FROM temp.parted")))
            db.execute("DELETE FROM pairs")
            db.execute(f"INSERT INTO pairs SELECT {columns} FROM temp.paired ORDER BY xray_time, xray_id")  # noqa: S608 - constants
            for table in ("paired", "counted", "parted"):
                db.execute(f"DROP TABLE temp.{table}")
            db.execute("DELETE FROM attrition")
            steps = frames.to_rows(attrition(), _ATTRITION, "attrition steps")
            cells = ([cell_of(cell) if isinstance(cell, str) else cell for cell in step] for step in steps)
            db.execute_many("INSERT INTO attrition VALUES (?, ?, ?, ?, ?)", cells)
            n = self.count_pairs()
            self.log("pairs saved", pairs=n)
        return n

    def _put_pairs(self, pairs: pd.DataFrame) -> None:
        rows = frames.to_rows(pairs, _PAIRS, "pairs")
        self._want(i for row in rows for i in row[:2])
        unknown = "SELECT count(*) FROM temp.wanted WHERE id NOT IN (SELECT report_id FROM reports)"
        if (n := self._db.execute(unknown)[0][0]) > 0:
            raise DataError("The pairs name {n} report(s) that are not in the workspace. Save the reports first.", n=n)
        self._db.execute_many("INSERT INTO temp.paired VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def _put_standings(self, pairing: Pairing) -> None:
        """Set what counts of the reports of several versions."""
        db = self._db
        made = [(report_id, hash_of(text, report_id), text) for report_id, text in pairing.texts.items()]
        db.execute_many("INSERT INTO temp.counted VALUES (?)", [(report_id,) for report_id, *_ in made])
        modality = "(SELECT modality FROM reports WHERE report_id = ?)"
        db.execute_many(
            f"INSERT INTO texts (modality, hash, text) VALUES ({modality}, ?, ?) ON CONFLICT DO NOTHING",  # noqa: S608
            made,
        )
        db.execute_many(
            f"""
            UPDATE reports SET whole_id = nullif(coalesce(whole_id, reports.text_id), new.text_id),
                text_id = new.text_id, version = version + (reports.text_id IS NOT new.text_id)
            FROM (SELECT text_id FROM texts WHERE modality = {modality} AND hash = ?) AS new WHERE report_id = ?
            """,  # noqa: S608 - a constant
            [(report_id, digest, report_id) for report_id, digest, _ in made],
        )
        db.execute_many(
            "UPDATE reports SET author = ?, author_rule = ?, status = ? WHERE report_id = ?",
            [(s.author, s.author_rule, s.status, report_id) for report_id, s in pairing.standings.items()],
        )
        uses: list[tuple[str, str, int]] = []
        for report_id, standing in pairing.standings.items():
            of: dict[int, list[tuple[int, int, str]]] = {}
            for piece in standing.pieces:
                of.setdefault(piece.position, []).append((piece.start, piece.end, str(piece.use)))
            uses += [(json.dumps(pieces), report_id, position) for position, pieces in of.items()]
        db.execute_many("UPDATE versions SET uses = ? WHERE report_id = ? AND position = ?", uses)

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
            name: f"versions.{name}" if name in {*_VERSION_OWN, "report_id", "signer", "position", "uses"} else name
            for name in _VERSIONS
        } | {
            "report_time": f"coalesce(versions.report_time, {_MISSING})",
            "text": "texts.text" if texts else "CAST(versions.text_id AS TEXT)",
            "modality": "reports.modality",
        }
        join = "JOIN texts ON texts.text_id = versions.text_id" if texts else ""
        wanted, order = ("", "seq") if ids is None else ("JOIN temp.wanted ON id = versions.report_id", "place")
        sql = f"""
            SELECT {", ".join(source.values())} FROM versions JOIN reports ON reports.report_id = versions.report_id
            {join} {wanted} ORDER BY {order}, position
        """  # noqa: S608 - constants
        return self._frame(sql, _VERSIONS, ids=ids).astype({"corrected": "bool"})

    def reports(self, columns: Sequence[str] | None = None, ids: Iterable[str] | None = None) -> pd.DataFrame:
        """Reports in the order of their first import, or those of ``ids`` that exist, in that order.

        Args:
            columns: of REPORT_COLUMNS, all by default, and VERSION_COLUMNS; with any of these, only reports for which
                a row stands.  Leaving out ``text`` is much faster.
            ids: report_ids.

        Raises:
            DataError: an unknown column, or none at all.
        """
        kinds = {name: _kind(name) for name in (_REPORTS if columns is None else columns)}
        if not kinds:
            raise DataError("No column of the reports is asked for.")
        wanted, order = ("", "seq") if ids is None else ("JOIN temp.wanted ON id = report_id", "place")
        sql = f"SELECT {_selected(kinds)} FROM {_tables(kinds)} {wanted} {_where(kinds)} ORDER BY {order}"  # noqa: S608 - names are checked
        return _typed(self._frame(sql, kinds, ids=ids))

    def reports_in_parts(self, columns: Sequence[str], most: int) -> Iterator[pd.DataFrame]:
        """:meth:`reports` of all, at most so many at a time; the first part may be empty, but is always there."""
        kinds = {name: _kind(name) for name in columns} | {"seq": "int"}
        sql = f"""
            SELECT {_selected(kinds)} FROM {_tables(kinds)} {_where(kinds, "seq > ?")} ORDER BY seq LIMIT ?
        """  # noqa: S608 - names are checked
        after = 0
        while True:
            part = self._frame(sql, kinds, (after, most))
            if part.empty and after:
                return
            yield _typed(part.drop(columns="seq"))
            if len(part) < most:
                return
            after = int(part["seq"].iloc[-1])

    def reports_of_patients(self, columns: Sequence[str], most: int) -> Iterator[pd.DataFrame]:
        """:meth:`reports` of all, patient by patient: all of some patients at a time, whose reports are about so many.

        The first part may be empty, but is always there.
        """
        kinds = {name: _kind(name) for name in columns}
        after, first = "", ">="  # as a patient without a number has the id ''
        while True:
            beyond = self._db.execute(
                f"SELECT patient_id FROM reports WHERE patient_id {first} ? ORDER BY patient_id LIMIT 1 OFFSET ?",  # noqa: S608
                (after, most),
            )
            last = beyond[0][0] if beyond else None
            its = f"patient_id {first} ?" + ("" if last is None else " AND patient_id <= ?")
            sql = f"SELECT {_selected(kinds)} FROM {_tables(kinds)} {_where(kinds, its)} ORDER BY patient_id, seq"  # noqa: S608 - names are checked
            yield _typed(self._frame(sql, kinds, (after,) if last is None else (after, last)))
            if last is None:
                return
            after, first = last, ">"

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
        kinds = {name: _REPORTS[name] for name in ROW_KEYS}
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
            self._want(ids)
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

    def count_pairs(self) -> int:
        """The number of pairs."""
        return int(self._db.execute("SELECT count(*) FROM pairs")[0][0])

    def pairs(self, authors: Collection[str] | None = None) -> pd.DataFrame:
        """PAIR_COLUMNS as last saved; those of some ``authors`` under an index that keeps their order among all."""
        some = "" if authors is None else f"WHERE author IN ({', '.join('?' * len(authors))})"
        sql = f"SELECT {', '.join(_PAIRS)}, rowid FROM pairs {some} ORDER BY rowid"  # noqa: S608 - constants
        found = self._frame(sql, {**_PAIRS, "rowid": "int"}, tuple(authors or ()))
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

        found = self._frame(f"SELECT {', '.join(_ATTRITION)} FROM attrition ORDER BY rowid", _ATTRITION)  # noqa: S608 - constants
        said = {name: pd.Series(map(text_in, found[name]), dtype=object) for name in ("step", "reason")}
        return found.assign(**said)

    def rejected(self) -> pd.DataFrame:
        """Rejected rows of all imports: REJECTED_COLUMNS and import_id."""
        kinds = _REJECTED | {"import_id": "int"}
        return self._frame(f"SELECT {', '.join(kinds)} FROM rejected ORDER BY rowid", kinds)  # noqa: S608 - constants

    def imports(self) -> pd.DataFrame:
        """One row per import: import_id, at (UTC), rows_read, new, changed, unchanged, rejected, mapping (JSON)."""
        return self._frame(f"SELECT {', '.join(_IMPORTS)} FROM imports ORDER BY import_id", _IMPORTS)  # noqa: S608 - constants


def _upsert(columns: Sequence[str]) -> str:
    """Adds a report by hash and modality of its text, import and these columns, or replaces it."""
    return f"""
        INSERT INTO reports (text_id, import_id, {", ".join(columns)})
        VALUES ((SELECT text_id FROM texts WHERE hash = ? AND modality = ?), {", ".join("?" * (len(columns) + 1))})
        ON CONFLICT (report_id) DO UPDATE SET
            version = version + (coalesce(whole_id, text_id) IS NOT excluded.text_id),
            text_id = iif(coalesce(whole_id, text_id) IS excluded.text_id, text_id, excluded.text_id),
            whole_id = iif(coalesce(whole_id, text_id) IS excluded.text_id, whole_id, NULL),
            import_id = excluded.import_id,
            {", ".join(f"{name} = excluded.{name}" for name in columns if name != "report_id")}
    """  # noqa: S608 - built of declared column names


def _signers_and_times(rows: pd.DataFrame) -> Iterator[tuple[str | None, int | None]]:
    """The cells of rows that may be missing, as the database has them."""
    times = rows["report_time"]
    return zip(
        [None if signer != signer else signer for signer in rows["signer"].astype(object).tolist()],
        [None if time == _MISSING else time for time in times.astype("int64").where(times.notna(), _MISSING).tolist()],
        strict=True,
    )


def cells_of_rows(reports: pd.DataFrame) -> list[tuple[Any, ...]]:
    """What is known of the rows that reports are, in the order of OF_ROW."""
    own = frames.to_rows(reports, {name: _OF_ROW[name] for name in _ROW_OWN}, "reports")
    return [(*cells, *nullable) for cells, nullable in zip(own, _signers_and_times(reports), strict=True)]


def _kind(column: str) -> str:
    known = _REPORTS | {name: _OF_ROW[name] for name in VERSION_COLUMNS}
    if column not in known:
        raise DataError(
            "Reports have no column {column!r}. There are: {reports}.", column=column, reports=", ".join(known)
        )
    return known[column]


def _selected(columns: Iterable[str]) -> str:
    return ", ".join(_source_of(name) for name in columns)


def _tables(columns: Collection[str]) -> str:
    return "reports JOIN texts USING (text_id)" if "text" in columns else "reports"


def _where(columns: Collection[str], condition: str = "") -> str:
    """The condition under which a report has these columns."""
    both = [condition, "" if set(VERSION_COLUMNS).isdisjoint(columns) else "source IS NOT NULL"]
    return f"WHERE {' AND '.join(filter(None, both))}" if any(both) else ""


def _typed(reports: pd.DataFrame) -> pd.DataFrame:
    return reports.astype({"corrected": "bool"}) if "corrected" in reports else reports


def _source_of(column: str) -> str:
    """A column of reports in the database."""
    return {"text": "texts.text", "report_time": f"coalesce(reports.report_time, {_MISSING})"}.get(
        column, f"reports.{column}"
    )


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
