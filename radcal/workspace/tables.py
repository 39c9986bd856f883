"""The base of all parts of the workspace: database, audit log, queries, and short texts by key."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import TYPE_CHECKING, Any

from radcal.system.clock import now
from radcal.system.errors import DataError
from radcal.system.version import __version__
from radcal.workspace import frames, log_chain
from radcal.workspace.errors import DamagedWorkspace
from radcal.workspace.lock import current_user
from radcal.workspace.log_records import LogEntry, LogHead
from radcal.workspace.records import Ids, Paired

if TYPE_CHECKING:
    import pandas as pd

    from radcal.workspace.database import Database

_AUDIT_KINDS = frames.kinds_in("at:utc user:str radcal:str what:str counts:str")
_LOG_COLUMNS = {"entry", "at", "user", "radcal", "what", "counts", "hash"}
_LONGEST_ENTRY = 200
_AT_ONCE = 1000
"""Entries of the log read at once."""
IN_PAIRS = """
    (SELECT seq AS place, report_id, text_id FROM reports WHERE
    EXISTS (SELECT * FROM pairs WHERE xray_id = report_id) OR EXISTS (SELECT * FROM pairs WHERE ct_id = report_id))
"""
"""The reports of pairs for a FROM, looked up one by one as they are passed."""


class Store:
    """Tables of an open workspace."""

    _db: Database
    _user: str | None = None
    """The user in the audit log; None for the user of this process."""

    def transaction(self) -> AbstractContextManager[Database]:
        """Join several changes: all are saved when the block ends, none if it fails."""
        return self._db.transaction()

    def log(self, what: str, **counts: int) -> None:
        """Append an entry to the audit log, chained to the one before; the file refuses to change or delete entries.

        Args:
            what: the event in a few words, without report text or patient data.
            counts: numbers of items by name.

        Raises:
            DataError: the entry is longer than one line, or a count is not a whole number.
            DamagedWorkspace: the file has no log any more.
        """
        if len(what) > _LONGEST_ENTRY or not what.isprintable():
            raise DataError("An entry of the audit log is one line of at most 200 characters.")
        if not all(isinstance(n, int) for n in counts.values()):
            raise DataError("The audit log takes counts only.")
        user = current_user() if self._user is None else self._user
        with self._db.transaction() as db:
            if not self.has_log:
                raise DamagedWorkspace(
                    "The audit log of {name} was removed. Nothing was changed. Restore a backup of the workspace, or "
                    "open it for reading only.",
                    name=self._db.path.name,
                )
            head = self.log_head()
            # The file's own count goes on where entries are missing, so that the gap remains.
            entry = 1 + max(head.entry, self.entries_made())
            said = (entry, now(), user, __version__, what, json.dumps(counts))
            hashed = log_chain.link(head.hash, *said)
            db.execute("INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)", (*said, hashed))
            if list(self.entries(entry)) != [LogEntry(*said, hashed)]:  # another tool's trigger swallows or changes it
                raise DamagedWorkspace(
                    "The audit log of {name} does not take entries as it should: the file was changed by another tool. "
                    "Nothing was changed. Restore a backup of the workspace, or open it for reading only.",
                    name=self._db.path.name,
                )

    def audit(self) -> pd.DataFrame:
        """The audit log, oldest entry first: at (UTC), user, radcal (version), what, counts (JSON object)."""
        return self._frame("SELECT at, user, radcal, what, counts FROM audit ORDER BY entry", _AUDIT_KINDS)

    @property
    def has_log(self) -> bool:
        """Whether the file has a table that can be an audit log: another tool may have removed or renamed it."""
        return {row[1] for row in self._db.execute("PRAGMA table_info(audit)")} >= _LOG_COLUMNS

    def log_head(self) -> LogHead:
        """The end of the audit log; its hash is b'' where another tool made the last entry."""
        if not self.has_log:
            return LogHead(self.log_name, 0, log_chain.origin(self.log_name))
        rows = self._db.execute("SELECT entry, hash FROM audit ORDER BY entry DESC LIMIT 1")
        log = self.log_name
        return (
            LogHead(log, int(rows[0][0]), bytes(rows[0][1] or b"")) if rows else LogHead(log, 0, log_chain.origin(log))
        )

    @property
    def log_name(self) -> str:
        """Names the audit log, the same in all copies of a workspace: 32 hexadecimal digits."""
        return self.get_meta("_log") or ""

    def entries_made(self) -> int:
        """How many entries of the audit log were ever made, as the file itself counts them."""
        rows = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'audit'")
        return int(rows[0][0]) if rows else 0

    def triggers(self, table: str) -> dict[str, str]:
        """The triggers of a table: name -> SQL."""
        return dict(
            self._db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", (table,))
        )

    def entries(self, first: int = 1) -> Iterator[LogEntry]:
        """The audit log from an entry on, oldest first, in steps between which others may use the workspace."""
        if not self.has_log:
            return
        sql = f"""
            SELECT entry, at, user, radcal, what, counts, hash FROM audit
            WHERE entry >= ? ORDER BY entry LIMIT {_AT_ONCE}
        """  # noqa: S608 - no values of others
        while rows := self._db.execute(sql, (first,)):
            for entry, at, user, version, what, counts, hashed in rows:
                yield LogEntry(entry, at, user, version, what, counts, bytes(hashed or b""))
            first = rows[-1][0] + 1

    def get_meta(self, key: str, default: str | None = None) -> str | None:
        """The text stored under ``key`` by :meth:`set_meta`."""
        rows = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else default

    def set_meta(self, key: str, value: str) -> None:
        """Store a short text under ``key``, replacing the previous one.

        Keys with an underscore in front are the workspace's own.
        """
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def _frame(
        self, sql: str, kinds: Mapping[str, str], values: Sequence[Any] = (), ids: Ids | None = None
    ) -> pd.DataFrame:
        """The rows of a query as a DataFrame; see :meth:`_rows`."""
        with self._db.transaction(write=False) as db:
            if ids is not None:
                self.want(ids)
            return frames.to_frame(db.batches(sql, values), kinds)

    def _frame_by_author(
        self, sql: str, kinds: Mapping[str, str], authors: str, values: Sequence[Any] = ()
    ) -> pd.DataFrame:
        """The rows of a query that is asked for one author after the other: SQLite holds what it groups.

        Args:
            sql: with the author as its last question mark.
            authors: the query of the authors.
            values: for the question marks before.
        """
        with self._db.transaction(write=False) as db:
            each = [(*values, author) for (author,) in db.execute(authors)]
            return frames.to_frame(chain.from_iterable(db.batches(sql, of) for of in each), kinds)

    def _rows(self, sql: str, values: Sequence[Any] = (), ids: Ids | None = None) -> list[tuple[Any, ...]]:
        """The rows of a query, read in one transaction.

        Args:
            sql: may use the table temp.wanted if there are ``ids``.
            values: for its question marks.
            ids: for temp.wanted.
        """
        with self._db.transaction(write=False) as db:
            if ids is not None:
                self.want(ids)
            return db.execute(sql, values)

    def run_of(self, run_id: int) -> tuple[str, str]:
        """Engine and version of an extraction run.

        Raises:
            DataError: there is no such run.
        """
        rows = self._db.execute("SELECT engine, version FROM runs WHERE run_id = ?", (run_id,))
        if not rows:
            raise DataError("There is no extraction run {run_id} in the workspace.", run_id=run_id)
        return str(rows[0][0]), str(rows[0][1])

    def _among(self, ids: Ids) -> str:
        """The reports of ``ids`` for a FROM, with their columns and ``place``, by which they are ordered.

        Those of pairs are IN_PAIRS, others are listed in temp.wanted.
        """
        if isinstance(ids, Paired):
            return IN_PAIRS
        self.want(ids)
        return "(temp.wanted JOIN reports ON report_id = id)"

    def want(self, ids: Ids) -> None:
        """Fill temp.wanted (place, id) with distinct ids in order; any number of them, unlike SQL parameters."""
        self._db.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)")
        self._db.execute("DELETE FROM temp.wanted")
        if isinstance(ids, Paired):
            for side in ("xray_id", "ct_id"):
                self._db.execute(f"INSERT OR IGNORE INTO temp.wanted (id) SELECT {side} FROM pairs ORDER BY rowid")  # noqa: S608 - constants
            return
        self._db.execute_many("INSERT OR IGNORE INTO temp.wanted (id) VALUES (?)", ((i,) for i in ids))
