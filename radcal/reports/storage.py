"""Reports and their pairs saved in a workspace."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from radcal.system.clock import now
from radcal.system.errors import DataError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text, cell_of
from radcal.workspace import frames
from radcal.workspace.reports import (
    ATTRITION,
    NO_TIME,
    PAIRS,
    REJECTED,
    REPORTS,
    ROW_KINDS,
    ROW_OWN,
    TEXTS_OF_WANTED,
    VERSION_OWN,
    VERSIONS,
    delete_unused_texts,
    hash_of,
)

if TYPE_CHECKING:
    import pandas as pd

    from radcal.reports.records import Import, Pairing
    from radcal.workspace.database import Database
    from radcal.workspace.store import Workspace

_OWN = [name for name in REPORTS if name != "text"]
OF_ROW = (*ROW_OWN, "signer", "report_time")
"""VERSION_COLUMNS in the order of :func:`cells_of_rows`."""
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


def save_import(workspace: Workspace, imp: Import, progress: Progress = SILENT) -> ImportCounts:
    """Add reports, or replace those with a known report_id, in one transaction.

    Where the reports have VERSION_COLUMNS, these are stored as well.

    Where a known report has a new text, its version goes up by one, and the old text is deleted with its
    findings unless another report has the same text.  Where the text is the same, the part of it that counts stays
    the same, too, until the next pairing.  Rejected rows are stored by import.  Not to be called while an extraction is
    running.

    Raises:
        DataError: a column or value is missing, or a report_id comes twice.
        Cancelled: nothing was saved.
    """
    rows = frames.to_rows(imp.reports, REPORTS, "reports")
    rejected = frames.to_rows(imp.rejected, REJECTED, "rejected rows")
    place = {name: i for i, name in enumerate(REPORTS)}
    id_, modality, text = place["report_id"], place["modality"], place["text"]
    own = [place[name] for name in _OWN]
    of_row = cells_of_rows(imp.reports) if set(OF_ROW) <= set(imp.reports.columns) else None
    upsert = _upsert(_OWN if of_row is None else [*_OWN, *OF_ROW])
    if len({row[id_] for row in rows}) < len(rows):
        raise DataError("The reports have a report_id twice; it must be unique.")
    progress.start(len(rows), Text("Saving reports"))
    with workspace.transaction() as db:
        workspace.want(row[id_] for row in rows)
        saved = """
            SELECT id, hash, texts.modality FROM temp.wanted JOIN reports ON report_id = id
            JOIN texts ON texts.text_id = coalesce(whole_id, reports.text_id)
        """
        known = {report_id: (digest, of) for report_id, digest, of in db.execute(saved)}
        before = db.execute(TEXTS_OF_WANTED)
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
            changed += sum(row[id_] in known and known[row[id_]] != key for row, key in zip(chunk, keys, strict=True))
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
        dropped = _save_versions(workspace, db, imp, [row[id_] for row in rows])
        if changed or dropped:
            delete_unused_texts(db, before)
        db.execute_many("INSERT INTO rejected VALUES (?, ?, ?, ?, ?, ?, ?)", [(import_id, *row) for row in rejected])
        counts = ImportCounts(import_id, new, changed, len(rows) - new - changed, len(rejected))
        db.execute(
            "UPDATE imports SET new = ?, changed = ?, unchanged = ? WHERE import_id = ?",
            (new, changed, counts.unchanged, import_id),
        )
        workspace.log("reports imported", rows=imp.rows_read, new=new, changed=changed, rejected=len(rejected))
    return counts


def _save_versions(workspace: Workspace, db: Database, imp: Import, ids: Sequence[str]) -> bool:
    """Replace the versions of these reports; whether there were any."""
    workspace.want(ids)
    gone = "FROM versions WHERE report_id IN (SELECT id FROM temp.wanted)"
    had = bool(db.execute(f"SELECT EXISTS (SELECT * {gone})")[0][0])
    if had:
        db.execute(f"DELETE {gone}")
    made = imp.versions
    if made is None or made.empty:
        return had
    kinds = {name: VERSIONS[name] for name in ("report_id", "modality", "text", *VERSION_OWN)}
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
        INSERT INTO versions (report_id, position, text_id, {", ".join(VERSION_OWN)}, signer, report_time)
        VALUES (?, ?, (SELECT text_id FROM texts WHERE hash = ? AND modality = ?),
            {", ".join("?" * (len(VERSION_OWN) + 2))})
        """,  # noqa: S608 - constants
        [row[:-1] for row in values],
    )
    return had


def save_pairing_in_parts(workspace: Workspace, parts: Iterable[Pairing], attrition: Callable[[], pd.DataFrame]) -> int:
    """Replace pairs and attrition, and which part of the reports of several versions counts, in one transaction.

    Args:
        parts: pairs, standings and texts, each of other reports; one is in memory at a time.
        attrition: called when all parts were taken.

    Returns:
        The number of pairs, which are stored in order of X-ray time and id.

    Raises:
        DataError: a pair names a report that is not in the workspace, or comes twice.
    """
    columns = ", ".join(PAIRS)
    with workspace.transaction() as db:
        db.execute(f"CREATE TEMP TABLE paired ({columns}, PRIMARY KEY (xray_time, xray_id, ct_id)) WITHOUT ROWID")
        db.execute("CREATE TEMP TABLE counted (report_id TEXT PRIMARY KEY) WITHOUT ROWID")
        db.execute("CREATE TEMP TABLE parted AS SELECT text_id FROM reports WHERE whole_id IS NOT NULL")
        ((before,),) = db.execute(_VERSIONS_MADE)
        for part in parts:
            _put_pairs(workspace, db, part.pairs)
            _put_standings(db, part)
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
        steps = frames.to_rows(attrition(), ATTRITION, "attrition steps")
        cells = ([cell_of(cell) if isinstance(cell, str) else cell for cell in step] for step in steps)
        db.execute_many("INSERT INTO attrition VALUES (?, ?, ?, ?, ?)", cells)
        n = workspace.count_pairs()
        workspace.log("pairs saved", pairs=n)
    return n


def _put_pairs(workspace: Workspace, db: Database, pairs: pd.DataFrame) -> None:
    rows = frames.to_rows(pairs, PAIRS, "pairs")
    workspace.want(i for row in rows for i in row[:2])
    unknown = "SELECT count(*) FROM temp.wanted WHERE id NOT IN (SELECT report_id FROM reports)"
    if (n := db.execute(unknown)[0][0]) > 0:
        raise DataError("The pairs name {n} report(s) that are not in the workspace. Save the reports first.", n=n)
    db.execute_many("INSERT INTO temp.paired VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def _put_standings(db: Database, pairing: Pairing) -> None:
    """Set what counts of the reports of several versions."""
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
        [None if time == NO_TIME else time for time in times.astype("int64").where(times.notna(), NO_TIME).tolist()],
        strict=True,
    )


def cells_of_rows(reports: pd.DataFrame) -> list[tuple[Any, ...]]:
    """What is known of the rows that reports are, in the order of OF_ROW."""
    own = frames.to_rows(reports, {name: ROW_KINDS[name] for name in ROW_OWN}, "reports")
    return [(*cells, *nullable) for cells, nullable in zip(own, _signers_and_times(reports), strict=True)]
